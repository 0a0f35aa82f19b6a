"""Overall awards by the strength of the field: pairs, individuals, Swiss and board-a-match at tournaments since 2021.

The figures are in ``2021.toml``, on top of those of the General Formula, which goes on to pay the session awards.
"""

from resultproc.rulebooks.load import load_from_package

RULEBOOK_2021 = load_from_package("acbl_strength_of_field/2021.toml")
