"""What a file is read as, what it lacks, and what it pays: all that the page of a game shows, by the same functions as
on the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from resultproc.formats.common.sheets import Draft
from resultproc.formats.read import drafted, reader_of
from resultproc.formats.registry import Writer
from resultproc.formats.source import Source
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import Result, Sheet
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.plugins import named, names
from resultproc.stages.asking import MissingKey
from resultproc.stages.lacking import lacking
from resultproc.stages.pipeline import award_sheet, for_players, read_together, with_boards
from resultproc.web.desk import Keys
from resultproc.web.mending import is_told_at

SHOWN = (
    "event",
    "club",
    "date",
    "session",
    "rating",
    "event_type",
    "scoring",
    "movement",
    "tables",
    "boards",
    "strata",
    "stratify_by",
    "limit",
    "rulebook",
)
"""The keys that a club game may need, in the order of the form; what else a game lacks comes first."""


class KeyField(NamedTuple):
    """A field of the form: a key of a game, by its row and id.

    value: what holds now, or what is proposed. words: those that it may be. asked: why it is needed. said: where the
    file itself says it; empty where it can be declared. fixed: whether the file says it where it is not mended here.
    """

    row: int
    game: str
    key: str
    value: str
    words: tuple[str, ...] = ()
    asked: str = ""
    said: str = ""
    fixed: bool = False

    @property
    def name(self) -> str:
        """What it is called in the form."""
        return f"{self.row}.{self.key}"

    @property
    def label(self) -> str:
        """What people call it."""
        return self.key.replace("_", " ").capitalize()

    @property
    def meaning(self) -> str:
        """What it means, with an example where its words are not all listed."""
        key = KEYS[self.key]
        if self.words:
            return "" if key.meaning == ", ".join(self.words) else key.meaning.partition(":")[0]
        return f"{key.meaning}, such as {key.example}"


class SeatRow(NamedTuple):
    """A contestant as it was read: where, its seat, its players and its score."""

    where: str
    seat: str
    players: str
    score: str
    percentage: str


@dataclass(frozen=True)
class Look:
    """A file as it was read, as far as that went: the draft, the sheet, the result, and what is wrong or missing."""

    source: Source
    draft: Draft | None = None
    sheet: Sheet | None = None
    result: Result | None = None
    problems: tuple[Problem, ...] = ()
    asked: tuple[MissingKey, ...] = ()

    @property
    def remarks(self) -> tuple[Problem, ...]:
        """What is doubtful."""
        return self.result.remarks if self.result else self.sheet.remarks if self.sheet else ()

    @property
    def prints_awards(self) -> bool:
        """Whether the file prints masterpoints, which may tell what it does not say."""
        printed = None if self.sheet is None else self.sheet.contestants.get("printed_award")
        return printed is not None and bool(printed.notna().any())

    def fields(self, last: Mapping[str, str]) -> Iterator[list[KeyField]]:
        """Yield the fields of each game: those that are asked for first. last: what was declared last time."""
        if self.sheet is None:
            return
        games = self.sheet.games
        said = _said_by_file(self.source)
        fixed = {where: not is_told_at(self.source, where) for where in {"", *said.values()}} | {"": False}
        for row in range(len(games)):
            id_ = str(games["game_id"].iloc[row])
            asked = self._asked_of(row, id_)
            yield [
                KeyField(
                    row,
                    id_ if len(games) > 1 else "",
                    key,
                    _value(games, row, key) or (_proposed(asked[key], last) if key in asked else ""),
                    tuple(names("rulebooks") if key == "rulebook" else KEYS[key].words),
                    asked[key].what if key in asked else "",
                    where := said.get(f"{id_}: {key}") or said.get(key, ""),
                    fixed[where],
                )
                for key in dict.fromkeys([*asked, *SHOWN])
            ]

    def _asked_of(self, row: int, id_: str) -> dict[str, MissingKey]:
        """Return what is asked of a game: what is known to be missing, then what awarding asks for besides."""
        found = {each.key: each for each in self.asked if each.row == row}
        for problem in self.problems:
            if problem.key in KEYS and problem.key not in found and problem.game in {"", id_}:
                found[problem.key] = MissingKey(row, problem.key, problem.what, KEYS[problem.key].example)
        return found

    def seats(self) -> list[SeatRow]:
        """Return the contestants as they were read."""
        if self.draft is None:
            return []
        rows = self.draft.rows
        columns = {name: rows.get(name) for name in ("where", "section", "direction", "number", "score", "percentage")}
        players = [rows.get(name) for name in rows if name.startswith("player")]
        found = []
        for at in range(len(rows)):
            one = {name: "" if column[at] is None else str(column[at]) for name, column in columns.items()}
            seat = " ".join(filter(None, (one["section"], one["direction"], one["number"])))
            who = " - ".join(str(column[at]) for column in players if column[at])
            found.append(SeatRow(one["where"], seat, who, one["score"], one["percentage"]))
        return found


def look(source: Source) -> Look:
    """Return what a file is read as, and what it pays or why it pays nothing."""
    try:
        draft = drafted(source)
        sheet = read_together([source])
    except InputError as error:
        return Look(source, problems=tuple(error.problems))
    try:
        return Look(source, draft, sheet, award_sheet(sheet))
    except InputError as error:
        return Look(source, draft, sheet, None, tuple(error.problems), tuple(lacking(sheet.facts)))


def written(seen: Look, format: str) -> bytes:
    """Return what the command line writes of a game that is awarded, in a format."""
    assert seen.result is not None
    writer: Writer = named("writers", format)
    result = with_boards(seen.result, [seen.source]) if writer.boards else seen.result
    return writer.write(for_players(result) if writer.page else result)


_AS_LAST_TIME = ("rating", "event_type", "strata", "stratify_by", "boards")
"""What is the same in most of a club's games."""


