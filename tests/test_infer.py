"""Which declarations explain what a sheet prints: found again of made and of real ones, or said to be ambiguous."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import ALL, FIXTURES, Run, run, saved
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from samples import DECLARATIONS, SAMPLES, SECTIONS_ALONE, real

from resultproc import Source, read
from resultproc.model.arrays import records
from resultproc.model.frames import CONTESTANTS, Sheet
from resultproc.model.game import OPEN, parse_strata, parse_tables_by_limit
from resultproc.model.group import declared_words
from resultproc.pages.annotated import annotated
from resultproc.reports.check import check
from resultproc.reports.infer import infer as module
from resultproc.reports.infer.infer import (
    GuessExplanation,
    Inference,
    Inferred,
    explained,
    text,
    what_decides,
)
from resultproc.reports.infer.search import letters_of_strata
from resultproc.reports.infer.space import Guess, GuessedKind
from resultproc.reports.json_types import Contradicted
from resultproc.stages.pipeline import award_sheet


def alone(tmp_path: Path, name: str) -> Path:
    """Return a copy of a fixture without what is declared beside it."""
    return saved(tmp_path / name, (FIXTURES / name).read_bytes())


KNOWN: dict[tuple[str, ...], Inference] = {}


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the same be inferred of the same file once, whatever is asked of it and in which format it is told."""
    infer = module.infer

    def known(source: Source, **options: Any) -> Inference:
        key = (repr((source.name, source.data, source.beside)), repr(options))
        if key not in KNOWN:
            KNOWN[key] = infer(source, **options)
        return KNOWN[key]

    monkeypatch.setattr(module, "infer", known)


def games_of(done: Run) -> dict[str, Any]:
    assert done.status == 0, done.out
    return {game["game_id"]: game for game in json.loads(done.out)["games"]}


# Made sheets.


@pytest.mark.slow
def test_a_report_of_two_games(tmp_path: Path) -> None:
    found = games_of(run("infer", alone(tmp_path, "made-fund.txt"), "--rating", "club-fund", "--to", "json"))
    first, second = (found[f"made-fund-{number}"] for number in (1, 2))
    assert [game["equal"] for game in (first, second)] == [1, 1]
    best = first["explanations"][0]
    # The six tables beside the open game are those of the other one, whose limit its own awards tell.
    assert best["declared"]["rating"] == "club-fund"
    assert best["declared"]["concurrent_tables"] == "300=6"
    assert (best["explained"], best["contradicted"], best["not_in_the_report"]) == (first["printed"], [], [])
    # What fixtures/made-fund.toml declares: 300, 100 and 20; up to 10 another rate is paid.
    limits = {each["stratum"]: (each["from"], each["to"]) for each in second["explanations"][0]["same_limits"]}
    assert limits == {"A": ("201", None), "B": ("21", "100"), "C": ("11", "20")}
    assert "concurrent_tables" not in second["explanations"][0]["declared"]


@pytest.mark.slow
def test_what_is_written_explains_all(tmp_path: Path) -> None:
    sheet = alone(tmp_path, "made-imps.txt")
    done = run("infer", sheet, "--rating", "club-open", "--write")
    assert done.status == 0, done.out
    assert "made-imps.toml" in done.err
    assert check(sheet).differences.empty
    declared = tomllib.loads(sheet.with_suffix(".toml").read_text("utf-8"))
    assert declared["rating"] == "club-open"
    again = run("infer", sheet, "--write")
    assert again.status == 1
    assert "exists already" in again.err
    # What is declared is taken for granted: the limits that were chosen stand.
    (game,) = games_of(run("infer", sheet, "--to", "json")).values()
    assert game["explanations"][0]["declared"] == {"rating": "club-open"}
    assert game["explanations"][0]["same_limits"] == []


@pytest.mark.slow
def test_several_sheets_and_one_at_fault(tmp_path: Path) -> None:
    sheet = alone(tmp_path, "made-imps.txt")
    done = run("infer", sheet, tmp_path / "none.csv", "--rating", "club-open", "--to", "json", "--write")
    assert done.status == 1
    assert "none.csv: there is no such file" in done.err
    assert [game["game_id"] for game in json.loads(done.out)["games"]] == ["made-imps"]
    assert sheet.with_suffix(".toml").exists()


