"""The first overall award of a bracket: B x K x L x M x P, what changes it, and the cap under the bracket above.

A bracket counts its own teams and a part of those in lower brackets; compact knockouts have fewer boards in a match.
Comparison groups of knockouts as their ladders need them: with their brackets and these awards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isnan
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    categorical,
    dense_codes,
    distinct_keys,
    distinct_rows,
    expand_counts,
    factorize_objects,
    first_rows,
    run_starts,
)
from resultproc.model.basis import MATCHES, basis_mask
from resultproc.model.errors import DeclarationError, InputError, RulebookError
from resultproc.model.game import COMPACT_KNOCKOUT, EventType
from resultproc.model.group import Group, Groups, Knockouts
from resultproc.rulebooks.common.awards import First, MatchKind, b_factor, declared_boards, match_product
from resultproc.rulebooks.common.conditions import (
    Championship,
    championship_first,
    championship_of,
    minimum_of,
    restrictions_of,
)
from resultproc.rulebooks.common.exact import exceeds, factor_text, least_float, rounded
from resultproc.rulebooks.core import Edition, cached_per_edition
from resultproc.rulebooks.regulation import result_or_error


@dataclass(frozen=True)
class Count:
    """How the teams of an event count for one bracket."""

    own: int  # those of the bracket itself, which count in full
    half: int  # those of lower brackets that count by this part
    third: int  # those of others
    fifth: int  # and of others
    credit: Fraction = Fraction(1)  # the part of what the lower ones add that is credited

    @property
    def lower(self) -> bool:
        """Whether teams of lower brackets count."""
        return bool(self.half or self.third or self.fifth)

    def tables(self, edition: Edition) -> Fraction:
        """Return the tables that the bracket counts."""
        half, third, fifth = edition.numbers("tables.shares")
        return self.own + self.credit * (self.half / half + self.third / third + self.fifth / fifth)

    def factors(self, edition: Edition) -> str:
        """Return how the tables came about, as a person reads it: ``16 + 16/2 + 34/3 + 30/5``; '' for its own alone."""
        shares = zip((self.half, self.third, self.fifth), edition.numbers("tables.shares"), strict=True)
        parts = [f"{count}/{share}" for count, share in shares if count]
        if not parts or not self.credit:
            return ""
        lower = " + ".join(parts)
        return f"{self.own} + {lower if self.credit == 1 else f'{factor_text(self.credit)} x ({lower})'}"


def counted_teams(edition: Edition, event: Ints, place: Ints, teams: Ints) -> Ints:
    """Return how the teams of an event count for each of its brackets, before the weak ones are credited with less.

    The rows are those of :class:`Count`: the teams that count in full, by half, third and fifth.

    event, place, teams: of every bracket of some events, in the order of the events and their places.

    A bracket goes by its own teams; where a flight was split into groups, by those of the largest group. The top
    bracket counts the lower teams in bands of 1/2, 1/3 and 1/5. A lower one counts at 1/3 the teams that the bracket
    above counted at 1/2 and 1/3, less its own, and at 1/5 the rest below it.
    """
    slot, first = slots(event, place)
    own = np.maximum.reduceat(teams, first)
    of_event, level = event[first], place[first]
    entered = np.add.reduceat(teams, first)
    above = np.cumsum(entered)
    lower = np.bincount(event, teams).astype(np.int64)[of_event] - (above - (above - entered)[level == 0][of_event])
    half, third = np.zeros_like(own), np.zeros_like(own)
    top = level == 0
    half[top] = np.minimum(lower[top], edition.whole("tables.half-band"))
    most = edition.whole("tables.third-band") - half
    if edition.text("tables.third-reading") != "up to the 50th team":
        most += half
    third[top] = np.minimum((lower - half)[top], most[top])
    for number in range(1, int(level.max()) + 1):
        at = np.flatnonzero(level == number)
        third[at] = np.minimum(lower[at], np.maximum((half + third)[at - 1] - own[at], 0))
    return np.stack([own, half, third, lower - half - third])[:, slot]


def slots(event: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Return the number of each bracket's event and place among all, and the first bracket of each.

    That before it is the place above in the same event.
    """
    new = run_starts(event, place)
    return np.cumsum(new) - 1, np.flatnonzero(new)


