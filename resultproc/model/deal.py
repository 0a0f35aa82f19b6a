"""What the number of a board tells: who dealt it, and who was vulnerable (Laws of Duplicate Bridge 2017, Law 2)."""

from __future__ import annotations

from resultproc.model.game import EAST_WEST, NORTH_SOUTH

SEATS = ("N", "E", "S", "W")
"""The seats, clockwise."""

_VULNERABLE = ("none", NORTH_SOUTH, EAST_WEST, "both")


def dealer(board: int) -> str:
    """Return the seat that dealt a board: N, E, S or W."""
    return SEATS[(board - 1) % 4]


def vulnerable(board: int) -> str:
    """Return who was vulnerable on a board: ``none``, ``N-S``, ``E-W`` or ``both``."""
    place = (board - 1) % 16
    return _VULNERABLE[(place + place // 4) % 4]
