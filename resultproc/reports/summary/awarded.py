"""What a reprocessed archive comes to: sums per year, rating and stratum, which add up over its parts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import dense_codes
from resultproc.model.frames import NO_YEAR, Result

KEYS = ["year", "rating", "stratum"]
MEASURES = ["games", "contestants", "paid", "masterpoints", "printed", "printed_agree", "printed_masterpoints"]
COMPARED = ["in_force", "in_force_masterpoints", "difference", "changed"]
SUMS = {
    "games": "how many games were awarded",
    "contestants": "how many pairs, teams and individuals",
    "paid": "those that are paid anything",
    "masterpoints": "what they are paid",
    "printed": "those of games that print awards",
    "printed_agree": "those whose printed award is the computed one",
    "printed_masterpoints": "what the sheets print",
    "in_force": "those awarded under the rulebook of their day as well, where another is named",
    "in_force_masterpoints": "what they get under that one",
    "difference": "what they get more than under that one",
    "changed": "those whose award differs from that one",
    "failed": "how many games could not be awarded",
}
"""What is summed up: the names of the sums and their meanings."""

POINTS = {"masterpoints", "printed_masterpoints", "in_force_masterpoints", "difference"}
"""The sums that are masterpoints, in hundredths."""

_SUMS = [*MEASURES, *COMPARED, "failed"]

_OF_KINDS = ["date", "rating"]
"""What tells kinds of games apart."""


def summary(result: Result, in_force: Result | None, failed: pd.DataFrame) -> pd.DataFrame:
    """Return sums per year, rating and stratum: one row each, the masterpoints in hundredths.

    ``printed`` contestants of games that print awards, ``printed_agree`` those whose award is the computed one.
    in_force: the same games under the rulebook of their day, where it covers them and is another: ``in_force``
    contestants awarded under both, ``difference`` what they get more than under that one, ``changed`` those whose award
    differs.
    failed: the games that could not be awarded. Their number is, like ``games``, in a row without a stratum.
    """
    awards, contestants = awards_of(result), result.contestants
    game, award = awards["game"].to_numpy(), awards["masterpoints"].to_numpy()
    every = pd.concat([result.games[_OF_KINDS], failed[_OF_KINDS]], ignore_index=True)
    rating, ratings = pd.factorize(every["rating"].astype("str").fillna(""), sort=True)
    year = np.asarray(every["date"].dt.year.fillna(NO_YEAR), dtype=np.int64)
    kind, kinds = dense_codes(year * len(ratings) + rating)
    stratum = contestants["stratum"].astype("category").cat
    of_codes = ["", *stratum.categories]  # an ineligible contestant may have none
    letters = pd.Index(sorted(set(of_codes)), dtype="str")
    of_game = kind * len(letters)
    cell = of_game[game] + letters.get_indexer(of_codes)[stratum.codes.to_numpy() + 1]
    length = len(kinds) * len(letters)
    sums = {"contestants": None, "paid": award > 0, "masterpoints": award}
    # Most archives print no awards, and most runs compare with nothing.
    there = contestants["printed_award"].notna().to_numpy()
    if there.any():
        prints = np.bincount(game[there], minlength=len(result.games))[game] > 0
        printed = contestants["printed_award"].to_numpy(dtype=np.int64, na_value=0)
        sums |= {"printed": prints, "printed_agree": prints & (printed == award), "printed_masterpoints": printed}
    if in_force is not None:
        other = _other_awards(result, in_force)
        both = other >= 0
        sums |= {"in_force": both, "in_force_masterpoints": np.maximum(other, 0)}
        sums |= {"difference": np.where(both, award - other, 0), "changed": both & (other != award)}
    of_cells = {name: np.bincount(cell, values, length) for name, values in sums.items()}
    for name, cells in (("games", of_game[: len(result.games)]), ("failed", of_game[len(result.games) :])):
        of_cells[name] = np.bincount(cells, minlength=length)
    rows = np.flatnonzero(sum(of_cells[name] for name in ("contestants", "games", "failed")))
    year, rating = np.divmod(kinds[rows // len(letters)], len(ratings))
    named = {"year": year, "rating": ratings[rating], "stratum": letters[rows % len(letters)]}
    values = {name: of_cells[name][rows] if name in of_cells else 0 for name in _SUMS}
    return pd.DataFrame({**named, **values}).astype(dict.fromkeys(_SUMS, "Int64"))


_NAMES = ["game_id", "section", "direction", "number"]


def _other_awards(result: Result, in_force: Result) -> np.ndarray:
    """Return each contestant's award in another result of the same archive part, -1 for a game that is not there."""
    names = [frame.contestants[_NAMES].astype("str").fillna("") for frame in (result, in_force)]
    awards = names[1].assign(award=awards_of(in_force)["masterpoints"].to_numpy())
    return np.asarray(names[0].merge(awards, "left", _NAMES)["award"].fillna(-1), dtype=np.int64)


def summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several summaries, by year, rating and stratum."""
    frame = pd.concat(parts, ignore_index=True)
    return frame.groupby(KEYS, as_index=False).sum()


def awards_of(result: Result) -> pd.DataFrame:
    """Return the awards of a result that was awarded."""
    if result.awards is None:
        raise ValueError("only what was awarded can be summed up")
    return result.awards
