"""How many boards each contestant was to play, from the results of boards."""

from __future__ import annotations

import pandas as pd

from resultproc.model.game import EventType
from resultproc.model.seats import seats

_WHOLE_SESSIONS = (EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events whose key ``boards`` is of a session; in Swiss teams and knockouts it is of a match."""


def with_boards_played(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the games with their boards, where a game of one session lists its results and does not say how many.

    It is the most that anybody played: who sat out was to play as many. boards: the boards frame of the games.
    """
    unsaid = games["boards"].isna() & (games["sessions"].fillna(1) == 1)
    unsaid &= games["event_type"].isna() | games["event_type"].isin(_WHOLE_SESSIONS)
    results = boards[boards["game_id"].isin(games["game_id"][unsaid])]
    if results.empty:
        return games
    sat = pd.concat(
        [results[["game_id", "board"]].assign(row=row) for row in seats(results, contestants).values()]
    ).drop_duplicates()
    played = sat[sat["row"] >= 0].groupby(["game_id", "row"]).size().groupby("game_id").max()
    found = games["game_id"].map(played).where(unsaid)
    return games.assign(boards=games["boards"].fillna(found.astype("Int64")))
