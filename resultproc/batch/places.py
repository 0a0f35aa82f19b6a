"""The output folder: what its files are called; how they are written, compared and removed, never through a link.

One run works in it at a time: the system takes its lock off whatever way the run ends.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from resultproc.formats.found import LEDGER, Input
from resultproc.formats.write import PARTIAL, whole
from resultproc.model.codes import code_of_writing
from resultproc.model.errors import OutputError, shown

FAILED_FOLDER, REPORT, LOCK, TO_DO = "failed", "report.json", "ledger.lock", "to-do.html"
REPORT_PAGE = "batch-report.html"

OURS = (
    REPORT,
    REPORT_PAGE,
    TO_DO,
    *(name + more for name in (LEDGER, LOCK) for more in ("", "-wal", "-shm", "-journal")),
)
"""Names that no result has, as the run writes such files itself."""

_LONGEST = 200
"""This many bytes of a name leave room for what follows it, under the 255 that file systems take."""


_NO_LINKS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""How files are opened where what is there may be a link or a pipe, on systems that can say so."""


def folded_name(name: str) -> str:
    """Return what two names have in common that some disk takes for the same."""
    parts = unicodedata.normalize("NFC", name).casefold().split("/")
    return "/".join(part.rstrip(". ") for part in parts)


def is_inside(name: object) -> bool:
    """Return whether something is the name of a file of ours in the output folder, and of none elsewhere."""
    if not isinstance(name, str) or "\0" in name or Path(name).drive or (os.sep != "/" and os.sep in name):
        return False
    parts = name.split("/")
    return folded_name(parts[0]) not in OURS and not any(part in ("", ".", "..") for part in parts)


class TakenNames:
    """The names in the output folder, and whose they are: no two files are the same, and none is another's folder."""

    def __init__(self) -> None:
        """Begin with the names of what the run writes itself."""
        self._files: dict[str, str] = {}
        self._folders: dict[str, set[str]] = {}
        self.add(OURS, "")

    def add(self, names: Iterable[str], owner: str) -> None:
        """Take some names."""
        for name in names:
            self._files[folded_name(name)] = owner
            for folder in _folders(name):
                self._folders.setdefault(folder, set()).add(owner)

    def has(self, names: Iterable[str], owner: str) -> bool:
        """Return whether somebody else has one of some names."""
        return any(self._others(folded_name(name), owner) for name in names) or any(
            self._files.get(folder, owner) != owner for name in names for folder in _folders(name)
        )

    def _others(self, name: str, owner: str) -> bool:
        return self._files.get(name, owner) != owner or bool(self._folders.get(name, set()) - {owner})


def _folders(name: str) -> list[str]:
    return [folded_name(str(parent)) for parent in PurePosixPath(name).parents][:-1]


def assigned(items: Iterable[Input], names: Callable[[Input, str], Sequence[str]], taken: TakenNames) -> dict[str, str]:
    """Return, by the key of each input, what its results are called, without an ending.

    Where two inputs would have the same file, both are named with more of what tells them from each other.

    names: returns the files that an input would have under a name.
    taken: the names that others have; those that are assigned are added.
    """
    found: dict[str, str] = {}
    waiting = {item.key: (item, _candidates(item)) for item in items}
    while waiting:
        tried = {key: next(candidates) for key, (_, candidates) in waiting.items()}
        wanted = {key: names(waiting[key][0], name) for key, name in tried.items()}
        for key in wanted.keys() - _clashing(wanted, taken):
            taken.add(wanted[key], key)
            found[key] = tried[key]
            del waiting[key]
    return found


def _clashing(wanted: Mapping[str, Sequence[str]], taken: TakenNames) -> set[str]:
    """Return the keys of those whose names are taken, or are wanted by another one too."""
    files: dict[str, set[str]] = {}
    folders: dict[str, set[str]] = {}
    for key, names in wanted.items():
        for name in names:
            files.setdefault(folded_name(name), set()).add(key)
            for folder in _folders(name):
                folders.setdefault(folder, set()).add(key)
    clashing = {key for key, names in wanted.items() if taken.has(names, key)}
    for name, keys in files.items():
        every = keys | folders.get(name, set())
        if len(every) > 1:
            clashing |= every
    return clashing


