"""Portable Bridge Notation: total tables and score tables, as the standard has them and programs write them."""

import re
from pathlib import Path

import pytest
from conftest import FIXTURES, saved
from samples import SAMPLES, real

from resultproc.formats.read import read, read_play
from resultproc.formats.registry import detect
from resultproc.model.errors import InputError
from resultproc.scoring.points import matchpoints, totals

FIXTURE = FIXTURES / "pbn-example.pbn"

HEAD = '[Event "E"]\n[Date "2015.10.23"]\n[Board "1"]\n'
TOTALS = (
    '[TotalScoreTable "PairId;TotalMP;TotalPercentage;Names"]\n1 3 75 "A B;C D"\n2 1 25 "E F;G H"\n3 2 50 I\n4 2 50 J\n'
)


def game_file(folder: Path, text: str | bytes) -> Path:
    return saved(folder / "game.pbn", text)


def problem(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(game_file(folder, text), format="pbn")
    return str(caught.value)


def test_the_example_is_read_whole() -> None:
    assert detect(FIXTURE).name == "pbn"
    games, contestants = read(FIXTURE)
    game = games.iloc[0]
    expected = ("Friday Howell", "2015-10-23", "pairs")
    assert (game["event"], game["date"].isoformat()[:10], game["event_type"]) == expected
    assert (game["tables"], game["movement"]) == ("A=2", "A=howell")
    columns = ["number", "player1", "player2", "score", "percentage", "printed_section", "where"]
    assert contestants[columns].to_numpy().tolist() == [
        ["3", "Gwen Pugh", "Zoë Ångström", 2.1, 70.0, "A=1", "line 14"],
        ["1", "Brid O'Neill", "Ann Baker-Hall", 2.0, 66.67, "A=2", "line 15"],
        ["2", "Dai Thomas", "Ffion Thomas", 1.0, 33.33, "A=3", "line 16"],
        ["4", "Huw Lloyd", "Mair Lloyd", 0.9, 30.0, "A=4", "line 17"],
    ]


def test_its_boards_give_its_matchpoints_and_totals() -> None:
    boards, contestants = read_play(FIXTURE)[0], read(FIXTURE).contestants
    assert boards[["board", "ns", "ew"]].to_numpy().tolist() == [
        [1, "1", "4"], [1, "2", "3"], [2, "2", "4"], [2, "3", "1"], [3, "3", "4"], [3, "1", "2"],
    ]  # fmt: skip
    assert boards["score"].fillna(-1).tolist() == [420.0, -50.0, 110.0, 110.0, -1, -1]
    assert boards.loc[4:, ["ns_adjusted", "ew_adjusted"]].to_numpy().tolist() == [[60.0, 40.0], [50.0, 50.0]]
    points = matchpoints(boards)
    assert points["ns"].tolist() == pytest.approx(boards["printed_ns"].tolist())
    assert points["ew"].tolist() == pytest.approx(boards["printed_ew"].tolist())
    computed = totals(boards, points, contestants)
    assert computed["score"].tolist() == pytest.approx(contestants["score"].tolist())
    assert computed["percentage"].round(2).tolist() == contestants["percentage"].tolist()


def test_the_number_of_a_board_may_have_a_zero_before_it(tmp_path: Path) -> None:
    filled = re.sub(r'\[Board "(?=[0-9]")', '[Board "0', FIXTURE.read_text("utf-8"))
    assert filled.count('[Board "0') == 3
    played = read_play(saved(tmp_path / FIXTURE.name, filled))
    assert played[0].equals(read_play(FIXTURE)[0])


def test_ids_that_end_in_a_direction_tell_it(tmp_path: Path) -> None:
    text = HEAD + '[TotalScoreTable "PairId;TotalIMP;Names"]\n1NS -3 "A;B"\n2NS 3 "C;D"\n1EW 4 "E;F"\n2EW -4 "G;H"\n'
    text += '[ScoreTable "PairId_NS;PairId_EW;Score_NS;IMP_NS;IMP_EW"]\n1NS 2EW PASS -2 2\n'
    path = game_file(tmp_path, text)
    games, contestants = read(path)
    assert contestants[["direction", "number", "score"]].to_numpy().tolist() == [
        ["N-S", "1", -3.0], ["N-S", "2", 3.0], ["E-W", "1", 4.0], ["E-W", "2", -4.0],
    ]  # fmt: skip
    assert games["movement"].tolist() == ["A=mitchell"]
    columns = ["ns", "ew", "score", "printed_ns", "printed_ew"]
    assert read_play(path)[0][columns].to_numpy().tolist() == [["1", "2", 0.0, -2.0, 2.0]]


def test_a_percentage_with_a_caret_or_without_a_score_is_an_adjusted_one(tmp_path: Path) -> None:
    table = '[ScoreTable "PairId_NS;PairId_EW;Score_NS;Percentage_NS;Percentage_EW"]\n1 2 100 ^60 40\n3 4 - 50 ^45\n'
    boards = read_play(game_file(tmp_path, HEAD + TOTALS + table))[0]
    assert boards[["ns_adjusted", "ew_adjusted"]].fillna(0).to_numpy().tolist() == [[60, 0], [50, 45]]


def test_names_without_quotes_stand_in_their_columns(tmp_path: Path) -> None:
    text = HEAD + (
        '[TotalScoreTable "Rank\\2R;PairId\\2R;Names\\17L;TotalMP\\5R"]\n'
        " 1  7 Ann Lee - Bo Fry  12.5\n"
        " 2 11 Cy - Di             9.5\n"
        " 3 12 Constantin - Evangeline  8.0\n"
    )
    contestants = read(game_file(tmp_path, text)).contestants
    expected = [["7", "Ann Lee", "Bo Fry", 12.5], ["11", "Cy", "Di", 9.5], ["12", "Constantin", "Evangeline", 8.0]]
    assert contestants[["number", "player1", "player2", "score"]].to_numpy().tolist() == expected


def test_elements_may_stand_on_any_line_in_import_format(tmp_path: Path) -> None:
    text = HEAD + '[TotalScoreTable "PairId;Names;TotalMP"]\n1 "A\tB;C"\n3\n2 "D;E" 1 3 "F;G"\n2\n'
    contestants = read(game_file(tmp_path, text)).contestants
    assert contestants[["number", "player1", "player2", "score"]].to_numpy().tolist() == [
        ["1", "A B", "C", 3.0], ["2", "D", "E", 1.0], ["3", "F", "G", 2.0],
    ]  # fmt: skip


def test_a_sum_of_percentages_is_divided_by_the_boards(tmp_path: Path) -> None:
    text = HEAD + '[TotalScoreTable "PairId;Names;TotalPercentage;NrBoards"]\n1 A 1320 24\n2 B 1080 24\n'
    assert read(game_file(tmp_path, text)).contestants["percentage"].tolist() == [55.0, 45.0]


@pytest.mark.parametrize(
    "names",
    [
        ('"Ann Lee - Bo Fry" Oslo 24 312', '"Cy Dow;Di Em" "Old Town" 24 192'),
        ("Ann Lee - Bo Fry  Oslo  24 312", "Cy Dow - Di Em    Old Town  24 192"),
    ],
    ids=["quoted", "not quoted"],
)
def test_tables_of_the_nineties(tmp_path: Path, names: tuple[str, str]) -> None:
    table = '[TotalScoreTable "Rank;PairId;Names;Center;NrBoards;MP;Percentage"]\n'
    games, contestants = read(game_file(tmp_path, f"{HEAD}{table}1 7 {names[0]} 65.00\n2 3 {names[1]} 40.00\n"))
    columns = ["number", "player1", "player2", "score", "percentage", "printed_section"]
    expected = [["7", "Ann Lee", "Bo Fry", 312.0, 65.0, "A=1"], ["3", "Cy Dow", "Di Em", 192.0, 40.0, "A=2"]]
    assert contestants[columns].to_numpy().tolist() == expected
    assert games["tables"].tolist() == ["A=1"]


def test_tables_without_ids_number_contestants_as_they_are_listed(tmp_path: Path) -> None:
    table = '[TotalScoreTable "Rank;Names;+MeanScore;NrBoards"]\n'
    text = f'{HEAD}{table}1 "Ann Lee - Bo Fry" 1.25 24\n2= "Cy Dow - Di Em" -0.5 24\n2= "Ed Fu - Gil Ho" -0.5 20\n'
    contestants = read(game_file(tmp_path, text)).contestants
    expected = [["1", "Ann Lee", 1.25, "A=1"], ["2", "Cy Dow", -0.5, "A=2/3"], ["3", "Ed Fu", -0.5, "A=2/3"]]
    assert contestants[["number", "player1", "score", "printed_section"]].to_numpy().tolist() == expected


def test_sections_teams_and_individuals(tmp_path: Path) -> None:
    table = '[TotalScoreTable "Section;TeamId;TotalVP;Names"]\nA 1 12 "A;B;C;D"\nB 1 8 "E;F;G;H"\n'
    games, contestants = read(game_file(tmp_path, HEAD + '[Competition "Teams"]\n' + table))
    assert (games["event_type"].tolist(), games["tables"].tolist()) == (["swiss"], ["A=1, B=1"])
    assert contestants[["section", "number", "player4"]].to_numpy().tolist() == [["A", "1", "D"], ["B", "1", "H"]]
    alone = HEAD + '[Competition "Individuals"]\n[TotalScoreTable "PlayerId;TotalMP;Name"]\n1 5 "A B"\n2 4 "C D"\n'
    assert read(game_file(tmp_path, alone)).games["event_type"].tolist() == ["individual"]
    bam = HEAD + '[Scoring "BAM"]\n' + table
    assert read(game_file(tmp_path, bam)).games["event_type"].tolist() == ["bam"]


def test_several_events_are_several_games(tmp_path: Path) -> None:
    score = '[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 {}\n'
    other = TOTALS.replace(" 75 ", " 70 ").replace(" 25 ", " 30 ")
    text = (
        HEAD.replace('"E"', '"##E"') + TOTALS + score.format(100) + "\n"
        '[Event "#"]\n[Date "#"]\n[Board "2"]\n' + TOTALS + score.format(200) + "\n"
        '[Event "F"]\n[Date "2015.??.??"]\n[Board "1"]\n' + other + score.format(300)
    )
    path = game_file(tmp_path, text)
    games, contestants = read(path)
    assert games[["game_id", "event"]].to_numpy().tolist() == [["game-1", "E"], ["game-2", "F"]]
    assert games["date"].isna().tolist() == [False, True]
    assert contestants["game_id"].tolist() == ["game-1"] * 4 + ["game-2"] * 4
    boards = read_play(path)[0]
    assert boards[["game_id", "board", "score"]].to_numpy().tolist() == [
        ["game-1", 1, 100.0], ["game-1", 2, 200.0], ["game-2", 1, 300.0],
    ]  # fmt: skip


def test_tables_that_name_no_pairs_are_no_board_results(tmp_path: Path) -> None:
    text = HEAD + TOTALS + '[ScoreTable "Rank;Contract;Score_NS;Multiplicity"]\n1 6C 920 3\n'
    assert read_play(game_file(tmp_path, text))[0].empty


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD, "these are hands without results"),
        (HEAD + TOTALS.replace("1 3 75", "1 3"), "line 5: this row has 3 elements for 4 columns"),
        (HEAD + TOTALS.replace("3 2 50 I", "3 2 I").replace("J", "J K"), "line 7: this row has 3 elements for 4"),
        (HEAD + TOTALS.replace("1 3 75 ", "1 3 75\n").replace("50 J", "J"), "line 9: this row has 3 elements for 4"),
        (HEAD + '[ScoreTable "Board"]\n' + TOTALS.replace("TotalMP;TotalPer", "A;B"), "line 5: the column 'score' is"),
        (HEAD + TOTALS.replace("1 3 75", "1 3 7S"), "line 5: invalid number: '7S'"),
        (HEAD + TOTALS.replace("1 3 75", "1 3 175"), "line 5: percentage out of range: 175"),
        (HEAD + TOTALS.replace("4 2 50", "1 2 50"), "line 8: contestant A 1 appears twice, first in line 5"),
        (HEAD + TOTALS.replace("1 3 75", "? 3 75"), "line 5: this row has no number"),
        (HEAD + TOTALS.replace("4 2 50 J", "? ? ? -"), "line 8: there is an empty row in the TotalScoreTable"),
        (
            HEAD + '[TotalScoreTable "Rank;PairId;TotalMP;Names"]\n1 1 3 "A;B"\n2 ? ? ?\n',
            "line 6: there is an empty row in the TotalScoreTable",
        ),
        (HEAD + TOTALS.replace("PairId;", "Pair Id;"), "line 4: invalid column names: 'Pair Id;TotalMP;TotalPerce"),
        (
            HEAD.replace('"1"', '"one"') + TOTALS + '[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 100\n',
            "line 3: invalid board number: 'one'",
        ),
        (
            HEAD + TOTALS + '[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 1OO\n',
            "line 10: Score_NS: invalid number: '1OO'",
        ),
    ],
)
def test_what_is_wrong_is_said_by_line(tmp_path: Path, text: str, said: str) -> None:
    assert said in problem(tmp_path, text)


