"""The scales by which lower places follow from the first award."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from resultproc.model.errors import RulebookError
from resultproc.rulebooks.acbl_general_formula.factors import number, root
from resultproc.rulebooks.core import Edition


def overall_share(edition: Edition, sessions: int, place: int) -> Fraction:
    """Return what a place gets overall, as a share of the first award, in an event of so many sessions."""
    steps = number(edition, "overall.step") ** (place - 1)
    begins = place > edition["overall.long-steps-until"]  # above, the curve of a single session would not fall
    curve = Fraction(sessions, place + 2 * sessions - 3) if begins else Fraction(0)
    reading = edition["overall.reading"]
    if reading == "greater":
        return max(steps, curve)
    if reading != "by sessions":
        raise RulebookError(f"overall.reading is '{reading}'", hint="write by sessions or greater")
    if sessions >= edition["overall.long"]:
        return curve or steps
    return steps if place <= edition["overall.steps-until"] else Fraction(1, place)


def overall_scale(edition: Edition, sessions: int) -> tuple[str, ...]:
    """Return the paths of the values that the scale of an event of so many sessions comes from."""
    if edition["overall.reading"] == "greater":
        return ("overall.step", "overall.reading")
    return ("overall.step", "overall.long" if sessions >= edition["overall.long"] else "overall.steps-until")


def session_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session, as a share of the first award."""
    percent = [100, *edition["session.percentages"]]
    return Fraction(Decimal(percent[place - 1])) / 100 if place <= len(percent) else Fraction(1, place)


def across_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session that is scored across sections, as a share of the first award."""
    if place <= 1 + len(edition["session.percentages"]):
        return session_share(edition, place)
    return 1 / root(place * root(number(edition, "session.across.lower") * (place - 1)))
