"""What players won in the games of a month, or of any other time: masterpoints by colour, and their best game.

:func:`players` computes it; below it is written as text, CSV, an Excel workbook, JSON and a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property

import numpy as np
import pandas as pd

from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.frames import COLOURS, FrameRow, Sheet, game_problem
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text, counted
from resultproc.model.whose_points import (
    colours_to_show,
    in_order_of_leagues,
    in_points,
    league_title,
    leagues_of,
    names_leagues,
)
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.result import colour_entries
from resultproc.pages.tables import Writers, aligned, csv_file, table_texts
from resultproc.pages.words import days, heading, percent, wrapped
from resultproc.people.aliases import Aliases
from resultproc.people.identity import IdentityDoubt
from resultproc.people.names import by_surname
from resultproc.people.seated import awards_of_seats, people, player_cells
from resultproc.people.spelling import one_plain_club, plain_club
from resultproc.reports.json_types import BestGame, PlayerEntry, PlayersReport, entry
from resultproc.reports.outcomes import played_between
from resultproc.stages.pipeline import Paying, award_each, keep_games, paid
from resultproc.stages.same_game import refuse_twice


class Order(StrEnum):
    """How players are listed: the most masterpoints first, by name, or by member number."""

    MASTERPOINTS = "masterpoints"
    NAME = "name"
    NUMBER = "number"


@dataclass(frozen=True)
class Wanted:
    """Which games count."""

    since: date | None = None  # the first day that counts, None for any
    until: date | None = None  # the last day that counts, None for any
    clubs: tuple[str, ...] = ()  # those that count; () for all

    def rows(self, games: pd.DataFrame) -> pd.Series[bool]:
        """Return which games these are; none without a date where a time is asked for."""
        wanted = played_between(games, self.since, self.until)
        if self.clubs:
            wanted &= plain_club(games["club"].astype("str")).isin(list(map(one_plain_club, self.clubs)))
        return wanted

    def undated(self, games: pd.DataFrame) -> pd.Series[bool]:
        """Return which games have no date where a time is asked for: they are left out, and it is said."""
        return games["date"].isna() & bool(self.since or self.until)

    def called_now(self, said: Aliases) -> Wanted:
        """Return it with clubs by what they are called now."""
        return replace(self, clubs=tuple(said.clubs_now(pd.Series(self.clubs, dtype="str"))))


@dataclass(frozen=True)
class Players:
    """The players of some games."""

    wanted: Wanted  # which games were asked for
    games: pd.DataFrame  # those that were awarded, by day
    # One per player and league, as points of several are never added up: ``league``, ``who`` (a number for each
    # player), ``player`` (the name), ``id`` (the member number), ``games`` (how many), ``unsure`` (in how many of them
    # somebody should decide who it is), ``masterpoints`` and each colour in hundredths, and of the best one of them
    # ``best_game`` (its row), ``best_masterpoints`` and ``best_percentage``.
    rows: pd.DataFrame
    doubts: tuple[IdentityDoubt, ...]  # matches of players that may be wrong
    problems: tuple[Problem, ...]  # of games that could not be awarded
    remarks: tuple[Problem, ...]  # what is doubtful about the others
    provenance: Provenance  # where it all comes from
    numbered: bool = False  # whether a page and a workbook show member numbers

    @cached_property
    def by_league(self) -> bool:
        """Whether it says of which league each row is."""
        return names_leagues(self.rows["league"])

    @cached_property
    def each_game(self) -> Sequence[FrameRow]:
        """What is said of each game, by its row: to ask the frame for one takes a hundred times as long."""
        return row_dicts(self.games)


def wanted_games(sheet: Sheet, wanted: Wanted) -> Sheet:
    """Return the games of a sheet that are wanted; raise InputError where there is none.

    A game without a date is left out where a time is asked for, and remarked on.
    """
    games = sheet.games
    rows = wanted.rows(games)
    if not rows.any():
        days = [str(day.date()) for day in (games["date"].min(), games["date"].max()) if not pd.isna(day)]
        clubs = sorted(set(games["club"].dropna()))
        of_clubs = ", ".join(clubs[:5]) + (f" and {len(clubs) - 5} more" if len(clubs) > 5 else "")
        parts = [f"from {' to '.join(dict.fromkeys(days))}" if days else "", f"of {of_clubs}" if clubs else ""]
        there = ", ".join(filter(None, parts)) or "without date and club"
        raise InputError("there is no such game", hint=f"the games are {there}")
    undated = np.flatnonzero(wanted.undated(games))
    what, hint = "this game has no date, and is left out", "declare its date"
    remarks = [game_problem(games, int(row), what, hint, code="games.left-out") for row in undated]
    kept = keep_games(sheet, games.loc[rows, "game_id"])
    return replace(kept, remarks=(*kept.remarks, *remarks))


def players(
    sheet: Sheet,
    wanted: Wanted | None = None,
    order: Order = Order.MASTERPOINTS,
    said: Aliases | None = None,
    *,
    archived: bool = False,
    paying: Paying = paid,
) -> Players:
    """Return what the players of a sheet's games won.

    A game that cannot be awarded is left out, with its problems. A player who sits twice in a game has the better
    result.

    wanted: which games count, None for all.
    said: what the user says of who is who, and what clubs are called now.
    archived: the games are those of an archive, which counts one that it has under two events twice, with a remark.
    paying: gives their awards, as for :func:`resultproc.stages.pipeline.award_sheet`.

    Raises InputError where no game is wanted, where none can be awarded, and for a game of files that is there twice.
    """
    wanted, said = wanted or Wanted(), said or Aliases()
    result, wrong = award_each(wanted_games(said.applied(sheet), wanted.called_now(said)), paying=paying)
    problems = tuple(problem for found in wrong.values() for problem in found)
    if result.games.empty:
        raise InputError(problems)
    clubs = sheet.games.set_index("game_id")["club"]
    as_written = result.games.assign(club=result.games["game_id"].map(clubs))
    seats, who = people(as_written, result.contestants, said=said, unsure=True)
    scores = result.contestants[["percentage", "score"]].reindex(seats["contestant"]).set_axis(seats.index)
    if not archived:
        refuse_twice(result.games, seats.assign(place=scores["percentage"].fillna(scores["score"]).fillna(0)))
    days = result.games["date"].reset_index(drop=True).reindex(seats["game"]).to_numpy()
    league = in_order_of_leagues(leagues_of(result.games)).iloc[seats["game"]].array
    scored = seats.join(awards_of_seats(result, seats)).assign(
        percentage=scores["percentage"], date=days, league=league
    )
    by, each = ["masterpoints", "percentage", "date"], ["player", "league"]
    best = scored.sort_values(by, ascending=[False, False, True], kind="stable").drop_duplicates(["player", "game"])
    of_each = best.groupby(each)
    first = best.drop_duplicates(each).set_index(each)[["game", "masterpoints", "percentage"]]
    unsure = scored[scored["unsure"]].groupby(each)["game"].nunique()
    rows = of_each[["masterpoints", *COLOURS]].sum().join(first.add_prefix("best_"))
    rows = rows.assign(games=of_each.size(), unsure=unsure.reindex(rows.index, fill_value=0))
    rows = rows.reset_index().rename(columns={"player": "who"})
    rows = rows.assign(player=rows["who"].map(who.names), id=rows["who"].map(who.numbers))
    provenance = replace(result.provenance, sources=sheet.sources)
    rows = rows.assign(name=["\n".join(by_surname(name)) for name in rows["player"]], most=-rows["masterpoints"])
    orders = {
        Order.MASTERPOINTS: ["league", "most", "name"],
        Order.NAME: ["name", "league"],
        Order.NUMBER: ["id", "name", "league"],
    }
    ordered = rows.sort_values(orders[order], kind="stable", ignore_index=True).drop(columns=["name", "most"])
    return Players(wanted, result.games, ordered, who.doubts, problems, result.remarks, provenance)


WRITERS: Writers[[Players]] = Writers()


def players_title(found: Players) -> str:
    """Return which games these are: ``Masterpoints, May 2026``."""
    since, until = found.wanted.since, found.wanted.until
    dates = found.games["date"].dropna()
    first = since or (dates.min().date() if len(dates) else until)
    last = until or (dates.max().date() if len(dates) else since)
    if first and last and first.day == 1 and last == (pd.Timestamp(first) + pd.offsets.MonthEnd()).date():
        return f"Masterpoints, {first:%B %Y}"
    said = days(first, last) if first and last else ""
    return ", ".join(filter(None, ["Masterpoints", said]))


def _facts(found: Players) -> list[str]:
    """Return the number of games and players, and the clubs."""
    clubs = list(dict.fromkeys(as_it_is(cell_text(club)) for club in found.games["club"].dropna()))
    counts = f"{counted(len(found.games), 'game')}, {counted(found.rows['who'].nunique(), 'player')}"
    return [counts, *([", ".join(clubs)] if 0 < len(clubs) <= 5 else [])]


def _best(found: Players, row: FrameRow) -> str:
    """Return a player's best game in words: ``0.90, 62.50%, 6 Jan 2026, Tuesday Pairs``."""
    game = found.each_game[int(row["best_game"])]
    parts = [
        in_points(row["best_masterpoints"], row["league"]) if row["best_masterpoints"] else "",
        percent(row["best_percentage"]),
        "" if pd.isna(game["date"]) else f"{game['date'].day} {game['date']:%b %Y}",
        heading(game),
    ]
    return ", ".join(filter(None, parts))


