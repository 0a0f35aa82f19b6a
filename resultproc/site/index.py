"""A folder that is a site: lists of all its pages of games, by day and by month, and links between all of them.

The lists say what a game is called, when and where it was played, and how many came. Who played is said by the pages of
games alone; where pages of players are asked for, see :mod:`resultproc.site.player_pages`, by those, and the lists name
the winners, as far as they have such a page. No page needs anything from
elsewhere, and search engines are told to leave them all unless they are asked to come.

A page of a game gets its links when all games of a run are known, and whoever wrote it is told what it is then.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from hashlib import sha256
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from resultproc.formats.declared import PICTURES
from resultproc.formats.html.parted import UNASKED, boards_folder
from resultproc.model.errors import BlockedError
from resultproc.model.files import OutputFolder, folded_name
from resultproc.model.language import in_words
from resultproc.pages.page import is_linked, linked, markup, render
from resultproc.site.player_pages import (
    PLAYERS_FOLDER,
    GameSaid,
    Named,
    PeopleOfGame,
    Played,
    PlayerPage,
    player_pages,
    winners,
)

INDEX, MONTHS, WEEKDAYS = "index.html", "months", "weekdays"
"""The list of all pages, and the folders of those of months and of days of the week."""

LISTS = (INDEX, MONTHS, WEEKDAYS, PLAYERS_FOLDER)
"""Where lists and pages of players are."""

_OUR_MARK = b'<meta name="generator" content="resultproc batch --index">'
"""What tells a list of ours from a page of somebody else's that is called the same."""

_HOME, _UNDATED = "Results", "undated"


@dataclass(frozen=True)
class Index:
    """The lists that are asked for. found: whether search engines may have the pages. players: a page for each, too."""

    found: bool = False
    players: bool = False


class Listed(Played):
    """A game on the list."""

    def said(self, club: str) -> str:
        """Return what a list says of it besides its title. club: what the list says once of all its games."""
        told = self.told
        players = f"{told.people} players" if told.people else ""
        return " · ".join(filter(None, [told.kind, told.session, told.club if told.club != club else "", players]))

    @cached_property
    def month(self) -> str:
        """What its month is called in names of files."""
        return self.told.date[:7] or _UNDATED

    @property
    def day_of_month(self) -> str:
        """The day of the week and of the month, such as ``Wed 18``."""
        return f"{self.day:%a} {self.day.day}" if self.day else ""

    @property
    def label(self) -> str:
        """What a link from another game calls it: ``Wed 18 Nov``, in the language; its title where it has no date."""
        return in_words(f"{self.day:%a} {self.day.day} {self.day:%b}") if self.day else self.title

    @property
    def whole(self) -> str:
        """The whole day in words and figures, for those who search by it: before the stroke as a hit shows it."""
        if not self.day:
            return ""
        month, year = f"{self.day:%B}", self.day.year
        return f"{in_words(f'{self.day.day} {month} {year}')} | {month} {self.day.day}, {year} {self.day}"

    def href(self, up: str) -> str:
        """Return the link to its page; up: how to get from the list's folder to the first."""
        return up + quote(self.page) + (f"#{self.part}" if self.part else "")


@dataclass(frozen=True)
class Month:
    """The games of a month, or of a day of the week, the newest first. key: ``2026-11``, or ``monday``."""

    key: str
    games: Sequence[Listed]
    weekday: bool = False

    @property
    def title(self) -> str:
        """The month in words, or ``Mondays``."""
        first = self.games[0].day
        if self.weekday:
            return f"{first:%A}s"
        return f"{first:%B} {first.year}" if first else "Without a date"

    @property
    def page(self) -> str:
        """The name of its list in the folder."""
        return f"{WEEKDAYS if self.weekday else MONTHS}/{self.key}.html"


@dataclass
class GamesPage:
    """The page of the games of a file, as a run has written it."""

    key: str  # of the file
    name: str  # of the page in the folder
    sha256: str | None  # of what was written, None where nothing was
    hash: str  # what tells the file, and all that its results follow from, from any other
    games: Sequence[GameSaid] = ()  # what is said of each
    hidden: bool = False  # whether it is neither listed nor linked
    # The pages of its boards with their SHA-256, where they are apart.
    parts: Mapping[str, str] = field(default_factory=dict)


Changed = Callable[[GamesPage, str], None]
"""Is told of a page that was written again, with its SHA-256 now."""


