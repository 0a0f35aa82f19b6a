"""The frames that every stage takes and returns: the one place where a column is declared.

``games`` and ``contestants`` are what readers give, ``standings`` what ranking gives, ``candidates`` and ``awards``
what awarding gives. All hold many games at once, keyed by ``game_id``. A frame is validated where it enters a stage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import pandas_dtype

from resultproc.model.errors import Problem
from resultproc.model.game import KEYS, ZIP_KNOCKOUT, EventType

NORTH_SOUTH, EAST_WEST = "N-S", "E-W"

MAX_MASTERPOINTS = 10_000_000
"""No award is larger, in hundredths: sums over any field stay far inside int64."""

NO_YEAR = 0
"""The year of games without a date, where games are told apart by their years."""


@dataclass(frozen=True)
class Column:
    """A column: its name (``{n}`` for one per player or session), pandas dtype, meaning with unit, and whether it
    may be absent from a frame (it is then added, empty)."""

    name: str
    dtype: str
    meaning: str
    required: bool = False

    @property
    def numbered(self) -> bool:
        """Whether the name stands for a family: player1, player2, ..."""
        return "{n}" in self.name

    def matches(self, name: str) -> bool:
        """Whether ``name`` is this column or one of its family."""
        if not self.numbered:
            return name == self.name
        return re.fullmatch(re.escape(self.name).replace(r"\{n\}", "[1-9][0-9]?"), name) is not None


@dataclass(frozen=True)
class Frame:
    """A kind of frame: its columns in order."""

    name: str
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column | None:
        """Return the declaration of a column, or None where the frame has none of that name."""
        return next((column for column in self.columns if column.matches(name)), None)

    def conform(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the frame with every declared column in its dtype and order, missing optional ones empty.

        Undeclared columns and missing required ones raise ValueError: they are mistakes of the program, not of a file.
        """
        unknown = [name for name in frame.columns if self.column(name) is None]
        if unknown:
            raise ValueError(f"the {self.name} frame has no column {', '.join(map(str, unknown))}")
        data: dict[str, pd.Series[Any]] = {}
        for column in self.columns:
            names = sorted(filter(column.matches, frame.columns), key=_number) if column.numbered else [column.name]
            for name in names:
                if name in frame.columns:
                    right = _is(frame[name].dtype, column.dtype)
                    data[name] = frame[name] if right else frame[name].astype(pandas_dtype(column.dtype))
                elif column.required:
                    raise ValueError(f"the {self.name} frame lacks its column {name}")
                else:
                    data[name] = pd.Series(_empty(column.dtype), index=frame.index, dtype=column.dtype)
        return pd.DataFrame(data, index=frame.index, copy=False)

    def validate(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the frame if it is of this kind; raise ValueError that names the column that is not."""
        for column in self.columns:
            for name in frame.columns if column.numbered else [column.name]:
                if not column.matches(name):
                    continue
                if name not in frame.columns:
                    raise ValueError(f"the {self.name} frame lacks its column {name}")
                if not _is(frame[name].dtype, column.dtype):
                    raise ValueError(f"{self.name}.{name} is {frame[name].dtype}, not {column.dtype}")
                if column.required and frame[name].isna().any():
                    raise ValueError(f"{self.name}.{name} has empty values")
        return frame

    def empty(self) -> pd.DataFrame:
        """Return the frame with no rows."""
        return self.conform(pd.DataFrame({c.name: [] for c in self.columns if not c.numbered}))


def _is(dtype: object, declared: str) -> bool:
    """Return whether a column may have a dtype: text may also stand in categories, which archives read faster."""
    if declared == "str" and isinstance(dtype, pd.CategoricalDtype):
        return str(dtype.categories.dtype) == "str"
    return str(dtype) == declared


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name))


def _empty(dtype: str) -> object:
    if dtype == "bool":
        return False
    if dtype.startswith(("int", "uint")):
        return 0
    return None if dtype in {"str", "category"} else (pd.NaT if dtype.startswith("datetime") else np.nan)


_KEY_DTYPES = {"date": "datetime64[s]", "limit": "float64", "sessions": "Int64", "boards": "Int64"}

GAMES = Frame(
    "games",
    (
        Column("game_id", "str", "identifies the game in every frame", required=True),
        Column("source", "str", "the file it was read from"),
        *(Column(key.name, _KEY_DTYPES.get(key.name, "str"), key.meaning) for key in KEYS.values()),
        Column("stored_rating_code", "Int64", "the scoring program's own code for the class of game"),
        Column("stored_award_revision", "Int64", "the revision of the award rules that the program applied"),
        Column("stored_percent_of_open", "str", "per stratum, its awards in percent of the open rate: A=100, B=80"),
        Column("stored_mpt", "str", "per stratum, the product of the factors M, P and T: A=1.25, B=0.8438"),
        Column("stored_colours", "str", "per basis and stratum, the colours in percent: OA=50 red + 50 black"),
        Column("stored_caps", "str", "per basis and stratum, the cap of the first award: OA=2.5, SA=1.5"),
        Column("stored_concurrent_tables", "str", "tables of other events played at once, by upper limit: 300=6"),
        Column("stored_ranked_with", "str", "per section, the first one of those ranked together: A=A, B=A, C=C"),
    ),
)
"""One row per game. The game keys stand in their canonical spelling (see :mod:`resultproc.model.game`); ``limit`` is
infinite for an open event. The ``stored_`` columns are what a scoring program left in its file of how it computed the
awards; empty where a format has no such thing."""

CONTESTANTS = Frame(
    "contestants",
    (
        Column("game_id", "str", "the game", required=True),
        Column("section", "str", "section, such as A", required=True),
        Column("direction", "str", "N-S or E-W; empty in a one-winner section"),
        Column("number", "str", "the contestant's number in its section and direction", required=True),
        Column("player{n}", "str", "the players' names"),
        Column("id{n}", "str", "their member numbers, as written"),
        Column("mp{n}", "float64", "their holdings in masterpoints"),
        Column("played{n}", "float64", "of a team of five or six, the percent of the event that each player played"),
        Column("stratum", "str", "the lowest stratum it is eligible for, a letter"),
        Column("eligible", "bool", "false: listed, but out of all ranks and awards", required=True),
        Column("score", "float64", "the score: matchpoints, IMPs or victory points; of several sessions, the total"),
        Column("percentage", "float64", "the score in percent of the maximum, 0 to 100"),
        Column("session{n}", "float64", "of an event of several sessions, the score of each"),
        Column("section{n}", "str", "the section of a later session, where it is another"),
        Column("direction{n}", "str", "the direction of a later session, where it is another"),
        Column("carryover", "float64", "what a contestant brings into the total besides its sessions"),
        Column(
            "adjustment", "float64", "what the score has besides what was earned at the table, below zero a penalty"
        ),
        Column("handicap", "float64", "what a handicap game adds to the percentage, in percentage points"),
        Column("wins", "float64", "of a Swiss team, the matches that it won; a tied one counts half"),
        Column("round{n}", "str", "of a knockout, the matches of each round: W 5 (won against team 5), L 7, F 7, bye"),
        Column("playoff", "str", "of a knockout, the match for a further place, played after the team was out: W 3"),
        Column("printed_section", "str", "section ranks as the sheet prints them, per stratum: A=1/2, B=1"),
        Column("printed_overall", "str", "overall ranks as printed, per stratum"),
        Column("printed_award", "Int64", "the printed award in hundredths of a masterpoint"),
        Column("printed_share{n}", "Int64", "the printed award of each player, in hundredths, where they differ"),
        Column("printed_paid_by", "str", "the printed basis and stratum of the award: A, SB, OA"),
        Column("printed_colours", "str", "the printed award by colour, in masterpoints: black=0.22, red=0.22"),
        Column("where", "str", "the line or cell of the file that lists it"),
    ),
)
"""One row per pair, team or individual in a game. Nothing that is computed reads a ``printed_`` column."""

BOARDS = Frame(
    "boards",
    (
        Column("game_id", "str", "the game", required=True),
        Column("section", "str", "the section it was played in", required=True),
        Column("session", "int64", "which session of the event, from 1", required=True),
        Column("board", "int64", "the board's number", required=True),
        Column("ns", "str", "the contestant's number that sat N-S", required=True),
        Column("ew", "str", "the contestant's number that sat E-W", required=True),
        Column("score", "float64", "points to N-S, below zero to E-W; empty where the board was not played out"),
        Column("ns_adjusted", "float64", "an adjusted score: percent of the board's top to N-S, 60 for average plus"),
        Column("ew_adjusted", "float64", "the same to E-W"),
        Column("printed_ns", "float64", "what the sheet prints N-S got: matchpoints or IMPs"),
        Column("printed_ew", "float64", "what it prints E-W got"),
        Column("ew_score", "float64", "points to E-W, where a ruling gave them others than N-S's turned round"),
        Column("scored_with", "str", "where sections are scored together, the first of them; else empty"),
    ),
)
"""One row per result: a board as one pair of contestants played it, or had it adjusted, on one side or both: what
stands in ``ns_adjusted`` or ``ew_adjusted`` holds for its side instead of the score."""

MAX_SESSIONS = 12

BASES = (
    "section",
    "overall",
    "handicap section",
    "handicap overall",
    *(f"session {number}" for number in range(1, MAX_SESSIONS + 1)),
    "matches",
)
"""What a standing is compared over: its section and direction, or the whole field; by raw score or with handicap. An
event of several sessions is compared by section and direction in each session, and overall by the total. A knockout is
compared in each bracket, overall by how far a team came, and by the matches that it won."""

COLOURS = ("black", "silver", "red", "gold", "platinum")
"""The colours of masterpoints."""

STANDINGS = Frame(
    "standings",
    (
        Column("game", "int64", "row of the games frame", required=True),
        Column("contestant", "int64", "row of the contestants frame", required=True),
        Column("basis", "category", "section or overall", required=True),
        Column("stratum", "category", "the stratum's letter", required=True),
        Column("level", "int8", "the stratum's place in the game, 0 the top", required=True),
        Column("limit", "float64", "the stratum's upper limit in masterpoints, infinite for none", required=True),
        Column("group", "int64", "number of the comparison group", required=True),
        Column("size", "int64", "contestants in the group, by the tables where the regulations say so", required=True),
        Column("ranked", "int64", "contestants actually ranked in the group", required=True),
        Column("tables", "float64", "tables of the group's sections, half tables as they are", required=True),
        Column("winners", "int8", "2 where N-S and E-W are compared apart, else 1", required=True),
        Column("position", "int64", "competition rank: two tied for 2nd are 2, the next is 4", required=True),
        Column("tied", "int64", "contestants that share the position, itself included", required=True),
        Column("knockout", "category", "of a knockout, the team's run and the brackets: see resultproc.model.knockout"),
    ),
)
"""One row per contestant, basis and stratum it is ranked in."""

CANDIDATES = Frame(
    "candidates",
    (
        Column("game", "int64", "row of the games frame", required=True),
        Column("contestant", "int64", "row of the contestants frame", required=True),
        Column("basis", "category", "what was compared", required=True),
        Column("stratum", "category", "the stratum's letter", required=True),
        Column("level", "int8", "the stratum's place in the game, 0 the top", required=True),
        Column("size", "int64", "contestants in the comparison group", required=True),
        Column("position", "int64", "competition rank", required=True),
        Column("tied", "int64", "contestants that share it", required=True),
        Column("masterpoints", "int64", "the award in hundredths", required=True),
        Column("section_top", "int64", "hundredths in it that were won at the top of a section, alone or tied"),
        Column("better_colour", "int64", "hundredths of a better colour that its contestant gets, whatever pays them"),
        Column("knockout", "category", "of a knockout, the team's run and the brackets: see resultproc.model.knockout"),
        Column("rule", "category", "the rule that set it: document and place", required=True),
        Column("factors", "category", "the factors that went in, as a person reads them", required=True),
    ),
)
"""One row per standing that pays."""

AWARDS = Frame(
    "awards",
    (
        Column("game", "int64", "row of the games frame", required=True),
        Column("contestant", "int64", "row of the contestants frame", required=True),
        Column("masterpoints", "int64", "the award in hundredths, 0 for none", required=True),
        Column("candidate", "int64", "row of the candidates frame that won, -1 for none", required=True),
        *(Column(colour, "int64", f"hundredths of {colour} points in the award") for colour in COLOURS),
    ),
)
"""One row per contestant, in the order of the contestants frame."""

PLAYER_AWARDS = Frame(
    "player awards",
    (
        Column("contestant", "int64", "row of the contestants frame", required=True),
        Column("player", "int64", "the number of the player: 1 for player1", required=True),
        Column("masterpoints", "int64", "the player's award in hundredths", required=True),
        Column("candidate", "int64", "row of the candidates frame that it comes from, -1 for none", required=True),
        *(Column(colour, "int64", f"hundredths of {colour} points in the award") for colour in COLOURS),
    ),
)
"""One row per player of a team whose players get different awards; see :mod:`resultproc.stages.participation`."""


def categorical(codes: npt.NDArray[np.integer[Any]], categories: Iterable[str]) -> pd.Categorical:
    """Return a category column from the number of each row's category."""
    return pd.Categorical.from_codes(codes, list(categories))  # type: ignore[call-overload,no-any-return]


def numbered(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the number of each key, 0 or more, among the distinct ones in order, and those."""
    if keys.max(initial=0) > _DENSE * len(keys):
        distinct, number = np.unique(keys, return_inverse=True)
        return number.astype(np.int64), distinct
    there = np.bincount(keys) > 0
    return (np.cumsum(there) - 1)[keys], np.flatnonzero(there)


_DENSE = 16
"""Keys up to so many times their count are counted into a table, which is faster than sorting them."""


def words_in(texts: pd.Series[str], *words: str) -> npt.NDArray[np.bool_]:
    """Return which of some declared lists, such as ``charity, across-sections``, have one of the words."""
    pattern = rf"(?:^|, )(?:{'|'.join(map(re.escape, words))})(?:$|,)"
    return texts.str.contains(pattern, regex=True, na=False).to_numpy(dtype=bool)


def knockouts(games: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which games are knockouts, ranked by their rounds: a zip knockout has scores, and is none of them."""
    knockout = (games["event_type"] == EventType.KNOCKOUT.value).to_numpy(dtype=bool)
    return knockout & ~words_in(games["special"], ZIP_KNOCKOUT) if knockout.any() else knockout


def players(contestants: pd.DataFrame, prefix: str = "player") -> list[str]:
    """Return the columns of one family that the frame has, in order: player1, player2, ..."""
    return sorted((c for c in contestants.columns if re.fullmatch(prefix + "[1-9][0-9]?", c)), key=_number)


def game_problem(games: pd.DataFrame, row: int, what: str, hint: str = "", where: str = "") -> Problem:
    """Return a problem of one game: its file is named, and the game itself where nothing else tells it apart."""
    game = games.iloc[row]
    source = game["source"] if isinstance(game["source"], str) else ""
    if not where and (games["source"] == source).sum() > 1:
        where = f"game {game['game_id']}"
    return Problem(what, where, hint, source, str(game["game_id"]))


def concat(frames: Iterable[pd.DataFrame], kind: Frame) -> pd.DataFrame:
    """Return frames of one kind as one, its rows numbered anew."""
    frames = [frame for frame in frames if len(frame)]
    return kind.conform(pd.concat(frames, ignore_index=True)) if frames else kind.empty()


class Sheet(NamedTuple):
    """What readers give: the games and contestants frames of one or more files."""

    games: pd.DataFrame
    contestants: pd.DataFrame


@dataclass(frozen=True)
class Result:
    """Everything known of some games: the sheet, and where they were ranked and awarded, the frames of those stages.

    boards: the results of their boards, for formats that write them.
    """

    games: pd.DataFrame
    contestants: pd.DataFrame
    standings: pd.DataFrame = field(default_factory=STANDINGS.empty)
    candidates: pd.DataFrame = field(default_factory=CANDIDATES.empty)
    awards: pd.DataFrame | None = None
    boards: pd.DataFrame = field(default_factory=BOARDS.empty)
