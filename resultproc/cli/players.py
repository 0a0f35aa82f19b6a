"""``resultproc players``."""

from __future__ import annotations

import calendar
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from resultproc.cli import options
from resultproc.cli.messages import REMARK, Bar, remark_on, say, tell
from resultproc.cli.options import Command, Days
from resultproc.cli.outputs import Output, report_in, results_file_or_archive, utf8_text
from resultproc.model.codes import status_of_all
from resultproc.model.errors import InputError, Problem, ResultprocError, shown
from resultproc.model.keys import KEYS
from resultproc.model.source import Source

if TYPE_CHECKING:
    from resultproc.model.frames import Sheet
    from resultproc.people.aliases import Aliases
    from resultproc.reports.players import Players, Wanted
    from resultproc.reports.series import Series
    from resultproc.stages.pipeline import Paying

_List = TypeVar("_List", "Players", "Series")


def listing_players(command: Command) -> Command:
    """Add the options of a list of players: how it is written, who is who, and how its games are read."""
    numbers = "Show member numbers on a page and in a workbook, too; text, CSV and JSON have them."
    aliases = "A list of who is who, CSV: player, member, club and is, as 'archive persons --unsure' has it."
    added = (
        report_in("text", "csv", "xlsx", "html", "json"),
        click.option("--numbers", "numbered", is_flag=True, help=numbers),
        *(options.doubting, options.knowing_players),
        click.option("--aliases", metavar="FILE", type=click.Path(path_type=Path), help=aliases),
        options.reading,
    )
    for add in reversed(added):
        command = add(command)
    return command


@dataclass(frozen=True)
class GamesToList:
    """The games that a list is made of."""

    sheet: Sheet
    unread: Sequence[Problem]  # what is wrong with other files
    said: Aliases | None  # what is said of who is who
    paying: Paying  # gives their awards
    archived: bool  # whether they are those of an archive

    def listed(self, listed: Callable[[Sheet], _List]) -> _List:
        """Return the list of those games that it can have, with what is wrong with the others.

        What archived games lack is said with their file, as no option says it here. Raises InputError where there are
        no others.
        """
        from resultproc.stages.pipeline import without_those_at_fault

        found: _List
        left_out: tuple[Problem, ...]
        try:
            found, left_out = without_those_at_fault(self.sheet, listed, self.unread, least=1)
        except InputError as error:
            raise InputError(self._told(error.problems)) from None
        return replace(found, problems=tuple(self._told((*left_out, *found.problems))))

    def _told(self, problems: Iterable[Problem]) -> Iterable[Problem]:
        return (replace(each, hint=_to_add_again(each.hint)) for each in problems) if self.archived else problems


def games_to_list(
    inputs: Iterable[str | Path | Source],
    output: Path | None,
    aliases: Path | None,
    keys: Mapping[str, Any],
    wanted: Wanted | None = None,
) -> GamesToList:
    """Return the games of files, and of all files in folders but the output itself, or those of an archive.

    aliases: the file that says who is who.
    keys: what the options of reading say.
    wanted: which games of an archive are asked for; None for all.
    Raises InputError where none can be read, and click.UsageError for an archive with anything else.
    """
    inputs = list(inputs)
    archives = [each for each in inputs if isinstance(each, str | Path) and is_archive(each)]
    if not archives:
        return _games_of_files(inputs, output, aliases, keys)
    if len(inputs) > 1:
        raise click.UsageError("give files, or one archive")
    if aliases or any(keys.values()):
        what = "--from, --aliases and what you declare of games are for files, not for an archive"
        raise click.UsageError(what)
    from resultproc.archive.selected import games_with_awards
    from resultproc.archive.store import Store
    from resultproc.archive.table import without_damaged
    from resultproc.model.work import Cluster
    from resultproc.reports.players import Wanted

    store, asked = Store(str(archives[0])), wanted or Wanted()

    def selected() -> tuple[Sheet, Aliases, Paying]:
        with Bar("parts") as bar:
            run = Cluster(progress=bar).run
            return games_with_awards(store, lambda said: asked.called_now(said).rows, asked.undated, run)

    (sheet, said, paying), damaged = without_damaged(store, selected)
    return GamesToList(sheet, damaged, said, paying, archived=True)


