"""Who is who in an archive of many years: how people are written there, and what a user says of them.

The user's word is in ``aliases.csv`` in the archive: who somebody is who is written so, and what a club is called now.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.batch.manifest import ArchivePart, current_contestants, current_games, opened
from resultproc.batch.store import Store
from resultproc.model.arrays import Ints, family_columns, family_number
from resultproc.model.errors import InputError, Problem
from resultproc.model.identity import one_plain_name, one_plain_number, plain_name, plain_number
from resultproc.model.persons import decide

ALIASES = "aliases.csv"
"""The file in the archive."""

_COLUMNS = ("player", "member", "club", "is")
"""The columns of that file; others, such as those of a list of who is unsure, are passed over."""

_PLAIN = ["name", "number", "club", "partner"]
_WRITTEN = ["player", "member", "place"]

NUMBERS = ("games", "first_year", "last_year", "unsure")
"""The columns of persons that are whole numbers."""


@dataclass(frozen=True)
class Aliases:
    """What a user says of who is who.

    people: who is written so, ``name``, ``number`` and ``club`` in their plain spelling, missing where any will do; and
    ``person``, the key of who that is.
    clubs: what a club is called now, by the plain spelling of its name.
    """

    people: pd.DataFrame
    clubs: Mapping[str, str]

    def clubs_now(self, clubs: pd.Series[str]) -> pd.Series[str]:
        """Return what clubs are called now: as they are written where nothing is said of them."""
        now: pd.Series[str] = plain_name(clubs).map(dict(self.clubs)).astype("str").fillna(clubs)
        return now

    def persons(self, spelt: pd.DataFrame) -> pd.Series[str]:
        """Return who is meant, of each way of writing, missing where nothing is said: what says most of it counts."""
        keys = ["name", "number", "club"]
        found = pd.Series(None, index=spelt.index, dtype="str")
        given = self.people[keys].notna()
        for has in sorted(set(given.itertuples(index=False, name=None)), key=lambda ways: (-sum(ways), ways)):
            by = [name for name, there in zip(keys, has, strict=True) if there]
            lines = self.people[(given == np.array(has)).all(axis=1)]
            person = spelt[by].merge(lines[[*by, "person"]], on=by, how="left")["person"].set_axis(spelt.index)
            # Who is named without a number is who is written without one.
            found = found.fillna(person if "number" in by else person.where(spelt["number"].isna()))
        return found


def aliases(store: Store) -> Aliases:
    """Return what the user of an archive says of who is who; InputError for lines that say nothing, or two things."""
    text = store.read_text(ALIASES) or ",".join(_COLUMNS)
    return _read(text, f"{store.url}/{ALIASES}")


@cache
def _read(text: str, file: str) -> Aliases:
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        what = f"there is no column '{missing[0]}'"
        raise InputError(what, "line 1", hint=f"the columns are {', '.join(_COLUMNS)}", file=file)
    problems: list[Problem] = []
    people: dict[tuple[str | None, ...], str] = {}
    clubs: dict[str, str] = {}
    for row in reader:
        where = f"line {reader.line_num}"
        player, member, club, person = (_unescaped(row[name]) for name in _COLUMNS)
        key = (one_plain_name(player) or None, one_plain_number(member) or None, one_plain_name(club) or None)
        target = person if key[:2] == (None, None) else _key(person)
        if not any(key) or not target or (member and not key[1]):
            hint = "write a player, a member number or a club, and who or what that is under 'is'"
            problems.append(Problem("this line does not say who is who", where, hint, file=file))
        elif key[:2] == (None, None):
            if clubs.setdefault(str(key[2]), target) != target:
                problems.append(Problem(f"the club '{club}' is called two names", where, "keep one line", file=file))
        elif people.setdefault(key, target) != target:
            problems.append(Problem("this is said to be two people", where, "keep one line", file=file))
    if problems:
        raise InputError(problems)
    numbers = {str(number): person for (name, number, club), person in people.items() if number and not (name or club)}
    persons = [_last(numbers, person, str) for person in people.values()]
    frame = pd.DataFrame([*people], columns=["name", "number", "club"], dtype="str").assign(person=persons)
    return Aliases(frame.astype("str"), {club: _last(clubs, now, one_plain_name) for club, now in clubs.items()})


def _unescaped(cell: str | None) -> str:
    return (cell or "").strip().removeprefix("'")


def _key(person: str) -> str:
    """Return the key of a person who is named by a number or a name."""
    number = one_plain_number(person)
    return number if number.isdigit() and sum(map(str.isalpha, person)) <= 1 else one_plain_name(person)


def _last(called: Mapping[str, str], now: str, plain: Callable[[str], str]) -> str:
    """Return what somebody or a club is called at last, which may have changed more than once."""
    for _ in called:
        now = called.get(plain(now), now)
    return now


def spellings(seats: pd.DataFrame) -> tuple[pd.DataFrame, Ints]:
    """Return the ways in which people are written, as :func:`resultproc.model.persons.decide` takes them, and each
    seat's; -1 for one that names nobody.

    seats: a row per player of a contestant of a game: ``game``, ``name``, ``number``, ``club`` and ``partner`` as
    written, and ``year``; texts may be missing or empty. ``player``, ``member`` and ``place`` have what is written.
    """
    plain = pd.DataFrame(
        {
            "name": plain_name(seats["name"]),
            "number": plain_number(seats["number"]),
            "club": plain_name(seats["club"]),
            "partner": plain_name(seats["partner"]),
            **{name: seats[of] for name, of in zip(_WRITTEN, ("name", "number", "club"), strict=True)},
            "game": seats["game"],
            "year": seats["year"],
        }
    ).reset_index(drop=True)
    plain["met"] = plain.duplicated(["game", "name"], keep=False) & plain["name"].notna()
    named = plain[["name", "number"]].notna().any(axis=1)
    grouped = plain[named].groupby([*_PLAIN, *_WRITTEN], dropna=False, sort=False)
    row = np.full(len(plain), -1, dtype=np.int64)
    row[named] = grouped.ngroup()
    spelt = grouped.agg(games=("met", "size"), first=("year", "min"), last=("year", "max"), met=("met", "any"))
    return spelt.reset_index(), row


@dataclass(frozen=True)
class People:
    """Who is who in some parts of an archive.

    spelt: the ways in which people are written, see :func:`spellings`, with ``person``, the key of who it is, and where
    that is not sure, ``why`` and ``may_be``.
    """

    archive: Store
    first: ArchivePart
    spelt: pd.DataFrame

    def keys(self, part: ArchivePart) -> dict[str, list[str | None]]:
        """Return who the players of a part's contestants are: ``person1``, ``person2``, ..."""
        seats, contestants = _seats(self.archive, part)
        plain, row = spellings(seats)
        known = self.spelt[[*_PLAIN, "person"]].drop_duplicates(_PLAIN)
        person = plain[_PLAIN].merge(known, on=_PLAIN, how="left")["person"].to_numpy(dtype=object)
        keys = np.array([*person.tolist(), None], dtype=object)[row]
        every = {f"person{n}": np.full(contestants, None, dtype=object) for n in sorted(set(seats["seat"]))}
        for n in sorted(set(seats["seat"])):
            mine = (seats["seat"] == n).to_numpy()
            every[f"person{n}"][seats["contestant"].to_numpy()[mine]] = keys[mine]
        return {name: values.tolist() for name, values in every.items()}

    def table(self, part: ArchivePart) -> pa.Table:
        """Return the persons where the part is the first one, else none: they are there once."""
        persons = self.persons()
        return pa.Table.from_pandas(persons if part is self.first else persons[:0], preserve_index=False)

    def persons(self) -> pd.DataFrame:
        """Return a row for each person, as the view ``persons`` has it, by name."""
        spelt = self.spelt.assign(unsure=self.spelt["games"].where(self.spelt["why"].notna(), 0))
        sums = spelt.groupby("person").agg(
            games=("games", "sum"), first_year=("first", "min"), last_year=("last", "max"), unsure=("unsure", "sum")
        )
        shown = {name: _by_games(spelt, name) for name in _WRITTEN}
        sums["player"] = shown["player"].str[0].reindex(sums.index).fillna(pd.Series(sums.index, sums.index))
        sums["member"] = shown["member"].str[0]
        sums["spellings"], sums["clubs"] = (shown[name].str.join("; ") for name in ("player", "place"))
        order = ["person", "player", "member", "spellings", "games", "first_year", "last_year", "clubs", "unsure"]
        found = sums.reset_index()[order].sort_values(["player", "person"], ignore_index=True)
        return found.astype(dict.fromkeys(NUMBERS, "Int64"))

    def unsure(self) -> pd.DataFrame:
        """Return who somebody should decide about, the most games first: the columns of the aliases, and why."""
        spelt = self.spelt[self.spelt["why"].notna()]
        keys = ["player", "member", "place", "person"]
        found = spelt.groupby(keys, dropna=False, as_index=False).agg(
            may_be=("may_be", "first"),
            games=("games", "sum"),
            first=("first", "min"),
            last=("last", "max"),
            why=("why", "first"),
        )
        found = found.rename(columns={"place": "club", "person": "is", "first": "first_year", "last": "last_year"})
        found = found.astype(dict.fromkeys(NUMBERS[:3], "Int64"))
        return found.sort_values(["games", "player", "club"], ascending=[False, True, True], ignore_index=True)


