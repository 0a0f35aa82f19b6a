"""What an archive holds: its parts with their hashes, and what became of the games in them, in one JSON file.

Parts are written once and never changed. A game that is corrected or removed stays in its part, and the manifest notes
when it ceased to count. So the archive can be read as it was at any time, and a run that reads it is not disturbed by
one that adds to it. The manifest is replaced last and in one step: a run that is killed leaves the old one or the new.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from resultproc.batch.moments import written
from resultproc.batch.store import Store
from resultproc.model.arrays import Bools
from resultproc.model.errors import InputError, OutputError
from resultproc.model.provenance import now

MANIFEST = "manifest.json"
FORMAT = 2
"""The version of the archive's layout. The first had no manifest."""

KINDS = ("games", "contestants")

REPLACED, REMOVED, RESTORED = "replaced", "removed", "restored"


@dataclass(frozen=True)
class File:
    """What one file of a part has to be: so many rows, and the SHA-256 of its bytes."""

    rows: int
    sha256: str


@dataclass(frozen=True)
class Change:
    """What became of some games of a part, by their rows, and when: replaced, removed or restored."""

    time: str
    what: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """A part: its name, when it was added (empty: nobody knows), its two files, and what changed since."""

    name: str
    added: str
    games: File
    contestants: File
    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        return self.name

    def states(self) -> npt.NDArray[np.str_]:
        """Return what became of each game, empty for those that count."""
        states = np.full(self.games.rows, "", dtype="<U8")
        for change in self.changes:
            states[list(change.rows)] = "" if change.what == RESTORED else change.what
        return states

    def current(self) -> Bools:
        """Return which games count."""
        return np.asarray(self.states() == "", dtype=np.bool_)


@dataclass(frozen=True)
class Manifest:
    """The parts of an archive, in order of their names; version: how often it was written."""

    version: int = 0
    parts: tuple[Part, ...] = ()

    def as_of(self, time: str) -> Manifest:
        """Return the archive as it was at a time, see :func:`resultproc.batch.moments.moment`; empty for now."""
        if not time:
            return self
        parts = (part for part in self.parts if part.added <= time)
        return replace(
            self,
            parts=tuple(
                replace(part, changes=tuple(each for each in part.changes if each.time <= time)) for part in parts
            ),
        )

    def current(self) -> tuple[Part, ...]:
        """Return the parts that hold a game that counts."""
        return tuple(part for part in self.parts if part.current().any())

    def changed(self, time: str, what: str, rows: Mapping[str, Iterable[int]]) -> Manifest:
        """Return it with something that became of games, by the name of their part and their rows."""
        changes = {name: Change(time, what, tuple(sorted(each))) for name, each in rows.items()}
        parts = (
            replace(part, changes=(*part.changes, changes[part.name])) if part.name in changes else part
            for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    def now(self) -> str:
        """Return the time for what is noted next, which is never before what was noted last.

        In ISO 8601 and UTC, see :func:`resultproc.model.provenance.now`.
        """
        noted = (each for part in self.parts for each in (part.added, *(change.time for change in part.changes)))
        return max(written(now()), *noted, "")


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
    if any(_NAMED.fullmatch(part) for part in parts):
        hint = "restore it, or add the files to a new archive"
        raise InputError("the manifest of this archive is missing", hint=hint, file=f"{store.url}/{MANIFEST}")
    return parts


def save(store: Store, manifest: Manifest) -> Manifest:
    """Replace the manifest of an archive by its next version, and return that.

    Raises OutputError where that is impossible, or another run has replaced it meanwhile.
    """
    there = store.read_text(MANIFEST)
    if there is not None and _parsed(there, f"{store.url}/{MANIFEST}").version != manifest.version:
        what = "another run has changed this archive meanwhile"
        hint = "run this again: what is there is not added twice"
        raise OutputError(what, hint=hint, file=store.url, code="again.locked")
    manifest = replace(manifest, version=manifest.version + 1, parts=tuple(sorted(manifest.parts, key=str)))
    store.write_text(MANIFEST, _text(manifest))
    return manifest


_NAMED = re.compile(r"year=[0-9]+/part-[0-9]{6,}-[0-9a-f]{16}\.parquet")


def part_name(year: int, version: int, content: str) -> str:
    """Return what a part is called: by the year of its games, the version of the manifest that names it first, and its
    content.
    """
    return f"year={year}/part-{version:06d}-{content[:16]}.parquet"


def _text(manifest: Manifest) -> str:
    """Return the manifest as JSON, a line for each part; the last line has the hash of those before."""
    entries = ({name: value for name, value in asdict(part).items() if name != "name"} for part in manifest.parts)
    lines = (f"{json.dumps(p.name)}: {json.dumps(each)}" for p, each in zip(manifest.parts, entries, strict=True))
    head = f'{{"format": {FORMAT}, "version": {manifest.version}, "parts": {{'
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
    return Manifest(entry["version"], tuple(_part(name, part) for name, part in entry["parts"].items()))


def _part(name: str, entry: dict[str, Any]) -> Part:
    changes = tuple(Change(each["time"], each["what"], tuple(each["rows"])) for each in entry["changes"])
    return Part(name, entry["added"], File(**entry["games"]), File(**entry["contestants"]), changes)
