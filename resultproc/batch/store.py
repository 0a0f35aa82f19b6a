"""An archive of games as Parquet, on any file system: whole games in parts, by year.

``games/year=2012/part-....parquet`` and a file of the same name under ``contestants`` hold the same games. A part is
there when its games are: the contestants are written first, each file under another name and then renamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import fsspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.implementations.local import LocalFileSystem

from resultproc.formats.write import PARTIAL
from resultproc.model.errors import InputError, OutputError
from resultproc.model.provenance import KEY


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

    @property
    def anywhere(self) -> str:
        """The location as it holds in any folder: a local path from the root."""
        return self._path() if isinstance(self._fs, LocalFileSystem) and "::" not in self.url else self.url

    def parts(self, kind: str) -> list[str]:
        """Return the names of the parts of a kind (games, contestants, awards, ...), in order: year=2012/part-..."""
        self._fs.invalidate_cache()  # other processes write here too
        names = ("/".join(path.rsplit("/", 2)[-2:]) for path in self._fs.find(self._path(kind)))
        return sorted(name for name in names if _PART.fullmatch(name))

    def filled(self, kind: str, part: str) -> dict[str, bool | None]:
        """Return, per column of a part, whether it has a value in every row or in none; None where only some have.

        The file says so without being read. InputError where it is damaged.
        """
        with self._open(kind, part) as file:
            metadata = _checked(file).metadata
            return {name: _filled(metadata, number) for number, name in enumerate(metadata.schema.names)}

    def read(
        self, kind: str, part: str, columns: Sequence[str] | None = None, categories: Sequence[str] = ()
    ) -> pa.Table:
        """Return a part, or some of its columns; InputError where it is damaged.

        categories: columns of text that come as categories, which read and compare faster.
        """
        with self._open(kind, part) as file:
            return _checked(file, read_dictionary=list(categories)).read(columns)

    @contextmanager
    def _open(self, kind: str, part: str) -> Iterator[Any]:
        path = self._path(kind, part)
        try:
            with self._fs.open(path, "rb") as file:
                yield file
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"this part of the archive cannot be read: {error}", file=path) from None

    def write(self, kind: str, part: str, frame: pd.DataFrame, provenance: str = "") -> None:
        """Write a part, whole or not at all; OutputError where that is impossible.

        provenance: where it comes from, for the file's metadata.
        """
        self.write_table(kind, part, pa.Table.from_pandas(frame, preserve_index=False), provenance)

    def write_table(self, kind: str, part: str, table: pa.Table, provenance: str = "") -> None:
        """Write a part that is an Arrow table already."""
        if provenance:
            table = table.replace_schema_metadata({**(table.schema.metadata or {}), KEY: provenance})
        with self._whole(self._path(kind, part)) as file:
            pq.write_table(table, file, compression="zstd", compression_level=1, write_page_checksum=True)

    def read_text(self, name: str) -> str | None:
        """Return a text file of the store, None where there is none."""
        path = self._path(name)
        return self._fs.cat(path).decode() if self._fs.exists(path) else None

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the store, whole or not at all."""
        with self._whole(self._path(name)) as file:
            file.write(text.encode())

    def clear(self) -> None:
        """Remove the half-written files that a killed run left."""
        for path in self._fs.find(self._path()):
            if path.endswith(PARTIAL):
                self._fs.rm(path)

    @contextmanager
    def _whole(self, path: str) -> Iterator[Any]:
        """Give a file to write to, and rename it to its place when all is written; OutputError where that fails.

        Its name is its own: a worker that was given up for lost may still be writing the same part.
        """
        partial = f"{path}.{uuid4().hex}{PARTIAL}"
        try:
            self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            try:
                with self._fs.open(partial, "wb") as file:
                    yield file
                self._fs.mv(partial, path)
            except BaseException:
                if self._fs.exists(partial):
                    self._fs.rm(partial)
                raise
        except OSError as error:
            raise OutputError(f"it cannot be written: {error}", file=path) from None


_PART = re.compile(r"year=[0-9]+/part-[^/]+\.parquet")


def _checked(file: Any, **options: Any) -> pq.ParquetFile:
    """Return a Parquet file whose pages are held against their checksums when they are read."""
    return pq.ParquetFile(file, page_checksum_verification=True, **options)


def _filled(metadata: pq.FileMetaData, column: int) -> bool | None:
    chunks = [metadata.row_group(number).column(column).statistics for number in range(metadata.num_row_groups)]
    if not all(chunk is not None and chunk.has_null_count for chunk in chunks):
        return None
    empty = sum(chunk.null_count for chunk in chunks)
    return empty == 0 if empty in {0, metadata.num_rows} else None
