"""Frames to files. One module per format, the mirror of the readers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from resultproc.formats.registry import Writer, writer_for
from resultproc.model.codes import code_of
from resultproc.model.errors import OutputError
from resultproc.model.plugins import named

if TYPE_CHECKING:
    from resultproc.model.frames import Result


PARTIAL = ".resultproc-partial"
"""How the name of a file ends that is not yet written whole."""


def write(result: Result, path: str | Path, *, format: str | None = None) -> None:
    """Write games to a file, whole or not at all.

    result: what was read, or read and awarded. path: its extension picks the format, unless ``format`` names one.
    Raises FormatError for an unknown format, OutputError where the file cannot be written.
    """
    path = Path(path)
    writer: Writer = named("writers", format) if format else writer_for(path)
    write_bytes(path, writer.write(result))


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
        raise OutputError(f"it cannot be written: {error.strerror}", file=str(path), code=code_of(error)) from None


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place once it is whole; nothing of it is left where that fails.

    A link in its place is replaced. Raises OSError where it cannot be written.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=PARTIAL)
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.chmod(_mode(path))
        partial.replace(path)
    except BaseException:
        # Closing writes what is not yet written, and fails again on a full disk: it comes before this.
        partial.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those that a new file would get."""
    if path.is_file() and not path.is_symlink():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
