"""Which files a batch reads, and what tells one content from another."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from resultproc.formats.source import files_named, logos, read_with
from resultproc.model.errors import InputError, resultproc_error, shown
from resultproc.model.files import SeenFiles, is_lock
from resultproc.model.source import Source


@dataclass(frozen=True)
class Input:
    """A results file.

    path: where it is.
    key: what it is known by from run to run, see :func:`located`.
    name: what it is called below the folder that was given, such as ``mon/game.csv``; its own name where the file
        itself was given.
    inside: whether a folder was given.
    hash: see :func:`content_hash`; empty where the file is not to be read now, as it is still written to (waiting) or
        as it cannot be opened (problems).
    waiting: whether it is still written to, so that it is left for a later run.
    problems: why it cannot be opened, as reports list them.
    """

    path: Path
    key: str
    name: str
    inside: bool = False
    hash: str = ""
    waiting: bool = False
    problems: Sequence[dict[str, Any]] = field(default=(), hash=False)


def located(path: Path) -> str:
    """Return the path by which a file is known: links among its folders are followed, and it may be one itself."""
    return _known(path.parent.resolve() / path.name)


def _known(path: Path) -> str:
    text = shown(path)
    # Two names that are not UTF-8 may look the same.
    return text if text == str(path) else f"{text} ({hashlib.sha256(bytes(path)).hexdigest()[:12]})"


LEDGER = "ledger.sqlite"
"""What a batch knows of what it has done, in its output folder."""


def results_files(paths: Iterable[Path], apart: Path | None) -> Iterator[Input]:
    """Yield the results files among some files and folders, each once, in order of their names, and not yet read.

    Hidden files, TOML files and what they name as deals or as a logo, locks of databases and workbooks that are open,
    and what lies in ``apart``, where it is written to, are passed over. Among the files are, as problems, a folder that
    cannot be read, a link to nothing, and a folder that another run wrote, whose files are passed over. Raises
    InputError for a path that is not there, or that is in ``apart`` itself.
    """
    seen: set[Path] = set()
    apart = apart.resolve() if apart else Path(os.devnull)
    folders: dict[Path, Path] = {}
    written: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", file=shown(path), code="input.absent")
        inside = path.is_dir()
        if path.resolve().is_relative_to(apart) if inside else _real(path, folders).is_relative_to(apart):
            what = "this is in the output folder"
            raise InputError(what, hint="write to another folder", file=shown(path), code="output.blocked")
        every = [path, *sorted(path.rglob("*"))] if inside else [path]
        toml = {each for each in every if each.name[-5:].lower() == ".toml"}
        named = {file for each in toml for file in (*files_named(None, each), *logos(each))}
        for each in every:
            below = each.relative_to(path)
            hidden = any(part.startswith(".") for part in below.parts) or (inside and is_lock(each.name))
            if hidden or each in named or each in toml or (written and not written.isdisjoint(each.parents)):
                continue
            known = _real(each, folders)
            if known in seen or known.is_relative_to(apart):
                continue
            is_file = os.path.isfile(each)  # noqa: PTH113
            wrong = None if is_file else _unreadable(each, given=each == path)
            if wrong or is_file:
                seen.add(known)
                written |= {each} if wrong else set()
                name = shown(below.as_posix()) if inside else shown(each.name)
                problems = resultproc_error(wrong).in_file(shown(each.name)).as_dicts() if wrong else ()
                yield Input(each, _known(folders[each.parent] / each.name), name, inside, problems=problems)


def _unreadable(path: Path, *, given: bool) -> InputError | None:
    """Return what is wrong with a thing in a folder that cannot be read, if that should be said; else None.

    given: somebody named the path itself, and means it, whoever wrote it.
    """
    if path.is_symlink() and not path.exists():
        return InputError(
            "this link leads to nothing", hint="remove it, or restore what it leads to", code="input.absent"
        )
    if not path.is_dir():
        return None
    if not os.access(path, os.R_OK | os.X_OK):
        return InputError("this folder cannot be read", code="machine.permission")
    signs = ((LEDGER, "."), ("manifest.json", "games"), ("games/_delta_log", "games"), ("settings.json", "awards"))
    if not given and any((path / each).exists() and (path / folder).is_dir() for each, folder in signs):
        what = "this folder is what another run wrote, and its files are passed over"
        return InputError(what, hint="move it out of the folder of your games")
    return None


def without_files(paths: Iterable[Path], items: Sequence[Input]) -> list[Path]:
    """Return the folders among some paths in which nothing was found."""
    folders = {item.path.parent for item in items}
    parents = {parent for folder in folders for parent in (folder, *folder.parents)}
    return [path for path in paths if path.is_dir() and path not in parents]


def _real(path: Path, folders: dict[Path, Path]) -> Path:
    """Return a path without links in it; folders: those whose links were followed before."""
    if path.parent not in folders:
        folders[path.parent] = path.parent.resolve()
    # A link that leads to itself has no end: os.path goes as far as there is something.
    return Path(os.path.realpath(path)) if path.is_symlink() else folders[path.parent] / path.name


def content_hash(path: Path, settings: str, club: Path | None = None, seen: SeenFiles | None = None) -> str:
    """Return a hash of the file, its sidecar, its club's and the run's settings: the same hash, the same result.

    path: the file.
    settings: what tells the run's settings from others.
    club: the file of the club's settings, None for the one in the file's folder.
    seen: the files that were looked into before.
    Raises OSError where one of them cannot be read.
    """
    beside, of_folder = read_with(path)
    declared = club or of_folder
    files = [path, beside, declared, *files_named(declared, beside, anywhere=club is not None)]
    known = seen or SeenFiles()
    hashes = (known.sha256(_known(each), each, partial(_read_hash, each)) if each else "" for each in files)
    return _combined(settings, *(each or "" for each in hashes))


def hash_of(source: Source, settings: str) -> str:
    """Return the hash of what was read, see :func:`content_hash`."""
    declared = (hashlib.sha256(each.data).hexdigest() if each else "" for each in (source.beside, source.settings))
    more = [*([source.players] if source.players else []), *(file for _, file in source.deals)]
    return _combined(settings, source.sha256, *declared, *(hashlib.sha256(each.data).hexdigest() for each in more))


def _combined(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _read_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def written_at(path: Path) -> float | None:
    """Return when a file was written to, in seconds since 1970; None where that is not known."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def settled(path: Path, seconds: float) -> bool:
    """Return whether nobody has written to a file or its sidecar for some seconds; raise OSError where it is gone.

    A time in the future is that of another clock, and says nothing.
    """
    beside, _ = read_with(path)
    files = [path, beside] if beside else [path]
    return not any(0 <= time.time() - file.stat().st_mtime < seconds for file in files)


class Glance:
    """How watched files look from outside: none is opened, which takes a hundredth of the time.

    A file that comes, goes or is replaced is seen at once; one that is written over in its place within
    :data:`_TURNS` glances, as each asks the system for the times of a part of the files.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        """Take a glance at all of some files, and of what is in folders."""
        self._paths = [os.fspath(path) for path in paths]
        self._before = [self._of(turn) for turn in range(_TURNS)]
        self._turn = 0

    def is_same(self) -> bool:
        """Return whether all looks as it did at first, as far as this glance goes."""
        self._turn = (self._turn + 1) % _TURNS
        return self._of(self._turn) == self._before[self._turn]

    def _of(self, turn: int) -> list[object]:
        seen: list[object] = []
        at = turn
        folders = [*self._paths]
        for folder in folders:
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        at += 1
                        seen.append(entry.name)
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        elif at % _TURNS == 0:
                            found = entry.stat()
                            seen += (found.st_mtime_ns, found.st_size)
            except NotADirectoryError:
                seen.append(written_at(Path(folder)))
            except OSError as error:
                seen.append(error.errno)
        return seen


_TURNS = 3
"""In how many glances every file has been asked for its times."""
