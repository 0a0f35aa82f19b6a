"""What commands tell on standard error: errors, remarks and how it went, for people or, a JSON object a line, for
programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import click

from resultproc.model.errors import Problem, quoted

_MOST = 25
"""At most so many lines are shown to people for a file that is wrong throughout."""

ERROR, REMARK, INFO = "error", "remark", "info"


@dataclass
class Style:
    """How it is told: for programs, and with the time."""

    for_programs: bool = False
    timed: bool = False


STYLE = Style()
"""The style of this run of the command line."""


def option(command: click.Command) -> None:
    """Give a command, and those in its group, the option that says how errors are told."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            option(each)
    elif not any(each.name == "errors" for each in command.params):
        choice = click.Choice(["text", "json"])
        help_text = "How to tell errors and remarks: as text, or as JSON with one object a line."
        command.params.append(click.Option(["--errors"], type=choice, expose_value=False, help=help_text))


def asked_for(arguments: Sequence[str]) -> Style:
    """Return the style that a command line asks for; it holds for what is wrong with the command line, too."""
    plain = [argument.replace("=", " ") for argument in arguments]
    pairs = [*plain, *(" ".join(pair) for pair in pairwise(plain))]
    timed = "--log json" in pairs
    return Style(timed or "--errors json" in pairs, timed)


def say(problems: Iterable[Problem], severity: str = ERROR) -> None:
    """Tell problems; of very many the first."""
    told = quoted(problems, "remarks" if severity == REMARK else "problems")
    if STYLE.for_programs:
        for problem in told:
            _object(problem, severity)
        return
    lines = [f"{severity}: {problem}" if severity == REMARK else str(problem) for problem in told]
    more = len(lines) - _MOST
    if lines:
        click.echo("\n".join([*lines[:_MOST], f"... and {more} more"] if more > 0 else lines), err=True)


def tell(text: str, severity: str = INFO, code: str = "") -> None:
    """Tell how it went, or what is wrong that has no place in a file, with its code."""
    if STYLE.for_programs:
        _object(Problem(text, code=code), severity)
    else:
        click.echo(text, err=True)


def remark_on(remarks: Iterable[Problem], *, strict: bool = False) -> None:
    """Tell what is doubtful, each once. strict: raise InputError instead."""
    from resultproc.model.remarks import refuse

    if strict:
        refuse(remarks)
    say(remarks, REMARK)


def _object(problem: Problem, severity: str) -> None:
    import json

    entry: dict[str, Any] = {name: asdict(problem)[name] for name in ("file", "where", "what", "hint")}
    if problem.code:
        entry["code"] = problem.code
    entry["severity"] = severity
    if STYLE.timed:
        from datetime import UTC, datetime

        entry = {"time": datetime.now(UTC).isoformat(timespec="seconds"), **entry}
    click.echo(json.dumps(entry, ensure_ascii=False), err=True)
