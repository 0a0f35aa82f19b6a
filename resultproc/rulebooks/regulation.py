"""Rules to build on, and ladders: what the places of comparison groups pay, of one group and of many.

The ladders of a regulation are computed one by one, or by the shape that many of them share. Beside them is who is
ranked in comparison groups, and who entered them, for regulations that go by what the players hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, expand_counts, select_rows
from resultproc.model.basis import Terms
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.group import Group, Groups, group_of
from resultproc.model.provenance import Values
from resultproc.rulebooks.core import Edition, cached_per_edition

_T = TypeVar("_T")


class Ladder(NamedTuple):
    """The awards for 1st, 2nd, ... in one comparison group.

    awards: hundredths of a masterpoint by place, as far as a tie may need them.
    depth: places that pay.
    values: those of the rulebook that made it.
    factors: what went into the first award, as a person reads it.
    """

    awards: tuple[int, ...]
    depth: int
    values: Values
    factors: str

    @property
    def rule(self) -> str:
        """The citation."""
        return self.values.rule


NO_LADDER = Ladder((), 0, Values(), "")
"""What stands for the ladder of a group that can have none."""


@dataclass(frozen=True, eq=False)
class Ladders:
    """The ladders of many groups as arrays.

    awards: hundredths by place, one ladder after the other.
    start: where each ladder begins in ``awards``, and where the last one ends.
    depth: how many places pay, for each ladder.
    values: those of the rulebook that made it, for each ladder.
    factors: what went into the first award, as a person reads it, for each ladder.
    refused: what is wrong with groups that have no ladder, by their number.
    """

    awards: Ints
    start: Ints
    depth: Ints
    values: Sequence[Values]
    factors: Sequence[str]
    refused: Mapping[int, InputError] = field(default_factory=dict)

    @classmethod
    def of(cls, ladders: Iterable[Ladder], refused: Mapping[int, InputError]) -> Ladders:
        """Return ladders computed one by one."""
        each = list(ladders)
        return cls(
            np.fromiter(chain.from_iterable(ladder.awards for ladder in each), dtype=np.int64),
            starts(np.array([len(ladder.awards) for ladder in each], dtype=np.int64)),
            np.array([ladder.depth for ladder in each], dtype=np.int64),
            [ladder.values for ladder in each],
            [ladder.factors for ladder in each],
            refused,
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


class Shape:
    """What ladders have in common that differ only in some fields of their groups."""

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes of this class, all at once.

        which: the number of each group's shape.
        groups: with those fields alone that tell groups of one shape apart.
        reach: how many places each ladder must have at least.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class EachShape(Shape):
    """A shape whose ladders are computed one by one: that of a group with a least number of places."""

    ladder: Callable[[Group, int], Ladder]

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`Shape`."""
        each = (partial(shapes[of].ladder, group) for of, group in zip(which.tolist(), groups.each(), strict=True))
        return ladders_one_by_one(each, reach)


@dataclass(frozen=True)
class NoAwards(Shape):
    """A shape whose ladders pay nothing, by some values. why: nothing is paid, as a person reads it."""

    values: Values
    why: str

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`Shape`."""
        of = [shapes[each] for each in which.tolist()]
        awards, depth = np.zeros(int(reach.sum()), dtype=np.int64), np.zeros(len(of), dtype=np.int64)
        return Ladders(awards, starts(reach), depth, [each.values for each in of], [each.why for each in of])


@dataclass(frozen=True)
class _Refused(Shape):
    """What stands for the shape of groups that can have no ladder."""

    error: InputError

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return no ladders, and why."""
        refused = {number: shapes[of].error for number, of in enumerate(which.tolist())}
        return Ladders.of([NO_LADDER] * len(which), refused)


