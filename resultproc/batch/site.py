"""A folder that is a site: a list of all its pages of games by day, and one for each month, made anew by each run.

The lists say what a game is called and when and where it was played, and nothing of who played. They need nothing from
elsewhere, and search engines are told to leave them unless they are asked to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from urllib.parse import quote

from resultproc.batch.ledger import Ledger
from resultproc.batch.places import BlockedError, Folder, folded
from resultproc.formats.common.pages import render

INDEX, MONTHS = "index.html", "months"
"""The list of all pages, and the folder of those of months."""

MARK = b'<meta name="generator" content="resultproc batch --index">'
"""What tells a list of ours from a page of somebody else's that is called the same."""

_HOME, _UNDATED = "Results", "undated"


@dataclass(frozen=True)
class Listed:
    """A game on the list. page: its name in the folder."""

    day: date | None
    title: str
    more: str
    page: str

    @property
    def when(self) -> str:
        """The day of the week and of the month, such as ``Wed 18``."""
        return f"{self.day:%a} {self.day.day}" if self.day else ""

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


def write_site(ledger: Ledger, folder: Folder, ending: str, *, found: bool = False) -> None:
    """Write the lists of all pages of a folder, each whole, that of all last; remove those of months without games.

    ending: how the pages of games end; found: whether search engines may list them. What is as it was is left so.
    Raises BlockedError where a result, or somebody else's page, is called as a list is.
    """
    months = _months(ledger, folder, ending)
    pages = {
        month.page: _page(month.title, [month], up="../", found=found, around=(later, earlier))
        for later, month, earlier in zip([None, *months[:-1]], months, [*months[1:], None], strict=True)
    }
    pages[INDEX] = _page(_HOME, months, up="", found=found)
    _refuse_others(ledger, folder, pages)
    for path in sorted(folder.root.glob(f"{MONTHS}/*.html")):
        name = f"{MONTHS}/{path.name}"
        sha256 = folder.sha256(name)
        if name not in pages and sha256 and MARK in path.read_bytes():
            folder.remove(name, sha256)
    for name, data in pages.items():
        if not _is_there(folder, name, data):
            folder.put(name, data)


def _is_there(folder: Folder, name: str, data: bytes) -> bool:
    return folder.sha256(name) is not None and (folder.root / name).read_bytes() == data


def _refuse_others(ledger: Ledger, folder: Folder, names: dict[str, bytes]) -> None:
    results = {folded(name): entry.path for entry in ledger.entries.values() for name in entry.files}
    for name in names:
        owner = results.get(folded(name))
        if owner:
            hint = "call that file otherwise, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: it has the results of {owner}", hint=hint)
        if folder.sha256(name) is not None and MARK not in (folder.root / name).read_bytes():
            hint = "remove it, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: another page is called so", hint=hint)
    folder.refuse_blocked(names)


def _months(ledger: Ledger, folder: Folder, ending: str) -> list[Month]:
    """Return the months with their games, the newest first, and in the end the games without a date."""
    games = sorted(_listed(ledger, folder, ending), key=lambda each: (each.title.casefold(), each.page))
    games.sort(key=lambda each: each.day or date.min, reverse=True)
    grouped = groupby(games, key=lambda each: f"{each.day:%Y-%m}" if each.day else _UNDATED)
    return [Month(key, list(each)) for key, each in grouped]


def _listed(ledger: Ledger, folder: Folder, ending: str) -> Iterator[Listed]:
    for entry in ledger.entries.values():
        page = entry.place + ending
        if entry.outcome is None or page not in entry.outcome.files or not folder.has(page):
            continue
        for game in entry.outcome.played:
            said = [game[name] for name in ("session", "club") if game.get(name)]
            when = date.fromisoformat(game["date"]) if game["date"] else None
            yield Listed(when, game["event"] or game["game"], " · ".join(said), page)


def _page(
    heading: str,
    months: Sequence[Month],
    *,
    up: str,
    found: bool,
    around: tuple[Month | None, Month | None] = (None, None),
) -> bytes:
    """Return a list of months. around: of the list of one, the month after and the one before."""
    return render(
        "batch/site.html",
        script="batch/site.js",
        title=f"{heading}: {_HOME}" if up else heading,
        heading=heading,
        home=_HOME,
        months=months,
        count=sum(len(month.games) for month in months),
        up=up,
        found=found,
        later=around[0],
        earlier=around[1],
        mark=MARK.decode(),
        index=INDEX,
        provenance=None,
    )
