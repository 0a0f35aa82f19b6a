"""Masterpoint charts as text, CSV, an Excel workbook, a page to print, and JSON."""

from __future__ import annotations

import csv
import io
import json

from resultproc.formats.common import pages
from resultproc.formats.common.pages import PageColumn, PageTable, tables_page
from resultproc.formats.common.words import strata
from resultproc.formats.registry import escape_formula
from resultproc.formats.xlsx.cells import lay_out, saved
from resultproc.model.game import OPEN, number_text
from resultproc.model.league import league
from resultproc.model.values import decimal_text, ordinal
from resultproc.reports.chart.chart import Block, Chart, ChartRow
from resultproc.reports.rows import Writers

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


def _cells(block: Block, row: ChartRow) -> list[str]:
    """Return a row as text, under the header; the rule by its number."""
    awards = [decimal_text(award) for award in row.awards]
    empty = [""] * (block.places - len(awards))
    rule = str(block.rules.index(row.ladder.rule) + 1)
    return [number_text(row.tables), str(row.contestants), *awards, *empty, row.ladder.factors, rule]


@WRITERS("text")
def text(chart: Chart) -> bytes:
    """Return the chart as text: right-aligned columns, the rules numbered below."""
    lines = [chart_title(chart), f"{chart.title} ({chart.rulebook})", *chart.notes]
    for block in chart.blocks:
        table = [_header(block), *(_cells(block, row) for row in block.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines += ["", block_heading(block), ""]
        for cells in table:
            *numbers, how, rule = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
            lines.append("  ".join([*numbers, how.strip().ljust(widths[-2]), rule.strip()]))
        lines += ["", *(f"{number}  {rule}" for number, rule in enumerate(block.rules, 1))]
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


@WRITERS("csv")
def to_csv(chart: Chart) -> bytes:
    """Return the chart as CSV: one table, a row for each basis and number of tables."""
    places = max(block.places for block in chart.blocks)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    stratified = any(block.stratum for block in chart.blocks)
    first = ["awards", *(["stratum"] if stratified else []), "tables", "contestants"]
    writer.writerow([*first, *map(ordinal, range(1, places + 1)), "how", "rule"])
    for block in chart.blocks:
        for row in block.rows:
            awards = [decimal_text(award) for award in row.awards]
            said = [escape_formula(row.ladder.factors), escape_formula(row.ladder.rule)]
            stratum = [block.stratum.partition("=")[0]] if stratified else []
            cells = [block.basis, *stratum, number_text(row.tables), row.contestants, *awards]
            writer.writerow([*cells, *[""] * (places - len(awards)), *said])
    return file.getvalue().encode()


@WRITERS("xlsx")
def xlsx(chart: Chart) -> bytes:
    """Return the chart as a workbook, a sheet for each block, set up to be printed."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for block in chart.blocks:
        sheet = workbook.create_sheet(f"{block.basis.capitalize()} {block.stratum[:1]}".strip())
        sheet.append([chart_title(chart)])
        sheet.append([f"{block_heading(block)}: {escape_formula(chart.title)} ({chart.rulebook})"])
        sheet["A1"].font = Font(bold=True, size=14)
        sheet.append(["; ".join(chart.notes)] if chart.notes else [])
        header = _header(block)
        sheet.append(header)
        for row in block.rows:
            awards = [award / 100 for award in row.awards]
            empty = [None] * (block.places - len(awards))
            *_, how, rule = _cells(block, row)
            sheet.append([row.tables, row.contestants, *awards, *empty, how, int(rule)])
        for cell in sheet[4]:
            cell.font = Font(bold=True)
            cell.alignment = Alignment(horizontal="left" if cell.value == "How" else "right")
        for cells in sheet.iter_rows(5, 4 + len(block.rows), 3, 2 + block.places):
            for cell in cells:
                cell.number_format = "0.00"
        for column, name in enumerate(header, 1):
            sheet.column_dimensions[get_column_letter(column)].width = {"Contestants": 12, "How": 60}.get(name, 8)
        sheet.append([])
        for number, rule in enumerate(block.rules, 1):
            sheet.append([f"{number}  {rule}"])
        lay_out(sheet, 4)
        if len(block.rows) <= _ON_A_PAGE:
            sheet.page_setup.fitToHeight = 1
    workbook.properties.description = chart.provenance.line()
    return saved(workbook)


@WRITERS("html")
def html(chart: Chart, *, fragment: bool = False) -> bytes:
    """Return the chart as one page that needs nothing else, to look at and to print."""
    tables = [
        PageTable(
            f"block{number}",
            block_heading(block),
            _columns(block),
            _rows(block),
            sorts=False,
            below=block.rules,
            alone=True,
            scrolls=True,
        )
        for number, block in enumerate(chart.blocks)
    ]
    return tables_page(
        "Masterpoint chart",
        tables,
        fragment=fragment,
        facts=[*_in_words(chart), *chart.notes],
        provenance=chart.provenance,
        landscape=True,
    )


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


def _columns(block: Block) -> list[PageColumn]:
    places = [PageColumn(name, "", name) for name in _header(block)[2:-2]]
    first = [PageColumn("Tables", "k", "tables"), PageColumn("Contestants", "", "Contestants")]
    return [*first, *places, PageColumn("How", "l"), PageColumn("Rule", "", "Rule")]


def _rows(block: Block) -> list[pages.PageRow]:
    return [pages.PageRow(_cells(block, row)) for row in block.rows]


@WRITERS("json")
def to_json(chart: Chart) -> bytes:
    """Return the chart as JSON: awards are decimal strings, the first place first."""
    blocks = [
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
    content = {
        "provenance": chart.provenance.entry(),
        "game": {**chart.keys, "rulebook": chart.rulebook},
        "title": chart.title,
        "notes": list(chart.notes),
        "awards": blocks,
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
