"""Comparison groups of knockouts as their ladders need them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.basis import MATCHES, which
from resultproc.model.group import distinct, told_apart
from resultproc.model.knockout import Knockouts
from resultproc.model.sections import Ints, first_of_each


def knockouts_of(frame: pd.DataFrame) -> Knockouts:
    """Return what the column ``knockout`` of a frame of knockouts has: it is the same for all."""
    (found,) = frame["knockout"].cat.categories
    assert isinstance(found, Knockouts)
    return found


def taken_apart(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the bracket that they played in, and their finish.

    Of teams that are compared by matches counts how many they won, and in a bracket of how many teams and which limit.
    """
    knockouts = knockouts_of(groups)
    run = groups["run"].to_numpy()
    bracket, finish = knockouts.played[run], knockouts.ended[run]
    by_matches = which(groups["basis"], lambda basis: basis == MATCHES)
    alike = _alike(knockouts)
    number, distinct_wins = told_apart(each.matches for each in knockouts.finishes)
    won = first_of_each(number, len(distinct_wins))[number]
    return groups.assign(
        bracket_played=np.where(by_matches, alike[bracket], bracket), finish=np.where(by_matches, won[finish], finish)
    )


def _alike(knockouts: Knockouts) -> Ints:
    """Return, per bracket, the first one of as many teams and the same limit."""
    number, first = distinct(pd.DataFrame({"teams": knockouts.teams, "limit": knockouts.limit}))
    return first[number]
