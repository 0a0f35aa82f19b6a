"""The database of the table devices: who met whom on which board, and how it was played.

It reads the tables ``Section``, ``RoundData``, ``ReceivedData``, ``PlayerNumbers``, ``PlayerNames`` and ``HandRecord``
as public files have them. A result of ``ReceivedData`` has no score: that follows from contract, declarer, result and
the board's number (see :mod:`resultproc.scoring.contracts`), and totals are not in the file at all: they are scored
here. The table is a log: its last row for a table, round and board counts, and none where that says that the result was
erased (``Erased``). A remark such as ``40%-60%`` is an adjusted score, ``Not played`` none.

A section has two winners or one as its ``Winners`` says. Where that is not said it has one if more pairs sit N-S than
there are tables, unless none of them sits E-W, too, or a number meets itself, which is two pairs' then. Its phantom is
no contestant. Names are those of ``PlayerNumbers`` at each contestant's table in its first round, else those of
``PlayerNames`` by number. The day is that of the results.

Where ``South`` and ``West`` have numbers it is an event of individuals, and ``PairNS`` and ``PairEW`` (in the movement
``NSPair`` and ``EWPair``) are those of who sat N and E: so has the public source of TabScore (pjflip/TabScore2 on
GitHub) both read and write it. Where the numbers that met on a board met on it turned round, too, they are teams': no
pair plays a board twice. The database has no other place for teams, and says nothing of who makes up which, so pairs
with a number each are pairs here.

Raises FormatError for a database that is not one of the devices', and for what is not read: pairs whose kind of scoring
is another than matchpoints, and teams one of whose rooms is another section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

import pandas as pd

from resultproc.formats.bws.jet import Database
from resultproc.model.codes import AWAITED, EMPTY, EVENT_TOLD, UNKNOWN
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, Problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, TEAMS, EventType
from resultproc.model.grid import Records
from resultproc.model.play import HANDS, contract, declarer, lead, not_shown, whole_hands
from resultproc.model.source import Source
from resultproc.model.text import tidy
from resultproc.scoring.scored import contract_scored
from resultproc.tables.unsaid import field_facts

_SECTION = ("ID", "Letter", "Tables", "MissingPair", "Winners", "ScoringType")
_RESULT = (
    *("ID", "Section", "Table", "Round", "Board", "PairNS", "PairEW", "South", "West"),
    *("NS/EW", "Contract", "Result", "LeadCard", "Remarks", "DateLog", "Erased"),
)
_PLAYER = ("Section", "Table", "Direction", "Number", "Name", "Round")
_ROUND = ("Section", "Table", "Round", "NSPair", "EWPair", "South", "West", "LowBoard", "HighBoard", "CustomBoards")
_RESULT_OF = ("Section", "Table", "Round", "Board")
_SIDES = {"PairNS": NORTH_SOUTH, "PairEW": EAST_WEST}
_SEATS = {"N": "PairNS", "E": "PairEW", "S": "South", "W": "West"}
"""The column with the number of the individual who sits there; for pairs and teams, N has the pair's number."""

_NUMBERS_IN_TEAM = {"N": 1, "S": 2, "E": 3, "W": 4}
"""The player of a team who sits there in the first round, by number."""

_MOST_PLAYERS = 6
_MOST_RESULTS = 50_000
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
_PERCENT = re.compile(r"\s*(100|[0-9]{1,2})\s*%?\s*[-/]\s*(100|[0-9]{1,2})\s*%?\s*")
_NOT_PLAYED = re.compile("not played|no play", re.IGNORECASE)

DeviceRow = Mapping[str, Any]
_PairKey = tuple[int, str, int]
"""A pair: its section's id, its direction ('' where the section has one winner), and its number."""


