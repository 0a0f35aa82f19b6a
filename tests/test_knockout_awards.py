"""The awards of knockouts under the formula of 2003: its appendices, and every special case worked by hand.

B is (tables + 10) / 60 up to 60 tables, log10(tables / 4) beyond; K of a regional is 46, and L of 24 boards is 1.
"""

from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from resultproc.model.errors import DeclarationError, InputError, RulebookError
from resultproc.model.frames import Result
from resultproc.model.group import Course, Knockouts
from resultproc.reports.explain import explain
from resultproc.rulebooks.acbl_knockout.first import Count, by_top, counted_paths, counted_teams
from resultproc.rulebooks.acbl_knockout.rules import gold_shares
from resultproc.rulebooks.choice import choose
from resultproc.rulebooks.common.awards import l_factor
from resultproc.rulebooks.load import parse_rulebook, rulebook
from resultproc.stages.pipeline import award_each, award_sheet, complete, joined_sheets
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
    with pytest.raises(DeclarationError, match="there are no awards for a match of 1 boards"):
        l_factor(EDITION, 1)


# Appendix F.


def counts(teams: list[int], reading: str = "") -> list[tuple[int, ...]]:
    edition = EDITION
    if reading:
        text = f'extends = "acbl-knockout-2003"\n[tables.third-reading]\nvalue = "{reading}"'
        base = rulebook("acbl-knockout-2003")
        edition = parse_rulebook(text, "own.toml", base.rules, base).at(date(2005, 5, 5))
    found = counted_teams(edition, np.zeros(len(teams), np.int64), np.arange(len(teams)), np.array(teams))
    return list(zip(*found.tolist(), strict=True))


SIX = [16] * 6
"""The example of Appendix F: six brackets of 16 teams, no weak top teams."""


def test_appendix_f_by_the_default_reading():
    # Its rows 2 to 6 as printed. Row 1 is printed 16 16 50 14, which would give 50 34 18 2 and 14 14 14 14 below it.
    expected = [(16, 16, 34, 30), (16, 0, 34, 30), (16, 0, 18, 30), (16, 0, 2, 30), (16, 0, 0, 16), (16, 0, 0, 0)]
    assert counts(SIX) == expected
    # 16 + 16/2 + 34/3 + 30/5 = 16 + 8 + 11.33 + 6
    tables = [Count(*each).tables(EDITION) for each in counts(SIX)]
    assert tables[0] == Fraction(124, 3)
    # 16 + 34/3 + 30/5, 16 + 18/3 + 30/5, 16 + 2/3 + 30/5, 16 + 16/5, 16
    assert tables[1:] == [Fraction(100, 3), 28, Fraction(68, 3), Fraction(96, 5), 16]


def test_appendix_f_by_the_other_reading():
    found = counts(SIX, "50 more teams")
    assert found == [(16, 16, 50, 14), (16, 0, 50, 14), (16, 0, 34, 14), (16, 0, 18, 14), (16, 0, 2, 14), (16, 0, 0, 0)]
    # 16 + 8 + 50/3 + 14/5 = 43.4667
    assert Count(*found[0]).tables(EDITION) == Fraction(652, 15)


@pytest.mark.slow
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
    (line,) = by_top(EDITION, "tables.weak", np.array([top]))
    _, credit = EDITION.rows("tables.weak")[line]
    assert Count(12, 12, 0, 0, credit).tables(EDITION) == 12 + part * 6


def test_what_a_count_of_tables_goes_by_is_named():
    lower = (0, 0, 0), (9, 0, 0), (0, 9, 0), (0, 0, 9), (9, 0, 0, Fraction(1, 2))
    shares, reading, weak = "tables.shares", "tables.third-reading", "tables.weak"
    named = [counted_paths(EDITION, Count(16, *each)) for each in lower]
    assert named == [(), (shares,), (shares, reading), (shares, reading), (shares, weak)]


@pytest.mark.slow
def test_a_table_that_has_no_line_for_a_weak_team_is_refused(tmp_path):
    own = own_rulebook(tmp_path, "[tables.weak]\nvalue = [[300, 1.00], [100, 0.50]]")
    assert overall(awarded(bracket("1", 12, top=100), bracket("2", 12, top=100), rulebook=own), "1")
    with pytest.raises(RulebookError, match="weak has no line for every average holding"):
        awarded(bracket("1", 12, top=99), bracket("2", 12, top=100), rulebook=own)


