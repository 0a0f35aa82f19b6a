"""``resultproc infer``."""

from __future__ import annotations

from pathlib import Path

import click

from resultproc.cli.messages import remark_on, tell
from resultproc.cli.options import game_keys, reading
from resultproc.cli.outputs import deliver_report, format_to_write, output, results_file

_FORMATS = ("text", "json")


def _factors(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return the factors of a list such as ``R,T,M``; one that cannot be left free is wrong usage."""
    from resultproc.reports.infer.free import FREE

    letters = tuple(dict.fromkeys(part.strip().upper() for part in (value or "").split(",") if part.strip()))
    unknown = [letter for letter in letters if letter not in FREE]
    if unknown:
        raise click.BadParameter(
            f"there is no factor '{unknown[0]}' to leave free; known: {', '.join(FREE)}", context, option
        )
    return letters


@click.command()
@click.argument("sheet", type=results_file)
@click.option("--anew", is_flag=True, help="Leave aside what SHEET and its TOML file declare of what is inferred.")
@click.option("--free", metavar="R,T,M", callback=_factors, help="Factors to bound: between which values all follows.")
@click.option("--write", is_flag=True, help="Write the first explanation to a TOML file beside SHEET.")
@click.option("--to", type=click.Choice(_FORMATS), help="The format to write; by default text.")
@output
@reading
@game_keys
def command(
    sheet: Path,
    anew: bool,
    free: tuple[str, ...],
    write: bool,
    to: str | None,
    output: Path | None,
    format_: str | None,
    settings: str | None,
    **keys: object,
) -> None:
    """Find the declarations that explain the ranks and awards that SHEET prints.

    For each game you get rating, special words, limits of strata, games at the same time and rulebook, the best
    explanation first. What SHEET, its TOML file or your options declare is taken for granted; with --anew your options
    alone are. Where several explain as much, all are listed; where limits pay the same, you get the range.

    \b
    Examples, from the project's folder:
      resultproc infer --anew fixtures/wed-open-pairs-2012-04-18.txt
      resultproc infer --anew fixtures/made-fund.txt --rating club-fund --to json
    """
    to = format_to_write(output, to, [sheet], _FORMATS)
    if write and not isinstance(sheet, Path):
        raise click.UsageError("--write writes beside a file: name one, not standard input")

    from resultproc.formats.source import taken_in
    from resultproc.formats.write import write_bytes
    from resultproc.reports.infer.infer import infer
    from resultproc.reports.infer.output import WRITERS, sidecar
    from resultproc.reports.new import place

    written = place(sheet) if write else None
    found = infer(taken_in(sheet, settings), anew=anew, free=free, format=format_, keys=keys)
    remark_on(found.remarks)
    deliver_report(WRITERS[to](found), to, output, found.provenance)
    if written:
        write_bytes(written, sidecar(sheet.name, found))
        tell(f"{written}: the first explanation of each game")
