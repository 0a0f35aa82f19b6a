"""Archives as resultproc wrote them before they were Delta tables: a part of two files for each part of one of now."""

import json
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from resultproc.archive.game_file import UNTIL, WHY, times_of
from resultproc.archive.store import Store
from resultproc.archive.table import load, opened
from resultproc.archive.views import ADDED

BESIDES = {"added", "valid_from", "valid_until", "why", "hash", "contestants_hash", "contestants"}


def make_older(store: Store, folder: Path, version: int, without: tuple[str, ...] = ()) -> None:
    """Write what an archive has as one of a version of the format, 1 to 3; nothing of it was ever restored.

    without: columns of games that this version has not had yet.
    """
    parts = {}
    for number, part in enumerate(load(store).parts):
        table = pq.read_table(store.path_of(f"games/{part.name}"))
        file = opened(store, part)
        game = table["contestants"].combine_chunks()
        nested = game.flatten()
        contestants = pa.table(dict(zip([field.name for field in nested.type], nested.flatten(), strict=True)))
        ids = table["game_id"].take(pa.compute.list_parent_indices(game))
        games = table.drop_columns([*BESIDES, *without])
        games = games.set_column(games.column_names.index("date"), "date", games["date"].cast(pa.timestamp("ms")))
        year = part.name.split("/")[0]
        name = f"{year}/part-{number:032x}.parquet" if version == 1 else f"{year}/part-{1:06d}-{number:016x}.parquet"
        said = {}
        for kind, rows in (("games", games), ("contestants", contestants.add_column(0, "game_id", ids))):
            path = folder / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(rows, path)
            said[kind] = {"rows": len(rows), "sha256": sha256(path.read_bytes()).hexdigest()}
        every = file.every_game()
        added, until = times_of(every, ADDED), times_of(every, UNTIL)
        why = every[WHY].to_pylist() if WHY in every.column_names else []
        times = [[time, 1] for time in added]
        changes = [{"time": until[row], "what": each, "rows": [row]} for row, each in enumerate(why) if each]
        parts[name] = {"added": times if version == 3 else added[0], **said, "changes": changes}
    if version > 1:
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(said)}" for name, said in sorted(parts.items()))
        retired = '"retired": {}, ' if version == 3 else ""
        body = f'{{"format": {version}, "version": 7, {retired}"parts": {{\n{lines}\n}},'
        seal(folder, body)


def seal(folder: Path, body: str) -> None:
    """Write a manifest, with the hash that says that it is whole."""
    (folder / "manifest.json").write_text(f'{body}\n"sha256": "{sha256(body.encode()).hexdigest()}"}}\n', "utf-8")
