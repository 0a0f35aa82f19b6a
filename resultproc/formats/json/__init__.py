"""JSON: the machine interface."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by


def sniff(head: bytes) -> bool:
    """Say whether this is an object that begins as the writer's does, or as one does that has its games alone."""
    return re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"(provenance|remarks|games)"\s*:', head) is not None


READER = Reader("json", "resultproc's JSON", sniff, read_by("resultproc.formats.json.reader"), rank=40)
"""It knows its own files surely."""
