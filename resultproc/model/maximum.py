"""The maximum score of a section, as its scores and percentages tell it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints

LEAST_ALIKE = 3
"""The fewest contestants that show the maximum of a section, if they are more than half of it: any two numbers have a
ratio."""


class Maximum(NamedTuple):
    """What most of a contestant's section scored of, NaN where they show none; and how far a percentage may be off."""

    usual: Floats
    rounding: Floats

    def fits(self, score: Floats, percentage: Floats) -> Bools:
        """Return whose percentage is that of its score."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(percentage - 100 * score / self.usual) <= self.rounding)


def maximum_of(section: Ints, score: Floats, percentage: Floats) -> Maximum:
    """Return the usual maximum of each contestant's section; both columns are taken to be rounded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        single = np.where((score > 0) & (percentage > 0), 100 * score / percentage, np.nan)
    known = ~np.isnan(single)
    numbers = np.where(known, section, -1)
    length = int(section.max(initial=-1)) + 1
    median = pd.Series(single).groupby(section).transform("median").to_numpy()
    lowest = pd.Series(np.where(known, percentage, np.nan)).groupby(section).transform("min").to_numpy()
    half = _half_of_last_decimal(numbers, percentage, length)[section]
    points = _half_of_last_decimal(numbers, score * 2, length, least=0.005)[section]
    points = np.where(points < 0.5, points, 0)  # whole and half matchpoints are exact
    with np.errstate(divide="ignore", invalid="ignore"):
        slack = half + 100 * points / median
        near = known & (np.abs(percentage - 100 * score / median) <= slack * (1 + percentage / lowest))
        sums = [np.bincount(section[near], each[near], length) for each in (score, percentage)]
        usual = (100 * sums[0] / sums[1])[section]
        mean = (sums[1] / np.bincount(section[near], minlength=length))[section]
        rounding = slack * (1 + percentage / mean)
    found = Maximum(usual, rounding)
    alike = np.bincount(section[known & found.fits(score, percentage)], minlength=length)
    most = (alike >= LEAST_ALIKE) & (alike * 2 > np.bincount(section[known], minlength=length))
    return Maximum(np.where(most[section], usual, np.nan), rounding)


def _half_of_last_decimal(number: Ints, values: Floats, length: int, least: float = 0.005) -> Floats:
    """Return per number half of the last decimal that its values have: of two at least, and of none 0.5.

    number: below 0 for values that do not count.
    """
    found = np.full(length, least)
    for decimals in (1, 0):
        scaled = values * 10**decimals
        with np.errstate(invalid="ignore"):
            finer = (number >= 0) & (np.abs(scaled - np.rint(scaled)) > 1e-6)
        coarse = np.bincount(number[finer], minlength=length) == 0
        found[coarse] = 0.5 / 10**decimals
    return found
