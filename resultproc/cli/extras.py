"""Commands whose libraries are extras: what to install where they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def cluster_extra() -> Iterator[None]:
    """Turn a missing library of the extra ``cluster`` into a message that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"this command needs {error.name}; install it with: pip install 'resultproc[cluster]'"
        ) from None
