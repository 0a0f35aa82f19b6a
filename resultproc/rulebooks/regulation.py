"""Rules to build on: the ladders of a regulation are computed one by one, or by the shape that many of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np

from resultproc.model.arrays import Ints, distinct_rows
from resultproc.model.errors import InputError
from resultproc.model.group import NO_LADDER, Group, Groups, Ladder, Ladders, group_of, starts
from resultproc.model.provenance import Values
from resultproc.rulebooks.core import Edition, Rules, cached_per_edition

_T = TypeVar("_T")


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
    """A shape whose ladders pay nothing, by some values. why: the reason, as a person reads it."""

    values: Values
    why: str

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`Shape`."""
        of = [shapes[each] for each in which.tolist()]
        awards, depth = np.zeros(int(reach.sum()), dtype=np.int64), np.zeros(len(of), dtype=np.int64)
        return Ladders(awards, starts(reach), depth, [each.values for each in of], [each.why for each in of])


class ByShape(Rules):
    """Rules whose ladders are computed in two steps: a shape for all that differ only in some fields, then each.

    apart: these fields. A shape cannot depend on them: the group that :meth:`shape` gets does not have them.
    """

    apart: tuple[str, ...] = ()

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what the ladders of some groups have in common; InputError for groups that can have none."""
        raise NotImplementedError

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~.core.Rules`. Shapes of one class compute theirs together."""
        rest = groups.frame.drop(columns=list(self.apart))
        number, first = distinct_rows(rest)
        alike = Groups(rest.iloc[first])
        shapes = [result_or_error(partial(_shape, edition, self, *of)) for of in alike.cells()]
        return ladders_together(shapes, number, Groups(groups.frame[list(self.apart)]), reach)


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
    kinds: dict[type[Any], list[int]] = {}
    for number, shape in enumerate(shapes):
        kinds.setdefault(type(shape), []).append(number)
    parts = []
    for kind, numbers in kinds.items():
        own = np.full(len(shapes), -1)
        own[numbers] = np.arange(len(numbers))
        rows = np.flatnonzero(own[which] >= 0)
        if not len(rows):
            continue
        of_kind, each = [shapes[number] for number in numbers], own[which[rows]]
        if issubclass(kind, InputError):
            wrong = {row: of_kind[of] for row, of in enumerate(each.tolist())}
            parts.append((rows, Ladders.of([NO_LADDER] * len(rows), wrong)))
        else:
            parts.append((rows, kind.ladders(of_kind, each, groups.at(rows), reach[rows])))
    return Ladders.joined(parts)


class OneByOne(Rules):
    """Rules whose ladders are computed one by one. ``fields`` and ``ladder`` are what a regulation has to state."""

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
