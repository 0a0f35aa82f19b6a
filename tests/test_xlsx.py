"""Excel: what a workbook says and where, hostile and damaged ones, and sheets that hold texts and read back."""

import io
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import openpyxl
import pandas as pd
import pdfplumber
import pytest
from conftest import FIXTURES, File, examples, run, saved
from generated import HOSTILE, named, results, same
from hypothesis import given
from lxml.etree import SerialisationError
from workbooks import Rows, workbook

from resultproc.formats.read import read
from resultproc.formats.xlsx.writer import write
from resultproc.model.errors import InputError, OutputError
from resultproc.model.frames import Result
from resultproc.pages.workbook import lay_out, set_widths
from resultproc.pages.workbook import saved as bytes_of
from resultproc.stages.pipeline import process, process_event

NAME = "any.xlsx"
GAME = FIXTURES / "wed-open-pairs-2012-04-18.xlsx"

Parts = Mapping[str, Callable[[bytes], bytes]]

TABLE: Rows = [["number", "player1", "percentage"], [1, "P", 60], [2, "Q", 40]]
SHEET = "xl/worksheets/sheet1.xml"


def altered(data: bytes, parts: Parts, compression: int = ZIP_DEFLATED) -> bytes:
    """Return a workbook with the content of some of its parts altered."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(file, "w", compression) as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name, bytes)(old.read(name)))
    return file.getvalue()


def as_excel_saves(rows: str, *texts: str) -> bytes:
    """Return a workbook of one sheet 'A' whose texts stand in a part of their own, after those of the header."""
    main_ns = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations_ns = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    strings = "".join(f"<si>{text}</si>" for text in ("<t>number</t>", "<t>player1</t>", "<t>score</t>", *texts))
    parts = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/>'
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{types}.sharedStrings+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{relations_ns}">'
            f'<Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main_ns}" xmlns:r="{office}">'
            '<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{relations_ns}">'
            f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main_ns}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main_ns}">{strings}</sst>',
    }
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + content)
    return file.getvalue()


HEADER = "".join(f'<c r="{column}1" t="s"><v>{i}</v></c>' for i, column in enumerate("ABC"))


def refusal(path: Path, format: str | None = "xlsx") -> list[str]:
    """Return what is told of a file that is refused, a line for each problem."""
    with pytest.raises(InputError) as caught:
        read(path, format=format)
    return str(caught.value).splitlines()


# What a workbook says.


def test_the_fixture_says_what_the_csv_says() -> None:
    excel, csv = (read(GAME.with_suffix(ending), format=ending[1:]) for ending in (".xlsx", ".csv"))
    pd.testing.assert_frame_equal(excel.games.drop(columns="source"), csv.games.drop(columns="source"))
    pd.testing.assert_frame_equal(excel.contestants.drop(columns="where"), csv.contestants.drop(columns="where"))


def test_cells_of_every_kind(file: File) -> None:
    rows = [
        ["Pair", "Name 1", "Member no 1", "Score", "Pct", "eligible", "Rank A"],
        ["1", "  Zoë \n Li ", 1234567, 133.5, 0.6157, True, 1],
        [2.0, 7, "0001234", "133,5", "61.57%", False, "2/3"],
    ]
    book = openpyxl.load_workbook(io.BytesIO(workbook(A=rows)))
    book["A"]["E2"].number_format = "0.00%"
    data = io.BytesIO()
    book.save(data)
    frame = read(file(data.getvalue())).contestants
    columns = ["number", "player1", "id1", "score", "percentage", "eligible", "printed_section"]
    assert frame[columns].to_numpy().tolist() == [
        ["1", "Zoë Li", "1234567", 133.5, 61.57, True, "A=1"],
        ["2", "7", "0001234", 133.5, 61.57, False, "A=2/3"],
    ]
    assert frame["where"].tolist() == ["sheet 'A', row 2", "sheet 'A', row 3"]


def test_a_workbook_as_excel_saves_it(file: File) -> None:
    rows = (
        f'<row r="1" spans="1:3">{HEADER}</row>'
        '<row r="3"><c r="A3"><v>1</v></c><c r="B3" t="s"><v>3</v></c><c r="C3"><v>133.5</v></c></row>'
        '<row r="4"><c r="A4"><v>2</v></c><c r="B4" t="str"><f>B3&amp;"x"</f><v>Y</v></c><c r="C4"><v>4E0</v></c></row>'
        "<row><c><v>3</v></c><c t='s'><v>4</v></c><c><f>2+3</f><v>5</v></c></row>"  # as other programs leave it
    )
    runs = "<r><t>Zo</t></r><r><rPr><b/></rPr><t>\u00eb</t></r><rPh sb='0' eb='1'><t>ZOE</t></rPh>"
    frame = read(file(as_excel_saves(rows, runs, "<t>O_x000D_\n&lt;Li&gt;</t>"))).contestants
    expected = [["1", "Zo\u00eb", 133.5], ["2", "Y", 4], ["3", "O <Li>", 5]]
    assert frame[["number", "player1", "score"]].to_numpy().tolist() == expected
    assert frame["where"].tolist() == ["sheet 'A', row 3", "sheet 'A', row 4", "sheet 'A', row 5"]


@pytest.mark.parametrize(
    ("name", "section", "direction"),
    [
        ("A", "A", None),
        ("B NS", "B", "N-S"),
        ("b east-west", "B", "E-W"),
        ("Section C", "C", None),
        ("section D E-W", "D", "E-W"),
        ("N-S", "A", "N-S"),
        ("North South", "A", "N-S"),
        ("Sheet1", "A", None),
        ("E", "E", None),
    ],
)
def test_a_sheet_tells_its_seats_by_its_name(file: File, name: str, section: str, direction: str | None) -> None:
    frame = read(file(workbook(**{name: TABLE}))).contestants
    assert set(frame["section"]) == {section}
    assert set(frame["direction"].fillna("")) == {direction or ""}


def test_columns_go_before_the_name_of_the_sheet(file: File) -> None:
    rows = [["section", "direction", *TABLE[0]], ["B", "E-W", *TABLE[1]]]
    frame = read(file(workbook(A_NS=rows))).contestants
    assert frame[["section", "direction"]].to_numpy().tolist() == [["B", "E-W"]]


def test_headings_remarks_and_sheets_with_a_sign_are_passed_over(file: File) -> None:
    headings: Rows = [["Open Pairs"], [], ["Score of the day:", "low"]]
    data = workbook(**{"A": [*headings, *TABLE, [], ["# a remark"]], "#Notes": [["Score", "Player 1"], ["x"]]})
    assert read(file(data)).contestants["where"].tolist() == ["sheet 'A', row 5", "sheet 'A', row 6"]


@pytest.mark.parametrize("day", [date(2012, 4, 18), datetime(2012, 4, 18), datetime(2012, 4, 18, 13), "2012-04-18"])
def test_the_sheet_game(file: File, day: object) -> None:
    rows = [["Key", "Value"], ["Event Type", "pairs"], ["tables", 7.5], ["date", day], ["club", None], ["# a remark"]]
    game = read(file(workbook(A=TABLE, gaME=rows))).games.iloc[0]
    assert game[["event_type", "tables", "date"]].tolist() == ["pairs", "7.5", pd.Timestamp(2012, 4, 18)]
    assert pd.isna(game["club"])


def test_the_sheet_games(file: File) -> None:
    rows = [["game_id", *TABLE[0]], ["x", *TABLE[1]], ["y", *TABLE[2]]]
    data = workbook(A=rows, Games=[["tables", "game_id"], [3, "y"], [None, "x"]])
    assert read(file(data)).games.set_index("game_id")["tables"].fillna("").to_dict() == {"x": "", "y": "3"}


def with_formulas(computed: str) -> bytes:
    """Return a workbook whose first percentage is computed, with what the cell has besides the formula."""
    cell = b'<c r="C2" t="n"><v>60</v></c>'
    return altered(workbook(A=TABLE), {SHEET: lambda part: part.replace(cell, computed.encode())})


def test_of_formulas_their_values_are_read(file: File) -> None:
    path = file(with_formulas('<c r="C2"><f>30+30</f><v>60.5</v></c>'))
    assert read(path).contestants["percentage"].tolist() == [60.5, 40]


def test_formulas_without_a_value_are_refused_by_cell(file: File) -> None:
    assert refusal(file(with_formulas('<c r="C2"><f>30+30</f></c>'))) == [
        "any.xlsx: sheet 'A', cell C2: the formula has no computed value; open the workbook in Excel and save it, or "
        "write the value"
    ]
    assert refusal(file(with_formulas('<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'))) == [
        "any.xlsx: sheet 'A', cell C2: the cell shows the error #DIV/0!"
    ]


# What is refused: the sheet and the cell, what is wrong and what would be right.

REFUSED: dict[str, tuple[dict[str, Rows], str]] = {
    "missing column": ({"A": [["number", "score"], [1, 5]]}, "sheet 'A', row 1: the column 'player1' is missing (wri"),
    "mistyped column": ({"A": [["number", "playr1", "score"]]}, "sheet 'A', cell B1: unknown column 'playr1' (did you"),
    "unreadable": ({"A": [*TABLE, [3, "R", "fifty"]]}, "sheet 'A', cell C4: invalid number: 'fifty'; write it as"),
    "over 100%": ({"A": [*TABLE, [3, "R", 101]]}, "sheet 'A', cell C4: percentage out of range: 101; write a number"),
    "no player": ({"A": [*TABLE, [3, None, 50]]}, "sheet 'A', row 4: this row has no player1 (write one for every"),
    "cell beyond": ({"A": [*TABLE, [3, "R", 50, "x"]]}, "sheet 'A', cell D4: 'x' is in a column without a header"),
    "yes for a score": ({"A": [*TABLE, [3, "R", True]]}, "sheet 'A', cell C4: invalid number: 'yes'; write it as 133"),
    "a date": ({"A": [*TABLE, [3, "R", date(2012, 4, 18)]]}, "sheet 'A', cell C4: invalid number: '2012-04-18'"),
    "twice": ({"A": [*TABLE, [3, "R", 50], [4, "S", 5], [1, "T", 50]]}, "sheet 'A', row 6: contestant A 1 appears tw"),
    "on two sheets": ({"A": [*TABLE, [3, "R", 50]], "a_": [TABLE[0], TABLE[1]]}, "sheet 'a ', row 2: contesta"),
    "2 games": ({"A": [*TABLE, *TABLE[1:]]}, "sheet 'A', row 4: from here on the numbers begin again (for N-S and E-W"),
    "no game_id": ({"A": [["game", *TABLE[0]], ["x", 1, "P", 5], [None, 2, "Q", 4]]}, "sheet 'A', row 3: this row has"),
    "no contestant": ({"A": TABLE[:1]}, "sheet 'A', row 1: there are no contestants below this header"),
    "no header": ({"A": TABLE, "B": [["Hello"]]}, "sheet 'B': this sheet has no header row with columns such as"),
    "nothing": ({"A": []}, "no header row and no contestants found"),
    "only keys": ({"Game": [["tables", 9]]}, "no header row and no contestants found"),
    "unknown key": ({"A": TABLE, "Game": [["tabels", 9]]}, "sheet 'Game', cell A1: unknown key 'tabels' (did you mean"),
    "unreadable key": (
        {"A": TABLE, "Game": [["tables", "many"]]},
        "sheet 'Game', cell B1: tables: invalid number of tables: 'many'",
    ),
    "2 keys": ({"A": TABLE, "Game": [["tables", 9], ["Tables", 9]]}, "sheet 'Game', cell A2: the key 'tables' appears"),
    "a third cell": ({"A": TABLE, "Game": [["tables", 9, 10]]}, "sheet 'Game', cell C1: '10' is beside the value of"),
    "no name": ({"A": TABLE, "Games": [["tables"], [9]]}, "sheet 'Games', row 1: the column 'game_id' is missing"),
    "no game": ({"A": TABLE, "Games": [["game_id", "tables"], [None, 9]]}, "sheet 'Games', row 2: this row names"),
    "again": ({"A": TABLE, "Games": [["game_id"], ["any"], ["any"]]}, "sheet 'Games', row 3: the game 'any' appears"),
    "no such game": ({"A": TABLE, "Games": [["game_id", "tables"], ["x", 9]]}, "sheet 'Games', cell B2: unknown game"),
    "unheaded key": (
        {"A": TABLE, "Games": [["game_id"], ["any", 9]]},
        "sheet 'Games', row 2: this row has a value in a column",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(file: File, name: str) -> None:
    sheets, told = REFUSED[name]
    assert [line for line in refusal(file(workbook(**sheets))) if not line.startswith(f"any.xlsx: {told}")] == []


def test_mistakes_in_every_sheet_are_told_at_once(file: File) -> None:
    data = workbook(A=[*TABLE, [3, "R", "x"]], B=[*TABLE, [3, "R", "y"]], Game=[["tables", 9, 9]])
    assert [line.split(": ")[1] for line in refusal(file(data))] == [
        f"sheet '{cell}" for cell in ("A', cell C4", "B', cell C4", "Game', cell C1")
    ]


# Files that are no sound workbook.


def with_part(name: str, content: Callable[[bytes], bytes]) -> bytes:
    """Return a sound workbook but for one part."""
    return altered(workbook(A=TABLE), {name: content})


def zipped(name: str, compression: int = ZIP_DEFLATED) -> bytes:
    """Return a packed file that holds another."""
    file = io.BytesIO()
    with ZipFile(file, "w", compression) as archive:
        archive.writestr(name, "content")
    return file.getvalue()


OLE = bytes.fromhex("D0CF11E0A1B11AE1")
ENTITIES = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def locked(data: bytes) -> bytes:
    """Return a packed file whose parts are marked as encrypted."""
    central = data.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")
    assert central != data
    return central


NO_WORKBOOK = "this is not a workbook that can be read, or it is damaged (save it again as"
UNSOUND: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "the workbook is damaged or cut off (copy the file again"),
    "junk": (lambda: bytes(range(256)) * 40, "the workbook is damaged or cut off"),
    "cut to a tenth": (lambda: GAME.read_bytes()[: len(GAME.read_bytes()) // 10], "the workbook is damaged or cut off"),
    "cut in half": (lambda: GAME.read_bytes()[: len(GAME.read_bytes()) // 2], "the workbook is damaged or cut off"),
    "cut at the end": (lambda: GAME.read_bytes()[:-1], "the workbook is damaged or cut off"),
    "sheet cut": (lambda: with_part(SHEET, lambda part: part[:300]), "the workbook cannot be read: "),
    "sheet of junk": (lambda: with_part(SHEET, lambda part: b"junk"), "the workbook cannot be read: "),
    "index of junk": (lambda: with_part("xl/workbook.xml", lambda part: b"junk"), "the workbook cannot be read: "),
    "index empty": (lambda: with_part("xl/workbook.xml", lambda part: b""), "the workbook cannot be read: "),
    "Excel 97": (lambda: OLE + bytes(1000), NO_WORKBOOK),
    "password": (lambda: OLE + "EncryptedPackage".encode("utf-16-le"), "the workbook is locked with a password (save"),
    "packed with a password": (lambda: locked(workbook(A=TABLE)), "the workbook is locked with a password (save"),
    "binary workbook": (lambda: zipped("xl/workbook.bin"), NO_WORKBOOK),
    "OpenDocument": (lambda: zipped("content.xml"), "this is not an Excel workbook (save it again as"),
    "bzip2": (lambda: altered(workbook(A=TABLE), {}, ZIP_BZIP2), "the workbook is compressed in a way that Excel does"),
    "bomb": (
        lambda: with_part(SHEET, lambda part: part + bytes(65 * 1024**2)),
        "the workbook would unpack to 65 MB (results",
    ),
    "3 MB": (lambda: with_part(SHEET, lambda part: part + bytes(3 * 1024**2)), "the workbook would unpack to 3 MB"),
    "entities": (lambda: with_part(SHEET, lambda part: ENTITIES + part), "the workbook declares XML entities"),
    "a theme": (lambda: with_part("xl/theme/theme1.xml", lambda part: OUTSIDE + part), "the workbook declares"),
    "entities in UTF-16": (
        lambda: with_part(SHEET, lambda part: (ENTITIES + part).decode().encode("utf-16")),
        "the workbook declares XML entities",
    ),
    "last row and beyond": (
        lambda: with_part(SHEET, lambda part: part.replace(b'<row r="3"', b'<row r="99999999999"')),
        "sheet 'A' has millions of cells (results files are far smaller)",
    ),
    "column beyond": (
        lambda: with_part(SHEET, lambda part: part.replace(b'r="A3"', b'r="ZZZZ3"')),
        "the workbook cannot be read: ",
    ),
    "text that is not there": (
        lambda: as_excel_saves(f'<row r="1">{HEADER}</row><row r="2"><c r="A2" t="s"><v>99</v></c></row>'),
        "the workbook cannot be read: ",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSOUND)
def test_files_that_are_no_sound_workbook(file: File, name: str) -> None:
    content, told = UNSOUND[name]
    path = file(content())
    started = time.process_time()
    [line] = refusal(path)
    assert line.startswith(f"any.xlsx: {told}")
    assert time.process_time() - started < 10  # seconds, and generous: rows up to the absurd one would take forty


def test_a_workbook_that_states_absurd_dimensions_is_read_for_what_it_holds(file: File) -> None:
    def widest(part: bytes) -> bytes:
        assert b'ref="A1:C3"' in part
        return part.replace(b'ref="A1:C3"', b'ref="A1:XFD1048576"')

    assert len(read(file(with_part(SHEET, widest))).contestants) == 2


def test_a_workbook_is_told_by_its_content(file: File) -> None:
    assert len(read(file(workbook(A=TABLE))).contestants) == 2
    assert refusal(file(OLE + bytes(1000)), None)[0].startswith("any.xlsx: this is not a workbook that can be read")
    assert refusal(file(GAME.read_bytes()[:2000]), None) == refusal(file(GAME.read_bytes()[:2000]))
    assert refusal(file(zipped("a.txt")), None)[0].startswith("any.xlsx: this is a packed folder (.zip)")


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (workbook(A=[*TABLE, [3, "R", "fifty"]]), "sheet 'A', cell C4: "),
        (workbook(A=TABLE, Game=[["tabels", 2]]), "sheet 'Game', cell A1: "),
        (
            workbook(A=[*TABLE, [3, "R", 50]], Game=[["date", "2012-04-18"], ["rating", "club-open"]]),
            "tables is not declared",
        ),
        (workbook(A=TABLE, Game=[["date", "2012-04-18"], ["tables", 2]]), "rating is not declared"),
        (GAME.read_bytes()[:-100], "the workbook is damaged or cut off"),
        (b"", "the file is empty"),
        (bytes(range(256)), "unrecognised file format"),
    ],
    ids=["number", "key", "tables", "rating", "cut", "empty", "junk"],
)
def test_the_command_line_says_so_and_writes_nothing(file: File, content: bytes, where: str) -> None:
    path = file(content)
    done = run("award", path, "-o", path.with_name("out.xlsx"))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"any.xlsx: {where}")
    assert list(path.parent.iterdir()) == [path]


# What the writer writes.


def texts(data: bytes) -> dict[str, Any]:
    """Return the cells that hold text, as openpyxl sees them, by sheet and place; assert that none is a formula."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    found = {f"{part.title}!{c.coordinate}": c for part in book.worksheets for row in part.iter_rows() for c in row}
    assert not any(cell.data_type == "f" for cell in found.values())
    return {place: cell for place, cell in found.items() if isinstance(cell.value, str)}


