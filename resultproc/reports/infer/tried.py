"""A game awarded under many declarations at once: what each stratum of it would pay each contestant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints
from resultproc.model.basis import basis_mask
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.game import UNFINISHED
from resultproc.rulebooks.choice import editions, ranking_terms
from resultproc.rulebooks.load import rulebook
from resultproc.stages.award import awarded
from resultproc.stages.complete import completed
from resultproc.stages.missing import refuse_missing
from resultproc.stages.rank import ranked

Declared = Mapping[str, object]
"""Declarations of a game as the games frame holds them, by key."""


class TriedCase(NamedTuple):
    """Declarations to be tried, and the id of the rulebook that pays under them."""

    book: str
    declared: Declared


_FEW, _MOST = 300, 1000
"""How many copies of a game are awarded together, whatever their rulebooks, and how many of one rulebook."""

_PRINTED, _NEWCOMERS = "printed_", "concurrent.newcomers"


@dataclass(frozen=True)
class Tried:
    """What a game would pay under some declarations.

    awards: in hundredths by declaration, contestant and stratum, 0 the top: the most that it earns there. accepted: per
    declaration, whether there are awards for it at all.
    """

    awards: Ints
    accepted: Bools


@dataclass(frozen=True)
class Copies:
    """One game, to be awarded under many declarations.

    game: its row.
    contestants: its contestants.
    sections_alone: whether its overall awards are left out, as in a report that was printed without them.
    """

    game: pd.DataFrame
    contestants: pd.DataFrame
    sections_alone: bool = False
    _known: dict[object, tuple[Ints, bool]] = field(init=False, default_factory=dict)
    """What was tried before: a search comes back to the same cases whenever it allows for more that is contradicted."""

    @classmethod
    def of(cls, sheet: Sheet, game_id: str) -> Copies:
        """Return the copies of one game of a sheet, without what it prints, which no award depends on."""
        contestants = sheet.contestants[sheet.contestants["game_id"] == game_id]
        printed = [name for name in contestants.columns if str(name).startswith(_PRINTED)]
        return cls(
            sheet.games[sheet.games["game_id"] == game_id].reset_index(drop=True),
            CONTESTANTS.conform(contestants.drop(columns=printed).reset_index(drop=True)),
        )

    def in_one(self, letter: str) -> Copies:
        """Return the copies with everybody in one stratum."""
        stratum = pd.Series(letter, self.contestants.index, dtype="str")
        return replace(self, contestants=self.contestants.assign(stratum=stratum))

    @property
    def day(self) -> date:
        """The day of the game; the last one of all for a game without a date."""
        of = self.game["date"].iloc[0]
        return date.max if pd.isna(of) else of.date()

    def newcomers(self, book: str) -> float:
        """Return the upper limit of games that a rulebook credits to lower strata as well; 0 where it has none."""
        edition = rulebook(book).at(self.day)
        return float(edition.number(_NEWCOMERS)) if _NEWCOMERS in edition.entries else 0

    def frames(self, declared: Sequence[Declared]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return a copy of the game for each choice of declarations, called by its number."""
        names = pd.Series([str(number) for number in range(len(declared))], dtype="str")
        games = self.game.iloc[np.zeros(len(declared), dtype=np.int64)].reset_index(drop=True).assign(game_id=names)
        for key in dict.fromkeys(key for each in declared for key in each):
            own = self.game[key].iloc[0]
            games[key] = pd.Series([each.get(key, own) for each in declared], dtype=games[key].dtype)
        count = len(self.contestants)
        rows = np.tile(np.arange(count), len(declared))
        contestants = self.contestants.iloc[rows].reset_index(drop=True)
        contestants["game_id"] = names.iloc[np.repeat(np.arange(len(declared)), count)].to_numpy()
        return GAMES.conform(games), contestants

    def tried(self, cases: Sequence[TriedCase], levels: int) -> Tried:
        """Return what the game would pay in each of some cases, in each of its strata; see :class:`Tried`."""
        keys = [(levels, case.book, *sorted(case.declared.items())) for case in cases]
        new = {key: case for key, case in zip(keys, cases, strict=True) if key not in self._known}
        parts = [self._part(part, levels) for part in _parts(list(new.values()))]
        paid = ((awards, bool(ok)) for part in parts for awards, ok in zip(part.awards, part.accepted, strict=True))
        self._known.update(zip(new, paid, strict=True))
        awards = np.zeros((len(cases), len(self.contestants), levels), dtype=np.int64)
        for row, key in enumerate(keys):
            awards[row] = self._known[key][0]
        return Tried(awards, np.array([self._known[key][1] for key in keys], dtype=bool))

    def _part(self, cases: Sequence[TriedCase], levels: int) -> Tried:
        declared = [case.declared for case in cases]
        games, contestants = self.frames(declared)
        games["rulebook_named"] = pd.Series(["rulebook" in each for each in declared], dtype="boolean")
        games["rulebook"] = pd.Series([case.book for case in cases], dtype="str")
        count = len(self.contestants)
        awards = np.zeros((len(declared), count, levels), dtype=np.int64)
        accepted = np.ones(len(declared), dtype=bool)
        while accepted.any():
            rows = np.flatnonzero(accepted)
            kept = games if accepted.all() else games.iloc[rows].reset_index(drop=True)
            seated = contestants if accepted.all() else contestants[np.repeat(accepted, count)].reset_index(drop=True)
            try:
                candidates = _candidates(kept, seated)
                if self.sections_alone:
                    candidates = without_overall(candidates)
            except InputError as error:
                wrong = {problem.game for problem in error.problems}
                named = kept["game_id"].isin(wrong).to_numpy()
                accepted[rows[named] if named.any() else rows] = False
                continue
            contestant, level = candidates["contestant"].to_numpy(), candidates["level"].to_numpy(dtype=np.int64)
            copy = rows[contestant // count]
            within = level < levels
            at = (copy[within], contestant[within] % count, level[within])
            np.maximum.at(awards, at, candidates["masterpoints"].to_numpy()[within])
            break
        return Tried(awards, accepted)

    def own_levels(self, declared: Declared) -> Ints:
        """Return the stratum of each contestant under some declarations, 0 the top, -1 for none.

        Raises InputError for what ranking needs to know besides.
        """
        games, contestants = self.frames([declared])
        if (games["sessions"] > 1).fillna(value=False).iloc[0] and games["special"].isna().iloc[0]:
            games["special"] = pd.Series([UNFINISHED], dtype="str")
        facts = Facts(games, contestants)
        refuse_missing(facts, rated=False)
        return Facts(*completed(facts)).level


def _parts(cases: Sequence[TriedCase]) -> Iterator[Sequence[TriedCase]]:
    """Yield cases that are awarded together: all, or where they are many those of one rulebook that stand together.

    What one rulebook refuses, all are awarded without once more: that is worth while where they are few.
    """
    apart = groupby(cases, lambda case: case.book) if len(cases) > _FEW else [("", cases)] if cases else []
    for _, together in apart:
        several = list(together)
        yield from (several[start : start + _MOST] for start in range(0, len(several), _MOST))


def without_overall(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates without overall awards."""
    return candidates[~basis_mask(candidates["basis"], lambda basis: basis.over_all)].reset_index(drop=True)


def _candidates(games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    facts = Facts(games, contestants)
    refuse_missing(facts)
    facts = Facts(*completed(facts))
    chosen = editions(facts.games)
    candidates, _ = awarded(facts, ranked(facts, ranking_terms(chosen)), chosen)
    return candidates
