"""Lines whose cells a sign separates, as the rows of a grid: what stands between them, and what quotes do."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from resultproc.model.errors import InputError
from resultproc.model.grid import Cell, Row
from resultproc.model.values import unescape_formula


def delimiter_of(line: str) -> str:
    """Return what is between the cells of a line."""
    return max(",;\t", key=line.count)


def cells_of(line: str, delimiter: str, number: int) -> Row:
    """Return the cells of a single line; where its quotation marks are wrong, it is split at each delimiter.

    delimiter: what stands between cells.
    number: of the line, for messages.
    """
    where = f"line {number}"
    try:
        texts = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        texts = line.split(delimiter)
    return Row([Cell(text.strip(), where) for text in texts], where)


def csv_rows(lines: Iterable[str], delimiter: str, first: int) -> Iterator[Row]:
    """Yield the rows of some lines.

    delimiter: what stands between cells.
    first: the number of the first line.
    Raises InputError that names the line where quotation marks are wrong.
    """
    reader = csv.reader((f"{line.rstrip(' ')}\n" for line in lines), delimiter=delimiter, strict=True)
    number, gap, commas = first, False, delimiter != ","
    try:
        for row in reader:
            where = f"line {number}"
            texts = (unescape_formula(text.strip(), commas=commas) for text in row)
            cells = [Cell(text, f"{where}, column {i}") for i, text in enumerate(texts, 1)]
            yield Row(cells, where, after_gap=gap)
            gap = not any(cell.text for cell in cells)
            number = first + reader.line_num
    except csv.Error as error:
        what = f"the line cannot be read: {error}"
        raise InputError(what, f"line {number}", "is a quotation mark missing?") from None
