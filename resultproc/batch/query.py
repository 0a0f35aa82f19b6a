"""A question in SQL to an archive, and to the awards that it was given."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING

import pyarrow as pa

from resultproc.batch.manifest import (
    KINDS,
    ArchivePart,
    current_contestants,
    current_games,
    current_parts,
    of_archive,
    of_run,
    opened,
)
from resultproc.batch.reprocess import DONE, SETTINGS, state
from resultproc.batch.sql import QueryScope, closed_database, filled_database, interruptible, plain_message, query_scope
from resultproc.batch.store import Store
from resultproc.batch.views import TABLES, VIEWS, View, uses
from resultproc.batch.where import comparable
from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.provenance import Provenance

if TYPE_CHECKING:
    import duckdb

_TEXT = pa.dictionary(pa.int32(), pa.string())
_TYPES = {"str": _TEXT, "float64": pa.float64(), "Int64": pa.int64(), "bool": pa.bool_()}
_TEXTS = {
    "game_id",
    "section",
    "direction",
    "number",
    "basis",
    "stratum",
    "rule",
    "rulebook",
    "what",
    "where",
    "hint",
    "code",
}
"""The columns of results that are text; the others are whole numbers."""


@dataclass(frozen=True)
class Answer:
    """What a query came to: the names of its columns, its rows, what is doubtful about it, and where it comes from."""

    columns: Sequence[str]
    rows: Sequence[tuple[object, ...]]
    remarks: Sequence[Problem] = ()
    provenance: Provenance = field(default_factory=Provenance)


@dataclass(frozen=True)
class QueriedPlace:
    """Where to ask: an archive, what 'reprocess' wrote of it, if anything, and the time as which it is meant."""

    archive: str
    results: str = ""
    as_of: str = ""


def queried_place(location: str, results: str | None) -> QueriedPlace:
    """Return what an archive's location, or that of results, stands for: results say which archive they are of."""
    of = results or location
    settings = Store(of).read_text(SETTINGS)
    if settings is None:
        return QueriedPlace(location, results or "")
    said = json.loads(settings)
    return QueriedPlace(location if results else str(said["archive"]), of, str(said["as_of"]))


def query(place: QueriedPlace, sql: str, award: Callable[[], str], seconds: float | None = None) -> Answer:
    """Return what a query comes to; InputError where it cannot be run, which says what would be right.

    award: awards the archive, where there are no results and the query needs some; it returns where they are. seconds:
    so long the SELECT may take, which begins when all is awarded and read; None for however long.
    """
    outputs: list[Store] = []

    def output() -> Store:
        if not outputs:
            outputs.append(Store(place.results or award()))
        return outputs[0]

    archive = Store(place.archive)
    parts = current_parts(archive, place.as_of)
    _check(archive, parts, sql)
    names, rows = answered(archive, parts, output, sql, seconds)
    if outputs:
        return Answer(names, rows, _remarks(parts, outputs[0]), of_run(archive, outputs[0]))
    return Answer(names, rows, provenance=of_archive(archive))


