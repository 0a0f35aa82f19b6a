"""Exact numbers: what is computed in a faster way is what fractions give, to the last digit."""

from decimal import Context, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from resultproc.rulebooks.common.exact import decimal_of, half_up, part, power, shortened, times

FIFTY_DIGITS = st.builds(
    lambda digits, places: Fraction(Decimal(digits).scaleb(-places, Context(prec=60))),
    st.integers(1, 10**50 - 1),
    st.integers(0, 60),
)


def test_a_part_is_rounded_half_up() -> None:
    assert part(63, Fraction(1, 2)) == 32  # 31.5
    assert part(5, Fraction(1, 10)) == 1  # 0.5
    assert part(49, Fraction(1, 100)) == 0


@given(st.integers(0, 10_000_000), st.fractions(0, 1))
def test_a_part_of_an_award_is_that_of_fractions(whole: int, share: Fraction) -> None:
    assert part(whole, share) == half_up(whole * share)


@given(FIFTY_DIGITS, FIFTY_DIGITS)
def test_a_product_of_decimals_is_that_of_fractions_to_fifty_digits(one: Fraction, other: Fraction) -> None:
    assert Fraction(times(decimal_of(one), decimal_of(other))) == shortened(one * other)


@given(st.fractions(Fraction(1, 1000), 1), st.fractions(Fraction(1, 1000), 1))
def test_powers_are_decimals_of_fifty_digits_already(base: Fraction, exponent: Fraction) -> None:
    assert shortened(power(base, exponent)) == power(base, exponent)
