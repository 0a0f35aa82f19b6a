"""Open a page in your browser to award games without a command line: drop a file, mend it, see the sheet, save it.

The page is for this machine alone: it is reached by its own browser, in the window that this command opens. All that
it keeps is in FOLDER: games in work, those that you save, and their pages and workbooks. Your club's settings are
read from resultproc.toml in that folder. Press Ctrl-C to end it; what is shown as saved is saved.

\b
Example:
  resultproc open bridge-club
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

import click

from resultproc.cli.messages import tell
from resultproc.cli.publish import receipts_file
from resultproc.cli.reprocess import LoggedAsRemarks


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="resultproc-games")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; by default 8417, or one that is free.")
@click.option("--browser/--no-browser", default=True, help="Whether to open the browser.")
@receipts_file
def command(folder: Path, port: int | None, browser: bool, kept: Path) -> None:
    """Serve the page of a folder, as the help above says."""
    from resultproc.web.serve import serve

    logging.getLogger("resultproc.web").addHandler(LoggedAsRemarks(logging.WARNING))

    def opened(address: str, page: Path) -> None:
        tell(f"The page is open at {address}")
        tell("Keep this window open; Ctrl-C ends it.")
        if browser:
            # All users of a machine may see what its programs were started with, except on Windows.
            click.launch(address if os.name == "nt" else page.as_uri())

    serve(folder, port, kept, opened)
