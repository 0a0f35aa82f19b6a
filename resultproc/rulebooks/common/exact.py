"""Exact arithmetic: awards are fractions, rounded half up to the hundredth, never binary floats.

B divides by 60, and a product that ends in exactly half a hundredth must round up. Roots, powers and logarithms have
fifty digits: enough that only what is exactly half a hundredth is ever rounded as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from math import inf, nextafter
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from resultproc.model.arrays import Bools, Floats, Ints
from resultproc.model.errors import RulebookError
from resultproc.model.frames import MAX_MASTERPOINTS
from resultproc.rulebooks.core import NumberRow

_CONTEXT = Context(prec=50, rounding=ROUND_HALF_UP)

_NEAR = 1e-6

_BEYOND = 2**63
"""The least whole number that int64 cannot hold."""


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, halves up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


@dataclass(frozen=True, eq=False)
class Shares:
    """Exact shares of a whole number, in order: their numerators ``over`` and denominators ``under``.

    They are int64 where no share of any award can overflow it, else Python's own whole numbers.
    """

    over: npt.NDArray[Any]
    under: npt.NDArray[Any]

    @classmethod
    def of(cls, shares: Iterable[Fraction]) -> Shares:
        """Return some fractions as shares."""
        parts = [(share.numerator, share.denominator) for share in shares]
        over, under = np.array(parts, dtype=object).reshape(-1, 2).T
        fit = all(2 * (MAX_MASTERPOINTS * each + of) < _BEYOND for each, of in parts)
        return cls(over.astype(np.int64), under.astype(np.int64)) if fit else cls(over, under)

    def __getitem__(self, places: slice | Ints) -> Shares:
        return Shares(self.over[places], self.under[places])

    def parts(self, whole: int | Ints) -> Ints:
        """Return each share of a whole number, or of one each, rounded half up as :func:`half_up` does.

        whole: hundredths of an award, as :func:`hundredths` gives them.
        """
        return np.asarray((2 * (whole * self.over) + self.under) // (2 * self.under), dtype=np.int64)


class Multiples(NamedTuple):
    """Exact numbers that are multiplied, or that others are multiplied by."""

    near: Floats  # the same as floats
    exact: Callable[[int], Fraction]  # returns one of them

    @classmethod
    def of(cls, numbers: Sequence[Fraction]) -> Multiples:
        """Return some numbers to take multiples of."""
        return cls(np.array([float(each) for each in numbers]), lambda place: numbers[place])

    def times(self, factors: Multiples, by: Ints) -> Multiples:
        """Return each number times one of some factors.

        by: which factor, for each number.
        """
        return Multiples(self.near * factors.near[by], lambda place: self.exact(place) * factors.exact(by[place]))

    def texts(self, digits: int) -> list[str]:
        """Return the numbers, none of them below zero, as :func:`factor_text` does each."""
        texts = [factor_text(each, digits) for each in self.near.tolist()]
        for at in np.flatnonzero(_doubtful(self.near * 10**digits + 0.5)).tolist():
            texts[at] = factor_text(self.exact(at), digits)
        return texts

    @staticmethod
    def hundredths(
        numbers: Sequence[Multiples], which: Ints, times: Multiples, by: Ints, count: Ints
    ) -> tuple[Ints, dict[int, RulebookError]]:
        """Return multiples of many lists of numbers in hundredths, one list after the other, and what is out of range.

        numbers: the distinct lists.
        which: the list that each result is a multiple of.
        times: the factors.
        by: the factor of each result.
        count: how many numbers each result has, the first ones of its list.

        They are multiplied as floats; what comes near the middle between two hundredths is computed exactly. A list
        that has an award that :func:`hundredths` refuses is named by its number, with the error.
        """
        length = np.array([len(each.near) for each in numbers], dtype=np.int64)
        end, begin = np.cumsum(count), (np.cumsum(length) - length)[which]
        near = np.concatenate([each.near for each in numbers])
        near = near[np.arange(count.sum()) + np.repeat(begin - (end - count), count)]
        scaled = np.repeat(100 * times.near[by], count) * near + 0.5
        found = np.floor(scaled)
        wrong: dict[int, RulebookError] = {}
        for at in np.flatnonzero(_doubtful(scaled)).tolist():
            number = int(np.searchsorted(end, at, side="right"))
            place = at - int(end[number] - count[number])
            try:
                found[at] = hundredths(numbers[which[number]].exact(place) * times.exact(by[number]))
            except RulebookError as error:
                wrong.setdefault(number, error)
                found[at] = 0
        return found.astype(np.int64), wrong


def _doubtful(values: Floats) -> Bools:
    """Return which floats do not tell for sure between which whole numbers what they stand for lies."""
    # What lies in range has an error below a ten-millionth.
    off = np.rint(values)
    # In place: new arrays for what comes between take longer than the sums.
    off -= values
    np.abs(off, out=off)
    return ~((off >= _NEAR) & (values <= MAX_MASTERPOINTS))


def hundredths(masterpoints: Fraction) -> int:
    """Return an award in hundredths of a masterpoint, halves rounded up: 0.455 is 46.

    Raises RulebookError for an award that no regulation can have: below zero, or beyond any.
    """
    over, under = masterpoints.numerator * 100, masterpoints.denominator
    if not 0 <= over <= MAX_MASTERPOINTS * under:
        raise RulebookError(f"award out of range: {float(masterpoints):.6g}", hint="correct the rulebook's values")
    return half_up(100 * masterpoints)


def rounded(masterpoints: Fraction) -> Fraction:
    """Return an award rounded half up to the hundredth, as a first award is before lower ones follow from it."""
    return Fraction(hundredths(masterpoints), 100)


def factor_text(value: Fraction | float, digits: int = 4) -> str:
    """Return a factor as a person reads it: ``0.8333``, ``14``."""
    shown = f"{float(value):.{digits}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def decimal(value: Fraction) -> str:
    """Return a number that has an end in decimals as it is, with two of them at least: ``0.90``, ``0.455``."""
    digits = next((count for count in range(2, 12) if 10**count % value.denominator == 0), 12)
    whole = half_up(value * 10**digits)
    return f"{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def log10(value: Fraction) -> Fraction:
    """Return the logarithm to the base 10."""
    return Fraction(decimal_of(value).log10(_CONTEXT))


def exponential(value: Fraction) -> Fraction:
    """Return e to a power."""
    return Fraction(_CONTEXT.exp(decimal_of(value)))


def root(value: Fraction) -> Fraction:
    """Return the square root."""
    return Fraction(decimal_of(value).sqrt(_CONTEXT))


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a power."""
    return Fraction(_CONTEXT.power(decimal_of(base), decimal_of(exponent)))


