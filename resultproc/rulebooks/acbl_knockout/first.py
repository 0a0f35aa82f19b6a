"""The first overall award of a bracket: B x K x L x M x P, what changes it, and the cap under the bracket above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType, Rating
from resultproc.model.group import Group
from resultproc.model.knockout import Bracket
from resultproc.rulebooks.acbl_knockout.compact import boards_of
from resultproc.rulebooks.acbl_knockout.tables import Count, counted, counted_paths, holdings_missing
from resultproc.rulebooks.common.championships import Championship, championship_of, minimum_of
from resultproc.rulebooks.common.exact import rounded, text
from resultproc.rulebooks.common.factors import b_factor
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.common.matches import MatchKind, match_product
from resultproc.rulebooks.core import Edition, kept


def match_kind(edition: Edition, group: Group, bracket: Bracket) -> MatchKind:
    """Return what L x M x P goes by for a bracket; DeclarationError for matches of boards that are not declared."""
    boards = boards_of(edition, group, bracket.teams)
    return MatchKind(group.rating, boards, _limit(group, bracket), group.special, len(group.restrictions))


def _limit(group: Group, bracket: Bracket) -> float:
    """Return the upper limit of a bracket: its flight's own, never above the event's."""
    return group.event_limit if bracket.limit is None else min(bracket.limit, group.event_limit)


def first_awards(edition: Edition, group: Group, brackets: Sequence[Bracket]) -> Callable[[int], First]:
    """Return what gives the first award of a bracket, by its number among those of the event, unrounded.

    Each is computed once, when it is asked for: that of a lower bracket depends on the one above it.
    """

    @cache
    def first(index: int) -> First:
        return _first_award(edition, group, brackets, index, first)

    return first


def _first_award(
    edition: Edition, group: Group, brackets: Sequence[Bracket], index: int, first_of: Callable[[int], First]
) -> First:
    """Return the first award of a bracket; DeclarationError where the event does not declare what it depends on."""
    championship = championship_of(edition, group.championship)
    if championship:
        return _championship(edition, group, championship, brackets, index)
    place = brackets[index].place
    short = group.rating in edition.words("reduced.ratings") and group.sessions == edition.whole("reduced.sessions")
    first = _formula(edition, group, brackets, index, short=short)
    if place == 0:
        return first
    above = next(number for number, each in enumerate(brackets) if each.place == place - 1)
    over, factor = rounded(first_of(above).award), edition.number("cap.factor")
    cap = over * factor
    if first.award <= cap:
        return first
    shown = f"{text(factor)} of the {text(over, 2)} of the bracket above"
    return First(cap, f"{shown}, less than {first.factors}", (*first.cited, "cap.factor"))


def _formula(edition: Edition, group: Group, brackets: Sequence[Bracket], index: int, *, short: bool) -> First:
    """Return the award of a bracket by its tables and those that it is credited with.

    short: whether the event is so short for its rating that less is paid. The award of a top bracket is higher where
    its players hold very many masterpoints.
    """
    own = brackets[index]
    count = counted(edition, brackets, index)
    large = own.place == 0 and sum(each.teams for each in brackets) >= edition.number("minimum.event")
    kind = match_kind(edition, group, own)
    prestige = own.place == 0 and _has_prestige(edition, group, own)
    return _of_tables(edition, count, kind, large, short, prestige)


@kept
def _of_tables(edition: Edition, count: Count, kind: MatchKind, large: bool, short: bool, prestige: bool) -> First:
    """Return the award of a bracket that counts so many teams, in matches of some kind.

    large: whether it is the top bracket of an event so large that it counts a least number of tables.
    """
    tables, paths = count.tables(edition), counted_paths(edition, count)
    least = edition.number("minimum.tables")
    raised = large and tables < least
    if raised:
        tables, paths = least, (*paths, "minimum.tables")
    b = b_factor(edition, tables, _shown(edition, count, tables, raised))
    rest = match_product(edition, "k", kind)
    first = First(b.value * rest.award, f"{b} x {rest.factors}", (*b.cited, *rest.cited, *paths))
    first = first.times(edition.number("reduced.factor"), "reduced.factor") if short else first
    return first.times(edition.number("prestige.factor"), "prestige.factor") if prestige else first


def _shown(edition: Edition, count: Count, tables: Fraction, raised: bool) -> str:
    if raised:
        return f"as for {text(tables, 2)} tables"
    factors = count.factors(edition)
    return (f"{factors} = " if factors else "") + f"{text(tables, 2)} tables"


def _has_prestige(edition: Edition, group: Group, bracket: Bracket) -> bool:
    """Return whether the players of a top bracket hold so many masterpoints that its award is higher."""
    above = edition.number("prestige.above")
    if _limit(group, bracket) <= above:
        return False
    if bracket.average is None:
        raise holdings_missing(bracket, "the award of the top bracket depends on the average")
    return bool(bracket.average > above)


def _championship(
    edition: Edition, group: Group, championship: Championship, brackets: Sequence[Bracket], index: int
) -> First:
    """Return the first award of an NABC or WBF championship: a fixed one, or the formula's up to a maximum."""
    _check(group, championship, brackets)
    if championship.first is None:
        formula = _formula(edition, group, brackets, index, short=False)
        if championship.most is not None and formula.award > championship.most:
            shown = f"{formula.factors}, at most {text(championship.most, 2)}"
            return First(championship.most, shown, (championship.path,))
        return formula
    first = First(championship.first, f"fixed at {text(championship.first, 2)}", (championship.path,))
    return _with_few_teams(edition, brackets[index].teams, minimum_of(edition, championship), first)


def _with_few_teams(edition: Edition, teams: int, minimum: str, first: First) -> First:
    """Return the fixed first award of a championship, less where few teams entered.

    minimum: what the rulebook's table for it gives, the first award or the part of it; '' where none is for it.
    """
    if not minimum:
        return first
    rule = f"championship-minimum.knockout-{minimum}"
    least, value = next((least, value) for least, value in edition.rows(rule) if teams >= least)
    if least == edition.rows(rule)[0][0]:
        return first
    # The table gives the first award of events that have its first line with many teams, and others their part of it.
    part = value / edition.rows(rule)[0][1] if minimum == "first" else value
    reduced = first.award * part
    return First(reduced, f"{first.factors}, with {teams} teams {text(reduced, 2)}", (*first.cited, rule))


def _check(group: Group, championship: Championship, brackets: Sequence[Bracket]) -> None:
    # One that names no event type may be played as a knockout: its awards are those of its rating.
    if championship.event_type not in {"", EventType.KNOCKOUT}:
        raise DeclarationError(f"{group.championship} is not a knockout", hint="correct event_type or championship")
    if not championship.by_formula and group.rating != Rating.NATIONAL:
        raise DeclarationError(
            f"rating is '{group.rating}', but {group.championship} has 'national'",
            hint="correct rating or championship",
        )
    if len(brackets) > 1:
        raise DeclarationError(f"{group.championship} has no brackets", hint="put all teams in one section")
