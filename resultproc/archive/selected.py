"""Some games of an archive, with all that is known of their players, and what they are awarded, as it is kept there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.archive.add import with_declared_types
from resultproc.archive.persons import People
from resultproc.archive.reprocess import RunParts, keep_awarded
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import ArchivePart, current_parts, opened
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import (
    AWARDS,
    COLOURS,
    CONTESTANT_KEY,
    CONTESTANTS,
    GAMES,
    PLAYER_AWARDS,
    AwardedResult,
    Sheet,
    concat,
    game_problems,
)
from resultproc.model.provenance import Origin
from resultproc.people.aliases import Aliases
from resultproc.rulebooks.choice import Editions
from resultproc.stages.doubts import OF_AWARDS
from resultproc.stages.pipeline import Paying, paid, unpaid
from resultproc.stages.same_game import files_of_one_game

Choice = Callable[[pd.DataFrame], "pd.Series[bool]"]
"""Says which games are wanted."""


class Selected(NamedTuple):
    """Some games of an archive."""

    sheet: Sheet  # the games, by the names that people know them by
    names: Mapping[str, str]  # these names by the games' ids in the archive
    parts: Sequence[ArchivePart]  # where they are, in their order


def games_with_awards(
    store: Store, wanted: Callable[[Aliases], Choice], besides: Choice, run: RunParts
) -> tuple[Sheet, Aliases, Paying]:
    """Return the games of an archive that are wanted, what its user says of who is who, and what gives their awards.

    What is kept there is not awarded again, and what is awarded is kept; where that cannot be written, it is awarded
    for the question alone.

    wanted, besides: as for :func:`select_games`, the one by what the user says.
    """
    parts = current_parts(store)
    said = People(store, parts).said
    found = select_games(store, parts, said, wanted(said), besides)
    if found.parts:
        with suppress(OutputError):
            return found.sheet, said, _Kept.of(found, keep_awarded(store, run, found.parts))
    return found.sheet, said, paid


def select_games(
    store: Store, parts: Sequence[ArchivePart], said: Aliases, wanted: Choice, besides: Choice | None = None
) -> Selected:
    """Return the games of an archive that are wanted, with all that is known of their players.

    said: what clubs are called now.
    wanted: says of the games of a part which these are, their clubs by what they are called now. The contestants of a
    part without any such game are not read. Where no game is wanted, all are returned without contestants, for what
    there is.
    besides: says which games are returned with those that are wanted.
    """
    there_are = False
    found: list[tuple[Sheet, pd.DataFrame]] = []
    others: list[pd.DataFrame] = []
    of: list[ArchivePart] = []
    for part in parts:
        every = plain_frame(opened(store, part).games())
        of_part = with_declared_types(every, GAMES)
        others.append(of_part.assign(club=said.clubs_now(of_part["club"])))
        rows = wanted(others[-1])
        there_are |= bool(rows.any())
        if besides:
            rows |= besides(others[-1])
        if rows.any():
            games = of_part[rows].reset_index(drop=True)
            contestants = with_declared_types(plain_frame(opened(store, part).contestants()), CONTESTANTS)
            mine = contestants[contestants["game_id"].isin(games["game_id"])].reset_index(drop=True)
            found.append((Sheet(games, mine), every[rows]))
            of.append(part)
    if not there_are:
        return Selected(Sheet(concat(others, GAMES), CONTESTANTS.empty()), {}, ())
    files = pd.concat([every for _, every in found]).reindex(
        columns=["id_in_source", "source", "source_hash", "game_id"]
    )
    # People know a game by its name in its file; where several share that, by what tells their content too.
    named = files["id_in_source"].fillna(files["game_id"])
    named = named.mask(named.duplicated(keep=False), named + " " + files["game_id"].str[:6])
    names = dict(zip(files["game_id"], named, strict=True))
    frames = (
        concat(each, kind)
        for each, kind in zip(zip(*(sheet for sheet, _ in found), strict=True), (GAMES, CONTESTANTS), strict=True)
    )
    games, contestants = (frame.assign(game_id=frame["game_id"].map(names)) for frame in frames)
    sheet = Sheet(games, contestants, sources=_origins(files))
    file = files["source"].astype("str") + " " + files["source_hash"].astype("str")
    return Selected(replace(sheet, remarks=tuple(files_of_one_game(said.applied(sheet), file))), names, of)


def _origins(games: pd.DataFrame) -> tuple[Origin, ...]:
    """Return the files of some games of an archive, each once."""
    files = games.reindex(columns=["source", "source_hash"]).astype("str").fillna("").drop_duplicates()
    return tuple(Origin(name, sha256) for name, sha256 in files.itertuples(index=False, name=None))


_POINTS = ["masterpoints", *COLOURS]


@dataclass(frozen=True)
class _Kept:
    """What games are awarded, as it is kept: a :data:`~resultproc.stages.pipeline.Paying`.

    Their places are found anew, as these are not kept.
    """

    awards: pd.DataFrame  # a row for each contestant of the games that could be awarded, in their order
    player_awards: pd.DataFrame  # those of players who have their own
    problems: pd.DataFrame  # why the others could not
    remarks: pd.DataFrame  # those on the awards

    @classmethod
    def of(cls, found: Selected, kept: Store) -> _Kept:
        """Return what is kept of some games."""

        def read(kind: str, columns: list[str] | None = None) -> pd.DataFrame:
            there = kept.parts(kind)
            tables = (kept.opened(kind, part.name).read(columns) for part in found.parts if part.name in there)
            every = pd.concat([pd.DataFrame({"game_id": []}, dtype="str"), *map(plain_frame, tables)])
            rows = every.assign(game_id=every["game_id"].astype("str").map(found.names), id=every["game_id"])
            return rows[rows["game_id"].notna()]

        remarks = read("remarks")
        order = remarks["code"].map({code: n for n, code in enumerate(OF_AWARDS)})
        row = pd.Index(found.sheet.games["game_id"]).get_indexer(pd.Index(remarks["game_id"]))
        return cls(
            read("awards", ["game_id", *_POINTS]),
            read("player_awards"),
            read("problems"),
            remarks.assign(order=order, row=row)[order.notna()].sort_values(["order", "row"], kind="stable"),
        )

    def __call__(self, facts: Facts, chosen: Editions) -> AwardedResult:
        """Return the places and awards of games, with the remarks on these; InputError for those that have none."""
        games, contestants, game = facts.games, facts.contestants, facts.sections.game
        if problems := _told(self.problems, games):
            raise InputError(problems)
        places = unpaid(facts, chosen)
        mine = self.awards[self.awards["game_id"].isin(games["game_id"])]
        assert mine["game_id"].tolist() == contestants["game_id"].tolist()
        rows = np.arange(len(contestants))
        awards = mine[_POINTS].reset_index(drop=True).assign(game=game, contestant=rows, candidate=-1)
        single = PLAYER_AWARDS.empty()
        if len(self.player_awards):
            of = contestants[CONTESTANT_KEY].astype("str").assign(contestant=rows)
            every = self.player_awards.astype(dict.fromkeys(CONTESTANT_KEY, "str"))
            paid_to = every.merge(of, on=CONTESTANT_KEY)[["contestant", "player", *_POINTS]]
            single = PLAYER_AWARDS.conform(paid_to.assign(candidate=-1))
        remarks = tuple(_told(self.remarks, games))
        return replace(places, awards=AWARDS.conform(awards), player_awards=single, remarks=remarks)


def _told(rows: pd.DataFrame, games: pd.DataFrame) -> list[Problem]:
    """Return what is kept of some games as problems or remarks, which name them as these frames do."""
    of = pd.Index(games["game_id"]).get_indexer(pd.Index(rows["game_id"]))
    mine = row_dicts(rows[of >= 0])
    every = (
        Problem(
            each["what"], hint=each["hint"], code=each["code"], rows=tuple(map(tuple, json.loads(each["rows"] or "[]")))
        )
        for each in mine
    )
    found = game_problems(games, zip(of[of >= 0].tolist(), every, strict=True))
    wheres = [each["where"].replace(each["id"], each["game_id"]) for each in mine]
    return [
        problem if where in ("", f"game {problem.game}") else replace(problem, where=where)
        for problem, where in zip(found, wheres, strict=True)
    ]
