"""A league's office made up: an archive of games with planted faults, and the truth of who played and won what.

Planted are moves between clubs, namesakes of two clubs, names in capitals, names without their numbers, clubs in other
capitals, games that are sent again unchanged or corrected, and games that come twice, once under another event.
``python tests/made_office.py 20000`` makes so many games, and says whom any view counts otherwise than the truth.
"""

import csv
import json
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from conftest import asked, run

HEAD = """# event: {event}
# club: {club}
# date: {date}
# rating: club-open
# event_type: pairs
# movement: howell
# tables: 3
# boards: 24
# strata: A=open
section,number,player1,id1,player2,id2,percentage
"""
PAIRS, MEMBERS = 6, 40
TWIN = "Weekly Game"
"""What the second of two equal games calls its event."""
WON = (60, 42, 0, 0, 0, 0)
"""What a Howell of three tables pays in hundredths, by place: 0.10 for each of six pairs, and 70% of that."""
SCORES = (62, 57, 53, 47, 43, 38)
SOUNDS = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()  # noqa: SIM905


@dataclass
class Made:
    """Folders of files to add one after the other, and the truth.

    games, won: of each person, by the member number: how many games, and hundredths of masterpoints.
    names: of each person. twins: the files of games that are there already, under another event.
    """

    folders: list[Path]
    games: Counter[str]
    won: Counter[str]
    names: dict[str, str]
    twins: list[str]


def _name(at: int) -> str:
    """Return a name whose surname differs from that of all others by more than a letter."""
    first, second, third = at % 20, at // 20 % 20, at // 400 % 20
    sounds = (first, second, third, (first + second) % 20, (first + 2 * third) % 20, (second + third) % 20)
    parts = [SOUNDS[each] for each in sounds]
    return f"{''.join(parts[:2]).title()} {''.join(parts).title()}"


def _members(home: dict[str, int], clubs: int) -> list[list[str]]:
    members: list[list[str]] = [[] for _ in range(clubs)]
    for number, club in home.items():
        members[club].append(number)
    return members


def _text(club: str, day: str, event: str, rows: list[tuple[str, str, str, str]]) -> str:
    lines = (
        ",".join(("A", str(n), *row, str(score))) for n, (row, score) in enumerate(zip(rows, SCORES, strict=True), 1)
    )
    return HEAD.format(club=club, date=day, event=event) + "\n".join(lines) + "\n"


