"""F, the strength of a field: the average over its players of a power of their holdings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Floats, Ints, factorize_text
from resultproc.model.frames import family_columns, named_players
from resultproc.model.game import PER_TABLE
from resultproc.rulebooks.common.exact import Multiples
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Entrants, Members

_UNIT = 10**9
"""Powers are added up in billionths, as integers: F does not depend on the order of the contestants."""

_AT_A_TABLE = 4


def strengths(edition: Edition, groups: pd.DataFrame, limit: Floats, members: Members) -> dict[str, npt.NDArray[Any]]:
    """Return, per group, who ``entered``, how many ``players`` they are, the ``power`` of their holdings, ``unknown``.

    groups: comparison groups beside the keys of their games. limit: per group, the upper limit that decides whether
    the floor holds. All who entered count, eligible for the ranks or not. ``power`` is in billionths. ``unknown`` names
    the contestants of a game that do not give every player's holding, '' for none.
    """
    of = members.entrants(groups)
    exponent, floor = (float(edition.number(f"strength.{name}")) for name in ("exponent", "floor"))
    least = _powers(np.array([floor]), exponent)
    count, own, raised = (np.zeros(len(of.contestants), dtype=np.int64) for _ in range(3))
    # Column by column, which is several times faster than to make an array of them all.
    for name in family_columns(of.contestants, "mp"):
        holding = of.contestants[name].to_numpy(dtype=np.float64)
        power = _powers(holding, exponent)
        count += ~np.isnan(holding)
        own += power
        raised += np.where(holding < floor, least, power)
    floored = limit > edition.whole("strength.floor-above")
    return {
        "entered": of.sums(np.ones(len(count), dtype=np.int64)),
        "players": of.sums(count),
        "power": np.where(floored, of.sums(raised), of.sums(own)),
        "unknown": _unknown(groups, of, count),
    }


def mean(power: int, players: int) -> Fraction:
    """Return F of so many players."""
    return Fraction(power, players * _UNIT)


def means(power: Ints, players: Ints) -> Multiples:
    """Return F of so many players each, to take multiples by."""
    # Few are needed exactly, and fractions take long to make.
    return Multiples(power / (players * _UNIT), lambda place: mean(int(power[place]), int(players[place])))


def _powers(holdings: Floats, exponent: float) -> Ints:
    """Return a power of each holding, in billionths, 0 where none is known."""
    powers = holdings**exponent
    # In place: new arrays for what comes between take longer than the sums.
    powers *= _UNIT
    np.rint(powers, out=powers)
    powers[np.isnan(powers)] = 0
    return powers.astype(np.int64)


def _unknown(groups: pd.DataFrame, of: Entrants, count: Ints) -> npt.NDArray[Any]:
    """Return the contestants whose holdings are not all known, of each group of a top stratum: it has everyone.

    count: the holdings that are known of each of those who entered.
    """
    kind, kinds = factorize_text(groups["event_type"])
    least = np.array([_AT_A_TABLE // PER_TABLE.get(each, 2) for each in kinds], dtype=np.int64)[kind]
    lacking = np.flatnonzero(count < np.maximum(least[of.top], named_players(of.contestants)))
    texts = np.full(len(groups), "", dtype=object)
    games, first, several = np.unique(of.top[lacking], return_index=True, return_counts=True)
    named = of.contestants[["section", "direction", "number"]].iloc[lacking[first]].to_dict("records")
    for row, each, number in zip(games, named, several, strict=True):
        direction = f"{each['direction']} " if isinstance(each["direction"], str) else ""
        more = f" and {number - 1} more" if number > 1 else ""
        texts[row] = f"{each['section']} {direction}{each['number']}{more}"
    return texts
