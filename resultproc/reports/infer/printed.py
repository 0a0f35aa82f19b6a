"""What the games of a sheet print, as the search for what explains it needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, isnan

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, row_dicts
from resultproc.model.errors import Problem
from resultproc.model.frames import FrameRow, Sheet, game_problem
from resultproc.model.game import OPEN, PER_TABLE, Rating, parse_strata, parse_tables, parse_tables_by_limit
from resultproc.reports.differences import if_ours
from resultproc.reports.infer.space import Beside, GuessedKind, tried_limits
from resultproc.reports.infer.tried import Copies
from resultproc.reports.outcomes import at_the_same_time
from resultproc.rulebooks.common.conditions import limit_of
from resultproc.rulebooks.load import rulebook

LIMITED = 300.0
"""The limit that stands for that of a limited game at the same time if nothing else is known of it."""


@dataclass(frozen=True)
class Printed:
    """What one game prints, and what is known of it.

    copies: the game, without what it prints.
    awards: in hundredths, 0 for none, of each contestant.
    letters: those of the strata, top first.
    given: their limits, where these are declared.
    limit: that of the event, None where it is not declared.
    hints: limits that the event's name may mean.
    neighbours: the other games of the report at the same time, with a limit that stands for theirs.
    beside_given: whether the games at the same time are declared.
    sites: the limits of strata that have tables at another site, the lowest first.
    """

    copies: Copies
    awards: Ints
    letters: tuple[str, ...]
    given: tuple[float, ...] = ()
    limit: float | None = None
    hints: tuple[float, ...] = ()
    neighbours: tuple[Beside, ...] = ()
    beside_given: bool = False
    sites: tuple[float, ...] = ()

    @property
    def levels(self) -> int:
        """How many strata it has."""
        return max(len(self.letters), 1)

    def limits(self, kind: GuessedKind) -> list[float]:
        """Return the limits to try for its top stratum as some kind of game, the lowest first."""
        if self.given:
            return [self.given[0]]
        if self.limit is not None:
            return [self.limit]
        # As a championship it may have a limit, or one that is asked for.
        name = self.copies.game["championship"].iloc[0]
        own = limit_of(rulebook(kind.book).at(self.copies.day), str(name)) if pd.notna(name) else OPEN
        if isfinite(own):
            return [own]
        # An open game is one without a limit.
        tried = [OPEN] if kind.rating == Rating.CLUB_OPEN else tried_limits(kind.book, self.copies.day)
        return [limit for limit in tried if limit != OPEN] if isnan(own) else tried

    def below(self, kind: GuessedKind, top: float) -> list[float]:
        """Return the limits to try for its lower strata, the lowest first."""
        return [limit for limit in tried_limits(kind.book, self.copies.day) if limit < top]

    @cached_property
    def top_alone(self) -> Copies:
        """The game with everybody in the top stratum."""
        return self.copies.in_one(self.letters[0]) if self.letters else self.copies


def games_that_print(sheet: Sheet) -> tuple[list[str], list[Problem]]:
    """Return the games that print awards of the league, and remarks on the others."""
    awards = sheet.contestants["printed_award"].notna().groupby(sheet.contestants["game_id"]).any()
    names, remarks = [], []
    for row, game in enumerate(row_dicts(sheet.games)):
        what, hint = "no masterpoints are printed to explain", "'resultproc whatif' shows what declarations would pay"
        other = game["stored_other_awards"]
        if pd.notna(other):
            what, hint = f"these are {other} points of another body: no rulebook here has them", if_ours(str(other))
        elif awards.get(game["game_id"], False):
            names.append(str(game["game_id"]))
            continue
        remarks.append(game_problem(sheet.games, row, what, hint, code="printed.not-compared"))
    return names, remarks


def printed_by(sheet: Sheet, name: str) -> Printed:
    """Return what a game prints, and what is known of it."""
    copies = Copies.of(sheet, name)
    (game,) = row_dicts(copies.game)
    contestants = sheet.contestants[sheet.contestants["game_id"] == name]
    sites = str(game["other_site_tables"]) if pd.notna(game["other_site_tables"]) else "none"
    given = parse_strata(str(game["strata"])) if pd.notna(game["strata"]) else []
    # 299er Pairs may be limited to 299 and to 300.
    numbers = map(float, re.findall("[0-9]+", game["event"]) if isinstance(game["event"], str) else ())
    hints = tuple(limit for number in numbers for limit in (number, number + 1))
    return Printed(
        copies,
        printed_awards(contestants),
        tuple(stratum.letter for stratum in given) or letters_of_strata(contestants),
        tuple(stratum.limit for stratum in given),
        None if pd.isna(game["limit"]) else float(game["limit"]),
        hints,
        tuple(_neighbours(sheet, game)),
        bool(pd.notna(game["concurrent_tables"])),
        tuple(sorted(limit for limit, _ in parse_tables_by_limit(sites))),
    )


def printed_awards(contestants: pd.DataFrame) -> Ints:
    """Return the printed award of each contestant, in hundredths, 0 for none."""
    return contestants["printed_award"].fillna(0).to_numpy(dtype=np.int64)


def games_without_overall(sheet: Sheet) -> set[str]:
    """Return the games that print the ranks of sections and nothing overall: neither a rank nor that it was paid."""
    listed = sheet.contestants
    prints = listed[["printed_section", "printed_overall"]].notna()
    prints["printed_overall"] |= listed["printed_paid_by"].str.contains("O", na=False)
    by_game = prints.groupby(listed["game_id"]).any()
    return set(by_game.index[by_game["printed_section"] & ~by_game["printed_overall"]])


def letters_of_strata(contestants: pd.DataFrame) -> tuple[str, ...]:
    """Return the letters of the strata that contestants are in, have a rank in, or are paid in."""
    letters = set(contestants["stratum"].dropna())
    if letters:
        letters |= set(contestants["printed_paid_by"].str.extract("([A-Z])$")[0].dropna())
    for column in ("printed_section", "printed_overall") if letters else ():
        letters |= set(contestants[column].str.extractall(r"([A-Z]+)=")[0])
    return tuple(sorted(letters))


def _neighbours(sheet: Sheet, game: FrameRow) -> Iterable[Beside]:
    """Yield the other games of the report in the session, with their tables in play, and those of eligible pairs."""
    for other in row_dicts(sheet.games[at_the_same_time(sheet.games, game) & sheet.games["tables"].notna()]):
        rows = sheet.contestants[sheet.contestants["game_id"] == other["game_id"]]
        per_table = PER_TABLE["pairs" if pd.isna(other["event_type"]) else str(other["event_type"])]
        eligible = np.ceil(2 * rows["eligible"].sum() / per_table) / 2
        for tables in dict.fromkeys((sum(parse_tables(str(other["tables"])).values()), float(eligible))):
            if tables:
                yield Beside(LIMITED, tables, str(other["game_id"]))
