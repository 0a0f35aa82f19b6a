"""Matchpoints: one for every result that a result beats on its board, half of one for every result that it equals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.frames import BOARDS

FIELD = ["game_id", "session", "section"]
"""What results are compared within, board by board."""


def matchpoints(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the matchpoints of each result, and ``top``, the most that it could have had.

    boards: the boards frame; a row without score and adjustment counts for nothing and gets NaN.
    A board with fewer results than others of its field is factored up to their top (Laws of Duplicate Bridge 2017,
    Law 78A and 87B; Neuberg's formula): ``(m + 1/2) x N / n - 1/2`` for m matchpoints among n results where others
    have N. An adjusted score is its percentage of the top (Law 12C2).
    """
    BOARDS.validate(boards)
    played = boards[boards["score"].notna()]
    ranks = played.groupby([*FIELD, "board"])["score"]
    results = ranks.transform("size").to_numpy(dtype=np.float64)
    beaten = ranks.rank(method="average").to_numpy() - 1
    counted = boards["score"].notna() | boards["ns_adjusted"].notna() | boards["ew_adjusted"].notna()
    most = counted.groupby([boards[name] for name in [*FIELD, "board"]]).transform("sum")
    most = most.groupby([boards[name] for name in FIELD]).transform("max")
    top = (most - 1).clip(lower=0).where(counted).astype("float64")
    factored = (beaten + 0.5) * (top[played.index].to_numpy() + 1) / results - 0.5
    ns = (top * boards["ns_adjusted"] / 100).astype("float64")
    ew = (top * boards["ew_adjusted"] / 100).astype("float64")
    ns[played.index] = factored
    ew[played.index] = top[played.index] - factored
    return pd.DataFrame({"ns": ns, "ew": ew, "top": top})
