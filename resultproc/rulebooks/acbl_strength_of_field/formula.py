"""The formula: from the size, length and strength of a field to the overall awards by place, unrounded.

Powers are taken to fifty digits: only the awards themselves are rounded, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Floats, Ints, factorize_text, family_columns, known_players, row_dicts
from resultproc.model.errors import RulebookError
from resultproc.model.game import PER_TABLE, EventType
from resultproc.model.group import Entrants, Members
from resultproc.rulebooks.acbl_general_formula.formula import depth_class
from resultproc.rulebooks.common.exact import Multiples, decimal_of, half_up, power, shortened, times
from resultproc.rulebooks.core import Edition


@dataclass(frozen=True)
class FieldEntered:
    """What the awards of an event, or of a stratum as an event of its own, follow from."""

    event_type: str  # pairs, teams and so on: what a table of the rulebook is found by
    entrants: int  # N, its pairs, teams or players
    rate: Fraction  # R
    sessions: Fraction  # S, in whole sessions
    strength: Fraction  # F


def session_equivalents(edition: Edition, sessions: int, boards: int, limit: float) -> Fraction:
    """Return S: the sessions of an event in whole sessions.

    boards: how many each session has.
    limit: the upper masterpoint limit that decides whether short sessions count as whole ones.
    """
    full_from, full_to = edition.number("session-boards.full-from"), edition.number("session-boards.full-to")
    limited = limit <= edition.number("session-boards.limited-to") and boards >= edition.number(
        "session-boards.limited-from"
    )
    if boards > full_to:
        return sessions * boards / full_to
    if boards >= full_from or limited:
        return Fraction(sessions)
    return sessions * (boards + full_from) / (2 * full_from)


def counted_entrants(edition: Edition, event_type: str, entrants: int) -> Fraction:
    """Return N': the entrants that the first award goes by, fewer than there are in a very large field."""
    whole = edition.number(f"entrants.whole.{depth_class(event_type)}")
    if entrants <= whole:
        return Fraction(entrants)
    return whole * power(entrants / whole, _ratio(edition.numbers("entrants.beyond")))


def first_award(edition: Edition, field: FieldEntered) -> Fraction:
    """Return A(1)."""
    return shortened(
        edition.number("event-factor")
        * edition.number("first.factor")
        * (field.rate / edition.number("first.rate"))
        * (field.strength / edition.number("first.strength"))
        * _of_size(edition, field.event_type, field.entrants, field.sessions)
    )


def _of_size(edition: Edition, event_type: str, entrants: int, sessions: Fraction) -> Fraction:
    """Return the factor of A(1) by which it grows with the entrants and the sessions."""
    counted = counted_entrants(edition, event_type, entrants)
    if depth_class(event_type) == "teams":
        counted *= edition.number("first.teams")
    return power(counted * sessions, edition.number("first.exponent")) * power(
        sessions / edition.number("first.sessions"), _ratio(edition.numbers("first.long"))
    )


def total(edition: Edition, field: FieldEntered) -> Fraction:
    """Return T: about what all places are to get together."""
    rate = field.rate / edition.number("first.rate")
    share = edition.number("event-factor") * edition.number("total.factor") * rate
    return share * field.entrants * field.sessions * field.strength


def tables_of_entrants(edition: Edition, event_type: str, entrants: int) -> Fraction:
    """Return the tables that a number of entrants take up, a part of one counted as a whole one."""
    tables = Fraction(entrants, PER_TABLE[event_type])
    unrounded = event_type == EventType.INDIVIDUAL and edition.text("entrants.individual-tables") == "unrounded"
    return tables if unrounded else Fraction(ceil(tables))


def quarter(edition: Edition, event_type: str, entrants: int) -> int:
    """Return P as it is within D: a quarter of the seats at as many tables as the entrants take up."""
    seats = tables_of_entrants(edition, event_type, entrants) * PER_TABLE[event_type]
    return half_up(edition.number("decay.places") * seats)


def decay(edition: Edition, field: FieldEntered) -> Fraction:
    """Return D; raise RulebookError where the rulebook's values leave nothing, or too much, for the lower places."""
    p = quarter(edition, field.event_type, field.entrants)
    whole = total(edition, field)
    share = first_award(edition, field) / whole if whole else Fraction(0)
    d = shortened(1 - share * p / (p + edition.number("decay.added")))
    if not 0 < d <= 1:
        what = f"the first award is {float(share):.3g} of what all places share"
        raise RulebookError(what, hint="correct the rulebook's values: D must be between 0 and 1")
    return d


