"""Boards that cannot be right: each kind is told once, with what it would be if mended; a game without is silent."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ALL, PROJECT, run, saved
from samples import SAMPLES, real

from resultproc.formats.read import drafted
from resultproc.model.draft import play_of, together
from resultproc.model.source import Source
from resultproc.reports.check import check
from resultproc.reports.lint import lint
from resultproc.stages.doubts import doubts_of_boards
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


def percentages(rows: dict[tuple[int, int], Row]) -> dict[str, float]:
    """Return what each pair has in percent of what it could have had: a result is worth the results that it beats."""
    got: dict[str, list[float]] = {}
    for row in rows.values():
        others = [
            int(str(each["score"])) for each in rows.values() if each["board"] == row["board"] and each is not row
        ]
        score = int(str(row["score"]))
        won = sum((score > other) + (score == other) / 2 for other in others)
        for name, points in ((f"{row['ns']}NS", won), (f"{row['ew']}EW", len(others) - won)):
            got.setdefault(name, []).append(100 * points / (len(others) or 1))
    return {name: round(sum(each) / len(each), 2) for name, each in got.items()}


def pbn(rows: dict[tuple[int, int], Row], *, contracts: bool = True) -> str:
    """Return the results as PBN, with the totals that they give."""
    total = percentages(rows)
    lines = ['[Event "Made"]', '[Date "2016.05.12"]', '[Scoring "MatchPoints"]']
    lines.append('[TotalScoreTable "PairId;MeanPercentage;Names"]')
    for side in ("NS", "EW"):
        lines += [f'{n}{side} {total[f"{n}{side}"]:.2f} "{side} {n} one;{side} {n} two"' for n in range(1, 8)]
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
        path = saved(tmp_path / "game.pbn", pbn(rows, contracts=contracts))
        found = [remark for remark in lint(path).remarks if remark.code.startswith("boards.")]
        return [f"{each.code} {str(each).removeprefix('game.pbn: ')}" for each in found]

    return of


@pytest.mark.parametrize("contracts", [True, False])
def test_a_game_that_is_right_is_silent(told, contracts):
    assert told(contracts=contracts) == []


def test_a_score_is_held_against_its_contract(told):
    # Everybody has 50% but for it: it makes N-S 1 first and E-W 7 last, the four others N-S who met board 3 fourth, and
    # the two E-W who did not fifth. Without it all are first, six N-S and three E-W that were not.
    # Law 77: 2H by E on 3, vulnerable, eight tricks: 110 to E-W; seven are one down, 100 to N-S.
    def plant(rows):
        rows[1, 3]["score"] = 100

    assert told(plant) == [
        "boards.at-odds board 3: N-S 1 against E-W 7: 2H by E with 8 tricks scores -110, and the score is +100"
        " (write -110; then E-W 7 is 1st instead of 7th, N-S 2 is 1st instead of 4th, N-S 5 is 1st instead of 4th, and"
        " 6 more change places; or 7 tricks, if the score is right)"
    ]


def test_the_sign_is_held_against_the_direction(told):
    def plant(rows):
        rows[2, 4]["score"] = 620

    assert told(plant) == [
        "boards.at-odds board 4: N-S 2 against E-W 2: 4H by W with 10 tricks scores -620, and the score is +620:"
        " the sign is wrong (write -620; then E-W 2 is 1st instead of 7th, N-S 1 is 1st instead of 4th, N-S 5 is 1st"
        " instead of 4th, and 6 more change places)"
    ]


def test_a_contract_without_tricks_has_scores_that_it_cannot_have(told):
    # 4H by W on 4 scores 620 and more to E-W, or 100 for each trick down to N-S, never +620.
    def plant(rows):
        rows[2, 4] |= {"score": 620, "tricks": "-"}

    assert told(plant) == [
        "boards.at-odds board 4: N-S 2 against E-W 2: 4H by W cannot score +620: the sign is wrong (write -620; then"
        " E-W 2 is 1st instead of 7th, N-S 1 is 1st instead of 4th, N-S 5 is 1st instead of 4th, and 6 more change"
        " places)"
    ]


@pytest.mark.parametrize(
    ("board", "score", "remark"),
    [
        # Law 77: 3NT with an overtrick is 430 not vulnerable, 630 vulnerable; on 7 both sides are.
        (
            (1, 7),
            430,
            "no contract scores +430 with this board's vulnerability"
            " (write +630, which the same contract scores vulnerable",
        ),
        # Next to 390 are 1NTX with two overtricks (80 + 50 + 50 + 2 x 100 = 380) and 3NT (100 + 300 = 400).
        ((1, 1), 390, "no contract scores +390 (correct the score: the nearest that there are are +380 and +400)"),
        # One down is 50 to the others not vulnerable, and 100 vulnerable, as N-S are on 2.
        (
            (1, 2),
            -50,
            "no contract scores -50 with this board's vulnerability"
            " (write -100, which the same contract scores vulnerable",
        ),
    ],
)
def test_a_score_that_no_contract_gives(told, board, score, remark):
    def plant(rows):
        rows[board]["score"] = score

    (found,) = told(plant, contracts=False)
    assert found.startswith("boards.of-no-contract board ")
    assert remark in found


def test_more_than_13_tricks(told):
    def plant(rows):
        rows[1, 1]["tricks"] = 14

    assert told(plant) == [
        "boards.too-many-tricks board 1: N-S 1 against E-W 1: 4S is said to have made 14 tricks"
        " (correct the contract or the result: there are 13 tricks, and the score +420 is that of 10)"
    ]


def test_fewer_tricks_than_none():
    # 7NT that is 14 down.
    draft = drafted(Source("game.pbn", pbn(played()).encode()))
    boards, deals = play_of([draft])
    boards.loc[0, ["contract", "tricks", "score"]] = ["7NT", -1, None]
    assert [str(each) for each in doubts_of_boards(together([draft]), boards, deals)] == [
        "game.pbn: board 1: N-S 1 against E-W 1: 7NT is said to have made -1 tricks, and counts for nothing"
        " (correct the contract or the result: there are 13 tricks)"
    ]


def test_a_board_of_another_round(told):
    # Tables met 1 and 2 together, and 9 and 10; N-S 6 and E-W 6 met none of 7 and 8. On 8, N-S 6's +400 beats five
    # results of -110, which have 40% each: N-S 5, who did not meet it, are 2nd, the five others 3rd. Of E-W five have
    # 51% in all, one 50% and E-W 6 45%. Mended, all have 50% and are first: eight were not.
    def plant(rows):
        rows[6, 11]["board"] = 8

    assert told(plant) == [
        "boards.of-another-round boards 8, 12: N-S 6 against E-W 6: the boards 8, 12 are of two rounds"
        " (correct the board: 8 to 11; then E-W 6 is 1st instead of 7th, N-S 1 is 1st instead of 3rd, N-S 2 is 1st"
        " instead of 3rd, and 5 more change places; or 12 to 7)"
    ]


def test_a_board_of_another_round_among_three(tmp_path):
    """Three tables and three rounds of three boards, all flat: 12 is none of those that N-S 1 met E-W 1 on.

    A single result is 60% to both (Law 12C2): they have 8 x 50 + 60 of 9, and what all others have once it is mended.
    """
    lines = ['[Event "Made"]', '[Date "2016.05.12"]', '[TotalScoreTable "PairId;MeanPercentage;Names"]']
    for side in ("NS", "EW"):
        lines += [f'{n}{side} {51.11 if n == 1 else 50:.2f} "{side} {n} one;{side} {n} two"' for n in (1, 2, 3)]
    for board in range(1, 13):
        lines += ['[Event "#"]', '[Date "#"]', f'[Board "{board}"]', '[ScoreTable "PairId_NS;PairId_EW;Score_NS"]']
        for table in (1, 2, 3):
            round_ = ((board - 1) // 3 - table + 1) % 3
            is_stray = (table, round_, board) == (1, 0, 2)
            if board < 10 and not is_stray:
                lines.append(f"{table}NS {(table - round_ - 1) % 3 + 1}EW 110")
        if board == 12:
            lines.append("1NS 1EW 110")
    path = saved(tmp_path / "game.pbn", "\n".join(lines) + "\n")
    assert [str(each) for each in lint(path).remarks if each.code.startswith("boards.")] == [
        "game.pbn: board 12: N-S 1 against E-W 1: of the boards 1, 3, 12 of this round, board 12 is one of another"
        " round (write it for board 2; then N-S 2 is 1st instead of 2nd, N-S 3 is 1st instead of 2nd, E-W 2 is 1st"
        " instead of 2nd, and 1 more changes places)"
    ]


DEAL = '[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n[ScoreTable "PairId_NS'


def with_leads(rows: dict[tuple[int, int], Row], leads: dict[int, str]) -> str:
    """Return the results as PBN, with a hand of one suit for each player on every board, and some leads on board 1."""
    text = pbn(rows).replace('[ScoreTable "PairId_NS', DEAL).replace("Score_NS;Score_EW", "Score_NS;Score_EW;Lead")
    before, of_board = text.split('[Board "1"]')
    of_board, after = of_board.split('[Event "#"]', 1)
    line = re.compile(r"^(\d)NS \dEW.*$", re.MULTILINE)
    of_board = line.sub(lambda found: f"{found[0]} {leads.get(int(found[1]), '-')}", of_board)
    return before + '[Board "1"]' + of_board + '[Event "#"]' + line.sub(r"\g<0> -", after)


def test_a_lead_of_declarers_side(tmp_path):
    """N has the spades and declares: no spade is led. East's heart is, and South's diamond is no lead either."""
    path = saved(tmp_path / "game.pbn", with_leads(played(), {1: "SA", 3: "HA", 4: "D2"}))
    assert [str(each) for each in lint(path).remarks if each.code.startswith("boards.")] == [
        "game.pbn: board 1: these leads are cards of declarer's side: SA on board 1, N-S 1 against E-W 1; D2 on"
        " board 1, N-S 4 against E-W 7 (correct them; where there are many, the hands may be those of other boards)"
    ]


def test_leads_are_told_with_table_and_round(tmp_path):
    path = tmp_path / "game.pbn"
    text = with_leads(played(), {1: "SA"}).replace('[ScoreTable "PairId_NS', '[ScoreTable "Table;Round;PairId_NS')
    path.write_text(re.sub(r"(?m)^(\dNS \dEW)", r"7 3 \1", text))
    told = [each.what for each in lint(path).remarks if each.code == "boards.lead"]
    assert told == ["these leads are cards of declarer's side: SA on board 1, table 7, round 3, N-S 1 against E-W 1"]


@pytest.mark.slow
def test_leads_are_held_against_a_file_of_deals(tmp_path):
    """The hands are not in the game's own file."""
    text = with_leads(played(), {1: "SA"})
    deals = re.findall(r'\[Board "[0-9]+"\]\n|\[Deal "[^"]+"\]\n', text)
    (tmp_path / "tonight.pbn").write_text("".join(deals))
    (tmp_path / "game.pbn").write_text(re.sub(r'\[Deal "[^"]+"\]\n', "", text))
    said = [
        [str(each) for each in lint(tmp_path / "game.pbn", **keys).remarks]
        for keys in ({}, {"deals": tmp_path / "tonight.pbn"})
    ]
    assert ["cards of declarer's side" in str(remarks) for remarks in said] == [False, True]


