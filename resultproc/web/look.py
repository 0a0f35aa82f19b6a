"""What a file is read as, what it lacks, and what it pays: all that the page of a game shows, by the same functions as
on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

import pandas as pd

from resultproc.formats.mend import FileCell, cells_at, is_told_at, places_in, row_at
from resultproc.formats.read import drafted, reader_of
from resultproc.formats.registry import Writer
from resultproc.model.arrays import row_dicts
from resultproc.model.codes import EMPTY, TOO_MUCH
from resultproc.model.draft import Draft, distinct
from resultproc.model.errors import ROWS_QUOTED, InputError, Problem, ResultprocError
from resultproc.model.file_limits import FileLimits
from resultproc.model.frames import Result, Sheet
from resultproc.model.game import league, leagues
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.language import as_it_is, as_told, in_words, problem_in_words
from resultproc.model.plugins import named, names
from resultproc.model.source import Source
from resultproc.model.text import cell_text, counted
from resultproc.model.work import within
from resultproc.pages.words import EVENTS, contestant_kind, title_of_game
from resultproc.reports.amend import WRITERS as AMENDED
from resultproc.reports.amend import amend
from resultproc.stages.doubts import AT, LIKELY_MISTAKES
from resultproc.stages.missing import MissingKey, missing
from resultproc.stages.pipeline import award_sheet, for_players, with_boards, with_boards_doubted
from resultproc.web.desk import Keys

_SHOWN = (
    "event",
    "club",
    "date",
    "session",
    "rating",
    "event_type",
    "scoring",
    "movement",
    "tables",
    "boards",
    "strata",
    "stratify_by",
    "limit",
    "rulebook",
)
"""The keys that a club game may need, in the order of the form; what else a game lacks comes first."""


_ALWAYS = ("Seat", "Players", "Score", "Percentage")
_BETWEEN = {"Players": " – ", "Holdings": " / "}
_FAMILY = re.compile("(player|mp)[0-9]+")
"""The columns with numbers that are shown of contestants."""


class KeyField(NamedTuple):
    """A field of the form: a key of a game."""

    row: int  # the row of the game
    game: str  # its id, empty where there is one game
    key: str  # the name of the key
    value: str  # what holds now, or what is proposed
    words: tuple[str, ...] = ()  # those that it may be
    asked: str = ""  # why it is needed
    said: str = ""  # where the file itself says it; empty where it can be declared
    fixed: bool = False  # whether the file says it where it is not mended here

    @property
    def options(self) -> list[tuple[str, str]]:
        """The words that it may be, each with what people say for it."""
        said = {**league().names, **EVENTS}
        return [(word, said.get(word, word)) for word in self.words]

    @property
    def name(self) -> str:
        """What it is called in the form."""
        return f"{self.row}.{self.key}"

    @property
    def label(self) -> str:
        """What people call it."""
        return _label(self.key)

    @property
    def meaning(self) -> str:
        """What it means, with an example where its words are not all listed."""
        key = KEYS[self.key]
        if self.words:
            return "" if key.meaning == ", ".join(self.words) else key.meaning.partition(":")[0]
        return f"{key.meaning}, such as {key.example}"


_HEADINGS = {
    "Seat": ("section", "direction", "number"),
    "Players": ("player", "id"),
    "Stratum": ("stratum",),
    "Holdings": ("mp",),
    "Score": ("score",),
    "Percentage": ("percentage",),
}
"""The headings that show contestants as they were read, each with its columns, whose names are without numbers."""


class SeatRow(NamedTuple):
    """A contestant as it was read: where, and what is shown of it, by its headings; empty columns are left out."""

    where: str
    cells: dict[str, str]


class Mending(NamedTuple):
    """What is wrong, with the cells or fields that mend it, and the other rows that take part in it."""

    problem: Problem
    cells: list[FileCell]
    fields: list[KeyField]
    others: list[str]


class LinkedRemark(NamedTuple):
    """What is doubtful, in words, and the rows of the file that can be looked at and mended."""

    told: str
    rows: list[str]


class Standing(NamedTuple):
    """How far a game on the desk is."""

    state: str  # ``ready`` to be saved, ``needs`` something of the user, or ``unread``
    title: str  # what it is called, and when it was; empty where that is not known
    things: int  # how many things it needs, or how many likely mistakes one has that is ready


class RowDoubt(NamedTuple):
    """What is doubtful about a row. columns: those that it is about, without their numbers."""

    told: str
    columns: frozenset[str]

    def at(self, heading: str) -> bool:
        """Say whether it is about what stands below a heading of the contestants."""
        return bool(self.columns.intersection(_HEADINGS[heading]))

    def marked(self, cells: Iterable[FileCell]) -> list[FileCell]:
        """Return the cells of the row with those marked that it is about; among several names the one that it tells."""
        cells = list(cells)
        about = [cell for cell in cells if cell.column in self.columns]
        told = [cell for cell in about if cell.column == "player" and cell.text and cell.text in self.told]
        at = {cell.at for cell in about if cell.column != "player" or cell in told or not told}
        return [cell._replace(wrong=cell.wrong or cell.at in at) for cell in cells]


@dataclass(frozen=True)
class Look:
    """A file as it was read, as far as that went: what it did not come to is None."""

    source: Source  # the file, with what is declared beside it
    draft: Draft | None = None  # what its format's reader made of it
    sheet: Sheet | None = None  # its games and contestants
    result: Result | None = None  # these with their awards
    problems: tuple[Problem, ...] = ()  # what is wrong with it
    asked: tuple[MissingKey, ...] = ()  # the keys that are missing

    @property
    def remarks(self) -> tuple[Problem, ...]:
        """What is doubtful."""
        return self.result.remarks if self.result else self.sheet.remarks if self.sheet else ()

    @property
    def prints_awards(self) -> bool:
        """Whether the file prints masterpoints, which may tell what it does not say."""
        printed = None if self.sheet is None else self.sheet.contestants.get("printed_award")
        return printed is not None and bool(printed.notna().any())

    @cached_property
    def fragment(self) -> bytes:
        """The sheet of a game that is awarded, as a part of a page."""
        return written_result(self, "html-fragment")

    def fields(self, last: Mapping[str, str]) -> Iterator[list[KeyField]]:
        """Yield the fields of each game: those that are asked for first. last: what is proposed for what is asked."""
        if self.sheet is None:
            return
        games = self.sheet.games
        said = _said_by_file(self.source)
        fixed = {where: not is_told_at(self.source, where) for where in {"", *said.values()}} | {"": False}
        for row in range(len(games)):
            id_ = str(games["game_id"].iloc[row])
            asked = self._asked_of(row, id_)
            would_mend = [key for each in self.problems if each.game in {"", id_} for key in keys_named(each)]
            of_file = [name.removeprefix(f"{id_}: ") for name in said]
            own = leagues().get(str(games["league"].iloc[row]))
            words = {"rulebook": names("rulebooks")} | ({"rating": [*filter(None, own.names)]} if own else {})

            def proposed(key: str, asked: Mapping[str, MissingKey] = asked) -> str:
                """Return the likeliest value of what is asked: last time's, where it says what no file can tell."""
                return last.get(key, "") or asked[key].proposed if key in asked else ""

            yield [
                KeyField(
                    row,
                    id_ if len(games) > 1 else "",
                    key,
                    proposed(key) if pd.isna(value := games[key].iloc[row]) else KEYS[key].shown(value),
                    tuple(words.get(key, KEYS[key].words)),
                    asked[key].what if key in asked else "",
                    where := said.get(f"{id_}: {key}") or said.get(key, ""),
                    fixed[where],
                )
                for key in dict.fromkeys([*asked, *would_mend, *_SHOWN, *(key for key in of_file if key in KEYS)])
            ]

    def _asked_of(self, row: int, id_: str) -> dict[str, MissingKey]:
        """Return what is asked of a game: what is known to be missing, then what awarding asks for besides."""
        found = {each.key: each for each in self.asked if each.row == row}
        for problem in self.problems:
            if problem.key in KEYS and problem.key not in found and problem.game in {"", id_}:
                found[problem.key] = MissingKey(row, problem.key, problem.what, KEYS[problem.key].example)
        return found

    def seats(self) -> list[SeatRow]:
        """Return the contestants as they were read."""
        if self.draft is None:
            return []
        rows = self.draft.rows
        family = {name: found[1] if (found := _FAMILY.fullmatch(name)) else name for name in rows}
        columns = {
            heading: [rows[name] for part in names for name in rows if family[name] == part]
            for heading, names in _HEADINGS.items()
        }
        shown = {
            heading: [
                _BETWEEN.get(heading, " ").join(str(value) for value in values if value not in {None, ""})
                for values in zip(*each, strict=True)
            ]
            for heading, each in columns.items()
        }
        kept = [heading for heading in _HEADINGS if heading in _ALWAYS or any(shown[heading])]
        texts = {heading: shown[heading] or [""] * len(rows) for heading in kept}
        return [
            SeatRow(str(where or ""), {heading: texts[heading][at] for heading in kept})
            for at, where in enumerate(rows.get("where"))
        ]

    def cells_of(self, problem: Problem) -> list[FileCell]:
        """Return the cells that a problem is about; none where it is in another file, such as one beside it."""
        if problem.file not in {"", self.source.name}:
            return []
        return _doubt([problem]).marked(cells_at(self.source, problem.where))

    def to_mend(self, fields: Sequence[Sequence[KeyField]]) -> list[Mending]:
        """Return what is wrong with what mends it: cells of one column with each other, then all else one by one."""
        of_column: dict[str, list[tuple[Problem, FileCell, str]]] = {}
        alone = []
        for each in self.problems:
            if each.key in KEYS:
                continue
            cells = self.cells_of(each)
            wrong = [cell for cell in cells if cell.wrong and not cell.fixed]
            if len(wrong) == 1 and not each.rows:
                whole_line = wrong[0].whole
                who = "" if whole_line else " – ".join(cell.text for cell in cells if cell.column == "player")
                of_column.setdefault("" if whole_line else wrong[0].heading, []).append((each, wrong[0], who))
            else:
                alone.append(each)
        found = []
        for heading, several in of_column.items():
            if len(several) > 1:
                what = f"{counted(len(several), 'row')} to mend" + (f": {as_it_is(heading)}" if heading else "")
                column = [
                    cell._replace(
                        heading=f"{problem.where.partition(', column')[0]}{who and f', {who}'}: {problem.what}"
                    )
                    for problem, cell, who in several
                ]
                found.append(Mending(Problem("").again(what=what), column, [], []))
            else:
                alone.append(several[0][0])
        for each in sorted(alone, key=self.problems.index):
            named = fields_named(each, fields)
            found.append(Mending(each, self.cells_of(each), named, self._others_of(each)))
        return found

    def _others_of(self, problem: Problem) -> list[str]:
        """Return the rows, other than that where it stands, that take part in what is wrong."""
        wheres = [*(where for where, _ in problem.rows), *places_in(f"{problem.what} {problem.hint}")]
        rows = dict.fromkeys(map(row_at, wheres))
        return [where for where in rows if where != row_at(problem.where) and cells_at(self.source, where)]

    def mistakes(self) -> tuple[list[LinkedRemark], list[LinkedRemark]]:
        """Return what is doubtful with the rows to look at: first likely mistakes in the file, then all else."""
        likely: list[LinkedRemark] = []
        others: list[LinkedRemark] = []
        for each in self.remarks:
            rows = [each.where] if self.cells_of(each) else []
            rows = [*rows, *self._others_of(each)][:ROWS_QUOTED]
            (likely if each.code in LIKELY_MISTAKES else others).append(
                LinkedRemark(plainly(replace(each, file="" if each.file == self.source.name else each.file)), rows)
            )
        return likely, others

    @property
    def unread(self) -> bool:
        """Whether no cell of it can be mended, as it is no list that can be read."""
        return self.draft is None and all(each.code.startswith(_UNREAD) for each in self.problems)

    def standing(self) -> Standing:
        """Return how far the game is, and what is left to do."""
        games = row_dicts(self.sheet.games) if self.sheet is not None else []
        titles = [title_of_game({str(name): value for name, value in row.items()}) for row in games]
        title = cell_text("; ".join(dict.fromkeys(filter(None, titles))))
        if self.result is not None:
            return Standing("ready", title, len(self.mistakes()[0]))
        things = len({(each.where, each.what) for each in self.problems if each.key not in KEYS})
        things += len({(field.row, field.key) for each in self.fields({}) for field in each if field.asked})
        return Standing("unread" if self.unread else "needs", title, max(things, 1))

    def doubts(self) -> dict[str, RowDoubt]:
        """Return what is doubtful about rows of the file, by where these are."""
        found: dict[str, list[Problem]] = {}
        for each in self.remarks:
            for where, what in each.rows or ((each.where, each.what),):
                if where:
                    found.setdefault(row_at(where), []).append(Problem(what, where, code=each.code))
        return {where: _doubt(problems) for where, problems in found.items()}


