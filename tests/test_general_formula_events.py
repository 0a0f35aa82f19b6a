"""Kinds of event with rules of their own under the General Formula of 2003, each worked by hand.

All at a regional (R 14) unless they say otherwise; M of 300 is log10(300) / 5 + .1102 = .605624, of 1000
log10(1000) / 3.11 - .218 = .746630, of 1500 .803251, of 2000 .843424, of 5000 .971379.
"""

from __future__ import annotations

import pytest
from games import awarded, candidates, ladder, mitchell, rulebook_file, sheet

from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import Sheet
from resultproc.stages.pipeline import award_sheet


def field(count: int, *, strata: str = "", sessions: int = 1) -> list[str]:
    """Return so many contestants of a one-winner section, the best first; strata: the letter of each but the last."""
    rows = []
    for n in range(count):
        letter = strata[n] if n < len(strata) else strata[-1] if strata else "."
        score = 2000 - n
        rows.append(
            f"A-{n + 1} {letter} " + (f". s={'/'.join([str(score)] * sessions)}" if sessions > 1 else str(score))
        )
    return rows


def event(tables: int, *, per_table: int = 2, strata: str = "", **keys: object):
    """Return an event of one section and one winner on so many whole tables, in 2005."""
    given = {"rating": "regional", "date": "2005-05-05", "sessions": 1, "movement": "howell", **keys}
    by_matches = given.get("event_type") in {"swiss", "knockout"}
    rows = field(tables * per_table, strata=strata, sessions=1 if by_matches else int(given["sessions"]))
    limits = {"strata": given.pop("limits")} if "limits" in given else {}
    return awarded(rows, tables=tables, **limits, **given)


def awards(result, stratum: str = "A", basis: str = "overall") -> list[str]:
    """Return what the places of a stratum pay."""
    frame = result.candidates
    found = frame[(frame["basis"] == basis) & (frame["stratum"] == stratum)].sort_values("position")
    return [f"{award / 100:.2f}" for award in found["masterpoints"]]


def first(*args: int, basis: str = "overall", stratum: str = "A", **keys: object) -> str:
    return awards(event(*args, **keys), stratum, basis)[0]


# The plain formula, end to end.


def test_a_regional_of_one_session():
    # 30 tables, B 40/60: 14 x .66667 = 9.33, 7.00, 5.25, 3.94, 2.95, 2.21. The seventh, 1.66, is below .2 x 14 = 2.80.
    result = event(30)
    assert awards(result) == ["9.33", "7.00", "5.25", "3.94", "2.95", "2.21"]
    assert awards(result, basis="section")[:5] == ["4.67", "3.27", "2.34", "1.63", "0.93"]
    assert len(awards(result, basis="section")) == 24  # 40% of the 60 pairs of a one-winner section


def test_a_sectional_of_two_sessions():
    # 20 tables, B .5: 10 x 1.5 x .5 = 7.50, 5.63 (5.625), 4.22, 3.16, 2.37, 1.78; the floor is 2.00.
    assert awards(event(20, rating="sectional", sessions=2)) == ["7.50", "5.63", "4.22", "3.16", "2.37", "1.78"]


@pytest.mark.parametrize(
    ("keys", "award"),
    [
        # 10 tables, B 20/60: 14 / 3 = 4.6667
        ({}, "4.67"),
        ({"rating": "sectional"}, "3.33"),
        ({"rating": "stac"}, "3.33"),
        ({"rating": "unit-championship"}, "2.83"),
        ({"rating": "club-championship"}, "2.17"),
        ({"rating": "national"}, "7.50"),
        ({"rating": "regional-at-nabc"}, "4.67"),
        ({"restrictions": "women"}, "3.73"),  # x .8
        ({"restrictions": "women, senior"}, "3.27"),  # x .7
        ({"restrictions": "women, senior, junior"}, "3.27"),
        ({"limit": 1000}, "3.48"),  # x .74663
        ({"limit": 300}, "2.83"),  # x .605624
        ({"limit": 300, "restrictions": "mixed"}, "2.26"),  # 2.8262 x .8 = 2.261
        ({"event_type": "team-of-two"}, "4.67"),
        ({"sessions": 3}, "9.33"),  # S 2
        ({"sessions": 6}, "16.33"),  # S 3.5
    ],
)
def test_factors_of_the_first_award(keys, award):
    assert first(10, **keys) == award


