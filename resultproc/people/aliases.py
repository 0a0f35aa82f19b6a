"""What a user says of who is who: a CSV file with a line for each way in which somebody, or a club, is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import factorize_text
from resultproc.model.column_names import columns_of_people, heading_word
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import Sheet
from resultproc.people.decades import Decided, decide
from resultproc.people.spelling import (
    one_plain_club,
    one_plain_name,
    one_plain_number,
    plain_club,
    plain_name,
    plain_number,
)

_COLUMNS = ("player", "member", "club", "is")
"""The columns of what says who is who; others, such as those of a list of who is unsure, are passed over."""

_OF_PEOPLE = ("name", "number", "club", "person", "called")


@dataclass(frozen=True)
class Aliases:
    """What a user says of who is who."""

    # Who is written so, ``name``, ``number`` and ``club`` in their plain spelling, missing where any will do;
    # ``person``, the key of who that is, and ``called``, the name or number as the user writes it.
    people: pd.DataFrame = field(default_factory=partial(pd.DataFrame, columns=_OF_PEOPLE, dtype="str"))
    # What a club is called now, by the plain spelling of its name.
    clubs: Mapping[str, str] = field(default_factory=dict)

    def clubs_now(self, clubs: pd.Series[str]) -> pd.Series[str]:
        """Return what clubs are called now: as they are written where nothing is said of them."""
        now: pd.Series[str] = plain_club(clubs).map(dict(self.clubs)).astype("str").fillna(clubs)
        return now

    def with_usual_clubs(self, games: pd.Series[int]) -> Aliases:
        """Return it with the usual spelling of each club, whose spellings differ by capitals, blanks and stops.

        games: how many each spelling has. What the user calls a club goes first.
        """
        rows = games.rename_axis("club").reset_index(name="games")
        rows = rows.assign(capitals=rows["club"].str.isupper(), long=rows["club"].str.len())
        ordered = rows.sort_values(["games", "capitals", "long", "club"], ascending=[False, True, True, True])["club"]
        usual = ordered.groupby(plain_club(ordered)).first()
        spelt = {str(plain): str(club) for plain, club in usual.items()}
        spelt |= {one_plain_club(now): now for now in self.clubs.values()}
        said = {club: spelt[one_plain_club(now)] for club, now in self.clubs.items()}
        return replace(self, clubs=spelt | said)

    def applied(self, sheet: Sheet) -> Sheet:
        """Return a sheet with clubs by what they are called now."""
        return replace(sheet, games=sheet.games.assign(club=self.clubs_now(sheet.games["club"])))

    def called(self, persons: pd.Series[str], *, number: bool) -> pd.Series[str]:
        """Return what the user calls persons, by their keys: by a number, or else by a name; missing where not said."""
        said = self.people.drop_duplicates("person").set_index("person")["called"]
        return persons.map(said[said.index.str.isdigit() == number]).astype("str")

    def meant(self, ways: pd.DataFrame) -> pd.Series[str]:
        """Return who is meant in those ways of writing of which the user says it. ways: see :meth:`decide`."""
        if self.people.empty:
            return pd.Series(dtype="str")
        plain = pd.DataFrame(plain_ways(ways), copy=False)
        names, numbers = (self.people[column].dropna() for column in ("name", "number"))
        named = plain["name"].isin(names) | plain["number"].isin(numbers)
        return self.persons(plain[named].astype("str")).dropna()

    def decide(self, ways: pd.DataFrame) -> Decided:
        """Return who is who, as the user says, and by the rules of :mod:`resultproc.people.decades` where he does not.

        ways: how people are written, as :func:`resultproc.people.decades.spellings` gives it.
        """
        plain = plain_ways(ways)
        meant = self.meant(ways)
        lacking = meant.index[plain["number"].codes[meant.index] < 0]
        plain["club"] = each_way(ways, "place", lambda places: plain_club(self.clubs_now(places)))
        plain["number"] = _with(plain["number"], meant)
        plain["partner"] = ways["partner"].array
        numbers = {name: ways[name].array for name in ("games", "first", "last", "met")}
        asked = pd.DataFrame(plain | numbers, copy=False)
        # What is said of somebody without a number holds for nobody else of the name.
        open_ = np.delete(np.arange(len(asked)), lacking)
        found = decide(asked if lacking.empty else asked.iloc[open_])
        person = np.full(len(asked), -1, dtype=np.int32)
        person[open_] = found.person.cat.codes
        # Of the words there are only those that are somebody's key.
        who = _with(pd.Categorical.from_codes(person, found.person.cat.categories), meant).remove_unused_categories()

        def doubts() -> pd.DataFrame:
            unsure = found.unsure.assign(row=open_[found.unsure["row"]])
            return unsure[~unsure["row"].isin(meant.index)]

        return Decided(pd.Series(who), doubts)

    def persons(self, spelt: pd.DataFrame) -> pd.Series[str]:
        """Return who is meant by each way of writing, missing where nothing is said: the line that says most counts."""
        found = pd.Series(None, index=spelt.index, dtype="str")
        for by, lines in self._alike():
            person = spelt[by].merge(lines[[*by, "person"]], on=by, how="left")["person"].set_axis(spelt.index)
            # A line without a number is for those who are written without one.
            found = found.fillna(person if "number" in by else person.where(spelt["number"].isna()))
        return found

    def idle(self, spelt: pd.DataFrame) -> list[str]:
        """Return the lines that nobody, or no club, is written like. spelt: as for :meth:`persons`."""
        found = [f"the club {club}" for club in self.clubs.keys() - set(spelt["club"].dropna())]
        for by, lines in self._alike():
            there = lines[by].merge(spelt[by].drop_duplicates(), on=by, how="left", indicator="there")["there"]
            lacking = lines.loc[(there != "both").to_numpy(), by]
            found += [", ".join(row) for row in lacking.itertuples(index=False, name=None)]
        return sorted(found)

    def _alike(self) -> Iterator[tuple[list[str], pd.DataFrame]]:
        """Yield the columns that lines say, with all lines that say these; those that say most come first."""
        given = self.people[["name", "number", "club"]].notna()
        for has in sorted(set(given.itertuples(index=False, name=None)), key=lambda ways: (-sum(ways), ways)):
            yield list(given.columns[[*has]]), self.people[(given == np.array(has)).all(axis=1)]


def read_aliases(text: str, file: str) -> Aliases:
    """Return what a CSV file says of who is who; InputError for lines that say nothing, or two things."""
    problems: list[Problem] = []
    people: dict[tuple[str | None, ...], str] = {}
    called: dict[str, str] = {}
    clubs: dict[str, str] = {}
    for line, row in _rows(text, file):
        where = f"line {line}"
        key, person = _written(row), _cell(row, "is")
        target = person if key[:2] == (None, None) else person_key(person)
        if not any(key) or not target or (_cell(row, "member") and not key[1]):
            hint = "write a player, a member number or a club, and who or what that is under 'is'"
            problems.append(Problem("this line does not say who is who", where, hint, file=file))
        elif key[:2] == (None, None):
            if clubs.setdefault(str(key[2]), target) != target:
                problems.append(
                    Problem(f"the club '{_cell(row, 'club')}' is called two names", where, "keep one line", file=file)
                )
        elif called.setdefault(target, person) and people.setdefault(key, target) != target:
            problems.append(Problem("this is said to be two people", where, "keep one line", file=file))
    if problems:
        raise InputError(problems)
    # Who is meant by a number alone, or by a name without one, may be somebody else again.
    people_now = {
        str(number or name): person
        for (name, number, club), person in people.items()
        if not (club or (name and number))
    }
    clubs_now = {club: one_plain_club(now) for club, now in clubs.items()}
    problems = [*_circular(people_now, file), *_circular(clubs_now, file)]
    if problems:
        raise InputError(problems)
    persons = [_last(people_now, person, str) for person in people.values()]
    frame = pd.DataFrame([*people], columns=["name", "number", "club"], dtype="str").assign(person=persons)
    frame["called"] = [called[person] for person in persons]
    return Aliases(frame.astype("str"), {club: _last(clubs, now, one_plain_club) for club, now in clubs.items()})


def _rows(text: str, file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row with the number of its line; InputError where the text is no CSV, or lacks a column."""
    line = 0
    try:
        reader = _reader(text, file)
        line = reader.line_num
        for row in reader:
            line = reader.line_num
            yield line, row
    except csv.Error as error:
        what = f"the line cannot be read: {error}"
        raise InputError(what, f"line {line + 1}", "is a quotation mark missing?", file) from None


