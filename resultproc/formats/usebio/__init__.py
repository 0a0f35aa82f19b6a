"""USEBIO: the XML that British clubs upload."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by


def sniff(head: bytes) -> bool:
    """Say whether there is USEBIO's root element, in whatever encoding."""
    # To look for one sign takes no time, and other files than pages have none.
    return b"<" in head and re.search(rb"<USEBIO[\s>]", head.replace(b"\0", b"")) is not None


READER = Reader("usebio", "USEBIO XML", sniff, read_by("resultproc.formats.usebio.reader"), rank=35)
