"""What is doubtful about files, and what was understood of them; one that cannot be read does not hide the others.

What was understood is what the columns and titles of a file were taken for and why, and its contestants as read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from resultproc.formats.read import drafted
from resultproc.formats.source import Readable, refuse_none
from resultproc.model.draft import Draft, by_file, distinct, split_drafts, together
from resultproc.model.errors import InputError, Problem, ResultprocError, by_halves, quoted
from resultproc.model.frames import Sheet
from resultproc.model.json import json_text
from resultproc.model.numbers import decimals
from resultproc.model.provenance import Provenance
from resultproc.model.text import counted, tidy
from resultproc.model.understood import Understood
from resultproc.pages.page import PageColumn, PageRow, PageTable, Report, anchors
from resultproc.pages.tables import Writers, table_as_text
from resultproc.pages.words import headline
from resultproc.stages.doubts import Doubts, doubts
from resultproc.stages.pipeline import among_files, award_each, keep_games, with_boards_doubted

if TYPE_CHECKING:
    from resultproc.reports.outputs import LintReport, UnderstoodEntry

_OWN_COLUMNS = "the columns are those of the format"
_NOT_READ = "not read"
_NO_HEAD = "(none)"


@dataclass(frozen=True)
class Field:
    """The contestants of a game that have one section and direction.

    game: its id.
    section, direction: theirs; None for no direction.
    count: how many they are.
    first, last: the first and the last as they are listed, each with what JSON has of it.
    """

    game: str
    section: str
    direction: str | None
    count: int
    first: dict[str, Any]
    last: dict[str, Any]


@dataclass(frozen=True)
class FileRead:
    """A file as it was read.

    file: its name.
    understood: which columns it has, and what it says of its games.
    fields: its contestants.
    """

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


def understood_entry(read: FileRead) -> UnderstoodEntry:
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
    yield f"{read.file}: {understood.format}" + ("" if understood.lists else f"; {_OWN_COLUMNS}")
    for each in understood.lists:
        rows = [[tidy(column.head) or _NO_HEAD, column.meaning or _NOT_READ, column.why] for column in each.columns]
        yield from ("", f"A list at {each.where}", *_indented(table_as_text(("column", "taken for", "why"), rows)))
    if understood.told:
        told = [
            [each.key, each.value, each.where + (f": '{tidy(each.text)}'" if each.text else "")]
            for each in understood.told
        ]
        yield from ("", "What it says of the game", *_indented(table_as_text(("key", "value", "told in"), told)))
    several = len({each.game for each in read.fields}) > 1
    for seen in read.fields:
        named = [seen.game] if several else []
        named += [f"section {seen.section}", *([seen.direction] if seen.direction else [])]
        yield from ("", f"{', '.join(named)}: {counted(seen.count, 'contestant')}")
        ends = [("first", seen.first), ("last", seen.last)][: seen.count]
        yield from _indented(
            table_as_text(("", "line or cell", "number", "players", "score", "percentage"), _rows(ends))
        )


def tables(read: FileRead) -> Iterator[PageTable]:
    """Yield the same as the tables of a page."""
    made: list[tuple[str, str, Sequence[str], list[list[object]]]] = []
    for each in read.understood.lists:
        rows: list[list[object]] = [
            [tidy(column.head) or _NO_HEAD, column.meaning or _NOT_READ, column.why] for column in each.columns
        ]
        made.append((f"{read.file}: a list at {each.where}", "", ("Column", "Taken for", "Why"), rows))
    if read.understood.told:
        rows = [[each.key, each.value, each.where, tidy(each.text)] for each in read.understood.told]
        made.append((f"{read.file}: what it says of the game", "", ("Key", "Value", "Told in", "Text"), rows))
    several = len({each.game for each in read.fields}) > 1
    for seen in read.fields:
        parts = (read.file, seen.game if several else "", f"section {seen.section}", seen.direction)
        named = ", ".join(filter(None, parts))
        ends = [("First", seen.first), ("Last", seen.last)][: seen.count]
        heads = ("", "Line or cell", "Number", "Players", "Score", "Percentage")
        made.append((named, counted(seen.count, "contestant"), heads, _rows(ends)))
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


WRITERS: Writers[[Lint]] = Writers()
"""The formats of what is doubtful, by name."""


@dataclass(frozen=True)
class Lint:
    """What is doubtful about some files, and what is wrong with those that could not be read.

    remarks: what is doubtful.
    problems: what is wrong.
    provenance: the files.
    understood: what was understood of each, None where that was not asked for.
    """

    remarks: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    provenance: Provenance = field(default_factory=Provenance)
    understood: list[FileRead] | None = None


def lint(*paths: Readable, format: str | None = None, understood: bool = False, **keys: object) -> Lint:
    """Return what is doubtful about some files, as far as it is known without what they lack.

    understood: whether to say what was understood of each: what its columns and titles were taken for, and why.
    format, keys: as for :func:`resultproc.read`.
    Raises InputError where there is no file.
    """
    refuse_none(paths)
    drafts: list[Draft] = []
    problems: list[Problem] = []
    remarks: list[Problem] = []

    def read() -> Iterator[Draft]:
        for path in paths:
            try:
                yield drafted(path, format=format, **keys)
            except ResultprocError as error:
                problems.extend(error.problems)

    for several in split_drafts(read(), _CHUNK):
        remarks += _remarks(several)
        drafts += (draft.without_play() for draft in several)
    if len(drafts) > 1:
        remarks += among_files(together(distinct(drafts)), drafts)
    found = list(dict.fromkeys(remarks))
    provenance = Provenance(tuple(each.source for each in drafts if each.source), (), len(found))
    return Lint(found, problems, provenance, [*map(file_read, drafts)] if understood else None)


_CHUNK = 50
"""This many files are looked at together: enough to share the costs of a frame."""


def _remarks(drafts: Sequence[Draft]) -> Iterator[Problem]:
    """Yield what is doubtful about some files, one after the other, and of the games that can be awarded about their
    awards.
    """
    sheet = with_boards_doubted(drafts)
    found = doubts(sheet)
    for of_file in by_file((*sheet.remarks, *found.every, *_of_awards(sheet, found)), drafts):
        yield from of_file


def _of_awards(sheet: Sheet, found: Doubts) -> Iterator[Problem]:
    """Yield what is doubtful about the awards of some files; nothing about a file that is wrong as a whole."""
    every = list(sheet.games["source"].unique())

    def award(sources: Sequence[str]) -> Sequence[Problem]:
        if len(sources) == len(every):
            return award_each(sheet, found)[0].remarks
        names = [*sheet.games.loc[sheet.games["source"].isin(sources), "game_id"]]
        return award_each(keep_games(sheet, names), found.of_games(names))[0].remarks

    for remarks in by_halves(every, award, lambda *_: None, ResultprocError):
        yield from remarks


@WRITERS("text")
def text(found: Lint) -> bytes:
    """Return a line for each remark, below what was understood where that was asked for.

    Where a file could not be read, that comes first.
    """
    first = [_title(found), ""] if found.problems else []
    shown = [line for each in found.understood or () for line in (*lines(each), "")]
    return "".join(f"{line}\n" for line in (*first, *shown, *quoted(found.remarks))).encode()


def _title(found: Lint) -> str:
    doubts = counted(len(found.remarks), "doubt") if found.remarks else "nothing doubtful"
    return headline(
        "Looked through", found.problems, "read", doubts if found.remarks or found.provenance.sources else ""
    )


@WRITERS.shown
def shown(found: Lint) -> Report:
    """Return the same as one page that needs nothing else: what could not be read, and a row for each remark."""
    told = quoted(found.remarks)
    columns = [
        PageColumn("File", "n"),
        PageColumn("Where", "l", "Where: "),
        PageColumn("What is doubtful", "l"),
        PageColumn("What would settle it", "l", "What would settle it: "),
    ]
    rows = [PageRow([each.file, each.where, each.what, each.hint]) for each in told]
    doubtful = PageTable("doubts", "What is doubtful", columns, rows, sorts=False)
    return Report(
        _title(found),
        [*([doubtful] if rows else []), *(table for each in found.understood or () for table in tables(each))],
        problems=found.problems,
        provenance=found.provenance,
    )


@WRITERS("json")
def to_json(found: Lint) -> bytes:
    """Return the remarks, and what is wrong with files."""
    content: LintReport = {
        "provenance": found.provenance.entry(),
        "headline": _title(found),
        "remarks": [remark.entry_of_remark for remark in quoted(found.remarks)],
        "problems": InputError(found.problems).as_dicts(),
    }
    if found.understood is not None:
        content["understood"] = [understood_entry(each) for each in found.understood]
    return json_text(content).encode()
