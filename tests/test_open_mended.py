"""Workbooks that are mended on the page of a folder: the cells that were mended change, and nothing else does."""

import io
import re
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import saved

pytest.importorskip("flask")
pytest.importorskip("waitress")

from lxml import html
from test_club_workbook import calculated, filled
from test_open import Window, words, workbook

from resultproc.formats.loaded import load_source
from resultproc.formats.mend import cells_at, file_rows, mended
from resultproc.model.file_limits import FileLimits


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_sheet(data: bytes, change: Callable[[Any], None]) -> bytes:
    """Return a workbook with something else in its first sheet."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    change(book.worksheets[0])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_workbook_to_mend_is_read_once_and_within_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[FileLimits] = []

    def too_much(limits: FileLimits, *_: object) -> None:
        asked.append(limits)
        raise limits.passed

    monkeypatch.setattr("resultproc.formats.mend.within", too_much)
    path = tmp_path / "too-much.xlsx"
    path.write_bytes(with_sheet(workbook(), lambda sheet: sheet.append(["too much"])))
    source = load_source(path)
    assert not cells_at(source, "sheet 'Pairs', row 2")
    assert not file_rows(source)
    assert asked == [FileLimits()]


def test_rows_that_the_library_cannot_read_or_takes_too_long_for_are_not_listed(tmp_path: Path) -> None:
    no_style = parts(workbook())
    no_style["xl/worksheets/sheet1.xml"] = re.sub(
        b'<c r="A1"[^>]*?(?=[ />])', b'<c r="A1" s="999"', no_style["xl/worksheets/sheet1.xml"]
    )
    many = openpyxl.load_workbook(io.BytesIO(workbook()))
    for number in range(300):
        many.create_sheet(f"S{number}").append(["x"])
    out = io.BytesIO()
    many.save(out)
    with zipfile.ZipFile(tmp_path / "no-style.xlsx", "w") as book:
        for name, part in no_style.items():
            book.writestr(name, part)
    (tmp_path / "many.xlsx").write_bytes(out.getvalue())
    for name in ("no-style.xlsx", "many.xlsx"):
        assert file_rows(load_source(tmp_path / name)) == []
    header = load_source(saved(tmp_path / "header.csv", f"number,player1,score{',x' * 300}\n1,Ann,5\n"))
    assert len(cells_at(header, "line 1")) == 200


def fixed(window: Window, game: str, where: str) -> dict[str, str]:
    """Return the cells of a row that are not mended on the page, by their headings, and why not."""
    found = window.page(f"{game}?at={where}").xpath("//h2[@id='row']/following-sibling::div[1]//p")
    return {each[0].text: each[1].text for each in found}


@pytest.mark.slow
def test_in_a_club_s_workbook_what_no_formula_follows_from_is_mended(window: Window, tmp_path: Path) -> None:
    """Names and holdings follow from the numbers, and are beside their formulas: they would be another player's."""
    data = calculated(filled(tmp_path / "tuesday.xlsx", L3="4O", B6="XX")).read_bytes()
    game = window.dropped(("tuesday.xlsx", data))
    assert window.page(game).xpath("//input[@aria-invalid]/@value") == ["4O", "XX"]
    row = "sheet 'Pairs', row 3"
    assert fixed(window, game, row) == {
        **dict.fromkeys(("Member no 1", "Member no 2"), "formulas follow from it: mend it in your spreadsheet program"),
        **dict.fromkeys(
            ("Player 1", "Holding 1", "Player 2", "Holding 2"),
            "a formula gives it: mend it in your spreadsheet program",
        ),
    }
    page = window.get(game)
    form = {"token": window.guard.token, "version": html.document_fromstring(page.data).xpath("//@value")[1]}
    cells = {"cell Pairs!L3": "40", "cell Pairs!D3": "1000007", "cell Pairs!E3": "Nobody", "cell Pairs!B6": ""}
    assert window.client.post(f"{game}/cells", base_url=window.base, data=form | cells).status_code == 303
    stored = window.desk.game(game.split("/")[-1])
    assert stored is not None
    was, now = parts(data), parts(stored.path.read_bytes())
    assert {name for name in was | now if was.get(name) != now.get(name)} == {"xl/worksheets/sheet2.xml"}
    sheets = [openpyxl.load_workbook(io.BytesIO(each))["Pairs"] for each in (data, stored.path.read_bytes())]
    differ = {
        cell.coordinate: (cell.value, other.value)
        for row, again in zip(*(sheet.iter_rows() for sheet in sheets), strict=True)
        for cell, other in zip(row, again, strict=True)
        if cell.value != other.value
    }
    assert differ == {"L3": ("4O", 40), "B6": ("XX", None)}
    assert "Cat Elm – Dan Oak" in window.text(game)
    # What the sheet Game says is changed in it, and a day stays a day.
    assert window.send(game, "/keys", **{"0.date": "2016-05-13", "0.rating": "club-championship"}).status_code == 303
    held = openpyxl.load_workbook(stored.path)["Game"]
    found = {row[0].value: row[1].value for row in held.iter_rows(min_row=2)}
    assert (found["date"], found["rating"]) == (datetime(2016, 5, 13), "club-championship")