BOARD_TAG = (
    '[Event "E"]\n[Date "2024.02.06"]\n[Board "{}"]\n[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
)


def of_boards(*boards: str, scoring: str = "MP") -> str:
    """Return PBN of the results of boards from 1 on, as a site exports them: without totals, the scoring below them."""
    return "".join(BOARD_TAG.format(n) + f'{rows}\n[Scoring "{scoring}"]\n\n' for n, rows in enumerate(boards, 1))


def test_a_file_without_totals_is_scored_by_its_boards(tmp_path: Path) -> None:
    """Law 77, worked by hand; numbers that met themselves are a pair in each direction.

    Board 1, nobody vulnerable: -420, +50, -50 to N-S 1, 2, 3; board 2, N-S vulnerable: -110, +110, +100. A top is 2.
    """
    text = of_boards("1 1 4S E 10\n2 2 3NT E 8\n3 3 4H N 9", "1 3 2H E 8\n2 1 3D S 9\n3 2 3NT* W 8")
    sheet = read(game_file(tmp_path, text))
    assert read_play(game_file(tmp_path, text))[0]["score"].tolist() == [-420, 50, -50, -110, 110, 100]
    found = {(row.direction, row.number): (row.score, row.percentage) for row in sheet.contestants.itertuples()}
    assert found == {
        ("N-S", "1"): (0, 0),
        ("N-S", "2"): (4, 100),
        ("N-S", "3"): (2, 50),
        ("E-W", "1"): (2, 50),
        ("E-W", "2"): (1, 25),
        ("E-W", "3"): (3, 75),
    }
    assert [remark.code for remark in sheet.remarks] == ["scores.by-boards"]


