"""The database of the table devices: who met whom on which board, and how it was played.

Known are the tables ``Section``, ``RoundData``, ``ReceivedData``, ``PlayerNumbers``, ``PlayerNames`` and ``HandRecord``
as public files have them. A result of ``ReceivedData`` has no score: that follows from contract, declarer, result and
the board's number (see :mod:`resultproc.scoring.contracts`), and totals are not in the file at all: they are scored
here. Erased results are left out; a remark such as ``40%-60%`` is an adjusted score, ``Not played`` none.

A section has two winners or one as its ``Winners`` says; where that is not said, one if more pairs have sat N-S than
there are tables. Its phantom is no contestant. Names are those of ``PlayerNumbers`` at each pair's table in its first
round, else those of ``PlayerNames`` by number. The day is that of the results.

Raises FormatError for a database that is none of the devices', and for what is not read yet: individuals, and kinds of
scoring other than matchpoints.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

import pandas as pd

from resultproc.formats.bws.jet import Database
from resultproc.formats.common.field import field_facts
from resultproc.formats.common.play import contract, deal, declarer, hand, lead
from resultproc.formats.common.rows import Records
from resultproc.formats.common.scored import contract_scored
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.registry import Reading
from resultproc.formats.source import Source
from resultproc.model.codes import AWAITED, EMPTY, UNKNOWN
from resultproc.model.errors import FormatError, Problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.values import tidy

_SECTION = ("ID", "Letter", "Tables", "MissingPair", "Winners", "ScoringType")
_RESULT = (
    *("ID", "Section", "Table", "Round", "Board", "PairNS", "PairEW", "South", "West"),
    *("NS/EW", "Contract", "Result", "LeadCard", "Remarks", "DateLog", "Erased"),
)
_PLAYER = ("Section", "Table", "Direction", "Number", "Name", "Round")
_ROUND = ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard", "CustomBoards")
_SIDES = {"N": (NORTH_SOUTH, 1), "S": (NORTH_SOUTH, 2), "E": (EAST_WEST, 1), "W": (EAST_WEST, 2)}
_HANDS = tuple(
    f"{seat}{suit}" for seat in ("North", "East", "South", "West") for suit in ("Spades", "Hearts", "Diamonds", "Clubs")
)

_TEXTS = frozenset(
    {
        *("Letter", "NS/EW", "Contract", "Result", "LeadCard", "Remarks"),
        *("Direction", "Number", "Name", "strID", "CustomBoards", *_HANDS),
    }
)
"""The columns of texts, which are empty where there is nothing."""

_MATCHPOINTS = (None, 0, 1)
"""What ``ScoringType`` says of pairs' matchpoints, or nothing at all."""

_MADE = re.compile("=|([+-][0-9]{1,2})")
_PERCENT = re.compile(r"\s*([0-9]{1,3})\s*%?\s*[-/]\s*([0-9]{1,3})\s*%?\s*")
_NOT_PLAYED = re.compile("not played|no play", re.IGNORECASE)

Row = Mapping[str, Any]
Seat = tuple[int, str, int]
"""A pair: its section's id, its direction ('' where the section has one winner), and its number."""


@dataclass
class _Game:
    """What the tables say, as rows by column."""

    sections: dict[int, Row]
    rounds: list[Row]
    results: list[Row]
    remarks: list[Problem] = field(default_factory=list)

    def letter(self, section: int) -> str:
        """Return what a section is called."""
        return str(tidy(self.sections[section]["Letter"]) or section).upper()

    def seat(self, row: Row, direction: str, number: int) -> Seat:
        """Return the pair that sat somewhere."""
        return (row["Section"], direction if self.two_winners[row["Section"]] else "", number)

    def __post_init__(self) -> None:
        """Find how many winners each section has."""
        self.two_winners = {}
        for section, row in self.sections.items():
            north_south = {each["PairNS"] for each in self.results if each["Section"] == section}
            said = row["Winners"]
            self.two_winners[section] = said == 2 if said in (1, 2) else len(north_south) <= (row["Tables"] or 0)