@pytest.mark.parametrize("text", ["=1+1", "+44 20", "-", "-1", "@A1", "=cmd|'/c calc'!A0", "\t=1+1", "'=1", "{=1}"])
def test_no_text_is_a_formula(file: File, text: str) -> None:
    result = named(text)
    data = write(Result(result.games.assign(event=text, club=text), result.contestants))
    with ZipFile(io.BytesIO(data)) as archive:
        parts = [archive.read(name) for name in archive.namelist() if name.startswith("xl/worksheets/")]
    assert len(parts) == 3
    assert not any(re.search(rb"<f[ />]", part) for part in parts)
    held = [cell for cell in texts(data).values() if cell.value.split(" · ")[0] == text.strip()]
    assert len(held) == 5  # the heading's event and club, the player in the data, and both keys
    # Otherwise Excel makes a formula of it as soon as somebody edits the cell.
    assert all(cell.quotePrefix == (text.strip()[0] in "=+-@'") for cell in held)
    again = read(file(data))
    assert again.contestants["player1"].tolist() == [text.strip()]
    assert again.games.loc[0, ["event", "club"]].tolist() == [text.strip()] * 2


def test_names_survive(file: File) -> None:
    names = [name for name in HOSTILE if name.strip()]
    assert read(file(write(named(*names)))).contestants["player1"].tolist() == names


