"""Who sat where at the results of boards, who dealt and was vulnerable there, and who is compared with whom."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, distinct_keys, distinct_rows, family_columns, map_text
from resultproc.model.basis import Basis, basis_mask
from resultproc.model.facts import knockouts
from resultproc.model.frames import BOARDS, CONTESTANT_KEY, CONTESTANTS, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH

_Boards = TypeVar("_Boards", int, Ints)


def seats(boards: pd.DataFrame, contestants: pd.DataFrame) -> dict[str, Ints]:
    """Return, for the sides ``ns`` and ``ew``, which row of the contestants sat there at each result; -1 for none.

    For individuals it is who sat N and who sat E.
    """
    return _rows(boards, contestants, {side: side for side in ("ns", "ew")})


def partners(boards: pd.DataFrame, contestants: pd.DataFrame) -> dict[str, Ints]:
    """Return the same for those who sat S and W in events of individuals."""
    columns = {side: f"{side}_partner" for side in ("ns", "ew")}
    if boards[[*columns.values()]].isna().all(axis=None):
        return {side: np.full(len(boards), -1, dtype=np.int64) for side in columns}
    return _rows(boards, contestants, columns)


def _rows(boards: pd.DataFrame, contestants: pd.DataFrame, columns: Mapping[str, str]) -> dict[str, Ints]:
    BOARDS.validate(boards)
    CONTESTANTS.validate(contestants)
    directions = {"ns": NORTH_SOUTH, "ew": EAST_WEST}
    sat = [
        boards[["game_id", "section"]].assign(direction=directions[side], number=boards[column])
        for side, column in columns.items()
    ]
    every = pd.concat([contestants[CONTESTANT_KEY], *sat], ignore_index=True)
    listed, played = len(contestants), len(boards)
    section = distinct_rows(every[["game_id", "section"]])[0]
    together = np.isin(section[listed:], section[:listed][contestants["direction"].isna()])
    every.loc[listed + np.flatnonzero(together), "direction"] = None
    number, first = distinct_rows(every)
    if len(np.unique(number[:listed])) < listed:
        raise ValueError("two contestants have the same seat")
    row = np.where(first < listed, first, -1)[number[listed:]]
    return dict(zip(columns, (row[:played], row[played:]), strict=True))


def met_again(boards: pd.DataFrame, *seated: Mapping[str, Ints]) -> tuple[Ints, Ints, Ints]:
    """Return results of pairs who had played the board before: the rows, those of the first results, and who it is.

    seated: what :func:`seats` and :func:`partners` say of the results.
    """
    counted = boards[["score", "ns_adjusted", "ew_adjusted"]].notna().any(axis=1).to_numpy()
    every = [rows for sat in seated for rows in sat.values()]
    row, sat = np.tile(np.flatnonzero(counted), len(every)), np.concatenate([each[counted] for each in every])
    row, sat = row[sat >= 0], sat[sat >= 0]
    session, board = (boards[name].to_numpy(dtype=np.int64)[row] for name in ("session", "board"))
    number, first = distinct_keys(sat, session, board)
    again = row != row[first][number]
    return row[again], row[first][number][again], sat[again]


_ANEW = 0.25
"""From this part of a game's results on, those on boards that were met before are no slips."""


def numbered_anew(boards: pd.DataFrame, again: Ints) -> Bools:
    """Return which results are of games whose boards have the same numbers in every match, as some Swiss pairs have.

    again: the rows of the results on boards that one who sat there met before, once for each.
    """
    game = pd.factorize(boards["game_id"])[0]
    sat = 2 + 2 * boards["ns_partner"].notna().to_numpy()
    found: Bools = np.bincount(game[again], minlength=len(boards)) > _ANEW * np.bincount(game, sat, len(boards))
    return found[game]


SEATS = ("N", "E", "S", "W")
"""The seats, clockwise."""

_VULNERABLE = ("none", NORTH_SOUTH, EAST_WEST, "both")


def dealer(board: int) -> str:
    """Return the seat that dealt a board: N, E, S or W."""
    return SEATS[(board - 1) % 4]


def vulnerability(board: _Boards) -> _Boards:
    """Return who was vulnerable on boards: 0 for nobody, 1 for N-S, 2 for E-W, 3 for both."""
    turn = (board - 1) % 16
    return (turn + turn // 4) % 4


def vulnerable(board: int) -> str:
    """Return who was vulnerable on a board: ``none``, ``N-S``, ``E-W`` or ``both``."""
    return _VULNERABLE[vulnerability(board)]


def compared(result: Result) -> list[str]:
    """Return who each standing's contestant is compared with: ``section A N-S``, ``bracket 1``, '' for everyone."""
    standings = result.standings
    session = map_text(standings["basis"].astype("str"), lambda basis: Basis.parse(basis).session, 0)
    listed = partial(seats_in, session, result.contestants, standings["contestant"])
    section, direction = listed("section"), listed("direction")
    everyone = basis_mask(standings["basis"], lambda basis: basis.over_all)
    bracket = knockouts(result.games)[standings["game"]]
    seats = pd.DataFrame({"group": standings["group"].to_numpy(), "section": section}).drop_duplicates()
    each = seats.sort_values("section").groupby("group")["section"].agg(", ".join)
    together = pd.Series(each.reindex(standings["group"]).to_numpy(), section.index, dtype="str")
    sections = np.where(together.str.contains(","), "sections ", "section ") + together
    where = np.where(bracket, "bracket " + section, np.where(everyone, "", sections))
    side = direction.where((standings["winners"] == 2).to_numpy(), "")
    return [" ".join(filter(None, parts)) for parts in zip(where, side, strict=True)]


def seats_in(session: Ints, contestants: pd.DataFrame, rows: pd.Series[int], name: str) -> pd.Series[str]:
    """Return the section or direction of some contestants, each in a session: in a later one it may be another.

    name: of the column, whose texts are '' for none.
    """
    listed = contestants.iloc[rows].reset_index(drop=True)
    found = listed[name].astype("str").fillna("")
    for column in family_columns(contestants, name):
        moved = (session == int(column.removeprefix(name))) & listed[column].notna()
        found = found.mask(moved, listed[column].astype("str"))
    return found
