"""What writes a report, by the name of the format; and rows of any kind as text, CSV or JSON.

Such rows are answers to queries, lists of games, the tables of summaries."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from resultproc.formats.registry import escape_formula
from resultproc.formats.xlsx.cells import lay_out, put, saved, set_widths
from resultproc.model.errors import InputError
from resultproc.model.provenance import KEY, Provenance

_NUMBERS = (int, float, Decimal)


def table_as_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in columns, numbers to the right."""
    texts = [[_text(value).replace("\n", " ") for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *texts, strict=True)]
    right = [_is_numbers([row[n] for row in rows]) for n in range(len(columns))]
    return "".join(_line(line, widths, right) for line in [list(columns), *texts])


def _is_numbers(values: Sequence[object]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, _NUMBERS) and not isinstance(value, bool) for value in there)


def _line(texts: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        text.rjust(n) if to_right else text.ljust(n) for text, n, to_right in zip(texts, widths, right, strict=True)
    ]
    return "  ".join(cells).rstrip() + "\n"


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return the rows as CSV, below a header; no spreadsheet takes a text for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(escape_formula, columns))
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


_AMOUNT = re.compile(r"-[0-9]+(\.[0-9]+)?")
"""Masterpoints that are fewer, as text: a number, which no spreadsheet runs."""


def _cell(value: object) -> str:
    text = _text(value)
    return text if isinstance(value, _NUMBERS) or _AMOUNT.fullmatch(text) else escape_formula(text)


def as_json(columns: Sequence[str], rows: Sequence[Sequence[object]], provenance: Provenance | None = None) -> str:
    """Return the rows as JSON, an object each; masterpoints and other decimals are texts, as in all our JSON."""
    (name, count), *_ = Counter(columns).most_common(1)
    if count > 1:
        raise InputError(
            f"{count} columns are called '{name}'", hint="give them names of their own: SELECT ... AS NAME"
        )
    said = {KEY: provenance.entry()} if provenance else {}
    objects = [{name: _plain(value) for name, value in zip(columns, row, strict=True)} for row in rows]
    return json.dumps({**said, "rows": objects}, indent=1, ensure_ascii=False, default=str) + "\n"


def _plain(value: object) -> object:
    """Return a value as JSON has it, also within lists and structures."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def printed(to: str, columns: Sequence[str], rows: Sequence[Sequence[object]], provenance: Provenance) -> str:
    """Return the rows as ``text``, ``csv`` or ``json``, which says where they come from."""
    if to == "json":
        return as_json(columns, rows, provenance)
    return as_csv(columns, rows) if to == "csv" else table_as_text(columns, rows)


def as_workbook(columns: Sequence[str], rows: Sequence[Sequence[object]], provenance: Provenance) -> bytes:
    """Return the rows as a workbook of one sheet: numbers and days as such, all else as text."""
    from openpyxl import Workbook
    from openpyxl.styles import Font

    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Rows"
    widths = [len(name) + 3.0 for name in columns]
    for at, name in enumerate(columns, 1):
        put(sheet.cell(1, at), name).font = Font(bold=True)
    for line, row in enumerate(rows, 2):
        for at, value in enumerate(row, 1):
            if value is None:
                continue
            cell = put(sheet.cell(line, at), _in_a_cell(value))
            if isinstance(value, date):
                cell.number_format = "yyyy-mm-dd"
            widths[at - 1] = max(widths[at - 1], min(len(_text(value)) + 3.0, _WIDEST))
    set_widths(sheet, widths)
    lay_out(sheet, 1)
    sheet.auto_filter.ref = sheet.dimensions
    workbook.properties.description = provenance.line()
    return saved(workbook)


_WIDEST = 52.0
"""A column of a workbook is at most so wide, in characters."""


def _in_a_cell(value: object) -> str | int | float | date:
    """Return a value as a cell holds it: 38.20 as a number with two decimals."""
    if isinstance(value, bool) or not isinstance(value, (*_NUMBERS, date)):
        return _text(value)
    if isinstance(value, Decimal):
        return float(value)
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


P = ParamSpec("P")
W = TypeVar("W", bound=Callable[..., bytes])


class Writers(dict[str, Callable[P, bytes]], Generic[P]):
    """The writers of one report by the names of their formats; an instance decorates each of them.

    A writer of ``html`` takes ``fragment``, too, and so is the writer of ``html-fragment``.
    """

    def __call__(self, name: str) -> Callable[[W], W]:
        """Return the decorator of the writer of a format."""

        def register(write: W) -> W:
            of_format: dict[str, Callable[..., Any]] = {name: write}
            if name == "html":
                of_format["html-fragment"] = partial(write, fragment=True)
            self.update(of_format)
            return write

        return register
