"""The recap of a game: its contestants down, the boards across, and what each got on each."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.at_the_table import seats_in
from resultproc.model.directions import DIRECTIONS_IN_FULL
from resultproc.model.frames import Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.numbers import MINUS
from resultproc.model.text import cell_text, natural_order
from resultproc.pages.words import contestant_kind


class GridRow(NamedTuple):
    """A contestant."""

    at: int  # its row in the contestants frame
    number: str  # as the sheet has it
    players: Sequence[str]  # their names
    points: Mapping[int, float]  # by board, matchpoints or IMPs, without the boards that it did not play
    total: float  # the sum of these
    percentage: float | None  # what the sheet ranks it by in this session, None where it has none
    score: float | None  # the same as a score


class Mean(NamedTuple):
    """How many boards, and the mean percentage on them."""

    boards: int
    percentage: float


class Partnership(NamedTuple):
    """A pair, or of individuals two that played together: how it did on all boards, as declarer, and as defender."""

    at: int  # its row in the contestants frame
    partner: int  # the other's, -1 for a pair
    all: Mean
    declaring: Mean | None
    defending: Mean | None


@dataclass(frozen=True)
class Grid:
    """The contestants of a section and direction in a session, by their numbers."""

    game: int  # the row of the games frame
    title: str  # which they are, such as ``Section A North-South``; '' where there are no others
    kind: str  # what each is, pair or player
    boards: Sequence[int]  # the numbers of the boards that any of them played
    rows: Sequence[GridRow]  # a contestant each
    decimals: int  # how many the points on single boards have
    # The place of each contestant after each round, by its row, all of them different; empty where rounds are not
    # known, or too few.
    courses: Mapping[int, Sequence[int]]
    partnerships: Sequence[Partnership]  # how each did, the best first; empty where no percentages are known

    @property
    def scored_otherwise(self) -> bool:
        """Whether the sheet ranks any by more or less than its boards together: by a factor, or an adjustment."""
        return any(row.score is not None and abs(row.score - row.total) > ROUNDED for row in self.rows)

    @cached_property
    def further(self) -> Mapping[str, Mapping[Hashable, float]]:
        """What is shown beside the totals, by its heading and contestant: other scores, and percentages."""
        scored = self.rows if self.scored_otherwise else []
        found: dict[str, Mapping[Hashable, float]] = {
            "Score": {row.at: row.score for row in scored if row.score is not None},
            "%": {row.at: row.percentage for row in self.rows if row.percentage is not None},
        }
        return {heading: each for heading, each in found.items() if each}


ROUNDED = 0.011
"""Totals that differ by no more are the same, rounded."""


def grids(result: Result) -> list[Grid]:
    """Return the recap of each game of pairs or individuals whose boards have points, in the order of the games."""
    contestants = result.contestants
    played = result.boards.iloc[result.scorecards["result"]].reset_index(drop=True)
    cards = result.scorecards.reset_index(drop=True)[["contestant", "partner", "side", "points", "percentage"]]
    games = pd.Index(result.games["game_id"]).get_indexer(pd.Index(contestants["game_id"]))
    cards = cards.assign(game=games[cards["contestant"]], **{name: played[name] for name in _OF_BOARDS})
    sat = seats_in(cards["session"].to_numpy(), contestants, cards["contestant"], "direction")
    cards = cards.assign(section=played["section"].astype("str"), direction=sat)
    cards = cards[cards["points"].notna()]
    cards["direction"] = pd.Categorical(cards["direction"], ["", NORTH_SOUTH, EAST_WEST])
    kinds = [contestant_kind(game) for game in row_dicts(result.games)]
    sessions = result.games["sessions"].fillna(1).tolist()
    rows = contestants.to_dict("index")
    found: list[Grid] = []
    for game in sorted(set(cards["game"].tolist())):
        of_game = cards[cards["game"] == game]
        if kinds[game] == "team":
            continue
        several = [sessions[game] > 1 or of_game["session"].nunique() > 1, of_game["section"].nunique() > 1]
        for key, each in of_game.groupby(["session", "section", "direction"], observed=True):
            session, section, direction = map(str, key)
            parts = [f"Session {session}," * several[0], f"Section {cell_text(section)}" * several[1]]
            title = " ".join(filter(None, [*parts, DIRECTIONS_IN_FULL.get(direction, "")])).removesuffix(",")
            moment = (int(session) if several[0] else 0, family_columns(contestants))
            found.append(_grid(game, title, kinds[game], each, rows, moment))
    return found


_OF_BOARDS = ("session", "board", "round", "declarer")


def _grid(
    game: int, title: str, kind: str, cards: pd.DataFrame, rows: Mapping[Any, Any], moment: tuple[int, Sequence[str]]
) -> Grid:
    """Return a grid of scorecards.

    rows: the contestants. moment: the session, 0 for that of an event of one, and the columns of the players.
    """
    session, players = moment
    points: dict[int, dict[int, float]] = {}
    for at, board, got in zip(*(cards[name].tolist() for name in ("contestant", "board", "points")), strict=True):
        points.setdefault(at, {})[board] = got
    made = []
    for at, of_boards in points.items():
        row = rows[at]
        names = [cell_text(row[name]) for name in players if isinstance(row[name], str)]
        of = str(session) if session else ""
        score, percentage = row.get(f"session{of}" if of else "score"), row.get(f"percentage{of}")
        total = round(math.fsum(of_boards.values()), 4)
        made.append(GridRow(at, cell_text(row["number"]), names, of_boards, total, _known(percentage), _known(score)))
    every = [got for row in made for got in row.points.values()]
    decimals = next(n for n in (0, 1, 2) if n == 2 or all(abs(got - round(got, n)) < 1e-6 for got in every))
    boards = sorted({board for row in made for board in row.points})
    ordered = sorted(made, key=lambda row: natural_order(row.number))
    courses = _courses(cards, [row.at for row in ordered])
    return Grid(game, title, kind, boards, ordered, decimals, courses, _partnerships(cards))


_FEWEST_ROUNDS = 3
"""Fewer rounds have no course."""


def _courses(cards: pd.DataFrame, order: list[int]) -> dict[int, list[int]]:
    """Return the place of each contestant after each round; of two that are level, the first in the order is first."""
    if cards["round"].isna().any() or cards["round"].nunique() < _FEWEST_ROUNDS:
        return {}
    of_percent = cards["percentage"].notna().all()
    got = cards.groupby(["contestant", "round"])["percentage" if of_percent else "points"].agg(["sum", "count"])
    sums, boards = (got[name].unstack(fill_value=0).cumsum(axis=1) for name in ("sum", "count"))
    so_far = (sums / boards if of_percent else sums).reindex(order)
    places = so_far.rank(ascending=False, method="first", na_option="bottom").astype("int64")
    return dict(zip(order, places.to_numpy().tolist(), strict=True))


def _partnerships(cards: pd.DataFrame) -> list[Partnership]:
    """Return how each partnership did."""
    cards = cards[cards["percentage"].notna()]
    sides = zip(cards["declarer"].fillna("").tolist(), cards["side"].tolist(), strict=True)
    role = ["declaring" if who in side.split("-") else "defending" if who else "" for who, side in sides]
    by = ["contestant", "partner"]
    every = cards.assign(role="all")
    of_roles = pd.concat([every, cards.assign(role=role)]).groupby([*by, "role"])["percentage"].agg(["size", "mean"])
    found: dict[tuple[int, int], dict[str, Mean]] = {}
    for (at, partner, name), boards, mean in zip(of_roles.index, of_roles["size"], of_roles["mean"], strict=True):
        found.setdefault((at, partner), {})[name] = Mean(int(boards), float(mean))
    each = [
        Partnership(at, partner, means["all"], means.get("declaring"), means.get("defending"))
        for (at, partner), means in found.items()
        if partner < 0 or at < partner or (partner, at) not in found
    ]
    return sorted(each, key=lambda one: -one.all.percentage)


def _known(value: Any) -> float | None:
    return None if value is None or pd.isna(value) else float(value)


def points_text(points: float, decimals: int) -> str:
    """Return points as a recap shows them, with a number of decimals and a minus sign."""
    return f"{points:.{decimals}f}".replace("-", MINUS)
