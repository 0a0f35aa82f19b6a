"""Who works: this process, several processes here that end with the one that started them, or a Dask cluster.

The same function runs in all of them; what is lost with a process or worker is done again by another one. Only a
cluster needs Dask, which is imported where it is used.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from resultproc.model.codes import TOO_MUCH
from resultproc.model.errors import InputError, OutputError, Problem, ResultprocError
from resultproc.model.file_limits import FileLimits, at_rest, for_one_file
from resultproc.model.language import language, speak

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


def pool(jobs: int, limits: FileLimits | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes to work in. limits: what each of them may take for a file.

    Where the system is one that can do so safely, they are copies of this process, or of one that has imported what
    this one has: to import it takes a second each time. A copy has none of the threads of what it is a copy of.
    """
    if sys.platform == "linux" and threading.active_count() == 1:
        context: Any = get_context("fork")
    else:
        context = _of_copies()
    return ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_like_parent,
        initargs=(gc.get_threshold(), dict(os.environ), limits, language()),
    )


def _of_copies() -> Any:
    """Return how processes are started by one that has threads, or on a system that copies none."""
    context = get_context("forkserver" if sys.platform == "linux" else "spawn")
    context.set_forkserver_preload([name for name in sys.modules if name.startswith("resultproc.")])
    return context


def make_ready() -> None:
    """Begin to import what the processes of pools need, where this one is about to have threads: it takes a second."""
    if sys.platform == "linux":
        from multiprocessing.forkserver import ensure_running

        _of_copies()
        ensure_running()


