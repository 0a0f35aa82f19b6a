"""Made lists as they are in files: text in columns, CSV, web pages and workbooks."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from random import Random

from workbooks import workbook


@dataclass(frozen=True)
class Table:
    """A table: its header, if it has one, and its rows."""

    head: list[str] | None
    rows: list[list[str]]

    @property
    def lines(self) -> list[list[str]]:
        """All its rows."""
        return [*([self.head] if self.head else []), *self.rows]


@dataclass(frozen=True)
class Document:
    """A list as it is written: titles, and tables below them."""

    titles: list[str]
    tables: list[Table]


def written(document: Document, carrier: str, random: Random, encodings: Sequence[str]) -> tuple[str, bytes]:
    """Return the name of a file and what is in it."""
    if carrier == "xlsx":
        return "list.xlsx", _workbook(document)
    if carrier == "html":
        encoding = random.choice(encodings)
        page = _page(document, random)
        encoding = encoding if _fits(page, encoding) else "utf-8"
        return "list.html", page.replace("CHARSET", encoding).encode(encoding)
    if carrier == "csv":
        text, name = _csv(document), "list.csv"
    elif carrier == "tabs":
        text, name = _text(document, lambda table: ["\t".join(row) for row in table.lines]), "list.txt"
    else:
        text, name = _text(document, _RULED[random.randrange(3)] if carrier == "ruled" else _aligned), "list.txt"
    encoding = random.choice(("utf-8", "utf-8-sig", "utf-16", encodings[1]))
    encoding = encoding if _fits(text, encoding) else "utf-8"
    return name, text.replace("\n", random.choice(("\n", "\r\n"))).encode(encoding)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _text(document: Document, lines: object) -> str:
    assert callable(lines)
    parts = [document.titles, *map(lines, document.tables)]
    return "\n\n".join(map("\n".join, parts)) + "\n"


def _csv(document: Document) -> str:
    rows = [[title] for title in document.titles] + [[]]
    for table in document.tables:
        rows += [*table.lines, []]
    # Numbers with commas ask for another separator.
    commas = any(re.search(r"\d,\d", cell) for table in document.tables for row in table.rows for cell in row)
    content = io.StringIO()
    csv.writer(content, delimiter=";" if commas else ",", lineterminator="\n").writerows(rows)
    return content.getvalue()


def _widths(table: Table) -> list[int]:
    return [max(len(cell) for cell in column) for column in zip(*table.lines, strict=True)]


def _columns(table: Table, between: str) -> list[str]:
    """Return the rows with their columns below each other, numbers to the right."""
    widths = _widths(table)
    right = [all(re.fullmatch(r"[-+]?[\d.,/]*[ %=.]*", row[i]) for row in table.rows) for i, _ in enumerate(widths)]
    return [
        between.join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in table.lines
    ]


def _aligned(table: Table) -> list[str]:
    return _columns(table, "   ")


def _barred(table: Table) -> list[str]:
    lines = [f"| {line.ljust(sum(_widths(table)) + 3 * len(_widths(table)) - 3)} |" for line in _columns(table, " | ")]
    rule = "|" + "|".join("-" * (width + 2) for width in _widths(table)) + "|"
    return [lines[0], rule, *lines[1:]] if table.head else lines


def _between_rules(table: Table, sign: str) -> list[str]:
    lines = _columns(table, "  ")
    rule = sign * max(map(len, lines))
    return [rule, lines[0], rule, *lines[1:], rule] if table.head else [rule, *lines, rule]


_RULED = (_barred, lambda table: _between_rules(table, "="), lambda table: _between_rules(table, "-"))


def _page(document: Document, random: Random) -> str:
    way = random.choice(("clean", "clean", "nested", "pre"))
    tag = random.choice(("td", "th"))
    if way == "pre":
        body = "<pre>\n" + escape(_text(document, _aligned)) + "</pre>"
    else:
        titles = "".join(
            f"<h{min(n, 3)}>{escape(title)}</h{min(n, 3)}>\n" for n, title in enumerate(document.titles, 1)
        )
        body = titles + "".join(_table(table, way, tag) for table in document.tables)
    head = f'<meta charset="CHARSET"><title>{escape(document.titles[0])}</title>'
    return f"<html><head>{head}</head>\n<body>{body}</body></html>"


def _table(table: Table, way: str, tag: str) -> str:
    rows = []
    for row in table.lines:
        which = tag if row is table.head else "td"
        rows.append("<tr>" + "".join(f"<{which}>{escape(cell) or '&nbsp;'}</{which}>" for cell in row) + "</tr>\n")
    inside = f"<table border=1>\n{''.join(rows)}</table>\n"
    return f"<table><tr><td>{inside}</td></tr></table>\n" if way == "nested" else inside


def _workbook(document: Document) -> bytes:
    rows = [[[], *(map(_value, row) for row in table.lines)] for table in document.tables]
    return workbook(Sheet=[*([title] for title in document.titles), *chain(*rows)])


def _value(cell: str) -> object:
    """Return what a person's typing becomes in a workbook: a number where that is one."""
    if re.fullmatch(r"\d{1,6}", cell):
        return int(cell)
    if re.fullmatch(r"[-+]?\d+[.,]\d+", cell):
        return float(cell.replace(",", "."))
    return cell or None
