"""What kinds of event are computed as: some are awarded as others, or as a part of them."""

from __future__ import annotations

from dataclasses import dataclass

from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType, Rating
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.qualifying import NAP
from resultproc.rulebooks.common.factors import barometer_level, r_classes
from resultproc.rulebooks.core import Edition, cached_per_edition

_NAP_WORDS = "nap.words"
"""The path of the special words whose games have R of qualifying ones, and nothing else of them."""


@dataclass(frozen=True)
class ComputedAs:
    """What an event is computed as.

    r: the class of game that R is looked up for. event_type: the one that T and the places go by. sessions: those that
    S and the scale of lower places go by. r_by: the paths of the values that say which class it is, but for its name.
    """

    r: str
    event_type: str
    sessions: int
    r_by: tuple[str, ...] = ()


def computed_as(edition: Edition, group: Group) -> ComputedAs:
    """Return what the event of a group is computed as: what it is declared to be, unless its kind changes that."""
    level = barometer_level(group.special)
    if level:
        return ComputedAs(
            edition.text("barometer.rating"), group.event_type, int(edition.numbers("barometer.sessions")[level - 1])
        )
    r = _class_of(edition, group)
    r_by = (_NAP_WORDS,) if r == NAP != group.rating else ()
    if group.is_special("zip-knockout"):
        return ComputedAs(r, EventType.SWISS.value, edition.whole("zip-knockout.sessions"))
    if is_series(group):
        return ComputedAs(r, group.event_type, edition.whole("side-games.sessions"))
    return ComputedAs(r, group.event_type, group.sessions, r_by)


def is_series(group: Group) -> bool:
    """Return whether the event is a whole series of side games."""
    return group.is_special("side-game-series-overall")


def _class_of(edition: Edition, group: Group) -> str:
    """Return what R is looked up for: the rating, or a special kind of game that has an R of its own."""
    if _NAP_WORDS in edition.entries and not group.special.isdisjoint(edition.words(_NAP_WORDS)):
        return NAP
    for name in _kinds(edition):
        if any(word == name or word.startswith(f"{name}-") for word in group.special):
            return name
    return group.rating


@cached_per_edition
def _kinds(edition: Edition) -> list[str]:
    """Return the special kinds of game that have an R of their own, but for the class of those that qualify.

    Which words are of that one is said in :mod:`~.qualifying`: it stands for their rating.
    """
    return [name for name in r_classes(edition) if name not in {*Rating, NAP}]


def missing(key: str, why: str, example: str) -> DeclarationError:
    """Return the error of an event that does not declare a key, and why it must."""
    return DeclarationError(f"{key} is not declared, and {why}", hint=f"declare {key}, such as {example}", code=MISSING)
