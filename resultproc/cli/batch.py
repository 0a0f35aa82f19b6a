"""Award many files, and all files in folders, into the folder OUTPUT.

Each file's results are written whole or not at all, and keep the subfolders of a folder. A file that cannot be
awarded is copied to OUTPUT/failed, and the others go on; the exit status is then 1. OUTPUT/report.json lists every
file with its results, problems and remarks. Remarks are on standard error, too, and with --strict such a file is
not awarded either. What one run has done, the next does not do again, so you can interrupt it at any time.
Results that were changed are written again, and those of files that are gone from a folder are removed. With
--watch, a file is processed once it has not changed for that long; of table devices, whose database says what is
to come, you see the ranks so far until all results are there: nothing is awarded or published before. What is to
be mended is then on the page OUTPUT/to-do.html, which goes away when it is. --name calls
results by what is known of their games; two of one name are both refused. With --index, the folder is a site:
index.html and a page for each month list its pages of games, which are linked and show no remarks; with --players,
each player has a page, too.
With --publish, the games go to results sites, as with publish, where your settings allow that with publish = true
below [site.NAME]; the report has the receipts. With --index, a site of your own gets all pages, the lists last.

\b
Example, from the project's folder:
  resultproc batch fixtures/*.csv -o results --to json,xlsx
"""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from resultproc.cli import messages
from resultproc.cli.messages import REMARK, Bar, say, tell
from resultproc.cli.options import doubting, expecting, fewer_than, game_key_options, limiting, public_option, reading
from resultproc.cli.outputs import formats_of, inputs_of_files, naming
from resultproc.cli.publish import accounts, receipts_file
from resultproc.model.codes import status_of_all, worst
from resultproc.model.errors import Problem, ResultprocError, resultproc_error
from resultproc.model.files import output_errors, write_bytes
from resultproc.model.text import counted

if TYPE_CHECKING:
    from resultproc.batch.run import Tally
    from resultproc.formats.write import NamePattern
    from resultproc.model.file_limits import FileLimits


@click.command(help=__doc__)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=inputs_of_files)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--to", metavar="FORMATS", help="The formats to write, such as json,text,xlsx; by default json.")
@naming
@click.option("--index", is_flag=True, help="List all pages in OUTPUT/index.html, and those of each month.")
@click.option("--findable", is_flag=True, help="Let search engines have what --index lists.")
@click.option("--players", is_flag=True, help="Give each player a page, which --index lists.")
@click.option("--publish", "names", metavar="SITE[,SITE]", help="Send the games to these results sites, each once.")
@receipts_file
@expecting
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processors to use.")
@click.option(
    "--watch", type=click.IntRange(1), metavar="SECONDS", help="Look for new files this often, until stopped."
)
@click.option("--metrics", type=click.Path(dir_okay=False, path_type=Path), help="Write the numbers of the run here.")
@limiting
@click.option("--log", type=click.Choice(["text", "json"]), expose_value=False, help="As --errors, with the time.")
@doubting
@public_option
@reading
@game_key_options
def command(
    inputs: tuple[Path, ...],
    output: Path,
    to: str | None,
    pattern: NamePattern | None,
    index: bool,
    findable: bool,
    players: bool,
    names: str | None,
    kept: Path,
    expected: int | None,
    jobs: int,
    watch: int | None,
    metrics: Path | None,
    limits: FileLimits,
    strict: bool,
    shown: bool,
    public: bool,
    format: str | None,
    **keys: str,
) -> None:
    """Award many files into a folder, as the help above says."""
    from resultproc.batch.chunks import Settings
    from resultproc.batch.ledger import DamagedLedgerError
    from resultproc.batch.naming import REPORT
    from resultproc.batch.run import run
    from resultproc.batch.sent import Publishing
    from resultproc.formats.found import Glance
    from resultproc.site.index import Index

    gc.set_threshold(500_000)  # nearly all that is known of ten thousand files is used, too: to look takes long
    formats = formats_of(to, pattern, "json")
    _refuse_together(formats, index, findable, players, expected, watch)
    if metrics:
        _refuse_among_games(metrics, inputs, output)
    lists = Index(findable, players) if index else None
    publishing = Publishing(accounts(names, keys.get("settings")), kept) if names else None
    if publishing and not lists and any(site.sent == "folder" for site, _ in publishing.to):
        tell("the folder gets the page of each game alone, and no list of them: --index --to html sends them, too")
    declared = {name: value for name, value in keys.items() if value is not None}
    settings = Settings(format, formats, declared, strict, shown, public, pattern, watched=bool(watch), limits=limits)

    def look() -> Tally:
        with Bar("files") as bar:

            def show(tally: Tally) -> None:
                bar(tally.done, tally.files, f"{tally.games} games, {tally.failed} failed")

            once = partial(run, inputs, output, settings, jobs, show, watch or 0, lists, publishing)
            try:
                return once()
            except DamagedLedgerError as error:  # of which another one has begun
                say(error.problems, REMARK)
                return once()

    summary = unwritten = ""
    watched = [*inputs, *([settings.club] if settings.club else [])]
    while True:
        # After an hour there is another run where no input changes, too: it sees what became of the results.
        before, ends = Glance(watched) if watch else None, time.monotonic() + 3600
        passing = bool(watch and summary)  # of the first look an error is a slip
        with _metrics_after_error(metrics):
            tally, summary = _looked(look, output / REPORT, summary, watched=bool(watch))
        if metrics and tally:
            unwritten = _write_metrics(metrics, tally, unwritten, passing=passing)
        if before is None:
            break
        time.sleep(watch or 0)
        while tally and tally.at_rest and not unwritten and before.is_same() and time.monotonic() < ends:
            time.sleep(watch or 0)
    assert tally is not None
    fewer = fewer_than(expected, len(tally.inputs))
    say(fewer)
    sys.exit(worst([tally.status, status_of_all(each.code for each in fewer)]))


