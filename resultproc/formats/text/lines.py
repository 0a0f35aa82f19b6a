"""The lines of a report, bare or in the ``<pre>`` of a saved web page, and what each is: keys, a header, a row, text.

Below the listings of a game there may be a list of members, with what listings do not show of each player. Rows that
were printed for a screen may go on in the lines below them: these are put together again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from resultproc.formats.registry import decode
from resultproc.formats.text.listing import (
    ABROAD,
    BEGINS,
    TOKEN,
    is_letters,
    is_listing_header,
    is_tabbed_header,
    names_at,
    only_labels,
    value_of,
)
from resultproc.formats.text.recap_sheet import BEGIN, has_recap
from resultproc.model.columns import ShownIn
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import CONTESTANTS
from resultproc.model.grid import Cell, unquoted_lines
from resultproc.model.text import counted
from resultproc.tables.titles import unquoted

_SECTION, _SIDES = (
    "|".join((*labels, *(word for word, label in ABROAD.items() if label in labels)))
    for labels in (("Section",), ("North-South", "East-West"))
)
SECTION_LINE = re.compile(rf'.*?\b(?:{_SECTION})\s+("(?:[^"]|"")*"|\S.*?)(?:\s+({_SIDES}))?\s*')
_STRAY = re.compile(r"\s*(?:[A-Z]{1,2}\s+)?[0-9]{1,4}\s+-?[0-9]{1,6}\.[0-9]{1,2}\s.*\S - \S")


def kind(line: str) -> str:
    """Return what a line is by itself: ``blank``, ``keys``, ``header``, ``members``' header, ``row`` or ``text``."""
    if not line.strip():
        return "blank"
    if line.lstrip().startswith("#"):
        return "keys"
    if is_listing_header(line):
        return "header"
    if tuple(line.split()) == (*SEAT, *_fields(line), "Name"):
        return "members"
    return "row" if _STRAY.match(line) else "text"


def has_listing(head: bytes) -> bool:
    """Say whether there is a listing's header with a section above it, or a recap sheet."""
    try:
        lines = [line for line in report_lines(head) if line.text.strip()]
    except FormatError:
        return False
    return has_recap(line.text for line in lines) or any(
        SECTION_LINE.fullmatch(above.text) and (is_listing_header(line.text) or _header_at(lines, at) is not None)
        for at, (above, line) in enumerate(pairwise(lines), 1)
    )


_RECAP = BEGIN.encode()
_NEAR = 200
"""Where a recap sheet begins, at most."""

