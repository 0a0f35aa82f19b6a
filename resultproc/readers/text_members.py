"""The list of members below a sheet's listings: their numbers and holdings, which listings do not show."""

from __future__ import annotations

from collections.abc import Iterable

from resultproc.errors import InputError
from resultproc.readers.table import Cell, number
from resultproc.readers.text_columns import TOKEN
from resultproc.readers.text_rows import unquoted

HEADER = ("Section", "Direction", "Number", "Member", "Holding", "Name")
"""The labels of the list. Its rows have a text for each, ``-`` for none; the players of a contestant stand in order."""


def is_members(line: str) -> bool:
    """Return whether a line is the header of a list of members."""
    return tuple(line.split()) == HEADER


def add_members(rows: Iterable[Cell], records: list[dict[str, object]]) -> None:
    """Add to the contestants of a game what the list says of their players; the names in it are for the reader's eye.

    Raises InputError for a row of another shape and for a contestant that no listing has.
    """
    listed = {(r["section"], r.get("direction"), r["number"]): r for r in records}
    seats: dict[int, int] = {}
    for row in rows:
        texts = TOKEN.findall(row.text)
        if len(texts) < len(HEADER):
            raise InputError("the row has not all columns of the list of members", row.where, "write - for none")
        section, direction, place, member, holding = (None if t == "-" else unquoted(t) for t in texts[:5])
        record = listed.get((section, direction, place))
        if record is None:
            raise InputError(f"no listing above has the contestant {' '.join(texts[:3])}", row.where, "mend the row")
        seat = seats[id(record)] = seats.get(id(record), 0) + 1
        if member is not None:
            record[f"id{seat}"] = member
        if holding is not None:
            record[f"mp{seat}"] = _holding(holding, row.where)


def _holding(text: str, where: str) -> float:
    try:
        value = number(text)
    except ValueError as error:
        raise InputError(str(error), where) from None
    if value < 0:
        raise InputError(f"a holding of {text} cannot be", where, "write 0 or more")
    return value
