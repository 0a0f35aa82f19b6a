"""Other made-up people than those of ``made_people.py``, by somebody who had read neither that nor the matching's code.

Names of several languages, what friends call people, marriages, letters with strokes, what each club's secretary and
program make of a name, numbers that are given late, moves, and namesakes of one family at one club.
``python tests/other_people.py 10000`` says how :func:`resultproc.people.decades.decide` tells so many people apart.
"""

import random
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd
from made_people import figures


def _words(text: str) -> list[str]:
    return text.split()


GIVEN = _words("""
Katarzyna:Kasia Małgorzata:Gosia Stanisław:Staszek Wojciech: Agnieszka:Aga Łukasz: Søren: Bjørn: Kirsten:Kis
Jørgen: Guðrún:Gunna Þórður: Francisco:Paco Dolores:Lola José:Pepe Concepción:Concha Enrique:Quique
Mercedes:Merche Giuseppe:Beppe Francesca:Franca Luigi:Gigi Giovanni:Gianni Willem:Wim Cornelis:Kees
Johanna:Jopie Hendrika:Riek Theodorus:Theo Geertruida:Truus Margaret:Peggy Elizabeth:Bess Richard:Dick
Edward:Ned Eleanor:Nell Robert:Rob Dorothy:Dot Charles:Chuck Virginia:Ginny Lawrence:Lars Gwendolyn:Gwen
Rhiannon: Emyr: Siân: Mehmet: Ayşe: Hüseyin: Zeynep: Aleksandra:Sasha Dmitri:Dima Yekaterina:Katya Nikolai:Kolya
Väinö: Aino: Eeva: Matti: Ilkka: Jean-Luc: Bénédicte: Thérèse: Guillaume: Zsuzsanna:Zsuzsa László:Laci
Ferenc:Feri Đorđe:Đole Snežana:Sneža Ioannis:Yannis
""")
STEMS = _words("""
Kowal Wiśn Zając Jędrz Mal Søndergaard Kjær Ander Haug Lund Garc Fernánd Mart Iglesi Sant Ross Bianch Moret Ferr
Vanden Hoog Brou Timmer Kuip Ap Pritch Llew Prys Karad Özt Yıld Kork Salo Mäk Virta Nies Lef Dub Char Beaul Horv
Szab Kov Tóth Petrov Jovan Đur Papad Thistle Oxen Bram Wether Cald Stan Whit Green Black Long Arm
""")
ENDS = _words("""
ski icz ak sen gaard ez as ini oni etti berg dijk stra mans ard elyn oğlu er nen la lä eau bert ois ath y i ov
ić akis wood ford ley well thorpe by ton shaw
""")
STROKES = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "Þ": "Th",
                         "æ": "ae", "ı": "i"})  # fmt: skip
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
GAMES_A_YEAR, ATTEND, MEMBERS = 8, 0.55, 110


@dataclass
class Somebody:
    """A person, and how she is written.

    given, called: the first name, and what friends call her. middle: an initial.
    surnames: each with the year since when. clubs: each with the years there.
    number: empty for none. numbered: the year since which files have it.
    friend: whom she plays with most, by number in the list of all.
    """

    given: str
    called: str
    middle: str
    surnames: list[tuple[int, str]]
    clubs: list[tuple[int, int, int]]
    number: str
    numbered: int
    friend: int = -1
    habits: dict[int, str] = field(default_factory=dict)

    def surname(self, year: int) -> str:
        """Return the surname of a year."""
        return [name for since, name in self.surnames if since <= year][-1]


