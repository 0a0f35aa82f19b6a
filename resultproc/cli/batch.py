"""``resultproc batch``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.options import game_keys, reading
from resultproc.formats import names

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from resultproc.batch.run import Tally


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--to", default="json", show_default=True, help="The formats to write, such as json,text,xlsx.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processors to use.")
@click.option("--watch", type=click.IntRange(1), metavar="SECONDS", help="Keep looking for new files this often.")
@reading
@game_keys
def command(
    inputs: tuple[Path, ...], output: Path, to: str, jobs: int, watch: int | None, format_: str | None, **keys: str
) -> None:
    """Award many files, and all files in folders, into the folder OUTPUT.

    Each file's results are written whole or not at all. A file that cannot be awarded is copied to OUTPUT/failed, its
    problems stand in OUTPUT/report.json, and the others go on; the exit status is then 1. What a run has done, the
    next run does not do again: interrupt it as you like.

    \b
    Example, from the project's folder:
      resultproc batch fixtures/*.csv -o results --to json,xlsx
    """
    from resultproc.batch.chunks import Settings
    from resultproc.batch.run import run

    formats = tuple(dict.fromkeys(name.strip() for name in to.split(",") if name.strip()))
    unknown = [name for name in formats if name not in names("writers")]
    if unknown or not formats:
        raise click.BadParameter(f"'{', '.join(unknown)}' is none of {', '.join(names('writers'))}", param_hint="--to")
    settings = Settings(format_, formats, {name: value for name, value in keys.items() if value is not None})
    while True:
        with _Progress() as progress:
            tally = run(inputs, output, settings, jobs, progress)
        if tally.files or not watch:
            told = (
                f"{tally.done} files with {tally.games} games, {tally.failed} failed; {tally.before} were done before"
            )
            click.echo(told + (f"; {len(tally.same)} have the content of another" if tally.same else ""), err=True)
        if not watch:
            break
        time.sleep(watch)
    sys.exit(1 if tally.failures else 0)


class _Progress:
    """A progress bar on a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        self._bar: ProgressBar[Tally | None] | None = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, tally: Tally, files: int) -> None:
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            self._start = time.monotonic()
            self._bar = click.progressbar(length=tally.files, file=sys.stderr, show_pos=True, item_show_func=self._show)
        self._bar.update(files, tally)

    def _show(self, tally: Tally | None) -> str | None:
        if tally is None:
            return None
        rate = tally.done / max(time.monotonic() - self._start, 0.001)
        return f"{tally.games} games, {tally.failed} failed, {rate:.0f} files/s"
