"""``resultproc series``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import REMARK, remark_on, say, tell
from resultproc.cli.options import (
    doubting,
    game_key_options,
    knowing_aliases,
    knowing_players,
    member_numbers_option,
    reading,
)
from resultproc.cli.outputs import (
    aliases_of_file,
    deliver_report,
    format_to_write,
    read_those_there,
    report_in,
    results_file,
)
from resultproc.model.codes import status_of_all

if TYPE_CHECKING:
    from resultproc.model.frames import Sheet


@click.command()
@click.argument("games", nargs=-1, required=True, type=results_file)
@click.option(
    "--method",
    type=click.Choice(["masterpoints", "percentage", "points"]),
    default="masterpoints",
    show_default=True,
    help="Rank by masterpoints won, mean percentage of the games played, or 4-3-2-1 points for each game's places.",
)
@click.option("--min-sessions", type=click.IntRange(1), default=1, show_default=True, help="Games needed to be placed.")
@click.option(
    "--min-partners",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Different partners needed to be placed.",
)
@report_in("text", "csv", "xlsx", "html", "json")
@member_numbers_option
@doubting
@knowing_players
@knowing_aliases
@reading
@game_key_options
def command(
    games: tuple[Path, ...],
    method: str,
    min_sessions: int,
    min_partners: int,
    to: str | None,
    output: Path | None,
    numbered: bool,
    strict: bool,
    shown: bool,
    aliases: Path | None,
    format_: str | None,
    **keys: str,
) -> None:
    """Rank the players over a series of GAMES, with the bonus for the first places where the rules give one.

    Name the files of the games, or folders of them. Players are matched by member number, else by name, club and
    partner, and by what --aliases says. A doubtful match is reported on standard error, with how it was counted. A file
    that cannot be read, or a game that cannot be awarded or listed, is reported there too and left out; the exit status
    is then 1.

    \b
    Examples, from the project's folder:
      resultproc series fixtures/series/*.csv
      resultproc series fixtures/series/*.csv --method percentage --min-sessions 4 --min-partners 2
      resultproc series fixtures/series/*.csv --method points -o series.xlsx
    """
    to = format_to_write(output, to, games)

    from resultproc.reports.series import WRITERS, Method, Series, series
    from resultproc.stages.pipeline import award_sheet, without_those_at_fault

    def listed(sheet: Sheet) -> Series:
        return series(award_sheet(sheet), Method(method), min_sessions=min_sessions, min_partners=min_partners)

    said = aliases_of_file(aliases) if aliases else None
    sheet, unread = read_those_there(games, output, format_, keys)
    sheet = said.applied(sheet) if said else sheet
    found, left_out = without_those_at_fault(sheet, listed, unread)
    found = replace(found, problems=left_out, numbered=numbered)
    say(found.problems)
    remark_on(found.remarks, strict=strict)
    for doubt in found.doubts:
        tell(f"doubtful: {doubt.what}", REMARK, "players.same-name")
    if to not in {"text", "csv", "json"} and not shown:
        found = replace(found, doubts=(), remarks=())
    deliver_report(WRITERS[to](found), to, output, found.provenance)
    sys.exit(status_of_all(each.code for each in found.problems))
