"""Online club games: in quotes what the source prints, the Online VACB Games Master Point Award Summary."""

from pathlib import Path

import pytest
from games import awarded, candidates, falling, ladder, mitchell, paid, places, rulebook_file

from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import Result
from resultproc.rulebooks import rulebook


def online(rows: list[str], tables: float | str, **keys: object) -> Result:
    return awarded(rows, rating="club-online", tables=tables, **{"date": "2021-03-01", **keys})


def first(result: Result, name: str = "A-NS-1", basis: str = "section A") -> str:
    return candidates(result, name)[basis]


# Step 1.


def test_the_examples_of_step_1() -> None:
    # "Mitchell 10: 10 * .1 = 1.0", both N-S and E-W.
    ten = online(mitchell(10), 10)
    assert (first(ten, "A-NS-1"), first(ten, "A-EW-1")) == ("1.00", "1.00")
    # "Mitchell 30: 30 * .1 = 3.0, G-Max 2.5: 2.5".
    thirty = online(mitchell(30), 30)
    assert (first(thirty, "A-NS-1"), first(thirty, "A-EW-1")) == ("2.50", "2.50")
    assert "0.10 x 30 = 3.00, capped at 2.50" in thirty.candidates["factors"].iloc[0]
    # "Howell 15: 15 * .2 = 3.0, G-Max 2.5: 2.5", one set for all 30 pairs.
    fifteen = online(falling("A", 30), 15)
    assert first(fifteen, "A-1") == "2.50"
    assert "0.10 x 30 = 3.00, capped at 2.50" in fifteen.candidates["factors"].iloc[0]


def test_a_howell_gains_nothing_beyond_12_tables() -> None:
    # .2 a table: 12 pay 2.40, 13 would pay 2.60.
    assert first(online(falling("A", 24), 12), "A-1") == "2.40"
    assert first(online(falling("A", 26), 13), "A-1") == "2.50"


def test_half_tables_are_those_of_any_club_game() -> None:
    # 7 1/2 tables of a Mitchell are 8 in each group, of a Howell 15 pairs (.2 x 7.5).
    rows = [*falling("A-NS", 8), *falling("A-EW", 7)]
    assert first(online(rows, 7.5)) == first(online(rows, 7.5), "A-EW-1") == "0.80"
    assert first(online(falling("A", 15), 7.5), "A-1") == "1.50"


# Step 2.


@pytest.mark.parametrize(
    ("limit", "award"),
    [
        # The steps as printed: "Open 1.0, 300+ 0.8, 200 0.7, 50 0.6, 20 0.5, 10 0.4, 5 0.3".
        *[("open", "1.00"), (300, "0.80"), (200, "0.70"), (50, "0.60"), (20, "0.50"), (10, "0.40"), (5, "0.30")],
        # Those of the examples.
        *[(399, "0.80"), (199, "0.70")],
        # Between two steps the upper one holds.
        *[(201, "0.80"), (51, "0.70"), (21, "0.60"), (11, "0.50"), (6, "0.40"), (3, "0.30"), (5000, "0.80")],
    ],
)
def test_limited_games_pay_a_part_of_the_open_award(limit: object, award: str) -> None:
    assert first(online(mitchell(10), 10, limit=limit)) == award


@pytest.mark.parametrize(
    ("special", "award"),
    [
        *[(None, "1.00"), ("normal", "1.00"), ("stardust", "1.00"), ("nap", "1.00"), ("popup", "1.00")],
        ("silver-linings", "1.50"),
        *[("junior-fund", "2.00"), ("grass-roots", "2.00"), ("charity", "2.00"), ("education-fund", "2.00")],
        *[("nabc-fundraiser", "2.00"), ("international-fund", "2.00"), ("club-appreciation", "2.00")],
    ],
)
def test_special_games_pay_a_multiple(special: str | None, award: str) -> None:
    assert first(online(mitchell(10), 10, special=special)) == award


