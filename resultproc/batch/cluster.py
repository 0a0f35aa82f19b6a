"""Where the parts of an archive are worked on: in this process, in several processes here, or on a Dask cluster.

The same function runs in all three; a part whose process or worker is lost is begun anew in another one. Only a cluster
needs Dask, which is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeVar

from resultproc.batch.pool import in_order
from resultproc.model.errors import InputError, OutputError

if TYPE_CHECKING:
    from distributed import Client

_RETRIES = 3
"""How often Dask begins a part anew that ended in an error, such as one of the network."""

T = TypeVar("T")

_ANSWER = "10s"
"""How long a scheduler may take to answer."""


@dataclass(frozen=True)
class Cluster:
    """Workers: ``scheduler`` is the address of a running Dask scheduler, else ``jobs`` processes of this machine.

    progress: gets how many parts are done and how many there are, at the start and whenever one is done.
    """

    jobs: int = 1
    scheduler: str | None = None
    progress: Callable[[int, int], None] = lambda done, parts: None

    def run(self, work: Callable[[T], object], parts: list[T]) -> None:
        """Do the work on every part; the first error ends it.

        InputError where the scheduler does not answer, OutputError where a part ends every worker that it is given.
        """
        self.progress(0, len(parts))
        done = self._done_here(work, parts) if self.scheduler is None else self._done_there(work, parts)
        for number, _ in enumerate(done, 1):
            self.progress(number, len(parts))

    def _done_here(self, work: Callable[[T], object], parts: list[T]) -> Iterator[object]:
        return in_order(partial(_each, work), _no_more, [[part] for part in parts], self.jobs)

    def _done_there(self, work: Callable[[T], object], parts: list[T]) -> Iterator[object]:
        import dask
        from distributed import KilledWorker, as_completed

        with dask.config.set({"distributed.comm.timeouts.connect": _ANSWER}), self._client() as client:
            futures = dict(zip(client.map(work, parts, retries=_RETRIES, pure=False), parts, strict=True))
            for future in as_completed(futures):
                try:
                    yield future.result()
                except KilledWorker:
                    raise _lost(futures[future]) from None

    @contextmanager
    def _client(self) -> Iterator[Client]:
        from distributed import Client

        try:
            client = Client(self.scheduler)
        except (OSError, TimeoutError, ValueError) as error:
            what = f"the scheduler {self.scheduler} does not answer: {error}"
            raise InputError(what, code="again.scheduler") from None
        with client:
            yield client


def _each(work: Callable[[T], object], parts: Sequence[T]) -> None:
    for part in parts:
        work(part)


def _no_more(part: object, error: InputError) -> NoReturn:
    raise _lost(part)


def _lost(part: object) -> OutputError:
    what = "its workers ended one after the other, for example for lack of memory"
    return OutputError(what, hint="use fewer --jobs or larger workers", file=str(part), code="machine.process")
