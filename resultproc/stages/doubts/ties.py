"""Ties of rounded percentages that the file's own places part."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from resultproc.model.arrays import rows_of
from resultproc.model.errors import Problem
from resultproc.model.frames import Result, game_problem
from resultproc.stages.comparisons import printed_places


@dataclass(frozen=True)
class Tie:
    """Contestants of a game who are tied, and whose places differ.

    contestants: their rows, in the order of their places. of_game: the same, counted within the game.
    """

    game: int
    contestants: list[int]
    of_game: list[int]

    def remark(self, result: Result, now: list[str], then: list[str]) -> Problem:
        """Return the remark on it. now, then: what they are paid, and by their places, where that is known."""
        rows = result.contestants.iloc[self.contestants]
        called = [
            " ".join(filter(None, map(_text, each))) for each in rows[["section", "direction", "number"]].to_numpy()
        ]
        percentage = f"{rows['percentage'].iloc[0]:.4f}".rstrip("0").rstrip(".")
        would = f"; by these they would get {_listed(then)} for the {_listed(now)} that they get" if then else ""
        what = f"{_listed(called)} are tied at {percentage}, and the places in the file part them{would}"
        where = _text(rows["where"].iloc[0])
        hint = "declare by_place = true to rank by the places, or write the percentages with more decimals"
        found = game_problem(result.games, self.game, what, hint, where)
        return replace(found, code="places.part-a-tie")


def parted_ties(result: Result) -> list[Tie]:
    """Return, of each game that is compared by percentages, the first tie that its places part."""
    games, contestants, standings = result.games, result.contestants, result.standings
    if contestants["printed_section"].isna().all() or not (standings["tied"] > 1).any():
        return []
    game = rows_of(contestants["game_id"], games["game_id"])
    place = printed_places(games, contestants, game)
    tied = standings[(standings["basis"] == "section") & (standings["level"] == 0) & (standings["tied"] > 1)]
    tied = tied[["game", "contestant", "group", "position"]].assign(place=place[tied["contestant"]])
    tied = tied[contestants["score"].isna().to_numpy()[tied["contestant"]] & tied["place"].notna().to_numpy()]
    tied = tied[(games["by_place"] != "true").to_numpy()[tied["game"]]]
    apart = tied.groupby(["group", "position"])["place"].transform("nunique") > 1
    ties = []
    for number, of_game in tied[apart].groupby("game"):
        group, position = of_game[["group", "position"]].iloc[0]
        rows = of_game[(of_game["group"] == group) & (of_game["position"] == position)].sort_values("place")
        listed = rows["contestant"].tolist()
        start = np.flatnonzero(game == number)
        ties.append(Tie(int(str(number)), listed, np.searchsorted(start, listed).tolist()))
    return ties


def _text(value: object) -> str:
    return "" if pd.isna(value) else str(value)  # type: ignore[call-overload]


def _listed(texts: list[str]) -> str:
    """Return ``0.80 and 0.56``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]])
