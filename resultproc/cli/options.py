"""Options that several commands share.

What ``-h`` shows of a command: what it does, an example, and the options that most people need.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from inspect import cleandoc
from typing import Any

import click

from resultproc.model.dates import moment
from resultproc.model.errors import Problem
from resultproc.model.file_limits import MOST_MEGABYTES, MOST_SECONDS, FileLimits
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.plugins import names

Command = Callable[..., Any]

_LONGEST = 10**6
"""More seconds than anybody waits for an answer, and fewer than the system can count."""


def example(*lines: str, of: str = ", from the project's folder", after: str = "") -> Callable[[Command], Command]:
    """Return what ends the help of a command with examples, each without 'resultproc'.

    of: what is said of them. after: the command that makes what they take, if that is all to say.
    """

    def decorate(command: Command) -> Command:
        said = f", after 'resultproc {after}'" if after else of
        shown = "".join(f"\n  resultproc {line}" for line in lines)
        command.__doc__ = f"{cleandoc(command.__doc__ or '')}\n\n\b\nExample{'s' * (len(lines) > 1)}{said}:{shown}"
        return command

    return decorate


def keys(*wanted: str) -> Callable[[Command], Command]:
    """Return the decorator that adds an option for some game keys: ``--tables 9``."""

    def decorate(command: Command) -> Command:
        for key in (KEYS[name] for name in reversed(wanted)):
            name = key.name.replace("_", "-")
            flags = [f"--{name}", "--rules"] if key.name == "rulebook" else [f"--{name}"]
            help_text = f"{key.meaning}, e.g. {key.example}"
            option = click.option(
                *flags, key.name, metavar="VALUE", help=help_text, callback=_canonical, shell_complete=_words
            )
            command = option(command)
        return command

    return decorate


game_key_options = keys(*KEYS)
"""Add an option for every game key."""


def _words(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Return the words of a game key that begin so, for the shell to complete."""
    words = names("rulebooks") if option.name == "rulebook" else KEYS[str(option.name)].words
    return [word for word in words if word.startswith(begun)]


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
    settings = click.option(
        "--settings", metavar="FILE", help="Your club's settings; by default resultproc.toml in the input's folder."
    )
    return click.option(
        "--from", "format", type=choice, help="The input's format; by default it is recognised by its content."
    )(settings(command))


_LIST = "A list of your players, CSV or workbook: number, name, holding; by default the one of your settings."
knowing_players = click.option("--players", metavar="FILE", help=_LIST)


def knowing_deals(command: Command) -> Command:
    """Add the option that names the file of the hands; those of several games are not in one file."""

    @wraps(command)
    def of_one(**given: Any) -> Any:
        params = click.get_current_context().command.params
        named = [given[str(each.name)] for each in params if isinstance(each, click.Argument)]
        if given["deals"] and any(isinstance(each, tuple) and len(each) > 1 for each in named):
            hint = 'write deals = "tonight.pbn" into the TOML file beside each'
            raise click.UsageError(f"--deals goes with one game; {hint}")
        return command(**given)

    help_text = "The hands of one game, as PBN, LIN or DLM; by default those that 'deals' in its TOML file names."
    return click.option("--deals", metavar="FILE", help=help_text)(of_one)


_MAKEABLE = "Work out what can be made with the hands, and par, where no file says it, for pages, JSON and PBN."
analysing = click.option("--makeable", is_flag=True, help=_MAKEABLE)

_RESCORE = "Score the boards here, in place of the totals that the file prints; a remark says which differ."
rescoring = click.option("--rescore", is_flag=True, help=_RESCORE)

_STRICT = "Treat remarks as errors: a doubtful file is not awarded or written."
strictness = click.option("--strict", is_flag=True, help=_STRICT)

_EXPECT = "How many files there should be: fewer are told as a problem, and the exit status is 1."
expecting = click.option("--expect", "expected", type=click.IntRange(1), metavar="N", help=_EXPECT)


