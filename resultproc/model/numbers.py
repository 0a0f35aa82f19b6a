"""Numbers as people write them, and as sheets and pages show them."""

from __future__ import annotations

import math
import re

from resultproc.model.codes import UNREADABLE
from resultproc.model.errors import InputError

LARGEST = 1e9
"""No score is larger."""


def number(text: str, low: float = -LARGEST, high: float = LARGEST, *, thousands: bool = False) -> float:
    """Return a number as a sheet writes it: 133, 133.50, 1,234.5, 133,50, 133½, -4 or 45*; raise ValueError for others.

    low, high: between which it lies. A single comma before three digits stands for thousands or for decimals: where
    either reading lies there, it is refused. thousands: whether it stands for thousands, as of what has two decimals.
    """
    if _PLAIN.fullmatch(text):  # as most are
        return float(text)
    plain = _without_signs(text)
    several = [plain.replace(",", ""), plain.replace(",", ".")][: 1 if thousands else 2]
    if _THOUSANDS_OR_DECIMALS.fullmatch(plain):
        readings = [each for each in several if low <= float(each) <= high] or several[-1:]
        if len(readings) > 1:
            raise ValueError(f"'{text}' may mean {readings[1]} or {readings[0]}; write it without the comma")
        plain = readings[0]
    if len(plain) > _LONGEST or not _NUMBER.fullmatch(plain):
        likely = likely_number(text, digits=1)
        hint = f"is it {likely}?" if likely else "write it as 133 or 133.50"
        raise ValueError(f"invalid number: '{text}'; {hint}")
    value = float(_with_point(plain))
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"number out of range: {text}")
    return value


def number_at(text: str, where: str, name: str = "") -> float | None:
    """Return the number that a text is, None for an empty one; raise InputError with its place for any other text.

    name: what the file calls it, for the message.
    """
    try:
        return number(text) if text else None
    except ValueError as error:
        raise InputError(f"{name}: {error}" if name else str(error), where, code=UNREADABLE) from None


def likely_number(text: str, digits: int = 2) -> str:
    """Return the number that a text with slips of the keyboard is, ``S2.08``; empty for others and for fewer digits."""
    if sum(map(str.isdigit, text)) < digits or not _SLIPPED.fullmatch(text.strip()):
        return ""
    plain = re.sub(r"[.,:;]+\s*|\s+[.,]", ".", text.strip().translate(_MEANT))
    return plain if _PLAIN.fullmatch(plain.rstrip("%½¼¾")) and plain != text.strip() else ""


_SLIPPED = re.compile(r"[0-9OoQlI|SsBbGZz]+(?:\s?[.,:;]+\s?[0-9OoQlI|SsBbGZz]+|[½¼¾])?%?")
_MEANT = str.maketrans("OoQlI|SsBbGZz", "0001115586622")
"""Letters that look like digits, and these."""


def number_of(text: str) -> float | None:
    """Return the number that a cell seems to hold, None where it holds none: what a column is, is seen by such.

    A single comma is taken for one of decimals, and a percentage has its sign or not.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    if len(text) > _LONGEST or not _DIGIT.search(text):  # as of all names
        return None
    plain = _without_signs(without_marks(text).rstrip("% "))
    found = _NUMBER.fullmatch(plain)
    return float(_with_point(plain)) if found and not found[1] else None  # 2E5 may be a seat


def share_of(text: str) -> float | None:
    """Return the score that a cell seems to hold, by itself or before the most that it could have been."""
    found = SHARE.fullmatch(text) if "/" in text else None
    return number_of(found[1] if found else text)


def may_score(text: str) -> bool:
    """Say whether a text is a score, or one with a slip, which is told."""
    return share_of(text) is not None or likely_number(text) != ""


_OF_SHARE = "([0-9]+(?:[.,][0-9]+|[½¼¾]|[ -](?:1/2|[13]/4))?|[½¼¾])"
SHARE = re.compile(rf"{_OF_SHARE}\s*/\s*{_OF_SHARE}")
"""A score and the most that it could have been: ``143/288``."""

_DIGIT = re.compile("[0-9½¼¾]")
_LONGEST = 100
"""No number has more signs; to look for one in what is longer could take minutes."""
_PLAIN = re.compile(r"-?[0-9]{1,9}(\.[0-9]+)?")
_THOUSANDS_OR_DECIMALS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]+[.,]?[0-9]*|[.,][0-9]+)(e[-+]?[0-9]{1,2})?", re.IGNORECASE
)


def without_marks(text: str) -> str:
    """Return a number without the marks of footnotes or the unit behind it, or brackets: ``45%*``, ``45 (1)``."""
    if text[-1:].isdigit() or len(text) > _LONGEST:
        return text
    found = re.fullmatch(BRACKETED, text)
    return found[1] if found else re.sub(_MARKS, "", text)


_UNITS = "points?|pts|pkt|vps?|mps?|imps?|pct|percent"
_MARKS = rf"(?i)\s*(?:\s*\([0-9]{{1,2}}\)|[*\u2020\u2021\u00a7\s]+|(?<=[0-9\s])(?:{_UNITS})\.?)$"
BRACKETED = r"\(([0-9]{1,3}[.,][0-9]+ ?%?|[0-9]{1,3} ?%)\)"
"""A score in brackets: without decimals or a sign it is the mark of a footnote."""


def _without_signs(text: str) -> str:
    """Return a number without marks of footnotes after it, with a hyphen for a minus and decimals for a fraction."""
    plain = without_marks(re.sub("^\\s*[\u2010-\u2014\u2212-]\\s?", "-", text)).strip()
    plain = FRACTION.sub(lambda found: FRACTIONS[found[1]], plain) if plain.endswith(("2", "4")) else plain
    return f"{plain[:-1].rstrip()}{_DECIMALS[plain[-1]]}" if plain.endswith(tuple(_DECIMALS)) else plain


FRACTION = re.compile(r"(?<=[0-9])[ -](1/2|[13]/4)(?![\w/])")
FRACTIONS = {"1/2": "½", "1/4": "¼", "3/4": "¾"}
"""What stands behind a whole number, ``88 1/2``, and how it is written in one sign."""

_DECIMALS = {"½": ".5", "¼": ".25", "¾": ".75"}


def _with_point(plain: str) -> str:
    """Return a number with a decimal point, and nothing between its thousands: a single comma is a decimal one."""
    return plain.replace(",", "." if plain.count(",") == 1 and "." not in plain else "")


def number_cell(value: float) -> str:
    """Return a number without loss, in the shortest spelling: ``133``, ``61.57``."""
    return repr(float(value)).removesuffix(".0")


def decimals(value: float) -> str:
    """Return a number with two decimals, or with as many as it has."""
    return f"{value:.2f}" if round(value, 2) == value else number_cell(value)


MINUS = "\u2212"
"""The sign before negative numbers that people read."""


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th, ..., 21st."""
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def decimal_text(hundredths: int) -> str:
    """Return hundredths of a masterpoint as a decimal string: 63 is ``0.63``."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"
