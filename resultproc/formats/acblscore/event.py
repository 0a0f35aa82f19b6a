"""The events of an ACBLscore game file, as far as their sections need to know them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from resultproc.formats.acblscore import layout
from resultproc.formats.acblscore.layout import Record
from resultproc.model.basis import MAX_SESSIONS
from resultproc.model.errors import FormatError
from resultproc.model.game import OPEN, EventType, Stratum


@dataclass(frozen=True)
class EventRead:
    """An event: its number in the file, its record and kind, whether it is scored in percent, and its strata."""

    number: int
    record: Record
    kind: EventType
    matchpointed: bool
    strata: list[Stratum]

    @property
    def letters(self) -> str:
        """The letters of the strata, top first."""
        return "".join(stratum.letter for stratum in self.strata)

    @property
    def limit(self) -> float:
        """The event's own upper limit: that of its top stratum."""
        return self.strata[0].limit if self.strata else OPEN

    @property
    def sessions(self) -> int:
        """The sessions of the event."""
        return max(self.record.number(layout.Event.sessions), 1)

    @property
    def session_number(self) -> int:
        """Which of its sessions this is."""
        number = self.record.number(layout.Event.session_number)
        if self.sessions > 1 and not 1 <= number <= min(self.sessions, MAX_SESSIONS):
            raise self.record.damaged(f"this is session {number} of {self.sessions}")
        return number

    @property
    def handicap(self) -> int:
        """How handicaps are given (1 in percent, 2 in matchpoints, 3 in boards), below zero where they alone rank."""
        return self.record.number(layout.Event.handicap)

    @property
    def occasion(self) -> tuple[str, str, str]:
        """The club, date and session: events that share them are played at the same time."""
        at = layout.Event
        return self.record.text(at.club), self.record.text(at.date), self.record.text(at.session)


def read_event(master: Record, index: int) -> EventRead:
    """Return the event in a place of the master table.

    Raises InputError for a damaged record, and for an event of a kind that cannot be read.
    """
    at = layout.Master
    record = master.follow(at.event, layout.Event.length, f"event {index + 1}", index)
    kind, scoring = master.number(at.kind, index), master.number(at.scoring, index)
    event_type = layout.TEAM_SCORING.get(scoring) if kind == layout.TEAMS else layout.KINDS.get(kind)
    if event_type is None:
        raise FormatError(
            f"the event '{record.text(layout.Event.name)}' is of an unknown kind (kind {kind}, scoring {scoring})",
            record.place,
            "known: pairs, individuals, board-a-match, Swiss and knockout teams",
        )
    return EventRead(index + 1, record, event_type, scoring in layout.MATCHPOINTED, _strata(record))


def _strata(record: Record) -> list[Stratum]:
    strata = []
    for part in stratum_records(record):
        letter = chr(part.number(layout.Stratum.letter))
        if not re.fullmatch("[A-Z]", letter):
            raise part.damaged(f"invalid stratum letter: {letter!r}")
        strata.append(Stratum(letter, part.number(layout.Stratum.limit) or OPEN))
    return strata


def stratum_records(record: Record) -> list[Record]:
    """Return what an event's record has of each of its strata, top first."""
    at = layout.Event
    count = record.number(at.strata_count)
    if count > at.max_strata:
        raise record.damaged(f"the event has {count} strata, but there is room for {at.max_strata}")
    return [record.part(at.strata + i * at.stratum_size) for i in range(count)]
