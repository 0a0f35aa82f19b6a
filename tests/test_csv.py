"""CSV: the published game of 2012, every way of writing one, what is refused and where, and that it reads back."""

import csv
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import process_time

import pandas as pd
import pytest
from conftest import FIXTURES, File, examples
from games import mp
from generated import HOSTILE, named, results, same
from hypothesis import given

from resultproc.formats.csv import write
from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.values import escape_formula
from resultproc.pages.annotated import annotated
from resultproc.people.seated import labels
from resultproc.stages.pipeline import award_sheet, process

NAME = "any.csv"
GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"


def contestants(path: Path) -> pd.DataFrame:
    """Return the contestants of a file, without the columns that are empty and those that every row has."""
    frame = read(path, format="csv").contestants.drop(columns=["game_id", "eligible", "where"])
    return frame.dropna(axis="columns", how="all")


def refusal(path: Path, **keys: object) -> list[str]:
    """Return what is told of a file that is refused, a line for each problem."""
    with pytest.raises(InputError) as caught:
        read(path, format="csv", **keys)
    return str(caught.value).splitlines()


# The published game. Its first award is 0.1 for each of 9 tables; the others are 70%, 50% and 35% of that, and
# 35% of 0.90 is 0.315, which is paid as 0.32. B has 7 tables at 80%: 0.56, 0.39, 0.28; C has 2 N-S, 4 E-W at 70%:
# 0.14, and 0.28, 0.20. Printed are the places that pay.
PUBLISHED = {
    "A-NS-1": ("A=1, B=1", "0.90 A"),
    "A-NS-2": ("", "0.00"),
    "A-NS-3": ("", "0.00"),
    "A-NS-4": ("", "0.00"),
    "A-NS-5": ("B=3, C=1", "0.28 B"),
    "A-NS-6": ("A=2, B=2", "0.63 A"),
    "A-NS-7": ("A=3", "0.45 A"),
    "A-NS-8": ("A=4", "0.32 A"),
    "A-NS-9": ("", "0.00"),
    "A-EW-1": ("A=3", "0.45 A"),
    "A-EW-2": ("A=2, B=2, C=1", "0.63 A"),
    "A-EW-3": ("A=4", "0.32 A"),
    "A-EW-4": ("", "0.00"),
    "A-EW-5": ("", "0.00"),
    "A-EW-6": ("C=2", "0.20 C"),
    "A-EW-7": ("", "0.00"),
    "A-EW-8": ("", "0.00"),
    "A-EW-9": ("A=1, B=1", "0.90 A"),
}


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_the_published_game_is_awarded_as_printed(ending: str) -> None:
    result = process(GAME.with_suffix(ending), format=ending[1:])
    shown = annotated(result).fillna({"printed_section": "", "printed_paid_by": ""})
    awards = result.awards["masterpoints"].map(mp) + " " + shown["printed_paid_by"]
    places = zip(shown["printed_section"], awards.str.strip(), strict=True)
    assert dict(zip(labels(result.contestants), places, strict=True)) == PUBLISHED


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_what_is_printed_is_read_and_nothing_computed_from_it(ending: str) -> None:
    read_ = read(GAME.with_suffix(ending), format=ending[1:])
    printed = read_.contestants.set_index(pd.Index(labels(read_.contestants)))
    paid = {who: award for who, (_, award) in PUBLISHED.items() if award != "0.00"}
    awards = printed["printed_award"].dropna().map(mp) + " " + printed["printed_paid_by"].dropna()
    assert awards.to_dict() == paid
    assert printed["printed_section"].dropna().to_dict() == {who: PUBLISHED[who][0] for who in paid}
    bare = read_.contestants.assign(printed_award=pd.array([1] * 18, "Int64"), printed_section="A=9")
    awarded, again = award_sheet(replace(read_, contestants=bare)), award_sheet(read_)
    pd.testing.assert_frame_equal(awarded.awards, again.awards)


# Ways of writing a sheet.

TABLE = "number,player1,percentage\n1,P,60\n2,Q,40\n"


