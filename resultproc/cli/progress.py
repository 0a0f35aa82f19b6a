"""How far a long command is, shown on a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from resultproc.cli import messages

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


class Bar:
    """A progress bar as wide as the terminal, nothing elsewhere: what is done of how much, the time left, the rate.

    A context manager that ends its line. Called with how much is done and how much there is, and what else to say.
    The clock runs from the first call, which is made before anything is done.
    """

    def __init__(self, unit: str) -> None:
        """Make a bar that counts in a unit, such as files."""
        self._unit = unit
        self._bar: ProgressBar[str] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, done: int, total: int, text: str = "") -> None:
        """Show how far it is."""
        if not total or not sys.stderr.isatty() or messages.STYLE.for_programs:
            return
        if self._bar is None:
            self._start = time.monotonic()
            self._bar = click.progressbar(length=total, width=0, file=sys.stderr, show_pos=True, item_show_func=_shown)
            self._bar.render_progress()
        rate = done / max(time.monotonic() - self._start, 0.001)
        shown = f"{rate:.0f}" if rate >= 10 else f"{rate:.1f}"
        self._bar.update(done - self._bar.pos, ", ".join(filter(None, (text, f"{shown} {self._unit}/s"))))


def _shown(text: str | None) -> str | None:
    return text
