"""The columns of frames, each declared once, in ``frames.toml``.

Readers and writers of every format, the JSON Schema and the tables of the documents follow from the declaration of a
contestants' column: a new one needs no other place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from resultproc.model.keys import KEYS
from resultproc.model.toml import toml_beside
from resultproc.model.values import BY_DTYPE, KINDS, TEXT, ValueKind


class ShownIn(StrEnum):
    """Where listings and pages, which are made for people, show a column of the contestants.

    COLUMN: in a column of its own, where it holds anything.
    MEMBERS: for single players, in a listing's list of members.
    LISTED: as COLUMN in listings; pages and sheets have a place of their own for it.
    OWN: in a place that each format has for it, such as the names, or nowhere.
    """

    COLUMN = "column"
    LISTED = "listed"
    MEMBERS = "members"
    OWN = "own"


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a frame. What follows its unit is for the readers and writers of contestants."""

    name: str  # ``{n}`` stands for one per player, session or round
    dtype: str  # for pandas
    meaning: str  # in the words of the game, for documents
    required: bool = False  # else it may be absent from a frame, and is then added, empty
    unit: str = ""  # that its values are written in, empty for none
    kind: ValueKind = TEXT  # what its values are, where the dtype does not tell
    heading: str = ""  # in a spreadsheet, else the name
    short: str = ""  # in listings and pages, else the heading
    on_page: str = ""  # in pages, else as ``short``
    synonyms: tuple[str, ...] = ()  # what else a header may call it (letter case, blanks and underscores do not matter)
    per_stratum: str = ""  # how a column of ranks in one stratum is headed (its letter follows)
    together: tuple[str, ...] = ()  # how one column of all names is headed
    second: tuple[str, ...] = ()  # how the second player's column is headed, and how others of that player begin
    beside_score: tuple[str, ...] = ()  # what else it may be called beside a score; else the word means the score
    json: str = ""  # where it is in a contestant of the JSON, else under its name; ``[]`` is one per number, - nowhere
    shown: ShownIn = ShownIn.COLUMN  # where listings and pages show it, in this order among others
    order: int = 50
    computed: str = ""  # what CSV calls it where it was computed, and not read

    def __post_init__(self) -> None:
        """Fill in what was left to follow from the rest."""
        heading = self.heading or self.family.replace("_", " ").capitalize()
        short = self.short or heading
        filled = {
            "kind": BY_DTYPE.get(self.dtype, TEXT) if self.kind is TEXT else self.kind,
            "heading": heading,
            "short": short,
            "on_page": self.on_page or short,
            "json": self.json or (f"{self.family}s[]" if self.numbered else self.name),
        }
        for name, value in filled.items():
            object.__setattr__(self, name, value)

    @property
    def numbered(self) -> bool:
        """Whether the name stands for a family: player1, player2, ..."""
        return "{n}" in self.name

    @property
    def family(self) -> str:
        """The name without its number."""
        return self.name.replace("{n}", "")

    @property
    def of_players(self) -> bool:
        """Whether each player has one."""
        return self.json.startswith("players[]")

    @property
    def described(self) -> str:
        """The meaning with the unit."""
        return f"{self.meaning}, in {self.unit}" if self.unit else self.meaning

    def matches(self, name: str) -> bool:
        """Say whether ``name`` is this column or one of its family."""
        if not self.numbered:
            return name == self.name
        return name.startswith(self.family) and _NUMBER.fullmatch(name, len(self.family)) is not None

    def of(self, number: int) -> str:
        """Return the name of the family's column with a number."""
        return f"{self.family}{number}"

    def words(self) -> tuple[str, ...]:
        """Return what a header may call it, without its number."""
        return (self.family, self.heading, *self.synonyms)


_NUMBER = re.compile("[1-9][0-9]?")
"""The number of a column in its family."""

_FRAMES = toml_beside(__file__, "frames.toml")


def columns_of(frame: str) -> tuple[Column, ...]:
    """Return the columns that ``frames.toml`` declares of a frame."""
    return tuple(_column(name, **said) for name, said in _FRAMES[frame].items())


def _column(name: str, dtype: str = "str", kind: str = "", shown: str = "column", **said: Any) -> Column:
    more: dict[str, Any] = {each: tuple(value) if isinstance(value, list) else value for each, value in said.items()}
    return Column(name, dtype, kind=KINDS[kind] if kind else TEXT, shown=ShownIn(shown), **more)


_GAME = columns_of("games")
GAME_COLUMNS = (*_GAME[:2], *(Column(key.name, key.dtype, key.meaning) for key in KEYS.values()), *_GAME[2:])
CONTESTANT_COLUMNS = columns_of("contestants")
