"""The pictures of a summary: masterpoints per year and class of game, and what another rulebook changes.

They are in pixels from above and in percent of their width, so that their texts have their size on every screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from resultproc.formats.common.pictures import OTHER, scale
from resultproc.model.league import league

_HEIGHT, _TOP, _BOTTOM = 320, 20, 30
_LEFT = 7
"""Room for the numbers of the axis, in percent of the width."""

_LOW = 200
"""How high the picture of the differences is."""

_MARKS, _LABELS = 4, 8
"""About how many marks an axis has, and how many years are named at most."""

NO_RATING = "No rating"


def rating_name(rating: str) -> str:
    """Return what people call a class of game."""
    return league().names.get(rating, rating) or NO_RATING


@dataclass(frozen=True)
class _Axes:
    """Every year from the first to the last from left to right, also those without games, and hundredths upwards."""

    years: range
    marks: list[float]
    height: int

    @property
    def _wide(self) -> float:
        """How wide a year is, in percent."""
        return (100 - _LEFT) / len(self.years)

    def y(self, hundredths: float) -> float:
        room = self.height - _TOP - _BOTTOM
        return round(_TOP + room * (self.marks[-1] - hundredths) / (self.marks[-1] - self.marks[0]), 1)

    def bar(self, year: int, low: float, high: float, **more: object) -> dict[str, Any]:
        wide = self._wide
        left, top = _LEFT + (year - self.years[0] + 0.1) * wide, self.y(high)
        height = round(self.y(low) - top, 1)
        return {
            "x": round(left, 2),
            "y": top,
            "width": round(wide * 0.8, 2),
            "height": height,
            "fill": "",
            "kind": "",
            **more,
        }

    def plot(self, title: str, bars: list[dict[str, Any]], **more: object) -> dict[str, Any]:
        wide, every = self._wide, -(-len(self.years) // _LABELS)
        labels = [
            {"x": round(_LEFT + (n + 0.5) * wide, 2), "text": year}
            for n, year in enumerate(self.years)
            if n % every == 0
        ]
        marks = [{"y": self.y(value), "text": f"{value / 100:,g}", "zero": value == 0} for value in self.marks]
        frame = {"title": title, "height": self.height, "bars": bars, "labels": labels, "marks": marks}
        return {**frame, "legend": [], "said": "", **more}


def of_years(summary: pd.DataFrame) -> dict[str, Any] | None:
    """Return the picture of what was paid: a bar per year, a colour per class of game; None without dated games."""
    dated = summary[(summary["year"] > 0) & (summary["contestants"] > 0)]
    if dated.empty:
        return None
    sums = dated.pivot_table(index="year", columns="rating", values="masterpoints", aggfunc="sum", fill_value=0)
    colours = league().colours
    order = [*colours, *sorted(set(sums.columns) - set(colours))]
    sums = sums[[rating for rating in order if rating in sums]]
    axes = _Axes(_every(summary), scale(0, max(1, int(sums.sum(axis=1).max())), _MARKS), _HEIGHT)
    bars = []
    for year, row in sums.iterrows():
        base = 0
        for rating, value in row.items():
            text = f"{year} {rating_name(str(rating))}: {value / 100:,.2f}"
            fill = colours.get(str(rating), OTHER)
            if value:
                bars.append(axes.bar(int(str(year)), base, base + int(value), fill=fill, text=text))
            base += int(value)
    legend = [(colours.get(rating, OTHER), rating_name(rating)) for rating in sums.columns]
    undated = int(summary.loc[summary["year"] == 0, "masterpoints"].sum())
    said = f"Not drawn: {undated / 100:,.2f} of games without a date." if undated else ""
    return axes.plot("Masterpoints per year", bars, legend=legend, said=said)


def of_differences(summary: pd.DataFrame, rules: str) -> dict[str, Any] | None:
    """Return the picture of what another rulebook pays more or less than those of the day; None for no other."""
    both = summary[(summary["year"] > 0) & (summary["in_force"] > 0)]
    if both.empty:
        return None
    sums: Mapping[Any, int] = both.groupby("year")["difference"].sum().astype("int64").to_dict()
    low, high = min(0, *sums.values()), max(0, *sums.values())
    axes = _Axes(_every(summary), scale(low, max(high, low + 1), _MARKS), _LOW)
    bars = [
        axes.bar(
            int(year),
            min(value, 0),
            max(value, 0),
            kind="more" if value > 0 else "less",
            text=f"{year}: {value / 100:+,.2f}",
        )
        for year, value in sums.items()
        if value
    ]
    said = "Of the games that both rulebooks are for; below the line it pays less."
    return axes.plot(f"What {rules or 'the named rulebook'} pays more than the rules of the day", bars, said=said)


def _every(summary: pd.DataFrame) -> range:
    years = summary.loc[summary["year"] > 0, "year"].astype("int64")
    return range(int(years.min()), int(years.max()) + 1)
