"""A file of an archive: a row for each version of a game, with its contestants nested in it and hashes of all that is
in the row, which are compared whenever the file is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from resultproc.archive.store import Opened
from resultproc.archive.views import ADDED, FILES, with_units
from resultproc.model.arrays import Bools, Ints

ARCHIVED = ("id_in_source", "source_hash", "content_hash", "results", "may_be")
"""The columns that an archive's games have besides: the id in the file, its SHA-256, a hash of all that the game says,
which tells a game from one with the same results whose strata, say, were corrected, what
:func:`resultproc.stages.same_game.results_of_games` gives, which others have whose day, say, was, and the id of a game
that it may be the same as.
"""

FROM, UNTIL, WHY = "valid_from", "valid_until", "why"
GAME_REPLACED, GAME_REMOVED = "replaced", "removed"

NESTED, _HASH, _CONTESTANTS_HASH = "contestants", "hash", "contestants_hash"
_LIST = f"{NESTED}.list.element."
_TIME = pa.timestamp("us", "UTC")
_TYPES = {
    "str": pa.string(),
    "float64": pa.float64(),
    "Int64": pa.int64(),
    "bool": pa.bool_(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "time": _TIME,
}


OF_THIS_PROGRAM = re.compile(r"part-([0-9a-f]{32})\.parquet")
"""What this program calls a file: by the beginning of the SHA-256 of its content."""


@dataclass(frozen=True)
class GameFile(Opened):
    """A file of an archive, to read from.

    It is compared with the hash in its name, and where other programs wrote it, and called it otherwise, each game that
    is read with the hashes of that.

    as_of: the time as which it is read, empty for now.
    """

    as_of: str = ""

    def __post_init__(self) -> None:
        """Raise InputError where it is damaged."""
        if self._named and not self.sha256.startswith(self._named[1]):
            raise self.damaged("its content is not what was written")

    @property
    def _named(self) -> re.Match[str] | None:
        return OF_THIS_PROGRAM.fullmatch(self.path.rpartition("/")[2])

    @property
    def columns(self) -> dict[str, dict[str, bool | None]]:
        """What the columns of games, and of contestants, have: a value in every row, in none, or (None) in some."""
        nested = {path.removeprefix(_LIST): each for path, each in self.filled.items() if path.startswith(_LIST)}
        own = {path: each for path, each in self.filled.items() if not path.startswith(_LIST)}
        return {"games": own, "contestants": {"game_id": True, **nested}}

    def _compare(self, of: str, found: pa.Array, expected: pa.ChunkedArray) -> None:
        if not found.equals(_whole(expected)):
            raise self.damaged(f"its {of} are not what was written")

    def games(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the games that count. columns: those to read, None for all that have any value."""
        table, counts = self.every_game(columns), self.counts
        return _dated(table if counts.all() else table.filter(pa.array(counts)))

    def every_game(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows of games, whether they count or not. columns: as for :meth:`games`."""
        there = self._games.column_names
        return self._games if columns is None else self._games.select([name for name in columns if name in there])

    @cached_property
    def _games(self) -> pa.Table:
        with self.errors():
            table = self.file().read([name for name, some in self.columns["games"].items() if some is not False])
            if not self._named:
                self._compare("games", hashes(table), table[_HASH])
            return table

    @cached_property
    def counts(self) -> Bools:
        """Which of its rows count at the time as which it is read."""
        begins, ends = (microseconds(self._games, name) for name in (FROM, UNTIL))
        if not self.as_of:
            return np.asarray(ends == NO_TIME, dtype=np.bool_)
        time = microseconds_of(self.as_of)
        return np.asarray((begins <= time) & ((ends == NO_TIME) | (ends > time)), dtype=np.bool_)

    def contestants(self, columns: Sequence[str] | None = None, categories: Sequence[str] = ()) -> pa.Table:
        """Return the contestants of the games that count.

        columns: those to read, None for all that have any value.
        categories: columns of text that come as categories, which read and compare faster.
        """
        table, game = self._contestants(columns, categories)
        ids = _whole(self.games(["game_id"])["game_id"])  # a game that was restored may have another row here
        if not self.counts.all():
            mine = self.counts[game]
            table, game = table.filter(pa.array(mine)), (np.cumsum(self.counts) - 1)[game[mine]]
        of = pa.DictionaryArray.from_arrays(pa.array(game, pa.int32()), ids)
        table = table.add_column(0, "game_id", of)
        if columns is not None:
            table = table.select([name for name in columns if name in table.column_names])
        return _without_categories(table, categories)

    def _contestants(
        self, columns: Sequence[str] | None = None, categories: Sequence[str] = ()
    ) -> tuple[pa.Table, Ints]:
        """Return the contestants of all rows, and the row of each; where the hashes need them, with more columns."""
        with self.errors():
            wanted = [name for name, some in self.columns["contestants"].items() if some is not False][1:]
            if self._named and columns is not None:
                wanted = [name for name in wanted if name in columns] or wanted[:1]
            file = self.file([f"{_LIST}{name}" for name in wanted if name in categories])
            table, lengths = _unnested(file.read([f"{_LIST}{name}" for name in wanted]))
            if not self._named:
                self._compare("contestants", _hashes_of_lists(table, lengths), self._games[_CONTESTANTS_HASH])
            return table, np.repeat(np.arange(len(lengths)), lengths)

    def row(self, number: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the game of a row, whether it counts or not, and its contestants."""
        table, game = self._contestants()
        return _dated(self._games.slice(number, 1)).to_pandas(), _without_categories(
            table.filter(pa.array(game == number))
        ).to_pandas()

    def compare(self) -> int:
        """Compare all that is there with the hashes of each game; return how many count. Raises InputError."""
        self._all()
        return int(self.counts.sum())

    def _all(self) -> pa.Table:
        with self.errors():
            table = self.file().read()
            self._compare("games", hashes(table), table[_HASH])
            self._compare("contestants", _hashes_of_lists(*_unnested(table)), table[_CONTESTANTS_HASH])
            return table

    def with_ended(self, rows: Mapping[int, str], time: str) -> pa.Table:
        """Return all rows and columns, where some count no more. rows: these, and why. time: since when."""
        table = self._all()
        at = np.zeros(len(table), dtype=np.bool_)
        at[list(rows)] = True
        until = pa.array(np.full(len(table), microseconds_of(time))).cast(_TIME)
        why = pa.array([rows.get(row) for row in range(len(table))], pa.string())
        return _changed(table, pa.array(at), {UNTIL: until, WHY: why})

    def again(self, rows: Sequence[int], time: str) -> pa.Table:
        """Return some rows as new ones, which count from a time on."""
        table, nothing = self._all().take(pa.array(rows)), [""] * len(rows)
        return with_times(table, [time] * len(rows), nothing, nothing)


def _changed(table: pa.Table, rows: pa.Array, values: Mapping[str, pa.Array]) -> pa.Table:
    """Return a table with other values in some rows, and the hashes of these."""
    for name, value in values.items():
        table = table.set_column(table.column_names.index(name), name, pc.if_else(rows, value, table[name]))
    return table.set_column(table.column_names.index(_HASH), _HASH, hashes(table))


def _without_categories(table: pa.Table, categories: Sequence[str] = ()) -> pa.Table:
    """Return a table without categories but in some columns."""
    kinds = {field.name: field.type for field in table.schema if pa.types.is_dictionary(field.type)}
    for name in kinds.keys() - set(categories):
        table = table.set_column(table.column_names.index(name), name, table[name].cast(pa.string()))
    return table


def _dated(games: pa.Table) -> pa.Table:
    """Return games whose days are as frames have them."""
    if "date" not in games.column_names:
        return games
    return games.set_column(games.column_names.index("date"), "date", games["date"].cast(pa.timestamp("s")))


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.unify_dictionaries().combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _unnested(table: pa.Table) -> tuple[pa.Table, Ints]:
    """Return the contestants that are nested in some rows, and how many each row has."""
    found, lengths = [], [np.zeros(0, dtype=np.int64)]
    for lists in table[NESTED].chunks if NESTED in table.column_names else []:
        struct = lists.flatten()
        found.append(pa.Table.from_arrays(struct.flatten(), names=[field.name for field in struct.type]))
        lengths.append(pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64))
    joined = pa.concat_tables(found).unify_dictionaries().combine_chunks() if found else pa.table({})
    return joined, np.concatenate(lengths)


