"""The JSON in which the table devices' connector exchanges movements, players, hands and results."""

from __future__ import annotations

import re

from resultproc.formats.registry import Reader, read_by

_BEGINS = re.compile(rb"(\xef\xbb\xbf)?\s*[\[{]")
_HAS = re.compile(rb'\\?"(SessionGuid|EventGuid)\\?"\s*:')


def sniff(head: bytes) -> bool:
    """Say whether this is JSON that names its session or event as the connector does."""
    # The words are looked for first: to look for the pattern takes longer than to read the JSON of a game.
    named = b"SessionGuid" in head or b"EventGuid" in head
    return named and _BEGINS.match(head) is not None and _HAS.search(head) is not None


READER = Reader(
    "dataconnector",
    "table devices' connector (JSON)",
    sniff,
    read_by("resultproc.formats.dataconnector.reader"),
    rank=41,
)
