"""Flighted and stratiflighted events: flight A measured against flight B, and its stratum X."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.game import number_text
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.tables import lower_tables, whole
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition

TOP = "A"
"""The flight whose awards are measured against those of the next."""

FirstOn = Callable[[Fraction, float], First]
"""Returns the first award, overall or of a session, on some tables under a limit."""


def is_top(group: Group) -> bool:
    """Return whether this is the top stratum of flight A."""
    return group.flight == TOP and group.level == 0


def is_x(group: Group) -> bool:
    """Return whether this is stratum X, the lower one of flight A."""
    return group.flight == TOP and group.level == 1


def flight_b(edition: Edition, group: Group, first_on: FirstOn) -> First | None:
    """Return the first award of flight B, the highest below; None where there is no lower flight.

    Raises DeclarationError where the lower flights' upper limits are not declared, as their M is needed.
    """
    lower = lower_tables(group)
    if not lower:
        return None
    if not all(limit for limit, _ in lower):
        raise DeclarationError(
            "lower_tables has no upper limits, and flight A depends on the award of flight B",
            hint="declare lower_tables with each flight's upper limit, such as 1500=15, 500=9",
            code=MISSING,
        )
    tables = whole(edition, sum((each.tables for each in lower), Fraction(0)))
    return first_on(tables, max(each.limit for each in lower)).rounded()


def flight_a(edition: Edition, group: Group, first: First, first_on: FirstOn) -> First:
    """Return the first overall award of flight A: a percentage above that of flight B at least."""
    below = flight_b(edition, group, first_on)
    if below is None:
        return first
    return _higher(first, below.times(edition.number("flighted.above-b"), "flighted.above-b"))


def stratum_x(edition: Edition, group: Group, own: First, first_on: FirstOn) -> First:
    """Return the first award of stratum X of a flight A.

    own: what its own tables give. Past a threshold of tables X gets a percentage above flight B, or its own if that is
    more. Short of it, the percentage shrinks by the square of the share of the threshold that is reached.
    Raises DeclarationError where the limit of X does not lie far enough above that of flight B.
    """
    below = flight_b(edition, group, first_on)
    if below is None:
        return own
    apart = edition.whole("stratiflighted.apart")
    limit_b = max(limit for limit, _ in lower_tables(group))
    if group.limit < limit_b + apart:
        raise DeclarationError(
            f"stratum X up to {number_text(group.limit)} is too close to flight B up to {number_text(limit_b)}",
            hint=f"the limit of stratum X must be at least {apart} above that of flight B",
        )
    x, field = Fraction(group.stratum_tables), Fraction(group.event_tables)
    by_share = x / (edition.number("stratiflighted.share") * field)
    by_tables = x / edition.number("stratiflighted.tables")
    reached = max(by_share, by_tables)
    raised = below.times(edition.number("stratiflighted.above-b"), "stratiflighted.above-b")
    if reached < 1:
        path = "stratiflighted.share" if by_share >= by_tables else "stratiflighted.tables"
        raised = raised.times(reached**2, path)
    return _higher(own, raised)


def _higher(own: First, raised: First) -> First:
    """Return a flight's own first award, or the one that flight B's was raised to where that is more."""
    return own if own.award >= raised.award else First(raised.award, f"flight B's {raised.factors}", raised.cited)
