"""What each side got on each board, for writers of tables of results."""

from __future__ import annotations

import pandas as pd

from resultproc.model.frames import Result

SIDES = ("ns", "ew")
"""The two sides of a table, as columns begin."""


def with_points(result: Result) -> pd.DataFrame:
    """Return the results of boards with ``ns_points``, ``ns_percentage``, those of E-W and ``top``, where known.

    They are those of the travellers; without these, the points are those that the sheet prints.
    """
    boards = result.boards.reset_index(drop=True)
    known = result.travellers.set_index("result").reindex(boards.index)
    points = {f"{side}_points": known[f"{side}_points"].fillna(boards[f"printed_{side}"]) for side in SIDES}
    return boards.assign(**points, **{name: known[name] for name in ("ns_percentage", "ew_percentage", "top")})


def points_are(boards: pd.DataFrame) -> str:
    """Return what the points of a game's boards are, which :func:`with_points` gave: ``MP`` or ``IMP``."""
    below_zero = (boards[["ns_points", "ew_points"]] < 0).any(axis=None)
    return "IMP" if below_zero and boards["top"].isna().all() else "MP"
