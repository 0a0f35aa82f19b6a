"""The rulebooks there are: the registered ones by id, and a user's own by the path of its file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from resultproc.model.errors import RulebookError, closest
from resultproc.model.plugins import named, names
from resultproc.rulebooks.core import Entry, Rulebook, toml_text
from resultproc.rulebooks.load import load_file


@cache
def rulebook(name: str) -> Rulebook:
    """Return the rulebook of an id such as ``acbl-club``, or of a user's TOML file.

    Raises RulebookError for an unknown id (the closest known one suggested) or a file that is wrong.
    """
    return _found(name, ())


def _found(name: str, extending: tuple[Path, ...]) -> Rulebook:
    """Return a rulebook; ``extending`` are the files that build on it."""
    if name in names("rulebooks"):
        book: Rulebook = named("rulebooks", name)
        return book
    if name.endswith(".toml"):
        path = Path(name).resolve()
        if path in extending:
            raise RulebookError(f"{path.name} extends itself", hint='write extends = "acbl-club"')
        return load_file(path, lambda base: _found(base, (*extending, path)))
    raise RulebookError(f"unknown rulebook '{name}'", hint=closest(name, names("rulebooks")))


def rulebooks() -> list[Rulebook]:
    """Return every registered rulebook."""
    return [rulebook(name) for name in names("rulebooks")]


def fingerprint(name: str | None) -> str:
    """Return what tells awards under a rulebook, None for that of the day, from others: its values and our version.

    Raises RulebookError like :func:`rulebook`.
    """
    values = sorted(rulebook(name).entries.items()) if name else []
    return hashlib.sha256(repr((version("resultproc"), values)).encode()).hexdigest()


def find_values(words: Sequence[str]) -> Iterator[tuple[Rulebook, Entry]]:
    """Yield each value that has all the words in its path, value, unit, citation or note, and the rulebook it is of.

    Small and capital letters are the same. A value that a rulebook takes over from the one it extends is that one's.
    """
    folded = [word.casefold() for word in words]
    for book in rulebooks():
        for entry in _own(book):
            parts = (entry.path, toml_text(entry.value), entry.unit, book.citation(entry), entry.confidence, entry.note)
            text = "\n".join(parts).casefold()
            if all(word in text for word in folded):
                yield book, entry


def _own(book: Rulebook) -> Iterator[Entry]:
    """Yield the values that a rulebook states itself."""
    base = rulebook(book.extends).entries if book.extends else {}
    for path, versions in book.entries.items():
        taken_over = {(entry.file, entry.since, entry.until) for entry in base.get(path, ())}
        yield from (entry for entry in versions if (entry.file, entry.since, entry.until) not in taken_over)
