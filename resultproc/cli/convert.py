"""``resultproc convert``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from resultproc.cli import outputs
from resultproc.cli.options import example, game_key_options, reading
from resultproc.formats.loaded import load_source
from resultproc.model.errors import Problem
from resultproc.model.game import league_of_rating
from resultproc.model.plugins import names


@click.command()
@click.argument("source", metavar="IN", type=outputs.results_file)
@click.argument("target", metavar="OUT", type=outputs.one_file)
@click.option(
    "--to", type=click.Choice(names("writers")), help="The format to write; by default the extension of OUT decides."
)
@outputs.delivering
@reading
@game_key_options
@example("convert fixtures/wed-open-pairs-2012-04-18.txt game.csv")
def command(
    source: Path,
    target: Path,
    to: str | None,
    delivery: outputs.Delivery,
    deals: str | None,
    format: str | None,
    **keys: str,
) -> None:
    """Read IN in one format and write OUT in another; nothing is ranked or awarded.

    But where --for is a site of one league, and nothing says that the points of IN are that league's, the game is
    awarded by its rules: so English points become Scotland's for MEMPAD. With --league they stay.

    IN may be - for standard input, and OUT - for standard output; --to then names the format.
    """
    site = delivery.site
    if site and not to:
        # The format that the site takes first, unless the ending tells another one.
        writer = site.writer()
        to = writer.name if target == outputs.STREAM or target.name.lower().endswith(writer.endings) else None
    to = outputs.format_to_write(target, to, [source])
    plan = [outputs.Output(to, None if target == outputs.STREAM else target)]
    outputs.refuse_unable(plan, delivery)

    from resultproc.formats.read import drafted
    from resultproc.model.whose_points import league_title, leagues_of
    from resultproc.stages.pipeline import award_sheet, doubted, with_boards_doubted

    taken = load_source(source, keys.pop("settings", None), keys.pop("players", None), deals)
    draft = drafted(taken, format=format, site=site.id if site else None, **keys)
    read = with_boards_doubted([draft])
    own = league_of_rating(site.pays) if site else ""
    if site and own and read.contestants["printed_award"].notna().any() and (leagues_of(read.games) != own).any():
        said = {**keys, "league": own, "rating": site.pays}
        result = award_sheet(with_boards_doubted([drafted(taken, format=format, site=site.id, **said)]))
        what = f"nothing says that its points are the {league_title(own)}'s: they are replaced by what {site.pays} pays"
        told = Problem(what, hint=f"to keep them, declare league='{own}'", file=taken.name, code="printed.replaced")
        outputs.deliver(replace(result, remarks=(told, *result.remarks)), plan, [taken], format, delivery)
        return
    outputs.deliver(doubted(read).unranked(), plan, [taken], format, delivery)
