"""What is declared and has no meaning for a game is refused, and what is not known of a game is remarked on."""

import json
from dataclasses import replace
from datetime import date
from random import Random

import knockouts
import pytest
from conftest import ALL, run, saved
from games import awarded, falling, ladder, mitchell, sheet, together
from samples import SAMPLES, real

from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.errors import DeclarationError, InputError, Problem
from resultproc.model.frames import Sheet
from resultproc.model.game import league
from resultproc.model.keys import KEYS
from resultproc.rulebooks import choice
from resultproc.rulebooks.acbl_club import RULEBOOK as CLUB
from resultproc.rulebooks.core import Rulebook
from resultproc.rulebooks.load import parse_rulebook, rulebook
from resultproc.stages.pipeline import award_each, award_sheet, for_players, keep_games, process

EARLY = {"date": "2005-05-05", "tables": 6}


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"rating": "sectional", "special": "recorded-points"}, "'recorded-points' has no meaning in a game of rating"),
        ({"rating": "sectional", "special": "acbl-wide-instant"}, "'acbl-wide-instant' has no meaning .*'club-champ"),
        ({"rating": "club-championship", "special": "junior-fund"}, "'junior-fund' .*declare rating='club-fund'"),
        ({"rating": "regional", "special": "handicap"}, "'handicap' has no meaning in a game of rating regional"),
        ({"rating": "regional", "special": "charity"}, "'charity' changes nothing of a regional event"),
        ({"rating": "regional", "special": "zip-knockout"}, "'zip-knockout' .* event_type='swiss' or 'knockout'"),
        ({"rating": "club-open", "flight": "C"}, "flight is declared, but only events of tournaments have it"),
        ({"rating": "club-open", "bracket": "3"}, "bracket is declared, but only events of tournaments"),
        ({"rating": "club-open", "cuts": "1"}, "cuts is declared, but only events of tournaments"),
        ({"rating": "club-open", "other_site_tables": "20"}, "other_site_tables is declared, but only"),
        (
            {"rating": "regional", "event_type": "swiss", "bracket": "2", "lower_tables": "9", "movement": "howell"},
            "bracket 2 has no upper limit, and M of its awards depends on it",
        ),
        ({"rating": "sectional", "special": "nap-49er"}, "'nap-49er' has no meaning in a game of rating sectional"),
        ({"rating": "regional", "special": "x-mine"}, "acbl-general-formula-2003 has no 'x-mine' games"),
        ({"rating": "club-open", "special": "men's, women's"}, "cannot be both men's and women's"),
        ({"rating": "regional", "special": "consolation, barometer-2"}, "cannot be both barometer-2 and consolation"),
    ],
)
def test_what_has_no_meaning_is_refused(keys, said):
    teams = keys.get("event_type") == "swiss"
    with pytest.raises(DeclarationError, match=said):
        awarded(falling("A", 6) if teams else mitchell(6), **{**EARLY, **keys})


@real
@pytest.mark.parametrize(
    ("sample", "said"),
    [
        ("special-membership-national", "'membership' has no meaning .* national .*declare rating='club-championship'"),
        ("special-membership-regional", "'membership' has no meaning in a game of rating regional"),
        (
            "special-regionally-rated-club-championship",
            "'regionally-rated' has no meaning .*declare rating='sectional'",
        ),
        ("special-membership-and-upgraded", "cannot be both membership and upgraded-club-championship"),
        ("special-barometer-2-and-3", "cannot be both barometer-2 and barometer-3"),
        ("special-side-game-and-series", "cannot be both side-game and side-game-series"),
    ],
)
def test_special_words_that_contradict_a_rating_or_one_another_are_refused(sample, said):
    with pytest.raises(DeclarationError, match=said):
        process(SAMPLES / "edges" / f"{sample}.csv")


@pytest.mark.parametrize(
    "keys",
    [
        {"rating": "club-fund", "special": "charity"},
        {"rating": "club-fund", "special": "acbl-wide-instant"},
        {"rating": "regional", "special": "side-game, charity"},
        {"rating": "club-championship", "special": "junior-fund", "date": "2012-05-05", "refused": True},
        {"rating": "club-fund", "special": "junior-fund", "date": "2012-05-05"},
    ],
)
def test_words_that_have_a_meaning_are_taken(keys):
    refused = keys.pop("refused", False)
    if refused:
        with pytest.raises(DeclarationError, match="declare rating='club-fund'"):
            awarded(mitchell(6), **{**EARLY, **keys})
    else:
        awarded(mitchell(6), **{**EARLY, **keys})


