"""Cells of workbooks as they are read, and the formulas of percentages.

A percentage in the sheet ``Data`` is a formula of the score, so that whoever corrects that corrects both. The value
stands beside the formula, for programs that compute none. Other programs may leave it as it was, or leave it out, when
they change a score: so the reader computes our own formula itself.

Workbooks of other kinds than ``.xlsx`` are read as well: Excel 97-2003 (``.xls``), binary (``.xlsb``), OpenDocument.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from io import BytesIO
from zipfile import BadZipFile, ZipFile

import numpy as np
import pandas as pd

from resultproc.formats.xlsx import MAX_UNPACKED, OLE
from resultproc.model.codes import PASSED_OVER, UNKNOWN
from resultproc.model.errors import FormatError, Problem
from resultproc.model.grid import Cell, Row
from resultproc.model.numbers import number
from resultproc.model.sections import maximum_of
from resultproc.model.text import cell_text


def cell_place(title: str, row: int, column: int) -> str:
    """Return where a cell of a sheet is, its row counted from 1 and its column from 0: ``sheet 'A', cell B3``."""
    from openpyxl.utils import get_column_letter

    return f"sheet '{title}', cell {get_column_letter(column + 1)}{row}"


def number_or_text(text: str) -> str | int:
    """Return what a cell shows for a text: one that is a whole number, such as that of a pair, as a number."""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,8}", text) else cell_text(text)


def text_of_value(value: object) -> str:
    """Return a value that is no number as text: a date as 2012-04-18, a truth as yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        value = value.date()
    return value.isoformat() if isinstance(value, date) else str(value)


_FORMULA = re.compile(r"=ROUND\(100\*([A-Z]{1,3})[0-9]+/([0-9]{1,9}(?:\.[0-9]{1,9})?),([0-9])\)")


def formula(score: str, maximum: str, decimals: int) -> str:
    """Return the formula of a percentage: ``=ROUND(100*G4/216,2)``.

    score: the cell that has it, such as G4.
    maximum: what is 100%, as a number or a cell.
    """
    return f"=ROUND(100*{score}/{maximum},{decimals})"


def is_ours(formula: str) -> bool:
    """Say whether a formula is one that this program writes: what it gives is computed again when it is read."""
    return _FORMULA.fullmatch(formula) is not None


def computed(text: str, cells: Sequence[Cell]) -> str | None:
    """Return what our own formula gives in a row of cells; None for another formula, or a score that is no number."""
    from openpyxl.utils import column_index_from_string

    found = _FORMULA.fullmatch(text)
    at = column_index_from_string(found[1]) - 1 if found else -1
    if found is None or at >= len(cells):
        return None
    try:
        return f"{_percentage(repr(number(cells[at].text)), found[2], int(found[3])):f}"
    except (InvalidOperation, ValueError):
        return None


