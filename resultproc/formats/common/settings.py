"""A club's settings: what holds for all its games, for those of a weekday, and for those of an event by its name.

They are in ``resultproc.toml`` beside the games, or in another file that is named: game keys at the top, others below
``[weekday.monday]`` and ``[event."Friday Pairs"]``. Whatever is said closer to a game wins: they fill in what its file,
its sidecar and the options leave open, the event's before the weekday's, and these before the general ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from resultproc.formats.common.declared import declarations, held, parsed
from resultproc.formats.common.played import SessionBoards
from resultproc.formats.common.records import Records
from resultproc.formats.common.sheets import Draft, Facts
from resultproc.formats.source import Declared
from resultproc.model.errors import DeclarationError, Problem, closest
from resultproc.model.game import BY_MATCHES, OPEN, parse_strata

if TYPE_CHECKING:
    import pandas as pd

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TABLES = ("weekday", "event")


def fill_defaults(draft: Draft, settings: Declared | None) -> Draft:
    """Return a draft with what the settings say of each of its games, where nothing else said it.

    Strata are for games whose contestants have letters or holdings; of any other game a remark says so.
    Raises DeclarationError, the file and line named, for what cannot be read, unknown keys and unknown weekdays.
    """
    facts = _with_settings(draft.facts, settings) if settings else list(draft.facts)
    if any(map(_counts_sessions, facts)):
        bare = [
            {name: value for name, value in fact.items() if name != "boards"} if _counts_sessions(full) else fact
            for fact, full in zip(draft.facts, facts, strict=True)
        ]
        return fill_defaults(replace(draft, facts=bare), settings)
    if settings is None:
        return draft
    remarks = []
    stratified = _stratified(draft.rows)
    for before, fact in zip(draft.facts, facts, strict=True):
        if before.get("strata") is None and "," in str(fact.get("strata")) and fact["game_id"] not in stratified:
            said = fact.pop("strata")
            limit = parse_strata(said)[0].limit
            if limit != OPEN:
                fact.setdefault("limit", limit)
            what = f"the settings declare the strata {said}, and nobody here has a letter or holdings: it has none"
            hint = "if it was stratified, write the letter of each contestant's stratum, or the holdings"
            remarks.append(Problem(what, "", hint, str(fact.get("source") or ""), fact["game_id"], _NOBODY))
    return replace(draft, facts=facts, remarks=(*draft.remarks, *remarks))


_NOBODY = "strata.nobody-in-them"


def _counts_sessions(fact: Facts) -> bool:
    """Say whether the boards that a title counts are not those of a match, which the key is of."""
    return isinstance(fact.get("boards"), SessionBoards) and fact.get("event_type") in BY_MATCHES


def _stratified(rows: Records | pd.DataFrame) -> set[str]:
    """Return the games in which somebody has the letter of a stratum, or holdings."""
    columns = [str(name) for name in rows if name == "stratum" or re.fullmatch("mp[0-9]+", str(name))]
    games = list(rows["game_id"])
    return {game for name in columns for game, value in zip(games, rows[name], strict=True) if not _is_missing(value)}


def _is_missing(value: object) -> bool:
    return value is None or value != value


def _with_settings(facts: Sequence[Facts], settings: Declared) -> list[Facts]:
    """Return the facts of some games with what the settings say of each, where nothing else said it."""
    content, text = parsed(settings)
    tables = {name: _table(content.pop(name, {}), name, settings.name) for name in _TABLES}
    unknown = [day for day in tables["weekday"] if day.casefold() not in _WEEKDAYS]
    if unknown:
        what = f"unknown weekday '{unknown[0]}'"
        raise DeclarationError(what, hint=closest(unknown[0], _WEEKDAYS), file=settings.name)
    said: dict[tuple[str, str], Facts] = {}
    for kind in reversed(_TABLES):
        for name, keys in tables[kind].items():
            values = held(declarations(keys, text, f"{kind}.{name}"), settings.name)
            said[kind, name.casefold()] = values | said.get((kind, name.casefold()), {})
    always = held(declarations(content, text), settings.name)
    found = []
    for fact in facts:
        date = fact.get("date")
        weekday = said.get(("weekday", "" if date is None else _WEEKDAYS[date.weekday()]), {})
        found.append(always | weekday | said.get(("event", str(fact.get("event") or "").casefold()), {}) | fact)
    return found


def _table(content: object, name: str, file: str) -> dict[str, dict[str, Any]]:
    if not isinstance(content, dict) or not all(isinstance(keys, dict) for keys in content.values()):
        hint = "[weekday.monday]" if name == "weekday" else '[event."Friday Pairs"]'
        raise DeclarationError(f"'{name}' has keys of no {name}", hint=f"write {hint} above them", file=file)
    return content
