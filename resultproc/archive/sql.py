"""DuckDB as the engine for conditions and queries: over tables in memory, and closed to everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from resultproc.model.errors import InputError, closest
from resultproc.model.provenance import PROVENANCE_KEY, program

if TYPE_CHECKING:
    import duckdb

_T = TypeVar("_T")
_Node = dict[str, Any]

_CLOSED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
"""No files, no network, no libraries of others, no variables of this program."""

_QUIETLY = "SET enable_progress_bar = false"
"""What takes longer than two seconds would draw a bar on standard output, into what is printed there."""


@cache
def _shared() -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(":memory:", config=dict(_CLOSED))


@contextmanager
def shared_database(
    tables: Mapping[str, pa.Table], views: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give the one database in memory that this process keeps, closed as well, with some tables for this use alone.

    views: more for this use, by their schema, their name and their SQL. To open a database takes a hundred times longer
    than to ask it. What runs in it is ours: a user's query is planned in it and goes no further.
    """
    with _shared().cursor() as connection:
        connection.execute(_QUIETLY)
        for name, table in tables.items():
            connection.register(name, table)
        connection.begin()  # which is not committed: nobody else sees the views
        for schema, views_there in views.items():
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            for name, sql in views_there.items():
                connection.execute(f'CREATE VIEW "{schema}"."{name}" AS {sql}')
        yield connection


MAIN = "main"
"""The schema whose views go by their names alone."""

MEMORY_LIMIT = 1610
"""The most memory for a database on disk, in MB; what takes more goes to the disk beside it, where it can."""


