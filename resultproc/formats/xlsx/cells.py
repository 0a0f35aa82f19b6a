"""Cells and pages of workbooks, and the bytes of their files.

A percentage in the sheet ``Data`` is a formula of the score, so that whoever corrects that corrects both. The value
stands beside the formula, for programs that compute none. Other programs may leave it as it was, or leave it out, when
they change a score: so the reader computes our own formula itself.

Workbooks of other kinds than ``.xlsx`` are read as well: Excel 97-2003 (``.xls``), binary (``.xlsb``), OpenDocument.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import pandas as pd

from resultproc.formats.xlsx import MAX_UNPACKED, OLE
from resultproc.model.codes import PASSED_OVER, UNKNOWN
from resultproc.model.errors import FormatError, Problem
from resultproc.model.grid import Cell, Row
from resultproc.model.sections import maximum_of
from resultproc.model.values import number

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


CellValue = str | int | float

_UPRIGHT = 110
"""This many characters fit beside each other on an upright page, A4 or Letter, at nine tenths of their size."""

_LONG, _UPRIGHT_OF_LONG = 36, 136
"""A sheet of more rows than a page on its side holds is upright with more characters, at three quarters."""


def cell_place(title: str, row: int, column: int) -> str:
    """Return where a cell of a sheet is, its row counted from 1 and its column from 0: ``sheet 'A', cell B3``."""
    from openpyxl.utils import get_column_letter

    return f"sheet '{title}', cell {get_column_letter(column + 1)}{row}"


def text_of_value(value: object) -> str:
    """Return a value that is no number as text: a date as 2012-04-18, a truth as yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        value = value.date()
    return value.isoformat() if isinstance(value, date) else str(value)


def put(cell: Any, value: CellValue | date) -> Any:
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


_PAPER = (8.5, 11.0)
"""Letter, in inches; A4 is smaller by up to a twentieth, and a sheet is then printed that much smaller."""

_MARGINS = {"left": 0.4, "right": 0.4, "top": 0.4, "bottom": 0.5, "header": 0.2, "footer": 0.2}
_CHARACTER = 7.25 / 96
"""How wide a character of a column is, in inches: a digit of :data:`_DIGIT_FONT`."""

_DIGIT_FONT = "Verdana", 8.5
"""Programs count the widths of columns in digits of this font, which are as wide as ours in 11 points. Where it is not
there they take DejaVu Sans, whose digits are the same: so columns are as wide wherever a sheet is printed."""

_SPREAD = 1.1
"""How much more room columns take at most where paper has it: letters are wider where our font is not there either."""


TEXT_POINTS, LINE = 11.0, 15.0
"""The size of letters, and the height of a line of them, in points."""

_LARGEST_LETTERS = 24.0
"""Letters on the wall are no larger."""

FONT = "Calibri"
"""Where none is named, programs take one of theirs, of another width; where this is not there, one like it."""


A_SHEET = 1.001
"""The enlargement that leaves a sheet as large as it was, and still fills a sheet of paper."""


def points_for(wide: float, lines: float) -> float:
    """Return the size of letters that makes a sheet as large as the paper, upright or on its side: 11 at least.

    wide: in characters of that size.
    """
    larger = enlargement(wide, lines * LINE)
    return math.floor(2 * min(max(larger * TEXT_POINTS, TEXT_POINTS), _LARGEST_LETTERS)) / 2


def count_in_digits(workbook: Workbook) -> None:
    """Have a workbook's columns print as wide on every machine, whichever fonts it has; see :data:`_DIGIT_FONT`."""
    from openpyxl.styles import Font

    normal = workbook._named_styles["Normal"]  # type: ignore[attr-defined]  # there is no other way to it
    normal.font = Font(*_DIGIT_FONT)
    normal.bind(workbook)


def enlargement(wide: float, high: float) -> float:
    """Return by how much a sheet can be larger on a sheet of paper, upright or on its side, whichever is more.

    wide: in characters. high: in points.
    """
    found = []
    for across, down in (_PAPER, _PAPER[::-1]):
        room = across - _MARGINS["left"] - _MARGINS["right"], down - _MARGINS["top"] - _MARGINS["bottom"]
        found.append(min(room[0] / (wide * _CHARACTER), room[1] * 72 / high))
    return max(found)


