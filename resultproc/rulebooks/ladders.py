"""Ladders: what the places of comparison groups pay, of one group and of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from resultproc.model.arrays import Ints, expand_counts
from resultproc.model.errors import InputError
from resultproc.model.provenance import Values

T = TypeVar("T")


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

    awards: hundredths by place, one ladder after the other; those of ladder n are ``awards[start[n]:start[n + 1]]``.
    depth, values, factors: per ladder.
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


def taken_rows(values: Iterable[T], count: int, rows: Ints) -> list[T]:
    """Return some of these values, by their numbers."""
    found: list[T] = np.fromiter(values, dtype=object, count=count)[rows].tolist()
    return found


def starts(count: Ints) -> Ints:
    """Return where each list of these lengths begins, one after the other, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(count, dtype=np.int64)])