class Tables(Protocol):
    """Tables as the devices' database has them, wherever they come from."""

    @property
    def tables(self) -> Mapping[str, object]:
        """The tables that there are, by name."""

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a table: the values of some columns, None for what is empty and for a column not there."""


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    database = Database(source.data)
    if not {"Section", "ReceivedData"} <= database.tables.keys():
        what = "this database has no table ReceivedData: it is none of the table devices'"
        raise FormatError(what, hint="give the .bws file that the scoring program made for the game", code=UNKNOWN)
    return read_tables(source, database)


def read_tables(source: Source, database: Tables, known: Mapping[str, object] | None = None) -> Reading:
    """Read the tables of one file; known: what else it says of its game. Raises as :func:`read` does."""
    game = _game(database)
    boards = list(_boards(game))
    if not boards:
        raise FormatError("no results have been received yet", hint="give the file after play", code=EMPTY)
    rows = Records(_contestants(game, _players(game, database)))
    rows.fill("game_id", source.stem)
    facts = {"game_id": source.stem, **field_facts(rows, EventType.PAIRS), **_date(game), **(known or {})}
    shared = {"game_id": source.stem, "session": 1}
    results = contract_scored([{**shared, **each} for each in boards])
    sheet = sheet_of(source, rows, [facts], [*game.remarks, *_awaited(game)])
    return Reading(sheet, boards=results, deals=Records({**shared, **each} for each in _deals(database)))


def _awaited(game: _Game) -> Iterator[Problem]:
    """Yield the remark on results that the movement has and that are not there yet.

    Where a round of two pairs names no boards, or most results are at seats that the movement does not have, nobody can
    say what is to come.
    """
    there = {
        tuple(row[name] for name in ("Section", "Table", "Round", "Board"))
        for row in game.results
        if row["Contract"] or tidy(row["Remarks"])
    }
    meant: set[tuple[int, ...]] = set()
    for row in game.rounds:
        missing = game.sections[row["Section"]]["MissingPair"]
        if any(not row[side] or row[side] == missing for side in ("NSPair", "EWPair")):
            continue
        boards = _boards_of(row)
        if not boards:
            return
        meant |= {(row["Section"], row["Table"], row["Round"], board) for board in boards}
    lacking = meant - there
    # A program that left out most of its movement says nothing of what is to come.
    if lacking and 2 * len(there & meant) >= len(there):
        of_round = Counter(each[2] for each in meant)
        over = [number for number in sorted(of_round) if not any(each[2] == number for each in lacking)]
        rounds = f"{len(over)} of {len(of_round)} rounds are over"
        what = f"the game is not over: {len(meant - lacking)} of its {len(meant)} results are there, and {rounds}"
        hint = "wait for the others; where a board is not to be played, enter that"
        yield Problem(what, "ReceivedData", hint, code=AWAITED)


def _boards_of(row: Row) -> list[int]:
    """Return the boards of a round at a table, none where nobody says which."""
    custom = re.findall("[0-9]+", str(row["CustomBoards"] or ""))
    low, high = row["LowBoard"] or 0, row["HighBoard"] or 0
    return [int(each) for each in custom] or (list(range(low, high + 1)) if 0 < low <= high < low + 100 else [])


def _table(database: Tables, name: str, columns: Sequence[str]) -> list[Row]:
    """Return the rows of a table by column; texts where there are to be texts, and else no texts."""
    rows = database.rows(name, columns)
    return [{column: _fit(value, column in _TEXTS) for column, value in zip(columns, row, strict=True)} for row in rows]


def _fit(value: Any, of_text: bool) -> Any:
    if of_text:
        return "" if value is None else str(value)
    return None if isinstance(value, str) else value


def _game(database: Tables) -> _Game:
    """Return the sections, rounds and results; raise FormatError for what is not read."""
    sections = {row["ID"]: row for row in _table(database, "Section", _SECTION)}
    results = [row for row in _table(database, "ReceivedData", _RESULT) if not row["Erased"]]
    results.sort(key=lambda row: (row["Section"] or 0, row["Board"] or 0, row["ID"] or 0))
    unknown = sorted({str(row["Section"]) for row in results if row["Section"] not in sections})
    if unknown:
        raise FormatError(f"there are results of a section that there is not: {', '.join(unknown)}")
    if any(row["South"] or row["West"] for row in results):
        what = "this is an event of individuals, which are not read from such files yet"
        raise FormatError(what, hint="export the results from the scoring program", code=UNKNOWN)
    other = sorted({row["ScoringType"] for row in sections.values()} - {*_MATCHPOINTS}, key=str)
    if other:
        what = f"its ScoringType is {other[0]}: only pairs scored by matchpoints are read from such files yet"
        raise FormatError(what, hint="export the results from the scoring program", code=UNKNOWN)
    lacking = [row for row in results if not (_is_number(row["Board"]) and row["PairNS"] and row["PairEW"])]
    if lacking:
        raise FormatError(f"the result {lacking[0]['ID']} of ReceivedData names no board, or not both pairs")
    rounds = [row for row in _table(database, "RoundData", _ROUND) if row["Section"] in sections]
    return _Game(sections, rounds, results)


def _is_number(board: object) -> bool:
    """Return whether a board can have such a number."""
    return isinstance(board, int) and 0 < board < 10_000


def _boards(game: _Game) -> Iterator[dict[str, Any]]:
    """Yield the results in the boards frame's columns; those without any are left out."""
    for row in game.results:
        shared = {
            "section": game.letter(row["Section"]),
            **{"board": row["Board"], "ns": str(row["PairNS"]), "ew": str(row["PairEW"])},
            **{"table": row["Table"], "round": row["Round"]},
        }
        said, remark = contract(row["Contract"]), tidy(row["Remarks"])
        where = f"section {shared['section']}, board {row['Board']}, table {row['Table']}, round {row['Round']}"
        adjusted = _PERCENT.fullmatch(remark)
        if adjusted:
            yield shared | {"ns_adjusted": float(adjusted[1]), "ew_adjusted": float(adjusted[2])}
        elif said is not None:
            if remark:
                what = f"the result has the remark '{remark}', and is read as it stands"
                game.remarks.append(Problem(what, where, "correct it with the director's ruling"))
            yield shared | _play(row, said, where)
        elif (row["Contract"] or remark) and not _NOT_PLAYED.fullmatch(remark):
            what = f"this is no result: '{' '.join(filter(None, (row['Contract'], row['Result'], remark)))}'"
            game.remarks.append(Problem(what, where, "it is left out; enter it as 4 S x, or as 40%-60%"))


