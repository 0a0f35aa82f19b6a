"""The colours of pictures: one that means something means it in every one of them."""

from __future__ import annotations

from collections.abc import Mapping

from resultproc.model.game import Rating

OF_RATINGS: Mapping[str, str] = {
    Rating.CLUB_OPEN: "#1c8258",
    Rating.CLUB_INVITATIONAL: "#279d99",
    Rating.CLUB_RESTRICTED: "#59992c",
    Rating.CLUB_NEWCOMER: "#6d751d",
    Rating.CLUB_CHAMPIONSHIP: "#246ece",
    Rating.CLUB_FUND: "#2498ca",
    Rating.CLUB_APPRECIATION: "#5959d5",
    Rating.CLUB_ONLINE: "#9d70db",
    Rating.UNIT_CHAMPIONSHIP: "#a23bb2",
    Rating.STAC: "#7f8a9a",
    Rating.SECTIONAL: "#d75ea4",
    Rating.REGIONAL: "#cd2c2c",
    Rating.REGIONAL_AT_NABC: "#e26319",
    Rating.NATIONAL: "#a0740d",
}
"""Of the classes of game; each can be told from the page, light or dark."""

OTHER = "#808080"
"""Of whatever has no colour of its own, such as games without a rating."""
