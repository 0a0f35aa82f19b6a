"""Games scored here: a section by hand, the same results a second time in fractions, and files through the program."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import made_bws as made
import pandas as pd
import pytest
from conftest import FIXTURES, examples, run, saved
from hypothesis import given
from hypothesis import strategies as st
from samples import SAMPLES, real
from second import scoring as second

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import BOARDS, CONTESTANTS, GAMES
from resultproc.model.source import Source
from resultproc.scoring.contracts import boards_here, points_here, totals_here
from resultproc.scoring.points import with_average_imps

Frames = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


def result(board: int, ns: int, ew: int, score: int | None, **more: object) -> dict[str, Any]:
    """Return a result of section A, as the second implementation and the frame have them."""
    empty = dict.fromkeys(("ew_score", "ns_adjusted", "ew_adjusted"))
    return {"field": "A", "board": board, "ns": str(ns), "ew": str(ew), "score": score, **empty, **more}


def frames(way: str, results: list[dict[str, Any]], listed: list[dict[str, Any]], **facts: object) -> Frames:
    """Return the games, contestants and boards frames of some results."""
    game = {"game_id": "g", "stored_scored_here": way, **facts}
    rows = pd.DataFrame(results).rename(columns={"field": "section"})
    games = GAMES.conform(pd.DataFrame([game]))
    contestants = CONTESTANTS.conform(pd.DataFrame(listed).assign(game_id="g", eligible=True))
    return games, contestants, boards_here(games, contestants, BOARDS.conform(rows.assign(game_id="g", session=1)))


# Five tables of a Mitchell, where N-S 5 is a phantom: on board b N-S n meet E-W n + b - 1, counted round from 1 to 5.
SCORES: dict[int, list[int | None]] = {
    1: [420, 420, 170, -50],
    2: [110, 140, 110, 110],
    3: [-100, -100, -100, -100],
    4: [620, None, 600, -100],
    5: [400, 430, None, 400],
    6: [-50, 620, 170, 620],
    7: [90, 120, -50, 1430],
}


def by_hand() -> list[dict[str, Any]]:
    played = [
        result(board, n, (n + board - 2) % 5 + 1, score)
        for board, scores in SCORES.items()
        for n, score in enumerate(scores, 1)
    ]
    for each in played:
        if (each["board"], each["ns"]) == (4, "2"):
            each |= {"ns_adjusted": 60, "ew_adjusted": 40}
        if (each["board"], each["ns"]) == (6, "2"):
            each["ew_score"] = -170
    return [*played, result(1, 5, 5, None)]


PAIRS = [{"section": "A", "direction": "N-S", "number": str(n)} for n in range(1, 5)]
PAIRS += [{"section": "A", "direction": "E-W", "number": str(n)} for n in range(1, 6)]


def test_a_section_of_seven_boards_by_hand():
    """A top is 3. On boards 4 and 5 three results are factored to four: (m + 1/2) x 4/3 - 1/2.

    N-S 1 to 4, board by board (Laws 78A and 12C2):
    1: 2.5, 2.5, 1, 0. 2: 1, 3, 1, 1. 3: 1.5 each. 4: 17/6, average plus, 3/2, 1/6. 5: 5/6, 17/6, not played, 5/6.
    6: 0, 2.5, 1, 2.5. 7: 1, 2, 0, 3.
    E-W have the rest of 3, but for board 4, where E-W 5 have average minus, and board 6, where those who met N-S 2 have
    -170 as those who met N-S 3, less than 50 and more than -620: 1.5 each.
    N-S 2 have 43/3 of 18 without board 4, 79.63%: that is their average plus, 2.39. E-W 5 have 17/3 of 12 without it,
    47.22%: not below 40, so that average minus is 1.2. Added up are hundredths (17/6 is 2.83, 1/6 is 0.17):
    N-S 1: 2.5 + 1 + 1.5 + 2.83 + 0.83 + 0 + 1 = 9.66. N-S 2: 2.5 + 3 + 1.5 + 2.39 + 2.83 + 2.5 + 2 = 16.72.
    N-S 3: 1 + 1 + 1.5 + 1.5 + 1 + 0 = 6 of six boards, 7 of seven. N-S 4: 0 + 1 + 1.5 + 0.17 + 0.83 + 2.5 + 3 = 9.
    E-W 1: 0.5 + 1.5 + 1.5 + 0.17 + 3 = 6.67 of five boards. E-W 2: 0.5 + 2 + 2.83 + 1.5 + 2 = 8.83 of five.
    E-W 3: 2 + 0 + 1.5 + 2.17 + 1.5 + 1 = 8.17 of six. E-W 4: 3 + 2 + 1.5 + 0.17 + 0 + 3 = 9.67 of six.
    E-W 5: 2 + 1.5 + 1.2 + 2.17 + 0 = 6.87 of five. All are raised to seven boards, a maximum of 21.
    """
    games, contestants, boards = frames("matchpoints", by_hand(), PAIRS)
    found = totals_here(games, contestants, boards)
    assert found["score"].tolist() == [9.66, 16.72, 7, 9, 9.34, 12.36, 9.53, 11.28, 9.62]
    assert found["percentage"].tolist() == [46.0, 79.62, 33.33, 42.86, 44.48, 58.86, 45.38, 53.71, 45.81]
    of_board_4 = boards[boards["board"] == 4]
    assert of_board_4["printed_ns"].tolist() == [2.83, 2.39, 1.5, 0.17]
    assert of_board_4["printed_ew"].tolist() == [0.17, 1.2, 1.5, 2.83]
    assert boards[["printed_ns", "printed_ew"]].iloc[-1].isna().all()


def test_average_minus_is_the_pairs_own_percentage_where_that_is_below_40():
    # N-S 3 have 6 of 18 on the others, 33.33%: on a further board with a top of 3 average minus is 1 and not 1.2.
    rows = [*by_hand(), *(result(8, n, n, 100 * n) for n in (1, 2, 4)), result(8, 3, 3, None, ns_adjusted=40)]
    boards = frames("matchpoints", rows, PAIRS)[2]
    assert boards["printed_ns"].iloc[-1] == 1


def test_adjustments_and_carry_over_count():
    listed = [dict(each) for each in PAIRS]
    listed[0] |= {"adjustment": -1.0}
    listed[3] |= {"carryover": 2.0}
    found = totals_here(*frames("matchpoints", by_hand(), listed))
    # N-S 1: 9.66 - 1 of 21. N-S 4: 9 + 2, and 9 of 21 in this game.
    assert found["score"].tolist()[:4] == [8.66, 16.72, 7, 11]
    assert found["percentage"].tolist()[:4] == [41.24, 79.62, 33.33, 42.86]


def test_sessions_of_an_event_are_scored_each_by_itself():
    games, contestants, boards = frames("matchpoints", by_hand(), PAIRS, sessions=2)
    boards = boards.assign(session=(boards["board"] > 3) + 1)
    found = totals_here(games, contestants, boards)
    assert found[["score", "percentage"]].isna().all(axis=None)
    # Boards 1 to 3 of N-S: 5, 7, 3.5, 2.5 of 9.
    assert found["session1"].tolist()[:4] == [5, 7, 3.5, 2.5]
    assert found["percentage1"].tolist()[:4] == [55.56, 77.78, 38.89, 27.78]
    assert found["session2"].tolist()[3] == 6.5


POINTS = [0, 50, 90, 100, 110, 140, 170, 420, 430, 620, 800, 1430]


@st.composite
def games_of_boards(draw: st.DrawFn, percents: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return results of a section or two: pairs of either direction meet once a board, not all of them everywhere."""
    found = []
    for field in draw(st.sampled_from([["A"], ["A", "B"]])):
        tables = draw(st.integers(2, 5))
        for board in range(1, draw(st.integers(2, 5)) + 1):
            for n in range(1, tables + 1):
                kind = draw(st.sampled_from(["played"] * 8 + ["not", "adjusted", "adjusted", "one side", "split"]))
                score = draw(st.sampled_from(POINTS)) * draw(st.sampled_from([1, -1]))
                row = result(board, n, (n + board - 2) % tables + 1, score) | {"field": field}
                if kind in ("not", "adjusted"):
                    row["score"] = None
                if kind == "adjusted":
                    row |= {f"{side}_adjusted": draw(st.sampled_from(percents)) for side in ("ns", "ew")}
                if kind == "one side":
                    row["ew_adjusted"] = draw(st.sampled_from(percents))
                if kind == "split":
                    row["ew_score"] = draw(st.sampled_from(POINTS))
                found.append(row)
    return found


