"""``results.txt``: what Jannersten's programs take of other programs' results, for hand records and web pages."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by

_BEGINS = re.compile(rb"(\xef\xbb\xbf)?\s*\[GAME\]\s*[\r\n]", re.IGNORECASE)


def sniff(head: bytes) -> bool:
    """Say whether the file begins with the part that such files begin with."""
    return _BEGINS.match(head) is not None


READER = Reader(
    "jannersten", "Jannersten's results.txt", sniff, read_by("resultproc.formats.jannersten.reader"), rank=30
)
