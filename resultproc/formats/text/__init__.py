"""The printed listings and recap sheets of ACBLscore, and sheets in the columns of listings."""

from __future__ import annotations

from resultproc.formats.registry import Reader, read_by
from resultproc.formats.text.lines import has_listing

READER = Reader("text", "ACBLscore text", has_listing, read_by("resultproc.formats.text.reader"), rank=10, boards=False)