def test_a_lead_shows_a_wrong_declarer(tmp_path):
    """All others were in 4S by N; here E is said to have declared, and a heart was led, which E has: N declared."""
    rows = played()
    rows[1, 1] |= {"declarer": "E", "score": -420}
    path = saved(tmp_path / "game.pbn", with_leads(rows, {1: "HA"}))
    found = [str(each) for each in lint(path).remarks if each.code == "boards.lead"]
    assert [each.split("; then")[0] for each in found] == [
        "game.pbn: board 1: N-S 1 against E-W 1: E declared, and the lead HA is E's card"
        " (write N for the declarer, +420, or correct the lead"
    ]


def test_a_board_played_twice(told):
    # N-S 1 met E-W 7 on 3 and 4; with 1 for 3, both have two results of board 1.
    def plant(rows):
        rows[1, 3] |= {**played()[1, 1], "ew": 7}

    assert told(plant) == [
        "boards.played-twice board 1: N-S 1 against E-W 7: there are other results of 1 and 7 on the same:"
        " N-S 1 against E-W 1, N-S 4 against E-W 7 (delete it if it is wrong, or correct its pairs or board: to 3,"
        " which lacks in their round; then E-W 7 is 7th instead of 1st, N-S 2 is 4th instead of 1st, N-S 5 is 4th"
        " instead of 1st, and 6 more change places)"
    ]


