"""resultproc: duplicate bridge results, read, ranked and awarded masterpoints under the rulebook in force.

The public interface mirrors the command line::

    games, contestants = resultproc.read("game.csv")
    result = resultproc.process("game.csv")
    resultproc.write(result, "sheet.xlsx")

Everything is imported on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from resultproc.awarding import award
    from resultproc.errors import InputError, ResultprocError
    from resultproc.frames import Result, Sheet
    from resultproc.pipeline import award_sheet, process, process_event
    from resultproc.ranking import complete, rank
    from resultproc.readers import read
    from resultproc.writers import write

__all__ = [
    "InputError",
    "Result",
    "ResultprocError",
    "Sheet",
    "award",
    "award_sheet",
    "complete",
    "process",
    "process_event",
    "rank",
    "read",
    "write",
]

_HOMES = {
    "InputError": "errors",
    "Result": "frames",
    "ResultprocError": "errors",
    "Sheet": "frames",
    "award": "awarding",
    "award_sheet": "pipeline",
    "complete": "ranking",
    "process": "pipeline",
    "process_event": "pipeline",
    "rank": "ranking",
    "read": "readers",
    "write": "writers",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'resultproc' has no attribute '{name}'")
    return getattr(import_module(f"resultproc.{_HOMES[name]}"), name)
