"""IMPs: what the difference of two scores is worth, against a datum or against every other result of the board."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, Ints
from resultproc.model.frames import BOARDS
from resultproc.scoring.matchpoints import fields

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