def test_board_a_match_teams():
    # 10 teams: 14 / 3 x 1.1 = 5.1333; 9 to 12 teams pay 4 places. A session: 2.5667, 40% of 10.
    result = event(10, per_table=1, event_type="bam")
    assert awards(result) == ["5.13", "3.85", "2.89", "2.16"]
    assert awards(result, basis="section") == ["2.57", "1.80", "1.29", "0.90"]


def test_teams_of_two_are_computed_as_board_a_match_but_for_t(tmp_path):
    # 10 tables, 20 pairs: T 1.00 and so 4.6667, on the table of places of board-a-match: 9 to 12 pay 4.
    assert awards(event(10, event_type="team-of-two")) == ["4.67", "3.50", "2.63", "1.97"]
    book = rulebook_file(tmp_path, 'extends = "acbl-general-formula-2003"\n[depth.team-of-two]\nvalue = "pairs"\n')
    assert len(awards(event(10, event_type="team-of-two", rulebook=book))) == 6
    # 60 tables, 120 pairs: 70/60 x 14 = 16.33, 12.25, 9.19, 6.89, 5.17, 3.88, 2.91 (the eighth, 2.18, is below 2.80);
    # at least 10% of the field, 12, where pairs would have 5%.
    assert len(awards(event(60, event_type="team-of-two"))) == 12


def test_carry_over_counts_in_the_total():
    rows = [
        "A-1 . . s=60/50",
        "A-2 . . s=55/55",
        "A-3 . . s=50/58",
        "A-4 . . s=40/40",
        "A-5 . . s=1/1",
        "A-6 . . s=2/2",
    ]
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 3, "movement": "howell"}
    games, contestants = sheet(rows, **keys)
    result = award_sheet(Sheet(games, contestants.assign(carryover=[0.0, 0, 3, 0, 0, 0])))
    # Totals 110, 110, 111. 3 tables, B 13/60: 4.55; 2 places, of which the second, 3.41, and the third below the
    # table, 2.56, are pooled by the tie: 2.985
    assert candidates(result, "A-3")["overall A"] == "4.55"
    assert candidates(result, "A-1")["overall A"] == candidates(result, "A-2")["overall A"] == "2.99"


# Stratified events.


def test_a_stratum_has_its_own_m_and_the_tables_of_the_lower_ones_too():
    # 12 tables; 14 pairs in B and C are 7 tables, 5 in C are 3 (a half table counts whole).
    # A: 22/60 x 14 = 5.13. B: 17/60 x 14 x .74663 = 2.9616. C: 13/60 x 14 x .605624 = 1.8371.
    result = event(12, strata="A" * 10 + "B" * 9 + "C" * 5, limits="A=open, B=1000, C=300")
    assert awards(result) == ["5.13", "3.85", "2.89", "2.16", "1.62", "1.22"]
    assert awards(result, "B") == ["2.96", "2.22", "1.67", "1.25", "0.94"]  # 7 tables: 5 places
    assert awards(result, "C") == ["1.84", "1.38"]  # 3 tables: 2 places
    # Sessions: half of each, unrounded 2.5667, 1.4808, .9185; 40% of 24, 14, 5 is 10 (9.6), 6 (5.6), 2.
    assert [awards(result, letter, "section")[0] for letter in "ABC"] == ["2.57", "1.48", "0.92"]
    assert [len(awards(result, letter, "section")) for letter in "ABC"] == [10, 6, 2]


def test_the_strata_of_a_limited_event_go_by_their_own_limits():
    # The event is limited to 1000: its top stratum has M .74663, on 22/60 x 14 = 5.1333.
    result = event(12, strata="A" * 10 + "B" * 14, limits="A=1000, B=300", limit=1000)
    assert (awards(result)[0], awards(result, "B")[0]) == ("3.83", "2.40")  # B: 17/60 x 14 x .605624 = 2.402