def test_the_same_result_twice(told):
    def plant(rows):
        rows[0, 1] = rows[1, 1]

    assert told(plant) == [
        "boards.played-twice board 1: N-S 1 against E-W 1: there are other results of 1 on the same:"
        " N-S 1 against E-W 1 (correct its pairs or board, or delete it if it is wrong; then the ranks stay as they"
        " are)"
    ]


def test_a_round_entered_a_second_time(tmp_path):
    """N-S 1 meet E-W 3, who never met 1 and 2, on these as well, with -200: deleted, all have 50% and are first.

    Scored here, the five other results of each have 3 of 5, and E-W 3 all of it. N-S 1, 4, 5, 6 and 7 have 52%, and
    N-S 2 and 3 are 6th. E-W 3 have 58.33%, E-W 5 are 2nd, and E-W 1, 2, 4, 6 and 7 have 48%.
    """
    rows = played()
    rows |= {(0, board): played()[1, board] | {"ew": 3, "score": -200} for board in (1, 2)}
    path = saved(tmp_path / "game.pbn", re.sub(r"\[TotalScoreTable[^\[]*", "", pbn(rows, contracts=False)))
    assert [str(each) for each in lint(path).remarks if each.code.startswith("boards.")] == [
        "game.pbn: boards 1, 2: N-S 1 against E-W 3: there are other results of 1 on the same: N-S 1 against E-W 1"
        " (correct its pairs or board, or delete it if it is wrong; then E-W 1 is 1st instead of 3rd, E-W 2 is 1st"
        " instead of 3rd, E-W 4 is 1st instead of 3rd, and 5 more change places)"
    ]