@pytest.mark.parametrize(
    ("header", "cell", "column", "value"),
    [
        ("Sec", "b", "section", "B"),
        ("DIR", "ns", "direction", "N-S"),
        ("NS/EW", "E", "direction", "E-W"),
        ("Direction", "east-west", "direction", "E-W"),
        ("Strat", "c", "stratum", "C"),
        ("Flight", "A", "stratum", "A"),
        ("Matchpoints", "133.50", "score", 133.5),
        ("MPs", "133", "score", 133),
        ("Total score", "-4.5", "score", -4.5),
        ("Score", "\u22124.5", "score", -4.5),
        ("Score", "1,234.5", "score", 1234.5),
        ("Pct", "61.57%", "percentage", 61.57),
        ("%", "61,57", "percentage", 61.57),
        ("C/O", "3.25", "carryover", 3.25),
        ("Hcp", "14", "handicap", 14),
        ("Session 2", "70", "session2", 70),
        ("Name 2", "Ann  Lee ", "player2", "Ann Lee"),
        ("Player Name 3", "Ann", "player3", "Ann"),
        ("ACBL No. 1", "0001234", "id1", "0001234"),
        ("Member number 2", "K123456", "id2", "K123456"),
        ("Masterpoints 1", "1,234.56", "mp1", 1234.56),
        ("Holding_2", "1,234", "mp2", 1234),
        ("Section Rank", "A=1/2, B=1", "printed_section", "A=1/2, B=1"),
        ("Rank B", "2/3", "printed_section", "B=2/3"),
        ("Overall A", "14", "printed_overall", "A=14"),
        ("Masterpoints", "0.63", "printed_award", 63),
        ("Paid by", "OA", "printed_paid_by", "OA"),
        ("Colors", "black=0.22, red=0.22", "printed_colours", "black=0.22, red=0.22"),
        ("Round 1", "w 5, l 7", "round1", "W 5 L 7"),
    ],
)
def test_headers_have_synonyms(file: File, header: str, cell: str, column: str, value: object) -> None:
    score = "" if column in {"score", "percentage"} else "Score"
    frame = contestants(file(f'Pair;Player 1;"{header}";{score}\n7;P;{cell};{"50" if score else ""}\n'))
    assert frame.loc[0, column] == value
    assert frame.loc[0, "number"] == "7"


@pytest.mark.parametrize(
    "name", ["number", "Pair", "Pair No.", "PAIR NUMBER", "#", "No", "Nr", "Team", "team_no", "Seed"]
)
def test_the_number_has_many_names(file: File, name: str) -> None:
    assert contestants(file(f"{name},player1,score\n4,P,1\n"))["number"].tolist() == ["4"]


