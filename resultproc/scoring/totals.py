"""Contestants' totals from their boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.seats import partners, seats


def totals(boards: pd.DataFrame, points: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return ``score``, ``percentage``, ``boards`` (played), ``sum`` and ``scaled``, NaN for who has no board.

    points: ``ns`` and ``ew`` per row of the boards frame, and ``top`` where they are matchpoints; without it there is
    no percentage. A contestant that played fewer boards than the most of its section has its matchpoints raised to
    as many, as a sit-out's are (Laws of Duplicate Bridge 2017, Law 87B); IMPs are not. The ``sum`` is never raised,
    what is ``scaled`` always is. A board that a contestant met twice counts once.
    """
    sides = pd.concat(
        boards[["session", "board"]].assign(contestant=rows, points=points[side], top=points.get("top", 0.0))
        for sat in (seats(boards, contestants), partners(boards, contestants))
        for side, rows in sat.items()
    )
    sides = sides[sides["points"].notna() & (sides["contestant"] >= 0)]
    sides = sides.drop_duplicates(["contestant", "session", "board"])
    each = sides.groupby(["contestant", "session"]).agg(
        score=("points", "sum"), top=("top", "sum"), boards=("points", "size")
    )
    raised = _most(each, contestants) / each["boards"]
    each = each.assign(sum=each["score"], scaled=each["score"] * raised)
    if "top" in points:
        each = each.assign(score=each["scaled"], top=each["top"] * raised)
    found = each.groupby("contestant").sum().reindex(range(len(contestants))).set_axis(contestants.index)
    found["percentage"] = 100 * found["score"] / found["top"].replace(0, np.nan)
    return found[["score", "percentage", "boards", "sum", "scaled"]]


def _most(each: pd.DataFrame, contestants: pd.DataFrame) -> pd.Series[Any]:
    """Return the most boards that anybody played in the same section and session."""
    rows = each.index.get_level_values("contestant")
    section = [contestants[name].iloc[rows].to_numpy() for name in ("game_id", "section")]
    return each["boards"].groupby([*section, each.index.get_level_values("session")]).transform("max")
