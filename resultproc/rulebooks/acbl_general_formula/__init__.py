"""Tournaments and special club games: the General Formula, revision of November 2003, and the later editions.

The figures are in the TOML files beside these modules, each module applies one part of the formula.
"""

from resultproc.rulebooks.load import load_from_package

RULEBOOK_2003 = load_from_package("acbl_general_formula/2003.toml")
RULEBOOK_2015 = load_from_package("acbl_general_formula/2015.toml")
RULEBOOK_2019 = load_from_package("acbl_general_formula/2019.toml")
