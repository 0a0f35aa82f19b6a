"""The recap sheets that ACBLscore prints. What pairs are paid was worked by hand: see the sheet."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import run, saved, with_tabs

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source
from resultproc.reports.check import check

HEAD = """
EVENT>Tuesday Pairs            |SESSION>Tuesday Eve  |SECTION> A {way}
------------------------,------ ------------,-------- --------------------------
DATE>May 5, 2009        |CLUB NO.>123456    | 05/06/2009 06:09
---------------------,-- ------------------- -------------,---------------------
DIR> Ivy Jay         |RATING>Club Masterpoint (100%, 60% Open)|MOVEMENT>MITCHELL
------------,-------- ,-------------------------,--------- ---------------------
AVE>   48.0 |TOP>   4 |MP LIMITS>None/100       |CLUB>ELM BRIDGE CLUB
------------ --------- ------------------------- -------------------------------
PAIRS IN STRAT A=5/B=3                                           ,---,-------------------,------,---------,
-----------------------------------------------------------------|   |      Section      |      |Section  |
No         Name                           Name                   |Flt|Rnk-A|Rnk-B| Score | Pct  |Awards   |
----------------------------------------------------------------- --- ----- ----- ------- ------ ---------\x20
"""
TOTALS = "                                                          Totals                   240.00       \n"

NORTH_SOUTH = """\
 1 1234567 Ann Ash                J234567 Bob van Birch            A    1     .     60.00  62.50  0.50(A)\x20
 2         Cy Cedar                       Di Dale                  A    2     .     54.00  56.25  0.35(A)\x20
 3         Ed Elm                         Flo Fir                  B    .     1     46.00  47.92  0.18(B)\x20
 4         Gus Gum                        Hal Holm                 B    .     .     42.00  43.75          \x20
 5         Ina Iris                       Jo Juniper               B    .     .     38.00  39.58          \x20
"""
EAST_WEST = """\
 1         Kay Kapok                      Lew Larch                B    1     1     58.00  60.42  0.50(A)\x20
 2         Max Maple                      Nan Nut                  A    2     .     50.00  52.08  0.35(A)\x20
 3         Oda Oak                        Pat Palm                 B    .     .     48.00  50.00          \x20
 4         Quin Quince                    Ray Rowan                B    .     .     44.00  45.83          \x20
 5         Sue Spruce                     Tim Tamarack             A    .     .     40.00  41.67          \x20
"""
"""Five pairs in A pay 5 x 0.10 and 70% of that: two fifths of five places; three in B pay 3 x 0.06, one place."""

BOARDS = """

                           **PAIRS**
BOARD     1     2     3     4     5
  \\/
   1>     6           4      -    2-
         200   ----   50  -400  -100
"""
WHOLE = HEAD.format(way="N-S") + NORTH_SOUTH + TOTALS + BOARDS + HEAD.format(way="E-W") + EAST_WEST + TOTALS + BOARDS

ONE_WINNER = """\
EVENT>Tuesday Pairs            |SESSION>Tuesday Eve  |SECTION> C
DATE>May 5, 2009        |CLUB NO.>123456    | 05/06/2009 06:09
DIR> Ivy Jay         |RATING>Club Masterpoint (80% Open)  |MOVEMENT>ONE WINNER
AVE>   20.0 |TOP>   2 |MP LIMITS>750            |CLUB>ELM BRIDGE CLUB
PAIRS>  5                                                        ,------------,------,------,
-----------------------------------------------------------------|   Section  |      |Sect. |
No         Name                           Name                   | Rank|Score | Pct  |Awards|
----------------------------------------------------------------- ----- ------ ------ ------\x20
 1         Una Upas                       Vic Viburnum             1     25.00  62.50  0.40\x20
 2         Wes Willow                     Xena Yew                 NE    22.00  55.00      \x20
 3         Abe Alder                      Bea Box                  2     20.00  50.00  0.28\x20
 4         Cleo Cork                      Don Deal                       18.00  45.00      \x20
 5         Eli Ebony                      Fay Fig                        15.00  37.50      \x20
                                                          Totals        100.00      \x20
