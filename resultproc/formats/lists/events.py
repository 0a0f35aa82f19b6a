"""What kind of event a list is of, and in which movement it was played, as its contestants and titles tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from resultproc.formats.common.field import RoundBoards, TitledMovement, directions_of
from resultproc.formats.common.sheets import Draft, Facts
from resultproc.formats.lists.words import events_named, names_for
from resultproc.model.codes import EVENT_TOLD, TITLE_NOT_TAKEN
from resultproc.model.errors import Problem, shown
from resultproc.model.game import EventType, Movement

_TEAM = 4
"""The fewest players of a team."""


def with_event_type(draft: Draft, known: Sequence[Facts]) -> Draft:
    """Return a draft of a game with the type of event that its names and titles tell, where nothing declares it.

    Four names a row are a Swiss where a title says so, or VPs stand below ``6 matches of 7 boards``; one name is
    an individual where a title or the heading does. A remark says what it was taken from.

    known: the facts of the games, those of the settings included.
    """
    if len(known) > 1 or known[0].get("event_type") is not None:
        return draft
    count = _names_a_row(draft)
    if count != 1 and count < _TEAM:
        return draft
    (fact,) = draft.facts
    heads = [column.head for each in draft.understood.lists for column in each.columns]
    said = " ".join([str(fact.get("event") or ""), *(told.text for told in draft.understood.told)])
    kind, why = (_of_teams if count >= _TEAM else _of_players)(said, heads, fact)
    if not kind:
        return draft
    what = f"event_type is not declared: it is taken for {kind}, as {why}"
    hint = "if it was another, declare event_type"
    remark = Problem(what, "", hint, shown(str(fact["source"])), code=EVENT_TOLD)
    return replace(draft, facts=[fact | {"event_type": kind}], remarks=(*draft.remarks, remark))


def _names_a_row(draft: Draft) -> int:
    """Return how many names the rows have: the fewest that any has where that is more than one; 0 for others."""
    players = [draft.rows[name] for name in draft.rows if name.startswith("player") and name[6:].isdecimal()]
    if not players or not len(draft.rows):
        return 0
    counts = [sum(name is not None for name in names) for names in zip(*players, strict=True)]
    return min(counts) if min(counts) > 1 else int(set(counts) == {1})


def _of_teams(said: str, heads: Sequence[str], fact: Facts) -> tuple[str, str]:
    if "swiss" in events_named(said):
        return EventType.SWISS.value, "its title says Swiss, and each row names a team"
    if isinstance(fact.get("boards"), RoundBoards) and any("vps" in names_for(head) for head in heads):
        return EventType.SWISS.value, "its title counts matches, and each row has a team and its VPs"
    return "", ""


def _of_players(said: str, heads: Sequence[str], _: Facts) -> tuple[str, str]:
    named = events_named(" ".join([said, *heads]))
    if "individual" in named and not named & {"pairs", "teams"}:
        return EventType.INDIVIDUAL.value, "its title says so, and each row has one name"
    return "", ""


def with_movement(draft: Draft) -> Draft:
    """Return a draft of which no title names another movement than its contestants show, with a remark."""
    facts, remarks = [], []
    directed = any(directions_of(draft.rows))
    for fact in draft.facts:
        movement = fact.get("movement")
        if isinstance(movement, TitledMovement):
            fact = {name: value for name, value in fact.items() if name != "movement"}
            if directed == (movement == Movement.MITCHELL.value):
                fact["movement"] = str(movement)
            else:
                have = "have directions" if directed else "have no directions"
                how = "N-S and E-W are compared apart" if directed else "all are compared together"
                what = f"a title says {movement}, and the contestants {have}: {how}"
                hint = "declare movement, or correct the directions, if that is not so"
                remarks.append(Problem(what, "", hint, shown(str(fact["source"])), code=TITLE_NOT_TAKEN))
        facts.append(fact)
    return replace(draft, facts=facts, remarks=(*draft.remarks, *remarks)) if facts != list(draft.facts) else draft
