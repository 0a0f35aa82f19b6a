"""The games of a site: what is said of each, and all of them as columns.

There may be ten thousand, and a night changes a few: an object is made of those alone that a page tells of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from itertools import chain, compress
from math import fsum
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import numpy.typing as npt
from markupsafe import Markup, escape

from resultproc.model.arrays import Bools, Ints
from resultproc.model.language import in_words
from resultproc.pages.words import short_day
from resultproc.people.spelling import one_plain_name, one_plain_number

Sums = npt.NDArray[np.uint64]
"""Numbers that tell things from others; sums of them, which begin at 0 again where they are too large, tell several."""

UNDATED = "undated"


class NamedSeat(NamedTuple):
    """What a site tells of a seat with a name."""

    percentage: str  # what the contestant scored, '' for nothing
    masterpoints: str  # what the player won, '' for nothing
    league: str  # whose points these are, '' for the usual one
    anchor: int  # which contestant of the page it is
    row: int  # which of the game
    seat: int  # which of the contestant's players


class GameMore(NamedTuple):
    """What pages that tell more of a game ask for."""

    won: Sequence[NamedSeat]  # of each seat with a name, in their order
    # Who was first: among all or in a lower stratum alone, where, in which strata, with which percentage; and the first
    # of these seats that is theirs, and up to which they are.
    first: Sequence[tuple[bool, str, Sequence[str], str, int, int]]
    mean: float | None  # the mean percentage of the field, None where there are none


class GameSaid(NamedTuple):
    """What a site says of a game of a file."""

    date: str  # '' where it is not known, as other texts
    title: str
    session: str
    club: str
    kind: str
    people: int  # how many played, 0 where that is not known
    seats: list[str]  # those with a name, in their order: the name, and in a second line the number
    more: GameMore
    # The contestants, each a line of JSON, see :func:`resultproc.site.player_pages.who_sat`: of most one is read.
    seated: str


def games_said(played: Iterable[Mapping[str, Any]], seated: Iterable[Mapping[str, Any]]) -> Iterator[GameSaid]:
    """Yield what a site says of the games of a file.

    played: see :func:`resultproc.stages.same_game.who_played`.
    seated: see :func:`resultproc.site.player_pages.who_sat`.
    """
    of_game: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for anchor, row in enumerate(seated):  # rows of contestants are counted through the whole page
        of_game.setdefault(row["game"], []).append((anchor, row))
    for number, game in enumerate(played):
        seats, won, first, percents = [], list[NamedSeat](), [], []
        for at, (anchor, row) in enumerate(of_game.get(number, [])):
            names, percentage, begin = row["names"], row["percentage"], len(won)
            for seat in [n for n, name in enumerate(names) if _is_name(name)]:
                seats.append(f"{names[seat]}\n{row['numbers'][seat]}")
                won.append(NamedSeat(percentage, row["masterpoints"][seat], row.get("league", ""), anchor, at, seat))
            first += [(*row["first"], percentage, begin, len(won))] if row.get("first") else []
            percents += [float(percentage.rstrip("%"))] if percentage else []
        session, club, kind = (game.get(name) or "" for name in ("session", "club", "kind"))
        title, people = game["event"] or game["game"], len(game.get("players", "").splitlines())
        lines = "\n".join(json.dumps(row) for _, row in of_game.get(number, []))
        more = GameMore(won, first, mean_of(percents))
        yield GameSaid(game["date"], title, session, club, kind, people, seats, more, lines)


def _is_name(name: str) -> bool:
    """Say whether a text is a name: one without a letter, or a member number, is not."""
    is_number = any(map(str.isdigit, name)) and one_plain_number(name).isdigit()
    return any(map(str.isalpha, one_plain_name(name))) and not is_number


@dataclass(eq=False)
class Listed:
    """A game on lists and on pages of players."""

    at: int  # which of the site's games it is
    page: str  # its name in the folder
    part: str  # the anchor of the game there, '' where the page has no other game
    on: str  # its date, as :class:`GameSaid` has it, and so are the next ones
    title: str
    session: str
    club: str
    kind: str
    people: int
    asked: Callable[[str], Any] = field(repr=False)  # returns what :class:`GameSaid` calls so

    @cached_property
    def day(self) -> date | None:
        """Its date, None where that is not known."""
        return date.fromisoformat(self.on) if self.on else None

    def said(self, club: str) -> str:
        """Return what a list says of it besides its title. club: what the list says once of all its games."""
        players = f"{self.people} players" if self.people else ""
        return " · ".join(filter(None, [self.kind, self.session, self.club if self.club != club else "", players]))

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

    @cached_property
    def more(self) -> GameMore:
        """What pages that tell more of it ask for."""
        return GameMore(*self.asked("more"))

    def contestant(self, row: int) -> Mapping[str, Any]:
        """Return one of its contestants, see :func:`resultproc.site.player_pages.who_sat`."""
        found: Mapping[str, Any] = json.loads(self._contestants[row])
        return found

    @cached_property
    def _contestants(self) -> list[str]:
        lines: str = self.asked("seated")
        return lines.split("\n")

    @cached_property
    def when(self) -> str:
        """The whole day as links and tables write it, ``Wed 18 Apr 2012``; '' where it is not known."""
        return short_day(self.day) if self.day else ""

    @cached_property
    def dated(self) -> Markup:
        """Its day and its title; a column of these is sorted by the day."""
        day = f'<time datetime="{self.day}">{self.when}</time>, ' if self.day else ""
        return Markup(f"{day}{escape(self.title)}")  # noqa: S704 - it is escaped


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean of those numbers that are known, None where none is."""
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


