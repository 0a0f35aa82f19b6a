"""What lower places get in a session, as a share of the first award."""

from __future__ import annotations

from fractions import Fraction

from resultproc.rulebooks.common.curve import percent_share
from resultproc.rulebooks.common.exact import root
from resultproc.rulebooks.core import Edition


def session_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session, as a share of the first award."""
    return percent_share(edition.numbers("session.percentages"), place)


def across_share(edition: Edition, place: int) -> Fraction:
    """Return what a place gets in a session that is scored across sections, as a share of the first award."""
    if place <= 1 + len(edition.numbers("session.percentages")):
        return session_share(edition, place)
    return 1 / root(place * root(edition.number("session.across.lower") * (place - 1)))
