"""Comma-, semicolon- or tab-separated values, with what is declared of the game in ``# key: value`` lines above.

The header may stand in any order and letter case, with the usual synonyms: section, direction, number, player1,
player2, ..., stratum, score, percentage; optional id1, ..., mp1, ..., handicap, eligible, session1, ..., carryover,
section2, direction2, ..., and game_id where one file holds several games. What is declared below a ``# [games.ID]``
line holds for that game alone. UTF-8, with or without a byte order mark, or Windows-1252.

On bad input: InputError that lists every wrong header, cell and line of the file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.common.table import Cell, Row, columns_named, read_table
from resultproc.formats.registry import Declaration, Reader, Reading, decode, read_bytes, unescape_formula
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.keys import KEYS

KEY_LINE = re.compile(r"#\s*([A-Za-z][A-Za-z_ -]*?)\s*:(.*)")
"""A declaration: ``# key: value``. Any other line that begins with # is a remark."""

GAME_LINE = re.compile(r"#\s*\[games\.(.+)\]\s*")
"""The beginning of what is declared of a single game."""


def read(path: Path) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    lines = decode(read_bytes(path)).split("\n")
    top = _header(lines)
    if top is None:
        raise FormatError("no header row and no contestants found")
    bare = _bare_key(lines[top])
    if bare:
        hint = f"write # before it: # {bare}"
        raise FormatError(f"'{bare}' is where the header should be", f"line {top + 1}", hint)
    delimiter = _delimiter(lines[top])
    declared, each = key_lines(lines[:top], delimiter)
    header, *rows = csv_rows(lines[top:], delimiter, top + 1)
    late = [row for row in rows if row.is_remark and KEY_LINE.fullmatch(row.cells[0].text)]
    if late:
        raise InputError(
            Problem("this declaration is below the header", row.where, "write it above the header") for row in late
        )
    return Reading(sheet_of(path, read_table(header, rows, {"section": "A"})), declared, each=each)


def _header(lines: Sequence[str]) -> int | None:
    """Return the index of the first line that is neither blank nor a remark; None where there is none."""
    return next((i for i, line in enumerate(lines) if line.strip(",;\t ") and not _is_remark(line)), None)


def _is_remark(line: str) -> bool:
    """Say whether a line above the contestants begins with #, and not with a column that is called #."""
    return line.lstrip().startswith(("#", '"#')) and re.match(r'\s*"?#"?[,;\t][^,;\t]', line) is None


def _bare_key(line: str) -> str:
    """Return a line that declares a game key but lacks its #; '' for any other."""
    text = _remark(line, ",")
    key = KEY_LINE.fullmatch(f"# {text}")
    return text if key and re.sub(r"[ -]", "_", key[1].lower()) in KEYS else ""


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def key_lines(
    lines: Sequence[str], delimiter: str = ""
) -> tuple[dict[str, Declaration], dict[str, dict[str, Declaration]]]:
    """Return what lines such as those above a header declare, of all games and of single ones.

    delimiter: what empty cells may leave at the end of a line. Other lines than declarations are passed over.
    Raises InputError for a key or a game that appears twice.
    """
    declared: dict[str, Declaration] = {}
    each: dict[str, dict[str, Declaration]] = {}
    problems = []
    target = declared
    for number, line in enumerate(lines, 1):
        text = _remark(line, delimiter)
        game, key = GAME_LINE.fullmatch(text), KEY_LINE.fullmatch(text)
        where = f"line {number}"
        if game:
            if game[1] in each:
                problems.append(Problem(f"the game '{game[1]}' appears twice", where, "declare its keys in one place"))
            target = each.setdefault(game[1], {})
        elif key:
            name = re.sub(r"[ -]", "_", key[1].lower())
            if name in target:
                before = target[name].where
                problems.append(
                    Problem(f"the key '{name}' appears twice, first in {before}", where, "keep one of them")
                )
            target[name] = Declaration(_unquoted(key[2].strip()), where)
    if problems:
        raise InputError(problems)
    return declared, each


def _remark(line: str, delimiter: str) -> str:
    """Return a remark without what a spreadsheet adds to it: quotes around it and empty cells after it."""
    quoted = re.match('"((?:[^"]|"")*)"', line.strip())
    return (quoted[1].replace('""', '"') if quoted else line.strip().rstrip(delimiter)).strip()


def _unquoted(value: str) -> str:
    found = re.fullmatch('"((?:[^"]|"")*)"', value)
    return found[1].replace('""', '"') if found else value


def csv_rows(lines: Sequence[str], delimiter: str, first: int) -> list[Row]:
    """Return the rows of some lines, the first of which has the number ``first``.

    Raises InputError that names the line where they cannot be taken apart.
    """
    rows = []
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True)
    number = first
    try:
        for row in reader:
            where = f"line {number}"
            cells = [Cell(unescape_formula(text.strip()), f"{where}, column {i}") for i, text in enumerate(row, 1)]
            rows.append(Row(cells, where))
            number = first + reader.line_num
    except csv.Error as error:
        what = f"the line cannot be read: {error}"
        raise InputError(what, f"line {number}", "is a quotation mark missing?") from None
    return rows


def sniff(head: bytes) -> bool:
    """Say whether the first line that is no remark looks like a header with a delimiter, or declares a game key."""
    try:
        lines = decode(head).split("\n")
    except FormatError:
        return False
    top = _header(lines)
    if top is None:
        return False
    if _bare_key(lines[top]):
        return True
    names = [Cell(name.strip(' "'), "") for name in lines[top].split(_delimiter(lines[top]))]
    return len(names) > 1 and columns_named(Row(names, "")) > 0


READER = Reader("csv", "CSV", sniff, read)
