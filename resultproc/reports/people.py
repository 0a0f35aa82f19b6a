"""Contestants and players as reports speak of them: how each is called and found, what it has, and who is who.

There is a row for each player, told apart over all games."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from resultproc.formats.source import load_source
from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError, Problem, closest
from resultproc.model.frames import COLOURS, FrameRow, Result, Sheet, game_problem
from resultproc.model.identity import (
    Identities,
    identify,
    one_plain_name,
    one_plain_number,
    plain_name,
    plain_number,
    seats_of,
)
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.model.persons import person_keys, spellings
from resultproc.model.places import place_text
from resultproc.model.text import cell_text
from resultproc.stages.pipeline import keep_games

_T = TypeVar("_T")


def people(
    games: pd.DataFrame,
    contestants: pd.DataFrame,
    identified: Callable[[pd.DataFrame], Identities] = identify,
) -> tuple[pd.DataFrame, Identities]:
    """Return a row per player of each contestant, and who that is, by the rules of :mod:`resultproc.model.persons`.

    The columns are contestant, seat (1 for player1), game (its row) and player.

    contestants: all of the games, or some; the rows of the frame are numbered by its index.
    identified: says who sat where, with doubts or without.
    """
    seats = seats_of(contestants, games).sort_values("contestant", kind="stable", ignore_index=True)
    spelt, row = spellings(seats)
    keys = np.array([*person_keys(spelt), None], dtype=object)
    who = identified(seats.assign(person=pd.Series(keys[row], dtype="str")))
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(seats["game"]))
    seats = seats[["contestant", "seat"]].assign(game=game.astype(np.int64), player=who.player)
    return seats[seats["player"] >= 0], who


def awards_of_seats(result: Result, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the award of each seat by colour, its own where the players of a team have different ones."""
    assert result.awards is not None
    columns = ["masterpoints", *COLOURS]
    of_contestant = result.awards[columns].iloc[seats["contestant"]].set_axis(seats.index)
    if result.player_awards.empty:
        return of_contestant.astype("int64")
    own = result.player_awards.set_index(["contestant", "player"])[columns]
    of_player = own.reindex(pd.MultiIndex.from_frame(seats[["contestant", "seat"]])).set_axis(seats.index)
    return of_player.fillna(of_contestant).astype("int64")


def best_places(result: Result) -> pd.DataFrame:
    """Return the place of each ranked contestant among all, by its row: overall where its game is ranked so.

    The columns are those of the standings.
    """
    standings = result.standings[result.standings["level"] == 0]
    standings = standings[standings["basis"].isin(["section", "overall"])]
    wide = standings.assign(overall=standings["basis"] == "overall")
    widest = wide.sort_values("overall", ascending=False, kind="stable").drop_duplicates("contestant")
    return widest.set_index("contestant").drop(columns="overall")


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


def without_those_at_fault(
    sheet: Sheet, listed: Callable[[Sheet], _T], unread: Sequence[Problem]
) -> tuple[_T, tuple[Problem, ...]]:
    """Return what can be listed of a sheet, and what is wrong with the games that are left out, and with those unread.

    listed: raises InputError for games that it cannot take, each named in its problems.
    unread: what is wrong with files that could not be read.
    Raises InputError where no game is left, and where no game is named.
    """
    left_out = [*unread]
    while True:
        try:
            return listed(sheet), tuple(left_out)
        except InputError as error:
            left_out += error.problems
            at_fault = {problem.game for problem in error.problems}
            kept = [name for name in sheet.games["game_id"] if name not in at_fault]
            if "" in at_fault or not kept or len(kept) == len(sheet.games):
                raise InputError(left_out) from None
            sheet = keep_games(sheet, kept)


def labels(contestants: pd.DataFrame) -> pd.Series[str]:
    """Return how each contestant is called: A-NS-6, or A-6 where it has no direction."""
    direction = contestants["direction"].str.replace("-", "").fillna("")
    return contestants["section"] + np.where(direction == "", "", "-") + direction + "-" + contestants["number"]


def find(result: Result, name: str, game_id: str | None = None) -> int:
    """Return the row of a contestant called A-NS-6 or, in a one-winner section, A-6, or by the name of a player.

    Letter case and what is between the parts do not matter, the direction may be last (``A6NS``), and the section may
    be left out where there is only one; of a name some words are enough where no other player has them.

    name: what the user calls the contestant.
    game_id: the game, where the result has several; else None.
    Raises InputError for an unknown game or contestant, with the closest known ones, and for a name that several have.
    """
    contestants = result.contestants[result.contestants["game_id"] == one_game(result, game_id)]
    found = _of_seat(contestants, name)
    if not len(found) and contestants["section"].nunique() == 1:
        found = _of_seat(contestants.assign(section=""), name)
    if not len(found):
        found = _of_player(contestants, name)
    if len(found) > 1:
        several = ", ".join(labels(contestants)[found])
        raise InputError(f"several contestants have a player '{name}'", hint=f"name one of them: {several}")
    if not len(found):
        raise InputError(f"unknown contestant '{name}' in the game", hint=_near(name, contestants))
    return int(found[0])


