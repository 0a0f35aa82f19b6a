"""Where each column of the contestants is in the JSON, as :mod:`resultproc.model.columns` declares it."""

from __future__ import annotations

from typing import NamedTuple

from resultproc.model.columns import Column
from resultproc.model.frames import CONTESTANTS

ALWAYS = ("section", "direction", "number", "players", "score", "percentage", "stratum", "eligible")
"""What is in every contestant, first and in this order, null where there is nothing; all else where there is."""


class Spot(NamedTuple):
    """Where a column is.

    part: the list or object of the contestant that holds it, empty where the contestant does itself. name: in that;
    empty in a list of bare values. numbered: whether the part is a list, with an entry per number.
    """

    column: Column
    part: str
    name: str
    numbered: bool


def _spot(column: Column) -> Spot:
    first, listed, last = column.json.partition("[]")
    if listed:
        return Spot(column, first, last.removeprefix("."), numbered=True)
    part, _, name = column.json.rpartition(".")
    return Spot(column, part, name, numbered=False)


SPOTS = tuple(_spot(column) for column in CONTESTANTS.columns if column.json != "-")
"""Every column that the JSON has."""


def _order(part: str) -> tuple[int, int]:
    if part in ALWAYS:
        return -1, ALWAYS.index(part)
    return (1, 0) if part == "printed" else (0, min(s.column.order for s in SPOTS if (s.part or s.name) == part))


PARTS = {
    part: [spot for spot in SPOTS if (spot.part or spot.name) == part]
    for part in sorted(dict.fromkeys(spot.part or spot.name for spot in SPOTS), key=_order)
}
"""The columns of every part of a contestant, in the order in which the JSON has them."""
