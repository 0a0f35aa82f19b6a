"""Which tables are read as they stand, and which as lists in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from resultproc.formats.common.headings import SCORES as PLAIN_SCORES
from resultproc.formats.common.headings import headings_of, missing_columns, misspelt
from resultproc.formats.common.rows import Row
from resultproc.formats.lists.words import NAMES, SCORES, direction_named, names_for

NUMBER = re.compile(r"[-+\u2212]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]*[.,]?[0-9]+|[0-9]+[.,]?)[%*\s]*")
"""A number with a decimal point or comma, and what may be after it."""

SHARE = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*/\s*([0-9]+(?:[.,][0-9]+)?)")
"""A score and the most that it could have been: ``143/288``."""

LOOKED_AT = 4
"""As many rows below a header show how its list is written."""


def is_plain(header: Row, below: Sequence[Row]) -> bool:
    """Say whether a table of contestants is in this program's words, as far as it can be read.

    below: the first rows below its header. A header that has a column twice, as tables side by side do, or lacks one
    that every table needs is none, nor one of other words: ``Session %``, ``Members``, ``VP``. One with a misspelt
    column is: what is wrong with it is told. No row of such a table is written as only lists are: ``143/288``, a second
    player below the first or in a column without a heading.
    """
    if any(_as_in_lists(header, row) for row in below[:LOOKED_AT]):
        return False
    headings = headings_of(header, places=True)
    if any(names_for(cell.text) & {*SCORES} for cell in headings.unknown):
        return False  # it is called otherwise: ``VPs``, ``Score (IMPs)``
    wrong = [cell.text for cell in headings.unknown if misspelt(cell, headings.columns)]
    if wrong:
        # One of member numbers has to say whose they are.
        return not all(names_for(text) - {"member"} for text in wrong)
    if not set(headings.columns) & {*PLAIN_SCORES} and any(names_for(c.text) & {*SCORES} for c in headings.unknown):
        return False
    return not headings.problems and not missing_columns(header, headings.columns)


_LISTED = re.compile(r"[^\W\d_]\u2013(?![a-z])[^\W\d_]|[(\[]\s*[A-Z]?[0-9]{4,9}[A-Z]?\s*[)\]]")
"""What only lists have in names: a dash without blanks that parts two, and member numbers."""


def _as_in_lists(header: Row, row: Row) -> bool:
    """Say whether a row is written as none is of a table in this program's words."""
    head = [cell.text for cell in header.cells]
    last = max((i for i, cell in enumerate(header.cells) if cell.text), default=0)
    for i, cell in enumerate(row.cells[: last + 1]):
        if not cell.text:
            continue
        # What a heading means is asked last: the words of all languages are not read for a file that needs none.
        alone = len(row.texts) == 1 and not row.after_gap
        if (alone or _LISTED.search(cell.text)) and names_for(head[i]) & {*NAMES}:
            return True
        if SHARE.fullmatch(cell.text) and names_for(head[i]) & {*SCORES}:
            return True
        if i and not head[i] and re.search(r"[^\W\d_]{2}", cell.text) and names_for(head[i - 1]) & {*NAMES}:
            return True
    return False


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