@pytest.mark.slow
def test_what_options_declare_is_written_as_well(tmp_path: Path) -> None:
    sheet = alone(tmp_path, "made-imps.txt")
    strata = "A=open, B=1000, C=100"
    assert (
        run("infer", sheet, "--rating", "club-open", "--strata", strata, "--event", 'The "Fund"', "--write").status == 0
    )
    declared = tomllib.loads(sheet.with_suffix(".toml").read_text("utf-8"))
    assert declared == {"rating": "club-open", "strata": strata, "event": 'The "Fund"'}


@pytest.mark.slow
def test_what_the_file_says_goes_before_what_is_written(tmp_path: Path) -> None:
    sheet = saved(tmp_path / "game.csv", f"# rating: regional\n{SMALL}")
    done = run("infer", sheet, "--anew", "--rating", "sectional", "--write")
    assert done.status == 0
    assert "rating = regional stands in the file itself" in done.err


def explanation(*against: Contradicted) -> GuessExplanation:
    guess = Guess(GuessedKind("club-open", "", "", "acbl-club"), (), ((OPEN,),))
    return GuessExplanation(guess, "acbl-club", 0, against, np.zeros(1, dtype=np.int64), {})


def test_what_both_contradict_decides_nothing() -> None:
    both = [Contradicted("A-NS-1", "award", "0.70", computed) for computed in ("0.60", "0.10")]
    rank = [Contradicted("A-NS-1", "overall rank", printed, "A=1") for printed in ("A=2", "")]
    lower = Contradicted("A-NS-1", "overall rank", "", "B=1")
    first, second = explanation(both[0], rank[0]), explanation(both[1], rank[1], lower)
    assert what_decides(first, second) == (lower,)
    assert what_decides(second, first) == ()


def test_more_than_one_explanation_has_them_all() -> None:
    first = replace(explanation(), strange=0)
    second = replace(explanation(), strange=3)
    game = Inferred({"game_id": "g", "event": None, "date": None, "session": None}, 9, (first, second), 1)
    (told,) = [line for line in text(Inference((game,))).decode().splitlines() if "printed." in line]
    assert "Several explanations have them all" in told


def test_nothing_to_explain(tmp_path: Path) -> None:
    done = run("infer", alone(tmp_path, "made-qualifying.txt"))
    assert done.status == 1
    assert "no masterpoints are printed" in done.err


@pytest.mark.slow
def test_several_that_are_as_good(tmp_path: Path) -> None:
    done = run("infer", alone(tmp_path, "made-together.txt"), "--to", "json", "--write")
    (game,) = games_of(done).values()
    assert "others are as good for made-together: comments in it say which" in done.err
    assert "# As good: " in (tmp_path / "made-together.toml").read_text("utf-8")
    # Invitational games and restricted ones above 200 pay .08 a pair (Handbook, chapter 4), and nobody below is paid.
    best = [each["declared"]["rating"] for each in game["explanations"][: game["equal"]]]
    assert best == ["club-restricted", "club-invitational"]
    assert game["decides"] == []


# Games that are awarded, printed, and inferred again.

GAME = """# date: 2012-05-04
# tables: 7
# rating: {rating}
# strata: {strata}
section,direction,number,player1,player2,stratum,score
"""


def printed(rating: str, strata: str, order: int, letters: str = "AABBCCC") -> Sheet:
    """Return a game of seven tables with the ranks and awards that it has, and nothing declared of these."""
    lines = [GAME.format(rating=rating, strata=strata)]
    for side in ("N-S", "E-W"):
        for n in range(1, 8):
            letter, score = letters[(n * 3 + order) % 7], 60 + (n * 5 + order * 3) % 23
            lines.append(f"A,{side},{n},{side} {n} one,{side} {n} two,{letter},{score}\n")
    sheet = read("".join(lines).encode())
    contestants = CONTESTANTS.conform(annotated(award_sheet(sheet)))
    return replace(bare(sheet), contestants=contestants)


