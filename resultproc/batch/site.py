"""A folder that is a site: lists of all its pages of games, by day and by month, and links between all of them.

The lists say what a game is called and when and where it was played. Who played is said by the pages of games alone,
and by those of players where they are asked for, see :mod:`resultproc.batch.site_players`. No page needs anything from
elsewhere, and search engines are told to leave them all unless they are asked to come.

A page of a game gets its links when all games of a run are known, and the ledger then has its new SHA-256.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from resultproc.batch.inputs import LEDGER
from resultproc.batch.ledger import Ledger, LedgerEntry
from resultproc.batch.places import BlockedError, Folder, folded_name
from resultproc.batch.site_players import PLAYERS, Played, Player, players_of
from resultproc.formats.common.pages import is_linked, linked, markup, render
from resultproc.model.errors import InputError

INDEX, MONTHS = "index.html", "months"
"""The list of all pages, and the folder of those of months."""

MARK = b'<meta name="generator" content="resultproc batch --index">'
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
    """A game on the list. page: its name in the folder. seated: who played, where there are pages of players."""

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


def write_site(ledger: Ledger, folder: Folder, ending: str, index: Index, hidden: Collection[str] = ()) -> None:
    """Link the pages of a folder, and write the lists of them, each whole, that of all last; remove outdated lists.

    ending: how the pages of games end. hidden: the keys of inputs whose pages are neither listed nor linked.
    What is as it was is left so: a game more changes the pages before and after it.
    Raises BlockedError, before anything is written, where a result, or somebody else's page, is called as a list is.
    """
    months = _months(ledger, folder, ending, hidden)
    results = {folded_name(name): entry.path for entry in ledger.entries.values() for name in entry.files}
    played = [Played(game.day, game.title, game.page, game.seated) for month in months for game in month.games]
    left_out = {text for entry in ledger.entries.values() if entry.outcome for text in entry.outcome.left_out}
    players = players_of(played, left_out, results.keys()) if index.players else []
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


def remove_site(ledger: Ledger, folder: Folder, ending: str) -> None:
    """Remove the lists of a folder that is no longer a site, that of all last, and the links from its pages."""
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
    folder = Folder(output.resolve())
    if not (folder.root / LEDGER).is_file() or INDEX not in _own_lists(folder):
        raise InputError("this folder is no site: it has no list of its pages", file=str(output), code="input.absent")
    with Ledger(folder.root) as ledger:
        return files_for_the_public(ledger, folder)


def files_for_the_public(ledger: Ledger, folder: Folder) -> list[str]:
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


def _link(ledger: Ledger, folder: Folder, ending: str, months: Sequence[Month], index: Index) -> None:
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
    ledger: Ledger, folder: Folder, entry: LedgerEntry, page: str, links: bytes = b"", head: bytes = b""
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


def _own_lists(folder: Folder) -> list[str]:
    """Return the names of the lists and pages of players that runs have written, that of all games last."""
    below = [path for name in (PLAYERS, MONTHS) for path in sorted((folder.root / name).glob("*.html"))]
    names = [path.relative_to(folder.root).as_posix() for path in (*below, folder.root / INDEX)]
    return [name for name in names if folder.sha256(name) and MARK in (folder.root / name).read_bytes()]


def _remove_lists(folder: Folder, keep: Sequence[str] | dict[str, bytes]) -> None:
    for name in _own_lists(folder):
        if name not in keep:
            folder.remove(name, folder.sha256(name) or "")


def _is_there(folder: Folder, name: str, data: bytes) -> bool:
    return folder.sha256(name) is not None and (folder.root / name).read_bytes() == data


def _refuse_others(results: dict[str, str], folder: Folder, names: dict[str, bytes]) -> None:
    for name in names:
        owner = results.get(folded_name(name))
        if owner:
            hint = "call that file otherwise, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: it has the results of {owner}", hint=hint)
        if folder.sha256(name) is not None and MARK not in (folder.root / name).read_bytes():
            hint = "remove it, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: another page is called so", hint=hint)
    folder.refuse_blocked(names)


def _months(ledger: Ledger, folder: Folder, ending: str, hidden: Collection[str]) -> list[Month]:
    """Return the months with their games, the newest first, and in the end the games without a date."""
    games = sorted(_listed(ledger, folder, ending, hidden), key=lambda each: (each.title.casefold(), each.page))
    games.sort(key=lambda each: each.day or date.min, reverse=True)
    return [Month(key, list(each)) for key, each in groupby(games, key=lambda each: each.month)]


def _listed(ledger: Ledger, folder: Folder, ending: str, hidden: Collection[str]) -> Iterator[Listed]:
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
    players: Sequence[Player] = (),
) -> bytes:
    """Return a list of months, and of players. around: of the list of one month, the one after and the one before."""
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


def _player(player: Player, index: Index) -> bytes:
    table = player.table()
    return _rendered(
        "batch/player.html",
        index,
        rooms={table.room},
        title=f"{player.name}: {_HOME}",
        player=player,
        table=table,
        up="../",
    )


def _rendered(template: str, index: Index, **values: Any) -> bytes:
    head = MARK.decode() + "\n" + ("" if index.found else _UNASKED)
    return render(template, above=head, home=_HOME, index=INDEX, provenance=None, **values)