@dataclass
class _Game:
    """What the tables say, as rows by column."""

    sections: dict[int, DeviceRow]  # by the number that other tables name them by
    rounds: Sequence[DeviceRow]  # who was to play whom at each table; may be none
    results: Sequence[DeviceRow]  # what was entered at the tables
    kind: EventType = EventType.PAIRS  # pairs, teams or individuals
    remarks: list[Problem] = field(default_factory=list)  # on what is doubtful

    def letter(self, section: int) -> str:
        return str(tidy(self.sections[section]["Letter"]) or section).upper()

    def seated(self, row: DeviceRow) -> dict[str, _PairKey]:
        missing = self.sections[row["Section"]]["MissingPair"]
        seats = {side: self._seat(row, side) for side in self._sides() if row[side]}
        return {side: seat for side, seat in seats.items() if seat[2] != missing or seat in self.real}

    def _sides(self) -> Iterable[str]:
        return _SEATS.values() if self.kind is EventType.INDIVIDUAL else _SIDES

    def _seat(self, row: DeviceRow, side: str) -> _PairKey:
        return (row["Section"], _SIDES[side] if self.two_winners[row["Section"]] else "", row[side])

    def __post_init__(self) -> None:
        """Find how many winners each section has, and who played: the other direction may have the phantom's number."""
        self.two_winners = {section: self._has_two_winners(section) for section in self.sections}
        played = (row for row in self.results if row["Contract"])
        self.real = {self._seat(row, side) for row in played for side in self._sides() if row[side]}

    def _has_two_winners(self, section: int) -> bool:
        """Say whether a section has two: teams and individuals are compared with all others."""
        row = self.sections[section]
        if self.kind is not EventType.PAIRS:
            return False
        if row["Winners"] in (1, 2):
            return bool(row["Winners"] == 2)
        met = {
            (each["PairNS"], each["PairEW"])
            for each in (*self.results, *self.rounds)
            if each["Section"] == section and each["PairNS"] and each["PairEW"]
        }
        north_south, east_west = ({pair[side] for pair in met} for side in (0, 1))
        # No pair meets itself, and where none changes its direction there are more of them, as with a rover.
        apart = any(one == other for one, other in met) or not north_south & east_west
        return apart or len(north_south) <= (row["Tables"] or 0)


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
    lacking = [name for name in ("Section", "ReceivedData") if name not in database.tables]
    if lacking:
        what = f"this database has no table {lacking[-1]}: it is none of the table devices'"
        raise FormatError(what, hint="give the .bws file that the scoring program made for the game", code=UNKNOWN)
    return read_tables(source, database)


def read_tables(source: Source, database: Tables, known: Mapping[str, object] | None = None) -> Reading:
    """Read the tables of one file. Raises as :func:`read` does.

    database: the tables, wherever they come from.
    known: what else the file says of its game, in the games frame's columns; None for nothing.
    """
    known = known or {}
    game = _game(database, known.get("event_type"))
    boards = list(_boards(game))
    if not boards:
        raise FormatError("no results have been received yet", hint="give the file after play", code=EMPTY)
    rows = Records(_contestants(game, _players(game, database)))
    rows.fill("game_id", source.stem)
    facts = {"game_id": source.stem, **field_facts(rows, game.kind), **_date(game), **_of_teams(game, known), **known}
    shared = {"game_id": source.stem, "session": 1}
    results = contract_scored([{**shared, **each} for each in boards])
    deals = Records([{**shared, **each} for each in _deals(game, database)])
    sheet = sheet_of(source, rows, [facts], [*game.remarks, *_awaited(game)])
    return Reading(sheet, boards=results, deals=deals)


def _awaited(game: _Game) -> Iterator[Problem]:
    """Yield the remark on results that the movement has and that are not there yet.

    Where a round of two pairs names no boards, or most results are at seats that the movement does not have, nobody can
    say what is to come.
    """
    there = {tuple(row[name] for name in _RESULT_OF) for row in game.results if row["Contract"] or tidy(row["Remarks"])}
    meant: set[tuple[int, ...]] = set()
    for row in game.rounds:
        if len(game.seated(row)) < (len(_SEATS) if game.kind is EventType.INDIVIDUAL else len(_SIDES)):
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


def _boards_of(row: DeviceRow) -> list[int]:
    custom = re.findall("[0-9]+", str(row["CustomBoards"] or ""))
    low, high = row["LowBoard"] or 0, row["HighBoard"] or 0
    return [int(each) for each in custom] or (list(range(low, high + 1)) if 0 < low <= high < low + 100 else [])


def _table(database: Tables, name: str, columns: Sequence[str]) -> Sequence[DeviceRow]:
    """Return the rows of a table by column; texts where there are to be texts, and else no texts."""
    rows = database.rows(name, columns)
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    for row in found:
        for name, value in row.items():
            if name in _TEXTS:
                row[name] = "" if value is None else str(value)
            elif isinstance(value, str):
                row[name] = None
    return found


