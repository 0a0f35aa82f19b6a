"""Contestants' totals from their boards."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.frames import BOARDS, CONTESTANTS
from resultproc.scoring.matchpoints import FIELD


def totals(boards: pd.DataFrame, points: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return ``score``, ``percentage`` and ``boards`` (played) of each contestant, NaN where it has no board.

    points: ``ns`` and ``ew`` per row of the boards frame, and ``top`` where they are matchpoints; without it there is
    no percentage. A contestant that played fewer boards than the most of its section has its matchpoints raised to
    as many, as a sit-out's are (Laws of Duplicate Bridge 2017, Law 87B); IMPs are not. A board that a contestant met
    twice counts once.
    """
    BOARDS.validate(boards)
    CONTESTANTS.validate(contestants)
    sides = pd.concat([_side(boards, points, "ns", "N-S"), _side(boards, points, "ew", "E-W")]).dropna(subset="points")
    one_winner = contestants.loc[contestants["direction"].isna(), ["game_id", "section"]].drop_duplicates()
    together = pd.MultiIndex.from_frame(sides[["game_id", "section"]]).isin(pd.MultiIndex.from_frame(one_winner))
    sides["direction"] = sides["direction"].mask(together, "")
    keys = [*FIELD, "direction", "number"]
    sides = sides.drop_duplicates([*keys, "board"])
    each = sides.groupby(keys).agg(score=("points", "sum"), top=("top", "sum"), boards=("points", "size")).reset_index()
    if "top" in points:
        most = each.groupby(FIELD)["boards"].transform("max")
        each["score"] *= most / each["boards"]
        each["top"] *= most / each["boards"]
    keys.remove("session")
    whole = each.groupby(keys)[["score", "top", "boards"]].sum(min_count=1)
    wanted = contestants[keys].fillna({"direction": ""})
    found = whole.reindex(pd.MultiIndex.from_frame(wanted)).set_axis(contestants.index)
    return found.assign(percentage=100 * found["score"] / found["top"].replace(0, np.nan))[
        ["score", "percentage", "boards"]
    ]


def _side(boards: pd.DataFrame, points: pd.DataFrame, side: str, direction: str) -> pd.DataFrame:
    return boards[[*FIELD, "board"]].assign(
        direction=direction, number=boards[side], points=points[side], top=points.get("top", 0.0)
    )
