"""Doubts about games of several files that may be one game: the same day and players, and a result that was corrected.

What tells two games of one day apart is club, event and session, whether they are of pairs, teams or players alone, and
the part of the day that the names of their files say. What only one of the two says does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Ints, rows_of
from resultproc.model.errors import Problem
from resultproc.model.frames import Sheet, family_columns, game_problem
from resultproc.model.game import BY_MATCHES, EventType
from resultproc.model.identity import plain_name, plain_number

SAID = ["club", "event", "session", "kind", "part"]
"""What tells games of one day apart: the columns of :func:`told`, but for the day."""

WHAT = "this may be the game {} of {} in another version: the day and most of the players are the same"
HINT = "leave out the one that is wrong; if they are two games, declare the session of each"

CODE = "versions.one-game"

_PARTS = re.compile(r"(morning|afternoon|evening|(?<![a-z])(?:am|morn|pm|aft|eve|night)(?![a-z]))")
_SAME_PART = {"am": "morning", "morn": "morning", "aft": "afternoon", "eve": "evening", "night": "evening"}

_OF_TEAMS = dict.fromkeys([*BY_MATCHES, EventType.BAM.value], "teams")
_KINDS = {"": EventType.PAIRS.value, EventType.TEAM_OF_TWO.value: EventType.PAIRS.value, **_OF_TEAMS}


def told(games: pd.DataFrame) -> pd.DataFrame:
    """Return the day of each game and what tells it from others of that day, in plain spelling; empty if not said."""
    said = pd.DataFrame(
        {name: plain_name(games[name].astype("str")).fillna("") for name in ("club", "event", "session")}
    )
    kinds = games["event_type"].astype("str").fillna("").replace(_KINDS)
    days = pd.to_datetime(games["date"]).dt.strftime("%Y-%m-%d").astype("str").fillna("")
    parts = games["source"].astype("str").str.lower().str.extract(_PARTS)[0].replace(_SAME_PART).fillna("")
    return said.assign(date=days, kind=kinds, part=parts)


def contests(said: pd.DataFrame, file: npt.ArrayLike) -> Ints:
    """Return the number of the games that each may be one with: -1 for none, as of most.

    said: as :func:`told` gives it. file: the number of each game's file; games of one file are told apart by that.
    """
    group = pd.Series(pd.factorize(said["date"])[0], said.index)
    for name in SAID:
        by_all = (said[name] != "").groupby(group).transform("all")
        group = said.groupby([group, said[name].where(by_all, "")]).ngroup()
    files = pd.Series(file, said.index).groupby(group).transform("nunique")
    return group.where((files > 1) & (said["date"] != ""), -1).to_numpy(dtype=np.int64)


def seated(contestants: pd.DataFrame, game: npt.ArrayLike) -> pd.DataFrame:
    """Return who played in which game: its number, and a number for each player that is the same for the same name.

    game: the number of each contestant's game. Who has no name goes by the member number.
    """
    found = [pd.DataFrame({"game": np.zeros(0, np.int64), "player": np.zeros(0, np.uint64)})]
    for name in family_columns(contestants):
        who = plain_name(contestants[name].astype("str"))
        number = contestants.get(name.replace("player", "id"))
        who = who if number is None else who.fillna("#" + plain_number(number.astype("str")))
        there = who.notna().to_numpy()
        hashes = pd.util.hash_array(who[there].to_numpy(dtype=object))
        found.append(pd.DataFrame({"game": np.asarray(game)[there], "player": hashes}))
    return pd.concat(found, ignore_index=True).drop_duplicates()


def versions(said: pd.DataFrame, file: npt.ArrayLike, group: Ints, seats: pd.DataFrame) -> list[tuple[int, int]]:
    """Return the games that may be another version of an earlier one, each with that, by their rows.

    group: as :func:`contests` gives it. seats: who played in them, see :func:`seated`, the games by row.
    Each player's first and last game before are looked at, so that this takes no longer where many games are alike.
    """
    seats = seats.assign(group=group[seats["game"]])
    seats = seats[seats["group"] >= 0].sort_values(["group", "player", "game"])
    mine = seats.groupby(["group", "player"])["game"]
    pairs = pd.concat([seats.assign(other=other) for other in (mine.transform("first"), mine.shift())])
    pairs = pairs[pairs["other"] < pairs["game"]].drop_duplicates(["player", "game", "other"])
    shared = pairs.astype({"other": "int64"}).groupby(["game", "other"]).size().reset_index(name="shared")
    every = seats.groupby("game").size()
    row, other = shared["game"].to_numpy(), shared["other"].to_numpy()
    most = np.maximum(*(every.reindex(rows).to_numpy() for rows in (row, other)))
    alike = 2 * shared["shared"].to_numpy() >= most
    alike &= np.asarray(file)[row] != np.asarray(file)[other]
    for name in SAID:
        one, two = (said[name].to_numpy()[rows] for rows in (row, other))
        alike &= (one == two) | (one == "") | (two == "")
    best = shared[alike].sort_values(["game", "shared", "other"], ascending=[True, False, True])
    best = best.drop_duplicates("game")
    return list(zip(best["game"].tolist(), best["other"].tolist(), strict=True))


def files_of_one_game(sheet: Sheet, file: npt.ArrayLike) -> Iterator[Problem]:
    """Yield games that may be another version of one of another file. file: the number of each game's file."""
    said = told(sheet.games)
    group = contests(said, file)
    if (group < 0).all():
        return
    game = rows_of(sheet.contestants["game_id"], sheet.games["game_id"])
    among = group[game] >= 0
    for row, other in versions(said, file, group, seated(sheet.contestants[among], game[among])):
        of = sheet.games.iloc[other]
        yield game_problem(sheet.games, row, WHAT.format(of["game_id"], of["source"]), HINT, code=CODE)