def write_site(
    given: Sequence[GamesPage],
    folder: OutputFolder,
    index: Index,
    changed: Changed,
    taken: Mapping[str, str],
    version: str,
    left_out: Collection[str] = (),
    look: Mapping[str, Any] | None = None,
) -> None:
    """Link the pages of a folder, and write the lists of them, each whole, that of all last; remove outdated lists.

    What is as it was is left so, and not looked into: a game more changes the pages before and after it.

    taken: the names of results that are where lists are, as :func:`~resultproc.model.files.folded_name` has them, and
    whose they are.
    version: what tells the program and its settings from others.
    left_out: the names and numbers of those who do not want a page.
    look: how the lists look, as the club's settings say.
    Raises BlockedError, before anything is written, where a result, or somebody else's page, is called as a list is.
    """
    months, look = _months(given, folder), _shown(look or {})
    looks = _digest([str(look)])
    played = [game for month in months for game in month.games]
    players, people = player_pages(played, left_out, taken.keys()) if index.players else ([], {})
    clubs = {game.club for page in given for game in page.games if game.club}
    club = look["club"] or (clubs.pop() if len(clubs) == 1 else "")
    told = {game.key: (people.get(game.key) or game).made_of for game in played}

    def listed(title: str, months: Sequence[Month], made_of: Iterable[str] = (), **more: Any) -> _List:
        """Return a list of the newest of some months, as far as it is to be long; the others are links."""
        sums = accumulate(len(month.games) for month in months)
        whole = 1 + sum(games < _AT_LEAST for games in sums)
        games = (told[game.key] for month in months[:whole] for game in month.games)
        older = months[whole:]
        each = (f"{month.page} {len(month.games)}" for month in older)
        make = partial(_page, title, months[:whole], index, look, older=older, people=people, club=club, **more)
        return _List([looks, club, *made_of, *games, *each], make)

    pages = {
        part.page: _List([looks, club, *part.made_of()], partial(_player_page, part, index, look, club))
        for player in players
        for part in player.in_years()
    }
    for later, month, earlier in _neighbours(months):
        around = [other.page for other in (later, earlier) if other]
        pages[month.page] = listed(month.title, [month], around, up="../", around=(later, earlier))
    weekdays = _weekdays(played)
    for day in weekdays:
        pages[day.page] = listed(day.title, _by_month(day.games), up="../")
    each = (f"{player.page} {player.name} {player.count}" for player in players)
    pages[INDEX] = listed(club or _HOME, months, each, players=players, weekdays=weekdays)
    todo = {}
    for name, page in pages.items():
        made_of = _LISTED + _digest([version, str(index.found), *page.made_of])
        if not folder.is_made_of(name, made_of):
            todo[name] = (page, made_of)
    _refuse_others(taken, folder, todo)
    _link(given, folder, months, index, changed, version, people, told, look)
    for hidden in (each for each in given if each.hidden):
        _unlink(hidden, folder, changed)
    _remove_lists(folder, keep=pages)
    for name, (page, made_of) in todo.items():
        data = page.make()
        if folder.sha256(name) != sha256(data).hexdigest():
            folder.put(name, data)
        folder.note_made_of(name, made_of)


_AT_LEAST = 300
"""How many games a list has at least before earlier months are links alone."""


class _List(NamedTuple):
    """A list, or a page of a player: what it is made of, and what makes it."""

    made_of: Iterable[str]
    make: Callable[[], bytes]


_LISTED = "list "
"""How that begins which is remembered of a list; pages of games may be called as one."""


def _digest(made_of: Iterable[str]) -> str:
    return sha256("\0".join(made_of).encode()).hexdigest()


def remove_site(given: Iterable[GamesPage], folder: OutputFolder, changed: Changed) -> None:
    """Remove the lists of a folder that is no longer a site, that of all last, and the links from its pages."""
    if not own_lists(folder):
        return
    for each in given:
        _unlink(each, folder, changed)
    _remove_lists(folder, keep=())


def files_for_the_public(written: Mapping[str, str], folder: OutputFolder) -> list[str]:
    """Return the names of a folder's files that are for the public, in the order to send them.

    written: the results, with the SHA-256 that they had.
    """
    pages = [
        name
        for name, known in sorted(written.items())
        if folder.sha256(name) == known and is_linked((folder.root / name).read_bytes())
    ]
    folders = {boards_folder(page) for page in pages}
    parts = [name for name in sorted(written) if name.rpartition("/")[0] in folders]
    return [*parts, *pages, *own_lists(folder)]


