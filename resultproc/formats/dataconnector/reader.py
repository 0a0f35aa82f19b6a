"""What the table devices' connector and a scoring program tell each other, as JSON: one session of pairs or of teams.

The names and numbers are those of the data classes of the connector's public client (InitDTO, SessionDTO,
ScoringGroupDTO, SectionDTO, TableDTO, RoundDTO, ResultDTO, PlayerDataDTO, ParticipationDTO and HandrecordDTO of
github.com/bridgesystems/Bridgemate-Data-Connector-Scoring-Program-Client). Read are:

- an object of an event (``Sessions``, and what else it has: ``PlayerData``, ``Participations``, ``Handrecords``), with
  the list ``Results`` beside these;
- a list of such objects, of single data, and of the requests and responses that carry them (``SerializedData``). If
  there are two results of a table, round and board, the later one counts; if that one is deleted, none does.

All becomes the tables that the devices' database has, and is read so, see :mod:`resultproc.formats.bws.reader`.
A level below zero is an artificial score: average minus is 40%, average 50% and average plus 60% (Law 12C2). A result
that the other pair declared than sat there is marked as played in the wrong direction. Pairs that are of a team, as
``TeamNS`` and ``TeamEW`` of the movement say, have its number here.

Raises FormatError for what is not read: several sessions, individuals (of four players the data name two), pairs that
are not scored by matchpoints or mean cross-IMPs, teams that are not by IMPs or board-a-match, results without their
movement, and scores that one side alone has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from resultproc.formats.bws.reader import DeviceRow, read_tables
from resultproc.model.codes import UNKNOWN
from resultproc.model.draft import Reading
from resultproc.model.errors import FormatError
from resultproc.model.game import EventType, Scoring
from resultproc.model.json import loaded, objects_in
from resultproc.model.source import Source

_BOTH_SIDES, _TEAMS = 3, 30
_KINDS = {10: "pairs", 20: "individuals", 30: "teams"}
_SCORED: Mapping[tuple[int, int], Mapping[str, str]] = {
    (10, 10): {"event_type": EventType.PAIRS.value},
    (10, 36): {"event_type": EventType.PAIRS.value, "scoring": Scoring.CROSS_IMPS.value},
    (30, 40): {"event_type": EventType.SWISS.value},
    (30, 60): {"event_type": EventType.BAM.value},
}
"""What each GameType and ScoringMethod that is read here is in the games frame.

