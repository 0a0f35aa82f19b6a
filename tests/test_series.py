"""Series of games: standings and bonus awards worked by hand from the Handbook's words, and the formats.

An open Howell of n pairs pays .10 x n, then 70%, 50%, 35% of it, to 0.40 x n places.
"""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, examples, run
from games import mitchell, rulebook_file, sheet
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from resultproc.cli.series import command
from resultproc.formats.declared import override
from resultproc.model.errors import InputError
from resultproc.model.frames import CONTESTANTS, GAMES, Result, Sheet
from resultproc.model.source import Declaration
from resultproc.reports.series import WRITERS, Method, Series, series
from resultproc.rulebooks.load import rulebook
from resultproc.stages.pipeline import award_sheet, joined_sheets, process

TUESDAYS = sorted((FIXTURES / "series").glob("*.csv"))


def night(day: int, *contestants: str, **keys: object) -> Sheet:
    """Return a Howell of January 2026 from contestants such as ``Ann#1234567+Bob 60 out``, out of the ranks."""
    records = []
    for number, contestant in enumerate(contestants, 1):
        found = re.fullmatch(r"(.+?) ([\d.]+)( out)?", contestant)
        assert found is not None
        names = [name.partition("#") for name in found[1].split("+")]
        seats = {f"player{i}": name for i, (name, _, _) in enumerate(names, 1)}
        seats |= {f"id{i}": number for i, (_, _, number) in enumerate(names, 1) if number}
        number_and_where = {"number": str(number), "where": f"line {number}"}
        records.append({**number_and_where, **seats, "percentage": float(found[2]), "eligible": not found[3]})
    name = f"day-{day:02}"
    frame = CONTESTANTS.conform(pd.DataFrame(records).assign(game_id=name, section="A"))
    games = GAMES.conform(pd.DataFrame({"game_id": [name], "source": [f"{name}.csv"]}))
    usual = {"rating": "club-open", "date": f"2026-01-{day:02}", "tables": len(contestants) / 2, "movement": "howell"}
    usual["boards"] = 18
    declared = {key: Declaration(value, key) for key, value in (usual | keys).items() if value is not None}
    return Sheet(override(games, declared, "test"), frame)


def field(count: int, name: str = "x") -> list[str]:
    """Return so many contestants of one person each, x0 and below, each a little lower than the one before."""
    return [f"{name}{i} {50 - i / 10}" for i in range(count)]


def awarded(*nights: Sheet) -> Result:
    return award_sheet(joined_sheets(nights))


def four_nights(*contestants: str, **keys: object) -> Result:
    return awarded(*(night(day, *contestants, **keys) for day in (1, 2, 3, 4)))


def stood(found: Series) -> dict[str, str]:
    """Return each player's place, score and bonus, in the order of the standings: ``1/2 14.50 0.27``."""
    rows = csv.DictReader(io.StringIO(WRITERS["csv"](found).decode("utf-8-sig")))
    texts = {}
    for row in rows:
        last = str(int(row["place"]) + int(row["tied"]) - 1) if row["place"] else ""
        place = row["place"] if row["place"] == last else f"{row['place']}/{last}"
        texts[row["player"]] = f"{place or '-'} {row[found.method]} {row['bonus']}"
    return texts


@pytest.fixture(scope="module")
def tuesdays() -> Result:
    return process(*TUESDAYS)


@pytest.fixture(scope="module")
def first_tuesday() -> Result:
    return process(TUESDAYS[0])


# The four Tuesdays: 8, 8, 7 and 8 pairs, who played 24, 28, 21 and 20 boards: first .80 x 24/18 = 1.07, then .75 .54;
# .80 x 1.5 = 1.20, .84, .60, and the first two are tied, (1.20 + .84) / 2 = 1.02; .70 x 21/18 = .82, .57 .41; .80 x
# 20/18 = .89, .62 .45. In play are 4 + 4 + 3 1/2 + 4 = 15 1/2 tables: .02 x 15.5 = .31, .2325, .174375.


