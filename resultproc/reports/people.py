"""Who sat in some games: a row per player, told apart over all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import COLOURS, Result, Sheet, game_problem
from resultproc.model.identity import Identities, identify
from resultproc.stages.pipeline import of_games

T = TypeVar("T")


def people(games: pd.DataFrame, contestants: pd.DataFrame) -> tuple[pd.DataFrame, Identities]:
    """Return a row per player of each contestant, and who that is.

    contestants: all of the games, or some; the rows of the frame are numbered by its index. The columns are
    contestant, seat (1 for player1), game (its row) and player.
    """
    columns = [*family_columns(contestants), *family_columns(contestants, "id")]
    seats = pd.concat(
        pd.DataFrame(
            {
                "contestant": contestants.index,
                "seat": number,
                "game": contestants["game_id"],
                "name": contestants.get(f"player{number}"),
                "number": contestants.get(f"id{number}"),
            }
        ).astype({"name": "str", "number": "str"})
        for number in sorted({int(re.sub(r"\D", "", column)) for column in columns})
    ).sort_values("contestant", kind="stable", ignore_index=True)
    who = identify(seats)
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(seats["game"]))
    seats = seats[["contestant", "seat"]].assign(game=game.astype(np.int64), player=who.player)
    return seats[seats["player"] >= 0], who


def awards_of_seats(result: Result, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the award of each seat by colour, its own where the players of a team have different ones."""
    assert result.awards is not None
    columns = ["masterpoints", *COLOURS]
    of_contestant = result.awards[columns].iloc[seats["contestant"]].set_axis(seats.index)
    own = result.player_awards.set_index(["contestant", "player"])[columns]
    of_player = own.reindex(pd.MultiIndex.from_frame(seats[["contestant", "seat"]])).set_axis(seats.index)
    return of_player.fillna(of_contestant).astype("int64")


def best_places(result: Result) -> pd.DataFrame:
    """Return the place of each ranked contestant among all, by its row: overall where its game is ranked so.

    The columns are those of the standings.
    """
    standings = result.standings[result.standings["level"] == 0]
    standings = standings[standings["basis"].isin(["section", "overall"])]
    wide = standings.assign(overall=standings["basis"] == "overall")
    widest = wide.sort_values("overall", ascending=False, kind="stable").drop_duplicates("contestant")
    return widest.set_index("contestant").drop(columns="overall")


def refuse_twice(games: pd.DataFrame, seats: pd.DataFrame) -> None:
    """Refuse a game that has the same players in the same places, on the same day, as one before.

    seats: as :func:`people` gives them, with the ``place`` of each.
    """
    sat = {game: frozenset(zip(rows["player"], rows["place"], strict=True)) for game, rows in seats.groupby("game")}
    seen: dict[object, int] = {}
    problems = []
    for row, date in enumerate(games["date"].astype("str")):
        before = seen.setdefault((date, sat.get(row)), row)
        if before != row:
            what = f"this is the same game as {games['game_id'].iloc[before]}"
            problems.append(game_problem(games, row, what, "give each game once, or declare its date"))
    if problems:
        raise InputError(problems)


def without_those_at_fault(
    sheet: Sheet, listed: Callable[[Sheet], T], unread: Sequence[Problem]
) -> tuple[T, tuple[Problem, ...]]:
    """Return what can be listed of a sheet, and what is wrong with the games that are left out, and with those unread.

    listed: raises InputError for games that it cannot take, each named in its problems. Raises that where no game is
    left, and where no game is named.
    """
    left_out = [*unread]
    while True:
        try:
            return listed(sheet), tuple(left_out)
        except InputError as error:
            left_out += error.problems
            at_fault = {problem.game for problem in error.problems}
            kept = [name for name in sheet.games["game_id"] if name not in at_fault]
            if "" in at_fault or not kept or len(kept) == len(sheet.games):
                raise InputError(left_out) from None
            sheet = of_games(sheet, kept)
