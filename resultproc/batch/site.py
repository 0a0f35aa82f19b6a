"""A folder that is a site: lists of all its pages of games, by day and by month, and links between all of them.

The lists say what a game is called and when and where it was played. Who played is said by the pages of games alone,
and by those of players where they are asked for, see :mod:`resultproc.batch.site_players`. No page needs anything from
elsewhere, and search engines are told to leave them all unless they are asked to come.

A page of a game gets its links when all games of a run are known, and the ledger then has its new SHA-256.

Whoever looks after an output folder has pages, too: what is to be mended, where files are watched and as long as there
is something to do; and what came of the files, where pages are written that are not a site's. No run removes
somebody else's page of the same name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from resultproc.batch.ledger import Ledger, LedgerEntry
from resultproc.batch.naming import REPORT_PAGE, TO_DO
from resultproc.batch.site_players import PLAYERS_FOLDER, Played, PlayerPage, player_pages
from resultproc.formats.found import LEDGER
from resultproc.model.codes import NOT_FINAL, UNKNOWN
from resultproc.model.errors import BlockedError, InputError
from resultproc.model.files import OutputFolder, folded_name
from resultproc.pages.page import PageColumn, PageRow, PageTable, is_linked, linked, markup, render, tables_page
from resultproc.pages.words import counted

TITLE = "To do"
"""The page's title."""

_MARK = b'<meta name="generator" content="resultproc batch --watch">\n'
"""What tells the page from one of somebody else's."""

_MARK_OF_REPORT = b'<meta name="generator" content="resultproc batch">\n'
"""The same of the report."""

_COLUMNS = (
    PageColumn("File", "n"),
    PageColumn("Where", "l", "Where: "),
    PageColumn("What is wrong", "l"),
    PageColumn("What to write", "l", "What to write: "),
)