@real
def test_each_side_of_a_split_score_is_scored_by_its_own() -> None:
    """Board 1: 400, -50, 110, 400 to N-S 1 to 4, and -400, -400, -110, -400 to E-W 1 to 4.

    Board 2: 110, 140, -100, 110 to N-S 1 to 4; their opponents are 4, 1, 2, 3.
    """
    sheet = read(SAMPLES / "office" / "s1-split-score.pbn")
    assert sheet.contestants["score"].tolist() == [2.5 + 1.5, 0 + 3, 1 + 0, 2.5 + 1.5, 1 + 0, 1 + 3, 3 + 1.5, 1 + 1.5]
    (remark,) = (each for each in sheet.remarks if each.code == "boards.two-scores")
    assert (remark.where, remark.what.partition(": ")[2]) == ("line 11", "board 1: -50 to N-S and -400 to E-W")
    assert "rows" not in remark.entry_of_remark  # JSON lists several, and is refused with one


def test_points_that_do_not_follow_from_the_scores_are_remarked_on(tmp_path: Path) -> None:
    """420 beats 50, and prints the bottom; on the other board all is as it should be."""
    head = BOARD_TAG.replace("Result", "Result;MP_NS;MP_EW")
    rows = ("1 1 4S N 10 0 1\n2 2 1NT N 6 1 0", "1 2 4S N 10 1 0\n2 1 4S N 9 0 1")
    sheet = read(game_file(tmp_path, "".join(f"{head.format(n)}{each}\n\n" for n, each in enumerate(rows, 1))))
    (remark,) = (each for each in sheet.remarks if each.code == "boards.points")
    assert "A-N-S-1 has 0 on board 1, by the score 1;" in remark.what
    assert "board 2" not in remark.what


