"""What explains a game as well as what was found: other limits, and the bounds of a factor of first awards left free.

Limits that explain the same are told as few, and followed to the last whole one that pays it: those that are tried are
round ones alone. A factor is multiplied with the others, so that R, which has a value of its own in every rulebook that
has factors, is changed in place of any of them. M is that of a stratum: there its own awards alone change.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, pairwise, product
from math import ceil, floor
from pathlib import Path

import numpy as np

from resultproc.model.arrays import Ints
from resultproc.model.errors import InputError
from resultproc.model.game import OPEN
from resultproc.reports.infer.space import Copies, Guess, Limits, TriedCase, stratified, tried_limits
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook, with_values


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
        for n, other in enumerate(alike):
            lower = zip(guess.limits[1:], other.guess.limits[1:], strict=True)
            if all(mine == its[: len(mine)] for mine, its in lower):
                tops = tuple(sorted({*guess.limits[0], *other.guess.limits[0]}))
                alike[n] = replace(other, guess=replace(other.guess, limits=(tops, *other.guess.limits[1:])))
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
        # The limits of the other strata are as far from it as they may be.
        chosen = [
            (*map(max, guess.limits[:level]), limit, *map(min, guess.limits[level + 1 :]))
            for (level, _), limit in wanted
        ]
        found = _paid(copies, guess, chosen)
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


def _round_in(limits: set[float], tried: Sequence[float]) -> set[float]:
    """Return the roundest limit within a range in which there is none of those that are tried."""
    if not limits.isdisjoint(tried):
        return set()
    round_ones = (float(ceil(min(limits) / step) * step) for step in (1000, 500, 100, 50, 10, 5))
    return {next((each for each in round_ones if each <= max(limits)), min(limits))}


def highest_that_fit(
    gaps: Sequence[tuple[float, float]], fit: Callable[[Sequence[tuple[int, float]]], Sequence[bool]]
) -> list[float]:
    """Return the highest whole limit that fits in each gap between a limit that fits and a higher one that does not.

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


def _paid(copies: Copies, guess: Guess, chosen: Sequence[Limits]) -> list[Ints | None]:
    """Return what each contestant is paid with some limits; None for those that follow on no others."""
    keys = {name: value for name, value in guess.declared.items() if name not in {"strata", "limit"}}
    good = [all(a > b for a, b in pairwise(each)) for each in chosen]
    cases = [
        TriedCase(guess.kind.book, keys | dict(stratified(guess.letters, each)))
        for each, ok in zip(chosen, good, strict=True)
        if ok
    ]
    tried = copies.tried(cases, max(len(guess.letters), 1))
    awards = iter(paid.max(axis=1) if ok else None for paid, ok in zip(tried.awards, tried.accepted, strict=True))
    return [next(awards) if ok else None for ok in good]


FREE = ("R", "M", "P", "T")
"""The factors that may be left free."""

_PARTS = 4
"""The number of parts in which what lies between two limits or values is tried at a time."""

_WIDEST, _NEAR = Fraction(4), Fraction(1, 200_000)
"""How many times its value a factor may be, or how small a part of it; and how exactly its bounds are searched."""

_ALL = -1
"""What stands for all strata."""

_PLACES = 10_000
"""Bounds are told to ten thousandths, the lower one rounded up and the upper one down."""


@dataclass(frozen=True)
class Bound:
    """Between which values a factor explains the awards that it explains."""

    factor: str  # its letter
    stratum: str  # for M, the stratum's letter
    value: Fraction  # what it is under the rulebook
    low: Fraction | None  # the least that it can be, None where nothing that is printed says so
    high: Fraction | None  # the most that it can be, None where nothing that is printed says so
    awards: int  # how many printed awards depend on it


def bounds(
    copies: Copies, guess: Guess, shown: Mapping[int, str], printed: Ints, factors: Sequence[str]
) -> tuple[Bound, ...]:
    """Return the bounds of some factors, by their letters, each by itself, all else as a guess has it.

    shown: by stratum, 0 the top, the factors of an award as they are shown.
    printed: the awards in hundredths, of each contestant.
    Raises InputError where the awards have no such factors.
    """
    edition = rulebook(guess.kind.book).at(copies.day)
    if not shown:
        what = f"{guess.kind.rating} games under {edition.book} have no factors to leave free"
        raise InputError(what, hint="declare what the game is, or name no factors with free")
    with tempfile.TemporaryDirectory() as folder:
        free = _Free(copies, guess, printed, edition, Path(folder))
        return tuple(bound for factor in factors for bound in free.of(factor, shown))