def _neighbours(each: Sequence[Any], none: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each with what is before it in the list, which is later in time, and what is after it."""
    return zip([none, *each][:-1], each, [*each, none][1:], strict=True)


def _link(
    given: Iterable[GamesPage],
    folder: OutputFolder,
    months: Sequence[Month],
    index: Index,
    changed: Changed,
    version: str,
    people: Mapping[tuple[str, str], PeopleOfGame],
    told: Mapping[tuple[str, str], str],
    look: Mapping[str, Any],
) -> None:
    """Let the pages of games lead to the lists and to each other, and scorecards to the pages of their players.

    told: what tells each game, and all who sat in it, from others.
    """
    of_name = {each.name: each for each in given}
    of_month = {month.key: month for month in months}
    on_page: dict[str, list[Listed]] = {}
    for month in months:
        for game in month.games:
            on_page.setdefault(game.page, []).append(game)
    coloured = str(markup("site/look.html", look=look))
    head = (b"" if index.found else UNASKED) + coloured.encode()
    of_all = _digest([version, str(index.found), coloured])
    said = [(games[0], "".join([told[game.key] for game in games])) for games in on_page.values()]
    for (later, after), (game, own_made), (earlier, before) in _neighbours(said, none=(None, "")):
        around = f"{of_all} {game.month} {after} {own_made} {before} "
        page = of_name[game.page]
        if folder.is_made_of(game.page, _digest([around, page.sha256 or ""])):
            continue
        links = markup(
            "site/links.html",
            up="../" * game.page.count("/"),
            index=INDEX,
            home=_HOME,
            month=of_month[game.month],
            later=later,
            earlier=earlier,
        )
        sat = [people[each.key] for each in on_page[game.page] if each.key in people]
        own = {at.replace("r", "c"): each.values() for of_game in sat for at, each in of_game.players.items()}
        now = _rewrite(page, folder, changed, str(links).strip().encode() + b"\n", head, own)
        for part, known in page.parts.items():
            of_part = replace(page, name=part, sha256=known)
            _rewrite(of_part, folder, changed, head=UNASKED + coloured.encode(), people=own)
        folder.note_made_of(game.page, _digest([around, now]))


def _unlink(page: GamesPage, folder: OutputFolder, changed: Changed) -> None:
    """Take the links of a site out of the page of a game, and out of those of its boards."""
    _rewrite(page, folder, changed)
    for part, known in page.parts.items():
        _rewrite(replace(page, name=part, sha256=known), folder, changed, head=UNASKED)


_CARD = re.compile(rb"<!--(c[0-9]+)-->(?:[^\n]*<!---->)?")
"""Where the page of a game has room for links from a scorecard to its players."""


def _rewrite(
    page: GamesPage,
    folder: OutputFolder,
    changed: Changed,
    links: bytes = b"",
    head: bytes = b"",
    people: Mapping[str, Iterable[Named]] | None = None,
) -> str:
    """Write a page with these links, if it has others, and tell of it; leave what was changed.

    head: what stands in its head for search engines, and the club's colour.
    people: whom scorecards lead to, by their anchors.
    Return the SHA-256 that it has now, '' where it is not as it was written.
    """
    up = "../" * page.name.count("/")

    def to_players(found: re.Match[bytes]) -> bytes:
        own = (people or {}).get(found[1].decode(), ())
        each = [Markup(' · <a href="{}{}">{}</a>').format(up, quote(player.page), player.name) for player in own]
        return b"<!--%b-->" % found[1] + ("".join(each).encode() + b"<!---->" if each else b"")

    if page.sha256 is None or folder.sha256(page.name) != page.sha256:
        return ""
    data = (folder.root / page.name).read_bytes()
    made = _CARD.sub(to_players, linked(data, links, head))
    if made == data:
        return page.sha256
    now = folder.put(page.name, made)
    changed(page, now)
    return now


def own_lists(folder: OutputFolder) -> list[str]:
    """Return the names of the lists and pages of players that runs have written, that of all games last."""
    return [name for name in _called_as_lists(folder) if _is_ours(name, folder)]


def _called_as_lists(folder: OutputFolder) -> list[str]:
    folders = (name for name in (PLAYERS_FOLDER, MONTHS, WEEKDAYS) if (folder.root / name).is_dir())
    below = (f"{name}/{each}" for name in folders for each in sorted(os.listdir(folder.root / name)))  # noqa: PTH208, a path for each takes long
    return [*(name for name in below if name.endswith(".html")), INDEX]


def _is_ours(name: str, folder: OutputFolder) -> bool:
    """Return whether a page is a list of ours."""
    seen = folder.seen.of(name, folder.root / name)
    if seen and seen.made_of.startswith(_LISTED):
        return True
    return bool(folder.sha256(name)) and _OUR_MARK in (folder.root / name).read_bytes()


def _remove_lists(folder: OutputFolder, keep: Collection[str]) -> None:
    for name in _called_as_lists(folder):
        if name not in keep and _is_ours(name, folder):
            folder.remove(name, folder.sha256(name) or "")


def _refuse_others(taken: Mapping[str, str], folder: OutputFolder, names: Iterable[str]) -> None:
    for name in names:
        owner = taken.get(folded_name(name))
        if owner:
            hint = "call that file otherwise, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: it has the results of {owner}", hint=hint)
        if folder.sha256(name) is not None and not _is_ours(name, folder):
            hint = "remove it, or write to another folder"
            raise BlockedError(f"there is no room for the list {name}: another page is called so", hint=hint)
    folder.refuse_blocked(names)


def _months(given: Iterable[GamesPage], folder: OutputFolder) -> list[Month]:
    """Return the months with their games, the newest first, and in the end the games without a date."""
    games = []
    for page in given:
        if page.hidden or page.sha256 is None or not (folder.was_same(page.name) or folder.has(page.name)):
            continue
        for number, game in enumerate(page.games):
            when = date.fromisoformat(game.date) if game.date else None
            games.append(Listed(when, page.name, f"g{number + 1}" if len(page.games) > 1 else "", game, page.hash))
    games.sort(key=lambda each: (each.title.casefold(), each.page))
    games.sort(key=lambda each: each.day or date.min, reverse=True)
    return _by_month(games)


def _by_month(games: Iterable[Listed]) -> list[Month]:
    return [Month(key, list(each)) for key, each in groupby(games, key=lambda each: each.month)]


def _weekdays(games: Sequence[Listed]) -> list[Month]:
    """Return the games of each day of the week, from Monday on."""
    found: dict[int, list[Listed]] = {}
    for game in games:
        if game.day:
            found.setdefault(game.day.weekday(), []).append(game)
    return [Month(f"{each[0].day:%A}".lower(), each, weekday=True) for _, each in sorted(found.items())]


def _attendance(months: Sequence[Month]) -> list[int]:
    """Return how many played in each game with a date, the oldest first."""
    games = (game for month in months[::-1] for game in month.games[::-1])
    return [game.told.people for game in games if game.day and game.told.people]


def _page(
    heading: str,
    months: Sequence[Month],
    index: Index,
    look: Mapping[str, Any],
    *,
    older: Sequence[Month],
    club: str,
    people: Mapping[tuple[str, str], PeopleOfGame],
    up: str = "",
    around: tuple[Month | None, Month | None] = (None, None),
    players: Sequence[PlayerPage] = (),
    weekdays: Sequence[Month] = (),
) -> bytes:
    """Return a list of months, of days of the week, and of players.

    older: earlier months, which it only leads to.
    club: whose site it is: that of the settings, else that of all games; '' where there are several.
    people: who sat in games, by their keys, where players have pages.
    around: for the list of one month, those after and before it.
    """
    return _rendered(
        "site/site.html",
        index,
        look,
        script=("site/site.js",),
        title=heading if heading == _HOME else f"{heading}: {_HOME}",
        heading=heading,
        club=club,
        won={game.key: winners(people[game.key]) for month in months for game in month.games if game.key in people},
        months=months,
        older=older,
        count=sum(len(month.games) for month in (*months, *older)),
        up=up,
        later=around[0],
        earlier=around[1],
        players=players,
        weekdays=weekdays,
        attendance=[] if up else _attendance(months),
    )


def _player_page(player: PlayerPage, index: Index, look: Mapping[str, Any], club: str) -> bytes:
    more = {"title": f"{player.name}: {_HOME}", "heading": player.name, "script": ("site/you.js",), "up": "../"}
    return _rendered("site/player.html", index, look, club=club, player=player, table=player.table(), **more)


_LARGEST = 30_000
"""The bytes of a logo, which is in each list and page of a player."""


def _shown(look: Mapping[str, Any]) -> dict[str, Any]:
    """Return how lists look, with the picture of a logo itself; raise BlockedError where that cannot be read."""
    shown = {"club": "", "colour": "", "links": {}, "address": "", "logo": "", **look}
    if shown["logo"]:
        path = Path(shown["logo"])
        try:
            data = path.read_bytes()
        except OSError:
            hint = "put it there, or take the line out of the settings"
            raise BlockedError(f"there is no logo '{path.name}' beside the settings", hint=hint) from None
        if len(data) > _LARGEST:
            raise BlockedError(f"the logo '{path.name}' has more than {_LARGEST:,} bytes", hint="make it smaller")
        shown["logo"] = f"data:image/{PICTURES[path.suffix.lower()]};base64,{b64encode(data).decode()}"
    return shown


def _rendered(template: str, index: Index, look: Mapping[str, Any], **values: Any) -> bytes:
    head = _OUR_MARK.decode() + "\n" + ("" if index.found else UNASKED.decode())
    return render(template, above=head, home=_HOME, index=INDEX, look=look, provenance=None, **values)
