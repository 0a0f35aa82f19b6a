"""The cells of a row to the values of a contestant: each cell becomes a value once, or is told to be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from resultproc.model.codes import UNREADABLE
from resultproc.model.column_names import PLACE_COLUMN
from resultproc.model.errors import Problem
from resultproc.model.frames import CONTESTANTS
from resultproc.model.grid import Row
from resultproc.model.numbers import SHARE, number_of
from resultproc.model.text import is_nothing
from resultproc.people.names import are_several, names_in
from resultproc.tables.headings import REQUIRED, SCORES

MAXIMUM = "most"
"""What a contestant could have scored, where a row says so: no column of a sheet."""

EXTRA = "-"
"""What stands for a column that is kept out."""


def record_of(columns: Sequence[str | None], row: Row) -> tuple[dict[str, object], list[Problem]]:
    """Return the values of a row by column, and what is wrong in its cells."""
    record: dict[str, object] = {"where": row.where, "eligible": True}
    problems = []
    for i, cell in enumerate(row.cells):
        if not cell.text:
            continue
        name = columns[i] if i < len(columns) else None
        if name == EXTRA or says_nothing(name, cell.text):
            continue
        if cell.fault:
            problems.append(Problem(cell.fault, cell.where, code=UNREADABLE))
            continue
        if name is None:
            problems.append(Problem(f"'{cell.text}' is in a column without a header", cell.where, "name the column"))
            continue
        try:
            parse = _parser(name)
            if parse is None:
                _put(record, name, cell.text, columns)
            else:
                record[name] = parse(cell.text)
        except ValueError as error:
            problems.append(Problem(str(error), cell.where, code=UNREADABLE))
    return record, problems


def says_nothing(name: str | None, text: str) -> bool:
    """Say whether a cell is as good as empty.

    A name may be nobody's, an answer a no, and games have such ids; a score may have gone missing.
    """
    return is_nothing(text) and not str(name).startswith(("player", "eligible", "game_id", *RANKED))


def _in_one_line(text: str) -> str:
    """Return the text of a cell with a sign between the players that are in lines of their own: whole names.

    A line of a member number is beside a name. What stands in rows of its own, or in lines of a page, is whole. A line
    above several of a team's players is its name.
    """
    first, *others = lines = [line.strip() for line in re.split(r"[\t\n]", text)]
    whole_names = [are_several(line) and all(" " in name for name in names_in(line)) for line in lines]
    if whole_names == [False, *[True] * len(others)] and sum(len(names_in(line)) for line in others) > _MOST_OF_PAIR:
        return f"{first}: {' / '.join(others)}"
    whole = "\t" in text or all(" " in line or any(map(str.isdigit, line)) for line in lines)
    return (" / " if whole else " ").join(lines)


_MOST_OF_PAIR = 3
"""Three players may take turns as a pair."""


def _put(record: dict[str, object], name: str, text: str, columns: Sequence[str | None]) -> None:
    """Put what a cell says into a record, in columns of several kinds; raise ValueError, which says what is right."""
    if name.startswith("player"):
        lined = _is_lined(text)
        gaps = not lined and "  " in text and "player2" not in columns  # all the names tell whether these part any
        record[name] = text.strip() if gaps else cell_value(name, _in_one_line(text) if lined else text)
    elif " " in name:
        column, _, stratum = name.partition(" ")
        rank = f"{stratum}={_rank(text)}"
        record[column] = f"{record[column]}, {rank}" if column in record else rank
    elif name == "printed_award" and (found := AWARD_CELL.fullmatch(text)):
        record[name] = cell_value(name, found[1])
        if paid_by := found[2] or found[3]:
            record.setdefault("printed_paid_by", paid_by.upper())
    elif name == PLACE_COLUMN:
        record[name] = text
    elif name == "id1" and (_is_lined(text) or ("id2" not in columns and OF_MEMBERS.fullmatch(text))):
        numbers = enumerate(_BETWEEN_NUMBERS.split(text), 1)
        record |= {f"id{n}": cell_value("id1", number) for n, number in numbers if number != "-"}
    else:
        try:
            record[name] = cell_value(name, text)
        except ValueError:
            share = SHARE.fullmatch(text)
            if share is None or name not in RANKED:
                raise
            score, most = number_of(share[1]), number_of(share[2])
            record["score"] = score
            if score is not None and most:
                record.setdefault("percentage", 100 * score / most)
                record[MAXIMUM] = most


_BETWEEN_NUMBERS = re.compile(r"\s*[\t\n/,;&+]\s*")
OF_MEMBERS = re.compile(r"[0-9]{4,9}(?:\s*[/,;&+]\s*(?:[0-9]{4,9}|-))+")
"""The member numbers of several players in a cell, and what is between them, or stands for none."""


def _is_lined(text: str) -> bool:
    return "\n" in text or "\t" in text


RANKED = {"score", "percentage"}
"""What contestants are ranked by; its cells may say the most that could be scored, too: ``143/288``."""


AWARD_CELL = re.compile(
    r"([0-9]*[.,]?[0-9]+)\s*(?:\(([OS]?[A-F])\)|([OS][A-F])|[A-F]|\(?(?:black|silver|red|gold|platinum)\)?)",
    re.IGNORECASE,
)
"""An award with what paid it, ``0.63 (A)`` or ``0.63 SA``, or its colour: a letter alone may be either."""


def lacking_in(record: Mapping[str, object], needed: Sequence[str] = REQUIRED) -> list[Problem]:
    """Return the problems of a row that lacks what every contestant has. needed: besides a score."""
    lacking = [name for name in needed if name not in record]
    if "player1" in lacking and any(re.fullmatch("(player|id)[1-9][0-9]?", name) for name in record):
        lacking.remove("player1")  # somebody sits there, whose name is not known
    if record["eligible"] and not any(name in record for name in SCORES):
        lacking.append("score")
    where = str(record["where"])
    return [Problem(without(name), where, "write one for every contestant") for name in lacking]


NEEDED = (*REQUIRED, "score")


def without(name: str) -> str:
    """Return what is wrong with a row that has nothing in a column."""
    return f"this row has no {name}"


def cell_value(name: str, text: str) -> object:
    """Return what a cell of a contestants' column holds; raise ValueError, which says what would be right."""
    return _parse(name)(text)


@cache
def _parse(name: str) -> Callable[[str], object]:
    return CONTESTANTS.declared(name).kind.parse


@cache
def _parser(name: str) -> Callable[[str], object] | None:
    """Return what makes a value of each cell of a column; None where a cell may say more."""
    more = " " in name or name.startswith("player") or name in {"printed_award", PLACE_COLUMN, "id1", *RANKED}
    return None if more else _parse(name)


def _rank(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,6}(/[0-9]{1,6})?", text):
        raise ValueError(f"invalid rank: '{text}'; write it as 1, or 2/3 for a tie")
    return text
