"""What the games frame holds of an event of an ACBLscore game file: the game keys, and the ``stored_`` columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from resultproc.formats.acblscore import layout
from resultproc.formats.acblscore.event import Event, stratum_records
from resultproc.formats.acblscore.layout import Record
from resultproc.formats.acblscore.section import Section
from resultproc.formats.common.declared import held
from resultproc.formats.registry import Declaration
from resultproc.model.game import OPEN, UNFINISHED, Rating, StratifyBy, number_text, per_section_text, strata_text


def facts(
    event: Event, sections: Sequence[Section], game_id: str, others: Iterable[tuple[Event, Sequence[Section]]]
) -> dict[str, Any]:
    """Return the games frame's row of an event; ``others`` are the file's other events.

    Raises InputError for facts that contradict themselves, such as limits that do not fall from stratum to stratum.
    """
    at, record = layout.Event, event.record
    rating, special = _rating(event)
    specials = {
        special: special != "",
        "handicap": event.handicap != 0,
        "side-game": record.number(at.side_game) != 0,
        "consolation": record.number(at.consolation) != 0,
        UNFINISHED: event.sessions > 1 and event.session_number < event.sessions,
    }
    club, day, session = event.occasion
    keys = {
        "event": record.text(at.name),
        "club": club,
        "date": _date(day),
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
    said = held({key: Declaration(value, record.place) for key, value in keys.items() if value}, "")
    return {"game_id": game_id, **_stored(event, sections, others), **said}


def _rating(event: Event) -> tuple[Rating | None, str]:
    """Return our rating of an event, where there is one, and the word for a special kind of game."""
    code = event.record.number(layout.Event.rating)
    if code != layout.CLUB_MASTERPOINT:
        return layout.RATINGS.get(code, (None, ""))
    kind = event.record.number(layout.Event.club_game)
    if kind in layout.CLUB_GAMES:
        return layout.CLUB_GAMES[kind]
    if event.limit < OPEN:
        return Rating.CLUB_RESTRICTED, ""
    return (Rating.CLUB_INVITATIONAL if kind else Rating.CLUB_OPEN), ""


def _stored(
    event: Event, sections: Sequence[Section], others: Iterable[tuple[Event, Sequence[Section]]]
) -> dict[str, object]:
    """Return the ``stored_`` columns: what the program computed the event's awards with."""
    at = layout.Stratum
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
        "stored_rating_code": event.record.number(layout.Event.rating),
        "stored_award_revision": event.record.number(layout.Event.award_revision),
        **{name: per_section_text({k: v for k, v in values.items() if v}) or None for name, values in texts.items()},
    }


def _split(split: Record) -> str:
    """Return how awards are split into colours: ``50 red + 50 black``."""
    at = layout.Colours
    parts = [(split.number(at.percent, i) / 100, layout.COLOURS.get(split.number(at.colour, i))) for i in range(3)]
    return " + ".join(f"{number_text(percent)} {colour}" for percent, colour in parts if percent and colour)


def _date(text: str) -> str:
    """Return the day of ``July 29, 2017``; '' for what is no such day: then it is to be declared."""
    found = re.fullmatch(r"([A-Z][a-z]{2})[a-z]*\.? ([0-9]{1,2}), ?([0-9]{4})", text)
    if not found or found[1] not in _MONTHS:
        return ""
    try:
        return date(int(found[3]), _MONTHS.index(found[1]) + 1, int(found[2])).isoformat()
    except ValueError:
        return ""


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