def test_a_game_without_names_is_written() -> None:
    """As one that comes from the devices of a club that did not type any."""
    result = named("A", "B")
    data = write(Result(result.games, result.contestants.filter(regex="^(?!player)")))
    rows = shown_texts(openpyxl.load_workbook(io.BytesIO(data)).worksheets[0])
    assert rows[-2:] == [[1, 59], [2, 58]]


def shown_texts(sheet: Any) -> list[list[Any]]:
    return [[cell.value for cell in row if cell.value is not None] for row in sheet.iter_rows()]


def test_a_sheet_to_pin_to_the_board() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write(process(GAME))))
    expected = [("Summary", "visible"), ("A", "visible"), ("Data", "hidden"), ("Game", "hidden")]
    assert [(sheet.title, sheet.sheet_state) for sheet in book.worksheets] == expected
    section = book["A"]
    assert [section.cell(row, 1).value for row in range(1, 5)] == [
        "Wed 1:00 Open Pairs · Section A, 9 tables",
        "Wednesday 18 April 2012 · Wednesday Aft · A open, B under 1000, C under 200",
        None,
        "Place",
    ]
    header = [cell.value for cell in section[5]]
    assert header == ["A", "B", "C", "Pair", "Names", "Strat", "%", "Score", "Masterpoints"]
    assert (section["A6"].value, section["A17"].value) == ("North-South", "East-West")
    first = dict(zip(header, section[7], strict=True))
    assert (first["Pair"].value, first["Score"].value, first["%"].value) == (1, 140.5, 65.05)
    assert (first["Masterpoints"].value, first["Masterpoints"].number_format) == (0.9, "0.00")
    # Every place is there; those that pay are bold.
    assert [section.cell(row, 1).value for row in range(7, 16)] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [section.cell(row, 1).font.bold for row in range(7, 16)] == [True] * 4 + [False] * 5
    assert [cell.value for cell in section[11]][:4] == [5, 3, 1, 5]
    assert [cell.font.bold for cell in section[11]][:3] == [False, True, True]
    assert (section.freeze_panes, section.print_title_rows) == ("F6", "$4:$5")
    assert section.sheet_properties.pageSetUpPr.fitToPage
    widths = {name: section.column_dimensions[cell.column_letter].width for name, cell in first.items()}
    # For the wall: 18 pairs in letters of 16 points fill a sheet on its side; a screen shows them as large as others.
    assert {cell.font.size for row in section.iter_rows(min_row=2) for cell in row if cell.value is not None} == {16}
    assert (section.page_setup.orientation, section.page_setup.fitToHeight) == ("landscape", 1)
    assert section.sheet_view.zoomScale == 69
    assert sum(section.row_dimensions[row].height for row in range(1, 27)) <= (8.5 - 0.9) * 72
    assert sum(widths.values()) * 7.25 / 96 <= 11 - 0.8
    assert all(widths[name] > len(str(cell.value or "")) * 16 / 11 for name, cell in first.items())
    game = {row[0].value: row[1].value for row in book["Game"].iter_rows()}
    assert game["date"] == datetime(2012, 4, 18)
    assert (game["rating"], game["tables"], game["boards"]) == ("club-open", 9, 27)