def test_what_a_formula_may_follow_from_is_mended_elsewhere(window: Window) -> None:
    def computes(formula: str) -> Callable[[Any], None]:
        def change(sheet: Any) -> None:
            sheet["N1"] = formula

        return change

    wrong = "formulas follow from it: mend it in your spreadsheet program"
    for formula, told in (
        ("=G7*2", {"score": wrong}),
        ("=SUM($G:$G)", {"score": wrong}),
        ("=SUM(Sheet!D5:E9)", {"player1": wrong, "player2": wrong}),
        ("=SUM('Game'!A1:B20)", {}),
        ('=IF(1,INDIRECT("A"&1))', dict.fromkeys(workbook_headings(), wrong)),
        ("=SUM(TheScores)", dict.fromkeys(workbook_headings(), wrong)),
    ):
        data = with_sheet(workbook(), computes(formula))
        assert fixed(window, window.dropped(("wed.xlsx", data)), "sheet 'Sheet', cell G7") == told, formula


def workbook_headings() -> list[str]:
    sheet = openpyxl.load_workbook(io.BytesIO(workbook())).worksheets[0]
    return [*(str(cell.value) for cell in sheet[1] if cell.value), *"IJKLMN"]


def test_a_chart_and_all_else_stays_in_a_workbook_that_is_mended(window: Window) -> None:
    def change(sheet: Any) -> None:
        chart = openpyxl.chart.BarChart()
        chart.add_data(openpyxl.chart.Reference(sheet, min_col=8, min_row=1, max_row=9))
        sheet.add_chart(chart, "K2")
        sheet.add_table(openpyxl.worksheet.table.Table(displayName="Pairs", ref="A1:H19"))

    data = with_sheet(workbook(), change)
    game = window.dropped(("wednesday.xlsx", data))
    assert window.send(game, "/cells", **{"cell Sheet!G7": "133,00"}).status_code == 303
    stored = window.desk.game(game.split("/")[-1])
    assert stored is not None
    was, now = parts(data), parts(stored.path.read_bytes())
    assert {name for name in was | now if was.get(name) != now.get(name)} == {"xl/worksheets/sheet1.xml"}
    assert any("charts" in name for name in now)
    # Excel keeps the headings of a table in two places, and takes a file in which they differ for broken.
    assert set(fixed(window, game, "sheet 'Sheet', row 1").values()) == {
        "the heading of a table: mend it in your spreadsheet program"
    }


def test_the_headings_are_those_of_the_list_below_its_titles(window: Window) -> None:
    def change(sheet: Any) -> None:
        sheet.insert_rows(1, 2)
        sheet["A1"] = "Wednesday Afternoon Pairs"

    page = window.page(window.dropped(("wed.xlsx", with_sheet(workbook(), change))))
    labels = [each.text for each in page.xpath("//div[@class='mend']//label")]
    assert labels[:8] == ["score", "section", "direction", "number", "player1", "player2", "stratum", "percentage"]
    assert page.xpath("//input[@aria-invalid]/@value") == ["133,OO"]


