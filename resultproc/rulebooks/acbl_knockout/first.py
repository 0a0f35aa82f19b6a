"""The first overall award of a bracket: B x K x L x M x P, what changes it, and the cap under the bracket above."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isnan

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType, Rating
from resultproc.model.knockout import Bracket
from resultproc.rulebooks.acbl_general_formula.championships import path_of
from resultproc.rulebooks.acbl_general_formula.factors import b_factor, class_factor, l_factor, number, p_factor, text
from resultproc.rulebooks.acbl_general_formula.formula import First, m_of
from resultproc.rulebooks.acbl_knockout.claim import Claim, boards_of, event_of
from resultproc.rulebooks.acbl_knockout.tables import Count, counted, counted_paths, holdings_missing
from resultproc.rulebooks.core import Edition


def product(edition: Edition, claim: Claim, brackets: Sequence[Bracket], index: int, letter: str) -> First:
    """Return L x M x P for a bracket, times K (``letter`` k) or D (d)."""
    event, bracket = event_of(claim), brackets[index]
    boards = boards_of(edition, claim, bracket.teams)
    limit = claim.event_limit if isnan(bracket.limit) else min(bracket.limit, claim.event_limit)
    m, m_paths = m_of(edition, event, limit)
    length = l_factor(edition, boards)
    path = f"factor.{letter}.{claim.rating}"
    long = boards >= edition["factor.l.steps"][0][0]
    factors = [
        (letter.upper(), class_factor(edition, letter, claim.rating), (path,)),
        ("L", length, ("factor.l.steps" if long else "factor.l.divisor",)),
        ("M", m, m_paths),
        ("P", p_factor(edition, event.restrictions), ("factor.p",) if event.restrictions else ()),
    ]
    award = Fraction(1)
    for _, factor, _ in factors:
        award *= factor
    shown = [f"{name} {text(factor)}" for name, factor, _ in factors if name == letter.upper() or factor != 1]
    return First(award, " x ".join(shown), tuple(path for _, _, paths in factors for path in paths))


def first_award(edition: Edition, claim: Claim, brackets: Sequence[Bracket], index: int) -> First:
    """Return the first award of a bracket, unrounded.

    Raises DeclarationError where the event does not declare what it depends on.
    """
    if claim.championship:
        return _championship(edition, claim, brackets, index)
    first = _reduced(edition, claim, _formula(edition, claim, brackets, index))
    place = brackets[index].place
    if place == 0:
        return _with_prestige(edition, claim, brackets[index], first)
    above = next(number for number, each in enumerate(brackets) if each.place == place - 1)
    over = first_award(edition, claim, brackets, above).rounded()
    cap = over.award * number(edition, "cap.factor")
    if first.award <= cap:
        return first
    shown = f"{text(number(edition, 'cap.factor'))} of the {text(over.award, 2)} of the bracket above"
    return First(cap, f"{shown}, less than {first.factors}", (*first.cited, "cap.factor"))


def _formula(edition: Edition, claim: Claim, brackets: Sequence[Bracket], index: int) -> First:
    count = counted(edition, brackets, index)
    tables, paths = count.tables(edition), counted_paths(edition, count)
    least = number(edition, "minimum.tables")
    event = sum(each.teams for each in brackets)
    raised = brackets[index].place == 0 and event >= edition["minimum.event"] and tables < least
    if raised:
        tables, paths = least, (*paths, "minimum.tables")
    straight = tables <= number(edition, "factor.b.straight-until")
    b_path = "factor.b.divisor" if straight else "factor.b.log-divisor"
    rest = product(edition, claim, brackets, index, "k")
    b = b_factor(edition, tables)
    shown = f"B {text(b)} ({_shown(edition, count, tables, raised)}) x {rest.factors}"
    return First(b * rest.award, shown, (b_path, *rest.cited, *paths))


def _shown(edition: Edition, count: Count, tables: Fraction, raised: bool) -> str:
    if raised:
        return f"as for {text(tables, 2)} tables"
    factors = count.factors(edition)
    return (f"{factors} = " if factors else "") + f"{text(tables, 2)} tables"


def _reduced(edition: Edition, claim: Claim, first: First) -> First:
    """Return the award, reduced for an event that is too short for its rating."""
    short = claim.rating in edition["reduced.ratings"] and claim.sessions == edition["reduced.sessions"]
    return first.times(number(edition, "reduced.factor"), "reduced.factor") if short else first


def _with_prestige(edition: Edition, claim: Claim, bracket: Bracket, first: First) -> First:
    """Return the award of a top bracket, higher where its players hold very many masterpoints."""
    above = number(edition, "prestige.above")
    limit = claim.event_limit if isnan(bracket.limit) else min(bracket.limit, claim.event_limit)
    if limit <= above:
        return first
    if isnan(bracket.average):
        raise holdings_missing(bracket, "the award of the top bracket depends on the average")
    return first.times(number(edition, "prestige.factor"), "prestige.factor") if bracket.average > above else first


def _championship(edition: Edition, claim: Claim, brackets: Sequence[Bracket], index: int) -> First:
    """Return the first award of an NABC or WBF championship: a fixed one, or the formula's up to a maximum."""
    path = path_of(edition, claim.championship)
    value = edition[path]
    _check(claim, value, brackets)
    teams = brackets[index].teams
    if value["first"] == "formula":
        formula = _with_prestige(edition, claim, brackets[index], _formula(edition, claim, brackets, index))
        if "most" in value and formula.award > value["most"]:
            return First(Fraction(value["most"]), f"{formula.factors}, at most {value['most']}", (path,))
        return formula
    first = First(Fraction(value["first"]), f"fixed at {value['first']}", (path,))
    kind = value.get("minimum")
    if not kind:
        return first
    rule = f"championship-minimum.knockout-{kind}"
    least, least_value = next((least, part) for least, part in edition[rule] if teams >= least)
    if least == edition[rule][0][0]:
        return first
    reduced = Fraction(least_value) if kind == "first" else first.award * Fraction(least_value)
    shown = f"{first.factors}, with {teams} teams {text(reduced, 2)}"
    return First(reduced, shown, (*first.cited, rule))


def _check(claim: Claim, value: dict[str, object], brackets: Sequence[Bracket]) -> None:
    if value["event-type"] != EventType.KNOCKOUT:
        raise DeclarationError(f"{claim.championship} is no knockout", hint="mend event_type or championship")
    if value["first"] != "formula" and claim.rating != Rating.NATIONAL:
        raise DeclarationError(
            f"rating is '{claim.rating}', but {claim.championship} has 'national'", hint="mend rating or championship"
        )
    if len(brackets) > 1:
        raise DeclarationError(f"{claim.championship} has no brackets", hint="give it as one section")
