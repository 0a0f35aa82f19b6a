"""The General Formula for one event: B x R x S x M x P x T, with what kinds of event change in its factors."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from resultproc.model.game import EventType, Rating
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event, words
from resultproc.rulebooks.acbl_general_formula.factors import (
    b_factor,
    listed,
    m_factor,
    number,
    p_factor,
    r_factor,
    s_factor,
    t_factor,
    text,
    to_hundredths,
)
from resultproc.rulebooks.core import Edition


@dataclass(frozen=True)
class First:
    """A first award before rounding, how it came about, and the paths of the values that went in."""

    award: Fraction
    factors: str
    cited: tuple[str, ...] = field(default=())

    def times(self, factor: Fraction, path: str) -> First:
        """Return the award multiplied by a factor that stands at a path; unchanged by a factor of 1."""
        if factor == 1:
            return self
        return First(self.award * factor, f"{self.factors} x {text(factor)}", (*self.cited, path))

    def rounded(self) -> First:
        """Return the award as it is given, to the hundredth: what other awards are measured against."""
        return First(Fraction(to_hundredths(self.award), 100), self.factors, self.cited)


def barometer_level(event: Event) -> int | None:
    """Return the level of a barometer final that the event is, 1 the top; None for any other event."""
    levels = [int(word.removeprefix("barometer-")) for word in event.words if word in _BAROMETER]
    return levels[0] if levels else None


_BAROMETER = ("barometer-1", "barometer-2", "barometer-3")


def event_of(edition: Edition, claim: Claim) -> Event:
    """Return what a claim says of its event."""
    special = words(claim.special)
    rating = _class_of(edition, claim.rating, special)
    event = Event(rating, claim.event_type, claim.sessions, len(words(claim.restrictions)), special)
    level = barometer_level(event)
    if level:
        sessions = int(edition["barometer.sessions"][level - 1])
        return Event(edition["barometer.rating"], event.event_type, sessions, event.restrictions, special)
    if event.is_special("zip-knockout"):
        return Event(rating, EventType.SWISS.value, edition["zip-knockout.sessions"], event.restrictions, special)
    if event.is_special("side-game-series-overall"):
        return Event(rating, event.event_type, edition["series.sessions"], event.restrictions, special)
    return event


def _class_of(edition: Edition, rating: str, special: frozenset[str]) -> str:
    """Return what R is looked up for: the rating, or a special kind of game that has an R of its own."""
    names = (path.removeprefix(_R) for path in edition.entries if path.startswith(_R))
    kinds = [name for name in names if name not in set(Rating)]
    own = [name for name in kinds if any(word == name or word.startswith(f"{name}-") for word in special)]
    return own[0] if own else rating


_R = "factor.r."


def m_of(edition: Edition, event: Event, limit: float) -> tuple[Fraction, tuple[str, ...]]:
    """Return M for a limit in an event, and the paths of the values that it comes from."""
    level = barometer_level(event)
    if level and level > 1:
        return listed(edition, "barometer.m", level), ("barometer.m",)
    m = m_factor(edition, limit)
    paths = (f"factor.m.{edition['factor.m.reading']}",) if limit < float("inf") else ()
    most = number(edition, "non-championship.m")
    exempt = event.is_special(*edition["non-championship.exempt"])
    if event.is_special(*edition["non-championship.kinds"]) and not exempt and m > most:
        return most, ("non-championship.m",)
    return m, paths


def product(edition: Edition, event: Event, tables: Fraction, limit: float, session: str = "") -> First:
    """Return B x R x S x M x P x T on some tables under a limit: the first overall award.

    session: the path of the part of it, without S, that is the first award of a session.
    Raises DeclarationError where the formula has no factor for what is declared.
    """
    m, m_paths = m_of(edition, event, limit)
    straight = tables <= number(edition, "factor.b.straight-until")
    parts = [
        ("B", b_factor(edition, tables), ("factor.b.divisor" if straight else "factor.b.log-divisor",)),
        ("R", r_factor(edition, event.r), (f"{_R}{event.r}",)),
        ("M", m, m_paths),
        ("P", p_factor(edition, event.restrictions), ("factor.p",) if event.restrictions else ()),
        ("T", t_factor(edition, event.event_type), (f"factor.t.{event.event_type}",)),
    ]
    if session:
        parts.insert(0, ("", number(edition, session), (session,)))
    else:
        parts.insert(2, ("S", s_factor(edition, event.sessions), ("factor.s",)))
    award = Fraction(1)
    for _, factor, _ in parts:
        award *= factor
    shown = [
        f"{name} {text(factor)}".strip() + (f" ({text(tables, 2)} tables)" if name == "B" else "")
        for name, factor, _ in parts
        if name in {"B", ""} or factor != 1
    ]
    cited = tuple(path for _, _, paths in parts for path in paths)
    return First(award, " x ".join(shown), cited)


def least_award(edition: Edition, event: Event, limit: float) -> Fraction:
    """Return the least award that is given past the places of the table."""
    m, _ = m_of(edition, event, limit)
    rmp = r_factor(edition, event.r) * m * p_factor(edition, event.restrictions)
    return max(number(edition, "depth.floor") * rmp, number(edition, "depth.least-award"))


def stratum_limit(claim: Claim) -> float:
    """Return the upper limit that a stratum's M goes by: its own, never above its event's."""
    return min(claim.limit, claim.event_limit)
