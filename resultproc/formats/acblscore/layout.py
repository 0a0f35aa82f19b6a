"""Where each fact is in an ACBLscore game file: the records as data, and access to them that checks every offset.

Little-endian. A file is one master table and the records that it points to by absolute offset; each of those begins
with the number of bytes that follow. Texts have a length byte before them and a fixed size. Scores and
awards are whole hundredths. Matthew Kidd worked the format out ("ACBLscore Game Files Decoded", lajollabridge.com);
offsets and meanings are from there, the code tables from there and from the program's own rating codes.
"""

from __future__ import annotations

import struct
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from resultproc.model.errors import FormatError
from resultproc.model.game import EventType
from resultproc.model.text import tidy

MAX_EVENTS, MAX_SECTIONS = 50, 100


class Int(NamedTuple):
    """A whole number: its offset in the record and its :mod:`struct` code."""

    offset: int
    code: str = "B"


class Text(NamedTuple):
    """A text: the offset of its length byte and the bytes that it has room for."""

    offset: int
    room: int


class Master:
    """The master table, at the start of the file. Arrays over the events, then the section summaries."""

    length = 0xA12
    file_length = Int(0x06, "I")
    event = Int(0x12, "I")
    kind = Int(0xDA)
    scoring = Int(0x10C)
    sections, section_size = 0x13E, 22


class SectionSummary:
    """A section in the master table: its event, name and records.

    ``scored_before`` and ``ranked_before`` are the numbers of the sections before it among those whose boards are
    matchpointed, and that are ranked, together; 0 in the first of them.
    """

    event = Int(0x00)
    name = Text(0x01, 2)
    record, boards = Int(0x04, "I"), Int(0x08, "I")
    scored_before, ranked_before = Int(0x0F), Int(0x11)


class EventLayout:
    """An event. ``club`` is the tournament's name where it is no club game.

    ``credited_tables`` counts half tables of other events that the awards go by as well. No description has it: it is
    0 in all of 68 files but those whose first awards are higher, by that number of tables.
    """

    length = 0x2C7
    name = Text(0x04, 25)
    session = Text(0x1E, 13)
    date = Text(0x48, 19)
    club = Text(0x5C, 25)
    rating = Int(0x88)
    session_number = Int(0x8C)
    handicap = Int(0x8D, "b")
    strata_count = Int(0x9E)
    sessions = Int(0x9F)
    consolation = Int(0xA0)
    club_game = Int(0xA1)
    strata, stratum_size, max_strata = 0xD4, 95, 3
    senior = Int(0x251)
    side_game = Int(0x253)
    award_revision = Int(0x254)
    credited_tables = Int(0x255)
    by_average = Int(0x2C8)


class StratumLayout:
    """A stratum of an event; limits and letter, and the constants that its awards were computed with."""

    mpt = Int(0x14, "I")
    limit = Int(0x20, "H")
    letter = Int(0x22)
    percent_of_open = Int(0x23)
    overall_colours, section_colours = 0x32, 0x50


class Colours:
    """How awards are split: three percentages in hundredths, three caps in hundredths, three colours."""

    percent, cap, colour = Int(0x00, "H"), Int(0x06, "H"), Int(0x0C)


class Section:
    """A section. ``pair_map`` tells which pair began at which table, after numbers that were reassigned by hand.

    One winner: 80 reassigned numbers, then 80 times table and direction (from 1). Two winners: 40 times four
    reassigned numbers (N, E, S, W), then 40 times four tables.
    """

    length = 0x21B
    index = Int(0x04, "I")
    movement = Int(0x18)
    highest = Int(0x1B, "H")
    boards_a_round = Int(0x1D)
    phantom = Int(0x43, "h")
    tables = Int(0x48, "H")
    pair_map = 0xDD


