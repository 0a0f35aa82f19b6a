"""What one file may take of memory and time, in a process that the system ends where a file takes more.

A reader that does not come to an end, or fills the memory in a library of its own, cannot be stopped by the process
that it runs in. So files are read in processes of their own (:mod:`resultproc.model.work`), which count anew for each.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import IO

from resultproc.model.codes import TOO_MUCH
from resultproc.model.errors import InputError

if sys.platform != "win32":
    import resource

MOST_MEGABYTES, MOST_SECONDS = 1000, 20
"""What a file may take by default. The largest real file at hand, of 330 KB, takes 45 MB and 0.4 s: this is more than
ten times that, also where a machine is several times slower.
"""

_MEGABYTE = 2**20
_WAITING = 10
"""A process is ended that is at one file for this many times its seconds, as one that waits for something does."""

_OF_A_BYTE = 100
"""Where the system bounds no memory, a file is refused that has more than a hundredth of what it may take."""

_LINUX = Path("/proc/self/statm")
"""Where Linux says what memory a process has: the sixth number is of its data, in pages."""


@dataclass(frozen=True)
class FileLimits:
    """What a file may take."""

    megabytes: int = MOST_MEGABYTES  # of memory, beyond what the program itself has
    seconds: int = MOST_SECONDS  # of a processor

    @property
    def as_list(self) -> list[int]:
        """The same as JSON has it."""
        return [self.megabytes, self.seconds]

    @property
    def passed(self) -> InputError:
        """The error of a file that takes more, or that ends its process."""
        what = f"reading it takes more than {self.seconds} s or {self.megabytes} MB, or ends the program that reads it"
        return InputError(what, hint=_HINT, code=TOO_MUCH)

    def keep(self) -> None:
        """Let this process keep them, which is one for reading files."""
        global _kept
        _kept = self
        faulthandler.disable()  # what it, or a library, says of the end of this process is for no user
        os.dup2(_nowhere().fileno(), 2)
        if sys.platform != "win32":
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a process that is ended leaves nothing behind
        if arrow := sys.modules.get("pyarrow"):
            arrow.array([""])  # with its first array it reserves a gigabyte of addresses, which is no file's

    def _begin(self) -> None:
        global _counted_from
        _counted_from = process_time()
        if sys.platform == "win32":
            faulthandler.dump_traceback_later(self.seconds, exit=True, file=_nowhere())
            return
        faulthandler.dump_traceback_later(self.seconds * _WAITING, exit=True, file=_nowhere())
        _lower(resource.RLIMIT_CPU, int(_counted_from) + 1 + self.seconds)
        _bound_memory(self.megabytes)


_HINT = "if it is a results file, allow it more with --limit-seconds and --limit-memory"

_kept: FileLimits | None = None
"""Those of this process; None where it reads files as it pleases."""

_counted_from: float | None = None
"""The time of a processor that this process had taken when it last counted anew; None where nothing is counted."""

_OF_THE_TIME = 0.1
"""To count anew takes longer than to read a small file. So files that take no more than this share of the time together
are counted as one: what is left is enough for any.
"""


@contextmanager
def for_one_file(size: int = 0) -> Iterator[None]:
    """Give what is done with a file, or with some together, memory and time of its own, where this process has limits.

    size: how many bytes the file has. Raises InputError where it takes more, unless the system ends the process.
    """
    limits = _kept
    if limits is None:
        yield
        return
    if not _LINUX.exists() and size * _OF_A_BYTE > limits.megabytes * _MEGABYTE:
        raise limits.passed  # as the system does not bound what it takes
    if _counted_from is None or process_time() - _counted_from > limits.seconds * _OF_THE_TIME:
        limits._begin()
    try:
        yield
    except (MemoryError, SystemExit):
        raise limits.passed from None


def at_rest() -> None:
    """Let this process wait for more to do as long as it takes."""
    global _counted_from
    _counted_from = None
    faulthandler.cancel_dump_traceback_later()


@cache
def _nowhere() -> IO[str]:
    """Return what takes the traceback of a process that is ended: nobody reads it."""
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open as long as the process


@contextmanager
def memory_bounded(megabytes: int) -> Iterator[None]:
    """Let this process take so much more memory and no more for now, where the system can hold it to that."""
    if sys.platform == "win32":
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    _bound_memory(megabytes)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


if sys.platform != "win32":

    def _bound_memory(megabytes: int) -> None:
        if _LINUX.exists():
            pages = int(_LINUX.read_text().split()[5])
            _lower(resource.RLIMIT_DATA, pages * resource.getpagesize() + megabytes * _MEGABYTE)

    def _lower(what: int, most: int) -> None:
        """Have the system refuse this process more of something, or end it where it takes that."""
        _, hard = resource.getrlimit(what)
        with suppress(ValueError, OSError):  # macOS does not take every one
            resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
