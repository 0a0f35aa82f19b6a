"""The CSV that the results site BridgeWebs takes for upload, and as this package writes it.

It reads what the site's guide describes (bridgewebs.com/guideus/page40.html, "CSV Format"; version std1) and scoring
programs write:

- options, one a line: ``#Version;std1``, ``#Title``, ``#Description``, ``#Date`` (22/10/2015), ``#Boards``,
  ``#Individual``, ``#Teams``, ``#Swiss...``; ``#Comment`` and every other option is passed over. Letter case does not
  matter; what is behind the first option (semicolon, tab or comma) separates the fields throughout;
- ``#Scores``, a header (Position, Pair, Name1, Name2, Score, Percent, Mpts, and others, which are passed over) and the
  contestants below it: once, or of two winners once for N-S and once for E-W;
- ``#Travellers``, a header (NS, EW, NSScore, EWScore, NSPts, EWPts, Contract, Declarer, Tricks, Lead, ...), and below
  each ``#Board;7`` its results: the score on the side that it went to, or ``60%`` and ``40%``.

A ``Mpts`` without decimals is in hundredths, as British clubs count. The site knows no sections; the tables in play
follow from the pairs. What only this package knows is in comments, ``#Comment;resultproc;...``: a JSON object of
game keys, or behind the number of a contestant, counted from 1, one of columns as CSV has them.

On bad input: InputError that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from resultproc.formats.registry import decode
from resultproc.formats.separated import csv_rows
from resultproc.model.codes import EMPTY, UNREADABLE
from resultproc.model.dates import day_written
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.frames import CONTESTANTS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.json import parsed_json
from resultproc.model.numbers import number_at
from resultproc.model.places import place_of, rank_texts
from resultproc.model.play import PLAYED, board_number, both_scores, how_played, scored_apart
from resultproc.model.source import Declaration, Source
from resultproc.model.text import tidy
from resultproc.tables.rows import read_cells
from resultproc.tables.unsaid import directions_of, field_facts

OUR_COMMENT = "resultproc"
"""What a comment begins with that says what the format has no place for."""

_COLUMNS = {
    "position": "position",
    **dict.fromkeys(("pair", "team", "no"), "number"),
    "name": "player1",
    **{f"name{n}": f"player{n}" for n in range(1, 9)},
    **dict.fromkeys(("score", "imps", "vps"), "score"),
    "percent": "percentage",
    "mpts": "printed_award",
}
"""What the site's columns of contestants are here."""

_EVENT_TYPES = {
    "individual": EventType.INDIVIDUAL,
    "teams": EventType.SWISS,
    "swissteams": EventType.SWISS,
}


@dataclass(frozen=True)
class _Part:
    """An option, and the lines below it down to the next one."""

    name: str  # of the option
    value: Cell  # what stands behind the name
    where: str  # the line of the option
    rows: list[Row] = field(default_factory=list)  # the lines below it


