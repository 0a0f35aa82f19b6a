"""A question in SQL to an archive, and to the awards that it was given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from resultproc.archive.game_file import times_of
from resultproc.archive.history import versions_of_games
from resultproc.archive.kept import Kept, state_of
from resultproc.archive.persons import People
from resultproc.archive.reprocess import AGAIN, ARCHIVE_KINDS, DONE, PartRun, Task, made_by_others, settings_of
from resultproc.archive.sql import (
    MAIN,
    MEMORY_LIMIT,
    QueryScope,
    filled_database,
    interruptible,
    literal,
    plain_message,
    query_scope,
    shared_database,
    write_table,
)
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import ArchivePart, current_parts, lacking, of_archive, of_run, opened
from resultproc.archive.twins import twins
from resultproc.archive.views import (
    ADDED,
    CLUB_NOW,
    HISTORY,
    LEAGUE,
    MASTERPOINTS,
    OF_PERSONS,
    PART_TABLES,
    PERSONS,
    RANKINGS,
    REMARKS,
    ROW,
    TWICE,
    VIEWS,
    uses,
)
from resultproc.archive.where import comparable
from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.model.file_limits import memory_bounded
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.game import leagues
from resultproc.model.provenance import PROVENANCE_KEY, Provenance
from resultproc.model.text import listed
from resultproc.model.whose_points import league_title, leagues_of
from resultproc.pages.tables import as_workbook, printed
from resultproc.rulebooks.load import rulebook

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class QueryAnswer:
    """What a query came to."""

    columns: Sequence[str]  # the names of its columns
    rows: Sequence[tuple[object, ...]]  # its rows, as Python has their values
    table: pa.Table | None = None  # its rows as a table instead, where that is asked for
    remarks: Sequence[Problem] = ()  # what is doubtful about it
    provenance: Provenance = field(default_factory=Provenance)  # where it comes from

    def written(self, to: str) -> bytes:
        """Return it as ``text``, ``csv``, ``json``, ``xlsx`` or, where it has a table, ``parquet``."""
        if self.table is not None:
            file = pa.BufferOutputStream()
            said = {PROVENANCE_KEY: json.dumps(self.provenance.entry())}
            pq.write_table(self.table.replace_schema_metadata(said), file, compression="zstd")
            return bytes(file.getvalue().to_pybytes())
        if to == "xlsx":
            return as_workbook(self.columns, self.rows, self.provenance)
        return printed(to, self.columns, self.rows, self.provenance).encode()


@dataclass(frozen=True)
class Queried:
    """Where to ask."""

    archive: str  # where the archive is
    results: str = ""  # where what 'reprocess' wrote of it is, empty for none
    as_of: str = ""  # the time as which the archive is meant, empty for now
    # More that 'reprocess' wrote, by the names of the schemas that their views are in.
    runs: Mapping[str, str] = field(default_factory=dict)


def queried(location: str, results: str | None, runs: Mapping[str, str] | None = None, as_of: str = "") -> Queried:
    """Return where to ask, by what the user named.

    location: of an archive, or of results, which say which archive they are of.
    results: of the archive; None for none, or where they are the location.
    runs: as in :class:`Queried`.
    as_of: the time as which the archive is meant, see :func:`resultproc.model.dates.moment`; empty for that of the
        results, else for now.
    Raises InputError for a run that cannot be called so or is none, and for results of another archive or another time.
    """
    runs = runs or {}
    for name in runs:
        if not _SCHEMA.fullmatch(name) or name in _TAKEN:
            what, hint = f"a run cannot be called '{name}'", "choose another word, in small letters, such as old"
            raise InputError(what, hint=hint)
    of = results or location
    said = {where: found for where in (of, *runs.values()) if (found := settings_of(Store(where)))}
    for where in runs.values():
        if where not in said:
            hint = "make one with: resultproc reprocess ARCHIVE -o RUN"
            raise InputError("this is no folder that 'reprocess' wrote", hint=hint, file=where)
    archive = str(said[of]["archive"]) if of in said and not results else location
    for where, settings in said.items():
        if where in runs.values() and settings["archive"] != Store(archive).anywhere:
            what = f"this is a run over another archive, {settings['archive']}"
            raise InputError(what, hint="ask about runs over one archive", file=where)
    times = {str(settings["as_of"]) for settings in said.values()} | ({as_of} if as_of else set())
    if len(times) > 1:
        listed = ", ".join(sorted(time or "now" for time in times))
        hint = "award it as of one time, with 'reprocess --as-of'"
        raise InputError(f"the archive is asked about as it was at several times: {listed}", hint=hint, file=of)
    return Queried(archive, of if of in said else results or "", min(times, default=""), runs)


_SCHEMA = re.compile("[a-z_][a-z0-9_]*")
_TAKEN = frozenset({MAIN, "temp", "system", "memory", "views", "pg_catalog", "information_schema", *VIEWS})
"""What a run cannot be called: the database has things of these names."""


class _Runs:
    """The results that a query asks about, by the names of their schemas.

    Those of the archive itself are made when they are asked for. used: those that were. written: returns the names of
    the parts of a kind that a schema has.
    """

    def __init__(self, asked: Queried, award: Callable[[], Store]) -> None:
        self.used: dict[str, Store] = {}
        self.written = cache(lambda schema, kind: set(self(schema).parts(kind)))
        self._there = {MAIN: asked.results, **asked.runs}
        self._award = award

    def __call__(self, schema: str) -> Store:
        if schema not in self.used:
            self.used[schema] = Store(self._there[schema]) if self._there[schema] else self._award()
        return self.used[schema]


def query(
    asked: Queried,
    sql: str,
    award: Callable[[], Store],
    seconds: float | None = None,
    *,
    as_table: bool = False,
    people: People | None = None,
) -> QueryAnswer:
    """Return what a query comes to; InputError where it cannot be run, which says what would be right.

    sql: one SELECT over the views.
    award: gives what the archive is awarded, where there are no results and the query needs some.
    seconds: how long the SELECT may take, once all is awarded and read; None for as long as it takes.
    as_table: whether the answer has a table in place of rows.
    people: who is who in the archive, where that is asked for elsewhere, too.
    """
    archive = Store(asked.archive)
    parts = current_parts(archive, asked.as_of)
    runs = _Runs(asked, award)
    schemas = (MAIN, *asked.runs)
    there = cache(partial(_columns_there, archive, parts))
    whole = _views(there, sql, schemas, whole=True)
    _check(whole, sql, seconds)
    scope = _scope(sql, schemas)
    makes_points = any(map(scope.wants, _POINTS)) and scope.has("FUNCTION", "WINDOW")
    if people is None or people.parts != parts:
        people = People(archive, parts)
    listed = _views(there, sql, schemas, also=LEAGUE if makes_points else "")
    with _filled(people, runs, listed, whole) as database:
        answer = _fetched(database, sql, seconds, as_table=as_table)
        if makes_points:
            refuse_points_of_several(lambda sql: _fetched(database, sql, seconds).rows, scope)
    provenance, remarks = _told(archive, parts, runs)
    return replace(answer, remarks=remarks, provenance=provenance)


def refuse_points_of_several(ask: Callable[[str], Sequence[Sequence[object]]], scope: QueryScope) -> None:
    """Raise InputError for a query that makes a value of the points of several leagues.

    It is asked again with the points of each league alone, those of the others left empty. Each value of its answer has
    to be in one of these answers, beside the same texts of its row; so has what orders it and chooses its groups. Whole
    numbers count something, unless the query makes them of others.

    ask: what asks the database for rows.
    """
    import duckdb

    views = {f"{'' if '.' in view else f'{MAIN}.'}{view}": ask(f"DESCRIBE {view}") for view in scope.views}
    columns = {view: [str(name) for name, *_ in of] for view, of in views.items()}
    of_leagues = [view for view, names in columns.items() if LEAGUE in names]
    found = {str(name) for view in of_leagues for (name,) in ask(f"FROM {view} SELECT DISTINCT {LEAGUE}")}
    if len(found) < 2:
        return
    opened = scope.laid_open()
    try:
        ask(f"CREATE TABLE answer AS FROM ({opened})")
    except duckdb.BinderException:
        opened = scope.laid_open(choices=False)
        ask(f"CREATE TABLE answer AS FROM ({opened})")
    ask("CREATE TABLE alone AS FROM answer LIMIT 0")
    ask("ATTACH ':memory:' AS apart")
    for view, names in columns.items():
        own = ", ".join(_OF_ONE.format(f'"{name}"') if name in _POINTS else f'"{name}"' for name in names)
        ask(f"CREATE SCHEMA IF NOT EXISTS apart.{view.partition('.')[0]}")
        ask(f"CREATE VIEW apart.{view} AS FROM views.{view} SELECT {own}")
    ask("USE apart")
    for league in found:
        ask(f"SET VARIABLE league = {literal(league)}")
        ask(f"INSERT INTO views.{MAIN}.alone {opened}")
    ask("USE views")
    kinds = {'"{}"'.format(str(name).replace('"', '""')): str(kind) for name, kind, *_ in ask("DESCRIBE answer")}
    counts = [name for name, kind in kinds.items() if re.fullmatch("[A-Z]*INT(EGER)?", kind)]
    amounts = [name for name, kind in kinds.items() if re.fullmatch(r"DECIMAL\([0-9,]+\)|DOUBLE|FLOAT", kind)]
    texts = [name for name in kinds if name not in (*counts, *amounts)]
    amounts += counts if scope.has("CAST") else []
    for names in [[*texts, f"round({name}, 6)"] for name in amounts] or [texts]:
        of_answer, of_alone = (f"FROM {table} SELECT {', '.join(names)}" for table in ("answer", "alone"))
        if names and ask(f"{of_answer} EXCEPT ALL {of_alone} LIMIT 1"):
            there = sorted(found, key=list(leagues()).index)
            what = f"this query adds up points, and these are of {listed([*map(league_title, there)])}"
            raise InputError(what, hint=f"ask by league: GROUP BY {LEAGUE}, or WHERE {LEAGUE} = {literal(there[0])}")


_OF_ONE = f"CASE WHEN {LEAGUE} = getvariable('league') THEN {{0}} END AS {{0}}"
"""The points of one league in a column."""

_POINTS = {column.name for view in VIEWS.values() for column in view.columns if column.type == MASTERPOINTS}
"""The columns of the views that are points."""


@contextmanager
def filled_with(
    asked: Queried, award: Callable[[], Store], views: Iterable[str], *, whole: bool = False
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Provenance, Sequence[Problem]]]:
    """Give a database on disk with some views, where these come from, and what is doubtful about them.

    asked, award: as for :func:`query`.
    views: their names.
    whole: whether each is a table of the database, also where its rows are kept in a file.
    """
    archive, runs = Store(asked.archive), _Runs(asked, award)
    parts = current_parts(archive, asked.as_of)
    sql = f"SELECT * FROM {', '.join(views)}"  # noqa: S608 - the names are ours
    listed = _views(partial(_columns_there, archive, parts), sql, (MAIN,))
    with _filled(People(archive, parts), runs, listed, listed, as_tables=whole) as database:
        yield database, *_told(archive, parts, runs)


def _told(archive: Store, parts: Sequence[ArchivePart], runs: _Runs) -> tuple[Provenance, list[Problem]]:
    """Return where an answer comes from, and what is doubtful about the awards in it."""
    used = runs.used.values()
    remarks = [remark for store in used for remark in _remarks(parts, store)]
    if not used:
        return of_archive(archive), remarks
    went_in = [of_run(archive, store) for store in used]
    return Provenance.of_all(went_in, sum(each.remarks for each in went_in)), remarks


@contextmanager
def _filled(
    people: People,
    runs: _Runs,
    listed: Mapping[str, Mapping[str, str]],
    whole: Mapping[str, Mapping[str, str]],
    *,
    as_tables: bool = False,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a database with the views that a query asks for.

    people: who is who in the parts that count. runs: where the awards of a schema are. listed: what :func:`_views`
    gives; whole: the same with all columns. as_tables: as in :func:`filled_with`. The views are filled part by part, on
    disk: no more than a part is in memory at a time. Those that are kept are files with all columns, so that each is
    there once, whatever is asked for.
    """
    import duckdb

    parts = people.parts
    of_awards = [name for name, sql in listed[MAIN].items() if _of_awards(sql)]
    kept = _kept_views(runs, people) if of_awards and not parts[0].as_of else None
    # The history is not kept: a damaged file of what was replaced may come back whole.
    asked = listed[MAIN].keys() - {HISTORY} if as_tables else of_awards
    files = {name: file for name in asked if kept and (file := kept.file(name))}
    keep = {name: partial(kept.file, name) for name in asked if name not in files} if kept else {}
    others = {name: sql for name, sql in listed[MAIN].items() if name not in files}
    lacking = {**listed, MAIN: {name: whole[MAIN][name] if name in keep else sql for name, sql in others.items()}}
    scratch = kept.folder if kept else None
    needed = {schema: _needed(views) for schema, views in lacking.items()}
    of = _Tables(people, runs)

    def tables() -> Iterator[tuple[str, dict[str, pa.Table]]]:
        for part in parts if any(needed.values()) else ():
            for schema, kinds in needed.items():
                yield schema, {f"the_{kind}": of.table(schema, kind, part, names) for kind, names in kinds.items()}

    with (
        TemporaryDirectory(prefix="resultproc-") as folder,
        _errors(),
        filled_database(
            Path(folder).resolve() / "views", tables(), lacking, files, scratch, whole=as_tables
        ) as database,
    ):
        for name, kept_as in keep.items():
            with suppress(duckdb.OperationalError):  # no room: the answer needs no more than the table
                kept_as(partial(write_table, database, name))
        yield database


