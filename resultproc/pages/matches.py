"""The matches of teams: a knockout's bracket as it is drawn, and Swiss teams round by round.

A bracket has its rounds, who met whom in each, and who went on. A Swiss team has in each round whom it met, IMPs,
victory points, and its place after it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import pandas as pd

from resultproc.model.arrays import family_columns, family_number
from resultproc.model.frames import FrameRow
from resultproc.model.places import place_text
from resultproc.model.text import cell_text
from resultproc.model.values import swiss_matches
from resultproc.pages.recap import ROUNDED

MEANING = "W 5: won against team 5. L 5: lost to it. F 5: forfeited to it. bye: met nobody."
"""What the matches of a team's row mean."""


class Side(NamedTuple):
    """A team in a match."""

    at: int  # its row in the contestants frame
    number: str  # its number
    name: str  # its first player
    won: bool  # whether it went on
    said: str = ""  # what is told of it besides, such as that it forfeited


@dataclass(frozen=True)
class Drawn:
    """A round: what it is called, and its matches from the top of the bracket down, each with the teams that met."""

    title: str
    matches: Sequence[Sequence[Side]]


def opponents_met(rows: pd.DataFrame) -> Iterator[tuple[int, int]]:
    """Yield each team of one game with each that it met, by their rows: in Swiss rounds, and in those of a knockout."""
    for team, course in courses(rows).items():
        yield from ((team, other) for each in course.rounds for other in each.opponents)
    for drawn in brackets(rows).values():
        for match in (match for round in drawn for match in round.matches):
            yield from permutations((side.at for side in match), 2)


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
    rows: Mapping[Hashable, FrameRow] = teams.to_dict("index")
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
        for match in played:
            match.sort(key=lambda side: not side.won)
        drawn.append(Drawn("Play-off", played))
    return drawn


_MATCH = re.compile(r"([WLF]) (\S+)")


def _met(rows: Mapping[Hashable, FrameRow], name: str) -> list[list[int]]:
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


def _side(row: FrameRow, at: int, name: str, after: str) -> Side:
    """Return a team in a round. after: the next round, '' for the last one."""
    text = row[name] if isinstance(row[name], str) else ""
    results = [result for result, _ in _MATCH.findall(text)]
    won = isinstance(row[after], str) if after else bool(results) and set(results) == {"W"}
    said = "forfeited" if "F" in results else "bye" if text == "bye" else ""
    if len(results) > 1:
        said = ", ".join(filter(None, [f"{results.count('W')} of {len(results)} won", said]))
    first = row.get("player1")
    return Side(at, cell_text(row["number"]), cell_text(first) if isinstance(first, str) else "", won, said)


class Round(NamedTuple):
    """A round of a team."""

    number: int  # of the round
    # The rows of the contestants frame of those it met, none for a bye; a number that nobody has is left out.
    opponents: tuple[int, ...]
    said: str  # their numbers, or bye
    imps: int | None  # what it won by; None where that is not known
    points: float | None  # its victory points; None where they are not known
    total: float | None  # its victory points so far, with what it carried over; None once any are not known
    place: str  # after the round, in its section; '' where totals are not known


class TeamRounds(NamedTuple):
    """The rounds of a team, and whether its matches and what it carried over are all of its score."""

    rounds: Sequence[Round]
    whole: bool


def courses(rows: pd.DataFrame) -> dict[int, TeamRounds]:
    """Return the rounds of each team of one game that lists any, by its row of the contestants frame."""
    columns = [name for name in family_columns(rows, "swiss") if rows[name].notna().any()]
    found: dict[int, TeamRounds] = {}
    for _, section in rows.groupby("section", sort=False) if columns else ():
        teams = {int(str(at)): row for at, row in section.to_dict("index").items()}
        listed = {at: _rounds(row, columns, teams) for at, row in teams.items()}
        totals: dict[int, list[float | None]] = {}
        for each in (each for rounds in listed.values() for each in rounds):
            totals.setdefault(each.number, []).append(each.total)
        for at, rounds in listed.items():
            placed = [each._replace(place=_place(each.total, totals[each.number])) for each in rounds]
            if placed:
                last, score = placed[-1].total, teams[at]["score"]
                found[at] = TeamRounds(placed, last is None or pd.isna(score) or abs(last - score) < ROUNDED)
    return found


def _rounds(row: FrameRow, columns: Sequence[str], teams: Mapping[int, FrameRow]) -> list[Round]:
    """Return the rounds of a team, without places."""
    numbers = {each["number"]: at for at, each in teams.items()}
    carried = row.get("carryover")
    total: float | None = 0.0 if carried is None or pd.isna(carried) else float(carried)
    found = []
    for name in columns:
        if not isinstance(row[name], str):
            continue
        matches = swiss_matches(row[name])
        points = [match.points for match in matches if match.points is not None]
        imps = [match.imps for match in matches if match.imps is not None]
        own = round(sum(points), 4) if len(points) == len(matches) else None
        total = None if own is None or total is None else round(total + own, 4)
        opponents = tuple(numbers[match.other] for match in matches if match.other in numbers)
        said = ", ".join(cell_text(match.other) or "bye" for match in matches)
        known = sum(imps) if imps else None
        found.append(Round(family_number(name), opponents, said, known, own, total, ""))
    return found


def _place(total: float | None, totals: Sequence[float | None]) -> str:
    """Return the place of a total among all after a round, '' where not all are known."""
    known = [each for each in totals if each is not None]
    if total is None or len(known) < len(totals):
        return ""
    return place_text(1 + sum(each > total for each in known), known.count(total))