def lay_out(sheet: Worksheet, top: int, names: int = 1, header: int = 1, larger: float = 1) -> None:
    """Set up a sheet to be looked at and printed: a page wide, its header on every page and always in sight.

    top: the last row of the header, which counts with all above it as in sight.
    names: how many columns stay in sight, too.
    header: how many rows, down to ``top``, are repeated on every printed page.
    larger: by how much it has been made larger to fill a sheet of paper, which it does then; on a screen it is shown as
        large as others.

    A sheet that fits on an upright page is printed on one, any other on its side.
    """
    from openpyxl.worksheet.page import PageMargins
    from openpyxl.worksheet.properties import PageSetupProperties

    wide = sum(column.width for column in sheet.column_dimensions.values()) / larger
    sheet.freeze_panes = sheet.cell(top + 1, names + 1).coordinate
    sheet.print_title_rows = f"{top - header + 1}:{top}"
    upright = wide <= (_UPRIGHT_OF_LONG if sheet.max_row > _LONG else _UPRIGHT)
    if larger > 1:
        across = [side - _MARGINS["left"] - _MARGINS["right"] for side in _PAPER]
        upright = larger * wide * _CHARACTER <= across[0]
        spread = across[not upright] / (larger * wide * _CHARACTER)
        for column in sheet.column_dimensions.values():
            column.width *= min(max(spread, 1), _SPREAD)
    sheet.page_setup.orientation = "portrait" if upright else "landscape"
    sheet.page_setup.fitToHeight = int(larger > 1)
    sheet.page_margins = PageMargins(**_MARGINS)
    sheet.sheet_view.zoomScale = round(100 / larger)
    footer = sheet.oddFooter
    assert footer is not None
    footer.right.text = "&A, page &P of &N"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def set_widths(sheet: Worksheet, widths: Sequence[float]) -> None:
    """Set the widths of the first columns, in characters."""
    from openpyxl.utils import get_column_letter

    for at, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(at)].width = width


def saved(workbook: Workbook, formulas: Mapping[int, Mapping[str, str]] | None = None) -> bytes:
    """Return a workbook as the bytes of its file, the same for the same content: without the time of saving.

    formulas: what computes the numbers of some cells, by the sheet's number from 1 and the cell. The numbers stay
    beside them: the library writes either the one or the other.
    """
    file = BytesIO()
    workbook.save(file)
    again = BytesIO()
    with ZipFile(file) as parts, ZipFile(again, "w", ZIP_DEFLATED) as archive:
        for part in parts.infolist():
            content = parts.read(part)
            if part.filename == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:(created|modified)[^>]*>)[^<]*", rb"\g<1>1980-01-01T00:00:00Z", content)
            for number, of_sheet in (formulas or {}).items():
                if of_sheet and part.filename == f"xl/worksheets/sheet{number}.xml":
                    content = _with_formulas(content, of_sheet)
            archive.writestr(ZipInfo(part.filename), content, ZIP_DEFLATED)
    return again.getvalue()


def _with_formulas(content: bytes, formulas: Mapping[str, str]) -> bytes:
    """Return the part of a sheet with formulas before the numbers of their cells."""

    def with_formula(found: re.Match[bytes]) -> bytes:
        formula = formulas.get(found[1].decode())
        return found[0] if formula is None else found[0] + f"<f>{formula.removeprefix('=')}</f>".encode()

    return re.sub(rb'<c r="([A-Z]+[0-9]+)"[^>]*>(?=<v>)', with_formula, content)


_FORMULA = re.compile(r"=ROUND\(100\*([A-Z]{1,3})[0-9]+/([0-9]{1,9}(?:\.[0-9]{1,9})?),([0-9])\)")


def formula(score: str, maximum: str, decimals: int) -> str:
    """Return the formula of a percentage: ``=ROUND(100*G4/216,2)``.

    score: the cell that has it, such as G4.
    maximum: what is 100%, as a number or a cell.
    decimals: how many the percentage has.
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
        found = {
            name: list(_rows(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)))
            for name in book.sheet_names
        }
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
    except BadZipFile:
        raise FormatError("the workbook is damaged or cut off", hint=_SAVE_AGAIN) from None
    if unpacked > MAX_UNPACKED:
        raise FormatError(
            f"the workbook would unpack to {unpacked // 1024**2} MB", hint="results files are far smaller"
        )


def _rows(title: str, rows: Sequence[Sequence[object]]) -> Iterator[Row]:
    """Yield the rows of a sheet that have any text."""
    last = 0
    for at, values in enumerate(rows, 1):
        cells = [
            Cell(text, cell_place(title, at, column)) if text else Cell("", "")
            for column, text in enumerate(map(_text, values))
        ]
        if any(cell.text for cell in cells):
            yield Row(cells, f"sheet '{title}', row {at}", after_gap=0 < last < at - 1)
            last = at


def _text(value: object) -> str:
    """Return what a cell holds as text: a date as 2012-04-18."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(round(float(value), 10)).removesuffix(".0")
    return text_of_value(value).strip()
