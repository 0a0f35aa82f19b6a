"""A folder of Parquet parts on any file system: what an archive and what the run over one are written to.

A part is a file such as ``games/year=2012/part-....parquet``; that of the same name under another kind is of the same
games. Every file is there whole or not at all.

The parts of a run hold what was paid as tables: numbers in hundredths, texts as categories.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.implementations.local import LocalFileSystem

from resultproc.archive.views import with_units
from resultproc.model.codes import code_of, code_of_writing
from resultproc.model.errors import InputError, OutputError
from resultproc.model.files import PARTIAL, copy_whole, write_bytes
from resultproc.model.frames import COLOURS, CONTESTANT_KEY, AwardedResult
from resultproc.model.locks import folder_held
from resultproc.model.provenance import PROVENANCE_KEY


@dataclass(frozen=True)
class Store:
    """A folder of Parquet parts: a local path or any location that fsspec knows, such as s3://bucket/archive."""

    url: str
    only: frozenset[str] | None = None  # the names of the parts that are meant; None for all that are there

    @property
    def _fs(self) -> Any:
        return self._located()[0]

    def path_of(self, *parts: str) -> str:
        """Return the path of a file or folder in its file system, which it is called by in messages."""
        return "/".join([self._located()[1].rstrip("/"), *parts])

    def _located(self) -> tuple[Any, str]:
        """Return the file system and the path in it; InputError for a kind of location that is not known here."""
        try:
            system, path = fsspec.core.url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise InputError(f"this location cannot be used: {error}", file=self.url) from None
        return system, str(path)

    @property
    def local(self) -> bool:
        """Whether it is on a disk."""
        return isinstance(self._fs, LocalFileSystem) and "::" not in self.url

    @property
    def anywhere(self) -> str:
        """The location as it holds in any folder: a local path from the root."""
        return self.path_of() if self.local else self.url

    @contextmanager
    def alone(self, seconds: float = 0) -> Iterator[None]:
        """Keep other runs on this machine from writing here meanwhile; OutputError where one is at it for so long."""
        if not self.local:
            yield
            return
        with self._writing(self.path_of()):
            Path(self.path_of()).mkdir(parents=True, exist_ok=True)
        with folder_held(Path(self.path_of("run.lock")), seconds=seconds):
            yield

    def parts(self, kind: str) -> list[str]:
        """Return the names of the files of a kind (awards, ...), in order: year=2012/part-..."""
        names = ("/".join(path.rsplit("/", 2)[-2:]) for path in self._files(kind))
        return sorted(name for name in names if _PART.fullmatch(name) and (self.only is None or name in self.only))

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names of the files in a folder that end so, none where it is not there."""
        names = (path.rsplit("/", 1)[-1] for path in self._files(folder))
        return sorted(name for name in names if name.endswith(ending))

    def _files(self, folder: str) -> list[str]:
        path = self.path_of(folder)
        with suppress(FileNotFoundError), self._reading(path):  # S3 says so where there is no bucket
            return list(self._fs.find(path))
        return []

    @contextmanager
    def _reading(self, path: str) -> Iterator[None]:
        try:
            self._fs.invalidate_cache()  # other processes write here too
            yield
        except FileNotFoundError:
            raise
        except NotADirectoryError as error:  # nor is there anything below a file
            raise FileNotFoundError(*error.args) from error
        except Exception as error:  # file systems have errors of their own
            raise InputError(f"it cannot be read: {error}", file=path, code=self._code(error)) from None

    def opened(self, kind: str, part: str, sha256: str = "") -> Opened:
        """Return a part to read from, with its whole content; InputError where it is missing or damaged.

        kind: the folder of the part, such as games.
        part: its name in that folder.
        sha256: what its content has to have; empty where that is not known.
        """
        path = self.path_of(kind, part)
        found = Opened(self.content(f"{kind}/{part}"), path)
        if sha256 and found.sha256 != sha256:
            raise found.damaged("its content is not what was written")
        return found

    def content(self, name: str) -> pa.Buffer:
        """Return the content of a part; InputError where it is missing or cannot be read.

        It is in memory of Arrow's own: a thread of Arrow that frees memory of Python's asks Python first, and if this
        program is about to end, that aborts it.
        """
        path, copy = self.path_of(name), pa.BufferOutputStream()
        with suppress(FileNotFoundError), self._reading(path):
            copy.write(self._fs.cat_file(path))
            return copy.getvalue()
        raise InputError("this part is missing", file=path, code="archive.damaged")

    def logged(self, name: str) -> bool:
        """Return whether a folder is a table: its log has a commit, which a killed run may not have come to."""
        return any(path.endswith(".json") for path in self._files(f"{name}/_delta_log"))

    def make_folder(self, name: str) -> None:
        """Make a folder on a disk, where it is not there; OutputError where that is impossible."""
        with self._writing(self.path_of(name)):
            if self.local:  # elsewhere, files need none, and S3 would make a bucket
                self._fs.makedirs(self.path_of(name), exist_ok=True)

    def address(self, name: str) -> str:
        """Return where a folder is, as the library for tables knows it; InputError for where it cannot keep one."""
        if self.local and not _UNKEPT.search(self.path_of()):
            return Path(self.path_of(name)).as_uri()
        if self.local:
            what = "an archive cannot be in a folder whose name or path has a bracket, |, ^, `, % or \\"
            raise InputError(what, hint="name another folder", file=self.url)
        if not _KEPT.match(self.url):
            raise InputError("an archive can be in a folder, or in S3, Azure or Google's storage", file=self.url)
        return f"{self.url.rstrip('/')}/{name}"

    def options(self) -> dict[str, str]:
        """Return what such libraries have to be told of the location beside its address."""
        return {} if self.local else {"allow_http": "true"}

    def unwritable(self, error: Exception, name: str) -> OutputError:
        """Return what an error of the library for tables says of a folder that cannot be written."""
        told = plain_words(error)
        code = code_of_writing(FileNotFoundError()) if "NoSuchBucket" in told else self._code(error)
        return OutputError(f"it cannot be written: {told}", file=self.path_of(name), code=code)

    def read_all(self, kind: str, columns: Sequence[str]) -> pd.DataFrame:
        """Return some columns of all parts of a kind, one after the other; InputError where one is damaged."""
        tables = [self.opened(kind, part).read(columns).replace_schema_metadata() for part in self.parts(kind)]
        return pa.concat_tables(tables).to_pandas() if tables else pd.DataFrame(columns=list(columns))

    def write_table(
        self,
        kind: str,
        part: str,
        table: pa.Table | pd.DataFrame,
        provenance: str = "",
        metadata: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """Write a part, whole or not at all, and return its SHA-256; OutputError where that is impossible.

        kind, part: as for :meth:`opened`.
        provenance: where it comes from, for the file's metadata.
        metadata: what else is to go there.

        The file says the least and the greatest of ``game_id`` alone: games are looked for by it, and to compare the
        texts of all other columns takes a fourth of the time of writing.
        """
        table = table if isinstance(table, pa.Table) else pa.Table.from_pandas(table, preserve_index=False)
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), **metadata})
        with self._writing(self.path_of(kind, part)):
            data = parquet(kind, table, provenance, [name for name in table.column_names if name == "game_id"])
        self.write_bytes(f"{kind}/{part}", data)
        return hashlib.sha256(data).hexdigest()

    def read_text(self, name: str) -> str | None:
        """Return a text file of the store, None where there is none; InputError where it is no text or unreadable."""
        path = self.path_of(name)
        data = b""
        try:
            with self._reading(path):
                data = self._fs.cat_file(path)
            return str(data.decode())
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise InputError("this file is damaged: it is no text", file=path) from None

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the store, whole or not at all."""
        self.write_bytes(name, text.encode())

    def change_text(self, name: str, change: Callable[[str | None], str]) -> None:
        """Write a text file of the store anew, by what it says; None where there is none.

        Of two who do so at once, on one machine or in S3, the second changes what the first has written.
        """
        path = self.path_of(name)
        with self.alone(seconds=60):
            while True:
                only_if = self._only_if_unchanged(path)
                data = change(self.read_text(name)).encode()
                if not only_if:
                    return self.write_bytes(name, data)
                with self._writing(path):
                    try:
                        self._fs.pipe_file(path, data, **only_if)
                        return None
                    except OSError as error:
                        if not _OVERTAKEN.search(str(error.__cause__)):
                            raise

    def _only_if_unchanged(self, path: str) -> dict[str, str]:
        """Return what has S3 write a file only if it is still the one that is there, or none is; else nothing."""
        if "s3" not in self._fs.protocol:
            return {}
        with self._reading(path):
            try:
                return {"IfMatch": self._fs.info(path, refresh=True)["ETag"]}
            except FileNotFoundError:
                return {"mode": "create"}

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a file of the store, whole or not at all: renamed to its place on a disk, else in one request."""
        path = self.path_of(name)
        with self._writing(path):
            self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            if self.local:
                write_bytes(Path(path), data)
            else:
                self._fs.pipe_file(path, data)

    def write_file(self, name: str, made: Path) -> None:
        """Write a file of the store, as :meth:`write_bytes` does, that is as it was made somewhere on this machine."""
        path = self.path_of(name)
        with self._writing(path):
            self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            if self.local:
                copy_whole(made, Path(path))
            else:
                self._fs.put_file(str(made), path)

    def on_disk(self, name: str, copy: Path) -> Path:
        """Return where a file is on this machine: there or, elsewhere, its copy; InputError where it is missing."""
        path = self.path_of(name)
        if self.local:
            return Path(path)
        with suppress(FileNotFoundError), self._reading(path):
            self._fs.get_file(path, str(copy))
            return copy
        raise InputError("this part is missing", file=path)

    def remove(self, kind: str, part: str) -> None:
        """Remove a part, if it is there; OutputError where that is impossible."""
        path = self.path_of(kind, part)
        with self._writing(path):
            if self._fs.exists(path):
                self._fs.rm(path)

    def try_room(self, kind: str, size: int) -> None:
        """Raise OutputError where a folder on a disk cannot take so many bytes.

        The library for tables says so, too, but only after it has printed how it fell over its own file.
        """
        if self.local:
            self.write_bytes(f"{kind}/{_ROOM}", bytes(size))
            self.remove(kind, _ROOM)

    def forget(self, needed: Callable[[str], bool], since: timedelta = timedelta(days=7)) -> None:
        """Remove the files that are not needed, by their path, and that were written so long ago: somebody may read.

        They are below a folder of a state, and are called as such files are: a folder on the way may be a link to
        whatever somebody has.
        """
        with self._writing(self.path_of()):
            for path in self._files(""):
                ours = _OF_STATE.fullmatch(path.removeprefix(self.path_of()))
                if ours and not needed(path) and datetime.now(UTC) - self._fs.modified(path) > since:
                    self._fs.rm(path)

    def refuse_links(self, folder: str) -> None:
        """Raise OutputError where a folder has a link to another: what is removed there would be somebody's."""
        for path, folders, _ in os.walk(self.path_of(folder)) if self.local else ():
            for each in (Path(path, name) for name in folders):
                if each.resolve() != each.parent.resolve() / each.name:
                    raise OutputError("this is a link, which is not followed", hint="remove it", file=str(each))

    def clear(self) -> None:
        """Remove the half-written files that a killed run left."""
        with self._writing(self.path_of()):
            for path in self._fs.find(self.path_of()):
                if path.endswith(PARTIAL):
                    self._fs.rm(path)

    @contextmanager
    def _writing(self, path: str) -> Iterator[None]:
        try:
            yield
        except OutputError:
            raise
        except Exception as error:  # file systems have errors of their own
            code = self._code(error)
            if isinstance(error, FileNotFoundError | NotADirectoryError):
                code = code_of_writing(error)
            raise OutputError(f"it cannot be written: {error}", file=path, code=code) from None

    def _code(self, error: Exception) -> str:
        """Return the code of an error of the file system: elsewhere it is the network, if it says no more.

        Who lacks credentials is refused however often it tries; each service has an error class of its own for that.
        """
        if "Credential" in type(error).__name__:
            return "machine.permission"
        code = code_of(error)
        return code if self.local or code != "machine.failed" else "again.network"


