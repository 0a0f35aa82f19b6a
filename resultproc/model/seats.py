"""Who sat where at the results of boards."""

from __future__ import annotations

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
