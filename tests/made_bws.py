"""Databases of Access 97 (Jet 3) and 2000 (Jet 4) as the table devices have them: as small as the layout admits.

A page of 2048 or 4096 bytes each: the head, the list of tables on page 2, and of every table its definition, the map of
its pages, and one page for so many rows as fit.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
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
    """Return the first page; version 0 is that of Jet 3, 1 of Jet 4."""
    page = bytearray(PAGE << (version == 1))
    page[:20] = b"\x00\x01\x00\x00Standard Jet DB\x00"
    page[0x14] = version
    struct.pack_into("<HI", page, 0x3C, code_page, key)
    for at, each in zip(range(0x18, 0x18 + 126 + 2 * (version == 1)), keystream(), strict=False):
        page[at] ^= each
    return bytes(page)


def text(value: str, jet: int) -> bytes:
    """Return a text as it is in a row: in Jet 4 after a mark runs of one byte a sign and of two, parted by zeros.

    Without the mark all signs have two bytes: so are those texts that have a byte of zero in a sign above 255.
    """
    if jet == 3:
        return value.encode("cp1252")
    if not value or any(ord(sign) > 255 and ord(sign) % 256 == 0 for sign in value):
        return value.encode("utf-16-le")
    runs = [("", 0)] * (ord(value[0]) > 255) + [
        ("".join(run), wide) for wide, run in groupby(value, lambda s: s > "\xff")
    ]
    return b"\xff\xfe" + b"\0".join(run.encode("utf-16-le" if wide else "latin-1") for run, wide in runs)


def row(columns: Mapping[str, int], values: Mapping[str, Any], jet: int = 3) -> bytes:
    """Return a row: its number of columns, what is of fixed length, the texts, where they end, and what is there."""
    fixed, texts, ends, mask = b"", b"", [], 0
    count = "<B" if jet == 3 else "<H"
    base = struct.calcsize(count) + sum(SIZES[kind] for kind in columns.values() if kind != TEXT)
    for place, (name, kind) in enumerate(columns.items()):
        value = values.get(name)
        mask |= bool(value if kind == BOOL else value is not None) << place
        if kind == TEXT:
            ends.append(base + len(texts))
            texts += text(value or "", jet)
        elif kind == TIME:
            day = (value - datetime(1899, 12, 30)).total_seconds() / 86400 if value else 0
            fixed += struct.pack("<d", day)
        elif kind != BOOL:
            fixed += struct.pack("<h" if kind == SHORT else "<i", value or 0)
    ends.append(base + len(texts))
    whole = struct.pack(count, len(columns)) + fixed + texts
    assert jet == 4 or len(whole) < 200, "longer rows have another layout"
    whole += b"".join(struct.pack(count, each) for each in [*reversed(ends), len(ends) - 1])
    return whole + mask.to_bytes((len(columns) + 7) // 8, "little")


def data_page(owner: int, rows: Sequence[bytes], marks: Sequence[int] = (), jet: int = 3) -> bytes:
    """Return a page of rows, which are laid from its end; marks: of each row."""
    end = PAGE << (jet == 4)
    page, at = bytearray(end), 8 if jet == 3 else 12
    struct.pack_into("<BBHI", page, 0, 1, 1, 0, owner)
    struct.pack_into("<H", page, at, len(rows))
    for place, each in enumerate(rows):
        end -= len(each)
        page[end : end + len(each)] = each
        struct.pack_into("<H", page, at + 2 + 2 * place, end | (marks[place] if place < len(marks) else 0))
    assert end > at + 2 + 2 * len(rows), "too many rows for a page"
    return bytes(page)


def definition(columns: Mapping[str, int], rows: int, map_page: int, jet: int = 3) -> bytes:
    """Return a table's definition."""
    page = bytearray(PAGE << (jet == 4))
    struct.pack_into("<BBH", page, 0, 2, 1, 0x4356)
    at, fixed, variable = (43, 0, 0) if jet == 3 else (63, 0, 0)
    struct.pack_into("<I", page, 12 if jet == 3 else 16, rows)
    struct.pack_into("<BHHH", page, at - 23, 0x4E, len(columns), list(columns.values()).count(TEXT), len(columns))
    struct.pack_into("<II", page, at - 8, map_page << 8, map_page << 8)
    for place, kind in enumerate(columns.values()):
        struct.pack_into("<BHH" if jet == 3 else "<B4xHH", page, at, kind, place, variable)
        page[at + (13 if jet == 3 else 15)] = kind != TEXT
        struct.pack_into("<HH", page, at + (14 if jet == 3 else 21), fixed, SIZES.get(kind, 255))
        variable += kind == TEXT
        fixed += SIZES.get(kind, 0)
        at += 18 if jet == 3 else 25
    for name in columns:
        own_name = name.encode() if jet == 3 else name.encode("utf-16-le")
        counted = struct.pack("<B" if jet == 3 else "<H", len(own_name)) + own_name
        page[at : at + len(counted)] = counted
        at += len(counted)
    return bytes(page)


def page_map(pages: Sequence[int], jet: int = 3) -> bytes:
    """Return the page with the map of a table's pages: a bit for each, from page 0 on."""
    bits = bytearray(64)
    for page in pages:
        bits[page // 8] |= 1 << page % 8
    return data_page(0, [b"\x00" + struct.pack("<I", 0) + bytes(bits)], jet=jet)


def database(
    tables: Mapping[str, tuple[Mapping[str, int], Rows]], *, per_page: int = 20, jet: int = 3, **of_head: int
) -> bytes:
    """Return a database with some tables, each its columns and rows."""
    pages = [head(**{"version": jet - 3, **of_head}), bytes(PAGE << (jet == 4))]
    catalogue = {"Id": LONG, "Name": TEXT, "Type": SHORT, "Flags": LONG, "LvProp": TEXT}
    pages += [definition(catalogue, len(tables), 3, jet), page_map([4], jet), b""]
    listed = []
    for name, (columns, rows) in tables.items():
        own = len(pages)
        chunks = [rows[at : at + per_page] for at in range(0, len(rows), per_page)]
        pages += [definition(columns, len(rows), own + 1, jet), page_map(range(own + 2, own + 2 + len(chunks)), jet)]
        pages += [data_page(own, [row(columns, each, jet) for each in chunk], jet=jet) for chunk in chunks]
        listed.append(row(catalogue, {"Id": own, "Name": name, "Type": 1, "Flags": 0}, jet))
    pages[4] = data_page(2, listed, jet=jet)
    return b"".join(pages)
