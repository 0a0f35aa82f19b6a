"""The tables that a bracket counts: its own teams, and a part of those in lower brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from resultproc.model.errors import DeclarationError
from resultproc.model.knockout import Bracket
from resultproc.rulebooks.common.exact import least_float, text
from resultproc.rulebooks.core import Edition, kept


@dataclass(frozen=True)
class Count:
    """How the teams of an event count for one bracket: its own in full, so many lower ones by half, third and fifth.

    credit: the part of what the lower ones add that is credited.
    """

    own: int
    half: int
    third: int
    fifth: int
    credit: Fraction = Fraction(1)

    @property
    def lower(self) -> bool:
        """Whether teams of lower brackets count."""
        return bool(self.half or self.third or self.fifth)

    def tables(self, edition: Edition) -> Fraction:
        """Return the tables that the bracket counts."""
        half, third, fifth = edition.numbers("tables.shares")
        return self.own + self.credit * (self.half / half + self.third / third + self.fifth / fifth)

    def factors(self, edition: Edition) -> str:
        """Return how the tables came about, as a person reads it: ``16 + 16/2 + 34/3 + 30/5``; '' for its own alone."""
        shares = zip((self.half, self.third, self.fifth), edition.numbers("tables.shares"), strict=True)
        parts = [f"{count}/{share}" for count, share in shares if count]
        if not parts or not self.credit:
            return ""
        lower = " + ".join(parts)
        return f"{self.own} + {lower if self.credit == 1 else f'{text(self.credit)} x ({lower})'}"


def counted(edition: Edition, brackets: Sequence[Bracket], index: int) -> Count:
    """Return how the teams of the event count for a bracket.

    A bracket whose top team is weak is credited with less of the lower ones.
    Raises DeclarationError where the holdings that this depends on are not known.
    """
    count = _counts(edition, tuple([(each.place, each.rounds[0]) for each in brackets]))[brackets[index].place]
    if not count.lower:
        return count
    top = brackets[index].top
    if top is None:
        raise holdings_missing(brackets[index], "its credit for lower brackets depends on its top team")
    (part,) = by_top(edition, "tables.weak", top)
    return replace(count, credit=part)


def by_top(edition: Edition, path: str, top: float) -> tuple[Fraction, ...]:
    """Return what a table of a rulebook has for a top team of so high an average holding."""
    return next(values for least, values in _by_top(edition, path) if top >= least)


@kept
def _by_top(edition: Edition, path: str) -> list[tuple[float, tuple[Fraction, ...]]]:
    # A float is compared with others many times faster than with fractions.
    return [(least_float(least), tuple(values)) for least, *values in edition.rows(path)]


def counted_paths(edition: Edition, count: Count) -> tuple[str, ...]:
    """Return the paths of the values that a count depends on."""
    if not count.lower:
        return ()
    weak = () if count.credit == 1 else ("tables.weak",)
    return ("tables.shares", *(("tables.third-reading",) if count.third or count.fifth else ()), *weak)


def holdings_missing(bracket: Bracket, why: str) -> DeclarationError:
    """Return the error of a bracket whose players' holdings are not all known."""
    return DeclarationError(
        f"a player in bracket {bracket.place + 1} has no holding, and {why}",
        hint="write mp1, mp2, ... for every player",
    )


@kept
def _counts(edition: Edition, entered: tuple[tuple[int, int], ...]) -> Sequence[Count]:
    """Return how the teams of an event count for the bracket at each place, from the place and teams of each.

    A bracket goes by its own teams, of a flight that was split into groups by those of the largest one. The top bracket
    counts the lower teams in bands of 1/2, 1/3 and 1/5. A lower one counts at 1/3 the teams that the bracket above
    counted at 1/2 and 1/3, less its own, and at 1/5 the rest below it.
    """
    counts: list[Count] = []
    for place in range(max(place for place, _ in entered) + 1):
        own = max(teams for at, teams in entered if at == place)
        lower = sum(teams for at, teams in entered if at > place)
        if place == 0:
            half = min(lower, edition.whole("tables.half-band"))
            most = edition.whole("tables.third-band")
            if edition.text("tables.third-reading") == "up to the 50th team":
                most -= half
            third = min(lower - half, most)
        else:
            half, third = 0, min(lower, max(counts[-1].half + counts[-1].third - own, 0))
        counts.append(Count(own, half, third, lower - half - third))
    return counts
