"""``resultproc series``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.options import example, game_key_options
from resultproc.cli.outputs import Output, results_file_or_archive
from resultproc.cli.players import deliver_list, games_to_list, listing_players

if TYPE_CHECKING:
    from resultproc.model.frames import Sheet
    from resultproc.model.source import Source


@click.command()
@click.argument("games", metavar="GAMES|ARCHIVE", nargs=-1, required=True, type=results_file_or_archive)
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
@listing_players
@game_key_options
@example(
    "series fixtures/series/*.csv",
    "series fixtures/series/*.csv --method percentage --min-sessions 4 --min-partners 2",
    "series fixtures/series/*.csv --method points -o series.xlsx",
)
def command(
    games: tuple[Path | Source | str, ...],
    method: str,
    min_sessions: int,
    min_partners: int,
    to: Output,
    numbered: bool,
    strict: bool,
    shown: bool,
    aliases: Path | None,
    **keys: str,
) -> None:
    """Rank the players over a series of GAMES, with the bonus for the first places where the rules give one.

    Name the files of the games, or folders of them, or an archive that 'resultproc archive add' keeps. Players are
    matched by member number, else by name, club and partner, and by what --aliases, or the archive's aliases.csv, says.
    A doubtful match is reported on standard error, with how it was counted. A file that cannot be read, or a game that
    cannot be awarded or listed, is reported there too and left out; the exit status is then 1.
    """
    from resultproc.reports.series import WRITERS, Method, Series, series
    from resultproc.stages.pipeline import award_sheet

    of = games_to_list(games, to.path, aliases, keys)

    def listed(sheet: Sheet) -> Series:
        result = award_sheet(sheet, paying=of.paying)
        return series(result, Method(method), of.said, min_sessions=min_sessions, min_partners=min_partners)

    deliver_list(replace(of.listed(listed), numbered=numbered), WRITERS, to, strict=strict, shown=shown)
