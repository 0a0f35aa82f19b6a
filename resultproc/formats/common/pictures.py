"""What pictures share: scales with marks at round numbers, and colours, each with one meaning in every picture."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, log10

from resultproc.model.game import Rating


def scale(low: float, high: float, marks: int) -> list[float]:
    """Return the marks of a scale from at most ``low`` to at least ``high``, which is more: about so many of them."""
    step = _round_number((high - low) / marks)
    first, last = floor(low / step), ceil(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _round_number(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, 50, ... or of 0.1, 0.2, 0.5, ... that is not less."""
    power: float = 10 ** floor(log10(least))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)


OF_RATINGS: Mapping[str, str] = {
    Rating.CLUB_OPEN: "#1c8258",
    Rating.CLUB_INVITATIONAL: "#279d99",
    Rating.CLUB_RESTRICTED: "#59992c",
    Rating.CLUB_NEWCOMER: "#6d751d",
    Rating.CLUB_CHAMPIONSHIP: "#246ece",
    Rating.CLUB_FUND: "#2498ca",
    Rating.CLUB_APPRECIATION: "#5959d5",
    Rating.CLUB_ONLINE: "#9d70db",
    Rating.UNIT_CHAMPIONSHIP: "#a23bb2",
    Rating.STAC: "#7f8a9a",
    Rating.SECTIONAL: "#d75ea4",
    Rating.REGIONAL: "#cd2c2c",
    Rating.REGIONAL_AT_NABC: "#e26319",
    Rating.NATIONAL: "#a0740d",
}
"""Of the classes of game; each can be told from the page, light or dark."""

OTHER = "#808080"
"""Of whatever has no colour of its own, such as games without a rating."""