def plain_words(error: Exception) -> str:
    """Return what an error of another library says, in one line and without colours."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m|↳", "", str(error)).split())


_OVERTAKEN = re.compile("PreconditionFailed|ConditionalRequestConflict")
"""What S3 says where somebody else has written a file meanwhile."""


_OF_STATE = re.compile(rf".*/[0-9a-f]{{32}}/(?:asked|.*(?:\.parquet|{re.escape(PARTIAL)}))")
"""What is kept for a while: below a folder that a hash names, see :func:`resultproc.archive.kept.state_of`."""

_ROOM = "room"
"""A file that is written to see whether there is room, and removed."""

_KEPT = re.compile("(?:s3a?|az|adl|abfss?|gc?s)://")
"""Where archives may be, beside folders."""

_UNKEPT = re.compile(r"[\\\[\]|^`%]")
"""What the library for tables does not understand in the name of a folder."""


@dataclass(frozen=True)
class Opened:
    """The content of a Parquet file, and what it is called in messages."""

    data: pa.Buffer
    path: str

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the content, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def filled(self) -> dict[str, bool | None]:
        """Per column, whether it has a value in every row or in none; None where only some have.

        The file says so without being read. A nested column goes by its path.
        """
        with self.errors():
            metadata = self.file().metadata
            groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
            return {
                metadata.schema.column(number).path: _filled([group.column(number) for group in groups])
                for number in range(metadata.num_columns)
            }

    def file(self, categories: Sequence[str] = ()) -> pq.ParquetFile:
        """Return the file, whose pages are compared with their checksums when they are read.

        categories: columns of text that come as categories, which read and compare faster.
        """
        data = pa.BufferReader(self.data)
        return pq.ParquetFile(data, page_checksum_verification=True, read_dictionary=list(categories))

    def read(self, columns: Sequence[str] | None = None, categories: Sequence[str] = ()) -> pa.Table:
        """Return the table, or some of its columns; InputError where it is damaged. categories: as for :meth:`file`."""
        with self.errors():
            return self.file(categories).read(columns)

    def metadata(self, key: str) -> str:
        """Return an entry of the file's metadata, empty where it has none."""
        with self.errors():
            entries = self.file().schema_arrow.metadata or {}
            return str(entries.get(key.encode(), b"").decode())

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the errors of damaged Parquet, which are of every kind, into InputError."""
        try:
            yield
        except InputError:
            raise
        except Exception as error:
            raise self.damaged(plain_words(error)) from None

    def damaged(self, what: str) -> InputError:
        """Return the error that says so."""
        return InputError(f"this part is damaged: {what}", file=self.path, code="archive.damaged")


def _filled(chunks: Sequence[pq.ColumnChunkMetaData]) -> bool | None:
    known = all(each.statistics is not None and each.statistics.has_null_count for each in chunks)
    empty = sum(each.statistics.null_count for each in chunks) if known else -1
    return empty == 0 if empty in {0, sum(each.num_values for each in chunks)} else None


def parquet(kind: str, table: pa.Table, provenance: str = "", statistics: bool | list[str] = True) -> bytes:
    """Return a table as the bytes of a Parquet file, which says its units.

    kind: of the table, such as awards; it decides the units.
    provenance: where it comes from, for its metadata.
    statistics: the columns whose least and greatest values, and number of missing ones, are in the file; True for all.
    """
    if provenance:
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), PROVENANCE_KEY: provenance})
    file = pa.BufferOutputStream()
    pq.write_table(
        with_units(kind, table),
        file,
        compression="zstd",
        compression_level=1,
        write_page_checksum=True,
        write_statistics=statistics,
    )
    return bytes(file.getvalue().to_pybytes())


_PART = re.compile(r"year=[0-9]+/part-[^/]+\.parquet")


def plain_frame(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame, whatever pandas noted of its columns: to read that takes longer than a few games."""
    frame: pd.DataFrame = table.replace_schema_metadata().to_pandas()
    return frame


