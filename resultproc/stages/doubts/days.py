"""Doubts about when games were played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np
import pandas as pd

from resultproc.model.errors import Problem
from resultproc.stages.doubts.facts import Facts

FIRST = date(1930, 1, 1)
"""Contract bridge was hardly played before, and nobody awarded masterpoints."""


def impossible(facts: Facts) -> Iterator[Problem]:
    """Yield games of days to come, in any time zone, and from before there was any duplicate contract bridge."""
    days = facts.games["date"]
    future = (days > pd.Timestamp(date.today() + timedelta(days=1))).to_numpy()
    early = (days < pd.Timestamp(FIRST)).to_numpy()
    for row in np.flatnonzero(future | early).tolist():
        when = "in the future" if future[row] else f"before {FIRST.year}"
        what = f"the date {str(days.iat[row])[:10]} is {when}"
        yield facts.of_game(row, what, "correct date: year, month, day")
