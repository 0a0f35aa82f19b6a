"""What a run over an archive comes to: what each club and each player won, and what kept games from being awarded."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from resultproc.archive.query import queried, query
from resultproc.archive.reprocess import Task, games_of_part
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import current_parts, of_run
from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.errors import MOST_QUOTED
from resultproc.reports.summary import Run, files


def write_summary(task: Task, summary: pd.DataFrame) -> None:
    """Write the summary of a run that is done beside its parts, as a page and its tables as CSV."""
    archive, output = Store(task.archive), Store(task.output)
    said = Run(
        archive=task.archive,
        rules=task.rules or "",
        where=task.where,
        as_of=task.as_of,
        strict=task.strict,
        assumed=task.assumed,
        provenance=of_run(archive, output),
        clubs=_asked(task.output, _CLUBS),
        players=_asked(task.output, _PLAYERS),
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


_CLUBS = """
    SELECT coalesce(club_now, '') AS club, count(DISTINCT game_id) AS games, count(*) AS contestants,
        CAST(100 * sum(masterpoints) AS BIGINT) AS masterpoints, league
    FROM awards GROUP BY ALL ORDER BY masterpoints DESC, club"""

_PLAYERS = """
    SELECT any_value(player) AS player, coalesce(any_value(member), '') AS member, count(*) AS games,
        CAST(100 * sum(masterpoints) AS BIGINT) AS masterpoints, league
    FROM players GROUP BY person, league ORDER BY masterpoints DESC, player, person"""


def _asked(output: str, sql: str) -> pd.DataFrame:
    """Return what a question to a run comes to."""
    table = query(queried(output, None), sql, lambda: output, as_table=True).table
    assert table is not None
    return plain_frame(table)
