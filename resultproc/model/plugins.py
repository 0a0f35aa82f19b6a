"""What registers by entry points: ``resultproc.readers``, ``resultproc.writers`` and ``resultproc.rulebooks``.

The built-in ones register like anybody else's, in ``pyproject.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from resultproc.model.errors import FormatError, closest


@cache
def _registered(group: str) -> dict[str, Any]:
    return {point.name: point for point in sorted(entry_points(group=group), key=lambda p: p.name)}


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
