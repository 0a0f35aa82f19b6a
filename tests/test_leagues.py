"""Leagues: whose game it is, what their words are, and their rulebooks against a second implementation."""

import ast
import csv
import dataclasses
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from conftest import ALL, PROJECT, run, saved
from games import awarded, falling, mitchell, mp
from openpyxl import load_workbook
from samples import SAMPLES, real
from second import leagues as second

from resultproc import process, read
from resultproc.archive.add import add
from resultproc.archive.query import refuse_points_of_several
from resultproc.archive.sql import query_scope
from resultproc.archive.store import Store
from resultproc.formats.loaded import load_source
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import CONTESTANTS, GAMES, AwardedResult, Sheet
from resultproc.model.game import league, leagues, parse_rating
from resultproc.reports.check import check
from resultproc.reports.infer.infer import infer
from resultproc.rulebooks.load import rulebooks
from resultproc.stages.pipeline import award_sheet

SIX = falling("A", 6)
HOWELL = ("--movement", "howell")


def refused(rows: list[str], **keys: object) -> str:
    with pytest.raises(InputError) as error:
        awarded(rows, **keys)
    return str(error.value)


def amounts(result: AwardedResult) -> list[str]:
    return [mp(award) for award in result.awards["masterpoints"]]


# Whose game it is.


def test_every_rating_is_of_one_league_and_every_rulebook_of_one() -> None:
    every = [name for each in leagues().values() for name in each.names]
    assert len(every) == len(set(every))
    assert sum(each.default for each in leagues().values()) == 1
    for book in rulebooks():
        assert set(book.covers) <= set(leagues()[book.league].names), book.id


def test_the_rating_tells_the_league_and_the_rulebook() -> None:
    result = awarded(SIX, rating="grade-e", movement="howell", tables=3, date="2026-03-09")
    assert result.games["rulebook"].tolist() == ["abf-session"]
    assert amounts(result)[:3] == ["0.18", "0.13", "0.09"]
    assert result.awards["green"].tolist() == result.awards["masterpoints"].tolist()


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            {"rating": "grade-e", "rulebook": "acbl-club"},
            "rulebook acbl-club awards points of the ACBL, and this is a game of the ABF "
            "(choose one of its own: abf-session; or correct league and rating)",
        ),
        (
            {"rating": "club-open", "rulebook": "abf-session"},
            "rulebook abf-session awards points of the ABF, and this is a game of the ACBL (choose one of its own: ",
        ),
        ({"rating": "club-open", "league": "abf"}, "this is a game of the ABF, and club-open is a rating of the ACBL"),
        (
            {"rating": "club-open", "special": "multiple-teams"},
            "special: 'multiple-teams' has no meaning in a game of the ACBL (leave it out, or correct league",
        ),
        ({"rating": "grade-e", "league": "acbl"}, "this is a game of the ACBL, and grade-e is a rating of the ABF"),
    ],
)
def test_a_game_of_one_league_is_not_awarded_by_the_rules_of_another(keys: dict[str, str], told: str) -> None:
    assert told in refused(SIX, movement="howell", tables=3, date="2026-03-09", **keys)


def test_a_rating_that_no_league_has_is_refused_with_the_closest() -> None:
    assert parse_rating("Grade E") == "grade-e"
    assert parse_rating("open") == "club-open"
    with pytest.raises(ValueError, match="did you mean 'grade-b4"):
        parse_rating("grade-b4d")


@pytest.mark.parametrize("declared", ["rulebook: ebu-club", "league: ebu"])
def test_the_rating_that_a_game_lacks_is_asked_for_in_the_words_of_its_league(tmp_path: Path, declared: str) -> None:
    file = saved(
        tmp_path / "game.csv", f"# {declared}\n# tables: 1\nnumber,player1,player2,percentage\n1,A,B,60\n2,C,D,40\n"
    )
    told = run("award", file).err
    assert "\n      # rating: scale-a\n" in told
    assert "rating is the class of game: scale-a, scale-b, scale-c, scale-d, scale-e; " in told


def test_keys_that_no_award_goes_by_are_refused() -> None:
    told = refused(mitchell(4), tables=4, weight="2")
    assert "weight is declared, but no award of rulebook acbl-club goes by it (leave weight out)" in told
    assert "that of grade-e is 1.50" in refused(SIX, rating="grade-e", movement="howell", tables=3, weight="2")
    assert "weight is 11.00, and that of grade-a is 5.00 to 10.00" in refused(
        SIX, rating="grade-a", movement="howell", tables=3, weight="11"
    )
    assert "weight is not declared, and that of grade-a2 is no one number" in refused(
        SIX, rating="grade-a2", movement="howell", tables=3
    )


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"sessions": 2, "tables": 3}, "no awards for an event of 2 sessions: what outright awards"),
        ({"strata": "A=open, B=300"}, "no awards for lower strata: the ABF's manual has no strata"),
        ({"special": "charity"}, "'charity' has no meaning in a game of the ABF"),
    ],
)
def test_what_a_regulation_leaves_open_is_refused_with_what_is_missing(more: dict[str, object], told: str) -> None:
    rows = [f"A-{n} . {70 - n}% s={70 - n}/{70 - n}" for n in range(1, 7)] if "sessions" in more else SIX
    rows = [row.replace(" . ", f" {'AB'[n % 2]} ") for n, row in enumerate(rows)] if "strata" in more else rows
    assert told in refused(rows, **{"rating": "grade-e", "movement": "howell", "tables": 3, **more})


TEAMS = [f"A-{n} . {70 - n}" for n in range(1, 5)]


def test_teams_are_refused_and_paid_by_a_named_reading(tmp_path: Path) -> None:
    keys = {"rating": "grade-e", "tables": 4, "event_type": "bam", "date": "2026-03-09"}
    told = "no awards for bam events: the ABF's awards of team events (manual, 4.2.3) are not known"
    assert told in refused(TEAMS, **keys)
    own = saved(tmp_path / "own.toml", 'extends = "abf-session"\n[teams.reading]\nvalue = "session"\n')
    # .04 x 4 x 1.5; a third of four teams, rounded up, is two.
    assert amounts(awarded(TEAMS, **keys, rulebook=str(own))) == ["0.24", "0.17", "0.00", "0.00"]
    thirteen = awarded([f"A-{n} . {70 - n}" for n in range(1, 14)], **keys | {"tables": 13}, rulebook=str(own))
    assert (thirteen.awards["masterpoints"] > 0).sum() == 5


@pytest.mark.parametrize(("players", "each"), [(4, None), (5, 19), (6, 16)])  # 4/5 of .24 is .192, 2/3 is .16
def test_players_of_teams_of_five_and_six_get_a_part(tmp_path: Path, players: int, each: int | None) -> None:
    own = saved(tmp_path / "own.toml", 'extends = "abf-session"\n[teams.reading]\nvalue = "session"\n')
    names = ",".join(f"player{n}" for n in range(1, players + 1))
    rows = "\n".join(f"{n},{70 - n}," + ",".join(f"P{n}{m}" for m in range(players)) for n in range(1, 5))
    path = saved(tmp_path / "teams.csv", f"number,score,{names}\n{rows}\n")
    result = process(
        path, rating="grade-e", tables=4, event_type="bam", movement="howell", date="2026-03-09", rulebook=str(own)
    )
    shares = result.player_awards
    assert shares.loc[shares["contestant"] == 0, "masterpoints"].tolist() == ([each] * players if each else [])


TIES = [f"A-{n} . {score}" for n, score in enumerate((9, 8, 8, 7, 6, 5, 4, 3), 1)]  # .24 .17 .12 .08


@pytest.mark.parametrize(("rounding", "of_three"), [("up", "0.13"), ("half up", "0.12")])
def test_ties_are_the_mean_of_rounded_places_rounded_by_a_reading(tmp_path: Path, rounding: str, of_three: str) -> None:
    own = saved(tmp_path / "own.toml", f'extends = "abf-session"\n[ties.rounding]\nvalue = "{rounding}"\n')
    keys = {"rating": "grade-e", "movement": "howell", "tables": 4, "date": "2026-03-09", "rulebook": str(own)}
    # (.17 + .12) / 2 = .145 for two; (.17 + .12 + .08) / 3 = .123 for three.
    assert amounts(awarded(TIES, **keys))[:3] == ["0.24", "0.15", "0.15"]
    three = [TIES[0], *(f"A-{n} . 8" for n in (2, 3, 4)), *TIES[4:]]
    assert amounts(awarded(three, **keys))[1] == of_three


