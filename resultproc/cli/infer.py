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
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.messages import remark_on, say, tell
from resultproc.cli.options import game_key_options, knowing_players, reading
from resultproc.cli.outputs import deliver_report, format_to_write, report_in, results_file

if TYPE_CHECKING:
    from resultproc.model.source import Source
    from resultproc.reports.infer.explanation import Inference


def _factors(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return the factors of a list such as ``R,T,M``; one that cannot be left free is wrong usage."""
    from resultproc.reports.infer.limits import FREE

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
    to: str | None,
    output: Path | None,
    format_: str | None,
    settings: str | None,
    players: str | None,
    **keys: object,
) -> None:
    """Find the declarations that explain a sheet, as the help above says."""
    to = format_to_write(output, to, sheets)
    if write and not all(isinstance(sheet, Path) for sheet in sheets):
        raise click.UsageError("--write writes beside a file: name one, not standard input")

    from resultproc.formats.source import load_source
    from resultproc.model.codes import worst
    from resultproc.model.errors import ResultprocError
    from resultproc.reports.infer.explanation import Inference
    from resultproc.reports.infer.infer import infer
    from resultproc.reports.infer.output import WRITERS
    from resultproc.reports.new import sidecar_path

    load = partial(load_source, settings=settings, players=players)

    sidecars = [
        sidecar_path(sheet, hint="rename it, or write what you want of this into it") for sheet in sheets if write
    ]
    found: dict[int, Inference] = {}
    failed = 0
    for number, sheet in enumerate(sheets):
        try:
            found[number] = infer(load(sheet), anew=anew, free=free, format=format_, keys=keys)
        except ResultprocError as error:
            if len(sheets) == 1:
                raise
            say(error.problems)
            failed = worst([failed, error.status])
    if found:
        every = Inference.of_all(list(found.values()))
        remark_on(every.remarks)
        deliver_report(WRITERS[to](every), to, output, every.provenance)
    said = {key: str(value) for key, value in keys.items() if value is not None}
    say(problem for each in found.values() for problem in each.unexplained)
    for number, written in enumerate(sidecars):
        if number in found:
            _write(written, found[number], said, sheets[number], load, format_)
    sys.exit(int(failed or any(each.unexplained for each in found.values())))


def _write(
    written: Path,
    found: Inference,
    said: Mapping[str, str],
    sheet: Path,
    load: Callable[[Path], Source],
    format_: str | None,
) -> None:
    """Write the first explanation of each game that has one beside a sheet, and tell what it overrules."""
    from resultproc.model.files import write_bytes
    from resultproc.reports.infer.infer import overruled
    from resultproc.reports.infer.output import inferred_sidecar

    if not all(game.unexplained for game in found.games):
        write_bytes(written, inferred_sidecar(sheet.name, found, said))
        tell(f"{written}: the first explanation of each game{_as_good(found)}")
        # Read again: its sidecar is there now.
        remark_on(overruled(load(sheet), found, format=format_))


def _as_good(found: Inference) -> str:
    """Return the games of a sheet that have other explanations as good as the first."""
    alike = [str(game.game["game_id"]) for game in found.games if game.equal > 1 and not game.unexplained]
    return f"; others are as good for {', '.join(alike)}: comments in it say which" if alike else ""
