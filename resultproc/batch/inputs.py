"""Which files a batch takes in, and what tells one content from another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from resultproc.errors import InputError


@dataclass(frozen=True)
class Input:
    """A results file: its path, and the hash of its content and its sidecar's."""

    path: Path
    hash: str


def find(paths: Iterable[Path], apart: Path) -> Iterator[Path]:
    """Yield the results files among some files and folders, each once, in order of their names.

    Hidden files, TOML sidecars and what lies in ``apart``, the output folder, are passed over.
    Raises InputError for a path that is not there.
    """
    seen: set[Path] = set()
    apart = apart.resolve()
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", file=str(path))
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inside:
            hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
            if hidden or each.suffix.lower() == ".toml" or not each.is_file():
                continue
            known = each.resolve()
            if known not in seen and not known.is_relative_to(apart):
                seen.add(known)
                yield each


def content_hash(path: Path, settings: str) -> str:
    """Return a hash of the file, its sidecar and the settings of the run: the same hash means the same result."""
    digest = hashlib.sha256(settings.encode())
    for part in (path, path.with_suffix(".toml")):
        digest.update(b"\0")
        if part.is_file():
            with part.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
