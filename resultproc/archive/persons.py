"""Who is who in an archive of many years: how people are written there, and what a user says of them.

The user's word is in ``aliases.csv`` in the archive: who somebody is who is written so, and what a club is called now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.api.types import union_categoricals

from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import GAMES_IN_PART, ArchivePart, current_games, opened
from resultproc.archive.views import NUMBERS, UNSURE, USUAL_NAME, USUAL_NUMBER
from resultproc.model.arrays import Bools, Ints, distinct_keys, factorize_text, family_columns, row_dicts, run_starts
from resultproc.model.errors import InputError
from resultproc.people.aliases import Aliases, person_key, plain_ways, read_aliases, with_lines
from resultproc.people.decades import AS_WRITTEN, WAY, Decided, distinct_ways, spellings, summed_ways
from resultproc.people.game import seats_of
from resultproc.people.spelling import one_plain_club, one_plain_name, plain_club, plain_name, plain_number

ALIASES = "aliases.csv"
"""The file in the archive."""


def aliases(store: Store, parts: Sequence[ArchivePart] = ()) -> Aliases:
    """Return what the user of an archive says of who is who; InputError for lines that say nothing, or two things.

    parts: those of whose clubs the usual spelling is wanted, too.
    """
    said = read_aliases(store.read_text(ALIASES) or "player,member,club,is", f"{store.url}/{ALIASES}")
    return with_usual_clubs(said, store, parts) if parts else said


def with_usual_clubs(said: Aliases, store: Store, parts: Sequence[ArchivePart]) -> Aliases:
    """Return what the user says, with the usual spelling of the clubs of some parts."""
    games = [current_games(store, part, ["club"]) for part in parts]
    clubs = [of["club"].to_pandas().astype("str") for of in games if "club" in of.column_names]
    return said.with_usual_clubs(pd.concat(clubs).value_counts()) if clubs else said


def say_of_people(store: Store, lines: Sequence[Mapping[str, str]]) -> None:
    """Write more lines into what the user of an archive says, in place of those of who is written so; InputError where
    they lead in a circle with the others.
    """
    new = "player,member,club,is\n"
    store.change_text(ALIASES, lambda text: with_lines(text or new, lines, f"{store.url}/{ALIASES}"))


@dataclass(frozen=True)
class People:
    """Who is who in some parts of an archive.

    archive: where it is.
    spelt: how those who sit in the games of some parts are written.
    groups: the parts that count; those of a group are asked for at once.
    ways: the ways in which people are written, see :func:`resultproc.people.decades.spellings`.
    decided: who each is.
    said: what the user says, and what clubs are called.
    idle: the lines of what the user says that nobody is written like.
    """

    archive: Store
    spelt: Callable[[tuple[ArchivePart, ...]], _Spelt]
    groups: Sequence[tuple[ArchivePart, ...]]
    ways: pd.DataFrame
    decided: Decided
    said: Aliases
    idle: Sequence[str] = ()

    def keys(self, part: ArchivePart, wanted: Iterable[str]) -> dict[str, pa.Array]:
        """Return who the players of a part's contestants are.

        wanted: the columns, each one of ``OF_PERSONS`` of the views with the number of the player behind.
        """
        here, person, seat, contestant, contestants = self._seats(part)
        every: dict[str, pa.Array] = {}
        for column in wanted:
            name = column.rstrip("0123456789")
            mine = seat == int(column.removeprefix(name))
            of = np.full(contestants, -1, dtype=np.int64)
            of[contestant[mine]] = (here if name == UNSURE else person)[mine]
            if name == UNSURE:
                every[column] = pa.array(np.isin(of, self.decided.unsure["row"].to_numpy()))
            else:
                every[column] = self.texts(name).take(pa.array(of, mask=of < 0))
        return every

    def seated(self, part: ArchivePart) -> tuple[Ints, Ints, Ints]:
        """Return who sits where in a part: the place of each seat's person among all, -1 for none, the number of the
        seat, and the row of its contestant.
        """
        _, person, seat, contestant, _ = self._seats(part)
        return person, seat, contestant

    def _seats(self, part: ArchivePart) -> tuple[Ints, Ints, Ints, Ints, int]:
        """Return the way in which each seat of a part is written and its person, where it is as :meth:`seated` says,
        and how many contestants there are.
        """
        spelt, way = self._ways_of_seats(next(group for group in self.groups if part in group))
        begins, ends = spelt.contestants[part.name]
        mine = (spelt.contestant >= begins) & (spelt.contestant < ends)
        here = way[mine]
        person = np.append(self._codes, -1)[here]
        return here, person, spelt.seat[mine], spelt.contestant[mine] - begins, ends - begins

    @cached_property
    def _ways_of_seats(self) -> Callable[[tuple[ArchivePart, ...]], tuple[_Spelt, Ints]]:
        """What finds the way of each seat of a group among all."""

        def found(group: tuple[ArchivePart, ...]) -> tuple[_Spelt, Ints]:
            spelt = self.spelt(group)
            if len(self.groups) == 1:  # as in most archives: all ways are this one's
                return spelt, spelt.row
            order, hashes = self._hashed
            return spelt, np.append(order[np.searchsorted(hashes, _hashes(spelt.ways))], -1)[spelt.row]

        return lru_cache(maxsize=1)(found)

    def texts(self, name: str) -> pa.Array:
        """Return what a column of ``OF_PERSONS`` says of each person."""
        if name == USUAL_NAME:
            return self._name
        return self._number if name == USUAL_NUMBER else self._keys

    @cached_property
    def _hashed(self) -> tuple[Ints, npt.NDArray[np.uint64]]:
        hashes = _hashes(self.ways)
        return (order := np.argsort(hashes)), hashes[order]

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

    def table(self, part: ArchivePart) -> pa.Table:
        """Return the persons where the part is the first one, else none: they are there once."""
        return pa.Table.from_pandas(self.persons(), preserve_index=False) if part == self.groups[0][0] else pa.table({})

    def written_as(self, plain: str, *, number: bool) -> set[str]:
        """Return the persons who have a member number, or else a name, in some games. plain: in its plain spelling."""
        codes, texts = _coded(self.ways, "member" if number else "player")
        same = (plain_number if number else plain_name)(texts) == plain
        return {str(key) for key in self.decided.person[np.append(same.to_numpy(dtype=bool), False)[codes]].unique()}

    def in_lines(self, person: Mapping[str, Any]) -> str:
        """Return what lines of aliases call a person, a row of :meth:`persons`: by number or name if these tell it."""
        texts = (str(person[name] or "") for name in ("member", "player", "person"))
        return next(text for text in texts if person_key(text) == person["person"])

    def another(self, name: str) -> str:
        """Return a name with the first number behind it that nobody has: ``John Smith 2``."""
        there = set(self.decided.person.cat.categories)
        return next(text for n in count(2) if one_plain_name(text := f"{name} {n}") not in there)

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

    def persons(self) -> pd.DataFrame:
        """Return a row for each person, as the view ``persons`` has it, by name."""
        codes, count = self._codes, len(self._keys)
        ways, unsure = self.ways, self.decided.unsure["row"].to_numpy()
        found = summed_ways(ways, codes, count).set_axis(["games", "first_year", "last_year"], axis=1)
        found["unsure"] = np.bincount(codes[unsure], ways["games"].to_numpy()[unsure], minlength=count)
        for name in AS_WRITTEN:
            found[[name, f"{name}s"]] = self._by_games(name)
        found.insert(0, "person", pd.Series(self.decided.person.cat.categories, dtype="str"))
        found["player"], found["member"] = (each.to_pandas().astype("str") for each in (self._name, self._number))
        found = found[found["games"] > 0].rename(columns={"players": "spellings", "places": "clubs"})
        order = ["person", "player", "member", "spellings", "games", "first_year", "last_year", "clubs", "unsure"]
        return found[order].sort_values(["player", "person"], ignore_index=True).astype(dict.fromkeys(NUMBERS, "Int64"))

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
        found = pd.DataFrame(
            {name: texts.reindex(codes[rows[first]]).array for name, (codes, texts) in columns.items()}
        )
        found["is"] = self.decided.person.iloc[rows[first]].astype("str").array
        found["may_be"] = listed["may_be"].array
        sums = summed_ways(self.ways.iloc[rows], number, len(first))
        found[["games", "first_year", "last_year"]] = sums.astype("Int64")
        found["why"] = listed["why"].array
        keys = ["games", "player", "club", "member", "is"]
        return found.sort_values(keys, ascending=[False, True, True, True, True], ignore_index=True)


def known_people(archive: Store, parts: Sequence[ArchivePart]) -> People:
    """Return who is who in some parts of an archive; InputError where its aliases cannot be read."""
    own = aliases(archive)
    said = with_usual_clubs(own, archive, parts)
    groups = _groups(parts)
    spelt = lru_cache(maxsize=1)(partial(_spelt, archive))  # of one group, it is asked for twice
    ways = _ways(spelt, groups)
    idle = own.idle(pd.DataFrame(plain_ways(ways)).astype("str")) if len(own.people) or own.clubs else ()
    return People(archive, spelt, groups, ways, said.decide(ways), said, idle)


def _groups(parts: Sequence[ArchivePart]) -> list[tuple[ArchivePart, ...]]:
    """Return parts in groups that have as many games together as a full one, or are one that has more."""
    begins = np.cumsum([part.rows for part in parts]) // (GAMES_IN_PART + 1)
    return [tuple(part for part, of in zip(parts, begins, strict=True) if of == group) for group in np.unique(begins)]


def _ways(
    spelt: Callable[[tuple[ArchivePart, ...]], _Spelt], groups: Sequence[tuple[ArchivePart, ...]]
) -> pd.DataFrame:
    """Return the ways in which people are written in some parts, put together whenever there are twice as many."""
    found: list[pd.DataFrame] = []
    for group in groups:
        found.append(spelt(group).ways[[*WAY, *_NUMBERS]])
        if sum(map(len, found[1:])) > len(found[0]):
            found = [distinct_ways(_joined(found))[0]]
    return found[0] if len(found) == 1 else distinct_ways(_joined(found))[0]


_NUMBERS = ("games", "first", "last", "met")


def _joined(several: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the ways of several frames in one, whose texts stay categories."""
    texts = {name: union_categoricals([each[name].array for each in several]) for name in WAY}
    return pd.DataFrame({**texts, **{name: np.concatenate([each[name] for each in several]) for name in _NUMBERS}})


