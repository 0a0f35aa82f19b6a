"""Files into an archive: read, de-duplicated by game, and kept with the hash of the file that each came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from resultproc.batch.inputs import content_hash, find
from resultproc.batch.store import NO_YEAR, Store
from resultproc.errors import InputError
from resultproc.frames import CONTESTANTS, GAMES, Sheet, concat, players
from resultproc.readers import read

GAMES_IN_PART = 20_000
"""About how many games a part holds: enough for the costs of a frame not to be felt, few enough for any memory."""


@dataclass
class Added:
    """What was added: files read, new games, games that were there already, and the problems of files not read."""

    files: int = 0
    games: int = 0
    known: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)


def add(
    paths: Iterable[Path],
    store: Store,
    format: str | None = None,
    keys: Mapping[str, object] | None = None,
    progress: Callable[[Added], None] = lambda added: None,
) -> Added:
    """Add the games of results files, and of all files in folders, to an archive; return what was added.

    A game that the archive has is not added again, whatever file it comes from. A file that cannot be read is noted
    among the problems, and the others go on. Raises OutputError where the archive cannot be written.
    """
    added = Added()
    known = _known(store)
    waiting: list[Sheet] = []
    count = 0
    for path in find(paths, apart=Path(store.url)):
        added.files += 1
        try:
            sheet = read(path, format=format, **(keys or {}))
        except InputError as error:
            added.problems += [{**problem, "file": str(path)} for problem in error.as_dicts()]
        else:
            waiting.append(_identified(sheet, content_hash(path, "")))
            count += len(sheet.games)
            if count >= GAMES_IN_PART:
                _flush(waiting, store, known, added)
                waiting, count = [], 0
        progress(added)
    _flush(waiting, store, known, added)
    return added


def _known(store: Store) -> set[str]:
    known: set[str] = set()
    for part in store.parts("games"):
        known.update(store.read("games", part, ["game_id"])["game_id"].to_pylist())
    return known


def _identified(sheet: Sheet, source_hash: str) -> Sheet:
    """Return the sheet with game_ids that tell games by their content; the file's own stand in ``id_in_source``."""
    ids = game_ids(sheet)
    of_contestant = ids.reindex(sheet.contestants["game_id"]).to_numpy()
    games = sheet.games.assign(
        id_in_source=sheet.games["game_id"], source_hash=source_hash, game_id=ids[sheet.games["game_id"]].to_numpy()
    )
    return Sheet(games, sheet.contestants.assign(game_id=of_contestant))


_FACTS = ("date", "club", "event", "session")
_RESULTS = ("section", "direction", "number", "score", "percentage")
_HASH_KEYS = ("resultproc-game1", "resultproc-game2")


def game_ids(sheet: Sheet) -> pd.Series[str]:
    """Return 32 hexadecimal digits for each game_id: the same for the same day, club, event and results.

    The order of the contestants does not matter, nor does the file or the format that they were read from.
    """
    columns = [*_RESULTS, *players(sheet.contestants)]
    facts = sheet.games[list(_FACTS)].astype("object").fillna("")
    results = sheet.contestants[columns].astype("object").fillna("")
    texts = []
    for key in _HASH_KEYS:
        rows = pd.util.hash_pandas_object(results, index=False, hash_key=key).to_numpy(dtype=np.uint64)
        total = pd.Series(rows).groupby(sheet.contestants["game_id"].to_numpy()).sum()
        of_facts = pd.util.hash_pandas_object(facts, index=False, hash_key=key).to_numpy(dtype=np.uint64)
        both = total.reindex(sheet.games["game_id"], fill_value=0).to_numpy(dtype=np.uint64) + of_facts
        texts.append(pd.Series(both, sheet.games["game_id"]).map("{:016x}".format))
    return (texts[0] + texts[1]).astype("str")


def _flush(waiting: list[Sheet], store: Store, known: set[str], added: Added) -> None:
    """Write the games that are not known yet, a part per year."""
    if not waiting:
        return
    games = pd.concat([sheet.games for sheet in waiting], ignore_index=True)
    contestants = concat((sheet.contestants for sheet in waiting), CONTESTANTS)
    new = ~games["game_id"].isin(known) & ~games["game_id"].duplicated()
    added.known += int((~new).sum())
    games = games[new]
    # A game that stands in two files brings its contestants twice.
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
