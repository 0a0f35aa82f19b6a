"""The ladders of knockouts: overall awards by place, and awards for matches won."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from resultproc.model.group import Group
from resultproc.model.values import decimal_text
from resultproc.rulebooks.acbl_knockout.depth import by_playoff, depth_of, listed_of, places_that_pay
from resultproc.rulebooks.acbl_knockout.first import first_awards, product
from resultproc.rulebooks.common.championships import Championship, championship_of
from resultproc.rulebooks.common.exact import Multiples, decimal, hundredths, rounded, text
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition, kept
from resultproc.rulebooks.regulation import Ladder, Shape


def match_shape(edition: Edition, group: Group) -> Shape:
    """Return the awards of teams that won so many matches: the same for all of them.

    Raises DeclarationError where the event does not declare what a match award depends on.
    """
    each = _match_award(edition, group)
    if each is None:
        none = edition.values("match.reading"), "no match awards in this event"
        return lambda _, reach: Ladder((0,) * reach, 0, *none)
    per_match = rounded(each.award)
    values = edition.values(*each.cited, "match.reading")

    def ladder(of: Group, reach: int) -> Ladder:
        matches = of.finish.matches
        won = f"{text(matches)} {'match' if matches == 1 else 'matches'} won"
        shown = f"{won} x {text(per_match, 2)} ({each.factors})"
        return Ladder((hundredths(per_match * matches),) * reach, reach, values, shown)

    return ladder


def _match_award(edition: Edition, group: Group) -> First | None:
    """Return what one match pays, None where matches pay nothing."""
    championship = championship_of(edition, group.championship)
    if edition.text("match.reading") == "none" or (championship and championship.closest):
        return None
    if championship and championship.match is not None:
        shown = f"fixed at {decimal(championship.match)} for a match of two sessions"
        return First(championship.match, shown, (championship.path,))
    (own,) = group.brackets
    return product(edition, group, own, "d")


def overall_shape(edition: Edition, group: Group) -> Shape:
    """Return the overall awards of the teams of an event, by their bracket and how far they came.

    Raises DeclarationError where the event does not declare what they depend on.
    """
    listed = listed_of(edition, group)
    first_of = first_awards(edition, group)
    depth = cache(lambda bracket, finish: depth_of(edition, group, bracket, finish))
    by_rounded = edition.text("overall.from") == "rounded first"

    def ladder(of: Group, reach: int) -> Ladder:
        own, finish, first = group.brackets[of.bracket_played], of.finish, first_of(of.bracket_played)
        own_depth = depth(own, finish)
        playoff = by_playoff(edition, group, finish)
        scale, scale_paths = _scale(edition, listed, own.rounds[1:], playoff, finish.first, finish.last, reach)
        base = first.rounded().award if by_rounded else first.award
        awards = tuple(scale.hundredths(base, len(scale.exact)).tolist())
        places = places_that_pay(own, own_depth, depth)
        values = edition.values(*first.cited, *scale_paths, *own_depth.cited)
        shown = f"first {decimal_text(awards[0])} ({first.factors}); {own_depth.shown(places)}"
        return Ladder(awards, places, values, shown)

    return ladder


@kept
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
