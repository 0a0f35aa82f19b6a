"""``resultproc amend``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from resultproc.cli.messages import remark_on
from resultproc.cli.options import example, game_key_options, knowing_players, reading, strictness
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.model.codes import FALLS


@click.command()
@click.argument("old", type=results_file)
@click.argument("new", type=results_file)
@report_in("text", "xlsx", "html", "json")
@strictness
@knowing_players
@reading
@game_key_options
@example("amend fixtures/made-wednesday.csv fixtures/corrected-wednesday.csv")
def command(old: Path, new: Path, to: Output, strict: bool, **keys: str) -> None:
    """Explain the correction of a game: what differs between the OLD file and the NEW one, and who gains or loses.

    For everyone whose places or masterpoints change you see the corrections that did it, the fewest that do. The old
    masterpoints are those that the OLD file prints, or, where it prints none, those that it is awarded. Players are
    followed by member number, else by name: you see who gains or loses by changing pairs, with both pairs.

    The exit status is 4 if anybody has fewer masterpoints than before.
    """
    from resultproc.reports.amend import WRITERS, amend, provenance_of

    found = amend(old, new, as_printed=True, **keys)
    remark_on([remark for each in found for remark in each.remarks], strict=strict)
    to.deliver(WRITERS[to.format](found), provenance_of(found))
    sys.exit(FALLS if any(each.lowers for each in found) else 0)
