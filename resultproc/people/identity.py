"""Who is who in several games: by member number where there is one, else by name; what is doubtful is listed.

Nothing doubtful is hidden: each :class:`IdentityDoubt` says how the players were counted all the same. In the games of
many years, clubs and partners help to tell people apart, too: :mod:`resultproc.people.decades`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, distinct_keys, factorize_text, family_columns, family_number, row_dicts
from resultproc.model.text import counted, listed, tidy
from resultproc.people.names import without_title
from resultproc.people.spelling import near_names, plain_name, plain_number, respelt


class IdentityDoubt(NamedTuple):
    """A match of players that may be wrong: what is doubtful and how it was counted, and the names concerned."""

    what: str
    players: tuple[str, ...]


class Identities(NamedTuple):
    """Who is who."""

    player: Ints  # the number of each seat's player, from 0; -1 where it names nobody
    names: pd.Series[str]  # the name of each player, as most games write it
    numbers: pd.Series[str]  # the member number of each player, as most games write it; empty where there is none
    doubts: tuple[IdentityDoubt, ...]  # matches that may be wrong


def identify(seats: pd.DataFrame) -> Identities:
    """Return who sat where.

    seats: one row per player of a contestant of a game: ``game`` (its name), ``name`` and ``number`` as written, texts,
    either of them empty; and where it was decided before, ``person``, the key of who it is. Else a number that is
    beside a name once stands for it where the name has none, unless another number is beside it too.
    """
    found, frame = _find_players(seats)
    doubts = (
        *_of_numbers(frame),
        *_without_number(frame),
        *_unlike(frame),
        *_twice(frame, found.names),
        *_namesakes(frame),
        *_respelt(frame),
        *_near(frame, found.names, ~frame.groupby("player")["number"].any()),
    )
    return found._replace(doubts=doubts)


def identify_without_doubts(seats: pd.DataFrame, sat: tuple[Ints, Ints] | None = None) -> Identities:
    """Return who sat where like :func:`identify`, but look for no doubts, which takes long where players are many.

    sat: where the rows of seats are the distinct ways in which people are written: the game of each seat, and its row.
    """
    return _find_players(seats, sat)[0]


def _find_players(seats: pd.DataFrame, sat: tuple[Ints, Ints] | None = None) -> tuple[Identities, pd.DataFrame]:
    """Return who sat where, and the seats that name somebody: ``game``, ``player``, and both as written and plain."""
    seats = seats.reset_index(drop=True)
    every = pd.DataFrame(
        {
            "game": seats.get("game"),
            "written": respelt(seats["name"], tidy, "[!-~]+( [!-~]+)*"),
            "id": seats["number"],
            "name": plain_name(seats["name"]),
            "number": plain_number(seats["number"]),
        }
    )
    named = every[["name", "number"]].notna().any(axis=1)
    frame = every[named].reset_index(drop=True)
    if "person" in seats:
        keys = seats.loc[named, "person"]
    else:
        once = _numbers_of_names(frame).drop_duplicates("name", keep=False).set_index("name")["number"]
        known = frame["number"].fillna(frame["name"].map(once).astype("str"))
        keys = ("#" + known).fillna("=" + frame["name"])
    codes, _ = pd.factorize(keys)
    player = np.full(len(every), -1, dtype=np.int64)
    player[named] = codes
    frame = frame.assign(player=codes)
    if sat:
        game, row = sat
        _, first = distinct_keys(game, player[row])
        frame["games"] = np.bincount(row[first], minlength=len(every))[named]
    count = frame["player"].max() + 1 if len(frame) else 0
    name, number = (usual_texts(frame, column).reindex(range(count)) for column in ("written", "id"))
    return Identities(player, name.fillna(number), number, ()), frame


def usual_texts(frame: pd.DataFrame, name: str) -> pd.Series[str]:
    """Return the text of a column that most games of each player have, by player: of several the first by the alphabet.

    An archive knows its games in no order. Who sits in a game twice is called there as in the first row. ``games`` says
    how many games a row stands for, where it is there.
    """
    games = frame["games"] if "games" in frame else ~frame.duplicated(["game", "player"])
    counts = games.groupby([frame["player"], frame[name]], observed=True).sum()
    counts = counts.sort_values(ascending=False, kind="stable").rename("games")
    return counts.reset_index().drop_duplicates("player").set_index("player")[name].astype("str")


def _numbers_of_names(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.dropna(subset=["name", "number"]).drop_duplicates(["name", "number"])


def _listed(words: Iterable[object]) -> str:
    return listed([*dict.fromkeys(map(str, words))])


def _players(count: int) -> str:
    return "one player" if count == 1 else f"{count} players"


def _of_numbers(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield names with several numbers."""
    numbered = _numbers_of_names(frame)
    several = numbered[numbered.duplicated("name", keep=False)]
    lacking = frame[frame["name"].isin(several["name"]) & ~frame["player"].isin(_with_number(frame))]
    apart_in = lacking.groupby("name")["game"].unique()
    for name, rows in several.groupby("name", sort=False):
        who, apart = rows["written"].iloc[0], apart_in.get(name, ())
        what = f"{who} has the numbers {_listed(rows['id'])}: counted as {_players(rows['player'].nunique())}"
        if len(apart):
            what += f", and as one more where the number is missing, in {_listed(apart)}"
        yield IdentityDoubt(what, (who,))


