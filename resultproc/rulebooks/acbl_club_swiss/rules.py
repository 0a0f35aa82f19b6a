"""Swiss teams in club masterpoint games: a match that is won pays, places do not. See ``swiss-2003.toml``."""

from __future__ import annotations

import pandas as pd

from resultproc.model.basis import Kind
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Ladder, Shape


class ClubSwiss(GeneralFormula):
    """The match awards of Swiss teams at clubs."""

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them, each with the matches that were won in its game."""
        measured = super().measured(edition, groups, members)
        wins = measured[measured["wins"] != ""].drop_duplicates("game").set_index("game")["wins"]
        return measured.assign(wins=measured["game"].map(wins.to_dict().get).astype("str").fillna(""))

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what matches pay, and nothing for places.

        Raises DeclarationError where nobody is said to have won a match, or the boards of a match are not declared.
        """
        of_matches = super().shape(edition, group) if group.basis.kind is Kind.MATCHES else None
        none = edition.values("overall.given"), "places pay nothing in a club's Swiss teams"

        def ladder(of: Group, reach: int) -> Ladder:
            if not of.wins:
                what = "the matches that each team won are missing, and a club's Swiss teams are paid only for these"
                raise DeclarationError(what, hint="write a column wins; a tied match counts half")
            return of_matches(of, reach) if of_matches else Ladder((0,) * reach, 0, *none)

        return ladder
