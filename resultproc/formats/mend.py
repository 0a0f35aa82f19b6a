"""Cells of a file that are mended where they stand: in a row of a CSV, a line of a text, or a sheet of a workbook."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from zipfile import ZipFile

import openpyxl
from lxml import etree
from openpyxl.formula import Tokenizer
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string, get_column_letter, range_boundaries
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from resultproc.formats.csv import READER, header_in
from resultproc.formats.registry import decode, detect
from resultproc.formats.xlsx.parts import sheet_parts
from resultproc.formats.xlsx.reader import checked, errors_of_openpyxl
from resultproc.formats.xlsx.sheet_cells import is_ours
from resultproc.model import numbers
from resultproc.model.errors import InputError
from resultproc.model.file_limits import FileLimits
from resultproc.model.grid import Cell, Row
from resultproc.model.source import Source
from resultproc.model.text import cell_text
from resultproc.model.work import within
from resultproc.tables.headings import headings_of
from resultproc.tables.titles import header_at

_LINE = re.compile(r"line (\d+)(?:, column (\d+))?")
_CELL = re.compile(r"sheet '(.+)', (?:cell ([A-Z]+)(\d+)|row (\d+))")
_TEXTS = (".csv", ".tsv", ".txt", ".prn", ".lst")
_WORKBOOKS = (".xlsx", ".xlsm")
_MOST_CELLS = 200
_LARGE = 1_000_000
"""The rows of a workbook of more bytes are not listed."""

_MOST_SHEETS = 300
"""Of more the library compares the name of each with those of all others, again and again."""

_HEADS = "heading"
"""What a cell of a header is called, with its column."""

_HEAD = 200
"""The header of a list is among this many lines."""


class FileCell(NamedTuple):
    """A cell to mend."""

    at: str  # where it is in the file
    heading: str  # what is above it, as far as that is known
    text: str  # what it holds
    wrong: bool  # whether it is at fault
    fixed: str = ""  # why it is not mended here, if it is not
    column: str = ""  # the contestants' column, without its number; empty where that is not known

    @property
    def whole(self) -> bool:
        """Whether it is a whole line of a text."""
        return self.at.isdigit()


def cells_at(source: Source, where: str) -> list[FileCell]:
    """Return the cells of the row that a place such as ``line 7, column 3`` is in; none where it is not mended here."""
    suffix = source.suffix.lower()
    if suffix in _TEXTS and (found := _LINE.match(where)):
        return _of_line(source, int(found[1]), int(found[2] or 0))
    if suffix in _WORKBOOKS and (found := _CELL.match(where)):
        return _of_sheet(source, found[1], int(found[3] or found[4]), found[2] or "")
    return []


class FileRow(NamedTuple):
    """A row of a file: where it is, as problems name it, and what is written in it."""

    where: str
    text: str


def file_rows(source: Source) -> list[FileRow]:
    """Return the rows of a file whose cells are mended here, with the empty ones; none for a file of another kind."""
    suffix = source.suffix.lower()
    if suffix in _TEXTS:
        return [FileRow(f"line {at}", line.strip()) for at, line in enumerate(decode(source.data).split("\n"), 1)]
    if suffix not in _WORKBOOKS or len(source.data) > _LARGE:
        return []
    try:
        sheets = _book(source.data).sheets
    except InputError:  # it is no sound workbook, and whoever reads it says so
        return []
    return [
        FileRow(f"sheet '{title}', row {at}", "  ".join(filter(None, (_one_line(cell.text) for cell in row))))
        for title, rows in sheets.items()
        for at, row in enumerate(rows, 1)
    ]


def rows_gone(before: Source, source: Source) -> list[FileRow]:
    """Return the rows of a file as it was before that are empty now."""
    if before.data == source.data:
        return []
    pairs = zip(file_rows(before), file_rows(source), strict=False)
    return [one for one, other in pairs if one.where == other.where and one.text and not other.text]


def places_in(text: str) -> list[str]:
    """Return the places of rows that a message names, such as ``line 7``."""
    return [found[0] for found in re.finditer(r"sheet '[^']+', (?:cell [A-Z]+\d+|row \d+)|\bline \d+", text)]


def row_left_out(source: Source, where: str) -> dict[str, str]:
    """Return the cells that leave out the row at a place: it is empty then, and all others stay where they are."""
    if source.suffix.lower() in _TEXTS and (found := _LINE.match(where)):
        return {found[1]: ""}
    return {cell.at: "" for cell in cells_at(source, where) if not cell.fixed}


def row_taken_in(source: Source, before: Source, where: str) -> dict[str, str]:
    """Return the cells that make the row at a place what it was before, with what has been mended in it since gone."""
    if source.suffix.lower() in _TEXTS and (found := _LINE.match(where)):
        lines = decode(before.data).split("\n")
        return {found[1]: lines[int(found[1]) - 1]} if 0 < int(found[1]) <= len(lines) else {}
    return {cell.at: cell.text for cell in cells_at(before, where)}


def row_joined(source: Source, where: str) -> dict[str, str]:
    """Return the cells that make one contestant of a row and the one below it, which is left out then.

    The names of both are in the first, each in a cell of its own where there is one; what it lacks otherwise is
    that of the second. None where the rows have no cells of names.
    """
    below = re.sub(r"(\d+)$", lambda found: str(int(found[1]) + 1), row_at(where))
    first, second = cells_at(source, where), cells_at(source, below)
    names = [cell for cell in first if cell.column == "player"]
    others = [cell.text for cell in second if cell.column == "player" and cell.text]
    if not names or not others or len(first) != len(second) or any(cell.fixed for cell in (*first, *second)):
        return {}
    cells = {one.at: two.text for one, two in zip(first, second, strict=True) if not one.text and one not in names}
    free = [cell for cell in names if not cell.text]
    for name in others:
        if free:
            cells[free.pop(0).at] = name
        else:
            cells[names[-1].at] = f"{cells.get(names[-1].at, names[-1].text)} & {name}"
    return cells | row_left_out(source, below)


def row_at(where: str) -> str:
    """Return the row that a cell is in, as the rows of contestants are called; other places stay as they are."""
    if found := re.match(r"line \d+(?:, row \d+)?", where):
        return found[0]
    if found := _CELL.match(where):
        return f"sheet '{found[1]}', row {found[3] or found[4]}"
    return where


def mended(source: Source, cells: Mapping[str, str]) -> bytes:
    """Return the content of a file with other cells; what is at no place of the file is left out."""
    if source.suffix.lower() in _WORKBOOKS:
        return _mended_sheet(source, cells)
    text = decode(source.data)
    lines = text.split("\n")
    delimiter, _ = _table(source, lines)
    for number, line in enumerate(lines, 1):
        if f"{number}" in cells:
            # The blanks in a line are what its columns are aligned by.
            lines[number - 1] = re.sub(r"[\r\n]+", " ", cells[f"{number}"])
            continue
        own = {at: value for at, value in cells.items() if at.startswith(f"{number}:")}
        if own and delimiter:
            row = next(csv.reader([line], delimiter=delimiter), [])
            row = [_one_line(own.get(f"{number}:{at}", cell)) for at, cell in enumerate(row, 1)]
            lines[number - 1] = _line(row, delimiter)
    return "\n".join(lines).encode()


def is_told_at(source: Source, where: str) -> bool:
    """Return whether a key that a file declares at a place can be changed there."""
    if source.suffix.lower() in _TEXTS:
        return bool(_LINE.fullmatch(where))
    return any(cell.wrong and not cell.fixed for cell in cells_at(source, where))


def told_anew(source: Source, values: Mapping[str, str]) -> bytes:
    """Return the content of a file that declares other values. values: by the places where the old ones are."""
    cells = {}
    lines = [] if source.suffix.lower() in _WORKBOOKS else decode(source.data).split("\n")
    for where, value in values.items():
        if (found := _CELL.match(where)) and found[2]:
            cells[f"{found[1]}!{found[2]}{found[3]}"] = value
        elif lines and (found := _LINE.match(where)):
            cells[found[1]] = _with_value(lines[int(found[1]) - 1], value)
    return mended(source, cells)


def _with_value(line: str, value: str) -> str:
    """Return a line such as ``# rating: stac`` with another value, an empty one without any.

    Excel puts a line with a comma between quotes.
    """
    if not value:
        return ""
    quoted = line.startswith('"')
    text = next(csv.reader([line])) if quoted else [line]
    text[0] = re.sub(r"^([^:=]*[:=]\s*).*$", lambda found: found[1] + _one_line(value), text[0])
    return _line(text, ",") if quoted else text[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _line(cells: list[str], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(cells)
    return out.getvalue()


def _table(source: Source, lines: list[str]) -> tuple[str, int]:
    """Return what separates cells in a CSV's rows, and the number of its header, from 1; nothing where it has none."""
    found = header_in(lines[:_HEAD]) if detect(source) is READER else None
    return ("", 0) if found is None else (found[1], found[0] + 1)


