"""Sessions of an event that a sheet has no scores of: what they paid is in the sheet, as an award and a carry-over."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, rows_of
from resultproc.model.basis import Basis, Kind
from resultproc.model.cited import Value, Values
from resultproc.model.frames import family_columns, joined_candidates
from resultproc.model.sections import strata_of
from resultproc.model.values import decimal_text


def sessions_before(contestants: pd.DataFrame) -> Ints:
    """Return how many sessions each contestant's earlier award stands for: those before its first score; else 0."""
    columns = family_columns(contestants, "session")
    given = contestants["earlier_award"].notna().to_numpy()
    if not columns or not given.any():
        return np.zeros(len(contestants), dtype=np.int64)
    has = contestants[columns].notna().to_numpy()
    numbers = np.array([int(column.removeprefix("session")) for column in columns])
    return np.where(given & has.any(axis=1), numbers[has.argmax(axis=1)] - 1, 0)


def with_earlier_awards(
    candidates: pd.DataFrame, games: pd.DataFrame, contestants: pd.DataFrame, standings: pd.DataFrame
) -> pd.DataFrame:
    """Return the candidates with the awards of earlier sessions; their places are not known, so they are 0.

    standings: those of the games that are concerned.
    """
    rows = np.flatnonzero((contestants["earlier_award"].fillna(0) > 0) & contestants["eligible"])
    if not len(rows):
        return candidates
    game = rows_of(contestants["game_id"].iloc[rows], games["game_id"])
    among = np.isin(game, standings["game"])
    rows, game = rows[among], game[among]
    if not len(rows):
        return candidates
    there = contestants.iloc[rows].reset_index(drop=True)
    strata = strata_of(games)
    level = np.maximum(strata.level(game, there["earlier_stratum"]), 0)
    before = pd.Series(sessions_before(there))
    values = there["earlier_award"].map(_value)
    more = pd.DataFrame(
        {
            "game": game,
            "contestant": rows,
            "basis": before.map(lambda number: str(Basis(Kind.SESSION, number))),
            "stratum": strata.letters[game, level],
            "level": level,
            "size": 0,
            "position": 0,
            "tied": 1,
            "masterpoints": there["earlier_award"],
            "section_top": there["earlier_top"].fillna(0),
            "knockout": None,
            "run": 0,
            "values": values,
            "rule": values.map(lambda each: each.rule),
            "factors": "paid in an earlier session",
        }
    )
    return joined_candidates([candidates, more])


def _value(hundredths: int) -> Values:
    text = decimal_text(int(hundredths))
    return Values(
        (Value("earlier_award", text, "what the sheet says of an earlier session", "", "printed", "the sheet"),)
    )
