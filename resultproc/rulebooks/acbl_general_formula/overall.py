"""The ladder of overall awards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor

from resultproc.model.game import EventType, Rating
from resultproc.rulebooks.acbl_general_formula import championships, flights, tables
from resultproc.rulebooks.acbl_general_formula.depth import overall_depth, overall_depth_paths, paying
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event, tables_by_limit
from resultproc.rulebooks.acbl_general_formula.factors import half_up, number, to_hundredths
from resultproc.rulebooks.acbl_general_formula.formula import First, event_of, least_award, product, stratum_limit
from resultproc.rulebooks.acbl_general_formula.places import overall_scale, overall_share
from resultproc.rulebooks.core import Edition, Ladder


def overall_ladder(edition: Edition, claim: Claim, reach: int) -> Ladder:
    """Return the overall awards of one stratum; DeclarationError where its event does not declare what they need."""
    if claim.rating == Rating.CLUB_OPEN:
        return Ladder((0,) * reach, 0, edition.cite("club.rate"), "no overall awards in a regular club game")
    event = event_of(edition, claim)
    own, own_paths = tables.own_tables(edition, claim, event)
    if claim.championship:
        event = replace(event, sessions=championships.scale_sessions(edition, claim))
    first = _first(edition, claim, event, own)
    places = max(reach, claim.contestants)
    awards = _awards(edition, event, first, places)
    combined = _combined(edition, claim, event, own)
    if combined:
        awards = [*map(max, zip(awards, combined, strict=False)), *awards[len(combined) :]]
    depth, depth_paths = _depth(edition, claim, event, own, awards)
    cited = dict.fromkeys([*first.cited, *own_paths, *overall_scale(edition, event.sessions), *depth_paths])
    factors = f"first {awards[0] / 100:.2f} ({first.factors}); {paying(depth)}"
    return Ladder(tuple(awards), depth, edition.cite(*cited), factors)


def _first(edition: Edition, claim: Claim, event: Event, own: Fraction) -> First:
    """Return the first award of the stratum: the formula's, or by the rules of its kind of event."""
    if claim.flight == flights.TOP and claim.level == 1:
        return flights.stratum_x(edition, claim, event)
    credited, paths = tables.with_concurrent(edition, claim, event, own)
    first = product(edition, event, credited, stratum_limit(claim))
    first = First(first.award, first.factors, (*first.cited, *paths))
    if claim.flight == flights.TOP and claim.level == 0:
        first = flights.flight_a(edition, claim, event, first)
    if claim.championship and claim.level == 0:
        return championships.first_award(edition, claim, first)
    if event.is_special("side-game-series-overall"):
        return first.times(number(edition, "series.overall"), "series.overall")
    if event.is_special("side-game-series"):
        return first.times(number(edition, "series.single.overall"), "series.single.overall")
    return first


def _awards(edition: Edition, event: Event, first: First, places: int) -> list[int]:
    """Return the awards by place in hundredths: all follow from the first one, rounded."""
    rounded = to_hundredths(first.award)
    return [half_up(rounded * overall_share(edition, event.sessions, place)) for place in range(1, places + 1)]


def _combined(edition: Edition, claim: Claim, event: Event, own: Fraction) -> list[int]:
    """Return what the first places of a split regional's gold pair event get for both sites together."""
    if not tables_by_limit(claim.other_site_tables):
        return []
    gold = event.sessions >= edition["colour.gold-sessions"] and claim.event_limit >= edition["colour.gold-limit"]
    if event.event_type != EventType.PAIRS or not gold or claim.level >= edition["colour.gold-strata"]:
        return []
    first = product(edition, event, tables.split_tables(claim, own), stratum_limit(claim))
    share = number(edition, "split.combined")
    awards = _awards(edition, event, first, min(int(edition["split.places"]), claim.contestants))
    return [half_up(award * share) for award in awards]


def _depth(
    edition: Edition, claim: Claim, event: Event, own: Fraction, awards: list[int]
) -> tuple[int, tuple[str, ...]]:
    """Return how many places pay, and the paths of the values that say so.

    A lower stratum needs a few tables to pay at all; a flight's places are a percentage of its own contestants.
    """
    if claim.level > 0 and claim.tables < edition["stratum.tables"]:
        return 0, ("stratum.tables",)
    counted = int(own) if claim.flight else claim.tables
    floor_award = least_award(edition, event, stratum_limit(claim))
    depth = overall_depth(
        edition, event.event_type, event.sessions, counted, claim.tables, claim.contestants, floor_award, awards
    )
    paths = overall_depth_paths(edition, event.event_type, counted)
    if claim.flight and counted >= edition["flighted.most-from"]:
        return min(depth, floor(number(edition, "flighted.most") * claim.contestants)), (*paths, "flighted.most")
    return depth, paths
