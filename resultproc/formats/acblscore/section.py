"""The events and sections of an ACBLscore game file: who sat in them, and their boards.

The boards of pairs have scores and matchpoints, and no contracts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from resultproc.formats.acblscore import layout
from resultproc.formats.acblscore.layout import Int, Record
from resultproc.model.basis import MAX_SESSIONS
from resultproc.model.errors import FormatError, InputError
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, OPEN, EventType, Movement, Stratum, per_section_text
from resultproc.model.play import both_scores
from resultproc.model.whose_points import colours_text
from resultproc.tables.unsaid import tables_filled


@dataclass(frozen=True)
class EventRead:
    """An event of a game file."""

    number: int  # in the file, from 1
    record: Record  # where the file says all else of it
    kind: EventType
    matchpointed: bool  # whether it is scored in percent
    strata: list[Stratum]  # the top one first

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
        return max(self.record.number(layout.EventLayout.sessions), 1)

    @property
    def session_number(self) -> int:
        """Which of its sessions this is."""
        number = self.record.number(layout.EventLayout.session_number)
        if self.sessions > 1 and not 1 <= number <= min(self.sessions, MAX_SESSIONS):
            raise self.record.damaged(f"this is session {number} of {self.sessions}")
        return number

    @property
    def handicap(self) -> int:
        """How handicaps are given (1 in percent, 2 in matchpoints, 3 in boards), below zero where they alone rank."""
        return self.record.number(layout.EventLayout.handicap)

    @property
    def occasion(self) -> tuple[str, str, str]:
        """The club, date and session: events that share them are played at the same time."""
        at = layout.EventLayout
        return self.record.text(at.club), self.record.text(at.date), self.record.text(at.session)


def read_event(master: Record, index: int) -> EventRead:
    """Return the event in a place of the master table.

    Raises InputError for a damaged record, and for an event of a kind that cannot be read.
    """
    at = layout.Master
    record = master.follow(at.event, layout.EventLayout.length, f"event {index + 1}", index)
    kind, scoring = master.number(at.kind, index), master.number(at.scoring, index)
    event_type = layout.TEAM_SCORING.get(scoring) if kind == layout.TEAM_EVENT else layout.EVENT_TYPE_CODES.get(kind)
    if event_type is None:
        name = record.text(layout.EventLayout.name)
        what = f"the event '{name}' is of an unknown kind (kind {kind}, scoring {scoring})"
        raise FormatError(what, record.where, "known: pairs, individuals, board-a-match, Swiss and knockout teams")
    strata = []
    for part in stratum_records(record):
        letter = chr(part.number(layout.StratumLayout.letter))
        if not re.fullmatch("[A-Z]", letter):
            raise part.damaged(f"invalid stratum letter: {letter!r}")
        strata.append(Stratum(letter, part.number(layout.StratumLayout.limit) or OPEN))
    return EventRead(index + 1, record, event_type, scoring in layout.MATCHPOINTED, strata)


def stratum_records(record: Record) -> list[Record]:
    """Return what an event's record has of each of its strata, top first."""
    at = layout.EventLayout
    count = record.number(at.strata_count)
    if count > at.max_strata:
        raise record.damaged(f"the event has {count} strata, but there is room for {at.max_strata}")
    return [record.part(at.strata + i * at.stratum_size) for i in range(count)]


Number = Callable[[Record, int, int], str]
"""Gives the number of the pair that the movement calls by a number, on a side (0 N-S, 1 E-W), for a result's record."""


def _read_boards(summary: Record, number: Number) -> Iterator[dict[str, object]]:
    """Yield the results of a section's boards in the boards frame's columns, from ``board`` on.

    A board that was not played at a table has neither score nor matchpoints. Raises InputError that names the offset
    for what is damaged, and for a score that is neither points nor an adjusted score.
    """
    at = layout.Boards
    if summary.number(layout.SectionSummary.boards) == 0:  # totals may be entered without boards
        return
    boards = summary.follow(layout.SectionSummary.boards, at.length, f"{summary.name}, boards")
    several = boards.number(at.count)
    if at.boards + several * at.board_size > boards.size + 2:
        raise boards.damaged(f"{several} boards do not fit in {boards.size} bytes")
    for n in range(several):
        entry = boards.part(at.boards + n * at.board_size)
        played = entry.number(at.number)
        board = entry.follow(at.record, layout.Board.length, f"{summary.name}, board {played}")
        yield from ({"board": played, **result} for result in _board_results(board, entry.number(at.results), number))