class ByShape:
    """Rules whose ladders are computed in two steps: a shape for all that differ only in some fields, then each.

    apart: these fields. A shape cannot depend on them: the group that :meth:`shape` gets does not have them.
    """

    apart: tuple[str, ...] = ()

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful: nothing; see :class:`~.core.Rules`."""
        return ()

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what the ladders of some groups have in common; InputError for groups that can have none."""
        raise NotImplementedError

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~.core.Rules`. Shapes of one class compute theirs together."""
        number, alike, telling = groups.split_fields(self.apart)
        shapes = [result_or_error(partial(_shape, edition, self, *of)) for of in alike.cells()]
        return ladders_together(shapes, number, telling, reach)


@cached_per_edition
def _shape(edition: Edition, rules: ByShape, names: Sequence[str], cells: Sequence[Any]) -> Shape:
    """Return the shape of a group, kept as the parts of an archive have mostly the same ones."""
    return rules.shape(edition, group_of(names, cells))


def result_or_error(make: Callable[[], _T]) -> _T | InputError:
    """Return what is made, or the error of what cannot be."""
    try:
        return make()
    except InputError as error:
        return error


def ladders_together(shapes: Sequence[Shape | InputError], which: Ints, groups: Groups, reach: Ints) -> Ladders:
    """Return the ladders of groups of many shapes, those of each class computed at once.

    shapes: an error stands for the shape of groups that can have no ladder.
    which, groups, reach: as for :meth:`Shape.ladders`.
    """
    made = [_Refused(shape) if isinstance(shape, InputError) else shape for shape in shapes]
    kinds: dict[type[Shape], list[int]] = {}
    for number, shape in enumerate(made):
        kinds.setdefault(type(shape), []).append(number)
    parts = []
    for kind, numbers in kinds.items():
        own = np.full(len(made), -1)
        own[numbers] = np.arange(len(numbers))
        rows = np.flatnonzero(own[which] >= 0)
        if len(rows):
            of_kind = [made[number] for number in numbers]
            parts.append((rows, kind.ladders(of_kind, own[which[rows]], groups.at(rows), reach[rows])))
    return Ladders.joined(parts)


class OneByOne:
    """Rules whose ladders are computed one by one.

    ``fields`` and ``ladder`` are what a regulation has to state; all else is here as the simplest one would have it.
    """

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: the top stratum of each section alone is ranked."""
        return Terms(overall="none", overall_field="combined")

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the comparison groups as they were counted; see :class:`~.core.Rules`."""
        return groups

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful: nothing; see :class:`~.core.Rules`."""
        return ()

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates: none is added; see :class:`~.core.Rules`."""
        return candidates

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour: all are black."""
        return pd.DataFrame({"black": winners["masterpoints"]})

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the ladder of one group, at least ``reach`` places long; InputError for one that can have none."""
        raise NotImplementedError

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~.core.Rules`."""
        return ladders_one_by_one((partial(_kept_ladder, edition, self, *of) for of in groups.cells()), reach)


@cached_per_edition
def _kept_ladder(edition: Edition, rules: OneByOne, names: Sequence[str], cells: Sequence[Any], reach: int) -> Ladder:
    """Return the ladder of a group, kept as the parts of an archive have mostly the same ones."""
    return rules.ladder(edition, group_of(names, cells), reach)


def ladders_one_by_one(each: Iterable[Callable[[int], Ladder]], reach: Ints) -> Ladders:
    """Return ladders that are computed one by one, each by a function of how far it must reach."""
    found: list[Ladder] = []
    refused: dict[int, InputError] = {}
    for number, (ladder, places) in enumerate(zip(each, reach.tolist(), strict=True)):
        try:
            found.append(ladder(places))
        except InputError as error:
            refused[number] = error
            found.append(NO_LADDER)
    return Ladders.of(found, refused)


class Members(NamedTuple):
    """The members of comparison groups; nothing is built before a regulation asks.

    standings: those of all members.
    facts: those of their games.
    """

    standings: pd.DataFrame
    facts: Facts

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
    """Who entered the strata of some groups.

    contestants: their rows of the contestants frame.
    top: for each of them, the group of the top stratum of the game.
    own: for each of them, the number of the stratum, counted through all games with the same number of levels each.
    group: for each group, the number of its stratum in the same count.
    levels: how many numbers each game has.
    """

    contestants: pd.DataFrame
    top: Ints
    own: Ints
    group: Ints
    levels: int

    def sums(self, values: Ints) -> Ints:
        """Return the sum of some values of those who entered each group: who is in a lower stratum is in it, too."""
        sums = np.zeros((int(self.group.max(initial=0)) // self.levels + 1) * self.levels, dtype=np.int64)
        np.add.at(sums, self.own, values)
        sums = sums.reshape(-1, self.levels)[:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.asarray(sums.ravel()[self.group], dtype=np.int64)
