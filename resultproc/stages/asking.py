"""What is asked for: the keys that a game lacks and nothing tells, and how to declare them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, family_columns
from resultproc.model.codes import MISSING
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import game_problem
from resultproc.model.keys import KEYS, how_to_declare


class MissingKey(NamedTuple):
    """A key that a game lacks: the game's row, what is wrong without it, an example, and the line that needs it."""

    row: int
    key: str
    what: str
    example: str
    where: str = ""


def asked_for(facts: Facts) -> list[MissingKey]:
    """Return what the games lack: rating, tables, what teams are, the strata's limits, and how holdings stratify."""
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    asked = []
    for key in ("rating", "tables"):
        for row in np.flatnonzero(games[key].isna()).tolist():
            example = tables_example(sections.frame, row) if key == "tables" else KEYS[key].example
            asked.append(MissingKey(row, key, f"{key} is not declared", example))
    untyped, unlimited = (games[key].isna().to_numpy() for key in ("event_type", "strata"))
    of_four = contestants["player4"].notna().to_numpy() if "player4" in contestants else _nobody(contestants)
    for row, first in first_of(sections.game, of_four, untyped):
        what = "event_type is not declared, and there are teams of four"
        asked.append(MissingKey(row, "event_type", what, "bam", line_of(contestants, first)))
    lettered = contestants["stratum"].notna().to_numpy()
    for row, first in first_of(sections.game, lettered, unlimited):
        letters = sorted(set(contestants["stratum"][sections.game == row].dropna()))
        what = f"the strata {', '.join(letters)} of the sheet have no limits"
        asked.append(MissingKey(row, "strata", what, _strata_example(letters), line_of(contestants, first)))
    by_holdings = _nobody(contestants)
    for column in family_columns(contestants, "mp"):
        by_holdings |= contestants[column].notna().to_numpy()
    by_holdings &= contestants["eligible"].to_numpy() & ~lettered
    if not by_holdings.any():
        return asked
    several = games["strata"].str.contains(",", na=False) & games["stratify_by"].isna()
    for row, first in first_of(sections.game, by_holdings, several.to_numpy()):
        what = "stratify_by is not declared, and contestants without a stratum get theirs by it"
        asked.append(MissingKey(row, "stratify_by", what, KEYS["stratify_by"].example, line_of(contestants, first)))
    return asked


def problem_of(games: pd.DataFrame, asked: MissingKey) -> Problem:
    """Return the problem that a key is lacking: in a file of several games the game is named, and how to declare it."""
    game = games.iloc[asked.row]
    others = _beside(games, asked.row)
    if not others:
        return game_problem(
            games, asked.row, asked.what, how_to_declare(asked.key, asked.example), asked.where, MISSING
        )
    source = str(game["source"])
    name = f"game {game['game_id']}" + (f" ({game['event']})" if isinstance(game["event"], str) else "")
    where = f"{asked.where}: {name}" if asked.where else name
    hint = (
        f'below the line [games."{game["game_id"]}"] of {source.rpartition(".")[0] or source}.toml write '
        f"{asked.key} = \"{asked.example}\"; 'resultproc new {source}' makes that file for you to fill in"
    )
    if asked.key == "rating":
        hint += "; where they matter, also limit and, for games at the same time, concurrent_tables"
    return game_problem(games, asked.row, asked.what, hint, where, MISSING)


def _beside(games: pd.DataFrame, row: int) -> list[int]:
    """Return the other games of a game's file."""
    source = games["source"].iloc[row]
    same = (games["source"] == source).to_numpy() & (np.arange(len(games)) != row)
    return np.flatnonzero(same).tolist()


def tables_example(sections: pd.DataFrame, game: int) -> str:
    """Return how the tables of a game are written."""
    letters = sections.loc[sections["game"] == game, "section"]
    return "9" if len(letters) == 1 else ", ".join(f"{letter}=9" for letter in letters)


def _strata_example(letters: list[str]) -> str:
    limits = ["open", "1000", "200", "100", "50", "20"]
    return ", ".join(f"{letter}={limit}" for letter, limit in zip(letters, limits, strict=False))


def _nobody(contestants: pd.DataFrame) -> Bools:
    return np.zeros(len(contestants), dtype=np.bool_)


def first_of(game: Ints, at: Bools, of_games: Bools) -> list[tuple[int, int]]:
    """Return each of some games that has such contestants, and the first of them."""
    rows = np.flatnonzero(at) if of_games.any() else np.empty(0, dtype=np.int64)
    rows = rows[of_games[game[rows]]]
    of_game, first = np.unique(game[rows], return_index=True)
    return list(zip(of_game.tolist(), rows[first].tolist(), strict=True))


def line_of(contestants: pd.DataFrame, row: int) -> str:
    """Return where a contestant is listed, as far as that is known."""
    where = contestants["where"].iloc[row]
    return where if isinstance(where, str) else ""
