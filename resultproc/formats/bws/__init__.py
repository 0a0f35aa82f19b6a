"""The databases of the devices that results are entered on at the table (``.bws``)."""

from __future__ import annotations

from resultproc.formats.registry import Reader, read_by

_MAGIC = (b"\x00\x01\x00\x00Standard Jet DB\x00", b"\x00\x01\x00\x00Standard ACE DB\x00")
"""How a database of Access begins: up to 2003, and later."""


def sniff(head: bytes) -> bool:
    """Say whether the bytes begin as a database of Access does."""
    return head.startswith(_MAGIC)


READER = Reader("bws", "table devices' database (.bws)", sniff, read_by("resultproc.formats.bws.reader"), rank=40)
