"""``resultproc explain``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import remark_on
from resultproc.cli.options import example, game_key_options, knowing_deals, knowing_players, reading
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.model.errors import InputError


@click.command()
@click.argument("game", type=results_file)
@click.argument("contestant", required=False)
@click.option("--game", "game_id", metavar="ID", help="Which game, if the file has several.")
@report_in("text", "html", "json")
@knowing_players
@knowing_deals
@reading
@game_key_options
@example(
    "explain fixtures/wed-open-pairs-2012-04-18.csv A-NS-6",
    'explain fixtures/wed-open-pairs-2012-04-18.csv "Mortimer Sams"',
    "explain fixtures/wed-open-pairs-2012-04-18.csv",
)
def command(
    game: Path,
    contestant: str | None,
    game_id: str | None,
    to: Output,
    **keys: str,
) -> None:
    """Explain the award of one CONTESTANT: every place it has, what it pays by which rule, and which one counts.

    Name the contestant by section, direction and number: A-NS-6, or A-6 in a one-winner section; or by a player:
    "Ann Lee". You may leave the section out if there is only one. Without a contestant you get a list of who is there.
    Remarks on the game are shown on standard error, as they are by award.
    """
    from resultproc.people.seated import check_game, find
    from resultproc.reports.explain import LIST_WRITERS, WRITERS, explain
    from resultproc.stages.pipeline import process

    result = process(game, **keys)
    try:
        if contestant is None:
            check_game(result, game_id)
            to.deliver(LIST_WRITERS[to.format](result, game_id), result.provenance)
            return
        row = find(result, contestant, game_id)
    except InputError as error:
        raise error.in_file(game.name) from None
    own = {"", str(result.contestants["game_id"].iloc[row])}
    remark_on(remark for remark in result.remarks if remark.game in own)
    to.deliver(WRITERS[to.format](result, explain(result, row)), result.provenance)
