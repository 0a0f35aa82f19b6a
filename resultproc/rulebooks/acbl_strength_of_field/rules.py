"""The awards of tournaments by the strength of the field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.game import parse_strata
from resultproc.rulebooks.acbl_club.rules import beyond_depth
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.acbl_strength_of_field.overall import is_covered, overall_ladder
from resultproc.rulebooks.acbl_strength_of_field.strength import strengths
from resultproc.rulebooks.core import Edition, Ladder
from resultproc.rulebooks.members import Members


class StrengthOfField(GeneralFormula):
    """Overall awards by the strength of the field, all others as the General Formula has them.

    A claim is one of the General Formula with, of overall groups, what F and S follow from: ``boards`` (per session, 0
    for undeclared), ``lowest`` (the limit of the event's lowest stratum), ``floor_limit`` (the limit that decides
    whether small holdings count as larger), ``players``, ``power`` and ``unknown`` (see :mod:`~.strength`).
    """

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on."""
        claims = super().claims(edition, groups, members)
        over_all = (claims["session"] == 0).to_numpy()
        whole = groups[over_all].reset_index(drop=True)
        top, lowest = (_stratum_limit(whole, which) for which in (0, -1))
        floor_limit = top if edition["strength.floor-reading"] == "event" else whole["limit"].clip(upper=top)
        own = pd.DataFrame({"boards": whole["boards"].fillna(0).astype("int64"), "lowest": lowest})
        own = own.assign(floor_limit=floor_limit, **strengths(edition, whole, floor_limit, members))
        nothing = {name: "" if name == "unknown" else 0 for name in own.columns}
        return claims.join(own.set_axis(np.flatnonzero(over_all))).fillna(nothing).astype(own.dtypes.to_dict())

    def ladder(self, edition: Edition, claim: Any, reach: int) -> Ladder:
        """Return the awards of one overall or session group.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        if claim.session or not is_covered(edition, claim):
            return super().ladder(edition, claim, reach)
        ladder = overall_ladder(edition, claim, reach)
        awards = beyond_depth(list(ladder.awards), ladder.depth, edition["ties.beyond-depth"])
        return Ladder(awards, ladder.depth, ladder.rule, ladder.factors)


def _stratum_limit(groups: pd.DataFrame, which: int) -> pd.Series[float]:
    """Return the limit of the top stratum (0) or the lowest (-1) of each group's game, never above the event's own."""
    limits = {text: parse_strata(text)[which].limit for text in groups["strata"].unique()}
    return groups["strata"].map(limits).astype("float64").clip(upper=groups["event_limit"])
