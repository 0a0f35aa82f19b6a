"""Excel workbooks."""

from __future__ import annotations

from resultproc.formats.registry import GAME_SHEET, Reader, read_by

OLE = bytes.fromhex("D0CF11E0A1B11AE1")
"""The beginning of the container that held Excel files until 2003, and holds locked ones."""

MAX_UNPACKED = 64 * 1024 * 1024
"""The content of no results workbook is larger."""


def sniff(head: bytes) -> bool:
    """Say whether this is a workbook, or looks enough like one to say what is wrong with it."""
    if head.startswith(OLE):
        return True
    return head.startswith(b"PK\3\4") and any(
        mark in head for mark in (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet")
    )


READER = Reader(
    "xlsx", "Excel", sniff, read_by("resultproc.formats.xlsx.reader"), rank=20, boards=False, declaring=GAME_SHEET
)
