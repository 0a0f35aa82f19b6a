"""Who is who in an archive of many years: how people are written there, and what a user says of them.

The user's word is in ``aliases.csv`` in the archive: who somebody is who is written so, and what a club is called now.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
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
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import GAMES_IN_PART, ArchivePart, opened
from resultproc.archive.views import NUMBERS, PERSON, ROW, TWICE, UNSURE, USUAL_NAME, USUAL_NUMBER
from resultproc.model.arrays import Bools, Ints, distinct_keys, factorize_text, family_columns, row_dicts, run_starts
from resultproc.model.errors import InputError
from resultproc.model.provenance import PROVENANCE_KEY, program
from resultproc.people.aliases import Aliases, person_key, plain_ways, read_aliases, with_lines
from resultproc.people.decades import AS_WRITTEN, WAY, Decided, distinct_ways, spellings, summed_ways
from resultproc.people.game import seats_of
from resultproc.people.spelling import (
    one_plain_club,
    one_plain_name,
    one_plain_number,
    plain_club,
    plain_number,
)
from resultproc.rulebooks.load import fingerprint

ALIASES = "aliases.csv"
"""The file in the archive."""

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

    archive: where it is.
    parts: all those that count.
    """

    archive: Store
    parts: tuple[ArchivePart, ...]

    @cached_property
    def state(self) -> str:
        """What tells all that decides who is who: the program, the games, and what the user says."""
        return state_of((fingerprint(None), [part.name for part in self.parts], self._text))

    @cached_property
    def _text(self) -> str | None:
        return self.archive.read_text(ALIASES)

    @cached_property
    def own(self) -> Aliases:
        """What the user says; raises InputError for lines that say nothing, or two things."""
        return read_aliases(self._text or "player,member,club,is", f"{self.archive.url}/{ALIASES}")

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

    def table(self, part: ArchivePart) -> pa.Table:
        """Return the persons where the part is the first one, else none: they are there once."""
        return pa.Table.from_pandas(self.persons(), preserve_index=False) if part == self.parts[0] else pa.table({})

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
        return _as_frame(pq.read_table(self._file("unsure")))

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
    """How people are written in some parts, and who each is.

    ways: the ways in which people are written, see :func:`resultproc.people.decades.spellings`.
    seated: gives how those are written who sit in the games of a part.
    decided: who each is.
    said: what the user says, and what clubs are called.
    own: what the user says alone.
    """

    ways: pd.DataFrame
    seated: Mapping[str, _Seated]
    decided: Decided
    said: Aliases
    own: Aliases

    def files(self, parts: Sequence[ArchivePart], *, doubts: bool) -> dict[str, Callable[[Path], None]]:
        """Return what writes each of the tables that are kept. doubts: those that say what is not sure, too."""

        def written(table: Callable[[], pa.Table]) -> Callable[[Path], None]:
            # Few rows are in a group, by the least and greatest key of which somebody is found.
            return lambda path: pq.write_table(
                table().replace_schema_metadata(_SAID), path, row_group_size=10_000, **_COMPRESSED
            )

        files: dict[str, Callable[[Path], None]]
        files = {"called": written(self.called), "seats": partial(self.write_seats, parts, PERSON)}
        if doubts:
            files["persons"] = written(self.persons)
            files["unsure"] = written(lambda: pa.Table.from_pandas(self.unsure(), preserve_index=False))
            files["idle"] = written(lambda: pa.table({"line": pa.array(self.idle(), pa.string())}))
            files["doubted"] = partial(self.write_seats, parts, UNSURE)
        return files

    def write_seats(self, parts: Sequence[ArchivePart], name: str, path: Path) -> None:
        """Write who the players of the contestants are, or which of them is unsure: a group of rows for each part."""
        seats = max((each.seats for each in self.seated.values()), default=0)
        fields = {f"{name}{n}": pa.int32() if name == PERSON else pa.bool_() for n in range(1, seats + 1)}
        said = np.append(self._codes.astype(np.int32), np.int32(-1)) if name == PERSON else self._is_unsure
        besides = -np.bincount(self._codes, self.ways["games"], len(self._keys)).astype(np.int64)
        with pq.ParquetWriter(path, pa.schema({**fields, TWICE: pa.bool_()}, _SAID), **_COMPRESSED) as writer:
            for part in parts:
                game, way = self.seated[part.name].read(seats)
                person = np.append(self._codes, -1)[way]
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

    @cached_property
    def _is_unsure(self) -> Bools:
        """Which of the ways somebody should decide about, and of none."""
        return np.isin(np.arange(len(self.ways) + 1), self.decided.unsure["row"])

    @cached_property
    def _codes(self) -> Ints:
        return self.decided.person.cat.codes.to_numpy().astype(np.int64)

    @cached_property
    def _keys(self) -> pa.Array:
        return pa.array(self.decided.person.cat.categories.to_numpy(dtype=object), pa.string())

    @cached_property
    def _name(self) -> pa.Array:
        """The name that most of each person's games have; one that the user says goes first."""
        keys = pd.Series(self.decided.person.cat.categories, dtype="str")
        name = self.said.called(keys, number=False).fillna(self._by_games("player")["most"])
        return pa.Array.from_pandas(name.fillna(self._number.to_pandas()), type=pa.string())

    @cached_property
    def _number(self) -> pa.Array:
        """The member number that most of each person's games have; of whom the user names by a number, that one."""
        keys = pd.Series(self.decided.person.cat.categories, dtype="str")
        codes, texts = _coded(self.ways, "member")
        plain = np.append(plain_number(texts).to_numpy(dtype=object, na_value=""), "")[codes]
        said = self._by_games("member", plain == self.decided.person.to_numpy(dtype=object))["most"].fillna(keys)
        number = said.where(self.said.called(keys, number=True).notna(), self._by_games("member")["most"])
        return pa.Array.from_pandas(number, type=pa.string())

    def lines(self, person: str, is_: str, club: str = "") -> list[dict[str, str]]:
        """Return the lines of aliases that say who a person is, at one club or anywhere.

        Raises InputError for a person who is not at the club, and for one whom lines cannot tell from a namesake.
        """
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

    def called(self) -> pa.Table:
        """Return what each person is called, in the order of their keys."""
        return pa.table({"person": self._keys, "player": self._name, "member": self._number})

    def persons(self) -> pa.Table:
        """Return a row for each person, in the order of their keys, as the view ``persons`` has it, and all plain
        ``names`` and ``numbers`` that the games have.
        """
        codes, count = self._codes, len(self._keys)
        ways, unsure = self.ways, self.decided.unsure["row"].to_numpy()
        found = summed_ways(ways, codes, count).set_axis(["games", "first_year", "last_year"], axis=1).astype("Int64")
        found["unsure"] = np.bincount(codes[unsure], ways["games"].to_numpy()[unsure], minlength=count)
        columns = {name: pa.Array.from_pandas(found[name], type=pa.int64()) for name in found}
        every = {name: pa.Array.from_pandas(self._by_games(name)["every"], type=pa.string()) for name in AS_WRITTEN}
        columns |= {"person": self._keys, "player": self._name, "member": self._number}
        columns |= {"spellings": every["player"], "clubs": every["place"]}
        order = ["person", "player", "member", "spellings", "games", "first_year", "last_year", "clubs", "unsure"]
        plain = plain_ways(ways)
        written = {f"{name}s": self._lists(plain[name]) for name in ("name", "number")}
        return pa.table({name: columns[name] for name in order} | written)

    def _lists(self, plain: pd.Categorical[Any]) -> pa.ListArray:
        """Return what each person is written like in some game. plain: what each way has."""
        codes = np.asarray(plain.codes, dtype=np.int64)
        there = codes >= 0
        _, first = distinct_keys(self._codes[there], codes[there])
        person, text = self._codes[there][first], codes[there][first]
        order = np.argsort(person, kind="stable")
        begins = np.searchsorted(person[order], np.arange(len(self._keys) + 1))
        texts = pa.array(plain.categories.to_numpy(dtype=object), pa.string()).take(pa.array(text[order]))
        return pa.ListArray.from_arrays(pa.array(begins, pa.int32()), texts)

    def idle(self) -> list[str]:
        """Return the lines of what the user says that nobody is written like."""
        if not len(self.own.people) and not self.own.clubs:
            return []
        return self.own.idle(pd.DataFrame(plain_ways(self.ways)).astype("str"))

    def _by_games(self, name: str, only: Bools | None = None) -> pd.DataFrame:
        """Return what most of each person's games have of a column, and all that they have, most games first.

        only: the ways in which people are written that count.
        """
        codes, texts = _coded(self.ways, name)
        if name == "place":
            of_text, distinct = factorize_text(self.said.clubs_now(texts))
            codes, texts = np.append(of_text, -1)[codes], pd.Series(distinct, dtype="str")
        there = np.append((texts != "").to_numpy(dtype=bool), False)[codes]
        there &= True if only is None else only
        person, text = self._codes[there], codes[there]
        number, first = distinct_keys(person, text)
        games = np.bincount(number, self.ways["games"].to_numpy()[there], minlength=len(first))
        person, text = person[first], text[first]
        order = np.lexsort([texts.argsort().to_numpy().argsort()[text], -games, person])
        begins = np.flatnonzero(run_starts(person[order]))
        said = pa.array(texts, pa.string()).take(pa.array(text[order]))
        said = said.combine_chunks() if isinstance(said, pa.ChunkedArray) else said
        lists = pa.ListArray.from_arrays(pa.array(np.append(begins, len(order)), pa.int32()), said)
        most, every = said.take(pa.array(begins)), pc.binary_join(lists, "; ")
        frame = pd.DataFrame({"most": most.to_pandas(), "every": every.to_pandas()}, dtype="str")
        return frame.set_axis(person[order][begins]).reindex(range(len(self._keys)))

    def unsure(self) -> pd.DataFrame:
        """Return who somebody should decide about, the most games first: the columns of the aliases, and why."""
        rows = self.decided.unsure["row"].to_numpy()
        written = {"player": "player", "member": "member", "club": "place"}
        columns = {name: _coded(self.ways, of) for name, of in written.items()}
        number, first = distinct_keys(*(codes[rows] for codes, _ in columns.values()), self._codes[rows])
        listed = self.decided.unsure.iloc[first]
        columns["is"] = self._codes, pd.Series(self.decided.person.cat.categories, dtype="str")
        found = pd.DataFrame({name: _in_order(codes[rows[first]], texts) for name, (codes, texts) in columns.items()})
        found["may_be"] = listed["may_be"].array
        sums = summed_ways(self.ways.iloc[rows], number, len(first))
        found[["games", "first_year", "last_year"]] = sums.astype("Int64")
        found["why"] = pd.Categorical(listed["why"])
        keys = ["games", "player", "club", "member", "is"]
        return found.sort_values(keys, ascending=[False, True, True, True, True], ignore_index=True)


