"""The views of an archive as tables of a database, for programs that ask in SQL or show tables.

DuckDB's file has the types of the views; SQLite has no decimals, and so masterpoints are floating numbers there, and
dates texts. In both the columns say what they are: as comments in DuckDB, in the table ``columns`` in either.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from resultproc.archive.query import Queried, filled_with
from resultproc.archive.sql import literal
from resultproc.archive.store import Store
from resultproc.archive.views import MASTERPOINTS, VIEWS
from resultproc.model.codes import code_of_writing
from resultproc.model.errors import FormatError, OutputError, Problem
from resultproc.model.files import copy_whole
from resultproc.model.locks import code_of_database
from resultproc.model.provenance import Provenance

if TYPE_CHECKING:
    import duckdb

_ENDINGS = {".duckdb": "duckdb", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite"}
"""The databases that can be written, by the endings of their files."""

_BATCH = 50_000
"""How many rows are in memory at a time."""

_KEYS = {"games": "game_id", "persons": "person"}
"""What tells the rows of a table apart, where one column does; other tables refer to these columns by their names."""

_INDEXES = {
    "awards": ("game_id", "date"),
    "players": ("game_id", "person", "player", "member"),
    "candidates": ("game_id",),
    "standings": ("game_id",),
    "problems": ("game_id",),
    "remarks": ("game_id",),
    "contestants": ("game_id",),
    "games": ("date",),
    "history": ("id",),
}
"""What rows are looked up by in SQLite: DuckDB compares whole columns as fast, and holds its indexes in memory."""


class _ColumnTold(NamedTuple):
    """A column of a table: its type in SQL, and its meaning in words."""

    table: str
    name: str
    type: str
    meaning: str


def format_of(path: Path) -> str:
    """Return the database that a file's ending stands for; raise FormatError where it stands for none."""
    found = _ENDINGS.get(path.suffix.lower())
    if found is None:
        raise FormatError(f"'{path.name}' is the name of no database", hint=f"end it in {', '.join(_ENDINGS)}")
    return found


def export(asked: Queried, award: Callable[[], Store], to: Path) -> Sequence[Problem]:
    """Write the views of an archive as a database, whole or not at all, and return what is doubtful about them.

    asked, award: as for :func:`resultproc.archive.query.query`. to: a file whose ending :func:`format_of` knows. The
    same archive gives the same tables; with SQLite, the same bytes, whatever way to the archive it was named by. Raises
    OutputError where it cannot be written.
    """
    write = {"duckdb": _as_duckdb, "sqlite": _as_sqlite}[format_of(to)]
    with (
        TemporaryDirectory(prefix="resultproc-") as folder,
        filled_with(asked, award, sorted(VIEWS), whole=write is _as_duckdb) as (database, said, remarks),
    ):
        name = Path(Store(asked.archive).anywhere).name
        of = f"games of {asked.archive}"
        sources = tuple(replace(each, name=each.name.replace(of, f"games of {name}", 1)) for each in said.sources)
        try:
            made = write(database, _columns(database), replace(said, sources=sources), Path(folder) / "made")
        except sqlite3.Error as error:
            raise OutputError(f"it cannot be made: {error}", file=folder, code=code_of_database(error)) from None
        try:
            copy_whole(made, to)
        except OSError as error:
            what = f"it cannot be written: {error.strerror}"
            raise OutputError(what, file=str(to), code=code_of_writing(error)) from None
    return remarks


def _columns(database: duckdb.DuckDBPyConnection) -> list[_ColumnTold]:
    """Return the columns of all tables, with what the views say of them."""
    found = []
    for table, view in VIEWS.items():
        meanings = {each.name: each for each in view.columns}
        families = [each for each in view.columns if each.numbered]
        for name, kind, *_ in database.execute(f'DESCRIBE "{table}"').fetchall():
            family = (each for each in families if name.rstrip("0123456789") == each.name.replace("{n}", ""))
            said = meanings.get(name) or next(family)
            unit = ", in masterpoints" if said.type == MASTERPOINTS else ""
            found.append(_ColumnTold(table, name, str(kind), said.meaning + unit))
    return found


def _as_duckdb(database: duckdb.DuckDBPyConnection, columns: Sequence[_ColumnTold], said: Provenance, to: Path) -> Path:
    database.begin()  # else each comment is written to the disk by itself
    for table, key in _KEYS.items():
        database.execute(f'ALTER TABLE "{table}" ADD PRIMARY KEY ("{key}")')
    for table, view in VIEWS.items():
        database.execute(f'COMMENT ON TABLE "{table}" IS {literal(view.meaning)}')
    for each in columns:
        database.execute(f'COMMENT ON COLUMN "{each.table}"."{each.name}" IS {literal(each.meaning)}')
    _complete(database, columns, said)
    database.commit()
    database.execute("CHECKPOINT")
    ((path,),) = database.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    return Path(path)


def _as_sqlite(database: duckdb.DuckDBPyConnection, columns: Sequence[_ColumnTold], said: Provenance, to: Path) -> Path:
    with closing(sqlite3.connect(to)) as made, made:
        for table in VIEWS:
            own = [each for each in columns if each.table == table]
            types = [(each.name, _IN_SQLITE.get(each.type, each.type)) for each in own]
            made.execute(_create(table, types))
            values = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in types)
            rows = database.execute(f'SELECT {values} FROM "{table}" ORDER BY ALL')  # noqa: S608 - the names are ours
            while batch := rows.fetchmany(_BATCH):
                made.executemany(_insert(table, len(own)), batch)
        _complete(made, [each._replace(type=_IN_SQLITE.get(each.type, each.type)) for each in columns], said)
        for table, names in _INDEXES.items():
            for name in names:
                made.execute(f'CREATE INDEX "{table}_{name}" ON "{table}" ("{name}")')
    return to


def _create(table: str, types: Sequence[tuple[str, str]]) -> str:
    """Return the SQL that makes a table with its keys. types: of its columns, by name."""
    keyed = {name: f'"{name}" {kind}' for name, kind in types}
    for of, key in _KEYS.items():
        if of == table:
            keyed[key] += " PRIMARY KEY"
        else:
            referring = [name for name in keyed if re.fullmatch(f"{key}[0-9]*", name)]
            keyed |= {name: f'{keyed[name]} REFERENCES "{of}" ("{key}")' for name in referring}
    return f'CREATE TABLE "{table}" ({", ".join(keyed.values())})'


_BESIDES = {"columns": ("table", "column", "type", "meaning"), "about": ("name", "value")}
"""The tables beside the views, and their columns."""

_IN_SQLITE = {MASTERPOINTS: "DOUBLE", "DATE": "VARCHAR", "TIMESTAMP": "VARCHAR"}
"""What SQLite has in place of types that it lacks; the values sort in the same order, and 1 / 4 of them is 0.25."""


def _complete(
    made: duckdb.DuckDBPyConnection | sqlite3.Connection, columns: Sequence[_ColumnTold], said: Provenance
) -> None:
    """Add the tables beside the views: what the columns mean, and where it all comes from."""
    about = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in said.entry().items()]
    for table, rows in (("columns", columns), ("about", about)):
        names = _BESIDES[table]
        made.execute(_create(table, [(name, "VARCHAR") for name in names]))
        made.executemany(_insert(table, len(names)), rows)


def _insert(table: str, columns: int) -> str:
    return f'INSERT INTO "{table}" VALUES ({", ".join("?" * columns)})'  # noqa: S608 - the names are ours
