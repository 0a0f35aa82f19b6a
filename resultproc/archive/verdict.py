"""Which of some games an archive has, and which of its games they correct: found before they are added.

The same results of the same day, club and event are the same game, whatever file they are from. A game corrects the one
that its file names the same: by its id and the club, where the file gives it one, else by the file's own name, the club
and day, if most of the players are the same. What one of the two does not say, its club or day, does not tell them
apart. A version that was corrected does not come back by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from resultproc.archive.game_file import GAME_REMOVED, GAME_REPLACED, NO_TIME, UNTIL, WHY, microseconds
from resultproc.archive.store import Store
from resultproc.archive.table import ArchivePart, Snapshot, every_game, opened
from resultproc.model.arrays import Bools, Ints
from resultproc.model.errors import Problem
from resultproc.people.spelling import plain_club
from resultproc.stages.same_game import marks_of_games, of_one_game, players_of_games, possible_versions, versions

_FACTS = [
    *("game_id", "id_in_source", "source", "date", "club", "club_id", "event", "session", "event_type"),
    *("content_hash", "results"),
]
_NAME = ["id_in_source", "plain_club", "date"]

_TOLD = pa.schema([(name, pa.date32() if name == "date" else pa.string()) for name in _FACTS])

_ALIKE = ["game_id", "id_in_source", "date", "results"]
"""A game is the same as a new one, or another version of it, only if they agree in one of these."""


@dataclass(frozen=True)
class ArchiveVerdict:
    """What becomes of some games, each by its row.

    What is none of these is known.
    """

    new: Bools  # it is added
    removed: Bools  # it was there, and somebody removed it
    outdated: Bools  # it was there, and another one replaced it
    twice: Bools  # another game of this run has its name, and which one is right is to be said
    replaced: Ints  # the game that it corrects, by its row in :class:`Games`, -1 for none
    moved: list[str]  # the day of the game that it corrects, where that is another than its own
    # The day and id of a game of its name, on another day or with other players, which it does not correct; empty for
    # none.
    namesake: list[tuple[str, str]]


class Games:
    """The games of an archive that count, and which were removed or replaced.

    frame: the games that may be the same as one that was judged last, or another version of it: what tells them apart,
    the part of each, its row there, and whether this run had it. With all games, each night would take longer.
    """

    def __init__(self, store: Store) -> None:
        """Start with none."""
        self.frame = pd.DataFrame()
        self._store = store
        self._every = _TOLD.empty_table().select(_ALIKE)
        self._counts, self._ours = np.zeros((2, 0), dtype=np.bool_)
        self._parts: list[ArchivePart] = []
        self._starts: list[int] = []
        self._told: dict[int, pa.Table] = {}  # the facts of parts, by their place in the list, that were asked for
        self._removed: set[str] = set()
        self._replaced: set[tuple[str, str]] = set()

    @classmethod
    def of(cls, store: Store, snapshot: Snapshot) -> Games:
        """Return the games of an archive; InputError where a part is missing or damaged."""
        found = cls(store)
        for part in snapshot.parts:
            games = every_game(store, part, _ALIKE)
            found._append(part, _as_told(games, _ALIKE), ours=False)
            if part.current != part.rows:
                games = every_game(store, part, ["game_id", "content_hash", UNTIL, WHY])
                found._counts[-len(games) :] = microseconds(games, UNTIL) == NO_TIME
                why = np.array(games[WHY].to_pylist() if WHY in games.column_names else [None] * len(games))
                found._removed.update(games["game_id"].filter(why == GAME_REMOVED).to_pylist())
                found._replaced.update(_versions(games, why == GAME_REPLACED))
        ended = pa.array([*found._removed, *(name for name, _ in found._replaced)], pa.string())
        again = found._at(np.flatnonzero(found._counts & pc.is_in(found._every["game_id"], ended).to_numpy()))
        found._removed.difference_update(again["game_id"].to_pylist())
        found._replaced.difference_update(_versions(again, np.ones(len(again), dtype=np.bool_)))
        return found

    def _append(self, part: ArchivePart, told: pa.Table, *, ours: bool) -> None:
        """Take in a part. told: the columns by which its games are found, or more of their facts."""
        self._starts.append(len(self._every))
        self._every = pa.concat_tables([self._every, told.select(_ALIKE)])
        self._counts = np.append(self._counts, np.ones(len(told), dtype=np.bool_))
        self._ours = np.append(self._ours, np.full(len(told), ours))
        if ours:
            self._told[len(self._parts)] = told
        self._parts.append(part)

    def _at(self, rows: Ints) -> pa.Table:
        """Return the facts of some games, in the order of their rows. The whole of their parts is read, once."""
        found = [_TOLD.empty_table()]
        number = np.searchsorted(self._starts, rows, "right") - 1
        for each in np.unique(number):
            if each not in self._told:
                self._told[each] = _as_told(opened(self._store, self._parts[each]).every_game(_FACTS), _FACTS)
            found.append(self._told[each].take(pa.array(rows[number == each] - self._starts[each])))
        return pa.concat_tables(found)

    def judge(self, games: pd.DataFrame, contestants: pd.DataFrame, row: Ints) -> ArchiveVerdict:
        """Return what becomes of some games that are to be added, with the columns that an archive has.

        contestants: theirs. row: the game of each contestant, a position in ``games``.
        """

        def players(rows: Ints) -> pd.DataFrame:
            mine = np.isin(row, rows)
            return players_of_games(contestants[mine], row[mine])

        new = _facts(games)
        self.frame = self._like(new)
        there, matched = self._named(new)
        by_file = (there >= 0) & ~new["own_id"].to_numpy() & (matched["game_id"] != new["game_id"]).to_numpy()
        there[by_file] = self._of_the_same_players(np.flatnonzero(by_file), there[by_file], players)
        matched = self.frame.reindex(there).reset_index(drop=True)
        same = (matched["game_id"] == new["game_id"]).to_numpy()
        # A file says what is right of its own game now; what another file says of the same game is not asked.
        said = (matched["source"] == new["source"]) & (matched["content_hash"] != new["content_hash"])
        corrected = same & said.to_numpy()
        differs = (there >= 0) & (~same | corrected)
        twice = _twice(new, players) | (differs & matched["ours"].eq(other=True).to_numpy())
        removed = new["game_id"].isin(self._removed).to_numpy()
        contents = zip(new["game_id"], new["content_hash"], strict=True)
        outdated = ~same & np.array([each in self._replaced for each in contents], dtype=np.bool_)
        open_ = ~twice & ~removed & ~outdated
        replaced = np.where(open_ & differs, there, -1)
        left = self.frame["game_id"].drop(index=list(np.unique(replaced[replaced >= 0])))
        wanted = new["game_id"].where(open_ & ~new["game_id"].isin(left).to_numpy())
        first = ~wanted.iloc[np.argsort(~corrected, kind="stable")].duplicated().sort_index()
        added = (first & wanted.notna()).to_numpy()
        self._ours[there[same & open_]] = True
        moved = matched["date"].where((replaced >= 0) & (matched["date"] != new["date"]), "")
        return ArchiveVerdict(
            added, removed, outdated, twice, replaced, moved.tolist(), self._namesakes(new, added & (there < 0))
        )

    def update(
        self,
        came: Sequence[tuple[ArchivePart, pa.Table]],
        replaced: Ints,
        parts: Mapping[str, ArchivePart],
    ) -> None:
        """Take in the rows of new parts, and leave out the games that they replaced.

        parts: what those are called now that have these.
        """
        self._counts[replaced] = False
        self._parts = [parts.get(part.name, part) for part in self._parts]
        for part, rows in came:
            self._append(part, _as_told(rows, _FACTS), ours=True)

    def _like(self, new: pd.DataFrame) -> pd.DataFrame:
        """Return the games that count and have the id of a new one, in their file or in the archive, or its day."""
        found = np.zeros(len(self._counts), dtype=np.bool_)
        for name in ("game_id", "id_in_source", "date", "results"):
            asked = pa.array(new.loc[new[name] != "", name].unique()).cast(_TOLD.field(name).type)
            found |= pc.is_in(self._every[name], asked).to_numpy()
        rows = np.flatnonzero(found & self._counts)
        number = np.searchsorted(self._starts, rows, "right") - 1
        part, start = np.array([*map(str, self._parts)], dtype=object), np.array(self._starts, dtype=np.int64)
        facts = _facts(self._at(rows).to_pandas()).set_axis(rows)
        return facts.assign(part=part[number], row=rows - start[number], ours=self._ours[rows])

    def _named(self, new: pd.DataFrame) -> tuple[Ints, pd.DataFrame]:
        """Return for each game the row of the one that its file names the same, -1 for none, and what that says."""
        found = np.full(len(new), -1)
        for columns in (_NAME, ["id_in_source", "plain_club"], ["id_in_source", "date"], ["id_in_source"]):
            if self.frame.empty or (found >= 0).all():
                break
            unique = self.frame.drop_duplicates(columns, keep=False)
            at = new[columns].merge(unique[columns].assign(at=unique.index), "left", columns)["at"].fillna(-1)
            found = np.where((found < 0) & self._agrees(new, at.to_numpy(dtype=np.int64)), at, found).astype(np.int64)
        if len(self.frame):  # another number of its club makes no other game of the same results
            at = new["game_id"].map(self.frame.reset_index().set_index("game_id")["index"]).fillna(-1)
            found = np.where(found < 0, at, found).astype(np.int64)
        return found, self.frame.reindex(found).reset_index(drop=True)

    def _agrees(self, new: pd.DataFrame, at: Ints) -> Bools:
        """Return whether the games in some rows may be the same as these, by their club and day."""
        there = self.frame.reindex(at).reset_index(drop=True)
        club, day = (
            (new[name] == there[name]) | (new[name] == "") | (there[name] == "") for name in ("plain_club", "date")
        )
        # A game with an id of its own keeps it when its day is corrected; two in one run are two games.
        day |= new["own_id"] & there["own_id"].eq(other=True) & there["ours"].eq(other=False)
        return np.asarray((at >= 0) & club & day & ~_apart(new, there), dtype=np.bool_)

    def _of_the_same_players(self, rows: Ints, at: Ints, players: Callable[[Ints], pd.DataFrame]) -> Ints:
        """Return the games that some new ones were found to be, -1 where most players of both, if named, are others."""
        if not len(rows):
            return at
        seats = (players(rows), self.players(self.frame.loc[np.unique(at)]))
        new, there = ({game: set(of) for game, of in seat.groupby("game")["player"]} for seat in seats)
        pairs = [(new.get(row, set()), there.get(of, set())) for row, of in zip(rows, at, strict=True)]
        same = [2 * len(one & two) >= max(len(one), len(two)) or not (one and two) for one, two in pairs]
        return np.where(same, at, -1)

    def players(self, games: pd.DataFrame) -> pd.DataFrame:
        """Return who played in some games of the archive, rows of :attr:`frame`, by their index."""
        seats, parts = [players_of_games(pd.DataFrame(), [])], {part.name: part for part in self._parts}
        for name, of_part in games.groupby("part"):
            file = opened(self._store, parts[str(name)])
            wanted = [column for column in file.columns["contestants"] if _WHO.fullmatch(column)]
            seats.append(_players_of(of_part, file.contestants(["game_id", *wanted]).to_pandas()))
        return pd.concat(seats)

    def _namesakes(self, new: pd.DataFrame, rows: Bools) -> list[tuple[str, str]]:
        """Return the day and id of the last one of the other games of the same name and club, for some rows."""
        if self.frame.empty:
            return [("", "")] * len(new)
        name = ["id_in_source", "plain_club"]
        last = self.frame.sort_values("date", kind="stable").drop_duplicates(name, keep="last")
        found = new[name].merge(last[[*name, *_APART, "date", "game_id"]], "left", name).fillna("")
        found.loc[~rows | ((found["date"] == new["date"]) & _apart(new, found)).to_numpy()] = ""
        found = found[["date", "game_id"]]
        return list(found.itertuples(index=False, name=None))


def _as_told(games: pa.Table, names: Sequence[str]) -> pa.Table:
    """Return columns of games in their types, those that are not there without values."""
    columns = {name: games[name] if name in games.column_names else pa.nulls(len(games)) for name in names}
    return pa.table({name: column.cast(_TOLD.field(name).type) for name, column in columns.items()})


def _versions(games: pa.Table, rows: Bools) -> set[tuple[str, str]]:
    """Return the ids and contents of the games in some rows."""
    some = games.filter(pa.array(rows))
    if not len(some) or "content_hash" not in some.column_names:
        return set()
    return set(zip(some["game_id"].to_pylist(), some["content_hash"].to_pylist(), strict=True))


def _facts(games: pd.DataFrame) -> pd.DataFrame:
    """Return what tells games apart as text, empty where it is not said, and whether their ids are their own."""
    dates = pd.to_datetime(games["date"]).dt.strftime("%Y-%m-%d") if len(games) else None
    values = {name: games.get(name) if name != "date" else dates for name in _FACTS}
    facts = pd.DataFrame({name: pd.Series(v, index=games.index, dtype="str").fillna("") for name, v in values.items()})
    stem = facts["source"].str.replace(r"\.[^.]*$", "", regex=True)
    facts["plain_club"] = plain_club(facts["club"]).fillna("")  # the same in whatever case and spacing it is written
    facts["told_session"] = marks_of_games(facts)["session"]
    number = facts["id_in_source"].str.replace(r"-[0-9]+$", "", regex=True)
    return facts.assign(own_id=(facts["id_in_source"] != stem) & (number != stem)).reset_index(drop=True)


_APART = ("told_session", "club_id")
"""What two games of one day and club differ by, if both say it."""


def _apart(new: pd.DataFrame, there: pd.DataFrame) -> pd.Series[bool]:
    """Return which games are of another session, or of a club with another number, than those in the same rows."""
    said = [(new[name] != there[name]) & (new[name] != "") & (there[name].fillna("") != "") for name in _APART]
    return said[0] | said[1]


def _twice(new: pd.DataFrame, players: Callable[[Ints], pd.DataFrame]) -> Bools:
    """Return which games are in two versions: one has their name, club and day, other results, and most players.

    So are those of other contents in two files of one name, those that have their own ids, and those that name nobody.
    """
    results = new.groupby([*_NAME, *_APART])["game_id"].transform("nunique")
    contents = new.groupby(["id_in_source", "game_id", "source"])["content_hash"].transform("nunique")
    twice = ((results > 1) | (contents > 1)).to_numpy(dtype=np.bool_, copy=True)
    asked = np.flatnonzero(twice & ~new["own_id"].to_numpy())
    if len(asked):
        group = np.full(len(new), -1)
        group[asked] = new.loc[asked].groupby(_NAME).ngroup()
        seats = players(asked)
        pairs = possible_versions(marks_of_games(new), np.arange(len(new)), group, seats)
        twice[asked] = np.isin(asked, [*chain(*pairs), *np.setdiff1d(asked, seats["game"])])
    return twice


def versions_added(
    archive: Games, there: pd.DataFrame, new: pd.DataFrame, contestants: pd.DataFrame, *, strict: bool
) -> Iterator[tuple[int, str, Problem]]:
    """Yield the games added to an archive that may be one there, or one before them, each with its id and the remark.

    there: those of its games that still count.
    new: the games that are added.
    strict: none of these is, so that the one before, where it is not there either, comes with them.

    The players of a game that is there are read only if nothing else tells it from others.
    """
    if len(there) + len(new) < 2:
        return
    days = pd.to_datetime(new["date"]).dt.strftime("%Y-%m-%d")
    known = there.reindex(columns=[*_FACTS, "part"]).assign(new=False)
    every = pd.concat([known, new.reindex(columns=_FACTS).assign(date=days, part="", new=True)], ignore_index=True)

    def players(rows: Ints) -> pd.DataFrame:
        asked = every.iloc[rows]
        of_new = _players_of(asked[asked["new"]], contestants)
        return pd.concat([of_new, archive.players(asked[~asked["new"]])], ignore_index=True)

    file = [*known["source"], *(new["source"] + " " + new["source_hash"])]
    for row, other, alike in versions(every, file, players, every["new"].to_numpy(dtype=bool)):
        for one, two in [(row, other), (other, row)] if strict else [(row, other)]:
            if one < len(known):
                continue
            of = every.iloc[two]
            what, hint, code = of_one_game(every.iloc[one], of, alike=alike, name="id_in_source")
            if not (strict and of["new"]):
                hint += f"; to leave that one out: resultproc archive remove ARCHIVE {of['game_id'][:12]}"
            yield one - len(known), str(of["game_id"]), Problem(what, hint=hint, code=code)


_WHO = re.compile("(?:player|id)[0-9]+")


def _players_of(games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return who played in some games, by the index of these."""
    row = contestants["game_id"].astype("str").map(pd.Series(games.index, index=games["game_id"]))
    mine = row.notna().to_numpy()
    return players_of_games(contestants[mine], row[mine].to_numpy(dtype=np.int64))
