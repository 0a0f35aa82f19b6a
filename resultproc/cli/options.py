"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from resultproc.errors import FormatError
from resultproc.formats import named, names
from resultproc.game import KEYS

if TYPE_CHECKING:
    from resultproc.frames import Result

Command = Callable[..., Any]


def game_keys(command: Command) -> Command:
    """Add an option for every game key: ``--tables 9``."""
    for key in reversed(list(KEYS.values())):
        name = key.name.replace("_", "-")
        flags = [f"--{name}", "--rules"] if key.name == "rulebook" else [f"--{name}"]
        help_text = f"{key.meaning}, e.g. {key.example}"
        command = click.option(*flags, key.name, metavar="VALUE", help=help_text)(command)
    return command


def reading(command: Command) -> Command:
    """Add the option that names the input's format."""
    choice = click.Choice(names("readers"))
    return click.option("--from", "format_", type=choice, help="The input's format; its content tells it otherwise.")(
        command
    )


def writing(command: Command) -> Command:
    """Add the options that say where to write and in which format."""
    command = click.option("--to", type=click.Choice(names("writers")), help="The format to write.")(command)
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--output", type=path, help="Write to this file; its ending picks the format.")(command)


def deliver(result: Result, output: Path | None, to: str | None) -> None:
    """Write a result to the file, or in the format (text) to standard output."""
    if output is not None:
        from resultproc.writers import write

        write(result, output, format=to)
        return
    data: bytes = named("writers", to or "text").write(result)
    if to == "xlsx" and sys.stdout.isatty():
        raise FormatError("an Excel file is not for the screen", hint="write it with -o sheet.xlsx")
    stream: Any = click.get_binary_stream("stdout")
    stream.write(data)
    stream.flush()
