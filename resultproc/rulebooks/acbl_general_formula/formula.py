"""The General Formula for one event: B x R x S x M x P x T, and how many places pay.

An event may be computed as one of another kind; championships may have first awards of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, isinf

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, words_in
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.game import PER_TABLE, EventType, league, number_text
from resultproc.model.group import Group, TablesUpTo
from resultproc.model.keys import how_to_declare
from resultproc.rulebooks.common.awards import (
    Factor,
    First,
    b_factor,
    barometer_level,
    m_of,
    missing_key,
    p_factor,
    product,
    r_factor,
    s_factor,
    t_factor,
)
from resultproc.rulebooks.common.conditions import (
    Championship,
    championship_first,
    championship_of,
    minimum_of,
    restrictions_of,
)
from resultproc.rulebooks.common.exact import factor_text, half_up, listed_value, reached
from resultproc.rulebooks.core import Edition, cached_per_edition

TABLES = "tables"
"""What B is looked up for, as it is shown."""


def first_overall(edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float) -> First:
    """Return B x R x S x M x P x T on some tables under a limit.

    Raises DeclarationError where the formula has no factor for what is declared.
    """
    b, r, *rest = _factors(edition, group, kind, tables, limit, TABLES)
    return product([b, r, s_factor(edition, kind.sessions), *rest])


def first_in_session(
    edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float, part: str, counted: str = TABLES
) -> First:
    """Return the first award of a session: a part, at a path, of B x R x M x P x T.

    counted: what stands for the tables, as it is shown.
    Raises DeclarationError where the formula has no factor for what is declared.
    """
    of_formula = Factor("", edition.number(part), (part,), always=True)
    return product([of_formula, *_factors(edition, group, kind, tables, limit, counted)])


def _factors(
    edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float, counted: str
) -> list[Factor]:
    r = r_factor(edition, kind.r)
    return [
        b_factor(edition, tables, f"{factor_text(tables, 2)} {counted}"),
        r._replace(cited=(*r.cited, *kind.r_by)),
        m_of(edition, group.special, limit),
        p_factor(edition, len(restrictions_of(edition, group))),
        t_factor(edition, kind.event_type),
    ]


def least_award(edition: Edition, group: Group, kind: ComputedAs) -> Fraction:
    """Return the least award that is given past the places of the table."""
    rmp = product(
        [
            r_factor(edition, kind.r),
            m_of(edition, group.special, group.limit),
            p_factor(edition, len(restrictions_of(edition, group))),
        ]
    )
    return max(edition.number("depth.floor") * rmp.award, edition.number("depth.least-award"))


_NAP_WORDS = "nap.words"
"""The path of the special words whose games have R of qualifying ones, and nothing else of them."""


@dataclass(frozen=True)
class ComputedAs:
    """What an event is computed as."""

    r: str  # the class of game that R is looked up for
    event_type: str  # the one that T and the places go by
    sessions: int  # those that S and the scale of lower places go by
    r_by: tuple[str, ...] = ()  # the paths of the values that say which class it is, without that of its name


def computed_as(edition: Edition, group: Group) -> ComputedAs:
    """Return what the event of a group is computed as: what it is declared to be, unless its kind changes that."""
    level = barometer_level(group.special)
    if level:
        sessions = int(edition.numbers("barometer.sessions")[level - 1])
        return ComputedAs(edition.text("barometer.rating"), group.event_type, sessions)
    r = group.rating
    if _NAP_WORDS in edition.entries and not group.special.isdisjoint(edition.words(_NAP_WORDS)):
        r = NAP
    else:  # some special kinds of game have an R of their own
        kinds = (name for name in _kinds(edition) if any(f"{word}-".startswith(f"{name}-") for word in group.special))
        r = next(kinds, r)
    r_by = (_NAP_WORDS,) if r == NAP != group.rating else ()
    if group.is_special("zip-knockout"):
        return ComputedAs(r, EventType.SWISS.value, edition.whole("zip-knockout.sessions"))
    if is_series(group):
        return ComputedAs(r, group.event_type, edition.whole("side-games.sessions"))
    return ComputedAs(r, group.event_type, group.sessions, r_by)


def is_series(group: Group) -> bool:
    """Return whether the event is a whole series of side games."""
    return group.is_special("side-game-series-overall")


@cached_per_edition
def _kinds(edition: Edition) -> list[str]:
    """Return the special kinds of game that have an R of their own, except for the class of those that qualify.

    That class stands for the rating of the games; see :func:`with_class`.
    """
    return [name for name in edition.below("factor.r.") if name not in {*league().names, NAP}]


NAP, _CLUB, UNIT = "nap", "nap-club", "nap-unit"
"""The class that qualifying games have R of, and the special words of those of clubs and of units."""

SPECIAL_WORDS = (_CLUB, UNIT)

_RATINGS = "nap.ratings"
"""The path of the ratings that such games have; without it there are none."""


def with_class(edition: Edition, games: pd.DataFrame) -> pd.DataFrame:
    """Return games, or groups of games, with the class that their awards go by as rating: their own, or qualifying."""
    qualifying = are_qualifying(edition, games)
    return games.assign(rating=games["rating"].astype("str").mask(qualifying, NAP)) if qualifying.any() else games


def are_qualifying(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return which games qualify for the North American Pairs, and have the R and the colours of those that do."""
    if _RATINGS not in edition.entries:
        return np.zeros(len(games), dtype=np.bool_)
    of_rating = games["rating"].isin(list(edition.words(_RATINGS))).to_numpy(dtype=np.bool_)
    return np.asarray(of_rating & words_in(games["special"], *SPECIAL_WORDS), dtype=np.bool_)