def fewer_than(expected: int | None, there: int) -> list[Problem]:
    """Return the problem that there are fewer files than expected; none where nobody said how many."""
    if expected is None or there >= expected:
        return []
    what = f"{expected} files were expected, and {there} {'is' if there == 1 else 'are'} there"
    return [Problem(what, hint="find out what became of the others, and run this again", code="input.fewer")]


_TIME = "Write down when it was made, beside what it was made from; without it the same input gives the same file."
timing = click.option("--time", "timed", is_flag=True, help=_TIME)

as_of = click.option(
    "--as-of",
    metavar="DATE|TIME",
    default="",
    callback=lambda context, option, value: moment(value) if value else "",
    help="The archive as it was then, such as 2026-05-31 or 2026-05-31T18:30, in UTC.",
)

Days = tuple[date | None, date | None]
"""The first and the last day that count; None for any."""


def days_option(since_help: str, until_help: str) -> Callable[[Command], Command]:
    """Return what adds the options of the first and the last day, which the command gets as its ``days``."""
    day = click.DateTime(["%Y-%m-%d"])

    def decorate(command: Command) -> Command:
        @click.option("--since", metavar="DATE", type=day, help=since_help)
        @click.option("--until", metavar="DATE", type=day, help=until_help)
        @wraps(command)
        def with_days(*, since: datetime | None, until: datetime | None, **given: Any) -> Any:
            if since and until and since > until:
                raise click.UsageError("--since is after --until")
            return command(days=(since and since.date(), until and until.date()), **given)

        return with_days

    return decorate


def limiting(command: Command) -> Command:
    """Add the options of what a file may take of memory and time, which the command gets as its ``limits``."""

    @click.option(
        "--limit-memory",
        "megabytes",
        type=click.IntRange(1, 10**6),
        metavar="MB",
        default=MOST_MEGABYTES,
        show_default=True,
        help="The most memory that reading and awarding a file may take, where the system can hold it to that.",
    )
    @click.option(
        "--limit-seconds",
        "seconds",
        type=click.IntRange(1, _LONGEST),
        metavar="SECONDS",
        default=MOST_SECONDS,
        show_default=True,
        help="The most time of a processor that a file may take.",
    )
    @wraps(command)
    def with_limits(*, megabytes: int, seconds: int, **given: Any) -> Any:
        return command(limits=FileLimits(megabytes, seconds), **given)

    return with_limits


def printed_as(*formats: str) -> Callable[[Command], Command]:
    """Return what adds the option that says in which of some formats to print; by default the first."""
    return click.option("--to", type=click.Choice(formats), default=formats[0], help="How to print it.")


_PUBLIC = "Leave member numbers, holdings and remarks, which may quote them, out of what is written."
public_option = click.option("--public", is_flag=True, help=_PUBLIC)


def doubting(command: Command) -> Command:
    """Add the options of what becomes of remarks: whether they are errors, and whether pages show them."""
    help_text = "List the remarks on web pages, too, and not only those that say how sure an award is."
    return strictness(click.option("--remarks/--no-remarks", "shown", default=False, help=help_text)(command))


_RECAP = "Add the recap to pages and workbooks: a grid of pairs by boards, with their matchpoints and totals."
recapped = click.option("--recap", is_flag=True, help=_RECAP)

_FOR = "Go by what this results site takes: a name of 'resultproc sites list', or the TOML file of your own."
site_option = click.option("--for", "site", metavar="SITE", help=_FOR)


def some_time(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    """Return the seconds that an option gives; raise BadParameter for a time that nobody can wait."""
    if seconds is None or 0 < seconds <= _LONGEST:  # which is also untrue of nan
        return seconds
    raise click.BadParameter(f"{seconds:g} is not more than 0 and at most {_LONGEST}.")


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
    """Let ``-h`` show less than ``--help`` does."""
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
