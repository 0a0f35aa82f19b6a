"""What was understood of a file: what its columns and titles were taken for and why, and the contestants as read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from resultproc.formats.common.pages import PageColumn, PageRow, PageTable, anchors
from resultproc.formats.common.sheets import Draft
from resultproc.formats.common.understood import Understood
from resultproc.formats.common.words import counted
from resultproc.model.values import decimals, tidy
from resultproc.reports.rows import table_as_text

OWN = "the columns are those of the format"
OPEN = "not read"
NONE = "(none)"


@dataclass(frozen=True)
class Field:
    """The contestants of a game that have one section and direction: how many, the first and the last as they are
    listed, each with what JSON has of it.
    """

    game: str
    section: str
    direction: str | None
    count: int
    first: dict[str, Any]
    last: dict[str, Any]


@dataclass(frozen=True)
class FileRead:
    """A file, what was understood of it, and its contestants."""

    file: str
    understood: Understood
    fields: tuple[Field, ...]


def file_read(draft: Draft) -> FileRead:
    """Return what was understood of a file that was read."""
    rows = draft.rows
    keys = zip(rows["game_id"], rows["section"], rows.get("direction"), strict=True)
    listed: dict[tuple[str, str, str | None], list[int]] = {}
    for row, key in enumerate(keys):
        listed.setdefault(key, []).append(row)
    fields = [Field(*key, len(at), _contestant(draft, at[0]), _contestant(draft, at[-1])) for key, at in listed.items()]
    return FileRead(next((str(fact["source"]) for fact in draft.facts), ""), draft.understood, tuple(fields))


def _contestant(draft: Draft, row: int) -> dict[str, Any]:
    rows = draft.rows
    names = [rows[name][row] for name in rows if name.startswith("player")]
    return {
        "where": rows.get("where")[row] or "",
        "number": rows["number"][row],
        "players": [name for name in names if name is not None],
        "score": rows.get("score")[row],
        "percentage": rows.get("percentage")[row],
    }


def understood_entry(read: FileRead) -> dict[str, Any]:
    """Return what was understood of a file as JSON has it."""
    return {
        "file": read.file,
        "format": read.understood.format,
        "lists": [
            {
                "where": each.where,
                "columns": [
                    {"heading": tidy(column.head), "meaning": column.meaning or None, "why": column.why}
                    for column in each.columns
                ],
            }
            for each in read.understood.lists
        ],
        "told": [
            {"key": each.key, "value": each.value, "where": each.where, "text": tidy(each.text)}
            for each in read.understood.told
        ],
        "contestants": [
            {
                "game_id": each.game,
                "section": each.section,
                "direction": each.direction,
                "count": each.count,
                "first": each.first,
                "last": each.last,
            }
            for each in read.fields
        ],
    }


def lines(read: FileRead) -> Iterator[str]:
    """Yield the lines that show it to people."""
    understood = read.understood
    yield f"{read.file}: {understood.format}" + ("" if understood.lists else f"; {OWN}")
    for each in understood.lists:
        rows = [[tidy(column.head) or NONE, column.meaning or OPEN, column.why] for column in each.columns]
        yield from ("", f"A list at {each.where}", *_indented(table_as_text(("column", "taken for", "why"), rows)))
    if understood.told:
        told = [
            [each.key, each.value, each.where + (f": '{tidy(each.text)}'" if each.text else "")]
            for each in understood.told
        ]
        yield from ("", "What it says of the game", *_indented(table_as_text(("key", "value", "told in"), told)))
    several = len({each.game for each in read.fields}) > 1
    for field in read.fields:
        named = [field.game] if several else []
        named += [f"section {field.section}", *([field.direction] if field.direction else [])]
        yield from ("", f"{', '.join(named)}: {counted(field.count, 'contestant')}")
        ends = [("first", field.first), ("last", field.last)][: field.count]
        yield from _indented(
            table_as_text(("", "line or cell", "number", "players", "score", "percentage"), _rows(ends))
        )


def tables(read: FileRead) -> Iterator[PageTable]:
    """Yield the same as the tables of a page."""
    made: list[tuple[str, str, Sequence[str], list[list[object]]]] = []
    for each in read.understood.lists:
        rows: list[list[object]] = [
            [tidy(column.head) or NONE, column.meaning or OPEN, column.why] for column in each.columns
        ]
        made.append((f"{read.file}: a list at {each.where}", "", ("Column", "Taken for", "Why"), rows))
    if read.understood.told:
        rows = [[each.key, each.value, each.where, tidy(each.text)] for each in read.understood.told]
        made.append((f"{read.file}: what it says of the game", "", ("Key", "Value", "Told in", "Text"), rows))
    several = len({each.game for each in read.fields}) > 1
    for field in read.fields:
        parts = (read.file, field.game if several else "", f"section {field.section}", field.direction)
        named = ", ".join(filter(None, parts))
        ends = [("First", field.first), ("Last", field.last)][: field.count]
        heads = ("", "Line or cell", "Number", "Players", "Score", "Percentage")
        made.append((named, counted(field.count, "contestant"), heads, _rows(ends)))
    for title, note, headings, cells in made:
        columns = [PageColumn(head, "l" if at else "k", f"{head}: " if at else "") for at, head in enumerate(headings)]
        name = anchors(title, fragment=True).strip("-")
        yield PageTable(name, title, columns, [*map(PageRow, cells)], note, sorts=False)


def _rows(ends: list[tuple[str, dict[str, Any]]]) -> list[list[object]]:
    return [
        [
            name,
            one["where"],
            one["number"],
            " - ".join(one["players"]),
            *(decimals(one[what]) if one[what] is not None else "" for what in ("score", "percentage")),
        ]
        for name, one in ends
    ]


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]
