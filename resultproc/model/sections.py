"""The sections of many games, and what is declared of each: every distinct declaration is taken apart once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.game import EAST_WEST, NORTH_SOUTH, Movement, parse_movement, parse_strata, parse_tables

T = TypeVar("T")
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Sections:
    """The sections of some games and where each contestant sits.

    game: row of the games frame, per contestant. section: row of ``frame``, per contestant. direction: 0 N-S, 1 E-W,
    -1 none, per contestant. line: the number of the section and direction, ``3 * section + direction + 1``, per
    contestant. lines: those that somebody sits in, in order. frame: one row per section with ``game`` (row),
    ``section`` (letter), ``pairs`` (its contestants), ``north_south``, ``east_west`` (those with that direction).
    """

    game: Ints
    section: Ints
    direction: Ints
    line: Ints
    lines: Ints
    frame: pd.DataFrame


def sections_of(games: pd.DataFrame, contestants: pd.DataFrame) -> Sections:
    """Return the sections that the contestants show, sorted by game and letter, letters of categories in their order.

    Raises ValueError for a contestant of a game that the games frame does not have.
    """
    game = rows_of(contestants["game_id"], games["game_id"])
    column = contestants["section"]
    letter, letters = (
        coded(column) if isinstance(column.dtype, pd.CategoricalDtype) else pd.factorize(column, sort=True)
    )
    number, written = coded(contestants["direction"])
    direction = np.array([*(_SIDES.get(each, -1) for each in written), -1], dtype=np.int64)[number]
    width = max(len(letters), 1)
    section, keys = numbered(game * width + letter)
    line = section * 3 + direction + 1
    count = np.bincount(line, minlength=len(keys) * 3)
    neither, north_south, east_west = count.reshape(-1, 3).T
    frame = pd.DataFrame(
        {
            "game": keys // width,
            "section": pd.Series(letters, dtype="str").array.take(keys % width),
            "pairs": neither + north_south + east_west,
            "north_south": north_south,
            "east_west": east_west,
        }
    )
    return Sections(game, section, direction, line, np.flatnonzero(count), frame)


_SIDES = {NORTH_SOUTH: 0, EAST_WEST: 1}


def among(rows: npt.NDArray[np.bool_], *values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return some values of the rows that are wanted; uncopied where that is all of them, as it mostly is."""
    return values if rows.all() else tuple(each[rows] for each in values)