def test_the_lowest_stratum_needs_three_tables_for_overall_awards():
    four = event(12, strata="A" * 20 + "B" * 4, limits="A=open, B=1000")
    assert awards(four, "B") == []
    assert awards(four, "B", "section") == ["1.05", "0.74"]  # .5 x 12/60 x 14 x .74663 = 1.0453, 70% .735
    five = event(12, strata="A" * 19 + "B" * 5, limits="A=open, B=1000")
    assert awards(five, "B") == ["2.26", "1.70"]  # 13/60 x 14 x .74663 = 2.2648


def test_the_lowest_stratum_needs_three_in_direct_comparison_for_session_awards():
    rows = [f"A-NS-{n} {'B' if n > 6 else 'A'} {90 - n}" for n in range(1, 9)]  # 2 in B
    rows += [f"A-EW-{n} {'B' if n > 5 else 'A'} {90 - n}" for n in range(1, 9)]  # 3 in B
    keys = {"rating": "regional", "date": "2005-05-05", "tables": 8, "strata": "A=open, B=1000"}
    result = awarded(rows, **keys)
    # 5 pairs are 3 tables: .5 x 13/60 x 14 x .74663 = 1.1324; 40% of 3 is one place.
    assert "section B" not in candidates(result, "A-NS-7")
    assert candidates(result, "A-EW-6")["section B"] == "1.13"


# Flighted events.


def test_a_flight_counts_the_tables_of_the_lower_ones():
    # 8 tables with 12 below: 20 tables, 30/60 x 14 = 7.00. Flight B with 9 below: 21 tables, 31/60 x 14 x .803251.
    assert first(8, flight="A", lower_tables="1500=12") == "7.00"
    assert first(12, flight="B", limit=1500, lower_tables="500=9") == "5.81"
    assert first(9, flight="C", limit=500, lower_tables="none") == "2.88"  # 19/60 x 14 x .649843 = 2.881


def test_a_flight_pays_at_most_35_percent_of_its_own_contestants():
    # 20 tables with the lower flight would pay 6 places; 35% of the flight's 16 pairs are 5.6.
    assert len(awards(event(8, flight="A", lower_tables="1500=12"))) == 5
    # Of 9 tables in all none is taken away: 4 tables and 5 below pay 5 places, of 8 pairs.
    assert len(awards(event(4, flight="A", lower_tables="1500=5"))) == 5
    # 10 tables: 35% of 8 is 2.8.
    assert len(awards(event(4, flight="A", lower_tables="1500=6"))) == 2


def test_flight_a_is_a_tenth_above_flight_b():
    # Flight B: 60 tables, 70/60 x 14 x .971379 = 15.8659, 15.87; a tenth more 17.457. The formula for 3 + 60 tables:
    # log10(63 / 4) x 14 = 1.197281 x 14 = 16.76.
    assert first(3, flight="A", lower_tables="5000=60") == "17.46"
    # 20 + 60 tables: log10(20) x 14 = 18.21 is more.
    assert first(20, flight="A", lower_tables="5000=60") == "18.21"
    # Flight B is nothing above flight C: 3 + 40 tables, 53/60 x 14 x .971379 = 12.01.
    assert first(3, flight="B", limit=5000, lower_tables="4000=40") == "12.01"


def test_flighted_swiss_teams():
    # 8 teams with 12 below: 7.00, as for pairs; 35% of 8 teams are 2.8.
    assert awards(event(8, per_table=1, event_type="swiss", flight="A", lower_tables="1500=12")) == ["7.00", "5.25"]


# Stratiflighted events: flight A has a stratum X, here up to 2000, above flight B up to 1500 with 20 tables.
# Flight B in two sessions: 30/60 x 14 x 1.5 x .803251 = 8.434, 8.43; 105% is 8.8515.


