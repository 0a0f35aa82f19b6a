"""Club championships and fund games of 2011 to 2014; the figures stand in ``fund-2011.toml``.

They pay like regular club games, and overall awards besides, over both directions. Games that the club runs at the
same time count with them, and in large groups the awards fall more slowly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.basis import which
from resultproc.model.game import PER_TABLE, Rating
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_club.rules import ClubRules, section_places
from resultproc.rulebooks.common.curve import long_share
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.members import Members


class FundGames(ClubRules):
    """The awards of club championships and fund games."""

    classes = (Rating.CLUB_CHAMPIONSHIP, Rating.CLUB_FUND)

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as these games count them.

        Overall awards go by the tables that the contestants in the stratum would fill, a half table as the rulebook
        has it, and by the tables credited, whatever the movement.
        """
        overall = which(groups["basis"], lambda basis: basis.over_all)
        measured = super().measured(edition, groups.assign(winners=groups["winners"].mask(overall, 2)), members)
        full, left = np.divmod(groups["ranked"], groups["event_type"].map(PER_TABLE))
        tables = full + np.where(left > 0, edition.whole("overall.half-table"), 0)
        return measured.assign(size=measured["size"].mask(overall, tables).astype(np.int64))

    def depth(self, edition: Edition, group: Group) -> tuple[int, str]:
        """Return how many places pay in a group, and the path of the value that says so."""
        if not group.basis.over_all:
            return super().depth(edition, group)
        places = max((places for least, places in edition["overall.depth"] if group.size >= least), default=0)
        return min(int(places), group.ranked), "overall.depth"

    def places(self, edition: Edition, group: Group, first: Fraction, count: int) -> tuple[str, list[Fraction]]:
        """Return what so many places pay, unrounded, and the path of the value that says so."""
        if group.basis.over_all:
            return super().places(edition, group, first, count)
        rate, _ = self.rate(edition, group)
        cap, _ = self.cap(edition, group, rate)
        full = rate * (group.size + group.credit)
        path, ordinary = section_places(edition, first * full / min(full, cap), count)
        step, until, sessions = (
            edition.number("large.step"),
            *map(edition.whole, ("large.steps-until", "large.sessions")),
        )
        slower = [first * long_share(step, until, sessions, place) for place in range(1, count + 1)]
        awards = list(map(min, slower, ordinary))
        return (path if awards == ordinary else "large.sessions"), awards


RULEBOOK = load_built_in("acbl_club_fund/fund-2011.toml", FundGames())
