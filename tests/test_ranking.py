"""Positions: comparison groups, ties, strata, the ineligible, several sections and sessions; places worked by hand."""

import numpy as np
import pandas as pd
import pytest
from games import falling, mitchell, places, ranked, sheet

from resultproc.model.arrays import sorted_rows
from resultproc.model.errors import InputError
from resultproc.people.seated import labels


def section_places(*sheets):
    """Return the place of each contestant in its section's stratum A."""
    result = ranked(*sheets)
    found = {name: places(result, name) for name in labels(result.contestants)}
    return {name: stands["section A"] for name, stands in found.items() if stands}


def test_two_tied_for_second_are_followed_by_the_fourth():
    rows = "A-1 . 50\nA-2 . 60\nA-3 . 50\nA-4 . 40"
    expected = {"A-1": "2/3 of 4", "A-2": "1 of 4", "A-3": "2/3 of 4", "A-4": "4 of 4"}
    assert section_places(sheet(rows, tables=2)) == expected


def test_everybody_tied():
    assert set(section_places(sheet("A-1 . 7\nA-2 . 7\nA-3 . 7\nA-4 . 7", tables=2)).values()) == {"1/4 of 4"}


def test_directions_of_a_mitchell_are_compared_apart():
    rows = "A-NS-1 . 50\nA-NS-2 . 40\nA-EW-1 . 60\nA-EW-2 . 30"
    expected = {"A-NS-1": "1 of 2", "A-NS-2": "2 of 2", "A-EW-1": "1 of 2", "A-EW-2": "2 of 2"}
    assert section_places(sheet(rows, tables=2)) == expected


def test_directions_of_a_howell_are_not():
    rows = "A-NS-1 . 50\nA-NS-2 . 40\nA-EW-3 . 60\nA-EW-4 . 30"
    expected = {"A-1": "2 of 4", "A-2": "3 of 4", "A-3": "1 of 4", "A-4": "4 of 4"}
    assert section_places(sheet(rows, tables=2, movement="howell")) == expected


def test_a_mitchell_group_is_as_large_as_its_tables_and_a_howell_as_its_pairs():
    assert section_places(sheet("A-NS-1 . 50\nA-NS-2 . 40", tables=3.5))["A-NS-1"] == "1 of 4"
    assert section_places(sheet("A-1 . 50\nA-2 . 40\nA-3 . 30", tables=1.5))["A-1"] == "1 of 3"


def test_scores_that_differ_in_a_spreadsheets_last_digit_are_tied():
    rows = "A-1 . 60.10\nA-2 . 60.1000000001\nA-3 . 60.11\nA-4 . 50"
    expected = {"A-1": "2/3 of 4", "A-2": "2/3 of 4", "A-3": "1 of 4", "A-4": "4 of 4"}
    assert section_places(sheet(rows, tables=2)) == expected


def test_scores_decide_before_percentages_that_are_rounded():
    # 60.01 and 60.02 of 144 are both 41.67%.
    games, contestants = sheet("A-1 . 60.01\nA-2 . 60.02", tables=1)
    both = contestants.assign(percentage=41.67)
    assert section_places((games, both)) == {"A-1": "2 of 2", "A-2": "1 of 2"}


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_scores_decide_however_roundly_percentages_are_printed(decimals):
    # Of 216: 60.19, 56.25, 55.79, 50.93, 50.69, 6.94 and 6.90 percent, of which several are alike when rounded.
    scores = [130, 121.5, 120.5, 110, 109.5, 15, 14.9]
    games, contestants = sheet([f"A-{place} . {score}" for place, score in enumerate(scores, 1)], tables=3.5)
    both = contestants.assign(percentage=[float(round(score / 2.16, decimals)) for score in scores])
    assert section_places((games, both)) == {f"A-{place}": f"{place} of 7" for place in range(1, 8)}


def test_no_score_at_all_tells_nothing_of_the_maximum():
    games, contestants = sheet("A-1 . 0\nA-2 . 60.01\nA-3 . 60.02\nA-4 . 96", tables=2)
    both = contestants.assign(percentage=[0, 41.67, 41.68, 66.67])
    assert section_places((games, both))["A-3"] == "2 of 4"
    assert section_places((games, both.assign(percentage=[0, 42.0, 42, 67])))["A-3"] == "2 of 4"


@pytest.mark.parametrize("decimals", [0, 1])
def test_who_sat_out_is_found_by_rounded_percentages_too(decimals):
    # 120 of 192 is 62.5%, 130 of 216 is 60.2%.
    games, contestants = sheet("A-1 . 120\nA-2 . 130\nA-3 . 100\nA-4 . 82", tables=2)
    both = contestants.assign(percentage=[[62, 60, 46, 38], [62.5, 60.2, 46.3, 38.0]][decimals]).astype(
        {"percentage": "float64"}
    )
    assert section_places((games, both)) == {"A-1": "1 of 4", "A-2": "2 of 4", "A-3": "3 of 4", "A-4": "4 of 4"}


