"""What is asked for: the keys that a game lacks and nothing tells, with the values that what is known proposes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, family_columns
from resultproc.model.codes import MISSING
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import game_problem
from resultproc.model.game import PER_TABLE, number_text, per_section_text
from resultproc.model.keys import KEYS, how_to_declare


class MissingKey(NamedTuple):
    """A key that a game lacks.

    row: the game's.
    key: its name.
    what: what is wrong without it.
    example: how a value is written.
    where: the line that needs it.
    proposed: the value that is most likely, empty where nothing tells it.
    """

    row: int
    key: str
    what: str
    example: str
    where: str = ""
    proposed: str = ""


def missing_keys(facts: Facts) -> list[MissingKey]:
    """Return what the games lack: rating, tables, what teams are, the strata's limits, and how holdings stratify."""
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    asked = []
    for row in np.flatnonzero(games["rating"].isna()).tolist():
        example = KEYS["rating"].example
        asked.append(MissingKey(row, "rating", "rating is not declared", example, proposed=example))
    for row in np.flatnonzero(games["tables"].isna()).tolist():
        example = tables_example(sections.frame, row)
        proposed = _likely_tables(facts, row)
        asked.append(MissingKey(row, "tables", "tables is not declared", example, proposed=proposed))
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
        example = KEYS["stratify_by"].example
        asked.append(MissingKey(row, "stratify_by", what, example, line_of(contestants, first), example))
    return asked


def problem_of(games: pd.DataFrame, asked: MissingKey) -> Problem:
    """Return the problem that a key is lacking."""
    hint = how_to_declare(asked.key, asked.example)
    return game_problem(games, asked.row, asked.what, hint, asked.where, MISSING, asked.key)


def _likely_tables(facts: Facts, row: int) -> str:
    """Return the tables that the contestants of a game fill, half ones too; '' where they are far from filling any.

    Directions differ by one where a pair sits out, and by more where a list is not whole.
    """
    sections = facts.sections.frame
    of_game = sections[sections["game"] == row]
    at_a_table = PER_TABLE.get(facts.event_type[row], 1)
    tables: dict[str, float] = {}
    columns = (of_game[name].tolist() for name in ("section", "pairs", "north_south", "east_west"))
    for section, pairs, north_south, east_west in zip(*columns, strict=True):
        directed = north_south + east_west
        if directed and (directed < pairs or abs(north_south - east_west) > 1):
            return ""
        tables[section] = pairs / (2 if directed else at_a_table)
        if tables[section] % 0.5:
            return ""
    return number_text(tables.popitem()[1]) if len(tables) == 1 else per_section_text(tables)


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
    """Return the games that have such contestants, each with the first of these.

    game: the game of each contestant.
    at: which contestants.
    of_games: which games to look at.
    """
    rows = np.flatnonzero(at) if of_games.any() else np.empty(0, dtype=np.int64)
    rows = rows[of_games[game[rows]]]
    of_game, first = np.unique(game[rows], return_index=True)
    return list(zip(of_game.tolist(), rows[first].tolist(), strict=True))


def line_of(contestants: pd.DataFrame, row: int) -> str:
    """Return where a contestant is listed, as far as that is known."""
    where = contestants["where"].iloc[row]
    return where if isinstance(where, str) else ""
