"""Rows of any file to the contestants of the lists among them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from resultproc.model.codes import PASSED_OVER
from resultproc.model.errors import InputError, Problem, raise_if_any
from resultproc.model.grid import Row
from resultproc.model.numbers import share_of
from resultproc.people.names import split_players
from resultproc.tables.contestants import contestants_of_lists
from resultproc.tables.headings import NAME_IT, unread_column
from resultproc.tables.heads import with_whole_names
from resultproc.tables.list_columns import head_cell
from resultproc.tables.lists import Listing, are_boards, listings, unscored
from resultproc.tables.rows import Table
from resultproc.tables.titles import Above
from resultproc.tables.told import above_of


def table_of(rows: Sequence[Row], title: str = "", known: Container[str] = ()) -> tuple[Above, Table] | None:
    """Return what is above the lists among some rows, and their contestants; None where there is no list.

    title: of the page, '' for none.
    known: texts above a list that say nothing new.
    Raises InputError that names the line or cell.
    """
    rows = list(with_whole_names(rows))
    lists, titles = listings(rows)
    if not lists:
        raise_if_any(unscored(rows))
        return None
    above = above_of([row for row in titles if row.texts[0] not in known], title)
    table = contestants_of_lists(lists, above.seats)
    _refuse_passed_over(rows, table)
    return above, table._replace(remarks=(*_unread(lists), *table.remarks))


def _refuse_passed_over(rows: Sequence[Row], table: Table) -> None:
    """Raise InputError for many rows of pairs with scores that were passed over, as if those of another section."""
    records = table.contestants
    read, players = set(records["where"]), {name for n in (1, 2) for name in records.get(f"player{n}")}
    scored = {row.where: names for row in rows if row.where not in read and (names := _beside_score(row))}
    pairs = zip(scored, split_players([*scored.values()]), strict=True)
    passed = [where for where, names in pairs if len(names) == 2 and players.isdisjoint(names)]
    if len(passed) >= max(_FEW, len(records) / _PART) and not are_boards(rows):
        what = f"from here on {len(passed)} rows that look like those of contestants are not read"
        raise InputError(what, passed[0], "write them as the others, or leave them out if they are of another game")


def _beside_score(row: Row) -> str:
    """Return what a row has between the numbers at its ends, whatever parts these, where one is a score."""
    words = " ".join(row.texts).split()
    numbers = [share_of(word) is not None for word in words]
    if False not in numbers or not any(n and re.search("[.,%/½]", w) for n, w in zip(numbers, words, strict=True)):
        return ""
    return " ".join(words[numbers.index(False) : len(words) - numbers[::-1].index(False)])


_FEW, _PART = 3, 4
"""So many rows are no note, nor is a fourth of all."""


def _unread(lists: Sequence[Listing]) -> list[Problem]:
    """Return the remarks on columns whose meaning stays open."""
    heads: dict[str, Problem] = {}
    bare: dict[str, Problem] = {}
    for listing in lists:
        where = (listing.head or listing.rows[0]).where
        for i, column in enumerate(listing.columns):
            if not column.name and column.head:
                heads[column.head] = unread_column(head_cell(listing.head, column))
            elif not column.name:
                texts = (text for text in listing.texts_of(i) if re.search(r"\w", text))
                if text := next(texts, ""):  # a mark alone, such as *, holds no result
                    what = f"columns without a heading are not read, such as '{text}'"
                    bare.setdefault(where, Problem(what, where, NAME_IT, code=PASSED_OVER))
    return [*heads.values(), *bare.values()]