def test_by_masterpoints(tuesdays: Result) -> None:
    found = stood(series(tuesdays))
    assert list(found.items())[:8] == [
        ("Ada Birch", "1 3.55 0.31"),  # 1.07 + 1.02 + .57 + .89
        ("Ben Cole", "2 3.53 0.23"),  # 1.07 + 1.02 + .82 + .62
        ("Dov Ellis", "3 3.07 0.17"),  # .75 + 1.02 + .41 + .89
        ("Cora Dale", "4 2.59 0.00"),  # .75 + 1.02 + .82
        ("Ema Ford", "5 2.17 0.00"),  # .54 + .60 + .41 + .62
        ("Ida Jute", "6 1.17 0.00"),  # .60 + .57
        ("Finn Gale", "7 0.99 0.00"),  # .54 + .45
        ("Ola Penn", "8 0.45 0.00"),
    ]
    assert set(list(found.values())[8:]) == {"- 0.00 0.00"}  # who won nothing has no place


def test_by_percentage(tuesdays: Result) -> None:
    found = stood(series(tuesdays, Method.PERCENTAGE))
    assert list(found.items())[:3] == [
        ("Ben Cole", "1 58.94 0.31"),  # (62.50 + 57.14 + 61.11 + 55.00) / 4 = 58.9375
        ("Ada Birch", "2 58.80 0.23"),  # (62.50 + 57.14 + 55.56 + 60.00) / 4
        ("Dov Ellis", "3 57.06 0.17"),  # (58.33 + 57.14 + 52.78 + 60.00) / 4 = 57.0625
    ]
    assert found["Cora Dale"] == "4 56.90 0.00"  # (58.33 + 57.14 + 61.11 + 51.00) / 4 = 56.895
    assert found["Ola Penn"] == "12 44.45 0.00"  # of three games: (37.50 + 42.86 + 53.00) / 3 = 44.4533


def test_by_points(tuesdays: Result) -> None:
    found = stood(series(tuesdays, Method.POINTS))
    # Two tied for first in the second game have (4 + 3) / 2 each. The two who lead share (.31 + .23) / 2.
    assert list(found.items())[:4] == [
        ("Ada Birch", "1/2 14.50 0.27"),  # 4 + 3.5 + 3 + 4
        ("Ben Cole", "1/2 14.50 0.27"),  # 4 + 3.5 + 4 + 3
        ("Dov Ellis", "3 12.50 0.17"),  # 3 + 3.5 + 2 + 4
        ("Cora Dale", "4 11.50 0.00"),  # 3 + 3.5 + 4 + 1
    ]


def test_what_each_player_played_is_listed(tuesdays: Result) -> None:
    found = series(tuesdays)
    rows = found.standings.set_index("player")
    assert rows.loc["Ada Birch", ["id", "games", "partners", "tables"]].to_list() == ["0000101", 4, 4, 15.5]
    # Nat Oaks sat with Mia Nash, Leo Moss, and twice with Pia Quill, who missed the third Tuesday.
    assert rows.loc["Nat Oaks", ["games", "partners", "tables"]].to_list() == [4, 3, 15.5]
    assert rows.loc["Pia Quill", ["games", "partners", "tables"]].to_list() == [3, 2, 12.0]
    assert found.scores.columns.to_list() == [path.stem for path in TUESDAYS]
    assert found.scores.iloc[0].to_list() == [107, 102, 57, 89]
    assert found.scores[found.standings["player"] == "Pia Quill"].isna().to_numpy().tolist() == [
        [False, False, True, False]
    ]


def test_a_number_that_is_missing_once_is_told(tuesdays: Result) -> None:
    told = ["Ida Jute has no number in tuesday-2026-01-20: counted as 0000109"]
    assert [doubt.what for doubt in series(tuesdays).doubts] == told


# The bonus.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rating", "pairs", "bonuses"),
    [
        ("club-open", 38, ["1.50", "1.13", "0.84"]),  # .02 x 76 = 1.52; 75% of 1.50 is 1.125, of that .84375
        ("club-open", 37, ["1.48", "1.11", "0.83"]),  # .02 x 74; 1.11; .8325
        ("club-invitational", 32, ["1.20", "0.90", "0.68"]),  # .02 x 64 = 1.28; .90; .675
        ("club-invitational", 29, ["1.16", "0.87", "0.65"]),  # .02 x 58; .87; .6525
    ],
)
def test_caps(rating: str, pairs: int, bonuses: list[str]) -> None:
    found = series(four_nights("Ann 60", *field(pairs - 1), rating=rating))
    assert [text.split()[2] for text in stood(found).values()][:4] == [*bonuses, "0.00"]
    assert found.bonus is not None
    assert ("capped" in found.bonus.factors) == (pairs in {38, 32})
    assert "series games" in found.bonus.rule