def _board_results(board: Record, count: int, number: Number) -> Iterator[dict[str, object]]:
    """Yield the results of a board that are in play: those that have a score are counted, with others among them."""
    at = layout.Board
    room = (board.size + 2 - at.results) // at.result_size
    if count > room:
        raise board.damaged(f"{count} results do not fit in {board.size} bytes")
    for n in range(room):
        if count == 0:
            return
        result = board.part(at.results + n * at.result_size)
        code = result.number(layout.BoardResult.ns_score)
        count -= code not in {layout.NOT_IN_PLAY, *layout.NO_RESULT}
        if code != layout.NOT_IN_PLAY:
            yield _result(result, number)


def _result(result: Record, number: Number) -> dict[str, object]:
    at = layout.BoardResult
    pairs = [number(result, side, result.number(field)) for side, field in enumerate((at.ns, at.ew))]
    (score, adjusted), (ew_score, ew_adjusted) = (_score(result, field) for field in (at.ns_score, at.ew_score))
    played = not (score is adjusted is ew_score is ew_adjusted is None)
    score, ew_score = both_scores(score, ew_score)
    return {
        "ns": pairs[0],
        "ew": pairs[1],
        "score": score,
        "ew_score": ew_score,
        "ns_adjusted": adjusted,
        "ew_adjusted": ew_adjusted,
        "printed_ns": result.number(at.ns_points) / 100 if played else None,
        "printed_ew": result.number(at.ew_points) / 100 if played else None,
        "table": result.number(at.table) or None,
        "round": result.number(at.round) or None,
    }


def _score(result: Record, field: Int) -> tuple[float | None, float | None]:
    """Return the points of one side, and in percent of the top what was adjusted."""
    code = result.number(field)
    if code < layout.FIRST_SPECIAL:
        return code * 10.0, None
    if code in layout.NO_RESULT:
        return None, None
    if code not in layout.ADJUSTED:
        known = ", ".join(map(str, (*layout.NO_RESULT, *layout.ADJUSTED)))
        raise InputError(f"unknown score code: {code}", result.where, f"known: {known}")
    return None, layout.ADJUSTED[code]


def pair_number(section: Record, one_winner: bool) -> Number:
    """Return what gives the numbers of a section's pairs, which may have been reassigned by hand."""
    pairs, highest = section.part(layout.Section.pair_map), section.number(layout.Section.highest)

    def number(result: Record, side: int, original: int) -> str:
        if not 1 <= original <= highest:
            raise result.damaged(f"there is a result of pair {original}, but the highest number is {highest}")
        before = original - 1
        return str(pairs.number(Int(before if one_winner else 4 * before + side)) or original)

    return number


_PLAYERS = {EventType.INDIVIDUAL: 1, EventType.PAIRS: 2}
"""Players of a contestant; a team has up to six."""


@dataclass(frozen=True)
class SectionRead:
    """A section as it is read."""

    name: str
    tables: float  # those in play, half a table where a pair sits out
    movement: Movement | None  # None for teams
    boards: int  # the most that anybody played; for teams in matches, those of a match
    ranked_with: str  # the first of the sections that it is ranked together with, which may be itself
    contestants: list[dict[str, object]]
    results: list[dict[str, object]]  # of boards, of pairs alone


@dataclass(frozen=True)
class _Entry:
    """An entry of a section: the direction and number of the contestant, and its record."""

    direction: str | None
    number: int
    record: Record


