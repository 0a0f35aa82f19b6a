"""What is doubtful about games: each doubt is a small function over the frames of many games, listed here once.

A doubt says where it is, what is doubtful, and what would settle it. All but a few let the award go on: they become the
remarks of a sheet or result. What is not known raises no doubt, so that sheets may lack declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import pandas as pd

from resultproc.model.codes import OF_VALUES, OUT_OF_ORDER
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import Sheet
from resultproc.stages import same_game
from resultproc.stages.doubts import boards, declarations, entries, printed, rounds, scores
from resultproc.stages.doubts.results import Results

OF_SHEETS: Mapping[str, Callable[[Facts], Iterable[Problem]]] = {
    "seats.half-a-table-short": entries.half_a_table_short,
    "seats.cut-off": entries.cut_off,
    "seats.unlisted": entries.empty_sections,
    "seats.alone": entries.alone,
    "tables.counted": entries.tables_counted,
    "seats.directions-in-numbers": entries.directions_in_numbers,
    "seats.rainbow": entries.rainbow,
    "seats.section-missing": entries.section_missing,
    "seats.section-twice": entries.section_twice,
    "seats.sections-alike": entries.sections_alike,
    "players.listed-twice": entries.listed_twice,
    "players.too-few": entries.too_few,
    "players.joined": entries.joined,
    "players.nameless": entries.nameless,
    "scores.fractions": scores.fractions,
    "scores.fraction-among-percents": scores.fraction_among_percents,
    "scores.far-from-average": scores.far_from_average,
    "scores.not-balanced": scores.not_balanced,
    "scores.very-high": scores.very_high,
    "scores.decimal-among-thousands": scores.decimal_among_thousands,
    "scores.at-odds-with-sit-outs": scores.scores_unlike_percentages_with_sit_outs,
    "scores.handicaps-without-handicap": scores.handicaps_without_handicap,
    "scores.opposite": scores.opposite_orders,
    "scores.at-odds": scores.scores_unlike_percentages,
    "scores.at-odds-but-for-boards": scores.scores_unlike_percentages_but_for_boards,
    "players.garbled": declarations.garbled,
    "limits.above-the-limit": declarations.above_the_limit,
    "limits.no-limit": declarations.no_limit,
    "strata.above-the-stratum": declarations.above_the_stratum,
    "strata.below-the-stratum": declarations.below_the_stratum,
    "days.impossible": declarations.impossible,
    "names.another-class": declarations.another_class,
    "names.limited": declarations.limited,
    "funds.another-fund": declarations.another_fund,
    same_game.GAMES_ALIKE_CODE: same_game.games_alike,
    "matches.unanswered": printed.unanswered,
    "places.missing": printed.places_missing,
}
"""The doubts about sheets as they are read, by the code that programs know each by."""

_REFUSED = frozenset({"seats.cut-off", "seats.unlisted", "scores.opposite", "scores.at-odds"})
"""Those of them that let no award go on: what they find is wrong, whatever is right."""

_SCORES = ("score", "percentage")
_HOLDINGS = ("stratum", "mp", "rank")

AT: Mapping[str, tuple[str, ...]] = {
    "seats.directions-in-numbers": ("number",),
    "seats.section-missing": ("section",),
    "seats.section-twice": ("section",),
    **dict.fromkeys(("players.listed-twice", "players.too-few", "players.joined", "players.garbled"), ("player",)),
    "players.nameless": ("player", "id"),
    **{code: _SCORES for code in OF_SHEETS if code.startswith("scores.")},
    "scores.handicaps-without-handicap": ("handicap",),
    OUT_OF_ORDER: ("rank", *_SCORES),
    "limits.above-the-limit": ("mp",),
    "strata.above-the-stratum": _HOLDINGS,
    "strata.below-the-stratum": _HOLDINGS,
}
"""The columns that a doubt about rows is about, by its code, without their numbers."""

OF_RESULTS: Mapping[str, Callable[[printed.AwardedFacts], Iterable[Problem]]] = {
    "printed.another-factor": printed.another_factor,
    "printed.other-colours": printed.other_colours,
    "matches.unsaid": printed.wins_unsaid,
    OF_VALUES: printed.remarked,
}
"""The doubts about what was awarded: its file prints otherwise, or a rulebook has a remark on what it was made from."""

OF_AWARDS = (*OF_RESULTS, printed.PARTED)
"""The codes of all remarks on awards, in their order."""

OF_BOARDS: Mapping[str, Callable[[Results], Iterable[Problem]]] = {
    "boards.too-many-tricks": boards.too_many_tricks,
    "boards.at-odds": boards.scores_unlike_contracts,
    "boards.of-no-contract": boards.of_no_contract,
    "boards.played-twice": boards.played_twice,
    "boards.against-itself": boards.against_itself,
    "boards.unlisted": boards.unlisted_contestants,
    "boards.of-another-round": rounds.of_another_round,
    "boards.opposite": boards.opposite_signs,
    "boards.shifted": rounds.shifted,
    "boards.lead": rounds.leads,
}
"""The doubts about the results of boards."""

LIKELY_MISTAKES = frozenset(
    [*OF_SHEETS, *OF_BOARDS, OUT_OF_ORDER, same_game.ONE_GAME_CODE, same_game.FILES_ALIKE_CODE]
) - {
    "tables.counted",
    "limits.no-limit",
    "boards.lead",
}
"""The codes of doubts that are likely mistakes in a file; others say what it was taken for, or need no mending."""


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
        """Return the doubts about some games, by their game_id."""
        kept = frozenset(names)
        return Doubts(*([each for each in found if each.game in kept] for found in (self.remarks, self.refused)))


def doubts(sheet: Sheet) -> Doubts:
    """Return what is doubtful about a sheet as it was read."""
    if sheet.contestants.empty:
        return Doubts()
    found = _found(OF_SHEETS, sheet.facts)
    return Doubts(
        remarks=[each for each in found if each.code not in _REFUSED],
        refused=[each for each in found if each.code in _REFUSED],
    )


def doubts_of_result(given: printed.AwardedFacts) -> list[Problem]:
    """Return what is doubtful about awards, by what their files print and by the values that they were made from."""
    return _found(OF_RESULTS, given)


def doubts_of_boards(sheet: Sheet, results: pd.DataFrame, deals: pd.DataFrame) -> list[Problem]:
    """Return what is doubtful about the results of boards of a sheet's games.

    results: in the boards frame's columns, also of other games. deals: the hands that are known.
    """
    results = results[results["game_id"].isin(sheet.games["game_id"])].reset_index(drop=True)
    return _found(OF_BOARDS, Results(sheet.games, sheet.contestants, results, deals)) if len(results) else []


Given = TypeVar("Given", Facts, printed.AwardedFacts, Results)


def _found(finds: Mapping[str, Callable[[Given], Iterable[Problem]]], given: Given) -> list[Problem]:
    return [each.coded(code) for code, find in finds.items() for each in find(given)]
