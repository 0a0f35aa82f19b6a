"""What sheets print of their boards, against what the scores give: the points of each result, totals, percentages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.frames import Sheet
from resultproc.model.game import EventType
from resultproc.model.seats import seats
from resultproc.scoring.imps import cross_imps, datum_imps
from resultproc.scoring.matchpoints import fields, matchpoints
from resultproc.scoring.totals import totals

COLUMNS = ("contestant", "what", "printed", "computed", "agrees", "why")
"""The columns of :func:`compare`: the row of the contestants frame; ``board 7``, ``score`` or ``percentage``; both
sides as texts; whether they agree; and how the computed side came about."""

_EXACT = 1e-6
"""Far less than any sheet prints, far more than arithmetic loses."""


def _doubled(boards: pd.DataFrame) -> pd.DataFrame:
    return matchpoints(boards) * 2


_METHODS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "matchpoints": matchpoints,
    "matchpoints, two for a result beaten,": _doubled,
    "mean IMPs against the other results": cross_imps,
    "IMPs against the datum": datum_imps,
}
"""How boards may be scored. A sheet does not say it: what it prints tells, as most of it agrees with one of them."""


def compare(sheet: Sheet, boards: pd.DataFrame) -> pd.DataFrame:
    """Return every printed number that the boards of pairs decide, with what they give for it.

    boards: the boards frame of the sheet's games. A number agrees if it is printed as the computed one would be, to as
    many decimals as the game's others of its kind. Totals are those of the points as they are printed. Scores may be
    raised to a maximum of the game's own: the one that most of them tell with the percentages that the boards give.
    """
    kinds = sheet.games.set_index("game_id")["event_type"]
    of_pairs = boards["game_id"].map(kinds).fillna(EventType.PAIRS.value) == EventType.PAIRS.value
    listed = sheet.contestants.groupby("game_id").indices
    parts = [_numbers({name: [] for name in COLUMNS})]
    for game_id, game in boards[of_pairs].groupby("game_id", sort=False):
        rows = np.asarray(listed[game_id])
        found = _game(sheet.contestants.iloc[rows].reset_index(drop=True), game.reset_index(drop=True))
        parts.append(found.assign(contestant=rows[found["contestant"]]))
    return pd.concat(parts, ignore_index=True)


def _game(contestants: pd.DataFrame, boards: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of one game, by the method that most of them agree with."""

    def by(method: str, points: pd.DataFrame) -> pd.DataFrame:
        return pd.concat([_results(contestants, boards, points, method), *_totals(contestants, boards, points)])

    return _best(by(method, score(boards)) for method, score in _METHODS.items())


def _best(ways: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return of the ways to compute the same numbers the first that all agree with, or else that most do."""
    best = None
    for found in ways:
        if best is None or found["agrees"].sum() > best["agrees"].sum():
            best = found
        if best["agrees"].all():
            break
    assert best is not None
    return best


def _results(contestants: pd.DataFrame, boards: pd.DataFrame, points: pd.DataFrame, method: str) -> pd.DataFrame:
    decimals = _decimals_of_results(boards)
    parts = []
    for side, rows in seats(boards, contestants).items():
        at = (rows >= 0) & (boards[f"printed_{side}"].notna() & points[side].notna()).to_numpy()
        what = "board " + boards.loc[at, "board"].astype("str")
        why = _how(boards, side, method)[at]
        parts.append(_compared(rows[at], what, boards.loc[at, f"printed_{side}"], points.loc[at, side], decimals, why))
    return pd.concat(parts)


def _how(boards: pd.DataFrame, side: str, method: str) -> pd.Series[str]:
    """Return what the points of one side follow from."""
    score = boards["score"] if side == "ns" else boards["ew_score"].fillna(-boards["score"])
    adjusted = boards[f"{side}_adjusted"]
    others = score.where(adjusted.isna()).groupby([*fields(boards), boards["board"]]).transform("count")
    scored = method + " of " + score.map(_short) + " among the " + others.map(_short) + " scores of the board"
    return scored.where(adjusted.isna(), "adjusted to " + adjusted.map(_short) + "% of the top")


def _totals(contestants: pd.DataFrame, boards: pd.DataFrame, points: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the scores of each session, and where there is but one the percentages."""
    decimals = _decimals_of_results(boards)
    rounded = points.assign(**{side: _rounded(points[side], decimals) for side in ("ns", "ew")})
    unknown = {
        row
        for side, rows in seats(boards, contestants).items()
        for row in rows[(boards[f"printed_{side}"].notna() & points[side].isna()).to_numpy()]
    }
    several = boards["session"].nunique() > 1
    for number, session in boards.groupby("session"):
        column = f"session{number}"
        if column not in contestants or contestants[column].isna().all():
            if several:
                continue
            column = "score"
        printed = contestants[[column, "percentage", "adjustment"]].set_axis(
            ["score", "percentage", "adjustment"], axis=1
        )
        if several:
            printed = printed.assign(percentage=np.nan)
        added = [totals(session, each.loc[session.index], contestants) for each in (rounded, points)]
        known = (added[0]["boards"].notna() & ~added[0].index.isin(unknown)).to_numpy()
        yield _best(_session(found, printed, known, how) for how, found in product((_as_raised, _as_summed), added))


def _session(
    found: pd.DataFrame,
    printed: pd.DataFrame,
    known: npt.NDArray[np.bool_],
    how: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame],
) -> pd.DataFrame:
    """Return the scores and percentages of a session's contestants whose totals are known."""
    rows = np.flatnonzero(known)
    printed = printed.iloc[rows]
    found = how(found.iloc[rows], printed)
    why = "the total of " + found["boards"].astype("int64").astype("str") + " boards"
    adjustment = printed["adjustment"].fillna(0)
    why += (" and an adjustment of " + adjustment.map(_short)).where(adjustment != 0, "")
    least = {"score": 1, "percentage": 0}
    columns = ((name, printed[name], found[name], _decimals(printed[name], least[name])) for name in least)
    return pd.concat([_compared(rows, *each, why) for each in columns])


