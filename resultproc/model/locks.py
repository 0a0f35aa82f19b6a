"""One run works in a folder at a time: the system takes its lock off whatever way the run ends."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from resultproc.model.errors import OutputError

if sys.platform != "win32":
    import resource


@contextmanager
def folder_held(path: Path, held: str = "", seconds: float = 0) -> Iterator[None]:
    """Hold the lock of a folder, a file that stays empty; OutputError, which may say who holds it, where that fails.

    seconds: how long to wait for it.
    """
    try:
        lock = locked(path, seconds)
    except sqlite3.Error as error:
        refuse_busy(error, path.parent, held)
        what = f"it cannot be written to: {reason_of_database(error)}"
        raise OutputError(what, file=str(path.parent), code=code_of_database(error)) from None
    with closing(lock):
        yield


def locked(path: Path, seconds: float = 0) -> sqlite3.Connection:
    """Return the lock of a folder, which is held until it is closed; sqlite3.Error where that is impossible.

    seconds: as for :func:`folder_held`.
    """
    lock = sqlite3.connect(path, timeout=seconds)
    lock.execute("PRAGMA journal_mode=MEMORY")  # or a file would be there beside
    lock.execute("BEGIN EXCLUSIVE")
    return lock


def refuse_busy(error: sqlite3.Error, folder: Path, held: str = "") -> None:
    """Raise OutputError if an error says that another run is at work in a folder.

    held: the message, '' for the usual one.
    """
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
        what = held or "another run is at work in this folder"
        raise OutputError(what, file=str(folder), code="again.locked") from None


def reason_of_database(error: sqlite3.Error) -> str:
    """Return in words what SQLite could not do with a file."""
    return os.strerror(full) if (full := _no_room(error)) else str(error)


def _no_room(error: sqlite3.Error) -> int:
    """Return the system's number of what has no room, where SQLite tells it as any other fault; 0 for all else.

    A file would be larger than this process may write, or the disk has no room for what SQLite keeps beside its file.
    """
    code = getattr(error, "sqlite_errorcode", 0)
    if sys.platform == "win32" or code & 0xFF != sqlite3.SQLITE_IOERR:
        return 0
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        return errno.EFBIG
    return errno.ENOSPC if code == sqlite3.SQLITE_IOERR_SHMSIZE else 0


def code_of_database(error: sqlite3.Error) -> str:
    """Return the code of what SQLite could not do with a file."""
    if _no_room(error):
        return "machine.full"
    return _OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "machine.failed")


_OF_SQLITE = {
    sqlite3.SQLITE_FULL: "machine.full",
    sqlite3.SQLITE_READONLY: "machine.permission",
    sqlite3.SQLITE_PERM: "machine.permission",
    sqlite3.SQLITE_NOMEM: "machine.memory",
}
