"""Special club games of 2017, among them those that qualify for the North American Pairs: ``special.toml``.

They pay by the General Formula, with session awards that go by the contestants in direct comparison.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import OVERALL, Terms, basis_mask
from resultproc.model.game import PER_TABLE
from resultproc.model.group import Groups, Ladders, Members
from resultproc.model.provenance import Values
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.core import Edition


class SpecialGames(GeneralFormula):
    """The awards of special club games of 2017."""

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        return super().terms(edition)._replace(section_minimum_in_game=edition.whole("stratum.least-in-game"))

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the program counted them: overall, the tables that those ranked would fill."""
        measured = super().measured(edition, groups, members)
        overall = basis_mask(measured["basis"], lambda basis: basis == OVERALL)
        in_all = np.ceil(measured["size"] / groups["event_type"].map(PER_TABLE).to_numpy(dtype=np.int64))
        return measured.assign(stratum_tables=in_all.where(overall, measured["stratum_tables"]).astype(np.int64))

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.core.Rules`.

        A lower stratum of few in direct comparison is ranked by those that it has in the game.
        """
        found = super().ladders(edition, groups, reach)
        in_session = basis_mask(groups.frame["basis"], lambda basis: basis.in_section)
        few = (
            in_session & (groups.frame["level"] > 0) & (groups.frame["size"] < edition.whole("stratum.least-in-group"))
        )
        by_game, values = edition.values("stratum.least-in-game"), list(found.values)
        for number in np.flatnonzero(few).tolist():
            values[number] = Values.of((*values[number].items, *by_game.items))
        return replace(found, values=values)
