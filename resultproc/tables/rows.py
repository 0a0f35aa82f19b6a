"""Rows of cells, from CSV or a spreadsheet, to contestants.

What a header may call a column and what its cells may hold is in :mod:`resultproc.model.columns`. A table that a
program writes is read by :func:`read_table`, which takes nothing else than contestants; one that people write by
:func:`read_sheet`, which passes over other rows and columns, with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from resultproc.model.codes import EMPTY, NOBODY, PASSED_OVER
from resultproc.model.errors import FormatError, InputError, Problem, collapse_repeats
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.places import place_of, rank_texts
from resultproc.model.text import listed
from resultproc.model.understood import (
    BY_HEADING,
    SECTION_AND_DIRECTION,
    UNKNOWN_HEADING,
    ListRead,
    Taken,
    Told,
    Understood,
    meaning_of,
    told_seats,
)
from resultproc.model.words import PLACE_COLUMN
from resultproc.tables.cells import EXTRA, MAXIMUM, NEEDED, lacking_in, record_of, without
from resultproc.tables.checks import Field, Sum, misplaced_in, numbers_for_names, remarks_on_lists
from resultproc.tables.field import are_fractions
from resultproc.tables.headings import (
    SCORES,
    Headings,
    headings_of,
    is_dated,
    missing_columns,
    misspelt_in,
    unknown_column,
    unread_column,
)
from resultproc.tables.seats import fill_seats, joined_players, part_players, split_numbers
from resultproc.tables.titles import KEY_LINE, is_header, is_note, may_be_none, passed_over, seats_named, undeclared


class Table(NamedTuple):
    """The contestants of a table.

    contestants: in the contestants frame's columns.
    remarks: on what was passed over.
    understood: what its columns, and headings between its rows, were taken for.
    facts: what columns tell of the game, in the games frame's columns.
    """

    contestants: Records
    remarks: tuple[Problem, ...] = ()
    understood: Understood = Understood()
    facts: Mapping[str, object] = MappingProxyType({})


class Around(NamedTuple):
    """What stood around contestants whose rows were taken from lists.

    sums: what rows of sums say. nobody: how many rows of nobody there were. numbered: whether the lists have numbers.
    """

    sums: Sequence[Sum]
    nobody: int
    numbered: bool


def read_table(header: Row, rows: Iterable[Row], defaults: Mapping[str, str]) -> Records:
    """Return the contestants of a table, in the contestants frame's columns (``game_id`` only where the table has it).

    header: the row that names the columns.
    rows: those below; a row without any text is passed over, and so is a remark: a single text that begins with #.
    defaults: what holds in every row, of columns that the header does not have.
    Raises InputError with every wrong header and cell.
    """
    headings = headings_of(header)
    if headings.unknown or headings.problems:
        raise InputError([*map(unknown_column, headings.unknown), *headings.problems])
    problems: list[Problem] = []
    records = Records()
    for row in rows:
        if not row.texts or row.is_remark:
            continue
        record, wrong = record_of(headings.columns, row)
        problems += wrong or lacking_in(record)
        records.add(record)
    _refuse(header, headings.columns, records, problems)
    if MAXIMUM in records:
        records.pop(MAXIMUM)
    fill_seats(records)
    _add_defaults(records, defaults)
    return records


def read_cells(rows: Sequence[tuple[Mapping[str, Cell], str]], table: Cell, defaults: Mapping[str, str]) -> Records:
    """Return the contestants of a table as :func:`read_table` does, none of whose rows is passed over.

    rows: the cells of each by column, and where it is.
    table: how messages say that a row is in it, such as ``below #Scores``, and where it is.
    """
    names = list(dict.fromkeys(name for cells, _ in rows for name in cells))
    listed = [Row([cells.get(name, Cell("", where)) for name in names], where) for cells, where in rows]
    empty = next((row for row in listed if not row.texts or row.is_remark), None)
    if empty is not None:
        raise InputError(f"there is an empty row {table.text}", empty.where, "delete it, or name its pair")
    return read_table(Row([Cell(name, table.where) for name in names], table.where), listed, defaults)


def read_sheet(
    header: Row,
    rows: Iterable[Row],
    seats: Mapping[str, str],
    defaults: Mapping[str, str],
    headings: Headings | None = None,
    *,
    around: Around | None = None,
    exact: bool = False,
) -> Table:
    """Return the contestants of a table as people write it.

    header: the row that names the columns.
    rows: those below.
    seats: the section and direction that headings above the header tell.
    defaults: as for :func:`read_table`.
    headings: what the header means, where that was seen from the rows, too: :func:`table_columns`.
    around: what was among these rows, where they are taken from lists whose columns are told by what is in them.
    exact: whether a program wrote the table, so that names have no notes beside them, as where a column is ``player1``.

    Columns of other names, rows of seats where nobody sat, rows of sums, and notes below the table are passed over with
    a remark. Headings between the rows tell the section or direction of the rows below, and may be followed by a
    header.
    Raises InputError with every wrong header and cell.
    """
    sheet = _Sheet(header, dict(seats), headings or headings_of(header, places=True))
    if around:
        sheet.sums, sheet.nobody = [*around.sums], around.nobody
    for row in rows:
        sheet.take(row)
    records = sheet.records
    _refuse(header, sheet.headings.columns, records, sheet.all_problems())
    noted = part_players(records, sheet.headings.together, exact or "player1" in header.texts)
    split_numbers(records)
    lacking = _sectionless(records)
    fill_seats(records)
    records = joined_players(records)
    if sheet.headings.either is not None:
        _refuse_doubtful(records, sheet.headings.either)
    _add_defaults(records, defaults)
    _write_in_percent(records)
    if "printed_section" in records and PLACE_COLUMN in records:
        records.pop(PLACE_COLUMN)
    unread = _without_tops(records) if MAXIMUM in records else []
    doubts, odd = _checked(sheet, records, around)
    unread += lacking + doubts
    for name in {MAXIMUM} & {*records}:
        records.pop(name)
    unread += _take_places(records) if PLACE_COLUMN in records else []
    unread += odd
    facts, read = sheet.day()
    kept = [remark for remark in sheet.remarks if remark.where != read]
    remarks = (*collapse_repeats(kept, {_HIDDEN, _STRUCK_IN_PART}), *noted, *sheet.notes, *unread)
    return Table(records, remarks, Understood(lists=tuple(sheet.lists), told=tuple(sheet.told)), facts)


_where = attrgetter("where")


@dataclass
class _Sheet:
    """A table as its rows are taken one after the other.

    header: the row that names the columns.
    seats: the section and direction of the rows that come next.
    meant: what the header means.
    records: the contestants so far.
    problems: what is wrong so far.
    remarks: what was passed over, and what is doubtful.
    notes: rows that may be notes below the table; wrong if a contestant follows.
    split: rows in which a decimal comma has split a number.
    lists: which columns there are, for each header.
    told: what headings told.
    days: the texts of a column of dates.
    sums: what rows of sums say of the contestants above them.
    nobody: how many rows there were of nobody.
    taken: where the cells of each contestant of a single game are: no rows, of which there may be many.
    columns: those of each.
    """

    header: Row
    seats: dict[str, str]
    meant: Headings
    records: Records = field(default_factory=Records)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    split: list[Row] = field(default_factory=list)
    lists: list[ListRead] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    days: set[str] = field(default_factory=set)
    sums: list[Sum] = field(default_factory=list)
    nobody: int = 0
    taken: list[tuple[str, ...]] = field(default_factory=list)
    columns: list[Sequence[str | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take the header."""
        self.headings = self._headings(self.header)

    def take(self, row: Row) -> None:
        """Take a row: a contestant or another; raise InputError where hardly any row is a contestant."""
        texts = row.texts
        if not texts:
            return
        if len(self.problems) + len(self.remarks) + len(self.notes) > MOST_WRONG:
            what = f"{MOST_WRONG} rows above this one are wrong, or hold no contestant"
            raise InputError([*self.problems, Problem(what, row.where)])
        if len(texts) == 1 and row.is_remark:
            if KEY_LINE.fullmatch(row.cells[0].text):
                what = "this declaration is below the header"
                self.problems.append(Problem(what, row.where, "write it above the header"))
            self.remarks += undeclared([(row.where, row.cells[0].text)])
            return
        record, wrong = record_of(self.headings.columns, row)
        wrong = wrong or lacking_in(record)
        if (wrong or may_be_none(record)) and self._is_aside(row, record):
            return
        self._refuse_notes()
        if wrong and _splits_numbers(row, len(self.headings.columns)):
            self.split.append(row)
        self.problems += wrong
        if self.dated < len(row.cells):
            self.days.add(row.cells[self.dated].text)
        self._doubt(row)
        section = self.seats.get("section")
        if self.seats and (section is None or record.get("section", section) == section):
            record = self.seats | record
        self.records.add(record)
        if "game_id" not in record:
            self.taken.append(tuple(map(_where, row.cells)))
            self.columns.append(self.headings.columns)

    def _refuse_notes(self) -> None:
        """Take what seemed to be notes below the table for what is wrong: a contestant follows."""
        hint = "write such as East-West or Section B, or begin it with # to have it passed over"
        self.problems += [Problem(note.what, note.where, hint) for note in self.notes]
        self.notes = []

    def _doubt(self, row: Row) -> None:
        """Take what is doubtful about a contestant's row."""
        if row.struck_out or row.struck_in_part or row.hidden:
            problems, remarks = row_doubts(row)
            self.problems += problems
            self.remarks += remarks

    def day(self) -> tuple[dict[str, object], str]:
        """Return the day that a column tells in each row, and where its heading is; nothing for several days."""
        if len(self.days) != 1:
            return {}, ""
        try:
            day = declared_value("date", *self.days)
        except ValueError:
            return {}, ""
        return {"date": KEYS["date"].held(day)}, self.header.cells[self.dated].where

    def all_problems(self) -> list[Problem]:
        """Return what is wrong in the rows; decimal commas that split numbers are listed once."""
        if not self.split:
            return collapse_repeats(self.problems, {_STRUCK_OUT})
        what = "this row has more cells than the header: its decimal comma separates columns, too"
        hint = 'save it with semicolons between the columns, or write 62.5, or "62,5" in quotes'
        return [Problem(what, self.split[0].where, hint)]

    def _is_aside(self, row: Row, record: Mapping[str, object]) -> bool:
        """Take a row that is no contestant; say whether it is none."""
        named = seats_named(row, record)
        if named:
            self.told += told_seats(named, row.where, " ".join(row.texts))
            self.seats = named if "section" in named else self.seats | named
        elif is_header(row, self.header):
            self.headings = self._headings(row)
        elif self._is_passed_over(row, record):
            return True
        elif is_note(row, record) or (self.notes and is_note(row._replace(after_gap=True), record)):
            what = f"'{' '.join(row.texts)}' is neither a contestant nor a heading"
            self.notes.append(Problem(what, row.where, code=PASSED_OVER))
        else:
            return False
        return True

    def _is_passed_over(self, row: Row, record: Mapping[str, object]) -> bool:
        """Take a row of nobody, or of sums, which are those of the contestants since the sums before."""
        remark, summed = passed_over(row, record)
        if remark is None:
            return False
        self.remarks.append(remark)
        self.nobody += remark.code == NOBODY
        if summed:
            before = frozenset().union(*(each.of for each in self.sums))
            cells = {name: Cell(text, row.where) for name, text in self.seats.items()}
            cells |= {name: cell for name, cell in zip(self.headings.columns, row.cells, strict=False) if name}
            self.sums.append(Sum(summed, cells, frozenset(map(str, self.records["where"])) - before))
        return True

    def place(self, n: int, name: str) -> str:
        """Return where the cell of a contestant in a column is, or else the contestant, by its number."""
        names = (name, "player1") if name.startswith("player") else (name,)
        at = [i for each in names for i, column in enumerate(self.columns[n]) if column == each]
        return self.taken[n][at[0]] if at and at[0] < len(self.taken[n]) else str(self.records["where"][n])

    def _headings(self, header: Row) -> Headings:
        again = header.texts == self.header.texts
        headings = self.meant if again else headings_of(header, places=True)
        problems = [*misspelt_in(headings.unknown, headings.columns), *headings.problems]
        if problems or missing_columns(header, headings.columns):
            raise InputError(problems or map(unknown_column, headings.unknown))
        self.remarks += map(unread_column, headings.unknown) if not (again and self.lists) else ()
        extra = {cell.text for cell in headings.unknown}
        dated = [i for i, cell in enumerate(header.cells) if cell.text in extra and is_dated(cell)]
        self.dated = dated[0] if dated else len(header.cells)
        named = list(zip(header.cells, headings.columns, strict=True))
        columns = tuple(
            _taken(cell, name, headings.together, headings.why.get(i, BY_HEADING))
            for i, (cell, name) in enumerate(named)
            if cell.text
        )
        if not self.lists or self.lists[-1].columns != columns:
            self.lists.append(ListRead(header.where, columns))
        return headings._replace(
            columns=[EXTRA if cell.text in extra and name is None else name for cell, name in named]
        )


