"""The ``results.txt`` of Jannersten's programs: one game of pairs or individuals, with the results of its boards.

The form is that of jannersten.com/Help/BSC/html/results_txt.html, see :mod:`resultproc.formats.jannersten.writer`. No
field may lack. What a line of ``[GAME]`` says of scoring method, filler, event type, weighting and handicap is refused,
and so are victory points: the page does not say which words they take, and what they change.

A section whose players all sit N and S has one winner. Where the numbers at S and W are others than those at N and E,
the players are individuals. A result without points is an adjusted one where it has percentages, else it was not
played. Where the contestants have neither results nor percentages, the boards are scored here, across the field where
the game is.

On bad input: FormatError, or InputError that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from resultproc.formats.registry import decode
from resultproc.model.codes import EMPTY, UNKNOWN
from resultproc.model.dates import day_written
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.game import ACROSS_SECTIONS, EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.grid import Records
from resultproc.model.numbers import number_at
from resultproc.model.play import PLAYED, board_number, contract, how_played
from resultproc.model.source import Source
from resultproc.model.text import tidy
from resultproc.scoring.scored import contract_scored
from resultproc.tables.unsaid import field_facts

_GAME = (
    *("section", "boards a round", "boards", "rounds", "scoring method", "filler", "event type", "weighting"),
    *("handicap", "date", "name", "session", "across the field"),
)
_PLAYER = ("section", "number", "seat", "name", "result", "percentage", "victory points", "masterpoints")
_RESULT = (
    *("board", "section", "round", "N", "E", "S", "W", "points", *PLAYED),
    *("MP N-S", "MP E-W", "IMP N-S", "IMP E-W", "percentage N-S", "percentage E-W"),
    *("datum", "top", "adjusted top", "remark"),
)
_PARTS = {"[GAME]": _GAME, "[CONTESTANTS]": _PLAYER, "[RESULTS]": _RESULT}
_UNKNOWN_WORDS = ("scoring method", "filler", "event type", "weighting", "handicap")
_SEATS = {"N": (NORTH_SOUTH, 1), "S": (NORTH_SOUTH, 2), "E": (EAST_WEST, 1), "W": (EAST_WEST, 2)}
_ADJUSTED = re.compile("adjusted: (?:NS ([0-9.]+)%)?(?:, )?(?:EW ([0-9.]+)%)?(?:, )?(?:EW (-?[0-9.]+))?")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class _Line:
    """The fields of a line, by what the page calls them, and where it is."""

    fields: Mapping[str, str]
    where: str

    def __getitem__(self, name: str) -> str:
        return self.fields[name]

    def number(self, name: str) -> float | None:
        return number_at(self[name], self.where, name)

    def whole(self, name: str) -> int | None:
        found = self.number(name)
        if found is not None and found != int(found):
            raise InputError(f"{name}: '{self[name]}' is not a whole number", self.where)
        return None if found is None else int(found)


@dataclass
class _File:
    """The lines of a file, each by what the page calls its fields."""

    game: list[_Line] = field(default_factory=list)  # the lines that describe it
    players: list[_Line] = field(default_factory=list)  # the lines of contestants, a player each
    results: list[_Line] = field(default_factory=list)  # a line for each table and board
    remarks: list[Problem] = field(default_factory=list)  # on what is doubtful in them


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    file = _parts(decode(source.data).split("\n"))
    if not file.players:
        raise FormatError("no contestants found", hint="list them below [Contestants]", code=EMPTY)
    # The numbers at S and W are those at N and E where pairs met.
    apart = any(line[seat] not in ("", line[of]) for line in file.results for of, seat in (("N", "S"), ("E", "W")))
    kind = EventType.INDIVIDUAL if apart else EventType.PAIRS
    rows = Records(_contestants(file.players))
    rows.fill("game_id", source.stem)
    facts = {"game_id": source.stem, **field_facts(rows, kind), **_facts(file)}
    boards = [{"game_id": source.stem, "session": 1, **each} for each in _boards(file, kind)]
    printed = any(each is not None for name in ("score", "percentage") for each in rows.get(name))
    results = Records(boards) if printed or not boards else contract_scored(boards)
    return Reading(sheet_of(source, rows, [facts], file.remarks), boards=results)


def _parts(lines: Sequence[str]) -> _File:
    file = _File()
    parts = dict(zip(_PARTS, (file.game, file.players, file.results), strict=True))
    part = ""
    for n, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("["):
            part = text.upper()
            if part not in _PARTS:
                known = "known: [GAME], [Contestants], [RESULTS]"
                raise InputError(f"there is no part '{text}' in results.txt", f"line {n}", known, code=UNKNOWN)
        elif text:
            names = _PARTS[part] if part else ()
            texts = [each.strip() for each in text.split(";")]
            if len(texts) != len(names):
                what = f"this line of {part or 'the file'} has {len(texts)} fields, and should have {len(names)}"
                raise InputError(what, f"line {n}", "leave a field blank where there is nothing, and its ';' there")
            parts[part].append(_Line(dict(zip(names, texts, strict=True)), f"line {n}"))
    return file


def _facts(file: _File) -> dict[str, object]:
    facts: dict[str, object] = {}
    for line in file.game:
        for name in _UNKNOWN_WORDS:
            if line[name] not in {"", "0"}:
                what = f"{name} is '{line[name]}': nothing public says which words results.txt has for that"
                raise InputError(what, line.where, "leave it blank if it changes no result", code=UNKNOWN)
        if _DAY.fullmatch(line["date"]):
            facts["date"] = day_written(line["date"])
            if facts["date"] is None:
                raise InputError(f"there is no day '{line['date']}'", line.where)
        elif line["date"]:
            what = f"the date '{line['date']}' is not read, because no public document says how it is written"
            file.remarks.append(Problem(what, line.where, "declare the date", key="date"))
        facts |= {"event": line["name"]} if line["name"] else {}
        across = {"special": ACROSS_SECTIONS, "scored_across": "all"}
        facts |= across if line["across the field"] not in {"", "0"} else {}
        boards = line.whole("boards")
        facts |= {"boards": boards} if boards else {}
    return facts


def _contestants(lines: Sequence[_Line]) -> Iterator[dict[str, Any]]:
    directed = {line["section"] for line in lines if line["seat"].upper() in ("E", "W")}
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for line in lines:
        direction, seat = _SEATS.get(line["seat"].upper(), ("", 0))
        section, name = tidy(line["section"]).upper() or "A", tidy(line["number"])
        if not seat or not name:
            raise InputError(f"a player sits at '{line['seat']}' of '{name}'", line.where, "write N, E, S or W")
        side = direction if line["section"] in directed else ""
        known = found.setdefault((section, side, name), {"section": section, "number": name, "where": line.where})
        if side:
            known["direction"] = side
        _add_player(known, line, seat)
    for row in found.values():
        shares = [row.get(f"printed_share{seat}") for seat in (1, 2)]
        if len(set(shares)) == 1 or "player2" not in row:
            row["printed_award"] = shares[0]
            row = {name: value for name, value in row.items() if not name.startswith("printed_share")}
        yield {**row, "eligible": True}


def _add_player(known: dict[str, Any], line: _Line, seat: int) -> None:
    if line["victory points"]:
        what = "victory points are not read: nothing public says how such events are written"
        raise InputError(what, line.where, "leave them blank", code=UNKNOWN)
    for name, said in (("score", line.number("result")), ("percentage", line.number("percentage"))):
        if known.setdefault(name, said) != said:
            raise InputError(f"the {name} of {known['number']} is another than in {known['where']}", line.where)
    if f"player{seat}" in known:
        raise InputError(f"two players sit at {line['seat']} of {known['number']}", line.where)
    known[f"player{seat}"] = tidy(line["name"].strip('"')) or None
    award = line.number("masterpoints")
    if award is not None:
        known[f"printed_share{seat}"] = round(100 * award)


def _boards(file: _File, kind: EventType) -> Iterator[dict[str, Any]]:
    for line in file.results:
        board = board_number(line["board"].removeprefix("#"))
        if board is None or not line["N"] or not line["E"]:
            what = "this result names no board, or not both sides"
            raise InputError(what, line.where, "write #01, and who sat N and E")
        result: dict[str, Any] = {
            **{"section": tidy(line["section"]).upper() or "A", "board": board},
            **{"ns": tidy(line["N"]), "ew": tidy(line["E"]), "round": line.whole("round")},
            **{
                f"{side}_partner": tidy(line[seat])
                for side, seat in (("ns", "S"), ("ew", "W"))
                if kind is not EventType.PAIRS
            },
            "score": line.number("points"),
            **how_played(*(line[name] for name in PLAYED)),
        }
        if line["contract"] and contract(line["contract"]) is None:
            file.remarks.append(
                Problem(f"this is not a contract: '{line['contract']}'", line.where, "write 4S, 3NTX or Pass")
            )
        for side in ("N-S", "E-W"):
            points = [each for each in (line.number(f"MP {side}"), line.number(f"IMP {side}")) if each is not None]
            if len(points) > 1:
                raise InputError("this result has both matchpoints and IMPs", line.where, code=UNKNOWN)
            result["printed_ns" if side == "N-S" else "printed_ew"] = points[0] if points else None
        _adjust(file, line, result)
        if any(result.get(name) is not None for name in ("score", "ns_adjusted", "ew_adjusted", "contract")):
            yield result


def _adjust(file: _File, line: _Line, result: dict[str, Any]) -> None:
    """Add what a result was adjusted to: as its remark says, or in percent where it has no points."""
    said = _ADJUSTED.fullmatch(line["remark"]) if line["remark"] else None
    if said:
        names = ("ns_adjusted", "ew_adjusted", "ew_score")
        result |= {name: float(each) for name, each in zip(names, said.groups(), strict=True) if each}
        return
    if line["remark"]:
        what = f"the result has the remark '{line['remark']}', and is read as it stands"
        file.remarks.append(Problem(what, line.where, "correct it with the director's ruling"))
    if result["score"] is None and result.get("contract") is None:
        result |= {"ns_adjusted": line.number("percentage N-S"), "ew_adjusted": line.number("percentage E-W")}
