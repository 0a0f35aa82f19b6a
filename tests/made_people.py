"""Made-up people who play for years, and how files write them: misspelt, renumbered, married, doubled, by a nickname,
without the strokes of their letters; people who move, and namesakes, some of whom sit in one game.

``python tests/made_people.py 10000`` says how :func:`resultproc.people.decades.decide` tells so many people apart.
"""

import random
import sys
import time
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.people.decades import Decided, decide, spellings


def _words(text: str) -> list[str]:
    return text.split()


WOMEN = _words("""
Ada Alice Amy Ann Anna Anne Barbara Betty Carol Carole Cathy Clara Diana Diane Dora Edith Ellen Emma Eva Fay
Grace Helen Ida Irene Jane Janet Jean Joan Joanne Judy Karen Kate Laura Linda Lois Lucy Margaret Maria Marie
Mary Nancy Nora Olga Pam Pat Rita Rose Ruth Sally Sara Sarah Sue Susan Vera
""")
MEN = _words("""
Adam Al Alan Allan Art Ben Bill Bob Carl Charles Dan David Don Ed Eric Frank Fred Gary George Hal Harry Henry
Ian Jack James Jim Joe John Jon Karl Ken Larry Leo Mark Max Michael Neil Nick Oscar Paul Peter Phil Ralph Ray
Richard Robert Roger Ron Sam Stephen Steve Steven Ted Tom Walter William
""")
STEMS = _words("""
Ash Ald Ber Birch Black Brad Cal Carl Dal Dun East El Fair Gar Hal Hart Hol Ken King Lang Mar Mil Nor Oak Pem
Ram Red Ros Sal Shel Stan Thorn Tol Wal Wes Whit Win Wood York
""")
ENDS = [
    "",
    *_words("""
ton field man son er ley by worth wood ham ford well low den ridge more
"""),
]
SURNAMES = [stem + end for end in ENDS for stem in STEMS]
STROKED = _words("Bjørnson Grøn Kjær Łaski Małek Øster Sæther Søby Đurić Þorsen")
PLAIN = str.maketrans({"ø": "o", "Ø": "O", "æ": "ae", "ł": "l", "Ł": "L", "Đ": "D", "Þ": "Th"})
NICKNAMES = {"William": "Bill", "Robert": "Bob", "Richard": "Dick", "Charles": "Chuck", "James": "Jim"}
NICKNAMES |= {"Margaret": "Peggy", "Susan": "Sue", "Edward": "Ted", "Michael": "Mike", "Barbara": "Barb"}

FIRST_YEAR, LAST_YEAR = 1965, 2024
GAMES_A_YEAR = 8


class Person(NamedTuple):
    """A person: the names and the numbers with the year from which each holds, and where and when they play.

    clubs: each with the first and the last year there. nickname: whether friends write the name so.
    """

    since: int
    until: int
    names: list[tuple[int, str]]
    numbers: list[tuple[int, list[str]]]
    clubs: list[tuple[str, int, int]]
    circle: int
    life_master: int
    nickname: bool


