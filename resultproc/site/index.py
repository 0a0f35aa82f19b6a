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
from functools import partial
from hashlib import sha256
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from resultproc.formats.declared import PICTURES
from resultproc.formats.html.parted import UNASKED, boards_folder
from resultproc.model.arrays import Ints, sorted_rows
from resultproc.model.errors import BlockedError
from resultproc.model.files import OutputFolder, folded_name
from resultproc.pages.design import is_linked, linked, markup, render
from resultproc.site.games import Listed, SiteGames, Sums
from resultproc.site.player_pages import PLAYERS_FOLDER, Named, PlayerPage, SitePeople, player_pages, winners

INDEX, MONTHS, WEEKDAYS = "index.html", "months", "weekdays"
"""The list of all pages, and the folders of those of months and of days of the week."""

LISTS = (INDEX, MONTHS, WEEKDAYS, PLAYERS_FOLDER)
"""Where lists and pages of players are."""

_OUR_MARK = b'<meta name="generator" content="resultproc batch --index">'
"""What tells a list of ours from a page of somebody else's that is called the same."""

_HOME = "Results"


@dataclass(frozen=True)
class Index:
    """The lists that are asked for. found: whether search engines may have the pages. players: a page for each, too."""

    found: bool = False
    players: bool = False


@dataclass(frozen=True)
class Month:
    """The games of a month, or of a day of the week, the newest first. key: ``2026-11``, or ``monday``."""

    key: str
    every: SiteGames  # those of the site
    rows: Ints  # which of them it has
    weekday: bool = False

    @property
    def games(self) -> Sequence[Listed]:
        """Its games."""
        return [self.every[at] for at in self.rows.tolist()]

    @property
    def title(self) -> str:
        """The month in words, or ``Mondays``."""
        first = self.every[int(self.rows[0])].day
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
    # The pages of its boards with their SHA-256, where they are apart.
    parts: Mapping[str, str] = field(default_factory=dict)


Changed = Callable[[GamesPage, str], None]
"""Is told of a page that was written again, with its SHA-256 now."""