class GameRow(NamedTuple):
    """A game as columns have it."""

    path: str  # what its file is known by
    page: str  # its name in the folder
    sha256: str  # of the page as it was written, '' where it was not
    part: str  # as :class:`Listed` has it, and so are the next ones
    date: str
    title: str
    session: str
    club: str
    kind: str
    people: int
    told: int  # what tells all that lists and other pages say of it from what they would say of another one
    linked: int  # what tells the links of its page, and all who sat in its games, from others; 0 where it has none
    ways: Sequence[int]  # how those are written who sat in it, and have a name


@dataclass(frozen=True)
class Columns:
    """Games as columns, see :class:`GameRow`."""

    path: list[str]
    page: list[str]
    sha256: list[str]
    part: list[str]
    date: list[str]
    title: list[str]
    session: list[str]
    club: list[str]
    kind: list[str]
    people: list[int]
    told: Sums
    linked: Sums
    seats: Ints  # how many ways each has
    ways: Ints  # those of all games, one after the other

    @classmethod
    def of_rows(cls, rows: Iterable[GameRow]) -> Columns:
        """Return games in the order of lists, the newest first."""
        rows = sorted(rows, key=lambda row: (row.title.casefold(), row.page))
        rows.sort(key=lambda row: row.date, reverse=True)
        *texts, told, linked, ways = map(list, zip(*rows, strict=True)) if rows else ([] for _ in GameRow._fields)
        marks = np.array([told, linked], dtype=np.uint64)
        seats = np.array([*map(len, ways)], dtype=np.int64)
        every: list[Any] = [*texts, *marks, seats, np.array([*chain(*ways)], dtype=np.int64)]
        return cls(*every)

    @classmethod
    def of_years(cls, years: Mapping[str, Columns]) -> Columns:
        """Return the games of all years, the newest first, and those without a date in the end."""
        each = [years[year] for year in sorted(years, key=lambda year: (year != UNDATED, year), reverse=True)]
        if not each:
            return cls.of_rows(())
        every: list[Any] = [[*chain(*column)] for column in zip(*(year.texts for year in each), strict=True)]
        every += map(np.concatenate, zip(*(year._numbers for year in each), strict=True))
        return cls(*every)

    @property
    def texts(self) -> list[list[Any]]:
        """Those columns that are lists."""
        return [getattr(self, name) for name in GameRow._fields[:-3]]

    @property
    def _numbers(self) -> tuple[Sums, Sums, Ints, Ints]:
        return self.told, self.linked, self.seats, self.ways

    @property
    def rows(self) -> Iterator[GameRow]:
        """The games."""
        ways = np.split(self.ways, np.cumsum(self.seats)[:-1])
        return map(GameRow, *self.texts, self.told.tolist(), self.linked.tolist(), (each.tolist() for each in ways))

    def only(self, these: Bools) -> Columns:
        """Return some of the games."""
        if these.all():
            return self
        every: list[Any] = [[*compress(column, these.tolist())] for column in self.texts]
        every += self.told[these], self.linked[these], self.seats[these], self.ways[np.repeat(these, self.seats)]
        return Columns(*every)

    def now(self, written: Mapping[str, str], linked: Mapping[str, int]) -> Columns:
        """Return the games on pages of which some are of another SHA-256 now, and some have other links."""
        sha256 = [written.get(name, before) for name, before in zip(self.page, self.sha256, strict=True)]
        marks = [linked.get(name, before) for name, before in zip(self.page, self.linked.tolist(), strict=True)]
        return replace(self, sha256=sha256, linked=np.array(marks, dtype=np.uint64))

    @property
    def text(self) -> str:
        """The columns as a text, see :meth:`of_text`."""
        numbers = zip(self._numbers, _KINDS, strict=True)
        return json.dumps([*self.texts, *(each.astype(kind).tobytes().hex() for each, kind in numbers)])

    @classmethod
    def of_text(cls, text: str) -> Columns:
        """Return the columns that a text has; raise ValueError or TypeError for one that has none."""
        every: list[Any] = json.loads(text)
        packed = zip(every[-len(_KINDS) :], _KINDS, strict=True)
        told, linked, seats, ways = (np.frombuffer(bytes.fromhex(each), kind) for each, kind in packed)
        every[-len(_KINDS) :] = (
            told.astype(np.uint64),
            linked.astype(np.uint64),
            seats.astype(np.int64),
            ways.astype(np.int64),
        )
        return cls(*every)


