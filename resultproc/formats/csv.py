"""Comma-, semicolon- or tab-separated values, with what is declared of the game in ``# key: value`` lines above.

The columns may be in any order, with the usual synonyms and in any letter case: section, direction, number, player1,
player2, ..., stratum, score, percentage; optional id1, ..., mp1, ..., handicap, eligible, session1, ..., carryover,
section2, direction2, ..., and game_id where one file holds several games. What is declared below a ``# [games.ID]``
line holds for that game alone. Titles and keys without # may be above the header too, see
:mod:`resultproc.tables.titles`. UTF-8, with or without a byte order mark, UTF-16 with one, or Windows-1252.

What is written has every contestant with all that is known of it, and reads back. If there are several games, each has
its keys below a ``# [games.ID]`` line, and ``game_id`` is the first column. Text that a spreadsheet would take for a
formula has an apostrophe before it, which is taken off again in reading. UTF-8; with a byte order mark where there is
more than ASCII in it, because spreadsheets otherwise take the file for Windows-1252.

On bad input: InputError that lists every wrong header, cell and line of the file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import pandas as pd

from resultproc.formats.lists import is_page
from resultproc.formats.registry import KEY_LINES, Reader, Writer, decode
from resultproc.formats.separated import cells_of, csv_rows, delimiter_of
from resultproc.model.arrays import row_dicts
from resultproc.model.codes import EMPTY
from resultproc.model.column_names import column_of
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.model.grid import Cell, Row
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.source import Source
from resultproc.model.understood import joined_understood
from resultproc.model.values import escape_formula, unescape_formula
from resultproc.pages.annotated import annotated, cell_as_text, declaring_lines, names_games, shown_contestants
from resultproc.tables.cells import RANKED
from resultproc.tables.headings import columns_named
from resultproc.tables.heads import HEADINGS, is_head, with_whole_names
from resultproc.tables.list_columns import LOOKED_AT, table_columns
from resultproc.tables.rows import read_sheet
from resultproc.tables.titles import Above, named_day, unquoted

_SEP = re.compile(r'"?sep=(.)"?[,;\t]*', re.IGNORECASE)
"""What Excel takes for the delimiter of a file, and not for a row."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    text = decode(source.data)
    lines = _lines(text)
    head = _head(lines)
    found = header_in(head)
    if found is None:
        raise FormatError("no header row and no contestants found", code=EMPTY)
    top, delimiter = found
    above = Above.of(_above(head[:top], delimiter))
    # A file of many games may have any number of lines.
    if (count := text.count("\n") - top) >= MAX_LINES:
        begins = cells_of(head[top], delimiter, top + 1)
        if not any(column_of(cell.text) == "game_id" for cell in begins.cells):
            hint = "tell the games of a file apart in a column game_id"
            raise InputError(f"this would be a game of {count} lines", begins.where, hint)
    rows = with_whole_names(csv_rows(chain(head[top:], lines), delimiter, top + 1))
    header = next(rows)
    below = list(islice(rows, LOOKED_AT))
    rows = chain(below, rows)
    columns = table_columns(header, below)
    if columns is None:
        from resultproc.formats.lists.reader import read_rows, what_it_is
        from resultproc.formats.text.laid_out import rows_of_lines

        every = [*_above(head[:top], delimiter), header, *rows]
        rows = iter(every[top + 1 :])
        # Tabs line up columns in some lists, and separate them in others.
        for each in ([rows_of_lines(text.split("\n"))] if delimiter == "\t" else []) + [every]:
            listed = [row for row in each if row.texts and not row.is_remark]
            if reading := read_rows(source, listed):
                return replace(reading, declared={**reading.declared, **above.declared}, each=above.each)
        if not columns_named(header):
            raise what_it_is(source, listed)
    table = read_sheet(header, rows, above.seats, {"section": "A"}, columns)
    understood = joined_understood(above.told, table.understood)
    facts = {**named_day(source.stem), **table.facts, **above.facts}
    sheet = sheet_of(source, table.contestants, facts, (*above.remarks, *table.remarks), understood)
    return Reading(sheet, above.declared, each=above.each)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text one by one: those of a file of many games are not all in memory at once."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _head(lines: Iterator[str]) -> list[str]:
    """Return the first lines, as many as the header may be among."""
    head = []
    likely = 0
    for line in lines:
        head.append(line)
        likely += _may_be_header(line)
        if likely > HEADINGS:
            break
    return head


MAX_LINES = 50_000
"""More than any game lists, the largest simultaneous events included."""


def header_in(lines: list[str]) -> tuple[int, str] | None:
    """Return the index of the header, and what is between cells below it; None where no line may be one.

    It is the one of the first lines that names the most columns; where none names two, the first that is neither blank
    nor a remark. A line such as ``sep=;``, which names what is between cells, is emptied.
    """
    sep = _sep_of(lines)
    likely = list(_likely(lines, sep))
    most = max((named for _, named in likely), default=0)
    top = next((i for i, named in likely if named == most or most < 2), None)
    return None if top is None else (top, sep or delimiter_of(lines[top]))


