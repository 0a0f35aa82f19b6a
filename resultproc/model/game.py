"""The words and values that declare a game: its rating, type, strata, tables, limits, and how text stands for them.

:mod:`resultproc.model.keys` says under which keys they are declared. What a league calls its games and ratings is in a
TOML file beside the rulebooks, such as ``rulebooks/acbl.toml``.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from resultproc.model.errors import closest
from resultproc.model.plugins import named, names

NORTH_SOUTH, EAST_WEST = "N-S", "E-W"
"""The directions of contestants."""

OPEN = math.inf
"""The limit of an event or stratum that has none."""

ACROSS_SECTIONS = "across-sections"
"""The special word of a game whose sections are scored, and ranked, together."""

HANDICAP = "handicap"
"""The special word of a game that is ranked with handicaps, too."""

UNFINISHED = "unfinished"
"""The special word of an event of several sessions that are not all played yet."""

ZIP_KNOCKOUT, COMPACT_KNOCKOUT = "zip-knockout", "compact-knockout"
"""The special words of a knockout of one session, scored as a Swiss, and of one whose matches have half the length."""


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

TEAMS = (EventType.BAM.value, EventType.SWISS.value, EventType.KNOCKOUT.value)
"""Events of teams of four and more, which play each board at two tables."""


class Movement(StrEnum):
    """``mitchell``: N-S and E-W are compared separately (two winners); ``howell``: all together (one winner)."""

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


class Scoring(StrEnum):
    """How the results of boards become scores."""

    MATCHPOINTS = "matchpoints"
    CROSS_IMPS = "cross-imps"
    BUTLER = "butler"
    AGGREGATE = "aggregate"


class Imps(StrEnum):
    """How IMPs against every other result count where results of a board lack or a pair sat out."""

    FACTORED = "factored"
    MEAN = "mean"


class RankLimit(float):
    """The upper limit of a stratum by rank: as a number its level from below, as text the rank."""

    def __new__(cls, rank: str, level: int) -> RankLimit:
        """Return the limit of the stratum at some level, 1 for the lowest."""
        made = super().__new__(cls, level)
        made.rank = rank
        return made

    rank: str


class Stratum(NamedTuple):
    """One stratum as declared: its letter and upper limit in masterpoints, or by rank (:data:`OPEN` for none)."""

    letter: str
    limit: float


def number_text(value: float) -> str:
    """Return a number as a person writes it: ``9``, ``7.5``, ``open`` for no limit."""
    if isinstance(value, RankLimit):
        return value.rank
    if math.isinf(value):
        return "open"
    return f"{value:g}" if value != int(value) else str(int(value))


def parse_limit(text: str) -> float:
    """Return a masterpoint limit, such as ``open`` or ``1000``; ValueError says what would be right."""
    if text.lower() in {"open", "none", "unlimited"}:
        return OPEN
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        raise ValueError(f"invalid masterpoint limit: '{text}'; write 'open' or a number such as 1000") from None
    if not 0 < value < OPEN:
        raise ValueError(f"masterpoint limit out of range: {text}; write a number above 0, or 'open' for no limit")
    return value


@cache
def parse_table_count(text: str) -> float:
    """Return a number of tables, such as ``9``, ``7.5`` or ``6 tables``; ValueError says what would be right."""
    try:
        value = float(re.sub(r" ?\u00bd", ".5", re.sub(r"\s*tables?$", "", text, flags=re.IGNORECASE)))
    except ValueError:
        raise ValueError(f"invalid number of tables: '{text}'; write a number such as 9 or 7.5") from None
    if not 0 < value <= 10_000 or value * 2 != int(value * 2):
        raise ValueError(f"invalid number of tables: {text}; write whole or half tables, such as 9 or 7.5")
    return value


def split_list(text: str) -> list[str]:
    """Return what a declared list has between its commas or semicolons, without what is empty."""
    return [part for each in text.replace(";", ",").split(",") if (part := each.strip())]


def _assignments(text: str, example: str) -> list[tuple[str, str]]:
    """Split ``A=9, B=7.5`` into its parts; a value that is alone may have no letter, and has the letter ''.

    Raises ValueError, which shows the example, for letters that are missing or repeated.
    """
    pairs = []
    for part in split_list(text):
        letter, equals, value = part.rpartition("=")
        pairs.append((letter.strip().upper(), value.strip()) if equals else ("", part))
    letters = [letter for letter, _ in pairs]
    if "" in letters and len(letters) > 1:
        raise ValueError(f"missing letter in '{text}'; write one for each value, as in {example}")
    if len(set(letters)) < len(letters):
        raise ValueError(f"repeated letter in '{text}'; write each letter once, as in {example}")
    return pairs


def _limits(
    text: str, example: str, limit_of: Callable[[str, int], float] = lambda value, _: parse_limit(value)
) -> list[tuple[str, float]]:
    """Split ``A=open, B=1000`` into letters and limits; ValueError where one has none.

    limit_of: gives the limit of a text and its place from the last.
    """
    if re.search(r"(?<![0-9])[0-9]{1,3},[0-9]{3}(?![0-9])", text):
        raise ValueError(f"comma within a number in '{text}'; write 1000 without it, as in {example}")
    limits = _assignments(text, example)
    if any(not letter for letter, _ in limits):
        raise ValueError(f"missing letter in '{text}'; write one for each limit, as in {example}")
    return [(letter, limit_of(value, level)) for level, (letter, value) in enumerate(reversed(limits), 1)][::-1]


def by_rank(text: str) -> bool:
    """Return whether strata go by rank, as declared."""
    return any(isinstance(each.limit, RankLimit) for each in parse_strata(text))


def parse_ranks(text: object) -> list[str]:
    """Return the ranks that a text lists, lowest first; ValueError unless they are two or more, each once.

    There are none where nothing is declared, as in the games frame.
    """
    if not isinstance(text, str):
        return []
    ranks = split_list(text)
    if len(ranks) < 2 or len({rank.casefold() for rank in ranks}) < len(ranks):
        raise ValueError(
            f"'{text}' does not list two or more ranks, each once; write the lowest first, as in Club, County"
        )
    return ranks


def rank_at(ranks: Sequence[str], rank: str) -> int:
    """Return the place of a rank among some, 0 for the lowest, in any letter case; -1 for none of them."""
    known = [each.casefold() for each in ranks]
    return known.index(rank.casefold()) if rank.casefold() in known else -1


def _limit_of_stratum(text: str, level: int) -> float:
    """Return the limit of a stratum, in masterpoints or by rank. level: that of the stratum from below."""
    try:
        return parse_limit(text)
    except ValueError:
        if not re.match(r"[^\W\d_]", text):
            raise
        return RankLimit(text, level)


def parse_strata(text: str) -> list[Stratum]:
    """Return the strata of ``A=open, B=1000, C=200``, top first; in ``open/1000/200`` they are A, B and C.

    A limit that is a word is a rank: ``A=open, B=County``.
    Raises ValueError unless each has a letter, the limits fall, and go all by masterpoints or all by rank.
    """
    example = "A=open, B=1000, C=200"
    limits = [part.strip() for part in text.split("/")]
    if "=" not in text and (len(limits) > 1 or text.strip().lower() == "open"):
        text = ", ".join(f"{letter}={limit}" for letter, limit in zip(ascii_uppercase, limits, strict=False))
    strata = [Stratum(letter, limit) for letter, limit in _limits(text, example, _limit_of_stratum)]
    long = next((s.letter for s in strata if not re.fullmatch(r"[A-Z]", s.letter)), None)
    if long:
        raise ValueError(f"invalid stratum letter: '{long}'; write the strata top first, as in {example}")
    if len({isinstance(each.limit, RankLimit) for each in strata if each.limit != OPEN}) > 1:
        raise ValueError(f"the limits in '{text}' are masterpoints and ranks; write one or the other")
    if any(upper.limit <= lower.limit for upper, lower in pairwise(strata)):
        raise ValueError(f"the limits in '{text}' are not in falling order; write the top stratum first")
    return strata


def top_limit(text: str) -> float:
    """Return the limit in masterpoints of the top stratum of some, as declared: none where it is by rank."""
    limit = parse_strata(text)[0].limit
    return OPEN if isinstance(limit, RankLimit) else limit


def strata_text(strata: list[Stratum]) -> str:
    """Return strata as declared: ``A=open, B=1000, C=200``."""
    return per_section_text(dict(strata))


def parse_movement(text: str) -> dict[str, Movement]:
    """Return the movement of each section; the key '' stands for every section."""
    return {
        section: Movement(parse_word(Movement, value.lower()))
        for section, value in _assignments(text, "A=mitchell, B=howell")
    }


def parse_tables(text: str) -> dict[str, float]:
    """Return the tables of each section; the key '' stands for the only one."""
    return {section: parse_table_count(value) for section, value in _assignments(text, "A=9, B=7.5")}


def per_section_text(values: Mapping[str, object]) -> str:
    """Return per-section values as declared: ``A=9, B=7.5``, or the bare value where no section is named."""
    return ", ".join(
        f"{section}={plain_text(value)}" if section else plain_text(value) for section, value in values.items()
    )


def plain_text(value: object) -> str:
    """Return a declared value as a person writes it."""
    return number_text(value) if isinstance(value, float) else str(value)


def parse_tables_by_limit(text: str) -> list[tuple[float, float]]:
    """Return the upper limit and the tables of each event in ``open=20, 300=6``; nothing for ``none``.

    A number of tables alone is that of limited events, whose limits are not said: they have the limit 0.
    Raises ValueError for anything else.
    """
    if text.strip().lower() == "none":
        return []
    if "=" not in text:
        return [(0.0, parse_table_count(text.strip()))]
    parts = [part.partition("=") for part in split_list(text)]
    if not all(equals for _, equals, _ in parts):
        raise ValueError(f"missing upper limit in '{text}'; write tables by limit, as in 1500=15, 500=9, or none")
    return [(parse_limit(limit.strip()), parse_table_count(tables.strip())) for limit, _, tables in parts]


def parse_word(words: Iterable[str], text: str) -> str:
    """Return which of some words a text is, in any letter case; ValueError suggests the closest one."""
    value = re.sub(r"[\s_]+", "-", text.strip().lower())
    values = list(map(str, words))
    if value in values:
        return value
    raise ValueError(f"unknown value '{text}'; {closest(value, values)}")


def parse_flight_limits(text: str) -> dict[str, float]:
    """Return the upper limit of each flight in ``A=open, B=1500``; ValueError for a limit without its section."""
    return dict(_limits(text, "A=open, B=1500"))


def parse_sections(text: str) -> list[str]:
    """Return the sections that ``C, D`` names; ValueError unless they are two or more, each once."""
    sections = split_list(text.upper())
    if len(sections) < 2 or len(set(sections)) < len(sections):
        raise ValueError(f"'{text}' does not name two or more sections, each once; write them as C, D")
    return sections


class CalledClass(NamedTuple):
    """A class of games by what they are called."""

    pattern: str  # what such names have, whatever the case of letters
    ratings: frozenset[str]  # those that contradict it, unless ``special`` has a word of one of the kinds
    kinds: tuple[str, ...]  # kinds of special words


class League(NamedTuple):
    """The words of a league; of several together, where it has no name.

    name: what files name it by, such as ``acbl``.
    title: what people call it.
    default: whether a game is of this league that names none, and whose rating is of none.
    points_colours: the colours of its points, if they have any; what nothing else decides is of the first.
    whole: whether its points are whole numbers.
    programs: patterns of the programs whose USEBIO files are of this league, whatever the case of letters.
    own_keys: game keys that no other league has in its files.
    handbook: the rulebook that says what holds in a series of games, the month of each fund, and what rating
        special words have.
    by_boards: the rulebook since which club games pay by boards.
    special: the words that ``special`` may have, besides those of somebody's own rulebook, which begin with ``x-``.
    not_paid: those of how a game is scored and ranked, not of what it is paid as.
    capitals: parts of special words that are written in capitals.
    letters: what the letters of formulas stand for: those of products, and of the field.
    names: what players call the games of each rating.
    colours: the colour of each rating in pictures.
    groups: ratings that have something in common, by what the TOML calls them.
    limited: a pattern of what the names of limited games have, and one of what they do not have besides.
    funds: what games for funds are called, by the word under ``special``.
    classes: what tells the class of a game; a name that says several classes agrees with each of them.
    random_games: what :mod:`resultproc.reports.generate` makes games of.
    """

    name: str
    title: str
    default: bool
    points_colours: tuple[str, ...]
    whole: bool
    programs: tuple[str, ...]
    own_keys: tuple[str, ...]
    handbook: str
    by_boards: str
    special: frozenset[str]
    not_paid: frozenset[str]
    capitals: frozenset[str]
    letters: Mapping[str, Mapping[str, str]]
    names: Mapping[str | None, str]
    colours: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    limited: tuple[str, str]
    funds: Mapping[str, str]
    classes: tuple[CalledClass, ...]
    random_games: Mapping[str, Mapping[str, Sequence[str]]]

    @classmethod
    def of(cls, name: str, text: str) -> League:
        """Return the words of a league from the TOML text that has them; ``title`` and ``colours`` are enough."""
        words = tomllib.loads(text)
        groups, of_funds = words.get("rating-groups", {}), words.get("fund-games", {})
        limited, books = words.get("limited-games", {}), words.get("rulebooks", {})
        special, funds, usebio = (words.get(each, {}) for each in ("special", "funds", "usebio"))

        def called(pattern: str, ratings: list[str], kinds: Iterable[str]) -> CalledClass:
            each = (rating for name in ratings for rating in groups.get(name, [name]))
            return CalledClass(pattern, frozenset(each), tuple(kinds))

        return cls(
            name,
            words["title"],
            words.get("default", False),
            tuple(words["colours"]),
            words.get("whole-points", False),
            tuple(usebio.get("programs", ())),
            tuple(usebio.get("keys", ())),
            books.get("handbook", ""),
            books.get("by-boards", ""),
            frozenset(word for kind in special.values() for word in kind),
            frozenset(special.get("scoring", ())),
            frozenset(words.get("written", {}).get("capitals", ())),
            words.get("letters", {}),
            {rating: each["name"] for rating, each in words.get("ratings", {}).items()},
            {rating: each["colour"] for rating, each in words.get("ratings", {}).items()},
            {each: tuple(ratings) for each, ratings in groups.items()},
            (limited.get("name", ""), limited.get("without", "")),
            funds,
            (
                *(called(each, of_funds["not"], (fund, *of_funds["unless"])) for fund, each in funds.items()),
                *(called(each["name"], each["not"], each["unless"]) for each in words.get("classes", ())),
            ),
            words.get("random-games", {}),
        )


@cache
def leagues() -> Mapping[str, League]:
    """Return the leagues by name, the default one first: those beside the rulebooks, and those of other packages.

    This alone reads what is beside the rulebooks from below them: it is data, which knows nothing of code. Another
    package registers a :class:`League` under ``resultproc.leagues``.
    """
    beside = (Path(__file__).parents[1] / "rulebooks").glob("*.toml")
    found = {path.stem: League.of(path.stem, path.read_text("utf-8")) for path in beside}
    found |= {name: named("leagues", name) for name in names("leagues") if name not in found}
    return dict(sorted(found.items(), key=lambda item: (not item[1].default, item[0])))


@cache
def league() -> League:
    """Return the words of all leagues together: each rating is of one league, and tells what is of its games.

    What they cannot have together is that of the default one.
    """
    first, *others = leagues().values()
    for each in others:
        first = first._replace(
            special=first.special | each.special,
            not_paid=first.not_paid | each.not_paid,
            capitals=first.capitals | each.capitals,
            names={**first.names, **each.names},
            colours={**first.colours, **each.colours},
            points_colours=tuple(dict.fromkeys((*first.points_colours, *each.points_colours))),
            classes=(*first.classes, *each.classes),
        )
    return first._replace(name="")


def league_of_rating(rating: str) -> str:
    """Return the name of the league that has a rating, empty where none has it."""
    return next((name for name, each in leagues().items() if rating in each.names), "")


def parse_rating(text: str) -> str:
    """Return the rating that a text is, in any letter case; ValueError suggests the closest one of any league."""
    return (
        league().groups["open"][0] if text.strip().lower() == "open" else parse_word(filter(None, league().names), text)
    )
