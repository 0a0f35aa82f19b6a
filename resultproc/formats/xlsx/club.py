"""A club's own workbook, to be filled in: the pairs of a game, what is declared of it, and the members.

Who sits where is written by member numbers: names and holdings are formulas that find them among the members. Cells
take their values from lists, and one that cannot be right is coloured. Sheets whose names begin with # are for the
people of the club: the reader leaves them out, so that nothing of them goes further. What cells take, and when they are
wrong, is in ``club.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from resultproc.formats.xlsx.writer import column_heading
from resultproc.model.game import EventType, Movement, StratifyBy, league
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is, in_words
from resultproc.model.toml import toml_beside
from resultproc.pages.workbook import lay_out, put, saved, set_widths

ROWS, MEMBERS = 80, 2000
"""How many pairs and members there is room for: four sections of ten tables."""

_START, _PAIRS, _GAME, _LIST, _CHOICES = "#Start", "Pairs", "Game", "#Members", "#Lists"
"""The names of the sheets."""

_SAID: Mapping[str, Any] = toml_beside(__file__, "club.toml")

_KEYS: Sequence[str] = _SAID["keys"]
"""The keys of the sheet Game, in its rows from the second on."""

_LISTS = {
    "rating": [str(each) for each in league().names],
    "event_type": [EventType.PAIRS.value],
    "movement": [each.value for each in Movement],
    "stratify_by": [each.value for each in StratifyBy],
    **_SAID["choices"],
}
"""What cells may be chosen from."""


def club_workbook() -> bytes:
    """Return the workbook as the bytes of its file; the same each time."""
    workbook = Workbook()
    start = workbook.worksheets[0]
    start.title = _START
    pairs, game, members, choices = (workbook.create_sheet(title) for title in (_PAIRS, _GAME, _LIST, _CHOICES))
    ranges = _write_choices(choices)
    _write_start(start)
    _write_pairs(pairs, ranges)
    _write_game(game, ranges)
    _write_members(members)
    choices.sheet_state = "hidden"
    workbook.calculation.fullCalcOnLoad = True
    return saved(workbook)


def _write_choices(sheet: Worksheet) -> dict[str, str]:
    """Write the lists that cells are chosen from; return their ranges."""
    ranges = {}
    for at, (name, values) in enumerate(_LISTS.items(), 1):
        for row, value in enumerate([name, *values], 1):
            put(sheet.cell(row, at), value)
        letter = get_column_letter(at)
        ranges[name] = f"'{_CHOICES}'!${letter}$2:${letter}${len(values) + 1}"
    return ranges


def _write_start(sheet: Worksheet) -> None:
    put(sheet.cell(1, 1), in_words("What to do")).font = Font(bold=True, size=14)
    for row, text in enumerate(_SAID["do_next"], 2):
        put(sheet.cell(row, 1), row - 1).alignment = Alignment(vertical="top", horizontal="left")
        put(sheet.cell(row, 2), in_words(text.format(members=_LIST))).alignment = Alignment(
            wrap_text=True, vertical="top"
        )
        sheet.row_dimensions[row].height = 34
    set_widths(sheet, [5, 84])
    lay_out(sheet, 1, names=0)
    sheet.sheet_view.showGridLines = False


def _write_pairs(sheet: Worksheet, ranges: dict[str, str]) -> None:
    """Write the table of the pairs: formulas, lists, and what colours a cell."""
    for at, (name, column) in enumerate(_SAID["columns"].items(), 1):
        letter = get_column_letter(at)
        sheet.column_dimensions[letter].width = column["width"]
        _heading(sheet, at, column_heading(name)).comment = Comment(in_words(column["prompt"]), "resultproc")
        cells = f"{letter}2:{letter}{ROWS + 1}"
        if name in ranges:
            _offer(sheet, cells, ranges[name], column["prompt"])
        _colour(sheet, cells, column["wrong"].format(c=f"{letter}2", r=2, pairs=ROWS + 1, members=_LIST))
        for row in range(2, ROWS + 2):
            cell = sheet.cell(row, at)
            if name.startswith("id"):
                cell.number_format = "@"
            elif name.startswith(("player", "mp")):
                number = sheet.cell(row, at - (1 if name.startswith("player") else 2)).coordinate
                cell.value = _found(f"${number}", "B" if name.startswith("player") else "C")
    lay_out(sheet, 1, names=3)


def _found(number: str, column: str) -> str:
    """Return the formula of what a column of the members has for a number, empty where it has nothing."""
    every = f"'{_LIST}'!$A$2:$A${MEMBERS + 1}"
    at = f'IFERROR(MATCH({number}&"",{every},0),MATCH(VALUE({number}),{every},0))'
    value = f"INDEX('{_LIST}'!${column}$2:${column}${MEMBERS + 1},{at})"
    return f'=IF({number}="","",IFERROR(IF({value}="","",{value}),""))'


def _write_game(sheet: Worksheet, ranges: dict[str, str]) -> None:
    """Write the keys of the game, each beside the cell of its value."""
    for column, text in enumerate(("key", "value"), 1):
        _heading(sheet, column, text)
    for row, name in enumerate(_KEYS, 2):
        key, cell = KEYS[name], sheet.cell(row, 2)
        put(sheet.cell(row, 1), name).font = Font(bold=True)
        cell.alignment = Alignment(horizontal="left")
        if name == "date":
            cell.number_format = "yyyy-mm-dd"
        words = ", ".join(key.words)
        meaning = as_it_is(words) if key.meaning == words else key.meaning[:150]
        meaning = f"{meaning}; such as {as_it_is(key.example)}"
        _offer(sheet, cell.coordinate, ranges.get(name, ""), meaning, free=name in ("strata", "movement"))
        if name in ranges and name not in ("strata", "movement"):
            _colour(sheet, cell.coordinate, f'AND(B{row}<>"",ISNA(MATCH(B{row},{ranges[name]},0)))')
        elif name in _SAID["wrong"]:
            _colour(sheet, cell.coordinate, _SAID["wrong"][name].format(c=cell.coordinate))
    put(sheet.cell(_KEYS.index("event_type") + 2, 2), EventType.PAIRS.value)
    set_widths(sheet, [16, 44])


def _write_members(sheet: Worksheet) -> None:
    """Write the table of the members, which is empty."""
    last = MEMBERS + 1
    for at, (text, width) in enumerate((("Number", 14), ("Name", 28), ("Holding", 12)), 1):
        _heading(sheet, at, text)
        sheet.column_dimensions["ABC"[at - 1]].width = width
    for row in range(2, last + 1):
        sheet.cell(row, 1).number_format = "@"
    _colour(sheet, f"A2:A{last}", f'AND(A2<>"",COUNTIF($A$2:$A${last},A2)>1)')
    _colour(sheet, f"B2:B{last}", 'AND($A2<>"",B2="")')
    _colour(sheet, f"C2:C{last}", 'AND(C2<>"",OR(NOT(ISNUMBER(C2)),N(C2)<0))')
    lay_out(sheet, 1, names=1)


def _heading(sheet: Worksheet, column: int, text: str) -> Any:
    cell = put(sheet.cell(1, column), text)
    cell.font = Font(bold=True)
    cell.fill = PatternFill("solid", start_color="E3E8EF", end_color="E3E8EF")
    return cell


def _offer(sheet: Worksheet, cells: str, choices: str, prompt: str, *, free: bool = False) -> None:
    """Let cells be chosen from a range, if there is one, and say what they take. free: other values are taken, too."""
    offered = DataValidation(type="list" if choices else None, formula1=f"={choices}" if choices else None)
    offered.allow_blank, offered.showErrorMessage, offered.showInputMessage = True, bool(choices) and not free, True
    offered.prompt, offered.error = in_words(prompt)[:250], in_words("choose one of the list")
    offered.add(cells)
    sheet.add_data_validation(offered)


def _colour(sheet: Worksheet, cells: str, wrong: str) -> None:
    """Colour cells that cannot be right. wrong: the formula that says so of the first."""
    fill = PatternFill("solid", start_color="F4B6B6", end_color="F4B6B6", bgColor="F4B6B6")
    rule = FormulaRule(formula=[wrong], fill=fill, font=Font(color="8A0000"))  # type: ignore[no-untyped-call]
    sheet.conditional_formatting.add(cells, rule)
