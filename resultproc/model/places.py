"""Places in a ranking, as people write them and as lists show them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

from resultproc.model.numbers import ordinal


def place_text(position: int, tied: int) -> str:
    """Return a place as lists show it: ``2``, or of a tie with all the places that it takes up ``2/3``."""
    return str(position) if tied == 1 else f"{position}/{position + tied - 1}"


def ordinal_text(position: int, tied: int) -> str:
    """Return a place in a sentence: ``2nd``, or of a tie the same as lists show, ``2/3``."""
    return ordinal(position) if tied == 1 else place_text(position, tied)


def ranks_in(text: str) -> dict[str, str]:
    """Return the ranks of a printed column by stratum, ``A=2/3, B=1``; none where the text says anything else."""
    ranks = dict(_RANK.findall(text))
    return ranks if text == ranks_text(ranks) else {}


def ranks_text(ranks: Mapping[str, str]) -> str:
    """Return ranks by stratum as the printed columns have them."""
    return ", ".join(f"{letter}={rank}" for letter, rank in ranks.items())


_RANK = re.compile("([A-Z])=([1-9][0-9]{0,5}(?:/[1-9][0-9]{0,5})?)")


def rank_texts(fields: Iterable[Hashable], places: Iterable[int | None]) -> list[str | None]:
    """Return ranks as the printed columns have them, ``A=2/3`` for a tie.

    places: one per contestant; what is no place is passed over. fields: whom each is ranked with.
    """
    ranks = [(field, place) if place else None for field, place in zip(fields, places, strict=True)]
    tied = Counter(ranks)
    return [rank and f"A={rank[1]}" + (f"/{rank[1] + tied[rank] - 1}" if tied[rank] > 1 else "") for rank in ranks]


def place_of(text: str) -> int | None:
    """Return the place that a text is: ``2``, ``2nd``, ``2 m.``, ``2=``, ``T2``, ``2/3``, ``2 ex aequo``, or None."""
    found = re.fullmatch(_PLACE, text.strip(), re.IGNORECASE)
    return int(found[1]) if found else None


DITTO = ("=", '"', "''", "\u2033", "\u3003")
"""What stands for the place of the row above."""

_TIED = "(?:tied?|joint|equal|eq|t|ex(?:[ -]?[aæ]e?quo)?)"

ORDINAL_ENDING = "(?:st|nd|rd|th|er|re|i?[eè]re|e|nde?|i?[eè]me|ste|de|:?[ae]|o|º|ª|°|m)"
"""What stands behind an ordinal number, in any of the languages."""

NUMBER_SIGN = (
    r"(?:n(?:o|r|ro|úm|[º°])\.?|(?:pair|paire?|paar|pareja|para|par|pereche|coppia|dupla)(?= ?[0-9]+(?:[:.)]|\s|$)))"
)
"""What stands before a number and says that it is one: ``No. 3``, ``Nr 3``, ``N° 3``, ``Pair 3:``."""

_ENDING = rf"(?:\s?{ORDINAL_ENDING})?"
_SEVERAL = rf"(?:\s?[/\u2013-]\s?[0-9]{{1,6}}{_ENDING})?"
# Not compiled before a text needs it: that takes a millisecond of every start.
_PLACE = (
    rf"(?:{_TIED}[\s.-]*|[=#]\s?|{NUMBER_SIGN}\s?|\((?=[0-9]+\)))?([0-9]{{1,6}}){_ENDING}\s?[.)]?{_SEVERAL}"
    rf"(?:\s?=|[\s-]*\(?{_TIED}\.?\)?)?[.:-]?"
)
