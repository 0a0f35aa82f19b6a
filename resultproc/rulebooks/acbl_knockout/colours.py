"""The colours of knockout awards: how much of them is gold."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import which
from resultproc.model.errors import InputError
from resultproc.model.frames import refuse
from resultproc.model.group import distinct, words
from resultproc.model.knockout import Bracket, Run
from resultproc.rulebooks.acbl_general_formula.colours import undivided
from resultproc.rulebooks.acbl_general_formula.shares import divided
from resultproc.rulebooks.acbl_knockout.tables import by_top, holdings_missing
from resultproc.rulebooks.common.factors import is_minor
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import tried

Ints = npt.NDArray[np.int64]


def colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour.

    They are as in any event, but that of the overall awards of a regional a part is gold: all in the top bracket, and
    the less, the less its top team holds, in the ones below. Match awards are red.
    Raises DeclarationError, the games named, where the holdings that this depends on are not known.
    """
    split = undivided(edition, winners, games)
    reddish = (split["red"] + split["gold"]).to_numpy(dtype=np.int64)
    rows = np.flatnonzero(which(winners["basis"], lambda basis: basis.over_all) & (reddish > 0))
    gold = np.zeros(len(winners), dtype=np.int64)
    gold[rows] = _part(reddish[rows], *_shares(edition, winners.iloc[rows], games))
    return divided(edition, split.assign(red=reddish - gold, gold=gold), winners["game"].to_numpy(), games)


def _part(hundredths: Ints, parts: Ints, of: Ints) -> Ints:
    """Return so many parts of so many of some awards, halves rounded up."""
    return np.asarray((2 * hundredths * parts + of) // (2 * of), dtype=np.int64)


def _shares(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return which part of each overall award is gold: so many parts, and of how many."""
    runs = winners["knockout"].cat
    keys = games[["special", "sessions", "limit"]].iloc[winners["game"]].assign(run=runs.codes.to_numpy())
    number, first = distinct(keys)
    every = runs.categories.tolist()
    shares = [
        tried(partial(gold_share, edition, every[run], words(special), int(sessions), limit))
        for special, sessions, limit, run in keys.iloc[first].itertuples(index=False, name=None)
    ]
    refused = {at: share for at, share in enumerate(shares) if isinstance(share, InputError)}
    refuse(games, winners["game"].to_numpy(), number, refused)
    exact = [share.as_integer_ratio() for share in shares if isinstance(share, Fraction)]
    parts = np.array(exact, dtype=np.int64).reshape(-1, 2)
    return parts[number, 0], parts[number, 1]


def gold_share(edition: Edition, run: Run, special: frozenset[str], sessions: int, limit: float) -> Fraction:
    """Return which part of the overall awards of a bracket is gold, at a regional.

    Raises DeclarationError where the holdings of a lower bracket's players are not known.
    """
    if is_minor(edition, special):
        return Fraction(0)
    own, top_only = run.own, not special.isdisjoint(edition.words("colour.gold.top-only"))
    if own.limit is None and run.brackets[-1].place > 0 and not top_only:
        return _of_bracket(edition, own)
    if own.place == 0:
        upper = limit if own.limit is None else min(own.limit, limit)
        pays = sessions >= edition.number("colour.gold.sessions") and upper >= edition.number("colour.gold.limit")
    else:
        limited = own.limit is not None and own.limit < edition.number("colour.gold.flight-limit")
        pays = own.place < edition.number("colour.gold.flights") and not limited and not top_only
    return Fraction(int(pays))


def _of_bracket(edition: Edition, bracket: Bracket) -> Fraction:
    """Return which part of the overall awards of one of several brackets is gold."""
    if bracket.place < edition.whole("colour.gold.brackets"):
        return Fraction(1)
    top = bracket.top
    if top is None:
        raise holdings_missing(bracket, "the colour of its awards depends on its top team")
    parts, of = by_top(edition, "colour.gold.bracket", top)
    return parts / of