def test_online_games_have_the_cap_of_open_ones() -> None:
    found = series(four_nights("Ann 60", *field(37), rating="club-online"))
    assert list(found.standings["bonus"])[:3] == [150, 113, 84]


def test_the_first_award_goes_by_the_games_that_the_winner_played() -> None:
    # Ann wins four games of five tables and misses one of fifteen: .02 x 20 = .40, .30, .225.
    result = awarded(*(night(day, "Ann 60", *field(9)) for day in (1, 2, 3, 4)), night(5, *field(30, "z")))
    found = stood(series(result, Method.POINTS))
    assert list(found.items())[:3] == [("Ann", "1 16.00 0.40"), ("x0", "2 12.00 0.30"), ("x1", "3 8.00 0.23")]


def ann_and_bob() -> list[Sheet]:
    """Return four nights: Ann won two of 5 tables each, Bob two of 10; everybody else played once."""
    return [
        night(1, "Ann 60", *field(9, "a")),
        night(2, "Ann 60", *field(9, "b")),
        night(3, "Bob 60", *field(19, "c")),
        night(4, "Bob 60", *field(19, "d")),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "winners", "thirds"),
    [
        # 15 tables: .30, .225; (.30 + .23) / 2. Then .16875, .12656, .0949, .0712: (.17 + .13 + .09 + .07) / 4 = .115.
        ("mean", "0.27", "0.12"),
        # 20 tables: .40, .30. Then .225, .16875, .1266, .0949: (.23 + .17 + .13 + .09) / 4 = .155.
        ("most", "0.35", "0.16"),
        # 10 tables: .20, .15. Then .1125, .084375, .0633, .0475: (.11 + .08 + .06 + .05) / 4 = .075.
        ("least", "0.18", "0.08"),
    ],
)
def test_tied_winners_who_played_in_different_games(tmp_path: Path, reading: str, winners: str, thirds: str) -> None:
    own = rulebook_file(tmp_path, f"[series.tied-winners]\nvalue = '{reading}'")
    nights = [Sheet(games.assign(rulebook=own), contestants) for games, contestants in ann_and_bob()]
    found = stood(series(awarded(*nights), Method.POINTS))
    assert list(found.items())[:7] == [
        ("Ann", f"1/2 8.00 {winners}"),
        ("Bob", f"1/2 8.00 {winners}"),
        *((name, f"3/6 3.00 {thirds}") for name in ("a0", "b0", "c0", "d0")),
        ("a1", "7/10 2.00 0.00"),
    ]
    if reading == "mean":
        assert stood(series(awarded(*ann_and_bob()), Method.POINTS)) == found


def test_a_tie_for_the_last_place_pools_what_the_rulebook_says(tmp_path: Path) -> None:
    never = rulebook_file(tmp_path, "[ties.beyond-depth]\nvalue = 'none'")
    nights = [Sheet(games.assign(rulebook=never), contestants) for games, contestants in ann_and_bob()]
    found = stood(series(awarded(*nights), Method.POINTS))
    assert found["a0"] == "3/6 3.00 0.04"  # .17 / 4 = .0425


@pytest.mark.parametrize(
    "keys",
    [
        {"rating": "club-restricted", "limit": 200},
        {"rating": "club-newcomer", "limit": 20},
        {"rating": "club-open", "limit": 200},
        {"special": "introductory"},
    ],
)
def test_series_of_restricted_and_newcomer_games_have_the_rate_and_no_cap(keys: dict[str, object]) -> None:
    found = series(four_nights("Ann 60", *field(9), **keys))
    assert found.bonus is not None
    # .02 x 4 x 5 tables; second 75%.
    assert (found.standings["bonus"].tolist()[:2], found.bonus.awards[1]) == ([40, 30], 30)
    assert "no cap is stated" in found.bonus.factors


@pytest.mark.parametrize(
    ("keys", "why"),
    [({"rating": "club-championship"}, "club-championship"), ({"rating": "club-fund"}, "club-fund")],
)
def test_no_bonus_where_none_is_stated(keys: dict[str, object], why: str) -> None:
    found = series(four_nights("Ann 60", *field(9), **keys))
    assert found.bonus is None
    assert found.why_none == f"the rules state no bonus for games of the class {why}"
    assert list(found.standings["player"])[:2] == ["Ann", "x0"]
    assert (found.standings["bonus"] == 0).all()


