"""Doubts about the results of boards: what cannot have been, and what hardly was.

A result is compared with its contract, with all that contracts give, and with the other results of its board. What
a ruling gave is left alone: adjusted scores, and scores of their own for each side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, distinct_keys, select_rows
from resultproc.model.at_the_table import vulnerability
from resultproc.model.errors import Problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.scoring.contracts import ALL_TRICKS, is_vulnerable, scores_of_contracts
from resultproc.stages.doubts import rounds
from resultproc.stages.doubts.results import Mend, Results, signed_text

_SAME_SIGN = 4
"""With fewer other results of a board, one that stands alone on its side shows nothing."""


def too_many_tricks(results: Results) -> Iterator[Problem]:
    """Yield results with more tricks than there are, or fewer than none."""
    tricks = results.boards["tricks"].fillna(0).to_numpy(dtype=np.int64)
    for row in np.flatnonzero((tricks > ALL_TRICKS) | (tricks < 0)).tolist():
        meant = _tricks_for(results, row)
        what = f"{results.boards['contract'].iat[row]} is said to have made {tricks[row]} tricks"
        what += ", and counts for nothing" if results.of_nothing[row] else ""
        hint = "correct the contract or the result: there are 13 tricks"
        hint += "" if meant is None else f", and the score {signed_text(results.score[row])} is that of {meant}"
        yield results.remark(row, what, hint)


def scores_unlike_contracts(results: Results) -> Iterator[Problem]:
    """Yield results whose score is not what contract, declarer and tricks give, or what they could give."""
    score, by_contract = results.score, results.by_contract
    for row in np.flatnonzero(~np.isnan(score) & (score != by_contract) & ~np.isnan(by_contract)).tolist():
        said = _played(results, row)
        what = f"{said} scores {signed_text(by_contract[row])}, and the score is {signed_text(score[row])}"
        meant = _tricks_for(results, row)
        other = "" if meant is None else f"; or {meant} tricks, if the score is right"
        sign = ": the sign is wrong" if score[row] == -by_contract[row] else ""
        hint = f"write {signed_text(by_contract[row])}"
        mend = Mend(np.array([row]), {"score": [by_contract[row]]})
        yield results.remark(row, what + sign, hint, mend=mend, otherwise=other)
    unknown = results.boards["tricks"].isna().to_numpy() | (results.declared == 0)
    rows = np.flatnonzero(unknown & (results.contract >= 0) & ~np.isnan(score))
    possible, turned = (_possible(results, rows, score[rows] * sign) for sign in (1, -1))
    for row, mirrored in zip(rows[~possible].tolist(), turned[~possible].tolist(), strict=True):
        what = f"{_played(results, row)} cannot score {signed_text(score[row])}"
        yield results.remark(
            row,
            what + (": the sign is wrong" if mirrored else ""),
            f"write {signed_text(-score[row])}" if mirrored else "correct the contract or the score",
            mend=Mend(np.array([row]), {"score": [-score[row]]}) if mirrored else None,
        )


def _possible(results: Results, rows: Ints, score: Floats) -> Bools:
    """Return whether the contracts of some results can give scores, by whatever side and tricks are not known."""
    contract, declarer = results.contract[rows], results.declared[rows]
    tricks = results.boards["tricks"].iloc[rows].fillna(-1).to_numpy(dtype=np.int64)[:, None]
    found = np.zeros(len(rows), dtype=bool)
    for side in (1, -1):
        vulnerable = is_vulnerable(results.boards["board"].iloc[rows], side).astype(np.int64)
        same = scores_of_contracts()[contract, vulnerable] == (score * side)[:, None]
        same &= (tricks < 0) | (np.arange(ALL_TRICKS + 1) == tricks)
        found |= same.any(axis=1) & ((declarer == side) | (declarer == 0))
    return found


def _tricks_for(results: Results, row: int) -> int | None:
    """Return with how many tricks the contract of a result would have its score; None where with none."""
    contract, declarer = results.contract[row], results.declared[row]
    if contract < 0 or declarer == 0:
        return None
    vulnerable = int(is_vulnerable(results.boards["board"].iat[row], declarer))
    found = np.flatnonzero(scores_of_contracts()[contract, vulnerable] == results.score[row] * declarer)
    return int(found[0]) if len(found) else None


def _played(results: Results, row: int) -> str:
    """Return how a board was played: 4S by N with 10 tricks."""
    result = results.boards.iloc[row]
    by = "" if pd.isna(result["declarer"]) else f" by {result['declarer']}"
    tricks = "" if pd.isna(result["tricks"]) else f" with {result['tricks']} tricks"
    return f"{result['contract']}{by}{tricks}"


def of_no_contract(results: Results) -> Iterator[Problem]:
    """Yield scores that no contract gives on their board, where no contract is known that would show more."""
    score = results.score
    alone = ~np.isnan(score) & np.isnan(results.by_contract) & (results.contract < 0)
    vulnerable = vulnerability(results.boards["board"].to_numpy(dtype=np.int64))
    odd = np.zeros(len(score), dtype=bool)
    for code in range(4):
        odd |= alone & (vulnerable == code) & ~np.isin(score, _scores_at(code))
    for row in np.flatnonzero(odd).tolist():
        what = f"no contract scores {signed_text(score[row])}"
        elsewhere = any(score[row] in _scores_at(code) for code in range(4))
        hint, meant = _mended(score[row], vulnerable[row])
        mend = None if meant is None else Mend(np.array([row]), {"score": [meant]})
        yield results.remark(row, what + (" with this board's vulnerability" if elsewhere else ""), hint, mend=mend)


@cache
def _scores_at(vulnerable: int) -> Ints:
    """Return the scores to N-S that contracts give, in order: 0 where nobody is vulnerable, 1 N-S, 2 E-W, 3 both."""
    north_south, east_west = (scores_of_contracts()[:, side].ravel() for side in (vulnerable & 1, vulnerable >> 1))
    return np.unique(np.concatenate([[0], north_south, -east_west]))


def _mended(score: float, vulnerable: int) -> tuple[str, float | None]:
    """Return what may be meant by a score that no contract gives, and the score, where there is one alone.

    That is what the same gives here, made by the one side or lost by the other; else the scores next to it.
    """
    sign = 1 if score > 0 else -1
    meant: dict[int, int] = {}
    for declarer, gain in ((sign, abs(score)), (-sign, -abs(score))):
        side = int(bool(vulnerable & (1 if declarer > 0 else 2)))
        same = scores_of_contracts()[:, 1 - side] == gain
        meant |= {declarer * here: side for here in np.unique(scores_of_contracts()[:, side][same]).tolist()}
    if len(meant) == 1:
        here, side = meant.popitem()
        state = "" if side else "not "
        return f"write {signed_text(here)}, which the same contract scores {state}vulnerable", float(here)
    known = _scores_at(vulnerable)
    at = int(np.searchsorted(known, score))
    near = [signed_text(each) for each in known[max(at - 1, 0) : at + 1]]
    return "correct the score: the nearest that there are are " + " and ".join(near), None


def played_twice(results: Results) -> Iterator[Problem]:
    """Yield boards that a contestant has two results of.

    Teams, whose pairs both play each, are passed over, and games whose board numbers begin again in every match.
    """
    boards = results.boards
    row, first, sat = select_rows(~results.anew[results.met_again[0]], *results.met_again)
    if not len(row):
        return
    # Of two results of a board, the one whose two sides both have another is more likely to be wrong.
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
        hint, mend = _instead(results, rows)
        yield results.remark(int(rows[0]), what, hint, f"board{'s' * (len(rows) > 1)} {listed}", mend)


def _instead(results: Results, rows: Ints) -> tuple[str, Mend]:
    """Return what to do with results on boards that one of the two has other results of."""
    meant = rounds.meant_board(results, int(rows[0])) if len(rows) == 1 else None
    if meant is not None:
        hint = f"delete it if it is wrong, or correct its pairs or board: to {meant}, which lacks in their round"
        return hint, rounds.put_on(results, int(rows[0]), meant)
    return "correct its pairs or board, or delete it if it is wrong", Mend(rows, gone=True)


def against_itself(results: Results) -> Iterator[Problem]:
    """Yield results of a contestant against itself."""
    sat = results.seats
    for row in np.flatnonzero((sat["ns"] == sat["ew"]) & (sat["ns"] >= 0)).tolist():
        what = f"{results.boards['ns'].iat[row]} cannot sit in both directions"
        met = _met_in_round(results, row)
        meant = [] if met else _nowhere(results, row)
        if met:
            side, number = met
            hint = f"write {number} for {NORTH_SOUTH if side == 'ns' else EAST_WEST}, as on other boards of the round"
            yield results.remark(row, what, hint, mend=Mend(np.array([row]), {side: [number]}))
        elif len(meant) == 1:
            mend = Mend(np.array([row]), {"ew": meant})
            yield results.remark(row, what, f"write {meant[0]} for E-W", mend=mend, otherwise="; or for N-S")
        else:
            hint = "correct the number of one of the pairs" + (f": to {' or '.join(meant)}" if meant else "")
            yield results.remark(row, what, hint)


def _met_in_round(results: Results, row: int) -> tuple[str, str] | None:
    """Return the side and number of who alone met a contestant on other boards of a result's round; None if nobody."""
    result = results.boards.iloc[row]
    if pd.isna(result["round"]):
        return None
    at = ["game_id", "session", "section", "round"]
    of_round = results.boards[(results.boards[at] == result[at]).all(axis=1)]
    of_round = of_round[of_round["ns"] != of_round["ew"]]
    met = {("ew", number) for number in of_round.loc[of_round["ns"] == result["ns"], "ew"]}
    met |= {("ns", number) for number in of_round.loc[of_round["ew"] == result["ns"], "ns"]}
    return met.pop() if len(met) == 1 else None