def test_the_summary_has_the_winners_of_every_stratum_and_section() -> None:
    rows = shown_texts(openpyxl.load_workbook(io.BytesIO(write(process(GAME))))["Summary"])
    assert rows[3] == ["9 tables, 18 pairs: A 5, B 7, C 6"]
    listed = [row for row in rows if isinstance(row[-1:], list) and row and row[-1] in (0.9, 0.63, 0.28)]
    assert [row[:2] for row in listed] == [[1, 1], [5, 3], [1, 1], [2, 2]]
    assert "Winners, section A North-South" in [row[0] for row in rows if row]


@pytest.mark.slow
def test_an_overall_list_and_colours_in_columns_of_their_own() -> None:
    files = [FIXTURES / "event" / name for name in ("made-final-1.ACM", "made-final-2.ACA")]
    result = process_event(*files)
    book = openpyxl.load_workbook(io.BytesIO(write(result)))
    summary = shown_texts(book["Summary"])
    header = next(row for row in summary if "Names" in row)
    assert header[-4:] == ["Red", "Gold", "Total", "For"]
    assert ["Masterpoints"] in summary
    places = [row for row in summary if row and row[-1] == "Overall B"]
    assert [row[0] for row in places] == [1, 2, 3]
    assert places[0][-4:-1] == [2.65, 0.3, 2.95]
    for sheet in ("Summary", "B"):
        shown = {cell for row in shown_texts(book[sheet]) for cell in row}
        assert not shown & {*result.contestants["id1"], *result.contestants["mp1"]}
        assert not any("=" in str(text) for text in shown)
    assert set(result.contestants["id1"]) <= {cell for row in shown_texts(book["Data"]) for cell in row}


