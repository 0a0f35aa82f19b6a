"""The game file that ACBLscore would keep of games: one master table and the records that it points to."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from made.game import Game, Layout
from made.play import EAST_WEST, EITHER, NORTH_SOUTH, Pair, Result, howell
from resultproc.formats.acblscore import MAGIC, layout
from resultproc.formats.acblscore.layout import Int, Text

MITCHELL, HOWELL, BAROMETER = 0, 1, 5
PAIRS, MATCHPOINTS = 0, 0
NOT_ELIGIBLE = 10
REVISION = 13
COLOURS = {colour: code for code, colour in layout.COLOUR_CODES.items()}
ADJUSTED = {percent: code for code, percent in layout.ADJUSTED.items()}
UNPLAYED = max(layout.NO_RESULT)


@dataclass(frozen=True)
class StoredStratum:
    """What the program computed a stratum's awards with: M x P x T, or the percent of the open rate; and caps."""

    mpt: int
    percent_of_open: int = 0
    overall_cap: int = 0
    section_cap: int = 0


@dataclass(frozen=True)
class Event:
    """A game as an event of a file: its rating code, and what the program stores of it besides.

    credited: half tables of other games that its awards go by as well.
    """

    game: Game
    rating: int
    stored: tuple[StoredStratum, ...]
    session: int = 1
    sessions: int = 1
    credited: int = 0
    by_average: bool = False


class File:
    """A file as it grows: every record is put at its end."""

    def __init__(self) -> None:
        """Begin with the master table."""
        self.data = bytearray(layout.Master.length + 2)
        self.data[: len(MAGIC)] = MAGIC

    def record(self, size: int) -> int:
        """Add an empty record of so many bytes, its first two included, and return where it starts."""
        start = len(self.data)
        self.data += struct.pack("<H", size - 2) + bytes(size - 2)
        return start

    def put(self, start: int, field: Int, value: int, index: int = 0) -> None:
        """Write a number of a record."""
        at = start + field.offset + index * struct.calcsize("<" + field.code)
        struct.pack_into("<" + field.code, self.data, at, value)

    def write(self, start: int, field: Text, text: str) -> None:
        """Write a text of a record."""
        raw = text.encode("cp437")
        if len(raw) > field.room:
            raise ValueError(f"'{text}' has more than {field.room} letters")
        at = start + field.offset
        self.data[at : at + 1 + len(raw)] = bytes([len(raw)]) + raw


def build(*events: Event) -> bytes:
    """Return the file of some events of one day."""
    file = File()
    numbers: dict[str, int] = {}
    for n, event in enumerate(events):
        file.put(0, layout.Master.event, _event(file, event), n)
        file.put(0, layout.Master.kind, PAIRS, n)
        file.put(0, layout.Master.scoring, MATCHPOINTS, n)
        for section in event.game.layouts:
            numbers[section.name] = len(numbers) + 1
            summary = layout.Master.sections + (len(numbers) - 1) * layout.Master.section_size
            _summary(file, summary, event.game, section, numbers, n + 1)
    file.put(0, layout.Master.file_length, len(file.data))
    return bytes(file.data)