def test_ties_are_the_mean_of_places_that_are_not_rounded_by_a_reading(tmp_path: Path) -> None:
    text = 'extends = "abf-session"\n[ties.average]\nvalue = "before rounding"\n[ties.rounding]\nvalue = "half up"\n'
    own = saved(tmp_path / "own.toml", text)
    keys = {"rating": "grade-e", "movement": "howell", "tables": 4, "date": "2026-03-09", "rulebook": str(own)}
    # Places pay .24, .168, .12 and .08. Of rounded ones (.17 + .12) / 2 would be .15; unrounded it is .144.
    assert amounts(awarded(TIES, **keys))[:4] == ["0.24", "0.14", "0.14", "0.08"]
    # Past the depth: (.08 + 0) / 2 = .04.
    last = [*TIES[:3], *(f"A-{n} . 7" for n in (4, 5)), *TIES[5:]]
    assert amounts(awarded(last, **keys))[3:6] == ["0.04", "0.04", "0.00"]


def test_a_lower_stratum_pays_a_part_of_its_ladder_where_a_rulebook_says_so(tmp_path: Path) -> None:
    own = saved(
        tmp_path / "own.toml",
        'extends = "sbu-club"\n[strata.share]\nvalue = [[1, 1, 2], [2, 1, 4]]\ncite = "our club"\n',
    )
    keys = {"rating": "local-session", "movement": "howell", "tables": 6, "boards": 24, "rulebook": str(own)}
    rows = [f"A-{n} {letter} {90 - n}" for n, letter in enumerate("AAAAAABBBBCC", 1)]
    # Of twelve 24, 18, 12, 6; of six in B half of 12 and 6. Two in C are too few tables.
    paid = awarded(rows, **keys, strata="A=open, B=300, C=100")
    assert amounts(paid) == ["24.00", "18.00", "12.00", "6.00", "0.00", "0.00", "6.00", "3.00", *["0.00"] * 4]
    lines = [f"{row[:2]}{side}-{row[2:].replace(' C ', ' B ')}" for side in ("NS", "EW") for row in rows]
    two = awarded(lines, **keys | {"movement": "mitchell", "tables": 12}, strata="A=open, B=300")
    # A line of twelve: 40, 30, 20, 10; of six in B half of 20 and 10.
    assert amounts(two)[:8] == ["40.00", "30.00", "20.00", "10.00", "0.00", "0.00", "10.00", "5.00"]


BY_RANK = """# rating: local-session
# date: 2025-10-01
# boards: 24
# tables: 6
# movement: howell
# ranks: Club, District, County, Regional
# strata: A=open, B=County, C=District
Pair,Player1,Player2,rank1,rank2,Score
"""
_RANKS = (
    *("Regional Club", "regional District", "County Club", "Regional Club", "Regional Club", "Club County"),
    *("Club County", "Club Club", "Club District", "Club District", "Club Club", "District Club"),
)


def ranked_pairs(*, ranks: bool = True) -> str:
    """Return twelve pairs in the order of their numbers, Ann 1 - Bob 1 and so on, and the ranks of their players."""
    rows = (
        f"{n},Ann {n},Bob {n},{of.replace(' ', ',') if ranks else ','},{70 - n}\n" for n, of in enumerate(_RANKS, 1)
    )
    return BY_RANK + "".join(rows)