def row_doubts(row: Row) -> tuple[list[Problem], list[Problem]]:
    """Return the problem of a contestant that is struck out, and the remark on one that is hidden, or struck in part.

    All may be meant not to count.
    """
    problems, remarks = [], []
    if row.struck_out:
        hint = "delete the row if it does not count, else take the line away that goes through it"
        problems.append(Problem(_STRUCK_OUT, row.where, hint))
    if row.struck_in_part:
        hint = "delete the row, or what is struck out, if it does not count, else take the line away"
        remarks.append(Problem(_STRUCK_IN_PART, row.where, hint))
    if row.hidden:
        remarks.append(Problem(_HIDDEN, row.where, "delete the row if it does not count, else show it"))
    return problems, remarks


def _taken(cell: Cell, name: str | None, together: bool, why: str) -> Taken:
    """Return what a column was taken for by its heading."""
    if name is None:
        return Taken(cell.text, "", UNKNOWN_HEADING)
    all_names = together and name == "player1"
    return Taken(cell.text, "names of all players" if all_names else meaning_of(name), why)


def _splits_numbers(row: Row, width: int) -> bool:
    """Say whether a row has more cells than the header, and two of them may be one number with a decimal comma."""
    texts = [cell.text for cell in row.cells]
    pairs = pairwise(texts)
    return len(texts) > width and any(a.isdecimal() and re.fullmatch("[0-9]{1,2}%?", b) for a, b in pairs)


