"""What is doubtful about files, and what was understood of them; one that cannot be read does not hide the others.

What was understood is what the columns and titles of a file were taken for and why, and its contestants as read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any, NamedTuple

from resultproc.formats.loaded import Readable, refuse_none
from resultproc.formats.read import drafted
from resultproc.model.draft import Draft, by_file, distinct, split_drafts, together
from resultproc.model.errors import Problem, ResultprocError, by_halves, quoted
from resultproc.model.language import in_words
from resultproc.model.numbers import decimals
from resultproc.model.provenance import Provenance
from resultproc.model.text import counted, tidy
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report, anchors
from resultproc.pages.tables import Writers, table_as_text
from resultproc.pages.words import headline
from resultproc.reports.json_types import LintReport, UnderstoodEntry, entry
from resultproc.stages.doubts import doubts
from resultproc.stages.pipeline import among_files, award_each, keep_games, with_boards_doubted


def understood_of(draft: Draft) -> UnderstoodEntry:
    """Return what was understood of a file that was read, as JSON has it."""
    rows, found = draft.rows, draft.understood
    players = [rows[name] for name in rows if name.startswith("player")]

    def contestant(row: int) -> dict[str, Any]:
        names = [each[row] for each in players if each[row] is not None]
        said = {name: rows.get(name)[row] for name in ("number", "score", "percentage")}
        return {"where": rows.get("where")[row] or "", "players": names, **said}

    listed: dict[tuple[str, str, str | None], list[int]] = {}
    for row, key in enumerate(zip(rows["game_id"], rows["section"], rows.get("direction"), strict=True)):
        listed.setdefault(key, []).append(row)
    lists = [
        {"where": each.where, "columns": [{**taken._asdict(), "heading": tidy(taken.head)} for taken in each.columns]}
        for each in found.lists
    ]
    told = [{**each._asdict(), "text": tidy(each.text)} for each in found.told]
    contestants = []
    for key, at in listed.items():
        seat = dict(zip(("game_id", "section", "direction"), key, strict=True))
        contestants.append({**seat, "count": len(at), "first": contestant(at[0]), "last": contestant(at[-1])})
    file = next((str(fact["source"]) for fact in draft.facts), "")
    return entry(UnderstoodEntry, found, file=file, lists=lists, told=told, contestants=contestants)


class _Table(NamedTuple):
    """A table that shows what was understood."""

    title: str
    note: str
    headings: Sequence[str]
    rows: list[list[object]]


def _tables(read: UnderstoodEntry) -> Iterator[_Table]:
    for each in read["lists"]:
        columns: list[list[object]] = [
            [column["heading"] or "(none)", column["meaning"] or "not read", column["why"]]
            for column in each["columns"]
        ]
        yield _Table(f"a list at {each['where']}", "", ("Column", "Taken for", "Why"), columns)
    if read["told"]:
        told: list[list[object]] = [
            [each["key"], each["value"], each["where"] + (f": '{each['text']}'" if each["text"] else "")]
            for each in read["told"]
        ]
        yield _Table("what it says of the game", "", ("Key", "Value", "Told in"), told)
    several = len({seen["game_id"] for seen in read["contestants"]}) > 1
    for seen in read["contestants"]:
        named = (seen["game_id"] if several else "", f"section {seen['section']}", seen["direction"])
        ends: list[list[object]] = []
        for name, one in [("first", seen["first"]), ("last", seen["last"])][: seen["count"]]:
            scores = (decimals(one[what]) if one[what] is not None else "" for what in ("score", "percentage"))
            ends.append([name, one["where"], one["number"], " - ".join(one["players"]), *scores])
        headings = ("", "Line or cell", "Number", "Players", "Score", "Percentage")
        yield _Table(", ".join(filter(None, named)), counted(seen["count"], "contestant"), headings, ends)


WRITERS: Writers[[Lint]] = Writers()

DOUBT_COLUMNS = (
    PageColumn("File", "n"),
    PageColumn("Where", "l", "Where: "),
    PageColumn("What is doubtful", "l"),
    PageColumn("What would settle it", "l", "What would settle it: "),
)
"""The columns of what is doubtful about files, on pages."""


@dataclass(frozen=True)
class Lint:
    """What is doubtful about some files, and what is wrong with those that could not be read."""

    remarks: list[Problem] = field(default_factory=list)  # what is doubtful
    problems: list[Problem] = field(default_factory=list)  # what is wrong
    provenance: Provenance = field(default_factory=Provenance)  # the files
    understood: list[UnderstoodEntry] | None = None  # what was understood of each, None where nobody asked for it


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

    for several in split_drafts(read()):
        remarks += _remarks(several)
        drafts += (draft.without_play() for draft in several)
    if len(drafts) > 1:
        remarks += among_files(together(distinct(drafts)), drafts)
    found = list(dict.fromkeys(remarks))
    provenance = Provenance(tuple(each.source for each in drafts if each.source), (), len(found))
    return Lint(found, problems, provenance, [*map(understood_of, drafts)] if understood else None)


def _remarks(drafts: Sequence[Draft]) -> Iterator[Problem]:
    """Yield what is doubtful about some files, one after the other, and of the games that can be awarded about their
    awards.
    """
    sheet = with_boards_doubted(drafts)
    found = doubts(sheet)
    every = list(sheet.games["source"].unique())

    def award(sources: Sequence[str]) -> Sequence[Problem]:
        if len(sources) == len(every):
            return award_each(sheet, found)[0].remarks
        names = [*sheet.games.loc[sheet.games["source"].isin(sources), "game_id"]]
        return award_each(keep_games(sheet, names), found.of_games(names))[0].remarks

    # There is nothing about the awards of a file that is wrong as a whole.
    of_awards = (each for remarks in by_halves(every, award, lambda *_: None, ResultprocError) for each in remarks)
    for of_file in by_file((*sheet.remarks, *found.every, *of_awards), drafts):
        yield from of_file


@WRITERS.text
def text(found: Lint) -> Iterator[str]:
    """Yield a line for each remark, below what was understood where that was asked for.

    Where a file could not be read, that comes first.
    """
    if found.problems:
        yield from (in_words(_title(found)), "")
    for read in found.understood or ():
        told = "" if read["lists"] else "; the columns are those of the format"
        yield f"{read['file']}: {read['format']}{in_words(told)}"
        for each in _tables(read):
            yield ""
            title = f"{each.title}: {each.note}" if each.note else each.title[0].upper() + each.title[1:]
            yield in_words(title)
            headings = [in_words(heading.lower()) for heading in each.headings]
            rows = [[*(in_words(str(cell)) for cell in row[:2]), *row[2:]] for row in each.rows]
            yield indent(table_as_text(headings, rows), "  ").rstrip("\n")
        yield ""
    yield from map(in_words, map(str, quoted(found.remarks)))


def _title(found: Lint) -> str:
    doubts = counted(len(found.remarks), "doubt") if found.remarks else "nothing doubtful"
    seen = found.remarks or found.provenance.sources
    return headline("Looked through", found.problems, "read", doubts if seen else "")


@WRITERS.shown
def shown(found: Lint) -> Report:
    """Return the same as one page that needs nothing else: what could not be read, and a row for each remark."""
    rows = [PageRow([each.file, each.where, each.what, each.hint]) for each in quoted(found.remarks)]
    doubtful = PageTable("doubts", "What is doubtful", DOUBT_COLUMNS, rows, sorts=False)
    understood = []
    for read in found.understood or ():
        for each in _tables(read):
            title = f"{read['file']}: {each.title}"
            first, *others = each.headings
            columns = [PageColumn(first or "Which", "k"), *(PageColumn(head, "l", f"{head}: ") for head in others)]
            name = anchors(title, fragment=True).strip("-")
            understood.append(PageTable(name, title, columns, [*map(PageRow, each.rows)], each.note, sorts=False))
    return Report(
        _title(found),
        [*([doubtful] if rows else []), *understood],
        problems=found.problems,
        provenance=found.provenance,
    )


@WRITERS.json
def to_json(found: Lint) -> LintReport:
    """Return the remarks, and what is wrong with files."""
    return entry(LintReport, found, headline=_title(found))
