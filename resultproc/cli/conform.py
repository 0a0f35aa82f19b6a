"""``resultproc conform``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from resultproc.cli.messages import say
from resultproc.cli.options import example, some_time
from resultproc.cli.outputs import Output, inputs_of_files, report_in
from resultproc.model.codes import DIFFERENCES


@click.command()
@click.argument("games", type=inputs_of_files)
@click.option("--against", metavar="CMD", help="Another program, with its arguments; by default this one.")
@click.option(
    "--timeout",
    type=float,
    callback=some_time,
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long the other program may take.",
)
@report_in("text", "json")
@example(
    "conform fixtures/conformance/acbl-knockout-2015.json",
    'conform fixtures/conformance/acbl-club-swiss-2015.json --against "resultproc award - --to json"',
)
def command(games: Path, against: str | None, timeout: float, to: Output) -> None:
    """Award the GAMES of a suite, a folder or one file of it, and say how many agree with what is expected.

    The suite of the project is fixtures/conformance. Its README.md says what is in the files, how the expected ranks
    and awards came about, and what another program gets on standard input and has to print. It is started once, without
    a shell.

    For each paragraph of the rulebooks you get the number of games that test it, and how many agree; 'resultproc rules
    show ID' cites them, and so does --to json. The exit status is 3 if any game does not agree.
    """
    from resultproc.reports.conform import WRITERS, conform

    found = conform(games, against, timeout)
    say(found.problems)
    to.deliver(WRITERS[to.format](found), found.provenance)
    sys.exit(0 if found.agreed == found.games else DIFFERENCES)
