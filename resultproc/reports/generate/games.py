"""What random games are made of: who plays, in which sections, with which scores.

The chances fall alike on every machine and under every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from random import Random
from typing import TypeVar

from resultproc.model.game import EAST_WEST, NORTH_SOUTH, PER_TABLE, EventType, Movement

T = TypeVar("T")


class Dice:
    """Random choices that follow from a seed.

    Of Python's random numbers only ``random()`` stays what it is for a seed, whatever the version: all follows from it.
    """

    def __init__(self, seed: str) -> None:
        """Begin with a seed, such as ``club 1 17``."""
        self._random = Random(seed).random  # noqa: S311 - nothing is kept secret with it

    def whole(self, least: int, most: int) -> int:
        """Return a whole number, both ends included."""
        return least + int(self._random() * (most - least + 1))

    def one(self, of: Sequence[T]) -> T:
        """Return one of some things."""
        return of[self.whole(0, len(of) - 1)]

    def happens(self, part: float) -> bool:
        """Return whether something happens that does in such a part of all cases."""
        return self._random() < part

    def shuffled(self, of: Sequence[T]) -> list[T]:
        """Return some things in another order."""
        left = list(of)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in of]


Row = dict[str, str]


@dataclass(frozen=True)
class Made:
    """A game that was made up: its keys and its contestants, as a CSV file has them."""

    keys: Mapping[str, str]
    rows: Sequence[Row]


PEOPLE = {EventType.INDIVIDUAL: 1, EventType.PAIRS: 2, EventType.TEAM_OF_TWO: 2}
"""How many play together; in teams four."""

_FIRST = "Ada Ben Cora Dov Ella Finn Gus Hope Ivo June Kai Lou Max Nell Otto Pia Quin Rosa Sam Tess Uma Vic Wren Zoe"
_LAST = "Alder Ash Beech Birch Cedar Elm Fir Hazel Holly Larch Lime Maple Oak Pine Plane Poplar Rowan Spruce Willow Yew"


@dataclass
class RandomField:
    """The contestants of a game as they sit down. sections: whether each is a Mitchell, and its tables."""

    event_type: EventType
    sections: dict[str, tuple[bool, float]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    @property
    def keys(self) -> dict[str, str]:
        """What is declared of the movement."""
        movements = {name: Movement.MITCHELL if two else Movement.HOWELL for name, (two, _) in self.sections.items()}
        alike = len(set(movements.values())) == 1
        text = ", ".join(f"{name}={movement}" for name, movement in movements.items())
        return {
            "event_type": self.event_type,
            "movement": next(iter(movements.values())) if alike else text,
            "tables": ", ".join(f"{name}={tables:g}" for name, (_, tables) in self.sections.items()),
        }


def seated(dice: Dice, event_type: EventType, tables: Sequence[float], two_way: Sequence[bool]) -> RandomField:
    """Return the contestants of sections by their tables, each a Mitchell or not; a half table is not full."""
    names = random_people(dice)
    found = RandomField(event_type, {"ABCDEF"[n]: each for n, each in enumerate(zip(two_way, tables, strict=True))})
    for section, (two, count) in found.sections.items():
        sides = {NORTH_SOUTH: ceil(count), EAST_WEST: int(count)} if two else {"": int(count * PER_TABLE[event_type])}
        for side, size in sides.items():
            for number in range(1, size + 1):
                seat = {"section": section, "direction": side, "number": str(number)}
                found.rows.append(seat | random_players(names, event_type))
    return found


def random_people(dice: Dice) -> Iterator[str]:
    """Return names in any order, none of them twice."""
    return iter(dice.shuffled([f"{first} {last}" for first in _FIRST.split() for last in _LAST.split()]))


def random_players(names: Iterator[str], event_type: EventType) -> Row:
    """Return the next names, of those who play together."""
    return {f"player{n}": next(names) for n in range(1, PEOPLE.get(event_type, 4) + 1)}


def compared_rows(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the contestants who are compared with each other at the tables: of a direction, or a section."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["section"], row["direction"]), []).append(row)
    return list(found.values())


def add_percentages(dice: Dice, rows: Sequence[Row], sessions: int) -> None:
    """Give everybody a percentage for each session: whole ones with ties, 50 on average in each field."""
    columns = [f"session{n}" for n in range(1, sessions + 1)] if sessions > 1 else ["percentage"]
    for rivals in compared_rows(rows):
        for column in columns:
            offs = [dice.whole(0, 15) for _ in range(len(rivals) // 2)]
            both = [sign * off for off in offs for sign in (1, -1)] + [0] * (len(rivals) % 2)
            for row, off in zip(rivals, dice.shuffled(both), strict=True):
                row[column] = str(50 + off)
    for row in rows if sessions > 1 else ():
        row["percentage"] = f"{sum(int(row[column]) for column in columns) / sessions:.2f}"


def add_matches(dice: Dice, rows: Sequence[Row], matches: int) -> None:
    """Give every team its matches won, a tied one half, and its victory points, with ties."""
    for row in rows:
        halves = sum(dice.one((0, 0, 0, 2, 2, 2, 1)) for _ in range(matches))
        row["wins"] = f"{halves / 2:g}"
        row["score"] = str(10 * halves // 2 + dice.whole(0, 10))


def add_strata(dice: Dice, rows: Sequence[Row], strata: str) -> None:
    """Give everybody the lowest stratum that they are eligible for."""
    letters = "ABC"[: strata.count("=")]
    for row in rows:
        row["stratum"] = dice.one(letters)


def add_holdings(dice: Dice, rows: Sequence[Row], most: int) -> None:
    """Give every player a holding, small ones more often than large ones."""
    for row in rows:
        for name in [name for name in row if name.startswith("player")]:
            row[name.replace("player", "mp")] = str(dice.whole(0, dice.whole(1, most)))


def without_some(dice: Dice, made: Made, part: float = 1 / 12) -> Made:
    """Return a game in which some contestants are not eligible for awards."""
    rows = [{**row, "eligible": "no" if dice.happens(part) else "yes"} for row in made.rows]
    return replace(made, rows=rows)
