"""Work that other processes are given and that is slow, or ends its process: here they import nothing else for it."""

import os
import time
from pathlib import Path

from resultproc.archive.add import read_chunk
from resultproc.archive.reprocess import PartRun


class Slowly(PartRun):
    """The work on a part, slowed down so that it can be disturbed; a file beside the output lists what was begun.

    From the fifth part on it waits for that, until a file beside the output says that it was disturbed.
    """

    def __call__(self, part):
        begun, disturbed = (Path(f"{self.task.output}.{name}") for name in ("begun", "disturbed"))
        with begun.open("a") as file:
            file.write(f"{part}\n")
        time.sleep(0.2)
        until = time.monotonic() + 10 * (begun.read_text().count("\n") > 4)
        while time.monotonic() < until and not disturbed.exists():
            time.sleep(0.02)
        super().__call__(part)


def ending(part):
    """End the process in place of any work."""
    os._exit(9)


def ending_reading(paths, **keys):
    """Read files like the archive does, but end the process at one of them."""
    if any(path.name == "game1.csv" for path in paths):
        os._exit(9)
    return read_chunk(paths, **keys)
