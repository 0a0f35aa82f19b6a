"""The ladder of overall awards of a field."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from resultproc.model.errors import DeclarationError
from resultproc.model.game import PER_TABLE, EventType
from resultproc.rulebooks.acbl_general_formula.depth import depth_class, overall_depth, overall_depth_paths, paying
from resultproc.rulebooks.acbl_general_formula.event import require
from resultproc.rulebooks.acbl_general_formula.formula import event_of
from resultproc.rulebooks.acbl_strength_of_field.formula import (
    Field,
    awards,
    counted_entrants,
    decay,
    session_equivalents,
    total,
)
from resultproc.rulebooks.acbl_strength_of_field.strength import mean
from resultproc.rulebooks.common.exact import hundredths
from resultproc.rulebooks.core import Edition, Ladder


def is_covered(edition: Edition, claim: Any) -> bool:
    """Return whether an event's overall awards go by the strength of its field: others keep to the General Formula."""
    if claim.event_type == EventType.KNOCKOUT:
        return False
    if claim.championship:
        value = edition.get(f"championship.{claim.championship}")
        return value is not None and value["first"] == "formula" and "most" not in value
    return not event_of(edition, claim).words & set(edition["scope.general-formula-kinds"])


def overall_ladder(edition: Edition, claim: Any, reach: int) -> Ladder:
    """Return the overall awards of one stratum, which is an event of its own.

    claim: see :class:`~.rules.StrengthOfField`. Raises DeclarationError for an event that the formula has no R for,
    and one that does not give its boards and its players' holdings.
    """
    if claim.rating not in edition["scope.ratings"]:
        raise DeclarationError(
            f"a {claim.rating} game has no R where the strength of the field counts",
            hint="it has for " + ", ".join(edition["scope.ratings"]),
        )
    if claim.unknown or not claim.players:
        whose = claim.unknown or "a lower stratum"
        raise DeclarationError(
            f"there is not a holding for every player of {whose}, and overall awards go by the holdings",
            hint="write mp1, mp2, ... for every player, or name another rulebook such as acbl-general-formula-2019",
        )
    r = f"factor.r.{event_of(edition, claim).r}"
    field = _field(edition, claim, edition.number(r))
    depth, cited = _places(edition, claim)
    unrounded = awards(edition, field, depth, max(reach, depth, 1))
    ladder = tuple(map(hundredths, unrounded))
    given = depth
    if edition["least.reading"] == "not given":
        given = sum(award >= edition.number("least.award") * 100 for award in ladder[:depth])
    if given < depth:
        cited = (*cited, "least.award")
    paths = dict.fromkeys([r, *_cited(edition, claim), *cited])
    return Ladder(ladder, given, edition.cite(*paths), _factors(edition, field, claim, ladder[0], given))


def _field(edition: Edition, claim: Any, rate: Decimal) -> Field:
    require(str(claim.boards or ""), "boards", "overall awards depend on the boards per session", "26")
    own = edition["session-boards.limited-reading"] == "own stratum"
    sessions = session_equivalents(edition, claim.sessions, claim.boards, claim.limit if own else claim.lowest)
    return Field(claim.event_type, claim.contestants, rate, sessions, mean(claim.power, claim.players))


def _places(edition: Edition, claim: Any) -> tuple[int, tuple[str, ...]]:
    """Return how many places the table of places gives, however small their awards, and where that is said."""
    tables = ceil(claim.contestants / PER_TABLE[claim.event_type])
    if claim.level > 0 and tables < edition["stratum.tables"]:
        return 0, ("stratum.tables",)
    all_places = [0] * claim.contestants
    depth = overall_depth(
        edition, claim.event_type, claim.sessions, tables, tables, claim.contestants, Fraction(0), all_places
    )
    unwanted = {"depth.least-award", "depth.floor"}
    return depth, tuple(p for p in overall_depth_paths(edition, claim.event_type, tables) if p not in unwanted)


def _cited(edition: Edition, claim: Any) -> list[str]:
    """Return the paths of what the awards follow from, besides R and the number of places."""
    paths = ["strength.exponent"]
    if claim.floor_limit > edition["strength.floor-above"]:
        paths.append("strength.floor")
    if not edition["session-boards.full-from"] <= claim.boards <= edition["session-boards.full-to"]:
        paths.append("session-boards.full-from")
    if claim.contestants > edition[f"entrants.whole.{depth_class(claim.event_type)}"]:
        paths.append("entrants.beyond")
    if edition["event-factor"] != 1:
        paths.append("event-factor")
    return [*paths, "first.factor", "total.factor", "decay.power", "decay.exponent-reading"]


def _factors(edition: Edition, field: Field, claim: Any, first: int, depth: int) -> str:
    counted = counted_entrants(edition, field.event_type, field.entrants)
    parts = [
        f"F {_text(field.strength, 3)} of {claim.players} players",
        f"N {field.entrants}" + (f", N' {_text(counted, 2)}" if counted != field.entrants else ""),
        f"S {_text(field.sessions, 3)}",
        f"R {_text(field.rate, 2)}",
    ]
    if edition["event-factor"] != 1:
        parts.append(f"factor {edition['event-factor']}")
    shape = f"T {_text(total(edition, field), 2)}, D {_text(decay(edition, field), 4)}"
    return f"first {first / 100:.2f} ({', '.join(parts)}); {shape}; {paying(depth)}"


def _text(value: Decimal, digits: int) -> str:
    shown = f"{value:.{digits}f}"
    return shown.rstrip("0").rstrip(".")
