"""How a workbook looks, besides the values of its cells: what could hide one, cover it, or show it as another.

What is listed is what people and programs do to sheets: the kind, order and visibility of sheets, hidden rows and
columns, merged cells, number formats, colours, drawings and what else stands in parts of its own. A seal does not rest
on this list, but on the digest of all parts: it says what is another where that is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from resultproc.formats.common.sealed import Shown
from resultproc.formats.xlsx.parts import sheet_parts, workbook_part
from resultproc.model.errors import FormatError

_ORDINARY = re.compile(
    r"\[Content_Types\]\.xml|(xl/(worksheets/)?)?_rels/[^/]*\.rels|docProps/(app|core|custom)\.xml"
    r"|xl/(workbook|styles|sharedStrings|calcChain|metadata|worksheets/[^/]*|theme/[^/]*)\.xml|xl/printerSettings/.*",
)
"""The parts that any program writes of a workbook that has cells alone."""

_DEFAULT_COLOURS = (None, "", "000000")
_SMALLEST = 6
"""Texts of fewer points are told, and rows and columns of fewer than these points and characters."""
_LOWEST, _NARROWEST = 4, 1

_BESIDE = {
    "mergeCell": ("merged cells", "ref"),
    "conditionalFormatting": ("a format under a condition", "sqref"),
    "dataValidation": ("a hint at cells", "sqref"),
    "hyperlink": ("a link", "ref"),
    "picture": ("a picture behind it", ""),
    "AlternateContent": ("what programs choose from", ""),
    "sparklineGroup": ("pictures in cells", ""),
}
"""What of a sheet beside its cells is told by its element: what it is called, and the attribute that says where."""

_VIEW = {"showZeros": "0", "showFormulas": "1", "rightToLeft": "1"}
"""How a sheet is usually not looked at."""


def looks_of(data: bytes) -> list[Shown]:
    """Return how a workbook looks, whose values have been read; raise FormatError where that cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the library leaves out
            return [*_of_parts(data), *_of_cells(data)]
    except Exception:  # the library raises all sorts for styles that do not follow the standard
        what = "what this workbook looks like cannot be read: it does not follow the standard"
        raise FormatError(what, hint="save it again as an Excel workbook (.xlsx)") from None


def _of_parts(data: bytes) -> list[Shown]:
    with ZipFile(BytesIO(data)) as archive:
        sheets = list(sheet_parts(archive))
        found = [Shown(f"sheet '{title}'", _kind(kind, state)) for title, kind, state, _ in sheets]
        for title, kind, _, part in sheets:
            if kind == "worksheet":
                found += _beside(title, archive.read(part))
        found += _names(archive)
        found += [_part(archive, name) for name in sorted(archive.namelist()) if not _ORDINARY.fullmatch(name)]
    return found


def _kind(kind: str, state: str) -> str:
    return " ".join(filter(None, ["" if state == "visible" else "hidden", kind.replace("sheet", " sheet")]))


def _names(archive: ZipFile) -> list[Shown]:
    """Return what names are defined for, in an order that is the same whichever program has saved them."""
    book = ElementTree.fromstring(archive.read(workbook_part(archive)))  # noqa: S314 - the reader refuses document types
    found = [
        (f"the name {each.get('name')} of sheet {each.get('localSheetId', '-')}", (each.text or "").replace("'", ""))
        for each in book.iterfind(".//{*}definedName")
    ]
    return [Shown(what, text) for what, text in sorted(found)]


def _part(archive: ZipFile, name: str) -> Shown:
    """Return a part that a workbook of cells alone has not, with the texts in it."""
    try:
        root = ElementTree.fromstring(archive.read(name))  # noqa: S314
    except ElementTree.ParseError:
        return Shown("a part of its own", name)
    texts = [each.text for each in root.iter() if each.tag.endswith("}t") and each.text]
    return Shown(f"a part of its own, {name}", " ".join(texts) or root.tag.rpartition("}")[2])


def _beside(title: str, part: bytes) -> Iterator[Shown]:
    """Yield what of a sheet stands beside its cells, and which rows and columns are not to be seen."""
    for _, each in ElementTree.iterparse(BytesIO(part)):  # noqa: S314
        tag = each.tag.rpartition("}")[2]
        if tag in _BESIDE:
            what, place = _BESIDE[tag]
            yield Shown(f"sheet '{title}', {what}", each.get(place, "") or tag)
        elif tag in ("row", "col") and _is_out_of_sight(each):
            name, first = ("row", each.get("r")) if tag == "row" else ("column", each.get("min"))
            yield Shown(f"sheet '{title}', {name} {first}", "hidden")
        elif tag == "sheetFormatPr" and _is_true(each.get("zeroHeight")):
            yield Shown(f"sheet '{title}', all other rows", "hidden")
        elif tag == "sheetView":
            yield from (Shown(f"sheet '{title}', {name}", value) for name, value in _unusual(each.attrib))
        elif tag in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter") and each.text:
            yield Shown(f"sheet '{title}', its {tag[-6:].lower()} in print", each.text)
        if tag == "row":
            each.clear()


def _unusual(view: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in _VIEW.items():
        if name in view and _is_true(view[name]) == _is_true(value):
            yield name, view[name]


def _is_true(value: str | None) -> bool:
    return value in ("1", "true")


def _is_out_of_sight(element: Any) -> bool:
    least, size = (_LOWEST, element.get("ht")) if element.tag.endswith("row") else (_NARROWEST, element.get("width"))
    return _is_true(element.get("hidden")) or (size is not None and float(size) < least)


def _of_cells(data: bytes) -> Iterator[Shown]:
    """Yield the looks of each cell that has a value, but the usual ones."""
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    place = f"sheet '{sheet.title}', cell {cell.coordinate}"
                    yield from (Shown(f"{place}, {what}", text) for what, text in _of_cell(cell) if text)


def _of_cell(cell: Any) -> Iterator[tuple[str, str]]:
    yield "as its number format shows it", _as_shown(cell.value, cell.number_format)
    font, fill = cell.font, cell.fill
    yield "the colour of its text", _colour(font.color)
    yield "the colour behind it", _colour(fill.fgColor) if fill.fill_type == "solid" else fill.fill_type or ""
    yield "the size of its text", f"{font.sz:g}" if font.sz is not None and font.sz < _SMALLEST else ""
    yield "its text", "struck out" if font.strike else ""


def _as_shown(value: object, form: str) -> str:
    """Return a value as its number format shows it, '' as it is; the format itself where it is an unusual one."""
    plain = form.replace("\\", "")
    if plain == "General" or (plain == "@" and isinstance(value, str)):
        return ""
    if isinstance(value, int | float) and re.fullmatch(r"0(\.0{1,9})?", plain):
        # A format such as 0.00 is itself a number of so many decimals.
        return str(Decimal(repr(value)).quantize(Decimal(plain), ROUND_HALF_UP))
    return f"{value} as {plain}"


def _colour(colour: Any) -> str:
    """Return a colour; '' for the usual one of text, whichever way it is written."""
    if colour is None or colour.type == "auto" or (colour.type == "theme" and colour.theme == 1 and not colour.tint):
        return ""
    if colour.type == "indexed":
        return "" if colour.indexed in (8, 64) else f"number {colour.indexed}"
    if colour.type == "theme":
        return f"{colour.theme} of the theme"
    return "" if colour.rgb[-6:] in _DEFAULT_COLOURS else str(colour.rgb[-6:])
