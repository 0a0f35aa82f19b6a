"""Doubts about the results of boards: what cannot have been, and what hardly was.

A result is held against its contract, against all that contracts give, and against the other results of its board. What
a ruling gave is left alone: adjusted scores, and scores of their own for each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, distinct_keys, distinct_rows, select_rows
from resultproc.model.errors import Problem
from resultproc.model.frames import game_problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, TEAMS
from resultproc.model.seats import partners, seats, vulnerability
from resultproc.scoring.contracts import (
    ALL_TRICKS,
    DENOMINATIONS,
    contract_number,
    contract_scores,
    declarer_side,
    is_vulnerable,
    outcomes,
)
from resultproc.scoring.points import fields, imps

_SAME_SIGN = 4
"""With fewer other results of a board, one that stands alone on its side shows nothing."""

_FAR, _NEAR = 5, 0.5
"""The mean IMPs between the results of a round and the nearest of their boards, from and up to which they are unlike
and like them."""


@dataclass(frozen=True)
class Results:
    """The results of boards, with what follows from them.

    games, contestants, boards: the frames, the boards numbered from 0.
    """

    games: pd.DataFrame
    contestants: pd.DataFrame
    boards: pd.DataFrame

    @cached_property
    def score(self) -> Floats:
        """The points to N-S of each result that was played out and not ruled on; NaN for others."""
        ruled = self.boards[["ns_adjusted", "ew_adjusted", "ew_score"]].notna().any(axis=1)
        return self.boards["score"].mask(ruled).to_numpy(dtype=np.float64)

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
    def of_board(self) -> Ints:
        """A number for each board of each field: of the results that a result is compared with."""
        game, session, section = fields(self.boards)
        keys = {"game": game, "session": session, "section": section, "board": self.boards["board"]}
        return distinct_rows(pd.DataFrame(keys, copy=False))[0]

    @cached_property
    def meeting(self) -> Ints:
        """A number for the results of two contestants against each other in a round."""
        return distinct_rows(self.boards[["game_id", "session", "section", "ns", "ew", "round"]])[0]

    @cached_property
    def seats(self) -> dict[str, Ints]:
        """The row of the contestants who sat N-S and E-W, -1 for none."""
        return seats(self.boards, self.contestants)

    @cached_property
    def _known(self) -> tuple[Ints, Ints]:
        """The keys of all scores on all boards, each once and in order, and how many results have each."""
        played = ~np.isnan(self.score)
        keys, counts = np.unique(_key(self.of_board[played], self.score[played]), return_counts=True)
        return keys, counts

    def having(self, of_board: Ints, score: Floats) -> Ints:
        """Return how many results of boards have some scores."""
        keys, counts = self._known
        wanted = _key(of_board, np.nan_to_num(score))
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found = np.zeros(len(wanted), dtype=np.int64)
        there = ~np.isnan(score) & (keys[at] == wanted) if len(keys) else np.zeros(len(wanted), dtype=bool)
        found[there] = counts[at[there]]
        return found

    def off(self, of_board: Ints, score: Floats, but: Floats) -> Floats:
        """Return the IMPs between scores and the nearest result of boards, each but for one that is left out.

        They are NaN where there is no score, or no other result.
        """
        keys, counts = self._known
        wanted, left_out = (_key(of_board, np.nan_to_num(each)) for each in (score, but))
        at = np.searchsorted(keys, wanted)
        nearest = np.full(len(wanted), np.inf)
        for step in range(-2, 3):  # the nearest on either side, or what is beyond the one that is left out
            place = np.clip(at + step, 0, len(keys) - 1)
            there = (keys[place] // _WIDE == of_board) & (counts[place] > (keys[place] == left_out))
            nearest = np.where(there, np.minimum(nearest, np.abs(keys[place] - wanted)), nearest)
        return imps(np.where(np.isfinite(nearest) & ~np.isnan(score), nearest, np.nan))

    def remark(self, row: int, what: str, hint: str, boards: str = "") -> Problem:
        """Return a remark on a result, its board, table and round named; boards: the boards, where it is on several."""
        result = self.boards.iloc[row]
        of_game = self.boards["game_id"] == result["game_id"]
        places = [boards or f"board {result['board']}"]
        places += [f"{name} {result[name]}" for name in ("table", "round") if not pd.isna(result[name])]
        for name in ("section", "session"):
            if self.boards.loc[of_game, name].nunique() > 1:
                places.append(f"{name} {result[name]}")
        game = int(np.flatnonzero(self.games["game_id"] == result["game_id"])[0])
        found = game_problem(self.games, game, f"{self.who(row)}: {what}", hint)
        return replace(found, where=", ".join(filter(None, [found.where, *places])))

    def who(self, row: int) -> str:
        """Return who met at a result: N-S 3 against E-W 15."""
        result = self.boards.iloc[row]
        sides = []
        for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
            partner = result[f"{side}_partner"]
            sides.append(f"{direction} {result[side]}" + ("" if pd.isna(partner) else f" and {partner}"))
        return " against ".join(sides)


_WIDE = 1 << 20
"""More than any two scores are apart."""


def _key(of_board: Ints, score: Floats) -> Ints:
    """Return a number for each score on each board, in the order of the scores."""
    return of_board * _WIDE + np.clip(score, -_WIDE // 2, _WIDE // 2 - 1).astype(np.int64) + _WIDE // 2


def too_many_tricks(results: Results) -> Iterator[Problem]:
    """Yield results of more tricks than there are."""
    tricks = results.boards["tricks"].fillna(0).to_numpy(dtype=np.int64)
    for row in np.flatnonzero(tricks > ALL_TRICKS).tolist():
        hint = "correct the contract or the result: there are 13 tricks"
        contract = results.boards["contract"].iat[row]
        yield results.remark(row, f"{contract} is said to have made {tricks[row]} tricks", hint)


def at_odds(results: Results) -> Iterator[Problem]:
    """Yield results whose score is not what contract, declarer and tricks give, or what they could give."""
    score, by_contract = results.score, results.by_contract
    for row in np.flatnonzero(~np.isnan(score) & (score != by_contract) & ~np.isnan(by_contract)).tolist():
        said = _played(results, row)
        what = f"{said} scores {_points(by_contract[row])}, and the score is {_points(score[row])}"
        other = _tricks_for(results, row)
        hint = (
            f"write {_points(by_contract[row])}" if other is None else f"write {_points(by_contract[row])}; or {other}"
        )
        sign = ": the sign is wrong" if score[row] == -by_contract[row] else ""
        yield results.remark(row, what + sign, hint)
    without = results.boards["tricks"].isna().to_numpy() & (results.contract >= 0) & (results.declared != 0)
    without &= ~np.isnan(score)
    rows = np.flatnonzero(without)
    possible, turned = (_possible(results, rows, score[rows] * sign) for sign in (1, -1))
    for row, mirrored in zip(rows[~possible].tolist(), turned[~possible].tolist(), strict=True):
        what = f"{_played(results, row)} cannot score {_points(score[row])}"
        yield results.remark(
            row,
            what + (": the sign is wrong" if mirrored else ""),
            f"write {_points(-score[row])}" if mirrored else "correct the contract or the score",
        )


def _possible(results: Results, rows: Ints, score: Floats) -> Bools:
    """Return whether the contracts of some results can give scores, whatever the tricks."""
    declarer = results.declared[rows]
    vulnerable = is_vulnerable(results.boards["board"].iloc[rows], declarer).astype(np.int64)
    every: Bools = (outcomes()[results.contract[rows], vulnerable] == (score * declarer)[:, None]).any(axis=1)
    return every


def _tricks_for(results: Results, row: int) -> str | None:
    """Return with how many tricks the contract of a result would have its score; None where with none."""
    contract, declarer = results.contract[row], results.declared[row]
    if contract < 0:
        return None
    vulnerable = int(is_vulnerable(results.boards["board"].iat[row], declarer))
    found = np.flatnonzero(outcomes()[contract, vulnerable] == results.score[row] * declarer)
    return f"{found[0]} tricks, if the score is right" if len(found) else None


def _played(results: Results, row: int) -> str:
    """Return how a board was played: 4S by N with 10 tricks."""
    result = results.boards.iloc[row]
    by = "" if pd.isna(result["declarer"]) else f" by {result['declarer']}"
    tricks = "" if pd.isna(result["tricks"]) else f" with {result['tricks']} tricks"
    return f"{result['contract']}{by}{tricks}"


def of_no_contract(results: Results) -> Iterator[Problem]:
    """Yield scores that no contract gives on their board, where no contract is known that would show more."""
    score = results.score
    alone = ~np.isnan(score) & np.isnan(results.by_contract) & ((results.contract < 0) | (results.declared == 0))
    vulnerable = vulnerability(results.boards["board"].to_numpy(dtype=np.int64))
    odd = np.zeros(len(score), dtype=bool)
    for code in range(4):
        odd |= alone & (vulnerable == code) & ~np.isin(score, _scores_at(code))
    for row in np.flatnonzero(odd).tolist():
        what = f"no contract scores {_points(score[row])}"
        elsewhere = any(score[row] in _scores_at(code) for code in range(4))
        yield results.remark(
            row, what + (" with this board's vulnerability" if elsewhere else ""), _mended(score[row], vulnerable[row])
        )


@cache
def _scores_at(vulnerable: int) -> Ints:
    """Return the scores to N-S that contracts give, in order: 0 where nobody is vulnerable, 1 N-S, 2 E-W, 3 both."""
    north_south, east_west = outcomes()[:, vulnerable & 1].ravel(), outcomes()[:, vulnerable >> 1].ravel()
    return np.unique(np.concatenate([[0], north_south, -east_west]))


def _mended(score: float, vulnerable: int) -> str:
    """Return what may be meant by a score that no contract gives: what the same gives here, or what is next to it."""
    side = vulnerable & 1 if score > 0 else vulnerable >> 1
    same = outcomes()[:, 1 - side] == abs(score)
    here = np.unique(outcomes()[:, side][same])
    known = _scores_at(vulnerable)
    at = int(np.searchsorted(known, score))
    if len(here) == 1:
        state = "" if side else "not "
        return f"write {_points(np.sign(score) * here[0])}, which the same contract scores {state}vulnerable"
    near = [_points(each) for each in known[max(at - 1, 0) : at + 1]]
    return "correct the score: the nearest that there are are " + " and ".join(near)


def played_twice(results: Results) -> Iterator[Problem]:
    """Yield boards that a contestant has two results of; teams, whose pairs both play each, are passed over."""
    boards = results.boards
    teams = results.games.loc[results.games["event_type"].isin(TEAMS), "game_id"]
    counted = boards[["score", "ns_adjusted", "ew_adjusted"]].notna().any(axis=1) & ~boards["game_id"].isin(teams)
    everybody = [*results.seats.values(), *partners(boards, results.contestants).values()]
    row, sat = np.tile(np.flatnonzero(counted), len(everybody)), np.concatenate([each[counted] for each in everybody])
    row, sat = select_rows(sat >= 0, row, sat)
    session, board = (boards[name].to_numpy(dtype=np.int64)[row] for name in ("session", "board"))
    number, first = distinct_keys(sat, session, board)
    again = row != row[first][number]
    if not again.any():
        return
    row, first, sat = row[again], row[first][number][again], sat[again]
    # Of two results of a board, the wrong one is rather that both of whose sides have another.
    each, whose = np.concatenate([row, first]), np.tile(sat, 2)
    sides = np.bincount(each[distinct_keys(each, whose)[1]], minlength=len(boards))
    odd, other = (np.where((sides[row] >= sides[first]) == turn, row, first) for turn in (True, False))
    for meeting in dict.fromkeys(results.meeting[odd].tolist()):
        here = results.meeting[odd] == meeting
        rows = np.unique(odd[here])
        listed = ", ".join(map(str, boards["board"].iloc[rows]))
        others = dict.fromkeys(map(results.who, other[here].tolist()))
        who = " and ".join(dict.fromkeys(results.contestants["number"].iloc[sat[here]]))
        what = f"there are other results of {who} on the same: {', '.join(others)}"
        hint = f"delete it if it is wrong, or correct its pairs or board{_meant(results, rows)}"
        yield results.remark(int(rows[0]), what, hint, f"board{'s' * (len(rows) > 1)} {listed}")


def _meant(results: Results, rows: Ints) -> str:
    """Return the board that a result is of that has another's number, where the others of its meeting tell."""
    if len(rows) > 1:
        return ""
    at, number = rows[0], results.boards["board"].to_numpy(dtype=np.int64)
    whose = [sat[at] for sat in results.seats.values()]
    theirs = np.isin(results.seats["ns"], whose) | np.isin(results.seats["ew"], whose)
    beside = number[(results.meeting == results.meeting[at]) & (number != number[at])]
    free = np.setdiff1d(number, number[theirs])
    near = free[np.isin(free, np.concatenate([beside - 1, beside + 1]))]
    return f": to {near[0]}, the only one beside theirs that neither has" if len(near) == 1 else ""


