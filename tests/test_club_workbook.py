"""The club's workbook: filled in, calculated, read as it is; what cannot be right is red, and members go nowhere."""

import json
import re
import shutil
import subprocess
from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import run, saved
from openpyxl import load_workbook
from openpyxl.formula.translate import Translator
from openpyxl.worksheet.worksheet import Worksheet

from resultproc.formats.xlsx.club import club_workbook
from resultproc.model.game import Movement, league

MEMBERS = {
    "1000001": ("Ann Lee", 0.5),
    "1000002": ("Bob Ash", 100.5),
    "1000003": ("Cat Elm", 200),
    "1000004": ("Dan Oak", None),
    "1000005": ("Eve Fir", 400),
    "1000006": ("Fay Yew", 500),
    "1000007": ("Gus Box", 0),
    "1000008": ("Hal Bay", 700),
    "7654321": ("Zed Unseated", 6543.25),
}

GAME = {
    **{"event": "Tuesday Pairs", "date": date(2016, 5, 12), "rating": "club-open", "movement": "mitchell"},
    **{"tables": 2, "boards": 24},
}

SEATS = [("N-S", 1, 60), ("N-S", 2, 40), ("E-W", 1, 55), ("E-W", 2, 45)]


def filled(path: Path, **cells: object) -> Path:
    """Write the workbook as a director fills it in; cells: of the sheet Pairs, what else stands in them."""
    workbook = load_workbook(BytesIO(club_workbook()))
    for row, (number, (name, holding)) in enumerate(MEMBERS.items(), 2):
        for column, value in enumerate((number, name, holding), 1):
            workbook["#Members"].cell(row, column).value = value
    for row in workbook["Game"].iter_rows(min_row=2):
        row[1].value = GAME.get(str(row[0].value), row[1].value)
    pairs = workbook["Pairs"]
    numbers = iter(MEMBERS)
    for row, (direction, number, percentage) in enumerate(SEATS, 2):
        values = {"A": "A", "B": direction, "C": number, "D": next(numbers), "G": next(numbers), "L": percentage}
        for column, value in values.items():
            pairs[f"{column}{row}"] = value
    for place, value in cells.items():
        pairs[place] = value
    workbook.save(path)
    return path


def calculated(path: Path) -> Path:
    """Return the workbook as a spreadsheet program saves it: beside each formula stands what it gives."""
    pairs = load_workbook(path)["Pairs"]
    part = "xl/worksheets/sheet2.xml"

    def with_value(found: re.Match[str]) -> str:
        column, row = found[1], found[2]
        number = pairs[f"{'D' if column in 'EF' else 'G'}{row}"].value
        name, holding = MEMBERS.get(str(number), ("", None))
        value = name if column in "EH" else holding
        kind = ' t="str"' if not isinstance(value, int | float) else ""
        return f'<c r="{column}{row}"{kind}>{found[3]}<v>{"" if value is None else value}</v></c>'

    again = BytesIO()
    with ZipFile(path) as parts, ZipFile(again, "w") as archive:
        for name in parts.namelist():
            content = parts.read(name).decode()
            if name == part:
                content, count = re.subn(
                    r'<c r="([EFHI])([0-9]+)"[^>]*>(<f>[^<]*</f>)<v ?(?:/>|></v>)</c>', with_value, content
                )
                assert count >= 4
            archive.writestr(name, content)
    return saved(path, again.getvalue())


@pytest.mark.slow
def test_it_says_in_six_lines_what_to_do() -> None:
    workbook = load_workbook(BytesIO(club_workbook()))
    start = workbook.worksheets[0]
    assert workbook.active is start
    steps = [str(start.cell(row, 2).value) for row in range(2, 8)]
    assert steps[0].startswith("Write your members into the sheet #Members, once: number, name")
    assert steps[4].startswith("Save, and let it be awarded: resultproc award FILE")
    assert all("{" not in step for step in steps)
    assert start.max_row == 7
    assert club_workbook() == club_workbook()


def choices(sheet: Worksheet, cell: str) -> list[object]:
    """Return what a cell is chosen from."""
    for each in sheet.data_validations.dataValidation:
        if cell in each.cells and each.type == "list":
            assert sheet.parent is not None
            (column,) = (sheet.parent["#Lists"][str(each.formula1).split("!")[1].replace("$", "").replace("=", "")],)
            return [row[0].value for row in column]
    return []


def test_cells_are_chosen_from_lists() -> None:
    workbook = load_workbook(BytesIO(club_workbook()))
    game, pairs = workbook["Game"], workbook["Pairs"]
    at = {str(row[0].value): row[1].coordinate for row in game.iter_rows(min_row=2)}
    assert choices(game, at["rating"]) == [*league().names]
    assert choices(game, at["movement"]) == [each.value for each in Movement]
    assert "A=open, B=750" in choices(game, at["strata"])
    assert choices(pairs, "B2") == ["N-S", "E-W"]
    assert choices(pairs, "J81")[:3] == ["A", "B", "C"]