def test_the_misprinted_examples_of_a_single_section() -> None:
    # "Open Normal, Mitchell, 10 tables: MP1 1.0, M 1.0, R 1.0, MP2 1.0": 1.0 x 1.0 x 1.0.
    assert first(online(mitchell(10), 10)) == "1.00"
    # "399 Silver Linings, Mitchell, 30 tables: MP1 2.5, M 0.8, R 1.5, MP2 1.2". The formula gives
    # 2.5 x 0.8 x 1.5 = 3.00. The 1.2 is 1.0 x 0.8 x 1.5: the row of the same game at 10 tables, printed under
    # Multiple Sections, was copied here.
    thirty = online(mitchell(30), 30, limit=399, special="silver-linings")
    assert first(thirty) == "3.00"
    assert "0.10 x 30 = 3.00, capped at 2.50, x 0.8 for the limit 399, x 1.50" in thirty.candidates["factors"].iloc[0]
    assert first(online(mitchell(10), 10, limit=399, special="silver-linings")) == "1.20"
    # "199 Grassroots, Howell, 15 tables: MP1 2.5, M 0.7, R 2.0, MP2 1.4". The formula gives 2.5 x 0.7 x 2.0 = 3.50;
    # the 1.4 is 1.0 x 0.7 x 2.0, of 10 tables again.
    fifteen = online(falling("A", 30), 15, limit=199, special="grass-roots")
    assert first(fifteen, "A-1") == "3.50"
    assert first(online(mitchell(10), 10, limit=199, special="grass-roots")) == "1.40"


# Several sections.


@pytest.mark.parametrize(
    ("limit", "special", "section", "overall"),
    [
        # "Open Normal .1 x 10 x 1.0 x 1.0 = 1.0", "399 Silver Linings .1 x 10 x 0.8 x 1.5 = 1.2" and "199 Grassroots
        # .1 x 10 x 0.7 x 2.0 = 1.4"; overall by Steps 1 and 2 with all 20 tables: MP1 2.0, times L and R.
        ("open", "normal", "1.00", "2.00"),
        (399, "silver-linings", "1.20", "2.40"),
        (199, "grass-roots", "1.40", "2.80"),
    ],
)
def test_the_examples_of_several_sections(limit: object, special: str, section: str, overall: str) -> None:
    result = online(mitchell(10, "A") + mitchell(10, "B", top=60), "A=10, B=10", limit=limit, special=special)
    for name in ("A-NS-1", "A-EW-1"):
        assert candidates(result, name) == {"overall A": overall, "section A": section}
        assert paid(result)[name] == f"{overall} overall A"
    # B's best are eleventh overall, beyond six places: the section pays them.
    for name in ("B-NS-1", "B-EW-1"):
        assert paid(result)[name] == f"{section} section A"


def test_the_overall_award_is_capped_and_a_section_is_paid_in_full_below_it() -> None:
    result = online(mitchell(14, "A") + mitchell(14, "B", top=60), "A=14, B=14")
    # 28 tables: 2.80, capped at 2.50; 14 of a section: 1.40.
    assert candidates(result, "A-NS-1") == {"overall A": "2.50", "section A": "1.40"}
    assert candidates(result, "B-NS-1") == {"section A": "1.40"}


def test_a_section_award_that_beats_an_overall_one() -> None:
    # A has 10 tables and B 4: 14 pay 1.40 overall, 70%, 50%, 35%, 20%, 16.67% below. B's best is fifth overall:
    # 1.40 / 5 = 0.28; first of its section: 0.40.
    rows = mitchell(10, "A") + mitchell(4, "B", top=69.65)
    assert candidates(online(rows, "A=10, B=4"), "B-NS-1") == {"section A": "0.40", "overall A": "0.28"}


