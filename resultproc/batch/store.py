"""An archive of games as Parquet, on any file system: whole games in parts, by year.

``games/year=2012/part-....parquet`` and a file of the same name under ``contestants`` hold the same games. A part is
there when its games are: the contestants are written first, each file under another name and then renamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import fsspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from resultproc.errors import InputError, OutputError

NO_YEAR = 0
"""Where games without a date stand."""


@dataclass(frozen=True)
class Store:
    """A folder of Parquet parts: a local path or any location that fsspec knows, such as s3://bucket/archive."""

    url: str

    @property
    def _fs(self) -> Any:
        return self._located()[0]

    def _path(self, *parts: str) -> str:
        return "/".join([self._located()[1].rstrip("/"), *parts])

    def _located(self) -> tuple[Any, str]:
        """Return the file system and the path in it; InputError for a kind of location that is not known here."""
        try:
            system, path = fsspec.core.url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise InputError(f"this location cannot be used: {error}", file=self.url) from None
        return system, str(path)

    def parts(self, kind: str) -> list[str]:
        """Return the names of the parts of a kind (games, contestants, awards, ...), in order: year=2012/part-..."""
        root = self._path(kind)
        found = self._fs.glob(f"{root}/year=*/part-*.parquet")
        return sorted("/".join(str(path).rsplit("/", 2)[-2:]) for path in found)

    def read(
        self, kind: str, part: str, columns: Sequence[str] | None = None, categories: Sequence[str] = ()
    ) -> pa.Table:
        """Return a part, or those of the columns that it has; InputError where it is damaged.

        categories: columns of text that come as categories, which read and compare faster.
        """
        path = self._path(kind, part)
        try:
            with self._fs.open(path, "rb") as file:
                parquet = pq.ParquetFile(file, read_dictionary=list(categories))
                known = parquet.schema_arrow.names
                return parquet.read([c for c in columns if c in known] if columns is not None else None)
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"this part of the archive cannot be read: {error}", file=path) from None

    def write(self, kind: str, part: str, frame: pd.DataFrame) -> None:
        """Write a part, whole or not at all; OutputError where it cannot be."""
        self.write_table(kind, part, pa.Table.from_pandas(frame, preserve_index=False))

    def write_table(self, kind: str, part: str, table: pa.Table) -> None:
        """Write a part that is an Arrow table already."""
        path = self._path(kind, part)
        try:
            self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            with self._fs.open(f"{path}.partial", "wb") as file:
                pq.write_table(table, file, compression="zstd", compression_level=1)
            self._fs.mv(f"{path}.partial", path)
        except OSError as error:
            raise OutputError(f"it cannot be written: {error}", file=path) from None

    def read_text(self, name: str) -> str | None:
        """Return a text file of the store, None where there is none."""
        path = self._path(name)
        return self._fs.cat(path).decode() if self._fs.exists(path) else None

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the store, whole or not at all."""
        path = self._path(name)
        try:
            self._fs.makedirs(self._path(), exist_ok=True)
            self._fs.pipe(f"{path}.partial", text.encode())
            self._fs.mv(f"{path}.partial", path)
        except OSError as error:
            raise OutputError(f"it cannot be written: {error}", file=path) from None
