"""Excel workbooks: sheets of contestants, and what is declared of the game in a sheet ``Game``.

Every sheet is read that has a header row of contestants (as of CSV, see :mod:`resultproc.tables.rows`), but
for those whose name begins with #; others are kept out with a remark. What may be above the header is in
:mod:`resultproc.tables.titles`; where there is a sheet ``Game`` or ``Games`` these are mere headings. A sheet
that has no columns section and direction may tell them by its name: ``A N-S``, ``Section B``. ``Game`` has a key and
its value in each row, ``Games`` has a row for each of several games, below the keys. The computed values of formulas
are read; the formulas of our own percentages are computed. A workbook as this package writes it has all results in its
sheet ``Data``, and no other of contestants is read.

On bad input: FormatError for a file that is no workbook, is damaged or locked, or would take more room than any
results do; InputError that lists every wrong header and cell.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import BytesIO, StringIO
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from resultproc.formats.xlsx import MAX_UNPACKED
from resultproc.formats.xlsx.parts import DATA, DECLARING, SEAL, check_parts, is_changed, marked_sums
from resultproc.formats.xlsx.sheet_cells import (
    SAVE_WORD_DOCUMENT,
    WORD_DOCUMENT,
    cell_place,
    computed,
    is_other,
    sheets_of_other,
    text_of_value,
)
from resultproc.model.codes import DECLARES_NOTHING, EMPTY, PASSED_OVER, UNKNOWN, UNREADABLE
from resultproc.model.column_names import meanings_of
from resultproc.model.dates import date_in_name
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import ALIKE, DeclarationError, FormatError, InputError, Problem, ResultprocError
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.keys import KEYS
from resultproc.model.source import Declaration, Source
from resultproc.model.text import tidy
from resultproc.model.understood import joined_understood, told_seats
from resultproc.tables.from_rows import table_of
from resultproc.tables.headings import headings_of, is_table, misspelt
from resultproc.tables.heads import RANKING_COLUMNS, is_head, with_whole_names
from resultproc.tables.list_columns import table_columns
from resultproc.tables.lists import are_boards, listings
from resultproc.tables.rows import Table, read_sheet
from resultproc.tables.seats import seats_of_sheet, seats_told_by
from resultproc.tables.titles import Above, header_at, joined_above, key_name, named_day
from resultproc.tables.told import above_of, day_in

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MAX_RATIO = 200
"""No results workbook shrinks more than this in being packed, unless it is small."""

MAX_CELLS = 20_000_000
"""Nor does it reach over more cells, empty ones included."""

MAX_NAME = 16_384
"""Nor does it define names longer than this: Excel's formulas end at 8,192 characters."""

LAST_ROW = 1_048_576
"""The last row that Excel has in a sheet."""

