"""What tells our own workbooks: the sheet ``Data`` holds all that is read, and the others are for print.

The first cell of ``Data`` says so, with a sum over the texts of each sheet for print. A sheet that has another sum when
the workbook is read again was changed by somebody, who is told that it is not read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

DATA = "Data"
SEAL = "Seal"
"""The hidden sheet of a sealed workbook that holds its seal; it is not read."""

DECLARING = frozenset({"game", "games"})
"""The sheets in which keys are declared, in lower case."""

_MARK = "# All results are in this sheet, the others are for print: correct them here"
_MARKED = re.compile(re.escape(_MARK) + r" \(([0-9a-f ]*)\)")


def mark(sheets: Iterable[Iterable[str]]) -> str:
    """Return the text of the first cell, for the texts of each sheet for print."""
    return f"{_MARK} ({' '.join(map(_sum, sheets))})"


def sums(text: str) -> frozenset[str] | None:
    """Return the sums in the text of a first cell, None for any other text."""
    found = _MARKED.fullmatch(text)
    return frozenset(found[1].split()) if found else None


def is_changed(sheet: Iterable[str], known: frozenset[str]) -> bool:
    """Say whether a sheet has other texts than any that is known."""
    return _sum(sheet) not in known


def _sum(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(text for text in texts if text).encode("utf-8", "replace")).hexdigest()[:8]
