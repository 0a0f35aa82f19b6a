"""What a PBN file says, event by event: its tags, the rows of its tables, and the hands that were dealt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from resultproc.model.at_the_table import SEATS
from resultproc.model.errors import InputError
from resultproc.model.grid import Cell
from resultproc.model.play import HANDS, makeable, par, whole_hands

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\["\\]?)*+)"\s*\]')
_TOKEN = re.compile(r'"((?:[^"\\]|\\["\\]?)*+)"|"[^"]*"|\S+')
_ESCAPED = re.compile(r'\\(["\\])')
_COLUMN = re.compile(r"\s*[-+]?(\w+)(?:\\(\d{1,3})[LR]?)?\s*")
_TEXTS = ("Names", "Name", "Center", "Club")
"""The columns whose elements may have blanks in them, without quotes."""

_TABLES = ("TotalScoreTable", "ScoreTable", "OptimumResultTable")

Cells = dict[str, Cell]
"""The cells of a row of a table, by the name of the column."""


@dataclass
class Event:
    """What games of the same event say of it."""

    where: str  # the line of its first total table
    tags: dict[str, str]  # by name; the first game that has a tag decides
    totals: list[Cells] = field(default_factory=list)  # the rows of its total tables, each once
    results: list[tuple[Cell, Cells]] = field(default_factory=list)  # board and cells of each result
    deals: list[tuple[str, Cell]] = field(default_factory=list)  # board and ``Deal``, as often as they are there
    tricks: dict[str, str | None] = field(default_factory=dict)  # what can be made, by board
    par: dict[str, int | None] = field(default_factory=dict)  # the score for that, by board
    # Where tables and scores of that kind are that say nothing, and what they are.
    unread: list[tuple[str, str]] = field(default_factory=list)
    vulnerable: dict[str, str] = field(default_factory=dict)  # the tag ``Vulnerable`` of each board
    has_results: bool = False  # whether there is a table of results, which may be empty


@dataclass
class _Events:
    """The events of a file, as its tags and the lines of its tables follow each other."""

    found: dict[tuple[str, str], Event] = field(default_factory=dict)  # the events so far, by name and date
    tags: dict[str, str] = field(default_factory=dict)  # those of the game at hand
    before: dict[str, str] = field(default_factory=dict)  # those of the game before it, which # repeats
    always: dict[str, str] = field(default_factory=dict)  # those that hold from some game on
    board: Cell | None = None  # the number of the board at hand, None before there is one
    # The name, header and lines of the table at hand, None outside of tables.
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
            self._event(where).deals.append((self.tags.get("Board", ""), Cell(self.tags[name], where)))
        if name == "Vulnerable":
            self._event(where).vulnerable.setdefault(self.tags.get("Board", ""), self.tags[name])
        if name == "OptimumScore":
            best = par(self.tags[name])
            self._event(where).par.setdefault(self.tags.get("Board", ""), best)
            self._note_unread(name, self.tags[name], where, best)

    def line(self, line: str, where: str) -> None:
        """Take a line that is no tag: one of a table, where there is one above it."""
        if self.table is not None and line.strip():
            self.table[2].append(Cell(line, where))

    def _note_unread(self, name: str, text: str, where: str, value: object) -> None:
        if value is None and text.strip(" ?-"):
            self._event(where).unread.append((where, f"board {self.tags.get('Board', '')}: {name} cannot be read"))

    def _event(self, where: str) -> Event:
        key = (self.tags.get("Event", ""), self.tags.get("Date", ""))
        return self.found.setdefault(key, Event(where, {}))

    def end_table(self) -> None:
        if self.table is None:
            return
        name, header, lines = self.table
        self.table = None
        event = self._event(header.where)
        if name == "OptimumResultTable":
            made = [one for line in lines if (one := _MADE.fullmatch(" ".join(line.text.split())))]
            found = makeable({(one[1], "NT" if one[2] == "N" else one[2]): int(one[3]) for one in made})
            event.tricks.setdefault(self.tags.get("Board", ""), found)
            known = _NO_TABLE.fullmatch(" ".join(line.text for line in lines))
            self._note_unread(name, "" if known else header.text, header.where, found)
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


def events_of(lines: Sequence[str]) -> list[Event]:
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
    """Yield rows of a number of elements: each is a line, or several lines whose elements are as many together."""
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
    what = f"this row has {len(row)} elements for {count} columns"
    return InputError(what, row[0].where, "write one for each, names in quotes, ? for what is unknown")


def _tokens(line: Cell) -> list[Cell]:
    found = _TOKEN.finditer(line.text)
    texts = (each[0].strip('"') if each[1] is None else _unescaped(each[1]) for each in found)
    return [Cell(text.replace("\t", " ").strip(), line.where) for text in texts]


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


def dealt(text: str) -> dict[str, list[str]]:
    """Return the hands of a ``Deal``, each the cards of its suits; none of a text that is no deal."""
    first, _, cards = text.partition(":")
    seat, hands = first.strip().upper(), cards.split()
    if seat not in SEATS or len(hands) != len(SEATS):
        return {}
    at = SEATS.index(seat)
    return {HANDS[(at + n) % 4]: each.split(".") for n, each in enumerate(hands)}


def deals_of(event: Event, wrong: list[tuple[str, str]]) -> Iterator[dict[str, object]]:
    """Yield the hands of an event's boards whose deal is whole, in the deals frame's columns.

    wrong: takes where the others are, and what is wrong with them.
    """
    known: dict[str, dict[str, str]] = {}
    for board, cell in event.deals:
        hands = dealt(cell.text)
        unknown = hands and not any(suit.strip("-?") for suits in hands.values() for suit in suits)
        if not cell.text.strip("?- ") or unknown:
            continue  # a board may be there without its hands
        whole = whole_hands(board, hands, cell.where, wrong)
        if whole and board not in known:
            known[board] = whole
            yield {"board": int(board), **whole, "makeable": event.tricks.get(board), "par": event.par.get(board)}
        elif whole and known[board] != whole:
            wrong.append((cell.where, f"board {board} has other hands here than before"))
    wrong += event.unread


_NO_TABLE = re.compile("(?: *[NESW] +(?:NT?|[SHDC]) +(?:0+|[?-]) *)+")
"""The lines of a table that nobody worked out: programs fill it with zeros."""

_MADE = re.compile("([NESW]) (NT?|[SHDC]) ([0-9]{1,2})")
