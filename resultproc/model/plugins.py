"""What registers by entry points: ``resultproc.readers``, ``.writers``, ``.rulebooks`` and ``.leagues``.

The built-in ones register like anybody else's, in ``pyproject.toml``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from resultproc.model.codes import TOO_MUCH
from resultproc.model.errors import FormatError, PluginError, ResultprocError, closest

_OURS = "resultproc"
_TOLD = (ResultprocError, OSError, MemoryError)
"""Errors that say what is wrong, whoever raises them."""


@cache
def _points() -> list[EntryPoint]:
    """Return what is registered by entry points, of all kinds; all that is installed is looked through once."""
    told = [each for each in distributions() if f"{_OURS}." in (each.read_text("entry_points.txt") or "")]
    return [point for each in told for point in each.entry_points]


@cache
def _registered(kind: str) -> dict[str, EntryPoint]:
    """Return what is registered by its name; of a name that two packages have, the first one's."""
    points = {point.name: point for point in reversed(_points()) if point.group == f"{_OURS}.{kind}"}
    return dict(sorted(points.items()))


def names(kind: str) -> list[str]:
    """Return the names of what is registered: ``kind`` is readers, writers, rulebooks or leagues."""
    return list(_registered(kind))


@cache
def named(kind: str, name: str) -> Any:
    """Return the reader, writer, rulebook or league of that name.

    Raises FormatError, which suggests the closest known one, and PluginError for something else that is registered so.
    """
    points = _registered(kind)
    if name not in points:
        raise FormatError(f"unknown format '{name}'", hint=closest(name, points))
    with errors_of_plugin(kind, name):
        found = points[name].load()
        # The classes are in layers above this one, so they are told by their names.
        if not any(f"{each.__name__.lower()}s" == kind for each in type(found).__mro__):
            raise TypeError(f"{points[name].value} is not a {kind.removesuffix('s').capitalize()}")
        return found


def installed() -> dict[str, str]:
    """Return what decides every result here, by group and name: the SHA-256 of the code and tables that are registered.

    A package counts whole, with its version, as what it registers may use any module or table of it; so does ours.
    """
    points = [point for kind in ("readers", "writers", "rulebooks", "leagues") for point in _registered(kind).values()]
    return {f"{point.group} {point.name}": _told(point) for point in points}


def of_package(kind: str, name: str) -> str:
    """Return the SHA-256 of the package that registers something; empty for what is ours, which has our version."""
    point = _registered(kind).get(name)
    return "" if point is None or point.dist is None or point.dist.name == _OURS else _told(point)


def _told(point: EntryPoint) -> str:
    version = _version(point.dist) if point.dist else ""
    return hashlib.sha256(repr((point.value, version, _content(point.module.partition(".")[0]))).encode()).hexdigest()


@cache
def _version(package: Distribution) -> str:
    """Return the version of a package, which is looked up in all that it says of itself."""
    return package.version


@cache
def _content(module: str) -> str:
    """Return the SHA-256 of all files of a package or module, as they are when they are first asked for."""
    spec = find_spec(module)
    folders = [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []
    files = [each for folder in folders for each in sorted(folder.rglob("*")) if "__pycache__" not in each.parts]
    files += [Path(spec.origin)] if spec and spec.origin and not folders else []
    said = hashlib.sha256()
    for each in files:
        if each.is_file():
            said.update(repr((each.name, hashlib.sha256(each.read_bytes()).digest())).encode())
    return said.hexdigest()


@contextmanager
def errors_of_plugin(kind: str, name: str) -> Iterator[None]:
    """Raise PluginError, which names the package, for an unexpected error in what another package registered.

    So does one that would end the program.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        # An OSError that the system has not raised, such as Python's own of a package without files, names no file.
        told = isinstance(error, _TOLD) and not (isinstance(error, OSError) and error.strerror is None)
        point = _registered(kind).get(name)
        if told or point is None or point.dist is None or point.dist.name == _OURS:
            raise
        raise PluginError(
            f"the {kind.removesuffix('s')} '{name}' of the package {point.dist.name} {point.dist.version} has failed: "
            f"{type(error).__name__}: {error}",
            hint="report this to those who make that package",
            code=TOO_MUCH if isinstance(error, SystemExit) else PluginError.code,
        ) from error
