"""What a regulation does with its values: the ladders of comparison groups, and what becomes of their awards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from resultproc.model.cited import Values
from resultproc.model.errors import InputError
from resultproc.model.group import Group, Groups
from resultproc.model.terms import Terms

if TYPE_CHECKING:
    import pandas as pd

    from resultproc.rulebooks.core import Edition
    from resultproc.rulebooks.members import Members

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ladder:
    """The awards for 1st, 2nd, ... in one comparison group.

    awards: hundredths of a masterpoint by place, as far as a tie may need them. depth: places that pay.
    values: those of the rulebook that made it. factors: what went into the first award, as a person reads it.
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


@dataclass(frozen=True)
class Ladders:
    """The ladders of many groups as arrays.

    awards: hundredths by place, one ladder after the other; those of ladder n are ``awards[start[n]:start[n + 1]]``.
    depth, values, factors: per ladder. refused: what is wrong with groups that have no ladder, by their number.
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
            np.cumsum([0, *(len(ladder.awards) for ladder in each)], dtype=np.int64),
            np.array([ladder.depth for ladder in each], dtype=np.int64),
            [ladder.values for ladder in each],
            [ladder.factors for ladder in each],
            refused,
        )

    def __getitem__(self, number: int) -> Ladder:
        awards = self.awards[self.start[number] : self.start[number + 1]]
        return Ladder(tuple(awards.tolist()), int(self.depth[number]), self.values[number], self.factors[number])


class Rules(Protocol):
    """What a regulation does with its values. All frames hold many games."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of :class:`~resultproc.model.group.Group` that a ladder depends on."""

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return comparison groups as this regulation counts them, with a column for each of its fields.

        groups: one row per group, with the columns ``game, basis, level, limit, size, ranked, tables, winners,
        knockout`` of the standings, ``event_limit``, and the game's keys. members: who is ranked in them.
        """

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group, at least ``reach`` places long."""

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some rows of the games frame: the row, what it is, and what would settle it."""

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with those added that consist of several others."""

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour."""


Shape = Callable[[Group, int], Ladder]
"""What ladders of one shape have in common: it returns that of a group with the fields that tell them apart, so many
places long at least."""


class ByShape:
    """Rules whose ladders are computed in two steps: the shape of all that differ only in some fields, then each.

    apart: these fields. What shapes them cannot depend on these: the group that it gets does not have them.
    """

    apart: tuple[str, ...] = ()

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful: nothing; see :class:`Rules`."""
        return ()

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what the ladders of some groups have in common; InputError for groups that can have none."""
        raise NotImplementedError

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`Rules`."""
        number, alike, telling = groups.apart(self.apart)
        shapes: list[Shape | InputError] = []
        for group in alike.each():
            try:
                shapes.append(self.shape(edition, group))
            except InputError as error:
                shapes.append(error)
        found: list[Ladder] = []
        refused: dict[int, InputError] = {}
        for which, (of, group, places) in enumerate(zip(number.tolist(), telling.each(), reach.tolist(), strict=True)):
            try:
                found.append(_whole(shapes[of])(group, places))
            except InputError as error:
                refused[which] = error
                found.append(NO_LADDER)
        return Ladders.of(found, refused)


def _whole(shape: Shape | InputError) -> Shape:
    if isinstance(shape, InputError):
        raise shape
    return shape


class OneByOne:
    """Rules whose ladders are computed one by one."""

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful: nothing; see :class:`Rules`."""
        return ()

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the ladder of one group, at least ``reach`` places long; InputError for one that can have none."""
        raise NotImplementedError

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`Rules`."""
        found: list[Ladder] = []
        refused: dict[int, InputError] = {}
        for number, (group, places) in enumerate(zip(groups.each(), reach.tolist(), strict=True)):
            try:
                found.append(self.ladder(edition, group, places))
            except InputError as error:
                refused[number] = error
                found.append(NO_LADDER)
        return Ladders.of(found, refused)
