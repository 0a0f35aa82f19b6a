"""Doubts about games for funds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from resultproc.model.errors import Problem
from resultproc.model.frames import words_in
from resultproc.model.game import Rating
from resultproc.rulebooks.registry import rulebook
from resultproc.stages.doubts.facts import Facts
from resultproc.stages.doubts.names import called_for

HANDBOOK = "acbl-club"
"""The rulebook that says which months are those of which funds."""


def another_fund(facts: Facts) -> Iterator[Problem]:
    """Yield games for one fund in the month of another."""
    special, funds = facts.games["special"], (facts.games["rating"] == Rating.CLUB_FUND.value).to_numpy(dtype=bool)
    if special.isna().all() and not funds.any():
        return
    known = rulebook(HANDBOOK)
    edition = known.at(known.starts[-1])
    months = {fund: int(month) for fund, month in edition.named_numbers("fund.months").items()}
    month = facts.games["date"].dt.month.to_numpy()
    unsaid = funds & ~words_in(special, *months)
    for fund, own in months.items():
        meant = words_in(special, fund)
        if unsaid.any():
            meant = meant | (unsaid & called_for(fund, facts.games["event"]))
        amiss = meant & np.isin(month, [*months.values()]) & (month != own)
        for row in np.flatnonzero(amiss).tolist():
            other = next(name for name, number in months.items() if number == month[row])
            what = f"the game is for {fund}, and it was played in the month of {other}"
            hint = f"correct special or date, if they are slips; {edition.cite('fund.months')}"
            yield facts.of_game(row, what, hint)
