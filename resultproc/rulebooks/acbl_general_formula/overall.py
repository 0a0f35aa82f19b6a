"""The ladder of overall awards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor

import numpy as np

from resultproc.model.arrays import Ints
from resultproc.model.game import Rating
from resultproc.model.group import Group
from resultproc.model.values import decimal_text
from resultproc.rulebooks.acbl_general_formula.championships import championship_award, scale_sessions
from resultproc.rulebooks.acbl_general_formula.depth import overall_depth, overall_depth_paths
from resultproc.rulebooks.acbl_general_formula.flights import flight_a, is_top, is_x, stratum_x
from resultproc.rulebooks.acbl_general_formula.formula import first_overall, least_award
from resultproc.rulebooks.acbl_general_formula.kinds import ComputedAs, computed_as, is_series
from resultproc.rulebooks.acbl_general_formula.tables import (
    at_two_sites,
    is_split,
    own_tables,
    split_tables,
    with_concurrent,
)
from resultproc.rulebooks.common.championships import championship_of
from resultproc.rulebooks.common.curve import by_place, overall_scale, overall_share
from resultproc.rulebooks.common.exact import Shares, hundredths
from resultproc.rulebooks.common.first import First, paying
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import EachShape, Ladder, NoAwards, Shape


def overall_shape(edition: Edition, group: Group) -> Shape:
    """Return the overall awards of one stratum; DeclarationError where its event does not declare what they need.

    Of the contestants that are ranked depends how many places pay.
    """
    if group.rating == Rating.CLUB_OPEN:
        return NoAwards(edition.values("club.rate"), "no overall awards in a regular club game")
    kind = computed_as(edition, group)
    own, own_paths = own_tables(edition, group)
    championship = championship_of(edition, group.championship)
    if championship:
        kind = replace(kind, sessions=scale_sessions(edition, group, championship))
    first = _overall_first(edition, group, kind, own)
    combined = _combined(edition, group, kind, own)
    split = ("split.combined", "split.places") if len(combined) else ()
    paths = (*first.cited, *own_paths, *overall_scale(edition, kind.sessions), *split)
    least = least_award(edition, group, kind)
    rounded = hundredths(first.award)

    def ladder(ranked: Group, reach: int) -> Ladder:
        awards = _overall_awards(edition, kind, rounded, max(reach, ranked.size))
        both = combined[: ranked.size]
        awards[: len(both)] = np.maximum(awards[: len(both)], both)
        depth, depth_paths = _depth(edition, group, kind, own, least, ranked.size, awards)
        depth, least_paths = _with_least_award(edition, group, depth, awards)
        factors = f"first {decimal_text(int(awards[0]))} ({first.factors}); {paying(depth)}"
        return Ladder(tuple(awards.tolist()), depth, edition.values(*paths, *depth_paths, *least_paths), factors)

    return EachShape(ladder)


def _overall_first(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> First:
    """Return the first award of the stratum: the formula's, or by the rules of its kind of event."""

    def first_on(tables: Fraction, limit: float) -> First:
        return first_overall(edition, group, kind, tables, limit)

    if is_x(group):
        return stratum_x(edition, group, first_on(Fraction(group.stratum_tables), group.limit), first_on)
    credited, paths = with_concurrent(edition, group, kind, own)
    first = first_on(credited, group.limit).also_by(*paths)
    if is_top(group):
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


def _overall_awards(edition: Edition, kind: ComputedAs, first: int, places: int) -> Ints:
    """Return the awards by place in hundredths: all follow from the first one, rounded."""
    return by_place(edition, places, overall_share, kind.sessions).parts(first)


def _combined(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> Ints:
    """Return what the first places of a split regional's event get for both sites together, if these count."""
    if not group.other_site_tables or not is_split(edition, kind, group.event_limit):
        return np.zeros(0, dtype=np.int64)
    if edition.text("split.events") == "gold" and group.level >= edition.number("colour.gold.strata"):
        return np.zeros(0, dtype=np.int64)
    first = first_overall(edition, group, kind, split_tables(group, own), group.limit)
    awards = _overall_awards(edition, kind, hundredths(first.award), edition.whole("split.places"))
    return Shares.of([edition.number("split.combined")]).parts(awards)


def _depth(
    edition: Edition, group: Group, kind: ComputedAs, own: Fraction, least: Fraction, size: int, awards: Ints
) -> tuple[int, tuple[str, ...]]:
    """Return how many places pay to so many contestants, and the paths of the values that say so.

    least: the least award that is given past the places of the table.
    A lower stratum needs a few tables to pay at all; a flight's places are a percentage of its own contestants.
    """
    exempt = is_x(group) and edition.text("stratum.least-tables-reading") == "all but X"
    if group.level > 0 and not exempt and group.stratum_tables < edition.number("stratum.least-tables"):
        return 0, ("stratum.least-tables",)
    counted = int(own) if group.flight else group.stratum_tables
    depth = overall_depth(edition, kind.event_type, kind.sessions, counted, group.stratum_tables, size, least, awards)
    paths = overall_depth_paths(edition, kind.event_type, counted)
    if group.flight and counted >= edition.number("flighted.most-from"):
        return min(depth, floor(edition.number("flighted.most") * size)), (*paths, "flighted.most")
    return depth, paths


def _with_least_award(edition: Edition, group: Group, depth: int, awards: Ints) -> tuple[int, tuple[str, ...]]:
    """Return how many of the places pay enough, in ratings in which no less is given, and what decided about others."""
    enough = int((awards[:depth] >= hundredths(edition.number("depth.least-award"))).sum())
    if enough == depth:
        return depth, ()
    if group.rating in edition.words("depth.least-award-ratings"):
        return enough, ("depth.least-award", "depth.least-award-ratings")
    return depth, ("depth.least-award-ratings",)
