"""Masterpoint charts as text, CSV, an Excel workbook, a page to print, and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from resultproc.model.game import OPEN, league, number_text
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.pages.page import PageColumn, PageRow, PageTable, Report
from resultproc.pages.tables import Writers, aligned, as_csv
from resultproc.pages.words import WIDTH, numbered_note, strata, wrapped
from resultproc.pages.workbook import (
    A_SHEET,
    FONT,
    LINE,
    TEXT_POINTS,
    count_in_digits,
    lay_out,
    points_for,
    put,
    saved,
    set_widths,
)
from resultproc.reports.chart.chart import Block, Chart, ChartRow

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from resultproc.reports.outputs import ChartReport

_BARE = ("rating", "event_type", "movement", "date", "special")
"""The keys whose value alone says what it is."""

_ON_A_PAGE = 40
"""The most rows of a chart that is printed on one page."""

_USUAL = (("limit", "open"), ("sessions", "1"))
"""What a title leaves out."""

WRITERS: Writers[[Chart]] = Writers()
"""The formats of charts by name."""


def chart_title(chart: Chart) -> str:
    """Return what the chart is for: ``Masterpoint chart: club-open, pairs, mitchell, limit 200``."""
    return "Masterpoint chart: " + ", ".join(text for _, text in _said(chart))


def _said(chart: Chart) -> list[tuple[str, str]]:
    """Return what the chart is for: each key with its text."""
    said = [(name, value) for name, value in chart.keys.items() if (name, value) not in _USUAL]
    return [(name, value if name in _BARE else f"{name.replace('_', ' ')} {value}") for name, value in said]


def block_heading(block: Block) -> str:
    """Return the heading of a block: ``Section awards``."""
    divided = " (the tables in two sections)" if block.sections > 1 else ""
    each = " (in each session)" if block.basis == "session" else ""
    letter, _, limit = block.stratum.partition("=")
    under = "open" if limit == number_text(OPEN) else f"under {limit}"
    stratum = f", stratum {letter} ({under})" if letter else ""
    return f"{block.basis} awards".capitalize() + stratum + divided + each


def _header(block: Block) -> list[str]:
    places = [ordinal(place) for place in range(1, block.places + 1)]
    return ["Tables", "Contestants", *places, "How", "Rule"]


def _cells(block: Block, row: ChartRow, rules: Sequence[str]) -> list[str]:
    """Return a row as text, under the header; the rule by its number among some."""
    awards = [decimal_text(award) for award in row.awards]
    empty = [""] * (block.places - len(awards))
    rule = str(rules.index(row.ladder.rule) + 1)
    return [number_text(row.tables), str(row.contestants), *awards, *empty, row.ladder.factors, rule]


@WRITERS.text
def text(chart: Chart) -> Iterator[str]:
    """Yield the chart as text of 80 columns: right-aligned columns, and at the end the rules, numbered, each once.

    Where the columns are wider, the places go on in a second table, and how the awards come about has one of its own.
    """
    for said in (chart_title(chart), f"{chart.title} ({chart.rulebook})", *chart.notes):
        yield from wrapped(said)
    rules = list(dict.fromkeys(rule for block in chart.blocks for rule in block.rules))
    for block in chart.blocks:
        yield from ("", *wrapped(block_heading(block)), "", *_table(block, rules))
    yield from ("", "Rules", "")
    for number, rule in enumerate(rules, 1):
        yield from numbered_note(number, rule)


def _table(block: Block, rules: Sequence[str]) -> list[str]:
    """Return the lines of a block's table, or of the tables that it is where it is too wide for one.

    rules: what is numbered.
    """
    table = [_header(block), *(_cells(block, row, rules) for row in block.rows)]
    whole = aligned(table, {len(table[0]) - 2})
    if max(map(len, whole)) <= WIDTH:
        return whole
    width = max(len(cell) for row in table for cell in row[2:-2]) + 2
    first = sum(len(name) + 2 for name in table[0][:2])
    at_once = (WIDTH - first) // width
    lines: list[str] = []
    for start in range(2, len(table[0]) - 2, at_once):
        end = min(start + at_once, len(table[0]) - 2)
        there = [row for row in table if any(row[start:end])]
        lines += [*aligned([[*row[:2], *row[start:end]] for row in there], ()), ""]
    for tables, *_, how, rule in table:
        before = f"{tables.rjust(len(table[0][0]))}  {rule.rjust(len(table[0][-1]))}  "
        lines += wrapped(before + how, len(before))
    return lines


@WRITERS("csv")
def to_csv(chart: Chart) -> bytes:
    """Return the chart as CSV: one table, a row for each basis and number of tables."""
    places = max(block.places for block in chart.blocks)
    stratified = any(block.stratum for block in chart.blocks)
    first = ["awards", *(["stratum"] if stratified else []), "tables", "contestants"]
    rows = []
    for block in chart.blocks:
        stratum = [block.stratum.partition("=")[0]] if stratified else []
        for row in block.rows:
            awards = [decimal_text(award) for award in row.awards] + [""] * (places - len(row.awards))
            cells = [block.basis, *stratum, number_text(row.tables), row.contestants, *awards]
            rows.append([*cells, row.ladder.factors, row.ladder.rule])
    return as_csv([*first, *map(ordinal, range(1, places + 1)), "how", "rule"], rows).encode()


@WRITERS("xlsx")
def xlsx(chart: Chart) -> bytes:
    """Return the chart as a workbook to be printed: a sheet for each block, and one of how and by which rules."""
    from openpyxl import Workbook

    workbook = Workbook()
    count_in_digits(workbook)
    workbook.remove(workbook.worksheets[0])
    for block in chart.blocks:
        title = f"{block.basis.capitalize()} {block.stratum[:1]}".strip()
        _write_block(workbook.create_sheet(title), chart, block)
    _write_rules(workbook.create_sheet("Rules"), chart)
    workbook.properties.description = chart.provenance.line()
    return saved(workbook)


def _write_block(sheet: Worksheet, chart: Chart, block: Block) -> None:
    """Write the awards of a block, in letters as large as a sheet of paper allows where they fit on one."""
    from openpyxl.styles import Alignment, Border, Font, Side

    header = _header(block)[:-2]
    lines = [chart_title(chart), f"{block_heading(block)}: {chart.title} ({chart.rulebook})", "; ".join(chart.notes)]
    widths = [{"Contestants": 13.0}.get(name, 8.0) for name in header]
    points = points_for(sum(widths), len(block.rows) + _ABOVE) if len(block.rows) <= _ON_A_PAGE else TEXT_POINTS
    for number, line in enumerate(lines, 1):
        put(sheet.cell(number, 1), line).font = Font(FONT, TEXT_POINTS + 3 * (number == 1), bold=number == 1)
    if chart.notes:
        # Wrapped, as a line that goes on beyond the columns is cut off in print.
        sheet.merge_cells(start_row=_NOTES, end_row=_NOTES, start_column=1, end_column=len(header))
        sheet.cell(_NOTES, 1).alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[_NOTES].height = LINE * math.ceil(len(lines[-1]) / sum(widths))
    for column, name in enumerate(header, 1):
        cell = put(sheet.cell(_ABOVE, column), name)
        cell.font, cell.border = Font(FONT, points, bold=True), Border(bottom=Side("thin"))
        cell.alignment = Alignment(horizontal="right")
    for number, row in enumerate(block.rows, _ABOVE + 1):
        for column, value in enumerate([row.tables, row.contestants, *(award / 100 for award in row.awards)], 1):
            cell = put(sheet.cell(number, column), value)
            cell.font = Font(FONT, points)
            cell.number_format = "0.00" if column > 2 else "General"
        sheet.row_dimensions[number].height = LINE * points / TEXT_POINTS
    sheet.row_dimensions[_ABOVE].height = LINE * points / TEXT_POINTS
    set_widths(sheet, [width * points / TEXT_POINTS for width in widths])
    on_one = len(block.rows) <= _ON_A_PAGE
    lay_out(sheet, _ABOVE, larger=max(points / TEXT_POINTS, A_SHEET) if on_one else 1)


_NOTES, _ABOVE = 3, 4
"""The row of what is to be noted on a block's sheet, and that of its header."""


