"""ACBLscore game files (``.ACA``, ``.ACM``, ...): the binary files in which the league's scoring program keeps games.

A file holds up to fifty events, each of which becomes a game: ``<file>``, or ``<file>-<event>`` where there are
several. Read are pairs, individuals with one winner, board-a-match and Swiss teams; of each the sections, contestants,
players, holdings, strata, scores, eligibility, ranks and awards. Section ranks and scores are the session's; the award
is the event's, so that after the last of several sessions it is the greater of the sum of the sessions' awards and the
overall award. The constants that the program computed the awards with go to the ``stored_`` columns of the games.

Only pairs could be compared with what other decoders read; teams and individuals follow the description of the format
(see :mod:`resultproc.readers.acblscore_layout`). Results by board are not read.

On bad input: InputError that names the event or section and the offset, for files that are damaged or cut short, and
for events that the frames cannot hold: knockouts, home-style pairs, series winners, individuals with four winners.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

from resultproc.errors import FormatError, InputError
from resultproc.formats import Declaration, Reader, Reading, read_bytes
from resultproc.frames import COLOURS, EAST_WEST, GAMES, NORTH_SOUTH
from resultproc.game import OPEN, EventType, Movement, Rating, Stratum, number_text, per_section_text, strata_text
from resultproc.readers import acblscore_layout as layout
from resultproc.readers.acblscore_layout import Record, damaged
from resultproc.readers.declared import lay_over
from resultproc.readers.sheets import sheet_of


@dataclass
class _Event:
    """An event while it is read: its record, its kind, its strata, and what its sections add."""

    number: int
    record: Record
    kind: EventType
    matchpointed: bool
    strata: list[Stratum]
    tables: dict[str, float] = field(default_factory=dict)
    movements: dict[str, Movement] = field(default_factory=dict)
    leaders: dict[str, str] = field(default_factory=dict)
    contestants: list[dict[str, object]] = field(default_factory=list)
    boards: int = 0

    @property
    def letters(self) -> str:
        return "".join(stratum.letter for stratum in self.strata)

    @property
    def limit(self) -> float:
        return self.strata[0].limit if self.strata else OPEN

    @property
    def session(self) -> tuple[str, str, str]:
        """The club, date and session: events that share them are played at the same time."""
        at = layout.Event
        return self.record.text(at.club), self.record.text(at.date), self.record.text(at.session)


def read(path: Path) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    events = [event for event in _events(read_bytes(path)) if event.contestants]
    if not events:
        raise FormatError("no event in the file has a contestant")
    ids = [path.stem if len(events) == 1 else f"{path.stem}-{event.number}" for event in events]
    games = [_game(event, game_id, events) for event, game_id in zip(events, ids, strict=True)]
    contestants = [
        {"game_id": game_id, **contestant}
        for event, game_id in zip(events, ids, strict=True)
        for contestant in event.contestants
    ]
    return Reading(sheet_of(path, pd.DataFrame.from_records(contestants), pd.concat(games, ignore_index=True)))


def _events(data: bytes) -> Iterator[_Event]:
    """Return the events of a file with their sections read."""
    if not sniff(data):
        raise FormatError("this is no ACBLscore game file", hint="its first bytes are 12 0A 03 and AC3")
    master = Record(data, 0, "master table")
    stated = master.number(layout.Master.file_length)
    if len(data) < max(stated, layout.Master.length + 2):
        raise damaged(f"it has {len(data)} bytes where its head says {stated}", "master table")
    for index in range(layout.MAX_EVENTS):
        if master.number(layout.Master.event, index):
            event = _event(master, index)
            summaries = {
                number: summary
                for number, summary in _summaries(master).items()
                if summary.number(layout.SectionSummary.event) == event.number
            }
            for summary in summaries.values():
                _read_section(event, summary, summaries)
            yield event


def _summaries(master: Record) -> dict[int, Record]:
    """Return the section summaries by their number, from 1 on, as their links count them."""
    at = layout.Master
    return {n + 1: master.part(at.sections + n * at.section_size) for n in range(layout.MAX_SECTIONS)}


def _event(master: Record, index: int) -> _Event:
    name = f"event {index + 1}"
    record = master.follow(layout.Master.event, layout.Event.length, name, index)
    kind, scoring = master.number(layout.Master.kind, index), master.number(layout.Master.scoring, index)
    known = {0: EventType.PAIRS, 2: EventType.INDIVIDUAL, 4: EventType.BAM}
    if kind == 1 and scoring in layout.SWISS:
        known[1] = EventType.SWISS
    if kind not in known:
        what = {1: "knockout teams", 3: "home-style pairs", 5: "series winners"}.get(kind, f"of unknown kind {kind}")
        raise FormatError(
            f"the event '{record.text(layout.Event.name)}' is {what}, which cannot be read from a game file",
            name,
            "pairs, individuals, board-a-match and Swiss teams can",
        )
    return _Event(index + 1, record, known[kind], scoring in layout.MATCHPOINTED, _strata(record))


def _strata(record: Record) -> list[Stratum]:
    strata = []
    for part in _stratum_records(record):
        letter = chr(part.number(layout.Stratum.letter))
        if not re.fullmatch("[A-Z]", letter):
            raise damaged("a stratum has no letter", record.name)
        strata.append(Stratum(letter, part.number(layout.Stratum.limit) or OPEN))
    return strata


def _stratum_records(record: Record) -> list[Record]:
    at = layout.Event
    count = record.number(at.strata_count)
    if count > at.max_strata:
        raise damaged(f"the event has {count} strata where {at.max_strata} have room", record.name)
    return [record.part(at.strata + i * at.stratum_size) for i in range(count)]


def _read_section(event: _Event, summary: Record, summaries: Mapping[int, Record]) -> None:
    """Add a section's facts and contestants to its event."""
    section = summary.text(layout.SectionSummary.name).upper()
    if not section:
        raise damaged("a section has no name", event.record.name)
    name = f"{event.record.name}, section {section}"
    record = summary.follow(layout.SectionSummary.record, layout.Section.length, name)
    if event.kind in {EventType.SWISS, EventType.BAM}:
        entries: list[tuple[str | None, int, Record]] = list(_teams(record))
        event.boards = max(event.boards, record.number(layout.Section.boards_a_round))
    else:
        movement = _movement(event, record)
        event.movements[section] = movement
        entries = list(_numbered(record, movement))
        event.boards = max([event.boards, *(entry.number(layout.Entry.boards) for _, _, entry in entries)])
    for direction, number, entry in entries:
        event.contestants.append(_contestant(event, section, direction, number, entry))
    if tables := record.number(layout.Section.tables):
        # The program counts whole tables; a missing pair makes one of them a half table.
        event.tables[section] = tables - (len(entries) % 2 / 2 if event.kind == EventType.PAIRS else 0)
    event.leaders[section] = _leader(summary, summaries, name)