def test_boards_that_are_numbered_anew_in_every_match_are_not_played_twice(told):
    """As in Swiss pairs: each pair meets 1 and 2 five times, and nobody's scores are those of other deals' results."""

    def plant(rows):
        for place, row in enumerate(list(rows.values())):
            row["board"] = 1 + place % 2
            row["score"] = (420, -420, -110, 100)[place % 4]

    assert told(plant, contracts=False) == []


HOWELL = {1: 25, 2: 75, 3: 25, 4: 0, 5: 100, 6: 0}


@pytest.mark.parametrize(
    ("listed", "hint"),
    [
        # Each result beats so many of the two others: 0.5 twice, and 2. With 4 for E-W it has the 75% that 2 has.
        (
            HOWELL,
            "write 4 for E-W; then number 4 is 2nd instead of 5th, number 1 is 4th instead of 3rd, number 3 is 4th"
            " instead of 3rd, and 1 more changes places; or for N-S",
        ),
        (HOWELL | {7: 0}, "correct the number of one of the pairs: to 4 or 7"),
        (HOWELL | {7: 0, 8: 0}, "correct the number of one of the pairs"),
    ],
)
def test_a_pair_against_itself(tmp_path, listed, hint):
    path = tmp_path / "howell.pbn"
    rows = [f'{n} {percentage:.2f} "{n} one;{n} two"' for n, percentage in listed.items()]
    head = '[Event "Made"]\n[Date "2016.05.12"]\n[TotalScoreTable "PairId;MeanPercentage;Names"]\n' + "\n".join(rows)
    table = '\n[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 420\n3 3 420\n5 6 450\n'
    path.write_text(head + table)
    assert [str(each) for each in lint(path).remarks if each.code == "boards.against-itself"] == [
        f"howell.pbn: board 1: N-S 3 against E-W 3: 3 cannot sit in both directions ({hint})"
    ]


