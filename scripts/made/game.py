"""A game: who entered, what they scored, how they are placed and what that pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from random import Random

from made import play
from made.awards import Ladder, places, share
from made.people import player
from made.play import EAST_WEST, EITHER, NORTH_SOUTH, Pair, Result, Ruling

OPEN = 0
"""The upper limit of a stratum that has none."""

MOST_HOLDING = 6000


@dataclass(frozen=True)
class Stratum:
    """A stratum: letter, upper limit, and of every hundred masterpoints those in the better of two colours."""

    letter: str
    limit: int
    better: int = 0


@dataclass(frozen=True)
class Layout:
    """A section before play: for each number the letter of its stratum, small for who is not eligible, ``-`` for none.

    A Mitchell has letters N-S and E-W, a Howell those of its pairs in ``ns``. scored_with, ranked_with: the section
    whose boards, or whose contestants, it is compared with.
    """

    name: str
    ns: str
    ew: str = ""
    rounds: int = 0
    boards_a_round: int = 3
    scored_with: str = ""
    ranked_with: str = ""

    @property
    def howell(self) -> bool:
        """Whether it has one winner."""
        return not self.ew

    @property
    def tables(self) -> int:
        """The tables, a half one counted as whole."""
        return len(self.ns) // 2 if self.howell else len(self.ns)

    @property
    def most(self) -> int:
        """The boards that a pair plays which never sits out."""
        return self.rounds * self.boards_a_round

    @property
    def boards(self) -> int:
        """The boards in play."""
        sets = self.rounds if self.howell or self.tables % 2 == 0 else self.tables
        return sets * self.boards_a_round


@dataclass
class Game:
    """A game: what it is called, who entered, what its places pay; and once it was played, its pairs and results.

    ladders: what pays, by basis (``S`` section, ``O`` overall) and letter: ``OA``, ``SA``; where sections or directions
    differ, ``SA N-S``, ``SA D`` or ``SA D N-S``. A stratum without a ladder is too small to be ranked. colours: the
    better one and the other. tops_only: whether of session awards the first ones alone have the better colour.
    seed: of the play; first: the number of the first player; unknown: the players whose masterpoints are not known.
    penalties: hundredths by section, direction and number. typed: scores by section and direction, in hundredths, of
    a game whose play is not made up, only how it ended. maximum: what a pair could have scored, in matchpoints.
    """

    name: str
    club: str
    day: date
    session: str
    strata: tuple[Stratum, ...]
    layouts: tuple[Layout, ...]
    seed: str
    first: int
    ladders: Mapping[str, Ladder] = field(default_factory=dict)
    colours: tuple[str, str] = ("black", "black")
    tops_only: bool = False
    rulings: tuple[Ruling, ...] = ()
    penalties: Mapping[tuple[str, str, int], int] = field(default_factory=dict)
    unknown: frozenset[int] = frozenset()
    typed: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    maximum: int = 0
    pairs: list[Pair] = field(default_factory=list)
    results: dict[str, list[Result]] = field(default_factory=dict)

    def played(self) -> Game:
        """Return the game with its results and awards."""
        random = Random(self.seed)
        self.pairs = self.pairs or self._entries(random)
        if self.typed:
            for name, scores in self.typed.items():
                pairs = [pair for pair in self.pairs if f"{pair.section} {pair.direction}".strip() == name]
                for pair, score in zip(pairs, scores, strict=True):
                    pair.score = score
        else:
            self._play(random)
        self.award()
        return self

    def _play(self, random: Random) -> None:
        """Give the pairs their results and what these add up to."""
        boards = play.deals(random, max(layout.boards for layout in self.layouts))
        for layout in self.layouts:
            self.results[layout.name] = self._results(random, layout, boards)
        tops: dict[str, int] = {}
        for layout in self.layouts:
            together = [each.name for each in self.layouts if layout.name in {each.name, each.scored_with}]
            if not layout.scored_with:
                top = play.matchpoint([result for name in together for result in self.results[name]])
                tops |= dict.fromkeys(together, top)
        # Who sat boards out, and whose section has fewer or lower boards, is raised to those of the others.
        self.maximum = max(tops[layout.name] * layout.most for layout in self.layouts)
        for layout in self.layouts:
            pairs = [pair for pair in self.pairs if pair.section == layout.name]
            play.add_up(pairs, self.results[layout.name], tops[layout.name], self.maximum)

    def award(self) -> None:
        """Place the pairs and give them what their places pay."""
        for pair in self.pairs:
            pair.places, pair.parts = {}, []
        candidates: dict[Pair, list[tuple[int, int, str]]] = {pair: [] for pair in self.pairs}
        for basis, group, pairs in self._groups():
            for level, stratum in enumerate(self.strata):
                ladder = self._ladder(f"{basis}{stratum.letter}", group)
                ranked = [pair for pair in pairs if pair.eligible and pair.level >= level]
                if ladder is None or not ranked:
                    continue
                if ladder.of != len(ranked):
                    raise ValueError(f"{self.name}, {basis}{stratum.letter} {group}: {len(ranked)}, not {ladder.of}")
                scores = [pair.score if basis == "S" else pair.total for pair in ranked]
                for pair, (place, tied) in zip(ranked, places(scores), strict=True):
                    if won := share(ladder, place, tied):
                        pair.places[basis, level] = place, tied
                        candidates[pair].append((won, self._better(basis, stratum, place, won), basis + stratum.letter))
        for pair, found in candidates.items():
            self._pay(pair, found)

    def _entries(self, random: Random) -> list[Pair]:
        """Return the pairs; those of higher strata play better, as a rule."""
        found = []
        number = self.first
        for layout in self.layouts:
            seats = ((EITHER, layout.ns),) if layout.howell else ((NORTH_SOUTH, layout.ns), (EAST_WEST, layout.ew))
            for direction, letters in seats:
                for place, letter in enumerate(letters, 1):
                    if letter == "-":
                        continue
                    level = [stratum.letter for stratum in self.strata].index(letter.upper())
                    holdings = [self._holding(random, level, each) for each in (number, number + 1)]
                    skill = 1.1 * (random.random() - 0.5) - 0.15 * level
                    players = (player(number, holdings[0]), player(number + 1, holdings[1]))
                    found.append(Pair(layout.name, direction, place, players, level, letter.isupper(), skill))
                    number += 2
        return found

    def _holding(self, random: Random, level: int, number: int) -> int | None:
        """Return masterpoints within a stratum: above the limit of the next one."""
        most = self.strata[level].limit or MOST_HOLDING
        least = self.strata[level + 1].limit if level + 1 < len(self.strata) else 0
        holding = least + 1 + int(random.random() * (most - least - 1))
        return None if number in self.unknown else holding

    def _results(self, random: Random, layout: Layout, boards: list[tuple[int, ...]]) -> list[Result]:
        """Return the results of a section, before they have matchpoints."""
        here = {(pair.direction, pair.number): pair for pair in self.pairs if pair.section == layout.name}
        rulings = {(ruling.board, ruling.ns): ruling for ruling in self.rulings if ruling.section == layout.name}
        rounds = (
            play.howell(len(layout.ns), layout.rounds) if layout.howell else play.mitchell(layout.tables, layout.rounds)
        )
        found = []
        for round_, table, set_, ns, ew in rounds:
            north = here.get((EITHER if layout.howell else NORTH_SOUTH, ns))
            east = here.get((EITHER if layout.howell else EAST_WEST, ew))
            if north is None or east is None:
                continue
            for n in range(layout.boards_a_round):
                board = (set_ - 1) * layout.boards_a_round + n + 1
                score: int | None = play.points(random, boards[board - 1], north, east)
                given = {}
                if ruling := rulings.get((board, ns)):
                    asked = {NORTH_SOUTH: ruling.ns_given, EAST_WEST: ruling.ew_given}
                    given = {side: percent for side, percent in asked.items() if percent is not None}
                    score = None if ruling.unplayed or len(given) == 2 else score
                found.append(Result(board, table, round_, north, east, score, given))
        for pair in here.values():
            pair.adjustment = self.penalties.get((pair.section, pair.direction, pair.number), 0)
        return found

    def _groups(self) -> list[tuple[str, str, list[Pair]]]:
        """Return those who are compared: basis, the group's name, and the pairs."""
        of = {layout.name: layout.ranked_with or layout.name for layout in self.layouts}
        sections: dict[str, list[Pair]] = {}
        for pair in self.pairs:
            sections.setdefault(f"{of[pair.section]} {pair.direction}".strip(), []).append(pair)
        return [("O", "", self.pairs), *(("S", name, pairs) for name, pairs in sections.items())]

    def _ladder(self, what: str, group: str) -> Ladder | None:
        section, _, direction = group.partition(" ")
        keys = (f"{what} {group}", f"{what} {section}", f"{what} {direction}", what)
        return next((self.ladders[key] for key in keys if key in self.ladders), None)

    def _better(self, basis: str, stratum: Stratum, place: int, won: int) -> int:
        """Return the hundred times hundredths of an award that may be in the better colour."""
        return 0 if self.tops_only and basis == "S" and place > 1 else stratum.better * won

    def _pay(self, pair: Pair, candidates: list[tuple[int, int, str]]) -> None:
        """Give a pair the most that any of its places pays, and of that the most in the better colour.

        In the last of two sessions, the best awards of each are added up, and so are their tops.
        """
        of_session = [each for each in candidates if each[2][0] == "S"]
        best = max(of_session, default=(0, 0, "S" + self.strata[0].letter))
        if pair.earlier[0]:
            candidates = [*candidates, (best[0] + pair.earlier[0], best[1] + pair.earlier[1], best[2])]
        pair.session = best[:2]
        if not candidates:
            return
        won, _, paid_by = max(candidates, key=lambda each: each[0])
        better, by = max(((each[1] + 50) // 100, each[2]) for each in [(0, 0, ""), *candidates])
        parts = [(better, self.colours[0], by), (won - better, self.colours[1], paid_by)]
        pair.parts = [part for part in parts if part[0]]