"""


def sheet(text: str, name: str = "tuesday.txt") -> Sheet:
    return read(Source(name, text.encode()))


def test_what_a_sheet_says_of_its_game() -> None:
    found = sheet(WHOLE)
    game = found.games.iloc[0].dropna()
    assert str(game["date"].date()) == "2009-05-05"
    told = {name: str(game[name]) for name in ("event", "session", "club", "rating", "strata", "boards")}
    assert told == {
        "event": "Tuesday Pairs",
        "session": "Tuesday Eve",
        "club": "ELM BRIDGE CLUB",
        "rating": "club-open",
        "strata": "A=open, B=100",
        "boards": "24",  # whose mean is half of what can be won: 2 x 48 / 4
    }
    assert (game["movement"], game["tables"], game["stored_percent_of_open"]) == ("A=mitchell", "A=5", "A=100, B=60")
    first = found.contestants.iloc[0]
    expected = ("Ann Ash", "1234567", "Bob van Birch", "J234567")
    assert (first["player1"], first["id1"], first["player2"], first["id2"]) == expected
    assert [*found.contestants["direction"]] == ["N-S"] * 5 + ["E-W"] * 5
    assert not found.remarks


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["\n", "\r\r\n"])
def test_its_ranks_and_awards_are_those_of_the_rules(tmp_path: Path, ends: str) -> None:
    path = saved(tmp_path / "tuesday.txt", WHOLE.replace("\n", ends).encode())
    found = check(path)
    assert len(found.differences) == 0
    assert (
        run("check", path).out == "tuesday.txt: 16 of 16 ranks and awards agree\n"
    )  # six ranks, and what ten pairs won


def test_games_of_other_limits_are_others_and_what_is_not_eligible_is_said(tmp_path: Path) -> None:
    found = sheet(WHOLE + ONE_WINNER)
    assert [*found.games["game_id"]] == ["tuesday-1", "tuesday-2"]
    assert [*found.games["rating"]] == ["club-open", "club-restricted"]
    assert found.games["limit"].tolist()[1] == 750
    limited = found.contestants[found.contestants["game_id"] == "tuesday-2"]
    assert limited["eligible"].tolist() == [True, False, True, True, True]
    assert limited["direction"].isna().all()
    # Five pairs pay 5 x 0.08 and 70% of that; who is not eligible is passed over.
    path = saved(tmp_path / "tuesday.txt", WHOLE + ONE_WINNER)
    assert run("check", path).out.splitlines()[-1] == "tuesday.txt: 23 of 23 ranks and awards agree"


@pytest.mark.parametrize("stratum", [" ", "\0"])
def test_who_is_in_no_stratum_is_not_eligible(stratum: str) -> None:
    text = WHOLE.replace("Jo Juniper               B", f"Jo Juniper               {stratum}")
    assert sheet(text).contestants["eligible"].tolist() == [True] * 4 + [False] + [True] * 5


def test_a_sheet_that_is_printed_twice_is_read_once() -> None:
    assert len(sheet(WHOLE + WHOLE).contestants) == 10
    with pytest.raises(InputError, match="appears twice"):
        sheet(WHOLE + WHOLE.replace("58.00  60.42", "57.00  59.38"))


NO_COLUMN = "of this row is not in any column"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("58.00  60.42", "5x.00  60.42", r"line 40: invalid number: '5x.00'"),
        ("0.35(A)", "0;35(A)", r"line 15: invalid award: '0;35\(A\)'"),
        (" 2         Cy", " 2        Cyn", rf"line 15: the text at place 11 {NO_COLUMN}"),
        ("No         Name    ", "No Name ", r"line 12: the blanks that keep the columns of this report apart are gone"),
        ("MP LIMITS>None/100 ", "MP LIMITS>None/1OO ", r"line 2: invalid limits: 'MP LIMITS>None/1OO'"),
        ("DATE>May 5, 2009", "DATE>Month 0, year", r"line 2: invalid date: 'DATE>Month 0, year'"),
        (TOTALS, "", r"line 13: this table does not end .*is the file cut off"),
        ("MOVEMENT>MITCHELL", "GAME>WIN-LOSS", None),
        (" 2         Max Maple", "           Max Maple", r"line 41: this row does not begin with a number"),
        (" 2         Max Maple", "Page 2\n 2         Max Maple", r"line 41: this row does not begin with a number"),
        (" 2         Max Maple", "102         Max Maple", rf"line 41: the text at place 90 {NO_COLUMN}"),
        ("0.35(A) \n 3         Oda", "0.35(A)  x\n 3         Oda", rf"line 41: the text at place 108 {NO_COLUMN}"),
        ("SECTION> A N-S", "SECTION> A Up", r"line 2: invalid section: 'SECTION>A Up'"),
        ("SECTION> A N-S", "SECTION> A B N-S", r"line 2: invalid section: 'SECTION>A B N-S'"),
        ("SECTION> A N-S", "", r"line 2: invalid section: 'SECTION>'"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_line(old: str, new: str, message: str | None) -> None:
    text = WHOLE.replace(old, new)
    if message is None:
        text = re.sub("(?m)^No  .*$", "", text)
        message = r"line 2: a sheet of GAME>WIN-LOSS cannot be read"
    with pytest.raises(InputError, match=message):
        sheet(text)


@pytest.mark.parametrize(
    "made", [lambda text: re.sub("(?m)^ +", "", text), with_tabs, lambda text: text.replace("  ", "\xa0 ")]
)
def test_what_an_editor_does_to_blanks_changes_nothing(made: Callable[[str], str]) -> None:
    assert made(WHOLE) != WHOLE
    for each in (WHOLE, ONE_WINNER):
        pd.testing.assert_frame_equal(sheet(made(each)).contestants, sheet(each).contestants)


def test_scores_that_do_not_add_up_are_told() -> None:
    (remark,) = sheet(WHOLE.replace("42.00  43.75", "24.00  43.75")).remarks
    assert "line 19: the scores add up to 222.00, and Totals says 240.00" in str(remark)


def test_limits_that_do_not_fall_are_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path / "tuesday.txt", WHOLE.replace("None/100 ", "None/None"))
    done = run("award", path)
    assert done.status == 1
    assert "the strata A, B of the sheet have no limits" in done.err
    (tmp_path / "tuesday.toml").write_text('strata = "A=open, B=100"\n')
    assert run("award", path).status == 0


LABELS = "".join(HEAD.splitlines(keepends=True)[-2:])


def test_a_second_table_below_one_head_is_read_too() -> None:
    rest = NORTH_SOUTH.replace("\n ", "\n1").replace(" 1 1234567", "11 1234567")
    found = sheet(WHOLE.replace(BOARDS, "\n" + LABELS + rest + TOTALS + BOARDS, 1)).contestants
    assert [*found["number"][:10]] == ["1", "2", "3", "4", "5", "11", "12", "13", "14", "15"]


def test_sheets_that_are_indented_are_read_all_the_same() -> None:
    """They were taken for lists, and who is not eligible was ranked."""
    indented = "".join(f"    {line}" for line in ONE_WINNER.splitlines(keepends=True))
    assert sheet(indented).contestants["eligible"].tolist() == [True, False, True, True, True]
    with pytest.raises(InputError, match="line 1: this sheet has no table"):
        sheet(indented + "who sent it\n")


def test_a_page_that_ends_within_a_table_is_told() -> None:
    text = WHOLE.replace("\n 4         Gus", "\n\f" + LABELS + " 4         Gus")
    with pytest.raises(InputError, match="line 13: this table does not end"):
        sheet(text)


def test_a_listing_beside_recap_sheets_is_not_passed_over_in_silence() -> None:
    listing = "Late Pairs Tuesday Eve Session May 5, 2009\nSection B\nPair    Pct   Score  Rank    MPs\n"
    with pytest.raises(InputError, match="line 3: the listing below this header is not read"):
        sheet(listing + "   1   60.00   30.00     1    0.50   Zoe Zed - Xav Xed\n" + WHOLE)


@pytest.mark.parametrize("average", ["inf ", "nan ", "1e999"])
def test_an_average_that_is_no_number_says_nothing_of_the_boards(average: str) -> None:
    games = sheet(WHOLE.replace("AVE>   48.0", f"AVE>   {average}")).games
    assert "boards" not in games or games["boards"].isna().all()


def test_overall_ranks_are_those_below_overall() -> None:
    """Five pairs each way; the ranks of A and B overall stand left of those of the section."""
    wide = ONE_WINNER.replace("|   Section  |      |", "|  Overall   |   Section  |      |")
    wide = wide.replace("| Rank|Score |", "| Rank       | Rank|Score |").replace(
        "- ----- ------", "- ------------ ----- ------"
    )
    for at, rank in enumerate(["1", "NE", "2", "", ""]):
        first = ("Una", "Wes", "Abe", "Cleo", "Eli")[at]
        wide = re.sub(f"(?m)^( [0-9]         {first}.{{{66 - 11 - len(first)}}})", rf"\g<1>{rank:<13}", wide)
    found = sheet(wide).contestants
    assert found["printed_overall"].fillna("").tolist() == ["A=1", "", "A=2", "", ""]
    assert found["printed_section"].fillna("").tolist() == ["A=1", "", "A=2", "", ""]
    assert found["score"].tolist() == [25.0, 22.0, 20.0, 18.0, 15.0]