class IndexLayout:
    """The entries of one direction of a section, by table; or the teams."""

    length = 0x12
    count = Int(0x06)
    entries, entry_size = 0x14, 8
    number, entry = Int(0x00, "H"), Int(0x04, "I")


class Boards:
    """The boards of a section: for each its number, the number of its results and the record that holds them.

    The record has a number as well, which stays when the board is replaced by another one. Results without a score
    are not counted, and come before counted ones: without those behind them the matchpoints do not add up.
    """

    length = 0x24
    count = Int(0x04, "H")
    boards, board_size = 0x26, 8
    number, results, record = Int(0x00), Int(0x02, "H"), Int(0x04, "I")


class Board:
    """The results of a board in a section of pairs; those of an individual have four players where these have two."""

    length = 0x04
    results, result_size = 0x06, 18


class BoardResult:
    """A result: its round and table, of N-S and E-W the number that the movement gives them, score in tens, hundredths.

    Scores from ``FIRST_SPECIAL`` up are no points: see ``NOT_IN_PLAY``, ``NO_RESULT`` and ``ADJUSTED``.
    """

    round, table = Int(0x00), Int(0x01)
    ns, ns_score, ns_points = Int(0x02, "H"), Int(0x04, "h"), Int(0x06, "i")
    ew, ew_score, ew_points = Int(0x0A, "H"), Int(0x0C, "h"), Int(0x0E, "i")


class EntryLayout:
    """A pair, team or individual. Scores are in hundredths, -1 for none, adjustments included.

    ``award`` is what the event has given it so far, ``earlier`` what its earlier sessions gave it; at 0x40, between
    them, is the award of this session. ``eligibility`` is 0 for who is ranked, 10 for who holds more than the event's
    limit.
    """

    length = 0xA2
    adjustment = Int(0x04, "i")
    score, carryover, total, handicap = (Int(offset, "i") for offset in (0x0C, 0x10, 0x14, 0x18))
    percentage = Int(0x1C, "H")
    stratum = Int(0x1E)
    boards = Int(0x2F)
    eligibility = Int(0x33)
    earlier, award = 0x34, 0x4C
    ranks, rank_size = 0x5E, 20
    players = 0xA4


class Award:
    """One of the three parts of an award: hundredths, colour, and what paid it.

    ``reason`` is the number of the stratum, from 1, and 10 more for an overall award; 0 where the file does not say.
    """

    size, parts = 4, 3
    hundredths, colour, reason = Int(0x00, "H"), Int(0x02), Int(0x03)


class Rank:
    """The paying ranks of an entry in one stratum: first and, where tied, last of the places it shares; else 0."""

    section, section_tied, overall, overall_tied = (Int(offset, "H") for offset in (0x00, 0x02, 0x04, 0x06))


class PlayerLayout:
    """A player of an entry."""

    size = 120
    last_name = Text(0x00, 16)
    first_name = Text(0x11, 16)
    member = Text(0x36, 7)
    holding = Int(0x71, "H")
    rank = Int(0x73)


COLOUR_CODES = {1: "black", 2: "silver", 3: "red", 4: "gold", 5: "platinum"}

ONE_WINNER, TWO_WINNERS = {1}, {0, 2, 3, 5, 6}
"""The movements whose pair map is known: 1 Howell; 0 Mitchell, 2 web, 3 external, 5 barometer, 6 manual Mitchell."""

TEAM_EVENT = 1
EVENT_TYPE_CODES = {0: EventType.PAIRS, 2: EventType.INDIVIDUAL, 4: EventType.BAM}
"""The kinds of events that are known; of teams the scoring tells what they are."""

TEAM_SCORING = {
    **dict.fromkeys((6, 7), EventType.SWISS),
    **dict.fromkeys((8, 9, 18), EventType.KNOCKOUT),
    16: EventType.BAM,
}
"""Scoring of teams: by wins and victory points; knockout, zip knockout, compact knockout; board-a-match."""

