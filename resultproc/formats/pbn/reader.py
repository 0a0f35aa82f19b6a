"""Portable Bridge Notation: the result tables of a tournament, ``TotalScoreTable`` and ``ScoreTable``.

Known is version 2.1 (tistis.nl/pbn: 3.3 tag pairs, 4.8 inheritance by ``#`` and ``##``, 5.2 tables, ``ScoreTable`` and
``TotalScoreTable``), in its import as in its export format, and what programs make of it: names that are not quoted
but are in columns of a stated width, ``PASS`` for a score of nothing, ``Section`` and ``Direction`` as columns; and
tables of version 2.0, which call a total MP, IMP, VP or Score, or give the mean of it. Quotes and backslashes in
strings have a backslash before them.

The contestants come from the total tables of an event (its tags ``Event`` and ``Date``): PairId, TeamId or PlayerId,
Names, Rank, the total (MP, IMP, VP or score) and MeanPercentage, Percentage, or a TotalPercentage, which is divided by
NrBoards where it is a sum. Where no column has an id, contestants are numbered as they are listed. Names are parted by
``;``, or by ``-``, ``&`` or ``/`` between blanks. Ids that end in NS or EW throughout tell directions. Who has ``-``
for a total is not ranked. Board results come from the score tables of the same event, where they name both pairs or
four players; a percentage with a caret, or with no score beside it, is an adjusted one, and two scores with carets are
what a ruling gave to each side. With them come contract, declarer, tricks and lead, and the hands of a whole ``Deal``
with their ``OptimumResultTable`` and ``OptimumScore`` (5.7, and 4 of the standard).
Auctions and play are passed over; the tables in play follow from the contestants. An event without any total table, as
sites export it, is scored here where its results name pairs: contract, declarer and tricks give the scores (Law 77),
and these the totals, as its tag ``Scoring`` says: matchpoints, IMPs against a mean (Butler) or against every other
result (Cross). What is not read of several events is said in a remark.

On bad input: FormatError for a file without totals that cannot be scored so; InputError that names the line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from resultproc.formats.common.field import directions_of, field_facts, place_of, rank_texts
from resultproc.formats.common.play import how_played, par
from resultproc.formats.common.rows import Cell, Records, Row
from resultproc.formats.common.scored import contract_scored
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.common.table import read_table
from resultproc.formats.pbn.deals import deals_of, makeable_in
from resultproc.formats.pbn.unscored import pairs_of, scoring_of
from resultproc.formats.registry import Reading, decode
from resultproc.formats.source import Source
from resultproc.model.codes import EMPTY, PASSED_OVER, UNREADABLE
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.game import EventType, Scoring
from resultproc.model.values import number, tidy

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\["\\]?)*+)"\s*\]')
_TOKEN = re.compile(r'"((?:[^"\\]|\\["\\]?)*+)"|"[^"]*"|\S+')
_ESCAPED = re.compile(r'\\(["\\])')
_COLUMN = re.compile(r"\s*[-+]?(\w+)(?:\\(\d{1,3})[LR]?)?\s*")
_TEXTS = ("Names", "Name", "Center", "Club")
"""The columns whose elements may have blanks in them, without quotes."""

_TABLES = ("TotalScoreTable", "ScoreTable", "OptimumResultTable")
_UNKNOWN = {"", "?", "-"}

_KINDS = ("MP", "IMP", "VP", "Score")
_TOTALS = ("TotalMP", "TotalScoreMP", *(f"{of}{kind}" for of in ("Total", "", "Mean") for kind in _KINDS))
_IDS = ("PairId", "TeamId", "PlayerId")
_SIDES = re.compile("(.+?) ?(NS|EW)")
_EVENT_TYPES = {"individuals": EventType.INDIVIDUAL, "individual": EventType.INDIVIDUAL, "teams": EventType.SWISS}

Cells = dict[str, Cell]
"""The cells of a row of a table, by the name of the column."""


@dataclass
class _Event:
    """What games of the same event say of it; ``where`` is the line of its first total table."""

    where: str
    tags: dict[str, str]
    totals: list[Cells] = field(default_factory=list)
    results: list[tuple[Cell, Cells]] = field(default_factory=list)
    """Board and cells of each result."""
    deals: dict[str, str] = field(default_factory=dict)
    """The ``Deal`` of each board."""
    tricks: dict[str, str | None] = field(default_factory=dict)
    par: dict[str, int | None] = field(default_factory=dict)
    """What can be made on each board, and its par."""
    has_results: bool = False
    """Whether there is a table of results, which may be empty."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    every = list(_events(decode(source.data).split("\n")))
    events = [event for event in every if event.totals or _names_pairs(event)]
    lost = [event for event in every if event.has_results and event not in events]
    if not events and lost:
        what = "these are results of boards without totals (there is no TotalScoreTable), and not of pairs"
        raise FormatError(what, hint="export the results with the ranking", code=EMPTY)
    if not events:
        what = "these are hands without results"
        raise FormatError(what, hint="give the list of results, or export them with the ranking", code=EMPTY)
    contestants, facts, boards, deals = [], [], [], []
    remarks = [_left_out(event) for event in lost]
    for n, event in enumerate(events, 1):
        game_id = source.stem if len(events) == 1 else f"{source.stem}-{n}"
        kind = _kind(event.tags)
        table, names = _contestants(event) if event.totals else pairs_of(event.results)
        table.fill("game_id", game_id)
        contestants.append(table)
        facts.append({"game_id": game_id, **_facts(event), **field_facts(table, kind)})
        results = [{"game_id": game_id, "session": 1, **row} for row in _boards(event, names)]
        boards.append(Records(results) if event.totals else contract_scored(results))
        remarks += (replace(remark, game=game_id) for remark in _lacking(event))
        deals += [{"game_id": game_id, "session": 1, **row} for row in deals_of(event.deals, event.tricks, event.par)]
    sheet = sheet_of(source, Records.joined(contestants), facts, remarks)
    return Reading(
        sheet,
        boards=Records.joined(boards),
        deals=Records(deals),
    )