_CLASSES = {EventType.INDIVIDUAL: "individual", EventType.BAM: "teams", EventType.SWISS: "teams"}


def depth_class(event_type: str) -> str:
    """Return what an event type's contestants are: pairs, teams or individual."""
    return _CLASSES.get(EventType(event_type), "pairs")


def _table_of(edition: Edition, event_type: str) -> str:
    """Return whose table of places an event type has: pairs, teams or individual."""
    as_teams = event_type == EventType.TEAM_OF_TWO and edition.text("depth.team-of-two") == "board-a-match"
    return "teams" if as_teams else depth_class(event_type)


@cached_per_edition
def tabled_depth(edition: Edition, event_type: str, tables: int | Fraction) -> int:
    """Return the places that the table of places gives for a number of tables; none below its first line."""
    _, places = reached(edition.rows(f"depth.{_table_of(edition, event_type)}"), tables) or (0, Fraction(0))
    return int(places)


def overall_depth(
    edition: Edition,
    event_type: str,
    sessions: int,
    tables: int | Fraction,
    seated: int | Fraction,
    contestants: int,
    worthy: int,
) -> int:
    """Return how many places pay overall.

    tables: what the table of places is looked up with, those of lower flights included.
    seated: the tables that the contestants themselves sit at.
    contestants: those actually ranked.
    worthy: how many places have the least award that is given past the table's places.

    Above the last line of the table more places pay, as far as their award reaches the floor: at least and at most a
    percentage of the contestants, and never more than the absolute limit; but the table's own places always pay.
    """
    kind = _table_of(edition, event_type)
    base = tabled_depth(edition, event_type, tables)
    if tables <= edition.rows(f"depth.{kind}")[-1][0]:
        return min(base, contestants)
    least = ceil(edition.number(f"depth.least.{kind}") * contestants)
    limit = edition.numbers("depth.limit")
    part = edition.number("depth.most")
    in_seats = edition.text("depth.most-reading") == "seats"
    by_part = half_up(part * seated * PER_TABLE[event_type]) if in_seats else floor(part * contestants)
    most = min(by_part, int(listed_value(limit, sessions)))
    return min(max(base, min(max(worthy, least), most)), contestants)