@pytest.mark.slow
def test_the_overall_list_keeps_fields_that_are_not_compared_apart(tmp_path: Path) -> None:
    rows = ["section,direction,number,player1,player2,percentage"]
    rows += [
        f"{section},{side},{number},{section}{side}{number} Ann,{section}{side}{number} Bob,{60 - 4 * number + offset}"
        for section, offset in (("A", 1), ("B", -1))
        for side in ("N-S", "E-W")
        for number in range(1, 5)
    ]
    head = "# rating: club-open\n# date: 2024-05-15\n# tables: A=4, B=4\n# boards: 24\n"
    path = saved(tmp_path / "two.csv", head + "\n".join(rows))
    summary = shown_texts(openpyxl.load_workbook(io.BytesIO(write(process(path))))["Summary"])
    titles = [row[0] for row in summary if row and str(row[0]).startswith("Overall ")]
    assert titles == ["Overall North-South", "Overall East-West"]
    # Each direction has a first of its own: 57% in section A.
    for title in titles:
        first = summary[[row[:1] for row in summary].index([title]) + 1]
        assert (first[0], first[1].split()[0]) == (1, "A")


@pytest.mark.slow
def test_a_knockout_has_a_list_of_each_bracket() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write(process(FIXTURES / "knockout-example.csv"))))
    rows = shown_texts(book["Summary"])
    at = [rows.index([f"Bracket {number}"]) for number in (1, 2, 3)]
    assert [[row[0] for row in rows[i + 1 : i + 4]] for i in at] == [[1, 2, "3/4"], [1, 2, 3], [1, 2, "3/4"]]
    assert [row[0] for row in shown_texts(book["1"])[6:9]] == [1, 2, "3/4"]


