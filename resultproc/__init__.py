"""resultproc: duplicate bridge results, read, ranked and awarded masterpoints under the rulebook in force.

The public interface mirrors the command line::

    games, contestants = resultproc.read("game.csv")
    result = resultproc.process("game.csv")
    resultproc.write(result, "sheet.xlsx")

Everything is imported on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from resultproc.formats.read import read
    from resultproc.formats.write import write
    from resultproc.model.errors import (
        BlockedError,
        DeclarationError,
        FormatError,
        ImpossibleError,
        InputError,
        OutputError,
        PluginError,
        Problem,
        ResultprocError,
        RulebookError,
    )
    from resultproc.model.frames import AwardedResult, Result, Sheet
    from resultproc.model.source import Source
    from resultproc.reports.check import check
    from resultproc.reports.explain import explain
    from resultproc.reports.lint import lint
    from resultproc.stages.award import award
    from resultproc.stages.pipeline import award_sheet, complete, process, process_event, rank

__version__: str

__all__ = [
    "AwardedResult",
    "BlockedError",
    "DeclarationError",
    "FormatError",
    "ImpossibleError",
    "InputError",
    "OutputError",
    "PluginError",
    "Problem",
    "Result",
    "ResultprocError",
    "RulebookError",
    "Sheet",
    "Source",
    "award",
    "award_sheet",
    "check",
    "complete",
    "explain",
    "lint",
    "process",
    "process_event",
    "rank",
    "read",
    "write",
]

_HOMES = {
    **dict.fromkeys(("AwardedResult", "Result", "Sheet"), "model.frames"),
    **dict.fromkeys(("award_sheet", "complete", "process", "process_event", "rank"), "stages.pipeline"),
    "Source": "model.source",
    "award": "stages.award",
    "check": "reports.check",
    "explain": "reports.explain",
    "lint": "reports.lint",
    "read": "formats.read",
    "write": "formats.write",
}
"""Where each of them is, but for those of :mod:`resultproc.model.errors`."""


if not TYPE_CHECKING:  # a type checker that saw it would take a misspelt name for one that there is

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("resultproc.model.provenance").VERSION
        if name not in __all__:
            raise AttributeError(f"module 'resultproc' has no attribute '{name}'")
        return getattr(import_module(f"resultproc.{_HOMES.get(name, 'model.errors')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "__version__"])