def _cell(row: Mapping[str, str], name: str) -> str:
    return (row[name] or "").strip().removeprefix("'")


def _written(row: Mapping[str, str]) -> tuple[str | None, str | None, str | None]:
    """Return who is written so of whom a line speaks: name, number and club in their plain spelling."""
    plain = {"player": one_plain_name, "member": one_plain_number, "club": one_plain_club}
    player, member, club = (spelt(_cell(row, name)) or None for name, spelt in plain.items())
    return player, member, club


def _reader(text: str, file: str) -> csv.DictReader[str]:
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)  # some programs end lines with a return alone
    delimiter = max(",;\t", key=lines.readline().count)
    lines.seek(0)
    reader = csv.DictReader(lines, delimiter=delimiter)
    heads = reader.fieldnames or ()
    of_people = [{"player": "player", "id": "member"}.get(each or "") for each in columns_of_people(heads)]
    known = [each or heading_word(head) for head, each in zip(heads, of_people, strict=True)]
    reader.fieldnames = [head if each in heads else each for head, each in zip(heads, known, strict=True)]
    missing = [name for name in _COLUMNS if name not in reader.fieldnames]
    if missing:
        what = f"there is no column '{missing[0]}'"
        raise InputError(what, "line 1", hint=f"the columns are {', '.join(_COLUMNS)}", file=file)
    return reader