def test_a_sheet_that_leaves_out_what_follows_is_mended_where_it_should_be(window: Window) -> None:
    """Some programs leave out where rows and cells are, and cells that are empty."""
    data = parts(with_sheet(workbook(), lambda sheet: sheet.__setitem__("E7", None)))
    name = "xl/worksheets/sheet1.xml"
    data[name] = re.sub(rb'(<(?:row|c)) r="[A-Z]*[0-9]+"', rb"\1", data[name])
    assert b'<c r="' not in data[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for each, content in data.items():
            archive.writestr(each, content)
    game = window.desk.put("wed.xlsx", out.getvalue())
    before = openpyxl.load_workbook(game.path)["Sheet"]
    again = mended(game.source(), {"Sheet!E7": "A  <b>", "Sheet!G7": "133"})
    held = openpyxl.load_workbook(io.BytesIO(again))["Sheet"]
    differ = {
        cell.coordinate: cell.value
        for row in held.iter_rows()
        for cell in row
        if cell.value != before[cell.coordinate].value
    }
    assert differ == {"E7": "A <b>", "G7": 133}


@pytest.mark.parametrize(
    ("typed", "held"),
    [("61,57", 61.57), ("2,352", "2,352"), ("0012345", "0012345"), ("=1+1", "=1+1"), ("-4", -4.0), (" ", None)],
)
def test_a_cell_of_a_workbook_holds_what_was_typed(window: Window, typed: str, held: object) -> None:
    game = window.desk.put("wednesday.xlsx", workbook())
    book = openpyxl.load_workbook(io.BytesIO(mended(game.source(), {"Sheet!G7": typed})))
    cell = book["Sheet"]["G7"]
    assert (cell.value, cell.data_type == "f") == (held, False)


LIST = """\
Friday Pairs 20 November 2026

Pl  Pair  Names                      Score    %
1   1     Gus Cedar & June Larch      47.0   65.28
2   2     Ivo Ivyson & Hana Juniper   37.5   S2.08
3   3     Lena Nettle & Dora Dogwood  36.5   50.69
4   4     Emil Grove & Carl Elder     35.5   49.31
5   5     Pia Maple & Nora Abbott     33.5   4G.53
6   6     Fay Pine & Karl Fir         26.0   36.11
"""
CSV = """\
# event: Friday Pairs
# date: 2026-11-20
# rating: club-open
# movement: howell
number,player1,player2,score
1,Gus Cedar,June Larch,47
2,Ivo Ivyson,Hana Juniper,37.5
3,Pia Maple,Nora Abbott,33.5
4,Fay Pine,Karl Fir,26
"""


def as_book(text: str) -> bytes:
    book = openpyxl.Workbook()
    for line in text.splitlines():
        if not line.startswith("#"):
            book.worksheets[0].append([float(c) if c.replace(".", "").isdigit() else c for c in line.split(",")])
    sheet = book.create_sheet("Game")
    for line in text.splitlines():
        if line.startswith("#"):
            sheet.append([part.strip() for part in line.lstrip("# ").split(":", 1)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def content(window: Window, game: str) -> bytes:
    stored = window.desk.game(game.split("/")[-1])
    assert stored is not None
    return stored.path.read_bytes()


def test_all_that_is_wrong_in_a_column_is_one_form(window: Window) -> None:
    for data, name, cells in (
        (CSV.replace("37.5", "3T.5").replace("33.5", "3B.5").encode(), "fri.csv", ("cell 7:4", "cell 8:4")),
        (LIST.encode(), "fri.txt", ("cell 5", "cell 8")),
        (as_book(CSV.replace("37.5", "3T.5").replace("33.5", "3B.5")), "fri.xlsx", ("cell Sheet!D3", "cell Sheet!D4")),
    ):
        game = window.dropped((name, data))
        page = window.page(game)
        (form,) = [form for form in page.forms if form.action.endswith("/cells")]
        assert [each.get("name") for each in form.xpath(".//input[@aria-invalid]")] == list(cells), name
        assert ("Ivo Ivyson – Hana Juniper: invalid number" in words(form)) == (name != "fri.txt")
    values = dict(zip(cells, ("37,5", "33,5"), strict=True))
    assert window.send(game, "/cells", **values).status_code == 303
    assert "Fay Pine" in window.text(game)


def test_every_row_that_takes_part_in_a_contradiction_is_opened(window: Window) -> None:
    """The place of the third is wrong; it is the fourth that is blamed."""
    data = CSV.replace("4,Fay", "3,Fay").encode()
    game = window.dropped(("fri.csv", data))
    page = window.page(game)
    links = page.xpath("//div[@class='mend']//a/@href")
    assert any(link.endswith("?at=line%208#row") for link in links)
    assert window.page(links[0].split("#")[0]).xpath("//input[@name='cell 8:1']/@value")[0] == "3"
    # Rows that nothing is said of are opened as well, while nothing can be read.
    rows = page.xpath("//details[summary[starts-with(text(), 'Every row')]]//a/@href")
    assert len(rows) == 9
    assert window.page(rows[-1].split("#")[0]).xpath("//input[@name='cell 9:1']/@value")[0] == "3"


@pytest.mark.parametrize("kind", ["csv", "txt", "xlsx"])
def test_a_row_is_left_out_and_taken_in_again(window: Window, kind: str) -> None:
    listed = LIST.replace("S2", "52").replace("4G", "46").encode()
    data = {"csv": CSV.encode(), "txt": listed, "xlsx": as_book(CSV)}[kind]
    game = window.dropped((f"fri.{kind}", data))
    window.send(game, "/keys", **{"0.rating": "club-open"})
    read = 6 if kind == "txt" else 4
    assert f"What was read: {read} contestants" in window.text(game)
    where = {"csv": "line 9", "txt": "line 9", "xlsx": "sheet 'Sheet', row 5"}[kind]
    before = content(window, game)
    assert window.send(f"{game}?at={where}", "/rows", how="leave").status_code == 303
    page = window.text(game)
    assert f"What was read: {read - 1} contestants" in page
    assert f"Left out {where}: " in page
    assert "Fay Pine" in page.split("Left out")[1][:80]
    # What is done meanwhile stays.
    where = {"csv": "line 8", "txt": "line 8", "xlsx": "sheet 'Sheet', row 4"}[kind]
    (cell,) = [
        name
        for form in window.page(f"{game}?at={where}").forms
        if form.action.endswith("/cells")
        for name, value in form.fields.items()
        if value and "Pia Maple" in value
    ]
    value = next(form.fields[cell] for form in window.page(f"{game}?at={where}").forms if cell in form.fields)
    assert window.send(f"{game}?at={where}", "/cells", **{cell: value.replace("Pia", "Mia")}).status_code == 303
    assert window.send(game, "/rows", how="take").status_code == 303
    page = window.text(game)
    assert f"What was read: {read} contestants" in page
    assert "Mia Maple" in page
    assert "Left out" not in page
    if kind != "xlsx":
        assert content(window, game) == before.replace(b"Pia", b"Mia")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_two_rows_of_a_pair_are_joined(window: Window, kind: str) -> None:
    text = CSV.replace("2,Ivo Ivyson,Hana Juniper,37.5\n", "2,Ivo Ivyson,,37.5\n,Hana Juniper,,\n")
    game = window.dropped((f"fri.{kind}", text.encode() if kind == "csv" else as_book(text)))
    where = "line 7" if kind == "csv" else "sheet 'Sheet', row 3"
    assert window.send(f"{game}?at={where}", "/rows", how="join").status_code == 303
    page = window.text(game)
    assert "What was read: 4 contestants" in page
    assert "Ivo Ivyson – Hana Juniper" in page


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_headings_are_renamed(window: Window, kind: str) -> None:
    text = CSV.replace("player2,score", "Mumble,score")
    game = window.dropped((f"fri.{kind}", text.encode() if kind == "csv" else as_book(text)))
    where, cell = ("line 5", "cell 5:3") if kind == "csv" else ("sheet 'Sheet', row 1", "cell Sheet!C1")
    page = window.page(f"{game}?at={where}")
    assert page.xpath(f'//input[@name="{cell}"]/@list') == ["meanings"]
    assert window.send(f"{game}?at={where}", "/cells", **{cell: "player2"}).status_code == 303
    assert "Ivo Ivyson – Hana Juniper" in window.text(game)
