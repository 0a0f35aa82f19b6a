"""USEBIO: the XML in which British clubs, and many others, upload their results; and as this package writes it.

It reads files of the versions 1.0 to 1.2 as EBUScore, PairsScorer, TeamsScorer, BriAn, Pianola, Compscore and
RealBridge write them, and of 1.3, which only adds to 1.2 (usebio.org/usebio-1.3.html):

- USEBIO > CLUB (``CLUB_NAME``) and EVENT (``EVENT_TYPE``: PAIRS, MP_PAIRS, BUTLER_PAIRS, CROSS_IMP, AGGREGATE,
  SWISS_PAIRS, INDIVIDUAL, TEAMS, SWISS_TEAMS), one or several;
- PARTICIPANTS in the event, its SESSION or its SECTIONs: PAIR, TEAM (with PAIRs or PLAYERs) or PLAYER, with number,
  direction, ``PERCENTAGE``, ``TOTAL_SCORE``, ``PLACE``, ``MASTER_POINTS_AWARDED`` (in hundredths), names and national
  numbers. A ``WINNER_TYPE`` of 1 puts both directions into one ranking, whatever the pairs' ``DIRECTION`` says;
- BOARD > TRAVELLER_LINE, in the event, its session, section or MATCH: pairs (or the teams of the match), ``SCORE`` to
  N-S or an adjusted one such as ``A6040``, points of any kind, contract, declarer, tricks and lead;
- MATCH of teams, ``ROUND_NUMBER`` and the scores of both where ``MATCH_SCORING_METHOD`` says that they are VPs;
- HANDSET > BOARD > HAND, or HANDs in any BOARD, where they are a whole pack. The play is passed over;
- ``CLUB_ID_NUMBER``, ``P2P_CHARGE_RATE`` (``EBU_CHARGE_CODE`` in 1.3), CONTACT > ``FULL_NAME`` and
  ``MASTER_POINT_SCALE`` (``EVENT_RATING`` in 1.3), which only unions ask for. ``BOARD_SCORING_METHOD`` says how boards
  are scored where the type of the event does not.

What else has a text, or is an attribute, is named in a remark. So are the strata of 1.3: what their ``UPPER_LIMIT``
counts is not the same everywhere, and is a code of ranks in files from Scotland
(github.com/itsthepom/pairs-stratification, dc959b3f, USEBIO.py).

Point-a-board teams count as board-a-match, other teams as Swiss. The tables in play follow from the participants. The
format does not say what a club's game is rated, nor whether a percentage holds the ``HANDICAP`` beside it, which is
therefore not read; a ``PLACE`` is the section's rank of one section, the overall rank of several with one winner.
Where no participant has a score, the boards of pairs, individuals and board-a-match give all of them.
In an event scored in IMPs some programs write the mean of them as ``PERCENTAGE``, which is below zero for some: it is a
score then, where there is no total. Masterpoints in a file that this package did not write are another body's, in
whatever colour. Several sessions whose participants are listed once have one score, and count as one.
What only this package knows is in processing instructions, see :mod:`resultproc.formats.usebio.elements`; what they
say of the game counts like ``# key: value`` lines in CSV.

No document type definition comes with this package: the reader checks what it needs, and passes the rest over. It
holds one record of a file at a time besides the results themselves.
On bad input: FormatError for XML that is cut off or no USEBIO; InputError that names the line, for entities too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from lxml import etree

from resultproc.formats.usebio.elements import (
    RESULT,
    USEBIO_NAMES,
    Element,
    added_columns,
    award_types,
    checked_value,
    child_text,
    contestant,
    hands,
    identifier,
    in_points_of_leagues,
    in_rounds,
    line,
    results,
    text_of,
    walk,
)
from resultproc.model.codes import EMPTY, PASSED_OVER, UNREADABLE
from resultproc.model.dates import day_written
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.game import EventType, Scoring, leagues, per_section_text
from resultproc.model.grid import Records
from resultproc.model.keys import KEYS
from resultproc.model.places import place_of, rank_texts
from resultproc.model.play import not_shown
from resultproc.model.source import Declaration, Source
from resultproc.model.text import tidy
from resultproc.model.values import swiss_text
from resultproc.scoring.scored import SCORED_EVENTS, scored_together
from resultproc.tables.unsaid import directions_of, field_facts

CONTAINERS = ("USEBIO", "EVENT", "SESSION", "SECTION", "PARTICIPANTS", "MATCH", "HANDSET")

EVENT_TYPES = {kind: EventType(ours) for kind, ours in USEBIO_NAMES["type"].items()}
SCORED = {kind: Scoring(how) for kind, how in USEBIO_NAMES["scored"].items()}
_METHODS = {method: Scoring(how) for method, how in USEBIO_NAMES["method"].items()}
_IMPS = {"BUTLER_PAIRS", "CROSS_IMP", "CROSS_IMPS", "IMPS"}
"""Types of event, and scoring methods, whose PERCENTAGE may be the mean of IMPs on a board."""

OF_EVENT = ("TITLE", "VENUE", "SCORING_METHOD")
OF_CONTACT = ("SCORER", "TELEPHONE", "EMAIL")
"""Elements of an event and of its contact that nothing here depends on: they are kept for whoever writes it again."""

OTHER_POINTS = "master"
"""What points are whose type the file does not say."""

_BOARD_A_MATCH = {"BAM", "PAB"}
_CONTESTANTS = {"PAIR", "TEAM", "PLAYER"}


@dataclass
class _Event:
    """An event as it is read. The entries of ``contestants``, ``names`` and ``places`` are in one order."""

    where: str  # the line of the event
    type: str  # one of the format's event types
    club: dict[str, str]  # the club's name and number, by game key
    said: dict[str, tuple[str, str]] = field(default_factory=dict)  # the event's texts by element, with their lines
    added: list[tuple[dict[str, Any], str]] = field(default_factory=list)  # what we wrote of the game, with its line
    contestants: list[dict[str, Any]] = field(default_factory=list)  # in the contestants frame's columns
    names: list[list[str]] = field(default_factory=list)  # what results call each contestant, its pairs last
    places: list[str] = field(default_factory=list)  # as the file has them, '' for none
    results: list[tuple[object, ...]] = field(default_factory=list)  # of boards, see _RESULT
    deals: dict[tuple[int, int], dict[str, str]] = field(default_factory=dict)  # hands by session and board
    hands: list[tuple[str, str]] = field(default_factory=list)  # the lines of those that cannot be read, and why
    award_types: set[str] = field(default_factory=set)  # the kinds of masterpoints that are printed
    contact: dict[str, str] = field(default_factory=dict)  # what <CONTACT> says, by element
    matches: list[dict[str, str]] = field(default_factory=list)  # what each <MATCH> says, by element
    scoreless: list[tuple[str, str]] = field(default_factory=list)  # the elements without a score, with their lines
    sessions: int = 0  # that have begun so far
    listed_in: set[int] = field(default_factory=set)  # the sessions that list participants
    section: str = "A"  # the one that is read

    def text(self, *tags: str) -> str:
        return next((text for text, _ in (self.said[tag] for tag in tags if tag in self.said) if text), "")

    def count(self, tag: str) -> int | None:
        text, where = self.said.get(tag, ("", ""))
        if text and not re.fullmatch("[0-9]{1,4}", text):
            raise InputError(f"{tag}: invalid count: '{text}'", where, "write a whole number", code=UNREADABLE)
        return int(text or 0) or None


class _Document:
    """Takes a USEBIO document in."""

    def __init__(self) -> None:
        self.events: list[_Event] = []
        self.club: dict[str, str] = {}
        self.match: dict[str, str] = {}

    def start(self, element: Element) -> None:
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
            event = self.events[-1]
            event.listed_in.add(event.sessions)
            if len(event.listed_in) > 1:
                what = "the participants of a second session begin here"
                raise InputError(what, line(element), "give each session its own file, or list the event's totals once")

    def record(self, element: Element) -> None:
        parent = element.getparent()
        within = "" if parent is None else parent.tag
        if within == "USEBIO":
            if element.tag == "CLUB":
                said = {"club": child_text(element, "CLUB_NAME"), "club_id": child_text(element, "CLUB_ID_NUMBER")}
                self.club = {name: tidy(text) for name, text in said.items()}
        elif not self.events:
            return
        elif within == "PARTICIPANTS" and element.tag in _CONTESTANTS:
            self._add_contestant(self.events[-1], element)
        elif element.tag == "BOARD":
            self._add_results(self.events[-1], element)
        elif within == "EVENT" and not len(element):
            self.events[-1].said.setdefault(str(element.tag), (text_of(element), line(element)))
        elif within == "EVENT" and element.tag == "CONTACT":
            self.events[-1].contact = {str(each.tag): tidy(text_of(each)) for each in element.iterchildren("*")}
        elif within == "MATCH":
            self.match[str(element.tag)] = tidy(text_of(element))

    def _add_contestant(self, event: _Event, element: Element) -> None:
        record: dict[str, Any] = {"section": event.section, "eligible": True} | contestant(element)
        where = line(element)
        more = [added_columns(node) for node in element.iterchildren(etree.PI)]
        for name, value in (item for each in more for item in each.items()):
            record[name] = checked_value(CONTESTANTS, name, value, where)
        if not any(more) and record.get("score") is None and record.get("percentage") is None:
            event.scoreless.append((str(element.tag), where))
        event.contestants.append(record | {"where": where})
        event.award_types |= award_types(element)
        event.names.append([identifier(element), *map(identifier, element.findall("PAIR"))])
        event.places.append("" if any(more) else child_text(element, "PLACE"))

    def _add_results(self, event: _Event, element: Element) -> None:
        match = self.match if element.getparent().tag == "MATCH" else {}  # type: ignore[union-attr]
        event.results += [(event.section, max(event.sessions, 1), *result) for result in results(element, match)]
        dealt = hands(element, event.hands)
        if dealt is not None:
            event.deals.setdefault((max(event.sessions, 1), dealt[0]), dealt[1])

    def instruction(self, node: Element) -> None:
        parent = node.getparent()
        if self.events and parent is not None and parent.tag == "EVENT":
            self.events[-1].added.append((added_columns(node), line(node)))

    def end(self, element: Element) -> None:
        if self.events and element.tag == "MATCH":
            self.events[-1].matches.append(self.match)
        if self.events and element.tag == "SECTION":
            self.events[-1].section = "A"


_RESULT = ["section", "session", *RESULT]


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    document = _Document()
    unread: dict[str, str] = {}
    for step, element in walk(BytesIO(source.data), CONTAINERS, unread):
        getattr(document, step)(element)
    games: dict[str, dict[str, object]] = {}
    each: dict[str, dict[str, Declaration]] = {}
    contestants: list[Records] = []
    boards: list[Records] = []
    deals: list[dict[str, Any]] = []
    strata = {name: where for name, where in unread.items() if name.startswith("STRAT")}
    other = {name: where for name, where in unread.items() if name not in strata}
    remarks = [_passed_over(names) for names in (other, strata) if names]
    for number, event in enumerate(document.events, 1):
        game_id = tidy(event.text("EVENT_IDENTIFIER", "EVENT_ID")) or source.game_id(number, len(document.events))
        if game_id in games:
            what = f"the event '{game_id}' appears twice"
            raise InputError(what, event.where, "give each its own <EVENT_IDENTIFIER>")
        if not event.contestants:
            raise InputError("this event lists no participants", event.where, "list them in <PARTICIPANTS>", code=EMPTY)
        _refuse_scoreless(event)
        rows = _ranked(event)
        games[game_id] = _facts(event, rows) | {"game_id": game_id}
        each[game_id] = _declare(event, games[game_id])
        rows.fill("game_id", game_id)
        contestants.append(rows)
        results, together = _boards(event, rows, game_id)
        boards.append(results)
        if together:
            games[game_id].setdefault("stored_scored_with", per_section_text(together))
        if _as_one(event):
            said = f"SESSION_COUNT is {event.text('SESSION_COUNT')} and there is one score for all: it counts as one"
            hint = "for awards by session declare sessions, and give the score of each"
            remarks.append(Problem(said, event.said["SESSION_COUNT"][1], hint, game=game_id, key="sessions"))
        remarks += (replace(remark, game=game_id) for remark in not_shown(event.hands))
        deals += [
            {"game_id": game_id, "session": session, "board": board, **cards}
            for (session, board), cards in event.deals.items()
        ]
    if not games:
        raise FormatError("no event found", hint="write USEBIO > EVENT > PARTICIPANTS", code=EMPTY)
    return Reading(
        sheet_of(source, Records.joined(contestants), list(games.values()), remarks),
        boards=Records.joined(boards),
        deals=Records(deals),
        each={name: keys for name, keys in each.items() if keys},
        finish=in_points_of_leagues,
    )


def _refuse_scoreless(event: _Event) -> None:
    """Raise InputError for contestants without a score, but where no one has any and boards give all of them.

    What Swiss pairs win by matches does not follow from their boards alone.
    """
    if not event.scoreless:
        return
    follow = bool(event.results) and _kind(event).value in SCORED_EVENTS and event.type != "SWISS_PAIRS"
    if follow and len(event.scoreless) == len(event.contestants):
        return
    tag, where = event.scoreless[0]
    raise InputError(f"this <{tag}> has no score", where, "write <PERCENTAGE> or <TOTAL_SCORE> in it")


def _passed_over(unread: Mapping[str, str]) -> Problem:
    names = list(unread)
    others = f" and {len(names) - _NAMED} others" if len(names) > _NAMED else ""
    what = f"not read: {', '.join(names[:_NAMED])}{others}"
    where, strata = next(iter(unread.values())), names[0].startswith("STRAT")
    hint = "declare strata to have the game ranked in them" if strata else "what is written of this file has none of it"
    return Problem(what, where, hint, code=PASSED_OVER, key="strata" if strata else "")


_NAMED = 12
"""This many things that are not read are named in a remark."""


def _ranked(event: _Event) -> Records:
    """Return the contestants with their printed ranks, in one ranking where the event has one winner."""
    rows = Records(event.contestants)
    _score(event, rows)
    if _kind(event) is EventType.SWISS and event.text("MATCH_SCORING_METHOD").upper() in {"VPS", "VP"}:
        of_team = in_rounds(event.matches)
        for number in sorted({number for each in of_team.values() for number in each}):
            found = [swiss_text(of_team.get(names[0], {}).get(number, ())) or None for names in event.names]
            rows[f"swiss{number}"] = [own or met for own, met in zip(rows.get(f"swiss{number}"), found, strict=True)]
    one_winner = event.text("WINNER_TYPE") == "1"
    if one_winner and "direction" in rows:
        seats = zip(rows["direction"], rows["number"], event.names, strict=True)
        rows["number"] = [number if direction is None else names[0] for direction, number, names in seats]
        rows.fill("direction", None)
    several = len(set(rows["section"])) > 1
    if any(event.places) and (one_winner or not several):
        column = "printed_overall" if several else "printed_section"
        ranks = rank_texts(directions_of(rows), map(place_of, event.places))
        rows[column] = [rank if own is None else own for own, rank in zip(rows.get(column), ranks, strict=True)]
    return rows


def _score(event: _Event, rows: Records) -> None:
    """Take what the file calls percentages as scores, where they are means of IMPs.

    Where every contestant has a total, that is its score. Raises InputError for percentages out of range.
    """
    if "percentage" not in rows:
        return
    percentages = rows["percentage"]
    if {event.type, event.text("SCORING_METHOD").upper()} & _IMPS and any(each and each < 0 for each in percentages):
        totals = rows.get("score")
        rows["score"] = percentages if None in totals else totals
        rows.fill("percentage", None)
        return
    wrong = [
        Problem(f"percentage out of range: {float(value)}", where, "write a number from 0 to 100")
        for value, where in zip(percentages, rows["where"], strict=True)
        if value is not None and not 0 <= value <= 100
    ]
    if wrong:
        raise InputError(wrong, code=UNREADABLE)


def _kind(event: _Event) -> EventType:
    kind = EVENT_TYPES[event.type]
    of_boards = kind is EventType.SWISS and event.text("BOARD_SCORING_METHOD").upper() in _BOARD_A_MATCH
    return EventType.BAM if of_boards else kind


def _facts(event: _Event, contestants: Records) -> dict[str, object]:
    kind = _kind(event)
    text, where = event.said.get("DATE", ("", ""))
    day = day_written(text, "day")
    if text and day is None:
        raise InputError(f"DATE: invalid date: '{text}'", where, "write it as 22/10/2015", code=UNREADABLE)
    kept = {tag: event.text(tag) for tag in OF_EVENT} | {tag: event.contact.get(tag, "") for tag in OF_CONTACT}
    kept = {tag: tidy(text) for tag, text in kept.items() if text}
    sessions = event.count("SESSION_COUNT")
    method = _METHODS.get(event.text("BOARD_SCORING_METHOD").upper()) if kind in _ONE_FIELD else None
    facts: dict[str, object] = field_facts(contestants, kind) | {
        "event": tidy(event.text("EVENT_DESCRIPTION", "TITLE")),
        **event.club,
        "charge_code": tidy(event.text("EBU_CHARGE_CODE", "P2P_CHARGE_RATE")),
        "contact": event.contact.get("FULL_NAME"),
        "points_scale": tidy(event.text("MASTER_POINT_SCALE", "EVENT_RATING")),
        "scoring": SCORED.get(event.type, method),
        "date": day,
        "sessions": None if _as_one(event) else sessions,
        "boards": event.count("BOARDS_PLAYED") if _as_one(event) or sessions in {None, 1} else None,
        "stored_other_awards": _other_awards(event, contestants),
        "stored_elements": json.dumps(kept, ensure_ascii=False) if kept else None,
    }
    return {name: value for name, value in facts.items() if value not in {None, ""}}


_ONE_FIELD = (EventType.PAIRS, EventType.INDIVIDUAL)


def _as_one(event: _Event) -> bool:
    """Say whether several sessions have one score together, as their participants are listed but once."""
    declared = any("sessions" in values for values, _ in event.added)
    return (event.count("SESSION_COUNT") or 1) > 1 and not declared


def _other_awards(event: _Event, contestants: Records) -> str:
    """Return what kind of points the awards are where this package did not write them: in any colour another body's."""
    ours = any(values for values, _ in event.added)
    if ours or all(award is None for award in contestants.get("printed_award")):
        return ""
    types = event.award_types or {event.text("MASTER_POINT_TYPE").lower()}
    return " and ".join(sorted(types - {""})) or OTHER_POINTS


