"""What a batch has done: an SQLite file in the output folder, which survives any interruption."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from resultproc.batch.inputs import Input
from resultproc.model.errors import OutputError, shown

NAME, LOCK = "ledger.sqlite", "ledger.lock"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS inputs (
    hash TEXT PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    games INTEGER,
    problems TEXT,
    remarks TEXT
)
"""


@dataclass(frozen=True)
class Outcome:
    """What became of an input: how many games it held, or what was wrong with it; and what is doubtful about it."""

    games: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)
    remarks: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """What the ledger knows of an input.

    name: that of its results, without an ending. path: the file that they are of, which may be another one with the
    same content. outcome: None while it is to be done.
    """

    name: str
    path: Path
    outcome: Outcome | None = None


class Ledger:
    """The ledger of one output folder; a context manager that closes it."""

    def __init__(self, folder: Path) -> None:
        """Open the folder's ledger, or begin one, and keep other runs out until it is closed.

        Raises OutputError where that is impossible, and where another run is at work in the folder.
        """
        self._file = folder / NAME
        with self._errors():
            # A lock that the system takes off whatever way the run ends.
            self._lock = sqlite3.connect(folder / LOCK, timeout=0)
            self._lock.execute("BEGIN EXCLUSIVE")
            self._db = sqlite3.connect(self._file)
            # What is recorded survives the end of the process; the results that it speaks of were written before.
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            with self._db:
                self._db.execute(_SCHEMA)
                known = [row[1] for row in self._db.execute("PRAGMA table_info(inputs)")]
                if "remarks" not in known:  # as before remarks were kept
                    self._db.execute("ALTER TABLE inputs ADD COLUMN remarks TEXT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                what = "another run is at work in this folder"
                raise OutputError(what, file=str(self._file.parent)) from None
            raise OutputError(f"the ledger cannot be used: {error}", file=str(self._file)) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        self._lock.close()

    def enter(self, items: Iterable[Input]) -> list[Entry]:
        """Enter some inputs, all of them or none, and return what is known of each.

        The name of an input's results is the file's own, with a piece of its hash where that is taken or too long. A
        file whose content has changed keeps its name, and what was known of its old content is forgotten. Raises
        OutputError where the ledger cannot be written.
        """
        with self._errors(), self._db:
            return [self._enter(item) for item in items]

    def _enter(self, item: Input) -> Entry:
        path = shown(item.path.resolve())
        row = self._db.execute(
            "SELECT name, path, games, problems, remarks FROM inputs WHERE hash = ?", (item.hash,)
        ).fetchone()
        if row and (row[1] == path or Path(row[1]).is_file()):
            return Entry(row[0], Path(row[1]), _outcome(*row[2:]))
        self._db.execute("DELETE FROM inputs WHERE path = ?", (path,))
        if row:
            # The file was moved. What was wrong may have been its name: a failure is tried again.
            self._db.execute("UPDATE inputs SET path = ? WHERE hash = ?", (path, item.hash))
            before = _outcome(*row[2:])
            return Entry(row[0], Path(path), None if before and before.problems else before)
        name = shown(item.path.stem)
        taken = self._db.execute("SELECT 1 FROM inputs WHERE name = ?", (name,)).fetchone()
        if taken or name in _OURS or len(name.encode()) > _LONGEST:
            name = f"{name[: _LONGEST // 4]}-{item.hash[:12]}"
        self._db.execute("INSERT INTO inputs (hash, path, name) VALUES (?, ?, ?)", (item.hash, path, name))
        return Entry(name, Path(path))

    def record(self, outcomes: Iterable[tuple[str, Outcome]]) -> None:
        """Note the outcomes of some inputs by hash, all of them or none; OutputError where that cannot be written."""
        rows = [(each.games, _text(each.problems), _text(each.remarks), hash_) for hash_, each in outcomes]
        with self._errors(), self._db:
            self._db.executemany("UPDATE inputs SET games = ?, problems = ?, remarks = ? WHERE hash = ?", rows)


_OURS = ("report",)
"""Names that results cannot have, as the run writes such files itself."""

_LONGEST = 200
"""So many bytes of a name leave room for what follows it, under the 255 that file systems take."""


def _text(entries: list[dict[str, str]]) -> str | None:
    return json.dumps(entries) if entries else None


def _outcome(games: int | None, problems: str | None, remarks: str | None) -> Outcome | None:
    return (
        None if games is None else Outcome(games, *(json.loads(text) if text else [] for text in (problems, remarks)))
    )