def numbered(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the number of each key, 0 or more, among the distinct ones in order, and those."""
    if keys.max(initial=0) > _DENSE * len(keys):
        distinct, number = np.unique(keys, return_inverse=True)
        return number.astype(np.int64), distinct
    there = np.bincount(keys) > 0
    return (np.cumsum(there) - 1)[keys], np.flatnonzero(there)


def ordered(*keys: Ints) -> Ints:
    """Return the rows in the order of some whole numbers, the first ones first, and else in their own."""
    key = in_one(keys)
    # One number sorts several times faster than several do.
    return np.lexsort(keys[::-1]) if key is None else np.argsort(key, kind="stable")


def in_one(keys: Sequence[npt.NDArray[np.integer[Any]]]) -> Ints | None:
    """Return one whole number for each row, in the order of several; None where none is so large."""
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


def begins(*keys: npt.NDArray[Any]) -> Bools:
    """Return where each run of rows with the same keys begins."""
    new = np.zeros(len(keys[0]), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return new


def first_of_each(number: Ints, count: int) -> Ints:
    """Return the first row of each number from 0 up to a count."""
    first = np.zeros(count, dtype=np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    return first


def listed_by(key: Ints, texts: Sequence[str], count: int) -> list[str | None]:
    """Return the texts of each key from 0 up to a count, such as ``A, B``; None for a key that has none.

    key: in rising order, one for each text.
    """
    ends = np.cumsum(np.bincount(key, minlength=count)).tolist()
    return [", ".join(texts[start:end]) if end > start else None for start, end in pairwise([0, *ends])]


def laid_out(count: Ints) -> tuple[Ints, Ints]:
    """Return, for lists of so many elements one after the other, the list that each is in and its place, from 0."""
    of = np.repeat(np.arange(len(count)), count)
    return of, np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)


_LARGEST_KEY = 2**62

_DENSE = 16
"""Keys up to so many times their count are counted into a table, which is faster than sorting them."""


def coded(column: pd.Series[str]) -> tuple[Ints, pd.Index[str]]:
    """Return the number of each text, -1 for none, and the texts that there are; categories have their numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return np.asarray(column.cat.codes, dtype=np.int64), column.cat.categories
    codes, texts = pd.factorize(column)
    return np.asarray(codes, dtype=np.int64), pd.Index(texts)


def of_texts(texts: pd.Series[str], value: Callable[[str], T], none: T) -> npt.NDArray[Any]:
    """Return a value for each text, and one for those that are missing; each distinct text or category is read once."""
    number, distinct = coded(texts)
    return np.array([*map(value, distinct), none])[number]


def rows_of(values: pd.Series[str], known: pd.Series[str]) -> Ints:
    """Return the row of each value among the known ones; repeated values are looked up once."""
    number, distinct = coded(values)
    rows = pd.Index(known)
    # The parts of an archive have their games in one order, and name no others.
    row = number if distinct.equals(rows) else np.asarray(rows.get_indexer(distinct), dtype=np.int64)[number]
    if (row < 0).any():
        raise ValueError(f"there are contestants of the game {values.iloc[int(np.argmin(row))]}, which is not in games")
    return row


def declared(texts: pd.Series[str], parse: Callable[[str], Mapping[str, float]], sections: pd.DataFrame) -> Floats:
    """Return what each section's game declares for it, NaN where nothing.

    texts: per game, such as ``A=9, B=7.5``; a bare value stands for every section. parse: takes one text apart, with
    the key '' for a bare value. sections: the frame of :class:`Sections`.
    """
    number, distinct = pd.factorize(texts)
    if not len(distinct):
        return np.full(len(sections), np.nan)
    letter, distinct_letters = pd.factorize(sections["section"])
    letters = distinct_letters.tolist()
    table = np.full((len(distinct) + 1, max(len(letters), 1)), np.nan)
    for row, text in enumerate(distinct):
        values = parse(text)
        table[row] = [values.get(name, values.get("", np.nan)) for name in letters]
    return np.asarray(table[number[sections["game"].to_numpy()], letter], dtype=np.float64)


# Several stages ask for the tables, and the games of an archive have many different ones.
parsed_tables = lru_cache(maxsize=100_000)(parse_tables)


def tables(games: pd.DataFrame, sections: pd.DataFrame) -> Floats:
    """Return the tables of each section, NaN where they are not declared."""
    return declared(games["tables"], parsed_tables, sections)


def winners(games: pd.DataFrame, sections: pd.DataFrame) -> Floats:
    """Return 2 for each Mitchell section, 1 for each Howell, NaN where the movement is not declared."""
    return declared(games["movement"], _winners, sections)


def _winners(text: str) -> dict[str, float]:
    return {name: 2.0 if movement is Movement.MITCHELL else 1.0 for name, movement in parse_movement(text).items()}


@dataclass(frozen=True)
class Strata:
    """The strata of each game, top first: letters (games x levels, '' for none) and upper limits (NaN for none).

    number: of each game's declaration among the distinct ones, -1 for none.
    """

    letters: npt.NDArray[np.str_]
    limits: Floats
    number: Ints

    def level(self, game: Ints, letters: pd.Series[str]) -> Ints:
        """Return the level of each contestant's stratum in its game, -1 for a letter that the game does not have."""
        number, distinct = coded(letters)
        count = int(self.number.max(initial=-1)) + 1
        # Every game of a declaration has the same letters.
        declared = np.full((count + 1, self.letters.shape[1]), "", dtype="U1")
        declared[self.number] = self.letters
        table = np.full((count + 1, len(distinct) + 1), -1, dtype=np.int64)
        for column, letter in enumerate(distinct):
            found = declared == letter
            table[:, column] = np.where(found.any(axis=1), found.argmax(axis=1), -1)
        # All of the last column is -1, which is what comes before the first one.
        cell = np.where(self.number < 0, count, self.number) * table.shape[1]
        return np.asarray(table.ravel()[cell[game] + number], dtype=np.int64)


def strata_of(games: pd.DataFrame) -> Strata:
    """Return the strata that each game declares."""
    number, distinct = pd.factorize(games["strata"])
    parsed = [parse_strata(text) for text in distinct]
    levels = max((len(strata) for strata in parsed), default=1)
    letters = np.full((len(parsed) + 1, levels), "", dtype="U1")
    limits = np.full((len(parsed) + 1, levels), np.nan)
    for row, strata in enumerate(parsed):
        letters[row, : len(strata)] = [stratum.letter for stratum in strata]
        limits[row, : len(strata)] = [stratum.limit for stratum in strata]
    return Strata(letters[number], limits[number], number)
