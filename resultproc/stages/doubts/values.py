"""Doubts about values of regulations that went into awards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from resultproc.model.errors import Problem
from resultproc.model.frames import Result, game_problems
from resultproc.rulebooks.choice import editions


def remarked(result: Result) -> Iterator[Problem]:
    """Yield games with awards that values went into which their rulebook has a remark on."""
    number, found = editions(result.games)
    if not any(edition.remarks for edition in found) or result.candidates.empty:
        return
    made, game = result.candidates["values"], result.candidates["game"].to_numpy()
    paths = [frozenset(item.path for item in each.items) for each in made.cat.categories]
    for which, edition in enumerate(found):
        for remark, of in edition.remarks.items():
            by_them = np.array([not of.isdisjoint(each) for each in paths], dtype=bool)[made.cat.codes]
            rows = np.unique(game[by_them & (number[game] == which)])
            yield from game_problems(result.games, ((row, remark, "", "values.remarked") for row in rows.tolist()))
