"""The awards of knockouts under the formula of 2003: its appendices, and every special case worked by hand.

B is (tables + 10) / 60 up to 60 tables, log10(tables / 4) beyond; K of a regional is 46, and L of 24 boards is 1.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest

from resultproc.model.errors import DeclarationError, InputError, RulebookError
from resultproc.model.frames import Result
from resultproc.model.knockout import Bracket, Finish, Run
from resultproc.rulebooks import choose, rulebook
from resultproc.rulebooks.acbl_knockout.colours import gold_share
from resultproc.rulebooks.acbl_knockout.tables import Count, counted
from resultproc.rulebooks.common.factors import l_factor
from resultproc.rulebooks.load import parse
from resultproc.stages.pipeline import award_sheet, complete, joined
from tests.knockouts import awarded, bracket, event, for_matches, in_steps, overall, paid, seeded

EDITION = rulebook("acbl-knockout-2003").at(date(2005, 5, 5))


def own_rulebook(folder: Path, text: str) -> str:
    path = folder / "own.toml"
    path.write_text(f'extends = "acbl-knockout-2003"\n{text}', "utf-8")
    return str(path)


# Appendix E.

APPENDIX_E = """
2 0.0833 14 0.5833 3 0.1250 15 0.6250 4 0.1667 16 0.6667 5 0.2083 17 0.7083 6 0.2500 18 0.7500 7 0.2917 19 0.7917
8 0.3333 20 0.8333 9 0.3750 21 0.8750 10 0.4167 22 0.9167 11 0.4583 23 0.9583 12 0.5000 24 1.0000 13 0.5417 47 1.0000
48 1.5000
"""


def test_appendix_e():
    words = APPENDIX_E.split()
    printed = {int(boards): value for boards, value in zip(words[::2], words[1::2], strict=True)}
    assert set(printed) == {*range(2, 25), 47, 48}
    for boards, value in printed.items():
        length = l_factor(EDITION, boards).value
        exact = Decimal(length.numerator) / Decimal(length.denominator)
        assert str(exact.quantize(Decimal("0.0001"), ROUND_HALF_UP)) == value


def test_a_match_of_one_board_has_no_awards():
    with pytest.raises(DeclarationError, match="a match of 1 boards has no awards"):
        l_factor(EDITION, 1)


# Appendix F.


def counts(brackets: list[Bracket], reading: str = "") -> list[tuple[int, int, int, int]]:
    edition = EDITION
    if reading:
        text = f'extends = "acbl-knockout-2003"\n[tables.third-reading]\nvalue = "{reading}"'
        edition = read_with(text).at(date(2005, 5, 5))
    found = [counted(edition, brackets, index) for index in range(len(brackets))]
    return [(count.own, count.half, count.third, count.fifth) for count in found]


def read_with(text: str):
    base = rulebook("acbl-knockout-2003")
    return parse(text, "own.toml", base.rules, base)


SIX = [Bracket(place, (16,), 1000.0, 800.0) for place in range(6)]
"""The example of Appendix F: six brackets of 16 teams, no weak top teams."""


def test_appendix_f_by_the_default_reading():
    # Its rows 2 to 6 as printed. Row 1 is printed 16 16 50 14, which would give 50 34 18 2 and 14 14 14 14 below it.
    assert counts(SIX) == [
        (16, 16, 34, 30),
        (16, 0, 34, 30),
        (16, 0, 18, 30),
        (16, 0, 2, 30),
        (16, 0, 0, 16),
        (16, 0, 0, 0),
    ]
    # 16 + 16/2 + 34/3 + 30/5 = 16 + 8 + 11.33 + 6
    assert counted(EDITION, SIX, 0).tables(EDITION) == Fraction(124, 3)
    # 16 + 34/3 + 30/5, 16 + 18/3 + 30/5, 16 + 2/3 + 30/5, 16 + 16/5, 16
    lower = [counted(EDITION, SIX, index).tables(EDITION) for index in range(1, 6)]
    assert lower == [Fraction(100, 3), 28, Fraction(68, 3), Fraction(96, 5), 16]


def test_appendix_f_by_the_other_reading():
    found = counts(SIX, "50 more teams")
    assert found == [
        (16, 16, 50, 14),
        (16, 0, 50, 14),
        (16, 0, 34, 14),
        (16, 0, 18, 14),
        (16, 0, 2, 14),
        (16, 0, 0, 0),
    ]
    # 16 + 8 + 50/3 + 14/5 = 43.4667
    assert Count(*found[0]).tables(EDITION) == Fraction(652, 15)


def test_the_reading_can_be_chosen_in_a_rulebook_of_ones_own(tmp_path):
    brackets = [bracket(str(number), 16) for number in range(1, 7)]
    text = '[tables.third-reading]\nvalue = "50 more teams"'
    # B(41.3333) = 51.3333 / 60 and B(43.4667) = 53.4667 / 60, times 46: 39.3556 and 40.9911.
    assert overall(awarded(*brackets), "1")["1"] == "39.36"
    assert overall(awarded(*brackets, rulebook=own_rulebook(tmp_path, text)), "1")["1"] == "40.99"


@pytest.mark.parametrize(
    ("top", "part"), [(300.0, 1), (299.99, Fraction(1, 2)), (100.0, Fraction(1, 2)), (99.99, 0), (0.0, 0)]
)
def test_a_weak_bracket_is_credited_with_less_of_the_lower_ones(top, part):
    brackets = [Bracket(0, (12,), top, top), Bracket(1, (12,), 50.0, 50.0)]
    assert counted(EDITION, brackets, 0).tables(EDITION) == 12 + part * 6


def test_weak_brackets_in_an_event():
    # 12 teams above 12: 12 + 12/2 = 18 tables, 12 + 6/2 = 15, 12. B x 46: 21.4667, 19.1667; but an event of 18 teams
    # and more pays the award for 16 tables at least: 19.9333.
    def first(top: float, teams: int) -> str:
        return overall(awarded(bracket("1", teams, top=top), bracket("2", teams, top=40)), "1")["1"]

    assert [first(top, 12) for top in (300, 299, 99)] == ["21.47", "19.93", "19.93"]
    # 8 above 8, 16 in all: 8 + 4 = 12 tables, 8 + 2 = 10, 8: 16.8667, 15.3333, 13.80.
    assert [first(top, 8) for top in (300, 299, 99)] == ["16.87", "15.33", "13.80"]


# The formula.


@pytest.mark.parametrize(
    ("rating", "first", "match"),
    [
        # B(16) = 26 / 60 times K 26, 30, 46, 46, 70; 8 for club games and 12 for club championships.
        ("unit-championship", "11.27", "0.77"),
        ("sectional", "13.00", "0.90"),
        ("stac", "13.00", "0.90"),
        ("regional", "19.93", "1.25"),
        ("regional-at-nabc", "19.93", "1.25"),
        ("national", "30.33", "1.80"),
        ("club-open", "3.47", "0.24"),
        ("club-invitational", "3.47", "0.24"),
        ("club-championship", "5.20", "0.36"),
        ("club-fund", "5.20", "0.36"),
    ],
)
def test_ratings(rating, first, match):
    result = awarded(bracket("A", 16), rating=rating)
    assert overall(result)["1"] == first
    # The 5th won one match: 0.765 of the unit rounds to 0.77.
    assert for_matches(result)["5"] == match


def test_percentages_of_the_first_award():
    # B(64) = log10(16) = 1.204120, times 46: 55.389519. 2nd 75%; 3rd and 4th (55 + 45) / 2 = 50%; 5th to 8th 22.5%;
    # 9th to 16th 10%; the 17th to 32nd won one match, which is not enough.
    awards = overall(awarded(bracket("A", 64)))
    assert awards == {
        "1": "55.39",
        "2": "41.54",
        **dict.fromkeys("34", "27.69"),
        **dict.fromkeys("5678", "12.46"),
        **{str(team): "5.54" for team in range(9, 17)},
    }


def test_lower_awards_follow_from_the_unrounded_first(tmp_path):
    # 11 teams: B = 21/60, x 46 x .6498 ... take 9 teams: 19/60 x 46 = 14.5667; 2nd 10.925 -> 10.93 where it is not
    # rounded before, 75% of 14.57 = 10.9275 -> 10.93. With 15 boards L is .625: 9.104167, 2nd 6.828125 -> 6.83,
    # 75% of 9.10 = 6.825 -> 6.83. With 5 boards L is .208333: 3.034722, 2nd 2.276042 -> 2.28, 75% of 3.03 -> 2.27.
    text = '[overall.from]\nvalue = "rounded first"'
    nine = bracket("A", 9)
    assert overall(awarded(nine, boards=5)) | {"1": ""} == {"1": "", "2": "2.28", "3": "1.52", "4": "1.52"}
    assert overall(awarded(nine, boards=5, rulebook=own_rulebook(tmp_path, text)))["2"] == "2.27"


def test_shared_places_get_the_mean_of_their_percentages(tmp_path):
    # 16 teams above 17: 16 + 16/2 + 1/3 = 24.3333 tables, 34.3333/60 x 46 = 26.322222. 3rd and 4th 50% = 13.161111.
    # The mean of the two awards, 55% = 14.477222 -> 14.48 and 45% = 11.845 -> 11.85, is 13.165 -> 13.17.
    event = bracket("1", 16), bracket("2", 17)
    text = '[overall.ties]\nvalue = "mean of awards"'
    assert overall(awarded(*event), "1")["3"] == "13.16"
    assert overall(awarded(*event, rulebook=own_rulebook(tmp_path, text)), "1")["3"] == "13.17"


def test_limits_and_restrictions():
    # M of 500 is log10(500) / 3.11 - 0.218 = 0.649828: 19.9333 x .649828 = 12.9532; 80% of 19.9333 = 15.9467, 70%
    # 13.9533. A consolation has an M of 65% at most: 12.9567.
    sixteen = bracket("A", 16)
    assert overall(awarded(sixteen, limit=500))["1"] == "12.95"
    assert overall(awarded(sixteen, restrictions="women"))["1"] == "15.95"
    assert overall(awarded(sixteen, restrictions="women, senior"))["1"] == "13.95"
    assert overall(awarded(sixteen, special="consolation"))["1"] == "12.96"


def test_an_event_that_comes_down_to_twelve_pays_the_ninth_to_twelfth_more():
    # 36, 24, 12, then 8, 4, 2: B(36) = 46/60, x 46 = 35.266667; 12% is 4.232, where 10% would be 3.53.
    twelve = awarded(bracket("A", in_steps(36, 3, 2, 3)))
    awards = overall(twelve)
    assert sorted(awards.values(), key=float) == [*["4.23"] * 4, *["7.94"] * 4, *["17.63"] * 2, "26.45", "35.27"]


def test_regionals_scheduled_for_three_sessions_pay_seven_tenths():
    # 19.933333 x .7 = 13.953333; a match award is what it is. Sectionals are not reduced, nor events of two sessions.
    sixteen = bracket("A", 16)
    result = awarded(sixteen, sessions=3)
    assert overall(result)["1"] == "13.95"
    assert for_matches(result)["5"] == "1.25"
    assert overall(awarded(sixteen, sessions=3, rating="sectional"))["1"] == "13.00"
    assert overall(awarded(sixteen, sessions=2))["1"] == "19.93"


def test_the_top_bracket_of_eighteen_teams_gets_the_award_for_sixteen_tables():
    # 8 + 10/2 = 13 tables in an event of 18 teams, as for 16: 19.9333. 8 + 9/2 = 12.5 of 17: 22.5/60 x 46 = 17.25.
    # The lower bracket counts its own: 20/60 x 46 = 15.3333.
    result = awarded(bracket("1", 8), bracket("2", 10))
    assert (overall(result, "1")["1"], overall(result, "2")["1"]) == ("19.93", "15.33")
    assert overall(awarded(bracket("1", 8), bracket("2", 9)), "1")["1"] == "17.25"


def test_prestige_of_the_top_bracket():
    # All hold 7,500: not more, no prestige. All but the first hold that, the first 7,516: 7,501 on average; x 1.1.
    assert overall(awarded(bracket("A", 16, top=7500, others=7500)))["1"] == "19.93"
    result = awarded(bracket("1", 16, top=7516, others=7500), bracket("2", 4, top=9000, others=9000))
    # 16 + 4/2 = 18 tables: 28/60 x 46 = 21.4667, x 1.1 = 23.6133. Below, 14/60 x 46 = 10.7333, without prestige.
    assert (overall(result, "1")["1"], overall(result, "2")["1"]) == ("23.61", "10.73")
    assert overall(awarded(bracket("A", 16, top=9000, others=9000), limit=7500))["1"] == "19.93"


def test_no_bracket_pays_more_than_nine_tenths_of_the_one_above():
    # Top: 8 + 16/2 + 34/3 = 27.3333 tables of 50 lower teams, 37.3333/60 x 46 = 28.6222. Second: 20 + 30/3 = 30 tables,
    # 30.6667, but at most .9 x 28.62 = 25.758. Third: 30 tables, 30.6667, but at most .9 x 25.76 = 23.184.
    result = awarded(bracket("1", 8), bracket("2", 20), bracket("3", 30))
    assert [overall(result, section)["1"] for section in "123"] == ["28.62", "25.76", "23.18"]
    # 2nd of the third: 75% of 23.184 = 17.388.
    assert overall(result, "3")["2"] == "17.39"


# Who gets an overall award.


def test_two_matches_or_two_rounds():
    # 12 teams, of which 4 have a bye: the 3rd and 4th have a bye and a win. The 5th to 8th have one win.
    result = awarded(bracket("A", 12))
    # 22/60 x 46 = 16.8667; 50% = 8.4333.
    assert overall(result) == {"1": "16.87", "2": "12.65", "3": "8.43", "4": "8.43"}
    assert for_matches(result) == {"1": "3.75", "2": "2.50", **dict.fromkeys("345678", "1.25")}
    # 9 teams in threes, 6 go on, of which 2 have a bye. 2 is second of its three and wins its quarterfinal; half a
    # match and two rounds. 19/60 x 46 = 14.5667.
    nine = bracket("A", in_steps(9, 3))
    assert set(overall(awarded(nine)).values()) == {"14.57", "10.93", "7.28"}


def test_who_forfeits_gets_the_award_of_the_team_that_it_beat_before():
    rounds = seeded(16)
    rounds["2"][-1] = "F 1"
    result = awarded(bracket("A", rounds))
    # 50% of 19.9333 for all three; nobody is second.
    assert overall(result) == {"1": "19.93", **dict.fromkeys("234", "9.97")}
    assert paid(result, "A", "2") == "9.97 overall, gold 9.97"
    # The 3 matches that it won are its own.
    assert for_matches(result)["2"] == "3.75"


def test_who_forfeits_to_no_purpose_has_its_matches():
    # Of 8 teams, 2 beat 3 in the semifinal, which has one win and no award; so 2 has none either.
    rounds = seeded(8)
    rounds["2"][-1] = "F 1"
    result = awarded(bracket("A", rounds))
    assert overall(result) == {"1": "13.80"}
    assert paid(result, "A", "2") == "2.50 matches, red 2.50"


def test_a_playoff_for_third_of_eight_teams_pays_22_and_a_half_percent():
    # 18/60 x 46 = 13.80; 22.5% = 3.105. Its loser has its one match.
    result = awarded(bracket("A", 8, t3="W 4", t4="L 3"))
    assert overall(result) == {"1": "13.80", "2": "10.35", "3": "3.11"}
    assert paid(result, "A", "4") == "1.25 matches, red 1.25"
    # In three sessions 70% of that is 2.1735, and the two matches pay more.
    assert paid(awarded(bracket("A", 8, t3="W 4", t4="L 3"), sessions=3), "A", "3") == "2.50 matches, red 2.50"


def test_playoffs_for_the_fifth_to_eighth_of_sixteen_teams():
    # The winners tie for the 5th to 8th: 22.5% of 19.9333 = 4.485. So do they of 31 teams, and of 15 teams none does.
    result = awarded(bracket("A", 16, t5="W 8", t8="L 5", t6="W 7", t7="L 6"))
    assert overall(result) == {"1": "19.93", "2": "14.95", "3": "9.97", "4": "9.97", "5": "4.49", "6": "4.49"}
    fifteen = awarded(bracket("A", 15, t5="W 8", t8="L 5"))
    assert "5" not in overall(fifteen)
    # 9th to 16th of 32: 10% of 42/60 x 46 = 32.20.
    assert overall(awarded(bracket("A", 32, t9="W 16", t16="L 9")))["9"] == "3.22"
    assert "9" not in overall(awarded(bracket("A", 31, t9="W 16", t16="L 9")))


def paying(result: Result, section: str = "A") -> dict[str, str]:
    """Return how many places pay, as the overall award of each team says it: ``{"1": "2 places pay", ...}``."""
    frame = result.candidates[result.candidates["basis"] == "overall"]
    teams = result.contestants.iloc[frame["contestant"]]
    said = frame["factors"].astype("str").str.rpartition("; ")[2].to_numpy()
    rows = (teams["section"] == section).to_numpy()
    return dict(zip(teams["number"].to_numpy()[rows], said[rows], strict=True))


@pytest.mark.parametrize(
    ("teams", "places"),
    [
        # 2 teams: the winner has one match and one round. 3: the winner a bye and a match, so two rounds, the other
        # one round. Of 4 and 8 the losers of the semifinals have one match at most, of 5 to 7 the 2nd one and a bye.
        (3, "1 place pays"),
        (4, "1 place pays"),
        (5, "2 places pay"),
        (8, "2 places pay"),
        # Of 9 to 16 the semifinalists survived two rounds; of 17 to 32 the 5th to 8th, of 64 the 9th to 16th.
        (9, "4 places pay"),
        (16, "4 places pay"),
        (17, "8 places pay"),
        (64, "16 places pay"),
        # The list ends with the 16th.
        (128, "16 places pay"),
    ],
)
def test_only_places_that_really_pay_are_counted(teams, places):
    assert set(paying(awarded(bracket("A", teams))).values()) == {places}


def test_places_that_pay_by_playoff_are_counted_apart():
    # The winner of the play-off ties for the 3rd and 4th; the final's two pay without one.
    said = paying(awarded(bracket("A", 8, t3="W 4", t4="L 3")))
    assert said == {"1": "2 places pay", "2": "2 places pay", "3": "4 places pay by play-off"}


def test_places_of_compact_knockouts_and_championships_are_those_of_their_teams():
    # The list has 32 places, of which the 17th to 32nd lost at once; four of 15 teams of flight A.
    assert set(paying(national(32, "vanderbilt")).values()) == {"16 places pay"}
    assert set(paying(national(15, "grand-national-teams-a")).values()) == {"4 places pay"}
    played = compact(bracket("A", 16, t3="W 4", t4="L 3"))
    assert paying(played) == {**dict.fromkeys("12", "2 places pay"), **dict.fromkeys("34", "4 places pay")}


def test_no_playoff_with_fewer_than_eight_teams():
    # 7 teams: 1 has a bye. 3 lost its semifinal after one win.
    with pytest.raises(DeclarationError, match="there is a play-off in a bracket of 7 teams"):
        awarded(bracket("A", 7, t3="W 4", t4="L 3"))


# What ranking goes by is the rulebook's.


def test_who_forfeits_may_keep_its_place(tmp_path):
    rounds = seeded(16)
    rounds["2"][-1] = "F 1"
    own = own_rulebook(tmp_path, '[forfeit.place]\nvalue = "own"')
    # 75% of 19.9333.
    assert overall(awarded(bracket("A", rounds), rulebook=own))["2"] == "14.95"


def test_another_number_of_wins_may_make_a_match(tmp_path):
    # Of three teams the first won both matches, a whole one of 1.25, the second one of them, half of it.
    three = bracket("A", in_steps(9, 3))
    own = own_rulebook(tmp_path, "[match.wins]\nvalue = 4")
    assert for_matches(awarded(three))["8"] == "0.63"
    assert for_matches(awarded(three, rulebook=own))["8"] == "0.31"  # a quarter of 1.25 is .3125


def test_a_playoff_may_leave_compact_knockouts_tied(tmp_path):
    own = own_rulebook(tmp_path, "[playoff.clear]\nvalue = []")
    # 3rd and 4th both the mean of 55% and 45% of 9.966667: 4.983333.
    result = compact(bracket("A", 16, t3="W 4", t4="L 3"), rulebook=own)
    assert overall(result) == {"1": "9.97", "2": "7.48", "3": "4.98", "4": "4.98"}


# Matches.


def test_match_awards_are_for_the_length_of_the_match():
    # 1.25 x 14/24 = .729167 -> 0.73 a match, 0.73 x 4 = 2.92; 48 boards: 1.25 x 1.5 = 1.875 -> 1.88.
    assert for_matches(awarded(bracket("A", 16), boards=14)) | {"2": "", "3": ""} == {
        "1": "2.92",
        "2": "",
        "3": "",
        "4": "1.46",
        **dict.fromkeys("5678", "0.73"),
    }
    assert for_matches(awarded(bracket("A", 16), boards=48))["5"] == "1.88"


def test_a_match_of_three_teams_pays_half_for_each_win():
    # 9 teams in threes: 1 won both, 2 one, 3 none; then 6 are left: 1 (bye), 2, 4, 5, 7, 8 in this order.
    result = awarded(bracket("A", in_steps(9, 3)))
    # 8 (the 6th left) won half a match: .625 -> 0.63.
    assert for_matches(result)["8"] == "0.63"
    # 2 (the 2nd left): half a match, a bye, a semifinal won: 1.5 x 1.25 = 1.875 -> 1.88.
    assert for_matches(result)["2"] == "1.88"


def test_match_awards_can_be_switched_off(tmp_path):
    text = '[match.reading]\nvalue = "none"'
    assert paid(awarded(bracket("A", 8), rulebook=own_rulebook(tmp_path, text)), "A", "3") == "0.00"


# Compact knockouts.


def compact(*brackets, **keys):
    return awarded(*brackets, **{"special": "compact-knockout", "boards": 12, "sessions": 2, **keys})


def test_compact_knockouts_have_a_third_and_a_fourth_by_playoff():
    # L of 12 boards is .5: 19.9333 / 2 = 9.966667. 55% = 5.481667, 45% = 4.485.
    result = compact(bracket("A", 16, t3="W 4", t4="L 3"))
    assert overall(result) == {"1": "9.97", "2": "7.48", "3": "5.48", "4": "4.49"}
    # Without it neither played two complete sessions: 2 matches of .625 -> 0.63 each.
    assert overall(compact(bracket("A", 16))) == {"1": "9.97", "2": "7.48"}
    assert paid(compact(bracket("A", 16)), "A", "3") == "1.26 matches, red 1.26"


def test_small_compact_knockouts_pay_fewer_places():
    # 8 teams: 13.80 / 2, two places; a play-off pays nothing more.
    eight = compact(bracket("A", 8, t3="W 4", t4="L 3"))
    assert overall(eight) == {"1": "6.90", "2": "5.18"}
    # 4 teams: 14/60 x 46 = 10.7333, one place; all matches have the full length, twice the boards: L 1.
    assert overall(compact(bracket("A", 4))) == {"1": "10.73"}
    # 5 teams are not as few: 15/60 x 46 / 2 = 5.75.
    assert overall(compact(bracket("A", 5)))["1"] == "5.75"


@pytest.mark.parametrize("boards", [11, 24])
def test_a_compact_knockout_has_half_matches(boards):
    with pytest.raises(DeclarationError, match=f"boards is {boards}, but a compact knockout has matches of 12 to 23"):
        compact(bracket("A", 16), boards=boards)


# Flights, split flights.


def test_flights_have_limits_of_their_own():
    # A: 8 + 16/2 + 0 = 16 tables of 16 lower teams. 26/60 x 46 = 19.9333.
    # B: 8 + (16 - 8)/3 = 10.6667 tables, M of 1500 = log10(1500) / 3.11 - .218 = .803250: 20.6667/60 x 46 x .803250 =
    # 12.7271. C: 8 tables, M of 300 = log10(300) / 5 + .1102 = .605624: 13.80 x .605624 = 8.3576.
    brackets = bracket("A", 8), bracket("B", 8, top=900), bracket("C", 8, top=300)
    result = awarded(*brackets, flight_limits="A=open, B=1500, C=300")
    assert [overall(result, section)["1"] for section in "ABC"] == ["19.93", "12.73", "8.36"]
    # Gold in the first two, none in the third, whatever its teams hold.
    assert paid(result, "A", "1").endswith("gold 19.93")
    assert paid(result, "B", "1").endswith("gold 12.73")
    assert paid(result, "C", "1") == "8.36 overall, red 8.36"
    assert paid(awarded(*brackets, flight_limits="A=open, B=749, C=300"), "B", "1").count("gold") == 0


def test_groups_of_a_split_lowest_flight_go_by_the_largest():
    # B and C are one flight of 6 and 9 teams: for A 15 lower teams, 8 + 15/2 = 15.5 of 23 teams in all, so 16 tables:
    # 19.9333. Both groups have 9 tables: 19/60 x 46 = 14.5667.
    brackets = bracket("A", 8), bracket("B", 6), bracket("C", 9)
    result = awarded(*brackets, split="B, C")
    assert [overall(result, section)["1"] for section in "ABC"] == ["19.93", "14.57", "14.57"]
    # As brackets of their own B has 6 + 9/3 = 9 tables too, of which C, 9 tables, gets nine tenths at most: 13.113.
    result = awarded(*brackets)
    assert [overall(result, section)["1"] for section in "ABC"] == ["19.93", "14.57", "13.11"]


def test_the_only_flight_split_into_groups():
    # 8 and 10 teams, each group on 10: 20/60 x 46 = 15.3333; but the event has 18 teams: 16 tables, 19.9333.
    result = awarded(bracket("A", 8), bracket("B", 10), split="A, B")
    assert [overall(result, section)["1"] for section in "AB"] == ["19.93", "19.93"]
    result = awarded(bracket("A", 8), bracket("B", 9), split="A, B")
    assert [overall(result, section)["1"] for section in "AB"] == ["14.57", "14.57"]


def test_brackets_stand_in_the_order_of_their_numbers():
    # 10 is below 9, not beside 1.
    result = awarded(*[bracket(str(number), 4) for number in range(1, 11)])
    # 2nd: 4 + 32/3 = 14.6667 tables, 24.6667/60 x 46 = 18.9111. All below have nine tenths of the one above: 17.02,
    # 15.32, 13.79, 12.41, 11.17, 10.05, 9.05, 8.15 (their tables would give 17.89, ..., 11.76 and 10.73).
    firsts = [overall(result, str(number))["1"] for number in (2, 3, 8, 9, 10)]
    assert firsts == ["18.91", "17.02", "10.05", "9.05", "8.15"]


# Colours.


@pytest.mark.parametrize(
    ("top", "share"),
    [
        (750.0, Fraction(1)),
        (749.99, Fraction(2, 3)),
        (500.0, Fraction(2, 3)),
        (499.99, Fraction(1, 2)),
        (300.0, Fraction(1, 2)),
        (299.99, Fraction(1, 3)),
        (0.0, Fraction(1, 3)),
    ],
)
def test_the_less_the_top_team_of_a_bracket_holds_the_less_gold(top, share):
    brackets = (Bracket(0, (8, 4, 2), 10.0, 10.0), Bracket(1, (8, 4, 2), top, 10.0))
    runs = [Run(index, Finish(1, 1, 3, Fraction(3)), brackets) for index in (0, 1)]
    # The top bracket pays gold always.
    assert [gold_share(EDITION, run, frozenset(), 4, inf) for run in runs] == [1, share]
    assert gold_share(EDITION, runs[0], frozenset({"consolation"}), 4, inf) == 0
    # Charity events are championships.
    assert gold_share(EDITION, runs[0], frozenset({"consolation", "charity"}), 4, inf) == 1


def test_gold_and_red_in_brackets():
    result = awarded(bracket("1", 8), bracket("2", 8, top=600), bracket("3", 8, top=400), bracket("4", 8, top=200))
    # The 4th on 8 tables: 13.80, a third of it gold; matches pay red.
    assert paid(result, "4", "1") == "13.80 overall, red 9.20, gold 4.60"
    assert paid(result, "1", "3") == "1.25 matches, red 1.25"
    # The 1st counts 24 lower teams, the 2nd 24 - 8 = 16 at 1/3, the 3rd 16 - 8 = 8: 8 + 8/3 = 10.6667 tables,
    # 20.6667/60 x 46 = 15.8444, a half of it gold; its 2nd gets 11.8833, of which 5.94 are gold.
    assert paid(result, "3", "1") == "15.84 overall, red 7.92, gold 7.92"
    # The 2nd: 8 + 16/3 = 13.3333, 23.3333/60 x 46 = 17.8889; two thirds of 17.89 are 11.9267.
    assert paid(result, "2", "1") == "17.89 overall, red 5.96, gold 11.93"


def test_colours_of_other_ratings():
    for rating, colour in (("club-open", "black"), ("sectional", "silver"), ("national", "platinum")):
        assert f", {colour} " in paid(awarded(bracket("1", 8), bracket("2", 8), rating=rating), "2", "1")
    # A regional without brackets pays gold as any event does: from a limit of 750 up.
    assert "gold" in paid(awarded(bracket("A", 8), limit=750), "A", "1")
    assert "gold" not in paid(awarded(bracket("A", 8), limit=749), "A", "1")


# NABC and WBF championships.


def national(teams: int, championship: str, **keys: object):
    return awarded(bracket("A", teams), rating="national", championship=championship, **{"boards": None, **keys})


LISTED = {
    "vanderbilt": ("250.00", "180.00", "125.00", "80.00", "50.00", "25.00"),
    "spingold": ("250.00", "180.00", "125.00", "80.00", "50.00", "25.00"),
    "womens-knockout": ("140.00", "105.00", "70.00", "45.00", "25.00"),
    "senior-knockout": ("140.00", "105.00", "70.00", "45.00", "25.00"),
    "us-bridge-championship": ("250.00", "180.00", "125.00", "54.00", "24.00"),
    "us-womens-bridge-championship": ("140.00", "105.00", "70.00", "45.00", "25.00"),
}


@pytest.mark.parametrize("name", LISTED)
def test_championships_with_fixed_awards(name):
    result = national(64, name)
    awards = overall(result)
    places = ["1", "2", "3", "5", "9", "17"]
    assert tuple(awards[place] for place in places if place in awards) == LISTED[name]
    match = 5 if name in {"vanderbilt", "spingold"} else 4
    assert for_matches(result)["17"] == f"{match}.00"
    # The winner of six matches gets the overall award, platinum, and the 33rd nothing.
    assert paid(result, "A", "1") == f"{LISTED[name][0]} overall, platinum {LISTED[name][0]}"
    assert "33" not in awards


def test_a_team_that_lost_its_first_match_has_no_place():
    # Of 32 teams the 17th to 32nd lost at once.
    assert len(overall(national(32, "vanderbilt"))) == 16


@pytest.mark.parametrize(
    ("teams", "awards"),
    [
        # 105, 70, 45 and 25 times 120/140, 100/140, 80/140.
        (32, ("140.00", "105.00", "70.00", "45.00", "25.00")),
        (31, ("120.00", "90.00", "60.00", "38.57", "21.43")),
        (24, ("120.00", "90.00", "60.00", "38.57", "21.43")),
        (23, ("100.00", "75.00", "50.00", "32.14", "17.86")),
        (16, ("100.00", "75.00", "50.00", "32.14")),
        (15, ("80.00", "60.00", "40.00", "25.71")),
    ],
)
def test_championships_shrink_with_few_teams(teams, awards):
    found = overall(national(teams, "womens-knockout"))
    # Of 17 to 31 teams the 9th has had a bye or a win, of 16 and fewer none.
    assert tuple(found[place] for place in ("1", "2", "3", "5", "9") if place in found) == awards


def test_championships_whose_other_places_go_by_the_formula():
    # 2nd 75%, 3rd and 4th 50% of 140, 5th to 8th 22.5%, 9th to 16th of 64 10%.
    awards = overall(national(64, "canadian-national-teams", boards=24))
    assert [awards[place] for place in ("1", "2", "3", "5", "9")] == ["140.00", "105.00", "70.00", "31.50", "14.00"]
    assert "17" not in awards
    assert overall(national(20, "canadian-national-teams", boards=24))["2"] == "75.00"  # of 100
    assert overall(national(31, "canadian-national-teams-b", boards=24))["1"] == "37.50"  # three quarters of 50
    assert overall(national(32, "canadian-national-teams-b", boards=24))["1"] == "50.00"
    assert overall(national(31, "canadian-womens-teams", boards=24))["1"] == "60.00"  # three quarters of 80
    trials = national(16, "senior-team-trials")
    assert (overall(trials)["1"], for_matches(trials)["5"]) == ("50.00", "4.00")


@pytest.mark.parametrize(("flight", "first"), [("championship", 100), ("a", 75), ("b", 60), ("c", 40)])
def test_grand_national_teams_pay_eight_or_four_places(flight, first):
    def awards(teams: int) -> dict[str, str]:
        return overall(awarded(bracket("A", teams), rating="national", championship=f"grand-national-teams-{flight}"))

    sixteen, fifteen = awards(16), awards(15)
    assert (len(sixteen), len(fifteen)) == (8, 4)
    assert (sixteen["1"], sixteen["8"]) == (f"{first:.2f}", f"{first * 0.225:.2f}")


def test_mini_spingolds_go_by_the_formula_up_to_a_maximum():
    # B(40) = 50/60, x 70 = 58.3333, x M of 5000 (log10(5000) / 3.11 - .218 = .971377) = 56.6637; of 1500 (.803250):
    # 46.8563. Of 200 teams: log10(50) x 70 x .971377 = 115.52, at most 100, and x .803250 = 95.53, at most 75.
    for name, limit, forty, most in (
        ("mini-spingold-5000", 5000, "56.66", "100.00"),
        ("mini-spingold-1500", 1500, "46.86", "75.00"),
    ):
        keys = {"rating": "national", "championship": name, "limit": limit}
        assert overall(awarded(bracket("A", 40), **keys))["1"] == forty
        assert overall(awarded(bracket("A", 200), **keys))["1"] == most


@pytest.mark.parametrize(
    ("name", "awards"),
    [
        # Lower places as shares of the closest event's first: 180, 125, 80, 50 of 250; 105, 70, 45, 25 of 140.
        ("wbf-olympiad-open-teams", ("250.00", "180.00", "125.00", "80.00", "50.00")),
        ("wbf-bermuda-bowl", ("200.00", "144.00", "100.00", "64.00", "40.00")),
        ("wbf-rosenblum-cup", ("150.00", "108.00", "75.00", "48.00", "30.00")),
        ("wbf-venice-cup", ("140.00", "105.00", "70.00", "45.00", "25.00")),
        ("wbf-olympiad-womens-teams", ("140.00", "105.00", "70.00", "45.00", "25.00")),
        ("wbf-mcconnell-cup", ("100.00", "75.00", "50.00", "32.14", "17.86")),
        ("wbf-senior-teams", ("100.00", "75.00", "50.00", "32.14", "17.86")),
        ("wbf-senior-bowl", ("100.00", "75.00", "50.00", "32.14", "17.86")),
    ],
)
def test_wbf_events_follow_the_closest_championship_and_pay_no_matches(name, awards):
    result = national(32, name)
    assert tuple(overall(result)[place] for place in ("1", "2", "3", "5", "9")) == awards
    assert for_matches(result) == {}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"championship": "vanderbild"}, "there is no championship 'vanderbild' .did you mean 'vanderbilt'"),
        ({"championship": "blue-ribbon-pairs"}, "blue-ribbon-pairs is no knockout"),
        ({"championship": "vanderbilt", "rating": "regional"}, "vanderbilt has 'national'"),
    ],
)
def test_what_contradicts_a_championship_is_refused(keys, message):
    with pytest.raises(DeclarationError, match=message):
        awarded(bracket("A", 16), **{"rating": "national", **keys})


# What is missing or wrong.


@pytest.mark.parametrize(
    ("brackets", "keys", "message"),
    [
        ([bracket("A", 8)], {"sessions": None}, "sessions is not declared, and the awards of a knockout depend on it"),
        ([bracket("A", 8)], {"boards": None}, "boards is not declared"),
        ([bracket("A", 8, top=None)], {}, "players without a holding in bracket 1, and the award of the top bracket"),
        ([bracket("A", 8), bracket("B", 8, top=None)], {}, "in bracket 2, and the colour of its awards"),
        ([bracket("A", 8, top=None), bracket("B", 8)], {"limit": 5000}, "in bracket 1, and what it is credited"),
        ([bracket("A", 8)], {"date": "2003-10-31"}, "no rulebook covers a regional knockout on 2003-10-31"),
        ([bracket("A", 8), bracket("B", 8)], {"split": "B, C"}, "these are not the lowest sections"),
        ([bracket(each, 8) for each in "ABC"], {"split": "A, B"}, "these are not the lowest sections"),
        ([bracket("A", 8), bracket("B", 8)], {"flight_limits": "A=open"}, "not a lower limit for each lower flight"),
        (
            [bracket("A", 8), bracket("B", 8)],
            {"flight_limits": "A=500, B=1000"},
            "not a lower limit for each lower flight",
        ),
        ([bracket("A", 8)], {"tables": "A=7"}, "section A lists 8 contestants, 7 tables seat 7"),
    ],
)
def test_what_an_event_must_declare(brackets, keys, message):
    with pytest.raises(InputError, match=message):
        awarded(*brackets, **keys)


@pytest.mark.parametrize(
    ("day", "book"),
    [
        ("2003-11-01", "acbl-knockout-2003"),
        ("2014-12-31", "acbl-knockout-2003"),
        ("2015-01-01", "acbl-knockout-2015"),
        ("2026-11-21", "acbl-knockout-2015"),
    ],
)
def test_the_rules_of_the_day(day: str, book: str) -> None:
    result = awarded(bracket("A", 8), date=day)
    assert result.games["rulebook"].tolist() == [book]
    said = [remark.what for remark in result.remarks]
    assert ["no document has the rules for knockouts since 2015" in what for what in said] == [True] * (day > "2015")


def test_every_value_that_is_carried_on_is_inferred() -> None:
    entries = [entry for versions in rulebook("acbl-knockout-2015").entries.values() for entry in versions]
    assert {entry.confidence for entry in entries} == {"inferred"}
    assert "printed" in {entry.confidence for entry in EDITION.entries.values()}
    values = {path: entry.value for path, entry in EDITION.entries.items()}
    later = rulebook("acbl-knockout-2015").at(date(2020, 1, 1))
    assert {path: entry.value for path, entry in later.entries.items()} == values
    assert "(inferred)" in awarded(bracket("A", 8), date="2015-01-01").candidates["rule"].iloc[0]


def test_what_could_be_named_is_told() -> None:
    told = "acbl-knockout-2003 (from 2003-11-01 to 2014-12-31), acbl-knockout-2015 (from 2015-01-01)"
    with pytest.raises(DeclarationError) as caught:
        awarded(bracket("A", 8), date="2003-10-31")
    assert caught.value.problems[0].hint == f"name one with --rulebook: {told}"
    with pytest.raises(DeclarationError) as caught:
        awarded(bracket("A", 8), date="2020-01-01", rulebook="acbl-general-formula-2019")
    assert caught.value.problems[0].hint == f"name another with --rulebook: {told}"


def test_a_confidence_that_is_none_is_refused() -> None:
    text = 'extends = "acbl-knockout-2003"\nconfidence = "sure"\n'
    with pytest.raises(RulebookError, match="confidence is one of printed, secondary, inferred"):
        parse(text, "own.toml", rulebook("acbl-knockout-2003").rules, rulebook("acbl-knockout-2003"))


def test_matches_that_contradict_each_other_name_their_lines():
    rounds = seeded(8)
    rounds["5"] = ["W 4"]
    with pytest.raises(InputError) as caught:
        awarded(bracket("A", rounds))
    assert "A 5: team A 5: this team has W 4 in round 1, but team 4 does not have L or F 5" in str(caught.value)


def test_a_knockout_without_rounds_is_refused():
    sheet = event(bracket("A", 8))
    columns = [name for name in sheet.contestants if name.startswith("round")]
    with pytest.raises(InputError, match="the knockout has no rounds"):
        award_sheet(replace(sheet, contestants=sheet.contestants.drop(columns=columns)))


# Many events at once, and which rulebook is for them.


def test_events_are_awarded_together_as_alone():
    sheets = [
        event(bracket("1", 8), bracket("2", 9, top=400), game_id="first"),
        event(bracket("1", 16, t5="W 8", t8="L 5"), game_id="second", sessions=3),
        event(bracket("1", 8), bracket("2", 9, top=400), game_id="third"),
    ]
    together = award_sheet(joined(sheets))
    alone = [award_sheet(sheet).awards["masterpoints"].tolist() for sheet in sheets]
    assert together.awards["masterpoints"].tolist() == [award for awards in alone for award in awards]
    # Rows in any order get the same.
    shuffled = joined(sheets)
    order = shuffled.contestants.sample(frac=1, random_state=7).index
    mixed = award_sheet(replace(shuffled, contestants=shuffled.contestants.loc[order].reset_index(drop=True)))
    assert mixed.awards["masterpoints"].tolist() == together.awards["masterpoints"].iloc[order].tolist()


def test_a_team_that_is_out_of_the_awards_still_takes_its_place():
    teams = bracket("A", 8)
    teams.loc[teams["number"] == "1", "eligible"] = False
    result = awarded(teams)
    assert overall(result) == {"2": "10.35"}
    assert paid(result, "A", "1") == "0.00"


@pytest.mark.parametrize("name", [None, "acbl-general-formula-2003", "acbl-knockout-2003"])
def test_the_document_of_the_general_formula_has_the_rules_of_knockouts(name):
    result = awarded(bracket("A", 16), rulebook=name)
    assert result.games["rulebook"].tolist() == ["acbl-knockout-2003"]
    assert overall(result)["1"] == "19.93"


@pytest.mark.parametrize("name", ["acbl-general-formula-2019", "acbl-club", "acbl-strength-of-field-2021"])
def test_a_rulebook_without_knockouts_is_refused(name):
    with pytest.raises(DeclarationError, match=f"game.csv: rulebook {name} has no awards for a knockout event"):
        awarded(bracket("A", 16), rulebook=name)


def test_other_events_are_refused_by_a_rulebook_of_knockouts(tmp_path):
    # One of its own is for knockouts, too.
    for name in ("acbl-knockout-2003", own_rulebook(tmp_path, "[cap.factor]\nvalue = 0.80")):
        sheet = event(bracket("A", 8), event_type="swiss", tables=8, rulebook=name)
        scored = sheet.contestants.assign(score=[8.0 - row for row in range(8)])
        with pytest.raises(DeclarationError, match="has no awards for a swiss event"):
            award_sheet(replace(sheet, contestants=scored))


def test_a_zip_knockout_is_a_swiss():
    sheet = event(bracket("A", 8), special="zip-knockout", sessions=1, tables=8)
    scored = sheet.contestants.assign(score=[8.0 - row for row in range(8)])
    games = choose(complete(sheet.games, scored).games)
    assert games["rulebook"].tolist() == ["acbl-general-formula-2003"]
    result = award_sheet(replace(sheet, contestants=scored))
    # One session, R 14, M .65: 18/60 x 14 x .65 = 2.73.
    assert paid(result, "A", "1").startswith("2.73 overall")
