"""The sheets that a club prints: a summary of a game, and one for each section. Nothing is read from them.

A list has the ranks in every stratum, paid ones in bold, the names, and the award by colour, each in a column of its
own. Member numbers and holdings are not for the wall.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import pandas as pd
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from resultproc.formats.xlsx.sheet_cells import number_or_text
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.at_the_table import compared
from resultproc.model.directions import DIRECTIONS_IN_FULL
from resultproc.model.frames import COLOURS, FrameRow, Result
from resultproc.model.game import EventType, League, leagues, parse_tables
from resultproc.model.language import in_words
from resultproc.model.places import place_text, ranks_in
from resultproc.model.text import cell_text, counted, text_there
from resultproc.model.whose_points import in_points, league_named
from resultproc.pages.annotated import OFTEN_NOTHING, PAGE_COLUMNS, by_colour, game_keys, paid_by_words
from resultproc.pages.matches import MEANING
from resultproc.pages.words import club_of, contestant_kind, field_text, heading, strata, when
from resultproc.pages.workbook import FONT, LINE, TEXT_POINTS, CellValue, lay_out, points_for, put, set_widths

WALL_BASES = ("section", "overall")
"""The bases of comparison whose ranks are shown."""

_Places = dict[str, dict[str, str]]
"""By basis and stratum: ``2``, or of a tie ``2/3``."""


@dataclass
class Ranked:
    """What is known of a contestant."""

    places: _Places = field(default_factory=lambda: {basis: {} for basis in WALL_BASES})  # by basis and stratum
    paid: set[tuple[str, str]] = field(default_factory=set)  # those of them that pay, as pairs of a basis and a stratum
    # By colour, in hundredths; under '' what is of a colour that is not known.
    award: dict[str, int] = field(default_factory=dict)
    paid_by: str = ""  # what paid it, as sheets print that
    among: str = ""  # with whom it is compared overall, '' where that is everyone or is not known


def wall_ranks(result: Result, frame: pd.DataFrame) -> dict[Hashable, Ranked]:
    """Return what is known of each of the annotated contestants, by its row."""
    found = {at: _printed(row) for at, row in zip(frame.index, row_dicts(frame), strict=True)}
    if result.awards is None:
        return found
    for at, basis, letter, position, tied, among in zip(
        *(result.standings[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")),
        compared(result),
        strict=True,
    ):
        if basis in WALL_BASES:
            found[at].places[basis][letter] = place_text(position, tied)
        if basis == "overall":
            found[at].among = among
    return found


def _printed(row: Mapping[Hashable, object]) -> Ranked:
    """Return what the printed columns of an annotated contestant say: the places in it pay."""
    known = Ranked()
    for basis in WALL_BASES:
        text = row[f"printed_{basis}"]
        for letter, place in ranks_in(text_there(text)).items():
            known.places[basis][letter] = place
            known.paid.add((basis, letter))
    known.award = by_colour(row["printed_award"], row["printed_colours"])
    known.paid_by = text_there(row["printed_paid_by"])
    return known


_PADDING = 2
_NAMES = {2: 46, 1: 30}
_NAMES_OF_TEAM = 58
"""The greatest width of the column of names, by the players of a contestant; more names take another line."""

_PAGE, _SHORT = 40, 8
"""This many rows are on a page together; a list that is not short and would go beyond begins on the next page."""


@dataclass(frozen=True)
class WallColumn:
    """A column of a list."""

    heading: str  # what is above it
    cells: Mapping[Hashable, CellValue]  # by the contestants' rows
    group: str = ""  # what is above it and the columns beside it of the same group
    align: str = "right"  # how its cells stand, left, center or right
    bold: frozenset[Hashable] = frozenset()  # the rows whose cells are bold
    width: float = 0  # in characters; 0 for as wide as its texts are
    decimals: int = 2  # of its numbers that are not whole


@dataclass(frozen=True)
class Band:
    """Contestants below a line of their own: their rows in order."""

    title: str
    rows: Sequence[Hashable]


def write_section(
    sheet: Worksheet, game: FrameRow, section: str, rows: pd.DataFrame, known: Mapping[Any, Ranked]
) -> None:
    """Write a section's sheet: every direction with its contestants by place."""
    keys = game_keys(game)
    of_section = parse_tables(keys.get("tables", ""))
    tables = of_section.get(section, of_section.get(""))
    knockout = game["event_type"] == EventType.KNOCKOUT
    title = f"{'Bracket' if knockout else 'Section'} {cell_text(section)}"
    title += f", {counted(tables, 'table')}" if tables else ""
    basis = "section" if any(known[at].places["section"] for at in rows.index) else "overall"
    bands = [
        Band(DIRECTIONS_IN_FULL.get(direction, "") if isinstance(direction, str) else "", _by_place(each, known, basis))
        for direction, each in rows.groupby("direction", sort=False, dropna=False)
    ]
    lines = lines_above(game, title)
    if family_columns(rows, "round") and knockout:
        lines.append(MEANING)
    columns = _columns(game, rows, known, basis, seat=False)
    write_list(sheet, lines, bands, columns)