@contextmanager
def filled_database(
    path: Path,
    parts: Iterable[tuple[str, Mapping[str, pa.Table]]],
    views: Mapping[str, Mapping[str, str]],
    files: Mapping[str, Path] = MappingProxyType({}),
    folder: Path | None = None,
    *,
    whole: bool = False,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a new database on disk, closed as well, with the rows of some views over each part's tables.

    Only one part is in memory at a time, and not while the database is used.

    path: a file that is not there yet; the database may have others beside it.
    parts: the schema whose views a part is for, and its tables.
    views: by their schema, their name and their SQL.
    files: views that are Parquet files, which it may read besides.
    folder: another one that it may write into.
    whole: whether it has the rows of these files itself.
    """
    import duckdb

    with duckdb.connect(
        path, config={**_CLOSED, "enable_external_access": "true", "memory_limit": f"{MEMORY_LIMIT}MB"}
    ) as connection:
        open_ = {"allowed_paths": files.values(), "allowed_directories": filter(None, (path.parent, folder))}
        for setting, paths in open_.items():
            connection.execute(f"SET {setting} = [{', '.join(literal(str(each)) for each in paths)}]")
        connection.execute("SET enable_external_access = false")
        connection.execute(_QUIETLY)
        for name, file in files.items():
            rows = connection.read_parquet(str(file))
            rows.create(name) if whole else rows.create_view(name)
        begun = set()
        for schema in views:
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        for schema, tables in parts:
            for name, table in tables.items():
                connection.register(name, table)
            connection.begin()  # else each table is written to the disk by itself
            for name, sql in views[schema].items():
                view = f'"{schema}"."{name}"'
                connection.execute(f"INSERT INTO {view} {sql}" if schema in begun else f"CREATE TABLE {view} AS {sql}")
            connection.commit()
            for name in tables:
                connection.unregister(name)
            begun.add(schema)
        connection.execute("SET lock_configuration = true")
        yield connection


def write_table(connection: duckdb.DuckDBPyConnection, name: str, to: Path) -> None:
    """Write a table of a database as a Parquet file in a folder that it may write into."""
    said = f"{{'{PROVENANCE_KEY}': {literal(program())}}}"
    written_as = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, KV_METADATA {said}"
    connection.execute(f'COPY "{name}" TO {literal(str(to))} ({written_as})')


def literal(text: str) -> str:
    """Return a text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def interruptible(connection: duckdb.DuckDBPyConnection, work: Callable[[], _T], seconds: float | None = None) -> _T:
    """Return what work in a database comes to; Ctrl-C ends it at any time, and so does its time, with InputError.

    The database itself notices neither in the middle of a step.

    seconds: how long it may take; None for as long as it takes.
    """
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(work)
        try:
            return done.result(seconds)
        except TimeoutError:
            what = f"this query takes longer than {seconds:g} seconds"
            raise InputError(what, hint="ask for less", code="query.too-long") from None
        finally:
            while not done.done():
                connection.interrupt()
                wait([done], 0.1)


@dataclass(frozen=True)
class QueryScope:
    """What a query asks for."""

    views: frozenset[str]  # their names, such as ``games``, or ``old.awards`` where they are in a schema
    names: frozenset[str] | None  # the names of their columns, among others; None for every column
    sql: str  # its text

    def wants(self, column: str) -> bool:
        """Return whether it may ask for a column of this name."""
        return self.names is None or column.lower() in self.names

    def has(self, *classes: str) -> bool:
        """Return whether it has expressions of some classes, such as ``FUNCTION``; to summarize is one of all."""
        return any(node.get("class") in classes or node.get("type") == "SHOW_REF" for node in _nodes(_tree(self.sql)))

    def laid_open(self, *, choices: bool = True) -> str:
        """Return it with what orders its answer as further columns, and with all groups and rows.

        choices: whether with what chooses groups, too, which cannot be where that names a column of the answer.
        """
        tree = _tree(self.sql)
        node = tree["node"]
        node["modifiers"] = [each for each in node["modifiers"] if "LIMIT" not in each["type"]]
        if "select_list" in node:
            orders = [each["expression"] for modifier in node["modifiers"] for each in modifier.get("orders", ())]
            node["select_list"] += [node[choice] for choice in ("having", "qualify") if node[choice] and choices]
            # An order that is a name may be that of a column of the answer.
            node["select_list"] += [each for each in orders if each["class"] in {"FUNCTION", "WINDOW"}]
            node.update(having=None, qualify=None)
        with _parser() as database:
            text = json.dumps({"error": False, "statements": [tree]})
            (sql,) = database.execute("SELECT json_deserialize_sql(?)", [text]).fetchone() or ("",)
        return str(sql)


_TABLE_FUNCTIONS = {"unnest", "range", "generate_series"}

_OUTSIDE = re.compile("pg_.*|has_.*|inet_.*|__.*|current_setting|getvariable|.*val|sleep_ms|write_log|json_execute.*")
"""Functions that tell of this machine, wait, or run text, and so have nothing to do with games."""


_PIVOT = re.compile(r"\bpivot\b", re.IGNORECASE)


def query_scope(sql: str, views: frozenset[str], beneath: frozenset[str] = frozenset()) -> QueryScope:
    """Return what a query asks for; InputError unless it is one SELECT over the views, and understood throughout.

    It is read by the database's own parser, and every node of its tree is looked at before anything runs. A query may
    have tables of its own (``WITH``), but not by the names of what it does not reach: they would stand for that in the
    other parts of the query.

    views: the names that it may select from.
    beneath: the tables that the views are made of.
    """
    nodes = list(_nodes(_tree(sql)))
    named = {str(node["key"]).lower() for node in nodes if {"key", "value"} <= node.keys()}
    with shared_database({}) as database:  # which has names of its own that need no schema, such as of its settings
        found = database.execute("SELECT view_name FROM duckdb_views() WHERE schema_name <> 'information_schema'")
        catalog = {str(name).lower() for (name,) in found.fetchall()}
    hidden = sorted(named & (beneath | catalog))
    if hidden:
        raise InputError(f"a table of your query cannot be called '{hidden[0]}'", hint="give it another name")
    known = {*views, *named}
    tables: set[str] = set()
    for node in nodes:
        # DESCRIBE and SUMMARIZE have the query that they are of; what has none asks for the database's own lists.
        if node.get("type") == "SHOW_REF" and not node.get("query"):
            raise InputError("only SELECT can be run here", hint="'resultproc archive columns' lists the columns")
        if node.get("type") == "BASE_TABLE":
            parts = (str(node.get(each) or "") for each in ("catalog_name", "schema_name", "table_name"))
            name = ".".join(filter(None, parts))
            if name.lower() not in known:
                raise InputError(f"there is no view '{name}'", hint=closest(name, views))
            tables.add(name.lower())
        if node.get("type") == "TABLE_FUNCTION" and str(node["function"]["function_name"]) not in _TABLE_FUNCTIONS:
            raise InputError(f"a query cannot read {node['function']['function_name']}(...)", hint=closest("", views))
        if node.get("class") == "FUNCTION" and _OUTSIDE.fullmatch(str(node["function_name"]).lower()):
            raise InputError(f"a query cannot call {node['function_name']}(...)")
    return QueryScope(frozenset(tables & views), _names(nodes), sql)


@contextmanager
def _parser() -> Iterator[duckdb.DuckDBPyConnection]:
    """Give the database whose parser reads queries; InputError for one that it, or its tree here, cannot hold."""
    import duckdb

    try:
        with shared_database({}) as database:
            yield database
    except (duckdb.Error, RecursionError) as error:
        raise InputError(f"this query is not understood: {plain_message(error)}") from None


def _tree(sql: str) -> Any:
    with _parser() as database:
        (text,) = database.execute("SELECT json_serialize_sql(?)", [sql]).fetchone() or ("",)
        tree = json.loads(text)
    if tree["error"]:
        if tree["error_type"] == "parser":
            raise InputError(f"this query is not understood: {tree['error_message']}")
        hint = "say which columns it makes: PIVOT ... ON rating IN ('club-open', 'stac')" if _PIVOT.search(sql) else ""
        raise InputError("only SELECT can be run here", hint=hint)
    if len(tree["statements"]) != 1:
        raise InputError("write one SELECT", hint="SELECT club, sum(masterpoints) FROM awards GROUP BY club")
    return tree["statements"][0]


def plain_message(error: Exception) -> str:
    """Return what an error of the database says, without the excerpt that it quotes."""
    said = str(error).split("\n\nLINE ", 1)[0].split("\nLINE ", 1)[0]
    return " ".join(said.split()) or type(error).__name__


def _nodes(tree: Any) -> Iterator[_Node]:
    """Yield the nodes of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def _names(nodes: list[_Node]) -> frozenset[str] | None:
    """Return all words of a query that may be columns; None where it asks for them without their names."""
    # What has a class is an expression: its alias is a column's, and no table's.
    sources = [node for node in nodes if "class" not in node]
    tables = {str(node.get(name, "")).lower() for node in sources for name in ("table_name", "alias")}
    for node in nodes:
        whole_row = node.get("type") == "COLUMN_REF" and str(node["column_names"][-1]).lower() in tables - {""}
        if whole_row and len(node["column_names"]) == 1:
            return None
        # What a constant is of is a type, too, which DuckDB 1.5 spells out.
        by_place = str(node.get("type")) in {"STAR", "POSITIONAL_REFERENCE"}
        if by_place or node.get("ref_type") == "NATURAL":
            return None
        if node.get("type") == "BASE_TABLE" and node["column_name_alias"]:  # they go by the columns' places
            return None
    values = [value for node in nodes for value in node.values()]
    every = [each for value in values for each in (value if isinstance(value, list) else [value])]
    return frozenset(each.lower() for each in every if isinstance(each, str))
