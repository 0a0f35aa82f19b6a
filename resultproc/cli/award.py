"""Read, rank and award one or more GAMES, and print the annotated sheet.

What a file does not say about its game comes from a TOML file of the same name beside it, from '# key: value'
lines of a CSV, from the 'Game' sheet of a workbook, or from the options below; the last of these wins.

For a file with several games, such as the report of an evening, the TOML file describes each one below a line with
its name, like [games."06-27-1"]. 'resultproc new' writes that file for you to fill in.

A listing in a file (-o sheet.txt, or --to text) ends in lines that declare the game, so that it reads back; on the
screen they are left out.

GAMES may be - for standard input, and -o - is standard output.

Whatever is doubtful is shown as a remark on standard error, with --remarks under a web page as well; the award goes on.

--name calls the file by what is known of the game, as a site wants it: a key between braces, a date as %y%m%d, and
{time_of_day} for M, A, E or L. The file goes beside the input, or into the folder of -o.

With --one-event the contestants of the files are matched by their players: by member number where there is one,
else by name.

With --seal the output holds the SHA-256 of the input and of the result, and what is needed to compute it again:
'resultproc verify' says what of it was changed. A seal is no signature; --sign adds one. A page holds no more of
players than it shows. If its awards depend on masterpoints held, it takes --seal-holdings to put them into it.

With --for the output is what a results site takes. What the site would refuse is an error, and what it would lose a
remark; holdings are left out, and member numbers unless the site asks for them.

A club game since 2023 is paid by the boards that each pair was to play: date and boards say which it is, such as
--date 2026-11-18 --boards 24.

\b
Examples, from the project's folder:
  resultproc award fixtures/wed-open-pairs-2012-04-18.csv
  resultproc award fixtures/wed-open-pairs-2012-04-18.csv --seal -o sealed.html
  resultproc award fixtures/wed-open-pairs-2012-04-18.csv -o sheet.xlsx -o sheet.html
  resultproc award fixtures/wed-open-pairs-2012-04-18.csv --to html,xlsx -o sheets/
  resultproc award --one-event fixtures/event/saturday-morning.csv fixtures/event/saturday-afternoon.csv
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli import outputs
from resultproc.cli.options import game_key_options, reading
from resultproc.formats.loaded import load_source
from resultproc.model.file_limits import FileLimits

if TYPE_CHECKING:
    from resultproc.formats.write import NamePattern
    from resultproc.model.source import Source


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True, type=outputs.results_file)
@click.option("--one-event", is_flag=True, help="The files are the sessions of one event, in the order of play.")
@click.option("--seal", is_flag=True, help="Seal web pages, workbooks and JSON: 'resultproc verify' compares with it.")
@click.option("--seal-holdings", is_flag=True, help="Seal, and let a page show the holdings that its awards depend on.")
@click.option(
    "--sign", "key", type=outputs.one_file, metavar="KEY", help="Seal, and sign with this private key (Ed25519, PEM)."
)
@click.option(
    "--limit-seconds",
    "seconds",
    type=click.IntRange(1, 10**6),
    metavar="SECONDS",
    help="The most time of a processor that reading and awarding may take; by default there is no limit.",
)
@outputs.written_to
@outputs.delivering
@reading
@game_key_options
def command(
    games: tuple[Path | Source, ...],
    one_event: bool,
    seal: bool,
    seal_holdings: bool,
    key: Path | None,
    seconds: int | None,
    to_files: tuple[str, ...],
    to: str | None,
    pattern: NamePattern | None,
    delivery: outputs.Delivery,
    deals: str | None,
    format: str | None,
    **keys: str,
) -> None:
    """Read, rank and award games, and write their sheets, as the help above says."""
    if one_event and len(games) == 1:
        raise click.UsageError("--one-event needs two or more files: give it the file of each session")
    if delivery.public and seal_holdings:
        raise click.UsageError("--public leaves out the holdings that --seal-holdings would put in")
    site = delivery.site
    if site and to is None and not (pattern.ending if pattern else to_files):
        to = site.writer().name
    plan = outputs.planned_outputs(to, to_files, games, pattern)
    if seal or seal_holdings or key:
        delivery = replace(delivery, sealing=outputs.Sealing(seal_holdings, key))
    outputs.refuse_unable(plan, delivery)

    from resultproc.stages.pipeline import process, process_event

    awarded = process_event if one_event else process
    read_with = (keys.pop("settings", None), keys.pop("players", None), deals)
    sources = [load_source(game, *read_with) for game in games]
    work = partial(awarded, *sources, format=format, site=site.id if site else None, **keys)
    if seconds:
        from resultproc.model.work import within

        result = within(FileLimits(seconds=seconds), ", ".join(source.name for source in sources), work)
    else:
        result = work()
    plan = outputs.called_by_games(plan, pattern, result, games) if pattern else plan
    outputs.deliver(result, plan, sources, format, delivery, one_event=one_event, screen=to is None)
