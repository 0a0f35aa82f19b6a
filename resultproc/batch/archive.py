"""Files into an archive: read, de-duplicated by game, and kept with the hash of the file that each came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from resultproc.batch.inputs import find, problems_of
from resultproc.batch.store import Store
from resultproc.formats.read import read
from resultproc.formats.source import taken_in
from resultproc.model.errors import InputError, Problem, quoted, shown
from resultproc.model.frames import CONTESTANTS, GAMES, NO_YEAR, Frame, Sheet, concat, players
from resultproc.model.remarks import refuse
from resultproc.stages.pipeline import doubted

GAMES_IN_PART = 20_000
"""About how many games a part holds: enough for the costs of a frame not to be felt, few enough for any memory."""


@dataclass
class Added:
    """What was added: files read, new games, games that were there already; problems of files not read, and remarks."""

    files: int = 0
    games: int = 0
    known: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)


def add(
    paths: Iterable[Path],
    store: Store,
    format: str | None = None,
    keys: Mapping[str, object] | None = None,
    progress: Callable[[Added, int], None] = lambda added, files: None,
    *,
    strict: bool = False,
) -> Added:
    """Add the games of results files, and of all files in folders, to an archive; return what was added.

    A game that the archive has is not added again, whatever file it comes from. A file that cannot be read is noted
    among the problems, and the others go on. strict: a file that is doubtful is not added. progress: gets what was
    added so far and how many files there are, at the start and after each file. Raises InputError for a path that is
    not there, OutputError where the archive cannot be written.
    """
    added = Added()
    store.clear()
    known = _known(store)
    waiting: list[Sheet] = []
    count = 0
    files = list(find(paths, apart=Path(store.anywhere)))
    progress(added, len(files))
    for path in files:
        added.files += 1
        try:
            source = taken_in(path)
            sheet = doubted(read(source, format=format, **(keys or {})))
            if strict:
                refuse(sheet.remarks)
            waiting.append(_identified(sheet, source.sha256))
        except Exception as error:
            added.problems += [{**problem, "file": shown(path)} for problem in problems_of(error)]
        else:
            added.remarks += quoted(sheet.remarks)
            count += len(waiting[-1].games)
            if count >= GAMES_IN_PART:
                _flush(waiting, store, known, added)
                waiting, count = [], 0
        progress(added, len(files))
    _flush(waiting, store, known, added)
    return added


def kept(store: Store, wanted: Callable[[pd.DataFrame], pd.Series[bool]]) -> Sheet:
    """Return the games of an archive that are wanted, with all that is known of their players.

    wanted: says of the games of a part which these are. Of a part without any the contestants are not read. Where no
    game is wanted, all are returned without contestants, for what there is. Raises InputError for an empty archive.
    """
    parts = store.parts("games")
    if not parts:
        raise InputError(
            "there are no games in this archive", hint="add some with 'resultproc archive add'", file=store.url
        )
    found: list[Sheet] = []
    others: list[pd.DataFrame] = []
    for part in parts:
        every = store.read("games", part).to_pandas()
        others.append(_declared(every, GAMES))
        rows = wanted(others[-1])
        if rows.any():
            games = others[-1][rows].reset_index(drop=True)
            contestants = _declared(store.read("contestants", part).to_pandas(), CONTESTANTS)
            mine = contestants[contestants["game_id"].isin(games["game_id"])].reset_index(drop=True)
            # People know a game by its name in its file; where two share that, by what tells their content too.
            own = every.loc[rows, "id_in_source"].reset_index(drop=True)
            named = own.mask(own.duplicated(keep=False), own + " " + games["game_id"].str[:6])
            names = dict(zip(games["game_id"], named, strict=True))
            games, mine = (frame.assign(game_id=frame["game_id"].map(names)) for frame in (games, mine))
            found.append(Sheet(games, mine))
    if not found:
        return Sheet(concat(others, GAMES), CONTESTANTS.empty())
    return Sheet(
        concat((sheet.games for sheet in found), GAMES), concat((sheet.contestants for sheet in found), CONTESTANTS)
    )


def _declared(frame: pd.DataFrame, kind: Frame) -> pd.DataFrame:
    """Return what a part has of the columns of its kind."""
    return kind.conform(frame[[name for name in frame.columns if kind.column(name)]])


def _known(store: Store) -> set[str]:
    known: set[str] = set()
    for part in store.parts("games"):
        known.update(store.read("games", part, ["game_id"])["game_id"].to_pylist())
    return known


def _identified(sheet: Sheet, source_hash: str) -> Sheet:
    """Return the sheet with game_ids that tell games by their content; the file's own are in ``id_in_source``."""
    ids = game_ids(sheet)
    games = sheet.games.assign(
        id_in_source=sheet.games["game_id"], source_hash=source_hash, game_id=sheet.games["game_id"].map(ids)
    )
    contestants = sheet.contestants.assign(game_id=sheet.contestants["game_id"].map(ids))
    return replace(sheet, games=games, contestants=contestants)


_FACTS = ["date", "club", "event", "session"]
_RESULTS = ["section", "direction", "number", "score", "percentage"]


def game_ids(sheet: Sheet) -> dict[str, str]:
    """Return 32 hexadecimal digits for each game_id: the same for the same day, club, event and results.

    The order of the contestants and of their players does not matter, nor does the letter case of their names, the
    file or the format that they were read from.
    """
    rounds = players(sheet.contestants, "round")
    results: dict[str, list[str]] = {}
    for game, *values in _rows(sheet.contestants, ["game_id", *_RESULTS, *rounds, *players(sheet.contestants)]):
        last = len(_RESULTS) + len(rounds)
        matches = [value for value in values[len(_RESULTS) : last] if value]
        names = sorted(name.casefold() for name in values[last:] if name)
        results.setdefault(game, []).append(repr((values[: len(_RESULTS)], matches, names)))
    return {
        game: sha256("\n".join([repr(facts), *sorted(results.get(game, []))]).encode()).hexdigest()[:32]
        for game, *facts in _rows(sheet.games, ["game_id", *_FACTS])
    }


def _rows(frame: pd.DataFrame, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns, None where a value is missing."""
    values = frame[columns].astype("object")
    return values.where(values.notna(), None).itertuples(index=False, name=None)


def _flush(waiting: list[Sheet], store: Store, known: set[str], added: Added) -> None:
    """Write the games that are not known yet, a part per year."""
    if not waiting:
        return
    games = pd.concat([sheet.games for sheet in waiting], ignore_index=True)
    contestants = concat((sheet.contestants for sheet in waiting), CONTESTANTS)
    new = ~games["game_id"].isin(known) & ~games["game_id"].duplicated()
    added.known += int((~new).sum())
    games = games[new]
    # A game that is in two files brings its contestants twice.
    kept = contestants["game_id"].isin(games["game_id"]) & ~contestants.duplicated(
        ["game_id", "section", "direction", "number"]
    )
    contestants = contestants[kept]
    year = games["date"].dt.year.fillna(NO_YEAR).astype("int64")
    year_of = pd.Series(year.to_numpy(), games["game_id"])
    for each, rows in games.groupby(year):
        part = f"year={each}/part-{min(rows['game_id'])}.parquet"
        store.write("contestants", part, contestants[year_of[contestants["game_id"]].to_numpy() == each])
        store.write("games", part, _conformed(rows))
    known.update(games["game_id"])
    added.games += len(games)


def _conformed(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games frame with the two columns that an archive has besides."""
    besides = games[["id_in_source", "source_hash"]].astype("str")
    return GAMES.conform(games.drop(columns=list(besides))).join(besides)
