"""What ``-h`` shows of a command: what it does, an example, and the options that most people need."""

from __future__ import annotations

from inspect import cleandoc

import click

_FEW = 12
"""A command with no more options than that shows them all."""

_MOST = frozenset(
    {
        *("--output", "--to", "--from", "--settings", "--players", "--strict", "--index", "--watch", "--jobs"),
        *("--event", "--date", "--rating", "--movement", "--tables", "--boards", "--strata", "--limit", "--rulebook"),
        *("--need", "--entries", "--site", "--dry-run", "--sort"),
    }
)
"""The options that most people need, of commands that have many."""


def add_brief_help(command: click.Command) -> None:
    """Let ``-h`` show less than ``--help`` does, of a group's commands, too, unless it does so already."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            add_brief_help(each)
        return
    if any("-h" in option.opts for option in command.params):
        return
    option = click.Option(
        ["-h"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show,
        help="Show what most people need; --help shows all.",
    )
    command.params.append(option)


def _show(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    command = context.command
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    what, *others = cleandoc(command.help or "").split("\n\n")
    for text in [what, *(text for text in others if text.startswith("\b\nExample"))]:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)
    options = [each for each in command.get_params(context) if isinstance(each, click.Option) and not each.hidden]
    shown = [each for each in options if len(options) <= _FEW or not _MOST.isdisjoint(each.opts)]
    with formatter.section("Options"):
        formatter.write_dl([record for each in shown if (record := each.get_help_record(context))])
    if more := len(options) - len(shown):
        formatter.write_paragraph()
        formatter.write_text(f"{more} more options, and all that goes with them: {context.command_path} --help")
    click.echo(formatter.getvalue().rstrip())
    context.exit()
