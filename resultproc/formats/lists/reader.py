"""Lists of results as people and programs make them: text in columns, web pages, old workbooks.

What the columns mean is told by their headings, in several languages (``model/words.py``), and by what is in them. If
there are several lists, those with other contestants are read together. What else is in the file is passed over.

On bad input: FormatError that says what the file is, where it is no list; InputError that names the line.

If a file holds no list of results, people are told what it is and what to do.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType

from resultproc.formats.common.around import Above
from resultproc.formats.common.rows import Row
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.common.table import Table, read_sheet
from resultproc.formats.common.understood import joined_understood
from resultproc.formats.lists import is_page
from resultproc.formats.lists.contestants import contestants_of_lists
from resultproc.formats.lists.lines import rows_of_lines
from resultproc.formats.lists.page import meta_of, page_text, rows_of_page, rows_of_pdf, title_of
from resultproc.formats.lists.tables import Listing, are_boards, are_places, listings, unscored
from resultproc.formats.lists.titles import FILE_NAME, HEAD, above_of, day_in, day_of, of_meta
from resultproc.formats.lists.words import with_whole_names
from resultproc.formats.registry import Declaration, Reading, decode
from resultproc.formats.source import Source
from resultproc.model.codes import PASSED_OVER, UNKNOWN
from resultproc.model.dates import date_in_name
from resultproc.model.errors import FormatError, Problem, raise_if_any

_Test = Callable[[bytes], bool]


def _begins(*starts: bytes) -> _Test:
    return lambda head: head.startswith(starts)


def _has(pattern: bytes) -> _Test:
    return lambda head: re.search(pattern, head, re.IGNORECASE) is not None


def is_json(head: bytes) -> bool:
    """Say whether a file begins as JSON does."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"])", head) is not None


_CONTESTANTS = "give the list of the contestants, with the score or percentage of each"

