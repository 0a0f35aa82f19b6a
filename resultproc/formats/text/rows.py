"""The rows of a listing: what each of its cells says of the contestant."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from resultproc.formats.common.rows import Cell
from resultproc.formats.common.table import cell_value
from resultproc.formats.text.labels import Columns
from resultproc.model.codes import UNREADABLE
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS
from resultproc.model.values import tidy

_RANK = re.compile(r"([1-9][0-9]*(?:/[1-9][0-9]*)?)?(NE)?")
_AWARD = re.compile(r"([0-9]{0,6}\.[0-9]{2})(?: ?\(([A-Za-z+]{1,12})\)| ?([A-Za-z]+|[A-Z](?:/[A-Z])+))?")
_SESSION = re.compile(r'([^("]*)(?:\(("(?:[^"]|"")*"|[^"/]*)(?:/(N-S|E-W))?\))?')
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')


def record(line: Cell, columns: Columns) -> dict[str, object]:
    """Return what a row says of its contestant, in the columns of the contestants frame.

    ``number`` is the first cell as it is. Raises InputError for a cell that cannot be read, and for a row without
    a number.
    """
    found: dict[str, object] = {"where": line.where, "eligible": True}
    ranks: dict[str, list[str]] = {}
    for column, text in columns.cells(line):
        if column.name in {"section", "overall"}:
            rank, ineligible = _rank(text, line.where)
            found["eligible"] = found["eligible"] and not ineligible
            if rank:
                ranks.setdefault(f"printed_{column.name}", []).append(f"{column.letter}={rank}")
        elif column.name == "qualifier":
            if text != "Q":
                raise InputError(f"unexpected '{text}' below 'Qualifiers'", line.where, "write Q or leave it empty")
        else:
            found |= _reader(column.name)(text, line.where)
    if "number" not in found:
        raise InputError("this row has no number", line.where, "write one for every contestant")
    return found | {name: ", ".join(texts) for name, texts in ranks.items()}


def unquoted(text: str) -> str:
    """Return the text that :func:`resultproc.formats.common.cells.quoted` was given."""
    found = _QUOTED.fullmatch(text)
    return found[1].replace('""', '"') if found else text


def _rank(text: str, where: str) -> tuple[str, bool]:
    found = _RANK.fullmatch(text)
    if found is None:
        raise InputError(f"invalid rank: '{text}'", where, "write 1, 2/3 for a tie, or NE", code=UNREADABLE)
    return found[1] or "", bool(found[2])


def value_of(name: str, text: str, where: str) -> dict[str, object]:
    """Return what a cell of a contestants' column says: ``{"score": 61.5}``. Raises InputError for an invalid cell."""
    try:
        return {name: cell_value(name, unquoted(text))}
    except ValueError as error:
        raise InputError(str(error), where, code=UNREADABLE) from None


def _session(name: str) -> Callable[[str, str], dict[str, object]]:
    """Return the reader of a session's scores: ``61.50``, ``61.50(B)`` or ``61.50(B/E-W)``, seated elsewhere."""

    def read(text: str, where: str) -> dict[str, object]:
        found = _SESSION.fullmatch(text)
        if found is None:
            raise InputError(
                f"invalid session score: '{text}'", where, "write it as 61.50, or 61.50(B/E-W)", code=UNREADABLE
            )
        score, section, direction = found.groups()
        values: dict[str, object] = value_of(name, score, where) if score else {}
        if section:
            values[name.replace("session", "section")] = unquoted(section)
        if direction:
            values[name.replace("session", "direction")] = direction
        return values

    return read


def _stratum(text: str, where: str) -> dict[str, object]:
    if not re.fullmatch("[A-Z]", text):
        raise InputError(
            f"invalid stratum: '{text}'", where, "write its letter before the section ranks, such as B", code=UNREADABLE
        )
    return {"stratum": text}


_PIGMENTS = {"Blk": "black", "Slv": "silver", "Silv": "silver", "Red": "red", "Gold": "gold", "Gld": "gold"}
"""How an award of one colour is marked."""

_INITIALS = {colour[0].upper(): colour for colour in COLOURS}
"""How the colours of an award of several are marked: ``R/B``."""


def _award(text: str, where: str) -> dict[str, object]:
    """Read ``0.90 (A)``, ``2.50(OA)``, ``0.06``, ``0.36Blk`` or ``5.25R/B``, which does not say how much is of each."""
    found = _AWARD.fullmatch(text)
    marks = (found[3] or "").split("/") if found else [""]
    known = _PIGMENTS if len(marks) == 1 else _INITIALS
    if found is None or not all(mark in known for mark in marks if mark):
        raise InputError(
            f"invalid award: '{text}'", where, "write it as 0.90 (A), 2.50(OA), 0.36Blk or 5.25R/B", code=UNREADABLE
        )
    amount, paid_by, _ = found.groups()
    colours = sorted((known[mark] for mark in marks if mark), key=COLOURS.index)
    return {
        "printed_award": int(amount.replace(".", "")),
        "printed_paid_by": paid_by,
        "printed_colours": f"{colours[0]}={amount}" if len(colours) == 1 else ", ".join(colours) or None,
    }


def _colours(text: str, where: str) -> dict[str, object]:
    """Read ``0.22 black, 0.22 red``, or ``black, red`` where it is not said how much is of each."""
    if all(word in COLOURS for word in text.split(", ")):
        return {"printed_colours": text}
    parts = [re.fullmatch(r"([0-9]+\.[0-9]{2}) ([a-z]+)", part) for part in text.split(", ")]
    found = [part for part in parts if part]
    if len(found) < len(parts):
        raise InputError(f"invalid colours: '{text}'", where, "write them as 0.22 black, 0.22 red", code=UNREADABLE)
    return {"printed_colours": ", ".join(f"{part[2]}={part[1]}" for part in found)}


def _names(text: str, where: str) -> dict[str, object]:
    """Read ``Ada Ames - Bob Ames``; a name that is itself quoted may hold anything."""
    names = []
    rest: str | None = text
    while rest is not None:
        quoted = re.match(r'("(?:[^"]|"")*")(?: - |$)', rest)
        if quoted:
            name, rest = unquoted(quoted[1]), rest[quoted.end() :] if quoted[0].endswith(" - ") else None
        else:
            name, found, after = rest.partition(" - ")
            rest = after if found else None
            name = tidy(name)
            if not name or name == "-" or name.startswith("- ") or name.endswith(" -"):
                raise InputError(f"a name is missing in '{text}'", where, "write the names as Ada Ames - Bob Ames")
        names.append(name)
    return {f"player{n}": name for n, name in enumerate(names, 1) if name}


_READ: dict[str, Callable[[str, str], dict[str, object]]] = {
    "number": lambda text, where: {"number": text},
    "stratum": _stratum,
    "award": _award,
    "colours": _colours,
    "names": _names,
}


def _reader(name: str) -> Callable[[str, str], dict[str, object]]:
    return _READ.get(name) or (_session(name) if name.startswith("session") else partial(value_of, name))