def _movement(event: _Event, record: Record) -> Movement:
    code = record.number(layout.Section.movement)
    if code in layout.ONE_WINNER:
        return Movement.HOWELL
    if code not in layout.TWO_WINNERS:
        raise FormatError(f"its movement has the unknown code {code}", record.name)
    if event.kind == EventType.INDIVIDUAL:
        raise FormatError(
            f"the event '{event.record.text(layout.Event.name)}' is an individual with four winners",
            record.name,
            "individuals with one winner can be read",
        )
    return Movement.MITCHELL


def _leader(summary: Record, summaries: Mapping[int, Record], name: str) -> str:
    """Return the first of the sections that are ranked together with this one, or itself."""
    seen = 0
    while number := summary.number(layout.SectionSummary.ranked_before):
        seen += 1
        if number not in summaries or seen > layout.MAX_SECTIONS:
            raise damaged("it is ranked together with a section that the event does not have", name)
        summary = summaries[number]
    return summary.text(layout.SectionSummary.name).upper()


def _teams(section: Record) -> Iterator[tuple[str | None, int, Record]]:
    index = section.follow(layout.Section.index, layout.Index.length, section.name)
    for slot in range(index.number(layout.Index.count)):
        place = index.part(layout.Index.entries + slot * layout.Index.entry_size)
        number = place.number(layout.Index.number)
        yield None, number, place.follow(layout.Index.entry, layout.Entry.length, f"{section.name}, team {number}")


def _numbered(section: Record, movement: Movement) -> Iterator[tuple[str | None, int, Record]]:
    """Return the direction, number and record of every pair or individual of a section, phantoms left out."""
    for side, table, number in _seats(section, movement):
        direction = None if movement is Movement.HOWELL else (NORTH_SOUTH, EAST_WEST)[side]
        name = " ".join(filter(None, (section.name, direction, str(number))))
        index = section.follow(layout.Section.index, layout.Index.length, name, side)
        if not 1 <= table <= index.number(layout.Index.count):
            raise damaged(f"it starts at table {table}, which the section does not have", name)
        place = index.part(layout.Index.entries + (table - 1) * layout.Index.entry_size)
        yield direction, number, place.follow(layout.Index.entry, layout.Entry.length, name)


