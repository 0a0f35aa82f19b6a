"""The pages of players: for each one the games of the folder, with partner, place, percentage and masterpoints.

They have names and no numbers. Whoever is on a club's list of those who do not want such a page is on no page, not
even as somebody's partner.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import count, pairwise
from math import fsum
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from resultproc.model.arrays import Ints, expand_counts, family_columns, row_dicts, rows_of, run_starts, sorted_rows
from resultproc.model.at_the_table import compared
from resultproc.model.basis import Kind
from resultproc.model.files import folded_name, safe_stem
from resultproc.model.frames import AwardedResult, Result
from resultproc.model.game import EAST_WEST
from resultproc.model.numbers import ordinal
from resultproc.model.places import ordinal_text
from resultproc.model.text import text_there
from resultproc.model.whose_points import each_league, in_points, leagues_of, usual_league
from resultproc.pages.annotated import annotated
from resultproc.pages.design import PageColumn, PageRow, PageTable
from resultproc.pages.matches import opponents_met
from resultproc.pages.words import percent
from resultproc.people.identity import identify_without_doubts
from resultproc.people.names import by_surname
from resultproc.people.spelling import like_any, one_plain_name, one_plain_number, plain_name, plain_number
from resultproc.reports.outcomes import best_places
from resultproc.site.games import UNDATED, Listed, NamedSeat, SiteGames, Sums, mean_of

PLAYERS_FOLDER = "players"
"""The folder of the pages."""


def who_sat(result: AwardedResult) -> list[dict[str, Any]]:
    """Return who each contestant is and what it won, as texts.

    ``game`` is the row of its game, ``names``, ``numbers`` and ``masterpoints`` have one for each player, empty for
    none, ``place`` is such as ``2nd of 9``, ``percentage`` such as ``61.57%``. ``paid`` has the places that pay, each
    with its stratum, '' for the top one. ``first`` says in what it was first: whether among all, where, such as
    ``N-S``, and in which strata; None for nothing. ``met`` has the opponents, each by how many rows further on it is,
    how many boards there were, and the percentages on these added up, None where there are none. ``league`` is whose
    points they are, where these are not of the usual one.
    """
    contestants, of = result.contestants, leagues_of(result.games).tolist()
    own = {(row["contestant"], row["player"]): row["masterpoints"] for row in row_dicts(result.player_awards)}
    seats = {int(name.removeprefix("player")): name for name in family_columns(contestants)}
    won = {n: [own.get((at, n), all_) for at, all_ in enumerate(result.awards["masterpoints"])] for n in seats}
    places, first, met = _places(result), _first(result), _met(result)
    sheet = annotated(result)
    paid = sheet["printed_overall"].fillna(sheet["printed_section"]).fillna("").tolist()
    game = rows_of(contestants["game_id"], result.games["game_id"]).tolist()
    ranked = result.standings[result.standings["level"] == 0]
    top = dict(zip(ranked["game"].tolist(), ranked["stratum"].tolist(), strict=True))
    found = []
    for at, row in enumerate(row_dicts(contestants)):
        taken = [n for n, name in seats.items() if text_there(row[name]) or text_there(row.get(f"id{n}"))]
        league = of[game[at]]
        found.append(
            {
                "game": game[at],
                "names": [text_there(row[seats[n]]) for n in taken],
                "numbers": [text_there(row.get(f"id{n}")) for n in taken],
                "masterpoints": [in_points(won[n][at], league) if won[n][at] else "" for n in taken],
                "place": places.get(at, ""),
                "paid": _paid(paid[at], top.get(game[at], "")),
                "percentage": percent(row["percentage"]),
                "first": first.get(at),
                "met": met.get(at, []),
                **({"league": league} if league != usual_league() else {}),
            }
        )
    return found


def _places(result: Result) -> dict[int, str]:
    """Return the place of each contestant that has one, by its row: overall where its game is ranked so."""
    best = best_places(result)
    best = best[best["position"] > 0]
    seats = result.contestants[["section", "direction"]].iloc[best.index]
    several = result.contestants.groupby("game_id")["section"].transform("nunique").iloc[best.index] > 1
    places = {}
    for at, row, seat, of_several in zip(best.index, row_dicts(best), row_dicts(seats), several, strict=True):
        place = [f"{ordinal_text(row['position'], row['tied'])} of {row['ranked']}"]
        if row["basis"] == Kind.SECTION:
            place += [text_there(seat["section"]) * of_several, text_there(seat["direction"])]
        places[int(at)] = " ".join(filter(None, place))
    return places


def _paid(printed: str, top: str) -> list[tuple[str, str]]:
    """Return the places of a text such as ``A=2, B=1`` in words, each with its stratum, '' for the top one."""
    parts = [part.partition("=") for part in printed.split(", ") if "=" in part]
    return [
        (letter if letter != top else "", ordinal(int(place)) if place.isdecimal() else place)
        for letter, _, place in parts
    ]


def _first(result: Result) -> dict[int, tuple[bool, str, list[str]]]:
    """Return in what contestants are first, see :func:`who_sat`: overall where their game is ranked so."""
    standings = result.standings.assign(where=compared(result))
    overall = standings["basis"] == "overall"
    widest = overall | (standings["basis"] == "section") & ~standings["game"].isin(standings.loc[overall, "game"])
    several = set(standings.loc[standings["level"] > 0, "game"])
    sections = result.contestants.groupby("game_id", sort=False)["section"].nunique()
    alone = (sections.reindex(result.games["game_id"]) < 2).tolist()
    found: dict[int, tuple[bool, str, list[str]]] = {}
    for row in row_dicts(standings[widest & (standings["position"] == 1)].sort_values("level", kind="stable")):
        where = re.sub(r"^sections? \S+ ?", "", row["where"]) if alone[row["game"]] else row["where"]
        *_, strata = found.setdefault(row["contestant"], (row["level"] == 0, where, []))
        strata += [row["stratum"]] * (row["game"] in several)
    return found


def _met(result: Result) -> dict[int, list[tuple[int, int, float | None]]]:
    """Return whom each contestant met, see :func:`who_sat`: by its scorecard, else in its matches."""
    cards = result.scorecards
    met = (
        cards[cards["opponents"] >= 0].groupby(["contestant", "opponents"])["percentage"].agg(["size", "count", "sum"])
    )
    found: dict[int, list[tuple[int, int, float | None]]] = {}
    for (at, other), boards, known, added in met.itertuples():
        found.setdefault(at, []).append((other - at, boards, round(added, 2) if known == boards else None))
    of_match = dict(zip(result.games["game_id"], result.games["boards"].fillna(0).astype(int), strict=True))
    in_matches: dict[int, list[tuple[int, int, float | None]]] = {}
    for game, rows in result.contestants.groupby("game_id", sort=False):
        for at, other in opponents_met(rows):
            in_matches.setdefault(at, []).append((other - at, of_match[str(game)], None))
    return in_matches | found


class Named(NamedTuple):
    """A player who has a page: the name, and that of the page in the folder."""

    name: str
    page: str


@dataclass(eq=False)
class PeopleOfGame:
    """Who of those who have pages sat in a game."""

    played: Listed
    sat: Sequence[Named | None] = field(repr=False)  # who sat in each seat, None where that is nobody with a page

    @cached_property
    def players(self) -> dict[int, dict[int, Named]]:
        """Those who have pages, by the anchor of their contestant and by their seat."""
        found: dict[int, dict[int, Named]] = {}
        for (*_, anchor, _, seat), named in zip(self.played.more.won, self.sat, strict=True):
            if named:
                found.setdefault(anchor, {})[seat] = named
        return found


@dataclass(eq=False)
class SitePeople:
    """Who of those who have pages sat in the games of a site."""

    games: SiteGames
    named: Mapping[int, Named | None]  # who each way in which people are written is, None for one without a page
    told: Sums  # what tells each game, and all who sat in it, from others
    _found: dict[int, PeopleOfGame] = field(default_factory=dict)

    @cached_property
    def _ends(self) -> Ints:
        return np.cumsum(self.games.columns.seats)

    def __getitem__(self, game: int) -> PeopleOfGame:
        """Return who sat in a game."""
        if game not in self._found:
            end, columns = self._ends[game], self.games.columns
            ways = columns.ways[end - columns.seats[game] : end].tolist()
            self._found[game] = PeopleOfGame(self.games[game], [self.named[way] for way in ways])
        return self._found[game]


@dataclass(eq=False)
class GameOfPlayer:
    """A game of one player, as the page has it."""

    people: PeopleOfGame  # all who sat in the game
    own: NamedSeat

    @property
    def played(self) -> Listed:
        """The game."""
        return self.people.played

    @cached_property
    def row(self) -> Mapping[str, Any]:
        """The contestant, see :func:`who_sat`."""
        return self.played.contestant(self.own.row)

    @cached_property
    def partners(self) -> dict[int, Named]:
        """Those who played with the player, as far as they have pages, by their seats."""
        every = self.people.players[self.own.anchor]
        return {seat: named for seat, named in every.items() if seat != self.own.seat}

    @property
    def beside(self) -> Markup:
        """The partners, as the game names them, each a link to the own page."""
        called = [name.replace(",", "") for name in self.row["names"]]  # one stands between two commas
        return Markup(", ").join(_linked(named, called[seat]) for seat, named in self.partners.items())

    @property
    def percent(self) -> float:
        """The percentage as a number; it is asked only where there is one."""
        return float(self.own.percentage.rstrip("%"))

    @property
    def placed(self) -> Markup:
        """The place, and those in lower strata that pay; what pays is in bold."""
        paid = dict(self.row["paid"])
        own = escape(self.row["place"])
        lower = [_PAID.format(f"{place} in {letter}") for letter, place in paid.items() if letter]
        return Markup(" · ").join(filter(None, [_PAID.format(own) if own and "" in paid else own, *lower]))

    @property
    def met(self) -> Iterator[tuple[Iterable[Named], int, float | None]]:
        """The opponents that have pages, by contestant: who, boards, and the percentages added up."""
        for further, boards, added in self.row.get("met", ()):
            yield self.people.players.get(self.own.anchor + further, {}).values(), boards, added

    @property
    def href(self) -> str:
        """The link from the folder of players to its own scorecard, or else to its own line."""
        card = self.row.get("card")
        return f"../{quote(card or self.played.page)}#{'c' if card else 'r'}{self.own.anchor}"


@dataclass(eq=False)
class PlayerPage:
    """A page of a player."""

    name: str  # the player's
    page: str  # its name in the folder
    every: _Seats  # the seats of all players
    first: int  # of these, the first that the page has
    end: int  # up to which the page has them
    until: int  # up to which those are that are on the pages of earlier years
    # What links to other pages of the player say, and their names: from the newest games to each year before,
    # and from a year to the newest games; it is among them itself.
    years: Sequence[tuple[str, str]] = ()

    @cached_property
    def games(self) -> list[GameOfPlayer]:
        """The games on the page, the newest first."""
        return self.every.games(self.first, self.end, whole=True)

    def in_years(self) -> Iterator[PlayerPage]:
        """Yield the page with the newest games, in whole years, and one for each year before; or the page itself.

        So a page is no longer, and a new game changes no more pages, the longer somebody plays.
        """
        begins = self.every.years
        at = bisect_left(begins, self.first + _AT_LEAST)
        if begins[at] >= self.until:
            yield self
            return
        stem, _, ending = self.page.rpartition(".")
        runs = [*pairwise([*begins[at : bisect_left(begins, self.until)], self.until])]
        columns = self.every.people.games.columns
        which = [columns.date[self.every.game[first]][:4] or UNDATED for first, _ in runs]
        years = [(year, f"{stem}.{year}.{ending}") for year in which]
        yield PlayerPage(self.name, self.page, self.every, self.first, begins[at], self.until, years)
        for (first, end), own in zip(runs, years, strict=True):
            yield PlayerPage(self.name, own[1], self.every, first, end, end, [(self.name, self.page), own])

    @property
    def made_of(self) -> str:
        """What tells the page from any other."""
        return f"{self.name} {self.page} {self.years} {self.every.told(self.first, self.until)}"

    @property
    def count(self) -> int:
        """How many games there are, also on the pages of earlier years."""
        return self.every.count(self.first, self.until)

    @property
    def href(self) -> str:
        """The link to the page from the first folder."""
        return quote(self.page)

    @property
    def scored(self) -> list[GameOfPlayer]:
        """Those games that have a percentage."""
        return [game for game in self.games if game.own.percentage]

    @property
    def facts(self) -> list[str]:
        """How many games there are, the mean percentage, and the masterpoints added up, with those of earlier years."""
        every = [*self.games, *self.every.games(self.end, self.until)]
        mean, won = mean_of(game.percent for game in every if game.own.percentage), _added(every)
        said = [f"{self.count} {'game' if self.count == 1 else 'games'}"]
        said += [] if mean is None else [f"mean {percent(mean)}"]
        return said + ([f"{won} masterpoints"] if won else [])

    @property
    def season(self) -> Season | None:
        """The line of the season, None for fewer than three games with a percentage."""
        games = self.scored[::-1]
        if len(games) < 3:
            return None
        percents = [game.percent for game in games]
        field = mean_of(game.played.more.mean for game in games if game.played.more.mean is not None) or 50.0
        low, high = min(*percents, field), max(*percents, field)
        step = 580 / (len(games) - 1)

        def y(percent: float) -> float:
            return round(110 - 100 * (percent - low) / (high - low or 1), 1)

        days = [game.played.when for game in games]
        drawn = [(round(10 + n * step, 1), y(game.percent)) for n, game in enumerate(games)]
        said = [escape(f"{when} {game.own.percentage}".strip()) for when, game in zip(days, games, strict=True)]
        each = zip(drawn, said, strict=True)
        points = "".join(f'<circle cx="{x}" cy="{y}" r="5"><title>{told}</title></circle>' for (x, y), told in each)
        line = "".join(f"{x} {y} " for x, y in drawn)
        return Season(days, line, Markup(points), y(field), field, min(percents), max(percents))  # noqa: S704 - escaped

    def best(self) -> PageTable:
        """Return the table of the three best results."""
        best = sorted(self.scored, key=lambda game: -game.percent)[:3]
        rows = [PageRow([_link(game.href, game.own.percentage), game.row["place"], game.played.when]) for game in best]
        columns = [PageColumn("Score", "k"), PageColumn("Place", "l w"), PageColumn("Date", "l w")]
        return PageTable("best", "Best results", columns, rows, sorts=False)

    def partners(self) -> PageTable:
        """Return the table of the partners, with games, mean and masterpoints, those of the most games first."""
        with_each: dict[tuple[Named, ...], list[GameOfPlayer]] = {}
        for game in self.games:
            if partners := tuple(game.partners.values()):
                with_each.setdefault(partners, []).append(game)
        order = sorted(with_each.values(), key=len, reverse=True)
        return _summed("partners", "Partners", "Partner", [(games[0].beside, games) for games in order])

    def months(self) -> PageTable:
        """Return the table of the months, the newest first."""
        of_month: dict[str, list[GameOfPlayer]] = {}
        for game in self.games:
            of_month.setdefault(f"{game.played.day:%B %Y}" if game.played.day else "Without a date", []).append(game)
        return _summed("months", "By month", "Month", list(of_month.items()))

    def opponents(self) -> PageTable:
        """Return the table of the opponents met on the most boards, with games, boards and the mean against them."""
        met: dict[Named, list[tuple[int, float | None]]] = {}
        for game in self.games:
            for players, boards, added in game.met:
                for player in players:
                    met.setdefault(player, []).append((boards, added))
        order = sorted(met.items(), key=lambda item: -sum(boards for boards, _ in item[1]))
        rows = []
        for player, each in order[:_MOST_OPPONENTS]:
            boards = sum(number for number, _ in each)
            known = [(number, added) for number, added in each if added is not None]
            mean = percent(fsum(added for _, added in known) / sum(number for number, _ in known)) if known else ""
            rows.append(PageRow([_linked(player), len(each), boards or "", mean]))
        note = f"the {_MOST_OPPONENTS} of {len(order)} met most" if len(order) > _MOST_OPPONENTS else ""
        columns = [
            PageColumn("Opponent", "n"),
            PageColumn("Games", "", "games"),
            PageColumn("Boards", "", "boards"),
            PageColumn("Mean", "a"),
        ]
        return PageTable("opponents", "Opponents met", columns, rows, note).filled()

    def table(self) -> PageTable:
        """Return the table of the games."""
        columns = [
            PageColumn("Game", "n"),
            PageColumn("Partner", "l", "with"),
            PageColumn("Place", "l w"),
            PageColumn("Score"),
            PageColumn("Masterpoints", "a"),
        ]
        rows = []
        for game in self.games:
            of_game = [_link(game.href, game.played.dated), game.beside, game.placed]
            rows.append(PageRow([*of_game, game.own.percentage, game.own.masterpoints]))
        return PageTable("games", "Games", columns, rows).filled()


class Season(NamedTuple):
    """The line of a season, in a picture of 600 by 120: its games, how far down the field's mean is, percentages."""

    days: Sequence[str]  # those of its games, the oldest first
    line: str  # where they are
    points: Markup  # the same, each with what is said of it
    level: float
    field: float
    lowest: float
    highest: float