def _play(row: Row, said: str, where: str) -> dict[str, Any]:
    """Return contract, declarer, tricks and lead; raise FormatError for what cannot be scored."""
    if said == "Pass":
        return {"contract": said}
    by, made = declarer(row["NS/EW"]), _MADE.fullmatch(row["Result"].strip())
    if by is None or made is None:
        what = f"'{row['Contract']}' by '{row['NS/EW'] or ''}' with the result '{row['Result'] or ''}' cannot be scored"
        raise FormatError(what, where, "enter who declared (N, E, S or W), and =, +1 or -1")
    tricks = int(said[0]) + 6 + int(made[1] or 0)
    return {"contract": said, "declarer": by, "tricks": tricks, "lead": lead(row["LeadCard"])}


def _contestants(game: _Game, players: Mapping[Seat, Mapping[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the pairs that have results, in the contestants frame's columns; the phantom has none to count."""
    pairs = {
        game.seat(row, direction, row[side])
        for row in game.results
        for side, direction in (("PairNS", NORTH_SOUTH), ("PairEW", EAST_WEST))
        if row[side] != game.sections[row["Section"]]["MissingPair"]
    }
    for section, direction, number in sorted(pairs, key=lambda pair: (pair[0], pair[1] != NORTH_SOUTH, pair[2])):
        yield {
            "section": game.letter(section),
            **({"direction": direction} if direction else {}),
            "number": str(number),
            "eligible": True,
            **players.get((section, direction, number), {}),
            "where": " ".join(filter(None, (game.letter(section), direction, str(number)))),
        }


def _players(game: _Game, database: Tables) -> dict[Seat, dict[str, str]]:
    """Return the names and numbers of each pair's players, by the table and round that they were entered at."""
    entered = [row for row in _table(database, "PlayerNumbers", _PLAYER) if row["Number"] or row["Name"]]
    asked = any(not row["Name"] for row in entered)
    names: dict[str, str] = {}
    for row in _table(database, "PlayerNames", ("ID", "Name", "strID")) if asked else ():
        names |= {str(key): row["Name"] for key in (row["ID"], row["strID"]) if key and row["Name"]}
    sat: dict[tuple[int, int, int], Row] = {}
    for row in game.results:
        sat.setdefault((row["Section"], row["Table"], row["Round"]), row)
    for row in game.rounds:
        pairs = {"Section": row["Section"], "PairNS": row["NSPair"], "PairEW": row["EWPair"]}
        sat[row["Section"], row["Table"], row["Round"]] = pairs
    found: dict[Seat, dict[str, str]] = {}
    for row in sorted(entered, key=lambda row: row["Round"] or 0):
        direction, place = _SIDES.get(row["Direction"].strip().upper(), ("", 0))
        at = sat.get((row["Section"], row["Table"], row["Round"] or 1))
        if not place or at is None:
            continue
        number = at["PairNS" if direction == NORTH_SOUTH else "PairEW"]
        told = found.setdefault(game.seat(at, direction, number), {})
        number_ = tidy(row["Number"])
        name = tidy(row["Name"]) or tidy(names.get(number_, ""))
        for column, value in ((f"player{place}", name), (f"id{place}", number_)):
            if value and number_ != "0":
                told.setdefault(column, value)
    return found


def _date(game: _Game) -> dict[str, object]:
    """Return the day of the results: the first of two that follow each other, where play went on after midnight."""
    days = Counter(row["DateLog"].date() for row in game.results if isinstance(row["DateLog"], datetime))
    first = min(days, default=None)
    if first is None:
        return {}
    if max(days) - first > timedelta(days=1):
        listed = f"{first} to {max(days)}"
        hint = "declare the date; take out what is of another game"
        game.remarks.append(Problem(f"the results are of several days, {listed}", "ReceivedData", hint))
        return {}
    return {"date": pd.Timestamp(first)}


def _deals(database: Tables) -> Iterator[dict[str, Any]]:
    """Yield the hands of the boards whose deal is whole, in the deals frame's columns."""
    known: set[int] = set()
    for row in _table(database, "HandRecord", ("Board", *_HANDS)):
        seats = ("north", "east", "south", "west")
        suits = [row[name] for name in _HANDS]
        whole = deal({seat: hand(*suits[4 * at : 4 * at + 4]) for at, seat in enumerate(seats)})
        if whole and row["Board"] and row["Board"] not in known:
            known.add(row["Board"])
            yield {"board": row["Board"], **whole}
