"""Lists of results as people and programs make them: what is read of each, and what is refused."""

import time
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from conftest import saved
from test_containers import ods
from workbooks import workbook

from resultproc import process, read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source

PAIRS = [
    ("Ann Ash", "Bob Birch", 60.0),
    ("Cy Cedar", "Di Dale", 55.5),
    ("Ed Elm", "Flo Fir", 44.5),
    ("Gus Gum", "Hal Hazel", 40.0),
]
"""The contestants of most lists here, with their percentages, which average 50."""


def sheet(content: str | bytes, name: str = "list.txt") -> Sheet:
    return read(Source(name, content.encode() if isinstance(content, str) else content))


def told(read_sheet: Sheet, *columns: str) -> list[tuple[object, ...]]:
    frame = read_sheet.contestants
    frame = frame.assign(**{name: None for name in columns if name not in frame})
    return [tuple(None if pd.isna(v) else v for v in row) for row in frame[[*columns]].itertuples(index=False)]


def pairs_of(read_sheet: Sheet) -> list[tuple[object, ...]]:
    return told(read_sheet, "player1", "player2", "percentage")


def table_of(rows: list[list[str]], attributes: str = "") -> str:
    lines = "".join("<tr>" + "".join(f"<td{attributes}>{text}</td>" for text in row) + "</tr>\n" for row in rows)
    return f"<html><body><table>{lines}</table></body></html>"


TABS = "\n".join(f"{n}\t{a}\t{b}\t{p:.2f}" for n, (a, b, p) in enumerate(PAIRS, 1))
ALIGNED = "\n".join(f"{n:>4} {a:<14}{b:<14}{p * 1.44:>7.2f} {p:>7.2f}" for n, (a, b, p) in enumerate(PAIRS, 1))
RULED = "\n".join(
    ["| Pl | Names                | %     |", "|----|----------------------|-------|"]
    + [f"| {n}  | {f'{a} & {b}':<20} | {p:.2f} |" for n, (a, b, p) in enumerate(PAIRS, 1)]
)
COMMAS = "\n".join(f"{n};{a} – {b};{p:.2f}".replace(".", ",") for n, (a, b, p) in enumerate(PAIRS, 1))
BELOW = "\n".join(f"{n}   {a:<12} {p:.2f}\n    {b}" for n, (a, b, p) in enumerate(PAIRS, 1))


@pytest.mark.parametrize("text", [TABS, ALIGNED, RULED, COMMAS], ids=["tabs", "aligned", "ruled", "semicolons"])
def test_text_in_columns_is_read_with_a_header_and_without(text: str) -> None:
    found = sheet(text)
    assert pairs_of(found) == PAIRS
    assert told(found, "number", "printed_section") == [(str(n), f"A={n}") for n in (1, 2, 3, 4)]
    assert "numbered as they are listed" in found.remarks[0].what


