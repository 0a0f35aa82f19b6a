"""The command line as a program: ``resultproc``, and ``python -m resultproc``."""

from __future__ import annotations

import os
import sys


def run() -> None:
    """Run the command line; stopped while it is being imported, it ends as a command that is stopped.

    Where the system's language has no letters but ASCII, as that of nightly jobs often, it starts again in UTF-8: else
    it could write no file whose name has others.
    """
    if os.name == "posix" and sys.getfilesystemencoding() == "ascii":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - it is this program
    try:
        from resultproc.cli import main

        main()
    except KeyboardInterrupt:
        from resultproc.model.codes import INTERRUPTED

        sys.stderr.write("\nstopped\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
