"""PBN: the text in which programs exchange deals and results."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by


def sniff(head: bytes) -> bool:
    """Say whether the file declares to be PBN, or has the tags of a game; a mail may quote it."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"% PBN") or re.search(rb'^[> ]*\[Event "[^"\n]*"\]', text, re.MULTILINE) is not None


READER = Reader("pbn", "PBN", sniff, read_by("resultproc.formats.pbn.reader"), rank=25)