HANDS = "N:KJ.KJ87642.87.62 AT953.Q.KQ92.KT4 Q64.5.AJT654.873 872.AT93.3.AQJ95"


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        (f'[Deal "{HANDS}"]', ""),
        ('[Deal "N:- - - -"]', ""),
        ('[Deal ""]', ""),
        ('[Deal "?"]', ""),
        (f'[Deal "{HANDS.replace("N:KJ", "N:AKJ")}"]', "board 1: North has 14 cards"),
        (f'[Deal "{HANDS.replace("N:KJ", "N:SKJ")}"]', "board 1: 'SS' in North's hand is no card"),
        (f'[Deal "{HANDS.replace("872.", "87K.")}"]', "board 1: SK is there twice"),
        (f'[Deal "{HANDS[:40]}"]', "this is not a deal, or it is damaged"),
        (f'[Deal "{HANDS}"]\n[Deal "{HANDS.replace("N:", "E:")}"]', "board 1 has other hands here than before"),
        (f'[Deal "{HANDS}"]\n[OptimumResultTable "NT\\tS"]', "board 1: OptimumResultTable cannot be read"),
        (f'[Deal "{HANDS}"]\n[OptimumScore "N-S 4"]', "board 1: OptimumScore cannot be read"),
        (f'[Deal "{HANDS}"]\n[OptimumResultTable "Declarer;Denomination;Result"]\nN NT 0\nN S 0', ""),
    ],
)
def test_hands_that_cannot_be_read_are_told_with_their_line(tmp_path: Path, tags: str, said: str) -> None:
    text = of_boards("1 1 4S N 10\n2 2 4S N 9").replace("[ScoreTable", f"{tags}\n[ScoreTable", 1)
    found = [each for each in read(game_file(tmp_path, text)).remarks if each.code == "deals.not-shown"]
    assert [each.what.partition("not shown: ")[2] for each in found] == ([said] if said else [])
    lines = text.splitlines()
    assert all(lines[int(each.where.split()[1]) - 1].startswith(("[Deal", "[Optimum")) for each in found)