def by_top(edition: Edition, path: str, top: Floats) -> Ints:
    """Return which line of a rulebook's table each top team's average holding falls into, -1 for one that is not known.

    path: of the table; its lines begin with the least holding, the highest first.
    top: the average holdings of the top teams in masterpoints, NaN where not known.
    Raises RulebookError where there is none.
    """
    least = np.array([least_float(least) for least, *_ in edition.rows(path)])
    reaches = top[:, None] >= least
    if (~np.isnan(top) & ~reaches.any(axis=1)).any():
        what = f"rulebook {edition.book}: {path} has no line for every average holding"
        raise RulebookError(what, hint="let the last line begin with 0")
    return np.where(np.isnan(top), -1, reaches.argmax(axis=1))


def counted_paths(edition: Edition, count: Count) -> tuple[str, ...]:
    """Return the paths of the values that a count depends on."""
    if not count.lower:
        return ()
    weak = edition.inferred("tables.weak") if count.credit == 1 else ("tables.weak",)
    bands = edition.inferred("tables.half-band", "tables.third-band")
    return ("tables.shares", *(("tables.third-reading",) if count.third or count.fifth else ()), *weak, *bands)


def holdings_missing(place: int, why: str) -> DeclarationError:
    """Return the error of a bracket whose players' holdings are not all known."""
    what = f"a player in bracket {place + 1} has no holding, and {why}"
    return DeclarationError(what, hint="write mp1, mp2, ... for every player")


def is_compact(group: Group) -> bool:
    """Return whether this is a compact knockout."""
    return COMPACT_KNOCKOUT in group.special


def boards_of_match(edition: Edition, group: Group, teams: int) -> int:
    """Return the boards of a match in a bracket.

    In a compact knockout, few teams play full matches: of twice the boards that are declared.
    Raises DeclarationError where no boards are declared, and where they are not those of a compact knockout that is
    declared as one.
    """
    boards = declared_boards(group, "the awards of a knockout depend on the boards per match", "24")
    if not is_compact(group):
        return boards
    least, most = edition.numbers("compact.boards")
    if not least <= boards <= most:
        what = f"boards is {boards}, but a compact knockout has matches of {least} to {most} boards"
        raise DeclarationError(what, hint="correct boards, or leave compact-knockout out of special")
    full = teams <= edition.number("compact.full-until")
    return boards * edition.whole("compact.full-match") if full else boards


def match_kind(edition: Edition, group: Group, teams: int, limit: float) -> MatchKind:
    """Return what L x M x P goes by for a bracket; DeclarationError for boards that are not declared.

    limit: the upper limit of its flight, NaN for none of its own; it is never above the event's.
    """
    boards = boards_of_match(edition, group, teams)
    upper = group.event_limit if isnan(limit) else min(limit, group.event_limit)
    return MatchKind(group.rating, boards, upper, group.special, len(restrictions_of(edition, group)))


def first_awards(
    edition: Edition, groups: Sequence[Group], which: Ints, knockouts: Knockouts, bracket: Ints
) -> tuple[Ints, list[First | InputError]]:
    """Return the number of the first award of each bracket, and these awards, unrounded.

    groups: what the events declare.
    which: for each bracket, the number of its event's group.
    knockouts: all brackets of the events, as awards depend on those above and below.
    bracket: the brackets that are asked about, by their rows in ``knockouts``.

    An error stands for the award of a bracket whose event does not declare what it depends on, or that is below such a
    bracket.
    """
    events = _Events.of(edition, groups, which, knockouts, bracket)
    number, awards = _formulas(edition, events)
    if events.championship.any():
        number = _championships(edition, events, number, awards)
    slot, first = slots(events.number, events.place)
    for place in range(1, int(events.place.max()) + 1):
        at = np.flatnonzero((events.place == place) & ~events.championship)
        number[at] = _capped(edition, awards, number[at], number[first[slot[at] - 1]])
    return number[events.asked], awards


