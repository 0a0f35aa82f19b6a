"""The General Formula as revised since 2015: what is known of it, and the award charts of 2019 and 2020."""

import csv
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import inf

import pytest
from conftest import FIXTURES
from games import awarded, falling, overall

from resultproc.model.errors import InputError
from resultproc.model.game import leagues
from resultproc.rulebooks.acbl_general_formula.formula import overall_depth, tabled_depth
from resultproc.rulebooks.common.awards import m_factor, overall_share, r_factor, t_factor
from resultproc.rulebooks.common.exact import half_up
from resultproc.rulebooks.load import rulebook

CHARTS = FIXTURES / "charts" / "overall-awards-2019.csv"
IN_2015 = rulebook("acbl-general-formula-2015").at(date(2015, 6, 1))
IN_2017 = rulebook("acbl-general-formula-2015").at(date(2017, 6, 1))
IN_2019 = rulebook("acbl-general-formula-2019").at(date(2019, 6, 1))


def charts() -> dict[str, list[str]]:
    """Return the charted awards by event, first place first."""
    lines = [line for line in CHARTS.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    return {name: [row[name] for row in rows if row[name]] for name in rows[0] if name != "place"}


CELLS = [
    pytest.param(awards[0], place, award, id=f"{name}-{place}")
    for name, awards in charts().items()
    for place, award in enumerate(awards, 1)
]


def test_every_chart_is_there_whole():
    places = {name: len(awards) for name, awards in charts().items()}
    assert places == {
        "Gatlinburg": 18,
        "Warwick": 18,
        "Quebec A": 13,
        "Quebec B": 9,
        "Quebec C": 4,
        "Warwick C": 7,
        "NYC C": 7,
        "W-B A": 5,
        "W-B B": 3,
        "W-B C": 3,
        "Internet A": 53,
        "Internet X": 31,
    }
    assert len(CELLS) == 171


@pytest.mark.parametrize(("first", "place", "award"), CELLS)
def test_every_award_charted_in_2019_and_2020_follows_from_the_first(first, place, award):
    hundredths = half_up(Fraction(Decimal(first)) * 100 * overall_share(IN_2019, 2, place))
    assert Decimal(hundredths).scaleb(-2) == Decimal(award)


def test_the_curve_overtakes_the_steps_at_the_eighth_place_of_one_session():
    # 1 / 7 of the first, where .75^7 is .1335.
    assert overall_share(IN_2019, 1, 7) == Fraction(3, 4) ** 6
    assert overall_share(IN_2019, 1, 8) == Fraction(1, 7)


def test_the_scale_of_long_events_is_that_of_2003():
    in_2003 = rulebook("acbl-general-formula-2003").at(date(2005, 6, 1))
    for sessions in (3, 4, 5, 6):
        for place in range(1, 61):
            assert overall_share(IN_2019, sessions, place) == overall_share(in_2003, sessions, place)


def event(pairs: int, **keys: object):
    """Return a two-session regional of 2019 with one winner, all scores different."""
    rows = [row.split()[0] + f" . . s={90 - n / 10}/{90 - n / 10}" for n, row in enumerate(falling("A", pairs))]
    given = {"rating": "regional", "date": "2019-10-01", "sessions": 2, "tables": pairs / 2, "movement": "howell"}
    return awarded(rows, **{**given, **keys})


@pytest.mark.parametrize(("name", "pairs", "below"), [("Gatlinburg", 71, 79), ("Warwick", 70, 41)])
def test_flight_a_with_the_tables_of_the_flights_below(name, pairs, below):
    # 36 + 79 = 115 tables, log10(115 / 4) = 1.45864, x 26.25 = 38.29; 35 + 41 = 76, log10(19) = 1.27875: 33.57.
    # The tables below are not printed; these are the only whole numbers that give the first awards.
    assert overall(event(pairs, flight="A", lower_tables=f"1500={below}")) == charts()[name]


def test_the_strata_of_an_event():
    # 34 of Quebec's 51 pairs were in B, 12 in C: 17 tables, B 27/60, and 6 tables, B 16/60. The limits are not printed;
    # up to 2,000 (M .65) and 500 (M .50) the firsts are 26.25 x .45 x .65 = 7.678 and 26.25 x .26667 x .5 = 3.50.
    rows = [f"A-{n} {'ABC'[(n > 17) + (n > 39)]} . s={99 - n}/{99 - n}" for n in range(1, 52)]
    keys = {"rating": "regional", "date": "2019-10-01", "sessions": 2, "tables": 25.5, "movement": "howell"}
    result = awarded(rows, strata="A=open, B=2000, C=500", **keys)
    for stratum in "ABC":
        assert overall(result, stratum) == charts()[f"Quebec {stratum}"]


# How many places are charted for how many pairs.
@pytest.mark.parametrize(
    ("pairs", "places"),
    [(6, 3), (7, 3), (12, 4), (16, 5), (25, 7), (26, 7), (34, 9), (51, 13), (70, 18), (71, 18)],
)
def test_the_depth_charted_in_2019(pairs, places):
    tables = -(-pairs // 2)
    assert overall_depth(IN_2019, "pairs", 2, tables, tables, pairs, pairs) == places


def test_the_table_of_places_of_2019():
    edges = [(2, 0), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5), (9, 5), (10, 6)]
    assert [(tables, tabled_depth(IN_2019, "pairs", tables)) for tables, _ in edges] == edges


@pytest.mark.parametrize(
    ("limit", "m"),
    [
        (20, ".32"),
        (50, ".35"),
        (100, ".40"),
        (200, ".425"),
        (300, ".45"),
        (500, ".50"),
        (750, ".525"),
        (1000, ".55"),
        (1250, ".575"),
        (1750, ".625"),
        (2000, ".65"),
        (2250, ".675"),
        (2500, ".70"),
        # Beyond the last limit that a game file of 2017 has, the line goes on: .45 + limit / 10,000, up to 1 at 5,500.
        (3000, ".75"),
        (5500, "1"),
        (6000, "1"),
        (inf, "1"),
    ],
)
def test_m_as_the_game_files_of_2017_store_it(limit, m):
    assert m_factor(IN_2017, limit).value == m_factor(IN_2019, limit).value == Fraction(m)


def test_m_changed_after_2016_and_t_of_pairs_in_2015():
    before, after = (rulebook("acbl-general-formula-2015").at(date(*day)) for day in ((2016, 12, 31), (2017, 1, 1)))
    in_2014 = rulebook("acbl-general-formula-2003").at(date(2014, 12, 31))
    assert [t_factor(each, "pairs").value for each in (in_2014, before, after)] == [1, Fraction(5, 4), Fraction(5, 4)]
    # log10(1000) / 3.11 - .218 = .74663
    assert round(float(m_factor(before, 1000).value), 5) == 0.74663
    assert m_factor(after, 1000).value == Fraction("0.55")
    # Nothing is known of other kinds of event: they stay as they were.
    expected = [1, Fraction(11, 10), Fraction(3, 4)]
    assert [t_factor(after, kind).value for kind in ("swiss", "bam", "individual")] == expected


@pytest.mark.parametrize(
    ("rating", "in_2015", "in_2019"),
    [
        ("club-championship", "6.5", "6.5"),
        ("club-fund", "7", "7"),
        ("club-appreciation", "9", "9"),
        ("upgraded-club-championship", "9", "9"),
        ("acbl-wide", "9", "9"),
        ("unit-championship", "8.5", "8.5"),
        ("stac", "9", "9"),
        ("sectional", "11", "11"),
        ("regionally-rated", "14", "14"),
        ("regional", "14", "14"),
        ("regional-at-nabc", "16", "16"),
        ("national", "22.5", "22.5"),
    ],
)
def test_r_of_every_class(rating, in_2015, in_2019):
    assert (r_factor(IN_2015, rating).value, r_factor(IN_2019, rating).value) == (Fraction(in_2015), Fraction(in_2019))


def test_before_2003_nothing_is_known():
    with pytest.raises(InputError, match="no rulebook covers a sectional game on 2003-10-31"):
        awarded(falling("A", 8), rating="sectional", date="2003-10-31", tables=4, movement="howell")


def test_every_value_says_how_sure_it_is():
    for name in ("acbl-general-formula-2015", "acbl-general-formula-2019"):
        book = rulebook(name)
        own = [each for versions in book.entries.values() for each in versions if "mpbook" not in each.cite]
        assert {entry.confidence for entry in own} == {"printed", "secondary", "inferred"}
    entries = {
        "factor.r.sectional": ("secondary", "printed"),
        "factor.r.stac": ("inferred", "printed"),
        "factor.r.club-fund": ("secondary", "secondary"),
        "factor.r.acbl-wide": ("inferred", "inferred"),
        "factor.m.line": ("secondary", "secondary"),
        "overall.reading": ("inferred", "inferred"),
        "depth.least-award": ("printed", "printed"),
    }
    for path, sure in entries.items():
        assert (IN_2015.entry(path).confidence, IN_2019.entry(path).confidence) == sure


def test_the_explanation_says_what_is_inferred():
    result = event(51, limit=2000)
    row = result.candidates[result.candidates["basis"] == "overall"].iloc[0]
    assert "Appendix: R;" in row["rule"] or "Appendix: R and" in row["rule"]  # printed: nothing is added
    assert "first awards of the events charted (inferred)" in row["rule"]
    assert "M x P x T of limited strata (secondary)" in row["rule"]
    assert "the charts of awards before the motion (inferred)" in row["rule"]


def test_every_class_of_tournament_is_covered():
    covered = set(rulebook("acbl-general-formula-2019").covers)
    assert set(leagues()["acbl"].names) - covered == {
        "club-open",
        "club-invitational",
        "club-restricted",
        "club-newcomer",
        "club-online",
    }