@real
def test_hands_with_letters_of_suits_and_tables_of_one_value_are_told() -> None:
    for name, what in (("b07-suit-letters", "'SS' in North's hand"), ("b11-optimum-one-value", "OptimumResultTable")):
        remarks = read(SAMPLES / "office" / f"{name}.pbn").remarks
        (remark,) = (each for each in remarks if each.code == "deals.not-shown")
        assert [what in text for _, text in remark.rows] == [True] * 6


def test_without_totals_numbers_that_sit_either_way_are_one_pair_each(tmp_path: Path) -> None:
    # Board 1: 420 beats -50. Board 2: 120 beats 90, so that 1 has the top of E-W and 2 that of N-S.
    text = of_boards("1 2 4S N 10\n3 4 4S N 9", "4 1 1NT N 7\n2 3 1NT N 8")
    contestants = read(game_file(tmp_path, text)).contestants
    assert contestants["direction"].isna().all()
    assert dict(zip(contestants["number"], contestants["score"], strict=True)) == {"1": 2, "2": 1, "3": 0, "4": 1}


def test_without_totals_nothing_is_scored_that_is_scored_otherwise(tmp_path: Path) -> None:
    for scoring in ("IMP", "IMP;Cross", "MP;Ascherman"):
        told = problem(tmp_path, of_boards("1 2 4S N 10\n3 4 4S N 9", scoring=scoring))
        assert f"its boards are scored by '{scoring}', and that is not done here" in told
        assert "declare scoring='matchpoints' or 'cross-imps' or 'butler'" in told
    text = HEAD + '[ScoreTable "Contract;Declarer;Result"]\n4S N 10\n'
    assert "results of boards without totals (there is no TotalScoreTable), and not of pairs" in problem(tmp_path, text)


