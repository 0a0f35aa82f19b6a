"""What was sent, and what the sites said: an SQLite file that survives any interruption.

What is about to be sent is written down before, and what became of it after. So a run that was killed leaves what was
begun: whether it arrived, the site knows, or somebody who looks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

from resultproc.model.codes import code_of_writing
from resultproc.model.errors import OutputError
from resultproc.model.locks import code_of_database

BEGUN, SENT, READY, REFUSED, FAILED, REMOVED = "begun", "sent", "ready", "refused", "failed", "removed"
"""What became of a file: it may have arrived or not; the site took it; it was written for somebody to upload; the site
refused it; it was not sent at all; it was there, and was removed again.
"""


@dataclass(frozen=True)
class Receipt:
    """What became of a file at a site."""

    site: str  # its id
    account: str  # the club's name, folder or address there
    game: str  # what tells the game from others
    name: str  # what the file is called there
    sha256: str  # of the file and what went with it
    source: str  # the hash of what it was made from, with all that was declared of it
    state: str  # one of the words above: what became of it
    words: str  # what the site said, or what went wrong
    begun: str  # when, in UTC
    ended: str  # when, in UTC; empty where it is not known
    number: int = 0  # that of the row in the file of receipts, 0 before it has one

    @property
    def when(self) -> str:
        """When it ended, else when it was begun, in UTC: ``2026-04-20 09:15``."""
        return (self.ended or self.begun)[:16].replace("T", " ")

    @property
    def may_be_there(self) -> bool:
        """Whether the site has the file, or perhaps has it."""
        return self.state in (SENT, BEGUN)


_COLUMNS = tuple(each.name for each in fields(Receipt) if each.name != "number")


class Receipts:
    """The receipts of one user; a context manager that keeps other runs out until it is closed."""

    def __init__(self, path: Path) -> None:
        """Open the receipts, or begin them. Raises OutputError where that is impossible or another run has them."""
        self._path = path
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=1, isolation_level=None)
        try:
            with self._errors():
                # The first transaction takes the lock, and the system takes it off whatever way the run ends.
                self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
                self._db.execute("PRAGMA synchronous=FULL")
                self._db.execute("BEGIN EXCLUSIVE")
                columns = ", ".join(f"{name} TEXT NOT NULL" for name in _COLUMNS)
                self._db.execute(f"CREATE TABLE IF NOT EXISTS receipts (number INTEGER PRIMARY KEY, {columns})")
                self._db.execute("COMMIT")
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Receipts:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        file = str(self._path)
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                what = "another run is publishing"
                raise OutputError(what, hint="try again when it is done", file=file, code="again.locked") from None
            what = f"these receipts cannot be used: {error}"
            raise OutputError(what, file=file, code=code_of_database(error)) from None
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            hint = "name another file, or put it back as it was"
            raise OutputError("this is not a file of receipts", hint=hint, file=file, code="output.blocked") from None
        except OSError as error:
            what, hint = f"it cannot be written: {error.strerror}", "name another file with --receipts"
            raise OutputError(what, hint=hint, file=file, code=code_of_writing(error)) from None

    def of(self, **told: str) -> list[Receipt]:
        """Return the receipts that say something, such as ``site`` and ``game``, or all, in the order of sending."""
        condition = " AND ".join(f"{name} = ?" for name in told) or "1"
        query = f"SELECT {', '.join((*_COLUMNS, 'number'))} FROM receipts WHERE {condition} ORDER BY number"  # noqa: S608
        with self._errors():
            return [Receipt(*row) for row in self._db.execute(query, [*told.values()])]

    def begin(self, site: str, account: str, game: str, name: str, sha256: str, source: str) -> Receipt:
        """Write down that a file is about to be sent, and return that. The parameters are as in :class:`Receipt`."""
        receipt = Receipt(site, account, game, name, sha256, source, BEGUN, "", _now(), "")
        values = [getattr(receipt, each) for each in _COLUMNS]
        query = f"INSERT INTO receipts ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608
        with self._errors():
            number = self._db.execute(query, values).lastrowid or 0
        return replace(receipt, number=number)

    def end(self, receipt: Receipt, state: str, words: str) -> Receipt:
        """Write down what became of a file, and return that."""
        ended = replace(receipt, state=state, words=words, ended=_now())
        query = "UPDATE receipts SET state = ?, words = ?, ended = ? WHERE number = ?"
        with self._errors():
            self._db.execute(query, (state, words, ended.ended, receipt.number))
        return ended


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
