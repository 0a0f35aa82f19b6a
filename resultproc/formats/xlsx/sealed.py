"""The seal of a workbook, in a hidden sheet of its own; what the others show, cell by cell; and how they look.

A look is what could hide a cell, cover it, or show it as another. What is listed is what people and programs do to
sheets: the kind, order and visibility of sheets, hidden rows and columns, merged cells, number formats, colours,
drawings and what else stands in parts of its own. A seal does not rest on this list, but on the digest of all parts: it
says what is another where that is.

On bad input: as for :mod:`resultproc.formats.xlsx.reader`; FormatError for a seal that is no JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from zipfile import ZipFile

from resultproc.formats.registry import SNIFFED, Sealed, Shown
from resultproc.formats.xlsx import OLE, sniff
from resultproc.formats.xlsx.parts import SEAL, has_plain_parts, sheet_parts, workbook_part
from resultproc.formats.xlsx.reader import cell_of, rows_by_sheet
from resultproc.model.errors import FormatError
from resultproc.model.grid import Cell, Row
from resultproc.model.json import loaded
from resultproc.pages.workbook import put

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


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
"""What an element beside the cells of a sheet tells: what it is called, and the attribute that says where."""

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
        # A format such as 0.00 is itself a number, of as many decimals.
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


_ABOUT = "The seal of this workbook: resultproc verify FILE compares with it. It is no signature."
_PIECE = 30_000
"""This many characters of the seal are in each cell; Excel has room for 32,767."""


def write_seal(sheet: Worksheet, seal: Mapping[str, Any]) -> None:
    """Write a seal into its sheet, piece by piece below a line that says what it is."""
    text = json.dumps(seal, separators=(",", ":"), allow_nan=False)
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    for row, piece in enumerate([_ABOUT, *pieces], 1):
        # What ends or begins with a blank would lose it.
        put(sheet.cell(row, 1), piece if row == 1 else f"|{piece}|")


def unseal(data: bytes) -> list[Sealed]:
    """Return the sealed result of a workbook; none of what is no sealed workbook."""
    if data.startswith(OLE) or not sniff(data[:SNIFFED]):
        return []
    sheets = rows_by_sheet(data, _cell)
    pieces = [row.texts[0] for row in sheets.pop(SEAL)()[1:]] if SEAL in sheets else []
    if not pieces:
        return []
    seal = loaded("".join(piece[1:-1] for piece in pieces).encode(), once=True)
    if not isinstance(seal, dict):
        raise FormatError("the seal of this workbook is damaged", f"sheet '{SEAL}'")
    own = {name: seal[name] for name in seal if name != "data"}

    def shown() -> list[Shown]:
        return [*(each for title, rows in sheets.items() for each in _shown(title, rows())), *_computed(data)]

    return [Sealed(own, seal.get("data", {}), shown, _sum(data), looks=partial(looks_of, data))]


_PIECES = re.compile(rb"<t>\|[^<]*\|</t>")


def _sum(data: bytes) -> str:
    """Return the SHA-256 of a workbook's parts, without what is in the seal's pieces; '' where there may be others."""
    if not has_plain_parts(data):
        return ""
    with ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        own = [part for title, *_, part in sheet_parts(archive) if title == SEAL]
    for name in own:
        parts[name] = _PIECES.sub(b"||", parts[name])
    return hashlib.sha256(
        "".join(f"{hashlib.sha256(part).hexdigest()} {name}\n" for name, part in parts.items()).encode()
    ).hexdigest()


_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_CONDITIONAL = re.compile(rb"<(?:\w+:)?dxf>(?:(?!</(?:\w+:)?dxf>).)*<(?:\w+:)?numFmt\b[^>]*", re.DOTALL)


def _computed(data: bytes) -> Iterator[Shown]:
    """Yield what may show another value than its cell holds: formulas, whose values are saved beside them, conditions.

    Where in the file they are, or in which encoding, does not matter.
    """
    with ZipFile(BytesIO(data)) as file:
        for name in file.namelist():
            part = file.read(name).replace(b"\0", b"")
            if _FORMULA.search(part):
                yield Shown("a formula", name)
            if _CONDITIONAL.search(part):
                yield Shown("a format that shows another number under a condition", name)


_PLAIN = ("General", "0", "0.00", "@")
"""The formats that show a number as it is."""


def _cell(title: str, row: int, column: int, cell: Any) -> Cell:
    """Return a cell as the reader does; one that shows something else than it holds has its format in its text."""
    read = cell_of(title, row, column, cell)
    form = str(cell.number_format) if read.text else "General"
    plain = form in _PLAIN or (isinstance(cell.value, date) and '"' not in form)
    return read if plain else read._replace(text=f"{read.text} shown as {form}")


def _shown(title: str, rows: Sequence[Row]) -> Iterator[Shown]:
    yield Shown("sheet", title, core=False)
    heads: dict[int, str] = {}
    for row in rows:
        cells = {number: cell for number, cell in enumerate(row.cells) if cell.text}
        if any(_NAMES.fullmatch(cell.text) for cell in cells.values()):
            heads = {number: cell.text for number, cell in cells.items()}
        found = [cell.text for number, cell in cells.items() if _SEAT.fullmatch(heads.get(number, ""))]
        who = " ".join(found) if len(found) > 1 and heads != {n: c.text for n, c in cells.items()} else ""
        for number, cell in cells.items():
            column = re.sub(r"^.* ([A-Z]+)[0-9]+$", r"\1", cell.where)
            what = f"sheet '{title}', column {column} {heads.get(number, '')}".strip()
            yield Shown(what, cell.text, who, cell.where, core=bool(who))


_NAMES = re.compile("Names|Player 1")
"""The heading that only the table of contestants has."""

_SEAT = re.compile("Section|Direction|Pair|Team|No|Player( [0-9]+)?|Names|number")
"""The headings of the columns that tell who it is."""
