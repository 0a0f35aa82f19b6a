"""What becomes of memory that arrays no longer need: kept for the next ones, where that can be asked for."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""What glibc's mallopt can set: how much freed memory a process keeps, and which arrays it asks the system for."""

_LARGEST_KEPT = 32 * 2**20
"""Arrays up to so many bytes are kept; glibc allows no more."""

_KEPT = 2**30
"""So many bytes at most."""


@cache
def keep_freed_memory() -> None:
    """Let this process keep the memory that its arrays give back, once and for all.

    Else it goes back to the system after each of the thousands of arrays of a part, which clears it again, page by
    page, for the next one. Only glibc can be asked for that.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)
    mallopt(_TRIM_THRESHOLD, _KEPT)
