"""Tables of events played at the same time that are declared where nothing is credited with them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.rulebooks.core import Edition

_SESSIONS = "concurrent.sessions."

_A_LIMIT = r"(?:^|, )[0-9.]+(?:=|$)"
"""In tables by limit, an event that has one; tables alone are those of limited events."""


def uncredited(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that declares concurrent events and cannot be credited with any."""
    declared = (games["concurrent_tables"].fillna("none") != "none").to_numpy()[rows]
    if not declared.any():
        return
    of = games.iloc[rows[declared]]
    names = [path.removeprefix(_SESSIONS) for path in edition.entries if path.startswith(_SESSIONS)]
    needed = of["rating"].map({name: edition.whole(_SESSIONS + name) for name in names}).astype("float64")
    restricted = ~np.isinf(of["limit"]) | of["restrictions"].notna()
    open_beside = ~of["concurrent_tables"].str.contains(_A_LIMIT, regex=True)
    why = np.select(
        [needed.isna(), of["sessions"].to_numpy(dtype=np.float64) < needed.to_numpy(), restricted, open_beside],
        [
            "no event of its rating is credited",
            "it has too few sessions",
            "only an unrestricted event is credited",
            "none of these events is restricted",
        ],
        "",
    )
    for row, reason in zip(rows[declared], why, strict=True):
        if reason:
            yield int(row), f"concurrent_tables has no effect on its awards: {reason}", "leave it out, or correct it"
