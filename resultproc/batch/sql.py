"""DuckDB as the engine for conditions and queries: over tables in memory, and closed to everything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    import duckdb

_CLOSED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
"""No files, no network, no libraries of others, no variables of this program."""


@contextmanager
def closed_database(tables: Mapping[str, pa.Table]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a database in memory with some tables; it reaches nothing else, and what runs in it cannot change that."""
    import duckdb

    with duckdb.connect(":memory:", config=dict(_CLOSED)) as connection:
        for name, table in tables.items():
            connection.register(name, table)
        connection.execute("SET lock_configuration = true")
        yield connection
