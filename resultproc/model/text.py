"""Texts as people write them: in one spelling, compared as words are, and read in the wrong code page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from resultproc.model.game import number_text
from resultproc.model.toml import toml_beside

_NO_CHARACTER = "[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
"""What no file of text, and no XML, may hold; none of it is printable. To compile it takes a millisecond."""

SYMBOLS = "\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"
"""Small pictures, such as medals and suits, in a class of a pattern."""


def tidy(text: str) -> str:
    """Return a name or word in one spelling: Unicode NFC, every run of blanks one blank, none at the ends."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def cell_text(value: object) -> str:
    """Return a text as a cell holds it: on one line, and with a replacement sign for what is no character."""
    text = tidy(str(value))
    return text if text.isprintable() else tidy(re.sub(_NO_CHARACTER, "\ufffd", text))


def text_there(value: object) -> str:
    """Return a text as it is, '' for what is missing."""
    return value if isinstance(value, str) else ""


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

_LEFT_OUT = {ord(sign): None for sign in (*filter(str.isspace, map(chr, range(128))), *".:_*")}
"""What words are compared without, as far as it is ASCII."""


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return a text without letter case, accents, blanks, dots and colons, as words are compared."""
    if text.isascii():
        return text.casefold().translate(_LEFT_OUT)
    return re.sub(r"[\s.:_*]+", "", without_accents(text.casefold().replace("№", "nr")))


_STROKES = str.maketrans(
    dict(zip("łŁøØđĐħĦŧŦðÐ", "lLoOdDhHtTdD", strict=True))
    | {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
)
"""Letters with a stroke through them, and two in one, which Unicode does not part as it does accents."""


def without_accents(text: str) -> str:
    """Return a text with plain letters for those with accents and strokes: Łukasz Müller is Lukasz Muller."""
    return re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text.translate(_STROKES)))


def counted(number: float, what: str) -> str:
    """Return ``1 table``, ``7½ tables``."""
    text = number_text(number)
    half = text.removesuffix(".5") + "½" if text.endswith(".5") else text
    return f"{half} {what}" + ("" if number == 1 else "s")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a sentence lists them: ``a``, ``a and b``, ``a, b and c``."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


@cache
def vocabulary() -> Mapping[str, Any]:
    """Return the words of lists in all languages by their parts, such as ``months``: see ``words.toml``."""
    words = toml_beside(__file__, "words.toml")
    return {part: said if part == "listings" else _parted(said) for part, said in words.items()}


def _parted(said: Any) -> Any:
    """Return the words that stand in a text with commas between them, in each part of a table."""
    if isinstance(said, str):
        return [word.strip() for word in said.split(",")]
    return {name: _parted(each) for name, each in said.items()}


def either(words: Iterable[str]) -> str:
    """Return what a pattern has for any of some words or patterns: the longest first, which may begin with another."""
    return "|".join(sorted(words, key=len, reverse=True))


def natural_order(text: str) -> list[tuple[int, int, str]]:
    """Return what numbers and names are in order by: 2 before 10, 10 before 10A, and numbers before letters."""
    parts = re.findall("([0-9]+)|([^0-9]+)", text)
    return [(0, int(digits), "") if digits else (1, 0, other) for digits, other in parts]


def is_nothing(text: str) -> bool:
    """Say whether the text of a cell stands for nothing: dashes, and what databases and spreadsheets write."""
    return len(text) < _LONGEST_NOTHING and (not text.strip(_DASHES) or text.casefold() in _NOTHING)


def is_no_name(text: str) -> bool:
    """Say whether the text of a cell for a first or last name stands for nothing: some are called Null, or None."""
    return is_nothing(text) and not text.istitle()


_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_NOTHING = frozenset({"n/a", "#n/a", "null", "none"})
_LONGEST_NOTHING = 5
