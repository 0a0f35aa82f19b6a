"""What sheets print of their boards, against what the scores give: the points of each result, totals, percentages.

All games go through each way to score them together; a game leaves with the first way that all its numbers agree with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import product

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, rows_of
from resultproc.model.frames import Sheet
from resultproc.model.game import EventType
from resultproc.model.seats import partners, seats
from resultproc.scoring.points import (
    AVERAGE_MINUS,
    AVERAGE_PLUS,
    cross_imps,
    datum_imps,
    fields,
    matchpoints,
    totals_of_seats,
    with_own_percentages,
)

_COLUMNS = ("contestant", "what", "printed", "computed", "agrees", "why", "told")
"""The columns of :func:`compare_boards`.

- contestant: the row of the contestants frame.
- what: ``board 7``, ``score`` or ``percentage``.
- printed, computed: both sides as texts.
- agrees: whether they do.
- why: how the computed side came about.
- told: what is to be told of how the game's numbers of this kind are scored, '' where that is as usual.
"""

_EXACT = 1e-6
"""Far less than any sheet prints, far more than arithmetic loses."""


_Points = Callable[[pd.DataFrame], pd.DataFrame]


def _doubled(boards: pd.DataFrame, *, factored: bool = True) -> pd.DataFrame:
    return matchpoints(boards, factored=factored) * 2


@dataclass(frozen=True)
class _Method:
    """How boards may be scored.

    name: of a result's points.
    total: what is added up.
    told: see :data:`_COLUMNS`.
    hidden: whether what is added up is rounded nowhere that it could be seen: a sum may be one off in its last place.
    own: whether average plus and minus are the contestant's own percentage of the session.
    plain: whether boards with fewer scores than others are not factored.
    """

    name: str
    result: _Points
    total: _Points
    told: str = ""
    hidden: bool = False
    own: bool = False
    plain: bool = False


_MATCHPOINTS: dict[str, Callable[..., pd.DataFrame]] = {
    "matchpoints": matchpoints,
    "matchpoints, two for a result beaten,": _doubled,
}

_PLAIN = "boards with fewer scores than others are worth less, without the factor of Law 78A, and so they are compared"
_PLAIN_RESULTS = (
    "the points of boards with fewer scores than others are printed without the factor of Law 78A that the totals "
    "have, and so they are compared; as what is added up is not shown, a total may be one off in its last place"
)
_OWN = (
    "average plus and minus are the contestant's own percentage of the session where that is further from average (Law "
    "12C2), and so they are compared"
)
_MEAN = "the scores are means of a board, and so they are compared"
_SCALED = "the totals of who sat out are scaled to as many boards as others played, and so they are compared"
_NO_TOTALS = (
    "none of the totals follows from the boards that the file has, though the points of all of these do: totals are "
    "not compared"
)

_METHODS = (
    *(_Method(name, points, points) for name, points in _MATCHPOINTS.items()),
    _Method("mean IMPs against the other results", cross_imps, cross_imps),
    _Method("IMPs against the datum", datum_imps, datum_imps),
    *(_Method(name, points, points, _OWN, own=True) for name, points in _MATCHPOINTS.items()),
    *(
        _Method(name, plain, total, told, hidden=total is points, plain=True)
        for name, points in _MATCHPOINTS.items()
        for plain in [partial(points, factored=False)]
        for total, told in ((plain, _PLAIN), (points, _PLAIN_RESULTS))
    ),
)
"""How boards may be scored. A sheet does not say it: what it prints tells, as most of it agrees with one of them."""


def compare_boards(sheet: Sheet, boards: pd.DataFrame) -> pd.DataFrame:
    """Return every printed number that the boards of pairs or individuals decide, with what they give, game by game.

    boards: the boards frame of the sheet's games. A number agrees if it is printed as the computed one would be, to as
    many decimals as the game's others of its kind. Totals are those of the points as they are printed. Scores may be
    raised to a maximum of the game's own: the one that most of them tell with the percentages that the boards give.
    Where a game has boards of several sessions and counts as one, with one score, its totals are those of all.
    """
    game = rows_of(boards["game_id"], sheet.games["game_id"])
    kinds = sheet.games["event_type"].fillna(EventType.PAIRS.value)
    of_pairs = kinds.isin(_SCORED).to_numpy()[game]
    boards = boards[of_pairs].reset_index(drop=True)
    if boards.empty:
        return pd.DataFrame({name: pd.Series(dtype=_DTYPES[name]) for name in _COLUMNS})
    # Games follow one another as their boards do.
    first = {row: number for number, row in enumerate(dict.fromkeys(game[of_pairs].tolist()))}
    number = np.array([first.get(row, -1) for row in range(len(sheet.games))], dtype=np.int64)
    listed = number[rows_of(sheet.contestants["game_id"], sheet.games["game_id"])]
    played = number[game[of_pairs]]
    by_session = sheet.contestants.filter(regex="^session[0-9]+$").notna().any(axis=1)
    apart = sheet.games["game_id"].isin(sheet.contestants.loc[by_session, "game_id"])
    as_one = number[((sheet.games["sessions"].fillna(1) == 1) & ~apart).to_numpy(dtype=bool)]

    # Most methods are tried on the same games as the one before, and many add up what they give for a result.
    @lru_cache(maxsize=1)
    def of_games(games: tuple[int, ...]) -> _Played:
        mine = np.isin(played, games)
        return _Played(boards[mine].reset_index(drop=True), played[mine], sheet.contestants, listed, as_one)

    @lru_cache(maxsize=2)
    def points_of(points: _Points, games: tuple[int, ...]) -> pd.DataFrame:
        return points(of_games(games).boards)

    def by(method: _Method) -> _Way:
        def numbers(games: Ints) -> tuple[Ints, pd.DataFrame]:
            games = of_games(tuple(games.tolist())).told_apart(games, method)
            if not len(games):
                return games, pd.DataFrame()
            which = tuple(games.tolist())
            some = of_games(which)
            results = some.results(points_of(method.result, which), method)
            parts = [results.assign(told=method.told)]
            for each in some.totals(points_of(method.total, which), method):
                parts.append(each.assign(told=method.told) if method.told else each)
            return games, pd.concat(parts, ignore_index=True)

        return numbers

    found = _without_strange_totals(_best(map(by, _METHODS), np.arange(len(first))))
    return _told(found.sort_values("game", kind="stable"))


_SCORED = (EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events whose contestants' totals are those of their boards."""