def test_no_bonus_over_games_of_several_classes() -> None:
    nights = [night(day, "Ann 60", *field(9)) for day in (1, 2, 3)]
    nights.append(night(4, "Ann 60", *field(9), rating="club-invitational"))
    found = series(awarded(*nights))
    assert found.why_none == "the games are of several classes: club-open; club-invitational"
    assert stood(found)["Ann"] == "1 3.80 0.00"  # 3 x 1.00 + .80


def test_a_club_can_change_every_figure(tmp_path: Path) -> None:
    own = rulebook_file(
        tmp_path,
        "[series.games]\nvalue = 2\n[series.rate]\nvalue = 0.05\n[series.step]\nvalue = 0.5\n"
        "[series.places]\nvalue = 2\n[series.points]\nvalue = [6, 2.5]\n[series.cap.club-open]\nvalue = 0.45\n",
    )
    result = awarded(*(night(day, "Ann 60", *field(9), rulebook=own) for day in (1, 2)))
    # .05 x 10 = .50, capped at .45; half of it .225.
    assert list(stood(series(result, Method.POINTS)).values())[:3] == ["1 12.00 0.45", "2 5.00 0.23", "- 0.00 0.00"]


def test_a_night_under_another_rulebook_leaves_the_rest_as_it_is(tmp_path: Path) -> None:
    bonus = rulebook_file(tmp_path, "[bonus.factor]\nvalue = 1.1\n[series.rate]\nvalue = 0.2")
    nights = [night(day, "Ann 60", *field(9)) for day in (1, 2, 3)]
    result = awarded(*nights, night(4, "Ann 60", *field(9), rulebook=bonus))
    assert stood(series(result))["Ann"] == "1 4.10 0.40"  # 3 x 1.00 + 1.10; .02 x 20


def test_the_handbooks_figures() -> None:
    entry = rulebook("acbl-club").starts and rulebook("acbl-club").entries["series.points"][0]
    assert entry.value == [4, 3, 2, 1]
    assert entry.confidence == "printed"


# Who is placed.


@pytest.mark.slow
def test_who_played_too_little_is_listed_but_not_placed() -> None:
    partners = ("Dee", "Dee", "Eve", "Eve")
    nights = [night(day, "Ann+Bob 60", f"Cy+{who} 55", *field(8)) for day, who in enumerate(partners, 1)]
    result = awarded(*nights)
    # .02 x 20 = .40, .30, .225, .16875; Dee and Eve have half of the .70 + .70 + .70 + .70 that Cy has; x0 4 x .50.
    assert list(stood(series(result)).items())[:6] == [
        ("Ann", "1/2 4.00 0.35"),
        ("Bob", "1/2 4.00 0.35"),
        ("Cy", "3 2.80 0.23"),
        ("x0", "4 2.00 0.00"),
        *(("Dee", "5/7 1.40 0.00"), ("Eve", "5/7 1.40 0.00")),
    ]
    sessions = stood(series(result, min_sessions=3))
    assert [sessions[name] for name in ("Cy", "Dee", "Eve")] == ["3 2.80 0.23", "- 1.40 0.00", "- 1.40 0.00"]
    partners_ = series(result, min_partners=2)
    assert next(iter(stood(partners_).items())) == ("Cy", "1 2.80 0.40")
    assert set(stood(partners_)) == set(sessions)
    assert list(partners_.standings["position"].notna()) == [True] + [False] * 12
    nobody = series(result, min_sessions=5)
    assert (nobody.bonus, nobody.why_none) == (None, "nobody is placed")
    assert next(iter(stood(nobody).items())) == ("Ann", "- 4.00 0.00")


def test_a_game_counts_for_nothing_for_who_is_out_of_its_ranks() -> None:
    nights = [night(day, "Ann+Bob 60", "Cy+Dee 55", *field(8)) for day in (1, 2, 3)]
    found = series(awarded(*nights, night(4, "Ann+Eve 60 out", "Cy+Dee 55", *field(8))))
    rows = found.standings.set_index("player")
    assert stood(found)["Ann"].split()[:2] == ["3/4", "3.00"]
    assert rows.loc["Ann", ["games", "partners", "tables"]].to_list() == [3, 1, 15.0]
    assert "Eve" not in rows.index


