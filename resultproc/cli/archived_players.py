"""``resultproc archive persons``, ``player``, ``audit`` and ``health``: who is who in an archive, what somebody has
there, and how the clubs keep up.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import Bar, echo, extras, remark_on, say, tell
from resultproc.cli.options import as_of, expecting, fewer_than
from resultproc.cli.outputs import deliver_report, format_to_write, report_in, results_file
from resultproc.model.codes import DIFFERENCES, status_of_all

if TYPE_CHECKING:
    from datetime import datetime

    from resultproc.model.source import Source
    from resultproc.reports.audit import Audit

_DAY = click.DateTime(["%Y-%m-%d"])


def awarded_archive(archive: str, as_of: str, until_done: ExitStack) -> str:
    """Award an archive under the rules of each game's day, and return the folder that has the awards.

    as_of: the archive as it was at that time; empty for now.
    until_done: removes the folder when it is closed.
    """
    from tempfile import TemporaryDirectory

    from resultproc.archive.reprocess import Task, reprocess
    from resultproc.model.work import Cluster

    folder = until_done.enter_context(TemporaryDirectory(prefix="resultproc-"))
    with Bar("parts") as bar:
        reprocess(Task(archive, folder, as_of=as_of), Cluster(progress=bar).run, counted=False)
    return folder


@click.command()
@click.argument("archive")
@click.option("--unsure", "only_unsure", is_flag=True, help="Who somebody should decide about, and why.")
@as_of
@click.option("--to", type=click.Choice(["text", "csv", "json"]), default="text", help="How to print it.")
def persons_command(archive: str, only_unsure: bool, as_of: str, to: str) -> None:
    """List who is who in an ARCHIVE, however their names and member numbers are written.

    What is not sure is for you to decide, in the file aliases.csv in the archive: a line says who somebody is who is
    written so. The columns of --unsure are those of that file: 'is' has how each is counted until you say otherwise.

    \b
    Example, after 'resultproc archive add fixtures/*.csv --to history':
      resultproc archive persons history --unsure --to csv
    """
    with extras():
        from resultproc.archive.manifest import current_parts, of_archive
        from resultproc.archive.persons import known_people
        from resultproc.archive.store import Store
        from resultproc.model.arrays import plain
        from resultproc.pages.tables import printed

    store = Store(archive)
    known = known_people(store, current_parts(store, as_of))
    frame = known.unsure() if only_unsure else known.persons()
    rows = [*zip(*plain(frame).values(), strict=True)]
    echo(printed(to, [str(name) for name in frame], rows, of_archive(store)), nl=False, to=to)
    if only_unsure and frame.empty:
        tell("there is nothing to decide")


@click.command()
@click.argument("archive")
@click.argument("who", metavar="NAME|NUMBER")
@click.option("--results", metavar="FOLDER", help="What 'reprocess' wrote: the awards that count.")
@as_of
@report_in("text", "html", "json")
def player_command(
    archive: str, who: str, results: str | None, as_of: str, to: str | None, output: Path | None
) -> None:
    """Show a player's record in an ARCHIVE: games, masterpoints by colour and year, places, partners, best games.

    In place of the archive you may name the folder that 'reprocess' wrote. Without one, every game is awarded under the
    rules of its day first. The record is of the games in the archive, and of no others.

    \b
    Example, after 'resultproc archive add fixtures/series/*.csv --to history':
      resultproc archive player history "Ada Birch"
    """
    to = format_to_write(output, to)
    with extras():
        from resultproc.archive.query import queried
        from resultproc.archive.records import player_record
        from resultproc.reports.record import WRITERS

        with ExitStack() as until_done:
            asked = queried(archive, results, as_of=as_of)
            found = player_record(asked, who, partial(awarded_archive, asked.archive, asked.as_of, until_done))
    remark_on(found.remarks)
    deliver_report(WRITERS[to](found), to, output, found.provenance)


@click.command("audit")
@click.argument("archive")
@click.argument("statement", type=results_file)
@click.option("--player", metavar="NAME|NUMBER", default="", help="Whose statement it is.")
@click.option("--club", metavar="NAME", default="", help="The club whose statement it is, if it is not a player's.")
@click.option("--since", metavar="DATE", type=_DAY, help="The first day to compare; by default that of its first line.")
@click.option("--until", metavar="DATE", type=_DAY, help="The last day; by default that of its last line.")
@click.option("--results", metavar="FOLDER", help="What 'reprocess' wrote: the awards that count.")
@as_of
@report_in("text", "csv", "json")
def audit_command(
    archive: str,
    statement: Path | Source,
    player: str,
    club: str,
    since: datetime | None,
    until: datetime | None,
    results: str | None,
    as_of: str,
    to: str | None,
    output: Path | None,
) -> None:
    """Hold a league's STATEMENT against an ARCHIVE: what is missing, doubled, different or pending, with its rule.

    The statement is a CSV file with the columns date, club, event, points and colour, and a club's with player and
    member, too. Awards of a later day than the last are pending. A line whose game the archive does not have is listed
    as not here. Where anything is missing, doubled or different, the exit status is 3.

    \b
    Example, with a statement of your own:
      resultproc archive audit history statement.csv --player "Ada Birch" --since 2026-05-01
    """
    if bool(player) == bool(club):
        raise click.UsageError("say whose statement it is: either --player or --club")
    if since and until and since > until:
        raise click.UsageError("--since is after --until")
    to = format_to_write(output, to)
    with extras():
        from resultproc.archive.query import queried
        from resultproc.archive.records import Whose, audited
        from resultproc.formats.source import load_source
        from resultproc.pages.tables import printed
        from resultproc.reports.audit import read_statement

    source = load_source(statement)
    lines = read_statement(source.data, source.name)
    days = (since.date() if since else None, until.date() if until else None)
    with extras(), ExitStack() as until_done:
        asked = queried(archive, results, as_of=as_of)
        award = partial(awarded_archive, asked.archive, asked.as_of, until_done)
        found, doubts, provenance = audited(asked, lines, Whose(player, club), days, award)
    remark_on(doubts)
    rows = found.found.astype(object).where(found.found.notna(), None).to_numpy().tolist()
    deliver_report(printed(to, [*found.found], rows, provenance).encode(), to, output, provenance)
    sys.exit(_tell_found(found))


def _tell_found(found: Audit) -> int:
    """Tell how many lines agree and what was found, and return the exit status."""
    counts = found.counts()
    tell(f"{found.agreed} of {found.lines} lines from {found.first} to {found.last} are what the games pay")
    told = [f"{count} {what}" for what, count in counts.items() if count]
    if told:
        tell(", ".join(told))
    return DIFFERENCES if any(counts[what] for what in ("missing", "doubled", "different")) else 0


@click.command()
@click.argument("archive")
@click.option("--since", metavar="DATE", type=_DAY, help="The games from this day on; by default all.")
@click.option("--until", metavar="DATE", type=_DAY, help="The games up to this day.")
@click.option(
    "--late",
    metavar="DAYS",
    type=click.IntRange(0),
    default=7,
    show_default=True,
    help="How many days after its day a game may come to the archive; then it is late.",
)
@click.option("--results", metavar="FOLDER", help="What 'reprocess' wrote, which says what is wrong or doubtful.")
@expecting
@report_in("text", "html", "json")
def health_command(
    archive: str,
    since: datetime | None,
    until: datetime | None,
    late: int,
    results: str | None,
    expected: int | None,
    to: str | None,
    output: Path | None,
) -> None:
    """Show how the clubs of an ARCHIVE keep up: files, those refused, games not awarded, doubtful or late.

    In place of the archive you may name the folder that 'reprocess' wrote. Without one, every game is awarded under the
    rules of its day first. Clubs without a game of these days are listed as well. A file that 'archive add' could not
    read is refused until it is added, or gone from its folder when 'archive add' reads that again.

    \b
    Example, after 'resultproc archive add fixtures/*.csv --to history':
      resultproc archive health history --since 2012-01-01 -o health.html
    """
    if since and until and since > until:
        raise click.UsageError("--since is after --until")
    to = format_to_write(output, to)
    with extras():
        from resultproc.archive.query import queried
        from resultproc.archive.records import health_of
        from resultproc.reports.audit import WRITERS

        days = (since.date() if since else None, until.date() if until else None)
        with ExitStack() as until_done:
            asked = queried(archive, results)
            found = health_of(asked, days, late, partial(awarded_archive, asked.archive, asked.as_of, until_done))
    remark_on(found.remarks)
    deliver_report(WRITERS[to](found), to, output, found.provenance)
    fewer = fewer_than(expected, found.total()["files"])
    say(fewer)
    sys.exit(status_of_all(each.code for each in fewer))