# The formula.


def test_lower_awards_follow_from_the_unrounded_first(tmp_path):
    # 11 teams: B = 21/60, x 46 x .6498 ... take 9 teams: 19/60 x 46 = 14.5667; 2nd 10.925 -> 10.93 where it is not
    # rounded before, 75% of 14.57 = 10.9275 -> 10.93. With 15 boards L is .625: 9.104167, 2nd 6.828125 -> 6.83,
    # 75% of 9.10 = 6.825 -> 6.83. With 5 boards L is .208333: 3.034722, 2nd 2.276042 -> 2.28, 75% of 3.03 -> 2.27.
    text = '[overall.from]\nvalue = "rounded first"'
    nine = bracket("A", 9)
    assert overall(awarded(nine, boards=5)) | {"1": ""} == {"1": "", "2": "2.28", "3": "1.52", "4": "1.52"}
    assert overall(awarded(nine, boards=5, rulebook=own_rulebook(tmp_path, text)))["2"] == "2.27"


@pytest.mark.slow
def test_shared_places_get_the_mean_of_their_percentages(tmp_path):
    # 16 teams above 17: 16 + 16/2 + 1/3 = 24.3333 tables, 34.3333/60 x 46 = 26.322222. 3rd and 4th 50% = 13.161111.
    # The mean of the two awards, 55% = 14.477222 -> 14.48 and 45% = 11.845 -> 11.85, is 13.165 -> 13.17.
    event = bracket("1", 16), bracket("2", 17)
    text = '[overall.ties]\nvalue = "mean of awards"'
    assert overall(awarded(*event), "1")["3"] == "13.16"
    assert overall(awarded(*event, rulebook=own_rulebook(tmp_path, text)), "1")["3"] == "13.17"


def test_an_event_that_comes_down_to_twelve_pays_the_ninth_to_twelfth_more():
    # 36, 24, 12, then 8, 4, 2: B(36) = 46/60, x 46 = 35.266667; 12% is 4.232, where 10% would be 3.53.
    twelve = awarded(bracket("A", in_steps(36, 3, 2, 3)))
    awards = overall(twelve)
    assert sorted(awards.values(), key=float) == [*["4.23"] * 4, *["7.94"] * 4, *["17.63"] * 2, "26.45", "35.27"]


# Who gets an overall award.


def paying(result: Result, section: str = "A") -> dict[str, str]:
    """Return how many places pay, as the overall award of each team says it: ``{"1": "2 places pay", ...}``."""
    frame = result.candidates[result.candidates["basis"] == "overall"]
    teams = result.contestants.iloc[frame["contestant"]]
    said = frame["factors"].astype("str").str.rpartition("; ")[2].to_numpy()
    rows = (teams["section"] == section).to_numpy()
    return dict(zip(teams["number"].to_numpy()[rows], said[rows], strict=True))


@pytest.mark.slow
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


def test_explained_ladders_end_with_the_last_place_that_pays():
    result = awarded(bracket("A", 3))
    winner, second = explain(result, 0), explain(result, 1)
    # B(3) = 13/60, times 46: 9.9667.
    assert winner.paying[0].factors == "first 9.97 (B 0.2167 (3 tables) x K 46); 1 place pays"
    assert winner.paying[0].ladder.depth == 1
    assert second.unpaid[0].factors.endswith(
        "nothing to a team that won fewer than 2 matches and did not go on 2 rounds"
    )


def test_places_that_pay_by_playoff_are_counted_apart():
    # The winner of the play-off ties for the 3rd and 4th; the final's two pay without one.
    said = paying(awarded(bracket("A", 8, t3="W 4", t4="L 3")))
    assert said == {"1": "2 places pay", "2": "2 places pay", "3": "4 places pay by play-off"}


@pytest.mark.slow
def test_places_of_compact_knockouts_and_championships_are_those_of_their_teams():
    # The list has 32 places, of which the 17th to 32nd lost at once; four of 15 teams of flight A.
    assert set(paying(national(32, "vanderbilt")).values()) == {"16 places pay"}
    assert set(paying(national(15, "grand-national-teams-a", boards=24, limit=6000)).values()) == {"4 places pay"}
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


