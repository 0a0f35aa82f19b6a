"""What a reader took the columns and titles of a file for, and why: for people, who see whether it is right."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from resultproc.model.frames import CONTESTANTS

SECTION_AND_DIRECTION = ("section", "direction")
"""The columns that headings, and names of sheets, may tell of all rows."""

BY_HEADING = "by its heading"
UNKNOWN_HEADING = "its heading is the name of no column"


class Taken(NamedTuple):
    """What a column was taken for."""

    head: str  # its heading, empty where it has none
    meaning: str  # in the words of the game, empty where it stays open
    why: str  # what showed it


class ListRead(NamedTuple):
    """A list of contestants in a file: where it begins, and what its columns were taken for."""

    where: str
    columns: tuple[Taken, ...]


class Told(NamedTuple):
    """What a title, heading or name of a sheet tells of the game, or of those below it."""

    key: str  # the game key, or ``section`` or ``direction``
    value: str  # what it is
    where: str  # where that is told
    text: str  # all that is said there


def told_seats(seats: Mapping[str, str], where: str, text: str) -> list[Told]:
    """Return what a heading tells of those below it: the section and direction, by column."""
    return [Told(name, value, where, text) for name, value in seats.items()]


class Understood(NamedTuple):
    """What was understood of a file.

    format: the title of the format that was recognised.
    lists: what columns were taken for; none for a format whose columns are known.
    told: what titles and headings said.
    """

    format: str = ""
    lists: tuple[ListRead, ...] = ()
    told: tuple[Told, ...] = ()

    def as_declared(self, format: str, declared: Mapping[str, tuple[object, str]], known: Container[str]) -> Understood:
        """Return the same of a format, with what the file declares; titles that say otherwise are left out.

        format: its title.
        declared: what the file declares, by key: the value, and where it is.
        known: the keys that are known of its games.
        """
        texts = {(each.key, each.where): each.text for each in self.told}
        said = [Told(key, str(value), at, texts.get((key, at), "")) for key, (value, at) in declared.items()]
        kept = [
            each
            for each in self.told
            if each.key in SECTION_AND_DIRECTION or (each.key in known and each.key not in declared)
        ]
        return self._replace(format=format, told=(*said, *kept))


def joined_understood(above: Iterable[Told], *parts: Understood) -> Understood:
    """Return what was understood of the parts of a file; of a key that several titles tell the first counts.

    above: what the titles above them tell.
    """
    told: dict[tuple[str, ...], Told] = {}
    for each in (*above, *(each for part in parts for each in part.told)):
        told.setdefault((each.key, each.where, each.value) if each.key in SECTION_AND_DIRECTION else (each.key,), each)
    return Understood(lists=tuple(each for part in parts for each in part.lists), told=tuple(told.values()))


def meaning_of(column: str) -> str:
    """Return what a column of the contestants is called in the words of the game: ``holding of player 1``."""
    name, _, stratum = column.partition(" ")
    declared = CONTESTANTS.column(name)
    if declared is None:
        return name
    words = declared.heading.lower().replace("pct", "percentage")
    if declared.numbered:
        number = name.removeprefix(declared.family)
        words = f"{words} of player {number}" if declared.of_players and words != "player" else f"{words} {number}"
    return f"{words} in stratum {stratum}" if stratum else words
