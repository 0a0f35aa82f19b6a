"""Files that are written: under names that any system takes, whole or not at all, and never through a link."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple
from uuid import uuid4

from resultproc.model.codes import code_of_writing
from resultproc.model.errors import BlockedError, OutputError

LONGEST_NAME = 200
"""The most bytes of a name: they leave room for what programs add, under the 255 that file systems take."""

_NOT_IN_NAMES = r'[/\\:*?"<>|∕⁄⧸⧹＼／：]'
"""What separates folders, on some system or to some eyes, or cannot be in the name of a file."""

_DEVICE = r"(?is)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?"
"""What Windows takes for a device, whatever follows after a point."""


def is_device(name: str) -> bool:
    """Return whether Windows would take a name for a device."""
    return re.fullmatch(_DEVICE, name) is not None


def safe_stem(text: str, ending: str) -> str:
    """Return a text as the name of a file, without its ending, that any system takes; '' where nothing remains."""
    text = clean_name(text).strip(" .-")
    text = "_" + text if is_device(text + ending) else text
    return text.encode()[: LONGEST_NAME - len(ending.encode())].decode(errors="ignore").rstrip(" .")


def clean_name(text: str) -> str:
    """Return a value without what cannot be in a name, or would turn its direction."""
    plain = re.sub(_NOT_IN_NAMES, "-", unicodedata.normalize("NFC", " ".join(text.split())))
    if plain.isascii() and plain.isprintable():  # of these signs all that are wrong have gone
        return plain.strip()
    return "".join(sign for sign in plain if not is_wrong_in_names(sign)).strip()


def is_wrong_in_names(sign: str) -> bool:
    """Return whether no name may have a sign in it: it separates, or is a control or nothing that is seen."""
    return bool(re.match(_NOT_IN_NAMES, sign)) or unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029"


PARTIAL = ".resultproc-partial"
"""How the name of a file ends that is not yet written whole."""


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: beside its place first, then renamed to it.

    A link stays one, a device or pipe is written to as it is. Raises OutputError where that is impossible, and for a
    file that is write-protected.
    """
    with output_errors("it cannot be written", path):
        if path.exists():
            # To rename would pass over the protection of a file, and put a file in the place of a device.
            with path.open("ab") as there:
                if not path.is_file():
                    there.write(data)
                    return
            path = path.resolve()
        with whole(path) as file:
            file.write(data)


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place once it is whole; nothing of it is left where that fails.

    A link in its place is replaced. Raises OSError where it cannot be written.
    """
    kept = path.stat().st_mode & 0o777 if path.is_file() and not path.is_symlink() else None
    partial = path.with_name(f".{uuid4().hex}{PARTIAL}")
    # The system takes from the permissions of a new file what the process lets nobody have.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666 if kept is None else kept)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if kept is not None:
            partial.chmod(kept)
        partial.replace(path)
    except BaseException:
        # Closing writes what is not yet written, and fails again on a full disk: it comes before this.
        partial.unlink(missing_ok=True)
        raise


def copy_whole(made: Path, path: Path) -> None:
    """Write a file that is made elsewhere, whole or not at all; raises OSError where it cannot be written."""
    with whole(path) as file, made.open("rb") as data:
        shutil.copyfileobj(data, file, 1024 * 1024)


_BINARY = getattr(os, "O_BINARY", 0)


def is_lock(name: str) -> bool:
    """Return whether a file says that somebody has the database or the workbook beside it open."""
    return name.lower().endswith((".ldb", ".laccdb")) or name.startswith("~$")


_NO_LINKS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""How files are opened where what is there may be a link or a pipe, on systems that can say so."""


def folded_name(name: str) -> str:
    """Return what two names have in common that some disk takes for the same."""
    parts = (name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()).split("/")
    return "/".join(part.rstrip(". ") for part in parts)


class Seen(NamedTuple):
    """A file that was looked into."""

    looks: str  # what the system says of it, see :func:`looks_of`
    sha256: str  # of its content
    made_of: str = ""  # what tells that of which it was made from any other, where that is known


def looks_of(path: Path | str) -> str:
    """Return what the system says of a file, which changes with its content: its size, times and number.

    Empty where there is none, for a link, and on a disk whose times are of whole seconds: a change may not show.
    """
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return ""
    coarse = found.st_mtime_ns % 10**9 == 0 and found.st_ctime_ns % 10**9 == 0
    if coarse or not stat.S_ISREG(found.st_mode):
        return ""
    return looks_in_words(found)


