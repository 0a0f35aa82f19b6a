"""The summary of a reprocessed archive as text, CSV, JSON, and a page with a plot."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import masterpoints_text
from resultproc.formats.common.pages import Column, Row, Table, markup, tables_page
from resultproc.formats.common.scale import scale
from resultproc.formats.common.words import RATINGS
from resultproc.reports.summary.awarded import KEYS

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
    plot = _plot(summary)
    tables = [
        _table("years", "By year", by_year(summary)),
        _table("strata", "By year, rating and stratum", readable(summary)),
    ]
    picture = markup("reports/summary/plot.html", plot=plot) if plot["bars"] else ""
    return tables_page("Masterpoints by year", tables, picture=picture, landscape=True).decode()


_KINDS = {"Rating": "w l", "Stratum": "w l"}
"""The columns of the page that are texts."""


def _table(id: str, title: str, frame: pd.DataFrame) -> Table:
    sums = frame["stratum"] == "" if "stratum" in frame else frame["year"] == "all"
    if "rating" in frame:
        frame = frame.assign(rating=frame["rating"].replace(RATINGS))
    cells = frame.astype("object").where(frame.notna(), "").to_numpy()
    heads = [name.replace("_", " ").capitalize() for name in frame.columns]
    columns = [Column(heads[0], "k"), *(Column(head, _KINDS.get(head, ""), head) for head in heads[1:])]
    rows = [Row(list(row), "total" if is_sum else "") for is_sum, row in zip(sums, cells, strict=True)]
    return Table(id, title, columns, rows)


_HEIGHT, _TOP, _BOTTOM = 320, 20, 30
_MARKS, _LABELS = 4, 8
"""About how many marks an axis has, and how many years are named at most."""


def _plot(summary: pd.DataFrame) -> dict[str, Any]:
    """Return what the plot shows: a stacked bar per year, a colour per rating, lines where other rules would pay.

    It is in pixels from above and in percent of its width, so that its texts have their size on every screen.
    """
    dated = summary[(summary["year"] > 0) & (summary["contestants"] > 0)]
    sums = dated.pivot_table(index="year", columns="rating", values="masterpoints", aggfunc="sum", fill_value=0)
    before = dated[dated["in_force"] > 0].groupby("year")["in_force_masterpoints"].sum().to_dict()
    highest = max([1, *map(int, sums.sum(axis=1)), *map(int, before.values())])
    axis = scale(0, highest, _MARKS)
    per_point = (_HEIGHT - _TOP - _BOTTOM) / axis[-1]
    wide = 100 / max(len(sums), 1)
    fills = [f"hsl({(155 + 137 * n) % 360} 45% {42 + 12 * (n % 2)}%)" for n in range(len(sums.columns))]

    def height(hundredths: float) -> float:
        return round(hundredths * per_point, 1)

    bars, lines, labels = [], [], []
    for i, year in enumerate(sums.index):
        left, width = round((i + 0.1) * wide, 2), round(wide * 0.8, 2)
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
    marks = [{"y": _HEIGHT - _BOTTOM - height(value), "text": f"{value / 100:,g}"} for value in axis]
    legend = list(zip(fills, (RATINGS.get(rating, rating) for rating in sums.columns), strict=True))
    return {"height": _HEIGHT, "bars": bars, "lines": lines, "labels": labels, "marks": marks, "legend": legend}