def look(source: Source) -> Look:
    """Return what a file is read as, and what it pays or why it pays nothing."""
    try:
        return _awarded(source, date.today())
    except _NotAwardedError as error:
        return error.seen


@lru_cache(maxsize=32)
def glance(source: Source, today: date) -> Look:
    """Return what a file is read as, as it was seen last that day: for the list of many games."""
    return look(source)


class _NotAwardedError(Exception):
    """What is not awarded, as far as it was read."""

    def __init__(self, seen: Look) -> None:
        super().__init__()
        self.seen = seen


@lru_cache(maxsize=32)
def _awarded(source: Source, today: date) -> Look:
    """Return what a file is awarded, worked out once a day, as a game of tomorrow is doubtful.

    Its page asks for it each time that it is shown. A file that is not awarded is read again: what is wrong may be in
    another file, such as a club's own rulebook; not so one that takes too much. What is asked of a file afterwards
    takes no more than it has taken here.
    """
    try:
        seen = within(FileLimits(), source.name, _looked, source)
    except InputError as error:
        seen = Look(source, problems=tuple(error.problems))
    if seen.result is None and not any(each.code == TOO_MUCH for each in seen.problems):
        raise _NotAwardedError(seen)
    return seen


def _looked(source: Source) -> Look:
    """Return what a file is read as, and what it is awarded, as far as that goes."""
    try:
        draft = drafted(source)
        sheet = with_boards_doubted(distinct([draft]))
    except ResultprocError as error:
        return Look(source, problems=tuple(error.problems))
    try:
        return Look(source, draft, sheet, award_sheet(sheet))
    except ResultprocError as error:
        return Look(source, draft, sheet, None, tuple(error.problems), tuple(missing(sheet.facts, every=True)))


