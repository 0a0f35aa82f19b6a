"""The ladders of knockouts: overall awards by place, and awards for matches won.

How many places pay overall in a bracket, and to whom: most teams must have won two matches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Self

import numpy as np

from resultproc.model.arrays import Ints, distinct_keys, expand_counts, factorize_objects, first_rows
from resultproc.model.errors import DeclarationError, InputError, RulebookError
from resultproc.model.group import Course, Finish, Group, Groups, Ladder, Ladders, starts, taken_rows
from resultproc.model.numbers import decimal_text
from resultproc.rulebooks.acbl_general_formula.formula import at_two_sites
from resultproc.rulebooks.acbl_knockout.first import brackets_of, is_compact, match_kind
from resultproc.rulebooks.common.awards import First, match_product, paying
from resultproc.rulebooks.common.conditions import Championship, championship_of, followed_championship
from resultproc.rulebooks.common.exact import Multiples, decimal, factor_text, hundredths, reached, rounded
from resultproc.rulebooks.core import Edition, cached_per_edition
from resultproc.rulebooks.regulation import NoAwards, Shape, ladders_one_by_one, result_or_error


def knockout_match_shape(edition: Edition, group: Group) -> Shape:
    """Return the awards of teams by the matches that they won in a bracket of one number of teams: the same for all.

    Raises DeclarationError for a championship that is unknown.
    """
    championship = championship_of(edition, group.championship)
    if edition.text("match.reading") == "none" or (championship and championship.closest):
        return NoAwards(edition.values("match.reading"), "no match awards in this event")
    return _KnockoutMatchShape(edition, group, championship)


@dataclass(frozen=True)
class _KnockoutMatchShape(Shape):
    """The awards for matches won of events that differ in their brackets alone."""

    edition: Edition  # the same for all shapes that are computed together
    group: Group  # without the fields that tell such events apart
    championship: Championship | None  # that of the event, None for none

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        knockouts = brackets_of(groups).knockouts
        played, finish = (groups.frame[name].to_numpy() for name in ("bracket_played", "finish"))
        told = which, knockouts.teams[played], knockouts.rounds[played], knockouts.limit[played], finish
        each = (
            partial(shapes[of].ladder, (teams, rounds, limit), knockouts.finishes[ended].matches)
            for of, teams, rounds, limit, ended in zip(*(values.tolist() for values in told), strict=True)
        )
        return ladders_one_by_one(each, reach)

    def ladder(self, bracket: tuple[int, int, float], matches: Fraction, reach: int) -> Ladder:
        """Return the awards of teams that won a number of matches, all places the same.

        bracket: its teams, its rounds, and its upper limit.
        Raises DeclarationError where the event does not declare what that depends on.
        """
        each = self._match_award(*bracket)
        per_match = rounded(each.award)
        won = f"{factor_text(matches)} {'match' if matches == 1 else 'matches'} won"
        shown = f"{won} x {factor_text(per_match, 2)} ({each.factors})"
        teams, rounds, _ = bracket
        # Three or four teams may have met in one match.
        several = () if teams == 2**rounds else self.edition.inferred("match.wins")
        values = self.edition.values(*each.cited, "match.reading", *several)
        return Ladder((hundredths(per_match * matches),) * reach, reach, values, shown)

    def _match_award(self, teams: int, rounds: int, limit: float) -> First:
        """Return what one match pays: a listed award is for a match of a whole day, and shorter ones get a part."""
        championship = self.championship
        if championship and championship.match is not None:
            day = self.edition.number("match.day")
            part = min(Fraction(self.group.sessions) / (rounds * day), Fraction(1))
            shown = f"fixed at {decimal(championship.match)} for a match of {factor_text(day)} sessions"
            why = f" for {self.group.sessions} sessions of {rounds} rounds"
            listed = First(championship.match, shown, (championship.path,))
            # Another reading of what a day is would pay less than the whole, too.
            return listed.also_by("match.day") if part == 1 else listed.times(part, "match.day", ", x", why)
        each = match_product(self.edition, "d", match_kind(self.edition, self.group, teams, limit))
        return at_two_sites(self.edition, self.group, each)


@dataclass(frozen=True)
class _PaidPlaces:
    """What teams of a bracket get that finished in one way."""

    shares: Sequence[Fraction]  # what each place gets of the first award
    places: int = 0  # how many pay
    shown: str = ""  # as a person reads it
    cited: tuple[str, ...] = ()  # the paths of the values that say so


_NO_FIRST, _NOT_PAID = First(Fraction(0), ""), _PaidPlaces([Fraction(0)])
"""What stands for those of teams that can have no awards."""


@dataclass(frozen=True)
class OverallShape(Shape):
    """The overall awards of events that differ in their brackets alone, by bracket and how far a team came there."""

    edition: Edition
    group: Group  # without what tells them apart

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`~resultproc.rulebooks.regulation.Shape`.

        A bracket has one first award. What its teams get of it is the same in all brackets of the same rounds and
        finishes.
        """
        edition, brackets = shapes[0].edition, brackets_of(groups)
        played, first, finish = (groups.frame[name].to_numpy() for name in ("bracket_played", "first", "finish"))
        knockouts, firsts = brackets.knockouts, brackets.firsts
        if edition.text("overall.from") == "rounded first":
            firsts = [each if isinstance(each, InputError) else result_or_error(each.rounded) for each in firsts]
        course = knockouts.course[played]
        way, at = distinct_keys(which, course, finish, reach)
        ways = [
            result_or_error(partial(shapes[shape].paid, knockouts.courses[went], knockouts.finishes[ended], places))
            for shape, went, ended, places in zip(
                *(each[at].tolist() for each in (which, course, finish, reach)), strict=True
            )
        ]
        return _paid(edition, firsts, first, ways, way, reach)

    def paid(self, course: Course, finish: Finish, reach: int) -> _PaidPlaces:
        """Return what teams get that finished in one way, in brackets of one course, for ``reach`` places at least.

        Raises DeclarationError for a play-off in a bracket that is too small for one.
        """
        edition, listed = self.edition, _listed_of(self.edition, self.group)
        depth = partial(depth_of, edition, self.group)
        own_depth, playoff = depth(course, finish), _by_playoff(edition, self.group, finish)
        shares, paths = _scale(edition, listed, course.rounds[1:], playoff, finish.first, finish.last, reach)
        places = places_that_pay(course, own_depth, depth)
        # Nobody has a place where a team that forfeited got another's.
        ends = [0, *(each.last for each in course.finishes)]
        gaps = any(each.first > last + 1 for each, last in zip(course.finishes, ends, strict=False))
        forfeited = edition.inferred("forfeit.place") if gaps else ()
        return _PaidPlaces(shares, places, own_depth.shown(places), (*paths, *own_depth.cited, *forfeited))


