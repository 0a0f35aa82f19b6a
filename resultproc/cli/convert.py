"""``resultproc convert``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.options import game_key_options, reading
from resultproc.cli.outputs import (
    STREAM,
    Delivery,
    Output,
    deliver,
    delivering,
    file_to_write,
    first_format,
    format_to_write,
    refuse_unable,
    results_file,
)
from resultproc.formats.source import load_source
from resultproc.model.plugins import names


@click.command()
@click.argument("source", metavar="IN", type=results_file)
@click.argument("target", metavar="OUT", type=file_to_write)
@click.option(
    "--to", type=click.Choice(names("writers")), help="The format to write; by default the extension of OUT decides."
)
@delivering
@reading
@game_key_options
def command(
    source: Path,
    target: Path,
    to: str | None,
    delivery: Delivery,
    deals: str | None,
    format: str | None,
    **keys: str,
) -> None:
    """Read IN in one format and write OUT in another; nothing is ranked or awarded.

    IN may be - for standard input, and OUT - for standard output; --to then names the format.

    \b
    Example, from the project's folder:
      resultproc convert fixtures/wed-open-pairs-2012-04-18.txt game.csv
    """
    site = delivery.site
    to = format_to_write(target, to or first_format(site, target), [source])
    plan = [Output(to, None if target == STREAM else target)]
    refuse_unable(plan, delivery)

    from resultproc.formats.read import drafted
    from resultproc.stages.pipeline import doubted, with_boards_doubted

    taken = load_source(source, keys.pop("settings", None), keys.pop("players", None), deals)
    draft = drafted(taken, format=format, site=site.id if site else None, **keys)
    sheet = doubted(with_boards_doubted([draft]))
    deliver(sheet.unranked(), plan, [taken], format, delivery)