def against_itself(results: Results) -> Iterator[Problem]:
    """Yield results of a contestant against itself."""
    sat = results.seats
    for row in np.flatnonzero((sat["ns"] == sat["ew"]) & (sat["ns"] >= 0)).tolist():
        what = f"{results.boards['ns'].iat[row]} cannot sit in both directions"
        yield results.remark(row, what, "correct the number of one of the pairs")


def opposite(results: Results) -> Iterator[Problem]:
    """Yield results that are their board's with the other sign: one alone, or those of a round that was switched."""
    meeting, boards = results.meeting, results.boards["board"].to_numpy()
    switched = _switched(results)
    _, first = distinct_keys(meeting)
    for row in first[switched[meeting[first]]].tolist():
        listed = ", ".join(map(str, np.sort(boards[meeting == meeting[row]])))
        what = f"on the boards {listed} these are the others' scores with the other sign: N-S seem to have sat E-W"
        yield results.remark(row, what, "change the directions of the two in this round", f"boards {listed}")
    for row in np.flatnonzero(_turned(results) & ~switched[meeting]).tolist():
        score = results.score[row]
        what = f"the score is {_points(score)}, and the others of the board have {_points(-score)} or the like"
        yield results.remark(row, what, f"write {_points(-score)}, if it is the sign or the declarer that is wrong")