def _person(rng: random.Random, at: int, clubs: int) -> Person:
    since = rng.randint(FIRST_YEAR - 20, LAST_YEAR)
    until = min(LAST_YEAR, since + rng.randint(0, 39))
    since = max(since, FIRST_YEAR)
    until = max(since, until)
    woman = rng.random() < 0.55
    first = rng.choice(WOMEN if woman else MEN)
    surname = rng.choice(STROKED if rng.random() < 0.03 else SURNAMES)
    names = [(since, f"{first} {surname}")]
    if woman and rng.random() < 0.12:
        names.append((rng.randint(since, until), f"{first} {rng.choice(SURNAMES)}"))
    numbers: list[tuple[int, list[str]]] = []
    if rng.random() < 0.85:
        joined = since if rng.random() < 0.7 else rng.randint(since, until)
        own = [_number(rng) for _ in range(2 if rng.random() < 0.01 else 1)]
        numbers.append((joined, own))
        if rng.random() < 0.03:
            numbers.append((rng.randint(joined, until), [_number(rng)]))
    home = [(f"Club {rng.randrange(clubs)}", since, until)]
    if rng.random() < 0.15:
        home.append((f"Club {rng.randrange(clubs)}", since, until))
    elif rng.random() < 0.08:
        moves = rng.randint(since, until)
        home = [(home[0][0], since, moves), (f"Club {rng.randrange(clubs)}", moves + 1, until)]
    life_master, nickname = rng.randint(since, LAST_YEAR + 30), rng.random() < 0.05
    return Person(since, until, names, numbers, home, at // 4, life_master, nickname)


def _number(rng: random.Random) -> str:
    return str(rng.randint(1_000_000, 9_999_999))


def _current(each: list[tuple[int, Any]], year: int) -> Any:
    return [value for since, value in each if since <= year][-1:]


def _slip(rng: random.Random, text: str, signs: str) -> str:
    """Return a text with a sign replaced, left out, put in, or in the place of the next."""
    at = rng.randrange(1, len(text) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + rng.choice(signs) + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + rng.choice(signs) + text[at:]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def written_name(rng: random.Random, name: str) -> str:
    """Return a name as somebody writes it."""
    roll = rng.random()
    first, last = name.split()
    if roll < 0.015:
        return _slip(rng, name, "abcdefghijklmnoprstuvwy")
    if roll < 0.02:
        return f"{first[0]} {last}"
    if roll < 0.025:
        return f"{first} {rng.choice('ABCDEFGHJKLM')}. {last}"
    if roll < 0.06:
        return f"{last.upper()}, {first}"
    return name.upper() if roll < 0.09 else name


def written_number(rng: random.Random, number: str, life_master: bool) -> str:
    """Return a number as somebody writes it: with a letter, after a slip, with blanks, or not at all."""
    roll = rng.random()
    if roll < 0.08:
        return ""
    if roll < 0.083:
        return _slip(rng, number, "0123456789")
    if life_master and roll < 0.7:
        number = "JKLMNOPQR"[int(number[0]) - 1] + number[1:]
    return f"{number[:3]} {number[3:]}" if roll < 0.1 else number


def records(people: int, seed: int = 1) -> pd.DataFrame:
    """Return a row for each seat: game, club, year, name, number, partner, and person, who it is in truth."""
    rng = random.Random(seed)
    clubs = max(2, people // 150)
    everybody: list[Person] = []
    for at in range(people):
        person = _person(rng, at, clubs)
        if at and rng.random() < 0.004:  # such as father and son
            other = rng.choice(everybody)
            person = other._replace(numbers=person.numbers, circle=person.circle, life_master=person.life_master)
        everybody.append(person)
    at_club: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, person in enumerate(everybody):
        for club, since, until in person.clubs:
            for year in range(since, until + 1):
                at_club[club, year].append(at)
    rows: list[tuple[str, str, int, str, str, str, int]] = []
    for (club, year), members in sorted(at_club.items()):
        for game in range(GAMES_A_YEAR):
            there = [at for at in members if rng.random() < 0.7]
            there.sort(
                key=lambda at: (everybody[at].circle if rng.random() < 0.85 else rng.randrange(people), rng.random())
            )
            for one, two in zip(there[::2], there[1::2], strict=False):
                rows += _pair(rng, (everybody[one], one), (everybody[two], two), f"{club} {year} {game}", club, year)
    return pd.DataFrame(rows, columns=["game", "club", "year", "name", "number", "partner", "person"])


def _pair(
    rng: random.Random, one: tuple[Person, int], two: tuple[Person, int], game: str, club: str, year: int
) -> list[tuple[str, str, int, str, str, str, int]]:
    names, numbers = [], []
    for person, _ in (one, two):
        name = _current(person.names, year)[0]
        first, last = name.split()
        if person.nickname and rng.random() < 0.3:
            name = f"{NICKNAMES.get(first, first)} {last}"
        names.append(written_name(rng, name.translate(PLAIN) if rng.random() < 0.3 else name))
        own = _current(person.numbers, year)
        numbers.append(written_number(rng, rng.choice(own[0]), year >= person.life_master) if own else "")
    if rng.random() < 0.001:
        numbers.reverse()
    return [
        (game, club, year, names[0], numbers[0], names[1], one[1]),
        (game, club, year, names[1], numbers[1], names[0], two[1]),
    ]


class Figures(NamedTuple):
    """How well people are told apart: the shares of the pairs of seats that are rightly taken for one person's.

    precision: of the pairs that are taken for one person's. recall: of those that are. Both without what is listed.
    precision_of_all, recall_of_all: the same with those.
    unsure: the share of the seats that are listed. listed: how many names with numbers these are.
    """

    precision: float
    recall: float
    precision_of_all: float
    recall_of_all: float
    unsure: float
    listed: int


def figures(seats: pd.DataFrame) -> tuple[Figures, pd.DataFrame, Decided]:
    """Return how well the people of some seats are told apart, the seats with what was decided, and that."""
    spelt, row = spellings(seats)
    found = decide(spelt)
    seats = seats.assign(found=found.person.to_numpy()[row], unsure=np.isin(row, found.unsure["row"]))
    of_pairs: list[float] = []
    for among in (seats[~seats["unsure"]], seats):
        counts = (among.groupby(by).size() for by in (["found", "person"], ["found"], ["person"]))
        both, mine, truly = (int((n * (n - 1) // 2).sum()) for n in counts)
        of_pairs += [both / mine, both / truly]
    listed = len(spelt.loc[found.unsure["row"], ["name", "number"]].drop_duplicates())
    return Figures(*of_pairs, float(seats["unsure"].mean()), listed), seats, found


if __name__ == "__main__":
    made = records(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    begun = time.process_time()
    said, _, found = figures(made)
    print(len(made), "seats,", made["person"].nunique(), "people:", said, f"{time.process_time() - begun:.1f} s")
    print(found.unsure["why"].value_counts())
