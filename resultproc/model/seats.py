"""Who sat where at the results of boards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.frames import BOARDS, CONTESTANTS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH

_SEAT = ["game_id", "section", "direction", "number"]


def seats(boards: pd.DataFrame, contestants: pd.DataFrame) -> dict[str, Ints]:
    """Return, for the sides ``ns`` and ``ew``, which row of the contestants sat there at each result; -1 for none.

    Of individuals it is who sat N and who sat E.
    """
    return _rows(boards, contestants, {side: side for side in ("ns", "ew")})


def partners(boards: pd.DataFrame, contestants: pd.DataFrame) -> dict[str, Ints]:
    """Return the same of who sat S and W in events of individuals."""
    columns = {side: f"{side}_partner" for side in ("ns", "ew")}
    if boards[[*columns.values()]].isna().all(axis=None):
        return {side: np.full(len(boards), -1, dtype=np.int64) for side in columns}
    return _rows(boards, contestants, columns)


def _rows(boards: pd.DataFrame, contestants: pd.DataFrame, columns: Mapping[str, str]) -> dict[str, Ints]:
    BOARDS.validate(boards)
    CONTESTANTS.validate(contestants)
    listed = pd.MultiIndex.from_frame(contestants[_SEAT].fillna({"direction": ""}))
    one_winner = listed[listed.get_level_values("direction") == ""].droplevel(["direction", "number"])
    together = pd.MultiIndex.from_frame(boards[["game_id", "section"]]).isin(one_winner)
    found = {}
    for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
        sat = boards[["game_id", "section"]].assign(
            direction=np.where(together, "", direction), number=boards[columns[side]]
        )
        found[side] = listed.get_indexer(pd.MultiIndex.from_frame(sat)).astype(np.int64)
    return found
