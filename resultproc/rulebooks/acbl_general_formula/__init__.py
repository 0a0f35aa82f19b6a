"""Tournaments and special club games: the General Formula, revision of November 2003, and the later editions.

The figures are in the TOML files beside these modules, each module applies one part of the formula.
"""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula

    return GeneralFormula()


RULEBOOK_2003 = load_built_in("acbl_general_formula/2003.toml", _rules)
RULEBOOK_2015 = load_built_in("acbl_general_formula/2015.toml", _rules)
RULEBOOK_2019 = load_built_in("acbl_general_formula/2019.toml", _rules)
