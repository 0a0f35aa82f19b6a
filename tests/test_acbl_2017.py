"""Club games of 2017, worked by hand from the factors that the scoring program left in its files."""

from dataclasses import replace
from pathlib import Path

import pytest
from games import awarded, candidates, falling, ladder, mitchell, paid, places, ranked, rulebook_file, sheet

from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.keys import declared_value
from resultproc.stages.pipeline import award_sheet

DAY = "2017-08-12"


def club(rows: list[str] | str, **keys: object) -> Result:
    return awarded(rows, **{"date": DAY, **keys})


def nap(rows: list[str] | str, **keys: object) -> Result:
    return club(rows, **{"rating": "club-championship", "special": "nap-club", **keys})


def colours(result: Result, name: str) -> dict[str, str]:
    assert result.awards is not None
    row = result.awards.iloc[list(paid(result)).index(name)]
    return {c: f"{row[c] / 100:.2f}" for c in ("black", "red", "gold") if row[c]}


# Which rulebook holds.


@pytest.mark.parametrize(
    ("date", "rating", "book"),
    [
        ("2016-12-31", "club-open", "acbl-club"),
        ("2017-01-01", "club-open", "acbl-2017"),
        ("2017-12-31", "club-newcomer", "acbl-2017"),
        ("2018-01-01", "club-open", "acbl-2017"),
        ("2018-12-31", "club-restricted", "acbl-2017"),
        ("2019-01-01", "club-open", "acbl-club"),
        (None, "club-open", "acbl-club"),
        ("2016-12-31", "club-championship", "acbl-general-formula-2015"),
        ("2017-06-01", "club-championship", "acbl-2017-special"),
        ("2017-06-01", "unit-championship", "acbl-2017-special"),
        ("2017-06-01", "sectional", "acbl-general-formula-2015"),
        ("2017-01-01", "club-championship", "acbl-2017-special"),
        ("2017-12-31", "club-championship", "acbl-2017-special"),
        ("2018-01-01", "club-championship", "acbl-2017-special"),
        ("2018-12-31", "unit-championship", "acbl-2017-special"),
        ("2018-12-31", "sectional", "acbl-general-formula-2015"),
        ("2019-01-01", "club-championship", "acbl-general-formula-2019"),
    ],
)
def test_the_rulebook_of_the_day(date: str | None, rating: str, book: str) -> None:
    game = ranked(sheet(falling("A", 8), date=date, rating=rating, tables=4, limit=20))
    assert game.games["rulebook"].tolist() == [book]


# Regular games.


@pytest.mark.parametrize(
    ("limit", "first"),
    [
        # The percentages of the open rate that the files have, where ten contestants at 0.10 are 1.00.
        *[(5, "0.30"), (10, "0.40"), (20, "0.50"), (50, "0.60"), (110, "0.60"), (200, "0.70"), (300, "0.80")],
        *[(1000, "0.80"), (2000, "0.80"), ("open", "1.00")],
        # In between as in the Handbook, "0-200" and "above 200".
        *[(199, "0.70"), (250, "0.80")],
    ],
)
def test_the_rate_goes_by_the_limit(limit: object, first: str) -> None:
    rating = "club-open" if limit == "open" else "club-restricted"
    assert ladder(club(falling("A", 10), rating=rating, tables=5, limit=limit), "A-1")[0] == first


@pytest.mark.parametrize(
    ("keys", "contestants", "first"),
    [
        ({}, 16, "1.50"),  # 1.60
        ({"rating": "club-restricted", "limit": 300}, 16, "1.20"),  # 1.28
        ({"rating": "club-restricted", "limit": 50}, 18, "1.08"),
        ({"rating": "club-restricted", "limit": 50}, 22, "1.20"),  # 1.32
        ({"rating": "club-restricted", "limit": 20}, 22, "1.00"),  # 1.10
        ({"rating": "club-newcomer", "limit": 20}, 22, "1.00"),
        ({"rating": "club-newcomer", "limit": 5, "special": "pupil"}, 6, "0.12"),
        ({"rating": "club-newcomer", "limit": 5, "special": "pupil"}, 26, "0.50"),  # 0.52
        ({"rating": "club-invitational"}, 10, "0.80"),
    ],
)
def test_caps(keys: dict[str, object], contestants: int, first: str) -> None:
    assert ladder(club(falling("A", contestants), tables=contestants / 2, **keys), "A-1")[0] == first


