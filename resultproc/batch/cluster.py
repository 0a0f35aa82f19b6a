"""Where the parts of an archive are worked on: in this process, on some processors here, or on a Dask cluster.

The same function runs in all three; a part whose worker is lost is begun anew on another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import dask
from dask.distributed import Client, LocalCluster, as_completed

from resultproc.errors import InputError

_RETRIES = 3
"""How often a part is begun anew after its worker was lost."""


@dataclass(frozen=True)
class Cluster:
    """Workers: ``scheduler`` is the address of a running Dask scheduler, else ``jobs`` processors of this machine.

    progress: is called whenever a part is done.
    """

    jobs: int = 1
    scheduler: str | None = None
    progress: Callable[[], None] = lambda: None

    def run(self, work: Callable[[str], object], parts: list[str]) -> None:
        """Do the work on every part; the first error ends it. InputError where the scheduler does not answer."""
        if self.scheduler is None and self.jobs == 1:
            for part in parts:
                work(part)
                self.progress()
            return
        with dask.config.set({"distributed.comm.timeouts.connect": "10s"}), self._client() as client:
            futures = client.map(work, parts, retries=_RETRIES, pure=False)
            for future in as_completed(futures):
                future.result()
                self.progress()

    def _client(self) -> Client:
        if self.scheduler is None:
            local = LocalCluster(
                n_workers=self.jobs, threads_per_worker=1, dashboard_address=None, silence_logs=50, host="127.0.0.1"
            )
            return Client(local)
        try:
            return Client(self.scheduler)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"the scheduler {self.scheduler} does not answer: {error}") from None