def _seats(section: Record, movement: Movement) -> Iterator[tuple[int, int, int]]:
    """Return the side (from 0), table and number of all who started, phantoms left out.

    A number may have been reassigned by hand: the map goes by the number at the start.
    """
    at = layout.Section
    pairs, phantom = section.part(at.pair_map), section.number(at.phantom)
    highest = section.number(at.highest)
    if movement is Movement.HOWELL:
        for i in range(min(highest, 80)):
            if i + 1 != phantom:
                table, side = (pairs.number(layout.Int(80 + 2 * i + j)) for j in (0, 1))
                if not 1 <= side <= 4:
                    raise damaged(f"number {i + 1} starts in the unknown direction {side}", section.name)
                yield side - 1, table, pairs.number(layout.Int(i)) or i + 1
        return
    for i in range(min(highest, 40)):
        for side in (0, 1):
            # The phantom's number is negative where it sits E-W.
            if i + 1 != (-phantom if side else phantom):
                reassigned, table = (pairs.number(layout.Int(base + 4 * i + side)) for base in (0, 160))
                yield side, table, reassigned or i + 1


def _contestant(event: _Event, section: str, direction: str | None, number: int, entry: Record) -> dict[str, object]:
    at = layout.Entry
    eligible = entry.number(at.eligibility) == 0
    score, percentage = entry.number(at.score), entry.number(at.percentage)
    if score == -1 and eligible:
        raise InputError("it has no score", entry.name, "finish scoring the game before it is processed")
    if percentage > 100_00:
        raise damaged(f"a percentage of {percentage / 100} cannot be", entry.name)
    stratum = entry.number(at.stratum)
    if stratum > len(event.strata):
        raise damaged(f"it is in stratum number {stratum} of {len(event.strata)}", entry.name)
    place = " ".join(filter(None, (f"section {section}", direction, str(number))))
    return {
        "section": section,
        "direction": direction,
        "number": str(number),
        **_players(entry),
        "stratum": event.letters[stratum - 1] if stratum else None,
        "eligible": eligible,
        "score": None if score == -1 else score / 100,
        "percentage": percentage / 100 if event.matchpointed else None,
        "handicap": _handicap(event, entry),
        "printed_section": _ranks(event, entry, layout.Rank.section, layout.Rank.section_tied),
        "printed_overall": _ranks(event, entry, layout.Rank.overall, layout.Rank.overall_tied),
        **_award(event, entry),
        "where": f"{place}, offset {entry.start:#x}",
    }


def _handicap(event: _Event, entry: Record) -> float | None:
    """Return a handicap in percent (kind 1, negative where only the handicapped score is ranked)."""
    if abs(event.record.number(layout.Event.handicap)) != 1:
        return None
    return entry.number(layout.Entry.handicap) / 100


def _players(entry: Record) -> dict[str, object]:
    """Return the names, member numbers and holdings of an entry's players."""
    at = layout.Player
    found: dict[str, object] = {}
    count = (entry.number(layout.Int(0, "H")) - layout.Entry.length) // at.size
    n = 0
    for i in range(count):
        player = entry.part(layout.Entry.players + i * at.size)
        name = f"{player.text(at.first_name)} {player.text(at.last_name)}".strip()
        member = player.text(at.member)
        if not name and not member:
            continue
        n += 1
        found |= {f"player{n}": name or None, f"id{n}": member or None, f"mp{n}": _holding(player)}
    return found


def _holding(player: Record) -> float | None:
    """Return a player's masterpoints; None where the program did not know the player, who then has no rank letter."""
    holding = player.number(layout.Player.holding)
    return holding if holding or player.number(layout.Player.rank) else None


def _ranks(event: _Event, entry: Record, first: layout.Int, last: layout.Int) -> str | None:
    ranks = {}
    for i, letter in enumerate(event.letters):
        rank = entry.part(layout.Entry.ranks + i * layout.Entry.rank_size)
        if low := rank.number(first):
            high = rank.number(last)
            ranks[letter] = f"{low}/{high}" if high else str(low)
    return per_section_text(ranks) or None


def _award(event: _Event, entry: Record) -> dict[str, object]:
    """Return the award of an entry by what the sheet prints of it.

    An award that mixes colours is the award of one stratum in the better colours that another one pays, topped up to
    the better total; the part that tops it up stands last and names what the total follows from.
    """
    at = layout.Award
    colours: dict[str, int] = {}
    paid_by = None
    for i in range(at.parts):
        part = entry.part(layout.Entry.award + i * at.size)
        if not (hundredths := part.number(at.hundredths)):
            continue
        colour = layout.COLOURS.get(part.number(at.colour))
        if colour is None:
            raise damaged("an award has no colour", entry.name)
        colours[colour] = colours.get(colour, 0) + hundredths
        try:
            paid_by = layout.basis_and_stratum(part.number(at.reason), event.letters)
        except ValueError as error:
            raise damaged(str(error), entry.name) from None
    if not colours:
        return {}
    return {
        "printed_award": sum(colours.values()),
        "printed_paid_by": paid_by,
        "printed_colours": ", ".join(f"{c}={colours[c] / 100:.2f}" for c in COLOURS if c in colours),
    }


