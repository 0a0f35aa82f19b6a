"""The CSV that BridgeWebs takes: as scoring programs write it, and as this package does."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, examples, run, saved
from example_games import WEDNESDAY
from generated import HOSTILE, results, same
from hypothesis import given

from resultproc import process
from resultproc.formats.bridgewebs import READER, sniff
from resultproc.formats.bridgewebs.writer import write
from resultproc.formats.csv import READER as CSV
from resultproc.formats.read import read, read_play
from resultproc.formats.registry import detect, writer_for
from resultproc.model.errors import InputError, OutputError
from resultproc.model.frames import Result
from resultproc.stages.pipeline import award_sheet

USEBIO = FIXTURES / "usebio-example.xml"

TWO_WINNERS = """\
#Version;std1
#Title;Duplicate Pairs;
#source;A scorer
#Date;22/10/2015
#Boards;2
#Winners;2
#Scores
Position;Pair;Name1;Name2;Score;Tops;Percent;Mpts;Boards
1=;1;Gwen Pugh;Zoë Ångström;2;4;50.00;9;2;0
1=;2;Brid O'Neill;Ann Baker-Hall;2;4;50.00;9;0;2
#scores
Position;Pair;Name1;Name2;Score;Tops;Percent;Mpts;Boards
1;4;Dai Thomas;Ffion Thomas;2.4;4;60.00;0.12;2;0.4
2;5;Huw Lloyd;Mair Lloyd;1.6;4;40.00;;0;1.6
#Travellers
NS;EW;NSScore;EWScore;NSPts;EWPts;Contract;Tricks;Declarer;Lead
#Board;1
1;4;420;;2;0;4S;10;N;HA
2;5;;50;0;2;4S;9;N;HA
#Board;2
1;5;40%;60%;0.8;1.2;;;;
2;4;X;X;;;;;;
"""
"""In the layout of the site's guide, with the columns that an open scoring program writes."""


def game_file(folder: Path, text: str | bytes, name: str = "game.csv") -> Path:
    return saved(folder / name, text)


def by_direction(result: Result) -> Result:
    """Return the game as the format lists it: E-W below all others."""
    order = result.contestants["direction"].eq("E-W").sort_values(kind="stable").index
    if not 0 < result.contestants["direction"].eq("E-W").sum() < len(order):
        order = result.contestants.index
    return Result(result.games, result.contestants.loc[order].reset_index(drop=True))


def test_two_winners(tmp_path: Path) -> None:
    path = game_file(tmp_path, TWO_WINNERS)
    assert detect(path).name == "bridgewebs"
    games, contestants = read(path)
    game = games.iloc[0]
    assert (game["event"], game["date"].isoformat()[:10], game["boards"]) == ("Duplicate Pairs", "2015-10-22", 2)
    assert (game["event_type"], game["tables"], game["movement"]) == ("pairs", "A=2", "A=mitchell")
    columns = ["direction", "number", "player2", "score", "percentage", "printed_section"]
    assert contestants[columns].to_numpy().tolist() == [
        ["N-S", "1", "Zoë Ångström", 2.0, 50.0, "A=1/2"],
        ["N-S", "2", "Ann Baker-Hall", 2.0, 50.0, "A=1/2"],
        ["E-W", "4", "Ffion Thomas", 2.4, 60.0, "A=1"],
        ["E-W", "5", "Mair Lloyd", 1.6, 40.0, "A=2"],
    ]
    # Whole numbers are hundredths; what has decimals is masterpoints.
    assert contestants["printed_award"].fillna(0).tolist() == [9, 9, 12, 0]
    assert contestants["where"].tolist() == ["line 9", "line 10", "line 13", "line 14"]
    boards = read_play(path)[0]
    columns = ["board", "ns", "ew", "score", "ns_adjusted", "ew_adjusted", "printed_ns"]
    assert boards[columns].fillna(-1).to_numpy().tolist() == [
        [1, "1", "4", 420.0, -1, -1, 2.0],
        [1, "2", "5", -50.0, -1, -1, 0.0],
        [2, "1", "5", -1, 40.0, 60.0, 0.8],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "scores"),
    [("420;-420", (420, None)), ("420;-450", (420, -450)), ("420;0", (420, None)), ("0;50", (-50, None))],
)
def test_each_side_has_its_own_score_where_the_two_are_not_the_same(tmp_path: Path, cells: str, scores: tuple) -> None:
    path = game_file(tmp_path, TWO_WINNERS.replace("1;4;420;;", f"1;4;{cells};"))
    first = read_play(path)[0][["score", "ew_score"]].iloc[0]
    assert tuple(None if each != each else each for each in first) == scores
    apart = [each.where for each in read(path).remarks if each.code == "boards.two-scores"]
    assert apart == (["line 18"] if scores[1] else [])


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_the_first_line_tells_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    path = game_file(tmp_path, TWO_WINNERS.replace(";", delimiter))
    assert detect(path).name == "bridgewebs"
    assert read(path).contestants["score"].tolist() == [2.0, 2.0, 2.4, 1.6]