@pytest.fixture(scope="module")
def by_rank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a game whose strata go by rank, and a rulebook that pays a half and a quarter in them."""
    folder = tmp_path_factory.mktemp("rank")
    saved(folder / "own.toml", 'extends = "sbu-club"\n[strata.share]\nvalue = [[1, 1, 2], [2, 1, 4]]\ncite = "ours"\n')
    saved(folder / "game.csv", ranked_pairs())
    return folder


def test_strata_by_rank_are_those_of_the_higher_player(by_rank: Path) -> None:
    result = process(by_rank / "game.csv", rulebook=str(by_rank / "own.toml"))
    assert result.contestants["stratum"].tolist() == list("AABAABBCCCCC")
    # 24, 18, 12, 6 in A. Of the eight of B half of 18, 12 and 6; the third pair has more in A. Five in C are too few.
    assert amounts(result) == ["24.00", "18.00", "12.00", "6.00", "0.00", "6.00", "3.00", *["0.00"] * 5]
    made = [by_rank / f"out.{ending}" for ending in ("json", "xlsx", "txt")]
    outputs = [part for path in made for part in ("-o", path)]
    assert run("award", by_rank / "game.csv", "--rules", by_rank / "own.toml", *outputs).status == 0
    for path in made:
        assert read(path).games["ranks"].tolist() == ["Club, District, County, Regional"], path
    assert "A open, B up to County, C up to District" in run("award", made[0], "--to", "html").out
    told = run("whatif", by_rank / "game.csv", "--rules", by_rank / "own.toml", "--strata", "A=open, B=District").out
    # The five of C fill two tables, and a field has three.
    assert re.search(r"B +District +5 +0 +0 +0\n", told)


def test_ranks_are_taken_from_the_list_of_players(by_rank: Path) -> None:
    names = [f"{name} {n}" for n in range(1, 13) for name in ("Ann", "Bob")]
    listed = [f"{name},{rank}" for name, rank in zip(names, " ".join(_RANKS).split(), strict=True)]
    players = saved(by_rank / "players.csv", "\n".join(["Name,Rank", *listed]))
    game = saved(by_rank / "plain.csv", ranked_pairs(ranks=False))
    result = process(game, players=players, rulebook=str(by_rank / "own.toml"))
    assert result.contestants["stratum"].tolist() == list("AABAABBCCCCC")


@pytest.mark.parametrize(
    ("said", "instead", "told"),
    [
        (
            "# ranks: Club, District, County, Regional\n",
            "",
            "up to 'County', which is none of the ranks (write 'open', a number, or declare ranks",
        ),
        ("B=County", "B=Conty", "goes up to 'Conty', which is none of the ranks (did you mean 'County'?)"),
        ("B=County, C=District", "B=District, C=County", "are not in falling order; write the top stratum"),
        ("B=County, C=District", "B=County, C=county", "are not in falling order; write the top stratum"),
        ("B=County, C=District", "B=County, C=100", "are masterpoints and ranks; write one or the other"),
        ("regional", "regionl", "Ann 2 has the rank 'regionl', which is none of the ranks"),
        ("1,Regional", "1,", "contestant A 1 has no stratum, and no rank for Ann 1"),
        (
            "A=open, B=County, C",
            "A=County, C",
            "contestant A 1 has no stratum, and no ranks that put it in one; the same holds for 3 more "
            "(write the stratum's letter, or every player's rank (rank1, rank2))",
        ),
        ("# ranks", "# stratify_by: average\n# ranks", "is average, and strata by rank go by the highest rank"),
        ("Club, District, County, Regional", "Club, club", "does not list two or more ranks, each once"),
        (
            "local-session",
            "club-open",
            "the awards of rulebook acbl-club-2023 go by limits of masterpoints, and the strata go",
        ),
    ],
)
def test_what_is_wrong_with_ranks_is_told(by_rank: Path, said: str, instead: str, told: str) -> None:
    game = saved(by_rank / "wrong.csv", ranked_pairs().replace(said, instead))
    with pytest.raises(InputError) as error:
        process(game, **({} if "club-open" in instead else {"rulebook": str(by_rank / "own.toml")}))
    assert told in str(error.value)


def test_a_folder_may_stratify_its_other_games_by_average(by_rank: Path) -> None:
    game, own = saved(by_rank / "ranked.csv", ranked_pairs()), str(by_rank / "own.toml")
    alone = process(game, rulebook=own).awards["masterpoints"].tolist()
    settings = saved(by_rank / "resultproc.toml", 'stratify_by = "average"\n')
    assert process(game, rulebook=own).awards["masterpoints"].tolist() == alone
    settings.unlink()


def test_printed_strata_that_ranks_contradict_are_told(by_rank: Path) -> None:
    head, *rows = ranked_pairs().replace("rank2,", "rank2,stratum,").split("Score\n")
    lines = rows[0].splitlines()
    letters = dict(enumerate("CABAABACCCCC"))  # the first is of A, the seventh of B
    lines = [re.sub(r",([0-9]+)$", rf",{letters[n]},\1", line) for n, line in enumerate(lines)]
    game = saved(by_rank / "lettered.csv", head + "Score\n" + "\n".join(lines) + "\n")
    remarks = "\n".join(map(str, process(game, rulebook=str(by_rank / "own.toml")).remarks))
    hint = " (correct the stratum, the ranks or strata)"
    assert f"A 1 has a rank above the limit of its stratum C{hint}" in remarks
    assert f"A 7 has ranks within a lower stratum than its own, A{hint}" in remarks


# The second implementations.

Awards = Callable[[second.Game], list[list[int]]]


def sheet_of(games: list[second.Game]) -> Sheet:
    """Return some games as one sheet, each with its number as its name."""
    rows, keys = [], []
    for number, game in enumerate(games):
        name, seats = f"g{number:05}", len(game.held[0]) if game.held else 1
        keys.append(
            {
                "game_id": name,
                "source": f"{name}.csv",
                "date": pd.Timestamp("2026-03-09"),
                "rating": game.rating,
                "event_type": game.kind,
                "movement": "howell" if game.one_winner else "mitchell",
                "tables": str(float(game.tables)).removesuffix(".0"),
                "boards": game.boards,
                "scoring": game.scoring,
                **dict(game.declared),
            }
        )
        for direction, scores in zip(("N-S", "E-W") if len(game.lines) > 1 else (None,), game.lines, strict=True):
            rows += [
                {"game_id": name, "section": "A", "direction": direction, "number": str(n), "score": float(score)}
                | {f"player{seat}": f"{name} {direction} {n} {seat}" for seat in range(1, 1 + seats)}
                | {f"mp{seat}": float(each) for seat, each in enumerate(game.held[n - 1] if game.held else (), 1)}
                | {
                    "eligible": True,
                    "where": "",
                    "wins": score / 2 if ("special", "matches-alone") in game.declared else None,
                }
                for n, score in enumerate(scores, 1)
            ]
    contestants = CONTESTANTS.conform(pd.DataFrame.from_records(rows))
    return Sheet(GAMES.conform(pd.DataFrame.from_records(keys)), contestants)


def scores(dice: random.Random, count: int) -> tuple[int, ...]:
    """Return scores, of which some are tied."""
    return tuple(dice.randint(0, 2 * count) for _ in range(count))


GAMES_EACH = 2000 if ALL else 400
"""The games of a league that are drawn."""


def random_game(
    dice: random.Random, ratings: list[str], least: int = 6, kinds: str = "pairs individual"
) -> second.Game:
    """Return a game of one field or of two lines, of any size."""
    kind, rating = dice.choice(("pairs", "pairs", "individual")), dice.choice(ratings)
    most = dice.choice((12, 24, 80))
    if kind == "individual":
        tables = dice.randint(2, max(2, most // 4))
        return second.Game(rating, kind, Fraction(tables), (scores(dice, 4 * tables),), dice.randint(12, 40))
    scoring = dice.choice(("matchpoints", "butler", "cross-imps"))
    count = dice.randint(least, most)
    if dice.random() < 0.5:
        return second.Game(rating, kind, Fraction(count, 2), (scores(dice, count),), dice.randint(12, 40), scoring)
    lines = (scores(dice, count), scores(dice, count - dice.randint(0, 1)))
    return second.Game(rating, kind, Fraction(sum(map(len, lines)), 2), lines, dice.randint(12, 40), scoring)


def assert_same(games: list[second.Game], awards: Awards) -> None:
    result = award_sheet(sheet_of(games))
    expected = [award for game in games for line in awards(game) for award in line]
    found = result.awards["masterpoints"].tolist()
    wrong = [(n, a, b) for n, (a, b) in enumerate(zip(expected, found, strict=True)) if a != b]
    told = [(result.contestants["game_id"].iloc[n], a, b) for n, a, b in wrong[:5]]
    assert not wrong, told
    assert sum(award > 0 for award in found) > len(games)


def test_random_games_of_the_abf() -> None:
    dice = random.Random(65)
    assert_same([random_game(dice, list(second.WEIGHTS)) for _ in range(GAMES_EACH)], second.abf)


def test_random_games_of_the_ebu() -> None:
    dice, games = random.Random(66), []
    while len(games) < GAMES_EACH:
        game = random_game(dice, list(second.STEPS), least=4)
        if dice.random() < 0.2:
            teams = dice.randint(2, 30)
            more = (("special", "multiple-teams"), ("session_boards", str(game.boards)))
            field = (scores(dice, teams),)
            game = second.Game(game.rating, "swiss", Fraction(teams), field, game.boards, declared=more)
        games += [] if second.ebu_most(game) else [game]
    assert_same(games, second.ebu)


def test_random_games_of_green_and_red_points() -> None:
    dice, games, alone = random.Random(70), [], (("special", "matches-alone"),)
    for _ in range(GAMES_EACH):
        teams = dice.randint(2, 20)  # of which the first has won or drawn a match, as in any event somebody has
        field = ((dice.randint(1, 16), *(dice.randint(0, 16) for _ in range(teams - 1))),)
        rating = dice.choice(("green-points", "green-points", "red-swiss"))
        games.append(second.Game(rating, "swiss", Fraction(teams), field, dice.randint(4, 32), declared=alone))
    assert_same(games, second.of_matches)


def test_random_games_of_the_sbu() -> None:
    dice, games = random.Random(68), []
    while len(games) < GAMES_EACH:
        pairs = 2 * dice.randint(1, 30)
        lines = tuple(scores(dice, pairs) for _ in range(dice.choice((1, 2))))
        rating = dice.choice(("local-session", "autumn-pairs"))
        game = second.Game(rating, "pairs", Fraction(pairs * len(lines), 2), lines, dice.randint(18, 36))
        games += [game] if second.sbu_known(game) else []
    assert_same(games, second.sbu)


def test_random_games_of_the_vbl() -> None:
    dice, games = random.Random(69), []
    for _ in range(GAMES_EACH):
        game = random_game(dice, ["clubtornooi", *second.FACTORS], least=2)
        # Nobody is tied: how the league pays that is not known.
        lines = tuple(tuple(dice.sample(range(10 * len(line)), len(line))) for line in game.lines)
        games.append(dataclasses.replace(game, lines=lines))
    assert_same(games, second.vbl)


def test_random_games_of_the_pzbs() -> None:
    dice, games = random.Random(67), []
    for _ in range(GAMES_EACH):
        kind, count = dice.choice(("pairs", "individual", "swiss")), dice.randint(1, dice.choice((4, 8, 30))) * 4
        seats = {"pairs": 2, "individual": 1, "swiss": dice.choice((4, 5))}[kind]
        held = tuple(tuple(Fraction(dice.randint(1, 48), 2) for _ in range(seats)) for _ in range(count))
        weight, least = str(dice.choice((0.5, 1, 2.5, 5, 12))), str(dice.choice((1, 2, 5, 30)))
        tables = Fraction(count, {"pairs": 2, "individual": 4, "swiss": 1}[kind])
        field = (tuple(dice.sample(range(10 * count), count)),)
        rating, boards = dice.choice(("pkl", "pkl-realbridge")), dice.randint(18, 36)
        declared = (("weight", weight), ("least_award", least))
        games.append(second.Game(rating, kind, tables, field, boards, declared=declared, held=held))
    assert_same(games, second.pzbs)


# Real files.


@real
@pytest.mark.parametrize(("name", "paid"), [("usebio01", 4), ("usebio02", 18), ("usebio03", 7)])
def test_the_awards_that_real_files_print_are_those_of_their_league(name: str, paid: int) -> None:
    path = SAMPLES / "usebio" / f"{name}.xml"
    found = check(path, rating="grade-e")
    assert found.differences.empty
    assert not found.problems
    (game,) = infer(load_source(path)).games
    best, *others = game.explanations
    assert (best.guess.kind.rating, best.against) == ("grade-e", ())
    assert all(len(each.against) == paid for each in others)
    with pytest.raises(DeclarationError, match="club-open is a rating of the ACBL"):
        process(path, rating="club-open")


PRINTED = {
    "ABF pairs, one winner (hundredths), T=4, W=1.5 green": "grade-e",
    "ABF pairs, one winner (hundredths), T=5, W=1.5 green": "grade-e",
    "ABF pairs, one winner (hundredths), T=6, W=2.5 red": "grade-b4c",
    "ABF pairs, two winners, line of (hundredths), T=7, W=1.5 green": "grade-e",
    "ABF pairs, two winners, line of (hundredths), T=8, W=1.5 green": "grade-e",
    "ABF pairs, two winners, line of (hundredths), T=21, W=1.5 green": "grade-e",
    "EBU pairs, one winner, club scale (local points)": "scale-a",
    "EBU pairs, two winners, club scale, one line of (local points)": "scale-a",
    "EBU individual, one winner, club scale (local points)": "scale-a",
    "EBU multiple teams, one session, club scale (local points)": "scale-a",
}
"""The ratings of the printed lines of the cases, by league and kind."""


def printed_lines() -> list[tuple[str, int, list[tuple[int, int]]]]:
    """Return the printed lines: the kind, the boards, and of each contestant the place and the award in hundredths."""
    lines: list[tuple[str, int, list[tuple[int, int]]]] = []
    with (SAMPLES / "leagues" / "cases.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            kind = f"{row['league']} {row['kind']}"
            if kind not in PRINTED:
                continue
            place, _, tied = row["place"].partition("=x")
            if place == "1":
                lines.append((kind, int(row["boards"]), []))
            award = int(row["award"]) * (1 if kind.startswith("ABF") else 100)
            lines[-1][2].extend([(int(place), award)] * int(tied or 1))
    return lines


@real
def test_every_printed_award_of_the_cases_is_paid() -> None:
    lines, games, expected = printed_lines(), [], []
    while lines:
        kind, boards, _ = lines[0]
        several = 2 if "two winners" in kind else 1
        of = [line for _, _, line in lines[:several]]
        del lines[:several]
        expected += [award for line in of for _, award in line]
        entries = sum(map(len, of))
        field = tuple(tuple(1000 - place for place, _ in line) for line in of)
        if "teams" in kind:
            more = (("special", "multiple-teams"), ("session_boards", str(boards)))
            games.append(second.Game(PRINTED[kind], "swiss", Fraction(entries), field, 3, declared=more))
        else:
            what, per = ("individual", 4) if "individual" in kind else ("pairs", 2)
            games.append(second.Game(PRINTED[kind], what, Fraction(entries, per), field, boards))
    # Of the ABF 8 + 14 + 9 + 12 + 42 + 13 + 16 + 42 in eight games, of the EBU 13 + 32 + 10 + 12 + 8 + 16 in six.
    assert (len(expected), len(games)) == (156 + 91, 14)
    assert award_sheet(sheet_of(games)).awards["masterpoints"].tolist() == expected


EIGHT = {"rating": "scale-a", "movement": "howell", "tables": 4, "boards": 24}
THREE = [f"A-{n} . {score}" for n, score in enumerate((9, 8, 8, 8, 6, 5, 4, 3), 1)]  # 18, 12, 6


def test_readings_of_the_ebu(tmp_path: Path) -> None:
    own = saved(tmp_path / "own.toml", 'extends = "ebu-club"\n[ties.below-depth]\nvalue = "not counted"\n')
    assert amounts(awarded(THREE, **EIGHT))[1:4] == ["6.00"] * 3
    assert amounts(awarded(THREE, **EIGHT, rulebook=str(own)))[1:4] == ["9.00"] * 3
    uneven, halves = [*falling("A-NS", 6), *falling("A-EW", 5)], {**EIGHT, "movement": "mitchell", "tables": 5.5}
    assert "two lines of different length" in refused(uneven, **halves)
    own = saved(tmp_path / "lines.toml", 'extends = "ebu-club"\n[half-table.two-winners]\nvalue = "full tables"\n')
    assert amounts(awarded(uneven, **halves, rulebook=str(own)))[:3] == ["20.00", "10.00", "0.00"]
    six = {**EIGHT, "event_type": "individual", "tables": 6}
    own = saved(tmp_path / "six.toml", 'extends = "ebu-club"\n[individual.six-tables]\nvalue = 7\n')
    assert sum(award != "0.00" for award in amounts(awarded(falling("A", 24), **six))) == 8
    assert sum(award != "0.00" for award in amounts(awarded(falling("A", 24), **six, rulebook=str(own)))) == 7
    large = {"rating": "scale-a", "movement": "mitchell", "tables": 31, "boards": 24}
    assert "a first award of 110 local points is above 100" in refused(mitchell(31), **large)
    nothing = {0}
    for rows, more in (
        (falling("A", 5), {"tables": 2.5}),
        (SIX, {"tables": 3, "boards": 11}),
        (mitchell(4), {"tables": 4, "movement": "mitchell"}),
        (falling("A", 4), {"tables": 1, "event_type": "individual"}),
        (TEAMS[:2], {"tables": 2, "event_type": "swiss", "special": "multiple-teams", "session_boards": "24"}),
    ):
        assert set(awarded(rows, **{**EIGHT, **more}).awards["masterpoints"]) == nothing
    assert "boards is not declared" in refused(SIX, rating="scale-a", movement="howell", tables=3)
    assert "Swiss teams and matches won" in refused(TEAMS, rating="scale-a", tables=4, event_type="swiss", boards=6)
    assert "choose one of its own: ebu-club" in refused(SIX, **{**EIGHT, "tables": 3}, rulebook="abf-session")


GREEN = {"rating": "green-points", "event_type": "swiss", "boards": 7, "tables": 3, "special": "matches-alone"}
MATCHES = [f"A-{n} . {70 - n} won={wins}" for n, wins in enumerate(("4", "2.5", "0"), 1)]


def test_what_green_points_leave_open_is_refused() -> None:
    assert amounts(awarded(MATCHES, **GREEN)) == ["1.00", "0.63", "0.00"]
    told = refused(MATCHES, **{**GREEN, "special": None})
    assert "rulebook ebu-green pays matches: what its places pay is in the programme of the event" in told
    assert "declare special = matches-alone to award the matches alone" in told
    assert "the matches that each won are missing" in refused(falling("A", 3), **GREEN)
    assert "boards is not declared" in refused(MATCHES, **{**GREEN, "boards": None})
    assert "of Swiss pairs declare event_type = swiss" in refused(MATCHES, **{**GREEN, "event_type": "pairs"})
    assert "or rating = green-points for an event that pays green points" in refused(
        MATCHES, **{**GREEN, "rating": "scale-a", "special": None}
    )
    assert "green-points is a rating of the EBU green points" in refused(MATCHES, **GREEN, league="ebu")
    assert "'matches-alone' has no meaning in a game of the EBU" in refused(MATCHES, **{**GREEN, "rating": "scale-a"})
    short, long = (" ".join(map(str, awarded(MATCHES, **{**GREEN, "boards": n}).remarks)) for n in (4, 30))
    assert ("matches of fewer than 5 boards pay nothing" in short, "of more than 29 boards, which" in short) == (
        True,
        False,
    )
    assert ("matches of fewer than 5 boards pay nothing" in long, "of more than 29 boards, which" in long) == (
        False,
        True,
    )
    assert not [each for each in awarded(MATCHES, **GREEN).remarks if "matches of" in each.what]
    stratified = [f"{row[:4]}{stratum}{row[5:]}" for row, stratum in zip(MATCHES, "ABB", strict=True)]
    assert amounts(awarded(stratified, **GREEN, strata="A=open, B=500")) == ["1.00", "0.63", "0.00"]
    assert "some of the wins are no whole or half number" in refused(["A-1 . 70 won=2.3", *MATCHES[1:]], **GREEN)
    assert "no award of rulebook ebu-green goes by it" in refused(MATCHES, **GREEN, weight="2")


def test_local_and_green_points_are_never_added_up(tmp_path: Path) -> None:
    people = ["Ann Ash,Bob Oak,Cy Elm,Di Fir", "Ed Yew,Fay Bay,Gus Box,Hal Nut", "Ida Fig,Jo Rue,Kay Iva,Leo Sal"]
    rows = "Team,Player1,Player2,Player3,Player4,Score,Won\n" + "\n".join(
        f"{n},{names},{90 - n},{4 - n}" for n, names in enumerate(people, 1)
    )
    heads = "# event_type: swiss\n# tables: 3\n# date: 2025-03-0{}\n# rating: {}\n# special: {}\n# {}: {}\n"
    local = heads.format(1, "scale-a", "multiple-teams", "session_boards", 24)
    green = heads.format(2, "green-points", "matches-alone", "boards", 8)
    files = [saved(tmp_path / f"{name}.csv", said + rows) for name, said in (("local", local), ("green", green))]
    # A third of three teams is one award, 10 local points; three matches of 8 boards are 3 x 0.28.
    found = json.loads(run("players", *files, "--to", "json").out)["players"]
    each = {row["league"]: row["masterpoints"] for row in found if row["name"] == "Ann Ash"}
    assert each == {"ebu": "10.00", "ebu-green": "0.84"}
    standings = json.loads(run("series", *files, "--to", "json").out)["players"]
    assert {row["league"]: row["score"] for row in standings if row["position"] == 1} == each
    archive = tmp_path / "archive"
    add(files, Store(str(archive)))
    told = run("archive", "query", archive, "SELECT sum(masterpoints) FROM awards").err
    assert "this query adds up points, and these are of EBU and EBU green points" in told
    # USEBIO has both with their type; the union's programs, whose files say no league, print either.
    for file, kind, league_, printed in zip(files, ("LOCAL", "GREEN"), each, ("10", "84"), strict=True):
        written = file.with_suffix(".xml")
        assert run("award", file, "-o", written).status == 0
        text = written.read_text("utf-8")
        assert f"<MASTER_POINTS_AWARDED>{printed}</MASTER_POINTS_AWARDED>" in text
        assert set(re.findall("<MASTER_POINT_TYPE>(.*?)<", text)) == {kind}
        theirs = re.sub(r"<\?resultproc.*?\?>", "", text).replace(">resultproc<", ">EBUScore 1.0<")
        other = read(saved(tmp_path / "theirs.xml", theirs))
        assert other.games["league"].tolist() == [league_]
        award = 100 * float(each[league_])
        assert other.contestants["printed_award"].dropna().tolist()[0] == award
    before, kind, after = theirs.rpartition("GREEN")
    assert read(saved(tmp_path / "both.xml", f"{before}LOCAL{after}")).games["league"].isna().all()


def test_local_points_are_whole_in_usebio(tmp_path: Path) -> None:
    keys = ["--rating", "scale-a", "--boards", "24", "--tables", "4", "--movement", "howell", "--date", "2025-07-30"]
    rows = ["Pair,Player1,Player2,Score", *(f"{n},Ann {c}sh,Bob {c}ak,{70 - n}" for n, c in enumerate("ABCDEFGH", 1))]
    game = saved(tmp_path / "game.csv", "\n".join(rows))
    assert run("award", game, *keys, "-o", tmp_path / "game.xml").status == 0
    text = (tmp_path / "game.xml").read_text("utf-8")
    assert re.findall("<MASTER_POINTS_AWARDED>(.*?)<", text) == ["18", "12", "6"]
    assert set(re.findall("<MASTER_POINT_TYPE>(.*?)<", text)) == {"LOCAL"}
    assert read(tmp_path / "game.xml").contestants["printed_award"].dropna().tolist() == [1800, 1200, 600]
    assert run("check", tmp_path / "game.xml").status == 0
    # As the union's own programs write it, which say neither rating nor rulebook: 18 or 18.0 points.
    theirs = re.sub(r"<\?resultproc.*?\?>", "", text).replace("AWARDED>18<", "AWARDED>18.0<")
    theirs = theirs.replace("<PROGRAM_NAME>resultproc<", "<PROGRAM_NAME>PairsScorer 7.2.93<")
    other = saved(tmp_path / "other.xml", theirs)
    assert run("check", other, *keys[:2], *keys[4:8]).status == 0
    (found,) = infer(load_source(other)).games
    assert found.explanations[0].guess.kind.rating == "scale-a"


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (
            {"rating": "scale-b", "sessions": 2, "tables": 3},
            "ladders of events of several sessions (handbook, 4.11) are not known",
        ),
        ({"rating": "grade-b", "weight": 5, "sessions": 2, "tables": 3}, "give each session as its game"),
        (
            {"rating": "local-session", "event_type": "swiss", "tables": 6},
            "declare rating = red-swiss for a Swiss of a district, which pays red points",
        ),
    ],
)
def test_what_no_source_says_of_an_event_is_refused(of: dict[str, object], told: str) -> None:
    # An EBU quali-final, the ABF's outright awards, and the SBU's red points.
    rows = [f"A-{n} . {140 - 2 * n} s={70 - n}/{70 - n}" for n in range(1, 7)] if "sessions" in of else SIX
    assert told in refused(rows, movement="howell", boards=24, **of)


def test_simultaneous_pairs_are_no_game_of_a_club_that_is_paid_alike(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", "Pair,Percentage\n" + "\n".join(f"{n},{60 - n}" for n in range(1, 7)))
    told = run("award", game, "--rating", "scale-a", "--boards", "24", *HOWELL, "--special", "simultaneous")
    assert (told.status, "invalid special word: 'simultaneous'" in told.err) == (2, True)


def test_what_the_pzbs_leaves_open_is_refused(tmp_path: Path) -> None:
    keys = {"rating": "pkl", "movement": "howell", "tables": 3, "weight": "2", "least_award": "1"}
    rows = [f"{row} mp=1/1" for row in SIX]
    assert amounts(awarded(rows, **keys))[:2] == ["3.00", "1.00"]
    # Two sections have one list.
    halves = [*rows[:3], *(row.replace("A-", "B-") for row in rows[3:])]
    assert amounts(awarded(halves, **{**keys, "tables": "A=1.5, B=1.5"})) == ["3.00", *["1.00"] * 5]
    # Under 20 boards RealBridge pays nothing.
    online = {**keys, "rating": "pkl-realbridge", "date": "2021-05-01"}
    assert {*amounts(awarded(rows, **online, boards=19))} == {"0.00"}
    assert amounts(awarded(rows, **online, boards=20))[0] == "3.00"
    assert "weight is not declared" in refused(rows, **{**keys, "weight": None})
    assert "least_award is not declared" in refused(rows, **{**keys, "least_award": None})
    assert "the classification weight (WK) of a player is missing" in refused(SIX, **keys)
    lines = [f"{row} mp=1/1" for row in mitchell(3)]
    assert "there are two lines" in refused(lines, **{**keys, "movement": "mitchell"})
    told = run("chart", "--rating", "pkl", "--weight", "2", "--least-award", "1", "--tables", "4", *HOWELL).err
    assert told.endswith("go by the holdings of those who play (award a file with mp1, mp2, ...)\n")
    tied = [rows[0], rows[0].replace("A-1", "A-2"), *rows[2:]]
    told = refused(tied, **keys)
    assert "some tie for a place that pays under pzbs" in told
    assert "set ties.most in a rulebook of your own" in told
    own = saved(tmp_path / "own.toml", 'extends = "pzbs"\n[ties.most]\nvalue = 99\n')
    # 3 and 1: the mean is 2.
    assert amounts(awarded(tied, **keys, rulebook=str(own)))[:3] == ["2.00", "2.00", "1.00"]


# Nothing of one league in the code.

_OWN = re.compile(rf"/(?:{'|'.join(leagues())})")
"""Folders that are named for a league."""

_EXAMPLES = {"archive/sql.py", "rulebooks/load.py"}
"""Modules that name a rulebook or a rating as an example of what to write."""


def words_of_a_league(path: Path) -> set[str]:
    """Return what the code of a module says of one league: names and ratings in its texts."""
    text = path.read_text("utf-8")
    tree = ast.parse(text if re.search("|".join([*leagues(), *league().names]), text, re.IGNORECASE) else "")
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    helps = [node for node in calls if ast.unparse(node.func).endswith("example")]  # as a command's docstring is
    told |= {id(each) for node in helps for each in node.args}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told]
    pattern = re.compile(rf"\b(?:{'|'.join(leagues())})\b", re.IGNORECASE)
    words = {str(node.value) for node in texts if isinstance(node.value, str)}
    ratings = [f"{mark}{name}{mark}" for name in league().names for mark in "'\""]
    return {
        word
        for word in words
        if pattern.search(word) or word in league().names or any(quoted in word for quoted in ratings)
    }


def test_no_code_names_a_league_but_its_own_rulebooks_and_formats() -> None:
    code = PROJECT / "resultproc"
    modules = {path.relative_to(code).as_posix(): path for path in sorted(code.rglob("*.py"))}
    found = {name for name, path in modules.items() if not _OWN.search(f"/{name}") and words_of_a_league(path)}
    assert found == _EXAMPLES, {name: words_of_a_league(modules[name]) for name in found - _EXAMPLES}


# Points of several leagues are never added up.

ACROSS = {
    "usual": ("club-open", "2024-05-06", "", ""),
    "green": ("grade-e", "2024-05-07", "", ""),
    "local": ("scale-a", "2024-05-08", "", ""),
    "again": ("scale-a", "2024-05-15", "", ""),
    "union": ("pkl", "2024-05-09", "# weight: 5\n# least_award: 5\n", ",2,3"),
}
"""A Howell of eight pairs under four leagues: rating, day, what is declared besides, and the players' weights.

