"""Single values and the texts that stand for them: what a cell of any sheet may hold.

A :class:`ValueKind` says how text becomes a value and a value becomes text, for people and for machines; every column
of the contestants is of one (see :mod:`resultproc.model.columns`).
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from resultproc.model.game import EAST_WEST, NORTH_SOUTH, number_text

_NO_CHARACTER = "[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
"""What no file of text, and no XML, may hold; none of it is printable. To compile it takes a millisecond."""

_DIRECTIONS = {
    **dict.fromkeys(("N-S", "NS", "N/S", "N", "NORTH-SOUTH", "NORTH/SOUTH", "NORTH SOUTH"), NORTH_SOUTH),
    **dict.fromkeys(("E-W", "EW", "E/W", "E", "EAST-WEST", "EAST/WEST", "EAST WEST"), EAST_WEST),
}

LARGEST = 1e9
"""No score is larger."""


def tidy(text: str) -> str:
    """Return a name or word in one spelling: Unicode NFC, every run of blanks one blank, none at the ends."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def cell_text(value: object) -> str:
    """Return a text as a cell holds it: on one line, and with a replacement sign for what is no character."""
    text = tidy(str(value))
    return text if text.isprintable() else tidy(re.sub(_NO_CHARACTER, "\ufffd", text))


def json_text(content: Mapping[str, Any], **options: Any) -> str:
    """Return content as a file of JSON has it, an entry a line; options: those of :func:`json.dumps`."""
    return json.dumps(content, ensure_ascii=False, indent=1, **options) + "\n"


def toml_text(value: object) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{toml_key(name)} = {toml_text(each)}' for name, each in value.items())} }}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else str(value)


def toml_key(name: str) -> str:
    """Return the name of a key as TOML has it, between quotes where it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml_text(name)


def is_garbled(text: str) -> bool:
    """Say whether a text has signs within words that no word has, as one read in another code page than it was in."""
    return not text.isascii() and re.search(_GARBLED, text) is not None


def is_garbled_name(text: str) -> bool:
    """Say the same of a name, by more signs: a name has no dash within a word, and its words begin in the same way."""
    return not text.isascii() and (re.search(_GARBLED, text) or re.search(_NO_NAME, text)) is not None


_LETTER, _LOWER = r"[^\W\d_]", "[a-z\u00df-\u00f6\u00f8-\u00ff]"
_SIGNS = (
    "\u201a\u201e\u2020-\u2030\u2039\u203a\u20ac\u2122\u0192\u02c6\xa1-\xa9\xab-\xb3\xb6-\xb9\xbb-\xbf\xd7\xf7"
    "\u2200-\u25ff"
)
# These two are not compiled before a text needs them: that takes a millisecond of every start.
_GARBLED = (
    rf"{_LETTER}[{_SIGNS}]+{_LETTER}|[A-Z][\xc0-\xd6\xd8-\xde\u0160\u017d\u0178\u0152](?=[a-z])"
    rf"|{_LETTER}[\u201a\u201e\u0192\u2030\xa1\xa4\xbf]|{_LETTER}[\u201c\u201d\u2026]{_LOWER}"
    rf"|{_LETTER}\u2018(?![AEIOUaeiou])"  # before vowels it is a letter of Hawaii
    rf"|(?<!\w)[\xa2-\xa6\xa8\xae\xaf\xb5\xd7\u0192\u20ac\u2030][a-z]|(?<!\w)[A-Z]\xd5[A-Z][a-z]"
    rf"|{_LETTER}\xba[a-z]|{_LETTER}[\x80-\x9f]|[\x80-\x9f]{_LETTER}|\ufffd"
    rf"|{_LOWER}(?<!Mc)(?<!Mac)[\xc0-\xd6\xd8-\xde\u0160\u017d\u0178\u0152](?![A-Z])"
)
_SMALL = "[\xe0-\xf6\xf8-\xff\u0161\u017e\u0153]"
_NO_NAME = (
    rf"[^\W\d_][\u2020\u2021]?[\u2013\u2014]{_LOWER}|[A-Z][\u0161\u017e\u0153][A-Z]|^[^\u201c\u201e]*{_LETTER}\u201d"
    rf"|^{_SMALL}[a-z]+\W+[A-Z]|[A-Z]\w+ {_SMALL}[a-z]{{2}}"
)


def number(text: str) -> float:
    """Return a number as a sheet writes it: 133, 133.50, 1,234.5, 133,50, 133½ or -4; raise ValueError for others.

    A single comma before three digits is refused: it may stand for thousands or for decimals.
    """
    if _PLAIN.fullmatch(text):  # as most are
        return float(text)
    plain = re.sub("^[\u2010-\u2014\u2212] ?", "-", re.sub("(?<=[0-9])½$", ".5", text.strip()))
    if re.fullmatch(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}", plain):
        raise ValueError(
            f"'{text}' may mean {plain.replace(',', '.')} or {plain.replace(',', '')}; write it without the comma"
        )
    if re.fullmatch(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"[-+]?[0-9]+,[0-9]*", plain):
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]{1,2})?", plain, re.IGNORECASE):
        raise ValueError(f"invalid number: '{text}'; write it as 133 or 133.50")
    value = float(plain)
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"number out of range: {text}")
    return value


_PLAIN = re.compile(r"-?[0-9]{1,9}(\.[0-9]+)?")


def number_cell(value: float) -> str:
    """Return a number without loss, in the shortest spelling: ``133``, ``61.57``."""
    return repr(float(value)).removesuffix(".0")


def decimals(value: float) -> str:
    """Return a number with two decimals, or with as many as it has."""
    return f"{value:.2f}" if round(value, 2) == value else number_cell(value)


def place_text(position: int, tied: int) -> str:
    """Return a place as lists show it: ``2``, or of a tie with all the places that it takes up ``2/3``."""
    return str(position) if tied == 1 else f"{position}/{position + tied - 1}"


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th, ..., 21st."""
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def decimal_text(hundredths: int) -> str:
    """Return hundredths of a masterpoint as a decimal string: 63 is ``0.63``."""
    return f"{hundredths // 100}.{_TWO_DIGITS[hundredths % 100]}"


