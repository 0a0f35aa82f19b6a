"""Who is ranked in comparison groups, for regulations that go by what the players hold."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


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
