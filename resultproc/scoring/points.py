"""What results are worth, and what contestants have of them: matchpoints, IMPs, totals, travellers and scorecards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, Ints, distinct_rows
from resultproc.model.at_the_table import partners, seats
from resultproc.model.frames import BOARDS, SCORECARDS, TRAVELLERS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.toml import toml_beside

PAIRS_AND_INDIVIDUALS = (EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events whose contestants' totals are those of their boards."""

SINGLE = 60
"""Percent of the top for the only result of a board: average plus for both, as the league's scoring program has it.

(Game file 170724.ACA of the public repository morrisjones/nap, section NN, board 16.)"""


def fields(boards: pd.DataFrame, *within: str) -> Ints:
    """Return a number for each field that results are compared within: sections, those scored together as one.

    within: the columns by which it is divided further, such as ``board``.
    """
    section = boards["scored_with"].fillna(boards["section"])
    return distinct_rows(boards[["game_id", "session", *within]].assign(section=section))[0]


def matchpoints(boards: pd.DataFrame, *, factored: bool = True) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the matchpoints of each result, and ``top``, the most that it could have had.

    boards: the boards frame; a row without score and adjustment counts for nothing and gets NaN.
    A board with fewer results than others of its field is factored up to their top (Laws of Duplicate Bridge 2017,
    Law 78A and 87B; Neuberg's formula): ``(m + 1/2) x N / n - 1/2`` for m matchpoints among n results where others
    have N. A single result has nothing to be compared with and is :data:`SINGLE` to both sides. An adjusted score is
    its percentage of the top (Law 12C2). Not factored: each board is worth what its own scores make of it, as some
    programs have it.
    """
    BOARDS.validate(boards)
    board = fields(boards, "board")
    # Of each result the side that has more others to be compared with.
    ns, ew = (scores(boards, side).groupby(board).transform("count") for side in ("ns", "ew"))
    most = _most_results(boards, board) if factored else ns.clip(lower=ew).groupby(board).transform("max")
    top = (most - 1).clip(lower=0).where(_counted(boards)).astype("float64")
    return pd.DataFrame({side: _side(boards, side, board, top) for side in ("ns", "ew")} | {"top": top})


def _counted(boards: pd.DataFrame) -> pd.Series[bool]:
    """Return which results count: those with a score or an adjusted one."""
    return boards["score"].notna() | boards["ns_adjusted"].notna() | boards["ew_adjusted"].notna()


def _most_results(boards: pd.DataFrame, board: Ints) -> pd.Series[int]:
    """Return the most results that any board of each result's field has. board: a number for each board of a field."""
    return _counted(boards).groupby(board).transform("sum").groupby(fields(boards)).transform("max")


def _side(boards: pd.DataFrame, side: str, board: Ints, top: pd.Series[float]) -> pd.Series[float]:
    """Return the matchpoints of one side: its scores compared with one another, factored; or what was adjusted."""
    adjusted, groups = boards[f"{side}_adjusted"], scores(boards, side).groupby(board)
    results = groups.transform("count").astype("float64").replace(0, np.nan)
    factored = (groups.rank(method="average") - 0.5) * (top + 1) / results - 0.5
    percent = adjusted.where(adjusted.notna() | (results != 1), SINGLE)
    return factored.where(percent.isna(), top * percent / 100)


_DATUM_STEP = 10
"""A datum is rounded to whole tens of points."""

_TRIMMED_FROM = 4
"""Fields of that many results leave the highest and the lowest out of the datum."""


@cache
def _scale() -> Ints:
    return np.array(toml_beside(__file__, "imps.toml")["from"], dtype=np.int64)


def imps(difference: Any) -> Floats:
    """Return the IMPs of differences in points, below zero where they are (Laws of Duplicate Bridge 2017, Law 78B)."""
    points = np.asarray(difference, dtype=np.float64)
    worth = np.searchsorted(_scale(), np.abs(np.nan_to_num(points)), side="right") * np.sign(points)
    return np.asarray(np.where(np.isnan(points), np.nan, worth), dtype=np.float64)


def scores(boards: pd.DataFrame, side: str) -> pd.Series[float]:
    """Return the scores of one side, of the results that were played out and not adjusted for that side."""
    score = boards["score"] if side == "ns" else boards["ew_score"].fillna(0.0 - boards["score"])
    return score.where(boards[f"{side}_adjusted"].isna())


def _of_both(boards: pd.DataFrame, worth: Callable[[pd.Series[float]], Floats]) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, what the scores of each side are worth: those of E-W turned round, except rulings."""
    BOARDS.validate(boards)
    ns, ew = (scores(boards, side) for side in ("ns", "ew"))
    found = worth(ns)
    turned = np.array_equal(ns, 0.0 - ew, equal_nan=True)
    return pd.DataFrame({"ns": found, "ew": 0.0 - found if turned else worth(ew)}, index=boards.index)


def datum_imps(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, each result's IMPs against the datum of its board.

    They are NaN where it was not played out, and to the side for which it was adjusted. The datum is the mean of the
    board's scores to that side, without the highest and lowest where there are four or more, rounded to tens away from
    zero at the half: the board results of Butler pairs that Compscore uploads follow from that.
    """

    board = fields(boards, "board")

    def worth(score: pd.Series[float]) -> Floats:
        groups = score.groupby(board)
        total, count = groups.transform("sum"), groups.transform("count")
        trimmed = count >= _TRIMMED_FROM
        total = total - (groups.transform("max") + groups.transform("min")).where(trimmed, 0)
        mean = total / (count - 2 * trimmed)
        datum = np.sign(mean) * np.floor(np.abs(mean) / _DATUM_STEP + 0.5) * _DATUM_STEP
        return imps(score - datum)

    return _of_both(boards, worth)


def cross_imps(boards: pd.DataFrame, *, factored: bool = False) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, each result's mean IMPs against every other result of its board.

    They are NaN where there is none, where it was not played out, and to the side for which it was adjusted.
    Factored: where other boards of the field have more results, N where this one has n, it is the total of those IMPs
    times N / n / (N - 1), so that what is won of a board does not grow as results of it lack (English Bridge Union,
    forums.ebu.co.uk, discussion 1041, as RealBridge scores); of a board that lacks none that is the mean.
    """
    group = fields(boards, "board")
    most = _most_results(boards, group).to_numpy()

    def worth(score: pd.Series[float]) -> Floats:
        rows = pd.DataFrame({"board": group, "score": score, "row": np.arange(len(boards))}).dropna()
        pairs = rows.merge(rows, on="board", suffixes=("", "_other"))
        pairs = pairs[pairs["row"] != pairs["row_other"]]
        each = pd.Series(imps(pairs["score"] - pairs["score_other"])).groupby(pairs["row"].to_numpy())
        mean = np.asarray(each.mean().reindex(range(len(boards))), dtype=np.float64)
        if not factored:
            return mean
        results = np.asarray(each.count().reindex(range(len(boards))), dtype=np.float64) + 1
        return np.asarray(mean * (results - 1) * most / results / np.maximum(most - 1, 1), dtype=np.float64)

    return _of_both(boards, worth)


AVERAGE_IMPS = {40: -3.0, 50: 0.0, 60: 3.0}
"""What average minus, average and average plus, by their percentage, are at IMPs (Law 12C2(b))."""


def with_average_imps(boards: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    """Return points in IMPs with those of adjusted scores: 3 for average plus, below zero for average minus, 0 between.

    Any other percentage stays NaN: the Laws of Duplicate Bridge 2017, Law 12C2(b), say no IMPs for it.
    """
    adjusted = {side: boards[f"{side}_adjusted"].map(AVERAGE_IMPS) for side in ("ns", "ew")}
    return points.assign(**{side: points[side].fillna(worth) for side, worth in adjusted.items()})


def board_a_match(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, what each result wins for its teams, and ``top``, 1: a board is won, tied or lost.

    The two results of a board are compared at which the same teams met, one N-S and E-W turned round at the other:
    matchpoints among two (Laws of Duplicate Bridge 2017, Law 78A). They are NaN where there is but one. What was
    adjusted for a team at either table is its share of the board, the mean where both were.
    """

    def won(net: pd.Series[float]) -> Floats:
        return np.asarray((((net > 0) * 1.0 + (net >= 0)) / 2).where(net.notna()))

    return _of_both_tables(boards, won, lambda percent: percent / 100).assign(top=1.0)


def team_imps(boards: pd.DataFrame) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, the IMPs that each result's teams won on its board, which are the same at both tables.

    They are those of the difference between the two results at which the same teams met, one N-S and E-W turned round
    at the other (Laws of Duplicate Bridge 2017, Law 78B), NaN where there is but one. What was adjusted for a team at
    either table is worth its IMPs (Law 12C2(b)), the mean where both were; NaN for a percentage that is worth none.
    """
    return _of_both_tables(boards, imps, lambda percent: percent.map(AVERAGE_IMPS))


def meetings(boards: pd.DataFrame) -> pd.Series[int]:
    """Return a number for each board on which two teams met, which the two results of it have.

    Teams that meet again may play the same number again: where both tables played a board in one round, that counts.
    """
    first = boards["ns"] < boards["ew"]
    teams = [boards["ns"].where(first, boards["ew"]), boards["ew"].where(first, boards["ns"])]
    met = [boards["game_id"], boards["session"], boards["section"], boards["board"], *teams]
    round_ = boards["round"].fillna(-1).astype("int64")
    both = boards["ns"].groupby([*met, round_]).transform("nunique") > 1
    return boards.groupby([*met, round_.where(both, -1)]).ngroup()


def _of_both_tables(
    boards: pd.DataFrame,
    won: Callable[[pd.Series[float]], Floats],
    ruled: Callable[[pd.Series[float]], pd.Series[float]],
) -> pd.DataFrame:
    """Return ``ns`` and ``ew``, what the teams of each result have of its board, NaN where it has but one result.

    won: by the net points of both tables; ruled: by the percentage that was adjusted, the mean where it was at both.
    """
    BOARDS.validate(boards)
    columns = {"meeting": meetings(boards), "ns": boards["ns"], "ew": boards["ew"]}
    for side in ("ns", "ew"):
        columns |= {f"{side}_score": scores(boards, side), f"{side}_ruled": ruled(boards[f"{side}_adjusted"])}
    rows = pd.DataFrame(columns)
    turned = {"ns": "ew", "ew": "ns"} | {
        f"{side}_{what}": f"{other}_{what}_there"
        for side, other in (("ns", "ew"), ("ew", "ns"))
        for what in ("score", "ruled")
    }
    seats = ["meeting", "ns", "ew"]
    there = rows.rename(columns=turned).drop_duplicates(seats)
    both = rows.merge(there, on=seats, how="left").set_index(boards.index)
    found = {}
    for side in ("ns", "ew"):
        here = pd.Series(won(both[f"{side}_score"] + both[f"{side}_score_there"]), boards.index)
        adjusted = both[[f"{side}_ruled", f"{side}_ruled_there"]].mean(axis=1)
        found[side] = here.where(adjusted.isna(), adjusted)
    return pd.DataFrame(found)


AVERAGE_PLUS, AVERAGE_MINUS = 60, 40
"""Percent of the top that these adjusted scores are (Law 12C2(a))."""


def with_own_percentages(boards: pd.DataFrame, points: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the matchpoints of pairs, where average plus and minus are the pair's own percentage of the session.

    That is so where its percentage on the other boards of the session, those without adjusted scores, is above 60 or
    below 40 (Laws of Duplicate Bridge 2017, Law 12C2(c)). The two players of a side at an individual may have
    different ones: their results stay as they are, and :func:`totals` takes each one's own.

    points: ``ns``, ``ew`` and ``top`` per row of the boards frame.
    """
    if not boards[["ns_adjusted", "ew_adjusted"]].isin([AVERAGE_PLUS, AVERAGE_MINUS]).any(axis=None):
        return points
    sat, alone = seats(boards, contestants), partners(boards, contestants)
    sides = _long(boards, points, [sat]).reset_index(drop=True)
    sides["points"] = sides["points"].where(np.concatenate([alone[side] >= 0 for side in sat]), _own(sides))
    earned = np.split(np.asarray(sides["points"]), len(sat))
    return points.assign(**dict(zip(sat, earned, strict=True)))


def _long(boards: pd.DataFrame, points: pd.DataFrame, seated: Iterable[Mapping[str, Ints]]) -> pd.DataFrame:
    """Return a row for each seat of each result: who sat there, what that side got, of what top, and as adjusted."""
    return pd.concat(
        boards[["session", "board"]].assign(
            contestant=rows, points=points[side], top=points.get("top", 0.0), adjusted=boards[f"{side}_adjusted"]
        )
        for sat in seated
        for side, rows in sat.items()
    )


def _own(sides: pd.DataFrame) -> pd.Series[float]:
    """Return the points of each seat with average plus and minus as with_own_percentages has them."""
    plus, minus = sides["adjusted"] == AVERAGE_PLUS, sides["adjusted"] == AVERAGE_MINUS
    if not (plus | minus).any():
        return sides["points"]
    who = ["contestant", "session"]
    played = sides[sides["adjusted"].isna() & sides["points"].notna()].drop_duplicates([*who, "board"])
    sums = played.groupby(who)[["points", "top"]].sum()
    share = (sums["points"] / sums["top"].where(sums["top"] > 0)).rename("share")
    own = sides.join(share, on=who)["share"] * sides["top"]
    points = sides["points"]
    return points.mask(plus & (own > points), own).mask(minus & (own < points), own)


def totals(
    boards: pd.DataFrame,
    points: pd.DataFrame,
    contestants: pd.DataFrame,
    *,
    own: bool = False,
    seated: Sequence[Mapping[str, Ints]] = (),
) -> pd.DataFrame:
    """Return ``score``, ``percentage``, ``boards`` (played), ``sum`` and ``scaled``, NaN for who has no board.

    A contestant that played fewer boards than the most of its section has its matchpoints raised to as many, as a
    sit-out's are (Laws of Duplicate Bridge 2017, Law 87B); of IMPs, whoever factors them takes what is ``scaled``. The
    ``sum`` is never raised, what is ``scaled`` always is. A board that a contestant met twice counts once.

    boards: in the boards frame's columns.
    points: ``ns`` and ``ew`` per row of the boards frame, and ``top`` where they are matchpoints; without it there is
        no percentage.
    own: whether average plus and minus are the contestant's own percentage, see :func:`with_own_percentages`.
    seated: what ``seats`` and ``partners`` say of the contestants at each result, where it is known already.
    """
    seated = seated or (seats(boards, contestants), partners(boards, contestants))
    alone = (sat for sat in seated[1:] if any((rows >= 0).any() for rows in sat.values()))  # pairs have no partners
    sides = _long(boards, points, [*seated[:1], *alone])
    if own:
        sides = sides.reset_index(drop=True)
        sides["points"] = _own(sides)
    sides = sides[sides["points"].notna() & (sides["contestant"] >= 0)]
    sides = sides.drop_duplicates(["contestant", "session", "board"])
    groups = sides.groupby(["contestant", "session"])
    each = groups[["points", "top"]].sum().rename(columns={"points": "score"}).assign(boards=groups.size())
    # As many boards as anybody played in the same section and session.
    rows, session = (each.index.get_level_values(name) for name in ("contestant", "session"))
    section = [contestants[name].iloc[rows].to_numpy() for name in ("game_id", "section")]
    raised = each["boards"].groupby([*section, session]).transform("max") / each["boards"]
    each = each.assign(sum=each["score"], scaled=each["score"] * raised)
    if "top" in points:
        each = each.assign(score=each["scaled"], top=each["top"] * raised)
    one = sides["session"].nunique() == 1
    of_all = each.droplevel("session") if one else each.groupby("contestant").sum()
    found = of_all.reindex(range(len(contestants))).set_axis(contestants.index)
    found["percentage"] = 100 * found["score"] / found["top"].replace(0, np.nan)
    return found[["score", "percentage", "boards", "sum", "scaled"]]


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
    """Return the boards of every contestant in the travellers, by session and board (of teams by round and board).

    With each is the total up to it. A board that a contestant met twice counts once, as in
    :func:`resultproc.scoring.points.totals`: if only one result was played by the opponents, too, and not adjusted for
    them, that one counts, in whatever order a file has them.
    teams: the games, as rows of their frame, whose contestants are teams: their pairs met each board N-S and E-W, both
    count, in each round by themselves, and no total is told, which would be neither a pair's nor the team's.
    """
    of_result = boards.iloc[travellers["result"]].reset_index(drop=True)
    sides = []
    for side, other, name in (("ns", "ew", NORTH_SOUTH), ("ew", "ns", EAST_WEST)):
        mine = {
            "game": travellers["game"],
            "result": travellers["result"],
            "side": name,
            "opponents": travellers[other],
            "opponents_partner": travellers[f"{other}_partner"],
            "score": scores(of_result, side),
            "adjusted": of_result[f"{side}_adjusted"],
            "ruled": of_result[f"{other}_adjusted"].notna(),
            "points": travellers[f"{side}_points"],
            "percentage": travellers[f"{side}_percentage"],
            "top": travellers["top"].where(travellers[f"{side}_points"].notna()),
        }
        one = pd.DataFrame(mine).assign(**{name: of_result[name] for name in ("session", "round", "board")})
        seated = (travellers[side], travellers[f"{side}_partner"])
        for who, partner in (seated, seated[::-1]):
            sides.append(one.assign(contestant=who, partner=partner)[who >= 0])
    cards = pd.concat(sides)
    of_team = cards["game"].isin(teams)
    cards["pair"] = cards["side"].where(of_team, "")
    cards["round"] = cards["round"].fillna(0).where(of_team, 0)
    order = ["contestant", "session", "round", "board", "pair"]
    cards = cards.assign(unknown=cards["points"].isna()).sort_values([*order, "unknown", "ruled", "result"])
    cards = cards.drop_duplicates(order).reset_index(drop=True)
    so_far = cards[["points", "top"]].where(cards["top"].notna()).fillna(0.0).groupby(cards["contestant"]).cumsum()
    total = cards["points"].fillna(0.0).groupby(cards["contestant"]).cumsum().round(4)
    percentage = 100 * so_far["points"] / so_far["top"].where(so_far["top"] > 0)
    sums = pd.DataFrame({"total": total, "total_percentage": percentage}).mask(cards["pair"] != "")
    cards = cards.drop(columns=["game", "pair", "session", "round", "board", "unknown", "ruled", "top"])
    return SCORECARDS.conform(cards.join(sums))


def _points(games: pd.DataFrame, contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    field = fields(boards)
    printed = boards[["printed_ns", "printed_ew"]].set_axis(["ns", "ew"], axis=1)
    known = printed.notna().any(axis=1).groupby(field).transform("any")
    of_pairs = games.loc[games["event_type"].fillna(EventType.PAIRS.value).isin(PAIRS_AND_INDIVIDUALS), "game_id"]
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
        points = as_printed
    top = points["top"].where(points["top"] > 0)  # IMPs have none
    found = {"top": top}
    for side in ("ns", "ew"):
        found |= {f"{side}_points": points[side], f"{side}_percentage": 100 * points[side] / top}
    return pd.DataFrame(found)


_ROUNDED = 0.25
"""Sums that differ by less are the same, of points that are rounded."""