def read_section(event: EventRead, summary: Record, summaries: Mapping[int, Record]) -> SectionRead:
    """Return a section of an event from its summary.

    summaries: all the file's, by number. Raises InputError for what is damaged, for a movement that is not known, and
    for a contestant without a score.
    """
    name = summary.text(layout.SectionSummary.name).upper()
    if not name:
        raise summary.damaged("a section has no name")
    record = summary.follow(layout.SectionSummary.record, layout.Section.length, f"{event.record.name}, section {name}")
    movement = _movement(event, record) if event.kind in _PLAYERS else None
    entries = list(_seated(event, record, movement) if movement else _teams(record))
    matches = event.kind in {EventType.SWISS, EventType.KNOCKOUT}
    boards = [entry.record.number(layout.EntryLayout.boards) for entry in entries]
    return SectionRead(
        name,
        _tables(event, record, entries),
        movement,
        record.number(layout.Section.boards_a_round) if matches else max(boards, default=0),
        _first(event, summary, summaries, layout.SectionSummary.ranked_before),
        [_contestant(event, name, entry) for entry in entries],
        _results(event, name, record, summary, summaries) if event.kind is EventType.PAIRS else [],
    )


def _results(
    event: EventRead, name: str, record: Record, summary: Record, summaries: Mapping[int, Record]
) -> list[dict[str, object]]:
    first = _first(event, summary, summaries, layout.SectionSummary.scored_before)
    facts = {
        "section": name,
        "session": event.session_number if event.sessions > 1 else 1,
        "scored_with": first if first != name else None,
    }
    called = Record(summary.data, summary.start, record.name)
    one_winner = record.number(layout.Section.movement) in layout.ONE_WINNER
    return [facts | result for result in _read_boards(called, pair_number(record, one_winner))]


def _movement(event: EventRead, record: Record) -> Movement:
    code = record.number(layout.Section.movement)
    if code in layout.ONE_WINNER:
        return Movement.HOWELL
    if code not in layout.TWO_WINNERS:
        raise FormatError(f"unknown movement code: {code}", record.where, "known: Mitchell and Howell")
    if event.kind is EventType.INDIVIDUAL:
        what = f"the event '{event.record.text(layout.EventLayout.name)}' is an individual with four winners"
        raise FormatError(what, record.where, "individuals with one winner can be read")
    return Movement.MITCHELL


def _tables(event: EventRead, record: Record, entries: list[_Entry]) -> float:
    """Return the tables in play: half a table where a pair sits out. The program itself counts whole ones."""
    if event.kind is EventType.INDIVIDUAL:
        return float(record.number(layout.Section.tables))
    return tables_filled([entry.direction for entry in entries], event.kind)


def _first(event: EventRead, summary: Record, summaries: Mapping[int, Record], before: layout.Int) -> str:
    """Return the name of the first of the sections that are chained to one, which may be itself.

    before: where a section names the one before it.
    """
    at = layout.SectionSummary
    for _ in summaries:
        number = summary.number(before)
        if number == 0:
            return summary.text(at.name).upper()
        if number not in summaries or summaries[number].number(at.event) != event.number:
            raise summary.damaged(f"a section of event {event.number} is combined with one of another event")
        summary = summaries[number]
    raise summary.damaged("sections refer to each other in a circle")


def _teams(section: Record) -> Iterator[_Entry]:
    at = layout.IndexLayout
    index = section.follow(layout.Section.index, at.length, section.name)
    for slot in range(index.number(at.count)):
        item = index.part(at.entries + slot * at.entry_size)
        number = item.number(at.number)
        record = item.follow(at.entry, layout.EntryLayout.length, f"{section.name}, team {number}")
        if not _empty(record):
            yield _Entry(None, number, record)