def test_who_sits_twice_in_a_game_has_the_better_result() -> None:
    nights = [night(day, "Ann#1234567+Bob 60", *field(8), "Cy+Ann#1234567 20") for day in (1, 2, 3, 4)]
    found = series(awarded(*nights), Method.PERCENTAGE)
    assert stood(found)["Ann"].startswith("1/2 60.00")
    assert [doubt.players for doubt in found.doubts] == [("Ann",)] * 4


def test_two_without_numbers_who_have_one_name_in_a_game_are_two_people() -> None:
    nights = [night(day, "Ann+Bob 60", *field(8), "Cy+Ann 20") for day in (1, 2, 3, 4)]
    found = series(awarded(*nights), Method.PERCENTAGE)
    anns = found.standings[found.standings["player"] == "Ann"]
    assert sorted(anns["score"]) == [2000, 6000]  # in hundredths of a percent
    assert [doubt.what for doubt in found.doubts] == [
        "2 players called Ann sat in day-01, day-02, day-03 and day-04: counted as 2 players"
    ]


@pytest.mark.slow
def test_games_without_dates_and_seats_without_names() -> None:
    nights = [night(day, "Ann+- 60", *field(8 + day), date=None) for day in (1, 2, 3, 4)]
    found = series(awarded(*nights), Method.POINTS)
    assert "-" not in list(found.standings["player"])
    assert stood(found)["Ann"].startswith("1 16.00")
    assert found.standings.set_index("player").loc["Ann", "partners"] == 0


def test_games_that_name_nobody_make_a_series_without_players() -> None:
    """As the file of a table device does, which may have numbers alone."""
    game = sheet(mitchell(5), "day", tables=5, date="2026-01-01", boards=18)
    nobody = pd.Series(None, index=game.contestants.index, dtype="str")
    unnamed = replace(game, contestants=game.contestants.assign(player1=nobody, player2=nobody))
    assert series(award_sheet(unnamed), Method.MASTERPOINTS).standings.empty


# What a place is.


@pytest.mark.slow
def test_both_directions_have_points() -> None:
    nights = [sheet(mitchell(5), f"day-{day}", tables=5, date=f"2026-01-0{day}", boards=18) for day in (1, 2, 3, 4)]
    found = stood(series(awarded(*nights), Method.POINTS))
    assert [found[f"A-{side}-{place} one"].split()[1] for side in ("NS", "EW") for place in (1, 2, 3, 4, 5)] == [
        *("16.00", "12.00", "8.00", "4.00", "0.00") * 2
    ]


def test_places_are_overall_where_the_game_is_ranked_so() -> None:
    rows = [*mitchell(3, "A", top=80), *mitchell(3, "B", top=70)]
    nights = [sheet(rows, f"day-{day}", tables="A=3, B=3", date=f"2026-01-0{day}", boards=18) for day in (1, 2, 3, 4)]
    found = stood(series(awarded(*nights), Method.POINTS))
    assert [found[f"{name} two"].split()[1] for name in ("A-NS-3", "B-NS-1", "B-EW-1", "B-EW-2")] == [
        *("8.00", "4.00", "4.00", "0.00")
    ]


# What is refused.


@pytest.mark.slow
def test_too_few_games() -> None:
    result = awarded(*(night(day, "Ann 60", *field(9)) for day in (1, 2, 3)))
    found = series(result)
    assert (found.bonus, found.standings["bonus"].sum()) == (None, 0)
    assert re.fullmatch(r"a series that pays one takes 4 games or more \(ACBL Handbook.*series games\)", found.why_none)
    assert found.standings["score"].iloc[0] == 300  # ten contestants: first place pays 1.00 each time
    assert len(series(awarded(night(1, "Ann 60", *field(9)))).games) == 1


@pytest.mark.slow
def test_the_same_game_twice() -> None:
    nights = [night(day, "Ann 60", *field(9)) for day in (1, 2, 3, 4)]
    with pytest.raises(
        InputError, match=r"day-02.csv: .*the same game as .*day-02 \(give each game once, or declare its date\)"
    ):
        series(awarded(*nights, night(2, "Ann 61.5", *field(9))))
    # Twice on one day the same people, with another result.
    assert len(series(awarded(*nights, night(2, "Ann 40", *field(9)))).games) == 5


def test_an_event_of_several_sessions() -> None:
    rows = ["A-1 . 110 s=60/50", "A-2 . 90 s=40/50", "A-3 . 80 s=40/40", "A-4 . 70 s=30/40"]
    event = sheet(rows, "final", rating="sectional", sessions=2, tables=2, date="2005-01-05")
    nights = [night(day, "Ann 60", *field(9)) for day in (1, 2, 3)]
    with pytest.raises(InputError, match=r"final.csv: a series takes single sessions"):
        series(awarded(*nights, event))


