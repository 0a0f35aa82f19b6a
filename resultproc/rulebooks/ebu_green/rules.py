"""Green points for the matches that a team or pair won or drew in a Swiss event; the figures are in ``green.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import Kind, Terms
from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType
from resultproc.model.group import Group, Ladder, Members
from resultproc.rulebooks.common.awards import NO_WINS, declared_boards, unpacked, wins_by_place, with_wins
from resultproc.rulebooks.common.exact import decimal
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.core import Edition


class GreenRules(FieldRules):
    """A part of a point for each match won, by its boards, and half of it for a drawn one; nothing for places."""

    kinds = (EventType.SWISS,)
    words = ("matches-alone",)
    fields: tuple[str, ...] = (*FieldRules.fields, "wins")

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: all are compared by the matches that they won."""
        return super().terms(edition)._replace(overall="none", matches=True)

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with the matches that each place won, in all groups of a game that says them.

        A match pays alike in all strata.
        """
        wins = wins_by_place(groups, members)
        measured = super().measured(edition, groups, members)
        return with_wins(measured.assign(basis=groups["basis"], level=0, wins=wins))

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
        """Yield what is doubtful about some games: keys without an effect, and lengths of matches."""
        yield from super().doubts(edition, games, rows)
        least, point = edition.entry("match.least-boards"), edition.whole("match.boards")
        longer = f"matches of more than {point} boards, which no source has, pay by the same rule"
        for row, boards in zip(rows.tolist(), games["boards"].iloc[rows].fillna(point), strict=True):
            if not edition.whole(least.path) <= boards <= point:
                yield row, longer if boards > point else least.remark, ""

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what matches pay, each rounded by itself, and nothing for places."""
        if not group.special.intersection(self.words):
            what = f"rulebook {edition.book} pays matches: {edition.text('refused.places')}"
            raise DeclarationError(what, hint="then the green points of places are added by hand")
        if group.wins == NO_WINS:
            what = "the matches that each won are missing, and green points are for these"
            raise DeclarationError(what, hint="write a column wins; a tied match counts half")
        boards = declared_boards(group, "a match pays by its boards", "7")
        if boards < edition.whole("match.least-boards"):
            return Ladder((), 0, edition.values("match.least-boards"), f"matches of {boards} boards: nothing")
        if group.basis.kind is not Kind.MATCHES:
            return Ladder((), 0, edition.values("refused.places"), "places pay by the programme of the event")
        won = ceil(100 * boards / edition.number("match.boards"))
        drawn = ceil(won * edition.number("match.drawn"))
        counts = unpacked([group.wins])[0].tolist()
        if any(count % 0.5 for count in counts):
            raise DeclarationError("some of the wins are no whole or half number", hint="a drawn match counts half")
        awards = [int(count) * won + (count % 1 > 0) * drawn for count in counts]
        cited = ["match.boards", "match.drawn", *["match.count"] * (2 * drawn != won and counts[0] >= 1)]
        of_won, of_drawn = (decimal(Fraction(amount, 100)) for amount in (won, drawn))
        factors = f"{of_won} for each match of {boards} boards won, {of_drawn} for a drawn one"
        return field_ladder(edition, [Fraction(award, 100) for award in awards], cited, factors)
