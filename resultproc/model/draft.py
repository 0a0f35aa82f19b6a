"""From a reader's rows to a sheet: one game per file or per ``game_id``, and the checks that need all rows.

A :class:`Draft` is a sheet of plain values. Those of many files become frames together, in :func:`sheets_of`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import plain
from resultproc.model.codes import UNREADABLE
from resultproc.model.errors import InputError, Problem, shown
from resultproc.model.frames import BOARDS, CONTESTANT_KEY, CONTESTANTS, DEALS, GAMES, Frame, Sheet, concat
from resultproc.model.grid import Records
from resultproc.model.provenance import Origin
from resultproc.model.source import Declaration, Source
from resultproc.model.understood import Understood

GameFacts = dict[str, Any]
"""What is known of a game, by the column of the games frame, without what is not."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A sheet as it was read, before it is in frames.

    rows: the contestants.
    facts: a game each, in the games frame's columns.
    remarks: on what is doubtful in the file.
    boards, deals: the results of boards, and the hands.
    source: the file, where that is known.
    understood: what its columns and titles were taken for.
    """

    rows: Records
    facts: Sequence[GameFacts]
    remarks: tuple[Problem, ...] = ()
    boards: Records | pd.DataFrame = field(default_factory=Records)
    deals: Records = field(default_factory=Records)
    source: Origin | None = None
    understood: Understood = field(default_factory=Understood)

    @cached_property
    def games(self) -> pd.DataFrame:
        """The games frame of this sheet alone."""
        return framed([Records(self.facts)], GAMES)

    @cached_property
    def contestants(self) -> pd.DataFrame:
        """The contestants frame of this sheet alone."""
        return framed([self.rows], CONTESTANTS)

    def without_play(self) -> Draft:
        """Return the same without boards and deals, which are most of what is in many a file."""
        return replace(self, boards=Records(), deals=Records())


@dataclass(frozen=True, eq=False)
class Reading:
    """What a reader gives of a file; :mod:`resultproc.formats.read` checks what is declared and puts it into the games.

    sheet: the games, with what the format itself says of them, and the contestants.
    declared: what the file declares of all its games.
    boards: the rows of the boards frame, where the format has results of boards.
    deals: the rows of the deals frame, where it has hands.
    each: what the file declares of single games, by game_id.
    settled: the names of what the sidecar declares to the reader alone, which has read it there.
    finish: what is done to the sheet once all is declared of its games, whatever declares it.
    """

    sheet: Draft
    declared: Mapping[str, Declaration] = field(default_factory=dict)
    boards: Records | pd.DataFrame = field(default_factory=Records)
    deals: Records = field(default_factory=Records)
    each: Mapping[str, Mapping[str, Declaration]] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    finish: Callable[[Draft], Draft] = lambda sheet: sheet


def framed(parts: Sequence[Records | pd.DataFrame], kind: Frame) -> pd.DataFrame:
    """Return the rows of several files as one frame of a kind, numbered from 0; each column is made once."""
    frames = []
    parts = [part for part in parts if len(part)]
    for unframed, several in groupby(parts, lambda part: isinstance(part, Records)):
        if unframed:
            rows = Records.joined([part for part in several if isinstance(part, Records)])
            frames.append(kind.of({name: rows[name] for name in rows}, len(rows)))
        else:
            frames += [kind.conform(part) for part in several if isinstance(part, pd.DataFrame)]
    return frames[0] if len(frames) == 1 and isinstance(parts[0], Records) else concat(frames, kind)


def split_drafts(drafts: Iterable[Draft], most: int = 50) -> Iterator[list[Draft]]:
    """Yield drafts, as many at a time as ``most``: no two of them, and no two of their games, have the same name.

    Fifty are enough to share the costs of a frame.
    """
    chunk: list[Draft] = []
    known: set[str] = set()
    for draft in drafts:
        names = {str(name) for fact in draft.facts for name in (fact["source"], fact["game_id"])}
        if chunk and (len(chunk) == most or names & known):
            yield chunk
            chunk, known = [], set()
        chunk.append(draft)
        known |= names
    if chunk:
        yield chunk


def by_file(problems: Iterable[Problem], drafts: Sequence[Draft]) -> list[list[Problem]]:
    """Return the problems or remarks of each draft; no two drafts, and no two games, may have the same name."""
    games: dict[str, int] = {}
    files: dict[str, int] = {}
    for number, draft in enumerate(drafts):
        games |= {Problem("", game=fact["game_id"]).game: number for fact in draft.facts}
        files[Problem("", file=shown(draft.facts[0]["source"])).file] = number
    found: list[list[Problem]] = [[] for _ in drafts]
    for problem in problems:
        found[games[problem.game] if problem.game in games else files[problem.file]].append(problem)
    return found


def distinct(drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts whose games all have names of their own: one that two drafts share gets the draft's number."""
    count = Counter(fact["game_id"] for draft in drafts for fact in draft.facts)
    shared = {name for name, times in count.items() if times > 1}
    if len(drafts) == 1 or not shared:
        return list(drafts)
    return [_renamed(draft, {name: f"{number}-{name}" for name in shared}) for number, draft in enumerate(drafts, 1)]


def _renamed(draft: Draft, names: Mapping[str, str]) -> Draft:
    tables: list[Any] = []
    for rows in (draft.rows, draft.boards, draft.deals):
        copied = Records.of(rows, len(rows)) if isinstance(rows, Records) else rows.copy(deep=False)
        if "game_id" in copied:
            copied["game_id"] = [names.get(name, name) for name in copied["game_id"]]
        tables.append(copied)
    facts = [fact | {"game_id": names.get(fact["game_id"], fact["game_id"])} for fact in draft.facts]
    remarks = tuple(replace(remark, game=names.get(remark.game, remark.game)) for remark in draft.remarks)
    return replace(draft, rows=tables[0], facts=facts, remarks=remarks, boards=tables[1], deals=tables[2])