By hand: green pays 0.04 x 4 tables x 1.5 = 0.24, then .17 (70 %), .12 and .08; local 6 each step to a third of eight,
which is three, so 18, 12, 6, and twice that in two games; the union ceil(2.5 x 5 + 0.05 x 16 = 13.3) = 14, and ceil of
14 x 0.9 - (0.125 - 0.02) / 0.18 x 0.7 of it, 6.9, = 7 to the second.
"""


def across(folder: Path) -> list[Path]:
    """Return a file for each game of :data:`ACROSS`."""
    files = []
    for name, (rating, day, more, weights) in ACROSS.items():
        heads = "Pair,Player1,Player2,Percentage" + (",mp1,mp2" if weights else "")
        listed = [f"{n},Ann {c}sh,Bob {c}ak,{72.5 - 5 * n}{weights}" for n, c in enumerate("ABCDEFGH", 1)]
        said = f"# rating: {rating}\n# date: {day}\n# boards: 24\n# tables: 4\n# movement: howell\n# club: Elms\n{more}"
        files.append(saved(folder / f"{name}.csv", said + "\n".join([heads, *listed]) + "\n"))
    return files


def test_players_have_their_points_by_league_and_colour(tmp_path: Path) -> None:
    found = json.loads(run("players", *across(tmp_path), "--to", "json").out)["players"]
    mine = {row["league"]: (row["masterpoints"], row["colours"]) for row in found if row["name"] == "Ann Ash"}
    alone = json.loads(run("players", tmp_path / "usual.csv", "--to", "json").out)["players"]
    (usual,) = ((row["masterpoints"], row["colours"]) for row in alone if row["name"] == "Ann Ash")
    assert mine == {
        "acbl": usual,
        "abf": ("0.24", {"green": "0.24"}),
        "ebu": ("36.00", {"local": "36.00"}),
        "pzbs": ("14.00", {"pkl": "14.00"}),
    }
    assert all("league" not in row for row in alone)
    assert run("players", tmp_path / "usual.csv", "--to", "csv").out.splitlines()[0].endswith("best_percentage")
    lines = run("players", *across(tmp_path), "--to", "csv").out.splitlines()
    assert lines[0].endswith("best_percentage,league")
    each = [name for name in ("acbl", "abf", "ebu", "pzbs") for _ in range(16)]
    assert [line.rpartition(",")[2] for line in lines[1:]] == each


def test_a_series_of_two_leagues_has_the_standings_of_each(tmp_path: Path) -> None:
    files = across(tmp_path)
    found = json.loads(run("series", *files, "--to", "json").out)
    first = [(row["league"], row["score"], row["games"]) for row in found["players"] if row["position"] == 1]
    assert first[2:] == [("abf", "0.24", 1)] * 2 + [("ebu", "36.00", 2)] * 2 + [("pzbs", "14.00", 1)] * 2
    assert (found["bonus"], found["no_bonus"][:34]) == (None, "the games are of several classes: ")
    means = json.loads(run("series", *files, "--method", "percentage", "--to", "json").out)["players"]
    assert (means[0]["score"], means[0]["games"], "league" in means[0]) == ("67.50", 5, False)


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an archive of :data:`ACROSS`, and of a run over it."""
    folder = tmp_path_factory.mktemp("across")
    add(across(folder), Store(str(folder / "archive")))
    assert run("reprocess", folder / "archive", "-o", folder / "out").status == 0
    return folder