_PAID = Markup("<b>{}</b>")

_AT_LEAST = 50
"""How many games the page of a player has at least before earlier years have pages of their own."""

_MOST_OPPONENTS = 12
"""Of more opponents those are shown that were met on the most boards."""


def _link(href: str, says: str) -> Markup:
    return Markup(f'<a href="{escape(href)}">{escape(says)}</a>')  # noqa: S704 - both are escaped


def _linked(player: Named, called: str = "") -> Markup:
    """Return a link to the page of a player. called: what it says, '' for the player's name."""
    return _link(quote(player.page.rpartition("/")[2]), called or player.name)


def _added(games: Iterable[GameOfPlayer]) -> str:
    """Return the masterpoints of games added up, of each league by itself, '' for none."""
    hundredths: dict[str, int] = {}
    for game in games:
        if game.own.masterpoints:
            league = game.own.league or usual_league()
            hundredths[league] = hundredths.get(league, 0) + round(100 * float(game.own.masterpoints))
    return each_league(hundredths, thousands="")


def _summed(id: str, title: str, of: str, groups: Sequence[tuple[str, Sequence[GameOfPlayer]]]) -> PageTable:
    """Return a table of groups of games: how many, their mean and their masterpoints."""
    rows = []
    for name, games in groups:
        mean = mean_of(game.percent for game in games if game.own.percentage)
        rows.append(PageRow([name, len(games), percent(mean), _added(games)]))
    columns = [
        PageColumn(of, "n"),
        PageColumn("Games", "", "games"),
        PageColumn("Mean", "", "mean"),
        PageColumn("Masterpoints", "a"),
    ]
    return PageTable(id, title, columns, rows).filled()


