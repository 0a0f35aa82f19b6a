"""Ties that reach past the last place that pays."""

from __future__ import annotations

from collections.abc import Sequence

from resultproc.model.errors import RulebookError


def beyond_depth(awards: Sequence[int], depth: int, reading: str) -> tuple[int, ...]:
    """Return a ladder whose awards below its depth are those that a tie for the last place pools.

    reading: ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    Raises RulebookError for any other reading.
    """
    kept = {"extend": len(awards), "one": depth + 1, "none": depth}.get(reading)
    if kept is None:
        raise RulebookError(f"unknown value '{reading}' of ties.beyond-depth", hint="write extend, one or none")
    return tuple(award if place < kept else 0 for place, award in enumerate(awards))