@dataclass
class _Events:
    """The events of a file, as its tags and the lines of its tables follow each other."""

    found: dict[tuple[str, str], _Event] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)
    always: dict[str, str] = field(default_factory=dict)
    board: Cell | None = None
    table: tuple[str, Cell, list[Cell]] | None = None

    def tag(self, name: str, value: str, where: str) -> None:
        """Take a tag, which ends the table before it: # is its value of the game before, ## holds from here on."""
        self.end_table()
        value = value if name in _TABLES else _unescaped(value)
        if name == "Event":
            self.tags, self.before, self.board = dict(self.always), self.tags, None
        if value.startswith("##"):
            self.always[name] = value = value[2:] or self.before.get(name, "")
        self.tags[name] = self.before.get(name, "") if value == "#" else value
        if name == "Board":
            self.board = Cell(self.tags[name], where)
        if name in _TABLES:
            self.table = (name, Cell(value, where), [])
        if name == "Scoring":  # which may stand below the results
            self._event(where).tags.setdefault(name, self.tags[name])
        if name == "Deal":
            self._event(where).deals.setdefault(self.tags.get("Board", ""), self.tags[name])
        if name == "OptimumScore":
            self._event(where).par.setdefault(self.tags.get("Board", ""), par(self.tags[name]))

    def line(self, line: str, where: str) -> None:
        """Take a line that is no tag: one of a table, where there is one above it."""
        if self.table is not None and line.strip():
            self.table[2].append(Cell(line, where))

    def _event(self, where: str) -> _Event:
        """Return the event that the tags are of."""
        key = (self.tags.get("Event", ""), self.tags.get("Date", ""))
        return self.found.setdefault(key, _Event(where, {}))

    def end_table(self) -> None:
        """Add the rows of the table above, if there is one, to the event that it is of."""
        if self.table is None:
            return
        name, header, lines = self.table
        self.table = None
        event = self._event(header.where)
        if name == "OptimumResultTable":
            event.tricks.setdefault(self.tags.get("Board", ""), makeable_in(lines))
            return
        event.tags = self.tags | event.tags
        rows = list(_rows(header, lines))
        if name == "TotalScoreTable":
            event.where = event.where if event.totals else header.where
            listed = set(map(_texts, event.totals))  # the table may be in every game
            event.totals += [row for row in rows if _texts(row) not in listed]
        else:
            board = self.board or Cell(self.tags.get("Board", ""), header.where)
            event.results += [(board, row) for row in rows]
            event.has_results = True


def _events(lines: Sequence[str]) -> list[_Event]:
    """Return the events of a file, each with the rows of its tables."""
    events = _Events()
    comment = False
    for n, line in enumerate(lines, 1):
        text = line.strip()
        if comment or text.startswith("{"):
            comment = "}" not in text
        elif text.startswith(("%", ";")):
            continue
        elif tag := _TAG.match(text):
            events.tag(tag[1], tag[2], f"line {n}")
        else:
            events.line(line, f"line {n}")
    events.end_table()
    return list(events.found.values())


