"""The codes of problems and remarks: what programs tell them apart by, whatever the words of the message.

A code stays what it is, and so does the exit status that its first word stands for. They are declared in
``codes.toml``, where ``scripts/make-docs`` takes them from.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

COMMAND_LINE, DIFFERENCES, FALLS, TRY_AGAIN, MACHINE, BUG, INTERRUPTED, CLOSED = 2, 3, 4, 5, 6, 70, 130, 141
"""The exit statuses besides 0, all is done, and 1, the input is at fault. CLOSED: nobody reads what is printed."""

STATUSES = {"command": COMMAND_LINE, "again": TRY_AGAIN, "machine": MACHINE, "bug": BUG, "stopped": INTERRUPTED}
"""The exit status that the first word of a code stands for; any other stands for 1."""

_WORST_FIRST = (INTERRUPTED, BUG, MACHINE, TRY_AGAIN, COMMAND_LINE, 1, FALLS, DIFFERENCES, 0)


def every_code() -> dict[str, str]:
    """Return every code and what it means, as ``codes.toml`` declares them."""
    from resultproc.model.toml import toml_beside

    parts = toml_beside(__file__, "codes.toml")
    return {f"{part}.{name}": meaning for part, of_part in parts.items() for name, meaning in of_part.items()}


MISSING, CONTRADICTED = "declaration.missing", "declaration.contradicted"
OUT_OF_ORDER = "places.out-of-order"
PASSED_OVER, NOBODY, DECLARES_NOTHING = "sheet.passed-over", "sheet.nobody", "sheet.declares-nothing"
COUNTED, EVENT_TOLD, TITLE_NOT_TAKEN = "tables.counted", "event.told", "title.not-taken"
AWAITED, NOT_FINAL = "boards.awaited", "site.not-final"
HOLDINGS_MISSING = "players.no-holdings"
OF_BOOK, OF_VALUES = "rulebook.remark", "values.remarked"
EMPTY, UNREADABLE, UNKNOWN, ENCODING = "input.empty", "input.unreadable", "format.unknown", "format.encoding"
TOO_MUCH = "file.too-much"
"""Codes of several places."""


def status_of(code: str) -> int:
    """Return the exit status that a code stands for."""
    return STATUSES.get(code.partition(".")[0], 1)


def worst(statuses: Iterable[int]) -> int:
    """Return the exit status of several causes: what kept something from being done comes before what was found."""
    return min(statuses, key=_WORST_FIRST.index, default=0)


def status_of_all(codes: Iterable[str]) -> int:
    """Return the exit status of several problems; 0 for none."""
    return worst(map(status_of, codes))


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


def code_of_writing(error: OSError) -> str:
    """Return the code of what the system could not write: a folder that is not there is no fault of the input."""
    code = code_of(error)
    return "machine.failed" if code == "input.absent" else code


def code_of(error: Exception) -> str:
    """Return the code of what the system could not do, by its number or, as other libraries tell it, by its words."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "input.absent"
    for numbers, code in ((_FULL, "machine.full"), (_FORBIDDEN, "machine.permission")):
        if getattr(error, "errno", None) in numbers or any(os.strerror(number) in str(error) for number in numbers):
            return code
    return "machine.permission" if isinstance(error, PermissionError) else "machine.failed"
