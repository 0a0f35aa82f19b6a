"""The match awards of Swiss teams: D x L x M x P for each match won, half of it for a tied one."""

from __future__ import annotations

from functools import cache

from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula import championships
from resultproc.rulebooks.common.exact import hundredths, text
from resultproc.rulebooks.common.matches import declared_boards, match_product
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import Ladder, Shape


def match_shape(edition: Edition, group: Group) -> Shape:
    """Return what the matches pay that each place has won; those of all strata go by the limit of the highest.

    Raises DeclarationError where the boards of a match are not declared.
    """
    if group.level or edition.text("match.reading") == "none" or championships.is_wbf(edition, group):
        none = edition.values("match.reading"), "no match awards in this stratum or event"
        return lambda _, reach: Ladder((0,) * reach, 0, *none)
    boards = declared_boards(group, "match awards depend on the boards per match", "7")
    # A consolation's matches pay what those of the final do.
    special = group.special - set(edition.words("match.as-final"))
    each = match_product(edition, group, "d", boards, group.limit, special).rounded()
    factors = f"{text(each.award, 2)} for each match won ({each.factors})"
    values = edition.values(*each.cited, "match.reading")

    pays = cache(lambda wins: hundredths(each.award * wins))

    def ladder(of: Group, reach: int) -> Ladder:
        awards = [pays(wins) for wins in of.wins]
        return Ladder((*awards, *[0] * (reach - len(awards))), len(awards), values, factors)

    return ladder
