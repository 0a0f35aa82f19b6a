"""What is asked of lists of results: all at once, where such a file declares it, and what a list tells is not asked."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from conftest import run

from resultproc import process
from resultproc.model.errors import DeclarationError

FIVE = [
    ("Ann Ash", "Bob Birch", 60.0),
    ("Cy Cedar", "Di Dale", 55.0),
    ("Ed Elm", "Flo Fir", 50.0),
    ("Gus Gum", "Hal Hazel", 45.0),
    ("Ivy Iris", "Jo Jade", 40.0),
]
"""Five pairs of a Howell: two tables and a half."""

LINES = [["Pair", "Names", "%"], *([str(n), f"{a} - {b}", f"{p:.2f}"] for n, (a, b, p) in enumerate(FIVE, 1))]


def text(path: Path) -> Path:
    path.write_text("\n".join(f"{n:<6}{names:<24}{share:>8}" for n, names, share in LINES), "utf-8")
    return path


def page(path: Path) -> Path:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in LINES)
    path.write_text(f"<html><body><table>{rows}</table></body></html>", "utf-8")
    return path


def commas(path: Path) -> Path:
    path.write_text("\n".join(map(",".join, LINES)), "utf-8")
    return path


def workbook(path: Path) -> Path:
    book = openpyxl.Workbook()
    for row in LINES:
        book.active.append(row)
    book.save(path)
    return path


MADE = {"list.txt": text, "list.html": page, "list.csv": commas, "list.xlsx": workbook}
TOML = ("write into list.toml, ", ['rating = "club-open"', 'tables = "2.5"', 'date = "..."', 'boards = "24"'])
PLACES = {
    "list.txt": TOML,
    "list.html": TOML,
    "list.csv": (
        "write above the header of the list, ",
        ["# rating: club-open", "# tables: 2.5", "# date: ...", "# boards: 24"],
    ),
    "list.xlsx": (
        "write into a sheet of the workbook that is named Game, ",
        ["rating        club-open", "tables        2.5", "date          ...", "boards        24"],
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_missing_is_asked_at_once_where_it_belongs(tmp_path: Path, name: str) -> None:
    first, place, *lines = run("award", MADE[name](tmp_path / name)).err.splitlines()
    assert first == f"{name}: rating, tables, date and boards are not declared"
    assert place.strip().startswith(PLACES[name][0])
    assert [line.strip() for line in lines[:4]] == PLACES[name][1]
    assert [line.strip().partition(" is ")[0] for line in lines[4:]] == ["rating", "tables", "date", "boards"]


@pytest.mark.parametrize("name", MADE)
def test_new_proposes_values_and_the_second_attempt_is_awarded(tmp_path: Path, name: str) -> None:
    path = MADE[name](tmp_path / name)
    before = path.read_bytes()
    assert run("new", path).status == 0
    declared = tmp_path / "list.toml"
    lines = declared.read_text("utf-8").splitlines()
    keys = [line.partition("  #")[0] for line in lines if line and not line.startswith("#")]
    assert keys == ['rating = "club-open"', 'tables = "2.5"', 'date = ""', 'boards = "24"']
    with pytest.raises(DeclarationError, match=r"list.toml: line \d+: date: it has no value"):
        process(path)
    declared.write_text(declared.read_text("utf-8").replace('date = ""', 'date = "2012-04-18"'), "utf-8")
    # Five pairs: 0.10 for each of those compared, 70% and 50% of that below; two of five are paid.
    assert process(path).awards["masterpoints"].tolist() == [50, 35, 0, 0, 0]
    assert path.read_bytes() == before
    # It is never overwritten.
    assert run("new", path).status == 1


def test_what_a_csv_and_a_workbook_are_told_to_write_is_what_they_declare(tmp_path: Path) -> None:
    path = commas(tmp_path / "list.csv")
    told = [line.strip() for line in run("award", path).err.splitlines() if line.startswith("      # ")]
    head = "\n".join(told).replace("...", "2012-04-18")
    path.write_text(f"{head}\n{path.read_text('utf-8')}", "utf-8")
    assert process(path).awards["masterpoints"].tolist()[0] == 50
    path = workbook(tmp_path / "list.xlsx")
    rows = [line.split() for line in run("award", path).err.splitlines() if line.startswith("      ")]
    book = openpyxl.load_workbook(path)
    sheet = book.create_sheet("Game")
    for key, value in rows:
        sheet.append([key, value.replace("...", "2012-04-18")])
    book.save(path)
    assert process(path).awards["masterpoints"].tolist()[0] == 50


def test_a_date_in_the_name_of_a_file_is_proposed(tmp_path: Path) -> None:
    path = commas(tmp_path / "monday 2012-04-16.csv")
    assert "# date: 2012-04-16" in run("award", path).err


def test_a_list_cut_off_has_no_tables_proposed(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    rows = [f"{n},NS,P{n},50" for n in range(1, 6)] + ["1,EW,Q1,50", "2,EW,Q2,50"]
    path.write_text("\n".join(["number,direction,player1,percentage", *rows]), "utf-8")
    assert "# tables: ..." in run("award", path).err


def test_what_is_asked_is_one_object_for_programs(tmp_path: Path) -> None:
    done = run("award", commas(tmp_path / "list.csv"), "--errors", "json")
    (line,) = done.err.splitlines()
    assert '"hint": "write above the header of the list: # rating: club-open; # tables: 2.5; ' in line
    assert '"code": "declaration.missing"' in line


def with_nobody(*rows: list[str]) -> str:
    return "\n".join(map(",".join, [*LINES, *rows])) + "\n"


@pytest.mark.parametrize(
    "row",
    [["6", "Sit-out", ""], ["6", "Phantom - Phantom", ""], ["6", "Bye", ""], ["6", "Phantom", "0"], ["", "Bye", ""]],
)
@pytest.mark.parametrize("head", ["Pair,Names,%", "#,Pair,Session %"])
def test_a_row_of_nobody_says_that_there_was_half_a_table(tmp_path: Path, head: str, row: list[str]) -> None:
    path = tmp_path / "list.csv"
    path.write_text(with_nobody(row).replace("Pair,Names,%", head), "utf-8")
    result = process(path, rating="club-open", date="2012-04-18")
    assert result.games["tables"].tolist() == ["A=2.5"]
    assert result.awards["masterpoints"].tolist() == [50, 35, 0, 0, 0]
    assert [each.code for each in result.remarks if each.code.startswith("tables")] == ["tables.counted"]
    # What is declared goes before it, and is not remarked on.
    declared = process(path, rating="club-open", date="2012-04-18", tables=3)
    assert declared.games["tables"].tolist() == ["3"]
    assert not [each for each in declared.remarks if each.code == "tables.counted"]


def test_a_row_of_nobody_fills_up_the_direction_it_lacks_in(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    both = [f"{n},{side},{side[0]}{n} Ash - {side[0]}{n} Elm,50" for side in ("NS", "EW") for n in (1, 2, 3)]
    head = "Pair,Direction,Names,%\n"
    path.write_text(head + "\n".join([*both[:5], "3,EW,Phantom,"]), "utf-8")
    keys = {"rating": "club-open", "date": "2012-04-18"}
    assert process(path, **keys).games["tables"].tolist() == ["A=2.5"]
    # Two pairs short are no half table, and neither is one without a row of nobody.
    for rows in ([*both[:4], "2,EW,Phantom,", "3,EW,Phantom,"], both[:5]):
        path.write_text(head + "\n".join(rows), "utf-8")
        with pytest.raises(DeclarationError, match="tables is not declared"):
            process(path, **keys)
