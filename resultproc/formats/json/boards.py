"""The boards in the JSON: travellers in each game, scorecards in its contestants, and the way back to frames.

A board is in the JSON once for each field that it is compared in. What was computed (points, percentages, totals,
scorecards) is passed over when it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from resultproc.formats.common.play import deal, hand
from resultproc.formats.common.rows import Records
from resultproc.model.board_columns import BOARD_COLUMNS
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import BOARDS, SCORECARDS, TRAVELLERS, Result, records
from resultproc.model.game import NORTH_SOUTH
from resultproc.model.seats import SEATS, dealer, vulnerable

OF_BOARD = ("game_id", "session", "board")
"""The columns of the boards frame that results of a board share."""

OF_RESULT = tuple(column for column in BOARD_COLUMNS if column.name not in OF_BOARD)
"""The columns of the boards frame in each result of a board."""

COMPUTED = tuple(TRAVELLERS.declared(f"{side}_{what}") for what in ("points", "percentage") for side in ("ns", "ew"))
"""What is added to a result."""

OF_CARD = tuple(
    SCORECARDS.declared(name) for name in ("score", "adjusted", "points", "percentage", "total", "total_percentage")
)
"""The columns of a scorecard in each of its boards."""

PLAYED = tuple(BOARDS.declared(name) for name in ("contract", "declarer", "tricks", "lead"))

_SEAT_COLUMNS = dict(zip(SEATS, ("north", "east", "south", "west"), strict=True))


_OF_DEAL: Mapping[str, Callable[[Any], object]] = {"makeable": str, "par": int}
"""What else is known of a deal."""


def board_entries(result: Result) -> dict[str, list[dict[str, Any]]]:
    """Return the travellers of each game, by its game_id."""
    listed = result.travellers
    if listed.empty:
        return {}
    results = result.boards.iloc[listed["result"]].reset_index(drop=True)
    names = [column.name for column in OF_RESULT]
    values = _records(results[names].join(listed[[column.name for column in COMPUTED]]))
    hands = {(row["game_id"], row["session"], row["board"]): row for row in result.deals.to_dict("records")}
    found: dict[str, list[dict[str, Any]]] = {}
    starts = np.flatnonzero(listed["traveller"].ne(listed["traveller"].shift()))
    for start, end in zip(starts, [*starts[1:], len(listed)], strict=True):
        first = results.iloc[start]
        board = int(first["board"])
        entry = {
            "session": int(first["session"]),
            "board": board,
            "dealer": dealer(board),
            "vulnerable": vulnerable(board),
        }
        dealt = hands.get((first["game_id"], first["session"], first["board"]))
        if dealt is not None:
            entry["hands"] = {seat: dealt[column] for seat, column in _SEAT_COLUMNS.items()}
            entry |= {name: as_json(dealt[name]) for name, as_json in _OF_DEAL.items() if not pd.isna(dealt[name])}
        found.setdefault(str(first["game_id"]), []).append(entry | {"results": values[start:end]})
    return found


def add_scorecards(listed: list[dict[str, Any]], result: Result) -> None:
    """Add to the entries of contestants what they did on each board."""
    cards = result.scorecards
    if cards.empty:
        return
    results = result.boards.iloc[cards["result"]].reset_index(drop=True)
    opponents = np.where(cards["side"] == NORTH_SOUTH, results["ew"], results["ns"])
    head = pd.DataFrame(
        {"session": results["session"], "board": results["board"], "direction": cards["side"], "opponents": opponents}
    )
    for name in ("opponents_partner", "partner"):
        rows = cards[name]
        head[name] = result.contestants["number"].iloc[rows.clip(lower=0)].where((rows >= 0).to_numpy()).to_numpy()
    values = _records(
        head.join(results[[column.name for column in PLAYED]]).join(cards[[column.name for column in OF_CARD]])
    )
    for contestant, entry in zip(cards["contestant"], values, strict=True):
        listed[contestant].setdefault("scorecard", []).append(entry)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as objects of what there is, percentages with two decimals."""
    numbers = map(str, frame.select_dtypes("float64"))
    rounded = frame.round({name: 2 if "percentage" in name else 4 for name in numbers})
    return records(rounded)


def boards_of(games: Iterable[Mapping[str, Any]]) -> tuple[Records, Records]:
    """Return the boards and deals of the JSON's games; raise InputError for hands that are no pack of cards."""
    boards, problems = [], []
    deals: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row, entry in enumerate(games):
        game = entry["game"]["game_id"]
        for number, board in enumerate(entry.get("boards", ())):
            shared = {"game_id": game, "session": board["session"], "board": board["board"]}
            boards += [shared | result for result in _results(board)]
            if "hands" in board:
                cards = deal({_SEAT_COLUMNS[seat]: hand(*board["hands"][seat].split(".")) for seat in SEATS})
                where = f"$.games[{row}].boards[{number}].hands"
                if cards is None:
                    problems.append(Problem("these hands are not a pack of cards", where, "13 cards to each seat"))
                else:
                    others = {name: board.get(name) for name in _OF_DEAL}
                    deals.setdefault(tuple(shared.values()), shared | cards | others)
    if problems:
        raise InputError(problems)
    return Records(boards), Records(deals.values())


def _results(board: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for result in board["results"]:
        yield {column.name: result.get(column.name) for column in OF_RESULT}