def write_summary_sheet(
    sheet: Worksheet, games: Iterable[tuple[FrameRow, pd.DataFrame]], known: Mapping[Any, Ranked]
) -> bool:
    """Write the summary: of each game the overall list, then the winners of its sections; say whether there is any."""
    lists: list[tuple[list[str], list[Band], list[WallColumn]]] = []
    for game, rows in games:
        for number, (basis, bands) in enumerate(_summary(game, rows, known)):
            listed = rows.loc[[at for band in bands for at in band.rows]]
            lines = [] if number else [*headings(game), field_text(game, rows)]
            lists.append((lines, bands, _columns(game, listed, known, basis, seat=True)))
    if not lists:
        return False
    wide = [max(each) for each in zip_longest(*(map(_width, columns) for *_, columns in lists), fillvalue=0.0)]
    points = points_for(math.fsum(wide), sum(_lines_of(lines, bands) + 1 for lines, bands, _ in lists))
    set_widths(sheet, [width * points / TEXT_POINTS for width in wide])
    top = 1
    for lines, bands, columns in lists:
        top = write_list(sheet, lines, bands, columns, top, points) + 2
    return True


def _summary(game: FrameRow, rows: pd.DataFrame, known: Mapping[Any, Ranked]) -> Iterator[tuple[str, list[Band]]]:
    """Yield the overall list, for a knockout that of each bracket, and the list of winners, each with its basis."""
    paid = rows.loc[[at for at in rows.index if any(basis == "overall" for basis, _ in known[at].paid)]]
    if len(paid) and game["event_type"] == EventType.KNOCKOUT:
        brackets = paid.groupby("section", sort=False)
        yield "overall", [Band(f"Bracket {name}", _by_place(each, known, "overall")) for name, each in brackets]
    elif len(paid):
        among = pd.Series({at: known[at].among for at in paid.index})
        fields = paid.groupby(among, sort=False)
        yield (
            "overall",
            [
                Band(f"Overall {DIRECTIONS_IN_FULL.get(name, name)}" if name else "", _by_place(each, known, "overall"))
                for name, each in fields
            ],
        )
    winners = []
    for (section, direction), each in rows.groupby(["section", "direction"], sort=False, dropna=False):
        first = [at for at in each.index if any(re.match("1(/|$)", p) for p in known[at].places["section"].values())]
        if first:
            words = [cell_text(section), *([DIRECTIONS_IN_FULL[direction]] if direction in DIRECTIONS_IN_FULL else [])]
            winners.append(Band(f"Winners, section {' '.join(words)}", _by_place(each.loc[first], known, "section")))
    if winners:
        yield "section", winners


def headings(game: FrameRow) -> list[str]:
    """Return the lines above a list: the event, where and when it was played, and its strata."""
    lines = [heading(game), club_of(game), cell_text(when(game)), strata(game)]
    return [line for line in lines if line]