def _of_line(source: Source, number: int, column: int) -> list[FileCell]:
    lines = decode(source.data).split("\n")
    if not 0 < number <= len(lines):
        return []
    line = lines[number - 1]
    delimiter, top = _table(source, lines)
    within_quotes = line.count('"') % 2  # a cell goes on in another line
    if not delimiter or number < top or delimiter not in line or within_quotes:
        return [FileCell(f"{number}", f"line {number}", line, True)]
    header = next(csv.reader([lines[top - 1]], delimiter=delimiter), [])
    row = next(csv.reader([line], delimiter=delimiter), [])
    if number == top:
        return [
            FileCell(f"{number}:{at}", f"{_HEADS} {at}", cell, False) for at, cell in enumerate(row[:_MOST_CELLS], 1)
        ]
    columns = _columns(header)
    return [
        FileCell(
            f"{number}:{at}",
            header[at - 1] if at <= len(header) else f"column {at}",
            cell,
            at == column,
            column=columns[at - 1] if at <= len(header) else "",
        )
        for at, cell in enumerate(row[:_MOST_CELLS], 1)
    ]


def _columns(header: Sequence[str]) -> list[str]:
    """Return which contestants' columns are below a header, without their numbers."""
    try:
        found = headings_of(_row(header)).columns
    except InputError:  # it is no header that anybody wrote
        return [""] * len(header)
    return [re.sub("[0-9]+$", "", name or "") for name in found]


