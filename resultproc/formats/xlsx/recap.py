"""The recap of a game as sheets to print: contestants down, boards across, one sheet for each direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resultproc.formats.common.recap import Grid, points_text
from resultproc.formats.xlsx.wall import Band, Game, WallColumn, headings, points_of, write_list

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from openpyxl.worksheet.worksheet import Worksheet

    from resultproc.formats.xlsx.cells import Value

_LONGEST = 40
"""A name is cut by no column that is as wide; longer ones take another line."""


def write_recap(sheet: Worksheet, game: Game, grid: Grid) -> None:
    """Write a recap as a sheet to print."""
    first, *others = headings(game)
    lines = [" · ".join(filter(None, [first, "Recap", grid.title])), *([" · ".join(others)] if others else [])]
    columns = _columns(grid)
    bands = [Band("", [row.at for row in grid.rows])]
    write_list(sheet, lines, bands, columns, points=points_of(lines, bands, columns))


def _columns(grid: Grid) -> list[WallColumn]:
    names: dict[Hashable, Value] = {row.at: "\n".join(row.players) for row in grid.rows}
    wide = min(max((len(name) for row in grid.rows for name in row.players), default=0), _LONGEST) + 2
    widest = max(len(points_text(got, grid.decimals)) for row in grid.rows for got in row.points.values())
    columns = [
        WallColumn(grid.kind.capitalize(), {row.at: _whole(row.number) for row in grid.rows}, align="center"),
        WallColumn("Names", names, align="left", width=wide),
    ]
    for board in grid.boards:
        got: dict[Hashable, Value] = {row.at: row.points[board] for row in grid.rows if board in row.points}
        width = max(widest, len(str(board))) + 1
        columns.append(WallColumn(str(board), got, width=width, decimals=grid.decimals))
    columns.append(WallColumn("Total", {row.at: row.total for row in grid.rows}, bold=frozenset(names)))
    further: Mapping[str, Mapping[Hashable, Value]] = {
        "Score": {row.at: row.score for row in grid.rows if row.score is not None and grid.scored_otherwise},
        "%": {row.at: row.percentage for row in grid.rows if row.percentage is not None},
    }
    return [*columns, *(WallColumn(heading, cells) for heading, cells in further.items() if cells)]


def _whole(number: str) -> str | int:
    return int(number) if number.isdecimal() and len(number) < 10 else number
