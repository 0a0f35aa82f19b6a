"""The ladders of knockouts: overall awards by place, and awards for matches won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Self

import numpy as np
import pandas as pd

from resultproc.model.errors import InputError
from resultproc.model.group import Group, Groups, distinct, told_apart
from resultproc.model.knockout import Bracket, Finish
from resultproc.model.values import decimal_text
from resultproc.rulebooks.acbl_knockout.depth import by_playoff, depth_of, listed_of, places_that_pay
from resultproc.rulebooks.acbl_knockout.first import first_awards, match_kind
from resultproc.rulebooks.common.championships import Championship, championship_of
from resultproc.rulebooks.common.exact import Multiples, decimal, hundredths, rounded, text
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.common.matches import match_product
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import EachShape, Ints, Ladder, Ladders, NoAwards, Shape, starts, tried


def match_shape(edition: Edition, group: Group) -> Shape:
    """Return the awards of teams that won so many matches in a bracket of one number of teams: the same for all.

    Raises DeclarationError for a championship that is unknown.
    """
    championship = championship_of(edition, group.championship)
    if edition.text("match.reading") == "none" or (championship and championship.closest):
        return NoAwards(edition.values("match.reading"), "no match awards in this event")

    def ladder(of: Group, reach: int) -> Ladder:
        each = _match_award(edition, group, championship, *of.brackets)
        per_match, matches = rounded(each.award), of.finish.matches
        won = f"{text(matches)} {'match' if matches == 1 else 'matches'} won"
        shown = f"{won} x {text(per_match, 2)} ({each.factors})"
        values = edition.values(*each.cited, "match.reading")
        return Ladder((hundredths(per_match * matches),) * reach, reach, values, shown)

    return EachShape(ladder)


def _match_award(edition: Edition, group: Group, championship: Championship | None, own: Bracket) -> First:
    """Return what one match pays; DeclarationError where the event does not declare what that depends on."""
    if championship and championship.match is not None:
        shown = f"fixed at {decimal(championship.match)} for a match of two sessions"
        return First(championship.match, shown, (championship.path,))
    return match_product(edition, "d", match_kind(edition, group, own))


@dataclass(frozen=True)
class Paid:
    """What teams of a bracket get that finished in one way.

    scale: what each place gets as a share of the first award. places: how many pay. shown: as a person reads it.
    cited: the paths of the values that say so.
    """

    scale: Multiples
    places: int = 0
    shown: str = ""
    cited: tuple[str, ...] = ()


_NO_FIRST, _NOT_PAID = First(Fraction(0), ""), Paid(Multiples.of([Fraction(0)]))
"""What stands for those of teams that can have no awards."""


@dataclass(frozen=True)
class OverallShape(Shape):
    """The overall awards of events that differ in their brackets alone, by the bracket and how far a team came there.

    group: without what tells them apart.
    """

    edition: Edition
    group: Group

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`~resultproc.rulebooks.regulation.Shape`.

        A bracket has one first award. What its teams get of it is the same in all brackets of the same rounds and
        finishes.
        """
        edition = shapes[0].edition
        events = [run.brackets for run in groups.frame["brackets"].cat.categories]
        finishes = groups.frame["finish"].cat
        keys = groups.frame[["brackets", "bracket_played"]].assign(shape=which)
        bracket, at = distinct(keys)
        each = list(
            zip(which[at].tolist(), keys["brackets"].cat.codes.iloc[at], keys["bracket_played"].iloc[at], strict=True)
        )
        first_of = cache(lambda shape, event: first_awards(edition, shapes[shape].group, events[event]))
        by_rounded = edition.text("overall.from") == "rounded first"

        def first(shape: int, event: int, played: int) -> First:
            unrounded = first_of(shape, event)(played)
            return unrounded.rounded() if by_rounded else unrounded

        firsts = [tried(partial(first, *of)) for of in each]
        own = [events[event][played] for _, event, played in each]
        course, _ = told_apart((shape, of.rounds, of.finishes) for (shape, *_), of in zip(each, own, strict=True))
        way, at = distinct(pd.DataFrame({"course": course[bracket], "finish": finishes.codes, "reach": reach}))
        ended = zip(which[at], bracket[at], finishes.codes.iloc[at], reach[at].tolist(), strict=True)
        ways = [
            tried(partial(shapes[shape].paid, own[of], finishes.categories[finish], places))
            for shape, of, finish, places in ended
        ]
        return _paid(edition, firsts, bracket, ways, way, reach)

    def paid(self, own: Bracket, finish: Finish, reach: int) -> Paid:
        """Return what teams of a bracket get that finished in one way, so many places at least.

        Raises DeclarationError for a play-off in a bracket that is too small for one.
        """
        edition, listed = self.edition, listed_of(self.edition, self.group)
        depth = cache(partial(depth_of, edition, self.group))
        own_depth, playoff = depth(own, finish), by_playoff(edition, self.group, finish)
        scale, paths = _scale(edition, listed, own.rounds[1:], playoff, finish.first, finish.last, reach)
        places = places_that_pay(own, own_depth, depth)
        return Paid(scale, places, own_depth.shown(places), (*paths, *own_depth.cited))


