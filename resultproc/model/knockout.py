"""What the awards of a knockout team depend on: how far it came, and the brackets of its event.

Every bracket's awards depend on the one above it and the ones below. So the standings of knockouts carry all the
brackets, as columns: see :class:`Knockouts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from resultproc.model.arrays import Floats, Ints


class Finish(NamedTuple):
    """Where teams of a bracket finished, and how they came there.

    A team that forfeited may have the finish of another, whose place it gets.

    first: the first of the places that the teams share.
    last: the last of them.
    rounds: the rounds that each team survived.
    matches: the matches that each team won without a play-off; a round in which several teams met may count in part.
    playoff: W or L for a match that was played for a further place, else ''.
    """

    first: int
    last: int
    rounds: int
    matches: Fraction
    playoff: str = ""


class Course(NamedTuple):
    """How a bracket went.

    rounds: how many teams were in each round; all that entered are in the first. finishes: where its teams finished,
    the best first, those of equal ones once.
    """

    rounds: tuple[int, ...]
    finishes: tuple[Finish, ...] = ()

    @property
    def teams(self) -> int:
        """How many teams entered."""
        return self.rounds[0]


@dataclass(frozen=True, eq=False)
class Knockouts:
    """The brackets of many knockouts, or flights, or the groups that a lowest flight was split into: one row for each.

    The rows of an event stand together, its top bracket first. Events that are alike may share their rows.

    event: the number of the bracket's event, from 0 up in the order of the rows.
    place: 0 for the top bracket; the groups of a split flight share a place, and no place between is empty.
    course: which of ``courses`` is the bracket's.
    top: the average holding per player of the bracket's top team, NaN where holdings are unknown.
    average: the average holding of all players of the bracket, NaN where holdings are unknown.
    limit: the flight's upper limit, NaN for a bracket that has none of its own.
    courses: how brackets went.
    finishes: where teams finished, in any bracket, or with whom they share a place by the matches that they won.
    played: per run, how far any team came: the bracket.
    ended: per run, the finish.
    """

    event: Ints
    place: Ints
    course: Ints
    top: Floats
    average: Floats
    limit: Floats
    courses: Sequence[Course]
    finishes: Sequence[Finish]
    played: Ints
    ended: Ints

    @cached_property
    def teams(self) -> Ints:
        """How many teams entered each bracket."""
        return np.array([course.teams for course in self.courses], dtype=np.int64)[self.course]

    @cached_property
    def rounds(self) -> Ints:
        """How many rounds each bracket had."""
        return np.array([len(course.rounds) for course in self.courses], dtype=np.int64)[self.course]

    @cached_property
    def start(self) -> Ints:
        """The first bracket of each event, and the number of all brackets."""
        return np.append(np.searchsorted(self.event, np.arange(self.event.max(initial=-1) + 1)), len(self.event))

    @cached_property
    def lowest(self) -> Ints:
        """The place of the lowest bracket of each bracket's event."""
        return np.asarray(self.place[self.start[1:] - 1][self.event], dtype=np.int64)