def held_against_the_second(way: str, results: list[dict[str, Any]]) -> None:
    """Hold the points of each result and the totals of all pairs against the second implementation."""
    listed = sorted({(each["field"], d, each[s]) for each in results for s, d in (("ns", "N-S"), ("ew", "E-W"))})
    names = ("section", "direction", "number")
    games, contestants, boards = frames(way, results, [dict(zip(names, each, strict=True)) for each in listed])
    points, expected = points_here(way, boards, contestants), second.points(way, results)
    for side in ("ns", "ew"):
        held_equal(points[side].tolist(), [each[side] for each in expected], 1e-9)
    found = totals_here(games, contestants, boards)["score"].tolist()
    most = {field: most_boards(results, expected, field) for field in {each["field"] for each in results}}
    exact = [
        second.total(way, results, "ns" if direction == "N-S" else "ew", (section, number), most[section])
        for section, direction, number in listed
    ]
    held_equal(found, exact, 0.005 + 1e-6)


def held_equal(found: list[float], expected: list[Fraction | None], off: float) -> None:
    assert [pd.isna(each) for each in found] == [each is None for each in expected]
    assert all(abs(a - b) <= off for a, b in zip(found, expected, strict=True) if b is not None)


def most_boards(results: list[dict[str, Any]], points: second.Points, field: str) -> int:
    got = [
        (side, each[side])
        for each, had in zip(results, points, strict=True)
        for side in ("ns", "ew")
        if each["field"] == field and had[side] is not None
    ]
    return max((got.count(who) for who in set(got)), default=0)