def awards_by_strength(edition: Edition, field: FieldEntered, paid: int, places: int) -> Sequence[Fraction]:
    """Return the awards of the first places, unrounded.

    Past the places that pay, where only ties look, an award is never above the one before it.

    paid, places: how many pay, and how many are wanted, more where a tie may need them.
    """
    d = decay(edition, field)
    by_places = edition.text("decay.exponent-reading") == "places paid"
    p = max(1, paid if by_places else quarter(edition, field.event_type, field.entrants))
    exponent = edition.number("decay.power")
    # As decimals of fifty digits, which multiply much faster than fractions.
    ratio, step = decimal_of(power(d, -exponent / p)), decimal_of(power(d, exponent))
    award, second = decimal_of(first_award(edition, field)), decimal_of(edition.number("decay.second"))
    found = [award]
    for place in range(2, places + 1):
        award = times(award, min(step, second) if place == 2 else step)
        found.append(award)
        step = min(Decimal(1), times(step, ratio))
    return [Fraction(each) for each in found[:places]]


def of_strength_one(edition: Edition, field: FieldEntered, paid: int, places: int) -> Multiples:
    """Return the awards of a field of strength 1; those of any other are larger by its strength.

    Both A(1) and T are a multiple of F, so that D and every place's share of A(1) do not depend on it.

    paid, places: as for :func:`awards_by_strength`.
    """
    return Multiples.of(awards_by_strength(edition, field, paid, places))


def _ratio(parts: Sequence[Fraction]) -> Fraction:
    numerator, denominator = parts
    return numerator / denominator


_UNIT = 10**9
"""Powers are added up in billionths, as integers: F does not depend on the order of the contestants."""

_AT_A_TABLE = 4


def strengths(edition: Edition, groups: pd.DataFrame, limit: Floats, members: Members) -> dict[str, npt.NDArray[Any]]:
    """Return, per group, who ``entered``, how many ``players`` they are, the ``power`` of their holdings, ``unknown``.

    All who entered count, eligible for the ranks or not. ``power`` is in billionths. ``unknown`` names the contestants
    of a game that do not give every player's holding, '' for none.

    groups: comparison groups beside the keys of their games.
    limit: per group, the upper limit that decides whether the floor holds.
    members: who is ranked in the groups, and with that who entered them.
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
    """Return F of a number of players."""
    return Fraction(power, players * _UNIT)


def means(power: Ints, players: Ints) -> Multiples:
    """Return F of each number of players, to take multiples by."""
    # Few are needed exactly, and fractions take long to make.
    return Multiples(power / (players * _UNIT), lambda at: mean(int(power[at]), int(players[at])))


def _powers(holdings: Floats, exponent: float) -> Ints:
    """Return a power of each holding, in billionths, 0 where none is known."""
    powers = holdings**exponent
    # In place: new arrays for what comes between take longer than the sums.
    powers *= _UNIT
    np.rint(powers, out=powers)
    powers[np.isnan(powers)] = 0
    return powers.astype(np.int64)


def _unknown(groups: pd.DataFrame, of: Entrants, count: Ints) -> npt.NDArray[Any]:
    """Return the contestants whose holdings are not all known, for each group of a top stratum, which has everyone.

    count: the holdings that are known of each of those who entered.
    """
    kind, kinds = factorize_text(groups["event_type"])
    least = np.array([_AT_A_TABLE // PER_TABLE.get(each, 2) for each in kinds], dtype=np.int64)[kind]
    lacking = np.flatnonzero(count < np.maximum(least[of.top], known_players(of.contestants)))
    texts = np.full(len(groups), "", dtype=object)
    games, first, several = np.unique(of.top[lacking], return_index=True, return_counts=True)
    named = row_dicts(of.contestants[["section", "direction", "number"]].iloc[lacking[first]])
    for row, each, number in zip(games, named, several, strict=True):
        direction = f"{each['direction']} " if isinstance(each["direction"], str) else ""
        more = f" and {number - 1} more" if number > 1 else ""
        texts[row] = f"{each['section']} {direction}{each['number']}{more}"
    return texts
