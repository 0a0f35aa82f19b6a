"""``resultproc new``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import tell
from resultproc.cli.options import reading
from resultproc.cli.outputs import file_to_write, results_file


@click.command()
@click.argument("report", type=results_file)
@click.option("-o", "--output", type=file_to_write, help="Write to this file instead of beside the report.")
@reading
def command(report: Path, output: Path | None, format_: str | None, settings: str | None) -> None:
    """Write a TOML file beside REPORT for you to fill in: what the report does not say about its games.

    The file asks for the rating and the limits of the strata of each game, by name, and lists below them what may
    matter. From then on it is read with the report. An existing file is never overwritten.

    \b
    Example, from the project's folder:
      resultproc new fixtures/wed-open-pairs-2012-04-18.txt -o wednesday.toml
    """
    from resultproc.reports.new import new_sidecar

    written = new_sidecar(report, output, format_, settings)
    tell(f"{written}: fill in the values between the quotes")
