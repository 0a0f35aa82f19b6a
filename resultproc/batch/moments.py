"""Times as archives note them, and as people name them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from resultproc.model.errors import InputError


def written(time: datetime) -> str:
    """Return a time as manifests have it."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def moment(text: str) -> str:
    """Return a time that somebody names, as manifests have it: a day is its end, and UTC where no zone is named.

    Raises InputError for what is none.
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"'{text}' is not a date or time", hint="write, for example, 2026-05-31 or 2026-05-31T18:30"
        ) from None
    if _DAY.fullmatch(text):
        time += timedelta(days=1, microseconds=-1)
    return written(time if time.tzinfo else time.replace(tzinfo=UTC))
