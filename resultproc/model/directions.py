"""The directions of a game, N-S and E-W, as people write them in several languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.text import folded

# fmt: off
_WORDS = {
    NORTH_SOUTH: (
        "ns", "n-s", "n/s", "north-south", "north/south", "nord-sud", "nord/sud", "norte-sur", "norte/sur",
        "norte-sul", "norte/sul", "norte sul", "polnoc-poludnie", "linia ns", "linia n-s", "nord sud", "nord-süd",
        "noord-zuid", "n-z", "nz", "nord-syd", "nord-sør", "north south", "norte sur", "axa ns", "axa n-s",
        "ligne ns", "ligne nord-sud", "linea ns", "linea norte-sur", "norr-söder", "pohjoinen-etelä",
        "pohjois-etelä", "kuzey-güney", "sever-jih", "észak-dél", "sjever-jug",
    ),
    EAST_WEST: (
        "ew", "e-w", "e/w", "east-west", "east/west", "est-ouest", "est/ouest", "este-oeste", "este/oeste",
        "leste-oeste", "leste/oeste", "leste oeste", "wschod-zachod", "linia ew", "linia wz", "linia we",
        "est-vest", "est/vest", "eo", "e-o", "e/o", "est ouest", "east west", "este oeste", "axa eo", "axa ev",
        "axa ew", "e-v", "e/v", "ev", "wz", "w-z", "we", "w-e", "est-ovest", "est/ovest", "ost-west", "ow", "o-w",
        "oost-west", "öst-väst", "øst-vest", "ö-v", "ø-v", "öv", "øv", "ligne eo", "ligne est-ouest", "linea eo",
        "linea este-oeste", "öster-väster", "itä-länsi", "doğu-batı", "východ-západ", "kelet-nyugat", "istok-zapad",
        "l-o", "l/o",
    ),
}
"""What the directions are called in several languages."""

_AROUND = (
    "axa", "axe", "lijn", "paren", "paare", "par", "linie", "pairs", "pair", "paires", "parejas", "pary",
    "perechi", "line", "field", "ranking", "results", "scores", "players", "classement", "classement ligne",
    "ligne", "champ", "tableau des paires", "clasificacion", "clasificacion linea", "linea", "linia",
    "clasament", "linie", "wyniki", "klasyfikacja", "linha", "richtung", "achse", "riktning", "kierunek",
    "direzione", "direccion", "orientation", "coppie", "duplas",
)
"""What stands before or after a direction in a heading: "N-S Pairs", "Classement NS"."""
# fmt: on

DIRECTIONS_IN_FULL = {NORTH_SOUTH: "North-South", EAST_WEST: "East-West"}

_ALONE = {"N": NORTH_SOUTH, "E": EAST_WEST}
"""What is short for a direction in a column of directions."""


@lru_cache(maxsize=1024)
def direction_of(text: str) -> str | None:
    """Return the direction that a cell of a column of directions says: NS, North-South, O/W, E; None for none."""
    return _ALONE.get(text.upper()) or direction_named(text) or None


@cache
def _directions() -> dict[str, str]:
    return {folded(word): direction for direction, words in _WORDS.items() for word in words}


def short_directions() -> list[str]:
    """Return the directions as people write them beside numbers, in any of the languages: ``ns``, ``e-w``, ``eo``."""
    words = {*_directions(), *(word for words in _WORDS.values() for word in words)}
    return [word for word in words if len(re.sub(r"\W", "", word)) == 2]


def direction_named(text: str) -> str:
    """Return the direction that a text names, in any of the languages; empty for any other text."""
    word = folded(re.sub(r"\s*[-/\u2013\u2014]\s*", "-", text))
    return _directions().get(word) or _directions().get(word.replace("-", "/")) or ""


@cache
def _around() -> tuple[str, ...]:
    return tuple(folded(word) for word in sorted(_AROUND, key=len, reverse=True))


def direction_headed(text: str) -> str:
    """Return the direction that a heading names: by itself, or with words such as ``Pairs`` before or after it."""
    if named := direction_named(text):
        return named
    bare = folded(text)
    bare = next((bare.removeprefix(word) for word in _around() if bare.startswith(word)), bare)
    bare = next((bare.removesuffix(word) for word in _around() if bare.endswith(word)), bare)
    return direction_named(bare)
