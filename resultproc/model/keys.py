"""The game keys: what a director can declare about a game, each declared once.

The same keys are in a CSV's ``# key: value`` lines, a sidecar TOML, a workbook's ``Game`` sheet, the options of the
command line, the JSON and the columns of the games frame: readers, writers, the JSON Schema, options and the documents'
tables follow from :data:`KEYS`. A value is kept in the spelling in which it is declared, normalised
(``A=mitchell, B=howell``), so that what was read can be written again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeGuard

from resultproc.model.dates import written_date
from resultproc.model.errors import Problem, closest
from resultproc.model.game import (
    OPEN,
    EventType,
    Imps,
    Rating,
    Restriction,
    Scoring,
    StratifyBy,
    league,
    number_text,
    parse_flight_limits,
    parse_limit,
    parse_movement,
    parse_sections,
    parse_strata,
    parse_table_count,
    parse_tables,
    parse_tables_by_limit,
    parse_word,
    per_section_text,
    plain_text,
    strata_text,
)
from resultproc.model.plugins import names


def _tables_by_limit(text: str) -> str:
    if "=" not in text and text.strip().lower() != "none":
        return _bare_tables(text.strip())
    events = parse_tables_by_limit(text)
    return ", ".join(f"{number_text(limit)}={number_text(tables)}" for limit, tables in events) or "none"


def _lower_tables(text: str) -> str:
    lower = parse_tables_by_limit(text)
    if any(math.isinf(limit) for limit, _ in lower):
        raise ValueError(f"'{text}' has a lower flight without an upper limit; write, for example, 1500=15, 500=9")
    return _tables_by_limit(text)


def _tables_of_sessions(text: str) -> str:
    return ", ".join(number_text(parse_table_count(part.strip())) for part in re.split(r"[,;]", text) if part.strip())


def _counts(text: str) -> str:
    return ", ".join(sorted((_count(part.strip()) for part in re.split(r"[,;]", text) if part.strip()), key=int))


def _boards_of_sessions(text: str) -> str:
    return ", ".join(_count(part.strip()) for part in re.split(r"[,;]", text) if part.strip())


def _bare_tables(text: str) -> str:
    return number_text(parse_table_count(text))


def _letter(text: str) -> str:
    if not re.fullmatch("[A-Za-z]", text):
        raise ValueError(f"invalid flight: '{text}'; write its letter, such as A")
    return text.upper()


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")


def _date(text: str) -> str:
    return written_date(text).isoformat()


def _count(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) == 0:
        raise ValueError(f"invalid count: '{text}'; write a whole number, 1 or more")
    return str(int(text))


def _restrictions(text: str) -> str:
    words = [parse_word(Restriction, word) for word in re.split(r"[,;\s]+", text) if word]
    return ", ".join(sorted(set(words)))


def _special(text: str) -> str:
    words = [re.sub(r"[\s_]+", "-", word.strip().lower().replace("’", "'")) for word in re.split(r"[,;]", text)]
    words = list(dict.fromkeys(filter(None, words)))
    for word in words:
        if word not in league().special and not re.fullmatch("x-[a-z0-9-]+", word):
            raise ValueError(f"invalid special word: '{word}'; {closest(word, league().special)}")
    return ", ".join(words)


def _yes_no(text: str) -> str:
    word = text.strip().lower()
    if word not in {"true", "yes", "false", "no"}:
        raise ValueError(f"invalid answer: '{text}'; write true or false")
    return "true" if word in {"true", "yes"} else "false"


def _movements(text: str) -> str:
    return per_section_text(parse_movement(text))


def _tables_of_sections(text: str) -> str:
    return per_section_text(parse_tables(text))


def _flight_limits_text(limits: Mapping[str, float]) -> str:
    return ", ".join(f"{section}={number_text(limit)}" for section, limit in limits.items())


def _sections(text: str) -> str:
    return ", ".join(parse_sections(text))


def _scored_across(text: str) -> str:
    if text.strip().lower() in {"all", "none"}:
        return text.strip().lower()
    groups = [[name.strip().upper() for name in part.split("+")] for part in re.split("[,;]", text) if part.strip()]
    named = [name for group in groups for name in group]
    if not all(named) or len(set(named)) < len(named) or any(len(group) < 2 for group in groups):
        raise ValueError(f"invalid sections: '{text}'; write all, none, or such as A+B, C+D, each section once")
    return ", ".join(map("+".join, groups))


def _book(text: str) -> str:
    if text.endswith(".toml") or text in names("rulebooks"):
        return text
    raise ValueError(f"unknown rulebook '{text}'; {closest(text, names('rulebooks'))}")


class Key(NamedTuple):
    """A game key.

    name: as people write it.
    meaning: in the words of the game, for documents.
    value: how a value is normalised (ValueError says what would be right), or the words that it may be.
    example: one in its normal spelling.
    dtype: of its column in the games frame.
    on_page: whether the page of a game shows it.
    tournament: whether only tournaments need it.
    added: whether the first JSON files that resultproc wrote lack it.
    """

    name: str
    meaning: str
    value: Callable[[str], str] | type[StrEnum]
    example: str
    dtype: str = "str"
    on_page: bool = False
    tournament: bool = False
    added: bool = False

    @property
    def words(self) -> list[str]:
        """The words that a value may be, none where it may be others."""
        return [member.value for member in self.value] if _is_enum(self.value) else []

    def normalise(self, text: str) -> str:
        """Return a value in its one spelling; raise ValueError, which says what would be right."""
        return parse_word(self.value, text) if _is_enum(self.value) else str(self.value(text))

    def held(self, text: str) -> object:
        """Return a value, in its one spelling, as the games frame holds it."""
        if self.dtype == "float64":
            return OPEN if text == "open" else float(text)
        if self.dtype.startswith("datetime"):
            return datetime.fromisoformat(text)
        return int(text) if self.dtype == "Int64" else text

    def as_json(self, value: Any) -> str | int:
        """Return a value of the games frame as the JSON has it: whole numbers as such, all else as text."""
        return int(value) if self.dtype == "Int64" else self.shown(value)

    def shown(self, value: Any) -> str:
        """Return a value of the games frame in its one spelling."""
        if self.dtype.startswith("datetime"):
            return str(value.date().isoformat())
        return plain_text(value)


def _is_enum(value: object) -> TypeGuard[type[StrEnum]]:
    return isinstance(value, type) and issubclass(value, StrEnum)


KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("event", "the event's name", str, "Wednesday Open Pairs"),
        Key("club", "the club's name", str, "Example Bridge Club", on_page=True),
        Key("club_id", "the club's number with its union", str, "123456", added=True),
        Key("charge_code", "the union's code for what the session is charged", str, "10", added=True),
        Key("contact", "who answers for the results", str, "Ann Lee", added=True),
        Key("points_scale", "the union's scale of the masterpoints", str, "Club", added=True),
        Key("date", "the day it was played", _date, "2012-04-18", "datetime64[s]"),
        Key("session", "which session of the day or event", str, "Wednesday Aft"),
        Key("rating", "the class of game: " + ", ".join(Rating), Rating, "club-open", on_page=True),
        Key("event_type", ", ".join(EventType), EventType, "pairs"),
        Key("scoring", "how boards are scored: " + ", ".join(Scoring), Scoring, "matchpoints", added=True),
        Key(
            "scored_across",
            "sections whose boards are one field where they are scored here: all, none, or such as A+B, C+D",
            _scored_across,
            "all",
            added=True,
        ),
        Key(
            "imps",
            "cross-IMPs that are scored here, where results of a board lack or a pair sat out: factored, or mean",
            Imps,
            "mean",
            added=True,
        ),
        Key("movement", "mitchell or howell, or per section", _movements, "A=mitchell, B=howell"),
        Key("tables", "the tables in play, or per section", _tables_of_sections, "A=9, B=7.5", on_page=True),
        Key("sit_outs", "pairs fewer than the tables seat, where that is meant", _count, "1", "Int64", added=True),
        Key("sessions", "sessions in the event", _count, "1", "Int64", tournament=True),
        Key("boards", "boards per session; for Swiss teams and knockouts, per match", _count, "27", "Int64"),
        Key(
            "session_boards",
            "boards per session where boards are per match, or those of each session where they differ",
            _boards_of_sessions,
            "28, 24",
            tournament=True,
            added=True,
        ),
        Key(
            "strata",
            "upper limits, top first",
            lambda t: strata_text(parse_strata(t)),
            "A=open, B=1000, C=200",
            on_page=True,
        ),
        Key("stratify_by", "average or highest holding", StratifyBy, "average"),
        Key(
            "limit",
            "the event's own upper limit: open or a number",
            lambda t: number_text(parse_limit(t)),
            "open",
            "float64",
            on_page=True,
        ),
        Key("restrictions", "any of " + ", ".join(Restriction), _restrictions, "senior", tournament=True),
        Key(
            "special",
            "such as silver-linings, charity, side-game; words of your own rulebook begin with x-",
            _special,
            "handicap",
            on_page=True,
        ),
        Key(
            "by_place",
            "true where the places that a sheet prints rank its sections, as rounded percentages may not",
            _yes_no,
            "true",
            added=True,
        ),
        Key(
            "concurrent_tables",
            "tables of other events at the same time, by upper limit, or those of limited ones that are credited",
            _tables_by_limit,
            "open=20, 300=6",
            tournament=True,
        ),
        Key("flight", "for a flighted event: which flight this is", _letter, "A", tournament=True),
        Key("bracket", "for a bracketed event: which bracket this is, 1 for the top one", _count, "1", tournament=True),
        Key(
            "lower_tables",
            "tables of the flights below by upper limit, or of all brackets or levels below, or none",
            _lower_tables,
            "1500=15, 500=9",
            tournament=True,
        ),
        Key(
            "flighted_tables",
            "for a flighted event: the tables of all its flights together, those above this one, too",
            _bare_tables,
            "20",
            tournament=True,
            added=True,
        ),
        Key(
            "flight_limits",
            "for a flighted knockout: the upper limit of each flight's section",
            lambda t: _flight_limits_text(parse_flight_limits(t)),
            "A=open, B=1500, C=300",
            tournament=True,
        ),
        Key(
            "split",
            "for a knockout whose lowest flight was split: the sections that are its groups",
            _sections,
            "C, D",
            tournament=True,
        ),
        Key(
            "other_site_tables",
            "for a split regional: the event's tables at the other site, by upper limit if it has strata",
            _tables_by_limit,
            "24",
            tournament=True,
        ),
        Key(
            "session_tables",
            "for a series of games: the tables of each",
            _tables_of_sessions,
            "20, 18, 15",
            tournament=True,
        ),
        Key("cuts", "the sessions after which the field was cut", _counts, "2, 4", tournament=True),
        Key(
            "championship",
            "the NABC or WBF championship, as its rulebook calls it",
            _slug,
            "blue-ribbon-pairs",
            tournament=True,
        ),
        Key(
            "rulebook",
            "overrides the choice by rating and date: an id or a TOML file",
            _book,
            "acbl-club",
            on_page=True,
        ),
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
        value = ", ".join(f"{letter}={plain_text(part)}" for letter, part in value.items())
    elif isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    elif isinstance(value, date):
        value = value.isoformat()
    text = plain_text(value).strip()
    if text != text.encode("utf-8", "replace").decode():
        raise ValueError("this is not UTF-8; set your terminal to UTF-8")
    normal = KEYS[name].normalise(text) if text else ""
    if not normal:
        raise ValueError(f"it has no value; write for example {KEYS[name].example}")
    return normal


def how_to_declare(key: str, example: str = "") -> str:
    """Return the hint that a game key has to be declared, with an example of its value.

    For games of a file, :mod:`resultproc.stages.missing` says where in the file that is done.
    """
    return f"declare {key}='{example or KEYS[key].example}'"


def unknown_key(name: str, where: str = "", file: str = "", besides: Collection[str] = ()) -> Problem:
    """Return the problem of a key that no game has, with the closest one suggested.

    where: the line, for the message.
    file: the name of the file, for the message.
    besides: what else may stand there, which is no key.
    """
    return Problem(f"unknown key '{name}'", where, closest(name, [*KEYS, *besides]), file)
