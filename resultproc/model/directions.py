"""The directions of a game, N-S and E-W, as people write them in several languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.text import folded, vocabulary

DIRECTIONS_IN_FULL = {NORTH_SOUTH: "North-South", EAST_WEST: "East-West"}

_ALONE = {"N": NORTH_SOUTH, "E": EAST_WEST}
"""What is short for a direction in a column of directions."""


def direction_of(text: str) -> str | None:
    """Return the direction that a cell of a column of directions says: NS, North-South, O/W, E; None for none."""
    return _ALONE.get(text.upper()) or direction_headed(text) or None


def _directions() -> dict[str, str]:
    return {folded(word): direction for direction, words in vocabulary()["directions"].items() for word in words}


def short_directions() -> list[str]:
    """Return the directions as people write them beside numbers, in any of the languages: ``ns``, ``e-w``, ``o/w``."""
    words = {*_directions(), *(word for words in vocabulary()["directions"].values() for word in words)}
    pairs = {re.sub(r"\W", "", word) for word in words}
    return [sign.join(pair) for pair in pairs if len(pair) == len("ns") for sign in ("", "-", "/")]


@lru_cache(maxsize=4096)
def direction_named(text: str) -> str:
    """Return the direction that a text names, in any of the languages; empty for any other text."""
    word = folded(re.sub(r"(?<!\s)\s*[-/\u2013\u2014]\s*", "-", text))
    directions = _directions()
    return directions.get(word) or directions.get(word.replace("-", "/")) or ""


@cache
def _around() -> tuple[str, ...]:
    return tuple(folded(word) for word in sorted(vocabulary()["around-directions"], key=len, reverse=True))


def direction_headed(text: str) -> str:
    """Return the direction that a heading names: by itself, or with words such as ``Pairs`` before or after it."""
    if named := direction_named(text):
        return named
    bare, around = folded(text), _around()
    if bare.startswith(around):
        bare = next(bare.removeprefix(word) for word in around if bare.startswith(word))
    if bare.endswith(around):
        bare = next(bare.removesuffix(word) for word in around if bare.endswith(word))
    return direction_named(bare.strip("-"))
