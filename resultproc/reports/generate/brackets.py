"""The matches of seeded knockout brackets."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Match = Callable[[int, int], bool]
"""Says whether the first of two teams beats the second."""


def played(teams: int, wins: Match) -> dict[int, list[str]]:
    """Return the matches of each team of a bracket, as the columns ``round1``, ``round2``, ... have them.

    1 meets the last, 2 the last but one; the best seeds may have byes. Who wins takes the place of the better seed.
    """
    rounds: dict[int, list[str]] = {team: [] for team in range(1, teams + 1)}
    alive = list(rounds)
    while len(alive) > 1:
        full = 1 << (len(alive) - 1).bit_length()
        left = []
        for place, team in enumerate(alive[: full // 2]):
            if full - 1 - place >= len(alive):
                rounds[team].append("bye")
                left.append(team)
                continue
            other = alive[full - 1 - place]
            winner, loser = (team, other) if wins(team, other) else (other, team)
            rounds[winner].append(f"W {loser}")
            rounds[loser].append(f"L {winner}")
            left.append(winner)
        alive = left
    return rounds


@cache
def seeded(teams: int) -> dict[int, list[str]]:
    """Return the matches of each team of a bracket in which the better seed wins every match."""
    return played(teams, lambda team, other: team < other)
