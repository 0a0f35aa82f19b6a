"""What counts in an archive, now or at an earlier time: its parts, and in each the games that nothing has replaced.

Everything that reads an archive reads it through here. What is read is held against the manifest's hashes.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from resultproc.batch.manifest import Part, load
from resultproc.batch.store import Opened, Store
from resultproc.model.errors import InputError


def current_parts(store: Store, as_of: str = "") -> tuple[Part, ...]:
    """Return the parts that hold a game that counts.

    as_of: the time, see :func:`resultproc.batch.moments.moment`; empty for now. Raises InputError for an archive
    that has no games, or had none then, and where its manifest is damaged.
    """
    manifest = load(store)
    if not manifest.current():
        hint = "add some with: resultproc archive add IN --to ARCHIVE"
        raise InputError("there are no games in this archive", hint=hint, file=store.url)
    found = manifest.as_of(as_of).current()
    if not found:
        raise InputError(f"there were no games in this archive at {as_of}", hint="name a later time", file=store.url)
    return found


def opened(store: Store, kind: str, part: Part) -> Opened:
    """Return a file of a part with all that is in it, whether it counts or not.

    kind: games or contestants. Raises InputError where it is missing, or is not what was written.
    """
    return store.opened(kind, part.name, (part.games if kind == "games" else part.contestants).sha256)


def current_games(store: Store, part: Part, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the games of a part that count, or some of their columns; raises like :func:`opened`."""
    return counting(part, opened(store, "games", part).read(columns))


def counting(part: Part, games: pa.Table) -> pa.Table:
    """Return those games of a part, given all of them in their order, that count."""
    current = part.current()
    return games if current.all() else games.filter(pa.array(current))


def current_contestants(store: Store, part: Part, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the contestants of the games that count, or some of their columns; raises like :func:`opened`."""
    contestants = opened(store, "contestants", part)
    if part.current().all():
        return contestants.read(columns)
    table = contestants.read(None if columns is None else list(dict.fromkeys(["game_id", *columns])))
    table = of_games(table, current_games(store, part, ["game_id"]))
    return table if columns is None else table.select(columns)


def of_games(contestants: pa.Table, games: pa.Table) -> pa.Table:
    """Return the contestants of some games."""
    ids = contestants["game_id"]
    ids = ids.cast(pa.string()) if pa.types.is_dictionary(ids.type) else ids
    wanted = games["game_id"].cast(ids.type)
    return contestants.filter(pc.is_in(ids, value_set=wanted.combine_chunks()))
