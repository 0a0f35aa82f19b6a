"""Commands whose libraries are extras: what to install where they are missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote

from resultproc.model.errors import InputError

_EXTRAS = {
    "cryptography": "sign",
    "duckdb": "archive",
    "fsspec": "archive",
    "pyarrow": "archive",
    "dask": "cluster",
    "distributed": "cluster",
}
"""The extra of the package that brings each library."""


@contextmanager
def extras() -> Iterator[None]:
    """Turn a missing library of an extra into a message that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = str(error.name).partition(".")[0]
        if library not in _EXTRAS:
            raise
        # Of this Python: scripts/run has one of its own, which "pip" alone does not reach.
        install = f"{quote(sys.executable)} -m pip install 'resultproc[{_EXTRAS[library]}]'"
        what = f"this command needs {library}; install it with: {install}"
        raise InputError(what, code="machine.library") from None