def _kept_views(runs: _Runs, people: People) -> Kept | None:
    """Return what has the rows of views that earlier questions filled, beside the awards that an archive keeps.

    They follow from the awards, of these rulebooks and this program, and from who is who. None where the awards are not
    kept, or of other parts: another program may have changed the archive since these were looked up.
    """
    run = runs(MAIN)
    if run.only != frozenset(part.name for part in people.parts):
        return None
    paid = [run.opened("summary", part).metadata(DONE) for part in run.parts("summary")]
    return Kept(Store(f"{run.url}/views"), state_of((paid, people.state)))


def _of_awards(sql: str) -> bool:
    """Return whether a view has anything that awarding gives."""
    return not {kind for kind, _ in uses(sql)} <= {*ARCHIVE_KINDS, PERSONS, HISTORY}


@dataclass(frozen=True)
class _Tables:
    """What views are made of, a table for each part: as it is kept, or made when it is first asked for."""

    people: People
    runs: _Runs

    def table(self, schema: str, kind: str, part: ArchivePart, names: Sequence[str]) -> pa.Table:
        """Return some columns of a kind. schema: whose awards."""
        if kind in ARCHIVE_KINDS:
            return self._of_archive(kind, part, names)
        archive, first = self.people.archive, self.people.parts[0]
        if kind in (PERSONS, HISTORY):  # which are there once
            if part != first:
                return _with_all(pa.table({}), names)
            every = self.people.persons() if kind == PERSONS else versions_of_games(archive, first.as_of)
            return _with_all(pa.Table.from_pandas(every, preserve_index=False), names)
        run = self.runs(schema)
        if kind == RANKINGS:
            there = part.name in self.runs.written(schema, "summary")
            return _with_all(self._ranked(run).standings(part) if there else pa.table({}), names)
        found = [_of_run(run, kind, part, names)] if part.name in self.runs.written(schema, kind) else []
        if kind == REMARKS and len(self._twins):
            games = opened(archive, part).games(["game_id"])["game_id"].to_pandas()
            mine = self._twins[self._twins["game_id"].isin(games)]
            found.append(_with_all(pa.Table.from_pandas(mine, preserve_index=False), names))
        return pa.concat_tables(found or [_with_all(pa.table({}), names)], promote_options="permissive")

    def _of_archive(self, kind: str, part: ArchivePart, names: Sequence[str]) -> pa.Table:
        """Return what counts in a part of an archive."""
        file = opened(self.people.archive, part)
        if kind == "games":
            return self._of_games(file.games(), names)
        columns = [name for name in file.columns[kind] if name in names]
        table = file.contestants(columns or ["game_id"], columns)
        if of_persons := [name for name in names if _OF_PERSONS.fullmatch(name)]:
            for name, keys in self.people.keys(part, of_persons).items():
                table = table.append_column(name, keys)
        return _with_all(table, names)

    def _of_games(self, games: pa.Table, names: Sequence[str]) -> pa.Table:
        """Return columns of games as conditions compare them."""
        wanted = {"club", "rating", *names}
        read = [each.name for each in GAMES.columns if each.name in wanted or each.required]
        declared = GAMES.conform(plain_frame(games.select([name for name in read if name in games.column_names])))
        there = {name: comparable(declared[name]) for name in names if GAMES.column(name)}
        if LEAGUE in names:
            there[LEAGUE] = comparable(leagues_of(declared).rename(LEAGUE))
        if CLUB_NOW in names:
            there[CLUB_NOW] = comparable(self.people.said.clubs_now(declared["club"]).rename("club"))
        if ADDED in names:
            there[ADDED] = pa.array(times_of(games, ADDED).replace("", None), pa.string())
        # Archives of older versions, and those that other programs make, may lack what is there besides.
        return _with_all(pa.table({**{name: games[name] for name in games.column_names}, **there}), names)

    @cached_property
    def _twins(self) -> pd.DataFrame:
        return twins(self.people.archive, self.people.parts)

    def _ranked(self, run: Store) -> PartRun:
        kept = run.only is not None
        archive = self.people.archive.url
        return PartRun(Task(archive, run.url) if kept else replace(Task.of(run), archive=archive))


