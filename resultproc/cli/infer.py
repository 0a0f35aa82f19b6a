"""Find the declarations that explain the ranks and awards that SHEETS print.

For each game you get rating, special words, limits of strata, games at the same time and rulebook, the best
explanation first. What SHEETS, their TOML files or your options declare is taken for granted; with --anew your
options alone are. Where several explain as much, all are listed; where limits pay the same, you get the range.

Where most awards of a game are contradicted no declarations explain them, and nothing is written for it. A file
or game that cannot be explained is reported on standard error, the others are explained, and the exit status is 1.

\b
Examples, from the project's folder:
  resultproc infer --anew fixtures/wed-open-pairs-2012-04-18.txt
  resultproc infer --anew fixtures/wed-open-pairs-2012-04-18.txt --rating club-open --to json
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from resultproc.cli.messages import remark_on, say, tell
from resultproc.cli.options import game_key_options, knowing_players, reading
from resultproc.cli.outputs import Output, report_in, results_file
from resultproc.formats.loaded import load_source
from resultproc.model.codes import worst
from resultproc.model.errors import ResultprocError
from resultproc.model.files import write_bytes


def _factors(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return the factors of a list such as ``R,T,M``; one that cannot be left free is wrong usage."""
    from resultproc.reports.infer.alternatives import FREE

    letters = tuple(dict.fromkeys(part.strip().upper() for part in (value or "").split(",") if part.strip()))
    unknown = [letter for letter in letters if letter not in FREE]
    if unknown:
        raise click.BadParameter(
            f"there is no factor '{unknown[0]}' to leave free; known: {', '.join(FREE)}", context, option
        )
    return letters


@click.command(help=__doc__)
@click.argument("sheets", nargs=-1, required=True, type=results_file)
@click.option("--anew", is_flag=True, help="Leave aside what SHEETS and their TOML files declare of what is inferred.")
@click.option("--free", metavar="R,T,M", callback=_factors, help="Factors to bound: between which values all follows.")
@click.option("--write", is_flag=True, help="Write the first explanation to a TOML file beside each sheet.")
@report_in("text", "json")
@knowing_players
@reading
@game_key_options
def command(
    sheets: tuple[Path, ...],
    anew: bool,
    free: tuple[str, ...],
    write: bool,
    to: Output,
    format: str | None,
    settings: str | None,
    players: str | None,
    **keys: object,
) -> None:
    """Find the declarations that explain a sheet, as the help above says."""
    if write and not all(isinstance(sheet, Path) for sheet in sheets):
        raise click.UsageError("--write writes beside a file: name one, not standard input")

    from resultproc.reports.infer.infer import WRITERS, Inference, infer, inferred_sidecar, overruled
    from resultproc.reports.new import sidecar_path

    load = partial(load_source, settings=settings, players=players)

    sidecars = [
        sidecar_path(sheet, hint="rename it, or write what you want of this into it") for sheet in sheets if write
    ]
    found: dict[int, Inference] = {}
    failed = 0
    for number, sheet in enumerate(sheets):
        try:
            found[number] = infer(load(sheet), anew=anew, free=free, format=format, keys=keys)
        except ResultprocError as error:
            if len(sheets) == 1:
                raise
            say(error.problems)
            failed = worst([failed, error.status])
    if found:
        every = Inference.of_all(list(found.values()))
        remark_on(every.remarks)
        to.deliver(WRITERS[to.format](every), every.provenance)
    said = {key: str(value) for key, value in keys.items() if value is not None}
    say(problem for each in found.values() for problem in each.unexplained)
    for number, written in enumerate(sidecars):
        games = found[number].games if number in found else ()
        explained = [game for game in games if not game.unexplained]
        if explained:
            write_bytes(written, inferred_sidecar(sheets[number].name, found[number], said))
            alike = ", ".join(str(game.game["game_id"]) for game in explained if game.equal > 1)
            others = f"; others are as good for {alike}: comments in it say which" if alike else ""
            tell(f"{written}: the first explanation of each game{others}")
            # Read again: its sidecar is there now.
            remark_on(overruled(load(sheets[number]), found[number], format=format))
    sys.exit(int(failed or any(each.unexplained for each in found.values())))