def one_game(sheet: Sheet | Result, game_id: str | None) -> str:
    """Return the game that is named, or the only one; InputError for one that is not there, or where none is named."""
    ids = [str(name) for name in sheet.games["game_id"]]
    if not ids:
        raise InputError("there is no game in the file")
    if game_id is None and len(ids) > 1:
        raise InputError("there are several games in the file", hint="name one with game: " + ", ".join(ids))
    check_game(sheet, game_id)
    return game_id or ids[0]


def check_game(sheet: Sheet | Result, game_id: str | None) -> None:
    """Raise InputError for a game that is named and not there, with the closest known one."""
    ids = list(sheet.games["game_id"])
    if game_id is not None and game_id not in ids:
        raise InputError(f"unknown game '{game_id}' in the file", hint=closest(game_id, ids))


def _of_seat(contestants: pd.DataFrame, name: str) -> pd.Index[int]:
    """Return the contestants of this section, direction and number, in that order or with the direction last."""

    def plain(text: pd.Series[str]) -> pd.Series[str]:
        return text.fillna("").str.upper().str.replace(r"[\s-]", "", regex=True)

    section, direction, number = (plain(contestants[part]) for part in ("section", "direction", "number"))
    (asked,) = plain(pd.Series([name], dtype="str"))
    return contestants.index[(section + direction + number == asked) | (section + number + direction == asked)]


def _of_player(contestants: pd.DataFrame, name: str) -> pd.Index[int]:
    """Return the contestants that have a player of this name, else those of whose names it has some words."""
    plain = pd.concat([plain_name(contestants[column]) for column in family_columns(contestants)]).dropna()
    (asked,) = plain_name(pd.Series([name], dtype="str")).fillna("")
    words = set(asked.split())
    if not words:
        return plain.index[:0]
    whole = plain.index[plain == asked]
    return (whole if len(whole) else plain.index[[words <= set(each.split()) for each in plain]]).unique()


def _near(name: str, contestants: pd.DataFrame) -> str:
    known = list(labels(contestants))
    written = [each for column in family_columns(contestants) for each in contestants[column].dropna()]
    bare = contestants.assign(section="")
    seats = [*_of_seat(bare, name), *_of_seat(bare.assign(direction=""), name)]
    near = list(labels(contestants)[seats])
    near = near or get_close_matches(name, written, 3) or get_close_matches(name.upper(), known, 3, 0.4)
    return "the closest are " + ", ".join(near) if near else f"write one of {known[0]} to {known[-1]}"


def player_cells(row: FrameRow, *, numbered: bool = True) -> list[str]:
    """Return a player's name and member number as cells hold them; numbered: whether there is a column of numbers."""
    return ["" if pd.isna(row[name]) else cell_text(row[name]) for name in ("player", *(["id"] * numbered))]


_Places = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class ContestantOutcome:
    """What a contestant has: its places (what was compared, the stratum, the place) and its award in hundredths."""

    places: _Places = ()
    masterpoints: int = 0


