"""The comparison group: what the ladder of its awards may depend on.

Each rulebook names the fields that its ladders depend on; groups that agree in these have one ladder. A frame of
groups holds a field in a column of the same name, the game's keys as they are declared; :class:`Group` takes them
apart, each distinct text once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from resultproc.model.arrays import Ints, distinct_rows
from resultproc.model.basis import Basis
from resultproc.model.frames import plain
from resultproc.model.game import parse_tables_by_limit


class TablesUpTo(NamedTuple):
    """The tables of an event: its upper limit, infinite for an open one, and 0 where it is not said."""

    limit: float
    tables: Fraction


@dataclass(frozen=True, slots=True)
class Group:
    """A comparison group. It has the fields that its rulebook names; any other raises AttributeError.

    basis: what is compared. level: the stratum's place in the game, 0 the top. limit: the stratum's upper limit, never
    above the event's. event_limit: the event's own. top_limit, lowest_limit: those of its top and its lowest stratum.
    size: contestants in direct comparison, by the tables where the regulations say so. ranked: those actually ranked.
    entered: all who entered the stratum, eligible for the ranks or not.
    tables: of the group's sections, half tables as they are. one_winner: whether N-S and E-W are compared together.
    has_overall: whether its game is compared overall as well. stratum_tables: the tables that the stratum's contestants
    would fill, in the whole event; event_tables: those of the event, as the rules count halves. credit: what is
    credited of other games. ranked_by: the paths of the values by which so small a stratum is ranked.
    half_tables: whether the event has some, and its tables count; section_tables: whether those of the section alone
    are others than those of the event. wins: the matches won of each place, where these are compared, as
    :mod:`resultproc.rulebooks.common.factors` packs them. players, power: so many players, and the sum of a power of
    their holdings in billionths; unknown: the contestants with a player whose holding is not known. floor_limit: the
    limit that decides which small holdings count as larger. rulebook_named: whether the game names its rulebook, and
    does not go by the one of its day. The others are game keys: numbers, 0 for none; words; None where nothing is
    declared.
    """

    basis: Basis
    level: int
    limit: float
    event_limit: float
    top_limit: float
    lowest_limit: float
    size: int
    ranked: int
    entered: int
    tables: Fraction
    one_winner: bool
    has_overall: bool
    stratum_tables: int
    event_tables: int
    credit: int
    ranked_by: str
    half_tables: bool
    section_tables: bool
    wins: bytes
    players: int
    power: int
    unknown: str
    floor_limit: float
    rating: str
    rulebook_named: bool
    event_type: str
    sessions: int
    boards: int
    session_boards: tuple[int, ...]
    restrictions: frozenset[str]
    special: frozenset[str]
    flight: str
    bracket: int
    lower_tables: tuple[TablesUpTo, ...] | None
    concurrent_tables: tuple[TablesUpTo, ...]
    other_site_tables: tuple[TablesUpTo, ...]
    session_tables: tuple[Fraction, ...]
    cuts: tuple[int, ...]
    championship: str

    def is_special(self, *kinds: str) -> bool:
        """Return whether any special word is, or ends in, one of the kinds: acbl-wide-charity is a charity game."""
        return has_kind(self.special, *kinds)


def has_kind(special: frozenset[str], *kinds: str) -> bool:
    """Return whether any of some special words is, or ends in, one of the kinds."""
    return any(word == kind or word.endswith(f"-{kind}") for word in special for kind in kinds)


@dataclass(frozen=True)
class Groups:
    """Many comparison groups as columns, a row for each: those of the fields that their rulebook names."""

    frame: pd.DataFrame

    def __len__(self) -> int:
        return len(self.frame)

    def each(self) -> Iterator[Group]:
        """Yield the groups one by one."""
        for names, cells in self.cells():
            yield group_of(names, cells)

    def cells(self) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
        """Yield what :func:`group_of` makes the groups from, one by one: it tells them apart."""
        names = tuple(map(str, self.frame.columns))
        for row in zip(*plain(self.frame).values(), strict=True):
            yield names, row

    def at(self, rows: Ints) -> Groups:
        """Return some of the groups."""
        return self if len(rows) == len(self) else Groups(self.frame.iloc[rows])

    def split_fields(self, names: Sequence[str]) -> tuple[Ints, Groups, Groups]:
        """Return the groups as they are but for some fields, each distinct one once, and those fields of every group.

        The numbers come first: which of the distinct ones each group is.
        """
        rest = self.frame.drop(columns=list(names))
        number, first = distinct_rows(rest)
        return number, Groups(rest.iloc[first]), Groups(self.frame[list(names)])


def group_of(names: Sequence[str], cells: Sequence[Any]) -> Group:
    """Return the group of a row of a frame of groups, with the fields of its columns."""
    return group({name: _TAKEN_APART.get(name, _same)(cell) for name, cell in zip(names, cells, strict=True)})


def group(fields: Mapping[str, object]) -> Group:
    """Return a group that has some fields and no others."""
    made: Group = object.__new__(Group)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def _same(cell: Any) -> object:
    return cell


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else ""


def _number(cell: Any) -> int:
    return 0 if pd.isna(cell) else int(cell)


@cache
def _split_words(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(", ")))


def declared_words(cell: Any) -> frozenset[str]:
    """Return the words of a declared list, none where nothing is declared."""
    return _split_words(_text(cell))


@cache
def _tables_up_to(text: str) -> tuple[TablesUpTo, ...]:
    return tuple(TablesUpTo(limit, Fraction(tables)) for limit, tables in parse_tables_by_limit(text)) if text else ()


def tables_up_to(cell: Any) -> tuple[TablesUpTo, ...]:
    """Return the tables of each event in ``open=20, 300=6``; none for ``none`` and where nothing is declared."""
    return _tables_up_to(_text(cell))


def _declared_tables(cell: Any) -> tuple[TablesUpTo, ...] | None:
    return tables_up_to(cell) if isinstance(cell, str) else None


def _fractions(text: str) -> tuple[Fraction, ...]:
    # Each number once: of the matches that teams won there are few, but every event has others together.
    return tuple(map(_fraction, text.split(", "))) if text else ()


_fraction = cache(Fraction)


@cache
def _counts(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(", ")) if text else ()


_Take = Callable[[Any], object]

_TAKEN_APART: Mapping[str, _Take] = {
    "basis": lambda cell: Basis.parse(str(cell)),
    "tables": Fraction,
    **dict.fromkeys(("level", "size", "ranked", "stratum_tables", "event_tables", "credit"), int),
    "entered": int,
    **dict.fromkeys(("players", "power"), int),
    "rulebook_named": bool,
    "ranked_by": _text,
    **dict.fromkeys(("half_tables", "section_tables"), bool),
    "rating": _text,
    "event_type": _text,
    "sessions": _number,
    "boards": _number,
    "restrictions": declared_words,
    "special": declared_words,
    "flight": _text,
    "bracket": lambda cell: int(_text(cell) or 0),
    "lower_tables": _declared_tables,
    "concurrent_tables": tables_up_to,
    "other_site_tables": tables_up_to,
    "session_tables": lambda cell: _fractions(_text(cell)),
    "cuts": lambda cell: _counts(_text(cell)),
    "session_boards": lambda cell: _counts(_text(cell)),
    "championship": _text,
}

GAME_FIELDS: Sequence[str] = (
    "rating",
    "rulebook_named",
    "event_type",
    "sessions",
    "boards",
    "session_boards",
    "strata",
    "restrictions",
    "special",
    "flight",
    "bracket",
    "lower_tables",
    "concurrent_tables",
    "other_site_tables",
    "session_tables",
    "cuts",
    "championship",
)
"""What a group has of its game: keys as declared, besides the event's limit."""