def _game(database: Tables, said: object) -> _Game:
    """Return the sections, rounds and results; raise FormatError for what is not read.

    said: the type of event, None where the file does not say it.
    """
    sections = {row["ID"]: row for row in _table(database, "Section", _SECTION)}
    results, replaced = _that_count(_table(database, "ReceivedData", _RESULT))
    letters = Counter(tidy(row["Letter"]).upper() for row in sections.values() if tidy(row["Letter"]))
    alike = [letter for letter, count in letters.items() if count > 1]
    if alike:
        raise FormatError(f"several sections are called {alike[0]}", hint="give each a letter of its own")
    unknown = sorted({str(row["Section"]) for row in results if row["Section"] not in sections})
    if unknown:
        raise FormatError(f"there are results of a section that there is not: {', '.join(unknown)}")
    rounds: list[DeviceRow] = [
        {**row, "PairNS": row["NSPair"], "PairEW": row["EWPair"]}
        for row in _table(database, "RoundData", _ROUND)
        if row["Section"] in sections
    ]
    if max(len(results), len(rounds), sum(len(_boards_of(row)) for row in rounds[:_MOST_RESULTS])) > _MOST_RESULTS:
        raise FormatError(f"there are more than {_MOST_RESULTS} results, played or to come: no game has that many")
    numbers = {board for board in (row["Board"] for row in results) if isinstance(board, int) and 0 < board < 10_000}
    lacking = [row for row in results if not (row["Board"] in numbers and row["PairNS"] and row["PairEW"])]
    if lacking:
        raise FormatError(f"the result {lacking[0]['ID']} of ReceivedData names no board, or not both pairs")
    if any(row["South"] or row["West"] for row in (*results, *rounds)):
        return _Game(sections, rounds, _of_individuals(results, rounds), EventType.INDIVIDUAL, replaced)
    if said != EventType.PAIRS and _are_teams(sections, results, rounds):
        return _Game(sections, rounds, results, EventType.SWISS, replaced)
    if said in TEAMS:
        what = "these are matches of teams, and nobody says which pairs make up a team: no two met at two tables"
        raise FormatError(what, hint="fill in TeamNS and TeamEW, or give both pairs of a team its number", code=UNKNOWN)
    other = sorted({row["ScoringType"] for row in sections.values()} - {*_MATCHPOINTS}, key=str)
    if other:
        what = f"its ScoringType is {other[0]}: only pairs scored by matchpoints are read from such files yet"
        raise FormatError(what, hint="export the results from the scoring program", code=UNKNOWN)
    return _Game(sections, rounds, results, remarks=replaced)


def _that_count(rows: Sequence[DeviceRow]) -> tuple[list[DeviceRow], list[Problem]]:
    """Return the last result of each table, round and board that was not erased, and remarks on those it replaced."""
    last: dict[tuple[Any, ...], DeviceRow] = {}
    replaced = []
    for row in sorted(rows, key=lambda row: (row["Section"] or 0, row["Board"] or 0, row["ID"] or 0)):
        said = tuple(row[name] for name in _RESULT_OF)
        # Where no table or round is said, it is the pairs that tell results of a board apart.
        seat = said if row["Table"] and row["Round"] else (*said, row["PairNS"], row["PairEW"])
        before = last.pop(seat, None)
        last[seat] = row
        if before and not before["Erased"] and not row["Erased"] and _said(before) != _said(row):
            what = f"a later result has taken the place of '{' '.join(filter(None, _said(before)))}' and counts"
            hint = "erase the one that is wrong, if it is the later one"
            where = f"board {row['Board']}, table {row['Table']}, round {row['Round']}"
            replaced.append(Problem(what, where, hint, code="boards.left-out"))
    return [row for row in last.values() if not row["Erased"]], replaced


def _said(row: DeviceRow) -> tuple[str, ...]:
    return tuple(str(row[name] or "") for name in ("Contract", "NS/EW", "Result", "Remarks"))


def _of_individuals(results: Sequence[DeviceRow], rounds: Sequence[DeviceRow]) -> list[DeviceRow]:
    """Return the results of individuals, with who sat S and W as the movement says where they do not.

    Raises FormatError where nobody knows.
    """
    meeting = ("Section", "Table", "Round", "PairNS", "PairEW")
    sat = {tuple(row[name] for name in meeting): {"South": row["South"], "West": row["West"]} for row in rounds}
    found = [
        row if row["South"] and row["West"] else {**row, **sat.get(tuple(row[name] for name in meeting), {})}
        for row in results
    ]
    lacking = [row for row in found if not (row["South"] and row["West"])]
    if lacking:
        what = f"the result {lacking[0]['ID']} of ReceivedData does not name all four players, nor does the movement"
        raise FormatError(what, hint="enter South and West for the table and round in RoundData")
    return found