def outcomes(result: Result) -> list[ContestantOutcome]:
    """Return the places and the award of each contestant, in the order of the contestants frame."""
    assert result.awards is not None
    places: dict[int, list[tuple[str, str, str]]] = {}
    columns = [result.standings[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")]
    for row, basis, stratum, position, tied in zip(*columns, strict=True):
        places.setdefault(row, []).append((str(basis), str(stratum), place_text(position, tied)))
    awards = result.awards["masterpoints"].tolist()
    return [ContestantOutcome(tuple(sorted(places.get(row, ()))), award) for row, award in enumerate(awards)]


def place_words(place: str | None) -> str:
    """Return ``2nd``, for a tie ``2nd to 3rd``, or ``no place``."""
    return " to ".join(ordinal(int(each)) for each in place.split("/")) if place else "no place"


def outcome_entry(outcome: ContestantOutcome) -> dict[str, Any]:
    """Return what a contestant has as JSON: its award, and its places."""
    ranks = [{"basis": basis, "stratum": stratum, "place": place} for basis, stratum, place in outcome.places]
    return {"masterpoints": decimal_text(outcome.masterpoints), "ranks": ranks}


_COLUMNS = ("player", "member", "club", "is")
"""The columns of what says who is who; others, such as those of a list of who is unsure, are passed over."""


@dataclass(frozen=True)
class Aliases:
    """What a user says of who is who.

    people: who is written so, ``name``, ``number`` and ``club`` in their plain spelling, missing where any will do;
    ``person``, the key of who that is, and ``called``, the name or number as the user writes it.
    clubs: what a club is called now, by the plain spelling of its name.
    """

    people: pd.DataFrame
    clubs: Mapping[str, str]

    def clubs_now(self, clubs: pd.Series[str]) -> pd.Series[str]:
        """Return what clubs are called now: as they are written where nothing is said of them."""
        now: pd.Series[str] = plain_name(clubs).map(dict(self.clubs)).astype("str").fillna(clubs)
        return now

    def applied(self, sheet: Sheet) -> Sheet:
        """Return a sheet with what is said of its players, and with clubs by what they are called now."""
        contestants = self.as_said(sheet.games, sheet.contestants)
        games = sheet.games.assign(club=self.clubs_now(sheet.games["club"]))
        return replace(sheet, games=games, contestants=contestants)

    def as_said(self, games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
        """Return contestants with the numbers, or the names, of those of whom the user says who they are."""
        if self.people.empty:
            return contestants
        found = contestants.copy()
        club = plain_name(found["game_id"].map(games.set_index("game_id")["club"]).astype("str"))
        called = self.people.drop_duplicates("person").set_index("person")["called"]
        for player in family_columns(contestants):
            number = player.replace("player", "id")
            if number not in found:
                found[number] = pd.Series(None, index=found.index, dtype="str")
            plain = {"name": plain_name(found[player]), "number": plain_number(found[number]), "club": club}
            person = self.persons(pd.DataFrame(plain))
            by_number = person.str.isdigit().fillna(False).astype("bool")
            named = person.notna() & ~by_number
            found[player] = found[player].mask(named, person.map(called))
            found[number] = found[number].mask(named).mask(by_number, person)
        return found

    def persons(self, spelt: pd.DataFrame) -> pd.Series[str]:
        """Return who is meant by each way of writing, missing where nothing is said: the line that says most counts."""
        keys = ["name", "number", "club"]
        found = pd.Series(None, index=spelt.index, dtype="str")
        given = self.people[keys].notna()
        for has in sorted(set(given.itertuples(index=False, name=None)), key=lambda ways: (-sum(ways), ways)):
            by = [name for name, there in zip(keys, has, strict=True) if there]
            lines = self.people[(given == np.array(has)).all(axis=1)]
            person = spelt[by].merge(lines[[*by, "person"]], on=by, how="left")["person"].set_axis(spelt.index)
            # A line without a number is for those who are written without one.
            found = found.fillna(person if "number" in by else person.where(spelt["number"].isna()))
        return found


def aliases_of_file(path: Path) -> Aliases:
    """Return what a CSV file says of who is who; raises like :func:`read_aliases`, and where it cannot be read."""
    source = load_source(path)
    try:
        return read_aliases(source.data.decode("utf-8-sig"), source.name)
    except UnicodeDecodeError:
        raise InputError("this is not text in UTF-8", hint="save the list as CSV in UTF-8", file=source.name) from None


@cache
def read_aliases(text: str, file: str) -> Aliases:
    """Return what a CSV file says of who is who; InputError for lines that say nothing, or two things."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        what = f"there is no column '{missing[0]}'"
        raise InputError(what, "line 1", hint=f"the columns are {', '.join(_COLUMNS)}", file=file)
    problems: list[Problem] = []
    people: dict[tuple[str | None, ...], str] = {}
    called: dict[str, str] = {}
    clubs: dict[str, str] = {}
    for row in reader:
        where = f"line {reader.line_num}"
        player, member, club, person = (_unescaped(row[name]) for name in _COLUMNS)
        key = (one_plain_name(player) or None, one_plain_number(member) or None, one_plain_name(club) or None)
        target = person if key[:2] == (None, None) else _key(person)
        if not any(key) or not target or (member and not key[1]):
            hint = "write a player, a member number or a club, and who or what that is under 'is'"
            problems.append(Problem("this line does not say who is who", where, hint, file=file))
        elif key[:2] == (None, None):
            if clubs.setdefault(str(key[2]), target) != target:
                problems.append(Problem(f"the club '{club}' is called two names", where, "keep one line", file=file))
        elif called.setdefault(target, person) and people.setdefault(key, target) != target:
            problems.append(Problem("this is said to be two people", where, "keep one line", file=file))
    if problems:
        raise InputError(problems)
    numbers = {str(number): person for (name, number, club), person in people.items() if number and not (name or club)}
    persons = [_last(numbers, person, str) for person in people.values()]
    frame = pd.DataFrame([*people], columns=["name", "number", "club"], dtype="str").assign(person=persons)
    frame["called"] = [called[person] for person in persons]
    return Aliases(frame.astype("str"), {club: _last(clubs, now, one_plain_name) for club, now in clubs.items()})


def _unescaped(cell: str | None) -> str:
    return (cell or "").strip().removeprefix("'")


def _key(person: str) -> str:
    """Return the key of a person who is named by a number or a name."""
    number = one_plain_number(person)
    return number if number.isdigit() and sum(map(str.isalpha, person)) <= 1 else one_plain_name(person)


def _last(called: Mapping[str, str], now: str, plain: Callable[[str], str]) -> str:
    """Return what somebody or a club is called at last, which may have changed more than once."""
    for _ in called:
        now = called.get(plain(now), now)
    return now