def rows_of(frame: pd.DataFrame) -> list[list[object]]:
    """Return the rows of a table of people, None for what is missing."""
    return [[None if pd.isna(value) else value for value in row] for row in frame.astype(object).to_numpy().tolist()]


def _by_games(spelt: pd.DataFrame, name: str) -> pd.Series[str]:
    """Return what each person's games have of a column, as lists, what most of them have first."""
    games = spelt[spelt[name] != ""].groupby(["person", name], as_index=False).agg(games=("games", "sum"))
    ordered = games.sort_values(["games", name], ascending=[False, True])
    found: pd.Series[str] = ordered.groupby("person")[name].agg(list)
    return found


def known_people(archive: Store, parts: Sequence[ArchivePart]) -> People:
    """Return who is who in some parts of an archive; InputError where its aliases cannot be read."""
    said = aliases(archive)
    every = pd.concat([spellings(_seats(archive, part)[0])[0] for part in parts], ignore_index=True)
    sums = {"games": ("games", "sum"), "first": ("first", "min"), "last": ("last", "max"), "met": ("met", "any")}
    spelt = every.groupby([*_PLAIN, *_WRITTEN], dropna=False, sort=False).agg(**sums).reset_index()
    meant = said.persons(spelt)
    now = plain_name(said.clubs_now(spelt["place"]))
    # Who somebody without a number is said to be says nothing of others of the name.
    open_ = np.flatnonzero(meant.isna() | spelt["number"].notna())
    found = decide(spelt.assign(number=meant.fillna(spelt["number"]), club=now).iloc[open_])
    person = meant.fillna(pd.Series(found.person.array, index=open_, dtype="str"))
    unsure = found.unsure.assign(row=open_[found.unsure["row"]]).set_index("row")
    return People(archive, parts[0], spelt.assign(person=person).join(unsure[meant[unsure.index].isna()]))


