"""The lines of a report, bare or in the ``<pre>`` of a saved web page, and what each is: keys, a header, a row, text.

Below the listings of a game there may be a list of members: of each player what listings do not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from resultproc.formats.common.rows import Cell
from resultproc.formats.registry import decode
from resultproc.formats.text.listing import TOKEN, is_listing_header, unquoted, value_of
from resultproc.model.columns import Place
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import CONTESTANTS

SECTION = re.compile(r'.*?\bSection\s+("(?:[^"]|"")*"|\S.*?)(?:\s+(North-South|East-West))?\s*')
_STRAY = re.compile(r"\s*(?:[A-Z]{1,2}\s+)?[0-9]{1,4}\s+-?[0-9]{1,6}\.[0-9]{1,2}\s.*\S - \S")


def kind(line: str) -> str:
    """Return what a line is by itself: ``blank``, ``keys``, ``header``, ``members``' header, ``row`` or ``text``."""
    if not line.strip():
        return "blank"
    if line.lstrip().startswith("#"):
        return "keys"
    if is_listing_header(line):
        return "header"
    if is_members(line):
        return "members"
    return "row" if _STRAY.match(line) else "text"


def has_listing(head: bytes) -> bool:
    """Say whether there is a listing's header with a section above it."""
    try:
        lines = [line.text for line in report_lines(decode(head).replace("\f", "\n")) if line.text.strip()]
    except FormatError:
        return False
    return any(is_listing_header(line) and SECTION.fullmatch(above) for above, line in pairwise(lines))


_PRE = re.compile(r"</?pre\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>(\n?)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_BROKEN = "\v"


def report_lines(text: str) -> list[Cell]:
    """Return the lines of a report; of a web page those in its ``<pre>`` elements, without tags and entities."""
    if _PRE.search(text) is None:
        return [Cell(line, f"line {number}") for number, line in enumerate(text.split("\n"), 1)]
    import html

    parts = _PRE.split(text)
    # Parts are by turns outside and inside; what is outside keeps its line ends, so that lines can be counted.
    shown = "".join(_inside(part) if i % 2 else "\n" * part.count("\n") for i, part in enumerate(parts))
    return [
        Cell(html.unescape(part).replace("\xa0", " "), f"line {number}")
        for number, line in enumerate(shown.split("\n"), 1)
        for part in line.split(_BROKEN)
    ]


def _inside(text: str) -> str:
    return _TAG.sub("", _BREAK.sub(lambda found: found[1] or _BROKEN, text))


SEAT = ("Section", "Direction", "Number")
"""The labels that the list begins with. It ends with ``Name``."""

FIELDS = {column.short: column.family for column in CONTESTANTS.columns if column.place is Place.MEMBERS}
"""The labels between them, and the contestants' columns of players that they fill. The rows of the list have a text for
each label, ``-`` for none; the players of a contestant are in order."""


def is_members(line: str) -> bool:
    """Return whether a line is the header of a list of members."""
    return tuple(line.split()) == (*SEAT, *_fields(line), "Name")


def _fields(line: str) -> list[str]:
    """Return the labels of a header between the first ones and the last."""
    return [label for label in FIELDS if label in line.split()]


def add_members(header: Cell, rows: Iterable[Cell], records: list[dict[str, object]]) -> None:
    """Add to the contestants of a game what the list says of their players; the names in it are for the reader's eye.

    Raises InputError for a row of another shape and for a contestant that no listing has.
    """
    listed = {(r["section"], r.get("direction"), r["number"]): r for r in records}
    seats: dict[int, int] = {}
    fields = _fields(header.text)
    for row in rows:
        texts = TOKEN.findall(row.text)
        if len(texts) <= len(SEAT) + len(fields):
            raise InputError("this row lacks columns of the list of members", row.where, "write - for an empty one")
        section, direction, place = (None if text == "-" else unquoted(text) for text in texts[: len(SEAT)])
        record = listed.get((section, direction, place))
        if record is None:
            raise InputError(f"no listing above has the contestant {' '.join(texts[:3])}", row.where, "correct the row")
        seat = seats[id(record)] = seats.get(id(record), 0) + 1
        for label, text in zip(fields, texts[len(SEAT) :], strict=False):
            if text != "-":
                record |= value_of(f"{FIELDS[label]}{seat}", text, row.where)
