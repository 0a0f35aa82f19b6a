"""What headings call columns, in any language: one dictionary, of the declarations of columns and of ``words.toml``.

:func:`meanings_of` says what a heading may mean; :func:`column_of` which contestants' column it names in this program's
own words, with a number or letter where one belongs to it. Those words are in :mod:`resultproc.model.columns`, beside
the columns; the others are in ``words.toml``, a part for each language, with the names that they stand under.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from resultproc.model.columns import CONTESTANT_COLUMNS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.text import folded, tidy, vocabulary

PLACE_COLUMN = "place"
"""What stands for a column of plain ranks, whose header names no stratum and basis."""

DATED = {"date", "eventdate", "gamedate", "sessiondate", "playdate", "dateplayed", "dateofplay", "datum", "fecha"}
"""What a column is called that has the day of a game in each row."""

_CALLED = {"printed_award": "award", "id{n}": "member"}
"""What columns are called among the meanings."""

_SIDE = re.compile(r"^\s*(?:(n[\s/-]?[sz])|[eoöø][\s/-]?[wov]|w[\s/-]?[ez])\b", re.IGNORECASE)
"""What a heading of one direction's column begins with; its first group is of North-South."""


def side_of(head: str) -> str:
    """Return the direction that a heading begins with; empty for any other beginning."""
    found = _SIDE.match(head)
    return "" if found is None else NORTH_SOUTH if found[1] else EAST_WEST


