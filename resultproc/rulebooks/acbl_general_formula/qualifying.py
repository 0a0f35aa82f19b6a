"""Games of clubs and units that qualify for the North American Pairs: they have an R and colours of their own."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints
from resultproc.model.basis import OVERALL, basis_mask
from resultproc.model.frames import words_in
from resultproc.model.sections import strata_of
from resultproc.rulebooks.common.exact import steps
from resultproc.rulebooks.core import Edition

NAP, _CLUB, _UNIT = "nap", "nap-club", "nap-unit"
"""The class that qualifying games have R of, and the special words of those of clubs and of units."""

WORDS = (_CLUB, _UNIT)

_RATINGS = "nap.ratings"
"""The path of the ratings that such games have; without it there are none."""

_GOLD = "colour.nap-unit.gold"
"""The path of what is gold in units' games; without it they pay the colours of clubs' ones."""


def with_class(edition: Edition, games: pd.DataFrame) -> pd.DataFrame:
    """Return games, or groups of games, with the class that their awards go by as rating: their own, or qualifying."""
    qualifying = are_qualifying(edition, games)
    return games.assign(rating=games["rating"].astype("str").mask(qualifying, NAP)) if qualifying.any() else games


def are_qualifying(edition: Edition, games: pd.DataFrame) -> Bools:
    if _RATINGS not in edition.entries:
        return np.zeros(len(games), dtype=np.bool_)
    of_rating = games["rating"].isin(list(edition.words(_RATINGS))).to_numpy(dtype=np.bool_)
    return np.asarray(of_rating & words_in(games["special"], *WORDS), dtype=np.bool_)


def with_better_colour(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with the most that any of a contestant's pays in the better colour of two.

    An award in the worse colour alone does not lose it: it tops the better colour up to the better total.
    """
    if not are_qualifying(edition, games).any():
        return candidates
    better = pd.Series(_better_colour(edition, candidates, games), candidates.index)
    return candidates.assign(better_colour=better.groupby(candidates["contestant"]).transform("max"))


def in_two_colours(edition: Edition, split: pd.DataFrame, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return awards by colour, those of qualifying games red and black at clubs, gold and red at units."""
    of_game = are_qualifying(edition, games)
    if not of_game.any():
        return split
    qualifying = of_game[winners["game"]]
    gold = qualifying & _pay_gold(edition, games)[winners["game"]]
    better = winners["better_colour"].to_numpy()
    rest = winners["masterpoints"].to_numpy() - better
    parts = {colour: np.where(qualifying, 0, split[colour].to_numpy()) for colour in split.columns}
    parts["gold"] = np.where(gold, better, parts["gold"])
    parts["red"] = np.select([gold, qualifying], [rest, better], parts["red"])
    parts["black"] = np.where(qualifying & ~gold, rest, parts["black"])
    return pd.DataFrame(parts, split.index, copy=False)


def _pay_gold(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return which qualifying games pay gold and red: those of units, on days of which that is known."""
    if _GOLD not in edition.entries:
        return np.zeros(len(games), dtype=np.bool_)
    return words_in(games["special"], _UNIT)


def _better_colour(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> Ints:
    """Return what each candidate pays in the better of two colours, in hundredths, halves rounded up."""
    game = candidates["game"].to_numpy()
    points = candidates["masterpoints"].to_numpy()
    limit = strata_of(games).limits[game, candidates["level"].to_numpy()]
    qualifying = are_qualifying(edition, games)[game]
    gold = qualifying & _pay_gold(edition, games)[game]
    percent = points * np.where(
        limit >= edition.whole("colour.nap-club.limit"), edition.whole("colour.nap-club.share"), 0
    )
    if gold.any():
        top = np.where(
            basis_mask(candidates["basis"], lambda basis: basis == OVERALL), points, candidates["section_top"]
        )
        of_limit = np.array([int(steps(edition.limited(_GOLD), each) or 0) for each in limit])
        percent = np.where(gold, top * of_limit, percent)
    return np.asarray((np.where(qualifying, percent, 0) + 50) // 100, dtype=np.int64)
