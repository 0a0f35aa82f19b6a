"""Pictures of sums: bars above an axis, one a year, or one a place of a ladder; ``plot.html`` draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from resultproc.model.numbers import ordinal
from resultproc.model.whose_points import in_points
from resultproc.pages.design import scale

_TOP, _BOTTOM = 20, 30
_LEFT = 7
"""Room for the numbers of the axis, in percent of the width."""

AXIS_MARKS, _LABELS = 4, 8
"""About how many marks an axis has, and how many years are named at most."""


@dataclass(frozen=True)
class Axes:
    """What a picture is drawn by."""

    years: range  # from left to right, from the first to the last, also those without games; of a ladder its places
    marks: list[float]  # the numbers on the left, upwards, in hundredths of masterpoints
    height: int  # that of the picture

    @property
    def _wide(self) -> float:
        """How wide a year is, in percent."""
        return (100 - _LEFT) / len(self.years)

    def y(self, hundredths: float) -> float:
        """Return how far down an amount is."""
        room = self.height - _TOP - _BOTTOM
        return round(_TOP + room * (self.marks[-1] - hundredths) / (self.marks[-1] - self.marks[0]), 1)

    def bar(self, year: int, low: float, high: float, **more: object) -> dict[str, Any]:
        """Return the bar of a year from one amount to another. more: its colour, class and text."""
        wide = self._wide
        left, top = _LEFT + (year - self.years[0] + 0.1) * wide, self.y(high)
        height = round(self.y(low) - top, 1)
        box = {"x": round(left, 2), "y": top, "width": round(wide * 0.8, 2), "height": height}
        return {**box, "fill": "", "kind": "", **more}

    def plot(self, title: str, bars: list[dict[str, Any]], **more: object) -> dict[str, Any]:
        """Return what the template draws. more: what is said below it, and its legend."""
        wide, every = self._wide, -(-len(self.years) // _LABELS)
        named = list(enumerate(self.years))[::every]
        labels = [{"x": round(_LEFT + (n + 0.5) * wide, 2), "text": year} for n, year in named]
        marks = [{"y": self.y(value), "text": f"{value / 100:,g}", "zero": value == 0} for value in self.marks]
        frame = {"title": title, "height": self.height, "bars": bars, "labels": labels, "marks": marks}
        return {**frame, "legend": [], "said": "", **more}


_HEIGHT = 200
"""How high the picture of a ladder is."""


def of_places(title: str, awards: Sequence[int], league: str) -> dict[str, Any]:
    """Return the picture of a ladder: a bar for each place, as high as what it pays. league: whose points they are."""
    axes = Axes(range(1, len(awards) + 1), scale(0, max(1, *awards), AXIS_MARKS), _HEIGHT)
    each = enumerate(awards, 1)
    bars = [axes.bar(n, 0, award, kind="more", text=f"{ordinal(n)}: {in_points(award, league)}") for n, award in each]
    return axes.plot(title, bars)