def _write_rules(sheet: Worksheet, chart: Chart) -> None:
    """Write how the awards of each number of tables come about, and the rules that say so, numbered in each block."""
    from openpyxl.styles import Alignment, Font

    top = Alignment(vertical="top")
    wraps = Alignment(wrap_text=True, vertical="top", horizontal="left", indent=1)
    put(sheet.cell(1, 1), chart_title(chart)).font = Font(FONT, TEXT_POINTS + 3, bold=True)
    row = 2
    for block in chart.blocks:
        row += 1
        put(sheet.cell(row, 1), block_heading(block)).font = Font(FONT, TEXT_POINTS, bold=True)
        for number, rule in enumerate(block.rules, 1):
            row += 1
            sheet.cell(row, 1, number).alignment = top
            put(sheet.cell(row, 2), rule).alignment = wraps
            sheet.merge_cells(start_row=row, end_row=row, start_column=2, end_column=3)
            sheet.row_dimensions[row].height = LINE * math.ceil(len(rule) / (_HOW + _RULE))
        row += 1
        for column, name in enumerate(("Tables", "How", "Rule"), 1):
            head = put(sheet.cell(row, column), name)
            head.font = Font(FONT, TEXT_POINTS, bold=True)
            head.alignment = wraps if name == "How" else Alignment(horizontal="right")
        for each in block.rows:
            row += 1
            *_, how, rule = _cells(block, each, block.rules)
            sheet.cell(row, 1, each.tables).alignment = top
            put(sheet.cell(row, 2), how).alignment = wraps
            sheet.cell(row, 3, int(rule)).alignment = top
            sheet.row_dimensions[row].height = LINE * math.ceil(len(how) / _HOW)
        row += 1
    set_widths(sheet, [8, _HOW, _RULE])
    lay_out(sheet, 1)


