"""The tables that a first award goes by: the event's own, with those of lower flights, brackets and other events.

Flighted and stratiflighted events: flight A measured against flight B, and its stratum X.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, isinf

from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.game import number_text
from resultproc.model.group import Group, TablesUpTo
from resultproc.rulebooks.acbl_general_formula.formula import ComputedAs, is_series, missing_key
from resultproc.rulebooks.common.exact import listed_value
from resultproc.rulebooks.common.factors import First, barometer_level
from resultproc.rulebooks.core import Edition

_EXAMPLE = "1500=15, 500=9, or none"


def whole_tables(edition: Edition, tables: Fraction) -> tuple[Fraction, tuple[str, ...]]:
    """Return tables with one that is not full counted as a whole one, and the path of the value that says so."""
    full = floor(tables)
    if tables == full:
        return tables, ()
    return full + edition.number(_HALF_TABLE), (_HALF_TABLE,)


_HALF_TABLE = "overall.half-table"


def lower_tables(group: Group) -> tuple[TablesUpTo, ...]:
    """Return the tables below the event by upper limit: of lower flights, brackets, barometer levels.

    Raises DeclarationError for an event that depends on them and does not declare them.
    """
    if group.lower_tables is not None:
        return group.lower_tables
    if group.flight:
        raise missing_key("lower_tables", f"flight {group.flight} is credited with lower flights", _EXAMPLE)
    if group.bracket:
        raise missing_key("lower_tables", f"bracket {group.bracket} is credited with lower brackets", "36")
    if barometer_level(group.special) == 1:
        raise missing_key("lower_tables", "the top level of a barometer counts all tables entered", "26")
    return ()


def own_tables(edition: Edition, group: Group) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables that the stratum counts as its own event's, and the paths of the values that say so.

    Lower flights count whole; of lower brackets a part does. The top level of a barometer final counts all tables
    that were entered; a series of side games the mean of its largest sessions.
    """
    paths = (_HALF_TABLE, "tables.half-reading") if group.half_tables else ()
    if is_series(group):
        if not group.session_tables:
            raise missing_key("session_tables", "its awards depend on its largest sessions", "20, 18, 15")
        largest = sorted(group.session_tables, reverse=True)[: edition.whole("side-games.sessions")]
        return sum(largest, Fraction(0)) / len(largest), ("side-games.sessions",)
    own = Fraction(group.stratum_tables)
    below = sum((each.tables for each in lower_tables(group)), Fraction(0))
    if group.bracket:
        full, rest = _bracketed(edition, group.bracket, below)
        return own + full + rest, (*paths, "bracketed.full", "bracketed.rest")
    if barometer_level(group.special) == 1:
        paths = (*paths, "barometer.sessions")
    elif not group.flight:
        return own, paths
    tables, half = whole_tables(edition, own + below)
    return tables, (*paths, *half)


def _bracketed(edition: Edition, bracket: int, below: Fraction) -> tuple[Fraction, Fraction]:
    """Return the tables of lower brackets that count in full, and the part of the others that counts."""
    full = min(below, listed_value(edition.numbers("bracketed.full"), bracket))
    return full, (below - full) / edition.number("bracketed.rest")


def with_concurrent(
    edition: Edition, group: Group, kind: ComputedAs, own: Fraction
) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables for an overall award: those of restricted events played at the same time are credited.

    They count for an event that is not restricted in any way, up to a multiple of its own; several such events share
    them. An event with a lower limit alone counts as one where no open event runs beside it.
    """
    restricted = sum((each.tables for each in group.concurrent_tables if not isinf(each.limit)), Fraction(0))
    beside = sum(1 for each in group.concurrent_tables if isinf(each.limit))
    unrestricted = group.level == 0 and isinf(group.limit) and not group.restrictions
    if group.is_special("lower-limit") and beside:
        unrestricted = False
    path = f"concurrent.sessions.{group.rating}"
    if not restricted or not unrestricted or path not in edition.entries or kind.sessions < edition.number(path):
        return own, ()
    share = restricted / (1 + beside)
    tables, half = whole_tables(edition, min(own + share, own * edition.number("concurrent.most")))
    return tables, (path, "concurrent.most", *half)


def is_split(edition: Edition, kind: ComputedAs, event_limit: float) -> bool:
    """Return whether the tables of a split regional's other site count: in events of some types, or that pay gold."""
    any_colour = edition.text("split.events") == "all"
    gold = kind.sessions >= edition.number("colour.gold.sessions") and event_limit >= edition.number(
        "colour.gold.limit"
    )
    return bool((any_colour or gold) and kind.event_type in edition.words("split.event-types"))


def at_two_sites(edition: Edition, group: Group, first: First) -> First:
    """Return the first award of an event, which may be less where it is held at two sites."""
    return first.times(edition.number("split.all"), "split.all") if group.other_site_tables else first


def split_tables(group: Group, own: Fraction) -> Fraction:
    """Return the tables of both sites of a split regional.

    Raises DeclarationError where it is not declared how many the stratum has at the other site.
    """
    for limit, tables in group.other_site_tables:
        if limit == group.limit or (group.level == 0 and not limit):
            return own + tables
    raise DeclarationError(
        f"other_site_tables has no tables for the stratum up to {number_text(group.limit)}",
        hint="write each stratum's limit, and its tables including all lower strata: open=30, 1000=12",
        code=MISSING,
    )


TOP = "A"
"""The flight whose awards are measured against those of the next."""

FirstOn = Callable[[Fraction, float], First]
"""Returns the first award, overall or of a session, on some tables under a limit."""


def is_top_of_flight_a(group: Group) -> bool:
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
    tables, half = whole_tables(edition, sum((each.tables for each in lower), Fraction(0)))
    return first_on(tables, max(each.limit for each in lower)).also_by(*half).rounded()


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