def player_pages(
    games: SiteGames, left_out: Collection[str], taken: Collection[str]
) -> tuple[list[PlayerPage], SitePeople]:
    """Return the players of some games by surname, and who sat in each.

    left_out: the names and numbers of those who do not want a page.
    taken: the names of files, folded, that are not for them.

    A seat without a name is on no page, nor is one that has a number for a name.
    """
    # The oldest first: so a later game changes neither what a player is called nor which of two namesakes is first.
    counts = games.columns.seats[::-1]
    game, seat = expand_counts(counts)
    begins = (np.cumsum(games.columns.seats) - games.columns.seats)[::-1]
    way, ways = pd.factorize(games.columns.ways[begins[game] + seat])
    parts = [games.written[each].rpartition("\n") for each in ways.tolist()]
    if not parts:
        return [], SitePeople(games, {}, games.columns.told)
    frame = pd.DataFrame(
        {"name": [name for name, *_ in parts], "number": [number or None for *_, number in parts]}, dtype="str"
    )
    pages, _ = pd.factorize(np.array(games.columns.page[::-1], dtype=object))
    who = identify_without_doubts(frame, (pages[game], way))
    out = _left_out(frame.assign(player=who.player), left_out)
    names = {player: str(name) for player, name in enumerate(who.names.tolist()) if player not in out}
    order = sorted(names, key=lambda player: (*by_surname(names[player]), player))
    called = zip(order, _pages((names[player] for player in order), set(taken)), strict=True)
    named = {player: Named(names[player], page) for player, page in called}
    of_way = [named.get(player) for player in who.player.tolist()]
    marks = np.array([int(sha256(repr(each).encode()).hexdigest()[:16], 16) for each in of_way], dtype=np.uint64)
    sat = np.append(np.uint64(0), np.cumsum(marks[way] * (2 * seat + 1).astype(np.uint64)))
    ends = np.cumsum(counts)
    # Each game has its own factor: otherwise nobody saw that two players have changed places in two games.
    told = games.columns.told + (sat[ends] - sat[ends - counts])[::-1] * (games.columns.told | np.uint64(1))
    people = SitePeople(games, dict(zip(ways.tolist(), of_way, strict=True)), told)
    player = who.player[way]
    together = len(player) - 1 - sorted_rows(player[::-1])
    seats = _Seats(people, player[together], len(games) - 1 - game[together], seat[together])
    of_player = [0, *np.cumsum(np.bincount(player, minlength=len(who.names))).tolist()]
    found = []
    for at, (name, page) in named.items():
        first, end = of_player[at : at + 2]
        found.append(PlayerPage(name, page, seats, first, end, end))
    return found, people


