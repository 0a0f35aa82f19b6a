"""Which strata a contestant is eligible for: as the sheet says, else by its players' holdings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, Ints
from resultproc.model.frames import categorical, family_columns, named_players
from resultproc.model.game import StratifyBy
from resultproc.model.sections import strata_of


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
    level = np.full(len(game), -1)
    if (levels > 1).any():
        holding = holding_of(contestants, games["stratify_by"], game)
        for number in range(strata.limits.shape[1]):
            level = np.where(holding <= strata.limits[:, number][game], number, level)
    level[(levels == 1)[game]] = 0
    letters, code = np.unique(strata.letters, return_inverse=True)
    codes = np.where(level < 0, -1, code.reshape(strata.letters.shape)[game, level])
    if missing.all() and isinstance(contestants["section"].dtype, pd.CategoricalDtype):
        # An archive's letters are categories; these are found sooner than texts are, which three stages look up.
        there = np.bincount(codes + 1, minlength=len(letters) + 1)[1:] > 0
        among_these = np.append(np.cumsum(there) - 1, -1)
        return pd.Series(categorical(among_these[codes], letters[there].tolist()), contestants.index)
    texts = pd.Series(pd.array(letters, dtype="str").take(codes, allow_fill=True), contestants.index)
    return texts if missing.all() else contestants["stratum"].astype("str").fillna(texts)


def holding_of(contestants: pd.DataFrame, stratify_by: pd.Series[str], game: Ints) -> Floats:
    """Return the holding that stratifies each contestant, NaN where a player's is unknown.

    stratify_by: by which holding each game stratifies. game: the row of each contestant's game.
    """
    columns = family_columns(contestants, "mp")
    if not columns:
        return np.full(len(contestants), np.nan)
    count = np.zeros(len(contestants), dtype=np.int64)
    total, highest = np.zeros(len(contestants)), np.full(len(contestants), -np.inf)
    # Column by column, which is several times faster than to make a table of them.
    for name in columns:
        known = contestants[name].to_numpy(dtype=np.float64)
        counted = ~np.isnan(known)
        count += counted
        held = np.where(counted, known, 0)
        total += held
        np.maximum(highest, held, out=highest)
    complete = count >= np.maximum(named_players(contestants), 1)
    holding = np.full(len(contestants), np.nan)
    for kind in StratifyBy:
        rows = complete & (stratify_by == kind.value).to_numpy(dtype=bool)[game]
        if rows.any():
            of = highest if kind is StratifyBy.HIGHEST else total / np.maximum(count, 1)
            holding = np.where(rows, of, holding)
    return holding
