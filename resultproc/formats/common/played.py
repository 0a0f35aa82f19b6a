"""How many boards each contestant was to play, from the results of boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from resultproc.formats.common.sheets import Draft, Facts
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType

_WHOLE_SESSIONS = (None, EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events whose key ``boards`` is of a session; in Swiss teams and knockouts it is of a match."""


class SessionBoards(int):
    """A number of boards that a title counts: those of a session, whatever the event turns out to be."""


Seat = tuple[str, str, str, str]
"""A contestant: its game, section, direction ('' for none) and number."""


def with_boards_played(draft: Draft) -> Draft:
    """Return a draft with the boards of its games of one session that list their results and do not say how many.

    It is the most that anybody played: who sat out was to play as many.
    """
    unsaid = {fact["game_id"] for fact in draft.facts if _is_unsaid(fact)}
    if not unsaid or not len(draft.boards):
        return draft
    played: dict[str, int] = {}
    for (game, *_), count in Counter(seat for seat, _ in set(_sat(draft))).items():
        played[game] = max(count, played.get(game, 0))
    facts = [
        fact | {"boards": played[fact["game_id"]]} if fact["game_id"] in unsaid & played.keys() else fact
        for fact in draft.facts
    ]
    return replace(draft, facts=facts)


def _is_unsaid(fact: Facts) -> bool:
    several = fact.get("sessions") not in {None, 1}
    return fact.get("boards") is None and not several and fact.get("event_type") in _WHOLE_SESSIONS


def _sat(draft: Draft) -> Iterator[tuple[Seat, tuple[int, int]]]:
    """Yield the contestants of each result that are listed, with its session and board."""
    rows, boards = draft.rows, draft.boards
    said = (rows["game_id"], rows["section"], [each or "" for each in rows.get("direction")], rows["number"])
    listed = set(zip(*said, strict=True))
    one_winner = {(game, section) for game, section, direction, _ in listed if not direction}
    for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
        results = (boards[name] for name in ("game_id", "section", side, "session", "board"))
        for game, section, number, *board in zip(*results, strict=True):
            seat = (game, section, "" if (game, section) in one_winner else direction, str(number))
            if seat in listed:
                yield seat, (board[0], board[1])
