"""What a user says of who is who: a CSV file with a line for each way in which somebody, or a club, is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import Sheet
from resultproc.model.words import columns_of_people, heading_word
from resultproc.people.spelling import one_plain_name, one_plain_number, plain_name, plain_number

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

    def with_usual_clubs(self, games: pd.Series[int]) -> Aliases:
        """Return it with the usual spelling of each club that has several: those differ by capitals, blanks and stops.

        games: how many each spelling has.
        """
        rows = games.rename_axis("club").reset_index(name="games")
        rows = rows.assign(capitals=rows["club"].str.isupper(), long=rows["club"].str.len())
        ordered = rows.sort_values(["games", "capitals", "long", "club"], ascending=[False, True, True, True])["club"]
        usual = ordered.groupby(plain_name(ordered)).agg(["first", "size"])
        several = usual.loc[usual["size"] > 1, "first"]
        return replace(self, clubs={str(plain): str(club) for plain, club in several.items()} | dict(self.clubs))

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

    def idle(self, spelt: pd.DataFrame) -> list[str]:
        """Return the lines that nobody, or no club, is written like. spelt: as for :meth:`persons`."""
        keys = ["name", "number", "club"]
        found = [f"the club {club}" for club in self.clubs.keys() - set(spelt["club"].dropna())]
        given = self.people[keys].notna()
        for has in set(given.itertuples(index=False, name=None)):
            by = [name for name, there in zip(keys, has, strict=True) if there]
            lines = self.people.loc[(given == np.array(has)).all(axis=1), by]
            there = lines.merge(spelt[by].drop_duplicates(), on=by, how="left", indicator="there")["there"] == "both"
            found += [", ".join(row) for row in lines[~there.to_numpy()].itertuples(index=False, name=None)]
        return sorted(found)


def read_aliases(text: str, file: str) -> Aliases:
    """Return what a CSV file says of who is who; InputError for lines that say nothing, or two things."""
    reader = _reader(text, file)
    problems: list[Problem] = []
    people: dict[tuple[str | None, ...], str] = {}
    called: dict[str, str] = {}
    clubs: dict[str, str] = {}
    for row in reader:
        where = f"line {reader.line_num}"
        player, member, club, person = ((row[name] or "").strip().removeprefix("'") for name in _COLUMNS)
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
    people_now = {str(number or name): person for (name, number, club), person in people.items() if not club}
    clubs_now = {club: one_plain_name(now) for club, now in clubs.items()}
    problems = [*_circular(people_now, file), *_circular(clubs_now, file)]
    if problems:
        raise InputError(problems)
    numbers = {str(number): person for (name, number, club), person in people.items() if number and not (name or club)}
    persons = [_last(numbers, person, str) for person in people.values()]
    frame = pd.DataFrame([*people], columns=["name", "number", "club"], dtype="str").assign(person=persons)
    frame["called"] = [called[person] for person in persons]
    return Aliases(frame.astype("str"), {club: _last(clubs, now, one_plain_name) for club, now in clubs.items()})


def _reader(text: str, file: str) -> csv.DictReader[str]:
    """Return a reader of aliases, its columns by our names; InputError where one of them is missing."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    heads = reader.fieldnames or ()
    of_people = [{"player": "player", "id": "member"}.get(each or "") for each in columns_of_people(heads)]
    known = [each or heading_word(head) for head, each in zip(heads, of_people, strict=True)]
    reader.fieldnames = [head if each in heads else each for head, each in zip(heads, known, strict=True)]
    missing = [name for name in _COLUMNS if name not in reader.fieldnames]
    if missing:
        what = f"there is no column '{missing[0]}'"
        raise InputError(what, "line 1", hint=f"the columns are {', '.join(_COLUMNS)}", file=file)
    return reader


def with_lines(text: str, lines: Iterable[Mapping[str, str]], file: str) -> str:
    """Return the text of aliases with more lines, by the names of its columns; raises as :func:`read_aliases` does."""
    reader = _reader(text, file)
    out = io.StringIO()
    mark = reader.reader.dialect.delimiter
    writer = csv.DictWriter(out, reader.fieldnames or _COLUMNS, delimiter=mark, lineterminator="\n")
    writer.writerows(lines)
    found = f"{text.rstrip()}\n{out.getvalue()}"
    read_aliases(found, file)
    return found


def _circular(chain: Mapping[str, str], file: str) -> Iterator[Problem]:
    """Yield the problem of people, or clubs, of whom lines say that each is the other. chain: who each is, in plain
    spellings.
    """
    for begin in chain:
        seen = [begin]
        while (then := chain.get(seen[-1], begin)) not in seen:
            seen.append(then)
        if len(seen) > 1 and chain.get(seen[-1]) == begin:
            what = f"these lines say that {' and '.join(sorted(seen))} are each other"
            yield Problem(what, hint="keep the line of who is no longer written so", file=file)
            return


def _key(person: str) -> str:
    """Return the key of a person who is named by a number or a name."""
    number = one_plain_number(person)
    return number if number.isdigit() and sum(map(str.isalpha, person)) <= 1 else one_plain_name(person)


def _last(called: Mapping[str, str], now: str, plain: Callable[[str], str]) -> str:
    """Return what somebody or a club is called at last, which may have changed more than once."""
    for _ in called:
        now = called.get(plain(now), now)
    return now
