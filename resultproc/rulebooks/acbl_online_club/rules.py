"""Virtual club games: club masterpoint games played online. The figures are in ``online.toml``.

They pay like club games face to face, with a maximum of their own, factors for limited and for special games, and
credit for the tables of limited games that the club runs at the same time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from math import isinf

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, words_in
from resultproc.model.errors import DeclarationError, closest
from resultproc.model.frames import COLOURS, FrameRow
from resultproc.model.game import EventType, Movement, number_text
from resultproc.model.group import Group, Ladder, Members, declared_words
from resultproc.rulebooks.acbl_club.rules import ClubRules, section_places
from resultproc.rulebooks.common.awards import First
from resultproc.rulebooks.common.conditions import by_boards, credited, stepped
from resultproc.rulebooks.common.exact import decimal, factor_text
from resultproc.rulebooks.core import Edition

_KINDS, _LIMITED, _COLOURS = "special.factor.", "limited.special.", "colour."

_LEAST, _LEAST_MOST = "special.least", "special.least-most"
"""The paths of what games of every kind pay on some days, as a multiple of normal ones, and of the most of it."""

_HALF_TABLE = "section.half-table"
"""The path of how the half table of a Mitchell counts."""

_NORMAL = "normal"

_OTHER_WORDS = ("handicap",)
"""What ``special`` may name besides the kind of special game."""


class OnlineClubRules(ClubRules):
    """The awards of virtual club games."""

    classes = ("club-online",)
    own_classes = ()
    kinds = (EventType.PAIRS,)
    fields = (*ClubRules.fields, "unfilled")

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as clubs count them, with the half tables that count as whole ones in the top stratum."""
        counted = (groups["level"] == 0) & (groups["winners"] == 2)
        whole = super().measured(edition, groups, members)
        return whole.assign(unfilled=(whole["size"] - groups["tables"]).where(counted, 0.0).clip(lower=0.0))

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the awards of one section or overall group.

        Raises RulebookError for a game that is not of pairs, DeclarationError for a special game that is not known.
        """
        kind, path = _kind(edition, group.special), "overall.none-in"
        if group.basis.over_all and path in edition.entries and kind in edition.words(path):
            return Ladder((), 0, edition.values(path), f"{kind} games have no overall awards then")
        return super().ladder(edition, group, reach)

    def first(self, edition: Edition, group: Group) -> First:
        """Return the first award of a group: that of an open game, capped, times the factors for limit and kind.

        On some days every game pays a multiple at least, whatever its kind, with a maximum of its own.
        """
        rate, cap = "section.rate.club-online", f"{group.basis.kind}.cap.club-online"
        own = group.size - (group.unfilled if edition.text(_HALF_TABLE) == "as they are" else 0)
        full, shown = edition.number(rate) * (own + group.credit), factor_text(own)
        size = f"({shown} + {group.credit} of concurrent games)" if group.credit else shown
        cited = (
            rate,
            *((_HALF_TABLE,) * bool(group.unfilled)),
            *(("overall.field",) * group.basis.over_all),
            *(credited(edition) if group.credit else ()),
        )
        uncapped = First(full, f"{decimal(edition.number(rate))} x {size} = {decimal(full)}", cited)
        most, kind = edition.number(cap), _kind(edition, group.special)
        first = _by_limit(edition, group, kind, uncapped.at_most(most, cap)).by(edition, _KINDS + kind, f" for {kind}")
        first = _at_least(edition, _by_limit(edition, group, kind, uncapped), first, kind).by(edition, "bonus.factor")
        if kind != _NORMAL:
            first = first.also_by(_KINDS + kind)
        colour = _COLOURS + (kind if _COLOURS + kind in edition.entries else _NORMAL)
        first = first.also_by(*edition.inferred(colour))
        return by_boards(edition, group, first, most) if kind == _NORMAL else first

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
        """Yield what is doubtful about some games: the awards of several sections are known of Mitchells alone."""
        yield from super().doubts(edition, games, rows)
        several = (games["tables"].str.count("=") > 1) & games["movement"].str.contains(Movement.HOWELL.value)
        for row in rows[several.to_numpy(dtype=np.bool_)[rows]].tolist():
            what = f"the formula for several sections is stated for Mitchells alone ({edition.cite('overall.given')})"
            yield row, f"{what}: a Howell among them is paid as one alone", "check its awards, or correct movement"

    def places(
        self, edition: Edition, group: Group, first: Fraction, count: int
    ) -> tuple[tuple[str, ...], list[Fraction]]:
        """Return what the first places pay, unrounded: overall ones as the edition says, all others as in a section."""
        if group.basis.over_all and edition.text("overall.scale") == "steps":
            return super().places(edition, group, first, count)
        paths, awards = section_places(edition, first, count)
        return ("overall.scale",) if group.basis.over_all else paths, awards

    def coloured_by(self, edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
        """Return the paths of the values that an award of a game is of some colours by."""
        named = (_COLOURS + word for word in declared_words(game["special"]))
        return (next((path for path in named if path in edition.entries), _COLOURS + _NORMAL),)

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour: black, unless the special game has a colour of its own."""
        special = games["special"].iloc[winners["game"]]
        masterpoints = winners["masterpoints"].to_numpy()
        colour = np.full(len(winners), edition.text(_COLOURS + _NORMAL), dtype=object)
        for word in edition.below(_COLOURS):
            if word != _NORMAL:
                colour[words_in(special, word)] = edition.text(_COLOURS + word)
        return pd.DataFrame({name: np.where(colour == name, masterpoints, 0) for name in COLOURS})


def _by_limit(edition: Edition, group: Group, kind: str, first: First) -> First:
    if isinf(group.limit):
        return first
    path = _LIMITED + kind if _LIMITED + kind in edition.entries else "limited.factor"
    factor, why = stepped(edition, path, group.limit), f" for the limit {number_text(group.limit)}"
    return first.times(factor, path, ", x", why)


def _at_least(edition: Edition, uncapped: First, own: First, kind: str) -> First:
    """Return the greater of the first award by a game's own kind and what games of every kind pay on that day.

    uncapped: the award before the factor of its kind, without a maximum.
    """
    if _LEAST not in edition.entries:
        return own
    if edition.number(_LEAST) == 1:
        return own if edition.number(_KINDS + kind) > 1 else own.also_by(*edition.inferred(_LEAST))
    of_all = uncapped.by(edition, _LEAST, " for every game").at_most(edition.number(_LEAST_MOST), _LEAST_MOST)
    return max(own, of_all, key=lambda first: first.award)


def _kind(edition: Edition, special: frozenset[str]) -> str:
    """Return the kind of special game that a game declares, or ``normal``."""
    known, words = edition.below(_KINDS), sorted(special.difference(_OTHER_WORDS))
    for word in words:
        if word not in known:
            what = f"special: no such online game on that day: '{word}'"
            raise DeclarationError(what, hint=closest(word, [*known, *_OTHER_WORDS]))
    if len(words) > 1:
        raise DeclarationError(f"special: a game cannot be both {' and '.join(words)}", hint="declare only one of them")
    return words[0] if words else _NORMAL
