"""Club masterpoint games: ACBL Handbook, chapter 4, and from 2023 on, where they pay by the boards played.

The figures are in ``club.toml`` and ``club-2023.toml``.
"""

from __future__ import annotations

from resultproc.rulebooks.load import load_built_in
from resultproc.rulebooks.regulation import Rules


def _rules() -> Rules:
    from resultproc.rulebooks.acbl_club.rules import ClubRules

    return ClubRules()


RULEBOOK = load_built_in("acbl_club/club.toml", _rules)
RULEBOOK_2023 = load_built_in("acbl_club/club-2023.toml", _rules)
