"""What contracts score: Law 77 of the Laws of Duplicate Bridge 2017, whose figures are in ``law77.toml``.

A deal has few outcomes: 35 contracts, three ways doubled, vulnerable or not, 0 to 13 tricks. All are scored once, and
the results of boards look theirs up.

Games whose totals are scored here have the points of each result and the totals of each contestant by what is declared.
How a game is scored stands in the games frame (``stored_scored_here``), so that whoever has its boards gets the same
points again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, map_text
from resultproc.model.at_the_table import vulnerability
from resultproc.model.game import Scoring
from resultproc.model.toml import toml_beside
from resultproc.scoring.points import (
    board_a_match,
    cross_imps,
    datum_imps,
    matchpoints,
    meetings,
    team_imps,
    totals,
    with_average_imps,
    with_own_percentages,
)

DENOMINATIONS = ("C", "D", "H", "S", "NT")
BOOK = 6
"""The tricks that count for nothing: a contract of one is for one more."""

ALL_TRICKS = 13
_SHAPE = (7, len(DENOMINATIONS), 3)

CONTRACTS = tuple(
    f"{level}{denomination}{doubled}"
    for level in range(1, 8)
    for denomination in DENOMINATIONS
    for doubled in ("", "X", "XX")
)
"""Every contract but Pass, as the boards frame has them."""

_NUMBERS = {contract: number for number, contract in enumerate(CONTRACTS)}

PASSED_OUT = "Pass"


@cache
def scores_of_contracts() -> Ints:
    """Return what every contract scores to declarer, by its number, whether that side is vulnerable, and tricks."""
    law = toml_beside(__file__, "law77.toml")
    level, denomination, doubled, vulnerable, tricks = np.indices((*_SHAPE, 2, ALL_TRICKS + 1))
    level += 1

    def of(name: str, at: Ints) -> Ints:
        return np.array(law[name], dtype=np.int64)[at]

    trick = of("further_tricks", denomination)
    bid = (of("first_trick", denomination) + (level - 1) * trick) * of("multiplied", doubled)
    over = tricks - BOOK - level
    doubled_over = np.where(doubled == 1, of("overtrick_doubled", vulnerable), of("overtrick_redoubled", vulnerable))
    slam = np.select([level == 6, level == 7], [of("small_slam", vulnerable), of("grand_slam", vulnerable)])
    level_premium = np.where(bid >= law["game_from"], of("game", vulnerable), of("part_score", vulnerable))
    made = bid + over * np.where(doubled > 0, doubled_over, trick) + of("making", doubled) + slam + level_premium
    first, further, from_fourth = (np.array(each)[vulnerable, doubled] for each in law["undertricks"].values())
    lost = first + (-over - 1) * further + np.maximum(-over - 3, 0) * from_fourth
    scores: Ints = np.where(over >= 0, made, -lost)
    return scores.reshape(len(CONTRACTS), 2, ALL_TRICKS + 1)


def contract_number(contracts: pd.Series[str]) -> Ints:
    """Return the number of each contract, its place in :data:`CONTRACTS`; -1 for Pass and for none."""
    return map_text(contracts, lambda contract: _NUMBERS.get(contract, -1), -1)


def declarer_side(declarer: pd.Series[str]) -> Ints:
    """Return 1 where N-S declared, -1 where E-W did, 0 where nobody knows."""
    return map_text(declarer, lambda seat: 1 if seat in "NS" else -1, 0)


def is_vulnerable(board: Any, side: Any) -> Bools:
    """Return whether a side is vulnerable on a board: 1 is N-S, -1 E-W."""
    vulnerable: Bools = (vulnerability(np.asarray(board)) & np.where(np.asarray(side) > 0, 1, 2)) > 0
    return vulnerable


def contract_scores(boards: pd.DataFrame) -> Floats:
    """Return the points to N-S that contract, declarer and tricks of each result give: NaN where one is not known.

    boards: the columns ``board``, ``contract``, ``declarer`` and ``tricks`` of the boards frame. A deal that was passed
    out scores nothing; nor does one with more tricks than there are.
    """
    contract, side = contract_number(boards["contract"]), declarer_side(boards["declarer"])
    tricks = boards["tricks"].fillna(-1).to_numpy(dtype=np.int64)
    known = (contract >= 0) & (side != 0) & (tricks >= 0) & (tricks <= ALL_TRICKS)
    vulnerable = is_vulnerable(boards["board"], side).astype(np.int64)
    scores = np.full(len(boards), np.nan)
    scores[known] = (scores_of_contracts()[contract[known], vulnerable[known], tricks[known]]) * side[known]
    scores[(boards["contract"] == PASSED_OUT).to_numpy(dtype=bool)] = 0
    return scores


class ParContract(NamedTuple):
    """A contract that scores par."""

    level: int  # what is bid
    denomination: str  # in which suit, or NT
    over: int  # 0 where it is just made; else how far it goes down, doubled, such as -2
    seats: str  # who can declare it so, North first: ``NS``


def contracts_at_par(tricks: Mapping[tuple[str, str], int], par: float, board: int) -> list[ParContract]:
    """Return the contracts that score par; none where no contract does.

    Each is made exactly, or doubled and down, and the other side has no higher contract that is better for it.

    tricks: what each seat takes in each denomination.
    par: points to N-S.
    board: its number, which says who is vulnerable.
    """
    every = [
        (level, DENOMINATIONS.index(denomination), seat, min(taken - BOOK - level, 0))
        for (seat, denomination), taken in tricks.items()
        for level in range(1, 8)
    ]
    results = pd.DataFrame(
        {
            "board": board,
            "contract": [f"{level}{DENOMINATIONS[rank]}{'X' * (over < 0)}" for level, rank, _, over in every],
            "declarer": [seat for _, _, seat, _ in every],
            "tricks": [level + BOOK + over for level, _, _, over in every],
        }
    )
    scored = list(zip(every, contract_scores(results).tolist(), strict=True))
    # The highest contract of each side that is better for it than par: what the other side bids has to be above that.
    above = {
        side: max((bid[:2] for bid, score in scored if bid[2] in side and sign * (score - par) > 0), default=(0, 0))
        for side, sign in (("NS", 1), ("EW", -1))
    }
    found: dict[tuple[int, int, int], str] = {}
    for (level, rank, seat, over), score in scored:
        if score == par and (level, rank) > above["EW" if seat in "NS" else "NS"]:
            found[level, rank, over] = found.get((level, rank, over), "") + seat
    return [
        ParContract(level, DENOMINATIONS[rank], over, "".join(sorted(seats, key="NSEW".index)))
        for (level, rank, over), seats in found.items()
    ]


BOARD_A_MATCH = "board-a-match"
TEAM_IMPS = "team-imps"
FACTORED_IMPS = "cross-imps-factored"


class Way(NamedTuple):
    """A way to score boards."""

    points: Callable[[pd.DataFrame], pd.DataFrame]  # gives the points of results
    told: str  # what they are, in words
    in_imps: bool = False  # whether they are IMPs


WAYS = {
    Scoring.MATCHPOINTS.value: Way(matchpoints, "the matchpoints"),
    Scoring.CROSS_IMPS.value: Way(cross_imps, "the mean IMPs against the other results", in_imps=True),
    FACTORED_IMPS: Way(
        partial(cross_imps, factored=True),
        "the IMPs against the other results, factored where some lack, raised where a pair sat out (imps = factored)",
        in_imps=True,
    ),
    Scoring.BUTLER.value: Way(
        datum_imps, "the IMPs against the mean without the highest and lowest of four or more", in_imps=True
    ),
    BOARD_A_MATCH: Way(board_a_match, "the points of board-a-match"),
    TEAM_IMPS: Way(team_imps, "the IMPs between the two tables", in_imps=True),
}
"""The ways that there are, by what ``stored_scored_here`` says."""


def round_hundredths(values: Any) -> Floats:
    """Return values rounded to hundredths, away from zero at the half, so that both sides of a result stay opposite."""
    array = np.asarray(values, dtype=np.float64)
    return np.sign(array) * np.floor(np.abs(array) * 100 + 0.5 + 1e-6) / 100 + 0.0


def points_here(way: str, boards: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the exact points of each result, and ``top`` where they are shares of one.

    Adjusted scores are those of Law 12C2 of the Laws of Duplicate Bridge 2017: average plus and minus of pairs at
    matchpoints their own percentages where these are further from average, and 3 IMPs at IMPs. They are NaN where an
    adjusted score is worth no IMPs that the Laws say.

    way: a key of :data:`WAYS`, how boards are scored.
    boards: in the boards frame's columns; ``contestants`` played them.
    """
    points = WAYS[way].points(boards)
    if WAYS[way].in_imps:
        return with_average_imps(boards, points)
    return with_own_percentages(boards, points, contestants) if way == Scoring.MATCHPOINTS else points


