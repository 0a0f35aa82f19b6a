"""Who is nobody: what people and programs write where a seat is empty, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from resultproc.model.text import folded, vocabulary
from resultproc.people.names import names_in

_WORDS = frozenset(map(folded, vocabulary()["nobody"]))

_BEGINS = frozenset({word[:3] for word in _WORDS} | {"the", "?", "??", "???"})
"""How such words begin: hardly any name does, and need be looked at more closely."""

_IN_PARTICULAR = frozenset(map(folded, ("guest", "visitor", "substitute", "sub", "unknown", "tba", "n n")))
"""Names of somebody whose name is not known, which a game may well have twice."""

_WHICH = re.compile(r"(?:the)?(.+?)(?:(?:pair|player|team)s?)?[0-9]{0,2}")
_AROUND = "()[]*-\u2013\u2014 "
_UNKNOWN = re.compile(r"\?+")


def _is_word(text: str) -> bool:
    word = folded(text)
    if word[:3] not in _BEGINS:
        return False
    if _UNKNOWN.fullmatch(word) or word in _WORDS:
        return True
    found = _WHICH.fullmatch(word)
    return found is not None and found[1] in _WORDS


def nobody_in(texts: Iterable[str]) -> str:
    """Return what stands for nobody where a contestant's players should be, empty where somebody is named.

    texts: those of its cells of names, such as ``Bye``, ``Phantom pair``, ``???``, ``Releu - Releu``; a cell may hold
    several names, and the words may stand in two: Sit, Out. A score, as the average that some programs give a seat
    nobody sits in, makes them nobody else.
    """
    texts = [text for text in texts if text]
    if not texts or folded(texts[0].lstrip(_AROUND)[:8])[:3] not in _BEGINS:
        return ""
    names = [name.strip(_AROUND) or name for text in texts for name in (names_in(text) or [text])]
    said = " ".join(dict.fromkeys(names))
    return said if all(map(_is_word, names)) or _is_word(" ".join(names)) else ""


def is_in_particular(name: str) -> bool:
    """Say whether a name tells somebody from others: no ``Bye``, ``Guest`` or ``TBA``."""
    return not (_is_word(name) or folded(name) in _IN_PARTICULAR)