def _texts(row: Cells) -> tuple[tuple[str, str], ...]:
    return tuple((name, cell.text) for name, cell in row.items())


def _rows(header: Cell, lines: Sequence[Cell]) -> Iterator[Cells]:
    """Yield the rows of a table, each on a line or several; where no line is one, rows may end within a line."""
    columns = [_COLUMN.fullmatch(part) for part in header.text.split(";")]
    names = [column[1] for column in columns if column]
    if len(names) < len(columns):
        raise InputError(f"invalid column names: '{header.text}'", header.where, "such as PairId\\2R;Names")
    widths = [int(column[2] or 0) for column in columns if column]
    split = [_elements(line, names, widths) for line in lines]
    together = [element for line in lines for element in _tokens(line)]
    if any(len(each) == len(names) for each in split) or len(together) % len(names):
        rows = list(_joined(lines, split, len(names)))
    else:
        rows = [together[at : at + len(names)] for at in range(0, len(together), len(names))]
    for each in rows:
        yield dict(zip(names, each, strict=True))


def _joined(lines: Sequence[Cell], split: Sequence[list[Cell]], count: int) -> Iterator[list[Cell]]:
    """Yield rows of so many elements, each a line, or several whose elements are as many together."""
    begun: list[Cell] = []
    for line, elements in zip(lines, split, strict=True):
        if not begun and len(elements) == count:
            yield elements
            continue
        more = _tokens(line)
        if len(begun) + len(more) > count or (begun and len(elements) == count):
            raise _incomplete(begun or more, count)
        begun += more
        if len(begun) == count:
            yield begun
            begun = []
    if begun:
        raise _incomplete(begun, count)


def _incomplete(row: Sequence[Cell], count: int) -> InputError:
    """Return the error of a row whose elements are not as many as the columns."""
    what = f"this row has {len(row)} elements for {count} columns"
    return InputError(what, row[0].where, "write one for each, names in quotes, ? for what is unknown")


def _tokens(line: Cell) -> list[Cell]:
    found = _TOKEN.finditer(line.text)
    texts = (each[0].strip('"') if each[1] is None else _unescaped(each[1]) for each in found)
    return [Cell(text.strip(), line.where) for text in texts]