def stratiflighted(a: int, x: int, below: int = 20, limit: int = 2000, **keys: object):
    """Return flight A with so many tables in its strata A and X, over two sessions."""
    letters = "A" * (2 * a) + "X" * (2 * x)
    limits = f"A=open, X={limit}"
    given = {"flight": "A", "sessions": 2, "lower_tables": f"1500={below}", **keys}
    return event(a + x, strata=letters, limits=limits, **given)


def test_stratum_a_of_a_stratiflighted_event():
    # 12 + 20 tables: 42/60 x 21 = 14.70
    assert awards(stratiflighted(4, 8))[0] == "14.70"


def test_x_past_the_threshold_of_40_percent():
    # 8 of 12 tables. 105% of B: 8.85; on its own tables 18/60 x 21 x .843424 = 5.31.
    assert awards(stratiflighted(4, 8), "X")[0] == "8.85"
    # Exactly 40%: 4 of 10 tables.
    assert awards(stratiflighted(6, 4), "X")[0] == "8.85"


def test_x_past_the_threshold_of_20_tables():
    # 20 of 51 tables are 39.2%. On its own tables 30/60 x 21 x .843424 = 8.856, which is a little more than 105% of B.
    assert awards(stratiflighted(31, 20), "X")[0] == "8.86"
    # With 30 tables in flight B, 40/60 x 21 x .803251 = 11.2455, 11.25, and 105% is 11.8125.
    assert awards(stratiflighted(31, 20, below=30), "X")[0] == "11.81"


def test_x_short_of_the_threshold_by_the_square_of_its_share():
    # 6 of 20 tables: 6 / (.4 x 20) = .75, squared .5625, x 8.8515 = 4.979; by tables (6/20) squared = .09;
    # on its own tables 16/60 x 21 x .843424 = 4.72.
    assert awards(stratiflighted(14, 6), "X")[0] == "4.98"


def test_x_short_of_the_threshold_by_the_square_of_its_tables():
    # 18 of 60 tables, flight B of 60: 70/60 x 21 x .803251 = 19.6797, 19.68, and 105% is 20.664. By share 18/24 = .75;
    # by tables 18/20 = .9, squared .81: 16.738. On its own tables 28/60 x 21 x .843424 = 8.27.
    assert awards(stratiflighted(42, 18, below=60), "X")[0] == "16.74"


def test_x_short_of_the_threshold_on_its_own_tables():
    # 4 of 20 tables: .5 squared x 8.8515 = 2.21; on its own tables 14/60 x 21 x .843424 = 4.1328.
    assert awards(stratiflighted(16, 4), "X")[0] == "4.13"


def test_session_awards_of_x_get_no_tenth_more():
    result = stratiflighted(4, 8)
    # A: .5 x 42/60 x 14 x 1.1 = 5.39. X: B's session first .5 x 30/60 x 14 x .803251 = 2.81, 105% 2.9505.
    assert awards(result, "A", "session 1")[0] == "5.39"
    assert awards(result, "X", "session 1")[0] == "2.95"


def test_gold_for_a_x_and_b_of_a_stratiflighted_event():
    result = stratiflighted(4, 8)
    pays = result.awards[result.awards["masterpoints"] > 0]
    overall = result.candidates["basis"].iloc[pays["candidate"]].astype("str").to_numpy() == "overall"
    by_x = result.candidates["stratum"].iloc[pays["candidate"]].astype("str").to_numpy() == "X"
    assert (overall & by_x).any()
    assert (pays["gold"] == pays["masterpoints"])[overall].all()
    for limits, colours in (("B=1500, C=500", ["gold", "red"]), ("B=500, C=300", ["red", "red"])):
        below = event(
            12, strata="B" * 8 + "C" * 16, limits=limits, flight="B", lower_tables="none", sessions=2,
            limit=limits.split(",")[0][2:],
        )  # fmt: skip
        winners = [below.awards.iloc[0], below.awards.iloc[8]]
        assert [next(c for c in ("gold", "red") if winner[c]) for winner in winners] == colours


