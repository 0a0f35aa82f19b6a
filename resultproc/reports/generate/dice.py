"""Chances that fall alike on every machine and under every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Random choices that follow from a seed.

    Of Python's random numbers only ``random()`` stays what it is for a seed, whatever the version: all follows from it.
    """

    def __init__(self, seed: str) -> None:
        """Begin with a seed, such as ``club 1 17``."""
        self._random = Random(seed).random  # noqa: S311 - nothing is kept secret with it

    def whole(self, least: int, most: int) -> int:
        """Return a whole number, both ends included."""
        return least + int(self._random() * (most - least + 1))

    def one(self, of: Sequence[T]) -> T:
        """Return one of some things."""
        return of[self.whole(0, len(of) - 1)]

    def happens(self, part: float) -> bool:
        """Return whether something happens that does in such a part of all cases."""
        return self._random() < part

    def shuffled(self, of: Sequence[T]) -> list[T]:
        """Return some things in another order."""
        left = list(of)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in of]
