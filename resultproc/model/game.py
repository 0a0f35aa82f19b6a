"""What a director declares about a game: the game keys, their values and their one canonical spelling.

The same keys stand in a CSV's ``# key: value`` lines, a sidecar TOML, a workbook's ``Game`` sheet, the options of the
command line and the columns of the games frame. A value is kept in the spelling in which it is declared, normalised
(``A=mitchell, B=howell``), so that what was read can be written again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from resultproc.model.errors import Problem, closest

OPEN = math.inf
"""The limit of an event or stratum that has none."""


ACROSS_SECTIONS = "across-sections"
"""The special word of a game whose sections are scored, and ranked, together."""

UNFINISHED = "unfinished"
"""The special word of an event of several sessions that are not all played yet."""

ZIP_KNOCKOUT, COMPACT_KNOCKOUT = "zip-knockout", "compact-knockout"
"""The special words of a knockout of one session, scored as a Swiss, and of one whose matches have half the length."""


SPECIAL = frozenset(
    {
        # How the game is scored, ranked or going on.
        *("handicap", ACROSS_SECTIONS, UNFINISHED, ZIP_KNOCKOUT, COMPACT_KNOCKOUT),
        # Who plays, where that changes nothing of what a club game pays.
        *("men's", "women's", "pro-am"),
        # Classes of club games, and events of tournaments besides the championships.
        *("bridge-plus", "introductory", "pupil", "team", "membership", "inter-club", "progressive-sectional"),
        *("side-game", "side-game-series", "side-game-series-overall", "consolation", "lower-limit"),
        *("barometer-1", "barometer-2", "barometer-3", "restricted-tournament", "regionally-rated"),
        # For charities and funds.
        *("charity", "acbl-wide-charity", "district-charity", "unit-charity"),
        *("international-fund", "acbl-wide-international-fund", "district-international-fund"),
        *("unit-international-fund", "junior-fund", "district-junior-fund", "unit-junior-fund"),
        *("education-fund", "district-education-fund", "unit-education-fund", "grass-roots-fund"),
        *("nabc-fund", "nabc-fundraiser", "gnt-fund", "cntc-fund"),
        # Games online.
        *("normal", "stardust", "popup", "silver-linings", "grass-roots", "club-appreciation"),
        # Played in many places at once, or qualifying for events elsewhere.
        *("acbl-wide", "acbl-wide-instant", "acbl-wide-senior", "worldwide-instant", "canada-wide-olympiad"),
        *("cbf-simultaneous", "bridge-week", "recorded-points", "canada-rookie-master"),
        *("nap", "nap-club", "nap-unit", "nap-49er", "gnt-club", "gnt-unit", "copc-club", "cwtc"),
        *("cntc-club", "cntc-master", "cntc-unit"),
        *("upgraded-club-championship", "unit-extended-team", "unit-wide-championship"),
    }
)
"""The words that ``special`` may have, besides those of somebody's own rulebook, which begin with ``x-``."""


class Rating(StrEnum):
    """The classes of game that the regulations tell apart."""

    CLUB_OPEN = "club-open"
    CLUB_INVITATIONAL = "club-invitational"
    CLUB_RESTRICTED = "club-restricted"
    CLUB_NEWCOMER = "club-newcomer"
    CLUB_CHAMPIONSHIP = "club-championship"
    CLUB_FUND = "club-fund"
    CLUB_APPRECIATION = "club-appreciation"
    CLUB_ONLINE = "club-online"
    UNIT_CHAMPIONSHIP = "unit-championship"
    STAC = "stac"
    SECTIONAL = "sectional"
    REGIONAL = "regional"
    REGIONAL_AT_NABC = "regional-at-nabc"
    NATIONAL = "national"


class EventType(StrEnum):
    """What the contestants are and how they are scored."""

    PAIRS = "pairs"
    INDIVIDUAL = "individual"
    BAM = "bam"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    TEAM_OF_TWO = "team-of-two"


PER_TABLE: dict[str, int] = {
    EventType.PAIRS.value: 2,
    EventType.TEAM_OF_TWO.value: 2,
    EventType.INDIVIDUAL.value: 4,
    EventType.BAM.value: 1,
    EventType.SWISS.value: 1,
    EventType.KNOCKOUT.value: 1,
}
"""Contestants at one table of a one-winner section."""