def _row(texts: Iterable[str]) -> Row:
    return Row([Cell(text, "") for text in texts], "")


def _of_sheet(source: Source, title: str, number: int, column: str) -> list[FileCell]:
    try:
        book = _book(source.data)
    except InputError:  # a library finds fault with what a reader has read, or takes too long
        return []
    rows = book.sheets.get(title, [])
    if not 0 < number <= len(rows):
        return []
    above = [[cell.text for cell in row] for row in rows[: number - 1]]
    top = header_at(list(map(_row, above)))
    own = header_at([*map(_row, above), _row(cell.text for cell in rows[number - 1])]) == number - 1
    heads = above[top] if top is not None else []
    heads += [""] * (len(rows[number - 1]) - len(heads))
    columns = _columns(heads)
    return [
        FileCell(
            f"{title}!{cell.column}{number}",
            f"{_HEADS} {cell.column}" if own else heads[at] or cell.column,
            cell.text,
            cell.column == column,
            book.fixed(title, cell, number),
            columns[at],
        )
        for at, cell in enumerate(rows[number - 1][:_MOST_CELLS])
        if cell.column
    ]


class _SheetCell(NamedTuple):
    """A cell of a sheet."""

    column: str  # its letter; empty where a merged cell covers it
    text: str  # what it shows
    fixed: str  # why it is not mended here, empty where it is
    epoch: datetime | None  # what days are counted from, where it shows a day; else None


