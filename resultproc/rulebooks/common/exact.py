"""Exact arithmetic: awards are fractions, rounded half up to the hundredth, never binary floats.

B divides by 60, and a product that ends in exactly half a hundredth must round up. Roots, powers and logarithms have
fifty digits: enough that only what is exactly half a hundredth is ever rounded as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from resultproc.model.errors import RulebookError
from resultproc.model.frames import MAX_MASTERPOINTS
from resultproc.rulebooks.typed import Row

_CONTEXT = Context(prec=50, rounding=ROUND_HALF_UP)


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, halves up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def part(whole: int, share: Fraction) -> int:
    """Return a share of a whole number, rounded half up as :func:`half_up` does."""
    # In whole numbers: a Fraction would be made and reduced for every place of every ladder.
    over, under = whole * share.numerator, share.denominator
    return (2 * over + under) // (2 * under)


def hundredths(masterpoints: Fraction) -> int:
    """Return an award in hundredths of a masterpoint, halves rounded up: 0.455 is 46.

    Raises RulebookError for an award that no regulation can have: below zero, or beyond any.
    """
    over, under = masterpoints.numerator * 100, masterpoints.denominator
    if not 0 <= over <= MAX_MASTERPOINTS * under:
        raise RulebookError(f"award out of range: {float(masterpoints):.6g}", hint="correct the rulebook's values")
    return (2 * over + under) // (2 * under)


def rounded(masterpoints: Fraction) -> Fraction:
    """Return an award rounded half up to the hundredth, as a first award is before lower ones follow from it."""
    return Fraction(hundredths(masterpoints), 100)


def text(value: Fraction, digits: int = 4) -> str:
    """Return a factor as a person reads it: ``0.8333``, ``14``."""
    shown = f"{float(value):.{digits}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def decimal(value: Fraction) -> str:
    """Return a number that has an end in decimals as it is, with two of them at least: ``0.90``, ``0.455``."""
    digits = next((count for count in range(2, 12) if (value * 10**count).denominator == 1), 12)
    whole = half_up(value * 10**digits)
    return f"{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def log10(value: Fraction) -> Fraction:
    """Return the logarithm to the base 10."""
    return Fraction(decimal_of(value).log10(_CONTEXT))


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


def listed(values: Sequence[Fraction], count: int) -> Fraction:
    """Return the value that a list gives for 1, 2, 3, ...: past its end, the last one."""
    return values[min(count, len(values)) - 1]


def steps(table: Sequence[tuple[float, Row]], limit: float) -> Fraction | None:
    """Return the value of the first step, an upper limit and a value, that reaches the limit; None beyond the last."""
    return next((value[0] for upper, value in table if limit <= upper), None)
