"""The paragraphs of the rulebooks: each table that one states, by a name of its own."""

from collections.abc import Iterator
from datetime import date
from functools import cache

from resultproc.rulebooks.core import Entry
from resultproc.rulebooks.load import rulebook, rulebooks


@cache
def stated_in() -> dict[str, str]:
    """Return, for each file of a rulebook's tables, the id of the rulebook that it is of."""
    found: dict[str, str] = {}
    for book in rulebooks():
        files = {entry.file for versions in book.entries.values() for entry in versions}
        parent = rulebook(book.extends).entries if book.extends else {}
        found |= dict.fromkeys(files - {entry.file for versions in parent.values() for entry in versions}, book.id)
    return found


def paragraph(table: Entry) -> tuple[str, str]:
    """Return the name of a paragraph and its citation, as the rulebook has them that states it.

    The name has the day from which it holds, where others held before.
    """
    book = rulebook(stated_in()[table.file])
    versions = [each for each in book.entries[table.path] if each.file == table.file]
    (own,) = (each for each in versions if each.since == table.since)
    name = f"{book.id} {own.path}" + (f" since {own.since}" if len(versions) > 1 and own.since > date.min else "")
    return name, book.citation(own) + (f" ({own.confidence})" if own.confidence != "printed" else "")


def paragraphs() -> Iterator[str]:
    """Yield the names of all."""
    for book in rulebooks():
        for versions in book.entries.values():
            yield from (paragraph(each)[0] for each in versions if stated_in()[each.file] == book.id)
