"""What contracts score, against Law 77 of the Laws of Duplicate Bridge 2017.

The figures stand here as the Law has them, trick by trick. Every cell is added up from them one trick after the other.
"""

import pandas as pd
import pytest

from resultproc.model.at_the_table import vulnerable
from resultproc.scoring.contracts import CONTRACTS, contract_scores, scores_of_contracts

# Law 77, trick score: "for each odd trick bid and made"; notrump: the first, each additional one.
ODD_TRICK = {"C": [20] * 7, "D": [20] * 7, "H": [30] * 7, "S": [30] * 7, "NT": [40] + [30] * 6}
TIMES = {"": 1, "X": 2, "XX": 4}

# Overtricks: "undoubled, trick value"; "doubled 100, 200"; "redoubled 200, 400".
OVERTRICK = {"X": {False: 100, True: 200}, "XX": {False: 200, True: 400}}

# Undertricks: the first three, one by one, and every further one.
UNDERTRICKS = {
    ("", False): ([50, 50, 50], 50),
    ("", True): ([100, 100, 100], 100),
    ("X", False): ([100, 200, 200], 300),
    ("X", True): ([200, 300, 300], 300),
    ("XX", False): ([200, 400, 400], 600),
    ("XX", True): ([400, 600, 600], 600),
}

# Premiums: making a doubled contract 50, a redoubled one 100; slams; game 300, 500; a contract less than game 50.
INSULT = {"": 0, "X": 50, "XX": 100}
SLAM = {6: {False: 500, True: 750}, 7: {False: 1000, True: 1500}}
GAME = {False: 300, True: 500}
NO_GAME = 50


def worked(contract: str, is_vulnerable: bool, tricks: int) -> int:
    """Return the score to declarer's side, added up trick by trick."""
    level, bid = int(contract[0]), contract[1:].rstrip("X")
    doubled = contract[1 + len(bid) :]
    over = tricks - 6 - level
    if over < 0:
        first, each = UNDERTRICKS[doubled, is_vulnerable]
        return -sum((first + [each] * 10)[:-over])
    trick_points = sum(ODD_TRICK[bid][:level]) * TIMES[doubled]
    score = trick_points + INSULT[doubled] + (GAME[is_vulnerable] if trick_points >= 100 else NO_GAME)
    score += SLAM.get(level, {}).get(is_vulnerable, 0)
    each_over = ODD_TRICK[bid][1] if doubled == "" else OVERTRICK[doubled][is_vulnerable]
    return score + over * each_over


@pytest.mark.parametrize("is_vulnerable", [False, True])
@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_cell_of_law_77(contract, is_vulnerable):
    found = scores_of_contracts()[CONTRACTS.index(contract), int(is_vulnerable)]
    assert found.tolist() == [worked(contract, is_vulnerable, tricks) for tricks in range(14)]


def test_there_are_the_35_contracts_three_ways_each():
    assert len(set(CONTRACTS)) == 35 * 3
    assert scores_of_contracts().shape == (105, 2, 14)


def results(*rows):
    frame = pd.DataFrame(rows, columns=["board", "contract", "declarer", "tricks"])
    return frame.astype({"contract": "str", "declarer": "str", "tricks": "Int64"})


def test_the_side_is_the_declarers_and_the_vulnerability_the_boards():
    # Law 2: on board 1 nobody is vulnerable, on 2 and 5 N-S, on 3 E-W, on 4 both; 17 is as 1.
    found = contract_scores(
        results(
            (1, "4S", "N", 10),
            (2, "4S", "S", 10),
            (2, "4S", "E", 10),
            (3, "4S", "W", 10),
            (4, "4S", "E", 9),
            (5, "4S", "W", 9),
            (17, "3NT", "N", 9),
            (7, "Pass", None, None),
        )
    )
    assert found.tolist() == [420, 620, -420, -620, 100, 50, 400, 0]


def test_what_is_not_known_scores_nothing():
    found = contract_scores(results((1, None, "N", 10), (1, "4S", None, 10), (1, "4S", "N", None), (1, "4S", "N", 14)))
    assert found.tolist() == pytest.approx([float("nan")] * 4, nan_ok=True)


def test_vulnerability_goes_by_the_board_over_16_boards():
    # Law 2: N-S on 2, 4, 5, 7, 10, 12, 13, 15; E-W on 3, 4, 6, 7, 9, 10, 13, 16.
    north_south, east_west = {2, 4, 5, 7, 10, 12, 13, 15}, {3, 4, 6, 7, 9, 10, 13, 16}
    for board in range(1, 65):
        place = (board - 1) % 16 + 1
        said = {"none": (False, False), "N-S": (True, False), "E-W": (False, True), "both": (True, True)}
        assert said[vulnerable(board)] == (place in north_south, place in east_west)


@pytest.mark.parametrize(
    ("contract", "not_vulnerable", "is_vulnerable", "tricks"),
    [
        ("1NT", 90, 90, 7),
        ("2S", 110, 110, 8),
        ("2S", -50, -100, 7),
        ("3NT", 400, 600, 9),
        ("3NT", 430, 630, 10),
        ("4S", 420, 620, 10),
        ("5C", 400, 600, 11),
        ("2HX", 470, 670, 8),
        ("2DX", 180, 180, 8),
        ("2DXX", 560, 760, 8),
        ("1NTXX", 560, 760, 7),
        ("3NTX", 550, 750, 9),
        ("4SX", -800, -1100, 6),
        ("6S", 980, 1430, 12),
        ("6NT", 990, 1440, 12),
        ("7C", 1440, 2140, 13),
        ("7NT", 1520, 2220, 13),
        ("7NTXX", -(200 + 2 * 400 + 10 * 600), -(400 + 12 * 600), 0),
    ],
)
def test_the_scores_that_players_know(contract, not_vulnerable, is_vulnerable, tricks):
    cells = scores_of_contracts()[CONTRACTS.index(contract), :, tricks].tolist()
    assert cells == [not_vulnerable, is_vulnerable]
