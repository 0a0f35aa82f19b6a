"""Swiss teams in club masterpoint games: a match that is won pays, places do not. See ``swiss-2003.toml``."""

from __future__ import annotations

import pandas as pd

from resultproc.model.basis import Kind
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Ladder


class ClubSwiss(GeneralFormula):
    """The match awards of Swiss teams at clubs."""

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them, each with the matches that were won in its game."""
        measured = super().measured(edition, groups, members)
        wins = measured[measured["wins"] != ""].drop_duplicates("game").set_index("game")["wins"]
        return measured.assign(wins=measured["game"].map(wins.to_dict().get).astype("str").fillna(""))

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what matches pay, and nothing for places.

        Raises DeclarationError where nobody is said to have won a match, or the boards of a match are not declared.
        """
        if not group.wins:
            what = "the matches that each team won are missing, and a club's Swiss teams are paid only for these"
            raise DeclarationError(what, hint="write a column wins; a tied match counts half")
        if group.basis.kind is Kind.MATCHES:
            return super().ladder(edition, group, reach)
        return Ladder((0,) * reach, 0, edition.values("overall.given"), "places pay nothing in a club's Swiss teams")
