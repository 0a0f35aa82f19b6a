"""Excel: a summary and a sheet for every section, for print, and hidden behind them the sheets ``Data`` and ``Game``.

It reads back through :mod:`resultproc.formats.xlsx.reader`, from these two alone. Several games have a sheet ``Games``
instead, a row for each. Texts are written as texts, never as formulas, and unchanged. The same games give the same
bytes.
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from resultproc.formats.registry import Writer
from resultproc.formats.xlsx.parts import DATA, SEAL, sheet_mark
from resultproc.formats.xlsx.reader import texts_of
from resultproc.formats.xlsx.sealed import unseal, write_seal
from resultproc.formats.xlsx.sheet_cells import formula, maximums, number_or_text
from resultproc.model.arrays import row_dicts
from resultproc.model.frames import CONTESTANTS, FrameRow, Result
from resultproc.model.game import EventType
from resultproc.model.keys import KEYS
from resultproc.model.language import in_words
from resultproc.model.places import ranks_in, ranks_text
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.text import cell_text
from resultproc.pages.annotated import annotated, cell_as_text, game_keys, names_games, shown_contestants
from resultproc.pages.matches import brackets, courses
from resultproc.pages.recap import grids
from resultproc.pages.workbook import CellValue, count_in_digits, put, saved, set_widths

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_NUMBERS = {EventType.INDIVIDUAL: "No", EventType.PAIRS: "Pair"}
"""What a contestant's number is called; for teams, Team."""


def write(result: Result, *, recap: bool = False) -> bytes:
    """Return the games as a workbook. recap: whether it has the grids of contestants by boards, too."""
    from openpyxl import Workbook

    from resultproc.formats.xlsx.grids import write_recap
    from resultproc.formats.xlsx.wall import WALL_BASES, wall_ranks, write_section, write_summary_sheet

    workbook = Workbook()
    count_in_digits(workbook)
    workbook.remove(workbook.worksheets[0])
    games = row_dicts(result.games)
    frame = annotated(result)
    known = wall_ranks(result, frame)
    of_game = dict(list(frame.groupby("game_id", sort=False)))
    listed = [(game, of_game[game["game_id"]]) for game in games if game["game_id"] in of_game]
    if any(each.places[basis] for each in known.values() for basis in WALL_BASES):
        summary = workbook.create_sheet(in_words("Summary"))
        if not write_summary_sheet(summary, listed, known):
            workbook.remove(summary)
    for number, (game, rows) in enumerate(listed, 1):
        for section, each in rows.groupby("section", sort=False):
            words = [str(section)] if len(games) == 1 else [str(number), str(section)]
            write_section(workbook.create_sheet(_title(workbook, words)), game, str(section), each, known)
        _write_matches(workbook, game, [str(number)] if len(games) > 1 else [], rows)
    for grid in grids(result) if recap else ():
        words = [in_words("Recap"), *([str(grid.game + 1)] if len(games) > 1 else []), grid.title]
        write_recap(workbook.create_sheet(_title(workbook, words)), games[grid.game], grid)
    texts = [list(texts_of(sheet)) for sheet in workbook.worksheets]
    formulas = _write_data(workbook.create_sheet(DATA), result, frame, sheet_mark(texts))
    if names_games(result.games):
        _write_games(workbook.create_sheet("Games"), games)
    else:
        _write_game(workbook.create_sheet("Game"), games[0], result.provenance.line())
    if result.seal:
        write_seal(workbook.create_sheet(SEAL), result.seal)
    for sheet in workbook.worksheets[len(texts) :]:
        sheet.sheet_state = "hidden"  # what is hidden is not printed
    workbook.properties.description = result.provenance.line()
    return saved(workbook, {len(texts) + 1: formulas})


def _write_matches(workbook: Workbook, game: FrameRow, number: list[str], rows: pd.DataFrame) -> None:
    """Write the sheets of whom teams met: the rounds of Swiss teams, the brackets of a knockout."""
    from resultproc.formats.xlsx.grids import write_bracket, write_rounds

    played = courses(rows)
    if played:
        write_rounds(workbook.create_sheet(_title(workbook, [in_words("Rounds"), *number])), game, rows, played)
    if game["event_type"] == EventType.KNOCKOUT:
        for section, rounds in brackets(rows).items():
            sheet = workbook.create_sheet(_title(workbook, [in_words("Bracket"), *number, section]))
            write_bracket(sheet, game, section, rounds)


_LONGEST_TITLE = 31
"""How many letters a sheet's name may have in Excel."""


def _title(workbook: Workbook, words: list[str]) -> str:
    """Return a name for a sheet that Excel allows and the workbook does not have yet."""
    plain = re.sub(r"[\\/*?:\[\]'#]", "-", cell_text(" ".join(words)))
    taken = {
        name.casefold()
        for name in [*workbook.sheetnames, "Summary", in_words("Summary"), DATA, SEAL, "Game", "Games", "History"]
    }
    numbered = ["", *(f" ({number})" for number in range(2, len(taken) + 3))]
    titles = (plain[: _LONGEST_TITLE - len(number)] + number for number in numbered)
    return next(title for title in titles if title.casefold() not in taken)


