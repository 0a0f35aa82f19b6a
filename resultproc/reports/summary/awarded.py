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
    game = awards["game"].to_numpy()
    prints = np.bincount(game[contestants["printed_award"].notna()], minlength=len(result.games))[game] > 0
    printed = contestants["printed_award"].to_numpy(dtype=np.int64, na_value=0)
    award = awards["masterpoints"].to_numpy()
    other = _other_awards(result, in_force)
    rating, ratings = pd.factorize(_rating(result.games))
    width = max(len(ratings), 1)
    kind, cells = numbered(_year(result.games) * width + rating)
    kinds = pd.MultiIndex.from_arrays([cells // width, ratings[cells % width]])
    stratum = contestants["stratum"].astype("category")
    letters = [*stratum.cat.categories, ""]  # an ineligible contestant may have none
    cell = kind[game] * len(letters) + stratum.cat.codes.to_numpy() % len(letters)
    sums = {
        "contestants": np.ones(len(cell)),
        "paid": award > 0,
        "masterpoints": award,
        "printed": prints,
        "printed_agree": prints & (printed == award),
        "printed_masterpoints": printed,
        "in_force": other >= 0,
        "in_force_masterpoints": np.maximum(other, 0),
        "difference": np.where(other >= 0, award - other, 0),
        "changed": (other >= 0) & (other != award),
    }
    rows = pd.MultiIndex.from_product([range(len(kinds)), letters])
    of_strata = pd.DataFrame({name: _summed(cell, values, len(rows)) for name, values in sums.items()})
    of_strata = _named(rows.get_level_values(0), kinds).assign(stratum=rows.get_level_values(1)).join(of_strata)
    of_games = _named(range(len(kinds)), kinds).assign(stratum="", games=np.bincount(kind, minlength=len(kinds)))
    of_failed = pd.DataFrame({"year": _year(failed), "rating": _rating(failed)}).assign(stratum="", failed=1)
    parts = [of_strata[of_strata["contestants"] > 0], of_games, of_failed]
    return summed([part for part in parts if len(part)])


def _summed(cell: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    # Most archives print no awards, and most runs compare with nothing.
    return np.bincount(cell, values, count) if values.any() else np.zeros(count)


def _year(games: pd.DataFrame) -> np.ndarray:
    return np.asarray(games["date"].dt.year.fillna(NO_YEAR), dtype=np.int64)


def _rating(games: pd.DataFrame) -> pd.Series[str]:
    return games["rating"].astype("str").fillna("")


def _named(kind: Any, kinds: pd.Index[Any]) -> pd.DataFrame:
    return pd.DataFrame({name: kinds.get_level_values(i).take(kind) for i, name in enumerate(KEYS[:2])})


_NAMES = ["game_id", "section", "direction", "number"]


def _other_awards(result: Result, in_force: Result | None) -> np.ndarray:
    """Return each contestant's award in another result of the same archive part, -1 for a game that is not there."""
    if in_force is None:
        return np.full(len(result.contestants), -1)
    names = [frame.contestants[_NAMES].astype("str").fillna("") for frame in (result, in_force)]
    awards = names[1].assign(award=awards_of(in_force)["masterpoints"].to_numpy())
    return np.asarray(names[0].merge(awards, "left", _NAMES)["award"].fillna(-1), dtype=np.int64)


def summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several summaries, by year, rating and stratum."""
    frame = pd.concat([pd.DataFrame(columns=[*KEYS, *MEASURES, *COMPARED, "failed"]), *parts])
    return frame.astype(dict.fromkeys([*MEASURES, *COMPARED, "failed"], "Int64")).groupby(KEYS, as_index=False).sum()


def awards_of(result: Result) -> pd.DataFrame:
    """Return the awards of a result that was awarded."""
    if result.awards is None:
        raise ValueError("only what was awarded can be summed up")
    return result.awards
