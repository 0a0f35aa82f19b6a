"""Cells of a file that are mended where they stand: in a row of a CSV, a line of a text, or a sheet of a workbook."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile

from resultproc.formats.csv.reader import delimiter_of, header_of, sep_of
from resultproc.formats.registry import decode
from resultproc.formats.source import Source
from resultproc.model import values as cell_values

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_LINE = re.compile(r"line (\d+)(?:, column (\d+))?")
_CELL = re.compile(r"sheet '(.+)', (?:cell ([A-Z]+)(\d+)|row (\d+))")
_TEXTS = (".csv", ".tsv", ".txt", ".prn", ".lst")
_WORKBOOKS = (".xlsx", ".xlsm")
_MOST_CELLS = 200
_HEAD = 200
"""The header of a list is among so many lines."""


class FileCell(NamedTuple):
    """A cell to mend: where it is, the heading above it if that is known, what it holds, and whether it is at fault."""

    at: str
    heading: str
    text: str
    wrong: bool


def cells_at(source: Source, where: str) -> list[FileCell]:
    """Return the cells of the row that a place such as ``line 7, column 3`` is in; none where it is not mended here."""
    suffix = source.suffix.lower()
    if suffix in _TEXTS and (found := _LINE.match(where)):
        return _of_line(source, int(found[1]), int(found[2] or 0))
    if suffix in _WORKBOOKS and (found := _CELL.match(where)):
        return _of_sheet(source, found[1], int(found[3] or found[4]), found[2] or "")
    return []


def row_at(where: str) -> str:
    """Return the row that a cell is in, as the rows of contestants are called; other places stay as they are."""
    if found := _LINE.match(where):
        return f"line {found[1]}"
    if found := _CELL.match(where):
        return f"sheet '{found[1]}', row {found[3] or found[4]}"
    return where


def mended(source: Source, cells: Mapping[str, str]) -> bytes:
    """Return the content of a file with other cells; what is at no place of the file is left out."""
    if source.suffix.lower() in _WORKBOOKS:
        return _mended_sheet(source, cells)
    text = decode(source.data)
    lines = text.split("\n")
    delimiter, _ = _table(lines)
    for number, line in enumerate(lines, 1):
        if f"{number}" in cells:
            # The blanks in a line are what its columns are aligned by.
            lines[number - 1] = re.sub(r"[\r\n]+", " ", cells[f"{number}"])
            continue
        own = {at: value for at, value in cells.items() if at.startswith(f"{number}:")}
        if own and delimiter:
            row = next(csv.reader([line], delimiter=delimiter), [])
            row = [_one_line(own.get(f"{number}:{at}", cell)) for at, cell in enumerate(row, 1)]
            lines[number - 1] = _row(row, delimiter)
    return "\n".join(lines).encode()


def is_told_at(source: Source, where: str) -> bool:
    """Return whether a key that a file declares at a place can be changed there."""
    return bool(_LINE.fullmatch(where) if source.suffix.lower() in _TEXTS else cells_at(source, where))


def told_anew(source: Source, values: Mapping[str, str]) -> bytes:
    """Return the content of a file that declares other values. values: by the places where the old ones are."""
    if source.suffix.lower() in _WORKBOOKS:
        found = {where: _CELL.match(where) for where in values}
        cells = {f"{at[1]}!{at[2]}{at[3]}": values[where] for where, at in found.items() if at and at[2]}
        return _mended_sheet(source, cells)
    lines = decode(source.data).split("\n")
    for where, value in values.items():
        if found_line := _LINE.match(where):
            number = int(found_line[1])
            lines[number - 1] = _with_value(lines[number - 1], value)
    return "\n".join(lines).encode()


def _with_value(line: str, value: str) -> str:
    """Return a line such as ``# rating: stac`` with another value; Excel puts one with a comma between quotes."""
    quoted = line.startswith('"')
    text = next(csv.reader([line])) if quoted else [line]
    text[0] = re.sub(r"^([^:=]*[:=]\s*).*$", lambda found: found[1] + _one_line(value), text[0])
    return _row(text, ",") if quoted else text[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _row(cells: list[str], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(cells)
    return out.getvalue()


def _table(lines: list[str]) -> tuple[str, int]:
    """Return what parts the cells of a text's rows, and the number of its header, from 1; nothing where it has none."""
    lines = lines[:_HEAD]
    sep = sep_of(lines)  # which empties its line
    top = header_of(lines, sep)
    return ("", 0) if top is None else (sep or delimiter_of(lines[top]), top + 1)


def _of_line(source: Source, number: int, column: int) -> list[FileCell]:
    lines = decode(source.data).split("\n")
    if not 0 < number <= len(lines):
        return []
    line = lines[number - 1]
    delimiter, top = _table(lines)
    within_quotes = line.count('"') % 2  # a cell goes on in another line
    if not delimiter or number <= top or delimiter not in line or within_quotes:
        return [FileCell(f"{number}", f"line {number}", line, True)]
    header = next(csv.reader([lines[top - 1]], delimiter=delimiter), [])
    row = next(csv.reader([line], delimiter=delimiter), [])
    return [
        FileCell(f"{number}:{at}", header[at - 1] if at <= len(header) else f"column {at}", cell, at == column)
        for at, cell in enumerate(row[:_MOST_CELLS], 1)
    ]


def _of_sheet(source: Source, title: str, number: int, column: str) -> list[FileCell]:
    rows = _sheets(source.data).get(title, [])
    if not 0 < number <= len(rows):
        return []
    first = [cell.text for cell in rows[0]]
    return [
        FileCell(
            f"{title}!{cell.column}{number}",
            (first[at] if at < len(first) and number > 1 else "") or cell.column,
            cell.text,
            cell.column == column,
        )
        for at, cell in enumerate(rows[number - 1][:_MOST_CELLS])
        if cell.column
    ]


class _SheetCell(NamedTuple):
    """A cell of a sheet. column: its letter; empty where a merged cell covers it."""

    column: str
    text: str


@lru_cache(maxsize=1)  # a page asks once for each problem and remark
def _sheets(data: bytes) -> dict[str, list[list[_SheetCell]]]:
    """Return the cells of a workbook's sheets, row by row; none of a workbook that is not mended here."""
    import openpyxl

    if _has_more_than_cells(data):
        return {}
    workbook = openpyxl.load_workbook(io.BytesIO(data))
    if _computes(workbook):
        return {}
    return {
        sheet.title: [
            [
                _SheetCell(getattr(cell, "column_letter", ""), "" if cell.value is None else str(cell.value))
                for cell in row
            ]
            for row in sheet.iter_rows()
        ]
        for sheet in workbook.worksheets
    }


_MORE = re.compile(
    r"xl/(?:charts|chartsheets|ctrlProps|diagrams|drawings/[^/]+\.xml|embeddings|externalLinks|media|pivot|vba)"
)
"""What openpyxl does not write as it read it, by the names of a workbook's parts."""


def _has_more_than_cells(data: bytes) -> bool:
    """Return whether a workbook has charts, pictures, macros and the like: to save it here would lose them."""
    with ZipFile(io.BytesIO(data)) as archive:
        return any(map(_MORE.match, archive.namelist()))


def _computes(workbook: Workbook) -> bool:
    """Return whether a workbook has formulas: to save it here would lose what they come to.

    Those of this program's own sheet Data are none: the reader computes them itself.
    """
    sheets = [sheet for sheet in workbook.worksheets if sheet.title != "Data"]
    return any(cell.data_type == "f" for sheet in sheets for row in sheet.iter_rows() for cell in row)


def _mended_sheet(source: Source, cells: Mapping[str, str]) -> bytes:
    import openpyxl

    workbook = openpyxl.load_workbook(io.BytesIO(source.data))
    for at, value in cells.items():
        title, _, place = at.rpartition("!")
        if title not in workbook.sheetnames or not re.fullmatch(r"[A-Z]{1,3}[0-9]{1,7}", place):
            continue
        cell = workbook[title][place]
        if value != ("" if cell.value is None else str(cell.value)):
            cell.value = _number_of(value)
            if isinstance(cell.value, str):
                cell.data_type = "s"  # also what begins with =
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def _number_of(text: str) -> str | float | None:
    """Return a number that was typed as such: ``61.57`` or, as in most of Europe, ``61,57``; else the text.

    What may mean two numbers stays text, which the reader refuses, and so does a member number that begins with 0.
    """
    plain = text.strip()
    if not plain or re.match(r"0[0-9]", plain):
        return plain or None
    try:
        return cell_values.number(plain)
    except ValueError:
        return plain