def _game(event: _Event, game_id: str, events: list[_Event]) -> pd.DataFrame:
    """Return the games frame's row of an event, its facts in the spelling of the game keys."""
    at, record = layout.Event, event.record
    rating, special = _rating(event)
    specials = {
        special: bool(special),
        "handicap": record.number(at.handicap) != 0,
        "side-game": record.number(at.side_game) != 0,
        "consolation": record.number(at.consolation) != 0,
    }
    club, day, session = event.session
    facts = {
        "event": record.text(at.name),
        "club": club,
        "date": _date(day),
        "session": session,
        "rating": rating,
        "event_type": event.kind,
        "movement": per_section_text(event.movements),
        "tables": per_section_text(event.tables),
        "sessions": record.number(at.sessions) or None,
        "boards": event.boards or None,
        "strata": strata_text(event.strata),
        "stratify_by": "average" if record.number(at.by_average) else "highest",
        "limit": number_text(event.limit),
        "restrictions": "senior" if record.number(at.senior) else None,
        "special": ", ".join(word for word, true in specials.items() if true),
    }
    row = GAMES.conform(pd.DataFrame([{"game_id": game_id, **_stored(event, events)}]))
    declared = {key: Declaration(value, record.name) for key, value in facts.items() if value}
    return lay_over(row, declared, "")


def _rating(event: _Event) -> tuple[Rating | None, str]:
    """Return our rating of an event, where there is one, and the word for a special kind of game."""
    code = event.record.number(layout.Event.rating)
    if code != 1:
        return layout.RATINGS.get(code, (None, ""))
    kind = event.record.number(layout.Event.club_game)
    if kind > 1:
        return layout.CLUB_GAMES.get(kind), ""
    if event.limit < OPEN:
        return Rating.CLUB_RESTRICTED, ""
    return (Rating.CLUB_INVITATIONAL if kind else Rating.CLUB_OPEN), ""


def _stored(event: _Event, events: list[_Event]) -> dict[str, object]:
    """Return the ``stored_`` columns: what the program computed the event's awards with."""
    at = layout.Stratum
    strata = dict(zip(event.letters, _stratum_records(event.record), strict=True))
    percent = {letter: part.number(at.percent_of_open) for letter, part in strata.items()}
    mpt = {letter: part.number(at.mpt) / 10_000 for letter, part in strata.items()}
    colours: dict[str, str] = {}
    caps: dict[str, float] = {}
    for basis, offset in (("O", at.overall_colours), ("S", at.section_colours)):
        for letter, part in strata.items():
            _add_split(part.part(offset), basis + letter, colours, caps)
    concurrent: dict[str, float] = {}
    for other in events:
        if other is not event and other.session == event.session:
            limit = number_text(other.limit)
            concurrent[limit] = concurrent.get(limit, 0) + sum(other.tables.values())
    together = event.leaders if any(leader != section for section, leader in event.leaders.items()) else {}
    texts: dict[str, dict[str, Any]] = {
        "stored_percent_of_open": {letter: value for letter, value in percent.items() if value},
        "stored_mpt": {letter: value for letter, value in mpt.items() if value},
        "stored_colours": colours,
        "stored_caps": caps,
        "stored_concurrent_tables": concurrent,
        "stored_ranked_with": together,
    }
    return {
        "stored_rating_code": event.record.number(layout.Event.rating),
        "stored_award_revision": event.record.number(layout.Event.award_revision),
        **{name: per_section_text(values) or None for name, values in texts.items()},
    }


def _add_split(split: Record, key: str, colours: dict[str, str], caps: dict[str, float]) -> None:
    """Note how awards are split into colours (``50 red + 50 black``), and the cap of the first colour."""
    at = layout.Colours
    parts = [
        f"{number_text(percent / 100)} {layout.COLOURS[colour]}"
        for i in range(3)
        if (percent := split.number(at.percent, i)) and (colour := split.number(at.colour, i)) in layout.COLOURS
    ]
    if parts:
        colours[key] = " + ".join(parts)
    if cap := split.number(at.cap):
        caps[key] = cap / 100


def _date(text: str) -> str | None:
    """Return the day of ``July 29, 2017``; None for what is no such day: then it is to be declared."""
    found = re.fullmatch(r"([A-Za-z]{3})[a-z]*\.? ([0-9]{1,2}), ?([0-9]{4})", text)
    if not found or found[1].title() not in _MONTHS:
        return None
    try:
        return date(int(found[3]), _MONTHS.index(found[1].title()) + 1, int(found[2])).isoformat()
    except ValueError:
        return None


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def sniff(head: bytes) -> bool:
    """Say whether the bytes begin as a game file does."""
    return head.startswith(layout.MAGIC)


READER = Reader("acblscore", "ACBLscore game file", sniff, read)
