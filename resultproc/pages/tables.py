"""What writes a report, by the name of the format; and rows of any kind as text, CSV or JSON.

Such rows are answers to queries, lists of games, the tables of summaries."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from resultproc.model.errors import InputError
from resultproc.model.json import json_text
from resultproc.model.language import ENGLISH, in_words, language, unmarked
from resultproc.model.provenance import PROVENANCE_KEY, Provenance
from resultproc.model.values import escape_formula, separates
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.workbook import FONT, LINE, TEXT_POINTS, count_in_digits, lay_out, put, saved, set_widths

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_NUMBERS = (int, float, Decimal)


def table_as_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in columns, numbers to the right."""
    texts = [[_shown(value).replace("\n", " ") for value in row] for row in rows]
    left = {n for n in range(len(columns)) if not _is_numbers([row[n] for row in rows])}
    return "".join(f"{line}\n" for line in aligned([columns, *texts], left))


def _is_numbers(values: Sequence[object]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, _NUMBERS) and not isinstance(value, bool) for value in there)


def said_as_text(columns: Sequence[str], rows: Sequence[Sequence[object]], ours: Container[str]) -> str:
    """Return the same in the language that holds here. ours: the columns whose cells are words of this program."""
    if language() == ENGLISH:
        return table_as_text(columns, rows)
    said = [
        [in_words(str(cell)) if name in ours else cell for name, cell in zip(columns, row, strict=True)] for row in rows
    ]
    return table_as_text([in_words(name.replace("_", " ").capitalize()) for name in columns], said)


