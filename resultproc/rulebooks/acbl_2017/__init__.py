"""Club games of 2017, as the league's own scoring program awarded them: regular ones and special ones.

The figures are in the TOML files beside these modules. Regular games pay a percentage of the open rate, by the upper
limit, by the rules of club masterpoint games.
"""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _regular() -> Rules:
    from resultproc.rulebooks.acbl_club.rules import ClubRules

    return ClubRules()


def _special() -> Rules:
    from resultproc.rulebooks.acbl_2017.special import SpecialGames

    return SpecialGames()


REGULAR = load_built_in("acbl_2017/regular.toml", _regular)
SPECIAL = load_built_in("acbl_2017/special.toml", _special)