def make(folder: Path, games: int, seed: int = 1) -> Made:
    """Write the files of so many games, and return them with the truth."""
    rng = random.Random(seed)
    clubs = max(2, games // 200)
    names = {f"{3_000_000 + 101 * at}": _name(at) for at in range(clubs * MEMBERS)}
    numbers = list(names)
    for at in range(0, len(numbers) - MEMBERS, 97):  # namesakes at two clubs, each with a number
        names[numbers[at + MEMBERS]] = names[numbers[at]]
    home = {number: at // MEMBERS for at, number in enumerate(numbers)}
    moving = {number for number in numbers if rng.random() < 0.1}
    namesakes = Counter(names.values())
    made = Made([folder / "first", folder / "again"], Counter(), Counter(), names, [])
    first, again = made.folders
    first.mkdir(parents=True)
    again.mkdir()
    begin, members = date(2010, 1, 1), _members(home, clubs)
    for game in range(games):
        night, club = divmod(game, clubs)
        if (night, club) == (100, 0):
            members = _members({each: (at + (each in moving)) % clubs for each, at in home.items()}, clubs)
        there = members[club]
        seated = rng.sample(there, 2 * PAIRS)
        day, event = (begin + timedelta(7 * night)).isoformat(), f"Pairs {rng.randrange(3)}"
        written = f"Club {SOUNDS[club % 20]}{SOUNDS[club // 20 % 20]}{SOUNDS[club % 7]}".title()
        spelt = written.upper() + "." if rng.random() < 0.1 else written

        def cells(number: str) -> tuple[str, str]:
            name = names[number].upper() if rng.random() < 0.05 else names[number]
            lacks = rng.random() < 0.05 and namesakes[names[number]] == 1
            return name, "" if lacks else number

        rows = [(*cells(one), *cells(two)) for one, two in zip(seated[::2], seated[1::2], strict=True)]
        file = f"{written} {day}.csv"
        right = [rows[1], rows[0], *rows[2:]] if rng.random() < 0.05 else rows
        if right is not rows:  # the first and the second were confused, and the office gets it again
            (again / file).write_text(_text(spelt, day, event, right), "utf-8")
            seated[:4] = [*seated[2:4], *seated[:2]]
        elif rng.random() < 0.03:
            (again / f"again {file}").write_text(_text(spelt, day, event, rows), "utf-8")
        elif rng.random() < 0.02:
            (again / f"other {file}").write_text(_text(spelt, day, TWIN, rows), "utf-8")
            made.twins.append(f"other {file}")
        (first / file).write_text(_text(spelt, day, event, rows), "utf-8")
        for place, pair in enumerate(zip(seated[::2], seated[1::2], strict=True)):
            for number in pair:
                made.games[number] += 1
                made.won[number] += WON[place]
    return made


def add(made: Made, archive: Path) -> str:
    """Add the files to an archive, the first ones and then what was sent again; return what was told."""
    told = ""
    for folder in made.folders:
        done = run("archive", "add", folder, "--to", archive)
        assert done.status == 0, done.err[-2000:]
        told += done.err
    return told


def compared(made: Made, archive: Path, results: Path) -> tuple[list[str], int]:
    """Return who is counted otherwise than the truth and not marked as unsure, a line each, and how many are marked.

    The second of two equal games, which ``archive add`` tells of, is taken out of the archive first, as it advises.
    """
    twins = asked(archive, f"SELECT game_id FROM games WHERE event = '{TWIN}'")
    assert run("archive", "remove", archive, *(row["game_id"] for row in twins)).status == 0
    assert run("reprocess", archive, "-o", results).status == 0
    rows = asked(results, "SELECT member, player, masterpoints, unsure FROM players")
    unsure = {str(row["player"]).lower() for row in rows if row["unsure"]}
    games, won = Counter[str](), Counter[str]()
    for row in rows:
        games[row["member"]] += 1
        won[row["member"]] += _hundredths(row["masterpoints"])
    wrong = [
        f"{number} {name}: {games[number]} games, {won[number]}; in truth {made.games[number]}, {made.won[number]}"
        for number, name in made.names.items()
        if name.lower() not in unsure and (games[number], won[number]) != (made.games[number], made.won[number])
    ]
    return wrong, len(unsure)


def sums(archive: Path, results: Path) -> dict[str, Counter[tuple[str, str, int, int]]]:
    """Return what each view says of every person, by the name of the view: name, number, games and masterpoints."""
    sql = """SELECT max(player) AS player, max(member) AS member, count(*) AS games,
        sum(masterpoints) AS masterpoints FROM players GROUP BY person"""
    listed = json.loads(run("players", archive, "--to", "json").printed)["players"]
    with (results / "summary-players.csv").open(encoding="utf-8") as file:
        summary = [*csv.DictReader(file)]
    assert run("archive", "export", results, results.parent / "games.sqlite").status == 0
    with closing(sqlite3.connect(results.parent / "games.sqlite")) as database:
        database.row_factory = sqlite3.Row
        exported = [dict(row) for row in database.execute(sql)]
    named = [{"player": row["name"], "member": row["id"], **row} for row in listed]
    views = {"query": asked(results, sql), "players": named, "summary": summary, "export": exported}
    return {
        view: Counter(
            (row["player"], row["member"] or "", int(row["games"]), _hundredths(row["masterpoints"])) for row in rows
        )
        for view, rows in views.items()
    }


def _hundredths(points: object) -> int:
    return round(float(str(points)) * 100)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as there:
        of = make(Path(there) / "in", int(sys.argv[1]))
        add(of, Path(there) / "archive")
        differences, marked = compared(of, Path(there) / "archive", Path(there) / "results")
        print("\n".join(differences))
        print(f"{len(of.names)} people: {len(differences)} otherwise than the truth, {marked} names marked as unsure")
        every = sums(Path(there) / "archive", Path(there) / "results")
        print({view: sum((found - every["query"]).values()) for view, found in every.items()}, "otherwise than a query")
