"""What results are worth, and what contestants have of them: matchpoints, IMPs and totals."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, Ints
from resultproc.model.frames import BOARDS
from resultproc.model.seats import partners, seats

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


_DATUM_STEP = 10
"""A datum is rounded to whole tens of points."""

_TRIMMED_FROM = 4
"""Fields of that many results leave the highest and the lowest out of the datum."""


@cache
def _scale() -> Ints:
    text = files("resultproc.scoring").joinpath("imps.toml").read_text("utf-8")
    return np.array(tomllib.loads(text)["from"], dtype=np.int64)


def imps(difference: Any) -> Floats:
    """Return the IMPs of differences in points, below zero where they are (Laws of Duplicate Bridge 2017, Law 78B)."""
    points = np.asarray(difference, dtype=np.float64)
    worth = np.searchsorted(_scale(), np.abs(np.nan_to_num(points)), side="right") * np.sign(points)
    return np.asarray(np.where(np.isnan(points), np.nan, worth), dtype=np.float64)


def _scores(boards: pd.DataFrame) -> pd.Series[float]:
    """Return the scores of the results that were played out and not adjusted on either side."""
    return boards["score"].where(boards["ns_adjusted"].isna() & boards["ew_adjusted"].isna())


def datum_imps(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, each result's IMPs against the datum of its board.

    They are NaN where it was not played out, and where it was adjusted. The datum is the mean of the board's scores,
    without the highest and lowest where there are four or more, rounded to tens away from zero at the half: the board
    results of Butler pairs that Compscore uploads follow from that.
    """
    BOARDS.validate(boards)
    score = _scores(boards)
    groups = score.groupby([*fields(boards), boards["board"]])
    total, count = groups.transform("sum"), groups.transform("count")
    trimmed = count >= _TRIMMED_FROM
    total = total - (groups.transform("max") + groups.transform("min")).where(trimmed, 0)
    mean = total / (count - 2 * trimmed)
    datum = np.sign(mean) * np.floor(np.abs(mean) / _DATUM_STEP + 0.5) * _DATUM_STEP
    ns = imps(score - datum)
    return pd.DataFrame({"ns": ns, "ew": 0.0 - ns}, index=boards.index)


def cross_imps(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, each result's mean IMPs against every other result of its board.

    They are NaN where there is none, where it was not played out, and where it was adjusted.
    """
    BOARDS.validate(boards)
    group = boards.groupby([*fields(boards), boards["board"]]).ngroup()
    rows = pd.DataFrame({"board": group, "score": _scores(boards), "row": np.arange(len(boards))}).dropna()
    pairs = rows.merge(rows, on="board", suffixes=("", "_other"))
    pairs = pairs[pairs["row"] != pairs["row_other"]]
    mean = pd.Series(imps(pairs["score"] - pairs["score_other"])).groupby(pairs["row"].to_numpy()).mean()
    ns = mean.reindex(range(len(boards))).to_numpy()
    return pd.DataFrame({"ns": ns, "ew": 0.0 - ns}, index=boards.index)


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
