"""Club championships and fund games of 2011 to 2014; the figures stand in ``fund-2011.toml``.

They pay like regular club games, and overall awards besides, over both directions. Games that the club runs at the
same time count with them, and in large groups the awards fall more slowly.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.game import PER_TABLE, Rating
from resultproc.rulebooks.acbl_club.rules import RULEBOOK as CLUB
from resultproc.rulebooks.acbl_club.rules import ClubRules, First, section_places
from resultproc.rulebooks.acbl_online_club.rules import concurrent_credit
from resultproc.rulebooks.common.exact import CONTEXT, product
from resultproc.rulebooks.core import Edition, load_built_in
from resultproc.rulebooks.members import Members


class Claim(NamedTuple):
    """What a ladder depends on.

    size: contestants in a section, tables overall. credit: what concurrent games add to it. The others are those of
    any club game, see :class:`resultproc.rulebooks.acbl_club.rules.Claim`.
    """

    overall: bool
    rating: str
    limit: float
    size: int
    ranked: int
    event_type: str
    sessions: int
    credit: int


class FundGames(ClubRules):
    """The awards of club championships and fund games. Each ``claim`` is a :class:`Claim`."""

    classes = (Rating.CLUB_CHAMPIONSHIP, Rating.CLUB_FUND)

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on; see :class:`Claim`.

        The tables of the whole game are those that its contestants in the stratum would fill.
        """
        claims = super().claims(edition, groups, members)
        per_table = groups["event_type"].map(PER_TABLE)
        tables = np.ceil(groups["ranked"] / per_table).astype(np.int64)
        credited = pd.Series(edition["concurrent.strata"] != "none", groups.index)
        winners = groups["winners"].mask(claims["overall"], 2)
        credit = concurrent_credit(groups.assign(winners=winners), credited)
        return claims.assign(size=claims["size"].mask(claims["overall"], tables), credit=credit)

    def first(self, edition: Edition, claim: Any) -> First:
        """Return the first award of a group: the rate of its class or limit by its size, capped."""
        first = super().first(edition, claim._replace(size=claim.size + claim.credit))
        if not claim.credit:
            return first
        factors = f"{first.factors}; {claim.credit} of concurrent games"
        return First(first.masterpoints, factors, [*first.cited, "concurrent.strata"])

    def depth(self, edition: Edition, claim: Any) -> tuple[int, str]:
        """Return how many places pay in a group, and the path of the value that says so."""
        if not claim.overall:
            return super().depth(edition, claim)
        places = max((places for least, places in edition["overall.depth"] if claim.size >= least), default=0)
        return min(int(places), claim.ranked), "overall.depth"

    def places(self, edition: Edition, claim: Any, first: Decimal, count: int) -> tuple[str, list[Decimal]]:
        """Return what so many places pay, unrounded, and the path of the value that says so."""
        if claim.overall:
            return super().places(edition, claim, first, count)
        rate, _ = self.rate(edition, claim)
        cap, _ = self.cap(edition, claim, rate)
        full = product(rate, Decimal(claim.size + claim.credit))
        uncapped = CONTEXT.divide(CONTEXT.multiply(first, full), min(full, cap))
        path, ordinary = section_places(edition, uncapped, count)
        slower = [CONTEXT.multiply(first, _share(edition, place)) for place in range(1, count + 1)]
        awards = list(map(min, slower, ordinary))
        return (path if awards == ordinary else "large.sessions"), awards


def _share(edition: Edition, place: int) -> Decimal:
    """Return what a place gets of the first award on the slower scale."""
    if place <= 3:
        return edition.number("large.step") ** (place - 1)
    sessions = int(edition["large.sessions"])
    share = Fraction(sessions, place + 2 * sessions - 3)
    return CONTEXT.divide(Decimal(share.numerator), Decimal(share.denominator))


RULEBOOK = load_built_in("acbl_club_fund/fund-2011.toml", FundGames(), CLUB)