class Differences(NamedTuple):
    """What differs between two versions of a file."""

    told: str  # it in words, as :command:`resultproc amend` prints it; or why it cannot be told
    comes_to: str = ""  # in short, such as ``2 pairs change``; empty where it cannot be told


def what_changed(before: Source | None, seen: Look) -> Differences | None:
    """Return what the last change of a game came to; None where its version now is not awarded.

    before: the file as it was, None where nothing was changed.
    """
    if before is None or seen.result is None:
        return None
    return _came_to(before, seen.source, tuple(used.sha256 for used in seen.result.provenance.rulebooks))


@lru_cache(maxsize=8)
def _came_to(before: Source, after: Source, tables: tuple[str, ...]) -> Differences:
    """Return what a change came to, worked out once: it takes longer than all else that a page shows.

    tables: the digests of the rulebooks' tables. A club's own rulebook may change while its games stay as they are.
    """
    try:
        found = amend(before, after, as_printed=False)
    except ResultprocError as error:
        awarded = look(before).result is not None
        return Differences(in_words(f"What it comes to is not told: {error}" if awarded else "It is awarded now."))
    told = AMENDED["text"](found).decode().strip()
    changed = sum(len(each.contestants) for each in found)
    kind = contestant_kind(found[0].game) if found else "pair"
    if changed:
        return Differences(told, f"{counted(changed, kind)} {'changes' if changed == 1 else 'change'}")
    some = any(each.changes for each in found)
    return Differences(told, "nobody's place or masterpoints change" if some else "nothing that counts differs")


