"""``resultproc new``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import tell
from resultproc.cli.options import example, knowing_players, reading
from resultproc.cli.outputs import STREAM, Output, one_file, results_file
from resultproc.formats.loaded import load_source

if TYPE_CHECKING:
    from resultproc.model.source import Source


@click.command()
@click.argument("report", type=results_file, required=False)
@click.option("--club", is_flag=True, help="Write a workbook for a club's games instead, with its members: club.xlsx.")
@click.option("-o", "--output", type=one_file, help="Write to this file instead of beside the report.")
@knowing_players
@reading
@example("new fixtures/wed-open-pairs-2012-04-18.txt -o wednesday.toml")
def command(
    report: Path | Source | None,
    club: bool,
    output: Path | None,
    format: str | None,
    settings: str | None,
    players: str | None,
) -> None:
    """Write a TOML file beside REPORT for you to look at: what the report does not say about its games.

    REPORT is any results file: a printed report, a list as text, page, PDF or CSV, a workbook. The file asks for what
    the awards need of each game, by name, proposes what can be told, and lists below what may matter. From then on it
    is read with the report, which itself is never changed. An existing file is never overwritten. With
    -o - it goes to standard output.

    With --club and no REPORT, write a workbook for the club's games: its first sheet says how to fill it in. Names and
    holdings come from a sheet of the members, which goes nowhere.
    """
    from resultproc.reports.new import new_club, sidecar_path, sidecar_text

    if club == (report is not None):
        raise click.UsageError("name a report, or say --club" if report is None else _CLUB_TAKES)
    if report is None:
        if format or settings or players:
            raise click.UsageError(_CLUB_TAKES)
        output = output or Path("club.xlsx")
        if output == STREAM or output.suffix.lower() != ".xlsx":
            raise click.UsageError("--club writes a workbook: name a file that ends in .xlsx")
        new_club(output)
        tell(f"{output}: open it, its first sheet says what to do")
        return
    beside = report if isinstance(report, Path) else Path(report.name)
    on_screen = output == STREAM or (output is None and beside is not report)
    to = Output("text", STREAM if on_screen else sidecar_path(beside, output))
    to.write(sidecar_text(load_source(report, settings, players), format).encode())
    if not on_screen:
        tell(f"{to.path}: look at the values, and fill in those that are empty")


_CLUB_TAKES = "--club takes no report, and nothing but -o"
