"""Files of a batch that may hold two versions of one game: compared by what the ledger knows of who played in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns, rows_of
from resultproc.model.errors import Problem
from resultproc.model.frames import Result
from resultproc.stages.doubts.files import (
    ONE_GAME,
    ONE_GAME_CODE,
    ONE_GAME_HINT,
    marks_of_games,
    players_of_games,
    possible_contests,
    possible_versions,
)

_FACTS = ["source", "club", "event", "session", "event_type"]
_PLAYERS = "players"
_BETWEEN = "\n"


def who_played(result: Result) -> list[dict[str, str]]:
    """Return of each game what tells it from others of its day, and the names of its players, or their numbers.

    These are as they were written: to compare them is for :func:`remarks_on_versions`, once for all files.
    """
    who: list[list[str]] = [[] for _ in range(len(result.games))]
    game = rows_of(result.contestants["game_id"], result.games["game_id"]).tolist()
    for name in family_columns(result.contestants):
        number = name.replace("player", "id")
        numbers = result.contestants[number].tolist() if number in result.contestants else [None] * len(game)
        for row, called, member in zip(game, result.contestants[name].tolist(), numbers, strict=True):
            if isinstance(called, str):
                who[row].append(called)
            elif isinstance(member, str):
                who[row].append(f"#{member}")
    days = [str(day)[:10] if pd.notna(day) else "" for day in result.games["date"].tolist()]
    facts = [[each if isinstance(each, str) else "" for each in result.games[name].tolist()] for name in _FACTS]
    rows = zip(days, *facts, map(_BETWEEN.join, who), strict=True)
    return [dict(zip(("date", *_FACTS, _PLAYERS), row, strict=True)) for row in rows]


Files = Mapping[str, tuple[str, Sequence[Mapping[str, str]]]]
"""Of files, by their keys, what each is called, and what :func:`who_played` says of its games, with their ``game``."""

Remarked = tuple[str, Problem]
"""The key of a file, and the remark on it."""


def remarks_on_versions(files: Files) -> Iterator[tuple[Remarked, Remarked]]:
    """Yield the files with a game that may be another version of one in a file before it, each with that file."""
    games = [(key, name, game) for key, (name, of_file) in files.items() for game in of_file]
    if not games:
        return
    frame = pd.DataFrame([game for _, _, game in games], dtype="str")
    said = marks_of_games(frame.assign(date=frame["date"].where(frame["date"] != "")))
    file = pd.factorize(pd.Series([key for key, _, _ in games]))[0]
    group = possible_contests(said, file)
    rows = np.flatnonzero(group >= 0)
    who = frame[_PLAYERS].iloc[rows].str.split(_BETWEEN)
    if who.empty:
        return
    named = pd.DataFrame({"player1": who.explode().to_numpy()}, dtype="str")
    for row, other in possible_versions(
        said, file, group, players_of_games(named, np.repeat(rows, [len(each) for each in who]))
    ):
        yield _remarked(files, games[row], games[other]), _remarked(files, games[other], games[row])


def _remarked(
    files: Files, game: tuple[str, str, Mapping[str, str]], other: tuple[str, str, Mapping[str, str]]
) -> Remarked:
    key, name, facts = game
    where = f"game {facts['game']}" if len(files[key][1]) > 1 else ""
    what = ONE_GAME.format(other[2]["game"], other[1])
    return key, Problem(what, where, ONE_GAME_HINT, PurePosixPath(name).name, code=ONE_GAME_CODE)