@pytest.mark.parametrize(("limit", "first"), [(300, "2.00"), (20, "1.67")])
def test_caps_of_overall_awards(limit: int, first: str) -> None:
    # 40 tables at 0.08 are 3.20, at 0.05 2.00; a section of 20 pays 1.20, or 1.00, at most.
    rows = mitchell(20, "A") + mitchell(20, "B", top=60)
    result = club(rows, rating="club-restricted", tables="A=20, B=20", limit=limit)
    assert candidates(result, "A-NS-1")["overall A"] == first


def test_a_lower_stratum_pays_from_five_in_the_game_or_three_in_the_group() -> None:
    rows = [f"A-NS-{n} {'C' if n > 5 else 'A'} {60 - n}%" for n in range(1, 9)]
    rows += [f"A-EW-{n} {'C' if n == 8 else 'A'} {60 - n}%" for n in range(1, 9)]
    four = club(rows, tables=8, strata="A=open, C=200")
    assert places(four, "A-NS-6")["section C"] == "1 of 3"
    assert paid(four)["A-NS-6"] == "0.21 section C"  # 3 x .07
    assert "section C" not in places(four, "A-EW-8")
    rows[-2] = rows[-2].replace(" A ", " C ")
    five = club(rows, tables=8, strata="A=open, C=200")
    assert paid(five)["A-EW-7"] == "0.14 section C"  # 2 x .07


def test_an_open_game_is_credited_with_the_limited_one_beside_it() -> None:
    # 5 and 6 tables: 11 x .10 for the first N-S of 5, of whom two are paid; B and the limited game as if alone.
    rows = [f"A-{side}-{n} {'B' if n > 2 else 'A'} {60 - n}%" for side in ("NS", "EW") for n in range(1, 6)]
    keys = {"tables": 5, "strata": "A=open, B=2000"}
    for beside in ("300=6", "6"):
        result = club(rows, **keys, concurrent_tables=beside)
        assert ladder(result, "A-NS") == ["1.10", "0.77", "0.24"]  # 3 x .08
    assert ladder(club(rows, **keys), "A-NS") == ["0.50", "0.35", "0.24"]
    limited = {"rating": "club-restricted", "limit": 300}
    assert paid(club(mitchell(6), tables=6, concurrent_tables="open=5", **limited))["A-NS-1"] == "0.48 section A"