_NO_LISTS: list[tuple[_Test, str, str]] = [
    (
        lambda head: head[4:19] == b"Standard Jet DB" or head[4:19] == b"Standard ACE DB",
        "a database of a scoring device, as Bridgemates leave it (.bws)",
        "export the results from the scoring program",
    ),
    (
        _begins(b"%PDF"),
        "a PDF in which no list of results is seen: it has none, or its columns run into each other",
        "save the list where it was made, as text, CSV or Excel",
    ),
    (
        is_json,
        "a file of another program (.json)",
        "save the list as text, CSV or Excel",
    ),
    (_begins(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM"), "a picture", "save the list as text, CSV or Excel"),
    (
        _has(rb"\APK\x03\x04(?s:.*)word/"),
        "a document of a word processor (.docx)",
        "save it as a web page or plain text",
    ),
    (_begins(b"PK\x03\x04"), "a packed folder (.zip)", "unpack it, and give the file with the results"),
    (_begins(b"{\\rtf"), "a document of a word processor (.rtf)", "save it as plain text or as a web page"),
    (_begins(b"\xd0\xcf\x11\xe0"), "a document of an old office program", "save it as .xlsx or as text"),
    (_has(rb"^\s*(?:vg\||pn\||qx\||md\|)"), "a record of bidding and play (.lin)", "give the list of results"),
    (_has(rb"\[Deal \""), "hands without results", "give the list of results, or a PBN file that has them"),
    (_has(rb"^ *[0-9]{1,2} *\r?\n? *\xff?[SHDC]:"), "hands without results", "give the list of results"),
    (
        _has(rb"<(?:div|main)[^>]*\bid=[\"']?(?:app|root)\b|window\.__|<script[^>]+src="),
        "a web page that has no list of results in it; it may load them by script",
        "save it from the browser as a complete page, or copy the list into a spreadsheet",
    ),
    (_has(rb"<html|<!doctype html"), "a web page without a list of results", "give the page with the results"),
]
"""What else a file may be, the first that fits: how that is seen, what it is, and what to do."""


def what_it_is(source: Source, rows: Sequence[Row] = ()) -> FormatError:
    """Return the error for a file without a list of results.

    rows: its text, where it has any.
    """
    head = source.data[:65536]
    if are_boards(rows):
        return FormatError("these are the results of single boards", hint=_CONTESTANTS, code=UNKNOWN)
    if are_places(rows):
        what = "this list has places but no scores, like a ranking of a season"
        return FormatError(what, hint=_CONTESTANTS, code=UNKNOWN)
    for test, what, hint in _NO_LISTS:
        if test(head):
            return FormatError(f"this is {what}", hint=hint, code=UNKNOWN)
    return FormatError(
        "unrecognised file format: there is no list of results in it",
        hint="a list has a row for each contestant, with names and a score or percentage",
        code=UNKNOWN,
    )


_MAX_BYTES = 16 * 1024 * 1024
"""No list of results is larger."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    if source.data.startswith(b"%PDF"):
        pdf_rows, remarks = rows_of_pdf(source.data)
        return _reading(source, pdf_rows, remarks=remarks)
    page = is_page(source.data)
    binary = b"\0" in source.data[:4096] and not source.data.startswith((BOM_UTF16_BE, BOM_UTF16_LE))
    if binary or len(source.data) > _MAX_BYTES or is_json(source.data):
        raise what_it_is(source)
    text = page_text(source.data) if page else decode(source.data)
    if not page:
        return _reading(source, rows_of_lines(text.split("\n")))
    rows = rows_of_page(text)
    if all(len(row.texts) < 2 for row in rows):  # no tables: paragraphs or items of a list
        rows = _parted_lines(rows)
    return _reading(source, rows, title_of(text), meta_of(text))


def _parted_lines(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a page that have one text each, divided as lines of a text are, each where it stood."""
    parted = rows_of_lines([" ".join(row.texts) for row in rows], 0)
    places = [rows[int(row.where.removeprefix("line "))].where for row in parted]
    return [
        row._replace(where=where, cells=[cell._replace(where=where) for cell in row.cells])
        for row, where in zip(parted, places, strict=True)
    ]


def _reading(
    source: Source,
    rows: Sequence[Row],
    title: str = "",
    meta: Mapping[str, str] = MappingProxyType({}),
    remarks: Sequence[Problem] = (),
) -> Reading:
    """Return what a file's lists say; raise FormatError where there is no list."""
    found = read_rows(source, rows, title, meta, remarks)
    if found is None:
        raise what_it_is(source, rows)
    return found


def read_rows(
    source: Source,
    rows: Sequence[Row],
    title: str = "",
    meta: Mapping[str, str] = MappingProxyType({}),
    remarks: Sequence[Problem] = (),
) -> Reading | None:
    """Return what the lists among a file's rows say; None where there is no list.

    rows: all of the file.
    title: of a page, '' for none.
    meta: the ``meta`` elements of a page, by name.
    remarks: on what was not looked at.
    """
    found = table_of(rows, title)
    if found is None:
        return None
    above, table = found
    said = of_meta(meta)
    titled = next((each.where for each in above.told if each.key == "date"), "a title")
    days = {
        HEAD: day_in(said.pop("date", "")),
        titled: day_in(meta.get("contestname", "")) or str(above.facts.get("date", ""))[:10],
        FILE_NAME: date_in_name(source.stem),
    }
    declared = {key: Declaration(value, HEAD) for key, value in said.items()} | above.declared
    day, doubts = (None, []) if "date" in declared else day_of(days, rows[0].where)
    declared |= {"date": day} if day else {}
    # What a program that names the event has for a title besides is no event's name.
    known = {"date", *declared, *(["event"] if said else [])}
    facts = {key: value for key, value in above.facts.items() if key not in known}
    understood = joined_understood(above.told, table.understood)
    remarks = (*remarks, *doubts, *above.remarks, *table.remarks)
    return Reading(sheet_of(source, table.contestants, facts, remarks, understood), declared)


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
    found = contestants_of_lists(lists)
    above = above_of([row for row in titles if row.texts[0] not in known], title)
    seats = {name: text for name, text in above.seats.items() if not any(name in row for row in found.rows)}
    header, below = found.table()
    table = read_sheet(header, below, seats, {"section": "A"}, checked=True)
    remarks = (*found.remarks, *_unread(lists), *table.remarks)
    return above, table._replace(remarks=remarks, understood=found.understood)


def _unread(lists: Sequence[Listing]) -> list[Problem]:
    """Return the remarks on columns whose meaning stays open."""
    heads: dict[str, str] = {}
    bare: dict[str, str] = {}
    for listing in lists:
        where = (listing.head or listing.rows[0]).where
        for i, column in enumerate(listing.columns):
            if not column.name and column.head:
                heads[column.head] = where
            elif not column.name:
                texts = (text for row in listing.rows if re.search(r"\w", text := listing.texts(row)[i]))
                if text := next(texts, ""):  # a mark alone, such as *, holds no result
                    bare.setdefault(where, text)
    what = {where: f"columns without a heading are not read, such as '{text}'" for where, text in bare.items()}
    hint = "if it holds results, give it the name of one of the columns"
    return [
        *(Problem(f"the column '{head}' is not read", where, hint, code=PASSED_OVER) for head, where in heads.items()),
        *(Problem(text, where, hint, code=PASSED_OVER) for where, text in what.items()),
    ]