def aligned(table: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Return the lines of a table whose cells are at the right of their columns. left: columns at the left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    pads = [str.ljust if at in left else str.rjust for at in range(len(widths))]
    return ["  ".join(pad(c, w) for pad, c, w in zip(pads, row, widths, strict=True)).rstrip() for row in table]


def table_texts(table: PageTable) -> list[list[str]]:
    """Return the cells of a table of a page as texts, below its headings, in the language that holds here."""
    of_people = [column.kind == "n" for column in table.columns]
    rows = [
        [str(cell) if named else in_words(str(cell)) for cell, named in zip(row.cells, of_people, strict=True)]
        for row in table.rows
    ]
    return [[in_words(column.heading) for column in table.columns], *rows]


def table_lines(table: PageTable) -> list[str]:
    """Return a table of a page as lines of text, below its title, in the language that holds here."""
    columns = [[str(row.cells[at]) for row in table.rows] for at in range(len(table.columns))]
    left = {at for at, cells in enumerate(columns) if not all(map(_AMOUNT.fullmatch, filter(None, cells)))}
    return [_titled(table), *aligned(table_texts(table), left)]


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return the rows as CSV, below a header; no spreadsheet takes a text for a formula."""
    columns_ = map(_cells, zip(*rows, strict=True))
    return csv_text([[*map(escape_formula, columns)], *zip(*columns_, strict=True)])


def _cells(column: Sequence[object]) -> Iterable[object]:
    types = set(map(type, column))
    if types == {int}:
        return column
    if types <= {str, type(None)}:  # most columns hold nothing that a spreadsheet would take for more than a text
        texts = [str(each) for each in column if each]
        every = "".join(texts)
        if all(text[0].isalnum() for text in texts) and every.isprintable() and not separates(every):
            return column
    return map(_cell, column)


def csv_text(rows: Sequence[Sequence[object]]) -> str:
    """Return rows of cells as lines of CSV; a cell is quoted where any language would take it for several."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(rows)
    if not separates(out.getvalue()):  # as in most
        return out.getvalue()
    out.seek(0)
    out.truncate()
    for row in rows:
        texts = [*map(_shown, row)]
        if any(map(separates, texts)):
            out.write(",".join(map(_quoted, texts)) + "\n")
        else:
            writer.writerow(row)
    return out.getvalue()


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NOT_PLAIN.search(text) else text


_NOT_PLAIN = re.compile(r'[",;|\t\r\n]')


def csv_file(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Return the rows as a file of CSV; a mark tells spreadsheets its encoding where it has more than plain letters."""
    text = as_csv(columns, rows)
    return text.encode("utf-8" if text.isascii() else "utf-8-sig")


_AMOUNT = re.compile(r"-?[0-9]+(\.[0-9]+)?")
"""A number as text, fewer than nothing, too, which no spreadsheet runs."""


def _cell(value: object) -> str:
    if value is None or value == "":
        return ""
    text = _shown(value)
    return text if isinstance(value, _NUMBERS) or _AMOUNT.fullmatch(text) else escape_formula(text)


def as_json(columns: Sequence[str], rows: Sequence[Sequence[object]], provenance: Provenance | None = None) -> str:
    """Return the rows as JSON, an object each; masterpoints and other decimals are texts, as in all our JSON.

    columns: their names, none of them twice; else InputError is raised.
    provenance: where they come from, None to leave that out.
    """
    (name, count), *_ = Counter(columns).most_common(1)
    if count > 1:
        raise InputError(
            f"{count} columns are called '{name}'", hint="give them names of their own: SELECT ... AS NAME"
        )
    said = {PROVENANCE_KEY: provenance.entry()} if provenance else {}
    objects = [{name: _in_json(value) for name, value in zip(columns, row, strict=True)} for row in rows]
    return json_text({**said, "rows": objects}, default=str)


def _in_json(value: object) -> object:
    """Return a value as JSON has it, also within lists and structures."""
    if isinstance(value, list | tuple):
        return [_in_json(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _in_json(each) for name, each in value.items()}
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def printed(
    to: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    provenance: Provenance,
    ours: Container[str] | None = None,
) -> str:
    """Return the rows in a format: ``text``, ``csv`` or ``json``.

    provenance: where they come from, which only JSON says.
    ours: the columns whose cells are words of this program; None where all of it is called as the user asked for it.
    """
    if to == "text" and ours is not None:
        return said_as_text(columns, rows, ours)
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
            widths[at - 1] = max(widths[at - 1], min(len(_shown(value)) + 3.0, _WIDEST))
    set_widths(sheet, widths)
    lay_out(sheet, 1)
    sheet.auto_filter.ref = sheet.dimensions
    workbook.properties.description = provenance.line()
    return saved(workbook)


def workbook_of(shown: Report) -> bytes:
    """Return what a report shows as a workbook that is set up to be printed; a sheet without rows is left out.

    What is wrong, doubtful, or holds beside the tables has a sheet of its own.
    """
    from openpyxl import Workbook

    notes = [PageRow([str(note)]) for note in (*shown.problems, *shown.said, *shown.foot, *shown.remarks)]
    said = PageTable("notes", "Notes", [PageColumn("Note", "l")], notes)
    filled = {
        name: [each for each in tables if each.rows] for name, tables in {**shown.sheets, "Notes": [said]}.items()
    }
    above = [shown.title, *filter(None, [", ".join(shown.facts)])]
    workbook = Workbook()
    count_in_digits(workbook)
    workbook.remove(workbook.worksheets[0])
    for name, tables in filled.items():
        if tables:
            _write_tables(workbook.create_sheet(in_words(name)), above, tables)
    if not workbook.worksheets:
        put(workbook.create_sheet("Report").cell(1, 1), in_words(shown.title))
    if shown.provenance is not None:
        workbook.properties.description = shown.provenance.line()
    return saved(workbook)


def _write_tables(sheet: Worksheet, above: Sequence[str], tables: Sequence[PageTable]) -> None:
    """Write tables of the same columns below each other, their header once, and what is noted below each."""
    from openpyxl.styles import Alignment, Border, Font, Side

    columns = tables[0].columns
    for number, text in enumerate(above, 1):
        put(sheet.cell(number, 1), in_words(text)).font = Font(FONT, TEXT_POINTS + 3 * (number == 1), bold=number == 1)
    top = len(above) + 2
    texts = zip(*table_texts(tables[0]), *(row for each in tables[1:] for row in table_texts(each)[1:]), strict=True)
    widths = [min(max(map(len, column)) + 3.0, _WIDEST) for column in texts]
    for at, column in enumerate(columns, 1):
        head = put(sheet.cell(top, at), in_words(column.heading))
        head.font, head.border = Font(FONT, TEXT_POINTS, bold=True), Border(bottom=Side("thin"))
        head.alignment = Alignment(
            horizontal="left" if column.kind in _AS_TEXT else "right", indent=int(column.kind in _AS_TEXT and at > 1)
        )
    line = top
    for table in tables:
        if len(tables) > 1:
            line += 2 if line > top else 1
            put(sheet.cell(line, 1), _titled(table)).font = Font(FONT, TEXT_POINTS, bold=True)
        for row in table.rows:
            line += 1
            _write_row(sheet, line, row, columns, widths)
        for number, text in enumerate(table.below, 1):
            line += 1 + (number == 1)
            put(sheet.cell(line, 1), f"{number}  {in_words(text)}").alignment = Alignment(
                wrap_text=True, vertical="top"
            )
            sheet.merge_cells(start_row=line, end_row=line, start_column=1, end_column=len(columns))
            sheet.row_dimensions[line].height = LINE * math.ceil(len(text) / sum(widths))
    set_widths(sheet, widths)
    lay_out(sheet, top, names=next((at for at, column in enumerate(columns, 1) if column.kind == "n"), 1))


def _titled(table: PageTable) -> str:
    return in_words(table.title) + (f" ({in_words(table.note)})" if table.note else "")


def _write_row(
    sheet: Worksheet, line: int, row: PageRow, columns: Sequence[PageColumn], widths: Sequence[float]
) -> None:
    """Write a row of a table: numbers as such, and texts in as many lines as they take."""
    from openpyxl.styles import Alignment, Font

    lines = 1
    for at, (value, column) in enumerate(zip(row.cells, columns, strict=True), 1):
        text = str(value)
        if not text:
            continue
        number = _NUMBER.fullmatch(text) if column.kind not in {"n", "l", "w l"} else None
        said = text if column.kind == "n" else in_words(text)
        cell = put(sheet.cell(line, at), (float(text) if number[1] else int(text)) if number else said)
        if number and number[1]:
            cell.number_format = "+0.00;-0.00" if text.startswith("+") else "0.00"
        at_left = column.kind in _AS_TEXT
        cell.alignment = Alignment(
            horizontal="left" if at_left else "right",
            vertical="center",
            wrap_text=at_left,
            indent=int(at_left and at > 1),
        )
        cell.font = Font(FONT, TEXT_POINTS, bold=row.kind == "total")
        lines = max(lines, math.ceil((len(text) + 2) / widths[at - 1]))
    sheet.row_dimensions[line].height = LINE * lines + _AIR


_AIR = 3.0
"""How much higher than its lines a row is, in points."""

_AS_TEXT = frozenset({"n", "k", "l", "w l"})
"""The kinds of columns that are at the left."""

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,11})(\.[0-9]{2})?")

_WIDEST = 52.0
"""How wide a column of a workbook is at most, in characters."""


def _in_a_cell(value: object) -> str | int | float | date:
    """Return a value as a cell holds it: 38.20 as a number with two decimals."""
    if isinstance(value, bool) or not isinstance(value, (*_NUMBERS, date)):
        return _shown(value)
    if isinstance(value, Decimal):
        return float(value)
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


_P = ParamSpec("_P")
_W = TypeVar("_W", bound=Callable[..., bytes])


class Writers(dict[str, Callable[_P, bytes]], Generic[_P]):
    """The writers of one report by the names of their formats; an instance decorates each of them."""

    def __call__(self, name: str) -> Callable[[_W], _W]:
        """Return the decorator of the writer of a format."""

        def register(write: _W) -> _W:
            self[name] = write
            return write

        return register

    def text(self, tell: Callable[_P, Iterable[str]]) -> Callable[_P, bytes]:
        """Decorate what gives the lines of the report as text."""
        return self("text")(
            lambda *args, **options: unmarked("".join(f"{line}\n" for line in tell(*args, **options))).encode()
        )

    def json(self, tell: Callable[_P, Mapping[str, Any]]) -> Callable[_P, bytes]:
        """Decorate what gives the content of the report as JSON."""
        return self("json")(lambda *args, **options: json_text(tell(*args, **options)).encode())

    def shown(self, declare: Callable[_P, Report]) -> Callable[_P, Report]:
        """Decorate what says what the report shows: a page, and the fragment of one."""
        self["html"] = lambda *args, **options: declare(*args, **options).page()
        self["html-fragment"] = lambda *args, **options: declare(*args, **options).page(fragment=True)
        return declare

    def sheets(self, declare: Callable[_P, Report]) -> Callable[_P, Report]:
        """Decorate what says what the report shows, in a workbook as well."""
        self["xlsx"] = lambda *args, **options: workbook_of(declare(*args, **options))
        return self.shown(declare)
