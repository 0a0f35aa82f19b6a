"""``resultproc compare``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import remark_on
from resultproc.cli.options import keys, knowing_players, reading
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.model.errors import Problem
from resultproc.model.keys import KEYS


@click.command()
@click.argument("game", metavar="EVENT", type=results_file)
@click.option(
    "--rules",
    "rulebooks",
    metavar="ID",
    multiple=True,
    required=True,
    help="A rulebook, by its id or the path of your own TOML file; name two or more.",
)
@report_in("text", "csv", "xlsx", "html", "json")
@knowing_players
@reading
@keys(*(name for name in KEYS if name != "rulebook"))
def command(game: Path, rulebooks: tuple[str, ...], to: Output, **declared: str) -> None:
    """Show what each of several rulebooks pays for an EVENT: their ladders side by side, with totals.

    Text leaves out the awards that are the same under each; CSV and JSON have them all.

    \b
    Example, from the project's folder:
      resultproc compare fixtures/regional-open-pairs-2022-06-18.csv \\
        --rules acbl-general-formula-2019 --rules acbl-strength-of-field-2021
    """
    if len(set(rulebooks)) < len(rulebooks) or len(rulebooks) < 2:
        raise click.UsageError("compare needs two or more different rulebooks: name each with --rules")

    from resultproc.formats.read import read
    from resultproc.reports.compare import WRITERS, compare

    found = compare(read(game, **declared), rulebooks)
    if to.format == "csv":
        # One table and nothing else: there is no place in it for a note.
        remark_on(Problem(note) for comparison in found for note in comparison.notes)
    to.deliver(WRITERS[to.format](found), found[0].provenance if found else None)
