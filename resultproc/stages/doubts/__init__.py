"""What is doubtful about games: each doubt is a small function over the frames of many games, listed here once.

A doubt says where it is, what is doubtful, and what would settle it. All but a few let the award go on: they become the
remarks of a sheet or result. What is not known raises no doubt, so that sheets may lack declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from resultproc.model.errors import Problem
from resultproc.model.frames import Result, Sheet
from resultproc.stages.doubts import (
    days,
    funds,
    limits,
    names,
    places,
    players,
    printed,
    scores,
    seats,
    sessions,
    strata,
    values,
)
from resultproc.stages.doubts.facts import Facts

REMARKS: tuple[Callable[[Facts], Iterable[Problem]], ...] = (
    seats.half_a_table_short,
    seats.alone,
    seats.directions_in_numbers,
    seats.section_missing,
    seats.section_twice,
    seats.sections_alike,
    players.listed_twice,
    players.too_few,
    players.joined,
    players.nameless,
    scores.fractions,
    scores.fraction_among_percents,
    scores.far_from_average,
    scores.not_balanced,
    scores.very_high,
    scores.decimal_among_thousands,
    scores.at_odds_with_sit_outs,
    scores.handicaps_without_handicap,
    players.garbled,
    limits.above_the_limit,
    limits.no_limit,
    strata.above_the_stratum,
    strata.below_the_stratum,
    days.impossible,
    names.another_class,
    names.limited,
    funds.another_fund,
    sessions.games_alike,
    places.missing,
)
"""The doubts about sheets as they are read."""

REFUSALS: tuple[Callable[[Facts], Iterable[Problem]], ...] = (
    seats.cut_off,
    seats.unlisted,
    scores.opposite,
    scores.at_odds,
)
"""Those that let no award go on: what they find is wrong, whatever is right."""

OF_RESULTS: tuple[Callable[[Result], Iterable[Problem]], ...] = (
    printed.another_factor,
    printed.other_colours,
    values.remarked,
)
"""The doubts about what was awarded: its file prints otherwise, or a rulebook has a remark on what it was made from."""


@dataclass(frozen=True)
class Doubts:
    """What is doubtful about a sheet; refused: what lets no award go on."""

    remarks: list[Problem] = field(default_factory=list)
    refused: list[Problem] = field(default_factory=list)

    @property
    def every(self) -> list[Problem]:
        """All of them, for commands that award nothing and so refuse nothing."""
        return [*self.refused, *self.remarks]

    def of_games(self, names: Collection[str]) -> Doubts:
        """Return those about some games, by their game_id."""
        kept = frozenset(names)
        return Doubts(*([each for each in found if each.game in kept] for found in (self.remarks, self.refused)))


def doubts(sheet: Sheet) -> Doubts:
    """Return what is doubtful about a sheet as it was read."""
    if sheet.contestants.empty:
        return Doubts()
    facts = Facts.of(sheet)
    remarks, refused = ([each for find in finds for each in _found(find, facts)] for finds in (REMARKS, REFUSALS))
    return Doubts(remarks, refused)


def doubts_of_result(result: Result) -> list[Problem]:
    """Return what is doubtful about awards, by what their files print and by the values that they were made from."""
    return [each for find in OF_RESULTS for each in _found(find, result)]


Given = TypeVar("Given", Facts, Result)


def _found(find: Callable[[Given], Iterable[Problem]], given: Given) -> list[Problem]:
    """Return what a doubt finds; its code is the name of the doubt: seats.section-twice."""
    code = f"{find.__module__.rpartition('.')[2]}.{find.__name__.replace('_', '-')}"
    return [replace(each, code=code) for each in find(given)]
