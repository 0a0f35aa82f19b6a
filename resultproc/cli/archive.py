"""``resultproc archive``."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from resultproc.cli import messages, options, outputs
from resultproc.cli.messages import Bar, echo, remark_on, say, tell
from resultproc.formats.loaded import load_source
from resultproc.model.arrays import plain
from resultproc.model.codes import DIFFERENCES, status_of_all, worst
from resultproc.model.errors import InputError, Problem, ResultprocError
from resultproc.model.language import as_it_is, in_words
from resultproc.model.provenance import Provenance
from resultproc.model.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas as pd

    from resultproc.archive.add import Added
    from resultproc.archive.persons import People
    from resultproc.archive.query import Queried
    from resultproc.archive.store import Store
    from resultproc.model.file_limits import FileLimits
    from resultproc.model.source import Source


_T = TypeVar("_T")


def awards_option(help_text: str) -> Callable[[options.Command], options.Command]:
    """Return what adds the option that names the awards of an archive. help_text: which these are."""
    return click.option("--results", metavar="FOLDER", help=f"What 'reprocess' wrote{help_text}")


def archive_example(
    line: str, after: str = "add fixtures/*.csv --to history"
) -> Callable[[options.Command], options.Command]:
    """Return what ends the help of a command with an example. after: the command that makes what it takes."""
    return options.example(f"archive {line}", after=f"archive {after}")


def _store(location: str) -> Store:
    from resultproc.archive.store import Store

    return Store(location)


def _without_damaged(store: Store, answer: Callable[[], _T]) -> tuple[_T, list[Problem]]:
    """Return what an answer over an archive comes to, and tell what is wrong with parts that it leaves out."""
    from resultproc.archive.table import without_damaged

    found, damaged = without_damaged(store, answer)
    say(damaged)
    return found, damaged


def _end(problems: Iterable[Problem], found: int = 0) -> NoReturn:
    """Exit with the status that problems stand for, or that of what was found."""
    sys.exit(worst([status_of_all(each.code for each in problems), found]))


def _answered(
    answer: Callable[[Queried, Callable[[], Store]], _T],
    location: str,
    results: str | None = None,
    as_of: str = "",
    runs: dict[str, str] | None = None,
) -> tuple[_T, list[Problem]]:
    """Return what an answer over an archive comes to, and what is wrong with parts whose games are left out.

    answer: gets where to ask, and what gives all that the games there are awarded under the rules of their days.
    location, results, as_of, runs: as the user named them.
    """
    from resultproc.archive.query import queried
    from resultproc.archive.reprocess import all_awarded
    from resultproc.model.work import Cluster

    with ExitStack() as until_done:
        asked = queried(location, results, runs, as_of)

        def award() -> Store:
            with Bar("parts") as bar:
                of_all = all_awarded(_store(asked.archive), asked.as_of, Cluster(progress=bar).run)
                return until_done.enter_context(of_all)

        return _without_damaged(_store(asked.archive), lambda: answer(asked, award))


def _named_runs(ctx: click.Context, param: click.Parameter, value: Sequence[str]) -> dict[str, str]:
    """Return runs by their names; raise click.BadParameter for what names none, or one twice."""
    found: dict[str, str] = {}
    for each in value:
        name, sign, folder = each.partition("=")
        if not (name and sign and folder) or name in found:
            raise click.BadParameter(
                f"'{each}' is not a name and a folder; write old=under-their-rules, a name for each"
            )
        found[name] = folder
    return found


@click.group()
def command() -> None:
    """Keep games in an archive of Parquet, to award them again and again with 'reprocess'."""


@command.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=outputs.inputs_of_files)
@click.option("--to", "archive", required=True, metavar="ARCHIVE", help="A folder, or a location such as s3://...")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processors to read with.")
@options.limiting
@options.expecting
@options.strictness
@options.reading
@options.game_key_options
@options.example("archive add fixtures/*.csv --to history")
def add_command(
    inputs: tuple[Path, ...],
    archive: str,
    jobs: int,
    limits: FileLimits,
    expected: int | None,
    strict: bool,
    format: str | None,
    **keys: str,
) -> None:
    """Add the games of files, and of all files in folders, to an archive.

    What is added is awarded under the rules of its day, and the awards are kept in the archive for those who ask.
    A game that the archive already has is not added again. A corrected one, of the same id, else of the same file name,
    club and day, replaces the one that is there, which stays in the archive's history. The problems of files that
    cannot be read are printed as JSON, one per line; the other files are added all the same, and the exit status is 1.
    """
    from resultproc.archive.add import add as add_to
    from resultproc.archive.reprocess import keep_awarded
    from resultproc.model.work import Cluster

    with Bar("files") as bar:

        def show(added: Added, files: int) -> None:
            bar(added.files, files, f"{len(added.problems)} problems")

        added = add_to(inputs, _store(archive), format, keys, show, strict=strict, jobs=jobs, limits=limits)
    remark_on(added.remarks)
    for problem in added.problems:
        echo(json.dumps(problem, ensure_ascii=False))
    if messages.STYLE.for_programs:
        say(Problem(**problem) for problem in added.problems)
    tell(f"{added.files} files: {added.games} games added, {added.known} were there already")
    if added.replaced:
        tell(f"{_games(added.replaced)} of the archive replaced; 'archive list --history' shows them")
    if added.removed:
        tell(f"{_games(added.removed)} left out that you removed before; 'archive restore' puts back what was removed")
    if added.games:
        with suppress(ResultprocError), Bar("parts") as bar:  # else who asks awards them
            keep_awarded(_store(archive), Cluster(jobs, progress=bar).run)
    fewer = options.fewer_than(expected, added.files)
    say(fewer)
    sys.exit(status_of_all([*(problem["code"] for problem in added.problems), *(each.code for each in fewer)]))


@command.command("list")
@click.argument("archive")
@click.option("--sources", "by_source", is_flag=True, help="The files instead of the games.")
@click.option("--history", "whole", is_flag=True, help="Also what was replaced or removed, and when.")
@options.as_of
@options.printed_as("text", "csv", "json")
@archive_example("list history --sources")
def list_(archive: str, by_source: bool, whole: bool, as_of: str, to: str) -> None:
    """List the games of an ARCHIVE: date, club, event, game, source, when it was added, and its id."""
    from resultproc.archive.history import CURRENT, GAME, history, rendered, sources
    from resultproc.archive.table import of_archive

    store = _store(archive)
    (games, said), damaged = _without_damaged(store, lambda: (history(store, as_of)[GAME], of_archive(store)))
    games = games if whole else games[games["state"] == CURRENT]
    echo(rendered(sources(games) if by_source else games, to, said), nl=False, to=to)
    if games.empty and not damaged:
        tell("there are no games in this archive" + (" at that time" if as_of else ""))
    _end(damaged)


@command.command()
@click.argument("archive")
@click.argument("names", metavar="GAME|SOURCE...", nargs=-1, required=True)
@archive_example("remove history wed-open-pairs-2012-04-18")
def remove_command(archive: str, names: tuple[str, ...]) -> None:
    """Take games out of an ARCHIVE: a game by its name or id, or all games of a file by its name or SHA-256.

    They stay in its history: --as-of shows them, 'archive add' does not bring them back, 'archive restore' does.
    """
    from resultproc.archive.history import remove

    _show_changed(remove(_store(archive), names), "removed")


@command.command()
@click.argument("archive")
@click.argument("names", metavar="GAME|SOURCE...", nargs=-1, required=True)
@archive_example("restore history wed-open-pairs-2012-04-18", after="remove history wed-open-pairs-2012-04-18")
def restore_command(archive: str, names: tuple[str, ...]) -> None:
    """Put games that you removed, or that others replaced, back into an ARCHIVE, named as for 'archive remove'.

    What replaced a game is replaced by it then.
    """
    from resultproc.archive.history import restore

    _show_changed(restore(_store(archive), names), "restored")


def _show_changed(games: pd.DataFrame, what: str) -> None:
    from resultproc.archive.history import GAME, rendered

    echo(rendered(games[GAME[:5]], "text"), nl=False)
    tell(f"{_games(len(games))} {what}")


@command.command()
@click.argument("archive")
@click.argument("game")
@outputs.report_in("text", "html", "json")
@archive_example("corrections history wed-open-pairs-2012-04-18")
def corrections_command(archive: str, game: str, to: outputs.Output) -> None:
    """Explain each correction of a GAME in an ARCHIVE, as 'amend' does: what it changed, and who gained or lost.

    You name the game as for 'archive remove'; an earlier version of it is as good. Corrected boards are shown as the
    scores that they lead to, for archives keep no boards. A version that cannot be awarded is left out, and reported on
    standard error; the exit status is then 1.
    """
    from resultproc.archive.history import corrections as of_archive
    from resultproc.reports.amend import WRITERS, provenance_of

    store = _store(archive)
    (found, problems), damaged = _without_damaged(store, lambda: of_archive(store, game))
    say(problems)
    remark_on(list(dict.fromkeys(remark for each in found for remark in each.remarks)))
    to.deliver(WRITERS[to.format](found), provenance_of(found))
    _end([*damaged, *problems])


@command.command("gains")
@click.argument("archive")
@options.days_option("Corrections that came from this day on; by default all.", "Corrections that came up to this day.")
@options.printed_as("text", "csv", "json")
@archive_example("gains history --since 2026-01-01 --until 2026-12-31")
def gains_command(archive: str, days: options.Days, to: str) -> None:
    """Show who gained and who lost by corrections in an ARCHIVE: what the games paid before, and what they pay now.

    Each game that was replaced counts with what replaced it, both under the rules of their days. Who is who is told
    from these games, and by aliases.csv.
    """
    from resultproc.archive.history import gains
    from resultproc.archive.persons import People
    from resultproc.archive.table import of_archive

    store = _store(archive)
    own = People(store, ()).own
    ((found, problems), said), damaged = _without_damaged(store, lambda: (gains(store, own, *days), of_archive(store)))
    remark_on(problems)
    _print_points(found, said, to)
    if found.empty and not damaged:
        tell("nobody gained or lost by corrections in that time")
    _end(damaged)


@command.command()
@click.argument("archive")
@archive_example("verify history")
def verify_command(archive: str) -> None:
    """Read all of an ARCHIVE, and compare each game with the hashes that were written with it.

    What is wrong is printed with the part's name, and the exit status is 1.
    """
    from resultproc.archive.history import verify_archive

    store = _store(archive)
    with Bar("parts") as bar:
        parts, games, problems, strays = verify_archive(store, bar)
    say(problems)
    if strays:
        what = "of earlier states of the archive, or of runs which were interrupted"
        tell(f"{counted(len(strays), 'file')} {what}, such as {strays[0]}: no harm is done")
    if not problems:
        echo(in_words(f"{counted(parts, 'file')} with {_games(games)} are as they were written"))
    _end(problems)


@command.command()
@click.argument("archive")
@archive_example("compact history")
def compact_command(archive: str) -> None:
    """Put the small files of an ARCHIVE together, which is then awarded faster.

    Each 'archive add' makes files of its own. The games, their history and what is asked of them stay the same. Files
    that are no longer needed are removed by the first 'archive compact' that comes a week later or more, so that runs
    which read them are not disturbed. 'archive add' does the same where there are many small files.
    """
    from resultproc.archive.table import compact as put_together

    before, after = put_together(_store(archive))
    told = (
        f"{before} files are {after} now" if after < before else f"{counted(after, 'file')}: none can be put together"
    )
    echo(in_words(told))


@command.command()
@click.argument("old")
@click.argument("archive", metavar="NEW")
@options.example("archive upgrade history-2020 history-2026", of="")
def upgrade_command(old: str, archive: str) -> None:
    """Take over an archive of an older version of resultproc, OLD, into a NEW one, with all its history.

    The old one stays as it is. What is in aliases.csv and refused.json is taken over, too.
    """
    from resultproc.archive.older import upgrade

    with Bar("parts") as bar:
        versions, games = upgrade(_store(old), _store(archive), bar)
    more = counted(versions - games, "version")
    echo(in_words(f"{_games(games)} taken over, and {more} that count no more; {old} is as it was"))


def _print_points(rows: pd.DataFrame, said: Provenance, to: str) -> None:
    """Print a table, in a format; its last three columns are hundredths of a masterpoint. said: where it comes from."""
    from resultproc.pages.tables import printed

    points = {name: [Decimal(each).scaleb(-2) for each in rows[name].tolist()] for name in [*rows][-3:]}
    cells = [*zip(*{**plain(rows), **points}.values(), strict=True)]
    echo(printed(to, [*map(str, rows)], cells, said, ours=()), nl=False, to=to)


def _games(number: int) -> str:
    return counted(number, "game")


def _people(archive: str, as_of: str = "") -> tuple[Store, People]:
    """Return an archive, and who is who in it."""
    from resultproc.archive.persons import People
    from resultproc.archive.table import current_parts

    store = _store(archive)
    return store, People(store, current_parts(store, as_of))


@command.command()
@click.argument("archive")
@click.option("--unsure", "only_unsure", is_flag=True, help="Who somebody should decide about, and why.")
@options.as_of
@options.printed_as("text", "csv", "json")
@archive_example("persons history --unsure --to csv")
def persons_command(archive: str, only_unsure: bool, as_of: str, to: str) -> None:
    """List who is who in an ARCHIVE, however their names and member numbers are written.

    What is not sure is for you to decide, in the file aliases.csv in the archive: a line says who somebody is who is
    written so. The columns of --unsure are those of that file: 'is' has how each is counted until you say otherwise.
    """
    from resultproc.archive.table import of_archive
    from resultproc.pages.tables import printed

    def listed() -> tuple[pd.DataFrame, list[str], Provenance]:
        store, known = _people(archive, as_of)
        return known.unsure() if only_unsure else known.persons(), known.idle(), of_archive(store)

    (frame, idle, said), damaged = _without_damaged(_store(archive), listed)
    rows = [*zip(*plain(frame).values(), strict=True)]
    ours = None if only_unsure else ()  # those of aliases.csv are called as it calls them
    echo(printed(to, [str(name) for name in frame], rows, said, ours), nl=False, to=to)
    if only_unsure and frame.empty:
        tell("there is nothing to decide")
    hint = "correct the line, or take it out"
    what = "a line of aliases.csv stands for nobody in this archive: "
    remark_on([Problem(f"{what}{line}", hint=hint, file=archive, code="aliases.idle") for line in idle])
    _end(damaged)


@command.command()
@click.argument("archive")
@click.argument("who", metavar="NAME|NUMBER")
@click.argument("other", metavar="NAME|NUMBER")
@archive_example('join history "Ada Spruce" "Cora Upas"')
def join_command(archive: str, who: str, other: str) -> None:
    """Say that two persons of an ARCHIVE are one: the first is the second.

    The lines that say so are written into aliases.csv in the archive; take them out there if it was a mistake.
    """
    from resultproc.archive.records import person_named

    store, known = _people(archive)
    one, two = (person_named(known, each)[0] for each in (who, other))
    if one["person"] == two["person"]:
        raise InputError(f"{who} and {other} are one person already", file=store.url)
    _say(store, known, one, known.in_lines(two))


def _say(store: Store, known: People, one: dict[str, Any], is_: str, club: str = "") -> None:
    """Write into aliases.csv who somebody is, everywhere or at a club."""
    from resultproc.archive.persons import say_of_people

    lines = known.lines(str(one["person"]), is_, club)
    say_of_people(store, lines)
    names = f"{as_it_is(one['player'])} is {as_it_is(is_)}{f' at {as_it_is(club)}' if club else ''}"
    echo(in_words(f"{names} now: {counted(len(lines), 'line')} more in aliases.csv"))


@command.command()
@click.argument("archive")
@click.argument("who", metavar="NAME|NUMBER")
@click.option("--club", metavar="NAME", required=True, help="The club at which it is somebody else.")
@click.option("--as", "is_", metavar="NAME|NUMBER", default="", help="Who it is there; by default the name with a 2.")
@archive_example('split history "Ben Teak" --club "Invented Bridge Club"')
def split_command(archive: str, who: str, club: str, is_: str) -> None:
    """Say that one person of an ARCHIVE is two: who is written so at a club is somebody else.

    The lines that say so are written into aliases.csv in the archive; take them out there if it was a mistake.
    """
    from resultproc.archive.records import person_named

    store, known = _people(archive)
    one, _ = person_named(known, who)
    _say(store, known, one, is_ or known.another(str(one["player"])), club)


@command.command()
@click.argument("archive")
@click.argument("who", metavar="NAME|NUMBER")
@awards_option(": the awards that count.")
@options.as_of
@outputs.report_in("text", "html", "json")
@archive_example('player history "Ada Birch"', after="add fixtures/series/*.csv --to history")
def player_command(archive: str, who: str, results: str | None, as_of: str, to: outputs.Output) -> None:
    """Show a player's record in an ARCHIVE: games, masterpoints by colour and year, places, partners, best games.

    In place of the archive you may name the folder that 'reprocess' wrote. Without one, every game is awarded under the
    rules of its day first. The record is of the games in the archive, and of no others.
    """
    from resultproc.archive.records import player_record
    from resultproc.reports.record import WRITERS

    found, damaged = _answered(lambda asked, award: player_record(asked, who, award), archive, results, as_of)
    remark_on(found.remarks)
    found = replace(found, remarks=[*damaged, *found.remarks])
    to.deliver(WRITERS[to.format](found), found.provenance)
    _end(damaged)


@command.command("audit")
@click.argument("archive")
@click.argument("statement", type=outputs.results_file)
@click.option("--player", metavar="NAME|NUMBER", default="", help="Whose statement it is.")
@click.option("--club", metavar="NAME", default="", help="The club whose statement it is, if it is not a player's.")
@options.days_option(
    "The first day to compare; by default that of its first line.", "The last day; by default that of its last line."
)
@awards_option(": the awards that count.")
@options.as_of
@outputs.report_in("text", "csv", "json")
@options.example(
    'archive audit history statement.csv --player "Ada Birch" --since 2026-05-01', of=", with a statement of your own"
)
def audit_command(
    archive: str,
    statement: Path | Source,
    player: str,
    club: str,
    days: options.Days,
    results: str | None,
    as_of: str,
    to: outputs.Output,
) -> None:
    """Hold a league's STATEMENT against an ARCHIVE: what is missing, doubled, different or pending, with its rule.

    The statement is a CSV file with the columns date, club, event, points and colour, and a club's with player and
    member, too. Awards of a later day than the last are pending. A line whose game the archive does not have is listed
    as not here. Where anything is missing, doubled or different, the exit status is 3.
    """
    if bool(player) == bool(club):
        raise click.UsageError("say whose statement it is: either --player or --club")
    from resultproc.archive.records import audited
    from resultproc.pages.tables import printed
    from resultproc.reports.audit import read_statement

    source = load_source(statement)
    lines = read_statement(source.data, source.name)
    (found, doubts, provenance), damaged = _answered(
        lambda asked, award: audited(asked, lines, days, award, player=player, club=club), archive, results, as_of
    )
    remark_on(doubts)
    rows = found.found.astype(object).where(found.found.notna(), None).to_numpy().tolist()
    to.deliver(printed(to.format, [*found.found], rows, provenance, ("what", "place")).encode(), provenance)
    tell(f"{found.agreed} of {found.lines} lines from {found.first} to {found.last} are what the games pay")
    counts = found.counts()
    if any(counts.values()):
        tell(", ".join(f"{count} {what}" for what, count in counts.items() if count))
    _end(damaged, DIFFERENCES if any(counts[what] for what in ("missing", "doubled", "different")) else 0)


@command.command()
@click.argument("archive")
@options.days_option("The games from this day on; by default all.", "The games up to this day.")
@click.option(
    "--late",
    metavar="DAYS",
    type=click.IntRange(0),
    default=7,
    show_default=True,
    help="How many days after its day a game may come to the archive; then it is late.",
)
@awards_option(", which says what is wrong or doubtful.")
@options.expecting
@outputs.report_in("text", "html", "json")
@archive_example("health history --since 2012-01-01 -o health.html")
def health_command(
    archive: str,
    days: options.Days,
    late: int,
    results: str | None,
    expected: int | None,
    to: outputs.Output,
) -> None:
    """Show how the clubs of an ARCHIVE keep up: files, those refused, games not awarded, doubtful or late.

    In place of the archive you may name the folder that 'reprocess' wrote. Without one, every game is awarded under the
    rules of its day first. Clubs without a game of these days are listed as well. A file that 'archive add' could not
    read is refused until it is added, or gone from its folder when 'archive add' reads that again.
    """
    from resultproc.archive.records import health_of
    from resultproc.reports.audit import WRITERS

    found, damaged = _answered(lambda asked, award: health_of(asked, days, late, award), archive, results)
    remark_on(found.remarks)
    found = replace(found, remarks=(*damaged, *found.remarks))
    to.deliver(WRITERS[to.format](found), found.provenance)
    fewer = options.fewer_than(expected, found.total()["files"])
    say(fewer)
    _end([*damaged, *fewer])


_ANSWERS = {"text": ".txt", "csv": ".csv", "json": ".json", "xlsx": ".xlsx", "parquet": ".parquet"}
"""The formats of answers, with the endings of their files."""


@command.command("query")
@click.argument("archive")
@click.argument("sql", metavar="[SELECT]", default="")
@click.option("--file", "file", type=outputs.results_file, help="Read the SELECT from this file; - for standard input.")
@awards_option(": the awards that you ask for.")
@click.option(
    "--with",
    "runs",
    metavar="NAME=FOLDER",
    multiple=True,
    callback=_named_runs,
    help="More that it wrote, to ask for as NAME.awards; give it again for more.",
)
@options.as_of
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=float,
    callback=options.some_time,
    help="How long the SELECT may take, once all is read and awarded.",
)
@click.option("--to", type=click.Choice([*_ANSWERS]), help="How to print or write it; by default text.")
@outputs.output_option
@archive_example('query history "SELECT club, sum(masterpoints) FROM awards GROUP BY club"')
def query_command(
    archive: str,
    sql: str,
    file: Path | Source | None,
    results: str | None,
    runs: dict[str, str],
    as_of: str,
    timeout: float | None,
    to: str | None,
    output: Path | None,
) -> None:
    """Ask an ARCHIVE, or the folder that 'reprocess' wrote, in SQL.

    The views are awards, players, candidates, problems, remarks, games and contestants; 'resultproc archive columns'
    lists their columns. The awards are those of --results, or of the folder that you name in place of the archive.
    Without either, every game is awarded under the rules of its day first. Awards of several runs go into one question
    with --with. A query is one SELECT, which DuckDB runs over these views alone; DESCRIBE and SUMMARIZE work, too.
    """
    on_screen = output is None or output == outputs.STREAM
    if to is None and output is not None and not on_screen:
        to = next((format for format, ending in _ANSWERS.items() if ending == output.suffix.lower()), None)
        if to is None:
            raise click.UsageError(f"'{output}' tells no format: end it in {', '.join(_ANSWERS.values())}, or say --to")
    if to == "parquet" and on_screen and sys.stdout.isatty():
        raise click.UsageError("Parquet cannot be shown on the screen; write it with -o answer.parquet")
    answer_to = outputs.Output(to or "text", output)
    outputs.check_output(output, answer_to.format)
    if bool(sql) == bool(file):
        raise click.UsageError("write one SELECT, or name the file that has it with --file")
    sql = outputs.utf8_text(file, "save the query as text") if file else sql
    from resultproc.archive.query import query

    as_table = answer_to.format == "parquet"
    answer, damaged = _answered(
        lambda asked, award: query(asked, sql, award, timeout, as_table=as_table), archive, results, as_of, runs
    )
    remark_on(answer.remarks)
    answer_to.deliver(answer.written(answer_to.format), answer.provenance)
    _end(damaged)


@command.command("whatif")
@click.argument("archive")
@click.option(
    "--set",
    "values",
    metavar="PATH=VALUE",
    multiple=True,
    required=True,
    help="A value of the rulebooks, as 'rules show' names it, e.g. section.cap.club-open=2.00; give it again for more.",
)
@click.option("--where", default="", metavar="CONDITION", help="Which games, e.g. 'date == 1997'.")
@options.printed_as("text", "csv", "json")
@archive_example('whatif history --set section.cap.club-open=0.80 --where "date == 2012"')
def whatif_command(archive: str, values: tuple[str, ...], where: str, to: str) -> None:
    """Show what the games of an ARCHIVE would have been paid with other values in the rulebooks of their days.

    A row is a year and rating: how many games were awarded again, how many awards of contestants would be lower or
    higher, what all were, would be, and the difference. A path stands for all values whose paths begin with it.
    """
    said = {name.strip(): value.strip() for name, _, value in (each.partition("=") for each in values)}
    if "" in {*said, *said.values()} or len(said) < len(values):
        raise click.BadParameter("write a path and a value, each path once: section.rate.club-open=0.12")
    from resultproc.archive.table import of_archive
    from resultproc.archive.whatif import paid_otherwise, written_value

    of_values = {name: written_value(value) for name, value in said.items()}

    def compared(asked: Queried, award: Callable[[], Store]) -> tuple[pd.DataFrame, int, Provenance]:
        store = _store(asked.archive)
        return *paid_otherwise(store, award(), of_values, where), of_archive(store)

    (rows, failed, provenance), damaged = _answered(compared, archive)
    _print_points(rows, provenance, to)
    if failed:
        remark_on([Problem(f"{_games(failed)} could not be awarded with these values", code="games.left-out")])
    _end(damaged)


@command.command("export")
@click.argument("archive")
@click.argument("to", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@awards_option(": the awards that are in the database.")
@options.as_of
@archive_example("export history history.sqlite")
def export_command(archive: str, to: Path, results: str | None, as_of: str) -> None:
    """Write an ARCHIVE, or the folder that 'reprocess' wrote, as a database: a DuckDB or SQLite FILE, by its ending.

    Its tables are the views of 'resultproc archive query', with keys and indexes; the table columns says what each
    column means, and the table about where it all comes from. The awards are those of --results, or of the folder that
    you name in place of the archive. Without either, every game is awarded under the rules of its day first.
    """
    from resultproc.archive.export import export, format_of

    format_of(to)
    remarks, damaged = _answered(lambda asked, award: export(asked, award, to), archive, results, as_of)
    remark_on(remarks)
    _end(damaged)


@command.command()
@options.printed_as("text", "csv", "json")
@options.example("archive columns", of="")
def columns(to: str) -> None:
    """List the columns that 'archive query' knows: their view, type and meaning; then those of the Parquet files."""
    from resultproc.archive.views import VIEWS, as_views
    from resultproc.pages.tables import printed

    views = (*VIEWS.values(), *as_views())
    rows = [(view.name, each.shown, each.type, each.meaning) for view in views for each in view.columns]
    echo(printed(to, ("view", "column", "type", "meaning"), rows, Provenance()), nl=False)
