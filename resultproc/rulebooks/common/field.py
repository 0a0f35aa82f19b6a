"""Rules of leagues that pay the places of one field, each by a ladder: what they share.

The field is the section and direction, or all sections together where there are several; nothing is paid for both.
What a regulation leaves open is refused, with what is missing: ``refused.KIND`` of its values says it. Lower strata are
paid where ``strata.share`` says which part of a ladder of their own size each pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, categorical
from resultproc.model.basis import NEVER, Kind, Terms, basis_mask
from resultproc.model.errors import DeclarationError
from resultproc.model.game import ACROSS_SECTIONS, UNFINISHED, EventType
from resultproc.model.group import Group, Ladder, Members
from resultproc.model.provenance import Values
from resultproc.model.whose_points import in_points
from resultproc.rulebooks.common.awards import paying
from resultproc.rulebooks.common.conditions import keys_without_effect
from resultproc.rulebooks.common.exact import factor_text, half_up, hundredths, reached
from resultproc.rulebooks.core import Edition, NumberRow
from resultproc.rulebooks.regulation import OneByOne

_OTHERS = {
    "restrictions": "awards are the same whoever may enter",
    "concurrent_tables": "no game is credited with others",
    "championship": "there are no championships",
}


_SHARE = "strata.share"


def _shares(edition: Edition) -> Sequence[NumberRow]:
    """Return which part of its ladder each lower stratum pays, from a level on: nothing where strata are refused."""
    return edition.rows(_SHARE) if _SHARE in edition.entries else ()


class FieldRules(OneByOne):
    """Awards for the places of a field."""

    kinds: tuple[EventType, ...] = (EventType.PAIRS, EventType.INDIVIDUAL)  # the event types that there are awards for
    words: tuple[str, ...] = ()  # the special words that awards may go by
    by_rank = True
    fields: tuple[str, ...] = (
        *("basis", "level", "has_overall", "rating", "event_type", "sessions", "boards", "scoring", "ranked"),
        *("tables", "full_tables", "one_winner", "special", "session_boards"),
    )

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: sections that have one field are ranked as one, those of each direction apart."""
        least = 1 if _shares(edition) else NEVER
        return Terms(
            "several sections",
            "direction",
            section_minimum_in_group=least,
            overall_minimum_in_group=least,
            half_tables="event",
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with a column for each of the fields.

        The full tables of a game of two winners are as many as its smaller direction has contestants in the stratum;
        a lower stratum counts its full tables alone.
        """
        overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
        game, level, one_winner = groups["game"].to_numpy(), groups["level"].to_numpy(), groups["winners"] == 1
        per_table = np.where(groups["event_type"] == EventType.INDIVIDUAL.value, 4, 2)
        smaller = groups["ranked"].groupby([overall, level, game]).transform("min")
        full = smaller.mask(one_winner, groups["ranked"] // per_table).astype(np.int64)
        return groups.assign(
            tables=groups["tables"].where(level == 0, full),
            basis=categorical(overall.astype(np.int8), (Kind.SECTION.value, Kind.OVERALL.value)),
            level=level if _shares(edition) else groups["strata"].str.contains(",", na=False).astype(np.int64),
            has_overall=np.isin(game, game[overall]),
            boards=groups["boards"].fillna(0).astype(np.int64),
            one_winner=one_winner,
            full_tables=full,
        )

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the awards of one field; DeclarationError for what the regulation leaves open."""
        self.refuse_open(edition, group)
        if group.has_overall and not group.basis.over_all:
            return Ladder((0,) * reach, 0, edition.values("field.sections"), "the field of all sections pays")
        ladder = self.of_field(edition, group, reach)
        if group.level:
            ladder = _of_stratum(edition, group.level, ladder)
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
        kind = (
            "strata" if group.level and not _shares(edition) else "sessions" if group.sessions > 1 else group.event_type
        )
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


def field_ladder(edition: Edition, points: Sequence[Fraction | int], paths: Sequence[str], factors: str = "") -> Ladder:
    """Return the ladder of a field: what its places pay, rounded to the hundredth, and how it came about.

    points: what the places pay, before it is rounded. paths: of the values that made it.
    """
    awards = tuple(hundredths(Fraction(each)) for each in points)
    unrounded = "ties.average" in edition.entries and edition.text("ties.average") == "before rounding"
    exact = tuple(Fraction(100 * each) for each in points if unrounded)
    first = in_points(awards[0] if awards else 0, edition.league)
    shown = f"first {first}{f' ({factors})' if factors else ''}; {paying(len(awards))}"
    return Ladder(awards, len(awards), edition.values(*paths), shown, exact)


def _of_stratum(edition: Edition, level: int, ladder: Ladder) -> Ladder:
    """Return the ladder of a lower stratum: a part of the awards of a field of its size, rounded as ties are.

    level: 1 for the stratum below the top.
    """
    unit = edition.sharing.unit
    _, over, under = reached(_shares(edition), level) or (0, Fraction(1), 1)
    round_ = ceil if edition.sharing.up else half_up
    awards = [round_(award * over / under / unit) * unit for award in ladder.awards]
    shown = f"{ladder.factors}; x {factor_text(over / under)} in this stratum"
    return Ladder(tuple(awards), ladder.depth, Values.of((*ladder.values.items, *edition.values(_SHARE).items)), shown)