def _declare(event: _Event, facts: dict[str, object]) -> dict[str, Declaration]:
    """Take what is added to an event into its facts; return the game keys among it, and the league of its program."""
    declared = {}
    name, where = event.said.get("PROGRAM_NAME", ("", ""))
    kinds = set(str(facts.get("stored_other_awards") or "").split(" and ")) - {""}
    theirs = [own for own in leagues().values() if any(re.search(each, name, re.IGNORECASE) for each in own.programs)]
    # A program may print the points of several leagues, and then their type tells; two in one file are of neither.
    known = kinds.intersection(*[{colour for own in theirs for colour in own.points_colours}])
    fitting = [own.name for own in theirs if known <= set(own.points_colours)]
    if kinds and fitting:
        declared["league"] = Declaration(fitting[0], where)
    for values, where in event.added:
        for name, value in values.items():
            if name in KEYS and value is not None:
                declared[name] = Declaration(value, where)
            else:
                facts[name] = None if name in KEYS else checked_value(GAMES, name, value, where)
    return declared


def _boards(event: _Event, contestants: Records, game_id: str) -> tuple[Records, Mapping[str, str]]:
    """Return the results of an event, the contestants called as they are among their rows, and what
    :func:`~resultproc.scoring.scored.scored_together` finds.
    """
    numbers = {
        (section, name): number
        for section, number, names in zip(contestants["section"], contestants["number"], event.names, strict=True)
        for name in names
        if name
    }
    columns = dict(zip(_RESULT, map(list, zip(*event.results, strict=True)), strict=False))
    boards = Records.of(columns, len(event.results))
    together = scored_together(boards)
    for seat in ("ns", "ew", "ns_partner", "ew_partner") if event.results else ():
        boards[seat] = [numbers.get(pair, pair[1]) for pair in zip(boards["section"], boards[seat], strict=True)]
    boards.fill("game_id", game_id)
    if together:
        boards["scored_with"] = [None if together[name] == name else together[name] for name in boards["section"]]
    return boards, together
