"""Whether two games are the same one: with the same players and scores, in another version, or in the same places.

A sheet, the files of a folder and an archive have it told here; they hand over what games say of themselves and who
played in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Ints,
    distinct_keys,
    distinct_rows,
    factorize_text,
    family_columns,
    map_text,
    rows_of,
)
from resultproc.model.dates import TIMES_OF_DAY
from resultproc.model.errors import InputError, Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import FrameRow, Result, Sheet, game_problem
from resultproc.model.game import BY_MATCHES, EventType
from resultproc.people.spelling import almost_the_same, one_plain_club, plain_name, plain_number


def results_of_games(facts: Facts) -> pd.Series[str]:
    """Return texts of games that are the same where players, places and scores are; empty where nobody is named."""
    count = np.bincount(facts.sections.game, minlength=len(facts.games))
    if not facts.are_named:
        return pd.Series("", range(len(count)), dtype="str")
    whole = np.zeros(len(count), dtype=np.uint64)
    np.add.at(whole, facts.sections.game, facts.results)
    texts = pd.Series(count, dtype="str") + "-" + pd.Series(whole, dtype="str")
    return texts.where(count > 0, "")


def games_alike(facts: Facts) -> Iterator[Problem]:
    """Yield games with the players and scores of another game of their file."""
    if len(facts.games) < 2 or not facts.games["source"].duplicated().any():
        return
    results = results_of_games(facts)
    number, rows = distinct_keys(*(factorize_text(each)[0] for each in (facts.games["source"], results)))
    first = rows[number]
    for row in np.flatnonzero((results != "") & (first != np.arange(len(first)))).tolist():
        what, hint, _ = of_one_game(facts.games.iloc[row], facts.games.iloc[first[row]], alike=True)
        yield facts.of_game(row, what, hint)


MARKS = ["event", "session", "kind", "part"]
"""What tells games of one day apart: the columns of :func:`marks_of_games`, without the day and the club, whose name is
spelt in many ways."""

ONE_GAME_HINT = "leave out the one that is wrong; if they are two games, declare the session of each"
ONE_GAME_CODE = "versions.one-game"
FILES_ALIKE_CODE, GAMES_ALIKE_CODE = "sessions.files-alike", "sessions.games-alike"


def of_one_game(
    game: FrameRow | pd.Series[Any], of: FrameRow | pd.Series[Any], *, alike: bool, name: str = "game_id"
) -> tuple[str, str, str]:
    """Return what is to be remarked on a game that may be the same as another, what to do, and the remark's code.

    alike: whether their players and scores are the same.
    name: the column with what a game is called.
    """
    called = f"the game {of[name]} of {of['source']}"
    if not alike:
        what = f"this may be {called} in another version: the day and most of the players are the same"
        return what, ONE_GAME_HINT, ONE_GAME_CODE
    told = ("date", "club", "event", "session")
    others = [f"the {column} {there}" for column in told if (there := _another(game.get(column), of.get(column)))]
    there = f", there with {' and '.join(others)}" if others else ""
    what = f"this game has the same players and scores as {called}{there}"
    return what, "leave one of them out, if they are the same game", FILES_ALIKE_CODE


def _another(here: object, there: object) -> str:
    """Return what one game says, where another says something else, a time without its hours; else nothing."""
    one, two = ("" if each in ("", None) or each != each else str(each) for each in (here, there))
    return two.removesuffix(" 00:00:00") if one and two and one != two else ""


_PART_OF_DAY = re.compile(r"(morning|afternoon|evening|(?<![a-z])(?:am|morn|pm|aft|eve|night)(?![a-z]))")

_SAME_WORD = {**TIMES_OF_DAY, "1st": "1", "first": "1", "2nd": "2", "second": "2", "3rd": "3", "third": "3"}
_DAY = "(mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(day)?s?"
_SAYS_NOTHING = {
    "club": re.compile("the|and|st|saint|bridge|duplicate|club|bc|dbc"),
    "session": re.compile(f"session|game|{_DAY}"),
    "event": re.compile(_DAY),
}
"""Words that tell nothing apart: one list has them and another leaves them out. The day is known by its date."""

_UMLAUT = "([aou])e"
"""How an umlaut is written without its dots, which a plain spelling leaves out."""

_OF_TEAMS = dict.fromkeys([*BY_MATCHES, EventType.BAM.value], "teams")
_KINDS = {"": EventType.PAIRS.value, EventType.TEAM_OF_TWO.value: EventType.PAIRS.value, **_OF_TEAMS}


def marks_of_games(games: pd.DataFrame) -> pd.DataFrame:
    """Return the day of each game and what tells it from others of that day, in plain spelling; empty if not said."""
    told = {name: _each_told(games[name], partial(_words, name=name)) for name in _SAYS_NOTHING}
    days = pd.to_datetime(games["date"]).dt.strftime("%Y-%m-%d").astype("str").fillna("")
    kinds = _each_told(games["event_type"], lambda kind: _KINDS.get(kind, kind), _KINDS[""])
    return pd.DataFrame({**told, "date": days, "kind": kinds, "part": _each_told(games["source"], _part_of_day)})


def _each_told(texts: pd.Series[str], told: Callable[[str], str], none: str = "") -> pd.Series[str]:
    return pd.Series(map_text(texts, told, none), texts.index, dtype="str")


def _part_of_day(source: str) -> str:
    found = _PART_OF_DAY.search(source.lower())
    return TIMES_OF_DAY.get(found[1], found[1]) if found else ""


def _words(text: str, name: str) -> str:
    """Return what a key of a game says, in plain spelling and a session in any order; empty if not said."""
    text = one_plain_club(text)
    words = text.split()
    telling = [word for word in words if not _SAYS_NOTHING[name].fullmatch(word)]
    if name == "session":
        return " ".join(sorted(_SAME_WORD.get(word, word) for word in telling))
    return " ".join(telling) or text


def players_of_games(contestants: pd.DataFrame, game: npt.ArrayLike) -> pd.DataFrame:
    """Return who played in which game: its number, and a number for each player that is the same for the same name.

    game: the number of each contestant's game. Who has no name goes by the member number.
    """
    found = [pd.DataFrame({"game": np.zeros(0, np.int64), "player": np.zeros(0, np.uint64)})]
    for name in family_columns(contestants):
        who = plain_name(contestants[name].astype("str"))
        number = contestants.get(name.replace("player", "id"))
        who = who if number is None else who.fillna("#" + plain_number(number.astype("str")))
        there = who.notna().to_numpy()
        hashes = pd.util.hash_array(who[there].to_numpy(dtype=object))
        found.append(pd.DataFrame({"game": np.asarray(game)[there], "player": hashes}))
    return pd.concat(found, ignore_index=True).drop_duplicates()


def possible_versions(said: pd.DataFrame, file: Ints, group: Ints, seats: pd.DataFrame) -> list[tuple[int, int]]:
    """Return the games that may be another version of an earlier one, each with that, by their rows.

    said: as :func:`marks_of_games` gives it.
    file: the number of each game's file.
    group: the number of the games that each may be one with, -1 for none.
    seats: who played in them, see :func:`players_of_games`, the games by row.
    Each player's first and last game before are looked at, so that this takes no longer where many games are similar.
    """
    seats = seats.assign(group=group[seats["game"]])
    seats = seats[seats["group"] >= 0].sort_values(["group", "player", "game"])
    mine = seats.groupby(["group", "player"])["game"]
    pairs = pd.concat([seats.assign(other=other) for other in (mine.transform("first"), mine.shift())])
    pairs = pairs[pairs["other"] < pairs["game"]].drop_duplicates(["player", "game", "other"])
    shared = pairs.astype({"other": "int64"}).groupby(["game", "other"]).size().reset_index(name="shared")
    every = seats.groupby("game").size()
    row, other = shared["game"].to_numpy(), shared["other"].to_numpy()
    most = np.maximum(*(every.reindex(rows).to_numpy() for rows in (row, other)))
    alike = 2 * shared["shared"].to_numpy() >= most
    alike &= file[row] != file[other]
    for name in MARKS:
        one, two = (said[name].to_numpy()[rows] for rows in (row, other))
        alike &= (one == two) | (one == "") | (two == "")
    clubs = said["club"].str.replace(_UMLAUT, r"\1", regex=True).tolist()
    for number in np.flatnonzero(alike).tolist():
        one, two = clubs[row[number]], clubs[other[number]]
        alike[number] = not one or not two or almost_the_same(one, two)
    best = shared[alike].sort_values(["game", "shared", "other"], ascending=[True, False, True])
    best = best.drop_duplicates("game")
    return list(zip(best["game"].tolist(), best["other"].tolist(), strict=True))


def versions(
    games: pd.DataFrame,
    file: npt.ArrayLike,
    players: Callable[[Ints], pd.DataFrame] | None,
    new: npt.ArrayLike = True,
) -> list[tuple[int, int, bool]]:
    """Return the games that may be one before them in another file, each with that, by their rows.

    The third says whether both have the same players and scores, whatever else they say; else the second may be another
    version of the first.

    games: with the date, the club, the event, the session, the kind and the name of the file, as far as they are known,
        and what :func:`results_of_games` gives.
    file: the number or name of each game's file.
    players: returns who played in games, given their rows, as :func:`players_of_games` does. It is asked only for
        those that nothing else tells from each other; without it, no other versions are looked for.
    new: which games are new: those that are not are compared with these alone.
    """
    of_file = pd.factorize(np.asarray(file))[0]
    are_new = np.broadcast_to(np.asarray(new), len(games))
    results = games["results"].fillna("").reset_index(drop=True)
    first = results.index.to_series().groupby(results).transform("first").to_numpy()
    alike = (results != "").to_numpy() & (of_file != of_file[first]) & (are_new | are_new[first])
    found = {row: (row, int(first[row]), True) for row in np.flatnonzero(alike).tolist()}
    if players is None:
        return [*found.values()]
    said = marks_of_games(games)
    group = distinct_rows(said[["date"]])[0]
    for name in MARKS:
        mark = said[name].to_numpy()
        by_all = np.bincount(group, weights=mark == "")[group] == 0
        group = distinct_keys(group, np.where(by_all, pd.factorize(mark)[0], -1))[0]
    files = group[distinct_keys(group, of_file)[1]]
    several = np.bincount(files, minlength=len(said))[group] > 1
    group = np.where(several & (said["date"] != "").to_numpy(), group, -1)
    any_new = pd.Series(are_new).groupby(group).transform("any")
    rows = np.flatnonzero((group >= 0) & any_new.to_numpy())
    if len(rows):
        for row, other in possible_versions(said, of_file, group, players(rows)):
            found.setdefault(row, (row, other, False))
    return [found[row] for row in sorted(found)]


def files_of_one_game(sheet: Sheet, file: npt.ArrayLike, *, alike_alone: bool = False) -> Iterator[Problem]:
    """Yield games that may be the same as one of another file, or another version of it.

    file: the number of each game's file.
    alike_alone: whether only those are wanted that have the same players and scores.
    """
    if len(sheet.games) < 2:
        return
    games = sheet.games.assign(results=results_of_games(sheet.facts).to_numpy())
    game = rows_of(sheet.contestants["game_id"], sheet.games["game_id"])

    def players(rows: Ints) -> pd.DataFrame:
        among = np.isin(game, rows)
        return players_of_games(sheet.contestants[among], game[among])

    for row, other, alike in versions(games, file, None if alike_alone else players):
        what, hint, code = of_one_game(games.iloc[row], games.iloc[other], alike=alike)
        yield game_problem(games, row, what, hint, code=code)


def refuse_twice(games: pd.DataFrame, seats: pd.DataFrame) -> None:
    """Refuse a game that has the same players in the same places, on the same day, as one before.

    seats: as :func:`people` gives them, with the ``place`` of each.
    """
    sat = {game: frozenset(zip(rows["player"], rows["place"], strict=True)) for game, rows in seats.groupby("game")}
    seen: dict[object, int] = {}
    problems = []
    for row, date in enumerate(games["date"].astype("str")):
        before = seen.setdefault((date, sat.get(row)), row)
        if before != row:
            what = f"this is the same game as {games['game_id'].iloc[before]}"
            problems.append(game_problem(games, row, what, "give each game once, or declare its date"))
    if problems:
        raise InputError(problems)


_FACTS = ["source", "club", "event", "session", "event_type"]
_PLAYERS, _BETWEEN = "players", "\n"


def who_played(result: Result | Sheet) -> list[dict[str, Any]]:
    """Return, for each game, what tells it from others of its day, and the names of its players, or their numbers.

    These are as they were written: to compare them is for :func:`remarks_on_versions`, once for all files.
    """
    who: list[list[str]] = [[] for _ in range(len(result.games))]
    game = rows_of(result.contestants["game_id"], result.games["game_id"]).tolist()
    for name in family_columns(result.contestants):
        number = name.replace("player", "id")
        numbers = result.contestants[number].tolist() if number in result.contestants else [None] * len(game)
        for row, called, member in zip(game, result.contestants[name].tolist(), numbers, strict=True):
            if isinstance(called, str):
                who[row].append(called)
            elif isinstance(member, str):
                who[row].append(f"#{member}")
    days = [str(day)[:10] if pd.notna(day) else "" for day in result.games["date"].tolist()]
    facts = [[each if isinstance(each, str) else "" for each in result.games[name].tolist()] for name in _FACTS]
    results = results_of_games(Sheet(result.games, result.contestants).facts)
    rows = zip(days, *facts, map(_BETWEEN.join, who), results, strict=True)
    return [dict(zip(("date", *_FACTS, _PLAYERS, "results"), row, strict=True)) for row in rows]


Files = Mapping[str, tuple[str, Sequence[Mapping[str, str]]]]
"""What each file is called, by its key, and what :func:`who_played` says of its games, with their ``game``."""

Remarked = tuple[str, Problem]
"""The key of a file, and the remark on it."""


def remarks_on_versions(files: Files) -> Iterator[tuple[Remarked, Remarked]]:
    """Yield the files with a game that may be another version of one in a file before it, each with that file."""
    games = [(key, name, game) for key, (name, of_file) in files.items() for game in of_file]
    if not games:
        return
    frame = pd.DataFrame([game for _, _, game in games], dtype="str")
    frame["date"] = frame["date"].where(frame["date"] != "")

    def players(rows: Ints) -> pd.DataFrame:
        who = frame[_PLAYERS].iloc[rows].str.split(_BETWEEN)
        named = pd.DataFrame({"player1": who.explode().to_numpy()}, dtype="str")
        return players_of_games(named, np.repeat(rows, [len(each) for each in who]))

    def remarked(row: int, other: int, *, alike: bool) -> Remarked:
        key, name, facts = games[row]
        _, of_name, of = games[other]
        where = f"game {facts['game']}" if len(files[key][1]) > 1 else ""
        what, hint, code = of_one_game(facts, {**of, "source": of_name}, alike=alike, name="game")
        return key, Problem(what, where, hint, PurePosixPath(name).name, code=code)

    for row, other, alike in versions(frame, [key for key, _, _ in games], players):
        yield remarked(row, other, alike=alike), remarked(other, row, alike=alike)


def files_of_these_games(played: Sequence[Mapping[str, str]], files: Files) -> list[str]:
    """Return the keys of the files that may have one of some games: as it is, or in another version.

    played: what :func:`who_played` says of the games.
    files: those to look among.
    """
    mine = ("", [{**game, "game": ""} for game in played])
    found = [earlier for later, earlier in remarks_on_versions({**files, "": mine}) if not later[0]]
    return list(dict.fromkeys(key for key, _ in found))
