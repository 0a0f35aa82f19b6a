"""The factors of the General Formula, B x R x S x M x P x T, as exact numbers.

The products are fractions: B divides by 60, and a product that ends in exactly half a hundredth must round up.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor, isinf

from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.game import EventType, number_text
from resultproc.rulebooks.common.exact import CONTEXT
from resultproc.rulebooks.core import Edition


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, halves up."""
    return floor(value + Fraction(1, 2))


def to_hundredths(masterpoints: Fraction) -> int:
    """Return an award in hundredths of a masterpoint, halves rounded up."""
    return half_up(masterpoints * 100)


def text(value: Fraction, digits: int = 4) -> str:
    """Return a factor as a person reads it: ``0.8333``, ``14``."""
    shown = f"{float(value):.{digits}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def number(edition: Edition, path: str) -> Fraction:
    """Return the value at a path as a fraction."""
    return Fraction(edition.number(path))


def listed(edition: Edition, path: str, count: int) -> Fraction:
    """Return the value that a list gives for 1, 2, 3, ...: past its end, the last one."""
    values = edition[path]
    return Fraction(Decimal(values[min(count, len(values)) - 1]))


def b_factor(edition: Edition, tables: Fraction) -> Fraction:
    """Return B for a number of tables; nothing for none."""
    if tables <= 0:
        return Fraction(0)
    if tables <= number(edition, "factor.b.straight-until"):
        return (tables + number(edition, "factor.b.added")) / number(edition, "factor.b.divisor")
    return _log10(tables / number(edition, "factor.b.log-divisor"))


def _log10(value: Fraction) -> Fraction:
    quotient = CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Fraction(quotient.log10(CONTEXT))


def root(value: Fraction) -> Fraction:
    """Return the square root, to more digits than any award needs."""
    quotient = CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Fraction(quotient.sqrt(CONTEXT))


def r_factor(edition: Edition, name: str) -> Fraction:
    """Return R of a class of game; raise DeclarationError for one that has none."""
    path = f"factor.r.{name}"
    if path not in edition.entries:
        known = sorted(p.removeprefix("factor.r.") for p in edition.entries if p.startswith("factor.r."))
        raise DeclarationError(f"a {name} game has no R in the General Formula", hint="it has for " + ", ".join(known))
    return number(edition, path)


def s_factor(edition: Edition, sessions: int) -> Fraction:
    """Return S for a number of sessions."""
    beyond = max(0, sessions - len(edition["factor.s"]))
    return listed(edition, "factor.s", sessions) + beyond * number(edition, "factor.s-beyond")


def m_factor(edition: Edition, limit: float) -> Fraction:
    """Return M for an upper masterpoint limit, 1 for none.

    Raises DeclarationError for a limit below 1, RulebookError where the rulebook names no known reading.
    """
    most = number(edition, "factor.m.most")
    if isinf(limit):
        return most
    if limit < 1:
        raise DeclarationError(
            f"M has no value for the upper limit {number_text(limit)}", hint="declare a limit of 1 or more"
        )
    reading = edition["factor.m.reading"]
    if reading == "logarithm":
        return min(most, _logarithm(edition, limit))
    if reading == "line":
        return min(most, _line(edition, Fraction(limit)))
    raise RulebookError(f"factor.m.reading is '{reading}'", hint="write logarithm or line")


def _logarithm(edition: Edition, limit: float) -> Fraction:
    for below, divisor, added in edition["factor.m.logarithm"]:
        if below == "open" or limit < below:
            return _log10(Fraction(limit)) / Fraction(Decimal(divisor)) + Fraction(Decimal(added))
    raise RulebookError(f"factor.m.logarithm has nothing for the limit {number_text(limit)}", hint="end it with 'open'")


def _line(edition: Edition, limit: Fraction) -> Fraction:
    """Return what the straight lines between the points give; the last line goes on beyond its end."""
    points = [(Fraction(Decimal(upper)), Fraction(Decimal(value))) for upper, value in edition["factor.m.line"]]
    last = len(points) - 2
    for place, ((low, at_low), (high, at_high)) in enumerate(pairwise(points)):
        if limit <= high or place == last:
            return at_low + (limit - low) * (at_high - at_low) / (high - low)
    raise RulebookError("factor.m.line has no line", hint="give it two points or more")


def p_factor(edition: Edition, restrictions: int) -> Fraction:
    """Return P for a number of entry restrictions."""
    return listed(edition, "factor.p", restrictions + 1)


def l_factor(edition: Edition, boards: int) -> Fraction:
    """Return L for the boards of a match; DeclarationError for a match that is too short for any award."""
    least = edition["factor.l.least"]
    if boards < least:
        raise DeclarationError(f"a match of {boards} boards has no awards", hint=f"it has from {least} boards on")
    steps = [Fraction(value) for from_boards, value in edition["factor.l.steps"] if boards >= from_boards]
    return steps[-1] if steps else boards / number(edition, "factor.l.divisor")


def class_factor(edition: Edition, letter: str, rating: str) -> Fraction:
    """Return K or D (``letter`` k or d) of a class of game; DeclarationError for one that has none."""
    path = f"factor.{letter}.{rating}"
    if path not in edition.entries:
        known = sorted(
            p.removeprefix(f"factor.{letter}.") for p in edition.entries if p.startswith(f"factor.{letter}.")
        )
        what = "knockout" if letter == "k" else "match"
        raise DeclarationError(f"there are no {what} awards in a {rating} game", hint="known are " + ", ".join(known))
    return number(edition, path)


def t_factor(edition: Edition, event_type: str) -> Fraction:
    """Return T of an event type; raise DeclarationError for knockouts, which have a formula of their own."""
    path = f"factor.t.{event_type}"
    if path not in edition.entries:
        known = [kind.value for kind in EventType if f"factor.t.{kind.value}" in edition.entries]
        raise DeclarationError(
            f"a {event_type} event has no awards under the General Formula", hint="it has for " + ", ".join(known)
        )
    return number(edition, path)