def together(drafts: Sequence[Draft]) -> Sheet:
    """Return all drafts as one sheet; their games have names of their own, see :func:`distinct`."""
    return Sheet(
        framed([Records(fact for draft in drafts for fact in draft.facts)], GAMES),
        framed([draft.rows for draft in drafts], CONTESTANTS),
        tuple(remark for draft in drafts for remark in draft.remarks),
        tuple(draft.source for draft in drafts if draft.source),
    )


def play_of(drafts: Sequence[Draft]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the boards and deals frames of drafts."""
    return framed([draft.boards for draft in drafts], BOARDS), framed([draft.deals for draft in drafts], DEALS)


def sheets_of(drafts: Sequence[Draft]) -> list[Sheet]:
    """Return the sheet of each draft; their columns are made once for all of them."""
    if not drafts:
        return []
    games, contestants = together(drafts)
    ends = [np.cumsum([0, *map(len, each)]) for each in ([d.facts for d in drafts], [d.rows for d in drafts])]
    sheets = []
    for number, draft in enumerate(drafts):
        of_games, listed = (
            frame.iloc[end[number] : end[number + 1]].reset_index(drop=True)
            for frame, end in zip((games, contestants), ends, strict=True)
        )
        own = [name for name in contestants if name in draft.rows or not CONTESTANTS.declared(str(name)).numbered]
        sources = (draft.source,) if draft.source else ()
        sheets.append(Sheet(of_games, listed if len(own) == listed.shape[1] else listed[own], draft.remarks, sources))
    return sheets


def sheet_of(
    source: Source,
    contestants: Records | pd.DataFrame,
    facts: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    remarks: Iterable[Problem] = (),
    understood: Understood | None = None,
) -> Draft:
    """Return the sheet of the rows read from a source.

    contestants: the contestants frame's columns; without ``game_id`` all rows are one game, named after the file.
    facts: what the format itself says of each game, in the games frame's columns with ``game_id``, or of a single one,
        by column; where there are several, that is left out.
    understood: what its columns and titles were taken for, where they are no format's own.

    Raises InputError for a contestant that appears twice, or a row without the game_id that the others have.
    """
    rows = contestants if isinstance(contestants, Records) else Records.of(plain(contestants), len(contestants))
    one_game = "game_id" not in rows
    if one_game:
        rows.fill("game_id", source.stem)
    elif None in rows["game_id"]:
        lacking = [where for where, game in zip(rows["where"], rows["game_id"], strict=True) if game is None]
        raise InputError(
            Problem("this row has no game_id, but others do", where, "name the game in every row") for where in lacking
        )
    _refuse_duplicates(rows, one_game)
    if facts is None or isinstance(facts, Mapping):
        known = facts if facts and one_game else {}
        facts = [{"game_id": game_id, **known} for game_id in dict.fromkeys(rows["game_id"])]
    _check_rows(rows)
    said = [{name: v for name, v in (*fact.items(), ("source", source.name)) if v is not None} for fact in facts]
    told = tuple(replace(remark, file=source.name) for remark in remarks)
    return Draft(rows, said, told, understood=understood or Understood())


_APART = re.compile("[,;]")
"""What would end the name of a section where tables and movements are declared for each."""


def _check_rows(rows: Records) -> None:
    beyond = [name for name in rows if CONTESTANTS.column(name) is None and _PLAYER.fullmatch(name)]
    many = {n for name in beyond for n, value in enumerate(rows[name]) if value is not None}
    problems = [
        Problem("this row names more than 99 players", rows["where"][n], "write a row for each contestant")
        for n in sorted(many)
    ]
    sections = rows["section"]
    wrong = {section for section in set(sections) if _APART.search(str(section))}
    problems += [
        Problem(f"invalid section: '{section}'", str(where), "write it without , and ;, such as A", code=UNREADABLE)
        for section, where in zip(sections, rows["where"], strict=True)
        if wrong and section in wrong
    ]
    if problems:
        raise InputError(problems)
    for name in beyond:
        rows.pop(name)


_PLAYER = re.compile("(player|id|mp|played)[0-9]+")


def _refuse_duplicates(rows: Records, one_game: bool) -> None:
    named = (rows[name] for name in CONTESTANT_KEY if name in rows)
    keys = list(zip(*named, strict=True))
    first: dict[tuple[Any, ...], int] = {}
    for number, key in enumerate(keys):
        first.setdefault(key, number)
    if len(first) == len(keys):
        return
    again = [number for number, key in enumerate(keys) if first[key] != number]
    where = rows["where"]
    if one_game and len(again) * 3 >= len(keys):
        hint = "add a column game_id that tells the games apart, or give each game its own file"
        if "direction" in rows:
            what = "from here on the contestants repeat: this looks like several games"
            raise InputError(what, where[again[0]], hint)
        hint = f"for N-S and E-W pairs add a column direction, or rows N-S and E-W above them; for several games {hint}"
        raise InputError("from here on the numbers begin again", where[again[0]], hint)
    seats = [" ".join(str(part) for part in key[1:] if part) for key in keys]
    raise InputError(
        Problem(
            f"contestant {seats[number]} appears twice, first in {where[first[keys[number]]]}",
            str(where[number]),
            "keep one row for each",
        )
        for number in again[:_MOST_TWICE]
    )


_MOST_TWICE = 10_000
"""The most rows that are listed as repeating others."""
