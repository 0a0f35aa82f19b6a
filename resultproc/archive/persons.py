"""Who is who in an archive of many years: how people are written there, and what a user says of them.

The user's word is in ``aliases.csv`` in the archive: who somebody is who is written so, and what a club is called now.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pandas.api.types import union_categoricals

from resultproc.archive.kept import KEPT, Kept, state_of
from resultproc.archive.sql import MAIN, shared_database
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import GAMES_IN_PART, ArchivePart, opened
from resultproc.archive.views import NUMBERS, PERSON, ROW, TWICE, UNSURE, USUAL_NAME, USUAL_NUMBER
from resultproc.model.arrays import Ints, distinct_keys, factorize_text, family_columns, row_dicts
from resultproc.model.errors import InputError
from resultproc.model.provenance import PROVENANCE_KEY, program
from resultproc.model.work import give_freed_memory_back
from resultproc.people.aliases import Aliases, each_way, person_key, plain_ways, read_aliases, with_lines
from resultproc.people.decades import WAY, Decided, distinct_ways, spellings
from resultproc.people.identity import seats_of
from resultproc.people.spelling import (
    one_plain_club,
    one_plain_name,
    one_plain_number,
    plain_club,
)
from resultproc.rulebooks.load import fingerprint

ALIASES = "aliases.csv"
"""The file in the archive."""

ASKED_TOGETHER = 200_000
"""About so many ways in which people are written are asked about together, which bounds the memory."""

_BESIDES = "games besides"
"""What the file of seats says of persons, by their rows: how many games more they have than the ways in which they are
written, or fewer, as games have several people of one number, and people who are written in two ways.
"""


def say_of_people(store: Store, lines: Sequence[Mapping[str, str]]) -> None:
    """Write more lines into what the user of an archive says, in place of those of who is written so; InputError where
    they lead in a circle with the others.
    """
    new = "player,member,club,is\n"
    store.change_text(ALIASES, lambda text: with_lines(text or new, lines, f"{store.url}/{ALIASES}"))


@dataclass(frozen=True)
class People:
    """Who is who in some parts of an archive, which is worked out when it is asked for, and kept there.

    What the user says is read once: all that is asked goes by that, whatever others write meanwhile.
    """

    archive: Store  # where it is
    parts: tuple[ArchivePart, ...]  # all those that count

    @property
    def state(self) -> str:
        """What tells all that decides who is who: the program, the games, and what the user says."""
        return state_of((fingerprint(None), [part.name for part in self.parts], self._aliases_text))

    @cached_property
    def _aliases_text(self) -> str | None:
        return self.archive.read_text(ALIASES)

    @cached_property
    def own(self) -> Aliases:
        """What the user says; raises InputError for lines that say nothing, or two things."""
        return read_aliases(self._aliases_text or "player,member,club,is", f"{self.archive.url}/{ALIASES}")

    @cached_property
    def said(self) -> Aliases:
        """What the user says, with the usual spelling of the clubs."""
        games = [opened(self.archive, part).games(["club"]) for part in self.parts]
        clubs = [of["club"].to_pandas().astype("str") for of in games if "club" in of.column_names]
        return self.own.with_usual_clubs(pd.concat(clubs).value_counts()) if clubs else self.own

    @cached_property
    def _kept(self) -> Kept:
        now = not any(part.as_of for part in self.parts)
        return Kept(Store(f"{self.archive.anywhere}/{KEPT}/people") if now else None, self.state)

    def _file(self, name: str) -> Path:
        """Return the file of a table, after it is made where it is missing, with those that take no longer."""
        if held := self._kept.file(name):
            return held
        for each, write in self._written().files(self.parts, doubts=name not in ("called", "seats")).items():
            self._kept.file(each, write)
        return self._file(name)

    def _written(self) -> _Written:
        ways, seated = _ways(self.archive, _groups(self.parts), self._kept.folder)
        return _Written(ways, seated, self.said.decide(ways), self.said, self.own)

    @cached_property
    def _persons(self) -> pa.Table:
        """The persons, with all games in which they sit, once each."""
        persons = pq.read_table(self._file("persons"))
        games = persons["games"].to_numpy().copy()
        for row, besides in json.loads(self._seats.metadata.metadata[_BESIDES.encode()]).items():
            games[int(row)] += besides
        return persons.set_column(persons.column_names.index("games"), "games", pa.array(games))

    @cached_property
    def _called(self) -> pa.Table:
        return pq.read_table(self._file("called"))

    @cached_property
    def _seats(self) -> pq.ParquetFile:
        return pq.ParquetFile(self._file("seats"), memory_map=True)

    @cached_property
    def _doubted(self) -> pq.ParquetFile:
        return pq.ParquetFile(self._file("doubted"), memory_map=True)

    def _seats_of(self, part: ArchivePart) -> pa.Table:
        """Return who the players of a part's contestants are, as rows of all persons, and whether one is twice."""
        return self._seats.read_row_group(self.parts.index(part))

    def keys(self, part: ArchivePart, wanted: Sequence[str]) -> dict[str, pa.Array]:
        """Return who the players of a part's contestants are.

        wanted: the columns: ``TWICE`` or ``ROW`` of the views, or one of ``OF_PERSONS`` with the number of the player
            behind.
        """
        every: dict[str, pa.Array] = {}
        # Where doubts are found, so is all the rest: they are asked for first.
        if doubted := [column for column in wanted if column.startswith(UNSURE)]:
            flags = self._doubted.read_row_group(self.parts.index(part), doubted)
            every |= {column: flags[column] for column in doubted}
        seats = self._seats_of(part)
        for column in wanted:
            name = column.rstrip("0123456789")
            if name == ROW:
                every[column] = pa.array(np.arange(seats.num_rows))
            elif name == TWICE:
                every[column] = seats[column]
            elif name != UNSURE:
                rows = seats[f"{PERSON}{column.removeprefix(name)}"].combine_chunks().dictionary_encode()
                every[column] = self.texts(name).take(rows.dictionary).take(rows.indices)
        return every

    def seated(self, part: ArchivePart) -> tuple[Ints, Ints, Ints]:
        """Return who sits where in a part: the row of each seat's person among all, -1 for none, the number of the
        seat, and the row of its contestant.
        """
        seats = self._seats_of(part)
        names = [name for name in seats.column_names if name.startswith(PERSON)]
        rows = [seats[name].fill_null(-1).to_numpy().astype(np.int64) for name in names]
        numbers = [int(name.removeprefix(PERSON)) for name in names]
        count = seats.num_rows
        return np.concatenate(rows), np.repeat(numbers, count), np.tile(np.arange(count), len(names))

    def texts(self, name: str) -> pa.Array:
        """Return what a column of ``OF_PERSONS`` says of each person."""
        return self._called[{USUAL_NAME: "player", USUAL_NUMBER: "member"}.get(name, name)].combine_chunks()

    def persons(self) -> pd.DataFrame:
        """Return a row for each person, as the view ``persons`` has it, by name."""
        return _as_view(self._persons.filter(pc.greater(self._persons["games"], 0)))

    def named(self, who: str) -> pd.DataFrame:
        """Return those persons who have a member number, or else a name, in some games, or a key."""
        file, name = self._file("persons"), one_plain_name(who)
        every = pq.read_table(file, columns=["person", "names", "numbers"])
        keys = _written_as(every, "numbers", one_plain_number(who)) or _written_as(every, "names", name) or [name]
        return _as_view(pq.read_table(file, filters=[("person", "in", [*keys, who])]))

    def in_lines(self, person: Mapping[str, Any]) -> str:
        """Return what lines of aliases call a person, a row of :meth:`persons`: by number or name if these tell it."""
        texts = (str(person[name] or "") for name in ("member", "player", "person"))
        return next(text for text in texts if person_key(text) == person["person"])

    def another(self, name: str) -> str:
        """Return a name with the first number behind it that nobody has: ``John Smith 2``."""
        there = set(self._persons["person"].to_pylist())
        return next(text for n in count(2) if one_plain_name(text := f"{name} {n}") not in there)

    def lines(self, person: str, is_: str, club: str = "") -> list[dict[str, str]]:
        """Return the lines of aliases that say who a person is, at one club or anywhere.

        Raises InputError for a person who is not at the club, and for one whom lines cannot tell from a namesake.
        """
        return self._written().lines(person, is_, club)

    def unsure(self) -> pd.DataFrame:
        """Return who somebody should decide about, the most games first: the columns of the aliases, and why."""
        found, keys = _as_frame(pq.read_table(self._file("unsure"))), ["games", "player", "club", "member", "is"]
        return found.sort_values(keys, ascending=[False, True, True, True, True], ignore_index=True)

    def idle(self) -> list[str]:
        """Return the lines of what the user says that nobody is written like."""
        return list(pq.read_table(self._file("idle"))["line"].to_pylist())


