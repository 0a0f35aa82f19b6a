"""Which strata a contestant is eligible for: as the sheet says, else by its players' holdings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.frames import players
from resultproc.model.game import StratifyBy
from resultproc.model.sections import Ints, strata_of


def stratum_of(games: pd.DataFrame, contestants: pd.DataFrame, game: Ints) -> pd.Series[str]:
    """Return each contestant's stratum: the printed one, else the lowest whose limit its holdings do not exceed.

    A contestant is stratified by the average or by the highest of its players' holdings, as the game's
    ``stratify_by`` says; a game of a single stratum needs no holdings. Empty where neither tells.
    """
    missing = contestants["stratum"].isna()
    if not missing.any():
        return contestants["stratum"]
    strata = strata_of(games)
    levels = (strata.letters != "").sum(axis=1)
    level = np.zeros(len(game), dtype=np.int64)
    if (levels > 1).any():
        holding = holding_of(contestants, games["stratify_by"].to_numpy()[game])
        within = holding[:, None] <= strata.limits[game]
        level = np.where(within.any(axis=1), strata.limits.shape[1] - 1 - within[:, ::-1].argmax(axis=1), -1)
        level = np.where(levels[game] == 1, 0, level)
    each, number = np.unique(strata.letters, return_inverse=True)
    of_level = number.reshape(strata.letters.shape)[game, level]
    letters = pd.Series([*each, None], dtype="str").iloc[np.where(level < 0, -1, of_level)].set_axis(contestants.index)
    return letters if missing.all() else contestants["stratum"].astype("str").fillna(letters)


def holding_of(contestants: pd.DataFrame, stratify_by: np.ndarray) -> np.ndarray:
    """Return the holding that stratifies each contestant, NaN where a player's is unknown."""
    columns = players(contestants, "mp")
    if not columns:
        return np.full(len(contestants), np.nan)
    named = contestants[players(contestants)].notna().to_numpy().sum(axis=1)
    known = contestants[columns].to_numpy(dtype=np.float64)
    counted = ~np.isnan(known)
    complete = counted.sum(axis=1) >= np.maximum(named, 1)
    total = np.where(counted, known, 0)
    holding = np.select(
        [stratify_by == StratifyBy.AVERAGE.value, stratify_by == StratifyBy.HIGHEST.value],
        [total.sum(axis=1) / np.maximum(counted.sum(axis=1), 1), total.max(axis=1)],
        np.nan,
    )
    return np.where(complete, holding, np.nan)
