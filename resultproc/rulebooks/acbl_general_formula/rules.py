"""The awards of events under the General Formula."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.rulebooks.acbl_club.rules import beyond_depth
from resultproc.rulebooks.acbl_general_formula.colours import colours, with_combined_tops
from resultproc.rulebooks.acbl_general_formula.declared import check
from resultproc.rulebooks.acbl_general_formula.event import MATCHES, Claim, claims
from resultproc.rulebooks.acbl_general_formula.matches import match_ladder
from resultproc.rulebooks.acbl_general_formula.overall import overall_ladder
from resultproc.rulebooks.acbl_general_formula.session import session_ladder
from resultproc.rulebooks.common.sums import with_sums_of_sessions
from resultproc.rulebooks.core import Edition, Ladder
from resultproc.rulebooks.members import Members


class GeneralFormula:
    """Overall awards by the event's total, session awards by section and direction, match awards of Swiss teams; the
    best of them is paid."""

    def terms(self, edition: Edition) -> dict[str, object]:
        """Return what ranking needs; see :class:`~resultproc.rulebooks.core.Rules`.

        Every stratum is ranked overall; one with too few tables is paid nothing there.
        """
        never = np.iinfo(np.int64).max
        return {
            "overall": "always",
            "overall_field": "combined",
            "section_minimum_in_game": never,
            "section_minimum_in_group": edition["stratum.contestants"],
            "overall_minimum_in_game": 1,
            "overall_minimum_in_group": 1,
            "matches": True,
        }

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on; see :class:`~.event.Claim`."""
        return claims(groups, members)

    def ladder(self, edition: Edition, claim: Claim, reach: int) -> Ladder:
        """Return the awards of one overall or session group, or of one compared by matches won.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        check(edition, claim)
        if claim.session == MATCHES:
            return match_ladder(edition, claim, reach)
        ladder = (session_ladder if claim.session else overall_ladder)(edition, claim, reach)
        awards = beyond_depth(list(ladder.awards), ladder.depth, edition["ties.beyond-depth"])
        return Ladder(awards, ladder.depth, ladder.rule, ladder.factors)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum of each contestant's session awards."""
        candidates = with_combined_tops(edition, candidates, games)
        return (
            with_sums_of_sessions(candidates, edition.cite("sessions.sum")) if edition["sessions.sum"] else candidates
        )

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour; see :mod:`~.colours`."""
        return colours(edition, winners, games)
