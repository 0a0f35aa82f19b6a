"""Where the rulebooks speak of something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from resultproc.rulebooks.core import Entry, Rulebook, plain
from resultproc.rulebooks.registry import rulebook, rulebooks


def find(words: Sequence[str]) -> Iterator[tuple[Rulebook, Entry]]:
    """Yield each value that has all the words in its path, value, unit, citation or note, and the rulebook it is of.

    Small and capital letters are the same. A value that a rulebook takes over from the one it extends is that one's.
    """
    folded = [word.casefold() for word in words]
    for book in rulebooks():
        for entry in _own(book):
            parts = (entry.path, plain(entry.value), entry.unit, book.citation(entry), entry.confidence, entry.note)
            text = "\n".join(parts).casefold()
            if all(word in text for word in folded):
                yield book, entry


def _own(book: Rulebook) -> Iterator[Entry]:
    """Yield the values that a rulebook states itself."""
    base = rulebook(book.extends).entries if book.extends else {}
    for path, versions in book.entries.items():
        taken_over = {(entry.file, entry.since, entry.until) for entry in base.get(path, ())}
        yield from (entry for entry in versions if (entry.file, entry.since, entry.until) not in taken_over)
