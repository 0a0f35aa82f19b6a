"""The ladders of the General Formula: for overall awards, for sessions, and for the matches of Swiss teams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import ceil, floor, isinf
from typing import Self

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, dense_codes, expand_counts
from resultproc.model.errors import DeclarationError
from resultproc.model.game import ACROSS_SECTIONS, EventType
from resultproc.model.group import Group, Groups, Ladder, Ladders, starts
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.model.provenance import Values
from resultproc.rulebooks.acbl_general_formula.formula import (
    TABLES,
    ComputedAs,
    at_two_sites,
    championship_award,
    computed_as,
    first_in_session,
    first_overall,
    flight_a,
    is_series,
    is_split,
    is_top_of_flight_a,
    is_wbf,
    is_x,
    least_award,
    overall_depth,
    overall_depth_paths,
    own_tables,
    session_depth,
    split_tables,
    stratum_x,
    tables_of_flights,
    tables_of_stratum,
    with_concurrent,
)
from resultproc.rulebooks.common.awards import (
    First,
    MatchKind,
    by_place,
    declared_boards,
    match_product,
    overall_scale,
    overall_share,
    paying,
    percent_share,
    unpacked,
)
from resultproc.rulebooks.common.conditions import championship_of, followed_championship, restrictions_of
from resultproc.rulebooks.common.exact import Shares, decimal, factor_text, half_up, hundredths, listed_value, root
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import EachShape, NoAwards, Shape


def overall_shape(edition: Edition, group: Group) -> Shape:
    """Return the overall awards of one stratum; DeclarationError where its event does not declare what they need.

    How many places pay depends on the contestants that are ranked.
    """
    if group.rating == "club-open":
        return NoAwards(edition.values("club.rate"), "no overall awards in a regular club game")
    kind = computed_as(edition, group)
    own, own_paths = own_tables(edition, group)
    championship = championship_of(edition, group.championship)
    followed: tuple[str, ...] = ()
    if championship:  # the lower places of a WBF event go by the NABC event closest to it
        closest = followed_championship(edition, championship)
        kind, followed = replace(kind, sessions=closest.sessions or group.sessions), edition.inferred(closest.path)
    first = _overall_first(edition, group, kind, own)
    combined, of_both = _combined(edition, group, kind, own)
    split = ("split.combined", "split.places") if len(combined) else ()
    paths = (*first.cited, *own_paths, *overall_scale(edition, kind.sessions), *split, *followed)
    least = least_award(edition, group, kind)
    rounded = hundredths(first.award)

    def ladder(ranked: Group, reach: int) -> Ladder:
        awards = by_place(edition, max(reach, ranked.size), overall_share, kind.sessions).parts(rounded)
        both = combined[: ranked.size]
        factors = first.factors
        if (both > awards[: len(both)]).any():
            factors = f"both sites: {of_both}; below {ordinal(len(both))} from {decimal_text(rounded)}: {factors}"
        awards[: len(both)] = np.maximum(awards[: len(both)], both)
        if edition.text("depth.floor-reading") == "rounded":
            worthy = int((awards >= ceil(100 * least)).sum())
        else:
            of_first = (overall_share(edition, kind.sessions, place) for place in range(1, len(awards) + 1))
            worthy = sum(rounded * share >= 100 * least for share in of_first)
        depth, depth_paths = _depth(edition, group, kind, own, worthy, ranked.size)
        depth, least_paths = _with_least_award(edition, group, depth, awards)
        told = f"first {decimal_text(int(awards[0]))} ({factors}); {paying(depth)}"
        return Ladder(tuple(awards.tolist()), depth, edition.values(*paths, *depth_paths, *least_paths), told)

    return EachShape(ladder)


def _overall_first(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> First:
    """Return the first award of the stratum: the formula's, or by the rules of its kind of event."""

    def first_on(tables: Fraction, limit: float) -> First:
        return first_overall(edition, group, kind, tables, limit)

    if is_x(group):
        return stratum_x(edition, group, first_on(Fraction(group.stratum_tables), group.limit), first_on)
    credited, paths = with_concurrent(edition, group, kind, own)
    first = first_on(credited, group.limit).also_by(*paths)
    if is_top_of_flight_a(group):
        first = flight_a(edition, group, first, first_on)
    championship = championship_of(edition, group.championship)
    if championship and group.level == 0:
        return championship_award(edition, group, championship, first)
    first = at_two_sites(edition, group, first)
    if is_series(group):
        return first.times(edition.number("side-games.overall"), "side-games.overall")
    if group.is_special("side-game-series"):
        return first.times(edition.number("side-games.single.overall"), "side-games.single.overall")
    return first


