"""A bracket of a knockout as it is drawn: its rounds, who met whom in each, and who went on."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from resultproc.model.arrays import family_columns
from resultproc.model.values import cell_text

MEANING = "W 5: won against team 5. L 5: lost to it. F 5: forfeited to it. bye: met nobody."
"""What the matches of a team's row mean."""


class Side(NamedTuple):
    """A team in a match: its row in the contestants frame, its number, its first player, and whether it went on.

    said: what is told of it besides, such as that it forfeited.
    """

    at: int
    number: str
    name: str
    won: bool
    said: str = ""


@dataclass(frozen=True)
class Drawn:
    """A round: what it is called, and its matches from the top of the bracket down, each with the teams that met."""

    title: str
    matches: Sequence[Sequence[Side]]


def brackets(rows: pd.DataFrame) -> dict[str, list[Drawn]]:
    """Return the rounds of each bracket of a knockout, by its section, with the play-offs last.

    rows: the contestants of one game. A section without matches is left out.
    """
    rounds = family_columns(rows, "round")
    found = {}
    for section, teams in rows.groupby("section", sort=False):
        there = [name for name in rounds if teams[name].notna().any()]
        if there:
            found[str(section)] = _bracket(teams, there)
    return found


def _bracket(teams: pd.DataFrame, rounds: Sequence[str]) -> list[Drawn]:
    rows: Mapping[Hashable, Mapping[Any, Any]] = teams.to_dict("index")
    last = len(rounds) - 1
    drawn: list[Drawn] = []
    below: list[int] = []
    for n in range(last, -1, -1):
        after = rounds[n + 1] if n < last else ""
        met = _met(rows, rounds[n])
        # What a match leads to in the next round says how far down it stands.
        order = {at: place for place, at in enumerate(below)}
        met.sort(key=lambda match: min(order.get(at, len(rows)) for at in match))
        below = [at for match in met for at in match]
        sides = [[_side(rows[at], at, rounds[n], after) for at in match] for match in met]
        title = "Final" if n == last and len(met) == 1 else f"Round {n + 1}"
        drawn.append(Drawn(title, sides))
    drawn.reverse()
    if "playoff" in teams and teams["playoff"].notna().any():
        played = [[_side(rows[at], at, "playoff", "") for at in match] for match in _met(rows, "playoff")]
        drawn.append(Drawn("Play-off", played))
    return drawn


_MATCH = re.compile(r"([WLF]) (\S+)")


def _met(rows: Mapping[Hashable, Mapping[Any, Any]], name: str) -> list[list[int]]:
    """Return who met in a round: the rows of the teams of each match, in the order of the sheet."""
    numbers = {row["number"]: int(str(at)) for at, row in reversed(list(rows.items()))}
    match_of: dict[int, list[int]] = {}
    for at, row in rows.items():
        if not isinstance(row[name], str):
            continue
        team = int(str(at))
        others = [numbers[other] for _, other in _MATCH.findall(row[name]) if other in numbers]
        match = match_of.setdefault(team, [team])
        for other in others:
            if match_of.get(other) is not match:
                match += match_of.get(other, [other])
                match_of |= dict.fromkeys(match, match)
    return list({id(match): sorted(match) for match in match_of.values()}.values())


def _side(row: Mapping[Any, Any], at: int, name: str, after: str) -> Side:
    """Return a team in a round. after: the next round, '' of the last one."""
    text = row[name] if isinstance(row[name], str) else ""
    results = [result for result, _ in _MATCH.findall(text)]
    won = isinstance(row[after], str) if after else bool(results) and set(results) == {"W"}
    said = "forfeited" if "F" in results else "bye" if text == "bye" else ""
    if len(results) > 1:
        said = ", ".join(filter(None, [f"{results.count('W')} of {len(results)} won", said]))
    first = row.get("player1")
    return Side(at, cell_text(row["number"]), cell_text(first) if isinstance(first, str) else "", won, said)