@pytest.mark.slow
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


def test_match_awards_can_be_switched_off(tmp_path):
    text = '[match.reading]\nvalue = "none"'
    assert paid(awarded(bracket("A", 8), rulebook=own_rulebook(tmp_path, text)), "A", "3") == "0.00"


# Compact knockouts.


def compact(*brackets, **keys):
    return awarded(*brackets, **{"special": "compact-knockout", "boards": 12, "sessions": 2, **keys})


@pytest.mark.slow
@pytest.mark.parametrize("boards", [11, 24])
def test_a_compact_knockout_has_half_matches(boards):
    with pytest.raises(DeclarationError, match=f"boards is {boards}, but a compact knockout has matches of 12 to 23"):
        compact(bracket("A", 16), boards=boards)


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
    nothing = np.full(2, np.nan)
    two = np.arange(2)
    brackets = Knockouts(
        two * 0, two, two * 0, np.array([10.0, top]), nothing, nothing, [Course((8, 4, 2))], [], two, two
    )

    def gold(special: str | None, limit: float = inf) -> list[Fraction]:
        games = pd.DataFrame({"special": [special], "sessions": 4, "limit": limit})
        shares, lacking = gold_shares(EDITION, brackets, two, games, two * 0)
        assert not lacking.any()
        return [Fraction(*each) for each in zip(shares.over.tolist(), shares.under.tolist(), strict=True)]

    # The top bracket pays gold always.
    assert gold(None) == [1, share]
    assert gold("consolation") == [0, 0]
    # Charity events are championships.
    assert gold("consolation, charity") == [1, share]
    # Of non-life-masters, the top bracket alone, up to 750: what is divided then.
    assert gold("non-life-master", 750) == [1, 0]
    assert gold("non-life-master", 500) == [0, 0]


# NABC and WBF championships.


def national(teams: int, championship: str, **keys: object):
    return awarded(bracket("A", teams), rating="national", championship=championship, **{"boards": None, **keys})


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"championship": "vanderbild"}, "unknown championship 'vanderbild' .did you mean 'vanderbilt'"),
        ({"championship": "blue-ribbon-pairs"}, "blue-ribbon-pairs is not a knockout"),
        (
            {"championship": "grand-national-teams-district-c", "rating": "regional", "date": "2010-05-01"},
            "what 'grand-national-teams-district-c' pays is not known; all that is known",
        ),
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
        ([bracket("A", 8, top=None)], {}, "a player in bracket 1 has no holding, and the award of the top bracket"),
        ([bracket("A", 8), bracket("B", 8, top=None)], {}, "in bracket 2 has no holding, and the colour of its awards"),
        (
            [bracket("A", 8, top=None), bracket("B", 8)],
            {"limit": 5000},
            "in bracket 1 has no holding, and its credit for lower brackets",
        ),
        ([bracket("A", 8)], {"date": "2003-10-31"}, "no rulebook covers a regional knockout on 2003-10-31"),
        ([bracket("A", 8), bracket("B", 8)], {"split": "B, C"}, "these are not the lowest sections"),
        ([bracket(each, 8) for each in "ABC"], {"split": "A, B"}, "these are not the lowest sections"),
        ([bracket("A", 8), bracket("B", 8)], {"flight_limits": "A=open"}, "but each lower flight needs a lower limit"),
        (
            [bracket("A", 8), bracket("B", 8)],
            {"flight_limits": "A=500, B=1000"},
            "but each lower flight needs a lower limit",
        ),
        ([bracket("A", 8)], {"tables": "A=7"}, "section A lists 8 contestants, but 7 tables seat 7"),
    ],
)
def test_what_an_event_must_declare(brackets, keys, message):
    with pytest.raises(InputError, match=message):
        awarded(*brackets, **keys)


