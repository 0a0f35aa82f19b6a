"""What a header calls the columns of a table of contestants; :mod:`resultproc.model.columns` declares the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from resultproc.model.codes import PASSED_OVER
from resultproc.model.column_names import (
    ALL_NAMES,
    BESIDE_SCORE,
    FAMILY_NAMES,
    NAMED,
    OF_PLAYERS,
    OWN_NAMES,
    PLACE_COLUMN,
    TOGETHER,
    UNSAID_PLAYER,
    column_of,
    heading_word,
)
from resultproc.model.errors import InputError, Problem, closest, nearest
from resultproc.model.grid import Cell, Row

REQUIRED = ("number", "player1")

SCORES = ("score", "percentage", "session1", "session2", "round1")
"""A contestant has one of these."""

_NEAR = 0.8
"""How like a column's name a header must be to be taken for a misspelling of it."""

_NEAR_NEEDED = 0.6
"""The same for a column that every table needs, and this one does not have."""


class Headings(NamedTuple):
    """What the cells of a header mean."""

    # The contestants' column of each cell, None for an unnamed one; for ranks in one stratum, the contestants' column,
    # a blank and the stratum's letter.
    columns: Sequence[str | None]
    unknown: Sequence[Cell]  # the cells that are called like no column
    problems: Sequence[Problem]  # columns that appear twice or are missing
    together: bool = False  # whether one column holds the names of all players
    either: Cell | None = None  # the cell that may mean matchpoints or masterpoints, None for none
    # What showed what a column is, by its number from 0, where that is not its heading alone.
    why: Mapping[int, str] = MappingProxyType({})


MAX_COLUMNS = 1000
"""More than all that a contestant can have, 99 players with their numbers and holdings included."""


def columns_named(row: Row) -> int:
    """Return how many texts of a row are names of columns."""
    return sum(column_of(text) is not None or heading_word(text) in UNSAID_PLAYER for text in row.texts)


def headings_of(header: Row, places: bool = False) -> Headings:
    """Return what the cells of a header mean, with the problems of columns that appear twice or are missing.

    places: whether it may have a column of plain ranks. Raises InputError for a header beyond all measure.
    """
    if len(header.texts) > MAX_COLUMNS:
        what = f"this header names {len(header.texts)} columns"
        raise InputError(what, header.where, f"the sheet of a game has {MAX_COLUMNS} at most")
    words = [heading_word(cell.text) for cell in header.cells]
    found = [column_of(cell.text) if cell.text else None for cell in header.cells]
    found = _section_ranks(_of_whom(found, words), header.cells)
    if not places:
        found = [None if name == PLACE_COLUMN else name for name in found]
    if found.count("score") > 1:
        found = [
            BESIDE_SCORE.get(word, name) if name == "score" else name for name, word in zip(found, words, strict=True)
        ]
    columns: list[str | None] = []
    unknown, problems = [], []
    for cell, name in zip(header.cells, found, strict=True):
        if cell.text and name is None:
            unknown.append(cell)
        elif name is not None and any(clash(name, other) for other in columns):
            problems.append(Problem(f"the column '{cell.text}' appears twice", cell.where, "keep one of them"))
        columns.append(name)
    named = zip(header.cells, found, words, strict=True)
    either = [cell for cell, name, word in named if name == "score" and word in BESIDE_SCORE]
    return Headings(
        columns,
        unknown,
        problems or ([] if unknown else missing_columns(header, columns)),
        any(word in TOGETHER for word in words),
        either[0] if either and "percentage" in columns else None,
    )


def _section_ranks(found: list[str | None], cells: Sequence[Cell]) -> list[str | None]:
    """Return the columns of a header with ``Section A`` as ranks, where others are of sections or ranks."""
    if not any(name == "section" or (name or "").startswith("printed_overall") for name in found):
        return found
    letters = [re.fullmatch(r"(?i)sec(?:t(?:ion)?)?[\s_.-]*([A-F])", cell.text) for cell in cells]
    return [
        f"printed_section {letter[1].upper()}" if name is None and letter else name
        for name, letter in zip(found, letters, strict=True)
    ]


def _of_whom(found: Sequence[str | None], words: Sequence[str]) -> list[str | None]:
    """Return the columns of a header with those of players that do not say whose they are: ``Player 1, ACBL #``.

    Such a column belongs to the player before it, or to the only one. What comes before all of them stays unknown, and
    so does what only the last of several has, which may be of all, and what is beside a column of all names, unless
    there is one for each: ``Names, ACBL #, ACBL #``.
    """
    if not ALL_NAMES.isdisjoint(words):
        of = [UNSAID_PLAYER.get(word, "") if name is None else "" for name, word in zip(found, words, strict=True)]
        each = [f"{family}{of[:i].count(family) + 1}" if of.count(family) > 1 else "" for i, family in enumerate(of)]
        return [one if family and one else name for one, family, name in zip(each, of, found, strict=True)]
    columns: list[str | None] = []
    players = [name.removeprefix("player") for name in found if name and name.startswith("player")]
    number = only = players[0] if len(players) == 1 else ""
    unsaid = set()
    for name, word in zip(found, words, strict=True):
        if name is None and word in UNSAID_PLAYER:
            columns.append(f"{UNSAID_PLAYER[word]}{number}")
            unsaid.add(UNSAID_PLAYER[word] if not number else "")
        else:
            of_player = re.fullmatch(f"(?:{'|'.join(OF_PLAYERS)})([1-9][0-9]?)", name or "")
            number = of_player[1] if of_player else only
            columns.append(name)
    for family in OF_PLAYERS:
        have = [f"{family}{player}" in columns for player in players]
        if players and have[-1] and not all(have):
            unsaid.add(family)
    unclear = {f"{family}{player}" for family in unsaid for player in ("", *players)}
    return [None if name != before and name in unclear else name for name, before in zip(columns, found, strict=True)]


