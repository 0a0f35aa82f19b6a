"""``resultproc check``."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import click

from resultproc.cli.messages import remark_on, say
from resultproc.cli.options import (
    example,
    game_key_options,
    knowing_deals,
    knowing_players,
    reading,
    rescoring,
    strictness,
)
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.model.codes import DIFFERENCES, status_of_all


@click.command()
@click.argument("sheets", nargs=-1, required=True, type=results_file)
@report_in("text", "csv", "xlsx", "html", "json")
@strictness
@rescoring
@knowing_players
@knowing_deals
@reading
@game_key_options
@example(
    "check fixtures/wed-open-pairs-2012-04-18.txt",
    "check fixtures/made-wednesday.json fixtures/made-charity.json -o differences.html",
)
def command(sheets: tuple[Path, ...], to: Output, strict: bool, **keys: str) -> None:
    """Compare what SHEETS print with what the rulebook and their boards give.

    Ranks and awards are checked, and where a file has the results of boards also matchpoints or IMPs, scores and
    percentages. Every difference is listed with the reason for the computed value, and for every file how much agrees.

    A file that cannot be read is reported on standard error, and the others are checked. The exit status is 1 if there
    is such a file, else 3 if there is any difference.
    """
    from resultproc.reports.check import WRITERS, check

    found = check(*sheets, **keys)
    for _, problems in groupby(found.problems, lambda problem: problem.file):
        say(problems)
    remark_on(found.remarks, strict=strict)
    to.deliver(WRITERS[to.format](found), found.provenance)
    sys.exit(status_of_all(each.code for each in found.problems) or (DIFFERENCES if len(found.differences) else 0))
