"""Random games as files: the same ones for a seed, whatever machine makes them, and whatever version of Python.

What the games of each kind are made of is below, and a function a kind that makes one for a rulebook and a day: who
plays, in which sections, with which scores.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from math import ceil
from pathlib import Path
from random import Random
from typing import TypeVar

from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.model.files import output_errors, write_bytes
from resultproc.model.game import BY_MATCHES, EAST_WEST, NORTH_SOUTH, PER_TABLE, EventType, Movement, league
from resultproc.rulebooks.core import Rulebook
from resultproc.rulebooks.load import rulebook, rulebooks

_T = TypeVar("_T")


class Dice:
    """Random choices that follow from a seed.

    Everything follows from ``random()``: no other function of Python's gives the same for a seed in every version.
    """

    def __init__(self, seed: str) -> None:
        """Begin with a seed, such as ``club 1 17``."""
        self._random = Random(seed).random  # noqa: S311 - nothing is kept secret with it

    def whole(self, least: int, most: int) -> int:
        """Return a whole number, both ends included."""
        return least + int(self._random() * (most - least + 1))

    def one(self, of: Sequence[_T]) -> _T:
        """Return one of some things."""
        return of[self.whole(0, len(of) - 1)]

    def happens(self, part: float) -> bool:
        """Return whether something happens that happens in this part of all cases."""
        return self._random() < part

    def shuffled(self, of: Sequence[_T]) -> list[_T]:
        """Return some things in another order."""
        left = list(of)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in of]


_Record = dict[str, str]


@dataclass(frozen=True)
class Made:
    """A game that was made up: its keys and its contestants, as a CSV file has them."""

    keys: Mapping[str, str]
    rows: Sequence[_Record]


_FIRST = "Ada Ben Cora Dov Ella Finn Gus Hope Ivo June Kai Lou Max Nell Otto Pia Quin Rosa Sam Tess Uma Vic Wren Zoe"
_LAST = "Alder Ash Beech Birch Cedar Elm Fir Hazel Holly Larch Lime Maple Oak Pine Plane Poplar Rowan Spruce Willow Yew"


@dataclass
class RandomField:
    """The contestants of a game as they sit down."""

    event_type: EventType  # of the game
    # By letter, whether each is a Mitchell, and its tables.
    sections: dict[str, tuple[bool, float]] = field(default_factory=dict)
    rows: list[_Record] = field(default_factory=list)  # the contestants, each with texts by column

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
    """Return the contestants of sections; a half table is not full.

    two_way: whether each section is a Mitchell, with two directions.
    """
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


def random_players(names: Iterator[str], event_type: EventType) -> _Record:
    """Return the next names, of those who play together."""
    people = {EventType.INDIVIDUAL: 1, EventType.PAIRS: 2, EventType.TEAM_OF_TWO: 2}.get(event_type, 4)
    return {f"player{n}": next(names) for n in range(1, people + 1)}


def add_percentages(dice: Dice, rows: Sequence[_Record], sessions: int) -> None:
    """Give everybody a percentage for each session: whole ones with ties, 50 on average in each field."""
    columns = [f"session{n}" for n in range(1, sessions + 1)] if sessions > 1 else ["percentage"]
    compared: dict[tuple[str, str], list[_Record]] = {}
    for row in rows:
        compared.setdefault((row["section"], row["direction"]), []).append(row)
    for rivals in compared.values():
        for column in columns:
            offs = [dice.whole(0, 15) for _ in range(len(rivals) // 2)]
            both = [sign * off for off in offs for sign in (1, -1)] + [0] * (len(rivals) % 2)
            for row, off in zip(rivals, dice.shuffled(both), strict=True):
                row[column] = str(50 + off)
    for row in rows if sessions > 1 else ():
        row["percentage"] = f"{sum(int(row[column]) for column in columns) / sessions:.2f}"


def add_matches(dice: Dice, rows: Sequence[_Record], matches: int) -> None:
    """Give every team its matches won, a tied one half, and its victory points, with ties."""
    for row in rows:
        halves = sum(dice.one((0, 0, 0, 2, 2, 2, 1)) for _ in range(matches))
        row["wins"] = f"{halves / 2:g}"
        row["score"] = str(10 * halves // 2 + dice.whole(0, 10))


def add_strata(dice: Dice, rows: Sequence[_Record], strata: str) -> None:
    """Give everybody the lowest stratum that they are eligible for."""
    letters = "ABC"[: strata.count("=")]
    for row in rows:
        row["stratum"] = dice.one(letters)


def add_holdings(dice: Dice, rows: Sequence[_Record], most: int) -> None:
    """Give every player a holding, small ones more often than large ones."""
    for row in rows:
        for name in [name for name in row if name.startswith("player")]:
            row[name.replace("player", "mp")] = str(dice.whole(0, dice.whole(1, most)))


def played(teams: int, wins: Callable[[int, int], bool]) -> dict[int, list[str]]:
    """Return the matches of each team of a bracket, as the columns ``round1``, ``round2``, ... have them.

    1 meets the last, 2 the last but one; the best seeds may have byes. Who wins takes the place of the better seed.

    wins: says whether the first of two teams beats the second.
    """
    rounds: dict[int, list[str]] = {team: [] for team in range(1, teams + 1)}
    alive = list(rounds)
    while len(alive) > 1:
        full = 1 << (len(alive) - 1).bit_length()
        left = []
        for n, team in enumerate(alive[: full // 2]):
            if full - 1 - n >= len(alive):
                rounds[team].append("bye")
                left.append(team)
                continue
            other = alive[full - 1 - n]
            winner, loser = (team, other) if wins(team, other) else (other, team)
            rounds[winner].append(f"W {loser}")
            rounds[loser].append(f"L {winner}")
            left.append(winner)
        alive = left
    return rounds


_RULEBOOKS, _LIMITS, _STRATA, _RATINGS = (
    league().random_games[name] for name in ("rulebooks", "limits", "strata", "ratings")
)
"""The rulebooks of each kind, the limits of club games by rating, and the strata by limit."""

_OF_ONE_FIELD = (EventType.INDIVIDUAL, EventType.BAM, EventType.SWISS)

_OF_CLUBS = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.TEAM_OF_TWO)

_LARGE = 1 / 8
"""This many games are so large that caps are reached."""


def club(dice: Dice, book: Rulebook, day: date, ratings: Sequence[str]) -> Made:
    """Return a club game of one to three sections, some with handicaps, now and then of individuals or teams."""
    rating = dice.one(ratings)
    event_type = _event_type(dice, book, *_OF_CLUBS)
    limit = dice.one(_LIMITS.get(rating, ("open",)))
    strata = dice.one(_STRATA[limit])
    keys = {"rating": rating, "date": str(day), "boards": str(dice.one((18, 20, 24, 27, 28)))}
    if event_type == EventType.PAIRS and dice.happens(1 / 6):
        keys["special"] = "handicap"
    # Whether open games of a club are credited with others that it runs at the same time.
    credits = "concurrent.strata" in book.at(day).entries and book.at(day).text("concurrent.strata") != "none"
    if limit == "open" and credits and dice.happens(1 / 4):
        keys["concurrent_tables"] = dice.one(("300=6", "50=3.5"))
    return _pairs(dice, keys, event_type, strata, limit)


def online(dice: Dice, book: Rulebook, day: date, ratings: Sequence[str]) -> Made:
    """Return a game that a club runs online, some of them for a charity or fund."""
    factors = "special.factor."
    words = [path.removeprefix(factors) for path in book.at(day).entries if path.startswith(factors)]
    limit = dice.one(_LIMITS[ratings[0]])
    keys = {"rating": ratings[0], "date": str(day), "boards": str(dice.one((18, 20, 24, 27)))}
    if dice.happens(1 / 2):
        keys["special"] = dice.one(words)
    if limit == "open" and dice.happens(1 / 4):
        keys["concurrent_tables"] = dice.one(("300=6", "50=3.5"))
    return _pairs(dice, keys, EventType.PAIRS, dice.one(_STRATA[limit]), limit)


def _pairs(dice: Dice, keys: dict[str, str], event_type: EventType, strata: str, limit: str) -> Made:
    large = dice.happens(_LARGE)
    one_field = event_type in _OF_ONE_FIELD
    sections = 1 if one_field else dice.whole(1, 3)
    halves = 1 if one_field else 2
    tables = [dice.whole(15, 18) if large else dice.whole(4, 20) / 2 for _ in range(sections)]
    two_way = [not one_field and dice.happens(0.6) for _ in tables]
    field = seated(dice, event_type, [max(int(count * halves) / halves, 2) for count in tables], two_way)
    if event_type in BY_MATCHES:
        add_matches(dice, field.rows, 4)
        keys = {**keys, "boards": "6"}
    else:
        add_percentages(dice, field.rows, 1)
    add_strata(dice, field.rows, strata)
    for row in field.rows if keys.get("special") == "handicap" else ():
        row["handicap"] = str(dice.whole(0, 8))
    declared = {**keys, **field.keys, "strata": strata, **({} if limit == "open" else {"limit": limit})}
    return Made(declared, field.rows)


def tournament(dice: Dice, book: Rulebook, day: date, ratings: Sequence[str]) -> Made:
    """Return an event of one to four sessions, of pairs, individuals or teams."""
    rating = dice.one(ratings)
    sessions = dice.whole(1, 2 if rating in _RATINGS["short"] else 4)
    event_type = _event_type(dice, book, *_OF_CLUBS, EventType.SWISS)
    keys = {"rating": rating, "date": str(day), "sessions": str(sessions)}
    if dice.happens(1 / 6):
        keys["restrictions"] = dice.one(("senior", "women", "women, senior"))
    if rating in _RATINGS["side-games"] and sessions == 1 and event_type == EventType.PAIRS and dice.happens(1 / 2):
        keys["special"] = "side-game"
    return _event(dice, keys, event_type, sessions, dice.one(_STRATA["tournaments"]))


def strength(dice: Dice, book: Rulebook, day: date, ratings: Sequence[str]) -> Made:
    """Return an event that is awarded by the strength of the field: every player's holding is known."""
    event_type = _event_type(dice, book, EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.SWISS)
    sessions = dice.whole(1, 3)
    keys = {"rating": dice.one(ratings), "date": str(day), "sessions": str(sessions)}
    strata = dice.one(_STRATA["tournaments"][:4])
    made = _event(dice, keys, event_type, sessions, strata)
    add_holdings(dice, made.rows, dice.one((300, 2000, 10000)))
    for row in made.rows:
        del row["stratum"]
    declared = {**made.keys, "stratify_by": dice.one(("average", "highest"))}
    if event_type in BY_MATCHES:
        declared["session_boards"] = str(dice.one((20, 24, 28)))
    return Made(declared, made.rows)


