"""Comparison groups of knockouts as their ladders need them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd

from resultproc.model.basis import MATCHES, which
from resultproc.model.frames import categorical
from resultproc.model.group import told_apart
from resultproc.model.knockout import Bracket, Finish, Run

_ANY = Finish(0, 0, 0, Fraction(0))


def taken_apart(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the brackets of their event, the number of the one that they played in, and their finish.

    Of teams that are compared by matches counts how many they won, and in a bracket of how many teams and which limit.
    """
    runs = groups["knockout"].cat
    by_matches = which(groups["basis"], lambda basis: basis == MATCHES)
    keys, of = np.unique(2 * runs.codes.to_numpy(dtype=np.int64) + by_matches, return_inverse=True)
    every, of_matches = runs.categories.tolist(), cache(_of_matches)
    each = [(every[key // 2], key % 2 == 1) for key in keys.tolist()]
    counted = [of_matches(run.own.teams, run.own.limit, run.finish) if matches else run for run, matches in each]
    # The runs of an event share one tuple, which is told apart faster than what is in it.
    shared, _ = told_apart(id(run.brackets) for run in counted)
    distinct = {id(run.brackets): run.brackets for run in counted}
    event, events = told_apart(distinct.values())
    finish, finishes = told_apart(run.finish for run in counted)
    played = np.array([run.bracket for run in counted], dtype=np.int64)
    return groups.assign(
        brackets=categorical(event[shared[of]], (Run(0, _ANY, brackets) for brackets in events)),
        bracket_played=played[of],
        finish=categorical(finish[of], finishes),
    )


def _of_matches(teams: int, limit: float | None, finish: Finish) -> Run:
    return Run(0, Finish(0, 0, 0, finish.matches), (Bracket(0, (teams,), None, None, limit),))