_STRUCK_OUT = "this contestant is struck out"
_STRUCK_IN_PART = "a part of this row is struck out, and it is read all the same"
_HIDDEN = "this row is hidden, or a filter leaves it out, and it is read all the same"

MOST_WRONG = 100_000
"""The most rows of a file that are told as wrong or passed over; no more are looked at."""


def _refuse(header: Row, columns: Sequence[str | None], records: Records, problems: Sequence[Problem]) -> None:
    """Raise InputError with what is wrong in the rows of a table, and where there is none."""
    if not any(name in columns for name in SCORES) and len(records) and any(records["eligible"]):
        raise InputError("the column 'score' is missing", header.where, "write score or percentage in the header")
    if problems:
        raise InputError(collapse_repeats(problems, {without(name) for name in NEEDED}))
    if not len(records):
        raise FormatError("there are no contestants below this header", header.where, code=EMPTY)


def _add_defaults(records: Records, defaults: Mapping[str, str]) -> None:
    for name, value in defaults.items():
        if name not in records:
            records.fill(name, value)


def _sectionless(records: Records) -> list[Problem]:
    """Return the remarks on contestants without a section, unless it is written once for all below it."""
    sections = records.get("section")
    without = [n for n, section in enumerate(sections) if section is None]
    if not 0 < 2 * len(without) < len(sections) or 0 in without:
        return []
    found = "this contestant has no section, but others do: it is taken to be in section {}"
    taken = [next(section for section in sections[n::-1] if section is not None) for n in without]
    return [
        Problem(found.format(section), str(records["where"][n]), "write the section")
        for n, section in zip(without, taken, strict=True)
    ]


