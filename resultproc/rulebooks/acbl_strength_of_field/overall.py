"""The ladder of overall awards of a field."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil

import numpy as np

from resultproc.model.errors import DeclarationError
from resultproc.model.game import BY_MATCHES, EventType
from resultproc.model.group import Group
from resultproc.model.values import decimal_text
from resultproc.rulebooks.acbl_general_formula.depth import depth_class, overall_depth, overall_depth_paths
from resultproc.rulebooks.acbl_general_formula.kinds import computed_as
from resultproc.rulebooks.acbl_strength_of_field.formula import (
    Field,
    counted_entrants,
    decay,
    of_strength_one,
    session_equivalents,
    tables_of,
    total,
)
from resultproc.rulebooks.acbl_strength_of_field.strength import mean
from resultproc.rulebooks.common.championships import championship_of
from resultproc.rulebooks.common.exact import text
from resultproc.rulebooks.common.factors import Factor, r_factor
from resultproc.rulebooks.common.first import paying
from resultproc.rulebooks.common.matches import declared_boards
from resultproc.rulebooks.core import Edition, kept
from resultproc.rulebooks.regulation import Ladder, Shape


def is_covered(edition: Edition, group: Group) -> bool:
    """Return whether an event's overall awards go by the strength of its field: others keep to the General Formula."""
    if group.event_type == EventType.KNOCKOUT:
        return False
    championship = championship_of(edition, group.championship)
    if championship:
        return championship.by_formula and championship.most is None
    return not group.special & set(edition.words("scope.general-formula-kinds"))


def overall_shape(edition: Edition, group: Group) -> Shape:
    """Return the overall awards of one stratum, which is an event of its own: they grow with the strength of its field.

    Raises DeclarationError for an event that the formula has no R for, and one that does not give its boards and its
    players' holdings.
    """
    if group.rating not in edition.words("scope.ratings"):
        raise DeclarationError(
            f"there is no R for a {group.rating} game under strength of field",
            hint="known: " + ", ".join(edition.words("scope.ratings")),
        )
    if group.unknown:
        raise _no_holdings(group.unknown)
    # What they need is asked for only where there is any strength.
    by_strength = cache(lambda: _by_strength(edition, group))

    def ladder(of: Group, reach: int) -> Ladder:
        if not of.players:
            raise _no_holdings("a lower stratum")
        if of.power:
            return by_strength()(of, reach)
        nothing = "F 0: none of the players has masterpoints"
        return Ladder((0,) * max(reach, 1), 0, edition.values("strength.exponent"), nothing)

    return ladder


def _by_strength(edition: Edition, group: Group) -> Shape:
    """Return the awards of fields of any strength that are alike in all else."""
    r = r_factor(edition, computed_as(edition, group).r)
    field = _field(edition, group, r)
    depth, cited = _places(edition, group)
    cited = (*r.cited, *_cited(edition, group), *cited)
    awards_of_one = of_strength_one(edition, field, depth, max(group.entered, depth, 1))
    shown = _shown(edition, field)
    by_least = edition.text("least.reading") == "not given"
    least = ceil(100 * edition.number("least.award"))
    values, with_least = edition.values(*cited), edition.values(*cited, "least.award")

    def ladder(of: Group, reach: int) -> Ladder:
        strength = mean(of.power, of.players)
        awards = awards_of_one.hundredths(strength, max(reach, depth, 1))
        given = int((awards[:depth] >= least).sum()) if by_least else depth
        how = shown(strength, of.players, int(awards[0]), given)
        return Ladder(tuple(awards.tolist()), given, with_least if given < depth else values, how)

    return ladder


def _no_holdings(whose: str) -> DeclarationError:
    return DeclarationError(
        f"holdings are missing for {whose}, and overall awards depend on them",
        hint="write mp1, mp2, ... for every player, or choose another rulebook such as acbl-general-formula-2019",
    )


def _field(edition: Edition, group: Group, r: Factor) -> Field:
    """Return the field of a stratum as if its strength were 1."""
    boards = _boards(group)
    own = edition.text("session-boards.limited-reading") == "own stratum"
    limit = group.limit if own else group.lowest_limit
    sessions = sum((session_equivalents(edition, 1, each, limit) for each in boards), Fraction(0))
    return Field(group.event_type, group.entered, r.value, sessions, Fraction(1))


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
    all_places = np.zeros(group.entered, dtype=np.int64)
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


@kept
def _shown(edition: Edition, field: Field) -> Callable[[Fraction, int, int, int], str]:
    """Return what shows how a ladder came about, by the strength, the players, the first award and the places that pay.

    field: of strength 1.
    """
    counted = counted_entrants(edition, field.event_type, field.entrants)
    parts = [
        f"N {field.entrants}" + (f", N' {text(counted, 2)}" if counted != field.entrants else ""),
        f"S {text(field.sessions, 3)}",
        f"R {text(field.rate, 2)}",
    ]
    if edition.number("event-factor") != 1:
        parts.append(f"factor {edition.shown('event-factor')}")
    of_field, whole, d = ", ".join(parts), total(edition, field), text(decay(edition, field), 4)

    def shown(strength: Fraction, players: int, first: int, depth: int) -> str:
        of_players = f"F {text(strength, 3)} of {players} players"
        shape = f"T {text(whole * strength, 2)}, D {d}"
        return f"first {decimal_text(first)} ({of_players}, {of_field}); {shape}; {paying(depth)}"

    return shown
