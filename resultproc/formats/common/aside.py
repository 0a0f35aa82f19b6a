"""What is between and below the contestants of a sheet that people made."""

from __future__ import annotations

import re
from collections.abc import Mapping

from resultproc.formats.common.headings import SCORES, columns_named
from resultproc.formats.common.rows import Row
from resultproc.formats.common.seats import SEATS, names_of, seats_in
from resultproc.model.codes import PASSED_OVER
from resultproc.model.errors import Problem

_NOBODY = r"(?:the )?(?:phantom|sit[\s-]?outs?|sitting out|no pair|missing pair|vacant)(?: (?:pair|player))?s?"
_SUM = (
    r"(?:grand |section |field )?(?:totals?|sums?|averages?|avg\.?|mean|median|maximum|max\.?|count)"
    r"(?: (?:score|mps|matchpoints|percentage))?[\s:=]*[0-9.,]*\s*%?"
)
_NOBODY_UNSCORED = r"(?:bye|half[\s-]?table)(?: (?:pair|team|player))?"
"""What stands for nobody where it has no score: somebody may be called so."""

_IS_NOBODY = re.compile(_NOBODY, re.IGNORECASE)
_IS_NOBODY_UNSCORED = re.compile(f"{_NOBODY}|{_NOBODY_UNSCORED}", re.IGNORECASE)
_IS_SUM = re.compile(_SUM, re.IGNORECASE)
_MAY_BE_NONE = re.compile(f"{_NOBODY}|{_NOBODY_UNSCORED}|{_SUM}", re.IGNORECASE)


def may_be_none(record: Mapping[str, object]) -> bool:
    """Say whether a row that reads as a contestant needs a closer look all the same."""
    number = str(record["number"])
    if _MAY_BE_NONE.match(" ".join(_names(record))):
        return True
    return not number.isdecimal() and _IS_SUM.fullmatch(number) is not None


def _names(record: Mapping[str, object]) -> list[str]:
    texts = (str(text) for name, text in record.items() if name.startswith("player"))
    return [part.strip("()[]*- ") or part for text in texts for part in names_of(text)]


def seats_named(row: Row, record: Mapping[str, object]) -> dict[str, str]:
    """Return the section and direction that a row tells of those below it, where it says nothing else; else nothing."""
    seats = seats_in(" ".join(row.texts))
    alone = {name: str(record[name]) for name in SEATS if name in record}
    return seats or (alone if len(alone) == len(row.texts) else {})


def is_header(row: Row, header: Row) -> bool:
    """Say whether a row below the header is another, or the same once more, with columns that are not known."""
    return columns_named(row) == len(row.texts) >= 2 or row.texts == header.texts


def passed_over(row: Row, record: Mapping[str, object]) -> Problem | None:
    """Return the remark on a row of a pair that is none, or of sums; None for any other."""
    first = row.texts[0]
    names = _names(record) or [first]
    unscored = not any(record.get(name) for name in SCORES)
    nobody = _IS_NOBODY_UNSCORED if unscored else _IS_NOBODY
    # The words may be apart in two columns: Sit, Out.
    if all(map(nobody.fullmatch, names)) or nobody.fullmatch(" ".join(names)):
        return Problem(
            f"'{' '.join(dict.fromkeys(names))}' is nobody: this row is passed over", row.where, code=PASSED_OVER
        )
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