@pytest.mark.slow
def test_a_percentage_that_is_missing() -> None:
    nights = [night(day, "Ann 60", *field(9)) for day in (1, 2, 3)]
    scores = sheet(["A-1 . 110", "A-2 . 90", "A-3 . 80", "A-4 . 70"], "final", tables=2, date="2026-01-05", boards=18)
    result = awarded(*nights, scores)
    assert len(series(result, Method.POINTS).games) == 4
    with pytest.raises(InputError) as error:
        series(result, Method.PERCENTAGE)
    assert [str(problem) for problem in error.value.problems] == [
        f"final.csv: line {line}: this contestant has no percentage (write it, or choose another method)"
        for line in (1, 2, 3, 4)
    ]


# Whatever the games.

PLAYERS = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")

SERIES = st.lists(
    st.tuples(st.permutations(PLAYERS), st.lists(st.integers(40, 60), min_size=4, max_size=4)), min_size=4, max_size=5
)


@examples(8)
@given(SERIES, st.sampled_from(Method), st.data())
def test_invariants(drawn: list[tuple[list[str], list[int]]], method: Method, data: st.DataObject) -> None:
    nights = [
        night(day, *(f"{who[2 * i]}+{who[2 * i + 1]} {percent}" for i, percent in enumerate(percents)))
        for day, (who, percents) in enumerate(drawn, 1)
    ]
    result = awarded(*nights)
    found = series(result, method)
    if method is Method.MASTERPOINTS:
        assert found.standings["score"].sum() == 2 * result.awards["masterpoints"].sum()
    if method is Method.POINTS:
        # 4 + 3 + 2 + 1 for each game and partner; a share of a third loses less than a hundredth to rounding.
        assert abs(found.standings["score"].sum() - 2000 * len(nights)) < 8 * len(nights)
    rows = found.standings
    assert (rows["score"].diff().dropna() <= 0).all()
    assert ((rows["score"].diff() == 0) == (rows["position"].diff() == 0)).all()
    assert (rows.groupby("position")["tied"].first() == rows.groupby("position").size()).all()
    # All played the same tables, two in each game: the first three places pay what they pay however they are tied.
    assert found.bonus is not None
    assert found.bonus.awards[0] == 2 * 2 * len(nights)
    assert (rows["bonus"].diff().dropna() <= 0).all()
    order = data.draw(st.permutations(nights))
    assert stood(series(awarded(*order), method)) == stood(found)


# The formats.

ODD = ("=1+1 Ames", 'Bo "B", Lee', "Zoë Çelik")


@pytest.fixture(scope="module")
def odd() -> Series:
    result = four_nights("p0 70", "p1 69", "p2 68", *field(7))
    names = result.contestants["player1"].replace(dict(zip(("p0", "p1", "p2"), ODD, strict=True)))
    return series(replace(result, contestants=result.contestants.assign(player1=names)))


def test_text(tuesdays: Result) -> None:
    lines = WRITERS["text"](series(tuesdays, Method.POINTS, min_sessions=4, min_partners=2)).decode().splitlines()
    assert lines[0] == "Tuesday Pairs: 4 games, 6 to 27 January 2026, by points"
    assert lines[2].split() == ["Place", "Player", "Member", "no", "Games", "Partners", "Points", "Bonus"]
    assert lines[3].split() == ["1/2", "Ada", "Birch", "0000101", "4", "4", "14.50", "0.27"]
    assert lines[6].split() == ["4", "Cora", "Dale", "0000103", "4", "4", "11.50"]
    # Two played too few games; the others won nothing.
    expected = ["Ola Penn", "Kay Lund", "Leo Moss", "Mia Nash", "Nat Oaks", "Pia Quill"]
    assert [" ".join(line.split()[1:3]) for line in lines if line.startswith("- ")] == expected
    bonus = lines.index("Bonus: first 0.31 (0.02 x 15.5 tables); 3 places pay.")
    assert lines[bonus + 1].startswith("Rule: ACBL Handbook")
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Not placed (-): it takes 4 games, 2 different partners and a score above 0.00."