def _event(file: File, event: Event) -> int:
    at, game = layout.EventLayout, event.game
    start = file.record(at.length + 2)
    day = f"{game.day:%B} {game.day.day}, {game.day.year}"
    for field, text in ((at.name, game.name), (at.session, game.session), (at.date, day), (at.club, game.club)):
        file.write(start, field, text)
    numbers = (
        (at.rating, event.rating),
        (at.session_number, event.session),
        (at.sessions, event.sessions),
        (at.strata_count, len(game.strata)),
        (at.award_revision, REVISION),
        (at.credited_tables, event.credited),
        (at.by_average, event.by_average),
    )
    for number, value in numbers:
        file.put(start, number, value)
    for n, (stratum, stored) in enumerate(zip(game.strata, event.stored, strict=True)):
        part = start + at.strata + n * at.stratum_size
        file.put(part, layout.StratumLayout.mpt, stored.mpt)
        file.put(part, layout.StratumLayout.limit, stratum.limit)
        file.put(part, layout.StratumLayout.letter, ord(stratum.letter))
        file.put(part, layout.StratumLayout.percent_of_open, stored.percent_of_open)
        caps = (
            (layout.StratumLayout.overall_colours, stored.overall_cap),
            (layout.StratumLayout.section_colours, stored.section_cap),
        )
        for offset, cap in caps:
            split = part + offset
            file.put(split, layout.Colours.cap, cap)
            shares = ((stratum.better, game.colours[0]), (100 - stratum.better, game.colours[1]))
            for i, (percent, colour) in enumerate(each for each in shares if each[0]):
                file.put(split, layout.Colours.percent, 100 * percent, i)
                file.put(split, layout.Colours.colour, COLOURS[colour], i)
    return start


def _summary(file: File, summary: int, game: Game, section: Layout, numbers: dict[str, int], event: int) -> None:
    at = layout.SectionSummary
    file.put(summary, at.event, event)
    file.write(summary, at.name, section.name)
    file.put(summary, at.record, _section(file, game, section))
    file.put(summary, at.boards, _boards(file, section, game.results[section.name]))
    file.put(summary, at.scored_before, numbers.get(section.scored_with, 0))
    file.put(summary, at.ranked_before, numbers.get(section.ranked_with, 0))


def _section(file: File, game: Game, section: Layout) -> int:
    at = layout.Section
    start = file.record(at.length + 2)
    two_winners = MITCHELL if section.tables % 2 else BAROMETER
    file.put(start, at.movement, HOWELL if section.howell else two_winners)
    file.put(start, at.highest, len(section.ns))
    file.put(start, at.boards_a_round, section.boards_a_round)
    file.put(start, at.tables, section.tables)
    seated = {(pair.direction, pair.number): pair for pair in game.pairs if pair.section == section.name}
    seats = _howell_seats(section) if section.howell else _mitchell_seats(section)
    for (direction, number), (side, table) in seats.items():
        if section.howell:
            for n, value in enumerate((table, side + 1)):
                file.put(start, Int(at.pair_map + 80 + 2 * (number - 1) + n), value)
        else:
            file.put(start, Int(at.pair_map + 160 + 4 * (number - 1) + side), table)
        if (direction, number) not in seated:
            # The phantom's number is below zero where it sits E-W in a section with two winners.
            file.put(start, at.phantom, -number if direction == EAST_WEST else number)
    for side in range(2):
        index = file.record(layout.IndexLayout.entries + layout.IndexLayout.entry_size * section.tables)
        file.put(start, at.index, index, side)
        file.put(index, layout.IndexLayout.count, section.tables)
        for seat, (its_side, table) in seats.items():
            if its_side == side:
                place = index + layout.IndexLayout.entries + layout.IndexLayout.entry_size * (table - 1)
                file.put(place, layout.IndexLayout.number, seat[1])
                file.put(place, layout.IndexLayout.entry, _entry(file, game, seated.get(seat)))
    return start


def _mitchell_seats(section: Layout) -> dict[tuple[str, int], tuple[int, int]]:
    """Return side (from 0) and table at the start of each direction and number."""
    return {
        (direction, number): (side, number)
        for side, direction in enumerate((NORTH_SOUTH, EAST_WEST))
        for number in range(1, section.tables + 1)
    }


def _howell_seats(section: Layout) -> dict[tuple[str, int], tuple[int, int]]:
    """Return the same for a Howell: the first round's, as those have it who are there."""
    first = howell(len(section.ns), 1)
    return {(EITHER, number): (side, table) for _, table, _, *both in first for side, number in enumerate(both)}


