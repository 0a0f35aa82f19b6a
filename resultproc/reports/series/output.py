"""The standings of a series of games as text, CSV, an Excel workbook and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from resultproc.formats.common.pages import PageColumn, PageRow, PageTable, tables_page
from resultproc.formats.common.words import counted
from resultproc.formats.json.writer import remark_entry
from resultproc.formats.registry import escape_formula
from resultproc.formats.xlsx.cells import FONT, lay_out, put, saved
from resultproc.model.errors import InputError, quoted
from resultproc.model.game import number_text
from resultproc.model.values import cell_text, decimal_text, place_text
from resultproc.reports.rows import Writers
from resultproc.reports.series.series import Series

_TOP = 4
"""The row of a workbook's header."""

WRITERS: Writers[[Series]] = Writers()
"""The formats of series by name."""


def series_title(found: Series) -> str:
    """Return what the series is: the event and club, where all games are of one, its games, days and method."""
    games = found.games
    names = games[["event", "club"]].loc[:, games[["event", "club"]].nunique(dropna=False) == 1].dropna(axis=1)
    days = [str(day.date()) for day in (games["date"].min(), games["date"].max()) if not pd.isna(day)]
    count = "1 game" if len(games) == 1 else f"{len(games)} games"
    parts = [count, " to ".join(dict.fromkeys(days)), f"by {found.method}"]
    return f"{', '.join(map(cell_text, names.iloc[0])) or 'Series'}: {', '.join(filter(None, parts))}"


def notes(found: Series) -> Iterator[str]:
    """Yield what is below the table: how the bonus comes about and by which rule, and who is not placed."""
    if found.bonus is None:
        yield f"No bonus: {found.why_none}."
    else:
        paying = "1 place pays" if found.bonus.depth == 1 else f"{found.bonus.depth} places pay"
        yield f"Bonus: {found.bonus.factors}; {paying}."
        yield f"Rule: {found.bonus.rule}."
    if found.standings["position"].isna().any():
        needs = [f"{found.min_sessions} games"] if found.min_sessions > 1 else []
        if found.min_partners:
            needs.append("1 partner" if found.min_partners == 1 else f"{found.min_partners} different partners")
        yield f"Not placed (-): it takes {' and '.join(needs)}."


def _place(row: Mapping[Any, Any]) -> str:
    """Return the places that a player takes up: ``2``, ``2/3``, or ``-`` for none."""
    if pd.isna(row["position"]):
        return "-"
    return place_text(row["position"], row["tied"])


def _player(row: Mapping[Any, Any], *, numbered: bool = True) -> list[str]:
    """Return a player's name and member number as cells hold them."""
    return ["" if pd.isna(row[name]) else cell_text(row[name]) for name in ("player", *(["id"] * numbered))]


def _amount(hundredths: float) -> str:
    """Return a score, which is in hundredths, as a decimal string, halves rounded up."""
    return decimal_text(int(hundredths + 0.5))


def _header(found: Series, *, numbered: bool = True) -> list[str]:
    number = ["Member no"] * numbered
    return ["Place", "Player", *number, "Games", "Partners", found.method.capitalize(), "Bonus"]


@WRITERS("text")
def text(found: Series) -> bytes:
    """Return the standings as a table; without the column for a bonus where there is none."""
    table = [_header(found)]
    for row in found.standings.to_dict("records"):
        amounts = _amount(row["score"]), _amount(row["bonus"]) if row["bonus"] else ""
        table.append([_place(row), *_player(row), str(row["games"]), str(row["partners"]), *amounts])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [series_title(found), ""]
    for cells in table:
        padded = [c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True))]
        lines.append("  ".join(padded).rstrip())
    return ("\n".join([*lines, "", *notes(found)]) + "\n").encode()


