"""What registers by entry points: ``resultproc.readers``, ``resultproc.writers`` and ``resultproc.rulebooks``.

The built-in ones register like anybody else's, in ``pyproject.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import distributions
from typing import Any

from resultproc.model.errors import FormatError, PluginError, ResultprocError, closest

_OURS = "resultproc"
_TOLD = (ResultprocError, OSError, MemoryError)
"""Errors that say what is wrong, whoever raises them."""


@cache
def _every() -> dict[str, dict[str, Any]]:
    """Return what is registered, by group and name, from all that is installed; it is read once for all groups.

    Where a distribution is there twice, the first counts, as it does for imports.
    """
    groups: dict[str, dict[str, Any]] = {}
    for distribution in distributions():
        if f"{_OURS}." not in (distribution.read_text("entry_points.txt") or ""):
            continue  # to parse a text takes far longer than to read it
        for point in distribution.entry_points:
            groups.setdefault(point.group, {}).setdefault(point.name, point)
    return groups


@cache
def _registered(group: str) -> dict[str, Any]:
    return dict(sorted(_every().get(group, {}).items()))


def names(kind: str) -> list[str]:
    """Return the names of what is registered: ``kind`` is readers, writers or rulebooks."""
    return list(_registered(f"resultproc.{kind}"))


@cache
def named(kind: str, name: str) -> Any:
    """Return the reader, writer or rulebook of that name.

    Raises FormatError, which suggests the closest known one, and PluginError for something else that is registered so.
    """
    points = _registered(f"resultproc.{kind}")
    if name not in points:
        raise FormatError(f"unknown format '{name}'", hint=closest(name, points))
    with errors_of_plugin(kind, name):
        found = points[name].load()
        # The classes are in layers above this one, so they are told by their names.
        if not any(f"{each.__name__.lower()}s" == kind for each in type(found).__mro__):
            raise TypeError(f"{points[name].value} is not a {kind.removesuffix('s').capitalize()}")
        return found


@contextmanager
def errors_of_plugin(kind: str, name: str) -> Iterator[None]:
    """Raise PluginError, which names the package, for an unexpected error in what another package registered."""
    try:
        yield
    except Exception as error:
        # An OSError that the system has not raised, such as Python's own of a package without files, names no file.
        told = isinstance(error, _TOLD) and not (isinstance(error, OSError) and error.strerror is None)
        point = _registered(f"resultproc.{kind}").get(name)
        if told or point is None or point.dist is None or point.dist.name == _OURS:
            raise
        raise PluginError(
            f"the {kind.removesuffix('s')} '{name}' of the package {point.dist.name} {point.dist.version} has failed: "
            f"{type(error).__name__}: {error}",
            hint="report this to those who make that package",
        ) from error
