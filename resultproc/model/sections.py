"""The sections and strata of many games, and whether scores and percentages of a section go together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, dense_codes, factorize_text, rows_of, select_rows
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, parse_strata


class Sections(NamedTuple):
    """The sections of some games and where each contestant sits."""

    game: Ints  # the row of each contestant's game in the games frame
    section: Ints  # the row of each contestant's section in ``frame``
    direction: Ints  # the direction of each contestant: 0 N-S, 1 E-W, -1 none
    line: Ints  # the number of each contestant's section and direction, ``3 * section + direction + 1``
    lines: Ints  # the lines that somebody sits in, in order
    # A row per section: ``game`` (its row), ``section`` (its letter), ``pairs`` (how many contestants it has),
    # ``north_south`` and ``east_west`` (how many have that direction).
    frame: pd.DataFrame


def sections_of(games: pd.DataFrame, contestants: pd.DataFrame) -> Sections:
    """Return the sections that the contestants show, sorted by game and letter, letters of categories in their order.

    Raises ValueError for a contestant of a game that the games frame does not have.
    """
    game = rows_of(contestants["game_id"], games["game_id"])
    column = contestants["section"]
    letter, letters = (
        factorize_text(column) if isinstance(column.dtype, pd.CategoricalDtype) else pd.factorize(column, sort=True)
    )
    number, written = factorize_text(contestants["direction"])
    direction = np.array([*(_SIDES.get(each, -1) for each in written), -1], dtype=np.int64)[number]
    width = max(len(letters), 1)
    section, keys = dense_codes(game * width + letter)
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


class Strata(NamedTuple):
    """The strata of each game, the top one first."""

    letters: npt.NDArray[np.str_]  # games x levels, '' for none
    limits: Floats  # upper limits in masterpoints, games x levels, NaN for none
    number: Ints  # of each game's declaration among the distinct ones, -1 for none

    def level(self, game: Ints, letters: pd.Series[str]) -> Ints:
        """Return the level of each contestant's stratum in its game, -1 for a letter that the game does not have."""
        number, distinct = factorize_text(letters)
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


def strata_of(declared: pd.Series[str]) -> Strata:
    """Return the strata of games that declare them so."""
    number, distinct = pd.factorize(declared)
    parsed = [parse_strata(text) for text in distinct]
    levels = max((len(strata) for strata in parsed), default=1)
    letters = np.full((len(parsed) + 1, levels), "", dtype="U1")
    limits = np.full((len(parsed) + 1, levels), np.nan)
    for row, strata in enumerate(parsed):
        letters[row, : len(strata)] = [stratum.letter for stratum in strata]
        limits[row, : len(strata)] = [stratum.limit for stratum in strata]
    return Strata(letters[number], limits[number], number)


LEAST_ALIKE = 3
"""The fewest contestants that show the maximum of a section, if they are more than half of it: any two numbers have a
ratio."""