_SAVE_AGAIN = "save it again as an Excel workbook (.xlsx)"


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    data = source.data
    every, unseen = sheets_in(data)
    _refuse_uncalculated(every)
    sheets, changed = _for_reading(every)
    declaring = {title.casefold(): rows for title, rows in sheets.items() if title.casefold() in DECLARING}
    # What our own workbooks have above their tables is what their other sheets declare.
    known = {source.stem, *(cell.text for rows in declaring.values() for row in rows for cell in row.cells)}
    listed, out = _select_sheets(sheets)
    problems: list[Problem] = []
    tables: list[tuple[Above, Table]] = []
    titles: list[str] = []
    for title, rows in listed.items():
        with _collected(problems):
            tables.append(_table(title, rows, known))
            titles.append(title)
    if problems:
        _refuse_games(titles, [table for _, table in tables])
        boards = [] if tables else [title for title, rows in listed.items() if are_boards(rows)]
        if boards:
            what = f"these are results of boards: the sheet '{boards[0]}' has a row for each time that one was played"
            raise FormatError(what, hint="give the list of the contestants, with the score or percentage of each")
    declared: dict[str, Declaration] = {}
    each: dict[str, dict[str, Declaration]] = {}
    with _collected(problems):
        declared = _game(declaring.get("game", []))
    with _collected(problems):
        each = _games(declaring["games"]) if declaring.get("games") else {}
    if problems:
        raise InputError(problems)
    if not tables:
        raise FormatError("no header row and no contestants found", code=EMPTY)
    evenings = {} if "games" in declaring else _evenings(source.stem, titles, tables)
    if evenings:
        what = "this sheet has no date, and those of several evenings have: it is not read"
        hint = "write its date above it"
        dated = [table for listed in evenings.values() for table in listed]
        lacking = [title for title, table in zip(titles, tables, strict=True) if table not in dated]
        out += [Problem(what, f"sheet '{title}'", hint, code=PASSED_OVER) for title in lacking]
        tables = dated
    above = {game: joined_above([each for each, _ in listed]) for game, listed in evenings.items()}
    said = joined_above([] if "games" in declaring or evenings else [above for above, _ in tables])
    if declaring:
        said.facts.pop("event", None)
    for game, listed_there in evenings.items():
        for _, table in listed_there:
            table.contestants.fill("game_id", game)
    contestants = Records.joined([table.contestants for _, table in tables])
    empty = [
        Problem("this sheet is empty: it declares nothing", f"sheet '{title}'", code=DECLARES_NOTHING)
        for title in sheets
        if title.casefold() in DECLARING and not sheets[title]
    ]
    remarks = [
        *unseen,
        *changed,
        *out,
        *empty,
        *(remark for each_above in (said, *above.values()) for remark in each_above.remarks),
        *(remark for _, table in tables for remark in table.remarks),
    ]
    told = [each_told for each_above in (said, *above.values()) for each_told in each_above.told]
    understood = joined_understood(told, *(table.understood for _, table in tables))
    aside = [] if declaring or evenings else [rows for title, rows in sheets.items() if rows and title not in listed]
    beside = above_of([row for rows in aside if len(rows) <= _MOST_NOTES for row in rows], "").facts
    beside = {key: beside[key] for key in ("date", "boards", "tables", "movement") if key in beside}
    facts = {
        **named_day(source.stem),
        **beside,
        **{k: v for _, table in tables for k, v in table.facts.items()},
        **said.facts,
    }
    of_each = [{"game_id": game, **each_above.facts} for game, each_above in above.items()]
    sheet = sheet_of(source, contestants, of_each or facts, remarks, understood)
    of_games = {game: each_above.declared for game, each_above in above.items() if each_above.declared}
    return Reading(sheet, said.declared | declared, each=said.each | of_games | each)


_MOST_NOTES = 12
"""A sheet of notes on the game, which may tell what is not said above its list, has no more rows."""


def _evenings(
    stem: str, titles: Sequence[str], tables: Sequence[tuple[Above, Table]]
) -> dict[str, list[tuple[Above, Table]]]:
    """Return the tables of each game of a workbook whose sheets are of several days; nothing for other workbooks.

    titles: of the sheets, which may tell the day where nothing above a table does. Games are named after their days.
    """
    games: dict[str, list[tuple[Above, Table]]] = {}
    for title, (above, table) in zip(titles, tables, strict=True):
        said = above.declared.get("date")
        day = day_in(title) or date_in_name(title)
        day = day_in(str(said.value)) if said else str(above.facts.get("date", ""))[:10] or day
        if "game_id" in table.contestants:
            return {}
        if day:
            above.facts.setdefault("date", KEYS["date"].held(day))
            games.setdefault(f"{stem}-{day}", []).append((above, table))
    return games if len(games) > 1 else {}