# Thousands are written: to look up two digits takes less than half as long as to format them.
_TWO_DIGITS = [f"{number:02d}" for number in range(100)]


def direction_of(text: str) -> str | None:
    """Return the direction that a word stands for: NS, North-South, E/W, ...; None for any other word."""
    return _DIRECTIONS.get(text.upper())


@dataclass(frozen=True, eq=False)
class ValueKind:
    """What the values of a column are.

    parse: makes a value of a cell's text; its ValueError says what would be right.
    show: makes text of a value without loss, as ``parse`` takes it.
    schema: the value in JSON, in the words of JSON Schema.
    number: what a spreadsheet holds a number as; None for what is no number.
    listing: makes what listings show, where it is not as ``show``: without loss, but percentages have two decimals.
    page: makes what a page shows, for people only.
    as_json: makes the JSON's value of the frame's, where they differ.
    of_json: makes the frame's value of the JSON's.
    """

    parse: Callable[[str], object]
    show: Callable[[Any], str]
    schema: Mapping[str, object]
    number: type[int] | type[float] | None = None
    listing: Callable[[Any], str] | None = None
    page: Callable[[Any], str] = str
    as_json: Callable[[Any], object] = lambda value: value
    of_json: Callable[[Any], object] = lambda value: value

    def listed(self, value: object) -> str:
        """Return a value as listings show it."""
        return (self.listing or self.show)(value)


def _number_kind(parse: Callable[[str], float], low: float, high: float, **schema: object) -> ValueKind:
    bounds = {"type": "number", "minimum": low, "maximum": high, **schema}
    return ValueKind(parse, number_cell, bounds, number=float, listing=decimals, page="{:.2f}".format)


def _within(what: str, low: float, high: float) -> Callable[[str], float]:
    """Return the reader of a number that lies in a range. what: names it in the message for one that does not."""

    def parse(text: str) -> float:
        value = number(text)
        if not low <= value <= high:
            raise ValueError(f"{what} out of range: {text}; write a number from {low} to {high}")
        return value

    return parse