_FEW = 2
"""The most contestants among whom one can be said to be meant."""


def _nowhere(results: Results, row: int) -> list[str]:
    """Return the contestants of a result's section, two at most, that sat nowhere in its round, or never met its board.

    Those of other sections may have the same numbers.
    """
    result = results.boards.iloc[row]
    at = ["game_id", "session", "section", "board" if pd.isna(result["round"]) else "round"]
    there = (results.boards[at] == result[at]).all(axis=1)
    sat = results.boards.loc[there, ["ns", "ew"]].to_numpy().ravel()
    of = ["game_id", "section"]
    listed = results.contestants.loc[(results.contestants[of] == result[of]).all(axis=1), "number"]
    found = listed[~listed.isin(sat)].tolist()
    return found if len(found) <= _FEW else []


def unlisted_contestants(results: Results) -> Iterator[Problem]:
    """Yield contestants that have results of boards and are not among those of their game: nobody has their points."""
    boards = results.boards
    partner = {f"{side}_partner": rows for side, rows in results.partners.items()}
    for side, sat in (results.seats | partner).items():
        rows = np.flatnonzero((sat < 0) & boards[side].notna().to_numpy() & ~results.of_nothing)
        keys = boards[["game_id", "section", side]].iloc[rows]
        for _, of_one in keys.groupby(list(keys), sort=False):
            row, number = int(of_one.index[0]), of_one[side].iat[0]
            listed = ", ".join(map(str, dict.fromkeys(boards["board"].loc[of_one.index])))
            direction = NORTH_SOUTH if side.startswith("ns") else EAST_WEST
            what = f"{direction} {number} of section {of_one['section'].iat[0]} has results"
            what += ", and is not among the contestants"
            where = f"board{'s' * (',' in listed)} {listed}"
            yield results.remark_on_game(row, what, "add it to the contestants, or correct its number", where)


