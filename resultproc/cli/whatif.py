"""Show what a GAME would have paid: with other limits, rating or rules, one winner, more pairs or fewer.

The game as its file declares it is compared with the game as your options change it; every declaration is an
option: --boards 24 for a round that was cut. The scores stay as they are. A page (--to html) has sliders for the
limits that you leave open.

With --need you see from which percentage or score on a contestant would have been paid more: in an event whose
sessions have scores of their own that of the last session, those before as they were; else that of the whole.

With --entries you get limits for the strata of a game that is not played yet: even strata, of five pairs at least.

\b
Examples, from the project's folder:
  resultproc whatif fixtures/made-wednesday.csv --strata "A=open, B=*, C=*"
  resultproc whatif fixtures/wed-open-pairs-2012-04-18.csv --need A-NS-5
  resultproc whatif --entries fixtures/entries/tonight.csv
"""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import remark_on
from resultproc.cli.options import keys, knowing_players, reading
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.formats.loaded import errors_of, load_source
from resultproc.model.keys import KEYS


@click.command(help=__doc__)
@click.argument("game", type=results_file, required=False)
@click.option("--game", "game_id", metavar="ID", help="Which game, if the file has several.")
@click.option("--strata", metavar="VALUE", help="Other limits; with * all round ones are tried: A=open, B=*, C=*.")
@click.option("--without", metavar="WHO", multiple=True, help="A contestant who does not play, such as A-NS-5.")
@click.option(
    "--more",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="How many more contestants there are, who come last.",
)
@click.option("--one-winner", is_flag=True, help="N-S and E-W are compared together.")
@click.option("--need", metavar="WHO", help="What a contestant would have needed to be paid more.")
@click.option(
    "--entries", metavar="LIST", type=results_file, help="Tonight's pairs with holdings, to propose limits for."
)
@report_in("text", "xlsx", "html", "json")
@knowing_players
@reading
@keys(*(name for name in KEYS if name != "strata"))
def command(
    game: Path | None,
    game_id: str | None,
    strata: str | None,
    without: tuple[str, ...],
    more: int,
    one_winner: bool,
    need: str | None,
    entries: Path | None,
    to: Output,
    format: str | None,
    **declared: str | None,
) -> None:
    """Show what a game would have paid otherwise, as the help above says."""
    file = entries if game is None else game
    if file is None or (game is not None and entries is not None):
        raise click.UsageError("name one file: a GAME, or a list with --entries")

    from resultproc.formats.csv import with_scores
    from resultproc.formats.read import read
    from resultproc.reports.limits import pattern
    from resultproc.reports.whatif import ENTRIES_WRITERS, WRITERS, Asked, whatif
    from resultproc.reports.whatif import entries as propose

    try:
        wanted = pattern(strata) if strata else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--strata") from None
    named = {name: value for name, value in declared.items() if name in KEYS and value is not None}
    if entries is not None:
        if without or more or one_winner or need or game_id:
            raise click.UsageError("--entries goes with --strata and --stratify-by alone")
        with errors_of(file.name):
            listed = with_scores(load_source(file, declared.get("settings"), declared.get("players")))
            proposed = propose(read(listed, format=format, **named), wanted)
        to.deliver(ENTRIES_WRITERS[to.format](proposed), proposed.provenance)
        return
    asked = Asked(named, wanted, without, more, one_winner, need or "", game_id)
    if not asked.changes and not need:
        raise click.UsageError('say what to change, such as --strata "A=open, B=*, C=*" or --rating stac')
    found = whatif(read(file, format=format, settings=declared.get("settings"), players=declared.get("players")), asked)
    remark_on(found.remarks)
    to.deliver(WRITERS[to.format](found), found.provenance)