def looks_in_words(found: os.stat_result) -> str:
    """Return in one text what changes with a file's content."""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


@dataclass
class SeenFiles:
    """The files that runs have looked into: one that looks as it did then is as it was, and is not read again."""

    known: dict[str, Seen] = field(default_factory=dict)  # by their names
    asked: set[str] = field(default_factory=set)  # the names of those that this run has asked for
    same: set[str] = field(default_factory=set)  # of those that look as they did

    def of(self, name: str, path: Path | str) -> Seen | None:
        """Return what is known of a file, None where it looks otherwise than it did."""
        self.asked.add(name)
        seen = self.known.get(name)
        if seen and seen.looks and seen.looks == looks_of(path):
            self.same.add(name)
            return seen
        self.same.discard(name)
        return None

    def sha256(self, name: str, path: Path | str, read: Callable[[], str | None]) -> str | None:
        """Return the SHA-256 of a file, and remember it. read: what finds it, where it is not known."""
        if seen := self.of(name, path):
            return seen.sha256
        looks, sha256 = looks_of(path), read()
        if looks and sha256 and looks == looks_of(path):
            self.known[name] = Seen(looks, sha256)
        return sha256


@dataclass
class OutputFolder:
    """The output folder, where files are reached by their names, such as ``mon/game.html``."""

    root: Path
    removed: list[str] = field(default_factory=list)  # the names of those that were
    seen: SeenFiles = field(default_factory=SeenFiles)  # the files that were looked into

    @classmethod
    def made(cls, path: Path) -> OutputFolder:
        """Return a folder, which is made if it is not there; raise OutputError where that is impossible."""
        with output_errors("the folder cannot be made", path):
            path.mkdir(parents=True, exist_ok=True)
            return cls(path.resolve())

    def clear(self) -> None:
        """Remove the half-written files that a killed run left beside their places."""
        for path in self.root.rglob(f".*{PARTIAL}"):
            if path.is_file() or path.is_symlink():
                with output_errors("it cannot be removed", path):
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
        sha256 = hashlib.sha256(data).hexdigest()
        self.seen.asked.add(name)
        self.seen.known[name] = Seen(looks_of(self.root / name), sha256)
        return sha256

    def is_made_of(self, name: str, made_of: str) -> bool:
        """Return whether a file is as it was when it was made of this."""
        seen = self.seen.known.get(name)
        return seen is not None and seen.made_of == made_of and self.was_same(name)

    def was_same(self, name: str) -> bool:
        """Return whether a file looks as it did when it was last looked into, or has done so in this run."""
        return name in self.seen.same or self.seen.of(name, self.path_of(name)) is not None

    def path_of(self, name: str) -> str:
        """Return where a file is, as a text: a path for each of ten thousand takes long."""
        return os.path.join(self.root, name)  # noqa: PTH118

    def note_made_of(self, name: str, made_of: str) -> None:
        """Remember what a file that was just written, or looked into, is made of."""
        if seen := self.seen.known.get(name):
            self.seen.known[name] = seen._replace(made_of=made_of)

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
        with output_errors("it cannot be written", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_symlink():
                path.open("ab").close()  # to rename would pass over its protection
            with whole(path) as file:
                yield file

    def sha256(self, name: str) -> str | None:
        """Return the SHA-256 of a file; None where there is none, where it is a link, and where it cannot be read."""
        return self.seen.sha256(name, self.path_of(name), lambda: self._sha256(name))

    def _sha256(self, name: str) -> str | None:
        if self.blocked(name):
            return None
        try:
            descriptor = os.open(self.path_of(name), os.O_RDONLY | _NO_LINKS)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None

    def has(self, name: str) -> bool:
        """Return whether there is something by this name."""
        return os.path.lexists(self.path_of(name))

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
        with output_errors("it cannot be removed", path):
            path.unlink()
        self.removed.append(name)
        self.seen.same.discard(name)
        for parent in path.parents:
            if parent == self.root or any(parent.iterdir()):
                break
            parent.rmdir()
        return True


@contextmanager
def output_errors(what: str, path: Path | str) -> Iterator[None]:
    """Raise OutputError for what the system says of a file or folder. what: what cannot be done."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{what}: {error.strerror or error}", file=str(path), code=code_of_writing(error)) from None
