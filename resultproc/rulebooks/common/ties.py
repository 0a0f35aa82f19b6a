"""Ties that reach past the last place that pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from resultproc.model.arrays import Ints, expand_counts
from resultproc.model.errors import RulebookError
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladders

Count = TypeVar("Count", int, Ints)


def with_ties_beyond(edition: Edition, ladders: Ladders) -> Ladders:
    """Return ladders whose awards below their depth are as :func:`beyond_depth` has them."""
    reading = edition.text("ties.beyond-depth")
    if reading == "extend":
        return ladders
    of, place = expand_counts(np.diff(ladders.start))
    kept = place < _kept(reading, ladders.depth)[of]
    return replace(ladders, awards=np.where(kept, ladders.awards, 0))


def beyond_depth(awards: Sequence[int], depth: int, reading: str) -> tuple[int, ...]:
    """Return a ladder whose awards below its depth are those that a tie for the last place pools.

    reading: ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    Raises RulebookError for any other reading.
    """
    kept = len(awards) if reading == "extend" else _kept(reading, depth)
    return (*awards[:kept], *[0] * (len(awards) - kept))


def _kept(reading: str, depth: Count) -> Count:
    if reading not in {"one", "none"}:
        raise RulebookError(f"unknown value '{reading}' of ties.beyond-depth", hint="write extend, one or none")
    return depth + 1 if reading == "one" else depth