def _doubt(problems: Sequence[Problem]) -> RowDoubt:
    told = "; ".join(each.what for each in problems)
    return RowDoubt(told, frozenset(column for each in problems for column in AT.get(each.code, ())))


def plainly(problem: Problem) -> str:
    """Return what is wrong as a page tells it, without what a file would declare; a key as its field is called."""
    hint = "" if _SYNTAX.search(problem.hint) else problem.hint.partition("; or declare ")[0]
    said = problem_in_words(problem.again(hint=hint, lines=""))
    listed = _LISTED.match(problem.what)
    what = said.what
    first = listed[0] if listed and what.startswith(_WORD.findall(listed[0])[0]) else ""
    keys = [*_WORD.findall(first), *(key for key in _WORD.findall(problem.what) if "_" in key)]
    for key in dict.fromkeys(each for each in keys if each in KEYS):
        what = re.sub(rf"\b{key}\b", in_words(f"“{_label(key)}”"), what)
    return as_told(problem.again(hint=hint, lines="", what=as_it_is(what)))


def _label(key: str) -> str:
    # As the club's settings call it, which ask the same.
    return "The holdings of a pair are" if key == "stratify_by" else key.replace("_", " ").capitalize()


def keys_named(problem: Problem) -> list[str]:
    """Return the keys of a game that a problem which is at no row is about, or that would mend it."""
    if problem.where and _ROW.match(problem.where):
        return []
    named = [*_ABOUT.findall(problem.what), *(one or other for one, other in _DECLARE.findall(problem.hint))]
    return [key for key in dict.fromkeys(named) if key in KEYS]