def _are_teams(sections: Mapping[int, DeviceRow], results: Sequence[DeviceRow], rounds: Sequence[DeviceRow]) -> bool:
    """Say whether the numbers are teams': most that met on a board met on it turned round, too, and none met itself.

    Raises FormatError where they did so in another section, whose numbers are others' unless it is the other room.
    """
    said = {section for section, row in sections.items() if row["Winners"] != 2}
    met = {(row["Section"], row["Board"], row["PairNS"], row["PairEW"]) for row in results}
    met |= {
        (row["Section"], board, row["PairNS"], row["PairEW"])
        for row in rounds
        if row["PairNS"] and row["PairEW"]
        for board in _boards_of(row)
    }
    met = {each for each in met if each[0] in said}
    if any(north_south == east_west for *_, north_south, east_west in met):
        return False
    if 2 * sum((section, board, ew, ns) in met for section, board, ns, ew in met) > len(met):
        return True
    anywhere = {each[1:] for each in met}
    if len(said) > 1 and 2 * sum((board, ew, ns) in anywhere for _, board, ns, ew in met) > len(met):
        what = "who met in one section met on the same boards in another, turned round: these are teams in two rooms"
        raise FormatError(what, hint="give both rooms in one section", code=UNKNOWN)
    return False


def _of_teams(game: _Game, known: Mapping[str, object]) -> dict[str, object]:
    """Return the boards of a match, where these are teams and all matches have as many, and remark on what they are."""
    if game.kind not in TEAMS:
        return {}
    if "event_type" not in known:
        what = "the numbers that met on a board met on it turned round at another table: they are teams"
        hint = "declare event_type='bam' for board-a-match; else they are scored in IMPs"
        game.remarks.append(Problem(what, "ReceivedData", hint, code=EVENT_TOLD, key="event_type"))
    boards: dict[tuple[int, ...], set[int]] = {}
    for row in game.results:
        match = (row["Section"], row["Round"] or 0, *sorted((row["PairNS"], row["PairEW"])))
        boards.setdefault(match, set()).add(row["Board"])
    counts = {len(each) for each in boards.values()}
    return {"boards": counts.pop()} if len(counts) == 1 else {}


def _boards(game: _Game) -> Iterator[dict[str, Any]]:
    """Yield the results in the boards frame's columns; those without any are left out."""
    for row in game.results:
        shared = {
            "section": game.letter(row["Section"]),
            **{"board": row["Board"], "ns": str(row["PairNS"]), "ew": str(row["PairEW"])},
            **{"table": row["Table"], "round": row["Round"]},
        }
        if game.kind is EventType.INDIVIDUAL:
            shared |= {"ns_partner": str(row["South"]), "ew_partner": str(row["West"])}
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
            what = f"this is not a result: '{' '.join(filter(None, (row['Contract'], row['Result'], remark)))}'"
            game.remarks.append(Problem(what, where, "it is left out; enter it as 4 S x, or as 40%-60%"))


def _play(row: DeviceRow, said: str, where: str) -> dict[str, Any]:
    """Return contract, declarer, tricks and lead; raise FormatError for what cannot be scored."""
    if said == "Pass":
        return {"contract": said}
    by, made = declarer(row["NS/EW"]), _MADE.fullmatch(row["Result"].strip())
    if by is None or made is None:
        what = f"'{row['Contract']}' by '{row['NS/EW'] or ''}' with the result '{row['Result'] or ''}' cannot be scored"
        raise FormatError(what, where, "enter who declared (N, E, S or W), and =, +1 or -1")
    tricks = int(said[0]) + 6 + int(made[1] or 0)
    return {"contract": said, "declarer": by, "tricks": tricks, "lead": lead(row["LeadCard"])}


