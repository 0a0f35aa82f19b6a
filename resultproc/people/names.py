"""Names as people write them: several in a cell, with titles and member numbers beside them, and by their surname."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from resultproc.model.text import folded, tidy, vocabulary

_WIDE = re.compile(
    r"\s*[\t\n&+;|]\s*|\s*/\s*|\s+[-\u2013\u2014]+\s*|\s*[-\u2013\u2014]+\s+|\u2013(?!(?-i:[a-z]))|(?<=[)\]])[-\u2010]|"
    # A capital letter alone is an initial, but between names in capitals.
    r"\s+(?:and|et|und|si|și|och|og|en|ja|és|with|mit|met|avec|con|(?-i:[yie])|"
    r"(?-i:(?<=[A-Z]{2} )[YE](?= [A-Z]{2})))\s++"
    # ``Tom And & Bob Roe``: before another sign it is a name.
    r"(?![&+;/\u2013\u2014-]|(?:and|et|und|si|și|with)\s)|\s{2,}",
    re.IGNORECASE,
)
"""What stands between names, with blanks around it where a name may have it in itself."""

_AND = "and|et|und|si|și|och|og|en|ja|és|with|mit|met|avec|con|[yieYE]"
BETWEEN = rf"[-\u2013\u2014+/&;|]|[^A-Za-z](?:{_AND})[^A-Za-z]"
"""What every cell of several names has: hardly any other, which need be looked at more closely."""

_NARROW = re.compile(r"(?<=\w)[-\u2010](?=\w)")
_MEMBER = re.compile(r"^(.*?[^\W\d_].*?)(?:[\s,]+[(\[#]?|[(\[#])\s*([A-Z]?[0-9]{4,9}[A-Z]?)\s*[)\]]?$")
_MEMBER_FIRST = re.compile(r"^[(\[#]?([A-Z]?[0-9]{4,9}[A-Z]?)[)\]]?[\s,:-]+(.*[^\W\d_].*)$")
_COMMA = re.compile(r"\s*,\s*")
_MARKS = re.compile(r"^[\s*\u2022.]+|[\s*\u2022]+$")


def split_players(texts: Sequence[str]) -> list[list[str]]:
    """Return the names in each cell of one column: divided in the same way in all of them."""
    wide = [[part for part in map(_bare, _WIDE.split(text)) if part] for text in texts]
    several = sum(len(names) > 1 for names in wide)
    if several > len(texts) / 3:
        return [_of_one_family(_narrow(names)) for names in wide]
    if sum(len(_NARROW.findall(text)) == 1 for text in texts) >= 0.8 * len(texts):
        return [[_bare(part) for part in _NARROW.split(text, maxsplit=1)] for text in texts]
    commas = [[part for part in map(_bare, _COMMA.split(text)) if part] for text in texts]
    counts = {len(names) for names in commas}
    # ``Ash, Ann`` is one name, and ``Ann Ash, Bob Birch`` are two.
    if len(counts) == 1 and counts != {1} and all(" " in name for names in commas for name in names):
        return commas
    return [[_bare(text)] if _bare(text) else [] for text in texts]


def _narrow(names: list[str]) -> list[str]:
    """Return the names of a cell; a single one with a hyphen, where others have two, is two."""
    if len(names) == 1 and len(_NARROW.findall(names[0])) == 1 and " " not in names[0]:
        return _NARROW.split(names[0])
    return names


def _of_one_family(names: list[str]) -> list[str]:
    """Return the names of a cell; in ``Mr & Mrs J Smith`` and ``J & M Smith`` both have the family's name."""
    if len(names) != 2:
        return names
    first, second = (name.split() for name in names)
    before = next((n for n, word in enumerate(second) if not (is_title(word) or _is_initial(word))), len(second))
    family = second[before:]
    if not family or not all(is_title(word) or _is_initial(word) for word in first):
        return names
    initials = [] if any(map(_is_initial, first)) else [word for word in second[:before] if not is_title(word)]
    return [" ".join([*first, *initials, *family]), names[1]]


def _is_initial(word: str) -> bool:
    return re.fullmatch(r"(?:[^\W\d_]\.?-?){1,2}", word) is not None and (len(word) == 1 or "." in word)


def are_numbered(names: Sequence[str]) -> bool:
    """Say whether most names of a list have a member number beside them: digits of the rest are of the names."""
    return 2 * sum(member_of(name, numbered=True)[1] != "" for name in names) >= len(names)


def member_of(name: str, *, numbered: bool) -> tuple[str, str]:
    """Return a name without the member number beside it, and that; empty where there is none.

    numbered: whether the names of the list have numbers; else one in brackets is meant so alone.
    """
    if not numbered and not re.search(r"[(\[#]", name):
        return name, ""
    if found := _MEMBER.match(name):
        return tidy(found[1]).rstrip(" ,(["), found[2]
    if found := _MEMBER_FIRST.match(name):
        return tidy(found[2]), found[1]
    return name, ""


def _bare(text: str) -> str:
    return tidy(_MARKS.sub("", text))


def names_in(text: str) -> list[str]:
    """Return the names that a cell holds by itself: ``Smith - Jones``, ``Smith / Jones``, ``Smith et Jones``.

    A hyphen or comma without more may be in a name: those of a whole column tell, see :func:`split_players`.
    """
    return [part for part in map(_bare, _WIDE.split(text)) if part]


def are_several(text: str) -> bool:
    """Say whether a text holds several names, and not one that happens to have a sign in it."""
    names = names_in(text)
    return len(names) > 1 and all(map(_LIKE_A_NAME.search, names))


_LIKE_A_NAME = re.compile(r"[^\W\d_]{2}")


@cache
def _titles() -> frozenset[str]:
    return frozenset(map(folded, vocabulary()["titles"]))


def is_title(word: str) -> bool:
    """Say whether a word before a name is a title: ``Mr``, ``Mme.``."""
    return folded(word).rstrip(".") in _titles()


def by_surname(name: str) -> tuple[str, str]:
    """Return what a name is sorted by: the surname, then all of it, without case, accents and signs.

    The surname is the last word, whatever signs it has in itself: D'Arcy, Müller-Lüdenscheidt; or what is before a
    comma.
    """
    surname, comma, given = name.partition(",")
    words = [re.sub(r"\W", "", folded(word)) for word in (f"{given} {surname}" if comma else name).split()]
    return words[-1] if words else "", " ".join(words)