def known_people(archive: Store, parts: Sequence[ArchivePart]) -> People:
    """Return who is who in some parts of an archive; what is asked raises InputError where its aliases cannot be read.

    parts: all those that count, at one time.
    """
    return People(archive, tuple(parts))


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
    return found[0], {part: _Seated(file, at[number]) for part, (file, number) in seated.items()}


_NUMBERS = ("games", "first", "last", "met")


def _joined(several: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the ways of several frames in one, whose texts stay categories."""
    texts = {name: union_categoricals([each[name].array for each in several]) for name in WAY}
    return pd.DataFrame({**texts, **{name: np.concatenate([each[name] for each in several]) for name in _NUMBERS}})


def _in_order(codes: npt.NDArray[np.integer[Any]], texts: pd.Series[str]) -> pd.Categorical[str]:
    """Return texts as categories in the order of the alphabet. codes: the place of each among all, -1 for none."""
    order = texts.argsort().to_numpy()
    return pd.Categorical.from_codes(np.append(order.argsort(), -1)[codes], pd.Index(texts.iloc[order]))


def _coded(ways: pd.DataFrame, name: str) -> tuple[npt.NDArray[np.integer[Any]], pd.Series[str]]:
    """Return the number of the text of each way, -1 for none, and the texts."""
    return ways[name].cat.codes.to_numpy(), pd.Series(ways[name].cat.categories, dtype="str")


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