def _unescaped(text: str) -> str:
    """Return a string as it was before its quotes and backslashes got a backslash before them."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _elements(line: Cell, names: Sequence[str], widths: Sequence[int]) -> list[Cell]:
    """Return the elements of a line; names without quotes end where their column does, or at two blanks."""
    tokens = _tokens(line)
    first = next((at for at, name in enumerate(names) if name.startswith("Names")), len(names))
    if len(tokens) == len(names) or '"' in line.text or first == len(names) or len(tokens) <= first:
        return tokens
    rest = re.sub(rf"^\s*(?:\S+\s+){{{first}}}", "", line.text)
    elements = tokens[:first]
    for name, width in zip(names[first:-1], widths[first:-1], strict=True):
        padded = width < len(rest) and rest[width].isspace()
        gap = r"\s{2,}" if width or name.startswith(_TEXTS) else r"\s+"
        end = width if padded else len(re.split(gap, rest, maxsplit=1)[0])
        elements.append(Cell(rest[:end].strip(), line.where))
        rest = rest[end:].lstrip()
    elements.append(Cell(rest.strip(), line.where))
    return elements if all(element.text for element in elements) else tokens


def _names_pairs(event: _Event) -> bool:
    """Say whether an event without totals has results of pairs, which they follow from."""
    return _kind(event.tags) is EventType.PAIRS and len(pairs_of(event.results)[0]) > 0


def _left_out(event: _Event) -> Problem:
    """Return the remark on an event whose results are not read, beside others that are."""
    name, day = (tidy(event.tags.get(tag, "")) for tag in ("Event", "Date"))
    what = f"the event '{name}' ({day}) is left out: it has results of boards without totals, and not of pairs"
    return Problem(what, event.where, "export its results with the ranking", code=PASSED_OVER)


def _kind(tags: Mapping[str, str]) -> EventType:
    if tags.get("Scoring", "").upper().startswith("BAM"):
        return EventType.BAM
    return _EVENT_TYPES.get(tags.get("Competition", "").strip().lower(), EventType.PAIRS)


def _facts(event: _Event) -> dict[str, object]:
    tags = event.tags
    scoring = scoring_of(tidy(tags.get("Scoring", "")))
    own = _kind(tags) in (EventType.PAIRS, EventType.INDIVIDUAL) and (scoring in [*Scoring] or not event.totals)
    facts: dict[str, object] = {"scoring": scoring} if own else {}
    name = tidy(tags.get("Event", ""))
    if name not in _UNKNOWN:
        facts["event"] = name
    for tag in ("Date", "EventDate"):
        with suppress(ValueError):  # the standard writes ?? for what is unknown of a date
            facts.setdefault("date", pd.Timestamp(datetime.strptime(tags.get(tag, ""), "%Y.%m.%d")))
    return facts


Names = dict[tuple[str, str], str]
"""The number of each contestant, by its section and what the file calls it."""


def _contestants(event: _Event) -> tuple[Records, Names]:
    rows = [_contestant(cells) for cells in event.totals]
    if not any(name in cells for cells in event.totals for name in _IDS):
        for number, (row, cells) in enumerate(zip(rows, event.totals, strict=True), 1):
            row["number"] = _changed(next(iter(cells.values())), str(number))
    raw = [row["number"].text if "number" in row else "" for row in rows]
    sides = [found.groups() for found in map(_SIDES.fullmatch, raw) if found]
    if len(sides) == len(rows) and not any("Direction" in cells for cells in event.totals):
        for row, (name, side) in zip(rows, sides, strict=True):
            row |= {"direction": _changed(row["number"], side), "number": _changed(row["number"], name)}
    header = list(dict.fromkeys(name for row in rows for name in row if name != "rank"))
    wheres = [next(iter(cells.values())).where for cells in event.totals]
    table = read_table(
        Row([Cell(name, event.where) for name in header], event.where),
        [
            Row([row.get(name, Cell("", where)) for name in header], where)
            for row, where in zip(rows, wheres, strict=True)
        ],
        {"section": "A"},
    )
    empty = [where for row, where in zip(rows, wheres, strict=True) if not any(cell.text for cell in row.values())]
    if empty:
        raise InputError("there is an empty row in the TotalScoreTable", empty[0], "delete it, or name its pair")
    _rank(table, [row["rank"].text if "rank" in row else "" for row in rows])
    return table, dict(zip(zip(table["section"], raw, strict=True), table["number"], strict=True))


def _rank(table: Records, places: Sequence[str]) -> None:
    """Add the printed ranks: those of several sections are overall ranks where they make one order, else of each."""
    directions, sections = directions_of(table), table["section"]
    together: list[Sequence[Hashable]] = [[""] * len(places), directions] if len(set(sections)) > 1 else []
    fields = next((fields for fields in together if _is_order(fields, places)), None)
    if fields is not None:
        table["printed_overall"] = rank_texts(fields, places)
    else:
        table["printed_section"] = rank_texts(list(zip(sections, directions, strict=True)), places)


def _is_order(fields: Sequence[Hashable], places: Sequence[str]) -> bool:
    """Return whether each place counts those of its field that are better: 1, 2, 2, 4."""
    found: dict[Hashable, list[int]] = {}
    for of, text in zip(fields, places, strict=True):
        place = place_of(text)
        if place is not None:
            found.setdefault(of, []).append(place)
    return all(place == 1 + bisect_left(ordered, place) for ordered in map(sorted, found.values()) for place in ordered)


def _changed(cell: Cell, text: str) -> Cell:
    return Cell(text, cell.where)


def _contestant(cells: Cells) -> Cells:
    """Return a row of a total table in columns of contestants, and ``rank``; what is unknown is left out."""
    known = {name: cell for name, cell in cells.items() if cell.text not in _UNKNOWN}
    row: Cells = {}
    for titles, column in ((_IDS, "number"), (_TOTALS, "score"), (("Rank",), "rank")):
        found = next((known[title] for title in titles if title in known), None)
        if found:
            row[column] = _changed(found, found.text.removeprefix("^"))
    for name in ("Section", "Direction"):
        if name in known:
            row[name.lower()] = known[name]
    percentage = _percentage(known)
    if percentage:
        row["percentage"] = percentage
    total = next((cells[name] for name in _TOTALS if name in cells), None)
    if total and total.text == "-" and not percentage:  # a score says nothing of who is not ranked
        row["eligible"] = _changed(total, "no")
    names = known.get("Names") or known.get("Name")
    if names:
        players = names.text.split(";") if ";" in names.text else re.split(" [-&/] ", tidy(names.text))
        row |= {f"player{n}": _changed(names, player.strip()) for n, player in enumerate(players, 1)}
    return row


def _percentage(cells: Cells) -> Cell | None:
    if "MeanPercentage" in cells:
        return cells["MeanPercentage"]
    if "Percentage" in cells:
        return cells["Percentage"]
    total, boards = cells.get("TotalPercentage"), cells.get("NrBoards")
    if total and boards and boards.text.isdecimal() and int(boards.text):
        value = _value(cells, "TotalPercentage")
        if value is not None and value > 100:
            return _changed(total, repr(round(value / int(boards.text), 4)))
    return total


def _boards(event: _Event, names: Names) -> Iterator[dict[str, object]]:
    """Yield the results of boards whose rows name both pairs, in the boards frame's columns."""
    for board, cells in event.results:
        sat = {side: next((cells[name] for name in names if name in cells), None) for side, names in _SEATED.items()}
        known = {side: cell.text for side, cell in sat.items() if cell and cell.text not in _UNKNOWN}
        if not {"ns", "ew"} <= known.keys():
            continue
        if not re.fullmatch("[1-9][0-9]{0,3}", board.text):
            what = f"invalid board number: '{board.text}'"
            raise InputError(what, board.where, 'write [Board "7"], for instance, above the table', code=UNREADABLE)
        section = cells["Section"].text.upper() if "Section" in cells else "A"
        score, ew_score = _score(cells)
        yield {
            "section": section,
            "board": int(board.text),
            **{side: names.get((section, text), text) for side, text in known.items()},
            "score": score,
            "ew_score": ew_score,
            "ns_adjusted": _adjusted(cells, "Percentage_NS", score),
            "ew_adjusted": _adjusted(cells, "Percentage_EW", score),
            "printed_ns": _first(cells, "MP_NS", "IMP_NS"),
            "printed_ew": _first(cells, "MP_EW", "IMP_EW"),
            **how_played(*(cells[name].text if name in cells else "" for name in _PLAYED)),
        }


