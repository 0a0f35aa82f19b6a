"""Who is ranked in comparison groups, and who entered them, for regulations that go by what the players hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

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
        wanted = pd.DataFrame({"number": groups["group"].to_numpy(), "group": range(len(groups))})
        ranked = self.standings[["group", "contestant"]].rename(columns={"group": "number"})
        return ranked.merge(wanted, on="number")[["group", "contestant"]]

    def entrants(self, groups: pd.DataFrame) -> pd.DataFrame:
        """Return all who entered the strata of some groups, eligible for the ranks or not: one row for each.

        groups: rows of standings beside the keys of their games. The columns are those of :meth:`of`. Who is out of the
        ranks and has no stratum is in the top one alone.
        """
        games = groups[["game", "strata"]].drop_duplicates("game").reset_index(drop=True)
        ids = self.contestants["game_id"].to_numpy()
        known = self.standings[["game", "contestant"]].drop_duplicates("game")
        at = pd.Series(pd.Index(games["game"]).get_indexer(known["game"]), ids[known["contestant"]])
        game = pd.Series(ids).map(at).fillna(-1).to_numpy(dtype=np.int64)
        rows = np.flatnonzero(game >= 0)
        level = strata_of(games).level(game[rows], self.contestants["stratum"].iloc[rows])
        entered = pd.DataFrame({"game": games["game"].to_numpy()[game[rows]], "contestant": rows, "own": level.clip(0)})
        wanted = pd.DataFrame({name: groups[name].to_numpy() for name in ("game", "level")})
        every = entered.merge(wanted.assign(group=range(len(groups))), on="game")
        return every.loc[every["own"] >= every["level"], ["group", "contestant"]].reset_index(drop=True)
