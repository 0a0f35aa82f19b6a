"""What each club and each player won in a run over an archive: what was counted part by part, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.archive.manifest import current_parts, of_run
from resultproc.archive.persons import aliases
from resultproc.archive.reprocess import BY_CLUB, BY_PLAYER, Task, games_of_part
from resultproc.archive.store import Store
from resultproc.model.arrays import distinct_keys
from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.errors import MOST_QUOTED
from resultproc.people.aliases import Aliases
from resultproc.people.game import identify_without_doubts
from resultproc.reports.summary import Run, files


def write_summary(task: Task, summary: pd.DataFrame) -> None:
    """Write the summary of a run that is done beside its parts, as a page and its tables as CSV."""
    archive, output = Store(task.archive), Store(task.output)
    who = aliases(archive)
    said = Run(
        archive=task.archive,
        rules=task.rules or "",
        where=task.where,
        as_of=task.as_of,
        strict=task.strict,
        assumed=task.assumed,
        provenance=of_run(archive, output),
        clubs=clubs_of_run(output, who),
        players=players_of_run(output, who),
        problems=problems(task),
        remarks=remarks_of_rulebooks(output),
    )
    for name, text in files(summary, said).items():
        output.write_text(name, text)


def problems(task: Task) -> pd.DataFrame:
    """Return what kept games of a run from being awarded, by date."""
    archive, output = Store(task.archive), Store(task.output)
    names = ["date", "club", "event", "source", "what", "where", "hint"]
    found = [pd.DataFrame(columns=names)]
    for part in current_parts(archive, task.as_of):
        wrong = output.read("problems", part.name, ["game_id", "what", "where", "hint"]).to_pandas()
        if len(wrong):
            games = games_of_part(archive, part)
            dates = games["date"].dt.strftime("%Y-%m-%d")
            found.append(wrong.merge(games.assign(date=dates), on="game_id")[names])
    return pd.concat(found).astype("str").sort_values(names, ignore_index=True)


def remarks_of_rulebooks(output: Store) -> dict[str, int]:
    """Return what rulebooks remark on awards of a run, the commonest first, each with how many games it is said of."""
    said = output.read_all("remarks", ["game_id", "what", "code"])
    said = said[said["code"].isin([OF_BOOK, OF_VALUES])].drop_duplicates(["game_id", "what"])
    return dict(Counter(said["what"]).most_common(MOST_QUOTED))


def clubs_of_run(output: Store, said: Aliases) -> pd.DataFrame:
    """Return the clubs of a run by masterpoints, the most first: games, contestants, masterpoints in hundredths.

    said: what clubs are called now.
    """
    frame = _all(output, BY_CLUB, ["club"])
    frame = frame.assign(club=said.clubs_now(frame["club"])).groupby("club", as_index=False).sum()
    return frame.sort_values(["masterpoints", "club"], ascending=[False, True], ignore_index=True)


def players_of_run(output: Store, said: Aliases) -> pd.DataFrame:
    """Return the players of a run in the same way: who is who goes by aliases, member number, else by name.

    Clubs and partners do not help: of a million games there are too many to have all at once.
    """
    frame = _all(output, BY_PLAYER, ["player", "member", "club"])
    written = frame[["club", "player", "member"]].set_axis(["game_id", "player1", "id1"], axis=1)
    named = said.as_said(written.assign(club=written["game_id"]).drop_duplicates("game_id"), written)
    games = pd.Series(range(len(frame)), dtype="int64").astype("str")  # none: only who is who is asked for
    names = named["player1"].mask(named["player1"] == "")
    found = identify_without_doubts(pd.DataFrame({"game": games, "name": names, "number": named["id1"]}))
    sums = frame[["games", "masterpoints"]].groupby(found.player).sum()
    sums = sums[sums.index >= 0]
    shown = pd.DataFrame({"player": found.names, "member": found.numbers}).rename_axis(None).join(sums)
    return shown.sort_values(["masterpoints", "player"], ascending=[False, True], ignore_index=True)


_ROWS = 2_000_000
"""This many rows of parts are in memory at a time, or three times as many as what all of them come to."""


def _all(output: Store, kind: str, by: list[str]) -> pd.DataFrame:
    """Return what all parts of a kind come to, by some texts and in their order."""
    found: list[pa.Table] = []
    for part in output.parts(kind):
        found.append(output.read(kind, part).replace_schema_metadata())
        if sum(map(len, found)) > max(_ROWS, 3 * len(found[0])):
            found = [_summed(found, by)]
    frame: pd.DataFrame = _summed(found, by).to_pandas()
    texts = {name: frame[name].astype("str").fillna("") for name in by}
    return frame.assign(**texts).sort_values(by, ignore_index=True)


def _summed(tables: Sequence[pa.Table], by: list[str]) -> pa.Table:
    """Return the sums of some tables by some texts: numbers for these add up several times faster than they do."""
    table = pa.concat_tables(tables)
    every = {name: table[name].combine_chunks() for name in table.column_names}
    codes = (every[name].dictionary_encode().indices.fill_null(-1).to_numpy() for name in by)
    number, first = distinct_keys(*codes)
    # As floating numbers they are exact up to 2 ** 53.
    sums = {name: np.bincount(number, every[name].to_numpy()).astype(np.int64) for name in every if name not in by}
    return pa.table({**{name: every[name].take(pa.array(first)) for name in by}, **sums})
