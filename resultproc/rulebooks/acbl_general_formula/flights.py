"""Flighted and stratiflighted events: flight A measured against flight B, and its stratum X."""

from __future__ import annotations

from fractions import Fraction

from resultproc.model.errors import DeclarationError
from resultproc.model.game import number_text
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event, whole
from resultproc.rulebooks.acbl_general_formula.factors import number
from resultproc.rulebooks.acbl_general_formula.formula import First, product, stratum_limit
from resultproc.rulebooks.acbl_general_formula.tables import lower_tables
from resultproc.rulebooks.core import Edition

TOP = "A"
"""The flight whose awards are measured against those of the next."""


def flight_b(edition: Edition, claim: Claim, event: Event, session: str = "") -> First | None:
    """Return the first award of flight B, the highest below; None where there is no lower flight.

    session: the path of the part that a session pays, '' for the overall award.
    Raises DeclarationError where the lower flights' upper limits are not declared, as their M is needed.
    """
    lower = lower_tables(claim)
    if not lower:
        return None
    if "" in lower:
        raise DeclarationError(
            "lower_tables gives no upper limits, and flight A depends on the award of flight B",
            hint="declare lower_tables with each flight's upper limit, such as 1500=15, 500=9",
        )
    limit = max(map(float, lower))
    return product(edition, event, whole(sum(lower.values(), Fraction(0))), limit, session).rounded()


def flight_a(edition: Edition, claim: Claim, event: Event, first: First) -> First:
    """Return the first overall award of flight A: a percentage above that of flight B at least."""
    below = flight_b(edition, claim, event)
    if below is None:
        return first
    raised = below.times(number(edition, "flighted.above-b"), "flighted.above-b")
    if raised.award <= first.award:
        return first
    return First(raised.award, f"flight B's {raised.factors}", raised.cited)


def stratum_x(edition: Edition, claim: Claim, event: Event, session: str = "") -> First:
    """Return the first award of stratum X of a flight A.

    session: as for :func:`flight_b`. Past a threshold of tables X gets a percentage above flight B, or what its own
    tables give if that is more. Short of it, the percentage shrinks by the square of the share of the threshold that
    is reached.
    Raises DeclarationError where the limit of X does not lie far enough above that of flight B.
    """
    own = product(edition, event, Fraction(claim.tables), stratum_limit(claim), session)
    below = flight_b(edition, claim, event, session)
    if below is None:
        return own
    apart = edition["stratiflighted.apart"]
    limit_b = max(map(float, lower_tables(claim)))
    if stratum_limit(claim) < limit_b + float(apart):
        raise DeclarationError(
            f"stratum X up to {number_text(stratum_limit(claim))} is too near flight B up to {number_text(limit_b)}",
            hint=f"flight A has a stratum X only where its limit is {apart} higher than flight B's",
        )
    x, field = Fraction(claim.tables), Fraction(claim.all_tables)
    by_share = x / (number(edition, "stratiflighted.share") * field)
    by_tables = x / number(edition, "stratiflighted.tables")
    reached = max(by_share, by_tables)
    raised = below.times(number(edition, "stratiflighted.above-b"), "stratiflighted.above-b")
    if reached < 1:
        path = "stratiflighted.share" if by_share >= by_tables else "stratiflighted.tables"
        raised = raised.times(reached**2, path)
    return own if own.award >= raised.award else First(raised.award, f"flight B's {raised.factors}", raised.cited)
