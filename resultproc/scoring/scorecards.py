"""Travellers and scorecards: every result of a board, and every board of a contestant, with what it got."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.frames import SCORECARDS, TRAVELLERS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.seats import seats
from resultproc.scoring.matchpoints import fields, matchpoints


def travellers(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the travellers of some games: the results of each board, the best of N-S first, those without points last.

    boards: the boards frame; sections that are scored together share their travellers. Points are those that the sheet
    prints; where it prints none of a field, the matchpoints of pairs whose sheet has percentages. Their percentage is
    of the top: what both sides of most results have together.
    """
    sat = seats(boards, contestants)
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(boards["game_id"]))
    frame = _points(games, contestants, boards).assign(
        game=game.astype(np.int64), ns=sat["ns"], ew=sat["ew"], result=np.arange(len(boards))
    )
    section = boards["scored_with"].fillna(boards["section"])
    keys = pd.DataFrame({"game": game, "session": boards["session"], "section": section, "board": boards["board"]})
    frame["traveller"] = keys.groupby(list(keys)).ngroup().astype("int64")
    order = ["traveller", "ns_points", "score"]
    ordered = frame.assign(score=boards["score"]).sort_values(order, ascending=[True, False, False], kind="stable")
    return TRAVELLERS.conform(ordered.drop(columns="score").reset_index(drop=True))


def scorecards(boards: pd.DataFrame, travellers: pd.DataFrame) -> pd.DataFrame:
    """Return the boards of every contestant in the travellers, by session and board, with the total up to each.

    A board that a contestant met twice counts once, as in :func:`resultproc.scoring.totals.totals`: if only one result
    was played by the opponents, too, and not adjusted for them, it is that, in whatever order a file has them.
    """
    of_result = boards.iloc[travellers["result"]].reset_index(drop=True)
    scores = {"ns": of_result["score"], "ew": of_result["ew_score"].fillna(0.0 - of_result["score"])}
    sides = []
    for side, other, name in (("ns", "ew", NORTH_SOUTH), ("ew", "ns", EAST_WEST)):
        adjusted = of_result[f"{side}_adjusted"]
        mine = {
            "contestant": travellers[side],
            "result": travellers["result"],
            "side": name,
            "opponents": travellers[other],
            "score": scores[side].where(adjusted.isna()),
            "adjusted": adjusted,
            "ruled": of_result[f"{other}_adjusted"].notna(),
            "points": travellers[f"{side}_points"],
            "percentage": travellers[f"{side}_percentage"],
            "top": travellers["top"].where(travellers[f"{side}_points"].notna()),
        }
        sides.append(pd.DataFrame(mine).assign(session=of_result["session"], board=of_result["board"]))
    cards = pd.concat(sides).query("contestant >= 0")
    order = ["contestant", "session", "board"]
    cards = cards.assign(unknown=cards["points"].isna()).sort_values([*order, "unknown", "ruled", "result"])
    cards = cards.drop_duplicates(order).reset_index(drop=True)
    so_far = cards[["points", "top"]].where(cards["top"].notna()).fillna(0.0).groupby(cards["contestant"]).cumsum()
    total = cards["points"].fillna(0.0).groupby(cards["contestant"]).cumsum().round(4)
    percentage = 100 * so_far["points"] / so_far["top"].where(so_far["top"] > 0)
    cards = cards.drop(columns=["session", "board", "unknown", "ruled", "top"])
    return SCORECARDS.conform(cards.assign(total=total, total_percentage=percentage))


def _points(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return what each side got at each result, and the same in percent."""
    field = boards.groupby(fields(boards)).ngroup()
    printed = boards[["printed_ns", "printed_ew"]].set_axis(["ns", "ew"], axis=1)
    known = printed.notna().any(axis=1).groupby(field).transform("any")
    of_pairs = games.loc[games["event_type"].fillna(EventType.PAIRS.value) == EventType.PAIRS.value, "game_id"]
    of_percent = contestants.loc[contestants["percentage"].notna(), "game_id"]
    matchpointed = boards["game_id"].isin(of_pairs) & boards["game_id"].isin(of_percent)
    computed = matchpoints(boards).where(matchpointed)
    plain = boards[["ns_adjusted", "ew_adjusted", "ew_score"]].isna().all(axis=1)
    both = (printed["ns"] + printed["ew"]).where(plain).groupby(field).transform("median")
    top = both.where(known, computed["top"])
    top = top.where(top > 0)  # IMPs have none
    found = {"top": top}
    for side in ("ns", "ew"):
        points = printed[side].where(known, computed[side])
        found |= {f"{side}_points": points, f"{side}_percentage": 100 * points / top}
    return pd.DataFrame(found)
