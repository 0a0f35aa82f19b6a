"""Frames to files. One module per format, the mirror of the readers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING
from uuid import uuid4

from resultproc.formats.registry import Writer, writer_for
from resultproc.model.codes import code_of_writing
from resultproc.model.errors import OutputError
from resultproc.model.plugins import named

if TYPE_CHECKING:
    from resultproc.model.frames import Result


PARTIAL = ".resultproc-partial"
"""How the name of a file ends that is not yet written whole."""


Writable = str | bytes | os.PathLike[str] | os.PathLike[bytes] | IO[bytes] | IO[str]
"""Where can be written to: the path of a file, as text or as the bytes that a system has, or a file that is open."""


def write(result: Result, path: Writable, *, format: str | None = None) -> None:
    """Write games to a file, whole or not at all, or to one that is open.

    result: what was read, or read and awarded. path: its extension picks the format, unless ``format`` names one; so
    does that of an open file. ``io.BytesIO()`` and ``io.StringIO()`` take the content without a file, and ``format``
    is then needed. An open file is left open.
    Raises FormatError for an unknown format, OutputError where the file cannot be written.
    """
    if isinstance(path, str | bytes | os.PathLike):
        file = Path(os.fsdecode(path))
        write_bytes(file, _writer(file, format).write(result))
    else:
        _write_into(path, _writer(Path(_name_of(path)), format).write(result))


def _writer(path: Path, format: str | None) -> Writer:
    writer: Writer = named("writers", format) if format else writer_for(path)
    return writer


def _name_of(file: IO[bytes] | IO[str]) -> str:
    name = getattr(file, "name", "")
    return name if isinstance(name, str) else ""


def _write_into(file: IO[bytes] | IO[str], data: bytes) -> None:
    """Write to a file that is open, as text if it takes that."""
    try:
        if isinstance(file, TextIOBase):
            file.write(data.decode("utf-8"))
        else:
            file.write(data)  # type: ignore[arg-type]
    except UnicodeDecodeError:
        what, hint = "this format is no text, and the file is open for text", "open it for bytes"
        raise OutputError(what, hint=hint, file=_name_of(file), code="output.impossible") from None
    except OSError as error:
        what = f"it cannot be written: {error.strerror}"
        raise OutputError(what, file=_name_of(file), code=code_of_writing(error)) from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: beside its place first, then renamed to it.

    A link stays one, a device or pipe is written to as it is. Raises OutputError where that is impossible, and for a
    file that is write-protected.
    """
    try:
        if path.exists():
            # To rename would pass over the protection of a file, and put a file in the place of a device.
            with path.open("ab") as there:
                if not path.is_file():
                    there.write(data)
                    return
            path = path.resolve()
        with whole(path) as file:
            file.write(data)
    except OSError as error:
        raise OutputError(
            f"it cannot be written: {error.strerror}", file=str(path), code=code_of_writing(error)
        ) from None


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place once it is whole; nothing of it is left where that fails.

    A link in its place is replaced. Raises OSError where it cannot be written.
    """
    kept = _mode(path)
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


_BINARY = getattr(os, "O_BINARY", 0)


def _mode(path: Path) -> int | None:
    """Return the permissions of the file that is replaced, None where there is none."""
    return path.stat().st_mode & 0o777 if path.is_file() and not path.is_symlink() else None
