"""Virtual club games."""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_online_club.rules import OnlineClubRules

    return OnlineClubRules()


RULEBOOK = load_built_in("acbl_online_club/online.toml", _rules)
