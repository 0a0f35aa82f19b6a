"""The masterpoints of the Vlaamse Bridge Liga; the figures are in ``vbl.toml``."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from resultproc.model.game import EventType
from resultproc.model.group import Group, Ladder
from resultproc.rulebooks.common.exact import decimal, factor_text, reached
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.core import Edition

_CLUB = "clubtornooi"


class FlemishRules(FieldRules):
    """A first award by the size of the field, shares of it to a third of each series, and the least to everybody."""

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what the places of a series pay."""
        series, unit = (1, "pairs") if group.one_winner else (2, "pairs in two series")
        size = counted = Fraction(2 * group.tables)
        kind, ladder = (_CLUB, _CLUB) if group.rating == _CLUB else ("drive", "drive")
        if group.event_type == EventType.INDIVIDUAL:
            kind, ladder, unit, size = "individual", _CLUB, "full tables", Fraction(group.full_tables)
            counted = 4 * size
        first = edition.number(f"first.{kind}") * size / series
        cited = [f"first.{kind}", f"ladder.{ladder}", "depth.share", "depth.others"]
        factors = f"{decimal(edition.number(f'first.{kind}'))} x {factor_text(size)} {unit}"
        if kind == "drive":
            factor, most = (edition.named_numbers(f"category.{name}").get(group.rating) for name in ("factor", "most"))
            first, factors = first * (factor or 1), f"{factors}, x {decimal(factor or Fraction(1))}"
            cited.append("category.factor")
            if most is not None and first > most:
                first, cited = most, [*cited, "category.most"]
        over, under = edition.numbers("depth.share")
        paid = min(floor(counted * over / (series * under)), group.ranked)
        percent = [reached(edition.rows(f"ladder.{ladder}"), place) for place in range(1, paid + 1)]
        others = [edition.number("depth.others")] * (group.ranked - paid)
        return field_ladder(edition, [*(first * line[1] / 100 for line in percent if line), *others], cited, factors)
