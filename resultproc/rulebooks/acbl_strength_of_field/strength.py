"""F, the strength of a field: the average over its players of a power of their holdings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.frames import named_players, players
from resultproc.model.game import PER_TABLE, EventType
from resultproc.model.sections import numbered
from resultproc.rulebooks.common.exact import Multiples
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members

Ints = npt.NDArray[np.int64]

_UNIT = 10**9
"""Powers are added up in billionths, as integers: F does not depend on the order of the contestants."""

_AT_A_TABLE = 4


def strengths(edition: Edition, groups: pd.DataFrame, limit: pd.Series[float], members: Members) -> pd.DataFrame:
    """Return, per group, who ``entered``, how many ``players`` they are, the ``power`` of their holdings, ``unknown``.

    groups: comparison groups beside the keys of their games. limit: per group, the upper limit that decides whether
    the floor holds. All who entered count, eligible for the ranks or not. ``power`` is in billionths. ``unknown`` names
    the contestants of a game that do not give every player's holding, '' for none.
    """
    of = members.entrants(groups)
    group = of["group"].to_numpy()
    member, rows = numbered(of["contestant"].to_numpy())
    contestants = members.contestants.iloc[rows]
    known = _holdings(contestants)
    exponent, floor = (float(edition.number(f"strength.{name}")) for name in ("exponent", "floor"))
    floored = (limit > edition.whole("strength.floor-above")).to_numpy()[group]
    own = _powers(known, exponent)
    raised = np.where(known < floor, _powers(np.array([floor]), exponent), own)
    power = np.where(floored, raised.sum(axis=1)[member], own.sum(axis=1)[member])
    count = (~np.isnan(known)).sum(axis=1)
    return pd.DataFrame(
        {
            "entered": np.bincount(group, minlength=len(groups)),
            "players": _sums(count[member], group, len(groups)),
            "power": _sums(power, group, len(groups)),
            "unknown": _unknown(groups, contestants, count, group, member),
        }
    )


def mean(power: int, players: int) -> Fraction:
    """Return F of so many players."""
    return Fraction(power, players * _UNIT)


def means(power: Ints, players: Ints) -> Multiples:
    """Return F of so many players each, to take multiples by."""
    # Few are needed exactly, and fractions take long to make.
    return Multiples(power / (players * _UNIT), lambda place: mean(int(power[place]), int(players[place])))


def shown_mean(times: Fraction = Fraction(1)) -> Callable[[int, int], float]:
    """Return what gives F of so many players, so many times, from their power, as the nearest float: to be shown."""
    # Thousands are shown: whole numbers divide much faster than fractions.
    over, under = times.numerator, times.denominator * _UNIT
    return lambda power, players: over * power / (under * players)


def _holdings(contestants: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the players' holdings, contestants x players, NaN where none is known."""
    columns = players(contestants, "mp")
    return contestants[columns].to_numpy(dtype=np.float64).reshape(len(contestants), len(columns))


def _powers(holdings: npt.NDArray[np.float64], exponent: float) -> Ints:
    """Return a power of each holding, in billionths, 0 where none is known."""
    return np.asarray(np.rint(np.nan_to_num(holdings**exponent) * _UNIT).astype(np.int64), dtype=np.int64)


def _sums(values: Ints, group: Ints, groups: int) -> Ints:
    sums = np.zeros(groups, dtype=np.int64)
    np.add.at(sums, group, values)
    return sums


def _unknown(groups: pd.DataFrame, contestants: pd.DataFrame, count: Ints, group: Ints, member: Ints) -> list[str]:
    """Return the contestants whose holdings are not all known, of each group of a top stratum: it has everyone."""
    named = named_players(contestants)
    event_type = groups["event_type"].map({kind.value: _AT_A_TABLE // PER_TABLE.get(kind, 2) for kind in EventType})
    least = np.maximum(event_type.to_numpy()[group], named[member])
    lacking = (count[member] < least) & (groups["level"].to_numpy() == 0)[group]
    texts = [""] * len(groups)
    for row in np.unique(group[lacking]):
        first, *others = contestants.iloc[member[lacking & (group == row)]].to_dict("records")
        direction = f"{first['direction']} " if isinstance(first["direction"], str) else ""
        more = f" and {len(others)} more" if others else ""
        texts[row] = f"{first['section']} {direction}{first['number']}{more}"
    return texts
