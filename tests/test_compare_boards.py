"""Printed board results held against their scores: of whole games, and what is found where one number is another."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import FIXTURES
from samples import SAMPLES, real

from resultproc.formats.read import read, read_play
from resultproc.model.frames import BOARDS, CONTESTANTS, GAMES, Sheet
from resultproc.scoring.points import matchpoints
from resultproc.scoring.recompute import compare_boards

# Of each file the results with matchpoints, from tables, rounds and boards a round, a board with two results less than
# it has tables left out; and its contestants, which each have a score and a percentage.
MADE = {
    # 8 tables and 24 boards; four tables that meet a pair each, and 27; 6 tables and 24 with 4 and 25; 3 and 21.
    "made-qualifier.ACA": (8 * 24, 16),
    "made-howell.ACM": (4 * 27, 9),
    "made-two-games.ACM": (6 * 24 + 4 * 25 + 3 * 21, 12 + 9 + 7),
    "made-credited.ACA": (10 * 20 + 4 * 20, 20 + 8),
    "made-regular.ACA": (6 * 18 + 5 * 25, 12 + 10),
    # One result was not played.
    "made-sections.ACM": (2 * 5 * 25 + 4 * 25 - 1, 29),
    "event/made-final-1.ACM": (4 * 25, 9),
    "made-wednesday.json": (5 * 18, 11),
    "made-charity.json": (12 * 26, 25),
}
REAL = {"acbl-live-club-howell-2026.json": (90, 11), "acbl-live-club-charity-2026.json": (26 * 12, 25)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "results", "contestants"),
    [
        *((FIXTURES / name, *counts) for name, counts in MADE.items()),
        *(pytest.param(SAMPLES / name, *counts, marks=real) for name, counts in REAL.items()),
    ],
    ids=[*MADE, *REAL],
)
def test_games_are_scored_as_they_are_printed(path: Path, results: int, contestants: int) -> None:
    found = compare_boards(read(path), read_play(path)[0])
    assert found["agrees"].all()
    kinds = found["what"].str.split().str[0].value_counts()
    assert kinds.to_dict() == {"board": 2 * results, "score": contestants, "percentage": contestants}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["usebio-example.xml", "pbn-example.pbn"])
def test_other_formats_are_scored_as_they_are_printed(name: str) -> None:
    found = compare_boards(read(FIXTURES / name), read_play(FIXTURES / name)[0])
    assert found["agrees"].all()
    assert set(found["what"].str.split().str[0]) >= {"board", "percentage"}


@pytest.mark.slow
@real
def test_what_clubs_upload_is_scored_as_it_is_printed() -> None:
    # Eight Butler pairs at 4 tables with 35 boards, without percentages; seven N-S and six E-W with 21 boards, three of
    # which each N-S pair sat out: their scores are not raised.
    for name, results, kinds, contestants in (("usebio01.xml", 35 * 4, 1, 8), ("usebio03.xml", 21 * 6, 2, 13)):
        found = compare_boards(read(SAMPLES / "usebio" / name), read_play(SAMPLES / "usebio" / name)[0])
        assert found["agrees"].all()
        assert len(found) == 2 * results + kinds * contestants
    # One board has a result less than the others; its points are printed as they are before they are factored.
    found = compare_boards(read(SAMPLES / "usebio/usebio02.xml"), read_play(SAMPLES / "usebio/usebio02.xml")[0])
    assert found["agrees"].all()
    assert found["told"].str.contains("without the factor of Law 78A that the totals have").all()


def game(
    results: list[tuple[int, str, str, float, float, float]], contestants: pd.DataFrame
) -> tuple[Sheet, pd.DataFrame]:
    """Return a sheet of a section with two winners and its boards: number, N-S, E-W, score, and what is printed."""
    names = ["board", "ns", "ew", "score", "printed_ns", "printed_ew"]
    boards = BOARDS.conform(pd.DataFrame(results, columns=names).assign(game_id="g", section="A", session=1))
    listed = CONTESTANTS.conform(contestants.assign(game_id="g", section="A", eligible=True))
    return Sheet(GAMES.conform(pd.DataFrame({"game_id": ["g"]})), listed), boards


SEATS = pd.DataFrame({"direction": ["N-S", "N-S", "N-S", "E-W", "E-W", "E-W"], "number": list("123123")})

# Board 1: 100, 50, 50 beat two, half of one and half of one. Board 2: -50, 0 and 620 beat none, one and two.
MATCHPOINTS = [
    (1, "1", "1", 100, 2, 0),
    (1, "2", "2", 50, 0.5, 1.5),
    (1, "3", "3", 50, 0.5, 1.5),
    (2, "1", "2", -50, 0, 2),
    (2, "2", "3", 0, 1, 1),
    (2, "3", "1", 620, 2, 0),
]
# N-S 2, 1.5 and 2.5 of 4; E-W 0, 3.5 and 2.5.
TOTALS = {"score": [2, 1.5, 2.5, 0, 3.5, 2.5], "percentage": [50, 37.5, 62.5, 0, 87.5, 62.5]}


def wrong(sheet: Sheet, boards: pd.DataFrame) -> list[list[object]]:
    found = compare_boards(sheet, boards)
    return found.loc[~found["agrees"], ["contestant", "what", "printed", "computed"]].to_numpy().tolist()


def test_every_number_is_checked() -> None:
    sheet, boards = game(MATCHPOINTS, SEATS.assign(**TOTALS))
    found = compare_boards(sheet, boards)
    assert found["agrees"].all()
    assert len(found) == 2 * 6 + 2 * 6


@pytest.mark.slow
def test_another_number_is_found_with_what_it_should_be() -> None:
    results = [(1, "1", "1", 100, 1.5, 0), *MATCHPOINTS[1:]]
    totals = {"score": [2, 1.5, 3, 0, 3.5, 2.5], "percentage": [50, 37.5, 62.5, 0, 87.5, 60]}
    sheet, boards = game(results, SEATS.assign(**totals))
    expected = [[0, "board 1", "1.5", "2"], [2, "score", "3", "2.5"], [5, "percentage", "60", "62.5"]]
    assert wrong(sheet, boards) == expected
    found = compare_boards(sheet, boards)
    why = found.loc[~found["agrees"], "why"].tolist()
    assert why == ["matchpoints of 100 among the 3 scores of the board", *["the total of 2 boards"] * 2]


FIVE = pd.DataFrame({"direction": ["N-S"] * 5 + ["E-W"] * 5, "number": list("12345") * 2})
# Board 2 is as usual. On board 1 the result of 2 and 2 is set aside, average plus for one side and minus for the other:
# 60 and 40 percent of 4. Of the four others 100 beats three, 50 and 50 beat one and each other's half, -50 none: with
# the factor (m + 1/2) x 5 / 4 - 1/2 that is 3.875, 2, 2 and 0.125.
USUAL = [(2, str(n), str(n % 5 + 1), 10 * n, n - 1, 5 - n) for n in range(1, 6)]
ASIDE = [
    (1, "1", "1", 100, 3.88, 0.13),
    (1, "2", "2", 620, 2.4, 1.6),
    (1, "3", "3", 50, 2, 2),
    (1, "4", "4", 50, 2, 2),
    (1, "5", "5", -50, 0.13, 3.88),
]
# N-S 1 has 3.875 + 0 of 8, 2 has 2.4 + 1, 3 has 2 + 2, 4 has 2 + 3, 5 has 0.125 + 4; E-W 1 meets 5 on board 2 and
# has 0.125 + 0, 2 meets 1 and has 1.6 + 4, then 2 + 3, 2 + 2 and 3.875 + 1.
OF_EIGHT = [48.44, 42.5, 50, 62.5, 51.56, 1.56, 70, 62.5, 50, 60.94]


@pytest.mark.parametrize(
    ("points", "factored", "times", "text"),
    [
        ((2.4, 1.6), True, 1, "the result of 2 and 2 is set aside, and the others have the factor of Law 78A for that"),
        ((2.4, 2.4), True, 1, "the result of 2 and 2 is set aside, and the others have the factor of Law 78A for that"),
        ((2, 2), True, 1, "the result of 2 and 2 is set aside, and the others have the factor of Law 78A for that"),
        ((2.4, 1.6), True, 2, "the result of 2 and 2 is set aside, and the others have the factor of Law 78A for that"),
        ((1.8, 1.2), False, 1, "the result of 2 and 2 is set aside, and the others have no factor of Law 78A for that"),
    ],
)
def test_a_result_that_was_set_aside_is_known_by_the_points_of_its_board(
    points: tuple[float, float], factored: bool, times: int, text: str
) -> None:
    plain = [(3, 0), points, (1.5, 1.5), (1.5, 1.5), (0, 3)]
    on_board = [each[4:] for each in ASIDE] if factored else plain
    on_board[1] = points
    exact = [(3.875, 0.125), points, (2, 2), (2, 2), (0.125, 3.875)] if factored else plain
    shown = exact if times == 2 else on_board  # twice as much has two decimals and no more
    made = [(*each[:4], ns * times, ew * times) for each, (ns, ew) in zip(ASIDE, shown, strict=True)]
    usual = [(*each[:4], each[4] * times, each[5] * times) for each in USUAL]
    sheet, boards = game(made + usual, FIVE)
    found = compare_boards(sheet, boards)
    assert found["agrees"].all(), found[~found["agrees"]]
    assert len(found) == 20
    assert set(found["told"]) == {"", f"on board 1 {text}, and so they are compared"}


def test_the_totals_of_a_board_with_a_result_set_aside_are_compared_by_it() -> None:
    sheet, boards = game(ASIDE + USUAL, FIVE.assign(percentage=OF_EIGHT))
    assert compare_boards(sheet, boards)["agrees"].all()
    sheet, boards = game(ASIDE + USUAL, FIVE.assign(percentage=[49, *OF_EIGHT[1:]]))
    assert wrong(sheet, boards) == [[0, "percentage", "49", "48.44"]]


def test_a_wrong_number_sets_no_result_aside() -> None:
    # Without the second line the others would be 3.88, 2, 2 and 0.13; they have what all five scores give.
    slip = [
        (1, "1", "1", 100, 3, 1),
        (1, "2", "2", 620, 3, 0),
        (1, "3", "3", 50, 1.5, 2.5),
        (1, "4", "4", 50, 1.5, 2.5),
    ]
    sheet, boards = game([*slip, (1, "5", "5", -50, 0, 4), *USUAL], FIVE)
    assert wrong(sheet, boards) == [[1, "board 1", "3", "4"]]


# Boards 1 and 2 have two results where board 3 has three: (m + 1/2) x 3 / 2 - 1/2 is 1.75 and 0.25, printed as 1.8 and
# 0.3. N-S 3 and E-W 3 play board 3 alone.
FACTORED = [
    (1, "1", "1", 100, 1.8, 0.3),
    (1, "2", "2", 50, 0.3, 1.8),
    (2, "1", "2", 100, 1.8, 0.3),
    (2, "2", "1", 50, 0.3, 1.8),
    (3, "1", "3", 0, 0, 2),
    (3, "2", "1", 50, 1, 1),
    (3, "3", "2", 100, 2, 0),
]
OF_SIX = [58.33, 25, 100, 50, 33.33, 100]


@pytest.mark.slow
@pytest.mark.parametrize("sat_out", [2, 6], ids=["raw", "raised"])
def test_totals_may_be_rounded_after_the_sum_and_sit_outs_not_raised(sat_out: float) -> None:
    # 1.75 + 1.75 + 0 = 3.5; 0.25 + 0.25 + 1; 2 of the one board, which is 6 of three; 0.25 + 1.75 + 1; 1.75 + 0.25 + 0.
    scores = [3.5, 1.5, sat_out, 3, 2, sat_out]
    assert wrong(*game(FACTORED, SEATS.assign(score=scores, percentage=OF_SIX))) == []
    wrong_one = [*scores[:3], 3.1, *scores[4:]]
    assert wrong(*game(FACTORED, SEATS.assign(score=wrong_one, percentage=OF_SIX))) == [[3, "score", "3.1", "3"]]


def test_a_raw_sum_keeps_its_adjustment() -> None:
    # A penalty of 0.5 of the 6 that N-S 1 could have is 8.33 percent; of the 2 of E-W 3 it is 25.
    scores, percentages = [3, 1.5, 2, 3, 2, 1.5], [50, 25, 100, 50, 33.33, 75]
    adjusted = SEATS.assign(score=scores, percentage=percentages, adjustment=[-0.5, None, None, None, None, -0.5])
    assert wrong(*game(FACTORED, adjusted)) == []


@pytest.mark.slow
def test_adjusted_scores_say_so() -> None:
    others = [(2, "2", "3", 0, 0.25, 1.75), (2, "3", "1", 620, 1.75, 0.25)]
    sheet, boards = game([*MATCHPOINTS[:3], (2, "1", "2", None, 1.2, 1.2), *others], SEATS)
    boards.loc[3, ["ns_adjusted", "ew_adjusted"]] = (60, 40)
    found = compare_boards(sheet, boards)
    [row] = found[(found["what"] == "board 2") & ~found["agrees"] & (found["contestant"] == 4)].to_dict("records")
    assert (row["printed"], row["computed"], row["why"]) == ("1.2", "0.8", "adjusted to 40% of the top")


# Three results of each board, but the second has one that was adjusted: of two others, 1 and 0 matchpoints are 1.75 and
# 0.25 of 2 with the factor, and 50% of 2 is 1.
LAST_SHORT = [
    (1, "1", "1", 420, 2, 0),
    (1, "2", "2", 170, 1, 1),
    (1, "3", "3", -50, 0, 2),
    (2, "1", "2", 100, 1, 0),
    (2, "2", "3", 50, 0, 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("score", "percentage", "expected"),
    [
        (3.76, 93.75, []),
        (3.77, 93.75, [[0, "score", "3.77", "3.75"]]),
        (3.75, 93.76, [[0, "percentage", "93.76", "93.75"]]),
    ],
)
def test_only_a_score_may_be_off_by_what_is_rounded_unseen(
    score: float, percentage: float, expected: list[list[object]]
) -> None:
    totals = {"score": [score, 1.25, 1, 1, 1.25, 3.75], "percentage": [percentage, 31.25, 25, 25, 31.25, 93.75]}
    sheet, boards = game(LAST_SHORT, SEATS.assign(**totals))
    last = {"board": [2], "ns": ["3"], "ew": ["1"], "printed_ns": [0.5], "printed_ew": [0.5]}
    adjusted = boards.iloc[:1].assign(**last, score=np.nan, ns_adjusted=50.0, ew_adjusted=50.0)
    boards = BOARDS.conform(pd.concat([boards, adjusted], ignore_index=True))
    assert wrong(sheet, boards) == expected


@pytest.mark.slow
def test_two_matchpoints_may_be_given_for_a_result_beaten() -> None:
    doubled = [(*row[:4], 2 * row[4], 2 * row[5]) for row in MATCHPOINTS]
    sheet, boards = game(doubled, SEATS.assign(percentage=TOTALS["percentage"]))
    assert wrong(sheet, boards) == []
    assert wrong(*game([(1, "1", "1", 100, 3, 0), *doubled[1:]], SEATS)) == [[0, "board 1", "3", "4"]]


@pytest.mark.slow
def test_scores_may_be_raised_to_a_maximum() -> None:
    # To 100 in place of 4: 37.5 in place of 1.5. One score is not what it should be.
    sheet, boards = game(MATCHPOINTS, SEATS.assign(score=[50, 37.5, 60, 0, 87.5, 62.5]))
    assert wrong(sheet, boards) == [[2, "score", "60", "62.5"]]


@pytest.mark.slow
def test_a_penalty_is_no_difference() -> None:
    # N-S 2 lose half a matchpoint: 1 of 4.
    totals = {"score": [2, 1, 2.5, 0, 3.5, 2.5], "percentage": [50, 25, 62.5, 0, 87.5, 62.5]}
    people = SEATS.assign(adjustment=[None, -0.5, None, None, None, None])
    assert wrong(*game(MATCHPOINTS, people.assign(**totals))) == []
    assert wrong(*game(MATCHPOINTS, people.assign(percentage=totals["percentage"]))) == []
    expected = [[1, "score", "1.5", "1"], [1, "percentage", "37.5", "25"]]
    assert wrong(*game(MATCHPOINTS, people.assign(**TOTALS))) == expected
    sheet, boards = game(MATCHPOINTS, people.assign(**TOTALS))
    assert compare_boards(sheet, boards)["why"].tolist().count("the total of 2 boards and an adjustment of -0.5") == 2


@pytest.mark.slow
def test_numbers_are_held_to_their_own_decimals() -> None:
    # Three results on board 1, two on board 2, factored up: (m + 1/2) x 3/2 - 1/2 is 1.75 and 0.25, printed to one
    # decimal as 1.8 and 0.3 (the half goes up). The total of 2 and 0.3 of 4 is 57.5 percent.
    results = [*MATCHPOINTS[:3], (2, "1", "2", 0, 0.3, 1.8), (2, "2", "3", 50, 1.8, 0.3)]
    sheet, boards = game(results, SEATS.assign(score=[2.3, 2.3, None, None, 3.3, 1.8]))
    assert wrong(sheet, boards) == []
    boards.loc[3, "printed_ns"] = 0.4
    assert wrong(sheet, boards)[0] == [0, "board 2", "0.4", "0.25"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "totals"),
    [
        # Against the two others: 100 wins 2 x 50 points (2 IMPs each), -50 loses 50 and 670 points (2 and 12).
        ([2, -1, -1, -7, -5, 12], [-5, -6, 11]),
        # Against the mean of three scores, 66.67 and 190, that is 70 and 190: 30, -20, -20; -240, -190, 430 points.
        ([1, -1, -1, -6, -5, 10], [-5, -6, 9]),
    ],
)
def test_imps_are_known_by_what_is_printed(points: list[float], totals: list[float]) -> None:
    results = [(*row[:4], imps, -imps) for row, imps in zip(MATCHPOINTS, points, strict=True)]
    ew = [-points[0] - points[5], -points[1] - points[3], -points[2] - points[4]]
    sheet, boards = game(results, SEATS.assign(score=[*totals, *ew]))
    assert wrong(sheet, boards) == []
    assert wrong(sheet, boards.assign(printed_ns=boards["printed_ns"] + [0, 0, 0, 0, 0, 1]))[0][:2] == [2, "board 2"]


def test_totals_of_imps_may_be_scaled_to_the_boards_of_others() -> None:
    # On board 2 the third N-S and the first E-W sat out, and 50 points are 2 IMPs: what they won on board 1 is doubled.
    results = [(*row[:4], imps, -imps) for row, imps in zip(MATCHPOINTS[:5], [2, -1, -1, -2, 2], strict=True)]
    found = compare_boards(*game(results, SEATS.assign(score=[0, 1, -2, -4, 3, -1])))
    assert found["agrees"].all()
    assert found["told"][found["what"] == "score"].str.contains("scaled to as many boards").all()


@pytest.mark.slow
def test_a_session_is_held_to_its_own_score() -> None:
    sheet, boards = game(MATCHPOINTS, SEATS.assign(session2=TOTALS["score"], score=100))
    assert wrong(sheet, boards.assign(session=2)) == []
    several = pd.concat([boards.assign(session=1), boards.assign(session=2)], ignore_index=True)
    found = compare_boards(sheet, several)
    assert found["agrees"].all()
    assert (found["what"] == "score").sum() == 6


@pytest.mark.slow
def test_what_is_not_printed_or_not_known_is_not_checked() -> None:
    sheet, boards = game(MATCHPOINTS, SEATS)
    assert compare_boards(sheet, boards.assign(printed_ns=None, printed_ew=None).astype(boards.dtypes)).empty
    assert compare_boards(sheet, BOARDS.empty()).empty
    teams = replace(sheet, games=sheet.games.assign(event_type="swiss"))
    assert compare_boards(teams, boards).empty
    strangers = boards.assign(ns="9")
    assert set(compare_boards(sheet, strangers)["contestant"]) == {3, 4, 5}


@pytest.mark.slow
def test_several_games_are_told_apart() -> None:
    sheet, boards = game(MATCHPOINTS, SEATS.assign(**TOTALS))
    second = Sheet(sheet.games.assign(game_id="h"), sheet.contestants.assign(game_id="h", score=1))
    both = Sheet(*(pd.concat(pair, ignore_index=True) for pair in zip(sheet, second, strict=True)))
    found = wrong(both, pd.concat([boards, boards.assign(game_id="h")], ignore_index=True))
    assert {row for row, *_ in found} <= set(range(6, 12))
    assert found
    assert matchpoints(boards)["ns"].tolist() == [2, 0.5, 0.5, 0, 1, 2]
