"""Lists of results as people and programs make them: text in columns, web pages, old workbooks.

What the columns mean is told by their headings, in several languages (``model/column_names.py``), and by what is in
them. If there are several lists, those with other contestants are read together. What else is in the file is passed
over.

On bad input: FormatError that says what the file is, where it is no list; InputError that names the line.

If a file holds no list of results, people are told what it is and what to do.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from resultproc.formats.html.page import meta_of, page_text, rows_of_page, title_of
from resultproc.formats.lists import is_page
from resultproc.formats.pdf import rows_of_pdf
from resultproc.formats.registry import decode
from resultproc.formats.separated import csv_rows
from resultproc.formats.text.laid_out import MOST_LINES, rows_of_lines
from resultproc.model.codes import UNKNOWN
from resultproc.model.dates import date_in_name
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.grid import Row
from resultproc.model.source import Declaration, Source
from resultproc.model.toml import toml_beside
from resultproc.model.understood import joined_understood
from resultproc.tables.from_rows import table_of
from resultproc.tables.lists import are_boards, are_places
from resultproc.tables.told import FILE_NAME, HEAD, day_in, day_of, of_meta


def is_json(head: bytes) -> bool:
    """Say whether a file begins as JSON does."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"])", head) is not None


_CONTESTANTS = "give the list of the contestants, with the score or percentage of each"


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
    if is_json(head):
        return FormatError(
            "this is a file of another program (.json)", hint="save the list as text, CSV or Excel", code=UNKNOWN
        )
    for each in toml_beside(__file__, "others.toml")["file"]:
        if re.search(each["has"].encode(), head, re.IGNORECASE):
            return FormatError(f"this is {each['what']}", hint=each["hint"], code=UNKNOWN)
    return FormatError(
        "unrecognised file format: there is no list of results in it",
        hint="a list has a row for each contestant, with names and a score or percentage",
        code=UNKNOWN,
    )


_MAX_BYTES = 16 * 1024 * 1024
"""No list of results is larger."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    data = _of_mail(source.data)
    binary = b"\0" in source.data[:4096] and not source.data.startswith((BOM_UTF16_BE, BOM_UTF16_LE))
    if source.data.startswith(b"%PDF"):
        rows, remarks = rows_of_pdf(source.data)
        found = read_rows(source, rows, remarks=remarks)
    elif binary or len(source.data) > _MAX_BYTES or is_json(source.data):
        raise what_it_is(source)
    elif is_page(data):
        text = page_text(data)
        rows = rows_of_page(text)
        if all(len(row.texts) < 2 for row in rows):  # no tables: paragraphs or items of a list
            rows = _parted_lines(rows)
        found = read_rows(source, rows, title_of(text), meta_of(text))
    else:
        lines = decode(data).split("\n")
        rows = _separated_rows(lines, quoted=True) or rows_of_lines(lines)
        found = read_rows(source, rows) or read_rows(source, _separated_rows(lines))
    if found is None:
        raise what_it_is(source, rows)
    return found


def _of_mail(data: bytes) -> bytes:
    """Return the text of a mail that is encoded as these are sent, below its head; other files as they are."""
    head = data[:_LONGEST_HEAD]
    if not (
        re.match(rb"[A-Za-z-]+: ", head) and re.search(rb"(?im)^content-transfer-encoding: *(?:quoted|base64)", head)
    ):
        return data
    from email import message_from_bytes
    from email.policy import default

    mail = message_from_bytes(data, policy=default)
    body = mail.get_body(("html", "plain"))
    text = body.get_content() if body else ""
    said = "".join(f"{name}: {mail[name]}\n" for name in ("From", "Subject", "Date") if mail[name])
    return (text if is_page(text.encode()) else f"{said}\n{text}").encode("utf-8", "replace")


_LONGEST_HEAD = 16_384
"""The head of a mail has no more bytes."""


def _separated_rows(lines: Sequence[str], *, quoted: bool = False) -> list[Row]:
    """Return the rows of a text whose cells a spreadsheet wrote with signs between; none for any other.

    quoted: whether some have to be in quotes: these may hold such a sign, as ``"61,50"``, and end in another line.
    """
    found: list[tuple[int, list[Row]]] = []
    for sign in ",;\t":
        beside = (f'{sign}"', f'"{sign}') if quoted else (sign,)
        if not any(each in line for line in lines for each in beside):
            continue
        with suppress(InputError):
            rows = [row for row in csv_rows(lines[:MOST_LINES], sign, 1) if row.texts]
            widths = Counter(len(row.cells) for row in rows if len(row.texts) > 1)
            width, count = max(widths.items(), key=lambda each: each[1], default=(0, 0))
            if count >= _MOST * widths.total() and (width > 2 if quoted else 2 * count > len(rows)):
                found.append((width, rows))
    return max(found, key=lambda each: each[0], default=(0, []))[1]


_MOST = 0.8
"""As large a part of the rows of a spreadsheet has the same number of cells."""


def _parted_lines(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a page that have one text each, divided as lines of a text are, each where it stood."""
    parted = rows_of_lines([" ".join(row.texts) for row in rows], 0)
    wheres = [rows[int(row.where.removeprefix("line "))].where for row in parted]
    return [
        row._replace(where=where, cells=[cell._replace(where=where) for cell in row.cells])
        for row, where in zip(parted, wheres, strict=True)
    ]


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
    titled_remarks = (each for each in above.remarks if each.key not in above.declared)
    remarks = (*remarks, *doubts, *titled_remarks, *table.remarks)
    return Reading(sheet_of(source, table.contestants, facts, remarks, understood), declared)