def totals_here(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the totals of the contestants of games that are scored here, in hundredths; NaN for all others.

    boards: as :func:`boards_here` gives them. The columns are ``score`` and ``percentage``, and in events of several
    sessions instead of them ``session1``, ``percentage1`` and so on, of the sessions that have boards. Points are added
    up in hundredths, and percentages are those of the scores as they are shown, as ACBLscore's own files have both. A
    contestant's adjustment is added to a score, and its carry-over to that of an event of one session. Where sections
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
        points = in_hundredths(points_here(way, mine, contestants))
        if way in (TEAM_IMPS, BOARD_A_MATCH):
            mine["board"] = meetings(mine)  # teams may play the same numbers in several matches, and all count
        in_full = way == FACTORED_IMPS  # sit-outs are raised to as many boards as others played
        own = way == Scoring.MATCHPOINTS and bool(mine["ns_partner"].notna().any())  # pairs have theirs in the points
        whole = totals(mine, points, contestants, own=own)
        whole = rounded_scores(whole.assign(score=whole["scaled"]) if in_full else whole, added["adjustment"])
        whole["score"] += added["carryover"]
        found = found.fillna(whole[~listed])
        split = mine["game_id"].map(several).to_numpy(dtype=bool)
        for number, session in mine[split].groupby("session"):
            each = totals(session, points.loc[session.index], contestants, own=own)
            if in_full:
                each["score"] = each["scaled"]
            else:  # raised to the highest maximum of their game; IMPs have none
                most = 100 * each["score"] / each["percentage"].where(each["percentage"] > 0)
                highest = most.groupby(contestants["game_id"]).transform("max")
                each["score"] = (each["percentage"] * highest / 100).fillna(each["score"])
            each = rounded_scores(each)
            for name, total in ((f"session{number}", "score"), (f"percentage{number}", "percentage")):
                before = found[name] if name in found else pd.Series(np.nan, found.index)
                found[name] = before.fillna(each[total])
    return found


def rounded_scores(found: pd.DataFrame, adjustment: pd.Series[float] | float = 0.0) -> pd.DataFrame:
    """Return scores in hundredths with what was adjusted, and the percentages that they are."""
    found = found[["score", "percentage"]].reset_index(drop=True)
    most = 100 * found["score"] / found["percentage"].where(found["percentage"] > 0)
    score = pd.Series(round_hundredths(found["score"] + adjustment), found.index)
    # Nobody knows the maximum of who has nothing; 0 of it is 0%, except for an adjustment.
    percentage = (100 * score / most.fillna(most.max())).where(found["percentage"].notna())
    return pd.DataFrame({"score": score, "percentage": round_hundredths(percentage.fillna(found["percentage"]))})


def boards_here(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return boards with all that scoring them gives, in games that are scored here; others are left as they are.

    Scores that results do not have follow from contract, declarer and tricks (Law 77). Sections are compared with one
    another as ``stored_scored_with`` says, and the points, rounded to hundredths, take the place of what is printed.

    games: with ``stored_scored_here``, which says how a game is scored, empty for one that is not scored here.
    boards: in the boards frame's columns.
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
    section = boards["section"]
    found = pd.Series(None, section.index, dtype="str")
    for text in told.dropna().unique():
        first = dict(part.split("=") for part in text.split(", "))
        leader = section.map(first).astype("str")
        found = found.mask((told == text).to_numpy(dtype=bool) & (leader != section), leader)
    boards["scored_with"] = boards["scored_with"].mask(told.notna(), found)
    for each in way.dropna().unique():
        mine = (way == each).to_numpy(dtype=bool)
        points = points_here(each, boards[mine], contestants)
        for side in ("ns", "ew"):
            boards.loc[mine, f"printed_{side}"] = in_hundredths(points)[side]
    return boards


def in_hundredths(points: pd.DataFrame) -> pd.DataFrame:
    """Return points as they are shown and added up: in hundredths, as ACBLscore's own files have them."""
    return points.assign(**{side: round_hundredths(points[side]) for side in ("ns", "ew")})