def _combined(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> tuple[Ints, str]:
    """Return what the first places of a split regional's event get for both sites together, if these count.

    Also how their first award comes about.
    """
    if not group.other_site_tables or not is_split(edition, kind, group.event_limit):
        return np.zeros(0, dtype=np.int64), ""
    if edition.text("split.events") == "gold" and group.level >= edition.number("colour.gold.strata"):
        return np.zeros(0, dtype=np.int64), ""
    first = first_overall(edition, group, kind, split_tables(group, own), group.limit)
    part = edition.number("split.combined")
    scale = by_place(edition, edition.whole("split.places"), overall_share, kind.sessions)
    awards = scale.parts(hundredths(first.award))
    return Shares.of([part]).parts(awards), first.times(part, "split.combined").factors


def _depth(
    edition: Edition, group: Group, kind: ComputedAs, own: Fraction, worthy: int, size: int
) -> tuple[int, tuple[str, ...]]:
    """Return how many places pay by the number of contestants, and the paths of the values that say so.

    worthy: how many places have the least award that is given past those of the table.
    A lower stratum needs a few tables to pay at all; in a large event a flight's places are at most a percentage of its
    own contestants. Raises DeclarationError where how large the event is decides and is not declared.
    """
    exempt = is_x(group) and edition.text("stratum.least-tables-reading") == "all but X"
    filled, half = tables_of_stratum(edition, group)
    if group.level > 0 and not exempt and filled < edition.number("stratum.least-tables"):
        return 0, ("stratum.least-tables", "stratum.least-tables-reading", *half)
    counted = int(own) if group.flight else group.stratum_tables
    depth = overall_depth(edition, kind.event_type, kind.sessions, counted, group.stratum_tables, size, worthy)
    paths = overall_depth_paths(edition, kind.event_type, counted)
    if not group.flight:
        return depth, paths
    # Of a flight's contestants, a part gets an overall award at most.
    part, reading = edition.number("flighted.most") * size, "flighted.most-reading"
    most = floor(part) if edition.text(reading) == "rounded down" else half_up(part)
    most_paths = ("flighted.most", "flighted.most-from", *((reading,) if floor(part) != half_up(part) else ()))
    if depth <= most:
        return depth, (*paths, *(most_paths if reading in most_paths and depth == most else ()))
    if tables_of_flights(edition, group) < edition.number("flighted.most-from"):
        return depth, (*paths, "flighted.most-from")
    return most, (*paths, *most_paths)


def _with_least_award(edition: Edition, group: Group, depth: int, awards: Ints) -> tuple[int, tuple[str, ...]]:
    """Return how many of the places pay enough, in ratings in which no less is given, and what decided about others."""
    enough = int((awards[:depth] >= hundredths(edition.number("depth.least-award"))).sum())
    if enough == depth:
        return depth, ()
    if group.rating in edition.words("depth.least-award-ratings"):
        return enough, ("depth.least-award", "depth.least-award-ratings")
    return depth, ("depth.least-award-ratings",)


def session_shape(edition: Edition, group: Group) -> Shape:
    """Return the awards of groups in one session; DeclarationError where their event lacks what they need.

    How many places pay depends on the contestants compared. A Swiss pays its matches instead, a series of side games
    its single games, a WBF event nothing.
    """
    event_type = computed_as(edition, group).event_type
    if event_type == EventType.SWISS or is_series(group) or is_wbf(edition, group):
        return NoAwards(edition.values("session.factor"), "no session awards in this kind of event")
    club_game = group.rating == "club-open"
    if club_game and not isinf(group.limit):
        raise DeclarationError("the General Formula covers only open club games", hint="choose acbl-club with rulebook")
    of_event = None if club_game else _session_first(edition, group)
    if of_event and not _is_across(edition, group) and group.rating not in edition.words("session.large.ratings"):
        values = edition.values(*of_event.cited, "session.percentages", "session.depth")
        return _SessionShape(edition, hundredths(of_event.award), of_event.factors, values)

    def ladder(compared: Group, reach: int) -> Ladder:
        first, size = of_event, compared.size
        if not first:
            rate = edition.number("club.rate")
            first = First(rate * size, f"{decimal(rate)} x {size}", ("club.rate",))
        depth = session_depth(edition, size)
        awards, scale = _session_awards(edition, group, first, size, max(reach, depth))
        capped = f", capped at {decimal(edition.number(_CAP))}" if _CAP in scale else ""
        factors = f"first {decimal_text(int(awards[0]))} ({first.factors}{capped}); {paying(depth)}"
        values = edition.values(*first.cited, *scale, "session.depth")
        return Ladder(tuple(awards.tolist()), depth, values, factors)

    return EachShape(ladder)


@dataclass(frozen=True)
class _SessionShape(Shape):
    """The awards of ordinary sessions, which differ in the contestants compared."""

    edition: Edition  # the same for all shapes that are computed together
    first: int  # the first award in hundredths
    factors: str  # how it came about
    values: Values  # those of the rulebook that say so

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
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


_CAP = "club.cap"


def _session_first(edition: Edition, group: Group) -> First:
    individual = group.event_type == EventType.INDIVIDUAL and group.one_winner
    part = "session.factor-individual" if individual else "session.factor"
    kind = computed_as(edition, group)
    by_contestants = group.rating in edition.words("session.by-contestants")
    counted = "contestants" if by_contestants else TABLES

    def first_on(tables: Fraction, limit: float, counted: str = TABLES) -> First:
        return first_in_session(edition, group, kind, tables, limit, part, counted)

    if is_x(group):
        own = first_on(Fraction(group.stratum_tables), group.limit, counted)
        first = stratum_x(edition, group, own, first_on)
    else:
        counted_tables, paths = own_tables(edition, group)
        paths = (*paths, *(("session.b-reading",) if group.section_tables else ()))
        across = counted_tables
        if _is_across(edition, group):  # fewer tables count than there are
            times, apart = edition.numbers("session.across.tables")
            across = times * root(apart * (counted_tables - apart))
        first = first_on(across, group.limit, counted).also_by(*paths)
        if across != counted_tables:
            first = first.also_by("session.across.tables")
    if by_contestants:
        first = first.also_by("session.by-contestants")
    if is_top_of_flight_a(group) and group.rating in edition.words("session.flight-a-from"):
        first = first.times(edition.number("session.flight-a"), "session.flight-a")
    cuts = sum(1 for after in group.cuts if after < group.basis.session)
    first = first.times(listed_value(edition.numbers("session.after-cuts"), cuts + 1), "session.after-cuts")
    if group.is_special("side-game-series"):
        first = first.times(edition.number("side-games.single.session"), "side-games.single.session")
    return at_two_sites(edition, group, first)


def _is_across(edition: Edition, group: Group) -> bool:
    """Return whether a session is scored across sections, on enough tables to have rules of its own."""
    own, _ = own_tables(edition, group)
    return ACROSS_SECTIONS in group.special and own >= edition.number("session.across.from")


def _session_awards(
    edition: Edition, group: Group, first: First, size: int, places: int
) -> tuple[Ints, tuple[str, ...]]:
    """Return the awards by place in hundredths, and the paths of the values that the scale comes from."""
    uncapped = hundredths(first.award)
    if _is_across(edition, group):
        return by_place(edition, places, across_share).parts(uncapped), ("session.across.lower",)
    cap = hundredths(edition.number(_CAP))
    over = group.rating == "club-open" and uncapped > cap
    capped, limit = (cap, (_CAP,)) if over else (uncapped, ())
    ordinary = by_place(edition, places, session_share)
    by_tables = edition.text("session.large.whole-reading") == "tables"
    whole = "session.large.whole-tables" if by_tables else "session.large.whole"
    wholly = (group.event_tables if by_tables else size) >= edition.number(whole)
    large = wholly or size >= edition.number("session.large.from")
    if group.rating not in edition.words("session.large.ratings") or not large:
        return ordinary.parts(capped), (*limit, "session.percentages")
    sessions = edition.whole("session.large.sessions")
    by_overall = by_place(edition, places, overall_share, sessions).parts(capped)
    if wholly:
        return by_overall, (*limit, whole, "session.large.whole-reading", "session.large.sessions")
    return np.minimum(by_overall, ordinary.parts(uncapped)), (*limit, "session.large.from", "session.large.sessions")


def session_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session, as a share of the first award."""
    return percent_share(edition.numbers("session.percentages"), place)


def across_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session that is scored across sections, as a share of the first award."""
    if place <= 1 + len(edition.numbers("session.percentages")):
        return session_share(edition, place)
    return 1 / root(place * root(edition.number("session.across.lower") * (place - 1)))


@dataclass(frozen=True)
class _MatchShape(Shape):
    """What places pay that go by the matches won."""

    pays: Callable[[float], int]  # the hundredths for a number of matches
    values: Values  # those of the rulebook that say so
    factors: str  # how a match award came about

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        of = [shapes[each] for each in which.tolist()]
        won, depth = unpacked(groups.frame["wins"].tolist())
        start, (group, place) = starts(np.maximum(reach, depth)), expand_counts(depth)
        number, wins = pd.factorize(won)
        kind, kinds = dense_codes(which[group] * len(wins) + number)
        paid = [shapes[shape].pays(float(wins[each])) for shape, each in np.array(divmod(kinds, len(wins))).T.tolist()]
        awards = np.zeros(start[-1], dtype=np.int64)
        awards[start[group] + place] = np.array(paid, dtype=np.int64)[kind]
        return Ladders(awards, start, depth, [each.values for each in of], [each.factors for each in of])


def match_shape(edition: Edition, group: Group) -> Shape:
    """Return what the matches pay that each place has won; those of all strata go by the limit of the highest.

    Raises DeclarationError where the boards of a match are not declared.
    """
    if group.level or edition.text("match.reading") == "none" or is_wbf(edition, group):
        return NoAwards(edition.values("match.reading"), "no match awards in this stratum or event")
    boards = declared_boards(group, "match awards depend on the boards per match", "7")
    # A consolation's matches pay what those of the final do.
    special = group.special - set(edition.words("match.as-final"))
    kind = MatchKind(group.rating, boards, group.limit, special, len(restrictions_of(edition, group)))
    each = at_two_sites(edition, group, match_product(edition, "d", kind))
    if edition.text("match.rounding") == "each match":
        each = each.rounded()
    factors = f"{factor_text(each.award, 2)} for each match won ({each.factors})"
    pays = cache(lambda wins: hundredths(each.award * Fraction(f"{wins:g}")))
    return _MatchShape(pays, edition.values(*each.cited, "match.reading", "match.rounding"), factors)
