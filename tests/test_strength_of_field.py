"""Strength of field: every award charted in the motion, and each part of its formula worked by hand."""

import csv
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import inf
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES
from games import awarded, candidates, mitchell, overall, paid, rulebook_file, sheet, together

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import Result, Sheet
from resultproc.people.seated import find
from resultproc.reports.explain import explain
from resultproc.rulebooks.acbl_strength_of_field.formula import (
    FieldEntered,
    awards_by_strength,
    counted_entrants,
    first_award,
    quarter,
    session_equivalents,
    total,
)
from resultproc.rulebooks.common.exact import hundredths, power
from resultproc.rulebooks.load import rulebook
from resultproc.stages.one_event import one_event
from resultproc.stages.pipeline import award_sheet, process

CHARTS = FIXTURES / "charts"
WILKES_BARRE = FIXTURES / "regional-open-pairs-2022-06-18.csv"
"""Made-up pairs, as many and as strong as those of the three strata at Wilkes-Barre."""

IN_2022 = rulebook("acbl-strength-of-field-2021").at(date(2022, 6, 1))


def chart(name: str) -> dict[str, list[str]]:
    """Return the charted awards by column, first place first."""
    lines = [line for line in (CHARTS / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    return {column: [row[column] for row in rows if row[column]] for column in rows[0] if column != "place"}


UNIFORM = chart("strength-of-field-52-pairs.csv")
PROPOSED = chart("strength-of-field-proposed.csv")

# Entrants, F and the places that pay. Printed are the entrants of Gatlinburg, Warwick, Warwick C, NYC C and W-B A, and
# F of 31.7, 22.4, 14.97 and 13.23 in the first four of them; the places are the lines of the charts. Fitted to the
# charts are the other entrants (no other small number gives every award) and F to three decimals, inside the rounding
# of what is printed.
EVENTS = {
    "Gatlinburg": (71, "31.735", 18),
    "Warwick": (70, "22.42", 18),
    "Quebec A": (51, "19.084", 13),
    "Quebec B": (34, "14.334", 9),
    "Quebec C": (12, "10.805", 4),
    "Warwick C": (26, "14.97", 7),
    "NYC C": (25, "13.231", 7),
    "W-B A": (16, "23.811", 5),
    "W-B B": (7, "15.361", 3),
    "W-B C": (6, "14.52", 3),
}


def regional(entrants: int, strength: str | Fraction, event_type: str = "pairs", sessions: str = "2") -> FieldEntered:
    return FieldEntered(event_type, entrants, Fraction(14), Fraction(sessions), Fraction(strength))


def charted(field: FieldEntered, paid: int) -> list[str]:
    return [f"{hundredths(award) / 100:.2f}" for award in awards_by_strength(IN_2022, field, paid, paid)]


@pytest.mark.parametrize("holding", UNIFORM)
def test_52_pairs_of_one_holding(holding):
    # 52 pairs in two sessions at a regional: 13 places. F of a field of one holding is that holding to the power 0.4.
    field = regional(52, power(Fraction(holding), Fraction("0.4")))
    assert len(UNIFORM[holding]) == 13
    assert charted(field, 13) == UNIFORM[holding]


@pytest.mark.parametrize("event", EVENTS)
def test_the_charted_events(event):
    entrants, strength, paid = EVENTS[event]
    assert charted(regional(entrants, strength), paid) == PROPOSED[event]
    assert len(PROPOSED[event]) == paid


def test_a_session_short_and_long():
    # 24 to 28 boards are a session; 18 are (18 + 24) / 48 = .875 of one, 30 are 30 / 28.
    for boards in (24, 26, 28):
        assert session_equivalents(IN_2022, 2, boards, inf) == 2
    assert session_equivalents(IN_2022, 2, 18, inf) == Fraction("1.75")
    assert session_equivalents(IN_2022, 1, 30, inf) == pytest.approx(Fraction(30) / 28)


def test_short_sessions_of_limited_events_are_whole():
    # At least 16 boards are a session where the limit is 300 or lower: 15 are still (15 + 24) / 48 of one.
    assert session_equivalents(IN_2022, 1, 16, 300) == 1
    assert session_equivalents(IN_2022, 1, 18, 100) == 1
    assert session_equivalents(IN_2022, 1, 18, 301) == Fraction("0.875")
    assert session_equivalents(IN_2022, 1, 15, 300) == Fraction("0.8125")
    assert session_equivalents(IN_2022, 1, 35, 300) == Fraction("1.25")


def test_very_large_fields_count_for_less():
    # 100 x (800 / 100)^(2/3) = 100 x 4; 50 x (400 / 50)^(2/3) = 50 x 4.
    for event_type in ("pairs", "individual"):
        assert counted_entrants(IN_2022, event_type, 100) == 100
        assert counted_entrants(IN_2022, event_type, 800) == pytest.approx(Fraction(400))
    for event_type in ("swiss", "bam"):
        assert counted_entrants(IN_2022, event_type, 50) == 50
        assert counted_entrants(IN_2022, event_type, 400) == pytest.approx(Fraction(200))


def test_a_field_of_teams_wins_what_the_same_field_of_pairs_does():
    # 26 teams count as 52 pairs for the first award; F is that of the players, whatever they play in.
    pairs, teams = regional(52, "20"), regional(26, "20", "swiss")
    assert first_award(IN_2022, teams) == first_award(IN_2022, pairs)
    assert first_award(IN_2022, regional(26, "20", "bam")) == first_award(IN_2022, pairs)
    # T is "identical", with N the teams: half as much, as an award goes to four players, not two.
    assert total(IN_2022, teams) * 2 == total(IN_2022, pairs) == Fraction("0.07") * 52 * 2 * 20


def test_a_quarter_of_the_entrants():
    # N / 4, halves up, where the half of a table that nobody sits at counts: 25 pairs take up 26 seats, 26 / 4 = 6.5.
    pairs = {6: 2, 7: 2, 12: 3, 16: 4, 25: 7, 26: 7, 34: 9, 51: 13, 52: 13, 70: 18, 71: 18}
    assert {entrants: quarter(IN_2022, "pairs", entrants) for entrants in pairs} == pairs
    assert [quarter(IN_2022, "swiss", teams) for teams in (5, 6, 9, 10)] == [1, 2, 2, 3]
    assert [quarter(IN_2022, "individual", players) for players in (9, 12, 13)] == [3, 3, 4]


def test_doubling_the_field_or_the_boards():
    # "will each increase the first place award by a factor of approximately 1.52": 2^0.6 = 1.5157.
    of_26, of_52 = (first_award(IN_2022, regional(pairs, "20")) for pairs in (26, 52))
    assert round(of_52 / of_26, 2) == Fraction("1.52")
    # Twice the sessions get what is put on long events besides, (S / 2)^(1/3): the cube of the rest is 2 more.
    four = first_award(IN_2022, regional(26, "20", sessions="4"))
    assert (four / of_26) ** 3 == pytest.approx(2 * (of_52 / of_26) ** 3)


def test_a_pair_of_unequal_players():
    # "about the same effect as that of a pair with about 5,750 points apiece": 52.00 and 12.01, on average 32.01, whose
    # power 2.5 is 5,795.
    power = Decimal("0.4")
    average = (Decimal(19500) ** power + Decimal(500) ** power) / 2
    assert round(average ** Decimal("2.5")) == 5795


def test_the_charted_events_online_follow_the_formula_in_shape_only():
    # Neither the entrants nor the sessions of these events are printed. Where they show in the charts they do not agree
    # with the formula: the places fall as if P were 52.5 and 31.5, a quarter of 210 and 126 pairs, not rounded, and 210
    # pairs of the printed F, 26.7, in two sessions of 18 boards (1.75) would win 50.79 by it, not 45.13.
    assert charted(regional(210, "26.7", sessions="1.75"), 53)[0] == "50.79"
    for event, p, d in (("Internet A", "52.5", "0.93395"), ("Internet X", "31.5", "0.90464")):
        column = [Decimal(award) for award in PROPOSED[event]]
        # Second place is held at 80% of the first.
        assert abs(column[1] - column[0] * Decimal("0.8")) < Decimal("0.01")
        # From there on, with D fitted, the exponent falls evenly: all places but a few hundredths.
        award = column[1]
        for place, expected in enumerate(column[2:], 3):
            award *= Decimal(d) ** (2 * (1 - (place - 2) / Decimal(p)))
            assert abs(award - expected) < Decimal("0.03")


def test_the_charted_thousand_pairs_do_not_follow_from_the_formula():
    # 125 without the correction for large fields and 58 with it: by the formula the correction multiplies the first
    # award by (N' / N)^0.6 = (464.16 / 1000)^0.6 = .631, which is 79. 58 is 125 x N' / N: the power was left out.
    counted = counted_entrants(IN_2022, "pairs", 1000)
    assert round(counted, 2) == Fraction("464.16")
    assert round(125 * power(counted / 1000, Fraction("0.6"))) == 79
    assert round(125 * counted / 1000) == 58


def test_second_place_is_held_at_four_fifths_in_a_very_large_field():
    # 300 pairs, F 20: N' = 100 x 3^(2/3) = 208.008, A(1) = 2 x 20/30 x 416.017^.6 = 49.7056; T = .07 x 300 x 2 x 20 =
    # 840, P 75: D = 1 - 49.7056 / 840 x 75/77 = .942364, whose square is .888: A(2) = .8 x A(1) = 39.7645. The third is
    # not held: of 60 places that pay D(3) = D^(2 x 59/60) = .889809, A(3) = 35.383.
    assert charted(regional(300, "20"), 60)[:3] == ["49.71", "39.76", "35.38"]


def test_past_the_places_that_pay_awards_do_not_rise():
    # Of 12 pairs 4 places pay; D(6) is D to the power 2 x (1 - 4 / 4) = 0, and further down the power would be below 0.
    found = awards_by_strength(IN_2022, regional(12, "10.805"), 4, 9)
    assert found[4] < found[3]
    assert found[5:] == [found[4]] * 4


def test_the_event_factor_multiplies_every_award(tmp_path):
    own = rulebook_file(tmp_path, 'extends = "acbl-strength-of-field-2021"\n[event-factor]\nvalue = 0.8\n')
    deflated = rulebook(own).at(date(2022, 6, 1))
    field = regional(71, "31.735")
    whole = awards_by_strength(IN_2022, field, 18, 18)
    assert [pytest.approx(award * Fraction("0.8")) for award in whole] == awards_by_strength(deflated, field, 18, 18)


# What events are awarded. All are of 2022, in two sessions of 26 boards, with one winner, unless they say otherwise.


def event(holdings: Iterable[float | str], **keys: object) -> Result:
    """Return a regional whose contestants have these holdings, each player the same; the first one is the best."""
    return award_sheet(event_sheet(holdings, **keys))


def event_sheet(holdings: Iterable[float | str], game_id: str = "game", **keys: object) -> Sheet:
    rows = []
    for number, holding in enumerate(holdings, 1):
        each = holding if isinstance(holding, str) else f". {holding:g}/{holding:g}"
        stratum, mp = each.split()
        rows.append(f"A-{number} {stratum} . s={900 - number}/{900 - number} mp={mp}")
    seats = {"individual": 4, "swiss": 1, "bam": 1}.get(str(keys.get("event_type")), 2)
    given = {"rating": "regional", "date": "2022-06-18", "sessions": 2, "boards": 26, "movement": "howell"}
    tables = -(-2 * len(rows) // seats) / 2
    games, contestants = sheet(rows, game_id, **{**given, "tables": tables, **keys})
    return Sheet(games, contestants.drop(columns="player2") if seats == 4 else contestants)


def own(tmp_path: Path, text: str) -> str:
    """Return a rulebook of one's own on top of this one."""
    return rulebook_file(tmp_path, f'extends = "acbl-strength-of-field-2021"\n{text}')


@pytest.mark.parametrize("holding", ["300", "1000", "2500", "7500"])
def test_an_event_of_52_pairs_of_one_holding(holding):
    assert overall(event([float(holding)] * 52)) == UNIFORM[holding]


@pytest.mark.slow
def test_small_holdings_count_as_300_in_open_events():
    assert overall(event([0] * 52)) == UNIFORM["300"]
    assert overall(event([100] * 52, limit=3001)) == UNIFORM["300"]
    assert overall(event([100] * 52, limit=3000)) == UNIFORM["100"]


def test_a_field_without_any_masterpoints_wins_none():
    # F is 0, and so is A(1). No floor holds in an event up to 20 masterpoints.
    assert overall(event([0] * 12, strata="A=20", limit=20)) == []


def test_the_limit_of_the_event_holds_for_a_stratum_that_is_called_open():
    assert overall(event(["A 100/100"] * 52, strata="A=open", limit=3000)) == UNIFORM["100"]


@pytest.mark.slow
def test_a_lower_stratum_needs_three_tables():
    # 12 individuals at three tables of 4, of whom 8 at two tables are in B: the table of places has a line for two.
    rows = ["A 1000"] * 4 + ["B 400"] * 8
    keys = {"event_type": "individual", "strata": "A=open, B=500"}
    assert overall(event(rows, **keys), "B") == []
    assert len(overall(event([*rows, "B 400"], **keys), "B")) == 4


@pytest.mark.slow
def test_a_stratum_is_an_event_of_its_own(tmp_path):
    # 52 pairs of 100 masterpoints in a stratum up to 500, and 20 of 2,500 above: the lower stratum pays what it would
    # as a flight, with no floor under the holdings. Were the floor the event's, it would pay as for 300.
    rows = ["A 2500/2500"] * 20 + ["B 100/100"] * 52
    keys = {"strata": "A=open, B=500"}
    assert overall(event(rows, **keys), "B") == UNIFORM["100"]
    floored = own(tmp_path, '[strength.floor-reading]\nvalue = "event"\n')
    assert overall(event(rows, **keys, rulebook=floored), "B") == UNIFORM["300"]
    # The event of 72: F (20 x 2500^.4 + 52 x 300^.4) / 72 = (20 x 22.8653 + 52 x 9.7915) / 72 = 13.4231;
    # A(1) = 2 x 13.4231 / 30 x 144^.6 = .894873 x 19.7255 = 17.65.
    assert overall(event(rows, **keys))[0] == "17.65"


@pytest.mark.slow
def test_short_sessions_where_any_stratum_is_limited(tmp_path):
    # 18 boards are .875 of a session unless a stratum goes no higher than 300: then they count whole, in every stratum.
    rows = ["A 1000/1000"] * 46 + ["B 200/200"] * 6
    whole = event(rows, strata="A=open, B=300")
    short = event(rows, strata="A=open, B=300", boards=18)
    assert overall(short) == overall(whole)
    assert overall(short, "B") == overall(whole, "B")
    apart = own(tmp_path, '[session-boards.limited-reading]\nvalue = "own stratum"\n')
    read_apart = event(rows, strata="A=open, B=300", boards=18, rulebook=apart)
    assert overall(read_apart, "B") == overall(whole, "B")
    # The rest is .875^(.6 + 1/3) = .88284 of it.
    first = Decimal(overall(whole)[0])
    assert abs(Decimal(overall(read_apart)[0]) - first * Decimal("0.88284")) < Decimal("0.01")
    assert overall(event(rows, strata="A=open, B=301", boards=18))[0] == overall(read_apart)[0]


@pytest.mark.slow
def test_teams_and_individuals():
    # 26 teams of four with 1,000 each win what 52 pairs do; the depth of teams is a table of its own, and a quarter of
    # 26 is 7 places (6.5).
    teams = event(["A 1000/1000/1000/1000"] * 26, event_type="bam", strata="A=open")
    assert overall(teams)[0] == UNIFORM["1000"][0]
    assert len(overall(teams)) == 7
    # F is of players, not of teams: (2 x 4 x 15.8489 + 6 x 22.8653) / (2 x 4 + 6) for two of four and one of six.
    mixed = event(
        ["A 1000/1000/1000/1000"] * 2 + ["A 2500/2500/2500/2500/2500/2500"], event_type="bam", strata="A=open"
    )
    assert "F 18.856 of 14 players" in str(mixed.candidates["factors"].iloc[0])
    # 52 individuals are 52 entrants, as pairs are.
    individuals = event(["A 1000"] * 52, event_type="individual", strata="A=open")
    assert overall(individuals)[0] == UNIFORM["1000"][0]


@pytest.mark.slow
def test_out_of_the_ranks_is_in_the_field():
    # A pair that is listed but not eligible has entered: it counts, and its holdings are asked for.
    rows = [f"A-{n} . . s={99 - n}/{99 - n} mp=1000/1000" for n in range(1, 53)]
    keys = {"rating": "regional", "date": "2022-06-18", "sessions": 2, "boards": 26, "movement": "howell"}
    out = awarded([*rows, "A-53 . . s=9/9 mp=1000/1000 out"], tables=26.5, **keys)
    assert overall(out) == overall(event([1000] * 53)) != UNIFORM["1000"]
    with pytest.raises(DeclarationError, match="holdings are missing for A 53"):
        awarded([*rows, "A-53 . . s=9/9 out"], tables=26.5, **keys)


@pytest.mark.slow
def test_who_is_out_of_the_ranks_without_a_stratum_is_in_the_top_one() -> None:
    rows = [f"A-{n} {'A' if n < 5 else 'B'} . s={99 - n}/{99 - n} mp=1000/1000" for n in range(1, 11)]
    keys = {"rating": "regional", "date": "2022-06-18", "sessions": 2, "boards": 26, "movement": "howell"}
    keys |= {"tables": 6, "strata": "A=open, B=2000"}
    both = [awarded([*rows, f"A-11 {stratum} . s=9/9 mp=1000/1000 out"], **keys) for stratum in "AB."]
    in_top, in_lower, nowhere = both
    assert overall(nowhere) == overall(in_top) == overall(in_lower)
    assert overall(nowhere, "B") == overall(in_top, "B") != overall(in_lower, "B")


@pytest.mark.slow
def test_awards_below_one_masterpoint(tmp_path):
    # 12 pairs of 300 in one session of a sectional: R 11, F 9.7915, A(1) = 2 x 11/14 x .326383 x 12^.6 x .5^(1/3)
    # = .512887 x 4.44115 x .793701 = 1.81; T = .07 x 11/14 x 12 x 9.7915 = 6.4624, D = 1 - .27976 x 3/5 = .83214,
    # A(2) = 1.8079 x .83214^2 = 1.2519, A(3) = 1.2519 x .83214^1.5 = .9503: not given, nor is the fourth.
    keys = {"rating": "sectional", "sessions": 1}
    rows = [f"A-{n} . {70 - n}% mp=300/300" for n in range(1, 13)]
    given = {"date": "2022-06-18", "boards": 26, "movement": "howell", "tables": 6, **keys}
    assert overall(awarded(rows, **given)) == ["1.81", "1.25"]
    all_given = own(tmp_path, '[least.reading]\nvalue = "given"\n')
    # A(4) = .9503 x .83214 = .7908.
    assert overall(awarded(rows, **given, rulebook=all_given)) == ["1.81", "1.25", "0.95", "0.79"]


def test_places_by_a_quarter_in_small_fields(tmp_path):
    # The reading that the charts refute: with P = 4 throughout, 16 pairs would have D(3) at the power 1.5, not 1.6.
    quarter_too = rulebook(own(tmp_path, '[decay.exponent-reading]\nvalue = "quarter"\n')).at(date(2022, 6, 1))
    found = [hundredths(award) for award in awards_by_strength(quarter_too, regional(16, "23.811"), 5, 5)]
    assert found[:2] == [1270, 899]
    assert found[2] == 694  # 8.9884 x .84125^1.5, where 6.82 is charted


@pytest.mark.slow
def test_session_awards_stay_with_the_general_formula():
    general = process(WILKES_BARRE, rulebook="acbl-general-formula-2019")
    result = process(WILKES_BARRE)
    for found in (general, result):
        assert len(found.candidates)
    texts = [
        frame[frame["basis"].astype("str").str.startswith("session")][
            ["contestant", "basis", "stratum", "masterpoints", "rule", "factors"]
        ]
        .astype("str")
        .sort_values(["contestant", "basis", "stratum"])
        .to_numpy()
        .tolist()
        for frame in (general.candidates, result.candidates)
    ]
    assert texts[0] == texts[1]
    assert overall(general) != overall(result)


@pytest.mark.parametrize(
    ("keys", "book"),
    [
        ({}, "acbl-strength-of-field-2021"),
        ({"rating": "sectional"}, "acbl-strength-of-field-2021"),
        ({"rating": "regional-at-nabc"}, "acbl-strength-of-field-2021"),
        ({"rating": "national"}, "acbl-strength-of-field-2021"),
        ({"date": "2021-01-01"}, "acbl-strength-of-field-2021"),
        ({"date": "2020-12-31"}, "acbl-general-formula-2019"),
        ({"rating": "stac"}, "acbl-general-formula-2019"),
        ({"rating": "unit-championship"}, "acbl-general-formula-2019"),
    ],
)
def test_which_rulebook_is_in_force(keys, book):
    assert list(event([1000] * 12, **keys).games["rulebook"]) == [book]


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys",
    [
        {"special": "side-game"},
        {"special": "consolation"},
        {"special": "side-game-series-overall", "session_tables": "9, 8"},
        {"championship": "reisinger-bam", "event_type": "bam", "sessions": 6, "rating": "national"},
    ],
)
def test_what_the_motion_leaves_out_stays_with_the_general_formula(keys):
    sessions = keys.get("sessions", 2)
    # No holdings: nothing goes by them.
    rows = [f"A-{n} . . s={'/'.join([str(99 - n)] * sessions)}" for n in range(1, 25)]
    tables = 24 if "event_type" in keys else 12
    given = {"rating": "regional", "date": "2022-06-18", "sessions": 2, "movement": "howell", "tables": tables, **keys}
    books = ("acbl-strength-of-field-2021", "acbl-general-formula-2019")
    found = [overall(awarded(rows, **given, rulebook=book)) for book in books]
    assert found[0] == found[1] != []


def test_a_flight_is_an_event_of_its_own():
    # The tables of the flights below are for the session awards, which are the General Formula's.
    flight = event([1000] * 52, flight="A", lower_tables="1500=30")
    assert overall(flight) == UNIFORM["1000"]


def test_games_without_an_r_are_refused():
    with pytest.raises(DeclarationError, match="there is no R for a club-fund game under strength of field"):
        event([1000] * 12, rating="club-fund", rulebook="acbl-strength-of-field-2021")


@pytest.mark.parametrize(
    ("rows", "who"),
    [(["A 1000/1000"] * 11 + ["A 1000"], "A 12"), (["A 1000"] * 12, "A 1 and 11 more")],
)
def test_a_missing_holding_is_named(rows, who):
    with pytest.raises(DeclarationError, match=rf"holdings are missing for {who}, .*\(write mp1, mp2") as caught:
        event(rows, strata="A=open")
    assert len(caught.value.problems) == 1


def test_a_lower_stratum_without_any_holding_is_refused():
    with pytest.raises(DeclarationError, match="holdings are missing for A 7 and 5 more, "):
        event(["A 1000/1000"] * 6 + ["B /"] * 6, strata="A=open, B=1000")


def test_boards_must_be_declared():
    with pytest.raises(DeclarationError, match="boards is not declared, and overall awards depend on the boards per"):
        event([1000] * 12, boards=None)


def test_values_that_leave_nothing_for_the_lower_places_are_refused(tmp_path):
    wrong = own(tmp_path, "[total.factor]\nvalue = 0.001\n")
    with pytest.raises(DeclarationError, match=r"the first award is .* of what all places share"):
        event([1000] * 12, rulebook=wrong)


@pytest.mark.slow
def test_the_order_of_the_contestants_does_not_matter():
    sheet_ = event_sheet([311 * n for n in range(1, 41)])
    shuffled = sheet_.contestants.sample(frac=1, random_state=1).reset_index(drop=True)
    one, other = award_sheet(sheet_), award_sheet(Sheet(sheet_.games, shuffled))
    assert paid(one) == {name: paid(other)[name] for name in paid(one)}
    assert str(one.candidates["factors"].iloc[0]) == str(other.candidates["factors"].iloc[0])


def test_an_explanation_names_the_field():
    result = process(WILKES_BARRE)
    found = explain(result, find(result, "A-EW-4"))
    assert found.paying[0].factors == (
        "first 12.70 (F 23.811 of 32 players, N 16, S 2, R 14); T 53.34, D 0.8413; 5 places pay"
    )
    assert "Appendix: A(1)" in found.paying[0].rule
    assert candidates(result, "A-EW-4")["overall A"] == "12.70"


# Who entered, and how long the event is.


TEAMS = ["A 1000/1000/1000/1000"] * 4


@pytest.mark.slow
def test_a_swiss_is_asked_for_the_boards_of_its_sessions() -> None:
    with pytest.raises(
        DeclarationError, match="session_boards is not declared, and overall awards depend on the boards"
    ):
        event(TEAMS, event_type="swiss", strata="A=open", boards=7)
    with pytest.raises(DeclarationError, match="session_boards has 3 numbers, but the event has 2 sessions"):
        event(TEAMS, event_type="swiss", strata="A=open", boards=7, session_boards="28, 24, 28")
    # Board-a-match teams play sessions, as pairs do.
    named = event(TEAMS, event_type="bam", strata="A=open", boards=None, session_boards="28")
    assert overall(named) == overall(event(TEAMS, event_type="bam", strata="A=open", boards=28))


@pytest.mark.slow
def test_the_boards_of_sessions_in_files_of_their_own_are_those_of_each() -> None:
    parts = [event_sheet([1000] * 12, "one", sessions=None, boards=boards) for boards in (28, 18)]
    sheets = [Sheet(part.games, _scored(part.contestants)) for part in parts]
    joined = award_sheet(one_event(sheets))
    assert joined.games["session_boards"].tolist() == ["28, 18"]
    assert overall(joined) == overall(event([1000] * 12, boards=None, session_boards="28, 18"))


def _scored(contestants: pd.DataFrame) -> pd.DataFrame:
    return contestants.assign(score=contestants["session1"]).drop(columns=["session1", "session2"])


def test_tables_of_individuals_are_a_reading(tmp_path: Path) -> None:
    # Nine players: three tables pay four places, 2 1/4 tables three.
    rows = ["A 1000"] * 9
    keys = {"event_type": "individual", "strata": "A=open"}
    assert len(overall(event(rows, **keys))) == 4
    unrounded = own(tmp_path, '[entrants.individual-tables]\nvalue = "unrounded"\n')
    assert len(overall(event(rows, **keys, rulebook=unrounded))) == 3


@pytest.mark.slow
def test_shares_below_one_masterpoint_are_a_reading(tmp_path: Path) -> None:
    keys = {"rating": "sectional", "sessions": 1, "boards": 26, "tables": 4, "date": "2022-06-18", "movement": "howell"}
    scores = [60, 58, 56, 56, 56, 56, 56, 40]
    rows = [f"A-{n} . {score}% mp=670/670" for n, score in enumerate(scores, 1)]
    # Five share what the 3rd to the 7th place would get: less than 1.00 each, where the 3rd alone gets more.
    shared = overall(awarded(rows, **keys))
    assert len(shared) == 7
    clear = [row.replace("56%", f"{57 - n}%") for n, row in enumerate(rows)]
    assert Decimal(shared[2]) < 1 < Decimal(overall(awarded(clear, **keys))[2])
    not_given = own(tmp_path, '[least.ties-reading]\nvalue = "not given"\n')
    assert overall(awarded(rows, **keys, rulebook=not_given)) == shared[:2]


@pytest.mark.slow
def test_many_events_are_awarded_as_each_alone():
    holdings = [[100 * n + 50 * k for n in range(1, 13 + k)] for k in range(4)]
    sheets = [event_sheet(each, f"game{number}") for number, each in enumerate(holdings)]
    club = sheet(mitchell(6), "club", tables=6)
    result = award_sheet(together(*sheets, club))
    for number, each in enumerate(holdings):
        rows = result.candidates["game"] == number
        alone = event(each)
        assert result.candidates.loc[rows, "masterpoints"].tolist() == alone.candidates["masterpoints"].tolist()
    assert (result.candidates["game"] == 4).any()
