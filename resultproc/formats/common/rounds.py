"""The matches of Swiss teams, round by round: whom a team met, IMPs, victory points, and its place after each."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from resultproc.model.arrays import family_columns, family_number
from resultproc.model.values import cell_text, place_text, swiss_matches


class Round(NamedTuple):
    """A round of a team.

    number: of the round.
    opponents: the rows of the contestants frame of those it met, none for a bye; a number that nobody has is left out.
    said: their numbers, or bye.
    imps, points: what it won by, and its victory points; None where they are not known.
    total: its victory points so far, with what it carried over; None once any are not known.
    place: after the round, in its section; '' where totals are not known.
    """

    number: int
    opponents: tuple[int, ...]
    said: str
    imps: int | None
    points: float | None
    total: float | None
    place: str


class Course(NamedTuple):
    """The rounds of a team, and whether its matches and what it carried over are all of its score."""

    rounds: Sequence[Round]
    whole: bool


def courses(rows: pd.DataFrame) -> dict[int, Course]:
    """Return the rounds of each team of one game that lists any, by its row of the contestants frame."""
    columns = [name for name in family_columns(rows, "swiss") if rows[name].notna().any()]
    found: dict[int, Course] = {}
    for _, section in rows.groupby("section", sort=False) if columns else ():
        teams = {int(str(at)): row for at, row in section.to_dict("index").items()}
        listed = {at: _rounds(row, columns, teams) for at, row in teams.items()}
        placed = _placed(listed)
        for at, row in teams.items():
            if placed[at]:
                last, score = placed[at][-1].total, row["score"]
                found[at] = Course(placed[at], last is None or pd.isna(score) or abs(last - score) < _ROUNDED)
    return found


_ROUNDED = 0.011
"""Totals that differ by less are the same, rounded."""


def _rounds(row: Mapping[Hashable, Any], columns: Sequence[str], teams: Mapping[int, Mapping[Any, Any]]) -> list[Round]:
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


def _placed(listed: Mapping[int, Sequence[Round]]) -> dict[int, list[Round]]:
    """Return the rounds of the teams of a section with their places, where all that played so far have totals."""
    totals: dict[int, list[float | None]] = {}
    for rounds in listed.values():
        for each in rounds:
            totals.setdefault(each.number, []).append(each.total)
    return {
        at: [each._replace(place=_place(each.total, totals[each.number])) for each in of] for at, of in listed.items()
    }


def _place(total: float | None, totals: Sequence[float | None]) -> str:
    known = [each for each in totals if each is not None]
    if total is None or len(known) < len(totals):
        return ""
    return place_text(1 + sum(each > total for each in known), known.count(total))
