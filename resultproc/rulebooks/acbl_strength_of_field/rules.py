"""The awards of tournaments by the strength of the field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, factorize_text
from resultproc.model.basis import OVERALL
from resultproc.model.frames import words_in
from resultproc.model.game import parse_strata
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.event_checks import check_special
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.acbl_strength_of_field.overall import is_covered, overall_shape
from resultproc.rulebooks.acbl_strength_of_field.strength import strengths
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Shape

_NOTHING: dict[str, float | str] = {
    **{"lowest_limit": 0.0, "floor_limit": 0.0},
    **{"entered": 0, "players": 0, "power": 0, "unknown": ""},
}
"""What the fields of a group's strength are where no award goes by it."""

_MEASURED = ["game", "contestant", "level", "limit", "event_limit", "strata", "event_type"]
"""The columns of groups that their strength is measured by."""


class StrengthOfField(GeneralFormula):
    """Overall awards by the strength of the field, all others as the General Formula has them."""

    apart = (*GeneralFormula.apart, "players", "power")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a group that a ladder depends on."""
        return (*super().fields, "session_boards", *_NOTHING)

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them; overall ones with what F and S follow from."""
        measured = super().measured(edition, groups, members)
        over_all = (measured["basis"] == str(OVERALL)).to_numpy()
        whole = groups[_MEASURED].iloc[np.flatnonzero(over_all)].reset_index(drop=True)
        top, lowest = (_stratum_limit(whole, which) for which in (0, -1))
        by_event = edition.text("strength.floor-reading") == "event"
        floor_limit = top if by_event else np.minimum(top, whole["limit"].to_numpy())
        own = {"lowest_limit": lowest, "floor_limit": floor_limit, **strengths(edition, whole, floor_limit, members)}
        boards = groups["boards"].fillna(0).astype(np.int64)
        return measured.assign(
            boards=measured["boards"].mask(over_all, boards),
            session_boards=groups["session_boards"].where(over_all),
            **{name: _only_in(over_all, own[name], nothing) for name, nothing in _NOTHING.items()},
        )

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum of session awards, without what is too small to be given."""
        return _without_small_shares(edition, super().combine(edition, candidates, games))

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what ladders of overall or session groups, or of ones compared by matches won, have in common.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        if not group.basis.over_all or not is_covered(edition, group):
            return super().shape(edition, group)
        check_special(edition, group)
        return overall_shape(edition, group)

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
        """Yield what is doubtful about some games: an event that goes by its field is credited with no other."""
        own = games["championship"].isna() & ~words_in(games["special"], *edition.words("scope.general-formula-kinds"))
        declared = ((games["concurrent_tables"].fillna("none") != "none") & own).to_numpy()
        others = games.assign(concurrent_tables=games["concurrent_tables"].mask(declared))
        yield from super().doubts(edition, others, rows)
        what = "concurrent_tables has no effect on its awards: they go by the strength of its own field"
        for row in rows[declared[rows]].tolist():
            yield row, what, "leave it out"
        what = "other_site_tables has no effect on its overall awards: they go by the field at this site alone"
        for row in rows[(games["other_site_tables"].notna() & own).to_numpy()[rows]].tolist():
            yield row, what, "check these with the league"


def _without_small_shares(edition: Edition, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates without overall awards by the strength of the field below the least that is given."""
    if edition.text("least.ties-reading") == "paid" or edition.text("least.reading") == "given":
        return candidates
    by_strength = {
        each: "strength.exponent" in {item.path for item in each.items} for each in set(candidates["values"])
    }
    small = candidates["values"].map(by_strength).to_numpy(dtype=bool)
    small &= candidates["masterpoints"].to_numpy() < edition.number("least.award") * 100
    return candidates[~small].reset_index(drop=True)


def _only_in(rows: Bools, own: npt.NDArray[Any], nothing: float | str) -> pd.Categorical:
    """Return values of some rows among those of all, which have nothing: as categories, as those rows are few."""
    number, distinct = pd.factorize(np.append(nothing, own))
    spread = np.zeros(len(rows), dtype=np.min_scalar_type(-len(distinct)))
    spread[rows] = number[1:]
    return pd.Categorical.from_codes(spread, pd.Index(distinct))


def _stratum_limit(groups: pd.DataFrame, which: int) -> Floats:
    """Return the limit of the top stratum (0) or the lowest (-1) of each group's game, never above the event's own."""
    number, strata = factorize_text(groups["strata"])
    limits = np.array([parse_strata(text)[which].limit for text in strata], dtype=np.float64)
    return np.asarray(np.minimum(limits[number], groups["event_limit"]), dtype=np.float64)