def overall_depth_paths(edition: Edition, event_type: str, tables: int | Fraction) -> tuple[str, ...]:
    """Return the paths of the values that the number of places on these tables comes from."""
    kind = _table_of(edition, event_type)
    if tables <= edition.rows(f"depth.{kind}")[-1][0]:
        return (f"depth.{kind}",)
    share = ("depth.most", *edition.inferred("depth.most-reading"))
    least = ("depth.floor", "depth.floor-reading") if edition.number("depth.floor") else ("depth.floor",)
    return (f"depth.{kind}", "depth.least-award", *least, f"depth.least.{kind}", *share, "depth.limit")


def session_depth(edition: Edition, size: int) -> int:
    """Return how many places pay in a session."""
    return half_up(edition.number("session.depth") * size)


def check_championship(group: Group, championship: Championship) -> None:
    """Raise DeclarationError where a game's keys contradict the championship that it is declared to be."""
    name = group.championship
    if championship.event_type == EventType.KNOCKOUT:
        what = f"{name} is a knockout, which the General Formula does not cover"
        raise DeclarationError(what, hint=how_to_declare("event_type", EventType.KNOCKOUT))
    said_and_right: list[tuple[str, str | int, str | int]] = [
        ("event_type", group.event_type, championship.event_type),
        ("sessions", group.sessions, championship.sessions),
        ("rating", group.rating, "" if championship.by_formula else championship.rating),
    ]
    for key, said, right in said_and_right:
        if right and said != right:
            what = f"{key} is '{said}', but {name} has '{right}'"
            raise DeclarationError(what, hint=f"correct {key} or championship")


def is_wbf(edition: Edition, group: Group) -> bool:
    """Return whether this is a WBF event: those have no session awards."""
    championship = championship_of(edition, group.championship)
    return championship is not None and bool(championship.closest)


def championship_award(edition: Edition, group: Group, championship: Championship, formula: First) -> First:
    """Return the first award of a championship: a fixed one, or the formula's up to a maximum.

    Where the event needs a number of tables, or of teams, only a part is given below it.
    """
    first = championship_first(championship, formula)
    if not minimum_of(edition, championship):
        return first
    path = f"championship-minimum.{depth_class(group.event_type)}"
    part = next(part for least, part in edition.rows(path) if group.event_tables >= least)
    return first.times(Fraction(part), path)


def whole_tables(edition: Edition, tables: Fraction) -> tuple[Fraction, tuple[str, ...]]:
    """Return tables with one that is not full counted as a whole one, and the path of the value that says so."""
    full = floor(tables)
    if tables == full:
        return tables, ()
    return full + edition.number(_HALF_TABLE), (_HALF_TABLE,)


_HALF_TABLE = "overall.half-table"


def lower_tables(group: Group) -> tuple[TablesUpTo, ...]:
    """Return the tables below the event by upper limit: those of lower flights, brackets, barometer levels.

    Raises DeclarationError for an event that depends on them and does not declare them.
    """
    if group.lower_tables is not None:
        return group.lower_tables
    if group.flight:
        why, example = f"flight {group.flight} is credited with lower flights", "1500=15, 500=9, or none"
        raise missing_key("lower_tables", why, example)
    if group.bracket:
        raise missing_key("lower_tables", f"bracket {group.bracket} is credited with lower brackets", "36")
    if barometer_level(group.special) == 1:
        raise missing_key("lower_tables", "the top level of a barometer counts all tables entered", "26")
    return ()


def tables_up_to_flight(edition: Edition, group: Group) -> Fraction:
    """Return the tables of a flight and of those below it."""
    below = sum((each.tables for each in lower_tables(group)), Fraction(0))
    tables, _ = whole_tables(edition, group.event_tables + below)
    return tables


def tables_of_flights(edition: Edition, group: Group) -> Fraction:
    """Return the tables of the event that a flight is of, all its flights together.

    Raises DeclarationError where it is not declared how many there are above the flight, and that may decide.
    """
    known = tables_up_to_flight(edition, group)
    if group.flighted_tables or group.flight == TOP or known >= edition.number("flighted.most-from"):
        return max(known, whole_tables(edition, group.flighted_tables)[0])
    why = f"how many places flight {group.flight} pays depends on the tables of all flights"
    raise missing_key("flighted_tables", why, "20")


