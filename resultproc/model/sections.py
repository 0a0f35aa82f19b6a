"""The sections of many games, and what is declared of each: every distinct declaration is taken apart once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    dense_codes,
    factorize_text,
    join_text,
    rows_of,
    words_in,
)
from resultproc.model.game import (
    EAST_WEST,
    NORTH_SOUTH,
    ZIP_KNOCKOUT,
    EventType,
    Movement,
    parse_movement,
    parse_strata,
    parse_tables,
)


class Sections(NamedTuple):
    """The sections of some games and where each contestant sits.

    game: the row of each contestant's game in the games frame.
    section: the row of each contestant's section in ``frame``.
    direction: the direction of each contestant: 0 N-S, 1 E-W, -1 none.
    line: the number of each contestant's section and direction, ``3 * section + direction + 1``.
    lines: the lines that somebody sits in, in order.
    frame: a row per section: ``game`` (its row), ``section`` (its letter), ``pairs`` (how many contestants it has),
        ``north_south`` and ``east_west`` (how many have that direction).
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


def counted_tables(games: pd.DataFrame, contestants: pd.DataFrame, sections: Sections) -> pd.Series[str]:
    """Return the tables that the contestants of each game fill, as they are declared: ``A=9, B=7``.

    Missing for games that declare them or are knockouts, and where it is in doubt how many there were: where both
    directions of a section have as many pairs, or one winner an even number, there is no doubt. Players of individuals
    fill tables by fours, and an even number of teams as many tables.
    """
    frame = sections.frame
    single = (games["event_type"] == EventType.INDIVIDUAL.value).to_numpy()
    teams = games["event_type"].isin([EventType.SWISS.value, EventType.BAM.value]).to_numpy()
    wanted = (games["event_type"].isna() | (games["event_type"] == EventType.PAIRS.value)).to_numpy() | single | teams
    wanted &= games["tables"].isna().to_numpy()
    for column in ("player3", "section2"):
        if column in contestants:
            several = sections.game[contestants[column].notna().to_numpy()]
            wanted[several] &= teams[several] & (column != "section2")
    if not wanted.any():
        return pd.Series(None, games.index, dtype="str")
    pairs, north_south, east_west = (frame[name].to_numpy() for name in ("pairs", "north_south", "east_west"))
    seats = np.where(single[frame["game"]], 4, 2)
    one_winner = north_south + east_west == 0
    sure = np.where(one_winner, pairs % seats == 0, (north_south == east_west) & (north_south + east_west == pairs))
    wanted &= np.bincount(frame["game"], ~sure, len(games)) == 0
    at_a_table = np.where(teams[frame["game"]], 1, seats)
    tables = np.where(one_winner, pairs // at_a_table, north_south)
    texts = [f"{letter}={count}" for letter, count in zip(frame["section"].tolist(), tables.tolist(), strict=True)]
    told = pd.Series(join_text(frame["game"].to_numpy(), texts, len(games)), games.index, dtype="str")
    return told.where(wanted)


def declared_by_section(
    texts: pd.Series[str], parse: Callable[[str], Mapping[str, float]], sections: pd.DataFrame
) -> Floats:
    """Return what each section's game declares for it, NaN where nothing.

    texts: per game, such as ``A=9, B=7.5``; a bare value stands for every section.
    parse: takes one text apart, with the key '' for a bare value.
    sections: the frame of :class:`Sections`.
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


def section_tables(games: pd.DataFrame, sections: pd.DataFrame) -> Floats:
    """Return the tables of each section, NaN where they are not declared."""
    return declared_by_section(games["tables"], parsed_tables, sections)


def section_winners(games: pd.DataFrame, sections: pd.DataFrame) -> Floats:
    """Return 2 for each Mitchell section, 1 for each Howell, NaN where the movement is not declared."""
    return declared_by_section(games["movement"], _parse_winners, sections)


def _parse_winners(text: str) -> dict[str, float]:
    return {name: 2.0 if movement is Movement.MITCHELL else 1.0 for name, movement in parse_movement(text).items()}


class Strata(NamedTuple):
    """The strata of each game, top first: letters (games x levels, '' for none) and upper limits (NaN for none).

    number: of each game's declaration among the distinct ones, -1 for none.
    """

    letters: npt.NDArray[np.str_]
    limits: Floats
    number: Ints

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


def knockouts(games: pd.DataFrame) -> Bools:
    """Return which games are knockouts, ranked by their rounds: a zip knockout has scores, and is none of them."""
    knockout = (games["event_type"] == EventType.KNOCKOUT.value).to_numpy(dtype=bool)
    return knockout & ~words_in(games["special"], ZIP_KNOCKOUT) if knockout.any() else knockout


LEAST_ALIKE = 3
"""The fewest contestants that show the maximum of a section, if they are more than half of it: any two numbers have a
ratio."""


class Maximum(NamedTuple):
    """What most of a contestant's section scored of, NaN where they show none; and how far a percentage may be off."""

    usual: Floats
    rounding: Floats

    def fits(self, score: Floats, percentage: Floats) -> Bools:
        """Return whose percentage is that of its score."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(percentage - 100 * score / self.usual) <= self.rounding)


def maximum_of(section: Ints, score: Floats, percentage: Floats) -> Maximum:
    """Return the usual maximum of each contestant's section; both columns are taken to be rounded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        single = np.where((score > 0) & (percentage > 0), 100 * score / percentage, np.nan)
    known = ~np.isnan(single)
    numbers = np.where(known, section, -1)
    length = int(section.max(initial=-1)) + 1
    median = pd.Series(single).groupby(section).transform("median").to_numpy()
    lowest = pd.Series(np.where(known, percentage, np.nan)).groupby(section).transform("min").to_numpy()
    half = _half_of_last_decimal(numbers, percentage, length)[section]
    points = _half_of_last_decimal(numbers, score * 2, length, least=0.005)[section]
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


def _half_of_last_decimal(number: Ints, values: Floats, length: int, least: float = 0.005) -> Floats:
    """Return per number half of the last decimal that its values have: of two at least, and of none 0.5.

    number: below 0 for values that do not count.
    """
    found = np.full(length, least)
    for decimals in (1, 0):
        scaled = values * 10**decimals
        with np.errstate(invalid="ignore"):
            finer = (number >= 0) & (np.abs(scaled - np.rint(scaled)) > 1e-6)
        coarse = np.bincount(number[finer], minlength=length) == 0
        found[coarse] = 0.5 / 10**decimals
    return found
