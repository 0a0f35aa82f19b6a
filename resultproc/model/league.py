"""The words of the league whose rulebooks these are, as ``rulebooks/acbl.toml`` has them.

What its games and ratings are called, and which of its rulebooks hold for more than the games that they pay. Only the
ratings are also written in code, as :class:`~resultproc.model.game.Rating`: readers and rules name single ones, and so
the type checker knows them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple


class CalledClass(NamedTuple):
    """A class of games by what they are called.

    pattern: what such names have, whatever the case of letters.
    ratings: those that contradict it, unless ``special`` has a word of one of the kinds.
    kinds: kinds of special words.
    """

    pattern: str
    ratings: frozenset[str]
    kinds: tuple[str, ...]


class League(NamedTuple):
    """The words of a league.

    handbook: the rulebook that says what holds in a series of games, the month of each fund, and what rating
        special words have.
    by_boards: the rulebook since which club games pay by boards.
    special: the words that ``special`` may have, besides those of somebody's own rulebook, which begin with ``x-``.
    names: what players call the games of each rating.
    colours: the colour of each rating in pictures.
    funds: what games for funds are called, by the word under ``special``.
    classes: what tells the class of a game; a name that says several classes agrees with each of them.
    """

    handbook: str
    by_boards: str
    special: frozenset[str]
    names: Mapping[str | None, str]
    colours: Mapping[str, str]
    funds: Mapping[str, str]
    classes: tuple[CalledClass, ...]


@cache
def league() -> League:
    """Return the words of the league, read once."""
    words = tomllib.loads((Path(__file__).parents[1] / "rulebooks" / "acbl.toml").read_text("utf-8"))
    of_funds = words["fund-games"]
    return League(
        words["rulebooks"]["handbook"],
        words["rulebooks"]["by-boards"],
        frozenset(word for kind in words["special"].values() for word in kind),
        {rating: each["name"] for rating, each in words["ratings"].items()},
        {rating: each["colour"] for rating, each in words["ratings"].items()},
        words["funds"],
        (
            *(_called(each, of_funds["not"], (fund, *of_funds["unless"])) for fund, each in words["funds"].items()),
            *(_called(each["name"], each["not"], each["unless"]) for each in words["classes"]),
        ),
    )


def _called(pattern: str, ratings: list[str], kinds: tuple[str, ...] | list[str]) -> CalledClass:
    return CalledClass(pattern, frozenset(ratings), tuple(kinds))
