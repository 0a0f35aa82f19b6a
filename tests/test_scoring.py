"""Board results scored: matchpoints, factoring, adjusted scores, IMPs, and contestants' totals."""

import pandas as pd
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from resultproc.model.frames import BOARDS, CONTESTANTS
from resultproc.scoring.points import cross_imps, datum_imps, imps, matchpoints, totals


def boards(*rows: tuple) -> pd.DataFrame:
    """Return a boards frame of (board, ns, ew, score) rows; a score (60, 40) is an adjusted one."""
    records = [
        {
            "game_id": "g",
            "section": "A",
            "session": 1,
            "board": board,
            "ns": str(ns),
            "ew": str(ew),
            "score": None if isinstance(score, tuple) else score,
            "ns_adjusted": score[0] if isinstance(score, tuple) else None,
            "ew_adjusted": score[1] if isinstance(score, tuple) else None,
        }
        for board, ns, ew, score in rows
    ]
    return BOARDS.conform(pd.DataFrame(records))


def test_board_1_of_18_april_2012():
    # The nine N-S scores of that board and their matchpoints as the sheet prints them; E-W have the rest of 8.
    scores = [150, 140, 140, 120, 120, 90, 90, 90, 0]
    found = matchpoints(boards(*[(1, n, n, score) for n, score in enumerate(scores)]))
    assert found["ns"].tolist() == [8, 6.5, 6.5, 4.5, 4.5, 2, 2, 2, 0]
    assert found["ew"].tolist() == [0, 1.5, 1.5, 3.5, 3.5, 6, 6, 6, 8]


def test_a_board_with_fewer_results_is_factored_up():
    # Board 2 has 3 results where board 1 has 5: (m + 1/2) x 5/3 - 1/2 for m = 2, 1, 0 is 11/3, 2, 1/3 of a top of 4.
    rows = [(1, n, n, 100 * n) for n in range(5)] + [(2, n, n, -100 * n) for n in range(3)]
    found = matchpoints(boards(*rows))
    assert found["ns"].iloc[5:].tolist() == pytest.approx([11 / 3, 2, 1 / 3])
    assert (found["ns"] + found["ew"]).tolist() == pytest.approx([4] * 8)


def test_adjusted_scores_are_percentages_of_the_top():
    # Four tables, top 3; one result is adjusted to 60/40, so the others are 3 results factored to 4:
    # (m + 1/2) x 4/3 - 1/2 for m = 2, 1, 0 is 17/6, 3/2, 1/6. The adjusted pair gets 1.8 and 1.2.
    found = matchpoints(boards((1, 1, 1, 620), (1, 2, 2, 170), (1, 3, 3, -100), (1, 4, 4, (60, 40))))
    assert found["ns"].tolist() == pytest.approx([17 / 6, 3 / 2, 1 / 6, 1.8])
    assert found["ew"].iloc[3] == pytest.approx(1.2)


def test_an_adjusted_score_of_one_side_leaves_the_other_its_score():
    # E-W 3 get 60 percent of a top of 2 on a board that N-S 3 have played. N-S: 100 beats 50 and 0, none is factored.
    # E-W: -50 beats -100, two results factored to three: (m + 1/2) x 3/2 - 1/2 is 1/4 and 7/4.
    frame = boards((1, 1, 1, 100), (1, 2, 2, 50), (1, 3, 3, 0))
    frame.loc[2, "ew_adjusted"] = 60
    found = matchpoints(frame)
    assert found["ns"].tolist() == [2, 1, 0]
    assert found["ew"].tolist() == pytest.approx([1 / 4, 7 / 4, 1.2])


def test_a_split_score_counts_on_each_side_for_itself():
    # N-S 2 have 620, as N-S 1, and their opponents -170 in place of -620, which beats E-W 1 and loses to E-W 3's 100.
    frame = boards((1, 1, 1, 620), (1, 2, 2, 620), (1, 3, 3, -100))
    frame.loc[1, "ew_score"] = -170
    found = matchpoints(frame)
    assert found["ns"].tolist() == [1.5, 1.5, 0]
    assert found["ew"].tolist() == [0, 1, 2]


def test_sections_may_be_scored_together():
    frame = pd.concat([boards((1, 1, 1, 100), (1, 2, 2, 50)), boards((1, 1, 1, 80))], ignore_index=True)
    apart = frame.assign(section=["A", "A", "B"])
    assert matchpoints(apart)["ns"].tolist() == [1, 0, 0]
    together = apart.assign(scored_with=pd.Series([None, None, "A"], dtype="str"))
    assert matchpoints(together)["ns"].tolist() == [2, 0, 1]
    assert matchpoints(together)["top"].tolist() == [2, 2, 2]


def test_a_single_result_is_average_plus_to_both():
    # Board 2 is played once, where board 1 has a top of 2.
    found = matchpoints(boards((1, 1, 1, 100), (1, 2, 2, 50), (1, 3, 3, 0), (2, 1, 2, -800)))
    assert found.iloc[3].tolist() == pytest.approx([1.2, 1.2, 2])


