"""What sheets print of their boards, against what the scores give: the points of each result, totals, percentages.

All games go through each way to score them together; a game leaves with the first way that all its numbers agree with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import product

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, distinct_rows, rows_of
from resultproc.model.at_the_table import partners, seats
from resultproc.model.frames import Sheet
from resultproc.model.game import EventType
from resultproc.scoring.points import (
    PAIRS_AND_INDIVIDUALS,
    cross_imps,
    datum_imps,
    fields,
    matchpoints,
    scores,
    totals,
    with_own_percentages,
)

_COLUMNS = ("contestant", "what", "printed", "computed", "agrees", "why", "told")
"""The columns of :func:`compare_boards`.

- contestant: the row of the contestants frame.
- what: ``score``, ``percentage`` or ``board``, with its number where the sides differ: ``board 7``.
- printed, computed: both sides as texts where they differ.
- agrees: whether they do not.
- why: how the computed side came about, where it differs.
- told: what is to be told of how the game's numbers of this kind are scored, '' where that is as usual.
"""

_EXACT = 1e-6
"""Far less than any sheet prints, far more than arithmetic loses."""

_Points = Callable[[pd.DataFrame], pd.DataFrame]
_How = Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class _Method:
    """How boards may be scored."""

    name: str  # what the points of a result are called
    result: _Points  # gives the points of results
    total: _Points  # gives the points that are added up
    times: int = 1  # how often each point counts
    told: str = ""  # see :data:`_COLUMNS`
    # Whether what is added up is rounded nowhere that it could be seen: a sum may be one off in its last place.
    hidden: bool = False
    own: bool = False  # whether average plus and minus are the contestant's own percentage of the session


_MATCHPOINTS = {"matchpoints": 1, "matchpoints, two for a result beaten,": 2}
_WITHOUT_FACTOR = partial(matchpoints, factored=False)

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

_ASIDE = "the result of {ns} and {ew} is set aside, and the others have {factor} for that"
_UNFACTORED = "the results have no factor of Law 78A, and those of other boards have it"
"""How a board may be scored otherwise than the rest of its game."""


def _by_board(boards: pd.DataFrame, *, times: int) -> pd.DataFrame:
    """Return the matchpoints of each result as the printed points of its board show, and as ``told`` what that is.

    A result that has a score may be set aside: its points are those that are printed, and the others of its board are
    compared among themselves.
    """
    board, game = fields(boards, "board"), distinct_rows(boards[["game_id"]])[0]
    printed = boards[["printed_ns", "printed_ew"]].set_axis(["ns", "ew"], axis=1)
    decimals = _decimals(printed, game, least=1)

    def fits(points: pd.DataFrame) -> Bools:
        wrong = printed.notna().to_numpy() & ~np.column_stack(
            [_agree(printed[side].to_numpy(), points[side].to_numpy(), decimals) for side in ("ns", "ew")]
        )
        return ~pd.Series(wrong.any(axis=1)).groupby(board).transform("any").to_numpy(dtype=bool)

    found = matchpoints(boards) * times
    told = np.full(len(boards), "", dtype=object)
    # The result of a board that may be set aside: its points are not the top together, or the furthest from computed.
    whole = (boards["score"].notna() & boards[["ns_adjusted", "ew_adjusted"]].isna().all(axis=1)).to_numpy()
    several = pd.Series(whole).groupby(board).transform("sum").to_numpy() > _SEVERAL
    off, far = (printed.sum(axis=1) - found["top"]).abs(), (printed["ns"] - found["ns"]).abs()
    off = off.where(off > _UNITS[decimals] + _EXACT, 0)  # both sides may be rounded
    rows = np.flatnonzero(whole & several & printed.notna().all(axis=1).to_numpy() & ~fits(found))
    rows = rows[np.lexsort((far.to_numpy()[rows], off.to_numpy()[rows], board[rows]))]
    rows = rows[np.append(np.diff(board[rows]) > 0, True)] if len(rows) else rows
    without = boards.copy()
    without.loc[rows, ["ns_adjusted", "ew_adjusted"]] = 50.0
    of_board = np.unique(board, return_index=True)[1]
    for some, which, factored, text in (
        (without, rows, True, _ASIDE.replace("{factor}", "the factor of Law 78A")),
        (without, rows, False, _ASIDE.replace("{factor}", "no factor of Law 78A")),
        (boards, of_board, False, _UNFACTORED),
    ):
        points = matchpoints(some, factored=factored) * times
        if some is without:
            points.loc[rows, ["ns", "ew"]] = printed.loc[rows]
        better = fits(points) & ~fits(found)
        found[better] = points[better]
        for row in which[better[which]].tolist():
            said = text.format(**boards.loc[row, ["ns", "ew"]])
            told[board == board[row]] = f"on board {boards['board'][row]} {said}, and so they are compared"
    return found.assign(told=told)


_METHODS = (
    *(_Method(name, matchpoints, matchpoints, times) for name, times in _MATCHPOINTS.items()),
    _Method("mean IMPs against the other results", cross_imps, cross_imps),
    _Method("IMPs against the other results, factored,", *(partial(cross_imps, factored=True),) * 2),
    _Method("IMPs against the datum", datum_imps, datum_imps),
    *(_Method(name, matchpoints, matchpoints, times, _OWN, own=True) for name, times in _MATCHPOINTS.items()),
    *(
        _Method(name, _WITHOUT_FACTOR, total, times, told, hidden=total is matchpoints)
        for name, times in _MATCHPOINTS.items()
        for total, told in ((_WITHOUT_FACTOR, _PLAIN), (matchpoints, _PLAIN_RESULTS))
    ),
    *(_Method(name, *(partial(_by_board, times=times),) * 2) for name, times in _MATCHPOINTS.items()),
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
    of_pairs = kinds.isin(PAIRS_AND_INDIVIDUALS).to_numpy()[game]
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

    # Most methods are tried on the same games as those before, and many have the same points.
    @lru_cache(maxsize=2)
    def of_games(games: tuple[int, ...]) -> _Played:
        mine = np.isin(played, games)
        return _Played(boards[mine].reset_index(drop=True), played[mine], sheet.contestants, listed, as_one)

    @lru_cache(maxsize=8)
    def points_of(points: _Points, times: int, games: tuple[int, ...]) -> pd.DataFrame:
        return points(of_games(games).boards) if times == 1 else points_of(points, 1, games) * times

    def numbers(method: _Method, games: Ints) -> pd.DataFrame:
        which = tuple(games.tolist())
        results, sums = (points_of(points, method.times, which) for points in (method.result, method.total))
        mine = of_games(which)
        return pd.concat([mine.results(results, method), *mine.totals(sums, method)], ignore_index=True)

    found = _without_strange_totals(_best([partial(numbers, each) for each in _METHODS], np.arange(len(first))))
    return _told(found.sort_values("game", kind="stable"))


def _best(ways: Iterable[Callable[[Ints], pd.DataFrame]], games: Ints) -> pd.DataFrame:
    """Return the same numbers of some games, of each game by the first way that all agree with, or else that most do.

    ways: return the numbers of those games that are left, with a column of the game.
    """
    tried: list[pd.DataFrame] = []
    agreed: list[Ints] = []
    size = int(games.max(initial=-1)) + 1
    for way in ways:
        found = way(games)
        game, agrees = found["game"].to_numpy(), found["agrees"].to_numpy(dtype=bool)
        each, agree = (np.bincount(game[rows], minlength=size) for rows in (slice(None), agrees))
        tried.append(found)
        agreed.append(np.where(each > 0, agree, -1))
        games = games[(agree < each)[games]]
        if not len(games):
            break
    best = np.argmax(agreed, axis=0)
    kept = [found[best[found["game"].to_numpy()] == number] for number, found in enumerate(tried)]
    every: pd.DataFrame = pd.concat(kept, ignore_index=True)
    return every


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
        parts = []
        board = fields(boards, "board")
        for side, rows in self._seats.items():
            score, adjusted = scores(boards, side), boards[f"{side}_adjusted"]
            others = score.groupby(board).transform("count")
            how = {"board": boards["board"], "score": score, "others": others, "adjusted": adjusted}
            printed = {"game": played, "contestant": rows, "printed": boards[f"printed_{side}"]}
            one = pd.DataFrame({**printed, "what": "board", **how, "ns": side == "ns"})
            parts.append(one[(rows >= 0) & one["printed"].notna()])
        both = pd.concat(parts)
        self._at, self._is_ns = both.index.to_numpy(), both.pop("ns").to_numpy(dtype=bool)
        self._results = both.reset_index(drop=True)

    def results(self, points: pd.DataFrame, method: _Method) -> pd.DataFrame:
        points = with_own_percentages(self.boards, points, self._contestants) if method.own else points
        ns, ew = (points[side].to_numpy()[self._at] for side in ("ns", "ew"))
        computed = np.where(self._is_ns, ns, ew)
        agrees = _agree(self._results["printed"].to_numpy(), computed, self._decimals[self._at])
        told = points["told"].to_numpy()[self._at] if "told" in points else method.told
        found = self._results.assign(computed=computed, agrees=agrees, method=method.name, told=told)
        known: pd.DataFrame = found[~np.isnan(computed)].reset_index(drop=True)
        return known

    @cached_property
    def _sessions(self) -> list[tuple[Ints, pd.DataFrame, pd.DataFrame]]:
        """For each session the games, what is printed of it, and the results."""
        session = self.boards["session"]
        several = session.groupby(self._game).transform("nunique").to_numpy() > 1
        together = several & np.isin(self._game, self._as_one)
        of_several = np.isin(self._listed, self._game[several & ~together])
        found = []
        for number, each in self.boards.groupby(session.mask(together, 1)):
            printed, said = self._printed(f"session{number}", of_several)
            games = np.unique(self._game[each.index])
            games = games[np.isin(games, self._listed[said])]
            mine = each[np.isin(self._game[each.index], games)]
            if len(mine):
                found.append((games, printed, mine))
        return found

    def totals(self, points: pd.DataFrame, method: _Method) -> Iterator[pd.DataFrame]:
        """Yield the scores of each session, and where there is but one the percentages."""
        boards = self.boards
        points = with_own_percentages(boards, points, self._contestants) if method.own else points
        rounded = points.assign(**{side: _rounded(points[side], self._decimals) for side in self._seats})
        unknown = [
            rows[(boards[f"printed_{side}"].notna() & points[side].isna()).to_numpy()]
            for sat in self._seated
            for side, rows in sat.items()
        ]
        every = [rounded] if rounded.equals(points) else [rounded, points]
        for games, printed, mine in self._sessions:
            yield _best(self._ways(mine, every, printed, np.concatenate(unknown), method), games)

    def _ways(
        self,
        boards: pd.DataFrame,
        points: Sequence[pd.DataFrame],
        printed: pd.DataFrame,
        unknown: Ints,
        method: _Method,
    ) -> Iterator[Callable[[Ints], pd.DataFrame]]:
        """Yield the ways to tell the numbers of a session, each worked out when it is asked for, for some games.

        points: those that may be added up. unknown: the contestants whose totals are not known.
        """
        seated = [{side: rows[boards.index] for side, rows in sat.items()} for sat in self._seated]

        @cache
        def added(which: int) -> pd.DataFrame:
            some = points[which].loc[boards.index]
            return totals(boards, some, self._contestants, own=method.own, seated=seated)

        known = added(0)["boards"].notna().to_numpy() & ~np.isin(np.arange(len(printed)), unknown)

        def numbers(how: _How, told: str, which: int, games: Ints) -> pd.DataFrame:
            rows = np.flatnonzero(known & np.isin(self._listed, games))
            of_rows, listed = printed.iloc[rows], self._listed[rows]
            found = how(added(which).iloc[rows], of_rows)
            kinds = {"score": 1, "percentage": 0}
            decimals = np.concatenate([_decimals(of_rows[[what]], listed, least) for what, least in kinds.items()])
            off = np.repeat([float(method.hidden), 0], len(rows))
            shown, computed = (np.concatenate([side[what] for what in kinds]) for side in (of_rows, found))
            every = pd.DataFrame(
                {
                    "game": np.tile(listed, 2),
                    "contestant": np.tile(rows, 2),
                    "printed": shown,
                    "computed": computed,
                    "agrees": _agree(shown, computed, decimals, off),
                    "what": np.repeat([*kinds], len(rows)),
                    "told": method.told or told,
                    "boards": np.tile(found["boards"], 2),
                    "adjustment": np.tile(of_rows["adjustment"].fillna(0), 2),
                }
            )
            there: pd.DataFrame = every[~np.isnan(shown) & ~np.isnan(computed)].reset_index(drop=True)
            return there

        kinds = _TOTALS[:-1] if "top" in points[0] else _TOTALS
        for (how, told), which in product(kinds, range(len(points))):
            yield partial(numbers, how, told, which)

    def _printed(self, column: str, of_several: Bools) -> tuple[pd.DataFrame, Bools]:
        """Return what is printed of a session for each contestant, and for which contestants anything can be printed.

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


