"""Rows of cells, from CSV or a spreadsheet, to contestants.

What a header may call a column and what its cells may hold stands in :mod:`resultproc.model.columns`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from resultproc.model.errors import FormatError, InputError, Problem, closest
from resultproc.model.frames import CONTESTANTS
from resultproc.model.values import tidy

_REQUIRED = ("number", "player1")

_SCORES = ("score", "percentage", "session1", "round1")
"""A contestant has one of these."""


@dataclass(frozen=True)
class Cell:
    """A cell's text, where it stands, and what is wrong with it whatever it should hold."""

    text: str
    where: str
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """The cells of a row and where it stands."""

    cells: Sequence[Cell]
    where: str

    @property
    def texts(self) -> list[str]:
        """The texts that are not empty."""
        return [cell.text for cell in self.cells if cell.text]

    @property
    def is_remark(self) -> bool:
        """Whether a single text stands in it, in the first cell, that begins with #."""
        return len(self.texts) == 1 and self.cells[0].text.startswith("#") and not self.cells[0].fault


def columns_named(row: Row) -> int:
    """Return how many texts of a row are names of columns."""
    return sum(_column(text) is not None for text in row.texts)


def read_table(header: Row, rows: Iterable[Row], defaults: Mapping[str, str]) -> pd.DataFrame:
    """Return the contestants of a table, in the contestants frame's columns (``game_id`` only where the table has it).

    defaults: what holds in every row, of columns that the header does not have.
    Rows without any text are passed over, and remarks: rows where a single text, in the first cell, begins with #.
    Raises InputError with every wrong header and cell.
    """
    columns = _columns(header)
    problems: list[Problem] = []
    records = []
    for row in rows:
        if not row.texts or row.is_remark:
            continue
        record, wrong = _record(columns, row)
        problems += wrong or _lacking(record)
        records.append(record)
    if not any(name in columns for name in _SCORES) and any(record["eligible"] for record in records):
        raise InputError("the column 'score' is missing", header.where, "write score or percentage in the header")
    if problems:
        raise InputError(problems)
    if not records:
        raise FormatError("there are no contestants below this header", header.where)
    frame = pd.DataFrame.from_records(records)
    if "section" in frame:
        games = frame["game_id"].fillna("") if "game_id" in frame else pd.Series("", frame.index)
        frame["section"] = frame["section"].groupby(games).ffill()
        lacking = frame["where"][frame["section"].isna()]
        if len(lacking):
            what = "this row has no section, but others do"
            raise InputError(Problem(what, where, "name the section") for where in lacking)
    return frame.assign(**{name: value for name, value in defaults.items() if name not in frame})


def _record(columns: Sequence[str | None], row: Row) -> tuple[dict[str, object], list[Problem]]:
    """Return the values of a row by column, and what is wrong in its cells."""
    record: dict[str, object] = {"where": row.where, "eligible": True}
    problems = []
    for i, cell in enumerate(row.cells):
        if not cell.text:
            continue
        name = columns[i] if i < len(columns) else None
        if cell.fault:
            problems.append(Problem(cell.fault, cell.where))
            continue
        if name is None:
            problems.append(Problem(f"'{cell.text}' is in a column without a header", cell.where, "name the column"))
            continue
        try:
            column, _, stratum = name.partition(" ")
            if stratum:
                rank = f"{stratum}={_rank(cell.text)}"
                record[column] = f"{record[column]}, {rank}" if column in record else rank
            else:
                record[name] = cell_value(name, cell.text)
        except ValueError as error:
            problems.append(Problem(str(error), cell.where))
    return record, problems


def _lacking(record: Mapping[str, object]) -> list[Problem]:
    lacking = [name for name in _REQUIRED if name not in record]
    if record["eligible"] and not any(name in record for name in _SCORES):
        lacking.append("score")
    where = str(record["where"])
    return [Problem(f"this row has no {name}", where, "write one for every contestant") for name in lacking]


def _columns(header: Row) -> list[str | None]:
    """Return the contestants' column of each header cell, None for an unnamed one.

    A column of ranks in one stratum is the contestants' column, a blank and the stratum's letter.
    """
    columns: list[str | None] = []
    problems = []
    for cell in header.cells:
        name = _column(cell.text) if cell.text else None
        if cell.text and name is None:
            problems.append(Problem(f"unknown column '{cell.text}'", cell.where, _meant(cell.text)))
        elif name is not None and any(_clash(name, other) for other in columns):
            problems.append(Problem(f"the column '{cell.text}' appears twice", cell.where, "keep one of them"))
        columns.append(name)
    for name in _REQUIRED:
        if name not in columns and not problems:
            hint = f"write {' and '.join(_REQUIRED)} in the header"
            problems.append(Problem(f"the column '{name}' is missing", header.where, hint))
    if problems:
        raise InputError(problems)
    return columns


def _meant(text: str) -> str:
    """Return the hint for a header that is no column: a family's lacks its number, such as Name or Players."""
    family = _FAMILY_NAMES.get(_squash(text).removesuffix("s"))
    if family:
        return f"did you mean '{family}1', '{family}2', ...?"
    return closest(text, [c.of(1) if c.numbered else c.name for c in _NAMED])


def _clash(name: str, other: str | None) -> bool:
    """Say whether two columns tell the same: ranks in one stratum, and in all of them, too."""
    return other is not None and (name == other or name.partition(" ")[0] == other or other.partition(" ")[0] == name)


def _column(text: str) -> str | None:
    """Return the contestants' column that a header means, None for any other text."""
    squashed = _squash(text)
    if squashed in _NAMES:
        return _NAMES[squashed]
    numbered = re.fullmatch(r"(.+?)([1-9][0-9]?)", squashed)
    if numbered and numbered[1] in _FAMILY_NAMES:
        return _FAMILY_NAMES[numbered[1]] + numbered[2]
    lettered = re.fullmatch(r"(.+)[\s_.-]([A-Za-z])", tidy(text))
    if lettered and _squash(lettered[1]) in _RANK_NAMES:
        return f"{_RANK_NAMES[_squash(lettered[1])]} {lettered[2].upper()}"
    return None


def _squash(text: str) -> str:
    return re.sub(r"[\s_.-]+", "", tidy(text).lower())


_NAMED = [column for column in CONTESTANTS.columns if column.name != "where"]
"""The columns that a header may name."""

_NAMES = {_squash(word): c.name for c in _NAMED if not c.numbered for word in c.words()}
_FAMILY_NAMES = {_squash(word): c.family for c in _NAMED if c.numbered for word in c.words()}
_RANK_NAMES = {_squash(word): c.name for c in _NAMED if c.per_stratum for word in (c.per_stratum, *c.words())}


def cell_value(name: str, text: str) -> object:
    """Return what a cell of a contestants' column holds; raise ValueError, which says what would be right."""
    return CONTESTANTS.declared(name).kind.parse(text)


def _rank(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,6}(/[0-9]{1,6})?", text):
        raise ValueError(f"invalid rank: '{text}'; write it as 1, or 2/3 for a tie")
    return text
