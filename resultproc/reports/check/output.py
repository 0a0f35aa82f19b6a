"""What came of checking files, as text, CSV, JSON and a page.

The CSV has the differences alone. What could not be checked is in the JSON and the page; the command line tells it
on standard error as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from resultproc.formats.common.pages import template
from resultproc.formats.registry import escape_formula
from resultproc.model.errors import InputError, quoted
from resultproc.reports.check.check import COUNTS, Check

_NOTHING = "there are no printed ranks, awards or results to check"


def text(check: Check) -> bytes:
    """Return a line or two for each difference, then one for each file that says how much of it agrees."""
    lines = []
    for row in _differences(check):
        place = f"{row['source']}: {row['game_id']} {row['contestant']}".rstrip()
        lines.append(f"{place}: {row['what']} printed {row['printed'] or 'none'},")
        lines.append(f"    computed {row['computed'] or 'none'}: {row['why']}")
    for file in check.files.to_dict("records"):
        lines.append(f"{file['source']}: {_share(file)}")
    return "".join(f"{line}\n" for line in lines).encode()


def _share(file: Mapping[Any, Any]) -> str:
    """Return how much of a file agrees: ``56 of 56 ranks and awards agree``."""
    parts = [f"{file[f'{name}_agree']} of {file[name]} {name.replace('_', ' ')}" for name in COUNTS if file[name]]
    return ", ".join(parts) + " agree" if parts else _NOTHING


def _differences(check: Check) -> list[dict[Any, Any]]:
    """Return the differences, each contestant in one text, such as A-NS-6."""
    rows = check.differences.fillna("").to_dict("records")
    for row in rows:
        seat = (row["section"], row["direction"].replace("-", ""), row["number"])
        row["contestant"] = "-".join(filter(None, seat))
    return rows


def to_csv(check: Check) -> bytes:
    """Return the differences, a row for each."""
    cells = check.differences.astype("str").map(escape_formula, na_action="ignore")
    return cells.to_csv(index=False, lineterminator="\n").encode()


def to_json(check: Check) -> bytes:
    """Return the differences, the counts of each file, and what is wrong with files."""
    found = check.differences.astype("object")
    content = {
        "differences": found.where(found.notna(), None).to_dict("records"),
        "files": check.files.to_dict("records"),
        "problems": InputError(check.problems).as_dicts(),
        "remarks": InputError(quoted(check.remarks)).as_dicts(),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def html(check: Check) -> bytes:
    """Return one page that needs nothing else: what could not be checked, what agrees of each file, the differences."""
    files = [
        {"source": file["source"], "shares": [(file[f"{name}_agree"], file[name]) for name in COUNTS]}
        for file in check.files.to_dict("records")
    ]
    count = len(check.differences)
    page: str = template("reports/check/check.html").render(
        title=f"Checked: {count or 'no'} difference{'s' if count != 1 else ''}",
        problems=check.problems,
        remarks=quoted(check.remarks),
        files=files,
        differences=_differences(check),
    )
    return page.encode("utf-8", "replace")


WRITERS: dict[str, Callable[[Check], bytes]] = {"text": text, "csv": to_csv, "json": to_json, "html": html}
"""The formats of a check by name."""
