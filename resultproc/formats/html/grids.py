"""Grids of a page: the matches of each Swiss team, which its name leads to, and the recap of a game.

They stay tables on a phone, where they are moved to be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup, escape

from resultproc.formats.html.scorecards import BoardSheet, SheetField, numbers_and_names, sheet_table
from resultproc.model.frames import Result
from resultproc.model.language import as_it_is
from resultproc.model.numbers import MINUS, number_cell
from resultproc.model.text import counted
from resultproc.pages.design import PageColumn, PageRow, PageTable
from resultproc.pages.matches import Round, TeamRounds, courses
from resultproc.pages.recap import Grid, GridRow, grids, points_text
from resultproc.pages.words import percent


def rounds_of(result: Result, at: str) -> dict[str, dict[int, BoardSheet]]:
    """Return the sheets of the teams of each game that lists matches, by its id and their rows. at: see ``anchors``."""
    played = {str(game): courses(rows) for game, rows in result.contestants.groupby("game_id", sort=False)}
    names = numbers_and_names(result) if any(played.values()) else []
    return {
        game: {team: _sheet(team, course, names, at) for team, course in each.items()} for game, each in played.items()
    }


def _sheet(team: int, course: TeamRounds, names: Sequence[str], at: str) -> BoardSheet:
    def met(each: Round) -> object:
        links = (Markup('<a href="#{}s{}">{}</a>').format(at, other, names[other]) for other in each.opponents)
        known = len(each.opponents) == each.said.count(",") + 1
        return Markup(", ").join(links) if known else each.said

    fields = [
        SheetField(PageColumn("Round", "r first"), lambda each: str(each.number)),
        SheetField(PageColumn("Opponents", "n"), met),
        SheetField(PageColumn("IMPs", "", "IMPs"), lambda each: _shown(each.imps, "+d")),
        SheetField(PageColumn("VPs", "", "VPs"), lambda each: _shown(each.points)),
        SheetField(PageColumn("Total", "", "total"), lambda each: _shown(each.total)),
        SheetField(PageColumn("Place", "", "place"), lambda each: each.place),
    ]
    number, _, players = names[team].partition(" ")
    last = course.rounds[-1]
    note = [f"team {number}", counted(len(course.rounds), "round")]
    if last.total is not None:
        note.append(f"{number_cell(last.total)} victory points")
    if not course.whole:
        note.append("its score is another: with penalties, or matches that are not listed")
    table = sheet_table(f"s{team}-h", players or number, ", ".join(note), fields, course.rounds)
    return BoardSheet(f"s{team}", names[team], table)


def _shown(value: float | None, form: str = "") -> str:
    if value is None:
        return ""
    return format(value, form).replace("-", MINUS) if form else number_cell(value)


_NOTE = "the score counts, with factors and adjustments; the total is of these boards"


class PlaceLine(NamedTuple):
    """The places of a contestant after each round, as a line."""

    place: int  # that in the end
    path: str  # the line, in rounds to the right and places down
    text: str  # who it is
    best: bool  # whether it is among the first three in the end


class Courses(NamedTuple):
    """The lines of a grid. title: what it is of. rounds: how many there are. lines: those of its contestants."""

    title: str
    rounds: int
    lines: Sequence[PlaceLine]


@dataclass
class Recap:
    """The tables of a game's recap."""

    tables: list[PageTable] = field(default_factory=list)
    courses: list[Courses] = field(default_factory=list)  # the places after each round, a picture a grid
    together: list[PageTable] = field(default_factory=list)  # how partnerships did
    points: float = 8.0  # the size of the letters that the widest one is printed in


def recaps_of(result: Result, at: str, boards: Mapping[int, Mapping[int, BoardSheet]]) -> dict[int, Recap]:
    """Return the recap of each game that has one, by its row of the games frame.

    boards: the scorecards of each game by contestant, which the names lead to.
    """
    found: dict[int, Recap] = {}
    for grid in grids(result):
        recap = found.setdefault(grid.game, Recap())
        tables = recap.tables
        title = " · ".join(filter(None, ["Recap", grid.title]))
        columns = [
            PageColumn(grid.kind.capitalize(), "k"),
            PageColumn("Names", "l"),
            *(PageColumn(str(board), "b") for board in grid.boards),
            PageColumn("Total"),
            *map(PageColumn, grid.further),
        ]
        cards = boards.get(grid.game, {})
        rows = [PageRow(_cells(grid, n, at, cards)) for n in range(len(grid.rows))]
        note = _NOTE if grid.scored_otherwise else ""
        id = f"g{grid.game + 1}-recap{len(tables) + 1}"
        tables.append(PageTable(id, title, columns, rows, note, sorts=False, scrolls=True))
        if grid.courses:
            recap.courses.append(_courses(grid))
        # Of pairs whose declarers are not known it would say what their lists say.
        if any(each.declaring or each.partner >= 0 for each in grid.partnerships):
            recap.together.append(_together(grid, f"{id}-t", at, cards))
        recap.points = min(recap.points, _printed_in(grid, len(columns)))
    return found