def _write_metrics(file: Path, tally: Tally, before: str, *, passing: bool) -> str:
    """Write the numbers of a run; where that cannot be, and may pass, return why, and tell it if it was not before."""
    from resultproc.batch.metrics import metrics

    try:
        write_bytes(file, metrics(tally.report(), tally.newest))
    except ResultprocError as error:
        if not passing:
            raise
        if str(error) != before:
            say(error.problems)
        return str(error)
    return ""


@contextmanager
def _metrics_after_error(file: Path | None) -> Iterator[None]:
    """Write into the file of a run's numbers, if any, with which exit status an error ends it."""
    try:
        yield
    except Exception as error:
        if file:
            from resultproc.batch.metrics import after_error

            try:
                with output_errors("it cannot be read", file):
                    before = file.read_bytes() if file.is_file() and file.stat().st_size < _MOST_BYTES else b""
                write_bytes(file, after_error(before, resultproc_error(error).status))
            except ResultprocError as besides:  # the run's own error says more, and what its status is
                say(besides.problems)
        raise


_MOST_BYTES = 1_000_000
"""No run's numbers have as many: another program has written such a file, and it is not read."""


def _refuse_together(
    formats: Sequence[str], index: bool, findable: bool, players: bool, expected: int | None, watch: int | None
) -> None:
    """Refuse, as wrong usage, options that do not go together, or that need another."""
    if expected and watch:
        raise click.UsageError("--expect counts the files of one run, and --watch goes on")
    if index and "html" not in formats:
        raise click.UsageError("--index lists pages: write them with --to html")
    for name, asked in (("--findable", findable), ("--players", players)):
        if asked and not index:
            raise click.UsageError(f"{name} goes with --index")


def _refuse_among_games(metrics: Path, inputs: Sequence[Path], output: Path) -> None:
    """Refuse a file of numbers that the next run would read as a game, or that would be written over one."""
    path = metrics.resolve()
    among = any(path.is_relative_to(each.resolve()) for each in inputs)
    if among and not path.is_relative_to(output.resolve()):
        raise click.UsageError(f"'{metrics}' is one of the inputs; write to another file")


def _looked(look: Callable[[], Tally], report: Path, before: str, *, watched: bool) -> tuple[Tally | None, str]:
    """Return the outcome of a look at the inputs, and the summary of it; tell both where they are not as before.

    Where files are watched, an error that the next look may not find does not end it, except in the first look.
    """
    try:
        tally = look()
    except ResultprocError as error:
        if not (watched and before and {each.code for each in error.problems} <= _PASSING):
            raise
        if str(error) != before:
            say(error.problems)
        return None, str(error)
    summary = _summary(tally, report)
    if not watched or ((tally.files or tally.removed) and summary != before):
        say(*_remarks(tally))
        most = None if messages.STYLE.for_programs else 1  # people get the first one of each file: the report has all
        wrong = [*tally.failures, *tally.published]
        say(_problem(file["file"], each) for file in wrong for each in file["problems"][:most])
        tell(summary)
        if messages.STYLE.timed:
            ran = tally.record()
            tell(f"the run began {ran['began']}, took {ran['seconds']} s, and its exit status is {ran['status']}")
            if tally.earlier and "ended" not in tally.earlier:
                tell(f"the run before, which began {tally.earlier['began']}, was broken off")
    return tally, summary


def _remarks(tally: Tally) -> tuple[list[Problem], str, int]:
    """Return remarks to tell: for people the first ones, and how many there are besides."""
    told: list[Problem] = []
    first = besides = 0
    for file, number in zip(tally.doubtful, tally.own_remarks, strict=True):
        if number and first >= messages.MOST and not messages.STYLE.for_programs:
            besides += number
        else:
            first += number
            told += [_problem(file["file"], each) for each in file["remarks"]]
    return told, REMARK, besides


_PASSING = {"input.absent", "again.locked", "again.network"}
"""What a look at watched folders may find, and the next one not: a disk that is not there, another run at work."""


def _problem(file: str, entry: Mapping[str, Any]) -> Problem:
    """Return an entry of the report as a problem of its file, or of one beside that, by its path."""
    of = entry.get("file") or file
    of = of if of == file else str(PurePath(file).with_name(of))
    where = entry["where"].removeprefix(file).removeprefix(": ")
    rows = Problem.rows_of(entry)
    return Problem(entry["what"], where, entry["hint"], of, code=entry["code"], rows=rows)


def _summary(tally: Tally, report: Path) -> str:
    text = f"{counted(tally.done, 'file')} with {counted(tally.games, 'game')}, {tally.failed} failed"
    text += f"; {tally.before} done before"
    text += f"; {len(tally.same)} with the same content as another" if tally.same else ""
    text += f"; {tally.likely} doubtful" if tally.likely else ""
    text += f"; {counted(len(tally.removed), 'outdated result')} removed" if tally.removed else ""
    text += f"; {counted(len(tally.left), 'outdated result')} left" if tally.left else ""
    count = Counter(each["state"] for each in tally.published)
    others = count.total() - count["sent"] - count["removed"]
    text += f"; {count['sent']} published, {others} not" if tally.published else ""
    text += f"; {count['removed']} removed there" if count["removed"] else ""
    return text + (f"; {report} says what is wrong" if tally.failures or tally.published else "")
