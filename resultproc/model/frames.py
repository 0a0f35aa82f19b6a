"""The frames that every stage takes and returns.

``games`` and ``contestants`` are what readers give, ``standings`` what ranking gives, ``candidates`` and ``awards``
what awarding gives. All hold many games at once, keyed by ``game_id``. A frame is validated where it enters a stage.
The columns are declared in ``frames.toml``, see :mod:`resultproc.model.columns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.api.types import pandas_dtype, union_categoricals

from resultproc.model.arrays import Ints, family_number, sorted_rows
from resultproc.model.columns import CONTESTANT_COLUMNS, GAME_COLUMNS, Column, columns_of
from resultproc.model.errors import DeclarationError, InputError, Problem
from resultproc.model.facts import Facts
from resultproc.model.game import league, leagues
from resultproc.model.provenance import Origin, Provenance

MAX_MASTERPOINTS = 10_000_000
"""No award is larger, in hundredths: sums over any field stay far inside int64."""

NO_YEAR = 0
"""The year of games without a date, where games are told apart by their years."""

FrameRow = Mapping[Any, Any]
"""A row of a frame: its values by column."""

CONTESTANT_KEY = ["game_id", "section", "direction", "number"]
"""The columns that name a contestant."""

UNNAMED = "there"
"""What stands for the names of players where it does not matter who they are, as in a run over an archive."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A kind of frame: its columns in order."""

    name: str
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column | None:
        """Return the declaration of a column, or None where the frame has none of that name."""
        return _declaration(self, name)

    def declared(self, name: str) -> Column:
        """Return the declaration of a column that the frame has; raise ValueError where it has none of that name."""
        column = self.column(name)
        if column is None:
            raise ValueError(f"the {self.name} frame has no column {name}")
        return column

    def conform(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the frame with every declared column in its dtype and order, missing optional ones empty.

        Undeclared columns and missing required ones raise ValueError: they are mistakes of the program, not of a file.
        """
        dtypes = dict(zip(frame.columns, frame.dtypes, strict=True))
        wanted = _wanted(self, tuple(dtypes))
        if list(wanted) == list(dtypes) and all(_is(dtypes[name], dtype) for name, dtype in wanted.items()):
            return frame.copy(deep=False)
        # To ask for column by column takes twice as long.
        there = {str(name): _as_declared(column, wanted[str(name)]) for name, column in frame.items()}
        return _with_missing(there, wanted, frame.index)

    def of(self, columns: Mapping[str, Any], count: int) -> pd.DataFrame:
        """Return the frame that has some columns: what :func:`conform` makes of a frame of them, which is not made.

        columns: arrays or lists, which become the frame's own: nobody writes to them any more.
        count: how many values each of them has.
        """
        wanted = _wanted(self, tuple(columns))
        there = {name: _as_declared(values, wanted[name]) for name, values in columns.items()}
        return _with_missing(there, wanted, pd.RangeIndex(count))

    def validate(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the frame if it is of this kind; raise ValueError that names the column that is not."""
        dtypes = dict(zip(frame.columns, frame.dtypes, strict=True))
        for name, column in _in_order(self, tuple(dtypes)):
            if name not in dtypes:
                raise ValueError(f"the {self.name} frame lacks its column {name}")
            if not _is(dtypes[name], column.dtype):
                raise ValueError(f"{self.name}.{name} is {dtypes[name]}, not {column.dtype}")
            if column.required and frame[name].isna().any():
                raise ValueError(f"{self.name}.{name} has empty values")
        return frame

    def empty(self) -> pd.DataFrame:
        """Return the frame with no rows."""
        return _empty_as(self, str(pd.get_option("mode.string_storage"))).copy(deep=False)


@lru_cache(256)
def _in_order(kind: Frame, there: tuple[str, ...]) -> list[tuple[str, Column]]:
    """Return the columns of a frame in order with their names, those of a family as far as they are there."""
    return [
        (name, column)
        for column in kind.columns
        for name in (sorted(filter(column.matches, there), key=family_number) if column.numbered else [column.name])
    ]


@cache
def _declaration(frame: Frame, name: str) -> Column | None:
    return next((column for column in frame.columns if column.matches(name)), None)


@lru_cache(256)
def _wanted(kind: Frame, there: tuple[str, ...]) -> Mapping[str, str]:
    """Return the dtype of each column of a frame in order, of a family as far as they are there.

    Raises ValueError for columns that are not declared, and for required ones that are not there.
    """
    unknown = [name for name in there if kind.column(name) is None]
    if unknown:
        raise ValueError(f"the {kind.name} frame has no column {', '.join(map(str, unknown))}")
    wanted = {name: column.dtype for name, column in _in_order(kind, there)}
    lacking = [name for name in wanted if name not in there and kind.declared(name).required]
    if lacking:
        raise ValueError(f"the {kind.name} frame lacks its column {lacking[0]}")
    return wanted


def _with_missing(there: Mapping[str, Any], wanted: Mapping[str, str], index: pd.Index[Any]) -> pd.DataFrame:
    """Return a frame of some columns and of the others that are wanted, in which nothing is known."""
    missing = {wanted[name] for name in wanted.keys() - there.keys()}
    # Columns that are both empty may share one array: what is written to one of them is not written to the others.
    storage = str(pd.get_option("mode.string_storage"))
    empty = {dtype: pd.Series(_unknown(dtype, storage).repeat(len(index)), index) for dtype in missing}
    data = {name: there[name] if name in there else empty[dtype] for name, dtype in wanted.items()}
    return pd.DataFrame(data, index=index, copy=False)


@cache
def _unknown(dtype: str, storage: str) -> Any:
    """Return the value of a column in which nothing is known, as an array: pandas takes long to make one of a scalar.

    storage: how text is held now.
    """
    value = False if dtype == "bool" else 0 if dtype.startswith("int") else None
    return pd.Series([value], dtype=dtype).array


def _as_declared(values: Any, dtype: str) -> Any:
    """Return a column's values in a dtype: a list as an array, an array or a series as what it is."""
    if not isinstance(values, list):
        return values if _is(values.dtype, dtype) else values.astype(pandas_dtype(dtype))
    if dtype in {"float64", "int64", "bool"}:
        return np.array(values, dtype=dtype)  # None is no number
    declared: Any = pandas_dtype(dtype)
    return pd.array(values, dtype=declared)


@cache
def _empty_as(kind: Frame, storage: str) -> pd.DataFrame:
    """Return a frame with no rows, made once: a result has several. storage: how text is held now."""
    return _with_missing({}, {each.name: each.dtype for each in kind.columns if not each.numbered}, pd.RangeIndex(0))


def _is(dtype: object, declared: str) -> bool:
    """Return whether a column may have a dtype: text may also be categories, which archives read faster."""
    if isinstance(dtype, pd.CategoricalDtype):
        return declared == "category" or (declared == "str" and str(dtype.categories.dtype) == "str")
    return str(dtype) == declared


GAMES = Frame("games", GAME_COLUMNS)
"""One row per game."""

CONTESTANTS = Frame("contestants", CONTESTANT_COLUMNS)
"""One row per pair, team or individual in a game. Of the ``printed_`` columns awards depend on places alone, where a
game declares ``by_place``; what is doubtful depends on others, too."""

BOARDS = Frame("boards", columns_of("boards"))
"""One row per result: a board as one pair of contestants played it, or had it adjusted, on one side or both: what
is in ``ns_adjusted`` or ``ew_adjusted`` holds for its side instead of the score."""

DEALS = Frame("deals", columns_of("deals"))
"""One row per board whose hands are known."""

TRAVELLERS = Frame("travellers", columns_of("travellers"))
"""One row per result of a board, traveller by traveller, the best result of N-S first."""

SCORECARDS = Frame("scorecards", columns_of("scorecards"))
"""One row per contestant and board, in the order of the contestants, then by session and board."""

COLOURS = league().points_colours
"""The colours of masterpoints, of all leagues."""

_OF_COLOURS = tuple(Column(colour, "int64", f"hundredths of {colour} points in the award") for colour in COLOURS)

STANDINGS = Frame("standings", columns_of("standings"))
"""One row per contestant, basis and stratum it is ranked in."""

CANDIDATES = Frame("candidates", columns_of("candidates"))
"""One row per standing that pays."""

AWARDS = Frame("awards", (*columns_of("awards"), *_OF_COLOURS))
"""One row per contestant, in the order of the contestants frame."""

PLAYER_AWARDS = Frame("player awards", (*columns_of("player_awards"), *_OF_COLOURS))
"""One row per player of a team whose players get different awards: see ``player_awards`` of ``stages/award.py``."""


def other_awards(games: pd.DataFrame) -> pd.Series[str]:
    """Return what kind of points games print that another body gives, missing where a rulebook here has them.

    A rating of another league than the default one says that they are of that league.
    """
    _, *others = leagues().values()
    return games["stored_other_awards"].mask(games["rating"].isin([name for each in others for name in each.names]))


def game_problem(
    games: pd.DataFrame, row: int, what: str, hint: str = "", where: str = "", code: str = "", key: str = ""
) -> Problem:
    """Return a problem of one game: its file is named, and the game itself where nothing else tells which it is.

    row: the position in ``games``.
    key: the game key that has to be declared, where that is what is wrong.
    """
    (problem,) = game_problems(games, [(row, Problem(what, hint=hint, code=code, key=key))])
    return replace(problem, where=where) if where else problem


def game_problems(games: pd.DataFrame, found: Iterable[tuple[int, Problem]]) -> list[Problem]:
    """Return problems of games, as :func:`game_problem` does each: what is wrong is given with the row of the game."""
    sources, ids = games["source"].astype("object").fillna("").tolist(), games["game_id"].tolist()
    shared = {source for source, count in Counter(sources).items() if count > 1 and source}
    return [
        problem.of_game(f"game {ids[row]}" if sources[row] in shared else "", sources[row], str(ids[row]))
        for row, problem in found
    ]


def raise_for_games(games: pd.DataFrame, game: Ints, number: Ints, refused: Mapping[int, InputError]) -> None:
    """Raise DeclarationError for the games that have something refused; each problem of a game is told once.

    game: positions in ``games``.
    number: what each of these has; ``refused`` says for some numbers what is wrong.
    """
    found = [
        (int(row), problem)
        for each, error in refused.items()
        for problem in error.problems
        for row in np.unique(game[number == each])
    ]
    if found:
        raise DeclarationError(dict.fromkeys(game_problems(games, found)))


def concat(frames: Iterable[pd.DataFrame], kind: Frame) -> pd.DataFrame:
    """Return frames of one kind as one, its rows numbered from 0."""
    frames = [frame for frame in frames if len(frame)]
    return kind.conform(pd.concat(frames, ignore_index=True)) if frames else kind.empty()


def joined_candidates(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return candidates of several origins as one frame, in order; see :func:`candidate_order`.

    The columns are those of the first part. What made candidates is not spelled out, but stays categories.
    """
    keys = (np.concatenate([part[name].to_numpy(dtype=np.int64) for part in parts]) for name in _ORDER)
    order = candidate_order(*keys)
    # Column by column: pandas puts whole frames together in one piece, which takes twice as long to sort.
    columns = {str(name): _joined([part[name] for part in parts]).take(order) for name in parts[0]}
    return CANDIDATES.of(columns, len(order))


def candidate_order(contestant: Ints, masterpoints: Ints, level: Ints) -> Ints:
    """Return candidates in their order: those of one contestant together, the highest first, of equal ones the top."""
    return sorted_rows(contestant, -masterpoints, level)


_ORDER = ("contestant", "masterpoints", "level")


def _joined(parts: Sequence[pd.Series[Any]]) -> ExtensionArray:
    if parts[0].name not in _MADE:
        joined: ExtensionArray = pd.concat(parts, ignore_index=True).array
        return joined
    return union_categoricals([_as_categories(part) for part in parts])


_MADE = [column.name for column in CANDIDATES.columns if column.dtype == "category" and column.required]


def _as_categories(column: pd.Series[Any]) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return column.astype("object" if column.name == "values" else "str").astype("category")


@dataclass(frozen=True, eq=False)
class _Frames:
    """The games and contestants frames of one or more files, which it gives in this order."""

    games: pd.DataFrame
    contestants: pd.DataFrame
    remarks: tuple[Problem, ...] = ()  # on what is doubtful
    sources: tuple[Origin, ...] = ()  # the files that they were read from

    def __iter__(self) -> Iterator[pd.DataFrame]:
        return iter((self.games, self.contestants))

    @cached_property
    def facts(self) -> Facts:
        """What follows from the frames, found as far as it is asked for.

        Raises ValueError where they are not of their kinds.
        """
        return Facts(GAMES.validate(self.games), CONTESTANTS.validate(self.contestants))


class Sheet(_Frames):
    """What readers give: ``games, contestants = read(...)``, and the ``remarks`` on what is doubtful in the files."""

    def unranked(self) -> Result:
        """Return it as a result of games that were neither ranked nor awarded."""
        provenance = Provenance(self.sources, (), len(self.remarks))
        return Result(self.games, self.contestants, remarks=self.remarks, provenance=provenance)


class CompleteSheet(_Frames):
    """A sheet with all that ranking and awarding need; see :func:`resultproc.complete`."""


@dataclass(frozen=True, eq=False)
class Result:
    """Everything known of some games: the sheet, and where they were ranked and awarded, the frames of those stages.

    games, contestants: the sheet.
    standings: the places, empty for games that were not ranked.
    candidates: the places that pay.
    awards: a row for each contestant, None for games that were not awarded.
    player_awards: those of the players of teams whose players get different ones.
    boards: the results of their boards, for formats that write them.
    deals: the hands.
    travellers, scorecards: what follows from the results.
    remarks: what is doubtful, and what would settle it.
    provenance: where it all comes from.
    seal: what its files can be verified with, see :mod:`resultproc.reports.seals`, for formats that hold one.
    """

    games: pd.DataFrame
    contestants: pd.DataFrame
    standings: pd.DataFrame = field(default_factory=STANDINGS.empty)
    candidates: pd.DataFrame = field(default_factory=CANDIDATES.empty)
    awards: pd.DataFrame | None = None
    player_awards: pd.DataFrame = field(default_factory=PLAYER_AWARDS.empty)
    boards: pd.DataFrame = field(default_factory=BOARDS.empty)
    deals: pd.DataFrame = field(default_factory=DEALS.empty)
    travellers: pd.DataFrame = field(default_factory=TRAVELLERS.empty)
    scorecards: pd.DataFrame = field(default_factory=SCORECARDS.empty)
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    seal: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class AwardedResult(Result):
    """A result of games that were awarded: what awarding returns."""

    awards: pd.DataFrame = field(default_factory=AWARDS.empty)
