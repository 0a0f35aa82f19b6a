"""Ties that reach past the last place that pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from resultproc.model.errors import RulebookError
from resultproc.model.group import Group
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladder, Shape


def with_ties_beyond(edition: Edition, shape: Shape) -> Shape:
    """Return a shape whose ladders are those of another, below their depth as :func:`beyond_depth` has them."""
    reading = edition.text("ties.beyond-depth")
    if reading == "extend":
        return shape

    def ladder(group: Group, reach: int) -> Ladder:
        whole = shape(group, reach)
        return replace(whole, awards=beyond_depth(whole.awards, whole.depth, reading))

    return ladder


def beyond_depth(awards: Sequence[int], depth: int, reading: str) -> tuple[int, ...]:
    """Return a ladder whose awards below its depth are those that a tie for the last place pools.

    reading: ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    Raises RulebookError for any other reading.
    """
    kept = {"extend": len(awards), "one": depth + 1, "none": depth}.get(reading)
    if kept is None:
        raise RulebookError(f"unknown value '{reading}' of ties.beyond-depth", hint="write extend, one or none")
    return (*awards[:kept], *[0] * (len(awards) - kept))
