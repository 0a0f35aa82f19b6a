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
        return taken(path)
    except sqlite3.Error as error:
        refuse_busy(error, path.parent)
        raise OutputError(f"it cannot be written to: {error}", file=str(path.parent)) from None


def taken(path: Path) -> sqlite3.Connection:
    """Return the lock of a folder, which is held until it is closed; sqlite3.Error where that is impossible."""
    lock = sqlite3.connect(path, timeout=0)
    lock.execute("PRAGMA journal_mode=MEMORY")  # or a file would be there beside
    lock.execute("BEGIN EXCLUSIVE")
    return lock


def refuse_busy(error: sqlite3.Error, folder: Path) -> None:
    """Raise OutputError for an error that says that another run is at work in a folder."""
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
        raise OutputError("another run is at work in this folder", file=str(folder), code="again.locked") from None