def _check(listed: Mapping[str, Mapping[str, str]], sql: str, seconds: float | None) -> None:
    """Raise InputError where a query cannot be run, before anything is read: it is tried on views without rows.

    listed: what :func:`_views` gives, with all columns. seconds: how long that may take, as what is constant in it is
    computed; None for as long as it takes.
    """
    every = {f"{schema} {name}": sql for schema, views in listed.items() for name, sql in views.items()}
    empty = {f"the_{kind}": _with_all(pa.table({}), names) for kind, names in _needed(every).items()}
    with _errors(), shared_database(empty, listed) as database:
        _fetched(database, f"EXPLAIN {sql}", seconds)


def _columns_there(archive: Store, parts: Sequence[ArchivePart]) -> set[str]:
    """Return the columns that the contestants of some parts have."""
    return {name for part in parts for name in opened(archive, part).columns["contestants"]}


def _views(
    columns: Callable[[], Iterable[str]], sql: str, schemas: Sequence[str], *, whole: bool = False, also: str = ""
) -> dict[str, dict[str, str]]:
    """Return the SQL of the views that a query asks for, by their schema and name.

    columns: gives those of the contestants, where they are asked for. whole: with all columns of the views, else with
    those that it asks for. also: another column.
    """
    scope = _scope(sql, tuple(schemas))
    known = _known(schemas)
    views = [(schema, VIEWS[name]) for schema, name in (known[each] for each in sorted(scope.views))]
    there: set[str] = set()
    if any(view.of in "acdt" for _, view in views):
        there.update(columns())
    players = sum(1 for name in there if CONTESTANTS.declared("player1").matches(name))
    listed: dict[str, dict[str, str]] = {MAIN: {}}
    for schema, view in views:
        sql_of_view = view.expanded(players, there).sql(
            lambda name: whole or name == also or scope.wants(name), players
        )
        listed.setdefault(schema, {})[view.name] = sql_of_view
    return listed


