"""What an archive holds: its parts with their hashes, and what became of the games in them, in one JSON file.

Parts are written once and never changed; small ones are put together in a new one, see
:mod:`resultproc.archive.parts`. A game that is corrected or removed stays in its part, and the manifest notes when it
ceased to count. So the archive can be read as it was at any time, and a run that reads it is not disturbed by
one that adds to it. The manifest is replaced last and in one step: a run that is killed leaves the old one or the new.

Everything that reads an archive asks here for what counts in it, now or at an earlier time. What is read is
compared with the manifest's hashes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from resultproc.archive.store import Opened, Store
from resultproc.model.arrays import Bools
from resultproc.model.dates import time_text
from resultproc.model.errors import InputError, OutputError
from resultproc.model.provenance import Origin, Provenance, RulebookUsed, now

MANIFEST = "manifest.json"
FORMAT = 3
"""The version of the archive's layout. The first had no manifest; the second had no parts that were put together."""

_SEPARATE = 2
"""What is written while no parts are put together: the version before can read that."""

PART_KINDS = ("games", "contestants")

GAME_REPLACED, GAME_REMOVED, GAME_RESTORED = "replaced", "removed", "restored"

LATER = "later"
"""What became of a game that was added after the time that the user asks about."""


@dataclass(frozen=True)
class File:
    """What one file of a part has to be: how many rows it has, and the SHA-256 of its bytes."""

    rows: int
    sha256: str


@dataclass(frozen=True)
class StateChange:
    """What became of some games of a part, and when.

    time: in ISO 8601, in UTC.
    what: ``replaced``, ``removed`` or ``restored``; :data:`LATER` of games that came after a time that is asked about.
    rows: the rows of these games in the part.
    """

    time: str
    what: str
    rows: tuple[int, ...]

    def after(self, rows: int) -> StateChange:
        """Return it for a part that has more games before these."""
        return replace(self, rows=tuple(rows + row for row in self.rows))


@dataclass(frozen=True)
class Arrival:
    """When games came (empty: nobody knows), and how many."""

    time: str
    games: int


@dataclass(frozen=True)
class ArchivePart:
    """A part of an archive: a file of games and one of their contestants.

    name: that of both files, without the folder of their kind.
    added: when its games came and how many, in the order of its rows.
    games, contestants: what its two files have to be.
    changes: what became of its games since; the oldest change of a game first.
    """

    name: str
    added: tuple[Arrival, ...]
    games: File
    contestants: File
    changes: tuple[StateChange, ...] = ()

    def __str__(self) -> str:
        return self.name

    def times(self) -> npt.NDArray[np.str_]:
        """Return when each game came, empty where nobody knows."""
        return np.repeat([each.time for each in self.added], [each.games for each in self.added])

    def as_of(self, time: str) -> ArchivePart:
        """Return it as it was at a time: what came after that has the state :data:`LATER`."""
        changes = [each for each in self.changes if each.time <= time]
        later = np.flatnonzero(self.times() > time)
        changes += [StateChange(time, LATER, tuple(later.tolist()))] if len(later) else []
        return replace(self, changes=tuple(changes))

    def states(self) -> npt.NDArray[np.str_]:
        """Return what became of each game, empty for those that count."""
        states = np.full(self.games.rows, "", dtype="<U8")
        for change in self.changes:
            states[list(change.rows)] = "" if change.what == GAME_RESTORED else change.what
        return states

    def current(self) -> Bools:
        """Return which games count."""
        return np.asarray(self.states() == "", dtype=np.bool_)