def test_x_pays_gold_from_a_limit_of_750():
    # Two sessions of 4 tables in A and 8 in X above flight B up to 200: X is past the threshold, and its own tables
    # pay more: 18/60 x 21 x .665. Its best pair is the 9th.
    for limit, colour in ((750, "gold"), (749, "red")):
        result = event(
            12,
            strata="A" * 8 + "X" * 16,
            limits=f"A=open, X={limit}",
            flight="A",
            sessions=2,
            lower_tables="200=4",
        )
        winner = result.awards.iloc[8]
        assert result.candidates["stratum"].iloc[winner["candidate"]] == "X"
        assert winner[colour] == winner["masterpoints"] > 0
        assert result.awards["gold"].iloc[0] == result.awards["masterpoints"].iloc[0]


def test_flight_c_pays_no_gold():
    result = event(12, flight="C", limit=800, lower_tables="none", sessions=2)
    assert result.awards["gold"].sum() == 0
    assert result.awards["red"].iloc[0] == result.awards["masterpoints"].iloc[0]


def test_which_strata_of_a_flight_pay_gold_is_a_value(tmp_path):
    keys = {"strata": "B" * 8 + "C" * 16, "limits": "B=1500, C=500", "flight": "B", "limit": 1500, "sessions": 2}
    for strata, colours in ((1, ["gold", "red"]), (2, ["gold", "gold"]), (0, ["red", "red"])):
        text = f'[colour.gold.strata-of-flight]\nvalue = [["A", 2], ["B", {strata}]]'
        own = rulebook_file(tmp_path, f'extends = "acbl-general-formula-2003"\n{text}', f"gold-{strata}.toml")
        rows = event(12, lower_tables="none", rulebook=own, **keys).awards.iloc[[0, 8]]
        assert [next(c for c in ("gold", "red") if row[c]) for _, row in rows.iterrows()] == colours


# Tables of other events played at the same time.


@pytest.mark.parametrize(
    ("keys", "award"),
    [
        # 10 tables over two sessions: 20/60 x 21 = 7.00
        ({}, "7.00"),
        ({"concurrent_tables": "300=12, 1000=4"}, "12.60"),  # 26 tables: 36/60 x 21
        ({"concurrent_tables": "300=19.5"}, "14.00"),  # a half table counts whole: 30 tables, 40/60 x 21
        ({"concurrent_tables": "300=6, 300=4"}, "10.50"),  # two events with one limit: 20 tables, 30/60 x 21
        ({"concurrent_tables": "300=20"}, "14.00"),  # three times its own
        ({"concurrent_tables": "300=40"}, "14.00"),  # and no more
        ({"concurrent_tables": "open=15, 300=12"}, "9.10"),  # two share 12: 16 tables, 26/60 x 21
        ({"concurrent_tables": "open=15, open=9, 300=12"}, "8.40"),  # three share them: 14 tables
        ({"concurrent_tables": "open=15"}, "7.00"),  # open events do not count for each other
        ({"concurrent_tables": "300=12", "special": "lower-limit"}, "11.20"),  # the only open one: 22 tables, 32/60
        ({"concurrent_tables": "open=15, 300=12", "special": "lower-limit"}, "7.00"),
        ({"concurrent_tables": "300=12", "restrictions": "senior"}, "5.60"),  # restricted: x .8 and no credit
        ({"concurrent_tables": "300=12", "limit": 5000}, "6.80"),  # x .971379
        ({"concurrent_tables": "300=12", "sessions": 1}, "4.67"),  # at a regional two sessions are needed
        ({"concurrent_tables": "300=12", "sessions": 1, "rating": "sectional"}, "5.33"),  # 22 tables: 32/60 x 10
        ({"concurrent_tables": "300=12", "rating": "sectional"}, "8.00"),  # 32/60 x 15
        ({"concurrent_tables": "300=12", "rating": "unit-championship"}, "4.25"),  # 20/60 x 8.5 x 1.5: no credit
        ({"concurrent_tables": "300=12", "event_type": "team-of-two"}, "11.20"),
    ],
)
def test_credit_for_concurrent_events(keys, award):
    assert first(10, **{"sessions": 2, **keys}) == award