def _percentage(score: str, maximum: str, decimals: int) -> Decimal:
    return (100 * Decimal(score) / Decimal(maximum)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def maximums(rows: pd.DataFrame) -> list[tuple[str, int] | None]:
    """Return the maximum of each contestant's score and the decimals of its percentage, where the former gives this.

    None where it has not both, or most of its section share no maximum.
    """
    if "score" not in rows or "percentage" not in rows:
        return [None] * len(rows)
    score, percentage = (rows[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in ("score", "percentage"))
    group = rows.groupby([name for name in ("game_id", "section") if name in rows]).ngroup()
    section = np.asarray(group, dtype=np.int64)
    usual = maximum_of(section, score, percentage).usual
    return [_maximum(*each) for each in zip(score.tolist(), percentage.tolist(), usual.tolist(), strict=True)]


def _maximum(score: float, percentage: float, usual: float) -> tuple[str, int] | None:
    if not (score >= 0 and percentage >= 0 and usual > 0):
        return None
    said = Decimal(repr(percentage))
    decimals = max(2, -int(said.as_tuple().exponent))
    own = [100 * score / percentage] if percentage else []  # of who sat out, or played fewer boards
    for maximum, digits in ((maximum, digits) for maximum in (usual, *own) for digits in range(4)):
        text = f"{maximum:.{digits}f}"
        if decimals < 10 and Decimal(text) and _percentage(repr(score), text, decimals) == said:
            return text, decimals
    return None


MOST_CELLS_OF_SHEET = 500_000
"""More than a year of any club has."""

_SAVE_AGAIN = "save it again as .xlsx, or the list as CSV"

WORD_DOCUMENT = "a document of a word processor"
SAVE_WORD_DOCUMENT = "save it as a web page or as plain text"
"""What such a file is, and what to do with one."""


def is_other(data: bytes) -> bool:
    """Say whether this is a workbook of another kind."""
    return data.startswith(OLE) or b"opendocument.spreadsheet" in data[:200] or b"xl/workbook.bin" in data[-65536:]


def sheets_of_other(data: bytes) -> tuple[dict[str, list[Row]], list[Problem]]:
    """Return the rows of every sheet that have any text, by the sheet's name, and what cannot be seen of them.

    Raises FormatError for what is no sound workbook.
    """
    from python_calamine import CalamineWorkbook

    if "EncryptedPackage".encode("utf-16-le") in data:
        raise FormatError("the workbook is locked with a password", hint="save it without a password")
    _check_size(data)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        found = {}
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name)
            _refuse_vast(name, sheet.total_height * sheet.total_width)
            found[name] = list(_rows(name, sheet.to_python(skip_empty_area=False)))
    except (FormatError, MemoryError):
        raise
    except Exception:  # the library raises kinds of its own for each format
        if "WordDocument".encode("utf-16-le") in data:
            raise FormatError(f"this is {WORD_DOCUMENT} (.doc)", hint=SAVE_WORD_DOCUMENT, code=UNKNOWN) from None
        what = "this is not a workbook that can be read, or it is damaged"
        raise FormatError(what, hint=_SAVE_AGAIN, code=UNKNOWN) from None
    what = "of this kind of workbook it is not seen which rows are hidden or struck out, and which numbers are percents"
    return found, [Problem(what, hint="look at what was read, or save it as .xlsx", code=PASSED_OVER)]


def _check_size(data: bytes) -> None:
    if data.startswith(OLE):
        return  # which is not packed
    try:
        with ZipFile(BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            if unpacked > MAX_UNPACKED:
                what = f"the workbook would unpack to {unpacked // 1024**2} MB"
                raise FormatError(what, hint="results files are far smaller")
            if "content.xml" in archive.namelist():
                _check_repeats(archive.read("content.xml").decode("utf-8", "replace"))
    except (BadZipFile, zlib.error, EOFError):
        raise FormatError("the workbook is damaged or cut off", hint=_SAVE_AGAIN) from None


_PART = re.compile(r"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*)>|</table:table-row>")
_REPEATED = re.compile(r'number-(?:rows|columns)-repeated="([0-9]{1,9})"')


def _check_repeats(content: str) -> None:
    """Raise FormatError where rows and cells of an OpenDocument say that they stand for very many, empty ones apart.

    What reads them makes all of them at once. At the end of a sheet there are always many empty ones.
    """
    name, rows, empty, widest, column, width, times = "", 0, 0, 0, 0, 0, 1
    for found in _PART.finditer(content):
        kind, attributes = found[1], found[2] or ""
        repeated = _REPEATED.search(attributes)
        count = int(repeated[1]) if repeated else 1
        if kind == "table":
            called = re.search('table:name="([^"]*)"', attributes)
            name, rows, empty, widest = called[1] if called else "", 0, 0, 0
        elif kind == "table-row":
            column, width, times = 0, 0, count
            empty += count if attributes.endswith("/") else 0
        elif kind:
            column += count
            width = width if attributes.endswith("/") and "office:value" not in attributes else column
        elif width:
            rows, empty, widest = rows + empty + times, 0, max(widest, width)
            _refuse_vast(name, rows * widest)
        else:
            empty += times


def _refuse_vast(name: str, cells: int) -> None:
    """Raise FormatError for a sheet of more cells than any list has."""
    if cells > MOST_CELLS_OF_SHEET:
        what = f"the sheet '{name}' would have {cells} cells"
        raise FormatError(what, hint="delete what is beside and below the list, and save it again")


def _rows(title: str, rows: Sequence[Sequence[object]]) -> Iterator[Row]:
    """Yield the rows of a sheet that have any text."""
    last = 0
    for at, values in enumerate(rows, 1):
        cells = []
        for column, value in enumerate(values):
            if isinstance(value, int | float) and not isinstance(value, bool):
                text = repr(round(float(value), 10)).removesuffix(".0")
            else:
                text = text_of_value(value).strip()
            cells.append(Cell(text, cell_place(title, at, column)) if text else Cell("", ""))
        if any(cell.text for cell in cells):
            yield Row(cells, f"sheet '{title}', row {at}", after_gap=0 < last < at - 1)
            last = at