def _courses(grid: Grid) -> Courses:
    lines = []
    for row in grid.rows:
        places = grid.courses[row.at]
        path = "M" + " ".join(f"{round} {place}" for round, place in enumerate(places))
        text = f"{row.number} {as_it_is(' – '.join(row.players))}".strip()
        lines.append(PlaceLine(places[-1], path, text, places[-1] <= _BEST))
    title = " · ".join(filter(None, ["Place after each round", grid.title]))
    return Courses(title, len(next(iter(grid.courses.values()))), sorted(lines))


_BEST = 3
"""So many of the first stand out."""


def _together(grid: Grid, id: str, at: str, cards: Mapping[int, BoardSheet]) -> PageTable:
    """Return the table of how partnerships did when declaring and when defending."""
    of = {row.at: row for row in grid.rows}

    def who(each: int) -> Markup:
        names = escape(as_it_is(" – ".join(of[each].players)))
        return Markup('<a href="#{}c{}">{}</a>').format(at, each, names) if each in cards else names

    rows = []
    for each in grid.partnerships:
        both = [each.at, *([each.partner] if each.partner in of else [])]
        cells: list[object] = [", ".join(of[one].number for one in both), Markup(" – ").join(map(who, both))]
        for mean in (each.all, each.declaring, each.defending):
            cells += [mean.boards, percent(mean.percentage)] if mean else ["", ""]
        rows.append(PageRow(cells))
    columns = [PageColumn(grid.kind.capitalize(), "w"), PageColumn("Names", "n")]
    for heading, label in (("Boards", "boards"), ("Declaring", "declaring"), ("Defending", "defending")):
        columns += [PageColumn(heading, "", label), PageColumn("%" if label == "boards" else f"% {label}")]
    return PageTable(id, " · ".join(filter(None, ["Partnerships", grid.title])), columns, rows).filled()


_ACROSS = 690
"""The room on a sheet of paper on its side, A4 or Letter, in points."""

_LETTER, _GAP = 0.6, 0.55
"""In em: the width of a letter or digit, and what is between columns."""


def _printed_in(grid: Grid, columns: int) -> float:
    """Return the size of letters, in points, that a grid is as wide in as a sheet of paper."""
    longest = max((len(name) + 2 for row in grid.rows for name in row.players), default=0)
    widest = max(len(points_text(got, grid.decimals)) for row in grid.rows for got in row.points.values())
    others = (columns - 2 - len(grid.boards)) * 6
    letters = 5 + longest + len(grid.boards) * max(widest, 2) + others
    return math.floor(10 * _ACROSS / (letters * _LETTER + columns * _GAP)) / 10


def _coloured(grid: Grid, row: GridRow, board: int) -> str | Markup:
    """Return the points on a board, in the colour of how far they are from the mean of those who played it."""
    if board not in row.points:
        return ""
    text = points_text(row.points[board], grid.decimals)
    each = [other.points[board] for other in grid.rows if board in other.points]
    mean = sum(each) / len(each)
    furthest = max(abs(one - mean) for one in each) or 1.0
    far = (row.points[board] - mean) / furthest
    kind = "" if abs(far) < _NEAR else ("up" if far > 0 else "down") + (" far" if abs(far) > _FAR else "")
    return Markup('<i class="{}">{}</i>').format(kind, text) if kind else text


_NEAR, _FAR = 0.1, 0.6
"""What is nearer to the mean has no colour, what is further away a strong one; 1 is the furthest of the board."""


def _cells(grid: Grid, number: int, at: str, cards: Mapping[int, BoardSheet]) -> list[str | Markup]:
    row = grid.rows[number]
    points = [_coloured(grid, row, board) for board in grid.boards]
    dashed = [*(f"{name} –" for name in row.players[:-1]), *row.players[-1:]]
    names = Markup("").join(Markup("<span>{}</span> ").format(as_it_is(name)) for name in dashed)
    return [
        row.number,
        Markup('<a href="#{}c{}">{}</a>').format(at, row.at, names) if row.at in cards else names,
        *points,
        points_text(row.total, 2),
        *(points_text(each[row.at], 2) if row.at in each else "" for each in grid.further.values()),
    ]
