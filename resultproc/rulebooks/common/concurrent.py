"""Credit for the tables of other games that a club runs at the same time."""

from __future__ import annotations

from math import ceil

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import which
from resultproc.model.group import tables_up_to
from resultproc.rulebooks.core import Edition


def open_games(edition: Edition, groups: pd.DataFrame) -> pd.Series[bool]:
    """Return which groups concurrent games are credited in.

    They are where all of an open game is compared: overall, or in its only section.
    """
    overall = which(groups["basis"], lambda basis: basis.over_all)
    whole = overall | ~groups["game"].isin(groups.loc[overall, "game"])
    credited: pd.Series[bool] = whole & np.isinf(groups["event_limit"])
    if edition["concurrent.strata"] == "top":
        credited &= groups["level"] == 0
    return credited


def concurrent_credit(groups: pd.DataFrame, credited: pd.Series[bool]) -> npt.NDArray[np.int64]:
    """Return what concurrent games within the limits of some groups add to their size, in contestants."""
    # Each distinct declaration is taken apart once.
    declared = groups["concurrent_tables"].astype("str").fillna("none").where(credited, "none")
    keys = pd.DataFrame({"declared": declared, "limit": groups["limit"], "winners": groups["winners"]})
    number = keys.groupby(list(keys.columns), sort=False).ngroup()
    distinct = keys.drop_duplicates()
    credits = map(_credit_of, distinct["declared"], distinct["limit"], distinct["winners"])
    return np.array(list(credits), dtype=np.int64)[number]


def _credit_of(declared: str, limit: float, winners: int) -> int:
    """Return the contestants that limited games up to a limit would add to a group: halves are whole in a Mitchell."""
    limited = [tables for upper, tables in tables_up_to(declared) if upper <= limit and not np.isinf(upper)]
    return sum(ceil(tables) if winners == 2 else int(2 * tables) for tables in limited)