def with_lines(text: str, lines: Sequence[Mapping[str, str]], file: str) -> str:
    """Return the text of aliases with more lines, by the names of its columns; raises as :func:`read_aliases` does.

    A line takes the place of one that says something else of who is written so.
    """
    reader = _reader(text, file)
    said = [_written(line) for line in lines]
    before = io.StringIO(text, newline=None).read().split("\n")
    for line, row in _rows(text, file):
        if _written(row) in said:
            before[line - 1] = ""
    text = "\n".join(filter(None, before))
    out = io.StringIO()
    mark = reader.reader.dialect.delimiter
    writer = csv.DictWriter(out, reader.fieldnames or _COLUMNS, delimiter=mark, lineterminator="\n")
    writer.writerows(lines)
    found = f"{text}\n{out.getvalue()}"
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


def person_key(person: str) -> str:
    """Return the key of a person who is named by a number or a name."""
    number = one_plain_number(person)
    return number if number.isdigit() and sum(map(str.isalpha, person)) <= 1 else one_plain_name(person)


def _last(called: Mapping[str, str], now: str, plain: Callable[[str], str]) -> str:
    """Return what somebody or a club is called at last, which may have changed more than once."""
    for _ in called:
        now = called.get(plain(now), now)
    return now


def plain_ways(ways: pd.DataFrame) -> dict[str, pd.Categorical[Any]]:
    """Return the ways in which people are written in their plain spelling: ``name``, ``number`` and ``club``."""
    return {
        "name": each_way(ways, "player", plain_name),
        "number": each_way(ways, "member", plain_number),
        "club": each_way(ways, "place", plain_club),
    }


def each_way(ways: pd.DataFrame, name: str, plain: Callable[[pd.Series[str]], pd.Series[str]]) -> pd.Categorical[Any]:
    """Return a column of the ways in which people are written in another spelling, which is made of each text once."""
    written = ways[name].cat
    of_text, distinct = factorize_text(plain(pd.Series(written.categories, dtype="str")))
    return pd.Categorical.from_codes(np.append(of_text, -1)[written.codes.to_numpy()], distinct)


def _with(column: pd.Categorical[Any], said: pd.Series[str]) -> pd.Categorical[Any]:
    if len(said):
        column = column.add_categories(sorted(set(said) - set(column.categories)))
        column[said.index.to_numpy()] = said.array
    return column
