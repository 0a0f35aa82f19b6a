"""The pages for whoever looks after an output folder: what is to be mended, and what came of the files.

The first is there where files are watched and as long as there is something to do, the other where pages are written
that are not a site's. No run removes somebody else's page of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from resultproc.batch.naming import FROM_FOLDER, OPEN_PORT, REPORT_PAGE, TO_DO
from resultproc.model.codes import NOT_FINAL, UNKNOWN
from resultproc.model.errors import BlockedError
from resultproc.model.files import OutputFolder
from resultproc.model.language import as_it_is
from resultproc.model.text import counted
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.reports.lint import DOUBT_COLUMNS
from resultproc.stages.doubts import LIKELY_MISTAKES

_MARKS = {
    TO_DO: b'<meta name="generator" content="resultproc batch --watch">\n',
    REPORT_PAGE: b'<meta name="generator" content="resultproc batch">\n',
}
"""What tells the pages from those of somebody else's."""

_COLUMNS = (
    *DOUBT_COLUMNS[:2],
    PageColumn("What is wrong", "l"),
    PageColumn("What to write", "l", "What to write: "),
)


def write_page(folder: OutputFolder, name: str, page: bytes) -> None:
    """Write one of the pages, or remove it where it is empty; nothing is written that is there.

    name: what it is called in the folder. Raises BlockedError where somebody else's page is there.
    """
    page = page.replace(b"</head>", _MARKS[name] + b"</head>", 1)
    there = (folder.root / name).read_bytes() if folder.sha256(name) else b""
    if there and _MARKS[name] not in there:
        if not page:
            return
        what = f"{folder.root / name} is no page of this program's, and is not written over"
        raise BlockedError(what, hint="give it another name")
    if page and page != there:
        folder.put(name, page)
    elif there and not page:
        folder.remove(name, str(folder.sha256(name)))