@dataclass(frozen=True)
class _Events:
    """All brackets of the events that are asked about, a row for each, in the order of the events and their places."""

    groups: Sequence[Group]  # what the events declare
    knockouts: Knockouts  # the brackets of many more events
    group: Ints  # for each bracket, the number of its event's group
    number: Ints  # for each bracket, the number of its event
    bracket: Ints  # its row in ``knockouts``
    asked: Ints  # the row of each bracket that was asked about
    # The championship of each group, None for none, an error for one that is not known.
    named: Sequence[Championship | InputError | None]

    @classmethod
    def of(cls, edition: Edition, groups: Sequence[Group], which: Ints, knockouts: Knockouts, bracket: Ints) -> _Events:
        event = knockouts.event[bracket]
        number, at = distinct_keys(which, event)
        start = knockouts.start[event[at]]
        count = knockouts.start[event[at] + 1] - start
        of, place = expand_counts(count)
        asked = (np.cumsum(count) - count)[number] + bracket - start[number]
        named = [result_or_error(partial(championship_of, edition, group.championship)) for group in groups]
        return cls(groups, knockouts, which[at][of], of, start[of] + place, asked, named)

    @property
    def championship(self) -> Bools:
        return np.array([each is not None for each in self.named], dtype=bool)[self.group]

    @property
    def place(self) -> Ints:
        return self.knockouts.place[self.bracket]

    @property
    def teams(self) -> Ints:
        return self.knockouts.teams[self.bracket]

    @property
    def limit(self) -> Floats:
        """The upper limit of its flight, NaN for none."""
        return self.knockouts.limit[self.bracket]

    def of_groups(self, what: Callable[[Group], Any]) -> npt.NDArray[Any]:
        return np.array([what(group) for group in self.groups])[self.group]


def _formulas(edition: Edition, events: _Events) -> tuple[Ints, list[First | InputError]]:
    """Return the number of each bracket's award by its tables and those that it is credited with, and these awards.

    The award of a top bracket is higher where its players hold very many masterpoints.
    """
    counts = counted_teams(edition, events.number, events.place, events.teams)
    kind, kinds = _kinds(edition, events)
    credited = np.flatnonzero(counts[1:].any(axis=0))
    line = np.full(len(kind), _ALL_OF_IT, dtype=np.int64)
    line[credited] = by_top(edition, "tables.weak", events.knockouts.top[events.bracket[credited]])
    entered = np.bincount(events.number, events.teams)[events.number]
    top = events.place == 0
    large = top & (entered >= least_float(edition.number("minimum.event")))
    # An event that is so short for its rating is paid less.
    ratings, sessions = edition.words("reduced.ratings"), edition.whole("reduced.sessions")
    short = events.of_groups(lambda group: group.rating in ratings and group.sessions == sessions)
    # A top bracket whose players hold very many masterpoints is paid more, where that is known.
    above = edition.number("prestige.above")
    matters = top & exceeds(np.fmin(events.limit, events.of_groups(lambda group: group.event_limit)), above)
    average = events.knockouts.average[events.bracket]
    prestige, lacking = matters & exceeds(average, above), matters & np.isnan(average)
    split = events.of_groups(lambda group: bool(group.other_site_tables))
    flags = large, short & ~events.championship, prestige, split, events.championship, ~top
    place = np.where(lacking | (line == -1), events.place, 0)
    keys: list[npt.NDArray[Any]] = [*counts, line, kind, *flags, lacking, place]
    number, at = distinct_keys(*keys)
    awards: list[First | InputError] = []
    each = (zip(*(values[at].tolist() for values in several), strict=True) for several in (counts, flags))
    told = zip(*each, *(values[at].tolist() for values in (line, kind, lacking, place)), strict=True)
    for teams, of_flags, line_of, kind_of, lacks, of in told:
        if line_of == -1:
            awards.append(holdings_missing(of, "its credit for lower brackets depends on its top team"))
        elif isinstance(kinds[kind_of], InputError):
            awards.append(kinds[kind_of])
        elif lacks:
            awards.append(holdings_missing(of, "the award of the top bracket depends on the average"))
        else:
            awards.append(result_or_error(partial(_of_tables, edition, teams, line_of, kinds[kind_of], *of_flags)))
    return number, awards


_ALL_OF_IT = -2
"""What stands for a line of the table of weak brackets where no lower teams count."""


def _kinds(edition: Edition, events: _Events) -> tuple[Ints, list[MatchKind | InputError]]:
    number, at = distinct_rows(pd.DataFrame({"group": events.group, "teams": events.teams, "limit": events.limit}))
    told = zip(*(each[at].tolist() for each in (events.group, events.teams, events.limit)), strict=True)
    same, kinds = factorize_objects(
        result_or_error(partial(match_kind, edition, events.groups[of], teams, limit)) for of, teams, limit in told
    )
    return same[number], kinds


