"""Club games of 2017, as the league's own scoring program awarded them: regular ones and special ones.

The figures are in the TOML files beside these modules. Regular games pay a percentage of the open rate, by the upper
limit, by the rules of club masterpoint games.
"""

from resultproc.rulebooks.load import load_from_package

REGULAR = load_from_package("acbl_2017/regular.toml")
SPECIAL = load_from_package("acbl_2017/special.toml")