def _event(dice: Dice, keys: dict[str, str], event_type: EventType, sessions: int, strata: str) -> Made:
    one_field = event_type in _OF_ONE_FIELD
    sections = 1 if one_field else dice.whole(1, 3)
    most = 26 if dice.happens(_LARGE) else 12
    two_way = not one_field and dice.happens(0.6)
    halves = 2 if event_type in {EventType.PAIRS, EventType.TEAM_OF_TWO} else 1
    tables = [dice.whole(3 * halves, most * halves) / halves for _ in range(sections)]
    field = seated(dice, event_type, tables, [two_way] * sections)
    boards = str(dice.one((18, 24, 26)))
    if event_type in BY_MATCHES:
        add_matches(dice, field.rows, 4 * sessions)
        boards = "7"
    else:
        add_percentages(dice, field.rows, sessions)
    add_strata(dice, field.rows, strata)
    limit = strata.partition(",")[0].removeprefix("A=")
    return Made({**keys, "boards": boards, **field.keys, "strata": strata, "limit": limit}, field.rows)


def knockout(dice: Dice, book: Rulebook, day: date, ratings: Sequence[str]) -> Made:
    """Return a knockout of one to four brackets, in which the better seed wins two matches of three."""
    rating = dice.one(ratings)
    of_club = rating in league().groups["at-clubs"]
    limit = dice.one(_LIMITS.get(rating, ("open",)) if of_club else ("open", "open", "1500"))
    most = 6000 if limit == "open" else int(limit)
    rows: list[_Record] = []
    names = random_people(dice)
    for bracket in range(dice.whole(1, 4)):
        for team, matches in played(dice.whole(3, 16), lambda *_: dice.happens(2 / 3)).items():
            seat = {"section": "ABCD"[bracket], "direction": "", "number": str(team)}
            rounds = {f"round{n}": match for n, match in enumerate(matches, 1)}
            rows.append(seat | random_players(names, EventType.KNOCKOUT) | rounds)
            add_holdings(dice, rows[-1:], max(most >> 2 * bracket, 1))
    keys = {"rating": rating, "date": str(day), "event_type": EventType.KNOCKOUT, "limit": limit}
    return Made({**keys, "sessions": str(dice.whole(2, 4)), "boards": "24"}, rows)