def test_one_winner_and_individuals(tmp_path: Path) -> None:
    head, _, scores = TWO_WINNERS.partition("#Scores\n")
    one = head + "#Scores\n" + scores.partition("#scores")[0]
    games, contestants = read(game_file(tmp_path, one))
    assert contestants["direction"].isna().all()
    assert (games["movement"].tolist(), games["tables"].tolist()) == (["A=howell"], ["A=1"])
    alone = one.replace("#Winners;2", "#Individual;1")
    assert read(game_file(tmp_path, alone)).games["event_type"].tolist() == ["individual"]
    teams = one.replace("#Winners;2", "#SwissTeams;1").replace("Pair;", "Team;")
    assert read(game_file(tmp_path, teams)).games["event_type"].tolist() == ["swiss"]


def test_it_is_told_from_our_own_csv(tmp_path: Path) -> None:
    assert detect(game_file(tmp_path, WEDNESDAY)).name == "csv"
    assert not sniff(WEDNESDAY.encode())
    assert not sniff(b"# Scores: of tonight\n# Version 2\nsection,number,player1,score\n")
    assert not sniff(b"")
    assert READER.rank > CSV.rank
    assert detect(game_file(tmp_path, write(process(game_file(tmp_path, WEDNESDAY))), "b.csv")).name == "bridgewebs"


def test_what_was_read_is_written_with_its_boards(tmp_path: Path) -> None:
    sheet, boards = read(USEBIO), read_play(USEBIO)[0]
    path = game_file(tmp_path, write(Result(*sheet, boards=boards)), "usebio-example.csv")
    # The format has no place for what kind of points they are.
    games = sheet.games.assign(stored_other_awards=None).astype(sheet.games.dtypes)
    same(Result(*read(path)), Result(*replace(sheet, games=games)))
    pd.testing.assert_frame_equal(read_play(path)[0], boards)


def test_an_awarded_sheet_reads_back_and_awards_the_same(tmp_path: Path) -> None:
    result = process(game_file(tmp_path, WEDNESDAY, "wednesday.csv"))
    data = write(result)
    again = award_sheet(read(game_file(tmp_path, data, "wednesday.bridgewebs.csv"), format="bridgewebs"))
    pd.testing.assert_frame_equal(again.awards, result.awards)
    lines = data.decode().split("\r\n")
    assert lines[:3] == ["#Version\tstd1", "#Source\tresultproc", "#Title\tWednesday Open Pairs"]
    assert "#Date\t18/04/2012" in lines
    assert "#Winners\t2" in lines
    assert lines.count("#Scores") == 2
    # 140.50 leads the nine N-S: 0.90. 122.50 is 4th there: 35% of it, 0.32.
    assert "1\t1\tAda Ames\tBob Ames\t140.5\t\t0.90" in lines
    assert "4\t8\tOla Orr\tPat Orr\t122.5\t\t0.32" in lines
    assert "9\t2\tCleo Cox\tDan Cox\t64\t\t" in lines


@examples(40)
@given(result=results())
def test_any_game_reads_back(tmp_path: Path, result: Result) -> None:
    games = result.games.iloc[:1].assign(game_id="game")
    contestants = result.contestants[result.contestants["game_id"] == result.games["game_id"].iloc[0]]
    one = Result(games, contestants.assign(game_id="game").reset_index(drop=True))
    path = game_file(tmp_path, write(one))
    assert detect(path).name == "bridgewebs"
    same(Result(*read(path)), by_direction(one))


def test_nothing_is_a_formula_where_another_sign_separates(tmp_path: Path) -> None:
    name = "'a;=1+1;|-2,'@SUM(1), +3"
    sheet = read(USEBIO)
    data = write(Result(sheet.games.assign(event=name), sheet.contestants.assign(player1=name)))
    for line in data.decode().split("\r\n"):
        cells = re.split("[;|,]", line)  # which quotes within the line keep nobody from
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in cells), line
    again = read(game_file(tmp_path, data), format="bridgewebs")
    assert again.games["event"].tolist() == [name]
    assert set(again.contestants["player1"]) == {name}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_no_formula_and_reads_back(tmp_path: Path, name: str) -> None:
    sheet = read(USEBIO)
    data = write(Result(sheet.games.assign(event=name), sheet.contestants.assign(player1=name)))
    cells = [cell.strip('"') for line in data.decode().split("\r\n") for cell in line.split("\t")]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    again = read(game_file(tmp_path, data), format="bridgewebs")
    assert set(again.contestants["player1"]) == {name}
    assert again.games["event"].tolist() == [name]