def fields_named(problem: Problem, fields: Iterable[Iterable[KeyField]]) -> list[KeyField]:
    """Return the fields of the keys that would mend a problem."""
    named, every = keys_named(problem), (each for game in fields for each in game)
    return [each for each in every if each.key in named and (not each.game or problem.game in {"", each.game})]


def written_result(seen: Look, format: str) -> bytes:
    """Return what the command line writes of a game that is awarded, in a format."""
    assert seen.result is not None
    writer: Writer = named("writers", format)
    result = with_boards(seen.result, [seen.source]) if writer.boards else seen.result
    return writer.write(for_players(result) if writer.page else result)


_UNREAD = ("format.", "file.", EMPTY, "machine.")
"""How the codes of problems begin that no cell can be mended for."""

_ABOUT = re.compile("^([a-z_]+)(?:: | is declared)")
_DECLARE = re.compile(r"\b(?:declare|correct) ([a-z_]+)|\b([a-z_]+) = ")
"""How a message names a key that it is about, and one that would mend it."""

_LISTED = re.compile("[a-z_]+(?:(?:, | and )[a-z_]+)* (?:is|are) (?:not )?declared|[a-z_]+: ")
_WORD = re.compile("[a-z_]+")
"""What a message says of keys at its beginning, and their names in it."""

_SYNTAX = re.compile(r"^(?:or |[^:;]+, )?declare |^write [a-z_]+$|\b[a-z_]+ ?= ?['\"\w]|^[^,]*: *\n|# [a-z_]+: ")
"""What would be right as a file has it, which is no hint for somebody who has a form."""

_ROW = re.compile("line |sheet ")


AS_LAST_TIME = ("rating", "event_type", "strata", "stratify_by", "boards")
"""What is the same in most of a club's games."""


def _said_by_file(source: Source) -> dict[str, str]:
    """Return where the file itself declares keys: what is declared beside it does not change these."""
    reading = reader_of(source, None).read(source)
    said = {key: each.where or "the file" for key, each in reading.declared.items()}
    for game, keys in reading.each.items():
        said |= {f"{game}: {key}": each.where or "the file" for key, each in keys.items()}
    return {**said, **dict.fromkeys(reading.settled, "the file")}


def declared_in_form(fields: Iterable[KeyField], given: Keys, form: dict[str, str]) -> tuple[Keys, dict[str, str]]:
    """Return what a form declares beside a file, with what was before, and what the file is to say, by its places.

    form: the values by the names of the fields, ``given`` what was declared.

    A field that is left as it was changes nothing, and one that is emptied takes a declaration away. Raises InputError
    for what cannot be declared.
    """
    keys = {game: dict(values) for game, values in given.items()}
    told: dict[str, str] = {}
    wrong = []
    for field in fields:
        value = form.get(field.name, "").strip()
        # What is proposed holds only once it is declared.
        if field.fixed or (value == field.value and not field.asked):
            continue
        try:
            normal = declared_value(field.key, value) if value else ""
        except ValueError as error:
            wrong.append(f"{field.label}: {error}")
            continue
        if field.said:
            told[field.said] = normal
            continue
        for values in (keys.get("", {}), keys.setdefault(field.game, {})):
            values.pop(field.key, None)
        if normal:
            keys[field.game][field.key] = normal
    if wrong:
        raise InputError(map(Problem, wrong))
    return keys, told
