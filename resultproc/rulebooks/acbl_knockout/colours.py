"""The colours of knockout awards: how much of them is gold."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import numpy as np
import pandas as pd

from resultproc.model.game import EventType
from resultproc.model.knockout import Run
from resultproc.rulebooks.acbl_general_formula.colours import colours as formula_colours
from resultproc.rulebooks.acbl_general_formula.event import Event, words
from resultproc.rulebooks.acbl_knockout.tables import holdings_missing
from resultproc.rulebooks.core import Edition


def colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour.

    They are as in any event, but that of the overall awards of a regional a part is gold: all in the top bracket, and
    the less, the less its top team holds, in the ones below. Match awards are red.
    Raises DeclarationError where the holdings that this depends on are not known.
    """
    split = formula_colours(edition, winners, games)
    reddish = split["red"] + split["gold"]
    game = games.iloc[winners["game"]].reset_index(drop=True)
    keys = pd.DataFrame(
        {
            "knockout": winners["knockout"].astype("str").to_numpy(),
            "special": game["special"].astype("str").fillna("").to_numpy(),
            "sessions": game["sessions"].to_numpy(),
            "limit": game["limit"].to_numpy(),
        }
    )
    overall = (winners["basis"].astype("str") == "overall").to_numpy() & (reddish > 0).to_numpy()
    number = keys.groupby(list(keys.columns), sort=False).ngroup().to_numpy()
    gold = np.zeros(len(winners), dtype=np.int64)
    for row in np.unique(number[overall], return_index=True)[1]:
        at = np.flatnonzero(overall)[row]
        key = keys.iloc[at]
        share = gold_share(edition, Run.parse(key["knockout"]), str(key["special"]), int(key["sessions"]), key["limit"])
        rows = overall & (number == number[at])
        gold[rows] = _part(reddish.to_numpy()[rows], share)
    return split.assign(red=reddish - gold, gold=gold)


def _part(hundredths: np.ndarray, share: Fraction) -> np.ndarray:
    """Return the part of some awards, halves rounded up."""
    return np.asarray((2 * hundredths * share.numerator + share.denominator) // (2 * share.denominator), dtype=np.int64)


def gold_share(edition: Edition, run: Run, special: str, sessions: int, limit: float) -> Fraction:
    """Return which part of the overall awards of a bracket is gold, at a regional.

    Raises DeclarationError where the holdings of a lower bracket's players are not known.
    """
    event = Event("", EventType.KNOCKOUT.value, sessions, 0, words(special))
    exempt = event.is_special(*edition["non-championship.exempt"])
    if event.is_special(*edition["non-championship.kinds"]) and not exempt:
        return Fraction(0)
    own = run.own
    flighted = not isnan(own.limit)
    bracketed = len({each.place for each in run.brackets}) > 1 and not flighted
    if bracketed and own.place == 0:
        return Fraction(1)
    if bracketed:
        if isnan(own.top):
            raise holdings_missing(own, "the colour of its awards depends on its top team")
        return next(Fraction(parts, of) for least, parts, of in edition["gold.bracket"] if own.top >= least)
    if own.place == 0:
        upper = min(own.limit, limit) if flighted else limit
        pays = sessions >= edition["colour.gold-sessions"] and upper >= edition["colour.gold-limit"]
        return Fraction(int(pays))
    return Fraction(int(own.place < edition["gold.flights"] and own.limit >= edition["gold.flight-limit"]))
