"""Award GAMES and send them to results sites, once, with a receipt.

What goes where is shown before anything is sent, and you are asked; without a terminal it takes --yes. A site that
takes no files from programs gets its file written for you, with the lines that say where to upload it.

A result that another program has computed goes as it is: a file that declares no rating, and prints points or goes to
a site of another league than this program pays.

What a site has already is not sent again. A corrected game replaces the first one where the site does that. Where a
run broke off, and nobody knows whether the site has a game, you are asked to look.

The club's name at a site, the folder and the mail address stand below [site.NAME] in the file of --settings, or in
your own sites.toml; what lies beside the games does not say where they go. Passwords are in the system's keyring or
in a variable of the environment.

\b
Example, from the project's folder:
  resultproc publish fixtures/wed-open-pairs-2012-04-18.csv --for my-abf --scoring matchpoints --dry-run
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli import messages
from resultproc.cli.messages import echo, remark_on, safe, say
from resultproc.cli.options import analysing, game_key_options, knowing_players, limiting, reading
from resultproc.cli.outputs import naming, results_file
from resultproc.model.codes import status_of_all
from resultproc.model.language import in_words

if TYPE_CHECKING:
    from resultproc.formats.write import NamePattern
    from resultproc.model.file_limits import FileLimits
    from resultproc.model.source import Source
    from resultproc.publish.account import Account
    from resultproc.publish.receipts import Receipt
    from resultproc.publish.results_site import Site
    from resultproc.publish.shipments import HasArrived, Shipment

_OWN_FOLDER = Path(click.get_app_dir("resultproc"))
"""The user's own folder, with what is said of sites in sites.toml, and the receipts."""

receipts_file = click.option(
    "--receipts",
    "kept",
    type=click.Path(dir_okay=False, path_type=Path),
    default=_OWN_FOLDER / "receipts.sqlite",
    metavar="FILE",
    help="The receipts; by default they are in your own folder of settings.",
)


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True, type=results_file)
@click.option("--for", "--to", "names", required=True, metavar="SITE[,SITE]", help="The results sites.")
@click.option("--yes", is_flag=True, help="Send without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, whole but for the password, and send nothing.")
@click.option(
    "--deals",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The hands of the game, as PBN, LIN or DLM; a site that takes such files gets it as it is, also .bri, .dup.",
)
@click.option(
    "--unsure",
    type=click.Choice(["sent", "again"]),
    help="What you saw of a game that may have arrived or not: it is there, or has to be sent again.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for files that you upload or mail yourself; by default that of the first game.",
)
@receipts_file
@naming
@analysing
@limiting
@knowing_players
@reading
@game_key_options
def command(
    games: tuple[Path | Source, ...],
    names: str,
    yes: bool,
    dry_run: bool,
    deals: Path | None,
    unsure: HasArrived | None,
    output: Path | None,
    kept: Path,
    pattern: NamePattern | None,
    makeable: bool,
    limits: FileLimits,
    format: str | None,
    **keys: str,
) -> None:
    """Send games to results sites, as the help above says."""
    if deals and len(games) > 1:
        raise click.UsageError("--deals goes with one game")
    if not (yes or dry_run or sys.stdin.isatty()):
        raise click.UsageError("there is nobody to ask: give --yes, or --dry-run to see what would be sent")

    from resultproc.publish.parcel import parcels
    from resultproc.publish.receipts import Receipts
    from resultproc.publish.shipments import send, shipments

    to = accounts(names, keys.get("settings"))
    options = {"format": format, "keys": keys, "pattern": pattern, "deals": deals, "makeable": makeable}
    made, problems = parcels(games, to, limits, **options)
    remark_on(remark for each in made for remark in each.remarks)
    first = games[0]
    folder = output or (first.parent if isinstance(first, Path) else Path())
    if dry_run and not kept.is_file():
        kept = Path(":memory:")  # nothing is sent, and nothing is written
    with Receipts(kept) as receipts:
        planned, wrong = shipments(made, receipts, folder, asks=not dry_run)
        problems += wrong
        say(problems)
        if dry_run:
            for each in planned:
                echo(in_words(each.line()))
                for line in each.sender.request(each.parcel) if each.before is None else ():
                    echo(f"  {in_words(line)}")
        elif planned and (yes or _agreed(planned)):
            for each, receipt, problem in send(planned, receipts, lambda each: unsure or _asked(each, yes=yes)):
                _tell(each, receipt)
                problems += [problem] if problem else []
                say([problem] if problem else [])
    sys.exit(status_of_all(each.code for each in problems))


def accounts(names: str, settings: str | None) -> list[tuple[Site, Account]]:
    """Return the sites of a list such as ``bridgewebs,folder``, each with what the user says of it."""
    from resultproc.publish.account import account
    from resultproc.publish.known import site

    files = [_OWN_FOLDER / "sites.toml"] if (_OWN_FOLDER / "sites.toml").is_file() else []
    files += [Path(settings)] if settings else []
    wanted = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    return [(each, account(each, files)) for each in map(site, wanted)]


def _agreed(planned: list[Shipment]) -> bool:
    """Show what goes where, and return whether it may."""
    for each in planned:
        echo(in_words(each.line()), err=True)
    new = sum(each.before is None for each in planned)
    return not new or click.confirm(in_words(f"Send {'it' if new == 1 else f'these {new}'}?"), err=True)


def _asked(each: Shipment, *, yes: bool) -> HasArrived:
    """Return what somebody who looks says of what may have arrived; later where nobody is there to look."""
    if yes or not sys.stdin.isatty():
        return "later"
    at = each.parcel.site.address or each.sender.target
    what = "it was begun, and nobody knows whether it arrived."
    echo(in_words(f"{each.line()}: {what} Look at {at}."), err=True)
    said: tuple[HasArrived, ...] = ("sent", "again", "later")
    answer: HasArrived = click.prompt(in_words("Is it there, or shall it go again?"), type=click.Choice(said), err=True)
    return answer


def _tell(each: Shipment, receipt: Receipt) -> None:
    """Print the receipt of a game."""
    if messages.STYLE.for_programs:
        from resultproc.reports.json_types import ReceiptEntry, entry

        echo(json.dumps({"file": each.parcel.file, **entry(ReceiptEntry, receipt)}, ensure_ascii=False))
        return
    first, *more = each.told(receipt)
    echo("\n".join([f"{each.parcel.file}: {in_words(first)}", *(f"  {safe(in_words(line))}" for line in more)]))
