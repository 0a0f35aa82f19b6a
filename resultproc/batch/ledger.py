"""What a batch has done: an SQLite file in the output folder, which survives any interruption."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
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
from resultproc.site.player_pages import GameSaid, games_said

_VERSION = 5

_NAMES = ("SELECT path, name, inside, place, '{}' FROM inputs", "SELECT path, key, name, sha256 FROM files")
"""What a ledger of the two versions before says of names."""

_TABLES = {
    "inputs": "path TEXT PRIMARY KEY, name TEXT, inside INTEGER, place TEXT, outcome TEXT",
    "files": "path TEXT, key TEXT PRIMARY KEY, name TEXT, sha256 TEXT",
    "outcomes": "path TEXT PRIMARY KEY, outcome TEXT",
    "looks": "path TEXT PRIMARY KEY, left_out TEXT, look TEXT",
    "games": """path TEXT, number INTEGER, results TEXT, date TEXT, title TEXT, session TEXT, club TEXT, kind TEXT,
        people INTEGER, seats TEXT, won TEXT""",
    "ways": "way INTEGER, written TEXT",
    "people": "path TEXT, number INTEGER, played TEXT, seated TEXT",
    "reported": """path TEXT PRIMARY KEY, file TEXT, about TEXT, remarks TEXT, number_of_remarks INTEGER,
        problems TEXT, number_of_problems INTEGER""",
    "apart": "digest TEXT PRIMARY KEY",
    "last_run": "record TEXT",
    "seen": "name TEXT PRIMARY KEY, looks TEXT, sha256 TEXT, made_of TEXT",
}
"""The columns of each table; the last one, ``sum``, is made of the others: what a disk has spoilt is noticed."""

_SCHEMA = "".join(
    f"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} ({columns}, sum INTEGER);"
    + (f"CREATE INDEX {table}_of_path ON {table} (path);" if "path TEXT," in columns else "")
    for table, columns in _TABLES.items()
)


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


class Reported(NamedTuple):
    """What reports say of an input, as texts of JSON."""

    file: str  # the path that it was called by
    about: str  # what comes before the remarks, without its braces
    remarks: str  # a list of them
    number_of_remarks: int  # how many there are, in the list or not
    problems: str  # a list of them
    number_of_problems: int  # how many there are, in the list or not


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

    entries: of all inputs, by their paths. left: outdated results that were changed since they were written, by name,
    with the SHA-256 that they had. seen: the files that runs have looked into.
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
                self.entries: dict[str, LedgerEntry] = {}
                self._games: list[Any] | None = None
                version = self._db.execute("PRAGMA user_version").fetchone()[0]
                if version != _VERSION:
                    names_kept = version in (_VERSION - 2, _VERSION - 1)
                    self._begin(*(self._db.execute(rows).fetchall() if names_kept else () for rows in _NAMES))
                with self._as_written():
                    self._read()
            self._opened = opened.pop_all()

    def _begin(self, inputs: Iterable[Sequence[object]], files: Iterable[Sequence[object]]) -> None:
        """Begin a ledger that knows some names of results, and what they are of: all is done again."""
        with self._db:
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={_VERSION};")
            self._put("inputs", inputs)
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
            inputs = [(*row[:-1], "{}") for row in kept["inputs"]]
            self._begin(inputs, [row for row in kept["files"] if row[0] in paths])

    def _read(self) -> None:
        # What is called so and not written is asked for by name alone, see :meth:`owners`.
        inputs, files = self._rows("inputs"), self._rows("files", "WHERE sha256 IS NOT NULL OR path = ''")
        known = json.loads(f"[{','.join(row[-1] for row in inputs)}]")
        for (path, name, inside, stem, _), each in zip(inputs, known, strict=True):
            self.entries[path] = LedgerEntry(path, name, bool(inside), stem, {}, Known(**each))
        self.seen = SeenFiles({name: Seen(*told) for name, *told in self._rows("seen", lost=True)})
        self._seen_before = dict(self.seen.known)
        self.left: dict[str, str] = {}
        for name in [*(f"{row[3]}.x" for row in inputs), *(row[2] for row in files)]:
            if not is_inside(name):
                raise self._refused(f"this ledger names a file that is not in its folder: '{name}'")
        for path, _, name, sha256 in files:
            if path:
                self.entries[path].files[name] = sha256
            else:
                self.left[name] = sha256 or ""

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
            places = ", ".join("?" * len(summed[0]))
            self._db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", summed)  # noqa: S608

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

    def end_run(self, record: Mapping[str, Any]) -> None:
        """Keep the record of this run, and what it knows of the files that it has looked into."""
        known = {name: each for name, each in self.seen.known.items() if name in self.seen.asked}
        gone = [(name,) for name in self._seen_before.keys() - known.keys()]
        new = [(name, *each) for name, each in known.items() if self._seen_before.get(name) != each]
        with self._errors(), self._db:
            self._note(record)
            self._db.executemany("DELETE FROM seen WHERE name = ?", gone)
            self._put("seen", new)

    def _note(self, record: Mapping[str, Any]) -> None:
        self._db.execute("DELETE FROM last_run")
        self._put("last_run", [(json.dumps(record),)])

    def written(self) -> dict[str, str]:
        """Return the results of the files that were awarded, as they were written, with their SHA-256."""
        done = (entry for entry in self.entries.values() if not entry.known.number_of_problems)
        return {name: sha256 for entry in done for name, sha256 in entry.written.items()}

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

    def _of_games(self) -> list[Any]:
        """Return what is kept of games, read once until some of it changes."""
        if self._games is None:
            self._games = self._rows("games", "ORDER BY rowid")
        return self._games

    def perhaps_alike(self, names: Mapping[str, str]) -> dict[str, list[str]]:
        """Return the inputs that share days or results of games, by what tells each such group from others.

        Those that are known to be no versions of each other are left out, see :meth:`keep_apart`.

        names: what the inputs are called, in order.
        """
        of: dict[str, list[str]] = {}
        with_results: dict[str, str] = {}
        on_day: dict[str, str] = {}
        for path, _, results, date, *_ in (row for row in self._of_games() if row[0] in names):
            for mark, firsts in ((results, with_results), (date, on_day)):
                if mark and (first := firsts.setdefault(mark, path)) != path:
                    one, other = (of.setdefault(each, [each]) for each in (path, first))
                    if one is not other:
                        one, other = sorted((one, other), key=len)
                        other += one
                        of |= dict.fromkeys(one, other)
        groups: dict[int, list[str]] = {}
        for path in filter(of.__contains__, names):
            groups.setdefault(id(of[path]), []).append(path)
        told = {}
        for group in groups.values():
            said = repr([(path, names[path], self.known(path).hash) for path in group])
            told[hashlib.sha256(said.encode()).hexdigest()] = group
        apart = {digest for (digest,) in self._rows("apart", lost=True)}
        with self._errors(), self._db:
            self._db.executemany("DELETE FROM apart WHERE digest = ?", [(each,) for each in apart - told.keys()])
        return {digest: group for digest, group in told.items() if digest not in apart}

    def keep_apart(self, digests: Iterable[str]) -> None:
        """Keep that groups of inputs have no game in two versions."""
        with self._errors(), self._db:
            self._put("apart", [(each,) for each in digests])

    def games(self) -> dict[str, list[GameSaid]]:
        """Return what a site says of the games of inputs, by their paths."""
        found: dict[str, list[GameSaid]] = {}
        rows, written = self._of_games(), {way: text for text, way in self._ways().items()}
        every = self._loaded(f"[{','.join(seats for *_, seats, _ in rows)}]")
        with self._as_written():
            for (path, number, _, *told, _, won), ways in zip(rows, every, strict=True):
                seats = [written[way] for way in ways]
                said: list[Any] = [*told, seats, partial(self._loaded, won), partial(self._seated, path, number)]
                found.setdefault(path, []).append(GameSaid(*said))
        return found

    def _ways(self) -> dict[str, int]:
        """Return the number of each way in which somebody is written: a game says of each seat that alone."""
        return {written: way for way, written in self._rows("ways")}

    def _seated(self, path: str, number: int) -> Any:
        rows = self._rows("people", "WHERE path = ? AND number = ?", path, number)
        if not rows:
            raise self._damaged(_SPOILT)
        return self._loaded(rows[0][3])

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
        self._games = None
        with self._errors(), self._db:
            for table, columns in _TABLES.items():
                if columns.startswith("path "):
                    rows = self._rows(table, "WHERE path = ?", entry.path, lost=table == "reported")
                    self._db.execute(f"DELETE FROM {table} WHERE path = ?", [entry.path])  # noqa: S608
                    self._put(table, [(path, *row[1:]) for row in rows])
        del self.entries[entry.path]
        entry.path = path
        self.entries[path] = entry

    def _loaded(self, text: str) -> Any:
        with self._as_written():
            return json.loads(text)

    def reported(self) -> dict[str, Reported]:
        """Return what reports said of inputs, by their paths, as far as that holds."""
        return {path: Reported(*told) for path, *told in self._rows("reported", lost=True)}

    def keep_reported(self, reported: Mapping[str, Reported]) -> None:
        """Keep what reports say of some inputs, until something else becomes of them."""
        with self._errors(), self._db:
            self._put("reported", [(path, *told) for path, told in reported.items()])

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
        inputs = [(e.path, e.name, int(e.inside), e.stem, _text(e.known)) for e in entries]
        files = [*_files(entries), *(("", folded_name(name), name, sha256) for name, sha256 in self.left.items())]
        done = {entry.path: entry.outcome for entry in entries if entry.outcome}
        ways = self._ways() if done else {}
        known = len(ways)
        self._games = None
        with self._errors(), self._db:
            self._delete(["inputs", "files", "reported"], ["", *paths])
            self._delete(["outcomes", "looks", "games", "people"], (paths - self.entries.keys()) | done.keys())
            self._put("inputs", inputs)
            self._put("files", files)
            for path, outcome in done.items():
                self._put("outcomes", [(path, json.dumps({**vars(outcome), "played": [], "seated": []}))])
                if outcome.left_out or outcome.look:
                    self._put("looks", [(path, json.dumps(outcome.left_out), json.dumps(outcome.look))])
                games = zip(outcome.played, games_said(outcome.played, outcome.seated), strict=True)
                for number, (game, (*told, seats, won, seated)) in enumerate(games):
                    mine = [ways.setdefault(text, len(ways)) for text in seats]
                    said = (path, number, game["results"], *told, json.dumps(mine), json.dumps(won()))
                    self._put("games", [said])
                    self._put("people", [(path, number, json.dumps(game), json.dumps(seated()))])
            self._put("ways", list(zip(ways.values(), ways, strict=True))[known:])

    def rewritten(self, paths: Sequence[str]) -> None:
        """Write what the results of some inputs are now; they are called as they were."""
        with self._errors(), self._db:
            self._delete(["reported"], paths)
            self._put("files", _files(self.entries[path] for path in paths))

    def _delete(self, tables: Iterable[str], paths: Iterable[str]) -> None:
        for table in tables:
            self._db.executemany(f"DELETE FROM {table} WHERE path = ?", [(path,) for path in paths])  # noqa: S608


def _files(entries: Iterable[LedgerEntry]) -> Iterator[Sequence[object]]:
    for entry in entries:
        yield from ((entry.path, folded_name(name), name, sha256) for name, sha256 in entry.files.items())


_SPOILT = "this is not a ledger that a run has written"
_OF_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: a name is not there


def _text(known: Known) -> str:
    """Return what is known in JSON, without what is so of most inputs."""
    return json.dumps({name: value for name, value in known._asdict().items() if value != getattr(_UNKNOWN, name)})