_HOW, _RULE = 84.0, 8.0
"""How wide the columns of the rules' sheet are, in characters."""


@WRITERS.shown
def shown(chart: Chart) -> Report:
    """Return the chart as one page that needs nothing else, to look at and to print."""
    tables = []
    for number, block in enumerate(chart.blocks):
        columns = [
            PageColumn("Tables", "k", "tables"),
            PageColumn("Contestants", "", "Contestants"),
            *(PageColumn(name, "", name) for name in _header(block)[2:-2]),
            PageColumn("How", "l"),
            PageColumn("Rule", "", "Rule"),
        ]
        rows = [PageRow(_cells(block, row, block.rules)) for row in block.rows]
        table = PageTable(f"block{number}", block_heading(block), columns, rows, sorts=False, below=block.rules)
        tables.append(replace(table, alone=True, scrolls=True))
    facts = [*_in_words(chart), *chart.notes]
    return Report("Masterpoint chart", tables, facts=facts, provenance=chart.provenance, landscape=True)


def _in_words(chart: Chart) -> list[str]:
    """Return what the chart is for as players say it: ``Open club game``, ``24 boards``, ``A open, B under 1000``."""
    limit = chart.keys.get("limit", "open")
    limited = {"strata": chart.keys.get("strata"), "limit": None if limit == "open" else float(limit)}
    words = {
        "rating": league().names.get(chart.keys.get("rating"), ""),
        "movement": chart.keys.get("movement", "").capitalize(),
        "boards": f"{chart.keys.get('boards')} boards",
    }
    said = [words.get(name, text) for name, text in _said(chart) if name not in limited]
    return [text for text in (*said, strata(limited)) if text]


@WRITERS.json
def to_json(chart: Chart) -> ChartReport:
    """Return the chart as JSON: awards are decimal strings, the first place first."""
    blocks: list[dict[str, Any]] = [
        {
            "basis": block.basis,
            **({"stratum": block.stratum[:1]} if block.stratum else {}),
            "sections": block.sections,
            "rows": [
                {
                    "tables": row.tables,
                    "contestants": row.contestants,
                    "masterpoints": [decimal_text(award) for award in row.awards],
                    "factors": row.ladder.factors,
                    "rule": row.ladder.rule,
                }
                for row in block.rows
            ],
        }
        for block in chart.blocks
    ]
    return {
        "provenance": chart.provenance.entry(),
        "game": {**chart.keys, "rulebook": chart.rulebook},
        "title": chart.title,
        "notes": list(chart.notes),
        "awards": blocks,
    }