_Way = Callable[[Ints], tuple[Ints, pd.DataFrame]]
"""Given some games it returns those that it tells anything new of, and their numbers, with a column of the game."""


def _best(ways: Iterable[_Way], games: Ints) -> pd.DataFrame:
    """Return the same numbers of some games, of each game by the first way that all agree with, or else that most do.

    ways: are asked for those games that are left.
    """
    tried: list[pd.DataFrame] = []
    agreed: list[Ints] = []
    size = int(games.max(initial=-1)) + 1
    for way in ways:
        if len(games) or not tried:
            mine, found = way(games)
            if not len(mine):
                continue
            game, agrees = found["game"].to_numpy(), found["agrees"].to_numpy(dtype=bool)
            each, agree = (np.bincount(game[rows], minlength=size) for rows in (slice(None), agrees))
            tried.append(found)
            agreed.append(np.where(each > 0, agree, -1))
            games = games[~np.isin(games, mine) | (agree < each)[games]]
    first = np.argmax(agreed, axis=0)
    kept = [found[first[found["game"].to_numpy()] == number] for number, found in enumerate(tried)]
    best: pd.DataFrame = pd.concat(kept, ignore_index=True)
    return best


def _without_strange_totals(found: pd.DataFrame) -> pd.DataFrame:
    """Return numbers without the totals of games none of whose totals agrees, though all results of their boards do.

    Boards may be missing from the file, or the totals hold more than these: that is told once, of the results.
    """
    game, agrees = found["game"].to_numpy(), found["agrees"].to_numpy(dtype=bool)
    of_result = (found["what"] == "board").to_numpy()
    size = int(game.max(initial=-1)) + 1

    def count(rows: Bools) -> Ints:
        return np.bincount(game[rows], minlength=size)

    of_games = (count(agrees != of_result) == 0) & (count(~of_result) >= _SEVERAL) & (count(of_result) > 0)
    strange = of_games[game]
    if not strange.any():
        return found
    told = found["told"].mask(strange & of_result, _NO_TOTALS)
    left: pd.DataFrame = found.assign(told=told)[~strange | of_result]
    return left


