"""Exact arithmetic: awards are decimals, rounded half up to the hundredth, never binary floats."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

from resultproc.model.errors import RulebookError
from resultproc.model.frames import MAX_MASTERPOINTS

CONTEXT = Context(prec=50, rounding=ROUND_HALF_UP)
"""Enough digits that only a value that is exactly half a hundredth is ever rounded as one."""

HUNDREDTH = Decimal("0.01")


def hundredths(masterpoints: Decimal) -> int:
    """Return an award in hundredths of a masterpoint, halves rounded up: 0.455 is 46; raises as :func:`rounded`."""
    return int(rounded(masterpoints) * 100)


def rounded(masterpoints: Decimal) -> Decimal:
    """Return an award rounded half up to the hundredth, as a first award is before lower ones follow from it.

    Raises RulebookError for an award that no regulation can have: below zero, or beyond any.
    """
    if not 0 <= masterpoints * 100 <= MAX_MASTERPOINTS:
        raise RulebookError(f"an award of {masterpoints:.6g} masterpoints cannot be", hint="mend the rulebook's values")
    return masterpoints.quantize(HUNDREDTH, context=CONTEXT)


def product(*factors: Decimal) -> Decimal:
    """Return the product of the factors, unrounded for any regulation's figures."""
    result = Decimal(1)
    for factor in factors:
        result = CONTEXT.multiply(result, factor)
    return result


def half_up(value: Decimal) -> int:
    """Return the nearest whole number, halves up."""
    return int(value.to_integral_value(ROUND_HALF_UP))


def steps(table: Sequence[Sequence[object]], limit: float) -> Decimal | None:
    """Return the value of the first step ``[upper limit, value]`` that reaches the limit, None beyond the last."""
    for upper, value in table:
        if upper == "open" or limit <= float(str(upper)):
            return Decimal(str(value))
    return None
