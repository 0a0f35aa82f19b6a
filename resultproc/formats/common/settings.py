"""A club's settings: what holds for all its games, for those of a weekday, and for those of an event by its name.

They are in ``resultproc.toml`` beside the games, or in another file that is named: game keys at the top, others below
``[weekday.monday]`` and ``[event."Friday Pairs"]``. Whatever is said closer to a game wins: they fill in what its file,
its sidecar and the options leave open, the event's before the weekday's, and these before the general ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resultproc.formats.common.declared import declarations, held, parsed
from resultproc.formats.common.sheets import Facts
from resultproc.formats.source import Declared
from resultproc.model.errors import DeclarationError, closest

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TABLES = ("weekday", "event")


def laid_under(facts: Sequence[Facts], settings: Declared | None) -> list[Facts]:
    """Return the facts of some games with what the settings say of each, where nothing else said it.

    Raises DeclarationError, the file and line named, for what cannot be read, unknown keys and unknown weekdays.
    """
    if settings is None:
        return list(facts)
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
