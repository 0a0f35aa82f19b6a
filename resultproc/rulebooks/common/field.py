"""Rules of leagues that pay the places of one field, each by a ladder: what they share.

The field is the section and direction, or all sections together where there are several; nothing is paid for both.
What a regulation leaves open is refused, with what is missing: ``refused.KIND`` of its values says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, categorical
from resultproc.model.basis import NEVER, Kind, Terms, basis_mask
from resultproc.model.errors import DeclarationError
from resultproc.model.game import ACROSS_SECTIONS, UNFINISHED, EventType
from resultproc.model.group import Group, Ladder, Members
from resultproc.rulebooks.common.awards import paying
from resultproc.rulebooks.common.conditions import keys_without_effect
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import OneByOne

_OTHERS = {
    "restrictions": "awards are the same whoever may enter",
    "concurrent_tables": "no game is credited with others",
    "championship": "there are no championships",
}


class FieldRules(OneByOne):
    """Awards for the places of a field.

    kinds: the event types that there are awards for.
    words: the special words that awards may go by.
    """

    kinds: tuple[EventType, ...] = (EventType.PAIRS, EventType.INDIVIDUAL)
    words: tuple[str, ...] = ()
    fields: tuple[str, ...] = (
        *("basis", "level", "has_overall", "rating", "event_type", "sessions", "boards", "scoring", "ranked"),
        *("tables", "full_tables", "one_winner", "special", "session_boards", "weight", "least_award"),
    )

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: sections that have one field are ranked as one, those of each direction apart."""
        return Terms(
            "several sections",
            "direction",
            section_minimum_in_group=NEVER,
            half_tables="event",
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with a column for each of the fields.

        The full tables of a game of two winners are as many as its smaller direction has contestants.
        """
        overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
        game, ranked = groups["game"].to_numpy(), groups["ranked"].to_numpy(dtype=np.int64)
        one_winner = (groups["winners"] == 1).to_numpy()
        per_table = np.where((groups["event_type"] == EventType.INDIVIDUAL.value).to_numpy(), 4, 2)
        top = (groups["level"] == 0).to_numpy()
        smaller = np.full((2, int(game.max(initial=-1)) + 1), np.iinfo(np.int64).max)
        np.minimum.at(smaller, (overall[top].astype(int), game[top]), ranked[top])
        return groups.assign(
            basis=categorical(overall.astype(np.int8), (Kind.SECTION.value, Kind.OVERALL.value)),
            level=groups["strata"].str.contains(",", na=False).astype(np.int64),
            has_overall=np.isin(game, game[overall]),
            boards=groups["boards"].fillna(0).astype(np.int64),
            one_winner=one_winner,
            full_tables=np.where(one_winner, ranked // per_table, smaller[overall.astype(int), game]),
        )

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the awards of one field; DeclarationError for what the regulation leaves open."""
        self.refuse_open(edition, group)
        if group.has_overall and not group.basis.over_all:
            return Ladder((0,) * reach, 0, edition.values("field.sections"), "the field of all sections pays")
        ladder = self.of_field(edition, group, reach)
        below = (0,) * (reach - len(ladder.awards))
        exact = ladder.exact and ladder.exact + tuple(map(Fraction, below))
        return ladder._replace(awards=ladder.awards + below, exact=exact)

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the ladder of a field; as far as ``reach`` what it pays is added."""
        raise NotImplementedError

    def refuse_open(self, edition: Edition, group: Group) -> None:
        """Raise DeclarationError for a kind of game that the regulation leaves open."""
        words = sorted(group.special - {ACROSS_SECTIONS, UNFINISHED, *self.words})
        if words:
            what = f"special: '{words[0]}' has no meaning for the awards of rulebook {edition.book}"
            raise DeclarationError(what, hint="leave it out, or correct rating")
        kind = "strata" if group.level else "sessions" if group.sessions > 1 else group.event_type
        path = f"refused.{kind}"
        if path in edition.entries:
            named = {"strata": "lower strata", "sessions": f"an event of {group.sessions} sessions"}
            kind = named.get(kind, f"{kind} events")
            what = f"rulebook {edition.book} has no awards for {kind}: {edition.text(path)}"
            raise DeclarationError(what, hint="rank it without awards, or state the rule in a rulebook of your own")
        if group.event_type not in self.kinds:
            what = f"rulebook {edition.book} has no awards for {group.event_type} events"
            raise DeclarationError(what, hint=f"it has for {', '.join(self.kinds)}")

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games: keys that change nothing."""
        yield from keys_without_effect(games, rows, _OTHERS)


def field_ladder(
    edition: Edition,
    awards: Sequence[int],
    paths: Sequence[str],
    first: str,
    factors: str = "",
    exact: Sequence[Fraction] = (),
) -> Ladder:
    """Return the ladder of a field: what its places pay, in hundredths, the values that made it, and how it came about.

    first: what the first award is, as sheets print it.
    exact: what the places pay before it is rounded, for a reading by which ties share that.
    """
    if "ties.average" not in edition.entries or edition.text("ties.average") == "after rounding":
        exact = ()
    shown = f"first {first}{f' ({factors})' if factors else ''}; {paying(len(awards))}"
    return Ladder(tuple(awards), len(awards), edition.values(*paths), shown, tuple(exact))


def share_of_field(number: int, share: Fraction, *, up: bool) -> int:
    """Return a share of a number of contestants, as a whole number: rounded up, or down."""
    part = share * number
    return -(-part.numerator // part.denominator) if up else part.numerator // part.denominator