def test_concurrent_tables_count_for_the_top_stratum_overall_alone():
    result = event(10, strata="A" * 8 + "B" * 12, limits="A=open, B=1000", sessions=2, concurrent_tables="300=12")
    assert awards(result)[0] == "11.20"
    assert awards(result, "B")[0] == "4.18"  # 6 tables: 16/60 x 21 x .74663 = 4.181
    assert awards(result, "A", "session 1")[0] == "2.33"  # .5 x 20/60 x 14
    assert len(awards(result)) == 6  # the places of its own 10 tables


def test_three_times_the_tables_of_all_flights():
    # Flight A of 6 with 4 below counts 10; up to 30 with others at the same time.
    keys = {"sessions": 2, "flight": "A", "lower_tables": "1500=4"}
    assert first(6, concurrent_tables="300=40", **keys) == "14.00"


# Non-championship events.


@pytest.mark.parametrize(
    ("keys", "award"),
    [
        # 10 tables: 20/60 x 14 x .65 = 3.0333
        ({"special": "side-game"}, "3.03"),
        ({"special": "consolation"}, "3.03"),
        ({"special": "side-game", "limit": 1000}, "3.03"),  # M .74663 is above .65
        ({"special": "side-game", "limit": 300}, "2.83"),  # .605624 is not
        ({"special": "side-game, charity"}, "4.67"),
        ({"special": "side-game, international-fund"}, "4.67"),
        ({"special": "charity"}, "4.67"),
        ({"special": "side-game", "rating": "regional-at-nabc"}, "3.03"),
        ({"special": "consolation", "event_type": "swiss", "per_table": 1}, "3.03"),
        ({"special": "zip-knockout", "event_type": "knockout", "per_table": 1}, "3.03"),
        ({"special": "zip-knockout", "event_type": "swiss", "per_table": 1}, "3.03"),
    ],
)
def test_m_is_limited_in_events_that_are_no_championships(keys, award):
    assert first(10, **keys) == award


def test_sessions_of_a_side_game():
    assert first(10, special="side-game", basis="section") == "1.52"  # half of 3.0333


def test_the_limit_on_m_lowers_the_floor_as_well():
    # 30 tables: 9.3333 x .65 = 6.07, 4.55, 3.41, 2.56, 1.92, 1.44; the floor is .2 x 14 x .65 = 1.82: 6 of the table.
    assert awards(event(30, special="side-game")) == ["6.07", "4.55", "3.41", "2.56", "1.92", "1.44"]


def test_a_zip_knockout_is_a_swiss_of_one_session():
    result = event(10, per_table=1, event_type="swiss", special="zip-knockout")
    assert awards(result) == ["3.03", "2.27", "1.70", "1.28"]  # 9 to 12 teams: 4 places
    assert awards(result, basis="section") == []


def test_side_game_series():
    # The mean of the two largest of 20, 18 and 15 tables is 19: 29/60 x 14 x 1.5 x .8 = 8.12.
    result = event(20, special="side-game-series-overall", session_tables="15, 20, 18")
    assert awards(result)[:2] == ["8.12", "6.09"]
    assert awards(result, basis="section") == []
    # A mean of 18.5: 28.5/60 x 21 x .8 = 7.98
    assert first(20, special="side-game-series-overall", session_tables="20, 17, 9") == "7.98"


def test_a_single_game_of_a_side_game_series():
    # 10 tables: 4.6667 x .65 = 3.03; a session 2.3333 x .8 = 1.87. M is not limited to .65 besides.
    assert first(10, special="side-game-series") == "3.03"
    assert first(10, special="side-game-series", basis="section") == "1.87"
    result = event(10, special="side-game-series", strata="A" * 8 + "B" * 12, limits="A=open, B=1000")
    assert awards(result, "B")[0] == "1.81"  # 16/60 x 14 x .74663 x .65 = 1.8118


