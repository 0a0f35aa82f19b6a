"""Club masterpoint games: ACBL Handbook, chapter 4. The figures are in ``club.toml``.

Section awards go to each comparison group and stratum, overall awards to games of several sections; a contestant
gets the highest of all, never their sum, with one exception in handicap games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isinf

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, categorical, distinct_keys
from resultproc.model.basis import NEVER, Kind, Terms, basis_mask
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.game import EventType, league, number_text
from resultproc.model.group import Group, Groups, Ladder, Ladders, Members
from resultproc.rulebooks.common.awards import (
    First,
    long_share,
    paying,
    percent_share,
    with_handicap_added,
    with_ties_beyond,
)
from resultproc.rulebooks.common.conditions import (
    OF_KNOCKOUTS,
    by_boards,
    check_concurrent,
    concurrent_credit,
    credited,
    credited_by_no_rulebook,
    go_by_boards,
    keys_without_effect,
    refuse_elsewhere,
    refuse_together,
    refuse_words,
    stepped,
    without_boards,
    words_without_effect,
)
from resultproc.rulebooks.common.exact import decimal, half_up, hundredths, steps
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import OneByOne

_OF_TOURNAMENTS = (
    *("lower_tables", "flight", "flighted_tables", "bracket", "cuts", "session_tables", "other_site_tables"),
)
"""Keys of events that clubs do not have."""


class ClubRules(OneByOne):
    """The awards of club masterpoint games."""

    # The ratings and classes of their own that they are for.
    classes: tuple[str, ...] = (*league().groups["regular-club"], "pupil", "introductory")
    # The words under ``special`` that make a game one of a class of its own, the first of several.
    own_classes: tuple[str, ...] = ("pupil", "introductory")
    # Keys that none of their awards go by, each with who goes by it.
    unused: Mapping[str, str] = {**OF_KNOCKOUTS, "restrictions": "club games pay the same whoever may enter"}
    # The event types.
    kinds: tuple[EventType, ...] = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.TEAM_OF_TWO)

    fields: tuple[str, ...] = (
        *("basis", "rating", "special", "limit", "size", "ranked", "credit", "event_type", "sessions"),
        *("boards", "rulebook_named", "event_limit", "concurrent_tables", "ranked_by", *_OF_TOURNAMENTS),
    )

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        least = edition.whole("stratum.least-in-game")
        return Terms(
            edition.text("overall.given"),
            edition.text("overall.field"),
            section_minimum_in_game=least,
            section_minimum_in_group=_least(edition, "stratum.least-in-group", NEVER),
            overall_minimum_in_game=least,
            least_compared=_least(edition, _COMPARED, 1),
            overall_with_section=edition.text("stratum.overall") == "by the section",
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as clubs count them.

        A stratum's limit never exceeds the event's own. Overall awards of the top stratum go by the tables of its
        sections, a half table counted as a whole one, all others by the contestants in the group; how many of these are
        ranked matters overall alone. With or without handicap, the awards are the same.
        """
        groups = groups.assign(limit=np.minimum(groups["limit"].to_numpy(), groups["event_limit"].to_numpy()))
        overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
        numbers = ("level", "tables", "winners", "size", "ranked")
        level, tables, winners, size, ranked = (groups[name].to_numpy() for name in numbers)
        by_tables = overall & (level == 0) & (groups["event_type"] == EventType.PAIRS.value).to_numpy()
        in_tables = tables * np.where(winners == 2, 1, 2)
        boards = groups["boards"].fillna(0).astype(np.int64)
        return groups.assign(
            basis=categorical(overall.astype(np.int8), (Kind.SECTION.value, Kind.OVERALL.value)),
            size=np.where(by_tables, in_tables, size).astype(np.int64),
            ranked=np.where(overall, ranked, 0),
            credit=concurrent_credit(edition, groups),
            boards=boards if go_by_boards(edition) else 0,
            ranked_by=_ranked_by(edition, groups, overall, members),
        )

    def class_of(self, group: Group) -> str:
        """Return the class of a game: its rating, unless a special word makes it another."""
        return next((word for word in self.own_classes if word in group.special), group.rating)

    def ladder(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return the awards of one section or overall group (Handbook ch. 4, section and overall awards).

        Raises RulebookError for a kind of game that the Handbook's tables are not for, DeclarationError where the
        limit is not declared or has no award.
        """
        self._refuse_others(edition, group)
        right = "special.rating"  # of words that are no kind of club game
        refuse_words(edition, group, edition.named_words(right) if right in edition.entries else {})
        refuse_elsewhere(edition, group)
        refuse_together(edition, group)
        check_concurrent(edition, group)
        for key in _OF_TOURNAMENTS:
            said = getattr(group, key)
            if said or (key == "lower_tables" and said is not None):
                what = f"{key} is declared, but only events of tournaments have it: no club game goes by it"
                beside = "; declare limited games beside an open one as concurrent_tables" * (key == "lower_tables")
                raise DeclarationError(what, hint=f"leave it out{beside}, or correct rating")
        first = self.first(edition, group).rounded()
        depth, path = self.depth(edition, group)
        scale, awards = self.places(edition, group, first.award, max(reach, depth))
        shown = f"first {decimal(first.award)} ({first.factors}); {paying(depth)}"
        ranked_by = filter(None, group.ranked_by.split(", "))
        return Ladder(
            tuple(map(hundredths, awards)), depth, edition.values(*first.cited, *scale, path, *ranked_by), shown
        )

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.core.Rules`."""
        return with_ties_beyond(edition, super().ladders(edition, groups, reach))

    def first(self, edition: Edition, group: Group) -> First:
        """Return the first award of a group, unrounded: the rate of its class by its size and credit, capped."""
        rate, rate_path = self.rate(edition, group)
        cap, cap_path = self.cap(edition, group)
        cited = [rate_path]
        if group.basis.over_all:
            rate *= edition.number("overall.rate")
            cited += ["overall.rate", "overall.field"]
        size = group.size + group.credit
        full = rate * size
        first = First(full, f"{decimal(rate)} x {size} = {decimal(full)}", tuple(cited)).at_most(cap, cap_path)
        if group.event_type == EventType.BAM:  # what a pair game of that size pays, raised
            first = first.by(edition, "bam.factor")
            if first.award > cap:
                after = edition.text("bam.cap-reading") == "after"
                first = (first.at_most(cap, cap_path) if after else first).also_by("bam.cap-reading")
        first = by_boards(edition, group, first.by(edition, "bonus.factor"), cap)
        if not group.credit:
            return first
        first = first.also_by(*credited(edition))
        return first._replace(factors=f"{first.factors}; {group.credit} of concurrent games")

    def depth(self, edition: Edition, group: Group) -> tuple[int, str]:
        """Return how many places pay in a group, and the path of the value that says so."""
        if group.basis.over_all:
            return min(edition.whole("overall.places"), group.ranked), "overall.places"
        share = half_up(edition.number("section.depth") * group.size)
        return min(share, group.size), "section.depth"

    def places(
        self, edition: Edition, group: Group, first: Fraction, count: int
    ) -> tuple[tuple[str, ...], list[Fraction]]:
        """Return what the first places pay, unrounded, and the paths of the values that say so.

        In a section so large that its first award is capped, the scale of large games may pay: each place gets the
        less of its share of the capped first award there and of its ordinary share of the first award uncapped.

        first: the first award in masterpoints, capped.
        """
        if group.basis.over_all:
            step = edition.number("overall.step")
            return ("overall.step",), [first * step**place for place in range(count)]
        path, ordinary = section_places(edition, first, count)
        rate, _ = self.rate(edition, group)
        cap, _ = self.cap(edition, group)
        full = rate * (group.size + group.credit)
        if full <= cap or not cap:
            return path, ordinary
        step, until, sessions = edition.number("large.step"), *map(edition.whole, _LARGE)
        slower = [first * long_share(step, until, sessions, place) for place in range(1, count + 1)]
        large = list(map(min, slower, section_places(edition, first * full / cap, count)[1]))
        if large == ordinary:
            return path, ordinary
        if edition.text("large.reading") == "none":
            return (*path, "large.reading"), ordinary
        return ("large.reading", "large.sessions"), large

    def _refuse_others(self, edition: Edition, group: Group) -> None:
        if self.class_of(group) not in self.classes:
            own = self.class_of(group) != group.rating
            kind = f"a {group.rating} game{f' that is {self.class_of(group)}' if own else ''}"
        elif group.event_type not in self.kinds:
            kind = f"a {group.event_type} event"
        elif group.sessions > 1:
            what = f"rulebook {edition.book} awards single sessions, not an event of {group.sessions}"
            hint = "give each session as its own game, or choose another rulebook with rulebook"
            raise RulebookError(what, hint=hint)
        else:
            return
        raise RulebookError(f"rulebook {edition.book} has no awards for {kind}", hint="choose another with rulebook")

    def rate(self, edition: Edition, group: Group) -> tuple[Fraction, str]:
        """Return the rate per contestant, and the path of the value that says so.

        Raises DeclarationError where the limit is not declared, or has no rate.
        """
        name = self.class_of(group)
        own = f"section.rate.{name}"
        if name in self.own_classes:
            return edition.number(own), own
        if group.rating == "club-newcomer":
            rate = steps(edition.limited("newcomer.rate"), group.limit)
            if rate is None:
                allowed = ", ".join(number_text(upper) for upper, _ in edition.limited("newcomer.rate"))
                what = f"there are no awards for a newcomer game with the limit {number_text(group.limit)}"
                raise DeclarationError(what, hint=f"declare a limit up to one of {allowed}, or another rating")
            return rate, "newcomer.rate"
        if isinf(group.limit) and own in edition.entries:
            return edition.number(own), own
        if isinf(group.limit):
            what = f"limit is not declared for a {group.rating} game"
            raise DeclarationError(what, hint="declare limit, such as 200", code=MISSING, key="limit")
        return stepped(edition, "limited.rate", group.limit), "limited.rate"

    def cap(self, edition: Edition, group: Group) -> tuple[Fraction, str]:
        """Return the most that a first award can be, and the path of the value that says so.

        It is that of the class; a restricted game's or lower stratum's goes by its limit.
        """
        basis = Kind.OVERALL if group.basis.over_all else Kind.SECTION
        name = self.class_of(group)
        path = f"{basis}.cap.{name}"
        own = path in edition.entries and (isinf(group.limit) or f"section.rate.{name}" not in edition.entries)
        if own or name in self.own_classes:
            return edition.number(path), path
        path = f"limited.{basis}-caps"
        return stepped(edition, path, group.limit), path

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games: too many strata, boards not known, words that change nothing."""
        most = edition.whole("stratum.most")
        number, texts = pd.factorize(games["strata"].iloc[rows])
        count = np.array([text.count("=") for text in texts], dtype=np.int64)[number]
        for row, strata in zip(rows[count > most], count[count > most], strict=True):
            what = f"{strata} strata are declared, but a club game has two or three"
            yield int(row), what, "correct strata, or the strata of the sheet"
        yield from words_without_effect(edition, games, rows)
        yield from keys_without_effect(games, rows, self.unused)
        yield from without_boards(edition, games, rows)
        yield from credited_by_no_rulebook(edition, games, rows)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum that a handicap game pays in one case."""
        return with_handicap_added(edition, candidates)


def _least(edition: Edition, path: str, otherwise: int) -> int:
    return edition.whole(path) if path in edition.entries else otherwise


def _ranked_by(edition: Edition, groups: pd.DataFrame, overall: Bools, members: Members) -> pd.Series[str]:
    """Return the paths of what has each group ranked that has too few of its stratum in the game to be so anyway."""
    found = np.full(len(groups), "", dtype=object)
    level, ranked = groups["level"].to_numpy(), groups["ranked"].to_numpy()
    least = edition.whole("stratum.least-in-game")
    small = (level > 0) & (ranked < least)
    if not small.any():
        return pd.Series(found, groups.index, dtype="str")
    game = groups["game"].to_numpy()
    of_game = np.isin(game, game[small])
    number, first = distinct_keys(game[of_game], level[of_game])
    in_game = np.full(len(groups), least)
    once = pd.DataFrame({"game": game[of_game][first], "level": level[of_game][first]}, copy=False)
    in_game[of_game] = members.eligible(once)[number]
    few = small & (in_game < least)
    found[few & ~overall] = "stratum.least-in-group"
    found[few & overall] = "stratum.overall"
    compared = small & ~overall & (ranked == _least(edition, _COMPARED, 0))
    found[compared] = np.where(few[compared], f"stratum.least-in-group, {_COMPARED}", _COMPARED)
    return pd.Series(found, groups.index, dtype="str")


_COMPARED = "stratum.least-compared"

_LARGE = ("large.steps-until", "large.sessions")
"""The paths of what the scale of large games goes by, besides its step."""


def section_places(edition: Edition, first: Fraction, count: int) -> tuple[tuple[str, ...], list[Fraction]]:
    """Return what the first places of a section pay, unrounded, and the paths of the values that say so."""
    percentages = edition.numbers("section.percentages")
    return ("section.percentages",), [first * percent_share(percentages, place) for place in range(1, count + 1)]
