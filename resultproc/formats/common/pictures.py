"""What pictures share: scales with marks at round numbers, and colours, each with one meaning in every picture."""

from __future__ import annotations

from math import ceil, floor, log10


def scale(low: float, high: float, marks: int) -> list[float]:
    """Return the marks of a scale from at most ``low`` to at least ``high``, which is more: about so many of them."""
    step = _round_number((high - low) / marks)
    first, last = floor(low / step), ceil(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _round_number(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, 50, ... or of 0.1, 0.2, 0.5, ... that is not less."""
    power: float = 10 ** floor(log10(least))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)


OTHER = "#808080"
"""The colour of whatever has none of its own, such as games without a rating.

Each colour of a rating can be told from the page, light or dark; see :mod:`resultproc.model.league`."""
