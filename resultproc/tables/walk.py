"""Rows of a list to its contestants, one row after the other, whatever container they came in.

Each row is a contestant, tells of those below it, or is passed over with a remark; what cannot be read is told with
its cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from resultproc.model.codes import NOBODY, PASSED_OVER
from resultproc.model.column_names import DATED, PLACE_COLUMN, heading_word
from resultproc.model.errors import InputError, Problem, collapse_repeats
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.numbers import may_score
from resultproc.model.understood import BY_HEADING, UNKNOWN_HEADING, ListRead, Taken, Told, meaning_of, told_seats
from resultproc.people.names import LIKE_A_NAME
from resultproc.tables.agreement import Sum
from resultproc.tables.cells import EXTRA, lacking_in, record_of, without
from resultproc.tables.headings import (
    REQUIRED,
    Headings,
    columns_named,
    headings_of,
    missing_columns,
    misspelt_in,
    unknown_column,
    unread_column,
)
from resultproc.tables.heads import RANKING_COLUMNS
from resultproc.tables.list_columns import ListColumn, is_exact, taken_by_numbers
from resultproc.tables.titles import (
    KEY_LINE,
    is_note,
    may_be_none,
    names_of,
    passed_over,
    seats_named,
    undeclared,
)

_where = attrgetter("where")


@dataclass
class Walk:
    """The contestants of a list, as its rows are taken."""

    meant: Headings  # what its columns are
    seats: dict[str, str]  # the section and direction of the rows that come next
    # The row that names the columns; None for a list that was found among other things, of which any may stand between
    # its contestants.
    header: Row | None = None
    heads: Sequence[str] = ()  # what stands above the columns
    # Whether a program wrote the list, so that names are as they are, as where a column is called ``player1``.
    exact: bool = False
    records: Records = field(default_factory=Records)  # the contestants so far
    problems: list[Problem] = field(default_factory=list)  # what is wrong so far
    remarks: list[Problem] = field(default_factory=list)  # what was passed over, and what is doubtful
    # Rows that may be notes below the table, with what is wrong if a contestant follows.
    notes: list[tuple[Problem, Sequence[Problem]]] = field(default_factory=list)
    noted: list[Problem] = field(default_factory=list)  # what stands beside names
    split: list[Row] = field(default_factory=list)  # rows in which a decimal comma has split a number
    lists: list[ListRead] = field(default_factory=list)  # which columns there are, for each header
    told: list[Told] = field(default_factory=list)  # what headings told
    days: set[str] = field(default_factory=set)  # the texts of a column of dates
    sums: list[Sum] = field(default_factory=list)  # what rows of sums say of the contestants above them
    nobody: int = 0  # how many rows there were of nobody
    # Where the cells of each contestant of a single game are: no rows, of which there may be many.
    taken: list[tuple[str, ...]] = field(default_factory=list)
    columns: list[Sequence[str | None]] = field(default_factory=list)  # those of each

    def __post_init__(self) -> None:
        """Take the header."""
        self._dated: int | None = None
        self._summed = 0
        self.heads = [cell.text for cell in self.header.cells] if self.header else self.heads
        self.exact |= is_exact(self.heads)
        self.headings = self._headings(self.header) if self.header else self.meant
        self._needed = [name for name in REQUIRED if name in self.headings.columns]

    def take(self, row: Row) -> None:
        """Take a row: a contestant or another; raise InputError where hardly any row is a contestant."""
        texts = row.texts
        if not texts:
            return
        if len(self.problems) + len(self.remarks) + len(self.notes) > MOST_WRONG:
            what = f"{MOST_WRONG} rows above this one are wrong, or hold no contestant"
            raise InputError([*self.problems, Problem(what, row.where)])
        if len(texts) == 1 and row.is_remark:
            if self.header and KEY_LINE.fullmatch(row.cells[0].text):
                what = "this declaration is below the header"
                self.problems.append(Problem(what, row.where, "write it above the header"))
            self.remarks += undeclared([(row.where, row.cells[0].text)])
            return
        record, wrong = record_of(self.headings.columns, row)
        wrong = wrong or lacking_in(record, self._needed)
        somebody = self.header or "number" in record or _LETTER.search(" ".join(names_of(record)))
        if wrong or not somebody or may_be_none(record):
            if self._is_aside(row, record, wrong):
                return
            wrong = self._called(row, record, wrong)
        self._add(row, record, wrong)

    def _add(self, row: Row, record: dict[str, object], wrong: Sequence[Problem]) -> None:
        """Take a contestant: what seemed to be notes below the table is wrong."""
        if self.notes:
            self.problems += [problem for _, problems in self.notes for problem in problems]
            self.notes = []
        if wrong and _splits_numbers(row, len(self.headings.columns)):
            self.split.append(row)
        self.problems += wrong
        if self._dated is not None and self._dated < len(row.cells):
            self.days.add(row.cells[self._dated].text)
        if row.struck_out or row.struck_in_part or row.hidden:  # which may all be meant not to count
            for sign, (what, hint) in _DOUBTS.items():
                if getattr(row, sign):
                    told = self.problems if sign == "struck_out" else self.remarks
                    told.append(Problem(what, row.where, hint))
        section = self.seats.get("section")
        if self.seats and (section is None or record.get("section", section) == section):
            record = self.seats | record
        self.records.add(record)
        if "game_id" not in record:
            self.taken.append(tuple(map(_where, row.cells)))
            self.columns.append(self.headings.columns)

    def day(self) -> tuple[dict[str, object], str]:
        """Return the day that a column tells in each row, and where its heading is; nothing for several days."""
        if len(self.days) != 1 or self.header is None or self._dated is None:
            return {}, ""
        try:
            day = declared_value("date", *self.days)
        except ValueError:
            return {}, ""
        return {"date": KEYS["date"].held(day)}, self.header.cells[self._dated].where

    def all_problems(self) -> list[Problem]:
        """Return what is wrong in the rows; decimal commas that split numbers are listed once."""
        if not self.split:
            return collapse_repeats(self.problems, TOLD_ONCE)
        what = "this row has more cells than the header: its decimal comma separates columns, too"
        hint = 'save it with semicolons between the columns, or write 62.5, or "62,5" in quotes'
        return [Problem(what, self.split[0].where, hint)]

    def _is_aside(self, row: Row, record: dict[str, object], wrong: Sequence[Problem]) -> bool:
        """Take a row that is no contestant; say whether it is none."""
        named = seats_named(row, record)
        if named:
            self.told += told_seats(named, row.where, " ".join(row.texts))
            self.seats = named if "section" in named else self.seats | named
        elif self.header and (row.texts == self.header.texts or columns_named(row) == len(row.texts) >= 2):
            self.headings = self._headings(row, again=row.texts == self.header.texts)
        elif self._is_passed_over(row, record):
            return True
        elif self.header is None:
            return self._is_other(row, record, wrong)
        elif is_note(row, record) or (self.notes and is_note(row._replace(after_gap=True), record)):
            what = f"'{' '.join(row.texts)}' is neither a contestant nor a heading"
            hint = "write such as East-West or Section B, or begin it with # to have it passed over"
            self.notes.append((Problem(what, row.where, code=PASSED_OVER), [Problem(what, row.where, hint)]))
        else:
            return False
        return True

    def _is_other(self, row: Row, record: dict[str, object], wrong: Sequence[Problem]) -> bool:
        """Take a row among those of a list that something is wrong with; say whether it is no contestant.

        One that has names, and a number or place, is one, or else everybody below would be paid for a better place.
        """
        names, said = " ".join(names_of(record)), dict(zip(self.headings.columns, row.cells, strict=False))
        scored = any(may_score(said[name].text) for name in RANKING_COLUMNS if name in said)
        if (_LETTER.search(names) and scored) or self._lacks_names(record, wrong):
            return False
        text = " ".join(row.texts)[:_QUOTED]
        remark = Problem(f"'{text}' is not a contestant", row.where, code=PASSED_OVER)
        numbered = any(re.search("[0-9]", str(record.get(name, ""))) for name in ("number", PLACE_COLUMN))
        if numbered and LIKE_A_NAME.search(names):
            self.notes.append((remark, wrong))
        else:
            self.remarks.append(remark)
        return True

    def _called(self, row: Row, record: dict[str, object], wrong: list[Problem]) -> list[Problem]:
        """Call a contestant without names by its number, and return what else is wrong with it."""
        if self.exact or not self._lacks_names(record, wrong):
            return wrong
        for signs in [name for name in record if name.startswith("player")]:
            del record[signs]
        record["player1"] = name = f"no. {record['number']}"
        what = f"'{' '.join(row.texts)[:_QUOTED]}' has no names: it is called '{name}'"
        self.remarks.append(Problem(what, row.where, "add the names", code=PASSED_OVER))
        return []

    def _lacks_names(self, record: Mapping[str, object], wrong: Sequence[Problem]) -> bool:
        """Say whether a contestant lacks names, and nothing else: it has a score, and one of 0 did not play.

        It is one all the same, whose place the others below do not have.
        """
        scored = any(record.get(name) for name in ("percentage", "score"))
        others = any(problem.what != without("player1") for problem in wrong)
        named = "player1" not in self.headings.columns or any(map(_SIGN.search, names_of(record)))
        return "number" in record and scored and not others and not named

    def _is_passed_over(self, row: Row, record: Mapping[str, object]) -> bool:
        """Take a row of nobody, or of sums, which are those of the contestants since the sums before."""
        remark, summed = passed_over(row, record)
        if remark is None:
            return False
        self.remarks.append(remark)
        self.nobody += remark.code == NOBODY
        if summed:
            where = list(map(str, self.records["where"])) if len(self.records) else []
            again = self.sums and len(where) == self._summed  # a sum, and then an average
            of = self.sums[-1].of if again else frozenset(where[self._summed :])
            self._summed = len(where)
            cells = {name: Cell(text, row.where) for name, text in self.seats.items()}
            cells |= {name: cell for name, cell in zip(self.headings.columns, row.cells, strict=False) if name}
            self.sums.append(Sum(summed, cells, of))
        return True

    def _headings(self, header: Row, *, again: bool = False) -> Headings:
        """Return what a header means, with what is kept out marked, and take down what its columns were taken for."""
        headings = self.meant if header is self.header or again else headings_of(header, places=True)
        problems = [*misspelt_in(headings.unknown, headings.columns), *headings.problems]
        if problems or missing_columns(header, headings.columns):
            raise InputError(problems or map(unknown_column, headings.unknown))
        told = [
            ListColumn(name or "", cell.text, headings.why.get(i, BY_HEADING))
            for i, (name, cell) in enumerate(zip(headings.columns, header.cells, strict=True))
        ]
        unread = [*map(unread_column, headings.unknown), *taken_by_numbers(told, header).values()]
        self.remarks += [] if again else unread
        extra = {cell.text for cell in headings.unknown}
        named = list(zip(header.cells, headings.columns, strict=True))
        dated = (i for i, (cell, _) in enumerate(named) if cell.text in extra and heading_word(cell.text) in DATED)
        self._dated = next(dated, None)
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


_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[\w?]")
"""What a name has: question marks are of nobody."""

_QUOTED = 80
"""The most characters of a row that are quoted."""


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


_DOUBTS = {
    "struck_out": (
        "this contestant is struck out",
        "delete the row if it does not count, else take the line away that goes through it",
    ),
    "struck_in_part": (
        "a part of this row is struck out, and it is read all the same",
        "delete the row, or what is struck out, if it does not count, else take the line away",
    ),
    "hidden": (
        "this row is hidden, or a filter leaves it out, and it is read all the same",
        "delete the row if it does not count, else show it",
    ),
}
TOLD_ONCE = {what for what, _ in _DOUBTS.values()}
"""What is said of contestants by how their rows look, and what would be right."""

MOST_WRONG = 100_000
"""The most rows of a file that are told as wrong or passed over; no more are looked at."""
