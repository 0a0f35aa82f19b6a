"""ACBLscore game files (``.ACA``, ``.ACM``, ...): the binary files in which the league's scoring program keeps games.

A file holds up to fifty events of one session. Each becomes a game: ``170814-ACM``, or ``170814-ACM-2`` for the second
of several (a club's files of one day differ by their ending alone). Pairs, individuals with one winner, board-a-match,
Swiss and knockout teams are read: their sections, contestants, players, holdings, strata, scores, ranks and awards, and
in the ``stored_`` columns of the games the constants that the program computed the awards with.

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

from collections.abc import Iterable, Sequence
from typing import Any

from resultproc.formats.acblscore import MAGIC, layout
from resultproc.formats.acblscore.layout import Record
from resultproc.formats.acblscore.section import EventRead, SectionRead, read_event, read_section, stratum_records
from resultproc.formats.declared import held
from resultproc.model.codes import EMPTY
from resultproc.model.dates import day_written
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError
from resultproc.model.game import OPEN, UNFINISHED, StratifyBy, number_text, per_section_text, strata_text
from resultproc.model.grid import Records
from resultproc.model.source import Declaration, Source


def _event_facts(
    event: EventRead,
    sections: Sequence[SectionRead],
    game_id: str,
    others: Iterable[tuple[EventRead, Sequence[SectionRead]]],
) -> dict[str, Any]:
    """Return the games frame's row of an event; InputError for facts that contradict themselves, as limits may do."""
    at, record = layout.EventLayout, event.record
    rating, special = _rating(event)
    specials = {
        special: special != "",
        "handicap": event.handicap != 0,
        "side-game": record.number(at.side_game) != 0,
        "consolation": record.number(at.consolation) != 0,
        UNFINISHED: event.sessions > 1 and event.session_number < event.sessions,
    }
    club, written, session = event.occasion
    day = day_written(written, "month")  # where there is none, it is to be declared
    keys = {
        "event": record.text(at.name),
        "club": club,
        "date": day.date().isoformat() if day else "",
        "session": session,
        "rating": rating,
        "event_type": event.kind,
        "movement": per_section_text({s.name: s.movement for s in sections if s.movement}),
        "tables": per_section_text({s.name: s.tables for s in sections if s.tables}),
        "sessions": event.sessions,
        "boards": max(section.boards for section in sections),
        "strata": strata_text(event.strata),
        "stratify_by": StratifyBy.AVERAGE if record.number(at.by_average) else StratifyBy.HIGHEST,
        "limit": number_text(event.limit),
        "restrictions": "senior" if record.number(at.senior) else "",
        "special": ", ".join(word for word, true in specials.items() if true),
        "concurrent_tables": number_text(credited / 2) if (credited := record.number(at.credited_tables)) else "",
    }
    said = held({key: Declaration(value, record.where) for key, value in keys.items() if value}, "")
    return {"game_id": game_id, **_stored(event, sections, others), **said}


def _rating(event: EventRead) -> tuple[str | None, str]:
    """Return our rating of an event, where there is one, and the word for a special kind of game."""
    code = event.record.number(layout.EventLayout.rating)
    if code != layout.CLUB_MASTERPOINT:
        return layout.RATINGS.get(code, (None, ""))
    kind = event.record.number(layout.EventLayout.club_game)
    if kind in layout.CLUB_GAMES:
        return layout.CLUB_GAMES[kind]
    if event.limit < OPEN:
        return "club-restricted", ""
    return ("club-invitational" if kind else "club-open"), ""


def _stored(
    event: EventRead, sections: Sequence[SectionRead], others: Iterable[tuple[EventRead, Sequence[SectionRead]]]
) -> dict[str, object]:
    """Return the ``stored_`` columns: what the program computed the event's awards with."""
    at = layout.StratumLayout
    strata = dict(zip(event.letters, stratum_records(event.record), strict=True))
    splits = {
        basis + letter: part.part(offset)
        for basis, offset in (("O", at.overall_colours), ("S", at.section_colours))
        for letter, part in strata.items()
    }
    concurrent: dict[str, float] = {}
    for other, theirs in others:
        if other.occasion == event.occasion:
            limit = number_text(other.limit)
            concurrent[limit] = concurrent.get(limit, 0) + sum(section.tables for section in theirs)
    together = {section.name: section.ranked_with for section in sections}
    texts: dict[str, dict[str, Any]] = {
        "stored_percent_of_open": {letter: part.number(at.percent_of_open) for letter, part in strata.items()},
        "stored_mpt": {letter: part.number(at.mpt) / 10_000 for letter, part in strata.items()},
        "stored_colours": {key: _split(split) for key, split in splits.items()},
        "stored_caps": {key: split.number(layout.Colours.cap) / 100 for key, split in splits.items()},
        "stored_concurrent_tables": concurrent,
        "stored_ranked_with": together if any(first != name for name, first in together.items()) else {},
    }
    return {
        "stored_rating_code": event.record.number(layout.EventLayout.rating),
        "stored_award_revision": event.record.number(layout.EventLayout.award_revision),
        **{name: per_section_text({k: v for k, v in values.items() if v}) or None for name, values in texts.items()},
    }


def _split(split: Record) -> str:
    """Return how awards are split into colours: ``50 red + 50 black``."""
    at = layout.Colours
    parts = [(split.number(at.percent, i) / 100, layout.COLOUR_CODES.get(split.number(at.colour, i))) for i in range(3)]
    return " + ".join(f"{number_text(percent)} {colour}" for percent, colour in parts if percent and colour)


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    if not source.data.startswith(MAGIC):
        raise FormatError("this is not an ACBLscore game file", hint="one begins with the bytes 12 0A 03 and AC3")
    master = Record(source.data, 0, "master table")
    size, stated = len(source.data), master.number(layout.Master.file_length)
    if size < max(stated, layout.Master.length + 2):
        raise master.damaged(f"the file has {size} bytes, but should have {stated}")
    games = _games(master)
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
        _event_facts(event, sections, game_id, [other for other in games if other[0] is not event])
        for game_id, (event, sections) in zip(ids, games, strict=True)
    ]
    results = [
        {"game_id": game_id, **result}
        for game_id, (_, sections) in zip(ids, games, strict=True)
        for section in sections
        for result in section.results
    ]
    return Reading(sheet_of(source, Records(contestants), rows), boards=Records(results))


def _games(master: Record) -> list[tuple[EventRead, list[SectionRead]]]:
    at = layout.Master
    summaries = {n + 1: master.part(at.sections + n * at.section_size) for n in range(layout.MAX_SECTIONS)}
    events = {n + 1: read_event(master, n) for n in range(layout.MAX_EVENTS) if master.number(at.event, n)}
    sections: dict[int, list[SectionRead]] = {number: [] for number in events}
    for summary in summaries.values():
        # A section without an event is a place in the table that is not taken.
        if number := summary.number(layout.SectionSummary.event):
            if number not in events:
                raise summary.damaged(f"a section belongs to event {number}, which is not in the file")
            sections[number].append(read_section(events[number], summary, summaries))
    return [(event, sections[n]) for n, event in events.items() if any(s.contestants for s in sections[n])]
