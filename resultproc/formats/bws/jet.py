"""The tables of an Access database, read from its bytes: nothing is opened, locked or changed.

Access 97 wrote Jet 3, Access 2000 to 2003 Jet 4, and later versions ACE, which has the layout of Jet 4. Both layouts
are those that the public documentation of mdbtools (HACKING.md) gives. The first page describes the database; a
table's definition lists its columns and leads to a map of its pages; each of these lists its rows from the end of the
page. Rows that were deleted stay there until the database is compacted, and are marked.

Raises FormatError for other versions, for encrypted databases, and for whatever is damaged or cut off: a table has to
have the rows that its definition counts. More than these there may be: they are counted after they are written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from resultproc.model.codes import UNKNOWN
from resultproc.model.errors import FormatError

_MAGIC = b"\x00\x01\x00\x00Standard "
"""How a database of Access begins, of any version."""

_VERSION = 0x14
_MASKED = 0x18
_MASK = bytes.fromhex("b56f03626108c255eba96772433f009c7a9f90ff809a31c579baed30bcdfcc9d63d9e4c37b42fb8abc4e")
"""What a database's first page is masked with: RC4 of a key that is the same in all, C7DA396B."""

_CODE_PAGE, _KEY = 0x3C, 0x3E
_DATA, _DEFINITION, _MAP = 1, 2, 5
_CATALOGUE = 2
"""The page that defines the table of all tables."""

_TABLE = 1
_DELETED, _ELSEWHERE, _OFFSET = 0x8000, 0x4000, 0x1FFF
_MOST_ROWS = 200_000
"""No game's table has as many rows; a hostile one may claim any number."""

_BOOL, _BYTE, _SHORT, _LONG, _SINGLE, _DOUBLE, _TIME, _TEXT = 1, 2, 3, 4, 6, 7, 8, 10
_NUMBERS = {_BYTE: "<B", _SHORT: "<h", _LONG: "<i", _SINGLE: "<f", _DOUBLE: "<d", _TIME: "<d"}
_EPOCH = datetime(1899, 12, 30)


@dataclass(frozen=True)
class Layout:
    """How pages are laid out."""

    page: int  # how long each is
    rows: int  # where the number of rows is on a page of these
    definition: struct.Struct  # the number of rows, of columns and of indexes, and the map of the pages
    index: int  # how long the description of an index is
    # Type, number, place among those of no fixed length, flags, place among the others, and length.
    column: struct.Struct
    count: int  # how long the length of a name is, and the number of columns in a row


_JET3 = Layout(2048, 8, struct.Struct("<12xI9xH4xII4x"), 8, struct.Struct("<BHH8xBHH"), 1)
_JET4 = Layout(4096, 12, struct.Struct("<16xI25xH4xII4x"), 12, struct.Struct("<B4xHH6xB5xHH"), 2)
_LAYOUTS = {(b"Jet DB", 0): _JET3, (b"Jet DB", 1): _JET4} | {(b"ACE DB", version): _JET4 for version in (2, 3, 5, 6)}
"""The layout of each version that a database of it was read of."""


@dataclass(frozen=True)
class _Column:
    """A column of a table."""

    name: str  # as the database has it
    number: int  # among the columns of the table, from 0; a row that is older than the column does not have it
    kind: int  # the number of its type
    variable: int  # where the length varies, its number among such columns
    is_fixed: bool  # whether its values have a fixed length
    offset: int  # for fixed lengths, the byte in a row where the value begins
    length: int  # for fixed lengths, in bytes


@dataclass(frozen=True)
class Definition:
    """What a table's definition says."""

    name: str  # what messages call the table
    rows: int  # how many it has
    columns: Sequence[_Column]  # those of the table, in the order of the definition
    map_page: int  # the page that the map of the table's pages is on
    map_row: int  # which row of that page it is