def _games_of_files(
    inputs: Iterable[str | Path | Source], output: Path | None, aliases: Path | None, keys: Mapping[str, Any]
) -> GamesToList:
    from resultproc.formats.found import results_files
    from resultproc.people.aliases import read_aliases
    from resultproc.stages.pipeline import paid, read_each

    files: list[str | Path | Source] = []
    problems: list[Problem] = []
    for each in inputs:
        if not isinstance(each, str | Path) or not Path(each).is_dir():
            files.append(each)
            continue
        items = list(results_files([Path(each)], apart=output))
        for item in items:
            problems += (Problem(**{**entry, "file": shown(item.path)}) for entry in item.problems)
            files += [] if item.problems else [item.path]
        if not items:
            problems.append(Problem("there are no files in this folder", file=shown(each)))
    try:
        sheet, unread = read_each(files, **keys)
    except ResultprocError as error:
        raise InputError([*problems, *error.problems]) from None
    said = read_aliases(utf8_text(aliases, "save the list as CSV in UTF-8"), aliases.name) if aliases else None
    return GamesToList(sheet, [*problems, *unread], said, paid, archived=False)


def is_archive(location: str | Path) -> bool:
    """Return whether a folder has what an archive has, also an old one; folders of files may be called so, too.

    What is not on this machine is an archive.
    """
    if "://" in str(location):
        return True
    folder = Path(location)
    games, manifest = (folder / "games").is_dir(), (folder / "manifest.json").is_file()
    return games and (manifest or (folder / "games" / "_delta_log").exists() or (folder / "contestants").is_dir())


def deliver_list(
    found: _List, writers: Mapping[str, Callable[[_List], bytes]], to: Output, *, strict: bool, shown: bool
) -> NoReturn:
    """Tell what is wrong or doubtful about a list of players, write it, and exit.

    writers: those of the list, by format.
    strict: remarks are errors.
    shown: pages list them all.
    """
    say(found.problems)
    remark_on(found.remarks, strict=strict)
    for doubt in found.doubts:
        tell(f"doubtful: {doubt.what}", REMARK, "players.same-name")
    if to.format not in {"text", "csv", "json"} and not shown:
        found = replace(found, doubts=(), remarks=())
    to.deliver(writers[to.format](found), found.provenance)
    sys.exit(status_of_all(each.code for each in found.problems))


def _to_add_again(hint: str) -> str:
    """Return a hint that tells how to give the keys that one asks for, the hint itself where it asks for none."""
    found = re.fullmatch("declare ([a-z_]+='.*)", hint)
    return f"add its file to the archive again, with {found[1]}" if found else hint


def _month(context: click.Context, option: click.Parameter, value: str | None) -> Days | None:
    """Return the first and the last day of a month."""
    if value is None:
        return None
    found = re.fullmatch("([0-9]{4})-(0[1-9]|1[0-2])", value)
    if found is None or int(found[1]) < 1:
        raise click.BadParameter(f"'{value}' is not a month; write it as 2026-05", context, option)
    year, month = int(found[1]), int(found[2])
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


@click.command()
@click.argument("inputs", metavar="FILES|ARCHIVE", nargs=-1, required=True, type=results_file_or_archive)
@click.option("--month", metavar="2026-05", callback=_month, help="The games of this month alone.")
@options.days_option("The games from this day on, e.g. 2026-05-01.", "The games up to this day.")
@click.option("--club", "clubs", metavar="NAME", multiple=True, help="The games of this club alone; several are added.")
@click.option(
    "--sort",
    type=click.Choice(["masterpoints", "name", "number"]),
    default="masterpoints",
    show_default=True,
    help="List the players by masterpoints won, by surname, or by member number.",
)
@listing_players
@options.keys(*(name for name in KEYS if name != "club"))
@options.example(
    "players fixtures/series/*.csv", "players fixtures/series/*.csv --month 2026-01 --sort name -o january.xlsx"
)
def command(
    inputs: tuple[Path | Source | str, ...],
    month: Days | None,
    days: Days,
    clubs: tuple[str, ...],
    sort: str,
    to: Output,
    numbered: bool,
    strict: bool,
    shown: bool,
    aliases: Path | None,
    **keys: str,
) -> None:
    """List the players of some games: how many each played, the masterpoints won by colour, and the best game.

    Name the FILES of the games, or folders of them, or an ARCHIVE that 'resultproc archive add' keeps, and which games
    of them count: what a club reports at the end of a month is one command.

    Players are matched by member number, else by name, club and partner, and by what --aliases, or the archive's
    aliases.csv, says. A doubtful match is reported on standard error, with how it was counted. A file that cannot be
    read, or a game that cannot be awarded, is reported there too and left out; the exit status is then 1.
    """
    if month and any(days):
        raise click.UsageError("give either --month, or --since and --until")

    from resultproc.reports.players import WRITERS, Order, Wanted, players

    wanted = Wanted(*(month or days), clubs)
    games = games_to_list(inputs, to.path, aliases, keys, wanted)
    listed = partial(
        players, wanted=wanted, order=Order(sort), said=games.said, archived=games.archived, paying=games.paying
    )
    found = replace(games.listed(listed), numbered=numbered or sort == "number")
    deliver_list(found, WRITERS, to, strict=strict, shown=shown)
