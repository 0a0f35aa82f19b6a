"""Boards that cannot be right: each kind is told once, with what it would be if mended; a game without is silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import run
from samples import SAMPLES, real

from resultproc.reports.check import check
from resultproc.reports.lint import lint
from resultproc.stages.pipeline import process, process_event

# Seven tables of a Mitchell, two boards a round: contract, declarer, tricks and score of each board.
# Vulnerable are (Law 2) N-S on 2, 4, 5, 7, 10, 12, 13, E-W on 3, 4, 6, 7, 9, 10, 13.
BOARDS = {
    1: ("4S", "N", 10, 420),
    2: ("3NT", "S", 9, 600),
    3: ("2H", "E", 8, -110),
    4: ("4H", "W", 10, -620),
    5: ("1NT", "N", 7, 90),
    6: ("4S", "S", 10, 420),
    7: ("3NT", "N", 9, 600),
    8: ("2S", "E", 8, -110),
    9: ("4S", "E", 10, -620),
    10: ("3NT", "W", 9, -600),
    11: ("5C", "N", 11, 400),
    12: ("4H", "S", 10, 620),
    13: ("6S", "N", 12, 1430),
    14: ("2H", "S", 8, 110),
}
Row = dict[str, object]
Plant = Callable[[dict[tuple[int, int], Row]], None]


def played() -> dict[tuple[int, int], Row]:
    """Return the results by N-S pair and board: in round r table t plays set t + r against the pair that moved up."""
    rows = {}
    for table in range(1, 8):
        for round_ in range(5):
            set_, ew = (table + round_ - 1) % 7, (table - round_ - 1) % 7 + 1
            for board in (2 * set_ + 1, 2 * set_ + 2):
                contract, declarer, tricks, score = BOARDS[board]
                rows[table, board] = {
                    **{"board": board, "ns": table, "ew": ew, "contract": contract, "declarer": declarer},
                    **{"tricks": tricks, "score": score},
                }
    return rows


def pbn(rows: dict[tuple[int, int], Row], *, contracts: bool = True) -> str:
    """Return the results as PBN."""
    lines = ['[Event "Made"]', '[Date "2016.05.12"]', '[Scoring "MatchPoints"]']
    lines.append('[TotalScoreTable "PairId;MeanPercentage;Names"]')
    for side in ("NS", "EW"):
        lines += [f'{n}{side} 50.00 "{side} {n} one;{side} {n} two"' for n in range(1, 8)]
    for board in sorted({int(str(row["board"])) for row in rows.values()}):
        lines += ['[Event "#"]', '[Date "#"]', f'[Board "{board}"]']
        lines.append('[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Score_EW"]')
        for row in rows.values():
            if row["board"] == board:
                play = [row["contract"], row["declarer"], row["tricks"]] if contracts else ["-"] * 3
                lines.append(f"{row['ns']}NS {row['ew']}EW {play[0]} {play[1]} {play[2]} {row['score']} -")
    return "\n".join(lines) + "\n"


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., list[str]]:
    """Return what is doubtful about the boards of a game with something planted: code, where, what and hint."""

    def of(plant: Plant | None = None, *, contracts: bool = True) -> list[str]:
        rows = played()
        if plant:
            plant(rows)
        path = tmp_path / "game.pbn"
        path.write_text(pbn(rows, contracts=contracts))
        found = [remark for remark in lint(path).remarks if remark.code.startswith("boards.")]
        return [f"{each.code} {str(each).removeprefix('game.pbn: ')}" for each in found]

    return of


@pytest.mark.parametrize("contracts", [True, False])
def test_a_game_that_is_right_is_silent(told, contracts):
    assert told(contracts=contracts) == []


def test_a_score_is_held_against_its_contract(told):
    # Law 77: 2H by E on 3, vulnerable, eight tricks: 110 to E-W; seven are one down, 100 to N-S.
    def plant(rows):
        rows[1, 3]["score"] = 100

    assert told(plant) == [
        "boards.at-odds board 3: N-S 1 against E-W 7: 2H by E with 8 tricks scores -110, and the score is +100"
        " (write -110; or 7 tricks, if the score is right)"
    ]


def test_the_sign_is_held_against_the_direction(told):
    def plant(rows):
        rows[2, 4]["score"] = 620

    assert told(plant) == [
        "boards.at-odds board 4: N-S 2 against E-W 2: 4H by W with 10 tricks scores -620, and the score is +620:"
        " the sign is wrong (write -620)"
    ]


def test_a_contract_without_tricks_has_scores_that_it_cannot_have(told):
    # 4H by W on 4 scores 620 and more to E-W, or 100 for each trick down to N-S, never +620.
    def plant(rows):
        rows[2, 4] |= {"score": 620, "tricks": "-"}

    assert told(plant) == [
        "boards.at-odds board 4: N-S 2 against E-W 2: 4H by W cannot score +620: the sign is wrong (write -620)"
    ]


@pytest.mark.parametrize(
    ("board", "score", "remark"),
    [
        # Law 77: 3NT with an overtrick is 430 not vulnerable, 630 vulnerable; on 7 both sides are.
        (
            (1, 7),
            430,
            "no contract scores +430 with this board's vulnerability"
            " (write +630, which the same contract scores vulnerable)",
        ),
        # Next to 390 are 1NTX with two overtricks (80 + 50 + 50 + 2 x 100 = 380) and 3NT (100 + 300 = 400).
        ((1, 1), 390, "no contract scores +390 (correct the score: the nearest that there are are +380 and +400)"),
    ],
)
def test_a_score_that_no_contract_gives(told, board, score, remark):
    def plant(rows):
        rows[board]["score"] = score

    (found,) = told(plant, contracts=False)
    assert found.startswith("boards.of-no-contract board ")
    assert found.endswith(remark)


def test_more_than_13_tricks(told):
    def plant(rows):
        rows[1, 1]["tricks"] = 14

    assert told(plant) == [
        "boards.too-many-tricks board 1: N-S 1 against E-W 1: 4S is said to have made 14 tricks"
        " (correct the contract or the result: there are 13 tricks)"
    ]


def test_a_board_played_twice(told):
    # N-S 1 met E-W 7 on 3 and 4; with 1 for 3, both have two results of board 1.
    def plant(rows):
        rows[1, 3] |= {**played()[1, 1], "ew": 7}

    assert told(plant) == [
        "boards.played-twice board 1: N-S 1 against E-W 7: there are other results of 1 and 7 on the same:"
        " N-S 1 against E-W 1, N-S 4 against E-W 7 (delete it if it is wrong, or correct its pairs or board: to 3,"
        " the only one beside theirs that neither has)"
    ]


def test_the_same_result_twice(told):
    def plant(rows):
        rows[0, 1] = rows[1, 1]

    assert told(plant) == [
        "boards.played-twice board 1: N-S 1 against E-W 1: there are other results of 1 on the same:"
        " N-S 1 against E-W 1 (delete it if it is wrong, or correct its pairs or board)"
    ]


def test_a_pair_against_itself(tmp_path):
    path = tmp_path / "howell.pbn"
    rows = [f'{n} 50.00 "{n} one;{n} two"' for n in range(1, 8)]
    head = '[Event "Made"]\n[Date "2016.05.12"]\n[TotalScoreTable "PairId;MeanPercentage;Names"]\n' + "\n".join(rows)
    table = '\n[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 420\n3 3 420\n5 6 450\n'
    path.write_text(head + table)
    assert [str(each) for each in lint(path).remarks if each.code == "boards.against-itself"] == [
        "howell.pbn: board 1: N-S 3 against E-W 3: 3 cannot sit in both directions"
        " (correct the number of one of the pairs)"
    ]


@pytest.mark.parametrize("contracts", [True, False])
def test_the_fields_result_with_the_other_sign(told, contracts):
    # -420 in a sea of +420: 4S by E, not vulnerable on board 1.
    def plant(rows):
        rows[1, 1] |= {"declarer": "E", "score": -420}

    assert told(plant, contracts=contracts) == [
        "boards.opposite board 1: N-S 1 against E-W 1: the score is -420, and the others of the board have +420 or the"
        " like (write +420, if it is the sign or the declarer that is wrong)"
    ]


def test_a_suit_of_their_own_is_no_wrong_sign(told):
    # 4H by E makes on board 1, too: nobody else played in hearts.
    def plant(rows):
        rows[1, 1] |= {"contract": "4H", "declarer": "E", "score": -420}

    assert told(plant) == []


def test_a_round_with_the_directions_switched(told):
    # Table 1, round 1, boards 1 and 2: as if the pairs had sat the other way. 3NT by E on 2, not vulnerable: 400.
    def plant(rows):
        rows[1, 1] |= {"declarer": "E", "score": -420}
        rows[1, 2] |= {"declarer": "W", "score": -400}

    assert told(plant) == [
        "boards.opposite boards 1, 2: N-S 1 against E-W 1: on the boards 1, 2 these are the others' scores with the"
        " other sign: N-S seem to have sat E-W (change the directions of the two in this round)"
    ]


def test_a_round_shifted_by_a_board(told):
    # Table 1, round 2: 2H by E was entered on board 4 and 4H by W on board 3, both vulnerable on both boards.
    def plant(rows):
        one, other = rows[1, 3], rows[1, 4]
        rows[1, 3], rows[1, 4] = other | {"board": 3}, one | {"board": 4}

    assert told(plant) == [
        "boards.shifted boards 3, 4: N-S 1 against E-W 7: the results of the boards 3, 4 are unlike the others there,"
        " and like those of 4, 3 (write them for the boards 4, 3)"
    ]


def test_what_was_ruled_is_left_alone(tmp_path):
    # Weighted scores, one for each side, and adjusted percentages follow no contract.
    rows = pbn(played(), contracts=False)
    ruled = rows.replace("1NS 1EW - - - 420 -", "1NS 1EW - - - ^390 ^-390", 1)
    assert ruled != rows
    path = tmp_path / "game.pbn"
    path.write_text(ruled)
    assert [each for each in lint(path).remarks if each.code.startswith("boards.")] == []


def test_award_check_convert_and_batch_tell_it_too(tmp_path):
    rows = played()
    rows[2, 4]["score"] = 620
    path = tmp_path / "game.pbn"
    path.write_text(pbn(rows))
    keys = {"rating": "club-open"}
    assert "boards.at-odds" in {each.code for each in process(path, **keys).remarks}
    assert "boards.at-odds" in {each.code for each in process_event(path, **keys).remarks}
    assert "boards.at-odds" in {each.code for each in check(path, **keys).remarks}
    assert "the sign is wrong" in run("convert", path, tmp_path / "game.csv").err
    assert "the sign is wrong" in run("batch", path, "-o", tmp_path / "out", "--rating", "club-open").err
    assert "the sign is wrong" in (tmp_path / "out" / "report.json").read_text()


@real
def test_real_games_have_few_such_boards():
    """In 5,884 results there are four; at most one in 400 is wanted.

    - game01: N-S 1 and E-W 1 have boards 1 to 3 against each other, and both against others, too: right.
    - game01: -620 where the others have +620, +650, +680, +200 and so on: right, as far as scores can show it.
    - game01: -140 where N-S make game or go plus everywhere: perhaps not, E-W may have made nine tricks.
    - game06: on three boards of a round all results are those of the boards beside them: right, as far as scores show.
    """
    paths = sorted([*SAMPLES.glob("gamefiles/*.AC?"), *SAMPLES.glob("usebio/*.xml"), *SAMPLES.glob("acbl-live-*.json")])
    found = [each for each in lint(*paths).remarks if each.code.startswith("boards.") and "twosession" not in each.file]
    assert [(each.file, each.code, each.where) for each in found] == [
        ("game01.ACM", "boards.played-twice", "game game01-ACM-2, boards 1, 2, 3, table 1, round 1"),
        ("game01.ACM", "boards.opposite", "game game01-ACM-1, board 8, table 5, round 8"),
        ("game01.ACM", "boards.opposite", "game game01-ACM-2, board 7, table 3, round 1"),
        ("game06.ACA", "boards.shifted", "game game06-ACA-1, boards 13, 14, 15, table 8, round 8, section A"),
    ]