def _seats(archive: Store, part: ArchivePart) -> tuple[pd.DataFrame, int]:
    """Return who sits in the games of a part that count, as :func:`spellings` takes them, and how many contestants.

    ``contestant`` is the row, and ``seat`` 1 for player1. The partner is the other player of a pair; of a team, nobody.
    """
    there = opened(archive, "contestants", part).filled()
    players = family_columns(pd.DataFrame(columns=[*there]))
    numbers = family_columns(pd.DataFrame(columns=[*there]), "id")
    contestants = current_contestants(archive, part, ["game_id", *players, *numbers]).to_pandas()
    of_games = [name for name in ("game_id", "club", "date") if name in opened(archive, "games", part).filled()]
    games = current_games(archive, part, of_games).to_pandas().reindex(columns=["game_id", "club", "date"])
    games = games.set_index("game_id")
    names = contestants.reindex(columns=players).astype("str")
    names = names.mask(names == "")
    pair = names.notna().to_numpy().sum(axis=1) == 2
    club = contestants["game_id"].map(games["club"]).astype("str")
    year = pd.to_datetime(contestants["game_id"].map(games["date"])).dt.year.astype("float64")
    frames = []
    for n in sorted({family_number(name) for name in (*players, *numbers)}):
        partner = pd.Series(None, index=names.index, dtype="str")
        for other in names.columns.drop(f"player{n}", errors="ignore"):
            partner = partner.fillna(names[other])
        mine = {"contestant": names.index, "seat": n, "game": contestants["game_id"], "club": club, "year": year}
        for key, column in (("name", f"player{n}"), ("number", f"id{n}")):
            mine[key] = (
                contestants[column] if column in contestants else pd.Series(None, index=names.index, dtype="str")
            )
        frames.append(pd.DataFrame({**mine, "partner": partner.where(pair)}))
    texts = dict.fromkeys(("game", "club", "name", "number", "partner"), "str")
    return pd.concat(frames, ignore_index=True).astype(texts), len(contestants)
