"""How many places pay."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from resultproc.model.arrays import Ints
from resultproc.model.errors import RulebookError
from resultproc.model.game import PER_TABLE, EventType
from resultproc.rulebooks.common.exact import half_up
from resultproc.rulebooks.core import Edition, cached_per_edition

_CLASSES = {EventType.INDIVIDUAL: "individual", EventType.BAM: "teams", EventType.SWISS: "teams"}


def depth_class(event_type: str) -> str:
    """Return what an event type's contestants are: pairs, teams or individual."""
    return _CLASSES.get(EventType(event_type), "pairs")


def _table_of(edition: Edition, event_type: str) -> str:
    """Return whose table of places an event type has: pairs, teams or individual."""
    as_teams = event_type == EventType.TEAM_OF_TWO and edition.text("depth.team-of-two") == "board-a-match"
    return "teams" if as_teams else depth_class(event_type)


def tabled_depth(edition: Edition, event_type: str, tables: int | Fraction) -> int:
    """Return the places that the table of places gives for a number of tables; none below its first line."""
    lines = edition.rows(f"depth.{_table_of(edition, event_type)}")
    return max((int(count) for least, count in lines if tables >= least), default=0)


def overall_depth(
    edition: Edition,
    event_type: str,
    sessions: int,
    tables: int | Fraction,
    seated: int | Fraction,
    contestants: int,
    floor_award: Fraction,
    awards: Ints,
) -> int:
    """Return how many places pay overall.

    tables: what the table of places is looked up with, those of lower flights included. seated: the tables that the
    contestants themselves sit at. contestants: those actually ranked. floor_award: the least award that is given past
    the table's places, in masterpoints. awards: by place in hundredths, as many as could pay.
    Above the last line of the table more places pay, as far as their award reaches the floor: at least and at most a
    percentage of the contestants, and never more than the absolute limit; but the table's own places always pay.
    """
    kind = _table_of(edition, event_type)
    base = tabled_depth(edition, event_type, tables)
    if tables <= edition.rows(f"depth.{kind}")[-1][0]:
        return min(base, contestants)
    least = ceil(edition.number(f"depth.least.{kind}") * contestants)
    limit = edition.numbers("depth.limit")
    most = min(_most(edition, event_type, seated, contestants), int(limit[min(sessions, len(limit)) - 1]))
    enough = ceil(100 * floor_award)
    worthy = int((awards >= enough).sum())
    return min(max(base, min(max(worthy, least), most)), contestants)


def overall_depth_paths(edition: Edition, event_type: str, tables: int | Fraction) -> tuple[str, ...]:
    """Return the paths of the values that the number of places on so many tables comes from."""
    kind = _table_of(edition, event_type)
    if tables <= edition.rows(f"depth.{kind}")[-1][0]:
        return (f"depth.{kind}",)
    return (f"depth.{kind}", "depth.least-award", "depth.floor", f"depth.least.{kind}", "depth.most", "depth.limit")


def _most(edition: Edition, event_type: str, seated: int | Fraction, contestants: int) -> int:
    reading = edition.text("depth.most-reading")
    if reading == "whole contestants":
        return floor(edition.number("depth.most") * contestants)
    if reading == "seats":
        return half_up(edition.number("depth.most") * seated * PER_TABLE[event_type])
    raise RulebookError(f"unknown value '{reading}' of depth.most-reading", hint="write whole contestants or seats")


@cached_per_edition
def session_depth(edition: Edition, size: int) -> int:
    """Return how many places pay in a session."""
    return half_up(edition.number("session.depth") * size)