_PRE = re.compile(r"</?pre\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>(\n?)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_BROKEN = "\v"


def report_lines(data: bytes) -> list[Cell]:
    """Return the lines of a report; for a web page those in its ``<pre>`` elements, without tags and entities.

    ACBLscore prints a NUL for the stratum of a contestant in none. Raises FormatError for what is no text.
    """
    text = decode(data.replace(b"\0", b" ") if _RECAP in data[:_NEAR] else data).replace("\f", "\n")
    if _PRE.search(text) is None:
        return _as_printed([Cell(line, f"line {number}") for number, line in enumerate(text.split("\n"), 1)])
    import html

    parts = _PRE.split(text)
    # Parts are by turns outside and inside; what is outside keeps its line ends, so that lines can be counted.
    broken = [_BREAK.sub(lambda found: found[1] or _BROKEN, part) for part in parts[1::2]]
    parts[1::2] = [_TAG.sub("", part) for part in broken]
    shown = "".join(part if i % 2 else "\n" * part.count("\n") for i, part in enumerate(parts))
    return _as_printed(
        [
            Cell(html.unescape(part), f"line {number}")
            for number, line in enumerate(shown.split("\n"), 1)
            for part in line.split(_BROKEN)
        ]
    )


def _as_printed(lines: list[Cell]) -> list[Cell]:
    """Return lines as they were printed: without the marks of a mail that quotes most of them, without a blank line
    after each, and without tabs, except for those between the labels of a listing.
    """
    texts = unquoted_lines([line.text.replace("\xa0", " ") for line in lines])
    lines = [Cell(text, line.where) for text, line in zip(texts, lines, strict=True)]
    written = [text for text in texts if text.strip()]
    if len(written) > 2 and not any(line.text.strip() for line in lines[1::2]):
        lines = lines[::2]
    if any("\t" in text for text in written) and not any(map(is_tabbed_header, written)):
        lines = [Cell(line.text.expandtabs(8), line.where) for line in lines]
    return lines


SEAT = ("Section", "Direction", "Number")
"""The labels that the list begins with. It ends with ``Name``."""

FIELDS = {column.short: column.family for column in CONTESTANTS.columns if column.shown is ShownIn.MEMBERS}
"""The labels between them, and the contestants' columns of players that they fill. The rows of the list have a text for
each label, ``-`` for none; the players of a contestant are in order."""


def _fields(line: str) -> list[str]:
    """Return the labels of a header between the first ones and the last."""
    return [label for label in FIELDS if label in line.split()]


def add_members(header: Cell, rows: Iterable[Cell], records: list[dict[str, object]]) -> None:
    """Add to the contestants of a game what the list says of their players; the names in it are for the reader's eye.

    header: the line that names the columns of the list.
    rows: a player each.
    records: the contestants, which are changed.
    Raises InputError for a row of another shape and for a contestant that no listing has.
    """
    listed = {(r["section"], r.get("direction"), r["number"]): r for r in records}
    seats: dict[int, int] = {}
    fields = _fields(header.text)
    for row in rows:
        texts = TOKEN.findall(row.text)
        if len(texts) <= len(SEAT) + len(fields):
            raise InputError("this row lacks columns of the list of members", row.where, "write - for an empty one")
        section, direction, number = (None if text == "-" else unquoted(text) for text in texts[: len(SEAT)])
        record = listed.get((section, direction, number))
        if record is None:
            raise InputError(f"no listing above has the contestant {' '.join(texts[:3])}", row.where, "correct the row")
        seat = seats[id(record)] = seats.get(id(record), 0) + 1
        for label, text in zip(fields, texts[len(SEAT) :], strict=False):
            if text != "-":
                record |= value_of(f"{FIELDS[label]}{seat}", text, row.where)


NOTHING_THERE = "-"
"""What stands for a line of a row that is empty."""


def unfolded(lines: list[Cell]) -> list[Cell]:
    """Return the lines of a report with each row that goes on below itself as one line, and so its header.

    Raises InputError for a row that has not as many lines as its header.
    """
    found: list[Cell] = []
    at = 0
    while at < len(lines):
        header = _header_at(lines, at)
        if header is None:
            found.append(lines[at])
            at += 1
            continue
        heads, letters, start = header
        end = next((i for i in range(start, len(lines)) if kind(lines[i].text) not in {"row", "text"}), len(lines))
        wide = max(len(line.text) for line in lines[at:end]) + 1
        found.append(_beside(heads, wide))
        if letters:
            above, line = letters
            found.append(Cell(" " * wide * above + line.text, line.where))
        found += _whole_rows(lines[start:end], heads, wide)
        at = end
    return found


def _header_at(lines: list[Cell], at: int) -> tuple[list[Cell], tuple[int, Cell] | None, int] | None:
    """Return the lines of a header of several, or of one whose rows may go on; None where there is none.

    Returns its lines of labels, how many of these are above that of the letters and the latter, and where it ends.
    """
    if not lines[at].text.strip().startswith(BEGINS) or not only_labels(lines[at].text):
        return None
    heads, letters = [lines[at]], None
    for end in range(at + 1, len(lines)):
        line = lines[end]
        if letters is None and is_letters(line.text):
            letters = (len(heads) - 1, line)
        elif line.text.startswith(" ") and only_labels(line.text) and not line.text.strip().startswith(BEGINS):
            heads.append(line)
        else:
            break
    else:
        end = len(lines)
    if names_at(heads[-1].text) is None or letters is None or "\t" in heads[0].text:
        return None
    return heads, letters, end


def _beside(parts: list[Cell], wide: int) -> Cell:
    return Cell("".join(part.text.ljust(wide) for part in parts).rstrip(), parts[0].where)


def _whole_rows(lines: list[Cell], heads: list[Cell], wide: int) -> list[Cell]:
    """Return the rows below a header, each as one line."""
    numbers = len(heads[0].text) - len(heads[0].text.lstrip()) + len(heads[0].text.split()[0])
    names = names_at(heads[-1].text)
    assert names is not None  # it is a header
    rows: list[list[Cell]] = []
    for line in lines:
        last = rows[-1] if rows else []
        if not last or line.text[:numbers].strip():
            rows.append([line])
        elif len(last) < len(heads):
            text = "" if line.text.strip() == NOTHING_THERE else line.text
            last.append(Cell(text, line.where))
        elif last[-1].text.endswith(" -") and not line.text[:names].strip():
            last[-1] = Cell(f"{last[-1].text} {line.text.strip()}", last[-1].where)
        else:
            rows.append([line])
    for row in rows:
        if len(row) < len(heads):
            what = f"this row has {counted(len(row), 'line')}, but its header has {len(heads)}"
            raise InputError(what, row[0].where, "is a line missing below it?")
    return [_beside(row, wide) for row in rows]