@cache
def _meanings() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for column in NAMED:
        words: Iterable[str] = (*column.words(), *column.beside_score)
        if column.numbered:  # of players, of whom Number and No are the contestants'
            words = [word for word in column.synonyms if column.family == "id" and heading_word(word) not in OWN_NAMES]
        for word in words:
            found.setdefault(folded(word), set()).add(_CALLED.get(column.name, column.name))
    for language in vocabulary()["headings"].values():
        for name, called in language.items():
            for word in called:
                found.setdefault(folded(word), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


@lru_cache(maxsize=4096)
def meanings_of(text: str) -> frozenset[str]:
    """Return what a heading may mean, in any of the languages; nothing for a text that is no known word."""
    word = folded(text)
    known = _meanings()
    if word in known:
        return known[word]
    if more := re.fullmatch("(.+?)[1-8]", word) or re.fullmatch("(.+) [A-F]", tidy(text)):  # a team has many players
        one = folded(more[1])
        of_one = one in known and known[one] <= {"names", "player"}
        if one in known and known[one] == {"member"}:
            return known[one]
        return frozenset({"player"}) if of_one else known.get(f"{one}2", frozenset()) & {"player"}
    # A header may say what the column holds and in which unit, or of which side: ``Pairs (names)``, ``N/S %``.
    bare = re.sub(r"\(.{,99}?\)|\[.{,99}?\]", "", text)
    for each in (_SIDE.sub("", bare), bare):
        if found := known.get(folded(each)):
            return found
    words = [known.get(folded(each), frozenset()) for each in text.split()]
    if len(words) > 1 and (both := frozenset.intersection(*words)) & _SCORED:
        return both  # ``MP Score``
    share = folded(_SHARE.sub(" ", bare)) if "%" in bare else ""
    return frozenset({"percentage"}) if known.get(share, frozenset()) & _SCORED else frozenset()


_SCORED = {"percentage", "score", "award"}
"""What a heading means that is a percentage where ``%`` stands beside it: ``Punkte %``, ``Score in %``."""

_SHARE = re.compile(r"[\s-]*(?:\b(?:in|en|em|i|w|als)\s+)?%[\s-]*")


@lru_cache(maxsize=4096)
def column_of(text: str) -> str | None:
    """Return the contestants' column that a header means, None for any other text."""
    squashed = heading_word(text)
    if squashed in OWN_NAMES:
        return OWN_NAMES[squashed]
    numbered = re.fullmatch(r"(.+?)([1-9][0-9]?)", squashed)
    family = (numbered[1].rstrip("#") or "#") if numbered else ""
    if numbered and family in FAMILY_NAMES:
        return FAMILY_NAMES[family] + numbered[2]
    lettered = re.fullmatch(r"(.+)[\s_.-]([A-Za-z])", tidy(text))
    family = FAMILY_NAMES.get(heading_word(lettered[1]), "") if lettered else ""
    if lettered and lettered[2] in "ABCDabcd" and (family == "player" or heading_word(lettered[1]) in UNSAID_PLAYER):
        return f"{family}{'ABCD'.index(lettered[2].upper()) + 1}"
    if of_player := _of_player(squashed):
        return of_player
    if session := re.fullmatch("(?:session|sess|s)([1-9])(?:%|pct|percent(?:age)?)", squashed):
        return f"percentage{session[1]}"
    if lettered and heading_word(lettered[1]) in _RANK_NAMES:
        return f"{_RANK_NAMES[heading_word(lettered[1])]} {lettered[2].upper()}"
    return None


def columns_of_people(texts: Sequence[str]) -> list[str | None]:
    """Return what each heading of a list of people says of them: player, id, mp, ...; first and last of names in parts.

    A word of another language, or that may mean more, counts where no heading is one of this program's own.
    """
    said = (("first", "given"), ("last", "family"), ("mp", "held"))
    words = {folded(each): part for part, of in said for each in vocabulary()[of]}
    parts = [words.get(folded(text)) for text in texts]
    taken = {"mp", "first", "last"} if {"first", "last"} <= {*parts} else {"mp"}
    own = [FAMILY_NAMES.get(heading_word(text)) for text in texts]
    found = [
        part if part in taken else family if family in OF_PLAYERS else None
        for part, family in zip(parts, own, strict=True)
    ]
    for i, text in enumerate(texts):
        meant = meanings_of(text) if found[i] is None else frozenset()
        also = "player" if meant == {"names"} else "id" if "member" in meant else None
        if also and also not in found:
            found[i] = also
    return found


def _of_player(word: str) -> str | None:
    """Return the column of a player that is named before it: ``Player 1 name``, ``Partner ACBL #``."""
    said = re.fullmatch(f"(?:player([1-9][0-9]?)|{'|'.join(_SECOND)})(?:'?s)?(.+)", word)
    if said and said[2] in FAMILY_NAMES:
        return f"{FAMILY_NAMES[said[2]]}{said[1] or 2}"
    return None


def heading_word(text: str) -> str:
    """Return a heading as those of this program's own tables are compared: as words are, and without hyphens."""
    return folded(text).replace("-", "")


NAMED = [column for column in CONTESTANT_COLUMNS if column.name != "where"]
"""The columns that a header may name."""

TOGETHER = {heading_word(word) for c in NAMED for word in c.together}
ALL_NAMES = {word for word in TOGETHER if word.endswith("s")}
BESIDE_SCORE = {heading_word(word): c.name for c in NAMED for word in c.beside_score}
OWN_NAMES = {
    **dict.fromkeys(("rank", "place", "position", "pos", "posn"), PLACE_COLUMN),
    **{heading_word(word): c.of(1) for c in NAMED if c.numbered for word in c.together},
    **{heading_word(word): c.of(2) for c in NAMED for word in c.second},
    **{heading_word(word): c.name for c in NAMED if not c.numbered for word in c.words()},
}
FAMILY_NAMES = {heading_word(word): c.family for c in NAMED if c.numbered for word in c.words()}
OF_PLAYERS = [c.family for c in NAMED if c.of_players]
_SECOND = [heading_word(word) for c in NAMED for word in c.second]
UNSAID_PLAYER = {
    word: family for word, family in FAMILY_NAMES.items() if family in OF_PLAYERS and word not in OWN_NAMES
}
"""What a column of one player is called that does not say whose it is."""
_RANK_NAMES = {heading_word(word): c.name for c in NAMED if c.per_stratum for word in (c.per_stratum, *c.words())}
