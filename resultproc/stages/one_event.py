"""Events of several sessions whose sessions are in files of their own: one sheet of the whole event.

Contestants are matched by their players, by member number where there is one, else by name: sections, directions and
numbers change from session to session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, words_in
from resultproc.model.basis import MAX_SESSIONS
from resultproc.model.codes import CONTRADICTED
from resultproc.model.dates import TIMES_OF_DAY
from resultproc.model.errors import DeclarationError, InputError, Problem, nearest
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.game import BY_MATCHES, UNFINISHED, parse_movement, parse_tables, per_section_text
from resultproc.people.identity import identify, seats_of
from resultproc.people.seated import players_texts
from resultproc.stages.same_game import results_of_games

_OF_A_SESSION = (
    *("game_id", "source", "event", "date", "session", "sessions", "boards", "tables", "sit_outs", "movement"),
)
"""The columns of a game that need not be the same in every session."""


def one_event(sheets: Sequence[Sheet]) -> Sheet:
    """Return the sessions of an event, in the order of play, as one sheet: a game of several sessions.

    sheets: one game each, as read. What is declared of the event is what the sessions declare, the first before the
    others; its tables are those of each section where it first appears. A session's score is its score, or the
    percentage where a sheet lacks scores; carry-overs and matches won add up. The event's percentage is that of the
    maxima of all sessions, where each has percentages and nothing is carried over. A sheet that has its session's
    score beside the event's has in its carry-over what the sessions before it brought. Contestants are those of
    the first session, with what it says that they played of the event.
    Raises InputError for several games in a sheet, a contestant that is in a later session and not in the first,
    and one that appears twice; DeclarationError for keys that contradict each other.
    """
    if len(sheets) > MAX_SESSIONS:
        raise InputError(f"there are {len(sheets)} sessions", hint=f"an event has at most {MAX_SESSIONS}")
    for sheet in sheets:
        if len(sheet.games) != 1:
            source = str(sheet.games["source"].iloc[0])
            what = f"there are {len(sheet.games)} games in this file, but it should have one session"
            raise InputError(what, hint="give each session its own file", file=source)
    entries = _entries([sheet.contestants for sheet in sheets], [str(s.games["source"].iloc[0]) for s in sheets])
    first = sheets[0].contestants.reset_index(drop=True)
    columns: dict[str, pd.Series[Any]] = {}
    sums: dict[str, list[pd.Series[float]]] = {"carryover": [], "wins": []}
    percentages: list[pd.Series[float]] = []
    for number, (sheet, rows) in enumerate(zip(sheets, entries, strict=True), 1):
        contestants = sheet.contestants
        scored = contestants.loc[contestants["eligible"], "score"].notna().all()
        beside = (contestants.get(f"{name}{number}") for name in ("session", "percentage"))
        apart, percent = (each if each is not None and each.notna().any() else None for each in beside)
        own = contestants["score" if scored else "percentage"] if apart is None else apart
        columns[f"session{number}"] = _taken(own, rows)
        percentages.append(_taken(contestants["percentage"] if percent is None else percent, rows))
        if not columns[f"session{number}"].equals(percentages[-1]):
            columns[f"percentage{number}"] = percentages[-1]
        for name, parts in sums.items():
            parts.append(_taken(sheet.contestants[name], rows))
        if apart is not None:
            before = [*(columns[f"session{n}"] for n in range(1, number)), *sums["carryover"][:-1]]
            brought = pd.concat(before, axis=1).sum(axis=1) if before else 0
            sums["carryover"][-1] = (sums["carryover"][-1] - brought).round(2)
        for name in ("section", "direction") if number > 1 else ():
            seat = _taken(sheet.contestants[name], rows)
            columns[f"{name}{number}"] = seat.where(seat.fillna("") != first[name].fillna(""))
    columns |= {name: pd.concat(parts, axis=1).sum(axis=1, min_count=1) for name, parts in sums.items()}
    if not columns["carryover"].any():
        # A session weighs as much as its maximum: what most of its scores are 100 percent of.
        scores = (columns[f"session{number}"] for number in range(1, len(sheets) + 1))
        maxima = [(100 * s / p.where(p > 0)).median() for s, p in zip(scores, percentages, strict=True)]
        total = pd.concat([p * maximum for p, maximum in zip(percentages, maxima, strict=True)], axis=1)
        columns["percentage"] = (total.sum(axis=1, skipna=False) / sum(maxima)).round(2)
    kinds = ("printed_", "session", "percentage", "earlier_")
    of_session = [name for name in map(str, first) if name.startswith(kinds) or name == "score"]
    event = CONTESTANTS.conform(first.drop(columns=of_session).assign(**columns))
    return Sheet(_game(sheets), event, sources=tuple(each for sheet in sheets for each in sheet.sources))


def _taken(values: pd.Series[Any], rows: Ints) -> pd.Series[Any]:
    """Return the values in some rows, empty for -1."""
    return values.reset_index(drop=True).reindex(rows).reset_index(drop=True)


def _entries(sessions: Sequence[pd.DataFrame], files: Sequence[str]) -> list[Ints]:
    """Return, per session, the row of each contestant of the first one, -1 where it did not play."""
    keys = _keys(sessions)
    called = [*map(players_texts, sessions)]
    known = {" ".join(sorted(name.split())): name for name in called[0]}
    problems = []
    for number, (session, names) in enumerate(zip(sessions, keys, strict=True)):
        again = names.duplicated(keep=False)
        unknown = ~names.isin(keys[0])
        for row in np.flatnonzero(again | unknown):
            where = str(session["where"].iloc[row])
            name = called[number][row]
            what, hint = f"{name} appear more than once", "keep one row for each"
            if unknown.iloc[row]:
                asked = " ".join(sorted(name.split()))
                near = "" if asked in known else nearest(asked, known)
                what = f"{name} did not play in the first session"
                # No regulation at hand lets somebody who came later win for the event.
                hint = (
                    f"did you mean {known[near]}?"
                    if near
                    else "write names and member numbers as in the first session, also of those for whom others "
                    "sat in: what substitutes and replacements win, no regulation at hand says"
                )
            problems.append(Problem(what, where, hint, files[number]))
    if problems:
        raise InputError(problems)
    return [pd.Index(names).get_indexer(pd.Index(keys[0])) for names in keys]


def _keys(sessions: Sequence[pd.DataFrame]) -> list[pd.Series[str]]:
    """Return what tells each contestant: its players' numbers over all sessions, in order."""
    names = [str(number) for number in range(len(sessions))]
    of_each = [session.assign(game_id=name) for name, session in zip(names, sessions, strict=True)]
    every = pd.concat(of_each, ignore_index=True)
    seats = seats_of(every, pd.DataFrame({"game_id": names}))
    seats = seats[seats["name"].notna() | seats["number"].notna()].reset_index(drop=True)
    seats["player"] = identify(seats.astype({"game": "str", "name": "str", "number": "str"})).player
    known = seats.sort_values("player").groupby("contestant")["player"].agg(lambda ids: " ".join(map(str, ids)))
    keys = known.reindex(every.index).astype("str")
    return [keys[every["game_id"] == name].reset_index(drop=True) for name in names]


