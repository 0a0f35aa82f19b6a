"""The command line: one module per command, imported when it runs, so that help starts at once."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import FileIO, StringIO, TextIOWrapper

import click

from resultproc.cli import messages
from resultproc.model.codes import CLOSED, code_of, status_of
from resultproc.model.errors import PluginError, ResultprocError, closest, resultproc_error, shown
from resultproc.model.language import language, speak

COMMANDS = {
    "amend": "Explain a correction: what changed in a game, who gains or loses, and why.",
    "archive": "Keep games in an archive, to award them again under any rulebook.",
    "award": "Read, rank and award a game; print the annotated sheet.",
    "batch": "Award many files into a folder; resumable, bad files set aside.",
    "chart": "Print the masterpoint chart for numbers of tables, without any game.",
    "check": "Compare what sheets print with what the rulebook and their boards give.",
    "compare": "Show what several rulebooks pay for an event, side by side.",
    "conform": "Award a suite of test games, with this program or another, and compare.",
    "convert": "Read one format and write another, nothing else.",
    "explain": "Explain one contestant's award: every candidate, its rule, and why it won.",
    "generate": "Make random games of a kind, to try programs with.",
    "infer": "Find the declarations that explain the ranks and awards of a sheet.",
    "lint": "List what is doubtful about files, and what would settle it.",
    "new": "Write the file for you to fill in what a report does not say.",
    "open": "Open a page in your browser, for all of this without a command line.",
    "players": "List the players of some games: masterpoints by colour, and the best game.",
    "publish": "Send games to results sites, once, with a receipt of each.",
    "reprocess": "Award a whole archive under a rulebook, here or on a cluster.",
    "rules": "List the rulebooks, show the tables of one with its citations, or find a word in all.",
    "series": "Rank the players over a series of games, with the bonus for the first places.",
    "sites": "List the results sites that are known, or show what one takes.",
    "verify": "Compare what sealed files show with what follows from their data.",
    "whatif": "Show what a game would have paid with other limits, rules or pairs.",
}
"""Every command with its short help; its module has the same name and a click command ``command``."""


DEBUG = "RESULTPROC_DEBUG"
"""The environment variable that lets an unexpected error end in a traceback."""


class Commands(click.Group):
    """The group of commands, each imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name; raise UsageError, the closest one suggested, for an unknown one."""
        if cmd_name not in COMMANDS:
            raise click.UsageError(f"unknown command '{cmd_name}'; {closest(cmd_name, COMMANDS)}", ctx)
        from resultproc.cli.language_option import add_language
        from resultproc.cli.options import add_brief_help

        command: click.Command = import_module(f"resultproc.cli.{cmd_name}").command
        for each in command.commands.values() if isinstance(command, click.Group) else [command]:
            if not any(option.name == "errors" for option in each.params):  # once in a process
                messages.option(each)
                add_language(each)
                add_brief_help(each)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; one that is stopped says so to programs in an object alone, and not after an empty line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if messages.STYLE.for_programs:
                raise click.Abort from None
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_SETTINGS = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    # Options may be spelled as the game keys are: --event_type is --event-type.
    "token_normalize_func": lambda word: word.replace("_", "-"),
}


@click.group(cls=Commands, context_settings=_SETTINGS)
@click.version_option(package_name="resultproc")
def cli() -> None:
    """Rank duplicate bridge results and award masterpoints, exactly and rule by rule.

    \b
    Tonight's sheet, with ranks and masterpoints:
      resultproc award game.csv
    \b
    Help for a command, with an example that works:
      resultproc award --help
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 the input is at fault, others as :mod:`resultproc.model.codes` says."""
    # An award makes fewer objects, nearly all used. To look for unused ones costs a quarter of pandas' import.
    gc.set_threshold(150_000)
    # The last search, when all ends anyway, is left nothing to look through; DuckDB complains of what is left.
    atexit.register(lambda: None if "duckdb" in sys.modules else gc.freeze())
    messages.STYLE = messages.style_of(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:
        # The caller has closed it: to write to what stands for it is an OSError, else what is printed would be lost.
        sys.stdout = TextIOWrapper(FileIO(os.open(os.devnull, os.O_RDONLY), "w"), write_through=True)
    stdout, before = sys.stdout, language()
    try:
        with messages.extras():
            cli.main(args=arguments, prog_name="resultproc", standalone_mode=False)
    except SystemExit:
        if sys.stdout is not stdout:  # click has found that nobody reads it any more, and says 1
            sys.exit(CLOSED)
        raise
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        if messages.STYLE.for_programs:
            messages.tell(error.format_message(), messages.ERROR, "command.wrong")
        else:
            shown_by_click = StringIO()
            error.show(shown_by_click)
            messages.echo(shown_by_click.getvalue(), err=True, nl=False)
        sys.exit(error.exit_code)
    except Exception as error:
        expected = isinstance(error, click.Abort | ResultprocError | OSError | MemoryError)
        if os.environ.get(DEBUG) and (isinstance(error, PluginError) or not expected):
            raise
        sys.exit(_told(error))
    finally:
        messages.STYLE = messages.Style()
        speak(before)


def _told(error: Exception) -> int:
    """Tell an error, and return the exit status that it stands for."""
    if isinstance(error, ResultprocError):
        messages.say(error.problems)
        return error.status
    if isinstance(error, click.Abort):
        what, code = "stopped", "stopped.interrupted"
    elif isinstance(error, OSError):
        what, code = f"{shown(error.filename or 'standard output')}: {error.strerror}", code_of(error)
    else:
        problem = resultproc_error(error).problems[0]
        what, code = problem.what, problem.code
        if code == "bug.found":
            what += f"\nPlease report it with the command, the file, and what it prints with {DEBUG}=1 set."
    messages.tell(what, messages.ERROR, code)
    return status_of(code)