def test_barometer_finals():
    # Level 1: all 26 tables entered, 36/60 x 21 = 12.60. Level 2: its own 8, 18/60 x 21 x .8 = 5.04.
    # Level 3: its own 10, one session with M .65: 3.03.
    assert first(8, special="barometer-1", lower_tables="18", sessions=2) == "12.60"
    assert first(8, special="barometer-2", sessions=2) == "5.04"
    assert first(10, special="barometer-3") == "3.03"


def test_colours_of_a_barometer_final():
    gold = [event(8, special=f"barometer-{level}", sessions=2, **keys).awards.iloc[0]["gold"] for level, keys in (
        (1, {"lower_tables": "18"}), (2, {}), (3, {}),
    )]  # fmt: skip
    assert gold == [1260, 504, 0]


def test_split_regionals():
    # 15 tables here: 25/60 x 21 = 8.75; with 30 there 55/60 x 21 = 19.25, of which 80% are 15.40. Second: 6.56 here,
    # 14.44 together, 80% 11.552. From the third on only the own site counts: 8.75 x .5625 = 4.92.
    assert awards(event(15, sessions=2, other_site_tables=30))[:3] == ["15.40", "11.55", "4.92"]
    # With 2 tables there 27/60 x 21 = 9.45, 80% 7.56: the own site's award is higher.
    assert awards(event(15, sessions=2, other_site_tables=2))[:2] == ["8.75", "6.56"]


def test_strata_of_a_split_regional():
    # 15 tables here, of which 7 in B, and 30 there, of which 12 in B. A as without strata. B: 19 tables at both sites,
    # 29/60 x 21 x .74663 = 7.578, of which 80% of 7.58 are 6.06; here alone 17/60: 4.44. 2nd 80% of 5.685 (5.69), 4.55.
    # C pays no gold: its 3 tables here alone, 13/60 x 21 x .605624 = 2.76.
    strata = {"strata": "A" * 16 + "B" * 9 + "C" * 5, "limits": "A=open, B=1000, C=300", "sessions": 2}
    result = event(15, other_site_tables="open=30, 1000=12", **strata)
    assert awards(result)[:3] == ["15.40", "11.55", "4.92"]
    assert awards(result, "B")[:3] == ["6.06", "4.55", "2.50"]
    assert awards(result, "C")[0] == "2.76"
    with pytest.raises(DeclarationError, match="other_site_tables does not give the tables of the stratum 1000"):
        event(15, other_site_tables=30, **strata)
    assert awards(event(15, other_site_tables="none", **strata))[0] == "8.75"


@pytest.mark.parametrize(
    "keys",
    [{"sessions": 1}, {"sessions": 2, "limit": 500}, {"sessions": 2, "event_type": "swiss", "per_table": 1}],
)
def test_a_split_regional_combines_gold_point_pairs_alone(keys):
    assert first(15, other_site_tables=30, **keys) == first(15, **keys)


@pytest.mark.parametrize(
    ("bracket", "lower", "award"),
    [
        # 9 teams in each bracket, 19/60 x 14 = 4.43 alone
        (1, "60", "15.32"),  # 9 + 40 + 20/3 = 55.667: 65.667/60 x 14 = 15.322
        (1, "40", "13.77"),  # 9 + 40: 59/60 x 14
        (1, "9", "6.53"),  # 18: 28/60 x 14
        (2, "36", "10.34"),  # 9 + 20 + 16/3 = 34.333: 44.333/60 x 14 = 10.344
        (2, "20", "9.10"),  # 29: 39/60 x 14
        (3, "18", "5.83"),  # 9 + 6: 25/60 x 14
        (4, "9", "5.13"),  # 9 + 3: 22/60 x 14
        (4, "none", "4.43"),
    ],
)
def test_bracketed_swiss_teams(bracket, lower, award):
    assert awards(event(9, per_table=1, event_type="swiss", bracket=bracket, lower_tables=lower))[0] == award


def test_a_bracket_pays_the_places_of_its_own_teams():
    result = event(9, per_table=1, event_type="swiss", bracket=1, lower_tables=60)
    assert awards(result) == ["15.32", "11.49", "8.62", "6.46"]


