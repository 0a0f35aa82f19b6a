"""Games under several rulebooks, side by side, as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from resultproc.formats.json.writer import game_entry
from resultproc.formats.registry import escape_formula
from resultproc.model.values import cell_text, decimal_text
from resultproc.reports.compare.compare import Comparison, Table


def heading(table: Table) -> str:
    """Return what a table is of, without its stratum: ``Overall``, ``Session 1, section A N-S``."""
    named = table.field if table.basis == "section" else ", ".join(filter(None, [table.basis, table.field]))
    return named[0].upper() + named[1:]


def text(found: Sequence[Comparison]) -> bytes:
    """Return the tables that differ, with a column for each rulebook, and the names of those that do not."""
    return ("\n\n".join("\n".join(_lines(each)) for each in found) + "\n").encode()


def _lines(comparison: Comparison) -> Iterator[str]:
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
    same: dict[str, list[str]] = {}
    for table in comparison.tables:
        if not table.differs:
            same.setdefault(heading(table), []).append(table.stratum)
    if same:
        yield ""
        yield "The same under each:"
    for name, strata in same.items():
        yield f"  {name}, {'stratum' if len(strata) == 1 else 'strata'} {', '.join(strata)}"


def _line(name: str, cells: Any, widths: Sequence[int]) -> str:
    return "  ".join([name.rjust(7), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))]).rstrip()


def _amount(hundredths: int | None) -> str:
    """Return an award as sheets print it: nothing for none, a dash where nobody is ranked."""
    return "-" if hundredths is None else decimal_text(hundredths) if hundredths else ""


def to_csv(found: Sequence[Comparison]) -> bytes:
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


def to_json(found: Sequence[Comparison]) -> bytes:
    """Return every table as JSON: awards are decimal strings by rulebook, null where nobody is ranked."""
    content = {"games": [_entry(each) for each in found]}
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(comparison: Comparison) -> dict[str, Any]:
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


WRITERS: dict[str, Callable[[Sequence[Comparison]], bytes]] = {"text": text, "csv": to_csv, "json": to_json}
"""The formats of comparisons by name."""
