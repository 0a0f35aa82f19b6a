"""What came of checking files, as text, CSV, JSON and a page.

The CSV has the differences alone. What could not be checked is in the JSON and the page; the command line tells it
on standard error as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from resultproc.formats.common.pages import PageColumn, PageRow, PageTable, tables_page
from resultproc.formats.registry import escape_formula
from resultproc.model.errors import InputError, quoted
from resultproc.reports.check.check import COUNTS, Check
from resultproc.reports.writers import Writers

_NOTHING = "there are no printed ranks, awards or results to check"
_UNCHECKED = "what it prints could not be checked"

WRITERS: Writers[[Check]] = Writers()
"""The formats of a check by name."""


@WRITERS("text")
def text(check: Check) -> bytes:
    """Return a line or two for each difference, then one for each file that says how much of it agrees."""
    lines = []
    for row in _differences(check):
        place = f"{row['source']}: {row['game_id']} {row['contestant']}".rstrip()
        lines.append(f"{place}: {row['what']} printed {row['printed'] or 'none'},")
        lines.append(f"    computed {row['computed'] or 'none'}: {row['why']}")
    wrong = {problem.file for problem in check.problems}
    for file in check.files.to_dict("records"):
        lines.append(f"{file['source']}: {_share(file) or (_UNCHECKED if file['source'] in wrong else _NOTHING)}")
    return "".join(f"{line}\n" for line in lines).encode()


def _share(file: Mapping[Any, Any]) -> str:
    """Return how much of a file agrees: ``56 of 56 ranks and awards agree``; '' where nothing was compared."""
    parts = [f"{file[f'{name}_agree']} of {file[name]} {name.replace('_', ' ')}" for name in COUNTS if file[name]]
    return ", ".join(parts) + " agree" if parts else ""


def _differences(check: Check) -> list[dict[Any, Any]]:
    """Return the differences, each contestant in one text, such as A-NS-6."""
    rows = check.differences.fillna("").to_dict("records")
    for row in rows:
        seat = (row["section"], row["direction"].replace("-", ""), row["number"])
        row["contestant"] = "-".join(filter(None, seat))
    return rows


@WRITERS("csv")
def to_csv(check: Check) -> bytes:
    """Return the differences, a row for each."""
    cells = check.differences.astype("str").map(escape_formula, na_action="ignore")
    return cells.to_csv(index=False, lineterminator="\n").encode()


@WRITERS("json")
def to_json(check: Check) -> bytes:
    """Return the differences, the counts of each file, and what is wrong with files."""
    found = check.differences.astype("object")
    content = {
        "provenance": check.provenance.entry(),
        "differences": found.where(found.notna(), None).to_dict("records"),
        "files": check.files.to_dict("records"),
        "problems": InputError(check.problems).as_dicts(),
        "remarks": InputError(quoted(check.remarks)).as_dicts(),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


@WRITERS("html")
def html(check: Check, *, fragment: bool = False) -> bytes:
    """Return one page that needs nothing else: what could not be checked, what agrees of each file, the differences."""
    count = len(check.differences)
    found = f"{count or 'no'} difference{'s' if count != 1 else ''}"
    tables = [_agreement(check), _table(check)]
    return tables_page(
        f"Checked: {found}",
        [table for table in tables if table.rows],
        fragment=fragment,
        problems=check.problems,
        said=() if count else ("There are no differences.",),
        remarks=quoted(check.remarks),
        provenance=check.provenance,
    )


def _agreement(check: Check) -> PageTable:
    """Return how much of each file agrees; what it does not print is empty."""
    heads = [name.replace("_", " ").capitalize() for name in COUNTS]
    rows = []
    for file in check.files.to_dict("records"):
        counts = [(file[f"{name}_agree"], file[name]) for name in COUNTS]
        shares = [f"{agree} of {printed}" if printed else "" for agree, printed in counts]
        rows.append(PageRow([file["source"], *shares], "differs" if any(map(_differs, counts)) else ""))
    columns = [PageColumn("File", "n"), *(PageColumn(head, label=head) for head in heads)]
    return PageTable("files", "What agrees, of what each file prints", columns, rows)


def _differs(count: tuple[int, int]) -> bool:
    agree, printed = count
    return agree < printed


def _table(check: Check) -> PageTable:
    columns = [
        PageColumn("Contestant", "n"),
        *(PageColumn(head, "w l", head) for head in ("File", "Game", "What")),
        *(PageColumn(head, "", head) for head in ("Printed", "Computed")),
        PageColumn("Why", "l"),
    ]
    rows = [
        PageRow(
            [
                *(row[name] for name in ("contestant", "source", "game_id", "what")),
                *(row[name] or "none" for name in ("printed", "computed")),
                row["why"],
            ]
        )
        for row in _differences(check)
    ]
    return PageTable("differences", "Differences", columns, rows)
