"""Numbers as people write them, and as sheets and pages show them."""

from __future__ import annotations

import math
import re
from functools import lru_cache

LARGEST = 1e9
"""No score is larger."""


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


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th, ..., 21st."""
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def decimal_text(hundredths: int) -> str:
    """Return hundredths of a masterpoint as a decimal string: 63 is ``0.63``."""
    return f"{hundredths // 100}.{_TWO_DIGITS[hundredths % 100]}"


# Thousands are written: to look up two digits takes less than half as long as to format them.
_TWO_DIGITS = [f"{number:02d}" for number in range(100)]


NUMBER = re.compile(
    r"[-+\u2010-\u2014\u2212]?\s?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]*[.,]?[0-9]+|[0-9]+[.,]?|[0-9]*½)[%*\s]*"
)
"""A number with a decimal point or comma, and what may be after it."""


SHARE = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*/\s*([0-9]+(?:[.,][0-9]+)?)")
"""A score and the most that it could have been: ``143/288``."""


@lru_cache(maxsize=4096)
def number_of(text: str) -> float | None:
    """Return the number that a cell holds, None where it holds none; each cell is asked many times."""
    if not NUMBER.fullmatch(text):
        return None
    return float(decimal_number(text))


def decimal_number(text: str) -> str:
    """Return a number with a decimal point, and nothing between its thousands: a single comma is a decimal one."""
    digits = re.sub(r"[%*\s]", "", text).replace("½", ".5")
    digits = re.sub("^[\u2010-\u2014\u2212]", "-", digits)
    return digits.replace(",", "." if digits.count(",") == 1 and "." not in digits else "")


def share_of(text: str) -> float | None:
    """Return the score that a cell holds, by itself or before the most that it could have been."""
    found = SHARE.fullmatch(text)
    return number_of(found[1]) if found else number_of(text)
