"""The players of a contestant: names in one cell or several, parted as people part them, with member numbers or not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from resultproc.formats.lists.words import is_title
from resultproc.model.values import tidy

_WIDE = re.compile(
    r"\s*[\t&+;]\s*|\s*/\s*|\s+[-\u2013\u2014]+\s*|\s*[-\u2013\u2014]+\s+|\s*\u2013\s*|(?<=[)\]])[-\u2010]|"
    # A capital letter alone is an initial, but between names in capitals.
    r"\s+(?:and|et|und|si|și|with|(?-i:[yie])|(?-i:(?<=[A-Z]{2} )[YE](?= [A-Z]{2})))\s++"
    # ``Tom And & Bob Roe``: before another sign it is a name.
    r"(?![&+;/\u2013\u2014-]|(?:and|et|und|si|și|with)\s)",
    re.IGNORECASE,
)
"""What stands between names, with blanks around it where a name may have it in itself."""

_NARROW = re.compile(r"(?<=\w)[-\u2010](?=\w)")
_MEMBER = re.compile(r"^(.*?[^\W\d_].*?)(?:[\s,]+[(\[#]?|[(\[#])\s*([A-Z]?[0-9]{4,9}[A-Z]?)\s*[)\]]?$")
_MEMBER_FIRST = re.compile(r"^[(\[#]?([A-Z]?[0-9]{4,9}[A-Z]?)[)\]]?[\s,:-]+(.*[^\W\d_].*)$")
_COMMA = re.compile(r"\s*,\s*")
_MARKS = re.compile(r"^[\s*\u2022.]+|[\s*\u2022]+$")


def players_of(texts: Sequence[str]) -> list[list[str]]:
    """Return the names in each cell of one column: parted in the same way in all of them."""
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
    """Return the names of a cell; of ``Mr & Mrs J Smith`` and ``J & M Smith`` the family's is that of both."""
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
