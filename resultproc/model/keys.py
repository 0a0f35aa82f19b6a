"""The game keys: what a director can declare about a game, each declared once, in ``keys.toml``.

The same keys are in a CSV's ``# key: value`` lines, a sidecar TOML, a workbook's ``Game`` sheet, the options of the
command line, the JSON and the columns of the games frame: readers, writers, the JSON Schema, options and the documents'
tables follow from :data:`KEYS`. A value is kept in the spelling in which it is declared, normalised
(``A=mitchell, B=howell``), so that what was read can be written again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple

from resultproc.model.dates import written_date
from resultproc.model.errors import Problem, closest
from resultproc.model.game import (
    OPEN,
    EventType,
    Imps,
    Restriction,
    Scoring,
    StratifyBy,
    league,
    leagues,
    number_text,
    parse_flight_limits,
    parse_limit,
    parse_movement,
    parse_ranks,
    parse_rating,
    parse_sections,
    parse_strata,
    parse_table_count,
    parse_tables,
    parse_tables_by_limit,
    parse_word,
    per_section_text,
    plain_text,
    split_list,
    strata_text,
)
from resultproc.model.plugins import names
from resultproc.model.toml import toml_beside
from resultproc.model.values import letter, yes_no


def _tables_by_limit(text: str) -> str:
    if "=" not in text and text.strip().lower() != "none":
        return number_text(parse_table_count(text.strip()))
    events = parse_tables_by_limit(text)
    return ", ".join(f"{number_text(limit)}={number_text(tables)}" for limit, tables in events) or "none"


def _lower_tables(text: str) -> str:
    if any(math.isinf(limit) for limit, _ in parse_tables_by_limit(text)):
        raise ValueError(f"'{text}' has a lower flight without an upper limit; write, for example, 1500=15, 500=9")
    return _tables_by_limit(text)


def _count(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) == 0:
        raise ValueError(f"invalid count: '{text}'; write a whole number, 1 or more")
    return str(int(text))


def _special(text: str) -> str:
    words = [re.sub(r"[\s_]+", "-", word.lower().replace("’", "'")) for word in split_list(text)]
    for word in words:
        if word not in league().special and not re.fullmatch("x-[a-z0-9-]+", word):
            raise ValueError(f"invalid special word: '{word}'; {closest(word, league().special)}")
    return ", ".join(dict.fromkeys(words))


def _scored_across(text: str) -> str:
    if text.strip().lower() in {"all", "none"}:
        return text.strip().lower()
    groups = [[name.strip().upper() for name in part.split("+")] for part in split_list(text)]
    named = [name for group in groups for name in group]
    if not all(named) or len(set(named)) < len(named) or any(len(group) < 2 for group in groups):
        raise ValueError(f"invalid sections: '{text}'; write all, none, or such as A+B, C+D, each section once")
    return ", ".join(map("+".join, groups))


def _points(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,4}(?:\.[0-9]{1,4})?", text) or float(text) == 0:
        raise ValueError(f"invalid number: '{text}'; write a number above 0, such as 2.5")
    return number_text(float(text))


def _rulebook(text: str) -> str:
    if text.endswith(".toml") or text in names("rulebooks"):
        return text
    raise ValueError(f"unknown rulebook '{text}'; {closest(text, names('rulebooks'))}")


VALUES: Mapping[str, Callable[[str], str]] = {
    "text": str,
    "boards-of-sessions": lambda text: ", ".join(map(_count, split_list(text))),
    "count": _count,
    "date": lambda text: written_date(text).isoformat(),
    "flight": lambda text: letter(text, "flight", "A"),
    "flight-limits": lambda text: per_section_text(parse_flight_limits(text)),
    "limit": lambda text: number_text(parse_limit(text)),
    "lower-tables": _lower_tables,
    "movements": lambda text: per_section_text(parse_movement(text)),
    "points": _points,
    "ranks": lambda text: ", ".join(parse_ranks(text)),
    "rating": parse_rating,
    "restrictions": lambda text: ", ".join(
        sorted({parse_word(Restriction, word) for word in re.split(r"[,;\s]+", text) if word})
    ),
    "rulebook": _rulebook,
    "scored-across": _scored_across,
    "sections": lambda text: ", ".join(parse_sections(text)),
    "sessions": lambda text: ", ".join(sorted(map(_count, split_list(text)), key=int)),
    "slug": lambda text: re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-"),
    "special": _special,
    "strata": lambda text: strata_text(parse_strata(text)),
    "table-count": lambda text: number_text(parse_table_count(text)),
    "tables-by-limit": _tables_by_limit,
    "tables-of-sections": lambda text: per_section_text(parse_tables(text)),
    "tables-of-sessions": lambda text: ", ".join(number_text(parse_table_count(part)) for part in split_list(text)),
    "yes-no": lambda text: str(yes_no(text)).lower(),
}
"""How a value becomes the one in its one spelling, by what ``keys.toml`` calls it; ValueError says what is wrong."""


class Key(NamedTuple):
    """A game key."""

    name: str  # as people write it
    meaning: str  # in the words of the game, for documents
    example: str  # a value in its one spelling
    normalise: Callable[[str], str] = str  # returns a value in its one spelling; ValueError says what would be right
    words: tuple[str, ...] = ()  # those that a value may be, none where it may be others
    dtype: str = "str"  # of its column in the games frame
    on_page: bool = False  # whether the page of a game shows it
    tournament: bool = False  # whether only tournaments need it
    added: bool = False  # whether the first JSON files that resultproc wrote lack it

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


_WORDS: Mapping[str, Iterable[str]] = {
    "league": leagues(),
    "rating": [str(each) for each in league().names],
    "event-type": EventType,
    "scoring": Scoring,
    "imps": Imps,
    "stratify-by": StratifyBy,
    "restrictions": Restriction,
}
"""The words of values that are some of a few."""


def _key(name: str, meaning: str, value: str = "text", **said: Any) -> Key:
    words = [str(word) for word in _WORDS.get(value, ())]
    first, *_ = leagues().values()
    meaning = meaning.format(words=", ".join(words), ratings=", ".join(map(str, first.names)))
    one_of = () if value == "restrictions" else tuple(words)
    return Key(name, meaning, normalise=VALUES.get(value, partial(parse_word, words)), words=one_of, **said)


KEYS: Mapping[str, Key] = {name: _key(name, **said) for name, said in toml_beside(__file__, "keys.toml").items()}
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


def how_to_declare(key: str, *values: str) -> str:
    """Return the hint that a game key has to be declared, with one of some values, an example without any.

    For games of a file, :mod:`resultproc.stages.missing` says where in the file that is done.
    """
    return f"declare {key}=" + " or ".join(f"'{value}'" for value in values or [KEYS[key].example])


def unknown_key(name: str, where: str = "", file: str = "", besides: Collection[str] = ()) -> Problem:
    """Return the problem of a key that no game has, with the closest one suggested.

    besides: what else may stand there, which is no key.
    """
    return Problem(f"unknown key '{name}'", where, closest(name, [*KEYS, *besides]), file)
