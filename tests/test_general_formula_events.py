"""Kinds of event with rules of their own under the General Formula of 2003: what they must declare, and large ones.

The others are worked examples. All are at a regional (R 14) unless they say otherwise; M of 1500 is
log10(1500) / 3.11 - .218 = .803251, of 2000 .843424.
"""

import pytest
from games import awarded, rulebook_file

from resultproc.model.errors import DeclarationError, InputError


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


def test_a_rulebook_may_pay_teams_of_two_as_many_places_as_pairs(tmp_path):
    # 10 tables, 20 pairs: 9 to 12 pay 4 places of board-a-match, and 10 pay 6 of pairs.
    assert len(awards(event(10, event_type="team-of-two"))) == 4
    book = rulebook_file(tmp_path, 'extends = "acbl-general-formula-2003"\n[depth.team-of-two]\nvalue = "pairs"\n')
    assert len(awards(event(10, event_type="team-of-two", rulebook=book))) == 6


def test_a_rulebook_may_compare_awards_with_the_floor_before_they_are_rounded(tmp_path):
    # 28 x log10(25) = 39.14 for 100 tables in 3 sessions: the 39th gets 39.14 x 3 / 42 = 2.7957; the floor is 2.80.
    book = rulebook_file(
        tmp_path, 'extends = "acbl-general-formula-2003"\n[depth.floor-reading]\nvalue = "unrounded"\n'
    )
    assert len(awards(event(100, sessions=3))) == 39
    assert len(awards(event(100, sessions=3, rulebook=book))) == 38


def test_a_rulebook_may_round_the_35_percent_of_a_flight_to_the_nearest(tmp_path):
    # 35% of 10 pairs are 3.5.
    book = rulebook_file(
        tmp_path, 'extends = "acbl-general-formula-2003"\n[flighted.most-reading]\nvalue = "nearest"\n'
    )
    keys = {"flight": "B", "limit": 1500, "lower_tables": "none", "flighted_tables": "11"}
    for more, places in (({}, 3), ({"rulebook": book}, 4)):
        result = event(5, **keys, **more)
        assert len(awards(result)) == places
        assert "flighted.most-reading" in {value.path for value in result.candidates["values"].iloc[0].items}


# Stratiflighted events: flight A has a stratum X, here up to 2000, above flight B up to 1500 with 20 tables.
# Flight B in two sessions: 30/60 x 14 x 1.5 x .803251 = 8.434, 8.43; 105% is 8.8515.


def stratiflighted(a: int, x: int, below: int = 20, limit: int = 2000, **keys: object):
    """Return flight A with so many tables in its strata A and X, over two sessions."""
    letters = "A" * (2 * a) + "X" * (2 * x)
    limits = f"A=open, X={limit}"
    given = {"flight": "A", "sessions": 2, "lower_tables": f"1500={below}", **keys}
    return event(a + x, strata=letters, limits=limits, **given)


def test_x_past_the_threshold_of_20_tables():
    # 20 of 51 tables are 39.2%. On its own tables 30/60 x 21 x .843424 = 8.856, which is a little more than 105% of B.
    assert awards(stratiflighted(31, 20), "X")[0] == "8.86"
    # With 30 tables in flight B, 40/60 x 21 x .803251 = 11.2455, 11.25, and 105% is 11.8125.
    assert awards(stratiflighted(31, 20, below=30), "X")[0] == "11.81"


def test_x_short_of_the_threshold_by_the_square_of_its_tables():
    # 18 of 60 tables, flight B of 60: 70/60 x 21 x .803251 = 19.6797, 19.68, and 105% is 20.664. By share 18/24 = .75;
    # by tables 18/20 = .9, squared .81: 16.738. On its own tables 28/60 x 21 x .843424 = 8.27.
    assert awards(stratiflighted(42, 18, below=60), "X")[0] == "16.74"


@pytest.mark.slow
def test_which_strata_of_a_flight_pay_gold_is_a_value(tmp_path):
    keys = {"strata": "B" * 8 + "C" * 16, "limits": "B=1500, C=750", "flight": "B", "limit": 1500, "sessions": 2}
    for strata, colours in ((1, ["gold", "red"]), (2, ["gold", "gold"]), (0, ["red", "red"])):
        text = f'[colour.gold.strata-of-flight]\nvalue = [["A", 2], ["B", {strata}]]'
        own = rulebook_file(tmp_path, f'extends = "acbl-general-formula-2003"\n{text}', f"gold-{strata}.toml")
        rows = event(12, lower_tables="none", rulebook=own, **keys).awards.iloc[[0, 8]]
        assert [next(c for c in ("gold", "red") if row[c]) for _, row in rows.iterrows()] == colours


