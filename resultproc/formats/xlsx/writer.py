"""Excel: a results sheet for every section and direction, ready to be pinned to the board, and a sheet ``Game``.

It reads back through :mod:`resultproc.formats.xlsx.reader`. Several games have a sheet ``Games`` instead, a row for
each. Texts are written as texts, never as formulas, and unchanged. The same games give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd

from resultproc.formats.common.cells import as_text, game_keys, names_games, shown
from resultproc.formats.common.seats import seats_of
from resultproc.formats.registry import Writer
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType, number_text, parse_tables
from resultproc.model.keys import KEYS
from resultproc.model.values import cell_text

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_NUMBERS = {EventType.INDIVIDUAL: "No", EventType.PAIRS: "Pair"}
"""What a contestant's number is called; of teams, Team."""

_DIRECTIONS = {NORTH_SOUTH: "North-South", EAST_WEST: "East-West"}

Value = str | int | float


def write(result: Result) -> bytes:
    """Return the games as a workbook."""
    from openpyxl import Workbook

    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    games = result.games.to_dict("records")
    of_id = {game["game_id"]: (number, game) for number, game in enumerate(games, 1)}
    frame = shown(result)
    ids = result.contestants["game_id"]
    groups = [ids, frame["section"], result.contestants["direction"]]
    for (game_id, *seats), rows in frame.groupby(groups, sort=False, dropna=False):
        number, game = of_id[game_id]
        seat = [each for each in seats if isinstance(each, str)]
        words = seat if len(games) == 1 else [str(number), *seat]
        sheet = workbook.create_sheet(_title(workbook, words, directed=len(seat) > 1))
        _write_section(sheet, game, seat, rows)
    if names_games(result.games):
        _write_games(workbook.create_sheet("Games"), games)
    else:
        _write_game(workbook.create_sheet("Game"), games[0])
    return saved(workbook)


def _title(workbook: Workbook, words: list[str], directed: bool) -> str:
    """Return a name for a sheet that Excel allows and the workbook does not have yet.

    It tells a direction only where the words have one.
    """
    plain = re.sub(r"[\\/*?:\[\]'#]", "-", cell_text(" ".join(words)))[:23]
    if not directed and "direction" in seats_of(plain):  # a section called NS
        plain = f"({plain})"
    taken = {name.casefold() for name in [*workbook.sheetnames, "Game", "Games", "History"]}
    numbered = [plain, *(f"{plain} ({number})" for number in range(2, len(taken) + 3))]
    return next(title for title in numbered if title.casefold() not in taken)


def _write_section(sheet: Worksheet, game: Mapping[Any, Any], seat: list[str], rows: pd.DataFrame) -> None:
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
    from openpyxl.utils import get_column_letter

    headings = _headings(game, seat)
    for i, heading in enumerate(headings, 1):
        put(sheet.cell(i, 1), heading).font = Font(bold=i == 1, size=14 if i == 1 else 11)
    top = len(headings) + 2
    columns = _columns(sheet.title, game, seat, rows)
    for i, (header, values) in enumerate(columns.items(), 1):
        cell = put(sheet.cell(top, i), header)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="E8E8E8")
        cell.border = Border(bottom=Side("thin"))
        right = not any(isinstance(value, str) and value for value in values)
        cell.alignment = Alignment(horizontal="right" if right else "left")
        for j, value in enumerate(values, top + 1):
            if value != "":
                put(sheet.cell(j, i), value)
        longest = max(len(f"{v:.2f}" if isinstance(v, float) else str(v)) for v in [header, *values])
        sheet.column_dimensions[get_column_letter(i)].width = min(max(longest + 2, 7), 40)
    lay_out(sheet, top)


def lay_out(sheet: Worksheet, top: int, names: int = 1) -> None:
    """Set up a sheet to be looked at and printed: as wide as a page on its side, its header always in sight.

    top: the row of the header. names: so many columns stay in sight, too.
    """
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.freeze_panes = sheet.cell(top + 1, names + 1).coordinate
    sheet.print_title_rows = f"{top}:{top}"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _headings(game: Mapping[Any, Any], seat: list[str]) -> list[str]:
    """Return the lines above a section's table: the event, where and when it was played, and what this section is."""
    keys = game_keys(game)
    section, *direction = seat
    of_section = parse_tables(keys.get("tables", ""))
    tables = of_section.get(section, of_section.get(""))
    seats = ["Section " + " ".join([cell_text(section), *(_DIRECTIONS.get(each, each) for each in direction)])]
    if tables:
        seats.append(number_text(tables) + (" table" if tables == 1 else " tables"))
    lines = [
        keys.get("event", cell_text(game["game_id"])),
        keys.get("club", ""),
        ", ".join(keys[name] for name in ("date", "session") if name in keys),
        ", ".join(seats),
        f"Strata: {keys['strata']}" if "strata" in keys else "",
    ]
    return [line for line in lines if line]


