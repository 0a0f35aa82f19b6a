"""Doubts about several files or games: the same one twice, and sessions of an event out of order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from resultproc.model.errors import Problem
from resultproc.model.frames import Sheet, words_in
from resultproc.model.game import UNFINISHED
from resultproc.stages.doubts.facts import Facts


def games_alike(facts: Facts) -> Iterator[Problem]:
    """Yield games with the players and scores of another game of their file."""
    among, sources = pd.factorize(facts.games["source"])
    if len(sources) < len(facts.games):
        yield from _alike(facts, among)


def files_alike(sheet: Sheet) -> Iterator[Problem]:
    """Yield games with the players and scores of a game of another file."""
    if len(sheet.games) > 1 and len(sheet.contestants):
        for each in _alike(Facts.of(sheet), np.zeros(len(sheet.games), dtype=np.int64)):
            yield replace(each, code="sessions.files-alike")


def _alike(facts: Facts, among: np.ndarray) -> Iterator[Problem]:
    if len(facts.games) < 2 or not facts.are_named:
        return
    whole = np.zeros(len(facts.games), dtype=np.uint64)
    np.add.at(whole, facts.game, facts.results)
    keys = pd.DataFrame({"among": among, "whole": whole, "count": np.bincount(facts.game, minlength=len(whole))})
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
    facts = Facts.of(sheet)
    return tuple(sorted(facts.results.tolist())) if facts.are_named else (id(sheet),)


_PARTS = {"morn": 1, "am": 1, "aft": 2, "pm": 2, "eve": 3, "night": 3}
_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 9}


def _ordinal(session: object) -> tuple[str, int] | None:
    """Return what orders a session among others: its number, or the time of day; None where it tells neither."""
    if not isinstance(session, str):
        return None
    number = re.search(r"(?<![0-9:.])([1-9])(?:st|nd|rd|th)?(?![0-9:.])", session)
    if number:
        return "number", int(number[1])
    for kind, words in (("number", _WORDS), ("part", _PARTS)):
        for word in re.findall(r"[a-z]+", session.lower()):
            found = next(
                (value for name, value in words.items() if word == name or (len(name) > 2 and word.startswith(name))),
                None,
            )
            if found:
                return kind, found
    return None
