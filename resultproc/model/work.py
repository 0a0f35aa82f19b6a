"""Who works: this process, several processes here that end with the one that started them, or a Dask cluster.

The same function runs in all of them; what is lost with a process or worker is done again by another one. Only a
cluster needs Dask, which is imported where it is used.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, NoReturn, TypeVar

from resultproc.model.errors import InputError, OutputError, Problem, ResultprocError

if TYPE_CHECKING:
    from distributed import Client


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Let the processes that are started meanwhile pass over Ctrl-C: this one hears it, and has them stop."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_Item = TypeVar("_Item")
_Done = TypeVar("_Done")

CRASHED = "reading it crashed the process, for example for lack of memory"


def pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of processes to work in.

    Where the system is one that can do so safely, they are copies of a process that has imported what this one has:
    to import it takes a second each time.
    """
    context = get_context("forkserver" if sys.platform == "linux" else "spawn")
    context.set_forkserver_preload([name for name in sys.modules if name.startswith("resultproc.")])
    return ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_like_parent, initargs=(gc.get_threshold(), dict(os.environ))
    )


def _like_parent(threshold: tuple[int, ...], environment: dict[str, str]) -> None:
    """Let this process be as the one that asked for it is now, and end when that does.

    It looks for garbage as seldom, and has its environment: what it is a copy of may be older than a change of that.
    A parent that is killed cannot see to its children's end.
    """
    gc.set_threshold(*threshold)
    os.environ.clear()
    os.environ.update(environment)
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