def _as_raised(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return the totals at the maximum that the printed scores are raised to, with what was adjusted.

    Some programs take percentages from the score as it is printed, others do not: those are given that are closer.
    """
    adjustment = printed["adjustment"].fillna(0)
    maximum = (printed["score"] / found["percentage"].replace(0, np.nan) * 100).median()
    if not maximum > 0.5:  # nor is it known
        return found.assign(score=found["score"] + adjustment, percentage=_adjusted(found, "score", adjustment))
    raised = found["percentage"] * round(maximum) / 100 + adjustment
    exact = 100 * raised / round(maximum)
    rounded = 100 * _rounded(raised, _decimals(printed["score"], least=1)) / round(maximum)
    closer = (rounded - printed["percentage"]).abs() < (exact - printed["percentage"]).abs()
    return found.assign(score=raised, percentage=rounded.where(closer, exact))


def _as_summed(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return as scores the sums of the boards that were played, with what was adjusted."""
    adjustment = printed["adjustment"].fillna(0)
    return found.assign(score=found["sum"] + adjustment, percentage=_adjusted(found, "sum", adjustment))


def _adjusted(found: pd.DataFrame, total: str, adjustment: pd.Series[float]) -> pd.Series[float]:
    """Return percentages with what was adjusted of the points that they are of."""
    share = found["percentage"].replace(0, np.nan) / 100
    return found["percentage"] + (100 * adjustment / (found[total] / share)).fillna(0)


def _compared(
    rows: npt.NDArray[np.int64],
    what: Any,
    printed: pd.Series[float],
    computed: pd.Series[float],
    decimals: int,
    why: pd.Series[str],
) -> pd.DataFrame:
    """Return the numbers that are printed and computed."""
    there = (printed.notna() & computed.notna()).to_numpy()
    agrees = (printed - computed).abs() <= 0.5 * 10.0**-decimals + _EXACT
    columns = (rows, what, printed.map(_short), computed.map(_short), agrees, why)
    return _numbers(dict(zip(COLUMNS, columns, strict=True)), np.arange(len(rows)))[there]


def _numbers(columns: dict[str, Any], index: Any = None) -> pd.DataFrame:
    data = {name: values.to_numpy() if isinstance(values, pd.Series) else values for name, values in columns.items()}
    texts = dict.fromkeys(("what", "printed", "computed", "why"), "str")
    return pd.DataFrame(data, index=index).astype({"contestant": "int64", "agrees": "bool", **texts})


def _decimals_of_results(boards: pd.DataFrame) -> int:
    return _decimals(pd.concat([boards["printed_ns"], boards["printed_ew"]]), least=1)


def _decimals(printed: pd.Series[float], least: int = 0) -> int:
    """Return the decimals that printed numbers have, two at most; ``least`` one where halves are to be expected."""
    known = printed.dropna()
    return next((n for n in range(least, 2) if ((known * 10**n).round(6) % 1 == 0).all()), 2)


def _rounded(values: pd.Series[float], decimals: int) -> pd.Series[float]:
    """Return values rounded half up."""
    unit = 10.0**-decimals
    return (values / unit + 0.5 + _EXACT).floordiv(1) * unit


def _short(value: float) -> str:
    """Return a number with at most two decimals, none of them needless."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
