"""Numbers as a person reads them."""

from __future__ import annotations


def decimal_text(hundredths: int) -> str:
    """Return hundredths of a masterpoint as a decimal string: 63 is ``0.63``."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th, ..., 21st."""
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
