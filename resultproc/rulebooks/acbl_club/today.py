"""Club masterpoint games from 2023 on, which pay by the boards played. The figures are in ``club-2023.toml``."""

from __future__ import annotations

from resultproc.rulebooks.acbl_club.rules import ClubRules
from resultproc.rulebooks.load import load_built_in

RULEBOOK = load_built_in("acbl_club/club-2023.toml", ClubRules())