def write_to_do(folder: OutputFolder, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write the page of what is to be done, or remove it where there is nothing; nothing is written that is there.

    entries: of the report: files, each with its problems. Raises BlockedError where somebody else's page is there.
    """
    _write(folder, TO_DO, _MARK, to_do_page(entries))


def write_report(folder: OutputFolder, report: Mapping[str, Any] | None) -> None:
    """Write the page of what came of the files, or remove it where there is no report; raise like the other."""
    _write(folder, REPORT_PAGE, _MARK_OF_REPORT, report_page(report) if report else b"")


def _write(folder: OutputFolder, name: str, mark: bytes, page: bytes) -> None:
    there = (folder.root / name).read_bytes() if folder.sha256(name) else b""
    if there and mark not in there:
        if not page:
            return
        what = f"{folder.root / name} is no page of this program's, and is not written over"
        raise BlockedError(what, hint="give it another name")
    if page and page != there:
        folder.put(name, page)
    elif there and not page:
        folder.remove(name, str(folder.sha256(name)))


def to_do_page(entries: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the page of what is wrong with files, each problem once; empty where nothing is.

    There is nothing to mend about a game that is not over.
    """
    wrong = [entry for entry in entries if any(each["code"] != NOT_FINAL for each in entry["problems"])]
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


def report_page(report: Mapping[str, Any]) -> bytes:
    """Return what came of the files of a batch: what failed, what is doubtful, what was published and what is left.

    report: as ``report.json`` has it. The page does not tell what was done in this run and what before it.
    """
    inputs = report["inputs"]
    tables = [
        _told("failed", "What failed", _COLUMNS, [*report["failures"], *report["published"]], "problems"),
        _told("doubts", "What is doubtful", _DOUBTS, report["remarks"], "remarks"),
        _table_of(
            "sent", "What was published", ("File", "Site", "State"), report["published"], ("file", "site", "state")
        ),
        _table_of(
            "same", "Files with the same content", ("File", "The same as"), report["same_content"], ("file", "same_as")
        ),
        _table_of("left", "Outdated results that are still there", ("File", "Why"), report["left"], ("file", "why")),
    ]
    failed = len(report["failures"])
    page = tables_page(
        "What came of the files",
        [table for table in tables if table.rows],
        facts=[
            counted(len(inputs), "file"),
            counted(sum(each["games"] for each in inputs if each["state"] != "same_content"), "game"),
            f"{failed or 'none'} failed",
        ],
        foot=["The report of each file, with its results, is in report.json."],
    )
    return page.replace(b"</head>", _MARK_OF_REPORT + b"</head>", 1)


_DOUBTS = (
    *_COLUMNS[:2],
    PageColumn("What is doubtful", "l"),
    PageColumn("What would settle it", "l", "What would settle it: "),
)


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
        yield of if of == name else f"{of}, for {name}", *_cells(entry, problem)


def _cells(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return where a problem or remark of a file is, without the file's name, what it is, and what would be right."""
    where = problem["where"].removeprefix(PurePath(entry["file"]).name).removeprefix(": ")
    what, hint = problem["what"], problem["hint"]
    if not hint and _WRITE in what:
        what, _, hint = what.partition(_WRITE)
        hint = f"write {hint}"
    return where, what, hint


_WRITE = "; write "
"""Where a message goes on to say what would be right."""


INDEX, MONTHS = "index.html", "months"
"""The list of all pages, and the folder of those of months."""

_OUR_MARK = b'<meta name="generator" content="resultproc batch --index">'
"""What tells a list of ours from a page of somebody else's that is called the same."""

_HOME, _UNDATED = "Results", "undated"

_UNASKED = '<meta name="robots" content="noindex, nofollow">\n'
"""What tells search engines to leave a page."""


@dataclass(frozen=True)
class Index:
    """The lists that are asked for. found: whether search engines may have the pages. players: a page for each, too."""

    found: bool = False
    players: bool = False


@dataclass(frozen=True)
class Listed:
    """A game on the list.

    day: its date, None where that is not known.
    title: the event's name, else the game's.
    more: its session and its club, as far as they are known.
    page: its name in the folder.
    seated: who played, see :func:`~resultproc.batch.site_players.who_sat`; empty where there are no pages of players.
    """

    day: date | None
    title: str
    more: str
    page: str
    seated: Sequence[dict[str, Any]] = field(default=(), repr=False)

    @property
    def month(self) -> str:
        """What its month is called in names of files."""
        return f"{self.day:%Y-%m}" if self.day else _UNDATED

    @property
    def when(self) -> str:
        """The day of the week and of the month, such as ``Wed 18``."""
        return f"{self.day:%a} {self.day.day}" if self.day else ""

    @property
    def label(self) -> str:
        """What a link from another game calls it: ``Wed, Nov 18``; its title where it has no date."""
        return f"{self.day:%a, %b} {self.day.day}" if self.day else self.title

    @property
    def whole(self) -> str:
        """The whole day in words and figures, for those who search by it."""
        return f"{self.day:%B} {self.day.day}, {self.day.year} {self.day}" if self.day else ""

    def href(self, up: str) -> str:
        """Return the link to its page; up: how to get from the list's folder to the first."""
        return up + quote(self.page)


@dataclass(frozen=True)
class Month:
    """The games of a month, the newest first. key: ``2026-11``."""

    key: str
    games: Sequence[Listed]

    @property
    def title(self) -> str:
        """The month in words."""
        first = self.games[0].day
        return f"{first:%B} {first.year}" if first else "Without a date"

    @property
    def page(self) -> str:
        """The name of its list in the folder."""
        return f"{MONTHS}/{self.key}.html"


def write_site(ledger: Ledger, folder: OutputFolder, ending: str, index: Index, hidden: Collection[str] = ()) -> None:
    """Link the pages of a folder, and write the lists of them, each whole, that of all last; remove outdated lists.

    What is as it was is left so: a game more changes the pages before and after it.

    ending: how the pages of games end.
    index: which lists there are.
    hidden: the keys of inputs whose pages are neither listed nor linked.
    Raises BlockedError, before anything is written, where a result, or somebody else's page, is called as a list is.
    """
    months = _months(ledger, folder, ending, hidden)
    results = {folded_name(name): entry.path for entry in ledger.entries.values() for name in entry.files}
    played = [Played(game.day, game.title, game.page, game.seated) for month in months for game in month.games]
    left_out = {text for entry in ledger.entries.values() if entry.outcome for text in entry.outcome.left_out}
    players = player_pages(played, left_out, results.keys()) if index.players else []
    pages = {player.page: _player(player, index) for player in players}
    pages |= {
        month.page: _page(month.title, [month], index, up="../", around=(later, earlier))
        for later, month, earlier in _neighbours(months)
    }
    pages[INDEX] = _page(_HOME, months, index, players=players)
    _refuse_others(results, folder, pages)
    _link(ledger, folder, ending, months, index)
    for key in hidden:
        entry = ledger.entries[key]
        _rewrite(ledger, folder, entry, entry.place + ending)
    _remove_lists(folder, keep=pages)
    for name, data in pages.items():
        if not _is_there(folder, name, data):
            folder.put(name, data)


def remove_site(ledger: Ledger, folder: OutputFolder, ending: str) -> None:
    """Remove the lists of a folder that is no longer a site, that of all last, and the links from its pages.

    ending: how the pages of games end.
    """
    if not _own_lists(folder):
        return
    for entry in ledger.entries.values():
        _rewrite(ledger, folder, entry, entry.place + ending)
    _remove_lists(folder, keep=())


def for_the_public(output: Path) -> list[str]:
    """Return the names of the files of a folder that is a site which are for the public, in the order to send them.

    These are the pages that a run has written, as it has written them: first those of games, the list of all last.
    Everything else in the folder (the ledger, the report, files that failed, results in other formats) may tell what is
    for the club alone. Raises InputError for a folder that is no site, OutputError where a run is at work in it.
    """
    folder = OutputFolder(output.resolve())
    if not (folder.root / LEDGER).is_file() or INDEX not in _own_lists(folder):
        raise InputError("this folder is no site: it has no list of its pages", file=str(output), code="input.absent")
    with Ledger(folder.root) as ledger:
        return files_for_the_public(ledger, folder)


def files_for_the_public(ledger: Ledger, folder: OutputFolder) -> list[str]:
    """Return the names of a folder's files that are for the public; see :func:`for_the_public`."""
    done = [entry.outcome for entry in ledger.entries.values() if entry.outcome and not entry.outcome.problems]
    written = {name: known for outcome in done for name, known in outcome.files.items()}
    pages = [
        name
        for name, known in sorted(written.items())
        if folder.sha256(name) == known and is_linked((folder.root / name).read_bytes())
    ]
    return [*pages, *_own_lists(folder)]


def _neighbours(each: Sequence[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each with what is before it in the list, which is later in time, and what is after it."""
    return zip([None, *each][:-1], each, [*each, None][1:], strict=True)


def _link(ledger: Ledger, folder: OutputFolder, ending: str, months: Sequence[Month], index: Index) -> None:
    """Let the pages of games lead to the lists and to each other."""
    entries = {entry.place + ending: entry for entry in ledger.entries.values()}
    of_month = {month.key: month for month in months}
    first: dict[str, Listed] = {}
    for month in months:
        for game in month.games:
            first.setdefault(game.page, game)
    head = b"" if index.found else _UNASKED.encode()
    for later, game, earlier in _neighbours(list(first.values())):
        links = markup(
            "batch/links.html",
            up="../" * game.page.count("/"),
            index=INDEX,
            home=_HOME,
            month=of_month[game.month],
            later=later,
            earlier=earlier,
        )
        _rewrite(ledger, folder, entries[game.page], game.page, str(links).strip().encode() + b"\n", head)


def _rewrite(
    ledger: Ledger, folder: OutputFolder, entry: LedgerEntry, page: str, links: bytes = b"", head: bytes = b""
) -> None:
    """Write the page of an input with these links, if it has others, and tell the ledger; leave what was changed."""
    known = entry.outcome.files.get(page) if entry.outcome else None
    if entry.outcome is None or known is None or folder.sha256(page) != known:
        return
    data = (folder.root / page).read_bytes()
    made = linked(data, links, head)
    if made != data:
        entry.files[page] = folder.put(page, made)
        entry.outcome = replace(entry.outcome, files={**entry.outcome.files, page: sha256(made).hexdigest()})
        ledger.save([entry.path])


def _own_lists(folder: OutputFolder) -> list[str]:
    """Return the names of the lists and pages of players that runs have written, that of all games last."""
    below = [path for name in (PLAYERS_FOLDER, MONTHS) for path in sorted((folder.root / name).glob("*.html"))]
    names = [path.relative_to(folder.root).as_posix() for path in (*below, folder.root / INDEX)]
    return [name for name in names if folder.sha256(name) and _OUR_MARK in (folder.root / name).read_bytes()]


def _remove_lists(folder: OutputFolder, keep: Sequence[str] | dict[str, bytes]) -> None:
    for name in _own_lists(folder):
        if name not in keep:
            folder.remove(name, folder.sha256(name) or "")


def _is_there(folder: OutputFolder, name: str, data: bytes) -> bool:
    return folder.sha256(name) is not None and (folder.root / name).read_bytes() == data


def _refuse_others(results: dict[str, str], folder: OutputFolder, names: dict[str, bytes]) -> None:
    for name in names:
        owner = results.get(folded_name(name))
        if owner:
            hint = "call that file otherwise, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: it has the results of {owner}", hint=hint)
        if folder.sha256(name) is not None and _OUR_MARK not in (folder.root / name).read_bytes():
            hint = "remove it, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: another page is called so", hint=hint)
    folder.refuse_blocked(names)


def _months(ledger: Ledger, folder: OutputFolder, ending: str, hidden: Collection[str]) -> list[Month]:
    """Return the months with their games, the newest first, and in the end the games without a date."""
    games = sorted(_listed(ledger, folder, ending, hidden), key=lambda each: (each.title.casefold(), each.page))
    games.sort(key=lambda each: each.day or date.min, reverse=True)
    return [Month(key, list(each)) for key, each in groupby(games, key=lambda each: each.month)]


def _listed(ledger: Ledger, folder: OutputFolder, ending: str, hidden: Collection[str]) -> Iterator[Listed]:
    for key, entry in ledger.entries.items():
        page = entry.place + ending
        if key in hidden or entry.outcome is None or page not in entry.outcome.files or not folder.has(page):
            continue
        for number, game in enumerate(entry.outcome.played):
            said = [game[name] for name in ("session", "club") if game.get(name)]
            when = date.fromisoformat(game["date"]) if game["date"] else None
            seated = [row for row in entry.outcome.seated if row["game"] == number]
            yield Listed(when, game["event"] or game["game"], " · ".join(said), page, seated)


def _page(
    heading: str,
    months: Sequence[Month],
    index: Index,
    *,
    up: str = "",
    around: tuple[Month | None, Month | None] = (None, None),
    players: Sequence[PlayerPage] = (),
) -> bytes:
    """Return a list of months, and of players. around: for the list of one month, those after and before it."""
    return _rendered(
        "batch/site.html",
        index,
        script="batch/site.js",
        title=f"{heading}: {_HOME}" if up else heading,
        heading=heading,
        months=months,
        count=sum(len(month.games) for month in months),
        up=up,
        later=around[0],
        earlier=around[1],
        players=players,
    )


def _player(player: PlayerPage, index: Index) -> bytes:
    table = player.table()
    return _rendered(
        "batch/player.html",
        index,
        title=f"{player.name}: {_HOME}",
        player=player,
        table=table,
        up="../",
    )


def _rendered(template: str, index: Index, **values: Any) -> bytes:
    head = _OUR_MARK.decode() + "\n" + ("" if index.found else _UNASKED)
    return render(template, above=head, home=_HOME, index=INDEX, provenance=None, **values)