# What an event must declare.


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ({"flight": "A"}, "lower_tables is not declared, and flight A is credited with lower flights"),
        ({"flight": "B", "limit": 1500}, "lower_tables is not declared, and flight B"),
        ({"flight": "A", "lower_tables": "12"}, "lower_tables gives no upper limits"),
        ({"flight": "B", "limit": 1000, "lower_tables": "1000=9"}, "flight B up to 1000 has a lower flight up to 1000"),
        ({"lower_tables": "1500=9"}, "lower_tables is declared, but nothing that is credited with them"),
        ({"event_type": "swiss", "bracket": 2}, "lower_tables is not declared, and bracket 2 is credited"),
        ({"bracket": 1, "lower_tables": 9}, "knows of no bracketed pairs event"),
        ({"special": "barometer-1"}, "lower_tables is not declared, and the top level of a barometer"),
        ({"special": "side-game-series-overall"}, "session_tables is not declared, and a series goes by"),
        ({"session_tables": "9, 9"}, "session_tables is declared, but only a side game series"),
        ({"rating": "sectional", "other_site_tables": 9}, "only regionals are split"),
        ({"sessions": 2, "cuts": "2"}, "cut after session 2, but the event has 2"),
        (
            {"rating": "club-open", "rulebook": "acbl-general-formula-2003", "limit": 200},
            "of club games only open ones",
        ),
    ],
)
def test_what_an_event_must_declare(keys, what):
    with pytest.raises(DeclarationError, match=what):
        event(8, per_table=1 if keys.get("event_type") in {"swiss", "knockout"} else 2, **keys)


def test_x_must_lie_500_above_flight_b():
    assert awards(stratiflighted(4, 8, limit=2000), "X")
    with pytest.raises(DeclarationError, match="stratum X up to 1999 is too near flight B up to 1500"):
        stratiflighted(4, 8, limit=1999)


def test_flight_a_has_no_third_stratum():
    with pytest.raises(DeclarationError, match="flight A has more than two strata"):
        event(
            12, strata="A" * 8 + "X" * 8 + "Y" * 8, limits="A=open, X=3000, Y=2000", flight="A", lower_tables="1500=9"
        )


def test_a_side_game_series_is_not_stratified():
    with pytest.raises(DeclarationError, match="the overall awards of a side game series have no strata"):
        event(
            8,
            strata="A" * 8 + "B" * 8,
            limits="A=open, B=300",
            special="side-game-series-overall",
            session_tables="8, 8",
        )


def test_sessions_must_match_their_columns():
    keys = {"rating": "regional", "date": "2005-05-05", "tables": 4, "movement": "howell"}
    with pytest.raises(InputError, match=r"line 1: .* no score for every session of the event"):
        awarded(field(8, sessions=2), sessions=3, **keys)
    with pytest.raises(
        InputError, match=r"line 1: there is a score for session2, but the event is declared to have few"
    ):
        awarded(field(8, sessions=2), sessions=1, **keys)


def test_every_game_at_fault_is_named():
    with pytest.raises(DeclarationError) as error:
        event(8, flight="A")
    (problem,) = {str(problem) for problem in error.value.problems}
    assert problem.startswith("game.csv: lower_tables is not declared")
    assert "declare lower_tables, such as 1500=15, 500=9" in problem


def test_an_unknown_flight_or_bracket_is_refused_when_it_is_read():
    for key, value in {"flight": "AX", "bracket": "0", "lower_tables": "open=3", "cuts": "x"}.items():
        with pytest.raises(InputError, match=key):
            event(8, **{key: value})


def test_a_mitchell_of_two_sections_is_one_event():
    rows = mitchell(9, "A") + mitchell(8, "B", top=65)
    result = awarded(rows, rating="regional", date="2005-05-05", tables="A=9, B=8")
    # 17 tables: 27/60 x 14 = 6.30 overall; N-S and E-W firsts of section A are tied for it: (6.30 + 4.73) / 2 = 5.515.
    assert candidates(result, "A-NS-1")["overall A"] == "5.52"
    assert candidates(result, "B-EW-1")["section A"] == "3.15"
    assert ladder(result, "B-NS")[0] == "3.15"
