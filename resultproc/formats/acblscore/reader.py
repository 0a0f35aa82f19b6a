"""ACBLscore game files (``.ACA``, ``.ACM``, ...): the binary files in which the league's scoring program keeps games.

A file holds up to fifty events of one session, each of which becomes a game: ``170814-ACM``, or ``170814-ACM-2`` for
the second of several (a club's files of one day differ by their ending alone). Known are pairs, individuals with one
winner, board-a-match, Swiss and knockout teams: their sections, contestants, players, holdings, strata, scores, ranks
and awards, and in the ``stored_`` columns of the games the constants that the program computed the awards with.

The score is the event's so far, the percentage the session's: it is left out where they differ. The award is the
event's as well: the greater of the overall award and the sum of the sessions' awards. A score holds its adjustment,
which is that of the session.
Only pairs could be compared with what other decoders read; teams and individuals follow the description of the format
(see :mod:`resultproc.formats.acblscore.layout`). The boards of pairs are read: the file has scores and matchpoints, no
contracts.

On bad input: InputError that names the event, section, contestant and offset, for files that are damaged or cut short,
for contestants without a score, and for events that cannot be read: home-style pairs, series winners, individuals with
four winners.
"""

from __future__ import annotations

from resultproc.formats.acblscore import MAGIC, layout
from resultproc.formats.acblscore.event import Event, read_event
from resultproc.formats.acblscore.game_facts import facts
from resultproc.formats.acblscore.layout import Record
from resultproc.formats.acblscore.section import Section, read_section
from resultproc.formats.common.records import Records
from resultproc.formats.common.sheets import sheet_of
from resultproc.formats.registry import Reading
from resultproc.formats.source import Source
from resultproc.model.codes import EMPTY
from resultproc.model.errors import FormatError


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    games = _games(_master(source.data))
    if not games:
        raise FormatError("no event in the file has any contestants", code=EMPTY)
    name = "-".join(filter(None, (source.stem, source.suffix[1:].upper())))
    ids = [name if len(games) == 1 else f"{name}-{event.number}" for event, _ in games]
    contestants = [
        {"game_id": game_id, **contestant}
        for game_id, (_, sections) in zip(ids, games, strict=True)
        for section in sections
        for contestant in section.contestants
    ]
    rows = [
        facts(event, sections, game_id, [other for other in games if other[0] is not event])
        for game_id, (event, sections) in zip(ids, games, strict=True)
    ]
    results = [
        {"game_id": game_id, **result}
        for game_id, (_, sections) in zip(ids, games, strict=True)
        for section in sections
        for result in section.results
    ]
    return Reading(sheet_of(source, Records(contestants), rows), boards=Records(results))


def _master(data: bytes) -> Record:
    if not data.startswith(MAGIC):
        raise FormatError("this is not an ACBLscore game file", hint="one begins with the bytes 12 0A 03 and AC3")
    master = Record(data, 0, "master table")
    stated = master.number(layout.Master.file_length)
    if len(data) < max(stated, layout.Master.length + 2):
        raise master.damaged(f"the file has {len(data)} bytes, but should have {stated}")
    return master


def _games(master: Record) -> list[tuple[Event, list[Section]]]:
    """Return the events that have a contestant, with their sections."""
    at = layout.Master
    summaries = {n + 1: master.part(at.sections + n * at.section_size) for n in range(layout.MAX_SECTIONS)}
    events = {n + 1: read_event(master, n) for n in range(layout.MAX_EVENTS) if master.number(at.event, n)}
    sections: dict[int, list[Section]] = {number: [] for number in events}
    for summary in summaries.values():
        # A section without an event is a place in the table that is not taken.
        if number := summary.number(layout.SectionSummary.event):
            if number not in events:
                raise summary.damaged(f"a section belongs to event {number}, which is not in the file")
            sections[number].append(read_section(events[number], summary, summaries))
    return [(event, sections[n]) for n, event in events.items() if any(s.contestants for s in sections[n])]