def test_who_sat_out_a_single_board_is_found_by_two_decimals():
    # Tops of 8: 36 boards are 288, 35 boards 280. 115 of 280 is 41.07%, 116 and 117 of 288 are 40.28% and 40.63%.
    games, contestants = sheet("A-1 . 115\nA-2 . 116\nA-3 . 117", tables=1.5)
    both = contestants.assign(percentage=[41.07, 40.28, 40.63])
    assert section_places((games, both)) == {"A-1": "1 of 3", "A-2": "3 of 3", "A-3": "2 of 3"}


def test_who_sat_out_more_boards_is_compared_by_percentage():
    # Tops of 8: 27 boards are 216, 24 boards 192. 120 of 192 is 62.5%, 130 of 216 is 60.19%.
    games, contestants = sheet("A-1 . 120\nA-2 . 130\nA-3 . 100\nA-4 . 82", tables=2)
    both = contestants.assign(percentage=[62.5, 60.19, 46.3, 37.96])
    assert section_places((games, both)) == {"A-1": "1 of 4", "A-2": "2 of 4", "A-3": "3 of 4", "A-4": "4 of 4"}
    # Where a percentage is missing, the scores must do.
    some = contestants.assign(percentage=[62.5, 60.19, 46.3, None])
    assert section_places((games, some))["A-2"] == "1 of 4"


def test_a_word_that_contains_handicap_makes_no_handicap_game():
    result = ranked(sheet("A-1 . 60% h=0\nA-2 . 58% h=9", tables=1, special="x-no-handicaps"))
    assert places(result, "A-1") == {"section A": "1 of 2"}


def test_imps_below_zero_are_ranked():
    expected = {"A-1": "3 of 4", "A-2": "2 of 4", "A-3": "1 of 4", "A-4": "4 of 4"}
    assert section_places(sheet("A-1 . -12\nA-2 . 0\nA-3 . 30\nA-4 . -18", tables=2)) == expected


def test_strata_nest():
    rows = "\n".join(["A-1 A 60", "A-2 C 59", "A-3 B 58", "A-4 C 57", "A-5 C 56", "A-6 B 55", "A-7 C 54", "A-8 C 53"])
    result = ranked(sheet(rows, tables=4, strata="A=open, B=1000, C=200"))
    assert {name: places(result, name) for name in ("A-1", "A-2", "A-3", "A-8")} == {
        "A-1": {"section A": "1 of 8"},
        "A-2": {"section A": "2 of 8", "section B": "1 of 7", "section C": "1 of 5"},
        "A-3": {"section A": "3 of 8", "section B": "2 of 7"},
        "A-8": {"section A": "8 of 8", "section B": "7 of 7", "section C": "5 of 5"},
    }


def test_a_tie_in_one_stratum_is_counted_in_each():
    rows = "\n".join(["A-1 A 60", "A-2 B 60", "A-3 B 60", "A-4 B 57", "A-5 B 56", "A-6 B 55"])
    result = ranked(sheet(rows, tables=3, strata="A=open, B=200"))
    assert places(result, "A-2") == {"section A": "1/3 of 6", "section B": "1/2 of 5"}


def test_a_stratum_of_four_pairs_in_the_game_was_not_ranked():
    rows = [*falling("A", 4, "B"), "A-5 A 40%", "A-6 A 39%"]
    result = ranked(sheet(rows, tables=3, strata="A=open, B=200", date="2010-12-31"))
    assert places(result, "A-1") == {"section A": "1 of 6"}


@pytest.mark.parametrize(
    ("date", "in_b", "placed"),
    [
        # So many of B sit N-S and E-W; until 2010 five in the game make a stratum, and nothing else does.
        ("2010-12-31", (3, 0), (False, False)),
        ("2010-12-31", (4, 1), (True, True)),
        # Three in one direction are enough there, and one alone is never ranked.
        ("2011-01-01", (3, 0), (True, False)),
        ("2011-01-01", (2, 1), (False, False)),
        ("2011-01-01", (2, 2), (False, False)),
        ("2011-01-01", (3, 1), (True, False)),
        ("2011-01-01", (3, 2), (True, True)),
        ("2011-01-01", (4, 1), (True, False)),
        ("2017-12-31", (3, 1), (True, False)),
        ("2018-01-01", (3, 1), (True, False)),
        ("2026-05-12", (2, 2), (False, False)),
        # Of 18 boards, so that nobody asks for the date: the rules of today.
        (None, (3, 1), (True, False)),
        (None, (3, 2), (True, True)),
    ],
)
def test_how_small_a_stratum_may_be(date, in_b, placed):
    rows = []
    for seat, count in zip(("A-NS", "A-EW"), in_b, strict=True):
        rows += [f"{seat}-{n} {'B' if n <= count else 'A'} {60 - n}%" for n in range(1, 7)]
    result = ranked(sheet(rows, tables=6, strata="A=open, B=200", date=date, boards=18))
    assert tuple("section B" in places(result, f"{seat}-1") for seat in ("A-NS", "A-EW")) == placed
    for seat, count in zip(("A-NS", "A-EW"), in_b, strict=True):
        if "section B" in places(result, f"{seat}-1"):
            assert places(result, f"{seat}-1")["section B"] == f"1 of {count}"


