"""Games whose totals are scored here: the points of each result and the totals of each contestant, by what is declared.

How a game is scored stands in the games frame (``stored_scored_here``), so that whoever has its boards gets the same
points again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats
from resultproc.model.game import Scoring
from resultproc.scoring.contracts import contract_scores
from resultproc.scoring.points import (
    board_a_match,
    cross_imps,
    datum_imps,
    matchpoints,
    totals,
    with_average_imps,
    with_own_percentages,
)

BOARD_A_MATCH = "board-a-match"


class Way(NamedTuple):
    """A way to score boards. points: of each result; told: what they are, in words; in_imps: whether they are IMPs."""

    points: Callable[[pd.DataFrame], pd.DataFrame]
    told: str
    in_imps: bool = False


WAYS = {
    Scoring.MATCHPOINTS.value: Way(matchpoints, "the matchpoints"),
    Scoring.CROSS_IMPS.value: Way(cross_imps, "the mean IMPs against the other results", in_imps=True),
    Scoring.BUTLER.value: Way(
        datum_imps, "the IMPs against the mean without the highest and lowest of four or more", in_imps=True
    ),
    BOARD_A_MATCH: Way(board_a_match, "the points of board-a-match"),
}
"""The ways that there are, by what ``stored_scored_here`` says."""


def hundredths(values: Any) -> Floats:
    """Return values rounded to hundredths, away from zero at the half, so that both sides of a result stay opposite."""
    array = np.asarray(values, dtype=np.float64)
    return np.sign(array) * np.floor(np.abs(array) * 100 + 0.5 + 1e-6) / 100 + 0.0


def points_here(way: str, boards: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the exact points of each result, and ``top`` where they are shares of one.

    Adjusted scores are those of Law 12C2 of the Laws of Duplicate Bridge 2017: average plus and minus of pairs at
    matchpoints their own percentages where these are further from average, and 3 IMPs at IMPs. They are NaN where an
    adjusted score is worth no IMPs that the Laws say.
    """
    points = WAYS[way].points(boards)
    if WAYS[way].in_imps:
        return with_average_imps(boards, points)
    return with_own_percentages(boards, points, contestants) if way == Scoring.MATCHPOINTS else points


def totals_here(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the totals of the contestants of games that are scored here, in hundredths; NaN for all others.

    boards: as :func:`boards_here` gives them. The columns are ``score`` and ``percentage``, and in events of several
    sessions instead of them ``session1``, ``percentage1`` and so on, of the sessions that have boards. A contestant's
    adjustment is added to both, its carry-over to the score, and its handicap to the percentage.
    """
    of_game = games.set_index("game_id")
    several = contestants["game_id"].map(of_game["sessions"].fillna(1) > 1).to_numpy(dtype=bool)
    ways = of_game["stored_scored_here"].dropna()
    found = pd.DataFrame({"score": np.nan, "percentage": np.nan}, index=range(len(contestants)))
    for way in ways.unique():
        mine = boards[boards["game_id"].isin(ways.index[ways == way])].reset_index(drop=True)
        points, own = points_here(way, mine, contestants), way == Scoring.MATCHPOINTS
        found = found.fillna(_adjusted(totals(mine, points, contestants, own=own), contestants)[~several])
        split = mine["game_id"].map(of_game["sessions"].fillna(1) > 1).to_numpy(dtype=bool)
        for number, session in mine[split].groupby("session"):
            each = totals(session, points.loc[session.index], contestants, own=own)
            for name, total in ((f"session{number}", "score"), (f"percentage{number}", "percentage")):
                before = found[name] if name in found else pd.Series(np.nan, found.index)
                found[name] = before.fillna(each[total].reset_index(drop=True))
    return found.apply(hundredths)


def _adjusted(found: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return scores and percentages with what was adjusted and carried over, and with handicaps."""
    known = {name: contestants[name].fillna(0) for name in ("adjustment", "carryover", "handicap")}
    most = 100 * found["score"] / found["percentage"].where(found["percentage"] > 0)
    most = most.fillna(most.groupby([contestants["game_id"], contestants["section"]]).transform("max"))
    share = (100 * known["adjustment"] / most).fillna(0)
    total = {
        "score": found["score"] + known["adjustment"] + known["carryover"],
        "percentage": found["percentage"] + share + known["handicap"],
    }
    return pd.DataFrame(total).reset_index(drop=True)


def boards_here(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return boards with all that scoring them gives, in games that are scored here; others are left as they are.

    Scores that results do not have follow from contract, declarer and tricks (Law 77). Sections are compared with one
    another as ``stored_scored_with`` says, and the points, rounded to hundredths, take the place of what is printed.
    """
    if boards.empty or games["stored_scored_here"].isna().all():
        return boards
    of_game = games.set_index("game_id")
    way = boards["game_id"].map(of_game["stored_scored_here"])
    here = way.notna().to_numpy()
    boards = boards.copy()
    lacking = here & boards["score"].isna().to_numpy()
    boards.loc[lacking, "score"] = contract_scores(boards[lacking])
    boards["scored_with"] = boards["scored_with"].mask(here, _scored_with(boards, of_game["stored_scored_with"]))
    for each in way.dropna().unique():
        mine = (way == each).to_numpy(dtype=bool)
        points = points_here(each, boards[mine], contestants)
        for side in ("ns", "ew"):
            boards.loc[mine, f"printed_{side}"] = hundredths(points[side])
    return boards


def _scored_with(boards: pd.DataFrame, stored: pd.Series[str]) -> pd.Series[str]:
    """Return the first of the sections that each result's section is scored with; none for that one, and if apart."""
    said = boards["game_id"].map(stored)
    found = pd.Series(None, boards.index, dtype="str")
    for text in said.dropna().unique():
        first = dict(part.split("=") for part in text.split(", "))
        leader = boards["section"].map(first).astype("str")
        found = found.mask((said == text).to_numpy(dtype=bool) & (leader != boards["section"]), leader)
    return found
