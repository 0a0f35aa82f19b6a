"""Who is who in an archive of many years: how people are written there, and what a user says of them.

The user's word is in ``aliases.csv`` in the archive: who somebody is who is written so, and what a club is called now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.batch.manifest import ArchivePart, current_contestants, current_games, opened
from resultproc.batch.store import Store
from resultproc.model.arrays import family_columns
from resultproc.model.identity import plain_name
from resultproc.model.persons import PLAIN, WRITTEN, decide, seats_of, spellings
from resultproc.reports.people import Aliases, read_aliases

ALIASES = "aliases.csv"
"""The file in the archive."""

NUMBERS = ("games", "first_year", "last_year", "unsure")
"""The columns of persons that are whole numbers."""


def aliases(store: Store) -> Aliases:
    """Return what the user of an archive says of who is who; InputError for lines that say nothing, or two things."""
    return read_aliases(store.read_text(ALIASES) or "player,member,club,is", f"{store.url}/{ALIASES}")


@dataclass(frozen=True)
class People:
    """Who is who in some parts of an archive.

    spelt: the ways in which people are written, see :func:`resultproc.model.persons.spellings`, with ``person``, the
    key of who it is, and where that is not sure, ``why`` and ``may_be``.
    """

    archive: Store
    first: ArchivePart
    spelt: pd.DataFrame

    def keys(self, part: ArchivePart) -> dict[str, list[str | None]]:
        """Return who the players of a part's contestants are: ``person1``, ``person2``, ..."""
        seats, contestants = _seats(self.archive, part)
        plain, row = spellings(seats)
        known = self.spelt[[*PLAIN, "person"]].drop_duplicates(PLAIN)
        person = plain[PLAIN].merge(known, on=PLAIN, how="left")["person"].to_numpy(dtype=object)
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
        shown = {name: _by_games(spelt, name) for name in WRITTEN}
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
    spelt = every.groupby([*PLAIN, *WRITTEN], dropna=False, sort=False).agg(**sums).reset_index()
    meant = said.persons(spelt)
    now = plain_name(said.clubs_now(spelt["place"]))
    # Who somebody without a number is said to be says nothing of others of the name.
    open_ = np.flatnonzero(meant.isna() | spelt["number"].notna())
    found = decide(spelt.assign(number=meant.fillna(spelt["number"]), club=now).iloc[open_])
    person = meant.fillna(pd.Series(found.person.array, index=open_, dtype="str"))
    unsure = found.unsure.assign(row=open_[found.unsure["row"]]).set_index("row")
    return People(archive, parts[0], spelt.assign(person=person).join(unsure[meant[unsure.index].isna()]))


def _seats(archive: Store, part: ArchivePart) -> tuple[pd.DataFrame, int]:
    """Return who sits in the games of a part that count, and how many contestants there are."""
    there = pd.DataFrame(columns=[*opened(archive, "contestants", part).filled()])
    columns = ["game_id", *family_columns(there), *family_columns(there, "id")]
    contestants = current_contestants(archive, part, columns).to_pandas()
    of_games = [name for name in ("game_id", "club", "date") if name in opened(archive, "games", part).filled()]
    return seats_of(contestants, current_games(archive, part, of_games).to_pandas()), len(contestants)
