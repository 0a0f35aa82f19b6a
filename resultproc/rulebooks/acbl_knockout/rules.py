"""The awards of knockouts: overall by bracket, or for matches won; the better of the two is paid."""

from __future__ import annotations

import pandas as pd

from resultproc.model.basis import Terms
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.event_checks import check_special
from resultproc.rulebooks.acbl_knockout.colours import colours
from resultproc.rulebooks.acbl_knockout.ladders import OverallShape, match_shape
from resultproc.rulebooks.acbl_knockout.measured import EVENT, taken_apart
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import ByShape, Shape


class KnockoutRules(ByShape):
    """Overall awards by final place in each bracket, and awards for matches won; the better of the two is paid."""

    apart = ("brackets", "bracket_played", "first", "finish")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a group that a ladder depends on."""
        return ("basis", *self.apart, *EVENT)

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        return Terms(
            "none",
            "combined",
            wins_of_match=edition.whole("match.wins"),
            forfeits=edition.text("forfeit.place"),
            clear_playoffs=edition.words("playoff.clear"),
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with the run of their teams taken apart, and with the first award that is shared."""
        return taken_apart(edition, groups)

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what the ladders of events have in common that differ in their brackets, or in the matches won.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        check_special(edition, group)
        return OverallShape(edition, group) if group.basis.over_all else match_shape(edition, group)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates as they are: no award of a knockout consists of several others."""
        return candidates

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour; see :mod:`~.colours`."""
        return colours(edition, winners, games)
