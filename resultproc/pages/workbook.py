"""Pages of workbooks: cells, columns, paper and print, and the bytes of their files."""

from __future__ import annotations

import errno
import math
import os
import re
from collections.abc import Mapping, Sequence
from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from resultproc.model.codes import code_of_writing
from resultproc.model.errors import OutputError
from resultproc.model.language import unmarked

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


CellValue = str | int | float

_UPRIGHT = 110
"""This many characters fit beside each other on an upright page, A4 or Letter, at nine tenths of their size."""

_LONG, _UPRIGHT_OF_LONG = 36, 136
"""A sheet of more rows than a page on its side holds is upright with more characters, at three quarters."""


def put(cell: Any, value: CellValue | date) -> Any:
    """Write a value into a cell: text as text, whatever it looks like, and numbers that are not whole with decimals."""
    if not isinstance(value, str):
        cell.value = value
        if isinstance(value, float):
            cell.number_format = "0.00"
        return cell
    value = unmarked(value)
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
    larger = []
    for across, down in (_PAPER, _PAPER[::-1]):
        room = across - _MARGINS["left"] - _MARGINS["right"], down - _MARGINS["top"] - _MARGINS["bottom"]
        larger.append(min(room[0] / (wide * _CHARACTER), room[1] * 72 / (lines * LINE)))
    return math.floor(2 * min(max(max(larger) * TEXT_POINTS, TEXT_POINTS), _LARGEST_LETTERS)) / 2


def count_in_digits(workbook: Workbook) -> None:
    """Have a workbook's columns print as wide on every machine, whichever fonts it has; see :data:`_DIGIT_FONT`."""
    from openpyxl.styles import Font

    normal = workbook._named_styles["Normal"]  # type: ignore[attr-defined]  # there is no other way to it
    normal.font = Font(*_DIGIT_FONT)
    normal.bind(workbook)


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

    wide = math.fsum(column.width for column in sheet.column_dimensions.values()) / larger
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
    beside them: the library writes either the one or the other. Raises OutputError where there is no room for it.
    """
    from lxml.etree import SerialisationError

    file = BytesIO()
    try:
        workbook.save(file)
    except SerialisationError as error:  # of the files that it makes on the way, in words of its own: IO_ENOSPC
        number = getattr(errno, str(error).removeprefix("IO_"), errno.EIO)
        what, hint = f"it cannot be written: {os.strerror(number)}", "let TMPDIR name a folder with more room"
        raise OutputError(what, hint=hint, code=code_of_writing(OSError(number, what))) from None
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