def test_a_query_adds_up_no_points_of_two_leagues(archived: Path) -> None:
    told = run("archive", "query", archived / "out", "SELECT club, sum(masterpoints) FROM awards GROUP BY club")
    assert told.status == 1
    assert "this query adds up points, and these are of ACBL, ABF, EBU and PZBS" in told.err
    assert "ask by league: GROUP BY league, or WHERE league = 'acbl'" in told.err
    two = "SELECT sum(masterpoints) FROM awards WHERE league IN ('ebu', 'abf')"
    assert "this query adds up points" in run("archive", "query", archived / "out", two).err
    by_league = "SELECT league, sum(local) AS local, max(masterpoints) AS best FROM awards GROUP BY league ORDER BY 1"
    rows = json.loads(run("archive", "query", archived / "out", by_league, "--to", "json").out)["rows"]
    # Two games of 18 + 12 + 6.
    assert [row for row in rows if row["league"] == "ebu"] == [{"league": "ebu", "local": "72.00", "best": "18.00"}]
    assert [row["league"] for row in rows] == ["abf", "acbl", "ebu", "pzbs"]
    joined = "SELECT g.league, sum(a.masterpoints) AS won FROM awards a JOIN games g USING (game_id) GROUP BY g.league"
    rows = json.loads(run("archive", "query", archived / "out", joined, "--to", "json").out)["rows"]
    assert {row["league"]: row["won"] for row in rows}.items() >= {
        "ebu": "72.00",
        "abf": "0.61",
        "pzbs": "30.00",
    }.items()
    for sql in (
        joined.replace("sum(a.", "sum("),
        "SELECT league, sum(printed_award) FROM contestants GROUP BY league",
        "SELECT count(*), max(masterpoints) FROM players",
        "SELECT sum(place) FROM awards",
        "SELECT sum(masterpoints) FROM candidates WHERE league = 'ebu'",
        "SELECT game_id, sum(masterpoints) FROM awards GROUP BY game_id",  # a game is of one league
    ):
        assert run("archive", "query", archived / "out", sql).status == 0, sql