def lines_above(game: FrameRow, *titles: str) -> list[str]:
    """Return the lines above the only list of a sheet: the event with what the sheet shows of it, and all else."""
    event, *others = headings(game)
    return [" · ".join([event, *filter(None, titles)]), *([" · ".join(others)] if others else [])]


def _by_place(rows: pd.DataFrame, known: Mapping[Any, Ranked], basis: str) -> list[Hashable]:
    """Return contestants by their places, those without any by their scores."""
    letters = sorted({letter for at in rows.index for letter in known[at].places[basis]})
    values = (-rows[["percentage", "score"]]).fillna(math.inf)
    scores = dict(zip(rows.index, values.to_numpy().tolist(), strict=True))

    def order(at: Hashable) -> tuple[float, ...]:
        places = known[at].places[basis]
        first = (float(places[letter].partition("/")[0]) if letter in places else math.inf for letter in letters)
        return (*first, *scores[at])

    return sorted(rows.index, key=order)


def _columns(
    game: FrameRow, rows: pd.DataFrame, known: Mapping[Any, Ranked], basis: str, *, seat: bool
) -> list[WallColumn]:
    """Return the columns of a list that hold anything. seat: whether contestants have their section before them."""
    here = {at: known[at] for at in rows.index}
    heading = "Overall" if basis == "overall" else "Place"
    of = league_named(game["league"], game["rating"])
    columns = [*_ranks(here, basis, heading), _seat(game, rows, seat), _names(rows, here, of)]
    if rows["stratum"].nunique() > 1:
        columns.append(WallColumn("Strat", rows["stratum"].dropna().to_dict(), align="center"))
    columns += _values(rows)
    if not seat and basis != "overall":
        columns += _ranks(here, "overall", "Overall")
    return [*columns, *_awards(here, leagues()[of])]


def _ranks(known: Mapping[Hashable, Ranked], basis: str, heading: str) -> Iterator[WallColumn]:
    letters = sorted({letter for each in known.values() for letter in each.places.get(basis, {})})
    for letter in letters:
        places = {at: each.places[basis][letter] for at, each in known.items() if letter in each.places[basis]}
        cells = {at: int(text) if text.isdecimal() else text for at, text in places.items()}
        bold = frozenset(at for at, each in known.items() if (basis, letter) in each.paid)
        alone = len(letters) == 1
        yield WallColumn(heading if alone else letter, cells, "" if alone else heading, "center", bold)


def _seat(game: FrameRow, rows: pd.DataFrame, seat: bool) -> WallColumn:
    number = rows["number"].map(number_or_text)
    if not seat:
        return WallColumn(contestant_kind(game).capitalize(), number.to_dict(), align="center")
    words = rows[["section", "direction"]].fillna("").astype("str")
    texts = words["section"].map(cell_text) + " " + words["direction"] + " " + number.astype("str")
    return WallColumn(
        contestant_kind(game).capitalize(), {at: " ".join(text.split()) for at, text in texts.items()}, align="left"
    )


def _names(rows: pd.DataFrame, known: Mapping[Hashable, Ranked], of: str) -> WallColumn:
    columns = family_columns(rows)
    of_names = row_dicts(rows[[*columns, *family_columns(rows, "printed_share")]])
    listed = {}
    for at, row in zip(rows.index, of_names, strict=True):
        names = []
        for name in columns:
            if isinstance(row[name], str) and row[name]:
                share: Any = row.get(f"printed_share{name.removeprefix('player')}")
                differs = pd.notna(share) and share != sum(known[at].award.values())
                names.append(cell_text(row[name]) + (f" ({in_points(share, of)})" if differs else ""))
        listed[at] = names
    widest = _NAMES.get(max(map(len, listed.values()), default=2), _NAMES_OF_TEAM)
    texts = {at: _in_lines(names, widest) for at, names in listed.items()}
    longest = max((len(line) for text in texts.values() for line in text.split("\n")), default=0)
    return WallColumn("Names", texts, align="left", width=min(longest, widest) + _PADDING)