def changed(data: bytes, sheet: str, **cells: object) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(data))
    for place, value in cells.items():
        book[sheet][place].value = value
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.slow
def test_results_are_read_from_the_sheet_data_alone_and_changes_elsewhere_are_remarked_on(file: File) -> None:
    data = write(process(GAME))
    names = read(GAME).contestants["player1"]
    assert read(file(data)).remarks == ()
    assert read(file(changed(data, "Game", A30="boards"))).remarks == ()
    in_data = read(file(changed(data, "Data", D4="Another Name")))
    assert (in_data.contestants["player1"].iloc[0], in_data.remarks) == ("Another Name", ())
    in_print = read(file(changed(data, "A", E9="Another Name")))
    assert in_print.contestants["player1"].tolist() == names.tolist()
    assert [str(remark) for remark in in_print.remarks] == [
        "any.xlsx: sheet 'A': this sheet was changed, and is not read: it is for print "
        "(correct the sheet 'Data', which is hidden)"
    ]
    book = openpyxl.load_workbook(io.BytesIO(data))
    book.remove(book["Summary"])
    without = io.BytesIO()
    book.save(without)
    assert read(file(without.getvalue())).remarks == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "section", ["NS", "N-S", "N/S", "A N-S", "E-W", "GAME", "GAMES", "#", "HISTORY", "'", "X" * 40]
)
def test_the_name_of_a_section_tells_no_direction_and_no_other_sheet(file: File, section: str) -> None:
    result = named("P", "Q")
    contestants = result.contestants.assign(section=section, direction=None)
    one_winner = Result(result.games, contestants.astype({"direction": "str"}))
    same(Result(*read(file(write(one_winner)))), one_winner)


