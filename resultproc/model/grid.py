"""Rows as readers take them: cells, as a sheet has them, and plain values, which become frames for many files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """A cell of a file.

    text: what it holds.
    where: its place, as messages name it: ``line 3, column 2``.
    fault: what is wrong with it whatever it should hold; empty where nothing is.
    """

    text: str
    where: str
    fault: str = ""


class Row(NamedTuple):
    """A row of a file.

    cells: from left to right.
    where: its place, as messages name it.
    after_gap: whether there is an empty row above it.
    hidden: whether it is not shown, by itself or by a filter.
    struck_out: whether a line goes through all its texts.
    struck_in_part: through some.
    """

    cells: Sequence[Cell]
    where: str
    after_gap: bool = False
    hidden: bool = False
    struck_out: bool = False
    struck_in_part: bool = False

    @property
    def texts(self) -> list[str]:
        """The texts that are not empty."""
        return [cell.text for cell in self.cells if cell.text]

    @property
    def is_remark(self) -> bool:
        """Whether the first cell has a text that begins with #, and no other cell any."""
        return len(self.texts) == 1 and self.cells[0].text.startswith("#") and not self.cells[0].fault


_QUOTED = re.compile(r"\s*(?:> ?)+")


def unquoted_lines(lines: Sequence[str]) -> list[str]:
    """Return a text's lines, without the mark before each of those that a mail quotes where it quotes most of them."""
    written = [line for line in lines if line.strip()]
    if 2 * sum(map(bool, map(_QUOTED.match, written))) <= len(written):
        return list(lines)
    return [_QUOTED.sub("", line, count=1) for line in lines]


class Records:
    """Rows of some columns, None where a row has nothing. Columns take a tenth of the room of a dict for each row."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        """Take the first rows."""
        rows = list(rows)
        names = dict.fromkeys(chain.from_iterable(rows))
        self._columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in names}
        self._count = len(rows)

    @classmethod
    def of(cls, columns: Mapping[str, list[Any]] | Records, count: int) -> Records:
        """Return ``count`` rows from their columns."""
        records = cls()
        records._columns, records._count = {name: columns[name] for name in columns}, count
        return records

    @classmethod
    def joined(cls, parts: Sequence[Records]) -> Records:
        """Return the rows of several as one."""
        names = dict.fromkeys(name for part in parts for name in part)
        columns = {name: list(chain.from_iterable(part.get(name) for part in parts)) for name in names}
        return cls.of(columns, sum(map(len, parts)))

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        for name, value in row.items():
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = []
            if len(column) < self._count:
                column.extend([None] * (self._count - len(column)))
            column.append(value)
        self._count += 1

    def only(self, rows: Sequence[int]) -> Records:
        """Return some rows, by their numbers."""
        return Records.of({name: [self[name][n] for n in rows] for name in self}, len(rows))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __getitem__(self, name: str) -> list[Any]:
        """Return a column, a value for each row."""
        column = self._columns[name]
        if len(column) < self._count:
            column.extend([None] * (self._count - len(column)))
        return column

    def __setitem__(self, name: str, values: Sequence[Any]) -> None:
        self._columns[name] = list(values)

    def get(self, name: str) -> list[Any]:
        """Return a column, of None where there is none."""
        return self[name] if name in self._columns else [None] * self._count

    def pop(self, name: str) -> list[Any]:
        """Return a column and take it out."""
        values = self[name]
        del self._columns[name]
        return values

    def fill(self, name: str, value: Any) -> None:
        """Set a column to the same value in every row."""
        self._columns[name] = [value] * self._count