BY_MATCHES = (EventType.SWISS.value, EventType.KNOCKOUT.value)
"""Events whose sessions have no score of their own that would be compared."""


class Movement(StrEnum):
    """``mitchell``: N-S and E-W are compared apart (two winners); ``howell``: all together (one winner)."""

    MITCHELL = "mitchell"
    HOWELL = "howell"


class StratifyBy(StrEnum):
    """Which of a contestant's holdings decides its stratum."""

    AVERAGE = "average"
    HIGHEST = "highest"


class Restriction(StrEnum):
    """Entry restrictions other than masterpoints."""

    WOMEN = "women"
    SENIOR = "senior"
    JUNIOR = "junior"
    MIXED = "mixed"


class Stratum(NamedTuple):
    """One stratum as declared: its letter and upper masterpoint limit (:data:`OPEN` for none)."""

    letter: str
    limit: float


def number_text(value: float) -> str:
    """Return a number as a person writes it: ``9``, ``7.5``, ``open`` for no limit."""
    if math.isinf(value):
        return "open"
    return f"{value:g}" if value != int(value) else str(int(value))


def _limit(text: str) -> float:
    if text.lower() in {"open", "none", "unlimited"}:
        return OPEN
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        raise ValueError(f"'{text}' is no masterpoint limit; write 'open' or a number such as 1000") from None
    if not 0 < value < OPEN:
        raise ValueError(f"a masterpoint limit is above 0, not {text}; write 'open' for no limit")
    return value


def _tables(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"'{text}' is no number of tables; write a number such as 9 or 7.5") from None
    if not 0 < value <= 10_000 or value * 2 != int(value * 2):
        raise ValueError(f"{text} tables cannot be; write whole or half tables, such as 9 or 7.5")
    return value


def _assignments(text: str, example: str) -> list[tuple[str, str]]:
    """Split ``A=9, B=7.5`` into its parts; a value that stands alone may have no letter, and has the letter ''.

    Raises ValueError, which shows the example, for letters that are missing or stand twice.
    """
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    pairs = []
    for part in parts:
        letter, equals, value = part.rpartition("=")
        pairs.append((letter.strip().upper(), value.strip()) if equals else ("", part))
    letters = [letter for letter, _ in pairs]
    if "" in letters and len(letters) > 1:
        raise ValueError(f"'{text}' has a value without its letter; write one for each, such as {example}")
    if len(set(letters)) < len(letters):
        raise ValueError(f"'{text}' names the same letter twice; write each once, such as {example}")
    return pairs


def _limits(text: str, example: str) -> list[tuple[str, float]]:
    """Split ``A=open, B=1000`` into letters and limits; ValueError where one has none."""
    if re.search(r"(?<![0-9])[0-9]{1,3},[0-9]{3}(?![0-9])", text):
        raise ValueError(f"in '{text}' a comma stands within a number; write 1000 without it, such as {example}")
    limits = _assignments(text, example)
    if any(not letter for letter, _ in limits):
        raise ValueError(f"'{text}' has a limit without its letter; write such as {example}")
    return [(letter, _limit(value)) for letter, value in limits]


def parse_strata(text: str) -> list[Stratum]:
    """Return the strata of ``A=open, B=1000, C=200``, top first.

    Raises ValueError unless each has a letter and the limits fall.
    """
    example = "A=open, B=1000, C=200"
    strata = [Stratum(letter, limit) for letter, limit in _limits(text, example)]
    long = next((s.letter for s in strata if not re.fullmatch(r"[A-Z]", s.letter)), None)
    if long:
        raise ValueError(f"'{long}' is no letter of a stratum; write them top first, such as {example}")
    if any(upper.limit <= lower.limit for upper, lower in pairwise(strata)):
        raise ValueError(f"the limits in '{text}' do not fall from stratum to stratum; write the top stratum first")
    return strata


def strata_text(strata: list[Stratum]) -> str:
    """Return strata as declared: ``A=open, B=1000, C=200``."""
    return ", ".join(f"{s.letter}={number_text(s.limit)}" for s in strata)


def parse_movement(text: str) -> dict[str, Movement]:
    """Return the movement of each section; the key '' stands for every section."""
    return {
        section: Movement(_one_of(Movement, value.lower()))
        for section, value in _assignments(text, "A=mitchell, B=howell")
    }


