"""Doubts that the printed awards of a file raise about what was declared of its game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats
from resultproc.model.errors import Problem
from resultproc.model.frames import COLOURS, Result, game_problem
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.core import Edition

LEAST_PAID = 3
"""So many awards show a factor: of fewer, any two numbers have one."""

LEAST_DIFFERENCE = 0.04
"""A factor that is nearer to 1 is rounding. The smallest that regulations know is 5%."""


def another_factor(result: Result) -> Iterator[Problem]:
    """Yield games whose printed awards are all the same multiple of those that were computed."""
    if result.contestants["printed_award"].isna().all():
        return
    game, printed, computed = _awards(result)
    if not printed.any():
        return
    paid = (printed > 0) & (computed > 0)
    count = len(result.games)
    sums = [np.bincount(game[paid], each[paid], count) for each in (printed, computed)]
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = sums[0] / sums[1]
    # Both are rounded to a hundredth, and what is shared after a tie once more.
    fits = np.abs(printed - factor[game] * computed) <= 1 + factor[game]
    missed = (printed > 0) != (computed > 0)
    amiss = np.bincount(game[(paid & ~fits) | missed], minlength=count) > 0
    with np.errstate(invalid="ignore"):
        other = ~amiss & (np.abs(factor - 1) > LEAST_DIFFERENCE)
    other &= result.games["stored_other_awards"].isna().to_numpy()
    if other.any():
        different = pd.Series(computed[paid]).groupby(game[paid]).nunique()
        other &= (different.reindex(range(count), fill_value=0) >= LEAST_PAID).to_numpy()
        other &= ~_without_boards(result.games, factor)
    for row in np.flatnonzero(other).tolist():
        what = (
            f"the printed awards are {factor[row]:.2f} times those that follow from what is declared, all of them: "
            "a factor differs"
        )
        yield game_problem(result.games, row, what, "see whether rating, limit, special, boards and date are right")


def _without_boards(games: pd.DataFrame, factor: Floats) -> Bools:
    """Return which games are printed as if the usual number of boards was played, as ACBLscore does it."""
    number, found = editions(games)
    standard = np.array([_number(edition, "boards.standard") for edition in found], dtype=np.float64)[number]
    most = np.array([_number(edition, "boards.most") for edition in found], dtype=np.float64)[number]
    by_boards = np.clip(games["boards"].to_numpy(dtype=np.float64, na_value=np.nan) / standard, None, most)
    return np.asarray(np.abs(factor * by_boards - 1) < LEAST_DIFFERENCE)


def _number(edition: Edition, path: str) -> float:
    return float(edition.number(path)) if path in edition.entries else np.nan


def _awards(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each contestant's game, and its printed and computed award in hundredths."""
    assert result.awards is not None
    printed = result.contestants["printed_award"].to_numpy(dtype=np.float64, na_value=0)
    return (
        result.awards["game"].to_numpy(),
        printed,
        result.awards["masterpoints"].to_numpy(dtype=np.float64),
    )


def other_colours(result: Result) -> Iterator[Problem]:
    """Yield games whose awards are all printed in colours that their rating pays none of."""
    assert result.awards is not None
    game = result.awards["game"].to_numpy()
    others = result.games["stored_other_awards"].notna().to_numpy()[game]
    text = result.contestants["printed_colours"].mask(others)
    if text.isna().all():
        return
    count = len(result.games)
    shape = (count, len(COLOURS))
    printed, paid = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for number, colour in enumerate(COLOURS):
        printed[:, number] = np.bincount(game[text.str.contains(rf"\b{colour}\b", na=False)], minlength=count) > 0
        paid[:, number] = np.bincount(game[(result.awards[colour] > 0).to_numpy()], minlength=count) > 0
    at = printed.any(axis=1) & paid.any(axis=1) & ~(printed & paid).any(axis=1)
    for row in np.flatnonzero(at).tolist():
        theirs, ours = (" and ".join(np.array(COLOURS)[mask[row]]) for mask in (printed, paid))
        rating = result.games["rating"].iat[row]
        what = f"the awards are printed as {theirs} points, and the rating {rating} pays {ours} here"
        yield game_problem(result.games, row, what, "correct rating, or special")
