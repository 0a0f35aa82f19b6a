"""Guesses and limits that explain the same, told as few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product

from resultproc.model.arrays import Ints
from resultproc.reports.infer.space import Guess, Limits


@dataclass(frozen=True)
class Found:
    """A guess, and how many awards differ from it."""

    guess: Guess
    wrong: int


def with_any_top(found: Sequence[Found]) -> list[Found]:
    """Return guesses that differ in the limit of the top stratum alone as one.

    A lower stratum may have the higher limits under a higher top one alone.
    """
    joined: dict[object, list[Found]] = {}
    for each in sorted(found, key=lambda one: -one.guess.limits[0][-1]):
        guess = each.guess
        alike = joined.setdefault((guess.kind, guess.beside, each.wrong), [])
        for place, other in enumerate(alike):
            lower = zip(guess.limits[1:], other.guess.limits[1:], strict=True)
            if all(mine == its[: len(mine)] for mine, its in lower):
                tops = tuple(sorted({*guess.limits[0], *other.guess.limits[0]}))
                alike[place] = replace(other, guess=replace(other.guess, limits=(tops, *other.guess.limits[1:])))
                break
        else:
            alike.append(each)
    return [each for several in joined.values() for each in several]


def classes(awards: Ints) -> list[list[int]]:
    """Return the limits that pay the same, lowest first, from awards by stratum, limit and contestant."""
    rows = range(awards.shape[1])
    return [list(same) for _, same in groupby(rows, lambda row: awards[:, row].tobytes())]


def merged(combos: Sequence[tuple[Limits, ...]]) -> list[tuple[Limits, ...]]:
    """Return choices of limits as few: as one where every choice of each stratum goes with every one of the others."""
    known = set(combos)

    def go(of_each: Sequence[Sequence[Limits]]) -> bool:
        possible = (each for each in product(*of_each) if all(max(upper) > min(low) for upper, low in pairwise(each)))
        return all(each in known for each in possible)

    joined: list[list[list[Limits]]] = []
    for upper, same in groupby(sorted(known), lambda each: each[:-1]):
        row = [*([each] for each in upper), [each[-1] for each in same]]
        for at, others in enumerate(joined):
            wider = [sorted({*some, *more}) for some, more in zip(others, row, strict=True)]
            if go(wider):
                joined[at] = wider
                break
        else:
            joined.append(row)
    return [tuple(tuple(sorted(limit for some in each for limit in some)) for each in box) for box in joined]