@dataclass(frozen=True)
class _Seats:
    """The seats with a name of all games: those of each player together, the newest first."""

    people: SitePeople
    player: Ints  # whose seat each is
    game: Ints  # which game it is in
    seat: Ints  # which of its seats it is

    @cached_property
    def years(self) -> list[int]:
        """The seats with which the games of a player in a year begin; and one behind all that a page may have."""
        year, _ = pd.factorize(np.array([date[:4] for date in self.people.games.columns.date], dtype=object))
        return [*np.flatnonzero(run_starts(self.player, year[self.game])).tolist(), len(self.game) + _AT_LEAST]

    @cached_property
    def _sums(self) -> tuple[Ints, Sums]:
        """How many times the game is another one up to each seat, and the sum of what tells those before it."""
        others = np.cumsum(np.append(0, np.diff(self.game) != 0))
        return others, np.append(np.uint64(0), np.cumsum(self.people.told[self.game]))

    def count(self, first: int, end: int) -> int:
        """Return how many games some seats are in."""
        return int(self._sums[0][end - 1] - self._sums[0][first]) + 1

    def told(self, first: int, end: int) -> int:
        """Return what tells the games of some seats, and all who sat in them, from others."""
        return (int(self._sums[1][end]) - int(self._sums[1][first])) % 2**64

    def games(self, first: int, end: int, *, whole: bool = False) -> list[GameOfPlayer]:
        """Return the games of some seats. whole: more than what was won is told of them."""
        games = self.game[first:end].tolist()
        for what in ("more", "seated") if whole else ("more",):
            self.people.games.read(games, what)
        people = map(self.people.__getitem__, games)
        seats = self.seat[first:end].tolist()
        return [GameOfPlayer(of, NamedSeat(*of.played.more.won[at])) for of, at in zip(people, seats, strict=True)]


