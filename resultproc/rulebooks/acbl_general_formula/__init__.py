"""Tournaments and special club games: the General Formula, revision of November 2003, and the later editions.

The figures are in the TOML files beside these modules, each module applies one part of the formula.
"""

from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.load import load_built_in

RULEBOOK_2003 = load_built_in("acbl_general_formula/2003.toml", GeneralFormula())
RULEBOOK_2015 = load_built_in("acbl_general_formula/2015.toml", GeneralFormula())
RULEBOOK_2019 = load_built_in("acbl_general_formula/2019.toml", GeneralFormula())
