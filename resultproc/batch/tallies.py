"""What each club and each player won in a run over an archive: counted part by part, and added up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from resultproc.batch.manifest import ArchivePart, current_parts, of_run
from resultproc.batch.persons import aliases
from resultproc.batch.query import answered
from resultproc.batch.reprocess import BY_CLUB, BY_PLAYER, Task
from resultproc.batch.store import Store
from resultproc.model.errors import InputError
from resultproc.model.identity import identify_without_doubts
from resultproc.model.provenance import KEY
from resultproc.reports.people import Aliases
from resultproc.reports.summary import Run, files, page

# ORDER BY ALL would ask for every column, and so for who is who in a whole part.
_QUERIES = {
    BY_CLUB: """
        SELECT coalesce(club, '') AS club, count(DISTINCT game_id) AS games, count(*) AS contestants,
        CAST(100 * sum(masterpoints) AS BIGINT) AS masterpoints FROM awards GROUP BY ALL ORDER BY 1""",
    BY_PLAYER: """
        SELECT coalesce(player, '') AS player, coalesce(member, '') AS member, {club} AS club,
        count(DISTINCT game_id) AS games, CAST(100 * sum(masterpoints) AS BIGINT) AS masterpoints
        FROM players GROUP BY ALL ORDER BY 1, 2, 3""",
}

_AT_CLUBS = "at-clubs"
"""Whether players are counted club by club, as aliases at one club alone ask for: an entry in the metadata."""


@dataclass(frozen=True)
class PartTally:
    """The work on one part, to be sent to wherever it is done. What lacks by_player, the last, is done again."""

    task: Task

    def __call__(self, part: ArchivePart) -> None:
        """Count and write one part."""
        archive, output = Store(self.task.archive), Store(self.task.output)
        said = output.opened("awards", part.name).metadata(KEY)
        at_clubs = _at_clubs(archive)
        for kind, sql in _QUERIES.items():
            asked = sql.format(club="coalesce(club, '')" if at_clubs else "''")
            names, rows = answered(archive, (part,), output, asked)
            frame = pd.DataFrame(rows, columns=names)
            frame = frame.astype({name: "str" if name in _TEXTS else "int64" for name in names})
            output.write(kind, part.name, frame, said, {_AT_CLUBS: at_clubs})


_TEXTS = {"club", "player", "member"}


def tally(task: Task, run: Callable[[Callable[[ArchivePart], object], list[ArchivePart]], object]) -> None:
    """Count what each club and player won in a run that is done; parts that are counted already are not done again."""
    task = task.anywhere()
    archive, output = Store(task.archive), Store(task.output)
    at_clubs = _at_clubs(archive)
    done = {name for name in output.parts(BY_PLAYER) if all(_sound(output, kind, name, at_clubs) for kind in _QUERIES)}
    run(PartTally(task), [part for part in current_parts(archive, task.as_of) if part.name not in done])


def _at_clubs(archive: Store) -> str:
    return "yes" if aliases(archive).people["club"].notna().any() else "no"


def _sound(output: Store, kind: str, part: str, at_clubs: str) -> bool:
    try:
        found = output.opened(kind, part)
        found.read()
        return found.metadata(_AT_CLUBS) == at_clubs
    except InputError:
        return False


def write_summary(
    task: Task, summary: pd.DataFrame, run: Callable[[Callable[[ArchivePart], object], list[ArchivePart]], object]
) -> None:
    """Write the summary of a run that is done beside its parts, as a page and its tables as CSV.

    run: as for :func:`resultproc.batch.reprocess.reprocess`.
    """
    tally(task, run)
    output = Store(task.output)
    said = Run(
        archive=task.archive,
        rules=task.rules or "",
        where=task.where,
        as_of=task.as_of,
        strict=task.strict,
        assumed=task.assumed,
        provenance=of_run(Store(task.archive), output),
        clubs=clubs_of_run(output, aliases(Store(task.archive))),
        players=players_of_run(output, aliases(Store(task.archive))),
        problems=problems(task),
    )
    for name, text in {**files(summary, said), "summary.html": page(summary, said)}.items():
        output.write_text(name, text)


def problems(task: Task) -> pd.DataFrame:
    """Return what kept games of a run from being awarded, by date."""
    archive, output = Store(task.archive), Store(task.output)
    sql = 'SELECT CAST(date AS VARCHAR) AS date, club, event, source, what, "where", hint FROM problems ORDER BY ALL'
    names, rows = answered(archive, current_parts(archive, task.as_of), output, sql)
    return pd.DataFrame(rows, columns=names, dtype="str")


def clubs_of_run(output: Store, said: Aliases) -> pd.DataFrame:
    """Return the clubs of a run by masterpoints, the most first: games, contestants, masterpoints in hundredths.

    said: what clubs are called now.
    """
    frame = _all(output, BY_CLUB)
    frame = frame.assign(club=said.clubs_now(frame["club"])).groupby("club", as_index=False).sum()
    return frame.sort_values(["masterpoints", "club"], ascending=[False, True], ignore_index=True)


def players_of_run(output: Store, said: Aliases) -> pd.DataFrame:
    """Return the players of a run in the same way: who is who goes by aliases, member number, else by name.

    Clubs and partners do not help: of a million games there are too many to have all at once.
    """
    frame = _all(output, BY_PLAYER).groupby(["player", "member", "club"], as_index=False).sum()
    written = frame[["club", "player", "member"]].set_axis(["game_id", "player1", "id1"], axis=1)
    named = said.as_said(written.assign(club=written["game_id"]).drop_duplicates("game_id"), written)
    games = pd.Series(range(len(frame)), dtype="int64").astype("str")  # none: only who is who is asked for
    names = named["player1"].mask(named["player1"] == "")
    found = identify_without_doubts(pd.DataFrame({"game": games, "name": names, "number": named["id1"]}))
    sums = frame[["games", "masterpoints"]].groupby(found.player).sum()
    sums = sums[sums.index >= 0]
    shown = pd.DataFrame({"player": found.names, "member": found.numbers}).rename_axis(None).join(sums)
    return shown.sort_values(["masterpoints", "player"], ascending=[False, True], ignore_index=True)


def _all(output: Store, kind: str) -> pd.DataFrame:
    parts: list[pd.DataFrame] = [output.read(kind, part).to_pandas() for part in output.parts(kind)]
    return pd.concat(parts, ignore_index=True)