@real
def test_an_individual_that_is_listed_by_direction_is_compared_as_it_is_listed():
    # Two lists of 16 on 8 tables: B 18/60. A session .5 x .3 x 10 x .75 = 1.125: 1.13, .79, .57 (.565), .40 (.3955),
    # then 1.13 / 5 and / 6, down to 40% of 16, 6 places. Overall 10 x .3 x .75 = 2.25 to six of 32, tied two by two:
    # 2.25 and 1.69, 1.27 and .95, .71 and .53.
    found = process(SAMPLES / "edges" / "m-ind2.csv")
    of = found.candidates[found.candidates["contestant"] < 16]
    by_basis = of.groupby("basis", observed=True)["masterpoints"].apply(list)
    assert by_basis["section"] == [113, 79, 57, 40, 23, 19]
    assert by_basis["overall"] == [197, 111, 62]
    assert any("a rainbow compares N, S, E and W apart, in four" in remark.what for remark in found.remarks)


def test_an_individual_that_is_listed_by_direction_is_refused_at_a_club():
    rows = falling("A-NS", 8) + falling("A-EW", 8)
    for keys in ({"tables": 4}, {}):  # 16 players sit at four tables
        with pytest.raises(DeclarationError, match="what its fields pay in a club game is not stated"):
            awarded(rows, event_type="individual", **keys)
        assert ladder(awarded(rows, event_type="individual", rating="sectional", date="2005-05-05", **keys), "A-NS")[0]
    with pytest.raises(DeclarationError, match="lists 8 contestants, but 4 tables seat 4"):
        awarded(rows, tables=4)


def test_a_rainbow_with_the_four_directions_is_told(tmp_path):
    file = saved(tmp_path / "game.csv", "direction,number,player1,score\nN,1,Ann,9\nS,1,Bob,8\nE,1,Cy,8\nW,1,Di,7\n")
    with pytest.raises(InputError, match="a rainbow, which compares N, S, E and W apart, cannot be listed so"):
        process(file, event_type="individual", **EARLY)


def remarked(said, rows, **keys):
    return any(said in remark.what for remark in award_sheet(sheet(rows, **keys)).remarks)


def test_howells_in_several_sections_online_are_remarked_on():
    keys = {"rating": "club-online", "date": "2021-03-01"}
    howells = falling("A", 10) + falling("B", 8)
    said = "stated for Mitchells alone"
    assert remarked(said, howells, tables="A=5, B=4", **keys)
    assert not remarked(said, falling("A", 10), tables=5, **keys)
    assert not remarked(said, mitchell(5) + mitchell(4, "B"), tables="A=5, B=4", **keys)


@pytest.mark.slow
def test_awards_by_the_strength_of_the_field_say_that_its_adoption_is_not_known():
    rows = [f"{row} mp=2000/2000" for row in mitchell(6)]
    keys = {"rating": "sectional", "date": "2022-06-01", "boards": 26, "tables": 6}
    said = "whether and on which day it was adopted is not known"
    assert remarked(said, rows, **keys)
    assert not remarked(said, rows, **{**keys, "special": "side-game"})
    assert not remarked(said, rows, **{**keys, "date": "2020-06-01"})


TABLES = {"tables": "12"}
CLUBS = {
    "acbl-club": [("club-open", "2010-06-01"), ("club-invitational", "2012-06-01"), ("club-newcomer", "2012-06-01")],
    "acbl-2017": [("club-open", "2017-06-01")],
    "acbl-club-2023": [("club-open", "2024-06-01")],
    "acbl-club-fund-2011": [("club-fund", "2012-06-01"), ("club-championship", "2012-06-01")],
    "acbl-online-club": [("club-online", "2021-06-01")],
}
FORMULA = ("club-championship", "club-fund", "club-appreciation", "unit-championship", "stac", "sectional", "regional",
           "regional-at-nabc", "national")  # fmt: skip
