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
    sessions instead of them ``session1``, ``percentage1`` and so on, of the sessions that have boards. Added up are
    points in hundredths, and percentages are those of the scores as they are shown, as ACBLscore's own files have both.
    A contestant's adjustment is added to a score, and its carry-over to that of an event of one session. Where sections
    of a session have different maxima, scores are raised to the highest, so that they can be added up.
    """
    of_game = games.set_index("game_id")
    several = of_game["sessions"].fillna(1) > 1
    ways = of_game["stored_scored_here"].dropna()
    found = pd.DataFrame({"score": np.nan, "percentage": np.nan}, index=range(len(contestants)))
    listed = contestants["game_id"].map(several).to_numpy(dtype=bool)
    added = contestants[["adjustment", "carryover"]].fillna(0).reset_index(drop=True)
    for way in ways.unique():
        mine = boards[boards["game_id"].isin(ways.index[ways == way])].reset_index(drop=True)
        points = _shown(points_here(way, mine, contestants))
        own = way == Scoring.MATCHPOINTS and bool(mine["ns_partner"].notna().any())  # pairs have theirs in the points
        whole = _rounded(totals(mine, points, contestants, own=own), added["adjustment"])
        whole["score"] += added["carryover"]
        found = found.fillna(whole[~listed])
        split = mine["game_id"].map(several).to_numpy(dtype=bool)
        for number, session in mine[split].groupby("session"):
            each = totals(session, points.loc[session.index], contestants, own=own)
            each = _rounded(_of_one_maximum(each, contestants["game_id"]))
            for name, total in ((f"session{number}", "score"), (f"percentage{number}", "percentage")):
                before = found[name] if name in found else pd.Series(np.nan, found.index)
                found[name] = before.fillna(each[total])
    return found


def _of_one_maximum(found: pd.DataFrame, game: pd.Series[str]) -> pd.DataFrame:
    """Return totals with scores raised to the highest maximum of their game; IMPs have none."""
    most = 100 * found["score"] / found["percentage"].where(found["percentage"] > 0)
    highest = most.groupby(game).transform("max")
    return found.assign(score=(found["percentage"] * highest / 100).fillna(found["score"]))


def _rounded(found: pd.DataFrame, adjustment: pd.Series[float] | float = 0.0) -> pd.DataFrame:
    """Return scores in hundredths with what was adjusted, and the percentages that they are."""
    found = found[["score", "percentage"]].reset_index(drop=True)
    most = 100 * found["score"] / found["percentage"].where(found["percentage"] > 0)
    score = pd.Series(hundredths(found["score"] + adjustment), found.index)
    # Nobody knows the maximum of who has nothing; 0 of it is 0%, but for an adjustment.
    percentage = (100 * score / most.fillna(most.max())).where(found["percentage"].notna())
    return pd.DataFrame({"score": score, "percentage": hundredths(percentage.fillna(found["percentage"]))})


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
    told = boards["game_id"].map(of_game["stored_scored_with"]).where(way.notna())
    boards["scored_with"] = boards["scored_with"].mask(told.notna(), _scored_with(boards["section"], told))
    for each in way.dropna().unique():
        mine = (way == each).to_numpy(dtype=bool)
        points = points_here(each, boards[mine], contestants)
        for side in ("ns", "ew"):
            boards.loc[mine, f"printed_{side}"] = _shown(points)[side]
    return boards


def _shown(points: pd.DataFrame) -> pd.DataFrame:
    """Return points as they are shown and added up: in hundredths, as ACBLscore's own files have them."""
    return points.assign(**{side: hundredths(points[side]) for side in ("ns", "ew")})


def _scored_with(section: pd.Series[str], told: pd.Series[str]) -> pd.Series[str]:
    """Return the first of the sections that each result's section is scored with; none for that one, and if apart.

    told: what ``stored_scored_with`` says of the game of each.
    """
    found = pd.Series(None, section.index, dtype="str")
    for text in told.dropna().unique():
        first = dict(part.split("=") for part in text.split(", "))
        leader = section.map(first).astype("str")
        found = found.mask((told == text).to_numpy(dtype=bool) & (leader != section), leader)
    return found