def test_who_is_not_ranked_needs_no_score(file: File) -> None:
    result = named("P", "Q")
    contestants = result.contestants.assign(eligible=False, percentage=float("nan"))
    same(Result(*read(file(write(Result(result.games, contestants))))), Result(result.games, contestants))


@pytest.mark.slow
def test_the_published_game_awarded_and_written_is_the_fixture(file: File) -> None:
    # Positions, awards and the strata that pay them are computed anew; the fixture has them as they were printed.
    again = read(file(write(process(GAME)))).contestants
    expected = read(GAME).contestants.assign(game_id="any")
    columns = ["where", "printed_colours"]
    pd.testing.assert_frame_equal(again.drop(columns=columns), expected.drop(columns=columns))


@examples(12)
@given(results())
def test_what_was_written_reads_back(file: File, result: Result) -> None:
    data = write(result)
    texts(data)
    again = Result(*read(file(data), format="xlsx"))
    same(again, result)
    assert write(again) == data


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wed-open-pairs-2012-04-18.csv", "knockout-example.csv", "made-regular.ACA"])
def test_the_summary_fills_a_sheet_of_paper(name: str) -> None:
    """In inches a sheet on its side has 10.2 by 7.6 of room, and one upright 7.7 by 10.1; a letter has 7.25/96."""
    sheet = openpyxl.load_workbook(io.BytesIO(write(process(FIXTURES / name))))["Summary"]
    wide = sum(each.width for each in sheet.column_dimensions.values()) * 7.25 / 96
    high = sum(sheet.row_dimensions[n].height or 15 for n in range(1, sheet.max_row + 1)) / 72
    room = {"landscape": (10.2, 7.6), "portrait": (7.7, 10.1)}[sheet.page_setup.orientation]
    size = sheet["A2"].font.sz
    assert wide <= room[0] + 0.01 or size == 11  # which nothing is smaller than
    assert size == 11 or sheet.page_setup.fitToHeight == 1
    # Larger by a point, it would be too wide, or too high with a line to spare for each list.
    more = (size + 1) / size
    assert size > 11 or wide * more > room[0] or high * more > room[1]
    assert wide * more > room[0] - 0.4 or high * more > room[1] - 1.2 or size == 24


