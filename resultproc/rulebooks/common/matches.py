"""Awards that go by the length of matches: D x L x M x P for each match won, a knockout's K x L x M x P."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from resultproc.model.arrays import Floats, Ints
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.rulebooks.common.factors import class_factor, l_factor, m_of, p_factor, product
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition, cached_per_edition


class MatchKind(NamedTuple):
    """What the product of a match goes by.

    boards: per match. limit: the one that M goes by. special: the words that count, not always all of the event's.
    restrictions: how many there are.
    """

    rating: str
    boards: int
    limit: float
    special: frozenset[str]
    restrictions: int


NO_WINS = b""
"""The wins of a group that is not compared by them."""


def packed(wins: Floats, count: Ints) -> list[bytes]:
    """Return the matches that each place of some groups has won, so many places each, as one value for each group.

    They take as many distinct texts as there are events, which would be made only to be taken apart again.
    """
    data, ends = wins.tobytes(), (np.cumsum(count) * wins.itemsize).tolist()
    return [data[start:end] for start, end in pairwise([0, *ends])]


def unpacked(wins: Sequence[bytes]) -> tuple[Floats, Ints]:
    """Return the matches won of each place, group after group, and how many places each group has."""
    won = np.frombuffer(b"".join(wins), dtype=np.float64)
    return won, np.array([len(each) for each in wins], dtype=np.int64) // won.itemsize


@cached_per_edition
def match_product(edition: Edition, letter: str, kind: MatchKind) -> First:
    """Return D x L x M x P (``letter`` d), or K x L x M x P (k), unrounded.

    Raises DeclarationError for a class of game that has no such factor, and for a match that is too short.
    """
    return product(
        [
            class_factor(edition, letter, kind.rating),
            l_factor(edition, kind.boards),
            m_of(edition, kind.special, kind.limit),
            p_factor(edition, kind.restrictions),
        ]
    )


def declared_boards(group: Group, why: str, example: str) -> int:
    """Return the boards that are declared; DeclarationError where none are, which says why they are needed."""
    if not group.boards:
        raise DeclarationError(
            f"boards is not declared, and {why}", hint=f"declare boards, such as {example}", code=MISSING
        )
    return group.boards