def _write_data(sheet: Worksheet, result: Result, frame: pd.DataFrame, first: str) -> dict[str, str]:
    """Write the sheet that is read again: a table of the annotated contestants, below the text that says so.

    Return the formulas of its percentages by their cells. A sealed workbook has none: what it shows is not to change.
    """
    from openpyxl.styles import Font

    put(sheet.cell(1, 1), first)
    rows = shown_contestants(frame, result.games)
    columns = _columns(result.games, rows)
    for i, (header, values) in enumerate(columns.items(), 1):
        put(sheet.cell(_HEADER, i), header).font = Font(bold=True)
        for j, value in enumerate(values, _HEADER + 1):
            if value != "":
                put(sheet.cell(j, i), value)
    longest = [max(len(f"{v:.2f}" if isinstance(v, float) else str(v)) for v in [h, *vs]) for h, vs in columns.items()]
    set_widths(sheet, [min(max(width + 2, 7), 40) for width in longest])
    sheet.freeze_panes = sheet.cell(_HEADER + 1, 1).coordinate
    return {} if result.seal else _formulas(sheet, list(columns), rows)


def _formulas(sheet: Worksheet, headers: list[str], rows: pd.DataFrame) -> dict[str, str]:
    """Return the formula of each percentage that follows from the score, by its cell."""
    score, percentage = (
        headers.index(column_heading(name)) + 1 if name in rows else 0 for name in ("score", "percentage")
    )
    return {
        sheet.cell(row, percentage).coordinate: formula(sheet.cell(row, score).coordinate, *maximum)
        for row, maximum in enumerate(maximums(rows), _HEADER + 1)
        if maximum
    }


_HEADER = 3
"""The row of the header in the sheet that is read again."""


def _columns(games: pd.DataFrame, rows: pd.DataFrame) -> dict[str, list[CellValue]]:
    """Return the columns of a table of contestants by their headers; '' stands for an empty cell."""
    kinds = games["event_type"].fillna(EventType.PAIRS.value).unique()
    called = _NUMBERS.get(EventType(kinds[0]), "Team") if len(kinds) == 1 else "number"
    columns: dict[str, list[CellValue]] = {}
    for name in rows.columns:
        if CONTESTANTS.declared(name).per_stratum:
            columns |= _ranks(name, rows[name])
        elif name == "number":
            columns[called] = [number_or_text(value) for value in rows[name]]
        else:
            columns[column_heading(name)] = [_cell_value(name, value) for value in rows[name]]
    return columns


def column_heading(name: str) -> str:
    """Return the heading of a column, such as ``Player 1``."""
    column = CONTESTANTS.declared(name)
    return f"{column.heading} {name.removeprefix(column.family)}".strip()


def _cell_value(name: str, value: Any) -> CellValue:
    text, number = cell_as_text(name, value), CONTESTANTS.declared(name).kind.number
    return number(text) if text and number else text


def _ranks(name: str, texts: pd.Series[str]) -> dict[str, list[CellValue]]:
    """Return a column of ranks for each stratum; a single one where the texts are not ranks by strata."""
    ranks = [ranks_in(text) for text in texts.fillna("")]
    letters = sorted({letter for each in ranks for letter in each})
    joined = [ranks_text({letter: each[letter] for letter in letters if letter in each}) for each in ranks]
    if joined != list(texts.fillna("")):
        return {column_heading(name): [_cell_value(name, text) for text in texts]}
    heading = CONTESTANTS.declared(name).per_stratum
    return {f"{heading} {letter}": [number_or_text(each.get(letter, "")) for each in ranks] for letter in letters}


def _declared(game: FrameRow) -> dict[str, CellValue | date]:
    """Return what is declared of a game as the values of cells."""
    values: dict[str, CellValue | date] = {name: number_or_text(text) for name, text in game_keys(game).items()}
    if "date" in values and game["date"].year > 1900:  # Excel knows no dates before
        values["date"] = game["date"].date()
    return values


def _write_game(sheet: Worksheet, game: FrameRow, provenance: str) -> None:
    """Write what is declared of the only game, and where it all comes from: a key and its value in each row."""
    from openpyxl.styles import Alignment, Font

    for i, (name, value) in enumerate([*_declared(game).items(), (PROVENANCE_KEY, provenance)], 1):
        put(sheet.cell(i, 1), name).font = Font(bold=True)
        put(sheet.cell(i, 2), value).alignment = Alignment(horizontal="left")
    sheet.column_dimensions["A"].width = 20
    sheet.column_dimensions["B"].width = 50


def _write_games(sheet: Worksheet, games: list[dict[Any, Any]]) -> None:
    """Write what is declared of several games: a row for each, below the keys that any of them has."""
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    values = [{"game_id": cell_text(game["game_id"]), **_declared(game)} for game in games]
    names = ["game_id", *(name for name in KEYS if any(name in each for each in values))]
    for i, name in enumerate(names, 1):
        put(sheet.cell(1, i), name).font = Font(bold=True)
        for j, each in enumerate(values, 2):
            if name in each:
                put(sheet.cell(j, i), each[name])
        sheet.column_dimensions[get_column_letter(i)].width = 20
    sheet.freeze_panes = "B2"


WRITER = Writer("xlsx", "Excel", (".xlsx",), write, unseal=unseal, recap=partial(write, recap=True))