def chunked(items: Sequence[_Item], most: int, jobs: int) -> list[Sequence[_Item]]:
    """Return items in lists that are worked on together, of ``most`` at most.

    Each of several processes is given some twice at least: one that is done early is given more.
    """
    size = max(1, min(most, -(-len(items) // (2 * jobs)))) if jobs > 1 else most
    return [items[start : start + size] for start in range(0, len(items), size)]


_AHEAD = 2
"""This many pieces of work for each process are given out before their results are taken: memory stays bounded."""


def in_order(
    work: Callable[[Sequence[_Item]], _Done],
    crashed: Callable[[_Item, InputError], _Done],
    items: Iterable[Sequence[_Item]],
    jobs: int,
) -> Iterator[_Done]:
    """Yield what becomes of some items, in their order.

    work: does several items together.
    crashed: what becomes of an item that ends its process. Those that were worked on with it are done one by one.
    items: in lists that are worked on together.
    jobs: how many processes work; with 1, the work is done here.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    processes = pool(jobs)
    running: deque[tuple[Sequence[_Item], Future[_Done]]] = deque()
    try:
        for each in items:
            with interrupts_ignored():
                try:
                    running.append((each, processes.submit(work, each)))
                except BrokenProcessPool:
                    processes = pool(jobs)
                    running.append((each, processes.submit(work, each)))
            if len(running) > _AHEAD * jobs:
                yield from _done(work, crashed, running)
        while running:
            yield from _done(work, crashed, running)
    finally:
        processes.shutdown(wait=True, cancel_futures=True)


def _done(
    work: Callable[[Sequence[_Item]], _Done],
    crashed: Callable[[_Item, InputError], _Done],
    running: deque[tuple[Sequence[_Item], Future[_Done]]],
) -> Iterator[_Done]:
    """Yield what becomes of what was given out first, or, where its process ended, of all that was lost with it."""
    items, future = running.popleft()
    try:
        yield future.result()
    except BrokenProcessPool:
        lost = [*items]
        while running and isinstance(running[0][1].exception(), BrokenProcessPool):
            lost += running.popleft()[0]
        yield from _each_alone(work, crashed, lost)


def _each_alone(
    work: Callable[[Sequence[_Item]], _Done], crashed: Callable[[_Item, InputError], _Done], items: Iterable[_Item]
) -> Iterator[_Done]:
    """Yield what becomes of each of some items, where any may end its process.

    work, crashed: as for :func:`in_order`.
    """
    process = pool(1)
    try:
        for item in items:
            try:
                with interrupts_ignored():
                    future = process.submit(work, [item])
                yield future.result()
            except BrokenProcessPool:
                yield crashed(item, InputError(CRASHED, code="machine.process"))
                process = pool(1)
    finally:
        process.shutdown()


_RETRIES = 3
"""How often Dask tries a part again that ended in an error, such as one of the network."""

_T = TypeVar("_T")

SECONDS_TO_ANSWER = 3
"""How many seconds a scheduler may take to answer, and then its first worker: all is told within ten."""


@dataclass(frozen=True)
class Cluster:
    """Workers for the parts of an archive.

    jobs: how many processes of this machine work, where there is no scheduler.
    scheduler: the address of a running Dask scheduler, None for none.
    progress: gets how many parts are done and how many there are, at the start and whenever one is done.
    """

    jobs: int = 1
    scheduler: str | None = None
    progress: Callable[[int, int], None] = lambda done, parts: None

    def ready(self, check: Callable[[], object]) -> None:
        """Run a check on every worker; InputError where there is none, or where it fails: the worker is named."""
        if self.scheduler is None:
            return
        with self._client() as client:
            try:
                client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
            except TimeoutError:
                hint = f"start some with: dask worker {self.scheduler}"
                what = f"the scheduler {self.scheduler} has no workers"
                raise InputError(what, hint=hint, code="again.scheduler") from None
            found = client.run(check, on_error="return")
        problems = [
            replace(problem, file=f"worker {worker}") for worker, error in found.items() for problem in _said_by(error)
        ]
        if problems:
            raise InputError(problems)

    def run(self, work: Callable[[_T], object], parts: list[_T]) -> None:
        """Do the work on every part; the first error ends it.

        InputError where the scheduler does not answer, OutputError where a part ends every worker that it is given.
        """
        self.progress(0, len(parts))
        done: Iterator[object] = (
            in_order(partial(_each, work), _no_more, [[part] for part in parts], self.jobs)
            if self.scheduler is None
            else self._done_there(work, parts)
        )
        for number, _ in enumerate(done, 1):
            self.progress(number, len(parts))

    def _done_there(self, work: Callable[[_T], object], parts: list[_T]) -> Iterator[object]:
        from distributed import KilledWorker, as_completed

        with self._client() as client:
            work_there = partial(_there, work)
            futures = dict(zip(client.map(work_there, parts, retries=_RETRIES, pure=False), parts, strict=True))
            for future in as_completed(futures):
                part = futures.pop(future)
                try:
                    yield future.result()
                except KilledWorker:
                    raise _lost(part) from None
                future.release()  # else Dask has all that a worker did done again when that ends

    @contextmanager
    def _client(self) -> Iterator[Client]:
        import dask
        from distributed import Client

        try:
            _run_apart(_reached(str(self.scheduler)))
            with dask.config.set({"distributed.comm.timeouts.connect": f"{SECONDS_TO_ANSWER}s"}):  # not of what follows
                client = Client(self.scheduler, timeout=SECONDS_TO_ANSWER)
        except (TypeError, ValueError) as error:  # no such address, or no settings of Dask for tls://
            hint = "such as tcp://host:8786"
            raise InputError(f"scheduler: {error}", hint=hint, code="command.wrong") from None
        except (OSError, TimeoutError) as error:
            why = str(error) or "it takes the connection and says nothing"
            what = f"the scheduler {self.scheduler} does not answer: {why}"
            raise InputError(what, code="again.scheduler") from None
        except MemoryError:  # the first bytes that a web server answers, read as how many there are
            what = f"the scheduler {self.scheduler} does not answer: what is there is no scheduler of Dask"
            hint = "its own port is 8786, if nothing else was said; 8787 is its page"
            raise InputError(what, hint=hint, code="again.scheduler") from None
        with client:
            yield client


async def _reached(scheduler: str) -> None:
    """Greet a scheduler, and go: ``Client`` waits without end for one that takes a connection and then says nothing."""
    from distributed.comm import connect
    from distributed.security import Security

    settings = Security().get_connection_args("client")
    # Where nothing is there, it is to be the connection that says so.
    greeting = connect(scheduler, timeout=SECONDS_TO_ANSWER, **settings)
    greeted = await asyncio.wait_for(greeting, SECONDS_TO_ANSWER + 1)
    greeted.abort()


def _run_apart(work: Coroutine[None, None, None]) -> None:
    """Wait for what runs in a loop of its own, also where a loop is running already, as in notebooks."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def _each(work: Callable[[_T], object], parts: Sequence[_T]) -> None:
    for part in parts:
        work(part)


def _there(work: Callable[[_T], object], part: _T) -> object:
    """Do the work on a part, on a worker; an error that names nothing else names that."""
    from distributed import get_worker

    try:
        return work(part)
    except ResultprocError as error:
        raise error.in_file(f"worker {get_worker().address}") from None


def _said_by(error: object) -> list[Problem]:
    """Return the outcome of a check on a worker: nothing where all is well, or where the worker has just gone."""
    if isinstance(error, ResultprocError):
        return [
            Problem(str(replace(each, hint="", lines="")), hint=each.hint, code=each.code) for each in error.problems
        ]
    if isinstance(error, Exception) and not isinstance(error, OSError):
        return [Problem(f"it cannot work: {error}", hint="install resultproc there", code="machine.worker")]
    return []


def _no_more(part: object, error: InputError) -> NoReturn:
    raise _lost(part)


def _lost(part: object) -> OutputError:
    what = "its workers ended one after the other, for example for lack of memory"
    return OutputError(what, hint="use fewer jobs or larger workers", file=str(part), code="machine.process")


_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""What glibc's mallopt can set: how much freed memory a process keeps, how much it asks for beforehand, and which
arrays it asks the system for.
"""

_LARGEST_KEPT = 32 * 2**20
"""The bytes of the largest arrays that are kept; glibc allows no more."""

_KEPT = 2**30
"""This many bytes at most."""

_HEAP = 64 * 2**20
"""The bytes of a heap of a thread that is not the first, such as those of Dask's workers: an empty one goes back to the
system, whatever is to be kept, unless this many are asked for beforehand.
"""


@cache
def keep_freed_memory() -> None:
    """Let this process keep the memory that its arrays give back, once and for all.

    Else it goes back to the system after each of the thousands of arrays of a part, which clears it again, page by
    page, for the next one. Only glibc can be asked for that.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)
    mallopt(_TRIM_THRESHOLD, _KEPT)
    mallopt(_TOP_PAD, _HEAP)
