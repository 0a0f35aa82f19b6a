"""Grids to print: the rounds of Swiss teams, a bracket as it is drawn on a wall, and the recap of a game.

A recap has contestants down and boards across, one sheet for each direction.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import fsum

import pandas as pd
from openpyxl.styles import Border, Font, PatternFill
from openpyxl.styles import Side as Line
from openpyxl.worksheet.worksheet import Worksheet

from resultproc.formats.xlsx.sheet_cells import number_or_text
from resultproc.formats.xlsx.wall import Band, WallColumn, lines_above, write_lines, write_list
from resultproc.model.frames import FrameRow
from resultproc.model.language import in_words
from resultproc.model.text import cell_text
from resultproc.pages.matches import Drawn, Side, TeamRounds
from resultproc.pages.recap import Grid, points_text
from resultproc.pages.workbook import A_SHEET, FONT, LINE, TEXT_POINTS, CellValue, lay_out, points_for, put, set_widths

_LEAST = 16
"""Columns of a bracket are no narrower, in characters."""


def write_rounds(sheet: Worksheet, game: FrameRow, rows: pd.DataFrame, played: Mapping[int, TeamRounds]) -> None:
    """Write the matches of Swiss teams: a row for each, and for each round whom it met, IMPs, points and place."""
    lines = lines_above(game, "Round by round")
    if not all(course.whole for course in played.values()):
        lines.append("The total is of these matches; a score that is another has penalties, or matches not listed.")
    numbers = sorted({each.number for course in played.values() for each in course.rounds})
    columns = [
        WallColumn("Team", {at: number_or_text(rows["number"][at]) for at in played}, align="center"),
        WallColumn("Captain", {at: cell_text(rows["player1"][at]) for at in played}, align="left"),
    ]
    for number in numbers:
        of_round = {at: each for at, course in played.items() for each in course.rounds if each.number == number}
        parts: dict[str, Mapping[int, CellValue | None]] = {
            "vs": {at: number_or_text(each.said) for at, each in of_round.items()},
            "IMPs": {at: each.imps for at, each in of_round.items()},
            "VPs": {at: each.points for at, each in of_round.items()},
            "Place": {at: number_or_text(each.place) if each.place else None for at, each in of_round.items()},
        }
        for heading, cells in parts.items():
            known = _known_cells(cells)
            if known:
                align = "center" if heading in {"vs", "Place"} else "right"
                columns.append(WallColumn(heading, known, f"Round {number}", align))
    totals = _known_cells({at: course.rounds[-1].total for at, course in played.items()})
    columns += [WallColumn("Total", totals, bold=frozenset(totals))] if totals else []
    section_at = rows["section"].to_dict()
    order = sorted(played, key=lambda at: (str(section_at[at]), -(played[at].rounds[-1].total or 0)))
    bands = [
        Band(
            f"Section {cell_text(section)}" * (rows["section"].nunique() > 1),
            [at for at in order if at in set(each.index)],
        )
        for section, each in rows.groupby("section", sort=True)
    ]
    write_list(sheet, lines, bands, columns)


def _known_cells(cells: Mapping[int, CellValue | None]) -> dict[Hashable, CellValue]:
    """Return the cells that are known; numbers without decimals where none has any."""
    known = {at: value for at, value in cells.items() if value is not None}
    whole = all(not isinstance(value, float) or value.is_integer() for value in known.values())
    return {at: int(value) if whole and isinstance(value, float) else value for at, value in known.items()}


def write_bracket(sheet: Worksheet, game: FrameRow, section: str, rounds: Sequence[Drawn]) -> None:
    """Write a bracket: a column for each round, the first one first, each match beside those its teams came from."""
    lines = lines_above(game, f"Bracket {section}")
    top = len(lines) + 2
    placed = _placed(rounds)
    widths = [
        max(map(len, [*(_side_text(side) for match in each.matches for side in match), each.title, " " * _LEAST])) + 2
        for each in rounds
    ]
    bottom = top + max(
        start + len(match)
        for starts, each in zip(placed, rounds, strict=True)
        for start, match in zip(starts, each.matches, strict=True)
    )
    points = points_for(fsum(widths) + 2 * len(widths), bottom + 1)
    write_lines(sheet, lines, 1, points)
    for number, (each, starts) in enumerate(zip(rounds, placed, strict=True)):
        column = 2 * number + 1
        head = put(sheet.cell(top, column), in_words(each.title))
        head.font, head.fill = Font(FONT, points, bold=True), PatternFill("solid", fgColor="E8E8E8")
        for start, match in zip(starts, each.matches, strict=True):
            _write_match(sheet, top + 1 + start, column, match, points)
    for row in range(1, bottom + 1):
        sheet.row_dimensions[row].height = LINE * points / TEXT_POINTS * (1.2 if row == 1 else 1)
    set_widths(sheet, [width * points / TEXT_POINTS for each in widths for width in (each, 2)])
    lay_out(sheet, top, 0, larger=max(points / TEXT_POINTS, A_SHEET))


def _write_match(sheet: Worksheet, row: int, column: int, match: Sequence[Side], points: float) -> None:
    """Write the teams of a match below each other, in a box."""
    line = Line("thin", color="AAAAAA")
    for n, side in enumerate(match):
        cell = put(sheet.cell(row + n, column), _side_text(side))
        cell.font = Font(FONT, points, bold=side.won, color="000000" if side.won else "555555")
        top, bottom = (line if n == end else None for end in (0, len(match) - 1))
        cell.border = Border(left=line, right=line, top=top, bottom=bottom)


def _side_text(side: Side) -> str:
    return " ".join(filter(None, [side.number, side.name, f"({side.said})" if side.said else ""]))


def _placed(rounds: Sequence[Drawn]) -> Sequence[Sequence[int]]:
    """Return the first row of each match of each round: the middle of the matches that its teams came from."""
    placed: list[list[int]] = []
    middle: dict[int, float] = {}
    for each in rounds:
        starts: list[int] = []
        free = 0
        for match in each.matches:
            known = [middle[side.at] for side in match if side.at in middle]
            wanted = round(sum(known) / len(known) - len(match) / 2) if known else free
            starts.append(max(wanted, free))
            free = starts[-1] + len(match) + 1
        middle = {
            side.at: start + len(match) / 2 for start, match in zip(starts, each.matches, strict=True) for side in match
        }
        placed.append(starts)
    return placed


_LONGEST = 40
"""A name is cut by no column that is as wide; longer ones take another line."""


def write_recap(sheet: Worksheet, game: FrameRow, grid: Grid) -> None:
    """Write a recap as a sheet to print."""
    lines = lines_above(game, "Recap", grid.title)
    columns = _columns(grid)
    bands = [Band("", [row.at for row in grid.rows])]
    write_list(sheet, lines, bands, columns)


def _columns(grid: Grid) -> list[WallColumn]:
    names: dict[Hashable, CellValue] = {row.at: "\n".join(row.players) for row in grid.rows}
    wide = min(max((len(name) for row in grid.rows for name in row.players), default=0), _LONGEST) + 2
    widest = max(len(points_text(got, grid.decimals)) for row in grid.rows for got in row.points.values())
    columns = [
        WallColumn(grid.kind.capitalize(), {row.at: number_or_text(row.number) for row in grid.rows}, align="center"),
        WallColumn("Names", names, align="left", width=wide),
    ]
    for board in grid.boards:
        got: dict[Hashable, CellValue] = {row.at: row.points[board] for row in grid.rows if board in row.points}
        width = max(widest, len(str(board))) + 1
        columns.append(WallColumn(str(board), got, width=width, decimals=grid.decimals))
    columns.append(WallColumn("Total", {row.at: row.total for row in grid.rows}, bold=frozenset(names)))
    return [*columns, *(WallColumn(heading, each) for heading, each in grid.further.items())]