@WRITERS.text
def text(found: Players) -> Iterator[str]:
    """Yield the players as a table; the best game, which comes last, goes on below itself where a line is full."""
    yield from (*map(in_words, (players_title(found), *_facts(found))), "")
    table = table_texts(_table(replace(found, numbered=True)))
    before = [max(map(len, column)) + 2 for column in zip(*table, strict=True)][:-1]
    for line in aligned(table, {*range(2 + found.by_league), len(before)}):
        yield from wrapped(line, sum(before))


@WRITERS("csv")
def to_csv(found: Players) -> bytes:
    """Return the players as CSV, with every colour and the parts of the best game in columns of their own.

    The league of the points comes last, where they are not all of the usual one.
    """
    best = ["best_game", "best_date", "best_event", "best_masterpoints", "best_percentage"]
    rows = []
    for row in row_dicts(found.rows):
        amounts = [decimal_text(int(row[name])) for name in ("masterpoints", *COLOURS)]
        of_best = ("" if each is None else str(each) for each in _best_entry(found, row).values())
        named = [row["league"]] * found.by_league
        rows.append([*player_cells(row), row["games"], row["unsure"], *amounts, *of_best, *named])
    last = [*best, *["league"] * found.by_league]
    return csv_file(["player", "id", "games", "unsure", "masterpoints", *COLOURS, *last], rows)


