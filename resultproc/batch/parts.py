"""Parts of an archive: written, and small ones put together where each night left one of its own.

A part that is put together from others has their games in their order, what became of each, and when each came: nothing
that is asked of the archive has another answer. The files of the others stay for a day, for runs that read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import accumulate, groupby

import pandas as pd
import pyarrow as pa

from resultproc.batch.known import ARCHIVED
from resultproc.batch.manifest import KINDS, ArchivePart, Arrival, File, Manifest, existing, opened, part_name, save
from resultproc.batch.store import Store, parquet
from resultproc.model.dates import written
from resultproc.model.frames import CONTESTANTS, GAMES, concat
from resultproc.model.provenance import SCHEMA, now, program

GAMES_IN_PART = 20_000
"""About how many games a part holds: enough for the costs of a frame not to be felt, few enough for any memory."""

TOO_MANY = 30
"""An archive that could do with so many parts fewer is put together at the end of an ``add``."""

KEPT = timedelta(days=1)
"""How long files stay that no part has any more: a run that reads them has to be done by then."""

_NUMBERED = re.compile(r"year=([0-9]+)/part-([0-9]{6,})-[0-9a-f]{16}\.parquet")


def write_part(
    store: Store, year: int, version: int, added: tuple[Arrival, ...], games: pd.DataFrame, contestants: pd.DataFrame
) -> ArchivePart:
    """Write the two files of a part, and return it for a manifest.

    version: of the manifest that names its first games. added: when its games came.
    """
    frames = (_conformed(games), contestants.reset_index(drop=True))
    tables = [pa.Table.from_pandas(frame, preserve_index=False) for frame in frames]
    said = f"{program()}; schema {SCHEMA}"
    data = [parquet(kind, table, said) for kind, table in zip(KINDS, tables, strict=True)]
    hashes = [sha256(each).hexdigest() for each in data]
    name = part_name(year, version, sha256("".join(hashes).encode()).hexdigest())
    for kind, content in zip(KINDS, data, strict=True):
        store.write_bytes(f"{kind}/{name}", content)
    files = [File(table.num_rows, sha) for table, sha in zip(tables, hashes, strict=True)]
    return ArchivePart(name, added, files[0], files[1])


def _conformed(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games frame with the columns that an archive has besides."""
    besides = games[[name for name in ARCHIVED if name in games]].astype("str")
    return GAMES.conform(games.drop(columns=list(besides))).join(besides).reset_index(drop=True)


def compact(store: Store) -> tuple[int, int]:
    """Put small parts of an archive together; return how many parts there were, and how many there are.

    Raises InputError where there is no archive, or one that is damaged; OutputError where it cannot be written, or
    another run is at it.
    """
    existing(store)
    with store.alone():
        store.clear()
        manifest = existing(store)
        return len(manifest.parts), len(compacted(store, manifest).parts)


def compacted(store: Store, manifest: Manifest, at_least: int = 1) -> Manifest:
    """Put small parts together for whoever is alone at an archive; return its manifest, the same if nothing changes.

    at_least: nothing is done where there would not be so many parts fewer. Raises like :func:`compact`.
    """
    due = {name for name, time in manifest.retired.items() if time <= written(now() - KEPT)}
    groups = list(_groups(manifest.parts))
    if len(manifest.parts) - len(groups) < at_least:
        groups = [[part] for part in manifest.parts]
    parts = [part for group in groups for part in _together(store, group)]
    if parts == list(manifest.parts) and not due:
        return manifest
    left = {part.name for part in parts}
    for name in sorted(due - left):
        for kind in KINDS:
            store.remove(kind, name)
    time = manifest.now()
    gone = {part.name: time for part in manifest.parts if part.name not in left}
    retired = {name: then for name, then in manifest.retired.items() if name not in due} | gone
    return save(store, replace(manifest, parts=tuple(parts), retired=retired))


def _groups(parts: Sequence[ArchivePart]) -> Iterator[list[ArchivePart]]:
    """Yield the parts, in their order, as groups of neighbours that make one part.

    Only neighbours are put together, and the new part has the place of the first, so that games keep their order.
    """
    for year, of_year in groupby(parts, _year):
        group: list[ArchivePart] = []
        for part in of_year:
            if group and (not year or sum(each.games.rows for each in [*group, part]) > GAMES_IN_PART):
                yield group
                group = []
            group.append(part)
        yield group


def _year(part: ArchivePart) -> str:
    """Return the year that a part's name has, empty for one from before there were manifests."""
    found = _NUMBERED.fullmatch(part.name)
    return found[1] if found else ""


def _together(store: Store, group: Sequence[ArchivePart]) -> list[ArchivePart]:
    """Return a group as one part, which is written; as it is where it has but one, or columns of a later version."""
    named = _NUMBERED.fullmatch(group[0].name)
    if len(group) == 1 or not named:
        return list(group)
    games, contestants = ([opened(store, kind, part).read().to_pandas() for part in group] for kind in KINDS)
    known = all(GAMES.column(name) or name in ARCHIVED for frame in games for name in frame)
    if not known or not all(CONTESTANTS.column(name) for frame in contestants for name in frame):
        return list(group)
    added = tuple(arrival for part in group for arrival in part.added)
    every = pd.concat(games, ignore_index=True)
    part = write_part(store, int(named[1]), int(named[2]), added, every, concat(contestants, CONTESTANTS))
    starts = accumulate((each.games.rows for each in group[:-1]), initial=0)
    changes = (change.after(start) for each, start in zip(group, starts, strict=True) for change in each.changes)
    return [replace(part, changes=tuple(changes))]