def decimal_of(value: Fraction) -> Decimal:
    """Return a number to fifty digits."""
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def times(value: Decimal, other: Decimal) -> Decimal:
    """Return a product to fifty digits."""
    return _CONTEXT.multiply(value, other)


def shortened(value: Fraction) -> Fraction:
    """Return a number to fifty digits, as what goes on being multiplied should be: exact ones get ever longer."""
    return Fraction(decimal_of(value))


def listed_value(values: Sequence[Fraction], count: int) -> Fraction:
    """Return the value that a list gives for 1, 2, 3, ...: past its end, the last one."""
    return values[min(count, len(values)) - 1]


def least_float(value: Fraction) -> float:
    """Return the least float that is not below a number: a float reaches the one where it reaches the other."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def exceeds(values: Floats, number: Fraction) -> Bools:
    """Return which floats are above a number."""
    least = least_float(number)
    return values > least if Fraction(least) == number else values >= least


def reached(table: Iterable[NumberRow], count: Fraction | int) -> NumberRow | None:
    """Return the line of a table whose least number a count reaches, the highest of them; None below the first."""
    return max((line for line in table if count >= line[0]), key=itemgetter(0), default=None)


def steps(table: Sequence[tuple[float, NumberRow]], limit: float) -> Fraction | None:
    """Return the value of the first step, an upper limit and a value, that reaches the limit; None beyond the last."""
    return next((value[0] for upper, value in table if limit <= upper), None)
