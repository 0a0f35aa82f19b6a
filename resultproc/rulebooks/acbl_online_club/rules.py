"""Virtual club games: club masterpoint games played online. The figures stand in ``online.toml``.

They pay like club games face to face, with a maximum of their own, factors for limited and for special games, and
credit for the tables of limited games that the club runs at the same time.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.errors import DeclarationError, RulebookError, closest
from resultproc.model.frames import COLOURS
from resultproc.model.game import EventType, Rating, number_text, parse_tables_by_limit
from resultproc.rulebooks.acbl_club.rules import RULEBOOK as CLUB
from resultproc.rulebooks.acbl_club.rules import ClubRules, First, section_places
from resultproc.rulebooks.common.exact import product, rounded, steps
from resultproc.rulebooks.core import Edition, Ladder, load_built_in
from resultproc.rulebooks.members import Members

_KINDS, _COLOURS = "special.factor.", "colour."

_NORMAL = "normal"

_OTHER_WORDS = ("handicap",)
"""What ``special`` may name besides the kind of special game."""


class Claim(NamedTuple):
    """What the ladder of an online game depends on.

    special: the game key, '' for none. credit: what concurrent games add to the size. The others are those of any
    club game, see :class:`resultproc.rulebooks.acbl_club.rules.Claim`.
    """

    overall: bool
    rating: str
    limit: float
    size: int
    ranked: int
    event_type: str
    sessions: int
    special: str
    credit: int


class OnlineClubRules(ClubRules):
    """The awards of virtual club games. Each ``claim`` is a :class:`Claim`."""

    classes = (Rating.CLUB_ONLINE,)
    kinds = (EventType.PAIRS,)

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on; see :class:`Claim`."""
        return (
            super()
            .claims(edition, groups, members)
            .assign(
                rating=groups["rating"],
                special=groups["special"].astype("str").fillna(""),
                credit=concurrent_credit(groups, open_games(edition, groups)),
            )
        )

    def ladder(self, edition: Edition, claim: Any, reach: int) -> Ladder:
        """Return the awards of one section or overall group.

        Raises RulebookError for a game that is not of pairs, DeclarationError for a special game that is not known.
        """
        kind = _kind(edition, claim.special)
        if claim.overall and kind in edition.get("overall.none-in", ()):
            return Ladder((), 0, edition.cite("overall.none-in"), f"{kind} games have no overall awards then")
        return super().ladder(edition, claim, reach)

    def first(self, edition: Edition, claim: Any) -> First:
        """Return the first award of a group: that of an open game, capped, times the factors for limit and kind."""
        rate, cap = "section.rate.club-online", f"{'overall' if claim.overall else 'section'}.cap.club-online"
        full = product(edition.number(rate), Decimal(claim.size + claim.credit))
        size = f"({claim.size} + {claim.credit} of concurrent games)" if claim.credit else claim.size
        factors, cited = f"{edition[rate]} x {size} = {full}", [rate, *["concurrent.strata"] * (claim.credit > 0)]
        first = min(full, edition.number(cap))
        if full > first:
            factors += f", capped at {first}"
            cited.append(cap)
        if not np.isinf(claim.limit):
            limited = _limited(edition, claim.limit)
            first = product(first, limited)
            factors += f", x {limited} for the limit {number_text(claim.limit)}"
            cited.append("limited.factor")
        kind = _kind(edition, claim.special)
        for path, why in ((_KINDS + kind, f" for {kind}"), ("bonus.factor", "")):
            if edition[path] != 1:
                first = product(first, edition.number(path))
                factors += f", x {edition[path]}{why}"
                cited.append(path)
        return First(rounded(first), factors, cited)

    def places(self, edition: Edition, claim: Any, first: Decimal, count: int) -> tuple[str, list[Decimal]]:
        """Return what so many places pay, unrounded: overall ones as the edition says, all others as in a section."""
        if claim.overall and edition["overall.scale"] == "steps":
            return super().places(edition, claim, first, count)
        path, awards = section_places(edition, first, count)
        return "overall.scale" if claim.overall else path, awards

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour: black, unless the special game has a colour of its own."""
        special = games["special"].astype("str").fillna("").iloc[winners["game"]]
        masterpoints = winners["masterpoints"].to_numpy()
        colour = np.full(len(winners), edition[_COLOURS + _NORMAL], dtype=object)
        for path in edition.entries:
            if path.startswith(_COLOURS) and path != _COLOURS + _NORMAL:
                word = re.escape(path.removeprefix(_COLOURS))
                colour[special.str.contains(rf"(?:^|, ){word}(?:,|$)").to_numpy()] = edition[path]
        return pd.DataFrame({name: np.where(colour == name, masterpoints, 0) for name in COLOURS})


def open_games(edition: Edition, groups: pd.DataFrame) -> pd.Series[bool]:
    """Return which groups concurrent games are credited in.

    They are where all of an open game is compared: overall, or in its only section.
    """
    overall = groups["basis"].astype("str").str.endswith("overall")
    whole = overall | ~groups["game"].isin(groups.loc[overall, "game"])
    credited: pd.Series[bool] = whole & np.isinf(groups["event_limit"])
    if edition["concurrent.strata"] == "top":
        credited &= groups["level"] == 0
    return credited


def concurrent_credit(groups: pd.DataFrame, credited: pd.Series[bool]) -> npt.NDArray[np.int64]:
    """Return what concurrent games within the limits of some groups add to their size, in contestants."""
    # Each distinct declaration is taken apart once.
    declared = groups["concurrent_tables"].astype("str").fillna("none").where(credited, "none")
    keys = pd.DataFrame({"declared": declared, "limit": groups["limit"], "winners": groups["winners"]})
    number = keys.groupby(list(keys.columns), sort=False).ngroup()
    distinct = keys.drop_duplicates()
    credits = map(_credit_of, distinct["declared"], distinct["limit"], distinct["winners"])
    return np.array(list(credits), dtype=np.int64)[number]


def _credit_of(declared: str, limit: float, winners: int) -> int:
    """Return the contestants that limited games up to a limit would add to a group: halves are whole in a Mitchell."""
    limited = [tables for upper, tables in parse_tables_by_limit(declared) if upper <= limit and not np.isinf(upper)]
    return sum(ceil(tables) if winners == 2 else int(2 * tables) for tables in limited)


def _limited(edition: Edition, limit: float) -> Decimal:
    factor = steps(edition["limited.factor"], limit)
    if factor is None:
        raise RulebookError(f"limited.factor has no step for the limit {number_text(limit)}")
    return factor


def _kind(edition: Edition, special: str) -> str:
    """Return the kind of special game that a game declares, or ``normal``."""
    known = [path.removeprefix(_KINDS) for path in edition.entries if path.startswith(_KINDS)]
    words = [word for word in special.split(", ") if word and word not in _OTHER_WORDS]
    for word in words:
        if word not in known:
            raise DeclarationError(
                f"special: '{word}' is no special online game of that day", hint=closest(word, [*known, *_OTHER_WORDS])
            )
    if len(words) > 1:
        raise DeclarationError(f"special: a game is not {' and '.join(words)} at once", hint="declare one of them")
    return words[0] if words else _NORMAL


_OF_CLUBS = (
    "section.percentages",
    "section.depth",
    "overall.field",
    "overall.step",
    "overall.places",
    "stratum.minimum",
    "ties.beyond-depth",
    "bonus.factor",
    "handicap.added",
    "series.games",
    "series.points",
    "series.rate",
    "series.tied-winners",
    "series.step",
    "series.places",
)
"""What online games have in common with club games face to face."""


_BASE = replace(CLUB, entries={path: CLUB.entries[path] for path in _OF_CLUBS})

RULEBOOK = load_built_in("acbl_online_club/online.toml", OnlineClubRules(), _BASE)