def bare(sheet: Sheet) -> Sheet:
    """Return a sheet without what is declared of its games, and without what a program stored of their awards."""
    stored = [name for name in sheet.games if name.startswith("stored_") and name != "stored_ranked_with"]
    keys = ["rating", "special", "strata", "limit", "concurrent_tables", *stored]
    empty = {name: pd.Series([None] * len(sheet.games)).astype(sheet.games[name].dtype) for name in keys}
    return replace(sheet, games=sheet.games.assign(**empty))


@settings(max_examples=8, phases=tuple(Phase) if ALL else (Phase.explicit,), deadline=None, derandomize=True)
@given(
    rating=st.sampled_from(["club-open", "club-fund", "club-championship", "sectional"]),
    limits=st.sampled_from([(1000, 150), (300, 50), (150, 20)]),
    order=st.integers(0, 6),
)
@example(rating="sectional", limits=(1000, 150), order=1)  # up to 2000, B may have any limit, C 150 alone
def test_what_a_game_was_is_among_the_best(rating: str, limits: tuple[int, int], order: int) -> None:
    strata = f"A=open, B={limits[0]}, C={limits[1]}"
    sheet = printed(rating, strata, order)
    (game,) = explained(sheet).games
    assert not game.explanations[0].against
    assert verdict(game, {"rating": rating, "strata": strata}, sheet) != "wrong"


@pytest.mark.slow
def test_an_award_that_is_misprinted_is_named() -> None:
    sheet = printed("club-open", "A=open, B=1000", 0, "AABBBBB")
    awards = sheet.contestants["printed_award"].copy()
    row = int(awards.fillna(0).argmax())
    awards.iloc[row] += 7
    changed = replace(sheet, contestants=sheet.contestants.assign(printed_award=awards))
    rated = replace(changed, games=changed.games.assign(rating=pd.Series(["club-open"], dtype="str")))
    (game,) = explained(rated).games
    best = game.explanations[0]
    assert [(each.what, each.printed) for each in best.against] == [("award", f"{awards.iloc[row] / 100:.2f}")]
    assert game.entries - best.agree == 1


SMALL = """# date: 2012-05-04
# tables: 4
# movement: howell
number,player1,player2,score,overall_ranks,masterpoints
1,Ann,Bob,70,A=1,2.33
2,Cy,Di,65,A=2,1.75
3,Ed,Flo,60,A=3,1.31
4,Gus,Hal,55,,
5,Ida,Joe,50,,
6,Kay,Lou,45,,
7,Max,Nan,40,,
8,Oz,Pat,35,,
"""


@pytest.mark.slow
def test_bounds_of_a_factor_that_is_left_free(tmp_path: Path) -> None:
    sheet = saved(tmp_path / "game.csv", SMALL)
    (game,) = games_of(run("infer", sheet, "--rating", "sectional", "--free", "r,T", "--to", "json")).values()
    first = game["explanations"][0]
    assert (first["declared"], first["contradicted"]) == ({"rating": "sectional"}, [])
    # Four tables: B is 14 / 60, the first award B x R x T, 2.33 for R 10. All places follow from it, rounded: it
    # is from 2.325 to below 2.335, R from 9.96428... to 10.00714..., T from .996428... to 1.000714...
    assert game["bounds"] == [
        {"factor": "R", "stratum": None, "value": "10", "from": "9.9643", "to": "10.0071", "awards": 3},
        {"factor": "T", "stratum": None, "value": "1", "from": "0.9965", "to": "1.0007", "awards": 3},
    ]


@pytest.mark.slow
def test_factors_that_are_none(tmp_path: Path) -> None:
    sheet = alone(tmp_path, "made-imps.txt")
    assert "known: R, M, P, T" in run("infer", sheet, "--free", "B").err
    done = run("infer", sheet, "--free", "R", "--rating", "club-open")
    assert "no factors to leave free" in done.err