def _checked(sheet: _Sheet, records: Records, around: Around | None) -> tuple[list[Problem], list[Problem]]:
    """Return the remarks on what is odd among the contestants of a sheet, and on their names.

    Where there are many games, only their places are looked at besides.
    """
    groups = _groups(records)
    if "game_id" in records:
        listed = Field(records, groups, lambda n, _: str(records["where"][n]))
        return misplaced_in(listed), numbers_for_names(listed)
    if len(sheet.taken) > len(records):  # a row was a player each
        sheet.taken = [()] * len(records)
        sheet.records = records
    headed = around is None and not sheet.headings.why
    numbered = around is None or around.numbered
    listed = Field(records, groups, sheet.place, sheet.sums, sheet.nobody, numbered, headed)
    return remarks_on_lists(listed), numbers_for_names(listed)


def _without_tops(records: Records) -> list[Problem]:
    """Leave out scores of several maxima that contradict the percentages; return the remark on that."""
    columns = (records.get(MAXIMUM), records.get("score"), records.get("percentage"), map(str, records["where"]))
    scored = list(zip(*columns, strict=True))
    tops = {top: where for top, *_, where in scored if top is not None}
    both = sorted((share, score) for _, score, share, _ in scored if score is not None and share is not None)
    opposite = any(score > better for (share, score), (more, better) in pairwise(both) if more > share)
    if len(tops) == 1 or len(both) < len(scored) or not opposite:
        return []
    of = listed([f"{top:g}" for top in tops])
    records.pop("score")
    what = f"the scores are of {of}: the percentages are compared, and not the scores"
    return [Problem(what, [*tops.values()][-1], "if all played as many boards, correct the maximum", code=PASSED_OVER)]


