"""The General Formula of 2003: its factors, scales and depths, against the document's own tables."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import inf

import pytest
from conftest import FIXTURES

from resultproc.model.errors import DeclarationError
from resultproc.rulebooks.acbl_general_formula.formula import (
    overall_depth,
    overall_depth_paths,
    session_depth,
    tabled_depth,
)
from resultproc.rulebooks.acbl_general_formula.ladders import across_share, session_share
from resultproc.rulebooks.common.awards import b_factor, m_factor, overall_share, p_factor, r_factor, s_factor, t_factor
from resultproc.rulebooks.common.exact import half_up, hundredths
from resultproc.rulebooks.load import rulebook

EDITION = rulebook("acbl-general-formula-2003").at(date(2005, 6, 1))


def to_places(value: Fraction, places: int) -> Decimal:
    return Decimal(half_up(value * 10**places)).scaleb(-places)


def b_values() -> list[tuple[int, str]]:
    lines = (FIXTURES / "general-formula-2003-b-values.txt").read_text().splitlines()
    values = " ".join(line for line in lines if not line.startswith("#")).split()
    return list(enumerate(values))


def test_appendix_a_whole():
    printed = {tables: Decimal(value) for tables, value in b_values()}
    assert len(printed) == 500
    wrong = {tables for tables, b in printed.items() if to_places(b_factor(EDITION, Fraction(tables)).value, 4) != b}
    assert wrong == {358}


def test_the_two_misprints_of_appendix_a():
    printed = dict(b_values())
    # 358 / 4 = 89.5, and 10^1.9518 = 89.495 while 10^1.9528 = 89.701; the neighbours rise by .0012 a table,
    # so that 1.9506 + .0012 = 1.9518 = 1.9530 - .0012.
    assert (printed[357], printed[358], printed[359]) == ("1.9506", "1.9528", "1.9530")
    assert to_places(b_factor(EDITION, Fraction(358)).value, 4) == Decimal("1.9518")
    # (0 + 10) / 60 would be .1667: no tables have no award, as is printed.
    assert printed[0] == "0.0000"
    assert b_factor(EDITION, Fraction(0)).value == 0


def test_b_changes_its_formula_after_60_tables():
    # 70 / 60 = 1.1667, log10(61 / 4) = log10(15.25) = 1.1833
    assert b_factor(EDITION, Fraction(60)).value == Fraction(7, 6)
    assert to_places(b_factor(EDITION, Fraction(61)).value, 4) == Decimal("1.1833")


@pytest.mark.parametrize(
    ("limit", "m"),
    [(100, "0.5102"), (300, "0.6056"), (500, "0.6498"), (1000, "0.7466"), (2000, "0.8434"), (6136, "1.0000")],
)
def test_appendix_b(limit, m):
    assert to_places(m_factor(EDITION, limit).value, 4) == Decimal(m)


def test_m_is_one_at_most_and_changes_its_formula_at_500():
    assert m_factor(EDITION, inf).value == m_factor(EDITION, 10_000).value == 1
    # log10(499) / 5 + .1102 = 2.69810 / 5 + .1102 = .64982; log10(500) / 3.11 - .218 = 2.69897 / 3.11 - .218 = .64984
    assert to_places(m_factor(EDITION, 499).value, 5) == Decimal("0.64982")
    assert to_places(m_factor(EDITION, 500).value, 5) == Decimal("0.64984")
    # log10(1) = 0
    assert m_factor(EDITION, 1).value == Fraction("0.1102")
    with pytest.raises(DeclarationError, match=r"upper limit 0\.5"):
        m_factor(EDITION, 0.5)


def test_the_other_factors():
    expected = [1, Fraction(3, 2), 2, Fraction(5, 2), 3, Fraction(7, 2), 4]
    assert [s_factor(EDITION, n).value for n in range(1, 8)] == expected
    assert [p_factor(EDITION, n).value for n in range(4)] == [1, Fraction(4, 5), Fraction(7, 10), Fraction(7, 10)]
    kinds = {"pairs": 1, "swiss": 1, "bam": Fraction(11, 10), "team-of-two": 1, "individual": Fraction(3, 4)}
    assert {kind: t_factor(EDITION, kind).value for kind in kinds} == kinds
    ratings = {"unit-championship": 8.5, "sectional": 10, "regional": 14, "national": 22.5, "club-championship": 6.5}
    assert {name: r_factor(EDITION, name).value for name in ratings} == ratings
    assert r_factor(EDITION, "regional-at-nabc").value == 14


def test_what_has_no_factor_is_refused():
    with pytest.raises(DeclarationError, match="the General Formula has no R for a club-open game"):
        r_factor(EDITION, "club-open")
    with pytest.raises(DeclarationError, match="knockout event has no awards"):
        t_factor(EDITION, "knockout")


APPENDIX_C = """
 1 1.00 1.00 1.00
 2 0.75 0.75 0.75
 3 0.56 0.56 0.56
 4 0.42 0.44 0.46
 5 0.32 0.40 0.43
 6 0.24 0.36 0.40
 7 0.18 0.33 0.38
 8 0.13 0.31 0.35
 9 0.11 0.29 0.33
