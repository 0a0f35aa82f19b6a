"""What places pay: the first award of each comparison group is worked by hand, the places below it follow here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

PERCENT = (100, 70, 50, 35)
"""The parts of the first award for the first four of a section; the fifth has a fifth, the sixth a sixth, and so on."""

STEP = Fraction(3, 4)
"""What an overall place pays of the one above it."""

BEYOND = 3
"""How many places below those that pay count where a tie reaches below them."""


@dataclass(frozen=True)
class Ladder:
    """What a comparison group pays: the contestants that it was worked for, hundredths by place, places that pay."""

    of: int
    pays: tuple[int, ...]
    places: int


def section(of: int, first: str, places: int) -> Ladder:
    """Return the ladder of a section's group."""
    top = _hundredths(first)
    shares = [
        Fraction(PERCENT[n - 1], 100) if n <= len(PERCENT) else Fraction(1, n) for n in range(1, places + BEYOND + 1)
    ]
    return Ladder(of, tuple(half_up(top * share) for share in shares), places)


def overall(of: int, first: str, places: int) -> Ladder:
    """Return the ladder of the whole field."""
    top = _hundredths(first)
    return Ladder(of, tuple(half_up(top * STEP**n) for n in range(places + BEYOND)), places)


def listed(of: int, *awards: str) -> Ladder:
    """Return a ladder that was worked by hand place by place."""
    return Ladder(of, tuple(map(_hundredths, awards)), len(awards))


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, the higher one of two."""
    return (value + Fraction(1, 2)).__floor__()


def share(ladder: Ladder, place: int, tied: int) -> int:
    """Return what each of so many at a place gets; 0 below the places that pay."""
    if place > ladder.places:
        return 0
    pool = ladder.pays[place - 1 : place - 1 + tied]
    if len(pool) < tied:
        raise ValueError(f"{tied} share place {place}, and no more than {len(ladder.pays)} places were worked")
    return half_up(Fraction(sum(pool), tied))


def places(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return the place of each value, the highest first, and how many share it."""
    return [(1 + sum(other > value for other in values), values.count(value)) for value in values]


def _hundredths(text: str) -> int:
    whole, _, part = text.partition(".")
    return 100 * int(whole) + int(part)
