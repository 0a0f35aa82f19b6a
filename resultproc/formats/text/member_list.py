"""The list of members below a sheet's listings: of each player what listings do not show."""

from __future__ import annotations

from collections.abc import Iterable

from resultproc.formats.common.rows import Cell
from resultproc.formats.text.labels import TOKEN
from resultproc.formats.text.rows import unquoted, value_of
from resultproc.model.columns import Place
from resultproc.model.errors import InputError
from resultproc.model.frames import CONTESTANTS

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
