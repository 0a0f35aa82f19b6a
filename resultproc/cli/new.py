"""``resultproc new``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import echo, tell
from resultproc.cli.options import reading
from resultproc.cli.outputs import STREAM, file_to_write, results_file

if TYPE_CHECKING:
    from resultproc.formats.source import Source


@click.command()
@click.argument("report", type=results_file)
@click.option("-o", "--output", type=file_to_write, help="Write to this file instead of beside the report.")
@reading
def command(report: Path | Source, output: Path | None, format_: str | None, settings: str | None) -> None:
    """Write a TOML file beside REPORT for you to look at: what the report does not say about its games.

    REPORT is any results file: a printed report, a list as text, page, PDF or CSV, a workbook. The file asks for what
    the awards need of each game, by name, proposes what can be told, and lists below what may matter. From then on it
    is read with the report, which itself is never changed. An existing file is never overwritten. With
    -o - it goes to standard output.

    \b
    Example, from the project's folder:
      resultproc new fixtures/wed-open-pairs-2012-04-18.txt -o wednesday.toml
    """
    from resultproc.reports.new import new_sidecar, sidecar_text

    if not isinstance(report, Path) and output is None:
        output = STREAM
    if output == STREAM:
        echo(sidecar_text(report, format_, settings), nl=False)
        return
    written = new_sidecar(report, output, format_, settings)
    tell(f"{written}: look at the values, and fill in those that are empty")