_SEVERAL = 3
"""The fewest totals that tell something: fewer may all be wrong, so that none agrees."""


class _Played:
    """Results of boards, with the contestants, and of both the number of their game."""

    def __init__(
        self, boards: pd.DataFrame, played: Ints, contestants: pd.DataFrame, listed: Ints, as_one: Ints
    ) -> None:
        """Take them; as_one: the games whose sessions count as one."""
        self.boards, self._game, self._as_one = boards, played, as_one
        self._contestants, self._listed = contestants, listed
        self._seats = seats(boards, contestants)
        self._seated = (self._seats, partners(boards, contestants))
        self._decimals = _decimals(boards[["printed_ns", "printed_ew"]], played, least=1)

    def told_apart(self, games: Ints, method: _Method) -> Ints:
        """Return those of its games of which a method may give other numbers than the ways before it do."""
        if method.plain:
            return games[np.isin(games, self._game[self._short])]
        if method.own:
            ruled = self.boards[["ns_adjusted", "ew_adjusted"]].isin([AVERAGE_PLUS, AVERAGE_MINUS]).any(axis=1)
            return games[np.isin(games, self._game[ruled.to_numpy()])]
        return games

    @cached_property
    def _short(self) -> Bools:
        """Whether each result is of a board that is factored, as it has fewer scores than others."""
        tops = [matchpoints(self.boards, factored=factored)["top"].fillna(0).to_numpy() for factored in (True, False)]
        return np.asarray(tops[0] != tops[1])

    def results(self, points: pd.DataFrame, method: _Method) -> pd.DataFrame:
        """Return the points of each result."""
        boards = self.boards
        points = with_own_percentages(boards, points, self._contestants) if method.own else points
        parts = []
        for side, rows in self._seats.items():
            score = boards["score"] if side == "ns" else boards["ew_score"].fillna(-boards["score"])
            adjusted = boards[f"{side}_adjusted"]
            others = score.where(adjusted.isna()).groupby(fields(boards, "board")).transform("count")
            how = {"board": boards["board"], "score": score, "others": others, "adjusted": adjusted}
            found = _compared(self._game, rows, boards[f"printed_{side}"], points[side], self._decimals)
            parts.append(found.assign(what="board", method=method.name, **how)[rows >= 0])
        return pd.concat([_there(part) for part in parts], ignore_index=True)

    def totals(self, points: pd.DataFrame, method: _Method) -> Iterator[pd.DataFrame]:
        """Yield the scores of each session, and where there is but one the percentages."""
        boards = self.boards
        points = with_own_percentages(boards, points, self._contestants) if method.own else points
        rounded = points.assign(**{side: _rounded(points[side], self._decimals) for side in self._seats})
        unknown = {
            row
            for sat in self._seated
            for side, rows in sat.items()
            for row in rows[(boards[f"printed_{side}"].notna() & points[side].isna()).to_numpy()]
        }
        several = boards["session"].groupby(self._game).transform("nunique").to_numpy() > 1
        together = several & np.isin(self._game, self._as_one)
        of_several = np.isin(self._listed, self._game[several & ~together])
        for number, session in boards.groupby(boards["session"].mask(together, 1)):
            printed, said = self._printed(f"session{number}", of_several)
            games = np.unique(self._game[session.index])
            games = games[np.isin(games, self._listed[said])]
            mine = session[np.isin(self._game[session.index], games)]
            if mine.empty:
                continue
            seated = [{side: rows[mine.index] for side, rows in sat.items()} for sat in self._seated]
            both = [rounded.loc[mine.index], points.loc[mine.index]]
            added = [
                totals_of_seats(mine, each, self._contestants, seated, own=method.own)
                for each in (both[:1] if both[0].equals(both[1]) else both)
            ]
            known = added[0]["boards"].notna().to_numpy() & ~np.isin(np.arange(len(printed)), list(unknown))
            imps = "top" not in points
            ways = [
                _Session(found, printed, self._listed, known, how, told, off=float(method.hidden))
                for (how, told), found in product(_TOTALS if imps else _TOTALS[:-1], added)
            ]
            yield _best(ways, games)

    def _printed(self, column: str, of_several: Bools) -> tuple[pd.DataFrame, Bools]:
        """Return what is printed of a session for each contestant, and of whom anything can be.

        The score of a game of one session may be that of the session.
        """
        contestants = self._contestants
        printed = contestants[["score", "percentage", "adjustment"]].assign(game=self._listed)
        own = np.zeros(len(printed), dtype=bool)
        if column in contestants:
            own = contestants[column].notna().groupby(self._listed).transform("any").to_numpy(dtype=bool)
            printed["score"] = printed["score"].mask(own, contestants[column])
        printed["percentage"] = printed["percentage"].mask(of_several)
        return printed, own | ~of_several


