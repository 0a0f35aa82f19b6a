"""Which rulebooks paid some games, told so that the same tables can be found again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from importlib.metadata import version

import numpy as np
import pandas as pd

from resultproc.model.errors import RulebookError
from resultproc.model.provenance import RulebookUsed
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.core import toml_text
from resultproc.rulebooks.registry import rulebook, rulebooks


def rulebooks_used(games: pd.DataFrame) -> tuple[RulebookUsed, ...]:
    """Return the rulebooks of some games, which have one each, by id."""
    number, found = editions(games)
    days: dict[str, set[date]] = {}
    for which, row in zip(*np.unique(number, return_index=True), strict=True):
        days.setdefault(str(games["rulebook"].iloc[row]), set()).add(found[which].since)
    return tuple(_used(name, tuple(map(_day, sorted(each)))) for name, each in sorted(days.items()))


def _day(since: date) -> str:
    return "first" if since == date.min else since.isoformat()


def _used(name: str, days: tuple[str, ...]) -> RulebookUsed:
    book = rulebook(name)
    return RulebookUsed(book.id, book.title, days, tables_hash(name), _switched(name))


@cache
def tables_hash(name: str) -> str:
    """Return the SHA-256 of all that a rulebook's tables say, with their days; the citations do not count."""
    lines = [
        f"{path}\t{entry.since}\t{entry.until}\t{toml_text(entry.value)}"
        for path, versions in sorted(rulebook(name).entries.items())
        for entry in versions
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def tables_here(own: str | None = None) -> Mapping[str, str]:
    """Return what tells awards that are given here from others: what each rulebook says, as SHA-256, and our version.

    own: a user's own rulebook besides the registered ones. Raises RulebookError like
    :func:`resultproc.rulebooks.registry.rulebook`.
    """
    named = sorted({*(book.id for book in rulebooks()), *([own] if own else [])})
    return {"resultproc": version("resultproc"), **{name: _told(name) for name in named}}


def _told(name: str) -> str:
    """Return the SHA-256 of all that a rulebook says: what it is for, and its tables."""
    book = rulebook(name)
    of_itself = [getattr(book, each.name) for each in fields(book) if each.init and each.name != "read"]
    return hashlib.sha256(repr((of_itself, tables_hash(name))).encode()).hexdigest()


def refuse_others(expected: Mapping[str, str], own: str | None) -> None:
    """Raise RulebookError where the rulebooks that are here are not as is expected: those that differ are named."""
    here = tables_here(own)
    other = sorted(name for name in here.keys() | expected.keys() if here.get(name) != expected.get(name))
    if other:
        hint = "give every worker the same resultproc and rulebooks, and start it anew"
        what = f"this worker has other tables than this run: {', '.join(other)}"
        raise RulebookError(what, hint=hint, code="machine.worker")


def _switched(name: str) -> dict[str, str]:
    """Return the readings that a user's own rulebook takes otherwise: values with a choice, which its file states."""
    if not name.endswith(".toml"):
        return {}
    last = (versions[-1] for _, versions in sorted(rulebook(name).entries.items()))
    # The files of built-in rulebooks are named with their folder.
    return {entry.path: str(entry.value) for entry in last if entry.choices and "/" not in entry.file}
