"""Comparison groups of knockouts as their ladders need them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.basis import MATCHES, which
from resultproc.model.frames import categorical
from resultproc.model.knockout import Bracket, Finish, Run

_ANY = Finish(0, 0, 0, Fraction(0))


def taken_apart(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the brackets of their event, the number of the one that they played in, and their finish.

    Of teams that are compared by matches counts how many they won, and in a bracket of how many teams and which limit.
    """
    runs = groups["knockout"].cat
    by_matches = which(groups["basis"], lambda basis: basis == MATCHES)
    keys, first = np.unique(2 * runs.codes.to_numpy(dtype=np.int64) + by_matches, return_inverse=True)
    each = [(runs.categories[key // 2], key % 2 == 1) for key in keys.tolist()]
    counted = [_of_matches(run) if matches else run for run, matches in each]
    # A run stands for all that have its brackets: it is told apart faster than they are.
    brackets = [Run(0, _ANY, run.brackets) for run in counted]
    played, finish = [run.bracket for run in counted], [run.finish for run in counted]
    return groups.assign(
        brackets=_column(brackets, first),
        bracket_played=np.array(played, dtype=np.int64)[first],
        finish=_column(finish, first),
    )


def _of_matches(run: Run) -> Run:
    own = Bracket(0, run.own.rounds[:1], None, None, run.own.limit)
    return Run(0, Finish(0, 0, 0, run.finish.matches), (own,))


def _column(values: Sequence[Hashable], rows: np.ndarray) -> pd.Categorical:
    """Return a column of categories: each row's value, by its number."""
    numbers: dict[Hashable, int] = {}
    code = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
    return categorical(code[rows], numbers)
