"""What the lines of a report are."""

from __future__ import annotations

import re
from itertools import pairwise

from resultproc.formats.registry import decode
from resultproc.formats.text.labels import is_header
from resultproc.formats.text.member_list import is_members
from resultproc.formats.text.page import report_lines
from resultproc.model.errors import FormatError

SECTION = re.compile(r'.*?\bSection\s+("(?:[^"]|"")*"|\S.*?)(?:\s+(North-South|East-West))?\s*')
_STRAY = re.compile(r"\s*(?:[A-Z]{1,2}\s+)?[0-9]{1,4}\s+-?[0-9]{1,6}\.[0-9]{1,2}\s.*\S - \S")


def kind(line: str) -> str:
    """Return what a line is by itself: ``blank``, ``keys``, ``header``, ``members``' header, ``row`` or ``text``."""
    if not line.strip():
        return "blank"
    if line.lstrip().startswith("#"):
        return "keys"
    if is_header(line):
        return "header"
    if is_members(line):
        return "members"
    return "row" if _STRAY.match(line) else "text"


def has_listing(head: bytes) -> bool:
    """Say whether there is a listing's header with a section above it."""
    try:
        lines = [line.text for line in report_lines(decode(head).replace("\f", "\n")) if line.text.strip()]
    except FormatError:
        return False
    return any(is_header(line) and SECTION.fullmatch(above) for above, line in pairwise(lines))
