"""What breaks runs of the program starts: a command line in a process of its own."""

from __future__ import annotations

import os
import resource
import signal
import tempfile
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO


def rehearse(arguments: list[str]) -> None:
    """Run a command line here, unheard: what it imports and keeps is in every run, which is a copy of this process."""
    from resultproc.cli import main

    with redirect_stdout(StringIO()), redirect_stderr(StringIO()), suppress(SystemExit):
        main(arguments)


class Run:
    """A command line in a process of its own, forked from this one, which has imported all: that saves the start."""

    def __init__(self, arguments: list[str], limit: int = 0, *, printed: bool = False) -> None:
        """Start it. limit: the most bytes of a file. printed: it tells what it prints, too."""
        from resultproc.cli import main

        self._told = tempfile.TemporaryFile()  # noqa: SIM115, closed with the run
        self.pid = os.fork()
        if self.pid:
            return
        os.setsid()
        os.dup2(self._told.fileno(), 2)
        os.dup2(self._told.fileno() if printed else os.open(os.devnull, os.O_WRONLY), 1)
        os.environ["SOURCE_DATE_EPOCH"] = "1000000000"
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        status = 70
        try:
            main(arguments)
            status = 0
        except SystemExit as stop:
            status = int(stop.code or 0)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)

    def poll(self) -> bool:
        """Return whether it has ended."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> tuple[int, str]:
        """Wait for its end; return the exit status and what it told."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._told.seek(0)
        told = self._told.read().decode()
        self._told.close()
        return status, told