def _known(schemas: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the views that a query may ask for, as it names them: their schema and name."""
    return {name if schema == MAIN else f"{schema}.{name}": (schema, name) for schema in schemas for name in VIEWS}


@lru_cache(maxsize=4)
def _scope(sql: str, schemas: tuple[str, ...]) -> QueryScope:
    """Return what a query asks for, see :func:`~resultproc.archive.sql.query_scope`."""
    return query_scope(sql, frozenset(_known(schemas)), frozenset(f"the_{kind}" for kind in PART_TABLES.values()))


def _needed(views: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the columns that some views take of each kind of part."""
    needed: dict[str, list[str]] = {}
    for kind, column in sorted({each for sql in views.values() for each in uses(sql)}):
        needed.setdefault(kind, []).append(column)
    return needed


@contextmanager
def _errors() -> Iterator[None]:
    """Turn what the database says of a query into InputError."""
    import duckdb

    try:
        yield
    except MemoryError:
        raise _too_large(_MOST_MEGABYTES) from None
    except duckdb.OperationalError as error:  # what it says is for who runs the database
        if "bad allocation" in str(error):
            raise _too_large(_MOST_MEGABYTES) from None
        if isinstance(error, duckdb.OutOfMemoryException) and "offload" not in str(error):
            raise _too_large(MEMORY_LIMIT) from None  # such as an index, which goes to no disk
        what = "there is not enough room for what this query takes on the way"
        hint = "ask for less, or let TMPDIR name a folder with more room"
        raise OutputError(what, hint=hint, file=gettempdir(), code="machine.full") from None
    except duckdb.Error as error:
        raise InputError(
            f"this query cannot be run: {plain_message(error)}", hint="'resultproc archive columns' lists the columns"
        ) from None


_MOST_MEGABYTES = 4096
"""The most memory that a query takes: the database bounds what it can put on the disk, and not how large a value is."""


def _too_large(megabytes: int) -> InputError:
    what = f"this query takes more than {megabytes} MB of memory"
    return InputError([Problem(what, hint="ask for less", code="query.too-large")])


def _fetched(
    database: duckdb.DuckDBPyConnection, sql: str, seconds: float | None = None, *, as_table: bool = False
) -> QueryAnswer:
    """Return the names of the columns, and the rows or the table."""
    import duckdb

    def fetched() -> QueryAnswer:
        found = database.sql(sql) if as_table else database.execute(sql)
        columns = found.description or ()
        # No other value of the database takes one more package to be shown.
        zoned = [str(name) for name, kind, *_ in columns if "WITH TIME ZONE" in str(kind)]
        if zoned:
            what = f"{zoned[0]} is a time with a zone, and no time of an archive has one"
            raise InputError(what, hint="write CAST(... AS TIMESTAMP) around it")
        names = [str(each[0]) for each in columns]
        if isinstance(found, duckdb.DuckDBPyRelation):
            return QueryAnswer(names, (), found.to_arrow_table())
        return QueryAnswer(names, found.fetchall())

    with memory_bounded(_MOST_MEGABYTES):
        return interruptible(database, fetched, seconds)


def _of_run(run: Store, kind: str, part: ArchivePart, names: Sequence[str]) -> pa.Table:
    """Return what a run wrote of a part."""
    file = run.opened(kind, part.name)
    written = dict.fromkeys("rulebook" if name == LEAGUE else name for name in names)
    if not written.keys() <= file.filled.keys():
        raise InputError("another version wrote these results", hint=AGAIN, file=file.path)
    table = file.read(list(written))
    if LEAGUE in names:
        named = table["rulebook"].cast(pa.string())
        books = named.unique()
        own = pa.array([rulebook(name).league for name in books.to_pylist()], pa.string())
        table = table.append_column(LEAGUE, own.take(pc.index_in(named, books).combine_chunks()))
    return _with_all(table, names)


def _with_all(table: pa.Table, names: Iterable[str]) -> pa.Table:
    """Return some columns of a table; those that it lacks have no values, and the views say of which type they are."""
    there, none = table.column_names, pa.nulls(table.num_rows)
    return pa.table({name: table[name] if name in there else none for name in names})


_OF_PERSONS = re.compile(f"(?:{'|'.join(OF_PERSONS)})[0-9]+|{TWICE}|{ROW}")


def _remarks(parts: Sequence[ArchivePart], results: Store) -> list[Problem]:
    """Return what is doubtful about awards that may have been given some time before."""
    said = []
    if set(results.parts("summary")) - lacking().keys() != {part.name for part in parts}:
        what = "the archive has changed since, and what these results do not have is left out"
        said.append(Problem(what, hint=AGAIN, file=results.url, code="archive.out-of-date"))
    if made_by_others(results):
        said.append(
            Problem("other rulebooks made these results", hint=AGAIN, file=results.url, code="archive.out-of-date")
        )
    failed = results.read_all("problems", ["game_id"])["game_id"].nunique()
    if failed:
        what = f"{failed} games could not be awarded"
        said.append(Problem(what, hint="'resultproc reprocess' says why", code="games.left-out"))
    return said
