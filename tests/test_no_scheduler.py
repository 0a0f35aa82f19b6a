"""A Dask scheduler that is not there, or has no workers, is told within ten seconds, and leaves nothing behind."""

import json
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from conftest import needs_library, run

pytest.importorskip("deltalake")

from resultproc.archive.add import add
from resultproc.archive.store import Store
from resultproc.model import work as workers

needs_library("distributed")

GAME = """# event: Game
# date: 2012-04-18
# rating: club-open
# tables: 3
section,direction,number,player1,player2,score
A,N-S,1,Ann,Bob,40
A,N-S,2,Cat,Dan,30
"""


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Return what reprocesses a game with a scheduler, and gives the one problem that is told."""
    (tmp_path / "game.csv").write_text(GAME)
    archive, out = tmp_path / "archive", tmp_path / "out"
    monkeypatch.setattr(workers, "SECONDS_TO_ANSWER", 1)  # not three, for which each test would wait
    add([tmp_path / "game.csv"], Store(str(archive)))

    def reprocess(scheduler):
        start = time.monotonic()
        done = run("reprocess", archive, "-o", out, "--errors", "json", "--scheduler", scheduler)
        assert time.monotonic() - start < 10
        assert not out.exists()
        (problem,) = map(json.loads, done.err.splitlines())
        return done.status, problem["code"], problem["what"]

    return reprocess


@contextmanager
def listening(answer):
    """Take connections and say this, which is nothing that Dask says; give the address."""
    connections = []

    def serve(server):
        with suppress(OSError):  # once it is shut down
            while True:
                connections.append(server.accept()[0])
                connections[-1].sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=[server])
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for connection in connections:
        connection.close()


@pytest.mark.slow
def test_nothing_is_there(told):
    status, code, what = told("tcp://127.0.0.1:1")
    assert (status, code) == (5, "again.scheduler")
    assert what.startswith("the scheduler tcp://127.0.0.1:1 does not answer: Timed out")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "it takes the connection and says nothing"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what is there is no scheduler of Dask"),
    ],
)
def test_something_else_is_there(answer, why, told):
    with listening(answer) as address:
        assert told(address) == (5, "again.scheduler", f"the scheduler {address} does not answer: {why}")


@pytest.mark.slow
def test_no_workers(told):
    from dask.distributed import LocalCluster

    quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": 60, "host": "127.0.0.1"}
    with LocalCluster(n_workers=0, **quiet) as local:
        what = f"the scheduler {local.scheduler_address} has no workers"
        assert told(local.scheduler_address) == (5, "again.scheduler", what)


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_what_is_no_address(address, told):
    status, code, what = told(address)
    assert (status, code) == (2, "command.wrong")
    assert what.startswith("scheduler: ")