def _game(sheets: Sequence[Sheet]) -> pd.DataFrame:
    games = pd.concat([sheet.games for sheet in sheets], ignore_index=True)
    unfinished = words_in(games["special"], UNFINISHED)
    # What goes on after a session is finished with the last one.
    words = games["special"].fillna("").str.split(", ")
    finished = [", ".join(word for word in each if word != UNFINISHED) or None for each in words]
    games["special"] = games["special"].mask(unfinished, pd.Series(finished, dtype="str"))
    problems = []
    values: dict[str, Any] = {}
    for name in games.columns:
        said = games[name].dropna()
        of_session = name in _OF_A_SESSION or name.startswith("stored_")
        if not of_session and said.nunique() > 1:
            row = int(said.index[said != said.iloc[0]][0])
            what = f"{name} is '{said.loc[row]}', but '{said.iloc[0]}' in {games['source'].iloc[said.index[0]]}"
            hint = "write the same for all sessions of the event"
            problems.append(Problem(what, hint=hint, file=games["source"].iloc[row]))
        values[name] = said.iloc[0] if len(said) else None
    if problems:
        raise DeclarationError(problems, code=CONTRADICTED)
    if games["session"].nunique() > 1:
        values["session"] = None  # the event is not one of the sessions
    values["tables"] = _per_section(sheets, "tables", parse_tables)
    values["movement"] = _per_section(sheets, "movement", parse_movement)
    values["sessions"] = values["sessions"] or len(sheets)
    boards = games["boards"]
    by_matches = values["event_type"] in BY_MATCHES
    if not values["session_boards"] and boards.notna().all() and boards.nunique() > 1 and not by_matches:
        values["session_boards"] = ", ".join(boards.astype("str"))
    if unfinished[-1]:
        values["special"] = ", ".join(filter(None, (values["special"], UNFINISHED)))
    return GAMES.conform(games.iloc[:1].assign(**values))


def _per_section(sheets: Sequence[Sheet], key: str, parse: Callable[[str], Mapping[str, object]]) -> str | None:
    """Return what is declared of the sections of all sessions, for each section as where it first appears."""
    found: dict[str, object] = {}
    for sheet in sheets:
        declared = sheet.games[key].iloc[0]
        if isinstance(declared, str):
            of_section = parse(declared)
            for section in sheet.contestants["section"].unique():
                value = of_section.get(section, of_section.get(""))
                if value is not None:
                    found.setdefault(section, value)
    return per_section_text(found) if found else None


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
    same = results_of_games(before.facts).iloc[0]
    if same and same == results_of_games(after.facts).iloc[0]:
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
            for name, value in words.items():
                if word == name or (len(name) > 2 and word.startswith(name)):
                    return kind, value
    return None
