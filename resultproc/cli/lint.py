"""``resultproc lint``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from resultproc.cli.messages import say
from resultproc.cli.options import (
    example,
    game_key_options,
    knowing_deals,
    knowing_players,
    reading,
    rescoring,
    site_option,
)
from resultproc.cli.outputs import Output, report_in, results_file, site_named
from resultproc.model.codes import DIFFERENCES, status_of_all


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=results_file)
@report_in("text", "html", "json")
@click.option("--understood", is_flag=True, help="Show what columns and titles were taken for, and why.")
@site_option
@rescoring
@knowing_players
@knowing_deals
@reading
@game_key_options
@example("lint fixtures/wed-open-pairs-2012-04-18.csv")
def command(files: tuple[Path, ...], to: Output, understood: bool, site: str | None, **keys: str) -> None:
    """List what is doubtful about each FILE, and what would settle it.

    Nothing is awarded, and a file need not say all that awards depend on. The exit status is 3 where anything is
    doubtful, and 1 where a file cannot be read. With --understood it shows first what was read as what: each column
    and title, and the first and last contestant of each section and direction. With --for it lists besides what a
    results site would refuse, and what it would lose.
    """
    from resultproc.reports.lint import WRITERS, lint

    taker = site_named(site)
    found = lint(*files, understood=understood, site=taker.id if taker else None, **keys)
    if taker:
        from resultproc.publish.taken import told

        found = replace(found, remarks=[*found.remarks, *told(files, taker, **keys)])
    if found.problems:
        say(found.problems)
    to.deliver(WRITERS[to.format](found), found.provenance)
    sys.exit(status_of_all(each.code for each in found.problems) or (DIFFERENCES if found.remarks else 0))
