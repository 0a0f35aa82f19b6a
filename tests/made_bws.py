"""Databases of Jet 3 as the table devices have them, made up: as small as the layout admits.

A page of 2048 bytes each: the head, the list of tables on page 2, and of every table its definition, the map of its
pages, and one page for so many rows as fit.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

PAGE = 2048
MASK = b"\xc7\xda\x39\x6b"
BOOL, SHORT, LONG, TIME, TEXT = 1, 3, 4, 8, 10
SIZES = {BOOL: 0, SHORT: 2, LONG: 4, TIME: 8}

SECTION = {"ID": LONG, "Letter": TEXT, "Tables": SHORT, "MissingPair": SHORT, "ScoringType": SHORT, "Winners": SHORT}
RECEIVED = {
    **{"ID": LONG, "Section": LONG, "Table": SHORT, "Round": SHORT, "Board": SHORT, "PairNS": SHORT, "PairEW": SHORT},
    **{"Declarer": SHORT, "NS/EW": TEXT, "Contract": TEXT, "Result": TEXT, "LeadCard": TEXT, "Remarks": TEXT},
    **{"DateLog": TIME, "Erased": BOOL},
}
ROUNDS = {"Section": LONG, "Table": SHORT, "Round": SHORT, "NSPair": SHORT, "EWPair": SHORT}
NUMBERS = {"Section": LONG, "Table": SHORT, "Direction": TEXT, "Number": TEXT, "Name": TEXT, "Round": SHORT}
NAMES = {"ID": LONG, "Name": TEXT, "strID": TEXT}

Rows = Sequence[Mapping[str, Any]]


def keystream() -> Iterator[int]:
    """Yield what RC4 masks the head with."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + MASK[i % 4]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0
    while True:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        yield state[(state[i] + state[j]) & 255]


def head(*, version: int = 0, key: int = 0, code_page: int = 1252) -> bytes:
    """Return the first page."""
    page = bytearray(PAGE)
    page[:20] = b"\x00\x01\x00\x00Standard Jet DB\x00"
    page[0x14] = version
    struct.pack_into("<HI", page, 0x3C, code_page, key)
    for at, each in zip(range(0x18, 0x18 + 126), keystream(), strict=False):
        page[at] ^= each
    return bytes(page)


def row(columns: Mapping[str, int], values: Mapping[str, Any]) -> bytes:
    """Return a row: its number of columns, what is of fixed length, the texts, where they end, and what is there."""
    fixed, texts, ends, mask = b"", b"", [], 0
    base = 1 + sum(SIZES[kind] for kind in columns.values() if kind != TEXT)
    for place, (name, kind) in enumerate(columns.items()):
        value = values.get(name)
        mask |= bool(value if kind == BOOL else value is not None) << place
        if kind == TEXT:
            ends.append(base + len(texts))
            texts += (value or "").encode("cp1252")
        elif kind == TIME:
            day = (value - datetime(1899, 12, 30)).total_seconds() / 86400 if value else 0
            fixed += struct.pack("<d", day)
        elif kind != BOOL:
            fixed += struct.pack("<h" if kind == SHORT else "<i", value or 0)
    ends.append(base + len(texts))
    whole = bytes([len(columns)]) + fixed + texts
    assert len(whole) < 200, "longer rows have another layout"
    return whole + bytes(reversed(ends)) + bytes([len(ends) - 1]) + mask.to_bytes((len(columns) + 7) // 8, "little")


def data_page(owner: int, rows: Sequence[bytes], marks: Sequence[int] = ()) -> bytes:
    """Return a page of rows, which are laid from its end; marks: of each row."""
    page, end = bytearray(PAGE), PAGE
    struct.pack_into("<BBHIH", page, 0, 1, 1, 0, owner, len(rows))
    for place, each in enumerate(rows):
        end -= len(each)
        page[end : end + len(each)] = each
        struct.pack_into("<H", page, 10 + 2 * place, end | (marks[place] if place < len(marks) else 0))
    assert end > 10 + 2 * len(rows), "too many rows for a page"
    return bytes(page)


def definition(columns: Mapping[str, int], rows: int, map_page: int) -> bytes:
    """Return a table's definition."""
    page = bytearray(PAGE)
    struct.pack_into("<BBH", page, 0, 2, 1, 0x4356)
    struct.pack_into("<I", page, 12, rows)
    struct.pack_into("<H", page, 25, len(columns))
    page[35:39] = bytes([0]) + map_page.to_bytes(3, "little")
    at, fixed, variable = 43, 0, 0
    for place, kind in enumerate(columns.values()):
        struct.pack_into("<BHH", page, at, kind, place, variable)
        struct.pack_into("<BHH", page, at + 13, kind != TEXT, fixed, SIZES.get(kind, 255))
        variable += kind == TEXT
        fixed += SIZES.get(kind, 0)
        at += 18
    for name in columns:
        page[at] = len(name)
        page[at + 1 : at + 1 + len(name)] = name.encode()
        at += 1 + len(name)
    return bytes(page)


def page_map(pages: Sequence[int]) -> bytes:
    """Return the page with the map of a table's pages: a bit for each, from page 0 on."""
    bits = bytearray(64)
    for page in pages:
        bits[page // 8] |= 1 << page % 8
    return data_page(0, [b"\x00" + struct.pack("<I", 0) + bytes(bits)])


def database(tables: Mapping[str, tuple[Mapping[str, int], Rows]], *, per_page: int = 20, **of_head: int) -> bytes:
    """Return a database with some tables, each its columns and rows."""
    pages = [head(**of_head), bytes(PAGE)]
    catalogue = {"Id": LONG, "Name": TEXT, "Type": SHORT}
    pages += [definition(catalogue, len(tables), 3), page_map([4]), b""]
    listed = []
    for name, (columns, rows) in tables.items():
        own = len(pages)
        chunks = [rows[at : at + per_page] for at in range(0, len(rows), per_page)]
        pages += [definition(columns, len(rows), own + 1), page_map(range(own + 2, own + 2 + len(chunks)))]
        pages += [data_page(own, [row(columns, each) for each in chunk]) for chunk in chunks]
        listed.append(row(catalogue, {"Id": own, "Name": name, "Type": 1}))
    pages[4] = data_page(2, listed)
    return b"".join(pages)
