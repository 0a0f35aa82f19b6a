"""NABC and WBF championships: their first awards stand in the rulebook."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from resultproc.model.errors import DeclarationError, closest
from resultproc.model.game import EventType, Rating
from resultproc.rulebooks.acbl_general_formula.depth import depth_class
from resultproc.rulebooks.acbl_general_formula.event import Claim
from resultproc.rulebooks.acbl_general_formula.formula import First
from resultproc.rulebooks.core import Edition

_PREFIX = "championship."


def path_of(edition: Edition, name: str) -> str:
    """Return the path of a championship; raise DeclarationError, the closest one suggested, for an unknown one."""
    path = _PREFIX + name
    if path not in edition.entries:
        known = [each.removeprefix(_PREFIX) for each in edition.entries if each.startswith(_PREFIX)]
        raise DeclarationError(f"there is no championship '{name}'", hint=closest(name, known))
    return path


def check(edition: Edition, claim: Claim) -> None:
    """Raise DeclarationError where a game's keys contradict the championship that it is declared to be."""
    value = edition[path_of(edition, claim.championship)]
    if value.get("event-type") == EventType.KNOCKOUT:
        raise DeclarationError(f"{claim.championship} is a knockout", hint="the General Formula has no places for it")
    said = {"event_type": claim.event_type, "sessions": claim.sessions, "rating": claim.rating}
    right = {"event_type": value.get("event-type"), "sessions": value.get("sessions"), "rating": Rating.NATIONAL.value}
    if value["first"] == "formula":
        del right["rating"]
    for key, expected in right.items():
        if expected is not None and said[key] != expected:
            raise DeclarationError(
                f"{key} is '{said[key]}', but {claim.championship} has '{expected}'", hint=f"mend {key} or championship"
            )


def scale_sessions(edition: Edition, claim: Claim) -> int:
    """Return the sessions that the lower places go by: a WBF event's are those of the NABC event closest to it."""
    value = edition[path_of(edition, claim.championship)]
    if "closest" in value:
        value = edition[path_of(edition, value["closest"])]
    return int(value.get("sessions", claim.sessions))


def is_wbf(edition: Edition, claim: Claim) -> bool:
    """Return whether this is a WBF event: those have no session awards."""
    return bool(claim.championship) and "closest" in edition[path_of(edition, claim.championship)]


def first_award(edition: Edition, claim: Claim, formula: First) -> First:
    """Return the first award of a championship: a fixed one, or the formula's up to a maximum.

    Where the event needs a number of tables, or of teams, only a part is given below it.
    """
    path = path_of(edition, claim.championship)
    value = edition[path]
    first = _fixed(value, formula, path)
    if not value.get("minimum"):
        return first
    kind = f"championship-minimum.{depth_class(claim.event_type)}"
    part = next(part for least, part in edition[kind] if claim.all_tables >= least)
    return first.times(Fraction(Decimal(part)), kind)


def _fixed(value: dict[str, Any], formula: First, path: str) -> First:
    if value["first"] != "formula":
        return First(Fraction(Decimal(value["first"])), f"fixed at {value['first']}", (path,))
    if "most" in value and formula.award > value["most"]:
        return First(Fraction(Decimal(value["most"])), f"{formula.factors}, at most {value['most']}", (path,))
    return formula
