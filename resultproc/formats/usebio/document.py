"""USEBIO's document: its events, taken in part by part and then given as frames."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import Any

import pandas as pd
from lxml import etree

from resultproc.formats.common.field import field_facts, rank_texts
from resultproc.formats.common.records import Records
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.common.xml import Element, child_text, line, text_of, walk
from resultproc.formats.registry import Declaration, Reading
from resultproc.formats.source import Source
from resultproc.formats.usebio.elements import (
    RESULT,
    added,
    award_types,
    checked,
    contestant,
    hands,
    identifier,
    results,
)
from resultproc.model.dates import written_date
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.frames import BOARDS, COLOURS, CONTESTANTS, GAMES, concat
from resultproc.model.game import EventType
from resultproc.model.keys import KEYS
from resultproc.model.values import tidy

CONTAINERS = ("USEBIO", "EVENT", "SESSION", "SECTION", "PARTICIPANTS", "MATCH", "HANDSET")

EVENT_TYPES = {
    **dict.fromkeys(
        ("PAIRS", "MP_PAIRS", "BUTLER_PAIRS", "CROSS_IMP", "CROSS_IMPS", "AGGREGATE", "SWISS_PAIRS"), EventType.PAIRS
    ),
    "INDIVIDUAL": EventType.INDIVIDUAL,
    **dict.fromkeys(("TEAMS", "SWISS_TEAMS"), EventType.SWISS),
}
"""What the standard's types of event are here."""

_IMPS = {"BUTLER_PAIRS", "CROSS_IMP", "CROSS_IMPS", "IMPS"}
"""Types of event, and scoring methods, whose PERCENTAGE may be the mean of IMPs on a board."""

_BOARD_A_MATCH = {"BAM", "PAB"}
_CONTESTANTS = {"PAIR", "TEAM", "PLAYER"}
_DATES = ("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y-%m-%d")
_CHUNK = 20_000
"""So many results of boards are held as they were read, before they become a frame, which is far smaller."""


@dataclass
class _Event:
    """An event as it is read: ``said`` is its elements that hold a text, with the line of each."""

    where: str
    type: str
    club: str
    said: dict[str, tuple[str, str]] = field(default_factory=dict)
    added: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    contestants: list[dict[str, Any]] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    results: list[tuple[object, ...]] = field(default_factory=list)
    boards: list[pd.DataFrame] = field(default_factory=list)
    deals: dict[tuple[int, int], dict[str, str]] = field(default_factory=dict)
    award_types: set[str] = field(default_factory=set)
    sessions: int = 0
    listed_in: set[int] = field(default_factory=set)
    section: str = "A"

    def text(self, *tags: str) -> str:
        """Return the text of the first of those elements that has any."""
        return next((text for text, _ in (self.said[tag] for tag in tags if tag in self.said) if text), "")

    def count(self, tag: str) -> int | None:
        """Return an element's whole number, None for none and for 0."""
        text, where = self.said.get(tag, ("", ""))
        if text and not re.fullmatch("[0-9]{1,4}", text):
            raise InputError(f"{tag}: invalid count: '{text}'", where, "write a whole number")
        return int(text or 0) or None


