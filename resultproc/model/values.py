"""Single values and the texts that stand for them: what a cell of any sheet may hold.

A :class:`ValueKind` says how text becomes a value and a value becomes text, for people and for machines; every column
of the contestants is of one (see :mod:`resultproc.model.columns`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from resultproc.model.directions import direction_of
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, number_text
from resultproc.model.numbers import LARGEST, decimal_text, decimals, number, number_cell, without_marks
from resultproc.model.text import cell_text, tidy


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


@dataclass(frozen=True, eq=False)
class ValueKind:
    """What the values of a column are."""

    parse: Callable[[str], object]  # makes a value of a cell's text; its ValueError says what would be right
    show: Callable[[Any], str]  # makes text of a value without loss, as ``parse`` takes it
    schema: Mapping[str, Any]  # the value in JSON, in the words of JSON Schema
    number: type[int] | type[float] | None = None  # what a spreadsheet holds a number as; None for what is no number
    # Makes what listings show, where it is not as ``show``: without loss, but percentages have two decimals.
    listing: Callable[[Any], str] | None = None
    page: Callable[[Any], str] = str  # makes what a page shows, for people only
    as_json: Callable[[Any], object] = lambda value: value  # makes the JSON's value of the frame's, where they differ
    of_json: Callable[[Any], object] = lambda value: value  # makes the frame's value of the JSON's

    def listed(self, value: object) -> str:
        """Return a value as listings show it."""
        return (self.listing or self.show)(value)


def _number_kind(parse: Callable[[str], float], low: float, high: float, **schema: object) -> ValueKind:
    bounds = {"type": "number", "minimum": low, "maximum": high, **schema}
    return ValueKind(parse, number_cell, bounds, number=float, listing=decimals, page="{:.2f}".format)


def _within(what: str, low: float, high: float, *, thousands: bool = False) -> Callable[[str], float]:
    """Return the reader of a number that lies in a range. what: names it in the message for one that does not."""

    def parse(text: str) -> float:
        value = number(text, low, high, thousands=thousands)
        if not low <= value <= high:
            raise ValueError(f"{what} out of range: {text}; write a number from {low} to {high}")
        return value

    return parse


def _percent(what: str) -> ValueKind:
    """Return the kind of a percentage, from 0 to 100, with its sign or without. what: names it in messages."""
    parse = _within(what, 0, 100)
    kind = _number_kind(lambda text: parse(without_marks(text).rstrip("% ")), 0, 100)
    return replace(kind, listing="{:.2f}".format)


def _wins(text: str) -> float:
    record = _WON_AND_LOST.fullmatch(text)
    drawn = number(record[2]) / 2 if record and record[2] else 0
    value = _within("number of matches won", 0, 100)(record[1] if record else text) + drawn
    if value * 2 != int(value * 2):
        raise ValueError(f"invalid number of matches won: {text}; count a tied one as half, as in 4.5")
    return value


_WON_AND_LOST = re.compile(
    r"(?!.*[ -]1/2$)([0-9]+(?:[.,]5|½)?)\s?[-\u2013/:]\s?[0-9]+(?:[.,]5|½)?(?:\s?[-\u2013/:]\s?([0-9]+))?"
)
"""The matches that a team won, lost, and maybe drew: ``5-2``, ``5.5-1.5``, ``4-2-1``."""


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
        rainbow = " (a rainbow, which compares N, S, E and W apart, cannot be listed so)" if alone else ""
        what = f"invalid direction: '{text}'; write N-S or E-W, or nothing in a one-winner section"
        raise ValueError(f"{what}{rainbow}")
    return direction


def letter(text: str, what: str, example: str) -> str:
    """Return the letter of a stratum or flight as a capital; ValueError, which names what it is of, for other texts."""
    if not re.fullmatch("[A-Za-z]", text):
        raise ValueError(f"invalid {what}: '{text}'; write its letter, such as {example}")
    return text.upper()


def yes_no(text: str) -> bool:
    """Return what an answer says; ValueError for any other text."""
    if text.lower() not in {"yes", "no", "true", "false", "1", "0"}:
        raise ValueError(f"invalid answer: '{text}'; write yes or no")
    return text.lower() in {"yes", "true", "1"}


def _seat_number(text: str) -> str:
    longer = text[:1] == "0" or ".0" in text  # as hardly any
    return number_text(float(text)) if longer and re.fullmatch(r"[0-9]{1,5}(\.0+)?", text) else tidy(text)


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
    """A match of a Swiss team."""

    other: str  # the number of the other team, '' for a bye
    imps: int | None  # None where they are not said
    points: float | None  # victory points, None where they are not said


_SWISS = r"(?:bye|([^\s,;]*[0-9][^\s,;]*))(?:\s+([+\-\u2212][0-9]{1,3}))?(?:\s+([0-9]{1,3}(?:\.[0-9]{1,2})?))?"


def swiss_matches(text: str) -> list[SwissMatch]:
    """Return the matches of a round: ``5 +12 14.25``, ``bye 12``, ``5 +3, 7 -4 8`` where three teams met.

    Raises ValueError for any other text. A number alone may be points as well as a team, and is no match.
    """
    found = []
    for part in filter(None, re.split(r"(?<!\s)\s*[,;]\s*", text.strip())):
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
        (match.other or "bye")
        + ("" if match.imps is None else f" {match.imps:+d}")
        + ("" if match.points is None else f" {number_text(match.points)}")
        for match in matches
    )


TEXT = ValueKind(tidy, cell_text, {"type": "string", "minLength": 1})
DIRECTION = ValueKind(_direction, cell_text, {"enum": [NORTH_SOUTH, EAST_WEST]})
HOLDING = _number_kind(_within("holding", 0, 10_000_000, thousands=True), -LARGEST, LARGEST)
AWARD_KIND = ValueKind(
    lambda text: round(_within("masterpoint award", 0, 100_000)(text) * 100),
    lambda value: decimal_text(int(value)),
    {"$ref": "#/$defs/masterpoints"},
    number=float,
    page=lambda value: decimal_text(int(value)),
    as_json=lambda value: decimal_text(int(value)),
    of_json=lambda text: int(text.replace(".", "")),
)
"""Hundredths of a masterpoint, which sheets and the JSON have in masterpoints."""

_WON_BY, _POINTS_WON = " [+-][0-9]{1,3}", r" [0-9]{1,3}(\.[0-9]{1,2})?"
_AGAINST = f"[^ ,;]*[0-9][^ ,;]*({_WON_BY}({_POINTS_WON})?|{_POINTS_WON})"
_ONE_MATCH = f"(bye({_WON_BY})?({_POINTS_WON})?|{_AGAINST})"

KINDS: Mapping[str, ValueKind] = {
    "award": AWARD_KIND,
    "direction": DIRECTION,
    "handicap": _number_kind(_within("handicap", 0, 100), 0, 100),
    "holding": HOLDING,
    "matches": ValueKind(
        _matches,
        cell_text,
        {"type": "string", "pattern": "^(bye|[WLF] [^ ]+( [WLF] [^ ]+)*)$"},
        # Without blanks, as far as the teams have numbers: ``W5,L7``.
        listing=lambda text: re.sub(" (?=[WLF])", ",", re.sub("([WLF]) (?=[0-9])", r"\1", text)),
    ),
    "name": ValueKind(tidy, cell_text, {"type": "string"}),
    "part": _percent("part of the event"),
    "percentage": _percent("percentage"),
    "seat-number": ValueKind(_seat_number, cell_text, {"type": "string", "minLength": 1}),
    "section": ValueKind(lambda text: tidy(text).upper(), cell_text, {"type": "string", "minLength": 1}),
    "stratum": ValueKind(
        lambda text: letter(text, "stratum", "B"), cell_text, {"type": "string", "pattern": "^[A-Z]$"}
    ),
    "swiss-matches": ValueKind(
        lambda text: swiss_text(swiss_matches(text)),
        cell_text,
        {"type": "string", "pattern": f"^{_ONE_MATCH}(, {_ONE_MATCH})*$"},
    ),
    "wins": ValueKind(
        _wins,
        number_cell,
        {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 0.5},
        number=float,
        page=number_text,
    ),
}
"""The kinds of values by their names in ``frames.toml``."""

_WHOLE = ValueKind(
    _whole,
    lambda value: str(int(value)),
    {"type": "integer", "minimum": -int(LARGEST), "maximum": int(LARGEST)},
    number=int,
    as_json=int,
)
_YES_NO = ValueKind(yes_no, lambda value: "yes" if value else "no", {"type": "boolean"}, as_json=bool)

BY_DTYPE = {
    "str": TEXT,
    "float64": _number_kind(number, -LARGEST, LARGEST),
    "Int64": _WHOLE,
    "int64": _WHOLE,
    "bool": _YES_NO,
    "boolean": _YES_NO,
}
"""The kind of a column that names no other."""


def escape_formula(text: str, *, commas: bool = False) -> str:
    """Return text that no spreadsheet takes for a formula: a leading =, +, - or @ gets an apostrophe before it.

    So do the signs that look like these, which some spreadsheets take for the same, and blanks before any; and what
    stands after a semicolon or another sign that separates cells where a spreadsheet is set to another language.

    commas: whether what stands after one counts, too, as where lines are separated by tabs: no quotes hold there.
    """
    return _FORMULA[commas].sub("'", text)


def unescape_formula(text: str, *, commas: bool = False) -> str:
    """Return the text that :func:`escape_formula` was given."""
    return _ESCAPED[commas].sub("", text) if "'" in text else text


_BEGINS = (r"(?:^|(?<=[;|\t\r\n]))", r"(?:^|(?<=[,;|\t\r\n]))")
_SIGNS = r"=+\-@＝＋－＠﹦﹢﹣﹫−⁼⁺⁻₌₊₋﬩"
_IS_FORMULA = rf"(?=['\s]*[{_SIGNS}])"
_FORMULA = [re.compile(begins + _IS_FORMULA) for begins in _BEGINS]
_ESCAPED = [re.compile(f"{begins}'{_IS_FORMULA}") for begins in _BEGINS]


def json_without_formulas(text: str) -> str:
    """Return the JSON of texts with an escape for each sign that a spreadsheet may take for the beginning of a formula.

    Quotes within a line that is separated by another sign part nothing: so what stands after a comma counts, too.
    """
    return _FORMULA_IN_JSON.sub(lambda found: f"{found[1]}\\u{ord(found[2]):04x}", text)


_FORMULA_IN_JSON = re.compile(rf"([,;|]['\s]*)([{_SIGNS}])")


def separates(text: str) -> bool:
    """Say whether a text has what separates cells in the CSV of some languages, besides the comma of ours."""
    return ";" in text or "|" in text or "\t" in text