MATCHPOINTED = {0, 4, 5, 14, 16}
"""Scoring that gives percentages."""

FIRST_SPECIAL, NOT_IN_PLAY = 900, 999
"""Where the scores begin that are no points, and that of a board that is not in play in the round."""

NO_RESULT = (900, 950)
"""Scores of a board that is yet to be played, and of one that was not played."""

ADJUSTED = {2040: 40.0, 2050: 50.0, 2060: 60.0}
"""Scores that are adjusted, in percent: average minus, average, average plus."""

CLUB_MASTERPOINT = 1
CLUB_GAMES: dict[int, tuple[str | None, str]] = {
    2: ("club-newcomer", ""),
    3: (None, "bridge-plus"),
    4: ("club-newcomer", "pupil"),
    5: ("club-newcomer", "introductory"),
}
"""Types of a plain club game that alone tell its rating; of 0 open and 1 invitational the limit tells more."""

_CODES = tomllib.loads(Path(__file__).with_name("ratings.toml").read_text("utf-8"))
RATINGS: dict[int, tuple[str | None, str]] = {
    int(code): (rating or None, special) for code, (rating, special) in _CODES.items()
}
"""The program's rating codes: our rating where there is one, and a word for the special kind of game."""


@dataclass(frozen=True)
class Record:
    """A record of a game file.

    data: the bytes of the whole file.
    start: where the record begins in these.
    name: what messages call it.
    """

    data: bytes
    start: int
    name: str

    @property
    def place(self) -> str:
        """Where the record is, for messages."""
        return f"{self.name}, offset {self.start:#x}"

    @property
    def size(self) -> int:
        """The bytes of the record after its first two, which say how many these are."""
        return self.number(Int(0, "H"))

    def number(self, field: Int, index: int = 0) -> int:
        """Return a number of the record, or one of an array of them; raise FormatError outside of the file."""
        at = self.start + field.offset + index * struct.calcsize("<" + field.code)
        try:
            value: int = struct.unpack_from("<" + field.code, self.data, at)[0]
        except struct.error:
            raise self._beyond(at) from None
        return value

    def text(self, field: Text) -> str:
        """Return a text of the record, tidied; raise FormatError where it is longer than its room.

        The program is of the DOS age, so its texts are taken for code page 437; every byte has a character there.
        """
        at = self.start + field.offset
        length = self.number(Int(field.offset))
        if length > field.room:
            raise self.damaged(f"the text at {at:#x} has {length} bytes, but there is room for {field.room}")
        raw = self.data[at + 1 : at + 1 + length]
        if len(raw) < length:
            raise self._beyond(at)
        return tidy("".join(c if c.isprintable() else " " for c in raw.decode("cp437")))

    def part(self, offset: int) -> Record:
        """Return what is at an offset of this record as a record of its own."""
        return Record(self.data, self.start + offset, self.name)

    def follow(self, field: Int, length: int, name: str, index: int = 0) -> Record:
        """Return the record that a pointer of this one leads to.

        field: where the pointer is.
        length: how many bytes of the record are read.
        name: what messages call it.
        index: which pointer, where the field has several.
        Raises FormatError where it is in the master table, outside of the file or shorter than that.
        """
        target = Record(self.data, self.number(field, index), name)
        if target.start < Master.length:
            raise target.damaged("a record starts within the master table")
        if target.size < length:
            raise target.damaged(f"the record has {target.size} bytes, but needs {length}")
        if target.start + 2 + target.size > len(self.data):
            raise target._beyond(target.start + 2 + target.size)
        return target

    def damaged(self, what: str) -> FormatError:
        """Return the error of a record that contradicts itself or the rest of the file."""
        return FormatError(
            what, self.place, "the file is damaged or incomplete: copy it again from the scoring computer"
        )

    def _beyond(self, at: int) -> FormatError:
        return self.damaged(f"it refers to offset {at:#x}, but the file ends at {len(self.data):#x}")
