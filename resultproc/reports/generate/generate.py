"""Random games as files: the same ones for a seed, whatever machine makes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from resultproc.model.codes import code_of_writing
from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.reports.generate.kinds import KINDS, Chosen, Dice, Made
from resultproc.rulebooks.core import Rulebook
from resultproc.rulebooks.load import rulebook, rulebooks

_LONGEST = timedelta(days=700)
"""A rulebook that is in force for ever, or has been, has games of this many days beyond those that are told apart."""


def generate(kind: str, seed: int, games: int) -> dict[str, Made]:
    """Return random games of a kind by the names of their files.

    Each rulebook of the kind has its turn, and half of the games are of a day on which its values change, or of the
    day before. Raises InputError for an unknown kind.
    """
    if kind not in KINDS:
        raise InputError(f"unknown kind of games: '{kind}'", hint=f"there are {', '.join(KINDS)}")
    books = [rulebook(name) for name in KINDS[kind].rulebooks]
    return {f"{kind}-{seed}-{n + 1:03d}.csv": _game(kind, seed, n, books[n % len(books)]) for n in range(games)}


def _game(kind: str, seed: int, number: int, book: Rulebook) -> Made:
    dice = Dice(f"{kind} {seed} {number}")
    first, last = _in_force(book)
    days = _changes(book, first, last)
    while True:
        day = dice.one(days) if dice.happens(1 / 2) else first + timedelta(days=dice.whole(0, (last - first).days))
        ratings = _ratings(book, day)
        if ratings:
            return KINDS[kind].make(dice, Chosen(book, day, ratings))


def _ratings(book: Rulebook, day: date) -> list[str]:
    """Return the ratings that a rulebook covers on a day, and no other that began later."""
    later = [
        each
        for each in rulebooks()
        if each.event_types == book.event_types and book.since < each.since <= day <= each.until
    ]
    return [rating for rating in book.covers if not any(rating in each.covers for each in later)]


def _in_force(book: Rulebook) -> tuple[date, date]:
    """Return the first and the last day of a rulebook's games."""
    told_apart = [day for each in rulebooks() for day in each.starts if day > date.min]
    return max(book.since, min(told_apart) - _LONGEST), min(book.until, max(told_apart) + _LONGEST)


def _changes(book: Rulebook, first: date, last: date) -> list[date]:
    """Return the days on which a rulebook's values change, its first and its last, and those before."""
    days = {day for start in book.starts if start > date.min for day in (start, start - timedelta(days=1))}
    return sorted({first, last} | {day for day in days if first <= day <= last})


def game_as_csv(made: Made) -> bytes:
    """Return a game as a CSV file, its keys above the contestants."""
    file = io.StringIO()
    file.writelines(f"# {key}: {value}\n" for key, value in made.keys.items())
    columns = dict.fromkeys(column for row in made.rows for column in row)
    writer = csv.DictWriter(file, [*columns], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(made.rows)
    return file.getvalue().encode()


def write(folder: Path, made: Mapping[str, Made]) -> None:
    """Write games into a folder, which is made if it is not there.

    Raises OutputError, before anything is written, where a file of the name is there that is another.
    """
    from resultproc.formats.write import write_bytes

    files = {folder / name: game_as_csv(each) for name, each in made.items()}
    others = [path for path, data in files.items() if path.exists() and path.read_bytes() != data]
    if others:
        what = "this file exists already, and is not overwritten"
        wrong = [Problem(what, hint="write to another folder", file=str(path)) for path in others]
        raise OutputError(wrong, code="output.exists")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"this folder cannot be made: {error.strerror}"
        raise OutputError(what, file=str(folder), code=code_of_writing(error)) from None
    for path, data in files.items():
        write_bytes(path, data)
