"""What is doubtful about files, and what was understood of them; one that cannot be read does not hide the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from resultproc.formats.common.pages import PageColumn, PageRow, PageTable, tables_page
from resultproc.formats.common.sheets import Draft, by_file, distinct, split_drafts, together
from resultproc.formats.common.words import counted
from resultproc.formats.json.writer import remark_entry
from resultproc.formats.read import drafted
from resultproc.model.errors import InputError, Problem, by_halves, quoted
from resultproc.model.frames import Sheet
from resultproc.model.provenance import Provenance
from resultproc.reports.rows import Writers
from resultproc.reports.understood import FileRead, file_read, lines, tables, understood_entry
from resultproc.stages.doubts import Doubts, doubts
from resultproc.stages.pipeline import among_files, award_each, of_games, with_boards_doubted

WRITERS: Writers[[Lint]] = Writers()
"""The formats of what is doubtful, by name."""


@dataclass(frozen=True)
class Lint:
    """What is doubtful about some files, and what is wrong with those that could not be read.

    provenance: the files.
    understood: what was understood of each, where that was asked for.
    """

    remarks: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    provenance: Provenance = field(default_factory=Provenance)
    understood: list[FileRead] | None = None


def lint(*paths: str | Path, format: str | None = None, understood: bool = False, **keys: object) -> Lint:
    """Return what is doubtful about some files, as far as it is known without what they lack.

    understood: whether to say what was understood of each: what its columns and titles were taken for, and why.
    format, keys: as for :func:`resultproc.read`.
    """
    drafts: list[Draft] = []
    problems: list[Problem] = []
    remarks: list[Problem] = []

    def read() -> Iterator[Draft]:
        for path in paths:
            try:
                yield drafted(path, format=format, **keys)
            except InputError as error:
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
        return award_each(of_games(sheet, names), found.of_games(names))[0].remarks

    for remarks in by_halves(every, award, lambda *_: None, InputError):
        yield from remarks


@WRITERS("text")
def text(found: Lint) -> bytes:
    """Return a line for each remark, below what was understood where that was asked for."""
    shown = [line for each in found.understood or () for line in (*lines(each), "")]
    return "".join(f"{line}\n" for line in (*shown, *quoted(found.remarks))).encode()


@WRITERS("html")
def html(found: Lint, *, fragment: bool = False) -> bytes:
    """Return the same as one page that needs nothing else: what could not be read, and a row for each remark."""
    told = quoted(found.remarks)
    title = f"Looked through: {counted(len(found.remarks), 'doubt') if told else 'nothing doubtful'}"
    columns = [
        PageColumn("File", "n"),
        PageColumn("Where", "l", "Where: "),
        PageColumn("What is doubtful", "l"),
        PageColumn("What would settle it", "l", "What would settle it: "),
    ]
    rows = [PageRow([each.file, each.where, each.what, each.hint]) for each in told]
    doubtful = PageTable("doubts", "What is doubtful", columns, rows, sorts=False)
    return tables_page(
        title,
        [*([doubtful] if rows else []), *(table for each in found.understood or () for table in tables(each))],
        fragment=fragment,
        problems=found.problems,
        provenance=found.provenance,
    )


@WRITERS("json")
def to_json(found: Lint) -> bytes:
    """Return the remarks, and what is wrong with files."""
    content: dict[str, Any] = {
        "provenance": found.provenance.entry(),
        "remarks": [remark_entry(remark) for remark in quoted(found.remarks)],
        "problems": InputError(found.problems).as_dicts(),
    }
    if found.understood is not None:
        content["understood"] = [understood_entry(each) for each in found.understood]
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