class _Document:
    """Takes a USEBIO document in."""

    def __init__(self) -> None:
        """Begin with no event."""
        self.events: list[_Event] = []
        self.club = ""
        self.match: dict[str, str] = {}

    def start(self, element: Element) -> None:
        """Begin an event, or a part of the one at hand."""
        if element.tag == "EVENT":
            kind = str(element.get("EVENT_TYPE", "PAIRS")).upper()
            if kind not in EVENT_TYPES:
                raise InputError(f"this is an event of type {kind}", line(element), "known: " + ", ".join(EVENT_TYPES))
            self.events.append(_Event(line(element), kind, self.club))
        elif not self.events:
            return
        elif element.tag == "SESSION":
            self.events[-1].sessions += 1
        elif element.tag == "SECTION":
            self.events[-1].section = tidy(str(element.get("SECTION_ID", ""))).upper() or "A"
        elif element.tag == "MATCH":
            self.match = {}
        elif element.tag == "PARTICIPANTS":
            self._list_participants(self.events[-1], element)

    def _list_participants(self, event: _Event, element: Element) -> None:
        event.listed_in.add(event.sessions)
        if len(event.listed_in) > 1:
            what = "the participants of a second session begin here"
            raise InputError(what, line(element), "give each session its own file, or list the event's totals once")

    def record(self, element: Element) -> None:
        """Take in what is in the document, an event or one of its parts."""
        parent = element.getparent()
        within = "" if parent is None else parent.tag
        if within == "USEBIO":
            if element.tag == "CLUB":
                self.club = tidy(child_text(element, "CLUB_NAME"))
        elif not self.events:
            return
        elif within == "PARTICIPANTS" and element.tag in _CONTESTANTS:
            self._add_contestant(self.events[-1], element)
        elif element.tag == "BOARD":
            self._add_results(self.events[-1], element)
        elif within == "EVENT" and not len(element):
            self.events[-1].said.setdefault(str(element.tag), (text_of(element), line(element)))
        elif within == "MATCH":
            self.match[str(element.tag)] = tidy(text_of(element))

    def _add_contestant(self, event: _Event, element: Element) -> None:
        record: dict[str, Any] = {"section": event.section, "eligible": True} | contestant(element)
        where = line(element)
        more = [added(node) for node in element.iterchildren(etree.PI)]
        for name, value in (item for each in more for item in each.items()):
            record[name] = checked(CONTESTANTS, name, value, where)
        if not any(more) and record.get("score") is None and record.get("percentage") is None:
            what = f"this <{element.tag}> has no score"
            raise InputError(what, where, "write <PERCENTAGE> or <TOTAL_SCORE> in it")
        event.contestants.append(record | {"where": where})
        event.award_types |= award_types(element)
        event.names.append([identifier(element), *map(identifier, element.findall("PAIR"))])
        event.places.append("" if any(more) else child_text(element, "PLACE"))

    def _add_results(self, event: _Event, element: Element) -> None:
        match = self.match if element.getparent().tag == "MATCH" else {}  # type: ignore[union-attr]
        event.results += [(event.section, max(event.sessions, 1), *result) for result in results(element, match)]
        dealt = hands(element)
        if dealt is not None:
            event.deals.setdefault((max(event.sessions, 1), dealt[0]), dealt[1])
        if len(event.results) >= _CHUNK:
            _pack(event)

    def instruction(self, node: Element) -> None:
        """Take in what is added to an event."""
        parent = node.getparent()
        if self.events and parent is not None and parent.tag == "EVENT":
            self.events[-1].added.append((added(node), line(node)))

    def end(self, element: Element) -> None:
        """End a section or a match."""
        if self.events and element.tag == "SECTION":
            self.events[-1].section = "A"


def _pack(event: _Event) -> None:
    if event.results:
        frame = pd.DataFrame(event.results, columns=["section", "session", *RESULT])
        event.boards.append(BOARDS.conform(frame.assign(game_id="")))
        event.results.clear()


def reading(source: Source) -> Reading:
    """Read one file, as :mod:`resultproc.formats.usebio.reader` says."""
    document = _Document()
    walk(BytesIO(source.data), CONTAINERS, document)
    games: dict[str, dict[str, object]] = {}
    each: dict[str, dict[str, Declaration]] = {}
    contestants, boards, deals = [], [], []
    for number, event in enumerate(document.events, 1):
        game_id = tidy(event.text("EVENT_IDENTIFIER", "EVENT_ID"))
        game_id = game_id or (source.stem if len(document.events) == 1 else f"{source.stem}-{number}")
        if game_id in games:
            raise InputError(
                f"the event '{game_id}' appears twice", event.where, "give each its own <EVENT_IDENTIFIER>"
            )
        if not event.contestants:
            raise InputError("this event lists no participants", event.where, "list them in <PARTICIPANTS>")
        frame = _ranked(event)
        games[game_id] = _facts(event, frame) | {"game_id": game_id}
        each[game_id] = _declare(event, games[game_id])
        contestants.append(frame.assign(game_id=game_id))
        boards.append(_boards(event, frame).assign(game_id=game_id))
        deals += [
            {"game_id": game_id, "session": session, "board": board, **cards}
            for (session, board), cards in event.deals.items()
        ]
    if not games:
        raise FormatError("no event found", hint="write USEBIO > EVENT > PARTICIPANTS")
    sheet = sheet_of(source, pd.concat(contestants, ignore_index=True), list(games.values()))
    return Reading(
        sheet,
        boards=concat(boards, BOARDS),
        deals=Records(deals),
        each={name: keys for name, keys in each.items() if keys},
    )