def opposite_signs(results: Results) -> Iterator[Problem]:
    """Yield results that are their board's with the other sign: one alone, or those of a round that was switched."""
    switched, moved = rounds.switched(results)
    yield from rounds.of_switched(results, switched, moved)
    # Those alone on their side, against several on the other.
    sign = np.sign(np.nan_to_num(results.score)).astype(np.int64)
    others = np.bincount(results.of_board, ~np.isnan(results.score))[results.of_board] - 1
    towards = np.bincount(results.of_board, sign)[results.of_board] - sign
    alone = (others >= _SAME_SIGN) & (sign != 0) & (towards == -sign * others)
    rows = np.flatnonzero(alone & ~switched[results.meeting])
    told = _turned(results)[rows] | rounds.likely_turned(results, rows, moved)
    for row in rows[told].tolist():
        score, other = results.score[row], moved[row]
        what = f"the score is {signed_text(score)}, and the others of the board have {signed_text(-score)} or the like"
        hint = f"write {signed_text(other)}, if it is the sign or the declarer that is wrong"
        yield results.remark(row, what, hint, mend=Mend(np.array([row]), {"score": [other]}))


def _turned(results: Results) -> Bools:
    """Return which results are common on the other side: as a score, or as a contract."""
    score, field = results.score, results.of_board
    others = np.bincount(field, ~np.isnan(score))[field] - 1
    made = results.boards["contract"].isna().to_numpy() & (np.abs(score) % _UNDERTRICK != 0)
    by_score = made & (results.having(field, -score) >= 2)
    played = list(zip(field.tolist(), results.play.tolist(), strict=True))
    count = Counter(played)
    alone = [count[board, play] == 1 for board, play in played]
    turned = np.array([count[board, play ^ 1] for board, play in played])
    return np.asarray(by_score | ((results.play >= 0) & alone & (2 * turned > others)), dtype=np.bool_)


_UNDERTRICK = 50
"""A score that is no multiple of it was made; others are lost as often by one side as by the other."""