def _for_reading(sheets: dict[str, list[Row]]) -> tuple[dict[str, list[Row]], list[Problem]]:
    """Return the sheets that are read, and remarks on those that somebody changed in vain.

    In a workbook of our own these are ``Data``, without the text that marks it as ours, and what is declared.
    """
    first, *rows = sheets.get(DATA) or [Row((), "")]
    known = marked_sums(first.texts[0]) if first.texts else None
    if known is None:
        return sheets, []
    kept = {DATA: rows} | {title: each for title, each in sheets.items() if title.casefold() in DECLARING}
    what = "this sheet was changed, and is not read: it is for print"
    hint = f"correct the sheet '{DATA}', which is hidden"
    printed = {title: (cell.text for row in each for cell in row.cells) for title, each in sheets.items()}
    changed = [title for title, texts in printed.items() if title not in {*kept, SEAL} and is_changed(texts, known)]
    return kept, [Problem(what, f"sheet '{title}'", hint, code=PASSED_OVER) for title in changed]


def _refuse_uncalculated(sheets: Mapping[str, Sequence[Row]]) -> None:
    """Raise FormatError for a workbook whose formulas no program has calculated; single ones are told cell by cell."""
    cells = (cell for title, rows in sheets.items() if not title.startswith("#") for row in rows for cell in row.cells)
    lacking = [cell.where for cell in cells if cell.fault == _UNCALCULATED]
    if len(lacking) > ALIKE:
        what = f"{len(lacking)} formulas have no computed values: no spreadsheet program has saved this workbook since"
        hint = "open it in Excel or LibreOffice Calc, save it there, and try again"
        raise FormatError(what, lacking[0], hint)


def texts_of(sheet: Worksheet) -> Iterator[str]:
    """Yield the texts of a sheet as they are read from its file."""
    for row in sheet.iter_rows():
        yield from (_cell_text(cell) for cell in row if cell.value is not None)


@contextmanager
def _collected(problems: list[Problem]) -> Iterator[None]:
    """Add what is wrong to the problems, and go on."""
    try:
        yield
    except InputError as error:
        problems += error.problems


def _select_sheets(sheets: Mapping[str, Sequence[Row]]) -> tuple[dict[str, Sequence[Row]], list[Problem]]:
    """Return the sheets of contestants, and the remarks on those that are kept out for having no table of results."""
    listed = {
        title: rows
        for title, rows in sheets.items()
        if rows and not title.startswith("#") and title.casefold() not in DECLARING
    }
    tables = {title for title, rows in listed.items() if _has_table(rows)}
    if not tables:
        return listed, []
    kept = {title: rows for title, rows in listed.items() if seats_told_by(title) or title in tables}
    what, hint = "this sheet is not read", "it has no header row with columns such as Pair, Names and %"
    return kept, [Problem(what, f"sheet '{title}'", hint, code=PASSED_OVER) for title in listed if title not in kept]


def _has_table(rows: Sequence[Row]) -> bool:
    rows = list(with_whole_names(rows))
    top = header_at(rows)
    return (top is not None and is_table(rows[top])) or (any(map(is_head, rows)) and bool(listings(rows)[0]))


