"""The time that outputs say they were made at."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from resultproc.model.errors import InputError


def now() -> datetime:
    """Return the time of now, or the one that the environment's ``SOURCE_DATE_EPOCH`` names, in seconds since 1970.

    With that, what has a time in it is the same to the byte, too. Raises InputError for one that is no time.
    """
    named = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return datetime.now(UTC) if named is None else datetime.fromtimestamp(int(named), UTC)
    except (ValueError, OverflowError, OSError):
        hint = "write the seconds since 1970, such as 1789000000"
        raise InputError(f"SOURCE_DATE_EPOCH is no time: '{named}'", hint=hint) from None
