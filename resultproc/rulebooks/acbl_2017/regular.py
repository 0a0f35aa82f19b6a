"""Regular club games of 2017: a percentage of the open rate, by the upper limit. See ``regular.toml``."""

from __future__ import annotations

from dataclasses import replace

from resultproc.model.terms import Terms
from resultproc.rulebooks.acbl_club.rules import ClubRules
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import load_built_in


class RegularGames(ClubRules):
    """The awards of regular club games of 2017."""

    classes = (*ClubRules.classes, "pupil")
    own_classes = ("pupil", *ClubRules.own_classes)

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        return replace(super().terms(edition), section_minimum_in_group=edition.whole("stratum.least-in-group"))


RULEBOOK = load_built_in("acbl_2017/regular.toml", RegularGames())
