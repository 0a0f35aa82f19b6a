"""Doubts about an event's upper limit: players above it, and limited ratings without one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from resultproc.model.errors import Problem
from resultproc.model.frames import family_columns
from resultproc.model.game import Rating, StratifyBy, number_text
from resultproc.stages.doubts.facts import Facts
from resultproc.stages.eligibility import holding_of

LIMITED = (Rating.CLUB_INVITATIONAL.value, Rating.CLUB_RESTRICTED.value, Rating.CLUB_NEWCOMER.value)
"""Ratings of games that are not for everybody."""


def above_the_limit(facts: Facts) -> Iterator[Problem]:
    """Yield contestants with a player above the game's limit; by the average where the game is stratified so."""
    limit = facts.limits
    columns = family_columns(facts.contestants, "mp")
    if not columns or not np.isfinite(limit).any():
        return
    by_average = (facts.games["stratify_by"] == StratifyBy.AVERAGE.value).to_numpy()[facts.game]
    every_average = pd.Series(StratifyBy.AVERAGE.value, facts.games.index, dtype="str")
    average = holding_of(facts.contestants, every_average, facts.game)
    known = facts.contestants[columns].to_numpy(dtype=np.float64, na_value=np.nan)
    highest = np.where(np.isnan(known), 0, known).max(axis=1)
    holding = np.where(by_average, average, highest)
    with np.errstate(invalid="ignore"):
        above = (holding > limit[facts.game]) & facts.contestants["eligible"].to_numpy()
    for row in np.flatnonzero(above).tolist():
        what = (
            f"{facts.called(row)} holds {number_text(float(holding[row]))} masterpoints"
            f"{' on average' if by_average[row] else ''}, and the game is limited to "
            f"{number_text(float(limit[facts.game[row]]))}"
        )
        yield facts.of_contestant(
            row, what, "correct the holding or limit, or declare that the contestant is not eligible"
        )


def no_limit(facts: Facts) -> Iterator[Problem]:
    """Yield games of a limited rating that declare no limit."""
    limited = facts.games["rating"].isin(LIMITED).to_numpy() & np.isnan(facts.limits)
    for row in np.flatnonzero(limited).tolist():
        what = f"{facts.games['rating'].iat[row]} is a rating of limited games, and no limit is declared"
        yield facts.of_game(row, what, "declare limit, such as 300, or open if there is none")