def to_do_page(entries: Iterable[Mapping[str, Any]], doubtful: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """Return the page of what is wrong with files, each problem once, and of likely mistakes; empty where nothing is.

    There is nothing to mend about a game that is not over.

    entries: the files with what is wrong with them.
    doubtful: those that were awarded, with the remarks on them.
    """
    wrong = [entry for entry in entries if any(each["code"] != NOT_FINAL for each in entry["problems"])]
    others = [PurePath(entry["file"]).name for entry in wrong if all(map(_is_no_game, entry["problems"]))]
    rows = list(dict.fromkeys(row for entry in wrong for row in _rows(entry)))
    likely = [
        PageRow([_link_to(entry["file"]), *_cells(entry, each)])
        for entry in doubtful
        for each in entry["remarks"]
        if each["code"] in LIKELY_MISTAKES
    ]
    if not rows and not others and not likely:
        return b""
    files = len({file for file, *_ in rows})
    table = PageTable("mend", "What to mend", _COLUMNS, [PageRow(row) for row in rows], sorts=False)
    doubts = PageTable("doubts", "What is doubtful", DOUBT_COLUMNS, likely, sorts=False)
    waiting = "1 file waits" if files == 1 else f"{files} files wait"
    lead = f"{waiting} for you. Mend what is below, and save the file: the rest happens by itself." if rows else ""
    what = f"{len(others)} file{' is' if len(others) == 1 else 's are'}"
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    listed = f"{', '.join(map(as_it_is, others[:_NAMED]))}{more}"
    hint = "Take out what is no game, and save a game as text, CSV or Excel."
    return Report(
        "To do",
        [each for each in (table, doubts) if each.rows],
        lead=lead,
        said=[f"{what} in no format that can be read: {listed}. {hint}"] if others else [],
        foot=[
            "Each name leads into resultproc open, which has to run on this machine: mend the file there, and put it"
            " back. Or mend it in your own program, and save it.",
            "This page goes away when all is mended and nothing is doubtful.",
        ],
    ).page()


def report_page(report: Mapping[str, Any]) -> bytes:
    """Return what came of the files of a batch: what failed, what is doubtful, what was published and what is left.

    report: as ``report.json`` has it. The page does not tell what was done in this run and what before it.
    """
    inputs = report["inputs"]
    tables = [
        _told("failed", "What failed", _COLUMNS, [*report["failures"], *report["published"]], "problems"),
        _told("doubts", "What is doubtful", DOUBT_COLUMNS, report["remarks"], "remarks"),
        _table_of(
            "sent", "What was published", ("File", "Site", "State"), report["published"], ("file", "site", "state")
        ),
        _table_of(
            "same", "Files with the same content", ("File", "The same as"), report["same_content"], ("file", "same_as")
        ),
        _table_of("left", "Outdated results that are still there", ("File", "Why"), report["left"], ("file", "why")),
    ]
    went = [each for each in inputs if each["state"] in ("done", "done_before")]
    well = [PageRow([_page_of(each), each["games"]]) for each in went]
    tables.append(
        PageTable("well", "What went well", [PageColumn("File", "n"), PageColumn("Games", "", "games")], well)
    )
    failed = len(report["failures"])
    return Report(
        "What came of the files",
        [table for table in tables if table.rows],
        facts=[
            counted(len(inputs), "file"),
            counted(sum(each["games"] for each in inputs if each["state"] != "same_content"), "game"),
            f"{failed or 'none'} failed",
        ],
        foot=["The report of each file, with its results, is in report.json."],
    ).page()


def _page_of(entry: Mapping[str, Any]) -> str:
    """Return the name of a file as a link to the page of its results, of which that of boards is a part."""
    pages = sorted((each["file"] for each in entry["outputs"] if each["file"].endswith(".html")), key=len)
    link = Markup('<a href="{}">{}</a>')
    return link.format(quote(pages[0]), entry["file"]) if pages else str(entry["file"])


def _told(
    name: str, title: str, columns: Sequence[PageColumn], entries: Iterable[Mapping[str, Any]], what: str
) -> PageTable:
    """Return a row for each problem or remark of some files."""
    rows = [PageRow([entry["file"], *_cells(entry, each)]) for entry in entries for each in entry[what]]
    return PageTable(name, title, columns, rows)


def _table_of(
    name: str, title: str, heads: Sequence[str], entries: Iterable[Mapping[str, Any]], keys: Sequence[str]
) -> PageTable:
    """Return a row for each entry of a list of the report."""
    first, *others = heads
    columns = [PageColumn(first, "n"), *(PageColumn(head, "l", f"{head}: ") for head in others)]
    return PageTable(name, title, columns, [PageRow([str(each[key]) for key in keys]) for each in entries])


def _is_no_game(problem: Mapping[str, str]) -> bool:
    return problem.get("code") == UNKNOWN


_NAMED = 10
"""How many files that are no games are named: a scoring program may have hundreds beside them."""


def _rows(entry: Mapping[str, Any]) -> Iterable[tuple[str, str, str, str]]:
    """Yield a row for each problem of a file; one of a file beside it, such as the club's settings, names that."""
    name = PurePath(entry["file"]).name
    for problem in entry["problems"]:
        if _is_no_game(problem):
            continue
        of = PurePath(problem.get("file") or name).name
        link = _link_to(entry["file"])
        yield link if of == name else Markup("{}, for {}").format(of, link), *_cells(entry, problem)


def _cells(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return where a problem or remark of a file is, without the file's name, what it is, and what would be right."""
    where = problem["where"].removeprefix(entry["file"]).removeprefix(": ")
    what, hint = problem["what"], problem["hint"]
    if not hint and (goes_on := _GOES_ON.search(what)):
        what, hint = what[: goes_on.start()], what[goes_on.end() :]
    return where, what, Markup("<br>").join(hint.split("\n"))


def _link_to(file: str) -> Markup:
    """Return the name of a file as a link to the page of ``resultproc open`` that takes it to mend it."""
    address = f"http://127.0.0.1:{OPEN_PORT}{FROM_FOLDER}?file={quote(str(Path(file).resolve()), safe='')}"
    return Markup('<a href="{}">{}</a>').format(address, PurePath(file).name)


_GOES_ON = re.compile("; (?=write |is it )")
"""Where a message goes on to say what would be right."""
