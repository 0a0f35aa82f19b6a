"""Swiss teams in club masterpoint games: match awards alone."""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_club_swiss.rules import ClubSwiss

    return ClubSwiss()


RULEBOOK_2003 = load_built_in("acbl_club_swiss/swiss-2003.toml", _rules)
RULEBOOK_2015 = load_built_in("acbl_club_swiss/swiss-2015.toml", _rules)
