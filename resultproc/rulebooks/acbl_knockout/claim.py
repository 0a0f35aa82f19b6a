"""What a ladder of a knockout depends on, and what that says of the event."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from resultproc.model.errors import DeclarationError
from resultproc.model.game import COMPACT_KNOCKOUT
from resultproc.rulebooks.acbl_general_formula.event import Event, require, words
from resultproc.rulebooks.core import Edition

_TEXTS = ("rating", "event_type", "restrictions", "special", "championship")


class Claim(NamedTuple):
    """What a ladder depends on. The game keys stand as declared, '' for none.

    overall: whether these are the overall awards or those for matches. knockout: the run of the teams that it is for,
    and the brackets, see :mod:`resultproc.model.knockout`. boards: per match, 0 where they are not declared.
    """

    overall: bool
    knockout: str
    event_limit: float
    sessions: int
    boards: int
    rating: str
    event_type: str
    restrictions: str
    special: str
    championship: str


def claims(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the claim of each comparison group, as a frame."""
    frame = groups[list(_TEXTS)].astype("str").fillna("")
    frame = frame.assign(
        overall=groups["basis"].astype("str") == "overall",
        knockout=groups["knockout"].astype("str").fillna(""),
        event_limit=groups["event_limit"],
        sessions=groups["sessions"].astype("int64"),
        boards=groups["boards"].fillna(0).astype("int64"),
    )
    return frame[list(Claim._fields)]


def event_of(claim: Claim) -> Event:
    """Return what a claim says of its event, as the General Formula takes it."""
    return Event(claim.rating, claim.event_type, claim.sessions, len(words(claim.restrictions)), words(claim.special))


def is_compact(claim: Claim) -> bool:
    """Return whether this is a compact knockout."""
    return COMPACT_KNOCKOUT in words(claim.special)


def boards_of(edition: Edition, claim: Claim, teams: int) -> int:
    """Return the boards of a match in a bracket that so many teams entered.

    In a compact knockout, few teams play full matches: of twice the boards that are declared. Raises DeclarationError
    where no boards are declared, and where they are not those of a compact knockout that is declared as one.
    """
    require(str(claim.boards or ""), "boards", "the awards of a knockout depend on the boards per match", "24")
    if not is_compact(claim):
        return claim.boards
    least, most = edition["compact.boards"]
    if not least <= claim.boards <= most:
        raise DeclarationError(
            f"boards is {claim.boards}, but a compact knockout has matches of {least} to {most} boards",
            hint="mend boards, or leave compact-knockout out of special",
        )
    return claim.boards * (2 if teams <= edition["compact.full-until"] else 1)
