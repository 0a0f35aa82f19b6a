"""``resultproc explain``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.options import game_keys, reading, results_file


@click.command()
@click.argument("game", type=results_file)
@click.argument("contestant")
@click.option("--game", "game_id", metavar="ID", help="Which game, if the file has several.")
@click.option(
    "--to", type=click.Choice(["text", "html", "html-fragment", "json"]), default="text", help="How to print it."
)
@reading
@game_keys
def command(game: Path, contestant: str, game_id: str | None, to: str, format_: str | None, **keys: str) -> None:
    """Explain the award of one CONTESTANT: every place it has, what it pays by which rule, and which one counts.

    Name the contestant by section, direction and number: A-NS-6, or A-6 in a one-winner section. You may leave the
    section out if there is only one.

    \b
    Example, from the project's folder:
      resultproc explain fixtures/wed-open-pairs-2012-04-18.csv A-NS-6
    """
    from resultproc.model.errors import InputError
    from resultproc.reports.explain.explain import explain, find
    from resultproc.reports.explain.output import PRINTERS
    from resultproc.stages.pipeline import process

    result = process(game, format=format_, **keys)
    try:
        row = find(result, contestant, game_id)
    except InputError as error:
        raise error.in_file(game.name) from None
    click.echo(PRINTERS[to](result, explain(result, row)), nl=False)
