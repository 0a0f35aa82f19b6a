"""How many places pay overall in a bracket, and to whom: most teams must have won two matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.model.knockout import Course, Finish
from resultproc.rulebooks.acbl_knockout.compact import is_compact
from resultproc.rulebooks.common.championships import Championship, championship_of, followed
from resultproc.rulebooks.common.first import paying
from resultproc.rulebooks.core import Edition


@dataclass(frozen=True)
class Depth:
    """How many places pay to teams that finished in one way, and the paths of the values that say so.

    why: why none pays, or how they do.
    """

    places: int
    cited: tuple[str, ...]
    why: str = ""

    def shown(self, places: int) -> str:
        """Return how many of the places pay, as a person reads it."""
        return f"{paying(places)}{self.why}" if self.places else self.why


def depth_of(edition: Edition, group: Group, course: Course, finish: Finish) -> Depth:
    """Return how many places pay to teams of a bracket that finished so, however few teams there are."""
    listed = listed_of(edition, group)
    if listed and (listed.places or listed.depth):
        return _listed_depth(edition, listed, course, finish)
    if is_compact(group):
        return _compact_depth(edition, course, finish)
    if _qualified(edition, finish.matches, finish.rounds):
        return Depth(int(edition.rows("overall.percentages")[-1][0]), ("overall.wins",))
    if by_playoff(edition, group, finish) and _qualified(
        edition, finish.matches + (finish.playoff == "W"), finish.rounds
    ):
        return _playoff_depth(edition, course)
    why = f"nothing to a team that won fewer than {edition.shown('overall.wins')} matches and did not go on "
    return Depth(0, ("overall.wins", "overall.rounds"), f"{why}{edition.shown('overall.rounds')} rounds")


def places_that_pay(course: Course, depth: Depth, of: Callable[[Course, Finish], Depth]) -> int:
    """Return how many of the places of a depth pay to the teams of the bracket: those that finished in such a way.

    of: returns the depth of a finish.
    """
    alike = [each.last for each in course.finishes if each.first <= depth.places and of(course, each) == depth]
    return min(depth.places, max(alike, default=0))


def listed_of(edition: Edition, group: Group) -> Championship | None:
    """Return the championship whose places the event has: of a WBF event the one that it follows; None for none."""
    championship = championship_of(edition, group.championship)
    return followed(edition, championship) if championship else None


def by_playoff(edition: Edition, group: Group, finish: Finish) -> bool:
    """Return whether a team can have its place only because it played off for it."""
    qualified = _qualified(edition, finish.matches, finish.rounds)
    return bool(finish.playoff) and not is_compact(group) and not qualified


def _qualified(edition: Edition, matches: Fraction, rounds: int) -> bool:
    return bool(matches >= edition.number("overall.wins") or rounds >= edition.number("overall.rounds"))


def _playoff_depth(edition: Edition, course: Course) -> Depth:
    """Return the places that a play-off may be for; DeclarationError where there are too few teams for one."""
    places = [last for least, last in edition.rows("playoff.places") if course.teams >= least]
    if not places:
        least = edition.rows("playoff.places")[0][0]
        raise DeclarationError(
            f"there is a play-off in a bracket of {course.teams} teams",
            hint=f"a play-off needs at least {least} teams",
        )
    return Depth(int(places[-1]), ("playoff.places",), " by play-off")


def _compact_depth(edition: Edition, course: Course, finish: Finish) -> Depth:
    """Return the places of a compact knockout: the lower ones only to teams that played off for them."""
    places = [last for least, last in edition.rows("compact.places") if course.teams >= least]
    depth = int(places[-1]) if places else 0
    if finish.playoff:
        return Depth(depth, ("compact.places",))
    without = edition.whole("compact.two-sessions")
    return Depth(min(depth, without), ("compact.places", *(("compact.two-sessions",) if depth > without else ())))


def _listed_depth(edition: Edition, listed: Championship, course: Course, finish: Finish) -> Depth:
    """Return the places of a championship that lists them, to teams that went on a round at least."""
    path = "championship-rounds.knockout"
    if finish.rounds < edition.number(path):
        return Depth(0, (path,), "nothing to a team that lost its first match")
    if listed.places:
        return Depth(listed.places[-1][0], (path,))
    by_teams = "championship-depth.knockout"
    places = next(places for least, places in edition.rows(by_teams) if course.teams >= least)
    return Depth(int(places), (by_teams,))
