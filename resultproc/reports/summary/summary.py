"""The summary of a reprocessed archive as text, CSV, JSON, and a page with a plot."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import masterpoints_text
from resultproc.formats.common.pages import template
from resultproc.reports.summary.totals import KEYS

_IN_HUNDREDTHS = ["masterpoints", "printed_masterpoints", "in_force_masterpoints"]

_PRINTED = ["printed", "printed_agree", "printed_masterpoints"]
_IN_FORCE = ["in_force", "in_force_masterpoints", "changed"]


def readable(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary as people read it.

    For each year and rating the sums come first, in a row without a stratum, which has the games and those that
    failed; then a row for each stratum. Masterpoints are decimal texts; columns that say nothing here are left out.
    """
    sums = summary.drop(columns="stratum").groupby(KEYS[:2], as_index=False).sum()
    strata = summary[summary["stratum"] != ""].drop(columns=["games", "failed"])
    frame = pd.concat([sums.assign(stratum=""), strata], ignore_index=True)
    frame = frame[list(summary.columns)].sort_values(KEYS, ignore_index=True)
    return _texts(frame, summary)


def by_year(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of each year, and of all, in the same way."""
    sums = summary.drop(columns=KEYS[1:]).groupby("year", as_index=False).sum()
    total = sums.drop(columns="year").sum().to_frame().T
    every = pd.concat([sums.astype({"year": "object"}), total.assign(year="all")], ignore_index=True)
    return _texts(every[list(sums.columns)], summary)


def _texts(frame: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    frame = frame.assign(**{name: masterpoints_text(frame[name].astype("int64")) for name in _IN_HUNDREDTHS})
    empty = [
        *(_PRINTED if not summary["printed"].any() else ()),
        *(_IN_FORCE if not summary["in_force"].any() else ()),
        *(["failed"] if not summary["failed"].any() else ()),
    ]
    return frame.drop(columns=empty)


def printed(summary: pd.DataFrame, to: str) -> str:
    """Return the summary as ``text``, ``csv`` or ``json``."""
    frame = readable(summary).astype("object")
    if to == "csv":
        return frame.to_csv(index=False, lineterminator="\n")
    if to == "json":
        rows = frame.where(frame.notna(), None).to_dict("records")
        return json.dumps({"summary": rows}, indent=1) + "\n"
    return frame.where(frame.notna(), "").to_string(index=False) + "\n" if len(frame) else "no games\n"


def page(summary: pd.DataFrame) -> str:
    """Return one self-contained page: masterpoints per year and rating as a plot, and the tables."""
    tables = {"By year": by_year(summary), "By year, rating and stratum": readable(summary)}
    return str(
        template("reports/summary/summary.html").render(
            title="Masterpoints by year",
            plot=_plot(summary),
            tables=[{"caption": caption, **_table(frame)} for caption, frame in tables.items()],
        )
    )


def _table(frame: pd.DataFrame) -> dict[str, object]:
    total = frame["stratum"] == "" if "stratum" in frame else frame["year"] == "all"
    cells = frame.astype("object").where(frame.notna(), "").to_numpy()
    rows = [{"total": bool(bold), "cells": list(row)} for bold, row in zip(total, cells, strict=True)]
    return {"head": [name.replace("_", " ") for name in frame.columns], "rows": rows}


_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 800, 320, 70, 10, 30
_MARKS, _LABELS = 4, 15
"""About how many marks an axis has, and how many years are named at most."""


def _plot(summary: pd.DataFrame) -> dict[str, Any]:
    """Return what the plot shows: a stacked bar per year, a colour per rating, lines where other rules would pay."""
    dated = summary[(summary["year"] > 0) & (summary["contestants"] > 0)]
    sums = dated.pivot_table(index="year", columns="rating", values="masterpoints", aggfunc="sum", fill_value=0)
    before = dated[dated["in_force"] > 0].groupby("year")["in_force_masterpoints"].sum().to_dict()
    highest = max([1, *map(int, sums.sum(axis=1)), *map(int, before.values())])
    mark = _round_number(highest / _MARKS)
    scale = (_HEIGHT - _TOP - _BOTTOM) / highest
    wide = (_WIDTH - _LEFT) / max(len(sums), 1)
    fills = [f"hsl({360 * n // len(sums.columns)} 60% {50 + 12 * (n % 2)}%)" for n in range(len(sums.columns))]

    def height(hundredths: float) -> float:
        return round(hundredths * scale, 1)

    bars, lines, labels = [], [], []
    for i, year in enumerate(sums.index):
        left, width = round(_LEFT + (i + 0.05) * wide, 1), round(wide * 0.9, 1)
        base = float(_HEIGHT - _BOTTOM)
        for fill, (rating, value) in zip(fills, sums.loc[year].items(), strict=True):
            base -= height(value)
            text = f"{year} {rating}: {value / 100:,.2f}"
            bars.append({"x": left, "y": base, "width": width, "height": height(value), "fill": fill, "text": text})
        if year in before:
            text = f"{year} under the rules of the day: {before[year] / 100:,.2f}"
            y = _HEIGHT - _BOTTOM - height(before[year])
            lines.append({"x": left, "y": y, "width": width, "text": text})
        if i % -(-len(sums) // _LABELS) == 0:
            labels.append({"x": left + width / 2, "text": year})
    marks = [
        {"y": _HEIGHT - _BOTTOM - height(value), "text": f"{value / 100:,g}"} for value in range(0, highest + 1, mark)
    ]
    sizes = {"width": _WIDTH, "height": _HEIGHT, "left": _LEFT}
    legend = list(zip(fills, sums.columns, strict=True))
    return {**sizes, "bars": bars, "lines": lines, "labels": labels, "marks": marks, "legend": legend}


def _round_number(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, ... that is not less."""
    power = int(10 ** math.floor(math.log10(max(least, 1))))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)