class _Session:
    """A way to tell the scores and percentages of a session from its totals."""

    def __init__(
        self,
        found: pd.DataFrame,
        printed: pd.DataFrame,
        listed: Ints,
        known: Bools,
        how: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame],
        told: str,
        off: float,
    ) -> None:
        """Take it. off: how many of its last places a score may be off besides its rounding."""
        self._found, self._printed, self._listed, self._known = found, printed, listed, known
        self._how, self._told, self._off = how, told, off

    def __call__(self, games: Ints) -> tuple[Ints, pd.DataFrame]:
        """Return some games, and the numbers of those of their contestants whose totals are known."""
        rows = np.flatnonzero(self._known & np.isin(self._listed, games))
        printed = self._printed.iloc[rows]
        found = self._how(self._found.iloc[rows], printed)
        parts = []
        for what, least in (("score", 1), ("percentage", 0)):
            decimals = _decimals(printed[[what]], self._listed[rows], least)
            off = self._off if what == "score" else 0
            compared = _compared(self._listed[rows], rows, printed[what], found[what], decimals, off)
            how = {"boards": found["boards"].to_numpy(), "adjustment": printed["adjustment"].fillna(0).to_numpy()}
            parts.append(_there(compared.assign(what=what, told=self._told, **how)))
        return games, pd.concat(parts, ignore_index=True)