def test_a_higher_percentage_may_win_less_in_another_section() -> None:
    # Both sections have 10 tables; B's best has 60%, A's fourth 69.7%. Overall 20 tables: fourth pays 35% of 2.00.
    # Without it A's fifth (69.6%) would get nothing at all: overall fifth, 2.00 / 5.
    result = online(mitchell(10, "A") + mitchell(10, "B", top=60), "A=10, B=10")
    got = paid(result)
    assert (got["A-NS-4"], got["A-NS-5"], got["A-NS-7"]) == ("0.70 overall A", "0.40 overall A", "0.00")
    assert got["B-NS-1"] == "1.00 section A"


# Places.


def test_lower_places_follow_from_the_rounded_first_award() -> None:
    # "The 2nd place award is 70%, 3rd is 50% of 1st, 4th is 35%, 5th is 20% and 6th is 16.6%, etc."; 0.40 x 18 = 7.2
    # places. Of 1.80: 1.26, 0.90, 0.63, 0.36, 0.30 and 1.80 / 7 = 0.257.
    assert ladder(online(mitchell(18), 18), "A-NS") == ["1.80", "1.26", "0.90", "0.63", "0.36", "0.30", "0.26"]
    # 13 tables at 200 in a Silver Linings game: 1.3 x 0.7 x 1.5 = 1.365, first 1.37; third 0.685 from it, not 0.6825.
    silver = online(mitchell(13), 13, limit=200, special="silver-linings")
    assert ladder(silver, "A-NS") == ["1.37", "0.96", "0.69", "0.48", "0.27"]


def test_overall_places_are_six_at_most() -> None:
    # 20 tables, first 2.00: 70%, 50%, 35%, 20% and 16.67%. A's 7th and 8th get nothing: four places of ten pay.
    result = online(mitchell(10, "A") + mitchell(10, "B", top=60), "A=10, B=10")
    assert ladder(result, "A-NS") == ["2.00", "1.40", "1.00", "0.70", "0.40", "0.33"]


