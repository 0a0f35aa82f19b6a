"""Rows below a list that are no contestants but sums of them, or the most that could be scored, in every language."""

from __future__ import annotations

import re
from functools import cache

from resultproc.model.text import folded, vocabulary


@cache
def _words(part: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a part, and how they begin, with those that may be before them."""
    words = frozenset(map(folded, vocabulary()[part]))
    return words, frozenset(word[:2] for word in {*words, "grand", "section", "field"})


def is_sum(text: str) -> bool:
    """Say whether a text begins a row of sums: ``Total``, ``Moyenne``, ``Field average: 156.0``."""
    words, begins = _words("sums")
    plain = text[:2].isascii() and text[:2].isalpha()
    begin = text[:2].lower() if plain else folded(text[:6])[:2]
    if begin not in begins:  # as hardly any name, which need not be looked at closely
        return False
    bare = _AROUND.sub("", text)
    return folded(bare) in words


def is_top(text: str) -> bool:
    """Say whether a text begins a row of the most that can be reached: ``Maximum``, ``Top``."""
    return folded(text) in _words("tops")[0]


_AROUND = re.compile(
    r"^(?:grand|section|field) |(?: (?:score|mps|matchpoints|percentage))?[\s:=]*[0-9.,]*\s*%?$", re.IGNORECASE
)
"""What stands beside such a word: of what it is a sum, and the sum."""