def _entry(file: File, game: Game, pair: Pair | None) -> int:
    """Add the entry of a pair, or the empty one of a phantom."""
    at = layout.EntryLayout
    start = file.record(at.players + 2 * layout.PlayerLayout.size)
    if pair is None:
        return start
    numbers = (
        (at.adjustment, pair.adjustment),
        (at.score, pair.score),
        (at.carryover, pair.carryover),
        (at.total, pair.total),
        (at.percentage, pair.percentage),
        (at.stratum, pair.level + 1),
        (at.boards, pair.boards),
        (at.eligibility, 0 if pair.eligible else NOT_ELIGIBLE),
    )
    for field, value in numbers:
        file.put(start, field, value)
    letters = [stratum.letter for stratum in game.strata]
    for n, (hundredths, colour, paid_by) in enumerate(pair.parts):
        part = start + at.award + n * layout.Award.size
        file.put(part, layout.Award.hundredths, hundredths)
        file.put(part, layout.Award.colour, COLOURS[colour])
        file.put(part, layout.Award.reason, 10 * (paid_by[0] == "O") + letters.index(paid_by[1]) + 1)
    for (basis, level), (place, tied) in pair.places.items():
        rank = start + at.ranks + level * at.rank_size
        first, last = _RANKS[basis]
        file.put(rank, first, place)
        file.put(rank, last, place + tied - 1 if tied > 1 else 0)
    for n, each in enumerate(pair.players):
        player = start + at.players + n * layout.PlayerLayout.size
        file.write(player, layout.PlayerLayout.last_name, each.last)
        file.write(player, layout.PlayerLayout.first_name, each.first)
        file.write(player, layout.PlayerLayout.member, each.member)
        file.put(player, layout.PlayerLayout.holding, each.holding or 0)
        file.put(player, layout.PlayerLayout.rank, 0 if each.holding is None else ord("A"))
    return start


_RANKS = {
    "S": (layout.Rank.section, layout.Rank.section_tied),
    "O": (layout.Rank.overall, layout.Rank.overall_tied),
}


def _boards(file: File, section: Layout, results: Sequence[Result]) -> int:
    at = layout.Boards
    by_board: dict[int, list[Result]] = {}
    for result in results:
        by_board.setdefault(result.board, []).append(result)
    start = file.record(at.boards + at.board_size * len(by_board))
    file.put(start, at.count, len(by_board))
    for n, (board, found) in enumerate(sorted(by_board.items())):
        place = start + at.boards + at.board_size * n
        file.put(place, at.number, board)
        file.put(place, at.results, sum(result.played for result in found))
        file.put(place, at.record, _board(file, section, found))
    return start


def _board(file: File, section: Layout, results: Sequence[Result]) -> int:
    """Add the results of a board, first of all those without a score: not in play where a table had no opponents."""
    at, of = layout.Board, layout.BoardResult
    idle = section.tables - len(results)
    start = file.record(at.results + at.result_size * section.tables)
    for n in range(idle):
        for side in (of.ns_score, of.ew_score):
            file.put(start + at.results + at.result_size * n, side, layout.NOT_IN_PLAY)
    for n, result in enumerate(sorted(results, key=lambda each: (each.played, each.table)), idle):
        part = start + at.results + at.result_size * n
        for direction, pair, number, score, points in (
            (NORTH_SOUTH, result.ns, of.ns, of.ns_score, of.ns_points),
            (EAST_WEST, result.ew, of.ew, of.ew_score, of.ew_points),
        ):
            file.put(part, number, pair.number)
            file.put(part, score, _code(result, direction))
            file.put(part, points, result.points.get(direction, 0))
    return start


def _code(result: Result, direction: str) -> int:
    """Return a score in tens of points, or the code of what is in its place."""
    if direction in result.given:
        return ADJUSTED[result.given[direction]]
    if result.score is None:
        return UNPLAYED
    return (result.score if direction == NORTH_SOUTH else -result.score) // 10
