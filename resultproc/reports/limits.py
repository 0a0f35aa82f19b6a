"""Limits of strata to choose from: all that make a difference to a sweep, and the best ones for a list of entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from resultproc.model.arrays import Floats
from resultproc.model.game import RankLimit, Stratum, number_text, parse_strata

ROUND = (
    *(5, 10, 20, 50, 100, 150, 200, 250, 300, 400, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 3500, 4000, 5000),
    *(6000, 7500, 10000, 15000, 20000, 30000),
)
"""Limits that are easy to announce."""

_ANY = "*"


@dataclass(frozen=True)
class Pattern:
    """Strata. Some of their limits are open to choice. letters: top first; limits: None for what is to be chosen."""

    letters: tuple[str, ...]
    limits: tuple[float | None, ...]

    @property
    def sweeps(self) -> bool:
        """Whether any limit is to be chosen."""
        return None in self.limits


def pattern(text: str) -> Pattern:
    """Return the strata of ``A=open, B=*, C=*``; ValueError, with what would be right, for any other text."""
    parts = [[piece.strip() for piece in part.partition("=")[::2]] for part in text.split(",")]
    letters = [letter.upper() for letter, _ in parts]
    if _ANY not in text:
        return fixed(parse_strata(text))
    if not all(letters) or len(set(letters)) < len(letters):
        raise ValueError(
            f"invalid strata: '{text}'; write each letter once, and * for a limit to try: A=open, B=*, C=*"
        )
    if parts[0][1] == _ANY:
        raise ValueError("the limit of the top stratum is that of the game: write A=open, or a number, and * below it")
    given = ", ".join(f"{letter}={limit}" for letter, limit in parts if limit != _ANY)
    limits = dict(parse_strata(given)) if given else {}
    if ranks := [limit.rank for limit in limits.values() if isinstance(limit, RankLimit)]:
        raise ValueError(f"limits to try are masterpoints, and '{ranks[0]}' is none; write 'open' or a number")
    return Pattern(tuple(letters), tuple(limits.get(letter) for letter in letters))


def fixed(strata: Sequence[Stratum]) -> Pattern:
    """Return strata without anything to choose."""
    return Pattern(tuple(each.letter for each in strata), tuple(each.limit for each in strata))


def choices(wanted: Pattern, holdings: Floats, stops: Iterable[float] = ()) -> Iterator[list[Stratum]]:
    """Yield the strata for each choice of round limits, highest first, that splits these holdings in another way.

    If several limits split them in the same way, the roundest is taken.

    wanted: the letters, and the limits that are set; None for one to choose.
    holdings: those of the contestants, in masterpoints, without unknown ones.
    stops: limits that are tried besides, whatever they split, such as those that the game has.
    """
    tried = sorted({*distinct_limits(holdings), *stops}, reverse=True)
    for chosen in combinations(tried, wanted.limits.count(None)):
        rest = iter(chosen)
        limits = [next(rest) if limit is None else limit for limit in wanted.limits]
        if all(upper > lower for upper, lower in pairwise(limits)):
            yield [Stratum(letter, limit) for letter, limit in zip(wanted.letters, limits, strict=True)]


def distinct_limits(holdings: Floats) -> list[float]:
    """Return the round limits that some contestants, and not all, are within: one for each number of them."""
    within = {limit: int((holdings <= limit).sum()) for limit in ROUND}
    found: dict[int, float] = {}
    for limit, count in within.items():
        if 0 < count < len(holdings) and (count not in found or roundness(limit) > roundness(found[count])):
            found[count] = limit
    return sorted(found.values())


def roundness(limit: float) -> tuple[int, int, int]:
    """Return how round a limit is: 1000 more than 500, that more than 2000 and 200, and those more than 1500."""
    text = number_text(limit)
    digits = text.rstrip("0")
    return -len(digits), ("2", "5", "1").index(digits) if digits in {"1", "2", "5"} else -1, len(text)


@dataclass(frozen=True)
class Proposal:
    """Limits for a list of entries. entries: how many have each stratum as their own, top first."""

    strata: tuple[Stratum, ...]
    entries: tuple[int, ...]


FEWEST = 5
"""The fewest entries of its own that a proposed stratum has."""


def proposals(holdings: Floats, wanted: Pattern) -> list[Proposal]:
    """Return the best limits, five at most, where they are open to choice, the most even strata first.

    None where no round limits make strata of :data:`FEWEST`. Limits that are all given are taken as they are.
    """
    found = [Proposal(tuple(strata), own(holdings, strata)) for strata in choices(wanted, holdings)]
    enough = [each for each in found if min(each.entries) >= FEWEST or not wanted.sweeps]
    return sorted(enough, key=lambda each: max(each.entries) - min(each.entries))[:5]


def own(holdings: Floats, strata: Iterable[Stratum]) -> tuple[int, ...]:
    """Return how many have each stratum as their own: the lowest whose limit they do not exceed."""
    within = [int((holdings <= stratum.limit).sum()) for stratum in strata]
    return tuple(upper - lower for upper, lower in pairwise([*within, 0]))
