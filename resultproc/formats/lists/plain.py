"""Which tables are read as they stand, and which as lists in other words."""

from __future__ import annotations

from resultproc.formats.common.headings import SCORES as PLAIN_SCORES
from resultproc.formats.common.headings import headings_of, missing_columns, misspelt
from resultproc.formats.common.rows import Row
from resultproc.formats.lists.columns import NUMBER
from resultproc.formats.lists.words import SCORES, direction_named, names_for


def is_plain(header: Row) -> bool:
    """Say whether a header is that of a table of contestants in this program's words, as far as it can be read.

    One that has a column twice, as tables side by side do, or lacks one that every table needs is none, nor one of
    other words: ``Session %``, ``Members``, ``VP``. One with a misspelt column is: what is wrong with it is told.
    """
    headings = headings_of(header, places=True)
    wrong = [cell.text for cell in headings.unknown if misspelt(cell, headings.columns)]
    if wrong:
        # One of member numbers has to say whose they are.
        return not all(names_for(text) - {"member"} for text in wrong)
    if not set(headings.columns) & {*PLAIN_SCORES} and any(names_for(c.text) & {*SCORES} for c in headings.unknown):
        return False
    return not headings.problems and not missing_columns(header, headings.columns)


def is_head(row: Row) -> bool:
    """Say whether a row heads a table: most of its texts are known words, and none is a contestant's score."""
    texts = row.texts
    known = [text for text in texts if names_for(text)]
    if known and len(texts) > 3:
        known += [text for text in texts if direction_named(text) and text not in known]  # above names
    numbers = [text for text in texts if NUMBER.fullmatch(text)]
    if len(known) < 2 or numbers:
        return False
    return 2 * len(known) >= len(texts) or len(known) > 3
