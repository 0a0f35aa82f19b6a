"""``resultproc generate``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import echo
from resultproc.cli.options import example

_KINDS = ("club", "online", "tournament", "strength", "knockout")


@click.command()
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, metavar="N", help="The same seed makes the same games."
)
@click.option("--kind", type=click.Choice(_KINDS), required=True, help="What games to make.")
@click.option("--games", type=click.IntRange(1, 999), default=10, show_default=True, metavar="N", help="How many.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write them to.",
)
@example("generate --seed 1 --kind club -o random-games", of="")
def command(seed: int, kind: str, games: int, output: Path) -> None:
    """Make random games, a CSV file each, to try this program or another with.

    Each rulebook of the kind has its turn, and many games are of a day on which the rules change, or of the day before.
    There are ties, half tables, strata, contestants who are not eligible, and games so large that caps are reached.
    'strength' is events that are paid by the strength of the field, since 2021; 'tournament' is those before.

    A file that is there already is not overwritten.
    """
    from resultproc.reports.generate import generate, write_games

    made = generate(kind, seed, games)
    write_games(output, made)
    for name, each in made.items():
        keys = each.keys
        what = ", ".join(filter(None, (keys["date"], keys["rating"], keys["event_type"], keys.get("special"))))
        echo(f"{output / name}: {what}, {len(each.rows)} contestants")
