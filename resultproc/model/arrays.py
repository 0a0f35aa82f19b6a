"""Arrays and columns of many rows at once: numbers for what is distinct, orders, runs, selections, families."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

_T = TypeVar("_T")
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def select_rows(rows: Bools, *values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return some values of the rows that are wanted; uncopied where that is all of them, as it mostly is."""
    return values if rows.all() else tuple(each[rows] for each in values)


def dense_codes(keys: Ints) -> tuple[Ints, Ints]:
    """Return the number of each key, 0 or more, among the distinct ones in order, and those."""
    if keys.max(initial=0) > _DENSE * len(keys):
        distinct, number = np.unique(keys, return_inverse=True)
        return number.astype(np.int64), distinct
    there = np.bincount(keys) > 0
    return (np.cumsum(there) - 1)[keys], np.flatnonzero(there)


def sorted_rows(*keys: Ints) -> Ints:
    """Return the rows sorted by some whole numbers, the first ones first; rows with equal ones keep their order."""
    key = pack_keys(keys)
    # One number sorts several times faster than several do.
    if key is None:
        return np.lexsort(keys[::-1])
    # Where many are out of order, it is faster still to sort numbers that have the rows in them; long runs are merged.
    runs = np.count_nonzero(key[1:] < key[:-1])
    with_row = pack_keys((key, np.arange(len(key)))) if runs > max(_MANY, len(key) // _LONG_RUN) else None
    return np.argsort(key, kind="stable") if with_row is None else np.sort(with_row) % len(key)


def pack_keys(keys: Sequence[npt.NDArray[np.integer[Any]]]) -> Ints | None:
    """Return one whole number for each row, in the order of several; None where no whole number is large enough."""
    key, size = np.zeros(len(keys[0]), dtype=np.int64), 1
    for each in keys if len(key) else ():
        low = int(each.min())
        width = int(each.max()) - low + 1
        size *= width
        if size > _LARGEST_KEY:
            return None
        if width > 1:
            # In place: new arrays for what comes between take longer than the sums.
            key *= width
            key += each
            key -= low
    return key


def run_starts(*keys: npt.NDArray[Any]) -> Bools:
    """Return where each run of rows with the same keys begins."""
    new = np.zeros(len(keys[0]), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return new


def first_rows(number: Ints, count: int) -> Ints:
    """Return the first row of each number from 0 up to a count."""
    first = np.zeros(count, dtype=np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    return first


def first_of_each(numbers: Ints, at: Bools) -> list[int]:
    """Return the first row of each number at which something is true."""
    rows = np.flatnonzero(at)
    _, first = np.unique(numbers[rows], return_index=True)
    return [int(row) for row in np.sort(rows[first])]


def expand_counts(count: Ints) -> tuple[Ints, Ints]:
    """Return, for lists of some lengths one after the other, the list that each element is in and its place, from 0."""
    of = np.repeat(np.arange(len(count)), count)
    return of, np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)


_LARGEST_KEY = 2**62

_MANY, _LONG_RUN = 1000, 8
"""Up to 1,000 runs of rows in order are merged, and more of them if they have 8 rows or more on average."""

_DENSE = 16
"""Keys up to this many times their count are counted into a table, which is faster than sorting them."""


def factorize_text(column: pd.Series[str]) -> tuple[Ints, pd.Index[str]]:
    """Return the number of each text, -1 for none, and the texts that there are; categories have their numbers."""
    codes, texts = _codes_and_texts(column)
    return np.asarray(codes, dtype=np.int64), pd.Index(texts)


def _codes_and_texts(column: pd.Series[str]) -> tuple[npt.NDArray[Any], Any]:
    """Return what :func:`factorize_text` does, but no index: for few texts it takes as long as the rest."""
    values: Any = column.array
    return (values.codes, values.categories) if isinstance(values, pd.Categorical) else values.factorize()


def categorical(codes: npt.NDArray[np.integer[Any]], categories: Iterable[object]) -> pd.Categorical:
    """Return a category column from the number of each row's category: texts, or values of a class of ours."""
    each = tuple(categories)
    dtype = "str" if set(map(type, each)) <= {str} else "object"
    return pd.Categorical.from_codes(codes, pd.Index(each, dtype=dtype))


def map_text(texts: pd.Series[str], value: Callable[[str], _T], none: _T) -> npt.NDArray[Any]:
    """Return a value for each text; each distinct text or category is read once.

    value: reads a text.
    none: the value of texts that are missing.
    """
    number, distinct = _codes_and_texts(texts)
    found: npt.NDArray[Any] = np.array([*map(value, distinct.tolist()), none])[number]
    return found


def rows_of(values: pd.Series[str], known: pd.Series[str]) -> Ints:
    """Return the row of each value among the known ones; repeated values are looked up once."""
    number, distinct = factorize_text(values)
    rows = pd.Index(known)
    # The parts of an archive have their games in one order, and name no others.
    row = number if distinct.equals(rows) else np.asarray(rows.get_indexer(distinct), dtype=np.int64)[number]
    if (row < 0).any():
        raise ValueError(f"there are contestants of the game {values.iloc[int(np.argmin(row))]}, which is not in games")
    return row


_H = TypeVar("_H", bound=Hashable)


def distinct_rows(frame: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return the number of each row among the distinct ones, and the first row of each."""
    return distinct_keys(*(_codes_of_column(column) for _, column in frame.items()))


def distinct_keys(*keys: npt.NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
    """Return what :func:`distinct_rows` does, for rows that have whole numbers alone."""
    number, values = pd.factorize(_pack_any_keys(keys))
    return number, first_rows(number, len(values))


def ordered_keys(*keys: Ints) -> tuple[Ints, Ints]:
    """Return the number of each row among the distinct ones in the order of the keys, and the first row of each."""
    key = pack_keys(keys)
    number, each = dense_codes(np.unique(np.stack(keys), axis=1, return_inverse=True)[1] if key is None else key)
    return number, first_rows(number, len(each))


def listed_by(of: Ints, number: Ints, count: int) -> Ints:
    """Return a table with a row for each of ``count``: the numbers that belong to it in order, then -1."""
    counts = np.bincount(of, minlength=count)
    table = np.full((count, int(counts.max(initial=0))), -1, dtype=np.int64)
    table[expand_counts(counts)] = number[np.argsort(of, kind="stable")]
    return table


def _pack_any_keys(codes: Sequence[npt.NDArray[np.integer[Any]]]) -> Ints:
    """Return one number for each row that tells several apart; where they are too many for one, it is made of two."""
    key = pack_keys(codes)
    if key is not None:
        return key
    half = len(codes) // 2
    return _pack_any_keys([pd.factorize(_pack_any_keys(part))[0] for part in (codes[:half], codes[half:])])


def factorize_objects(values: Iterable[_H]) -> tuple[Ints, list[_H]]:
    """Return the number of each value among the distinct ones, and those."""
    every = list(values)
    numbers: dict[_H, int] = {}
    if set(map(type, every)) <= {str, bytes}:
        return np.array([numbers.setdefault(each, len(numbers)) for each in every], dtype=np.int64), list(numbers)
    # Many are the same object, which is looked at only once: to look at it takes longer than to look at a text.
    same, ids = pd.factorize(np.fromiter(map(id, every), dtype=np.int64, count=len(every)))
    of_each = [numbers.setdefault(every[row], len(numbers)) for row in first_rows(same, len(ids)).tolist()]
    return np.array(of_each, dtype=np.int64)[same], list(numbers)


def _codes_of_column(column: pd.Series[Any]) -> npt.NDArray[np.integer[Any]]:
    """Return a number for each value: whole numbers themselves, and those that categories have."""
    values = column.array
    if isinstance(values, pd.Categorical):
        return values.codes
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "ib":
        numbers = column.to_numpy()
        if int(numbers.max(initial=0)) - int(numbers.min(initial=0)) < len(numbers):
            return numbers
    return np.zeros(len(column), dtype=np.int64) if values.isna().all() else values.factorize()[0]


def take_rows(frame: pd.DataFrame, rows: Ints) -> pd.DataFrame:
    """Return some rows of a frame, numbered from 0: column by column, in half of the time that pandas takes."""
    return pd.DataFrame({name: column.array.take(rows) for name, column in frame.items()}, copy=False)


def family_number(name: str) -> int:
    """Return the number of a column in its family: 2 of player2."""
    return int(re.sub(r"\D", "", name))


def words_in(texts: pd.Series[str], *words: str) -> Bools:
    """Return which of some declared lists, such as ``charity, across-sections``, have one of the words."""
    wanted = frozenset(words)
    return map_text(texts, lambda text: not wanted.isdisjoint(text.split(", ")), none=False)


def family_columns(contestants: pd.DataFrame, prefix: str = "player") -> list[str]:
    """Return the columns of one family that the frame has, in order: player1, player2, ..."""
    return [*_family_among(tuple(map(str, contestants)), prefix)]


@lru_cache(1024)
def _family_among(columns: tuple[str, ...], prefix: str) -> list[str]:
    there = (name for name in columns if re.fullmatch(prefix + "[1-9][0-9]?", name))
    return sorted(there, key=family_number)


def named_players(contestants: pd.DataFrame) -> Ints:
    """Return how many players each contestant names."""
    named = np.zeros(len(contestants), dtype=np.int64)
    # Column by column, which is several times faster than to make a frame of them.
    for name in family_columns(contestants):
        named += contestants[name].notna().to_numpy()
    return named


def known_players(contestants: pd.DataFrame) -> Ints:
    """Return how many players each contestant has: by their names, or by their member numbers alone."""
    known = np.zeros(len(contestants), dtype=np.int64)
    for number in {family_number(each) for kind in ("player", "id") for each in family_columns(contestants, kind)}:
        columns = [each for kind in ("player", "id") if (each := f"{kind}{number}") in contestants]
        known += np.logical_or.reduce([contestants[each].notna().to_numpy() for each in columns])
    return known


def plain(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Return the columns of a frame as lists of plain values, None for each that is missing."""
    columns: dict[str, list[Any]] = {}
    for name, column in frame.items():
        missing = column.isna().to_numpy()
        columns[str(name)] = values = [None] * len(frame) if missing.all() else column.tolist()
        for row in np.flatnonzero(missing).tolist():
            values[row] = None
    return columns


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as plain values, without what is missing."""
    columns = plain(frame)
    return [
        {name: value for name, value in zip(columns, row, strict=True) if value is not None}
        for row in zip(*columns.values(), strict=True)
    ]


def row_dicts(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a frame by column, as ``to_dict("records")`` of pandas does in three times the time.

    Missing numbers of types such as ``Int64`` are None, missing texts NaN.
    """
    columns = []
    for _, column in frame.items():
        if getattr(column.dtype, "na_value", None) is pd.NA:
            columns.append([None if value is pd.NA else value for value in column.tolist()])
        elif column.dtype == object:
            columns.append([*column.reset_index(drop=True).to_dict().values()])  # which makes numpy's numbers plain
        else:
            columns.append(column.tolist())
    names = [*frame]
    rows = zip(*columns, strict=True) if columns else [()] * len(frame)
    return [dict(zip(names, row, strict=True)) for row in rows]