def _write_in_percent(records: Records) -> None:
    """Write percentages as such that are fractions in the file: 0.5625 is 56.25."""
    for name in [name for name in records if name.startswith("percentage")]:
        values = records[name]
        if are_fractions([value for value in values if value is not None]):
            records[name] = [value if value is None else round(100 * value, 10) for value in values]


def _take_places(records: Records) -> list[Problem]:
    """Take the ranks of a column of places, where each section and direction has a first; return what is not read."""
    places = [place or "" for place in records.pop(PLACE_COLUMN)]
    groups = _groups(records)
    found = list(map(place_of, places))
    first = {group for group, place in zip(groups, found, strict=True) if place == 1}
    listed = list(zip(places, found, records["where"], strict=True))
    if not first.issuperset(groups):
        # A list of all in the order of their scores may have one first only: it is no list of ranks in the sections.
        alone = found.count(1) == 1 and len(set(groups)) > 1
        where = next((str(where) for place, _, where in listed if place), "")
        what = "the places are not read: not every section and direction has a first"
        return [] if alone or not where else [Problem(what, where, "write 1 for the first of each")]
    records["printed_section"] = rank_texts(groups, places)
    return [
        Problem(f"the place '{place}' is not read", str(where), "write it as 2, or 2= where several share it")
        for place, number, where in listed
        if number is None and re.search(r"\w", place) and not _NO_PLACE.fullmatch(place)
    ]


_NO_PLACE = re.compile(r"n/?a|none|dnq|unranked|x", re.IGNORECASE)
"""What stands for no place."""


def _groups(records: Records) -> list[tuple[str, ...]]:
    """Return the game, section and direction of each contestant, as far as they are said."""
    said = [records[name] for name in ("game_id", *SECTION_AND_DIRECTION) if name in records]
    return [tuple(text or "" for text in texts) for texts in zip(*said, strict=True)] or [()] * len(records)


def _refuse_doubtful(records: Records, cell: Cell) -> None:
    """Refuse a column that may hold matchpoints or masterpoints beside percentages, unless these are of its scores."""
    shares: dict[tuple[str, ...], list[float]] = {}
    for group, score, percentage in zip(_groups(records), records.get("score"), records.get("percentage"), strict=True):
        if score is not None and percentage is not None and percentage > 0:
            shares.setdefault(group, []).append(score / percentage)
    if not any(score is not None for score in records.get("score")):
        return
    if None in records.get("score") or any(max(share) > min(share) * _SAME_SHARE for share in shares.values()):
        what = f"'{cell.text}' may be matchpoints or masterpoints"
        raise InputError(what, cell.where, "call the column Matchpoints, or Masterpoints")


_SAME_SHARE = 1.02
"""Scores and percentages of them differ by less, rounded as they are."""
