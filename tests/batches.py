"""Small games for tests of batches, what an output folder holds, and a cluster."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from resultproc.batch.chunks import Settings, process_chunk
from resultproc.batch.naming import OURS, REPORT

LEDGERS = set(OURS) - {REPORT}

SETTINGS = Settings("csv", ("json",), {})

GAME = """# event: Game {name}
# date: 2012-04-18
# rating: club-open
# tables: 3
# strata: A=open, B=200
section,direction,number,player1,player2,stratum,score
A,N-S,1,Ann {name},Bob,A,{score}
A,N-S,2,Cat,Dan,B,30
A,N-S,3,Eve,Fay,B,20
A,E-W,1,Gus,Hal,A,40
A,E-W,2,Ida,Jon,B,30
A,E-W,3,Kim,Lee,B,20
"""


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder, by name, without the ledger and when the run was."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in LEDGERS)
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    if REPORT in found:
        found[REPORT] = json.dumps({**json.loads(found[REPORT]), "run": None}).encode()
    return found


@contextmanager
def two_workers(folder: Path, path: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Give the address of a scheduler with two workers, one of them in this process, and the process of the other.

    folder, path: where that one runs, and where it looks for modules.
    """
    from dask.distributed import Client, LocalCluster

    quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": 60, "host": "127.0.0.1"}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", **quiet) as local:
        command = [sys.executable, "-m", "dask", "worker", local.scheduler_address, "--nthreads", "1", "--no-nanny"]
        options = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command += ["--no-dashboard", "--preload", "resultproc.archive.reprocess"]
        worker = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **options)
        try:
            with Client(local.scheduler_address) as client:
                client.wait_for_workers(2, timeout=100)
            yield local.scheduler_address, worker
        finally:
            worker.kill()
            worker.wait()


def ending_awarding(jobs, folder, settings):
    """Award files like process_chunk, but end the process at one of them."""
    if any(job.path.stem == "game3" for job in jobs):
        os._exit(9)
    return process_chunk(jobs, folder, settings)