def percent(what: str) -> ValueKind:
    """Return the kind of a percentage, from 0 to 100, with its sign or without; ``what`` names it in messages."""
    parse = _within(what, 0, 100)
    kind = _number_kind(lambda text: parse(text.removesuffix("%")), 0, 100)
    return replace(kind, listing="{:.2f}".format)


def points(what: str) -> ValueKind:
    """Return the kind of a number of points from 0 to 100; ``what`` names it in messages."""
    return _number_kind(_within(what, 0, 100), 0, 100)


def _holding(text: str) -> float:
    """Read a holding; it has two decimals, so a comma before three digits is one of thousands."""
    thousands = re.fullmatch(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?", text)
    return _within("holding", 0, 10_000_000)(text.replace(",", "") if thousands else text)


def _award(text: str) -> int:
    return round(_within("masterpoint award", 0, 100_000)(text) * 100)


def _wins(text: str) -> float:
    value = _within("number of matches won", 0, 100)(text)
    if value * 2 != int(value * 2):
        raise ValueError(f"invalid number of matches won: {text}; count a tied one as half, as in 4.5")
    return value


def _whole(text: str) -> int:
    value = number(text)
    if value != int(value):
        raise ValueError(f"invalid whole number: '{text}'; write it as 7")
    return int(value)


_ALONE = {"S", "W"}
"""What stands for one player, where N and E may be short for a direction."""


def _direction(text: str) -> str:
    direction = direction_of(text)
    if direction is None:
        alone = text.upper() in _ALONE
        rainbow = " (a rainbow, which compares N, S, E and W apart, cannot be awarded here)" if alone else ""
        what = f"invalid direction: '{text}'; write N-S or E-W, or nothing in a one-winner section"
        raise ValueError(f"{what}{rainbow}")
    return direction


def _letter(text: str) -> str:
    if not re.fullmatch("[A-Za-z]", text):
        raise ValueError(f"invalid stratum: '{text}'; write its letter, such as B")
    return text.upper()


def _yes_no(text: str) -> bool:
    if text.lower() not in {"yes", "no", "true", "false", "1", "0"}:
        raise ValueError(f"invalid answer: '{text}'; write yes or no")
    return text.lower() in {"yes", "true", "1"}


def _seat_number(text: str) -> str:
    return number_text(float(text)) if re.fullmatch(r"[0-9]{1,5}(\.0+)?", text) else tidy(text)


_MATCH = r"([WLF])(?:\s+|(?=[0-9]))([^\s,;]+)"


def _matches(text: str) -> str:
    """Return the matches of a round in one spelling: ``W 5``; where three teams met, ``W 5 L 7``; ``bye``."""
    if text.lower() == "bye":
        return "bye"
    if not re.fullmatch(rf"{_MATCH}(?:[\s,;]+{_MATCH})*[\s,;]*", text, re.IGNORECASE):
        raise ValueError(
            f"invalid match: '{text}'; write W 5 for a win against team 5, L 5 for a loss, "
            "F 5 for a forfeit, W 5 L 7 where three teams met, or bye"
        )
    found = re.findall(_MATCH, text, re.IGNORECASE)
    return " ".join(f"{result.upper()} {_seat_number(other)}" for result, other in found)


class SwissMatch(NamedTuple):
    """A match of a Swiss team.

    other: the number of the other team, '' for a bye.
    imps, points: IMPs and victory points, None where they are not said.
    """

    other: str
    imps: int | None
    points: float | None


_SWISS = r"(?:bye|([^\s,;]*[0-9][^\s,;]*))(?:\s+([+\-\u2212][0-9]{1,3}))?(?:\s+([0-9]{1,3}(?:\.[0-9]{1,2})?))?"


def swiss_matches(text: str) -> list[SwissMatch]:
    """Return the matches of a round: ``5 +12 14.25``, ``bye 12``, ``5 +3, 7 -4 8`` where three teams met.

    Raises ValueError for any other text. A number alone may be points as well as a team, and is no match.
    """
    found = []
    for part in filter(None, re.split(r"\s*[,;]\s*", text.strip())):
        match = re.fullmatch(_SWISS, part, re.IGNORECASE)
        if match is None or not (match[2] or match[3] or not match[1]):
            raise ValueError(
                f"invalid match: '{text}'; write 5 +12 14.25 for a match against team 5 that was won by 12 IMPs "
                "for 14.25 victory points; leave out what is not known, but not both; or write bye 12"
            )
        imps = int(match[2].replace("\u2212", "-")) if match[2] else None
        found.append(
            SwissMatch(_seat_number(match[1]) if match[1] else "", imps, float(match[3]) if match[3] else None)
        )
    return found


def swiss_text(matches: Iterable[SwissMatch]) -> str:
    """Return the matches of a round as text, in one spelling."""
    return ", ".join(
        " ".join(
            filter(
                None,
                [
                    match.other or "bye",
                    "" if match.imps is None else f"{match.imps:+d}",
                    "" if match.points is None else number_text(match.points),
                ],
            )
        )
        for match in matches
    )


def _short_matches(text: str) -> str:
    """Return the matches of a round without blanks: ``W5``, ``W5,L7``, as far as the teams have numbers."""
    return re.sub(" (?=[WLF])", ",", re.sub("([WLF]) (?=[0-9])", r"\1", text))


TEXT = ValueKind(tidy, cell_text, {"type": "string", "minLength": 1})
NAME = ValueKind(tidy, cell_text, {"type": "string"})
SECTION_KIND = ValueKind(lambda text: tidy(text).upper(), cell_text, {"type": "string", "minLength": 1})
SEAT_NUMBER = ValueKind(_seat_number, cell_text, {"type": "string", "minLength": 1})
DIRECTION = ValueKind(_direction, cell_text, {"enum": [NORTH_SOUTH, EAST_WEST]})
STRATUM = ValueKind(_letter, cell_text, {"type": "string", "pattern": "^[A-Z]$"})
MATCHES_KIND = ValueKind(
    _matches,
    cell_text,
    {"type": "string", "pattern": "^(bye|[WLF] [^ ]+( [WLF] [^ ]+)*)$"},
    listing=_short_matches,
)
_WON_BY, _POINTS_WON = " [+-][0-9]{1,3}", r" [0-9]{1,3}(\.[0-9]{1,2})?"
_AGAINST = f"[^ ,;]*[0-9][^ ,;]*({_WON_BY}({_POINTS_WON})?|{_POINTS_WON})"
_ONE_MATCH = f"(bye({_WON_BY})?({_POINTS_WON})?|{_AGAINST})"
SWISS_MATCHES = ValueKind(
    lambda text: swiss_text(swiss_matches(text)),
    cell_text,
    {"type": "string", "pattern": f"^{_ONE_MATCH}(, {_ONE_MATCH})*$"},
)
YES_NO = ValueKind(_yes_no, lambda value: "yes" if value else "no", {"type": "boolean"}, as_json=bool)
NUMBER_KIND = _number_kind(number, -LARGEST, LARGEST)
WHOLE = ValueKind(
    _whole,
    lambda value: str(int(value)),
    {"type": "integer", "minimum": -int(LARGEST), "maximum": int(LARGEST)},
    number=int,
    as_json=int,
)
HOLDING = _number_kind(_holding, -LARGEST, LARGEST)
WINS = ValueKind(
    _wins,
    number_cell,
    {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 0.5},
    number=float,
    page=number_text,
)
AWARD_KIND = ValueKind(
    _award,
    lambda value: decimal_text(int(value)),
    {"$ref": "#/$defs/masterpoints"},
    number=float,
    page=lambda value: decimal_text(int(value)),
    as_json=lambda value: decimal_text(int(value)),
    of_json=lambda text: int(text.replace(".", "")),
)
"""Hundredths of a masterpoint, which sheets and the JSON have in masterpoints."""

BY_DTYPE = {"str": TEXT, "float64": NUMBER_KIND, "Int64": WHOLE, "int64": WHOLE, "bool": YES_NO, "boolean": YES_NO}
"""The kind of a column that names no other."""


def escape_formula(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: a leading =, +, - or @ gets an apostrophe before it.

    So do the signs that look like these, which some spreadsheets take for the same, and blanks before any.
    """
    return "'" + text if _FORMULA.match(text) else text


def unescape_formula(text: str) -> str:
    """Return the text that :func:`escape_formula` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠﹦﹢﹣﹫−⁼⁺⁻₌₊₋﬩]")
