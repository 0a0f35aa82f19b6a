"""Swiss teams in club masterpoint games: a match that is won pays, places do not. See ``swiss-2003.toml``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import Kind
from resultproc.model.group import Group, Groups, Ladders, Members
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.common.awards import NO_WINS, wins_asked, with_wins
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import NoAwards, Shape


class ClubSwiss(GeneralFormula):
    """The match awards of Swiss teams at clubs."""

    without_wins = "the matches that each team won are missing, and a club's Swiss teams are paid only for these"

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them, each with the matches that were won in its game."""
        return with_wins(super().measured(edition, groups, members))

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what matches pay, and nothing for places; DeclarationError where a match's boards are not declared."""
        if group.basis.kind is Kind.MATCHES:
            return super().shape(edition, group)
        return NoAwards(edition.values("overall.given"), "places pay nothing in a club's Swiss teams")

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.core.Rules`.

        Groups of games in which nobody is said to have won a match are refused.
        """
        found = super().ladders(edition, groups, reach)
        error = wins_asked(self.without_wins)
        lacking = np.flatnonzero(groups.frame["wins"] == NO_WINS).tolist()
        return replace(found, refused={**dict.fromkeys(lacking, error), **found.refused})