@cached_per_edition
def _of_tables(
    edition: Edition,
    teams: tuple[int, int, int, int],
    line: int,
    kind: MatchKind,
    large: bool,
    short: bool,
    prestige: bool,
    split: bool,
    alone: bool,
    below: bool,
) -> First:
    """Return the award of a bracket in matches of some kind.

    teams: those that it counts in full, by half, third and fifth.
    line: that of the table of weak brackets which says how much of the lower ones is credited.
    large: whether it is the top bracket of an event so large that it counts a least number of tables.
    split: whether the event is held at two sites.
    alone: whether it is a championship, which has no brackets.
    below: whether there is a bracket above it.
    """
    count = Count(*teams, Fraction(1) if line == _ALL_OF_IT else edition.rows("tables.weak")[line][1])
    tables, paths = count.tables(edition), counted_paths(edition, count)
    least = edition.number("minimum.tables")
    raised = large and tables < least
    if raised:
        tables, paths = least, (*paths, "minimum.tables")
    factors = "" if raised else count.factors(edition)
    of_tables = f"{factor_text(tables, 2)} tables"
    b = b_factor(
        edition, tables, f"as for {of_tables}" if raised else f"{factors} = {of_tables}" if factors else of_tables
    )
    rest = match_product(edition, "k", kind)
    first = First(b.value * rest.award, f"{b} x {rest.factors}", (*b.cited, *rest.cited, *paths))
    if not alone:
        first = first.also_by(*edition.inferred(*_deciding(edition, count, kind, below)))
    first = first.times(edition.number("reduced.factor"), "reduced.factor") if short else first
    first = first.times(edition.number("prestige.factor"), "prestige.factor") if prestige else first
    return first.times(edition.number("split.all"), "split.all") if split else first


def _deciding(edition: Edition, count: Count, kind: MatchKind, below: bool) -> Iterator[str]:
    """Yield the paths of values that decided about a bracket's award even where they did not change it."""
    if kind.rating in edition.words("reduced.ratings"):
        yield "reduced.sessions"
    if COMPACT_KNOCKOUT in kind.special:
        yield from ("compact.full-until", "compact.full-match")
    if below:
        # The cap goes by the award of the bracket above, which is credited with the teams of lower ones.
        yield from ("cap.factor", "tables.shares", "tables.weak", "tables.half-band", "tables.third-band")
    else:
        yield "prestige.above"
    if below or count.tables(edition) <= edition.number("minimum.tables"):
        yield from ("minimum.event", "minimum.tables")


def _capped(edition: Edition, awards: list[First | InputError], own: Ints, above: Ints) -> Ints:
    """Return the numbers of the awards of lower brackets, each at most a part of that of the bracket above.

    own: the number of the award of each by its tables.
    above: of the bracket above.
    awards: more of them are appended.
    """
    number, at = distinct_keys(own, above)
    found = own[at]
    for row, (first, cap) in enumerate(zip(found.tolist(), above[at].tolist(), strict=True)):
        capped = _at_most(edition, awards[first], awards[cap])
        if capped is not awards[first]:
            found[row] = len(awards)
            awards.append(capped)
    return found[number]


def _at_most(edition: Edition, first: First | InputError, above: First | InputError) -> First | InputError:
    """Return an award that is capped by that of the bracket above, or what is wrong with that one."""
    if isinstance(first, InputError) or isinstance(above, InputError):
        return first if isinstance(first, InputError) else above
    cap = _cap(edition, above.award)
    if isinstance(cap, InputError):
        return cap
    most, shown = cap
    if first.award <= most:
        return first
    factors = f"{shown} of the bracket above, less than {first.factors}"
    return First(most, factors, (*first.cited, *above.cited, "cap.factor"))


@cached_per_edition
def _cap(edition: Edition, above: Fraction) -> tuple[Fraction, str] | InputError:
    """Return the most that a bracket gets below one with a first award, and what that is; or what is wrong with it."""
    first, factor = result_or_error(partial(rounded, above)), edition.number("cap.factor")
    if isinstance(first, InputError):
        return first
    return first * factor, f"{factor_text(factor)} of the {factor_text(first, 2)}"


def _championships(edition: Edition, events: _Events, formula: Ints, awards: list[First | InputError]) -> Ints:
    """Return the numbers of the awards with those of championships.

    formula: the number of each bracket's award by the formula. awards: more of them are appended.
    """
    rows = np.flatnonzero(events.championship)
    several = np.bincount(events.number)[events.number] > 1
    keys = [values[rows] for values in (events.group, events.teams, several.astype(np.int64), formula)]
    number, at = distinct_keys(*keys)
    start = len(awards)
    for group, teams, more, of in zip(*(values[at].tolist() for values in keys), strict=True):
        named = events.named[group]
        if isinstance(named, Championship):
            make = partial(_championship, edition, events.groups[group], named, teams, awards[of], several=bool(more))
            awards.append(result_or_error(make))
        elif named is not None:
            awards.append(named)
    found = formula.copy()
    found[rows] = start + number
    return found


