"""The CSV that the results site BridgeWebs takes for upload."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, decode, read_by
from resultproc.model.errors import FormatError

_BEGINNINGS = (
    re.compile(r'\A"?#version"?[;,\t]', re.IGNORECASE),
    re.compile(r'\A"?#(?:.*\n)*?"?#scores"?[;,\t]*$', re.IGNORECASE | re.MULTILINE),
)


def sniff(head: bytes) -> bool:
    """Say whether the file begins with the version, or with another option and has scores."""
    try:
        text = decode(head).lstrip()
    except FormatError:
        return False
    return any(pattern.search(text) for pattern in _BEGINNINGS)


READER = Reader("bridgewebs", "BridgeWebs CSV", sniff, read_by("resultproc.formats.bridgewebs.reader"), rank=5)