DAYS = {
    "acbl-general-formula-2003": "2005-06-01",
    "acbl-general-formula-2015": "2016-06-01",
    "acbl-2017-special": "2017-06-01",
    "acbl-general-formula-2019": "2019-06-01",
    "acbl-strength-of-field-2021": "2022-06-01",
}
EVERY_RATING = [
    *((book, rating, day) for book, of in CLUBS.items() for rating, day in of),
    *((book, rating, day) for book, day in DAYS.items() for rating in FORMULA if rating in rulebook(book).covers),
]
"""A rating of each rulebook, with a day."""

OF_EACH_BOOK = {each[0]: each for each in Random(1).sample(EVERY_RATING, len(EVERY_RATING))}
TRIED = EVERY_RATING if ALL else [*OF_EACH_BOOK.values()]

FACTS = {
    *("event", "club", "club_id", "charge_code", "contact", "points_scale", "date", "session", "rating", "boards"),
    *(
        "session_boards",
        "scoring",
        "scored_across",
        "movement",
        "tables",
        "sit_outs",
        "stratify_by",
        "by_place",
        "ranks",
    ),
    *("rulebook", "event_type", "imps"),
}
"""Keys that say what a game is, or how it is scored and ranked."""

VALUES = {
    **{
        "sessions": "2",
        "strata": "A=open, B=500",
        "limit": "450",
        "restrictions": "senior",
        "special": "recorded-points",
    },
    **{"league": "abf", "weight": "2", "least_award": "2"},
    **{"concurrent_tables": "300=6", "flight": "C", "bracket": "2", "lower_tables": "300=6", "flight_limits": "A=open"},
    **{
        "split": "C, D",
        "other_site_tables": "20",
        "session_tables": "20, 18",
        "flighted_tables": "40",
        "cuts": "1",
        "championship": "open-pairs",
    },
}
"""Values of all other keys, which an award may go by."""

ELSEWHERE = {"handicap", "across-sections", "normal", "lower-limit", "men's", "women's"}
"""Words that need more than themselves, such as handicaps, large sections or two sessions, the one that says that a
game is of no kind, and those of who may enter: each has tests of its own."""


def test_every_game_key_is_a_fact_or_has_to_have_an_effect():
    assert FACTS | set(VALUES) == set(KEYS)
    assert not FACTS & set(VALUES)


def effects(game, many):
    """Return, by its name, whether what is declared beside a game changes its awards or remarks, or is refused."""
    rows = [f"{row} mp=400/400" for row in mitchell(12)]
    sheets = [sheet(rows, game_id=name, **{**TABLES, **game, **more}) for name, more in {"": {}, **many}.items()]
    found, wrong = award_each(together(*sheets))
    assert "" not in wrong, str(wrong[""][0])
    names = found.games["game_id"]

    def shown(name):
        of_game = (found.contestants["game_id"] == name).to_numpy()
        paid = found.awards[of_game].drop(columns=["game", "contestant", "candidate"])
        made = found.candidates["values"][(names.iloc[found.candidates["game"]] == name).to_numpy()]
        values = {item.path for each in made.unique() for item in each.items}
        return paid.to_numpy().tolist(), values, {remark.what for remark in found.remarks if remark.game == name}

    plain = shown("")
    return {name: name in wrong or shown(name) != plain for name in many}


def game_of(rating, day):
    keys = {"rating": rating, "date": day, "boards": "26"}
    return keys | ({"limit": "20"} if rating == "club-newcomer" else {})


@pytest.mark.slow
@pytest.mark.parametrize(("book", "rating", "day"), TRIED)
def test_no_key_is_taken_without_an_effect(book, rating, day):
    found = effects(game_of(rating, day), {key: {key: value} for key, value in VALUES.items()})
    assert [key for key, told in found.items() if not told] == []


@pytest.mark.slow
@pytest.mark.parametrize(("book", "rating", "day"), TRIED)
def test_no_special_word_is_taken_without_an_effect(book, rating, day):
    """A word has its effect on any day, in the months of two funds, or beside other events."""
    left = {word: {"special": word} for word in sorted(league().special - ELSEWHERE)}
    beside = {"concurrent_tables": "open=10, 300=6"} if rating in {"sectional", "regional", "regional-at-nabc"} else {}
    of_funds = [{"date": day.replace("-06-01", each)} for each in ("-01-15", "-04-15")]
    for more in ({}, *of_funds, beside):
        found = effects({**game_of(rating, day), **more}, left)
        left = {word: declared for word, declared in left.items() if not found[word]}
    assert sorted(left) == []


