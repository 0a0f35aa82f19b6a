"""The comparison group: what the ladder of its awards may depend on, who is in it, and what its places pay.

Each rulebook names the fields that its ladders depend on; groups that agree in these have one ladder. A frame of
groups holds a field in a column of the same name, the game's keys as they are declared; :class:`Group` has them
as values, each distinct text read once.
What the awards of a knockout team depend on is how far it came, and the brackets of its event. Every bracket's awards
depend on the one above it and the ones below. So the standings of knockouts carry all the brackets, as columns: see
:class:`Knockouts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Floats, Ints, expand_counts, plain, select_rows
from resultproc.model.basis import Basis
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.game import parse_tables_by_limit
from resultproc.model.provenance import Values
from resultproc.model.text import text_there

_T = TypeVar("_T")


class TablesUpTo(NamedTuple):
    """The tables of an event: its upper limit, infinite for an open one, and 0 where it is not said."""

    limit: float
    tables: Fraction


def _listed(cell: Any) -> list[str]:
    return text_there(cell).split(", ") if text_there(cell) else []


def declared_words(cell: Any) -> frozenset[str]:
    """Return the words of a declared list, none where nothing is declared."""
    return frozenset(_listed(cell))


@cache
def tables_up_to(cell: Any) -> tuple[TablesUpTo, ...]:
    """Return the tables of each event in ``open=20, 300=6``; none for ``none`` and where nothing is declared."""
    limits = parse_tables_by_limit(text_there(cell) or "none")
    return tuple(TablesUpTo(limit, Fraction(tables)) for limit, tables in limits)


def _number(cell: Any) -> int:
    return 0 if pd.isna(cell) else int(cell)


def _counts(cell: Any) -> tuple[int, ...]:
    return tuple(map(int, _listed(cell)))


@dataclass(frozen=True, slots=True)
class Group:
    """A comparison group. It has the fields that its rulebook names; any other raises AttributeError.

    The fields that are not listed here are the keys of its game, as the reference of keys describes them. Where a key
    is not declared, a number is 0, a text or list is empty, and ``lower_tables`` is None.

    basis: what is compared.
    level: the stratum's place in the game, 0 the top.
    limit: the stratum's upper limit, never above the event's.
    event_limit: the event's own upper limit.
    lowest_limit: the upper limit of the game's lowest stratum.
    size: contestants in direct comparison, by the tables where the regulations say so.
    ranked: contestants that are actually ranked.
    entered: all who entered the stratum, eligible for the ranks or not.
    tables: the tables of the group's sections, half tables as they are.
    one_winner: whether N-S and E-W are compared together.
    has_overall: whether its game is compared overall as well.
    stratum_tables: the tables that the stratum's contestants would fill, in the whole event.
    unfilled: the part of a table that they lack to fill so many, for which a half one counts as whole.
    event_tables: the tables of the event, as the rules count halves.
    credit: the tables of other games that are credited.
    ranked_by: the paths of the values that let a small stratum be ranked, such as this one; empty for others.
    half_tables: whether the event has half tables that count.
    section_tables: whether the section alone has other tables than the event.
    wins: how many matches each place won, where these are compared, as ``packed`` of the rulebooks makes it.
    players: how many players there are whose holdings count.
    power: the sum of a power of the players' holdings, in billionths.
    unknown: the contestants with a player whose holding is not known.
    floor_limit: the limit that decides which small holdings count as larger.
    full_tables: the tables that are full, in the whole field.
    rulebook_named: whether the game names its rulebook, and does not go by the one of its day.
    """

    basis: Basis
    level: int
    limit: float
    event_limit: float
    lowest_limit: float
    size: int
    ranked: int
    entered: int
    tables: Fraction
    one_winner: bool
    has_overall: bool
    stratum_tables: int
    unfilled: Fraction
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
    full_tables: int
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
    flighted_tables: Fraction
    concurrent_tables: tuple[TablesUpTo, ...]
    other_site_tables: tuple[TablesUpTo, ...]
    session_tables: tuple[Fraction, ...]
    cuts: tuple[int, ...]
    championship: str
    scoring: str
    weight: Fraction
    least_award: Fraction

    def is_special(self, *kinds: str) -> bool:
        """Return whether any special word is, or ends in, one of the kinds: acbl-wide-charity is a charity game."""
        return has_kind(self.special, *kinds)


def has_kind(special: frozenset[str], *kinds: str) -> bool:
    """Return whether any of some special words is, or ends in, one of the kinds."""
    return any(word == kind or word.endswith(f"-{kind}") for word in special for kind in kinds)


@dataclass(frozen=True, eq=False)
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


def group_of(names: Sequence[str], cells: Sequence[Any]) -> Group:
    """Return the group of a row of a frame of groups, with the fields of its columns."""
    of_each = zip(names, cells, strict=True)
    return group({name: _READERS[name](cell) if name in _READERS else cell for name, cell in of_each})


def group(fields: Mapping[str, object]) -> Group:
    """Return a group that has some fields and no others."""
    made: Group = object.__new__(Group)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


_OF_GAME: Mapping[str, Callable[[Any], object]] = {
    "rating": text_there,
    "rulebook_named": bool,
    "event_type": text_there,
    "sessions": _number,
    "boards": _number,
    "session_boards": _counts,
    "restrictions": declared_words,
    "special": declared_words,
    "flight": text_there,
    "bracket": lambda cell: int(text_there(cell) or 0),
    "lower_tables": lambda cell: tables_up_to(cell) if isinstance(cell, str) else None,
    "flighted_tables": lambda cell: Fraction(text_there(cell) or 0),
    "concurrent_tables": tables_up_to,
    "other_site_tables": tables_up_to,
    "session_tables": lambda cell: tuple(map(Fraction, _listed(cell))),
    "cuts": _counts,
    "championship": text_there,
    "scoring": text_there,
    "weight": lambda cell: Fraction(text_there(cell) or 0),
    "least_award": lambda cell: Fraction(text_there(cell) or 0),
}
"""How a key of a game, as a frame has it, becomes a field of :class:`Group`."""

_PLAIN: Mapping[str, Callable[[Any], object]] = {"int": int, "Fraction": Fraction, "bool": bool}

_READERS: Mapping[str, Callable[[Any], object]] = {
    "basis": lambda cell: Basis.parse(str(cell)),
    "ranked_by": text_there,
    **{name: _PLAIN[kind] for name, kind in Group.__annotations__.items() if kind in _PLAIN},
    **_OF_GAME,
}
"""The same of all fields that are not what the frame has."""

GAME_FIELDS: Sequence[str] = (*_OF_GAME, "strata")
"""What a frame of groups has of their games: keys as declared, besides the event's limit."""


