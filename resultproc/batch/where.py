"""Which games of an archive are meant: ``date >= 1998 and rating == club-open``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import pandas as pd

from resultproc.model.errors import InputError, closest
from resultproc.model.frames import GAMES

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_TERM = re.compile(r"\s*([a-z_]+)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*")

Term = tuple[str, str, str]


def parse(text: str) -> list[Term]:
    """Return the terms (column, comparison, value) of a condition; InputError, with the closest column, if it has
    none or compares an unknown column."""
    terms = []
    for part in re.split(r"\s+and\s+", text.strip(), flags=re.IGNORECASE) if text.strip() else []:
        found = _TERM.fullmatch(part)
        if not found:
            raise InputError(f"--where: invalid comparison '{part}'", hint="write, for example, date >= 1998-06")
        column, comparison, value = found.groups()
        if GAMES.column(column) is None:
            raise InputError(
                f"--where: unknown column '{column}'", hint=closest(column, [c.name for c in GAMES.columns])
            )
        terms.append((column, comparison, value.strip("\"'")))
    return terms


def matching(games: pd.DataFrame, terms: list[Term]) -> pd.Series[bool]:
    """Return which games fulfil every term; what a game does not say fulfils none.

    A date is compared as far as it is written: ``date <= 1998`` means to the end of 1998. Numbers compare as such,
    everything else by its text.
    """
    kept = pd.Series(data=True, index=games.index)
    for column, comparison, value in terms:
        values = games[column]
        compare = _COMPARISONS[comparison]
        if column == "date":
            found = compare(values.dt.strftime("%Y-%m-%d").str[: len(value)], value)
        elif pd.api.types.is_numeric_dtype(values.dtype):
            try:
                found = compare(values, float(value))
            except ValueError:
                raise InputError(f"--where: {column} is a number, but '{value}' is not") from None
        else:
            found = compare(values.astype("str"), value)
        kept &= found.fillna(value=False).astype("bool") & values.notna()
    return kept
