"""Records of an ACBLscore game file: ``records.toml`` says where each fact is; access to them checks every offset.

Little-endian. A file is one master table and the records that it points to by absolute offset; each of those begins
with the number of bytes that follow. Texts have a length byte before them and a fixed size. Scores and
awards are whole hundredths. Matthew Kidd worked the format out ("ACBLscore Game Files Decoded", lajollabridge.com);
offsets and meanings are from there, the code tables from there and from the program's own rating codes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

from resultproc.model.errors import FormatError
from resultproc.model.game import EventType
from resultproc.model.text import tidy
from resultproc.model.toml import toml_beside

MAX_EVENTS, MAX_SECTIONS = 50, 100


class Int(NamedTuple):
    """A whole number: its offset in the record and its :mod:`struct` code."""

    offset: int
    code: str = "B"


class Text(NamedTuple):
    """A text: the offset of its length byte and the bytes that it has room for."""

    offset: int
    room: int


_RECORDS = toml_beside(__file__, "records.toml")


def _layout(name: str) -> SimpleNamespace:
    """Return where the facts of a record are: each an :class:`Int`, a :class:`Text`, or a size or offset."""
    kinds = {str: Int, int: Text}
    facts = _RECORDS[name].items()
    return SimpleNamespace(**{k: kinds[type(at[1])](*at) if isinstance(at, list) else at for k, at in facts})


Master, SectionSummary = map(_layout, ("Master", "SectionSummary"))
EventLayout, StratumLayout, Colours = map(_layout, ("EventLayout", "StratumLayout", "Colours"))
Section, IndexLayout = map(_layout, ("Section", "IndexLayout"))
Boards, Board, BoardResult = map(_layout, ("Boards", "Board", "BoardResult"))
EntryLayout, Award, Rank, PlayerLayout = map(_layout, ("EntryLayout", "Award", "Rank", "PlayerLayout"))

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
RATINGS, CLUB_GAMES = (
    {int(code): (rating or None, special) for code, (rating, special) in codes.items()}
    for codes in toml_beside(__file__, "ratings.toml").values()
)
"""The program's rating codes, and its types of a plain club game that alone tell its rating."""


@dataclass(frozen=True)
class Record:
    """A record of a game file."""

    data: bytes  # the bytes of the whole file
    start: int  # where the record begins in these
    name: str  # what messages call it

    @property
    def where(self) -> str:
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
            what, self.where, "the file is damaged or incomplete: copy it again from the scoring computer"
        )

    def _beyond(self, at: int) -> FormatError:
        return self.damaged(f"it refers to offset {at:#x}, but the file ends at {len(self.data):#x}")
