"""Comparison groups of knockouts as their ladders need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, dense_codes, distinct_rows, factorize_objects, first_rows
from resultproc.model.basis import MATCHES, basis_mask
from resultproc.model.errors import InputError
from resultproc.model.frames import categorical
from resultproc.model.group import Groups
from resultproc.model.knockout import Knockouts
from resultproc.rulebooks.acbl_knockout.first import first_awards
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition

EVENT = (
    *("event_limit", "rating", "event_type", "sessions", "boards", "restrictions", "special", "championship"),
    "other_site_tables",
)
"""The fields of a group that its awards depend on and that its event declares."""


@dataclass(frozen=True, eq=False)
class Brackets:
    """The brackets of some knockouts, and their first awards, unrounded, each distinct one once, or what is wrong."""

    knockouts: Knockouts
    firsts: Sequence[First | InputError]


def knockouts_of(frame: pd.DataFrame) -> Knockouts:
    """Return what the column ``knockout`` of a frame of knockouts has: it is the same for all."""
    (found,) = frame["knockout"].cat.categories
    assert isinstance(found, Knockouts)
    return found


def brackets_of(groups: Groups) -> Brackets:
    """Return what the column ``brackets`` of groups that are taken apart has: it is the same for all."""
    (found,) = groups.frame["brackets"].cat.categories
    assert isinstance(found, Brackets)
    return found


def taken_apart(edition: Edition, groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the bracket that they played in, its first award, and their finish.

    Of a bracket counts how it went, and what its first award is: few are different. Of teams that are compared by
    matches counts how many they won, and in a bracket of how many teams and rounds and which limit.
    """
    knockouts = knockouts_of(groups)
    run = groups["run"].to_numpy()
    bracket, finish = knockouts.played[run], knockouts.ended[run]
    by_matches = basis_mask(groups["basis"], lambda basis: basis == MATCHES)
    first, firsts = _firsts(edition, groups, knockouts, bracket, np.flatnonzero(~by_matches))
    number, alike = distinct_rows(
        pd.DataFrame({"teams": knockouts.teams, "rounds": knockouts.rounds, "limit": knockouts.limit})
    )
    went_alike = first_rows(knockouts.course, len(knockouts.courses))
    wins, distinct_wins = factorize_objects(each.matches for each in knockouts.finishes)
    won = first_rows(wins, len(distinct_wins))[wins]
    return groups.assign(
        brackets=categorical(np.zeros(len(groups), dtype=np.int8), [Brackets(knockouts, firsts)]),
        bracket_played=np.where(by_matches, alike[number[bracket]], went_alike[knockouts.course[bracket]]),
        first=first,
        finish=np.where(by_matches, won[finish], finish),
    )


def _firsts(
    edition: Edition, groups: pd.DataFrame, knockouts: Knockouts, bracket: Ints, overall: Ints
) -> tuple[Ints, list[First | InputError]]:
    """Return the number of the first award of each group's bracket, 0 for those not compared overall, and the awards.

    bracket: of each group. overall: the groups that are compared overall.
    """
    first = np.zeros(len(groups), dtype=np.int64)
    if not len(overall):
        return first, []
    game, games = dense_codes(groups["game"].to_numpy())
    of_game = first_rows(game, len(games))
    # Column by column, which is faster than to take rows of many groups.
    declared = pd.DataFrame({name: groups[name].array.take(of_game) for name in EVENT}, copy=False)
    event, rows = distinct_rows(declared)
    events = list(Groups(declared.iloc[rows]).each())
    first[overall], firsts = first_awards(edition, events, event[game[overall]], knockouts, bracket[overall])
    return first, firsts