def tables_of_stratum(edition: Edition, group: Group) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables that a stratum's contestants fill, and the path of how a half one counts where that is open."""
    path, whole = f"stratum.halves.{group.rating}", Fraction(group.stratum_tables)
    if not group.unfilled:
        return whole, ()
    path = path if path in edition.entries else "stratum.halves.others"
    return whole - (group.unfilled if edition.text(path) == "as they are" else 0), (path,)


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
    own, half = tables_of_stratum(edition, group)
    paths = (*paths, *half)
    below = sum((each.tables for each in lower_tables(group)), Fraction(0))
    if group.bracket:  # some of the tables of lower ones count in full, and of the others a part
        full = min(below, listed_value(edition.numbers("bracketed.full"), group.bracket))
        rest = (below - full) / edition.number("bracketed.rest")
        return own + full + rest, (*paths, "bracketed.full", "bracketed.rest")
    if barometer_level(group.special) == 1:
        paths = (*paths, "barometer.sessions")
    elif not group.flight:
        return own, paths
    tables, half = whole_tables(edition, own + below)
    return tables, (*paths, *half)


def with_concurrent(
    edition: Edition, group: Group, kind: ComputedAs, own: Fraction
) -> tuple[Fraction, tuple[str, ...]]:
    """Return the tables for an overall award: those of restricted events played at the same time are credited.

    They count for an event that is not restricted in any way, up to a multiple of its own; several such events share
    them. An event with a lower limit alone counts as one where no open event runs beside it.

    own: the event's own tables.
    """
    restricted = sum((each.tables for each in group.concurrent_tables if not isinf(each.limit)), Fraction(0))
    beside = sum(1 for each in group.concurrent_tables if isinf(each.limit))
    unrestricted = group.level == 0 and isinf(group.limit) and not restrictions_of(edition, group)
    if group.is_special("lower-limit") and beside:
        unrestricted = False
    path = f"concurrent.sessions.{group.rating}"
    if not restricted or not unrestricted or path not in edition.entries or kind.sessions < edition.number(path):
        return own, ()
    share = restricted / (1 + beside)
    most = own * edition.number("concurrent.most")
    limited = edition.text(_MOST_READING) == "times its own"
    tables, half = whole_tables(edition, min(own + share, most) if limited else own + share)
    decided = (_MOST_READING,) if own + share > most else edition.inferred(_MOST_READING)
    return tables, (path, *(("concurrent.most",) * limited), *decided, *half)


_MOST_READING = "concurrent.most-reading"
"""The path of whether an event is credited with so many times its own tables at most."""


def is_split(edition: Edition, kind: ComputedAs, event_limit: float) -> bool:
    """Return whether the tables of a split regional's other site count: in events of some types, or that pay gold."""
    any_colour = edition.text("split.events") == "all"
    sessions, limit = edition.number("colour.gold.sessions"), edition.number("colour.gold.limit")
    gold = kind.sessions >= sessions and event_limit >= limit
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
    what = f"other_site_tables has no tables for the stratum up to {number_text(group.limit)}"
    hint = "write each stratum's limit, and its tables including all lower strata: open=30, 1000=12"
    raise DeclarationError(what, hint=hint, code=MISSING)


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
        what = "lower_tables has no upper limits, and flight A depends on the award of flight B"
        hint = "declare lower_tables with each flight's upper limit, such as 1500=15, 500=9"
        raise DeclarationError(what, hint=hint, code=MISSING)
    tables, half = whole_tables(edition, sum((each.tables for each in lower), Fraction(0)))
    return first_on(tables, max(each.limit for each in lower)).also_by(*half).rounded()


def flight_a(edition: Edition, group: Group, first: First, first_on: FirstOn) -> First:
    """Return the first overall award of flight A, by its own tables, or a percentage above that of flight B."""
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
        what = f"stratum X up to {number_text(group.limit)} is too close to flight B up to {number_text(limit_b)}"
        raise DeclarationError(what, hint=f"the limit of stratum X must be at least {apart} above that of flight B")
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
