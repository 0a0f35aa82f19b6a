"""Comma-, semicolon- or tab-separated values, with what is declared of the game in ``# key: value`` lines above.

The header may stand in any order and letter case, with the usual synonyms: section, direction, number, player1,
player2, ..., stratum, score, percentage; optional id1, ..., mp1, ..., handicap, and game_id where one file holds
several games. UTF-8, with or without a byte order mark, or Windows-1252.

On bad input: InputError that lists every wrong header, cell and line of the file.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from resultproc.errors import FormatError, InputError
from resultproc.formats import Declaration, Reader, Reading, decode, read_bytes
from resultproc.readers.sheets import sheet_of
from resultproc.readers.table import Cell, read_table

KEY_LINE = re.compile(r"#\s*([A-Za-z][A-Za-z_ -]*?)\s*:(.*)")
"""A declaration: ``# key: value``. Any other line that begins with # is a remark."""


def key_lines(lines: list[str]) -> dict[str, Declaration]:
    """Return what the ``# key: value`` lines among these declare."""
    declared = {}
    for number, line in enumerate(lines, 1):
        found = KEY_LINE.fullmatch(line.strip().strip(";,\t"))
        if found:
            name = re.sub(r"[ -]", "_", found[1].lower())
            declared[name] = Declaration(found[2].strip().strip('"'), f"line {number}")
    return declared


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def read(path: Path) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    lines = decode(read_bytes(path)).split("\n")
    content = ["" if line.lstrip().startswith(("#", '"#')) else line for line in lines]
    first = next((i for i, line in enumerate(content) if line.strip(",;\t ")), None)
    if first is None:
        raise FormatError("there is no header and no contestant in it")
    rows = []
    reader = csv.reader(io.StringIO("\n".join(content)), delimiter=_delimiter(content[first]), strict=True)
    start = 1
    try:
        for row in reader:
            rows.append([Cell(text.strip(), f"line {start}, column {i}") for i, text in enumerate(row, 1)])
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"the line cannot be taken apart: {error}", f"line {start}", "a quote may be open") from None
    header, *body = [row for row in rows if any(cell.text for cell in row)]
    return Reading(sheet_of(path, read_table(header, body)), key_lines(lines))


def sniff(head: bytes) -> bool:
    """Say whether the first line that is no remark looks like a header with a delimiter."""
    try:
        lines = decode(head).split("\n")
    except FormatError:
        return False
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith(("#", '"#'))), "")
    names = [name.strip(' "').lower() for name in first.split(_delimiter(first))]
    return len(names) > 1 and bool(_TELLING & {re.sub(r"[^a-z%]", "", name) for name in names})


_TELLING = {"player", "score", "percentage", "pct", "section", "direction", "stratum", "number", "pair", "name"}

READER = Reader("csv", "CSV", sniff, read)
