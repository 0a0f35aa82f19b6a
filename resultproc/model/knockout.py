"""What the awards of a knockout team depend on: how far it came, and the brackets of its event.

Every bracket's awards depend on the one above it and the ones below. So the standings of a knockout carry, in their
column ``knockout``, a :class:`Run`: where the team finished, and all the brackets. Few are distinct.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Finish:
    """Where teams of a bracket finished, and how they came there.

    first, last: the places that they share. rounds: those that each survived. matches: those that each won, without a
    play-off; of a round in which several teams met, only a part may count. playoff: W or L for a match that was played
    for a further place, else ''. A team that forfeited may have the finish of another, whose place it gets.
    """

    first: int
    last: int
    rounds: int
    matches: Fraction
    playoff: str = ""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Every run and every bracket has some, and to hash a fraction takes long.
        return hash((self.first, self.last, self.rounds, self.matches, self.playoff))


@dataclass(frozen=True)
class Bracket:
    """A bracket or flight of a knockout, or one of the groups that its lowest flight was split into.

    place: 0 for the top one; groups of a split flight share theirs. rounds: how many teams were in each round; all that
    entered are in the first. top: the average holding per player of its top team; average: of all its players; None
    where holdings are unknown. limit: the flight's upper limit, None for a bracket that has none of its own.
    finishes: where its teams finished, the best first, those of equal ones once.
    """

    place: int
    rounds: tuple[int, ...]
    top: float | None
    average: float | None
    limit: float | None = None
    finishes: tuple[Finish, ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Thousands of runs are told apart, and several have the same bracket.
        return hash((self.place, self.rounds, self.top, self.average, self.limit, self.finishes))

    @property
    def teams(self) -> int:
        """How many teams entered."""
        return self.rounds[0]


@dataclass(frozen=True, eq=False)
class Run:
    """How far a team came, and in which bracket of its event; each run is equal to itself alone.

    bracket: the number of its bracket in ``brackets``. finish: where it finished or, where it is compared by the
    matches that it won, with whom it shares a place by these.
    """

    bracket: int
    finish: Finish
    brackets: tuple[Bracket, ...]

    @property
    def own(self) -> Bracket:
        """The bracket that the team played in."""
        return self.brackets[self.bracket]
