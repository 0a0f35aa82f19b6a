"""Travellers and scorecards: every result of a board, and every board of a contestant, with what it got."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools
from resultproc.model.frames import SCORECARDS, TRAVELLERS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.seats import partners, seats
from resultproc.scoring.points import fields, matchpoints, totals


def travellers(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the travellers of some games: the results of each board, the best of N-S first, those without points last.

    boards: the boards frame; sections that are scored together share their travellers. Points are those that the sheet
    prints; where it prints none of a field, the matchpoints of pairs and individuals whose sheet has percentages, and
    where boards with fewer results are printed without the factor that its totals have, theirs with it. Their
    percentage is of the top: what both sides of most results have together, or of those of a board that is worth less.
    """
    sat = seats(boards, contestants)
    sat |= {f"{side}_partner": rows for side, rows in partners(boards, contestants).items()}
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(boards["game_id"]))
    frame = _points(games, contestants, boards).assign(game=game.astype(np.int64), result=np.arange(len(boards)), **sat)
    section = boards["scored_with"].fillna(boards["section"])
    keys = pd.DataFrame({"game": game, "session": boards["session"], "section": section, "board": boards["board"]})
    frame["traveller"] = keys.groupby(list(keys)).ngroup().astype("int64")
    order = ["traveller", "ns_points", "score"]
    ordered = frame.assign(score=boards["score"]).sort_values(order, ascending=[True, False, False], kind="stable")
    return TRAVELLERS.conform(ordered.drop(columns="score").reset_index(drop=True))


def scorecards(boards: pd.DataFrame, travellers: pd.DataFrame, teams: Collection[int] = ()) -> pd.DataFrame:
    """Return the boards of every contestant in the travellers, by session and board, with the total up to each.

    A board that a contestant met twice counts once, as in :func:`resultproc.scoring.points.totals`: if only one result
    was played by the opponents, too, and not adjusted for them, it is that, in whatever order a file has them.
    teams: the games, as rows of their frame, whose contestants are teams: their pairs met each board N-S and E-W, both
    count, and no total is told, which would be neither a pair's nor the team's.
    """
    of_result = boards.iloc[travellers["result"]].reset_index(drop=True)
    scores = {"ns": of_result["score"], "ew": of_result["ew_score"].fillna(0.0 - of_result["score"])}
    sides = []
    for side, other, name in (("ns", "ew", NORTH_SOUTH), ("ew", "ns", EAST_WEST)):
        adjusted = of_result[f"{side}_adjusted"]
        mine = {
            "game": travellers["game"],
            "result": travellers["result"],
            "side": name,
            "opponents": travellers[other],
            "opponents_partner": travellers[f"{other}_partner"],
            "score": scores[side].where(adjusted.isna()),
            "adjusted": adjusted,
            "ruled": of_result[f"{other}_adjusted"].notna(),
            "points": travellers[f"{side}_points"],
            "percentage": travellers[f"{side}_percentage"],
            "top": travellers["top"].where(travellers[f"{side}_points"].notna()),
        }
        one = pd.DataFrame(mine).assign(session=of_result["session"], board=of_result["board"])
        seated = (travellers[side], travellers[f"{side}_partner"])
        for who, partner in (seated, seated[::-1]):
            sides.append(one.assign(contestant=who, partner=partner)[who >= 0])
    cards = pd.concat(sides)
    of_team = cards["game"].isin(teams)
    cards["pair"] = cards["side"].where(of_team, "")
    order = ["contestant", "session", "board", "pair"]
    cards = cards.assign(unknown=cards["points"].isna()).sort_values([*order, "unknown", "ruled", "result"])
    cards = cards.drop_duplicates(order).reset_index(drop=True)
    so_far = cards[["points", "top"]].where(cards["top"].notna()).fillna(0.0).groupby(cards["contestant"]).cumsum()
    total = cards["points"].fillna(0.0).groupby(cards["contestant"]).cumsum().round(4)
    percentage = 100 * so_far["points"] / so_far["top"].where(so_far["top"] > 0)
    sums = pd.DataFrame({"total": total, "total_percentage": percentage}).mask(cards["pair"] != "")
    cards = cards.drop(columns=["game", "pair", "session", "board", "unknown", "ruled", "top"])
    return SCORECARDS.conform(cards.join(sums))


def _points(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return what each side got at each result, and the same in percent."""
    field = boards.groupby(fields(boards)).ngroup()
    printed = boards[["printed_ns", "printed_ew"]].set_axis(["ns", "ew"], axis=1)
    known = printed.notna().any(axis=1).groupby(field).transform("any")
    of_pairs = games.loc[games["event_type"].fillna(EventType.PAIRS.value).isin(_MATCHPOINTED), "game_id"]
    of_percent = contestants.loc[contestants["percentage"].notna(), "game_id"]
    matchpointed = boards["game_id"].isin(of_pairs) & boards["game_id"].isin(of_percent)
    computed = matchpoints(boards).where(matchpointed)
    plain = boards[["ns_adjusted", "ew_adjusted", "ew_score"]].isna().all(axis=1)
    sums = (printed["ns"] + printed["ew"]).where(plain)
    both = sums.groupby(field).transform("median")
    points = printed.where(known, computed[["ns", "ew"]]).assign(top=both.where(known, computed["top"]))
    own = sums.groupby([field, boards["board"]]).transform("median")
    less = (known & (own < both - _ROUNDED)).to_numpy(dtype=bool)
    if less.any():
        points = _worth_less(boards, contestants, points, less, own)
    top = points["top"].where(points["top"] > 0)  # IMPs have none
    found = {"top": top}
    for side in ("ns", "ew"):
        found |= {f"{side}_points": points[side], f"{side}_percentage": 100 * points[side] / top}
    return pd.DataFrame(found)


_MATCHPOINTED = (EventType.PAIRS.value, EventType.INDIVIDUAL.value)
_ROUNDED = 0.25
"""Sums that differ by less are the same, of points that are rounded."""


def _worth_less(
    boards: pd.DataFrame, contestants: pd.DataFrame, points: pd.DataFrame, less: Bools, own: pd.Series[float]
) -> pd.DataFrame:
    """Return points where some boards have a sum of their own, less than others of their field: without the factor.

    They are worth less than the others, unless the percentages of their game are nearer to totals with the factor: then
    their points have it.
    """
    as_printed = points.assign(top=points["top"].mask(less, own))
    full = matchpoints(boards)
    scale = points["top"] / full["top"].where(full["top"] > 0)
    factored = points.assign(**{side: points[side].mask(less, full[side] * scale) for side in ("ns", "ew")})
    off = [
        (totals(boards, each, contestants)["percentage"] - contestants["percentage"])
        .abs()
        .groupby(contestants["game_id"])
        .mean()
        for each in (as_printed, factored)
    ]
    with_factor = boards["game_id"].map(off[1] < off[0]).fillna(value=False).to_numpy(dtype=bool)
    as_printed[with_factor] = factored[with_factor]
    return as_printed
