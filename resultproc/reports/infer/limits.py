"""Limits that explain the same: told as few, and followed to the last whole one that pays it.

Those that are tried are but round ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from math import ceil

import numpy as np

from resultproc.model.arrays import Ints
from resultproc.model.game import OPEN
from resultproc.reports.infer.space import Guess, Limits, stratified, tried_limits
from resultproc.reports.infer.tried import Case, Copies


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


_PARTS = 8
"""The number of parts in which what lies between two limits is tried at a time."""


def to_the_ends(copies: Copies, guess: Guess) -> Guess:
    """Return a guess whose limits end with the lowest and the highest whole ones that pay the same."""
    if guess.fixed:
        return guess
    tried = tried_limits(guess.kind.book, copies.day)
    inside: dict[tuple[int, int], float] = {}
    outside: dict[tuple[int, int], float] = {}
    for level, limits in enumerate(guess.limits):
        for side, end in enumerate((limits[0], limits[-1])):
            beyond = [each for each in tried if each != OPEN and (each < end, each > end)[side]]
            if beyond and end != OPEN:
                inside[level, side], outside[level, side] = end, (max, min)[side](beyond)
    paid = _paid(copies, guess, [guess.chosen])[0]
    while wanted := [(key, limit) for key in inside for limit in _between(inside[key], outside[key])]:
        found = _paid(copies, guess, [_with(guess, level, limit) for (level, _), limit in wanted])
        left = set(inside)
        for (key, limit), awards in zip(wanted, found, strict=True):
            if key in left and awards is not None and paid is not None and (awards == paid).all():
                inside[key] = limit
            elif key in left:
                outside[key] = limit
                left.remove(key)
    ends = {key: (limit,) for key, limit in inside.items()}
    every = [{*ends.get((level, 0), ()), *each, *ends.get((level, 1), ())} for level, each in enumerate(guess.limits)]
    return replace(guess, limits=tuple(tuple(sorted(each | _round_in(each, tried))) for each in every))


_STEPS = (1000, 500, 100, 50, 10, 5)
"""Limits are announced in such steps."""


def _round_in(limits: set[float], tried: Sequence[float]) -> set[float]:
    """Return the roundest limit within a range in which there is none of those that are tried."""
    if not limits.isdisjoint(tried):
        return set()
    round_ones = (float(ceil(min(limits) / step) * step) for step in _STEPS)
    return {next((each for each in round_ones if each <= max(limits)), min(limits))}


def highest_that_fit(
    gaps: Sequence[tuple[float, float]], fit: Callable[[Sequence[tuple[int, float]]], Sequence[bool]]
) -> list[float]:
    """Return of each gap between a limit that fits and a higher one that does not the highest whole one that fits.

    fit: says of some gaps, by their number, whether a limit in them fits.
    """
    low, high = [low for low, _ in gaps], [high for _, high in gaps]
    while asked := [(n, float((low[n] + high[n]) // 2)) for n in range(len(gaps)) if high[n] - low[n] > 1]:
        for (n, limit), fits in zip(asked, fit(asked), strict=True):
            (low if fits else high)[n] = limit
    return low


def _between(inside: float, outside: float) -> list[float]:
    """Return some whole limits between two, from the first one on."""
    low, high = sorted((inside, outside))
    first, last = int(np.floor(low)) + 1, int(np.ceil(high)) - 1
    count = min(_PARTS - 1, last - first + 1)
    between = sorted({round(each) for each in np.linspace(first, last, count + 2)[1:-1]}) if count > 0 else []
    some = between or list(range(first, last + 1))
    return [float(each) for each in (some if inside < outside else reversed(some))]


def _with(guess: Guess, level: int, limit: float) -> Limits:
    """Return limits with another one of a stratum, those of the others as far from it as they may be."""
    return (
        *(max(each) for each in guess.limits[:level]),
        limit,
        *(min(each) for each in guess.limits[level + 1 :]),
    )


def _paid(copies: Copies, guess: Guess, chosen: Sequence[Limits]) -> list[Ints | None]:
    """Return what each contestant is paid with some limits; None for those that follow on no others."""
    keys = {name: value for name, value in guess.declared.items() if name not in {"strata", "limit"}}
    good = [all(a > b for a, b in pairwise(each)) for each in chosen]
    cases = [
        Case(guess.kind.book, keys | dict(stratified(guess.letters, each)))
        for each, ok in zip(chosen, good, strict=True)
        if ok
    ]
    tried = copies.tried(cases, max(len(guess.letters), 1))
    awards = iter(paid.max(axis=1) if ok else None for paid, ok in zip(tried.awards, tried.accepted, strict=True))
    return [next(awards) if ok else None for ok in good]
