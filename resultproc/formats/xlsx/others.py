"""Workbooks of other kinds than ``.xlsx``: Excel 97-2003 (``.xls``), binary (``.xlsb``) and OpenDocument (``.ods``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from resultproc.formats.common.rows import Cell, Row
from resultproc.formats.xlsx import OLE
from resultproc.model.codes import PASSED_OVER, UNKNOWN
from resultproc.model.errors import FormatError, Problem

MAX_UNPACKED = 64 * 1024 * 1024
"""The content of no results workbook is larger."""

_SAVE_AGAIN = "save it again as .xlsx, or the list as CSV"


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
        found = {
            name: list(_rows(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)))
            for name in book.sheet_names
        }
    except Exception:  # the library raises kinds of its own for each format
        what = "this is no workbook that can be read, or it is damaged"
        raise FormatError(what, hint=_SAVE_AGAIN, code=UNKNOWN) from None
    what = "of this kind of workbook it is not seen which rows are hidden or struck out, and which numbers are percents"
    return found, [Problem(what, hint="look at what was read, or save it as .xlsx", code=PASSED_OVER)]


def _check_size(data: bytes) -> None:
    if data.startswith(OLE):
        return  # which is not packed
    try:
        with ZipFile(BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
    except BadZipFile:
        raise FormatError("the workbook is damaged or cut off", hint=_SAVE_AGAIN) from None
    if unpacked > MAX_UNPACKED:
        raise FormatError(
            f"the workbook would unpack to {unpacked // 1024**2} MB", hint="results files are far smaller"
        )


def _rows(title: str, rows: Sequence[Sequence[object]]) -> Iterator[Row]:
    """Yield the rows of a sheet that have any text."""
    from openpyxl.utils import get_column_letter

    last = 0
    for number, values in enumerate(rows, 1):
        cells = [
            Cell(text, f"sheet '{title}', cell {get_column_letter(column)}{number}") if text else Cell("", "")
            for column, text in enumerate(map(_text, values), 1)
        ]
        if any(cell.text for cell in cells):
            yield Row(cells, f"sheet '{title}', row {number}", after_gap=0 < last < number - 1)
            last = number


def _text(value: object) -> str:
    """Return what a cell holds as text: a date as 2012-04-18."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return repr(round(float(value), 10)).removesuffix(".0")
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        value = value.date()
    return value.isoformat() if isinstance(value, date) else str(value).strip()
