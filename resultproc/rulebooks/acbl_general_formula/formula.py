"""The General Formula for one event: B x R x S x M x P x T, and how many places pay.

An event may be computed as one of another kind; championships may have first awards of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, words_in
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.game import PER_TABLE, EventType, Rating
from resultproc.model.group import Group
from resultproc.rulebooks.common.declared import Championship, championship_of, followed_championship, minimum_of
from resultproc.rulebooks.common.exact import factor_text, half_up
from resultproc.rulebooks.common.factors import (
    Factor,
    First,
    b_factor,
    barometer_level,
    m_of,
    p_factor,
    product,
    r_classes,
    r_factor,
    s_factor,
    t_factor,
)
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
        p_factor(edition, len(group.restrictions)),
        t_factor(edition, kind.event_type),
    ]


def least_award(edition: Edition, group: Group, kind: ComputedAs) -> Fraction:
    """Return the least award that is given past the places of the table."""
    rmp = product(
        [
            r_factor(edition, kind.r),
            m_of(edition, group.special, group.limit),
            p_factor(edition, len(group.restrictions)),
        ]
    )
    return max(edition.number("depth.floor") * rmp.award, edition.number("depth.least-award"))


_NAP_WORDS = "nap.words"
"""The path of the special words whose games have R of qualifying ones, and nothing else of them."""


@dataclass(frozen=True)
class ComputedAs:
    """What an event is computed as.

    r: the class of game that R is looked up for.
    event_type: the one that T and the places go by.
    sessions: those that S and the scale of lower places go by.
    r_by: the paths of the values that say which class it is, but for its name.
    """

    r: str
    event_type: str
    sessions: int
    r_by: tuple[str, ...] = ()


def computed_as(edition: Edition, group: Group) -> ComputedAs:
    """Return what the event of a group is computed as: what it is declared to be, unless its kind changes that."""
    level = barometer_level(group.special)
    if level:
        return ComputedAs(
            edition.text("barometer.rating"), group.event_type, int(edition.numbers("barometer.sessions")[level - 1])
        )
    r = _class_of(edition, group)
    r_by = (_NAP_WORDS,) if r == NAP != group.rating else ()
    if group.is_special("zip-knockout"):
        return ComputedAs(r, EventType.SWISS.value, edition.whole("zip-knockout.sessions"))
    if is_series(group):
        return ComputedAs(r, group.event_type, edition.whole("side-games.sessions"))
    return ComputedAs(r, group.event_type, group.sessions, r_by)


def is_series(group: Group) -> bool:
    """Return whether the event is a whole series of side games."""
    return group.is_special("side-game-series-overall")


def _class_of(edition: Edition, group: Group) -> str:
    """Return what R is looked up for: the rating, or a special kind of game that has an R of its own."""
    if _NAP_WORDS in edition.entries and not group.special.isdisjoint(edition.words(_NAP_WORDS)):
        return NAP
    for name in _kinds(edition):
        if any(word == name or word.startswith(f"{name}-") for word in group.special):
            return name
    return group.rating


@cached_per_edition
def _kinds(edition: Edition) -> list[str]:
    """Return the special kinds of game that have an R of their own, but for the class of those that qualify.

    That class stands for the rating of the games; see :func:`with_class`.
    """
    return [name for name in r_classes(edition) if name not in {*Rating, NAP}]


def missing_key(key: str, why: str, example: str) -> DeclarationError:
    """Return the error of an event that does not declare a key, and why it must."""
    what, hint = f"{key} is not declared, and {why}", f"declare {key}, such as {example}"
    return DeclarationError(what, hint=hint, code=MISSING, key=key)


NAP, _CLUB, UNIT = "nap", "nap-club", "nap-unit"
"""The class that qualifying games have R of, and the special words of those of clubs and of units."""

WORDS = (_CLUB, UNIT)

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
    return np.asarray(of_rating & words_in(games["special"], *WORDS), dtype=np.bool_)


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

    tables: what the table of places is looked up with, those of lower flights included.
    seated: the tables that the contestants themselves sit at.
    contestants: those actually ranked.
    floor_award: the least award that is given past the table's places, in masterpoints.
    awards: by place in hundredths, as many as could pay.

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
    """Return the paths of the values that the number of places on these tables comes from."""
    kind = _table_of(edition, event_type)
    if tables <= edition.rows(f"depth.{kind}")[-1][0]:
        return (f"depth.{kind}",)
    share = ("depth.most", *edition.inferred("depth.most-reading"))
    return (f"depth.{kind}", "depth.least-award", "depth.floor", f"depth.least.{kind}", *share, "depth.limit")


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


def check_championship(group: Group, championship: Championship) -> None:
    """Raise DeclarationError where a game's keys contradict the championship that it is declared to be."""
    name = group.championship
    if championship.event_type == EventType.KNOCKOUT:
        raise DeclarationError(
            f"{name} is a knockout, which the General Formula does not cover", hint="declare event_type knockout"
        )
    said_and_right: list[tuple[str, str | int, str | int]] = [
        ("event_type", group.event_type, championship.event_type),
        ("sessions", group.sessions, championship.sessions),
        ("rating", group.rating, "" if championship.by_formula else championship.rating),
    ]
    for key, said, right in said_and_right:
        if right and said != right:
            raise DeclarationError(
                f"{key} is '{said}', but {name} has '{right}'", hint=f"correct {key} or championship"
            )


def scale_sessions(edition: Edition, group: Group, championship: Championship) -> int:
    """Return the sessions that the lower places go by: a WBF event's are those of the NABC event closest to it."""
    return followed_championship(edition, championship).sessions or group.sessions


def is_wbf(edition: Edition, group: Group) -> bool:
    """Return whether this is a WBF event: those have no session awards."""
    championship = championship_of(edition, group.championship)
    return championship is not None and bool(championship.closest)


def championship_award(edition: Edition, group: Group, championship: Championship, formula: First) -> First:
    """Return the first award of a championship: a fixed one, or the formula's up to a maximum.

    Where the event needs a number of tables, or of teams, only a part is given below it.
    """
    first = _fixed(championship, formula)
    if not minimum_of(edition, championship):
        return first
    path = f"championship-minimum.{depth_class(group.event_type)}"
    part = next(part for least, part in edition.rows(path) if group.event_tables >= least)
    return first.times(Fraction(part), path)


def _fixed(championship: Championship, formula: First) -> First:
    if championship.first is not None:
        return First(championship.first, f"fixed at {factor_text(championship.first)}", (championship.path,))
    if championship.most is not None and formula.award > championship.most:
        shown = f"{formula.factors}, at most {factor_text(championship.most)}"
        return First(championship.most, shown, (championship.path,))
    return formula
