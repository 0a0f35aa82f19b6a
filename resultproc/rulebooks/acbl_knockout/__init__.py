"""Knockout teams: the Knockout Teams Formula of November 2003, bracketed, flighted and compact, and NABC events.

The figures are in ``knockout-2003.toml``, on top of those of the General Formula; each module applies one part. Since
2015 they are carried on, all of them inferred: ``knockout-2015.toml``.
"""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_knockout.rules import KnockoutRules

    return KnockoutRules()


RULEBOOK_2003 = load_built_in("acbl_knockout/knockout-2003.toml", _rules)
RULEBOOK_2015 = load_built_in("acbl_knockout/knockout-2015.toml", _rules)