def _as_summed(found: pd.DataFrame, printed: pd.DataFrame, total: str = "sum") -> pd.DataFrame:
    """Return as scores the sums of the boards that were played, or a total ``scaled`` to the most that anybody played.

    What was adjusted is added.
    """
    adjustment = printed["adjustment"].fillna(0)
    return found.assign(score=found[total] + adjustment, percentage=_adjusted(found, total, adjustment))


def _as_means(found: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return as scores the means of those boards: those sums, with what was adjusted, shared out among them."""
    summed = _as_summed(found, printed)
    return summed.assign(score=summed["score"] / found["boards"])


_TOTALS = ((_as_raised, ""), (_as_summed, ""), (_as_means, _MEAN), (partial(_as_summed, total="scaled"), _SCALED))
"""How totals may come about, and what is to be told of that; the last one of IMPs alone, which others need not be."""


def _adjusted(found: pd.DataFrame, total: str, adjustment: pd.Series[float]) -> pd.Series[float]:
    """Return percentages with the adjustment of their points."""
    share = found["percentage"].replace(0, np.nan) / 100
    return found["percentage"] + (100 * adjustment / (found[total] / share)).fillna(0)


def _agree(printed: Floats, computed: Floats, decimals: Ints, off: float | Floats = 0) -> Bools:
    found: Bools = np.abs(printed - computed) <= (0.5 + off) * _UNITS[decimals] + _EXACT
    return found


def _told(found: pd.DataFrame) -> pd.DataFrame:
    """Return numbers with the texts of those that differ: nearly all of a game agree, and nobody reads of them."""
    told = found.reset_index(drop=True).reindex(columns=list(_COLUMNS))
    told[["printed", "computed", "why"]] = ""
    told = told.astype(_DTYPES)
    wrong = found[~told["agrees"].to_numpy()]
    rows = np.flatnonzero(~told["agrees"])
    of_result = (wrong["what"] == "board").to_numpy()
    results, sums = wrong[of_result], wrong[~of_result]
    for name in ("printed", "computed"):
        told.loc[rows, name] = wrong[name].map(_short).to_numpy(dtype=object)
    if len(results):
        number = results["board"].astype("int64").astype("str")
        told.loc[rows[of_result], "what"] = ("board " + number).to_numpy(dtype=object)
        adjusted = results["adjusted"]
        scored = results["method"] + " of " + results["score"].map(_short) + " among the "
        scored += results["others"].map(_short) + " scores of the board"
        scored = scored.where(adjusted.isna(), "adjusted to " + adjusted.map(_short) + "% of the top")
        told.loc[rows[of_result], "why"] = scored.to_numpy(dtype=object)
    if len(sums):
        total = "the total of " + sums["boards"].astype("int64").astype("str") + " boards"
        added = " and an adjustment of " + sums["adjustment"].map(_short)
        told.loc[rows[~of_result], "why"] = (total + added.where(sums["adjustment"] != 0, "")).to_numpy(dtype=object)
    return told


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
    unit = pd.Series(_UNITS[decimals], values.index)
    rounded: pd.Series[float] = (values / unit + 0.5 + _EXACT).floordiv(1) * unit
    return rounded


def _short(value: float) -> str:
    """Return a number with at most two decimals, none of them needless."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
