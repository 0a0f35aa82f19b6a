"""The JSON of the results site, and its pages that hold it."""

from __future__ import annotations

from resultproc.formats.registry import Reader, read_by

MARK = "pair_summaries"
"""What no page without results has."""


def sniff(head: bytes) -> bool:
    """Return whether this is the site's JSON, or a page with it."""
    quoted = (quote + mark + quote for mark in (b"board_scoring_method", MARK.encode()) for quote in (b'"', b"&quot;"))
    return any(mark in head for mark in quoted) or b"club-results" in head


READER = Reader("acbl-live", "results site JSON", sniff, read_by("resultproc.formats.acbl_live.reader"), rank=30)