@WRITERS("csv")
def to_csv(found: Series) -> bytes:
    """Return the standings as CSV, with a column for each game under its game_id.

    ``place`` and ``tied``, the players that share it, are empty for who is not placed.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    games = [escape_formula(cell_text(name)) for name in found.scores.columns]
    writer.writerow(["place", "tied", "player", "id", "games", "partners", str(found.method), "bonus", *games])
    for row, each in zip(found.standings.to_dict("records"), found.scores.to_numpy(), strict=True):
        place = ["" if pd.isna(row[name]) else row[name] for name in ("position", "tied")]
        amounts = _amount(row["score"]), _amount(row["bonus"])
        scores = ["" if pd.isna(score) else _amount(score) for score in each]
        writer.writerow([*place, *map(escape_formula, _player(row)), row["games"], row["partners"], *amounts, *scores])
    written = file.getvalue()
    return written.encode("utf-8" if written.isascii() else "utf-8-sig")


@WRITERS("xlsx")
def xlsx(found: Series) -> bytes:
    """Return the standings as a workbook, with a column for each game, set up to be printed."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Series"
    put(sheet.cell(1, 1), series_title(found)).font = Font(FONT, 14, bold=True)
    header = [*_header(found, numbered=found.numbered), *map(cell_text, found.scores.columns)]
    for i, name in enumerate(header, 1):
        cell = put(sheet.cell(_TOP, i), name)
        cell.font = Font(FONT, 11, bold=True)
        cell.alignment = Alignment(horizontal="left" if i < 3 + found.numbered else "right")
        sheet.column_dimensions[get_column_letter(i)].width = 24 if name == "Player" else max(len(name) + 2, 9)
    for j, (row, each) in enumerate(
        zip(found.standings.to_dict("records"), found.scores.to_numpy(), strict=True), _TOP + 1
    ):
        who = [_place(row), *_player(row, numbered=found.numbered)]
        amounts = [None if pd.isna(value) else value / 100 for value in (row["score"], row["bonus"] or None, *each)]
        for i, value in enumerate([*who, row["games"], row["partners"], *amounts], 1):
            if value is not None:
                put(sheet.cell(j, i), value)
    for j, note in enumerate(notes(found), _TOP + len(found.standings) + 2):
        put(sheet.cell(j, 1), note)
    lay_out(sheet, _TOP, names=2)
    workbook.properties.description = found.provenance.line()
    return saved(workbook)


@WRITERS("html")
def html(found: Series, *, fragment: bool = False) -> bytes:
    """Return the standings as one page that needs nothing else."""
    heads = _header(found, numbered=found.numbered)
    columns = [
        PageColumn("Place", "r first"),
        PageColumn("Player", "n"),
        *(PageColumn(head, "", head) for head in heads[2:-2]),
        PageColumn("Bonus", "", "Bonus"),
        PageColumn(heads[-2], "a bare"),
    ]
    rows = [
        PageRow(
            [
                _place(row),
                *_player(row, numbered=found.numbered),
                row["games"],
                row["partners"],
                _amount(row["bonus"]) if row["bonus"] else "",
                _amount(row["score"]),
            ],
            "paid" if row["bonus"] else "",
        )
        for row in found.standings.to_dict("records")
    ]
    said = [doubt.what for doubt in found.doubts]
    name, _, what = series_title(found).rpartition(": ")
    return tables_page(
        name,
        [PageTable("standings", "Standings", columns, rows, counted(len(rows), "player"))],
        fragment=fragment,
        facts=what.split(", "),
        problems=found.problems,
        remarks=[*quoted(found.remarks), *said],
        foot=list(notes(found)),
        provenance=found.provenance,
    )


@WRITERS("json")
def to_json(found: Series) -> bytes:
    """Return the standings as JSON: scores, awards and the bonus are decimal strings.

    A player who is not placed has the position null; ``scores`` holds the games played, by game_id.
    """
    games = [
        {"game_id": game["game_id"], "date": None if pd.isna(game["date"]) else str(game["date"].date())}
        for game in found.games.to_dict("records")
    ]
    bonus = None
    if found.bonus is not None:
        awards = [decimal_text(award) for award in found.bonus.awards[: found.bonus.depth]]
        bonus = {"ladder": awards, "factors": found.bonus.factors, "rule": found.bonus.rule}
    players = []
    for row, each in zip(found.standings.to_dict("records"), found.scores.to_numpy(), strict=True):
        placed = not pd.isna(row["position"])
        played = zip(found.scores.columns, each, strict=True)
        players.append(
            {
                "position": int(row["position"]) if placed else None,
                "tied": int(row["tied"]) if placed else None,
                "name": row["player"],
                "id": None if pd.isna(row["id"]) else row["id"],
                "games": int(row["games"]),
                "partners": int(row["partners"]),
                "tables": number_text(row["tables"]),
                "score": _amount(row["score"]),
                "bonus": decimal_text(row["bonus"]),
                "scores": {game: _amount(score) for game, score in played if not pd.isna(score)},
            }
        )
    content = {
        "provenance": found.provenance.entry(),
        "method": str(found.method),
        "min_sessions": found.min_sessions,
        "min_partners": found.min_partners,
        "games": games,
        "bonus": bonus,
        "no_bonus": found.why_none or None,
        "players": players,
        "problems": InputError(found.problems).as_dicts(),
        "remarks": [remark_entry(remark) for remark in quoted(found.remarks)],
        "doubts": [{"what": doubt.what, "players": list(doubt.players)} for doubt in found.doubts],
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
