"""The match awards of Swiss teams: D x L x M x P for each match won, half of it for a tied one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Self

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, dense_codes, expand_counts
from resultproc.model.group import Group, Groups
from resultproc.model.provenance import Values
from resultproc.rulebooks.acbl_general_formula import championships
from resultproc.rulebooks.acbl_general_formula.tables import at_two_sites
from resultproc.rulebooks.common.exact import hundredths, text
from resultproc.rulebooks.common.matches import MatchKind, declared_boards, match_product, unpacked
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladders, NoAwards, Shape, starts


@dataclass(frozen=True)
class MatchShape(Shape):
    """What places pay that go by the matches won: so many hundredths to those who won so many.

    values: those of the rulebook that say so. factors: how a match award came about.
    """

    pays: Callable[[float], int]
    values: Values
    factors: str

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladders of groups of many shapes; see :class:`~resultproc.rulebooks.regulation.Shape`."""
        of = [shapes[each] for each in which.tolist()]
        won, depth = unpacked(groups.frame["wins"].tolist())
        start, (group, place) = starts(np.maximum(reach, depth)), expand_counts(depth)
        number, wins = pd.factorize(won)
        kind, kinds = dense_codes(which[group] * len(wins) + number)
        paid = [shapes[shape].pays(float(wins[each])) for shape, each in np.array(divmod(kinds, len(wins))).T.tolist()]
        awards = np.zeros(start[-1], dtype=np.int64)
        awards[start[group] + place] = np.array(paid, dtype=np.int64)[kind]
        return Ladders(awards, start, depth, [each.values for each in of], [each.factors for each in of])


def match_shape(edition: Edition, group: Group) -> Shape:
    """Return what the matches pay that each place has won; those of all strata go by the limit of the highest.

    Raises DeclarationError where the boards of a match are not declared.
    """
    if group.level or edition.text("match.reading") == "none" or championships.is_wbf(edition, group):
        return NoAwards(edition.values("match.reading"), "no match awards in this stratum or event")
    boards = declared_boards(group, "match awards depend on the boards per match", "7")
    # A consolation's matches pay what those of the final do.
    special = group.special - set(edition.words("match.as-final"))
    kind = MatchKind(group.rating, boards, group.limit, special, len(group.restrictions))
    each = at_two_sites(edition, group, match_product(edition, "d", kind)).rounded()
    factors = f"{text(each.award, 2)} for each match won ({each.factors})"
    pays = cache(lambda wins: hundredths(each.award * Fraction(f"{wins:g}")))
    return MatchShape(pays, edition.values(*each.cited, "match.reading"), factors)
