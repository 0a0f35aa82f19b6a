"""``resultproc convert``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.options import (
    analysing,
    doubting,
    for_site,
    game_keys,
    knowing_deals,
    knowing_players,
    published,
    reading,
    recapped,
    rescoring,
    timing,
)
from resultproc.cli.outputs import (
    STREAM,
    Doubting,
    Output,
    deliver,
    file_to_write,
    first_format,
    format_to_write,
    refuse_makeable,
    refuse_recap,
    results_file,
    site_named,
)
from resultproc.model.plugins import names


@click.command()
@click.argument("source", metavar="IN", type=results_file)
@click.argument("target", metavar="OUT", type=file_to_write)
@click.option(
    "--to", type=click.Choice(names("writers")), help="The format to write; by default the extension of OUT decides."
)
@for_site
@doubting
@published
@recapped
@timing
@rescoring
@knowing_players
@knowing_deals
@analysing
@reading
@game_keys
def command(
    source: Path,
    target: Path,
    to: str | None,
    site: str | None,
    strict: bool,
    shown: bool,
    public: bool,
    recap: bool,
    timed: bool,
    deals: str | None,
    makeable: bool,
    format_: str | None,
    **keys: str,
) -> None:
    """Read IN in one format and write OUT in another; nothing is ranked or awarded.

    IN may be - for standard input, and OUT - for standard output; --to then names the format.

    \b
    Example, from the project's folder:
      resultproc convert fixtures/wed-open-pairs-2012-04-18.txt game.csv
    """
    taker = site_named(site)
    to = format_to_write(target, to or first_format(taker, target), [source])
    plan = [Output(to, None if target == STREAM else target)]
    if recap:
        refuse_recap(plan)
    if makeable:
        refuse_makeable(plan)

    from resultproc.formats.read import drafted
    from resultproc.formats.source import load_source
    from resultproc.model.frames import Result
    from resultproc.stages.pipeline import doubted, sourced, with_boards_doubted

    taken = load_source(source, deals=deals)
    draft = drafted(taken, format=format_, site=taker.id if taker else None, **keys)
    sheet = doubted(with_boards_doubted([draft]))
    result = sourced(Result(sheet.games, sheet.contestants, remarks=sheet.remarks), sheet)
    deliver(
        result,
        plan,
        [taken],
        format_,
        Doubting(strict, shown, public),
        timed=timed,
        recap=recap,
        makeable=makeable,
        site=taker,
    )