@pytest.mark.slow
@pytest.mark.parametrize(
    "brackets",
    [
        [bracket("A", 8, top=None)],  # its award depends on the holdings
        [bracket("A", 8), bracket("B", 8, top=None)],  # its colour does
    ],
)
def test_what_one_event_lacks_stops_no_other(brackets):
    whole = joined_sheets([event(bracket("A", 8)), event(*brackets, game_id="unknown")])
    result, wrong = award_each(whole)
    assert list(wrong) == ["unknown"]
    assert result.games["game_id"].tolist() == ["game"]
    assert result.candidates["masterpoints"].max() == 1380  # 18/60 x 46


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
    since = {"colour.gold.shares.non-life-master", "split.all", "special.same"}
    book = rulebook("acbl-knockout-2015")
    entries = [entry for path, versions in book.entries.items() for entry in versions if path not in since]
    assert {entry.confidence for entry in entries} == {"inferred"}
    assert "printed" in {entry.confidence for entry in EDITION.entries.values()}
    values = {path: entry.value for path, entry in EDITION.entries.items() if path not in since}
    later = book.at(date(2020, 1, 1))
    assert {path: entry.value for path, entry in later.entries.items() if path in values} == values
    one = {"colour.gold.sessions", "colour.gold.limit"}
    two = one | {f"colour.gold.{name}" for name in ("flights", "flight-limit", "brackets", "bracket")}
    for sections, rating, gold in (("A", "regional", one), ("AB", "regional", two), ("A", "sectional", set())):
        result = awarded(*(bracket(each, 8) for each in sections), date="2015-01-01", rating=rating)
        for row in result.candidates.itertuples():
            assert "(inferred)" in row.rule
            named = {item.path for item in row.values.items if item.path.startswith("colour.gold.")}
            assert named == (gold if row.basis == "overall" else set())


def test_what_could_be_named_is_told() -> None:
    told = "acbl-knockout-2003 (from 2003-11-01 to 2014-12-31), acbl-knockout-2015 (from 2015-01-01)"
    with pytest.raises(DeclarationError) as caught:
        awarded(bracket("A", 8), date="2003-10-31")
    assert caught.value.problems[0].hint == f"choose one with rulebook: {told}"
    with pytest.raises(DeclarationError) as caught:
        awarded(bracket("A", 8), date="2020-01-01", rulebook="acbl-general-formula-2019")
    assert caught.value.problems[0].hint == f"choose another with rulebook: {told}"


def test_a_confidence_that_is_none_is_refused() -> None:
    text = 'extends = "acbl-knockout-2003"\nconfidence = "sure"\n'
    with pytest.raises(RulebookError, match="unknown confidence; write printed, secondary, inferred"):
        parse_rulebook(text, "own.toml", rulebook("acbl-knockout-2003").rules, rulebook("acbl-knockout-2003"))


def test_a_knockout_without_rounds_is_refused():
    sheet = event(bracket("A", 8))
    columns = [name for name in sheet.contestants if name.startswith("round")]
    with pytest.raises(InputError, match="the knockout has no rounds"):
        award_sheet(replace(sheet, contestants=sheet.contestants.drop(columns=columns)))


# Many events at once, and which rulebook is for them.


@pytest.mark.slow
def test_events_are_awarded_together_as_alone():
    sheets = [
        event(bracket("1", 8), bracket("2", 9, top=400), game_id="first"),
        event(bracket("1", 16, t5="W 8", t8="L 5"), game_id="second", sessions=3),
        event(bracket("1", 8), bracket("2", 9, top=400), game_id="third"),
    ]
    together = award_sheet(joined_sheets(sheets))
    alone = [award_sheet(sheet).awards["masterpoints"].tolist() for sheet in sheets]
    assert together.awards["masterpoints"].tolist() == [award for awards in alone for award in awards]
    # Rows in any order get the same.
    shuffled = joined_sheets(sheets)
    order = shuffled.contestants.sample(frac=1, random_state=7).index
    mixed = award_sheet(replace(shuffled, contestants=shuffled.contestants.loc[order].reset_index(drop=True)))
    assert mixed.awards["masterpoints"].tolist() == together.awards["masterpoints"].iloc[order].tolist()


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


@pytest.mark.slow
def test_a_zip_knockout_is_a_swiss():
    sheet = event(bracket("A", 8), special="zip-knockout", sessions=1, tables=8)
    scored = sheet.contestants.assign(score=[8.0 - row for row in range(8)])
    games = choose(complete(sheet.games, scored).games)
    assert games["rulebook"].tolist() == ["acbl-general-formula-2003"]
    result = award_sheet(replace(sheet, contestants=scored))
    # One session, R 14, M .65: 18/60 x 14 x .65 = 2.73.
    assert paid(result, "A", "1").startswith("2.73 overall")
