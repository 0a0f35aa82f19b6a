"""The awards of events under the General Formula."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import Kind, Terms
from resultproc.model.group import Group, Groups
from resultproc.rulebooks.acbl_general_formula.colours import colours, with_combined_tops, with_gold_tops
from resultproc.rulebooks.acbl_general_formula.event_checks import check, doubts
from resultproc.rulebooks.acbl_general_formula.matches import match_shape
from resultproc.rulebooks.acbl_general_formula.measured import FIELDS, measured
from resultproc.rulebooks.acbl_general_formula.overall import overall_shape
from resultproc.rulebooks.acbl_general_formula.qualifying import in_two_colours, with_better_colour, with_class
from resultproc.rulebooks.acbl_general_formula.session import session_shape
from resultproc.rulebooks.acbl_general_formula.uncredited import uncredited
from resultproc.rulebooks.common.sums import with_sums_of_sessions
from resultproc.rulebooks.common.ties import with_ties_beyond
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import ByShape, Ladders, Shape


class GeneralFormula(ByShape):
    """Overall awards by the event's total, session awards by section and direction, match awards of Swiss teams; the
    best of them is paid.
    """

    apart: tuple[str, ...] = ("size", "wins")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a group that a ladder depends on."""
        return FIELDS

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs.

        Every stratum is ranked overall; one with too few tables is paid nothing there.
        """
        return Terms(
            "always",
            "combined",
            section_minimum_in_group=edition.whole("stratum.least-in-group"),
            overall_minimum_in_game=1,
            overall_minimum_in_group=1,
            matches=True,
            half_tables=edition.text("tables.half-reading"),
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them; see :mod:`~.measured`."""
        return measured(edition, groups, members)

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what ladders of overall or session groups, or of ones compared by matches won, have in common.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        check(edition, group)
        if group.basis.kind is Kind.MATCHES:
            return match_shape(edition, group)
        if group.basis.over_all:
            return overall_shape(edition, group)
        return session_shape(edition, group)

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.regulation.Rules`."""
        return with_ties_beyond(edition, super().ladders(edition, groups, reach))

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games: what is declared and has no effect."""
        return chain(doubts(edition, games, rows), uncredited(edition, with_class(edition, games), rows))

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum of each contestant's session awards."""
        candidates = with_gold_tops(edition, with_combined_tops(edition, candidates, games), games)
        if edition.yes("sessions.sum"):
            candidates = with_sums_of_sessions(candidates, edition.values("sessions.sum"))
        return with_better_colour(edition, candidates, games)

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour; see :mod:`~.colours`."""
        return in_two_colours(edition, colours(edition, winners, games), winners, games)
