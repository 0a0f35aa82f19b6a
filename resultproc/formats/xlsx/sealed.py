"""The seal of a workbook, in a hidden sheet of its own, and what the others show: every cell of every sheet.

On bad input: as for :mod:`resultproc.formats.xlsx.reader`; FormatError for a seal that is no JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from resultproc.formats.common.rows import Cell, Row
from resultproc.formats.common.sealed import Sealed, Shown
from resultproc.formats.json.reader import loaded
from resultproc.formats.registry import SNIFFED
from resultproc.formats.xlsx import OLE, sniff
from resultproc.formats.xlsx.cells import put
from resultproc.formats.xlsx.looks import looks_of
from resultproc.formats.xlsx.own import SEAL
from resultproc.formats.xlsx.parts import is_plain, sheet_parts
from resultproc.formats.xlsx.reader import cell_of, sheets_of
from resultproc.model.errors import FormatError

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_ABOUT = "The seal of this workbook: resultproc verify FILE compares with it. It is no signature."
_PIECE = 30_000
"""So many characters of the seal are in each cell; Excel has room for 32,767."""


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
    sheets = sheets_of(data, _cell)
    pieces = [row.texts[0] for row in sheets.pop(SEAL, [])[1:]]
    if not pieces:
        return []
    seal = loaded("".join(piece[1:-1] for piece in pieces).encode(), once=True)
    if not isinstance(seal, dict):
        raise FormatError("the seal of this workbook is damaged", f"sheet '{SEAL}'")
    shown = [each for title, rows in sheets.items() for each in _shown(title, rows)]
    shown += _computed(data)
    own = {name: seal[name] for name in seal if name != "data"}
    return [Sealed(own, seal.get("data", {}), shown, _sum(data), looks=partial(looks_of, data))]


_PIECES = re.compile(rb"<t>\|[^<]*\|</t>")


def _sum(data: bytes) -> str:
    """Return the SHA-256 of a workbook's parts, without what is in the seal's pieces; '' where there may be others."""
    if not is_plain(data):
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
    return read if plain else replace(read, text=f"{read.text} shown as {form}")


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
