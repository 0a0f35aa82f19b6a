"""Scores and percentages of them: which fields have both in proportion, and which rows are out of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from resultproc.model.arrays import Bools, Floats, Ints, select_rows

HALF_POINT = 0.5
"""Matchpoints that are whole or half differ by that much, if at all."""

_FEW = 1000


@dataclass(frozen=True)
class Proportion:
    """The scores and percentages of some contestants.

    rows: whose are compared. tolerance: how far two percentages of one exact value may be apart by rounding. possible:
    who is in a field whose percentages are not the scores in percent of one maximum, but for rounding.
    """

    score: Floats
    percentage: Floats
    rows: Bools
    tolerance: float
    possible: Bools

    @classmethod
    def of(cls, field: Ints, score: Floats, percentage: Floats, rows: Bools) -> Proportion:
        """Return those of contestants in their fields."""
        tolerance = _tolerance(percentage, rows)
        possible = rows & _not_in_proportion(field, score, percentage, rows, tolerance)
        return cls(score, percentage, rows, tolerance, possible)


def _tolerance(percentage: Floats, rows: Bools) -> float:
    """Return how far two percentages of one exact value may be apart by rounding: one of the last decimal."""
    (known,) = select_rows(rows, percentage)
    for decimals_ in (0, 1):
        # The first ones mostly have more decimals already.
        if all(_whole(each * 10**decimals_) for each in (known[:_FEW], known)):
            return 1.0 / 10**decimals_
    return 0.01


def _whole(values: Floats) -> bool:
    return bool((np.abs(values - np.rint(values)) < 1e-9).all())


def _not_in_proportion(field: Ints, score: Floats, percentage: Floats, rows: Bools, tolerance: float) -> Bools:
    """Return who is in a field whose percentages are not the scores in percent of one maximum, but for rounding.

    In any other no two can rank in opposite order by more than the tolerance: they would be off by more than that and
    the percentage that different scores are apart at least, together. To compare sums is faster than to sort.
    """
    length = int(field.max(initial=-1)) + 1
    of, scores, percentages = select_rows(rows, field, score, percentage)
    halves = scores / HALF_POINT
    halves_at_least = (halves == np.rint(halves)).all()
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = (np.bincount(of, percentages, length) / np.bincount(of, scores, length))[of]
        off = np.abs(scores * percent - percentages)
        apart = HALF_POINT * percent if halves_at_least else 0
        # What is not a number is off.
        beyond = np.flatnonzero(~(2 * off <= tolerance + apart))
    found = np.zeros(length, dtype=bool)
    found[of[beyond]] = True
    return found[field]
