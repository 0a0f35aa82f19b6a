"""The ladder of overall awards of a field."""

from __future__ import annotations

from fractions import Fraction

from resultproc.model.errors import DeclarationError
from resultproc.model.game import BY_MATCHES, EventType
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.depth import depth_class, overall_depth, overall_depth_paths
from resultproc.rulebooks.acbl_general_formula.kinds import computed_as
from resultproc.rulebooks.acbl_strength_of_field.formula import (
    Field,
    awards,
    counted_entrants,
    decay,
    session_equivalents,
    tables_of,
    total,
)
from resultproc.rulebooks.acbl_strength_of_field.strength import mean
from resultproc.rulebooks.common.championships import championship_of
from resultproc.rulebooks.common.exact import decimal, hundredths, text
from resultproc.rulebooks.common.factors import Factor, r_factor
from resultproc.rulebooks.common.first import paying
from resultproc.rulebooks.common.matches import declared_boards
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladder


def is_covered(edition: Edition, group: Group) -> bool:
    """Return whether an event's overall awards go by the strength of its field: others keep to the General Formula."""
    if group.event_type == EventType.KNOCKOUT:
        return False
    championship = championship_of(edition, group.championship)
    if championship:
        return championship.by_formula and championship.most is None
    return not group.special & set(edition.words("scope.general-formula-kinds"))


def overall_ladder(edition: Edition, group: Group, reach: int) -> Ladder:
    """Return the overall awards of one stratum, which is an event of its own.

    Raises DeclarationError for an event that the formula has no R for, and one that does not give its boards and its
    players' holdings.
    """
    if group.rating not in edition.words("scope.ratings"):
        raise DeclarationError(
            f"there is no R for a {group.rating} game under strength of field",
            hint="known: " + ", ".join(edition.words("scope.ratings")),
        )
    if group.unknown or not group.players:
        whose = group.unknown or "a lower stratum"
        raise DeclarationError(
            f"holdings are missing for {whose}, and overall awards depend on them",
            hint="write mp1, mp2, ... for every player, or choose another rulebook such as acbl-general-formula-2019",
        )
    if not group.power:
        shown = "F 0: none of the players has masterpoints"
        return Ladder((0,) * max(reach, 1), 0, edition.values("strength.exponent"), shown)
    r = r_factor(edition, computed_as(edition, group).r)
    field = _field(edition, group, r)
    depth, cited = _places(edition, group)
    unrounded = awards(edition, field, depth, max(reach, depth, 1))
    ladder = tuple(map(hundredths, unrounded))
    given = depth
    if edition.text("least.reading") == "not given":
        given = sum(award >= edition.number("least.award") * 100 for award in ladder[:depth])
    if given < depth:
        cited = (*cited, "least.award")
    values = edition.values(*r.cited, *_cited(edition, group), *cited)
    return Ladder(ladder, given, values, _factors(edition, field, group, ladder[0], given))


def _field(edition: Edition, group: Group, r: Factor) -> Field:
    boards = _boards(group)
    own = edition.text("session-boards.limited-reading") == "own stratum"
    limit = group.limit if own else group.lowest_limit
    sessions = sum((session_equivalents(edition, 1, each, limit) for each in boards), Fraction(0))
    return Field(group.event_type, group.entered, r.value, sessions, mean(group.power, group.players))


def _boards(group: Group) -> tuple[int, ...]:
    """Return the boards of each session; DeclarationError where they are not declared, or not of each."""
    own = group.session_boards
    if not own and group.event_type in BY_MATCHES:
        what = "session_boards is not declared, and overall awards depend on the boards per session"
        raise DeclarationError(f"{what}: boards is the number per match", hint="declare session_boards, such as 28")
    if not own:
        own = (declared_boards(group, "overall awards depend on the boards per session", "26"),)
    if len(own) not in {1, group.sessions}:
        what = f"session_boards has {len(own)} numbers, but the event has {group.sessions} sessions"
        raise DeclarationError(what, hint="write one number for all sessions, or one per session")
    return own * group.sessions if len(own) == 1 else own


def _places(edition: Edition, group: Group) -> tuple[int, tuple[str, ...]]:
    """Return how many places the table of places gives, however small their awards, and where that is said."""
    tables = tables_of(edition, group.event_type, group.entered)
    if group.level > 0 and tables < edition.number("stratum.least-tables"):
        return 0, ("stratum.least-tables",)
    all_places = [0] * group.entered
    depth = overall_depth(
        edition, group.event_type, group.sessions, tables, tables, group.entered, Fraction(0), all_places
    )
    unwanted = {"depth.least-award", "depth.floor"}
    return depth, tuple(p for p in overall_depth_paths(edition, group.event_type, tables) if p not in unwanted)


def _cited(edition: Edition, group: Group) -> list[str]:
    """Return the paths of what the awards follow from, besides R and the number of places."""
    paths = ["strength.exponent"]
    if group.floor_limit > edition.number("strength.floor-above"):
        paths.append("strength.floor")
    full_from, full_to = edition.number("session-boards.full-from"), edition.number("session-boards.full-to")
    if not all(full_from <= boards <= full_to for boards in _boards(group)):
        paths.append("session-boards.full-from")
    if group.entered > edition.number(f"entrants.whole.{depth_class(group.event_type)}"):
        paths.append("entrants.beyond")
    if edition.number("event-factor") != 1:
        paths.append("event-factor")
    return [*paths, "first.factor", "total.factor", "decay.power", "decay.exponent-reading"]


def _factors(edition: Edition, field: Field, group: Group, first: int, depth: int) -> str:
    counted = counted_entrants(edition, field.event_type, field.entrants)
    parts = [
        f"F {text(field.strength, 3)} of {group.players} players",
        f"N {field.entrants}" + (f", N' {text(counted, 2)}" if counted != field.entrants else ""),
        f"S {text(field.sessions, 3)}",
        f"R {text(field.rate, 2)}",
    ]
    if edition.number("event-factor") != 1:
        parts.append(f"factor {edition.shown('event-factor')}")
    shape = f"T {text(total(edition, field), 2)}, D {text(decay(edition, field), 4)}"
    return f"first {decimal(Fraction(first, 100))} ({', '.join(parts)}); {shape}; {paying(depth)}"
