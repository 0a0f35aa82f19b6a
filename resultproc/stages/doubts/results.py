"""The results of boards as the doubts about them take them, and what a mended result would change in the ranks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, distinct_keys, distinct_rows
from resultproc.model.at_the_table import met_again, numbered_anew, partners, seats
from resultproc.model.errors import Problem
from resultproc.model.frames import DEALS, game_problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, TEAMS
from resultproc.model.numbers import ordinal
from resultproc.scoring.contracts import (
    DENOMINATIONS,
    contract_number,
    contract_scores,
    declarer_side,
    in_hundredths,
    points_here,
    rounded_scores,
)
from resultproc.scoring.points import cross_imps, datum_imps, fields, imps, matchpoints, totals

_T = TypeVar("_T")


class Mend(NamedTuple):
    """What some results would be if they were right."""

    rows: Ints  # of the boards frame
    values: Mapping[str, Sequence[Any]] = MappingProxyType({})  # by its columns, one for each of them
    turned: bool = False  # whether the two sat the other way round, so that each gets what its opponents seemed to get
    gone: bool = False  # whether they are to be deleted


@dataclass(frozen=True, eq=False)
class Results:
    """The results of boards, with what follows from them."""

    games: pd.DataFrame
    contestants: pd.DataFrame
    boards: pd.DataFrame  # the frame of the results of boards, numbered from 0
    deals: pd.DataFrame = field(default_factory=DEALS.empty)  # the hands, where they are known
    _kept: dict[str, Any] = field(default_factory=dict, init=False)
    # How many results of each game were mended to see what changes.
    _mended: Counter[str] = field(default_factory=Counter, init=False)

    @cached_property
    def score(self) -> Floats:
        """The points to N-S of each result that was played out and not ruled on; NaN for others."""
        ruled = self.boards[["ns_adjusted", "ew_adjusted", "ew_score"]].notna().any(axis=1)
        return self.boards["score"].mask(ruled).to_numpy(dtype=np.float64)

    @cached_property
    def of_nothing(self) -> Bools:
        """Which results count for nothing: they have neither a score nor an adjusted one."""
        return self.boards[["score", "ns_adjusted", "ew_adjusted", "ew_score"]].isna().all(axis=1).to_numpy()

    @cached_property
    def by_contract(self) -> Floats:
        """The points to N-S that contract, declarer and tricks give, NaN where they are not known."""
        return contract_scores(self.boards)

    @cached_property
    def contract(self) -> Ints:
        """The number of each contract, -1 for Pass and for none."""
        return contract_number(self.boards["contract"])

    @cached_property
    def declared(self) -> Ints:
        """1 where N-S declared, -1 where E-W did, 0 where nobody knows."""
        return declarer_side(self.boards["declarer"])

    @cached_property
    def play(self) -> Ints:
        """A number for the denomination and the side that declared, an even one for E-W; -1 where nobody knows."""
        known = (self.contract >= 0) & (self.declared != 0)
        return np.where(known, 2 * (self.contract // 3 % len(DENOMINATIONS)) + (self.declared > 0), -1)

    @cached_property
    def met_again(self) -> tuple[Ints, Ints, Ints]:
        """What :func:`resultproc.model.at_the_table.met_again` gives without teams, whose pairs play each board."""
        teams = self.games.loc[self.games["event_type"].isin(TEAMS), "game_id"]
        row, first, sat = met_again(self.boards, self.seats, self.partners)
        of_pairs = ~self.boards["game_id"].isin(teams).to_numpy()[row]
        return row[of_pairs], first[of_pairs], sat[of_pairs]

    @cached_property
    def anew(self) -> Bools:
        """Which results are of games whose board numbers begin again in every match."""
        return numbered_anew(self.boards, self.met_again[0])

    @cached_property
    def of_board(self) -> Ints:
        """A number for each board of each field: of the results that a result is compared with.

        Where board numbers begin again in every match, only the results of a round can be of the same one.
        """
        board = fields(self.boards, "board")
        if not self.anew.any():
            return board
        known = self.boards["round"].fillna(-1).to_numpy(dtype=np.int64)
        of_round = np.where(known < 0, -1 - self.meeting, known)
        return distinct_keys(board, np.where(self.anew, of_round, 0))[0]

    @cached_property
    def meeting(self) -> Ints:
        """A number for the results of two contestants against each other in a round."""
        return distinct_rows(self.boards[["game_id", "session", "section", "ns", "ew", "round"]])[0]

    @cached_property
    def seats(self) -> dict[str, Ints]:
        """The row of the contestants who sat N-S and E-W, -1 for none."""
        return seats(self.boards, self.contestants)

    @property
    def partners(self) -> dict[str, Ints]:
        """The same of those who sat S and W in events of individuals."""
        return partners(self.boards, self.contestants)

    @cached_property
    def _on_boards(self) -> dict[int, list[float]]:
        """The scores on each board, in order."""
        found: dict[int, list[float]] = {}
        played = ~np.isnan(self.score)
        for board, score in sorted(zip(self.of_board[played].tolist(), self.score[played].tolist(), strict=True)):
            found.setdefault(board, []).append(score)
        return found

    def having(self, of_board: Ints, score: Floats) -> Ints:
        """Return how many results of boards have some scores."""
        counts = {board: Counter(scores) for board, scores in self._on_boards.items()}
        wanted = zip(of_board.tolist(), score.tolist(), strict=True)
        return np.array([counts[board][each] if board in counts else 0 for board, each in wanted], dtype=np.int64)

    def off(self, of_board: Ints, score: Floats, but: Floats) -> Floats:
        """Return the IMPs between scores and the nearest result of boards, each without one that is left out.

        of_board: the number of each score's board, as :attr:`of_board` has them.
        score: NaN for none.
        but: a score on the same board, whose result is left out once, such as the score itself.
        The IMPs are NaN where there is no score, or no other result.
        """
        nearest = []
        for board, each, left_out in zip(of_board.tolist(), score.tolist(), but.tolist(), strict=True):
            scores = self._on_boards.get(board, [])
            at = bisect_left(scores, each)
            near = scores[max(at - 2, 0) : at + 2]  # the nearest on either side, or what is beyond the one left out
            if left_out in near:
                near.remove(left_out)
            nearest.append(min((abs(other - each) for other in near), default=np.nan))
        return imps(nearest)

    def kept(self, name: str, find: Callable[[Results], _T]) -> _T:
        """Return what is found in these results, which is looked for once."""
        if name not in self._kept:
            self._kept[name] = find(self)
        return cast("_T", self._kept[name])

    def remark(
        self, row: int, what: str, hint: str, boards: str = "", mend: Mend | None = None, otherwise: str = ""
    ) -> Problem:
        """Return a remark on a result, its board, table and round named.

        boards: the boards, where it is on several.
        mend: what the hint would make of it; what that changes in the ranks follows the hint.
        otherwise: what the hint ends with.
        """
        result = self.boards.iloc[row]
        named = [boards or f"board {result['board']}", *self.seated(row)]
        game = int(np.flatnonzero(self.games["game_id"] == result["game_id"])[0])
        changed = self._change(game, mend) if mend else ""
        return self.remark_on_game(row, f"{self.who(row)}: {what}", hint + changed + otherwise, ", ".join(named))

    def remark_on_game(self, row: int, what: str, hint: str, where: str) -> Problem:
        """Return a remark on several results of the game that a row is of.

        row: any result of the game.
        where: what they are on, ``boards 3, 4``.
        """
        game = int(np.flatnonzero(self.games["game_id"] == self.boards["game_id"].iat[row])[0])
        found = game_problem(self.games, game, what, hint)
        return replace(found, where=", ".join(filter(None, [found.where, where])))

    def _change(self, game: int, mend: Mend) -> str:
        """Return what mended results change in the ranks, ready to follow the hint; '' where that is not known."""
        name, kind = (str(self.games[column].iat[game]) for column in ("game_id", "event_type"))
        self._mended[name] += 1
        if self._mended[name] > _MOST_MENDED or kind in TEAMS:
            return ""
        rows = np.flatnonzero(self.boards["game_id"] == name)
        ranks = self.kept(f"ranks of {name}", lambda _: self._ranks(game, rows))
        changed = ranks.change(mend._replace(rows=np.searchsorted(rows, mend.rows)))
        return f"; then {changed}" if changed else ""

    def _ranks(self, game: int, rows: Ints) -> _Ranks:
        boards = self.boards.iloc[rows].reset_index(drop=True)
        of_game = self.contestants["game_id"] == self.games["game_id"].iat[game]
        contestants = self.contestants[of_game].reset_index(drop=True)
        here = self.games["stored_scored_here"].iat[game]
        known = partial(points_here, here, contestants=contestants) if isinstance(here, str) else None
        return _Ranks(contestants, boards, known)

    def seated(self, row: int) -> list[str]:
        """Return table and round of a result, as far as they are known, and of several sections or sessions which."""
        result = self.boards.iloc[row]
        of_game = self.boards[self.boards["game_id"] == result["game_id"]]
        told = [name for name in ("table", "round") if not pd.isna(result[name])]
        told += [name for name in ("section", "session") if of_game[name].nunique() > 1]
        return [f"{name} {result[name]}" for name in told]

    def who(self, row: int) -> str:
        """Return who met at a result: N-S 3 against E-W 15."""
        result = self.boards.iloc[row]
        sides = []
        for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
            partner = result[f"{side}_partner"]
            sides.append(f"{direction} {result[side]}" + ("" if pd.isna(partner) else f" and {partner}"))
        return " against ".join(sides)


_MOST_MENDED = 20
"""Where more of a game is odd, it is no single result that is wrong."""

_Points = Callable[[pd.DataFrame], pd.DataFrame]


def signed_text(value: Any) -> str:
    """Return a score as people write it: +420, -50, 0."""
    return f"{int(value):+d}" if value else "0"


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Who has which place in a game."""

    contestants: pd.DataFrame  # those of the game
    boards: pd.DataFrame  # the results of the game
    # What scores its boards, None where that is not known: then it is the way that its totals follow from.
    scored: _Points | None

    @cached_property
    def _way(self) -> tuple[str, _Points] | None:
        """What contestants are ranked by, and how boards are scored so that this follows; None where it does not."""
        column = "percentage" if self.contestants["percentage"].notna().any() else "score"
        if self.scored is not None:
            return column, self.scored
        ways: list[_Points] = [matchpoints] if column == "percentage" else [matchpoints, datum_imps, cross_imps]
        said = self.contestants[column].astype("float64")
        scale = 1.0 if column == "percentage" else said.abs().max()
        found = (totals(self.boards, points(self.boards), self.contestants)[column] for points in ways)
        off = [(each - said).abs().median() for each in found]
        best = int(np.argmin(np.nan_to_num(off, nan=np.inf)))
        return (column, ways[best]) if off[best] <= _OFF[column] * scale else None

    @cached_property
    def _seated(self) -> tuple[dict[str, Ints], dict[str, Ints]]:
        return seats(self.boards, self.contestants), partners(self.boards, self.contestants)

    def _totals(self, boards: pd.DataFrame, points: pd.DataFrame, column: str) -> pd.Series[float]:
        same = boards[["ns", "ew"]].equals(self.boards[["ns", "ew"]])
        seated = self._seated if same else (seats(boards, self.contestants), partners(boards, self.contestants))
        found = rounded_scores(totals(boards, in_hundredths(points), self.contestants, seated=seated))[column]
        return found.set_axis(self.contestants.index).fillna(0.0)

    @property
    def _before(self) -> pd.Series[float]:
        assert self._way is not None
        column, points = self._way
        return self._totals(self.boards, points(self.boards), column)

    def change(self, mend: Mend) -> str:
        """Return in a line who would have which place, in section and direction, if some results were mended.

        What these add to a total or take from it is reckoned by the way that the totals follow from; '' is returned
        where they follow from none.
        """
        if self._way is None:
            return ""
        column, points = self._way
        mended = self.boards.copy()
        for name, values in mend.values.items():
            mended.loc[mend.rows, name] = list(values)
        if mend.gone:
            mended.loc[mend.rows, ["score", "ns_adjusted", "ew_adjusted"]] = np.nan
        after = points(mended)
        if mend.turned:
            after.loc[mend.rows, ["ns", "ew"]] = after.loc[mend.rows, ["ew", "ns"]].to_numpy()
        gained = self._totals(mended, after, column) - self._before
        contestants, said = self.contestants, self.contestants[column].astype("float64")
        together = [contestants["section"], contestants["direction"].astype("str").fillna("")]
        ranked = (each.groupby(together) for each in (said, (said + gained).round(_DECIMALS)))
        places = [each.rank(method="min", ascending=False).to_numpy(dtype=np.float64) for each in ranked]
        moved = np.flatnonzero((places[0] != places[1]) & said.notna())
        if not len(moved):
            return "the ranks stay as they are"
        order = moved[np.lexsort((places[1][moved], -np.abs(gained.to_numpy()[moved])))]
        told = [
            f"{_called(contestants, row)} is {ordinal(int(places[1][row]))} instead of {ordinal(int(places[0][row]))}"
            for row in order[:_TOLD].tolist()
        ]
        others = len(order) - len(told)
        return ", ".join(told) + (f", and {others} more change{'s' * (others == 1)} places" if others else "")


_TOLD = 3
"""How many of those whose rank changes are named, those first whose score changes most."""

_DECIMALS = 2
"""How many decimals of totals decide ranks."""

_OFF = {"percentage": 1.0, "score": 0.05}
"""How far off totals may be that follow from a way of scoring: points of a percentage, or part of the highest score."""


def _called(contestants: pd.DataFrame, row: int) -> str:
    """Return what a contestant is called: N-S 3, with its section where there are several."""
    one = contestants.iloc[row]
    section = [one["section"]] if contestants["section"].nunique() > 1 else []
    direction = "" if pd.isna(one["direction"]) else str(one["direction"])
    return " ".join([*section, direction or "number", str(one["number"])])
