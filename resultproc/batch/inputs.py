"""Which files a batch takes in, and what tells one content from another."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from resultproc.formats.source import SETTINGS
from resultproc.model.errors import InputError, shown


@dataclass(frozen=True)
class Input:
    """A results file: its path, and what tells its result from any other, see :func:`content_hash`."""

    path: Path
    hash: str


def find(paths: Iterable[Path], apart: Path) -> Iterator[Path]:
    """Yield the results files among some files and folders, each once, in order of their names.

    Hidden files, TOML sidecars and what lies in ``apart``, the output folder, are passed over.
    Raises InputError for a path that is not there, or that is in ``apart`` itself.
    """
    seen: set[Path] = set()
    apart = apart.resolve()
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", file=shown(path))
        if path.resolve().is_relative_to(apart):
            raise InputError("this is in the output folder", hint="write to another folder", file=shown(path))
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inside:
            hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
            if hidden or each.suffix.lower() == ".toml" or not each.is_file():
                continue
            known = each.resolve()
            if known not in seen and not known.is_relative_to(apart):
                seen.add(known)
                yield each


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits; raise OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_hash(path: Path, settings: str) -> str:
    """Return a hash of the file, its sidecar, its club's and the run's settings: the same hash, the same result.

    Raises OSError where one of them cannot be read.
    """
    beside = (_sidecar(path), path.parent / SETTINGS)
    parts = (settings, file_hash(path), *(file_hash(each) if each.is_file() else "" for each in beside))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def settled(path: Path, seconds: float) -> bool:
    """Return whether a file and its sidecar have not been written to for so long; raise OSError where it is gone.

    A time to come is that of another clock, and says nothing.
    """
    sidecar = _sidecar(path)
    files = [path, sidecar] if sidecar.is_file() else [path]
    return not any(0 <= time.time() - file.stat().st_mtime < seconds for file in files)


def _sidecar(path: Path) -> Path:
    return path.with_suffix(".toml")


def problems_of(error: Exception, file: str = "") -> list[dict[str, str]]:
    """Return what is wrong with a file, for reports.

    A mistake of the program that one file brings out is reported as such, and does not stop the other files.
    """
    if isinstance(error, OSError):
        error = InputError(f"it cannot be read: {error.strerror}")
    if not isinstance(error, InputError):
        error = InputError(f"this is a bug in resultproc: {type(error).__name__}: {error}")
    return error.in_file(file).as_dicts()