def test_a_pair_against_itself_is_whom_it_met_on_other_boards_of_the_round():
    # 3 and 4 meet in round 1, 4 as N-S; in round 2 nobody can say whom 3 met, as 1 and 2 sit nowhere in it.
    rows = ["1 2 420 1", "3 3 420 1", "1 2 90 1", "4 3 90 1", "3 3 50 2", "4 5 50 2"]
    listed = "\n".join(f'{n} 50 "Ann {n};Bob {n}"' for n in range(1, 6))
    text = f'[Event "Made"]\n[TotalScoreTable "PairId;MeanPercentage;Names"]\n{listed}'
    for board in (1, 2, 3):
        table = "\n".join(rows[2 * board - 2 : 2 * board])
        text += f'\n[Board "{board}"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS;Round"]\n{table}'
    draft = drafted(Source("howell.pbn", text.encode()))
    boards, deals = play_of([draft])
    hints = [
        each.hint for each in doubts_of_boards(together([draft]), boards, deals) if each.code == "boards.against-itself"
    ]
    expected = ["write 4 for N-S, as on other boards of the round", "correct the number of one of the pairs: to 1 or 2"]
    assert [hint.split("; then")[0] for hint in hints] == expected


def test_results_of_who_is_not_listed(tmp_path):
    """N-S 7 is missing from the list, and E-W 7 is 12 on board 4: nobody has these points."""
    text = pbn(played())
    text = text.replace("1NS 7EW 4H", "1NS 12EW 4H").replace('7NS 50.00 "NS 7 one;NS 7 two"\n', "")
    path = saved(tmp_path / "game.pbn", text)
    assert [str(each) for each in lint(path).remarks if each.code == "boards.unlisted"] == [
        "game.pbn: boards 1, 2, 3, 4, 5, 6, 7, 8, 13, 14: N-S 7NS of section A has results, and is not among the"
        " contestants (add it to the contestants, or correct its number)",
        "game.pbn: board 4: E-W 12EW of section A has results, and is not among the contestants"
        " (add it to the contestants, or correct its number)",
    ]


@pytest.mark.parametrize(
    ("tricks", "score", "told_"),
    [
        # 4S on board 1, nobody vulnerable, by nobody knows whom: 420 for ten tricks, 450 for eleven, to either side.
        (10, -420, []),
        ("-", 450, []),
        (10, 450, ["4S with 10 tricks cannot score +450 (correct the contract or the score)"]),
        ("-", 430, ["4S cannot score +430 (correct the contract or the score)"]),
    ],
)
def test_contracts_by_nobody_knows_whom(told, tricks, score, told_):
    def plant(rows):
        rows[1, 1] |= {"declarer": "-", "tricks": tricks, "score": score}

    found = [each for each in told(plant) if "boards.at-odds" in each or "of-no-contract" in each]
    assert found == [f"boards.at-odds board 1: N-S 1 against E-W 1: {each}" for each in told_]


@pytest.mark.parametrize("contracts", [True, False])
def test_the_fields_result_with_the_other_sign(told, contracts):
    # -420 in a sea of +420: 4S by E, not vulnerable on board 1.
    def plant(rows):
        rows[1, 1] |= {"declarer": "E", "score": -420}

    assert told(plant, contracts=contracts) == [
        "boards.opposite board 1: N-S 1 against E-W 1: the score is -420, and the others of the board have +420 or the"
        " like (write +420, if it is the sign or the declarer that is wrong; then N-S 1 is 1st instead of 7th, E-W 2 is"
        " 1st instead of 4th, E-W 4 is 1st instead of 4th, and 6 more change places)"
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
        " other sign: N-S seem to have sat E-W (change the directions of the two in this round; then N-S 1 is 1st"
        " instead of 7th, E-W 2 is 1st instead of 4th, E-W 4 is 1st instead of 4th, and 6 more change places)"
    ]


def test_a_round_shifted_by_a_board(told):
    # Table 1, round 2: 2H by E was entered on board 4 and 4H by W on board 3, both vulnerable on both boards.
    def plant(rows):
        one, other = rows[1, 3], rows[1, 4]
        rows[1, 3], rows[1, 4] = other | {"board": 3}, one | {"board": 4}

    assert told(plant) == [
        "boards.shifted boards 3, 4: N-S 1 against E-W 7: the results of the boards 3, 4 are unlike the others there,"
        " and like those of 4, 3 (write them for the boards 4, 3; then the ranks stay as they are)"
    ]


def test_what_was_ruled_is_left_alone(tmp_path):
    # Weighted scores, one for each side, and adjusted percentages follow no contract.
    rows = pbn(played(), contracts=False)
    ruled = rows.replace("1NS 1EW - - - 420 -", "1NS 1EW - - - ^390 ^-390", 1)
    assert ruled != rows
    path = saved(tmp_path / "game.pbn", ruled)
    assert [each for each in lint(path).remarks if each.code.startswith("boards.")] == []


