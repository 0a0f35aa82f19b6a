"""Doubts about games for funds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from resultproc.model.errors import Problem
from resultproc.model.frames import words_in
from resultproc.rulebooks.registry import rulebook
from resultproc.stages.doubts.facts import Facts

HANDBOOK = "acbl-club"
"""The rulebook that says which months are those of which funds."""


def another_fund(facts: Facts) -> Iterator[Problem]:
    """Yield games for one fund in the month of another."""
    if facts.games["special"].isna().all():
        return
    known = rulebook(HANDBOOK)
    edition = known.at(known.starts[-1])
    months = {fund: int(month) for fund, month in edition.named_numbers("fund.months").items()}
    month = facts.games["date"].dt.month.to_numpy()
    for fund, own in months.items():
        amiss = words_in(facts.games["special"], fund) & np.isin(month, [*months.values()]) & (month != own)
        for row in np.flatnonzero(amiss).tolist():
            other = next(name for name, number in months.items() if number == month[row])
            what = f"special is {fund}, and the game was played in the month of the {other}"
            hint = f"correct special or date, if they are slips; {edition.cite('fund.months')}"
            yield facts.of_game(row, what, hint)