def test_columns_stand_in_any_order(file: File) -> None:
    pd.testing.assert_frame_equal(
        contestants(file("percentage,player1,NUMBER\n60,P,1\n40,Q,2\n")), contestants(file(TABLE)), check_like=True
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_any_delimiter_line_end_and_encoding_read_the_same(file: File, delimiter: str, end: str, encoding: str) -> None:
    lines = ["# club: Café Zoë", "pair,player 1,player 2,score", '1,"Ångström, Per",O\'Neill,5.5', '2,"Li ""Zoë""",Q,4']
    text = end.join(lines).replace(",", delimiter).replace(f"m{delimiter} P", "m, P") + end
    path = file(text.encode(encoding))
    assert contestants(path).to_dict("list") == {
        "section": ["A", "A"],
        "number": ["1", "2"],
        "player1": ["Ångström, Per", 'Li "Zoë"'],
        "player2": ["O'Neill", "Q"],
        "score": [5.5, 4],
    }
    assert read(path).games.loc[0, "club"] == "Café Zoë"


def test_bytes_that_windows_1252_leaves_undefined_are_kept(file: File) -> None:
    # As on the web, see https://encoding.spec.whatwg.org/#windows-1252: 0x81 is U+0081.
    assert contestants(file(b"pair,player1,score\n1,\x93Zo\xeb\x94 a\x81,5\n")).loc[0, "player1"] == "“Zoë” a\x81"


def test_decimal_commas(file: File) -> None:
    frame = contestants(file("pair;player1;score;percentage\n1;P;1.234,5;61,57\n".replace("1.234,5", "133,50")))
    assert frame[["score", "percentage"]].to_numpy().tolist() == [[133.5, 61.57]]


def test_what_a_spreadsheet_makes_of_the_lines_above_the_header(file: File) -> None:
    text = '"# event: A, ""B""",,,\n# tables: 9,,,\n# a remark,,,\n,,,\n' + TABLE.replace("\n", ",\n") + ",,,\n"
    sheet_ = read(file(text), format="csv")
    assert sheet_.games.loc[0, ["event", "tables"]].tolist() == ['A, "B"', "9"]
    assert sheet_.contestants["where"].tolist() == ["line 6", "line 7"]


def test_lines_are_counted_across_blank_ones_remarks_and_breaks_within_a_cell(file: File) -> None:
    text = 'number,player1,percentage\n\n# a remark\n1,"P\nQ",60\n2,R,x\n'
    assert refusal(file(text)) == ["any.csv: line 6, column 3: invalid number: 'x'; write it as 133 or 133.50"]


def test_a_section_stands_until_another_is_named(file: File) -> None:
    frame = contestants(file("section,number,player1,score\nA,1,P,5\n,2,Q,4\nB,1,R,5\n,2,S,4\n"))
    assert frame["section"].tolist() == ["A", "A", "B", "B"]
    frame = contestants(file("game,section,number,player1,score\nx,A,1,P,5\ny,B,1,R,5\nx,,2,Q,4\ny,,2,S,4\n"))
    assert frame["section"].tolist() == ["A", "B", "A", "B"]


def test_several_games_in_one_file(file: File) -> None:
    text = "# tables: 2\n# [games.mon]\n# tables: 3\ngame_id,number,player1,score\nmon,1,P,5\ntue,1,Q,5\ntue,2,R,4\n"
    sheet_ = read(file(text), format="csv")
    assert sheet_.games.set_index("game_id")["tables"].to_dict() == {"mon": "3", "tue": "2"}
    assert sheet_.contestants["game_id"].tolist() == ["mon", "tue", "tue"]


def test_a_file_without_game_ids_is_a_game_of_its_name(file: File) -> None:
    assert read(file(TABLE), format="csv").games[["game_id", "source"]].to_numpy().tolist() == [["any", "any.csv"]]


def test_the_content_tells_that_it_is_csv(file: File) -> None:
    assert len(read(file("Nr;Name 1;Score\n1;P;5\n")).contestants) == 1


# What is refused: the line and the cell, what is wrong and what would be right.

DATED = "# rating: club-open\n# date: 2012-04-18\n# tables: 2\n"

REFUSED = {
    "missing column": (
        "number,percentage\n1,60\n",
        "line 1: the column 'player1' is missing (write number and player1 in the header)",
    ),
    "no score": ("number,player1\n1,P\n", "line 1: the column 'score' is missing (write score or percentage"),
    "mistyped": ("numbr,player1,score\n1,P,5\n", "line 1, column 1: unknown column 'numbr' (did you mean 'number'?)"),
    "column twice": ("pair,no,player1,score\n", "line 1, column 2: the column 'no' appears twice (keep one of them)"),
    "ranks twice": ("no,player1,score,rank B,section rank\n", "line 1, column 5: the column 'section rank' appears"),
    "cell beyond": (TABLE + "3,R,50,x\n", "line 4, column 4: 'x' is in a column without a header (name the"),
    "no number": (TABLE + ",R,50\n", "line 4: this row has no number (write one for every contestant)"),
    "no player": (TABLE + "3,,50\n", "line 4: this row has no player1 (write one for every contestant)"),
    "no score in a row": (TABLE + "3,R,\n", "line 4: this row has no score (write one for every contestant)"),
    "unreadable": (TABLE + "3,R,fifty\n", "line 4, column 3: invalid number: 'fifty'; write it as 133 or 133.50"),
    "beside no scores": ("no,names,score,%\n1,P & Q,,60\n2,R & S,,4o\n", "line 3, column 4: invalid number: '4o'"),
    "not a number": (TABLE + "3,R,nan\n", "line 4, column 3: invalid number: 'nan'; write it as 133 or 133.50"),
    "infinite": (TABLE + "3,R,inf\n", "line 4, column 3: invalid number: 'inf'; write it as 133 or 133.50"),
    "over 100%": (TABLE + "3,R,100.01\n", "line 4, column 3: percentage out of range: 100.01; write a number"),
    "below 0%": (TABLE + "3,R,-0.01\n", "line 4, column 3: percentage out of range: -0.01; write a number"),
    "absurd score": ("no,player1,score\n1,P,1e99\n", "line 2, column 3: number out of range: 1e99"),
    "doubtful comma": ('no,player1,score\n1,P,"50,250"\n', "line 2, column 3: '50,250' may mean 50.250 or 50250"),
    "no stratum": (TABLE.replace("\n", ",stratum\n", 1) + "3,R,50,BB\n", "line 4, column 4: invalid stratum: 'BB'"),
    "no direction": ("dir,no,player1,score\nX,1,P,5\n", "line 2, column 1: invalid direction: 'X'; write N-S or E-W"),
    "eligible perhaps": ("no,player1,score,eligible\n1,P,5,perhaps\n", "line 2, column 4: invalid answer: 'perhaps'"),
    "no rank": ("no,player1,score,rank A\n1,P,5,first\n", "line 2, column 4: invalid rank: 'first'; write it as 1"),
    "no match": ("no,player1,round 1\n1,P,won\n", "line 2, column 3: invalid match: 'won'; write W 5 for a win"),
    "duplicate": (TABLE + "3,R,50\n4,S,3\n01,T,50\n", "line 6: contestant A 1 appears twice, first in line 2 (keep"),
    "several games": (TABLE + "1,R,60\n2,S,40\n", "line 4: from here on the numbers begin again (for N-S"),
    "no section": ("section,no,player1,score\n,1,P,5\nB,2,Q,4\n", "line 2: this row has no section, but others do"),
    "no section in a game": (
        "game,section,no,player1,score\nx,B,1,P,5\ny,,1,Q,4\n",
        "line 3: this row has no section, but others do (name the section)",
    ),
    "no game_id": ("game,no,player1,score\nx,1,P,5\n,2,Q,4\n", "line 3: this row has no game_id, but others do"),
    "no contestant": ("number,player1,score\n", "line 1: there are no contestants below this header"),
    "no header": ("# tables: 9\n# a remark\n", "no header row and no contestants found"),
    "nothing": ("", "no header row and no contestants found"),
    "zero bytes": (TABLE + "3,\0,50\n", "this is binary data, not text (export the results as text, CSV or Excel)"),
    "open quote": (TABLE + '3,"R,50\n4,S,50\n', "line 4: the line cannot be read: unexpected end of data"),
    "quote within": (TABLE + '3,"R"S,50\n', "line 4: the line cannot be read: ',' expected after '\"'"),
    "unknown key": ("# tabels: 2\n" + TABLE, "line 1: unknown key 'tabels' (did you mean 'tables'?)"),
    "unreadable key": ("# rating: club-opn\n" + TABLE, "line 1: rating: unknown value 'club-opn'; did you mean"),
    "key without value": ("# tables:\n" + TABLE, "line 1: tables: it has no value; write for example A=9, B=7.5"),
    "key twice": (
        "# tables: 2\n# Tables: 3\n" + TABLE,
        "line 2: the key 'tables' appears twice, first in line 1 (keep",
    ),
    "late key": (TABLE + "# tables: 2\n", "line 4: this declaration is below the header (write it above the header)"),
    "rising strata": ("# strata: A=200, B=1000\n" + TABLE, "line 1: strata: the limits in 'A=200, B=1000' are"),
    "no such game": ("# [games.x]\n# tables: 2\n" + TABLE, "line 2: unknown game 'x' in the file (known: any)"),
    "a game's keys twice": ("# [games.x]\n# [games.x]\n" + TABLE, "line 2: the game 'x' appears twice (declare"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(file: File, name: str) -> None:
    text, told = REFUSED[name]
    assert [line for line in refusal(file(text)) if not line.startswith(f"any.csv: {told}")] == []


def test_every_mistake_is_told_at_once(file: File) -> None:
    expected = ["line 4, column 3: ", "line 5, column 3: ", "line 6, column 3: "]
    assert [line.partition(": ")[2][:18] for line in refusal(file(TABLE + "3,R,x\n4,,-1\n5,T,101\n"))] == expected


STRATA = "# strata: A=open, B=1000\n"
STRATIFIED = "number,player1,percentage,stratum\n1,P,60,A\n2,Q,40,"

UNFIT = {
    "unknown stratum": (DATED + STRATA + STRATIFIED + "X\n", "line 7: unknown stratum X: the game's strata are"),
    "stratum without limit": (
        DATED + STRATIFIED + "B\n",
        "line 5: the strata A, B of the sheet have no limits\n  write above the header of the list",
    ),
    "too many pairs": (DATED + TABLE + "3,R,50\n4,S,50\n5,T,50\n", "line 9: section A lists 5 contestants, but 2"),
    "no tables": (
        DATED.replace("# tables: 2\n", "") + TABLE + "3,R,50\n",
        "tables is not declared\n  write above the header of the list, with your own values where these are not right:"
        "\n      # tables: 1.5\n",
    ),
    "no rating": (
        DATED.replace("# rating: club-open\n", "") + TABLE,
        "rating is not declared\n  write above the header of the list, with your own values where these are not right:"
        "\n      # rating: club-open\n",
    ),
}


def test_both_directions_without_their_column_look_like_two_games(file: File) -> None:
    hint = "add a column game_id that tells the games apart, or give each game its own file"
    directed = "this looks like several games ("
    undirected = (
        "numbers begin again (for N-S and E-W pairs add a column direction, or rows N-S and E-W above them; for several"
    )
    for head, what in ((",", f"{undirected} games "), (",dir,", directed)):
        cell = head.replace("dir", "NS")
        rows = [f"{number}{cell}{name},50\n" for name in ("P", "Q") for number in (1, 2)]
        with pytest.raises(InputError) as caught:
            process(file(f"number{head}player1,score\n{''.join(rows)}"), format="csv")
        assert str(caught.value).endswith(f"{what}{hint})")


@pytest.mark.parametrize("name", UNFIT)
def test_what_is_read_and_cannot_be_awarded(file: File, name: str) -> None:
    text, told = UNFIT[name]
    with pytest.raises(InputError) as caught:
        process(file(text), format="csv")
    assert str(caught.value).startswith(f"any.csv: {told}")


@pytest.mark.parametrize("content", [b"", b"\n \n", bytes(range(256)) * 40, "a,b\n1,2\n".encode("utf-16"), b"\x7fELF"])
def test_no_results_at_all(file: File, content: bytes) -> None:
    with pytest.raises(InputError, match=r"^any\.csv: "):
        read(file(content))
    with pytest.raises(InputError, match=r"^any\.csv: "):
        read(file(content), format="csv")


def seconds(file: File, cell: str) -> float:
    """Return the processor time that a cell takes, wherever something is looked for in one."""
    start = process_time()
    for name in ("score", "percentage", "mp1", "number", "round 1", "section rank", "rank A", "date", "stratum"):
        with suppress(InputError):
            read(file(f'no,player1,session 1,{name}\n1,P,5,"{cell}"\n'), format="csv")
    with suppress(InputError):
        read(file("".join(f"# {key}: {cell}\n" for key in ("tables", "strata", "date")) + TABLE), format="csv")
    return process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "repeated", "end"),
    [("", "9", ""), ("", "1,", "1"), ("1", ",000", "x"), ("", "-", ""), ("", "W", ", X"), ("", "W5,", "!")],
    ids=["digits", "commas", "thousands", "signs", "wins", "matches"],
)
def test_a_cell_ten_times_as_long_takes_about_ten_times_as_long_at_most(
    file: File, begin: str, repeated: str, end: str
) -> None:
    """And not a hundred times, as where each character is compared with all that follow; one of two tries will do."""
    short, long = (begin + repeated * times + end for times in (2_000, 20_000))
    assert any(seconds(file, long) < 25 * seconds(file, short) for _ in range(2))


# What the writer writes.


def cells(data: bytes) -> list[list[str]]:
    """Return the cells of a CSV as any other program sees them."""
    return list(csv.reader(data.decode("utf-8-sig").splitlines()))


@pytest.mark.parametrize(
    "text", ["=1+1", "+44 20", "-", "-1", "@SUM(A1)", "=cmd|'/c calc'!A0", "\t=1+1", " =1", "'=1", "''=1"]
)
def test_no_text_is_a_formula(file: File, text: str) -> None:
    result = named(text)
    games = result.games.assign(event=text, club=text)
    data = write(Result(games, result.contestants))
    assert [cell for row in cells(data) for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    assert f"'{text.strip()}" in cells(data)[-1]
    again = read(file(data), format="csv")
    assert again.contestants["player1"].tolist() == [text.strip()]
    assert again.games.loc[0, ["event", "club"]].tolist() == [text.strip()] * 2


@pytest.mark.parametrize("separator", [";", "|"])
@pytest.mark.parametrize("text", ["Ann{}=1+1{}", "Ann{} '-1", "Ann{}{}=1", "{}@x", "#1{}+1"])
def test_no_part_of_a_text_is_a_formula_where_another_sign_separates_cells(
    file: File, text: str, separator: str
) -> None:
    text = text.replace("{}", separator)
    result = named(text)
    data = write(Result(result.games.assign(event=text), result.contestants))
    parts = [part for line in data.decode("utf-8-sig").splitlines() for part in line.split(separator)]
    assert [part for part in parts if part.strip(" '\"") and part.strip(' "')[0] in "=+-@"] == []
    assert f'"{escape_formula(text).strip()}"' in data.decode("utf-8-sig")
    again = read(file(data), format="csv")
    assert again.contestants["player1"].tolist() == [text.strip()]
    assert again.games.loc[0, "event"] == text.strip()


def test_numbers_below_zero_stay_numbers(file: File) -> None:
    result = named("P")
    data = write(Result(result.games, result.contestants.assign(score=-4.5)))
    assert "-4.5" in cells(data)[-1]
    assert read(file(data), format="csv").contestants["score"].tolist() == [-4.5]


def test_names_survive(file: File) -> None:
    names = [name for name in HOSTILE if name.strip()]
    data = write(named(*names))
    assert read(file(data), format="csv").contestants["player1"].tolist() == names


def test_text_beyond_ascii_is_marked_as_utf_8() -> None:
    assert write(named("Zoë")).startswith(b"\xef\xbb\xbf#")
    assert write(named("Zoe")).startswith(b"#")


def test_the_published_game_awarded_and_written_is_the_fixture(file: File) -> None:
    # Positions, awards and the strata that pay them are computed anew; the fixture has them as they were printed.
    again = read(file(write(process(GAME, format="csv"))), format="csv")
    expected = read(GAME, format="csv").contestants.assign(game_id="any", printed_colours=None)
    columns = ["where", "printed_colours"]
    pd.testing.assert_frame_equal(again.contestants.drop(columns=columns), expected.drop(columns=columns))


@examples(30)
@given(results())
def test_what_was_written_reads_back(file: File, result: Result) -> None:
    data = write(result)
    again = Result(*read(file(data), format="csv"))
    same(again, result)
    assert write(again) == data


def test_a_number_for_a_name_has_a_remark(tmp_path: Path) -> None:
    game = tmp_path / "game.csv"
    rows = ["1,Ann Ash,60", "2,38.0,55", "3,R2-D2,45", "4,Gus 2,40"]
    game.write_text("\n".join(["number,player1,percentage", *rows]))
    assert [remark.what for remark in read(game).remarks if "stands for" in remark.what] == ["'38.0' stands for a name"]
