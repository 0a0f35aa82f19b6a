"""What an archive keeps of what it was asked, as Parquet files beside what its games are awarded.

Nothing here is needed: it can be worked out again at any time, and is where it is missing, damaged, or of other games.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

from resultproc.archive.store import Store
from resultproc.model.errors import InputError, OutputError

KEPT = "awarded"
"""The folder in an archive that has what its games are awarded under the rules of their days: a folder for each
program and rulebooks that awarded them, with what a run writes of each part; and who is who.
"""


def state_of(said: object) -> str:
    """Return what tells something from others."""
    return sha256(repr(said).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Kept:
    """Tables that all follow from one state."""

    # The folder of such tables in an archive; None where nothing can be kept there, and tables are only held on the
    # disk of this machine for as long as this is.
    store: Store | None
    # What tells all that they are made from; those of another one are forgotten when nobody has used them for an hour.
    state: str

    @cached_property
    def folder(self) -> Path:
        """A folder of this machine for what is not in the archive."""
        folder = mkdtemp(prefix="resultproc-")
        finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder).resolve()

    def file(self, name: str, write: Callable[[Path], None] | None = None) -> Path | None:
        """Return the file of a table; one that is missing or damaged is written, or None where nothing can do that."""
        if held := next(self.folder.glob(f"{name}-*"), None) or self._there(name):
            return held
        if not write:
            return None
        made = self.folder / f"{name}-"
        write(made)
        if self.store:
            with suppress(OutputError):
                self.store.write_file(f"{self.state}/{name}-{_content(made)}.parquet", made)
                self.store.forget(lambda path: f"/{self.state}/" in path, timedelta(hours=1))
        return made

    def _there(self, name: str) -> Path | None:
        if not self.store:
            return None
        for found in self.store.names(self.state, ".parquet"):
            if found.startswith(f"{name}-"):
                with suppress(InputError, OSError):  # somebody may have removed it meanwhile
                    path = self.store.on_disk(f"{self.state}/{found}", self.folder / f".{found}")
                    with suppress(OSError):  # it may be another user's
                        os.utime(path)
                    if _content(path) in found:
                        return path
        return None


def _content(path: Path) -> str:
    with path.open("rb") as data:
        return file_digest(data, "sha256").hexdigest()[:32]
