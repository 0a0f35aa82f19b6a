"""``resultproc players``."""

from __future__ import annotations

import calendar
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import REMARK, extras, remark_on, say, tell
from resultproc.cli.options import doubting, keys, knowing_aliases, knowing_players, member_numbers_option, reading
from resultproc.cli.outputs import (
    aliases_of_file,
    deliver_report,
    format_to_write,
    is_archive,
    read_those_there,
    report_in,
)
from resultproc.model.codes import status_of_all
from resultproc.model.keys import KEYS

if TYPE_CHECKING:
    from resultproc.model.errors import Problem
    from resultproc.model.frames import Sheet
    from resultproc.reports.players import Wanted


def _month(context: click.Context, option: click.Parameter, value: str | None) -> tuple[date, date] | None:
    """Return the first and the last day of a month."""
    if value is None:
        return None
    found = re.fullmatch("([0-9]{4})-(0[1-9]|1[0-2])", value)
    if found is None or int(found[1]) < 1:
        raise click.BadParameter(f"'{value}' is not a month; write it as 2026-05", context, option)
    year, month = int(found[1]), int(found[2])
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


_DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.argument("inputs", metavar="FILES|ARCHIVE", nargs=-1, required=True)
@click.option("--month", metavar="2026-05", callback=_month, help="The games of this month alone.")
@click.option("--since", metavar="DATE", type=_DAY, help="The games from this day on, e.g. 2026-05-01.")
@click.option("--until", metavar="DATE", type=_DAY, help="The games up to this day.")
@click.option("--club", "clubs", metavar="NAME", multiple=True, help="The games of this club alone; several are added.")
@click.option(
    "--sort",
    type=click.Choice(["masterpoints", "name", "number"]),
    default="masterpoints",
    show_default=True,
    help="List the players by masterpoints won, by surname, or by member number.",
)
@report_in("text", "csv", "html", "xlsx", "json")
@member_numbers_option
@doubting
@knowing_players
@knowing_aliases
@reading
@keys(*(name for name in KEYS if name != "club"))
def command(
    inputs: tuple[str, ...],
    month: tuple[date, date] | None,
    since: datetime | None,
    until: datetime | None,
    clubs: tuple[str, ...],
    sort: str,
    to: str | None,
    output: Path | None,
    numbered: bool,
    strict: bool,
    shown: bool,
    aliases: Path | None,
    format_: str | None,
    **declared: str,
) -> None:
    """List the players of some games: how many each played, the masterpoints won by colour, and the best game.

    Name the FILES of the games, or folders of them, or an ARCHIVE that 'resultproc archive add' keeps, and which games
    of them count: what a club reports at the end of a month is one command.

    Players are matched by member number, else by name, club and partner, and by what --aliases, or the archive's
    aliases.csv, says. A doubtful match is reported on standard error, with how it was counted. A file that cannot be
    read, or a game that cannot be awarded, is reported there too and left out; the exit status is then 1.

    \b
    Examples, from the project's folder:
      resultproc players fixtures/series/*.csv
      resultproc players fixtures/series/*.csv --month 2026-01 --sort name -o january.xlsx
    """
    first, last = _days(month, since, until)
    to = format_to_write(output, to, [Path(each) for each in inputs if "://" not in each])

    from resultproc.reports.players import WRITERS, Order, Wanted, players
    from resultproc.stages.pipeline import without_those_at_fault

    sheet, wanted, unread = _sheet(inputs, output, Wanted(first, last, clubs), aliases, format_, declared)
    found, left_out = without_those_at_fault(sheet, lambda games: players(games, wanted, Order(sort)), unread)
    found = replace(found, problems=(*left_out, *found.problems), numbered=numbered or sort == "number")
    say(found.problems)
    remark_on(found.remarks, strict=strict)
    for doubt in found.doubts:
        tell(f"doubtful: {doubt.what}", REMARK, "players.same-name")
    if to not in {"text", "csv", "json"} and not shown:
        found = replace(found, doubts=(), remarks=())
    deliver_report(WRITERS[to](found), to, output, found.provenance)
    sys.exit(status_of_all(each.code for each in found.problems))


def _days(
    month: tuple[date, date] | None, since: datetime | None, until: datetime | None
) -> tuple[date | None, date | None]:
    """Return the first and the last day of the games that count, None where there is none."""
    if month and (since or until):
        raise click.UsageError("give either --month, or --since and --until")
    if since and until and since > until:
        raise click.UsageError("--since is after --until")
    return month or (since.date() if since else None, until.date() if until else None)


def _sheet(
    inputs: Sequence[str],
    output: Path | None,
    wanted: Wanted,
    aliases: Path | None,
    format_: str | None,
    declared: dict[str, str],
) -> tuple[Sheet, Wanted, list[Problem]]:
    """Return the games of the files, or of the archive, which count, and what is wrong with those that are left out.

    Clubs are called what they are called now, where aliases say so.
    """

    archives = [each for each in inputs if "://" in each or is_archive(Path(each))]
    if archives and len(inputs) > 1:
        raise click.UsageError("give files, or one archive")
    if archives:
        if format_ or aliases or any(declared.values()):
            what = "--from, --aliases and what you declare of games are for files, not for an archive"
            raise click.UsageError(what)
        with extras():
            from resultproc.archive.add import select_games
            from resultproc.archive.persons import aliases as aliases_in
            from resultproc.archive.store import Store

            store = Store(archives[0])
            wanted = wanted.called_now(aliases_in(store))
            return select_games(store, wanted.rows), wanted, []
    said = aliases_of_file(aliases) if aliases else None
    sheet, unread = read_those_there(inputs, output, format_, declared)
    return (said.applied(sheet), wanted.called_now(said), unread) if said else (sheet, wanted, unread)
