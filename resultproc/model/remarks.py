"""Remarks that are taken for errors."""

from __future__ import annotations

from collections.abc import Iterable

from resultproc.model.errors import InputError, Problem


def raise_if_any(remarks: Iterable[Problem]) -> None:
    """Raise InputError where there are any remarks: for those who want none."""
    found = list(dict.fromkeys(remarks))
    if found:
        raise InputError(found)
