"""A club's list of its players: the names, member numbers and holdings that the file of a game does not say.

It is a CSV file or a workbook with a row for each player, under the headings ``Number``, ``Name``, ``Holding`` and
``Rank`` in any order; ``First name`` and ``Last name`` may stand for the name. Other columns are passed over. Such a
list is named with a game, or in the club's settings: ``file = "members.csv"`` below ``[players]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from resultproc.model.column_names import columns_of_people
from resultproc.model.draft import Draft
from resultproc.model.errors import ROWS_QUOTED, DeclarationError, Problem
from resultproc.model.grid import Records, Row
from resultproc.model.text import is_no_name, is_nothing, tidy
from resultproc.model.values import HOLDING
from resultproc.people.spelling import one_plain_name, one_plain_number

_TAKEN = ("player", "id", "mp", "rank")
"""What is taken from the list: columns of the contestants, in the order of a member's fields."""

_HEAD = 20
"""The header is looked for among this many rows."""


class Member(NamedTuple):
    """A player of the list."""

    name: str  # as written
    number: str  # the member number as written
    holding: float | None  # None where the list has none
    rank: str  # empty where the list has none
    where: str  # the place of all that in the file


class MemberList(NamedTuple):
    """The players of a list."""

    file: str  # its name, for messages
    by_number: Mapping[str, Sequence[Member]]  # the players by member number, in its plain spelling
    by_name: Mapping[str, Sequence[Member]]  # the same by name, in its plain spelling


def members_of(file: str, tables: Iterable[list[Row]]) -> MemberList:
    """Return who is on a list, the tables of a file; raise DeclarationError where none is a list of players."""
    found = {each._replace(where=""): each for each in _members(tables)}.values()
    by_number: dict[str, list[Member]] = {}
    by_name: dict[str, list[Member]] = {}
    for each in found:
        by_number.setdefault(one_plain_number(each.number), []).append(each)
        by_name.setdefault(one_plain_name(each.name), []).append(each)
    for known in (by_number, by_name):
        known.pop("", None)
    return MemberList(file, by_number, by_name)


def _members(tables: Iterable[list[Row]]) -> Iterator[Member]:
    """Yield the players of the first table that has a column of names and one of numbers, holdings or ranks."""
    for rows in tables:
        for at, row in enumerate(rows[:_HEAD]):
            columns = columns_of_people([cell.text for cell in row.cells])
            named = "player" in columns or {"first", "last"} <= set(columns)
            if named and not {*_TAKEN[1:]}.isdisjoint(columns):
                _refuse_repeated(row, columns)
                yield from (member for each in rows[at + 1 :] if (member := _member(each, columns)))
                return
    what = "this is not a list of players: no row has the headings Name and Number, or Name and Holding"
    raise DeclarationError(what, hint="write Number, Name and Holding above the columns")


def _refuse_repeated(header: Row, columns: Sequence[str | None]) -> None:
    for at, (cell, column) in enumerate(zip(header.cells, columns, strict=True)):
        if column and column in columns[:at]:
            before = tidy(header.cells[columns.index(column)].text)
            what = f"two columns mean the same: '{before}' and '{tidy(cell.text)}'"
            raise DeclarationError(what, header.where, "rename or delete the one that does not hold")


def _member(row: Row, columns: Sequence[str | None]) -> Member | None:
    cells = {name: cell for name, cell in zip(columns, row.cells, strict=False) if name}
    for cell in cells.values():
        if cell.fault:
            raise DeclarationError(cell.fault, cell.where)
    texts = {name: tidy(cell.text) for name, cell in cells.items()}
    names = {"first", "last"}
    texts = {name: "" if (is_no_name if name in names else is_nothing)(text) else text for name, text in texts.items()}
    name = texts.get("player") or " ".join(filter(None, (texts.get("first"), texts.get("last"))))
    if not name and not texts.get("id"):
        return None
    beyond = next(iter(row.cells[len(columns) :]), None)
    if beyond and re.fullmatch("[0-9][0-9.]*", beyond.text.strip()):
        what = f"'{beyond.text.strip()}' is in a column without a heading"
        raise DeclarationError(what, beyond.where, "write a number with a comma in quotes, or the column's heading")
    held = texts.get("mp")
    try:
        holding = float(str(HOLDING.parse(held))) if held else None
    except ValueError as error:
        raise DeclarationError(f"invalid holding: '{held}' ({error})", row.where, "write a number") from None
    return Member(name, texts.get("id", ""), holding, texts.get("rank", ""), row.where)


def with_members(draft: Draft, members: MemberList) -> Draft:
    """Return a draft with what a list says of the players, where its own file does not say it.

    A player is found by the member number, else by the name. Raises DeclarationError for a name or a number that the
    list has more than once: nobody but the director knows who sat there.
    """
    count = len(draft.rows)
    columns: dict[str, list[Any]] = {name: list(draft.rows[name]) for name in draft.rows}
    seats = {name.removeprefix(kind) for kind in ("player", "id") for name in columns if name.startswith(kind)}
    several: list[Problem] = []
    others: list[tuple[str, str]] = []
    for seat in sorted(filter(str.isdecimal, seats), key=int):
        of_seat = {kind: columns.get(f"{kind}{seat}") or [None] * count for kind in _TAKEN}
        for row, (name, number) in enumerate(zip(of_seat["player"], of_seat["id"], strict=True)):
            found = _found(members, name, number)
            where = str(draft.rows["where"][row])
            if len(found) > 1:
                alike = len({one_plain_name(each.name) for each in found}) == 1
                several.append(_which(members.file, found, where, by_name=alike and not number))
            elif found and name and found[0].name and _words(name).isdisjoint(_words(found[0].name)):
                others.append((where, f"{number} is {found[0].name} there, and {name} here"))
            elif found:
                for kind, value in zip(_TAKEN, found[0], strict=False):
                    if of_seat[kind][row] is None and value not in {"", None}:
                        of_seat[kind][row] = value
        columns |= {
            f"{kind}{seat}": column for kind, column in of_seat.items() if any(each is not None for each in column)
        }
    if several:
        raise DeclarationError(several)
    remarks = draft.remarks
    if others:  # nothing of these players is taken from the list
        said = "; ".join(text for _, text in others[:ROWS_QUOTED])
        what = f"member numbers that are somebody else's in {members.file}: {said}"
        hint = f"correct the number, or the name in {members.file}"
        remarks = (*remarks, Problem(what, others[0][0], hint, code="players.other", rows=tuple(others)))
    return replace(draft, rows=Records.of(columns, count), remarks=remarks)


def _found(members: MemberList, name: object, number: object) -> Sequence[Member]:
    if number:
        return members.by_number.get(one_plain_number(str(number)), ())
    found = members.by_name.get(one_plain_name(str(name)), ()) if name else ()
    # Whoever has the number of another on the list may have a wrong one.
    return members.by_number.get(one_plain_number(found[0].number), found) if len(found) == 1 else found


def _words(name: object) -> set[str]:
    """Return the words of a name: the names of one person have one in common, however they are spelled."""
    return set(one_plain_name(str(name)).split())


def _which(file: str, found: Sequence[Member], where: str, *, by_name: bool) -> Problem:
    who = found[0].name if by_name else f"the member number {found[0].number}"
    hint = "write the member number of the one who played" if by_name else f"correct {file}"
    called = ((each.number or "no number") if by_name else each.name for each in found)
    listed = " and ".join(f"{name} ({each.where})" for name, each in zip(called, found, strict=True))
    return Problem(f"{who} is several people in {file}: {listed}", where, hint, code="players.several")
