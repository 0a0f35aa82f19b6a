"""The ladder of overall awards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor

from resultproc.model.game import Rating
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula import championships, flights, tables
from resultproc.rulebooks.acbl_general_formula.depth import overall_depth, overall_depth_paths
from resultproc.rulebooks.acbl_general_formula.formula import first_overall, least_award
from resultproc.rulebooks.acbl_general_formula.kinds import ComputedAs, computed_as, is_series
from resultproc.rulebooks.common.championships import championship_of
from resultproc.rulebooks.common.curve import overall_scale, overall_share
from resultproc.rulebooks.common.exact import decimal, hundredths, part
from resultproc.rulebooks.common.first import First, paying
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladder


def overall_ladder(edition: Edition, group: Group, reach: int) -> Ladder:
    """Return the overall awards of one stratum; DeclarationError where its event does not declare what they need."""
    if group.rating == Rating.CLUB_OPEN:
        return Ladder((0,) * reach, 0, edition.values("club.rate"), "no overall awards in a regular club game")
    kind = computed_as(edition, group)
    own, own_paths = tables.own_tables(edition, group)
    championship = championship_of(edition, group.championship)
    if championship:
        kind = replace(kind, sessions=championships.scale_sessions(edition, group, championship))
    first = _first(edition, group, kind, own)
    places = max(reach, group.size)
    awards = _awards(edition, kind, first, places)
    combined = _combined(edition, group, kind, own)
    awards = [*map(max, zip(awards, combined, strict=False)), *awards[len(combined) :]]
    depth, depth_paths = _depth(edition, group, kind, own, awards)
    values = edition.values(*first.cited, *own_paths, *overall_scale(edition, kind.sessions), *depth_paths)
    factors = f"first {decimal(Fraction(awards[0], 100))} ({first.factors}); {paying(depth)}"
    return Ladder(tuple(awards), depth, values, factors)


def _first(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> First:
    """Return the first award of the stratum: the formula's, or by the rules of its kind of event."""

    def first_on(tables: Fraction, limit: float) -> First:
        return first_overall(edition, group, kind, tables, limit)

    if flights.is_x(group):
        return flights.stratum_x(edition, group, first_on(Fraction(group.stratum_tables), group.limit), first_on)
    credited, paths = tables.with_concurrent(edition, group, kind, own)
    first = first_on(credited, group.limit).also_by(*paths)
    if flights.is_top(group):
        first = flights.flight_a(edition, group, first, first_on)
    championship = championship_of(edition, group.championship)
    if championship and group.level == 0:
        return championships.first_award(edition, group, championship, first)
    if is_series(group):
        return first.times(edition.number("side-games.overall"), "side-games.overall")
    if group.is_special("side-game-series"):
        return first.times(edition.number("side-games.single.overall"), "side-games.single.overall")
    return first


def _awards(edition: Edition, kind: ComputedAs, first: First, places: int) -> list[int]:
    """Return the awards by place in hundredths: all follow from the first one, rounded."""
    rounded = hundredths(first.award)
    return [part(rounded, overall_share(edition, kind.sessions, place)) for place in range(1, places + 1)]


def _combined(edition: Edition, group: Group, kind: ComputedAs, own: Fraction) -> list[int]:
    """Return what the first places of a split regional's gold pair event get for both sites together."""
    if not group.other_site_tables or not tables.is_split(edition, kind, group.event_limit):
        return []
    if group.level >= edition.number("colour.gold.strata"):
        return []
    first = first_overall(edition, group, kind, tables.split_tables(group, own), group.limit)
    share = edition.number("split.combined")
    awards = _awards(edition, kind, first, min(edition.whole("split.places"), group.size))
    return [part(award, share) for award in awards]


def _depth(
    edition: Edition, group: Group, kind: ComputedAs, own: Fraction, awards: list[int]
) -> tuple[int, tuple[str, ...]]:
    """Return how many places pay, and the paths of the values that say so.

    A lower stratum needs a few tables to pay at all; a flight's places are a percentage of its own contestants.
    """
    exempt = flights.is_x(group) and edition.text("stratum.least-tables-reading") == "all but X"
    if group.level > 0 and not exempt and group.stratum_tables < edition.number("stratum.least-tables"):
        return 0, ("stratum.least-tables",)
    counted = int(own) if group.flight else group.stratum_tables
    depth = overall_depth(
        edition,
        kind.event_type,
        kind.sessions,
        counted,
        group.stratum_tables,
        group.size,
        least_award(edition, group, kind),
        awards,
    )
    paths = overall_depth_paths(edition, kind.event_type, counted)
    if group.flight and counted >= edition.number("flighted.most-from"):
        return min(depth, floor(edition.number("flighted.most") * group.size)), (*paths, "flighted.most")
    return depth, paths