APART = (
    "SELECT league, sum(local) AS local FROM awards GROUP BY league",
    "SELECT g.league, sum(a.masterpoints) FROM awards a JOIN games g USING (game_id) GROUP BY g.league",
    "SELECT sum(masterpoints) FROM awards WHERE league='ebu'",
    "SELECT sum(masterpoints) FROM awards WHERE league IN ('ebu') AND club='x'",
    "SELECT league AS l, sum(masterpoints) FROM awards GROUP BY l",
    "SELECT league, sum(masterpoints) FROM awards GROUP BY 1",
    "SELECT league, sum(masterpoints) FROM awards GROUP BY ALL",
    "SELECT sum(masterpoints) OVER (PARTITION BY league) FROM awards",
    "SELECT sum(masterpoints) FILTER (WHERE league='ebu'), sum(masterpoints) FILTER (league='sbu') FROM awards",
    "WITH a AS (SELECT * FROM awards WHERE league='ebu') SELECT sum(masterpoints) FROM a",
    "SELECT sum(masterpoints) FROM awards WHERE 'ebu'=league",
    "SELECT sum(a.masterpoints) FROM awards a JOIN games g ON a.game_id=g.game_id AND g.league='ebu'",
    "SELECT sum(masterpoints) FROM awards WHERE league='ebu'"
    " UNION ALL SELECT sum(masterpoints) FROM awards WHERE league='sbu'",
    "SELECT max(masterpoints) FROM awards",
    "SELECT sum(masterpoints) FROM awards WHERE game_id IN (SELECT game_id FROM games WHERE league='ebu')",
    "SELECT (SELECT sum(masterpoints) FROM awards a WHERE a.game_id=g.game_id) FROM games g WHERE league='ebu'",
    "SELECT sum(w) FROM (SELECT league, max(masterpoints) AS w FROM awards GROUP BY ALL) WHERE league='ebu'",
    "SELECT rating, avg(masterpoints) FROM awards GROUP BY rating",  # each is of one league
    "SELECT game_id, sum(masterpoints) FROM awards GROUP BY game_id",
    "SELECT club, sum(masterpoints) FROM awards WHERE club='y' GROUP BY club",
    "SELECT league, sum(masterpoints)" + 250 * " + 1" + " FROM awards GROUP BY league",
    "SELECT club, rank() OVER (ORDER BY sum(masterpoints) DESC) FROM awards GROUP BY league, club",
    "SELECT avg(percentage), max(masterpoints), count(*) FILTER (WHERE masterpoints > 3) FROM awards",
    "SELECT club, sum(CASE WHEN league='ebu' THEN masterpoints END), sum(CASE WHEN league='sbu' THEN masterpoints"
    " ELSE 0 END) AS masterpoints FROM awards GROUP BY club HAVING count(*) > 0 ORDER BY masterpoints DESC LIMIT 1",
    "SELECT club, league, sum(masterpoints) AS won FROM awards GROUP BY ALL HAVING won > 1 ORDER BY -won, length(club)",
    "SELECT club, sum(masterpoints) FILTER (league='ebu'), sum(masterpoints) FILTER (league='sbu')"
    " FROM awards GROUP BY club ORDER BY 2 DESC NULLS LAST, club DESC LIMIT 1",
    "SELECT league, sum(masterpoints) AS masterpoints FROM awards GROUP BY league HAVING masterpoints > 1",
    "PIVOT awards ON league IN ('ebu','sbu') USING sum(masterpoints) GROUP BY club",
    "SELECT a.masterpoints + b.masterpoints FROM awards a JOIN awards b USING (league)",
    "SELECT masterpoints + coalesce(local, 0) FROM awards",
    "SUMMARIZE (SELECT masterpoints FROM awards WHERE league='ebu')",
)
"""Queries that add up points of each league by itself, or of one alone."""

