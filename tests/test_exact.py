"""Exact numbers: what is computed in a faster way is what fractions give, to the last digit."""

from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resultproc.model.errors import RulebookError
from resultproc.model.frames import MAX_MASTERPOINTS
from resultproc.rulebooks.common.exact import (
    Multiples,
    Shares,
    decimal_of,
    half_up,
    hundredths,
    power,
    shortened,
    times,
)

FIFTY_DIGITS = st.builds(
    lambda digits, places: Fraction(Decimal(digits).scaleb(-places, Context(prec=60))),
    st.integers(1, 10**50 - 1),
    st.integers(0, 60),
)

FIFTY_DIGITS_BELOW_1 = st.integers(0, 10**50).map(lambda digits: Fraction(digits, 10**50))


def test_shares_are_rounded_half_up() -> None:
    assert Shares.of([Fraction(1, 2), Fraction(1, 3)]).parts(63).tolist() == [32, 21]  # 31.5, 21
    assert Shares.of([Fraction(1, 10)]).parts(5).tolist() == [1]  # 0.5
    assert Shares.of([Fraction(1, 100)]).parts(49).tolist() == [0]


@given(st.integers(0, MAX_MASTERPOINTS), st.lists(st.fractions(0, 1) | FIFTY_DIGITS_BELOW_1, min_size=1))
def test_shares_of_an_award_are_those_of_fractions(whole: int, shares: list[Fraction]) -> None:
    assert Shares.of(shares).parts(whole).tolist() == [half_up(whole * share) for share in shares]


def test_shares_that_could_overflow_are_of_pythons_own_numbers() -> None:
    small, large = Shares.of([Fraction(1, 460_000_000_000)]), Shares.of([Fraction(1, 2**62)])
    assert (small.over.dtype, large.over.dtype) == (np.int64, object)
    assert large.parts(MAX_MASTERPOINTS).tolist() == [0]


@given(st.fractions(0, 1000), st.lists(FIFTY_DIGITS_BELOW_1, min_size=1))
def test_multiples_are_those_of_fractions(times: Fraction, numbers: list[Fraction]) -> None:
    found = Multiples.of(numbers).hundredths(times, len(numbers))
    assert found.tolist() == [hundredths(times * each) for each in numbers]


@pytest.mark.parametrize("off", [Fraction(0), Fraction(1, 10**12), Fraction(-1, 10**12)])
@pytest.mark.parametrize("whole", [0, 1, 12_345, MAX_MASTERPOINTS - 1])
def test_multiples_beside_the_middle_are_rounded_exactly(whole: int, off: Fraction) -> None:
    number = Fraction(2 * whole + 1, 200) + off
    assert Multiples.of([number / 3]).hundredths(Fraction(3), 1).tolist() == [whole if off < 0 else whole + 1]


def test_a_multiple_beyond_any_award_is_refused() -> None:
    with pytest.raises(RulebookError, match="award out of range"):
        Multiples.of([Fraction(1), Fraction(MAX_MASTERPOINTS)]).hundredths(Fraction(2), 2)


@given(FIFTY_DIGITS, FIFTY_DIGITS)
def test_a_product_of_decimals_is_that_of_fractions_to_fifty_digits(one: Fraction, other: Fraction) -> None:
    assert Fraction(times(decimal_of(one), decimal_of(other))) == shortened(one * other)


@given(st.fractions(Fraction(1, 1000), 1), st.fractions(Fraction(1, 1000), 1))
def test_powers_are_decimals_of_fifty_digits_already(base: Fraction, exponent: Fraction) -> None:
    assert shortened(power(base, exponent)) == power(base, exponent)
