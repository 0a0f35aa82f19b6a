"""Which files a batch reads, and what tells one content from another.

Paths are texts here, as there may be ten thousand files each night: an object for each takes longer than all the rest.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from resultproc.formats.loaded import SETTINGS, files_named, logos, read_with, refuse_large
from resultproc.model.errors import InputError, resultproc_error, shown
from resultproc.model.files import SeenFiles, is_lock
from resultproc.model.source import Source


class Input(NamedTuple):
    """A results file."""

    file: str  # where it is
    key: str  # what it is known by from run to run, see :func:`located`
    # What it is called below the folder that was given, such as ``mon/game.csv``; its own name where the file itself
    # was given.
    name: str
    inside: bool = False  # whether a folder was given
    # See :class:`Contents`; empty where the file is not to be read now, as it is still written to (waiting) or as it
    # cannot be opened (problems).
    hash: str = ""
    waiting: bool = False  # whether it is still written to, so that it is left for a later run
    problems: Sequence[dict[str, Any]] = ()  # why it cannot be opened, as reports list them

    @property
    def path(self) -> Path:
        """Where it is, as a path."""
        return Path(self.file)


def located(path: Path) -> str:
    """Return the path by which a file is known: links among its folders are followed, and it may be one itself."""
    return known_as(str(path.parent.resolve() / path.name))


def known_as(path: str) -> str:
    """Return a path by which a file is known to a ledger, as a text that can be written in any file."""
    text = path if path.isascii() else shown(path)
    # Two names that are not UTF-8 may look the same.
    return text if text == path else f"{text} ({hashlib.sha256(os.fsencode(path)).hexdigest()[:12]})"


LEDGER = "ledger.sqlite"
"""What a batch knows of what it has done, in its output folder."""


def results_files(paths: Iterable[Path], apart: Path | None) -> Iterator[Input]:
    """Yield the results files among some files and folders, each once, in order of their names, and not yet read.

    Hidden files, TOML files and what they name as deals, a logo or the list of players, locks of databases and
    workbooks that are open, and what lies in ``apart``, where it is written to, are passed over. Among the files are,
    as problems, a folder that cannot be read, a link to nothing, and a folder that another run wrote, whose files are
    passed over. Raises InputError for a path that is not there, or that is in ``apart`` itself.
    """
    seen: set[str] = set()
    ours = os.path.join(apart.resolve() if apart else os.devnull, "")
    folders: dict[str, str] = {}
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", file=shown(path), code="input.absent")
        inside = path.is_dir()
        real = os.path.realpath(path) if inside or path.is_symlink() else os.path.join(path.parent.resolve(), path.name)
        if os.path.join(real, "").startswith(ours):
            what = "this is in the output folder"
            raise InputError(what, hint="write to another folder", file=shown(path), code="output.blocked")
        given = _Thing(str(path), "." if inside else path.name, False, path.is_symlink(), path.is_file())
        every = [given, *(_below("" if str(path) == "." else str(path)) if inside else ())]
        toml = {each.file for each in every if each.file[-5:].lower() == ".toml"}
        club = {each: Path(each) for each in toml if os.path.basename(each) == SETTINGS}
        of_toml = (file for each in toml for file in (*files_named(club.get(each), Path(each)), *logos(Path(each))))
        passed_over = toml | set(map(str, of_toml))
        written = ""
        for each in every:
            file, below, hidden, is_link, is_file = each
            name = below.rpartition("/")[2] if below != "." else os.path.basename(file)
            folder = file[: len(file) - len(name)]
            if hidden or (inside and is_lock(name)) or file in passed_over:
                continue
            if written and file.startswith(written):
                continue
            if folder not in folders:
                folders[folder] = os.path.join(os.path.realpath(folder), "")
            located_at = folders[folder] + name
            # A link that leads to itself has no end: the system goes as far as there is something.
            known = os.path.realpath(file) if is_link else located_at
            if known in seen or (known + os.sep).startswith(ours):
                continue
            wrong = None if is_file else _unreadable(Path(file), given=each is given)
            if wrong or is_file:
                seen.add(known)
                written = os.path.join(file, "") if wrong else written
                problems = resultproc_error(wrong).in_file(shown(name)).as_dicts() if wrong else ()
                called = below if below.isascii() else shown(below)
                yield Input(file, known_as(located_at), called, inside, problems=problems)


class _Thing(NamedTuple):
    """Something in a folder."""

    file: str
    below: str  # its path below the folder that was given, '' for that itself
    hidden: bool  # whether it, or a folder that it is in, has a name that begins with a point
    is_link: bool
    is_file: bool


def _below(folder: str, above: str = "", *, hidden: bool = False) -> Iterator[_Thing]:
    """Yield what is in a folder, in order of the names, each folder before what is in it; no link is followed.

    A folder that cannot be read is told of where it is itself.
    """
    try:
        with os.scandir(folder or ".") as found:
            entries = sorted(found, key=lambda each: os.path.normcase(each.name))
    except OSError:
        return
    inside = os.path.join(folder, "")
    for entry in entries:
        file, is_hidden, is_link = inside + entry.name, hidden or entry.name[0] == ".", entry.is_symlink()
        is_file = os.path.isfile(file) if is_link else entry.is_file(follow_symlinks=False)
        yield _Thing(file, above + entry.name, is_hidden, is_link, is_file)
        if entry.is_dir(follow_symlinks=False):
            yield from _below(file, f"{above}{entry.name}/", hidden=is_hidden)


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
    folders = {Path(folder) for folder in {os.path.dirname(item.file) for item in items}}
    parents = {parent for folder in folders for parent in (folder, *folder.parents)}
    return [path for path in paths if path.is_dir() and path not in parents]


@dataclass
class Contents:
    """What tells one content from another, in one look at files."""

    settings: str  # what tells the run's settings from others
    club: Path | None = None  # the file of the club's settings, None for the one in each file's folder
    seen: SeenFiles = field(default_factory=SeenFiles)  # the files that were looked into before
    _folders: dict[str, tuple[bool, list[str]]] = field(default_factory=dict)

    def hash(self, file: str) -> str:
        """Return a hash of the file, its sidecar, its club's and the run's settings: the same hash, the same result.

        Raises OSError where one of them cannot be read, FormatError for a file that is too large to be read.
        """
        own, *declared = self.declared(file)
        return _combined(self.settings, self._of(file, refused=refuse_large), own, *declared)

    def declared(self, file: str) -> list[str]:
        """Return what is declared for a file, as hashes: that of its sidecar first, '' for none; raise OSError."""
        folder = file.rpartition(os.sep)[0] or os.path.dirname(file)
        if folder not in self._folders:  # what holds for all files of a folder
            settings = self.club or read_with(Path(file))[1]
            named = files_named(settings, None, anywhere=self.club is not None)
            toml = {each for each in os.listdir(folder or ".") if each.lower().endswith(".toml")}
            told = ["", *(self._of(str(each)) if each else "" for each in (settings, *named))]
            self._folders[folder] = bool(toml - {SETTINGS}), told
        sidecars, of_folder = self._folders[folder]
        beside = read_with(Path(file))[0] if sidecars else None
        if not beside:
            return of_folder
        own, *more = (self._of(str(each)) for each in (beside, *files_named(None, beside)))
        return [own, *of_folder[1:], *more]

    def _of(self, file: str, refused: Callable[[int], None] = lambda size: None) -> str:
        def read() -> str:
            with Path(file).open("rb") as data:
                refused(os.fstat(data.fileno()).st_size)  # what would take long to hash and to copy each night
                return hashlib.file_digest(data, "sha256").hexdigest()

        return self.seen.sha256(known_as(file), file, read) or ""


def hash_of(source: Source, settings: str) -> str:
    """Return the hash of what was read, see :class:`Contents`."""
    declared = (hashlib.sha256(each.data).hexdigest() if each else "" for each in (source.beside, source.settings))
    more = [*([source.players] if source.players else []), *(file for _, file in source.deals)]
    return _combined(settings, source.sha256, *declared, *(hashlib.sha256(each.data).hexdigest() for each in more))


def _combined(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


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