def _switched(results: Results) -> Bools:
    """Return in which meetings all results are unlike the others of their boards, and like them if turned round."""
    other = {"N": "E", "S": "W", "E": "S", "W": "N"}
    turned = contract_scores(results.boards.assign(declarer=results.boards["declarer"].map(other)))
    turned = np.where(np.isnan(results.by_contract), -results.score, turned)
    return _fit_elsewhere(results, np.arange(len(turned)), turned, turned=True)


def _fit_elsewhere(results: Results, target: Ints, moved: Floats, *, turned: bool = False) -> Bools:
    """Return in which meetings of several boards all results are far off where they are, and none where they are moved.

    target: the result in whose place each is put. moved: its score there. turned: whether the other side declares then.
    """
    count, of_board = np.bincount(results.meeting), results.of_board
    here = results.off(of_board, results.score, results.score)
    there = results.off(of_board[target], moved, results.score[target])
    # Where contracts are known, somebody else of that side has to have played in the same denomination.
    known, wide = (results.contract >= 0) & (results.declared != 0), 2 * len(DENOMINATIONS)
    played = 2 * (results.contract // 3 % len(DENOMINATIONS)) + (results.declared > 0)
    number = np.bincount((of_board * wide + played)[known], minlength=(int(of_board.max()) + 1) * wide)
    put = played ^ turned
    others = number[np.where(known, of_board[target] * wide + put, 0)] - (known & (played[target] == put))
    # What is not known speaks against both.
    far = np.bincount(results.meeting, np.nan_to_num(here, nan=-np.inf))
    near = np.bincount(results.meeting, np.where(known & (others < 1), np.inf, np.nan_to_num(there, nan=np.inf)))
    fits: Bools = (count > 1) & (far >= _FAR * count) & (near <= _NEAR * count)
    return fits


def _turned(results: Results) -> Bools:
    """Return which results stand alone on their side, and are common on the other: as a score, or as a contract."""
    score, field = results.score, results.of_board
    sign = np.sign(np.nan_to_num(score)).astype(np.int64)
    others = np.bincount(field, ~np.isnan(score))[field] - 1
    towards = np.bincount(field, sign)[field] - sign
    alone: Bools = (others >= _SAME_SIGN) & (sign != 0) & (towards == -sign * others)
    made = results.boards["contract"].isna().to_numpy() & (np.abs(score) % _UNDERTRICK != 0)
    by_score = made & (results.having(field, -score) >= 2)
    suit = np.where(results.contract >= 0, results.contract // 3 % len(DENOMINATIONS), -1)
    width = 2 * len(DENOMINATIONS)
    known = (suit >= 0) & (results.declared != 0)
    of_suit = field * width + 2 * suit
    same, other = (np.where(known, of_suit + (results.declared * by > 0), 0) for by in (1, -1))
    count = np.bincount(same[known], minlength=(int(field.max(initial=0)) + 1) * width)
    by_contract = known & (count[same] == 1) & (2 * count[other] > others)
    turned: Bools = alone & (by_score | by_contract)
    return turned


_UNDERTRICK = 50
"""A score that is no multiple of it was made; others are lost as often by one side as by the other."""


def shifted(results: Results) -> Iterator[Problem]:
    """Yield the results of a round that are unlike the others of their boards, and like those of the next ones."""
    meeting, number = results.meeting, results.boards["board"].to_numpy(dtype=np.int64)
    order = np.lexsort((number, meeting))
    count = np.bincount(meeting)
    start = np.cumsum(count) - count
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - start[meeting[order]]
    told = np.zeros(len(count), dtype=bool)
    for step in (1, -1):
        target = order[start[meeting] + (place + step) % count[meeting]]
        moved = contract_scores(results.boards.assign(board=number[target]))
        moved = np.where(np.isnan(results.by_contract), results.score, moved)
        fits = _fit_elsewhere(results, target, moved)
        for run in np.flatnonzero(fits & ~told).tolist():
            rows = order[start[run] : start[run] + count[run]]
            listed, meant = (", ".join(map(str, number[each])) for each in (rows, target[rows]))
            what = f"the results of the boards {listed} are unlike the others there, and like those of {meant}"
            yield results.remark(int(rows[0]), what, f"write them for the boards {meant}", f"boards {listed}")
        told |= fits


def _points(value: Any) -> str:
    """Return a score as people write it: +420, -50, 0."""
    return f"{int(value):+d}" if value else "0"