@pytest.mark.slow
def test_a_reading_that_explains_more(tmp_path: Path) -> None:
    own = saved(tmp_path / "own.toml", 'extends = "acbl-club"\n[ties.beyond-depth]\nvalue = "none"\n')
    # Three places of seven pay, and two pairs are tied for the third: they share what it pays, and nothing more.
    scores = (70, 66, 60, 60, 50, 48, 46)
    lines = ["# date: 2012-05-04", "# tables: 7", "# rating: club-open", "direction,number,player1,player2,score"]
    lines += [
        f"{side},{n},{side} {n} a,{side} {n} b,{score}" for side in ("N-S", "E-W") for n, score in enumerate(scores, 1)
    ]
    sheet = read("\n".join(lines).encode(), rulebook=str(own))
    contestants = CONTESTANTS.conform(annotated(award_sheet(sheet)))
    games = sheet.games.assign(rulebook=pd.Series([None], dtype="str"))
    (game,) = explained(replace(sheet, games=games, contestants=contestants)).games
    # 0.70 for first, half of it for third: 0.35 shared by two is 0.18, and 0.30 with what a fourth place would pay.
    assert {(each.printed, each.computed) for each in game.explanations[0].against} == {("0.18", "0.30")}
    (reading,) = game.readings
    assert (reading["path"], reading["value"], reading["contradicted"]) == ("ties.beyond-depth", "none", 0)


# Real sheets: what is known of them, and what their awards tell.


def verdict(game: Inferred, truth: Mapping[str, Any], sheet: Sheet) -> str:
    """Return whether what is known of a game was found alone, is one of several, or is none of the best."""
    best = game.explanations[: game.equal]
    eligible = sheet.contestants.groupby("game_id")["eligible"].sum().to_dict()
    if not any(agrees(each, truth, eligible) for each in best):
        return "wrong"
    return "found" if len(best) == 1 else "ambiguous"


def agrees(each: GuessExplanation, truth: Mapping[str, Any], eligible: Mapping[str, int]) -> bool:
    """Return whether an explanation has the rating, special words, limits and games at the same time that are known."""
    kind = each.guess.kind
    same = {frozenset(declared_words(special)) for special in (kind.special, *kind.alike)}
    if kind.rating != truth["rating"] or frozenset(declared_words(truth.get("special"))) not in same:
        return False
    known = {stratum.letter: stratum.limit for stratum in parse_strata(truth["strata"])} if "strata" in truth else {}
    known |= {} if known else {"": float(truth.get("limit") or OPEN)}
    for letter, limits in zip(each.guess.letters or ("",), each.guess.limits, strict=True):
        if not limits[0] <= known[letter] <= limits[-1]:
            return False
    beside = parse_tables_by_limit(truth.get("concurrent_tables") or "none")
    low, high = (sum(ceil(n) for limit, n in beside if (0 < limit <= NEWCOMERS) == is_low) for is_low in (True, False))
    low_found = sum(ceil(one.tables) for one in each.guess.beside if one.limit <= NEWCOMERS)
    # Of a game of the report the tables in play are found, and those of the pairs that are eligible may be known.
    others = [one for one in each.guess.beside if one.limit > NEWCOMERS]
    most = sum(ceil(one.tables) for one in others)
    least = sum(eligible.get(one.game_id, 2 * one.tables) / 2 for one in others)
    return low == low_found and least <= high <= most


NEWCOMERS = 50
"""The upper limit of games that count for lower strata as well (acbl-club-fund-2011, concurrent.newcomers)."""


AMBIGUOUS = {
    # Restricted games above 200 and invitational ones pay the same.
    *("recap04-1", "recap08-1", "game04-ACM-2", "game06-ACA-2", "game08-ACA-1"),
    # In sections, championships and fund games pay the same.
    "recap17-1",
    # The club's stage of the North American Pairs and the unit's pay the same in sections.
    "recap18-2",
}
QUICK = ("recap04", "recap11", "game03")


def some(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if ALL or path.stem.startswith(QUICK))


@pytest.mark.slow
@real
@pytest.mark.parametrize("path", some((SAMPLES / "recaps").glob("*.txt")), ids=lambda path: path.stem)
def test_what_real_reports_do_not_say(path: Path) -> None:
    sheet = read(path)
    if sheet.contestants["printed_award"].isna().all():
        return
    known: dict[str, Mapping[str, Any]] = {}
    for path in (*DECLARATIONS, *SECTIONS_ALONE):
        declared = tomllib.loads(path.read_text("utf-8"))
        known |= declared.get("games", {path.stem: declared})
    # What they are has to be declared of teams.
    types = [known[name].get("event_type") for name in sheet.games["game_id"]]
    sheet = replace(sheet, games=sheet.games.assign(event_type=sheet.games["event_type"].fillna(pd.Series(types))))
    for game in explained(sheet).games:
        name = str(game.game["game_id"])
        assert not game.explanations[0].against
        assert verdict(game, known[name], sheet) == ("ambiguous" if name in AMBIGUOUS else "found")


