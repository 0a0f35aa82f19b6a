"""Where the parts of an archive are worked on: in this process, on some processors here, or on a Dask cluster.

The same function runs in all three; a part whose worker is lost is begun anew on another one. One processor
needs no Dask, which is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from resultproc.batch.interrupts import interrupts_ignored
from resultproc.model.errors import InputError, OutputError

if TYPE_CHECKING:
    from distributed import Client

_RETRIES = 3
"""How often a part is begun anew after its worker was lost."""

T = TypeVar("T")

_ANSWER = "10s"
"""How long a scheduler may take to answer."""


@dataclass(frozen=True)
class Cluster:
    """Workers: ``scheduler`` is the address of a running Dask scheduler, else ``jobs`` processors of this machine.

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
        if self.scheduler is None and self.jobs == 1:
            for done, part in enumerate(parts, 1):
                work(part)
                self.progress(done, len(parts))
            return
        import dask
        from distributed import KilledWorker, as_completed

        with dask.config.set({"distributed.comm.timeouts.connect": _ANSWER}), self._client() as client:
            futures = dict(zip(client.map(work, parts, retries=_RETRIES, pure=False), parts, strict=True))
            for done, future in enumerate(as_completed(futures), 1):
                try:
                    future.result()
                except KilledWorker:
                    what = "its workers ended one after the other, for example for lack of memory"
                    raise OutputError(
                        what, hint="use fewer --jobs or larger workers", file=str(futures[future])
                    ) from None
                self.progress(done, len(parts))

    @contextmanager
    def _client(self) -> Iterator[Client]:
        from distributed import Client, LocalCluster

        if self.scheduler is None:
            with interrupts_ignored():
                local = LocalCluster(
                    n_workers=self.jobs,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=50,
                    host="127.0.0.1",
                )
            with local, Client(local) as client:
                yield client
            return
        try:
            client = Client(self.scheduler)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"the scheduler {self.scheduler} does not answer: {error}") from None
        with client:
            yield client
