"""Doubts about a score and a percentage that do not go together as those of the others do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from resultproc.model.arrays import Bools, Floats
from resultproc.model.game import BY_MATCHES
from resultproc.model.maximum import maximum_of
from resultproc.model.values import decimals
from resultproc.stages.doubts.facts import Facts

MOST_BOARDS = 40
"""No session has more, where nobody says how many were played."""


def apart(facts: Facts, sit_outs: Bools) -> Iterator[tuple[int, str]]:
    """Yield contestants whose percentage is of another maximum than that of most of the section, and what is said.

    sit_outs: who is in a section in which somebody sat out in each round. There a maximum may be that of more boards
    than the usual one, or of fewer; elsewhere of fewer alone, which boards that were not played explain.
    """
    found = facts.proportion
    if not found.possible.any():
        return
    doubtful = np.zeros(len(facts.sections.frame), dtype=bool)
    doubtful[facts.sections.section[found.possible]] = True
    # Victory points of a bye, or penalties of a match, are in one column and not in the other.
    by_matches = facts.games["event_type"].isin(BY_MATCHES).to_numpy()[facts.game]
    rows = np.flatnonzero(found.rows & doubtful[facts.sections.section] & ~by_matches)
    score, percentage = found.score[rows], found.percentage[rows]
    maximum = maximum_of(facts.sections.section[rows], score, percentage)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 100 * score / (percentage * maximum.usual)
        off = ~np.isnan(maximum.usual) & ~maximum.fits(score, percentage)
    played = _other_boards(facts, rows, share, maximum.rounding / percentage, sit_outs[rows])
    eligible = facts.contestants["eligible"].to_numpy()[rows]
    for number in np.flatnonzero(off & eligible & ~played).tolist():
        row, usual = int(rows[number]), maximum.usual[number]
        right = f"{100 * score[number] / usual:.2f}% of {_rounded(usual)}, the maximum of the others"
        what = f"the score {decimals(score[number])} of {facts.called(row)} is {right}, and its percentage is "
        yield row, what + decimals(percentage[number])


def _other_boards(facts: Facts, rows: np.ndarray, share: Floats, rounding: Floats, sit_outs: Bools) -> Bools:
    """Return whose share of the usual maximum is that of a number of boards, at least half of them.

    share: the maximum of each as a share of the usual one. rounding: how far it may be off, as a share of itself.
    """
    games = facts.games
    sessions = games["sessions"].to_numpy(dtype=np.float64, na_value=1)
    most = (games["boards"].to_numpy(dtype=np.float64, na_value=MOST_BOARDS) * sessions)[facts.game[rows]]
    fewer = np.where(sit_outs & (share > 1), 1 / share, share)
    found = np.zeros(len(rows), dtype=bool)
    for boards in range(2, int(most.max(initial=0)) + 1):
        played = np.rint(fewer * boards)
        with np.errstate(invalid="ignore"):
            near = np.abs(played / boards - fewer) <= rounding * fewer
        found |= near & (boards <= most) & (played < boards) & (2 * played >= boards)
    return found


def _rounded(maximum: float) -> str:
    """Return a maximum that rounded numbers tell: whole where it may be."""
    return f"{maximum:.0f}" if abs(maximum - round(maximum)) < maximum / 10_000 else f"{maximum:.2f}"