def _paid(
    edition: Edition,
    firsts: Sequence[First | InputError],
    first: Ints,
    ways: Sequence[_PaidPlaces | InputError],
    way: Ints,
    reach: Ints,
) -> Ladders:
    """Return ladders by the first award of each one's bracket, and by the share of it for how its teams finished."""
    of_first = [_NO_FIRST if isinstance(each, InputError) else each for each in firsts]
    of_way = [_NOT_PAID if isinstance(each, InputError) else each for each in ways]
    length, depth = np.array([(len(each.shares), each.places) for each in of_way], dtype=np.int64).T
    count = np.minimum(np.maximum(reach, depth[way]), length[way])
    # Many places get the same share: of every first award each share is computed once.
    share, shares = factorize_objects(share for each in of_way for share in each.shares)
    awards, refused = _hundredths([each.award for each in of_first], shares)
    firsts = [refused.get(number, each) for number, each in enumerate(firsts)]
    ladder, place = expand_counts(count)
    begin = np.cumsum(length) - length
    found = awards[first[ladder], share[begin[way[ladder]] + place]]
    wrong: dict[int, InputError] = {}
    for either, of_ladder in ((ways, way), (firsts, first)):
        told = {number: error for number, error in enumerate(either) if isinstance(error, InputError)}
        wrong |= {row: told[of_ladder[row]] for row in np.flatnonzero(np.isin(of_ladder, list(told))).tolist()}
    cited, paths = factorize_objects(each.cited for each in of_first)
    made, at = distinct_keys(cited[first], way)
    values = [edition.values(*paths[cited[first[row]]], *of_way[way[row]].cited) for row in at]
    start = starts(count)
    top, shown = found[start[:-1]], factorize_objects(each.shown for each in of_way)
    told_as, at = distinct_keys(first, top, shown[0][way])
    texts = [
        f"first {decimal_text(points)} ({of_first[of].factors}); {shown[1][how]}"
        for of, points, how in zip(first[at].tolist(), top[at].tolist(), shown[0][way[at]].tolist(), strict=True)
    ]
    of_each = taken_rows(values, len(values), made), taken_rows(texts, len(texts), told_as)
    return Ladders(found, start, depth[way], *of_each, wrong)