def test_boards_not_played_count_for_nothing():
    found = matchpoints(boards((1, 1, 1, 100), (1, 2, 2, 50), (1, 3, 3, None)))
    assert found["ns"].tolist()[:2] == [1, 0]
    assert found.iloc[2].isna().all()


def test_a_board_met_twice_counts_once():
    # N-S 1 meet board 1 again against E-W 3, who get 60 percent of the top of 2; N-S 1 have their first 100 for it.
    frame = boards((1, 1, 1, 100), (1, 2, 2, 50), (1, 1, 3, 100), (2, 1, 1, 50), (2, 2, 2, 0))
    frame.loc[2, "ew_adjusted"] = 60
    people = pd.DataFrame({"game_id": "g", "section": "A", "direction": "N-S", "number": list("12"), "eligible": True})
    found = totals(frame, matchpoints(frame), CONTESTANTS.conform(people))
    # Board 1: N-S 1 have 1.5 of 2 as two equal results do, N-S 2 none. Board 2 has two results factored to three:
    # (m + 1/2) x 3/2 - 1/2 is 7/4 and 1/4. Sums 3.25 and 0.25 of 4.
    assert found["score"].tolist() == pytest.approx([3.25, 0.25])
    assert found["percentage"].tolist() == pytest.approx([81.25, 6.25])
    assert found["boards"].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("points", "worth"),
    [(0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (-420, -9), (430, 10), (3990, 23), (4000, 24), (-9000, -24)],
)
def test_the_imp_scale(points, worth):
    # Laws of Duplicate Bridge 2017, Law 78B: 20-40 is 1, 50-80 is 2, 370-420 is 9, 430-490 is 10, 4000 up is 24.
    assert imps(points) == worth


def test_cross_imps_are_the_mean_against_all_others():
    # 420, 420, -50: against each other 0 and 470 (10 IMPs); the mean of 0 and 10 is 5, of -10 and -10 is -10.
    assert cross_imps(boards((1, 1, 1, 420), (1, 2, 2, 420), (1, 3, 3, -50)))["ns"].tolist() == [5, 5, -10]


def test_the_datum_leaves_out_the_extremes_of_five():
    # 1100, 450, 430, 420, -50: without the first and last the mean is 433.33, the datum 430.
    # Differences 670, 20, 0, -10, -480 are 12, 1, 0, 0, -10 IMPs.
    found = datum_imps(boards(*[(1, n, n, s) for n, s in enumerate([1100, 450, 430, 420, -50])]))
    assert found["ns"].tolist() == [12, 1, 0, 0, -10]


def test_the_datum_leaves_out_the_extremes_of_four():
    # 1100, 450, 420, -50: without the first and last the mean is 435, the datum 440, and -440 for the same to E-W.
    # Differences 660, 10, -20, -490 are 12, 0, -1, -10 IMPs.
    scores = [1100, 450, 420, -50]
    for sign in (1, -1):
        found = datum_imps(boards(*[(1, n, n, sign * s) for n, s in enumerate(scores)]))
        assert found["ns"].tolist() == [sign * imp for imp in (12, 0, -1, -10)]


def test_three_scores_all_count_in_the_datum():
    # The mean of 500, 100 and 0 is 200. Differences 300, -100, -200 are 7, -3, -5 IMPs.
    assert datum_imps(boards((1, 1, 1, 500), (1, 2, 2, 100), (1, 3, 3, 0)))["ns"].tolist() == [7, -3, -5]


def test_a_sit_out_is_raised_to_the_boards_of_the_others():
    # Three pairs, one winner: 1 plays boards 1 and 2, the others one each. Every board has one result more at the
    # other table, so that the top is 1.
    frame = boards((1, 1, 2, 100), (1, 4, 5, 50), (2, 3, 1, -50), (2, 4, 5, -100))
    people = pd.DataFrame({"game_id": "g", "section": "A", "number": list("12345"), "eligible": True})
    found = totals(frame, matchpoints(frame), CONTESTANTS.conform(people))
    # 1: 1 + 0 of 2; 2: 0 of 1, raised to 0 of 2; 3: 1 raised to 2; 4: 0 + 0; 5: 1 + 1.
    assert found["score"].tolist() == [1, 0, 2, 0, 2]
    assert found["percentage"].tolist() == [50, 0, 100, 0, 100]
    assert found["boards"].tolist() == [2, 1, 1, 2, 2]


@examples(50)
@given(st.lists(st.integers(-200, 200).map(lambda n: n * 10), min_size=2, max_size=12), st.randoms())
def test_every_board_is_worth_the_same_and_order_changes_nothing(scores, random):
    rows = [(1, n, n, score) for n, score in enumerate(scores)]
    found = matchpoints(boards(*rows))
    assert found["ns"].sum() == pytest.approx(len(scores) * (len(scores) - 1) / 2)
    assert cross_imps(boards(*rows))["ns"].sum() == pytest.approx(0)
    order = list(range(len(rows)))
    random.shuffle(order)
    again = matchpoints(boards(*[rows[i] for i in order]))
    assert again["ns"].tolist() == found["ns"].iloc[order].tolist()
