"""Workbooks of other kinds than ``.xlsx``: Excel 97-2003 (``.xls``), binary (``.xlsb``) and OpenDocument (``.ods``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from resultproc.formats.common.rows import Cell, Row
from resultproc.formats.xlsx import MAX_UNPACKED, OLE
from resultproc.formats.xlsx.cells import cell_place, text_of_value
from resultproc.model.codes import PASSED_OVER, UNKNOWN
from resultproc.model.errors import FormatError, Problem

_SAVE_AGAIN = "save it again as .xlsx, or the list as CSV"

WRITTEN = "a document of a word processor"
SAVE_WRITTEN = "save it as a web page or as plain text"
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
        found = {
            name: list(_rows(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)))
            for name in book.sheet_names
        }
    except Exception:  # the library raises kinds of its own for each format
        if "WordDocument".encode("utf-16-le") in data:
            raise FormatError(f"this is {WRITTEN} (.doc)", hint=SAVE_WRITTEN, code=UNKNOWN) from None
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
    last = 0
    for number, values in enumerate(rows, 1):
        cells = [
            Cell(text, cell_place(title, number, column)) if text else Cell("", "")
            for column, text in enumerate(map(_text, values))
        ]
        if any(cell.text for cell in cells):
            yield Row(cells, f"sheet '{title}', row {number}", after_gap=0 < last < number - 1)
            last = number


def _text(value: object) -> str:
    """Return what a cell holds as text: a date as 2012-04-18."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(round(float(value), 10)).removesuffix(".0")
    return text_of_value(value).strip()