def _hundredths(awards: Sequence[Fraction], shares: Sequence[Fraction]) -> tuple[Ints, dict[int, RulebookError]]:
    """Return every share of every award in hundredths, awards x shares, and what is wrong with those out of range."""
    # Most brackets have the award of others; as two whole numbers it is told apart sooner.
    number, ratios = factorize_objects(award.as_integer_ratio() for award in awards)
    each = np.arange(len(ratios))
    of, by = Multiples.of(shares), Multiples.of([awards[row] for row in first_rows(number, len(each)).tolist()])
    found, refused = Multiples.hundredths([of], np.zeros_like(each), by, each, np.full(len(each), len(shares)))
    wrong = {row: refused[number[row]] for row in np.flatnonzero(np.isin(number, list(refused))).tolist()}
    return found.reshape(len(each), len(shares))[number], wrong


def _scale(
    edition: Edition,
    listed: Championship | None,
    came_down_to: tuple[int, ...],
    playoff: bool,
    first: int,
    last: int,
    reach: int,
) -> tuple[Sequence[Fraction], tuple[str, ...]]:
    """Return what each place gets as a share of the first award, and the paths of the values that say so.

    listed: the championship whose places the event has.
    came_down_to: the teams in each round but the first.
    first, last: the places that the teams share.
    """
    of_places, paths = _shares(edition, listed, came_down_to, playoff)
    shares = [*of_places, *[Fraction(0)] * (max(reach, last) - len(of_places))]
    tied = slice(first - 1, last)
    paths = (*paths, *edition.inferred("overall.from"), *(("overall.ties",) if len(set(shares[tied])) > 1 else ()))
    if edition.text("overall.ties") == "mean of percentages":
        shares[tied] = [sum(shares[tied], Fraction(0)) / len(shares[tied])] * len(shares[tied])
    return shares, paths


@cached_per_edition
def _shares(
    edition: Edition, listed: Championship | None, came_down_to: tuple[int, ...], playoff: bool
) -> tuple[Sequence[Fraction], tuple[str, ...]]:
    if listed and listed.places:
        of_first = ((last, award / (listed.first or 1)) for last, award in listed.places)
        return _spread([(1, Fraction(1)), *of_first]), edition.inferred(listed.path)
    shares = _spread([(int(last), percent / 100) for last, percent in edition.rows("overall.percentages")])
    cited = ["overall.percentages"]
    for teams, *part in edition.rows("overall.down-to"):
        if teams in came_down_to:
            _set(shares, *part)
            cited.append("overall.down-to")
    if playoff:
        _set(shares, *edition.numbers("playoff.percent"))
        cited.append("playoff.percent")
    return shares, tuple(cited)