def test_sections_are_kept_apart(tmp_path: Path) -> None:
    text = "# rating: club-open\nsection,direction,number,player1,score\n" + "".join(
        f"{section},{direction},{number},P{section}{direction}{number},{number}\n"
        for section in "AB"
        for direction in ("N-S", "E-W")
        for number in (1, 2)
    )
    sheet = Result(*read(game_file(tmp_path, text, "game.csv")))
    data = write(sheet)
    assert "\tB 2\tPBE-W2\t\t2" not in data.decode()  # no column for a second player that nobody has
    assert "\tB 2\tPBE-W2\t2\t" in data.decode()
    same(Result(*read(game_file(tmp_path, data), format="bridgewebs")), by_direction(sheet))


def test_one_game_a_file(tmp_path: Path) -> None:
    two = "game_id,number,player1,score\none,1,P,5\ntwo,1,Q,6\n"
    with pytest.raises(OutputError, match="there are 2 games"):
        write(Result(*read(game_file(tmp_path, two))))


def test_the_ending_tells_it_from_plain_csv(tmp_path: Path) -> None:
    assert writer_for(Path("game.bridgewebs.csv")).name == "bridgewebs"
    assert writer_for(Path("game.csv")).name == "csv"
    source = game_file(tmp_path, WEDNESDAY, "wednesday.csv")
    assert run("convert", source, tmp_path / "wednesday.bridgewebs.csv").status == 0
    assert run("batch", source, "-o", tmp_path / "out", "--to", "csv,bridgewebs").status == 0
    assert {detect(path).name for path in (tmp_path / "out").glob("*.csv")} == {"csv", "bridgewebs"}


def test_the_number_of_a_board_may_have_a_zero_before_it(tmp_path: Path) -> None:
    plain = read_play(game_file(tmp_path, TWO_WINNERS))
    filled = read_play(game_file(tmp_path, TWO_WINNERS.replace("#Board;", "#Board;0")))
    assert filled[0].equals(plain[0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("#Date;22/10/2015", "#Date;31/02/2015"), "line 4, column 2: invalid date: '31/02/2015'"),
        (("#Boards;2", "#Boards;two"), "line 5, column 2: invalid number of boards: 'two'"),
        (("2;4;50.00;9;2;0", "2;4;5O.00;9;2;0"), "line 9, column 7: invalid number: '5O.00'"),
        (("2.4;4;60.00", ";4;"), "line 13: this row has no score"),
        ((";Pair;", ";Nobody;"), "line 9: this row has no number"),
        (("2;5;Huw", "2;4;Huw"), "line 14: contestant A E-W 4 appears twice, first in line 13"),
        (("#Board;2", "#Board;b"), "line 20: invalid board number: 'b'"),
        (("2;5;;50", "2;;;50"), "line 19: this result does not name both pairs"),
        (("2;5;;50", "2;5;;fifty"), "line 19, column 4: invalid number: 'fifty'"),
        (("#Travellers", "#Scores\n#Travellers"), "line 15: a third #Scores begins here"),
        (("#Version;std1\n", ""), None),
        (("#Version;std1\n", "Pairs\n#Version;std1\n"), "line 1: the file does not begin with an option"),
        (("#Boards;2", "#Comment;resultproc;0;no"), "line 5: this comment of resultproc's cannot be read"),
        (("#Boards;2", "#Comment;resultproc;1;{\"strat\": \"B\"}"), "line 5: this comment of resultproc's cannot be"),
        (("#Boards;2", "#Comment;resultproc;1;{\"stratum\": \"??\"}"), "line 5: invalid stratum: '??'"),
        (("#Boards;2", "#Comment;resultproc;0;{\"rating\": \"x\"}"), "line 5: rating: unknown value 'x'"),
        (("Gwen", '"Gwen'), "the line cannot be read"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_line(tmp_path: Path, change: tuple[str, str], said: str | None) -> None:
    path = game_file(tmp_path, TWO_WINNERS.replace(*change, 1))
    if said is None:
        assert len(read(path, format="bridgewebs").contestants) == 4
        return
    with pytest.raises(InputError) as caught:
        read(path, format="bridgewebs")
    assert said in str(caught.value)


def test_a_file_without_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no contestants found"):
        read(game_file(tmp_path, "#Version;std1\n#Scores\n#Travellers\n"))
