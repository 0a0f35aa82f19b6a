"""What registers by entry points: ``resultproc.readers``, ``resultproc.writers`` and ``resultproc.rulebooks``.

The built-in ones register like anybody else's, in ``pyproject.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import distributions
from typing import Any

from resultproc.model.errors import FormatError, closest


@cache
def _every() -> dict[str, dict[str, Any]]:
    """Return what is registered, by group and name: the metadata of all that is installed is read once for all groups.

    Of a distribution that is there twice the first counts, as it does for imports.
    """
    groups: dict[str, dict[str, Any]] = {}
    for distribution in distributions():
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
    """Return the reader, writer or rulebook of that name; raise FormatError that suggests the closest known one."""
    points = _registered(f"resultproc.{kind}")
    if name not in points:
        raise FormatError(f"unknown format '{name}'", hint=closest(name, points))
    return points[name].load()
