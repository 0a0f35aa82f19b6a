"""Who is ranked in comparison groups, and who entered them, for regulations that go by what the players hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, factorize_text, select_rows
from resultproc.model.sections import strata_of


@dataclass(frozen=True)
class Members:
    """The members of comparison groups; nothing is built before a regulation asks.

    standings: those of all members. contestants: the frame whose rows they are, with the players' holdings.
    """

    standings: pd.DataFrame
    contestants: pd.DataFrame

    def of(self, groups: pd.DataFrame) -> pd.DataFrame:
        """Return the members of some groups, one row for each: ``group`` and ``contestant``.

        groups: rows of standings. ``group`` is a place among them, ``contestant`` a row of the contestants frame.
        """
        number = self.standings["group"].to_numpy()
        place = np.full(int(number.max(initial=-1)) + 1, -1, dtype=np.int64)
        place[groups["group"].to_numpy()] = np.arange(len(groups))
        group = place[number]
        contestant = self.standings["contestant"].to_numpy()
        group, contestant = select_rows(group >= 0, group, contestant)
        return pd.DataFrame({"group": group, "contestant": contestant}, copy=False)

    def eligible(self, groups: pd.DataFrame) -> Ints:
        """Return how many are eligible for the stratum of each of some groups, in its whole game.

        groups: as for :meth:`entrants`.
        """
        of = self.entrants(groups)
        return of.sums(of.contestants["eligible"].to_numpy(dtype=np.int64))

    def entrants(self, groups: pd.DataFrame) -> Entrants:
        """Return all who entered the strata of some groups, eligible for the ranks or not.

        groups: rows of standings beside the keys of their games, one for each level that a game ranks, the top
        one always. Who is out of the ranks and has no stratum is in the top one alone.
        """
        number, ids = factorize_text(self.contestants["game_id"])
        game, level = number[groups["contestant"].to_numpy()], groups["level"].to_numpy(dtype=np.int64)
        tops = np.flatnonzero(level == 0)
        top = np.full(len(ids) + 1, -1, dtype=np.int64)
        top[game[tops]] = np.arange(len(tops))
        row, contestants = top[number], self.contestants
        if (row < 0).any():
            contestants, row = contestants[row >= 0], row[row >= 0]
        strata = strata_of(groups[["strata"]].iloc[tops])
        levels = strata.letters.shape[1]
        own = strata.level(row, contestants["stratum"]).clip(0)
        return Entrants(contestants, tops[row], row * levels + own, top[game] * levels + level, levels)


@dataclass(frozen=True)
class Entrants:
    """Who entered the strata of some groups.

    contestants: their rows of the contestants frame.
    top: the group of the top stratum of each one's game.
    own: the number of each one's stratum among those of all their games, which have the same number of levels each.
    group: the number of each group's stratum.
    """

    contestants: pd.DataFrame
    top: Ints
    own: Ints
    group: Ints
    levels: int

    def sums(self, values: Ints) -> Ints:
        """Return the sum of some values of those who entered each group: who is in a lower stratum is in it, too."""
        sums = np.zeros((int(self.group.max(initial=0)) // self.levels + 1) * self.levels, dtype=np.int64)
        np.add.at(sums, self.own, values)
        sums = sums.reshape(-1, self.levels)[:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.asarray(sums.ravel()[self.group], dtype=np.int64)
