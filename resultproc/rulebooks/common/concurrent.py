"""Credit for the tables of other games that a club runs at the same time."""

from __future__ import annotations

from math import floor, isinf

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import which
from resultproc.model.errors import RulebookError
from resultproc.model.group import tables_up_to
from resultproc.rulebooks.core import Edition

_STRATA, _HALF_TABLE = "concurrent.strata", "concurrent.half-table"

CREDITED = (_STRATA, _HALF_TABLE)
"""The values that credit comes from."""


def concurrent_credit(edition: Edition, groups: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return what concurrent games add to the size of each group, in contestants.

    A group is credited with the games whose limit does not exceed its own. A table is one contestant in a direction of
    a Mitchell, and two where all are compared.
    """
    if edition[_STRATA] == "none":
        return np.zeros(len(groups), dtype=np.int64)
    # Each distinct declaration is taken apart once.
    declared = groups["concurrent_tables"].astype("str").fillna("none").where(_credited(edition, groups), "none")
    keys = pd.DataFrame({"declared": declared, "limit": groups["limit"], "winners": groups["winners"]})
    number = keys.groupby(list(keys.columns), sort=False).ngroup()
    distinct = keys.drop_duplicates()
    half_table = edition.whole(_HALF_TABLE)
    credits = [
        _credit_of(declared, limit, 1 if winners == 2 else 2, half_table)
        for declared, limit, winners in distinct.itertuples(index=False, name=None)
    ]
    return np.array(credits, dtype=np.int64)[number]


def _credited(edition: Edition, groups: pd.DataFrame) -> pd.Series[bool]:
    """Return which groups are credited: all ``within the limit``, or ``top`` or ``all`` strata of open games.

    These are credited where all of a game is compared: overall, or in its only section.
    """
    reading = edition[_STRATA]
    if reading == "within the limit":
        return pd.Series(True, groups.index)
    if reading not in {"top", "all"}:
        hint = "write none, within the limit, top or all"
        raise RulebookError(f"unknown value '{reading}' of {_STRATA}", hint=hint)
    overall = which(groups["basis"], lambda basis: basis.over_all)
    whole = overall | ~groups["game"].isin(groups.loc[overall, "game"])
    credited: pd.Series[bool] = whole & np.isinf(groups["event_limit"])
    return credited & (groups["level"] == 0) if reading == "top" else credited


def _credit_of(declared: str, limit: float, per_table: int, half_table: int) -> int:
    """Return the contestants that limited games up to a limit would add to a group."""
    limited = [tables for upper, tables in tables_up_to(declared) if upper <= limit and not isinf(upper)]
    return sum(floor(tables) * per_table + (half_table if tables.denominator > 1 else 0) for tables in limited)