def awards_table(result: AwardedResult) -> pa.Table:
    """Return the awards beside what names their contestants: what the winning candidate says, and the rulebook."""
    printed = pa.array(result.contestants["printed_award"], pa.int32())
    return _beside_names(result, result.awards, _WON).append_column("printed", printed)


def player_awards_table(result: AwardedResult) -> pa.Table:
    """Return the awards of the players of teams whose players get different ones, in the same way."""
    return _beside_names(result, result.player_awards, (*_WON, "player"))


def candidates_table(result: AwardedResult) -> pa.Table:
    """Return the candidates beside what names their contestants."""
    names = ("basis", "stratum", "rule", "factors", "size", "position", "tied", "masterpoints")
    return _beside_names(result, result.candidates, names)


def standings_table(result: AwardedResult) -> pa.Table:
    """Return the places beside what names their contestants."""
    return _beside_names(result, result.standings, ("basis", "stratum", "size", "position", "tied"))


_WON = ("masterpoints", *COLOURS, "basis", "stratum", "rule", "position", "tied", "size", "rulebook")


def _beside_names(result: AwardedResult, frame: pd.DataFrame, names: Sequence[str]) -> pa.Table:
    """Return columns of a frame, or of the candidates, contestants or games of its rows, beside what names these."""
    contestant = frame["contestant"].to_numpy()
    game = frame["game"].to_numpy() if "game" in frame else result.awards["game"].to_numpy()[contestant]
    candidate = frame["candidate"].to_numpy() if "candidate" in frame else np.full(len(frame), -1)
    frames = ((frame, None), (result.candidates, candidate), (result.contestants, contestant), (result.games, game))
    every = (*CONTESTANT_KEY, *names)
    return pa.table({name: next(_taken(of[name], rows) for of, rows in frames if name in of) for name in every})


def _taken(values: pd.Series[Any], rows: np.ndarray | None) -> pa.Array:
    """Return the values of all or some rows, null for -1: numbers, or texts as categories without spelling them out."""
    if pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(dtype=np.int32)
        return pa.array(numbers) if rows is None else pa.array(np.append(numbers, np.int32(0))[rows], mask=rows < 0)
    texts = values.astype("category").cat
    codes = texts.codes.to_numpy()
    if rows is not None:
        codes = np.append(codes, np.int8(-1))[rows]
    categories = pa.array(texts.categories).cast(pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes < 0), categories)