class Winner(NamedTuple):
    """Who was first in a game."""

    top: bool  # whether among all, and not in a lower stratum alone
    where: str  # among whom, such as ``N-S``; '' where there is one field
    strata: Sequence[str]  # in which strata, where there are several
    names: str  # those of the players, as far as they have pages
    score: str  # the percentage, '' for none

    @property
    def said(self) -> str:
        """In what it was first: ``N-S A``."""
        return " ".join(filter(None, [self.where, *self.strata]))

    @property
    def order(self) -> tuple[object, ...]:
        """What winners are in order by: the top stratum first, and North-South before East-West."""
        return not self.top, [] if self.top else self.strata, self.where.endswith(EAST_WEST), self.where


def winners(people: PeopleOfGame) -> list[Winner]:
    """Return who was first in a game."""
    found = []
    for top, where, strata, score, begin, end in people.played.more.first:
        if names := [named.name for named in people.sat[begin:end] if named]:
            found.append(Winner(top, where, strata, " – ".join(names), score))
    return sorted(found, key=lambda winner: winner.order)


def _pages(names: Iterable[str], taken: set[str]) -> Iterator[str]:
    """Yield the names of pages, no two of them the same."""
    for name in names:
        stem = safe_stem("-".join(one_plain_name(name).split()), ".html") or "player"
        candidates = (f"{PLAYERS_FOLDER}/{stem}{f'-{n}' if n > 1 else ''}.html" for n in count(1))
        page = next(each for each in candidates if folded_name(each) not in taken)
        taken.add(folded_name(page))
        yield page


def _left_out(seats: pd.DataFrame, wanted: Collection[str]) -> set[int]:
    """Return the players who are on a list of names and numbers.

    A name that differs by one letter, or has its words in another order, counts as the same: a page too few is better
    than one that somebody does not want. So does a player without a number who has the name of somebody on the list.
    """
    if not wanted:
        return set()
    numbers = plain_number(seats["number"])
    names = plain_name(seats["name"])
    listed = numbers.isin(set(map(one_plain_number, wanted)))
    listed |= like_any(seats["name"], pd.Series(sorted(wanted), dtype="str"))
    out = set(seats.loc[listed, "player"])
    namesakes = names.isin(names[seats["player"].isin(out)])
    return out | (set(seats.loc[namesakes, "player"]) - set(seats.loc[numbers.notna(), "player"]))
