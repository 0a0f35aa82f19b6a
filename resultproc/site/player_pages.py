"""The pages of players: for each one the games of the folder, with partner, place, percentage and masterpoints.

They have names and no numbers. Whoever is on a club's list of those who do not want such a page is on no page, not
even as somebody's partner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup

from resultproc.model.arrays import family_columns, row_dicts, rows_of
from resultproc.model.basis import Kind
from resultproc.model.files import folded_name, safe_stem
from resultproc.model.frames import AwardedResult, Result
from resultproc.model.places import ordinal_text
from resultproc.model.text import text_there
from resultproc.pages.page import PageColumn, PageRow, PageTable
from resultproc.pages.printed import masterpoints_text
from resultproc.pages.words import short_day
from resultproc.people.game import identify_without_doubts
from resultproc.people.names import by_surname
from resultproc.people.spelling import like_any, one_plain_name, one_plain_number, plain_name, plain_number
from resultproc.reports.outcomes import best_places

PLAYERS_FOLDER = "players"
"""The folder of the pages."""


def who_sat(result: AwardedResult) -> list[dict[str, Any]]:
    """Return who each contestant is and what it won, as texts.

    ``game`` is the row of its game, ``names``, ``numbers`` and ``masterpoints`` have one for each player, empty for
    none, ``place`` is such as ``2nd of 9``, and ``percentage`` such as ``61.57%``.
    """
    contestants = result.contestants
    own = {(row["contestant"], row["player"]): row["masterpoints"] for row in row_dicts(result.player_awards)}
    seats = {int(name.removeprefix("player")): name for name in family_columns(contestants)}
    won = pd.DataFrame(
        {n: [own.get((at, n), all_) for at, all_ in enumerate(result.awards["masterpoints"])] for n in seats}
    ).apply(lambda each: masterpoints_text(each).where(each > 0, ""))
    places = _places(result)
    game = rows_of(contestants["game_id"], result.games["game_id"]).tolist()
    found = []
    for at, row in enumerate(row_dicts(contestants)):
        percentage = "" if pd.isna(row["percentage"]) else f"{row['percentage']:.2f}%"
        taken = [n for n, name in seats.items() if text_there(row[name]) or text_there(row.get(f"id{n}"))]
        found.append(
            {
                "game": game[at],
                "names": [text_there(row[seats[n]]) for n in taken],
                "numbers": [text_there(row.get(f"id{n}")) for n in taken],
                "masterpoints": [won.at[at, n] for n in taken],
                "place": places.get(at, ""),
                "percentage": percentage,
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


@dataclass(frozen=True)
class Played:
    """A game that players have on their pages.

    day: its date, None where that is not known.
    title: the event's name, else the game's.
    page: its name in the folder.
    part: the anchor of the game there, '' where the page has no other game.
    seated: who played, see :func:`who_sat`; empty where there are no pages of players.
    """

    day: date | None
    title: str
    page: str
    part: str
    seated: Sequence[Mapping[str, Any]] = field(repr=False)

    @property
    def when(self) -> str:
        """The whole day as links and tables write it, ``Wed 18 Apr 2012``; '' where it is not known."""
        return short_day(self.day) if self.day else ""


class GameOfPlayer(NamedTuple):
    """A game of one player, as the page has it: texts as in :func:`who_sat`.

    partner: the names of those who played with the player, as far as they have pages.
    anchor: that of the contestant on the page of the game.
    """

    played: Played
    partner: str
    place: str
    percentage: str
    masterpoints: str
    anchor: str

    @property
    def href(self) -> str:
        """The link from the folder of players to its own line there."""
        return f"../{quote(self.played.page)}#{self.anchor}"


@dataclass(frozen=True)
class PlayerPage:
    """A player with a page.

    name: the player's.
    page: its name in the folder.
    games: those of the player, the newest first.
    """

    name: str
    page: str
    games: Sequence[GameOfPlayer]

    @property
    def count(self) -> int:
        """How many games there are."""
        return len({id(game.played) for game in self.games})

    @property
    def href(self) -> str:
        """The link to the page from the first folder."""
        return quote(self.page)

    def table(self) -> PageTable:
        """Return the table of the games."""
        link = Markup('<a href="{}">{}</a>')
        time = Markup('<time datetime="{}">{}</time>')
        every: list[tuple[PageColumn, list[object]]] = [
            (PageColumn("Game", "n"), [link.format(game.href, game.played.title) for game in self.games]),
            (PageColumn("Partner", "l", "with"), [game.partner for game in self.games]),
            (
                PageColumn("Date", "l w"),
                [day and time.format(day, game.played.when) for game in self.games for day in [game.played.day or ""]],
            ),
            (PageColumn("Place", "l w"), [game.place for game in self.games]),
            (PageColumn("Score"), [game.percentage for game in self.games]),
            (PageColumn("Masterpoints", "a"), [game.masterpoints for game in self.games]),
        ]
        said = [(column, cells) for column, cells in every if any(cells)]  # a column that is empty is none
        rows = [PageRow(cells) for cells in zip(*(cells for _, cells in said), strict=True)]
        return PageTable("games", "Games", [column for column, _ in said], rows)


def player_pages(games: Sequence[Played], left_out: Collection[str], taken: Collection[str]) -> list[PlayerPage]:
    """Return the players of some games by surname, with those games in the same order.

    games: the newest first.
    left_out: the names and numbers of those who do not want a page.
    taken: the names of files, folded, that are not for them.

    A seat without a name is on no page, nor is one that has a number for a name.
    """
    # The oldest first: so a later game changes neither what a player is called nor which of two namesakes is first.
    rows = [(game, row) for game in reversed(games) for row in game.seated]
    seats = [(game, row, seat) for game, row in rows for seat, name in enumerate(row["names"]) if _is_name(name)]
    frame = pd.DataFrame(
        {
            "game": [game.page for game, _, _ in seats],
            "name": [row["names"][seat] for _, row, seat in seats],
            "number": [row["numbers"][seat] or None for _, row, seat in seats],
        }
    ).astype({"name": "str", "number": "str"})
    if frame.empty:
        return []
    who = identify_without_doubts(frame)
    out = _left_out(frame.assign(player=who.player), left_out)
    sat = [(*each, player) for each, player in zip(seats, who.player.tolist(), strict=True) if player not in out]
    shown: dict[int, list[int]] = {}
    for _, row, seat, _ in sat:
        shown.setdefault(id(row), []).append(seat)
    found: dict[int, list[GameOfPlayer]] = {}
    for game, row, seat, player in sat:
        partners = ", ".join(row["names"][other] for other in shown[id(row)] if other != seat)
        mine = GameOfPlayer(game, partners, row["place"], row["percentage"], row["masterpoints"][seat], row["anchor"])
        found.setdefault(player, []).append(mine)
    names = {player: str(who.names[player]) for player in found}
    order = sorted(found, key=lambda player: (*by_surname(names[player]), player))
    called = _pages([names[player] for player in order], set(taken))
    return [PlayerPage(names[player], page, found[player][::-1]) for player, page in zip(order, called, strict=True)]


def _is_name(name: str) -> bool:
    """Say whether a text is a name: one without a letter, or a member number, is not."""
    is_number = any(map(str.isdigit, name)) and one_plain_number(name).isdigit()
    return any(map(str.isalpha, name)) and not is_number


def _pages(names: Iterable[str], taken: set[str]) -> Iterator[str]:
    """Yield the names of pages, no two of them the same."""
    for name in names:
        stem = safe_stem("-".join(one_plain_name(name).split()), ".html") or "player"
        candidates = (
            f"{PLAYERS_FOLDER}/{stem}{more}.html" for more in ("", *(f"-{n}" for n in range(2, len(taken) + 3)))
        )
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
