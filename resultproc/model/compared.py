"""Who is compared with whom: the section and direction of each standing, or everyone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.basis import Basis, Kind, basis_mask
from resultproc.model.frames import Result, family_columns, knockouts


def compared(result: Result) -> list[str]:
    """Return who each standing's contestant is compared with: ``section A N-S``, ``bracket 1``, '' for everyone."""
    standings = result.standings
    section, direction = (_seats(result, name) for name in ("section", "direction"))
    everyone = basis_mask(standings["basis"], lambda basis: basis.over_all)
    bracket = knockouts(result.games)[standings["game"]]
    seats = pd.DataFrame({"group": standings["group"].to_numpy(), "section": section}).drop_duplicates()
    each = seats.sort_values("section").groupby("group")["section"].agg(", ".join)
    together = pd.Series(each.reindex(standings["group"]).to_numpy(), section.index, dtype="str")
    sections = np.where(together.str.contains(","), "sections ", "section ") + together
    where = np.where(bracket, "bracket " + section, np.where(everyone, "", sections))
    side = direction.where((standings["winners"] == 2).to_numpy(), "")
    return [" ".join(filter(None, parts)) for parts in zip(where, side, strict=True)]


def _seats(result: Result, name: str) -> pd.Series[str]:
    """Return the section or direction of each standing's contestant, which in a later session may be another."""
    basis = result.standings["basis"].astype("str").reset_index(drop=True)
    seats = result.contestants.iloc[result.standings["contestant"]].reset_index(drop=True)
    found = seats[name].astype("str").fillna("")
    for column in family_columns(result.contestants, name):
        moved = (basis == str(Basis(Kind.SESSION, int(column.removeprefix(name))))) & seats[column].notna()
        found = found.mask(moved, seats[column].astype("str"))
    return found
