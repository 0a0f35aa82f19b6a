"""The search for what explains the awards of one game, pruned by what they prove.

The awards of a stratum depend on the game's own declarations and on that stratum's limit alone. So the contestants of
the top stratum, who are paid nothing else, come first: they prove what the game is, and nobody else may be paid more
there than is printed. Awards rise with the limit, and with the games at the same time: where they are too high at one
end of a range, or too low at the other, nothing between is tried. Then each lower stratum is tried with each limit by
itself, and the limits that go together are found without another award. What a guess pays is awarded as a whole in the
end (:mod:`~resultproc.reports.infer.infer`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise, product
from math import ceil, isfinite, isnan
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, row_dicts
from resultproc.model.errors import Problem
from resultproc.model.frames import FrameRow, Sheet, game_problem, other_awards
from resultproc.model.game import OPEN, PER_TABLE, league, parse_strata, parse_tables, parse_tables_by_limit
from resultproc.reports.differences import if_ours
from resultproc.reports.infer.alternatives import Found, classes, highest_that_fit, merged, with_any_top
from resultproc.reports.infer.space import (
    Beside,
    Copies,
    Declared,
    Guess,
    GuessedKind,
    Limits,
    TriedCase,
    beside_text,
    highest_of_short_sessions,
    kinds,
    limits_in_turn,
    some_of,
    stratified,
    tried_limits,
)
from resultproc.reports.outcomes import at_the_same_time
from resultproc.rulebooks.common.conditions import limit_of
from resultproc.rulebooks.load import rulebook

LIMITED = 300.0
"""The limit that stands for that of a limited game at the same time if nothing else is known of it."""


@dataclass(frozen=True)
class Printed:
    """What one game prints, and what is known of it."""

    copies: Copies  # the game, without what it prints
    awards: Ints  # in hundredths, 0 for none, of each contestant
    letters: tuple[str, ...]  # those of the strata, top first
    given: tuple[float, ...] = ()  # their limits, where these are declared
    limit: float | None = None  # that of the event, None where it is not declared
    hints: tuple[float, ...] = ()  # limits that the event's name may mean
    # The other games of the report at the same time, with a limit that stands for theirs.
    neighbours: tuple[Beside, ...] = ()
    beside_given: bool = False  # whether the games at the same time are declared
    sites: tuple[float, ...] = ()  # the limits of strata that have tables at another site, the lowest first

    @property
    def levels(self) -> int:
        """How many strata it has."""
        return max(len(self.letters), 1)

    def limits(self, kind: GuessedKind) -> list[float]:
        """Return the limits to try for its top stratum as some kind of game, the lowest first."""
        if self.given:
            return [self.given[0]]
        if self.limit is not None:
            return [self.limit]
        # As a championship it may have a limit, or one that is asked for.
        name = self.copies.game["championship"].iloc[0]
        own = limit_of(rulebook(kind.book).at(self.copies.day), str(name)) if pd.notna(name) else OPEN
        if isfinite(own):
            return [own]
        # An open game is one without a limit.
        by_limit = isnan(own) or (
            "limit" in rulebook(kind.book).rules.fields and kind.rating not in league().groups["open"]
        )
        tried = tried_limits(kind.book, self.copies.day) if by_limit else [OPEN]
        return [limit for limit in tried if limit != OPEN] if isnan(own) else tried

    def below(self, kind: GuessedKind, top: float) -> list[float]:
        """Return the limits to try for its lower strata, the lowest first."""
        return [limit for limit in tried_limits(kind.book, self.copies.day) if limit < top]

    @cached_property
    def top_alone(self) -> Copies:
        """The game with everybody in the top stratum."""
        return self.copies.in_one(self.letters[0]) if self.letters else self.copies


def games_that_print(sheet: Sheet) -> tuple[list[str], list[Problem]]:
    """Return the games that print awards of the league, and remarks on the others."""
    awards = sheet.contestants["printed_award"].notna().groupby(sheet.contestants["game_id"]).any()
    names, remarks, others = [], [], other_awards(sheet.games)
    for row, game in enumerate(row_dicts(sheet.games)):
        what, hint = "no masterpoints are printed to explain", "'resultproc whatif' shows what declarations would pay"
        other = others.iloc[row]
        if pd.notna(other) and pd.isna(game["league"]):
            what, hint = (
                f"nothing says that these {other} points are those of a league with a rulebook here",
                if_ours(str(other)),
            )
        elif awards.get(game["game_id"], False):
            names.append(str(game["game_id"]))
            continue
        remarks.append(game_problem(sheet.games, row, what, hint, code="printed.not-compared"))
    return names, remarks


def printed_by(sheet: Sheet, name: str) -> Printed:
    """Return what a game prints, and what is known of it."""
    copies = Copies.of(sheet, name)
    (game,) = row_dicts(copies.game)
    contestants = sheet.contestants[sheet.contestants["game_id"] == name]
    sites = str(game["other_site_tables"]) if pd.notna(game["other_site_tables"]) else "none"
    given = parse_strata(str(game["strata"])) if pd.notna(game["strata"]) else []
    # 299er Pairs may be limited to 299 and to 300.
    numbers = map(float, re.findall("[0-9]+", game["event"]) if isinstance(game["event"], str) else ())
    hints = tuple(limit for number in numbers for limit in (number, number + 1))
    return Printed(
        copies,
        printed_awards(contestants),
        tuple(stratum.letter for stratum in given) or letters_of_strata(contestants),
        tuple(stratum.limit for stratum in given),
        None if pd.isna(game["limit"]) else float(game["limit"]),
        hints,
        tuple(_neighbours(sheet, game)),
        bool(pd.notna(game["concurrent_tables"])),
        tuple(sorted(limit for limit, _ in parse_tables_by_limit(sites))),
    )


def printed_awards(contestants: pd.DataFrame) -> Ints:
    """Return the printed award of each contestant, in hundredths, 0 for none."""
    return contestants["printed_award"].fillna(0).to_numpy(dtype=np.int64)


def games_without_overall(sheet: Sheet) -> set[str]:
    """Return the games that print the ranks of sections and nothing overall: neither a rank nor that it was paid."""
    listed = sheet.contestants
    prints = listed[["printed_section", "printed_overall"]].notna()
    prints["printed_overall"] |= listed["printed_paid_by"].str.contains("O", na=False)
    by_game = prints.groupby(listed["game_id"]).any()
    return set(by_game.index[by_game["printed_section"] & ~by_game["printed_overall"]])


def letters_of_strata(contestants: pd.DataFrame) -> tuple[str, ...]:
    """Return the letters of the strata that contestants are in, have a rank in, or are paid in."""
    letters = set(contestants["stratum"].dropna())
    if letters:
        letters |= set(contestants["printed_paid_by"].str.extract("([A-Z])$")[0].dropna())
    for column in ("printed_section", "printed_overall") if letters else ():
        letters |= set(contestants[column].str.extractall(r"([A-Z]+)=")[0])
    return tuple(sorted(letters))


def _neighbours(sheet: Sheet, game: FrameRow) -> Iterable[Beside]:
    """Yield the other games of the report in the session, with their tables in play, and those of eligible pairs."""
    for other in row_dicts(sheet.games[at_the_same_time(sheet.games, game) & sheet.games["tables"].notna()]):
        rows = sheet.contestants[sheet.contestants["game_id"] == other["game_id"]]
        per_table = PER_TABLE["pairs" if pd.isna(other["event_type"]) else str(other["event_type"])]
        eligible = np.ceil(2 * rows["eligible"].sum() / per_table) / 2
        for tables in dict.fromkeys((sum(parse_tables(str(other["tables"])).values()), float(eligible))):
            if tables:
                yield Beside(LIMITED, tables, str(other["game_id"]))


MOST_TABLES = 40
"""The most tables of games that are tried where nothing else tells of these games."""

_STEP = 5
"""One in this number of the choices of a range is tried first: what is awarded together costs less."""

_MORE = -1
"""The place of what may raise the awards of a chain."""

_UNPAID = 10**9
"""What stands for the award of a choice that there are no awards for: more than anybody was paid."""


def searched(game: Printed, *, may_lack_overall: bool) -> list[Found]:
    """Return what explains a game, the best first, see :meth:`Search.run`.

    may_lack_overall: whether overall awards may be missing from what it prints. They are left out, too, where nothing
    that pays them explains all awards, or that alone which needs games that nothing else tells of.
    """
    if not may_lack_overall:
        return Search(game).run()
    paid = Search(game).run(whole=True)
    if any(not each.wrong and not each.guess.invented for each in paid):
        return paid
    without = Search(replace(game, copies=replace(game.copies, sections_alone=True)))
    return paid + without.run(whole=True) or Search(game).run() + without.run()


@dataclass(frozen=True)
class _Node:
    """A kind of game with a limit of its top stratum and games beside it."""

    kind: GuessedKind
    tops: Limits  # limits of the top stratum that pay the same
    beside: tuple[Beside, ...]
    awards: Ints  # what the top stratum pays, by contestant
    least: int  # how many awards differ at least

    @property
    def top(self) -> float:
        """A limit of its top stratum, the highest."""
        return self.tops[-1]


class _Lower(NamedTuple):
    """A node, and limits to try for its lower strata."""

    node: _Node
    limits: Sequence[float]


class _Chain(NamedTuple):
    """Choices along which no award falls. more: the last with all that may raise its awards besides, if anything."""

    cases: Sequence[TriedCase]
    more: TriedCase | None = None


@dataclass
class _Along:
    """What the top stratum pays at places of a chain, None for no awards. may_rise: as the ``more`` of that tells."""

    paid: dict[int, Ints | None] = field(default_factory=dict)
    may_rise: bool = False

    def runs(self) -> Iterator[tuple[Ints, list[int]]]:
        """Yield what is paid, each with the places that pay it one after the other."""
        known = {at: paid for at, paid in sorted(self.paid.items()) if paid is not None}
        for _, same in groupby(known, lambda at: known[at].tobytes()):
            places = list(same)
            yield known[places[0]], places


@dataclass
class Search:
    """The search for what explains one game."""

    game: Printed  # what is printed of it
    most: int = 0  # how many awards may differ from what is looked for
    found: list[Found] = field(default_factory=list)  # what explains it so far
    _credited: dict[tuple[GuessedKind, bool], bool] = field(default_factory=dict)
    _met: list[_Node] = field(default_factory=list)

    def run(self, *, whole: bool = False) -> list[Found]:
        """Return what explains the most awards, the best first, and the best of another kind that was met.

        whole: what explains all awards, or else nothing.
        """
        row = self.game.copies.game
        self.top_only = self.own == 0
        usual = kinds(row)
        self._of(usual)
        if not self.found:
            self._of(kinds(row, other_books=True))
        if whole and not self.found:
            return []
        while not self.found and self.most < len(self.game.awards):
            self.most = 2 * self.most + 1
            self._of(usual)
        # And the best of another kind of game that was met, which explains less: to see what tells them apart.
        kinds_found = {each.guess.kind for each in self.found}
        others = [node for node in self._met if node.kind not in kinds_found]
        if others:
            self.most = len(self.game.awards)
            self._descend([min(others, key=lambda node: node.least)])
        return sorted(with_any_top(self.found), key=lambda each: each.wrong)

    def _of(self, every: Sequence[GuessedKind]) -> None:
        """Try kinds of game: without games beside them, with those of the report, and at last with any.

        Limits between the round ones are tried where these explain nothing, and there is no game beside it.
        """
        nodes = self._tops(every)
        self._descend(nodes)
        if not self.found and not self.most and not self.game.given:
            self._descend_between(nodes)
        if self.game.beside_given:
            return
        nodes = [
            node for node in self._met if self._over(node) <= self.most and self._credited[node.kind, node.top == OPEN]
        ]
        self._descend(self._natural(nodes))
        if not self.found:
            self._descend(self._any(nodes))

    # The top stratum.

    def _least(self, awards: Ints) -> int:
        """Return how many awards differ at least, whatever the lower strata pay."""
        return self._between(awards, awards)

    def _over(self, node: _Node) -> int:
        return int((node.awards > self.game.awards).sum())

    def _between(self, low: Ints | None, high: Ints | None) -> int:
        """Return how many awards differ at least where the top stratum pays something between two choices.

        None for choices without awards, or that do not bound it.
        """
        printed = self.game.awards
        over = low > printed if low is not None else np.zeros(len(printed), dtype=bool)
        under = (high < printed) & self.top_only if high is not None else np.zeros(len(printed), dtype=bool)
        return int((over | under).sum())

    def _along(self, chains: Sequence[_Chain]) -> list[_Along]:
        """Return what the top stratum pays at those places of each chain that may explain enough."""
        found = [_Along() for _ in chains]
        some = [
            (n, at)
            for n, chain in enumerate(chains)
            for at in sorted({*range(0, len(chain.cases), _STEP), len(chain.cases) - 1})
        ]
        more = [n for n, chain in enumerate(chains) if chain.more]
        # Those of one kind of game stand together, and so do those of one rulebook, which are awarded together.
        self._try(chains, found, sorted([*some, *((n, _MORE) for n in more)]))
        for n in more:
            raised, last = found[n].paid.pop(_MORE), found[n].paid[len(chains[n].cases) - 1]
            found[n].may_rise = raised is not None and (last is None or bool((raised != last).any()))
        between = [
            (n, at)
            for n, each in enumerate(found)
            for low, high in pairwise(sorted(each.paid))
            if high - low > 1 and self._is_open(each, low, high)
            for at in range(low + 1, high)
        ]
        self._try(chains, found, between)
        return found

    def _try(self, chains: Sequence[_Chain], found: Sequence[_Along], wanted: Sequence[tuple[int, int]]) -> None:
        cases = [chains[n].more or chains[n].cases[at] if at == _MORE else chains[n].cases[at] for n, at in wanted]
        tried = self.game.top_alone.tried(cases, 1)
        for (n, at), awards, ok in zip(wanted, tried.awards, tried.accepted, strict=True):
            found[n].paid[at] = awards[:, 0] if ok else None

    def _is_open(self, known: _Along, low: int, high: int) -> bool:
        """Return whether anything between two places of a chain has to be tried; what pays as both is known at once."""
        one, other = known.paid[low], known.paid[high]
        if one is None and other is None:
            return False
        if one is not None and other is not None and (one == other).all():
            known.paid |= dict.fromkeys(range(low, high), one)
            return False
        return self._between(one, None if known.may_rise else other) <= self.most

    def _tops(self, every: Sequence[GuessedKind]) -> list[_Node]:
        """Return each kind of game with each limit of its top stratum; limits that pay the same there are one."""
        chains, of = [], []
        for kind in every:
            limits = self.game.limits(kind)
            short = highest_of_short_sessions(kind.book, self.game.copies.day)

            def chain_of(limit: float, short: float = short) -> tuple[bool, bool]:
                return limit > short, limit == OPEN

            for _, same_chain in groupby(limits, chain_of):
                some = list(same_chain)
                beside = () if self.game.beside_given else self._new(kind, some[-1], MOST_TABLES)
                more = self._case(kind, some[-1], beside) if beside else None
                chains.append(_Chain([self._case(kind, top) for top in some], more))
                of.append((kind, some))
        self._met = []
        for (kind, limits), along in zip(of, self._along(chains), strict=True):
            self._credited[kind, limits[-1] == OPEN] = along.may_rise
            for awards, same in along.runs():
                tops = tuple(limits[at] for at in same)
                if self.game.given or len(self.game.below(kind, tops[-1])) >= self.game.levels - 1:
                    self._met.append(_Node(kind, tops, (), awards, self._least(awards)))
        return [node for node in self._met if node.least <= self.most]

    def _case(self, kind: GuessedKind, top: float, beside: Sequence[Beside] = ()) -> TriedCase:
        """Return a kind of game with everybody in its top stratum."""
        return TriedCase(kind.book, self._keys(kind, [top], beside))

    def _keys(self, kind: GuessedKind, limits: Sequence[float], beside: Sequence[Beside]) -> Declared:
        keys = kind.declared | dict(stratified(self.game.letters[: len(limits)], limits))
        return keys | ({"concurrent_tables": beside_text(beside)} if beside else {})

    # Limits between those that are tried.

    def _descend_between(self, nodes: Sequence[_Node]) -> None:
        """Try whole limits between the round ones: of each stratum the highest that pays nobody too much.

        As awards rise with the limit, no lower one explains more; how far the range goes is told in the end.
        """
        tops = self._tops_between()
        if self.game.levels == 1:
            self._keep_given(tops)
            return
        wanted = [_Lower(node, self.game.below(node.kind, node.top)) for node in (*nodes, *tops)]
        self._keep_best(self._with_limits_between(wanted))

    def _tops_between(self) -> list[_Node]:
        """Return kinds of game with limits of the top stratum that are between those that were met."""
        gaps = [
            (low, high)
            for low, high in pairwise(self._met)
            if low.kind == high.kind
            and high.tops[0] != OPEN
            and not self._over(low)
            and self._over(high)
            and not self._between(low.awards, high.awards)
        ]
        paid: dict[tuple[GuessedKind, float], Ints] = {}

        def fit(asked: Sequence[tuple[int, float]]) -> list[bool]:
            cases = [self._case(gaps[of][0].kind, limit) for of, limit in asked]
            tried = self.game.top_alone.tried(cases, 1)
            paid.update({(gaps[of][0].kind, limit): tried.awards[n, :, 0] for n, (of, limit) in enumerate(asked)})
            over = (tried.awards[:, :, 0] > self.game.awards).any(axis=1)
            return [bool(each) for each in tried.accepted & ~over]

        highest = highest_that_fit([(low.top, high.tops[0]) for low, high in gaps], fit)
        return [
            _Node(low.kind, (limit,), (), paid[low.kind, limit], 0)
            for (low, _), limit in zip(gaps, highest, strict=True)
            if limit != low.top and not self._least(paid[low.kind, limit])
        ]

    def _with_limits_between(self, wanted: Sequence[_Lower]) -> list[_Lower]:
        """Return nodes with the limits to try for their lower strata, and those between them that pay the most."""

        def over(paid: Ints, level: int) -> bool:
            return bool((paid > self.game.awards)[self.own > level].any())

        gaps = [
            (of, level, low, high)
            for of, (each, paid) in enumerate(zip(wanted, self._lower(wanted), strict=True))
            for level in range(self.game.levels - 1)
            for at, (low, high) in enumerate(pairwise((*each.limits, each.node.top)))
            if high != OPEN and not over(paid[level, at], level)
            if at + 1 == len(each.limits) or over(paid[level, at + 1], level)
        ]

        def fit(asked: Sequence[tuple[int, float]]) -> list[bool]:
            tried = self._lower([_Lower(wanted[gaps[gap][0]].node, [limit]) for gap, limit in asked])
            levels = [gaps[gap][1] for gap, _ in asked]
            return [not over(paid[level, 0], level) for level, paid in zip(levels, tried, strict=True)]

        highest = highest_that_fit([gap[2:] for gap in gaps], fit)
        more = [{limit for gap, limit in zip(gaps, highest, strict=True) if gap[0] == of} for of in range(len(wanted))]
        return [each._replace(limits=sorted({*each.limits, *more[of]})) for of, each in enumerate(wanted)]

    # Games at the same time.

    def _natural(self, nodes: Sequence[_Node]) -> list[_Node]:
        """Return the nodes with other games of the report beside them, each as a limited one, or one for newcomers."""
        pairs = []
        for node in nodes:
            newcomers = self.game.copies.newcomers(node.kind.book)
            for several in some_of(self.game.neighbours):
                for limits in product(*({each.limit, newcomers or each.limit} for each in several)):
                    if all(limit <= node.top for limit in limits):
                        games = (replace(each, limit=limit) for each, limit in zip(several, limits, strict=True))
                        pairs.append((node, tuple(games)))
        tried = self.game.top_alone.tried([self._case(node.kind, node.top, beside) for node, beside in pairs], 1)
        found = [
            replace(node, beside=beside, awards=awards[:, 0], least=self._least(awards[:, 0]))
            for (node, beside), awards, ok in zip(pairs, tried.awards, tried.accepted, strict=True)
            if ok
        ]
        return [node for node in found if node.least <= self.most]

    def _any(self, nodes: Sequence[_Node]) -> list[_Node]:
        """Return the nodes with a game beside them that nothing else tells of."""
        every = [[self._new(node.kind, node.top, tables) for tables in range(1, MOST_TABLES + 1)] for node in nodes]
        chains = [
            _Chain([self._case(node.kind, node.top, beside) for beside in choices])
            for node, choices in zip(nodes, every, strict=True)
        ]
        found = [
            replace(node, beside=choices[at], awards=awards, least=self._least(awards))
            for node, choices, along in zip(nodes, every, self._along(chains), strict=True)
            for awards, places in along.runs()
            for at in places
        ]
        return [node for node in found if node.least <= self.most]

    def _new(self, kind: GuessedKind, top: float, tables: int) -> tuple[Beside, ...]:
        """Return a game that a kind of game could be credited with: a limited one, or one for newcomers."""
        limit = LIMITED if top == OPEN else self.game.copies.newcomers(kind.book)
        return (Beside(limit, tables),) if limit and limit <= top else ()

    def _known_or_new(self, tables: int) -> list[tuple[Beside, ...]]:
        """Return limited games that have these tables together: those of the report that do, or else one more."""
        if not tables:
            return [()]
        some = some_of(self.game.neighbours)
        return [each for each in some if sum(ceil(one.tables) for one in each) == tables] or [
            (Beside(LIMITED, tables),)
        ]

    # The lower strata.

    def _descend(self, nodes: Sequence[_Node]) -> None:
        """Try the lower strata of nodes, those with games beside them that nothing else tells of by themselves."""
        if self.game.given or self.game.levels == 1:
            self._keep_given(nodes)
            return
        new: list[_Node] = []
        plain: list[_Lower] = []
        for node in nodes:
            if any(each.invented for each in node.beside):
                new.append(node)
            else:
                plain.append(_Lower(node, self.game.below(node.kind, node.top)))
        self._keep_best(plain)
        for _, same in groupby(new, lambda node: (node.kind, node.tops)):
            self._descend_with_new(list(same))

    def _keep_best(self, wanted: Sequence[_Lower]) -> None:
        for each, paid in zip(wanted, self._lower(wanted), strict=True):
            self._keep(each.node, each.limits, paid)

    def _descend_with_new(self, nodes: Sequence[_Node]) -> None:
        """Try the lower strata of nodes that differ in how many tables the game beside them has.

        Beside an open game some of the tables may be of games for newcomers. Where other games do not count for lower
        strata, these alone decide what they pay.
        """
        first, last = nodes[0], nodes[-1]
        limits, newcomers = self.game.below(first.kind, first.top), self.game.copies.newcomers(first.kind.book)
        if first.top == OPEN and newcomers:
            alone, beside = self._lower([_Lower(replace(first, beside=()), limits), _Lower(last, limits)])
            if (alone == beside).all():
                most = round(last.beside[0].tables)
                some = [(Beside(newcomers, each),) if each else () for each in range(most + 1)]
                paid = self._rising([replace(first, beside=each) for each in some], limits)
                for node in nodes:
                    total = round(node.beside[0].tables)
                    for tables in range(total + 1):
                        for limited in self._known_or_new(total - tables):
                            self._keep(replace(node, beside=(*limited, *some[tables])), limits, paid[tables])
                return
        for node, each in zip(nodes, self._rising(nodes, limits), strict=True):
            self._keep(node, limits, each)

    def _rising(self, nodes: Sequence[_Node], limits: Sequence[float]) -> list[Ints]:
        """Return what the lower strata of nodes with more and more tables beside them pay, see :meth:`_lower`.

        Limits that pay the same with the fewest and with the most do so with all.
        """
        ends = self._lower([_Lower(nodes[0], limits), _Lower(nodes[-1], limits)])
        alike = classes(np.concatenate(ends, axis=2))
        number = [n for n, each in enumerate(alike) for _ in each]
        some = [limits[each[0]] for each in alike]
        return [each[:, number] for each in self._lower([_Lower(node, some) for node in nodes])]

    def _lower(self, wanted: Sequence[_Lower]) -> list[Ints]:
        """Return what the lower strata of nodes pay with each of some limits: by stratum, limit and contestant.

        In each case the strata have limits that follow each other, so that every stratum comes to have every limit.
        """
        lower = self.game.levels - 1
        cases, of = [], []
        for number, (node, limits) in enumerate(wanted):
            for chosen, places in limits_in_turn(limits, node.top, lower, self.game.sites):
                cases.append(TriedCase(node.kind.book, self._keys(node.kind, [node.top, *chosen], node.beside)))
                of.append((number, places))
        tried = self.game.copies.tried(cases, lower + 1)
        found = [np.full((lower, len(each.limits), len(self.game.awards)), _UNPAID, dtype=np.int64) for each in wanted]
        for (number, places), awards, ok in zip(of, tried.awards, tried.accepted, strict=True):
            for n, at in places.items() if ok else ():
                found[number][n, at] = awards[:, n + 1]
        return found

    def _keep_given(self, nodes: Sequence[_Node]) -> None:
        """Keep the nodes that explain enough of a game whose strata are declared, or that has none."""
        limits = [tuple((limit,) for limit in self.game.given) or (node.tops,) for node in nodes]
        cases = [
            TriedCase(node.kind.book, self._keys(node.kind, [each[0] for each in chosen], node.beside))
            for node, chosen in zip(nodes, limits, strict=True)
        ]
        tried = self.game.copies.tried(cases, self.game.levels)
        for node, chosen, awards, ok in zip(nodes, limits, tried.awards, tried.accepted, strict=True):
            wrong = int((awards.max(axis=1) != self.game.awards).sum())
            if ok and wrong <= self.most:
                self._add(node, chosen, wrong)

    def _keep(self, node: _Node, limits: Sequence[float], lower: Ints) -> None:
        """Keep the limits of a node that explain the most, if that is enough."""
        alike = [classes(lower[n : n + 1][:, :, self.own > n]) for n in range(len(lower))]
        by_wrong: dict[int, list[tuple[Limits, ...]]] = {}
        for chosen in product(*alike):
            if all(max(upper) > min(under) for upper, under in pairwise(chosen)):
                each = [lower[n, same[0]] for n, same in enumerate(chosen)]
                wrong = int((np.max([node.awards, *each], axis=0) != self.game.awards).sum())
                by_wrong.setdefault(wrong, []).append(tuple(tuple(limits[at] for at in same) for same in chosen))
        least = min(by_wrong, default=self.most + 1)
        if least <= self.most:
            for combination in merged(by_wrong[least]):
                self._add(node, (node.tops, *combination), least)

    def _add(self, node: _Node, limits: tuple[Limits, ...], wrong: int) -> None:
        guess = Guess(node.kind, self.game.letters, limits, node.beside, self.game.hints, bool(self.game.given))
        self.found.append(Found(guess, wrong))

    @cached_property
    def own(self) -> Ints:
        """The stratum of each contestant, 0 the top; InputError for a game that cannot be ranked."""
        limits = self.game.given or [OPEN, *range(len(self.game.letters) - 1, 0, -1)]
        return self.game.copies.own_levels(stratified(self.game.letters, limits))