class _Book(NamedTuple):
    """The cells of a workbook's sheets, row by row, and those that its formulas follow from, where it has any."""

    sheets: dict[str, list[list[_SheetCell]]]
    asked: _Asked | None

    def fixed(self, title: str, cell: _SheetCell, number: int) -> str:
        """Return why a cell is not mended here, empty where it is."""
        asked = self.asked is not None and self.asked.has(title, column_index_from_string(cell.column), number)
        return cell.fixed or (_ASKED if asked else "")


def _book(data: bytes) -> _Book:
    """Return the cells of a workbook; raise InputError for one that cannot be read, or takes too much."""
    found = _book_or_why_not(data)
    if isinstance(found, InputError):
        raise found
    return found


@lru_cache(maxsize=2)  # a page asks once for each problem and remark, and for the file as it came
def _book_or_why_not(data: bytes) -> _Book | InputError:
    try:
        return within(FileLimits(), "", _cells_of_book, data)
    except InputError as error:
        return error


@errors_of_openpyxl()
def _cells_of_book(data: bytes) -> _Book:
    has_formulas = checked(data)
    with ZipFile(io.BytesIO(data)) as archive:
        if len([*sheet_parts(archive)]) > _MOST_SHEETS:
            raise FileLimits().passed
    workbook = openpyxl.load_workbook(io.BytesIO(data))
    values = openpyxl.load_workbook(io.BytesIO(data), data_only=True) if has_formulas else workbook

    def seen(shown: Worksheet, cell: Any, headings: set[str]) -> _SheetCell:
        value = shown[cell.coordinate].value
        fixed = _FORMULA if cell.data_type == "f" else _HEADING if cell.coordinate in headings else ""
        column = getattr(cell, "column_letter", "")
        epoch = workbook.epoch if column and cell.is_date else None
        return _SheetCell(column, "" if value is None else str(value), fixed, epoch)

    sheets = {}
    for sheet, shown in zip(workbook.worksheets, values.worksheets, strict=True):
        # A table of Excel has its columns' names in another place, too.
        tops = [each.ref for each in sheet.tables.values() if each.headerRowCount != 0]
        headings = {cell.coordinate for ref in tops for cell in sheet[ref][0]}
        sheets[sheet.title] = [[seen(shown, cell, headings) for cell in row] for row in sheet.iter_rows()]
    return _Book(sheets, _Asked(workbook) if has_formulas else None)


_FORMULA = "a formula gives it: mend it in your spreadsheet program"
_ASKED = "formulas follow from it: mend it in your spreadsheet program"
_HEADING = "the heading of a table: mend it in your spreadsheet program"


class _Asked:
    """The cells that formulas follow from: what is computed from these is beside the formulas, and would be wrong."""

    def __init__(self, workbook: Workbook) -> None:
        self._ranges: set[tuple[str, int, int, int, int]] = set()
        self._every = False
        names = {each.casefold(): each for each in workbook.sheetnames}
        for sheet in workbook.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f" and not is_ours(str(cell.value)):
                        self._ask(getattr(cell.value, "text", cell.value), sheet.title, names)

    def _ask(self, formula: object, title: str, names: Mapping[str, str]) -> None:
        try:
            for token in Tokenizer(str(formula)).items:
                if token.type == "FUNC" and _ANYWHERE.match(token.value):
                    raise ValueError(token.value)
                if token.type != "OPERAND" or token.subtype != "RANGE":
                    continue
                where, _, cells = token.value.rpartition("!")
                where = where.removeprefix("'").removesuffix("'").replace("''", "'")
                left, top, right, bottom = range_boundaries(cells.replace("$", ""))
                sheet = names[where.casefold()] if where else title
                self._ranges.add((sheet, left or 1, top or 1, right or _LAST, bottom or _LAST))
        except (KeyError, TypeError, ValueError):  # the name of a range, or what a library of tables knows
            self._every = True

    def has(self, title: str, column: int, row: int) -> bool:
        return self._every or any(
            sheet == title and left <= column <= right and top <= row <= bottom
            for sheet, left, top, right, bottom in self._ranges
        )


