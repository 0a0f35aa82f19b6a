"""``resultproc reprocess``."""

from __future__ import annotations

import click

from resultproc.cli.extras import cluster_extra
from resultproc.cli.messages import remark_on
from resultproc.cli.options import strictness
from resultproc.cli.progress import Bar


@click.command()
@click.argument("archive")
@click.option("-o", "--output", required=True, help="The folder or location to write.")
@click.option("--rules", metavar="ID", help="The rulebook for every game: an id or a TOML file.")
@click.option("--where", default="", metavar="CONDITION", help="Which games, e.g. 'date >= 1998 and rating == stac'.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processors to use.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler to use instead, e.g. tcp://host:8786.")
@strictness
@click.option("--to", type=click.Choice(["text", "csv", "json"]), default="text", help="How to print the summary.")
def command(
    archive: str,
    output: str,
    rules: str | None,
    where: str,
    jobs: int,
    scheduler: str | None,
    strict: bool,
    to: str,
) -> None:
    """Award every game of an ARCHIVE, under the rules of its day or those you name.

    The output has the awards, the candidates, the problems and the remarks as Parquet, the awards of players where
    those of a team differ, and summary.html. The summary is also printed: per year, rating and stratum the points,
    how many awards agree with the printed ones and, with --rules, how many differ from those under the rulebook in
    force. What an interrupted run has done is not done again.

    \b
    Example, after 'resultproc archive add fixtures/*.csv --to history':
      resultproc reprocess history -o results
    """
    with cluster_extra():
        from resultproc.batch.cluster import Cluster
        from resultproc.batch.reprocess import Task, remarks_in, reprocess
        from resultproc.batch.store import Store
        from resultproc.reports.summary.summary import page, printed

    with Bar("parts") as bar:
        summary = reprocess(Task(archive, output, rules, where, strict=strict), Cluster(jobs, scheduler, bar).run)
    remark_on(remarks_in(output))
    Store(output).write_text("summary.html", page(summary))
    click.echo(printed(summary, to), nl=False)