def checked(data: bytes) -> bool:
    """Refuse a file that is not a sound workbook, before it is parsed; say whether there are formulas in it."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            _check_parts(archive, len(data))
            formulas = [_has_formula(part.filename, archive.read(part)) for part in archive.infolist()]
            return any(formulas)
    except FormatError:
        raise
    except Exception:  # zipfile and zlib raise half a dozen kinds for damaged files
        raise FormatError("the workbook is damaged or cut off", hint="copy the file again, or " + _SAVE_AGAIN) from None


def _check_parts(archive: ZipFile, packed: int) -> None:
    parts = archive.infolist()
    names = {part.filename for part in parts}
    if any(name.startswith("word/") for name in names):
        raise FormatError(f"this is {WORD_DOCUMENT} (.docx)", hint=SAVE_WORD_DOCUMENT, code=UNKNOWN)
    if not any(name.startswith("xl/") for name in names):
        raise FormatError("this is not an Excel workbook", hint=_SAVE_AGAIN, code=UNKNOWN)
    if any(part.flag_bits & 1 for part in parts):
        raise FormatError("the workbook is locked with a password", hint="save it without a password")
    # zipfile reads no more of a part than the size that is stated, so the sum of them holds.
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED or unpacked > max(MAX_RATIO * packed, 1024 * 1024):
        raise FormatError(
            f"the workbook would unpack to {unpacked // 1024**2} MB", hint="results files are far smaller"
        )
    if any(part.compress_type not in {ZIP_STORED, ZIP_DEFLATED} for part in parts):
        raise FormatError("the workbook is compressed in a way that Excel does not use", hint=_SAVE_AGAIN)


def _has_formula(name: str, part: bytes) -> bool:
    """Say whether a part of a workbook holds formulas; refuse one that declares XML entities, or absurd names."""
    if name == "xl/workbook.xml" and max(map(len, re.split(b"[<>]", part))) > MAX_NAME:
        # Excel could not have written it, and the library takes minutes for it.
        raise FormatError("the workbook defines a name of absurd length", hint=_SAVE_AGAIN)
    # A workbook never has a document type. With it goes all that can be done to a parser by entities.
    if any("<!DOCTYPE".encode(code) in part for code in ("ascii", "utf-16-le", "utf-16-be")):
        raise FormatError("the workbook declares XML entities, which no spreadsheet program writes", hint=_SAVE_AGAIN)
    return re.search(rb"<(\w+:)?f[\s/>]", part) is not None


def sheets_in(data: bytes) -> tuple[dict[str, list[Row]], list[Problem]]:
    """Return the rows of every sheet that have any text, by the sheet's name, and what cannot be seen of them.

    data: a workbook of any kind. Raises FormatError for what is no sound one.
    """
    if is_other(data):
        return sheets_of_other(data)
    return {title: rows() for title, rows in rows_by_sheet(data).items()}, []


def rows_by_sheet(data: bytes) -> dict[str, Callable[[], list[Row]]]:
    """Return what gives the rows of each sheet of a ``.xlsx`` that have any text, once, by the sheet's name.

    Raises FormatError for what is no sound workbook.
    """
    from openpyxl import load_workbook

    has_formulas = checked(data)
    with errors_of_openpyxl(), ZipFile(BytesIO(data)) as archive:
        check_parts(archive)
    load = partial(load_workbook, read_only=True, keep_links=False)
    room = iter(range(MAX_CELLS))
    with errors_of_openpyxl():
        values = load(BytesIO(data), data_only=True)
        formulas = load(BytesIO(data)) if has_formulas else None

    def rows(sheet: Any) -> list[Row]:
        with errors_of_openpyxl():
            found = _rows(sheet, formulas[sheet.title] if formulas else None, room)
            return _as_shown(sheet, list(found))

    return {sheet.title: partial(rows, sheet) for sheet in values.worksheets}


@contextmanager
def errors_of_openpyxl() -> Iterator[None]:
    """Turn what the library raises into FormatError, and let it print nothing of what it finds wrong."""
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")  # of styles and extensions that are not needed here
            yield
    except ResultprocError:
        raise
    except ValueError as error:  # says what is wrong with a value of the file
        what = f"the workbook cannot be read: {tidy(str(error))[:200]}"
        raise FormatError(what, hint=_SAVE_AGAIN) from None
    except Exception:  # openpyxl raises all sorts for workbooks that do not follow the standard
        raise FormatError("the workbook cannot be read: it does not follow the standard", hint=_SAVE_AGAIN) from None


def _rows(sheet: Any, formulas: Any, room: Iterator[int]) -> Iterator[Row]:
    """Yield the rows of a sheet that have any text; take every row and cell passed from the room that is left."""
    for each in filter(None, (sheet, formulas)):
        each.reset_dimensions()  # they are a mere claim, and may be absurd
    beside = formulas.iter_rows() if formulas else repeat(())
    lines = any(font.strike for font in sheet.parent._fonts)
    last = 0
    for number, (cells, asked) in enumerate(zip(sheet.iter_rows(), beside, strict=False), 1):
        if number > LAST_ROW or sum(1 for _ in islice(room, len(cells) + 1)) <= len(cells):
            raise FormatError(f"sheet '{sheet.title}' has millions of cells", hint="results files are far smaller")
        if not cells:  # as in the gaps between rows, which may be long
            continue
        found = [_cell(cell, sheet.title, number, i) for i, cell in enumerate(cells)]
        for i, formula in enumerate(asked[: len(found)]):
            if formula.data_type == "f":
                found[i] = _of_formula(str(formula.value), found, i, cells[i], cell_place(sheet.title, number, i))
        struck = [bool(cell.font.strike) for cell in cells if cell.value is not None] if lines else [False]
        row = Row(
            found,
            f"sheet '{sheet.title}', row {number}",
            after_gap=0 < last < number - 1,
            struck_out=all(struck),
            struck_in_part=any(struck) and not all(struck),
        )
        if row.texts:
            last = number
            yield row


def _as_shown(sheet: Any, rows: list[Row]) -> list[Row]:
    """Return the rows of a sheet with those marked that it does not show."""
    part = sheet.parent._archive.read(str(sheet._worksheet_path).lstrip("/"))
    numbers = {int(found[1]) for tag in _HIDDEN.findall(part) if (found := _NUMBER.search(tag))}
    hidden = {f"sheet '{sheet.title}', row {number}" for number in numbers}
    return [row._replace(hidden=True) if row.where in hidden else row for row in rows] if hidden else rows


_HIDDEN = re.compile(rb"""<(?:\w+:)?row\b[^>]*?\shidden=["'](?:1|true)["'][^>]*>""")
_NUMBER = re.compile(rb"""\sr=["']([0-9]{1,7})["']""")


def _of_formula(formula: str, row: Sequence[Cell], at: int, cell: Any, where: str) -> Cell:
    """Return the cell of a formula, one of its row: its computed value; of our own formulas what they give now."""
    value = computed(formula, row)
    if value is not None:
        return Cell(value, where)
    if cell.value is None and cell.data_type == "n":
        return Cell("=", where, _UNCALCULATED)
    return row[at]


_UNCALCULATED = "the formula has no computed value; open the workbook in Excel and save it, or write the value"


def _cell(cell: Any, title: str, row: int, column: int) -> Cell:
    if cell.value is None:
        return _EMPTY
    text = _cell_text(cell)
    fault = f"the cell shows the error {text}" if cell.data_type == "e" else ""
    return Cell(text, cell_place(title, row, column), fault)


_EMPTY = Cell("", "")


def _cell_text(cell: Any) -> str:
    """Return what a cell holds as text: a date as 2012-04-18, a percentage with its sign."""
    from openpyxl.utils.escape import unescape

    value = cell.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "%" in _LITERAL.sub("", cell.number_format):
            return f"{round(value * 100, 10):.15g}%"
        return repr(float(value)).removesuffix(".0")
    return unescape(text_of_value(value)).strip()


_LITERAL = re.compile(r'"[^"]*"|[\\_*].')
"""What a number's format shows as it stands: a percent sign there does not multiply by a hundred."""


def _refuse_games(titles: Sequence[str], tables: Sequence[Table]) -> None:
    """Raise FormatError where several sheets list the same contestants, as those of several games or sessions do."""
    sheets: dict[str, list[str]] = {}
    for title, table in zip(titles, tables, strict=True):
        for player in set(table.contestants.get("player1")) - {None}:
            sheets.setdefault(str(player), []).append(f"'{title}'")
    several = max(sheets.values(), key=len, default=[])
    if len(several) > 1:
        raise FormatError(
            f"the sheets {', '.join(several)} list the same contestants, as of several games or sessions",
            hint=f"make a workbook of each, or rename those to leave out, such as '#{titles[0]}'",
        )


def _lacks_scores(header: Row) -> bool:
    """Say whether a header has columns of other things, such as addresses, and none of scores."""
    headings = headings_of(header)
    others = [cell for cell in headings.unknown if not misspelt(cell, headings.columns)]
    return bool(others) and not any(meanings_of(text) & {*RANKING_COLUMNS} for text in header.texts)


def _table(title: str, rows: Sequence[Row], known: Container[str]) -> tuple[Above, Table]:
    """Return what a sheet says above its table, except for texts that are known, and the contestants."""
    rows = list(with_whole_names(rows))
    top = header_at(rows)
    columns = None if top is None else table_columns(rows[top], rows[top + 1 :], exact=title == DATA)
    if columns is None and (found := table_of(rows, "", known)):
        above, table = found
        seats = {name: text for name, text in seats_of_sheet(title).items() if name not in table.contestants}
        for name, text in seats.items():
            table.contestants.fill(name, text)
        return above, _named(title, table)
    ranks = columns is not None and not {"score", "percentage"}.isdisjoint(columns.columns)
    if top is not None and not ranks and _lacks_scores(rows[top]):
        raise FormatError(
            "this sheet has no column of scores",
            rows[top].where,
            "a list of results has a score or percentage for each contestant; "
            f"a sheet of members or dates is left out if it is renamed to '#{title}'",
        )
    if top is None:
        raise FormatError(
            "this sheet has no header row with columns such as Pair, Names and %",
            f"sheet '{title}'",
            f"rename it to '#{title}' to leave it out",
        )
    above = Above.of(row for row in rows[:top] if row.texts[0] not in known)
    below, seats = rows[top + 1 :], seats_of_sheet(title)
    return above, _named(title, read_sheet(rows[top], below, above.seats, seats, columns, exact=title == DATA))


def _named(title: str, table: Table) -> Table:
    """Return a table with what the name of its sheet tells, as far as its contestants agree with that."""
    seats = {name: text for name, text in seats_told_by(title).items() if set(table.contestants[name]) == {text}}
    told = (*told_seats(seats, f"sheet '{title}'", title), *table.understood.told)
    return table._replace(understood=table.understood._replace(told=told))


def _key(cell: Cell) -> str:
    return key_name(tidy(cell.text))


def _declaration(name: str, key: Cell, value: Cell) -> Declaration:
    if value.fault:
        raise DeclarationError(value.fault, value.where, code=UNREADABLE)
    return Declaration(value.text, value.where if name in KEYS else key.where)


def _game(rows: Sequence[Row]) -> dict[str, Declaration]:
    """Return what a sheet of a key and its value in each row declares; keys without a value are passed over."""
    declared: dict[str, Declaration] = {}
    for row in rows:
        key, value, *more = [*row.cells, _EMPTY, _EMPTY]
        name = _key(key)
        beyond = next((cell for cell in more if cell.text), None)
        if beyond is not None:
            raise DeclarationError(f"'{beyond.text}' is beside the value of a key", beyond.where, "delete it")
        if not value.text or row.is_remark or (name, _key(value)) == ("key", "value"):
            continue
        if name in declared:
            raise DeclarationError(
                f"the key '{name}' appears twice, first in {declared[name].where}", key.where, "keep one of them"
            )
        declared[name] = _declaration(name, key, value)
    return declared


def _games(rows: Sequence[Row]) -> dict[str, dict[str, Declaration]]:
    """Return what a sheet of a row for each game, below the keys, declares."""
    each: dict[str, dict[str, Declaration]] = {}
    header, *body = rows
    names = [_key(cell) for cell in header.cells]
    if "game_id" not in names:
        raise DeclarationError("the column 'game_id' is missing", header.where, "name each game in its row")
    at = names.index("game_id")
    for row in body:
        cells = dict(enumerate(row.cells))
        game = cells.pop(at, _EMPTY)
        if not game.text or game.text in each:
            what = f"the game '{game.text}' appears twice" if game.text else "this row names no game"
            raise DeclarationError(what, row.where, "name each game in its row")
        values = {i: cell for i, cell in cells.items() if cell.text}
        if any(i >= len(names) or not names[i] for i in values):
            raise DeclarationError(
                "this row has a value in a column without a header", row.where, "write its key in the header"
            )
        each[tidy(game.text)] = {names[i]: _declaration(names[i], header.cells[i], cell) for i, cell in values.items()}
    return each
