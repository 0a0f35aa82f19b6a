"""The command line as a program: ``resultproc``, and ``python -m resultproc``."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line; stopped while it is being imported, it ends as a command that is stopped."""
    try:
        from resultproc.cli import main

        main()
    except KeyboardInterrupt:
        from resultproc.model.codes import INTERRUPTED

        sys.stderr.write("\nstopped\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