Own = dict[int, dict[str, Cell]]
"""What comments add, by the number of the contestant, 0 for the game."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    parts, own = _parts_of(decode(source.data))
    contestants, names = _contestants([part for part in parts if part.name == "scores"], own)
    options = {part.name: part.value for part in reversed(parts)}
    kind = next((kind for name, kind in _EVENT_TYPES.items() if name in options), EventType.PAIRS)
    game = own.get(0, {})
    facts = {**_facts(options), **field_facts(contestants, kind)}
    facts = {name: value for name, value in facts.items() if name not in game}
    boards, remarks = _boards(parts, names, source.stem)
    return Reading(
        sheet_of(source, contestants, [facts | {"game_id": source.stem}], remarks),
        {name: Declaration(cell.text, cell.where) for name, cell in game.items() if cell.text},
        boards=boards,
    )


def _parts_of(text: str) -> tuple[list[_Part], Own]:
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    begins = re.match(r'\s*"?#\s*\w+"?\s*([;,\t])', first)
    parts: list[_Part] = []
    own: Own = {}
    for row in csv_rows(lines, begins[1] if begins else ";", 1):
        head, value, *_ = [*row.cells, Cell("", row.where), Cell("", row.where)]
        name = head.text.removeprefix("#").strip().lower()
        if not row.texts:
            continue
        if not head.text.startswith("#"):
            if not parts:
                raise FormatError("the file does not begin with an option", row.where, "write #Version;std1 first")
            parts[-1].rows.append(row)
        elif name == "comment":
            if value.text == OUR_COMMENT:
                _add_own(own, row)
        else:
            parts.append(_Part(name, value, row.where))
    return parts, own


def _add_own(own: Own, row: Row) -> None:
    texts = [cell.text for cell in row.cells[2:]]
    try:
        content = parsed_json(texts[1])
        numbered = own.setdefault(int(texts[0]), {})
        if not isinstance(content, dict) or not all(isinstance(text, str) for text in content.values()):
            raise ValueError("not an object of texts")
        strange = [name for name in content if CONTESTANTS.column(name) is None or name in {"game_id", "where"}]
        if int(texts[0]) and strange:
            raise ValueError(f"unknown column '{strange[0]}'")
        "".join(content.values()).encode()
    except (ValueError, IndexError) as error:
        what = f"this comment of {OUR_COMMENT}'s cannot be read: {error}"
        raise InputError(what, row.where, "leave it as it was, or delete it") from None
    numbered.update({name: Cell(text, row.where) for name, text in content.items()})


_Names = dict[tuple[str | None, str], tuple[str, str]]
"""Section and number of each contestant, by its direction and what the file calls it."""


def _contestants(blocks: Sequence[_Part], own: Own) -> tuple[Records, _Names]:
    if len(blocks) > 2:
        raise InputError("a third #Scores begins here", blocks[2].where, "write one, or two for N-S and E-W")
    directions = (NORTH_SOUTH, EAST_WEST) if len(blocks) == 2 else (None,)
    listed = [
        (direction, cells, where)
        for direction, block in zip(directions, blocks, strict=False)
        for cells, where in _cells(block)
    ]
    if not listed:
        raise FormatError("no contestants found", hint="list them below #Scores", code=EMPTY)
    rows = []
    for n, (direction, cells, where) in enumerate(listed, 1):
        said = {"section": Cell("A", where), "direction": Cell(direction or "", where), **cells}
        rows.append((said | own.get(n, {}), where))
    places = [cells.pop("position", Cell("", "")).text for cells, _ in rows]
    table = read_cells(rows, Cell("below #Scores", blocks[0].where), {})
    if not own:
        table["printed_section"] = rank_texts(directions_of(table), map(place_of, places))
    names = {
        (direction, cells["number"].text): (section, number)
        for (direction, cells, _), section, number in zip(listed, table["section"], table["number"], strict=True)
    }
    return table, names


def _cells(block: _Part) -> Iterator[tuple[dict[str, Cell], str]]:
    """Yield the cells of each contestant of a block by column, those of contestants and ``position``, and its place."""
    header, *rows = block.rows or [Row([], block.where)]
    columns = [_COLUMNS.get(re.sub(r"\W", "", cell.text).lower()) for cell in header.cells]
    for row in rows:
        cells: dict[str, Cell] = {}
        for name, cell in zip(columns, row.cells, strict=False):
            if name is not None and (name not in cells or not cells[name].text):
                cells[name] = cell
        award = cells.get("printed_award")
        if award and re.fullmatch("[0-9]{1,7}", award.text):
            cells["printed_award"] = award._replace(text=f"{int(award.text) / 100:.2f}")
        yield cells, row.where


def _facts(options: Mapping[str, Cell]) -> dict[str, object]:
    facts: dict[str, object] = {}
    title = options.get("title") or options.get("description")
    if title and title.text:
        facts["event"] = tidy(title.text)
    date, boards = (options.get(name, Cell("", "")) for name in ("date", "boards"))
    if date.text:
        facts["date"] = day_written(date.text, "day")
        if facts["date"] is None:
            raise InputError(f"invalid date: '{date.text}'", date.where, "write it as 22/10/2015", code=UNREADABLE)
    if boards.text:
        if not re.fullmatch("[1-9][0-9]{0,3}", boards.text):
            what = f"invalid number of boards: '{boards.text}'"
            raise InputError(what, boards.where, "write a whole number", code=UNREADABLE)
        facts["boards"] = int(boards.text)
    return facts


def _boards(parts: Iterable[_Part], names: _Names, game_id: str) -> tuple[Records, list[Problem]]:
    rows: list[dict[str, object]] = []
    scores: list[tuple[str, object, tuple[float | None, float | None]]] = []
    columns: list[str] = []
    for part in parts:
        if part.name == "travellers":
            columns = [cell.text.lower() for cell in part.rows[0].cells] if part.rows else []
        elif part.name == "board":
            number = board_number(part.value.text)
            if number is None:
                what = f"invalid board number: '{part.value.text}'"
                raise InputError(what, part.where, "write it as #Board;7", code=UNREADABLE)
            for row in part.rows:
                cells = dict(zip(columns, row.cells, strict=False))
                result = _result({name: cells.get(name, Cell("", row.where)) for name in _RESULT}, names, row.where)
                if result:
                    scores.append((row.where, part.value.text, (result["score"], result["ew_score"])))
                    rows.append({"game_id": game_id, "session": 1, "board": number, **result})
    return Records(rows), scored_apart(scores)


_RESULT = ("ns", "ew", "nsscore", "ewscore", "nspts", "ewpts", *PLAYED)


def _result(cells: Mapping[str, Cell], names: _Names, where: str) -> dict[str, Any]:
    """Return a result in the boards frame's columns, nothing of one that was not played."""
    pairs = cells["ns"].text, cells["ew"].text
    if not all(pairs):
        raise InputError("this result does not name both pairs", where, "write them below NS and EW")
    sections, (ns, ew) = zip(
        *(
            names.get((direction, pair)) or names.get((None, pair)) or ("A", pair)
            for direction, pair in zip((NORTH_SOUTH, EAST_WEST), pairs, strict=True)
        ),
        strict=True,
    )
    scores = [cells[name] for name in ("nsscore", "ewscore")]
    percents = [_number(c._replace(text=c.text.removesuffix("%"))) if c.text.endswith("%") else None for c in scores]
    points = [None if cell.text.endswith("%") else _number(cell) for cell in scores]
    if percents == points == [None, None]:
        return {}
    # Some write nothing on the other side, others 0.
    plus, minus = both_scores(*(None if any(points) and not each else each for each in points))
    return {
        "section": sections[0],
        "ns": ns,
        "ew": ew,
        "score": plus,
        "ew_score": minus,
        "ns_adjusted": percents[0],
        "ew_adjusted": percents[1],
        "printed_ns": _number(cells["nspts"]),
        "printed_ew": _number(cells["ewpts"]),
        **how_played(*(cells[name].text for name in PLAYED)),
    }


def _number(cell: Cell) -> float | None:
    text = cell.text.upper()
    return 0.0 if text == "PASS" else number_at("" if text in {"X", "NP"} else cell.text, cell.where)
