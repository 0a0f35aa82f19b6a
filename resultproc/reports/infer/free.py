"""Bounds of a factor of first awards that is left free: between them all that a game's awards explained is explained.

A factor is multiplied with the others, so that R, which has a value of its own in every rulebook that has factors, is
changed in place of any of them. M is that of a stratum: there its own awards alone change.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import numpy as np

from resultproc.model.arrays import Ints
from resultproc.model.errors import InputError
from resultproc.reports.infer.space import Guess
from resultproc.reports.infer.tried import Case, Copies
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.registry import rulebook

FREE = ("R", "M", "P", "T")
"""The factors that may be left free."""

_WIDEST, _PARTS, _NEAR = Fraction(4), 4, Fraction(1, 200_000)
"""How many times its value a factor may be, or how small a part of it; in how many parts what is left is searched; and
how exactly."""

_ALL = -1
"""What stands for all strata."""

_PLACES = 10_000
"""Bounds are told to ten thousandths, the lower one rounded up and the upper one down."""


@dataclass(frozen=True)
class Bound:
    """Between which values a factor explains the awards that it explains.

    stratum: of M, its letter. value: what it is under the rulebook. low, high: None where nothing that is printed
    bounds it on that side. awards: how many printed awards depend on it.
    """

    factor: str
    stratum: str
    value: Fraction
    low: Fraction | None
    high: Fraction | None
    awards: int


def bounds(
    copies: Copies, guess: Guess, shown: Mapping[int, str], printed: Ints, factors: Sequence[str]
) -> tuple[Bound, ...]:
    """Return the bounds of some factors, each by itself, all else as a guess has it.

    shown: by stratum, 0 the top, the factors of an award as they are shown. printed: in hundredths, of each contestant.
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
        """Yield the bounds of a factor: of M those of each stratum that has one."""
        levels = sorted(shown) if factor == "M" else [_ALL]
        for level in levels:
            text = shown[level] if level != _ALL else next(iter(shown.values()))
            letter = self._guess.letters[level] if level != _ALL and self._guess.letters else ""
            value = _value(factor, text)
            low, high, awards = self._within(_ALL if self._levels == 1 else level)
            yield Bound(
                factor,
                letter,
                value,
                None if low is None else Fraction(ceil(low * value * _PLACES), _PLACES),
                None if high is None else Fraction(floor(high * value * _PLACES), _PLACES),
                awards,
            )

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
        cases = [Case(self._book(each), declared) for each in new]
        tried = self._copies.tried(cases, self._levels)
        self._known |= dict(zip(new, tried.awards, strict=True))
        return [self._known[each] for each in times]

    def _book(self, times: Fraction) -> str:
        """Return the rulebook with R multiplied."""
        if times == 1:
            return self._edition.book
        lines = [f'extends = "{self._edition.book}"']
        for path in self._paths:
            lines += [f"[{path}]", f"value = {float(self._edition.number(path) * times):.9f}"]
        file = self._folder / f"{len(self._known)}-{times.numerator}-{times.denominator}.toml"
        file.write_text("\n".join(lines) + "\n", "utf-8")
        return str(file)


def _value(factor: str, shown: str) -> Fraction:
    """Return a factor of those that are shown; one that is not is 1."""
    found = re.search(rf"\b{factor} ([0-9.]+)", shown)
    return Fraction(found[1]) if found else Fraction(1)
