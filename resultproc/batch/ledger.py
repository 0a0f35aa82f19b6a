"""What a batch has done: an SQLite file in the output folder, which survives any interruption."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from resultproc.batch.naming import DAMAGED, LOCK, OURS, is_inside
from resultproc.formats.found import LEDGER
from resultproc.model.errors import OutputError
from resultproc.model.file_limits import FileLimits
from resultproc.model.files import Seen, SeenFiles, folded_name
from resultproc.model.locks import code_of_database, locked, reason_of_database, refuse_busy
from resultproc.site.games import UNDATED, Columns, GameRow, games_said

_VERSION = 7

_NAMES = ("SELECT path, name, inside, place FROM inputs", "SELECT path, key, name, sha256 FROM files")
"""What a ledger of this version, and of the three before, says of names."""

_TABLES = {
    "inputs": """path TEXT PRIMARY KEY, block INTEGER, hash TEXT, name TEXT, inside INTEGER, place TEXT,
        written INTEGER, outcome TEXT""",
    "files": "path TEXT, key TEXT PRIMARY KEY, name TEXT, sha256 TEXT",
    "outcomes": "path TEXT PRIMARY KEY, outcome TEXT",
    "looks": "path TEXT PRIMARY KEY, left_out TEXT, look TEXT",
    "games": """path TEXT, number INTEGER, results TEXT, date TEXT, title TEXT, session TEXT, club TEXT, kind TEXT,
        people INTEGER, seats TEXT, more TEXT""",
    "ways": "way INTEGER, written TEXT",
    "people": "path TEXT, number INTEGER, played TEXT, seated TEXT",
    "listed": "year TEXT PRIMARY KEY, games TEXT",
    "unlisted": "path TEXT PRIMARY KEY",
    "quiet": "block INTEGER PRIMARY KEY, looks TEXT, told TEXT, keys TEXT, names TEXT, said TEXT",
    "unsure": "mark TEXT PRIMARY KEY",
    "away": "path TEXT PRIMARY KEY",
    "last_run": "record TEXT",
    "seen": "name TEXT PRIMARY KEY, block INTEGER, looks TEXT, sha256 TEXT, made_of TEXT",
}
"""The columns of each table; the last one, ``sum``, is made of the others: what a disk has spoilt is noticed."""

_SCHEMA = "".join(
    f"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} ({columns}, sum INTEGER);"
    + "".join(
        f"CREATE INDEX {table}_of_{column} ON {table} ({column});"
        for column in ("path", "block", "hash", "date", "results")
        if re.search(rf"\b{column} \w+,", columns)
    )
    for table, columns in _TABLES.items()
)

BLOCKS, NO_BLOCK = 256, -1
"""How many blocks of inputs there are, and the block of files that were looked into for none of these alone."""


def block_of(path: str) -> int:
    """Return the block of an input: where all of a block is as it was, none of it is read."""
    return crc32(path.encode()) % BLOCKS


def _sum(row: Iterable[object]) -> int:
    return crc32("\0".join(map(str, row)).encode())


class Known(NamedTuple):
    """What every run asks of every input: what :class:`Outcome` has by these names."""

    hash: str = ""
    number_of_problems: int = 0
    own: Mapping[str, str] = MappingProxyType({})
    final: bool = True
    awaited: bool = False
    limits: Sequence[int] = ()

    def may_pass(self, limits: FileLimits | None) -> bool:
        """Return whether it was too much for limits narrower than these."""
        return bool(self.limits) and (
            limits is None or any(now > then for now, then in zip(limits.as_list, self.limits, strict=True))
        )


class Quiet(NamedTuple):
    """What holds of a block of inputs and their results as long as these look as they did."""

    looks: str = ""  # what tells how they look, and what is declared for them, from anything else
    # The entries among failures and remarks of those that have some, by their numbers, with how many remarks are their
    # own: see :attr:`resultproc.batch.run.Tally.own_remarks`.
    wrong: Mapping[int, Sequence[Any]] = MappingProxyType({})
    odd: Sequence[str] = ()  # the keys of inputs of the block of which none of this is said
    own: Mapping[str, str] = MappingProxyType({})  # see :attr:`Outcome.own`
    keys: Sequence[str] = ()  # of the inputs
    names: Sequence[str] = ()  # of the results
    said: Sequence[str] = ()  # the entry of each input in the report of the next run


@dataclass(frozen=True)
class Outcome:
    """What became of an input: how many games it held, or what was wrong with it; and what is doubtful about it."""

    hash: str = ""  # of what was read, with what was declared for it; empty where it could not be read
    sha256: str = ""  # of the file alone
    games: int = 0  # how many it held
    rulebooks: Mapping[str, Any] = field(default_factory=dict)  # those that paid, as the provenance of results has them
    problems: list[dict[str, Any]] = field(default_factory=list)  # the first ones
    number_of_problems: int = 0  # how many there are
    remarks: list[dict[str, Any]] = field(default_factory=list)  # the first ones
    number_of_remarks: int = 0  # how many there are
    # For each game what tells it from others of its day, and who played, see
    # :func:`resultproc.stages.same_game.who_played`; the ledger tells it by :meth:`Ledger.played` alone.
    played: list[dict[str, Any]] = field(default_factory=list)
    files: Mapping[str, str] = field(default_factory=dict)  # what was written, by name, with its SHA-256
    # The files of rulebooks that its games name, with the fingerprint that each had.
    own: Mapping[str, str] = field(default_factory=dict)
    # Who played where and won what, see :func:`resultproc.site.player_pages.who_sat`, where there are to be pages of
    # players.
    seated: list[dict[str, Any]] = field(default_factory=list)
    # The names and numbers of those who do not want a page, as the club's settings say.
    left_out: list[str] = field(default_factory=list)
    look: dict[str, Any] = field(default_factory=dict)  # how the club's own site looks, as these say
    final: bool = True  # whether its events are over
    # Whether results are to come, so that the games were ranked as they stood and nothing was awarded.
    awaited: bool = False
    limits: Sequence[int] = ()  # those that it was too much for

    @property
    def known(self) -> Known:
        """What every run asks of it."""
        return Known(*(getattr(self, name) for name in Known._fields))


_UNKNOWN = Known()


@dataclass
class LedgerEntry:
    """What the ledger knows of an input."""

    path: str  # the input's
    name: str  # the input's
    inside: bool  # whether a folder was given that it is in
    stem: str  # what its results are called, without an ending
    # The names that are its own in the output folder, with the SHA-256 of those that were written; of what earlier runs
    # did there are these alone.
    files: dict[str, str | None]
    # What is asked of it in every run, without a hash while it is to be done for the first time.
    known: Known = _UNKNOWN
    # What became of it in this run, None for what earlier ones did, see :meth:`Ledger.outcome`.
    outcome: Outcome | None = None

    @property
    def written(self) -> dict[str, str]:
        """The results that were written, by name, with their SHA-256."""
        return {name: sha256 for name, sha256 in self.files.items() if sha256}


class DamagedLedgerError(OutputError):
    """A ledger is not as runs write it. It is kept under another name, and the next run does everything again."""

    code = "output.blocked"


class Ledger:
    """The ledger of one output folder; a context manager that closes it.

    left: outdated results that were changed since they were written, by name, with the SHA-256 that they had. seen: the
    files that runs have looked into. quiet: what holds of blocks of inputs. touched: the paths of inputs that were
    saved. before: the names of results that were loaded.
    """

    def __init__(self, folder: Path) -> None:
        """Open the folder's ledger, or begin one, and keep other runs out until it is closed.

        Raises OutputError where that is impossible, where another run is at work in the folder, and for a ledger that
        a run cannot have written; this and all other methods raise DamagedLedgerError for what a disk has spoilt.
        """
        self._file = folder / LEDGER
        for name in OURS:
            if (folder / name).is_symlink() and name.startswith((LEDGER, LOCK)):
                what = "this is a link, which is not followed"
                raise OutputError(what, hint="remove it", file=str(folder / name), code="output.blocked")
        with ExitStack() as opened:
            with self._errors():
                opened.enter_context(closing(locked(folder / LOCK)))
                empty = self._file.is_file() and not self._file.stat().st_size
                self._db = sqlite3.connect(self._file)
                opened.push(self._end)
                if empty:
                    raise self._damaged("the ledger is empty")
                # What is recorded survives the end of the process; the results that it speaks of were written before.
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                version = self._db.execute("PRAGMA user_version").fetchone()[0]
                if version != _VERSION:
                    names_kept = version in range(_VERSION - 3, _VERSION)
                    self._begin(*(self._db.execute(rows).fetchall() if names_kept else () for rows in _NAMES))
                with self._as_written():
                    self._read()
            self._opened = opened.pop_all()

    def _begin(self, inputs: Iterable[Sequence[Any]], files: Sequence[Sequence[Any]]) -> None:
        """Begin a ledger that knows some names of results, and what they are of: all is done again."""
        with self._db:
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={_VERSION};")
            count = Counter(path for path, *_, sha256 in files if sha256)
            self._put("inputs", ((each[0], block_of(each[0]), "", *each[1:], count[each[0]], "{}") for each in inputs))
            self._put("files", files)

    def _end(self, _: object, error: BaseException | None, *__: object) -> None:
        """Close it; keep a damaged one under another name, and begin one with the names that it still tells."""
        if not isinstance(error, DamagedLedgerError):
            self._db.close()
            return
        kept: dict[str, list[Any]] = {"inputs": [], "files": []}
        for table in kept:
            with suppress(OutputError):
                kept[table] = self._rows(table, lost=True)
        self._db.close()
        self._file.replace(self._file.with_name(DAMAGED))
        for more in ("-wal", "-shm"):
            self._file.with_name(LEDGER + more).unlink(missing_ok=True)
        paths = {"", *(path for path, *_ in kept["inputs"])}
        with self._errors(), closing(sqlite3.connect(self._file)) as self._db:
            inputs = [(path, name, inside, stem) for path, _, _, name, inside, stem, *_ in kept["inputs"]]
            self._begin(inputs, [row for row in kept["files"] if row[0] in paths])

    def _read(self) -> None:
        self._entries: dict[str, LedgerEntry] = {}
        self._not_read, self._all_asked = {*range(BLOCKS)}, True
        self.touched: set[str] = set()
        self.before: set[str] = set()
        self.seen = SeenFiles()
        self._seen_before: dict[str, tuple[int, Seen]] = {}
        self._look_back([NO_BLOCK])
        # What is called so and not written is asked for by name alone, see :meth:`owners`.
        self.left = {name: sha256 or "" for _, _, name, sha256 in self._rows("files", "WHERE path = ''")}
        self._refuse_outside(self.left)
        self.quiet: dict[int, Quiet] = {}
        for block, looks, told, *texts in self._rows("quiet", lost=True):
            wrong, odd, own = json.loads(told)
            keys, names, said = (text.split("\n") if text else [] for text in texts)
            self.quiet[block] = Quiet(looks, {int(at): each for at, each in wrong.items()}, odd, own, keys, names, said)

    @property
    def entries(self) -> dict[str, LedgerEntry]:
        """What is known of inputs, by their paths: of all, unless :meth:`load` has said of which."""
        if self._all_asked:
            self.load(self._not_read)
        return self._entries

    def entry(self, path: str) -> LedgerEntry:
        """Return what is known of an input; raise KeyError where nothing is."""
        if path not in self._entries:
            self.load([block_of(path)])
        return self._entries[path]

    def load(self, blocks: Iterable[int], paths: Iterable[str] = ()) -> None:
        """Let the entries have those of some blocks, and of some more paths."""
        self._all_asked = False
        new = self._not_read & {*blocks}
        self._not_read -= new
        with self._as_written():
            for path in paths:
                self._take("WHERE path = ?", path)
            if new:
                self._take(f"WHERE block IN ({','.join(map(str, new))})")
                self._look_back(new)

    def _take(self, which: str, *values: object) -> None:
        rows = self._rows("inputs", which, *values)
        of_these = f"WHERE path IN (SELECT path FROM inputs {which}) AND sha256 IS NOT NULL"  # noqa: S608
        files = self._rows("files", of_these, *values)
        known = json.loads(f"[{','.join(row[-1] for row in rows)}]")
        written = Counter(path for path, *_ in files)
        self._refuse_outside([*(f"{row[5]}.x" for row in rows), *(row[2] for row in files)])
        found = {}
        for (path, _, hash_, name, inside, stem, count, _), each in zip(rows, known, strict=True):
            found[path] = LedgerEntry(path, name, bool(inside), stem, {}, Known(hash_, **each))
            if written[path] != count:
                raise self._damaged(_SPOILT)
        for path, _, name, sha256 in files:
            found[path].files[name] = sha256
            self.before.add(name)
        self._entries = found | self._entries

    def _look_back(self, blocks: Iterable[int]) -> None:
        """Remember the files of some blocks that runs have looked into."""
        for name, block, *told in self._rows("seen", f"WHERE block IN ({','.join(map(str, blocks))})", lost=True):
            seen = Seen(*told)
            self._seen_before[name] = block, seen
            self.seen.known.setdefault(name, seen)

    def _refuse_outside(self, names: Iterable[str]) -> None:
        for name in names:
            if not is_inside(name):
                raise self._refused(f"this ledger names a file that is not in its folder: '{name}'")

    def _rows(self, table: str, asked: str = "", *values: object, lost: bool = False) -> list[Any]:
        """Return rows of a table as they were written. asked: which, in SQL.

        Raises OutputError for one that is not; lost: it is left out, as what it says is found anew.
        """
        with self._errors():
            rows = self._db.execute(f"SELECT * FROM {table} {asked}", values).fetchall()  # noqa: S608
        whole = [row[:-1] for row in rows if row[-1] == _sum(row[:-1])]
        if len(whole) < len(rows) and not lost:
            raise self._damaged(_SPOILT)
        return whole

    def _put(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        summed = [(*row, _sum(row)) for row in rows]
        if summed:
            marks = ", ".join("?" * len(summed[0]))
            self._db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", summed)  # noqa: S608

    @contextmanager
    def _as_written(self) -> Iterator[None]:
        try:
            yield
        except (TypeError, ValueError, KeyError, AttributeError):
            raise self._damaged(_SPOILT) from None

    def _refused(self, what: str) -> OutputError:
        hint = "remove it, and everything is done again"
        return OutputError(what, hint=hint, file=str(self._file), code="output.blocked")

    def _damaged(self, what: str) -> DamagedLedgerError:
        hint = f"it is kept as {DAMAGED}, and everything is done again"
        return DamagedLedgerError(what, hint=hint, file=str(self._file))

    def begin_run(self, began: str) -> dict[str, Any] | None:
        """Note that a run has begun; return the record of the one before, which lacks its end where it was broken off.

        None where there was none.
        """
        found = [self._loaded(record) for (record,) in self._rows("last_run")]
        with self._errors(), self._db:
            self._note({"began": began})
        return found[0] if found else None

    def end_run(self, record: Mapping[str, Any], quiet: Mapping[int, Quiet], blocks: Mapping[str, int]) -> None:
        """Keep the record of this run, and what it knows of the files that it has looked into.

        quiet: what holds of the blocks of inputs that are not as they were.
        blocks: those of the files that are asked for with a block alone.
        """
        before, again = self._seen_before, {NO_BLOCK, *quiet}
        known = {}
        for name in self.seen.asked & self.seen.known.keys():
            was = before[name][0] if name in before else NO_BLOCK
            known[name] = blocks.get(name, NO_BLOCK if was in again else was), self.seen.known[name]
        gone = [(name,) for name, (block, _) in before.items() if block in again and name not in known]
        new = [(name, block, *seen) for name, (block, seen) in known.items() if before.get(name) != (block, seen)]
        with self._errors(), self._db:
            self._note(record)
            self._db.executemany("DELETE FROM seen WHERE name = ?", gone)
            self._put("seen", new)
            for block, each in quiet.items():
                told = json.dumps([each.wrong, each.odd, each.own])
                self._put("quiet", [(block, each.looks, told, *("\n".join(lines) for lines in each[4:]))])

    def _note(self, record: Mapping[str, Any]) -> None:
        self._db.execute("DELETE FROM last_run")
        self._put("last_run", [(json.dumps(record),)])

    def written(self) -> dict[str, str]:
        """Return the results of the files that were awarded, as they were written, with their SHA-256."""
        done = (entry for entry in self.entries.values() if not entry.known.number_of_problems)
        return {name: sha256 for entry in done for name, sha256 in entry.written.items()}

    def with_content(self, hashes: Iterable[str]) -> Iterator[str]:
        """Yield the paths of the inputs that have some contents, by the hashes of these."""
        for each in hashes:
            yield from (path for path, *_ in self._rows("inputs", "WHERE hash = ?", each))

    def known(self, key: str) -> Known:
        """Return what is asked in every run of an input, which it need not know."""
        return self.entries[key].known if key in self.entries else _UNKNOWN

    def outcome(self, key: str) -> Outcome:
        """Return what became of an input, which it need not know; for its games see the methods of them."""
        entry = self.entries.get(key)
        if entry is None:
            return Outcome()
        outcome = entry.outcome
        if outcome is None:
            rows = self._rows("outcomes", "WHERE path = ?", key)
            if not rows and entry.known.hash:
                raise self._damaged(_SPOILT)
            with self._as_written():
                outcome = Outcome(**json.loads(rows[0][1] if rows else "{}"))
        return replace(outcome, files=entry.written)

    def played(self, key: str) -> list[dict[str, Any]]:
        """Return what is known of the games of an input, see :attr:`Outcome.played`."""
        rows = self._rows("people", "WHERE path = ? ORDER BY number", key)
        if len(rows) < len(self._rows("games", "WHERE path = ?", key)):
            raise self._damaged(_SPOILT)
        return [self._loaded(played) for _, _, played, _ in rows]

    def perhaps_alike(self, listed: Collection[str]) -> set[str]:
        """Return the inputs whose games may be versions of others, as far as that is new: see :meth:`keep_unsure`.

        They share days or results with an input that has changed, or with some that may have a game in two versions.

        listed: those of the entries that are compared; all that are no entries are.
        """
        unsure = {mark for (mark,) in self._rows("unsure")}
        before = {path for (path,) in self._rows("away")}
        away = {path for path in self.entries if path not in listed}
        for path in away ^ before:
            unsure |= self._marks(path)
        found, asked = set[str](), set[str]()
        while unsure:
            asked |= unsure
            on_marks = (self._rows("games", "WHERE date = ? OR results = ?", mark, mark) for mark in unsure)
            new = {path for rows in on_marks for path, *_ in rows} - away - found
            found |= new
            unsure = {mark for path in new for mark in self._marks(path)} - asked
        with self._errors(), self._db:
            self._delete(["away"], before - away)
            self._put("away", [(path,) for path in away - before])
            self._put("unsure", [(mark,) for mark in asked])
        return found

    def keep_unsure(self, paths: Iterable[str]) -> None:
        """Keep that no inputs have a game in two versions, but that some may: they are compared again."""
        marks = {mark for path in paths for mark in self._marks(path)}
        with self._errors(), self._db:
            self._db.execute("DELETE FROM unsure")
            self._put("unsure", [(mark,) for mark in marks])

    def _marks(self, path: str) -> set[str]:
        """Return the days and results of the games of an input."""
        rows = self._rows("games", "WHERE path = ?", path)
        return {mark for row in rows for mark in row[2:4] if mark}

    def games(self, ending: str) -> tuple[dict[str, Columns], set[str]]:
        """Return what a site says of games, by years; and the years that are no longer as they are kept.

        ending: how the names of their pages end.
        """
        with self._as_written():
            years = {year: Columns.of_text(text) for year, text in self._rows("listed")}
        since = {path for (path,) in self._rows("unlisted")}
        new: dict[str, list[GameRow]] = {}
        for path in sorted(since):
            for row in self._rows_of_site(path, ending):
                new.setdefault(row.date[:4] or UNDATED, []).append(row)
        others = new.keys() | {year for year, games in years.items() if not since.isdisjoint(games.path)}
        for year in others:
            rows = (row for row in years[year].rows if row.path not in since) if year in years else ()
            years[year] = Columns.of_rows([*rows, *new.get(year, ())])
        return years, others

    def keep_games(self, years: Mapping[str, Columns]) -> None:
        """Keep what a site says of the games of some years; the others are as they are kept."""
        with self._errors(), self._db:
            self._put("listed", [(year, games.text) for year, games in years.items()])
            self._db.execute("DELETE FROM unlisted")

    def _rows_of_site(self, path: str, ending: str) -> Iterator[GameRow]:
        """Yield what lists and pages of players say of the games of an input."""
        games = self._rows("games", "WHERE path = ? ORDER BY number", path)
        for _, number, _, date, title, session, club, kind, people, seats, more in games:
            page, part = self.entry(path).stem + ending, f"g{number + 1}" if len(games) > 1 else ""
            (seated,) = self.more_of_games([(path, number)], "seated")
            said = [page, part, date, title, session, club, kind, str(people), seats, more, seated]
            told = int(hashlib.sha256("\0".join(said).encode()).hexdigest()[:16], 16)
            texts = path, page, self.entry(path).files.get(page) or "", part, date, title, session, club, kind
            yield GameRow(*texts, people, told, 0, self._loaded(seats))

    def more_of_games(self, games: Collection[tuple[str, int]], what: str) -> list[Any]:
        """Return what :class:`GameSaid` calls ``more`` or ``seated`` of games, by their inputs and their numbers."""
        table = {"more": "games", "seated": "people"}[what]
        paths = json.dumps([*{path for path, _ in games}])
        rows = self._rows(table, "WHERE path IN (SELECT value FROM json_each(?))", paths)
        texts = {(path, number): text for path, number, *_, text in rows}
        if not texts.keys() >= {*games}:
            raise self._damaged(_SPOILT)
        return [texts[each] if what == "seated" else self._loaded(texts[each]) for each in games]

    @cached_property
    def ways(self) -> dict[str, int]:
        """The number of each way in which somebody is written: a game says of each seat that alone."""
        return {written: way for way, written in self._rows("ways")}

    def ways_written(self, highest: int) -> list[str]:
        """Return these ways by their numbers. highest: the highest number that a game has."""
        if [*self.ways.values()] != [*range(len(self.ways))] or highest >= len(self.ways):
            raise self._damaged(_SPOILT)
        return [*self.ways]

    def said_of_site(self) -> tuple[set[str], dict[str, Any]]:
        """Return who wants no page of the own, and how the club's site looks: as settings say, of several the first."""
        rows = self._rows("looks", "ORDER BY path")
        every, looks = {row[1] for row in rows}, (row[2] for row in rows if row[2] != "{}")
        return {text for each in every for text in self._loaded(each)}, self._loaded(next(looks, "{}"))

    def owners(self, name: str, *, below: bool = True) -> dict[str, str]:
        """Return this name, and those below it, as far as inputs have them, each with the path of its input.

        All are as :func:`~resultproc.model.files.folded_name` has them, and as they were saved.
        """
        folder = (f"{name}/", f"{name}0") if below else (name, name)  # what comes between them is below it
        rows = self._rows("files", "WHERE path != '' AND (key = ? OR key > ? AND key < ?)", name, *folder)
        return {key: path for path, key, *_ in rows}

    def rename(self, entry: LedgerEntry, path: str) -> None:
        """Let an input be known by another path."""
        gone = entry.path
        unsure = self._marks(gone)
        with self._errors(), self._db:
            for table, columns in _TABLES.items():
                if columns.startswith("path ") and table != "inputs":
                    rows = self._rows(table, "WHERE path = ?", gone)
                    self._db.execute(f"DELETE FROM {table} WHERE path = ?", [gone])  # noqa: S608
                    self._put(table, [(path, *row[1:]) for row in rows])
            self._delete(["inputs"], [gone])
            del self._entries[gone]
            entry.path = path
            self._entries[path] = entry
            self._put("inputs", [_row(entry)])
            self._touch([gone, path], unsure)

    def _loaded(self, text: str) -> Any:
        with self._as_written():
            return json.loads(text)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            refuse_busy(error, self._file.parent)
            what = f"the ledger cannot be used: {reason_of_database(error)}"
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _OF_DAMAGED:
                raise self._damaged(what) from None
            raise OutputError(what, file=str(self._file), code=code_of_database(error)) from None
        except UnicodeDecodeError:  # of what SQLite says of a table whose name is spoilt
            raise self._damaged(_SPOILT) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *raised: Any) -> None:
        self._opened.__exit__(*raised)

    def save(self, paths: Iterable[str]) -> None:
        """Write what is known of some inputs, all of it or nothing; OutputError where that is impossible."""
        paths = set(paths)
        entries = [self.entries[path] for path in sorted(paths & self.entries.keys())]
        files = [*_files(entries), *(("", folded_name(name), name, sha256) for name, sha256 in self.left.items())]
        done = {entry.path: entry.outcome for entry in entries if entry.outcome}
        gone = (paths - self.entries.keys()) | done.keys()
        marks = {mark for path in gone for mark in self._marks(path)}
        marks |= {game[mark] for each in done.values() for game in each.played for mark in ("date", "results")} - {""}
        ways = self.ways if done else {}
        known = len(ways)
        with self._errors(), self._db:
            self._delete(["inputs", "files"], ["", *paths])
            self._delete(["outcomes", "looks", "games", "people"], gone)
            self._put("inputs", map(_row, entries))
            self._touch(paths, marks)
            self._put("files", files)
            for path, outcome in done.items():
                self._put("outcomes", [(path, json.dumps({**vars(outcome), "played": [], "seated": []}))])
                if outcome.left_out or outcome.look:
                    self._put("looks", [(path, json.dumps(outcome.left_out), json.dumps(outcome.look))])
                games = zip(outcome.played, games_said(outcome.played, outcome.seated), strict=True)
                for number, (game, (*told, seats, more, seated)) in enumerate(games):
                    mine = [ways.setdefault(text, len(ways)) for text in seats]
                    said = (path, number, game["results"], *told, json.dumps(mine), json.dumps(more))
                    self._put("games", [said])
                    self._put("people", [(path, number, json.dumps(game), seated)])
            self._put("ways", list(zip(ways.values(), ways, strict=True))[known:])

    def rewritten(self, paths: Sequence[str]) -> None:
        """Write what the results of some inputs are now; they are called as they were."""
        with self._errors(), self._db:
            self._put("files", _files(self.entry(path) for path in paths))
            self._touch(paths)

    def _touch(self, paths: Collection[str], marks: Iterable[str] = ()) -> None:
        """Forget what was said of the blocks of some inputs. marks: the days and results that have other games now."""
        self.touched.update(paths)
        self._put("unlisted", [(path,) for path in paths])
        self._db.executemany("DELETE FROM quiet WHERE block = ?", [(block,) for block in set(map(block_of, paths))])
        self._put("unsure", [(mark,) for mark in marks])

    def _delete(self, tables: Iterable[str], paths: Iterable[str]) -> None:
        for table in tables:
            self._db.executemany(f"DELETE FROM {table} WHERE path = ?", [(path,) for path in paths])  # noqa: S608


def _row(entry: LedgerEntry) -> Sequence[object]:
    named = entry.name, int(entry.inside), entry.stem
    return entry.path, block_of(entry.path), entry.known.hash, *named, len(entry.written), _known_as_json(entry.known)


def _files(entries: Iterable[LedgerEntry]) -> Iterator[Sequence[object]]:
    for entry in entries:
        yield from ((entry.path, folded_name(name), name, sha256) for name, sha256 in entry.files.items())


_SPOILT = "this is not a ledger that a run has written"
_OF_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: a name is not there


def _known_as_json(known: Known) -> str:
    """Return what is known besides the hash in JSON, without what is so of most inputs."""
    told = known._replace(hash="")._asdict()
    return json.dumps({name: value for name, value in told.items() if value != getattr(_UNKNOWN, name)})
