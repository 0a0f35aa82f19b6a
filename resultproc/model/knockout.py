"""What the awards of a knockout team depend on: how far it came, and the brackets of its event.

Every bracket's awards depend on the one above it and the ones below. So the standings of a knockout carry, in their
column ``knockout``, the team's own run and all the brackets: few distinct texts, which :meth:`Run.parse` takes apart.
Such a text is ``bracket|places|rounds|matches|play-off|bracket,bracket,...``, each bracket
``place:teams:top:average:twelve:limit``: ``1|3-4|2|2.5||0:16:2100:1850.5:0:,1:9:720:610.25:0:``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Bracket:
    """A bracket or flight of a knockout, or one of the groups that its lowest flight was split into.

    place: 0 for the top one; groups of a split flight share theirs. teams: how many entered. top: the average holding
    per player of its top team; average: of all its players; NaN where holdings are unknown. twelve: whether it came
    down to twelve teams. limit: the flight's upper limit, NaN for a bracket that has none of its own.
    """

    place: int
    teams: int
    top: float
    average: float
    twelve: bool
    limit: float

    @classmethod
    def parse(cls, text: str) -> Bracket:
        """Return the bracket of its text."""
        place, teams, top, average, twelve, limit = text.split(":")
        return cls(int(place), int(teams), _number(top), _number(average), twelve == "1", _number(limit))


@dataclass(frozen=True)
class Run:
    """How far a team came, and in which bracket of its event.

    bracket: the number of its bracket in ``brackets``. first, last: the places that it shares. rounds: those that it
    survived. matches: those that it won, without a play-off; matches of a round in which three or four teams met count
    half. playoff: W or L for a match that was played for a further place, else ''. Of a team that forfeited, these are
    those of the team whose place it gets.
    """

    bracket: int
    first: int
    last: int
    rounds: int
    matches: Fraction
    playoff: str
    brackets: tuple[Bracket, ...]

    @property
    def own(self) -> Bracket:
        """The bracket that the team played in."""
        return self.brackets[self.bracket]

    @classmethod
    def parse(cls, text: str) -> Run:
        """Return the run of its text."""
        bracket, places, rounds, matches, playoff, brackets = text.split("|")
        first, last = places.split("-")
        return cls(
            int(bracket),
            int(first),
            int(last),
            int(rounds),
            Fraction(matches),
            playoff,
            tuple(Bracket.parse(each) for each in brackets.split(",")),
        )


def _number(text: str) -> float:
    return float(text) if text else math.nan