def test_no_credit_where_a_rulebook_says_so(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-2017"\n[concurrent.strata]\nvalue = "none"\n')
    rows = [f"A-{side}-{n} {'B' if n > 2 else 'A'} {60 - n}%" for side in ("NS", "EW") for n in range(1, 6)]
    keys = {"tables": 5, "strata": "A=open, B=2000", "concurrent_tables": "300=6"}
    assert ladder(club(rows, **keys, rulebook=own), "A-NS") == ["0.50", "0.35", "0.24"]


def test_a_pupil_game_is_one_whatever_else_it_is() -> None:
    keys = {"rating": "club-newcomer", "limit": 5, "special": "introductory, pupil", "tables": 5}
    assert ladder(club(falling("A", 10), **keys), "A-1")[0] == "0.20"
    assert ladder(club(falling("A", 10), **{**keys, "special": "introductory"}), "A-1")[0] == "0.30"


def test_regular_games_pay_black() -> None:
    assert colours(club(falling("A", 10), tables=5), "A-1") == {"black": "1.00"}


# Games that qualify for the North American Pairs, at clubs.


def test_a_mitchell_of_eight_tables() -> None:
    result = nap(falling("A-NS", 8) + falling("A-EW", 8, top=60), tables=8)
    # 9 x 1.25 x 18/60 = 3.375 first of all 16, then three quarters each; five places.
    # In each direction half of it, by 8 contestants, 1.6875: 1.18, .85; three places of eight (3.2).
    assert ladder(result, "A-NS") == ["3.38", "2.54", "1.90", "1.43", "1.07"]
    assert ladder(result, "A-EW") == ["1.69", "1.18", "0.85"]


def test_a_howell_counts_tables_overall_and_contestants_in_its_section() -> None:
    result = nap(falling("A", 12), tables=6)
    # 9 x 1.25 x 16/60 = 3.00; 0.5 x 9 x 1.25 x 22/60 = 2.0625.
    assert candidates(result, "A-1") == {"overall A": "3.00", "section A": "2.06"}


def test_strata() -> None:
    # Of 16 pairs 10 are in B (0-2500: M .70) and 6 in C (0-500: M .50); 5 and 3 in each direction.
    letters = "AAABBCCC"
    rows = [f"A-{s}-{n} {letters[n - 1]} {62 - n - (s == 'EW') / 10:.1f}%" for s in ("NS", "EW") for n in range(1, 9)]
    result = nap(rows, tables=8, strata="A=open, B=2500, C=500")
    # 9 x .875 x 15/60 = 1.96875 on 5 tables, and half of that on 5 contestants.
    assert candidates(result, "A-NS-4") == {"overall B": "1.97", "section B": "0.98"}
    # 9 x .625 x 13/60 = 1.21875 on 3 tables, half of it on 3 contestants; 5th in B gets nothing, four places are paid.
    assert candidates(result, "A-NS-6") == {"overall C": "1.22", "section C": "0.61"}
    assert candidates(result, "A-EW-6") == {"overall C": "0.92", "section C": "0.61"}


def test_a_half_table_counts_for_the_top_stratum_alone() -> None:
    # 7 1/2 tables: E-W 7 pairs count as 8, the 5 of B as 5: 0.5 x 9 x .875 x 15/60.
    rows = falling("A-NS", 8, "A", top=60) + falling("A-EW", 7, "B", top=50)
    rows[8:10] = ["A-EW-1 A 70%", "A-EW-2 A 69%"]
    result = nap(rows, tables=7.5, strata="A=open, B=2500")
    assert places(result, "A-EW-1")["section A"] == "1 of 8"
    assert candidates(result, "A-EW-3")["section B"] == "0.98"


def test_who_is_not_eligible_does_not_count_as_a_table_overall() -> None:
    # 16 pairs, one out: 7 1/2 tables, which are 8; with two out 7: 9 x 1.25 x 17/60 = 3.1875.
    rows = falling("A-NS", 8) + falling("A-EW", 8, top=60)
    rows[5] += " out"
    assert candidates(nap(rows, tables=8), "A-NS-1")["overall A"] == "3.38"
    rows[6] += " out"
    assert candidates(nap(rows, tables=8), "A-NS-1")["overall A"] == "3.19"


@pytest.mark.parametrize(
    ("tables", "places_paid"),
    # First 9 x 1.25 x 29/60 = 5.44 or 30/60 = 5.63; seventh .17798 of it: 0.97 or 1.00, the least that is given.
    [(19, 6), (20, 7)],
)
def test_more_than_six_places_pay_while_they_are_worth_a_point(tables: int, places_paid: int) -> None:
    result = nap(falling("A-NS", tables) + falling("A-EW", tables, top=60), tables=tables)
    overall = result.candidates[result.candidates["basis"] == "overall"]
    assert overall["position"].max() == places_paid


@pytest.mark.parametrize(("beside", "first"), [(None, "5.06"), ("4", "5.81"), ("750=4", "5.81"), ("6", "6.19")])
def test_credited_tables(beside: str | None, first: str) -> None:
    # 9 x 1.25 x B of 17, 21 and 23 tables: 27, 31 and 33 sixtieths; in the section always B of 17.
    result = nap(falling("A-NS", 17) + falling("A-EW", 17, top=60), tables=17, concurrent_tables=beside)
    assert candidates(result, "A-NS-1") == {"overall A": first, "section A": "2.53"}


def test_ties_share_rounded_places() -> None:
    # First and second: 3.38 and 2.535, rounded 2.54: 5.92 / 2.
    assert paid(nap(mitchell(8), tables=8))["A-NS-1"] == "2.96 overall A"


# Colours.


def test_half_red_and_the_odd_hundredth_too() -> None:
    result = nap(falling("A", 10), tables=5)
    # 9 x 1.25 x 15/60 = 2.8125; 2.11; 1.58.
    assert paid(result)["A-1"] == "2.81 overall A"
    assert colours(result, "A-1") == {"black": "1.40", "red": "1.41"}
    assert colours(result, "A-3") == {"black": "0.79", "red": "0.79"}


def test_red_is_kept_and_black_tops_it_up() -> None:
    # Up to 500 half is red, up to 200 all is black. The second pair of 10 is the first of six in D:
    # C second overall 9 x .625 x 15/60 = 1.41 x .75 = 1.06, so .53 red; D first 9 x .53125 x 13/60 = 1.04.
    rows = [f"A-{n} {'D' if n in (2, 4, 7, 8, 9, 10) else 'C'} {70 - n}%" for n in range(1, 11)]
    result = nap(rows, tables=5, limit=500, strata="C=500, D=200")
    assert paid(result)["A-2"] == "1.06 overall C"
    assert colours(result, "A-2") == {"black": "0.53", "red": "0.53"}
    # The fourth is D's second: .78 black. C fourth pays .59 overall (and .33 in the section), .30 of it red.
    assert paid(result)["A-4"] == "0.78 overall D"
    assert colours(result, "A-4") == {"black": "0.48", "red": "0.30"}


@pytest.mark.parametrize(("limit", "red"), [(300, "0.57"), (200, None)])
def test_strata_up_to_300_pay_red(limit: int, red: str | None) -> None:
    result = nap(falling("A", 8), tables=4, limit=limit)
    # 9 x 1.25 x M x 14/60: M .45 gives 1.18, half of it .59; M .425 gives 1.12, all black.
    assert colours(result, "A-1") == ({"black": "0.59", "red": "0.59"} if red else {"black": "1.12"})


# Units' qualifying finals, of two sessions.

FINAL = {"rating": "unit-championship", "special": "nap-unit", "sessions": 2, "date": "2017-10-15"}


def test_a_final_pays_gold_for_overall_awards_and_section_tops() -> None:
    # Nine pairs up to 2500: B of 5 tables is 15/60; 9 x 1.5 x .875 x 15/60 = 2.953125.
    # A session by 9 contestants: 0.5 x 9 x .875 x 19/60 = 1.246875: 1.25, .88, .63, .44.
    sessions = [(9, 9), (8, 0), (7, 4), (6, 8), (5, 5), (4, 6), (3, 7), (2, 3), (1, 1)]
    rows = [f"A-{n} . . s={40 + one}/{40 + two}" for n, (one, two) in enumerate(sessions, 1)]
    result = awarded(rows, tables=4.5, limit=2500, **FINAL)
    # Both sections won: 2.50, less than 2.95; a tenth of it gold.
    assert paid(result)["A-1"] == "2.95 overall A"
    assert colours(result, "A-1") == {"red": "2.65", "gold": "0.30"}
    # A-4 was 4th and 2nd, .44 + .88 = 1.32; with 14 it is second over all: 2.95 x .75 = 2.21.
    assert paid(result)["A-4"] == "2.21 overall A"
    # A-2 was second of the first session and is seventh over all, where four places pay: .88, all red.
    assert paid(result)["A-2"] == "0.88 session 1 A"
    assert colours(result, "A-2") == {"red": "0.88"}


@pytest.mark.parametrize(("limit", "gold"), [("open", "0.36"), (2500, "0.13"), (500, "0.04")])
def test_a_session_of_an_unfinished_final(limit: object, gold: str) -> None:
    # Nine pairs: 0.5 x 9 x 1.25 x M x 19/60 is 1.78, 1.25 (M .7) or .89 (M .5); a fifth, tenth, twentieth is gold.
    rows = [f"A-{n} . . s={60 - n}" for n in range(1, 10)]
    keys = {**FINAL, "special": "nap-unit, unfinished", "tables": 4.5, "limit": limit}
    result = awarded(rows, **keys)
    assert paid(result)["A-1"].split()[1:] == ["session", "1", "A"]
    assert colours(result, "A-1")["gold"] == gold
    assert "gold" not in colours(result, "A-2")
    assert not result.candidates["basis"].eq("overall").any()
    assert result.standings["basis"].eq("overall").any()


def test_a_finished_final_needs_every_session() -> None:
    rows = [f"A-{n} . . s={60 - n}" for n in range(1, 10)]
    with pytest.raises(InputError, match="no score for every session"):
        awarded(rows, tables=4.5, limit=500, **FINAL)


def test_an_unfinished_final_needs_those_that_others_have() -> None:
    rows = [f"A-{n} . . s={60 - n}/50" for n in range(1, 9)] + ["A-9 . . s=40"]
    with pytest.raises(InputError, match="A 9 has no score for every session"):
        awarded(rows, tables=4.5, **{**FINAL, "sessions": 3, "special": "nap-unit, unfinished"})


# Sections that were ranked together.


def test_sections_ranked_together() -> None:
    rows = mitchell(5, "A") + mitchell(5, "B", top=65) + mitchell(5, "C", top=60)
    alone = sheet(rows, rating="club-championship", special="nap-club", date=DAY, tables="A=5, B=5, C=5")
    together = replace(alone, games=alone.games.assign(stored_ranked_with="A=A, B=A, C=C"))
    result = award_sheet(together)
    assert places(result, "B-NS-1")["section A"] == "6 of 10"
    assert places(result, "C-NS-1")["section A"] == "1 of 5"
    # Four of ten are paid: 0.5 x 9 x 1.25 x 20/60 = 1.875.
    assert candidates(result, "A-NS-1")["section A"] == "1.88"
    assert "section A" not in candidates(result, "B-NS-1")
    assert places(award_sheet(alone), "B-NS-1")["section A"] == "1 of 5"


@pytest.mark.parametrize(("text", "spelled"), [("4", "4"), (" 2.5 ", "2.5"), ("none", "none"), ("300=6", "300=6")])
def test_tables_whose_limits_are_not_said(text: str, spelled: str) -> None:
    assert declared_value("concurrent_tables", text) == spelled