def _somebody(rng: random.Random, at: int, clubs: int, relative: Somebody | None) -> Somebody:
    given, _, called = rng.choice(GIVEN).partition(":")
    surname = rng.choice(STEMS) + rng.choice(ENDS)
    since = rng.randrange(1985, 2015)
    until = min(2024, since + rng.randrange(1, 28))
    club = rng.randrange(clubs)
    if relative:  # such as father and son, of one name at one club
        given, called, surname = relative.given, relative.called, relative.surname(9999)
        club, since, until = relative.clubs[0]
        since += rng.randrange(0, 6)
        until = max(until, since + 3)
    spans = [(club, since, until)]
    if rng.random() < 0.15 and until - since > 4:
        moved = rng.randrange(since + 2, until)
        spans = [(club, since, moved), (rng.randrange(clubs), moved + 1, until)]
    elif rng.random() < 0.1:
        spans.append((rng.randrange(clubs), since, until))
    surnames = [(0, surname)]
    if rng.random() < 0.06 and until - since > 2:
        other = rng.choice(STEMS) + rng.choice(ENDS)
        surnames.append((rng.randrange(since + 1, until), rng.choice((other, other, f"{surname}-{other}"))))
    number = "" if rng.random() < 0.15 else f"{2_000_000 + at * 617 % 7_000_000}"
    numbered = since + (rng.randrange(1, 5) if rng.random() < 0.2 else 0)
    middle = rng.choice("ABCDEFGHJKLMNPRSTW") if rng.random() < 0.25 else ""
    person = Somebody(given, called or given, middle, surnames, spans, number, numbered)
    for of, _, _ in spans:
        habits = ("full", "called", "initial", "middle")
        person.habits[of] = rng.choices(habits, (84, 8, 3, 5))[0]
    return person


def _mistyped(rng: random.Random, text: str) -> str:
    at = rng.randrange(1, len(text) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at] + text[at:]
    row = next((row for row in KEYS if text[at] in row), "")
    beside = row[max(0, row.find(text[at]) - 1)] if row else "e"
    return text[:at] + beside + text[at + 1 :]


def _written(rng: random.Random, person: Somebody, club: int, year: int) -> str:
    """Return the name as the club's secretary and program write it; clubs differ by their numbers."""
    habit = person.habits[club]
    given = {"called": person.called, "initial": f"{person.given[0]}."}.get(habit, person.given)
    if habit == "middle" and person.middle and rng.random() < 0.5:
        given += f" {person.middle}."
    surname = person.surname(year)
    if rng.random() < 0.004:
        surname = _mistyped(rng, surname)
    name = f"{surname}, {given}" if club % 5 == 1 else f"{given} {surname}"
    if club % 3 == 0:  # an old program, which knows no letters but those of English
        plain = unicodedata.normalize("NFKD", name.translate(STROKES))
        name = "".join(each for each in plain if not unicodedata.combining(each))
    return name.upper() if club % 7 == 2 else name


def _number(rng: random.Random, person: Somebody, year: int) -> str:
    if not person.number or year < person.numbered or rng.random() < 0.08:
        return ""
    if rng.random() < 0.002:
        at = rng.randrange(7)
        return person.number[:at] + rng.choice("0123456789") + person.number[at + 1 :]
    return person.number


def _pairs(rng: random.Random, everybody: list[Somebody], there: list[int]) -> Iterator[tuple[int, int]]:
    """Yield who plays with whom on a night; whose friend has left takes another one."""
    waiting = [at for at in there if rng.random() < ATTEND]
    rng.shuffle(waiting)
    while len(waiting) > 1:
        one = waiting.pop()
        two = everybody[one].friend
        if two in waiting and rng.random() < 0.8:
            waiting.remove(two)
        else:
            two = waiting.pop()
        if everybody[one].friend not in there:
            everybody[one].friend = two
        yield one, two


def records(people: int, seed: int = 1) -> pd.DataFrame:
    """Return a row for each seat: game, club, year, name, number, partner, and person, who it is in truth."""
    rng = random.Random(seed)
    clubs = max(2, people // MEMBERS)
    everybody: list[Somebody] = []
    for at in range(people):
        relative = rng.choice(everybody) if everybody and rng.random() < 0.005 else None
        everybody.append(_somebody(rng, at, clubs, relative))
    members: dict[tuple[int, int], list[int]] = {}
    for at, person in enumerate(everybody):
        for club, since, until in person.clubs:
            for year in range(since, until + 1):
                members.setdefault((club, year), []).append(at)
    rows = []
    for (club, year), there in sorted(members.items()):
        for night in range(GAMES_A_YEAR):
            for pair in _pairs(rng, everybody, there):
                names = [_written(rng, everybody[at], club, year) for at in pair]
                for at, name, partner in zip(pair, names, names[::-1], strict=True):
                    number = _number(rng, everybody[at], year)
                    rows.append((f"{club}/{year}/{night}", f"Club {club}", year, name, number, partner, at))
    return pd.DataFrame(rows, columns=["game", "club", "year", "name", "number", "partner", "person"])


if __name__ == "__main__":
    made = records(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{len(made)} seats of {made['person'].nunique()} people: {figures(made)[0]}")