class Maximum(NamedTuple):
    """The maximum of most in a contestant's section, NaN where they show none; and how far a percentage may be off."""

    usual: Floats
    rounding: Floats

    def fits(self, score: Floats, percentage: Floats) -> Bools:
        """Return which contestants have the percentage that goes with their score."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(percentage - 100 * score / self.usual) <= self.rounding)


def maximum_of(section: Ints, score: Floats, percentage: Floats) -> Maximum:
    """Return the usual maximum of each contestant's section; both columns are taken to be rounded.

    section: the number of each contestant's section.
    score: NaN where there is none.
    percentage: NaN where there is none.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        single = np.where((score > 0) & (percentage > 0), 100 * score / percentage, np.nan)
    known = ~np.isnan(single)
    numbers = np.where(known, section, -1)
    length = int(section.max(initial=-1)) + 1
    median = pd.Series(single).groupby(section).median().reindex(range(length)).to_numpy()[section]
    least = np.full(length, np.inf)
    np.minimum.at(least, section[known], percentage[known])
    lowest = least[section]
    half = half_of_last_decimal(numbers, percentage, length)[section]
    points = half_of_last_decimal(numbers, score * 2, length, least=0.005)[section]
    points = np.where(points < 0.5, points, 0)  # whole and half matchpoints are exact
    with np.errstate(divide="ignore", invalid="ignore"):
        slack = half + 100 * points / median
        near = known & (np.abs(percentage - 100 * score / median) <= slack * (1 + percentage / lowest))
        sums = [np.bincount(section[near], each[near], length) for each in (score, percentage)]
        usual = (100 * sums[0] / sums[1])[section]
        mean = (sums[1] / np.bincount(section[near], minlength=length))[section]
        rounding = slack * (1 + percentage / mean)
    found = Maximum(usual, rounding)
    alike = np.bincount(section[known & found.fits(score, percentage)], minlength=length)
    most = (alike >= LEAST_ALIKE) & (alike * 2 > np.bincount(section[known], minlength=length))
    return Maximum(np.where(most[section], usual, np.nan), rounding)


def half_of_last_decimal(number: Ints, values: Floats, length: int, least: float = 0.005) -> Floats:
    """Return per number half of a unit in the last decimal of its values: 0.5 without any, and not below that of two.

    Finer differences than a ten-thousandth are a spreadsheet's.

    number: of each value, less than ``length``, and below 0 for values that do not count.
    values: such as scores, NaN for none.
    least: what it is at least.
    """
    found = np.full(length, least)
    for decimals in (1, 0):
        scaled = values * 10**decimals
        with np.errstate(invalid="ignore"):
            finer = (number >= 0) & (np.abs(scaled - np.rint(scaled)) > 1e-4)
        coarse = np.bincount(number[finer], minlength=length) == 0
        if not coarse.any():
            break
        found[coarse] = 0.5 / 10**decimals
    return found


HALF_POINT = 0.5
"""Matchpoints that are whole or half differ by that much, if at all."""


class Proportion(NamedTuple):
    """The scores and percentages of some contestants."""

    score: Floats  # of each contestant
    percentage: Floats  # of each contestant, 50 for average
    rows: Bools  # whose are compared
    tolerance: float  # how far two percentages of one exact value may differ by rounding
    # Who is in a field whose percentages are not the scores in percent of one maximum, even with rounding.
    possible: Bools

    @classmethod
    def of(cls, field: Ints, score: Floats, percentage: Floats, rows: Bools) -> Proportion:
        """Return those of contestants in their fields.

        field: the number of each contestant's field.
        rows: whose are compared.

        In a field where they go together no two can rank in opposite order by more than the tolerance: they would be
        off by more than that and the least difference of different scores in percent, together. To compare sums is
        faster than to sort.
        """
        tolerance = _tolerance(percentage, rows)
        length = int(field.max(initial=-1)) + 1
        of, scores, percentages = select_rows(rows, field, score, percentage)
        halves = scores / HALF_POINT
        halves_at_least = (halves == np.rint(halves)).all()
        with np.errstate(divide="ignore", invalid="ignore"):
            percent = (np.bincount(of, percentages, length) / np.bincount(of, scores, length))[of]
            off = np.abs(scores * percent - percentages)
            apart = HALF_POINT * percent if halves_at_least else 0
            # What is not a number is off.
            beyond = np.flatnonzero(~(2 * off <= tolerance + apart))
        found = np.zeros(length, dtype=bool)
        found[of[beyond]] = True
        return cls(score, percentage, rows, tolerance, rows & found[field])


def _tolerance(percentage: Floats, rows: Bools) -> float:
    """Return how far two percentages of one exact value may differ by rounding: one of the last decimal."""
    (known,) = select_rows(rows, percentage)
    for decimals in (0, 1):
        if (np.abs(known * 10**decimals - np.rint(known * 10**decimals)) < 1e-9).all():
            return 1.0 / 10**decimals
    return 0.01