@pytest.mark.slow
@real
@pytest.mark.parametrize("path", some((SAMPLES / "gamefiles").glob("*.AC?")), ids=lambda path: path.stem)
def test_what_real_game_files_say(path: Path) -> None:
    """Their declarations are taken from them, and inferred from their awards again."""
    sheet = read(path)
    known = {game["game_id"]: game for game in records(sheet.games)}
    for game in explained(bare(sheet)).games:
        name = str(game.game["game_id"])
        assert verdict(game, known[name], sheet) == ("ambiguous" if name in AMBIGUOUS else "found")


# Where a report has no overall columns, and where nothing explains it.


def listing(*awards: str, ranks: str = "A=1 A=2 A=3 A=4 A=5", head: str = "# rating: club-open\n") -> str:
    lines = [
        f"# date: 2012-05-04\n# tables: 5\n{head}direction,number,player1,player2,percentage,section_ranks,masterpoints"
    ]
    for side in ("N-S", "E-W"):
        for n, (rank, award) in enumerate(zip(ranks.split(), awards, strict=True), 1):
            lines.append(f"{side},{n},{side} {n} One,{side} {n} Two,{65 - 5 * n},{rank},{award}")
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_where_most_awards_are_contradicted_nothing_is_written(tmp_path: Path) -> None:
    sheet = tmp_path / "game.csv"
    # An open game of five tables pays 0.50 and 0.35 (Handbook, chapter 4); the ranks are right, and no award is.
    sheet.write_text(listing("0.77", "0.59", "0.13", "", ""), "utf-8")
    done = run("infer", sheet, "--write")
    assert done.status == 1
    assert "6 awards and 10 ranks are printed. No declarations explain the awards" in done.out
    assert "no declarations explain the awards" in done.err
    assert not sheet.with_suffix(".toml").exists()
    (game,) = json.loads(run("infer", sheet, "--to", "json").out)["games"]
    assert (game["printed"], game["awards"], game["ranks"], game["awards_explained"]) == (20, 6, 10, False)


def test_a_stratum_that_only_an_award_names() -> None:
    rows = pd.DataFrame({"stratum": ["B", "C"], "printed_section": None, "printed_overall": None})
    paid = CONTESTANTS.conform(
        rows.assign(game_id="g", section="A", number=["1", "2"], eligible=True, printed_paid_by=["MA", None])
    )
    assert letters_of_strata(paid) == ("A", "B", "C")


@pytest.mark.slow
def test_boards_that_nothing_says_are_found(tmp_path: Path) -> None:
    sheet = tmp_path / "game.csv"
    # Five pairs a side at 24 boards: 0.50 x 24/18 is 0.67, 70% of it 0.47 (clubs since 2023 pay by boards).
    text = listing("0.67", "0.47", "", "", "").replace("2012-05-04", "2026-05-04")
    sheet.write_text(text, "utf-8")
    (game,) = games_of(run("infer", sheet, "--to", "json")).values()
    assert (game["equal"], game["explanations"][0]["contradicted"]) == (1, [])
    assert game["explanations"][0]["declared"] == {"rating": "club-open", "boards": "24"}


@pytest.mark.slow
def test_limits_are_told_to_the_last_whole_one(tmp_path: Path) -> None:
    sheet = tmp_path / "game.csv"
    # Restricted games pay 80% above a limit of 200, 70% up to 200 and 60% up to 100: 0.35 is 0.50 x 70%.
    sheet.write_text(listing("0.35", "0.25", "", "", "", head="# rating: club-restricted\n"), "utf-8")
    (game,) = games_of(run("infer", sheet, "--to", "json")).values()
    assert game["explanations"][0]["same_limits"] == [{"stratum": None, "from": "101", "to": "200"}]