def _spread(steps: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    """Return the share of each place, from steps of a last place and what it and those before it get."""
    shares: list[Fraction] = []
    for last, share in steps:
        shares += [share] * (last - len(shares))
    return shares


def _set(shares: list[Fraction], first: Fraction, last: Fraction, percent: Fraction) -> None:
    shares[int(first) - 1 : int(last)] = [percent / 100] * int(last - first + 1)


@dataclass(frozen=True)
class _Depth:
    """How many places pay to teams that finished in one way."""

    places: int  # 0 for none
    cited: tuple[str, ...]  # the paths of the values that say so
    why: str = ""  # why none pays, or how they do

    def shown(self, places: int) -> str:
        return f"{paying(places)}{self.why}" if self.places else self.why


def depth_of(edition: Edition, group: Group, course: Course, finish: Finish) -> _Depth:
    """Return how many places pay to teams that finished in one way, even if the bracket has fewer teams."""
    listed = _listed_of(edition, group)
    if listed and (listed.places or listed.depth):
        return _listed_depth(edition, listed, course, finish)
    if is_compact(group):
        # The lower places go only to teams that played off for them.
        _, places = reached(edition.rows("compact.places"), course.teams) or (0, Fraction(0))
        depth = int(places)
        without, path = edition.whole("compact.two-sessions"), "compact.two-sessions"
        if depth <= without:
            return _Depth(depth, ("compact.places", *edition.inferred(path)))
        return _Depth(depth, ("compact.places",)) if finish.playoff else _Depth(without, ("compact.places", path))
    cited = edition.inferred("overall.wins", "overall.rounds")
    if _qualified(edition, finish.matches, finish.rounds):
        return _Depth(int(edition.rows("overall.percentages")[-1][0]), ("overall.wins", *cited))
    won = finish.matches + (finish.playoff == "W")
    if _by_playoff(edition, group, finish) and _qualified(edition, won, finish.rounds):
        lines = edition.rows("playoff.places")
        line = reached(lines, course.teams)
        if not line:
            what = f"there is a play-off in a bracket of {course.teams} teams"
            raise DeclarationError(what, hint=f"a play-off needs at least {lines[0][0]} teams")
        return _Depth(int(line[1]), ("playoff.places", *cited), " by play-off")
    why = f"nothing to a team that won fewer than {edition.shown('overall.wins')} matches and did not go on "
    return _Depth(0, ("overall.wins", "overall.rounds"), f"{why}{edition.shown('overall.rounds')} rounds")


def places_that_pay(course: Course, depth: _Depth, of: Callable[[Course, Finish], _Depth]) -> int:
    """Return how many places pay in a bracket to teams with one depth: none below the last team that has it."""
    alike = [each.last for each in course.finishes if each.first <= depth.places and of(course, each) == depth]
    return min(depth.places, max(alike, default=0))


def _listed_of(edition: Edition, group: Group) -> Championship | None:
    """Return the championship whose places the event has: for a WBF event the one that it follows; None for none."""
    championship = championship_of(edition, group.championship)
    return followed_championship(edition, championship) if championship else None


def _by_playoff(edition: Edition, group: Group, finish: Finish) -> bool:
    """Return whether a team can have its place only because it played off for it."""
    qualified = _qualified(edition, finish.matches, finish.rounds)
    return bool(finish.playoff) and not is_compact(group) and not qualified


def _qualified(edition: Edition, matches: Fraction, rounds: int) -> bool:
    return bool(matches >= edition.number("overall.wins") or rounds >= edition.number("overall.rounds"))


def _listed_depth(edition: Edition, listed: Championship, course: Course, finish: Finish) -> _Depth:
    """Return the places of a championship that lists them, to teams that went on a round at least."""
    path = "championship-rounds.knockout"
    if finish.rounds < edition.number(path):
        return _Depth(0, (path,), "nothing to a team that lost its first match")
    if listed.places:
        return _Depth(listed.places[-1][0], (path,))
    by_teams = "championship-depth.knockout"
    places = next(places for least, places in edition.rows(by_teams) if course.teams >= least)
    return _Depth(int(places), (by_teams,))
