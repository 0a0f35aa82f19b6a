"""The ladder of session awards."""

from __future__ import annotations

from fractions import Fraction
from math import isinf

from resultproc.model.errors import DeclarationError
from resultproc.model.game import ACROSS_SECTIONS, EventType, Rating
from resultproc.rulebooks.acbl_general_formula import championships, flights, tables
from resultproc.rulebooks.acbl_general_formula.depth import paying, session_depth
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event
from resultproc.rulebooks.acbl_general_formula.factors import half_up, listed, number, root, to_hundredths
from resultproc.rulebooks.acbl_general_formula.formula import First, event_of, product, stratum_limit
from resultproc.rulebooks.acbl_general_formula.places import across_share, overall_share, session_share
from resultproc.rulebooks.core import Edition, Ladder


def session_ladder(edition: Edition, claim: Claim, reach: int) -> Ladder:
    """Return the awards of one group in one session; DeclarationError where its event lacks what they need.

    A Swiss pays its matches instead, a series of side games its single games, a WBF event nothing.
    """
    event = event_of(edition, claim)
    series = event.is_special("side-game-series-overall")
    if event.event_type == EventType.SWISS or series or championships.is_wbf(edition, claim):
        return Ladder((0,) * reach, 0, edition.cite("session.factor"), "no session awards in this kind of event")
    if claim.rating == Rating.CLUB_OPEN:
        if not isinf(stratum_limit(claim)):
            raise DeclarationError("the General Formula knows of club games only open ones", hint="name acbl-club")
        uncapped = number(edition, "club.rate") * claim.contestants
        first = First(uncapped, f"{edition['club.rate']} x {claim.contestants}", ("club.rate",))
        cap = number(edition, "club.cap")
    else:
        first = _first(edition, claim, event)
        cap = first.award
    depth = session_depth(edition, claim.contestants)
    places = max(reach, depth)
    awards, scale = _awards(edition, claim, first, cap, places, _is_across(edition, claim, event))
    cited = dict.fromkeys([*first.cited, *scale, "session.depth"])
    factors = f"first {awards[0] / 100:.2f} ({first.factors}); {paying(depth)}"
    return Ladder(tuple(awards), depth, edition.cite(*cited), factors)


def _first(edition: Edition, claim: Claim, event: Event) -> First:
    individual = event.event_type == EventType.INDIVIDUAL and claim.one_winner
    part = "session.factor-individual" if individual else "session.factor"
    if claim.flight == flights.TOP and claim.level == 1:
        first = flights.stratum_x(edition, claim, event, part)
    else:
        own, paths = tables.own_tables(edition, claim, event)
        across = _counted_across(edition, own) if _is_across(edition, claim, event) else own
        first = product(edition, event, across, stratum_limit(claim), part)
        paths = (*paths, *(["session.across.tables"] if across != own else []))
        first = First(first.award, first.factors, (*first.cited, *paths))
    separate = claim.flight == flights.TOP and claim.level == 0 and claim.rating in edition["session.flight-a-from"]
    if separate:
        first = first.times(number(edition, "session.flight-a"), "session.flight-a")
    cuts = sum(1 for after in claim.cuts.split(", ") if after and int(after) < claim.session)
    first = first.times(listed(edition, "session.after-cuts", cuts + 1), "session.after-cuts")
    if event.is_special("side-game-series"):
        first = first.times(number(edition, "series.single.session"), "series.single.session")
    return first


def _is_across(edition: Edition, claim: Claim, event: Event) -> bool:
    """Return whether a session is scored across sections, on so many tables that it has rules of its own."""
    own, _ = tables.own_tables(edition, claim, event)
    return ACROSS_SECTIONS in event.words and own >= edition["session.across.from"]


def _counted_across(edition: Edition, own: Fraction) -> Fraction:
    """Return the tables that count where a session is scored across sections: fewer than there are."""
    times, apart = (Fraction(value) for value in edition["session.across.tables"])
    return times * root(apart * (own - apart))


def _awards(
    edition: Edition, claim: Claim, first: First, cap: Fraction, places: int, across: bool
) -> tuple[list[int], tuple[str, ...]]:
    """Return the awards by place in hundredths, and the paths of the values that the scale comes from."""
    numbers = range(1, places + 1)
    capped, uncapped = to_hundredths(min(first.award, cap)), to_hundredths(first.award)
    if across:
        return [half_up(uncapped * across_share(edition, place)) for place in numbers], ("session.across.lower",)
    large = claim.rating in edition["session.large.ratings"] and claim.contestants >= edition["session.large.from"]
    if not large:
        return [half_up(capped * session_share(edition, place)) for place in numbers], ("session.percentages",)
    sessions = int(edition["session.large.sessions"])
    by_overall = [half_up(capped * overall_share(edition, sessions, place)) for place in numbers]
    if claim.contestants >= edition["session.large.whole"]:
        return by_overall, ("session.large.whole", "session.large.sessions")
    ordinary = [half_up(uncapped * session_share(edition, place)) for place in numbers]
    return list(map(min, zip(by_overall, ordinary, strict=True))), ("session.large.from", "session.large.sessions")