@pytest.mark.parametrize(
    ("scoring", "means"),
    [("IMP;Cross2;", "cross-imps"), ("IMP;Butler-2", "butler"), ("MatchPoints;MP1", "matchpoints")],
)
def test_without_totals_the_tag_says_how_boards_are_scored(tmp_path: Path, scoring: str, means: str) -> None:
    # Board 1, nobody vulnerable: 420 and -50 are 10 IMPs apart; their mean is 185, rounded 190: 230 and -240 are 6.
    sheet = read(game_file(tmp_path, of_boards("1 2 4S N 10\n3 4 4S N 9", scoring=scoring)))
    assert sheet.games["scoring"].tolist() == [means]
    best = {"cross-imps": 10, "butler": 6, "matchpoints": 1}[means]
    lowest = 0 if means == "matchpoints" else -best
    assert sheet.contestants["score"].tolist() == [best, lowest, lowest, best]
    told = sheet.remarks[0]
    assert (told.code, told.hint) == ("scores.by-boards", "give a file with the totals if you want others")


def test_without_a_tag_matchpoints_are_taken_and_that_is_said(tmp_path: Path) -> None:
    text = of_boards("1 2 4S N 10\n3 4 4S N 9").replace('[Scoring "MP"]', "")
    (told,) = read(game_file(tmp_path, text)).remarks
    assert (told.code, told.hint) == ("scores.by-boards", "declare scoring if they are others")
    assert read(game_file(tmp_path, text), scoring="butler").contestants["score"].tolist() == [6, -6, -6, 6]


def test_an_event_without_totals_beside_one_with_totals_is_scored_and_what_cannot_be_is_named(tmp_path: Path) -> None:
    score = '[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 2 {}\n'
    other = of_boards("1 2 4S N 10\n3 4 4S N 9").replace('"E"', '"F"')
    alone = HEAD.replace('"E"', '"G"') + '[ScoreTable "Contract;Declarer;Result"]\n4S N 10\n'
    sheet = read(game_file(tmp_path, HEAD + TOTALS + score.format(100) + "\n" + other + alone))
    expected = {"game-1": [3, 1, 2, 2], "game-2": [1, 0, 0, 1]}
    assert sheet.contestants.groupby("game_id")["score"].agg(list).to_dict() == expected
    expected = [("sheet.passed-over", ""), ("scores.by-boards", "game-2")]
    assert [(each.code, each.game) for each in sheet.remarks] == expected
    assert "the event 'G' (2015.10.23) is left out" in sheet.remarks[0].what


def test_table_and_round_are_read_and_a_vulnerability_of_its_own_is_remarked_on(tmp_path: Path) -> None:
    # Law 2: on board 1 nobody is vulnerable. 4S made by N is 420 there, whatever the tag says.
    text = of_boards("1 2 4S N 10 7 3\n3 4 4S N 9 8 3").replace("Result", "Result;Table;Round")
    boards = read_play(game_file(tmp_path, text))[0]
    assert boards[["table", "round"]].to_numpy().tolist() == [[7, 3], [8, 3]]
    for said, right in {"None": 1, "Love": 1, "-": 1, "NS": 2, "EW": 3, "All": 4, "Both": 4}.items():
        tagged = re.sub("(?=.ScoreTable)", f'[Vulnerable "{said}"]\n', of_boards(*["1 2 4S N 10\n3 4 4S N 9"] * 4))
        remarks = [each for each in read(game_file(tmp_path, tagged)).remarks if each.code == "boards.vulnerable"]
        assert [each.where for each in remarks] == [f"board {n}" for n in range(1, 5) if n != right]
    assert remarks[0].what == "the tag Vulnerable says Both, and the board's number says none: it is scored so"
    assert read_play(tmp_path / "game.pbn")[0]["score"].tolist()[:2] == [420, -50]


@real
def test_a_real_export_without_totals_is_scored() -> None:
    contestants = read(SAMPLES / "lists/m05-bridgewebs.pbn").contestants
    assert contestants["score"].tolist() == [0, 4, 2, 2, 1, 3]


def test_a_mail_may_quote_it(tmp_path: Path) -> None:
    mail = b"On Tuesday Ann wrote:\n\n" + b"\n".join(b"> " + line for line in FIXTURE.read_bytes().split(b"\n"))
    quoted, own = read(saved(tmp_path / "mail.txt", mail)).contestants, read(FIXTURE).contestants
    assert quoted.drop(columns=["game_id", "where"]).equals(own.drop(columns=["game_id", "where"]))