def test_text_of_a_series_without_names_dates_and_a_bonus() -> None:
    nights = [
        night(day, "Ann 60", *field(8 + day), rating="club-fund", rulebook="acbl-club-fund-2011", date=None)
        for day in (1, 2, 3, 4)
    ]
    lines = WRITERS["text"](series(awarded(*nights))).decode().splitlines()
    assert lines[0] == "Series: 4 games, by masterpoints"
    assert lines[-2] == "No bonus: the rules state no bonus for games of the class club-fund."


def test_csv_of_any_name(odd: Series) -> None:
    data = WRITERS["csv"](odd)
    assert data.startswith(b"\xef\xbb\xbf")
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    assert header == [
        *("place", "tied", "player", "id", "games", "partners", "masterpoints", "bonus"),
        *(f"day-0{day}" for day in (1, 2, 3, 4)),
    ]
    assert [row[2] for row in rows[:3]] == ["'" + ODD[0], *ODD[1:]]
    # Ten contestants: 1.00 four times; .02 x 20.
    assert rows[0][3:] == ["", "4", "0", "4.00", "0.40", "1.00", "1.00", "1.00", "1.00"]


def test_xlsx_of_any_name(odd: Series) -> None:
    sheet = load_workbook(io.BytesIO(WRITERS["xlsx"](replace(odd, numbered=True))))["Series"]
    assert [cell.value for cell in sheet[4]][:7] == [
        *("Place", "Player", "Member no", "Games", "Partners", "Masterpoints", "Bonus")
    ]
    assert [sheet.cell(row, 2).value for row in (5, 6, 7)] == list(ODD)
    assert [cell.value for cell in sheet[5]][3:] == [4, 0, 4.0, 0.4, 1.0, 1.0, 1.0, 1.0]
    assert sheet["F5"].number_format == "0.00"
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    assert sheet.freeze_panes == "C5"
    assert WRITERS["xlsx"](odd) == WRITERS["xlsx"](odd)


def test_json(tuesdays: Result) -> None:
    content = json.loads(WRITERS["json"](series(tuesdays, Method.PERCENTAGE, min_sessions=4)))
    assert (content["method"], content["min_sessions"], content["min_partners"]) == ("percentage", 4, 0)
    assert content["games"][0] == {"game_id": "tuesday-2026-01-06", "date": "2026-01-06"}
    assert content["bonus"]["ladder"] == ["0.31", "0.23", "0.17"]
    assert content["no_bonus"] is None
    assert content["players"][0] == {
        "position": 1,
        "tied": 1,
        "name": "Ben Cole",
        "id": "0000102",
        "games": 4,
        "partners": 4,
        "tables": "15.5",
        "score": "58.94",
        "bonus": "0.31",
        "scores": dict(zip([path.stem for path in TUESDAYS], ["62.50", "57.14", "61.11", "55.00"], strict=True)),
    }
    last = content["players"][-1]
    assert (last["name"], last["position"], last["tied"], last["bonus"]) == ("Pia Quill", None, None, "0.00")
    assert "tuesday-2026-01-20" not in last["scores"]
    assert [doubt["players"] for doubt in content["doubts"]] == [["Ida Jute"]]


# The command.


@pytest.mark.slow
def test_the_command_prints_the_standings_and_tells_doubts_apart(tuesdays: Result) -> None:
    status, out, err = run("series", *TUESDAYS, "--method", "points", "--min-sessions", "4", "--min-partners", "2")
    assert status == 0
    found = series(tuesdays, Method.POINTS, min_sessions=4, min_partners=2)
    assert out.encode() == WRITERS["text"](found)
    assert err == "doubtful: Ida Jute has no number in tuesday-2026-01-20: counted as 0000109\n"


def test_wrong_usage_and_wrong_input(tmp_path: Path) -> None:
    for wrong in (["--method", "best"], ["--min-sessions", "0"], ["-o", tmp_path / "out.xml"], ["--to", "usebio"]):
        status, out, err = run("series", *TUESDAYS, *wrong)
        assert (status, out) == (2, "")
        assert "Error: " in err
    status, out, _ = run("series", *TUESDAYS[:3])
    assert status == 0
    assert "\nNo bonus: a series that pays one takes 4 games or more" in out
    assert list(tmp_path.iterdir()) == []


def test_the_methods_of_the_command_are_those_there_are() -> None:
    (method,) = (option for option in command.params if option.name == "method")
    assert list(getattr(method.type, "choices", [])) == list(Method)
