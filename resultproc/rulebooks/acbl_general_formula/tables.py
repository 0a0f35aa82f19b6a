"""The tables that a first award goes by: the event's own, with those of lower flights, brackets and other events."""

from __future__ import annotations

from fractions import Fraction
from math import isinf

from resultproc.model.errors import DeclarationError
from resultproc.model.game import number_text
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event, require, tables_by_limit, whole
from resultproc.rulebooks.acbl_general_formula.factors import number
from resultproc.rulebooks.acbl_general_formula.formula import barometer_level, stratum_limit
from resultproc.rulebooks.core import Edition

_EXAMPLE = "1500=15, 500=9, or none"


def lower_tables(claim: Claim) -> dict[str, Fraction]:
    """Return the tables below the event by upper limit: of lower flights, brackets, barometer levels.

    Raises DeclarationError for an event that depends on them and does not declare them.
    """
    if claim.flight:
        require(claim.lower_tables, "lower_tables", f"flight {claim.flight} is credited with lower flights", _EXAMPLE)
    if claim.bracket:
        require(claim.lower_tables, "lower_tables", f"bracket {claim.bracket} is credited with lower brackets", "36")
    return tables_by_limit(claim.lower_tables)


def own_tables(edition: Edition, claim: Claim, event: Event) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables that the stratum counts as its own event's, and the paths of the values that say so.

    Lower flights count whole; of lower brackets a part does. The top level of a barometer final counts all tables
    that were entered; a series of side games the mean of its largest sessions.
    """
    if event.is_special("side-game-series-overall"):
        text = require(claim.session_tables, "session_tables", "a series goes by its largest sessions", "20, 18, 15")
        largest = sorted(map(Fraction, text.split(", ")), reverse=True)[: edition["series.sessions"]]
        return sum(largest, Fraction(0)) / len(largest), ("series.sessions",)
    own = Fraction(claim.tables)
    below = sum(lower_tables(claim).values(), Fraction(0))
    if claim.bracket:
        full, rest = _bracketed(edition, claim, below)
        return own + full + rest, ("bracketed.full", "bracketed.rest")
    if barometer_level(event) == 1:
        require(claim.lower_tables, "lower_tables", "the top level of a barometer counts all tables entered", "26")
        return whole(own + below), ("barometer.sessions",)
    return whole(own + below) if claim.flight else own, ()


def _bracketed(edition: Edition, claim: Claim, below: Fraction) -> tuple[Fraction, Fraction]:
    """Return the tables of lower brackets that count in full, and the part of the others that counts."""
    places = edition["bracketed.full"]
    full = min(below, Fraction(places[min(int(claim.bracket), len(places)) - 1]))
    return full, (below - full) / number(edition, "bracketed.rest")


def with_concurrent(edition: Edition, claim: Claim, event: Event, own: Fraction) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables for an overall award: those of restricted events played at the same time are credited.

    They count for an event that is not restricted in any way, up to a multiple of its own; several such events share
    them. An event with a lower limit alone counts as one where no open event runs beside it.
    """
    concurrent = tables_by_limit(claim.concurrent_tables)
    restricted = sum((tables for limit, tables in concurrent.items() if limit != "open"), Fraction(0))
    beside = sum(1 for limit in claim.concurrent_tables.split(", ") if limit.startswith("open"))
    path = f"concurrent.sessions.{claim.rating}"
    unrestricted = claim.level == 0 and isinf(min(claim.limit, claim.event_limit)) and not event.restrictions
    if event.is_special("lower-limit") and beside:
        unrestricted = False
    if not restricted or not unrestricted or path not in edition.entries or event.sessions < edition[path]:
        return own, ()
    share = restricted / (1 + beside)
    return whole(min(own + share, own * number(edition, "concurrent.most"))), (path, "concurrent.most")


def split_tables(claim: Claim, own: Fraction) -> Fraction:
    """Return the tables of both sites of a split regional.

    Raises DeclarationError where it is not declared how many the stratum has at the other site.
    """
    there = tables_by_limit(claim.other_site_tables)
    limit = number_text(stratum_limit(claim))
    if claim.level == 0 and "" in there:
        return own + there[""]
    if limit not in there:
        what = f"other_site_tables is '{claim.other_site_tables}', and does not give the tables of the stratum {limit}"
        raise DeclarationError(
            what, hint="write each stratum's limit and its tables with all lower ones: open=30, 1000=12"
        )
    return own + there[limit]
