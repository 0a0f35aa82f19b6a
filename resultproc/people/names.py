"""Names as people write them: several in a cell, with titles and member numbers beside them, and by their surname."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from resultproc.model.directions import direction_of
from resultproc.model.game import leagues
from resultproc.model.text import SYMBOLS, folded, tidy, vocabulary, without_accents

_WIDE = re.compile(
    r"(?=[\s&+;|/\\,\u2010\u2013\u2014-])(?:\s*[\t\n&+;|]\s*|\s*/\s*|\s+[-\u2013\u2014]+\s*|\s*[-\u2013\u2014]+\s+|\s*-{2,}\s*|\s*\\\s*|\s+[\u00b7\u2022~]\s+|\u2013(?!(?-i:[a-z]))|(?<=[)\]])[-\u2010]|"
    r"(?<=[0-9]{4}),\s*|,\s*(?=[0-9]{4,9} [-\u2013\u2014] )|"
    # A capital letter alone is an initial, but between names in capitals.
    # ``Con``, ``Si`` and ``Ja`` are first names.
    r"\s+(?!(?-i:Con|Si|Ja)\b)(?:and|et|und|si|și|och|og|en|ja|és|with|mit|met|avec|con|(?-i:u\.)|(?-i:[yie])|"
    r"(?-i:(?<=[A-Z]{2} )[YE](?= [A-Z]{2})))\s++"
    # ``Tom And & Bob Roe``: before another sign it is a name.
    r"(?![&+;/\u2013\u2014-]|(?:and|et|und|si|și|with)\s)|\s{2,})",
    re.IGNORECASE,
)
"""What stands between names, with blanks around it where a name may have it in itself; what it begins with is first."""

_AND = "and|et|und|si|și|och|og|en|ja|és|with|mit|met|avec|con|[yieYE]"
_BETWEEN = rf"(?i)[-\u2010\u2013\u2014+/&;|\u00b7\u2022\\~\t\n]|[0-9],|,\s*[0-9]|\s(?:\s|(?:{_AND}|u\.)\s)"
"""What every cell of several names has: hardly any other, which need be looked at more closely."""

_NARROW = re.compile(r"(?<=\w)[-\u2010](?=\w)")
_DIGITS = "[A-Z]?[0-9]{4,9}[A-Z]?"
# Not compiled before something stands beside a name: all of them take milliseconds of every start.
_NUMBER = rf"[(\[#\s]*{_DIGITS}\s*[)\]]?(?:\s*(?:[(\[][^()\[\]]*[)\]]|[*\u2020\u2021\u00a7]+))*"
_LABEL = rf"(?:(?:(?:member|{'|'.join(leagues())}|no|nr|id|n[°º])\b[.:°º]*\s*)+(?=[#\s]*[A-Z]?[0-9]))?"
_MEMBER = rf"^(.*?[^\W\d_].*?)(?:[\s,:\u2013-]+[(\[#]*|[(\[#]+)\s*(?i:{_LABEL})#?\s*({_DIGITS})\s*[)\]]?$"
_MEMBER_FIRST = rf"^[(\[#]*(?i:{_LABEL})#?\s*({_DIGITS})[)\]]?[\s,:\u2013-]+(.*[^\W\d_].*)$"
_DIGIT = re.compile("[0-9]")
_DIGITS_OF_ONE, _MEANT = re.compile("[0-9]{4}"), re.compile(r"[(\[#]|[0-9]{5}")
_COMMA = re.compile(r"\s*,\s*")
_MARKS = re.compile(r"^[\s*\u2022.]+|\s*\.{3,}$|(?:\s+\.+)+$|[\s\u2022\u2026_=]+$")
_MARK = rf"\u2020\u2021\u00a7{SYMBOLS}"
_NOTE = rf"(.*[^\W\d_].*?)\s*(?:[(\[]([^()\[\]]*)[)\]]|([*{_MARK}]+\)?)|\s([0-9]{{1,3}}[.,][0-9]+))"
_NOTE_FIRST = rf"([{_MARK}]+)\s*(.*\w.*)"
_NOTED = rf"[(\[*{_MARK}]|[0-9][.,]"
_BESIDE = re.compile(rf"[0-9(\[*\u2026\u2022_{_MARK}]|\.\s?\.")


class Player(NamedTuple):
    """A name, with the member number that stands beside it and what else does: ``late``, ``sub``, ``*``."""

    name: str
    member: str = ""
    notes: tuple[str, ...] = ()


def split_players(texts: Sequence[str]) -> list[list[str]]:
    """Return the names in each cell of one column, divided in the same way in all of them.

    What stands beside a name is with it still: see :func:`players_of`.
    """
    texts = _without_stops(texts)
    wide = _with_clubs(texts, list(map(_with_remark, texts, _with_strata(list(map(names_in, texts))))))
    several = sum(len(names) > 1 for names in wide)
    if several > len(texts) / 3:
        return list(map(_narrow, wide))
    commas = [whole if len(whole) > 1 else _parts(_COMMA, text) for whole, text in zip(wide, texts, strict=True)]
    counts = {len(names) for names in commas}
    # ``Ash, Ann`` is one name, and ``Ann Ash, Bob Birch`` are two.
    apart = [name for names, whole in zip(commas, wide, strict=True) for name in names if len(whole) < 2]
    if len(counts) == 1 and counts != {1} and all(" " in name for name in apart):
        return commas
    if sum(len(_NARROW.findall(text)) == 1 for text in texts) >= 0.8 * len(texts):
        return [[_bare(part) for part in _NARROW.split(text, maxsplit=1)] for text in texts]
    return [[*filter(None, [_bare(text)])] for text in texts]


def _without_stops(texts: Sequence[str]) -> Sequence[str]:
    """Return cells without the full stop that ends nearly all of them, as sentences; initials have one, too."""
    if len(texts) < _FEW or sum(text[-1:] == "." for text in texts) < _MOST_LETTERED * len(texts):
        return texts
    ended = [_STOPPED.sub("", text) for text in texts]
    return ended if sum(map(str.__ne__, texts, ended)) >= _MOST_LETTERED * len(texts) else texts


_FEW = 3
_STOPPED = re.compile(r"(?<=[^\W\d_]{3})\.$")


def _with_strata(wide: list[list[str]]) -> list[list[str]]:
    """Return the names of cells, with the letter of a stratum beside the last of them: ``Ash - Birch - A``."""
    letters = [re.fullmatch(_LETTER, names[-1]) if len(names) > 2 else None for names in wide]
    if sum(map(bool, letters)) < max(_MOST_LETTERED * len(wide), 2):
        return wide
    pairs = zip(wide, letters, strict=True)
    return [[*names[:-2], f"{names[-2]} ({found[1]}){found[2]}"] if found else names for names, found in pairs]


def _with_clubs(texts: Sequence[str], wide: list[list[str]]) -> list[list[str]]:
    """Return the names of cells, with what is no player's beside two: ``Ash & Birch · Elks``, ``Elks - Ash & Birch``.

    So it is where the two names are joined by ``and`` or the like, and the third text is parted from them by another
    sign, in half the cells or more; unless these texts are as names are, of two words, and none stands there twice.
    """
    third = [_third(text) if len(names) == 3 else None for text, names in zip(texts, wide, strict=True)]
    beside_two = [names[at] for names, at in zip(wide, third, strict=True) if at is not None]
    alike = len({*beside_two}) < len(beside_two) or not all(" " in text for text in beside_two)
    if 2 * len(beside_two) < max(len(wide), 4) or not (alike or any(map(_names_club, beside_two))):
        return wide
    found = []
    for names, at in zip(wide, third, strict=True):
        first, second = [name for n, name in enumerate(names) if n != at][:2] if at is not None else ("", "")
        beside = re.sub(r"[()\[\]]", "", names[at]).strip() if at is not None else ""  # a note has no brackets within
        found.append(names if at is None else [first, f"{second} ({beside})"])
    return found


def _names_club(text: str) -> bool:
    """Say whether a text has a word that clubs call themselves by, in any of the languages."""
    words = "|".join((*vocabulary()["labels"]["club"], *vocabulary()["clubs"]["words"]))
    return re.search(rf"\b(?:{words})\b", without_accents(text.casefold())) is not None


def _third(text: str) -> int | None:
    """Return which of three texts is no player: the first, 0, or the last, 2; None where nothing tells."""
    joined = _joined(text)
    return 2 if joined == [True, False] else 0 if joined == [False, True] else None


def _joined(text: str) -> list[bool]:
    """Return of each sign between names whether it joins two, as ``&`` does."""
    return [re.fullmatch(_JOINING, sign.strip()) is not None for sign in _WIDE.findall(_without_notes(text))]


def _with_remark(text: str, names: list[str]) -> list[str]:
    """Return the names of a cell, with a remark beside one of two: ``Ann Ash - visitor & Bob Birch``.

    The two are joined by ``and`` or the like, and another sign parts the remark. ``Ann Ash - visitor`` is a pair.
    """
    at = next((n for n in (1, 2) if re.fullmatch(_REMARK, names[n])), 0) if len(names) == 3 else 0
    if not at or _joined(text) != [at == 2, at == 1]:
        return names
    return [*names[: at - 1], f"{names[at - 1]} ({names[at]})", *names[at + 1 :]]


_REMARK = r"(?i)(?:visit(?:or|eur|ante)|guest|substitute|sub|gast|invitée?|invitad[oa]|remplaçante?|ersatz|invaller)"
_JOINING = rf"(?i)[&+]|{_AND}|(?-i:u\.)"

_LETTER = r"([A-F])((?:\s*(?:[(\[][^()\[\]]*[)\]]|[*\u2020\u2021\u00a7]+))*)"
_MOST_LETTERED = 0.8
"""As large a part of a list has a stratum behind its names."""


def _parts(sign: re.Pattern[str], text: str) -> list[str]:
    """Return the names between signs; a member number that stands alone is beside the name before it.

    Or the one after it, where the first of all is such a number.
    """
    parts = [part for part in map(_bare, _divided(sign, text)) if part]
    alone = [re.fullmatch(_NUMBER, part) is not None for part in parts] if _DIGIT.search(text) else []
    if not any(alone) or all(alone):
        return parts
    first = alone[0]
    found: list[str] = []
    for part in parts[::-1] if first else parts:
        if found and re.fullmatch(_NUMBER, part):
            found[-1] = f"{part} {found[-1]}" if first else f"{found[-1]} {part}"
        else:
            found.append(part)
    return found[::-1] if first else found


def _divided(sign: re.Pattern[str], text: str) -> list[str]:
    """Return a text's parts between signs; those in brackets part none where another does: ``Ash & Birch (D/NL)``.

    Nor do those of a number: ``The Aces (+6)``.
    """
    bare = _without_notes(text)
    if bare == text:
        return sign.split(text)
    spans = [found.span() for found in sign.finditer(bare)]
    if not spans:
        return [text] if re.search(r"[(\[][-+]?[0-9.,]+[)\]]", text) else sign.split(text)
    return [text[end:begin] for (_, end), (begin, _) in pairwise([(0, 0), *spans, (len(text), 0)])]


def _without_notes(text: str) -> str:
    """Return a text as long as it is, with nothing to be seen of what is in brackets."""
    if "(" not in text and "[" not in text:
        return text
    return re.sub(r"(?<=[(\[])[^()\[\]]*(?=[)\]])", lambda found: "x" * len(found[0]), text)


def _narrow(names: list[str]) -> list[str]:
    """Return the names of a cell; a single one with a hyphen, where others have two, is two: or with a comma."""
    if len(names) == 1 and len(_NARROW.findall(names[0])) == 1 and " " not in names[0]:
        return _NARROW.split(names[0])
    apart = _parts(_COMMA, names[0]) if len(names) == 1 else []
    return apart if len(apart) == 2 and all(" " in name for name in apart) else names


def players_of(listed: Sequence[Sequence[str]], *, together: bool = True, noted: bool = True) -> list[list[Player]]:
    """Return the players of contestants, each name without the member number and the notes beside it.

    together: whether the names of each stood in one cell, where two may share a surname: ``Mike & Liz Poplar``.
    noted: whether a name may have notes beside it; a file that a program wrote has names alone.
    """
    if are_bare(chain.from_iterable(listed)):
        people = [list(map(Player, names)) for names in listed]
    else:
        # Where most have a member number beside them, digits of the rest are of the names.
        found = [[member_of(name) for name in names] for names in listed]
        named = sum(name != "" for names in listed for name in names)
        numbered = 2 * sum(member != "" for each in found for _, member in each) >= named
        people = [
            [_player(name, first, numbered, noted) for name, first in zip(names, each, strict=True)]
            for names, each in zip(listed, found, strict=True)
        ]
    pairs = [each for each in people if len(each) == 2]
    alone = sum(not any(" " in player.name for player in pair) for pair in pairs)
    if together and 4 * alone <= len(pairs):  # else these are lists of surnames
        for each in pairs:
            names = [player.name for player in each]
            begin = names[0].partition(" ")[0]
            # A surname may be that of two where a name has one word, or titles or initials.
            if not all(" " in name for name in names) or _is_initial(begin) or is_title(begin):
                shared = zip(each, of_one_family(names), strict=True)
                each[:] = [player._replace(name=name) for player, name in shared]
    return people


def are_bare(names: Iterable[str | None]) -> bool:
    """Say whether nothing stands beside some names, such as a member number or a note: as in most lists."""
    return not _BESIDE.search("\n\n".join(filter(None, names)))


_LONGEST = 400
"""What is longer is prose, and nothing stands beside it; to look could take minutes."""


def _player(text: str, first: tuple[str, str], numbered: bool, noted: bool) -> Player:
    """Return a name and what stands beside it, which may be several things on either side.

    first: what ``member_of`` finds in it. numbered: whether the names of the list have numbers; else one in brackets or
    of many digits is meant so alone.
    """
    player = Player(text)
    noted = noted and re.search(_NOTED, text) is not None
    while len(text) <= _LONGEST:
        name, member = "", ""
        if not player.member and (numbered or _MEANT.search(player.name)):
            name, member = first if player.name is text else member_of(player.name)
        if member:
            player = Player(name, member, player.notes)
        elif noted and (found := re.fullmatch(_NOTE, player.name)):
            player = player._replace(
                name=_bare(found[1]), notes=(found[2] or found[3] or found[4] or "()", *player.notes)
            )
        elif noted and (found := re.fullmatch(_NOTE_FIRST, player.name)):
            player = player._replace(name=_bare(found[2]), notes=(*player.notes, found[1]))
        else:
            return player
    return player


def of_one_family(names: Sequence[str]) -> list[str]:
    """Return the names of a cell; a family's name that two share and that is written once is that of both.

    So it is in ``Mike & Liz Poplar``, ``J & M Smith``, ``Mr & Mrs J Smith`` and ``POPLAR Mike & Liz``.
    """
    if len(names) != 2:
        return [*names]
    first, second = (name.split() or [""] for name in names)
    # ``M.`` is a title before ``Mme``, and an initial before others, another ``M.`` too.
    titled = is_title(second[0]) and not _is_initial(second[0])
    called = [word for word in first if not is_title(word) or (_is_initial(word) and not titled)]
    given = [is_title(word) or (_is_initial(word) and not _begins_surname(word)) for word in second]
    before = given.index(False) if False in given else len(second)
    if before and second[before:] and all(map(_is_initial, called)):
        initials = [] if called else [word for word in second[:before] if not is_title(word)]
        return [" ".join([*first, *initials, *second[before:]]), names[1]]
    rest = [word for word in second if not is_title(word)]
    if len(called) == 1 and len(rest) > 1 and rest[0][0].isupper() and not called[0].endswith(","):
        at = next((n for n, word in enumerate(rest[:-1]) if n and _begins_surname(word)), len(rest) - 1)
        return [" ".join([*first, *rest[at:]]), names[1]]
    # Surnames before first names have a comma behind them, or are in capitals.
    if len(second) == 1 < len(first) and (first[0].endswith(",") or _is_loud(first[0]) > _is_loud(first[1])):
        return [names[0], f"{first[0]} {names[1]}"]
    return [*names]


def _begins_surname(word: str) -> bool:
    """Say whether a word within a name begins the surname: ``van``, ``Von``, ``St.``."""
    return word[0].islower() or folded(word).rstrip(".") in vocabulary()["particles"]


def is_one_name(given: str, family: str) -> bool:
    """Say whether two texts are one player's name: ``Mary Ann`` and ``de Groot``, ``John Q.`` and ``Adams Lee``."""
    return _begins_surname(family.split()[0]) or _is_initial(given.split()[-1])


