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
    exceeds,
    factor_text,
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


@given(st.integers(0, MAX_MASTERPOINTS), st.lists(st.fractions(0, 1) | FIFTY_DIGITS_BELOW_1, min_size=1))
def test_shares_of_an_award_are_those_of_fractions(whole: int, shares: list[Fraction]) -> None:
    assert Shares.of(shares).parts(whole).tolist() == [half_up(whole * share) for share in shares]


def test_shares_that_could_overflow_are_of_pythons_own_numbers() -> None:
    small, large = Shares.of([Fraction(1, 460_000_000_000)]), Shares.of([Fraction(1, 2**62)])
    assert (small.over.dtype, large.over.dtype) == (np.int64, object)
    assert large.parts(MAX_MASTERPOINTS).tolist() == [0]


def multiples(*lists: tuple[list[Fraction], Fraction]) -> tuple[list[int], dict[int, RulebookError]]:
    """Return the multiples of lists of numbers by one number each."""
    numbers, times = [Multiples.of(each) for each, _ in lists], [by for _, by in lists]
    own, count = np.arange(len(lists)), np.array([len(each) for each, _ in lists])
    found, wrong = Multiples.hundredths(numbers, own, Multiples.of(times), own, count)
    return found.tolist(), wrong


@given(st.lists(st.tuples(st.lists(FIFTY_DIGITS_BELOW_1, min_size=1), st.fractions(0, 1000)), min_size=1, max_size=4))
def test_multiples_are_those_of_fractions(lists: list[tuple[list[Fraction], Fraction]]) -> None:
    assert multiples(*lists) == ([hundredths(times * each) for numbers, times in lists for each in numbers], {})


@pytest.mark.parametrize("off", [Fraction(0), Fraction(1, 10**12), Fraction(-1, 10**12)])
@pytest.mark.parametrize("whole", [0, 1, 12_345, MAX_MASTERPOINTS - 1])
def test_multiples_beside_the_middle_are_rounded_exactly(whole: int, off: Fraction) -> None:
    number = Fraction(2 * whole + 1, 200) + off
    assert multiples(([number / 3], Fraction(3))) == ([whole if off < 0 else whole + 1], {})


def test_the_first_of_many_numbers_are_taken_and_each_list_by_its_own() -> None:
    numbers = [Multiples.of([Fraction(1), Fraction(1, 2), Fraction(1, 3)]), Multiples.of([Fraction(2)])]
    which, by, count = np.array([0, 1, 0]), np.array([1, 1, 0]), np.array([2, 1, 3])
    found, _ = Multiples.hundredths(numbers, which, Multiples.of([Fraction(1), Fraction(1, 100)]), by, count)
    assert found.tolist() == [1, 1, 2, 100, 50, 33]  # 0.5 rounds up


def test_a_multiple_beyond_any_award_is_refused() -> None:
    fits, beyond = [Fraction(1)], [Fraction(1), Fraction(MAX_MASTERPOINTS), Fraction(MAX_MASTERPOINTS + 1)]
    found, wrong = multiples((fits, Fraction(2)), (beyond, Fraction(2)))
    assert (found[0], list(wrong)) == (200, [1])
    assert str(wrong[1]).startswith("award out of range: 2e+")


def test_numbers_are_shown_without_zeros_at_the_end() -> None:
    numbers = [Fraction(each) for each in ("0", "0.05", "14", "16.9596", "9.9996", "100000.1236")]
    assert Multiples.of(numbers).texts(3) == ["0", "0.05", "14", "16.96", "10", "100000.124"]
    assert Multiples.of(numbers).texts(1) == ["0", "0.1", "14", "17", "10", "100000.1"]
    # 23.5 x 3/188 is .375, half a hundredth, and as floats a little less.
    product = Multiples.of([Fraction(47, 2)]).times(Multiples.of([Fraction(3, 188)]), np.array([0]))
    assert product.texts(2) == ["0.38"]


def test_a_number_that_no_whole_number_of_numpy_holds_is_shown() -> None:
    numbers = [Fraction(10**20), Fraction(3, 2)]
    assert Multiples.of(numbers).texts(3) == ["100000000000000000000", "1.5"]


@given(st.lists(st.fractions(0, 10**7), min_size=1), st.fractions(0, 1000), st.integers(1, 3))
def test_many_numbers_are_shown_as_each_is(numbers: list[Fraction], factor: Fraction, digits: int) -> None:
    several = Multiples.of(numbers).times(Multiples.of([factor]), np.zeros(len(numbers), dtype=np.int64))
    assert several.texts(digits) == [factor_text(factor * each, digits) for each in numbers]


@given(FIFTY_DIGITS, FIFTY_DIGITS)
def test_a_product_of_decimals_is_that_of_fractions_to_fifty_digits(one: Fraction, other: Fraction) -> None:
    assert Fraction(times(decimal_of(one), decimal_of(other))) == shortened(one * other)


@given(st.fractions(Fraction(1, 1000), 1), st.fractions(Fraction(1, 1000), 1))
def test_powers_are_decimals_of_fifty_digits_already(base: Fraction, exponent: Fraction) -> None:
    assert shortened(power(base, exponent)) == power(base, exponent)


def test_a_float_exceeds_a_number_only_where_it_is_above_it() -> None:
    # The float nearest to 1/10 is a little above it, the one before it below; 7.5 is exact.
    below = np.nextafter(0.1, 0)
    assert exceeds(np.array([below, 0.1, np.inf, np.nan]), Fraction(1, 10)).tolist() == [False, True, True, False]
    assert exceeds(np.array([7.5, np.nextafter(7.5, 8)]), Fraction(15, 2)).tolist() == [False, True]


def test_shares_are_rounded_half_up() -> None:
    assert Shares.of([Fraction(1, 2), Fraction(1, 3)]).parts(63).tolist() == [32, 21]  # 31.5, 21
    assert Shares.of([Fraction(1, 10)]).parts(5).tolist() == [1]  # 0.5
    assert Shares.of([Fraction(1, 100)]).parts(49).tolist() == [0]