def write_site(
    games: SiteGames,
    folder: OutputFolder,
    index: Index,
    changed: Changed,
    taken: Mapping[str, str],
    version: str,
    page_of: Callable[[str], GamesPage],
    hidden: Iterable[str] = (),
    left_out: Collection[str] = (),
    look: Mapping[str, Any] | None = None,
) -> dict[str, int]:
    """Link the pages of a folder, and write the lists of them, each whole, that of all last; remove outdated lists.

    Return what tells the links that pages have now, see :class:`GameRow`, where these were looked at.

    What is as it was is left so, and not looked into: a game more changes the pages before and after it.

    games: those on pages that were written.
    taken: the names of results that are where lists are, as :func:`~resultproc.model.files.folded_name` has them, and
    whose they are.
    version: what tells the program and its settings from others.
    page_of: returns the page of a file.
    hidden: the files whose pages are neither listed nor linked.
    left_out: the names and numbers of those who do not want a page.
    look: how the lists look, as the club's settings say.
    Raises BlockedError, before anything is written, where a result, or somebody else's page, is called as a list is.
    """
    same = folder.seen.same
    there = [name in same or folder.was_same(name) or folder.has(name) for name in games.columns.page]
    games = replace(games, columns=games.columns.only(np.array(there, dtype=np.bool_)))
    months, weekdays, look = _months(games), _weekdays(games), _shown(look or {})
    players, people = player_pages(games, left_out, taken.keys()) if index.players else ([], None)
    clubs = {*games.columns.club} - {""}
    club = look["club"] or (clubs.pop() if len(clubs) == 1 else "")
    told = people.told if people else games.columns.told
    of_all = _digest([version, str(index.found), str(look), club])

    def listed(title: str, months: Sequence[Month], made_of: Iterable[str] = (), **more: Any) -> _List:
        """Return a list of the newest of some months, as far as it is to be long; the others are links."""
        sums = accumulate(len(month.rows) for month in months)
        whole = 1 + sum(games < _AT_LEAST for games in sums)
        each = [f"{month.page} {told[month.rows].sum()}" for month in months[:whole]]
        older = months[whole:]
        each += [f"{month.page} {len(month.rows)}" for month in older]
        make = partial(_page, title, months[:whole], index, look, older=older, people=people, club=club, **more)
        return _List([*made_of, *each], make)

    lists = {
        part.page: _List([part.made_of], partial(_player_page, part, index, look, club))
        for player in players
        for part in player.in_years()
    }
    for later, month, earlier in _neighbours(months):
        around = [other.page for other in (later, earlier) if other]
        lists[month.page] = listed(month.title, [month], around, up="../", around=(later, earlier))
    for day, in_months in weekdays:
        lists[day.page] = listed(day.title, in_months, up="../")
    each = (f"{player.page} {player.name} {player.count}" for player in players)
    lists[INDEX] = listed(club or _HOME, months, each, players=players, weekdays=[day for day, _ in weekdays])
    todo = {}
    for name, made in lists.items():
        made_of = _LISTED + _digest([of_all, *made.made_of])
        if not folder.is_made_of(name, made_of):
            todo[name] = (made, made_of)
    _refuse_others(taken, folder, todo)
    linked = _link(games, folder, months, index, changed, version, people, told, page_of, look)
    for page in map(page_of, hidden):
        _unlink(page, folder, changed)
        linked[page.name] = 0
    _remove_lists(folder, keep=lists)
    for name, (made, made_of) in todo.items():
        data = made.make()
        if folder.sha256(name) != sha256(data).hexdigest():
            folder.put(name, data)
        folder.note_made_of(name, made_of)
    return linked


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
    games: SiteGames,
    folder: OutputFolder,
    months: Sequence[Month],
    index: Index,
    changed: Changed,
    version: str,
    people: SitePeople | None,
    told: Sums,
    page_of: Callable[[str], GamesPage],
    look: Mapping[str, Any],
) -> dict[str, int]:
    """Let the pages of games lead to the lists and to each other, and scorecards to the pages of their players.

    Return what tells the links of those that had others, 0 where a page is not as it was written, and stays.

    told: what tells each game, and all who sat in it, from others.
    """
    of_month = {month.key: month for month in months}
    on, names = pd.factorize(np.array(games.columns.page, dtype=object))
    rows, begins = sorted_rows(on), [0, *np.cumsum(np.bincount(on)).tolist()]
    firsts = rows[begins[:-1]].tolist()
    own = np.zeros(len(names) + 2, dtype=np.uint64)  # before the first page and behind the last there is none
    np.add.at(own, on + 1, told)
    coloured = str(markup("site/look.html", look=look))
    head = (b"" if index.found else UNASKED) + coloured.encode()
    of_all = np.uint64(int(_digest([version, str(index.found), coloured])[:16], 16))
    marks = of_all + own[1:-1] + np.uint64(3) * own[:-2] + np.uint64(5) * own[2:]
    found = {}
    for at in np.flatnonzero(marks != games.columns.linked[firsts]).tolist():
        name = names[at]
        later, earlier = (games[firsts[each]] if 0 <= each < len(names) else None for each in (at - 1, at + 1))
        links = markup(
            "site/links.html",
            up="../" * name.count("/"),
            index=INDEX,
            home=_HOME,
            month=of_month[games.month[firsts[at]]],
            later=later,
            earlier=earlier,
        )
        sat = [people[each] for each in rows[begins[at] : begins[at + 1]].tolist()] if people else []
        seats = {f"c{anchor}": each.values() for of_game in sat for anchor, each in of_game.players.items()}
        page = page_of(games.columns.path[firsts[at]])
        now = _rewrite(page, folder, changed, str(links).strip().encode() + b"\n", head, seats)
        for part, known in page.parts.items():
            of_part = replace(page, name=part, sha256=known)
            _rewrite(of_part, folder, changed, head=UNASKED + coloured.encode(), people=seats)
        found[name] = int(marks[at]) if now else 0
    return found


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


def _months(games: SiteGames) -> list[Month]:
    """Return the months with their games, the newest first, and in the end the games without a date."""
    return _by_month(games, np.arange(len(games)))


