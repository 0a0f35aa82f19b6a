"""Games that an archive may have twice: what ``archive add`` told when they came, as far as it still holds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from resultproc.archive.store import Store
from resultproc.archive.table import ArchivePart, opened
from resultproc.stages.same_game import of_one_game

_TOLD = ["game_id", "may_be", "id_in_source", "source", "date", "club", "event", "session", "results"]


def twins(archive: Store, parts: Sequence[ArchivePart]) -> pd.DataFrame:
    """Return a remark for each game that may be the same as another that counts, as the view ``remarks`` has them."""
    found = [opened(archive, part).games(_TOLD).to_pandas().reindex(columns=_TOLD) for part in parts]
    games = pd.concat([pd.DataFrame(columns=_TOLD), *found], ignore_index=True)
    at = pd.Series(games.index, index=games["game_id"])
    other = games["may_be"].map(at[~at.index.duplicated()]).dropna().astype("int64")
    rows = []
    for row, of in other.items():
        alike = games["results"][row] == games["results"][of]
        told = of_one_game(games.loc[row], games.loc[of], alike=alike, name="id_in_source")
        rows.append((games["game_id"][row], *told))
    return pd.DataFrame(rows, columns=["game_id", "what", "hint", "code"]).assign(where="", rows="")
