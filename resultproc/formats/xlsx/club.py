"""A club's own workbook, to be filled in: the pairs of a game, what is declared of it, and the members.

Who sits where is written by member numbers: names and holdings are formulas that find them among the members. Cells
take their values from lists, and one that cannot be right is coloured. Sheets whose names begin with # are for the
people of the club: the reader leaves them out, so that nothing of them goes further.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
from resultproc.pages.workbook import lay_out, put, saved, set_widths

ROWS, MEMBERS = 80, 2000
"""How many pairs and members there is room for: four sections of ten tables."""

_START, _PAIRS, _GAME, _LIST, _CHOICES = "#Start", "Pairs", "Game", "#Members", "#Lists"
"""The names of the sheets."""

DO_NEXT = (
    f"Write your members into the sheet {_LIST}, once: number, name, and the masterpoints that each holds.",
    "Write into the sheet Game what was played: the date, the rating, the boards. Choose a cell to see what it takes.",
    "Write each pair into the sheet Pairs by its players' numbers: names and holdings appear. Write a guest's name.",
    "Look for red cells: each cannot be right. Point at the heading of a column to see what belongs there.",
    "Save, and let it be awarded: resultproc award FILE -o game.html -o game.xlsx, or save it into the watched folder.",
    f"Next time begin with a copy. What is in {_LIST} stays with you: nothing of it is published but who played.",
)
"""What to do, a line each."""

_LISTS = {
    "rating": [str(each) for each in league().names],
    "event_type": [EventType.PAIRS.value],
    "movement": [each.value for each in Movement],
    "stratify_by": [each.value for each in StratifyBy],
    "direction": ["N-S", "E-W"],
    "stratum": list("ABCDEF"),
    "strata": ["A=open, B=1500, C=500", "A=open, B=1000, C=200", "A=open, B=750", "A=open"],
}
"""What cells may be chosen from; for ``strata`` examples, whose limits are the club's to change."""

_KEYS = (
    *("event", "club", "date", "rating", "event_type", "movement"),
    *("tables", "boards", "strata", "stratify_by", "limit"),
)
"""The keys of the sheet Game, in its rows from the second on."""


class _Column(NamedTuple):
    """A column of the pairs.

    name: the contestants' column.
    width: in characters.
    prompt: what a cell takes, as people read it beside the cell.
    wrong: the formula that is true of a wrong cell, {c} for the cell and {r} for its row; '' for none.
    """

    name: str
    width: float
    prompt: str
    wrong: str = ""


_ID = 'AND({c}<>"",ISNA(MATCH({c}&"",' + f"'{_LIST}'!$A:$A,0)),ISERROR(MATCH(VALUE({{c}}),'{_LIST}'!$A:$A,0)))"
_TWICE = f'AND({{c}}<>"",COUNTIF($D$2:$D${ROWS + 1},{{c}})+COUNTIF($G$2:$G${ROWS + 1},{{c}})>1)'
_NAME = 'AND($C{r}<>"",{c}="")'
_HOLDING = 'AND({c}<>"",NOT(ISNUMBER({c})))'
_COLUMNS = (
    _Column("section", 9, "The section's letter; empty where there is one.", "LEN({c})>2"),
    _Column("direction", 10, "N-S or E-W; empty in a Howell.", 'AND({c}<>"",{c}<>"N-S",{c}<>"E-W")'),
    _Column(
        "number",
        8,
        "The pair's number.",
        f'AND({{c}}<>"",COUNTIFS($A$2:$A${ROWS + 1},$A{{r}},$B$2:$B${ROWS + 1},$B{{r}},$C$2:$C${ROWS + 1},{{c}})>1)',
    ),
    _Column("id1", 14, "A member's number, as on the sheet of the members.", f"OR({_ID},{_TWICE})"),
    _Column("player1", 24, "Comes from the members; of a guest, write the name over the formula.", _NAME),
    _Column("mp1", 11, "Comes from the members; of a guest, write what he or she holds.", _HOLDING),
    _Column("id2", 14, "The partner's number.", f"OR({_ID},{_TWICE})"),
    _Column("player2", 24, "Comes from the members; of a guest, write the name over the formula.", _NAME),
    _Column("mp2", 11, "Comes from the members; of a guest, write what he or she holds.", _HOLDING),
    _Column("stratum", 9, "Empty where it follows from the holdings.", 'AND({c}<>"",OR(LEN({c})<>1,CODE({c}&"A")>90))'),
    _Column("score", 10, "The matchpoints, or leave it empty.", 'AND({c}<>"",NOT(ISNUMBER({c})))'),
    _Column(
        "percentage",
        10,
        "56.25 for 56.25%. A pair has a score, a percentage, or both.",
        'OR(AND($C{r}<>"",{c}="",$K{r}=""),AND({c}<>"",OR(NOT(ISNUMBER({c})),{c}<0,{c}>100)))',
    ),
)

_WRONG_KEYS = {
    "date": 'AND({c}<>"",OR(NOT(ISNUMBER({c})),{c}>TODAY()+1))',
    "boards": 'AND({c}<>"",OR(NOT(ISNUMBER({c})),{c}<1,{c}>60))',
}
"""When the value of a key cannot be right, besides one that is not on its list."""


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
    for row, text in enumerate(DO_NEXT, 2):
        put(sheet.cell(row, 1), row - 1).alignment = Alignment(vertical="top", horizontal="left")
        put(sheet.cell(row, 2), in_words(text)).alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[row].height = 34
    set_widths(sheet, [5, 84])
    lay_out(sheet, 1, names=0)
    sheet.sheet_view.showGridLines = False


def _write_pairs(sheet: Worksheet, ranges: dict[str, str]) -> None:
    """Write the table of the pairs: formulas, lists, and what colours a cell."""
    for at, column in enumerate(_COLUMNS, 1):
        letter = get_column_letter(at)
        _heading(sheet, at, column_heading(column.name)).comment = Comment(in_words(column.prompt), "resultproc")
        cells = f"{letter}2:{letter}{ROWS + 1}"
        if column.name in ranges:
            _offer(sheet, cells, ranges[column.name], column.prompt)
        _colour(sheet, cells, column.wrong.format(c=f"{letter}2", r=2))
        for row in range(2, ROWS + 2):
            cell = sheet.cell(row, at)
            if column.name.startswith("id"):
                cell.number_format = "@"
            elif column.name.startswith(("player", "mp")):
                number = sheet.cell(row, at - (1 if column.name.startswith("player") else 2)).coordinate
                cell.value = _found(f"${number}", "B" if column.name.startswith("player") else "C")
    set_widths(sheet, [column.width for column in _COLUMNS])
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
        elif name in _WRONG_KEYS:
            _colour(sheet, cell.coordinate, _WRONG_KEYS[name].format(c=cell.coordinate))
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
