"""What a run over an archive comes to: what clubs, players and rulebooks have, and what kept games from awards."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd

from resultproc.archive.persons import People
from resultproc.archive.reprocess import Task, games_of_part
from resultproc.archive.store import Store, plain_frame
from resultproc.archive.table import ArchivePart, current_parts, lacking, of_run, opened
from resultproc.archive.views import PERSON, USUAL_NAME, USUAL_NUMBER
from resultproc.model.arrays import Ints, distinct_keys, map_text, rows_of
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
        rules=task.rules or "",
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
    names = list(leagues())
    players = players.loc[players.index.repeat(len(names))].reset_index(drop=True)
    players = players.assign(league=np.tile(names, len(players) // len(names)))
    count, clubs, books = len(players), [], []
    sums = np.zeros((2, count), dtype=np.int64)
    with_own = set(output.parts("player_awards"))
    for part in parts:
        texts = [*CONTESTANT_KEY, "rulebook"]
        awards = plain_frame(output.opened("awards", part.name).read([*texts, "masterpoints"], texts))
        awards["league"] = map_text(awards["rulebook"], lambda name: names.index(rulebook(name).league), 0)
        own = output.opened("player_awards", part.name).read().to_pandas() if part.name in with_own else None
        clubs.append(_of_clubs(awards, archive, part))
        of_game = awards.groupby(["rulebook", "league", "game_id"])["masterpoints"].agg(["size", "sum"])
        books.append(
            of_game.groupby(level=[0, 1]).agg(
                games=("size", "size"), contestants=("size", "sum"), masterpoints=("sum", "sum")
            )
        )
        sums += _of_persons(awards, own, archive, part, people, count)
    by_club = pd.concat(clubs, ignore_index=True)
    by_club = (
        by_club.assign(club=people.said.clubs_now(by_club["club"])).groupby(["club", "league"], as_index=False).sum()
    )
    by_club["league"] = [names[each] for each in by_club["league"]]
    players = players.assign(games=sums[0], masterpoints=sums[1])
    players = players[players["games"] > 0].fillna({"member": ""})
    order = ["masterpoints", "player", "person"]
    players = players.sort_values(order, ascending=[False, True, True], ignore_index=True).drop(columns="person")
    by_book = pd.concat(books).groupby(level=[0, 1]).sum().reset_index()
    by_book = by_book.sort_values(["league", "masterpoints", "rulebook"], ascending=[True, False, True])
    by_book["league"] = [names[each] for each in by_book["league"]]
    by_club = by_club.sort_values(["masterpoints", "club"], ascending=[False, True], ignore_index=True)
    return by_club, players, by_book


def _of_clubs(awards: pd.DataFrame, archive: Store, part: ArchivePart) -> pd.DataFrame:
    """Return the games, contestants and masterpoints of each club in a part, by its name there, and their league."""
    games = plain_frame(opened(archive, part).games(["game_id", "club"])).reindex(columns=["game_id", "club"])
    game = rows_of(awards["game_id"], games["game_id"])
    contestants = np.bincount(game, minlength=len(games))
    won = np.bincount(game, awards["masterpoints"], minlength=len(games)).astype(np.int64)
    league = np.zeros(len(games), dtype=np.int64)
    league[game] = awards["league"]
    club = games["club"].astype("str").fillna("")
    frame = pd.DataFrame({"club": club, "games": 1, "contestants": contestants, "masterpoints": won, "league": league})
    return frame[contestants > 0]


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