def answered(
    archive: Store, parts: Sequence[ArchivePart], output: Callable[[], Store], sql: str, seconds: float | None = None
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the names of a query's columns, and its rows, for some parts of an archive. output: where awards are.

    The views are filled part by part, in a database on disk: no more than a part is in memory at a time.
    """
    wants, views, players = _views(archive, parts, sql)
    listed = {view.name: view.sql(wants.wants, players) for view in views}
    needed = _needed(listed)
    written = cache(lambda kind: set(output().parts(kind)))
    tables = (_tables(archive, output, written, part, needed) for part in parts)
    with (
        TemporaryDirectory(prefix="resultproc-") as folder,
        _errors(),
        filled_database(f"{folder}/views", tables, listed) as database,
    ):
        return _fetched(database, sql, seconds)


def _check(archive: Store, parts: Sequence[ArchivePart], sql: str) -> None:
    """Raise InputError where a query cannot be run, before anything is read: it is tried on views without rows."""
    _, views, players = _views(archive, parts, sql)
    listed = {view.name: view.sql(lambda column: True, players) for view in views}
    empty = {f"the_{kind}": _empty(types) for kind, types in _needed(listed).items()}
    with _errors(), closed_database(empty, listed) as database:
        _fetched(database, f"EXPLAIN {sql}")


def _views(archive: Store, parts: Sequence[ArchivePart], sql: str) -> tuple[QueryScope, list[View], int]:
    """Return what a query asks for, its views with what these parts have, and how many players are in a row."""
    wants = query_scope(sql, frozenset(VIEWS), frozenset(f"the_{kind}" for kind in TABLES.values()))
    there: set[str] = set()
    if any(VIEWS[name].of in "ac" for name in wants.views):
        there.update(*(opened(archive, "contestants", part).filled() for part in parts))
    players = sum(1 for name in there if CONTESTANTS.declared("player1").matches(name))
    return wants, [VIEWS[name].expanded(players, there) for name in wants.views], players


def _needed(views: Mapping[str, str]) -> dict[str, dict[str, pa.DataType]]:
    """Return the types of the columns that some views take of each kind of part."""
    needed: dict[str, dict[str, pa.DataType]] = {}
    for view in views.values():
        for kind, column in sorted(uses(view)):
            needed.setdefault(kind, {})[column] = _type(kind, column)
    return needed


@contextmanager
def _errors() -> Iterator[None]:
    """Turn what the database says of a query into InputError."""
    import duckdb

    try:
        yield
    except duckdb.OperationalError:  # what it says is for who runs the database
        what = "there is not enough room for what this query takes on the way"
        hint = "ask for less, or let TMPDIR name a folder with more room"
        raise OutputError(what, hint=hint, file=gettempdir(), code="machine.full") from None
    except duckdb.Error as error:
        raise InputError(
            f"this query cannot be run: {plain_message(error)}", hint="'resultproc archive columns' lists the columns"
        ) from None


def _fetched(
    database: duckdb.DuckDBPyConnection, sql: str, seconds: float | None = None
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the names of the columns, and the rows."""

    def fetched() -> tuple[list[str], list[tuple[object, ...]]]:
        found = database.execute(sql)
        columns = found.description or ()
        _without_zones(columns)
        return [str(each[0]) for each in columns], found.fetchall()

    return interruptible(database, fetched, seconds)


def _without_zones(columns: Iterable[Sequence[object]]) -> None:
    """Raise InputError for a time with a zone: no other value of the database takes one more package to be shown."""
    zoned = [str(name) for name, kind, *_ in columns if "WITH TIME ZONE" in str(kind)]
    if zoned:
        raise InputError(
            f"{zoned[0]} is a time with a zone, and no time of an archive has one",
            hint="write CAST(... AS TIMESTAMP) around it",
        )


def _empty(types: Mapping[str, pa.DataType]) -> pa.Table:
    return pa.schema(types).empty_table()


def _tables(
    archive: Store,
    output: Callable[[], Store],
    written: Callable[[str], Collection[str]],
    part: ArchivePart,
    needed: Mapping[str, Mapping[str, pa.DataType]],
) -> dict[str, pa.Table]:
    """Return what the views are made of, of one part. written: the parts that there are of a kind of results."""
    tables = {}
    for kind, types in needed.items():
        if kind in KINDS:
            tables[f"the_{kind}"] = _of_archive(archive, kind, part, types)
        else:
            there = part.name in written(kind)
            tables[f"the_{kind}"] = _of_results(output(), kind, part, types) if there else _empty(types)
    return tables


def _of_archive(store: Store, kind: str, part: ArchivePart, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Return what counts in a part of an archive."""
    there = opened(store, kind, part).filled()
    columns = [name for name in there if name in types or name == "game_id"]
    if kind == "games":
        return _of_games(current_games(store, part, columns), types)
    return _typed(current_contestants(store, part, columns), types)


def _of_results(store: Store, kind: str, part: ArchivePart, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Return what 'reprocess' wrote of a part of an archive."""
    file = store.opened(kind, part.name)
    if not types.keys() <= file.filled().keys():
        raise InputError("another version wrote these results", hint="run 'resultproc reprocess' again", file=file.path)
    return _typed(file.read(list(types), [name for name in types if types[name] == _TEXT]), types)


def _typed(table: pa.Table, types: Mapping[str, pa.DataType]) -> pa.Table:
    return pa.table([_as(table, name, wanted) for name, wanted in types.items()], pa.schema(types))


def _of_games(games: pa.Table, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Return columns of games as conditions compare them."""
    declared = GAMES.conform(games.select([name for name in games.column_names if GAMES.column(name)]).to_pandas())
    there = {name: comparable(declared[name]) for name in types if name not in _BESIDES}
    # Archives of older versions, and those that other programs make, may lack what is there besides.
    besides = {name: _as(games, name, types[name]) for name in types if name in _BESIDES}
    return _typed(pa.table({**there, **besides}), types)


_BESIDES = {"id_in_source", "source_hash"}
"""What an archive has of games besides what is declared."""


@cache
def _type(kind: str, name: str) -> pa.DataType:
    if kind == "games":
        return pa.string() if name in _BESIDES else comparable(GAMES.empty()[name]).type
    if kind == "contestants":
        return _TYPES[CONTESTANTS.declared(name).dtype]
    return _TEXT if name in _TEXTS else pa.int64()


def _as(table: pa.Table, name: str, wanted: pa.DataType) -> pa.ChunkedArray:
    if name not in table.column_names:
        return pa.chunked_array([pa.nulls(table.num_rows, wanted)])
    column = table.column(name)
    if wanted == _TEXT and not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    return column.cast(wanted)


def _remarks(parts: Sequence[ArchivePart], results: Store) -> list[Problem]:
    """Return what is doubtful about awards that may have been given some time before."""
    done = {name: results.opened("summary", name).metadata(DONE) for name in results.parts("summary")}
    said = []
    if {name: json.loads(each)["of"] for name, each in done.items()} != {part.name: state(part) for part in parts}:
        what = "the archive has changed since, and what these results do not have is left out"
        hint = "run 'resultproc reprocess' again"
        said.append(Problem(what, hint=hint, file=results.url, code="archive.out-of-date"))
    failed = {
        game
        for name in results.parts("problems")
        for game in results.read("problems", name, ["game_id"])["game_id"].to_pylist()
    }
    if failed:
        what = f"{len(failed)} games could not be awarded"
        said.append(Problem(what, hint="'resultproc reprocess' says why", code="games.left-out"))
    return said