def _championship(
    edition: Edition,
    group: Group,
    championship: Championship,
    teams: int,
    formula: First | InputError,
    *,
    several: bool,
) -> First:
    """Return the first award of an NABC or WBF championship: a fixed one, or the formula's up to a maximum.

    several: whether the event has several brackets.
    """
    # One that names no event type may be played as a knockout: its awards are those of its rating.
    if championship.event_type not in {"", EventType.KNOCKOUT}:
        raise DeclarationError(f"{group.championship} is not a knockout", hint="correct event_type or championship")
    if not championship.by_formula and group.rating != "national":
        what = f"rating is '{group.rating}', but {group.championship} has 'national'"
        raise DeclarationError(what, hint="correct rating or championship")
    if several:
        raise DeclarationError(f"{group.championship} has no brackets", hint="put all teams in one section")
    first, minimum = championship_first(championship, formula), minimum_of(edition, championship)
    if championship.by_formula or not minimum:
        return first
    # A fixed award is less where few teams entered.
    rule = f"championship-minimum.knockout-{minimum}"
    least, value = next((least, value) for least, value in edition.rows(rule) if teams >= least)
    if least == edition.rows(rule)[0][0]:
        return first.also_by(*edition.inferred(rule))
    # The table gives the first award of events that have its first line with many teams, and others their part of it.
    part = value / edition.rows(rule)[0][1] if minimum == "first" else value
    reduced = first.award * part
    return First(reduced, f"{first.factors}, with {teams} teams {factor_text(reduced, 2)}", (*first.cited, rule))


EVENT = (
    *("event_limit", "rating", "event_type", "sessions", "boards", "restrictions", "special", "championship"),
    "other_site_tables",
)
"""The fields of a group that its awards depend on and that its event declares."""


@dataclass(frozen=True, eq=False)
class Brackets:
    """The brackets of some knockouts, and their first awards, unrounded, each distinct one once, or what is wrong."""

    knockouts: Knockouts
    firsts: Sequence[First | InputError]


def knockouts_of(frame: pd.DataFrame) -> Knockouts:
    """Return what the column ``knockout`` of a frame of knockouts has: it is the same for all."""
    (found,) = frame["knockout"].cat.categories
    assert isinstance(found, Knockouts)
    return found


def brackets_of(groups: Groups) -> Brackets:
    """Return what the column ``brackets`` of groups that are split has: it is the same for all."""
    (found,) = groups.frame["brackets"].cat.categories
    assert isinstance(found, Brackets)
    return found


def with_brackets(edition: Edition, groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the bracket that they played in, its first award, and their finish.

    How a bracket went counts, and what its first award is: few are different. For teams that are compared by matches it
    counts how many they won, and the teams, rounds and limit of their bracket.
    """
    knockouts = knockouts_of(groups)
    run = groups["run"].to_numpy()
    bracket, finish = knockouts.played[run], knockouts.ended[run]
    by_matches = basis_mask(groups["basis"], lambda basis: basis == MATCHES)
    overall = np.flatnonzero(~by_matches)
    firsts: list[First | InputError] = []
    first = np.zeros(len(groups), dtype=np.int64)
    if len(overall):
        game, games = dense_codes(groups["game"].to_numpy())
        of_game = first_rows(game, len(games))
        # Column by column, which is faster than to take rows of many groups.
        declared = pd.DataFrame({name: groups[name].array.take(of_game) for name in EVENT}, copy=False)
        event, rows = distinct_rows(declared)
        events = list(Groups(declared.iloc[rows]).each())
        first[overall], firsts = first_awards(edition, events, event[game[overall]], knockouts, bracket[overall])
    of_bracket = {"teams": knockouts.teams, "rounds": knockouts.rounds, "limit": knockouts.limit}
    number, alike = distinct_rows(pd.DataFrame(of_bracket))
    went_alike = first_rows(knockouts.course, len(knockouts.courses))
    wins, distinct_wins = factorize_objects(each.matches for each in knockouts.finishes)
    won = first_rows(wins, len(distinct_wins))[wins]
    return groups.assign(
        brackets=categorical(np.zeros(len(groups), dtype=np.int8), [Brackets(knockouts, firsts)]),
        bracket_played=np.where(by_matches, alike[number[bracket]], went_alike[knockouts.course[bracket]]),
        first=first,
        finish=np.where(by_matches, won[finish], finish),
    )
