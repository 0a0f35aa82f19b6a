"""Which games of an archive are meant: ``date >= 1998 and (rating == club-open or tables > 12)``.

A condition is read here, word by word, and only what is understood is given to the database: the columns by their
names, the values separately from the text that is run.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.archive.sql import shared_database
from resultproc.model.errors import InputError, closest
from resultproc.model.frames import GAMES
from resultproc.model.game import OPEN, number_text, parse_tables
from resultproc.model.keys import KEYS

_AS_NUMBERS: dict[str, Callable[[str], float]] = {
    "tables": lambda text: sum(parse_tables(text).values()),
    "bracket": float,
}
"""Columns of text that are compared as numbers: the tables by their total."""

_LATER = {"rulebook_named"}
"""Columns that say nothing before a game is awarded."""

WHERE_COLUMNS = [column.name for column in GAMES.columns if column.name not in _LATER]
"""The columns that a condition may compare."""

_IN_ORDER = {"game_id", "source", "flight", *(key.name for key in KEYS.values() if key.normalise is str)}
"""Columns of text that may be compared by the alphabet. The alphabet says nothing about other texts: A=9 < B=10."""

WHERE = "where"
"""What messages name where a condition is wrong: the argument, or the option."""

_WORD = r"(?![\w-])"
_OPERATOR = re.compile(r"==|!=|<>|<=|>=|<|>|=")
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"((?:[^"]|"")*)\"""")
_BARE = re.compile(rf"[^\s'\"(),][^\s()]*(?:\s+(?!(?:and|or){_WORD})[^\s()]+)*", re.IGNORECASE)
_BARE_IN_LIST = re.compile(r"[^\s'\"(),][^\s(),]*(?:\s+[^\s(),]+)*")
_NOT_BARE = re.compile(rf"[<>!]|==|\s=|^(?:select|with|from|case){_WORD}", re.IGNORECASE)
"""What a word without quotes does not have: more likely something is missing before it."""

_DEEPEST = 100
"""Brackets in brackets, at most."""


@dataclass(frozen=True)
class Condition:
    """A condition as it is run."""

    sql: str  # with a ``?`` for each of the values
    values: tuple[object, ...]  # what stands for these, in order
    columns: tuple[str, ...]  # the columns of games that it names, each once


def parse_condition(text: str) -> Condition | None:
    """Return a condition, None for none; InputError says what is not understood, and what would be right."""
    try:
        if text != text.encode("utf-8", "replace").decode():
            raise InputError("this is not UTF-8", hint="set your terminal to UTF-8")
        return _Reading(text).whole() if text.strip() else None
    except InputError as error:
        raise InputError(replace(problem, where=WHERE) for problem in error.problems) from None


def matching(games: pd.DataFrame, condition: Condition | None) -> pd.Series[bool]:
    """Return which games fulfil a condition. What a game does not say fulfils nothing, nor the contrary."""
    kept = np.full(len(games), condition is None)
    if condition is not None and len(games):
        table = {column: comparable(games[column]) for column in condition.columns}
        table["row"] = pa.array(np.arange(len(games)))
        with shared_database({"games": pa.table(table)}) as database:
            found = database.execute(f"SELECT row FROM games WHERE {condition.sql}", condition.values)  # noqa: S608
            kept[found.fetchnumpy()["row"]] = True
    return pd.Series(kept, games.index, dtype="bool")


def comparable(values: pd.Series) -> pa.Array:
    """Return a column of the games as it is compared: days, numbers or text."""
    name = str(values.name)
    if name == "date":
        return pa.array(values, from_pandas=True).cast(pa.timestamp("s")).cast(pa.date32())
    if is_number(name):
        if name in _AS_NUMBERS:
            texts = values.astype("str")
            values = texts.map({text: _AS_NUMBERS[name](text) for text in texts.dropna().unique()})
        return pa.array(values.astype("Float64"), pa.float64(), from_pandas=True)
    return pa.array(values.astype("str"), pa.string(), from_pandas=True)


def is_number(column: str) -> bool:
    """Return whether a column of the games is compared as a number."""
    return column in _AS_NUMBERS or GAMES.declared(column).dtype in {"float64", "Int64"}