def _hashes(ways: pd.DataFrame) -> npt.NDArray[np.uint64]:
    return np.asarray(pd.util.hash_pandas_object(ways[[*WAY]], index=False), dtype=np.uint64)


def _coded(ways: pd.DataFrame, name: str) -> tuple[npt.NDArray[np.integer[Any]], pd.Series[str]]:
    """Return the number of the text of each way, -1 for none, and the texts."""
    return ways[name].cat.codes.to_numpy(), pd.Series(ways[name].cat.categories, dtype="str")


class _Spelt(NamedTuple):
    """How those who sit in the games of some parts that count are written."""

    ways: pd.DataFrame  # as decades.spellings gives them
    row: Ints  # the way of each seat, -1 for none
    seat: Ints  # the number of each seat: 1 for player1
    contestant: Ints  # the row of its contestant among those of all these parts
    contestants: Mapping[str, tuple[int, int]]  # the first of each part, and that of the next


def _spelt(archive: Store, parts: tuple[ArchivePart, ...]) -> _Spelt:
    games, contestants, rows = [], [], {}
    begins = 0
    for part in parts:
        file = opened(archive, part)
        there = pd.DataFrame(columns=[*file.columns["contestants"]])
        contestants.append(file.contestants(["game_id", *family_columns(there), *family_columns(there, "id")]))
        games.append(file.games(["game_id", "club", "date"]))
        rows[part.name] = (begins, begins := begins + len(contestants[-1]))
    of_games, of_contestants = (pa.concat_tables(each, promote_options="default") for each in (games, contestants))
    seats = seats_of(plain_frame(of_contestants), plain_frame(of_games))
    ways, row = spellings(seats)
    return _Spelt(ways, row, seats["seat"].to_numpy(), seats["contestant"].to_numpy(), rows)