_ANYWHERE = re.compile(r"(?:_xlfn\.)?(?:INDIRECT|OFFSET)\(", re.IGNORECASE)
_LAST = 2**20


def _mended_sheet(source: Source, cells: Mapping[str, str]) -> bytes:
    """Return a workbook with other cells: all else, such as charts, formulas and what they give, stays as it is."""
    book = _book(source.data)
    other: dict[str, dict[str, str | float | None]] = {}
    for title, rows in book.sheets.items():
        for number, row in enumerate(rows, 1):
            for cell in row:
                value = cells.get(f"{title}!{cell.column}{number}", cell.text)
                if value != cell.text and not book.fixed(title, cell, number):
                    other.setdefault(title, {})[f"{cell.column}{number}"] = _held(value, cell)
    out = io.BytesIO()
    with ZipFile(io.BytesIO(source.data)) as archive, ZipFile(out, "w") as again:
        parts = {part: other[title] for title, _, _, part in sheet_parts(archive) if title in other}
        for info in archive.infolist():
            data = archive.read(info)
            again.writestr(info, _with_cells(data, parts[info.filename]) if info.filename in parts else data)
    return out.getvalue()


def _held(text: str, cell: _SheetCell) -> str | float | None:
    """Return what a cell holds of a text that was typed: a day in a cell that shows days, and a number as such.

    Numbers are written as ``61.57`` or, as in most of Europe, ``61,57``. What may mean two numbers stays text, which
    the reader refuses, and so does a member number that begins with 0.
    """
    plain = text.strip()
    if cell.epoch:
        with suppress(ValueError):
            return float(to_excel(datetime.fromisoformat(plain), cell.epoch))  # type: ignore[no-untyped-call]
    if not re.match(r"0[0-9]", plain):
        with suppress(ValueError):
            return numbers.number(plain)
    return plain or None


def _with_cells(part: bytes, cells: Mapping[str, str | float | None]) -> bytes:
    root = etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    name = f"{{{etree.QName(root).namespace}}}"
    (rows,) = root.iterchildren(f"{name}sheetData")
    _say_where(rows, name)
    for where, value in cells.items():
        row = _at(rows, f"{name}row", str(coordinate_from_string(where)[1]))
        row.attrib.pop("spans", "")  # a mere hint, which may be wrong now
        cell = _at(row, f"{name}c", where)
        for each in list(cell):
            cell.remove(each)
        cell.attrib.pop("t", "")
        if isinstance(value, str):
            cell.set("t", "inlineStr")
            text = etree.SubElement(etree.SubElement(cell, f"{name}is"), f"{name}t")
            text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            text.text = cell_text(value)
        elif value is not None:
            etree.SubElement(cell, f"{name}v").text = repr(value).removesuffix(".0")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _say_where(rows: etree._Element, name: str) -> None:
    """Say of every row and cell where it is: programs may leave that out where it follows from the one before."""
    number = 0
    for row in rows.iterchildren(f"{name}row"):
        number = int(row.get("r") or number + 1)
        row.set("r", str(number))
        column = 0
        for cell in row.iterchildren(f"{name}c"):
            said = cell.get("r")
            column = column_index_from_string(coordinate_from_string(said)[0]) if said else column + 1
            cell.set("r", f"{get_column_letter(column)}{number}")


def _at(parent: etree._Element, tag: str, where: str) -> etree._Element:
    """Return the row or cell of a number or name, which is made where it is not there."""
    made = parent.makeelement(tag, {"r": where})
    for each in parent.iterchildren(tag):
        there = each.get("r") or ""
        if there == where:
            return each
        if _order(there) > _order(where):
            each.addprevious(made)
            return made
    parent.append(made)
    return made


def _order(where: str) -> int:
    return int(where) if where.isdigit() else column_index_from_string(where.rstrip("0123456789"))