@pytest.mark.parametrize(
    "header",
    [
        ["Pos", "Pair", "Names", "Score", "%"],
        ["Rang", "Paire", "Noms", "Points", "Pourcentage"],
        ["Puesto", "Pareja", "Jugadores", "Puntos", "Porcentaje"],
        ["Miejsce", "Nr", "Zawodnicy", "Maksy", "Procent"],
        ["Loc", "Nr", "Nume", "Puncte", "Procente"],
    ],
    ids=["English", "French", "Spanish", "Polish", "Romanian"],
)
def test_headings_are_known_in_five_languages(header: list[str]) -> None:
    rows = [[str(n), str(10 + n), f"{a} - {b}", f"{p * 1.2:.1f}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(table_of([header, *rows]), "page.html")
    assert pairs_of(found) == PAIRS
    assert told(found, "number", "score", "printed_section")[1] == ("12", 66.6, "A=2")


@pytest.mark.parametrize(
    "between", [" - ", " – ", "/", " & ", " and ", "+", "-", "<br>"], ids=str
)  # as clubs part two names
def test_names_are_parted_as_people_part_them(between: str) -> None:
    rows = [[str(n), f"{a.split()[1]}{between}{b.split()[1]}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(table_of([["Rank", "Pair", "Score %"], *rows]), "page.html")
    assert told(found, "player1", "player2")[0] == ("Ash", "Birch")
    assert told(found, "percentage")[3] == (40.0,)


def test_last_names_first_and_member_numbers_are_told_from_names() -> None:
    rows = [
        [str(n), f"{a.split()[1]}, {a.split()[0]} (123456{n}) – {b.split()[1]}, {b.split()[0]} (765432{n})", f"{p}"]
        for n, (a, b, p) in enumerate(PAIRS, 1)
    ]
    found = sheet(table_of([["Place", "Partnership", "%"], *rows]), "page.html")
    assert told(found, "player1", "id1", "player2", "id2")[0] == ("Ash, Ann", "1234561", "Birch, Bob", "7654321")


def test_a_score_may_stand_before_its_maximum() -> None:
    rows = [[str(n), f"{a} / {b}", f"{p * 2.4:g}/240"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(table_of([["Place", "Names", "Matchpoints"], *rows]), "page.html")
    assert told(found, "score") == [(144.0,), (133.2,), (106.8,), (96.0,)]
    assert [round(float(str(p)), 6) for (p,) in told(found, "percentage")] == [60, 55.5, 44.5, 40]


def test_lists_side_by_side_are_two_directions() -> None:
    rows = [["North/South", "", "", "East/West", "", ""], ["Pair", "Names", "%"] * 2]
    rows += [
        [str(n), f"{a} - {b}", f"{p}", str(n), f"{b} Two - {a} Two", f"{100 - p}"]
        for n, (a, b, p) in enumerate(PAIRS, 1)
    ]
    found = sheet(table_of(rows), "page.html")
    assert told(found, "direction", "number", "player1")[0] == ("N-S", "1", "Ann Ash")
    assert told(found, "direction", "number", "player1", "percentage")[4] == ("E-W", "1", "Bob Birch Two", 40.0)
    # Two sections, one below the other: the heading of each is of both directions.
    more = [[cell.replace("A", "I").replace("B", "O") for cell in row] for row in rows[2:]]
    found = sheet(table_of([["Section A"], *rows, ["Section B"], *rows[:2], *more]), "page.html")
    places = [(section, side, n) for side in ("N-S", "E-W") for section in "AB" for n in "1234"]
    assert told(found, "section", "direction", "number") == places


def test_a_heading_between_two_tables_is_of_the_name_alone_that_follows_it() -> None:
    rows = [
        row for n, (a, b, p) in enumerate(PAIRS, 1) for row in (["", "", f"Poe, {a}"], [str(n), str(n), b, f"{p} %"])
    ]
    first, second = (table_of([*head, *rows]) for head in ([["Place", "Pair", "Names", "%"]], []))
    found = sheet(f"<h2>North-South</h2>{first}<h2>East-West</h2>{second}", "page.html")
    assert told(found, "direction", "number", "player1", "player2")[4] == ("E-W", "1", "Poe, Ann Ash", "Bob Birch")


def test_tables_are_counted_where_the_list_leaves_no_doubt() -> None:
    rows = [[str(n), f"{a} - {b}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    keys = {"rating": "club-open", "date": "2012-04-18", "boards": 24}
    page = table_of([["Place", "Names", "%"], *rows])
    result = process(Source("page.html", page.encode()), **keys)
    assert result.games["tables"].tolist() == ["A=2"]
    assert "tables.counted" in [remark.code for remark in result.remarks]
    odd = table_of([["Place", "Names", "%"], *rows, ["5", "Ivy Ivory - Jo Juniper", "50"]])
    with pytest.raises(InputError, match="tables is not declared"):
        process(Source("page.html", odd.replace(">5<", ">3<").encode()), **keys)


def test_a_row_for_each_table_is_two_pairs() -> None:
    head = ["Table", "North", "South", "N/S %", "East", "West", "E/W %"]
    rows = [[str(n), a, b, f"{p}", f"{a} E", f"{b} W", f"{100 - p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(table_of([head, *rows]), "page.html")
    assert told(found, "direction", "player1", "percentage")[5] == ("E-W", "Cy Cedar E", 44.5)
    lines = [" ".join([n, a, b, p, a.replace(" ", " van "), b, q]) for n, a, b, p, _, _, q in rows]
    found = sheet("\n".join([" ".join(head), *lines]))
    assert told(found, "direction", "player1", "player2")[5] == ("E-W", "Cy van Cedar", "Di Dale")


def test_two_rows_may_be_one_pair() -> None:
    rows = [row for n, (a, b, p) in enumerate(PAIRS, 1) for row in ([str(n), a, f"{p}"], ["", b, ""])]
    assert pairs_of(sheet(table_of([["Pl", "Names", "%"], *rows]), "page.html")) == PAIRS


def test_sections_and_directions_are_told_by_headings_and_the_leaders_of_all_are_left_out() -> None:
    head = ["Name", "Score (%)", "Rank"]
    first = [[f"{a}+{b}", f"{p}", str(n)] for n, (a, b, p) in enumerate(PAIRS, 1)]
    second = [[f"{a}2+{b}2", f"{100 - p}", str(5 - n)] for n, (a, b, p) in enumerate(PAIRS, 1)]
    page = "<h2>Leaders</h2>" + table_of(
        [["Rank", "Name", "Score (%)"], ["1", first[0][0], "60.0"], ["2", "x+y", "60"]]
    )
    page = page.replace("<td>x+y</td><td>60</td>", f"<td>{first[1][0]}</td><td>55.5</td>")
    page += f"<h2>Section 1 N/S</h2>{table_of([head, *first])}<h2>Section 1 E/W</h2>{table_of([head, *second])}"
    found = sheet(page, "page.html")
    assert told(found, "section", "direction", "player1")[0] == ("1", "N-S", "Ann Ash")
    assert told(found, "section", "direction", "player1")[7] == ("1", "E-W", "Gus Gum2")
    assert len(found.contestants) == 8
    assert any("repeats contestants" in remark.what for remark in found.remarks)


PRE = """<HTML><HEAD><TITLE>Club Night</TITLE>
<META name=Generator content="Magic Contest"><META name=ContestDate content="2014-02-17">
<META name=ContestName content="Monday Pairs"><META name=TableCount content="2"><META name=BoardCount content="24">
</HEAD><BODY><PRE>
2 tables, 4 pairs. Number of boards: 24. Average: 24,0.

Rank  Pair  Score       %  Name                                       M-ID

   1     3   28,8 *  60,0  Ann  Ash - Bob Birch                     +73 +68
   2     2   26,6 *  55,5  Cy Cedar - Di Dale                        +7  +6

   3     4   21,4 *  44,5  Ed Elm - Flo Fir                         +22 +81
   4     1   19,2 *  40,0  Gus Gum - Hal Hazel                      +36 +56

-----------------------------------------------------------------------------

Board:  1                                  Board:  2
 Pair  Contr     Ld     Result   Score      Pair  Contr     Ld     Result   Score
 4  1  6Hx  N +1 S8   1310      2,0 0,0     4  1  4H   E -2 D2    100      2,0 0,0
 2  3  6Sx  S  = DA   1210      0,0 2,0     2  3  4S   N -2 HA       -200  0,0 2,0
</PRE></BODY></HTML>
"""


def test_a_page_of_magic_contest_is_read_with_what_its_head_says() -> None:
    found = sheet(PRE, "page.htm")
    assert pairs_of(found) == PAIRS
    assert told(found, "number", "score") == [("3", 28.8), ("2", 26.6), ("4", 21.4), ("1", 19.2)]
    game = found.games.iloc[0]
    expected = ("Monday Pairs", "2014-02-17", "2", 24)
    assert (game["event"], str(game["date"])[:10], game["tables"], game["boards"]) == expected


def test_a_text_of_pairs_scorer_is_read_without_its_boards() -> None:
    lines = [f"  {n}    {n + 3}  {f'{a} & {b}':<38} {s:6.2f}" for n, (a, b, s) in enumerate(BUTLER, 1)]
    rule = "=" * 70
    text = (
        f"Town   Club pairs 24/06/2013\nSession 1\n\n{rule}\nRank Pair Names [OVERALL RANKS]{' ' * 24}ButlerN\n{rule}\n"
    )
    text += (
        "\n".join(lines) + f"\n{rule}\n\n BOARD 1 Datm NS 300\n NS  EW   NS+  NS-  BIMPn\n  4   7   100          -5\n"
    )
    found = sheet(text)
    assert told(found, "number", "player2", "score") == [(str(n + 3), b, s) for n, (_, b, s) in enumerate(BUTLER, 1)]


BUTLER = [("Ann Ash", "Bob Birch", 34.0), ("Cy Cedar", "Di Dale", 12.0), ("Ed Elm", "Flo Fir", -46.0)]


def test_the_months_of_other_languages_are_dates_and_so_is_the_name_of_a_file() -> None:
    assert str(sheet(f"Rezultate 20 septembrie 2004\n\n{TABS}").games["date"].iloc[0])[:10] == "2004-09-20"
    assert str(sheet(TABS, "results-2012-04-18.txt").games["date"].iloc[0])[:10] == "2012-04-18"


def test_nobody_and_sums_are_passed_over_in_any_language() -> None:
    rows = [[str(n), f"{a} - {b}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    for word in ("Paire relais", "Stilzitters", "Riposa", "Releu"):
        found = sheet(table_of([["Loc", "Nume", "%"], *rows, ["5", word, "40"], ["", "Media", "50"]]), "page.html")
        assert pairs_of(found) == PAIRS
    expected = ["'Releu' is nobody: this row is passed over", "'Media' is not a contestant: this row is passed over"]
    assert [remark.what for remark in found.remarks[:2]] == expected


def test_columns_that_stay_open_are_named_and_points_of_other_bodies_are_no_masterpoints() -> None:
    rows = [[str(n), f"{a} - {b}", f"{p}", "132", "7"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(table_of([["Loc", "Nume", "%", "PE", "Zyx"], *rows]), "page.html")
    assert told(found, "printed_award") == [(None,)] * 4
    assert [remark.what for remark in found.remarks if "not read" in remark.what] == ["the column 'Zyx' is not read"]


def test_what_is_wrong_with_a_column_names_the_cell_of_its_heading() -> None:
    rows = "\n".join(f"{n},{a} - {b},{p},7" for n, (a, b, p) in enumerate(PAIRS, 1))
    (remark,) = [each for each in sheet(f"Loc,Nume,%,Zyx\n{rows}\n", "list.csv").remarks if "Zyx" in each.what]
    assert (remark.where, remark.what) == ("line 1, column 4", "the column 'Zyx' is not read")
    with pytest.raises(InputError, match=r"line 1, column 3: the column 'Holding' does not say whose it is"):
        sheet(f"Loc,Nume,Holding,%\n{rows}\n".replace(",7", ""), "list.csv")


@pytest.mark.parametrize(
    ("scores", "what"),
    [
        ([60, 59, 58, 57], "the percentages of this list average 58.50"),
        ([40, 60, 45, 55], "place 2 has a better score than place 1: 60 and 40"),
    ],
    ids=["a part of the field", "places of another score"],
)
def test_a_list_that_contradicts_itself_is_refused(scores: list[int], what: str) -> None:
    rows = [
        [str(n), f"{a} - {b}", str(score)] for n, ((a, b, _), score) in enumerate(zip(PAIRS, scores, strict=True), 1)
    ]
    with pytest.raises(InputError, match=what):
        sheet(table_of([["Place", "Names", "%"], *rows]), "page.html")


def test_one_place_that_does_not_go_by_the_scores_is_remarked_on() -> None:
    rows = [[str(n), f"Pair{n} - Other{n}", f"{p}"] for n, p in enumerate((62, 58, 52, 48, 49, 43, 38), 1)]
    found = sheet(table_of([["Place", "Names", "%"], *rows]), "page.html")
    assert "place 5 has a better score than place 4: 49 and 48" in [remark.what for remark in found.remarks]


def test_a_page_is_read_in_the_encoding_that_it_names() -> None:
    rows = [
        [str(n), f"{a} - {b}", f"{p}"] for n, (a, b, p) in enumerate([("Stanisław Łoś", "B Ą", 60.0), *PAIRS[1:]], 1)
    ]
    page = table_of([["M-ce", "Zawodnicy", "%"], *rows]).replace("<html>", '<html><meta charset="iso-8859-2">')
    assert told(sheet(page.encode("iso-8859-2"), "page.html"), "player1")[0] == ("Stanisław Łoś",)


def test_csv_and_workbooks_in_other_words_are_lists_too(tmp_path: Path) -> None:
    text = "Place,Pair,Score,%\n" + "".join(f"{n},{a} - {b},{p * 0.4:g},{p}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    assert pairs_of(sheet(text, "list.csv")) == PAIRS
    head = [["Monday Mitchell 11 May 2026 - 24 boards"], ["Table", "North", "South", "N/S %", "East", "West", "E/W %"]]
    rows = [[n, a, b, p, f"{a} E", f"{b} W", 100 - p] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = read(saved(tmp_path / "book.xlsx", workbook(Sheet=[*head, *rows])))
    assert told(found, "direction", "player2", "percentage")[4] == ("E-W", "Bob Birch W", 40.0)
    assert found.games["boards"].tolist() == [24]


def test_an_open_document_is_read_with_a_remark_on_what_is_not_seen() -> None:
    rows = [[str(n), str(n), f"{a} - {b}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet(ods([["Pos", "Pair", "Names", "%"], *rows]), "list.ods")
    assert pairs_of(found) == PAIRS
    assert "it is not seen which rows are hidden or struck out" in found.remarks[0].what


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\0\1\0\0Standard Jet DB\0" + b"\0" * 100, "this database is damaged"),
        (b'[Event "x"]\n[Deal "N:AKQJ... ... ... ..."]\n', "hands without results"),
        (b"vg|Game,I,1,8|\npn|A,B,C,D|pg||\n", "a record of bidding and play"),
        (b"<html><body><div id=root></div><script src='a.js'></script></body></html>", "it may load them by script"),
        (b"<html><body><p>We meet on Mondays.</p></body></html>", "a web page without a list of results"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "a picture"),
        (b"We meet on Mondays.\nBring a friend.\n", "there is no list of results in it"),
        (b"Tables: 3 | Donnes: 20,\n,\n", "there is no list of results in it"),
    ],
    ids=["device", "hands", "lin", "script", "page", "picture", "prose", "an empty row"],
)
def test_what_is_no_list_is_told_what_it_is(content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        sheet(content, "file")
    assert caught.value.problems[0].hint


HOSTILE = {
    "blanks": (" " * 1000 + "1 Ann 2.5\n") * 150,
    "tabs": "1\tAnn\t2\n" * 2000,
    "brackets": "Name Score\n" + "(ann " * 20_000,
    "spans": "<html><table>"
    + "<tr><td colspan=100 rowspan=90000>1</td><td>Ann</td><td>5</td></tr>" * 1000
    + "</table>",
    "depth": "<table><tr><td>" * 5000 + "x",
    "one line": "a" * 800_000,
    "letters": "A " * 3000 + "1 Ann Ash 60.0\nB 2 Cy Cedar & Di Dale 40.0\n",  # a letter for each call of a function
    "other lines": "\n".join(f"EVENT>{n}" for n in range(4_000)),  # took most of ten seconds
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_made_to_take_long_is_read_or_refused_in_a_while(name: str) -> None:
    started = time.process_time()
    with suppress(InputError):
        sheet(HOSTILE[name])
    assert time.process_time() - started < 2  # seconds, and generous: blanks alone once took minutes


AWARDS = "\n".join(f"{n}\t{a} / {b}\t{p:.2f}\t{p / 100 if n < 3 else ''}" for n, (a, b, p) in enumerate(PAIRS, 1))
WITH_COMMAS = "\n".join(f"{a.split()[1]} & {b.split()[1]},{p:g}/100,{p:g}" for a, b, p in PAIRS)


@pytest.mark.parametrize(
    "text",
    [
        f"Town Club\nMonday Pairs\n27 March 2021\n3 tables, 24 boards, Mitchell\n\nPl   Names   %\n{BELOW}",
        f"Pos  Names         %\n{BELOW}\n    Phantom  40\n     Total    50.00",
        f"Place\tNames\t%\tMPs\n{AWARDS}\n\tAverage\t50.00",
        f"Place\tNames\t%\tMPs\n{AWARDS}",
    ],
    ids=["titles with numbers", "nobody's row and sums below", "sums below tabs", "an empty cell last"],
)
def test_what_is_above_and_below_the_rows_of_a_text_is_told_from_them(text: str) -> None:
    assert pairs_of(sheet(text)) == PAIRS


def test_scores_and_maxima_between_commas_are_rows() -> None:
    found = sheet(f"Names,Score,%\n{WITH_COMMAS}")
    assert told(found, "player1", "player2", "score")[0] == ("Ash", "Birch", 60.0)
    without_heads = "Club Night\n\n" + "\n".join(f"{a}/{b},{p:.2f} %" for a, b, p in PAIRS)
    assert pairs_of(sheet(without_heads, "list.csv")) == PAIRS


def test_a_heading_of_several_words_is_that_of_the_column_below_it() -> None:
    rows = [f"{n:>2}   {f'{a} & {b}':<26}{p * 1.2:>8.1f}   {p:>5.2f} %" for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet("\n".join(["rg   équipe               points de match   moyenne", *rows]))
    assert told(found, "player1", "score", "percentage")[0] == ("Ann Ash", 72.0, 60.0)


def test_what_directions_are_headed_by_is_known_in_other_languages() -> None:
    head = "Rang\tNoms\t%"
    first = "\n".join(f"{n}\t{a} et {b}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    second = "\n".join(f"{n}\t{a}s et {b}s\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(
        f"Torneo, 18 de septiembre de 2017\n\nClassement NS\n{head}\n{first}\n\nPaires Est-Ouest\n{head}\n{second}"
    )
    assert [row[0] for row in told(found, "direction")] == ["N-S"] * 4 + ["E-W"] * 4
    of_sections = sheet(f"Sec. B  NORTE-SUR\n{head}\n{first}\n\nSezione C Linea Est-Ovest\n{head}\n{second}")
    assert told(of_sections, "section", "direction")[3:5] == [("B", "N-S"), ("C", "E-W")]
    assert str(found.games["date"].iloc[0])[:10] == "2017-09-18"


def test_matchpoints_about_fifty_are_no_percentages_unless_a_hundred_can_be_won() -> None:
    rows = [[str(n), f"{a} - {b}", f"{p - 1:g}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    expected = (54.5, None)
    assert told(sheet(table_of([["Pl", "Names", "Score"], *rows]), "page.html"), "score", "percentage")[1] == expected
    rows = [[str(n), f"{a} - {b}", f"{p:g}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    expected = (None, 55.5)
    assert told(sheet(table_of([["Pl", "Names", "Score"], *rows]), "page.html"), "score", "percentage")[1] == expected


def test_masterpoints_beside_imps_are_awards() -> None:
    won = ["0.60", "0.42", "", ""]
    rows = [[f"{a} - {b}", f"{p - 50:+g}", award] for (a, b, p), award in zip(PAIRS, won, strict=True)]
    found = sheet(table_of([["Names", "IMPs", "MPs"], *rows]), "page.html")
    assert told(found, "score", "printed_award") == [(10.0, 60), (5.5, 42), (-5.5, None), (-10.0, None)]


def test_a_row_of_nobody_without_a_score_changes_no_column() -> None:
    rows = [[str(n), f"{a} - {b}", f"{p * 1.2:g}", f"{p}"] for n, (a, b, p) in enumerate(PAIRS, 1)]
    page = table_of([["Pl", "Names", "Points", "%"], *rows, ["", "Bye", "", "40"]])
    assert told(sheet(page, "page.html"), "score")[0] == (72.0,)


def test_a_row_is_a_table_in_other_languages() -> None:
    head = ["Stół", "N", "S", "NS %", "E", "W", "EW %"]
    rows = [
        [str(n), f"{a} (123456{n})", b, f"{p}", f"{a} E", f"{b} W", f"{100 - p}"]
        for n, (a, b, p) in enumerate(PAIRS, 1)
    ]
    found = sheet(table_of([head, *rows]), "page.html")
    assert told(found, "direction", "player1", "id1", "percentage")[0] == ("N-S", "Ann Ash", "1234561", 60.0)
    assert told(found, "direction", "player1", "percentage")[5] == ("E-W", "Cy Cedar E", 44.5)
    head = ["Table", "Nord", "Sud", "NS %", "Est", "Ouest", "EO %"]
    assert told(sheet(table_of([head, *rows]), "page.html"), "direction", "percentage")[4] == ("E-W", 40.0)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Rank,Pair,Names,%", "{n},{n},{a} (123456{n}) & {b} (765432{n}),{p}"),
        ("Rank,Pair,Name,,Score,%", "{n},{n},{a},{b},{p}/100,{p}"),
        ("Rank,Pair,Names,%", "{n},{n},{a}–{b},{p}"),
        ("Rank,Pair,Names,%", "{n},{n},{a},{p}\n,,{b},"),
    ],
    ids=["member numbers", "maxima and a column without heading", "a dash", "two rows a pair"],
)
def test_a_list_in_this_programs_words_may_be_written_as_lists_are(header: str, row: str) -> None:
    rows = [row.format(n=n, a=a, b=b, p=p) for n, (a, b, p) in enumerate(PAIRS, 1)]
    assert pairs_of(sheet("\n".join([header, *rows]), "list.csv")) == PAIRS


@pytest.mark.parametrize(
    ("row", "between"),
    [
        ("{n};{a};{p}\n;{b};", ";;\nE-W;Names;%"),
        ("{n};{a};{p}\n;{b};", "E-W;Names;%"),
        ("\t{a}\t\n{n}\t{b}\t{p}", "Avg\t\t50\nEast-West"),
        ("    {a}\n{n}   {b:<12} {p}", "\nEast-West"),
    ],
    ids=["an empty row above a heading", "a heading", "tabs", "blanks"],
)
def test_two_rows_a_pair_stay_together_above_and_below_what_parts_directions(row: str, between: str) -> None:
    first = "\n".join(row.format(n=n, a=a, b=b, p=p) for n, (a, b, p) in enumerate(PAIRS, 1))
    second = "\n".join(row.format(n=n, a=f"{a}s", b=f"{b}s", p=p) for n, (a, b, p) in enumerate(PAIRS, 1))
    head = {";": "N-S;Names;%", "\t": "North-South\nPair\tNames\t%", " ": "North-South\nNo  Names        %"}
    sign = next(sign for sign in head if sign in row)
    found = sheet(f"{head[sign]}\n{first}\n{between}\n{second}", "list.csv" if sign == ";" else "list.txt")
    names = [(a, b) for a, b, _ in PAIRS] + [(f"{a}s", f"{b}s") for a, b, _ in PAIRS]
    assert told(found, "player1", "player2") == names
    assert [side for (side,) in told(found, "direction")] == ["N-S"] * 4 + ["E-W"] * 4


def test_nobody_below_a_list_is_no_second_player() -> None:
    rows = [row for n, (a, b, p) in enumerate(PAIRS, 1) for row in ([str(n), a, f"{p}"], ["", b, ""])]
    assert pairs_of(sheet(table_of([["Pl", "Names", "%"], *rows, ["", "Sit Out", ""]]), "page.html")) == PAIRS


def test_tables_of_empty_rows_and_scores_under_other_words_are_read() -> None:
    rows = [
        ["", "", ""],
        *([str(n), f"{a} - {b}", f"{p - 50:+g}"] for n, (a, b, p) in enumerate(PAIRS, 1)),
        ["", "", ""],
    ]
    text = "\n".join("\t".join(row) for row in [["Pair", "Names", "Score ( IMPs )"], *rows])
    assert told(sheet(text), "number", "player2", "score")[0] == ("1", "Bob Birch", 10.0)


def test_a_cell_of_names_or_places_that_got_lost_is_remarked_on() -> None:
    rows = [[f"{n}", f"Ann{n} Ash", f"Bob{n} Birch", f"{p}"] for n, p in enumerate((62, 58, 53, 49, 42, 36), 1)]
    head = ["Place", "Player 1", "Player 2", "%"]
    rows[2][2], rows[3][0] = "", ""
    remarks = [remark.what for remark in sheet(table_of([head, *rows]), "page.html").remarks]
    assert "this row has 1 name, and others have 2" in remarks
    assert "this row has no place, but others do" in remarks
