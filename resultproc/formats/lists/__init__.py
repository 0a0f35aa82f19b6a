"""Lists of results as people and programs make them: see :mod:`resultproc.formats.lists.reader`."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by

READER = Reader(
    "list",
    "a list of results",
    lambda head: True,  # what nobody else knows may be one
    read_by("resultproc.formats.lists.reader"),
    rank=-10,
    boards=False,
)

_PAGE = re.compile(rb"<\s*(?:!doctype\s+html|html|head|body|table|tr|td|pre|div|p|meta|font)\b", re.IGNORECASE)


def is_page(head: bytes) -> bool:
    """Say whether a file begins as web pages do."""
    return _PAGE.search(head[:4096]) is not None