@pytest.mark.slow
def test_award_reads_it_as_it_is(tmp_path: Path) -> None:
    """A club pays the first of each direction 0.10 for each of 2 tables. What a member does not hold is not known."""
    path = calculated(filled(tmp_path / "tuesday.xlsx"))
    done = run("award", path, "--to", "json")
    assert (done.status, done.err) == (0, "")
    (game,) = json.loads(done.out)["games"]
    assert game["game"]["event"] == "Tuesday Pairs"
    players = [[each["name"] for each in pair["players"]] for pair in game["contestants"]]
    assert players == [["Ann Lee", "Bob Ash"], ["Cat Elm", "Dan Oak"], ["Eve Fir", "Fay Yew"], ["Gus Box", "Hal Bay"]]
    holdings = [each.get("holding") for pair in game["contestants"] for each in pair["players"]]
    assert holdings == [0.5, 100.5, 200, None, 400, 500, 0, 700]
    assert [pair["masterpoints"] for pair in game["contestants"]] == ["0.20", "0.00", "0.20", "0.00"]


@pytest.mark.slow
def test_a_guest_is_written_over_the_formulas(tmp_path: Path) -> None:
    path = filled(tmp_path / "tuesday.xlsx", D2=None, E2="Gert Guest", F2=12)
    done = run("award", calculated(path), "--to", "json")
    (game,) = json.loads(done.out)["games"]
    (guest, _), *_ = ([*pair["players"]] for pair in game["contestants"])
    assert (guest["name"], guest["holding"]) == ("Gert Guest", 12)


@pytest.mark.slow
def test_formulas_that_were_never_calculated_are_one_clear_message(tmp_path: Path) -> None:
    done = run("award", filled(tmp_path / "tuesday.xlsx"))
    assert done.status == 1
    (line,) = done.err.splitlines()
    assert line.startswith("tuesday.xlsx: sheet 'Pairs', cell E2: 320 formulas have no computed values")
    assert "open it in Excel or LibreOffice Calc, save it there" in line


@pytest.mark.slow
def test_nothing_of_those_who_did_not_play_goes_further(tmp_path: Path) -> None:
    """Neither the name, the number nor the holding of a member who stayed at home; a workbook is looked through."""
    path = calculated(filled(tmp_path / "tuesday.xlsx"))
    out = tmp_path / "out"
    done = run("batch", path, "-o", out, "--to", "html,json,xlsx,text,csv,usebio")
    assert done.status == 0, done.err
    files = [each for each in out.iterdir() if each.stem == "tuesday"]
    assert len(files) == 6
    for written in files:
        data = written.read_bytes()
        if written.suffix == ".xlsx":
            with ZipFile(written) as parts:
                data = b"".join(parts.read(name) for name in parts.namelist())
        assert b"Cat Elm" in data or b"CAT ELM" in data.upper(), written
        for text in (b"Unseated", b"7654321", b"6543.25"):
            assert text not in data, written


def test_new_writes_it_once(tmp_path: Path) -> None:
    path = tmp_path / "club.xlsx"
    done = run("new", "--club", "-o", path)
    assert (done.status, done.err) == (0, f"{path}: open it, its first sheet says what to do\n")
    assert path.read_bytes() == club_workbook()
    assert run("new", "--club", "-o", path).status == 1
    assert run("new", "--club", path).status == 2
    assert run("new", "--club", "-o", tmp_path / "club.csv").status == 2
    assert run("new", "--club", "--players", path, "-o", tmp_path / "again.xlsx").status == 2
    assert run("new").status == 2


WRONG = {
    "D3": ("999", "no member has the number"),
    "G4": ("1000001", "sits twice"),
    "C5": (1, "the number is there twice in its direction"),
    "B2": ("NS", "is no direction"),
    "J2": ("AB", "is no stratum"),
    "L2": (160, "is no percentage"),
    "K3": ("6o", "is no score"),
    "F4": ("many", "is no holding"),
}
"""Cells of the pairs, and what stands there that cannot be right."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_a_spreadsheet_program_fills_in_names_and_colours_what_cannot_be_right(tmp_path: Path) -> None:
    """The formulas that colour are put beside the table, and LibreOffice says which of them hold."""
    right = filled(tmp_path / "right.xlsx")
    wrong = filled(tmp_path / "wrong.xlsx", **{place: value for place, (value, _) in WRONG.items()})
    for path in (right, wrong):
        workbook = load_workbook(path)
        pairs = workbook["Pairs"]
        asked = {}
        for area in pairs.conditional_formatting:
            first = str(area.sqref).split(":")[0]
            for row in range(2, 8):
                cell = pairs[first].offset(row - 2)
                beside = cell.offset(column=20)
                formula = area.rules[0].formula[0]
                beside.value = Translator(f"={formula}", origin=first).translate_formula(cell.coordinate)
                asked[cell.coordinate] = beside.coordinate
        workbook.save(path)
    home = f"-env:UserInstallation=file://{tmp_path}/office"
    command = ["soffice", home, "--headless", "--convert-to", "xlsx", "--outdir", tmp_path / "saved", right, wrong]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, timeout=120)
    for path in (right, wrong):
        saved = load_workbook(tmp_path / "saved" / path.name, data_only=True)["Pairs"]
        red = {place for place, beside in asked.items() if saved[beside].value not in (False, 0)}
        if path == right:
            assert red == set()
            expected = ["Ann Lee", 0.5, "Dan Oak", None, 700]
            assert [saved[place].value for place in ("E2", "F2", "H3", "I3", "I5")] == expected
        else:
            # With a cell go those that it makes wrong: the same number or pair elsewhere, the name that is not found.
            assert red == {*WRONG, "E3", "D2", "C4"}
