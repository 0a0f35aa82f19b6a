"""Club championships and fund games of 2011 to 2014; the figures are in ``fund-2011.toml``.

Fund games pay like regular club games, and overall awards besides, over both directions; championships, sectional
rated games and those that qualify for the North American Pairs pay overall by a formula, R x B x M, and the two latter
in their sections, too. Games that the club runs at the same time count with them. On the clubs' scale the awards of
large groups fall more slowly.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, words_in
from resultproc.model.basis import basis_mask
from resultproc.model.errors import RulebookError
from resultproc.model.game import PER_TABLE, EventType
from resultproc.model.group import Group, Members
from resultproc.model.sections import strata_of
from resultproc.rulebooks.acbl_club.rules import ClubRules, section_places
from resultproc.rulebooks.common.awards import (
    Factor,
    First,
    b_factor,
    decided_by,
    m_factor,
    p_factor,
    product,
    r_factor,
    t_factor,
)
from resultproc.rulebooks.common.conditions import (
    OF_KNOCKOUTS,
    concurrent_credit,
    credited,
    restricting_words,
    restrictions_of,
)
from resultproc.rulebooks.common.exact import Shares, reached
from resultproc.rulebooks.core import Edition

_QUALIFYING, _SECTIONAL = "nap-club", "sectional-rated"
"""The special words of games that qualify for the North American Pairs, and of those rated as a sectional."""

_DEPTHS = {EventType.BAM: "overall.depth-teams", EventType.INDIVIDUAL: "overall.depth-individual"}
"""The paths of the tables of places of events that are not of pairs."""

_SHARE, _LIMIT = f"colour.{_QUALIFYING}.share", f"colour.{_QUALIFYING}.limit"
"""The paths of what is red in qualifying games."""


class FundGames(ClubRules):
    """The awards of club championships and fund games."""

    classes = ("club-championship", "club-fund")
    unused = OF_KNOCKOUTS
    fields = (*ClubRules.fields, "stratum_tables", "restrictions")

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as these games count them.

        Overall awards go by tables, whatever the movement: those of the game itself for all of an open one, else those
        that the contestants in the stratum would fill, a half table as the rulebook has it; and by those credited, one
        for each table, as teams do everywhere. How many places pay goes by the tables that contestants would fill.
        """
        overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
        one_a_table = overall | (groups["event_type"] == EventType.BAM.value).to_numpy()
        counted = groups.assign(winners=groups["winners"].mask(one_a_table, 2))
        measured = super().measured(edition, counted, members)
        per_table = groups["event_type"].map(PER_TABLE).astype(np.int64)
        begun = (groups["ranked"] % per_table > 0) * edition.whole("overall.half-table")
        filled = groups["ranked"] // per_table + begun
        all_of_open = (groups["level"] == 0) & np.isinf(groups["event_limit"])
        tables = filled.mask(all_of_open, np.ceil(groups["tables"]))
        credit = pd.Series(measured["credit"], groups.index)
        for word in (_QUALIFYING, _SECTIONAL):
            of_class = words_in(groups["special"], word)
            credit = credit.mask(of_class, concurrent_credit(edition, counted, f"concurrent.{word}"))
        return measured.assign(
            size=measured["size"].mask(overall, tables).astype(np.int64),
            stratum_tables=filled.where(overall, 0).astype(np.int64),
            credit=credit.astype(np.int64),
        )

    def first(self, edition: Edition, group: Group) -> First:
        """Return the first award of a group, unrounded: by the scale of clubs, or by the formula."""
        kind = _kind(edition, group)
        charity = ("charity.rating",) if _is_charity(edition, group) else ()
        if kind == "club-fund" or (kind == "club-championship" and not group.basis.over_all):
            return super().first(edition, group).also_by(*charity)
        if not group.basis.over_all and group.event_type == EventType.INDIVIDUAL:
            raise RulebookError(f"rulebook {edition.book} has no section awards for a {kind} individual")
        if kind == _QUALIFYING:
            m = m_factor(edition, group.limit)
        else:  # the percentage of the open rate
            rate, path = self.rate(edition, group)
            m = Factor("M", rate / edition.number(f"section.rate.{group.rating}"), (path,))
        size = group.size + group.credit
        counted = "tables" if group.basis.over_all else "contestants"
        own = f"{group.size} + {group.credit}" if group.credit else str(group.size)
        factors = [
            r_factor(edition, kind),
            b_factor(edition, Fraction(size), f"{own} {counted}"),
            m,
            p_factor(edition, len(restrictions_of(edition, group))),
            t_factor(edition, group.event_type),
        ]
        if not group.basis.over_all:
            factors.insert(0, Factor("", edition.number("section.share"), ("section.share",)))
        first = product(factors).by(edition, "bonus.factor")
        own = f"concurrent.{kind}"
        paths = credited(edition, own) if own in edition.entries else credited(edition)
        return first.also_by(*charity, *(paths if group.credit else ()))

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
        """Yield what is doubtful about some games: besides that of all club games, restrictions without effect."""
        yield from super().doubts(edition, games, rows)
        restricted = games["restrictions"].notna() | words_in(games["special"], *restricting_words(edition))
        by_scale = (games["rating"] == "club-fund") & ~words_in(games["special"], _QUALIFYING, _SECTIONAL)
        for row in rows[(restricted & by_scale).to_numpy(dtype=np.bool_)[rows]].tolist():
            what = "who may enter changes no award of a fund game, which is paid on the clubs' scale"
            yield row, f"{what} ({edition.cite('factor.p')})", "leave it out if you expect another award"

    def depth(self, edition: Edition, group: Group) -> tuple[int, str]:
        """Return how many places pay in a group, and the path of the value that says so."""
        if not group.basis.over_all:
            return super().depth(edition, group)
        path = _DEPTHS.get(EventType(group.event_type), "overall.depth")
        _, places = reached(edition.rows(path), group.stratum_tables) or (0, Fraction(0))
        return min(int(places), group.ranked), path

    def places(
        self, edition: Edition, group: Group, first: Fraction, count: int
    ) -> tuple[tuple[str, ...], list[Fraction]]:
        """Return what the first places pay, unrounded, and the paths of the values that say so."""
        if not group.basis.over_all and _kind(edition, group) in {_QUALIFYING, _SECTIONAL}:
            return section_places(edition, first, count)
        return super().places(edition, group, first, count)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the red part of each: in qualifying games, where any of a contestant's strata that
        pay is one of the qualifying flights.
        """
        candidates = super().combine(edition, candidates, games)
        game = candidates["game"].to_numpy()
        limit = strata_of(games["strata"]).limits[game, candidates["level"].to_numpy()]
        qualifying = words_in(games["special"], _QUALIFYING)[game]
        flight = qualifying & (limit >= edition.whole(_LIMIT))
        of_any = pd.Series(flight, candidates.index).groupby(candidates["contestant"]).transform("any")
        if qualifying.any():
            candidates = decided_by(candidates, qualifying, edition.values(_SHARE, _LIMIT))
        red = Shares.of([edition.number(_SHARE) / 100]).parts(candidates["masterpoints"].to_numpy())
        return candidates.assign(better_colour=np.where(of_any, red, 0))

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour: black, and of qualifying games red as well."""
        red = winners["better_colour"]
        return pd.DataFrame({"black": winners["masterpoints"] - red, "red": red})


def _kind(edition: Edition, group: Group) -> str:
    """Return what R a game has: that of a special word, or of its rating."""
    own = edition.text("charity.rating") if _is_charity(edition, group) else group.rating
    return next((word for word in (_QUALIFYING, _SECTIONAL) if word in group.special), own)


def _is_charity(edition: Edition, group: Group) -> bool:
    """Return whether a fund game is one that was given championship rating in November 2003."""
    return group.rating == "club-fund" and not group.special.isdisjoint(edition.words("charity.words"))