def _written_as(persons: pa.Table, column: str, plain: str) -> list[str]:
    """Return the keys of those who are written so in some game."""
    lists = persons[column].combine_chunks()
    rows = pc.list_parent_indices(lists).filter(pc.equal(pc.list_flatten(lists), plain))
    return list(persons["person"].take(rows).to_pylist())


def _as_frame(table: pa.Table) -> pd.DataFrame:
    frame = plain_frame(table)
    return frame.astype({name: "Int64" if name in NUMBERS else "str" for name in frame})


def _as_view(persons: pa.Table) -> pd.DataFrame:
    return _as_frame(persons.drop_columns(["names", "numbers"])).sort_values(["player", "person"], ignore_index=True)


@dataclass(frozen=True)
class _Written:
    """How people are written in some parts, and who each is."""

    ways: pd.DataFrame  # the ways in which people are written, see :func:`resultproc.people.decades.spellings`
    seated: Mapping[str, _Seated]  # gives how those are written who sit in the games of a part
    decided: Decided  # who each is
    said: Aliases  # what the user says, and what clubs are called
    own: Aliases  # what the user says alone

    def files(self, parts: Sequence[ArchivePart], *, doubts: bool) -> dict[str, Callable[[Path], None]]:
        """Return what writes each of the tables that are kept. doubts: those that say what is not sure, too."""

        def written(table: Callable[[], pa.Table]) -> Callable[[Path], None]:
            # Few rows are in a group, by the least and greatest key of which somebody is found.
            return lambda path: pq.write_table(
                table().replace_schema_metadata(_SAID), path, row_group_size=10_000, **_COMPRESSED
            )

        files: dict[str, Callable[[Path], None]]
        files = {"called": written(partial(self.asked, "called"))}
        files["seats"] = partial(self.write_seats, parts, PERSON)
        if doubts:
            files |= {each: written(partial(self.asked, each)) for each in ("persons", "unsure")}
            files["idle"] = written(lambda: pa.table({"line": pa.array(self.idle(), pa.string())}))
            files["doubted"] = partial(self.write_seats, parts, UNSURE)
        return files

    def write_seats(self, parts: Sequence[ArchivePart], name: str, path: Path) -> None:
        """Write who the players of the contestants are, or which of them is unsure: a group of rows for each part."""
        seats = max((each.seats for each in self.seated.values()), default=0)
        fields = {f"{name}{n}": pa.int32() if name == PERSON else pa.bool_() for n in range(1, seats + 1)}
        codes = np.append(self._codes, np.int32(-1))
        said = codes if name == PERSON else np.isin(np.arange(len(codes)), self.decided.unsure["row"])
        besides = -np.bincount(self._codes, self.ways["games"], len(self._keys)).astype(np.int64)
        with pq.ParquetWriter(path, pa.schema({**fields, TWICE: pa.bool_()}, _SAID), **_COMPRESSED) as writer:
            for part in parts:
                game, way = self.seated[part.name].read(seats)
                person = codes[way]
                again, first = distinct_keys(np.repeat(game, seats), person.ravel())
                besides += np.bincount(person.ravel()[first] + 1, minlength=len(besides) + 1)[1:]
                twice = (np.bincount(again)[again].reshape(way.shape) > 1) & (person >= 0)
                columns = {
                    column: pa.array(said[of], mask=said[of] < 0) for column, of in zip(fields, way.T, strict=True)
                }
                columns[TWICE] = pa.array(twice.any(axis=1))
                writer.write_table(pa.table(columns, metadata=_SAID), row_group_size=max(len(way), 1))
            of_each = {int(row): int(besides[row]) for row in np.flatnonzero(besides)}
            writer.add_key_value_metadata({_BESIDES: json.dumps(of_each)})

    @property
    def _codes(self) -> npt.NDArray[np.int32]:
        return self.decided.person.cat.codes.to_numpy().astype(np.int32)

    @property
    def _keys(self) -> pd.Index[str]:
        return self.decided.person.cat.categories

    def asked(self, view: str) -> pa.Table:
        """Return what is asked of the ways in which people are written, see :data:`_VIEWS`."""
        give_freed_memory_back()
        doubts = view != "called"
        keys = pd.Series(self._keys, dtype="str")
        name, number = (self.said.called(keys, number=each) for each in (False, True))
        plain = self._plain_ways if doubts or number.notna().any() else {}
        columns: dict[str, Any] = {each: plain.get(each) for each in ("name", "number")}
        columns |= {"code": self._codes, "now": each_way(self.ways, "place", self.said.clubs_now)}
        ways = self.ways.assign(**columns, row=np.arange(len(self.ways)))
        persons = pd.DataFrame({"code": range(len(keys)), "person": keys, "name": name, "number": number})
        unsure = self.decided.unsure if doubts else pd.DataFrame(columns=["row", "may_be", "why"], dtype="str")
        found = []
        # Nothing that is asked of some depends on other persons.
        for begin, end in pairwise(np.linspace(0, len(persons), len(ways) // ASKED_TOGETHER + 2).astype(int)):
            frames = {"keys": persons[begin:end], "doubts": unsure.astype({"row": int})}
            frames["ways"] = ways[ways["code"].between(begin, end, inclusive="left")]
            tables = {each: pa.Table.from_pandas(frame, preserve_index=False) for each, frame in frames.items()}
            with shared_database(tables, {MAIN: _VIEWS}) as database:
                found.append(database.table(view).to_arrow_table())
        return pa.concat_tables(found)

    @cached_property
    def _plain_ways(self) -> dict[str, pd.Categorical[Any]]:
        return plain_ways(self.ways)

    def lines(self, person: str, is_: str, club: str = "") -> list[dict[str, str]]:
        """Return what :meth:`People.lines` does."""
        names = {"player": "player", "member": "member", "club": "place"}
        ways = self.ways[[*names.values()]].astype("str").fillna("").set_axis([*names], axis=1)
        mine = (self.decided.person == person).to_numpy(dtype=bool)
        if club:
            mine = mine & (plain_club(ways["club"]) == one_plain_club(club)).to_numpy(dtype=bool)
        if not mine.any():
            raise InputError(f"{person} has not played at '{club}'", hint="name a club that 'archive persons' lists")
        numbered = (ways["member"] != "").to_numpy(dtype=bool)
        by_number = ways[mine & numbered].assign(player="", club=club).drop_duplicates()
        by_name = ways[mine & ~numbered].drop_duplicates()
        others = ways[~mine & ~numbered]
        if len(by_name.merge(others, on=["player", "club"])):
            what, hint = (
                f"no line can tell {person} from a namesake at the club",
                "write their member numbers in the games",
            )
            raise InputError(what, hint=hint)
        return [{**row, "is": is_} for row in row_dicts(pd.concat([by_number, by_name]).drop_duplicates())]

    def idle(self) -> list[str]:
        """Return the lines of what the user says that nobody is written like."""
        if not len(self.own.people) and not self.own.clubs:
            return []
        return self.own.idle(pd.DataFrame(self._plain_ways).astype("str"))


_VIEWS = {
    "texts": """
        SELECT code, 'player' AS kind, player AS text, games FROM ways
        UNION ALL SELECT code, 'member', member, games FROM ways UNION ALL SELECT code, 'club', now, games FROM ways
        UNION ALL SELECT code, 'own', w.member, games FROM ways w JOIN keys USING (code) WHERE w.number = person
        UNION ALL SELECT code, 'name', name, games FROM ways
        UNION ALL SELECT code, 'number', number, games FROM ways""",
    "usual": """
        SELECT code, kind, first(text ORDER BY games DESC, text) AS most,
        list(text ORDER BY games DESC, text) AS every
        FROM (SELECT code, kind, text, sum(games) AS games FROM texts WHERE text <> '' GROUP BY ALL)
        GROUP BY code, kind""",
    # Whom the user calls by a number has that one as most games write it.
    "called": """
        SELECT code, person, CASE WHEN number IS NULL THEN m.most ELSE coalesce(o.most, person) END AS member,
        coalesce(name, p.most, member) AS player FROM keys
        LEFT JOIN (FROM usual WHERE kind = 'player') p USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'member') m USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'own') o USING (code) ORDER BY code""",
    "sums": """
        SELECT code, CAST(sum(games) AS BIGINT) AS games, CAST(min("first") AS BIGINT) AS first_year,
        CAST(max("last") AS BIGINT) AS last_year,
        CAST(coalesce(sum(games) FILTER (row IN (SELECT row FROM doubts)), 0) AS BIGINT) AS unsure
        FROM ways GROUP BY code""",
    "persons": """
        SELECT person, player, member, array_to_string(p.every, '; ') AS spellings, games, first_year, last_year,
        array_to_string(c.every, '; ') AS clubs, unsure, coalesce(n.every, []) AS names,
        coalesce(o.every, []) AS numbers FROM called JOIN sums USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'player') p USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'club') c USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'name') n USING (code)
        LEFT JOIN (FROM usual WHERE kind = 'number') o USING (code) ORDER BY code""",
    "unsure": """
        SELECT player, member, place AS club, person AS "is", first(may_be ORDER BY row) AS may_be,
        CAST(sum(games) AS BIGINT) AS games, CAST(min("first") AS BIGINT) AS first_year,
        CAST(max("last") AS BIGINT) AS last_year, first(why ORDER BY row) AS why
        FROM doubts JOIN ways USING (row) JOIN keys USING (code) GROUP BY ALL""",
}
"""What is asked of the ways in which people are written: what each person is called, as the user says, else as in most
games; the rows of the view ``persons``, with all plain ``names`` and ``numbers`` that the games have; and who somebody
should decide about, the columns of the aliases and why.
"""


def _groups(parts: Sequence[ArchivePart]) -> list[tuple[ArchivePart, ...]]:
    """Return parts in groups that have as many games together as a full one, or are one that has more."""
    begins = np.cumsum([part.rows for part in parts]) // (GAMES_IN_PART + 1)
    return [tuple(part for part, of in zip(parts, begins, strict=True) if of == group) for group in np.unique(begins)]


def _ways(
    archive: Store, groups: Sequence[tuple[ArchivePart, ...]], folder: Path
) -> tuple[pd.DataFrame, dict[str, _Seated]]:
    """Return the ways in which people are written in some parts, put together whenever there are twice as many, and who
    sits in each part, which is kept in a folder.
    """
    found: list[pd.DataFrame] = []
    at: list[npt.NDArray[np.int32]] = []  # where the ways of each group are among all that are found
    seated: dict[str, tuple[Path, int]] = {}
    for number, group in enumerate(groups):
        ways, of_parts = _spelt(archive, group)
        for part, of in of_parts.items():
            seated[part] = folder / f".{len(seated)}.npy", number
            np.save(seated[part][0], of)
        at.append(np.arange(len(ways), dtype=np.int32) + sum(map(len, found)))
        found.append(ways[[*WAY, *_NUMBERS]])
        if sum(map(len, found[1:])) > len(found[0]) or (group == groups[-1] and len(found) > 1):
            distinct, of_all = distinct_ways(_joined(found))
            found, at = [distinct], [of_all.astype(np.int32)[each] for each in at]
        give_freed_memory_back()
    return found[0], {part: _Seated(file, at[number]) for part, (file, number) in seated.items()}


_NUMBERS = ("games", "first", "last", "met")


def _joined(several: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the ways of several frames in one, whose texts stay categories. These frames are empty then."""
    joined: dict[str, Any] = {name: union_categoricals([each.pop(name).array for each in several]) for name in WAY}
    joined |= {name: np.concatenate([each.pop(name) for each in several]) for name in _NUMBERS}
    return pd.DataFrame(joined, copy=False)


_SAID = {PROVENANCE_KEY: program()}
_COMPRESSED: Mapping[str, Any] = {"compression": "zstd", "compression_level": 1}
"""What files of who is who say of themselves, and how they are written."""


class _Seated(NamedTuple):
    """Who sits in a part: a file with a row for each contestant, the game and the way of each seat, -1 for none."""

    file: Path
    at: npt.NDArray[np.int32]  # where these ways are among all

    def read(self, seats: int) -> tuple[Ints, Ints]:
        """Return the game of each contestant, and the way of each of so many seats."""
        there = np.load(self.file)
        ways = np.full((len(there), seats), -1, dtype=np.int64)
        ways[:, : there.shape[1] - 1] = np.append(self.at, -1)[there[:, 1:]]
        return there[:, 0], ways

    @property
    def seats(self) -> int:
        """How many a contestant has."""
        return int(np.load(self.file, mmap_mode="r").shape[1]) - 1


def _spelt(archive: Store, parts: tuple[ArchivePart, ...]) -> tuple[pd.DataFrame, dict[str, npt.NDArray[np.int32]]]:
    """Return how those are written who sit in the games of some parts that count, and what :class:`_Seated` keeps of
    each of these.
    """
    games, contestants = [], []
    for part in parts:
        file = opened(archive, part)
        there = pd.DataFrame(columns=[*file.columns["contestants"]])
        contestants.append(file.contestants(["game_id", *family_columns(there), *family_columns(there, "id")]))
        games.append(file.games(["game_id", "club", "date"]))
    of_games, of_contestants = (pa.concat_tables(each, promote_options="default") for each in (games, contestants))
    seats = seats_of(plain_frame(of_contestants), plain_frame(of_games))
    ways, row = spellings(seats)
    contestant, seat = (seats[name].to_numpy() for name in ("contestant", "seat"))
    every = np.full((len(of_contestants), 1 + int(seat.max(initial=0))), -1, dtype=np.int32)
    every[contestant, 0], _ = factorize_text(seats["game"])
    every[contestant, seat] = row
    ends = np.cumsum([len(each) for each in contestants])
    return ways, {part.name: of for part, of in zip(parts, np.split(every, ends[:-1]), strict=True)}
