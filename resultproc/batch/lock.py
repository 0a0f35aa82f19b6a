"""One run at a time: a lock that the system takes off whatever way the run ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from resultproc.model.errors import OutputError


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of a folder, a file that stays empty; OutputError where another run holds it."""
    with closing(_lock(path)):
        yield


def _lock(path: Path) -> sqlite3.Connection:
    try:
        lock = sqlite3.connect(path, timeout=0)
        lock.execute("PRAGMA journal_mode=MEMORY")  # or a file would be there beside
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        what = "another run is at work in this folder" if busy else f"it cannot be written to: {error}"
        raise OutputError(what, file=str(path.parent)) from None
    return lock