NO_TIME = int(np.iinfo(np.int64).min)
"""What stands for no time: it is before every other."""


def microseconds_of(time: str) -> int:
    """Return a time in ISO 8601, in UTC, as microseconds since 1970; :data:`NO_TIME` for an empty one."""
    return int(np.datetime64(time.rstrip("Z"), "us").astype(np.int64)) if time else NO_TIME


def microseconds(table: pa.Table, name: str) -> Ints:
    """Return a column of times as microseconds since 1970, :data:`NO_TIME` where there is none."""
    if name not in table.column_names:
        return np.full(len(table), NO_TIME)
    return np.asarray(table[name].cast(_TIME).cast(pa.int64()).fill_null(NO_TIME).to_numpy(), dtype=np.int64)


def times_of(table: pa.Table, name: str) -> pd.Series[str]:
    """Return a column of times in ISO 8601, in UTC, empty for none."""
    found = microseconds(table, name)
    texts = np.datetime_as_string(np.where(found == NO_TIME, 0, found).astype("datetime64[us]"), timezone="UTC")
    return pd.Series(np.where(found == NO_TIME, "", texts), dtype="str")


# pandas has hashes, too: they take two and a half times as long for the columns of 20,000 games, and nulls count there.
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def hashes(table: pa.Table) -> pa.Array:
    """Return a hash of all that each row says; what says nothing adds nothing, so that columns can be added.

    What is nested has a hash of its own, which goes in.
    """
    found = np.zeros(len(table), dtype=np.uint64)
    for name in table.column_names:
        column = _whole(table[name]) if name not in {_HASH, NESTED} else pa.nulls(len(table))
        if column.null_count < len(column):
            found += _hashes_of_column(column, np.uint64(zlib.crc32(name.encode()) << 20))
    return pa.array(_mixed(found).view(np.int64))