def _paid(
    edition: Edition,
    firsts: Sequence[First | InputError],
    bracket: Ints,
    ways: Sequence[Paid | InputError],
    way: Ints,
    reach: Ints,
) -> Ladders:
    """Return ladders by the first award of each one's bracket, and by what the teams get of it that so finished."""
    of_bracket = [_NO_FIRST if isinstance(each, InputError) else each for each in firsts]
    of_way = [_NOT_PAID if isinstance(each, InputError) else each for each in ways]
    length, depth = np.array([(len(each.scale.exact), each.places) for each in of_way], dtype=np.int64).T
    count = np.minimum(np.maximum(reach, depth[way]), length[way])
    base = [each.award for each in of_bracket]
    awards, refused = Multiples.hundredths([each.scale for each in of_way], way, base, bracket, count)
    wrong: dict[int, InputError] = dict(refused)
    for found, of in ((ways, way), (firsts, bracket)):
        errors = {number: error for number, error in enumerate(found) if isinstance(error, InputError)}
        wrong |= {row: errors[of[row]] for row in np.flatnonzero(np.isin(of, list(errors))).tolist()}
    cited, paths = told_apart(each.cited for each in of_bracket)
    made, at = distinct(pd.DataFrame({"first": cited[bracket], "way": way}))
    values = [edition.values(*paths[cited[bracket[row]]], *of_way[way[row]].cited) for row in at]
    start = starts(count)
    told = zip(awards[start[:-1]].tolist(), bracket.tolist(), way.tolist(), strict=True)
    return Ladders(
        awards,
        start,
        depth[way],
        [values[each] for each in made.tolist()],
        [f"first {decimal_text(top)} ({of_bracket[b].factors}); {of_way[w].shown}" for top, b, w in told],
        wrong,
    )


def _scale(
    edition: Edition,
    listed: Championship | None,
    came_down_to: tuple[int, ...],
    playoff: bool,
    first: int,
    last: int,
    reach: int,
) -> tuple[Multiples, tuple[str, ...]]:
    """Return what each place gets as a share of the first award, and the paths of the values that say so.

    listed: the championship whose places the event has. came_down_to: the teams in each round but the first. playoff:
    whether there was one for the place. first, last: the places that the teams share. reach: how many are needed.
    """
    shares, paths = _shares(edition, listed, came_down_to, playoff=playoff)
    shares += [Fraction(0)] * (max(reach, last) - len(shares))
    if edition.text("overall.ties") == "mean of percentages":
        tied = slice(first - 1, last)
        shares[tied] = [sum(shares[tied], Fraction(0)) / len(shares[tied])] * len(shares[tied])
    return Multiples.of(shares), paths


def _shares(
    edition: Edition, listed: Championship | None, came_down_to: tuple[int, ...], *, playoff: bool
) -> tuple[list[Fraction], tuple[str, ...]]:
    if listed and listed.places:
        return _shares_of(listed), ()
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


def _shares_of(listed: Championship) -> list[Fraction]:
    full = listed.first or Fraction(1)
    return _spread([(1, Fraction(1)), *((last, award / full) for last, award in listed.places)])


def _spread(steps: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    """Return the share of each place, from steps of a last place and what it and those before it get."""
    shares: list[Fraction] = []
    for last, share in steps:
        shares += [share] * (last - len(shares))
    return shares


def _set(shares: list[Fraction], first: Fraction, last: Fraction, percent: Fraction) -> None:
    """Give all places from one to another the same share, in percent."""
    shares[int(first) - 1 : int(last)] = [percent / 100] * int(last - first + 1)