10 0.10 0.27 0.32
15 0.07 0.20 0.25
20 0.05 0.16 0.21
"""


@pytest.mark.parametrize("line", APPENDIX_C.strip().splitlines())
def test_appendix_c(line):
    place, *printed = line.split()
    shares = [to_places(overall_share(EDITION, sessions, int(place)), 2) for sessions in (1, 4, 6)]
    assert shares == [Decimal(value) for value in printed]


def test_appendix_c_proves_where_the_long_scale_begins():
    # The curve, first x s / (place + 2s - 3), begins with the fourth place: at the third it would give 4/8 = .50 and
    # 6/12 = .50, where .56 is printed; and steps at the fourth would give .42, where .44 and .46 are printed.
    for sessions, printed in ((4, Decimal("0.44")), (6, Decimal("0.46"))):
        assert Fraction(sessions, 3 + 2 * sessions - 3) == Fraction(1, 2)
        assert overall_share(EDITION, sessions, 3) == Fraction(9, 16)
        assert to_places(Fraction(3, 4) ** 3, 2) == Decimal("0.42")
        assert to_places(overall_share(EDITION, sessions, 4), 2) == printed


def test_three_sessions_are_long_and_two_are_not():
    # 3 sessions, 4th: 3 / (4 + 6 - 3) = 3/7; 2 sessions, 4th: .75^3
    assert overall_share(EDITION, 3, 4) == Fraction(3, 7)
    assert overall_share(EDITION, 2, 4) == Fraction(27, 64)
    assert overall_share(EDITION, 2, 8) == Fraction(3, 4) ** 7
    assert overall_share(EDITION, 2, 9) == Fraction(1, 9)


def test_the_session_scale():
    shares = [session_share(EDITION, place) for place in range(1, 7)]
    assert shares == [1, Fraction(7, 10), Fraction(1, 2), Fraction(7, 20), Fraction(1, 5), Fraction(1, 6)]


def test_the_scale_across_sections():
    assert [across_share(EDITION, place) for place in (1, 2, 3, 4)] == [session_share(EDITION, p) for p in (1, 2, 3, 4)]
    # 5th: sqrt(2 x 4) = 2.82843, x 5 = 14.14214, its root 3.76060, and 1 / 3.76060 = .26591
    assert to_places(across_share(EDITION, 5), 5) == Decimal("0.26591")
    # 9th: sqrt(2 x 8) = 4, x 9 = 36, its root 6
    assert across_share(EDITION, 9) == Fraction(1, 6)


@pytest.mark.parametrize(
    ("event_type", "edges"),
    [
        ("pairs", {2: 0, 3: 2, 4: 3, 5: 4, 6: 4, 7: 5, 9: 5, 10: 6, 11: 6}),
        ("team-of-two", {2: 0, 3: 1, 10: 4, 18: 5, 19: 6}),
        ("swiss", {2: 0, 3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3, 9: 4, 12: 4, 13: 5, 18: 5, 19: 6, 20: 6}),
        ("bam", {2: 0, 3: 1, 18: 5, 19: 6}),
        ("individual", {1: 0, 2: 3, 3: 4, 4: 5, 5: 6, 6: 6}),
    ],
)
def test_the_table_of_places_at_each_edge(event_type, edges):
    """By the number of tables, the places."""
    assert {tables: tabled_depth(EDITION, event_type, tables) for tables in edges} == edges


def depth(event_type: str, sessions: int, tables: int, contestants: int, worthy: int) -> int:
    """Return the depth where so many places have an award that reaches the floor."""
    return overall_depth(EDITION, event_type, sessions, tables, tables, contestants, worthy)


def test_the_depth_goes_by_the_floor_between_its_bounds():
    assert depth("pairs", 1, 10, 20, 20) == 6  # the table's last line: nothing more
    assert depth("pairs", 1, 30, 60, 3) == 6  # never less than the table's places
    assert depth("pairs", 1, 30, 60, 9) == 9
    assert depth("pairs", 1, 30, 60, 30) == 21  # 35% of 60
    assert depth("pairs", 1, 29, 58, 30) == 20  # 35% of 58 is 20.3
    assert depth("pairs", 1, 70, 140, 6) == 7  # 5% of 140
    assert depth("pairs", 1, 71, 142, 6) == 8  # 5% of 142 is 7.1: at least that
    assert depth("swiss", 1, 100, 100, 6) == 10  # 10% of 100 teams
    assert depth("individual", 1, 40, 160, 6) == 8  # 5% of 160 players
    assert [depth("pairs", n, 200, 400, 400) for n in range(1, 8)] == [25, 40, 45, 50, 55, 60, 60]


def test_places_of_the_table_pay_beyond_35_percent():
    assert depth("pairs", 1, 4, 8, 8) == 3  # 3 of 8 pairs are 37.5%
    assert depth("pairs", 1, 3, 1, 1) == 1  # but only contestants are paid


@pytest.mark.parametrize(("size", "places"), [(3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (13, 5), (12, 5), (100, 40)])
def test_session_depth_is_40_percent_rounded(size, places):
    # .4 x 3 = 1.2, 4: 1.6, 5: 2.0, 6: 2.4, 7: 2.8, 13: 5.2, 12: 4.8
    assert session_depth(EDITION, size) == places


def test_halves_of_a_hundredth_round_up_exactly():
    # 10 x (3 + 10) / 60 x .75 = 1.625, where binary or fifty decimal digits of 13/60 fall below the half
    assert hundredths(10 * b_factor(EDITION, Fraction(3)).value * Fraction(3, 4)) == 163


def test_a_field_of_the_last_line_of_the_table_of_places_goes_by_it() -> None:
    last = int(EDITION.rows("depth.pairs")[-1][0])
    assert overall_depth_paths(EDITION, "pairs", last) == ("depth.pairs",)
    assert "depth.least-award" in overall_depth_paths(EDITION, "pairs", last + 1)
