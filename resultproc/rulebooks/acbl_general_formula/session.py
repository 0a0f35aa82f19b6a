"""The ladder of session awards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Self

import numpy as np

from resultproc.model.arrays import Ints, expand_counts
from resultproc.model.errors import DeclarationError
from resultproc.model.game import ACROSS_SECTIONS, EventType, Rating
from resultproc.model.group import Group, Groups
from resultproc.model.provenance import Values
from resultproc.model.values import decimal_text
from resultproc.rulebooks.acbl_general_formula import championships, flights, tables
from resultproc.rulebooks.acbl_general_formula.depth import session_depth
from resultproc.rulebooks.acbl_general_formula.formula import TABLES, first_in_session
from resultproc.rulebooks.acbl_general_formula.kinds import computed_as, is_series
from resultproc.rulebooks.acbl_general_formula.places import across_share, session_share
from resultproc.rulebooks.common.curve import by_place, overall_share
from resultproc.rulebooks.common.exact import decimal, hundredths, listed, root
from resultproc.rulebooks.common.first import First, paying
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import EachShape, Ladder, Ladders, NoAwards, Shape, starts


def session_shape(edition: Edition, group: Group) -> Shape:
    """Return the awards of groups in one session; DeclarationError where their event lacks what they need.

    Of the contestants compared depends how many places pay. A Swiss pays its matches instead, a series of side games
    its single games, a WBF event nothing.
    """
    event_type = computed_as(edition, group).event_type
    if event_type == EventType.SWISS or is_series(group) or championships.is_wbf(edition, group):
        return NoAwards(edition.values("session.factor"), "no session awards in this kind of event")
    club_game = group.rating == Rating.CLUB_OPEN
    if club_game and not isinf(group.limit):
        raise DeclarationError("the General Formula covers only open club games", hint="choose acbl-club with rulebook")
    of_event = None if club_game else _first(edition, group)
    if of_event and not _is_across(edition, group) and group.rating not in edition.words("session.large.ratings"):
        values = edition.values(*of_event.cited, "session.percentages", "session.depth")
        return SessionShape(edition, hundredths(of_event.award), of_event.factors, values)

    def ladder(compared: Group, reach: int) -> Ladder:
        first = of_event or _club_game(edition, compared.size)
        depth = session_depth(edition, compared.size)
        awards, scale = _awards(edition, group, first, compared.size, max(reach, depth))
        factors = f"first {decimal_text(int(awards[0]))} ({first.factors}); {paying(depth)}"
        values = edition.values(*first.cited, *scale, "session.depth")
        return Ladder(tuple(awards.tolist()), depth, values, factors)

    return EachShape(ladder)


@dataclass(frozen=True)
class SessionShape(Shape):
    """The awards of ordinary sessions, which differ in the contestants compared.

    first: the first award in hundredths. factors: how it came about. values: those of the rulebook that say so.
    """

    edition: Edition
    first: int
    factors: str
    values: Values

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`~resultproc.rulebooks.regulation.Shape`."""
        edition = shapes[0].edition
        sizes, size = np.unique(groups.frame["size"].to_numpy(), return_inverse=True)
        depth = np.array([session_depth(edition, each) for each in sizes.tolist()], dtype=np.int64)[size]
        count = np.maximum(np.maximum(reach, depth), 1)
        of, place = expand_counts(count)
        first = np.array([shape.first for shape in shapes], dtype=np.int64)[which]
        awards = by_place(edition, int(count.max()), session_share)[place].parts(first[of])
        start = starts(count)
        told = zip(which.tolist(), awards[start[:-1]].tolist(), depth.tolist(), strict=True)
        factors = [f"first {decimal_text(top)} ({shapes[n].factors}); {paying(places)}" for n, top, places in told]
        return Ladders(awards, start, depth, [shapes[each].values for each in which.tolist()], factors)


def _club_game(edition: Edition, size: int) -> First:
    """Return the first award of a regular club game, uncapped."""
    rate = edition.number("club.rate")
    return First(rate * size, f"{decimal(rate)} x {size}", ("club.rate",))


def _first(edition: Edition, group: Group) -> First:
    individual = group.event_type == EventType.INDIVIDUAL and group.one_winner
    part = "session.factor-individual" if individual else "session.factor"
    kind = computed_as(edition, group)
    by_contestants = group.rating in edition.words("session.by-contestants")
    counted = "contestants" if by_contestants else TABLES

    def first_on(tables: Fraction, limit: float, counted: str = TABLES) -> First:
        return first_in_session(edition, group, kind, tables, limit, part, counted)

    if flights.is_x(group):
        own = first_on(Fraction(group.stratum_tables), group.limit, counted)
        first = flights.stratum_x(edition, group, own, first_on)
    else:
        own_tables, paths = tables.own_tables(edition, group)
        paths = (*paths, *(("session.b-reading",) if group.section_tables else ()))
        across = _counted_across(edition, own_tables) if _is_across(edition, group) else own_tables
        first = first_on(across, group.limit, counted).also_by(*paths)
        if across != own_tables:
            first = first.also_by("session.across.tables")
    if by_contestants:
        first = first.also_by("session.by-contestants")
    if flights.is_top(group) and group.rating in edition.words("session.flight-a-from"):
        first = first.times(edition.number("session.flight-a"), "session.flight-a")
    cuts = sum(1 for after in group.cuts if after < group.basis.session)
    first = first.times(listed(edition.numbers("session.after-cuts"), cuts + 1), "session.after-cuts")
    if group.is_special("side-game-series"):
        first = first.times(edition.number("side-games.single.session"), "side-games.single.session")
    return tables.at_two_sites(edition, group, first)


def _is_across(edition: Edition, group: Group) -> bool:
    """Return whether a session is scored across sections, on so many tables that it has rules of its own."""
    own, _ = tables.own_tables(edition, group)
    return ACROSS_SECTIONS in group.special and own >= edition.number("session.across.from")


def _counted_across(edition: Edition, own: Fraction) -> Fraction:
    """Return the tables that count where a session is scored across sections: fewer than there are."""
    times, apart = edition.numbers("session.across.tables")
    return times * root(apart * (own - apart))


def _awards(edition: Edition, group: Group, first: First, size: int, places: int) -> tuple[Ints, tuple[str, ...]]:
    """Return the awards by place in hundredths, and the paths of the values that the scale comes from."""
    uncapped = hundredths(first.award)
    if _is_across(edition, group):
        return by_place(edition, places, across_share).parts(uncapped), ("session.across.lower",)
    capped = min(uncapped, hundredths(edition.number("club.cap"))) if group.rating == Rating.CLUB_OPEN else uncapped
    ordinary = by_place(edition, places, session_share)
    by_tables = edition.text("session.large.whole-reading") == "tables"
    whole = "session.large.whole-tables" if by_tables else "session.large.whole"
    wholly = (group.event_tables if by_tables else size) >= edition.number(whole)
    large = wholly or size >= edition.number("session.large.from")
    if group.rating not in edition.words("session.large.ratings") or not large:
        return ordinary.parts(capped), ("session.percentages",)
    sessions = edition.whole("session.large.sessions")
    by_overall = by_place(edition, places, overall_share, sessions).parts(capped)
    if wholly:
        return by_overall, (whole, "session.large.whole-reading", "session.large.sessions")
    return np.minimum(by_overall, ordinary.parts(uncapped)), ("session.large.from", "session.large.sessions")