def _as_raised(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return the totals at the maximum that the printed scores are raised to, with what was adjusted.

    Some programs take percentages from the score as it is printed, others do not: those are given that are closer.
    """
    adjustment = printed["adjustment"].fillna(0)
    share = printed["score"] / found["percentage"].replace(0, np.nan) * 100
    maximum = share.groupby(printed["game"]).transform("median")
    known = maximum > 0.5
    maximum = maximum.where(known).round()
    raised = found["percentage"] * maximum / 100 + adjustment
    exact = 100 * raised / maximum
    decimals = _decimals(printed[["score"]], printed["game"].to_numpy(), least=1)
    rounded = 100 * _rounded(raised, decimals) / maximum
    closer = (rounded - printed["percentage"]).abs() < (exact - printed["percentage"]).abs()
    return found.assign(
        score=raised.where(known, found["score"] + adjustment),
        percentage=rounded.where(closer, exact).where(known, _adjusted(found, "score", adjustment)),
    )


def _as_summed(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return as scores the sums of the boards that were played, with what was adjusted."""
    adjustment = printed["adjustment"].fillna(0)
    return found.assign(score=found["sum"] + adjustment, percentage=_adjusted(found, "sum", adjustment))


def _as_means(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return as scores the means of those boards: those sums, with what was adjusted, shared out among them."""
    summed = _as_summed(found, printed)
    return summed.assign(score=summed["score"] / found["boards"])


def _as_scaled(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return as scores those sums scaled to the most boards that anybody of the section played."""
    adjustment = printed["adjustment"].fillna(0)
    return found.assign(score=found["scaled"] + adjustment, percentage=_adjusted(found, "scaled", adjustment))


_TOTALS = ((_as_raised, ""), (_as_summed, ""), (_as_means, _MEAN), (_as_scaled, _SCALED))
"""How totals may come about, and what is to be told of that; the last one of IMPs alone, which others need not be."""


def _adjusted(found: pd.DataFrame, total: str, adjustment: pd.Series[float]) -> pd.Series[float]:
    """Return percentages with what was adjusted of the points that they are of."""
    share = found["percentage"].replace(0, np.nan) / 100
    return found["percentage"] + (100 * adjustment / (found[total] / share)).fillna(0)


def _compared(
    game: Ints, rows: Ints, printed: pd.Series[float], computed: pd.Series[float], decimals: Ints, off: float = 0
) -> pd.DataFrame:
    """Return numbers that are printed beside those that are computed, and whether they agree."""
    agrees = (printed - computed).abs().to_numpy() <= (0.5 + off) * _UNITS[decimals] + _EXACT
    sides = {"printed": printed.to_numpy(), "computed": computed.to_numpy()}
    return pd.DataFrame({"game": game, "contestant": rows, **sides, "agrees": agrees})


def _there(found: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers that are both printed and computed."""
    return found[found["printed"].notna() & found["computed"].notna()]


def _told(found: pd.DataFrame) -> pd.DataFrame:
    """Return numbers in words."""
    texts = {name: found[name].map(_short) for name in ("printed", "computed")}
    of_result = (found["what"] == "board").to_numpy()
    results, sums = found[of_result], found[~of_result]
    what = found["what"].astype("object")
    why = pd.Series("", found.index, dtype="object")
    if len(results):
        what[of_result] = ("board " + results["board"].astype("int64").astype("str")).to_numpy()
        adjusted = results["adjusted"]
        scored = results["method"] + " of " + results["score"].map(_short) + " among the "
        scored += results["others"].map(_short) + " scores of the board"
        scored = scored.where(adjusted.isna(), "adjusted to " + adjusted.map(_short) + "% of the top")
        why[of_result] = scored.to_numpy()
    if len(sums):
        total = "the total of " + sums["boards"].astype("int64").astype("str") + " boards"
        added = " and an adjustment of " + sums["adjustment"].map(_short)
        why[~of_result] = (total + added.where(sums["adjustment"] != 0, "")).to_numpy()
    told = found[["contestant", "agrees", "told"]].assign(what=what, why=why, **texts)[list(_COLUMNS)]
    return told.reset_index(drop=True).astype(_DTYPES)


_DTYPES = dict.fromkeys(_COLUMNS, "str") | {"contestant": "int64", "agrees": "bool"}


def _decimals(printed: pd.DataFrame, game: Ints, least: int = 0) -> Ints:
    """Return the decimals that the printed numbers of each row's game have; ``least`` one where halves are expected.

    They are two at most.
    """
    found, values = np.full(len(printed), 2), printed.to_numpy(dtype=np.float64)
    for number in reversed(range(least, 2)):
        whole = (np.isnan(values) | (np.round(values * 10**number, 6) % 1 == 0)).all(axis=1)
        found[~np.isin(game, game[~whole])] = number
    return found


_UNITS = np.array([10.0**-number for number in range(3)])
"""The last place of numbers, by their decimals."""


def _rounded(values: pd.Series[float], decimals: Ints) -> pd.Series[float]:
    """Return values rounded half up."""
    unit = pd.Series(_UNITS[decimals], values.index)
    rounded: pd.Series[float] = (values / unit + 0.5 + _EXACT).floordiv(1) * unit
    return rounded


def _short(value: float) -> str:
    """Return a number with at most two decimals, none of them needless."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