MIXED = (
    "SELECT sum(masterpoints) FROM awards WHERE league IN ('ebu','sbu')",
    "SELECT sum(masterpoints) FROM awards WHERE league <> 'acbl'",
    "SELECT sum(masterpoints) FROM awards WHERE league='ebu' OR league='sbu'",
    "SELECT sum(masterpoints) FROM awards WHERE league='ebu' OR club='x'",
    "SELECT sum(w) FROM (SELECT league, sum(masterpoints) AS w FROM awards GROUP BY league)",
    "SELECT league, sum(masterpoints) FROM awards GROUP BY ROLLUP(league)",
    "SELECT club, sum(masterpoints) FROM awards GROUP BY club ORDER BY max(league)",
    "SELECT sum(masterpoints), any_value(league) FROM awards",
    "PIVOT (SELECT club, masterpoints FROM awards) ON club IN ('x','y') USING sum(masterpoints)",
    "SELECT sum(w) FROM (SELECT sum(masterpoints) AS w FROM awards WHERE league='ebu'"
    " UNION ALL SELECT sum(masterpoints) FROM awards WHERE league='sbu')",
    "SELECT sum(masterpoints) OVER () FROM awards",
    "SELECT sum(masterpoints) FROM awards WHERE NOT league='ebu'",
    "SELECT max(masterpoints) FROM awards GROUP BY club ORDER BY sum(masterpoints)",
    "SELECT club FROM awards GROUP BY club HAVING sum(masterpoints)<5",
    "SELECT (SELECT count(*) FROM games WHERE league='acbl'), sum(masterpoints) FROM awards",
    "SELECT sum(masterpoints) FROM awards WHERE league='ebu' UNION ALL SELECT sum(masterpoints) FROM awards",
    "SELECT sum(a.masterpoints) FROM awards a LEFT JOIN games g ON a.game_id=g.game_id AND g.league='ebu'",
    "SELECT sum(a.masterpoints) FROM awards a LEFT JOIN (SELECT 1 AS one, 'ebu' AS league) x ON x.league='ebu'",
    "SELECT sum(sum(masterpoints)) OVER () FROM awards GROUP BY league",
    "SELECT list_sum(list(masterpoints)) FROM awards",
    "SELECT list_aggregate(list(masterpoints), 'sum') FROM awards",
    "SUMMARIZE awards",
    "SUMMARIZE SELECT masterpoints FROM awards",
    "SELECT club, median(masterpoints) FROM awards GROUP BY club",
    "SELECT club, sum(masterpoints) FROM awards GROUP BY club ORDER BY club DESC LIMIT 1",
    "SELECT club, stddev(masterpoints) FROM awards GROUP BY club",
    "SELECT a.masterpoints + b.masterpoints FROM awards a JOIN awards b USING (club)",
    "SELECT club, masterpoints - lag(masterpoints) OVER (ORDER BY game_id) FROM awards",
    "SELECT (SELECT max(local) FROM awards) + (SELECT max(masterpoints) FROM awards WHERE league='acbl')",
    "SELECT CAST(sum(masterpoints) AS INTEGER) FROM awards",
    "SELECT club, printf('%.1f', sum(masterpoints)) FROM awards GROUP BY club",
    "SELECT sum(masterpoints) FROM (SELECT masterpoints, league FROM awards WHERE league='ebu'"
    " UNION ALL BY NAME SELECT masterpoints FROM awards WHERE league='sbu')",
    "SELECT club, count(*) FROM awards GROUP BY club ORDER BY sum(masterpoints) DESC",
    "SELECT club, sum(masterpoints) * 0 AS masterpoints FROM awards GROUP BY club HAVING sum(masterpoints) < 5",
    "SELECT club, masterpoints FROM awards QUALIFY sum(masterpoints) OVER (PARTITION BY club) < 5",
    "SELECT sum(CASE WHEN league <> 'acbl' THEN masterpoints END), league FROM awards GROUP BY ROLLUP(league)",
    "SELECT sum(x) FROM (SELECT masterpoints AS x, 'ebu' AS league FROM awards)",
)
"""Queries that add up points of several, though most of them name leagues."""


def test_a_value_of_an_answer_is_of_the_points_of_one_league() -> None:
    views = frozenset({"awards", "games"})
    rows = "('ebu', 1, 'x', 'a', 3.5, 3.5, 50.5), ('sbu', 2, 'x', 'b', 4, 4, 60), ('acbl', 3, 'y', 'c', 2, NULL, 55)"
    columns = "league, game_id, club, rating, masterpoints, local, percentage"
    with duckdb.connect() as database:
        database.execute("ATTACH ':memory:' AS views; USE views")
        database.execute(f"CREATE TABLE awards AS SELECT * FROM (VALUES {rows}) AS t({columns})")
        database.execute("CREATE TABLE games AS SELECT game_id, league FROM awards")

        def mixes(sql: str) -> bool:
            try:
                refuse_points_of_several(lambda asked: database.execute(asked).fetchall(), query_scope(sql, views))
            except InputError:
                return True
            finally:
                database.execute("USE views; DETACH DATABASE IF EXISTS apart")
                database.execute("DROP TABLE IF EXISTS answer; DROP TABLE IF EXISTS alone")
            return False

        assert [sql for sql in (*APART, *MIXED) if mixes(sql)] == [*MIXED]


def test_the_record_of_a_player_is_by_league(archived: Path) -> None:
    found = json.loads(run("archive", "player", archived / "out", "Ann Ash", "--to", "json").out)
    of_each = {each["league"]: each["masterpoints"] for each in found["leagues"]}
    assert list(of_each) == ["acbl", "abf", "ebu", "pzbs"]
    assert (of_each["abf"], of_each["ebu"], of_each["pzbs"]) == ("0.24", "36.00", "14.00")
    assert (found["league"], found["masterpoints"]) == ("acbl", of_each["acbl"])
    years = {each["league"]: (each["year"], each["games"], each["masterpoints"]) for each in found["years"]}
    assert years["ebu"] == (2024, 2, "36.00")
    assert {each["league"]: each["masterpoints"] for each in found["partners"]} == of_each
    # Titles are the usual league's, and take its points alone.
    assert {title["missing"]["masterpoints"] for title in found["titles"] if "masterpoints" in title["missing"]}
    text = run("archive", "player", archived / "out", "Ann Ash").out
    assert "36 EBU masterpoints in them: 36 local\n" in text
    assert "0.24 ABF masterpoints in them: 0.24 green\n" in text


def test_the_summary_of_a_run_is_by_league(archived: Path) -> None:
    rows = list(csv.DictReader((archived / "out" / "summary-clubs.csv").read_text("utf-8").splitlines()))
    assert {row["league"]: row["masterpoints"] for row in rows}["ebu"] == "72.00"
    players = list(csv.DictReader((archived / "out" / "summary-players.csv").read_text("utf-8").splitlines()))
    mine = {row["league"]: row["masterpoints"] for row in players if row["player"] == "Ann Ash"}
    assert (mine["abf"], mine["ebu"], mine["pzbs"]) == ("0.24", "36.00", "14.00")
    books = list(csv.DictReader((archived / "out" / "summary-rulebooks.csv").read_text("utf-8").splitlines()))
    assert [(row["rulebook"], row["masterpoints"]) for row in books if row["league"] == "ebu"] == [
        ("ebu-club", "72.00")
    ]
    # Each bar is measured by the most that a rulebook of its league paid.
    shown = (archived / "out" / "summary.html").read_text("utf-8")
    assert re.search('<tr style="--w:100%"><th scope="row" class="n">ebu-club', shown)
    years = list(csv.DictReader((archived / "out" / "summary-years.csv").read_text("utf-8").splitlines()))
    of_all = {row["league"]: (row["games"], row["masterpoints"]) for row in years if row["year"] == "all"}
    # Once for each pair: .24 + .17 + .12 + .08, and 14 + 7 + 3 + 2 + 4 x 1.
    assert (of_all["abf"], of_all["ebu"], of_all["pzbs"]) == (("1", "0.61"), ("2", "72.00"), ("1", "30.00"))
    page = (archived / "out" / "summary.html").read_text("utf-8")
    assert "0.61 ABF, 72 EBU, 30 PZBS masterpoints" in page
    assert all(f"Masterpoints per year, {title}" in page for title in ("ACBL", "ABF", "EBU", "PZBS"))
    # People read what a league is called, programs the name that a game declares.
    assert 'data-l="League">EBU<' in page
    assert 'data-l="League">ebu<' not in page


def test_a_statement_is_held_against_the_points_of_its_league(archived: Path) -> None:
    line = "date,club,event,player,member,colour,masterpoints\n2024-05-08,Elms,,Ann Ash,,{},{}\n"
    strange = "2024-05-08,Elms,,Una Unknown,,local,18\n"
    statement = saved(archived / "statement.csv", line.format("local", "18") + strange)
    told = run("archive", "audit", archived / "out", statement, "--club", "Elms", "--to", "json")
    found = json.loads(told.out)
    assert "held against the points of the EBU, and those of the ACBL, ABF and PZBS are left out" in told.err
    assert {row["pays"] for row in found["rows"]} <= {"18 local", "12 local", "6 local", ""}
    assert {row["stated"] for row in found["rows"]} == {"18 local", ""}
    assert not [row for row in found["rows"] if row["player"] == "Ann Ash" and row["date"] == "2024-05-08"]


def test_a_statement_without_colours_is_of_the_league_that_paid_on_its_days(archived: Path) -> None:
    statement = saved(archived / "union.csv", "date,points\n2024-05-09,14\n")
    told = run("archive", "audit", archived / "out", statement, "--player", "Ann Ash")
    assert "held against the points of the PZBS" in told.err
    assert told.status == 0


def test_the_pages_of_players_add_up_by_league(tmp_path: Path) -> None:
    files = across(tmp_path)
    assert run("batch", *files, "-o", tmp_path / "site", "--index", "--players", "--to", "html").status == 0
    page = (tmp_path / "site" / "players" / "ann-ash.html").read_text("utf-8")
    assert "0.24 ABF, 36 EBU, 14 PZBS masterpoints" in page


# Each league's unit: JSON and CSV have two decimals, what people read has whole points where a league's are whole.