def _columns(title: str, game: Mapping[Any, Any], seat: list[str], rows: pd.DataFrame) -> dict[str, list[Value]]:
    """Return the columns of a section's table by their headers; '' stands for an empty cell.

    Section and direction are left to the name of the sheet where it tells them.
    """
    in_title = list(seats_of(title).values()) == seat
    columns: dict[str, list[Value]] = {}
    for name in rows.columns:
        if in_title if name in {"section", "direction"} else rows[name].isna().all():
            continue
        if CONTESTANTS.declared(name).per_stratum:
            columns |= _ranks(name, rows[name])
        elif name == "number":
            event_type = game["event_type"] if isinstance(game["event_type"], str) else EventType.PAIRS
            columns[_NUMBERS.get(EventType(event_type), "Team")] = [_plain(value) for value in rows[name]]
        else:
            columns[_header(name)] = [_value(name, value) for value in rows[name]]
    return columns


def _header(name: str) -> str:
    column = CONTESTANTS.declared(name)
    return f"{column.heading} {name.removeprefix(column.family)}".strip()


def _value(name: str, value: Any) -> Value:
    text, number = as_text(name, value), CONTESTANTS.declared(name).kind.number
    return number(text) if text and number else text


def _plain(text: str) -> str | int:
    """Return a text that is a whole number as a number."""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,8}", text) else cell_text(text)


def _ranks(name: str, texts: pd.Series[str]) -> dict[str, list[Value]]:
    """Return a column of ranks for each stratum; a single one where the texts are not ranks by strata."""
    ranks = [dict(re.findall(r"([A-Z])=([0-9]{1,6}(?:/[0-9]{1,6})?)", text)) for text in texts.fillna("")]
    letters = sorted({letter for each in ranks for letter in each})
    joined = [", ".join(f"{letter}={each[letter]}" for letter in letters if letter in each) for each in ranks]
    if joined != list(texts.fillna("")):
        return {_header(name): [_value(name, text) for text in texts]}
    heading = CONTESTANTS.declared(name).per_stratum
    return {f"{heading} {letter}": [_plain(each.get(letter, "")) for each in ranks] for letter in letters}


def put(cell: Any, value: Value | date) -> Any:
    """Write a value into a cell: text as text, whatever it looks like, and numbers that are not whole with decimals."""
    if not isinstance(value, str):
        cell.value = value
        if isinstance(value, float):
            cell.number_format = "0.00"
        return cell
    # What is between _x and _ is a character's number to Excel, unless the first line is given by its own.
    cell.value = re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", value)
    cell.data_type = "s"
    cell.quotePrefix = value.startswith(tuple("=+-@'"))
    return cell


def _declared(game: Mapping[Any, Any]) -> dict[str, Value | date]:
    """Return what is declared of a game as the values of cells."""
    values: dict[str, Value | date] = {name: _plain(text) for name, text in game_keys(game).items()}
    if "date" in values and game["date"].year > 1900:  # Excel knows no dates before
        values["date"] = game["date"].date()
    return values


def _write_game(sheet: Worksheet, game: Mapping[Any, Any]) -> None:
    """Write what is declared of the only game: a key and its value in each row."""
    from openpyxl.styles import Alignment, Font

    for i, (name, value) in enumerate(_declared(game).items(), 1):
        put(sheet.cell(i, 1), name).font = Font(bold=True)
        put(sheet.cell(i, 2), value).alignment = Alignment(horizontal="left")
    sheet.column_dimensions["A"].width = 20
    sheet.column_dimensions["B"].width = 50


def _write_games(sheet: Worksheet, games: list[dict[Any, Any]]) -> None:
    """Write what is declared of several games: a row for each, below the keys that any of them has."""
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    values = [{"game_id": cell_text(game["game_id"]), **_declared(game)} for game in games]
    names = ["game_id", *(name for name in KEYS if any(name in each for each in values))]
    for i, name in enumerate(names, 1):
        put(sheet.cell(1, i), name).font = Font(bold=True)
        for j, each in enumerate(values, 2):
            if name in each:
                put(sheet.cell(j, i), each[name])
        sheet.column_dimensions[get_column_letter(i)].width = 20
    sheet.freeze_panes = "B2"


def saved(workbook: Workbook) -> bytes:
    """Return a workbook as the bytes of its file, the same for the same content: without the time of saving."""
    file = BytesIO()
    workbook.save(file)
    again = BytesIO()
    with ZipFile(file) as parts, ZipFile(again, "w", ZIP_DEFLATED) as archive:
        for part in parts.infolist():
            content = parts.read(part)
            if part.filename == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:(created|modified)[^>]*>)[^<]*", rb"\g<1>1980-01-01T00:00:00Z", content)
            archive.writestr(ZipInfo(part.filename), content, ZIP_DEFLATED)
    return again.getvalue()


WRITER = Writer("xlsx", "Excel", (".xlsx",), write)
