"""The classification points of the Polish Bridge Union; the figures are in ``pkl.toml``."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
import pandas as pd

from resultproc.model.basis import Terms
from resultproc.model.codes import HOLDINGS_MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.facts import holdings_of
from resultproc.model.game import EventType
from resultproc.model.group import Group, Ladder, Members
from resultproc.rulebooks.common.awards import declared_boards, missing_key, on_lines
from resultproc.rulebooks.common.exact import decimal, factor_text
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.core import Edition

_HELD = 100
"""The sum of holdings is in parts of one, as they have two decimals at most."""


class ClassificationRules(FieldRules):
    """A first place by the weights of the event and of its players, and shares of it to everybody."""

    kinds = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.SWISS, EventType.BAM)
    fields: tuple[str, ...] = (*FieldRules.fields, "players", "power", "unknown", "weight", "least_award")

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: there is one list of all."""
        return super().terms(edition)._replace(overall="always", overall_field="combined")

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with the number of players whose weights are known, and the sum of these.

        ``unknown`` says whether some are not. One list of both directions of a section is none of one winner.
        """
        of = members.entrants(groups)
        held, game = holdings_of(of.contestants), groups["game"].to_numpy()
        return (
            super()
            .measured(edition, groups, members)
            .assign(
                players=of.sums(held.number),
                power=of.sums(np.rint(_HELD * held.total).astype(np.int64)),
                unknown=np.where(of.sums((~held.complete).astype(np.int64)) > 0, "some", ""),
                one_winner=~np.isin(game, game[(groups["winners"] == 2).to_numpy()]),
            )
        )

    def refuse_open(self, edition: Edition, group: Group) -> None:
        """Raise DeclarationError for a kind of event that the calculator does not say, and for what is not declared."""
        super().refuse_open(edition, group)
        if not group.one_winner:
            what = f"rulebook {edition.book} pays the places of one list, and there are two lines"
            raise DeclarationError(what, hint="declare movement = 'howell' where all are compared with each other")
        if group.unknown:
            what = "the classification weight (WK) of a player is missing, and the first place depends on their mean"
            raise DeclarationError(what, hint="write mp1, mp2, ... for all players", code=HOLDINGS_MISSING)

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what the places of a tournament pay."""
        why = "the first place depends on it, and which the union has for each rank is not known"
        if not group.weight:
            raise missing_key("weight", why, "5")
        if not group.least_award:
            raise missing_key("least_award", why, "5")
        mean, players = Fraction(group.power, _HELD * group.players), group.ranked
        players *= int(edition.named_numbers("players")[group.event_type])
        added = edition.number("first.per-player")
        first = max(ceil(group.least_award), ceil(mean * group.weight + added * players))
        factors = f"mean WK {factor_text(mean)} x {decimal(group.weight)} + {decimal(added)} x {players} players"
        cited, least = ["first.per-player", "first.rounding", "players", "curve.points"], edition.whole("curve.least")
        if group.rating == "pkl-realbridge":
            boards, whole = declared_boards(group, why, "27"), edition.whole("realbridge.boards")
            cited, least = [*cited, "realbridge.boards", "realbridge.lower-half"], 0
            first = ceil(first * min(Fraction(1), Fraction(boards, whole)))
            factors += f", {boards} of {whole} boards"
            if boards < edition.whole("realbridge.least-boards"):
                return Ladder((), 0, edition.values("realbridge.least-boards"), f"{boards} boards: no awards")
        else:
            cited.append("curve.least")
        above = [Fraction(place, group.ranked) for place in range(group.ranked)]
        awards = [max(least, ceil(first * on_lines(edition, "curve.points", each))) for each in above]
        return field_ladder(edition, [award for award in awards if award], cited, factors)