def test_local_points_are_whole_where_people_read_them(tmp_path: Path) -> None:
    game = {path.stem: path for path in across(tmp_path)}["local"]
    sheet = run("award", game).out
    assert re.findall(r" (18|12|6) \(A\) +Ann ", sheet) == ["18", "12", "6"]
    assert "18.00" not in sheet
    assert "Colours" not in sheet
    assert run("award", game, "-o", tmp_path / "game.txt").status == 0
    assert read(tmp_path / "game.txt").contestants["printed_award"].dropna().tolist() == [1800, 1200, 600]
    assert json.loads(run("award", game, "--to", "json").out)["games"][0]["contestants"][0]["masterpoints"] == "18.00"
    assert ">18<" in run("award", game, "--to", "html").out
    told = run("explain", game, "A-1").out
    assert "18 masterpoints (18 local) from section, stratum A, 1st" in told
    assert "  ladder  1st 18, 2nd 12, 3rd 6\n" in told
    told = run("chart", "--rating", "scale-a", "--boards", "24", "--tables", "4", "--movement", "howell").out
    assert re.search(r"4 +8 +18 +12 +6\s", told)
    players = run("players", game).out
    assert "Local" not in players
    assert re.search(r"Ann Ash +EBU +1 +18 ", players)
    told = run("whatif", game, "--boards", "36").out
    assert re.search(r"A-1 +Ann Ash - Bob Aak +18 +24 +\+6\n", told)
    told = run("series", game, tmp_path / "again.csv").out
    assert len(re.findall(r"EBU +2 +1 +36\n", told)) == 2
    assert "No bonus: which bonus the EBU has for a series is not known.\n" in told
    corrected = saved(tmp_path / "corrected.csv", game.read_text().replace(",67.5", ",61.5"))
    told = run("amend", game, corrected).out
    assert "12 masterpoints, before 18: 6 fewer\n" in told
    other = saved(tmp_path / "other.csv", game.read_text().replace("scale-a", "clubtornooi"))
    changed = run("amend", game, other)
    # 0.04 x 8; points of two leagues have no difference.
    assert "0.32 points of the VBL, before 18 of the EBU\n" in changed.out
    assert changed.status == 0
    assert run("award", game, "-o", tmp_path / "game.xlsx").status == 0
    cells = [cell for row in load_workbook(tmp_path / "game.xlsx")["A"].iter_rows() for cell in row]
    assert [cell.number_format for cell in cells if cell.value in {18, 12}] == ["0", "0"]


def test_a_game_is_compared_across_leagues(tmp_path: Path) -> None:
    game = across(tmp_path)[0]
    told = run("compare", game, "--rules", "acbl-club", "--rules", "ebu-club", "--rules", "abf-session")
    assert "ebu-club: as if it were scale-a" in told.out
    assert "Difference" not in told.out
    found = json.loads(run("compare", game, "--rules", "acbl-club", "--rules", "ebu-club", "--to", "json").out)
    two = run("compare", game, "--rules", "acbl-club", "--rules", "ebu-club").out.splitlines()
    assert [line.split() for line in two if re.match(" *(?:Place|1|2) ", line)] == [
        ["Place", "acbl-club", "ebu-club"],
        ["1", "0.80", "18"],
        ["2", "0.56", "12"],
    ]
    (table,) = found["games"][0]["tables"]
    # 0.10 x 8 pairs, 70% and half of that; three of eight are a third, rounded up, in steps of six.
    assert [place["masterpoints"]["ebu-club"] for place in table["places"]] == ["18.00", "12.00", "6.00"]
    assert [place["masterpoints"]["acbl-club"] for place in table["places"]] == ["0.80", "0.56", "0.40"]


# Scotland.


def test_what_scotland_leaves_open_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    keys: dict[str, object] = {"rating": "local-session", "movement": "howell", "tables": 4, "boards": 24}
    eight = falling("A", 8)
    assert amounts(awarded(eight, **keys))[:4] == ["18.00", "12.00", "6.00", "0.00"]
    assert "what fewer than 18 boards pay is told by one program alone" in refused(eight, **{**keys, "boards": 17})
    assert "of 13 pairs a program pays 5 and the EBU's rule 4" in refused(falling("A", 7), **{**keys, "tables": 3.5})
    assert "awards for lines of 4 pairs" in refused(mitchell(4), **{**keys, "movement": "mitchell"})
    three = [f"A-{n} . {score}" for n, score in enumerate((9, 8, 8, 8, 6, 5, 4, 3), 1)]
    assert "more than 2 tie for a place that pays under sbu-club" in refused(three, **keys)
    own = saved(
        tmp_path / "own.toml",
        'extends = "sbu-club"\n[ties.most]\nvalue = 99\n[half-table.one-winner]\nvalue = "full tables"\n',
    )
    # The page: the mean of all places, (12 + 6 + 0) / 3, at least the least; 14 of the 15 pairs sit at full tables.
    assert amounts(awarded(three, **keys, rulebook=str(own)))[1:4] == ["6.00"] * 3
    # Of twelve pairs the page has 6 for three and for four that are tied for third, too: (12 + 6 + 0 ...) / 3 or / 4.
    for tied in (3, 4):
        rows = [f"A-{n} . {60 if 2 < n <= 2 + tied else 80 - 3 * n - 30 * (n > 2)}" for n in range(1, 13)]
        assert amounts(awarded(rows, **{**keys, "tables": 6}, rulebook=str(own)))[2 : 2 + tied] == ["6.00"] * tied
    odd = awarded(falling("A", 15), **{**keys, "tables": 7.5}, rulebook=str(own))
    assert amounts(odd)[:6] == ["30.00", "24.00", "18.00", "12.00", "6.00", "0.00"]
    assert "how many awards an individual has is not known" in refused(
        eight, **{**keys, "event_type": "individual", "tables": 2}
    )
    assert set(awarded(falling("A", 4), **{**keys, "tables": 2}).awards["masterpoints"]) == {0}


def test_what_flanders_leaves_open_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    keys: dict[str, object] = {"rating": "clubtornooi", "movement": "howell", "tables": 3}
    assert amounts(awarded(SIX, **keys)) == ["0.24", "0.18", "0.01", "0.01", "0.01", "0.01"]
    tied = [SIX[0], SIX[0].replace("A-1", "A-2"), *SIX[2:]]
    assert "some tie for a place that pays under vbl-2020" in refused(tied, **keys)
    own = saved(tmp_path / "own.toml", 'extends = "vbl-2020"\n[ties.most]\nvalue = 99\n')
    assert amounts(awarded(tied, **keys, rulebook=str(own)))[:3] == ["0.21", "0.21", "0.01"]
    assert "masterpoints for teams are not known" in refused(TEAMS, rating="drive-i", tables=4, event_type="swiss")
    # Its points have no colours: nothing is in brackets behind them.
    game = saved(tmp_path / "game.csv", "Pair,Player1,Player2,Score\n1,Ann,Bob,60\n2,Cid,Dee,50\n3,Eva,Fay,40\n")
    given = ("--rating", "drive-iii", "--movement", "howell", "--tables", "1.5", "--date", "2020-06-21")
    # .1 x 3 x 1.4
    assert "0.42 masterpoints from section, stratum A, 1st" in run("explain", game, "A-1", *given).out
    assert run("award", game, *given, "-o", tmp_path / "game.xml").status == 0
    assert run("check", tmp_path / "game.xml").status == 0


def test_english_points_become_those_of_scotland_for_its_site(tmp_path: Path) -> None:
    rows = [f"{n},Ann {c}sh,Bob {c}ak,{n}1,{n}2,{80 - n}" for n, c in enumerate("ABCDEFGHIJKL", 1)]
    game = saved(tmp_path / "game.csv", "\n".join(["Pair,Player1,Player2,ID1,ID2,Score", *rows]))
    keys = ["--boards", "24", "--tables", "6", "--movement", "howell", "--date", "2025-07-30"]
    assert run("award", game, "--rating", "scale-b", *keys, "-o", tmp_path / "own.xml").status == 0
    # As a site writes it that pays English points: scale B, 36, 27, 18 and 9, and nothing of this program.
    text = re.sub(r"<\?resultproc.*?\?>", "", (tmp_path / "own.xml").read_text("utf-8"))
    text = text.replace("<PROGRAM_NAME>resultproc<", "<PROGRAM_NAME>RealBridge<")
    points = "<MASTER_POINTS_AWARDED>(.*?)<"
    assert re.findall(points, text) == ["36", "27", "18", "9"]
    theirs = saved(tmp_path / "theirs.xml", text)
    done = run("convert", theirs, tmp_path / "scotland.xml", "--for", "mempad", *keys[2:6])
    assert done.status == 0, done.err
    assert re.findall(points, (tmp_path / "scotland.xml").read_text("utf-8")) == ["24", "18", "12", "6"]
    assert "nothing says that its points are the SBU's: they are replaced by what local-session pays" in done.err
    kept = run("convert", theirs, tmp_path / "kept.xml", "--for", "mempad", "--league", "sbu", *keys[2:6])
    assert kept.status == 0
    assert re.findall(points, (tmp_path / "kept.xml").read_text("utf-8")) == ["36", "27", "18", "9"]
