"""The doubts about the matches of Swiss teams: what one of two teams says of a match, and the other does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from resultproc.model.arrays import family_columns, family_number
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.values import SwissMatch, swiss_matches
from resultproc.stages.doubts.rows import of_games


def unanswered(facts: Facts) -> Iterator[Problem]:
    """Yield the teams with a match that the other team does not have, or has with other IMPs."""
    columns = family_columns(facts.contestants, "swiss")
    if not columns:
        return
    section, numbers = facts.sections.section.tolist(), facts.contestants["number"].tolist()
    team_of = {(each, number): row for row, (each, number) in enumerate(zip(section, numbers, strict=True))}
    found: dict[int, str] = {}
    for name in columns:
        texts = facts.contestants[name]
        played = {int(row): swiss_matches(texts.iloc[row]) for row in np.flatnonzero(texts.notna())}
        for row, match in chain.from_iterable(((row, one) for one in each) for row, each in played.items()):
            other = team_of.get((section[row], match.other), -1)
            said = _wrong(match, other, played, numbers[row]) if match.other else ""
            if said:
                found.setdefault(row, f"round {family_number(name)}: {said}")
    rows = np.array(sorted(found), dtype=np.int64)
    notes = [found[row] for row in sorted(found)]
    yield from of_games(
        facts,
        rows,
        notes,
        lambda at: f"a match is not the other team's: {notes[at]}",
        lambda _, counted: f"{counted} have a match that is not the other team's",
        "correct the opponent's number or the IMPs; places and awards go by the scores, and are as they were",
    )


def _wrong(match: SwissMatch, other: int, played: Mapping[int, Sequence[SwissMatch]], own: str) -> str:
    """Return what is wrong with a match, '' for nothing. other: the row of the other team, -1 for none."""
    if other < 0:
        return f"there is no team {match.other}"
    answers = [each for each in played.get(other, ()) if each.other == own]
    if not answers:
        return f"team {match.other} did not meet team {own}"
    imps = [each.imps for each in answers]
    if match.imps is None or None in imps or -match.imps in imps:
        return ""
    return f"{match.imps:+d} IMPs, and {imps[0]:+d} of team {match.other}"