class Database:
    """A database of Access."""

    def __init__(self, data: bytes) -> None:
        """Take its bytes; raise FormatError for any other file, another version, or an encrypted one."""
        layout = _LAYOUTS.get((data[len(_MAGIC) : _VERSION - 1], *data[_VERSION : _VERSION + 1]))
        if not data.startswith(_MAGIC) or len(data) < 2 * (layout or _JET3).page:
            raise _damaged("it is cut off")
        if layout is None:
            what = "this is a database of Access in a version that is not known here"
            hint = "save it as one of Access 97, 2000 to 2003 or 2007, or export the results"
            raise FormatError(what, hint=hint, code=UNKNOWN)
        self._data, self._layout = data, layout
        head = data[:_MASKED] + bytes(byte ^ mask for byte, mask in zip(data[_MASKED:], _MASK, strict=False))
        if head[_KEY:] != bytes(4):
            raise FormatError("this database is encrypted", hint="save it without a password")
        self._code_page = f"cp{struct.unpack_from('<H', head, _CODE_PAGE)[0]}"
        try:
            b"".decode(self._code_page)
        except LookupError:
            self._code_page = "cp1252"

    @cached_property
    def tables(self) -> dict[str, int]:
        """The page that defines each table, by its name."""
        rows = self._read("the list of tables", _CATALOGUE, ("Id", "Name", "Type"))
        return {str(name): id_ & 0xFFFFFF for id_, name, kind in rows if kind == _TABLE and isinstance(id_, int)}

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a table: the values of some columns, None for what is empty and for a column not there.

        Numbers and texts are as they are, times are datetimes. There are none where there is no such table.
        """
        return self._read(f"the table {table}", self.tables[table], columns) if table in self.tables else []

    def _read(self, name: str, page: int, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        try:
            definition = self._definition(name, page)
            found = list(self._rows(definition, columns))
        except (struct.error, IndexError, OverflowError, ValueError):
            raise _damaged(f"{name} cannot be read") from None
        if len(found) < definition.rows:
            raise _damaged(f"{name} has {definition.rows} rows, and {len(found)} of them are there")
        return found

    def _page(self, number: int, kind: int) -> bytes:
        length = self._layout.page
        page = self._data[number * length : (number + 1) * length]
        if len(page) < length or page[0] != kind:
            raise _damaged(f"page {number} is not there, or not what it should be")
        return page

    def _definition(self, name: str, number: int) -> Definition:
        """Return what a table's definition says, which may go on on other pages."""
        page = self._page(number, _DEFINITION)
        whole, seen = page, {number}
        while following := struct.unpack_from("<I", page, 4)[0]:
            if following in seen:
                raise _damaged(f"the definition of {name} goes round in a circle")
            seen.add(following)
            page = self._page(following, _DEFINITION)
            whole += page[8:]
        layout, columns = self._layout, []
        rows, count, indexes, place = layout.definition.unpack_from(whole)
        at = layout.definition.size + layout.index * indexes
        names = at + layout.column.size * count
        for number in range(count):
            own = layout.column.unpack_from(whole, at + layout.column.size * number)
            kind, column, variable, flags, offset, length = own
            start = names + layout.count
            names = start + int.from_bytes(whole[names:start], "little")
            text = whole[start:names].decode(self._code_page if layout is _JET3 else "utf-16-le", "replace")
            columns.append(_Column(text, column, kind, variable, bool(flags & 1), offset, length))
        return Definition(name, rows, columns, place >> 8, place & 0xFF)

    def _pages(self, definition: Definition) -> Iterator[int]:
        """Yield the pages of a table, from its map: a row of bits from a first page on, or pages of such bits."""
        start, end, _ = self._row_bounds(self._page(definition.map_page, _DATA), definition.map_row)
        found = self._page(definition.map_page, _DATA)[start:end]
        if found[0] == 0:
            yield from _set_bits(found[5:], struct.unpack_from("<I", found, 1)[0])
            return
        for n, number in enumerate(struct.unpack(f"<{(len(found) - 1) // 4}I", found[1 : len(found) // 4 * 4 + 1])):
            if number:
                yield from _set_bits(self._page(number, _MAP)[4:], n * (self._layout.page - 4) * 8)

    def _row_bounds(self, page: bytes, row: int) -> tuple[int, int, int]:
        """Return where a row of a page begins and ends, and its marks."""
        at = self._layout.rows
        if row >= struct.unpack_from("<H", page, at)[0]:
            raise _damaged("a row is not there")
        offset = struct.unpack_from("<H", page, at + 2 + 2 * row)[0]
        end = struct.unpack_from("<H", page, at + 2 * row)[0] & _OFFSET if row else len(page)
        start = offset & _OFFSET
        if not at + 2 < start <= end <= len(page):
            raise _damaged("a row is not where it should be")
        return start, end, offset & ~_OFFSET

    def _rows(self, definition: Definition, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        known = {column.name: column for column in definition.columns}
        wanted = [known.get(name) for name in columns]
        left = _MOST_ROWS
        for number in self._pages(definition):
            page = self._page(number, _DATA)
            for row in range(struct.unpack_from("<H", page, self._layout.rows)[0]):
                start, end, marks = self._row_bounds(page, row)
                if marks & _DELETED or start == end:
                    continue
                if (left := left - 1) < 0:
                    raise _damaged(f"{definition.name} has more rows than any game's")
                yield tuple(self._values(self._followed(page, start, end, marks), wanted))

    def _followed(self, page: bytes, start: int, end: int, marks: int) -> bytes:
        """Return a row, from another page where it had no more room on its own."""
        if not marks & _ELSEWHERE:
            return page[start:end]
        row, number = page[start], int.from_bytes(page[start + 1 : start + 4], "little")
        other = self._page(number, _DATA)
        start, end, _ = self._row_bounds(other, row)
        return other[start:end]

    def _values(self, row: bytes, wanted: Sequence[_Column | None]) -> Iterator[Any]:
        base = self._layout.count
        count = int.from_bytes(row[:base], "little")
        mask = len(row) - (count + 7) // 8
        ends = self._ends(row, mask) if any(column and not column.is_fixed for column in wanted) else []
        for column in wanted:
            if column is None or column.number >= count:  # the column is younger than the row
                yield False if column is not None and column.kind == _BOOL else None
                continue
            there = bool(row[mask + column.number // 8] >> column.number % 8 & 1)
            if column.kind == _BOOL:
                yield there
            elif there and column.is_fixed:
                start = base + column.offset
                yield self._column_value(column.kind, row[start : start + column.length])
            elif there and column.variable + 1 < len(ends):
                yield self._column_value(column.kind, row[ends[column.variable] : ends[column.variable + 1]])
            else:
                yield None

    def _ends(self, row: bytes, mask: int) -> Sequence[int]:
        """Return where the values of no fixed length begin in a row, and where the last one ends."""
        if self._layout is not _JET3:
            (variables,) = struct.unpack_from("<H", row, mask - 2)
            return struct.unpack_from(f"<{variables + 1}H", row, mask - 4 - 2 * variables)[::-1]
        variables, jumps = row[mask - 1], (len(row) - 1) // 256
        last = mask - 2 - jumps
        jumps -= (last - variables) // 256 < jumps
        jumped = [row[mask - 2 - jump] for jump in range(jumps)]
        ends = row[last - variables : last + 1][::-1]
        return [end + 256 * sum(at >= each for each in jumped) for at, end in enumerate(ends)]

    def _column_value(self, kind: int, data: bytes) -> Any:
        if kind == _TEXT:
            return self._decoded(data)
        if kind not in _NUMBERS:
            return None
        value = struct.unpack(_NUMBERS[kind], data)[0]
        return _EPOCH + timedelta(days=value) if kind == _TIME else value

    def _decoded(self, data: bytes) -> str:
        """Return a text; in Jet 4 after two marks its signs have a byte each, and in turn two after each zero."""
        if self._layout is _JET3:
            return data.decode(self._code_page, "replace")
        if not data.startswith(b"\xff\xfe"):
            return data.decode("utf-16-le", "replace")
        parts = data[2:].split(b"\0")
        return "".join(each.decode(("latin-1", "utf-16-le")[n % 2], "replace") for n, each in enumerate(parts))


def _set_bits(bits: bytes, first: int) -> Iterator[int]:
    for n, byte in enumerate(bits):
        if byte:
            yield from (first + 8 * n + bit for bit in range(8) if byte >> bit & 1)


def _damaged(what: str) -> FormatError:
    return FormatError(f"this database is damaged, or not whole: {what}", hint="copy it from the club's computer again")