def test_three_of_one_direction_do_not_make_a_stratum_overall():
    # N-S over two sections, three of B in the first; the rulebook of fund games ranks them there, too.
    rows = [f"A-NS-{n} {'B' if n < 4 else 'A'} {60 - n}%" for n in range(1, 6)]
    rows += [f"{seat}-{n} A {50 - n}%" for seat in ("A-EW", "B-NS", "B-EW") for n in range(1, 6)]
    keys = {"tables": "A=5, B=5", "strata": "A=open, B=200", "date": "2011-06-13"}
    assert set(places(ranked(sheet(rows, **keys)), "A-NS-1")) == {"section A", "section B", "overall A"}
    fund = places(ranked(sheet(rows, **keys, rating="club-fund")), "A-NS-1")
    assert set(fund) == {"section A", "section B", "overall A", "overall B"}


def test_the_ineligible_are_listed_but_not_ranked():
    rows = "A-1 . 50\nA-2 . 60 out\nA-3 . 40\nA-4 . 30"
    result = ranked(sheet(rows, tables=2))
    assert places(result, "A-2") == {}
    assert places(result, "A-3") == {"section A": "2 of 4"}


def test_the_ineligible_do_not_make_a_stratum():
    # Four eligible pairs in B; the fifth is out.
    rows = [*falling("A", 4, "B"), "A-5 B 50% out", "A-6 A 40%"]
    keys = {"tables": 3, "strata": "A=open, B=200", "date": "2010-12-31"}
    assert places(ranked(sheet(rows, **keys)), "A-1") == {"section A": "1 of 6"}


# Several sections.


def test_sections_of_other_boards_are_compared_by_percentage():
    # 120 of 200 is 60%, 130 of 250 only 52%.
    games, contestants = sheet("A-1 . 120\nA-2 . 80\nB-1 . 130\nB-2 . 120", tables="A=1, B=1")
    contestants = contestants.assign(percentage=[60.0, 40.0, 52.0, 48.0])
    result = ranked((games, contestants))
    assert [places(result, name)["overall A"][0] for name in ("A-1", "A-2", "B-1", "B-2")] == ["1", "4", "2", "3"]


def test_sections_of_one_maximum_are_compared_by_score():
    # All of 144: 60.01 and 60.02 are both 41.67%.
    games, contestants = sheet("A-1 . 60.01\nA-2 . 83.99\nB-1 . 60.02\nB-2 . 83.98", tables="A=1, B=1")
    contestants = contestants.assign(percentage=[41.67, 58.33, 41.68, 58.32])
    result = ranked((games, contestants))
    assert [places(result, name)["overall A"][0] for name in ("A-1", "A-2", "B-1", "B-2")] == ["4", "1", "3", "2"]


def test_equal_sections_need_no_percentages():
    result = ranked(sheet("A-1 . 60\nA-2 . 80\nB-1 . 70\nB-2 . 50", tables="A=1, B=1"))
    assert places(result, "B-1")["overall A"] == "2 of 4"


def test_unequal_sections_without_percentages_are_refused():
    rows = "A-1 . 60\nA-2 . 80\nB-1 . 70\nB-2 . 50\nB-3 . 40\nB-4 . 30"
    with pytest.raises(
        InputError, match=r"^game.csv: line 1: contestant A 1 has no percentage to compare it with other"
    ):
        ranked(sheet(rows, tables="A=1, B=2"))


def test_imps_of_unequal_sections_are_compared_as_they_are():
    rows = "A-1 . 6\nA-2 . -6\nB-1 . 9\nB-2 . 3\nB-3 . -3\nB-4 . -9"
    result = ranked(sheet(rows, tables="A=1, B=2"))
    overall = {name: places(result, name)["overall A"][0] for name in labels(result.contestants)}
    assert overall == {"A-1": "2", "A-2": "5", "B-1": "1", "B-2": "3", "B-3": "4", "B-4": "6"}