def test_overall_places_by_steps_is_a_reading_of_its_own(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[overall.scale]\nvalue = "steps"\n')
    result = online(mitchell(10, "A") + mitchell(10, "B", top=60), "A=10, B=10", rulebook=own)
    # 2.00, then 75% a step: 1.50, 1.125, 0.84375, 0.6328, 0.4746.
    assert ladder(result, "A-NS") == ["2.00", "1.50", "1.13", "0.84", "0.63", "0.47"]


def test_ties_share_as_in_any_club_game() -> None:
    # Two tied for first of ten: (1.00 + 0.70) / 2.
    rows = [row.replace("A-NS-2 . 69.90%", "A-NS-2 . 70.00%") for row in mitchell(10)]
    assert ladder(online(rows, 10), "A-NS") == ["0.85", "0.85", "0.50", "0.35"]


# Strata.


def strata() -> list[str]:
    """Return ten tables whose first three of each direction are in A, the next three in B and the others in C."""
    letters = {place: "A" if place <= 3 else "B" if place <= 6 else "C" for place in range(1, 11)}
    return [row.replace(" . ", f" {letters[int(row.split()[0].split('-')[2])]} ") for row in mitchell(10)]


def test_lower_strata_pay_by_their_own_contestants_and_limits() -> None:
    result = online(strata(), 10, strata="A=open, B=750, C=50", special="charity")
    # A: 10 x .1 x 2.0; B: 7 of B and C in each direction, x 0.8; C: 4, x 0.6.
    assert first(result, "A-NS-1") == "2.00"
    assert candidates(result, "A-NS-4") == {"section B": "1.12", "section A": "0.70"}
    # B pays three places (0.40 x 7 = 2.8), 50% of 1.12 for 3rd; C two (0.40 x 4 = 1.6).
    assert candidates(result, "A-NS-6") == {"section B": "0.56"}
    assert candidates(result, "A-NS-7") == {"section C": "0.48"}
    assert places(result, "A-NS-7") == {"section A": "7 of 10", "section B": "4 of 7", "section C": "1 of 4"}


# Concurrent games.


def test_tables_of_concurrent_limited_games_are_added_to_an_open_game() -> None:
    # A Mitchell of 10 with 6 and 4 1/2 (5 in each direction) beside it: 21 x .1. The depth is that of its own 10.
    result = online(mitchell(10), 10, concurrent_tables="300=6, 100=4.5")
    assert ladder(result, "A-NS") == ["2.10", "1.47", "1.05", "0.74"]
    assert "0.10 x (10 + 11 of concurrent games) = 2.10" in result.candidates["factors"].iloc[0]
    # A Howell of 5 with 2 1/2: 7.5 x .2.
    assert first(online(falling("A", 10), 5, concurrent_tables="300=2.5"), "A-1") == "1.50"
    # The cap is for the sum.
    assert first(online(mitchell(20), 20, concurrent_tables="300=6")) == "2.50"


@pytest.mark.parametrize("concurrent", ["open=8", "none"])
def test_open_games_are_not_credited_with_each_other(concurrent: str) -> None:
    assert first(online(mitchell(10), 10, concurrent_tables=concurrent)) == "1.00"


def test_a_limited_game_is_credited_with_nothing() -> None:
    assert first(online(mitchell(10), 10, limit=300, concurrent_tables="open=12, 100=6")) == "0.80"


def test_of_several_sections_the_overall_award_is_credited() -> None:
    result = online(mitchell(7, "A") + mitchell(7, "B", top=60), "A=7, B=7", concurrent_tables="300=5")
    # 7 + 7 + 5 tables overall, 7 in the section.
    assert candidates(result, "A-NS-1") == {"overall A": "1.90", "section A": "0.70"}


def test_lower_strata_are_credited_only_where_a_rulebook_says_so(tmp_path: Path) -> None:
    keys = {"strata": "A=open, B=300, C=50", "concurrent_tables": "300=6, 100=4"}
    result = online(strata(), 10, **keys)
    assert (first(result, "A-NS-1"), first(result, "A-NS-4", "section B")) == ("2.00", "0.56")
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.strata]\nvalue = "all"\n')
    result = online(strata(), 10, **keys, rulebook=own)
    # A: 10 + 6 + 4. B: 7 + 6 + 4, x 0.8 = 1.36. C: 4, as neither game is limited to 50, x 0.6.
    assert first(result, "A-NS-1") == "2.00"
    assert first(result, "A-NS-4", "section B") == "1.36"
    assert first(result, "A-NS-7", "section C") == "0.24"


def test_games_are_credited_each_with_its_own() -> None:
    rows = mitchell(10)
    credits = ["300=6", "300=1", None, "50=2, open=9"]
    awards = [first(online(rows, 10, concurrent_tables=declared)) for declared in credits]
    assert awards == ["1.60", "1.10", "1.00", "1.20"]


# Silver Linings, and days.


@pytest.mark.parametrize(
    ("day", "award"), [("2020-05-25", "3.00"), ("2020-05-31", "3.00"), ("2020-06-01", "1.50"), ("2021-11-01", "1.50")]
)
def test_the_first_silver_linings_week_paid_three_times_the_award(day: str, award: str) -> None:
    result = online(mitchell(10), 10, special="silver-linings", date=day)
    assert first(result) == award
    assert result.awards is not None
    assert (result.awards["silver"] == result.awards["masterpoints"]).all()
    assert (result.awards["black"] == 0).all()


def test_the_first_silver_linings_week_had_no_overall_awards() -> None:
    rows = mitchell(10, "A") + mitchell(10, "B", top=60)
    result = online(rows, "A=10, B=10", special="silver-linings", date="2020-05-27")
    assert candidates(result, "A-NS-1") == {"section A": "3.00"}
    after = online(rows, "A=10, B=10", special="silver-linings", date="2020-06-10")
    assert candidates(after, "A-NS-1") == {"overall A": "3.00", "section A": "1.50"}
    charity = online(rows, "A=10, B=10", special="charity", date="2020-05-27")
    assert candidates(charity, "A-NS-1") == {"overall A": "4.00", "section A": "2.00"}


