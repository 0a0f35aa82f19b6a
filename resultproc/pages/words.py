"""What pages and lists say of a game in people's words: ``Open club game``, ``A open, B under 1000``."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import pandas as pd

from resultproc.model.basis import Basis, Kind
from resultproc.model.errors import Problem
from resultproc.model.frames import FrameRow
from resultproc.model.game import (
    BY_MATCHES,
    OPEN,
    UNFINISHED,
    EventType,
    RankLimit,
    Stratum,
    league,
    number_text,
    parse_strata,
    parse_tables,
)
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is
from resultproc.model.places import ordinal_text
from resultproc.model.text import cell_text, counted

EVENTS: Mapping[str | None, str] = {
    EventType.INDIVIDUAL.value: "individual",
    EventType.BAM.value: "board-a-match teams",
    EventType.SWISS.value: "Swiss teams",
    EventType.KNOCKOUT.value: "knockout teams",
    EventType.TEAM_OF_TWO.value: "teams of two",
}
"""What is played besides pairs."""

_CONTESTANTS = {EventType.PAIRS.value: "pair", EventType.INDIVIDUAL.value: "player"}


def _said(game: FrameRow, name: str) -> Any:
    """Return what is declared of a game, None for nothing."""
    return None if pd.isna(game[name]) else game[name]


def heading(game: FrameRow) -> str:
    """Return what a game is called: its event, else its id."""
    return as_it_is(cell_text(_said(game, "event") or game["game_id"]))


def club_of(game: FrameRow) -> str:
    """Return the club of a game, '' where nobody says it."""
    return as_it_is(cell_text(_said(game, "club") or ""))


def day(on: date) -> str:
    """Return a day as people write it: ``Wednesday 18 April 2012``."""
    return f"{on:%A} {on.day} {on:%B %Y}"


def short_day(on: date) -> str:
    """Return a day where there is little room: ``Wed 18 Apr 2012``."""
    return f"{on:%a} {on.day} {on:%b %Y}"


def days(first: date, last: date) -> str:
    """Return from which day to which, such as ``6 to 27 January 2026``; a single day where they are the same."""
    whole = f"{last.day} {last:%B %Y}"
    if first == last:
        return whole
    month = "" if (first.year, first.month) == (last.year, last.month) else f" {first:%B}"
    return f"{first.day}{month}{f' {first.year}' if first.year != last.year else ''} to {whole}"


def percent(value: float | None) -> str:
    """Return a percentage with two decimals, '' for none."""
    return "" if pd.isna(value) else f"{value:.2f}%"


def when(game: FrameRow) -> str:
    """Return when a game was played: its day and session, '' where neither is known."""
    date = _said(game, "date")
    return " · ".join(filter(None, [day(date) if date else "", _said(game, "session")]))


def game_facts(game: FrameRow, contestants: pd.DataFrame) -> list[str]:
    """Return what a reader of the results wants to know of a game besides its name and day."""
    said = [_kind(game), field_text(game, contestants), strata(game), _length(game)]
    others = [
        f"{key.name.replace('_', ' ').capitalize()}: {key.shown(game[key.name])}"
        for key in KEYS.values()
        if key.on_page and key.name not in _IN_WORDS and _said(game, key.name) is not None
    ]
    return [text for text in (*said, *others) if text]


def kind_and_tables(game: FrameRow) -> str:
    """Return what a list of games says of one: ``Open club game · 9 tables``."""
    tables = counted(sum(parse_tables(game["tables"]).values()), "table") if _said(game, "tables") else ""
    return " · ".join(filter(None, [_kind(game), tables]))


_IN_WORDS = ("club", "rating", "tables", "strata", "limit", "special", "rulebook")
"""The keys of a page that have words of their own."""


def _kind(game: FrameRow) -> str:
    parts: list[str] = [
        league().names.get(_said(game, "rating"), ""),
        EVENTS.get(_said(game, "event_type"), ""),
        *map(_special, (_said(game, "special") or "").split(", ")),
    ]
    text = ", ".join(filter(None, parts))
    return text[:1].upper() + text[1:]


def _special(word: str) -> str:
    """Return a special word as people write it: ``ACBL-wide charity``; for an unfinished event that it is not final."""
    if word == UNFINISHED:
        return "not final"
    parts = [part.upper() if part in league().capitals else part for part in word.removeprefix("x-").split("-")]
    return " ".join(parts).replace(" wide", "-wide")


def rating_name(rating: str) -> str:
    """Return what people call a class of game."""
    return league().names.get(rating, rating) or "No rating"


def contestant_kind(game: FrameRow) -> str:
    """Return what a contestant is: pair, player or team."""
    return _CONTESTANTS.get(_said(game, "event_type") or EventType.PAIRS, "team")


def title_of_game(facts: FrameRow) -> str:
    """Return what a game is called, and when it was."""
    return ", ".join(filter(None, [heading(facts), cell_text(when(facts))]))


def game_line(game: FrameRow) -> str:
    """Return what game it is in one line: what it is called, its club and its day."""
    date = _said(game, "date")
    return ", ".join(filter(None, [heading(game), club_of(game), f"{date:%Y-%m-%d}" if date else ""]))


def field_text(game: FrameRow, contestants: pd.DataFrame) -> str:
    """Return ``9 tables, 18 pairs: A 9, B 7, C 2``: how many there are, and how many of each stratum."""
    parts = []
    if _said(game, "tables"):
        tables = parse_tables(game["tables"])
        divided = "brackets" if game["event_type"] == EventType.KNOCKOUT else "sections"
        parts.append(counted(sum(tables.values()), "table") + (f" in {len(tables)} {divided}" * (len(tables) > 1)))
    parts.append(counted(len(contestants), contestant_kind(game)))
    letters = contestants["stratum"].value_counts().sort_index()
    of_strata = ", ".join(f"{letter} {count}" for letter, count in letters.items()) if len(letters) > 1 else ""
    return ", ".join(parts) + (f": {of_strata}" if of_strata else "")


_WHERE = {
    Kind.OVERALL: "overall",
    Kind.SECTION: "in the section",
    Kind.SESSION: "in session",
    Kind.SUM_OF_SESSIONS: "the awards of the sessions together",
    Kind.SECTION_AND_HANDICAP: "section and handicap awards together",
    Kind.MATCHES: "matches won",
}


def place_in_words(standing: FrameRow, kind: str, several: bool) -> str:
    """Return ``2nd of 9 pairs in the section, stratum A``, the stratum where the game has several."""
    basis = Basis.parse(standing["basis"])
    where = " ".join(filter(None, [_WHERE[basis.kind], str(basis.session or ""), "with handicap" * basis.handicap]))
    stratum = f", stratum {standing['stratum']}" if several else ""
    # All that is known of an earlier session is its award.
    if basis.kind not in {Kind.OVERALL, Kind.SECTION, Kind.SESSION} or not standing["position"]:
        return where[0].upper() + where[1:] + stratum
    place = ordinal_text(standing["position"], standing["tied"])
    return f"{place} of {counted(standing['ranked'], kind)} {where}{stratum}"


_FIRST = re.compile(r"first ([0-9.]+)(?: \((?:([0-9.]+) x ([0-9]+) = [0-9.]+(?:, capped at ([0-9.]+))?)?.*\))?; ")
"""How a ladder says what its first gets: the award, and of a rate by a size these and the most that it can be."""

_MATCH = re.compile(r"([0-9.]+) for each match won|[0-9]+ matches won x ([0-9.]+)")


def reason(paid: FrameRow, kind: str) -> str:
    """Return why a place pays what it does: ``the first gets 0.90, 0.10 for each pair``; '' where a formula says it."""
    if match := _MATCH.match(paid["factors"]):
        return f"{match[1] or match[2]} for each"
    found = _FIRST.match(paid["factors"])
    if not found:
        return ""
    first, rate, size, most = found.groups()
    of_each = f"for each {kind}" if size == str(paid["size"]) else f"times {size}"
    each = ", ".join([f"{rate} {of_each}", *([f"at most {most}"] if most else [])]) if rate else ""
    if (paid["position"], paid["tied"]) == (1, 1):
        return each
    share = [f"{counted(paid['tied'], kind)} share what these places pay"] if paid["tied"] > 1 else []
    return "; ".join([*share, ", ".join(filter(None, [f"the first gets {first}", each]))])


def letters(formulas: Iterable[str]) -> str:
    """Return a sentence of what the letters of some formulas stand for; '' where there are none."""
    product, field = league().letters or ("", "")
    used: dict[str, set[str]] = {product: set(), field: set()}
    for text in formulas:
        used[field if "(F " in text else product].update(re.findall(r"\b([A-Z]) (?=[0-9])", text))
    said = [
        f"{where} {', '.join(f'{letter} is {means}' for letter, means in named.items() if letter in used[where])}"
        for where, named in league().letters.items()
        if used[where] & named.keys()
    ]
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}." if said else ""


def strata(game: FrameRow) -> str:
    """Return ``A open, B under 1000``; with a single stratum, or without any, whether the game itself is limited."""
    limit: float = _said(game, "limit") or OPEN
    each = parse_strata(game["strata"]) if _said(game, "strata") else []
    if len(each) > 1:
        # An event with a limit has no stratum above it.
        limited = (Stratum(stratum.letter, min(stratum.limit, limit)) for stratum in each)
        return ", ".join(f"{stratum.letter} {_under(stratum.limit)}" for stratum in limited)
    limit = min([limit, *(stratum.limit for stratum in each)])
    return "" if limit == OPEN else f"Players {_under(limit)}" + " masterpoints" * (not isinstance(limit, RankLimit))


def _under(limit: float) -> str:
    if isinstance(limit, RankLimit):
        return f"up to {limit.rank}"
    return "open" if limit == OPEN else f"under {number_text(limit)}"


def _length(game: FrameRow) -> str:
    """Return ``27 boards``, ``2 sessions of 26 boards``, ``4 sessions, 24 boards a match``."""
    sessions = int(_said(game, "sessions") or 1)
    boards = counted(int(game["boards"]), "board") if _said(game, "boards") else ""
    first = counted(sessions, "session") if sessions > 1 else ""
    if boards and game["event_type"] in BY_MATCHES:
        return ", ".join(filter(None, [first, f"{boards} a match"]))
    return " of ".join(filter(None, [first, boards]))


WIDTH = 80
"""No printed line is wider, unless a single word is."""


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Return a text as lines of at most :data:`WIDTH` characters, cut between words; all but the first are indented."""
    if len(text) <= WIDTH:
        return [text.rstrip()]
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def numbered_note(number: int, text: str) -> list[str]:
    """Return the lines of a note below a report: its number, and beside that the text."""
    return wrapped(f"{number}  {text}", len(f"{number}  "))


def headline(begins: str, problems: Iterable[Problem], lacking: str, found: str) -> str:
    """Return the heading of a report on files: first which of them it says nothing of, then what it found of others.

    begins: such as ``Checked``.
    problems: what is wrong with files.
    lacking: what they could not be, such as ``checked``.
    found: what was found of the others; empty where there are none.
    """
    files = list(dict.fromkeys(problem.file for problem in problems))
    if not files:
        return f"{begins}: {found}"
    which = cell_text(files[0]) if len(files) == 1 and files[0] else counted(len(files), "file")
    others = f"; of the others {found}" if found else ""
    return f"{begins}: {which} could not be {lacking}{others}"
