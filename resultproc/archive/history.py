"""What an archive has had: its games and their files, which of them count, what is taken out of it or put back.

What replaced a game corrected it: its history is a chain of corrections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.archive.add import with_declared_types
from resultproc.archive.game_file import FROM, GAME_REMOVED, GAME_REPLACED, UNTIL, WHY, times_of
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import ArchivePart, Changes, Snapshot, commit, existing, opened, strays, tried
from resultproc.archive.views import ADDED
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES, AwardedResult, Sheet, concat
from resultproc.model.json import json_text
from resultproc.model.provenance import PROVENANCE_KEY, Origin, Provenance
from resultproc.model.whose_points import leagues_of
from resultproc.pages.tables import as_csv, said_as_text
from resultproc.people.aliases import Aliases
from resultproc.people.identity import identify_without_doubts
from resultproc.people.seated import awards_of_seats, people
from resultproc.reports.amend import Amendment, amended
from resultproc.reports.outcomes import played_between
from resultproc.stages.pipeline import award_each, award_sheet

CURRENT = "current"

_TOLD = ["date", "club", "event", "id_in_source", "source", "game_id", "source_hash", "content_hash", WHY]
GAME = ["date", "club", "event", "game", "source", "added", "state", "since", "id", "source_sha256"]
"""The columns of a list of games: ``game`` is the id in its file, ``id`` that of the archive; ``since`` when it was
replaced or removed."""

SOURCE = ["source", "games", "first", "last", "added", "state", "since", "source_sha256"]
"""The columns of a list of sources: how many games each has, and their first and last day."""


def history(store: Store, as_of: str = "") -> pd.DataFrame:
    """Return all the games that an archive has, or had at a time, the columns of :data:`GAME`, as text.

    Beside them are where each is, ``part`` and ``row``, and all the times when it ``came``, or was put back.
    Raises InputError where a part is missing or damaged.
    """
    return _history(store, existing(store), as_of)


def _history(store: Store, snapshot: Snapshot, as_of: str = "") -> pd.DataFrame:
    games = _games(store, snapshot.parts, as_of)
    # A version that was restored has a row for each time when it counted: the last one says what became of it.
    games = games.sort_values(["came", "since"], key=lambda of: of.mask(of == "", "9") if of.name == "since" else of)
    version = ["id", "content_hash", "added"]
    again = games.duplicated(version, keep=False)  # to look at each game alone takes long
    games.loc[again, "came"] = games[again].groupby(version)["came"].transform(" ".join)
    games = games.drop_duplicates(version, keep="last").drop(columns="content_hash")
    return games.sort_values(["date", "club", "event", "game", "added"], ignore_index=True)


def _games(store: Store, parts: Sequence[ArchivePart], as_of: str) -> pd.DataFrame:
    tables = [opened(store, part).every_game([*_TOLD, ADDED, FROM, UNTIL]) for part in parts]
    table = pa.concat_tables([pa.table({}), *tables], promote_options="permissive")
    times = {name: times_of(table, of) for name, of in (("added", ADDED), ("came", FROM), ("since", UNTIL))}
    frame = plain_frame(table.select([name for name in _TOLD if name in table.column_names])).reindex(columns=_TOLD)
    frame["date"] = pd.to_datetime(frame["date"]).dt.strftime("%Y-%m-%d")
    frame = frame.rename(
        columns={"id_in_source": "game", "game_id": "id", "source_hash": "source_sha256", WHY: "state"}
    )
    frame = frame.astype("str").fillna("").assign(**times)
    if as_of:
        frame.loc[frame["since"] > as_of, ["since", "state"]] = ""
    frame["state"] = frame["state"].where(frame["since"] != "", CURRENT)
    rows = [*map(len, tables)]
    frame["part"] = pd.Series([part.name for part in parts], dtype="str").repeat(rows).array
    frame["row"] = np.concatenate([np.zeros(0, dtype=np.int64), *map(np.arange, rows)])
    frame = frame[[*GAME, "content_hash", "came", "part", "row"]]
    return frame[frame["came"] <= as_of] if as_of else frame


def sources(games: pd.DataFrame) -> pd.DataFrame:
    """Return the files of some games, the columns of :data:`SOURCE`."""
    keys = ["source", "source_sha256", "added", "state", "since"]
    sums = {"games": ("id", "size"), "first": ("date", "min"), "last": ("date", "max")}
    return games.groupby(keys, as_index=False).agg(**sums)[SOURCE]


def rendered(frame: pd.DataFrame, to: str, provenance: Provenance | None = None) -> str:
    """Return a list of games or sources as ``text``, ``csv`` or ``json``, which alone says where it comes from."""
    if to == "json":
        said = {PROVENANCE_KEY: provenance.entry()} if provenance else {}
        return json_text({**said, "archive": row_dicts(frame)})
    if to == "csv":
        return as_csv([str(name) for name in frame], frame.to_numpy().tolist())
    short = frame.astype("str").drop(columns=[name for name in frame if (frame[name] == "").all()])
    for name, length in {"added": 19, "since": 19, "id": 12, "source_sha256": 12}.items():
        if name in short:
            short[name] = short[name].str[:length]
    return said_as_text([str(name).replace("_", " ") for name in short], short.to_numpy().tolist(), ("state",))


def remove(store: Store, names: Iterable[str]) -> pd.DataFrame:
    """Take games out of an archive and return them; they stay in its history.

    names: a game by its id in the file, by the first six letters of its id in the archive, or all the games of a file,
    by its name or SHA-256. Raises InputError for a name that is of none or could be of several.
    """
    return tried(partial(_removed, store, list(names)))


def restore(store: Store, names: Iterable[str]) -> pd.DataFrame:
    """Put games that were removed or replaced back into an archive, and return them.

    What replaced one of them is then replaced by it. Names and errors are as for :func:`remove`.
    """
    return tried(partial(_restored, store, list(names)))


def _removed(store: Store, names: Sequence[str]) -> pd.DataFrame:
    snapshot = existing(store)
    games = _history(store, snapshot)
    found = _meant(games[games["state"] == CURRENT], names)
    commit(store, snapshot, Changes(snapshot.now(), [], _ended(found, GAME_REMOVED)))
    return found


def _restored(store: Store, names: Sequence[str]) -> pd.DataFrame:
    snapshot = existing(store)
    games = _chained(_history(store, snapshot))
    current = games[games["state"] == CURRENT]
    found = _meant(games[games["state"] != CURRENT], names, removed=True)
    replaced = found["state"] == GAME_REPLACED
    undone = current[current[_LAST].isin(found.loc[replaced, _LAST])]
    back = found[found["id"].isin(current["id"].drop(index=undone.index))]
    if len(back):
        raise InputError(f"the game {back['game'].iloc[0]} is in the archive again already", file=store.url)
    twice = found[replaced & found[_LAST].duplicated(keep=False)]
    if len(twice):
        several = ", ".join(twice["id"].str[:12])
        raise InputError("these are versions of one game, which has one", hint=f"name one: {several}", file=store.url)
    time, parts = snapshot.now(), {part.name: part for part in snapshot.parts}
    rows = [opened(store, parts[str(name)]).again(of["row"].tolist(), time) for name, of in found.groupby("part")]
    commit(store, snapshot, Changes(time, rows, _ended(undone, GAME_REPLACED)))
    return found.drop(columns=[_LAST, _NEXT])


def _meant(games: pd.DataFrame, names: Sequence[str], *, removed: bool = False) -> pd.DataFrame:
    return pd.concat([meant(games, name, removed=removed) for name in names]).drop_duplicates(["part", "row"])


def _ended(games: pd.DataFrame, why: str) -> dict[str, dict[int, str]]:
    return {str(name): dict.fromkeys(of["row"], why) for name, of in games.groupby("part")}


def meant(games: pd.DataFrame, name: str, *, game: str = "id", removed: bool = False) -> pd.DataFrame:
    """Return the games that a name is of: a game by its id in the file or in the archive, or all those of a file.

    games: the history of an archive, a row for each version of a game.
    name: what the user wrote; of an id or SHA-256 the beginning is enough.
    game: the column that tells games from each other.
    removed: whether these are the games that were removed or replaced, for messages.
    Raises InputError for a name that is of none, or of several.
    """
    for column, one in (("game", game), ("id", game), ("source", "source_sha256"), ("source_sha256", "source_sha256")):
        short = column in ("id", "source_sha256") and len(name) >= 6
        found = games[games[column].str.startswith(name) if short else games[column] == name]
        if len(found):
            distinct = found[one].unique()
            if len(distinct) > 1:
                first = found.drop_duplicates(one).head(5)
                several = ", ".join(first[one].str[:12] + " (" + first["date"].replace("", "no date") + ")")
                what = f"'{name}' is the name of {len(distinct)} {'games' if one == game else 'files'}"
                raise InputError(what, hint=f"name one by what tells it from others: {several}")
            return found
    what = f"there is no game or source '{name}'" + (" that was removed or replaced" if removed else "")
    raise InputError(what, hint="see what there is with: resultproc archive list ARCHIVE --history")


def verify_archive(
    store: Store, progress: Callable[[int, int], None] = lambda done, parts: None
) -> tuple[int, int, list[Problem], list[str]]:
    """Read all that an archive has, and compare it with its hashes.

    Return how many parts there are, and games that count in them, what is wrong, and the files that are no part: those
    do no harm. progress: gets how many parts are done, of how many. Raises InputError where the log is damaged.
    """
    parts = existing(store).parts
    problems: list[Problem] = []
    games = 0
    progress(0, len(parts))
    for done, part in enumerate(parts, 1):
        try:
            games += opened(store, part).compare()
        except InputError as error:
            problems += error.problems
        progress(done, len(parts))
    return len(parts), games, problems, strays(store)


_LAST, _NEXT = "last", "next"


def corrections(store: Store, name: str) -> tuple[list[Amendment], list[Problem]]:
    """Return what each correction of a game in an archive changed, the first one first; none if it never was corrected.
    Then what is wrong with versions that cannot be awarded: the one after is compared with the last one that can be.

    name: the game, as for :func:`resultproc.archive.history.remove`, by any of its versions. What was replaced is
    awarded again, under the rules that it names or those of its day; boards are not kept in archives. Raises InputError
    for a name of no game or of several, and where no two of several versions can be awarded.
    """
    games = _chained(history(store))
    last = meant(games, name, game=_LAST)[_LAST].unique()
    if len(last) > 1:
        hint = "name one of them; see: resultproc archive list ARCHIVE --history"
        raise InputError(f"'{name}' has {len(last)} games", hint=hint, file=store.url)
    versions = _in_turn(games[games[_LAST] == last[0]])
    sheets = _sheets(store, versions)
    awarded: list[tuple[Sheet, AwardedResult, str]] = []
    problems: list[Problem] = []
    for sheet, time in zip(sheets, versions["came"].astype("str"), strict=True):
        try:
            awarded.append((sheet, award_sheet(sheet), time))
        except InputError as error:
            for each in error.problems:
                what = f"the version that came {time} cannot be awarded, and is left out: {each.what}"
                problems.append(replace(each, what=what))
    if problems and len(awarded) < 2:
        raise InputError(problems)
    found = [
        replace(amended(old, new, before, after), time=time)
        for (old, before, _), (new, after, time) in pairwise(awarded)
    ]
    return found, problems


GAINS = ["player", "member", "league", "games", "before", "after", "difference"]
"""Who gained by corrections or lost: the columns of :func:`gains`; ``games`` are those that were corrected."""


def gains(store: Store, said: Aliases, since: date | None, until: date | None) -> tuple[pd.DataFrame, list[Problem]]:
    """Return who gained and who lost by the corrections of some days, the columns of :data:`GAINS`, and what is wrong
    with versions that cannot be awarded: their corrections are left out.

    said: what the user says of who is who. since, until: the first and the last day on which corrections came; None for
    no bound. A game counts once, as it was before them and after them. What was replaced is awarded under the rules of
    its day, as what replaced it. Points are hundredths.
    """
    games = _chained(history(store))
    versions = _in_turn(games[games[_LAST].duplicated(keep=False)])
    corrected = versions[versions[_LAST].duplicated()]
    corrected = corrected[
        played_between(corrected.assign(date=pd.to_datetime(corrected["came"].str[:10])), since, until)
    ]
    if corrected.empty:
        return pd.DataFrame(columns=GAINS), []
    first, last = (corrected.drop_duplicates(_LAST, keep=keep) for keep in ("first", "last"))
    both = {"before": versions.loc[first.index - 1], "after": last}
    numbered = [of.assign(when=when, number=range(1, len(of) + 1)) for when, of in both.items()]
    versions = pd.concat(numbered).sort_values("part", ignore_index=True)  # each part is read once
    versions["game"] += " " + versions["when"] + " correction " + versions["number"].astype("str")
    sheets = _sheets(store, versions)
    of_games, contestants = zip(*sheets, strict=True)
    result, wrong = award_each(Sheet(concat(of_games, GAMES), concat(contestants, CONTESTANTS)))
    seats, who = people(result.games, result.contestants, identify_without_doubts, said)
    told = (
        versions.set_index("game")[["when", "number"]]
        .loc[result.games["game_id"]]
        .reset_index(drop=True)
        .assign(league=leagues_of(result.games).to_numpy())
    )
    told = told[told.groupby("number")["when"].transform("size") == 2]
    rows = seats.assign(points=awards_of_seats(result, seats)["masterpoints"]).join(told, on="game", how="inner")
    # Who sits twice in a game has the better result.
    best = rows.groupby(["player", "league", "number", "when"], as_index=False)["points"].max()
    sums = best.pivot_table(index=["player", "league"], columns="when", values="points", aggfunc="sum", fill_value=0)
    sums = sums.reindex(columns=["before", "after"], fill_value=0)
    sums["games"] = best.groupby(["player", "league"])["number"].nunique()
    sums = sums.assign(difference=sums["after"] - sums["before"]).query("difference != 0").reset_index()
    sums["member"], sums["player"] = sums["player"].map(who.numbers), sums["player"].map(who.names)
    ordered = sums.sort_values(["difference", "player"], ascending=[False, True])[GAINS]
    return ordered, [problem for found in wrong.values() for problem in found]


def _in_turn(games: pd.DataFrame) -> pd.DataFrame:
    """Return the versions of games as they came one after the other, game by game; of one that came back, each time."""
    versions = games.assign(came=games["came"].str.split(" ")).explode("came")
    versions = versions.sort_values([_LAST, "came"], kind="stable")
    again = versions.index == versions.index.to_series().shift()  # what was removed and restored is what it was
    return versions[~again].reset_index(drop=True)


def _chained(games: pd.DataFrame) -> pd.DataFrame:
    """Return a list of games with the rows of the next version of each, and the id of the last one.

    What replaced a game came, or came back, when that was replaced, and its file names it the same. Where several did,
    it is the one of the same club and day, if there is one. What nothing replaced is its own next one.
    """
    games = games.reset_index(drop=True)
    replaced = games[games["state"] == GAME_REPLACED].reset_index(names="old")
    came = games[["came", "game", "club", "date"]].assign(came=games["came"].str.split(" ")).reset_index(names="new")
    pairs = replaced.drop(columns="came").merge(
        came.explode("came"), left_on=["since", "game"], right_on=["came", "game"], suffixes=("", "_new")
    )
    pairs = pairs[pairs["old"] != pairs["new"]]
    for column in ("club", "date"):
        pairs[f"same_{column}"] = pairs[column] == pairs[f"{column}_new"]
    pairs = pairs.sort_values(["same_club", "same_date"], ascending=False, kind="stable").drop_duplicates("old")
    next_ = games.index.to_series()
    next_.loc[pairs["old"]] = pairs["new"].to_numpy()
    last = next_
    for _ in range(len(games).bit_length()):
        last = last.loc[last].set_axis(last.index)
    games[_NEXT], games[_LAST] = next_, games["id"].loc[last].to_numpy()
    return games


def versions_of_games(store: Store, as_of: str) -> pd.DataFrame:
    """Return all that an archive has had, as the view ``history`` has it."""
    games = _chained(history(store, as_of))
    then = games["id"].loc[games[_NEXT]].set_axis(games.index).where(games["state"] == GAME_REPLACED)
    names = {"game": "id_in_source", "source_sha256": "source_hash"}
    games = games.assign(replaced_by=then.where(games[_NEXT] != games.index)).rename(columns=names)
    return games.drop(columns=["came", _NEXT]).where(lambda frame: frame != "")


def _sheets(store: Store, versions: pd.DataFrame) -> list[Sheet]:
    """Return some versions of games, each under its name. versions: rows of a list of games."""
    parts = {part.name: part for part in existing(store).parts}
    found = []
    for version in row_dicts(versions):
        frames = opened(store, parts[version["part"]]).row(version["row"])
        game, of_game = (frame.reset_index(drop=True).assign(game_id=version["game"]) for frame in frames)
        source = Origin(version["source"], version["source_sha256"])
        sheet = Sheet(with_declared_types(game, GAMES), with_declared_types(of_game, CONTESTANTS), sources=(source,))
        found.append(sheet)
    return found
