"""The awards of knockouts: overall by bracket, or for matches won; the better of the two is paid."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.rulebooks.acbl_knockout.claim import Claim, claims
from resultproc.rulebooks.acbl_knockout.colours import colours
from resultproc.rulebooks.acbl_knockout.ladders import match_ladder, overall_ladder
from resultproc.rulebooks.core import Edition, Ladder
from resultproc.rulebooks.members import Members


class KnockoutRules:
    """Overall awards by final place in each bracket, and awards for matches won; the better of the two is paid."""

    def terms(self, edition: Edition) -> dict[str, object]:
        """Return what ranking needs of other events; see :class:`~resultproc.rulebooks.core.Rules`."""
        never = np.iinfo(np.int64).max
        return {
            "overall": "none",
            "overall_field": "combined",
            "section_minimum_in_game": never,
            "section_minimum_in_group": never,
            "overall_minimum_in_game": never,
            "overall_minimum_in_group": never,
        }

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on; see :class:`~.claim.Claim`."""
        return claims(groups)

    def ladder(self, edition: Edition, claim: Claim, reach: int) -> Ladder:
        """Return the awards of one group: teams of a bracket that came equally far, or won as many matches.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        return (overall_ladder if claim.overall else match_ladder)(edition, claim, reach)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates as they are: no award of a knockout consists of several others."""
        return candidates

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour; see :mod:`~.colours`."""
        return colours(edition, winners, games)
