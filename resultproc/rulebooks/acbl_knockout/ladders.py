"""The ladders of knockouts: overall awards by place, and awards for matches won."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from resultproc.model.group import Group
from resultproc.rulebooks.acbl_knockout.depth import by_playoff, depth_of, listed_of, places_that_pay
from resultproc.rulebooks.acbl_knockout.first import first_award, product
from resultproc.rulebooks.common.championships import Championship, championship_of
from resultproc.rulebooks.common.exact import decimal, hundredths, rounded, text
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladder


def match_ladder(edition: Edition, group: Group, reach: int) -> Ladder:
    """Return the awards of teams that won so many matches: the same for all of them.

    Raises DeclarationError where the event does not declare what a match award depends on.
    """
    each = _match_award(edition, group)
    if each is None:
        return Ladder((0,) * reach, 0, edition.values("match.reading"), "no match awards in this event")
    matches, per_match = group.run.finish.matches, rounded(each.award)
    won = f"{text(matches)} {'match' if matches == 1 else 'matches'} won"
    values = edition.values(*each.cited, "match.reading")
    shown = f"{won} x {text(per_match, 2)} ({each.factors})"
    return Ladder((hundredths(per_match * matches),) * reach, reach, values, shown)


def _match_award(edition: Edition, group: Group) -> First | None:
    """Return what one match pays, None where matches pay nothing."""
    championship = championship_of(edition, group.championship)
    if edition.text("match.reading") == "none" or (championship and championship.closest):
        return None
    if championship and championship.match is not None:
        shown = f"fixed at {decimal(championship.match)} for a match of two sessions"
        return First(championship.match, shown, (championship.path,))
    return product(edition, group, group.run.own, "d")


def overall_ladder(edition: Edition, group: Group, reach: int) -> Ladder:
    """Return the overall awards of the teams of a bracket that came equally far.

    Raises DeclarationError where the event does not declare what they depend on.
    """
    finish = group.run.finish
    first = first_award(edition, group, group.run.bracket)
    depth = depth_of(edition, group, finish)
    scale, scale_paths = _scale(edition, group)
    base = first.rounded().award if edition.text("overall.from") == "rounded first" else first.award
    scale += [Fraction(0)] * (max(reach, finish.last) - len(scale))
    if edition.text("overall.ties") == "mean of percentages":
        tied = slice(finish.first - 1, finish.last)
        scale[tied] = [sum(scale[tied], Fraction(0)) / len(scale[tied])] * len(scale[tied])
    awards = tuple(hundredths(base * share) for share in scale)
    places = places_that_pay(edition, group, depth)
    values = edition.values(*first.cited, *scale_paths, *depth.cited)
    return Ladder(awards, places, values, f"first {awards[0] / 100:.2f} ({first.factors}); {depth.shown(places)}")


def _scale(edition: Edition, group: Group) -> tuple[list[Fraction], tuple[str, ...]]:
    """Return what each place gets as a share of the first award, and the paths of the values that say so."""
    listed = listed_of(edition, group)
    if listed and listed.places:
        return _shares_of(listed), ()
    shares = _spread([(int(last), percent / 100) for last, percent in edition.rows("overall.percentages")])
    cited = ["overall.percentages"]
    came_down_to = group.run.own.rounds[1:]
    for teams, *part in edition.rows("overall.down-to"):
        if teams in came_down_to:
            _set(shares, *part)
            cited.append("overall.down-to")
    if by_playoff(edition, group, group.run.finish):
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