class _Reading:
    """A condition while it is read, from left to right; every function reads one kind of thing and returns its SQL."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.values: list[object] = []
        self.columns: dict[str, None] = {}

    def whole(self) -> Condition:
        sql = self._alternatives()
        if self._rest():
            raise self._unexpected("and, or, or the end")
        return Condition(sql, tuple(self.values), tuple(self.columns))

    def _rest(self) -> str:
        return self.text[self.at :].strip()

    def _unexpected(self, wanted: str) -> InputError:
        found = f"'{self._rest()}'" if self._rest() else "the end"
        before = self.text[: self.at].strip()
        after = f" after '{before}'" if before else ""
        what = f"{wanted} is expected{after}, not {found}"
        return InputError(what, hint="write, for example: date >= 1998-06 and club == 'Tom''s Club'")

    def _taken(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Take what comes next, where it is of a pattern."""
        pattern = re.compile(pattern, re.IGNORECASE) if isinstance(pattern, str) else pattern
        start = len(self.text) - len(self.text[self.at :].lstrip())
        found = pattern.match(self.text, start)
        if found:
            self.at = found.end()
        return found

    def _keyword(self, word: str) -> bool:
        return self._taken(word + _WORD) is not None

    def _alternatives(self) -> str:
        return self._joined("or", lambda: self._joined("and", self._single))

    def _joined(self, word: str, part: Callable[[], str]) -> str:
        parts = [part()]
        while self._keyword(word):
            parts.append(part())
        return f"({f' {word.upper()} '.join(parts)})"

    def _single(self) -> str:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError(f"more than {_DEEPEST} brackets in each other")
        if self._keyword("not"):
            sql = f"(NOT {self._single()})"
        elif self._taken(r"\("):
            sql = self._alternatives()
            if not self._taken(r"\)"):
                raise self._unexpected("')'")
        else:
            sql = self._comparison(self._column())
        self.depth -= 1
        return sql

    def _column(self) -> str:
        found = self._taken(r"[a-z_][\w-]*")
        if not found:
            raise self._unexpected("a column")
        name = found[0].lower().replace("-", "_")
        if self._taken(r"\("):
            raise InputError(f"there are no functions here, such as {found[0]}(...)", hint="compare a column")
        if name not in WHERE_COLUMNS:
            raise InputError(f"unknown column '{found[0]}'", hint=closest(name, WHERE_COLUMNS))
        self.columns[name] = None
        return name

    def _comparison(self, column: str) -> str:
        if found := self._taken(_OPERATOR):
            operator = {"=": "==", "<>": "!="}.get(found[0], found[0])
            self._check_order(column, operator)
            return self._compare(column, operator, self._compared_with(column))
        if self._keyword("is"):
            contrary = "NOT " if self._keyword("not") else ""
            if not self._keyword("null"):
                raise self._unexpected("null")
            return f'("{column}" IS {contrary}NULL)'
        contrary = "NOT " if self._keyword("not") else ""
        for word, comparison in (("in", self._in), ("like", self._like), ("between", self._between)):
            if self._keyword(word):
                return f"({contrary}{comparison(column)})"
        raise self._unexpected("a comparison, such as ==, >=, in, like or between,")

    def _in(self, column: str) -> str:
        if not self._taken(r"\("):
            raise self._unexpected("'('")
        parts: list[str] = []
        while not parts or self._taken(","):
            parts.append(self._compare(column, "==", self._compared_with(column, _BARE_IN_LIST)))
        if not self._taken(r"\)"):
            raise self._unexpected("',' or ')'")
        return f"({' OR '.join(parts)})"

    def _like(self, column: str) -> str:
        if column == "date" or is_number(column):
            raise InputError(f"{column} is no text; like is for texts", hint="use ==, < or between")
        self.values.append(self._compared_with(column))
        return f'("{column}" LIKE ?)'

    def _between(self, column: str) -> str:
        self._check_order(column, "between")
        first = self._compared_with(column)
        if not self._keyword("and"):
            raise self._unexpected("and")
        low = self._compare(column, ">=", first)
        return f"({low} AND {self._compare(column, '<=', self._compared_with(column))})"

    def _compared_with(self, column: str, bare: re.Pattern[str] = _BARE) -> str:
        """Return the text of a value, with or without quotes."""
        if quoted := self._taken(_QUOTED):
            one, two = quoted.groups()
            return str(one).replace("''", "'") if two is None else str(two).replace('""', '"')
        found = self._taken(bare)
        if not found:
            raise self._unexpected(f"a value for {column}")
        text = found[0].strip()
        if _NOT_BARE.search(text):
            raise InputError(
                f"'{text}' is not understood as a value for {column}",
                hint="is an 'and' missing? Put a text in quotes",
            )
        if text.lower() in WHERE_COLUMNS:
            raise InputError(
                f"'{text}' is a column, and columns are compared with values",
                hint=f"if the text is meant, write '{text}' in quotes",
            )
        return text

    @staticmethod
    def _check_order(column: str, operator: str) -> None:
        ordered = column == "date" or is_number(column) or column in _IN_ORDER
        if not ordered and operator not in {"==", "!="}:
            raise InputError(f"{column} has no order for {operator}", hint="use ==, !=, in or like")

    def _compare(self, column: str, operator: str, text: str) -> str:
        if column == "date":
            return self._compare_days(operator, text)
        self.values.append(_number(column, text) if is_number(column) else _in_one_spelling(column, text))
        return f'("{column}" {operator} ?)'

    def _compare_days(self, operator: str, text: str) -> str:
        """Compare a date as far as it is written: ``date <= 1998`` means to the end of 1998."""
        first, last = _days(text)
        if operator in {"==", "!="}:
            self.values += [first, last]
            return f'("date" {"NOT " if operator == "!=" else ""}BETWEEN ? AND ?)'
        self.values.append(first if operator in {"<", ">="} else last)
        return f'("date" {operator} ?)'


def _days(text: str) -> tuple[date, date]:
    """Return the first and the last day of a year, a month or a day."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text, re.ASCII)
    try:
        if not found:
            raise ValueError
        year, month, day = (None if part is None else int(part) for part in found.groups())
        first = date(year or 0, 1 if month is None else month, 1 if day is None else day)
        if month is None:
            return first, date(first.year, 12, 31)
        return first, first if day else date(first.year, month, monthrange(first.year, month)[1])
    except ValueError:
        raise InputError(f"'{text}' is no date", hint="write 1998, 1998-06 or 1998-06-27") from None


def _number(column: str, text: str) -> float:
    if column == "limit" and text.lower() == number_text(OPEN):
        return OPEN
    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text):
        raise InputError(f"{column} is a number, but '{text}' is not", hint="write, for example, 12.5")
    return float(text)


def _in_one_spelling(column: str, text: str) -> str:
    """Return a value in the one spelling that games have it in."""
    if column not in KEYS:
        return text
    try:
        return KEYS[column].normalise(text)
    except ValueError as error:
        raise InputError(f"{column}: {error}") from None