class Finish(NamedTuple):
    """Where teams of a bracket finished, and how they came there.

    A team that forfeited may have the finish of another, whose place it gets.
    """

    first: int  # the first of the places that the teams share
    last: int  # the last of them
    rounds: int  # the rounds that each team survived
    # The matches that each team won without a play-off; a round in which several teams met may count in part.
    matches: Fraction
    playoff: str = ""  # W or L for a match that was played for a further place, else ''


class Course(NamedTuple):
    """How a bracket went."""

    rounds: tuple[int, ...]  # how many teams were in each round; all that entered are in the first
    # Where its teams finished, the best first; a finish that several teams have is listed once.
    finishes: tuple[Finish, ...] = ()

    @property
    def teams(self) -> int:
        """How many teams entered."""
        return self.rounds[0]


@dataclass(frozen=True, eq=False)
class Knockouts:
    """The brackets of many knockouts, or flights, or the groups that a lowest flight was split into: one row for each.

    The rows of an event stand together, its top bracket first.
    """

    event: Ints  # the number of the bracket's event, from 0 up in the order of the rows
    place: Ints  # 0 for the top bracket; the groups of a split flight share a place, and no place between is empty
    course: Ints  # which of ``courses`` is the bracket's
    top: Floats  # the average holding per player of the bracket's top team, NaN where holdings are unknown
    average: Floats  # the average holding of all players of the bracket, NaN where holdings are unknown
    limit: Floats  # the flight's upper limit, NaN for a bracket that has none of its own
    courses: Sequence[Course]  # how brackets went
    # Where teams finished, in any bracket, or with whom they share a place by the matches that they won.
    finishes: Sequence[Finish]
    played: Ints  # per run, how far any team came: the bracket
    ended: Ints  # per run, the finish

    @property
    def teams(self) -> Ints:
        """How many teams entered each bracket."""
        return np.array([course.teams for course in self.courses], dtype=np.int64)[self.course]

    @property
    def rounds(self) -> Ints:
        """How many rounds each bracket had."""
        return np.array([len(course.rounds) for course in self.courses], dtype=np.int64)[self.course]

    @property
    def start(self) -> Ints:
        """The first bracket of each event, and the number of all brackets."""
        return np.append(np.searchsorted(self.event, np.arange(self.event.max(initial=-1) + 1)), len(self.event))

    @property
    def lowest(self) -> Ints:
        """The place of the lowest bracket of each bracket's event."""
        return np.asarray(self.place[self.start[1:] - 1][self.event], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """Some comparison groups as they are ranked, one after the other.

    The columns are those of the standings that do not follow from game and level, by name.
    """

    count: Ints  # who are ranked in each group
    of_group: dict[str, npt.NDArray[Any]]  # columns with what is the same for all of a group, a value for each group
    of_each: dict[str, npt.NDArray[Any]]  # columns with what is not, a value for each standing


class Members(NamedTuple):
    """The members of comparison groups; nothing is built before a regulation asks."""

    standings: pd.DataFrame  # those of all members
    facts: Facts  # those of their games

    def of(self, groups: pd.DataFrame) -> pd.DataFrame:
        """Return the members of some groups, one row for each: ``group`` and ``contestant``.

        groups: rows of standings. ``group`` is a place among them, ``contestant`` a row of the contestants frame.
        """
        number = self.standings["group"].to_numpy()
        place = np.full(int(number.max(initial=-1)) + 1, -1, dtype=np.int64)
        place[groups["group"].to_numpy()] = np.arange(len(groups))
        group = place[number]
        contestant = self.standings["contestant"].to_numpy()
        group, contestant = select_rows(group >= 0, group, contestant)
        return pd.DataFrame({"group": group, "contestant": contestant}, copy=False)

    def eligible(self, groups: pd.DataFrame) -> Ints:
        """Return how many are eligible for the stratum of each of some groups, in its whole game.

        groups: as for :meth:`entrants`.
        """
        of = self.entrants(groups)
        return of.sums(of.contestants["eligible"].to_numpy(dtype=np.int64))

    def entrants(self, groups: pd.DataFrame) -> Entrants:
        """Return all who entered the strata of some groups, eligible for the ranks or not.

        groups: rows of standings beside the keys of their games, one for each level that a game ranks, the top
        one always. Who is out of the ranks and has no stratum is in the top one alone.
        """
        facts, game, level = self.facts, groups["game"].to_numpy(), groups["level"].to_numpy(dtype=np.int64)
        tops = np.flatnonzero(level == 0)
        top = np.full(len(facts.games), -1, dtype=np.int64)
        top[game[tops]] = np.arange(len(tops))
        row, own, contestants = top[facts.sections.game], facts.level.clip(0), facts.contestants
        if (row < 0).any():
            contestants, own, row = contestants[row >= 0], own[row >= 0], row[row >= 0]
        levels = facts.strata.letters.shape[1]
        return Entrants(contestants, tops[row], row * levels + own, top[game] * levels + level, levels)


class Entrants(NamedTuple):
    """Who entered the strata of some groups."""

    contestants: pd.DataFrame  # their rows of the contestants frame
    top: Ints  # for each of them, the group of the top stratum of the game
    # For each of them, the number of the stratum, counted through all games with the same number of levels each.
    own: Ints
    group: Ints  # for each group, the number of its stratum in the same count
    levels: int  # how many numbers each game has

    def sums(self, values: Ints) -> Ints:
        """Return the sum of some values of those who entered each group: who is in a lower stratum is in it, too."""
        sums = np.zeros((int(self.group.max(initial=0)) // self.levels + 1) * self.levels, dtype=np.int64)
        np.add.at(sums, self.own, values)
        sums = sums.reshape(-1, self.levels)[:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.asarray(sums.ravel()[self.group], dtype=np.int64)


class Ladder(NamedTuple):
    """The awards for 1st, 2nd, ... in one comparison group.

    awards: hundredths of a masterpoint by place, as far as a tie may need them.
    depth: places that pay.
    values: those of the rulebook that made it.
    factors: what went into the first award, as a person reads it.
    exact: the awards before they are rounded, in hundredths, where ties share these; else nothing.
    """

    awards: tuple[int, ...]
    depth: int
    values: Values
    factors: str
    exact: tuple[Fraction, ...] = ()

    @property
    def rule(self) -> str:
        """The citation."""
        return self.values.rule


NO_LADDER = Ladder((), 0, Values(), "")
"""What stands for the ladder of a group that can have none."""


class Sharing(NamedTuple):
    """How contestants who tie share what the places pay that they take up: the mean of these, rounded.

    up: whether it is rounded up, and not half up.
    unit: the whole number of hundredths that it is a multiple of.
    least: whether it is no less than what the last place that pays gets.
    paid_alone: whether only those of the places count that pay.
    most: how many may tie for a place that pays; more are refused. 0 for any number.
    """

    up: bool = False
    unit: int = 1
    least: bool = False
    paid_alone: bool = False
    most: int = 0


@dataclass(frozen=True, eq=False)
class Ladders:
    """The ladders of many groups as arrays."""

    awards: Ints  # hundredths by place, one ladder after the other
    start: Ints  # where each ladder begins in ``awards``, and where the last one ends
    depth: Ints  # how many places pay, for each ladder
    values: Sequence[Values]  # those of the rulebook that made it, for each ladder
    factors: Sequence[str]  # what went into the first award, as a person reads it, for each ladder
    # What is wrong with groups that have no ladder, by their number.
    refused: Mapping[int, InputError] = field(default_factory=dict)
    exact: npt.NDArray[Any] | None = None  # the awards before they are rounded, where ties share these

    def shares(self, ladder: Ints, position: Ints, tied: Ints, sharing: Sharing) -> Ints:
        """Return what places that pay are worth in hundredths: of those that a tie takes up, the mean, rounded.

        ladder: the number of each place's ladder.
        position: the place, 1 for the first.
        """
        begin, depth = self.start[ladder], self.depth[ladder]
        start = begin + position - 1
        share: Ints = self.awards[start]
        several = np.flatnonzero(tied > 1)
        pooled = self.awards if self.exact is None else self.exact
        start, tied, running = start[several], tied[several], np.append(0, np.cumsum(pooled))
        paid = running[start + tied] - running[start]
        count = (
            np.minimum(tied, begin[several] + depth[several] - start) if sharing.paid_alone else tied
        ) * sharing.unit
        # What is not rounded yet are fractions, which have a ceiling as whole numbers have.
        mean = -(-paid // count) if sharing.up else (2 * paid + count) // (2 * count)
        share[several] = mean * sharing.unit
        if sharing.least:
            share[several] = np.maximum(share[several], self.awards[(begin + depth - 1)[several]])
        return share

    @classmethod
    def of(cls, ladders: Iterable[Ladder], refused: Mapping[int, InputError]) -> Ladders:
        """Return ladders computed one by one."""
        each = list(ladders)
        exact = [award for ladder in each for award in ladder.exact or ladder.awards]
        return cls(
            np.fromiter(chain.from_iterable(ladder.awards for ladder in each), dtype=np.int64),
            starts(np.array([len(ladder.awards) for ladder in each], dtype=np.int64)),
            np.array([ladder.depth for ladder in each], dtype=np.int64),
            [ladder.values for ladder in each],
            [ladder.factors for ladder in each],
            refused,
            np.array(exact, dtype=object) if any(ladder.exact for ladder in each) else None,
        )

    @classmethod
    def joined(cls, parts: Sequence[tuple[Ints, Ladders]]) -> Ladders:
        """Return ladders that were computed in several parts, each with the numbers that they have among all."""
        if len(parts) == 1:
            return parts[0][1]
        numbers = np.concatenate([rows for rows, _ in parts])
        order = np.argsort(numbers)
        count = np.concatenate([np.diff(part.start) for _, part in parts])
        awards = np.concatenate([part.awards for _, part in parts])
        # Mostly they are in order already: groups of one kind stand together.
        if (numbers[1:] < numbers[:-1]).any():
            begin, (of, place) = np.cumsum(count) - count, expand_counts(count[order])
            awards = awards[begin[order][of] + place]
        return cls(
            awards,
            starts(count[order]),
            np.concatenate([part.depth for _, part in parts])[order],
            taken_rows(chain.from_iterable(part.values for _, part in parts), len(order), order),
            taken_rows(chain.from_iterable(part.factors for _, part in parts), len(order), order),
            {int(rows[number]): error for rows, part in parts for number, error in part.refused.items()},
        )

    def __getitem__(self, number: int) -> Ladder:
        awards = self.awards[self.start[number] : self.start[number + 1]]
        return Ladder(tuple(awards.tolist()), int(self.depth[number]), self.values[number], self.factors[number])


def taken_rows(values: Iterable[_T], count: int, rows: Ints) -> list[_T]:
    """Return some of these values, by their numbers.

    count: how many values there are; an iterator does not tell.
    rows: the numbers of the values to return, in the order that they are wanted.
    """
    found: list[_T] = np.fromiter(values, dtype=object, count=count)[rows].tolist()
    return found


def starts(count: Ints) -> Ints:
    """Return where each list of these lengths begins, one after the other, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(count, dtype=np.int64)])
