"""What was paid as Arrow tables, as the parts of results hold it: numbers in hundredths, texts as categories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from resultproc.model.arrays import Bools
from resultproc.model.frames import COLOURS, Result
from resultproc.reports.summary.awarded import awards_of

NAMED = ["game_id", "section", "direction", "number"]
"""What names a contestant."""


def awards_table(result: Result) -> pa.Table:
    """Return the awards beside what names their contestants: what the winning candidate says, and the rulebook."""
    awards, contestants = awards_of(result), result.contestants
    printed = contestants["printed_award"]
    # Most archives print no awards.
    printed = pa.nulls(len(printed), pa.int32()) if printed.isna().all() else pa.array(printed, pa.int32())
    return _paid(result, awards, _named(result), awards["game"].to_numpy()).append_column("printed", printed)


def player_awards_table(result: Result) -> pa.Table:
    """Return the awards of the players of teams whose players get different ones, in the same way."""
    awards = result.player_awards
    contestant = awards["contestant"].to_numpy()
    game = awards_of(result)["game"].to_numpy()[contestant]
    table = _paid(result, awards, _named(result, contestant), game)
    return table.append_column("player", pa.array(awards["player"].to_numpy(), pa.int32()))


def _paid(result: Result, awards: pd.DataFrame, named: Mapping[str, pa.Array], game: np.ndarray) -> pa.Table:
    """Return awards beside what names their contestants, and who played in these games."""
    columns = dict(named)
    for name in ("masterpoints", *COLOURS):
        columns[name] = pa.array(awards[name].to_numpy(dtype=np.int32))
    candidate = awards["candidate"].to_numpy()
    for name in ("basis", "stratum", "rule"):
        columns[name] = _taken(result.candidates[name], candidate)
    for name in ("position", "tied", "size"):
        numbers = result.candidates[name].to_numpy(dtype=np.int32)
        columns[name] = _numbers(np.append(numbers, np.int32(0))[candidate], candidate < 0)
    columns["rulebook"] = _taken(result.games["rulebook"].astype("category"), game)
    return pa.table(columns)


def candidates_table(result: Result) -> pa.Table:
    """Return the candidates beside what names their contestants."""
    candidates = result.candidates
    columns = _named(result, candidates["contestant"].to_numpy())
    for name in ("basis", "stratum", "rule", "factors"):
        columns[name] = _taken(candidates[name])
    for name in ("size", "position", "tied", "masterpoints"):
        columns[name] = pa.array(candidates[name].to_numpy(dtype=np.int32))
    return pa.table(columns)


def _named(result: Result, contestant: np.ndarray | None = None) -> dict[str, pa.Array]:
    """Return what names all or some contestants."""
    return {name: _taken(result.contestants[name].astype("category"), contestant) for name in NAMED}


def _taken(values: pd.Series[Any], rows: np.ndarray | None = None) -> pa.DictionaryArray:
    """Return the categories of all or some rows, null for -1, without spelling them out."""
    codes = values.cat.codes.to_numpy()
    if rows is not None:
        codes = np.append(codes, np.int8(-1))[rows]
    categories = pa.array(values.cat.categories).cast(pa.string())
    return pa.DictionaryArray.from_arrays(_numbers(codes.astype(np.int32), codes < 0), categories)


def _numbers(values: npt.NDArray[np.int32], missing: Bools) -> pa.Array:
    """Return numbers without those that are missing."""
    there = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    return pa.Array.from_buffers(pa.int32(), len(values), [there, pa.py_buffer(values)])
