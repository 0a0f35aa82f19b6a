"""Who is ranked in comparison groups, and who entered them, for regulations that go by what the players hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from resultproc.model.sections import among, coded, strata_of


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
        group, contestant = among(group >= 0, group, contestant)
        return pd.DataFrame({"group": group, "contestant": contestant}, copy=False)

    def entrants(self, groups: pd.DataFrame) -> pd.DataFrame:
        """Return all who entered the strata of some groups, eligible for the ranks or not: one row for each.

        groups: rows of standings beside the keys of their games, one for each level of a game. The columns are those of
        :meth:`of`. Who is out of the ranks and has no stratum is in the top one alone.
        """
        games = groups[["game", "strata", "contestant"]].drop_duplicates("game").reset_index(drop=True)
        number, ids = coded(self.contestants["game_id"])
        at = np.full(len(ids) + 1, -1, dtype=np.int64)
        at[number[games["contestant"]]] = np.arange(len(games))
        game = at[number]
        rows = np.flatnonzero(game >= 0)
        stratum = self.contestants["stratum"]
        own = strata_of(games).level(game[rows], stratum if len(rows) == len(stratum) else stratum.iloc[rows]).clip(0)
        in_game, levels = pd.Index(games["game"]).get_indexer(groups["game"]), groups["level"].to_numpy()
        of_level = np.full((len(games), int(levels.max(initial=0)) + 1), -1, dtype=np.int64)
        of_level[in_game, levels] = np.arange(len(groups))
        parts = []
        for level in range(of_level.shape[1]):
            group = of_level[game[rows], level]
            there = (own >= level) & (group >= 0)
            parts.append((group[there], rows[there]))
        group, contestant = map(np.concatenate, zip(*parts, strict=True))
        return pd.DataFrame({"group": group, "contestant": contestant}, copy=False)