def _ranked(event: _Event) -> pd.DataFrame:
    """Return the contestants with their printed ranks, in one ranking where the event has one winner."""
    frame = _scored(event, pd.DataFrame.from_records(event.contestants))
    one_winner = event.text("WINNER_TYPE") == "1"
    if one_winner and "direction" in frame:
        directed = frame["direction"].notna()
        frame["number"] = frame["number"].where(~directed, [names[0] for names in event.names])
        frame["direction"] = None
    several = frame["section"].nunique() > 1
    if any(event.places) and (one_winner or not several):
        column = "printed_overall" if several else "printed_section"
        ranks = pd.Series(rank_texts(frame, event.places), frame.index)
        frame[column] = ranks if column not in frame else frame[column].where(frame[column].notna(), ranks)
    return frame


def _scored(event: _Event, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants with what the file calls percentages as scores, where they are means of IMPs.

    Where every contestant has a total, that is its score. Raises InputError for percentages out of range.
    """
    if "percentage" not in contestants:
        return contestants
    percentage = contestants["percentage"]
    if {event.type, event.text("SCORING_METHOD").upper()} & _IMPS and (percentage < 0).any():
        totals = contestants.get("score", percentage)
        return contestants.assign(score=totals if totals.notna().all() else percentage, percentage=None)
    wrong = contestants[~percentage.between(0, 100) & percentage.notna()]
    if len(wrong):
        raise InputError(
            Problem(f"percentage out of range: {value}", where, "write a number from 0 to 100")
            for value, where in zip(wrong["percentage"], wrong["where"], strict=True)
        )
    return contestants


def _facts(event: _Event, contestants: pd.DataFrame) -> dict[str, object]:
    """Return what the elements say of the event, in the games frame's columns."""
    kind = EVENT_TYPES[event.type]
    if kind is EventType.SWISS and event.text("BOARD_SCORING_METHOD").upper() in _BOARD_A_MATCH:
        kind = EventType.BAM
    sessions = event.count("SESSION_COUNT")
    facts: dict[str, object] = field_facts(contestants, kind) | {
        "event": tidy(event.text("EVENT_DESCRIPTION", "TITLE")),
        "club": event.club,
        "date": _date(event),
        "sessions": sessions,
        "boards": event.count("BOARDS_PLAYED") if sessions in {None, 1} else None,
        "stored_other_awards": _other_awards(event, contestants),
    }
    return {name: value for name, value in facts.items() if value not in {None, ""}}


def _other_awards(event: _Event, contestants: pd.DataFrame) -> str:
    """Return what kind of points the awards are, where it is none of the colours that are known."""
    paid = "printed_award" in contestants and contestants["printed_award"].notna().any()
    types = event.award_types or ({event.text("MASTER_POINT_TYPE").lower()} - {""} if paid else set())
    return " and ".join(sorted(types - set(COLOURS)))


def _date(event: _Event) -> pd.Timestamp | None:
    text, where = event.said.get("DATE", ("", ""))
    if not text:
        return None
    for form in _DATES:
        with suppress(ValueError):
            return pd.Timestamp(datetime.strptime(text, form))
    with suppress(ValueError):
        return pd.Timestamp(written_date(text))
    raise InputError(f"DATE: invalid date: '{text}'", where, "write it as 22/10/2015")


def _declare(event: _Event, facts: dict[str, object]) -> dict[str, Declaration]:
    """Take what is added to an event into its facts; return the game keys among it."""
    declared = {}
    for values, where in event.added:
        for name, value in values.items():
            if name in KEYS and value is not None:
                declared[name] = Declaration(value, where)
            else:
                facts[name] = None if name in KEYS else checked(GAMES, name, value, where)
    return declared


def _boards(event: _Event, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the results of an event, the contestants called as they are in their frame."""
    _pack(event)
    numbers = {
        (section, name): number
        for section, number, names in zip(contestants["section"], contestants["number"], event.names, strict=True)
        for name in names
        if name
    }
    frame = concat(event.boards, BOARDS)
    for side in ("ns", "ew"):
        pairs = zip(frame["section"], frame[side], strict=True)
        frame[side] = pd.Series([numbers.get(pair, pair[1]) for pair in pairs], frame.index, dtype="str")
    return frame