@pytest.mark.slow
def test_a_split_regional_with_strata_needs_the_tables_of_each_at_the_other_site():
    strata = {"strata": "A" * 16 + "B" * 9 + "C" * 5, "limits": "A=open, B=1000, C=300", "sessions": 2}
    result = event(15, other_site_tables="open=30, 1000=12", **strata)
    assert awards(result)[:3] == ["15.40", "11.55", "4.92"]
    assert awards(result, "B")[:3] == ["6.06", "4.55", "2.50"]
    assert awards(result, "C")[0] == "2.76"
    told = result.candidates.query("basis == 'overall' and stratum == 'A'")["factors"].iloc[0]
    # 55/60 x 14 x 1.5 x .8 = 15.40, and places below second by the 15 tables here.
    assert told.startswith(
        "first 15.40 (both sites: B 0.9167 (45 tables) x R 14 x S 1.5 x 0.8; "
        "below 2nd from 8.75: B 0.4167 (15 tables) x R 14 x S 1.5); "
    )
    with pytest.raises(DeclarationError, match="other_site_tables has no tables for the stratum up to 1000"):
        event(15, other_site_tables=30, **strata)
    # 15 tables: 25/60 x 21 = 8.75
    assert awards(event(15, other_site_tables="none", **strata))[0] == "8.75"


# What an event must declare.


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ({"flight": "A"}, "lower_tables is not declared, and flight A is credited with lower flights"),
        ({"flight": "B", "limit": 1500}, "lower_tables is not declared, and flight B"),
        ({"flight": "A", "lower_tables": "12"}, "lower_tables has no upper limits"),
        ({"flight": "B", "limit": 1000, "lower_tables": "1000=9"}, "flight B up to 1000 has a lower flight up to 1000"),
        (
            {"event_type": "swiss", "flight": "B", "limit": 1500, "lower_tables": "none"},
            "flighted_tables is not declared, and how many places flight B pays depends on the tables of all flights",
        ),
        (
            {"flight": "B", "limit": 1500, "lower_tables": "300=6", "flighted_tables": "9"},
            "flighted_tables is 9, but flight B and those below it have 14",
        ),
        (
            {"flight": "A", "lower_tables": "none", "flighted_tables": "9"},
            "flighted_tables is 9, but flight A and those",
        ),
        ({"flighted_tables": "9"}, "flighted_tables is declared, but only the flights of an event go by them"),
        ({"lower_tables": "1500=9"}, "lower_tables is declared, but this event gets no credit for them"),
        (
            {"event_type": "swiss", "bracket": 2, "limit": 1500},
            "lower_tables is not declared, and bracket 2 is credited",
        ),
        ({"bracket": 1, "lower_tables": 9}, "has no bracketed pairs events"),
        ({"special": "barometer-1"}, "lower_tables is not declared, and the top level of a barometer"),
        (
            {"special": "side-game-series-overall"},
            "session_tables is not declared, and its awards depend on its largest",
        ),
        ({"session_tables": "9, 9"}, "session_tables is declared, but only a side game series"),
        ({"rating": "sectional", "other_site_tables": 9}, "only regionals are split"),
        ({"sessions": 2, "cuts": "2"}, "cut after session 2, but the event has 2"),
        ({"rating": "club-open", "rulebook": "acbl-general-formula-2003", "limit": 200}, "covers only open club games"),
    ],
)
def test_what_an_event_must_declare(keys, what):
    with pytest.raises(DeclarationError, match=what):
        event(8, per_table=1 if keys.get("event_type") in {"swiss", "knockout"} else 2, **keys)


def test_x_must_lie_500_above_flight_b():
    assert awards(stratiflighted(4, 8, limit=2000), "X")
    with pytest.raises(DeclarationError, match="stratum X up to 1999 is too close to flight B up to 1500"):
        stratiflighted(4, 8, limit=1999)


def test_flight_a_has_no_third_stratum():
    with pytest.raises(DeclarationError, match="flight A has more than two strata"):
        event(
            12, strata="A" * 8 + "X" * 8 + "Y" * 8, limits="A=open, X=3000, Y=2000", flight="A", lower_tables="1500=9"
        )


def test_a_side_game_series_is_not_stratified():
    with pytest.raises(DeclarationError, match="a side game series has no strata in its overall awards"):
        event(
            8,
            strata="A" * 8 + "B" * 8,
            limits="A=open, B=300",
            special="side-game-series-overall",
            session_tables="8, 8",
        )


def test_sessions_must_match_their_columns():
    keys = {"rating": "regional", "date": "2005-05-05", "tables": 4, "movement": "howell"}
    with pytest.raises(InputError, match=r"line 1: .* lacks a score for a session of the event"):
        awarded(field(8, sessions=2), sessions=3, **keys)
    with pytest.raises(InputError, match=r"line 1: there is a score for session2, but the event has few"):
        awarded(field(8, sessions=2), sessions=1, **keys)


def test_every_game_at_fault_is_named():
    with pytest.raises(DeclarationError) as error:
        event(8, flight="A")
    (problem,) = {str(problem) for problem in error.value.problems}
    assert problem.startswith("game.csv: lower_tables is not declared")
    assert "declare lower_tables='1500=15, 500=9'" in problem


def test_an_unknown_flight_or_bracket_is_refused_when_it_is_read():
    for key, value in {"flight": "AX", "bracket": "0", "lower_tables": "open=3", "cuts": "x"}.items():
        with pytest.raises(InputError, match=key):
            event(8, **{key: value})
