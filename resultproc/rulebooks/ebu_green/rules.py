"""Points for the matches alone that a team or pair won or drew in a Swiss event; green ones are in ``green.toml``."""

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
from resultproc.rulebooks.common.awards import NO_WINS, declared_boards, unpacked, wins_asked, wins_by_place, with_wins
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
        """Yield what is doubtful about some games: keys without an effect, and matches that are too short to pay."""
        yield from super().doubts(edition, games, rows)
        least = edition.entry("match.least-boards")
        short = (games["boards"] < edition.whole(least.path)).to_numpy(dtype=bool, na_value=False)
        yield from ((row, least.remark, "") for row in rows[short[rows]].tolist())

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what matches pay, each rounded by itself, and nothing for places."""
        if not group.special.intersection(self.words):
            what = f"rulebook {edition.book} pays matches: {edition.text('refused.places')}"
            raise DeclarationError(what, hint="then the points of places are added by hand")
        if group.wins == NO_WINS:
            what = "the matches that each won are missing, and points are for these"
            raise wins_asked(what)
        boards = declared_boards(group, "a match pays by its boards", "7")
        if boards < edition.whole("match.least-boards"):
            return Ladder((), 0, edition.values("match.least-boards"), f"matches of {boards} boards: nothing")
        if group.basis.kind is not Kind.MATCHES:
            return Ladder((), 0, edition.values("refused.places"), "places pay by the programme of the event")
        over, under = edition.numbers("match.rate")
        won = ceil(100 * boards * over / under)
        drawn = ceil(won * edition.number("match.drawn"))
        counts = unpacked([group.wins])[0].tolist()
        if any(count % 0.5 for count in counts):
            raise DeclarationError("some of the wins are no whole or half number", hint="a drawn match counts half")
        awards = [int(count) * won + (count % 1 > 0) * drawn for count in counts]
        cited = ["match.rate", "match.drawn", *["match.count"] * (2 * drawn != won)]
        cited += ["match.most-boards"] * (boards > edition.whole("match.most-boards"))
        of_won, of_drawn = (decimal(Fraction(amount, 100)) for amount in (won, drawn))
        factors = f"{of_won} for each match of {boards} boards won, {of_drawn} for a drawn one"
        return field_ladder(edition, [Fraction(award, 100) for award in awards], cited, factors)