def _best_entry(found: Players, row: FrameRow) -> BestGame:
    game = found.each_game[int(row["best_game"])]
    of_best = {name: row[f"best_{name}"] for name in ("masterpoints", "percentage")}
    event: str | None = None if pd.isna(game["event"]) else cell_text(game["event"])
    return entry(BestGame, of_best, game=cell_text(game["game_id"]), date=game["date"], event=event)


@WRITERS.json
def to_json(found: Players) -> PlayersReport:
    """Return the players as JSON: masterpoints are decimal strings."""
    players = []
    for row in row_dicts(found.rows):
        known = {"name": row["player"], "colours": colour_entries(row), "best": _best_entry(found, row)}
        players.append(entry(PlayerEntry, row, **known, league=row["league"] if found.by_league else None))
    return entry(PlayersReport, found, **vars(found.wanted), players=players)


@WRITERS.sheets
def shown(found: Players) -> Report:
    """Return the table of players; a tap on a heading sorts by it."""
    table = [_table(found)]
    return Report(
        players_title(found),
        table,
        {"Players": table},
        facts=_facts(found),
        problems=found.problems,
        remarks=[*(doubt.what for doubt in found.doubts), *quoted(found.remarks)],
        provenance=found.provenance,
    )


def _table(found: Players) -> PageTable:
    colours = colours_to_show(found.rows)
    columns = [
        PageColumn("Player", "n"),
        *([PageColumn("Member no", "l", "Member no")] * found.numbered),
        *([PageColumn("League", "l", "League")] * found.by_league),
        PageColumn("Games", "", "Games"),
        PageColumn("Masterpoints", "a"),
        *(PageColumn(name, "", name) for name in map(str.capitalize, colours)),
        PageColumn("Best game", "l", "Best"),
    ]
    rows = []
    for row in row_dicts(found.rows):
        names = [*player_cells(row, numbered=found.numbered), *[league_title(row["league"])] * found.by_league]
        amounts = [in_points(row[name], row["league"]) if row[name] else "" for name in ("masterpoints", *colours)]
        rows.append(PageRow([*names, row["games"], *amounts, _best(found, row)]))
    return PageTable("players", "Players", columns, rows, counted(found.rows["who"].nunique(), "player"), people=True)
