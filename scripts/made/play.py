"""A session as it is played: who meets whom on which boards, what they score, and what that is in matchpoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from made.awards import half_up
from made.people import Player
from resultproc.model.at_the_table import vulnerable

NORTH_SOUTH, EAST_WEST, EITHER = "N-S", "E-W", ""

PARTSCORE = (-100, -50, 110, 140, 170), (-200, -100, 110, 140, 170)
NOTRUMP = (-100, -50, 400, 430, 460), (-200, -100, 600, 630, 660)
MAJOR = (-50, 170, 420, 450, 480), (-100, 170, 620, 650, 680)
COMPETED = (-100, 90, 100, 110, 200)
QUIET = (0, 70, 90, 120, 150)
SLAM = (-50, 450, 480, 980, 1010), (-100, 650, 680, 1430, 1460)
DEALS = (PARTSCORE, NOTRUMP, MAJOR, (COMPETED, COMPETED), NOTRUMP, (QUIET, QUIET), SLAM, MAJOR)
"""What N-S score on a deal, from the worst they may do to the best, not vulnerable and vulnerable; E-W score on as many
deals in their place."""


@dataclass(eq=False)
class Pair:
    """A pair: its seat and what is known of it before play; then what it scored, in hundredths, and what it won.

    level: its stratum, 0 for the top one. carryover: its score of the session before. session, earlier: the award of
    this session and of the one before, and a hundred times what of them may be in the better colour.
    places: by basis and level the place and how many share it, where the place pays. parts: its award in hundredths
    by colour, the colour that is worth more first, each with what paid it, such as ``SB``.
    """

    section: str
    direction: str
    number: int
    players: tuple[Player, Player]
    level: int
    eligible: bool
    skill: float
    boards: int = 0
    score: int = 0
    percentage: int = 0
    adjustment: int = 0
    carryover: int = 0
    session: tuple[int, int] = (0, 0)
    earlier: tuple[int, int] = (0, 0)
    places: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    parts: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The score of all sessions so far."""
        return self.carryover + self.score

    @property
    def award(self) -> int:
        """What it won."""
        return sum(hundredths for hundredths, _, _ in self.parts)


@dataclass
class Result:
    """A result: the points of N-S, or the percent of the top that a side was given; and each side's matchpoints.

    Those are in hundredths; a board that was not played has neither points nor matchpoints.
    """

    board: int
    table: int
    round: int
    ns: Pair
    ew: Pair
    score: int | None
    given: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)

    @property
    def played(self) -> bool:
        """Whether it counts."""
        return self.score is not None or bool(self.given)


@dataclass(frozen=True)
class Ruling:
    """What a director ruled of the result that N-S of a number have on a board: percent of the top, or ``unplayed``."""

    section: str
    board: int
    ns: int
    ns_given: int | None = None
    ew_given: int | None = None
    unplayed: bool = False


def mitchell(tables: int, rounds: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield round, table, set of boards, N-S and E-W of a Mitchell, all from 1.

    E-W go up a table each round and boards down, where the tables are odd; where they are even, all tables play the
    same boards at once, as in a barometer.
    """
    for r in range(rounds):
        for t in range(tables):
            boards = (t + r) % tables if tables % 2 else r
            yield r + 1, t + 1, boards + 1, t + 1, (t - r) % tables + 1


def howell(pairs: int, rounds: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield round, table, set of boards, N-S and E-W of a Howell in which all play the same boards at once."""
    others = pairs - 1
    for r in range(rounds):
        for t in range(pairs // 2):
            one, two = ((r + t) % others + 1, (r - t) % others + 1) if t else (pairs, r % others + 1)
            yield (r + 1, t + 1, r + 1, one, two) if (t + r) % 2 else (r + 1, t + 1, r + 1, two, one)


def deals(random: Random, boards: int) -> list[tuple[int, ...]]:
    """Return so many deals, in the order of their boards."""
    found = []
    for board in range(1, boards + 1):
        deal = DEALS[int(random.random() * len(DEALS))]
        side = NORTH_SOUTH if random.random() < 0.5 else EAST_WEST
        scores = deal[vulnerable(board) in {side, "both"}]
        found.append(scores if side == NORTH_SOUTH else tuple(-score for score in reversed(scores)))
    return found


def points(random: Random, deal: Sequence[int], ns: Pair, ew: Pair) -> int:
    """Return what N-S score on a deal: the more, the better they are and the worse the others."""
    luck = 3.2 * (random.random() + random.random() - 1)
    return deal[min(max(round(2 + luck + ns.skill - ew.skill), 0), len(deal) - 1)]


def matchpoint(results: list[Result]) -> int:
    """Give the results of one field their matchpoints; return the top of a board.

    A board with fewer results than another is factored up to as many (Laws of Duplicate Bridge 2017, Law 78A and 87B).
    """
    by_board: dict[int, list[Result]] = {}
    for result in results:
        if result.played:
            by_board.setdefault(result.board, []).append(result)
    most = max(map(len, by_board.values()))
    for board in by_board.values():
        for side, sign in ((NORTH_SOUTH, 1), (EAST_WEST, -1)):
            scores = [sign * r.score for r in board if r.score is not None and side not in r.given]
            for result in board:
                if side in result.given:
                    result.points[side] = result.given[side] * (most - 1)
                elif result.score is not None:
                    mine = sign * result.score
                    beaten = sum(score < mine for score in scores) + Fraction(scores.count(mine), 2)
                    result.points[side] = half_up(100 * (beaten * Fraction(most, len(scores)) - Fraction(1, 2)))
    return most - 1


def add_up(pairs: list[Pair], results: list[Result], top: int, maximum: int) -> None:
    """Give the pairs of a section their scores, raised to the maximum, and what percentage of it they are."""
    for pair in pairs:
        mine = [
            result.points[side] for result in results if result.played for side, who in sides(result) if who is pair
        ]
        pair.boards = len(mine)
        pair.score = half_up(Fraction(sum(mine) * maximum, len(mine) * top)) + pair.adjustment
        pair.percentage = half_up(Fraction(100 * pair.score, maximum))


def sides(result: Result) -> tuple[tuple[str, Pair], tuple[str, Pair]]:
    """Return the two sides of a result with the pair that sat there."""
    return (NORTH_SOUTH, result.ns), (EAST_WEST, result.ew)
