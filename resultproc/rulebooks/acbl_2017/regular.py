"""Regular club games of 2017: a percentage of the open rate, by the upper limit. See ``regular.toml``."""

from __future__ import annotations

from resultproc.rulebooks.acbl_club.rules import ClubRules
from resultproc.rulebooks.load import load_built_in

RULEBOOK = load_built_in("acbl_2017/regular.toml", ClubRules())
