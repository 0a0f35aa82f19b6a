"""Lists of results as people and programs make them: see :mod:`resultproc.formats.lists.reader`."""

from __future__ import annotations

from resultproc.formats.registry import Reader, read_by

READER = Reader(
    "list", "a list of results", lambda head: True, read_by("resultproc.formats.lists.reader"), rank=-10, boards=False
)