def _contestants(game: _Game, players: Mapping[_PairKey, Mapping[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the contestants that have results, in their frame's columns; the phantom has none to count."""
    sat = {seat for row in game.results for seat in game.seated(row).values()}
    for section, direction, number in sorted(sat, key=lambda seat: (seat[0], seat[1] != NORTH_SOUTH, seat[2])):
        yield {
            "section": game.letter(section),
            **({"direction": direction} if direction else {}),
            "number": str(number),
            "eligible": True,
            **players.get((section, direction, number), {}),
            "where": " ".join(filter(None, (game.letter(section), direction, str(number)))),
        }


def _players(game: _Game, database: Tables) -> dict[_PairKey, dict[str, str]]:
    """Return the names and numbers of each contestant's players, by the table and round that they were entered at."""
    entered = [row for row in _table(database, "PlayerNumbers", _PLAYER) if row["Number"] or row["Name"]]
    asked = any(not row["Name"] for row in entered)
    names: dict[str, str] = {}
    for row in _table(database, "PlayerNames", ("ID", "Name", "strID")) if asked else ():
        names |= {str(key): row["Name"] for key in (row["ID"], row["strID"]) if key and row["Name"]}
    sat: dict[tuple[int, int, int], dict[str, Any]] = {}
    for row in (*reversed(game.results), *game.rounds):  # the movement goes before results, the first of these counts
        there = {name: value for name, value in row.items() if value is not None}
        sat.setdefault((row["Section"], row["Table"], row["Round"]), dict.fromkeys(_SEATS.values())).update(there)
    found: dict[_PairKey, dict[int, tuple[str, str]]] = {}
    for row in sorted(entered, key=lambda row: (row["Round"] or 0, _NUMBERS_IN_TEAM.get(_seat(row), 0))):
        seat, at = _seat(row), sat.get((row["Section"], row["Table"], row["Round"] or 1))
        if seat not in _SEATS or at is None:
            continue
        column = _SEATS[seat] if game.kind is EventType.INDIVIDUAL else "PairNS" if seat in "NS" else "PairEW"
        number = tidy(row["Number"])
        person = (tidy(row["Name"]) or tidy(names.get(number, "")), "" if number == "0" else number)
        who = game.seated(at).get(column)
        if who and any(person):
            people = found.setdefault(who, {})
            people.setdefault(_number_in_team(game.kind, seat, person, people), person)
    return {
        who: {
            f"{column}{number}": value
            for number, person in sorted(people.items())
            for column, value in zip(("player", "id"), person, strict=True)
            if value
        }
        for who, people in found.items()
    }


def _seat(row: DeviceRow) -> str:
    return str(row["Direction"]).strip().upper()


def _number_in_team(kind: EventType, seat: str, person: tuple[str, str], people: Mapping[int, tuple[str, str]]) -> int:
    """Return which player of its contestant somebody is; of a team those are added that sit there in later rounds."""
    if kind is EventType.INDIVIDUAL:
        return 1
    if kind is EventType.PAIRS:
        return 1 if seat in "NE" else 2
    known = next((number for number, each in people.items() if each == person), None)
    free = (number for number in (_NUMBERS_IN_TEAM[seat], *range(1, _MOST_PLAYERS + 1)) if number not in people)
    return known or next(free, _MOST_PLAYERS)


def _date(game: _Game) -> dict[str, object]:
    """Return the day of the results: the first of two that follow each other, where play went on after midnight."""
    days = Counter(row["DateLog"].date() for row in game.results if isinstance(row["DateLog"], datetime))
    first = min(days, default=None)
    if first is None:
        return {}
    if max(days) - first > timedelta(days=1):
        listed = f"{first} to {max(days)}"
        hint = "declare the date; take out what is of another game"
        game.remarks.append(Problem(f"the results are of several days, {listed}", "ReceivedData", hint, key="date"))
        return {}
    return {"date": pd.Timestamp(first)}


def _deals(game: _Game, database: Tables) -> Iterator[dict[str, Any]]:
    """Yield the hands of the boards whose deal is whole, in the deals frame's columns.

    Left out are boards that have other hands in another section; a remark says so.
    """
    known: dict[int, list[dict[str, str]]] = {}
    wrong: list[tuple[str, str]] = []
    for row in _table(database, "HandRecord", ("Board", *_HANDS)):
        suits = [row[name] or "" for name in _HANDS]
        dealt = {seat: suits[4 * at : 4 * at + 4] for at, seat in enumerate(HANDS)}
        whole = whole_hands(str(row["Board"] or ""), dealt, "HandRecord", wrong) if any(suits) else None
        if whole and whole not in known.setdefault(row["Board"], []):
            known[row["Board"]].append(whole)
    yield from ({"board": board, **deals[0]} for board, deals in known.items() if len(deals) == 1)
    game.remarks += not_shown(wrong)
    several = [str(board) for board, deals in known.items() if len(deals) > 1]
    if several:
        what = f"board{'s' * (len(several) > 1)} {', '.join(several)}: there are several deals, and none is taken over"
        game.remarks.append(Problem(what, "HandRecord", "give the file of each section by itself"))
