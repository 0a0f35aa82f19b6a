"""What a batch has done: an SQLite file in the output folder, which survives any interruption."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from resultproc.batch.inputs import Input
from resultproc.errors import OutputError

NAME, LOCK = "ledger.sqlite", "ledger.lock"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS inputs (
    hash TEXT PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    games INTEGER,
    problems TEXT
)
"""


@dataclass(frozen=True)
class Outcome:
    """What became of an input: how many games it held, or what was wrong with it."""

    games: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)


class Ledger:
    """The ledger of one output folder; a context manager that closes it."""

    def __init__(self, folder: Path) -> None:
        """Open the folder's ledger, or begin one, and keep other runs out until it is closed.

        Raises OutputError where that cannot be, and where another run is at work in the folder.
        """
        file = folder / NAME
        # A lock that the system takes off whatever way the run ends.
        self._lock = sqlite3.connect(folder / LOCK, timeout=0)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            raise OutputError("another run is at work in this folder", file=str(folder)) from None
        try:
            self._db = sqlite3.connect(file)
            with self._db:
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute(_SCHEMA)
        except sqlite3.Error as error:
            raise OutputError(f"the ledger cannot be used: {error}", file=str(file)) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        self._lock.close()

    def enter(self, item: Input) -> tuple[str, Path]:
        """Return the name of an input's results and the path of the file that they are of.

        The name is the file's own, with a piece of its hash where another input has that name. The path is another
        than the input's where that has the same content. A file whose content has changed keeps its name, and what
        was known of its old content is forgotten.
        """
        with self._db:
            row = self._db.execute("SELECT name, path FROM inputs WHERE hash = ?", (item.hash,)).fetchone()
            if row:
                return row[0], Path(row[1])
            path = item.path.resolve()
            self._db.execute("DELETE FROM inputs WHERE path = ?", (str(path),))
            name = item.path.stem
            if self._db.execute("SELECT 1 FROM inputs WHERE name = ?", (name,)).fetchone():
                name = f"{name}-{item.hash[:12]}"
            self._db.execute("INSERT INTO inputs (hash, path, name) VALUES (?, ?, ?)", (item.hash, str(path), name))
        return name, path

    def record(self, outcomes: Iterable[tuple[str, Outcome]]) -> None:
        """Note the outcomes of some inputs by hash, all of them or none."""
        rows = [(each.games, json.dumps(each.problems) if each.problems else None, hash_) for hash_, each in outcomes]
        with self._db:
            self._db.executemany("UPDATE inputs SET games = ?, problems = ? WHERE hash = ?", rows)

    def outcome(self, hash_: str) -> Outcome | None:
        """Return what became of an input, None while it is to be done."""
        row = self._db.execute("SELECT games, problems FROM inputs WHERE hash = ?", (hash_,)).fetchone()
        if row is None or row[0] is None:
            return None
        return Outcome(row[0], json.loads(row[1]) if row[1] else [])