def _is_loud(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _is_initial(word: str) -> bool:
    return (len(word) == 1 or "." in word) and re.fullmatch(r"(?:[^\W\d_]\.?-?){1,2}", word) is not None


def member_of(name: str) -> tuple[str, str]:
    """Return a name without the member number beside it, and that; empty where there is none."""
    if len(name) > _LONGEST or not _DIGITS_OF_ONE.search(name):
        return name, ""
    if found := re.match(_MEMBER, name):
        return _bare(found[1].rstrip(" ,([#:-\u2013")), found[2]
    if found := re.match(_MEMBER_FIRST, name):
        return _bare(found[2]), found[1]
    return name, ""


def _bare(text: str) -> str:
    if text[:1].isalnum() and text[-1:].isalnum():  # as nearly all names
        return tidy(text)
    return tidy(_MARKS.sub("", text))


def names_in(text: str) -> list[str]:
    """Return the names that a cell holds by itself: ``Smith - Jones``, ``Smith / Jones``, ``Smith et Jones``.

    A hyphen or comma without more may be in a name: those of a whole column tell, see :func:`split_players`.
    """
    if not re.search(_BETWEEN, text):
        return [*filter(None, [_bare(text)])]
    first, _, rest = text.partition(" ")
    return _parts(_WIDE, rest if folded(first) in vocabulary()["couples"] else text)


def are_several(text: str) -> bool:
    """Say whether a text holds several names, and not one that happens to have a sign in it."""
    names = names_in(text) if re.search(_BETWEEN, text) else []
    return len(names) > 1 and all(map(LIKE_A_NAME.search, names))


def are_initials(text: str) -> bool:
    """Say whether a text holds several players by their initials alone: ``J/S``, ``J.S. & M.``, not ``N/S``."""
    names = names_in(text) if not LIKE_A_NAME.search(text) and re.search(_BETWEEN, text) else []
    return len(names) > 1 and all(map(_is_initial, names)) and not direction_of(text)


LIKE_A_NAME = re.compile(r"[^\W\d_]{2}")


def is_title(word: str) -> bool:
    """Say whether a word before a name is a title: ``Mr``, ``Mme.``."""
    return folded(word).rstrip(".") in vocabulary()["titles"]


def without_title(name: str) -> str:
    """Return a name of several words without the title before it: ``Dr Bob Elm``."""
    first, _, rest = name.partition(" ")
    return rest if " " in rest and is_title(first) else name


def by_surname(name: str) -> tuple[str, str]:
    """Return what a name is sorted by: the surname, then all of it, without case, accents and signs.

    The surname is the last word that is no addition such as Jr., whatever signs it has in itself: D'Arcy,
    Müller-Lüdenscheidt; or what is before a comma, or the first where it alone is in capitals.
    """
    surname, comma, given = name.partition(",")
    words = [re.sub(r"\W", "", folded(word)) for word in (f"{given} {surname}" if comma else name).split()]
    last = next((word for word in reversed(words) if word not in _ADDITIONS), "".join(words[-1:]))
    loud = [_is_loud(word) for word in name.split()]
    if not comma and len(loud) == len(words) > 1 and loud[0] and not any(loud[1:]):  # ``MÜLLER Hans``
        last = words[0]
    return last, " ".join(words)


_ADDITIONS = {"jr", "sr", "ii", "iii", "iv"}