def _event_type(dice: Dice, book: Rulebook, usual: EventType, *others: EventType) -> EventType:
    """Return the event type that a rulebook is for alone, else the usual one or, more seldom, another."""
    if book.event_types:
        return EventType(book.event_types[0])
    able = [each for each in others if each not in book.not_for]
    return dice.one(able) if able and dice.happens(1 / 3) else usual


GAME_KINDS: Mapping[str, Callable[[Dice, Rulebook, date, Sequence[str]], Made]] = {
    "club": club,
    "online": online,
    "tournament": tournament,
    "strength": strength,
    "knockout": knockout,
}
"""What makes games of each kind, by its name: every rulebook is of one of them.

It takes a rulebook, the day, and the ratings that the rulebook covers on that day, and no other that began later.
"""


_LONGEST = timedelta(days=700)
"""A rulebook that is in force for ever, or has been, has games of this many days beyond those that are told apart."""


def generate(kind: str, seed: int, games: int) -> dict[str, Made]:
    """Return random games of a kind by the names of their files.

    Each rulebook of the kind has its turn, and half of the games are of a day on which its values change, or of the
    day before.

    kind: a key of :data:`GAME_KINDS`; InputError for any other.
    seed: the same seed gives the same games.
    """
    if kind not in GAME_KINDS:
        raise InputError(f"unknown kind of games: '{kind}'", hint=f"there are {', '.join(GAME_KINDS)}")
    books = [rulebook(name) for name in _RULEBOOKS[kind]]
    return {f"{kind}-{seed}-{n + 1:03d}.csv": _game(kind, seed, n, books[n % len(books)]) for n in range(games)}


