"""Doubts about strata that do not follow from the players' holdings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from resultproc.model.arrays import Bools, Floats
from resultproc.model.errors import Problem
from resultproc.model.frames import family_columns
from resultproc.model.game import StratifyBy, number_text
from resultproc.stages.doubts.facts import Facts, first_rows


def above_the_stratum(facts: Facts) -> Iterator[Problem]:
    """Yield contestants whose holdings are above the limit of their stratum, below the top one."""
    if not _has_letters_and_holdings(facts):
        return
    level, holding = facts.level, facts.holding
    with np.errstate(invalid="ignore"):
        above = (level > 0) & (holding > facts.strata.limits[facts.game, level])
    yield from _told(facts, above, holding, "above")


def below_the_stratum(facts: Facts) -> Iterator[Problem]:
    """Yield contestants in a higher stratum than their holdings put them in; of games that use no other, the first.

    A player who holds nothing may be one whose holding is not known.
    """
    if not _has_letters_and_holdings(facts):
        return
    level, holding, limits = facts.level, facts.holding, facts.strata.limits
    next_limit = np.append(limits, np.full((len(limits), 1), np.nan), axis=1)[facts.game, level + 1]
    with np.errstate(invalid="ignore"):
        below = (level >= 0) & (holding <= next_limit)
    for column in family_columns(facts.contestants, "mp"):
        below &= ~(facts.column(column) == 0)
    stratified = np.bincount(facts.game[level > 0], minlength=len(facts.games)) > 0
    unused = first_rows(facts.game, below & ~stratified[facts.game])
    for row in unused:
        stratum = facts.contestants["stratum"].iat[row]
        what = f"all are in stratum {stratum}, and {facts.called(row)} is one whose holdings are within a lower one"
        yield facts.of_contestant(row, what, "leave out strata if the game is not stratified, or correct the letters")
    below &= stratified[facts.game]
    yield from _told(facts, below, holding, "below")


def _has_letters_and_holdings(facts: Facts) -> bool:
    """Return whether there are strata of contestants, and holdings that they may not follow from."""
    return bool(family_columns(facts.contestants, "mp")) and bool(facts.contestants["stratum"].notna().any())


def _told(facts: Facts, at: Bools, holding: Floats, side: str) -> Iterator[Problem]:
    for row in np.flatnonzero(at).tolist():
        stratum = facts.contestants["stratum"].iat[row]
        average = facts.games["stratify_by"].iat[int(facts.game[row])] != StratifyBy.HIGHEST.value
        known = f"{number_text(round(float(holding[row]), 2))} masterpoints{' on average' if average else ''}"
        reach = "above the limit of its stratum" if side == "above" else "within a lower stratum than its own,"
        what = f"{facts.called(row)} holds {known}: that is {reach} {stratum}"
        yield facts.of_contestant(row, what, "correct the stratum, the holdings or strata; or declare stratify_by")