def is_table(header: Row) -> bool:
    """Say whether a header has, or may have misspelt, the columns that a table of contestants needs."""
    headings = headings_of(header)
    if any(misspelt(cell, headings.columns) for cell in headings.unknown):
        return True
    scored = any(name in headings.columns for name in (*SCORES, "eligible"))  # those out of all ranks need no score
    return scored and not missing_columns(header, headings.columns)


def missing_columns(header: Row, columns: Sequence[str | None]) -> list[Problem]:
    """Return the problems of columns that every table needs and this one does not have."""
    hint = f"write {' and '.join(REQUIRED)} in the header"
    return [Problem(f"the column '{name}' is missing", header.where, hint) for name in REQUIRED if name not in columns]


def unknown_column(cell: Cell) -> Problem:
    """Return the problem of a header that is called like no column, with the closest one suggested."""
    return Problem(f"unknown column '{cell.text}'", cell.where, _meant(cell.text))


def misspelt_in(unknown: Iterable[Cell], columns: Sequence[str | None]) -> list[Problem]:
    """Return the problems of those headings that look like misspellings, see :func:`misspelt`."""
    return [wrong for cell in unknown if (wrong := misspelt(cell, columns))]


def misspelt(cell: Cell, columns: Sequence[str | None]) -> Problem | None:
    """Return the problem of a header that looks like a misspelling of a column that the table does not have."""
    there = frozenset(columns)
    lacking = {word: name for word, name in _EVERY_WORD.items() if name not in there}
    if not there.isdisjoint(SCORES[:2]):  # then nothing of single sessions or rounds is needed
        lacking = {word: name for word, name in lacking.items() if not name.startswith(_OF_SESSIONS)}
    needed = {word: name for word, name in lacking.items() if name in REQUIRED}
    squashed = heading_word(cell.text)
    if squashed in UNSAID_PLAYER:
        family = UNSAID_PLAYER[squashed]
        what = f"the column '{cell.text}' does not say whose it is"
        return Problem(what, cell.where, _whose(family)) if family == "mp" else None
    if not squashed[-1:].isdecimal():  # a family's lacks its number
        lacking = {word: name for word, name in lacking.items() if not word.endswith("2")}
    near = nearest(squashed, needed, _NEAR_NEEDED) or nearest(squashed, lacking, _NEAR)
    if not near:
        return None
    return Problem(f"unknown column '{cell.text}'", cell.where, f"did you mean '{lacking[near]}'?")


_OF_SESSIONS = (
    *("session", "percentage1", "percentage2", "section1", "section2", "direction1", "direction2"),
    *("round", "swiss"),
)


def _whose(family: str) -> str:
    return f"call it {family}1 or {family}2, or write it beside each player's name"


NAME_IT = "if it holds results, give it the name of one of the columns"
"""The hint of a remark on a column that is kept out."""


def unread_column(cell: Cell) -> Problem:
    """Return the remark on a column that is kept out."""
    family = UNSAID_PLAYER.get(heading_word(cell.text))
    hint = _whose(family) if family else NAME_IT
    return Problem(f"the column '{cell.text}' is not read", cell.where, hint, code=PASSED_OVER)


def _meant(text: str) -> str:
    """Return the hint for a header that is no column: a family's lacks its number, such as Member or Holding."""
    family = FAMILY_NAMES.get(heading_word(text)) or FAMILY_NAMES.get(heading_word(text).removesuffix("s"))
    if family:
        return f"did you mean '{family}1', '{family}2', ...?"
    near = closest(text, [c.of(1) if c.numbered else c.name for c in NAMED])
    return near if near.startswith("did you mean") else "a list of results has columns such as Pair, Names, Score and %"


def clash(name: str, other: str | None) -> bool:
    """Say whether two columns hold the same, as ranks in one stratum and those in all of them do."""
    return other is not None and (name == other or name.partition(" ")[0] == other or other.partition(" ")[0] == name)


_EVERY_WORD = {word: name for word, name in OWN_NAMES.items() if name != PLACE_COLUMN and len(word) > 3} | {
    f"{word}{number}": f"{family}{number}" for word, family in FAMILY_NAMES.items() for number in (1, 2)
}
"""What a misspelt header may have been: the shortest words are like too many others."""
