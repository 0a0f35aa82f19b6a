"""Special club games of 2017, among them those that qualify for the North American Pairs: ``special.toml``.

They pay by the General Formula, with session awards that go by the contestants in direct comparison.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import OVERALL, which
from resultproc.model.cited import Values
from resultproc.model.frames import words_in
from resultproc.model.game import PER_TABLE
from resultproc.model.group import Groups
from resultproc.model.sections import strata_of
from resultproc.model.terms import Terms
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.common.exact import steps
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Ints, Ladders

_NAP, _CLUB, _UNIT = "nap", "nap-club", "nap-unit"
"""The class that qualifying games have R of, and the special words of those of clubs and of units."""


class SpecialGames(GeneralFormula):
    """The awards of special club games of 2017."""

    counted_in_session = "contestants"

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        return replace(super().terms(edition), section_minimum_in_game=edition.whole("stratum.least-in-game"))

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the program counted them.

        Tables are counted by contestants: overall by those ranked, in a session by those in direct comparison, each of
        which stands for a table.
        """
        measured = super().measured(edition, groups, members)
        overall = which(measured["basis"], lambda basis: basis == OVERALL)
        in_all = np.ceil(measured["size"] / groups["event_type"].map(PER_TABLE).to_numpy(dtype=np.int64))
        return measured.assign(
            stratum_tables=in_all.where(overall, groups["size"].to_numpy()).astype(np.int64),
            rating=_class_of(groups),
        )

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.regulation.Rules`.

        A lower stratum of few in direct comparison is ranked by those that it has in the game.
        """
        found = super().ladders(edition, groups, reach)
        in_session = which(groups.frame["basis"], lambda basis: basis.in_section)
        few = (
            in_session & (groups.frame["level"] > 0) & (groups.frame["size"] < edition.whole("stratum.least-in-group"))
        )
        by_game, values = edition.values("stratum.least-in-game"), list(found.values)
        for number in np.flatnonzero(few).tolist():
            values[number] = Values.of((*values[number].items, *by_game.items))
        return replace(found, values=values)

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games."""
        return super().doubts(edition, games.assign(rating=_class_of(games)), rows)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the most that any of a contestant's pays in the better colour of two.

        An award in the worse colour alone does not lose it: it tops the better colour up to the better total.
        """
        candidates = super().combine(edition, candidates, games)
        better = pd.Series(_better_colour(edition, candidates, games), candidates.index)
        return candidates.assign(better_colour=better.groupby(candidates["contestant"]).transform("max"))

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour; those of qualifying games are red and black at clubs, gold and red at units."""
        split = super().colours(edition, winners, games)
        special = games["special"].iloc[winners["game"]]
        better = winners["better_colour"].to_numpy()
        rest = winners["masterpoints"].to_numpy() - better
        for word, parts in ((_CLUB, {"red": better, "black": rest}), (_UNIT, {"gold": better, "red": rest})):
            rows = words_in(special, word)
            for colour in split.columns:
                split[colour] = split[colour].mask(rows, pd.Series(parts.get(colour, 0), split.index))
        return split


def _class_of(games: pd.DataFrame) -> pd.Series[str]:
    """Return the class that each game's awards go by: its rating, or that of qualifying games."""
    return games["rating"].astype("str").mask(words_in(games["special"], _CLUB, _UNIT), _NAP)


def _better_colour(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return what each candidate pays in the better of two colours, in hundredths, halves rounded up."""
    game = candidates["game"].to_numpy()
    points = candidates["masterpoints"].to_numpy()
    limit = strata_of(games).limits[game, candidates["level"].to_numpy()]
    red = np.where(limit >= edition.whole("colour.nap-club.limit"), points, 0) * edition.whole("colour.nap-club.share")
    top = np.where(which(candidates["basis"], lambda basis: basis == OVERALL), points, candidates["section_top"])
    gold = top * np.array([int(steps(edition.limited("colour.nap-unit.gold"), each) or 0) for each in limit])
    special = games["special"].iloc[game]
    percent = np.where(words_in(special, _CLUB), red, np.where(words_in(special, _UNIT), gold, 0))
    return np.asarray((percent + 50) // 100, dtype=np.int64)
