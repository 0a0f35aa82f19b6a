"""The history of a game in an archive, as a chain of corrections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pandas as pd

from resultproc.batch.archive import declared
from resultproc.batch.current import opened
from resultproc.batch.history import history, meant
from resultproc.batch.manifest import REPLACED, existing
from resultproc.batch.store import Store
from resultproc.model.errors import InputError
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.provenance import Origin
from resultproc.reports.amend.amend import Amendment, amended
from resultproc.stages.pipeline import award_sheet

_LAST = "last"


def corrections(store: Store, name: str) -> list[Amendment]:
    """Return what each correction of a game in an archive changed, the first one first; none if it never was corrected.

    name: the game, as for :func:`resultproc.batch.history.remove`, by any of its versions. What was replaced is
    awarded anew, under the rules that it names or those of its day; boards are not kept in archives. Raises InputError
    for a name of no game or of several, and for a version that cannot be awarded.
    """
    games = _chained(history(store))
    found = meant(games, name, game=_LAST)[_LAST].unique()
    if len(found) > 1:
        hint = "name one of them; see: resultproc archive list ARCHIVE --history"
        raise InputError(f"'{name}' has {len(found)} games", hint=hint, file=store.url)
    versions = games[games[_LAST] == found[0]].sort_values("added", kind="stable").to_dict("records")
    sheets = [_sheet(store, {str(column): value for column, value in row.items()}) for row in versions]
    results = [award_sheet(sheet) for sheet in sheets]
    return [
        replace(amended(*pair, *awarded), time=str(row["added"]))
        for pair, awarded, row in zip(pairwise(sheets), pairwise(results), versions[1:], strict=True)
    ]


def _chained(games: pd.DataFrame) -> pd.DataFrame:
    """Return a list of games with the id of the last version of each.

    What replaced a game came at the time when that was replaced, and its file names it the same. Where several did,
    it is the one of the same club and day, if there is one.
    """
    games = games.reset_index(drop=True)
    replaced = games[games["state"] == REPLACED].reset_index(names="old")
    came = games[["added", "game", "club", "date"]].reset_index(names="new")
    pairs = replaced.merge(came, left_on=["since", "game"], right_on=["added", "game"], suffixes=("", "_new"))
    for column in ("club", "date"):
        pairs[f"same_{column}"] = pairs[column] == pairs[f"{column}_new"]
    pairs = pairs.sort_values(["same_club", "same_date"], ascending=False, kind="stable").drop_duplicates("old")
    next_ = games.index.to_series()
    next_.loc[pairs["old"]] = pairs["new"].to_numpy()
    while not (after := next_.loc[next_].set_axis(next_.index)).equals(next_):
        next_ = after
    return games.assign(**{_LAST: games["id"].loc[next_].to_numpy()})


def _sheet(store: Store, version: Mapping[str, Any]) -> Sheet:
    """Return one version of a game under the name that its file has for it. version: its row in the list of games."""
    part = next(part for part in existing(store).parts if part.name == version["part"])
    games = opened(store, "games", part).read().to_pandas().iloc[[version["row"]]]
    contestants = opened(store, "contestants", part).read().to_pandas()
    mine = contestants[contestants["game_id"].astype("str") == games["game_id"].iloc[0]]
    game, of_game = (frame.reset_index(drop=True).assign(game_id=version["game"]) for frame in (games, mine))
    source = Origin(version["source"], version["source_sha256"])
    return Sheet(declared(game, GAMES), declared(of_game, CONTESTANTS), sources=(source,))