def parse_tables(text: str) -> dict[str, float]:
    """Return the tables of each section; the key '' stands for the only one."""
    return {section: _tables(value) for section, value in _assignments(text, "A=9, B=7.5")}


def per_section_text(values: Mapping[str, object]) -> str:
    """Return per-section values as declared: ``A=9, B=7.5``, or the bare value where no section is named."""
    return ", ".join(f"{section}={_plain(value)}" if section else _plain(value) for section, value in values.items())


def _plain(value: object) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def parse_tables_by_limit(text: str) -> list[tuple[float, float]]:
    """Return the upper limit and the tables of each event in ``open=20, 300=6``; nothing for ``none``.

    A number of tables alone is that of limited events, whose limits are not said: they have the limit 0.
    Raises ValueError for anything else.
    """
    if text.strip().lower() == "none":
        return []
    if "=" not in text:
        return [(0.0, _tables(text.strip()))]
    parts = [part.partition("=") for part in re.split(r"[,;]", text) if part.strip()]
    if not all(equals for _, equals, _ in parts):
        raise ValueError(f"'{text}' does not give tables by upper limit; write them as 1500=15, 500=9, or none")
    return [(_limit(limit.strip()), _tables(tables.strip())) for limit, _, tables in parts]


def _tables_by_limit(text: str) -> str:
    if "=" not in text and text.strip().lower() != "none":
        return _bare_tables(text.strip())
    events = parse_tables_by_limit(text)
    return ", ".join(f"{number_text(limit)}={number_text(tables)}" for limit, tables in events) or "none"


def _lower_tables(text: str) -> str:
    lower = parse_tables_by_limit(text)
    if any(math.isinf(limit) for limit, _ in lower):
        raise ValueError(f"'{text}' has a lower flight without an upper limit; write such as 1500=15, 500=9")
    return _tables_by_limit(text)


def _tables_of_sessions(text: str) -> str:
    return ", ".join(number_text(_tables(part.strip())) for part in re.split(r"[,;]", text) if part.strip())


def _counts(text: str) -> str:
    return ", ".join(sorted((_count(part.strip()) for part in re.split(r"[,;]", text) if part.strip()), key=int))


def _bare_tables(text: str) -> str:
    return number_text(_tables(text))


def _letter(text: str) -> str:
    if not re.fullmatch("[A-Za-z]", text):
        raise ValueError(f"'{text}' is no flight; write its letter, such as A")
    return text.upper()


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")


def _one_of(enum: type[StrEnum], text: str) -> str:
    value = text.strip().lower()
    values = [member.value for member in enum]
    if value not in values:
        raise ValueError(f"'{text}' is none of them; {closest(value, values)}")
    return value