def _game(kind: str, seed: int, number: int, book: Rulebook) -> Made:
    """Return a game of a kind, on a day when its values change, or the day before, or any other."""
    dice = Dice(f"{kind} {seed} {number}")
    told_apart = [day for each in rulebooks(whole=True) for day in each.starts if day > date.min]
    first, last = max(book.since, min(told_apart) - _LONGEST), min(book.until, max(told_apart) + _LONGEST)
    changes = {day for start in book.starts if start > date.min for day in (start, start - timedelta(days=1))}
    days = sorted({first, last} | {day for day in changes if first <= day <= last})
    alike = [each for each in rulebooks() if each.event_types == book.event_types and book.since < each.since]
    while True:
        day = dice.one(days) if dice.happens(1 / 2) else first + timedelta(days=dice.whole(0, (last - first).days))
        later = [each for each in alike if each.since <= day <= each.until]
        ratings = [rating for rating in book.covers if not any(rating in each.covers for each in later)]
        if ratings:
            made = GAME_KINDS[kind](dice, book, day, ratings)
            # One contestant in twelve, on average, is not eligible for awards.
            rows = [{**row, "eligible": "no" if dice.happens(1 / 12) else "yes"} for row in made.rows]
            return replace(made, rows=rows)


def game_as_csv(made: Made) -> bytes:
    """Return a game as a CSV file, its keys above the contestants."""
    file = io.StringIO()
    file.writelines(f"# {key}: {value}\n" for key, value in made.keys.items())
    columns = dict.fromkeys(column for row in made.rows for column in row)
    writer = csv.DictWriter(file, [*columns], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(made.rows)
    return file.getvalue().encode()


def write_games(folder: Path, made: Mapping[str, Made]) -> None:
    """Write games into a folder, which is made if it is not there.

    Raises OutputError, before anything is written, where a file of the name is there that is another.
    """
    files = {folder / name: game_as_csv(each) for name, each in made.items()}
    others = [path for path, data in files.items() if path.exists() and path.read_bytes() != data]
    if others:
        what = "this file exists already, and is not overwritten"
        wrong = [Problem(what, hint="write to another folder", file=str(path)) for path in others]
        raise OutputError(wrong, code="output.exists")
    with output_errors("this folder cannot be made", folder):
        folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        write_bytes(path, data)
