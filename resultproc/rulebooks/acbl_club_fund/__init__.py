"""Club championships and fund games of 2011 to 2014."""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_club_fund.rules import FundGames

    return FundGames()


RULEBOOK = load_built_in("acbl_club_fund/fund-2011.toml", _rules)