def _hashes_of_column(column: pa.Array, seed: np.uint64) -> npt.NDArray[np.uint64]:
    if pa.types.is_dictionary(column.type):
        known = np.append(_hashes_of_column(column.dictionary, seed), np.uint64(0))
        return np.asarray(known[column.indices.fill_null(len(known) - 1).to_numpy(zero_copy_only=False)])
    if pa.types.is_string(column.type):
        values = hashes_of_texts(column.fill_null(""))
    else:
        column = column.cast(pa.int32()) if pa.types.is_date32(column.type) else column
        column = column if pa.types.is_floating(column.type) else column.cast(pa.int64())
        values = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)
    mixed = _mixed(values ^ seed)
    return (
        np.where(column.is_null().to_numpy(zero_copy_only=False), np.uint64(0), mixed) if column.null_count else mixed
    )


_SHORT = 64
"""Texts of at most this many bytes are looked at all at once, eight bytes at a time; a longer one by itself."""


def hashes_of_texts(texts: pa.Array) -> npt.NDArray[np.uint64]:
    """Return a hash of each text; there is one everywhere."""
    long = pc.greater(pc.binary_length(texts), _SHORT).to_numpy(zero_copy_only=False)
    if long.any():
        found = np.zeros(len(texts), dtype=np.uint64)
        found[long] = pd.util.hash_array(texts.filter(pa.array(long)).to_numpy(zero_copy_only=False))
        found[~long] = hashes_of_texts(texts.filter(pa.array(~long)))
        return found
    width = 8 * -(-(pc.max(pc.binary_length(texts)).as_py() or 1) // 8)
    padded = pc.ascii_rpad(texts, width, "\0")
    words = np.frombuffer(padded.buffers()[2], np.uint64, len(texts) * width // 8, padded.offset * width)
    found = np.zeros(len(texts), dtype=np.uint64)
    for n, word in enumerate(words.reshape(len(texts), width // 8).T):
        found += np.where(word == 0, word, _mixed(word ^ np.uint64(n + 1)))
    return found


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    values = (values ^ (values >> _HALF)) * _MIX
    return values ^ (values >> _HALF)


def _hashes_of_lists(table: pa.Table, lengths: Ints) -> pa.Array:
    """Return a hash of the rows of each game, in their order. lengths: how many each game has, one after the other."""
    starts = np.cumsum(lengths) - lengths
    order = (np.arange(len(table)) - np.repeat(starts, lengths)).astype(np.uint64)
    rows = _mixed(hashes(table).to_numpy().view(np.uint64) + order * _MIX)
    summed = np.zeros(len(lengths), dtype=np.uint64)
    some = lengths > 0
    summed[some] = np.add.reduceat(rows, starts[some]) if some.any() else 0
    return pa.array(summed.view(np.int64))


def _table_of(frame: pd.DataFrame, kind: str) -> pa.Table:
    """Return a frame as the table has it: all declared columns of its kind, and of families those that are there."""
    declared = FILES[kind]
    apart = {NESTED} if kind == "games" else {"game_id"}
    names = [each.name for each in declared.columns if not each.numbered and each.name not in apart]
    columns = {}
    for name in [*names, *sorted({str(name) for name in frame}.difference(names))]:
        values = frame[name] if name in frame else pd.Series(None, frame.index, dtype="object")
        wanted = _TYPES[declared.declared(name).dtype]
        time = pa.timestamp("s") if name == "date" and name in frame else None
        columns[name] = (
            pa.nulls(len(frame), wanted)
            if values.isna().all()
            else pa.array(values, time, from_pandas=True).cast(wanted)
        )
    return with_units(kind, pa.table({name: _whole(column) for name, column in columns.items()}))


def rows_of_games(games: pd.DataFrame, contestants: pd.DataFrame, row: Ints, added: Sequence[str]) -> pa.Table:
    """Return games with their contestants as rows of the table, which count from when they were added.

    row: the game of each contestant, a position in ``games``.
    added: when each game was, in ISO 8601 and UTC; empty where nobody knows.
    """
    seats = contestants.iloc[np.argsort(row, kind="stable")].reset_index(drop=True)
    nested, lengths = _table_of(seats.drop(columns="game_id"), NESTED), np.bincount(row, minlength=len(games))
    struct = pa.StructArray.from_arrays([_whole(each) for each in nested.columns], fields=list(nested.schema))
    starts = pa.array(np.append(0, np.cumsum(lengths)), pa.int32())
    table, none = _table_of(games, "games"), pa.nulls(len(games))
    besides = {ADDED: _times(added), FROM: _times(added), UNTIL: none.cast(_TIME), WHY: none.cast(pa.string())}
    every = pa.array(np.ones(len(games), dtype=np.bool_))
    table = _changed(table, every, {**besides, _CONTESTANTS_HASH: _hashes_of_lists(nested, lengths)})
    return table.append_column(NESTED, pa.ListArray.from_arrays(starts, struct))


def with_times(rows: pa.Table, since: Sequence[str], until: Sequence[str], why: Sequence[str]) -> pa.Table:
    """Return rows that count from other times and until other times, and why no longer; empty where nobody knows."""
    every = pa.array(np.ones(len(rows), dtype=np.bool_))
    reasons = pa.array([each or None for each in why], pa.string())
    return _changed(rows, every, {FROM: _times(since), UNTIL: _times(until), WHY: reasons})


def _times(texts: Sequence[str]) -> pa.Array:
    return pa.array([microseconds_of(text) if text else None for text in texts], pa.int64()).cast(_TIME)
