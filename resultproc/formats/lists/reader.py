"""Lists of results as people and programs make them: text in columns, web pages, old workbooks.

What the columns mean is told by their headings, in several languages, and by what is in them; ``words.toml`` has the
words. Of several lists those are read together that have other contestants. What else is in the file is passed over.

On bad input: FormatError that says what the file is, where it is no list; InputError that names the line.
"""

from __future__ import annotations

from collections.abc import Sequence

from resultproc.formats.common.rows import Row
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.common.table import read_sheet
from resultproc.formats.lists.contestants import Contestants, contestants_of
from resultproc.formats.lists.lines import rows_of_lines
from resultproc.formats.lists.page import is_page, meta_of, rows_of_page, title_of
from resultproc.formats.lists.tables import Listing, listings
from resultproc.formats.lists.titles import above_of, date_of_name, of_meta
from resultproc.formats.lists.unread import what_it_is
from resultproc.formats.registry import Declaration, Reading, decode
from resultproc.formats.source import Source
from resultproc.model.codes import PASSED_OVER
from resultproc.model.errors import Problem


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    page = is_page(source.data)
    text = decode(source.data)
    rows = rows_of_page(text) if page else rows_of_lines(text.split("\n"))
    lists, titles = listings(rows)
    if not lists:
        raise what_it_is(source)
    meta = of_meta(meta_of(text)) if page else {}
    return reading_of(source, lists, titles, title_of(text) if page else "", meta)


def reading_of(
    source: Source, lists: Sequence[Listing], titles: Sequence[Row], title: str = "", said: dict[str, str] | None = None
) -> Reading:
    """Return what some lists of a file and the titles above them say.

    title: the page's. said: what the file declares of the game besides, by key.
    """
    found = contestants_of(lists)
    above = above_of(titles, title)
    seats = {name: text for name, text in above.seats.items() if not any(name in row for row in found.rows)}
    header, rows = found.table()
    table = read_sheet(header, rows, seats, {"section": "A"})
    remarks = [*found.remarks, *_unread(lists), *table.remarks]
    declared = {key: Declaration(text, "the page's head") for key, text in (said or {}).items()} | above.declared
    facts = {key: value for key, value in above.facts.items() if key not in declared}
    if "date" not in facts and "date" not in declared and (day := date_of_name(source)):
        declared["date"] = Declaration(day, "the file's name")
    sheet = sheet_of(source, table.contestants, facts, remarks)
    return Reading(sheet, declared)


def _unread(lists: Sequence[Listing]) -> list[Problem]:
    """Return the remarks on columns whose meaning stays open."""
    heads = {
        column.head: listing.head.where if listing.head else listing.rows[0].where
        for listing in lists
        for column in listing.columns
        if not column.name and column.head
    }
    hint = "if it holds results, give it the name of one of the columns"
    return [Problem(f"the column '{head}' is not read", where, hint, code=PASSED_OVER) for head, where in heads.items()]


__all__ = ["Contestants", "read", "reading_of"]
