"""What contestants and boards tell of a game, in formats that leave it unsaid: tables, ranks, boards, totals."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from resultproc.model.codes import COUNTED, NOBODY, OUT_OF_ORDER
from resultproc.model.draft import Draft, GameFacts, Reading
from resultproc.model.errors import InputError, Problem, shown
from resultproc.model.game import (
    BY_MATCHES,
    EAST_WEST,
    NORTH_SOUTH,
    PER_TABLE,
    EventType,
    Movement,
    parse_strata,
    per_section_text,
)
from resultproc.model.grid import Records
from resultproc.people.nobody import nobody_in

if TYPE_CHECKING:
    import pandas as pd


def field_facts(contestants: Records | pd.DataFrame, kind: EventType) -> dict[str, object]:
    """Return the type of event, and the tables and movement of each section, in the games frame's columns.

    A section has half a table for a pair that sits out, and as many tables as teams of four. Pairs that have a
    direction play a Mitchell, others a Howell; of other contestants nothing is said.
    """
    count = Counter(contestants["section"])
    directed = {s for s, d in zip(contestants["section"], directions_of(contestants), strict=True) if d}
    tables = {str(name): math.ceil(count[name] * 2 / PER_TABLE[kind]) / 2 for name in sorted(count)}
    movement = {str(name): (Movement.MITCHELL if name in directed else Movement.HOWELL).value for name in sorted(count)}
    facts: dict[str, object] = {"event_type": kind.value, "tables": per_section_text(tables)}
    return facts | ({"movement": per_section_text(movement)} if kind is EventType.PAIRS else {})


def tables_filled(directions: Sequence[str | None], kind: EventType) -> float:
    """Return how many tables contestants fill that have these directions: as many as the longer one, less half a table
    where they differ, and with one winner as many as there is room for.
    """
    north_south, east_west = (directions.count(each) for each in (NORTH_SOUTH, EAST_WEST))
    if north_south + east_west:
        return max(north_south, east_west) - (0.5 if north_south != east_west else 0)
    return math.ceil(len(directions) * 2 / PER_TABLE[kind]) / 2


def with_top_letter(draft: Draft) -> Draft:
    """Return a draft whose places are ranks in the top stratum, in games whose strata begin with another than A.

    No other rank is changed: what a file says of strata by their letters has more than one for somebody.
    """
    strata = {fact["game_id"]: parse_strata(fact["strata"]) for fact in draft.facts if fact.get("strata")}
    top = {game: each[0].letter for game, each in strata.items() if all(stratum.letter != "A" for stratum in each)}
    if not top:
        return draft
    rows = Records.of(draft.rows, len(draft.rows))
    for name in ("printed_section", "printed_overall"):
        if name in rows:
            told = zip(rows["game_id"], rows[name], strict=True)
            rows[name] = [text and _AMONG_ALL.sub(top.get(game, "A"), text) for game, text in told]
    return replace(draft, rows=rows)


_AMONG_ALL = re.compile("^A(?==[0-9/]+$)")


class Placed(NamedTuple):
    """The place that a list gives a contestant, and what it goes by."""

    place: int  # 1 for the first
    score: float  # the score or percentage that the list ranks by
    handicap: float  # what is added to that with handicaps, 0 where there is none
    where: str  # the cell or line, for messages


MISPLACED = 0.2
"""Lists that people make have a place that does not go by the scores; columns that were taken for others have many."""

SEVERAL_LISTS = "of several lists write above each what it is, such as N-S and E-W; of several games make a file each"


def misplaced(groups: Mapping[Any, Sequence[Placed]]) -> list[Problem]:
    """Return remarks on places that do not go by the scores; raise InputError where these are more than mistakes.

    groups: who is ranked together. Places may go by the scores as they are or with the handicaps, whichever fits.
    """
    if any(each.handicap for listed in groups.values() for each in listed):
        with suppress(InputError):
            added = [[e._replace(score=round(e.score + e.handicap, 6)) for e in listed] for listed in groups.values()]
            return [problem.coded(OUT_OF_ORDER) for listed in added for problem in _misplaced(listed)]
    return [problem.coded(OUT_OF_ORDER) for listed in groups.values() for problem in _misplaced(listed)]


def _misplaced(listed: Sequence[Placed]) -> list[Problem]:
    """Return the remarks on one group.

    Those who share a place have the same score. The other way round lists break ties, and rounding makes some.
    """
    if slip := _slip(listed):
        if len(listed) * MISPLACED < 1:
            raise InputError([slip])
        return [slip]
    ordered = sorted(listed, key=lambda each: (each.place, -each.score))
    firsts = [each for each in ordered if each.place == 1]
    if len({each.score for each in firsts}) > 1:
        what = f"two contestants have place 1, and their scores are {firsts[0].score:g} and {firsts[-1].score:g}"
        raise InputError(what, firsts[-1].where, SEVERAL_LISTS)
    wrong = [
        Problem(_order(above, below), below.where, "ranks go by the scores: correct the score or the place")
        for above, below in pairwise(ordered)
        if below.score > above.score or (below.place == above.place and below.score != above.score)
    ]
    if len(wrong) > MISPLACED * len(ordered):
        raise InputError(wrong)
    return wrong


def _slip(listed: Sequence[Placed]) -> Problem | None:
    """Return the problem of the only place that does not go by the scores; None where none does not, or several."""
    scores = sorted(each.score for each in listed)
    above = [(each, len(scores) - bisect_right(scores, each.score)) for each in listed]
    ties = Counter(scores)
    off = [(each, more + 1) for each, more in above if not more < each.place <= more + ties[each.score]]
    if len(off) != 1 or len(listed) < _FEWEST or max(each.place for each in listed) > len(listed):
        return None
    ((each, rank),) = off
    other = next((one for one in listed if one.place == each.place and one is not each), None)
    what = _order(other, each) if other else f"place {each.place} would be {rank} by its score of {each.score:g}"
    return Problem(what, each.where, f"is this place {rank}?")


_FEWEST = 4
"""Of fewer places none is seen to be the slip."""


def _order(above: Placed, below: Placed) -> str:
    if above.place == below.place:
        return f"two contestants share place {above.place}, and their scores are {above.score:g} and {below.score:g}"
    return f"place {below.place} has a better score than place {above.place}: {below.score:g} and {above.score:g}"


def are_fractions(numbers: Sequence[float]) -> bool:
    """Say whether percentages are written as fractions, 0.5625 for 56.25: none is above 1, and they average a half."""
    return len(numbers) > 1 and all(0 <= n <= 1 for n in numbers) and abs(fmean(numbers) - 0.5) < _OFF_A_HALF


_OFF_A_HALF = 0.06
"""Sit-outs and penalties move the mean of a field away from a half by less."""


def directions_of(contestants: Records | pd.DataFrame) -> list[str]:
    """Return the direction of each contestant, '' for none."""
    directions = contestants["direction"] if "direction" in contestants else [None] * len(contestants)
    return [each if isinstance(each, str) else "" for each in directions]


_WHOLE_SESSIONS = (None, EventType.PAIRS.value, EventType.INDIVIDUAL.value)
"""Events whose key ``boards`` is of a session; in Swiss teams and knockouts it is of a match."""


class SessionBoards(int):
    """A number of boards that a title counts: those of a session, whatever the event turns out to be."""


class RoundBoards(int):
    """The boards of a round or match that a title counts: ``6 matches of 7 boards``. rounds: how many there were."""

    rounds: int

    def __new__(cls, boards: int, rounds: int) -> RoundBoards:
        """Return the boards of each of some rounds."""
        made = super().__new__(cls, boards)
        made.rounds = rounds
        return made

    def of(self, event_type: object) -> int:
        """Return the boards that the key means: those of a match, or of the session."""
        return int(self) if event_type in BY_MATCHES else int(self) * self.rounds


class TitledMovement(str):
    """A movement that a title names, whether or not it goes with the contestants."""

    __slots__ = ()


class TitledTables(str):
    """The tables that a title counts, whether or not the contestants that are listed fill them."""

    __slots__ = ()


_SeatKey = tuple[str, str, str, str]
"""A contestant: its game, section, direction ('' for none) and number."""


def with_boards_played(draft: Draft) -> Draft:
    """Return a draft with the boards of its games of one session that list their results and do not say how many.

    It is the most that anybody played: who sat out was to play as many.
    """
    unsaid = {fact["game_id"] for fact in draft.facts if _is_unsaid(fact)}
    if not unsaid or not len(draft.boards):
        return draft
    played: dict[str, int] = {}
    for (game, *_), count in Counter(seat for seat, _ in set(_sat(draft))).items():
        played[game] = max(count, played.get(game, 0))
    facts = [
        fact | {"boards": played[fact["game_id"]]} if fact["game_id"] in unsaid & played.keys() else fact
        for fact in draft.facts
    ]
    return replace(draft, facts=facts)


def without_nobody(reading: Reading) -> Reading:
    """Return what a reader gives without the contestants who are nobody, with a remark on each.

    Who has results of boards is somebody, whatever they are called. Tables that the rows fill, theirs among them, are
    counted again.
    """
    rows = reading.sheet.rows
    players = [rows[name] for name in rows if re.fullmatch("player[1-9][0-9]?", name)]
    none = [nobody_in(filter(None, texts)) for texts in zip(*players, strict=True)]
    if not any(none):
        return reading
    sat = {seat for seat, _ in _sat(replace(reading.sheet, boards=reading.boards))} if len(reading.boards) else set()
    seats = zip(rows["game_id"], rows["section"], directions_of(rows), rows["number"], strict=True)
    gone = {n: text for n, (text, seat) in enumerate(zip(none, seats, strict=True)) if text and seat not in sat}
    kept = rows.only([n for n in range(len(rows)) if n not in gone])
    facts, declared = [], dict(reading.declared)
    each = {game: dict(keys) for game, keys in reading.each.items()}
    for fact in reading.sheet.facts:
        full, left = (_filled(fact, table) for table in (rows, kept))
        facts.append(fact | {"tables": left} if fact.get("tables") == full else fact)
        for keys in (declared, each.get(fact["game_id"], {})):
            if "tables" in keys and keys["tables"].value == full:
                keys["tables"] = keys["tables"]._replace(value=left)
    remarks = (*reading.sheet.remarks, *(of_nobody(text, str(rows["where"][n])) for n, text in gone.items()))
    sheet = replace(reading.sheet, rows=kept, facts=facts, remarks=remarks)
    return replace(reading, sheet=sheet, declared=declared, each=each)


def _filled(fact: GameFacts, rows: Records) -> object:
    """Return the tables that the contestants of a game fill."""
    own = rows.only([n for n, game in enumerate(rows["game_id"]) if game == fact["game_id"]])
    return field_facts(own, EventType(fact.get("event_type") or EventType.PAIRS))["tables"]


def of_nobody(said: str, where: str) -> Problem:
    """Return the remark on a row that stands for nobody. said: what stands where the players should be."""
    return Problem(f"'{said}' is nobody: this row is passed over", where, code=NOBODY)


def with_half_tables(draft: Draft) -> Draft:
    """Return a draft of a game of pairs with its tables, where each half table has its row of nobody.

    A section has half a table where a single pair lacks to fill its last one. No other draft is changed; a remark says
    how many tables there are.
    """
    (fact, *others), nobody = draft.facts, sum(remark.code == NOBODY for remark in draft.remarks)
    of_pairs = fact.get("event_type") in {None, EventType.PAIRS.value} and "player3" not in draft.rows
    if not nobody or others or not of_pairs or fact.get("tables") is not None:
        return draft
    count = Counter(zip(draft.rows["section"], directions_of(draft.rows), strict=True))
    tables, lacking = {}, 0
    for section in sorted({str(section) for section, _ in count}):
        pairs, north_south, east_west = (count[section, d] for d in ("", NORTH_SOUTH, EAST_WEST))
        short = abs(north_south - east_west) if north_south + east_west else pairs % 2
        if short > 1 or (pairs and north_south + east_west):
            return draft
        tables[section] = (pairs + north_south + east_west) / 2
        lacking += short
    if lacking != nobody:
        return draft
    text = per_section_text(tables)
    what = f"tables is not declared: the contestants that are listed, one of whom sat out by turns, fill {text}"
    remark = Problem(what, "", "declare tables if others were in play", shown(str(fact["source"])), code=COUNTED)
    return replace(draft, facts=[fact | {"tables": text}], remarks=(*draft.remarks, remark))


def _is_unsaid(fact: GameFacts) -> bool:
    several = fact.get("sessions") not in {None, 1}
    return fact.get("boards") is None and not several and fact.get("event_type") in _WHOLE_SESSIONS


def _sat(draft: Draft) -> Iterator[tuple[_SeatKey, tuple[int, int]]]:
    """Yield the contestants of each result that are listed, with its session and board."""
    rows, boards = draft.rows, draft.boards
    said = (rows["game_id"], rows["section"], [each or "" for each in rows.get("direction")], rows["number"])
    listed = set(zip(*said, strict=True))
    one_winner = {(game, section) for game, section, direction, _ in listed if not direction}
    for side, direction in (("ns", NORTH_SOUTH), ("ew", EAST_WEST)):
        results = (boards[name] for name in ("game_id", "section", side, "session", "board"))
        for game, section, number, *board in zip(*results, strict=True):
            seat = (game, section, "" if (game, section) in one_winner else direction, str(number))
            if seat in listed:
                yield seat, (board[0], board[1])