def test_before_it_there_was_none() -> None:
    with pytest.raises(DeclarationError, match="'silver-linings' is no special online game of that day"):
        online(mitchell(10), 10, special="silver-linings", date="2020-05-24")


@pytest.mark.parametrize("special", [None, "charity", "handicap"])
def test_other_games_pay_black_points(special: str | None) -> None:
    result = online(mitchell(10), 10, special=special)
    assert result.awards is not None
    assert (result.awards["black"] == result.awards["masterpoints"]).all()


def test_the_day_must_be_known() -> None:
    with pytest.raises(DeclarationError, match="date is not declared"):
        online(mitchell(10), 10, date=None)
    with pytest.raises(DeclarationError, match="no rulebook covers a club-online game on 2019-12-31"):
        online(mitchell(10), 10, date="2019-12-31")


# What cannot be.


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ("silver-lining", "did you mean 'silver-linings'"),
        ("introductory", "no special online game"),
        ("charity, silver-linings", "not charity and silver-linings at once"),
    ],
)
def test_special_games_that_are_not_known(special: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        online(mitchell(10), 10, special=special)


@pytest.mark.parametrize("event_type", ["individual", "bam", "swiss"])
def test_only_pairs_are_awarded(event_type: str) -> None:
    with pytest.raises(DeclarationError, match=f"no awards for a {event_type} event"):
        online(falling("A", 4), 4, event_type=event_type)


def test_a_handicap_game_may_be_a_special_one() -> None:
    rows = [f"{row} h=5" if row.startswith("A-NS-5 ") else row for row in mitchell(10)]
    result = online(rows, 10, special="charity, handicap")
    # Fifth by raw score, of four that pay; first with its handicap of 5: 1.00 x 2.0.
    assert candidates(result, "A-NS-5") == {"handicap section A": "2.00"}


# The rulebook.


def test_it_shares_what_it_has_in_common_with_club_games() -> None:
    own, club = rulebook("acbl-online-club"), rulebook("acbl-club")
    assert own.extends == "acbl-club"
    shared = {path for path, versions in own.entries.items() if versions is club.entries.get(path)}
    assert shared == {
        *("section.percentages", "section.depth", "overall.field", "overall.step", "overall.places"),
        *("stratum.least-in-game", "ties.beyond-depth", "bonus.factor", "handicap.added", "concurrent.half-table"),
        *("series.games", "series.points", "series.rate", "series.tied-winners", "series.step", "series.places"),
    }


def test_it_has_no_rate_or_cap_of_other_club_games() -> None:
    own, club = rulebook("acbl-online-club").entries, rulebook("acbl-club").entries
    assert own.keys() & {path for path in club if ".cap." in path or ".rate." in path or "limited." in path} == set()
    assert {"section.cap.club-online", "overall.cap.club-online", "series.cap.club-online", "limited.factor"} <= set(
        own
    )


def test_half_tables_of_concurrent_games(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.half-table]\nvalue = 0\n')
    # 10 and 4 1/2 tables: 14 with half a table lost, and 15.
    assert first(online(mitchell(10), 10, concurrent_tables="100=4.5", rulebook=own)) == "1.40"
    assert first(online(mitchell(10), 10, concurrent_tables="100=4.5")) == "1.50"


def test_every_group_is_credited_within_the_limit(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.strata]\nvalue = "within the limit"\n')
    result = online(mitchell(7, "A") + mitchell(7, "B", top=60), "A=7, B=7", concurrent_tables="300=5", rulebook=own)
    assert candidates(result, "A-NS-1") == {"overall A": "1.90", "section A": "1.20"}
    assert first(online(mitchell(7), 7, limit=300, concurrent_tables="300=5", rulebook=own)) == "0.96"  # 12 x .1 x .8


def test_a_club_can_change_a_value(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[bonus.factor]\nvalue = 1.1\n')
    assert first(online(mitchell(10), 10, special="charity", rulebook=own)) == "2.20"
