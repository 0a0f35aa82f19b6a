"""Contestants' totals from their boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.frames import BOARDS, CONTESTANTS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH

_SEAT = ["game_id", "section", "direction", "number"]


def seats(boards: pd.DataFrame, contestants: pd.DataFrame) -> dict[str, npt.NDArray[np.int64]]:
    """Return, for the sides ``ns`` and ``ew``, which row of the contestants sat there at each result; -1 for none."""
    BOARDS.validate(boards)
    CONTESTANTS.validate(contestants)
    listed = pd.MultiIndex.from_frame(contestants[_SEAT].fillna({"direction": ""}))
    one_winner = listed[listed.get_level_values("direction") == ""].droplevel(["direction", "number"])
    together = pd.MultiIndex.from_frame(boards[["game_id", "section"]]).isin(one_winner)
    found = {}
    for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
        sat = boards[["game_id", "section"]].assign(direction=np.where(together, "", direction), number=boards[side])
        found[side] = listed.get_indexer(pd.MultiIndex.from_frame(sat)).astype(np.int64)
    return found


def totals(boards: pd.DataFrame, points: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return ``score``, ``percentage`` and ``boards`` (played) of each contestant, NaN where it has no board.

    points: ``ns`` and ``ew`` per row of the boards frame, and ``top`` where they are matchpoints; without it there is
    no percentage. A contestant that played fewer boards than the most of its section has its matchpoints raised to
    as many, as a sit-out's are (Laws of Duplicate Bridge 2017, Law 87B); IMPs are not. A board that a contestant met
    twice counts once.
    """
    sides = pd.concat(
        boards[["session", "board"]].assign(contestant=rows, points=points[side], top=points.get("top", 0.0))
        for side, rows in seats(boards, contestants).items()
    )
    sides = sides[sides["points"].notna() & (sides["contestant"] >= 0)]
    sides = sides.drop_duplicates(["contestant", "session", "board"])
    each = sides.groupby(["contestant", "session"]).agg(
        score=("points", "sum"), top=("top", "sum"), boards=("points", "size")
    )
    if "top" in points:
        raised = _most(each, contestants) / each["boards"]
        each = each.assign(score=each["score"] * raised, top=each["top"] * raised)
    found = each.groupby("contestant").sum().reindex(range(len(contestants))).set_axis(contestants.index)
    found["percentage"] = 100 * found["score"] / found["top"].replace(0, np.nan)
    return found[["score", "percentage", "boards"]]


def _most(each: pd.DataFrame, contestants: pd.DataFrame) -> pd.Series[Any]:
    """Return the most boards that anybody played in the same section and session."""
    rows = each.index.get_level_values("contestant")
    section = [contestants[name].iloc[rows].to_numpy() for name in ("game_id", "section")]
    return each["boards"].groupby([*section, each.index.get_level_values("session")]).transform("max")
