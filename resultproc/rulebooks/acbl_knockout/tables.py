"""The tables that a bracket counts: its own teams, and a part of those in lower brackets.

The boards of its matches: compact knockouts have fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from resultproc.model.arrays import Floats, Ints, run_starts
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.game import COMPACT_KNOCKOUT
from resultproc.model.group import Group
from resultproc.rulebooks.common.awards import declared_boards
from resultproc.rulebooks.common.exact import factor_text, least_float
from resultproc.rulebooks.core import Edition


@dataclass(frozen=True)
class Count:
    """How the teams of an event count for one bracket.

    own: those of the bracket itself, which count in full.
    half, third, fifth: those of lower brackets that count by these parts.
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
        return f"{self.own} + {lower if self.credit == 1 else f'{factor_text(self.credit)} x ({lower})'}"


def counted_teams(edition: Edition, event: Ints, place: Ints, teams: Ints) -> Ints:
    """Return how the teams of an event count for each of its brackets, before the weak ones are credited with less.

    The rows are those of :class:`Count`: the teams that count in full, by half, third and fifth.

    event, place, teams: of every bracket of some events, in the order of the events and their places.

    A bracket goes by its own teams; where a flight was split into groups, by those of the largest group. The top
    bracket counts the lower teams in bands of 1/2, 1/3 and 1/5. A lower one counts at 1/3 the teams that the bracket
    above counted at 1/2 and 1/3, less its own, and at 1/5 the rest below it.
    """
    slot, first = slots(event, place)
    own = np.maximum.reduceat(teams, first)
    of_event, level = event[first], place[first]
    entered = np.add.reduceat(teams, first)
    above = np.cumsum(entered)
    lower = np.bincount(event, teams).astype(np.int64)[of_event] - (above - (above - entered)[level == 0][of_event])
    half, third = np.zeros_like(own), np.zeros_like(own)
    top = level == 0
    half[top] = np.minimum(lower[top], edition.whole("tables.half-band"))
    most = edition.whole("tables.third-band") - half
    if edition.text("tables.third-reading") != "up to the 50th team":
        most += half
    third[top] = np.minimum((lower - half)[top], most[top])
    for number in range(1, int(level.max()) + 1):
        at = np.flatnonzero(level == number)
        third[at] = np.minimum(lower[at], np.maximum((half + third)[at - 1] - own[at], 0))
    return np.stack([own, half, third, lower - half - third])[:, slot]


def slots(event: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Return the number of each bracket's event and place among all, and the first bracket of each.

    That before it is the place above in the same event.
    """
    new = run_starts(event, place)
    return np.cumsum(new) - 1, np.flatnonzero(new)


def by_top(edition: Edition, path: str, top: Floats) -> Ints:
    """Return which line of a rulebook's table each top team's average holding falls into, -1 for one that is not known.

    path: of the table; its lines begin with the least holding, the highest first.
    top: the average holdings of the top teams in masterpoints, NaN where not known.
    Raises RulebookError where there is none.
    """
    least = np.array([least_float(least) for least, *_ in edition.rows(path)])
    reaches = top[:, None] >= least
    if (~np.isnan(top) & ~reaches.any(axis=1)).any():
        what = f"rulebook {edition.book}: {path} has no line for every average holding"
        raise RulebookError(what, hint="let the last line begin with 0")
    return np.where(np.isnan(top), -1, reaches.argmax(axis=1))


def counted_paths(edition: Edition, count: Count) -> tuple[str, ...]:
    """Return the paths of the values that a count depends on."""
    if not count.lower:
        return ()
    weak = edition.inferred("tables.weak") if count.credit == 1 else ("tables.weak",)
    bands = edition.inferred("tables.half-band", "tables.third-band")
    return ("tables.shares", *(("tables.third-reading",) if count.third or count.fifth else ()), *weak, *bands)


def holdings_missing(place: int, why: str) -> DeclarationError:
    """Return the error of a bracket whose players' holdings are not all known."""
    what = f"a player in bracket {place + 1} has no holding, and {why}"
    return DeclarationError(what, hint="write mp1, mp2, ... for every player")


def is_compact(group: Group) -> bool:
    """Return whether this is a compact knockout."""
    return COMPACT_KNOCKOUT in group.special


def boards_of_match(edition: Edition, group: Group, teams: int) -> int:
    """Return the boards of a match in a bracket.

    In a compact knockout, few teams play full matches: of twice the boards that are declared.
    Raises DeclarationError where no boards are declared, and where they are not those of a compact knockout that is
    declared as one.
    """
    boards = declared_boards(group, "the awards of a knockout depend on the boards per match", "24")
    if not is_compact(group):
        return boards
    least, most = edition.numbers("compact.boards")
    if not least <= boards <= most:
        what = f"boards is {boards}, but a compact knockout has matches of {least} to {most} boards"
        raise DeclarationError(what, hint="correct boards, or leave compact-knockout out of special")
    full = teams <= edition.number("compact.full-until")
    return boards * edition.whole("compact.full-match") if full else boards
