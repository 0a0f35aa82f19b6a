"""The CSV that the results site BridgeWebs takes for upload: one game a file.

Fields are separated by tabs, as the site's guide advises. If a game has directions, N-S are in the first ``#Scores``
and E-W in the second. If it has several sections, a contestant is called by section and number, ``B 7``. Text that a
spreadsheet would take for a formula has an apostrophe before it. What the site has no place for is in comments, which
it passes over: :mod:`resultproc.formats.bridgewebs.reader` says what they are, and gives back the game that was
written. UTF-8.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

import pandas as pd

from resultproc.formats.bridgewebs.reader import OUR_COMMENT
from resultproc.formats.registry import Writer
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.frames import CONTESTANTS, FrameRow, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.numbers import number_cell
from resultproc.model.play import PLAYED, only_game
from resultproc.model.text import cell_text, text_there
from resultproc.model.values import escape_formula, json_without_formulas
from resultproc.pages.annotated import annotated, cell_as_text, game_keys, text_of_result, upload_places

_OPTIONS = {EventType.PAIRS.value: "Pairs", EventType.INDIVIDUAL.value: "Individual"}
"""The option that says what the contestants are; teams for every other type."""

_TOLD = ("event", "date", "event_type", "movement", "tables", "boards")
"""What a reader takes from the options and the pairs, which cannot tell every value: it is added in full."""


def write(result: Result) -> bytes:
    """Return the game as CSV, with the results of its boards.

    Raises OutputError for several games, and for boards of several sessions.
    """
    game = only_game(result, "BridgeWebs")
    frame = annotated(result)
    several = frame["section"].nunique() > 1
    frame = frame.assign(
        place=upload_places(result), name=frame["section"] + " " + frame["number"] if several else frame["number"]
    )
    rows = row_dicts(frame)
    east_west = [row for row in rows if row["direction"] == EAST_WEST]
    others = [row for row in rows if row["direction"] != EAST_WEST]
    # Below each #Scores are the contestants of a direction, or all.
    blocks = [(NORTH_SOUTH, others), (EAST_WEST, east_west)] if others and east_west else [("", rows)]
    keys = game_keys(game)
    options = {
        "Version": "std1",
        "Source": "resultproc",
        "Title": _escaped(keys.get("event", "")),
        "Date": "/".join(reversed(keys.get("date", "").split("-"))),
        "Boards": keys.get("boards", ""),
        _OPTIONS.get(keys.get("event_type", EventType.PAIRS.value), "Teams"): "1",
        "Winners": str(len(blocks)),
    }
    lines: list[list[str]] = [[f"#{name}", text] for name, text in options.items() if text]
    own = [_comment(0, {**dict.fromkeys(_TOLD, ""), **game_keys(game)})]
    seats = max(1, len(family_columns(frame)))
    for direction, rows in blocks:
        lines += [["#Scores"], [title for title, _ in _cells(rows[0], seats)]]
        for row in rows:
            cells = _cells(row, seats)
            lines.append([text for _, text in cells])
            plain = {"section": "A", "direction": direction, "eligible": "yes", **_texts(row, seats)}
            names = [name for name in row if CONTESTANTS.column(name) is not None and name not in {"game_id", "where"}]
            meant = {name: cell_as_text(name, row[name]) for name in names}
            own.append(_comment(len(own), {name: text for name, text in meant.items() if text != plain.get(name, "")}))
    lines += [line for line in own if line[-1] != "{}"]
    lines += _travellers(result.boards, blocks)
    file = io.StringIO()
    csv.writer(file, delimiter="\t", lineterminator="\r\n").writerows(lines)
    return file.getvalue().encode()


def _comment(number: int, content: Mapping[str, str]) -> list[str]:
    return ["#Comment", OUR_COMMENT, str(number), json_without_formulas(json.dumps(content, ensure_ascii=False))]


def _escaped(text: str) -> str:
    return escape_formula(text, commas=True)


def _texts(row: FrameRow, seats: int) -> dict[str, str]:
    """Return what the site's own columns tell of a contestant."""
    names = ["score", "percentage", "printed_award", *(f"player{seat}" for seat in range(1, seats + 1))]
    return {"number": cell_text(row["name"]), **{name: cell_as_text(name, row.get(name)) for name in names}}


def _cells(row: FrameRow, seats: int) -> list[tuple[str, str]]:
    texts = _texts(row, seats)
    return [
        ("Position", text_there(row["place"])),
        ("Pair", _escaped(texts["number"])),
        *((f"Name{seat}", _escaped(texts[f"player{seat}"])) for seat in range(1, seats + 1)),
        ("Score", texts["score"]),
        ("Percent", texts["percentage"]),
        ("Mpts", texts["printed_award"]),
    ]


def _travellers(boards: pd.DataFrame, blocks: Sequence[tuple[str, Sequence[FrameRow]]]) -> list[list[str]]:
    names = {
        (side, row["section"], row["number"]): cell_text(row["name"])
        for direction, rows in blocks
        for row in rows
        for side in ([direction] if direction else [NORTH_SOUTH, EAST_WEST])
    }
    lines = [
        ["#Travellers"],
        ["NS", "EW", "NSScore", "EWScore", "NSPts", "EWPts", "Contract", "Declarer", "Tricks", "Lead"],
    ]
    for board, rows in boards.groupby("board", sort=False):
        lines.append(["#Board", str(board)])
        for row in row_dicts(rows):
            pairs = [
                _escaped(names.get((direction, row["section"], row[side]), row[side]))
                for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST))
            ]
            lines.append([*pairs, *_score(row), *(text_of_result(row[name]) for name in _SAID)])
    return lines


_SAID = ("printed_ns", "printed_ew", *PLAYED)


def _score(row: FrameRow) -> list[str]:
    """Return the score on the side that it went to, or both sides' percentages."""
    if pd.isna(row["score"]):
        return ["" if pd.isna(row[name]) else number_cell(row[name]) + "%" for name in ("ns_adjusted", "ew_adjusted")]
    return ["", number_cell(-row["score"])] if row["score"] < 0 else [number_cell(row["score"]), ""]


WRITER = Writer("bridgewebs", "BridgeWebs CSV", (".bridgewebs.csv",), write, boards=True)
"""The ending tells it from the plain CSV."""
