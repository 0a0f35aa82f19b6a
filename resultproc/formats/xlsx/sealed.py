"""The seal of a workbook, in a hidden sheet of its own, and what a plain look at the cells of the others shows.

On bad input: as for :mod:`resultproc.formats.xlsx.reader`; FormatError for a seal that is no JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from resultproc.formats.registry import SNIFFED, Sealed, Shown
from resultproc.formats.xlsx import OLE, sniff
from resultproc.formats.xlsx.parts import SEAL, has_plain_parts, sheet_parts
from resultproc.formats.xlsx.reader import rows_by_sheet
from resultproc.model.errors import FormatError
from resultproc.model.json import loaded
from resultproc.pages.workbook import put

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


_ABOUT = "The seal of this workbook: resultproc verify FILE compares with it. It is no signature."
_PIECE = 30_000
"""This many characters of the seal are in each cell; Excel has room for 32,767."""

_PIECES = re.compile(rb"<t>\|[^<]*\|</t>")

_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")


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
    sheets = rows_by_sheet(data)
    pieces = [row.texts[0] for row in sheets.pop(SEAL)()[1:]] if SEAL in sheets else []
    if not pieces:
        return []
    seal = loaded("".join(piece[1:-1] for piece in pieces).encode(), once=True)
    if not isinstance(seal, dict):
        raise FormatError("the seal of this workbook is damaged", f"sheet '{SEAL}'")
    own = {name: seal[name] for name in seal if name != "data"}
    with ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        around = dict(parts)
        for title, *_, part in sheet_parts(archive):
            if title == SEAL:
                around[part] = _PIECES.sub(b"||", parts[part])

    def shown() -> list[Shown]:
        cells = [cell for rows in sheets.values() for row in rows() for cell in row.cells if cell.text]
        # A sealed workbook has no formula: what one shows may be another value than is saved beside it.
        formulas = [name for name, part in parts.items() if _FORMULA.search(part.replace(b"\0", b""))]
        return [*(Shown(each.where, each.text) for each in cells), *(Shown("a formula", name) for name in formulas)]

    content = _content(data, parts)
    shows = hashlib.sha256(_content(data, around)).hexdigest()
    return [Sealed(own, seal.get("data", {}), content, shows, shown)]


def _content(data: bytes, parts: Mapping[str, bytes]) -> bytes:
    """Return the parts of a workbook, which may be packed in several ways; all of it where there may be others."""
    if not has_plain_parts(data):
        return data
    return b"".join(b"%s %d\n%s" % (name.encode(), len(part), part) for name, part in parts.items())