def _seated(event: EventRead, section: Record, movement: Movement) -> Iterator[_Entry]:
    """Yield the pairs or individuals of a section.

    The section's index has them by side and table, its pair map says which number started there; a pair that bumps
    another out starts at no table. Raises FormatError where somebody in the index has no number.
    """
    at = layout.IndexLayout
    numbers = _numbers(section, movement)
    for side in range(4 if event.kind is EventType.INDIVIDUAL else 2):
        direction = (NORTH_SOUTH, EAST_WEST)[side] if movement is Movement.MITCHELL else None
        name = f"{section.name}, {direction}" if direction else section.name
        index = section.follow(layout.Section.index, at.length, name, side)
        for table in range(1, index.number(at.count) + 1):
            item = index.part(at.entries + (table - 1) * at.entry_size)
            number = numbers.get((side, table))
            called = f"{name}, table {table}" if number is None else f"{name} {number}"
            record = item.follow(at.entry, layout.EntryLayout.length, called)
            if _empty(record):
                continue
            if number is None:
                raise record.damaged("the contestant that started there has no number")
            yield _Entry(direction, number, record)


def _numbers(section: Record, movement: Movement) -> dict[tuple[int, int], int]:
    """Return the numbers by side (from 0) and table at the start, the phantom's left out.

    Numbers may have been reassigned by hand; the map goes by the number at the start.
    """
    pairs = section.part(layout.Section.pair_map)
    highest, phantom = section.number(layout.Section.highest), section.number(layout.Section.phantom)
    one_winner = movement is Movement.HOWELL
    room = 80 if one_winner else 40
    if highest > room:
        raise section.damaged(f"its highest number is {highest}, but there is room for {room}")
    numbers: dict[tuple[int, int], int] = {}
    for i in range(highest):
        for seat in (0,) if one_winner else (0, 1):
            if one_winner:
                reassigned, table, side = (pairs.number(layout.Int(n)) for n in (i, 80 + 2 * i, 81 + 2 * i))
                side -= 1
            else:
                reassigned, table = (pairs.number(layout.Int(n + 4 * i + seat)) for n in (0, 160))
                side = seat
            # A phantom's number is negative where it sits E-W in a section with two winners.
            if i + 1 == (-phantom if seat else phantom) or table == 0:
                continue
            if (side, table) in numbers:
                raise section.damaged(f"both {numbers[side, table]} and {i + 1} start at table {table}")
            numbers[side, table] = reassigned or i + 1
    return numbers


def _empty(entry: Record) -> bool:
    """Say whether nobody played under this entry: it has neither a name nor a result."""
    at = layout.EntryLayout
    return not (entry.number(at.percentage) or entry.number(at.boards) or any(_players(entry, 1).values()))


def _contestant(event: EventRead, section: str, entry: _Entry) -> dict[str, object]:
    at, record = layout.EntryLayout, entry.record
    stratum = record.number(at.stratum)
    if stratum > len(event.strata):
        raise record.damaged(f"it is in stratum {stratum}, but the event has {len(event.strata)}")
    handicap = record.number(at.handicap) / 100 if abs(event.handicap) == 1 else None
    return {
        "section": section,
        "direction": entry.direction,
        "number": str(entry.number),
        **_players(record, _PLAYERS.get(event.kind, 6)),
        "stratum": event.letters[stratum - 1] if stratum else None,
        "eligible": record.number(at.eligibility) == 0,
        **_scores(event, record),
        "handicap": handicap,
        "printed_section": _ranks(event, record, layout.Rank.section, layout.Rank.section_tied),
        "printed_overall": _ranks(event, record, layout.Rank.overall, layout.Rank.overall_tied),
        **_earlier(event, record),
        **_award(event, record),
        "where": record.where,
    }


def _scores(event: EventRead, entry: Record) -> dict[str, object]:
    at = layout.EntryLayout
    session, total = (None if (n := entry.number(f)) == -1 else n / 100 for f in (at.score, at.total))
    score = total if event.sessions > 1 else session
    if score is None and event.kind is not EventType.KNOCKOUT and entry.number(at.eligibility) == 0:
        raise InputError("this contestant has no score", entry.where, "finish scoring the game first")
    percentage = entry.number(at.percentage) / 100
    if percentage > 100:
        raise entry.damaged(f"percentage out of range: {percentage}")
    scores: dict[str, object] = {
        "score": score,
        "percentage": percentage if event.matchpointed and score == session else None,
        "adjustment": entry.number(at.adjustment) / 100 or None,
    }
    if event.sessions > 1:
        number = event.session_number
        scores |= {f"session{number}": session, "carryover": entry.number(at.carryover) / 100}
        if event.matchpointed and session is not None:
            scores[f"percentage{number}"] = percentage
    return scores


