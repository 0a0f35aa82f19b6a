"""What a file is that holds no list of results, for people: and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from resultproc.formats.common.rows import Row
from resultproc.formats.lists.tables import are_boards, are_places
from resultproc.formats.source import Source
from resultproc.model.codes import UNKNOWN
from resultproc.model.errors import FormatError

_Test = Callable[[bytes], bool]


def _begins(*starts: bytes) -> _Test:
    return lambda head: head.startswith(starts)


def _has(pattern: bytes) -> _Test:
    return lambda head: re.search(pattern, head, re.IGNORECASE) is not None


def is_json(head: bytes) -> bool:
    """Say whether a file begins as JSON does."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"])", head) is not None


_CONTESTANTS = "give the list of the contestants, with the score or percentage of each"

KINDS: list[tuple[_Test, str, str]] = [
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
        what = "this list has places and no scores, as a ranking of a season"
        return FormatError(what, hint=_CONTESTANTS, code=UNKNOWN)
    for test, what, hint in KINDS:
        if test(head):
            return FormatError(f"this is {what}", hint=hint, code=UNKNOWN)
    return FormatError(
        "unrecognised file format: there is no list of results in it",
        hint="a list has a row for each contestant, with names and a score or percentage",
        code=UNKNOWN,
    )