@examples(36)
@given(games_of_boards((40, 50, 60, 70)))
def test_matchpoints_are_those_of_the_second_implementation(results):
    held_against_the_second("matchpoints", results)


@pytest.mark.parametrize("way", ["cross-imps", "cross-imps-factored", "butler"])
@examples(24)
@given(results=games_of_boards((40, 50, 60)))
def test_imps_are_those_of_the_second_implementation(way, results):
    held_against_the_second(way, results)


@pytest.mark.parametrize("way", ["board-a-match", "team-imps"])
@examples(24)
@given(
    played=st.lists(
        st.tuples(
            st.sampled_from([[1, 2], [3, 4], [1, 3]]),
            *(st.sampled_from([-420, -50, 0, 50, 420, None]),) * 2,
            *(st.sampled_from([None, None, None, 40, 60]),) * 4,
            st.sampled_from([None, None, None, -170]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_boards_of_teams_are_those_of_the_second_implementation(way, played):
    results = []
    for board, ((one, other), here, there, *percents, ruled) in enumerate(played, 1):
        adjusted = dict(zip(("ns_adjusted", "ew_adjusted"), percents[:2], strict=True))
        results.append(result(board, one, other, here, **adjusted, ew_score=None if here is None else ruled))
        adjusted = dict(zip(("ns_adjusted", "ew_adjusted"), percents[2:], strict=True))
        results.append(result(board, other, one, there, **adjusted))
    teams = [{"section": "A", "number": str(n)} for n in range(1, 5)]
    _, contestants, boards = frames(way, results, teams)
    points, expected = points_here(way, boards, contestants), second.points(way, results)
    for side in ("ns", "ew"):
        held_equal(points[side].tolist(), [each[side] for each in expected], 1e-9)


def test_averages_are_three_imps_and_none():
    """Law 12C2(b): average plus is 3 IMPs, average minus 3 below zero, and average 0; of 70% no IMPs are known."""
    boards = pd.DataFrame({"ns_adjusted": [60.0, 50, 40, 70, None], "ew_adjusted": [40.0, 50, 60, 70, None]})
    points = pd.DataFrame({"ns": [None, None, None, None, 5.0], "ew": [None, None, None, None, -5.0]}, dtype="float64")
    found = with_average_imps(boards, points)
    held_equal(found["ns"].tolist(), [3, 0, -3, None, 5], 1e-9)
    held_equal(found["ew"].tolist(), [-3, 0, 3, None, -5], 1e-9)


def test_board_a_match_by_hand():
    # Team 1 against 2: 420 and -400 is won, 50 and -50 tied; board 3 is adjusted for team 1 alone, and 2 lose by 10.
    rows = [result(1, 1, 2, 420), result(1, 2, 1, 400), result(2, 1, 2, 50), result(2, 2, 1, 50)]
    rows += [result(3, 1, 2, 430, ns_adjusted=60), result(3, 2, 1, 420)]
    teams = [{"section": "A", "number": str(n)} for n in (1, 2)]
    games, contestants, boards = frames("board-a-match", rows, teams, event_type="bam")
    found = totals_here(games, contestants, boards)
    assert found["score"].tolist() == [2.1, 0.5]
    assert found["percentage"].tolist() == [70, 16.67]


def test_teams_that_play_the_same_numbers_in_two_matches_have_points_of_both():
    """In round 1 team 1 beats 2 by 420 + 50, 10 IMPs; in round 2 they meet again on board 1, and 2 win by 20, 1 IMP.

    Board 2 of round 2 has one result, which counts for nothing. Laws 78A and 78B.
    """
    rows = [result(1, 1, 2, 420, round=1), result(1, 2, 1, -50, round=1)]
    rows += [result(1, 1, 2, 400, round=2), result(1, 2, 1, 420, round=2), result(2, 1, 2, 430, round=2)]
    teams = [{"section": "A", "number": str(n)} for n in (1, 2)]
    assert totals_here(*frames("team-imps", rows, teams))["score"].tolist() == [9, -9]
    found = totals_here(*frames("board-a-match", rows, teams))
    assert found[["score", "percentage"]].to_numpy().tolist() == [[1, 50], [1, 50]]


def test_scores_of_sections_with_different_maxima_are_raised_to_the_highest_where_sessions_are_added_up():
    # Three tables in A, a top of 2; two in B, a top of 1: what B has counts twice.
    rows = [result(1, n, n, score) for n, score in ((1, 420), (2, 50), (3, 0))]
    rows += [{**result(1, n, n, score), "field": "B"} for n, score in ((1, 100), (2, -50))]
    listed = [{"section": s, "direction": "N-S", "number": str(n)} for s in "AB" for n in range(1, 4)][:5]
    assert totals_here(*frames("matchpoints", rows, listed))["score"].tolist() == [2, 1, 0, 1, 0]
    found = totals_here(*frames("matchpoints", rows, listed, sessions=2))
    assert found["session1"].tolist() == [2, 1, 0, 2, 0]


def test_sections_may_be_scored_as_one_field():
    # Two tables of each section, a board: 420 and 50, 100 and -50. Together 3, 1, 2 and 0 of 3; apart 1 and 0 of 1.
    rows = [result(1, n, n, score) for n, score in ((1, 420), (2, 50))]
    rows += [{**result(1, n, n, score), "field": "B"} for n, score in ((1, 100), (2, -50))]
    listed = [{"section": s, "direction": d, "number": n} for s in "AB" for d in ("N-S", "E-W") for n in "12"]
    assert totals_here(*frames("matchpoints", rows, listed))["score"].tolist() == [1, 0, 0, 1] * 2
    together = totals_here(*frames("matchpoints", rows, listed, stored_scored_with="A=A, B=A"))
    assert together["score"].tolist() == [3, 1, 0, 2, 2, 0, 1, 3]


PBN = """[Event "E"]
[Date "2024.02.06"]
[Board "1"]
[TotalScoreTable "PairId;TotalMP;TotalPercentage;Names"]
1 1 100 "A B;C D"
2 0 0 "E F;G H"
3 0 25 "I J;K L"
4 1 100 "M N;O P"
[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]
1 2 4S N 10
3 4 4S N 9
"""


def test_rescoring_says_which_totals_differ_and_by_how_much():
    sheet = read(Source("game.pbn", PBN.encode()), rescore=True)
    assert sheet.contestants["percentage"].tolist() == [100, 0, 0, 100]
    (told,) = [each for each in sheet.remarks if each.code == "scores.rescored"]
    assert told.what == (
        "the totals are the matchpoints of its boards, scored here: 1 of 4 differ from what the file prints; "
        "A-3 has 0.00%, printed 25.00% (-25.00)"
    )
    assert read(Source("game.pbn", PBN.encode())).contestants["percentage"].tolist() == [100, 0, 25, 100]


CROSS = (
    '[Event "E"]\n[Scoring "IMP;Cross2"]\n{}[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 1 420\n'
    '2 2 420\n3 3 -50\n\n[Event "E"]\n[Board "2"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 110\n2 3 -50\n'
)
FACTORED, MEAN = [8, 2, -20, -10, -8, 13], [9, 1, -10, -5, -9, 14]


@pytest.mark.parametrize(
    ("printed", "keys", "found"),
    [
        ([], {}, FACTORED),
        ([], {"imps": "mean"}, MEAN),
        ([], {"imps": "factored"}, FACTORED),
        (FACTORED, {"rescore": True}, FACTORED),
        (MEAN, {"rescore": True}, MEAN),
        (MEAN, {"rescore": True, "imps": "factored"}, FACTORED),
    ],
)
def test_cross_imps_are_factored_where_results_lack_and_a_pair_sat_out(printed, keys, found):
    """Board 1: a difference of 470 is 10 IMPs, so 10 / 2 = 5, 5 and -10 to N-S. Board 2, played twice: 160 is 4 IMPs.

    4 x 3 / 2 / (3 - 1) = 3, and N-S 3 and E-W 1, who played one board of two, have theirs twice; or else the means.
    """
    pairs = [f"{n}{side}" for side in ("NS", "EW") for n in (1, 2, 3)]
    rows = "".join(f'{pair} {total} "A B;C D"\n' for pair, total in zip(pairs, printed, strict=False))
    text = CROSS.format(f'[TotalScoreTable "PairId;TotalIMP;Names"]\n{rows}' if printed else "")
    if printed:
        text = re.sub("^([123]) ([123]) ", r"\1NS \2EW ", text, flags=re.MULTILINE)
    sheet = read(Source("game.pbn", text.encode()), **keys)
    assert sheet.contestants["score"].tolist() == found
    assert ("imps = factored" in "".join(each.what for each in sheet.remarks)) == (found == FACTORED)


def test_totals_that_stand_are_said_to_where_there_is_nothing_to_score_them_from():
    sheet = read(Source("g.csv", b"number,player1,player2,score\n1,A B,C D,3\n2,E F,G H,1\n"), rescore=True)
    assert [each.code for each in sheet.remarks if each.code.startswith("scores")] == ["scores.not-rescored"]
    assert sheet.contestants["score"].tolist() == [3, 1]


def test_totals_of_sessions_that_are_not_in_the_file_stand():
    sheet = read(Source("game.pbn", PBN.encode()), rescore=True, sessions=2)
    assert [each.code for each in sheet.remarks if each.code.startswith("scores")] == ["scores.not-rescored"]
    assert sheet.contestants["percentage"].tolist() == [100, 0, 25, 100]


def test_boards_that_are_numbered_anew_in_every_match_are_not_scored_as_one():
    # Four pairs, three matches of board 1: each has three results of it, and only two are of the same deal.
    lines = ["1 2 420", "3 4 -50", "1 3 110", "2 4 140", "1 4 90", "2 3 100"]
    text = '[Event "E"]\n[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n' + "\n".join(lines) + "\n"
    with pytest.raises(InputError, match="many have several results of the same boards: their numbers begin anew"):
        read(Source("game.pbn", text.encode()))


def test_scores_that_are_not_in_percent_are_not_taken_for_matchpoints():
    text = re.sub(r"TotalPercentage;", "", PBN).replace(" 100 ", " ").replace("0 0 ", "0 ").replace("0 25 ", "0 ")
    with pytest.raises(InputError, match="nobody says how its boards are scored"):
        read(Source("game.pbn", text.encode()), rescore=True)
    assert read(Source("game.pbn", text.encode()), rescore=True, scoring="cross-imps").contestants[
        "score"
    ].tolist() == [10, -10, -10, 10]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["award", "convert", "check", "lint"])
def test_the_commands_rescore(tmp_path: Path, command: str):
    path = saved(tmp_path / "game.pbn", PBN)
    more = {"award": ["--rating", "club-open", "--boards", "1", "-o", "-", "--to", "json"]}
    more["convert"] = [tmp_path / "out.json"]
    done = run(command, path, *more.get(command, []), "--rescore")
    assert "A-3 has 0.00%, printed 25.00% (-25.00)" in done.out + done.err
    if command in ("award", "convert"):
        game = json.loads(done.out if command == "award" else (tmp_path / "out.json").read_text())["games"][0]
        percents = {each["number"]: each["percentage"] for each in game["contestants"]}
        assert percents == {"1": 100, "2": 0, "3": 0, "4": 100}


def bare_usebio() -> bytes:
    """Return the example with all of its participants' totals and places taken out."""
    text = (FIXTURES / "usebio-example.xml").read_text("latin-1")
    return re.sub(r"\s*<(PERCENTAGE|TOTAL_SCORE|PLACE)>[^<]*</\1>", "", text).encode("latin-1")


def test_the_remark_counts_adjusted_scores_that_are_the_pairs_own_percentage():
    # E-W 6 have average minus on board 3, and less than 40% on the others.
    (told,) = [
        each for each in read(FIXTURES / "usebio-example.xml", rescore=True).remarks if each.code == "scores.rescored"
    ]
    assert ", with the pair's own percentage for average plus or minus of 1 (Law 12C2): 1 of 6 differ" in told.what


@pytest.mark.slow
def test_usebio_without_totals_is_scored_without_asking():
    found = read(Source("a.xml", bare_usebio()))
    again = read(FIXTURES / "usebio-example.xml", rescore=True)
    assert found.contestants["score"].notna().all()
    assert found.contestants["score"].tolist() == again.contestants["score"].tolist()
    assert [each.code for each in found.remarks if each.code.startswith("scores.by")] == ["scores.by-boards"]


@pytest.mark.parametrize("kind", ["SWISS_TEAMS", "SWISS_PAIRS"])
def test_usebio_of_victory_points_without_totals_is_refused(kind: str):
    teams = bare_usebio().replace(b'EVENT_TYPE="PAIRS"', f'EVENT_TYPE="{kind}"'.encode())

    with pytest.raises(InputError, match="has no score"):
        read(Source("a.xml", teams))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game.json", "game.xml", "game.pbn", "results.txt"])
def test_what_was_scored_here_is_the_same_through_every_format(tmp_path: Path, name: str):
    path = tmp_path / name
    to = {"game.xml": "usebio", "results.txt": "jannersten"}.get(name)
    run("convert", FIXTURES / "devices-example.bws", path, *(["--to", to] if to else []))
    names = ["section", "direction", "number", "percentage"]
    first, second_ = (read(each).contestants[names] for each in (FIXTURES / "devices-example.bws", path))
    order = ["direction", "number"]
    assert first.sort_values(order).to_numpy().tolist() == second_.sort_values(order).to_numpy().tolist()
    assert re.search(r"\b([1-9][0-9]*) of \1 totals agree", run("check", path).out)


def test_a_pair_cannot_have_an_adjusted_score_at_imps_that_the_laws_do_not_say(tmp_path: Path):
    text = PBN.replace('Result"]', 'Result;Percentage_NS;Percentage_EW"]').replace("N 10", "N 10 - -")
    text = text.replace("3 4 4S N 9", "3 4 - - - ^70 ^30").replace(" - -\n", " ? ?\n")
    with pytest.raises(InputError, match="worth no IMPs that the Laws say"):
        read(Source("game.pbn", text.encode()), rescore=True, scoring="butler")
    same = read(Source("game.pbn", text.replace("^70 ^30", "^60 ^40").encode()), rescore=True, scoring="butler")
    assert same.contestants["score"].tolist() == [0, 0, 3, -3]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("A+X", "names section X, and there are results of A"),
        ("A", "invalid sections: 'A'"),
        ("A+A", "each section once"),
    ],
)
def test_sections_that_cannot_be_meant_are_refused(said: str, message: str):
    with pytest.raises(InputError, match=message):
        read(FIXTURES / "devices-example.bws", scored_across=said)


@pytest.mark.slow
def test_scores_that_are_means_of_a_board_are_known_for_such(tmp_path: Path):
    # Boards 1 and 2, nobody and N-S vulnerable: 420 and -50 are 10 IMPs apart, 620 and -100 are 12. Means of 11.
    path = tmp_path / "game.pbn"
    text = PBN.replace("TotalMP;TotalPercentage", "MeanIMP").replace('"A B', '"A B')
    for old, new in (("1 1 100", "1 11"), ("2 0 0", "2 -11"), ("3 0 25", "3 -11"), ("4 1 100", "4 11")):
        text = text.replace(old, new)
    more = '[Event "#"]\n[Date "#"]\n[Board "2"]\n[ScoreTable "#"]\n1 2 4S N 10\n3 4 4S N 9\n'
    more = more.replace('"#"]\n1', '"PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS"]\n1')
    more = more.replace("N 10", "N 10 620").replace("N 9", "N 9 -100")
    text = text.replace('Declarer;Result"]', 'Declarer;Result;Score_NS"]').replace("N 10", "N 10 420")
    path.write_text(text.replace("N 9", "N 9 -50") + "\n" + more)
    done = run("check", path)
    assert "4 of 4 totals agree" in done.out
    assert "the scores are means of a board" in done.err


def two_sections_of_devices() -> bytes:
    """Return a database of two sections, two tables and a board each: 420 and -50 in A, 100 to E-W and 0 in B."""
    sections = [{"ID": n, "Letter": name, "Tables": 2, "Winners": 2} for n, name in ((1, "A"), (2, "B"))]
    names = ("Section", "Table", "PairNS", "PairEW", "NS/EW", "Contract", "Result")
    played = [
        (1, 1, 1, 1, "N", "4 S", "="),
        (1, 2, 2, 2, "N", "4 S", "-1"),
        (2, 1, 1, 1, "N", "4 S", "-2"),
        (2, 2, 2, 2, None, "PASS", None),
    ]
    rows = [dict(zip(names, each, strict=True)) | {"ID": n, "Round": 1, "Board": 1} for n, each in enumerate(played)]
    return made.database({"Section": (made.SECTION, sections), "ReceivedData": (made.RECEIVED, rows)})


PBN_OF_SECTIONS = """[Event "E"]
[Board "1"]
[ScoreTable "Section;PairId_NS;PairId_EW;Score_NS"]
A 1 1 420
A 2 2 -50
B 1 1 -100
B 2 2 0
"""


def results_txt(across: str) -> bytes:
    """Return the same as Jannersten's programs write it; across: whether the game is scored across the field."""
    lines = ["[GAME]", *(f"{section};;1;;;;;;;;;;{across}" for section in "AB"), "[Contestants]"]
    lines += [f'{section};{n};{seat};"{seat} {n}";;;;' for section in "AB" for n in (1, 2) for seat in "NSEW"]
    lines.append("[RESULTS]")
    for section, n, score in (("A", 1, 420), ("A", 2, -50), ("B", 1, -100), ("B", 2, 0)):
        lines.append(f"#01;{section};1;{n};{n};;;{score}" + ";" * 14)
    return "\r\n".join(lines).encode()


# Of three to beat, 420, 0, -50 and -100 have 3, 2, 1 and 0; by sections the better one has 1.
ONE_FIELD = {"A": [3, 1, 0, 2], "B": [0, 2, 3, 1]}
BY_SECTIONS = {"A": [1, 0, 0, 1], "B": [0, 1, 1, 0]}


@pytest.mark.parametrize(
    ("source", "keys", "expected"),
    [
        (Source("a.bws", two_sections_of_devices()), {}, BY_SECTIONS),
        (Source("a.bws", two_sections_of_devices()), {"scored_across": "all"}, ONE_FIELD),
        (Source("a.pbn", PBN_OF_SECTIONS.encode()), {}, BY_SECTIONS),
        (Source("a.pbn", PBN_OF_SECTIONS.encode()), {"scored_across": "B+A"}, ONE_FIELD),
        (Source("results.txt", results_txt("")), {}, BY_SECTIONS),
        (Source("results.txt", results_txt("1")), {}, ONE_FIELD),
        (Source("results.txt", results_txt("1")), {"scored_across": "none"}, BY_SECTIONS),
    ],
)
def test_formats_are_scored_in_sections_or_across(source: Source, keys: dict[str, str], expected: dict[str, list[int]]):
    contestants = read(source, **keys).contestants
    order = contestants.assign(east_west=contestants["direction"] == "E-W").sort_values(["east_west", "number"])
    assert order.groupby("section")["score"].agg(list).to_dict() == expected


def test_what_the_settings_say_of_scoring_holds(tmp_path: Path):
    (tmp_path / "resultproc.toml").write_text('scoring = "butler"\nscored_across = "all"\n')
    (tmp_path / "a.pbn").write_text(PBN_OF_SECTIONS)
    # 420, 0, -50 and -100: without the extremes the mean is -25, the datum -30. 450, 30, -20 and -70 are 10, 1, -1, -2.
    # To E-W the mean is 25, the datum 30.
    found = read(tmp_path / "a.pbn").contestants
    assert found[found["direction"] == "N-S"]["score"].tolist() == [10, -1, -2, 1]
    assert found[found["direction"] == "E-W"]["score"].tolist() == [-10, 1, 2, -1]


@real
@pytest.mark.slow
def test_real_games_are_scored_as_they_are_printed():
    """Of 20 games the totals of two differ.

    game01, first game: a session of an event whose scores are raised to the maximum of the other one, in another file.
    game04: the scores of section B are raised from a maximum of 96 to 120 and rounded (50.78 to 63.47), and percentages
    follow from that (52.89, for 52.90), of two pairs by a hundredth.
    """
    told: dict[str, int] = {}
    for path in sorted((SAMPLES / "gamefiles").glob("game*.AC*")):
        for remark in read(path, rescore=True).remarks:
            if remark.code == "scores.rescored" and "they are as the file prints them" not in remark.what:
                told[remark.game] = int(re.search("([0-9]+) of [0-9]+ differ", remark.what)[1])
    assert told == {"game01-ACM-1": 17, "game04-ACM-1": 2}