_KINDS = ("<u8", "<u8", "<i4", "<i4")
"""How numbers are kept in texts."""


@dataclass(eq=False)
class SiteGames:
    """The games of a site, the newest first."""

    columns: Columns
    written: Sequence[str]  # the ways in which people are written, see :attr:`GameSaid.seats`
    # Returns what :class:`GameSaid` calls so of some games, by their paths and their numbers in the files.
    asked: Callable[[Collection[tuple[str, int]], str], Sequence[Any]]
    _listed: dict[int, Listed] = field(default_factory=dict)
    _more: dict[tuple[int, str], Any] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.columns.told)

    def __getitem__(self, at: int) -> Listed:
        """Return one of them."""
        if at not in self._listed:
            _, page, _, part, *said = (column[at] for column in self.columns.texts)
            asked = partial(self._more_of, at)
            on, title, session, club, kind, people = said
            self._listed[at] = Listed(at, page, part, on, title, session, club, kind, people, asked)
        return self._listed[at]

    def read(self, games: Iterable[int], what: str) -> None:
        """Read at once what is soon asked of some games: one after the other takes long."""
        new = [at for at in dict.fromkeys(games) if (at, what) not in self._more]
        paths, parts = self.columns.path, self.columns.part
        keys = [(paths[at], int(parts[at][1:]) - 1 if parts[at] else 0) for at in new]
        self._more |= zip(((at, what) for at in new), self.asked(keys, what) if keys else (), strict=True)

    def _more_of(self, at: int, what: str) -> Any:
        self.read([at], what)
        return self._more[at, what]

    @cached_property
    def month(self) -> list[str]:
        """What the month of each is called in names of files."""
        return [date[:7] or UNDATED for date in self.columns.date]
