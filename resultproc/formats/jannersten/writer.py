"""The ``results.txt`` of Jannersten's programs, which print and publish hand records with results: one game a file.

The form is that of jannersten.com/Help/BSC/html/results_txt.html: three parts, with semicolons between their fields,
and left blank where there is nothing to say:

- ``[GAME]`` has a line for each section. Its scoring method, filler, event type, weighting, handicap, date and session
  are blank: the page does not say which words they take.
- ``[Contestants]`` has a line for each player: section, number, seat, name in quotes, result, percentage, victory
  points and masterpoints. Who has no direction is listed as N and S.
- ``[RESULTS]`` has a line for each result: the board as ``#01``, section, round, the numbers of N, E, S and W (of pairs
  only the first two), points to N-S, contract, declarer, tricks, lead, and what both sides got; the last field says
  what was adjusted.

The page says nothing of letters with accents: the file is in Windows-1252, or in UTF-8 where that lacks one.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from resultproc.formats.registry import Writer
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import ImpossibleError
from resultproc.model.frames import FrameRow, Result
from resultproc.model.game import ACROSS_SECTIONS, EAST_WEST, EventType
from resultproc.model.play import PLAYED, SIDES, only_game, percentage_of, points_are, with_points
from resultproc.model.text import cell_text
from resultproc.pages.annotated import annotated, cell_as_text, game_keys, text_of_result
from resultproc.scoring.points import PAIRS_AND_INDIVIDUALS


def write(result: Result) -> bytes:
    """Return the game as ``results.txt``.

    Raises OutputError for several games, teams, boards of several sessions, and text that would end its field.
    """
    keys = game_keys(only_game(result, "results.txt"))
    if keys.get("event_type", EventType.PAIRS.value) not in PAIRS_AND_INDIVIDUALS:
        raise ImpossibleError(f"the event is a {keys['event_type']}", hint="results.txt takes pairs and individuals")
    contestants, boards = annotated(result), with_points(result)
    title, boards_played = cell_text(keys.get("event", "")), keys.get("boards", "")
    together = "1" if ACROSS_SECTIONS in keys.get("special", "") else ""
    sections = map(cell_text, contestants["section"].unique())
    lines = ["[GAME]", *(_line(each, "", boards_played, *[""] * 7, title, "", together) for each in sections)]
    lines += ["[Contestants]", *(line for row in row_dicts(contestants) for line in _players(row))]
    lines += ["[RESULTS]", *_results(boards.sort_values("board", kind="stable"))]
    text = "\r\n".join([*lines, ""])
    try:
        return text.encode("cp1252")
    except UnicodeEncodeError:
        return text.encode()


def _line(*fields: str) -> str:
    """Return fields as a line; raise OutputError for one that would end before its end."""
    wrong = next((field for field in fields if ";" in field), None)
    if wrong is not None:
        raise ImpossibleError(f"no room for {wrong}", hint="results.txt parts fields by ';': write it without")
    return ";".join(fields)


def _players(row: FrameRow) -> Iterator[str]:
    """Yield the line of each player of a contestant; a single player, and one without a name, has one, too."""
    texts = {name: cell_as_text(name, row[name]) for name in ("score", "percentage", "printed_award")}
    names = {seat: cell_as_text(f"player{seat}", row.get(f"player{seat}")) for seat in (1, 2)}
    seats = "EW" if row["direction"] == EAST_WEST else "NS"
    for seat, letter in enumerate(seats, 1):
        name = names[seat]
        if '"' in name:
            hint = "results.txt puts names in quotes: write it with '"
            raise ImpossibleError(f"no room for the name {name}", hint=hint)
        if name or seat == 1:
            award = cell_as_text(f"printed_share{seat}", row.get(f"printed_share{seat}")) or texts["printed_award"]
            seated = (cell_text(row["section"]), cell_text(row["number"]), letter, f' "{name}"')
            yield _line(*seated, texts["score"], texts["percentage"], "", award)


def _results(boards: pd.DataFrame) -> Iterator[str]:
    kind, blank = points_are(boards), ["", ""]
    for row in row_dicts(boards):
        points = [text_of_result(row[name]) for name in ("ns_points", "ew_points")]
        yield _line(
            f"#{row['board']:02}",
            cell_text(row["section"]),
            "",
            *(text_of_result(row[name]) for name in ("ns", "ew", "ns_partner", "ew_partner")),
            *(text_of_result(row[name]) for name in ("score", *PLAYED)),
            *(points if kind == "MP" else blank),
            *(points if kind == "IMP" else blank),
            *(text_of_result(percentage_of(row, side)) for side in SIDES),
            "",
            text_of_result(row["top"]),
            "",
            _remark(row),
        )


def _remark(row: FrameRow) -> str:
    ruled = {side.upper(): text_of_result(row[f"{side}_adjusted"]) for side in SIDES}
    said = [f"{side} {percent}%" for side, percent in ruled.items() if percent]
    said += [f"EW {text_of_result(row['ew_score'])}"] if not pd.isna(row["ew_score"]) else []
    return f"adjusted: {', '.join(said)}" if said else ""


_COLUMNS = {"section", "direction", "number", "player", "score", "percentage", "printed_award", "printed_share"}

WRITER = Writer("jannersten", "Jannersten's results.txt", (".jannersten.txt",), write, boards=True, columns=_COLUMNS)
"""The ending tells it from a listing; the programs that take it want it called ``results.txt``."""
