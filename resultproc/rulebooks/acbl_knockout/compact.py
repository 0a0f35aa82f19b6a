"""Compact knockouts: matches of half the length, and fewer places."""

from __future__ import annotations

from resultproc.model.errors import DeclarationError
from resultproc.model.game import COMPACT_KNOCKOUT
from resultproc.model.group import Group
from resultproc.rulebooks.common.matches import declared_boards
from resultproc.rulebooks.core import Edition


def is_compact(group: Group) -> bool:
    """Return whether this is a compact knockout."""
    return COMPACT_KNOCKOUT in group.special


def boards_of(edition: Edition, group: Group, teams: int) -> int:
    """Return the boards of a match in a bracket that so many teams entered.

    In a compact knockout, few teams play full matches: of twice the boards that are declared. Raises DeclarationError
    where no boards are declared, and where they are not those of a compact knockout that is declared as one.
    """
    boards = declared_boards(group, "the awards of a knockout depend on the boards per match", "24")
    if not is_compact(group):
        return boards
    least, most = edition.numbers("compact.boards")
    if not least <= boards <= most:
        raise DeclarationError(
            f"boards is {boards}, but a compact knockout has matches of {least} to {most} boards",
            hint="correct boards, or leave compact-knockout out of special",
        )
    full = teams <= edition.number("compact.full-until")
    return boards * edition.whole("compact.full-match") if full else boards
