"""What contracts score: Law 77 of the Laws of Duplicate Bridge 2017, whose figures are in ``law77.toml``.

A deal has few outcomes: 35 contracts, three ways doubled, vulnerable or not, 0 to 13 tricks. All are scored once, and
the results of boards look theirs up.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, map_text
from resultproc.model.seats import vulnerability

DENOMINATIONS = ("C", "D", "H", "S", "NT")
BOOK = 6
"""The tricks that count for nothing: a contract of one is for one more."""

ALL_TRICKS = 13
_SHAPE = (7, len(DENOMINATIONS), 3)

CONTRACTS = tuple(
    f"{level}{denomination}{doubled}"
    for level in range(1, 8)
    for denomination in DENOMINATIONS
    for doubled in ("", "X", "XX")
)
"""Every contract but Pass, as the boards frame has them."""

_NUMBERS = {contract: number for number, contract in enumerate(CONTRACTS)}

PASSED_OUT = "Pass"


@cache
def outcomes() -> Ints:
    """Return what every contract scores to declarer, by its number, whether that side is vulnerable, and tricks."""
    law = tomllib.loads(Path(__file__).with_name("law77.toml").read_text("utf-8"))
    level, denomination, doubled, vulnerable, tricks = np.indices((*_SHAPE, 2, ALL_TRICKS + 1))
    level += 1

    def of(name: str, at: Ints) -> Ints:
        return np.array(law[name], dtype=np.int64)[at]

    trick = of("further_tricks", denomination)
    bid = (of("first_trick", denomination) + (level - 1) * trick) * of("multiplied", doubled)
    over = tricks - BOOK - level
    doubled_over = np.where(doubled == 1, of("overtrick_doubled", vulnerable), of("overtrick_redoubled", vulnerable))
    slam = np.select([level == 6, level == 7], [of("small_slam", vulnerable), of("grand_slam", vulnerable)])
    level_premium = np.where(bid >= law["game_from"], of("game", vulnerable), of("part_score", vulnerable))
    made = bid + over * np.where(doubled > 0, doubled_over, trick) + of("making", doubled) + slam + level_premium
    first, further, from_fourth = (np.array(each)[vulnerable, doubled] for each in law["undertricks"].values())
    lost = first + (-over - 1) * further + np.maximum(-over - 3, 0) * from_fourth
    scores: Ints = np.where(over >= 0, made, -lost)
    return scores.reshape(len(CONTRACTS), 2, ALL_TRICKS + 1)


def contract_number(contracts: pd.Series[str]) -> Ints:
    """Return the number of each contract, its place in :data:`CONTRACTS`; -1 for Pass and for none."""
    return map_text(contracts, lambda contract: _NUMBERS.get(contract, -1), -1)


def declarer_side(declarer: pd.Series[str]) -> Ints:
    """Return 1 where N-S declared, -1 where E-W did, 0 where nobody knows."""
    return map_text(declarer, lambda seat: 1 if seat in "NS" else -1, 0)


def is_vulnerable(board: Any, side: Any) -> Bools:
    """Return whether a side is vulnerable on a board: 1 is N-S, -1 E-W."""
    vulnerable: Bools = (vulnerability(np.asarray(board)) & np.where(np.asarray(side) > 0, 1, 2)) > 0
    return vulnerable


def contract_scores(boards: pd.DataFrame) -> Floats:
    """Return the points to N-S that contract, declarer and tricks of each result give: NaN where one is not known.

    boards: the columns ``board``, ``contract``, ``declarer`` and ``tricks`` of the boards frame. A deal that was passed
    out scores nothing; nor does one with more tricks than there are.
    """
    contract, side = contract_number(boards["contract"]), declarer_side(boards["declarer"])
    tricks = boards["tricks"].fillna(-1).to_numpy(dtype=np.int64)
    known = (contract >= 0) & (side != 0) & (tricks >= 0) & (tricks <= ALL_TRICKS)
    vulnerable = is_vulnerable(boards["board"], side).astype(np.int64)
    scores = np.full(len(boards), np.nan)
    scores[known] = (outcomes()[contract[known], vulnerable[known], tricks[known]]) * side[known]
    scores[(boards["contract"] == PASSED_OUT).to_numpy(dtype=bool)] = 0
    return scores
