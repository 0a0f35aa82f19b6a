"""The ladders of comparison groups: each distinct one is computed once, whatever the number of groups it serves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, distinct_rows, take_rows
from resultproc.model.errors import DeclarationError
from resultproc.model.frames import categorical, game_problem, raise_for_games
from resultproc.model.group import GAME_FIELDS, Groups
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Ladders


def ladders_of(
    edition: Edition, games: pd.DataFrame, groups: pd.DataFrame, reach: Ints, members: Members
) -> tuple[Ints, Ladders]:
    """Return the number of each group's ladder, and the ladders by number.

    edition: the rulebook of all the groups. groups: standings, one of each comparison group, or of several sections of
    a game of which the standings say the same; ``game`` is a row of ``games``. reach: per group the last place that its
    ladder must know, past its depth where ties need it. members: who is ranked in all games.
    Raises DeclarationError, the games named, where the rulebook has no award for what they declare.
    """
    _refuse_championships(edition, games, groups)
    measured = edition.rules.measured(edition, _with_game(groups, games), members)[list(edition.rules.fields)]
    number, first = distinct_rows(measured)
    furthest = np.zeros(len(first), dtype=np.int64)
    np.maximum.at(furthest, number, reach)
    ladders = edition.rules.ladders(edition, Groups(take_rows(measured, first)), furthest)
    raise_for_games(games, groups["game"].to_numpy(), number, ladders.refused)
    return number, ladders


def _refuse_championships(edition: Edition, games: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Refuse games that are declared to be championships where the rulebook has none: it would pass over that."""
    declared = np.flatnonzero(games["championship"].notna())
    if not len(declared) or any(path.startswith("championship.") for path in edition.entries):
        return
    problems = [
        game_problem(
            games, int(game), f"rulebook {edition.book} has no championships", "correct rating or championship"
        )
        for game in np.intersect1d(declared, groups["game"])
    ]
    if problems:
        raise DeclarationError(problems)


def _with_game(standings: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return comparison groups with the keys of their games beside them, texts as categories: few are different."""
    row = standings["game"].to_numpy()
    # Most are declared of no game, and may be one column: nothing is written to it.
    missing = categorical(np.full(len(row), -1, dtype=np.int8), [])
    of_game = {name: _of_each(games[name], row, missing) for name in GAME_FIELDS}
    columns = {str(name): column.array for name, column in standings.items()}
    return pd.DataFrame({**columns, **of_game, "event_limit": games["limit"].array.take(row)}, copy=False)


def _of_each(column: pd.Series[Any], row: Ints, missing: pd.Categorical) -> Any:
    """Return the values of a column in some rows; ``missing``, of as many rows, where it has none."""
    if column.dtype != "str":
        return column.array.take(row)
    return missing if column.isna().all() else categorical(*pd.factorize(column)).take(row)