OLD = "no source says what club games paid before November 2008"


@pytest.mark.parametrize(
    ("day", "told"), [("1958-01-05", True), ("2008-11-02", True), ("2008-11-03", False), (None, False)]
)
def test_games_older_than_every_witness_are_remarked_on(day, told):
    assert remarked(OLD, mitchell(6), rating="club-open", tables=6, date=day, boards=18) == told


@real
def test_reprocessing_and_its_summary_say_how_many_are_older_than_every_witness(tmp_path):
    old = SAMPLES / "office" / "old" / "old.csv"
    for arguments in (("award", old), ("rules", "list")):
        done = run(*arguments)
        assert OLD in done.out + done.err
    assert json.loads(run("rules", "list", "--to", "json").out)["rulebooks"][3]["witnessed"] == "2008-11-03"
    run("archive", "add", old, "--to", tmp_path / "history")
    done = run("reprocess", tmp_path / "history", "-o", tmp_path / "out")
    assert (done.status, OLD in done.err) == (0, True)
    assert f"1 game: {OLD}" in done.out
    told = json.loads(run("reprocess", tmp_path / "history", "-o", tmp_path / "out", "--to", "json").out)["remarks"]
    assert [(OLD in each["what"], each["games"]) for each in told] == [(True, 1)]
    assert f"1 game: {OLD}" in " ".join((tmp_path / "out" / "summary.html").read_text("utf-8").split())


def split(**keys):
    return {"rating": "regional", "sessions": 2, "tables": 10, "movement": "howell", "other_site_tables": "20", **keys}


def test_events_at_two_sites_pay_80_percent_of_all_awards_since_2015():
    rows = [f"A-{place} . {140 - place} s={70 - place / 2}/{70 - place / 2}" for place in range(1, 21)]
    # 14 x 1.5 x 1.25 = 26.25: on 30 tables 17.50, 80% of it 14.00 and 10.50; on 10 tables 8.75, 80% 7.00: .5625 of it
    # 3.94, .421875 of it 2.95.
    since = awarded(rows, **split(date="2019-05-05"))
    assert ladder(since, "A-")[:4] == ["14.00", "10.50", "3.94", "2.95"]
    values = {value.path: value.confidence for each in since.candidates["values"] for value in each.items}
    assert values["split.all"] == "secondary"
    # 2003: 21 x B: 80% of 14.00 = 11.20 and 8.40; alone 7.00: 3.94.
    assert ladder(awarded(rows, **split(date="2005-05-05")), "A-")[:3] == ["11.20", "8.40", "3.94"]


def test_matches_and_all_overall_awards_of_events_at_two_sites_since_2015():
    # A Swiss of one session, 10 teams up to 700 and 20 at the other site, 4 matches of 24 boards: a match .80 x 1.25 x
    # M(700) .696822 = .70. First: 14 x B(30) .666667 x M = 6.50, 80% of it 5.20, second 3.90; third alone: 14 x B(10)
    # .333333 x M = 3.25, 80% of it 2.60, .5625 of that 1.46.
    keys = {"event_type": "swiss", "sessions": 1, "limit": 700, "boards": 24, "date": "2016-05-05"}
    games, pairs = sheet(falling("A", 10), **split(**keys))
    won = [4.0, 4.0, 2.0, *[0.0] * 7]
    teams = pairs.assign(player3=pairs["player1"] + "x", player4=pairs["player2"] + "x", wins=won)
    found = award_sheet(Sheet(games, teams))
    paths = {value.path for each in found.candidates["values"] for value in each.items}
    assert {"split.all", "split.combined"} <= paths
    by_basis = found.candidates[found.candidates["contestant"] < 3].groupby("basis")["masterpoints"].apply(list)
    assert by_basis["overall"] == [520, 390, 146]
    assert by_basis["matches"] == [280, 280, 140]