def _sep_of(lines: list[str]) -> str:
    for i, line in enumerate(lines):
        if found := _SEP.fullmatch(line.strip(" ")):
            lines[i] = ""
            return found[1]
        if line.strip() and not _is_remark(line):
            break
    return ""


def _likely(lines: Sequence[str], sep: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that the header may be, as many as are looked at, with how many columns each names."""
    for i in islice((i for i, line in enumerate(lines) if _may_be_header(line)), HEADINGS):
        row = cells_of(lines[i], sep or delimiter_of(lines[i]), i + 1)
        named = columns_named(row)
        yield i, len(row.texts) if named < 2 and is_head(row) else named


def _may_be_header(line: str) -> bool:
    return line.strip(",;\t ") != "" and not _is_remark(line)


def _is_remark(line: str) -> bool:
    """Say whether a line above the contestants begins with #, and not with a column that is called #."""
    return line.lstrip().startswith(("#", '"#')) and re.match(r'\s*"?#"?[,;\t][^,;\t]', line) is None


def _above(lines: Sequence[str], delimiter: str) -> list[Row]:
    """Return the lines above a header as rows; a declaration that begins with # is a single cell."""
    rows = []
    for number, line in enumerate(lines, 1):
        row = cells_of(line, delimiter, number)
        if _is_remark(line) and (len(row.texts) != 2 or ":" in row.texts[0].removesuffix(":")):
            # A spreadsheet adds quotes around a remark, and empty cells after it.
            text = unescape_formula(unquoted(line.strip().rstrip(f" {delimiter}")).strip())
            row = Row([Cell(text, row.where)], row.where)
        rows.append(row)
    return rows


def sniff(head: bytes) -> bool:
    """Say whether one of the first lines that are no remarks looks like a header with a delimiter."""
    try:
        lines = decode(head).split("\n")
    except FormatError:
        return False
    sep = _sep_of(lines)
    likely = _likely(lines, sep)
    top, named = next(likely, (0, 0))
    if is_page(head):
        return False
    # A program's file has its header first, and then no other line need be looked at.
    return (
        named > 1
        or any(named > 1 for _, named in likely)
        or (named == 1 and (sep or delimiter_of(lines[top])) in lines[top])
    )


READER = Reader("csv", "CSV", sniff, read, boards=False, declaring=KEY_LINES)


def with_scores(source: Source) -> Source:
    """Return a list of pairs as the file of a game: numbered, and with a score of 0 each, where it has no such columns.

    The lines stay where they are. Raises FormatError for what is no text.
    """
    if source.data.startswith(b"PK"):
        raise FormatError("this is a workbook, and a list of pairs is CSV", hint="save its sheet as CSV")
    lines = decode(source.data).split("\n")
    found = header_in(lines)
    if found is None:
        return source
    top, delimiter = found
    header = cells_of(lines[top], delimiter, top + 1).cells
    columns = {column_of(cell.text) for cell in header}
    numbered, scored = "number" in columns, bool(columns & RANKED)
    for at in range(top, len(lines)):
        if not lines[at].strip(",;\t "):
            continue
        lacking = len(header) - len(cells_of(lines[at], delimiter, at + 1).cells)
        more = [] if numbered else ["number" if at == top else str(at - top)]
        more += [] if scored else ["score" if at == top else "0"]
        lines[at] += delimiter * max(lacking, 0) + "".join(f"{delimiter}{each}" for each in more)
    return replace(source, data="\n".join(lines).encode())


def write(result: Result) -> bytes:
    """Return the games as CSV."""
    from resultproc.pages.tables import csv_text  # who reads CSV needs nothing that makes pages

    above = io.StringIO()
    writer = csv.writer(above, lineterminator="\n")
    named = names_games(result.games)
    writer.writerow([f"# {PROVENANCE_KEY}: {result.provenance.line()}"])
    for game in row_dicts(result.games):
        writer.writerows([escape_formula(line)] for line in declaring_lines(game, named))
    frame = shown_contestants(annotated(result), result.games)
    header = [_header(name, computed=result.awards is not None) for name in frame.columns]
    columns = [_texts(name, frame[name]) for name in frame.columns]
    text = above.getvalue() + csv_text([header, *zip(*columns, strict=True)])
    return text.encode("utf-8" if text.isascii() else "utf-8-sig")


def _header(name: str, *, computed: bool) -> str:
    """Return what a column is called: what was printed has another name where it was computed."""
    column = CONTESTANTS.declared(name)
    return f"{column.computed}{name.removeprefix(column.family)}" if computed and column.computed else name


def _texts(name: str, values: pd.Series[Any]) -> list[str]:
    """Return a column's cells: texts that no spreadsheet takes for formulas, numbers below zero as they are."""
    texts = [cell_as_text(name, value) for value in values]
    return texts if values.dtype == "float64" else [escape_formula(text) for text in texts]


WRITER = Writer("csv", "CSV", (".csv",), write)