def _like_parent(
    threshold: tuple[int, ...], environment: dict[str, str], limits: FileLimits | None, spoken: str
) -> None:
    """Let this process be as the one that asked for it is now, and end when that does.

    It looks for garbage as seldom, speaks its language, and has its environment: what it is a copy of may be older
    than a change of that.
    A parent that is killed cannot see to its children's end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # if the one that asked for it could not see to that
    gc.set_threshold(*threshold)
    gc.freeze()  # what there is already is in use: to look through it takes time, and copies its memory
    speak(spoken)
    if limits:
        limits.keep()
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
    limits: FileLimits | None = None,
) -> Iterator[_Done]:
    """Yield what becomes of some items, in their order.

    crashed: what becomes of an item that ends its process. Those that were worked on with it are done one by one.
    jobs: how many processes work; with 1, and without limits, the work is done here.
    limits: what each item may take, see :func:`resultproc.model.file_limits.for_one_file`.
    """
    if jobs == 1 and limits is None:
        yield from map(work, items)
        return
    processes = _Processes(jobs, limits)
    running: deque[tuple[Sequence[_Item], Future[_Done]]] = deque()
    alone = partial(_each_alone, work, crashed, limits=limits)
    try:
        for each in items:
            running.append((each, processes.give(work, each)))
            if len(running) > _AHEAD * jobs:
                yield from _done(running, alone)
        while running:
            yield from _done(running, alone)
    finally:
        processes.end()


def _done(
    running: deque[tuple[Sequence[_Item], Future[_Done]]], alone: Callable[[Sequence[_Item]], Iterator[_Done]]
) -> Iterator[_Done]:
    """Yield what becomes of what was given out first, or, where its process ended, of all that was lost with it."""
    items, future = running.popleft()
    try:
        yield future.result()
    except (BrokenProcessPool, MemoryError):
        lost = [*items]
        while running and isinstance(running[0][1].exception(), BrokenProcessPool):
            lost += running.popleft()[0]
        yield from alone(lost)


def _each_alone(
    work: Callable[[Sequence[_Item]], _Done],
    crashed: Callable[[_Item, InputError], _Done],
    items: Sequence[_Item],
    limits: FileLimits | None,
) -> Iterator[_Done]:
    """Yield what becomes of each of some items, one of which has ended its process; any other may, too."""
    passed = (limits or FileLimits()).passed
    if limits and len(items) == 1:
        yield crashed(items[0], passed)
        return
    processes = _Processes(1, limits)  # its own, as what ends one of several processes may be at work in another
    try:
        for item in items:
            try:
                yield processes.give(work, [item]).result()
            except (BrokenProcessPool, MemoryError):
                yield crashed(item, passed)
    finally:
        processes.end()


def within(limits: FileLimits | None, file: str, work: Callable[..., _Done], *given: object, **named: object) -> _Done:
    """Return what work on a file comes to, done in a process of its own within limits, if any; raise what it raises.

    file: what it is called. Raises InputError, which names it, where the work takes more.
    """

    def crashed(call: object, error: InputError) -> NoReturn:
        raise error

    try:
        (done,) = in_order(_called, crashed, [[partial(work, *given, **named)]], 1, limits)
    except InputError as error:
        raise (error.in_file(file) if any(each.code == TOO_MUCH for each in error.problems) else error) from None
    return done


def _called(calls: Sequence[Callable[[], _Done]]) -> _Done:
    (call,) = calls
    with for_one_file():
        return call()


def _then_at_rest(work: Callable[[_Item], _Done], item: _Item) -> _Done:
    try:
        return work(item)
    finally:
        at_rest()


class _Processes:
    """A pool of processes, and another one where one of them has ended."""

    def __init__(self, jobs: int, limits: FileLimits | None) -> None:
        self._limits = limits
        self._new = partial(pool, jobs, limits)
        self._pool = self._new()

    def give(self, work: Callable[[_Item], _Done], item: _Item) -> Future[_Done]:
        with interrupts_ignored(), warnings.catch_warnings():
            # From Python 3.12 on it warns of threads of libraries, which see to it themselves that they are not copied.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                return self._pool.submit(_then_at_rest, work, item)
            except BrokenProcessPool:
                self._pool = self._new()
                return self._pool.submit(_then_at_rest, work, item)

    def end(self) -> None:
        """End them; those that have limits whatever they are doing, as one may be at a file for long."""
        if self._limits:
            for process in [*(self._pool._processes or {}).values()]:
                process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


_RETRIES = 3
"""How often Dask tries a part again that ended in an error, such as one of the network."""

_T = TypeVar("_T")

SECONDS_TO_ANSWER = 3
"""How many seconds a scheduler may take to answer, and then its first worker: all is told within ten."""


@dataclass(frozen=True)
class Cluster:
    """Workers for the parts of an archive."""

    jobs: int = 1  # how many processes of this machine work, where there is no scheduler
    scheduler: str | None = None  # the address of a running Dask scheduler, None for none
    # Gets how many parts are done and how many there are, at the start and whenever one is done.
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
        import asyncio

        import dask
        from distributed import Client

        try:
            with ThreadPoolExecutor(1) as thread:  # a loop may be running already here, as in notebooks
                thread.submit(asyncio.run, _reached(str(self.scheduler))).result()
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
    import asyncio

    from distributed.comm import connect
    from distributed.security import Security

    settings = Security().get_connection_args("client")
    # Where nothing is there, it is to be the connection that says so.
    greeting = connect(scheduler, timeout=SECONDS_TO_ANSWER, **settings)
    greeted = await asyncio.wait_for(greeting, SECONDS_TO_ANSWER + 1)
    greeted.abort()


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
    for setting, most in ((_MMAP_THRESHOLD, _LARGEST_KEPT), (_TRIM_THRESHOLD, _KEPT), (_TOP_PAD, _HEAP)):
        _of_glibc("mallopt", setting, most)


def give_freed_memory_back() -> None:
    """Give what earlier work has freed back to the system, where what comes has arrays that do not fit into it."""
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    _of_glibc("malloc_trim", 0)


def _of_glibc(name: str, *numbers: int) -> None:
    if sys.platform.startswith("linux"):
        with suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), name)(*numbers)