_WITHOUT_OURS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include>/etc/fonts/fonts.conf</include><selectfont><rejectfont>
<pattern><patelt name="family"><string>Calibri</string></patelt></pattern>
<pattern><patelt name="family"><string>Carlito</string></patelt></pattern>
</rejectfont></selectfont></fontconfig>"""


@pytest.mark.slow
def test_sheets_are_printed_as_large_as_they_say(tmp_path: Path) -> None:
    """The letters on paper are measured: a sheet that is a little too wide is printed smaller than its cells say.

    They are those of a machine without our font and without the one that is as wide: others have narrower ones.
    """
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    # The most frequent size, and the least: a heading that is a single long word may be a little smaller.
    wanted: dict[str, tuple[float, float, Sequence[object]]] = {
        "wall": (16, 15.5, ["award", GAME.with_suffix(".csv")]),
        "chart": (10.5, 10.5, ["chart", "--rating", "club-open", "--boards", "24", "--tables", "4:20"]),
        "series": (11, 11, ["series", *sorted((FIXTURES / "series").glob("*.csv"))]),
        "players": (11, 11, ["players", *sorted((FIXTURES / "series").glob("*.csv"))]),
    }
    paths = [tmp_path / f"{name}.xlsx" for name in wanted]
    for path, (*_, arguments) in zip(paths, wanted.values(), strict=True):
        assert run(*arguments, "-o", path).status == 0
    (tmp_path / "fonts.conf").write_text(_WITHOUT_OURS, "utf-8")
    home = f"-env:UserInstallation=file://{tmp_path}/office"
    command = ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, *paths]
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    subprocess.run(list(map(str, command)), check=True, capture_output=True, timeout=120, env=environment)
    for path in paths:
        with pdfplumber.open(path.with_suffix(".pdf")) as printed:
            found = Counter(
                round(letter["size"], 1)
                for page in printed.pages[-1 if path.stem == "wall" else 0 :]
                for letter in page.chars
                if letter["bottom"] < page.height - 36
            )
        ((usual, _),) = found.most_common(1)
        assert usual >= wanted[path.stem][0], (path.stem, found)
        assert min(found) >= wanted[path.stem][1], (path.stem, found)


def test_a_game_without_winners_has_no_empty_summary(tmp_path: Path) -> None:
    """Of an excerpt that has the places of some, and nobody's first one, there is nothing to sum up."""
    path = tmp_path / "excerpt.csv"
    path.write_text("number,player1,percentage,section_ranks\n4,Ann Ash,52.00,A=2\n7,Bob Birch,48.00,A=3\n", "utf-8")
    data = write(Result(*read(path)))
    assert "Summary" not in openpyxl.load_workbook(io.BytesIO(data)).sheetnames


def test_widths_are_the_same_however_they_are_added_up() -> None:
    """Which sum() does otherwise from Python 3.12 on: exactly, and not one after the other."""
    widths = [13.4, 10.6, 11.4, 6.9, 14.9, 13.6, 6.2, 8.3, 12.2]
    first = []
    for order in (widths, [widths[0], *widths[:0:-1]]):
        sheet = openpyxl.Workbook().worksheets[0]
        set_widths(sheet, order)
        lay_out(sheet, 1, larger=1.001)
        first.append(sheet.column_dimensions["A"].width)
    assert first[0] == first[1] != widths[0]


def test_no_room_for_what_is_written_on_the_way_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise SerialisationError("IO_ENOSPC")  # as lxml does for the sheets in TMPDIR

    monkeypatch.setattr(openpyxl.Workbook, "save", full)
    with pytest.raises(OutputError) as error:
        bytes_of(openpyxl.Workbook())
    (problem,) = error.value.problems
    assert (problem.code, problem.what) == ("machine.full", "it cannot be written: No space left on device")
