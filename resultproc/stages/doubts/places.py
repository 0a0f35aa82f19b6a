"""Doubts about printed places: who shares one is listed, too."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from resultproc.model.errors import Problem
from resultproc.stages.doubts.facts import Facts

_PRINTED = {"printed_section": "section", "printed_overall": "overall"}


def missing(facts: Facts) -> Iterator[Problem]:
    """Yield places that several share, of whom not as many are listed: ``1/2``, and one of them is there."""
    for column, basis in _PRINTED.items():
        texts = facts.contestants[column]
        shared = texts[texts.notna()]
        shared = shared[shared.str.contains("/")]
        if len(shared):
            yield from _missing(facts, shared, basis)


def _missing(facts: Facts, texts: pd.Series[str], basis: str) -> Iterator[Problem]:
    tied = texts.str.split(", ").explode().str.extract(_TIE)
    tied = tied.dropna().astype({"first": "int64", "last": "int64"})
    row = tied.index.to_numpy()
    group = facts.game if basis == "overall" else facts.scored_together
    tied = tied.assign(row=row, group=group[row])
    groups = tied.groupby(["group", "stratum", "first", "last"])["row"]
    listed = groups.agg(count="size", top="min").reset_index()
    short = listed[listed["count"] < listed["last"] - listed["first"] + 1]
    for each in short.to_dict("records"):
        place = f"{each['first']}/{each['last']}"
        what = f"place {place} {basis} in {each['stratum']} is shared, and {each['count']} of those who share it"
        verb = "is" if each["count"] == 1 else "are"
        yield facts.of_contestant(
            int(each["top"]), f"{what} {verb} listed", "add the rows that are missing, or correct the place"
        )


_TIE = r"^(?P<stratum>[A-Z])=(?P<first>[0-9]+)/(?P<last>[0-9]+)$"