@pytest.mark.slow
def test_knockouts_of_regionals_at_two_sites_pay_80_percent_since_2015():
    # 8 teams: 46 x B(8) .30 = 13.80, a match 1.25; 80% of them 11.04 and 1.00.
    for day, first, match in (("2016-05-05", "11.04", "1.00"), ("2005-05-05", "13.80", "1.25")):
        found = knockouts.awarded(knockouts.bracket("A", 8), date=day, other_site_tables="20")
        assert (knockouts.overall(found)["1"], knockouts.for_matches(found)["3"]) == (first, match)
    with pytest.raises(DeclarationError, match="only regionals are split"):
        knockouts.awarded(knockouts.bracket("A", 8), rating="sectional", other_site_tables="20")


def test_what_the_strength_of_the_field_pays_at_two_sites_is_not_known():
    rows = [f"{row} mp=2000/2000" for row in mitchell(10)]
    keys = {"rating": "regional", "boards": 26, "tables": 10, "sessions": 1, "other_site_tables": "20"}
    said = "other_site_tables has no effect on its overall awards"
    assert remarked(said, rows, date="2022-06-01", **keys)
    assert not remarked(said, rows, date="2020-06-01", **keys)


def test_a_board_a_match_is_credited_a_team_for_a_table_and_pays_no_110_percent_at_fund_games():
    rows = falling("D", 4, "B") + falling("D", 0) + [f"D-{n} C {40 - n}%" for n in (5, 6, 7)]
    keys = {"rating": "club-fund", "event_type": "bam", "date": "2011-06-27", "strata": "A=open, B=1000, C=300"}
    found = awarded(rows, tables=7, concurrent_tables="300=17, 50=5", **keys)
    assert ladder(found, "D-")[:5] == ["2.50", "1.88", "1.41", "0.00", "0.64"]


# Two rulebooks that began on one day.


def own(text: str) -> Rulebook:
    return parse_rulebook(text, "own.toml", CLUB.rules, CLUB)


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ('id = "own"\nextends = "acbl-club"', "own"),
        ('id = "own"\nextends = "acbl-club"\nsince = 2004-01-01', "own"),
        ('id = "own"', None),
        ('id = "own"\nsince = 2004-01-01', "own"),
    ],
)
def test_of_two_rulebooks_of_one_day_one_must_extend_the_other(monkeypatch, text, chosen):
    book = own(f'{text}\ncovers = ["club-open"]') if "extends" in text else alone(text)
    for books in ([book, *REGISTERED], [*REGISTERED, book]):
        monkeypatch.setattr(choice, "rulebooks", lambda books=books: books)
        monkeypatch.setattr(choice, "rulebook", lambda name: book if name == "own" else rulebook(name))
        games = sheet(mitchell(6), tables=6, date="2005-05-05").games.assign(sessions=1, event_type="pairs")
        if chosen:
            assert choice.choose(games)["rulebook"].tolist() == [chosen]
        else:
            with pytest.raises(DeclarationError, match=r"are both for club-open games .*neither extends the other"):
                choice.choose(games)


REGISTERED = choice.rulebooks()


def alone(text: str) -> Rulebook:
    head = dict(line.split(" = ") for line in text.splitlines())
    since = date.fromisoformat(head["since"]) if "since" in head else date.min
    return Rulebook("own", "Own", CLUB.read, covers=("club-open",), since=since)


def test_players_are_told_how_sure_an_award_is_and_nothing_that_only_a_director_needs():
    said = tuple(Problem("said", code=code) for code in (OF_BOOK, "sheet.doubtful", OF_VALUES, "title.more-tables"))
    assert [each.code for each in for_players(replace(sheet(mitchell(8)), remarks=said)).remarks] == [
        OF_BOOK,
        OF_VALUES,
    ]


def test_games_that_are_kept_keep_their_remarks_and_those_of_all():
    both = together(*(sheet(mitchell(8), game_id=name) for name in ("one", "two")))
    said = tuple(Problem(f"of {name}", game=name) for name in ("one", "two", ""))
    kept = keep_games(replace(both, remarks=said), ["two"])
    assert kept.games["game_id"].tolist() == ["two"]
    assert set(kept.contestants["game_id"]) == {"two"}
    assert [each.what for each in kept.remarks] == ["of two", "of "]