def _in_lines(names: Sequence[str], widest: int) -> str:
    """Return names beside each other, as many in a line as it has room for."""
    lines: list[str] = []
    for name in names:
        joined = f"{lines[-1]} – {name}" if lines else name
        if lines and len(joined) <= widest:
            lines[-1] = joined
        else:
            lines.append(name)
    return "\n".join(lines)


def _values(rows: pd.DataFrame) -> Iterator[WallColumn]:
    for column in PAGE_COLUMNS:
        for name in family_columns(rows, column.family) if column.numbered else [column.name]:
            values = rows[name].dropna()
            if len(values) and (name not in OFTEN_NOTHING or values.any()):
                heading = "%" if name == "percentage" else column.on_page
                heading = f"{heading} {name.removeprefix(column.family)}".strip()
                show = float if column.kind.number is float else column.kind.page
                cells = {at: show(value) for at, value in values.items()}
                yield WallColumn(heading, cells, align="right" if column.kind.number else "center")


def _awards(known: Mapping[Hashable, Ranked], of: League) -> Iterator[WallColumn]:
    """Yield a column for each colour of the awards, their total where any has several, and what paid them."""
    colours = [c for c in (*COLOURS, "") if any(each.award.get(c) for each in known.values())]
    decimals = 0 if of.whole else 2
    for colour in colours:
        cells = {at: each.award[colour] / 100 for at, each in known.items() if each.award.get(colour)}
        alone = colours in ([*of.points_colours[:1]], [""])
        heading = "Masterpoints" if alone else colour.capitalize() or "Other"
        yield WallColumn(heading, cells, "" if alone else "Masterpoints", decimals=decimals)
    if any(len(each.award) > 1 for each in known.values()):
        totals = {at: sum(each.award.values()) / 100 for at, each in known.items() if each.award}
        yield WallColumn("Total", totals, "Masterpoints", bold=frozenset(totals), decimals=decimals)
    paid_by = {at: paid_by_words(each.paid_by) for at, each in known.items() if each.paid_by}
    if any(len(each.paid_by) > 1 for each in known.values()):
        yield WallColumn("For", paid_by, align="left")


def _lines_of(lines: Sequence[str], bands: Sequence[Band]) -> float:
    """Return how many lines a list takes with what is above it."""
    return len(lines) + 2 + sum(len(band.rows) + 1.5 for band in bands)


def write_lines(sheet: Worksheet, lines: Sequence[str], top: int, points: float) -> None:
    """Write the lines above a list, from a row on; the first, the event, is larger. points: the size of the letters."""
    for number, line in enumerate(lines, top):
        put(sheet.cell(number, 1), in_words(line)).font = Font(FONT, points + 3 * (number == top), bold=number == top)


def write_list(
    sheet: Worksheet,
    lines: Sequence[str],
    bands: Sequence[Band],
    columns: Sequence[WallColumn],
    top: int = 1,
    points: float = 0,
) -> int:
    """Write lines, a header and the lists below it; return the last row.

    points: the size of the letters, 0 for that which makes the sheet as large as the paper, upright or on its side.
    """
    points = points or points_for(math.fsum(map(_width, columns)), _lines_of(lines, bands))
    larger = points / TEXT_POINTS
    write_lines(sheet, lines, top, points)
    row = top + len(lines)
    grouped = any(column.group for column in columns)
    low = {row}
    row += 1 + grouped
    _write_header(sheet, row, columns, grouped, points)
    header, page = row, 0
    styles: dict[_Style, Any] = {}
    for number, band in enumerate(bands):
        if number and len(band.rows) > _SHORT and row - page + len(band.rows) > _PAGE:
            sheet.row_breaks.append(Break(id=row))
            page = row
        if band.title and len(bands) + bool(band.title) > 1:
            row += 1 if row == header else 2
            low |= {row - 1} - {header}
            put(sheet.cell(row, 1), in_words(band.title)).font = Font(FONT, points, bold=True)
        for contestant in band.rows:
            row += 1
            _write_row(sheet, row, contestant, columns, styles, points)
    for each in range(top, row + 1):
        size = sheet.row_dimensions[each]
        size.height = size.height or LINE * (0.5 if each in low else larger * (1.2 if each == top else 1))
    letters = map(get_column_letter, range(1, len(columns) + 1))
    known = sheet.column_dimensions
    widths = [known[letter].width if letter in known else 0 for letter in letters]
    set_widths(sheet, [max(_width(column) * larger, width) for column, width in zip(columns, widths, strict=True)])
    if top == 1:
        names = next((n for n, column in enumerate(columns, 1) if column.heading == "Names"), 1)
        lay_out(sheet, header, names, header=1 + grouped, larger=larger)
    return row


