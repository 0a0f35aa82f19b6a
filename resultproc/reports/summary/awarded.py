"""What a reprocessed archive comes to: sums per year, rating and stratum, which add up over its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.frames import NO_YEAR, Result
from resultproc.model.sections import numbered

KEYS = ["year", "rating", "stratum"]
MEASURES = ["games", "contestants", "paid", "masterpoints", "printed", "printed_agree", "printed_masterpoints"]
COMPARED = ["in_force", "in_force_masterpoints", "difference", "changed"]


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
    rating, ratings = pd.factorize(_rating(result.games))
    width = max(len(ratings), 1)
    kind, kinds = numbered(_year(result.games) * width + rating)
    stratum = contestants["stratum"].astype("category").cat
    letters = [*stratum.categories, ""]  # an ineligible contestant may have none
    cell = (kind * len(letters))[game] + stratum.codes.to_numpy() % len(letters)
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
    of_cells = {name: np.bincount(cell, values, len(kinds) * len(letters)) for name, values in sums.items()}
    rows = np.flatnonzero(of_cells["contestants"])
    of_strata = _named(kinds[rows // len(letters)], ratings) | {"stratum": np.array(letters)[rows % len(letters)]}
    of_games = _named(kinds, ratings) | {"stratum": "", "games": np.bincount(kind, minlength=len(kinds))}
    of_failed = {"year": _year(failed), "rating": _rating(failed), "stratum": "", "failed": 1}
    parts = [of_strata | {name: values[rows] for name, values in of_cells.items()}, of_games, of_failed]
    return summed([pd.DataFrame(part) for part in parts if len(part["year"])])


def _year(games: pd.DataFrame) -> np.ndarray:
    return np.asarray(games["date"].dt.year.fillna(NO_YEAR), dtype=np.int64)


def _rating(games: pd.DataFrame) -> pd.Series[str]:
    return games["rating"].astype("str").fillna("")


def _named(kind: np.ndarray, ratings: pd.Index[str]) -> dict[str, Any]:
    """Return years and ratings by the numbers that stand for them together."""
    year, rating = np.divmod(kind, max(len(ratings), 1))
    return {"year": year, "rating": ratings[rating]}


_NAMES = ["game_id", "section", "direction", "number"]


def _other_awards(result: Result, in_force: Result) -> np.ndarray:
    """Return each contestant's award in another result of the same archive part, -1 for a game that is not there."""
    names = [frame.contestants[_NAMES].astype("str").fillna("") for frame in (result, in_force)]
    awards = names[1].assign(award=awards_of(in_force)["masterpoints"].to_numpy())
    return np.asarray(names[0].merge(awards, "left", _NAMES)["award"].fillna(-1), dtype=np.int64)


def summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several summaries, by year, rating and stratum."""
    sums = [*MEASURES, *COMPARED, "failed"]
    frame = pd.concat(parts or [pd.DataFrame(columns=KEYS)], ignore_index=True).reindex(columns=[*KEYS, *sums])
    return frame.groupby(KEYS, as_index=False).sum().astype(dict.fromkeys(sums, "Int64"))


def awards_of(result: Result) -> pd.DataFrame:
    """Return the awards of a result that was awarded."""
    if result.awards is None:
        raise ValueError("only what was awarded can be summed up")
    return result.awards
