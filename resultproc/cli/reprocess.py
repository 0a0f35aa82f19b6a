"""Award every game of an ARCHIVE, under the rules of its day or those you name.

The output has the awards, the candidates, the problems and the remarks as Parquet, the awards of players where
those of a team differ, and summary.html. The summary is also printed: per year, rating and stratum the points,
how many awards agree with the printed ones and, with --rules, how many differ from those under the rulebook in
force. What an interrupted run has done is not done again. If games cannot be awarded, the others are; the first
reasons are printed, all are in the problems, and the exit status is 1.

\b
Example, after 'resultproc archive add fixtures/*.csv --to history':
  resultproc reprocess history -o results
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import ERROR, REMARK, Bar, echo, remark_on, say, tell
from resultproc.cli.options import as_of, printed_as, strictness
from resultproc.model.codes import status_of_all
from resultproc.model.errors import MOST_QUOTED, closest
from resultproc.model.keys import KEYS, declared_value

if TYPE_CHECKING:
    import pandas as pd

    from resultproc.model.provenance import Provenance


def _assumed(context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Return the keys that are assumed; raise BadParameter for one that is none, twice there, or has no such value."""
    found: dict[str, str] = {}
    for each in given:
        name, _, value = each.partition("=")
        key = name.strip().replace("-", "_")
        if key == "rulebook":
            raise click.BadParameter("the rulebook is named with --rules", context, option)
        if key not in KEYS or key in found:
            what = f"'{name}' is there twice" if key in found else f"unknown key '{name}'; {closest(key, KEYS)}"
            raise click.BadParameter(what, context, option)
        try:
            found[key] = declared_value(key, value)
        except ValueError as error:
            raise click.BadParameter(f"{key}: {error}", context, option) from None
    return found


@click.command(help=__doc__)
@click.argument("archive")
@click.option("-o", "--output", required=True, help="The folder or location to write.")
@click.option("--rules", metavar="ID", help="The rulebook for every game: an id or a TOML file.")
@click.option("--where", default="", metavar="CONDITION", help="Which games, e.g. 'date >= 1998 and tables > 12'.")
@click.option(
    "--set",
    "assumed",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_assumed,
    help="What is assumed of games that do not say it, e.g. boards=24; give it again for more.",
)
@as_of
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to work in.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler to use instead, e.g. tcp://host:8786.")
@strictness
@printed_as("text", "csv", "json")
def command(
    archive: str,
    output: str,
    rules: str | None,
    where: str,
    assumed: dict[str, str],
    as_of: str,
    jobs: int,
    scheduler: str | None,
    strict: bool,
    to: str,
) -> None:
    """Award an archive under a rulebook, as the help above says."""
    from resultproc.archive.reprocess import Task, codes_in, problems_in, remarks_in, reprocess
    from resultproc.archive.store import Store
    from resultproc.archive.table import of_run, without_damaged
    from resultproc.archive.tallies import remarks_of_rulebooks, write_summary
    from resultproc.model.work import Cluster
    from resultproc.reports.summary import printed_summary

    def begun(done: int, parts: int) -> None:
        if done:
            tell(f"{done} of {parts} parts were done before, and are not done again")

    task = Task(archive, output, rules, where, as_of, strict, assumed=assumed)
    store, done = Store(archive), Store(output)

    def awarded() -> tuple[pd.DataFrame, Provenance]:
        with Bar("parts") as bar:
            cluster = Cluster(jobs, scheduler, bar)
            summary = reprocess(task, cluster.run, begun, cluster.ready)
        write_summary(task, summary)
        return summary, of_run(store, done)

    with dask_told() if scheduler else nullcontext():
        (summary, provenance), damaged = without_damaged(store, awarded)
    say(damaged)
    remark_on(remarks_in(output, MOST_QUOTED))
    echo(printed_summary(summary, to, provenance, remarks_of_rulebooks(done)), nl=False, to=to)
    failed = int(summary["failed"].sum())
    if failed:
        say(problems_in(output, 10))  # so many reasons are shown
        every = failed + int(summary["games"].sum())
        tell(
            f"{failed} of {every} games could not be awarded; why is in {done.anywhere}/problems",
            ERROR,
            "games.left-out",
        )
    if failed or damaged:
        sys.exit(status_of_all([*codes_in(output), *(each.code for each in damaged)]))


class LoggedAsRemarks(logging.Handler):
    """What is logged, told as remarks are."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it."""
        tell(record.getMessage(), REMARK)


@contextmanager
def dask_told() -> Iterator[None]:
    """Tell what Dask warns of or logs as all else is told: by itself it prints that, in lines of its own."""
    import distributed  # noqa: F401 - it sets up its loggers

    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    before = [(logger, logger.handlers) for logger in loggers if logger.handlers or logger is logging.root]
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: tell(str(message), REMARK)
        for logger, _ in before:
            logger.handlers = [LoggedAsRemarks(logging.WARNING)]
        try:
            yield
        finally:
            for logger, handlers in before:
                logger.handlers = handlers
