"""Archives of versions of resultproc before 0.2.0, which are read to be taken over, and never written.

They had a file of games and one of contestants for each part, and a manifest of the parts with their hashes and with
what became of which games, and when; the first ones had no manifest. What a manifest names is read if it is called as
such parts are, and from nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.archive.add import keep_refused
from resultproc.archive.game_file import ARCHIVED, rows_of_games, with_times
from resultproc.archive.persons import ALIASES
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import Changes, Snapshot, commit, is_older, load
from resultproc.model.arrays import Ints
from resultproc.model.errors import InputError, OutputError
from resultproc.model.frames import CONTESTANTS, GAMES

_MANIFEST, _REFUSED, _FORMAT = "manifest.json", "refused.json", 3
_PART = re.compile(r"year=[0-9]+/part-[0-9a-f-]+\.parquet")


def upgrade(old: Store, new: Store, progress: Callable[[int, int], None] = lambda done, parts: None) -> tuple[int, int]:
    """Take an older archive over into one that is not there yet, all at once; the older one stays as it is.

    Return how many versions of games it has, and how many of them count. progress: gets how many parts are done, of how
    many. Raises InputError where there is no older archive, or one that is damaged; OutputError where there is an
    archive already, the older one too, or it cannot be written.
    """
    if not is_older(old):
        raise InputError("there is no archive of an older version here", file=old.url)
    begun = load(new)
    if begun.parts or f"{new.anywhere}/".startswith(f"{old.anywhere}/"):
        raise OutputError("there is an archive here already", hint="name another place", file=new.url)
    parts = _parts(old)
    of_people, refused = old.read_text(ALIASES), json.loads(old.read_text(_REFUSED) or "[]")
    changes = (each["time"] for said in parts.values() for each in said.get("changes", ()))
    came = (time for said in parts.values() for time in _added(said, 1))
    last = max([*changes, *came], default="") or Snapshot().now()

    def rows() -> Iterator[pa.Table]:
        progress(0, len(parts))
        for done, (name, said) in enumerate(parts.items(), 1):
            yield _rows(old, name, said)
            progress(done, len(parts))

    found, *_ = commit(new, begun, Changes(last, rows(), {}))
    if of_people is not None:
        new.write_text(ALIASES, of_people)
    for each in refused:
        keep_refused(new, each)
    return sum(part.rows for part in found.parts), sum(part.current or 0 for part in found.parts)


def _parts(old: Store) -> dict[str, dict[str, Any]]:
    """Return what the manifest says of each part, nothing where there is no manifest."""
    text, file = old.read_text(_MANIFEST), f"{old.url}/{_MANIFEST}"
    if text is None:
        return {name: {} for name in old.parts("games")}
    body = text.rpartition('\n"sha256"')[0]
    if text != f'{body}\n"sha256": "{sha256(body.encode()).hexdigest()}"}}\n':
        raise InputError("the manifest of this archive is damaged", hint="restore it", file=file)
    entry: dict[str, Any] = json.loads(text)
    if entry["format"] > _FORMAT:
        raise InputError("this archive is of a later version of resultproc", hint="update resultproc", file=file)
    for name in entry["parts"]:
        if not _PART.fullmatch(name):
            raise InputError(f"the manifest of this archive is damaged: it names a part '{name}'", file=file)
    return dict(entry["parts"])


def _rows(old: Store, name: str, said: dict[str, Any]) -> pa.Table:
    """Return the versions in a part as rows of the table."""
    hashes = [said.get(kind, {}).get("sha256", "") for kind in ("games", "contestants")]
    games, contestants = (
        plain_frame(old.opened(kind, name, each).read())
        for kind, each in zip(("games", "contestants"), hashes, strict=True)
    )
    besides = games.reindex(columns=[*ARCHIVED]).astype("str")
    known = (
        frame[[each for each in frame if kind.column(str(each))]]
        for frame, kind in ((games, GAMES), (contestants, CONTESTANTS))
    )
    declared, of_games = (kind.conform(frame) for frame, kind in zip(known, (GAMES, CONTESTANTS), strict=True))
    times = _added(said, len(games))
    rows = rows_of_games(declared.join(besides), of_games, _game_of_each(games, of_games), times)
    at, since, until, why = zip(*_spans(times, said.get("changes", ())), strict=True)
    return with_times(rows.take(pa.array(at)), since, until, why)


def _added(said: dict[str, Any], games: int) -> list[str]:
    """Return when each game of a part was added, empty where nobody knows."""
    added = said.get("added", "")
    return [added] * games if isinstance(added, str) else [time for time, count in added for _ in range(count)]


def _game_of_each(games: pd.DataFrame, contestants: pd.DataFrame) -> Ints:
    """Return the row of the game of each contestant.

    Two versions of a game may have one id, where only what is said of it was corrected: they have as many contestants.
    """
    ids = games["game_id"].astype("str")
    of = contestants["game_id"].astype("str")
    versions, number = ids.map(ids.value_counts()), ids.groupby(ids).cumcount()
    seat, seats = of.groupby(of).cumcount(), of.map(of.value_counts())
    which = seat * of.map(versions.set_axis(ids).groupby(level=0).first()) // seats
    rows = pd.Series(np.arange(len(ids)), pd.MultiIndex.from_arrays([ids, number]))
    return rows.loc[pd.MultiIndex.from_arrays([of, which])].to_numpy(dtype=np.int64)


def _spans(added: Sequence[str], changes: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str, str, str]]:
    """Yield when each version counted: its row, from when, until when, and why no longer."""
    spans = [[[time, "", ""]] for time in added]
    for change in changes:
        for row in change["rows"]:
            if change["what"] == "restored":
                spans[row].append([change["time"], "", ""])
            else:
                spans[row][-1][1:] = change["time"], change["what"]
    for row, of_row in enumerate(spans):
        for since, until, why in of_row:
            yield row, since, until, why