def _write_header(sheet: Worksheet, row: int, columns: Sequence[WallColumn], grouped: bool, points: float) -> None:
    """Write the header of a list; what several columns have above them is in the row before it."""
    under, fill = Border(bottom=Side("thin")), PatternFill("solid", fgColor="E8E8E8")
    for n, column in enumerate(columns, 1):
        begins = n == 1 or columns[n - 2].group != column.group
        heads = {row: column.heading, **({row - 1: column.group if begins else ""} if grouped else {})}
        for at, text in heads.items():
            cell = sheet.cell(at, n)
            cell.font, cell.fill = Font(FONT, points, bold=True), fill
            if text:
                put(cell, in_words(text))
            # What is above several columns runs on over them.
            cell.alignment = _aligned(column, "" if at == row else "left")
        sheet.cell(row, n).border = under


def _write_row(
    sheet: Worksheet, row: int, at: Hashable, columns: Sequence[WallColumn], styles: dict[_Style, Any], points: float
) -> None:
    """Write the row of a contestant. styles: of its cells; to make one takes far longer than to copy it."""
    lines = 1
    for n, column in enumerate(columns, 1):
        cell: Any = sheet.cell(row, n)
        value = column.cells.get(at, "")
        wraps = column.heading == "Names"
        if wraps and column.width:
            lines = sum(math.ceil(len(line) * 0.9 / (column.width - 1)) or 1 for line in str(value).split("\n"))
            wraps = lines > 1
        style = (column.align, wraps, at in column.bold)
        if style not in styles:
            _style(cell, column, bold=style[2], wraps=style[1], points=points)
            styles[style] = copy(cell._style)
        cell._style = copy(styles[style])
        if value != "":
            put(cell, in_words(value) if isinstance(value, str) and column.heading != "Names" else value)
            if column.decimals != 2 and isinstance(value, float):
                cell.number_format = f"0.{'0' * column.decimals}".rstrip(".")
    if lines > 1:
        sheet.row_dimensions[row].height = lines * LINE * points / TEXT_POINTS


_Style = tuple[str, bool, bool]
"""How a cell is aligned, whether it wraps and whether it is bold."""


def _style(cell: Any, column: WallColumn, *, bold: bool, wraps: bool, points: float) -> None:
    cell.border = Border(bottom=Side("hair", color="AAAAAA"))
    cell.alignment = _aligned(column, wraps=wraps)
    cell.font = Font(FONT, points, bold=bold)


def _aligned(column: WallColumn, horizontal: str = "", *, wraps: bool = False) -> Alignment:
    # Texts keep away from the numbers on their left; what is too wide where letters are wider is printed smaller.
    return Alignment(
        horizontal=horizontal or column.align,
        vertical="top",
        wrap_text=wraps,
        shrink_to_fit=not wraps and not horizontal,
        indent=int(column.align == "left"),
    )


def _width(column: WallColumn) -> float:
    if column.width:
        return column.width
    texts = [f"{v:.2f}" if isinstance(v, float) else str(v) for v in column.cells.values()]
    return max(len(text) for text in (*texts, in_words(column.heading), "123")) + _PADDING - (column.align == "center")
