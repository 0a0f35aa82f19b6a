"""What is between and below the contestants of a sheet that people made."""

from __future__ import annotations

import re
from collections.abc import Mapping

from resultproc.formats.common.headings import columns_named
from resultproc.formats.common.rows import Row
from resultproc.formats.common.seats import SEATS, names_of, seats_in
from resultproc.model.codes import PASSED_OVER
from resultproc.model.errors import Problem

_NOBODY = r"(?:the )?(?:phantom|sit[\s-]?outs?|sitting out|no pair|missing pair|vacant)(?: (?:pair|player))?s?"
_SUM = (
    r"(?:grand |section |field )?(?:totals?|sums?|averages?|avg\.?|mean|median|maximum|max\.?|count)"
    r"(?: (?:score|mps|matchpoints|percentage))?[\s:=]*[0-9.,]*\s*%?"
)
_IS_NOBODY = re.compile(_NOBODY, re.IGNORECASE)
_IS_SUM = re.compile(_SUM, re.IGNORECASE)
_MAY_BE_NONE = re.compile(f"{_NOBODY}|{_SUM}", re.IGNORECASE)


def may_be_none(record: Mapping[str, object]) -> bool:
    """Say whether a row that reads as a contestant needs a closer look all the same."""
    player, number = str(record.get("player1", "")), str(record["number"])
    return _MAY_BE_NONE.match(player) is not None or (not number.isdecimal() and _IS_SUM.fullmatch(number) is not None)


def seats_named(row: Row, record: Mapping[str, object]) -> dict[str, str]:
    """Return the section and direction that a row tells of those below it, where it says nothing else; else nothing."""
    seats = seats_in(" ".join(row.texts))
    alone = {name: str(record[name]) for name in SEATS if name in record}
    return seats or (alone if len(alone) == len(row.texts) else {})


def is_header(row: Row) -> bool:
    """Say whether a row below the header is another."""
    return columns_named(row) == len(row.texts) >= 2


def passed_over(row: Row, record: Mapping[str, object]) -> Problem | None:
    """Return the remark on a row of a pair that is none, or of sums; None for any other."""
    first = row.texts[0]
    names = [part for name, text in record.items() if name.startswith("player") for part in names_of(str(text))]
    if all(map(_IS_NOBODY.fullmatch, names or [first])):
        return Problem(f"'{(names or [first])[0]}' is nobody: this row is passed over", row.where, code=PASSED_OVER)
    is_contestant = "player1" in record and record.get("number", first) != first
    if _IS_SUM.fullmatch(first) and not is_contestant:
        return Problem(f"'{first}' is no contestant: this row is passed over", row.where, code=PASSED_OVER)
    return None


def is_note(row: Row) -> bool:
    """Say whether a row, were it the last, is a note below a table: words after a gap, a number only if alone."""
    texts = row.texts
    text = "".join(texts)
    words = re.search(r"[^\W\d_]", text) is not None
    return row.after_gap and words and (len(texts) == 1 or re.search(r"\d", text) is None)
