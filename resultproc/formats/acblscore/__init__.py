"""ACBLscore's binary game files."""

from __future__ import annotations

from resultproc.formats.registry import Reader, read_by

MAGIC = b"\x12\x0a\x03AC3"
"""How a game file begins: the length of the master table, and its name."""


def sniff(head: bytes) -> bool:
    """Say whether the bytes begin as a game file does."""
    return head.startswith(MAGIC)


READER = Reader("acblscore", "ACBLscore game file", sniff, read_by("resultproc.formats.acblscore.reader"), rank=40)
