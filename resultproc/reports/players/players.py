"""What players won in the games of a month, or of any other time: masterpoints by colour, and their best game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

import numpy as np
import pandas as pd

from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import COLOURS, Sheet, game_problem
from resultproc.model.identity import Doubt
from resultproc.model.provenance import Provenance
from resultproc.model.values import tidy
from resultproc.reports.people import awards_of_seats, people, refuse_twice
from resultproc.stages.pipeline import award_each


class Order(StrEnum):
    """How players are listed: the most masterpoints first, by name, or by member number."""

    MASTERPOINTS = "masterpoints"
    NAME = "name"
    NUMBER = "number"


@dataclass(frozen=True)
class Wanted:
    """Which games count: those from one day to another, both included, and of some clubs; None and () for all."""

    since: date | None = None
    until: date | None = None
    clubs: tuple[str, ...] = ()

    def rows(self, games: pd.DataFrame) -> pd.Series[bool]:
        """Return which games these are; none without a date where a time is asked for."""
        wanted = pd.Series(True, games.index)
        if self.since:
            wanted &= games["date"] >= pd.Timestamp(self.since)
        if self.until:
            wanted &= games["date"] <= pd.Timestamp(self.until)
        if self.clubs:
            wanted &= games["club"].astype("str").map(_plain, na_action="ignore").isin(list(map(_plain, self.clubs)))
        return wanted


def _plain(club: str) -> str:
    return tidy(club).casefold()


@dataclass(frozen=True)
class Players:
    """The players of some games.

    wanted: which games were asked for.
    games: those that were awarded, by day.
    rows: one per player: ``player`` (the name), ``id`` (the member number), ``games`` (how many), ``masterpoints`` and
        each colour in hundredths, and of the best one of them ``best_game`` (its row), ``best_masterpoints`` and
        ``best_percentage``.
    doubts: matches of players that may be wrong.
    problems: of games that could not be awarded.
    remarks: what is doubtful about the others.
    provenance: where it all comes from.
    """

    wanted: Wanted
    games: pd.DataFrame
    rows: pd.DataFrame
    doubts: tuple[Doubt, ...]
    problems: tuple[Problem, ...]
    remarks: tuple[Problem, ...]
    provenance: Provenance


def of_games(sheet: Sheet, wanted: Wanted) -> Sheet:
    """Return the games of a sheet that are wanted; raise InputError where there is none.

    A game without a date is left out where a time is asked for, and remarked on.
    """
    rows = wanted.rows(sheet.games)
    if not rows.any():
        raise InputError("there is no such game", hint=_there(sheet.games))
    undated = np.flatnonzero(sheet.games["date"].isna() & ~rows)
    what, hint = "this game has no date, and is left out", "declare its date"
    timed = bool(wanted.since or wanted.until)
    remarks = [game_problem(sheet.games, int(row), what, hint, code="games.left-out") for row in undated if timed]
    names = set(sheet.games.loc[rows, "game_id"])
    kept = [frame[frame["game_id"].isin(names)].reset_index(drop=True) for frame in sheet]
    return Sheet(kept[0], kept[1], (*(each for each in sheet.remarks if each.game in {"", *names}), *remarks))


def _there(games: pd.DataFrame) -> str:
    """Return what games there are: ``from 2026-01-06 to 2026-01-27, of Tuesday Club``."""
    days = [str(day.date()) for day in (games["date"].min(), games["date"].max()) if not pd.isna(day)]
    clubs = sorted(set(games["club"].dropna()))
    of_clubs = ", ".join(clubs[:5]) + (f" and {len(clubs) - 5} more" if len(clubs) > 5 else "")
    parts = [f"from {' to '.join(dict.fromkeys(days))}" if days else "", f"of {of_clubs}" if clubs else ""]
    return "the games are " + (", ".join(filter(None, parts)) or "without date and club")


def players(sheet: Sheet, wanted: Wanted | None = None, order: Order = Order.MASTERPOINTS) -> Players:
    """Return what the players of a sheet's games won.

    wanted: which games count, all where it is not given. A game that cannot be awarded is left out, with its problems.
    A player who sits twice in a game has the better result. Raises InputError where no game is wanted, where none can
    be awarded, and for a game that is there twice.
    """
    wanted = wanted or Wanted()
    result, wrong = award_each(of_games(sheet, wanted))
    problems = tuple(problem for found in wrong.values() for problem in found)
    if result.games.empty:
        raise InputError(problems)
    seats, who = people(result.games, result.contestants)
    percentage = result.contestants["percentage"].reindex(seats["contestant"]).to_numpy()
    score = result.contestants["score"].reindex(seats["contestant"]).to_numpy()
    place = np.nan_to_num(np.where(np.isnan(percentage), score, percentage))
    refuse_twice(result.games, seats.assign(place=place))
    won = seats.join(awards_of_seats(result, seats)).assign(percentage=percentage)
    days = result.games["date"].reset_index(drop=True).reindex(won["game"])
    won = won.assign(date=days.to_numpy())
    best = won.sort_values(
        ["masterpoints", "percentage", "date"], ascending=[False, False, True], kind="stable"
    ).drop_duplicates(["player", "game"])
    sums = best.groupby("player")[["masterpoints", *COLOURS]].sum()
    first = best.drop_duplicates("player").set_index("player")
    rows = pd.DataFrame({"player": who.names, "id": who.numbers, "games": best.groupby("player").size()}).join(sums)
    rows = rows.assign(
        best_game=first["game"], best_masterpoints=first["masterpoints"], best_percentage=first["percentage"]
    )
    provenance = replace(result.provenance, sources=sheet.sources)
    return Players(wanted, result.games, _ordered(rows, order), who.doubts, problems, result.remarks, provenance)


def _ordered(rows: pd.DataFrame, order: Order) -> pd.DataFrame:
    last, name = rows["player"].str.split().str[-1].str.casefold(), rows["player"].str.casefold()
    keyed = rows.assign(last=last, name=name, most=-rows["masterpoints"])
    by = {
        Order.MASTERPOINTS: ["most", "last", "name"],
        Order.NAME: ["last", "name"],
        Order.NUMBER: ["id", "last", "name"],
    }
    ordered = keyed.sort_values(by[order], kind="stable", na_position="last")
    return ordered.drop(columns=["last", "name", "most"]).reset_index(drop=True)
