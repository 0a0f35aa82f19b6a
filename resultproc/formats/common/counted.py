"""How many tables were in play, from the contestants that a list has."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from resultproc.formats.common.sheets import Draft, Facts
from resultproc.model.errors import Problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType, number_text, per_section_text

_COUNTED = (None, EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events that are counted: what is a table of others is declared."""

_Count = Counter[tuple[str, str]]


def with_tables_counted(draft: Draft) -> Draft:
    """Return a draft with the tables of its games that do not say how many, where their lists leave no doubt.

    That is where both directions of each section have as many pairs, or one winner an even number; of individuals the
    players fill tables. Where they were counted a remark says so.
    """
    facts, remarks = [], []
    for fact in draft.facts:
        text = _tables(draft, fact) if fact.get("tables") is None and fact.get("event_type") in _COUNTED else ""
        facts.append(fact | {"tables": text} if text else fact)
        if text:
            what = f"tables is not declared: it is {text}, as the contestants that are listed fill"
            hint = "declare tables if others were in play"
            remarks.append(Problem(what, hint=hint, game=fact["game_id"], code="tables.counted"))
    return replace(draft, facts=facts, remarks=(*draft.remarks, *remarks)) if remarks else draft


def _tables(draft: Draft, fact: Facts) -> str:
    """Return the tables of a game by section as they are declared; empty where they are in doubt."""
    rows = draft.rows
    mine = [n for n, game in enumerate(rows["game_id"]) if game == fact["game_id"]]
    players = [sum(rows[name][n] is not None for name in rows if name.startswith("player")) for n in mine]
    single = bool(players) and max(players) == 1
    if not players or max(players) > 2 or (single and fact.get("event_type") != EventType.INDIVIDUAL.value):
        return ""
    directions = rows.get("direction")
    count = Counter((str(rows["section"][n]), directions[n] or "") for n in mine)
    tables = {section: _of_section(count, section, 4 if single else 2) for section in {section for section, _ in count}}
    if not all(tables.values()):
        return ""
    return per_section_text({section: number_text(tables[section]) for section in sorted(tables)})


def _of_section(count: _Count, section: str, seats: int) -> float:
    """Return the tables of a section, 0 where they are in doubt."""
    alone, north_south, east_west = (count[section, direction] for direction in ("", NORTH_SOUTH, EAST_WEST))
    if alone and not north_south and not east_west:
        return alone / seats if alone % seats == 0 else 0
    return north_south if north_south == east_west and not alone else 0