def test_a_game_of_adjusted_scores_alone_is_silent():
    # Nothing was played out that a result could be like, or unlike.
    draft = drafted(Source("game.pbn", pbn(played()).encode()))
    boards, deals = play_of([draft])
    boards = boards.assign(score=None, contract=None, tricks=None, ns_adjusted=60, ew_adjusted=40).astype(boards.dtypes)
    assert doubts_of_boards(together([draft]), boards, deals) == []


@pytest.mark.slow
def test_award_check_convert_and_batch_tell_it_too(tmp_path):
    rows = played()
    rows[2, 4]["score"] = 620
    path = saved(tmp_path / "game.pbn", pbn(rows))
    keys = {"rating": "club-open"}
    assert "boards.at-odds" in {each.code for each in process(path, **keys).remarks}
    assert "boards.at-odds" in {each.code for each in process_event(path, **keys).remarks}
    assert "boards.at-odds" in {each.code for each in check(path, **keys).remarks}
    assert "the sign is wrong" in run("convert", path, tmp_path / "game.csv").err
    assert "the sign is wrong" in run("batch", path, "-o", tmp_path / "out", "--rating", "club-open").err
    assert "the sign is wrong" in (tmp_path / "out" / "report.json").read_text()


@pytest.mark.slow
@real
def test_real_games_have_few_such_boards():
    """In 6,172 results there are six; at most one in 400 is wanted.

    - game01: N-S 1 and E-W 1 have boards 1 to 3 against each other, and both against others, too: right.
    - game01: -620 where the others have +620, +650, +680, +200 and so on: right, as far as scores can show it.
    - game01: -140 where N-S make game or go plus everywhere: perhaps not, E-W may have made nine tricks.
    - game06: on three boards of a round all results are those of the boards beside them: right, as far as scores show.
    - usebio02, usebio03: 27 and three leads of cards that dummy or declarer held: right, and no score is wrong by it.
    """
    paths = sorted([*SAMPLES.glob("gamefiles/*.AC?"), *SAMPLES.glob("usebio/*.xml"), *SAMPLES.glob("acbl-live-*.json")])
    paths += SAMPLES.glob("bws/*.bws")
    found = [each for each in lint(*paths).remarks if each.code.startswith("boards.") and "twosession" not in each.file]
    assert [(each.file, each.code, each.where) for each in found] == [
        ("game01.ACM", "boards.played-twice", "game game01-ACM-2, boards 1, 2, 3, table 1, round 1"),
        ("game01.ACM", "boards.opposite", "game game01-ACM-1, board 8, table 5, round 8"),
        ("game01.ACM", "boards.opposite", "game game01-ACM-2, board 7, table 3, round 1"),
        ("game06.ACA", "boards.shifted", "game game06-ACA-1, boards 13, 14, 15, table 8, round 8, section A"),
        ("usebio02.xml", "boards.lead", USEBIO02),
        ("usebio03.xml", "boards.lead", "boards 1, 8, 14"),
    ]


USEBIO02 = "boards 1, 2, 3, 5, 8, 9, 11, 12, 13, 14, 15, 16, 17, 19, 21, 24, 26, 27"


TIMES = 20 if ALL else 2


@real
@pytest.mark.slow
def test_what_is_planted_in_real_games_is_found():
    """What contradicts itself is found always, what only the other results show, in part; nothing else is told."""
    script = runpy.run_path(str(PROJECT / "scripts" / "plant-boards"))
    paths = [SAMPLES / "gamefiles/game01.ACM", *SAMPLES.glob("usebio/*.xml"), *SAMPLES.glob("acbl-live-*.json")]
    every = script["games"](paths)
    rows = {kind: [*script["plant"](every, kind, TIMES, 1)] for kind in script["KINDS"]}
    for kind in ("score against contract", "sign against direction", "14 tricks", "pair against itself"):
        assert rows[kind] == [TIMES, TIMES, TIMES, 0], kind
    for kind in ("any board of another round", "one result with the other sign", "switched round"):
        assert 2 * rows[kind][1] >= TIMES, kind
    assert sum(each[-1] for each in rows.values()) <= 2