def _proposed(asked: MissingKey, last: Mapping[str, str]) -> str:
    """Return the value that is most likely: that of last time, where it says what no file can tell."""
    return (last.get(asked.key, "") if asked.key in _AS_LAST_TIME else "") or asked.proposed


def _value(games: pd.DataFrame, row: int, key: str) -> str:
    value = games[key].iloc[row]
    return "" if pd.isna(value) else KEYS[key].shown(value)


def _said_by_file(source: Source) -> dict[str, str]:
    """Return where the file itself declares keys: what is declared beside it does not change these."""
    reading = reader_of(source, None).read(source)
    said = {key: each.where or "the file" for key, each in reading.declared.items()}
    for game, keys in reading.each.items():
        said |= {f"{game}: {key}": each.where or "the file" for key, each in keys.items()}
    return {**said, **dict.fromkeys(reading.settled, "the file")}


class Declared(NamedTuple):
    """What a form declares.

    keys: those beside the file. told: what the file itself is to say, by its places. wrong: what cannot be declared.
    """

    keys: dict[str, dict[str, Any]]
    told: dict[str, str]
    wrong: list[str]


def declared(fields: Iterable[KeyField], given: Keys, form: dict[str, str]) -> Declared:
    """Return what a form declares of games, with what was declared before.

    given: what was declared. form: the values by the names of the fields. A field that is left as it was changes
    nothing, and one that is emptied takes a declaration away.
    """
    keys = {game: dict(values) for game, values in given.items()}
    told: dict[str, str] = {}
    wrong = []
    for field in fields:
        value = form.get(field.name, "").strip()
        # What is proposed holds only once it is declared.
        if field.fixed or (value == field.value and not field.asked):
            continue
        try:
            normal = declared_value(field.key, value) if value or field.said else ""
        except ValueError as error:
            wrong.append(f"{field.label}: {error}")
            continue
        if field.said:
            told[field.said] = normal
            continue
        for values in (keys.get("", {}), keys.setdefault(field.game, {})):
            values.pop(field.key, None)
        if normal:
            keys[field.game][field.key] = normal
    return Declared(keys, told, wrong)
