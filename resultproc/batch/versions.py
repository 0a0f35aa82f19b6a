"""Files of a batch that may hold two versions of one game: compared by what the ledger knows of who played in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from resultproc.model.errors import Problem
from resultproc.model.frames import Result
from resultproc.model.sections import rows_of
from resultproc.stages.doubts.versions import HINT, WHAT, contests, seated, told, versions

_PLAYERS = "players"


def who_played(result: Result) -> list[dict[str, str]]:
    """Return of each game what tells it from others of its day, and its players as hexadecimal numbers."""
    said = told(result.games)
    seats = seated(result.contestants, rows_of(result.contestants["game_id"], result.games["game_id"]))
    of_game: list[list[str]] = [[] for _ in said.index]
    for game, player in zip(seats["game"].tolist(), seats["player"].tolist(), strict=True):
        of_game[game].append(f"{player:016x}")
    entries = said.to_dict("records")
    return [
        {**{str(name): str(value) for name, value in entry.items()}, _PLAYERS: " ".join(who)}
        for entry, who in zip(entries, of_game, strict=True)
    ]


def remarks_on_versions(
    files: Mapping[str, tuple[str, Sequence[Mapping[str, str]]]],
) -> dict[str, list[Problem]]:
    """Return the remarks on files with a game that may be another version of one in a file before it, by their keys.

    files: by its key, what a file is called, and what :func:`who_played` says of each game in it, with its ``game``.
    """
    games = [(key, name, game) for key, (name, of_file) in files.items() for game in of_file]
    if not games:
        return {}
    said = pd.DataFrame([game for _, _, game in games])
    file = pd.factorize(pd.Series([key for key, _, _ in games]))[0]
    group = contests(said, file)
    rows = np.flatnonzero(group >= 0)
    who = [np.array([int(each, 16) for each in said[_PLAYERS].iloc[row].split()], dtype=np.uint64) for row in rows]
    if not who:
        return {}
    seats = pd.DataFrame({"game": np.repeat(rows, [len(each) for each in who]), "player": np.concatenate(who)})
    found: dict[str, list[Problem]] = {}
    for row, other in versions(said, file, group, seats):
        key, name, game = games[row]
        where = f"game {game['game']}" if len(files[key][1]) > 1 else ""
        problem = Problem(WHAT.format(games[other][2]["game"], games[other][1]), where, HINT, name)
        found.setdefault(key, []).append(problem)
    return found
