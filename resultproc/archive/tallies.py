"""What a run over an archive comes to: what clubs, players and rulebooks have, and what kept games from awards."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.archive.persons import People
from resultproc.archive.reprocess import Task, games_of_part
from resultproc.archive.sql import shared_database
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import ArchivePart, current_parts, lacking, of_run, opened
from resultproc.archive.views import PERSON, USUAL_NAME, USUAL_NUMBER
from resultproc.model.arrays import Ints, distinct_keys, map_text
from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.errors import MOST_QUOTED
from resultproc.model.frames import CONTESTANT_KEY
from resultproc.model.game import leagues
from resultproc.reports.summary import Run, files
from resultproc.rulebooks.load import rulebook


def write_summary(task: Task, summary: pd.DataFrame) -> None:
    """Write the summary of a run that is done beside its parts, as a page and its tables as CSV."""
    archive, output = Store(task.archive), Store(task.output)
    clubs, players, rulebooks = _won(task)
    said = Run(
        archive=task.archive,
        rules=task.rules,
        where=task.where,
        as_of=task.as_of,
        strict=task.strict,
        assumed=task.assumed,
        provenance=of_run(archive, output),
        clubs=clubs,
        players=players,
        rulebooks=rulebooks,
        problems=problems(task),
        remarks=remarks_of_rulebooks(output),
    )
    for name, text in files(summary, said).items():
        output.write_text(name, text)


def problems(task: Task) -> pd.DataFrame:
    """Return what kept games of a run from being awarded, by date; first the parts that are damaged or missing."""
    archive, output = Store(task.archive), Store(task.output)
    names = ["date", "club", "event", "source", "what", "where", "hint"]
    damaged = [("", "", "", each.file, each.what, each.where, each.hint) for each in lacking().values()]
    found = [pd.DataFrame(damaged, columns=names)]
    for part in current_parts(archive, task.as_of):
        wrong = output.opened("problems", part.name).read(["game_id", "what", "where", "hint"]).to_pandas()
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


def _won(task: Task) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return what clubs and persons won of each league in a run, and what rulebooks paid: the most first, hundredths.

    These are the sums of the views ``awards`` and ``players`` of a query, without their rows: to make those takes
    longer than to award the games.
    """
    archive, output = Store(task.archive), Store(task.output)
    parts = current_parts(archive, task.as_of)
    people = People(archive, parts)
    usual = {"player": USUAL_NAME, "member": USUAL_NUMBER, "person": PERSON}
    players = pd.DataFrame({name: people.texts(of).to_pandas().astype("str") for name, of in usual.items()})
    names, count, found = list(leagues()), len(players) * len(leagues()), []
    sums = np.zeros((2, count), dtype=np.int64)
    with_own = set(output.parts("player_awards"))
    for part in parts:
        texts = [*CONTESTANT_KEY, "rulebook"]
        table = output.opened("awards", part.name).read([*texts, "masterpoints"], texts)
        clubs = plain_frame(opened(archive, part).games(["game_id", "club"])).reindex(columns=["game_id", "club"])
        with shared_database({"awards": table, "games": pa.Table.from_pandas(clubs)}) as database:
            found.append(database.sql(_OF_CLUBS).df())
        awards = plain_frame(table)
        awards["league"] = map_text(awards["rulebook"], lambda name: names.index(rulebook(name).league), 0)
        own = output.opened("player_awards", part.name).read().to_pandas() if part.name in with_own else None
        sums += _of_persons(awards, own, archive, part, people, count)
    every = pd.concat(found)
    every["league"] = [names.index(rulebook(name).league) for name in every["rulebook"]]
    every["club"] = people.said.clubs_now(every["club"].astype("str").fillna(""))
    by_club, by_book = (
        every.groupby([key, "league"], as_index=False)[["games", "contestants", "masterpoints"]].sum()
        for key in ("club", "rulebook")
    )
    by_club = by_club.sort_values(["masterpoints", "club"], ascending=[False, True], ignore_index=True)
    by_book = by_book.sort_values(["league", "masterpoints", "rulebook"], ascending=[True, False, True])
    row, league = np.divmod(np.flatnonzero(sums[0]), len(names))
    won = {"league": league, "games": sums[0][sums[0] > 0], "masterpoints": sums[1][sums[0] > 0]}
    players = players.iloc[row].reset_index(drop=True).assign(**won).fillna({"member": ""})
    order = ["masterpoints", "player", "person"]
    players = players.sort_values(order, ascending=[False, True, True], ignore_index=True).drop(columns="person")
    for each in (by_club, players, by_book):
        each["league"] = [names[of] for of in each["league"]]
    return by_club, players, by_book


_OF_CLUBS = """
    SELECT CAST(club AS VARCHAR) AS club, rulebook, count(DISTINCT game_id) AS games, count(*) AS contestants,
    CAST(sum(masterpoints) AS BIGINT) AS masterpoints FROM awards JOIN games USING (game_id) GROUP BY ALL"""


def _of_persons(
    awards: pd.DataFrame,
    own: pd.DataFrame | None,
    archive: Store,
    part: ArchivePart,
    people: People,
    count: int,
) -> Ints:
    """Return how many games of a part each person is awarded in, and the sum of masterpoints, for each of the leagues.

    Who is entered twice in a game has the better result. own: the awards of players who have their own.
    """
    file = opened(archive, part)
    names = file.contestants(["game_id"], ["game_id"])["game_id"].combine_chunks()
    game = names.indices.to_numpy()
    awarded = names.dictionary.to_pandas().isin(awards["game_id"].unique()).to_numpy()[game]
    points = np.full(len(game), -1, dtype=np.int64)
    points[awarded] = awards["masterpoints"]  # which are of whole games, in the order in which the archive has them
    league = np.zeros(len(game), dtype=np.int64)
    league[awarded] = awards["league"]
    person, seat, contestant = people.seated(part)
    won = points[contestant]
    if own is not None:
        of = awards[CONTESTANT_KEY].assign(contestant=np.flatnonzero(awarded))
        rows = own.merge(of, on=CONTESTANT_KEY)
        key = pd.MultiIndex.from_arrays([contestant, seat])
        won[key.get_indexer(pd.MultiIndex.from_frame(rows[["contestant", "player"]]))] = rows["masterpoints"]
    there = (person >= 0) & (won >= 0)
    person, won, game, league = person[there], won[there], game[contestant[there]], league[contestant[there]]
    order = np.argsort(-won, kind="stable")
    best = order[distinct_keys(game[order], person[order])[1]]
    row = person[best] * len(leagues()) + league[best]
    return np.array([np.bincount(row, each, minlength=count) for each in (None, won[best])], dtype=np.int64)
