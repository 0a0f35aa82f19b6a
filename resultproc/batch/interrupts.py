"""Ctrl-C while several processes work: the first one hears it, and has the others stop."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Let the processes that are started meanwhile pass over Ctrl-C: this one hears it, and has them stop."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