@dataclass(frozen=True)
class Manifest:
    """The parts of an archive.

    version: how often it was written.
    parts: in order of their names.
    retired: the names of parts that were put together, whose files are still there, and when they were.
    """

    version: int = 0
    parts: tuple[ArchivePart, ...] = ()
    retired: Mapping[str, str] = field(default_factory=dict)

    def as_of(self, time: str) -> Manifest:
        """Return the archive as it was at a time, see :func:`resultproc.model.dates.moment`; empty for now."""
        if not time:
            return self
        parts = (part.as_of(time) for part in self.parts if any(each.time <= time for each in part.added))
        return replace(self, parts=tuple(parts))

    def current(self) -> tuple[ArchivePart, ...]:
        """Return the parts that hold a game that counts."""
        return tuple(part for part in self.parts if part.current().any())

    def changed(self, time: str, what: str, rows: Mapping[str, Iterable[int]]) -> Manifest:
        """Return the manifest after some of its games were replaced or removed.

        time: when.
        what: what became of the games.
        rows: the games, by the name of their part.
        """
        changes = {name: StateChange(time, what, tuple(sorted(each))) for name, each in rows.items()}
        parts = (
            replace(part, changes=(*part.changes, changes[part.name])) if part.name in changes else part
            for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    def now(self) -> str:
        """Return the time for what is noted next, which is never before what was noted last.

        In ISO 8601 and UTC, see :func:`resultproc.model.provenance.now`.
        """
        came = (each.time for part in self.parts for each in part.added)
        changed = (each.time for part in self.parts for each in part.changes)
        return max([time_text(now()), *came, *changed, *self.retired.values()])


def load(store: Store) -> Manifest:
    """Return the manifest of an archive, an empty one where there is no archive yet.

    Raises InputError where it is damaged or missing, and for an archive from before there were manifests.
    """
    text = store.read_text(MANIFEST)
    if text is not None:
        return _parsed(text, f"{store.url}/{MANIFEST}")
    if before_manifests(store):
        what = "this archive is from before archives had a manifest"
        hint = f"make one, once, with: resultproc archive verify {store.url} --make-manifest"
        raise InputError(what, hint=hint, file=store.url)
    return Manifest()


def begin(store: Store, manifest: Manifest) -> None:
    """Give an archive that has no manifest yet one without parts, before there are any.

    Else those that a killed run leaves would look like an archive that has lost its manifest. Raises OutputError where
    it cannot be written.
    """
    if not manifest.version and store.read_text(MANIFEST) is None:
        store.replace_text(MANIFEST, _text(manifest), store.tag(MANIFEST))


def existing(store: Store) -> Manifest:
    """Return the manifest of an archive that is there; raises like :func:`load`, and InputError where none is."""
    manifest = load(store)
    if not manifest.version:
        hint = "make one with: resultproc archive add IN --to ARCHIVE"
        raise InputError("there is no archive here", hint=hint, file=store.url)
    return manifest


def before_manifests(store: Store) -> list[str]:
    """Return the parts of an archive from before archives had a manifest, none where there is no archive.

    Raises InputError for an archive that has a manifest, or whose manifest is lost.
    """
    parts = store.parts("games")
    if store.read_text(MANIFEST) is not None:
        raise InputError("this archive has a manifest", file=store.url)
    if any(PART_NAMED.fullmatch(part) for part in parts):
        hint = "restore it, or add the files to a new archive"
        raise InputError("the manifest of this archive is missing", hint=hint, file=f"{store.url}/{MANIFEST}")
    return parts


def save(store: Store, manifest: Manifest) -> Manifest:
    """Replace the manifest of an archive by its next version, and return that.

    Raises OutputError where that is impossible, or another run has replaced it meanwhile: in S3 up to the moment that
    it is written, elsewhere until shortly before, and on a disk no other run gets as far as this.
    """
    tag = store.tag(MANIFEST)  # before it is read: what is read is this, or a later one
    there = store.read_text(MANIFEST)
    next_one = replace(manifest, version=manifest.version + 1, parts=tuple(sorted(manifest.parts, key=str)))
    known = there is None or _parsed(there, f"{store.url}/{MANIFEST}").version == manifest.version
    if not known or not store.replace_text(MANIFEST, _text(next_one), tag):
        what = "another run has changed this archive meanwhile"
        hint = "run this again: what is there is not added twice"
        raise OutputError(what, hint=hint, file=store.url, code="again.locked")
    return next_one


PART_NAMED = re.compile(r"year=([0-9]+)/part-([0-9]{6,})-[0-9a-f]{16}\.parquet")
"""What a part of an archive with a manifest is called: the year of its games, and the version that names it first."""


def part_name(year: int, version: int, content: str) -> str:
    """Return what a part is called.

    year: that of its games.
    version: of the manifest that names it first.
    content: the hash of what it holds.
    """
    return f"year={year}/part-{version:06d}-{content[:16]}.parquet"


def _text(manifest: Manifest) -> str:
    """Return the manifest as JSON, a line for each part; the last line has the hash of those before."""
    lines = []
    for part in manifest.parts:
        said = asdict(part)
        times = [[each.time, each.games] for each in part.added]
        said["added"] = times[0][0] if len(times) == 1 else times  # several where it was put together
        lines.append(f"{json.dumps(said.pop('name'))}: {json.dumps(said)}")
    separate = not manifest.retired and all(len(part.added) == 1 for part in manifest.parts)
    retired = "" if separate else f'"retired": {json.dumps(manifest.retired)}, '
    head = f'{{"format": {_SEPARATE if separate else FORMAT}, "version": {manifest.version}, {retired}"parts": {{'
    return _sealed("\n".join([head, ",\n".join(lines), "},"]))


def _sealed(body: str) -> str:
    return f'{body}\n"sha256": "{hashlib.sha256(body.encode()).hexdigest()}"}}\n'


def _parsed(text: str, file: str) -> Manifest:
    """Return the manifest of a text; InputError where that is not what was written, to the letter."""
    if text != _sealed(text.rpartition('\n"sha256"')[0]):
        hint = "restore it, or add the files to a new archive"
        raise InputError("the manifest of this archive is damaged", hint=hint, file=file)
    entry: dict[str, Any] = json.loads(text)
    if entry["format"] > FORMAT:
        raise InputError("this archive is of a later version of resultproc", hint="update resultproc", file=file)
    parts = []
    for name, said in entry["parts"].items():
        changes = tuple(StateChange(**{**each, "rows": tuple(each["rows"])}) for each in said["changes"])
        games, added = File(**said["games"]), said["added"]
        times = [(added, games.rows)] if isinstance(added, str) else added
        came = tuple(Arrival(*each) for each in times)
        parts.append(ArchivePart(name, came, games, File(**said["contestants"]), changes))
    return Manifest(entry["version"], tuple(parts), entry.get("retired", {}))


def current_parts(store: Store, as_of: str = "") -> tuple[ArchivePart, ...]:
    """Return the parts that hold a game that counts.

    as_of: the time, see :func:`resultproc.model.dates.moment`; empty for now. Raises InputError for an archive
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


def opened(store: Store, kind: str, part: ArchivePart) -> Opened:
    """Return a file of a part with all that is in it, whether it counts or not.

    kind: games or contestants. Raises InputError where it is missing, or is not what was written.
    """
    return store.opened(kind, part.name, (part.games if kind == "games" else part.contestants).sha256)


def current_games(store: Store, part: ArchivePart, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the games of a part that count; raises like :func:`opened`.

    columns: those to read, None for all.
    """
    return counting(part, opened(store, "games", part).read(columns))


def counting(part: ArchivePart, games: pa.Table) -> pa.Table:
    """Return those games of a part, given all of them in their order, that count."""
    current = part.current()
    return games if current.all() else games.filter(pa.array(current))


def current_contestants(store: Store, part: ArchivePart, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the contestants of the games that count; raises like :func:`opened`.

    columns: those to read, None for all.
    """
    contestants = opened(store, "contestants", part)
    if part.current().all():
        return contestants.read(columns)
    table = contestants.read(None if columns is None else list(dict.fromkeys(["game_id", *columns])))
    table = contestants_of_games(table, current_games(store, part, ["game_id"]))
    return table if columns is None else table.select(columns)


def contestants_of_games(contestants: pa.Table, games: pa.Table) -> pa.Table:
    """Return the contestants of some games."""
    ids = contestants["game_id"]
    ids = ids.cast(pa.string()) if pa.types.is_dictionary(ids.type) else ids
    wanted = games["game_id"].cast(ids.type)
    return contestants.filter(pc.is_in(ids, value_set=wanted.combine_chunks()))


RULEBOOKS = "rulebooks"
"""The rulebooks that paid in a part: an entry in the metadata of its summary."""


def of_archive(archive: Store) -> Provenance:
    """Return what tells what an archive holds: its manifest, which has the hashes of all that is in it."""
    held = (archive.read_text(MANIFEST) or "").encode()
    return Provenance((Origin(f"{MANIFEST} of {archive.url}", hashlib.sha256(held).hexdigest()),))


def of_run(archive: Store, output: Store) -> Provenance:
    """Return what went into a run over an archive that is done: its manifest, and the rulebooks of all parts."""
    remarks = len(output.read_all("remarks", ["game_id"]))
    used = []
    for name in output.parts("summary"):
        said = json.loads(output.opened("summary", name).metadata(RULEBOOKS) or "[]")
        books = (RulebookUsed(**{**each, "editions": tuple(each["editions"])}) for each in said)
        used.append(Provenance(rulebooks=tuple(books)))
    return replace(Provenance.of_all(used, remarks), sources=of_archive(archive).sources)


def rulebooks_entry(provenance: Provenance) -> str:
    """Return the entry :data:`RULEBOOKS` for what went into a part."""
    return json.dumps([asdict(each) for each in provenance.rulebooks])
