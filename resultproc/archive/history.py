"""What an archive has had: its games and their files, which of them count, what is taken out of it or put back.

What replaced a game corrected it: its history is a chain of corrections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from resultproc.archive.add import with_declared_types
from resultproc.archive.manifest import (
    GAME_REMOVED,
    GAME_REPLACED,
    GAME_RESTORED,
    LATER,
    PART_KINDS,
    ArchivePart,
    Arrival,
    File,
    Manifest,
    before_manifests,
    existing,
    opened,
    save,
)
from resultproc.archive.store import Store, plain_frame
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.json import json_text
from resultproc.model.provenance import PROVENANCE_KEY, Origin, Provenance
from resultproc.pages.tables import as_csv, table_as_text
from resultproc.reports.amend.amend import Amendment, amended
from resultproc.stages.pipeline import award_sheet

CURRENT = "current"

_TOLD = ["date", "club", "event", "id_in_source", "source", "game_id", "source_hash"]
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
    manifest = existing(store)
    frames = [_games(store, part) for part in manifest.as_of(as_of).parts]
    games = pd.concat([pd.DataFrame(columns=[*GAME, "part", "row", "came"]), *frames])
    return games.sort_values(["date", "club", "event", "game", "added"], ignore_index=True)


def _games(store: Store, part: ArchivePart) -> pd.DataFrame:
    file = opened(store, "games", part)
    there = file.filled()
    frame = plain_frame(file.read([name for name in _TOLD if name in there])).reindex(columns=_TOLD)
    frame["date"] = pd.to_datetime(frame["date"]).dt.strftime("%Y-%m-%d")
    frame = frame.rename(columns={"id_in_source": "game", "game_id": "id", "source_hash": "source_sha256"})
    since = np.full(len(frame), "", dtype=object)
    came = part.times().astype(object)
    for change in part.changes:
        since[list(change.rows)] = "" if change.what == GAME_RESTORED else change.time
        if change.what == GAME_RESTORED:
            came[list(change.rows)] += f" {change.time}"
    state = np.where(part.current(), CURRENT, part.states())
    frame = frame.astype("str").fillna("").assign(added=part.times(), state=state, since=since)
    frame = pd.DataFrame(frame[GAME]).assign(part=part.name, row=np.arange(len(frame)), came=came)
    return pd.DataFrame(frame[state != LATER])


def sources(games: pd.DataFrame) -> pd.DataFrame:
    """Return the files of some games, the columns of :data:`SOURCE`."""
    keys = ["source", "source_sha256", "added", "state", "since"]
    sums = {"games": ("id", "size"), "first": ("date", "min"), "last": ("date", "max")}
    return games.groupby(keys, as_index=False).agg(**sums)[SOURCE]


def rendered(frame: pd.DataFrame, to: str, provenance: Provenance | None = None) -> str:
    """Return a list of games or sources.

    frame: a row each, with the columns to show.
    to: ``text``, ``csv`` or ``json``.
    provenance: where it comes from, which only JSON says.
    """
    if to == "json":
        said = {PROVENANCE_KEY: provenance.entry()} if provenance else {}
        return json_text({**said, "archive": row_dicts(frame)})
    if to == "csv":
        return as_csv([str(name) for name in frame], frame.to_numpy().tolist())
    short = frame.astype("str").drop(columns=[name for name in frame if (frame[name] == "").all()])
    for name, length in {"added": 19, "since": 19, "id": 12, "source_sha256": 12}.items():
        if name in short:
            short[name] = short[name].str[:length]
    return table_as_text([str(name).replace("_", " ") for name in short], short.to_numpy().tolist())


def remove(store: Store, names: Iterable[str]) -> pd.DataFrame:
    """Take games out of an archive and return them; they stay in its history.

    names: a game by its id in the file, by the first six letters of its id in the archive, or all the games of a file,
    by its name or SHA-256. Raises InputError for a name that is of none or could be of several.
    """
    return _change(store, names, [CURRENT], GAME_REMOVED)


def restore(store: Store, names: Iterable[str]) -> pd.DataFrame:
    """Put games that were removed or replaced back into an archive, and return them.

    What replaced one of them is then replaced by it. Names and errors are as for :func:`remove`.
    """
    return _change(store, names, [GAME_REMOVED, GAME_REPLACED], GAME_RESTORED)


def _change(store: Store, names: Iterable[str], states: Sequence[str], what: str) -> pd.DataFrame:
    existing(store)
    with store.alone():
        games = _chained(history(store))
        candidates, current = games[games["state"].isin(states)], games[games["state"] == CURRENT]
        named = [meant(candidates, name, removed=GAME_REMOVED in states) for name in names]
        found = pd.concat(named).drop_duplicates(["part", "row"])
        replaced = found["state"] == GAME_REPLACED
        undone = current[current[_LAST].isin(found.loc[replaced, _LAST])]
        back = found[found["id"].isin(current["id"].drop(index=undone.index))]
        if what == GAME_RESTORED and len(back):
            raise InputError(f"the game {back['game'].iloc[0]} is in the archive again already", file=store.url)
        twice = found[replaced & found[_LAST].duplicated(keep=False)]
        if len(twice):
            several = ", ".join(twice["id"].str[:12])
            raise InputError(
                "these are versions of one game, which has one", hint=f"name one: {several}", file=store.url
            )
        manifest = existing(store)
        time = manifest.now()
        manifest = manifest.changed(time, GAME_REPLACED, dict(undone.groupby("part")["row"].agg(list)))
        save(store, manifest.changed(time, what, dict(found.groupby("part")["row"].agg(list))))
    return found.drop(columns=_LAST)


_LEAST = 6


def meant(games: pd.DataFrame, name: str, *, game: str = "id", removed: bool = False) -> pd.DataFrame:
    """Return the games that a name is of: a game by its id in the file or in the archive, or all those of a file.

    games: the history of an archive, a row for each version of a game.
    name: what the user wrote; of an id or SHA-256 the beginning is enough.
    game: the column that tells games from each other.
    removed: whether these are the games that were removed or replaced, for messages.
    Raises InputError for a name that is of none, or of several.
    """
    for column, one in (("game", game), ("id", game), ("source", "source_sha256"), ("source_sha256", "source_sha256")):
        short = column in ("id", "source_sha256") and len(name) >= _LEAST
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
) -> tuple[Manifest, list[Problem], list[str]]:
    """Read all that an archive has; return its manifest, what is wrong, and the files that it does not know of.

    Those are what runs left that were killed, and do no harm. progress: gets how many parts are done, of how many.
    Raises InputError where the manifest is missing or damaged.
    """
    manifest = existing(store)
    problems: list[Problem] = []
    progress(0, len(manifest.parts))
    for done, part in enumerate(manifest.parts, 1):
        problems += _wrong(store, part)
        progress(done, len(manifest.parts))
    named = {*manifest.retired, *(part.name for part in manifest.parts)}
    strays = [f"{kind}/{name}" for kind in PART_KINDS for name in store.parts(kind) if name not in named]
    return manifest, problems, strays


def _wrong(store: Store, part: ArchivePart) -> list[Problem]:
    found: list[Problem] = []
    for kind, file in zip(PART_KINDS, (part.games, part.contestants), strict=True):
        try:
            rows = opened(store, kind, part).read(["game_id"]).num_rows
        except InputError as error:
            found += error.problems
        else:
            if rows != file.rows:
                what = f"this part has {rows} rows and should have {file.rows}"
                found.append(Problem(what, file=f"{kind}/{part}", code="archive.damaged"))
    return found


def make_manifest(store: Store) -> Manifest:
    """Give an archive from before archives had a manifest one; return it.

    What its parts are now is what they have to be from now on: whether they are what was written, nobody knows any
    more. Raises InputError where there is a manifest, or a part is missing or damaged.
    """
    if not before_manifests(store):
        existing(store)
    with store.alone():
        parts = []
        for name in before_manifests(store):
            games, contestants = (store.opened(kind, name) for kind in PART_KINDS)
            rows = games.read().num_rows, contestants.read().num_rows
            files = File(rows[0], games.sha256), File(rows[1], contestants.sha256)
            parts.append(ArchivePart(name, (Arrival("", rows[0]),), *files))
        return save(store, Manifest(parts=tuple(parts)))


_LAST, _NEXT = "last", "next"


def corrections(store: Store, name: str) -> list[Amendment]:
    """Return what each correction of a game in an archive changed, the first one first; none if it never was corrected.

    name: the game, as for :func:`resultproc.archive.history.remove`, by any of its versions. What was replaced is
    awarded again, under the rules that it names or those of its day; boards are not kept in archives. Raises InputError
    for a name of no game or of several, and for a version that cannot be awarded.
    """
    games = _chained(history(store))
    found = meant(games, name, game=_LAST)[_LAST].unique()
    if len(found) > 1:
        hint = "name one of them; see: resultproc archive list ARCHIVE --history"
        raise InputError(f"'{name}' has {len(found)} games", hint=hint, file=store.url)
    came = games["came"].str.split(" ")
    versions = games.assign(came=came)[games[_LAST] == found[0]].explode("came").sort_values("came", kind="stable")
    versions = versions[
        versions.index != versions.index.to_series().shift()
    ]  # what was removed and restored is what it was
    sheets = [_sheet(store, {str(column): value for column, value in row.items()}) for row in row_dicts(versions)]
    results = [award_sheet(sheet) for sheet in sheets]
    return [
        replace(amended(*pair, *awarded), time=str(time))
        for pair, awarded, time in zip(pairwise(sheets), pairwise(results), versions["came"].iloc[1:], strict=True)
    ]


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


def _sheet(store: Store, version: Mapping[str, Any]) -> Sheet:
    """Return one version of a game under the name that its file has for it. version: its row in the list of games."""
    part = next(part for part in existing(store).parts if part.name == version["part"])
    games = opened(store, "games", part).read().to_pandas().iloc[[version["row"]]]
    contestants = opened(store, "contestants", part).read().to_pandas()
    mine = contestants[contestants["game_id"].astype("str") == games["game_id"].iloc[0]]
    game, of_game = (frame.reset_index(drop=True).assign(game_id=version["game"]) for frame in (games, mine))
    source = Origin(version["source"], version["source_sha256"])
    return Sheet(with_declared_types(game, GAMES), with_declared_types(of_game, CONTESTANTS), sources=(source,))