def _date(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        raise ValueError(f"'{text}' is no date; write it as 2012-04-18") from None


def _count(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) == 0:
        raise ValueError(f"'{text}' is no count; write a whole number, 1 or more")
    return str(int(text))


def _restrictions(text: str) -> str:
    words = [_one_of(Restriction, word) for word in re.split(r"[,;\s]+", text) if word]
    return ", ".join(sorted(set(words)))


def _special(text: str) -> str:
    words = [re.sub(r"[\s_]+", "-", word.strip().lower().replace("’", "'")) for word in re.split(r"[,;]", text)]
    words = list(dict.fromkeys(filter(None, words)))
    for word in words:
        if word not in SPECIAL and not re.fullmatch("x-[a-z0-9-]+", word):
            raise ValueError(f"'{word}' is no special word; {closest(word, SPECIAL)}")
    return ", ".join(words)


def _movements(text: str) -> str:
    return per_section_text(parse_movement(text))


def _tables_of_sections(text: str) -> str:
    return per_section_text(parse_tables(text))


def parse_flight_limits(text: str) -> dict[str, float]:
    """Return the upper limit of each flight in ``A=open, B=1500``; ValueError for a limit without its section."""
    return dict(_limits(text, "A=open, B=1500"))


def _flight_limits_text(limits: Mapping[str, float]) -> str:
    return ", ".join(f"{section}={number_text(limit)}" for section, limit in limits.items())


def parse_sections(text: str) -> list[str]:
    """Return the sections that ``C, D`` names; ValueError unless they are two or more, each once."""
    sections = [part.strip().upper() for part in re.split(r"[,;]", text) if part.strip()]
    if len(sections) < 2 or len(set(sections)) < len(sections):
        raise ValueError(f"'{text}' does not name two sections or more; write such as C, D")
    return sections


def _sections(text: str) -> str:
    return ", ".join(parse_sections(text))


def _choice(enum: type[StrEnum]) -> Callable[[str], str]:
    return lambda text: _one_of(enum, text)


@dataclass(frozen=True)
class Key:
    """A game key: what it says, how its value is normalised (ValueError says what would be right), an example."""

    name: str
    meaning: str
    normalise: Callable[[str], str]
    example: str


KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("event", "the event's name", str, "Wednesday Open Pairs"),
        Key("club", "the club's name", str, "Example Bridge Club"),
        Key("date", "the day it was played, as 2012-04-18", _date, "2012-04-18"),
        Key("session", "which session of the day or event", str, "Wednesday Aft"),
        Key("rating", "the class of game: " + ", ".join(Rating), _choice(Rating), "club-open"),
        Key("event_type", ", ".join(EventType), _choice(EventType), "pairs"),
        Key("movement", "mitchell or howell, or per section", _movements, "A=mitchell, B=howell"),
        Key("tables", "the tables in play, or per section", _tables_of_sections, "A=9, B=7.5"),
        Key("sessions", "sessions in the event", _count, "1"),
        Key("boards", "boards per session, or per match", _count, "27"),
        Key("strata", "upper limits, top first", lambda t: strata_text(parse_strata(t)), "A=open, B=1000, C=200"),
        Key("stratify_by", "average or highest holding", _choice(StratifyBy), "average"),
        Key("limit", "the event's own upper limit: open or a number", lambda t: number_text(_limit(t)), "open"),
        Key("restrictions", "any of " + ", ".join(Restriction), _restrictions, "senior"),
        Key(
            "special",
            "such as silver-linings, charity, side-game; a word of your own rulebook begins with x-",
            _special,
            "handicap",
        ),
        Key(
            "concurrent_tables",
            "tables of other events played at once, by upper limit, or those of limited ones that are credited",
            _tables_by_limit,
            "open=20, 300=6",
        ),
        Key("flight", "of a flighted event, the flight that this is", _letter, "A"),
        Key("bracket", "of a bracketed event, the bracket that this is, 1 the top one", _count, "1"),
        Key(
            "lower_tables",
            "tables of the flights below by upper limit, or of all brackets or levels below, or none",
            _lower_tables,
            "1500=15, 500=9",
        ),
        Key(
            "flight_limits",
            "of a flighted knockout, the upper limit of each flight's section",
            lambda t: _flight_limits_text(parse_flight_limits(t)),
            "A=open, B=1500, C=300",
        ),
        Key(
            "split", "of a knockout whose lowest flight was split, the sections that are its groups", _sections, "C, D"
        ),
        Key(
            "other_site_tables",
            "of a split regional, the event's tables at the other site; of one with strata, those by upper limit",
            _tables_by_limit,
            "24",
        ),
        Key("session_tables", "of a series of games, the tables of each", _tables_of_sessions, "20, 18, 15"),
        Key("cuts", "the sessions after which the field was cut", _counts, "2, 4"),
        Key("championship", "the NABC or WBF championship, as its rulebook calls it", _slug, "blue-ribbon-pairs"),
        Key("rulebook", "overrides the choice by rating and date: an id or a TOML file", str, "acbl-club"),
    )
}
"""Every game key. A key that is not here is an error that suggests the closest one."""


def declared_value(name: str, value: object) -> str:
    """Return a declared value in its canonical spelling.

    ``value`` is text, or what TOML and Excel make of it (numbers, dates, tables of letter and value).
    Raises ValueError, saying what would be right, for a value that cannot be read.
    """
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, Mapping):
        value = ", ".join(f"{letter}={_plain(part)}" for letter, part in value.items())
    elif isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    elif isinstance(value, date):
        value = value.isoformat()
    text = _plain(value).strip()
    normal = KEYS[name].normalise(text) if text else ""
    if not normal:
        raise ValueError(f"it has no value; write for example {KEYS[name].example}")
    return normal


def unknown_key(name: str, where: str = "", file: str = "") -> Problem:
    """Return the problem of a key that no game has, with the closest one suggested."""
    return Problem(f"unknown key '{name}'", where, closest(name, KEYS), file)
