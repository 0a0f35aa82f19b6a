"""What the values of a rulebook's TOML are read as: a word, a number, a list or a table of them.

Each function takes a value as TOML has it and raises ValueError for one that is something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf

Row = tuple[Fraction, ...]
"""A line of a table of numbers."""

OPEN = "open"
"""What a table writes for no upper limit."""


def as_text(value: object) -> str:
    """Return a word or a text."""
    if not isinstance(value, str):
        raise ValueError("write text in quotes")
    return value


def as_yes(value: object) -> bool:
    """Return whether something holds."""
    if not isinstance(value, bool):
        raise ValueError("write true or false")
    return value


def as_number(value: object) -> Fraction:
    """Return an exact number."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("write a number")
    return Fraction(value)


def as_whole(value: object) -> int:
    """Return a whole number."""
    exact = as_number(value)
    if exact.denominator != 1:
        raise ValueError("write a whole number")
    return exact.numerator


def as_words(value: object) -> tuple[str, ...]:
    """Return a list of words."""
    return tuple(map(as_text, _listed(value)))


def as_numbers(value: object) -> Row:
    """Return a list of numbers."""
    return tuple(map(as_number, _listed(value)))


def as_rows(value: object) -> tuple[Row, ...]:
    """Return a table of numbers."""
    return tuple(map(as_numbers, _listed(value)))


def as_limited(value: object) -> tuple[tuple[float, Row], ...]:
    """Return a table whose lines begin with an upper limit, infinite where it says ``open``, each with its numbers."""
    found = []
    for row in map(_listed, _listed(value)):
        if not row:
            raise ValueError("begin each line with an upper limit")
        found.append((inf if row[0] == OPEN else float(as_number(row[0])), as_numbers(row[1:])))
    return tuple(found)


def as_named_words(value: object) -> dict[str, str]:
    """Return a table of names, each with a word."""
    return {name: as_text(word) for name, word in _pairs(value)}


def as_named_lists(value: object) -> dict[str, tuple[str, ...]]:
    """Return a table of names, each with a list of words."""
    return {name: as_words(each) for name, each in _pairs(value)}


def as_named_numbers(value: object) -> dict[str, Fraction]:
    """Return a table of names, each with a number."""
    return {name: as_number(each) for name, each in _pairs(value)}


def as_table(value: object) -> Mapping[str, object]:
    """Return a table of values that have names of their own."""
    if not isinstance(value, dict):
        raise ValueError("write a table, such as { first = 100 }")
    return value


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("write a list in brackets")
    return value


def _pairs(value: object) -> list[tuple[str, object]]:
    pairs = [tuple(_listed(row)) for row in _listed(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("write pairs of a name and its value")
    return [(as_text(pair[0]), pair[1]) for pair in pairs]
