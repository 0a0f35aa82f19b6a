"""Doubts about printed places: who shares one is listed, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from resultproc.model.errors import Problem
from resultproc.stages.doubts.facts import Facts

_PRINTED = {"printed_section": "section", "printed_overall": "overall"}


def missing(facts: Facts) -> Iterator[Problem]:
    """Yield places that several share, of whom not as many are listed: ``1/2``, and one of them is there."""
    for column, basis in _PRINTED.items():
        texts = facts.contestants[column]
        rows = np.flatnonzero(texts.notna())
        if len(rows):
            rows = rows[texts.iloc[rows].str.contains("/").to_numpy(dtype=bool)]
            yield from _missing(facts, rows.tolist(), texts.iloc[rows].tolist(), basis)


def _missing(facts: Facts, rows: list[int], texts: list[str], basis: str) -> Iterator[Problem]:
    group = (facts.game if basis == "overall" else facts.scored_together).tolist()
    listed: dict[tuple[int, str, int, int], list[int]] = {}
    for row, text in zip(rows, texts, strict=True):
        for stratum, first, last in _TIE.findall(text):
            listed.setdefault((group[row], stratum, int(first), int(last)), []).append(row)
    for (_, stratum, first, last), there in sorted(listed.items()):
        if len(there) < last - first + 1:
            what = f"place {first}/{last} {basis} in {stratum} is shared, and {len(there)} of those who share it"
            verb = "is" if len(there) == 1 else "are"
            hint = "add the rows that are missing, or correct the place"
            yield facts.of_contestant(there[0], f"{what} {verb} listed", hint)


_TIE = re.compile(r"(?:^|(?<=, ))([A-Z])=([0-9]+)/([0-9]+)(?=$|, )")
"""A shared place in a stratum, among others: ``A=2, B=1/2``."""
