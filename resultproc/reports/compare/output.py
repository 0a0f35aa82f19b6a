"""Games under several rulebooks, side by side, as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from resultproc.formats.common import pages, words
from resultproc.formats.common.pages import tables_page
from resultproc.formats.json.writer import game_entry
from resultproc.formats.registry import escape_formula
from resultproc.model.values import cell_text, decimal_text
from resultproc.reports.compare.compare import ComparedGame, ComparedTable
from resultproc.reports.writers import Writers

WRITERS: Writers[[Sequence[ComparedGame]]] = Writers()
"""The formats of comparisons by name."""


def heading(table: ComparedTable) -> str:
    """Return what a table is of, without its stratum: ``Overall``, ``Session 1, section A N-S``."""
    named = table.field if table.basis == "section" else ", ".join(filter(None, [table.basis, table.field]))
    return named[0].upper() + named[1:]


@WRITERS("text")
def text(found: Sequence[ComparedGame]) -> bytes:
    """Return the tables that differ, with a column for each rulebook, and the names of those that do not."""
    return ("\n\n".join("\n".join(_lines(each)) for each in found) + "\n").encode()


def _lines(comparison: ComparedGame) -> Iterator[str]:
    game = comparison.game
    day = None if pd.isna(game["date"]) else str(game["date"].date())
    names = [game["game_id"] if pd.isna(game["event"]) else game["event"], game["club"], day]
    yield ", ".join(cell_text(name) for name in names if not pd.isna(name))
    widths = [max(len(name), 8) for name in comparison.rulebooks]
    for table in filter(lambda table: table.differs, comparison.tables):
        yield ""
        yield f"{heading(table)}, stratum {table.stratum}: {table.contestants} contestants"
        yield ""
        yield _line("Place", comparison.rulebooks, widths)
        for place in table.places:
            yield _line(place.name, map(_amount, place.awards), widths)
        yield _line("Total", map(_amount, table.totals), widths)
    yield ""
    yield _line("Paid", map(_amount, comparison.paid), widths) + "  (each contestant its highest award)"
    same = _same(comparison)
    if same:
        yield ""
        yield "The same under each:"
    for text in same:
        yield f"  {text.removeprefix(_ALIKE)}"


_ALIKE = "The same under each: "


def _line(name: str, cells: Any, widths: Sequence[int]) -> str:
    return "  ".join([name.rjust(7), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))]).rstrip()


def _amount(hundredths: int | None) -> str:
    """Return an award as sheets print it: nothing for none, a dash where nobody is ranked."""
    return "-" if hundredths is None else decimal_text(hundredths) if hundredths else ""


@WRITERS("html")
def html(found: Sequence[ComparedGame], *, fragment: bool = False) -> bytes:
    """Return what differs as one page that needs nothing else, with the names of what does not."""
    tables = [table for number, each in enumerate(found) for table in _tables(number, each, len(found) > 1)]
    books = found[0].rulebooks if found else ()
    first = found[0].game if found else None
    over = "" if first is None or len(found) > 1 or pd.isna(first["club"]) else cell_text(first["club"])
    titles = dict.fromkeys(_title(each) for each in found)
    return tables_page(
        ", ".join(titles) or "Comparison",
        tables,
        fragment=fragment,
        over=over,
        facts=[f"Under {' and '.join(books)}"],
        said=[text for each in found for text in _same(each)],
        provenance=found[0].provenance if found else None,
    )


def _title(comparison: ComparedGame) -> str:
    return cell_text(words.heading(comparison.game.to_dict()))


def _tables(number: int, comparison: ComparedGame, several: bool) -> Iterator[pages.PageTable]:
    """Yield the tables of one game that differ, and what it pays in all."""
    before = f"{_title(comparison)}: " if several else ""
    columns = [pages.PageColumn("Place", "k"), *(pages.PageColumn(name, "", name) for name in comparison.rulebooks)]
    differing = [table for table in comparison.tables if table.differs]
    for count, table in enumerate(differing):
        rows = [pages.PageRow([place.name, *map(_amount, place.awards)]) for place in table.places]
        rows.append(pages.PageRow(["Total", *map(_amount, table.totals)], "total"))
        title = f"{before}{heading(table)}, stratum {table.stratum}"
        note = f"{table.contestants} contestants"
        yield pages.PageTable(f"t{number}-{count}", title, columns, rows, note, sorts=False)
    paid = pages.PageRow(["Paid", *map(_amount, comparison.paid)], "total")
    yield pages.PageTable(
        f"t{number}",
        f"{before}In all",
        [pages.PageColumn("All", "k"), *columns[1:]],
        [paid],
        "each its highest award",
        False,
    )


def _same(comparison: ComparedGame) -> list[str]:
    """Return what is the same under each rulebook, a text for each comparison."""
    same: dict[str, list[str]] = {}
    for table in comparison.tables:
        if not table.differs:
            same.setdefault(heading(table), []).append(table.stratum)
    return [
        f"{_ALIKE}{name}, {'stratum' if len(strata) == 1 else 'strata'} {', '.join(strata)}"
        for name, strata in same.items()
    ]


@WRITERS("csv")
def to_csv(found: Sequence[ComparedGame]) -> bytes:
    """Return every table as CSV: a row for each place, and one for the total, with a column for each rulebook.

    An award is empty where nobody is ranked. The last row of a game, of the basis ``all``, is what it pays in all.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    books = found[0].rulebooks if found else ()
    header = ["game_id", "basis", "field", "stratum", "contestants", "place", *books]
    writer.writerow(map(escape_formula, header))
    for each in found:
        game = escape_formula(cell_text(each.game["game_id"]))
        for table in each.tables:
            key = [game, table.basis, escape_formula(table.field), table.stratum, table.contestants]
            for place in table.places:
                writer.writerow([*key, place.name, *map(_decimal, place.awards)])
            writer.writerow([*key, "total", *map(_decimal, table.totals)])
        writer.writerow([game, "all", "", "", "", "total", *map(_decimal, each.paid)])
    written = file.getvalue()
    return written.encode("utf-8" if written.isascii() else "utf-8-sig")


def _decimal(hundredths: int | None) -> str | None:
    return None if hundredths is None else decimal_text(hundredths)


@WRITERS("json")
def to_json(found: Sequence[ComparedGame]) -> bytes:
    """Return every table as JSON: awards are decimal strings by rulebook, null where nobody is ranked."""
    content = {"provenance": found[0].provenance.entry(), "games": [_entry(each) for each in found]}
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(comparison: ComparedGame) -> dict[str, Any]:
    def by_rulebook(amounts: Sequence[int | None]) -> dict[str, str | None]:
        return dict(zip(comparison.rulebooks, map(_decimal, amounts), strict=True))

    return {
        "game": {**game_entry(comparison.game.to_dict()), "rulebook": None},
        "rulebooks": list(comparison.rulebooks),
        "tables": [
            {
                "basis": table.basis,
                "field": table.field or None,
                "stratum": table.stratum,
                "contestants": table.contestants,
                "places": [{"place": place.name, "masterpoints": by_rulebook(place.awards)} for place in table.places],
                "total": by_rulebook(table.totals),
            }
            for table in comparison.tables
        ],
        "paid": by_rulebook(comparison.paid),
    }
