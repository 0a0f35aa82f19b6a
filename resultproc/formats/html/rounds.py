"""The matches of Swiss teams on a page: a sheet for each team, which its name leads to."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from resultproc.formats.common.matches import Course, Round, courses
from resultproc.formats.common.pages import PageColumn, PageRow, PageTable
from resultproc.formats.common.words import counted
from resultproc.formats.html.boards import BoardSheet, names_of
from resultproc.model.frames import Result
from resultproc.model.values import number_cell


def rounds_of(result: Result, at: str) -> dict[str, dict[int, BoardSheet]]:
    """Return the sheets of the teams of each game that lists matches, by its id and their rows. at: see ``anchors``."""
    played = {str(game): courses(rows) for game, rows in result.contestants.groupby("game_id", sort=False)}
    names = names_of(result) if any(played.values()) else []
    return {
        game: {team: _sheet(team, course, names, at) for team, course in each.items()} for game, each in played.items()
    }


def _sheet(team: int, course: Course, names: Sequence[str], at: str) -> BoardSheet:
    columns = {
        "Round": PageColumn("Round", "r first"),
        "Opponents": PageColumn("Opponents", "n"),
        "IMPs": PageColumn("IMPs", "", "IMPs"),
        "VPs": PageColumn("VPs", "", "VPs"),
        "Total": PageColumn("Total", "", "total"),
        "Place": PageColumn("Place", "", "place"),
    }
    cells = [_cells(each, names, at) for each in course.rounds]
    kept = [n for n, name in enumerate(columns) if name in {"Round", "Opponents"} or any(row[n] for row in cells)]
    rows = [PageRow([row[n] for n in kept]) for row in cells]
    number, _, players = names[team].partition(" ")
    last = course.rounds[-1]
    note = [f"team {number}", counted(len(course.rounds), "round")]
    if last.total is not None:
        note.append(f"{number_cell(last.total)} victory points")
    if not course.whole:
        note.append("its score is another: with penalties, or matches that are not listed")
    heads = list(columns.values())
    table = PageTable(f"s{team}-h", players or number, [heads[n] for n in kept], rows, ", ".join(note), sorts=False)
    return BoardSheet(f"s{team}", names[team], table)


def _cells(each: Round, names: Sequence[str], at: str) -> list[object]:
    known = len(each.opponents) == each.said.count(",") + 1
    met = Markup(", ").join(
        Markup('<a href="#{}s{}">{}</a>').format(at, other, names[other]) for other in each.opponents
    )
    return [
        str(each.number),
        met if known else each.said,
        "" if each.imps is None else f"{each.imps:+d}".replace("-", "\u2212"),
        "" if each.points is None else number_cell(each.points),
        "" if each.total is None else number_cell(each.total),
        each.place,
    ]