The other ways to score in IMPs have another datum, or other IMPs for average plus; victory points follow from no scale
that the data name.
"""

_SEATS = " NESW"
_DENOMINATIONS = ("", "C", "D", "H", "S", "NT")
_STAKES = ("", " x", " xx")
_RANKS = " 123456789TJQKA"
_PERCENT = {-1 - 3 * ns - ew: f"{40 + 10 * ns}%-{40 + 10 * ew}%" for ns in range(3) for ew in range(3)}
"""The percentages of both sides by level: from -1, average minus for both, to -9, average plus for both."""

_NOT_PLAYED = -10
_LISTS = {"Results": "Level", "Participations": "Direction", "Handrecords": "NorthSpades", "PlayerData": "LastName"}
"""The lists beside the sessions, and by which of its names the data of each are known where they come alone."""


class _Tables:
    """What was said, as the tables of the devices' database."""

    def __init__(self, content: object) -> None:
        self.sessions: list[DeviceRow] = []
        self.lists: dict[str, list[DeviceRow]] = {name: [] for name in _LISTS}
        self._gather(content)
        self._rows: dict[str, list[DeviceRow]] = {}

    def _gather(self, content: object) -> None:
        if isinstance(content, list):
            for each in content:
                self._gather(each)
        elif isinstance(content, dict) and isinstance(content.get("SerializedData"), str):
            self._gather(loaded(content["SerializedData"].encode()) if content["SerializedData"].strip() else [])
        elif isinstance(content, dict):
            self.sessions += objects_in(content, "Sessions") + ([content] if "ScoringGroups" in content else [])
            for name in _LISTS:
                self.lists[name] += objects_in(content, name)
            alone = next((name for name, mark in _LISTS.items() if mark in content), None)
            if alone:
                self.lists[alone].append(content)

    @property
    def tables(self) -> Mapping[str, object]:
        return self._rows

    def rows(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        return [tuple(row.get(name) for name in columns) for row in self._rows.get(table, [])]

    def fill(self) -> dict[str, object]:
        """Make the tables, and return what is said of the game; raise FormatError for what is not read."""
        if len(self.sessions) != 1:
            many = f"there are {len(self.sessions)} sessions"
            what = many if self.sessions else "the movement (Sessions) is not there"
            raise FormatError(what, hint="give one session with its results in a file", code=UNKNOWN)
        session = self.sessions[0]
        sections, ways = {}, []
        for group in objects_in(session, "ScoringGroups"):
            for section in objects_in(group, "Sections"):
                ways.append(_way(group, section))
                sections[_named_text(section, "Letters")] = section
        if any(way != ways[0] for way in ways):
            what = "its sections are not all of one kind, scored in one way"
            raise FormatError(what, hint="give the sections of each in a file of their own", code=UNKNOWN)
        numbers = {letters: number for number, letters in enumerate(sections, 1)}
        self._rows["Section"] = [
            {
                **{"ID": numbers[letters], "Letter": letters, "Tables": len(objects_in(section, "Tables"))},
                **{"MissingPair": section.get("MissingPair") or 0, "ScoringType": 1},
                # All teams are compared with one another, whatever it says.
                "Winners": 1 if section.get("GameType") == _TEAMS else section.get("Winners"),
            }
            for letters, section in sections.items()
        ]
        teams = _teams(sections)
        self._rows["RoundData"] = list(_rounds(sections, numbers, teams))
        self._rows["ReceivedData"] = list(_results(self.lists["Results"], numbers, _day(session), teams))
        self._rows["PlayerNumbers"] = list(_seats(self.lists["Participations"], numbers))
        self._rows["PlayerNames"] = [
            {"strID": _named_text(player, "PlayerNumber"), "Name": _name(player)} for player in self.lists["PlayerData"]
        ]
        self._rows["HandRecord"] = [{**hand, "Board": hand.get("BoardNumber")} for hand in self.lists["Handrecords"]]
        name = " ".join(_named_text(session, "Name").split())
        return {**({"event": name} if name else {}), **(ways[0] if ways else {})}


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    try:
        tables = _Tables(loaded(source.data))
        known = tables.fill()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(f"this JSON is not laid out as the connector's data are: {error}") from None
    return read_tables(source, tables, known)


def _named_text(content: DeviceRow, name: str) -> str:
    found = content.get(name)
    if found is not None and not isinstance(found, str):
        raise TypeError(f"{name} is no text")
    return (found or "").strip()


_HIGHEST = 1_000_000
"""No year, board, table or pair has such a number."""


def _number(content: DeviceRow, name: str) -> int:
    found = content.get(name) or 0
    if not isinstance(found, int) or abs(found) > _HIGHEST:
        raise TypeError(f"{name} is no whole number: {found!r}")
    return found


def _way(group: DeviceRow, section: DeviceRow) -> Mapping[str, str]:
    """Return what a section is and how it is scored, as game keys; raise FormatError for what is not read."""
    kind, scoring = _number(section, "GameType"), _number(group, "ScoringMethod")
    where, hint = f"section {_named_text(section, 'Letters')}", "export the results from the scoring program"
    known = [str(method) for each, method in _SCORED if each == kind]
    if not known:
        what = f"this is an event of {_KINDS.get(kind, f'GameType {kind}')}, which are not read from such files"
        raise FormatError(what, where, hint, code=UNKNOWN)
    if (kind, scoring) not in _SCORED:
        what = f"its ScoringMethod is {scoring}: of {_KINDS[kind]} only {' and '.join(known)} are read from such files"
        raise FormatError(what, where, hint, code=UNKNOWN)
    if section.get("IsCombiSection"):
        what = "its pairs come from two other sections, which is not read from such files yet"
        raise FormatError(what, where, hint, code=UNKNOWN)
    return _SCORED[kind, scoring]


_TeamOf = Mapping[tuple[str, str, int], int]


def _teams(sections: Mapping[str, DeviceRow]) -> _TeamOf:
    """Return the team of each pair by section, side and number, as the movement says; raise FormatError for two."""
    found: dict[tuple[str, str, int], int] = {}
    for letters, section in sections.items():
        for round_ in (each for table in objects_in(section, "Tables") for each in objects_in(table, "Rounds")):
            if _named_text(round_, "MatesTableSectionLetters") not in ("", letters):
                what = "the team-mates of its pairs play in another section, which is not read from such files"
                hint = "export the results from the scoring program"
                raise FormatError(what, f"section {letters}", hint, code=UNKNOWN)
            for side in ("NS", "EW"):
                pair, team = _number(round_, f"Pair{side}"), _number(round_, f"Team{side}")
                if team and found.setdefault((letters, side, pair), team) != team:
                    what = f"pair {pair} {side} is of team {found[letters, side, pair]} and of team {team}"
                    raise FormatError(what, f"section {letters}", "correct the movement")
    return found


def _day(session: DeviceRow) -> datetime | None:
    try:
        return datetime(_number(session, "Year"), _number(session, "Month"), _number(session, "Day"))
    except ValueError:
        return None


def _rounds(sections: Mapping[str, DeviceRow], numbers: Mapping[str, int], teams: _TeamOf) -> Iterator[DeviceRow]:
    for letters, section in sections.items():
        for table in objects_in(section, "Tables"):
            for round_ in objects_in(table, "Rounds"):
                pairs = {side: _number(round_, f"Pair{side}") for side in ("NS", "EW")}
                yield {
                    **{"Section": numbers[letters], "Table": _number(table, "TableNumber")},
                    **{"Round": _number(round_, "RoundNumber")},
                    **{f"{side}Pair": teams.get((letters, side, pair), pair) for side, pair in pairs.items()},
                    **{"LowBoard": _number(round_, "LowBoardNumber"), "HighBoard": _number(round_, "HighBoardNumber")},
                }


def _results(
    results: Sequence[DeviceRow], numbers: Mapping[str, int], day: datetime | None, teams: _TeamOf
) -> Iterator[DeviceRow]:
    """Yield the last result of each table, round and board, where it is not deleted."""
    last: dict[tuple[str, int, int, int], DeviceRow] = {}
    for result in results:
        table, round_, board = (_number(result, f"{of}Number") for of in ("Table", "Round", "Board"))
        meeting = (_named_text(result, "SectionLetters"), table, round_, board)
        last.pop(meeting, None)
        last[meeting] = result
    for number, ((letters, table, round_, board), result) in enumerate(last.items(), 1):
        if result.get("IsDeleted"):
            continue
        where = f"section {letters}, board {board}, table {table}, round {round_}"
        if letters not in numbers:
            raise FormatError(f"there is a result of a section that there is not: {letters}")
        if _number(result, "ScoringDirection") not in (0, _BOTH_SIDES):
            what = "this score is of one side alone, which is not read from such files"
            raise FormatError(what, where, "export the results from the scoring program", code=UNKNOWN)
        pairs = {"NS": _number(result, "PairNorthSouth"), "EW": _number(result, "PairEastWest")}
        yield {
            **{"ID": number, "Section": numbers[letters], "Table": table, "Round": round_, "Board": board},
            **{f"Pair{side}": teams.get((letters, side, pair), pair) for side, pair in pairs.items()},
            **{"DateLog": day, **_played(result, where)},
        }


def _played(result: DeviceRow, where: str) -> dict[str, str]:
    level, tricks = _number(result, "Level"), _number(result, "TotalTricks")
    if level == _NOT_PLAYED:
        return {"Remarks": "Not played"}
    if level in _PERCENT:
        return {"Remarks": _PERCENT[level]}
    if level == 0:
        return {"Contract": "PASS"}
    by, denomination, stake = (_number(result, name) for name in ("DeclarerDirection", "Denomination", "Stake"))
    known = 1 <= level <= 7 and 1 <= by <= 4 and 1 <= denomination <= 5 and 0 <= stake <= 2
    if not known:
        said = f"Level {level}, Denomination {denomination}, Stake {stake}, DeclarerDirection {by}"
        raise FormatError(f"this is not a contract: {said}", where, "correct the result")
    over = tricks - level - 6
    declaring = _number(result, "DeclaringPair")
    sat = _number(result, "PairNorthSouth" if by % 2 else "PairEastWest")
    rank, suit = _number(result, "LeadCardRank"), _number(result, "LeadCardSuit")
    led = 2 <= rank <= 14 and 1 <= suit <= 4
    return {
        "Contract": f"{level} {_DENOMINATIONS[denomination]}{_STAKES[stake]}",
        "NS/EW": _SEATS[by],
        "Result": f"{over:+d}" if over else "=",
        "LeadCard": f"{_DENOMINATIONS[suit]}{_RANKS[rank]}" if led else "",
        "Remarks": "Wrong direction" if declaring and declaring != sat else "",
    }


def _seats(participations: Sequence[DeviceRow], numbers: Mapping[str, int]) -> Iterator[DeviceRow]:
    """Yield who sat where when play began, or when it became known."""
    for player in participations:
        direction = player.get("Direction")
        seat = direction[:1].upper() if isinstance(direction, str) else _SEATS[_number(player, "Direction")]
        yield {
            **{"Section": numbers.get(_named_text(player, "SectionLetters")), "Table": _number(player, "TableNumber")},
            **{"Direction": seat, "Number": _named_text(player, "PlayerNumber"), "Name": _name(player)},
            "Round": _number(player, "RoundNumber"),
        }


def _name(player: DeviceRow) -> str:
    return " ".join(filter(None, (_named_text(player, "FirstName"), _named_text(player, "LastName"))))