_SEATED = {
    "ns": ("PairId_NS", "PlayerId_North"),
    "ew": ("PairId_EW", "PlayerId_East"),
    "ns_partner": ("PlayerId_South",),
    "ew_partner": ("PlayerId_West",),
}
"""The columns that say who sat where."""


def _score(cells: Cells) -> tuple[float | None, float | None]:
    """Return the score to N-S, and that to E-W where both were ruled, each its own."""
    plus, minus = _value(cells, "Score_NS"), _value(cells, "Score_EW")
    ruled = all(name in cells and cells[name].text.startswith("^") for name in ("Score_NS", "Score_EW"))
    score = plus if plus is not None else -minus if minus is not None else None
    return score, minus if ruled else None


def _adjusted(cells: Cells, name: str, score: float | None) -> float | None:
    """Return an adjusted score, in percent: what is marked so, or stands where no score does."""
    marked = name in cells and cells[name].text.startswith("^")
    return _value(cells, name) if score is None or marked else None


_PLAYED = ("Contract", "Declarer", "Result", "Lead")


def _lacking(event: _Event) -> Iterator[Problem]:
    """Yield the first pair that played more boards than the tables of results have of it, as in files cut off."""
    sides = [cells[name].text for _, cells in event.results for name in ("PairId_NS", "PairId_EW") if name in cells]
    if not event.has_results or len(sides) < 2 * len(event.results):
        return
    listed = Counter(sides)
    for row in event.totals:
        pair = next((row[name] for name in _IDS if name in row), None)
        played = row.get("NrBoards")
        if pair is None or played is None or not re.fullmatch("[0-9]{1,4}", played.text):
            continue
        if int(played.text) > listed[pair.text]:
            what = f"pair {pair.text} played {played.text} boards, and {listed[pair.text]} of its results are here"
            hint = "add the boards that are missing"
            yield Problem(f"{what}: is the file complete?", played.where, hint, code="sheet.incomplete")
            return


def _first(cells: Cells, *names: str) -> float | None:
    return next((value for value in (_value(cells, name) for name in names) if value is not None), None)


def _value(cells: Cells, name: str) -> float | None:
    cell = cells.get(name)
    if cell is None or cell.text in _UNKNOWN:
        return None
    try:
        return 0.0 if cell.text.upper() == "PASS" else number(cell.text.removeprefix("^"))
    except ValueError as error:
        raise InputError(f"{name}: {error}", cell.where, code=UNREADABLE) from None