def test_one_section_needs_no_percentages_beside_fields_of_several():
    # B is alone in its field; A and C are of one size.
    rows = "A-NS-1 . 60\nA-EW-1 . 80\nB-1 . 70\nB-2 . 50\nB-3 . 40\nB-4 . 30\nC-NS-1 . 66\nC-EW-1 . 77"
    result = ranked(sheet(rows, tables="A=1, B=2, C=1"))
    assert places(result, "C-NS-1") == {"section A": "1 of 1", "overall A": "1 of 2"}
    assert places(result, "B-1") == {"section A": "1 of 4"}


def test_a_handicap_game_without_percentages_is_refused():
    with pytest.raises(InputError, match="line 1: contestant A 1 has no percentage to add a handicap to"):
        ranked(sheet("A-1 . 60 h=1\nA-2 . 80", tables=1, special="handicap"))


# Several sessions.

TWO_SESSIONS = """
A-NS-1 . . s=60/50
A-NS-2 . . s=55/70
A-NS-3 . . s=50/55
A-EW-1 . . s=50/40
A-EW-2 . . s=45/65
A-EW-3 . . s=40/50
"""


def test_each_session_is_ranked_and_the_sections_are_not():
    result = ranked(sheet(TWO_SESSIONS, tables=3, sessions=2))
    assert {name: places(result, name) for name in ("A-NS-1", "A-NS-2", "A-EW-2")} == {
        "A-NS-1": {"session 1 A": "1 of 3", "session 2 A": "3 of 3"},
        "A-NS-2": {"session 1 A": "2 of 3", "session 2 A": "1 of 3"},
        "A-EW-2": {"session 1 A": "2 of 3", "session 2 A": "1 of 3"},
    }


def test_a_later_session_is_ranked_where_it_was_played():
    games, contestants = sheet(TWO_SESSIONS, tables=3, sessions=2)
    seats = pd.Series(["E-W", None, None, "N-S", None, "N-S"], dtype="str")
    result = ranked((games, contestants.assign(direction2=seats)))
    # Second session N-S: N-S 2 70, N-S 3 55, E-W 3 50, E-W 1 40. E-W: E-W 2 65, N-S 1 50.
    seconds = {name: places(result, name)["session 2 A"] for name in labels(result.contestants)}
    expected = {"A-NS-2": "1", "A-NS-3": "2", "A-EW-3": "3", "A-EW-1": "4", "A-EW-2": "1", "A-NS-1": "2"}
    assert {name: place.split()[0] for name, place in seconds.items()} == expected


# Many games.


def test_many_games_are_ranked_as_each_alone():
    first = sheet(
        "A-1 B 60\nA-2 A 60\nA-3 B 40\nA-4 B 30\nA-5 B 20\nA-6 B 10", "first", tables=3, strata="A=open, B=200"
    )
    second = sheet(mitchell(3), "second", tables=3)
    third = sheet("A-NS-1 . 5\nB-NS-1 . 7\nA-EW-1 . 9\nB-EW-1 . 8", "third", tables="A=1, B=1")
    alone = pd.concat([ranked(each).standings.assign(game=i) for i, each in enumerate((first, second, third))])
    together = ranked(first, second, third).standings
    compared = ["game", "basis", "stratum", "limit", "size", "ranked", "tables", "winners", "position", "tied"]
    assert sorted(map(tuple, together[compared].astype("str").to_numpy())) == sorted(
        map(tuple, alone[compared].astype("str").to_numpy())
    )


def test_groups_are_told_apart():
    result = ranked(sheet(mitchell(3) + mitchell(2, "B"), tables="A=3, B=2"))
    members = result.standings.groupby("group")[["basis", "size"]].agg(["first", "count"])
    told = sorted(zip(members["basis"]["first"], members["basis"]["count"], strict=True))
    # Four section groups of 3, 3, 2, 2, two overall ones of 5.
    assert told == [("overall", 5), ("overall", 5), ("section", 2), ("section", 2), ("section", 3), ("section", 3)]


def test_no_contestants_make_no_standings():
    games, contestants = sheet("A-1 . 5 out\nA-2 . 4 out", tables=1)
    assert len(ranked((games, contestants)).standings) == 0


@pytest.mark.parametrize("largest", [5, 2**40, 2**57, 2**61])
def test_rows_are_ordered_by_one_number_after_the_other(largest):
    """Whether the numbers fit into one together, with the row or without, or not; those alike keep their order."""
    rng = np.random.default_rng(1)
    first, second = rng.integers(-3, 3, 4000), rng.choice([-largest, 0, 1, largest], 4000)
    rows = sorted(range(4000), key=lambda row: (first[row], second[row]))
    assert sorted_rows(first, second).tolist() == rows