def _by_month(games: SiteGames, rows: Ints) -> list[Month]:
    """Return some games by months."""
    keys = [games.month[at] for at in rows.tolist()]
    each = [(key, len([*same])) for key, same in groupby(keys)]
    ends = [*accumulate(count for _, count in each)]
    return [Month(key, games, rows[end - count : end]) for (key, count), end in zip(each, ends, strict=True)]


def _weekdays(games: SiteGames) -> list[tuple[Month, list[Month]]]:
    """Return the games of each day of the week, from Monday on, all and by months."""
    days = np.array([date or "NaT" for date in games.columns.date], dtype="M8[D]")
    weekday = np.where(np.isnat(days), -1, (days.astype(np.int64) + 3) % 7)  # 1970 began on a Thursday
    found = []
    for each in range(7):
        rows = np.flatnonzero(weekday == each)
        if len(rows):
            day = Month(f"{games[int(rows[0])].day:%A}".lower(), games, rows, weekday=True)
            found.append((day, _by_month(games, rows)))
    return found


def _attendance(months: Sequence[Month]) -> list[int]:
    """Return how many played in each game with a date, the oldest first."""
    games = (game for month in months[::-1] for game in month.games[::-1])
    return [game.people for game in games if game.day and game.people]


def _page(
    heading: str,
    months: Sequence[Month],
    index: Index,
    look: Mapping[str, Any],
    *,
    older: Sequence[Month],
    club: str,
    people: SitePeople | None,
    up: str = "",
    around: tuple[Month | None, Month | None] = (None, None),
    players: Sequence[PlayerPage] = (),
    weekdays: Sequence[Month] = (),
) -> bytes:
    """Return a list of months, of days of the week, and of players.

    older: earlier months, which it only leads to.
    club: whose site it is: that of the settings, else that of all games; '' where there are several.
    people: who sat in games, where players have pages.
    around: for the list of one month, those after and before it.
    """
    if people:
        people.games.read((at for month in months for at in month.rows.tolist()), "more")
    return _rendered(
        "site/site.html",
        index,
        look,
        script=("site/site.js",),
        title=heading if heading == _HOME else f"{heading}: {_HOME}",
        heading=heading,
        club=club,
        won=partial(_won, people),
        row=partial(_row, people, up, club),
        months=months,
        older=older,
        count=sum(len(month.rows) for month in (*months, *older)),
        up=up,
        later=around[0],
        earlier=around[1],
        players=players,
        rows_of_players=Markup("\n").join(_row_of_player(player) for player in players),
        weekdays=weekdays,
        attendance=[] if up else _attendance(months),
    )


def _won(people: SitePeople | None, game: Listed) -> Markup:
    """Return the list of who was first in a game; a template takes several times as long for hundreds of games."""
    found = winners(people[game.at]) if people else []
    several = any(each.said for each in found)
    rows = []
    for each in found:
        said, tag = f"<i>{escape(each.said)}</i>" if several else "", "b" if each.top else "span"
        rows.append(f'<li>{said}<{tag}>{escape(each.names)}</{tag}><span class="pct">{escape(each.score)}</span></li>')
    begin = f'<ul class="won{"" if several else " alone"}" aria-label="Winners">'
    return Markup(f"{begin}{''.join(rows)}</ul>\n" if rows else "")  # noqa: S704 - all of it is escaped


def _row(people: SitePeople | None, up: str, club: str, game: Listed) -> Markup:
    """Return the line of a game on a list."""
    day = f' datetime="{game.day}"' if game.day else ""
    link = f'<a href="{escape(game.href(up))}" translate="no">{escape(game.title)}</a>'
    said = f"<small>{escape(told)}</small>" if (told := game.said(club)) else ""
    begin = f'<li data-s="{escape(game.whole)}"><time{day}>{game.day_of_month}</time>{link}{said}'
    return Markup(f"{begin}{_won(people, game)}</li>")  # noqa: S704 - all of it is escaped


def _row_of_player(player: PlayerPage) -> Markup:
    link = f'<a href="{escape(player.href)}" translate="no">{escape(player.name)}</a>'
    games = f"{player.count} {'game' if player.count == 1 else 'games'}"
    return Markup(f'<li data-s="">{link} <small>{games}</small></li>')  # noqa: S704 - all of it is escaped


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
