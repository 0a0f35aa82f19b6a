"""Matchpoints: one for every result that a result beats on its board, half of one for every result that it equals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.frames import BOARDS

SINGLE = 60
"""Percent of the top for the only result of a board: average plus for both, as the league's scoring program has it.

(Game file 170724.ACA of the public repository morrisjones/nap, section NN, board 16.)"""


def fields(boards: pd.DataFrame) -> list[pd.Series[str]]:
    """Return what tells the fields apart that results are compared within: sections, those scored together as one."""
    return [boards["game_id"], boards["session"], boards["scored_with"].fillna(boards["section"])]


def matchpoints(boards: pd.DataFrame, *, factored: bool = True) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the matchpoints of each result, and ``top``, the most that it could have had.

    boards: the boards frame; a row without score and adjustment counts for nothing and gets NaN.
    A board with fewer results than others of its field is factored up to their top (Laws of Duplicate Bridge 2017,
    Law 78A and 87B; Neuberg's formula): ``(m + 1/2) x N / n - 1/2`` for m matchpoints among n results where others
    have N. A single result has nothing to be compared with and is :data:`SINGLE` to both sides. An adjusted score is
    its percentage of the top (Law 12C2). Not factored: each board is worth what its own scores make of it, as some
    programs have it.
    """
    BOARDS.validate(boards)
    field = fields(boards)
    counted = boards["score"].notna() | boards["ns_adjusted"].notna() | boards["ew_adjusted"].notna()
    most = counted.groupby([*field, boards["board"]]).transform("sum").groupby(field).transform("max")
    if not factored:
        most = _own_results(boards).groupby([*field, boards["board"]]).transform("max")
    top = (most - 1).clip(lower=0).where(counted).astype("float64")
    ew_score = boards["ew_score"].fillna(-boards["score"])
    sides = {
        "ns": _side(boards, boards["score"], boards["ns_adjusted"], top),
        "ew": _side(boards, ew_score, boards["ew_adjusted"], top),
    }
    return pd.DataFrame({**sides, "top": top})


def _own_results(boards: pd.DataFrame) -> pd.Series[int]:
    """Return how many scores of its board each result is compared with, itself included, on the side that has more."""
    board = [*fields(boards), boards["board"]]
    sides = (boards["score"].where(boards[f"{side}_adjusted"].isna()).groupby(board) for side in ("ns", "ew"))
    counts = [side.transform("count") for side in sides]
    return counts[0].clip(lower=counts[1])


def _side(
    boards: pd.DataFrame, score: pd.Series[float], adjusted: pd.Series[float], top: pd.Series[float]
) -> pd.Series[float]:
    """Return the matchpoints of one side: its scores compared with one another, factored; or what was adjusted."""
    groups = score.where(adjusted.isna()).groupby([*fields(boards), boards["board"]])
    results = groups.transform("count").astype("float64").replace(0, np.nan)
    factored = (groups.rank(method="average") - 0.5) * (top + 1) / results - 0.5
    percent = adjusted.where(adjusted.notna() | (results != 1), SINGLE)
    return factored.where(percent.isna(), top * percent / 100)
