"""Work on several processors, in processes that end with the one that started them."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from resultproc.batch.interrupts import interrupts_ignored
from resultproc.model.errors import InputError

Item = TypeVar("Item")
Done = TypeVar("Done")

CRASHED = "reading it crashed the process, for example for lack of memory"


def pool(jobs: int) -> ProcessPoolExecutor:
    """Return so many processes to work in."""
    return ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_like_parent, initargs=(gc.get_threshold(),)
    )


def _like_parent(threshold: tuple[int, ...]) -> None:
    """Let this process look for garbage as seldom as the one that started it, and end when that does.

    A parent that is killed cannot see to its children's end.
    """
    gc.set_threshold(*threshold)
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


_AHEAD = 2
"""So many pieces of work for each process are given out before their results are taken: memory stays bounded."""


def in_order(
    work: Callable[[Sequence[Item]], Done],
    crashed: Callable[[Item, InputError], Done],
    items: Iterable[Sequence[Item]],
    jobs: int,
) -> Iterator[Done]:
    """Yield what becomes of some items, in their order, worked on in so many processes, or here for one.

    crashed: what becomes of an item that ends its process. Those that were worked on with it are done one by one.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    processes = pool(jobs)
    running: deque[tuple[Sequence[Item], Future[Done]]] = deque()
    try:
        for each in items:
            with interrupts_ignored():
                try:
                    running.append((each, processes.submit(work, each)))
                except BrokenProcessPool:
                    processes = pool(jobs)
                    running.append((each, processes.submit(work, each)))
            if len(running) > _AHEAD * jobs:
                yield from _done(work, crashed, *running.popleft())
        while running:
            yield from _done(work, crashed, *running.popleft())
    finally:
        processes.shutdown(wait=True, cancel_futures=True)


def _done(
    work: Callable[[Sequence[Item]], Done],
    crashed: Callable[[Item, InputError], Done],
    items: Sequence[Item],
    future: Future[Done],
) -> Iterator[Done]:
    try:
        yield future.result()
    except BrokenProcessPool:
        yield from one_by_one(work, crashed, items)


def one_by_one(
    work: Callable[[Sequence[Item]], Done], crashed: Callable[[Item, InputError], Done], items: Iterable[Item]
) -> Iterator[Done]:
    """Yield what becomes of each of some items, any of which may end its process; crashed: see :func:`in_order`."""
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