def _players(entry: Record, most: int) -> dict[str, object]:
    at = layout.PlayerLayout
    found: dict[str, object] = {}
    n = 0
    for i in range(min((entry.size - layout.EntryLayout.length) // at.size, most)):
        player = entry.part(layout.EntryLayout.players + i * at.size)
        name = f"{player.text(at.first_name)} {player.text(at.last_name)}".strip()
        member = player.text(at.member)
        if name or member:
            n += 1
            found |= {f"player{n}": name or None, f"id{n}": member or None}
            # Whom the program did not know has no rank letter.
            known = player.number(at.holding) or player.number(at.rank)
            found[f"mp{n}"] = player.number(at.holding) if known else None
    return found


def _ranks(event: EventRead, entry: Record, first: layout.Int, last: layout.Int) -> str | None:
    ranks = {}
    for i, letter in enumerate(event.letters):
        rank = entry.part(layout.EntryLayout.ranks + i * layout.EntryLayout.rank_size)
        if low := rank.number(first):
            high = rank.number(last)
            ranks[letter] = f"{low}/{high}" if high else str(low)
    return per_section_text(ranks) or None


def _award(event: EventRead, entry: Record) -> dict[str, object]:
    """Return what an entry's award is and what paid it.

    An award that mixes colours is that of one stratum in the better colours that another one pays, topped up to the
    better total; the part that tops it up is last and says what the total follows from. In a handicap game the
    parts are the awards with and without the handicap, and nothing says which of them paid.
    """
    colours, paid_by = _parts(event, entry, layout.EntryLayout.award)
    if not colours:
        return {}
    return {
        "printed_award": sum(colours.values()),
        "printed_paid_by": None if event.handicap else paid_by,
        "printed_colours": colours_text(colours),
    }


def _earlier(event: EventRead, entry: Record) -> dict[str, object]:
    """Return what the first session gave an entry, in the second of an event: 0 where nothing.

    Gold is paid for section tops alone. Several earlier sessions are in the file as a sum, which does not tell them.
    """
    if event.session_number != 2 or event.handicap:
        return {}
    colours, paid_by = _parts(event, entry, layout.EntryLayout.earlier)
    award = sum(colours.values())
    return {
        "earlier_award": award,
        "earlier_stratum": paid_by[1:] if paid_by else None,
        "earlier_top": award if "gold" in colours else None,
    }


def _parts(event: EventRead, entry: Record, offset: int) -> tuple[dict[str, int], str | None]:
    """Return the parts of an award by colour in hundredths, and what paid the last of them."""
    at = layout.Award
    colours: dict[str, int] = {}
    paid_by = None
    for i in range(at.parts):
        part = entry.part(offset + i * at.size)
        if hundredths := part.number(at.hundredths):
            colour = layout.COLOUR_CODES.get(part.number(at.colour))
            if colour is None:
                raise part.damaged("an award has no colour")
            colours[colour] = colours.get(colour, 0) + hundredths
            paid_by = _basis_and_stratum(event, part)
    return colours, paid_by


def _basis_and_stratum(event: EventRead, award: Record) -> str | None:
    """Return what paid an award, such as ``SB`` or ``OA``; None where the file does not say."""
    overall, number = divmod(award.number(layout.Award.reason), 10)
    if not overall and not number:
        return None
    if overall > 1 or not 1 <= number <= len(event.strata):
        what = f"invalid reason of an award: {10 * overall + number}, in an event of {len(event.strata)} strata"
        raise award.damaged(what)
    return "SO"[overall] + event.letters[number - 1]
