"""Doubts about several files or games: the same one twice, one in two versions, sessions of an event out of order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Ints,
    distinct_keys,
    distinct_rows,
    family_columns,
    map_text,
    rows_of,
    words_in,
)
from resultproc.model.dates import TIMES_OF_DAY
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import Sheet, game_problem
from resultproc.model.game import BY_MATCHES, UNFINISHED, EventType
from resultproc.people.spelling import one_plain_name, plain_name, plain_number


def games_alike(facts: Facts) -> Iterator[Problem]:
    """Yield games with the players and scores of another game of their file."""
    among, sources = pd.factorize(facts.games["source"])
    if len(sources) < len(facts.games):
        yield from _alike(facts, among)


def files_alike(sheet: Sheet) -> Iterator[Problem]:
    """Yield games with the players and scores of a game of another file."""
    if len(sheet.games) > 1 and len(sheet.contestants):
        for each in _alike(sheet.facts, np.zeros(len(sheet.games), dtype=np.int64)):
            yield replace(each, code="sessions.files-alike")


def _alike(facts: Facts, among: np.ndarray) -> Iterator[Problem]:
    if len(facts.games) < 2 or not facts.are_named:
        return
    whole = np.zeros(len(facts.games), dtype=np.uint64)
    np.add.at(whole, facts.sections.game, facts.results)
    keys = pd.DataFrame(
        {"among": among, "whole": whole, "count": np.bincount(facts.sections.game, minlength=len(whole))}
    )
    first = pd.Series(np.arange(len(keys))).groupby([keys["among"], keys["whole"], keys["count"]]).transform("first")
    for row in np.flatnonzero(keys.duplicated().to_numpy() & (keys["count"] > 0).to_numpy()).tolist():
        other = facts.games.iloc[int(first.iloc[row])]
        what = f"this game has the same players and scores as the game {other['game_id']} of {other['source']}"
        yield facts.of_game(row, what, "leave one of them out, if they are the same game")


def sessions_amiss(sheets: Sequence[Sheet]) -> Iterator[Problem]:
    """Yield what speaks against some sheets being the sessions of one event in the order of play."""
    for before, after in pairwise(sheets):
        file, other = (str(sheet.games["source"].iloc[0]) for sheet in (after, before))
        what = _against(before, after, other)
        if what:
            hint = "name the files in the order of play, each session once"
            yield Problem(what, hint=hint, file=file, code="sessions.out-of-order")


def _against(before: Sheet, after: Sheet, other: str) -> str:
    """Return what speaks against the order of two sheets, '' where nothing does."""
    first, then = before.games.iloc[0], after.games.iloc[0]
    if _results(before) == _results(after):
        return f"this session has the same players and scores as {other}"
    if pd.notna(first["date"]) and pd.notna(then["date"]) and first["date"] != then["date"]:
        earlier = then["date"] < first["date"]
        return f"this session is of {then['date']:%Y-%m-%d}, before that of {other}" if earlier else ""
    goes_on = [bool(words_in(sheet.games["special"], UNFINISHED)[0]) for sheet in (before, after)]
    if goes_on == [False, True]:
        return f"after this session the event goes on, and after that of {other} it does not"
    numbers = [_ordinal(each["session"]) for each in (first, then)]
    if numbers[0] and numbers[1] and numbers[0][0] == numbers[1][0] and numbers[0] >= numbers[1]:
        return f"this is the session '{then['session']}', and {other} is '{first['session']}'"
    return ""


def _results(sheet: Sheet) -> tuple[int, ...]:
    facts = sheet.facts
    return tuple(sorted(facts.results.tolist())) if facts.are_named else (id(sheet),)


_PARTS_OF_DAY = {"morning": 1, "afternoon": 2, "evening": 3, "late": 4}
_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 9}


def _ordinal(session: object) -> tuple[str, int] | None:
    """Return what orders a session among others: its number, or the time of day; None where it tells neither."""
    if not isinstance(session, str):
        return None
    number = re.search(r"(?<![0-9:.])([1-9])(?:st|nd|rd|th)?(?![0-9:.])", session)
    if number:
        return "number", int(number[1])
    parts = {word: _PARTS_OF_DAY[part] for word, part in TIMES_OF_DAY.items()} | {"pm": 2}
    for kind, words in (("number", _WORDS), ("part", parts)):
        for word in re.findall(r"[a-z]+", session.lower()):
            found = next(
                (value for name, value in words.items() if word == name or (len(name) > 2 and word.startswith(name))),
                None,
            )
            if found:
                return kind, found
    return None


MARKS = ["club", "event", "session", "kind", "part"]
"""What tells games of one day apart: the columns of :func:`marks_of_games`, without the day."""

ONE_GAME = "this may be the game {} of {} in another version: the day and most of the players are the same"
ONE_GAME_HINT = "leave out the one that is wrong; if they are two games, declare the session of each"

ONE_GAME_CODE = "versions.one-game"

_PART_OF_DAY = re.compile(r"(morning|afternoon|evening|(?<![a-z])(?:am|morn|pm|aft|eve|night)(?![a-z]))")

_SAME_WORD = {**TIMES_OF_DAY, "1st": "1", "first": "1", "2nd": "2", "second": "2", "3rd": "3", "third": "3"}
_SAYS_NOTHING = {
    "club": re.compile("the|bridge|duplicate|club|bc|dbc"),
    "session": re.compile("session|game|(mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(day)?"),
    "event": re.compile(""),
}
"""Words that tell nothing apart: one list has them and another leaves them out. The day is known by its date."""

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
    text = one_plain_name(text)
    words = re.sub(r"\b([ap]) m\b", r"\1m", text).split() if name == "session" else text.split()
    telling = [word for word in words if not _SAYS_NOTHING[name].fullmatch(word)]
    if name == "session":
        return " ".join(sorted(_SAME_WORD.get(word, word) for word in telling))
    return " ".join(telling) or text


def possible_contests(said: pd.DataFrame, file: npt.ArrayLike) -> Ints:
    """Return the number of the games that each may be one with: -1 for none, as for most.

    said: as :func:`marks_of_games` gives it.
    file: the number of each game's file; games of one file are told apart by that.
    """
    group = distinct_rows(said[["date"]])[0]
    for name in MARKS:
        mark = said[name].to_numpy()
        by_all = np.bincount(group, weights=mark == "")[group] == 0
        group = distinct_keys(group, np.where(by_all, pd.factorize(mark)[0], -1))[0]
    files = group[distinct_keys(group, pd.factorize(np.asarray(file))[0])[1]]
    several = np.bincount(files, minlength=len(said))[group] > 1
    return np.where(several & (said["date"] != "").to_numpy(), group, -1)


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


def possible_versions(
    said: pd.DataFrame, file: npt.ArrayLike, group: Ints, seats: pd.DataFrame
) -> list[tuple[int, int]]:
    """Return the games that may be another version of an earlier one, each with that, by their rows.

    said: what games say of themselves, a row each.
    file: the number of each game's file.
    group: as :func:`possible_contests` gives it.
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
    alike &= np.asarray(file)[row] != np.asarray(file)[other]
    for name in MARKS:
        one, two = (said[name].to_numpy()[rows] for rows in (row, other))
        alike &= (one == two) | (one == "") | (two == "")
    best = shared[alike].sort_values(["game", "shared", "other"], ascending=[True, False, True])
    best = best.drop_duplicates("game")
    return list(zip(best["game"].tolist(), best["other"].tolist(), strict=True))


def files_of_one_game(sheet: Sheet, file: npt.ArrayLike) -> Iterator[Problem]:
    """Yield games that may be another version of one of another file. file: the number of each game's file."""
    said = marks_of_games(sheet.games)
    group = possible_contests(said, file)
    if (group < 0).all():
        return
    game = rows_of(sheet.contestants["game_id"], sheet.games["game_id"])
    among = group[game] >= 0
    for row, other in possible_versions(said, file, group, players_of_games(sheet.contestants[among], game[among])):
        of = sheet.games.iloc[other]
        yield game_problem(
            sheet.games, row, ONE_GAME.format(of["game_id"], of["source"]), ONE_GAME_HINT, code=ONE_GAME_CODE
        )
