"""Club games: every number that the Handbook's chapter and the game of 18 April 2012 print, and games worked by hand.

The figures come from the ACBL Handbook, chapter 4 (club masterpoint awards), from "How Scoring Works and Master Point
Awards" (the game of 2012), from results of 2026, or are worked in a comment: rounded half up, the first award before
those that follow from it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from games import HANDICAP, awarded, candidates, falling, ladder, mitchell, paid, places, sheet, together

from resultproc.model.errors import DeclarationError
from resultproc.reports.explain.explain import labels
from resultproc.stages.pipeline import award_sheet, process

FIXTURES = Path(__file__).parent.parent / "fixtures"

# The game of 18 April 2012: 9 tables, 27 boards, strata open / 200-1000 / 0-200.

GAME_2012 = """
A-NS-1 B 140.5
A-NS-2 B 64
A-NS-3 B 89.5
A-NS-4 C 86.5
A-NS-5 C 104.5
A-NS-6 B 133
A-NS-7 A 130
A-NS-8 A 122.5
A-NS-9 B 101.5
A-EW-1 A 117.5
A-EW-2 C 119.5
A-EW-3 B 116.5
A-EW-4 C 63
A-EW-5 A 109.5
A-EW-6 C 107
A-EW-7 C 105
A-EW-8 A 107.5
A-EW-9 B 126.5
"""


def game_2012():
    return awarded(GAME_2012, tables=9, boards=27, date="2012-04-18", strata="A=open, B=1000, C=200")


def test_the_game_of_2012_pays_what_its_sheet_prints():
    assert paid(game_2012()) == {
        "A-NS-1": "0.90 section A",
        "A-NS-2": "0.00",
        "A-NS-3": "0.00",
        "A-NS-4": "0.00",
        "A-NS-5": "0.28 section B",
        "A-NS-6": "0.63 section A",
        "A-NS-7": "0.45 section A",
        "A-NS-8": "0.32 section A",
        "A-NS-9": "0.00",
        "A-EW-1": "0.45 section A",
        "A-EW-2": "0.63 section A",
        "A-EW-3": "0.32 section A",
        "A-EW-4": "0.00",
        "A-EW-5": "0.00",
        "A-EW-6": "0.20 section C",
        "A-EW-7": "0.00",
        "A-EW-8": "0.00",
        "A-EW-9": "0.90 section A",
    }


def test_the_game_of_2012_ranks_as_its_sheet_prints():
    result = game_2012()
    paying = {}
    for name in labels(result.contestants):
        won = candidates(result, name)
        paying[name] = {basis[-1]: places(result, name)[basis].split()[0] for basis in won}
    assert {name: ranks for name, ranks in paying.items() if ranks} == {
        "A-NS-1": {"A": "1", "B": "1"},
        "A-NS-5": {"B": "3", "C": "1"},
        "A-NS-6": {"A": "2", "B": "2"},
        "A-NS-7": {"A": "3"},
        "A-NS-8": {"A": "4"},
        "A-EW-1": {"A": "3"},
        "A-EW-2": {"A": "2", "B": "2", "C": "1"},
        "A-EW-3": {"A": "4"},
        "A-EW-6": {"C": "2"},
        "A-EW-9": {"A": "1", "B": "1"},
    }


def test_the_game_of_2012_awards_that_lost_are_known_too():
    result = game_2012()
    # B N-S: 7 pairs, 7 x .1 x 80% = .56, 70% of it .39, 50% .28. C N-S: 2 pairs, 2 x .1 x 70% = .14.
    assert candidates(result, "A-NS-1") == {"section A": "0.90", "section B": "0.56"}
    assert candidates(result, "A-NS-6") == {"section A": "0.63", "section B": "0.39"}
    assert candidates(result, "A-NS-5") == {"section B": "0.28", "section C": "0.14"}
    # B E-W: 6 pairs, 6 x .08 = .48, .34 (.336), two places. C E-W: 4 pairs, .28 and 70% of it .20 (.196).
    assert candidates(result, "A-EW-9") == {"section A": "0.90", "section B": "0.48"}
    assert candidates(result, "A-EW-2") == {"section A": "0.63", "section B": "0.34", "section C": "0.28"}
    assert candidates(result, "A-EW-6") == {"section C": "0.20"}


def test_the_game_of_2012_counts_a_stratum_in_its_direction():
    result = game_2012()
    assert places(result, "A-NS-5") == {"section A": "5 of 9", "section B": "3 of 7", "section C": "1 of 2"}
    assert places(result, "A-EW-2") == {"section A": "2 of 9", "section B": "2 of 6", "section C": "1 of 4"}


def test_the_stratum_of_two_pairs_in_its_direction_is_ranked_since_the_game_has_six():
    # "The lowest strat must have at least five pairs": the game of 2012 pays C N-S with 2 pairs there, 6 in the game.
    assert places(game_2012(), "A-NS-4")["section C"] == "2 of 2"


# A made-up Howell of 15 April 2026: 11 pairs at 5 1/2 tables, strata open / 200 / 50 by the pair's average.

HOWELL = FIXTURES / "made-wednesday.csv"

AWARDS_2026 = {
    "A-4": "0.94 section A",  # tied 1/2: (1.10 + .77) / 2 = .935
    "A-5": "0.94 section A",
    "A-3": "0.55 section A",  # 50% of 1.10
    "A-6": "0.42 section B",  # first of 6 in B: 6 x .07; fourth in A would be 35% of 1.10 = .385, .39
    "A-1": "0.00",
    "A-7": "0.29 section B",  # second in B: 70% of .42 = .294; two pairs in C are no stratum
    "A-9": "0.00",
    "A-11": "0.00",
    "A-2": "0.00",
    "A-10": "0.00",
    "A-12": "0.00",
}


def test_the_howell_of_2026_pays_as_worked_by_hand():
    result = process(HOWELL, format="csv")
    assert paid(result) == AWARDS_2026
    assert result.awards["black"].tolist() == result.awards["masterpoints"].tolist()


def test_the_howell_of_2026_compares_eleven_pairs_and_has_no_stratum_c():
    result = process(HOWELL, format="csv")
    assert places(result, "A-6") == {"section A": "4 of 11", "section B": "1 of 6"}
    assert places(result, "A-7") == {"section A": "6 of 11", "section B": "2 of 6"}
    assert candidates(result, "A-6") == {"section B": "0.42", "section A": "0.39"}


# Group sizes and depth.


def test_an_eight_table_mitchell_is_two_groups_of_eight():
    result = awarded(mitchell(8), tables=8)
    assert places(result, "A-NS-8") == places(result, "A-EW-8") == {"section A": "8 of 8"}


def test_a_five_table_howell_is_one_group_of_ten():
    assert places(awarded(falling("A", 10), tables=5), "A-10") == {"section A": "10 of 10"}


def test_seven_and_a_half_tables_are_eight_pairs_in_each_group():
    result = awarded(falling("A-NS", 8) + falling("A-EW", 7), tables=7.5)
    assert places(result, "A-EW-1") == {"section A": "1 of 8"}
    assert ladder(result, "A-NS") == ladder(result, "A-EW") == ["0.80", "0.56", "0.40"]


def test_a_howell_of_five_and_a_half_tables_is_eleven_pairs():
    result = awarded(falling("A", 11), tables=5.5)
    assert places(result, "A-1") == {"section A": "1 of 11"}
    # 35% of 1.10 is .385.
    assert ladder(result, "A") == ["1.10", "0.77", "0.55", "0.39"]


@pytest.mark.parametrize(
    ("pairs", "depth"),
    # 40%: .8 is 1, 1.2 is 1, 1.6 is 2, 2.0, 2.4 is 2, 2.8 is 3, ... (40% of a whole number never ends in .5).
    [(2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (8, 3), (9, 4), (10, 4), (11, 4), (12, 5), (14, 6), (20, 8)],
)
def test_forty_percent_of_the_group_are_paid(pairs, depth):
    assert len(ladder(awarded(mitchell(pairs), tables=pairs), "A-NS")) == depth


# The rates, ladders and caps of each class of game, as awards of one direction.

OPEN, INVITATIONAL = {"rating": "club-open"}, {"rating": "club-invitational"}


def restricted(limit):
    return {"rating": "club-restricted", "limit": limit}


def newcomer(limit):
    return {"rating": "club-newcomer", "limit": limit}


@pytest.mark.parametrize(
    ("keys", "tables", "awards"),
    [
        # .10 a pair; 70%, 50%, 35%, 1/5, 1/6, 1/7, 1/8.
        (OPEN, 8, "0.80 0.56 0.40"),
        (OPEN, 10, "1.00 0.70 0.50 0.35"),
        (OPEN, 13, "1.30 0.91 0.65 0.46 0.26"),  # 35% of 1.30 is .455
        # .08 a pair.
        (INVITATIONAL, 10, "0.80 0.56 0.40 0.28"),
        (INVITATIONAL, 15, "1.20 0.84 0.60 0.42 0.24 0.20"),
        # .05, .06, .07, .08 a pair up to 20, 100, 200, any limit above.
        (restricted(20), 10, "0.50 0.35 0.25 0.18"),  # .175
        (restricted(100), 10, "0.60 0.42 0.30 0.21"),
        (restricted(200), 10, "0.70 0.49 0.35 0.25"),  # .245
        (restricted(300), 10, "0.80 0.56 0.40 0.28"),
        # Limits between those printed: the range that reaches them.
        (restricted(21), 10, "0.60 0.42 0.30 0.21"),
        (restricted(101), 10, "0.70 0.49 0.35 0.25"),
        (restricted(201), 10, "0.80 0.56 0.40 0.28"),
        (restricted(5000), 10, "0.80 0.56 0.40 0.28"),
        # .03, .04, .05 a pair up to 5, 10, 20.
        (newcomer(5), 10, "0.30 0.21 0.15 0.11"),  # .105
        (newcomer(10), 10, "0.40 0.28 0.20 0.14"),
        (newcomer(20), 10, "0.50 0.35 0.25 0.18"),
        # The class that pays .03.
        ({**OPEN, "special": "introductory"}, 10, "0.30 0.21 0.15 0.11"),
        ({**OPEN, "special": "introductory", "limit": 50}, 10, "0.30 0.21 0.15 0.11"),
    ],
)
def test_each_class_pays_its_rate(keys, tables, awards):
    result = awarded(mitchell(tables), tables=tables, **keys)
    assert ladder(result, "A-NS") == ladder(result, "A-EW") == awards.split()


@pytest.mark.parametrize(
    ("keys", "below", "first", "over", "awards"),
    [
        # 40% of 16 is 6 places, of 20 it is 8: 1.50 / 7 = .214, 1.50 / 8 = .1875.
        (OPEN, 14, "1.40", 16, "1.50 1.05 0.75 0.53 0.30 0.25"),  # .525
        (OPEN, 15, "1.50", 20, "1.50 1.05 0.75 0.53 0.30 0.25 0.21 0.19"),
        (INVITATIONAL, 14, "1.12", 16, "1.20 0.84 0.60 0.42 0.24 0.20"),
        # 21 x .05 is 1.05, capped at 1.00; 40% of 21 is 8 places: 1/6 .167, 1/7 .143, 1/8 .125.
        (newcomer(20), 19, "0.95", 21, "1.00 0.70 0.50 0.35 0.20 0.17 0.14 0.13"),
        (newcomer(10), 24, "0.96", 26, "1.00 0.70 0.50 0.35 0.20 0.17 0.14 0.13 0.11 0.10"),
        (newcomer(5), 33, "0.99", 34, "1.00 0.70 0.50 0.35 0.20 0.17 0.14 0.13 0.11 0.10 0.09 0.08 0.08 0.07"),
        # 16 x .03 is .48, 17 x .03 is .51, capped at .50: .175, 1/5 .10, 1/6 .083, 1/7 .071.
        ({**OPEN, "special": "introductory"}, 16, "0.48", 17, "0.50 0.35 0.25 0.18 0.10 0.08 0.07"),
        # Not stated for restricted games; 15 x the rate, as 1.50 and 1.20 are: .75, .90, 1.05, 1.20.
        (restricted(20), 14, "0.70", 16, "0.75 0.53 0.38 0.26 0.15 0.13"),  # .525 .375 .2625 .125
        (restricted(100), 14, "0.84", 16, "0.90 0.63 0.45 0.32 0.18 0.15"),  # .315
        (restricted(200), 14, "0.98", 16, "1.05 0.74 0.53 0.37 0.21 0.18"),  # .735 .525 .3675 .175
        (restricted(300), 14, "1.12", 16, "1.20 0.84 0.60 0.42 0.24 0.20"),
    ],
)
def test_each_class_is_capped(keys, below, first, over, awards):
    assert ladder(awarded(mitchell(below), tables=below, **keys), "A-NS")[0] == first
    assert ladder(awarded(mitchell(over), tables=over, **keys), "A-NS") == awards.split()


@pytest.mark.parametrize(
    "alike",
    [
        {"restrictions": "women"},
        {"restrictions": "senior"},
        {"restrictions": "mixed"},
        {"special": "men's"},
        {"special": "pro-am"},
    ],
)
def test_womens_mens_mixed_pro_am_and_senior_games_pay_what_their_class_does(alike):
    assert ladder(awarded(mitchell(10), tables=10, **alike), "A-NS") == ["1.00", "0.70", "0.50", "0.35"]
    invitational = awarded(mitchell(16), tables=16, **INVITATIONAL, **alike)
    assert ladder(invitational, "A-NS") == ["1.20", "0.84", "0.60", "0.42", "0.24", "0.20"]


def test_a_restricted_game_needs_its_limit():
    with pytest.raises(DeclarationError, match=r"^game.csv: limit is not declared for a club-restricted game"):
        awarded(mitchell(5), tables=5, rating="club-restricted")


def test_a_newcomer_game_beyond_twenty_points_has_no_award():
    with pytest.raises(DeclarationError, match=r"newcomer game with the limit 50 has no award .*5, 10, 20"):
        awarded(mitchell(5), tables=5, **newcomer(50))


def test_individuals_are_one_group_of_players():
    # 3 tables, 12 players: 1.20; 40% of 12 is 4.8, five places; 35% of 1.20 is .42, 1/5 of it .24.
    result = awarded(falling("A", 12), tables=3, event_type="individual")
    assert ladder(result, "A") == ["1.20", "0.84", "0.60", "0.42", "0.24"]
    capped = awarded(falling("A", 16), tables=4, event_type="individual")
    assert ladder(capped, "A") == ["1.50", "1.05", "0.75", "0.53", "0.30", "0.25"]


@pytest.mark.parametrize(
    ("keys", "teams", "awards"),
    [
        (OPEN, 10, "1.10 0.77 0.55 0.39"),  # .385
        (INVITATIONAL, 10, "0.88 0.62 0.44 0.31"),  # .616 .308
        # The first award is rounded before the others follow from it: .07 x 9 x 1.1 = .693, then .483 .345 .2415.
        ({"rating": "club-restricted", "limit": 200}, 9, "0.69 0.48 0.35 0.24"),
        # 110% of the pairs' cap of 1.50: 1.155, .825, .5775, .33, .275, 1.65 / 7 = .2357, / 8 = .20625.
        (OPEN, 20, "1.65 1.16 0.83 0.58 0.33 0.28 0.24 0.21"),
    ],
)
def test_board_a_match_teams_get_110_percent(keys, teams, awards):
    assert ladder(awarded(falling("A", teams), tables=teams, event_type="bam", **keys), "A") == awards.split()


def test_sixth_gets_a_sixth_where_the_online_summary_prints_16_6_percent():
    # The Handbook says 1/6, the summary of online games "20% ... 16.6%, etc.", cut off. They differ for
    # board-a-match teams at the cap: 1.65 / 6 = .275, 0.28, but 16.6% of 1.65 = .2739, 0.27.
    assert ladder(awarded(falling("A", 15), tables=15, event_type="bam"), "A")[5] == "0.28"


# Ties.


def howell(*scores, **keys):
    return awarded([f"A-{i} . {score}" for i, score in enumerate(scores, 1)], tables=len(scores) / 2, **keys)


@pytest.mark.parametrize(
    ("scores", "awards"),
    [
        # Ten pairs pay 1.00, .70, .50, .35; below that .20, .17, .14, .13, .11, .10.
        ((9, 9, 8, 7, 6, 5, 4, 3, 2, 1), "0.85 0.85 0.50 0.35"),  # (1.00 + .70) / 2
        ((9, 9, 9, 7, 6, 5, 4, 3, 2, 1), "0.73 0.73 0.73 0.35"),  # 2.20 / 3 = .733
        ((9, 8, 7, 6, 6, 5, 4, 3, 2, 1), "1.00 0.70 0.50 0.28 0.28"),  # (.35 + .20) / 2 = .275
        ((9, 8, 7, 7, 7, 5, 4, 3, 2, 1), "1.00 0.70 0.35 0.35 0.35"),  # (.50 + .35 + .20) / 3
        ((9, 8, 7, 6, 6, 6, 4, 3, 2, 1), "1.00 0.70 0.50 0.24 0.24 0.24"),  # (.35 + .20 + .17) / 3
        # (.35 + .20 + .17 + .14) / 4 = .215: of the awards as charted; of unrounded ones it would be .2149.
        ((9, 8, 7, 6, 6, 6, 6, 3, 2, 1), "1.00 0.70 0.50 0.22 0.22 0.22 0.22"),
        ((9, 8, 7, 6, 5, 5, 4, 3, 2, 1), "1.00 0.70 0.50 0.35"),  # a tie for 5th is below the depth
        ((5,) * 10, " ".join(["0.34"] * 10)),  # 3.40 / 10
    ],
)
def test_ties_share_what_their_places_pay(scores, awards):
    assert ladder(howell(*scores), "A") == awards.split()


def test_a_tie_of_three_for_the_last_place_across_directions_is_none():
    # 5 tables pay two places; the tie is one of N-S 2 and 3 only: (.35 + .25) / 2.
    rows = ["A-NS-1 . 60%", "A-NS-2 . 55%", "A-NS-3 . 55%", "A-NS-4 . 45%", "A-NS-5 . 40%", *falling("A-EW", 5, top=55)]
    result = awarded(rows, tables=5)
    assert ladder(result, "A-NS") == ["0.50", "0.30", "0.30"]
    assert ladder(result, "A-EW") == ["0.50", "0.35"]


# Strata.


def test_two_strata():
    # B is 6 of 10 N-S, limit 300: 6 x .08 = .48 and 70% of it .34; the fifth in A leads B.
    rows = [*falling("A-NS", 4, "A"), *(f"A-NS-{i} B {60 - i}%" for i in range(5, 11)), *falling("A-EW", 10, "A")]
    result = awarded(rows, tables=10, strata="A=open, B=300")
    assert ladder(result, "A-NS") == ["1.00", "0.70", "0.50", "0.35", "0.48", "0.34"]
    assert paid(result)["A-NS-5"] == "0.48 section B"


def test_a_contestant_gets_the_highest_award_of_its_strata_never_the_sum():
    # N-S 4 is 4th in A: 35% of .90 = .32; 1st in B of 6: .48; 1st in C of 5: 5 x .07 = .35.
    rows = [*falling("A-NS", 3, "A"), "A-NS-4 C 60%", "A-NS-5 B 59%", *(f"A-NS-{i} C {50 - i}%" for i in (6, 7, 8, 9))]
    result = awarded(rows, tables=9, strata="A=open, B=1000, C=200")
    assert candidates(result, "A-NS-4") == {"section B": "0.48", "section C": "0.35", "section A": "0.32"}
    assert paid(result)["A-NS-4"] == "0.48 section B"


def test_a_lower_stratum_has_a_cap_of_its_own():
    # All 13 pairs of each direction and section are in B, limit 1000. Sections: 13 x .08 = 1.04. Overall: 26 x .10 and
    # 26 x .08 = 2.08, at most 2.50 and 25 x .08 = 2.00.
    rows = mitchell(13, stratum="B") + mitchell(13, "B", stratum="B", top=60)
    result = awarded(rows, tables="A=13, B=13", strata="A=open, B=1000")
    assert candidates(result, "A-NS-1") == {
        "overall A": "2.50",
        "overall B": "2.00",
        "section A": "1.30",
        "section B": "1.04",
    }
    # A section of 16: 1.60 and 16 x .08 = 1.28, at most 1.50 and 15 x .08 = 1.20.
    result = awarded(mitchell(16, stratum="B"), tables=16, strata="A=open, B=1000")
    assert candidates(result, "A-NS-1") == {"section A": "1.50", "section B": "1.20"}


def test_equal_awards_are_paid_by_the_higher_stratum():
    # An event limited to 200 pays 10 x .07 in A, whatever A's own limit, and in B, where everybody is.
    result = awarded(falling("A-NS", 10, "B"), tables=10, strata="A=300, B=200", limit=200)
    assert candidates(result, "A-NS-1") == {"section A": "0.70", "section B": "0.70"}
    assert paid(result)["A-NS-1"] == "0.70 section A"


@pytest.mark.parametrize(("in_b", "awards"), [(4, []), (5, ["0.40", "0.28"])])
def test_the_lowest_stratum_needs_five_pairs(in_b, awards):
    # 5 x .08 = .40; with four of them there is no stratum B, and they compete in A alone.
    rows = [*falling("A-NS", 10 - in_b, "A"), *(f"A-NS-{i} B {50 - i}%" for i in range(11 - in_b, 11))]
    result = awarded([*rows, *falling("A-EW", 10, "A")], tables=10, strata="A=open, B=1000")
    got = [text.split()[0] for text in paid(result).values() if text.endswith("B")]
    assert got == awards


def test_five_pairs_are_counted_over_both_directions():
    # 3 N-S: .24, one place (1.2); 2 E-W: .16, one place (.8).
    rows = [*falling("A-NS", 7, "A"), *(f"A-NS-{i} B {50 - i}%" for i in (8, 9, 10))]
    rows += [*falling("A-EW", 8, "A"), *(f"A-EW-{i} B {50 - i}%" for i in (9, 10))]
    result = awarded(rows, tables=10, strata="A=open, B=1000")
    assert {name: text for name, text in paid(result).items() if text.endswith("B")} == {
        "A-NS-8": "0.24 section B",
        "A-EW-9": "0.16 section B",
    }


def test_a_lower_stratum_of_a_newcomer_game_pays_its_own_rate():
    # A 0-20: 10 x .05 = .50; B 0-5: 6 x .03 = .18, 70% of it .13 (.126).
    rows = [*falling("A-NS", 4, "A"), *(f"A-NS-{i} B {60 - i}%" for i in range(5, 11))]
    result = awarded(rows, tables=10, strata="A=20, B=5", **newcomer(20))
    assert ladder(result, "A-NS") == ["0.50", "0.35", "0.25", "0.18", "0.18", "0.13"]


# Several sections.


def overall(result, *names):
    return [candidates(result, name).get("overall A", "") for name in names]


A_NS = [f"A-NS-{i}" for i in range(1, 8)]


def two_sections(first, second, **keys):
    """All of section A stand above all of section B: A-NS-1 to A-NS-7 lead overall."""
    rows = mitchell(first) + mitchell(second, "B", top=60)
    return awarded(rows, tables=f"A={first}, B={second}", **keys)


@pytest.mark.parametrize(
    ("keys", "first", "second", "awards"),
    [
        # .10 a table, at most 2.50; 75% a place, six places: 1.875, 1.40625, 1.0547, .7910, .5933.
        (OPEN, 8, 7, "1.50 1.13 0.84 0.63 0.47 0.36"),  # 1.125 .84375 .6328 .4746 .3560
        (OPEN, 13, 12, "2.50 1.88 1.41 1.05 0.79 0.59"),
        (OPEN, 13, 13, "2.50 1.88 1.41 1.05 0.79 0.59"),
        (INVITATIONAL, 13, 13, "2.00 1.50 1.13 0.84 0.63 0.47"),  # 1.125 .84375 .6328 .4746
        (newcomer(20), 17, 17, "1.67 1.25 0.94 0.70 0.53 0.40"),  # 1.2525 .9394 .7045 .5284 .3963
        # Not stated: 25 x the rate, as 2.50 and 2.00 are.
        (restricted(20), 13, 13, "1.25 0.94 0.70 0.53 0.40 0.30"),  # .9375 .7031 .5273 .3955 .2966
        (restricted(100), 13, 13, "1.50 1.13 0.84 0.63 0.47 0.36"),
        (restricted(200), 13, 13, "1.75 1.31 0.98 0.74 0.55 0.42"),  # 1.3125 .9844 .7383 .5537 .4153
        (restricted(300), 13, 13, "2.00 1.50 1.13 0.84 0.63 0.47"),
        ({**OPEN, "special": "introductory"}, 13, 13, "0.75 0.56 0.42 0.32 0.24 0.18"),  # .5625 .4219 .3164 .2373 .1780
    ],
)
def test_overall_awards_of_each_class(keys, first, second, awards):
    result = two_sections(first, second, **keys)
    assert overall(result, *A_NS) == [*awards.split(), ""]


def test_an_overall_award_is_a_tenth_per_table_of_a_mitchell_a_fifth_of_a_howell():
    # As the summary of online games prints: 10 tables 1.0; 30 tables 3.0, at most 2.5; Howell of 15 tables 3.0, 2.5.
    assert overall(two_sections(5, 5), "A-NS-1") == ["1.00"]
    assert overall(two_sections(15, 15), "A-NS-1") == ["2.50"]
    howells = awarded(falling("A", 16) + falling("B", 14, top=60), tables="A=8, B=7")
    assert overall(howells, "A-1") == ["2.50"]
    small = awarded(falling("A", 10) + falling("B", 10, top=60), tables="A=5, B=5")
    assert overall(small, "A-1") == ["2.00"]


def test_half_tables_count_as_whole_ones_overall():
    # 7 1/2 and 6 1/2 tables are 8 + 7 in each direction: 1.50.
    rows = falling("A-NS", 8) + falling("A-EW", 7) + falling("B-NS", 7, top=60) + falling("B-EW", 6, top=60)
    result = awarded(rows, tables="A=7.5, B=6.5")
    assert overall(result, "A-NS-1", "A-EW-1") == ["1.50", "1.50"]
    # Howells of 5 1/2 and 4 tables: 10 tables at .20, though 19 pairs; each section goes by its pairs.
    result = awarded(falling("A", 11) + falling("B", 8, top=60), tables="A=5.5, B=4")
    assert candidates(result, "A-1") == {"overall A": "2.00", "section A": "1.10"}


def test_tables_count_overall_whoever_sits_at_them_is_ineligible():
    # 5 + 2 tables in each direction, .70 overall, though nobody of section B is ranked N-S.
    rows = [*mitchell(5), "B-NS-1 . 40% out", "B-NS-2 . 41% out", "B-EW-1 . 60%", "B-EW-2 . 59%"]
    result = awarded(rows, tables="A=5, B=2")
    assert overall(result, "A-NS-1", "A-EW-1", "B-NS-2") == ["0.70", "0.70", ""]
    # Of the Howell with 4 pairs out of the ranks, the other 6 are compared as 10: 1.00, .70, .50, .35.
    rows = [*falling("A", 6), *(f"A-{number} . 40% out" for number in range(7, 11))]
    assert ladder(awarded(rows, tables=5), "A") == ["1.00", "0.70", "0.50", "0.35"]


def test_the_greater_of_section_and_overall_as_printed():
    # "A pair whose section award was 0.50 and whose overall award was 0.65 would be credited with 0.65": a game
    # limited to 20 with sections of 10 and 3 tables: 10 x .05 and 13 x .05.
    result = two_sections(10, 3, **restricted(20))
    assert candidates(result, "A-NS-1") == {"overall A": "0.65", "section A": "0.50"}
    assert paid(result)["A-NS-1"] == "0.65 overall A"


def test_a_section_award_beats_an_overall_one_and_the_other_way_round():
    # Two sections of nine tables. Sections: .90 .63 .45 .32. Overall: 1.80 1.35 1.01 .76 .57 .43.
    a, b = (65, 62, 60, 58, 54, 46, 44, 42, 40), (56, 53, 51, 49, 47, 45, 43, 41, 39)
    rows = [f"{s}-NS-{i} . {p}%" for s, scores in (("A", a), ("B", b)) for i, p in enumerate(scores, 1)]
    result = awarded(rows, tables="A=9, B=9")
    assert {name: text for name, text in paid(result).items() if text != "0.00"} == {
        "A-NS-1": "1.80 overall A",
        "A-NS-2": "1.35 overall A",
        "A-NS-3": "1.01 overall A",
        "A-NS-4": "0.76 overall A",
        "A-NS-5": "0.43 overall A",  # sixth overall, 5th in its section of four paid places
        "B-NS-1": "0.90 section A",  # fifth overall would be .57
        "B-NS-2": "0.63 section A",  # seventh overall
        "B-NS-3": "0.45 section A",
        "B-NS-4": "0.32 section A",
    }
    assert candidates(result, "B-NS-1") == {"section A": "0.90", "overall A": "0.57"}


def test_lower_strata_have_overall_awards_of_their_own():
    # B, limit 200, is 4 + 4 pairs N-S: overall 8 x .07 = .56, .42, .315; its sections 4 x .07 = .28, .20.
    rows = [*falling("A-NS", 5, "A"), *(f"A-NS-{i} B {50 - i}%" for i in range(6, 10))]
    rows += [*falling("B-NS", 5, "A", top=60), *(f"B-NS-{i} B {40 - i}%" for i in range(6, 10))]
    result = awarded(rows, tables="A=9, B=9", strata="A=open, B=200")
    assert candidates(result, "A-NS-6") == {"overall B": "0.56", "section B": "0.28"}
    assert candidates(result, "A-NS-8") == {"overall B": "0.32"}
    # Fifth of B overall: .56 x .75 ^ 4 = .1772; first of B in its section: .28.
    assert candidates(result, "B-NS-6") == {"section B": "0.28", "overall B": "0.18"}


def test_overall_places_are_no_more_than_contestants():
    # 3 + 2 tables, five pairs a direction: .50, .375, .28125, .2109, .1582.
    result = two_sections(3, 2)
    assert overall(result, "A-NS-1", "A-NS-2", "A-NS-3", "B-NS-1", "B-NS-2") == ["0.50", "0.38", "0.28", "0.21", "0.16"]
    factors = result.candidates.loc[result.candidates["basis"] == "overall", "factors"]
    assert set(factors.astype("str")) == {"first 0.50 (0.10 x 5 = 0.50); 5 places pay"}


def test_a_tie_across_the_last_overall_place_pools_the_seventh():
    # 8 + 7 tables: sixth .36 (.3560), seventh .27 (.2670): .315 each, 0.32.
    rows = [*falling("A-NS", 5), "A-NS-6 . 65%", "A-NS-7 . 65%", "A-NS-8 . 64%", *falling("B-NS", 7, top=60)]
    result = awarded(rows, tables="A=8, B=7")
    assert overall(result, "A-NS-5", "A-NS-6", "A-NS-7", "A-NS-8") == ["0.47", "0.32", "0.32", ""]


def test_one_section_has_no_overall_awards():
    assert candidates(awarded(mitchell(9), tables=9), "A-NS-1") == {"section A": "0.90"}


def test_mitchell_and_howell_sections_in_one_game():
    # A and C are Mitchells of 8 and 7 tables: overall over 15 tables in each direction; B, a Howell of 4, is alone.
    rows = mitchell(8, "A") + falling("B", 8, top=80) + mitchell(7, "C", top=60)
    result = awarded(rows, tables="A=8, B=4, C=7", movement="A=mitchell, B=howell, C=mitchell")
    assert candidates(result, "A-NS-1") == {"overall A": "1.50", "section A": "0.80"}
    assert places(result, "C-EW-1") == {"section A": "1 of 7", "overall A": "9 of 15"}
    assert candidates(result, "B-1") == {"section A": "0.80"}
    assert places(result, "B-1") == {"section A": "1 of 8"}


def test_two_howells_beside_a_mitchell_are_a_field_of_their_own():
    # Howells of 4 and 3 tables: 7 x .20 overall; the Mitchell's 6 pairs a direction have their section alone.
    rows = falling("A", 8) + falling("B", 6, top=60) + mitchell(6, "C")
    result = awarded(rows, tables="A=4, B=3, C=6")
    assert candidates(result, "A-1") == {"overall A": "1.40", "section A": "0.80"}
    assert places(result, "B-1") == {"section A": "1 of 6", "overall A": "9 of 14"}
    assert candidates(result, "C-NS-1") == {"section A": "0.60"}


def test_sections_of_different_classes_are_separate_games():
    # "Pair and maximum award regulations apply only when both sections are of the same class."
    both = together(
        sheet(mitchell(9, "A"), "open", tables=9), sheet(mitchell(9, "B"), "newcomer", tables=9, **newcomer(20))
    )
    result = award_sheet(both)
    assert paid(result)["A-NS-1"] == "0.90 section A"
    assert paid(result)["B-NS-1"] == "0.45 section A"
    assert set(result.candidates["basis"]) == {"section"}


# Handicap games.


def test_a_handicap_game_adds_two_awards_in_one_case_alone():
    # Sections of 6 and 4: .60 .42 and .40 .28. Overall, 10 tables: 1.00 .75 .56 .42 .32 .24.
    # Raw overall: A1 to A6. With handicaps: A6 70, B1 68, A1 66, B3 65, A2 64, A3 62.
    result = awarded(HANDICAP, tables="A=6, B=4", special="handicap")
    assert paid(result) == {
        "A-NS-1": "1.00 overall A",  # raw; third with handicaps would be .56
        "A-NS-2": "0.75 overall A",
        "A-NS-3": "0.56 overall A",
        "A-NS-4": "0.42 overall A",
        "A-NS-5": "0.32 overall A",
        "A-NS-6": "1.00 handicap overall A",  # its raw score has an overall award (.24): nothing is added
        "B-NS-1": "1.15 section + handicap overall A",  # raw: first of its section only, .40; handicap: second, .75
        "B-NS-2": "0.28 section A",  # raw: second of its section; no award with the handicap
        "B-NS-3": "0.42 handicap overall A",  # no raw award: fourth overall alone
        "B-NS-4": "0.00",
    }
    assert candidates(result, "B-NS-1") == {
        "section + handicap overall A": "1.15",
        "handicap overall A": "0.75",
        "section A": "0.40",
        "handicap section A": "0.40",
    }


def test_the_added_awards_are_the_best_of_all_strata():
    # Sections of 8 and 4, B (limit 200) is all of the one and three of the other. B1, with its handicap 69.5%, is first
    # of its section: in A 4 x .10, in B 3 x .07. Overall it is ninth, and second with the handicap: in A of 12 tables,
    # 75% of 1.20; in B of 11 pairs, 75% of .77.
    rows = [f"A-NS-{number} B {71 - number}% h=0" for number in range(1, 9)]
    rows += ["B-NS-1 B 54% h=15.5", "B-NS-2 B 50%", "B-NS-3 B 48%", "B-NS-4 A 46%"]
    result = awarded(rows, tables="A=8, B=4", strata="A=open, B=200", special="handicap")
    assert candidates(result, "B-NS-1") == {
        "section + handicap overall A": "1.30",
        "handicap overall A": "0.90",
        "handicap overall B": "0.58",
        "section A": "0.40",
        "handicap section A": "0.40",
        "section B": "0.21",
        "handicap section B": "0.21",
    }


def test_a_handicap_game_with_nothing_to_add():
    # Howells of 3 and 2 tables, no handicaps. Sections of 6 and 4: .60 .42, .40 .28. Overall, 5 tables at .20: 1.00 .75
    # .56 .42 .32 .24. Whoever earns a section award, A1, A2, B1 and B2, earns an overall award with its raw score.
    a = ["A-1 . 60% h=0", "A-2 . 59%", "A-3 . 44%", "A-4 . 43%", "A-5 . 42%", "A-6 . 41%"]
    b = ["B-1 . 58%", "B-2 . 57%", "B-3 . 46%", "B-4 . 45%"]
    result = awarded([*a, *b], tables="A=3, B=2", special="handicap")
    assert {name: text for name, text in paid(result).items() if text != "0.00"} == {
        "A-1": "1.00 overall A",
        "A-2": "0.75 overall A",
        "B-1": "0.56 overall A",
        "B-2": "0.42 overall A",
        "B-3": "0.32 overall A",
        "B-4": "0.24 overall A",
    }


def test_raw_and_handicap_places_stand_side_by_side():
    result = awarded(HANDICAP, tables="A=6, B=4", special="handicap")
    assert places(result, "B-NS-1") == {
        "section A": "1 of 4",
        "overall A": "7 of 10",
        "handicap section A": "1 of 4",
        "handicap overall A": "2 of 10",
    }


def test_a_handicap_game_of_one_section_pays_the_better_of_raw_and_handicap():
    # 5 pairs: .50, .35. Raw: 1, 2. With handicaps: 3 (56), 1 (55).
    rows = "A-NS-1 . 55% h=0\nA-NS-2 . 53%\nA-NS-3 . 50% h=6\nA-NS-4 . 48% h=1\nA-NS-5 . 44% h=0"
    result = awarded(rows, tables=5, special="handicap")
    assert paid(result) == {
        "A-NS-1": "0.50 section A",
        "A-NS-2": "0.35 section A",
        "A-NS-3": "0.50 handicap section A",
        "A-NS-4": "0.00",
        "A-NS-5": "0.00",
    }


def test_handicaps_do_not_count_in_a_game_that_is_no_handicap_game():
    result = awarded(HANDICAP, tables="A=6, B=4")
    assert set(result.standings["basis"].astype("str")) == {"section", "overall"}
    assert paid(result)["B-NS-1"] == "0.40 section A"


# What the tables are not for, and what is said of an award.


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"event_type": "swiss"}, "rulebook acbl-club has no awards for a swiss event"),
        ({"rating": "sectional", "rulebook": "acbl-club"}, "rulebook acbl-club has no awards for a sectional game"),
    ],
)
def test_games_that_the_tables_are_not_for_are_refused(keys, message):
    with pytest.raises(DeclarationError, match=f"^game.csv: {message}"):
        awarded(falling("A", 8), tables=8, movement="howell", **keys)


def test_an_event_of_several_sessions_is_refused():
    rows = [f"A-NS-{i} . . s={60 - i}/{50 + i}" for i in range(1, 6)]
    with pytest.raises(DeclarationError, match="awards single sessions, not an event of 2"):
        awarded(rows, tables=5, sessions=2)


def test_the_factors_are_told():
    result = awarded(GAME_2012, tables=9, strata="A=open, B=1000, C=200")
    told = dict(
        zip(result.candidates["stratum"].astype("str"), result.candidates["factors"].astype("str"), strict=True)
    )
    assert told["A"] == "first 0.90 (0.10 x 9 = 0.90); 4 places pay"
    n_s = result.candidates[result.candidates["size"] == 2].iloc[0]
    assert n_s["factors"] == "first 0.14 (0.07 x 2 = 0.14); 1 place pays"
    capped = awarded(falling("A", 20), tables=20, event_type="bam").candidates.iloc[0]
    assert capped["factors"] == "first 1.65 (0.10 x 20 = 2.00, capped at 1.50, x 1.10); 8 places pay"
    for part in ("ACBL Handbook", "open games", "board-a-match 110%", "depth of awards"):
        assert part in capped["rule"]
