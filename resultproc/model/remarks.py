"""How remarks are quoted: each once, of a file that gives rise to very many the first, the rest counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from resultproc.model.errors import InputError, Problem

MOST = 20
"""Of a file that is doubtful throughout, so many remarks are quoted."""


def quoted(remarks: Iterable[Problem], most: int = MOST) -> list[Problem]:
    """Return remarks, each once, and of each file so many, followed by one that counts its others."""
    each = list(dict.fromkeys(remarks))
    number: Counter[str] = Counter()
    kept = []
    for remark in each:
        number[remark.file] += 1
        if number[remark.file] <= most:
            kept.append(remark)
    more = {file: count - most for file, count in number.items() if count > most}
    return [*kept, *(Problem(f"and {count} more remarks", file=file) for file, count in more.items())]


def refuse(remarks: Iterable[Problem]) -> None:
    """Raise InputError where there are any remarks: for those who want none."""
    found = quoted(remarks)
    if found:
        raise InputError(found)