def _candidates(item: Input) -> Iterator[str]:
    """Yield what the results of an input may be called, the shortest name first, and in the end one of its own."""
    path = PurePosixPath(item.name)
    stem = path.stem.encode()[: _LONGEST // 4].decode(errors="ignore")
    mark = hashlib.sha256(item.key.encode()).hexdigest()
    if len(path.name.encode()) <= _LONGEST:
        yield str(path.with_name(path.stem))
        yield str(path)
        folders = PurePosixPath(shown(item.path.parent.resolve().as_posix())).parts[1:]
        for count in range(len(path.parts), len(folders) + 1):
            yield str(PurePosixPath(*folders[-count:], path.stem))
    yield str(path.with_name(f"{stem}-{mark[:12]}"))
    yield f"{stem}-{mark}"


class BlockedError(OutputError):
    """Something in the output folder is in the place of a file that is to be written, and is not ours to remove."""

    code = "output.blocked"


@dataclass
class OutputFolder:
    """The output folder, where files are reached by their names, such as ``mon/game.html``."""

    root: Path
    removed: list[str] = field(default_factory=list)

    @classmethod
    def made(cls, path: Path) -> OutputFolder:
        """Return a folder, which is made if it is not there; raise OutputError where that is impossible."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            return cls(path.resolve())
        except OSError as error:
            raise OutputError(
                f"the folder cannot be made: {error.strerror}", file=str(path), code=code_of_writing(error)
            ) from None

    def clear(self) -> None:
        """Remove the half-written files that a killed run left beside their places."""
        for path in self.root.rglob(f".*{PARTIAL}"):
            if path.is_file() or path.is_symlink():
                with _errors("removed", path):
                    path.unlink(missing_ok=True)

    def blocked(self, name: str) -> str:
        """Return what is in the place of a file, or of a folder that it is in, so that it cannot be written; or ''."""
        path = self.root
        for part in PurePosixPath(name).parts[:-1]:
            path = path / part
            if path.is_symlink():
                return f"{path} is a link"
            if path.exists() and not path.is_dir():
                return f"{path} is not a folder"
        path = path / PurePosixPath(name).name
        return f"{path} is not a file" if not path.is_symlink() and path.exists() and not path.is_file() else ""

    def refuse_blocked(self, names: Iterable[str]) -> None:
        """Raise BlockedError for names whose places are taken by something else than a file."""
        for what in filter(None, map(self.blocked, names)):
            raise BlockedError(f"its results cannot be written: {what}", hint="remove it, or write to another folder")

    def put(self, name: str, data: bytes) -> str:
        """Write a file, whole or not at all, in the place of a link too; return its SHA-256.

        Raises OutputError where that is impossible.
        """
        with self._writing(name) as file:
            file.write(data)
        return hashlib.sha256(data).hexdigest()

    def copy(self, name: str, path: Path) -> str | None:
        """Write a copy of another file like :meth:`put`; return its SHA-256, None where it cannot be opened."""
        try:
            source = path.open("rb")
        except OSError:  # it is gone, or not for us to read
            return None
        with source, self._writing(name) as file:
            shutil.copyfileobj(source, file)
        return self.sha256(name)

    @contextmanager
    def _writing(self, name: str) -> Iterator[IO[bytes]]:
        path = self.root / name
        what = self.blocked(name)
        if what:
            raise OutputError(f"it cannot be written: {what}", file=str(path), code="output.blocked")
        with _errors("written", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_symlink():
                path.open("ab").close()  # to rename would pass over its protection
            with whole(path) as file:
                yield file

    def sha256(self, name: str) -> str | None:
        """Return the SHA-256 of a file; None where there is none, where it is a link, and where it cannot be read."""
        path = self.root / name
        if self.blocked(name):
            return None
        try:
            descriptor = os.open(path, os.O_RDONLY | _NO_LINKS)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None

    def has(self, name: str) -> bool:
        """Return whether there is something by this name."""
        return os.path.lexists(self.root / name)

    def remove(self, name: str, sha256: str) -> bool:
        """Remove a file of this content, and the folders that it leaves empty; return whether it is gone.

        Another content is somebody else's, and stays.
        """
        path = self.root / name
        if self.blocked(name):
            return False
        if not self.has(name):
            return True
        if self.sha256(name) != sha256:
            return False
        with _errors("removed", path):
            path.unlink()
        self.removed.append(name)
        for parent in path.parents:
            if parent == self.root or any(parent.iterdir()):
                break
            parent.rmdir()
        return True


@contextmanager
def _errors(done: str, path: Path) -> Iterator[None]:
    """Raise OutputError that names the file where it cannot be written or removed."""
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"it cannot be {done}: {error.strerror}", file=str(path), code=code_of_writing(error)
        ) from None


@contextmanager
def folder_held(path: Path, held: str = "") -> Iterator[None]:
    """Hold the lock of a folder, a file that stays empty; OutputError, which may say who holds it, where that fails."""
    with closing(_lock(path, held)):
        yield


def _lock(path: Path, held: str) -> sqlite3.Connection:
    try:
        return locked(path)
    except sqlite3.Error as error:
        refuse_busy(error, path.parent, held)
        raise OutputError(f"it cannot be written to: {error}", file=str(path.parent)) from None


def locked(path: Path) -> sqlite3.Connection:
    """Return the lock of a folder, which is held until it is closed; sqlite3.Error where that is impossible."""
    lock = sqlite3.connect(path, timeout=0)
    lock.execute("PRAGMA journal_mode=MEMORY")  # or a file would be there beside
    lock.execute("BEGIN EXCLUSIVE")
    return lock


def refuse_busy(error: sqlite3.Error, folder: Path, held: str = "") -> None:
    """Raise OutputError if an error says that another run is at work in a folder.

    held: the message, '' for the usual one.
    """
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
        what = held or "another run is at work in this folder"
        raise OutputError(what, file=str(folder), code="again.locked") from None
