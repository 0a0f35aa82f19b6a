"""The games of an archive as a Delta table, partitioned by year, which Delta Lake's own library keeps.

A row is a version of a game, with its contestants nested in it, and says when it counts: from when, until when, and why
no longer. What is corrected, removed or restored changes these times or adds a row; no version is ever deleted. A
writer adds and replaces files in one commit or not at all: of two at once, one is told that it comes second, reads
again, and tries again.

Everything that reads an archive asks here for what counts in it, now or at an earlier time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from time import time_ns
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, Transaction, WriterProperties, write_deltalake
from deltalake.exceptions import CommitFailedError
from deltalake.transaction import AddAction, RemoveAction

from resultproc.archive.game_file import NESTED, OF_THIS_PROGRAM, UNTIL, GameFile, microseconds_of, rows_of_games
from resultproc.archive.store import Store, parquet, plain_words
from resultproc.model.dates import time_text
from resultproc.model.errors import InputError, OutputError, Problem, ResultprocError
from resultproc.model.frames import CONTESTANTS, GAMES, NO_YEAR
from resultproc.model.provenance import SCHEMA_VERSION, Origin, Provenance, RulebookUsed, now, program

_T = TypeVar("_T")

TABLE = "games"
"""The folder of the table in the archive. What users write, such as aliases.csv, is beside it."""

GAMES_IN_PART = 20_000
"""About how many games are written as one file: enough for the costs of a frame not to be felt, few enough for any
memory.
"""

FULL = 4 * 1024 * 1024
"""About how many bytes such a file has: smaller ones of a year may be put together."""

TOO_MANY = 16
"""An archive that could do with this many files fewer is put together at the end of an ``add``."""

_TRIES = 100
"""So often a writer tries again before which others have come."""

_NAME = re.compile(r"year=[0-9]+/part-[\w.-]+\.parquet")
"""What files of the table are called. A log may name any file of a machine, and no other is read."""

_APPLICATION = "resultproc"
"""What the writers of an archive call themselves: of two commits at once by one application, Delta refuses one."""


@dataclass(frozen=True)
class ArchivePart:
    """A file of an archive, which is written once and never changed."""

    name: str  # below the folder of the table, such as ``year=2012/part-....parquet``
    rows: int  # how many versions of games it has
    current: int | None  # how many of them count now; None where only the file says
    size: int  # in bytes
    as_of: str = ""  # the time as which it is read, see :func:`resultproc.model.dates.moment`; empty for now

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Snapshot:
    """An archive after one of its commits."""

    version: int = -1  # that of the table, -1 where there is none
    parts: tuple[ArchivePart, ...] = ()  # by their years, those of a year in the order in which they were written
    changed: int = 0  # when the last change was, in microseconds since 1970

    def now(self) -> str:
        """Return the time for what is noted next, which is never before what was noted last, in ISO 8601 and UTC."""
        return time_text(max(now(), datetime.fromtimestamp(self.changed / 1_000_000, UTC)))


@dataclass(frozen=True)
class Changes:
    """What one commit does to an archive."""

    time: str  # when, in ISO 8601 and UTC
    new: Iterable[pa.Table]  # rows that come, as they are written; each table as a file for each year
    ended: Mapping[str, Mapping[int, str]]  # rows that count no more from then on, and why, by the name of their part


class OvertakenError(OutputError):
    """Another run has changed the archive meanwhile."""


_LACKING: ContextVar[Mapping[str, Problem]] = ContextVar("lacking")


def lacking() -> Mapping[str, Problem]:
    """Return the parts whose games the answer that is being made leaves out, and why: they are damaged or missing."""
    return _LACKING.get({})


def without_damaged(store: Store, answer: Callable[[], _T]) -> tuple[_T, list[Problem]]:
    """Return what an answer over an archive comes to without damaged and missing parts, and what is wrong with them.

    The answer is begun again for each that it comes upon. It raises what it raises without those parts, which that
    names, too.
    """
    left_out: dict[str, Problem] = {}
    while True:
        outside = _LACKING.set(left_out)
        try:
            return answer(), [*left_out.values()]
        except ResultprocError as error:
            found = [each for each in error.problems if each.code == "archive.damaged"]
            of_parts = {each.file.removeprefix(store.path_of(f"{TABLE}/")): each for each in found}
            damaged = {name: each for name, each in of_parts.items() if _NAME.fullmatch(name)}
            if not damaged.keys() - left_out.keys():
                raise type(error)(dict.fromkeys([*left_out.values(), *error.problems])) from None
            hint = "its games are left out until you put a copy of the file back"
            left_out = {**left_out, **{name: replace(each, hint=hint) for name, each in damaged.items()}}
        finally:
            _LACKING.reset(outside)


def load(store: Store) -> Snapshot:
    """Return what an archive has, nothing where there is none yet; parts that are :func:`lacking` are left out.

    Raises InputError where its log is damaged, and for an archive of an older version.
    """
    opened.cache_clear()
    table = _table(store)
    if table is None:
        if not is_older(store) and store.parts(TABLE):
            what, hint = "the log of this archive is missing", "restore it, or add the files to a new archive"
            raise InputError(what, hint=hint, file=store.path_of(f"{TABLE}/_delta_log"))
        if is_older(store):
            hint = f"take it over with: resultproc archive upgrade {store.url} NEW"
            raise InputError("this archive is of an older version of resultproc", hint=hint, file=store.url)
        return Snapshot()
    files = pa.table(table.get_add_actions(flatten=True)).to_pylist()
    for file in files:
        if not _NAME.fullmatch(file["path"]):
            what, hint = f"this archive is damaged: it has a file '{file['path']}'", "restore it"
            raise InputError(what, hint=hint, file=store.url)
    known = f"null_count.{UNTIL}"
    files.sort(key=lambda file: (file["modification_time"], file["path"]))
    files = [file for file in files if file["path"] not in lacking()]
    parts = [ArchivePart(file["path"], file["num_records"], file.get(known), file["size_bytes"]) for file in files]
    return Snapshot(table.version(), _years_in_order(parts), table.transaction_version(_APPLICATION) or 0)


def _years_in_order(parts: Iterable[ArchivePart]) -> tuple[ArchivePart, ...]:
    return tuple(sorted(parts, key=lambda part: part.name.partition("/")[0]))


def is_older(store: Store) -> bool:
    """Return whether an archive is of a version that had no table."""
    return not store.logged(TABLE) and (
        store.read_text("manifest.json") is not None or bool(store.parts("contestants"))
    )


def existing(store: Store) -> Snapshot:
    """Return what an archive has that is there; raises like :func:`load`, and InputError where none is."""
    found = load(store)
    if found.version < 0:
        hint = "make one with: resultproc archive add IN --to ARCHIVE"
        raise InputError("there is no archive here", hint=hint, file=store.url)
    return found


def _table(store: Store) -> DeltaTable | None:
    address = store.address(TABLE)
    if not store.logged(TABLE):
        return None
    try:
        return DeltaTable(address, storage_options=store.options())
    except Exception as error:  # the library has errors of many kinds
        what, hint = (
            f"the log of this archive is damaged: {plain_words(error)}",
            "restore it, or add the files to a new archive",
        )
        raise InputError(what, hint=hint, file=store.path_of(f"{TABLE}/_delta_log")) from None


def current_parts(store: Store, as_of: str = "") -> tuple[ArchivePart, ...]:
    """Return the parts that hold a game that counts.

    as_of: the time, see :func:`resultproc.model.dates.moment`; empty for now. Raises InputError for an archive
    that has no games, or had none then, and where it is damaged.
    """
    parts = load(store).parts
    found = tuple(_current(store, parts, as_of))
    if found:
        return found
    if as_of and parts:
        raise InputError(f"there were no games in this archive at {as_of}", hint="name a later time", file=store.url)
    if lacking():
        raise InputError(lacking().values())
    hint = "add some with: resultproc archive add IN --to ARCHIVE"
    raise InputError("there are no games in this archive", hint=hint, file=store.url)


def _current(store: Store, parts: Iterable[ArchivePart], as_of: str) -> Iterator[ArchivePart]:
    for part in parts:
        then = replace(part, as_of=as_of)
        known = None if as_of else part.current
        if opened(store, then).counts.any() if known is None else known:
            yield then


@lru_cache(maxsize=1)
def opened(store: Store, part: ArchivePart) -> GameFile:
    """Return a part to read from; InputError where it is missing or damaged.

    The last one stays open until :func:`load` looks at an archive again: several things are asked of a part in turn.
    """
    name = f"{TABLE}/{part.name}"
    return GameFile(store.content(name), store.path_of(name), part.as_of)


def every_game(store: Store, part: ArchivePart, columns: Sequence[str]) -> pa.Table:
    """Return some columns of all games of a part, whether they count or not; raises like :func:`opened`.

    Of a file on a disk that this program wrote no others are read: its pages have checksums of their own.
    """
    if store.local and OF_THIS_PROGRAM.fullmatch(part.name.rpartition("/")[2]):
        path = Path(store.path_of(f"{TABLE}/{part.name}"))
        with suppress(Exception):  # whatever it is: the whole file is compared then
            games = pq.ParquetFile(path, page_checksum_verification=True).read(columns)
            there = (path.stat().st_size, len(games), len(games.column_names))
            if there == (part.size, part.rows, len(columns)):
                return games
    return opened(store, part).every_game(columns)


def begin(store: Store) -> None:
    """Make an archive without games, where there is none."""
    if load(store).version >= 0:
        return
    schema = rows_of_games(GAMES.empty(), CONTESTANTS.empty(), np.zeros(0, dtype=np.int64), []).schema
    with _committing(store):
        store.make_folder(TABLE)
        DeltaTable.create(
            store.address(TABLE),
            schema.append(pa.field("year", pa.int32())),
            mode="ignore",
            partition_by=["year"],
            name="games",
            storage_options=store.options(),
        )


def commit(
    store: Store, snapshot: Snapshot, changes: Changes
) -> tuple[Snapshot, list[tuple[ArchivePart, pa.Table]], dict[str, ArchivePart]]:
    """Change an archive, all at once.

    Return what it has then, the new parts with their games, and what parts are now of which rows have ended.

    Raises OvertakenError where another run has changed it since the snapshot, and OutputError where it cannot be
    written.
    """
    if snapshot.version < 0:
        begin(store)  # first: without a table, files that a killed run leaves would look like one that is lost
    of_name = {part.name: part for part in snapshot.parts}
    ended = {
        name: _written(store, opened(store, of_name[name]).with_ended(rows, changes.time))
        for name, rows in changes.ended.items()
    }
    came = [_written(store, each) for rows in changes.new for each in _by_year(rows)]
    every = [*came, *ended.values()]
    schema = pa.unify_schemas([schema.remove_metadata() for _, _, schema in every])
    gone = [of_name[name] for name in ended]
    time = microseconds_of(changes.time)
    with _committing(store):
        version = _committed(store, max(snapshot.version, 0), ([part for part, *_ in every], gone), schema, time)
    parts = [part for part in snapshot.parts if part.name not in ended] + [part for part, *_ in every]
    found = Snapshot(version, _years_in_order(parts), time)
    return found, [(part, games) for part, games, _ in came], {name: part for name, (part, *_) in ended.items()}


def _committed(
    store: Store,
    version: int,
    parts: tuple[Sequence[ArchivePart], Sequence[ArchivePart]],
    schema: pa.Schema,
    time: int,
) -> int:
    """Commit files that are added and others that are removed, where no other run has since; return the new version.

    Columns that the table lacks come in a commit before, which changes nothing else.
    """
    table = DeltaTable(store.address(TABLE), version, store.options())
    said = CommitProperties(max_commit_retries=0, app_transactions=[Transaction(_APPLICATION, time)])
    whole = schema.append(pa.field("year", pa.int32()))
    there = pa.schema(table.schema().to_arrow())
    if _leaves(whole) - _leaves(there):
        write_deltalake(table, whole.empty_table(), mode="append", schema_mode="merge", commit_properties=said)
    milliseconds = time_ns() // 1_000_000  # by which the library tells how long a file has not been needed
    actions: list[AddAction | RemoveAction] = []
    for part in parts[0]:
        stats = {"numRecords": part.rows, "nullCount": {UNTIL: part.current}}
        actions.append(AddAction(part.name, part.size, _year_of(part), milliseconds, True, json.dumps(stats)))
    for part in parts[1]:
        actions.append(RemoveAction(part.name, True, milliseconds, part.size, _year_of(part)))
    table.create_write_transaction(actions, "append", whole, ["year"], commit_properties=said)
    return int(table.version()) + 1


def _year_of(part: ArchivePart) -> dict[str, str | None]:
    return {"year": part.name.partition("/")[0].removeprefix("year=")}


def _leaves(schema: pa.Schema) -> set[str]:
    """Return the names of all columns, and of those that are nested."""
    nested = schema.field(NESTED).type.value_type if NESTED in schema.names else pa.struct([])
    return {*schema.names, *(f"{NESTED}.{field.name}" for field in nested)}


@contextmanager
def _committing(store: Store) -> Iterator[None]:
    """Turn what the library says of a commit into errors of ours."""
    try:
        yield
    except CommitFailedError:
        what, hint = "others change this archive all the time", "run this again: what is there is not added twice"
        raise OvertakenError(what, hint=hint, file=store.url, code="again.locked") from None
    except ResultprocError:
        raise
    except Exception as error:  # the library has errors of many kinds
        raise store.unwritable(error, TABLE) from None


def tried(change: Callable[[], _T], look: Callable[[], object] = lambda: None) -> _T:
    """Return what a change of an archive comes to, which is tried again as often as others have come before."""
    for _ in range(_TRIES):
        try:
            return change()
        except OvertakenError:
            look()
    return change()


def _by_year(rows: pa.Table) -> Iterator[pa.Table]:
    year = pc.year(rows["date"]).fill_null(NO_YEAR).to_numpy()
    for each in np.unique(year):
        yield rows.filter(pa.array(year == each))


def _written(store: Store, rows: pa.Table) -> tuple[ArchivePart, pa.Table, pa.Schema]:
    """Write rows of one year as a file, which no commit has named yet; return it, its games, and its schema."""
    data = parquet(TABLE, rows, f"{program()}; schema {SCHEMA_VERSION}")
    year = pc.year(rows["date"])[0].as_py() or NO_YEAR
    name = f"year={year}/part-{sha256(data).hexdigest()[:32]}.parquet"
    store.write_bytes(f"{TABLE}/{name}", data)
    return ArchivePart(name, len(rows), rows[UNTIL].null_count, len(data)), rows.drop_columns([NESTED]), rows.schema


def compact(store: Store, at_least: int = 1) -> tuple[int, int]:
    """Put small files of an archive together, and remove those that nothing has needed for a week.

    at_least: how many fewer there have to be; else nothing is put together.
    Return how many there were, and how many there are. Raises InputError where there is no archive, or one that is
    damaged; OutputError where it cannot be written, or has links to other folders.
    """
    before = existing(store).parts
    years = [[*group] for _, group in groupby((part for part in before if part.size < FULL), _year_of)]
    small = [part for group in years if len(group) > 1 for part in group]
    table = _table(store)
    assert table is not None
    fewer = len(small) - sum(len(group) > 1 for group in years)
    if fewer < at_least > 1:
        return len(before), len(before)
    store.refuse_links(TABLE)
    for part in small:
        opened(store, part).compare()
    if fewer:
        store.try_room(TABLE, sum(part.size for part in small))
    with _committing(store):
        if fewer:
            properties = WriterProperties(compression="ZSTD", compression_level=1)
            table.optimize.compact(target_size=FULL, writer_properties=properties)
        table.vacuum(dry_run=False, full=True)
    return len(before), len(existing(store).parts)


def strays(store: Store) -> list[str]:
    """Return the files in the folder of the table that are no part: what was put together, or left by killed runs."""
    named = {part.name for part in existing(store).parts}
    return [f"{TABLE}/{name}" for name in store.parts(TABLE) if name not in named]


RULEBOOKS = "rulebooks"
"""The rulebooks that paid in a part: an entry in the metadata of its summary."""


def of_archive(archive: Store) -> Provenance:
    """Return what tells what an archive holds: the names of its files, which follow from what is in them.

    Those that an answer lacks are named.
    """
    held = "\n".join(part.name for part in load(archive).parts)
    told = "".join(f", without {name}" for name in sorted(lacking()))
    return Provenance((Origin(f"games of {archive.url}{told}", sha256(held.encode()).hexdigest()),))


def of_run(archive: Store, output: Store) -> Provenance:
    """Return what went into a run over an archive that is done: what that holds, and the rulebooks of all parts."""
    remarks = len(output.read_all("remarks", ["game_id"]))
    used = []
    for name in output.parts("summary"):
        said = json.loads(output.opened("summary", name).metadata(RULEBOOKS) or "[]")
        books = (RulebookUsed(**{**each, "editions": tuple(each["editions"])}) for each in said)
        used.append(Provenance(rulebooks=tuple(books)))
    return replace(Provenance.of_all(used, remarks), sources=of_archive(archive).sources)


def rulebooks_entry(provenance: Provenance) -> str:
    """Return the entry :data:`RULEBOOKS` for what went into a part."""
    return json.dumps([asdict(each) for each in provenance.rulebooks])