class _Free:
    """A game awarded with its first awards multiplied by one number or another."""

    def __init__(self, copies: Copies, guess: Guess, printed: Ints, edition: Edition, folder: Path) -> None:
        """Take the game, and a folder for the rulebooks that have another R."""
        self._copies, self._guess, self._printed = copies, guess, printed
        self._edition, self._folder = edition, folder
        self._levels = max(len(guess.letters), 1)
        self._paths = [path for path in edition.entries if path.startswith("factor.r.")]
        self._known: dict[Fraction, Ints] = {}
        self._found: dict[int, tuple[Fraction | None, Fraction | None, int]] = {}

    def of(self, factor: str, shown: Mapping[int, str]) -> Iterator[Bound]:
        """Yield the bounds of a factor: for M those of each stratum that has one."""
        levels = sorted(shown) if factor == "M" else [_ALL]
        for level in levels:
            text = shown[level] if level != _ALL else next(iter(shown.values()))
            letter = self._guess.letters[level] if level != _ALL and self._guess.letters else ""
            found = re.search(rf"\b{factor} ([0-9.]+)", text)
            value = Fraction(found[1]) if found else Fraction(1)  # one that is not shown is 1
            low, high, awards = self._within(_ALL if self._levels == 1 else level)
            least = None if low is None else Fraction(ceil(low * value * _PLACES), _PLACES)
            most = None if high is None else Fraction(floor(high * value * _PLACES), _PLACES)
            yield Bound(factor, letter, value, least, most, awards)

    def _within(self, level: int) -> tuple[Fraction | None, Fraction | None, int]:
        """Return the multiples of the first awards of a stratum that explain as much, and how many depend on it."""
        if level not in self._found:
            total = self._total(level)
            middle = self._best(total)
            ends = (middle / _WIDEST, middle * _WIDEST)
            low, at, high = (total(awards) for awards in self._paid([ends[0], middle, ends[1]]))
            depends = (at == self._printed) & ((low != at) | (high != at))

            def holds(awards: Ints) -> bool:
                return bool((total(awards) == self._printed)[depends].all())

            # The largest award tells the narrowest bounds; a few hundredths more or less change it.
            most = int(self._printed[depends].max(initial=1))
            near = (middle * (1 - min(Fraction(4, most), Fraction(1, 2))), middle * (1 + Fraction(4, most)))
            sides: list[Fraction | None] = []
            for paid, end, close in zip((low, high), ends, near, strict=True):
                if (depends & (paid != at)).any():
                    outside = end if holds(self._paid([close])[0]) else close
                    sides.append(self._end(middle, outside, holds))
                else:
                    sides.append(None)
            self._found[level] = (sides[0], sides[1], int(depends.sum()))
        return self._found[level]

    def _total(self, level: int) -> Callable[[Ints], Ints]:
        """Return what makes the awards of contestants of those of each stratum, with one or all of these changed."""
        if level == _ALL:
            return lambda awards: awards.max(axis=1)
        others = np.delete(self._paid([Fraction(1)])[0], level, axis=1).max(axis=1, initial=0)
        return lambda awards: np.maximum(awards[:, level], others)

    def _best(self, total: Callable[[Ints], Ints]) -> Fraction:
        """Return by what the awards have to be multiplied to explain the most; 1 if nothing explains more than that."""
        paid = total(self._paid([Fraction(1)])[0])
        ratios = sorted({Fraction(int(p), int(a)) for p, a in zip(self._printed, paid, strict=True) if p and a})
        near = [each for each in ratios if 1 / _WIDEST <= each <= _WIDEST]
        tried = [Fraction(1), *near]
        counts = [int((total(awards) == self._printed).sum()) for awards in self._paid(tried)]
        return tried[int(np.argmax(counts))]

    def _end(self, inside: Fraction, outside: Fraction, holds: Callable[[Ints], bool]) -> Fraction:
        """Return the last number, from one that explains to one that does not, that still does."""
        while abs(outside - inside) > _NEAR:
            step = (outside - inside) / _PARTS
            between = [inside + n * step for n in range(1, _PARTS)]
            for each, awards in zip(between, self._paid(between), strict=True):
                if not holds(awards):
                    outside = each
                    break
                inside = each
        return inside

    def _paid(self, times: Sequence[Fraction]) -> list[Ints]:
        """Return what each contestant is paid in each stratum, with first awards multiplied."""
        new = [each for each in times if each not in self._known]
        declared = self._guess.declared
        cases = [TriedCase(self._book(each), declared) for each in new]
        tried = self._copies.tried(cases, self._levels)
        self._known |= dict(zip(new, tried.awards, strict=True))
        return [self._known[each] for each in times]

    def _book(self, times: Fraction) -> str:
        if times == 1:
            return self._edition.book
        values = {path: Decimal(f"{float(self._edition.number(path) * times):.9f}") for path in self._paths}
        return with_values(self._edition.book, values, self._folder)
