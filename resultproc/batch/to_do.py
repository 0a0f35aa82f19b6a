"""The page of an output folder that is watched: what is missing or wrong, where, and what to write there.

It is there as long as there is something to do. No run takes away a page of somebody else's that is called the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from resultproc.batch.places import TO_DO, BlockedError, Folder
from resultproc.formats.common.pages import PageColumn, PageRow, PageTable, tables_page
from resultproc.model.codes import UNKNOWN

TITLE = "To do"
"""The page's title."""

_MARK = b'<meta name="generator" content="resultproc batch --watch">\n'
"""What tells the page from one of somebody else's."""

_COLUMNS = (
    PageColumn("File", "n"),
    PageColumn("Where", "l", "Where: "),
    PageColumn("What is wrong", "l"),
    PageColumn("What to write", "l", "What to write: "),
)


def write_to_do(folder: Folder, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write the page of what is to be done, or remove it where there is nothing; nothing is written that is there.

    entries: of the report: files, each with its problems. Raises BlockedError where somebody else's page is there.
    """
    there = (folder.root / TO_DO).read_bytes() if folder.sha256(TO_DO) else b""
    page = to_do_page(entries)
    if there and _MARK not in there:
        if not page:
            return
        what = f"{folder.root / TO_DO} is no page of this program's, and is not written over"
        raise BlockedError(what, hint="give it another name")
    if page and page != there:
        folder.put(TO_DO, page)
    elif there and not page:
        folder.remove(TO_DO, str(folder.sha256(TO_DO)))


def to_do_page(entries: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the page of what is wrong with files, each problem once; empty where nothing is."""
    wrong = [entry for entry in entries if entry["problems"]]
    others = [PurePath(entry["file"]).name for entry in wrong if all(map(_is_no_game, entry["problems"]))]
    rows = list(dict.fromkeys(row for entry in wrong for row in _rows(entry)))
    if not rows and not others:
        return b""
    files = len({file for file, *_ in rows})
    table = PageTable("mend", "What to mend", _COLUMNS, [PageRow(row) for row in rows], sorts=False)
    waiting = "1 file waits" if files == 1 else f"{files} files wait"
    lead = f"{waiting} for you. Mend what is below, and save the file: the rest happens by itself." if rows else ""
    page = tables_page(
        TITLE,
        [table] if rows else [],
        lead=lead,
        said=[_left_out(others)] if others else [],
        foot=["This page goes away when all is mended."],
    )
    return page.replace(b"</head>", _MARK + b"</head>", 1)


def _is_no_game(problem: Mapping[str, str]) -> bool:
    return problem.get("code") == UNKNOWN


_NAMED = 10
"""So many files that are no games are named: a scoring program may have hundreds beside them."""


def _left_out(files: list[str]) -> str:
    """Return what is said of files that are of no format that can be read."""
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    number = f"{len(files)} file{' is' if len(files) == 1 else 's are'}"
    named = f"{', '.join(files[:_NAMED])}{more}"
    hint = "Take out what is no game, and save a game as text, CSV or Excel."
    return f"{number} in no format that can be read: {named}. {hint}"


def _rows(entry: Mapping[str, Any]) -> Iterable[tuple[str, str, str, str]]:
    """Yield a row for each problem of a file; one of a file beside it, such as the club's settings, names that."""
    name = PurePath(entry["file"]).name
    for problem in entry["problems"]:
        if _is_no_game(problem):
            continue
        of = problem.get("file") or name
        where = problem["where"].removeprefix(name).removeprefix(": ")
        what, hint = problem["what"], problem["hint"]
        if not hint and _WRITE in what:
            what, _, hint = what.partition(_WRITE)
            hint = f"write {hint}"
        yield of if of == name else f"{of}, for {name}", where, what, hint


_WRITE = "; write "
"""Where a message goes on to say what would be right."""
