"""The rulebooks there are: the registered ones by id, and a user's own by the path of its file.

What their tables say is told by sums, so that others than those that are wanted are noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path

from resultproc.model.errors import RulebookError, closest
from resultproc.model.plugins import named, names
from resultproc.model.provenance import VERSION
from resultproc.model.values import toml_text
from resultproc.rulebooks.core import Entry, Rulebook
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
    if is_file(name):
        path = Path(name).resolve()
        if path in extending:
            raise RulebookError(f"{path.name} extends itself", hint='write extends = "acbl-club"')
        return load_file(path, lambda base: _found(base, (*extending, path)))
    raise RulebookError(f"unknown rulebook '{name}'", hint=closest(name, names("rulebooks")))


def is_file(name: str) -> bool:
    """Say whether the name of a rulebook is that of a user's file."""
    return name.endswith(".toml")


def rulebooks() -> list[Rulebook]:
    """Return every registered rulebook."""
    return [rulebook(name) for name in names("rulebooks")]


def fingerprint(name: str | None) -> str:
    """Return what tells awards under a rulebook, None for that of the day, from others: its values and our version.

    Raises RulebookError like :func:`rulebook`.
    """
    said = [*_of_itself(rulebook(name)), *sorted(rulebook(name).entries.items())] if name else []
    return hashlib.sha256(repr((VERSION, said)).encode()).hexdigest()


@cache
def fingerprint_of_file(name: str) -> str:
    """Return the fingerprint of a user's rulebook; empty where that cannot be read."""
    try:
        return fingerprint(name)
    except RulebookError:
        return ""


@cache
def tables_hash(name: str) -> str:
    """Return the SHA-256 of all that a rulebook's tables say, with their days; the citations do not count."""
    lines = [
        f"{path}\t{entry.since}\t{entry.until}\t{toml_text(entry.value)}"
        for path, versions in sorted(rulebook(name).entries.items())
        for entry in versions
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def tables_here(own: tuple[str, ...] = ()) -> Mapping[str, str]:
    """Return what tells awards that are given here from others: what each rulebook says, as SHA-256, and our version.

    own: files of rulebooks besides the registered ones; of one that cannot be read the sum is empty.
    """
    registered = {book.id: _told(book.id) for book in rulebooks()}
    return {"resultproc": VERSION, **registered, **{name: _told_of_file(name) for name in own}}


def _told(name: str) -> str:
    """Return the SHA-256 of all that a rulebook says: what it is for, and its tables."""
    return hashlib.sha256(repr((_of_itself(rulebook(name)), tables_hash(name))).encode()).hexdigest()


def _told_of_file(name: str) -> str:
    try:
        return _told(name)
    except RulebookError:
        return ""


def _of_itself(book: Rulebook) -> list[object]:
    """Return what a rulebook says but its values."""
    return [getattr(book, each.name) for each in fields(book) if each.init and each.name != "read"]


def refuse_others(expected: Mapping[str, str]) -> None:
    """Raise RulebookError where the rulebooks that are here are not as is expected: those that differ are named."""
    here = tables_here(tuple(name for name in expected if is_file(name)))
    other = sorted(name for name in here.keys() | expected.keys() if here.get(name) != expected.get(name))
    if other:
        hint = "give every worker the same resultproc and rulebooks, and start it anew"
        what = f"this worker has other tables than this run: {', '.join(other)}"
        raise RulebookError(what, hint=hint, code="machine.worker")


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
