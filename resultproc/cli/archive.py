"""``resultproc archive``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.extras import cluster_extra
from resultproc.cli.messages import remark_on, tell
from resultproc.cli.options import game_keys, reading, strictness
from resultproc.cli.outputs import inputs_of_files
from resultproc.cli.progress import Bar

if TYPE_CHECKING:
    from resultproc.batch.archive import Added


@click.group()
def command() -> None:
    """Keep games in an archive of Parquet, to award them again and again with 'reprocess'."""


@command.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=inputs_of_files)
@click.option("--to", "archive", required=True, metavar="ARCHIVE", help="A folder, or a location such as s3://...")
@strictness
@reading
@game_keys
def add(inputs: tuple[Path, ...], archive: str, strict: bool, format_: str | None, **keys: str) -> None:
    """Add the games of files, and of all files in folders, to an archive.

    A game that the archive already has is not added again. The problems of files that cannot be read are printed as
    JSON, one per line; the other files are added all the same, and the exit status is 1.

    \b
    Example, from the project's folder:
      resultproc archive add fixtures/*.csv --to history
    """
    with cluster_extra():
        from resultproc.batch.archive import add as add_to
        from resultproc.batch.store import Store

    with Bar("files") as bar:
        added = add_to(
            inputs, Store(archive), format_, keys, lambda added, files: _show(bar, added, files), strict=strict
        )
    remark_on(added.remarks)
    for problem in added.problems:
        click.echo(json.dumps(problem, ensure_ascii=False))
    tell(f"{added.files} files: {added.games} games added, {added.known} were there already")
    sys.exit(1 if added.problems else 0)


def _show(bar: Bar, added: Added, files: int) -> None:
    bar(added.files, files, f"{len(added.problems)} problems")
