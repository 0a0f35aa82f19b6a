"""A question in SQL to an archive, and to the awards that it was given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pandas as pd
import pyarrow as pa

from resultproc.batch.current import current_contestants, current_games, current_parts, opened
from resultproc.batch.manifest import KINDS, Part
from resultproc.batch.origins import of_archive, of_run
from resultproc.batch.reprocess import DONE, SETTINGS, state
from resultproc.batch.sql import Asked, asked, closed_database, plain
from resultproc.batch.store import Store
from resultproc.batch.views import TABLES, VIEWS, View, uses
from resultproc.batch.where import compared
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.provenance import Provenance

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
class Place:
    """Where to ask: an archive, what 'reprocess' wrote of it, if anything, and the time as which it is meant."""

    archive: str
    results: str = ""
    as_of: str = ""


def located(location: str, results: str | None) -> Place:
    """Return what an archive's location, or that of results, stands for: results say of which archive they are."""
    of = results or location
    settings = Store(of).read_text(SETTINGS)
    if settings is None:
        return Place(location, results or "")
    said = json.loads(settings)
    return Place(location if results else str(said["archive"]), of, str(said["as_of"]))


def query(place: Place, sql: str, award: Callable[[], str]) -> Answer:
    """Return what a query comes to; InputError where it cannot be run, which says what would be right.

    award: awards the archive, where there are no results and the query needs some; it returns where they are.
    """
    outputs: list[Store] = []

    def output() -> Store:
        if not outputs:
            outputs.append(Store(place.results or award()))
        return outputs[0]

    archive = Store(place.archive)
    parts = current_parts(archive, place.as_of)
    _check(archive, parts, sql)
    names, rows = answered(archive, parts, output, sql)
    if outputs:
        return Answer(names, rows, _remarks(parts, outputs[0]), of_run(archive, outputs[0]))
    return Answer(names, rows, provenance=of_archive(archive))


def answered(
    archive: Store, parts: Sequence[Part], output: Callable[[], Store], sql: str
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the names of a query's columns, and its rows, for some parts of an archive. output: where awards are."""
    wants, views, players = _views(archive, parts, sql)
    listed = {view.name: view.sql(wants.wants, players) for view in views}
    tables = {}
    for kind, types in _needed(listed).items():
        of_kind, store = (_of_archive, archive) if kind in KINDS else (_of_results, output())
        tables[f"the_{kind}"] = pa.concat_tables([_empty(types), *of_kind(store, kind, parts, types)])
    return _run(tables, listed, sql)


def _check(archive: Store, parts: Sequence[Part], sql: str) -> None:
    """Raise InputError where a query cannot be run, before anything is read: it is tried on views without rows."""
    _, views, players = _views(archive, parts, sql)
    listed = {view.name: view.sql(lambda column: True, players) for view in views}
    _run({f"the_{kind}": _empty(types) for kind, types in _needed(listed).items()}, listed, f"EXPLAIN {sql}")


def _views(archive: Store, parts: Sequence[Part], sql: str) -> tuple[Asked, list[View], int]:
    """Return what a query asks for, its views with what these parts have, and how many players are in a row."""
    wants = asked(sql, frozenset(VIEWS), frozenset(f"the_{kind}" for kind in TABLES.values()))
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


def _run(
    tables: Mapping[str, pa.Table], views: Mapping[str, str], sql: str
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the names of the columns, and the rows."""
    import duckdb

    try:
        with closed_database(tables, views) as database:
            found = database.execute(sql)
            columns = found.description or ()
            _without_zones(columns)
            return [str(each[0]) for each in columns], found.fetchall()
    except duckdb.Error as error:
        raise InputError(
            f"this query cannot be run: {plain(error)}", hint="'resultproc archive columns' lists the columns"
        ) from None


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


def _of_archive(store: Store, kind: str, parts: Sequence[Part], types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
    """Yield what counts in each part of an archive."""
    for part in parts:
        there = opened(store, kind, part).filled()
        columns = [name for name in there if name in types or name == "game_id"]
        if kind == "games":
            yield _of_games(current_games(store, part, columns).to_pandas(), types)
        else:
            yield _typed(current_contestants(store, part, columns), types)


def _of_results(store: Store, kind: str, parts: Sequence[Part], types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
    """Yield what 'reprocess' wrote of each part of an archive."""
    there = set(store.parts(kind))
    for part in parts:
        if part.name not in there:
            continue
        file = store.opened(kind, part.name)
        if not types.keys() <= file.filled().keys():
            raise InputError(
                "another version wrote these results", hint="run 'resultproc reprocess' again", file=file.path
            )
        yield _typed(file.read(list(types), [name for name in types if types[name] == _TEXT]), types)


def _typed(table: pa.Table, types: Mapping[str, pa.DataType]) -> pa.Table:
    return pa.table([_as(table, name, wanted) for name, wanted in types.items()], pa.schema(types))


def _of_games(games: pd.DataFrame, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Return columns of games as conditions compare them."""
    declared = GAMES.conform(games[[name for name in map(str, games) if GAMES.column(name)]])
    besides = {name: pa.array(games[name], pa.string(), from_pandas=True) for name in _BESIDES & set(types)}
    return pa.table({name: besides[name] if name in besides else compared(declared[name]) for name in types})


_BESIDES = {"id_in_source", "source_hash"}
"""What an archive has of games besides what is declared."""


@cache
def _type(kind: str, name: str) -> pa.DataType:
    if kind == "games":
        return pa.string() if name in _BESIDES else compared(GAMES.empty()[name]).type
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


def _remarks(parts: Sequence[Part], results: Store) -> list[Problem]:
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
