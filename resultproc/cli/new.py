"""``resultproc new``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.options import file_to_write, reading, results_file


@click.command()
@click.argument("report", type=results_file)
@click.option("-o", "--output", type=file_to_write, help="Write to this file, not beside the report.")
@reading
def command(report: Path, output: Path | None, format_: str | None) -> None:
    """Write what REPORT does not say of its games to a TOML file beside it, to be filled in.

    The file has the rating and the limits of the strata to be filled in for each game, by name, and below them what
    may matter. It is read with the report from then on. One that is there already is never overwritten.

    \b
    Example, from the project's folder:
      resultproc new fixtures/wed-open-pairs-2012-04-18.txt -o wednesday.toml
    """
    from resultproc.reports.new import new_sidecar

    written = new_sidecar(report, output, format_)
    click.echo(f"{written}: fill in what stands between the quotes", err=True)
