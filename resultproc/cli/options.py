"""Options that several commands share, and where commands leave what they made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from resultproc.formats.registry import Writer, writer_for
from resultproc.model.errors import FormatError, Problem
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.plugins import named, names

if TYPE_CHECKING:
    from resultproc.model.frames import Result

Command = Callable[..., Any]


def keys(*wanted: str) -> Callable[[Command], Command]:
    """Return the decorator that adds an option for some game keys: ``--tables 9``."""

    def decorate(command: Command) -> Command:
        for key in (KEYS[name] for name in reversed(wanted)):
            name = key.name.replace("_", "-")
            flags = [f"--{name}", "--rules"] if key.name == "rulebook" else [f"--{name}"]
            help_text = f"{key.meaning}, e.g. {key.example}"
            option = click.option(*flags, key.name, metavar="VALUE", help=help_text, callback=_canonical)
            command = option(command)
        return command

    return decorate


game_keys = keys(*KEYS)
"""Add an option for every game key."""


def _canonical(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Return a game key's value in its canonical spelling; one that cannot be read is wrong usage."""
    if value is None:
        return None
    try:
        return declared_value(str(option.name), value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from None


def reading(command: Command) -> Command:
    """Add the option that names the input's format."""
    choice = click.Choice(names("readers"))
    return click.option(
        "--from", "format_", type=choice, help="The input's format; by default it is recognised by its content."
    )(command)


results_file = click.Path(readable=False, path_type=Path)
"""A file to read. A missing or unreadable one is a fault of the input, not wrong usage: reading it says so."""


file_to_write = click.Path(dir_okay=False, readable=False, path_type=Path)
"""A file to write."""


def output(command: Command) -> Command:
    """Add the option that says where to write."""
    help_text = "Write to this file; its extension picks the format."
    return click.option("-o", "--output", type=file_to_write, help=help_text)(command)


def writing(command: Command) -> Command:
    """Add the options that say where to write and in which format."""
    return output(click.option("--to", type=click.Choice(names("writers")), help="The format to write.")(command))


def format_to_write(
    output: Path | None, to: str | None, inputs: Iterable[Path] = (), formats: Iterable[str] = ()
) -> str:
    """Return the name of the format to write, before anything is read: as asked for, or by the output's ending.

    formats: those that the command writes, every one where none is named.
    Raises click.UsageError for an ending that tells no format, and like :func:`refuse`.
    """
    if to is None and output is not None:
        try:
            writer = writer_for(output, formats)
        except FormatError as error:
            raise click.UsageError(str(error)) from None
        to = writer.name
    refuse(output, to or "text", inputs)
    return to or "text"


def refuse(output: Path | None, to: str, inputs: Iterable[Path] = ()) -> None:
    """Refuse, as wrong usage, an output that is one of the inputs, and a workbook for the screen."""
    if output is None:
        if to == "xlsx" and sys.stdout.isatty():
            raise click.UsageError("an Excel file cannot be shown on the screen; write it with -o sheet.xlsx")
        return
    for path in inputs:
        for source in (path, path.with_suffix(".toml")):
            if output.exists() and source.exists() and output.samefile(source):
                raise click.UsageError(f"'{output}' is one of the inputs; write to another file")


def strictness(command: Command) -> Command:
    """Add the option that takes remarks for errors."""
    help_text = "Treat remarks as errors: a doubtful file is not awarded or written."
    return click.option("--strict", is_flag=True, help=help_text)(command)


def doubting(command: Command) -> Command:
    """Add the options of what becomes of remarks: whether they are errors, and whether pages show them."""
    help_text = "List the remarks on web pages, or not; by default they are listed."
    return strictness(click.option("--remarks/--no-remarks", "shown", default=True, help=help_text)(command))


@dataclass(frozen=True)
class Doubting:
    """What becomes of remarks. strict: they are errors. shown: pages list them."""

    strict: bool
    shown: bool


def deliver(
    result: Result,
    output: Path | None,
    to: str,
    inputs: Sequence[Path],
    format_: str | None,
    doubting: Doubting,
    *,
    one_event: bool = False,
    screen: bool = False,
) -> None:
    """Write a result, read from these inputs, to the file or to standard output.

    one_event: the inputs are the sessions of one event. screen: it is for somebody to look at, not for a program.
    """
    writer: Writer = named("writers", to)
    if writer.boards:
        from resultproc.stages.pipeline import with_boards

        result = with_boards(result, inputs, format_, one_event=one_event)
    remark_on(result.remarks, strict=doubting.strict)
    if writer.page and not doubting.shown:
        result = replace(result, remarks=())
    written = writer.screen if screen and output is None and writer.screen else writer.write
    deliver_bytes(written(result), output)


def remark_on(remarks: Iterable[Problem], *, strict: bool = False) -> None:
    """Tell on standard error what is doubtful, each once; of very many the first. strict: raise InputError instead."""
    from resultproc.model.errors import quoted
    from resultproc.model.remarks import refuse

    if strict:
        refuse(remarks)
    for remark in quoted(remarks):
        click.echo(f"remark: {remark}", err=True)


def deliver_bytes(data: bytes, output: Path | None) -> None:
    """Write what was made to the file, whole or not at all, or to standard output."""
    if output is not None:
        from resultproc.formats.write import write_bytes

        write_bytes(output, data)
        return
    click.echo(data, nl=False)