def _with_number(frame: pd.DataFrame) -> pd.Series[int]:
    return frame.loc[frame["number"].notna(), "player"]


def _without_number(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield names that have their number in one game and not in another."""
    lacking = frame[frame["number"].isna() & frame["player"].isin(_with_number(frame))]
    numbered = frame[frame["number"].notna()].drop_duplicates("player")
    numbers = dict(zip(numbered["player"], numbered["id"], strict=True))
    for (player, _), rows in lacking.groupby(["player", "name"], sort=False):
        who = rows["written"].iloc[0]
        counted_as = f"counted as {numbers[player]}"
        yield IdentityDoubt(f"{who} has no number in {_listed(rows['game'])}: {counted_as}", (who,))


def _unlike(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield numbers that are used for names which share no word."""
    spelled = _numbers_of_names(frame)
    spelled = spelled[spelled.duplicated("number", keep=False)]
    if spelled.empty:
        return
    words = spelled.assign(word=spelled["name"].str.split()).explode("word").drop_duplicates(["number", "name", "word"])
    most = words.groupby(["number", "word"], sort=False).size().groupby("number", sort=False).max()
    every = spelled.groupby("number", sort=False).size()
    for number in every.index[every > most.reindex(every.index)]:
        rows = spelled[spelled["number"] == number]
        who = tuple(rows["written"])
        counted = _players(rows["player"].nunique())
        yield IdentityDoubt(f"the number {rows['id'].iloc[0]} is used for {_listed(who)}: counted as {counted}", who)


def _twice(frame: pd.DataFrame, names: pd.Series[str]) -> Iterator[IdentityDoubt]:
    """Yield players that sit twice in one game."""
    again = frame[frame.duplicated(["game", "player"])].drop_duplicates(["game", "player"])
    for row in row_dicts(again):
        who = names[row["player"]]
        what = f"{who} appears more than once in {row['game']}: counted as one player, by the better result"
        yield IdentityDoubt(what, (who,))


def _namesakes(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield names that several have who sat in one game, not all with a number."""
    seated = frame.drop_duplicates(["game", "name", "player"]).dropna(subset=["name"])
    met = seated[seated.duplicated(["game", "name"], keep=False)]
    of_names = dict([*met.groupby("name")])
    for name in met.loc[met["number"].isna(), "name"].unique():
        rows = of_names[name]
        who = rows["written"].iloc[0]
        what = f"{counted(rows.groupby('game').size().max(), 'player')} called {who} sat in {_listed(rows['game'])}"
        yield IdentityDoubt(f"{what}: counted as {_players(rows['player'].nunique())}", (who,))


def _respelt(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield players without a number who have several names."""
    spelled = frame[~frame["player"].isin(_with_number(frame))].drop_duplicates(["player", "name"])
    for _, rows in spelled[spelled.duplicated("player", keep=False)].groupby("player", sort=False):
        who = tuple(rows["written"])
        yield IdentityDoubt(f"{_listed(who)} have almost the same name: counted as one player", who)


def _near(frame: pd.DataFrame, names: pd.Series[str], unnumbered: pd.Series[bool]) -> Iterator[IdentityDoubt]:
    """Yield players, not both with a number, whose names differ by a letter, a title or the order of the words.

    Whoever sat in the same game is two people.
    """
    spelled = frame.dropna(subset=["name"]).drop_duplicates(["player", "name"])[["player", "name"]]
    spelled = spelled.reset_index(drop=True)
    near = near_names(spelled["name"].map(without_title), np.ones(len(spelled), dtype=np.bool_), initials=False)
    row, other = near["name"].to_numpy(), near["other"].to_numpy()
    name, player = spelled["name"].to_numpy(), spelled["player"].to_numpy()
    alike = (player[row] < player[other]) & (name[row] != name[other])
    pairs = pd.DataFrame({"one": player[row[alike]], "other": player[other[alike]]}).drop_duplicates()
    pairs = pairs[unnumbered.to_numpy()[pairs["one"]] | unnumbered.to_numpy()[pairs["other"]]]
    if pairs.empty:
        return
    sat = frame.loc[frame["player"].isin(pairs.to_numpy().ravel()), ["game", "player"]]
    met = sat.merge(sat, on="game", suffixes=("", "_other"))
    met_before = pd.MultiIndex.from_frame(met[["player", "player_other"]])
    pairs = pairs[~pd.MultiIndex.from_frame(pairs).isin(met_before)]
    for one, two in pairs.to_numpy():
        who = (names[one], names[two])
        yield IdentityDoubt(f"{who[0]} and {who[1]} have almost the same name: counted as two players", who)


def seats_of(contestants: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return who sits in games, a row per seat of a contestant, as :func:`resultproc.people.decades.spellings` takes
    them.

    The seats of a contestant are together: who is first in a game is so in files and in archives.

    contestants: ``game_id``, and the players' names and numbers. games: ``game_id``, and where they are known ``club``
    and ``date``. ``contestant`` is the row's index, and ``seat`` 1 for player1. The partner is the other player of a
    pair; in a team there is none.
    """
    (names, of_names), (numbers, of_numbers) = (_coded(contestants, family) for family in ("player", "id"))
    empty = np.append(of_names == "", np.True_)
    named = {n: ~empty[codes] for n, codes in names.items()}
    pair = sum(named.values(), np.zeros(len(contestants), dtype=np.int64)) == 2
    row = pd.Index(games["game_id"]).get_indexer(pd.Index(contestants["game_id"]))
    game, of_games = factorize_text(contestants["game_id"].astype("str"))
    clubs = games["club"].astype("str") if "club" in games else pd.Series(None, games.index, dtype="str")
    club, of_clubs = factorize_text(clubs)
    dates = pd.to_datetime(games["date"]) if "date" in games else pd.Series(pd.NaT, games.index)
    year = np.append(dates.dt.year.to_numpy(dtype=np.float64), np.nan)[row]
    seats = sorted({*names, *numbers})
    nobody = np.full(len(contestants), -1)
    partners = []
    for n in seats:
        partner = nobody
        for other in [other for other in names if other != n][::-1]:
            partner = np.where(pair & named[other], names[other], partner)
        partners.append(partner)
    columns = {
        "game": ([game] * len(seats), of_games),
        "club": ([np.append(club, -1)[row]] * len(seats), of_clubs),
        "name": ([names.get(n, nobody) for n in seats], of_names),
        "number": ([numbers.get(n, nobody) for n in seats], of_numbers),
        "partner": (partners, of_names),
    }
    texts = {
        name: pd.Categorical.from_codes(np.array(each, dtype=np.int64).ravel("F"), of)
        for name, (each, of) in columns.items()
    }
    contestant, seat = np.repeat(contestants.index, len(seats)), np.tile(seats, len(contestants))
    return pd.DataFrame({"contestant": contestant, "seat": seat, **texts, "year": np.repeat(year, len(seats))})


def _coded(contestants: pd.DataFrame, family: str) -> tuple[dict[int, Ints], pd.Index[str]]:
    """Return the number of each contestant's text in the columns of a family, by the number of these, and the texts."""
    columns = {family_number(name): contestants[name].astype("str") for name in family_columns(contestants, family)}
    every = [columns[n] for n in sorted(columns)]
    codes, texts = factorize_text(pd.concat([pd.Series(dtype="str"), *every], ignore_index=True))
    return {n: codes[at * len(contestants) :][: len(contestants)] for at, n in enumerate(sorted(columns))}, texts
